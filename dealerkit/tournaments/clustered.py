"""Means over results that are clustered by deal, because the tables of a board share its deal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dealerkit.statistics import Estimate, Moments

LEAST_DEALS = 10  # number of deals from which an interval is shown


class ClusterMeans:
    """Means of groups of values from one or more batches; the values of a deal in a batch are a cluster.

    Examples
    --------
    >>> means = ClusterMeans()
    >>> for values in ([1.0, 3.0], [2.0, np.nan]):
    ...     means.update(np.array(values), np.array([0, 0]), {"side": np.array(["NS", "EW"])})
    >>> [(key, mean.value, n_deals) for key, (mean, n_deals) in means.estimate().items()]
    [(('side', 'NS'), 1.5, 2), (('side', 'EW'), 3.0, 1)]
    """

    def __init__(self) -> None:
        self._moments: dict[tuple[str, Any], Moments] = {}
        self._n_deals: dict[tuple[str, Any], int] = {}
        self._first = 0  # number of the first deal of the next batch

    def update(self, values: np.ndarray, deals: np.ndarray, groups: Mapping[str, np.ndarray]) -> None:
        """Add a batch.

        Parameters
        ----------
        values : ndarray of float [n]
            Values; nan is left out.
        deals : ndarray of int [n]
            The deal of each value, from 0; numbers have no meaning outside the batch.
        groups : mapping of str to ndarray [n]
            Names of the groups of each value, by kind of group: level, strain ...
        """
        values, deals = np.asarray(values, float), np.asarray(deals, np.int64)
        known = ~np.isnan(values)
        for by, names in groups.items():
            for name in dict.fromkeys(names[known].tolist()):
                chosen = known & (names == name)
                moments = self._moments.setdefault((by, name), Moments())
                moments.update(values[chosen], clusters=self._first + deals[chosen])
                n_deals = len(np.unique(deals[chosen]))
                self._n_deals[by, name] = self._n_deals.get((by, name), 0) + n_deals
        self._first += int(deals.max(initial=-1)) + 1

    def estimate(
        self, confidence: float = 0.95, order: Sequence[Any] = ()
    ) -> dict[tuple[str, Any], tuple[Estimate, int]]:
        """Return the mean of each group with the number of its deals.

        Parameters
        ----------
        confidence : float in (0, 1)
        order : sequence, optional
            Names of groups that come first, in this order; the others follow in alphabetical order.

        Returns
        -------
        dict
            Groups with fewer than `LEAST_DEALS` deals have no interval (-inf to inf).
        """
        first = {name: place for place, name in enumerate(order)}
        ways = list(dict.fromkeys(by for by, _ in self._moments))
        keys = sorted(
            self._moments,
            key=lambda key: (ways.index(key[0]), first.get(key[1], len(first)), str(key[1])) if order else 0,
        )
        found = {}
        for key in keys:
            mean = self._moments[key].mean(confidence)
            if self._n_deals[key] < LEAST_DEALS:
                mean = Estimate(mean.value, math.nan, -math.inf, math.inf, mean.n, confidence)
            found[key] = mean, self._n_deals[key]
        return found


def estimate_mean(values: np.ndarray, deals: np.ndarray, confidence: float = 0.95) -> Estimate:
    """Return the mean of values with an interval that treats the values of a deal as one cluster.

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
        Without an interval (-inf to inf) if there are fewer than `LEAST_DEALS` deals.

    Examples
    --------
    >>> few = estimate_mean(np.array([1.0, 2.0]), np.array([0, 1]))
    >>> few.value, few.lo
    (1.5, -inf)
    """
    means = ClusterMeans()
    means.update(values, deals, {"": np.zeros(len(values))})
    found = list(means.estimate(confidence).values())
    return found[0][0] if found else Estimate(math.nan, math.nan, -math.inf, math.inf, 0, confidence)
