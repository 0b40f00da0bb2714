"""`frequency` of two expressions: a two-way table of counts and of shares of all deals."""

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

MAX_ROWS = 12  # and columns; rows beyond them are joined where few deals have them
TAIL_SHARE = 0.01  # of all deals, at most, in joined rows


class Side(NamedTuple):
    """Names of the rows of a table, or of its columns, and their marks; see `Axis.marks`."""

    names: list[str]
    marks: range


class CrossReport(TableReport):
    """How often two expressions fall into each pair of buckets: the first down, the second across.

    Attributes
    ----------
    axes : tuple of Axis
    counts : ndarray [shape=(rows + 2, columns + 2)]
        With a row and a column for values below and above the ranges.
    confidence : float
        Of the intervals of `shares`.
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
        return self.label or " by ".join(self.expressions)

    def shown_cells(self) -> tuple[list[int], list[int]]:
        """Return the rows and columns to show: those outside the ranges only where not empty."""
        return find_shown(self.counts.any(axis=1)), find_shown(self.counts.any(axis=0))

    @property
    def frame(self) -> pd.DataFrame:
        """Counts: index value1, columns value2, each from low to high."""
        import pandas as pd

        down, across = (axis.row_names for axis in self.axes)
        return pd.DataFrame(self.counts, pd.Index(down, name="value1"), pd.Index(across, name="value2"))

    def join_table(self) -> tuple[np.ndarray, Side, Side]:
        """Return the counts with joined tails, float64 [rows, columns], and what its rows and columns are."""
        down, over = self.shown_cells()
        table, sides = np.asarray(self.counts, np.float64)[np.ix_(down, over)], []
        for axis, shown in zip(self.axes, (down, over), strict=True):
            joined, names, first = join_tails(table, [axis.labels[k] for k in shown])
            start = axis.marks[shown[first]]
            sides.append(Side(names, range(start, start + len(names))))
            table = joined.T  # after the columns it is as at first
        rows, columns = sides
        return table, rows, columns

    def describe_margin(self) -> str:
        """Return a sentence about the widest interval of the shares; nothing if they have none."""
        if self.coverage != "sample":
            return ""
        margin = 50 * float((self.shares.hi - self.shares.lo).max())
        widest = format_significant(margin, 1)
        return f"{format_level(self.confidence)} intervals are ± {widest} or narrower."

    @property
    def charts(self) -> list[Chart]:
        """The plot, a heat map."""
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
        """Return the shares of all deals in per cent, with sums; tails with few deals are joined."""
        counts, (row_names, _), (column_names, _) = self.join_table()
        share = counts / counts.sum()
        columns = [Column("value1", "", "label")]
        columns += [Column(name, kind="percent", decimals=1) for name in [*column_names, "all"]]
        rows = [[name, *row.tolist(), float(row.sum())] for name, row in zip(row_names, share, strict=True)]
        sums = [*share.sum(axis=0).tolist(), 1.0]
        key = "The stronger the tint, the more deals."
        return Table(columns, [*rows, ["all", *sums]], "% of all deals", key=key, tinted=True)

    def _build_counts(self) -> Table:
        """Return the counts of all cells, with sums."""
        (names, heads), (down, over) = (axis.labels for axis in self.axes), self.shown_cells()
        columns = [Column("value1", "", "label")]
        columns += [Column(name, kind="count") for name in [*(heads[k] for k in over), "sum"]]
        cells, sums = self.counts[np.ix_(down, over)].tolist(), self.counts.sum(axis=1).tolist()
        rows = [[names[k], *row, sums[k]] for k, row in zip(down, cells, strict=True)]
        total = [*self.counts.sum(axis=0)[over].tolist(), self.counts.sum().item()]
        return Table(columns, [*rows, ["sum", *total]], "Counts", is_detail=True)


def join_tails(counts: np.ndarray, names: Sequence[str]) -> tuple[np.ndarray, list[str], int]:
    """Return a table of which the first and the last rows are joined, if it has more than twelve.

    Parameters
    ----------
    counts : ndarray of float64 [shape=(rows, columns)]
    names : sequence of str
        Of the rows.

    Returns
    -------
    ndarray, list of str, int
        Counts and names, and how many rows the first one was joined with. Joined rows hold under 1 % of all
        deals together.

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
    """Plot a two-way table: shares of all deals in per cent, tinted; long tails are joined."""
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
        frame.fill(panel, texts)
        panel.set_xlim(-0.5, n_columns - 0.5)
        panel.set_ylim(n_rows - 0.5, -0.5)
        panel.xaxis.tick_top()
        for axis, given in ((panel.xaxis, columns), (panel.yaxis, rows)):
            frame.name(axis, given.names, values=given.marks)
        panel.tick_params(length=0)
        for side in ("left", "bottom"):
            panel.spines[side].set_visible(False)
        return frame.ax
