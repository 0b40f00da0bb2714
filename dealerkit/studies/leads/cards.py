"""`card`: which card declarer or a defender should play at any point of the play."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Note, show_condition
from dealerkit.appearance.drawings import Difference, Rate
from dealerkit.appearance.numbers import format_count, format_level
from dealerkit.appearance.table import Column, Table
from dealerkit.appearance.wording import join_words
from dealerkit.arguments import Given, check_integer, read_given
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, vulnerability_number
from dealerkit.cards.text import format_hand
from dealerkit.doubledummy.journal import Journal
from dealerkit.doubledummy.leads import LeadRule
from dealerkit.errors import ArgumentError, DealError, DoubleDummyBias, quote, warn_caller
from dealerkit.language.script_variables import Params
from dealerkit.runtime.progress import Progress, long_work, show_progress
from dealerkit.scoring import (
    LEAD_SCORINGS,
    SCORINGS,
    DeclaredContract,
    check_scoring,
    parse_declared,
    score_contracts,
)
from dealerkit.simulation.calls import read_text
from dealerkit.statistics import Estimate
from dealerkit.statistics.estimates import list_columns
from dealerkit.statistics.intervals import check_confidence
from dealerkit.studies.estimate.population import ConditionPopulation
from dealerkit.studies.frames import tabulate
from dealerkit.studies.leads.gains import TRICKS, GainTables, LeadGains
from dealerkit.studies.leads.played import CardChoice, PlayedCards, name_hand
from dealerkit.studies.leads.rules import DiscardRule, PlayRules, RuledDeals
from dealerkit.studies.leads.sampling import LeadLimits, LeadSampler, read_leader
from dealerkit.studies.limits import StudyLimits, check_end, warn_of_early_end, warn_of_few_deals
from dealerkit.studies.provenance import DEFAULT_SEEDS, RepeatableResult, repeatable

if TYPE_CHECKING:
    import pandas as pd

SEED = DEFAULT_SEEDS["leads"]
WIDTH = 1.5  # default precision, as a multiple of that of a single comparison
BIAS = (
    "tricks are double dummy: after this card all players see all cards, so later guesses are always right; "
    "cards that gain information are undervalued, and cards that leave a guess are overvalued"
)


class DeclarerTables(GainTables):
    """The gain of one card of declarer's side over another by the tricks after each, for each measure."""

    @property
    def needed(self) -> int:
        """Tricks that make the contract."""
        return self.contract.level + 6

    @cached_property
    def points(self) -> np.ndarray:
        """Scores of declarer by its tricks, int64 [14]."""
        bid = self.contract
        return score_contracts(bid.level, bid.strain, bid.doubled, TRICKS, self.vulnerable)


@dataclass(eq=False)
class CardSampler(LeadSampler):
    """Solved deals of a study of a later card in progress; parameters are those of `LeadSampler`."""

    played: PlayedCards = field(kw_only=True)
    choices: Sequence[CardChoice] = field(kw_only=True)

    def _solve(self, deals: Deals) -> None:
        """Solve the tricks after each card."""
        solved = self.journal.step(
            lambda: self.played.solve(deals.hands, self.choices, self.threads), deals.hands
        )
        self.hands.append(deals.hands)
        self.gains.add(solved)
        self.tricks.append(solved)


