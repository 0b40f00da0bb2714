"""Thresholds of evaluators above or below which one decision gains, chosen on parts of the data."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

DIGITS = 10  # values that agree in so many digits of the largest are equal


@dataclass(frozen=True, slots=True)
class Threshold:
    """A rule that decides by the value of an evaluator.

    Attributes
    ----------
    value : float
        Infinite for a rule that decides alike for all values.
    rises : bool
        Whether the rule bids at this value and above; otherwise at this value and below.

    Examples
    --------
    >>> print(Threshold(24.5, True), Threshold(14.5, False), Threshold(math.inf, True), sep=", ")
    24.5 or more, 14.5 or less, never
    """

    value: float
    rises: bool

    def find_bids(self, values: np.ndarray) -> np.ndarray:
        """Return for which values the rule bids, bool."""
        return values >= self.value if self.rises else values <= self.value

    def __str__(self) -> str:
        if math.isinf(self.value):
            return "never" if (self.value > 0) == self.rises else "always"
        return f"{self.value:.4g} or {'more' if self.rises else 'less'}"


def round_values(values: np.ndarray) -> np.ndarray:
    """Return values rounded to ten digits of the largest, so that sums of decimals are equal if they are.

    >>> np.unique(round_values(np.array([0.1 + 0.2, 0.3, 40]))).tolist()
    [0.3, 40.0]
    """
    largest = float(np.abs(values).max(initial=0))
    return np.round(values, DIGITS - 1 - math.floor(math.log10(largest))) if largest > 0 else values


def choose_thresholds(values: np.ndarray, gains: np.ndarray, fold: np.ndarray) -> list[Threshold]:
    """Return the best threshold of the data without each fold, and last that of all data.

    The best threshold has the largest total gain on the data without the fold. It is the middle between two
    neighbouring values there; of equally good ones the lowest. Whether values above it bid, or those below
    it, is what gains more; bidding always or never are thresholds too.

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
    """Return the best threshold for the total gains of ascending values, of which there is one at least."""
    up_to = np.concatenate([[0.0], np.cumsum(gains)])  # the total gain of the lowest 0, 1, 2 ... values
    above = up_to[-1] - up_to
    rises = bool(above.max() >= up_to.max())
    k = int((above if rises else up_to).argmax())
    if 0 < k < len(levels):
        return Threshold(float(levels[k - 1] + levels[k]) / 2, rises)
    return Threshold(-math.inf if k == 0 else math.inf, rises)
