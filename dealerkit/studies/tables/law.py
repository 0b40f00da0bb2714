"""The law of total tricks: tricks of both sides in their longest suits, compared with their trumps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, Code, Note
from dealerkit.appearance.numbers import format_count, format_estimate, format_level
from dealerkit.appearance.table import Column, Kind, Quantity, Table
from dealerkit.appearance.wording import join_words
from dealerkit.arguments import check_name
from dealerkit.cards.deals import Deals
from dealerkit.charts.panels import open_frame
from dealerkit.charts.style import get_color
from dealerkit.formats.library import Library
from dealerkit.runtime.process import cached_property
from dealerkit.runtime.progress import long_work
from dealerkit.statistics import Estimate
from dealerkit.statistics.intervals import check_confidence
from dealerkit.studies.limits import MIN_DEALS
from dealerkit.studies.provenance import RepeatableResult, repeatable
from dealerkit.studies.sides import (
    DECLARER_TEXTS,
    TRICKS_DECLARERS,
    count_fits,
    find_tricks_of_sides,
    require_tables,
)
from dealerkit.studies.tables.grouped_estimates import GroupedEstimates, GroupRow, tabulate_rows
from dealerkit.studies.tables.solved_source import SolvedSource

if TYPE_CHECKING:
    import pandas as pd

MEASURES = ("tricks minus trumps", "absolute error", "exact", "off by one", "off by two or more")
TIES = {
    "higher": "the higher suit if equal",
    "lower": "the lower suit if equal",
    "better": "the suit with more tricks if equal",
    "mean": "the mean of these suits if equal",
}


@dataclass(frozen=True, eq=False, repr=False)
class LawOfTotalTricks(RepeatableResult):
    """Total tricks against total trumps, as `law_of_total_tricks` returns them.

    Attributes
    ----------
    frame : DataFrame
        A row for each number of `trumps` of both sides (index): mean `tricks` of both sides, `se`, `lo`,
        `hi`, the standard deviation `sd`, `deals`, and their `share` of all deals.
    summary : DataFrame
        Rows ``tricks minus trumps`` and ``absolute error``, which are means, and ``exact``, ``off by one``
        and ``off by two or more``, which are shares of the deals: `value`, `se`, `lo`, `hi`, `n`, `deals`.
    measures : dict
        The rows of `summary`: the `estimate` of each measure and its number of `deals`.
    by_trumps : dict
        The rows of `frame`, by the number of trumps of both sides: `estimate`, `deals`, `sd` and `weight`.
    ties, declarer : str
        The rules.
    deals : int
    confidence : float
    origin : sequence of str
        The parts of `description`; the condition is one of them.
    description : str
        Description of the deals.
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> law = dk.law_of_total_tricks(dk.solved_sample()[:10_000])
    >>> law.frame.loc[[16, 18], ["tricks", "deals"]].round(1)
            tricks  deals
    trumps
    16        16.1   2789
    18        18.0   1533
    """

    measures: Mapping[str, GroupRow]
    by_trumps: Mapping[int, GroupRow]
    ties: str
    declarer: str
    confidence: float
    origin: Sequence[str | Code]

    @cached_property
    def summary(self) -> pd.DataFrame:
        """The measures over all deals as a DataFrame."""
        return tabulate_rows(self.measures, "measure")

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The tricks by trumps of both sides as a DataFrame."""
        frame = tabulate_rows(self.by_trumps, "trumps").rename(columns={"value": "tricks"})
        frame["sd"] = [row.sd for row in self.by_trumps.values()]
        frame["share"] = list(self._find_shares())
        return frame[["tricks", "se", "lo", "hi", "sd", "deals", "share"]]

    def _find_shares(self) -> Iterator[float]:
        """Yield the share of deals with each number of trumps."""
        total = sum(row.weight for row in self.by_trumps.values())
        for row in self.by_trumps.values():
            yield row.weight / total

    @property
    def deals(self) -> int:
        """The number of deals; the deals of a cluster count once."""
        return self.measures["exact"].deals

    @property
    def mean(self) -> Estimate:
        """The mean of tricks minus trumps."""
        return self.measures["tricks minus trumps"].estimate

    @property
    def title(self) -> str:
        """What the table has."""
        return "Law of total tricks"

    @property
    def description(self) -> str:
        """The number of deals, their origin and the condition that they meet."""
        return "".join(self.origin)

    def __repr__(self) -> str:
        mean = self.mean.rounded()
        return (
            f"<LawOfTotalTricks: {format_count(self.deals, 'deal')}, tricks minus trumps {mean}, "
            f"{self.ties} suit>"
        )

    def card(self) -> Card:
        """Return the measures over all deals, and the tricks by total trumps."""
        return Card(
            self.title,
            tables=[self._tabulate_measures(), self._tabulate_trumps()],
            notes=list(self._list_notes()),
            charts=[Chart("law", partial(_draw, self))],
            provenance=self._list_facts(),
        )

    def _tabulate_measures(self) -> Table:
        rows = []
        for name, row in self.measures.items():
            kind: Kind = "value" if name in ("tricks minus trumps", "absolute error") else "share"
            is_difference = name == "tricks minus trumps"
            rows.append([name, Quantity(row.estimate, kind, sign=is_difference)])
        return Table([Column("measure", "", "name"), Column("all deals", interval="within")], rows)

    def _tabulate_trumps(self) -> Table:
        # Intervals are several times wider at the ends than in the middle, so each row has its own decimals.
        columns = [
            Column("trumps", kind="label"),
            Column("tricks", interval="within", by_row=True),
            Column("minus trumps", sign=True, interval="none", by_row=True),
            Column("sd", decimals=2, missing="–"),
            Column("deals", kind="count"),
            Column("share", kind="share", decimals=2),
        ]
        rows = [
            [str(trumps), row.estimate, row.estimate - trumps, row.sd, row.deals, share]
            for (trumps, row), share in zip(self.by_trumps.items(), self._find_shares(), strict=True)
        ]
        return Table(columns, rows, heading="By total trumps")

    def _list_notes(self) -> Iterator[Note]:
        yield (*self.origin, f", double dummy; {format_level(self.confidence)} intervals.")
        yield (
            f"Each side plays its longest suit, {TIES[self.ties]}; tricks of {DECLARER_TEXTS[self.declarer]}."
        )
        if "mean" in (self.ties, self.declarer):
            yield "Tricks may be fractions: exact is less than half a trick off, off by one less than 1.5."


