"""Statistics of predictions for deals that did not train them: scores of events, and observations in bins.

The deals are divided into folds. The rows of a fold are predicted from the rows of all others, by straight
lines and isotonic regression. A measure has few distinct values compared with rows, so rows are summed by
value once, and all fits use these sums.

References
----------
R. E. Barlow, D. J. Bartholomew, J. M. Bremner, H. D. Brunk, *Statistical Inference under Order Restrictions*
(Wiley 1972), for isotonic regression.
E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Comparing the areas under two or more correlated receiver
operating characteristic curves, Biometrics 44 (1988), 837-845.
G. W. Brier, Verification of forecasts expressed in terms of probability, Mon. Weather Rev. 78 (1950), 1-3.
T. Dimitriadis, T. Gneiting, A. I. Jordan, Stable reliability diagrams for probabilistic classifiers, Proc.
Natl. Acad. Sci. USA 118 (2021), e2016191118.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dealerkit.statistics import Estimate
from dealerkit.statistics.accumulation import add_influences, cluster_starts, find_covariance
from dealerkit.statistics.counts import Counts
from dealerkit.statistics.estimates import build_estimates
from dealerkit.statistics.intervals import logit_interval, student_quantile
from dealerkit.statistics.least_squares import add_products, fit_products
from dealerkit.statistics.moments import Moments
from dealerkit.statistics.simultaneous import simultaneous_intervals

if TYPE_CHECKING:
    import pandas as pd

    from dealerkit.studies.comparison.side_data import SideData


FIGURES = ("AUC", "brier")
MIN_BIN_DEALS = 20  # a bin with fewer deals is joined to the next one
MAX_TRICKS = 20.0  # predictions in a wider range are not rounded to whole tricks


class Prediction(NamedTuple):
    """Predictions of the rows: ``values[place]``.

    Parameters
    ----------
    values : ndarray of float64 [shape=(v,)]
        Predicted values, some of which may be unused or equal.
    place : ndarray of int [shape=(rows,)]
    """

    values: np.ndarray
    place: np.ndarray


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of the rows, from which an event or the target is predicted, as indices of distinct values.

    For a single predictor, the score is its value. For several predictors, it is their linear prediction of
    the target, which differs by fold.

    Parameters
    ----------
    values : list of ndarray of float64
        Distinct scores, ascending: one array for all folds, or one for each fold.
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
        """Return the isotonic prediction of a target, [rows], from the rows of the other folds.

        It rises with the score, or falls if the slope of least squares is negative. Between scores of
        training rows it is linear, beyond them constant.
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
        """Return each row's cell by fold and score, and the sums of weights and of the target by cell."""
        folds, size = int(self.fold.max()) + 1, len(self.values[k])
        cell = self.fold.astype(np.int64) * size + self.index[k]
        weighted = target if self.weight is None else self.weight * target
        mass, total = np.bincount(cell, self.weight, folds * size), np.bincount(cell, weighted, folds * size)
        return cell, mass.reshape(folds, size), total.reshape(folds, size)

    def rank(self) -> np.ndarray:
        """Return the rank of each row among the distinct scores, ordered as the target rises."""
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

    Values of evaluators are multiples of a hundredth, for which no sorting is needed.
    """
    numbers = np.rint(values * 100)
    low = numbers.min()
    if not np.array_equal(numbers / 100, values) or np.ptp(numbers) > 100_000:
        return np.unique(values, return_inverse=True)
    places = (numbers - low).astype(np.int64)
    occurs = np.bincount(places) > 0
    return (np.flatnonzero(occurs) + low) / 100, (np.cumsum(occurs) - 1)[places]


def _fit_isotonic(values: np.ndarray, mass: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Return the isotonic regression at all values, from sums of weights and targets of training rows."""
    from scipy.optimize import isotonic_regression

    used = mass > 1e-12 * mass.sum()
    x, mass, mean = values[used], mass[used], total[used] / mass[used]
    slope = mass @ ((x - mass @ x / mass.sum()) * mean)
    fitted = isotonic_regression(mean, weights=mass, increasing=bool(slope >= 0)).x
    return np.interp(values, x, fitted)


