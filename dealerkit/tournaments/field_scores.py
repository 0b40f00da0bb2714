"""Scoring a field: matchpoints, Butler and cross-IMPs of the results of one deal.

All functions take the scores of one side, and the parts of weighted scores, and return points for that side.
Matchpoints are counted in integers, so that they can be rounded exactly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dealerkit.scoring.scores import convert_to_imps

Weighted = Sequence[tuple[float, float]]  # weights and points of a weighted score


class Ratios(NamedTuple):
    """Matchpoints as fractions, with 2 for each lower score.

    Attributes
    ----------
    numerators : ndarray of int64 [n], or of float64 with weighted scores
    denominator : int
    """

    numerators: np.ndarray
    denominator: int

    @property
    def values(self) -> np.ndarray:
        """The matchpoints, float64 [n]."""
        return self.numerators / self.denominator


def count_matchpoints(scores: np.ndarray, weights: Sequence[Weighted] = ()) -> np.ndarray:
    """Return the matchpoints of scores: 2 for each lower score at another table, 1 for each equal one.

    Parameters
    ----------
    scores : ndarray of float [n]
    weights : sequence of weighted scores, optional
        The parts of the score at each table; empty for scores that are not weighted. The points of a weighted
        score, and of others against it, are the weighted mean over its parts.

    Returns
    -------
    ndarray of int64 [n], or of float64 with weighted scores

    References
    ----------
    Laws of Duplicate Bridge 2017, 78A; 12C1(c) for weighted scores.

    Examples
    --------
    >>> count_matchpoints(np.array([420.0, 450, 420, -50])).tolist()
    [3, 6, 3, 0]
    """
    if not any(weights):
        order = np.sort(scores)
        below = np.searchsorted(order, scores, "left")
        return below + np.searchsorted(order, scores, "right") - 1
    parts = [part or [(1.0, float(score))] for part, score in zip(weights, scores.tolist(), strict=True)]
    owners = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    weight = np.array([weight for part in parts for weight, _ in part])
    points = np.array([points for part in parts for _, points in part])
    better = np.sign(points[:, None] - points[None, :]) + 1.0
    better *= (owners[:, None] != owners[None, :]) * weight[:, None] * weight[None, :]
    return np.bincount(owners, better.sum(axis=1))


def apply_neuberg(matchpoints: np.ndarray, expected: int) -> Ratios:
    """Return the matchpoints of a board, scaled to the expected number of results by Neuberg's formula.

    If there are A results of E expected, M matchpoints become (M + 1) E / A - 1.

    Parameters
    ----------
    matchpoints : ndarray [n]
        Matchpoints of the n results obtained.
    expected : int
        Number of results that the board should have.

    Returns
    -------
    Ratios

    References
    ----------
    G. Neuberg; English Bridge Union, White Book, 4.2.3.

    Examples
    --------
    >>> apply_neuberg(np.array([12, 10, 8, 6, 4, 2, 0]), 10).values.round(1).tolist()
    [17.6, 14.7, 11.9, 9.0, 6.1, 3.3, 0.4]
    """
    obtained = len(matchpoints)
    return Ratios((matchpoints + 1) * expected - obtained, obtained)


def round_ratios(ratios: Ratios, decimals: int, average: float) -> np.ndarray:
    """Return fractions rounded to decimals; halves are rounded towards the average.

    The English Bridge Union rounds in this way.

    >>> round_ratios(Ratios(np.array([5, 15, 1]), 100), 1, 0.1).tolist()
    [0.1, 0.1, 0.0]
    """
    scale = 10**decimals
    if ratios.numerators.dtype.kind == "f":
        return np.round(ratios.values, decimals)
    quotient, rest = np.divmod(ratios.numerators * scale, ratios.denominator)
    twice = 2 * rest
    is_below = ratios.values < average
    up = (twice > ratios.denominator) | ((twice == ratios.denominator) & is_below)
    return (quotient + up) / scale


def score_small_field(scores: np.ndarray) -> np.ndarray:
    """Return the shares of two results in a small field, 65 and 55 %, or of three, 70, 60 and 50 %.

    References
    ----------
    English Bridge Union, White Book, 4.2.3.3.

    Examples
    --------
    >>> score_small_field(np.array([420.0, -50])).tolist(), score_small_field(np.array([1.0, 2, 1])).tolist()
    ([0.65, 0.55], [0.55, 0.7, 0.55])
    """
    step = 0.05 if len(scores) == 2 else 0.1
    centred = count_matchpoints(scores) / (len(scores) - 1) - 1
    return np.round(0.6 + step * centred, 4)


def find_datum(scores: np.ndarray, kind: str) -> float:
    """Return the datum of a field: a mean or median to the nearest 10; halves go to the even ten.

    Parameters
    ----------
    scores : ndarray of float [n]
        Scores of north-south.
    kind : {"mean", "butler-2", "acblscore", "median"}
        See `EventScoring`.

    Returns
    -------
    float
        nan without a score.

    Examples
    --------
    >>> find_datum(np.repeat([980.0, 480, 450, -50], [3, 11, 7, 1]), "mean")
    510.0
    >>> find_datum(np.array([425.0]), "acblscore"), find_datum(np.array([435.0]), "acblscore")
    (420.0, 440.0)
    """
    ordered = np.sort(scores)
    n = len(ordered)
    if not n:
        return math.nan
    cut = {"butler-2": 1, "acblscore": int(0.05 * n + 0.5)}.get(kind, 0)
    kept = ordered[cut : n - cut] if n > 2 * cut else ordered
    value = float(np.median(kept) if kind == "median" else kept.mean())
    return 10 * float(np.round(round(value, 9) / 10))  # numpy rounds halves to even


def score_butler(scores: np.ndarray, datum: float, weights: Sequence[Weighted] = ()) -> np.ndarray:
    """Return the IMPs of scores against a datum, float64 [n]; a weighted score has the mean of its parts.

    >>> score_butler(np.array([980.0, 480, 450, -50]), 510).tolist()
    [10.0, -1.0, -2.0, -11.0]
    """
    imps = convert_to_imps(scores - datum).astype(float)
    for place, part in enumerate(weights):
        if part:
            points = np.array([points for _, points in part], float)
            imps[place] = np.dot([weight for weight, _ in part], convert_to_imps(points - datum))
    return imps


def sum_cross_imps(scores: np.ndarray, weights: Sequence[Weighted] = ()) -> np.ndarray:
    """Return the sum of the IMPs of each score against all others, float64 [n].

    >>> sum_cross_imps(np.array([140.0, 420, -50, 170, 140])).tolist()
    [-3.0, 30.0, -26.0, 2.0, -3.0]
    """
    if any(weights):
        parts = [part or [(1.0, float(score))] for part, score in zip(weights, scores.tolist(), strict=True)]
        owners = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        weight = np.array([weight for part in parts for weight, _ in part])
        points = np.array([points for part in parts for _, points in part])
        imps = convert_to_imps(points[:, None] - points[None, :]).astype(float)
        imps *= (owners[:, None] != owners[None, :]) * weight[:, None] * weight[None, :]
        return np.bincount(owners, imps.sum(axis=1))
    values, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    return (convert_to_imps(values[:, None] - values[None, :]) @ counts).astype(float)[places]
