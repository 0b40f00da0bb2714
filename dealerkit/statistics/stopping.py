"""Intervals of estimates from two phases, and when a sample is large enough.

The rule. After a first batch the sizes that the precision needs follow from its variances, as in Stein's
procedure; the next batch aims at most of them, the last ones at all. Before each batch the sample ends if the
half-width of its interval is at most the precision (Chow and Robbins), where the interval uses Student's t
with the degrees of freedom of the variance. Few looks at a first batch that is not small keep the coverage;
`tests/studies/test_coverage.py` measures it.

References
----------
C. Stein, A two-sample test for a linear hypothesis whose power is independent of the variance, Ann. Math.
Stat. 16 (1945), 243-258.
Y. S. Chow, H. Robbins, On the asymptotic theory of fixed-width sequential confidence intervals for the mean,
Ann. Math. Stat. 36 (1965), 457-462.
E. L. Korn, B. I. Graubard, Confidence intervals for proportions with small expected number of positive counts
estimated from survey data, Survey Methodology 24 (1998), 193-201.
"""

from __future__ import annotations

import math

from dealerkit.statistics.estimates import Estimate
from dealerkit.statistics.intervals import normal_quantile, share_interval, student_quantile

FIRST_PART = 0.7  # of the sizes that a small first batch says are needed
SURE_GROWTH = 1.5  # a sample that needs at most this factor more gets it all at once
MAX_GROWTH = 5  # of a sample in one batch: the variances of a small one may be far too large


def build_estimate(
    value: float, variance: float, freedom: float, n: int, confidence: float = 0.95, is_share: bool = False
) -> Estimate:
    """Return the estimate with its interval: Student's t, for a share `proportion`'s with the effective size.

    Parameters
    ----------
    value, variance : float
        The estimate and the variance of its error, above 0.
    freedom : float >= 1
        Degrees of freedom of the variance.
    n : int
        Number of values.
    confidence : float in (0, 1)
    is_share : bool
        The value is between 0 and 1. The effective size is that of a plain sample with this variance.

    Examples
    --------
    >>> build_estimate(0.5, 0.0001, 1000, 500)
    0.500 ± 0.020 (n = 500)
    >>> build_estimate(0.001, 0.000001, 500, 1000, is_share=True)
    0.00100 [0.00004, 0.00567] (n = 1,000)
    """
    # A mean: Student's interval.
    se = math.sqrt(variance)
    t = student_quantile(confidence, min(max(int(freedom), 1), 10**6))
    if not is_share:
        return Estimate(value, se, value - t * se, value + t * se, n, confidence)

    # A share: the interval of a plain sample with this variance, its size reduced for the degrees of freedom
    # (Korn and Graubard). A share of 0 or 1 takes the variance of one that differs by 1 / (n + 2).
    value = min(max(value, 0.0), 1.0)
    least = 1 / (n + 2)
    share = min(max(value, least), 1 - least)
    effective = share * (1 - share) / variance * (normal_quantile(confidence) / t) ** 2
    lo, hi = share_interval(value, effective, confidence)
    return Estimate(value, se, float(lo), float(hi), n, confidence)


def choose_next_size(present: int, needed: int) -> int:
    """Return the size of the sample after the next batch, from the size that its variances say is needed.

    >>> choose_next_size(100, 1000), choose_next_size(500, 1000), choose_next_size(700, 1010)
    (500, 750, 1011)
    """
    # At least a fiftieth more than now. What is nearly reached is added at once, else most of it, since a
    # small batch tells little about its variance.
    needed = max(needed, present + max(present // 50, 1))
    if needed <= SURE_GROWTH * present:
        return needed + 1
    size = max(int(FIRST_PART * needed), int(SURE_GROWTH * present), present + 1)
    return min(size, max(MAX_GROWTH * present, 1))
