"""Simultaneous intervals for the differences of several estimates from one sample, and the best of them.

With 15 equally good methods there are 105 differences, and some of 105 separate 95 % intervals often exclude
0 by chance. Simultaneous intervals all contain their true values at the same time with the given confidence.
Each is the difference plus or minus a multiple of its standard error, and the multiple is the quantile of the
largest absolute t of all pairs. For all pairs this is Tukey's method, and for pairs with a common member
Dunnett's, both generalized to any covariance and to estimated variances.

The sample that compares the methods also chooses the one that seems best, so intervals for the differences
from it would contain their true values too rarely. `compare_with_best` gives intervals for the difference of
each method from the true best of the others, whichever that is.

References
----------
J. C. Hsu, *Multiple Comparisons* (Chapman and Hall 1996), chapters 3 to 5.
J. P. Romano and M. Wolf, Exact and approximate stepdown methods for multiple hypothesis testing, J. Am. Stat.
Assoc. 100 (2005), 94-108.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.statistics.estimates import Estimate, build_estimates
from dealerkit.statistics.intervals import check_confidence, student_quantile

DRAWS = 20_000  # random sets of estimates
REPEATS = 5  # random sets of estimates for each random covariance
MANY = 5000  # with more degrees of freedom, variances count as known
SEED = 1996
CAUTION = (
    0.7  # part of the error that is used; with all of it, 15 equal evaluators differ in 5.1 % of samples
)


@dataclass(frozen=True, eq=False)
class PairIntervals:
    """Simultaneous intervals for the differences of m pairs of estimates.

    Parameters
    ----------
    first, second : ndarray of int [m]
        Indices of the estimates of each pair.
    difference, se : ndarray of float64 [m]
        The first estimate minus the second, and its standard error.
    lo, hi : ndarray of float64 [m]
        Ends of the intervals. Both are equal to the difference if it is the same in every replicate, such as
        that of two methods that always agree; the sample then says nothing about its error.
    critical : float
        The multiple of the standard error.
    """

    first: np.ndarray
    second: np.ndarray
    difference: np.ndarray
    se: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    critical: float

    def list_estimates(self, deals: int, confidence: float) -> list[Estimate]:
        """Return the differences as estimates.

        Parameters
        ----------
        deals : int
            Number of deals in the sample.
        confidence : float in (0, 1)
            The confidence level of all intervals together.
        """
        return build_estimates(self.difference, self.se, self.lo, self.hi, deals, confidence)

    def compare_with_best(self) -> BestIntervals:
        """Return intervals for each estimate minus the largest of the others.

        This object must have all pairs.
        """
        count = int(self.second.max()) + 1
        gains, errors = np.zeros((2, count, count))
        gains[self.first, self.second], gains[self.second, self.first] = self.difference, -self.difference
        errors[self.first, self.second] = errors[self.second, self.first] = self.se
        return compare_with_best(gains, errors, self.critical)


@dataclass(frozen=True, eq=False)
class BestIntervals:
    """Simultaneous intervals for k alternatives, each compared with the best of the others.

    Parameters
    ----------
    other : ndarray of int [k]
        For each alternative, the best of the others in the sample: the one over which it gains least.
    difference, se, lo, hi : ndarray of float64 [k]
        The gain over the best of the others, its standard error, and the ends of its interval.
    possible : ndarray of bool [k]
        Whether each may be the best, which is so if ``hi >= 0``. If several may be, their intervals contain
        0.
    """

    other: np.ndarray
    difference: np.ndarray
    se: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    possible: np.ndarray

    def list_estimates(self, deals: int, confidence: float) -> list[Estimate]:
        """Return the gains as estimates; the arguments are those of `PairIntervals.list_estimates`."""
        return build_estimates(self.difference, self.se, self.lo, self.hi, deals, confidence)


def compare_with_best(gains: np.ndarray, errors: np.ndarray, critical: float) -> BestIntervals:
    """Return simultaneous intervals for the gain of each alternative over the best of the others.

    With the confidence level of `critical`, all intervals contain the true gains at the same time, and every
    alternative that is as good as the best is among those that may be the best. If all alternatives are
    equal, the probability that an interval excludes 0, or that one is reported not to be the best, is
    therefore at most the error of this confidence level.

    Parameters
    ----------
    gains : ndarray of float64 [k, k]
        Mean gain of each alternative (row) over each other (column), k >= 2. Gains in IMPs need not be
        differences of k means.
    errors : ndarray of float64 [k, k]
        Their standard errors.
    critical : float
        The multiple of the errors for simultaneous intervals of all pairs: Tukey's quantile, or Student's
        quantile with the error divided among k (k - 1) / 2 pairs (Bonferroni).

    Returns
    -------
    BestIntervals

    Notes
    -----
    The gain over the best of the others is the smallest of the gains over each of them. It is therefore
    between the smallest lower end and the smallest upper end of the intervals of these gains (Hsu 1996,
    chapter 4). If only one alternative may be the best, its gain is at least 0. With Dunnett's quantile, the
    best would be among the possible ones, but not each of several equally good ones: with twelve, one would
    be reported not to be the best in 17 % of samples.

    Examples
    --------
    >>> means = np.array([5.0, 4.9, 3.0])
    >>> found = compare_with_best(np.subtract.outer(means, means), np.full((3, 3), 0.1), 2.4)
    >>> found.possible.tolist(), found.difference.round(1).tolist()
    ([True, True, False], [0.1, -0.1, -2.0])
    >>> found.lo.round(2).tolist(), found.hi.round(2).tolist()
    ([-0.14, -0.34, -2.24], [0.34, 0.14, -1.76])
    """
    return bound_with_best(gains, errors, gains - critical * errors, gains + critical * errors)


def bound_with_best(
    gains: np.ndarray, errors: np.ndarray, low: np.ndarray, high: np.ndarray
) -> BestIntervals:
    """Compare each alternative with the best of the others, given simultaneous intervals of all pairs.

    Parameters
    ----------
    gains, errors, low, high : ndarray of float64 [k, k]
        Mean gain of each alternative (row) over each other (column), its standard error, and the ends of its
        interval, which need not be symmetric.

    Returns
    -------
    BestIntervals
    """
    count = len(gains)
    rows, others = np.arange(count), ~np.eye(count, dtype=bool)
    other = np.where(others, gains, np.inf).argmin(axis=1)
    difference = gains[rows, other]
    lo, hi = (np.where(others, ends, np.inf).min(axis=1) for ends in (low, high))
    possible = hi >= 0
    if possible.sum() == 1:
        lo = np.where(possible, np.maximum(lo, np.minimum(difference, 0)), lo)
    if not possible.any():
        # If gains are not differences of means, each alternative can lose to another one.
        possible, hi = np.ones(count, bool), np.where(others, high, -np.inf).max(axis=1)
    return BestIntervals(other, difference, errors[rows, other], lo, hi, possible)


def simultaneous_intervals(
    estimates: np.ndarray,
    replicates: np.ndarray | None = None,
    pairs: str | Iterable[tuple[int, int]] = "all",
    *,
    deals: int | None = None,
    confidence: float = 0.95,
    influence: np.ndarray | None = None,
) -> PairIntervals:
    """Return simultaneous intervals for the differences of estimates from the same sample.

    Give the influence of each deal if it is known. It also shows how precise the standard errors are, which
    is uncertain if few deals have large effects. Among 15 equally good evaluators, some interval then
    excludes 0 in 3 to 4 % of the samples; with replicates, this happens more often in samples of 60 to 200
    deals.

    Parameters
    ----------
    estimates : ndarray of float64 [k]
        The estimates.
    replicates : ndarray of float64 [R, k]
        The same estimates from R samples of the deals with replacement; all k use the same samples.
    pairs : {"all", "first"} or iterable of pairs of int
        "all" pairs, the lower index first; each estimate minus the "first"; or pairs of indices.
    deals : int >= 2
        With `replicates`: the size of the sample in independent units. The degrees of freedom are one less.
    influence : ndarray of float64 [deals, k]
        Instead of `replicates`: the effect of each deal on each estimate, times the number of deals. It is
        the value minus the mean for a mean, or (deals - 1) (estimate - estimate without the deal) for the
        jackknife.
    confidence : float in (0, 1)
        The probability that all intervals contain their true values.

    Returns
    -------
    PairIntervals

    Raises
    ------
    ArgumentError
        The confidence level is not between 0 and 1, the shapes of arrays do not match, values are not finite,
        `pairs` is unknown, or `deals` is missing.

    Examples
    --------
    >>> random = np.random.default_rng(1)
    >>> noise = random.standard_normal((1000, 3))
    >>> intervals = simultaneous_intervals(np.array([0.0, 1.0, 9.0]), noise, deals=500)
    >>> intervals.difference.tolist(), round(intervals.critical, 1)
    ([-1.0, -9.0, -8.0], 2.5)
    >>> intervals.compare_with_best().possible.tolist()
    [False, False, True]
    """
    # The arguments
    check_confidence(confidence)
    estimates = np.asarray(estimates, float)
    rows = np.asarray(influence if replicates is None else replicates, float)
    kind = "influence" if replicates is None else "replicates"
    if rows.ndim != 2 or estimates.shape != rows.shape[1:]:
        raise ArgumentError(
            f"estimates have the shape {estimates.shape} and {kind} {rows.shape}; give [k] and [rows, k]"
        )
    if not (np.isfinite(estimates).all() and np.isfinite(rows).all()):
        raise ArgumentError(f"estimates or {kind} have values that are not finite; leave these out")
    # Errors whose products add up to the covariance, and the degrees of freedom
    centred, count = rows - rows.mean(axis=0), len(rows)
    first, second = _list_pairs(len(estimates), pairs)
    if replicates is None:
        errors = centred / np.sqrt(count * (count - 1))
        freedom = _find_freedom(centred, first, second)
    elif deals is None:
        raise ArgumentError("the number of deals is missing; give deals= with replicates")
    else:
        # Samples with replacement have a variance with the divisor n, not n - 1.
        errors, freedom = centred * np.sqrt(deals / ((deals - 1) * (count - 1))), deals - 1
    return _build_intervals(estimates, errors, first, second, freedom, confidence)


def simultaneous_mean_intervals(
    means: np.ndarray, covariance: np.ndarray, *, deals: int, confidence: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Return simultaneous intervals for means, given their covariance estimated from the same sample.

    Parameters
    ----------
    means : ndarray of float64 [k]
        The means.
    covariance : ndarray of float64 [k, k]
        The covariance of the means.
    deals : int >= 2
        The size of the sample in independent units. The degrees of freedom are one less.
    confidence : float in (0, 1)
        The probability that all intervals contain their true values.

    Returns
    -------
    lo, hi : ndarray of float64 [k]
        Ends of the intervals.

    Examples
    --------
    >>> lo, hi = simultaneous_mean_intervals(np.zeros(2), np.eye(2), deals=10_000)
    >>> hi.round(1).tolist()  # for one mean alone it would be 1.96
    [2.4, 2.4]
    """
    check_confidence(confidence)
    count = len(means)
    errors = np.zeros((count + 1, count + 1))  # the last estimate is 0, without error
    errors[:-1, :-1] = _find_root(covariance)
    first, second = np.arange(count), np.full(count, count)
    intervals = _build_intervals(np.append(means, 0.0), errors, first, second, deals - 1, confidence)
    return intervals.lo, intervals.hi


