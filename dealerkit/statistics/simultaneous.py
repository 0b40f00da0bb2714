"""Simultaneous intervals for differences of several estimates from the same sample, and the best of them.

With 15 equally good methods there are 105 differences, and some of 105 separate 95 % intervals will often
exclude 0 by chance. All simultaneous intervals together contain their true values with the given
confidence: each is the difference plus or minus a multiple of its standard error, the quantile of the
largest absolute t of all pairs. For all pairs this is Tukey's method, for pairs with one common member
Dunnett's, each with the covariance of the estimates from samples with replacement.

References
----------
J. C. Hsu, *Multiple Comparisons* (Chapman and Hall 1996), chapters 3 to 5.
J. P. Romano and M. Wolf, Exact and approximate stepdown methods for multiple hypothesis testing, J. Am. Stat.
Assoc. 100 (2005), 94-108.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.statistics.intervals import check_confidence

DRAWS = 20_000
SEED = 1996


@dataclass(frozen=True, eq=False)
class PairIntervals:
    """Simultaneous intervals for differences of m pairs of estimates.

    Parameters
    ----------
    first, second : ndarray of int [shape=(m,)]
        Indices of the estimates of each pair.
    difference : ndarray of float64 [shape=(m,)]
        The first estimate minus the second.
    lo, hi : ndarray of float64 [shape=(m,)]
        Ends of the intervals. Both equal the difference if it is the same in every replicate, as for two
        methods that always agree; then the sample says nothing about it.
    critical : float
        The multiple of the standard error.
    """

    first: np.ndarray
    second: np.ndarray
    difference: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    critical: float

    def find_best(self, larger: bool = True) -> np.ndarray:
        """Return which estimates may be the best: bool [k], for intervals of all pairs.

        An estimate may be the best if no other is better by its interval. The true best is among
        them with at least the confidence of the intervals (Hsu 1996, 4.2).

        Parameters
        ----------
        larger : bool
            The largest value is the best; otherwise the smallest.
        """
        possible = np.ones(max(self.first.max(), self.second.max()) + 1 if len(self.first) else 1, bool)
        worse, better = (self.second, self.first) if larger else (self.first, self.second)
        possible[worse[self.lo > 0]] = False
        possible[better[self.hi < 0]] = False
        return possible


def simultaneous_intervals(
    estimates: np.ndarray,
    replicates: np.ndarray,
    pairs: str | Iterable[tuple[int, int]] = "all",
    *,
    deals: int,
    confidence: float = 0.95,
) -> PairIntervals:
    """Return simultaneous intervals for differences of estimates from the same sample.

    Parameters
    ----------
    estimates : ndarray of float64 [shape=(k,)]
    replicates : ndarray of float64 [shape=(R, k)]
        The same estimates from R samples of the deals with replacement, the same samples for all k.
    pairs : {"all", "first"} or iterable of pairs of int
        All pairs, the lower index first; each less the first; or indices of estimates.
    deals : int >= 2
        Size of the sample, in independent units: the degrees of freedom are one less.
    confidence : float in (0, 1)
        That all intervals together contain their true values.

    Returns
    -------
    PairIntervals

    Raises
    ------
    ArgumentError
        Invalid confidence, arrays of different lengths, values that are not finite.

    Examples
    --------
    >>> random = np.random.default_rng(1)
    >>> noise = random.standard_normal((1000, 3))
    >>> intervals = simultaneous_intervals(np.array([0.0, 1.0, 9.0]), noise, deals=500)
    >>> intervals.difference.tolist(), round(intervals.critical, 1), intervals.find_best().tolist()
    ([-1.0, -9.0, -8.0], 2.3, [False, False, True])
    """
    check_confidence(confidence)
    estimates, replicates = np.asarray(estimates, float), np.asarray(replicates, float)
    if replicates.ndim != 2 or estimates.shape != replicates.shape[1:]:
        raise ArgumentError(
            f"estimates have shape {estimates.shape} and replicates {replicates.shape}; give [k] and [R, k]"
        )
    if not (np.isfinite(estimates).all() and np.isfinite(replicates).all()):
        raise ArgumentError("estimates or replicates have values that are not finite; remove these")
    first, second = _list_pairs(len(estimates), pairs)
    difference = estimates[first] - estimates[second]
    errors = _find_errors(replicates, deals)
    covariance = errors.T @ errors
    spread = np.diag(covariance)
    variance = spread[first] + spread[second] - 2 * covariance[first, second]
    # The variance of a constant is a rounding error.
    se = np.sqrt(np.where(variance > 1e-14 * (spread[first] + spread[second]), variance, 0))
    critical = _find_critical(errors, first, second, se, deals - 1, confidence)
    half = critical * se
    return PairIntervals(first, second, difference, difference - half, difference + half, critical)


def _list_pairs(count: int, pairs: str | Iterable[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices of the first and the second estimate of each pair."""
    if isinstance(pairs, str):
        if pairs not in ("all", "first"):
            raise ArgumentError(f"pairs is {pairs!r}; it is 'all', 'first', or pairs of indices")
        pairs = combinations(range(count), 2) if pairs == "all" else ((k, 0) for k in range(1, count))
    first, second = np.array(list(pairs), int).reshape(-1, 2).T
    return first, second


def _find_errors(replicates: np.ndarray, deals: int) -> np.ndarray:
    """Return centred replicates [R, k] whose products add up to the covariance of the estimates."""
    # Samples with replacement have the variance of the divisor n, not n - 1.
    scale = np.sqrt(deals / ((deals - 1) * (len(replicates) - 1)))
    return (replicates - replicates.mean(axis=0)) * scale


def _find_critical(
    errors: np.ndarray, first: np.ndarray, second: np.ndarray, se: np.ndarray, freedom: int, confidence: float
) -> float:
    """Return the quantile of the largest absolute t of all pairs with these errors: multivariate t."""
    varies = se > 0
    if not varies.any():
        return 0.0
    first, second, se = first[varies], second[varies], se[varies]
    random = np.random.default_rng(SEED)
    scale = np.sqrt(random.chisquare(freedom, DRAWS) / freedom)
    root = np.linalg.qr(errors, mode="r")
    draws = random.standard_normal((DRAWS, len(root))) @ root
    largest = np.zeros(DRAWS)
    for i, j, s in zip(first, second, se, strict=True):
        np.maximum(largest, np.abs(draws[:, i] - draws[:, j]) / s, out=largest)
    return float(np.quantile(largest / scale, confidence))
