"""Random words by number: the source of the uniform stream, version 1.

A run is divided into blocks of 65,536 shuffles. The key of block b is
``SeedSequence(seed, spawn_key=(b,)).generate_state(4, uint64)``, of which three
words are used (candidates of the conditional sampler and random counts have keys of
their own, see `block_key`). Within a block every word has a number of its own,

    counter = shuffle_in_block << 20 | stage << 18 | j

where `stage`, 0..3, is the step of the algorithm and `j` is the number of the word within
the step. The word is computed from this number only. So any shuffle, and any part of it,
can be made again without the others:

    x = counter + key[0];  x = scramble(x) + key[1];  word = scramble(x) ^ key[2]
    scramble(x): x ^= x >> 30; x *= 0xbf58476d1ce4e5b9; x ^= x >> 27;
                 x *= 0x94d049bb133111eb; x ^= x >> 31         (all modulo 2^64)

`scramble` is variant 13 of Stafford's mixers, the output function of SplitMix64
(Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
2014). SplitMix64 applies it once, to counters that step by a large odd number. Our counters
step by powers of two, so it is applied twice, with a key before, between and after.

Period and overlap: for one key the map from counters to words is one to one, so
the words of a block (at most 2^36) never repeat. They do not continue in the next block,
because each block has a key of its own, 192 bits derived from seed and block number.
The words of two blocks could only be related if the blocks had the same key[0] (up to a
multiple of 2^20) and the same key[1], a chance of about 2^-108 for any two of them.

`derive_key` computes the words of ``numpy.random.SeedSequence`` without importing `numpy.random`, which would
add 10 ms to the start of a run that needs nothing else from it. The algorithm is part of
NumPy's promise of reproducible streams (NEP 19) and comes from M. E. O'Neill's ``seed_seq_fe``
(https://www.pcg-random.org/posts/developing-a-seed_seq-alternative.html): a pool of four words of 32 bits
is mixed with the seed and the spawn key, and every word of the key is a hash of a word of the pool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.runtime.compiled import kernel

BLOCK = 65536  # shuffles that share one key; part of the stream's definition
# Other uses of a seed: the second numbers of spawn keys.
CONDITIONAL, COUNTS, SIDES, BRANCHES, LIBRARY, LEVELS = (
    0x636F6E64, 0x636F756E, 0x73696465, 0x6272616E, 0x6C696272, 0x6C657665
)  # fmt: skip
_RND = 0x726E64  # the first number of the spawn keys of calls of `rnd`
# The constants of `scramble`, in the type that the kernels need.
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_R30, _R27, _R31 = np.uint64(30), np.uint64(27), np.uint64(31)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # the step of SplitMix64's counter
# The constants of `derive_key`.
_POOL = 4  # words of 32 bits
_MASK = 0xFFFFFFFF


@lru_cache(maxsize=4096)
def block_key(seed: int, block: int, use: int = 0) -> np.ndarray:
    """Return the key of one block.

    Parameters
    ----------
    seed : int >= 0
        Seed of any size.
    block : int >= 0
        Number of the block.
    use : int >= 0
        0 for the uniform stream, `CONDITIONAL` for candidates of the conditional sampler, `SIDES` for
        those whose first cards are a side's, `BRANCHES` for the branches of a mixture, `COUNTS` for random
        numbers of candidates, `LIBRARY` for samples of a library, `LEVELS` for the hand types of a levelled
        run. Each has keys of its own, from ``spawn_key=(block, use)``.

    Returns
    -------
    ndarray of uint64 [4], read-only

    Raises
    ------
    ArgumentError
        The seed is negative.

    Examples
    --------
    >>> hex(block_key(1, 0)[0])
    '0x7503ef9461d5f260'
    """
    if seed < 0:
        raise ArgumentError(f"a seed of the uniform stream must be 0 or more, not {seed}")
    spawn_key = (int(block), use) if use else (int(block),)
    key = derive_key(int(seed), spawn_key, 4)
    key.flags.writeable = False
    return key


@kernel
def random_word(counter: np.uint64, key: np.ndarray) -> np.uint64:
    """Return the random word with this number under a block's key."""
    x: np.uint64 = counter + key[0]
    x = (x ^ (x >> _R30)) * _M1
    x = (x ^ (x >> _R27)) * _M2
    x = (x ^ (x >> _R31)) + key[1]
    x = (x ^ (x >> _R30)) * _M1
    x = (x ^ (x >> _R27)) * _M2
    x = x ^ (x >> _R31) ^ key[2]
    return x


