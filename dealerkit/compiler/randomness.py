"""`rnd` on the uniform stream: a keyed hash of (seed, deal, place of the call, attempt).

A value depends on its key only, so it is the same for any number of threads and
any order of evaluation. The mixing function is SplitMix64's finalizer (Steele,
Lea and Flood, OOPSLA 2014), applied after each part of the key.
"""

from __future__ import annotations

import numpy as np

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def _mix(words: np.ndarray) -> np.ndarray:
    words = (words ^ (words >> np.uint64(30))) * _FIRST
    words = (words ^ (words >> np.uint64(27))) * _SECOND
    return words ^ (words >> np.uint64(31))


def keyed_words(seed: int, numbers: np.ndarray, call: int, attempt: int = 0) -> np.ndarray:
    """Return one random 64-bit word for each deal.

    Parameters
    ----------
    seed : int >= 0
        Seed of the run.
    numbers : ndarray of int64 [shape=(n,)]
        Numbers of the deals in the run.
    call : int >= 0
        Number of the call in the script.
    attempt : int >= 0
        How many words for the same bounded number were rejected before.

    Returns
    -------
    ndarray of uint64 [shape=(n,)]
    """
    key = np.random.SeedSequence(seed, spawn_key=(0x726E64, call, attempt)).generate_state(2, np.uint64)
    return _mix(_mix(numbers.astype(np.uint64) * _GOLDEN + key[0]) + key[1])


def keyed_integers(seed: int, numbers: np.ndarray, call: int, limit: np.ndarray) -> np.ndarray:
    """Return uniform integers 0 .. limit-1 (limit+1 .. 0 where the limit is negative, 0 where it is 0).

    They are exactly uniform: a word beyond the last whole multiple of the limit is replaced by another.
    They are remainders of words, not upper halves of products as in `dealing.unranking`, since these
    would change the values of a seed.
    """
    size = np.abs(np.broadcast_to(limit, numbers.shape).astype(np.int64)).astype(np.uint64)
    result = np.zeros(len(numbers), np.int64)
    pending = np.flatnonzero(size)
    attempt = 0
    while len(pending):
        words, sizes = keyed_words(seed, numbers[pending], call, attempt), size[pending]
        surplus = (np.uint64(0) - sizes) % sizes  # 2^64 modulo the limit
        accepted = words <= ~surplus
        result[pending[accepted]] = (words[accepted] % sizes[accepted]).astype(np.int64)
        pending = pending[~accepted]
        attempt += 1
    return np.where(np.asarray(limit) < 0, -result, result)
