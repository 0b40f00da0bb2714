"""Exact counts of the ways to split cards between seats, the tables for sampling one, and the kernels.

The counts and tables are computed once for each predeal, with Python's integers. Combinations are numbered,
and a random number below their count, a rank, picks one of them. It is the upper half of word * count,
generated again while the lower half is below 2^64 mod count (Lemire, "Fast random integer generation in an
interval", ACM TOMACS 29, 2019). So ranks are exactly uniform.

The compiler inlines the kernels, so callers that share them lose no time. The kernels' argument
`subset_tables` is `SUBSET_TABLES`. Lengths of four suits have four bits each, clubs lowest.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import lru_cache
from math import comb, factorial, prod
from typing import NamedTuple

import numpy as np

from dealerkit.dealing.random_words import random_word
from dealerkit.runtime.compiled import kernel, multiply_high

Lengths = tuple[int, int, int, int]  # by suit S H D C
Fixed = tuple[tuple[int | None, ...], ...]  # [seat][suit]: a predealt length, or None

# The subsets of 13 places by size, then as numbers; the subsets of n places come first in each size.
_NUMBERS = np.arange(1 << 13, dtype=np.uint16)
SUBSETS = _NUMBERS[np.argsort(np.bitwise_count(_NUMBERS), kind="stable")]
SUBSET_STARTS = np.cumsum([0, *(comb(13, size) for size in range(13))]).astype(np.uint64)  # by size
# comb(n, k) at [14 n + k], and ceil(2^63 / comb(n, k)): multiplying by it divides ranks exactly.
BINOMIALS = np.array([comb(n, k) for n in range(14) for k in range(14)], dtype=np.uint64)
RECIPROCALS = np.array([-(-(1 << 63) // max(1, int(c))) for c in BINOMIALS], dtype=np.uint64)
SubsetTables = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
SUBSET_TABLES: SubsetTables = (SUBSETS, SUBSET_STARTS, BINOMIALS, RECIPROCALS)
for array in SUBSET_TABLES:
    array.flags.writeable = False

# Constants of the kernels; numba would turn the sum of a uint64 and a Python integer into a float.
_1, _4, _8, _12, _14, _15 = (np.uint64(i) for i in (1, 4, 8, 12, 14, 15))
_16, _32, _48 = (np.uint64(i) for i in (16, 32, 48))


class SplitTable(NamedTuple):
    """Classes of ways to split cards; a rank picks c if ``cumulative[c] <= rank < cumulative[c + 1]``."""

    total: np.uint64  # number of subsets in all classes; ranks are below it
    threshold: np.uint64  # 2^64 mod total
    shift: np.uint64  # of the guide
    cumulative: np.ndarray  # uint64 [classes + 1]
    guide: np.ndarray  # uint16: the class of the rank (index << shift)
    lengths: np.ndarray  # uint16 [classes]: cards taken of each part, four bits each, first part lowest


def bound_ranks(totals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return totals as bounds that ranks are below, and 2^64 modulo each (0 for a bound of 0): uint64 [n]."""
    bounds = totals.astype(np.uint64)
    return bounds, (np.uint64(0) - bounds) % np.maximum(bounds, np.uint64(1))


def count_divisions(needs: Sequence[int]) -> int:
    """Return the number of ways to divide sum(needs) cards between seats that need this many each.

    >>> count_divisions([13, 13, 26]) == comb(52, 13) * comb(39, 13)
    True
    """
    return factorial(sum(needs)) // prod(map(factorial, needs))


def pack_nibbles(numbers: tuple[int, ...]) -> int:
    """Return up to four numbers below 16 packed into one integer, four bits each, the first lowest."""
    return sum(number << 4 * i for i, number in enumerate(numbers))


def list_splits(parts: tuple[int, ...], chosen: int) -> list[tuple[int, ...]]:
    """Return all ways to take `chosen` cards from parts of these sizes, as numbers taken from each part."""
    heads = itertools.product(*(range(min(size, chosen) + 1) for size in parts[:-1]))
    return [(*head, rest) for head in heads if 0 <= (rest := chosen - sum(head)) <= parts[-1]]


