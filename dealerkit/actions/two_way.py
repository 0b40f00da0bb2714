"""The action `frequency` with two expressions: a two-way table of counts and shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dealerkit.actions.axes import Axis, TableReport, find_shown
from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart, Code
from dealerkit.appearance.numbers import format_level, format_number, format_significant
from dealerkit.appearance.table import Column, Table
from dealerkit.statistics import Counts, Coverage

if TYPE_CHECKING:
    import pandas as pd

MAX_ROWS = 12  # a table with more rows, or columns, has its first and last ones joined
TAIL_SHARE = 0.01  # largest share of all deals in joined rows at either end


class Side(NamedTuple):
    """The names of a table's rows or columns, and their positions; see `Axis.marks`."""

    names: list[str]
    marks: range


class CrossReport(TableReport):
    """How often two expressions have each pair of values, or are in each pair of buckets.

    Attributes
    ----------
    axes : tuple of Axis
        The values or buckets of the first expression, in rows, and of the second, in columns.
    counts : ndarray [shape=(rows + 2, columns + 2)]
        Number of deals, with a row and a column on each side for values outside the ranges: int64, or float64
        sums of weights if deals have weights.
    confidence : float
        Confidence level of the intervals of `shares`.
    """

    def __init__(
        self,
        label: str | None,
        expressions: list[str],
        axes: tuple[Axis, ...],
        tally: Counts,
        confidence: float,
        bucketed: bool,
        coverage: Coverage = "sample",
    ) -> None:
        super().__init__(label, tally, confidence, bucketed, coverage)
        self.expressions, self.axes = expressions, axes

    @property
    def title(self) -> str:
        """The label of the action, or both expressions."""
        return self.label or " by ".join(self.expressions)

    def shown_cells(self) -> tuple[list[int], list[int]]:
        """Return the rows and the columns to show; those outside the ranges only if they are not empty."""
        return find_shown(self.counts.any(axis=1)), find_shown(self.counts.any(axis=0))

    @property
    def frame(self) -> pd.DataFrame:
        """The counts, with the index `value1` and the columns `value2`, each from low to high."""
        import pandas as pd

        down, across = (axis.row_names for axis in self.axes)
        return pd.DataFrame(self.counts, pd.Index(down, name="value1"), pd.Index(across, name="value2"))

    def join_table(self) -> tuple[np.ndarray, Side, Side]:
        """Return the counts with joined tails, float64 [rows, columns], and names of rows and columns."""
        down, over = self.shown_cells()
        table, sides = np.asarray(self.counts, np.float64)[np.ix_(down, over)], []
        for axis, shown in zip(self.axes, (down, over), strict=True):
            joined, names, first = join_tails(table, [axis.labels[k] for k in shown])
            start = axis.marks[shown[first]]
            sides.append(Side(names, range(start, start + len(names))))
            table = joined.T  # the second transposition restores the order of the axes
        rows, columns = sides
        return table, rows, columns

    def describe_margin(self) -> str:
        """Return a sentence about the widest interval of the shares; empty if they have none."""
        if self.coverage != "sample":
            return ""
        margin = 50 * float((self.shares.hi - self.shares.lo).max())
        widest = format_significant(margin, 1)
        return f"{format_level(self.confidence)} intervals are ± {widest} or narrower."

    @property
    def charts(self) -> list[Chart]:
        """The plot of the shares as a heat map."""
        height = find_height(len(self.join_table()[1].names)) if self.n else 0.0
        return [Chart("shares", lambda ax: plot_two_way(self, ax), height)]

    def card(self) -> Card:
        first, second = map(Code, self.expressions)
        title = ("Frequency of ", *([self.label] if self.label else (first, " by ", second)))
        if not self.n:
            return Card.empty(title)
        return Card(
            title,
            population=[self.describe_count()],
            tables=[self._build_shares(), self._build_counts()],
            charts=self.charts,
            notes=[note for note in ((first, " down, ", second, " across."), self.describe_margin()) if note],
            is_part=True,
        )

    def _build_shares(self) -> Table:
        """Return a table of shares of all deals in per cent, with sums and joined tails."""
        counts, (row_names, _), (column_names, _) = self.join_table()
        share = counts / counts.sum()
        columns = [Column("value1", "", "label")]
        columns += [Column(name, kind="percent", decimals=1) for name in [*column_names, "all"]]
        rows = [[name, *row.tolist(), float(row.sum())] for name, row in zip(row_names, share, strict=True)]
        sums = [*share.sum(axis=0).tolist(), 1.0]
        key = "The stronger the tint, the more deals."
        return Table(columns, [*rows, ["all", *sums]], "% of all deals", key=key, tinted=True)

    def _build_counts(self) -> Table:
        """Return a table of the counts of all cells, with sums."""
        (names, heads), (down, over) = (axis.labels for axis in self.axes), self.shown_cells()
        columns = [Column("value1", "", "label")]
        columns += [Column(name, kind="count") for name in [*(heads[k] for k in over), "sum"]]
        cells, sums = self.counts[np.ix_(down, over)].tolist(), self.counts.sum(axis=1).tolist()
        rows = [[names[k], *row, sums[k]] for k, row in zip(down, cells, strict=True)]
        total = [*self.counts.sum(axis=0)[over].tolist(), self.counts.sum().item()]
        return Table(columns, [*rows, ["sum", *total]], "Counts", is_detail=True)


