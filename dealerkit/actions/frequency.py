"""The actions `frequency` and `bktfreq`: how often an expression has each value, or is in each bucket."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.actions.axes import Axis, TableReport, find_shown
from dealerkit.actions.base import Action, ProducedDeals
from dealerkit.actions.two_way import CrossReport
from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Chart
from dealerkit.appearance.drawings import ShareBar
from dealerkit.appearance.numbers import MINUS, format_count, format_level
from dealerkit.appearance.table import Column, Interval, Table
from dealerkit.compiler.graph import OperationGraph
from dealerkit.language import nodes
from dealerkit.language.printer import to_text
from dealerkit.runtime.process import cached_property
from dealerkit.statistics import Counts, Coverage

if TYPE_CHECKING:
    import pandas as pd

# A function that returns the exact shares of a table's rows, or None if counting them takes longer than a
# budget. The budget is in nanoseconds; None means the default one.
ExactCounter = Callable[[float | None], np.ndarray | None]
MAX_BUCKETS = 10_000  # largest number of rows or columns of a table
EXACT_DECIMALS = 3  # decimals of shares without interval, in per cent
HEIGHT = 4.0  # height of the plot in inches
LEAST_SHARE = 0.0005  # a plot leaves out values at both ends with smaller shares; its caption names them


class FrequencyReport(TableReport):
    """How often an expression has each value, or is in each bucket, of a range.

    Attributes
    ----------
    axis : Axis
        The values or buckets.
    counts : ndarray [shape=(buckets + 2,)]
        Number of deals below the range, in each bucket, and above the range: int64, or float64 sums of
        weights if deals have weights.
    exact : ndarray of float64 [shape=(buckets + 2,)] or None
        The exact probability of each of these, or None if counting takes longer than about half a second.
    slot : int
        Slot of the expression in the graph.
    """

    exact_counter: ExactCounter | None = None  # set by a run that can count exact shares
    text_budget_ns = 0.0  # nanoseconds that counting them for the text may take

    def __init__(
        self,
        label: str | None,
        expression: str,
        axis: Axis,
        tally: Counts,
        confidence: float,
        bucketed: bool,
        slot: int,
        coverage: Coverage = "sample",
    ) -> None:
        super().__init__(label, tally, confidence, bucketed, coverage)
        self.expression, self.axis, self.slot = expression, axis, slot

    @cached_property
    def exact(self) -> np.ndarray | None:
        """The exact probability of each row; None if counting takes too long."""
        if self.coverage == "all" and self.n:
            return self.shares.share
        return None if self.exact_counter is None else self.exact_counter(None)

    @cached_property
    def exact_in_text(self) -> np.ndarray | None:
        """The same as `exact`, but None if counting takes longer than the budget for texts."""
        return None if self.exact_counter is None else self.exact_counter(self.text_budget_ns)

    def shown_rows(self) -> list[int]:
        """Return the rows to show; those below and above the range only if they are not empty."""
        return find_shown(self.counts)

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each value, with the columns count, share, lo, hi, cumulative.

        The index is `value`. The rows low and high, outside the range, are present only if they are not
        empty.
        """
        import pandas as pd

        shares, rows, names = self.shares, self.shown_rows(), self.axis.row_names
        columns = {
            "count": self.counts, "share": shares.share, "lo": shares.lo, "hi": shares.hi,
            "cumulative": np.cumsum(shares.share),
        }  # fmt: skip
        index = pd.Index([names[k] for k in rows], name="value")
        return pd.DataFrame({name: column[rows] for name, column in columns.items()}, index=index)

    def describe_sample(self) -> str:
        """Return the number of deals as text, which says if shares are exact or have no intervals."""
        return (
            self.describe_count() + {"sample": "", "all": ", exact", "part": ", no intervals"}[self.coverage]
        )

    def _text_card(self) -> Card:
        """Return the card for texts, which has exact shares only if they can be counted quickly."""
        return self._build_card(self.exact_in_text)

    @property
    def charts(self) -> list[Chart]:
        """The plot of the shares."""
        return [Chart("shares", lambda ax: plot_frequency(self, ax), HEIGHT)]

    def card(self) -> Card:
        return self._build_card(self.exact)

    def _build_card(self, exact: np.ndarray | None) -> Card:
        """Return the card, with exact shares beside those of the sample unless they are None."""
        if not self.n:
            return Card.empty(("Frequency of ", self.title))
        table = self._build_table(exact if self.coverage == "sample" else None)
        return Card(
            ("Frequency of ", self.title),
            population=[self.describe_sample()],
            tables=[table],
            charts=self.charts,
            is_part=True,
        )

    def _build_table(self, exact: np.ndarray | None) -> Table:
        """Return a table with a row for each value: bar, share, exact share, count, cumulative share."""
        is_sample, shown = self.coverage == "sample", self.shown_rows()
        # Convert to Python's floats, which are formatted several times faster than numpy's.
        table = self.shares
        shares, lows, highs = table.share.tolist(), table.lo.tolist(), table.hi.tolist()
        cumulative, counts, labels = table.share.cumsum().tolist(), self.counts.tolist(), self.axis.labels
        decimals = None if is_sample else EXACT_DECIMALS
        columns = [
            Column("value", kind="label"),
            Column("bar", "share of deals", "drawing"),
            Column("share", kind="share", decimals=decimals, strong=True),
            Column("exact", kind="share", interval="none", like="share", quiet=True),
            Column("count", kind="count", optional=1),
            Column("cumulative", "up to here", "share", like="share", optional=2),
        ]
        rows: list[list[Any]] = []
        for k in shown:
            own = None if exact is None else float(exact[k])
            interval = Interval(shares[k], lows[k], highs[k], False, self.confidence)
            share = interval if is_sample else shares[k]
            drawing = ShareBar(interval if is_sample else Interval(shares[k], -math.inf, math.inf), own)
            counted = None if own is None else Interval(own, own, own, True)
            rows.append([labels[k], drawing, share, counted, counts[k], cumulative[k]])
        order = ["value", "count", "share", "exact", "cumulative", "bar"]
        if exact is None:
            columns, order = [c for c in columns if c.name != "exact"], [n for n in order if n != "exact"]
            rows = [[*row[:3], *row[4:]] for row in rows]
        key = "Whisker: the interval of the share." if is_sample else ""
        key += " Triangle: the exact share." if exact is not None else ""
        return Table(columns, rows, key=key, text_order=order)