def sort_classes(weighted: list[tuple[int, tuple[int, ...]]]) -> list[tuple[int, tuple[int, ...]]]:
    """Return classes in the order of the stream: heaviest first, and equal weights by their lengths."""
    return sorted(weighted, key=lambda item: (-item[0], item[1]))


@lru_cache(maxsize=256)
def build_split_table(parts: tuple[int, ...], chosen: int, bits: int) -> SplitTable:
    """Return the table of the subsets of `chosen` cards out of parts of at most 13 cards.

    Subsets with the same number of cards from each part are a class. Its weight is the number of its subsets,
    so a rank minus the class's lower bound is the number of a subset within the class. The guide has at most
    2^bits entries.
    """
    classes = sort_classes([
        (prod(comb(size, length) for size, length in zip(parts, lengths, strict=True)), lengths)
        for lengths in list_splits(parts, chosen)
    ])  # fmt: skip
    bounds = [0, *itertools.accumulate(weight for weight, _ in classes)]
    total = bounds[-1]
    shift = max(0, total.bit_length() - bits)
    cumulative = np.array(bounds, dtype=np.uint64)
    starts = np.arange((total >> shift) + 1, dtype=np.uint64) << np.uint64(shift)
    guide = np.minimum(np.searchsorted(cumulative, starts, side="right") - 1, len(classes) - 1)
    return SplitTable(
        np.uint64(total), np.uint64((1 << 64) % total), np.uint64(shift), cumulative, guide.astype(np.uint16),
        np.array([pack_nibbles(lengths) for _, lengths in classes], dtype=np.uint16),
    )  # fmt: skip


def first_seat_lengths(
    held: Lengths, first: tuple[int | None, ...], second: tuple[int | None, ...]
) -> tuple[int | None, ...] | None:
    """Return the length of a side's first seat in each suit that its predealt lengths determine, else None.

    The whole result is None if the predealt lengths of the two seats contradict the side's cards.
    """
    lengths: list[int | None] = []
    for cards, own, partners in zip(held, first, second, strict=True):
        if own is not None and partners is not None and own + partners != cards:
            return None
        length = own if own is not None or partners is None else cards - partners
        if length is not None and not 0 <= length <= cards:
            return None
        lengths.append(length)
    return tuple(lengths)


def count_side_splits(
    held: Lengths, need: int, first: tuple[int | None, ...], second: tuple[int | None, ...]
) -> int:
    """Return the number of ways to give `need` of a side's cards to its first seat, given the lengths.

    The cards of the suits whose split the lengths do not determine are split as one set.

    >>> none = (None,) * 4
    >>> count_side_splits((7, 7, 6, 6), 13, none, none)
    10400600
    >>> count_side_splits((2, 0, 0, 0), 1, (1, None, None, None), none)
    2
    """
    lengths = first_seat_lengths(held, first, second)
    if lengths is None:
        return 0
    determined = [(cards, own) for cards, own in zip(held, lengths, strict=True) if own is not None]
    n_open = sum(held) - sum(cards for cards, _ in determined)
    rest = need - sum(own for _, own in determined)
    if not 0 <= rest <= n_open:
        return 0
    return comb(n_open, rest) * prod(comb(cards, own) for cards, own in determined)


