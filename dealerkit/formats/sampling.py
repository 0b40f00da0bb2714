"""Random samples without replacement."""

from __future__ import annotations

import numpy as np

from dealerkit.dealing.random_words import LIBRARY, block_key, fill_random_words

CHUNK = 1 << 20  # random words compared together


def choose_numbers(n: int, count: int, seed: int) -> np.ndarray:
    """Return `count` of n numbers in random order: those with the smallest random words, which all differ."""
    key = block_key(seed, 0, LIBRARY)
    chosen, chosen_words = np.empty(0, np.int64), np.empty(0, np.uint64)
    for first in range(0, n, CHUNK):
        numbers = np.arange(first, min(first + CHUNK, n))
        words = np.empty(len(numbers), np.uint64)
        fill_random_words(words, numbers.astype(np.uint64), np.uint64(0), key)
        chosen, chosen_words = np.concatenate([chosen, numbers]), np.concatenate([chosen_words, words])
        if len(chosen) > count:
            smallest = np.argpartition(chosen_words, count - 1)[:count] if count else slice(0)
            chosen, chosen_words = chosen[smallest], chosen_words[smallest]
    return chosen[np.argsort(chosen_words)]