@kernel
def fill_random_words(out: np.ndarray, counters: np.ndarray, offset: np.uint64, key: np.ndarray) -> None:
    """Set ``out[i] = random_word(counters[i] | offset, key)``, in vector code if the processor has it."""
    a, b, c = key[0], key[1], key[2]
    for i in range(out.size):
        x = (counters[i] | offset) + a
        x = (x ^ (x >> _R30)) * _M1
        x = (x ^ (x >> _R27)) * _M2
        x = (x ^ (x >> _R31)) + b
        x = (x ^ (x >> _R30)) * _M1
        x = (x ^ (x >> _R27)) * _M2
        out[i] = x ^ (x >> _R31) ^ c


def derive_key(seed: int, spawn_key: Sequence[int], size: int) -> np.ndarray:
    """Return the words of a key, as ``numpy.random.SeedSequence`` generates them.

    Parameters
    ----------
    seed : int >= 0
        Seed of any size.
    spawn_key : sequence of int >= 0
        At least one number; keys of the same seed differ by it.
    size : int
        Number of words.

    Returns
    -------
    ndarray of uint64 [size]
        ``SeedSequence(seed, spawn_key=spawn_key).generate_state(size, np.uint64)``.

    Examples
    --------
    >>> derive_key(1, (0,), 1) == np.random.SeedSequence(1, spawn_key=(0,)).generate_state(1, np.uint64)
    array([ True])
    """
    # The seed, filled up with zeros, and the spawn key as words of 32 bits.
    words = _split(seed)
    words += [0] * (_POOL - len(words))
    for number in spawn_key:
        words += _split(number)
    # Mix them into a pool, and make the words of the key from the pool.
    mix_in = _make_hash(0x43B0D7E5, 0x931E8875)
    pool = [mix_in(word) for word in words[:_POOL]]
    for source in range(_POOL):
        for target in range(_POOL):
            if target != source:
                pool[target] = _mix(pool[target], mix_in(pool[source]))
    for word in words[_POOL:]:
        for target in range(_POOL):
            pool[target] = _mix(pool[target], mix_in(word))
    mix_out = _make_hash(0x8B51F9DD, 0x58F38DED)
    state = [mix_out(pool[number % _POOL]) for number in range(2 * size)]
    return np.array([low | high << 32 for low, high in zip(state[::2], state[1::2], strict=True)], np.uint64)


def _split(number: int) -> list[int]:
    """Return the words of 32 bits of a number, the lowest first; 0 has one word."""
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
    """Return a word of the pool mixed with another word."""
    mixed = (0xCA01F9DD * first - 0x4973F715 * second) & _MASK
    return mixed ^ mixed >> 16


def _scramble(words: np.ndarray) -> np.ndarray:
    """Return 64-bit words mixed by `scramble` of the stream; see the module."""
    words = (words ^ (words >> _R30)) * _M1
    words = (words ^ (words >> _R27)) * _M2
    return words ^ (words >> _R31)


def _generate_words(seed: int, numbers: np.ndarray, call: int, attempt: int) -> np.ndarray:
    """Return a random 64-bit word for each deal number; `attempt` counts the words rejected before."""
    key = derive_key(abs(seed), (_RND, call, attempt), 2)
    return _scramble(_scramble(numbers.astype(np.uint64) * _GOLDEN + key[0]) + key[1])


def keyed_integers(seed: int, numbers: np.ndarray, call: int, limit: np.ndarray) -> np.ndarray:
    """Return values of `rnd`: integers 0 .. limit-1, or limit+1 .. 0 for a negative limit, or 0 for 0.

    Each value is a hash of the seed, the number of the deal, the number of the call, and the number of words
    rejected before. So it does not depend on the number of threads or the order of evaluation.

    Parameters
    ----------
    seed : int
        Seed of the run; only those of classic streams may be negative.
    numbers : ndarray of int64 [n]
        Numbers of the deals in the run.
    call : int >= 0
        Number of the call in the script.
    limit : int or ndarray of int [n]

    Returns
    -------
    ndarray of int64 [n]
        Exactly uniform values: a word beyond the last whole multiple of the limit is rejected.
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
