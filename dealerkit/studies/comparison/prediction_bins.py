"""Predictions in bins: what was observed in each, and how far from the prediction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dealerkit.statistics.accumulation import cluster_starts
from dealerkit.statistics.counts import Counts
from dealerkit.statistics.influence import add_influences, find_covariance
from dealerkit.statistics.intervals import student_quantile
from dealerkit.statistics.moments import Moments

if TYPE_CHECKING:
    import pandas as pd

MIN_BIN_DEALS = 20  # a bin with fewer is joined to the next one
MAX_TRICKS = 20.0  # predictions in a wider range are not rounded to whole numbers


def round_predictions(prediction: np.ndarray, bins: int = 10) -> np.ndarray:
    """Return the edges of bins: whole numbers of tricks, or equal numbers of rows in a wide range."""
    if np.ptp(prediction) > MAX_TRICKS:
        edges = np.unique(np.quantile(prediction, np.arange(1, bins) / bins))
        return np.concatenate([[-np.inf], edges, [np.inf]])
    low, high = np.floor(prediction.min() + 0.5), np.floor(prediction.max() + 0.5)
    return np.arange(low - 0.5, high + 1)


def assign_bins(prediction: np.ndarray, edges: np.ndarray, deal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the bin of each row, and the edges of the bins: each has 20 deals, if there are as many.

    A bin with fewer is joined to the next one, the last one to that before it. An edge belongs to the bin
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
    """Return what was observed in bins of predictions.

    Parameters
    ----------
    prediction : ndarray of float64 [shape=(rows,)]
    observed : ndarray of bool or float64 [shape=(rows,)]
        Whether an event occurred, or the target.
    edges : ndarray of float64 [shape=(bins + 1,)]
    deal : ndarray of int [shape=(rows,)]
        Rows of a deal depend on each other.
    weight : ndarray of float64 [shape=(rows,)] or None
    confidence : float in (0, 1)

    Returns
    -------
    DataFrame
        A row for each bin: `from` and `to`, its ends; `predicted`, the mean prediction; `observed`, the mean
        or the share, with its interval `lo` and `hi` clustered by deal; `sides` and `deals`.
    """
    import pandas as pd

    place, edges = assign_bins(prediction, edges, deal)
    rows = []
    for k in range(len(edges) - 1):
        chosen = np.flatnonzero(place == k)
        weights = None if weight is None else weight[chosen]
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
    """Return the residuals in bins of predictions; the arguments are as for `tabulate_observed`.

    Returns
    -------
    DataFrame
        A row for each bin: `from`, `to` and `predicted`; `bias`, the mean of prediction less target; `sd`,
        the standard deviation of the residuals, with its interval `lo` and `hi`, symmetric on a logarithmic
        scale, from the variance between deals; `sides` and `deals`.
    """
    import pandas as pd

    place, edges = assign_bins(prediction, edges, deal)
    rows = []
    for k in range(len(edges) - 1):
        chosen = np.flatnonzero(place == k)
        weights = np.ones(len(chosen)) if weight is None else weight[chosen]
        residual, total = (prediction - target)[chosen], weights.sum()
        bias = float(weights @ residual / total)
        squares = (residual - bias) ** 2
        variance = float(weights @ squares / total)
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
