"""Keys derived from a seed: the words of ``numpy.random.SeedSequence``, without importing `numpy.random`.

That import takes 10 ms of the start of a run, which needs nothing else of it. The algorithm is part of
NumPy's promise of reproducible streams (NEP 19) and comes from M. E. O'Neill's ``seed_seq_fe``
(https://www.pcg-random.org/posts/developing-a-seed_seq-alternative.html): a pool of four words of 32 bits
is mixed with the seed and the spawn key, and every word of the key is a hash of a word of the pool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

_POOL = 4  # words of 32 bits
_MASK = 0xFFFFFFFF


def derive_key(seed: int, spawn_key: Sequence[int], size: int) -> np.ndarray:
    """Return the words of a key.

    Parameters
    ----------
    seed : int >= 0
        Of any size.
    spawn_key : sequence of int >= 0
        At least one number; it tells the keys of one seed apart.
    size : int

    Returns
    -------
    ndarray of uint64 [size]
        ``SeedSequence(seed, spawn_key=spawn_key).generate_state(size, np.uint64)``.

    Examples
    --------
    >>> derive_key(1, (0,), 1) == np.random.SeedSequence(1, spawn_key=(0,)).generate_state(1, np.uint64)
    array([ True])
    """
    words = _split(seed)
    words += [0] * (_POOL - len(words))
    for number in spawn_key:
        words += _split(number)
    mix_in = _make_hash(0x43B0D7E5, 0x931E8875)
    pool = [mix_in(word) for word in words[:_POOL]]
    for source in range(_POOL):
        for target in range(_POOL):
            if target != source:
                pool[target] = _mix(pool[target], mix_in(pool[source]))
    for word in words[_POOL:]:
        for target in range(_POOL):
            pool[target] = _mix(pool[target], mix_in(word))
    draw = _make_hash(0x8B51F9DD, 0x58F38DED)
    state = [draw(pool[number % _POOL]) for number in range(2 * size)]
    return np.array([low | high << 32 for low, high in zip(state[::2], state[1::2], strict=True)], np.uint64)


def _split(number: int) -> list[int]:
    """Return the words of 32 bits of a number, the lowest first; 0 has one."""
    words = [number & _MASK]
    while number := number >> 32:
        words.append(number & _MASK)
    return words


def _make_hash(constant: int, multiplier: int) -> Callable[[int], int]:
    """Return a hash of a word whose constant changes with each call."""

    def hash_word(word: int) -> int:
        nonlocal constant
        word ^= constant
        constant = constant * multiplier & _MASK
        word = word * constant & _MASK
        return word ^ word >> 16

    return hash_word


def _mix(first: int, second: int) -> int:
    mixed = (0xCA01F9DD * first - 0x4973F715 * second) & _MASK
    return mixed ^ mixed >> 16
