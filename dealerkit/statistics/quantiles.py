"""Quantiles of values, from counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.statistics.counts import Counts
from dealerkit.statistics.estimates import Estimate
from dealerkit.statistics.intervals import FEW_ERROR, normal_quantile, wilson_interval

MAX_EXACT = 10_000  # values; with more, the ends are quantiles at the ends of Wilson's interval


class Quantiles:
    """Quantiles of values, exact for multiples of `unit`.

    Values are rounded to the nearest multiple of `unit` and counted; the error is at most half a unit.

    Parameters
    ----------
    unit : float > 0
        1 for points, tricks and scores; 0.01 for measures in hundredths.

    Examples
    --------
    >>> tricks = Quantiles()
    >>> tricks.update(np.array([7, 8, 8, 9, 9, 9, 10]))
    >>> tricks.quantile(0.5).value
    9.0
    """

    def __init__(self, unit: float = 1) -> None:
        if not unit > 0:
            raise ArgumentError(f"unit is {unit!r}; it must be above 0")
        self.unit, self.counts = unit, Counts()

    def update(self, values: np.ndarray, weights: Any = None, clusters: Any = None) -> None:
        """Add a batch of values; arguments as for `Moments.update`."""
        steps = np.asarray(values)
        if steps.dtype.kind == "f" or self.unit != 1:
            steps = steps / self.unit
            if not np.isfinite(steps).all():
                raise ArgumentError("values must be finite; remove the deals that have none")
            steps = np.rint(steps).astype(np.int64)
        self.counts.update(steps, weights, clusters)

    @property
    def n(self) -> int:
        """Number of values with a weight above 0."""
        return self.counts.n

    def complete_clusters(self) -> None:
        """Complete all clusters: those of values added later are others, even with the same numbers."""
        self.counts.complete_clusters()

    def merge(self, other: Quantiles) -> None:
        """Add the values of another accumulator; raise ArgumentError if its unit differs."""
        if self.unit != other.unit:
            raise ArgumentError(f"quantiles of units {self.unit:g} and {other.unit:g} cannot be merged")
        self.counts.merge(other.counts)

    def quantile(self, q: float, confidence: float = 0.95) -> Estimate:
        """Return the smallest value whose cumulative share is at least `q`, with an interval.

        Parameters
        ----------
        q : float in [0, 1]
            0.5 for the median.
        confidence : float in (0, 1)

        Returns
        -------
        Estimate
            The ends of the interval are the quantiles at the shares of `find_end_shares`; infinite where the
            sample is too small to have one. `se` is their distance divided by twice the normal quantile.

        Raises
        ------
        ArgumentError
            If `q` or `confidence` is out of its range.

        References
        ----------
        R. S. Woodruff, Confidence intervals for medians and other position measures,
        J. Am. Stat. Assoc. 47 (1952), 635-646.
        """
        if not 0 <= q <= 1:
            raise ArgumentError(f"q is {q!r}; it must be between 0 and 1")
        z = normal_quantile(confidence)
        if not self.counts.n:
            return Estimate(math.nan, math.nan, -math.inf, math.inf, 0, confidence)
        weights = self.counts.weights[1:-1]
        positive = np.flatnonzero(weights)
        cumulative = np.cumsum(weights[positive])
        shares = find_end_shares(q, self.counts.effective_size(), confidence)
        # Rounding of q times the total must not change a quantile to the next value.
        targets = np.clip(np.array([q, *shares]), 0, 1) * cumulative[-1] * (1 - 1e-12)
        cells = positive[np.searchsorted(cumulative, targets).clip(max=positive.size - 1)]
        value, low, high = (self.counts.values()[cells] * self.unit).tolist()
        if shares[0] <= 0:
            low = -math.inf
        if shares[1] > 1:
            high = math.inf
        se = (high - low) / (2 * z) if math.isfinite(high - low) else math.nan
        return Estimate(float(value), se, float(low), float(high), self.counts.n, confidence)


def find_end_shares(q: float, n: float, confidence: float) -> tuple[float, float]:
    """Return the shares of a sample at whose quantiles the interval of a quantile of the population ends.

    The number B of n values below the quantile is binomial. The ends are the values number l and u in
    ascending order, where P(B < l) and P(B >= u) are at most 0.7 times the error: the interval of 95 % covers
    at least 93 %. They are l / n, 0 where the smallest value is not an end, and u / n, above 1 where the
    largest is not an end.

    Parameters
    ----------
    q : float in [0, 1]
    n : float > 0
        Number of values, which may be an effective one.
    confidence : float in (0, 1)

    References
    ----------
    W. R. Thompson, On confidence ranges for the median and other expectation distributions for populations of
    unknown distribution form, Ann. Math. Stat. 7 (1936), 122-128.

    Examples
    --------
    >>> find_end_shares(0.5, 10, 0.95), find_end_shares(0.9, 10, 0.95)
    ((0.2, 0.9), (0.7, 1.1))
    """
    if n > MAX_EXACT:
        lo, hi = wilson_interval(q, n, normal_quantile(confidence))
        return float(lo), float(hi)
    from scipy.special import betainc

    error = FEW_ERROR * (1 - confidence)
    numbers = np.arange(1, math.floor(n) + 1)
    at_least = betainc(numbers, n - numbers + 1, q)  # P(B >= number)
    lower = np.count_nonzero(1 - at_least <= error + 1e-12)
    upper = 1 + np.count_nonzero(at_least > error + 1e-12)
    return float(lower / n), float(upper / n) if upper <= math.floor(n) else 1 + 1 / n