@long_work
@repeatable
def law_of_total_tricks(
    deals: Deals | Library | None = None,
    *,
    ties: str = "higher",
    declarer: str = "better",
    where: str | None = None,
    confidence: float = 0.95,
) -> LawOfTotalTricks:
    """Compare total tricks with total trumps.

    J.-R. Vernes' law says that both sides together, each in its longest suit, take as many tricks as they
    have trumps.

    Parameters
    ----------
    deals : Deals or Library, optional
        Solved deals; a library of any size is read in batches. By default `dealerkit.solved_sample`.
    ties : {"higher", "lower", "better", "mean"}
        Which of several longest suits a side plays: the higher-ranking or the lower-ranking one, the one with
        more tricks, or the mean of their tricks. The mean of the table depends on this rule, which even
        decides whether tricks are fewer or more than trumps.
    declarer : {"better", "mean"}
        The tricks of the hand that takes more (better), or the mean of both hands.
    where : str, optional
        A condition of the dealer language for the deals.
    confidence : float in (0, 1)
        Confidence level of the intervals.

    Returns
    -------
    LawOfTotalTricks

    Raises
    ------
    ArgumentError
        Deals are not solved, there are fewer than 30 deals, or a rule is unknown.
    ScriptError
        The condition is invalid.

    References
    ----------
    J.-R. Vernes, The law of total tricks, The Bridge World 37 (June 1966).
    M. L. Ginsberg, How computers will play bridge, The Bridge World 67 (May 1996).

    Examples
    --------
    >>> law = law_of_total_tricks()
    >>> law.summary.value.round(2).tolist()
    [-0.05, 0.75, 0.4, 0.47, 0.13]
    """
    check_confidence(confidence)
    ties = check_name("rule for ties", ties, tuple(TIES))
    declarer = check_name("declarer", declarer, TRICKS_DECLARERS)
    source = SolvedSource.open(deals, where)
    # Sums of each measure over all deals, and of the tricks by trumps.
    measures = [GroupedEstimates((-26.0, 12.0)), GroupedEstimates((0.0, 26.0))]
    measures += [GroupedEstimates() for _ in range(3)]
    by_trumps = GroupedEstimates((0.0, 26.0))
    for batch in source.batches():
        tricks, trumps = count_totals(batch.deals, ties, declarer)
        # Tricks minus trumps, and the absolute error: none, one, more
        error = tricks - trumps
        off = np.abs(error)
        values = (error, off, off < 0.5, (off >= 0.5) & (off < 1.5), off >= 1.5)
        for measure, each in zip(measures, values, strict=True):
            measure.update(np.zeros(len(error), int), each, batch.weights, batch.clusters)
        by_trumps.update(trumps, tricks, batch.weights, batch.clusters)
    n_deals = sum(part.n for part in by_trumps.groups.values())
    source.check_count(n_deals)
    summary = {name: measure.rows(confidence)[0] for name, measure in zip(MEASURES, measures, strict=True)}
    return LawOfTotalTricks(
        summary, by_trumps.rows(confidence), ties, declarer, confidence, source.describe(n_deals)
    )


