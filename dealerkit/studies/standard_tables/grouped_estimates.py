"""Means and shares of values by group, from batches of deals, with intervals clustered by deal."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dealerkit.statistics import Counts, Estimate, Moments
from dealerkit.statistics.accumulation import cluster_starts
from dealerkit.statistics.rare_values import ANY_VALUE, ValueRange

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ["value", "se", "lo", "hi", "n", "deals"]


class GroupRow(NamedTuple):
    """The estimate of a group.

    Attributes
    ----------
    estimate : Estimate
        A mean or a share.
    deals : int
    sd : float
        Standard deviation of the values; nan for shares, and for a single value.
    weight : float
        Sum of the weights of the values.
    """

    estimate: Estimate
    deals: int
    sd: float = math.nan
    weight: float = math.nan


def estimate_mean(moments: Moments, confidence: float, bounds: tuple[float, float] | None = None) -> Estimate:
    """Return a mean with its interval over clusters, inside of the bounds of the values.

    One cluster has no interval. Nor have equal values, unless their bounds are known: see
    `dealerkit.statistics.Moments.mean`.

    >>> same = Moments()
    >>> same.update(np.array([9, 9, 9, 9]))
    >>> estimate_mean(same, 0.95).lo, estimate_mean(same, 0.95, (0, 13)).lo < 7
    (-inf, True)
    """
    mean = moments.mean(confidence, ANY_VALUE if bounds is None else ValueRange(*bounds))
    if moments.n_clusters < 2 or not mean.se > 0 and bounds is None:
        return replace(mean, se=math.nan, lo=-math.inf, hi=math.inf)
    return mean


def estimate_share(counts: Counts, confidence: float) -> Estimate:
    """Return the share of the value 1 with Wilson's interval over clusters; one cluster has no interval."""
    share = counts.share(1, confidence=confidence)
    if counts.n_clusters < 2:
        return replace(share, se=math.nan, lo=-math.inf, hi=math.inf)
    return share


class GroupedEstimates:
    """Means, or shares, of values by group; batches are added one by one.

    Parameters
    ----------
    bounds : (float, float), optional
        Between which all values are. Shares need none.

    Examples
    --------
    >>> tricks = GroupedEstimates((0, 13))
    >>> tricks.update(np.array([20, 20, 25]), np.array([6, 7, 9]), clusters=np.array([0, 1, 1]))
    >>> tricks.frame(0.95)[["value", "n", "deals"]].to_dict("index")[20]
    {'value': 6.5, 'n': 2, 'deals': 2}
    """

    def __init__(self, bounds: tuple[float, float] | None = None) -> None:
        self.bounds = bounds
        self.groups: dict[int, Moments | Counts] = {}

    def update(
        self,
        groups: np.ndarray,
        values: np.ndarray,
        weights: np.ndarray | None = None,
        clusters: np.ndarray | None = None,
    ) -> None:
        """Add a batch.

        Parameters
        ----------
        groups : ndarray of int [n]
            Number of the group of each value.
        values : ndarray of bool, int or float [n]
            Truth values have a share, numbers a mean.
        weights, clusters
            As for `dealerkit.statistics.Moments.update`.
        """
        if not len(groups):
            return
        keys = groups - groups.min()
        if keys.max() < 1 << 16:
            keys = keys.astype(np.uint16)  # numpy sorts these several times faster
        order = np.argsort(keys, kind="stable")
        starts = cluster_starts(groups[order])
        for rows in np.split(order, starts[1:]):
            self._find(int(groups[rows[0]]), values.dtype.kind == "b").update(
                values[rows].view(np.uint8) if values.dtype.kind == "b" else values[rows],
                None if weights is None else weights[rows],
                None if clusters is None else clusters[rows],
            )

    def _find(self, group: int, is_share: bool) -> Moments | Counts:
        """Return the accumulator of a group, a new one for a new group."""
        if group not in self.groups:
            self.groups[group] = Counts((0, 1)) if is_share else Moments()
        return self.groups[group]

    def estimate(self, group: int, confidence: float) -> Estimate:
        """Return the estimate of a group; without an interval from a single deal."""
        part = self.groups[group]
        if isinstance(part, Counts):
            return estimate_share(part, confidence)
        return estimate_mean(part, confidence, self.bounds)

    def count_deals(self, group: int) -> int:
        """Return the number of clusters of a group."""
        return self.groups[group].n_clusters

    def rows(self, confidence: float) -> dict[int, GroupRow]:
        """Return the estimate of each group that has values, in ascending order."""
        numbers = sorted(number for number, part in self.groups.items() if part.n)
        return {number: self._find_row(number, confidence) for number in numbers}

    def _find_row(self, group: int, confidence: float) -> GroupRow:
        part, estimate = self.groups[group], self.estimate(group, confidence)
        if isinstance(part, Counts):
            return GroupRow(estimate, part.n_clusters)
        return GroupRow(estimate, part.n_clusters, part.sd, part.total_weight)

    def frame(self, confidence: float) -> pd.DataFrame:
        """Return `rows` as a DataFrame: value, se, lo, hi, n and deals of each group.

        Error and ends of the interval are missing where there is no interval.
        """
        return tabulate_rows(self.rows(confidence)).astype({"n": int, "deals": int})


def tabulate_rows(rows: Mapping[Any, GroupRow], name: Hashable = None) -> pd.DataFrame:
    """Return value, se, lo, hi, n and deals of groups, by their keys; `name` is that of the index."""
    import pandas as pd

    data = [[*list_estimate(row.estimate), row.deals] for row in rows.values()]
    return pd.DataFrame(data, pd.Index(list(rows), name=name), COLUMNS)


def list_estimate(estimate: Estimate) -> list[float]:
    """Return value, error, both ends of the interval, and n; what is unknown is nan."""
    lo, hi = (end if math.isfinite(end) else math.nan for end in (estimate.lo, estimate.hi))
    return [estimate.value, estimate.se, lo, hi, estimate.n]


def name_intervals(confidence: float) -> str:
    """Return how a sentence names the intervals of a confidence level: ``95 % intervals``."""
    return f"{100 * confidence:g} % intervals"
