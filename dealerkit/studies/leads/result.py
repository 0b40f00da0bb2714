"""The result of a study of opening leads: table, text, HTML, plot."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.latex import Section
from dealerkit.errors import ArgumentError
from dealerkit.scoring import LEAD_SCORINGS, check_scoring
from dealerkit.statistics import Estimate
from dealerkit.studies.leads import html, text
from dealerkit.studies.leads.fields import LeadData
from dealerkit.studies.results import StudyResult, list_columns

if TYPE_CHECKING:
    import pandas as pd


class LeadStudy(LeadData, StudyResult):
    """Opening leads from a hand compared on the same deals, as `dealerkit.lead` returns them.

    Attributes
    ----------
    hand : str
        The leader's.
    leader : int
        N E S W = 0..3.
    declared : DeclaredContract
        The contract and its declarer.
    vulnerable : bool
        Declarer's side.
    scoring : str
        By which leads are compared: beats, tricks, imps, matchpoints or points.
    leads : tuple of Lead
        In order of suits and ranks; touching cards are one lead.
    gains : LeadGains
        Counts of tricks after each pair of leads.
    deals : Deals
        The deals that were solved.
    tricks : ndarray of int8 [m, leads]
        Of the defence after each lead, on the first m deals.
    beaten : ndarray of bool [n, leads]
        Whether each lead beats the contract.
    given : str or None
    provenance : Provenance
        Script, seed, arguments, versions and cost.
    reason : str
        Why the study ended before its precision; "" if it did not.
    order : tuple of int
        Indices of the leads, the best first: by the mean gain over all others.
    best : Lead
        The lead that is first on these deals.
    possibly_best : tuple of Lead
        The leads that cannot be distinguished from the best. With the confidence of the study the best lead
        is among them.
    n : int
        Number of deals.

    Examples
    --------
    >>> import dealerkit as dk
    >>> study = dk.lead("KJ742.Q93.T85.J6", "3NT by south", produce=5, seed=1)
    >>> len(study.leads), study.beats("S4").n
    (13, 5)
    """

    def beats(self, card: str) -> Estimate:
        """Return the chance that a lead beats the contract.

        Parameters
        ----------
        card : str
            ``"SJ"``; any of touching cards.

        Returns
        -------
        Estimate of a share, 0 to 1
        """
        return self.gains.rate("beats", self._find(card))

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
        return self.gains.rate("tricks", self._find(card))

    def gain(self, card: str, other: str | None = None, scoring: str | None = None) -> Estimate:
        """Return the mean gain of a lead over another, on the same deals.

        Parameters
        ----------
        card : str
            ``"SJ"``; any of touching cards.
        other : str, optional
            By default the best other lead.
        scoring : str, optional
            By default that of the study. Matchpoints are the share above one half.

        Raises
        ------
        ArgumentError
            A card that is not compared, an unknown scoring, the same lead twice, or a single lead.
        """
        measure = check_scoring(self.scoring if scoring is None else scoring, LEAD_SCORINGS)
        if len(self.leads) < 2:
            raise ArgumentError("there is a single lead, and no other to compare it with")
        lead = self._find(card)
        versus = int(self.gains.find_best_others(self.scoring)[lead]) if other is None else self._find(other)
        if lead == versus:
            raise ArgumentError(f"{card} and {other} are the same lead, {self.leads[lead].text}")
        return self.gains.compare(measure, lead, versus)

    def _find(self, card: str) -> int:
        """Return the index of the lead to which a card belongs."""
        name = text.read_card(card)
        for number, each in enumerate(self.leads):
            if each.includes(name):
                return number
        known = ", ".join(each.card for each in self.leads)
        raise ArgumentError(f"{card!r:.20} is none of the leads that are compared: {known}")

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row for each lead, the best first; index ``lead``, the highest of touching cards: ``SJ``.

        - cards: ``J-T``; kind: as in `dealerkit.leads`
        - beats: chance to beat the contract; tricks: of the defence; with the ends of their intervals
          (`_lo`, `_hi`)
        - gain: over the best other lead in the scoring of the study, with `gain_lo` and `gain_hi`; the first
          lead's is over the second
        - matchpoints, imps: against the best other lead, with the ends of their intervals. 0.5 matchpoints
          are even.
        - possibly_best: not distinguished from the best lead
        """
        import pandas as pd

        possible = self.gains.find_possibly_best(self.scoring)
        others = self.gains.find_best_others(self.scoring)
        rows = []
        for i in self.order:
            each = self.leads[i]
            row: dict[str, Any] = {"lead": each.card, "cards": each.ranks, "kind": each.kind}
            for name in ("beats", "tricks"):
                row |= list_columns(name, self.gains.rate(name, i))
            if len(self.leads) > 1:
                versus = int(others[i])
                row |= list_columns("gain", self.gains.compare(self.scoring, i, versus))
                row |= list_columns("matchpoints", self.gains.compare("matchpoints", i, versus), 0.5)
                row |= list_columns("imps", self.gains.compare("imps", i, versus))
            rows.append(row | {"possibly_best": bool(possible[i])})
        return pd.DataFrame(rows).set_index("lead")

    def to_frame(self) -> pd.DataFrame:
        """Return `frame` with the leads as a column."""
        return self.frame.reset_index()

    @property
    def verdict(self) -> str:
        """Which lead is the best, or which cannot be distinguished, in one sentence."""
        return text.describe_verdict(self)

    @property
    def text(self) -> str:
        """The table as text."""
        return text.format_study(self)

    def __repr__(self) -> str:
        return f"<LeadStudy: {self.title}; {self.n:,} deals, {self.best.text} first>"

    def _sections(self) -> list[Section]:
        return [("", text.lead_rows(self))]

    def _notes(self) -> Iterator[str]:
        yield from text.describe_sample(self)
        yield text.describe_verdict(self)

    def _render(self) -> str:
        return html.render_study(self)

    def plot(self, ax: Any = None) -> Any:
        """Plot the chance of each lead to beat the contract, and its gain over the best one.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes in which the panels lie, as its ``child_axes``; by default of a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from dealerkit.plots.leads import plot_leads

        return plot_leads(self, ax)
