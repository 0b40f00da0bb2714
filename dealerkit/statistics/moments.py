"""Number, mean, standard deviation and range of values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.statistics.accumulation import (
    cluster_starts,
    find_exponent,
    prepare_batch,
    scale_exactly,
    shift_to_zero,
    sum_products,
    take_root,
    to_exact_type,
    to_float,
)
from dealerkit.statistics.estimates import Estimate
from dealerkit.statistics.intervals import check_confidence
from dealerkit.statistics.rare_values import (
    ANY_VALUE,
    LEAST_USUAL,
    MeanParts,
    RareValues,
    ValueRange,
    add_unusual_values,
    build_mean,
)


class Moments:
    """Number, mean, standard deviation and range of values.

    Sums are stored as integers or fractions. Sums of integers are exact, sums of floats are only rounded
    within a batch, and the order of merging does not change the result.

    Attributes
    ----------
    n : int
        Number of values with a weight above 0.
    minimum, maximum : int or float or None
        Smallest and largest value; None without values.

    Examples
    --------
    >>> points = Moments()
    >>> points.update(np.array([10, 12, 7, 15, 9, 11]))
    >>> points.mean()
    10.7 ± 2.9 (n = 6)
    >>> round(points.sd, 4)
    2.7325
    """

    def __init__(self) -> None:
        self.n = 0
        self.minimum: float | None = None
        self.maximum: float | None = None
        # The sums over values of w, w x, w x² and w²; the number of clusters; and the sums over clusters of
        # W², W X and X², where W is the sum of w and X the sum of w x. A value without a cluster number is a
        # cluster.
        self._sums: list[Any] = [0] * 8
        # W and X of each incomplete cluster, which can continue in another batch
        self._incomplete: dict[int, tuple[Any, Any]] = {}
        self._rare = RareValues()

    def update(self, values: np.ndarray, weights: Any = None, clusters: Any = None) -> None:
        """Add a batch of values.

        Parameters
        ----------
        values : ndarray of bool, int or float [n]
            Finite numbers.
        weights : ndarray of float [n] or None
            Weights from 0 to 1e100; those below 1e-100 count as 0. None if each value has the weight 1.
        clusters : ndarray of int [n] or None
            The number of each value's cluster; None if each value is a cluster. Only the clusters with the
            smallest and the largest number of a batch can have values in another batch.

        Raises
        ------
        ArgumentError
            Lengths are different, a value is not finite, or a weight is out of range.
        """
        # Check the numbers, and find where their clusters start.
        (x,), w, ids = prepare_batch((values,), weights, clusters)
        if not x.size:
            return
        if x.dtype.kind == "b":
            x = x.view(np.uint8)
        if x.dtype.kind not in "iuf":
            raise ArgumentError(f"values of type {x.dtype} have no mean; give integers or floats")
        values_given, low, high = x, x.min().item(), x.max().item()
        if not (math.isfinite(low) and math.isfinite(high)):
            raise ArgumentError("values must be finite; leave out deals whose value is infinite or missing")
        starts = None if ids is None else cluster_starts(ids)
        sizes = None if starts is None else np.diff(starts, append=x.size)

        # Subtract the mean from floats, so that rounding errors do not grow with it; keep integers as they
        # are.
        centre: Any = 0
        exponent = 0
        to_exact: type = int
        if x.dtype.kind != "f" and w is None:
            d = to_exact_type(x, 1 if sizes is None else int(sizes.max()), low, high)
        else:
            to_exact = Fraction
            x = x.astype(np.float64, copy=False)
            if exponent := find_exponent(low, high):
                x = np.ldexp(x, -exponent)
            centre = Fraction(float(x.mean()))
            d = x - float(centre)

        # Sums over values of w, w x and w x²
        if w is None:
            wd = d
            total = squares = to_exact(x.size)
        else:
            wd = w * d
            total, squares = to_exact(w.sum()), to_exact(sum_products(w, w))
        over_values = shift_to_zero(total, to_exact(wd.sum()), to_exact(sum_products(wd, d)), centre)

        # Sums over clusters of W², W X and X²; the first and the last cluster can continue in another batch
        if ids is None or starts is None:
            n_clusters = x.size
            over_clusters = over_values
            if w is not None:
                products, wd_squares = to_exact(sum_products(w, wd)), to_exact(sum_products(wd, wd))
                over_clusters = shift_to_zero(squares, products, wd_squares, centre)
        else:
            weight = (sizes if w is None else np.add.reduceat(w, starts)).astype(d.dtype)  # type: ignore[union-attr]
            inner, sums = weight[1:-1], np.add.reduceat(wd, starts)
            n_clusters = inner.size
            over_clusters = shift_to_zero(
                to_exact(sum_products(inner, inner)),
                to_exact(sum_products(inner, sums[1:-1])),
                to_exact(sum_products(sums[1:-1], sums[1:-1])),
                centre,
            )
            for end in {0, starts.size - 1}:
                w_end, wd_end = to_exact(weight[end]), to_exact(sums[end])
                sums_end = scale_exactly((w_end, wd_end + centre * w_end), exponent)
                self._add_incomplete(int(ids[starts[end]]), *sums_end)

        # Add everything to the accumulator.
        self.n += x.size
        self._rare.update(values_given)
        self._extend(low, high)
        moments, of_clusters = scale_exactly(over_values, exponent), scale_exactly(over_clusters, exponent)
        self._add((*moments, squares, n_clusters, *of_clusters))

    def merge(self, other: Moments) -> None:
        """Add the values of another accumulator."""
        self.n += other.n
        self._rare.merge(other._rare)
        if other.minimum is not None and other.maximum is not None:
            self._extend(other.minimum, other.maximum)
        self._add(other._sums)
        for number, sums in other._incomplete.items():
            self._add_incomplete(number, *sums)

    def complete_clusters(self) -> None:
        """Treat all clusters as complete: values that are added later belong to other clusters."""
        for weight, total in self._incomplete.values():
            self._add([0, 0, 0, 0, 1, weight * weight, weight * total, total * total])
        self._incomplete = {}

    def _extend(self, low: float, high: float) -> None:
        self.minimum = low if self.minimum is None else min(self.minimum, low)
        self.maximum = high if self.maximum is None else max(self.maximum, high)

    def _add(self, sums: Sequence[Any]) -> None:
        self._sums = [a + b for a, b in zip(self._sums, sums, strict=True)]

    def _add_incomplete(self, number: int, weight: Any, total: Any) -> None:
        before = self._incomplete.get(number, (0, 0))
        self._incomplete[number] = before[0] + weight, before[1] + total

    @property
    def n_clusters(self) -> int:
        """Number of clusters; a value without a cluster number is a cluster."""
        return self._sums[4] + len(self._incomplete)

    @property
    def total_weight(self) -> float:
        """Sum of the weights; the number of values if they have none."""
        return float(self._sums[0])

    @property
    def total(self) -> float:
        """Weighted sum of the values; an int if the values are integers without weights."""
        total = self._sums[1]
        return total if isinstance(total, int) else to_float(total)

    @property
    def variance(self) -> float:
        """Sample variance, nan for fewer than two values.

        The divisor is n - 1, or with weights sum(w) - sum(w²) / sum(w).
        """
        return math.nan if self.n < 2 else to_float(self._compute_variance())

    @property
    def sd(self) -> float:
        """Sample standard deviation, the square root of `variance`."""
        return math.nan if self.n < 2 else take_root(self._compute_variance())

    def _compute_variance(self) -> Fraction:
        w, wx, wxx, ww = (Fraction(s) for s in self._sums[:4])
        return (wxx - wx * wx / w) / (w - ww / w)

    def mean(self, confidence: float = 0.95, values: ValueRange = ANY_VALUE) -> Estimate:
        """Return the mean with Student's interval, which is wider if few values differ from the others.

        The mean of weighted values is the ratio estimator sum(w x) / sum(w). With weights or clusters, its
        variance is the sandwich estimate over G clusters, multiplied by G / (G - 1). The interval has n - 1
        degrees of freedom, where n is (sum of W)² / (sum of W²) over clusters; this is G if all clusters have
        the same weight. Without clusters, G is the number of values.

        If most values of a sample are equal, the interval is that of `statistics/rare_values.py`. If all are
        equal, it depends on the values that are possible, and there is none if these are not known.

        Parameters
        ----------
        confidence : float in (0, 1)
            Confidence level of the interval.
        values : ValueRange
            The values that are possible.

        Returns
        -------
        Estimate
            In the unit of the values; nan without values.

        Raises
        ------
        ArgumentError
            `confidence` is not between 0 and 1.

        References
        ----------
        W. G. Cochran, Sampling Techniques, 3rd ed. (Wiley 1977), 6.2 and 9A.
        A. C. Cameron, D. L. Miller, A practitioner's guide to cluster-robust inference,
        J. Human Resources 50 (2015), 317-372.
        L. Kish, Survey Sampling (Wiley 1965), 8.2.
        """
        check_confidence(confidence)
        found = self.find_parts(confidence, values) if self.n else None
        if found is None and self.n and values.low == values.high:  # only one value is possible
            return Estimate.exactly(values.low, self.n, confidence)
        if found is None:
            value = float(Fraction(self._sums[1]) / Fraction(self._sums[0])) if self.n else math.nan
            return Estimate(value, math.nan, -math.inf, math.inf, self.n, confidence)
        parts, se = found
        return build_mean(parts, se, self.n, confidence, values, self.minimum == self.maximum)

    @property
    def is_mostly_equal(self) -> bool:
        """Whether enough values are equal for the interval to depend on the values that are possible."""
        counts = self._rare.counts
        if not counts:
            return False
        return max(counts.values()) > LEAST_USUAL * sum(counts.values())

    def find_parts(self, confidence: float, values: ValueRange) -> tuple[MeanParts, float] | None:
        """Return the parts of the interval of the mean, and its standard error.

        Return None for fewer than two clusters.
        """
        # Sums of squares and products over all clusters, including incomplete ones
        n_clusters, cluster_ww, cluster_wx, cluster_xx = self._sums[4:]
        for weight, total in self._incomplete.values():
            n_clusters, cluster_ww = n_clusters + 1, cluster_ww + weight * weight
            cluster_wx, cluster_xx = cluster_wx + weight * total, cluster_xx + total * total
        if n_clusters < 2:
            return None

        # The variance of a ratio of sums over clusters, from their residuals (Cochran 6.2, 9A)
        w = Fraction(self._sums[0])
        mean = Fraction(self._sums[1]) / w
        residuals = cluster_xx - 2 * mean * cluster_wx + mean * mean * cluster_ww
        se = take_root(residuals * n_clusters / (n_clusters - 1) / (w * w))

        # Kish's effective size, (sum of W)² / (sum of W²) over clusters
        size = float(w * w / cluster_ww)
        parts = MeanParts(float(mean), float(mean), se, max(size - 1, 1.0))
        return add_unusual_values(parts, size, self._rare.counts, values, confidence), se