def list_side_lengths(free: Lengths, need: Lengths, fixed: Fixed) -> list[tuple[int, Lengths]]:
    """Return the suit lengths that north-south can hold, with the number of deals of each.

    Parameters
    ----------
    free : 4 ints
        Cards of each suit that are not predealt.
    need : 4 ints
        Cards that each seat lacks.
    fixed : [4][4] of int or None
        Number of free cards of each suit that each seat gets; None if the length is not predealt.

    Returns
    -------
    list of (weight, lengths)
        Only weights above 0, in the stream's order; their sum is the number of deals.

    Examples
    --------
    >>> classes = list_side_lengths((13,) * 4, (13,) * 4, ((None,) * 4,) * 4)
    >>> sum(weight for weight, _ in classes)
    53644737765488792839237440000
    """
    classes = []
    for lengths in list_splits(free[::-1], need[0] + need[2]):  # clubs first, as in `build_split_table`
        held = lengths[::-1]
        others = tuple(have - taken for have, taken in zip(free, held, strict=True))
        weight = prod(comb(have, taken) for have, taken in zip(free, held, strict=True))
        weight *= count_side_splits(held, need[0], fixed[0], fixed[2])  # type: ignore[arg-type]
        weight *= count_side_splits(others, need[1], fixed[1], fixed[3])  # type: ignore[arg-type]
        if weight:
            classes.append((weight, lengths))
    return [(weight, lengths[::-1]) for weight, lengths in sort_classes(classes)]  # type: ignore[misc]


@kernel
def generate_rank(
    word: np.uint64, counter: np.uint64, key: np.ndarray, bound: np.uint64, threshold: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return a random rank below `bound`, and the counter of the word that it was made from.

    `word` is the word with number `counter`. If it is rejected, the word with the next number is tried, and
    so on. `threshold` is 2^64 mod bound.
    """
    while word * bound < threshold:
        counter += _1
        word = random_word(counter, key)
    return multiply_high(word, bound), counter


@kernel
def find_class(rank: np.uint64, cumulative: np.ndarray, guide: np.ndarray, shift: np.uint64) -> np.uint64:
    """Return the class c with ``cumulative[c] <= rank < cumulative[c + 1]``, found from the guide."""
    c = np.uint64(guide[rank >> shift])
    while rank >= cumulative[c + _1]:
        c += _1
    return c


@kernel
def unrank_subset(
    rank: np.uint64, n: np.uint64, k: np.uint64, subset_tables: SubsetTables
) -> tuple[np.uint64, np.uint64]:
    """Return subset number ``rank % comb(n, k)`` of k of n places (n <= 13), and ``rank // comb(n, k)``."""
    subsets, starts, binomials, reciprocals = subset_tables
    at = n * _14 + k
    quotient = multiply_high(rank << _1, reciprocals[at])
    return np.uint64(subsets[starts[k] + (rank - quotient * binomials[at])]), quotient


@kernel
def unrank_last(rank: np.uint64, k: np.uint64, subset_tables: SubsetTables) -> np.uint64:
    """Return subset number `rank` of k places: for the last part, when no other digits remain in the rank."""
    return np.uint64(subset_tables[0][subset_tables[1][k] + rank])


@kernel
def unrank_two_parts(
    rank: np.uint64, lengths: np.uint64, low: np.uint64, subset_tables: SubsetTables
) -> np.uint64:
    """Return subset number `rank`: lengths & 15 of the first `low` places, lengths >> 4 of the others."""
    cards, rank = unrank_subset(rank, low, lengths & _15, subset_tables)
    cards |= unrank_last(rank, lengths >> _4, subset_tables) << low
    return np.uint64(cards)


@kernel
def unrank_suits(
    rank: np.uint64, lengths: np.uint64, sizes: np.uint64, subset_tables: SubsetTables
) -> np.uint64:
    """Return subset number `rank` with `lengths` of `sizes` cards of each suit, as places in the four lanes.

    The clubs are the last digit of the rank.
    """
    clubs, rank = unrank_subset(rank, sizes & _15, lengths & _15, subset_tables)
    diamonds, rank = unrank_subset(rank, (sizes >> _4) & _15, (lengths >> _4) & _15, subset_tables)
    hearts, rank = unrank_subset(rank, (sizes >> _8) & _15, (lengths >> _8) & _15, subset_tables)
    spades = unrank_last(rank, lengths >> _12, subset_tables)
    return np.uint64(clubs | diamonds << _16 | hearts << _32 | spades << _48)
