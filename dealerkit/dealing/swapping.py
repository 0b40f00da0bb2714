"""Swapping: several deals of one shuffle, with its hands exchanged between the seats."""

from __future__ import annotations

import numpy as np

from dealerkit.errors import ArgumentError

# For each swapping mode and each deal of a shuffle: whose hand of the shuffle N, E, S and W hold.
OWNERS = {
    0: ((0, 1, 2, 3),),
    2: ((0, 1, 2, 3), (0, 3, 2, 1)),
    3: ((0, 1, 2, 3), (0, 3, 2, 1), (0, 3, 1, 2), (0, 1, 3, 2), (0, 2, 3, 1), (0, 2, 1, 3)),
}


def n_deals_per_shuffle(swap: int) -> int:
    """Return how many deals a shuffle makes: 1, or 2 and 6 in the swapping modes 2 and 3.

    >>> [n_deals_per_shuffle(swap) for swap in (0, 2, 3)]
    [1, 2, 6]
    """
    if swap not in OWNERS:
        raise ArgumentError(f"swapping is 0 (none), 2 or 3, not {swap!r}")
    return len(OWNERS[swap])


def cluster_numbers(numbers: np.ndarray, swap: int = 0) -> np.ndarray:
    """Return the number of the shuffle that each deal was made from.

    Parameters
    ----------
    numbers : ndarray of int64 [n], >= 0
        Numbers of deals in the run.
    swap : {0, 2, 3}

    Returns
    -------
    ndarray of int64 [n]

    Examples
    --------
    >>> cluster_numbers(np.arange(7), swap=3).tolist()
    [0, 0, 0, 0, 0, 0, 1]
    """
    return np.asarray(numbers, dtype=np.int64) // n_deals_per_shuffle(swap)