def find_critical(covariance: np.ndarray, freedom: float, confidence: float = 0.95) -> float:
    """Return the multiple of the standard errors for simultaneous intervals of the differences of all pairs.

    The multiple is computed for normal estimates and then converted to Student's t as for a single pair. This
    takes a twentieth of the time that the joint distribution would take.

    Parameters
    ----------
    covariance : ndarray of float64 [k, k]
        The covariance of k >= 2 estimates; only the variances of differences matter.
    freedom : float
        Degrees of freedom of the covariance.
    confidence : float in (0, 1)
        The probability that all intervals contain their true values.

    Returns
    -------
    float
        The multiple; 0 if no difference varies.

    Examples
    --------
    >>> round(find_critical(np.eye(12), 10_000), 1)  # Tukey's table has 3.3; this is slightly cautious
    3.4
    """
    errors = _find_root(covariance)
    first, second = _list_pairs(len(covariance), "all")
    normal = _build_intervals(np.zeros(len(covariance)), errors, first, second, np.inf, confidence).critical
    return student_quantile(math.erf(normal / math.sqrt(2)), freedom) if normal else 0.0


def _find_root(covariance: np.ndarray) -> np.ndarray:
    """Return a matrix, float64 [k, k], whose transpose times itself is the covariance."""
    spread, vectors = np.linalg.eigh(covariance)
    root: np.ndarray = (vectors * np.sqrt(np.maximum(spread, 0))).T
    return root


