"""Actions that count: average and frequency, in one and two dimensions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dealerkit.actions.base import Action, ProducedDeals, Report
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import TOLERANCE
from dealerkit.language import nodes
from dealerkit.language.printer import to_text
from dealerkit.statistics import Counts, Estimate, Moments, ShareTable

if TYPE_CHECKING:
    import pandas as pd

# Exact shares of the rows of a table, if they can be counted in so many nanoseconds; None: in a moment.
Curve = Callable[[float | None], np.ndarray | None]
MOST_BUCKETS = 10_000  # rows or columns of a table that somebody reads


def whole_numbers(tally: Counts) -> np.ndarray:
    """The cells of a table: int64 counts, or float64 sums where deals carry weights."""
    return tally.table if np.array_equal(tally.weights, tally.table) else tally.weights


class AverageReport(Report):
    """Mean of an expression over the produced deals.

    Attributes
    ----------
    mean : Estimate
        With a Student t interval; of a truth value, whose mean is a share, with Wilson's; clustered by
        shuffle under swapping.
    sd : float
        Sample standard deviation (divisor n - 1).
    truth : bool
        The expression is true or false, or another integer from 0 to 1.
    """

    def __init__(
        self, label: str | None, expression: str, moments: Moments, level: float, truths: Counts | None = None
    ) -> None:
        self.label, self.expression, self.moments = label, expression, moments
        share = truths is not None and truths.n > 0
        self.mean: Estimate = truths.share(1, level=level) if share and truths else moments.mean(level)
        self.truth = truths is not None

    @property
    def title(self) -> str:
        return self.label or self.expression

    @property
    def n(self) -> int:
        return self.moments.n

    @property
    def sd(self) -> float:
        return self.moments.sd

    @property
    def frame(self) -> pd.DataFrame:
        """One row: label, n, mean, sd, se, lo, hi."""
        import pandas as pd

        mean = self.mean
        row = {
            "label": self.title,
            "n": self.n,
            "mean": mean.value,
            "sd": self.sd,
            "se": mean.se,
            "lo": mean.lo,
            "hi": mean.hi,
        }
        return pd.DataFrame([row])


class Average(Action):
    """``average "label" expression``."""

    name = "average"

    def start(self) -> None:
        bounds = self.graph.operations[self.slots[0]].range
        truth = not bounds.real and (bounds.low, bounds.high) == (0, 1)
        self.moments = Moments()
        self.truths = Counts((0, 1)) if truth else None

    def update(self, produced: ProducedDeals) -> None:
        deals, values = produced.deals, produced.values(self.slots[0])
        self.moments.update(values, deals.weight, deals.cluster)
        if self.truths is not None:
            self.truths.update(values, deals.weight, deals.cluster)

    def merge(self, other: Action) -> None:
        assert isinstance(other, Average)
        self.moments.merge(other.moments)
        if self.truths is not None and other.truths is not None:
            self.truths.merge(other.truths)

    def report(self, level: float) -> AverageReport:
        return AverageReport(self.label, to_text(self.expressions[0]), self.moments, level, self.truths)


class Axis(NamedTuple):
    """Buckets of a frequency: [low, low + size), [low + size, low + 2 size) ...

    The last one begins at `high` or before. `frequency` has size 1, one integer to a bucket.
    """

    low: float
    high: float
    size: float = 1

    @property
    def buckets(self) -> int:
        """How many."""
        return 1 + int((self.high - self.low) / self.size + TOLERANCE)

    @property
    def starts(self) -> list:
        """Where each bucket begins."""
        return [self.low + round(k * self.size, 9) for k in range(self.buckets)]

    @property
    def names(self) -> list:
        """Row names of a frame: low, the buckets, high."""
        return ["low", *self.starts, "high"]

    @property
    def words(self) -> list[str]:
        """Row names for people."""
        starts = [f"{start:g}" for start in self.starts]
        above = (
            f"> {starts[-1]}"
            if self.size == 1 and isinstance(self.low, int)
            else f"≥ {self.starts[-1] + self.size:g}"
        )
        return [f"< {starts[0]}", *starts, above]

    @property
    def plain(self) -> bool:
        """One integer to a bucket."""
        return self.size == 1 and isinstance(self.low, int)

    def bounds(self) -> tuple[int, int]:
        """Range of `position`."""
        return (int(self.low), int(self.high)) if self.plain else (0, self.buckets - 1)

    def cell(self, values: np.ndarray) -> np.ndarray:
        """Rows [n] of the table that values fall into: 0 below the range, then the buckets, then above."""
        low, high = self.bounds()
        position = np.asarray(self.position(np.asarray(values)), np.int64)
        return np.clip(position, low - 1, high + 1) - (low - 1)

    def position(self, values: np.ndarray) -> np.ndarray:
        """Integers [n] to count: the values themselves, or the numbers of their buckets."""
        if self.plain:
            return np.floor(values + TOLERANCE).astype(np.int64) if values.dtype.kind == "f" else values
        return np.floor((values.astype(np.float64) - self.low) / self.size + TOLERANCE).astype(np.int64)


class FrequencyReport(Report):
    """How often an expression falls into each bucket of a range.

    Attributes
    ----------
    axis : Axis
    counts : ndarray [shape=(buckets + 2,)]
        Below the range, in each bucket, above the range; weighted where deals carry weights.
    exact : ndarray of float64 [shape=(buckets + 2,)] or None
        The probability of each row, where a run knows how to count it and that takes a moment only.
    slot : int
        Of the expression.
    """

    curve: Curve | None = None  # a run sets it: the exact shares, if they can be had in so many ns
    at_once = 0.0  # nanoseconds that a run spends on them for its text

    def __init__(
        self,
        label: str | None,
        expression: str,
        axis: Axis,
        tally: Counts,
        level: float,
        bucketed: bool,
        slot: int = -1,
    ) -> None:
        self.label, self.expression, self.axis, self.level, self.bucketed = (
            label,
            expression,
            axis,
            level,
            bucketed,
        )
        self.tally, self.slot = tally, slot

    @property
    def title(self) -> str:
        return self.label or self.expression

    @property
    def n(self) -> int:
        return self.tally.n

    @property
    def counts(self) -> np.ndarray:
        return whole_numbers(self.tally)

    @cached_property
    def exact(self) -> np.ndarray | None:
        return None if self.curve is None else self.curve(None)

    @cached_property
    def exact_at_once(self) -> np.ndarray | None:
        """`exact` where it takes no longer than a run may spend on its text; else None."""
        return None if self.curve is None else self.curve(self.at_once)

    @cached_property
    def shares(self) -> ShareTable:
        """Share of each row, with Wilson intervals; as `counts`."""
        return self.tally.shares(self.level)

    def kept(self) -> list[int]:
        """Rows to show: those below and above the range only where not empty."""
        counts = self.counts
        return [k for k in range(len(counts)) if 0 < k < len(counts) - 1 or counts[k]]

    @property
    def frame(self) -> pd.DataFrame:
        """Index `value`; columns count, share, lo, hi, cumulative. Rows low and high only where not empty."""
        import pandas as pd

        shares, kept, names = self.shares, self.kept(), self.axis.names
        columns = {
            "count": self.counts[kept],
            "share": shares.share[kept],
            "lo": shares.lo[kept],
            "hi": shares.hi[kept],
            "cumulative": np.cumsum(shares.share)[kept],
        }
        return pd.DataFrame(columns, index=pd.Index([names[k] for k in kept], name="value"))


class CrossReport(Report):
    """How often two expressions fall into each pair of buckets: the first down, the second across.

    Attributes
    ----------
    axes : tuple of Axis
    counts : ndarray [shape=(rows + 2, columns + 2)]
        With a row and a column for values below and above the ranges.
    """

    def __init__(
        self, label: str | None, expressions: list[str], axes: tuple[Axis, ...], tally: Counts, bucketed: bool
    ) -> None:
        self.label, self.expressions, self.axes, self.tally, self.bucketed = (
            label,
            expressions,
            axes,
            tally,
            bucketed,
        )

    @property
    def title(self) -> str:
        return self.label or " by ".join(self.expressions)

    @property
    def n(self) -> int:
        return self.tally.n

    @property
    def counts(self) -> np.ndarray:
        return whole_numbers(self.tally)

    def kept(self) -> tuple[list[int], list[int]]:
        """Rows and columns to show: those at the ends only where not empty."""
        rows, columns = self.counts.shape
        down = [k for k in range(rows) if 0 < k < rows - 1 or self.counts[k].any()]
        return down, [k for k in range(columns) if 0 < k < columns - 1 or self.counts[:, k].any()]

    @property
    def frame(self) -> pd.DataFrame:
        """Counts: index value1, columns value2, each from low to high."""
        import pandas as pd

        down, across = (axis.names for axis in self.axes)
        return pd.DataFrame(self.counts, pd.Index(down, name="value1"), pd.Index(across, name="value2"))


class Frequency(Action):
    """``frequency "label" (expression, low, high)``, or with two expressions and their ranges."""

    name = "frequency"
    group = 3  # arguments to a dimension

    def __init__(self, node: nodes.Action, graph: OperationGraph) -> None:
        numbers = [part.value if isinstance(part, nodes.Number) else 0 for part in node.arguments]
        firsts = range(0, len(numbers), self.group)
        self.axes = tuple(Axis(*numbers[first + 1 : first + self.group]) for first in firsts)
        for axis in self.axes:
            if axis.buckets > MOST_BUCKETS:
                graph.raise_error(node, f"{axis.buckets:,} rows are no table; count at most {MOST_BUCKETS:,}")
        super().__init__(node, graph)
        for slot, expression, axis in zip(self.slots, self.expressions, self.axes, strict=True):
            if graph.operations[slot].range.real and axis.plain and self.group == 3:
                graph.raise_error(
                    expression,
                    "frequency counts integers and this is a real number; use bktfreq with a bucket size",
                )

    def operands(self) -> tuple[nodes.Argument, ...]:
        return self.node.arguments[:: self.group]

    def start(self) -> None:
        self.tally = Counts(*(axis.bounds() for axis in self.axes))

    def update(self, produced: ProducedDeals) -> None:
        deals = produced.deals
        values = [
            axis.position(produced.values(slot)) for axis, slot in zip(self.axes, self.slots, strict=True)
        ]
        self.tally.update(values[0] if len(values) == 1 else tuple(values), deals.weight, deals.cluster)

    def merge(self, other: Action) -> None:
        assert isinstance(other, Frequency)
        self.tally.merge(other.tally)

    def report(self, level: float) -> FrequencyReport | CrossReport:
        texts, bucketed = [to_text(node) for node in self.expressions], self.group == 4
        if len(texts) == 2:
            return CrossReport(self.label, texts, self.axes, self.tally, bucketed)
        return FrequencyReport(self.label, texts[0], self.axes[0], self.tally, level, bucketed, self.slots[0])


class BucketFrequency(Frequency):
    """``bktfreq "label" (expression, low, high, size)``, or with two expressions and their buckets."""

    name = "bktfreq"
    group = 4
