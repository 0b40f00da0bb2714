"""Means from a sample in two phases: predictions for many deals, true values for a few of them.

Predictions are cheap, and known for N deals; they also divide the deals into strata. Of the N_h deals of a
stratum, n_h are chosen at random, and their true values are computed. The estimate is

    sum over strata of  N_h / N  *  mean over the n_h deals of  (y - b (x - mean of x over the N_h deals)),

where y are the values and x the predictions: this is double sampling for stratification and for regression.
Whatever the predictions are, the estimate is right on average; poor predictions make its interval wider. For
each deal, the coefficient b is fitted to other deals (five folds), so that fitting adds no bias.

References
----------
W. G. Cochran, Sampling Techniques, 3rd ed. (Wiley 1977): 5.5 (Neyman allocation), 5A (strata), 12.2, 12.3
(double sampling with stratification), 12.6 (with regression).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dealerkit.statistics.estimates import Estimate
from dealerkit.statistics.intervals import normal_quantile, share_interval, student_quantile

EXACT = -1  # the stratum of deals whose predictions are exact
N_FOLDS = 5
MIN_FITTED = 50  # with fewer values, the coefficient is 1


@dataclass(frozen=True, eq=False)
class TwoPhaseMeans:
    """The means of m measures, and the numbers that determine their precision.

    Attributes
    ----------
    means : ndarray of float64 [m]
        The estimated means.
    covariance : ndarray of float64 [m, m]
        The covariance of the estimated means.
    freedom : ndarray of float64 [m]
        Degrees of freedom of the variances (Satterthwaite).
    variance : ndarray of float64 [m]
        The variance of the values in the population; the mean of a plain sample of n deals has this variance
        divided by n.
    shares : ndarray of float64 [h]
        N_h / N of each stratum, without that of deals with exact predictions.
    residuals : ndarray of float64 [h, m]
        Variances of values minus predictions in each stratum.
    weights : ndarray of float64 [n]
        Weights of the deals with values; with those of deals with exact predictions, they add up to 1.
    known_part : ndarray of float64 [m] or float
        The part of each mean's variance that comes from a known sample; more deals do not reduce it.
    new_weight : float
        The weight of this sample's mean if it is combined with a known one (`known_sample.combine_means`).
    """

    means: np.ndarray
    covariance: np.ndarray
    freedom: np.ndarray
    variance: np.ndarray
    shares: np.ndarray
    residuals: np.ndarray
    weights: np.ndarray
    known_part: np.ndarray | float = 0.0
    new_weight: float = 1.0


def estimate_means(
    strata: np.ndarray,
    predictions: np.ndarray,
    rows: np.ndarray,
    values: np.ndarray,
    spans: np.ndarray | None = None,
) -> TwoPhaseMeans:
    """Estimate the means of a population from a sample in two phases.

    Parameters
    ----------
    strata : ndarray of int [N]
        The number of each deal's stratum, ascending with the predictions; `EXACT` for deals whose predictions
        are exact.
    predictions : ndarray of float64 [N, m]
        Predicted values of m measures.
    rows : ndarray of int [n]
        The deals whose values are computed, in the order of computation; in each stratum they are a random
        choice.
    values : ndarray of float64 [n, m]
        The values of these deals.
    spans : ndarray of float64 [m], optional
        The largest possible difference between two values, such as 1 for truth values. It is used if all
        values of the sample are equal; by default it is the absolute value, but at least 1. If all values of
        a stratum are equal, the variance is that of a stratum in which a value that is different by the span
        of the sample has the share 1 / (n_h + 2).

    Returns
    -------
    TwoPhaseMeans

    Examples
    --------
    >>> random = np.random.default_rng(1)
    >>> chance = random.random(100_000)
    >>> happens = random.random(100_000) < chance
    >>> rows = random.permutation(100_000)[:2000]
    >>> result = estimate_means((10 * chance).astype(int), chance[:, None], rows, happens[rows, None])
    >>> bool(abs(result.means[0] - happens.mean()) < 3 * result.covariance[0, 0] ** 0.5)
    True
    >>> round(float(result.covariance[0, 0] * 2000 / result.variance[0]), 2)  # 1 for a plain sample
    0.65
    """
    # Strata, their sizes and the number of values in each
    values = np.asarray(values, np.float64)
    n_all = len(strata)
    spans = find_spans(values, predictions[strata == EXACT], spans)
    labels = merge_small(strata, rows)
    n_strata = int(labels.max(initial=-1)) + 1
    is_known, at = labels == EXACT, labels[rows]
    counts = np.bincount(labels[~is_known], minlength=n_strata)
    sampled = np.bincount(at, minlength=n_strata)
    shares = counts / n_all

    # The means of adjusted values in each stratum, and of exact predictions
    known = predictions[is_known]
    adjusted = values - _adjust(labels, predictions, rows, values, shares, counts, sampled)
    means = sum_groups(at, adjusted, n_strata) / np.maximum(sampled, 1)[:, None]
    total = shares @ means + known.sum(axis=0) / n_all

    # The second phase: covariance within strata, corrected for strata in which most or all deals are solved
    residuals, covariances = _find_residuals(at, values, adjusted, sampled, spans)
    parts = shares**2 * (1 / np.maximum(sampled, 1) - 1 / np.maximum(counts, 1))
    within = np.einsum("h,hij->hij", np.maximum(parts, 0), covariances)

    # The first phase: covariance of the values in the population, within and between strata. A stratum with
    # one value has at least the variance of its residuals.
    of_values = _find_covariances(at, values, sampled)
    floor = np.maximum(
        np.einsum("hii->hi", of_values), np.einsum("hii->hi", covariances) * (sampled < 2)[:, None]
    )
    np.einsum("hii->hi", of_values)[...] = floor
    deviations = means - total
    spread = np.einsum("h,hij->ij", shares, of_values) + np.einsum(
        "h,hi,hj->ij", shares, deviations, deviations
    )
    spread += (known - total).T @ (known - total) / n_all
    alone = _find_floor(values, known, spans)  # a lower limit if all values are equal
    np.einsum("ii->i", spread)[...] = np.maximum(np.diag(spread), alone)

    # Both phases together (Cochran 12.2), and Satterthwaite's degrees of freedom
    covariance = spread / n_all + within.sum(axis=0)
    freedom = _find_freedom(np.einsum("hii->hi", within), np.diag(spread) / n_all, sampled, n_all)
    weights = (shares / np.maximum(sampled, 1))[at]
    return TwoPhaseMeans(total, covariance, freedom, np.diag(spread).copy(), shares, residuals, weights)


def merge_small(strata: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Join strata that have fewer than two chosen deals to a neighbour, and return the new numbers.

    >>> merge_small(np.array([0, 0, 1, 1, 2, 2, -1]), np.array([0, 1, 2, 4, 5])).tolist()
    [0, 0, 0, 0, 1, 1, -1]
    """
    n_strata = int(strata.max(initial=-1)) + 1
    if not n_strata:
        return strata
    sampled = np.bincount(strata[rows], minlength=n_strata)
    counts = np.bincount(strata[strata >= 0], minlength=n_strata)

    # From the lowest stratum on, strata are joined until they have two chosen deals, or all that they
    # contain.
    number, collected, numbers = 0, 0, np.zeros(n_strata, np.int64)
    for k in range(n_strata):
        needed = min(2, max(counts[k], 1))
        if collected >= 2 and sampled[k] >= needed and counts[k]:
            number, collected = number + 1, 0
        numbers[k] = number
        collected += sampled[k]
    if collected < 2 and number:  # join the last one to the one before
        numbers[numbers == number] = number - 1
    return np.where(strata == EXACT, EXACT, numbers[np.maximum(strata, 0)])


