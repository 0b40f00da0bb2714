"""Random words by number: the source of the uniform stream, version 1.

A run with a seed is cut into blocks of 65,536 shuffles. The key of block b is
``SeedSequence(seed, spawn_key=(b,)).generate_state(4, uint64)``, of which three
words are used (candidates of the conditional sampler and random counts have keys of
their own, see `block_key`). Inside a block every word has a number of its own,

    counter = shuffle_in_block << 20 | stage << 18 | j

with `stage` 0..3 the step of the algorithm and `j` the number of the word within the
step, and is made from that number alone. So any shuffle, and any part of it, can be
made again without the others:

    x = counter + key[0];  x = scramble(x) + key[1];  word = scramble(x) ^ key[2]
    scramble(x): x ^= x >> 30; x *= 0xbf58476d1ce4e5b9; x ^= x >> 27;
                 x *= 0x94d049bb133111eb; x ^= x >> 31         (all modulo 2^64)

`scramble` is variant 13 of Stafford's mixers, the output function of SplitMix64
(Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
2014). One application is meant for counters that step by a large odd number; ours
step by powers of two, hence two applications with a key before, between and after.

Period and overlap: for one key the map from counters to words is one to one, so
the words of a block (at most 2^36) never repeat, and nothing runs on into the next
block: another block has another key, 192 bits derived from seed and block number.
Two blocks would have to share all of key[0] (up to a multiple of 2^20) and key[1]
for their words to be related, a chance of about 2^-108 for any two of them.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dealerkit.dealing.seed_keys import derive_key
from dealerkit.errors import ArgumentError
from dealerkit.system.compiled import kernel

BLOCK = 65536  # shuffles that share one key; part of the stream's definition
# Other uses of a seed: the second numbers of spawn keys.
CONDITIONAL, COUNTS, SIDES, BRANCHES, LIBRARY, LEVELS = (
    0x636F6E64, 0x636F756E, 0x73696465, 0x6272616E, 0x6C696272, 0x6C657665
)  # fmt: skip

_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_R30, _R27, _R31 = np.uint64(30), np.uint64(27), np.uint64(31)


@lru_cache(maxsize=4096)
def block_key(seed: int, block: int, use: int = 0) -> np.ndarray:
    """Return the key of one block.

    Parameters
    ----------
    seed : int >= 0
        Of any size.
    block : int >= 0
    use : int >= 0
        0 for the uniform stream, `CONDITIONAL` for candidates of the conditional sampler, `SIDES` for
        those whose first cards are a side's, `BRANCHES` for the branches of a mixture, `COUNTS` for random
        numbers of candidates, `LIBRARY` for samples of a library, `LEVELS` for the hand types of a levelled
        run. Each has keys of its own, from ``spawn_key=(block, use)``.

    Returns
    -------
    ndarray of uint64 [4], read-only

    Examples
    --------
    >>> hex(block_key(1, 0)[0])
    '0x7503ef9461d5f260'
    """
    if seed < 0:
        raise ArgumentError(f"a seed of the uniform stream is an integer from 0 up, not {seed}")
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
