"""Random ranks, and the subsets of cards that they stand for: kernels of the uniform and conditional samplers.

Combinations are numbered, and a random number below their count, a rank, picks one of them. A bounded
random number is the upper half of word * bound, generated again while the lower half lies below 2^64 mod
bound (Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019). So ranks are exactly
uniform.

The kernels are inlined into their callers; the times of dealing are the same as with their code in
each of them. `SUBSET_TABLES` of `card_splits` are passed as `subset_tables`.
"""

from __future__ import annotations

import numpy as np

from dealerkit.compiled import kernel
from dealerkit.dealing.random_words import multiply_high, random_word

_1, _4, _8, _12, _14, _15 = (np.uint64(i) for i in (1, 4, 8, 12, 14, 15))
_16, _32, _48 = (np.uint64(i) for i in (16, 32, 48))


@kernel
def generate_rank(word, counter, key, bound, threshold):
    """Return a random rank below `bound`, and the counter of the word that it was made from.

    `word` is the word with this counter; `threshold` is 2^64 mod bound. Further words have the counters that follow.
    """
    while word * bound < threshold:
        counter += _1
        word = random_word(counter, key)
    return multiply_high(word, bound), counter


@kernel
def find_class(rank, cumulative, guide, shift):
    """Return the class c with ``cumulative[c] <= rank < cumulative[c + 1]``; the guide is where to begin."""
    c = np.uint64(guide[rank >> shift])
    while rank >= cumulative[c + _1]:
        c += _1
    return c


@kernel
def unrank_subset(rank, n, k, subset_tables):
    """Return a subset of k of n <= 13 places, and the rank that remains: quotient by comb(n, k)."""
    subsets, starts, binomials, reciprocals = subset_tables
    at = n * _14 + k
    quotient = multiply_high(rank << _1, reciprocals[at])
    return np.uint64(subsets[starts[k] + (rank - quotient * binomials[at])]), quotient


@kernel
def unrank_suits(rank, lengths, sizes, subset_tables):
    """Return `lengths` of the cards of each suit, as the lowest places of the four lanes.

    `lengths` and `sizes`, of which suits have how many cards to choose from, have four bits for each suit,
    clubs lowest. Clubs come first: they are the remainder of the rank.
    """
    clubs, rank = unrank_subset(rank, sizes & _15, lengths & _15, subset_tables)
    diamonds, rank = unrank_subset(rank, (sizes >> _4) & _15, (lengths >> _4) & _15, subset_tables)
    hearts, rank = unrank_subset(rank, (sizes >> _8) & _15, (lengths >> _8) & _15, subset_tables)
    spades = np.uint64(subset_tables[0][subset_tables[1][lengths >> _12] + rank])
    return clubs | diamonds << _16 | hearts << _32 | spades << _48
