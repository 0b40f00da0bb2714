"""The result of a study of opening leads: its numbers, frame, card and plot."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Chart, Note, show_condition
from dealerkit.appearance.drawings import Difference, Rate
from dealerkit.appearance.numbers import format_count, format_level
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS
from dealerkit.cards.text import SUIT_SYMBOLS, replace_symbols
from dealerkit.charts.panels import ROW, draw_whisker, open_frame
from dealerkit.charts.style import get_color
from dealerkit.errors import ArgumentError, quote
from dealerkit.runtime.process import cached_property
from dealerkit.scoring import (
    LEAD_SCORINGS,
    SCORINGS,
    DeclaredContract,
    check_scoring,
    describe_leaders,
    describe_tie,
)
from dealerkit.statistics import Estimate
from dealerkit.statistics.estimates import list_columns
from dealerkit.studies.frames import tabulate
from dealerkit.studies.leads.gains import LeadGains
from dealerkit.studies.leads.sampling import Lead
from dealerkit.studies.provenance import Cost, Provenance, list_samples, set_samples

if TYPE_CHECKING:
    import pandas as pd

SUITS = ("spades", "hearts", "diamonds", "clubs")
_GAINS = {
    "beats": "the same minus the best of the other leads",
    "tricks": "tricks minus the best of the other leads",
}


@dataclass(frozen=True, eq=False, repr=False)
class LeadStudy(Shown):
    """Opening leads from a hand compared on the same deals, as `dealerkit.lead` returns them.

    Attributes
    ----------
    hand : str
        The leader's hand.
    leader : int
        N E S W = 0..3.
    declared : DeclaredContract
        The contract and its declarer.
    vulnerable : bool
        Declarer's side.
    scoring : str
        How leads are compared: beats, tricks, imps, matchpoints or points.
    leads : tuple of Lead
        In the order of suits and ranks; touching cards are one lead.
    gains : LeadGains
        Counts of tricks after each pair of leads.
    deals : Deals
        The solved deals.
    tricks : ndarray of int8 [m, leads]
        Tricks of the defence after each lead, on the first m deals.
    beaten : ndarray of bool [n, leads]
        Whether each lead beats the contract.
    given : str or None
    provenance : Provenance
        Script, seed, arguments, versions and cost.
    reason : str
        Why the study ended before it reached its precision; "" if it did not.
    order : tuple of int
        Indices of the leads, the best first, by the gain over the best of the others.
    best : Lead
        The lead that ranks first on these deals.
    possibly_best : tuple of Lead
        The leads that may be the best. With the confidence of the study, the best lead is among them.
    n : int
        Number of deals.

    Examples
    --------
    >>> import dealerkit as dk
    >>> study = dk.lead("KJ742.Q93.T85.J6", "3NT by south", produce=5, seed=1)
    >>> len(study.leads), study.beats("S4").n
    (13, 5)
    """

    hand: str
    leader: int
    declared: DeclaredContract
    vulnerable: bool
    scoring: str
    leads: tuple[Lead, ...]
    gains: LeadGains
    deals: Deals
    tricks: np.ndarray
    beaten: np.ndarray
    given: str | None
    provenance: Provenance
    reason: str

    @property
    def n(self) -> int:
        """Number of deals."""
        return self.gains.n

    @property
    def confidence(self) -> float:
        """Confidence level of the intervals."""
        return self.gains.confidence

    @property
    def cost(self) -> Cost:
        """Numbers of deals and solves, and seconds, that the study took."""
        return self.provenance.cost

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Indices of the leads, the best first, by the gain over the best of the others."""
        return tuple(self.gains.find_order(self.scoring).tolist())

    @property
    def best(self) -> Lead:
        """The lead that ranks first on these deals."""
        return self.leads[self.order[0]]

    @cached_property
    def possibly_best(self) -> tuple[Lead, ...]:
        """The leads that may be the best, the first one first.

        With the confidence of the study, the best lead is among them.
        """
        possible = self.gains.find_possibly_best(self.scoring)
        return tuple(self.leads[i] for i in self.order if possible[i])

    @property
    def title(self) -> str:
        """The hand and the contract, in one line."""
        return f"{SEATS[self.leader].capitalize()} leads from {self.hand} against {self.declared}"

    def beats(self, card: str) -> Estimate:
        """Return the probability that a lead beats the contract.

        Parameters
        ----------
        card : str
            ``"SJ"``; any of touching cards.

        Returns
        -------
        Estimate of a share, 0 to 1
        """
        return self._name_samples(self.gains.rate("beats", self._find(card)))

    def mean_tricks(self, card: str) -> Estimate:
        """Return the mean tricks of the defence after a lead.

        Parameters
        ----------
        card : str
            ``"SJ"``; any of touching cards.

        Returns
        -------
        Estimate, 0 to 13 tricks
        """
        return self._name_samples(self.gains.rate("tricks", self._find(card)))

    def gain(self, card: str, other: str | None = None, scoring: str | None = None) -> Estimate:
        """Return the mean gain of a lead over another, on the same deals.

        Without `other`, this is the gain over the best of the other leads, with the interval of the table:
        the intervals of all leads are simultaneous. For two leads it is the interval of a single comparison,
        which is valid for leads that are chosen before the deals are seen.

        Parameters
        ----------
        card : str
            ``"SJ"``; any of touching cards.
        other : str, optional
            By default the best of the other leads by the scoring, whichever it is.
        scoring : str, optional
            By default that of the study. For matchpoints, the gain is the share above one half.

        Raises
        ------
        ArgumentError
            The card is not compared, the scoring is unknown, both leads are the same, or there is only one
            lead.
        """
        measure = check_scoring(self.scoring if scoring is None else scoring, LEAD_SCORINGS)
        if len(self.leads) < 2:
            raise ArgumentError("there is only one lead, so no other to compare it with")
        lead = self._find(card)
        if other is None:
            return self._name_samples(self._list_gains(measure)[lead])
        versus = self._find(other)
        if lead == versus:
            raise ArgumentError(f"{card} and {other} are the same lead, {self.leads[lead].text}")
        return self._name_samples(self.gains.compare(measure, lead, versus))

    def _name_samples(self, estimate: Estimate) -> Estimate:
        return set_samples(estimate, list_samples(self.provenance.seed, None))

    def _list_gains(self, measure: str) -> list[Estimate]:
        """Return the gain of each of `leads` over the best of the others, with simultaneous intervals."""
        found = self.gains.compare_with_best(measure)
        return found.list_estimates(self.gains.size(measure), self.confidence)

    def _find(self, card: str) -> int:
        """Return the index of the lead to which a card belongs."""
        name = _read_card(card)
        for number, each in enumerate(self.leads):
            if each.includes(name):
                return number
        known = ", ".join(each.card for each in self.leads)
        raise ArgumentError(f"{quote(card, 20)} is not one of the leads that are compared: {known}")

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row for each lead, the best first; the index ``lead`` is the highest of touching cards: ``SJ``.

        - cards: ``J-T``; kind: as in `dealerkit.leads`
        - beats: probability of beating the contract; tricks of the defence; both with the ends of their
          intervals (`_lo`, `_hi`)
        - gain: over the best of the other leads in the scoring of the study, with `gain_lo` and
          `gain_hi`; the intervals of all leads are simultaneous
        - matchpoints, imps: the same for these scorings. 0.5 matchpoints are even.
        - possibly_best: whether it may be the best lead: `gain_hi` is not below 0
        """
        possible = self.gains.find_possibly_best(self.scoring)
        measures = {"gain": self.scoring, "matchpoints": "matchpoints", "imps": "imps"}
        gains = {name: self._list_gains(measure) for name, measure in measures.items() if len(self.leads) > 1}
        rows = {}
        for i in self.order:
            each = self.leads[i]
            row: dict[str, Any] = {"cards": each.ranks, "kind": each.kind}
            for name in ("beats", "tricks"):
                row |= list_columns(name, self.gains.rate(name, i))
            for name, estimates in gains.items():
                row |= list_columns(name, estimates[i], 0.5 if name == "matchpoints" else 0)
            rows[each.card] = row | {"possibly_best": bool(possible[i])}
        return tabulate(rows, "lead")

    def to_frame(self) -> pd.DataFrame:
        """Return `frame` with the leads as a column."""
        return self.frame.reset_index()

    @property
    def verdict(self) -> str:
        """Which lead is the best, or which are too close to call, in one sentence."""
        level = format_level(self.confidence)
        names = [lead.text for lead in self.possibly_best]
        if len(self.leads) == 1:
            return f"{self.best.text} is the only lead."
        if len(names) == 1:
            return f"{names[0]} is ahead of all other leads at {level}."
        gain = self._list_gains(self.scoring)[self.leads.index(self.possibly_best[0])]
        if len(names) == len(self.leads):
            return f"All leads are {describe_tie(gain, self.n)}."
        others = [lead.text for lead in self.leads if lead not in self.possibly_best]
        return f"{describe_leaders(names, others, gain, self.n)}."

    def _list_measures(self) -> list[str]:
        """Return the scorings whose gains the table shows, that of the study first."""
        if len(self.leads) < 2:
            return []
        # Board-a-match and matchpoints have the same numbers.
        share = "board-a-match" if self.scoring == "board-a-match" else "matchpoints"
        return list(dict.fromkeys([self.scoring, "imps", share]))

    def card(self) -> Card:
        return Card(
            self.title,
            self.verdict,
            population=self.provenance.describe(),
            about=list(self._describe_sample()),
            tables=[self._build_rates(), *([self._build_gains()] if len(self.leads) > 1 else [])],
            charts=[Chart("leads", partial(plot_leads, self))],
            notes=self._describe_gains(),
            provenance=self.provenance.list_facts(),
            origin=str(self.provenance),
            short_origin=self.provenance.short_origin,
        )

    def _build_rates(self) -> Table:
        """Return a row for each lead, the best first: how often it beats the contract, and its tricks."""
        columns = [
            Column("lead", kind="contract"),
            Column("chance", f"beats {self.declared.contract}, 0 to 100 %", "drawing"),
            Column("beats", f"beats {self.declared.contract}", "share", interval="below"),
            Column("tricks", interval="below"),
        ]
        rows = []
        for i in self.order:
            rate, tricks = self.gains.rate("beats", i), self.gains.rate("tricks", i)
            rows.append([self.leads[i].text, Rate(rate), rate, tricks])
        return Table(columns, rows)

    def _build_gains(self) -> Table:
        """Return a row for each lead: its gain over the best of the other leads in each scoring."""
        measures = [SCORINGS[name] for name in self._list_measures()]
        columns = [
            Column("lead", kind="contract"),
            Column("axis", "difference, deal by deal", "drawing"),
        ]
        columns += [
            Column(
                f"gain_{scoring.name}", scoring.unit, interval="below", sign=True, scale=scoring.scale,
                optional=2 if number else 0,
            )
            for number, scoring in enumerate(measures)
        ]  # fmt: skip
        gains, rows = [self._list_gains(scoring.name) for scoring in measures], []
        for i in self.order:
            found = [estimates[i] for estimates in gains]
            rows.append([self.leads[i].text, Difference(found[0], measures[0].scale), *found])
        return Table(columns, rows, "Gain over the best of the other leads, per deal")

    def _describe_sample(self) -> list[Note]:
        """Return sentences about the origin of the numbers."""
        about: list[Note] = [
            f"{format_count(self.n, 'deal')}, double dummy; {format_level(self.confidence)} intervals."
        ]
        if self.gains.n_tricks < self.n:
            about.append(
                ("Tricks, IMPs and matchpoints are from the first ", Quantity(self.gains.n_tricks, "count"),
                 " of them.")
            )  # fmt: skip
        if self.given:
            about.append(("Given: ", show_condition(self.given), "."))
        if self.reason:
            about.append(f"The study ended early: {self.reason}.")
        return about

    def _describe_gains(self) -> list[Note]:
        """Return a sentence that says what the gains are."""
        if len(self.leads) < 2:
            return []
        level = format_level(self.confidence)
        return [f"Gains are on the same deals; the intervals of a column are simultaneous at {level}."]

    def __repr__(self) -> str:
        return f"<LeadStudy: {self.title}; {format_count(self.n, 'deal')}, {self.best.text} first>"


def _read_card(card: Any) -> str:
    """Return a card such as ``♠10`` or ``st`` as ``ST``."""
    return replace_symbols(str(card).strip()).upper().replace("10", "T")


def plot_leads(study: LeadStudy, ax: Any = None) -> Any:
    """Plot the probability that each lead beats the contract, and its gain over the best of the others.

    The gain of a lead that may be the best, but ranks below the first, is grey.

    Parameters
    ----------
    study : LeadStudy
    ax : matplotlib Axes, optional
        By default of a new figure.

    Returns
    -------
    matplotlib Axes
    """
    # The words
    scoring = SCORINGS[study.scoring]
    scale, unit = scoring.scale, " %" if scoring.scale == 100 else ""
    words = _GAINS.get(scoring.name, f"{scoring.text} over the best of the other leads")
    level = format_level(study.confidence)
    note = "; grey: too close to call" if len(study.possibly_best) > 1 else ""
    with open_frame(ax, height=ROW * len(study.leads) + 2.05) as frame:
        frame.write(
            f"{SEATS[study.leader].capitalize()} leads against {study.declared}",
            f"From {_format_suits(study.hand)}",
            f"{format_count(study.n, 'deal')}, double dummy. Whiskers: {level} intervals, those of gains "
            f"are simultaneous{note}.",
        )
        # Probabilities of beating the contract on the left
        names = [study.leads[i].text for i in study.order]
        chance, gain = frame.add_panels((4, 5))
        rates = [study.gains.rate("beats", i) for i in study.order]
        ends = [end for rate in rates for end in _list_ends(rate, 100)]
        for y, rate in enumerate(rates):
            _draw(chance, rate, y, 100)
        frame.name_rows(chance, names, [get_color(SUITS[study.leads[i].suit]) for i in study.order])
        frame.scale(chance.xaxis, 0, max(*ends, 1e-9), unit=" %")
        # Gains over the best of the other leads on the right
        gains = study._list_gains(study.scoring) if len(study.leads) > 1 else []
        for y, i in enumerate(study.order[: len(gains)]):
            grey = len(study.possibly_best) > 1 and study.leads[i] in study.possibly_best
            _draw(gain, gains[i], y, scale, get_color("rule" if grey else "data"))
        ends = [0.0, *(end for estimate in gains for end in _list_ends(estimate, scale))]
        frame.scale(gain.xaxis, min(*ends, -1e-9), max(*ends, 1e-9), sign=True, unit=unit)
        gain.axvline(0, color=get_color("rule"), linewidth=0.8, zorder=1)
        frame.name_rows(gain, [""] * len(names))
        frame.head(chance, f"beats {study.declared.contract}")
        frame.head(gain, words)
        return frame.ax


def _list_ends(estimate: Estimate, scale: float) -> list[float]:
    """Return the value and the ends of an interval, without those that are unknown."""
    values = (estimate.value, estimate.lo, estimate.hi)
    return [scale * float(value) for value in values if np.isfinite(value)]


def _draw(panel: Any, estimate: Estimate, y: float, scale: float, color: str | None = None) -> None:
    """Draw a value with its interval, if it is known."""
    ends = _list_ends(estimate, scale)
    draw_whisker(panel, ends[0], min(ends), max(ends), y, color)


def _format_suits(hand: str) -> str:
    """Return a hand with the symbols of its suits: ``♠KJ74 ♥Q93 ♦T85 ♣J62``."""
    holdings = zip(SUIT_SYMBOLS, hand.split("."), strict=True)
    return " ".join(f"{symbol}{holding or '–'}" for symbol, holding in holdings)