def _build_intervals(
    estimates: np.ndarray,
    errors: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
    freedom: float,
    confidence: float,
) -> PairIntervals:
    """Return the intervals, given errors [rows, k] whose products add up to the estimates' covariance."""
    difference = estimates[first] - estimates[second]
    root: np.ndarray = np.asarray(np.linalg.qr(errors, mode="r"))
    spread, variance = (root * root).sum(axis=0), ((root[:, first] - root[:, second]) ** 2).sum(axis=0)
    # The variance of a constant is a rounding error.
    se = np.sqrt(np.where(variance > 1e-20 * (spread[first] + spread[second]), variance, 0))
    error = (1 - confidence) * (CAUTION if len(first) > 1 else 1)
    critical = _find_critical(root, first, second, se, freedom, 1 - error)
    half = critical * se
    return PairIntervals(first, second, difference, se, difference - half, difference + half, critical)


def _list_pairs(count: int, pairs: str | Iterable[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices of the first and the second estimate of each pair."""
    if isinstance(pairs, str):
        if pairs not in ("all", "first"):
            raise ArgumentError(f"pairs is {pairs!r}; give 'all', 'first', or pairs of indices")
        pairs = combinations(range(count), 2) if pairs == "all" else ((k, 0) for k in range(1, count))
    first, second = np.array(list(pairs), int).reshape(-1, 2).T
    return first, second


def _find_freedom(influence: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    """Return the degrees of freedom of the variances of differences between centred columns.

    The variance of n values with kurtosis K has the relative variance (K - 1) / n, like the variance of
    normal values with 2 n / (K - 1) degrees of freedom. K is the upper quartile of all pairs, because the
    largest t is more likely to belong to a pair whose variance is uncertain.
    """
    count, columns = len(influence), influence.T.copy()
    kurtosis = []
    for i, j in zip(first, second, strict=True):
        squares = columns[i] - columns[j]
        squares *= squares
        if total := squares.sum():
            kurtosis.append(count * (squares @ squares) / total**2)
    if not kurtosis:
        return count - 1
    return float(np.clip(2 * count / max(np.quantile(kurtosis, 0.75) - 1, 1e-9), 2, count - 1))


def _find_critical(
    root: np.ndarray, first: np.ndarray, second: np.ndarray, se: np.ndarray, freedom: float, confidence: float
) -> float:
    """Return the quantile of the largest absolute t of all pairs, by simulation.

    The estimates are normal with the covariance root' root. The variances of their differences are computed
    from a random estimate of this covariance, which has a Wishart distribution (Bartlett's decomposition).
    """
    # Random estimates
    varies = se > 0
    if not varies.any():
        return 0.0
    pairs = list(zip(first[varies], second[varies], np.square(se[varies]), strict=True))
    random, size, count = np.random.default_rng(SEED), len(root), DRAWS // REPEATS
    draws = (root.T @ random.standard_normal((size, DRAWS))).reshape(-1, REPEATS, count)
    largest = np.zeros((REPEATS, count))
    # With many degrees of freedom, the variances are known.
    if freedom > MANY:
        for i, j, variance in pairs:
            np.maximum(largest, np.square(draws[i] - draws[j]) / variance, out=largest)
        return float(np.sqrt(np.quantile(largest, confidence)))
    # Otherwise, they are random, too. With fewer degrees of freedom than estimates, the last ones have one.
    bartlett = np.zeros((count, size, size))
    degrees = np.maximum(freedom - np.arange(size), 1)
    bartlett[:, range(size), range(size)] = np.sqrt(random.chisquare(degrees, (count, size)))
    above = np.triu_indices(size, 1)
    bartlett[:, above[0], above[1]] = random.standard_normal((count, len(above[0])))
    scaled = (bartlett @ (root / np.sqrt(freedom))).transpose(2, 1, 0).copy()
    for i, j, _ in pairs:
        variance = np.square(scaled[i] - scaled[j]).sum(axis=0)
        np.maximum(largest, np.square(draws[i] - draws[j]) / variance, out=largest)
    return float(np.sqrt(np.quantile(largest, confidence)))