def _adjust(
    labels: np.ndarray,
    predictions: np.ndarray,
    rows: np.ndarray,
    values: np.ndarray,
    shares: np.ndarray,
    counts: np.ndarray,
    sampled: np.ndarray,
) -> np.ndarray:
    """Return b (x - mean of x in the stratum) for each deal with values, float64 [n, m]."""
    # Predictions minus their mean in the stratum
    n_strata, at = len(counts), labels[rows]
    is_estimated = labels != EXACT
    sums = sum_groups(labels[is_estimated], predictions[is_estimated], n_strata)
    centred = predictions[rows] - (sums / np.maximum(counts, 1)[:, None])[at]
    if len(rows) < MIN_FITTED:
        return centred

    # The coefficient that minimises the variance of the estimate (Cochran 12.6): for each fold, a regression
    # within strata on the deals of the other folds, with each deal weighted by the part of its stratum in the
    # variance
    importance = (shares**2 / (np.maximum(sampled, 2) * (np.maximum(sampled, 2) - 1)))[at]
    folds = np.arange(len(rows)) % N_FOLDS
    coefficients = np.empty((N_FOLDS, values.shape[1]))
    for fold in range(N_FOLDS):
        used = folds != fold
        group, weight = at[used], importance[used, None]
        size = np.maximum(np.bincount(group, minlength=n_strata), 1)[:, None]
        x = centred[used] - (sum_groups(group, centred[used], n_strata) / size)[group]
        y = values[used] - (sum_groups(group, values[used], n_strata) / size)[group]
        squares = (weight * x * x).sum(axis=0)
        products = (weight * x * y).sum(axis=0)
        coefficients[fold] = np.where(squares > 0, products / np.where(squares > 0, squares, 1), 0)
    return coefficients[folds] * centred


