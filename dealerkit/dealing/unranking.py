"""Random ranks, and the subsets of cards that they number: kernels of the uniform and conditional samplers.

Combinations are numbered, and a random number below their count, a rank, picks one of them. It is the
upper half of word * count, generated again while the lower half lies below 2^64 mod count (Lemire, "Fast
random integer generation in an interval", ACM TOMACS 29, 2019). So ranks are exactly uniform.

The compiler inlines these kernels: dealing takes as long as with their code in each caller. The argument
`subset_tables` is `card_splits.SUBSET_TABLES`. Lengths of four suits have four bits each, clubs lowest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dealerkit.dealing.random_words import random_word
from dealerkit.system.compiled import kernel, multiply_high

if TYPE_CHECKING:
    from dealerkit.dealing.card_splits import SubsetTables

_1, _4, _8, _12, _14, _15 = (np.uint64(i) for i in (1, 4, 8, 12, 14, 15))
_16, _32, _48 = (np.uint64(i) for i in (16, 32, 48))


@kernel
def generate_rank(
    word: np.uint64, counter: np.uint64, key: np.ndarray, bound: np.uint64, threshold: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return a random rank below `bound`, and the counter of the word that it was made from.

    `word` is the word with number `counter`; the words with the next numbers follow if it is rejected.
    `threshold` is 2^64 mod bound.
    """
    while word * bound < threshold:
        counter += _1
        word = random_word(counter, key)
    return multiply_high(word, bound), counter


@kernel
def find_class(rank: np.uint64, cumulative: np.ndarray, guide: np.ndarray, shift: np.uint64) -> np.uint64:
    """Return the class c with ``cumulative[c] <= rank < cumulative[c + 1]``, searched from the guide's."""
    c = np.uint64(guide[rank >> shift])
    while rank >= cumulative[c + _1]:
        c += _1
    return c


@kernel
def unrank_subset(
    rank: np.uint64, n: np.uint64, k: np.uint64, subset_tables: SubsetTables
) -> tuple[np.uint64, np.uint64]:
    """Return the subset of k of n places (n <= 13) that rank % comb(n, k) numbers, and the quotient."""
    subsets, starts, binomials, reciprocals = subset_tables
    at = n * _14 + k
    quotient = multiply_high(rank << _1, reciprocals[at])
    return np.uint64(subsets[starts[k] + (rank - quotient * binomials[at])]), quotient


@kernel
def unrank_last(rank: np.uint64, k: np.uint64, subset_tables: SubsetTables) -> np.uint64:
    """Return the subset of k places that `rank` numbers: the last part, so nothing remains of the rank."""
    return np.uint64(subset_tables[0][subset_tables[1][k] + rank])


@kernel
def unrank_two_parts(
    rank: np.uint64, lengths: np.uint64, low: np.uint64, subset_tables: SubsetTables
) -> np.uint64:
    """Return lengths & 15 of the first `low` places and lengths >> 4 of the places after them."""
    cards, rank = unrank_subset(rank, low, lengths & _15, subset_tables)
    cards |= unrank_last(rank, lengths >> _4, subset_tables) << low
    return np.uint64(cards)


@kernel
def unrank_suits(
    rank: np.uint64, lengths: np.uint64, sizes: np.uint64, subset_tables: SubsetTables
) -> np.uint64:
    """Return `lengths` cards of suits of `sizes` cards, as places in the four lanes; clubs come first."""
    clubs, rank = unrank_subset(rank, sizes & _15, lengths & _15, subset_tables)
    diamonds, rank = unrank_subset(rank, (sizes >> _4) & _15, (lengths >> _4) & _15, subset_tables)
    hearts, rank = unrank_subset(rank, (sizes >> _8) & _15, (lengths >> _8) & _15, subset_tables)
    spades = unrank_last(rank, lengths >> _12, subset_tables)
    return np.uint64(clubs | diamonds << _16 | hearts << _32 | spades << _48)
