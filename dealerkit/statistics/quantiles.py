"""Quantiles of values, computed from counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.statistics.counts import Counts
from dealerkit.statistics.estimates import Estimate
from dealerkit.statistics.intervals import FEW_ERROR, normal_quantile, wilson_interval

MAX_EXACT = 10_000  # for more values, the ends are quantiles at the ends of Wilson's interval


class Quantiles:
    """Quantiles of values, exact for multiples of `unit`.

    Values are rounded to the nearest multiple of `unit` and counted; the error is at most half a unit.

    Parameters
    ----------
    unit : float > 0
        1 for points, tricks and scores; 0.01 for measures with two decimals.

    Raises
    ------
    ArgumentError
        The unit is not above 0.

    Examples
    --------
    >>> tricks = Quantiles()
    >>> tricks.update(np.array([7, 8, 8, 9, 9, 9, 10]))
    >>> tricks.quantile(0.5).value
    9.0
    """

    def __init__(self, unit: float = 1) -> None:
        if not unit > 0:
            raise ArgumentError(f"unit is {unit!r}; give a number above 0")
        self.unit, self.counts = unit, Counts()

    def update(self, values: np.ndarray, weights: Any = None, clusters: Any = None) -> None:
        """Add a batch of values; the arguments and errors are those of `Moments.update`."""
        steps = np.asarray(values)
        if steps.dtype.kind == "f" or self.unit != 1:
            steps = steps / self.unit
            if not np.isfinite(steps).all():
                raise ArgumentError(
                    "values must be finite; leave out deals whose value is infinite or missing"
                )
            steps = np.rint(steps).astype(np.int64)
        self.counts.update(steps, weights, clusters)

    @property
    def n(self) -> int:
        """Number of values with a weight above 0."""
        return self.counts.n

    def complete_clusters(self) -> None:
        """Treat all clusters as complete, as `Moments.complete_clusters` does."""
        self.counts.complete_clusters()

    def merge(self, other: Quantiles) -> None:
        """Add the values of another accumulator; raise ArgumentError if its unit is different."""
        if self.unit != other.unit:
            raise ArgumentError(
                f"quantiles with the units {self.unit:g} and {other.unit:g} cannot be merged; use one unit"
            )
        self.counts.merge(other.counts)

    def quantile(self, q: float, confidence: float = 0.95) -> Estimate:
        """Return the smallest value whose cumulative share is at least `q`, with an interval.

        Parameters
        ----------
        q : float in [0, 1]
            The cumulative share, such as 0.5 for the median.
        confidence : float in (0, 1)
            Confidence level of the interval.

        Returns
        -------
        Estimate
            The ends of the interval are the quantiles at the shares of `find_end_shares`; an end is infinite
            if the sample is too small for it. `se` is the distance between the ends, divided by twice the
            normal quantile.

        Raises
        ------
        ArgumentError
            `q` or `confidence` is out of range.

        References
        ----------
        R. S. Woodruff, Confidence intervals for medians and other position measures,
        J. Am. Stat. Assoc. 47 (1952), 635-646.
        """
        if not 0 <= q <= 1:
            raise ArgumentError(f"q is {q!r}; give a number between 0 and 1, such as 0.5 for the median")
        z = normal_quantile(confidence)
        if not self.counts.n:
            return Estimate(math.nan, math.nan, -math.inf, math.inf, 0, confidence)
        weights = self.counts.weights[1:-1]
        positive = np.flatnonzero(weights)
        cumulative = np.cumsum(weights[positive])
        shares = find_end_shares(q, self.counts.effective_size(), confidence)
        # The rounding error of q times the total must not move a quantile to the next value.
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
    """Return the shares at which the quantiles of a sample are the ends of a quantile's interval.

    The number B of n values below the quantile of the population is binomial. In ascending order, the values
    with the numbers l and u are the ends, where P(B < l) and P(B >= u) are at most 0.7 times the error. So
    the 95 % interval covers the quantile in at least 93 % of samples.

    Parameters
    ----------
    q : float in [0, 1]
        The cumulative share of the quantile.
    n : float > 0
        Number of values, which can be an effective one.
    confidence : float in (0, 1)
        Confidence level of the interval.

    Returns
    -------
    lower, upper : float
        l / n, which is 0 if even the smallest value is not an end, and u / n, which is above 1 if even the
        largest value is not an end. Above 10,000 values, both are the ends of Wilson's interval for q.

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
