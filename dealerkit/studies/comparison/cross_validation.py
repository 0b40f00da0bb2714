"""Predictions from measures for deals that did not train them: straight lines and isotonic regression.

The deals are in folds. The rows of a fold are predicted from the rows of all others. A measure has few
distinct values compared with rows, so the rows are added up by value once, and all fits use these sums.

References
----------
R. E. Barlow, D. J. Bartholomew, J. M. Bremner, H. D. Brunk, *Statistical Inference under Order Restrictions*
(Wiley 1972), for isotonic regression.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dealerkit.statistics.least_squares import add_products, fit_products


class Prediction(NamedTuple):
    """Predictions of the rows: ``values[place]``.

    Parameters
    ----------
    values : ndarray of float64 [shape=(v,)]
        Not all of which are used, and some may be equal.
    place : ndarray of int [shape=(rows,)]
    """

    values: np.ndarray
    place: np.ndarray


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of the rows by which an event or the target is predicted, as indices of distinct values.

    For a single measure the score is its value. For several predictors it is their linear prediction of
    the target, which is another one for each fold.

    Parameters
    ----------
    values : list of ndarray of float64
        Distinct scores, ascending: one array, or one for each fold.
    index : list of ndarray of int [shape=(rows,)]
        Index of each row's score.
    linear : ndarray of float64 [shape=(rows,)]
        Predictions of the target, by least squares from the rows of the other folds.
    slope : float
        Tricks per unit of the score; negative if the target falls with it.
    fold : ndarray of int [shape=(rows,)]
    weight : ndarray of float64 [shape=(rows,)] or None
    """

    values: list[np.ndarray]
    index: list[np.ndarray]
    linear: np.ndarray
    slope: float
    fold: np.ndarray
    weight: np.ndarray | None

    def predict(self, target: np.ndarray) -> Prediction:
        """Return the isotonic prediction of a target [rows] from the rows of the other folds.

        It rises with the score, or falls if least squares does. Between scores of the training rows it is
        a straight line, beyond them constant.
        """
        if len(self.values) == 1:
            values, index = self.values[0], self.index[0]
            cell, mass, total = self._add(0, target)
            table = [
                _fit_isotonic(values, mass.sum(axis=0) - m, total.sum(axis=0) - t)
                for m, t in zip(mass, total, strict=True)
            ]
            return Prediction(np.concatenate(table), cell)
        prediction = np.empty(len(target))
        for fold, (values, index) in enumerate(zip(self.values, self.index, strict=True)):
            _, mass, total = self._add(fold, target)
            rows = self.fold == fold
            others = np.arange(len(mass)) != fold
            fitted = _fit_isotonic(values, mass[others].sum(axis=0), total[others].sum(axis=0))
            prediction[rows] = fitted[index[rows]]
        return Prediction(*np.unique(prediction, return_inverse=True))

    def _add(self, k: int, target: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return each row's cell of fold and score, and by cell the sums of the weights and of the target."""
        folds, size = int(self.fold.max()) + 1, len(self.values[k])
        cell = self.fold.astype(np.int64) * size + self.index[k]
        weighted = target if self.weight is None else self.weight * target
        mass, total = np.bincount(cell, self.weight, folds * size), np.bincount(cell, weighted, folds * size)
        return cell, mass.reshape(folds, size), total.reshape(folds, size)

    def rank(self) -> np.ndarray:
        """Return the rank of each row among the distinct scores, as the target rises with them."""
        if len(self.values) > 1:
            return np.unique(self.linear, return_inverse=True)[1]
        return self.index[0] if self.slope >= 0 else len(self.values[0]) - 1 - self.index[0]


def score_rows(
    measure: np.ndarray, target: np.ndarray, fold: np.ndarray, weight: np.ndarray | None = None
) -> Scores:
    """Return the scores of the rows.

    Parameters
    ----------
    measure : ndarray of float64 [shape=(rows,) or (rows, p)]
    target : ndarray of float64 [shape=(rows,)]
    fold : ndarray of int [shape=(rows,)]
        From 0; at least two.
    weight : ndarray of float64 [shape=(rows,)] or None
    """
    columns = measure.reshape(len(target), -1)
    centre = columns.mean(axis=0)
    x = columns - centre
    parts = add_products(x, target, weight, fold)
    lines = fit_products(parts.sum(axis=0) - parts)
    slope = float(fit_products(parts.sum(axis=0))[1])
    if x.shape[1] == 1:
        values, index = _find_distinct(columns[:, 0])
        table = lines[:, :1] + lines[:, 1:] * (values - centre)
        return Scores([values], [index], table[fold, index], slope, fold, weight)
    distinct = [np.unique(x @ line[1:], return_inverse=True) for line in lines]
    linear = np.einsum("ij,ij->i", x, lines[fold, 1:]) + lines[fold, 0]
    return Scores([v for v, _ in distinct], [i for _, i in distinct], linear, 1.0, fold, weight)


def _find_distinct(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct values and the index of each, as `numpy.unique` does.

    Those of evaluators are multiples of a hundredth, for which no sorting is needed.
    """
    numbers = np.rint(values * 100)
    low = numbers.min()
    if not np.array_equal(numbers / 100, values) or np.ptp(numbers) > 100_000:
        return np.unique(values, return_inverse=True)
    places = (numbers - low).astype(np.int64)
    occurs = np.bincount(places) > 0
    return (np.flatnonzero(occurs) + low) / 100, (np.cumsum(occurs) - 1)[places]


def _fit_isotonic(values: np.ndarray, mass: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Return the isotonic regression at all values, from the sums of weights and targets of training rows."""
    from scipy.optimize import isotonic_regression

    used = mass > 1e-12 * mass.sum()
    x, mass, mean = values[used], mass[used], total[used] / mass[used]
    slope = mass @ ((x - mass @ x / mass.sum()) * mean)
    fitted = isotonic_regression(mean, weights=mass, increasing=bool(slope >= 0)).x
    result: np.ndarray = np.interp(values, x, fitted)
    return result
