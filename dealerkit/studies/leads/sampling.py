"""The leader's hand with its leads, and deals with it, solved until the comparison is precise enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dealerkit.appearance.wording import describe_object, format_duration
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, RANKS, SUIT_LETTERS, SUITS
from dealerkit.cards.text import SUIT_SYMBOLS, format_hand, read_hand
from dealerkit.doubledummy.journal import Journal
from dealerkit.doubledummy.leads import KINDS, LeadRule, choose_cards, find_distinct_leads, solve_leads
from dealerkit.errors import DealError
from dealerkit.runtime.process import interrupt_at_termination
from dealerkit.scoring import Contract
from dealerkit.statistics.allocation import choose_next_size
from dealerkit.studies.estimate.population import Population
from dealerkit.studies.leads.gains import LeadGains
from dealerkit.studies.limits import INTERRUPT, state_cost

FIRST = 96  # number of deals before the precision is first checked
CHUNK = 48  # deals solved between two checks of the time and of interrupts
FIRST_CHUNK = 6  # size of the first chunk, so that an interrupt has a result early
N_TRICKS = 120  # deals whose tricks are solved if only beating the contract is compared
_FORM = "write the suits from spades to clubs with dots between them, as KJ74.Q93.T85.J62"


@dataclass(frozen=True, slots=True)
class Lead:
    """A lead: a card, together with the cards that touch it in the leader's hand and so are equivalent.

    Attributes
    ----------
    suit : int, S H D C = 0..3
    rank : int
        Rank of the highest card, 0 (deuce) to 12.
    length : int
        Number of touching cards.
    kind : str
        As in `dealerkit.leads`.
    """

    suit: int
    rank: int
    length: int
    kind: str

    @property
    def card(self) -> str:
        """The highest card, ``SJ``."""
        return SUIT_LETTERS[self.suit] + RANKS[self.rank]

    @property
    def ranks(self) -> str:
        """All cards, ``J-T``."""
        return "-".join(RANKS[self.rank - k] for k in range(self.length))

    @property
    def text(self) -> str:
        """The cards with the symbol of the suit, ``♠J-T``."""
        return SUIT_SYMBOLS[self.suit] + self.ranks

    @property
    def is_single_honour(self) -> bool:
        """Whether it is a jack or higher that touches no other card."""
        return self.kind == "honour" and self.rank >= RANKS.index("J")

    def includes(self, card: str) -> bool:
        """Return whether a card such as ``ST`` belongs to the lead."""
        return card[:1] == SUIT_LETTERS[self.suit] and card[1:] in self.ranks.split("-")


def read_leader(hand: Any) -> int:
    """Return the leader's hand, of 13 cards, written with dots, or as ``S KJ74 H Q93 D T85 C J62``.

    Raises
    ------
    DealError
        The text is not a hand, a card occurs twice, or the number of cards is not 13.

    Examples
    --------
    >>> read_leader("KJ74.Q93.T85.J62").bit_count()
    13
    """
    if not isinstance(hand, str):
        raise DealError(f"the leader's hand is {describe_object(hand)}; {_FORM}")
    try:
        word = read_hand(hand)
    except DealError as error:
        hint = f"; {_FORM}" if "dots" in str(error) else ""
        raise DealError(f"the leader's hand: {error}{hint}") from None
    if (size := word.bit_count()) != 13:
        lengths = [(word >> shift & LANE_MASK).bit_count() for shift in LANE_SHIFTS]
        suits = ", ".join(f"{length} {suit}" for length, suit in zip(lengths, SUITS, strict=True))
        raise DealError(f"the leader's hand {format_hand(word)} has {size} cards ({suits}); a hand has 13")
    return word


def list_leads(hand: int, strain: int, lead_rule: LeadRule | None = None) -> tuple[Lead, ...]:
    """Return the leads from a hand in the order of suits and ranks; with a rule, only its card of each suit.

    >>> [lead.text for lead in list_leads(read_leader("KJT4.Q93.T85.J62"), 4)][:3]
    ['♠K', '♠J-T', '♠4']
    >>> [lead.text for lead in list_leads(read_leader("KJT4.Q93.T85.J62"), 4, "fourth best")]
    ['♠J-T', '♥3', '♦T', '♣2']
    """
    _, suits, ranks, lengths, kinds = find_distinct_leads(np.array([hand], np.uint64))
    found = [
        Lead(int(suit), int(rank), int(length), KINDS[kind])
        for suit, rank, length, kind in zip(suits, ranks, lengths, kinds, strict=True)
    ]
    if lead_rule is None:
        return tuple(found)
    allowed = choose_cards(hand, strain, lead_rule)
    return tuple(lead for lead in found if any(lead.includes(card) for card in allowed))


@dataclass(frozen=True)
class LeadLimits:
    """When a study of leads ends.

    Attributes
    ----------
    precision : float or None
        Largest half-width of the intervals of the gains over the best of the other leads, among leads that
        may be the best; None: only the number of deals counts.
    produce : int or None
        Number of deals.
    max_seconds : float or None
    """

    precision: float | None = None
    produce: int | None = None
    max_seconds: float | None = None


@dataclass(eq=False)
class LeadSampler:
    """Solved deals of a study in progress.

    Parameters
    ----------
    population : Population
        Deals, each with the hand of the leader.
    contract : Contract
    declarer : int
    leads : sequence of Lead
    gains : LeadGains
        Initially without deals.
    measure : str
        The measure to which the precision applies.
    limits : LeadLimits
    threads : int or None
    progress : callable or None
        ``progress(done, total)``, called with numbers of deals.
    journal : Journal
        Journal of the checkpoint.
    """

    population: Population
    contract: Contract
    declarer: int
    leads: Sequence[Lead]
    gains: LeadGains
    measure: str
    limits: LeadLimits
    threads: int | None
    progress: Callable[[int, int], Any] | None
    journal: Journal = field(default_factory=Journal)
    reason: str = ""
    hands: list[np.ndarray] = field(default_factory=list)
    tricks: list[np.ndarray] = field(default_factory=list)
    beaten: list[np.ndarray] = field(default_factory=list)

    def run(self) -> None:
        """Solve deals until the study is precise enough, or a limit is reached."""
        try:
            with interrupt_at_termination():
                self._proceed()
        except KeyboardInterrupt:
            self.journal.close()
            if self.gains.n < 2:
                raise
            self.reason = INTERRUPT

    def _proceed(self) -> None:
        precision, produce = self.limits.precision, self.limits.produce
        if precision is None:
            self._solve_until(produce or 0)
            return
        self._solve_until(FIRST)
        is_first = True
        while not self.reason and not self.gains.is_precise(self.measure, precision):
            needed = self.gains.find_needed(self.measure, precision)
            if is_first:
                if self.limits.max_seconds is None:
                    state_cost(needed - self.gains.n, self._seconds_per_deal(), ("max_seconds",))
                is_first = False
            self._solve_until(choose_next_size(self.gains.n, needed))

    def _solve_until(self, n: int) -> None:
        """Solve deals until there are `n` of them, or a limit is reached."""
        while self.gains.n < n and not self.reason:
            deals = self.population.draw(min(CHUNK, max(FIRST_CHUNK, self.gains.n), n - self.gains.n))
            if not len(deals):
                self.reason = "there are no more deals"
                return
            self._solve(deals)
            if self.progress is not None:
                self.progress(self.gains.n, n)
            seconds = self.limits.max_seconds
            if seconds is not None and self.journal.is_over(seconds) and self.gains.n < n:
                self.reason = f"the limit of {format_duration(1e9 * seconds)} was reached"

    def _solve(self, deals: Deals) -> None:
        """Solve tricks or, once they are known on enough deals, only which leads beat the contract."""
        only_beats = self.measure == "beats" and self.gains.n_tricks >= N_TRICKS
        declarers = np.full(len(deals), self.declarer)

        def solve() -> np.ndarray:
            cards = solve_leads(deals.hands, self.contract, declarers, only_beats, threads=self.threads)
            return np.stack([cards[:, lead.suit, lead.rank] for lead in self.leads], axis=1)

        solved = self.journal.step(solve, deals.hands)
        self.hands.append(deals.hands)
        if only_beats:
            self.gains.add_beats(solved > 0)
            self.beaten.append(solved > 0)
        else:
            self.gains.add(solved)
            self.tricks.append(solved)
            self.beaten.append(solved >= self.gains.tables.needed)

    def _seconds_per_deal(self) -> float:
        """Return the time for one deal; a quarter of it if only beating the contract is solved."""
        seconds = self.journal.elapsed / self.gains.n
        return seconds / 4 if self.measure == "beats" else seconds