@dataclass(frozen=True, eq=False, repr=False)
class CardStudy(RepeatableResult):
    """The cards that can be played at one point, compared on the same deals, as `card` returns them.

    Attributes
    ----------
    declared : DeclaredContract
        The contract and its declarer.
    played : PlayedCards
        The cards so far; `played.player` is to play.
    hand, dummy : str
        The whole hands that are seen: the player's (declarer's if dummy is to play), and dummy's.
    scoring : str
        The scoring in which the cards are compared.
    cards : tuple of CardChoice
        The legal cards; cards that touch, ignoring cards of earlier tricks, are one choice.
    gains : LeadGains
        Counts of tricks after each pair of cards.
    deals : Deals
        The solved deals, whole, as before the first card.
    tricks : ndarray of int8 [n, cards]
        Tricks of the player's side in the whole play.
    given : str or None
    reason : str
        Why the study ended early; "" if it did not.
    seed : int
    chosen : str or None
        The card that was played at the table, if it is known.
    rules : PlayRules
        The rules by which hidden hands led and discarded.
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> study = dk.card("AQ2.K52.A873.T42", "K54.AQ3.K52.AQ63", "3NT by south", "HJ", produce=5, seed=1)
    >>> study.n, SEATS[study.played.player]
    (5, 'north')
    """

    declared: DeclaredContract
    played: PlayedCards
    hand: str
    dummy: str
    scoring: str
    cards: tuple[CardChoice, ...]
    gains: LeadGains
    deals: Deals
    tricks: np.ndarray
    given: str | None
    reason: str
    seed: int
    chosen: str | None = None
    rules: PlayRules = PlayRules()

    @property
    def n(self) -> int:
        """Number of deals."""
        return self.gains.n

    @property
    def confidence(self) -> float:
        """Confidence level of the intervals."""
        return self.gains.confidence

    @property
    def is_declaring(self) -> bool:
        """Whether the card is declarer's or dummy's."""
        return (self.played.player - self.played.declarer) % 2 == 0

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Indices of the cards, the best first, by the gain over the best of the others."""
        return tuple(self.gains.find_order(self.scoring).tolist())

    @property
    def best(self) -> CardChoice:
        """The card that ranks first on these deals."""
        return self.cards[self.order[0]]

    @cached_property
    def possibly_best(self) -> tuple[CardChoice, ...]:
        """The cards that may be the best, the first one first."""
        possible = self.gains.find_possibly_best(self.scoring)
        return tuple(self.cards[i] for i in self.order if possible[i])

    def gain(self, card: str) -> Estimate:
        """Return the mean gain of a card over the best of the others, in the unit of the scoring.

        Parameters
        ----------
        card : str
            ``"SJ"``; any of touching cards.
        """
        return self._list_gains(self.scoring)[self._find(card)]

    def mean_tricks(self, card: str) -> Estimate:
        """Return the mean tricks of the player's side in the whole play, after a card."""
        return self.gains.rate("tricks", self._find(card))

    def chance(self, card: str) -> Estimate:
        """Return the probability that the contract makes (for a defender, is beaten) after a card."""
        return self.gains.rate("beats", self._find(card))

    def _find(self, card: str) -> int:
        name = card.strip().upper().replace("10", "T")
        for number, each in enumerate(self.cards):
            if each.includes(name):
                return number
        known = ", ".join(each.card for each in self.cards)
        raise ArgumentError(f"{quote(card, 20)} is not a card that can be played; these are {known}")

    def _list_gains(self, measure: str) -> list[Estimate]:
        found = self.gains.compare_with_best(measure)
        return found.list_estimates(self.gains.size(measure), self.confidence)

    @property
    def title(self) -> str:
        """The contract, whose turn it is, and in which trick."""
        return f"{self.declared}: {self.played.describe()}"

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each card, the best first; the index ``card`` is the highest of touching cards.

        - cards: ``J-T``
        - contract: the probability that the contract makes, for a defender that it is beaten; tricks of
          the player's side in the whole play; both with the ends of their intervals (`_lo`, `_hi`)
        - gain: over the best of the other cards in the scoring of the study; intervals are simultaneous
        - possibly_best: whether it may be the best card
        """
        possible = self.gains.find_possibly_best(self.scoring)
        gains = self._list_gains(self.scoring) if len(self.cards) > 1 else None
        rows = {}
        for i in self.order:
            row: dict[str, Any] = {"cards": self.cards[i].ranks}
            row |= list_columns("contract", self.gains.rate("beats", i))
            row |= list_columns("tricks", self.gains.rate("tricks", i))
            if gains is not None:
                row |= list_columns("gain", gains[i])
            rows[self.cards[i].card] = row | {"possibly_best": bool(possible[i])}
        return tabulate(rows, "card")

    @property
    def verdict(self) -> str:
        """Which card is the best, or which cards may be, in one sentence."""
        level, names = format_level(self.confidence), [card.text for card in self.possibly_best]
        if len(self.cards) == 1:
            return f"{self.best.text} is the only card."
        if len(names) == 1:
            return f"{names[0]} is ahead of all other cards at {level}."
        deals = format_count(self.n, "deal")
        if len(names) == len(self.cards):
            return f"No card is distinguished from the best at {level} by {deals}."
        return f"{join_words(names)} cannot be distinguished from the best card at {level} by {deals}."

    def card(self) -> Card:
        """The card: a row for each card that can be played, the best first."""
        about: list[Note] = [
            f"{format_count(self.n, 'deal')}, double dummy; {format_level(self.confidence)} intervals."
        ]
        if self.given:
            about.append(("Given: ", show_condition(self.given), "."))
        if self.rules != PlayRules():
            about.append(f"{self.rules.describe()}.")
        if self.reason:
            about.append(f"The study ended early: {self.reason}.")
        notes = [self.verdict]
        if self.chosen is not None:
            notes.append(f"At the table {self.cards[self._find(self.chosen)].text} was played.")
        notes.append(f"{BIAS[0].upper()}{BIAS[1:]}.")
        return Card(
            self.title, about=about, tables=[self._tabulate()], notes=notes, provenance=self._list_facts()
        )

    def _tabulate(self) -> Table:
        verb = "makes" if self.is_declaring else "beats"
        scoring = SCORINGS[self.scoring]
        columns = [
            Column("card", kind="contract"),
            Column("chance", f"{verb} {self.declared.contract}, 0 to 100 %", "drawing"),
            Column("contract", f"{verb} {self.declared.contract}", "share", interval="below"),
            Column("tricks", interval="below"),
        ]
        is_compared = len(self.cards) > 1
        if is_compared:
            columns += [
                Column("axis", "difference, deal by deal", "drawing"),
                Column(
                    "gain", f"over the best other, {scoring.unit}", interval="below", sign=True,
                    scale=scoring.scale,
                ),
            ]  # fmt: skip
        gains = self._list_gains(self.scoring) if is_compared else []
        rows = []
        for i in self.order:
            rate = self.gains.rate("beats", i)
            row = [self.cards[i].text, Rate(rate), rate, self.gains.rate("tricks", i)]
            rows.append(row + ([Difference(gains[i], scoring.scale), gains[i]] if is_compared else []))
        return Table(columns, rows)

    def __repr__(self) -> str:
        return f"<CardStudy: {self.title}; {format_count(self.n, 'deal')}, {self.best.text} first>"


@long_work
@repeatable
def card(
    hand: str,
    dummy: str,
    contract: Any,
    played: str | Sequence[str],
    *,
    given: Given | None = None,
    params: Params = (),
    include: Sequence[str | os.PathLike[str]] = (),
    lead_rule: LeadRule | None = None,
    discard_rule: DiscardRule | None = None,
    declarer: Any = None,
    vulnerable: Any = False,
    scoring: str = "beats",
    chosen: str | None = None,
    precision: float | None = None,
    produce: int | None = None,
    confidence: float = 0.95,
    seed: int | None = None,
    max_seconds: float | None = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> CardStudy:
    """Compare the cards that can be played at any point after the opening lead, double dummy.

    Deals are dealt that agree with everything the player knows: the two hands in view, the cards played, the
    suits in which a hidden hand has shown out, and the condition about the auction. On each deal, every legal
    card is solved.

    Parameters
    ----------
    hand : str
        The player's 13 cards as dealt, ``"KJ74.Q93.T85.J62"``; if dummy is to play, declarer's.
    dummy : str
        Dummy's 13 cards as dealt.
    contract : str or Contract
        ``"3NT by south"``, or ``"3NT"`` with `declarer`.
    played : str or sequence of str
        The cards played so far, in the order of play from the opening lead: ``"S5 S3 SK S2 H4"``. They
        determine whose turn it is.
    given : str, os.PathLike or Auction, optional
        A condition of the dealer language, or its file, on the hidden hands as dealt; or the auction.
    params, include
        As for `dealerkit.probability`.
    lead_rule : str or callable, optional
        Rule by which a hidden hand made the opening lead, as for `lead`: ``"fourth best"``. By default any
        card.
    discard_rule : str or callable, optional
        Rule by which hidden hands discarded: ``"lowest"``, the lowest card of a suit; ``"longest"``, the
        lowest card of the longest suit; or a function ``rule(hand, strain)``, called with the remaining cards
        and the strain, which returns one card or several. By default any card. Ruffs are not discards.
    declarer : seat, optional
        Declarer of a contract written without one.
    vulnerable : {"none", "NS", "EW", "both"}, int or bool
        For scores: the vulnerable sides, or whether declarer is vulnerable.
    scoring : {"beats", "tricks", "imps", "matchpoints", "board-a-match", "points"}
        How cards are compared: the probability of making the contract (for a defender, of beating it),
        tricks, IMPs, matchpoints, boards won, or points.
    chosen : str, optional
        The card that was played at the table, which the result then shows.
    precision : float, optional
        Largest half-width of the intervals of the gains over the best of the other cards, in the unit of the
        scoring; as for `lead`.
    produce : int, optional
        Number of deals; cannot be combined with `precision`.
    confidence : float in (0, 1)
    seed : int >= 0, optional
        Seed of the deals. By default every call uses the same seed.
    max_seconds : float, optional
        End the study at this limit, with the intervals reached by then. An interrupt does the same.
    threads, progress, checkpoint
        As for `lead`.

    Returns
    -------
    CardStudy
        Frozen, with `frame`, `text` and HTML.

    Raises
    ------
    DealError
        A hand is not whole; a card is not held by its player, was played before, or is a revoke.
    ArgumentError
        The contract cannot be read; no card has been played; a rule is unknown; no deal agrees with play,
        condition and rules.

    Warns
    -----
    DoubleDummyBias
        Always: later guesses are assumed to be right.
    SmallSample, TruncatedRun, CostWarning

    Notes
    -----
    Without rules, nothing is concluded from the choice of the cards played; a condition in `given` can
    express what they show. Rules are assumed to be followed always: deals that break one are left out.

    Examples
    --------
    West leads the jack of hearts against 3NT, dummy plays low, East the seven:

    >>> study = card("K54.AQ3.K52.AQ63", "AQ2.K52.A873.T42", "3NT by south", "HJ H2 H7", produce=20, seed=1)
    >>> [choice.card for choice in study.cards]
    ['HA', 'HQ', 'H3']
    """
    # The contract, the play and the hands in view
    check_confidence(confidence)
    declared = parse_declared(contract, declarer)
    if declared.contract is None or declared.declarer is None:
        raise ArgumentError("a deal that is passed out has no play; give a contract such as '3NT by south'")
    play = PlayedCards.read(played, declared.contract.strain, declared.declarer)
    if not play.cards:
        raise ArgumentError("no card has been played; compare opening leads with dealerkit.lead")
    seen = {play.viewer: read_leader(hand), play.dummy: read_leader(dummy)}
    if both := seen[play.viewer] & seen[play.dummy]:
        raise DealError(f"both hands in view have {name_hand(both)}")
    for seat, word in seen.items():
        play.check_hand(seat, word)
    # The scoring and the limits
    seed = SEED if seed is None else check_integer("seed", seed)
    scoring = check_scoring(scoring, LEAD_SCORINGS)
    produce = check_end(precision, produce, 2)
    if produce is None and precision is None:
        precision = WIDTH * SCORINGS[scoring].precision
    limits = LeadLimits(precision, produce, StudyLimits(max_seconds).max_seconds)
    rules = PlayRules(lead_rule, discard_rule)
    # Deals that agree with what is seen
    choices = play.list_choices(seen[play.player])
    predeal: dict[str, Any] = {SEATS[seat]: name_hand(word) for seat, word in seen.items()}
    predeal |= {SEATS[seat]: play.predeal(seat) for seat in play.hidden}
    given = read_given(given, {SEATS[seat]: name_hand(word) for seat, word in seen.items()})
    dealt = ConditionPopulation.from_text(given, seed, predeal, params, include)
    population = dealt if rules == PlayRules() else RuledDeals(dealt, rules, play)
    is_vulnerable = bool(vulnerability_number(vulnerable) >> (declared.declarer & 1) & 1)
    is_declaring = (play.player - play.declarer) % 2 == 0
    tables = (DeclarerTables if is_declaring else GainTables)(declared.contract, is_vulnerable)
    gains = LeadGains(tables, len(choices), confidence)
    arguments = {
        "hands": [predeal[SEATS[seat]] for seat in (play.viewer, play.dummy)], "contract": str(declared),
        "played": play.cards, "given": None if given is None else read_text(given), "params": params,
        "include": include, "lead_rule": lead_rule, "discard_rule": discard_rule, "scoring": scoring,
        "vulnerable": is_vulnerable, "precision": precision, "produce": produce, "confidence": confidence,
        "seed": seed, "max_seconds": max_seconds,
    }  # fmt: skip
    with show_progress(progress) as show, Journal(checkpoint, "card", arguments) as journal:
        sampler = CardSampler(
            population, declared.contract, declared.declarer, (), gains, scoring, limits, threads, show,
            journal, played=play, choices=choices,
        )  # fmt: skip
        sampler.run()
    # The result
    study = CardStudy(
        declared, play, format_hand(seen[play.viewer]), format_hand(seen[play.dummy]), scoring, choices,
        gains, Deals(np.concatenate(sampler.hands), check=False), np.concatenate(sampler.tricks),
        None if given is None else read_text(given), sampler.reason, seed, chosen, rules,
    )  # fmt: skip
    if chosen is not None:
        study._find(chosen)
    warn_caller(BIAS, DoubleDummyBias)
    warn_of_few_deals(study.n)
    if study.reason:
        warn_of_early_end(study.reason, study.n)
    return study
