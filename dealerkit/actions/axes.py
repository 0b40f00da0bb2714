"""The axes of tables of counts, with their values or buckets, and the base class of reports of counts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dealerkit.actions.base import Report
from dealerkit.appearance.numbers import format_count, format_number
from dealerkit.compiler.operations import TOLERANCE
from dealerkit.runtime.process import cached_property
from dealerkit.statistics import Counts, Coverage, ShareTable
from dealerkit.statistics.coverage import tabulate_shares


class Axis(NamedTuple):
    """The buckets of a frequency: [low, low + size), [low + size, low + 2 size), ...

    The last bucket begins at `high` or before it. Each bucket of `frequency` contains one integer.
    """

    low: float
    high: float
    size: float = 1

    @property
    def n_buckets(self) -> int:
        """Number of buckets."""
        return 1 + int((self.high - self.low) / self.size + TOLERANCE)

    @property
    def starts(self) -> list:
        """The lower end of each bucket."""
        return [self.low + round(k * self.size, 9) for k in range(self.n_buckets)]

    @property
    def row_names(self) -> list:
        """Names of the rows of a frame: ``low``, the lower end of each bucket, ``high``."""
        return ["low", *self.starts, "high"]

    @property
    def labels(self) -> list[str]:
        """Names of the rows in texts and plots."""
        starts = [format_number(start, ascii=True) for start in self.starts]
        above = (
            f"> {starts[-1]}"
            if self.has_integer_buckets
            else f"≥ {format_number(self.starts[-1] + self.size, ascii=True)}"
        )
        return [f"< {starts[0]}", *starts, above]

    @property
    def marks(self) -> list[int]:
        """The position of each row in units of the bucket size; for `frequency`, the values themselves."""
        first = round(self.low / self.size)
        return list(range(first - 1, first + self.n_buckets + 1))

    @property
    def has_integer_buckets(self) -> bool:
        """Whether each bucket contains one integer."""
        return self.size == 1 and isinstance(self.low, int)

    def bounds(self) -> tuple[int, int]:
        """Return the smallest and the largest result of `find_positions` for values inside the buckets."""
        return (int(self.low), int(self.high)) if self.has_integer_buckets else (0, self.n_buckets - 1)

    def find_rows(self, values: np.ndarray) -> np.ndarray:
        """Return the table row of each value, int64 [n]: 0 below the range, then the buckets, then above."""
        low, high = self.bounds()
        return np.clip(self.find_positions(np.asarray(values)), low - 1, high + 1) - (low - 1)

    def find_positions(self, values: np.ndarray) -> np.ndarray:
        """Return the integers [n] to count: the values themselves, or the indices of their buckets."""
        if self.has_integer_buckets and values.dtype.kind != "f":
            return values
        origin = 0 if self.has_integer_buckets else self.low
        with np.errstate(over="ignore"):
            positions = np.floor((values.astype(np.float64) - origin) / self.size + TOLERANCE)
        low, high = self.bounds()  # real numbers outside the table may not fit 64 bits
        return np.clip(positions, low - 1, high + 1).astype(np.int64)


class TableReport(Report):
    """A table of counts; `bucketed` says whether the script sets the size of its buckets."""

    def __init__(
        self, label: str | None, tally: Counts, confidence: float, bucketed: bool, coverage: Coverage
    ) -> None:
        self.confidence, self.coverage = confidence, coverage
        self.label, self.tally, self.bucketed, self.n = label, tally, bucketed, tally.n

    @property
    def counts(self) -> np.ndarray:
        """The counts as int64, or the sums of weights as float64 if deals have weights."""
        cells = self.tally.table
        return cells if np.array_equal(self.tally.weights, cells) else self.tally.weights

    @cached_property
    def shares(self) -> ShareTable:
        """The share of each cell of `counts` with its interval; exact after a run on all possible deals."""
        return tabulate_shares(self.tally, self.confidence, self.coverage)

    def describe_count(self) -> str:
        """Return the number of deals as text, with the sum of their weights if it differs."""
        weight = self.counts.sum()
        deals = format_count(self.n, "deal")
        return deals if weight == self.n else f"{deals} of weight {format_number(weight, ascii=True)}"


def find_shown(filled: Any) -> list[int]:
    """Return the indices to show; the first and the last, which are outside the range, only if not empty."""
    return [k for k in range(len(filled)) if 0 < k < len(filled) - 1 or filled[k]]
