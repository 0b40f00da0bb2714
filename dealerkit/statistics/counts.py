"""Frequencies of integers, or of pairs of integers, in batches of values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from dealerkit.appearance.wording import limit_repr
from dealerkit.errors import ArgumentError
from dealerkit.statistics.accumulation import cluster_starts, prepare_batch, sum_products
from dealerkit.statistics.estimates import Estimate
from dealerkit.statistics.intervals import normal_quantile, share_interval, student_quantile

MAX_CELLS = 1 << 24  # largest number of cells; a larger table is certainly a mistake


@limit_repr
class ShareTable(NamedTuple):
    """The shares of all cells, their standard errors and the ends of their intervals.

    Attributes
    ----------
    share, se, lo, hi : ndarray of float64
        In the shape of `Counts.table`; `se` is nan if it is unknown.
    """

    share: np.ndarray
    se: np.ndarray
    lo: np.ndarray
    hi: np.ndarray


class Counts:
    """Frequencies of integers, or of pairs of integers.

    Parameters
    ----------
    *ranges : (int, int) or None
        A range for each dimension, of which there are one or two. Each integer from the first to the second
        number has a cell; smaller values are counted in the cell Low, larger ones in the cell High. With
        None, each integer that occurs has a cell. Without arguments, there is one dimension with None.

    Attributes
    ----------
    n : int
        Number of values with a weight above 0.
    table : ndarray of int64 [cells] or [cells, cells]
        The counts. The cells on each axis are Low, the integers in ascending order, and High.

    Raises
    ------
    ArgumentError
        There are more than two ranges, an empty range, or more than 16,777,216 cells.

    Examples
    --------
    >>> fit = Counts((7, 9))
    >>> fit.update(np.array([8, 8, 7, 9, 10, 6, 8]))
    >>> fit.table.tolist()
    [1, 1, 3, 1, 1]
    >>> fit.share(8)
    0.4 ± 0.3 (n = 7)
    """

    def __init__(self, *ranges: tuple[int, int] | None) -> None:
        ranges = ranges or (None,)
        if len(ranges) > 2:
            raise ArgumentError(f"{len(ranges)} ranges are too many; give one or two, one for each dimension")
        for limits in ranges:
            if limits is not None and limits[0] > limits[1]:
                raise ArgumentError(
                    f"the range {limits[0]} to {limits[1]} is empty; give the lower end first"
                )
        # The range of each axis; None if each integer that occurs has a cell.
        self._ranges = tuple(limits and (int(limits[0]), int(limits[1])) for limits in ranges)
        # The smallest and largest integer that have cells on each axis; (0, -1) if there are none yet.
        self._spans = [limits or (0, -1) for limits in self._ranges]
        self.n = 0
        self.table = np.zeros(self._shape(self._spans), np.int64)
        # For each cell, the sums over clusters of w, of W_c² and of W_c W, where W_c is the weight of a
        # cluster in the cell and W its whole weight. None if there are no weights and no clusters, because
        # all three sums are then equal to the counts.
        self._weighted: np.ndarray | None = None
        self._n_clusters, self._squares = 0, 0.0  # number of complete clusters, sum of their W²
        # The weights of incomplete clusters, which can continue in another batch, by cluster and cell
        self._incomplete: dict[int, dict[tuple[int, ...], float]] = {}

    @staticmethod
    def _shape(spans: Sequence[tuple[int, int]]) -> tuple[int, ...]:
        """Return the shape of a table with cells for these spans, Low and High, or raise ArgumentError."""
        shape = tuple(high - low + 3 for low, high in spans)
        if math.prod(shape) > MAX_CELLS:
            text = " by ".join(f"{low} to {high}" for low, high in spans)
            raise ArgumentError(f"{text} are too many values to count one by one; give a smaller range")
        return shape

    def values(self, axis: int = 0) -> np.ndarray:
        """Return the integers that have cells on an axis, as int64 in ascending order."""
        low, high = self._spans[axis]
        return np.arange(low, high + 1)

    @property
    def weights(self) -> np.ndarray:
        """The sum of the weights in each cell, float64 in the shape of `table`."""
        return self.table.astype(float) if self._weighted is None else self._weighted[0]

    def update(self, values: Any, weights: Any = None, clusters: Any = None) -> None:
        """Add a batch of values.

        Parameters
        ----------
        values : ndarray of int or bool [n], or a pair of them
            The values; a pair in two dimensions.
        weights, clusters
            As for `Moments.update`.

        Raises
        ------
        ArgumentError
            Values are not integers, or lengths are different.
        """
        # One column of integers for each dimension
        dimensions = len(self._ranges)
        given = (values,) if dimensions == 1 else tuple(values)
        if len(given) != dimensions:
            raise ArgumentError(
                f"{len(given)} columns of values for {dimensions} dimensions; give one for each"
            )
        columns, w, ids = prepare_batch(given, weights, clusters)
        for column in columns:
            if column.dtype.kind not in "iub":
                raise ArgumentError(
                    f"values of type {column.dtype} cannot be counted; round them to integers"
                )
        if not columns[0].size:
            return

        # The cell of each value, in a table with cells for all of them
        self._grow(
            limits or (int(column.min()), int(column.max()))
            for limits, column in zip(self._ranges, columns, strict=True)
        )
        cell = self._cell(0, columns[0])
        if dimensions == 2:
            cell *= self.table.shape[1]
            cell += self._cell(1, columns[1])
        count = np.bincount(cell, minlength=self.table.size).reshape(self.table.shape)
        self.n += cell.size
        self.table += count

        # Without weights and clusters, the weighted sums are equal to the counts, and stored only if an
        # earlier batch had weights or clusters.
        if w is None and ids is None:
            self._n_clusters += cell.size
            self._squares += cell.size
            if self._weighted is not None:
                self._weighted += count
            return
        if self._weighted is None:
            self._weighted = np.stack([self.table - count] * 3).astype(float)
        self._add_weighted(self._weighted, cell, w, ids)

    def _add_weighted(
        self, sums: np.ndarray, cell: np.ndarray, w: np.ndarray | None, ids: np.ndarray | None
    ) -> None:
        """Add the weighted sums of a batch; its first and last clusters are added to `_incomplete`."""
        # Sums of weights; without cluster numbers, each value is a cluster.
        size, shape = self.table.size, self.table.shape
        weight = np.ones(cell.size) if w is None else w
        sums[0] += np.bincount(cell, weight, size).reshape(shape)
        if ids is None:
            square = np.bincount(cell, weight * weight, size).reshape(shape)
            sums[1:] += square
            self._n_clusters += cell.size
            self._squares += float(sum_products(weight, weight))
            return

        starts = cluster_starts(ids)
        cluster = np.repeat(np.arange(starts.size), np.diff(starts, append=ids.size))
        cluster_weight = np.add.reduceat(weight, starts)
        # A pair is a cluster and a cell. The pairs are nearly sorted, so a stable sort is fast.
        pairs = cluster * size + cell
        if w is None:
            pairs = np.sort(pairs, kind="stable")
            first = cluster_starts(pairs)
            pair_weight = np.diff(first, append=pairs.size)
        else:
            order = np.argsort(pairs, kind="stable")
            pairs = pairs[order]
            first = cluster_starts(pairs)
            pair_weight = np.add.reduceat(w[order], first)
        pair_cluster, pair_cell = np.divmod(pairs[first], size)

        # Complete clusters: squares of the weight in a cell, and products with the whole weight
        inner = (pair_cluster > 0) & (pair_cluster < starts.size - 1)
        inner_weight, inner_cell = pair_weight[inner], pair_cell[inner]
        sums[1] += np.bincount(inner_cell, inner_weight * inner_weight, size).reshape(shape)
        products = inner_weight * cluster_weight[pair_cluster[inner]]
        sums[2] += np.bincount(inner_cell, products, size).reshape(shape)
        self._n_clusters += max(starts.size - 2, 0)
        self._squares += float(sum_products(cluster_weight[1:-1], cluster_weight[1:-1]))
        # The first and the last cluster
        for k in np.flatnonzero(~inner):
            indices = np.unravel_index(pair_cell[k], shape)
            key = tuple(int(i) + low - 1 for i, (low, _) in zip(indices, self._spans, strict=True))
            cells = self._incomplete.setdefault(int(ids[starts[pair_cluster[k]]]), {})
            cells[key] = cells.get(key, 0.0) + float(pair_weight[k])

    def _cell(self, axis: int, values: np.ndarray) -> np.ndarray:
        """Return the index of each value's cell on an axis, intp [n]."""
        low, high = self._spans[axis]
        if values.dtype.kind == "b":
            values = values.view(np.uint8)
        if self._ranges[axis] is not None:
            least, most = int(np.iinfo(values.dtype).min), int(np.iinfo(values.dtype).max)
            if low - 1 > most or high + 1 < least:
                values, least, most = values.astype(np.int64), -(1 << 63), (1 << 63) - 1
            values = np.clip(values, max(low - 1, least), min(high + 1, most))
        position = values.astype(np.intp)
        position -= low - 1
        return position

    def _grow(self, spans: Iterable[tuple[int, int]]) -> None:
        """Extend the table so that the integers of these spans, one for each axis, have cells."""
        old = self._spans
        new = [
            (min(a, low), max(b, high)) if a <= b else (low, high)
            for (a, b), (low, high) in zip(old, spans, strict=True)
        ]
        if new == old:
            return
        shape = self._shape(new)
        # An axis without cells has only Low and High. Both are empty, so they can be copied to any place.
        offsets = [a - low if a <= b else 0 for (a, b), (low, _) in zip(old, new, strict=True)]
        place = _place(offsets, self.table.shape)
        table = np.zeros(shape, np.int64)
        table[place] = self.table
        self.table = table
        if self._weighted is not None:
            weighted = np.zeros((3, *shape))
            weighted[(slice(None), *place)] = self._weighted
            self._weighted = weighted
        self._spans = new

    def merge(self, other: Counts) -> None:
        """Add the values of another accumulator with the same ranges.

        Raises
        ------
        ArgumentError
            The ranges are different.
        """
        if self._ranges != other._ranges:
            raise ArgumentError("counts with different ranges cannot be merged; give both the same ranges")
        if not other.n:
            return
        self._grow(other._spans)
        offsets = [a - low for (a, _), (low, _) in zip(other._spans, self._spans, strict=True)]
        place = _place(offsets, other.table.shape)
        if self._weighted is None and other._weighted is not None:
            self._weighted = np.stack([self.table] * 3).astype(float)
        if self._weighted is not None:
            self._weighted[(slice(None), *place)] += (
                other.table if other._weighted is None else other._weighted
            )
        self.table[place] += other.table
        self.n += other.n
        self._n_clusters += other._n_clusters
        self._squares += other._squares
        for number, cells in other._incomplete.items():
            mine = self._incomplete.setdefault(number, {})
            for key, weight in cells.items():
                mine[key] = mine.get(key, 0.0) + weight

    def complete_clusters(self) -> None:
        """Treat all clusters as complete, as `Moments.complete_clusters` does."""
        if self._incomplete:
            self._weighted, self._n_clusters, self._squares = self._cluster_sums()
            self._incomplete = {}

    def _cluster_sums(self) -> tuple[np.ndarray, int, float]:
        """Return the weighted sums of all clusters, even incomplete ones, their number and the sum of W²."""
        if self._weighted is None:
            raise AssertionError("plain counts have no weighted sums")
        sums, squares = self._weighted.copy(), self._squares
        for cells in self._incomplete.values():
            cluster_weight = math.fsum(cells.values())
            squares += cluster_weight * cluster_weight
            for key, weight in cells.items():
                cell = tuple(v - low + 1 for v, (low, _) in zip(key, self._spans, strict=True))
                sums[1, *cell] += weight * weight
                sums[2, *cell] += weight * cluster_weight
        return sums, self._n_clusters + len(self._incomplete), squares

    @property
    def n_clusters(self) -> int:
        """Number of clusters; a value without a cluster number is a cluster."""
        return self._n_clusters + len(self._incomplete)

    def effective_size(self) -> float:
        """Return Kish's effective sample size, (sum of w)² / (sum of W² over clusters)."""
        if self._weighted is None or not self.n:
            return float(self.n)
        sums, _, squares = self._cluster_sums()
        return float(sums[0].sum() ** 2 / squares)

    def shares(self, confidence: float = 0.95) -> ShareTable:
        """Return the shares of all cells with the intervals of `proportion`.

        With weights or clusters, the variance of a share is the sandwich estimate over G clusters. The
        sample size used for the interval is p (1 - p) / variance, times the squared ratio of the quantiles
        of the normal distribution and of Student's t with G - 1 degrees of freedom. In a cell with variance
        0, the first factor is Kish's effective sample size, (sum of w)² / (sum of W² over clusters).

        Parameters
        ----------
        confidence : float in (0, 1)
            Confidence level of the intervals.

        Returns
        -------
        ShareTable

        Raises
        ------
        ArgumentError
            The confidence level is not between 0 and 1.

        References
        ----------
        L. Kish, Survey Sampling (Wiley 1965), 8.2.
        E. L. Korn, B. I. Graubard, Confidence intervals for proportions with small expected
        number of positive counts estimated from survey data, Survey Methodology 24 (1998), 193-201.
        """
        # No values, or no weights and clusters
        z = normal_quantile(confidence)
        unknown = np.full(self.table.shape, math.nan)
        if not self.n:
            return ShareTable(unknown, unknown, np.zeros(self.table.shape), np.ones(self.table.shape))
        if self._weighted is None:
            share = self.table / self.n
            return ShareTable(
                share, np.sqrt(share * (1 - share) / self.n), *share_interval(share, self.n, confidence)
            )
        # The variance between clusters, and the sample size that it corresponds to
        sums, n_clusters, squares = self._cluster_sums()
        total = sums[0].sum()
        share = np.clip(sums[0] / total, 0.0, 1.0)
        if n_clusters < 2:
            return ShareTable(share, unknown, np.zeros(share.shape), np.ones(share.shape))
        between = sums[1] - 2 * share * sums[2] + share * share * squares
        varies = between > 1e-12 * (sums[1] + share * share * squares)  # otherwise it is a rounding error
        variance = np.where(varies, between, 0.0) / total**2 * n_clusters / (n_clusters - 1)
        n = np.full(share.shape, total**2 / squares)
        np.divide(share * (1 - share), variance, out=n, where=varies)
        n *= (z / student_quantile(confidence, n_clusters - 1)) ** 2
        return ShareTable(share, np.sqrt(variance), *share_interval(share, n, confidence))

    def share(self, *value: int, confidence: float = 0.95) -> Estimate:
        """Return the share of a value with its interval.

        Parameters
        ----------
        *value : int
            The value, or two values in two dimensions.
        confidence : float in (0, 1)
            Confidence level of the interval.

        Raises
        ------
        ArgumentError
            The value is out of the range and so has no cell, or the number of values is wrong.
        """
        if len(value) != len(self._ranges):
            raise ArgumentError(
                f"{len(value)} values for {len(self._ranges)} dimensions; give one for each dimension"
            )
        cell = []
        for v, limits, (low, high) in zip(value, self._ranges, self._spans, strict=True):
            has_cell = low <= v <= high
            if limits and not has_cell:
                raise ArgumentError(f"{v} has no cell of its own; give a value from {low} to {high}")
            cell.append(v - low + 1 if has_cell else 0)  # Low is empty if each integer has a cell
        share, se, lo, hi = (float(column[*cell]) for column in self.shares(confidence))
        return Estimate(share, se, lo, hi, self.n, confidence)


def _place(offsets: Iterable[int], shape: Iterable[int]) -> tuple[slice, ...]:
    """Return the index of a part of a table, given the position of its first cell and its shape."""
    return tuple(slice(start, start + size) for start, size in zip(offsets, shape, strict=True))