class Frequency(Action):
    """The action ``frequency "label" (expression, low, high)``, or with two expressions and ranges."""

    name, accumulated = "frequency", ("tally",)
    n_arguments = 3  # number of arguments for each expression

    def __init__(self, node: nodes.Action, graph: OperationGraph) -> None:
        numbers = [part.value if isinstance(part, nodes.Number) else 0 for part in node.arguments]
        firsts = range(0, len(numbers), self.n_arguments)
        self.axes = tuple(Axis(*numbers[first + 1 : first + self.n_arguments]) for first in firsts)
        for axis in self.axes:
            if axis.n_buckets > MAX_BUCKETS:
                fault = (
                    f"{format_count(axis.n_buckets, 'row')} are too many for a table; count at most "
                    f"{format_count(MAX_BUCKETS)}"
                )
                graph.raise_error(node, fault)
        super().__init__(node, graph)
        for slot, expression, axis in zip(self.slots, self.expressions, self.axes, strict=True):
            if graph.operations[slot].range.real and axis.has_integer_buckets and self.n_arguments == 3:
                graph.raise_error(
                    expression,
                    "frequency counts integers, but this is a real number; use bktfreq with a bucket size",
                )

    def operands(self) -> tuple[nodes.Argument, ...]:
        return self.node.arguments[:: self.n_arguments]

    @property
    def n_cells(self) -> int:
        return math.prod(axis.n_buckets + 2 for axis in self.axes)

    def reset(self) -> None:
        self.tally = Counts(*(axis.bounds() for axis in self.axes))

    def update(self, produced: ProducedDeals) -> None:
        deals = produced.deals
        values = [
            axis.find_positions(produced.check_numbers(slot, expression, finite=False))
            for axis, slot, expression in zip(self.axes, self.slots, self.expressions, strict=False)
        ]
        self.tally.update(values[0] if len(values) == 1 else tuple(values), deals.weight, deals.cluster)

    def report(self, confidence: float, coverage: Coverage = "sample") -> FrequencyReport | CrossReport:
        texts, bucketed = [to_text(node) for node in self.expressions], self.n_arguments == 4
        if len(texts) == 2:
            return CrossReport(self.label, texts, self.axes, self.tally, confidence, bucketed, coverage)
        return FrequencyReport(
            self.label, texts[0], self.axes[0], self.tally, confidence, bucketed, self.slots[0], coverage
        )


