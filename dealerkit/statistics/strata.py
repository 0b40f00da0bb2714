"""Means over strata, whose shares of the population are known or estimated independently of their values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import compress

from dealerkit.statistics.estimates import Estimate
from dealerkit.statistics.intervals import check_confidence, share_interval
from dealerkit.statistics.moments import Moments
from dealerkit.statistics.rare_values import ANY_VALUE, MeanParts, ValueRange, add_unusual_values, build_mean


def stratified_mean(
    strata: Sequence[Moments],
    sizes: Sequence[Estimate],
    confidence: float = 0.95,
    values: ValueRange | Sequence[ValueRange] = ANY_VALUE,
    is_share: bool = False,
) -> Estimate:
    """Estimate the mean of a population that consists of strata, from a sample of each.

    Parameters
    ----------
    strata : sequence of Moments
        Values of the deals sampled from each stratum, without weights.
    sizes : sequence of Estimate
        Sizes of the strata in a common unit, exact or estimated independently of each other and of the
        values. They need not add up to 1.
    confidence : float in (0, 1)
        Confidence level of the interval.
    values : ValueRange or sequence of ValueRange
        The values that are possible, in all strata or in each; the interval does not exceed them.
    is_share : bool
        Whether all values are 0 or 1.

    Returns
    -------
    Estimate
        The mean m = sum(P_k m_k) / P, where P_k and m_k are the size and the mean of stratum k, and P is the
        sum of all P_k. It is nan if a stratum with a size above 0 has no values, and exact if each stratum
        has an exact size and only one possible value.

    Raises
    ------
    ArgumentError
        The confidence level is not between 0 and 1.

    Notes
    -----
    The variance of the mean is sum((P_k / P)² s_k² / n_k) + sum(((m_k - m) / P)² se(P_k)²). The interval is
    Student's with Satterthwaite's degrees of freedom. In a stratum where most or all values are equal, values
    are added as for `Moments.mean`.

    The interval of a share m is that of `proportion` with the effective size m (1 - m) / variance. If all
    values of a stratum are 0, or all are 1, its variance is that of the share (successes + 1) / (n + 2).

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
    # Strata of size 0 do not matter. If one of the others has no values, the mean is unknown.
    check_confidence(confidence)
    is_used = [size.value > 0 for size in sizes]
    used = list(compress(zip(strata, sizes, strict=True), is_used))
    ranges = [values] * len(used) if isinstance(values, ValueRange) else list(compress(values, is_used))
    n = sum(moments.n for moments, _ in used)
    if not used or any(not moments.n for moments, _ in used):
        return Estimate(math.nan, math.nan, -math.inf, math.inf, n, confidence)
    total = sum(size.value for _, size in used)
    means = [float(moments.total) / moments.n for moments, _ in used]
    if is_share:
        return _estimate_share(used, means, n, confidence)
    if all(item.low == item.high for item in ranges) and all(size.fraction is not None for _, size in used):
        fractions = [size.fraction or Fraction(0) for _, size in used]
        products = (size * Fraction(item.low) for size, item in zip(fractions, ranges, strict=True))
        return Estimate.exactly(sum(products, Fraction(0)) / sum(fractions), n, confidence)

    # The mean, and the middle of its interval, for which values are added where most are equal
    parts = [
        _find_parts(moments, mean, possible, confidence)
        for (moments, _), mean, possible in zip(used, means, ranges, strict=True)
    ]
    weights = [size.value / total for _, size in used]
    mean = sum(weight * value for weight, value in zip(weights, means, strict=True))
    centre = sum(weight * part.centre for weight, part in zip(weights, parts, strict=True))

    # The variance: sum(W_k² s_k² / n_k) over strata (Cochran 5.3), plus the part of estimated sizes (12.2)
    variances = [(weight * part.se) ** 2 for weight, part in zip(weights, parts, strict=True)]
    variance = sum(variances) + sum(
        ((value - mean) / total * size.se) ** 2 for (_, size), value in zip(used, means, strict=True)
    )

    # Satterthwaite's degrees of freedom (Cochran 5.4)
    squares = sum(own**2 / max(part.freedom, 1.0) for own, part in zip(variances, parts, strict=True))
    freedom = variance**2 / squares if 0 < squares < math.inf else 1e6
    se = math.sqrt(variance) if math.isfinite(variance) else math.inf
    is_constant = len({end for moments, _ in used for end in (moments.minimum, moments.maximum)}) == 1
    possible = ValueRange(min(item.low for item in ranges), max(item.high for item in ranges))
    return build_mean(MeanParts(mean, centre, se, freedom), se, n, confidence, possible, is_constant)


def _find_parts(moments: Moments, mean: float, values: ValueRange, confidence: float) -> MeanParts:
    """Return value, centre, standard error and degrees of freedom for the interval of a stratum's mean."""
    if values.low == values.high:  # only one value is possible
        return MeanParts(mean, mean, 0.0, 0.0)
    found = moments.find_parts(confidence, values)
    if found is not None:
        return found[0]
    single = MeanParts(mean, mean, 0.0, 0.0)
    return add_unusual_values(single, 1.0, {mean: 1}, values, confidence)


def _estimate_share(
    used: Sequence[tuple[Moments, Estimate]], means: Sequence[float], n: int, confidence: float
) -> Estimate:
    """Return the share of a population, given its shares in strata."""
    # Shares of 0 and 1 have the variance of (successes + 1) / (n + 2).
    total = sum(size.value for _, size in used)
    share = supposed = variance = 0.0
    for (moments, size), mean in zip(used, means, strict=True):
        weight = size.value / total
        own = (mean * moments.n + 1) / (moments.n + 2) if mean in (0, 1) else mean
        share, supposed = share + weight * mean, supposed + weight * own
        variance += weight**2 * own * (1 - own) / moments.n
    variance += sum(
        ((mean - share) / total * size.se) ** 2 for (_, size), mean in zip(used, means, strict=True)
    )

    # The interval is that of a plain sample with the same variance.
    lo, hi = share_interval(share, supposed * (1 - supposed) / variance, confidence)
    return Estimate(share, math.sqrt(variance), float(lo), float(hi), n, confidence)
