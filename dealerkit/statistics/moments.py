"""Number, mean, spread and range of a stream of values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.statistics.blocks import (
    about_zero,
    as_exact,
    checked,
    product_sum,
    starts_of,
)
from dealerkit.statistics.estimates import Estimate, check_level, student_quantile


class Moments:
    """Number, mean, spread and range of a stream of values.

    Sums are kept as integers or fractions: integers add up without any error,
    floats with the rounding inside one block only, and the order of merging
    changes nothing.

    Attributes
    ----------
    n : int
        Number of values (with a weight above 0).
    minimum, maximum : int or float or None
        Smallest and largest value; None without values.

    Examples
    --------
    >>> points = Moments()
    >>> points.update(np.array([10, 12, 7, 15, 9, 11]))
    >>> points.mean()
    10.67 ± 2.87 (n = 6)
    >>> round(points.sd, 4)
    2.7325
    """

    def __init__(self) -> None:
        self.n = 0
        self.minimum: float | None = None
        self.maximum: float | None = None
        # Sums over values of w, w x, w x², w²; then the number of clusters and the sums over clusters
        # of W², W X, X² (W = sum of w, X = sum of w x). A value without a cluster is one of its own.
        self._sums: list[Any] = [0] * 8
        self._open: dict[int, tuple[Any, Any]] = {}

    def update(self, values: np.ndarray, weights: Any = None, clusters: Any = None) -> None:
        """Add a block of values.

        Parameters
        ----------
        values : ndarray of bool, int or float [n]
            Finite numbers.
        weights : ndarray of float [n] or None
            Not negative; None means 1 each.
        clusters : ndarray of int [n] or None
            Number of the cluster of each value. Only the clusters with the smallest and the
            largest number of a block may have further values in another block.

        Raises
        ------
        ArgumentError
            Lengths differ, a value is not finite, or a weight is negative.
        """
        (x,), w, ids = checked((values,), weights, clusters)
        if not x.size:
            return
        if x.dtype.kind == "b":
            x = x.view(np.uint8)
        if x.dtype.kind not in "iuf":
            raise ArgumentError(f"values of type {x.dtype} have no mean; give integers or floats")
        low, high = x.min().item(), x.max().item()
        if not (math.isfinite(low) and math.isfinite(high)):
            raise ArgumentError("values must be finite; leave out the deals that have none")
        starts = None if ids is None else starts_of(ids)
        sizes = None if starts is None else np.diff(starts, append=x.size)
        whole = x.dtype.kind != "f" and w is None
        exact: type = int if whole else Fraction
        centre: Any = 0
        if whole:
            d = as_exact(x, 1 if sizes is None else int(sizes.max()), low, high)
        else:
            x = x.astype(np.float64, copy=False)
            centre = float(x.mean())
            d = x - centre
        m = exact(centre)
        if w is None:
            total = squares = exact(x.size)
            first, second = exact(d.sum()), exact(product_sum(d, d))
            wd = d
        else:
            wd = w * d
            total, squares = Fraction(float(w.sum())), Fraction(float(product_sum(w, w)))
            first, second = Fraction(float(wd.sum())), Fraction(float(product_sum(wd, d)))
        plain = about_zero(total, first, second, m)
        if ids is None or starts is None:
            groups = x.size
            between = (
                plain
                if w is None
                else about_zero(
                    squares, Fraction(float(product_sum(w, wd))), Fraction(float(product_sum(wd, wd))), m
                )
            )
        else:
            weight = (sizes if w is None else np.add.reduceat(w, starts)).astype(d.dtype)  # type: ignore[union-attr]
            inner, sums = weight[1:-1], np.add.reduceat(wd, starts)
            groups = inner.size
            between = about_zero(
                exact(product_sum(inner, inner)),
                exact(product_sum(inner, sums[1:-1])),
                exact(product_sum(sums[1:-1], sums[1:-1])),
                m,
            )
            for end in {0, starts.size - 1}:
                one, some = exact(weight[end]), exact(sums[end])
                self._keep(int(ids[starts[end]]), one, some + m * one)
        self.n += x.size
        self._extend(low, high)
        self._add((*plain, squares, groups, *between))

    def merge(self, other: Moments) -> None:
        """Add all that another accumulator has seen."""
        self.n += other.n
        if other.minimum is not None and other.maximum is not None:
            self._extend(other.minimum, other.maximum)
        self._add(other._sums)
        for number, sums in other._open.items():
            self._keep(number, *sums)

    def _extend(self, low: float, high: float) -> None:
        self.minimum = low if self.minimum is None else min(self.minimum, low)
        self.maximum = high if self.maximum is None else max(self.maximum, high)

    def _add(self, sums: Sequence[Any]) -> None:
        self._sums = [a + b for a, b in zip(self._sums, sums, strict=True)]

    def _keep(self, number: int, weight: Any, total: Any) -> None:
        before = self._open.get(number, (0, 0))
        self._open[number] = before[0] + weight, before[1] + total

    @property
    def total(self) -> float:
        """Weighted sum of the values; an int as long as values are integers and unweighted."""
        total = self._sums[1]
        return total if isinstance(total, int) else float(total)

    @property
    def variance(self) -> float:
        """Sample variance, divisor n - 1; with weights sum(w) - sum(w²) / sum(w). nan below two values."""
        w, wx, wxx, ww = (Fraction(s) for s in self._sums[:4])
        if self.n < 2:
            return math.nan
        return float((wxx - wx * wx / w) / (w - ww / w))

    @property
    def sd(self) -> float:
        """Sample standard deviation, the root of `variance`."""
        return math.sqrt(self.variance)

    def mean(self, level: float = 0.95) -> Estimate:
        """The mean with Student's t interval.

        Weighted values give the ratio estimator sum(w x) / sum(w). Its variance, and that of
        clustered values, is the sandwich over clusters with the factor G / (G - 1); the interval
        has G - 1 degrees of freedom, G the number of clusters (of values, where there are none).

        References
        ----------
        W. G. Cochran, Sampling Techniques, 3rd ed. (Wiley 1977), 6.2 and 9A.
        A. C. Cameron, D. L. Miller, A practitioner's guide to cluster-robust inference,
        J. Human Resources 50 (2015), 317-372.
        """
        check_level(level)
        if not self.n:
            return Estimate(math.nan, math.nan, -math.inf, math.inf, 0, level)
        w, wx = Fraction(self._sums[0]), Fraction(self._sums[1])
        groups, one, cross, square = self._sums[4:]
        for weight, total in self._open.values():
            groups, one = groups + 1, one + weight * weight
            cross, square = cross + weight * total, square + total * total
        m = wx / w
        value = float(m)
        if groups < 2:
            return Estimate(value, math.nan, -math.inf, math.inf, self.n, level)
        variance = (square - 2 * m * cross + m * m * one) * groups / (groups - 1) / (w * w)
        se = math.sqrt(variance)
        half = student_quantile(level, groups - 1) * se
        return Estimate(value, se, value - half, value + half, self.n, level)
