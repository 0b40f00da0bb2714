"""Errors of cross-validated gains in small samples, by samples of deals in which thresholds are chosen anew.

With some hundred deals the thresholds themselves are uncertain, and a gain whose threshold is taken as given
has too narrow an interval. So each sample of the deals, with replacement, takes the place of the deals:
thresholds are chosen on nine tenths of it and judged on the tenth left out. All deals take the place of the
population: in them the same thresholds have their true gain. The difference of the two is an error as that of
the estimate.

References
----------
S. Bates, T. Hastie, R. Tibshirani, Cross-validation: what does it estimate and how well does it do it?,
J. Am. Stat. Assoc. 119 (2024), 1434-1445: why intervals that take the choice as given are too narrow.
B. Efron and R. J. Tibshirani, *An Introduction to the Bootstrap* (Chapman and Hall 1993), 17.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

MAX_CELLS = 1_000_000  # sums of samples that are computed together
MAX_LEVELS = 500  # values between which thresholds are chosen


def find_errors(
    columns: Iterable[np.ndarray],
    gains: np.ndarray,
    weight: np.ndarray,
    fold: np.ndarray,
    deal: np.ndarray,
    counts: np.ndarray,
) -> np.ndarray:
    """Return errors of the mean gains of evaluators, and of perfect foresight, in samples of the deals.

    Parameters
    ----------
    columns : iterable of k ndarrays of float64 [rows]
        Values of the evaluators.
    gains, weight : ndarray of float64 [rows]
        What bidding gains, and the weight of the row.
    fold, deal : ndarray of int [rows]
        From 0.
    counts : ndarray of int [samples, deals]
        How often each deal is in each sample.

    Returns
    -------
    ndarray of float64 [samples, k + 1]
    """
    folds, samples = int(fold.max()) + 1, len(counts)
    times = counts[:, deal] * weight
    size = times.sum(axis=1)
    always, base = _choose_always(times * gains, fold, folds)
    true_base = always.mean(axis=1) * (weight @ gains) / weight.sum()
    errors = []
    for values in columns:
        levels, at = np.unique(values, return_inverse=True)
        n_levels = min(len(levels), MAX_LEVELS)
        at = at * n_levels // len(levels)  # neighbouring values together, if there are many
        step = max(1, MAX_CELLS // max(folds * n_levels, len(at)))
        parts = [
            _judge_samples(times[k : k + step] * gains, weight * gains, fold, folds, at, n_levels)
            for k in range(0, samples, step)
        ]
        held_out, true = np.concatenate(parts, axis=1)
        errors.append((held_out - base) / size - (true / weight.sum() - true_base))
    best = np.maximum(gains, 0)
    foresight = (times @ best - base) / size - (weight @ best / weight.sum() - true_base)
    return np.stack([*errors, foresight], axis=1)


def _choose_always(weighted: np.ndarray, fold: np.ndarray, folds: int) -> tuple[np.ndarray, np.ndarray]:
    """Return whether bidding always is better without each fold [samples, folds], and its total there."""
    sums = np.stack([weighted[:, fold == k].sum(axis=1) for k in range(folds)], axis=1)
    always = sums.sum(axis=1, keepdims=True) - sums > 0
    return always, (always * sums).sum(axis=1)


def _judge_samples(
    weighted: np.ndarray, population: np.ndarray, fold: np.ndarray, folds: int, at: np.ndarray, size: int
) -> np.ndarray:
    """Return the total gain of samples on the folds left out, and in the population: [2, samples].

    Parameters
    ----------
    weighted : ndarray of float64 [samples, rows]
        Gains of the rows times their weights in each sample.
    population : ndarray of float64 [rows]
        The same in the population.
    fold, at : ndarray of int [rows]
        The fold of each row, and the index of its value among `size` levels.
    """
    samples = len(weighted)
    cells = np.arange(samples)[:, None] * (folds * size) + (fold.astype(np.int64) * size + at)
    sums = np.bincount(cells.ravel(), weighted.ravel(), samples * folds * size).reshape(samples, folds, size)
    held_out, all_sums = _add_up(sums), _add_up(np.bincount(at, population, size))
    train = held_out.sum(axis=1, keepdims=True) - held_out
    # Of the lowest k values, bidding the others gains the total less their sum, bidding them their sum.
    above = train[..., -1] - train.min(axis=2)
    rises = above >= train.max(axis=2)
    k = np.where(rises, train.argmin(axis=2), train.argmax(axis=2))
    chosen = np.take_along_axis(held_out, k[..., None], axis=2)[..., 0]
    judged = np.where(rises, held_out[..., -1] - chosen, chosen).sum(axis=1)
    true = np.where(rises, all_sums[-1] - all_sums[k], all_sums[k]).mean(axis=1)
    return np.stack([judged, true])


def _add_up(sums: np.ndarray) -> np.ndarray:
    """Return the sums of the lowest 0, 1, 2 ... values along the last axis."""
    return np.concatenate([np.zeros((*sums.shape[:-1], 1)), np.cumsum(sums, axis=-1)], axis=-1)
