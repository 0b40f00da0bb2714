"""How many deals to predict and to solve in each stratum for an interval of a given width, and when to stop.

The variances of a first batch say how large the sample must be for the precision, as in Stein's procedure.
The next batch goes most of the way to this size, and the last batches go all the way. Before each batch, the
sample ends if the half-width of its interval is at most the precision (Chow and Robbins); the interval uses
Student's t with the degrees of freedom of the variance. Because the first batch is not small and the interval
is checked only a few times, the coverage is nearly kept; `tests/studies/test_coverage.py` measures it.

References
----------
C. Stein, A two-sample test for a linear hypothesis whose power is independent of the variance, Ann. Math.
Stat. 16 (1945), 243-258.
Y. S. Chow, H. Robbins, On the asymptotic theory of fixed-width sequential confidence intervals for the mean,
Ann. Math. Stat. 36 (1965), 457-462.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

PROPORTIONAL = 0.05  # part of the solves that is allocated by size, in case the variances are wrong
MIN_OF_STRATUM = 4  # least number of solved deals in a stratum
FIRST_PART = 0.7  # part of the needed size up to which a batch goes that is not the last
SURE_GROWTH = 1.5  # a sample that has to grow by at most this factor grows in one batch
MAX_GROWTH = 5  # largest factor of growth in one batch; variances of a small sample can be far too large


class SampleSizes(NamedTuple):
    """Number of deals to predict, and number of them to solve."""

    predicted: int
    solved: int


def allocate(shares: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """Return the part of the solves for each stratum, by Neyman allocation mixed with a proportional one.

    Parameters
    ----------
    shares : ndarray of float [h]
        Share of the deals in each of h strata.
    deviations : ndarray of float [h]
        Standard deviation in each stratum.

    Returns
    -------
    ndarray of float [h]
        The parts, which add up to 1.

    References
    ----------
    W. G. Cochran, Sampling Techniques, 3rd ed. (Wiley 1977), 5.5.

    Examples
    --------
    >>> allocate(np.array([0.5, 0.5]), np.array([0.1, 0.4])).round(3).tolist()
    [0.215, 0.785]
    """
    product = shares * deviations
    total = product.sum()
    neyman = product / total if total > 0 else shares / shares.sum()
    return (1 - PROPORTIONAL) * neyman + PROPORTIONAL * shares / shares.sum()


def fill(parts: np.ndarray, counts: np.ndarray, n: int) -> np.ndarray:
    """Divide n solves among strata by parts, rounded up; strata with too few deals leave solves to others.

    >>> fill(np.array([0.5, 0.5]), np.array([3, 100]), 20).tolist()
    [3, 17]
    """
    sizes = np.zeros(len(parts), np.int64)
    is_open = np.ones(len(parts), bool)
    while is_open.any() and (rest := n - int(sizes[~is_open].sum())) > 0:
        sizes[is_open] = np.ceil(parts[is_open] * (rest / parts[is_open].sum()) - 1e-9)
        full = is_open & (sizes >= counts)
        if not full.any():
            break
        sizes[full], is_open = counts[full], is_open & ~full
    return sizes


def find_sizes(
    variance: np.ndarray,
    shares: np.ndarray,
    residuals: np.ndarray,
    parts: np.ndarray,
    targets: np.ndarray,
    cost_ratio: float,
    most: int = 1 << 62,
) -> SampleSizes:
    """Return the sizes of both phases that reach given variances of the means at the smallest cost.

    Parameters
    ----------
    variance : ndarray of float [m]
        Variance of each of m measures in the population.
    shares, parts : ndarray of float [h]
        Parts of the deals, and of the solves, in each of h strata.
    residuals : ndarray of float [h, m]
        Variances in each stratum.
    targets : ndarray of float [m]
        Variances that the estimated means must reach; inf for a measure without a precision.
    cost_ratio : float
        Cost of a solve divided by the cost of a prediction.
    most : int
        Largest number of deals that can be predicted.

    Returns
    -------
    SampleSizes

    References
    ----------
    W. G. Cochran, Sampling Techniques, 3rd ed. (Wiley 1977), 12.3.
    """
    # The variance of a mean is first / deals + second / solves.
    inside = np.einsum("h,hm->m", shares, residuals)
    second = np.einsum("h,hm->m", shares**2 / parts, residuals) if len(parts) else np.zeros_like(variance)
    first = np.maximum(variance - inside, 0.0)

    # The cost is lowest with sqrt(first / second * cost ratio) deals for each solve, but at least one. If
    # this needs more than `most` deals, all of them are predicted, and solves reduce the rest of the
    # variance.
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.sqrt(np.where(second > 0, first / second, np.inf) * cost_ratio)
        ratio = np.maximum(ratio, 1.0)
        solved = np.where(np.isfinite(targets), (second + first / ratio) / targets, 0.0)
        predicted = np.where(second > 0, ratio * solved, variance / targets)
        left = (
            targets - first / most
        )  # variance left for the second phase, if the first is as large as possible
        alone = np.where(left > 0, second / left, most)
        solved = np.minimum(np.where(predicted > most, alone, solved), most)
        predicted = np.minimum(predicted, most)
    return SampleSizes(int(np.ceil(np.max(predicted, initial=1))), int(np.ceil(np.max(solved, initial=1))))


def find_boundaries(scores: np.ndarray, weights: np.ndarray, n_strata: int) -> np.ndarray:
    """Return boundaries that divide scores into strata with equal sums of weights.

    Parameters
    ----------
    scores : ndarray of float [n]
        The numbers by which deals are divided, such as predicted chances.
    weights : ndarray of float [n]
        Predicted standard deviations; Neyman allocation then gives about as many solves to each stratum.
    n_strata : int
        Number of strata.

    Returns
    -------
    ndarray of float [at most n_strata - 1]
        The boundaries in ascending order.

    References
    ----------
    W. G. Cochran, Sampling Techniques, 3rd ed. (Wiley 1977), 5A.7; P. C. Mahalanobis's rule of equal sums.

    Examples
    --------
    >>> scores = np.linspace(0, 1, 1001)
    >>> find_boundaries(scores, np.ones(1001), 4).round(2).tolist()
    [0.25, 0.5, 0.75]
    >>> find_boundaries(scores, scores * (1 - scores), 4).round(2).tolist()
    [0.33, 0.5, 0.67]
    """
    order = np.argsort(scores, kind="stable")
    cumulative = np.cumsum(weights[order])
    if n_strata < 2 or not scores[order[-1]] > scores[order[0]] or not cumulative[-1] > 0:
        return np.empty(0)
    levels = cumulative[-1] * np.arange(1, n_strata) / n_strata
    boundaries = np.unique(np.interp(levels, cumulative, scores[order]))
    return boundaries[boundaries > scores[order[0]]]


def choose_next_size(present: int, needed: int) -> int:
    """Return the size of the sample after the next batch, given the size needed according to its variances.

    >>> choose_next_size(100, 1000), choose_next_size(500, 1000), choose_next_size(700, 1010)
    (500, 750, 1011)
    """
    # Grow by at least a fiftieth. If the needed size is near, go all the way; otherwise go most of the way,
    # because a small batch says little about its variance.
    needed = max(needed, present + max(present // 50, 1))
    if needed <= SURE_GROWTH * present:
        return needed + 1
    size = max(int(FIRST_PART * needed), int(SURE_GROWTH * present), present + 1)
    return min(size, max(MAX_GROWTH * present, 1))
