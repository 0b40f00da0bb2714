"""Averages and frequencies, in one and two dimensions: the actions and their reports."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.actions.axes import Axis
from dealerkit.actions.base import Action, ProducedDeals, Report
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.value_range import find_value_range
from dealerkit.language import nodes
from dealerkit.language.printer import to_text
from dealerkit.statistics import Counts, Coverage, Estimate, Moments, ShareTable
from dealerkit.statistics.coverage import estimate_mean, estimate_sd, estimate_share, tabulate_shares
from dealerkit.statistics.rare_values import ANY_VALUE, ValueRange

if TYPE_CHECKING:
    import pandas as pd

# Returns the exact shares of the rows of a table, or None where they take more than a budget to count.
# The budget is in nanoseconds; None means the default one.
ExactCounter = Callable[[float | None], np.ndarray | None]
MAX_BUCKETS = 10_000  # rows or columns of a table


class AverageReport(Report):
    """Mean of an expression over the produced deals.

    Attributes
    ----------
    mean : Estimate
        Its interval is that of `Moments.mean`, or of `proportion` for a truth value, whose mean is a share;
        it is clustered by shuffle under swapping. Exact after a run on all deals that there are.
    sd : float
        Sample standard deviation (divisor n - 1), or that of all deals (divisor n).
    truth : bool
        The expression is true or false, or another integer from 0 to 1.
    values : ValueRange
        The values that are possible.
    minimum, maximum : float or None
        The least and the greatest value among the deals; None without deals.
    natural : Estimate or None
        The mean at the natural frequencies of the hand types, where `level` sets their shares; `mean` is
        that of the levelled deals.
    """

    def __init__(
        self,
        label: str | None,
        expression: str,
        moments: Moments,
        confidence: float,
        truths: Counts | None = None,
        coverage: Coverage = "sample",
        values: ValueRange = ANY_VALUE,
    ) -> None:
        self.label, self.expression, self.truth = label, expression, truths is not None
        self.n, self._moments, self.coverage, self.values = moments.n, moments, coverage, values
        self.minimum, self.maximum = moments.minimum, moments.maximum
        self.natural: Estimate | None = None
        self.mean: Estimate = (
            estimate_share(truths, 1, confidence, coverage)
            if truths is not None and truths.n
            else estimate_mean(moments, confidence, coverage, values)
        )

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return estimate_sd(self._moments, self.coverage)

    @property
    def frame(self) -> pd.DataFrame:
        """One row: label, n, mean, sd, se, lo, hi; under `level` also natural, natural_lo, natural_hi."""
        import pandas as pd

        mean, natural = self.mean, self.natural
        row = (self.title, self.n, mean.value, self.sd, mean.se, mean.lo, mean.hi)
        frame = pd.DataFrame([row], columns=["label", "n", "mean", "sd", "se", "lo", "hi"])
        if natural is not None:
            frame = frame.assign(natural=natural.value, natural_lo=natural.lo, natural_hi=natural.hi)
        return frame


class Average(Action):
    """``average "label" expression``."""

    name, accumulated = "average", ("moments", "truths")

    def reset(self) -> None:
        bounds = self.graph.operations[self.slots[0]].range
        truth = not bounds.real and (bounds.low, bounds.high) == (0, 1)
        self.moments = Moments()
        self.truths = Counts((0, 1)) if truth else None

    def update(self, produced: ProducedDeals) -> None:
        deals, values = produced.deals, produced.check_numbers(self.slots[0], self.expressions[0])
        self.moments.update(values, deals.weight, deals.cluster)
        if self.truths is not None:
            self.truths.update(values, deals.weight, deals.cluster)

    def merge(self, other: Action) -> None:
        assert isinstance(other, Average)
        self.moments.merge(other.moments)
        if self.truths is not None and other.truths is not None:
            self.truths.merge(other.truths)

    def report(self, confidence: float, coverage: Coverage = "sample") -> AverageReport:
        expression = to_text(self.expressions[0])
        values = find_value_range(self.graph.operations, self.slots[0])
        return AverageReport(self.label, expression, self.moments, confidence, self.truths, coverage, values)


class TableReport(Report):
    """A table of counts; `bucketed` if the script gives the size of its buckets."""

    def __init__(
        self, label: str | None, tally: Counts, confidence: float, bucketed: bool, coverage: Coverage
    ) -> None:
        self.confidence, self.coverage = confidence, coverage
        self.label, self.tally, self.bucketed, self.n = label, tally, bucketed, tally.n

    @property
    def counts(self) -> np.ndarray:
        """Counts as int64, or sums of weights as float64 where deals have weights."""
        cells = self.tally.table
        return cells if np.array_equal(self.tally.weights, cells) else self.tally.weights

    @cached_property
    def shares(self) -> ShareTable:
        """Share of each cell of `counts`, with intervals; exact after a run on all deals."""
        return tabulate_shares(self.tally, self.confidence, self.coverage)


def find_shown(filled: Any) -> list[int]:
    """Return the positions to show: the first and the last, outside the range, only where filled."""
    return [k for k in range(len(filled)) if 0 < k < len(filled) - 1 or filled[k]]


class FrequencyReport(TableReport):
    """How often an expression falls into each bucket of a range.

    Attributes
    ----------
    axis : Axis
    counts : ndarray [shape=(buckets + 2,)]
        Below the range, in each bucket, above the range; weighted where deals have weights.
    exact : ndarray of float64 [shape=(buckets + 2,)] or None
        The probability of each row, where it can be counted in about half a second.
    slot : int
        Slot of the expression.
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
        """Probability of each row, or None where it takes too long to count."""
        if self.coverage == "all" and self.n:
            return self.shares.share
        return None if self.exact_counter is None else self.exact_counter(None)

    @cached_property
    def exact_in_text(self) -> np.ndarray | None:
        """`exact` where it can be counted within the budget of the run's text; else None."""
        return None if self.exact_counter is None else self.exact_counter(self.text_budget_ns)

    def shown_rows(self) -> list[int]:
        """Return the rows to show: those below and above the range only where not empty."""
        return find_shown(self.counts)

    @property
    def frame(self) -> pd.DataFrame:
        """Index `value`; columns count, share, lo, hi, cumulative. Rows low and high only where not empty."""
        import pandas as pd

        shares, rows, names = self.shares, self.shown_rows(), self.axis.row_names
        columns = {
            "count": self.counts, "share": shares.share, "lo": shares.lo, "hi": shares.hi,
            "cumulative": np.cumsum(shares.share),
        }  # fmt: skip
        index = pd.Index([names[k] for k in rows], name="value")
        return pd.DataFrame({name: column[rows] for name, column in columns.items()}, index=index)


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