def sum_groups(groups: np.ndarray, values: np.ndarray, n_groups: int) -> np.ndarray:
    """Return the sums of columns of values by group, float64 [n_groups, m]."""
    columns = [np.bincount(groups, column, n_groups) for column in values.T]
    return np.stack(columns, axis=1) if columns else np.zeros((n_groups, 0))


def find_spans(values: np.ndarray, known: np.ndarray, spans: np.ndarray | None) -> np.ndarray:
    """Return the largest difference between two values of each column, or a possible one if all are equal."""
    both = np.concatenate((values, known))
    if not len(both):
        return np.ones(values.shape[1]) if spans is None else spans
    found = both.max(axis=0) - both.min(axis=0)
    return np.where(found > 0, found, np.maximum(np.abs(both[0]), 1) if spans is None else spans)


def _find_covariances(groups: np.ndarray, values: np.ndarray, sampled: np.ndarray) -> np.ndarray:
    """Return the covariances of values in each group, float64 [h, m, m]; 0 for a group of one value."""
    n_groups, n_measures = len(sampled), values.shape[1]
    centred = values - (sum_groups(groups, values, n_groups) / np.maximum(sampled, 1)[:, None])[groups]
    products = (centred[:, :, None] * centred[:, None, :]).reshape(len(values), n_measures**2)
    sums = sum_groups(groups, products, n_groups).reshape(n_groups, n_measures, n_measures)
    return sums / np.maximum(sampled - 1, 1)[:, None, None]


def _find_residuals(
    groups: np.ndarray, values: np.ndarray, adjusted: np.ndarray, sampled: np.ndarray, spans: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the variances [h, m] and covariances [h, m, m] of adjusted values in each stratum.

    If all values of a stratum are equal, the variance is at least that of a share of 1 / (n_h + 2).
    """
    n_groups = len(sampled)
    covariances = _find_covariances(groups, adjusted, sampled)
    variances = np.einsum("hii->hi", covariances)
    low = np.full((n_groups, values.shape[1]), np.inf)
    high = -low
    np.minimum.at(low, groups, values)
    np.maximum.at(high, groups, values)
    share = 1 / (sampled + 2)
    floor = (share * (1 - share))[:, None] * spans**2
    variances[...] = np.where(low >= high, np.maximum(variances, floor), variances)
    return variances.copy(), covariances


def _find_floor(values: np.ndarray, known: np.ndarray, spans: np.ndarray) -> np.ndarray:
    """Return a lower limit for the variance of each measure of which all values are equal; 0 for others."""
    n = len(values)
    share = 1 / (n + 2)
    both = np.concatenate((values, known))
    is_equal = (both == both[:1]).all(axis=0)
    return np.where(is_equal & (n > 0), share * (1 - share) * spans**2, 0.0)


def _find_freedom(within: np.ndarray, between: np.ndarray, sampled: np.ndarray, n_all: int) -> np.ndarray:
    """Return Satterthwaite's degrees of freedom of each variance, at least 1."""
    squares = (within**2 / np.maximum(sampled - 1, 1)[:, None]).sum(axis=0) + between**2 / max(n_all - 1, 1)
    total = within.sum(axis=0) + between
    return np.maximum(np.where(squares > 0, total**2 / np.where(squares > 0, squares, 1), 1e6), 1.0)


def build_share(value: float, variance: float, freedom: float, n: int, confidence: float = 0.95) -> Estimate:
    """Return the estimate of a share, with the interval of `proportion` for the effective size.

    The effective size is that of a plain sample with the same variance, reduced because of the degrees of
    freedom.

    Parameters
    ----------
    value, variance : float
        The estimate, and the variance of its error, above 0.
    freedom : float >= 1
        Degrees of freedom of the variance.
    n : int
        Number of values.
    confidence : float in (0, 1)
        Confidence level of the interval.

    References
    ----------
    E. L. Korn, B. I. Graubard, Confidence intervals for proportions with small expected number of positive
    counts estimated from survey data, Survey Methodology 24 (1998), 193-201.

    Examples
    --------
    >>> build_share(0.001, 0.000001, 500, 1000)
    0.00100 [0.00004, 0.00567] (n = 1,000)
    """
    t = student_quantile(confidence, min(max(int(freedom), 1), 10**6))
    value = min(max(value, 0.0), 1.0)
    # For a share of 0 or 1, the effective size is computed for one that is different by 1 / (n + 2).
    least = 1 / (n + 2)
    share = min(max(value, least), 1 - least)
    effective = share * (1 - share) / variance * (normal_quantile(confidence) / t) ** 2
    lo, hi = share_interval(value, effective, confidence)
    return Estimate(value, math.sqrt(variance), float(lo), float(hi), n, confidence)
