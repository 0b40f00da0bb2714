"""Actions that count: average and frequency, in one and two dimensions."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.actions.base import Action, Produced, Report
from dealerkit.language import nodes
from dealerkit.language.formulas import Formulas
from dealerkit.language.printer import to_text
from dealerkit.statistics import Counts, Estimate, Moments, Shares

if TYPE_CHECKING:
    import pandas as pd


def whole_numbers(tally: Counts) -> np.ndarray:
    """The cells of a table: int64 counts, or float64 sums where deals carry weights."""
    return tally.table if np.array_equal(tally.weights, tally.table) else tally.weights


class AverageReport(Report):
    """Mean of an expression over the produced deals.

    Attributes
    ----------
    mean : Estimate
        With a Student t interval; clustered by shuffle under swapping.
    sd : float
        Sample standard deviation (divisor n - 1).
    """

    def __init__(self, label: str | None, expression: str, moments: Moments, level: float) -> None:
        self.label, self.expression, self.moments = label, expression, moments
        self.mean: Estimate = moments.mean(level)

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
        row = {"label": self.title, "n": self.n, "mean": mean.value, "sd": self.sd, "se": mean.se, "lo": mean.lo, "hi": mean.hi}
        return pd.DataFrame([row])


class Average(Action):
    """``average "label" expression``."""

    name = "average"

    def start(self) -> None:
        self.moments = Moments()

    def update(self, produced: Produced) -> None:
        deals = produced.deals
        self.moments.update(produced.values(self.slots[0]), deals.weight, deals.cluster)

    def merge(self, other: Action) -> None:
        assert isinstance(other, Average)
        self.moments.merge(other.moments)

    def report(self, level: float) -> AverageReport:
        return AverageReport(self.label, to_text(self.expressions[0]), self.moments, level)


class FrequencyReport(Report):
    """How often an expression takes each value of a range.

    Attributes
    ----------
    low, high : int
        Bounds of the range.
    counts : ndarray [shape=(high - low + 3,)]
        Below the range, each value of it, above it; weighted where deals carry weights.
    """

    def __init__(self, label: str | None, expression: str, low: int, high: int, tally: Counts, level: float) -> None:
        self.label, self.expression, self.low, self.high, self.level = label, expression, low, high, level
        self.tally = tally

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
    def shares(self) -> Shares:
        """Share of each row, with Wilson intervals; as `counts`."""
        return self.tally.shares(self.level)

    @property
    def names(self) -> list[str | int]:
        return ["low", *range(self.low, self.high + 1), "high"]

    @property
    def frame(self) -> pd.DataFrame:
        """Index `value`; columns count, share, lo, hi, cumulative. Rows low and high only where not empty."""
        import pandas as pd

        counts, shares = self.counts, self.shares
        kept = [k for k in range(len(counts)) if 0 < k < len(counts) - 1 or counts[k]]
        columns = {
            "count": counts[kept],
            "share": shares.share[kept],
            "lo": shares.lo[kept],
            "hi": shares.hi[kept],
            "cumulative": np.cumsum(shares.share)[kept],
        }
        return pd.DataFrame(columns, index=pd.Index([self.names[k] for k in kept], name="value"))


class CrossReport(Report):
    """How often two expressions take each pair of values: the first down, the second across.

    Attributes
    ----------
    counts : ndarray [shape=(rows + 2, columns + 2)]
        With a row and a column for values below and above the ranges.
    """

    def __init__(
        self, label: str | None, expressions: tuple[str, str], ranges: tuple[int, int, int, int], tally: Counts
    ) -> None:
        self.label, self.expressions, self.ranges, self.tally = label, expressions, ranges, tally

    @property
    def title(self) -> str:
        return self.label or " by ".join(self.expressions)

    @property
    def n(self) -> int:
        return self.tally.n

    @property
    def counts(self) -> np.ndarray:
        return whole_numbers(self.tally)

    @property
    def frame(self) -> pd.DataFrame:
        """Counts: index value1, columns value2, each from low to high."""
        import pandas as pd

        down, across = (
            ["low", *range(low, high + 1), "high"] for low, high in (self.ranges[:2], self.ranges[2:])
        )
        return pd.DataFrame(self.counts, pd.Index(down, name="value1"), pd.Index(across, name="value2"))


class Frequency(Action):
    """``frequency "label" (expression, low, high)``, or with two expressions and their ranges."""

    name = "frequency"

    def __init__(self, node: nodes.Action, formulas: Formulas) -> None:
        bounds = [part for number, part in enumerate(node.arguments) if number % 3]
        self.ranges = tuple(int(part.value) for part in bounds if isinstance(part, nodes.Number))
        super().__init__(node, formulas)
        for slot, expression in zip(self.slots, self.expressions, strict=True):
            if formulas.operations[slot].range.real:
                formulas.fail(expression, "frequency counts integers, and this is a real number; use bktfreq with the size of its buckets")

    def operands(self) -> tuple[nodes.Argument, ...]:
        return self.node.arguments[::3]

    def start(self) -> None:
        self.tally = Counts(*zip(self.ranges[::2], self.ranges[1::2], strict=True))

    def update(self, produced: Produced) -> None:
        deals = produced.deals
        values = [produced.values(slot) for slot in self.slots]
        self.tally.update(values[0] if len(values) == 1 else tuple(values), deals.weight, deals.cluster)

    def merge(self, other: Action) -> None:
        assert isinstance(other, Frequency)
        self.tally.merge(other.tally)

    def report(self, level: float) -> FrequencyReport | CrossReport:
        texts = [to_text(node) for node in self.expressions]
        if len(texts) == 2:
            return CrossReport(self.label, (texts[0], texts[1]), self.ranges, self.tally)  # type: ignore[arg-type]
        return FrequencyReport(self.label, texts[0], self.ranges[0], self.ranges[1], self.tally, level)
