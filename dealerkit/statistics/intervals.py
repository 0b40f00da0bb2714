"""Quantiles for confidence intervals, and intervals of shares."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from dealerkit.errors import ArgumentError, Parameter

FEW_SUCCESSES = 15  # up to this number of successes, the interval of a share is wider than Wilson's
FEW_ERROR = 0.7  # probability that the widened end misses the share, relative to the error of both ends


def check_confidence(confidence: float) -> None:
    """Raise ArgumentError if a confidence level is not a float between 0 and 1."""
    if not isinstance(confidence, float | np.floating) or not 0 < confidence < 1:
        raise ArgumentError(
            Parameter("confidence"), f" is {confidence!r}; it must be between 0 and 1, for example 0.95"
        )


def normal_quantile(confidence: float) -> float:
    """Return the two-sided quantile of the normal distribution, such as 1.96 for the level 0.95.

    Raises
    ------
    ArgumentError
        The level is not between 0 and 1.

    Examples
    --------
    >>> round(normal_quantile(0.95), 3)
    1.96
    """
    from statistics import NormalDist  # importing scipy takes a tenth of a second

    check_confidence(confidence)
    return NormalDist().inv_cdf((1 + confidence) / 2)


def student_quantile(confidence: float, freedom: float) -> float:
    """Return the two-sided quantile of Student's t with `freedom` >= 1 degrees of freedom.

    From 50 degrees of freedom, it is computed by the expansion 26.7.5 of Abramowitz and Stegun, *Handbook of
    Mathematical Functions* (1964), which then has eight correct digits; scipy computes it for fewer degrees
    and for confidence levels above 0.99.

    Raises
    ------
    ArgumentError
        The level is not between 0 and 1.

    Examples
    --------
    >>> round(student_quantile(0.95, 9), 3), round(student_quantile(0.95, 1000), 3)
    (2.262, 1.962)
    """
    check_confidence(confidence)
    if freedom < 50 or confidence > 0.99:
        from scipy.special import stdtrit

        return float(stdtrit(freedom, (1 + confidence) / 2))
    z = normal_quantile(confidence)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, 1))


def wilson_interval(share: Any, n: Any, z: float) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends of Wilson's score interval for shares.

    Parameters
    ----------
    share : float or ndarray of float, 0 to 1
        The shares.
    n : float or ndarray of float > 0
        The sample size, which can be an effective one. Both arguments are broadcast against each other.
    z : float
        Quantile of the normal distribution, as returned by `normal_quantile`.

    Returns
    -------
    lo, hi : ndarray of float64
        In the broadcast shape. `lo` is exactly 0 for a share of 0, and `hi` exactly 1 for a share of 1.

    References
    ----------
    E. B. Wilson, Probable inference, the law of succession, and statistical inference, J. Am. Stat. Assoc. 22
    (1927), 209-212.

    Examples
    --------
    >>> [round(float(end), 4) for end in wilson_interval(0.5, 100, 1.96)]
    [0.4038, 0.5962]
    """
    share, ratio = np.asarray(share, float), z * z / np.asarray(n, float)
    centre = (share + ratio / 2) / (1 + ratio)
    half = np.sqrt(ratio * (share * (1 - share) + ratio / 4)) / (1 + ratio)
    lo, hi = np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
    return np.where(share <= 0, 0.0, lo), np.where(share >= 1, 1.0, hi)