class Frequency(Action):
    """``frequency "label" (expression, low, high)``, or with two expressions and their ranges."""

    name, accumulated = "frequency", ("tally",)
    n_arguments = 3  # arguments of a dimension

    def __init__(self, node: nodes.Action, graph: OperationGraph) -> None:
        numbers = [part.value if isinstance(part, nodes.Number) else 0 for part in node.arguments]
        firsts = range(0, len(numbers), self.n_arguments)
        self.axes = tuple(Axis(*numbers[first + 1 : first + self.n_arguments]) for first in firsts)
        for axis in self.axes:
            if axis.n_buckets > MAX_BUCKETS:
                fault = f"{axis.n_buckets:,} rows are no table; count at most {MAX_BUCKETS:,}"
                graph.raise_error(node, fault)
        super().__init__(node, graph)
        for slot, expression, axis in zip(self.slots, self.expressions, self.axes, strict=True):
            if graph.operations[slot].range.real and axis.has_integer_buckets and self.n_arguments == 3:
                graph.raise_error(
                    expression,
                    "frequency counts integers and this is a real number; use bktfreq with a bucket size",
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

    def merge(self, other: Action) -> None:
        assert isinstance(other, Frequency)
        self.tally.merge(other.tally)

    def report(self, confidence: float, coverage: Coverage = "sample") -> FrequencyReport | CrossReport:
        texts, bucketed = [to_text(node) for node in self.expressions], self.n_arguments == 4
        if len(texts) == 2:
            return CrossReport(self.label, texts, self.axes, self.tally, confidence, bucketed, coverage)
        return FrequencyReport(
            self.label, texts[0], self.axes[0], self.tally, confidence, bucketed, self.slots[0], coverage
        )


class BucketFrequency(Frequency):
    """``bktfreq "label" (expression, low, high, size)``, or with two expressions and their buckets."""

    name, n_arguments = "bktfreq", 4
