"""Estimates from a random sample, exact numbers of a whole population, and numbers of a part of it.

A sample has a fixed size, or it ends with the last of a given number of successes.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from typing import Literal

import numpy as np

from dealerkit.statistics.counts import Counts, ShareTable
from dealerkit.statistics.estimates import Estimate, proportion
from dealerkit.statistics.intervals import check_confidence, normal_quantile, wilson_interval
from dealerkit.statistics.moments import Moments
from dealerkit.statistics.rare_values import ANY_VALUE, ValueRange

# The values of a population that were accumulated: a random sample; all of them, so that nothing has to be
# estimated; or a part that is not random, such as the first ones in an order, which cannot give an interval
Coverage = Literal["sample", "all", "part"]


def estimate_mean(
    moments: Moments, confidence: float, coverage: Coverage, values: ValueRange = ANY_VALUE
) -> Estimate:
    """Return the mean with the interval of `Moments.mean`, or exactly, or without an interval.

    The result depends on `coverage`: a sample, all values, or a part of them.

    >>> points = Moments()
    >>> points.update(np.array([10, 12, 7]))
    >>> estimate_mean(points, 0.95, "all").fraction, estimate_mean(points, 0.95, "part")
    (Fraction(29, 3), 9.66667 (n = 3, no interval))
    """
    mean, total = moments.mean(confidence, values), moments.total
    if coverage == "sample" or not moments.n:
        return mean
    if coverage == "part":
        return _remove_interval(mean)
    exact = Fraction(total, moments.n) if isinstance(total, int) else mean.value
    return Estimate.exactly(exact, moments.n, confidence)


def estimate_sd(moments: Moments, coverage: Coverage) -> float:
    """Return the standard deviation, with the divisor n for all values and n - 1 otherwise."""
    if coverage == "all" and moments.n:
        return moments.sd * math.sqrt((moments.n - 1) / moments.n) if moments.n > 1 else 0.0
    return moments.sd


def estimate_share(counts: Counts, value: int, confidence: float, coverage: Coverage) -> Estimate:
    """Return the share of a value with its interval, or exactly, or without an interval."""
    share = counts.share(value, confidence=confidence)
    if coverage == "sample" or not counts.n:
        return share
    if coverage == "part":
        return _remove_interval(share)
    return Estimate.exactly(Fraction(round(share.value * counts.n), counts.n), counts.n, confidence)


def estimate_proportion(
    successes: int, n: int, confidence: float, coverage: Coverage, is_stopped: bool = False
) -> Estimate:
    """Return a share with its interval, or exactly, or without an interval.

    If `is_stopped`, the values end with the last of a fixed number of successes.
    """
    if is_stopped and successes and coverage == "sample":
        return estimate_stopped_rate(successes, n, confidence)
    share = proportion(successes, n, confidence)
    if coverage == "sample" or not n:
        return share
    if coverage == "part":
        return _remove_interval(share)
    return Estimate.exactly(Fraction(successes, n), n, confidence)


def tabulate_shares(counts: Counts, confidence: float, coverage: Coverage) -> ShareTable:
    """Return the shares of all cells with intervals, or exactly, or with nan for intervals and errors."""
    table = counts.shares(confidence)
    if coverage == "sample" or not counts.n:
        return table
    if coverage == "all":
        return ShareTable(table.share, np.zeros(table.share.shape), table.share, table.share)
    unknown = np.full(table.share.shape, math.nan)
    return ShareTable(table.share, unknown, unknown, unknown)


def _remove_interval(estimate: Estimate) -> Estimate:
    return replace(estimate, se=math.nan, lo=-math.inf, hi=math.inf, constant=False)


MIN_WILSON = 20  # with fewer successes, Wilson's interval covers the rate of such a sample too rarely
_BISECTIONS = 60


def estimate_stopped_rate(successes: int, n: int, confidence: float = 0.95) -> Estimate:
    """Estimate the rate of successes from a sample that ended with the last of a fixed number of successes.

    The share successes / n is too high on average, because the sample ends with a success. The estimate is
    (successes - 1) / (n - 1), which is unbiased, even if another limit could have ended the sample later. For
    one success, the only unbiased estimate is useless (1 if n is 1, otherwise 0), so the value is 1 / n and
    marked as `biased`.

    Parameters
    ----------
    successes : int >= 1
        The fixed number of successes.
    n : int >= successes
        Number of values.
    confidence : float in (0, 1)
        Confidence level of the interval.

    Returns
    -------
    Estimate
        Below 20 successes, it has the exact interval, that of Clopper and Pearson for the negative binomial
        distribution; otherwise it has Wilson's interval for the share. `se` is the square root of the
        unbiased estimate of the variance, p (1 - p) / (n - 2).

    Raises
    ------
    ArgumentError
        There are more successes than values, or the confidence level is not between 0 and 1.

    References
    ----------
    J. B. S. Haldane, On a method of estimating frequencies, Biometrika 33 (1945), 222-225.
    D. J. Finney, On a method of estimating frequencies, Biometrika 36 (1949), 233-234.
    M. A. Girshick, F. Mosteller, L. J. Savage, Unbiased estimates for certain binomial sampling problems with
    applications, Ann. Math. Stat. 17 (1946), 13-23.

    Examples
    --------
    >>> estimate_stopped_rate(100, 1090).value == 99 / 1089
    True
    >>> estimate_stopped_rate(1, 25)
    0.040 [0.001, 0.142] (n = 25, biased)
    """
    # Haldane's estimate with Finney's variance
    check_confidence(confidence)
    share = proportion(successes, n, confidence)
    if successes == 1:
        value, se = share.value, share.value * math.sqrt(1 - share.value)
    else:
        value = (successes - 1) / (n - 1)
        se = math.sqrt(value * (1 - value) / max(n - 2, 1))

    # The interval
    if successes < MIN_WILSON:
        lo, hi = _find_exact_interval(successes, n, (1 - confidence) / 2)
    else:
        ends = wilson_interval(share.value, n, normal_quantile(confidence))
        lo, hi = float(ends[0]), float(ends[1])
    return Estimate(value, se, lo, hi, n, confidence, biased=successes == 1)


def _find_exact_interval(successes: int, n: int, tail: float) -> tuple[float, float]:
    """Return the rates for which a sample at most, and one at least, as long has the probability `tail`."""
    hi = 1.0 if n == successes else _find_rate(successes, n - 1, 1 - tail)
    return _find_rate(successes, n, tail), hi


def _find_rate(successes: int, n: int, probability: float) -> float:
    """Return the rate for which `n` values have at least this number of successes with this probability."""
    logs = [*accumulate((math.log((n - k) / (k + 1)) for k in range(successes - 1)), initial=0.0)]

    def has_too_few(rate: float) -> bool:
        passed, failed = math.log(rate), math.log1p(-rate)
        fewer = (math.exp(ways + k * passed + (n - k) * failed) for k, ways in enumerate(logs))
        return 1 - sum(fewer) < probability

    # Bisection: the probability of at least this number of successes increases with the rate.
    low, high = -math.log(n) - 40.0, 0.0  # logarithms, because rates can be as small as 1e-10
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if has_too_few(math.exp(middle)):
            low = middle
        else:
            high = middle
    return math.exp((low + high) / 2)