def join_tails(counts: np.ndarray, names: Sequence[str]) -> tuple[np.ndarray, list[str], int]:
    """Join the first rows of a table, and its last rows, if it has more than twelve.

    Parameters
    ----------
    counts : ndarray of float64 [shape=(rows, columns)]
        Numbers of deals.
    names : sequence of str
        Names of the rows.

    Returns
    -------
    counts : ndarray of float64 [shape=(rows, columns)]
        The table with joined rows, which have less than 1 % of all deals at either end.
    names : list of str
        Names of its rows.
    first : int
        Number of rows that are joined with the row after them at the beginning.

    Examples
    --------
    >>> counts = np.array([1.0, 2] + [900.0] * 12 + [3, 1])[:, None]
    >>> joined, names, first = join_tails(counts, [str(value) for value in range(16)])
    >>> names[0], names[-1], joined[[0, -1], 0].tolist(), first
    ('≤ 1', '≥ 14', [3.0, 4.0], 1)
    """
    names, limit = list(names), TAIL_SHARE * counts.sum()
    if len(names) <= MAX_ROWS:
        return counts, names, 0
    sums = counts.sum(axis=1)
    first = max(int(np.searchsorted(sums.cumsum(), limit)) - 1, 0)
    last = len(names) - 1 - max(int(np.searchsorted(sums[::-1].cumsum(), limit)) - 1, 0)
    if last - first < 2:
        return counts, names, 0
    low, high = names[first], names[last]
    ends = f"≤ {low}" if first else low, f"≥ {high}" if last < len(names) - 1 else high
    joined = [counts[: first + 1].sum(axis=0), *counts[first + 1 : last], counts[last:].sum(axis=0)]
    return np.array(joined), [ends[0], *names[first + 1 : last], ends[1]], first


def find_height(n_rows: int) -> float:
    """Return the height of a plot of a two-way table in inches."""
    return min(1.6 + 0.3 * n_rows, 6.0)


def plot_two_way(report: CrossReport, ax: Any = None) -> Any:
    """Plot a two-way table as a heat map of shares of all deals in per cent; long tails are joined."""
    from matplotlib.colors import to_rgba

    from dealerkit.charts.panels import open_frame
    from dealerkit.charts.style import get_color, get_share

    counts, rows, columns = report.join_table()
    with open_frame(ax, height=find_height(len(rows.names))) as frame:
        share = 100 * counts / counts.sum()
        first, second = report.expressions
        frame.write(
            report.title,
            f"{first} down, {second} across; % of all deals",
            "; ".join(filter(None, [report.describe_count(), report.describe_margin()])),
        )
        (panel,) = frame.add_panels()
        n_rows, n_columns = share.shape
        tints = [
            to_rgba(get_color("data"), tint) for tint in (get_share("heat-top") * share / share.max()).flat
        ]
        edges = np.arange(n_columns + 1) - 0.5, np.arange(n_rows + 1) - 0.5
        panel.pcolormesh(*edges, np.zeros_like(share), linewidth=0).set(array=None, facecolors=tints)
        texts = []
        for (row, column), value in np.ndenumerate(share):
            text = "0" if not value else "<0.1" if value < 0.05 else format_number(float(value), 1)
            texts.append(panel.text(column, row, text, ha="center", va="center_baseline", clip_on=True))
        most = format_number(float(share.max()), 1)
        frame.fill(panel, texts, note=f"Tints: 0 to {most} %.")
        panel.set_xlim(-0.5, n_columns - 0.5)
        panel.set_ylim(n_rows - 0.5, -0.5)
        panel.xaxis.tick_top()
        for axis, given in ((panel.xaxis, columns), (panel.yaxis, rows)):
            frame.name(axis, given.names, values=given.marks)
        panel.tick_params(length=0)
        for side in ("left", "bottom"):
            panel.spines[side].set_visible(False)
        return frame.ax
