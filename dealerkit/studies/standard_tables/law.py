"""The law of total tricks: tricks of both sides in their longest suits, against their trumps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.latex import Section
from dealerkit.appearance.numbers import choose_decimals, format_number
from dealerkit.arguments import check_name
from dealerkit.cards.deals import Deals
from dealerkit.formats.library import Library
from dealerkit.statistics import Estimate, Moments
from dealerkit.statistics.intervals import check_confidence
from dealerkit.studies.results import StudyResult
from dealerkit.studies.sides import (
    DECLARER_TEXTS,
    DECLARERS,
    count_fits,
    find_tricks_of_sides,
    require_tables,
)
from dealerkit.studies.standard_tables.cell_texts import (
    TIES,
    format_cell,
    format_shares,
)
from dealerkit.studies.standard_tables.grouped_estimates import GroupedEstimates
from dealerkit.studies.standard_tables.solved_source import SolvedSource

if TYPE_CHECKING:
    import pandas as pd

MEASURES = ("tricks less trumps", "absolute error", "exact", "off by one", "off by two or more")


@dataclass(frozen=True, eq=False, repr=False)
class LawOfTotalTricks(StudyResult):
    """Total tricks against total trumps, as `law_of_total_tricks` returns them.

    Attributes
    ----------
    frame : DataFrame
        A row for each number of `trumps` of both sides (index): mean `tricks` of both sides, `se`, `lo`,
        `hi`, the standard deviation `sd`, `deals`, and their `share` of all deals.
    summary : DataFrame
        Rows ``tricks less trumps`` and ``absolute error``, means, and ``exact``, ``off by one`` and ``off by
        two or more``, shares of the deals: `value`, `se`, `lo`, `hi`, `n`, `deals`.
    ties, declarer : str
        The rules.
    deals : int
    confidence : float
    description : str
        Of the deals.

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

    frame: pd.DataFrame
    summary: pd.DataFrame
    ties: str
    declarer: str
    deals: int
    confidence: float
    description: str

    def to_frame(self) -> pd.DataFrame:
        """Return the table by total trumps, with these as a column."""
        return self.frame.reset_index()

    @property
    def mean(self) -> Estimate:
        """The mean of tricks less trumps."""
        return self._find("tricks less trumps")

    def _find(self, name: str) -> Estimate:
        row = self.summary.loc[name]
        value, se, lo, hi = map(float, (row.value, row.se, row.lo, row.hi))
        return Estimate(value, se, lo, hi, int(row.n), self.confidence)

    @property
    def title(self) -> str:
        """What the table has."""
        return "Law of total tricks"

    def __repr__(self) -> str:
        mean = self.mean.rounded()
        return f"<LawOfTotalTricks: {self.deals:,} deals, tricks less trumps {mean}, {self.ties} suit>"

    def _sections(self) -> Iterator[Section]:
        """Yield the summary, and the table by total trumps."""
        means, shares = self.summary[:2], self.summary[2:]
        cells = [format_cell(row, sign) for row, sign in zip(means.itertuples(), (True, False), strict=True)]
        yield (
            "",
            [["", "all deals"], *map(list, zip(MEASURES, [*cells, *format_shares(shares)], strict=True))],
        )
        rows = [["trumps", "tricks", "less trumps", "sd", "deals", "share"]]
        for trumps, row in self.frame.rename(columns={"tricks": "value"}).iterrows():
            number = format_cell(row)
            sd = "–" if np.isnan(row.sd) else f"{row.sd:.2f}"
            decimals = choose_decimals(row.value, row.lo, row.hi)
            less = format_number(row.value - trumps, decimals, sign=True, ascii=True)
            rows.append([str(trumps), number, less, sd, f"{int(row.deals):,}", f"{100 * row.share:.2f} %"])
        yield "By total trumps", rows

    def _notes(self) -> Iterator[str]:
        yield f"{self.description}, double dummy; {100 * self.confidence:g} % intervals."
        yield (
            f"Each side plays its longest suit, {TIES[self.ties]}; tricks of {DECLARER_TEXTS[self.declarer]}."
        )
        if "mean" in (self.ties, self.declarer):
            yield "Tricks may be fractions: exact is less than half a trick off, off by one less than 1.5."

    def plot(self, ax: Any = None) -> Any:
        """Plot mean tricks less trumps by total trumps.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes of the plot; by default of a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from dealerkit.plots.law import plot_law

        return plot_law(self, ax)


def law_of_total_tricks(
    deals: Deals | Library | None = None,
    *,
    ties: str = "higher",
    declarer: str = "better",
    where: str | None = None,
    confidence: float = 0.95,
) -> LawOfTotalTricks:
    """Compare total tricks with total trumps.

    J.-R. Vernes' law: both sides together, each in its longest suit, take as many tricks as they have trumps.

    Parameters
    ----------
    deals : Deals or Library, optional
        Solved deals; a library of any size is read in batches. By default `dealerkit.solved_sample`.
    ties : {"higher", "lower", "better", "mean"}
        The suit of a side with several longest suits: the higher or the lower one (spades are the highest),
        that with more tricks, or the mean of their tricks. The mean depends on this rule: it decides
        whether tricks are fewer than trumps, or more.
    declarer : {"better", "mean"}
        The tricks of the hand that takes more, or the mean of both hands.
    where : str, optional
        A condition of the dealer language for the deals.
    confidence : float in (0, 1)
        Of the intervals.

    Returns
    -------
    LawOfTotalTricks

    Raises
    ------
    ArgumentError
        Deals that are not solved, fewer than 30 deals, an unknown rule.
    ScriptError
        An invalid condition.

    References
    ----------
    J.-R. Vernes, The law of total tricks, The Bridge World 37 (June 1966).
    M. L. Ginsberg, How computers will play bridge, The Bridge World 67 (May 1996).

    Examples
    --------
    >>> law = law_of_total_tricks()
    >>> law.summary.value.round(2).tolist()
    [-0.06, 0.75, 0.4, 0.47, 0.13]
    """
    check_confidence(confidence)
    ties = check_name("rule for ties", ties, tuple(TIES))
    declarer = check_name("declarer", declarer, DECLARERS)
    source = SolvedSource.open(deals, where)
    measures = [GroupedEstimates((-26.0, 12.0)), GroupedEstimates((0.0, 26.0))]
    measures += [GroupedEstimates() for _ in range(3)]
    by_trumps = GroupedEstimates((0.0, 26.0))
    for batch in source.batches():
        tricks, trumps = count_totals(batch.deals, ties, declarer)
        error = tricks - trumps
        off = np.abs(error)
        values = (error, off, off < 0.5, (off >= 0.5) & (off < 1.5), off >= 1.5)
        for measure, each in zip(measures, values, strict=True):
            measure.update(np.zeros(len(error), int), each, batch.weights, batch.clusters)
        by_trumps.update(trumps, tricks, batch.weights, batch.clusters)
    n_deals = sum(part.n for part in by_trumps.groups.values())
    source.check_count(n_deals)
    return _build_law(measures, by_trumps, ties, declarer, confidence, source.describe(n_deals))


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


def _build_law(
    measures: list[GroupedEstimates],
    by_trumps: GroupedEstimates,
    ties: str,
    declarer: str,
    confidence: float,
    description: str,
) -> LawOfTotalTricks:
    """Return the tables of the accumulated values."""
    import pandas as pd

    summary = pd.concat([measure.frame(confidence) for measure in measures])
    summary.index = pd.Index(MEASURES, name="measure")
    frame = by_trumps.frame(confidence).rename(columns={"value": "tricks"}).rename_axis("trumps")
    groups = {trumps: part for trumps, part in by_trumps.groups.items() if isinstance(part, Moments)}
    total = sum(part.total_weight for part in groups.values())
    frame["sd"] = [groups[trumps].sd for trumps in frame.index]
    frame["share"] = [groups[trumps].total_weight / total for trumps in frame.index]
    frame = frame[["tricks", "se", "lo", "hi", "sd", "deals", "share"]]
    n_deals = int(summary.deals.iloc[0])
    return LawOfTotalTricks(frame, summary, ties, declarer, n_deals, confidence, description)
