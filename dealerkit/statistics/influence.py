"""Covariance and intervals of estimates from their influence functions, for rows that depend within deals.

The influence of a row is its first-order effect on an estimate; over all rows it adds up to 0. The sums
over the rows of each of G deals give the covariance of several estimates: G / (G - 1) times the sum of
their products.

References
----------
F. R. Hampel, The influence curve and its role in robust estimation, J. Am. Stat. Assoc. 69 (1974), 383-393.
N. A. Obuchowski, Nonparametric analysis of clustered ROC curve data, Biometrics 53 (1997), 567-578.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dealerkit.statistics.accumulation import add_by_cluster


def add_influences(influences: Iterable[np.ndarray], deal: np.ndarray) -> np.ndarray:
    """Return the influence of each deal on each of k estimates: [k, deals].

    Parameters
    ----------
    influences : k ndarrays of float64 [shape=(rows,)]
        Influence of each row on each estimate.
    deal : ndarray of int [shape=(rows,)]
        Rows with the same number are beside each other.
    """
    return np.stack([add_by_cluster(influence, deal) for influence in influences])


def find_covariance(sums: np.ndarray) -> np.ndarray:
    """Return the covariance [k, k] of estimates from the influence of each deal on each, [k, deals]."""
    deals = sums.shape[1]
    return deals / (deals - 1) * sums @ sums.T


def logit_interval(value: float, se: float, critical: float, cases: int) -> tuple[float, float]:
    """Return the interval of a value between 0 and 1, symmetric on the scale of logits.

    A value of 0 or 1 in `cases` independent cases has the ends of the binomial distribution.

    >>> [round(end, 3) for end in logit_interval(0.9, 0.03, 1.96, 100)]
    [0.824, 0.945]
    >>> [round(end, 3) for end in logit_interval(1.0, 0.0, 1.96, 100)]
    [0.964, 1.0]
    """
    from scipy.special import expit, logit, ndtr

    if se <= 0 or not 0 < value < 1:
        end = float(ndtr(-critical)) ** (1 / cases)
        return (min(value, 1 - end), 1 - end) if value < 0.5 else (end, max(value, end))
    half = critical * se / (value * (1 - value))
    low, high = expit(logit(value) + np.array([-half, half]))
    return float(low), float(high)
