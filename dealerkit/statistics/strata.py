"""Means over strata: groups whose shares of a population are known or estimated apart from their values."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dealerkit.statistics.estimates import Estimate
from dealerkit.statistics.intervals import check_confidence, student_quantile
from dealerkit.statistics.moments import Moments


def stratified_mean(
    strata: Sequence[Moments], sizes: Sequence[Estimate], confidence: float = 0.95, is_share: bool = False
) -> Estimate:
    """Return the mean of a population that consists of strata, from a sample of each.

    Parameters
    ----------
    strata : sequence of Moments
        Values of the deals sampled from each stratum, without weights.
    sizes : sequence of Estimate
        Sizes of the strata in a common unit, exact or estimated independently of each other and of the
        values. They need not add up to 1.
    confidence : float in (0, 1)
        Confidence level of the interval.
    is_share : bool
        The values are 0 or 1; the interval stays between them.

    Returns
    -------
    Estimate
        sum(P_k m_k) / sum(P_k) for strata of size P_k and mean m_k; nan if a stratum without a value has a
        size above 0. Its variance is sum((P_k / P)² s_k² / n_k) + sum(((m_k - m) / P)² se(P_k)²). The
        interval is Student's t with Satterthwaite's degrees of freedom. The variance of a stratum in which
        all values are 0, or all 1, is that of a share of (successes + 1) / (n + 2).

    References
    ----------
    W. G. Cochran, Sampling Techniques, 3rd ed. (Wiley 1977), 5.3, 5.4 and 12.2.

    Examples
    --------
    >>> import numpy as np
    >>> weak, strong = Moments(), Moments()
    >>> weak.update(np.array([4, 6, 5, 5]))
    >>> strong.update(np.array([14, 16, 15, 15]))
    >>> mean = stratified_mean([weak, strong], [Estimate.exactly(0.9), Estimate.exactly(0.1)])
    >>> round(mean.value, 9), round(mean.se, 3)
    (6.0, 0.37)
    """
    check_confidence(confidence)
    used = [(moments, size) for moments, size in zip(strata, sizes, strict=True) if size.value > 0]
    n = sum(moments.n for moments, _ in used)
    if not used or any(not moments.n for moments, _ in used):
        return Estimate(math.nan, math.nan, -math.inf, math.inf, n, confidence)
    total = sum(size.value for _, size in used)
    means = [float(moments.total) / moments.n for moments, _ in used]
    mean = sum(size.value * value for (_, size), value in zip(used, means, strict=True)) / total
    variances = [
        (size.value / total) ** 2 * _find_variance(moments, value, is_share) / moments.n
        for (moments, size), value in zip(used, means, strict=True)
    ]
    of_sizes = sum(
        ((value - mean) / total * size.se) ** 2 for (_, size), value in zip(used, means, strict=True)
    )
    variance = sum(variances) + of_sizes
    if math.isnan(variance):
        return Estimate(mean, math.nan, -math.inf, math.inf, n, confidence)
    squares = sum(part**2 / max(moments.n - 1, 1) for part, (moments, _) in zip(variances, used, strict=True))
    freedom = max(1, int(variance**2 / squares)) if squares > 0 else 10**6
    half = student_quantile(confidence, min(freedom, 10**6)) * math.sqrt(variance)
    lo, hi = mean - half, mean + half
    if is_share:
        lo, hi = max(lo, 0.0), min(hi, 1.0)
    return Estimate(mean, math.sqrt(variance), lo, hi, n, confidence)


def _find_variance(moments: Moments, mean: float, is_share: bool) -> float:
    """Return the sample variance of a stratum; nan for a single value that is no share."""
    if is_share and mean in (0, 1):
        share = (mean * moments.n + 1) / (moments.n + 2)
        return share * (1 - share)
    return moments.variance
