"""What rules of leads and discards say about hidden hands: deals whose cards played agree with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import STRAINS, card_bit
from dealerkit.cards.text import format_hands, split_lanes
from dealerkit.doubledummy.leads import LeadRule, check_lead_rule, choose_leads
from dealerkit.errors import ArgumentError, quote, suggest_name
from dealerkit.formats.auctions import name_card
from dealerkit.studies.estimate.population import Population
from dealerkit.studies.leads.played import PlayedCards

DiscardRule = str | Callable[[str, str], str | Iterable[str]]
DISCARD_RULES = ("lowest", "longest")
BATCH = 4096  # largest number of deals tested at once
MOST_REFUSED = 200_000  # deals rejected in a row before the rules count as impossible


@dataclass(frozen=True)
class PlayRules:
    """Rules by which the hidden hands are assumed to lead and discard.

    Attributes
    ----------
    lead : str, callable or None
        The rule of the opening lead; None: any card.
    discard : str, callable or None
        The rule of discards: *lowest*, the lowest card of a suit; *longest*, the lowest card of the longest
        suit (any, if several are equal); or a function ``rule(hand, strain)``, called with the remaining
        cards, as ``"J4.T.985.J62"``, which returns one card or several.

    Raises
    ------
    ArgumentError
        The rule is unknown.

    Examples
    --------
    >>> PlayRules("fourth best", "lowest").describe()
    'Rules: opening lead by fourth best; discards by lowest'
    """

    lead: LeadRule | None = None
    discard: DiscardRule | None = None

    def __post_init__(self) -> None:
        if self.lead is not None:
            check_lead_rule(self.lead)
        if not (self.discard is None or callable(self.discard) or self.discard in DISCARD_RULES):
            raise ArgumentError(
                f"unknown rule of discards {quote(self.discard)}"
                f"{suggest_name(str(self.discard), DISCARD_RULES)}; known: {', '.join(DISCARD_RULES)}; or a "
                "function of the cards left and the strain that returns a card"
            )

    def describe(self) -> str:
        """Return the rules in words."""
        parts = [
            f"{name} by {getattr(rule, '__name__', rule)}"
            for name, rule in (("opening lead", self.lead), ("discards", self.discard))
            if rule is not None
        ]
        return f"Rules: {'; '.join(parts)}"

    def find_agreeing(self, hands: np.ndarray, played: PlayedCards) -> np.ndarray:
        """Return the deals in which the hidden hands led and discarded by the rules.

        Parameters
        ----------
        hands : ndarray of uint64 [n, 4]
            Whole deals that agree with the play.
        played : PlayedCards

        Returns
        -------
        ndarray of bool [n]
        """
        agree = np.ones(len(hands), bool)
        if self.lead is not None and played.seats[0] in played.hidden:
            row, suits, ranks = choose_leads(hands[:, played.seats[0]], played.strain, self.lead)
            led = np.zeros(len(hands), bool)
            led[row[suits * 13 + ranks == played.cards[0]]] = True
            agree &= led
        if self.discard is not None:
            for number, seat in list_discards(played):
                gone = sum(
                    card_bit(*divmod(card, 13))
                    for card, owner in zip(played.cards[:number], played.seats, strict=False)
                    if owner == seat
                )
                left = hands[agree, seat] & ~np.uint64(gone)
                agree[agree] = self._find_discarders(left, played.cards[number], played.strain)
        return agree

    def _find_discarders(self, hands: np.ndarray, card: int, strain: int) -> np.ndarray:
        """Return the hands, of the remaining cards, that discard a card by the rule."""
        if callable(self.discard):
            found = []
            for text in format_hands(hands):
                chosen = self.discard(text, STRAINS[strain])
                names = [chosen] if isinstance(chosen, str) else list(chosen)
                found.append(name_card(card) in [str(name).upper().replace("10", "T") for name in names])
            return np.array(found, bool)
        suit, rank = divmod(card, 13)
        lanes = split_lanes(hands)
        agree: np.ndarray = lanes[:, suit] & ((1 << rank) - 1) == 0
        if self.discard == "longest":
            lengths = np.bitwise_count(lanes).astype(np.int64)
            if strain < 4:
                lengths[:, strain] = 0
            agree &= lengths[:, suit] == lengths.max(axis=1)
        return agree


def list_discards(played: PlayedCards) -> list[tuple[int, int]]:
    """Return the discards of the hidden hands: their places in the play and their seats. A ruff is not one.

    >>> from dealerkit.cards.names import SEATS
    >>> played = PlayedCards.read("S5 S3 D2 S2 H4 H3 D3", 4, 2)
    >>> [(name_card(played.cards[number]), SEATS[seat]) for number, seat in list_discards(played)]
    [('D2', 'east'), ('D3', 'east')]
    """
    found = []
    for number, (card, seat) in enumerate(zip(played.cards, played.seats, strict=True)):
        led = played.cards[number // 4 * 4] // 13
        if seat in played.hidden and card // 13 not in (led, played.strain):
            found.append((number, seat))
    return found


@dataclass(eq=False)
class RuledDeals:
    """The deals of a population in which the hidden hands led and discarded by the rules.

    Attributes
    ----------
    population : Population
    rules : PlayRules
    played : PlayedCards
    """

    population: Population
    rules: PlayRules
    played: PlayedCards
    size: int | None = None
    _kept: list[Deals] = field(default_factory=list)
    _seen: int = 0
    _accepted: int = 0

    def draw(self, n: int) -> Deals:
        """Return the next `n` deals, or fewer if there are no more.

        Raises
        ------
        ArgumentError
            No deal agrees with the rules.
        """
        refused = 0
        while (missing := n - sum(map(len, self._kept))) > 0:
            # As many as should give the missing ones, by the share that has agreed so far
            share = (self._accepted + 1) / (self._seen + 1)
            deals = self.population.draw(min(BATCH, max(64, int(missing / share))))
            if not len(deals):
                break
            agree = self.rules.find_agreeing(deals.hands, self.played)
            self._seen, self._accepted = self._seen + len(deals), self._accepted + int(agree.sum())
            refused = 0 if agree.any() else refused + len(deals)
            if refused >= MOST_REFUSED:
                break
            if agree.any():
                self._kept.append(deals[agree])
        if not self._accepted:
            raise ArgumentError(
                f"none of {format_count(self._seen, 'deal')} that agree with the play agrees with the "
                "rules too; "
                f"{self.rules.describe()}"
            )
        joined = self._kept[0] if len(self._kept) == 1 else Deals.concatenate(self._kept)
        self._kept = [joined[n:]]
        return joined[:n]
