"""`rnd` on the uniform stream: a hash of seed, number of the deal, number of the call, and attempt.

A value depends on these four only, so it is the same for any number of threads and any order of
evaluation. Words are mixed by SplitMix64's finalizer (Steele, Lea and Flood, OOPSLA 2014).
"""

from __future__ import annotations

import numpy as np

from dealerkit.dealing.random_words import derive_key

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def _mix(words: np.ndarray) -> np.ndarray:
    """Return 64-bit words mixed by SplitMix64's finalizer."""
    words = (words ^ (words >> np.uint64(30))) * _FIRST
    words = (words ^ (words >> np.uint64(27))) * _SECOND
    mixed: np.ndarray = words ^ (words >> np.uint64(31))
    return mixed


def _generate_words(seed: int, numbers: np.ndarray, call: int, attempt: int) -> np.ndarray:
    """Return a random 64-bit word for each deal number; `attempt` counts the words rejected before."""
    key = derive_key(abs(seed), (0x726E64, call, attempt), 2)
    return _mix(_mix(numbers.astype(np.uint64) * _GOLDEN + key[0]) + key[1])


def keyed_integers(seed: int, numbers: np.ndarray, call: int, limit: np.ndarray) -> np.ndarray:
    """Return uniform integers 0 .. limit-1 (limit+1 .. 0 where the limit is negative, 0 where it is 0).

    Parameters
    ----------
    seed : int
        Seed of the run; only those of classic streams may be negative.
    numbers : ndarray of int64 [shape=(n,)]
        Numbers of the deals in the run.
    call : int >= 0
        Number of the call in the script.
    limit : int or ndarray [shape=(n,)]

    Returns
    -------
    ndarray of int64 [shape=(n,)]
        Exactly uniform: a word beyond the last whole multiple of the limit is rejected.
    """
    size = np.abs(np.broadcast_to(limit, numbers.shape).astype(np.int64)).astype(np.uint64)
    result = np.zeros(len(numbers), np.int64)
    pending = np.flatnonzero(size)
    attempt = 0
    while len(pending):
        words, sizes = _generate_words(seed, numbers[pending], call, attempt), size[pending]
        surplus = (np.uint64(0) - sizes) % sizes  # 2^64 modulo the limit
        accepted = words <= ~surplus
        result[pending[accepted]] = (words[accepted] % sizes[accepted]).astype(np.int64)
        pending = pending[~accepted]
        attempt += 1
    return np.where(np.asarray(limit) < 0, -result, result)
