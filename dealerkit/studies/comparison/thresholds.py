"""Thresholds of evaluators from which one decision gains, and the errors of these gains.

Thresholds are chosen on a part of the data and tested on the rest. They are uncertain themselves, and an
interval that takes the threshold as given is too narrow. Therefore each resample of the deals plays the part
of the data: thresholds are chosen on nine tenths of it and tested on the remaining tenth. All deals play the
part of the population, in which the same thresholds have their true gain. The difference of the two gains has
the same distribution as the error of the estimate.

References
----------
S. Bates, T. Hastie, R. Tibshirani, Cross-validation: what does it estimate and how well does it do it?,
J. Am. Stat. Assoc. 119 (2024), 1434-1445: why intervals that take the choice as given are too narrow.
B. Efron and R. J. Tibshirani, *An Introduction to the Bootstrap* (Chapman and Hall 1993), 17.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from dealerkit.appearance.numbers import format_significant

MAX_LEVELS = 500  # values between which thresholds are chosen
DIGITS = 10  # values that agree in this number of digits of the largest are equal


@dataclass(frozen=True, slots=True)
class Threshold:
    """A rule that decides by the value of an evaluator.

    Attributes
    ----------
    value : float
        Infinite for a rule that makes the same decision for all values.
    rises : bool
        Whether the rule bids at this value and above; otherwise it bids at this value and below.

    Examples
    --------
    >>> print(Threshold(24.5, True), Threshold(14.5, False), Threshold(math.inf, True), sep=", ")
    24.5 or more, 14.5 or less, never
    """

    value: float
    rises: bool

    def find_bids(self, values: np.ndarray) -> np.ndarray:
        """Return the values for which the rule bids, bool."""
        return values >= self.value if self.rises else values <= self.value

    def __str__(self) -> str:
        if math.isinf(self.value):
            return "never" if (self.value > 0) == self.rises else "always"
        value = format_significant(self.value, 4, trim=True, ascii=True)  # short enough to type into a script
        return f"{value} or {'more' if self.rises else 'less'}"


def round_values(values: np.ndarray) -> np.ndarray:
    """Return values rounded to ten digits of the largest, so that equal sums of decimals compare as equal.

    >>> np.unique(round_values(np.array([0.1 + 0.2, 0.3, 40]))).tolist()
    [0.3, 40.0]
    """
    largest = float(np.abs(values).max(initial=0))
    return np.round(values, DIGITS - 1 - math.floor(math.log10(largest))) if largest > 0 else values


def choose_thresholds(values: np.ndarray, gains: np.ndarray, fold: np.ndarray) -> list[Threshold]:
    """Return the best threshold on the data without each fold, and last on all data.

    The best threshold has the largest total gain on the data without the fold. It is halfway between two
    neighbouring values; of equally good thresholds, the lowest is taken. Whether the values above or those
    below it bid depends on which gains more; bidding always or never are thresholds too.

    Parameters
    ----------
    values : ndarray of float64 [shape=(rows,)]
    gains : ndarray of float64 [shape=(rows,)]
        What bidding gains in each row, times its weight.
    fold : ndarray of int [shape=(rows,)]

    Examples
    --------
    >>> points, gains, fold = np.array([20, 22, 24, 26]), np.array([-5, -5, 6, 6]), np.array([0, 0, 0, 1])
    >>> [threshold.value for threshold in choose_thresholds(points, gains, fold)]
    [-inf, 23.0, 23.0]
    """
    levels, at = np.unique(values, return_inverse=True)
    folds, size = int(fold.max()) + 1, len(levels)
    cells = fold.astype(np.int64) * size + at
    counts = np.bincount(cells, minlength=folds * size).reshape(folds, size)
    sums = np.bincount(cells, gains, folds * size).reshape(folds, size)
    all_counts, all_sums = counts.sum(axis=0), sums.sum(axis=0)
    parts = [(all_counts - counts[k], all_sums - sums[k]) for k in range(folds)]
    return [_choose_threshold(levels[n > 0], total[n > 0]) for n, total in [*parts, (all_counts, all_sums)]]


def _choose_threshold(levels: np.ndarray, gains: np.ndarray) -> Threshold:
    """Return the best threshold for the total gains of ascending values, at least one."""
    up_to = np.concatenate([[0.0], np.cumsum(gains)])  # the total gain of the lowest 0, 1, 2 ... values
    above = up_to[-1] - up_to
    rises = bool(above.max() >= up_to.max())
    k = int((above if rises else up_to).argmax())
    if 0 < k < len(levels):
        return Threshold(float(levels[k - 1] + levels[k]) / 2, rises)
    return Threshold(-math.inf if k == 0 else math.inf, rises)


def find_errors(
    columns: Iterable[np.ndarray],
    gains: np.ndarray,
    weight: np.ndarray,
    fold: np.ndarray,
    deal: np.ndarray,
    counts: np.ndarray,
) -> np.ndarray:
    """Return errors of the mean gains of evaluators and of perfect foresight, in resamples of the deals.

    Parameters
    ----------
    columns : iterable of k ndarrays of float64 [rows]
        Values of the evaluators.
    gains, weight : ndarray of float64 [rows]
        What bidding gains, and the weight of the row.
    fold, deal : ndarray of int [rows]
        From 0.
    counts : ndarray of int [samples, deals]
        How often each deal occurs in each resample.

    Returns
    -------
    ndarray of float64 [samples, k + 1]
    """
    folds, total = int(fold.max()) + 1, weight.sum()
    times = np.ascontiguousarray(counts.T, float)
    best = np.maximum(gains, 0)
    by_fold = _sum_cells(weight * gains, fold, folds, deal, times)
    size = _sum_cells(weight, np.zeros_like(fold), 1, deal, times)[0]
    always = by_fold.sum(axis=0) - by_fold > 0  # bidding always is better without the fold
    base = (always * by_fold).sum(axis=0)
    true_base = always.mean(axis=0) * (weight @ gains) / total
    errors = []
    for values in columns:
        levels, at = np.unique(values, return_inverse=True)
        n_levels = min(len(levels), MAX_LEVELS)
        cells = fold.astype(np.int64) * n_levels + at * n_levels // len(levels)  # neighbours in memory
        sums = _sum_cells(weight * gains, cells, folds * n_levels, deal, times)
        population = np.bincount(cells % n_levels, weight * gains, n_levels)
        held_out, true = _judge_samples(sums.reshape(folds, n_levels, -1), population)
        errors.append((held_out - base) / size - (true / total - true_base))
    foresight = _sum_cells(weight * best, np.zeros_like(fold), 1, deal, times)[0]
    errors.append((foresight - base) / size - (weight @ best / total - true_base))
    return np.stack(errors, axis=1)


def _sum_cells(
    values: np.ndarray, cells: np.ndarray, n_cells: int, deal: np.ndarray, times: np.ndarray
) -> np.ndarray:
    """Return the sums of rows by cell in each resample: float64 [cells, samples].

    `times` [deals, samples] is how often each deal occurs in each resample.
    """
    from scipy.sparse import csr_array

    return csr_array((values, (cells, deal)), shape=(n_cells, len(times))) @ times


def _judge_samples(sums: np.ndarray, population: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the total gain of resamples on the folds left out, and in the population, each [samples].

    Parameters
    ----------
    sums : ndarray of float64 [folds, levels, samples]
        Gains of the rows with each value.
    population : ndarray of float64 [levels]
        The same of all rows.
    """
    held_out, all_sums = _add_up(sums), _add_up(population[None, :, None])[0, :, 0]
    train = held_out.sum(axis=0) - held_out
    # For the lowest k values, bidding the others gains the total minus their sum; bidding them gains their
    # sum.
    rises = train[:, -1] - train.min(axis=1) >= train.max(axis=1)
    k = np.where(rises, train.argmin(axis=1), train.argmax(axis=1))
    chosen = np.take_along_axis(held_out, k[:, None], axis=1)[:, 0]
    judged = np.where(rises, held_out[:, -1] - chosen, chosen).sum(axis=0)
    true = np.where(rises, all_sums[-1] - all_sums[k], all_sums[k]).mean(axis=0)
    return judged, true


def _add_up(sums: np.ndarray) -> np.ndarray:
    """Return the sums of the lowest 0, 1, 2 ... values along the middle axis."""
    folds, _, samples = sums.shape
    return np.concatenate([np.zeros((folds, 1, samples)), np.cumsum(sums, axis=1)], axis=1)