@dataclass(frozen=True, eq=False)
class EventScores:
    """Figures of k measures for an event.

    Parameters
    ----------
    sides : int
        Number of rows with the event.
    share : float
        Their weighted share.
    cases : int
        Deals with the event, or without it if these are fewer; the degrees of freedom are one less.
    values : dict of str to ndarray of float64 [shape=(k,)]
        `AUC` and `brier`.
    sums : dict of str to ndarray of float64 [shape=(k, deals)]
        Influence of each deal on them.
    parts : ndarray of float64 [shape=(k, 3)]
        Reliability, resolution and uncertainty of the Brier scores.
    kinds : dict of str to list of int
        The first measure with the same ranks (for `AUC`) or probabilities (for `brier`) on all sides,
        possibly the measure itself. Such measures have the same figure in every sample.
    """

    sides: int
    share: float
    cases: int
    values: dict[str, np.ndarray]
    sums: dict[str, np.ndarray]
    parts: np.ndarray
    kinds: dict[str, list[int]]

    def estimate(self, figure: str, confidence: float) -> list[Estimate]:
        """The figure of each measure, with an interval on the logit scale."""
        values, deals = self.values[figure], self.sums[figure].shape[1]
        errors = np.sqrt(np.diag(find_covariance(self.sums[figure])))
        critical = student_quantile(confidence, self.cases - 1)
        return [
            Estimate(value, error, *logit_interval(value, error, critical, self.cases), deals, confidence)
            for value, error in zip(values.tolist(), errors.tolist(), strict=True)
        ]

    def compare(self, figure: str, confidence: float, all_pairs: bool) -> dict[tuple[int, int], Estimate]:
        """Return each measure minus the first, or all pairs with simultaneous intervals."""
        values, sums = self.values[figure], self.sums[figure]
        deals = sums.shape[1]
        pairs = [(j, i) for i in range(len(values) if all_pairs else 1) for j in range(i + 1, len(values))]
        second, first = np.array(pairs, int).reshape(-1, 2).T
        if all_pairs and pairs:
            found = simultaneous_intervals(
                values, influence=deals * sums.T, pairs=pairs, confidence=confidence
            )
            se, half = found.se, (found.hi - found.lo) / 2
        else:
            # The variance of a difference of two figures from the same deals
            covariance = find_covariance(sums)
            spread = np.diag(covariance)
            se = np.sqrt(np.maximum(spread[second] + spread[first] - 2 * covariance[second, first], 0))
            half = student_quantile(confidence, self.cases - 1) * se
        gains = values[second] - values[first]
        estimates = build_estimates(gains, se, gains - half, gains + half, deals, confidence)
        return dict(zip(pairs, estimates, strict=True))


def score_event(
    event: np.ndarray,
    cases: int,
    scores: Sequence[Scores],
    probabilities: Sequence[Prediction],
    data: SideData,
) -> EventScores:
    """Return the figures of an event, bool [rows], from scores and probabilities of each measure."""
    ranks = [score.rank() for score in scores]
    areas = [find_area(rank, event, data.weight) for rank in ranks]
    briers = [score_probabilities(*probability, event, data.weight) for probability in probabilities]
    return EventScores(
        int(event.sum()),
        float(np.average(event, weights=data.weight)),
        cases,
        {
            "AUC": np.array([area.value for area in areas]),
            "brier": np.array([score.value for score in briers]),
        },
        {
            "AUC": add_influences([area.influence for area in areas], data.deal),
            "brier": add_influences([score.influence for score in briers], data.deal),
        },
        np.array([[score.reliability, score.resolution, score.uncertainty] for score in briers]),
        {
            "AUC": _find_first_equal(ranks),
            "brier": _find_first_equal([chances.values[chances.place] for chances in probabilities]),
        },
    )


def _find_first_equal(columns: Sequence[np.ndarray]) -> list[int]:
    """Return the index of the first column that equals each column, except for rounding.

    >>> _find_first_equal([np.array([1, 2]), np.array([2, 1]), np.array([1, 2])])
    [0, 1, 0]
    """
    return [
        next(k for k, other in enumerate(columns) if np.allclose(other, column, rtol=0, atol=1e-12))
        for column in columns
    ]


def round_predictions(prediction: np.ndarray, bins: int = 10) -> np.ndarray:
    """Return the edges of bins: whole numbers of tricks, or equal numbers of rows in a wide range."""
    if np.ptp(prediction) > MAX_TRICKS:
        edges = np.unique(np.quantile(prediction, np.arange(1, bins) / bins))
        return np.concatenate([[-np.inf], edges, [np.inf]])
    low, high = np.floor(prediction.min() + 0.5), np.floor(prediction.max() + 0.5)
    return np.arange(low - 0.5, high + 1)