def share_interval(share: Any, n: Any, confidence: float) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends of the interval for shares: Wilson's, widened for few successes or failures.

    A true share just below the lower end of Wilson's interval for one success is covered in only 84 of 100
    samples. Brown, Cai and DasGupta therefore replace the lower end for up to three successes. Here, the
    lower end for up to 15 successes is at most the share for which at least as many successes have a
    probability of 0.7 times the error, which is 3.5 % for a 95 % interval. The upper end for few failures is
    treated in the same way. The 95 % interval then covers every share in at least 93 % of samples, for every
    sample size from 3 on.

    Parameters
    ----------
    share : float or ndarray of float, 0 to 1
        The shares.
    n : float or ndarray of float > 0
        The sample size, which can be an effective one. Both arguments are broadcast against each other.
    confidence : float in (0, 1)
        Confidence level of the interval.

    Returns
    -------
    lo, hi : ndarray of float64
        In the broadcast shape. `lo` is exactly 0 for a share of 0, and `hi` exactly 1 for a share of 1.

    Raises
    ------
    ArgumentError
        The confidence level is not between 0 and 1.

    References
    ----------
    L. D. Brown, T. T. Cai, A. DasGupta, Interval estimation for a binomial proportion, Statistical Science 16
    (2001), 101-133, 4.1.1.

    Examples
    --------
    >>> [round(float(end), 4) for end in share_interval(0.1, 10, 0.95)]
    [0.0036, 0.421]
    """
    share, n = np.broadcast_arrays(np.asarray(share, float), np.asarray(n, float))
    lo, hi = wilson_interval(share, n, normal_quantile(confidence))
    error = FEW_ERROR * (1 - confidence)
    return _lower_ends(lo, share, n, error), 1 - _lower_ends(1 - hi, 1 - share, n, error)


def _lower_ends(lo: np.ndarray, share: np.ndarray, n: np.ndarray, error: float) -> np.ndarray:
    """Return the lower ends of shares, lowered where there are few successes."""
    successes = share * n
    rows = np.flatnonzero((successes > 0) & (successes <= FEW_SUCCESSES + 1e-9))
    if not rows.size:
        return lo
    ends = {}
    pairs = list(zip(successes.ravel()[rows].tolist(), n.ravel()[rows].tolist(), strict=True))
    for number, size in set(pairs):
        whole = math.floor(number + 1e-9)  # an effective number is not always whole
        end = find_least_share(whole, size, error) if whole else 0.0
        if number > whole + 1e-9:
            above = find_least_share(whole + 1, max(size, whole + 1.0), error)
            end += (number - whole) * (above - end)
        ends[number, size] = end
    result = np.array(lo)
    result.flat[rows] = np.minimum(lo.ravel()[rows], [ends[pair] for pair in pairs])
    return result


@lru_cache(maxsize=1024)
def find_least_share(successes: int, n: float, probability: float) -> float:
    """Return the share for which at least `successes` successes in n values have this probability.

    It is a quantile of the beta distribution, found by Newton's method for logarithms; the distribution
    function is a sum over all smaller numbers of successes. `n` can be an effective number.

    >>> round(find_least_share(1, 10, 0.05), 6)  # 1 - 0.95 ** (1 / 10)
    0.005116
    """
    others = n - successes + 1
    logarithm = math.log(min(successes * probability ** (1 / successes) / (2 * n), 0.9))
    for _ in range(50):
        share = math.exp(logarithm)
        term = total = 1.0
        for k in range(1, successes):
            term *= share * (others + k - 1) / k
            total += term
        rest = math.exp(others * math.log1p(-share))
        reached = max(1 - rest * total, 1e-300)
        slope = term * (others + successes - 1) * rest * share / (1 - share)  # derivative by log(share)
        step = (math.log(reached) - math.log(probability)) * reached / slope
        logarithm = min(logarithm - step, -1e-12)
        if abs(step) < 1e-10:
            break
    return math.exp(logarithm)


def logit_interval(value: float, se: float, critical: float, cases: int) -> tuple[float, float]:
    """Return the interval of a value between 0 and 1 that is symmetric on the scale of logits.

    For a value of 0 or 1 in `cases` independent cases, the interval is that of the binomial distribution.

    Parameters
    ----------
    value, se : float
        The value and its standard error.
    critical : float
        The two-sided quantile of the confidence level.
    cases : int
        Number of independent cases.

    >>> [round(end, 3) for end in logit_interval(0.9, 0.03, 1.96, 100)]
    [0.824, 0.945]
    >>> [round(end, 3) for end in logit_interval(1.0, 0.0, 1.96, 100)]
    [0.964, 1.0]
    """
    from scipy.special import expit, logit, ndtr

    if se <= 0 or not 0 < value < 1:
        end = float(ndtr(-critical)) ** (1 / cases)
        return (min(value, 1 - end), 1 - end) if value < 0.5 else (end, max(value, end))
    half = critical * se / (value * (1 - value))
    low, high = expit(logit(value) + np.array([-half, half]))
    return float(low), float(high)
