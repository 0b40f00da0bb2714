"""Samples of whole deals with replacement, and sums over them.

The sides of a deal depend on each other, so a deal is resampled with all its rows. A statistic that
follows from sums over the rows needs only the sums of each deal; resampling weights these sums and does
not read the rows again.

References
----------
B. Efron and R. J. Tibshirani, *An Introduction to the Bootstrap* (Chapman and Hall 1993), 13.3.
A. C. Cameron, J. B. Gelbach, D. L. Miller, Bootstrap-based improvements for inference with clustered
errors, Rev. Econ. Stat. 90 (2008), 414-427.
"""

from __future__ import annotations

import numpy as np

from dealerkit.dealing.random_words import block_key, random_word
from dealerkit.system.compiled import kernel
from dealerkit.system.progress import track_items

KEY_USE = 0x747269616C  # this use of a seed has its own keys
MAX_COUNTS = 4_000_000  # resampling counts that are computed together


def resample_sums(table: np.ndarray, replicates: int, seed: int) -> np.ndarray:
    """Return the totals of samples of all deals, with replacement.

    Equal seeds and numbers of deals give equal samples.

    Parameters
    ----------
    table : ndarray of float64 [shape=(deals, m)]
        Sums over the rows of each deal.
    replicates : int
    seed : int >= 0

    Returns
    -------
    ndarray of float64 [shape=(replicates, m)]
    """
    deals = len(table)
    totals = np.empty((replicates, table.shape[1]))
    step = max(1, MAX_COUNTS // deals)
    starts = range(0, replicates, step)
    for start in track_items(starts, len(starts), "parts of the samples"):
        stop = min(start + step, replicates)
        totals[start:stop] = count_resamples(deals, range(start, stop), seed) @ table
    return totals


def count_resamples(deals: int, replicates: range, seed: int) -> np.ndarray:
    """Return how often each deal occurs in samples of all deals, with replacement.

    The index of a deal is the upper half of the product of 32 random bits and the number of deals, so
    that no two probabilities differ by more than 2^-32. A replicate does not depend on the others.

    Parameters
    ----------
    deals : int >= 1, below 2^32
    replicates : range
        Their numbers, from 0.
    seed : int >= 0

    Returns
    -------
    ndarray of float64 [shape=(len(replicates), deals)]
        Whole numbers, of the type that matrices are multiplied in.

    Examples
    --------
    >>> int(count_resamples(100, range(3), seed=1).sum())
    300
    """
    counts = np.zeros((len(replicates), deals))
    _count_draws(counts, replicates.start, block_key(seed, 0, KEY_USE))
    return counts


@kernel
def _count_draws(counts: np.ndarray, first: np.int64, key: np.ndarray) -> None:
    """Add to counts [replicates, deals] how often each deal is drawn, a draw from each half of a word."""
    deals = counts.shape[1]
    size, low_half, shift = np.uint64(deals), np.uint64(0xFFFFFFFF), np.uint64(32)
    for row in range(counts.shape[0]):
        replicate = np.uint64(first + row) << shift
        for pair in range(deals // 2):
            word = random_word(replicate | np.uint64(pair), key)
            counts[row, np.int64((word & low_half) * size >> shift)] += 1
            counts[row, np.int64((word >> shift) * size >> shift)] += 1
        if deals % 2:
            word = random_word(replicate | np.uint64(deals // 2), key)
            counts[row, np.int64((word & low_half) * size >> shift)] += 1