def assign_bins(prediction: np.ndarray, edges: np.ndarray, deal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the bin of each row and the edges of the bins: each bin has 20 deals, if there are that many.

    A bin with fewer is joined to the next one, the last bin to the one before. An edge belongs to the bin
    above it.
    """
    place = np.clip(np.searchsorted(edges, prediction, side="right") - 1, 0, len(edges) - 2)
    shape = len(edges) - 1, int(deal[-1]) + 1
    rows = np.bincount(place * shape[1] + deal, minlength=shape[0] * shape[1]).reshape(shape)
    deals = np.count_nonzero(rows, axis=1)
    joined, kept, collected = np.zeros(len(deals), np.int64), [edges[0]], 0
    for k, count in enumerate(deals):
        joined[k] = len(kept) - 1
        collected += count
        if collected >= MIN_BIN_DEALS and deals[k + 1 :].sum() >= MIN_BIN_DEALS:
            kept.append(edges[k + 1])
            collected = 0
    return joined[place], np.array([*kept, edges[-1]])


def tabulate_observed(
    prediction: np.ndarray,
    observed: np.ndarray,
    edges: np.ndarray,
    deal: np.ndarray,
    weight: np.ndarray | None,
    confidence: float,
) -> pd.DataFrame:
    """Tabulate what was observed in bins of predictions.

    Parameters
    ----------
    prediction : ndarray of float64 [shape=(rows,)]
    observed : ndarray of bool or float64 [shape=(rows,)]
        Whether an event occurred, or the target.
    edges : ndarray of float64 [shape=(bins + 1,)]
    deal : ndarray of int [shape=(rows,)]
        Rows of the same deal depend on each other.
    weight : ndarray of float64 [shape=(rows,)] or None
    confidence : float in (0, 1)

    Returns
    -------
    DataFrame
        A row for each bin: `from` and `to`, its ends; `predicted`, the mean prediction; `observed`, the mean
        or the share, with its interval `lo` to `hi` clustered by deal; `sides` and `deals`.
    """
    import pandas as pd

    place, edges = assign_bins(prediction, edges, deal)
    rows = []
    for k in range(len(edges) - 1):
        chosen = np.flatnonzero(place == k)
        weights = None if weight is None else weight[chosen]
        # A share for an event, a mean for the target
        if observed.dtype == bool:
            counts = Counts((0, 1))
            counts.update(observed[chosen].astype(np.int64), weights, deal[chosen])
            estimate = counts.share(1, confidence=confidence)
        else:
            moments = Moments()
            moments.update(observed[chosen], weights, deal[chosen])
            estimate = moments.mean(confidence)
        mean = float(np.average(prediction[chosen], weights=weights))
        rows.append({
            "from": edges[k], "to": edges[k + 1], "predicted": mean, "observed": estimate.value,
            "lo": estimate.lo, "hi": estimate.hi, "sides": len(chosen),
            "deals": len(cluster_starts(deal[chosen])),
        })  # fmt: skip
    return pd.DataFrame(rows)


def tabulate_residuals(
    prediction: np.ndarray,
    target: np.ndarray,
    edges: np.ndarray,
    deal: np.ndarray,
    weight: np.ndarray | None,
    confidence: float,
) -> pd.DataFrame:
    """Return the residuals in bins of predictions; the arguments are those of `tabulate_observed`.

    Returns
    -------
    DataFrame
        A row for each bin: `from`, `to` and `predicted`; `bias`, the mean of prediction minus target; `sd`,
        the standard deviation of the residuals, with its interval `lo` to `hi`, which is symmetric on a
        logarithmic scale and follows from the variance between deals; `sides` and `deals`.
    """
    import pandas as pd

    place, edges = assign_bins(prediction, edges, deal)
    rows = []
    for k in range(len(edges) - 1):
        chosen = np.flatnonzero(place == k)
        weights = np.ones(len(chosen)) if weight is None else weight[chosen]
        # Mean and variance of the residuals
        residual, total = (prediction - target)[chosen], weights.sum()
        bias = float(weights @ residual / total)
        squares = (residual - bias) ** 2
        variance = float(weights @ squares / total)
        # The error of the variance over deals, and that of log sd, which is half that of log variance
        groups = deal[chosen]
        deals = len(cluster_starts(groups))
        influence = weights * (squares - variance) / total
        error = np.sqrt(find_covariance(add_influences([influence], groups))[0, 0])
        half = student_quantile(confidence, deals - 1) * error / (2 * variance) if variance else 0.0
        sd = np.sqrt(variance)
        rows.append({
            "from": edges[k], "to": edges[k + 1], "predicted": float(weights @ prediction[chosen] / total),
            "bias": bias, "sd": sd, "lo": sd * np.exp(-half), "hi": sd * np.exp(half),
            "sides": len(chosen), "deals": deals,
        })  # fmt: skip
    return pd.DataFrame(rows)


class Area(NamedTuple):
    """Area under the ROC curve: the probability that a row with the event is ordered above one without it.

    Parameters
    ----------
    value : float
        Equal values count as half.
    influence : ndarray of float64 [shape=(rows,)]
        Influence of each row on the area: DeLong's placements minus the area.
    """

    value: float
    influence: np.ndarray


def find_area(index: np.ndarray, event: np.ndarray, weight: np.ndarray | None = None) -> Area:
    """Return the area under the ROC curve.

    Parameters
    ----------
    index : ndarray of int [shape=(rows,)]
        Rank of each row's value among the distinct values, from 0.
    event : ndarray of bool [shape=(rows,)]
        Both values occur.
    weight : ndarray of float64 [shape=(rows,)] or None

    Examples
    --------
    >>> find_area(np.array([0, 1, 1, 2]), np.array([False, False, True, True])).value
    0.875
    """
    size = int(index.max()) + 1
    with_event = np.bincount(index, event if weight is None else weight * event, size)
    without = np.bincount(index, weight, size) - with_event
    positive, negative = with_event.sum(), without.sum()
    below = (np.cumsum(without) - without / 2) / negative
    above = 1 - (np.cumsum(with_event) - with_event / 2) / positive
    area = float(with_event @ below / positive)
    # One table for rows without and with the event.
    placement = np.concatenate([(above - area) / negative, (below - area) / positive])
    influence = placement[index + size * event]
    return Area(area, influence if weight is None else influence * weight)


class BrierScore(NamedTuple):
    """Mean squared difference between a probability and the event, 1 or 0, and its three parts.

    ``value == reliability - resolution + uncertainty``.

    Parameters
    ----------
    value : float
    reliability : float
        What recalibration would gain; 0 if each probability equals the share of events among its rows.
    resolution : float
        What the recalibrated probabilities gain over the share of events among all rows.
    uncertainty : float
        Score of the share of events among all rows.
    influence : ndarray of float64 [shape=(rows,)]
        Influence of each row on the score, for given probabilities.
    """

    value: float
    reliability: float
    resolution: float
    uncertainty: float
    influence: np.ndarray


def score_probabilities(
    values: np.ndarray, index: np.ndarray, event: np.ndarray, weight: np.ndarray | None = None
) -> BrierScore:
    """Return the Brier score of the probabilities ``values[index]``; isotonic regression recalibrates them.

    Parameters
    ----------
    values : ndarray of float64 [shape=(v,)]
        Probabilities, in any order.
    index : ndarray of int [shape=(rows,)]
        Index of each row's probability.
    event : ndarray of bool [shape=(rows,)]
    weight : ndarray of float64 [shape=(rows,)] or None

    Examples
    --------
    >>> values, index = np.array([0.9, 0.2]), np.array([1, 1, 0, 0])
    >>> score = score_probabilities(values, index, np.array([False, True, True, True]))
    >>> [round(part, 4) for part in score[:4]]
    [0.175, 0.05, 0.0625, 0.1875]
    """
    from scipy.optimize import isotonic_regression

    mass = np.bincount(index, weight, len(values))
    total = mass.sum()
    used, place = np.unique(np.where(mass > 0, values, np.inf), return_inverse=True)
    count = len(used) - (1 if np.isinf(used[-1]) else 0)
    mass = np.bincount(place, mass, len(used))[:count]
    loss = (values[index] - event) ** 2
    with_event = np.bincount(place[index], event if weight is None else weight * event, len(used))[:count]
    share = with_event / mass
    fitted = isotonic_regression(share, weights=mass).x
    # For rows with a share s of events and a forecast f, the score is (f - s)² + s (1 - s).
    recalibrated = float(mass @ ((fitted - share) ** 2 + share * (1 - share)) / total)
    value = float(mass @ ((used[:count] - share) ** 2 + share * (1 - share)) / total)
    mean = float(with_event.sum() / total)
    uncertainty = mean * (1 - mean)
    influence = (loss - value) / total if weight is None else weight * (loss - value) / total
    return BrierScore(value, value - recalibrated, uncertainty - recalibrated, uncertainty, influence)
