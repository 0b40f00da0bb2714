"""The axis of a table of counts: the values or buckets of its rows or columns, with their names."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dealerkit.compiler.operations import TOLERANCE


class Axis(NamedTuple):
    """Buckets of a frequency: [low, low + size), [low + size, low + 2 size) ...

    The last one begins at `high` or before. The buckets of `frequency` hold one integer each.
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
        """The low end of each bucket."""
        return [self.low + round(k * self.size, 9) for k in range(self.n_buckets)]

    @property
    def row_names(self) -> list:
        """Names of the rows of a frame: low, the start of each bucket, high."""
        return ["low", *self.starts, "high"]

    @property
    def labels(self) -> list[str]:
        """Names of the rows in texts and plots."""
        starts = [f"{start:g}" for start in self.starts]
        above = f"> {starts[-1]}" if self.has_integer_buckets else f"≥ {self.starts[-1] + self.size:g}"
        return [f"< {starts[0]}", *starts, above]

    @property
    def has_integer_buckets(self) -> bool:
        """Whether each bucket holds one integer."""
        return self.size == 1 and isinstance(self.low, int)

    def bounds(self) -> tuple[int, int]:
        """Return the range of `find_positions` within the buckets."""
        return (int(self.low), int(self.high)) if self.has_integer_buckets else (0, self.n_buckets - 1)

    def find_rows(self, values: np.ndarray) -> np.ndarray:
        """Return the rows [n] of the table for values: 0 below the range, then the buckets, then above."""
        low, high = self.bounds()
        return np.clip(self.find_positions(np.asarray(values)), low - 1, high + 1) - (low - 1)

    def find_positions(self, values: np.ndarray) -> np.ndarray:
        """Return the integers [n] to count: the values themselves, or the numbers of their buckets."""
        if self.has_integer_buckets and values.dtype.kind != "f":
            return values
        origin = 0 if self.has_integer_buckets else self.low
        with np.errstate(over="ignore"):
            positions = np.floor((values.astype(np.float64) - origin) / self.size + TOLERANCE)
        low, high = self.bounds()  # reals outside the table may be no integers of 64 bits
        return np.clip(positions, low - 1, high + 1).astype(np.int64)
