"""Frequencies of integers, or of pairs of integers, in batches of values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.statistics.accumulation import cluster_starts, prepare_batch, sum_products
from dealerkit.statistics.estimates import Estimate, normal_quantile, student_quantile, wilson_interval

MAX_CELLS = 1 << 24  # a larger table is certainly a mistake


class ShareTable(NamedTuple):
    """Shares of all cells, standard errors and ends of intervals: float64 in the shape of `Counts.table`."""

    share: np.ndarray
    se: np.ndarray
    lo: np.ndarray
    hi: np.ndarray


class Counts:
    """Frequencies of integers, or of pairs of integers.

    Parameters
    ----------
    *ranges : (int, int) or None
        One for each dimension, at most two. Each integer from the first to the second number has a cell;
        smaller values are counted in the cell Low, larger ones in High. None: each integer that occurs has
        a cell. Without arguments: one dimension, each integer.

    Attributes
    ----------
    n : int
        Number of values with a weight above 0.
    table : ndarray of int64 [cells] or [cells, cells]
        The cells on each axis are Low, the integers in ascending order, High.

    Raises
    ------
    ArgumentError
        If there are more than two ranges, an empty range, or more than 16,777,216 cells.

    Examples
    --------
    >>> fit = Counts((7, 9))
    >>> fit.update(np.array([8, 8, 7, 9, 10, 6, 8]))
    >>> fit.table.tolist()
    [1, 1, 3, 1, 1]
    >>> fit.share(8)
    0.429 ± 0.296 (n = 7)
    """

    def __init__(self, *ranges: tuple[int, int] | None) -> None:
        ranges = ranges or (None,)
        if len(ranges) > 2:
            raise ArgumentError(f"{len(ranges)} ranges; counts have one or two dimensions")
        for limits in ranges:
            if limits is not None and limits[0] > limits[1]:
                raise ArgumentError(
                    f"the range {limits[0]} to {limits[1]} is empty; give the lower end first"
                )
        self._open_ended = tuple(limits is None for limits in ranges)
        self._lo = [0 if limits is None else int(limits[0]) for limits in ranges]
        self._hi = [-1 if limits is None else int(limits[1]) for limits in ranges]
        self.n = 0
        self.table = np.zeros(self._shape(self._lo, self._hi), np.int64)
        # For each cell the sums of w, of W_c² and of W_c W over clusters (W_c: weight of the cluster in the
        # cell, W: its whole weight); None while there are neither weights nor clusters: all equal the counts.
        self._weighted: np.ndarray | None = None
        self._groups, self._squares = 0, 0.0  # number of complete clusters, sum of their W²
        # For each incomplete cluster, which may continue in another batch, its weight by cell.
        self._incomplete: dict[int, dict[tuple[int, ...], float]] = {}

    @staticmethod
    def _shape(lo: Sequence[int], hi: Sequence[int]) -> tuple[int, ...]:
        shape = tuple(b - a + 3 for a, b in zip(lo, hi, strict=True))
        if math.prod(shape) > MAX_CELLS:
            spans = " by ".join(f"{a} to {b}" for a, b in zip(lo, hi, strict=True))
            raise ArgumentError(f"{spans} are too many values to count each by itself; give a smaller range")
        return shape

    def values(self, axis: int = 0) -> np.ndarray:
        """Return the integers that have cells on an axis, int64 in ascending order."""
        return np.arange(self._lo[axis], self._hi[axis] + 1)

    @property
    def weights(self) -> np.ndarray:
        """Sum of the weights in each cell, float64 in the shape of `table`."""
        return self.table.astype(float) if self._weighted is None else self._weighted[0]

    def update(self, values: Any, weights: Any = None, clusters: Any = None) -> None:
        """Add a batch of values.

        Parameters
        ----------
        values : ndarray of int or bool [n], or in two dimensions a pair of them
        weights, clusters
            As for `Moments.update`.

        Raises
        ------
        ArgumentError
            If values are not integers, or lengths differ.
        """
        dimensions = len(self._lo)
        given = (values,) if dimensions == 1 else tuple(values)
        if len(given) != dimensions:
            raise ArgumentError(f"{len(given)} columns of values for {dimensions} dimensions")
        columns, w, ids = prepare_batch(given, weights, clusters)
        for column in columns:
            if column.dtype.kind not in "iub":
                raise ArgumentError(
                    f"values of type {column.dtype} cannot be counted; round them to integers"
                )
        if not columns[0].size:
            return
        lo, hi = list(self._lo), list(self._hi)
        for axis, column in enumerate(columns):
            if self._open_ended[axis]:
                low, high = int(column.min()), int(column.max())
                empty = hi[axis] < lo[axis]
                lo[axis], hi[axis] = (low, high) if empty else (min(lo[axis], low), max(hi[axis], high))
        self._grow(lo, hi)
        cell = self._cell(0, columns[0])
        if dimensions == 2:
            cell *= self.table.shape[1]
            cell += self._cell(1, columns[1])
        count = np.bincount(cell, minlength=self.table.size).reshape(self.table.shape)
        self.n += cell.size
        self.table += count
        if w is None and ids is None:
            self._groups += cell.size
            self._squares += cell.size
            if self._weighted is not None:
                self._weighted += count
            return
        if self._weighted is None:
            self._weighted = np.stack([self.table - count] * 3).astype(float)
        self._weigh(self._weighted, cell, w, ids)

    def _weigh(
        self, sums: np.ndarray, cell: np.ndarray, w: np.ndarray | None, ids: np.ndarray | None
    ) -> None:
        """Add the weighted sums of a batch; its first and last clusters are added to `_incomplete`."""
        size, shape = self.table.size, self.table.shape
        weight = np.ones(cell.size) if w is None else w
        sums[0] += np.bincount(cell, weight, size).reshape(shape)
        if ids is None:
            square = np.bincount(cell, weight * weight, size).reshape(shape)
            sums[1:] += square
            self._groups += cell.size
            self._squares += float(sum_products(weight, weight))
            return
        starts = cluster_starts(ids)
        group = np.repeat(np.arange(starts.size), np.diff(starts, append=ids.size))
        whole = np.add.reduceat(weight, starts)
        key = group * size + cell  # nearly sorted, so that a stable sort is fast
        if w is None:
            key = np.sort(key, kind="stable")
            first = cluster_starts(key)
            part = np.diff(first, append=key.size)
        else:
            order = np.argsort(key, kind="stable")
            key = key[order]
            first = cluster_starts(key)
            part = np.add.reduceat(w[order], first)
        pairs = key[first]
        pair_group, pair_cell = np.divmod(pairs, size)
        inner = (pair_group > 0) & (pair_group < starts.size - 1)
        part_in, cell_in = part[inner], pair_cell[inner]
        sums[1] += np.bincount(cell_in, part_in * part_in, size).reshape(shape)
        sums[2] += np.bincount(cell_in, part_in * whole[pair_group[inner]], size).reshape(shape)
        self._groups += max(starts.size - 2, 0)
        self._squares += float(sum_products(whole[1:-1], whole[1:-1]))
        for k in np.flatnonzero(~inner):  # the cells of the first and the last cluster
            indices = np.unravel_index(pair_cell[k], shape)
            key = tuple(int(i) + low - 1 for i, low in zip(indices, self._lo, strict=True))
            cells = self._incomplete.setdefault(int(ids[starts[pair_group[k]]]), {})
            cells[key] = cells.get(key, 0.0) + float(part[k])

    def _cell(self, axis: int, values: np.ndarray) -> np.ndarray:
        """Return the index of the cell of each value on an axis, intp [n]."""
        lo, hi = self._lo[axis], self._hi[axis]
        if values.dtype.kind == "b":
            values = values.view(np.uint8)
        if not self._open_ended[axis]:
            least, most = int(np.iinfo(values.dtype).min), int(np.iinfo(values.dtype).max)
            if lo - 1 > most or hi + 1 < least:
                values, least, most = values.astype(np.int64), -(1 << 63), (1 << 63) - 1
            values = np.clip(values, max(lo - 1, least), min(hi + 1, most))
        position = values.astype(np.intp)
        position -= lo - 1
        return position

    def _grow(self, lo: list[int], hi: list[int]) -> None:
        """Extend the range of axes that have a cell for each integer."""
        if lo == self._lo and hi == self._hi:
            return
        shape = self._shape(lo, hi)
        offsets = [0 if b < a else a - c for a, b, c in zip(self._lo, self._hi, lo, strict=True)]
        place = tuple(slice(o, o + s) for o, s in zip(offsets, self.table.shape, strict=True))
        table = np.zeros(shape, np.int64)
        table[place] = self.table
        self.table = table
        if self._weighted is not None:
            weighted = np.zeros((3, *shape))
            weighted[(slice(None), *place)] = self._weighted
            self._weighted = weighted
        self._lo, self._hi = lo, hi

    def merge(self, other: Counts) -> None:
        """Add the values of another accumulator with the same ranges.

        Raises
        ------
        ArgumentError
            If the ranges differ.
        """
        same = self._open_ended == other._open_ended and all(
            free or (a, b) == (c, d)
            for free, a, b, c, d in zip(
                self._open_ended, self._lo, self._hi, other._lo, other._hi, strict=True
            )
        )
        if not same:
            raise ArgumentError("counts of different ranges cannot be merged")
        if not other.n:
            return
        if not self.n:
            lo, hi = list(other._lo), list(other._hi)
        else:
            lo = [min(a, b) for a, b in zip(self._lo, other._lo, strict=True)]
            hi = [max(a, b) for a, b in zip(self._hi, other._hi, strict=True)]
        self._grow(lo, hi)
        offsets = [a - b for a, b in zip(other._lo, lo, strict=True)]
        place = tuple(slice(o, o + s) for o, s in zip(offsets, other.table.shape, strict=True))
        if self._weighted is None and other._weighted is not None:
            self._weighted = np.stack([self.table] * 3).astype(float)
        if self._weighted is not None:
            self._weighted[(slice(None), *place)] += (
                other.table if other._weighted is None else other._weighted
            )
        self.table[place] += other.table
        self.n += other.n
        self._groups += other._groups
        self._squares += other._squares
        for number, cells in other._incomplete.items():
            mine = self._incomplete.setdefault(number, {})
            for key, weight in cells.items():
                mine[key] = mine.get(key, 0.0) + weight

    def _cluster_sums(self) -> tuple[np.ndarray, int, float]:
        """Return the sums of each cell, the number of clusters and the sum of their W², for all clusters."""
        if self._weighted is None:
            raise AssertionError("plain counts have no weighted sums")
        sums, groups, squares = self._weighted.copy(), self._groups, self._squares
        for cells in self._incomplete.values():
            whole = math.fsum(cells.values())
            groups, squares = groups + 1, squares + whole * whole
            for key, part in cells.items():
                cell = tuple(v - low + 1 for v, low in zip(key, self._lo, strict=True))
                sums[(1, *cell)] += part * part
                sums[(2, *cell)] += part * whole
        return sums, groups, squares

    def effective_size(self) -> float:
        """Return the effective sample size, (sum of w)² / sum of W² over clusters (Kish)."""
        if self._weighted is None or not self.n:
            return float(self.n)
        sums, _, squares = self._cluster_sums()
        return float(sums[0].sum() ** 2 / squares)

    def shares(self, level: float = 0.95) -> ShareTable:
        """Return the shares of all cells with Wilson's intervals.

        With weights or clusters the variance of a share is the sandwich estimate over G clusters, and the
        sample size in Wilson's interval is p (1 - p) / variance times the squared ratio of the quantiles of
        the normal distribution and of Student's t with G - 1 degrees of freedom. For a cell with variance 0
        `effective_size` replaces the first factor.

        References
        ----------
        L. Kish, Survey Sampling (Wiley 1965), 8.2.
        E. L. Korn, B. I. Graubard, Confidence intervals for proportions with small expected
        number of positive counts estimated from survey data, Survey Methodology 24 (1998), 193-201.
        """
        z = normal_quantile(level)
        unknown = np.full(self.table.shape, math.nan)
        if not self.n:
            return ShareTable(unknown, unknown, np.zeros(self.table.shape), np.ones(self.table.shape))
        if self._weighted is None:
            share = self.table / self.n
            return ShareTable(
                share, np.sqrt(share * (1 - share) / self.n), *wilson_interval(share, self.n, z)
            )
        sums, groups, squares = self._cluster_sums()
        total = sums[0].sum()
        share = np.clip(sums[0] / total, 0.0, 1.0)
        if groups < 2:
            return ShareTable(share, unknown, np.zeros(share.shape), np.ones(share.shape))
        between = sums[1] - 2 * share * sums[2] + share * share * squares
        varies = between > 1e-12 * (sums[1] + share * share * squares)  # not merely rounding
        variance = np.where(varies, between, 0.0) / total**2 * groups / (groups - 1)
        n = np.full(share.shape, total**2 / squares)
        np.divide(share * (1 - share), variance, out=n, where=varies)
        n *= (z / student_quantile(level, groups - 1)) ** 2
        return ShareTable(share, np.sqrt(variance), *wilson_interval(share, n, z))

    def share(self, *value: int, level: float = 0.95) -> Estimate:
        """Return the share of a value (in two dimensions, of a pair of values).

        Raises
        ------
        ArgumentError
            If the value has no cell because it is out of the range.
        """
        if len(value) != len(self._lo):
            raise ArgumentError(f"{len(value)} values for {len(self._lo)} dimensions")
        cell = []
        for v, lo, hi, free in zip(value, self._lo, self._hi, self._open_ended, strict=True):
            if not lo <= v <= hi and not free:
                raise ArgumentError(f"{v} is not counted by itself; the range is {lo} to {hi}")
            cell.append(v - lo + 1 if lo <= v <= hi else 0)
        index = tuple(cell)
        share, se, low, high = (float(column[index]) for column in self.shares(level))
        return Estimate(share, se, low, high, self.n, level)
