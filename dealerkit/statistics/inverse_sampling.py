"""The rate of successes of a sample that ends with a given number of them."""

from __future__ import annotations

import math
from itertools import accumulate

from dealerkit.statistics.estimates import Estimate, proportion
from dealerkit.statistics.intervals import check_confidence, normal_quantile, wilson_interval

MIN_WILSON = 20  # successes: with fewer, Wilson's interval covers the rate too seldom at this end of a sample
_BISECTIONS = 60


def estimate_stopped_rate(successes: int, n: int, confidence: float = 0.95) -> Estimate:
    """Return the rate of successes of a sample that ended with the last of a fixed number of successes.

    The share successes / n is too high on average, since the sample ends with a success. The estimate is
    (successes - 1) / (n - 1), which is unbiased; also where another limit would have ended a longer sample.
    For one success there is no sensible unbiased estimate (it is 1 if n is 1, else 0): the value is 1 / n,
    and `biased`.

    Parameters
    ----------
    successes : int >= 1
        The fixed number.
    n : int >= successes
        Number of values.
    confidence : float in (0, 1)

    Returns
    -------
    Estimate
        With the exact interval (of Clopper and Pearson for the negative binomial distribution) below
        20 successes, else Wilson's of the share; `se` is the root of the unbiased estimate of the variance,
        p (1 - p) / (n - 2).

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
    check_confidence(confidence)
    share = proportion(successes, n, confidence)
    if successes == 1:
        value, se = share.value, share.value * math.sqrt(1 - share.value)
    else:
        value = (successes - 1) / (n - 1)
        se = math.sqrt(value * (1 - value) / max(n - 2, 1))
    if successes < MIN_WILSON:
        lo, hi = _find_exact_interval(successes, n, (1 - confidence) / 2)
    else:
        ends = wilson_interval(share.value, n, normal_quantile(confidence))
        lo, hi = float(ends[0]), float(ends[1])
    return Estimate(value, se, lo, hi, n, confidence, biased=successes == 1)


def _find_exact_interval(successes: int, n: int, tail: float) -> tuple[float, float]:
    """Return the rates at which a sample as short, and one as long, has the probability `tail`."""
    hi = 1.0 if n == successes else _find_rate(successes, n - 1, 1 - tail)
    return _find_rate(successes, n, tail), hi


def _find_rate(successes: int, n: int, probability: float) -> float:
    """Return the rate at which `n` values have so many successes, or more, with this probability."""
    logs = [*accumulate((math.log((n - k) / (k + 1)) for k in range(successes - 1)), initial=0.0)]

    def has_too_few(rate: float) -> bool:
        passed, failed = math.log(rate), math.log1p(-rate)
        fewer = (math.exp(ways + k * passed + (n - k) * failed) for k, ways in enumerate(logs))
        return 1 - sum(fewer) < probability

    low, high = -math.log(n) - 40.0, 0.0  # logarithms, since rates may be as small as 1e-10
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if has_too_few(math.exp(middle)):
            low = middle
        else:
            high = middle
    return math.exp((low + high) / 2)