class BucketFrequency(Frequency):
    """The action ``bktfreq "label" (expression, low, high, size)``, or with two expressions and buckets."""

    name, n_arguments = "bktfreq", 4


def plot_frequency(report: FrequencyReport, ax: Any = None) -> Any:
    """Plot the share of each value with its interval, and the exact shares if they are known.

    Values at both ends with shares below 0.05 % are left out; the caption names them.
    """
    from dealerkit.charts.panels import open_frame
    from dealerkit.charts.style import get_color, get_share

    with open_frame(ax, height=HEIGHT) as frame:
        is_sample = report.coverage == "sample"
        exact = report.exact if is_sample else None
        rows = list(report.shown_rows())
        highest = report.shares.share if exact is None else np.maximum(report.shares.share, exact)
        kept = _trim(rows, highest)
        labels = [report.axis.labels[k].replace(" ", "") for k in kept]
        about = f"{format_level(report.confidence)} intervals" if is_sample else ""
        frame.write(
            report.title,
            f"share of deals, by {report.expression}"
            if report.expression != report.title
            else "share of deals",
            "; ".join(filter(None, [report.describe_sample(), about, _name_cut(report, rows, kept)])) + ".",
        )
        (panel,) = frame.add_panels(lines=True)
        x, share = np.arange(len(kept)), 100 * report.shares.share[kept]
        panel.bar(x, share, 0.86, color=get_color("data"), alpha=get_share("bar"))
        if is_sample:
            ends = 100 * np.array([report.shares.lo[kept], report.shares.hi[kept]])
            panel.vlines(x, *ends, color=get_color("text"), linewidth=1.1, zorder=3)
        if exact is not None:
            panel.plot(
                x, 100 * exact[kept], color=get_color("exact"), linewidth=1.2, marker="D", markersize=3.6,
                markerfacecolor=get_color("ground"), markeredgewidth=1.1, label="exact", zorder=4,
            )  # fmt: skip
            panel.legend(frameon=False, fontsize=9, labelcolor=get_color("text"))
        frame.name(panel.xaxis, labels, values=[report.axis.marks[k] for k in kept])
        panel.set_xlim(-0.7, len(kept) - 0.3)
        panel.set_xlabel(report.expression if len(report.expression) < 60 else "value")
        frame.number(panel.yaxis, unit=" %")
        panel.set_ylim(bottom=0)
        return frame.ax


def _trim(rows: Sequence[int], share: np.ndarray) -> list[int]:
    """Return the rows from the first to the last whose share is at least `LEAST_SHARE`."""
    large = [place for place, row in enumerate(rows) if share[row] >= LEAST_SHARE]
    return list(rows[large[0] : large[-1] + 1]) if large else list(rows)


def _name_cut(report: FrequencyReport, rows: Sequence[int], kept: Sequence[int]) -> str:
    """Return a phrase that names the values left out; empty if there are none."""
    labels = [label.replace("-", MINUS) for label in report.axis.labels]
    first, last, is_integer = rows.index(kept[0]), rows.index(kept[-1]), report.axis.has_integer_buckets
    parts = []
    for cut, end, words in ((rows[:first], 0, "less"), (rows[last + 1 :], len(labels) - 1, "more")):
        if is_integer and len(cut) > 1 and end in cut:
            parts.append(f"{labels[cut[0 if end else -1]]} or {words}")
        elif cut:
            parts.append(" to ".join(dict.fromkeys((labels[cut[0]], labels[cut[-1]]))))
    return f"values with a share below 0.05 % are left out: {' and '.join(parts)}" if parts else ""
