"""Measures of forecasts of an event: area under the ROC curve, and the Brier score with its parts.

References
----------
E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, Comparing the areas under two or more correlated receiver
operating characteristic curves, Biometrics 44 (1988), 837-845.
G. W. Brier, Verification of forecasts expressed in terms of probability, Mon. Weather Rev. 78 (1950), 1-3.
T. Dimitriadis, T. Gneiting, A. I. Jordan, Stable reliability diagrams for probabilistic classifiers, Proc.
Natl. Acad. Sci. USA 118 (2021), e2016191118.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Area(NamedTuple):
    """Area under the ROC curve: the chance that a row with the event is ordered above one without it.

    Parameters
    ----------
    value : float
        Equal values count as half.
    influence : ndarray of float64 [shape=(rows,)]
        Of each row on the area: DeLong's placements less the area.
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
    """Mean squared difference of a probability from the event, 1 or 0, and its parts.

    ``value == reliability - resolution + uncertainty``.

    Parameters
    ----------
    value : float
    reliability : float
        What recalibration would gain; 0 if each probability is the share of events at it.
    resolution : float
        What the recalibrated probabilities gain over the share of all rows.
    uncertainty : float
        Score of the share of all rows.
    influence : ndarray of float64 [shape=(rows,)]
        Of each row on the score, for given probabilities.
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
    # Of rows with a share s of events that are forecast as f, the score is (f - s)² + s (1 - s).
    recalibrated = float(mass @ ((fitted - share) ** 2 + share * (1 - share)) / total)
    value = float(mass @ ((used[:count] - share) ** 2 + share * (1 - share)) / total)
    mean = float(with_event.sum() / total)
    uncertainty = mean * (1 - mean)
    influence = (loss - value) / total if weight is None else weight * (loss - value) / total
    return BrierScore(value, value - recalibrated, uncertainty - recalibrated, uncertainty, influence)