def count_totals(deals: Deals, ties: str, declarer: str) -> tuple[np.ndarray, np.ndarray]:
    """Return total tricks and total trumps of each deal, float64 [n] and int64 [n].

    >>> deals = Deals.from_pbn("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432")
    >>> tables = np.zeros((1, 5, 4), np.int8)
    >>> for strain in range(4):
    ...     tables[0, strain, strain % 2 :: 2] = 13
    >>> [each.tolist() for each in count_totals(deals.replace(tables=tables), "higher", "better")]
    [[26.0], [26]]
    """
    length = count_fits(deals)
    tricks = find_tricks_of_sides(require_tables(deals), declarer)[..., :4].astype(float)
    longest = length.max(axis=2, keepdims=True)
    tied = length == longest
    if ties == "better":
        taken = np.where(tied, tricks, -1).max(axis=2)
    elif ties == "mean":
        taken = (tricks * tied).sum(axis=2) / tied.sum(axis=2)
    else:
        suit = tied.argmax(axis=2) if ties == "higher" else 3 - tied[..., ::-1].argmax(axis=2)
        taken = np.take_along_axis(tricks, suit[..., None], axis=2)[..., 0]
    return taken.sum(axis=1), longest.sum(axis=(1, 2), dtype=np.int64)


def _draw(law: LawOfTotalTricks, ax: Any) -> Any:
    """Draw the mean of tricks minus trumps by total trumps, with its interval and standard deviation."""
    # Title and caption.
    large = law.frame.deals >= MIN_DEALS
    table = law.frame[large if large.any() else law.frame.deals > 0]
    mean = format_estimate(law.mean.value, law.mean.lo, law.mean.hi, sign=True).value
    with open_frame(ax, height=4.0) as frame:
        caption = (
            f"{law.description}, double dummy. Each side plays its longest suit, {TIES[law.ties]}; tricks "
            f"of {DECLARER_TEXTS[law.declarer]}. Dots: means with {format_level(law.confidence)} intervals; "
            "no line: the interval is smaller than the dot. Band: mean ± standard deviation of the deals."
        )
        left_out = [str(trumps) for trumps in law.frame.index if trumps not in table.index]
        if left_out:
            caption += f" Left out, with fewer than {MIN_DEALS} deals: {join_words(left_out)} trumps."
        subtitle = "Tricks of both sides minus their trumps, by trumps of both sides"
        frame.write(f"Tricks minus trumps: {mean} on average", subtitle, caption)

        # Band, intervals and means, and the line on which the law holds.
        (panel,) = frame.add_panels(lines=True)
        x = table.index.to_numpy()
        error = (table.tricks - x).to_numpy()
        panel.fill_between(
            x, error - table.sd, error + table.sd, color=get_color("data"), alpha=0.14, linewidth=0
        )
        shown = table[np.isfinite(table.hi - table.lo)]  # a single deal has no interval
        ends = shown.lo - shown.index, shown.hi - shown.index
        panel.vlines(shown.index, *ends, color=get_color("text"), linewidth=1.4, zorder=3)
        panel.plot(x, error, "o", color=get_color("text"), markersize=5, zorder=4)
        panel.axhline(0, color=get_color("rule"), linewidth=0.8, zorder=2)
        panel.annotate(
            "the law", (x[-1], 0), (0, 3), textcoords="offset points", ha="right", va="bottom",
            color=get_color("quiet"),
        )  # fmt: skip

        # Axes.
        panel.set_xlim(x[0] - 0.5, x[-1] + 0.5)
        panel.spines["bottom"].set_bounds(x[0], x[-1])
        frame.number(panel.xaxis, integer=True)
        panel.set_xlabel("trumps of both sides")
        frame.number(panel.yaxis, sign=True)
        return frame.ax
