"""Means over results whose deals are clusters: the tables of a board share their deal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dealerkit.statistics import Estimate, Moments

LEAST_DEALS = 10  # with fewer no interval is shown


def estimate_mean(values: np.ndarray, deals: np.ndarray, confidence: float = 0.95) -> Estimate:
    """Return the mean of values with an interval in which the values of a deal are one cluster.

    Parameters
    ----------
    values : ndarray of float [n]
        nan is left out.
    deals : ndarray of int [n]
        The deal of each value.
    confidence : float in (0, 1)

    Returns
    -------
    Estimate
        Without an interval (from -inf to inf) if there are fewer than `LEAST_DEALS` deals.

    Examples
    --------
    >>> few = estimate_mean(np.array([1.0, 2.0]), np.array([0, 1]))
    >>> few.value, few.lo
    (1.5, -inf)
    """
    values = np.asarray(values, float)
    known = ~np.isnan(values)
    values, deals = values[known], np.asarray(deals)[known]
    n_deals = len(np.unique(deals))
    if n_deals < LEAST_DEALS:
        mean = float(values.mean()) if len(values) else math.nan
        return Estimate(mean, math.nan, -math.inf, math.inf, len(values), confidence)
    moments = Moments()
    moments.update(values, clusters=deals.astype(np.int64))
    return moments.mean(confidence)


def group_means(
    values: np.ndarray,
    deals: np.ndarray,
    groups: np.ndarray,
    confidence: float = 0.95,
    order: Sequence[Any] = (),
) -> dict[Any, tuple[Estimate, int]]:
    """Return the mean of each group with the number of its deals.

    Parameters
    ----------
    values, deals, groups : ndarray [n]
    confidence : float in (0, 1)
    order : sequence, optional
        Names of groups that come first, in this order; the others follow by name.
    """
    first = {name: place for place, name in enumerate(order)}
    found = {}
    for name in sorted(set(groups.tolist()), key=lambda name: (first.get(name, len(first)), str(name))):
        chosen = (groups == name) & ~np.isnan(np.asarray(values, float))
        if chosen.any():
            mean = estimate_mean(values[chosen], deals[chosen], confidence)
            found[name] = mean, len(np.unique(deals[chosen]))
    return found
