"""The algorithm of the uniform stream, version 1: from random words to a deal.

A shuffle is made in three stages, each with random words of its own
(`random_words`), so a side whose hands are not needed can be omitted:

0. The free cards are split between the sides. A random rank among the subsets of
   the right size determines the lengths of north-south in the four suits (a class of
   `card_splits.SplitTable`; classes with more subsets come first, equal ones in the order
   of their lengths, clubs first). The rank within the class determines the holdings: it is
   divided by the number of holdings of each suit, clubs first, and the remainder is an index
   into the subsets of that size of the suit's free cards, as numbers in rising order.
1. North-south's cards, from the lowest club up, are split between north and south by
   a rank among the ways to choose north's. Its class determines how many of them come from
   the first 13 cards and how many from the others, and the rank within the class which.
2. East's cards are chosen from east-west's in the same way.

Ranks are exactly uniform (`card_splits`). Cards are moved to their bits by the "expand"
of Warren, *Hacker's Delight*, section 7-5, on the four suits at once. No step uses an
instruction beyond plain 64-bit integer arithmetic.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dealerkit.cards.names import FULL_DECK
from dealerkit.dealing.card_splits import (
    SUBSET_TABLES,
    SplitTable,
    SubsetTables,
    build_split_table,
    find_class,
    generate_rank,
    pack_nibbles,
    unrank_suits,
    unrank_two_parts,
)
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.random_words import fill_random_words
from dealerkit.runtime.compiled import kernel

CHUNK = 512  # deals processed at a time: their buffers fit the first-level cache

_0, _1, _2, _4, _8, _15 = (np.uint64(i) for i in (0, 1, 2, 4, 8, 15))
_16, _20, _32, _48, _LANE, _PACK = (np.uint64(i) for i in (16, 20, 32, 48, 0x1FFF, FULL_DECK))
# The bits of a lane that a left shift by 1, 2, 4 or 8 within the lane can reach.
_A1, _A2, _A4, _A8 = (np.uint64(0x0001000100010001 * lane) for lane in (0xFFFE, 0xFFFC, 0xFFF0, 0xFF00))
_STAGE1, _STAGE2 = np.uint64(1 << 18), np.uint64(2 << 18)


@kernel
def fill_lanes(cards: np.uint64, lengths: np.uint64) -> np.uint64:
    """Return a row of bits cut into the four lanes, by `lengths`, four bits each, clubs lowest."""
    diamonds = lengths & _15
    hearts = diamonds + ((lengths >> _4) & _15)
    spades = hearts + ((lengths >> _8) & _15)
    return (
        (cards & _LANE)
        | (((cards >> diamonds) & _LANE) << _16)
        | (((cards >> hearts) & _LANE) << _32)
        | (((cards >> spades) & _LANE) << _48)
    )


@kernel
def _find_moves(
    zeros: np.uint64, mask: np.uint64, shift: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return the bits of `mask` that move by `shift`, the mask after that, and the zeros for the next shift.

    A bit moves if the number of `zeros` below it in its lane is odd.
    """
    odd = zeros ^ ((zeros << _1) & _A1)
    odd ^= (odd << _2) & _A2
    odd ^= (odd << _4) & _A4
    odd ^= (odd << _8) & _A8
    move = odd & mask
    return move, (mask ^ move) | (move >> shift), zeros & ~odd


@kernel
def deposit_bits(
    chosen: np.ndarray, cards: np.ndarray, fixed_chosen: np.uint64, fixed_others: np.uint64
) -> None:
    """Move bit k of each lane of `chosen` to the k-th card of that lane in `cards`; `cards` keeps the others.

    The predealt cards `fixed_chosen` and `fixed_others` are added.
    """
    for i in range(chosen.size):
        mask = cards[i]
        move1, rest, zeros = _find_moves((~mask << _1) & _A1, mask, _1)
        move2, rest, zeros = _find_moves(zeros, rest, _2)
        move4, rest, zeros = _find_moves(zeros, rest, _4)
        move8, rest, zeros = _find_moves(zeros, rest, _8)
        x = chosen[i]
        x = (x & ~move8) | ((x << _8) & move8)
        x = (x & ~move4) | ((x << _4) & move4)
        x = (x & ~move2) | ((x << _2) & move2)
        x = ((x & ~move1) | ((x << _1) & move1)) & mask
        chosen[i] = x | fixed_chosen
        cards[i] = (mask ^ x) | fixed_others


@kernel
def sample_sides(
    words: np.ndarray, counters: np.ndarray, key: np.ndarray, south: np.ndarray, lengths: np.ndarray,
    sizes: np.uint64, split: SplitTable, subset_tables: SubsetTables,
) -> None:  # fmt: skip
    """Run stage 0 of a chunk: set `south` to north-south's cards, as places in the lanes, and `lengths`."""
    total, threshold, shift, cumulative, guide, classes = split
    for i in range(words.size):
        rank, _ = generate_rank(words[i], counters[i], key, total, threshold)
        c = find_class(rank, cumulative, guide, shift)
        held = np.uint64(classes[c])
        lengths[i] = held
        south[i] = unrank_suits(rank - cumulative[c], held, sizes, subset_tables)


@kernel
def sample_first_seat(
    words: np.ndarray, counters: np.ndarray, stage: np.uint64, key: np.ndarray, chosen: np.ndarray,
    lengths: np.ndarray, whole: np.uint64, low: np.uint64, split: SplitTable, subset_tables: SubsetTables,
) -> None:  # fmt: skip
    """Run stage 1 or 2 of a chunk: set `chosen` to the first seat's cards, as places in the side's lanes.

    The side's lengths are `lengths`, or `whole` minus these; `low` of its cards are the first part.
    """
    total, threshold, shift, cumulative, guide, classes = split
    for i in range(words.size):
        rank, _ = generate_rank(words[i], counters[i] | stage, key, total, threshold)
        c = find_class(rank, cumulative, guide, shift)
        cards = unrank_two_parts(rank - cumulative[c], np.uint64(classes[c]), low, subset_tables)
        held = np.uint64(lengths[i])
        chosen[i] = fill_lanes(cards, whole - held if whole else held)


@kernel
def deal_cards(
    north: np.ndarray, east: np.ndarray, south: np.ndarray, west: np.ndarray, seats: int,
    first: np.uint64, rows: np.ndarray, key: np.ndarray, scratch: np.ndarray, fixed: np.ndarray,
    pool: np.uint64, sizes: np.uint64, low: np.ndarray, sides: SplitTable, ns: SplitTable, ew: SplitTable,
    subset_tables: SubsetTables,
) -> None:  # fmt: skip
    """Deal the shuffles of a block from `first` on, or those of `rows`; the last arguments are `CardTables`.

    `scratch` is uint64 [4, CHUNK]; bits 0 and 2 of `seats` request stage 1, bits 1 and 3 stage 2.
    """
    lengths = scratch[2]
    for begin in range(0, north.size, CHUNK):
        end = min(begin + CHUNK, north.size)
        counters, words = scratch[0, : end - begin], scratch[1, : end - begin]
        n, e, s, w = north[begin:end], east[begin:end], south[begin:end], west[begin:end]
        # The cards of north and south: a subset of the pool of free cards.
        for i in range(counters.size):
            counters[i] = (np.uint64(rows[begin + i]) if rows.size else first + np.uint64(begin + i)) << _20
        fill_random_words(words, counters, _0, key)
        sample_sides(words, counters, key, s, lengths, sizes, sides, subset_tables)
        # East and west have the others.
        whole_pack = pool == _PACK
        for i in range(w.size):
            w[i] = pool ^ s[i] if whole_pack else pool
        if not whole_pack:
            deposit_bits(s, w, _0, _0)
        # Stage 1: north's cards among those of the side. South has the others.
        if seats & 5:
            fill_random_words(words, counters, _STAGE1, key)
            sample_first_seat(words, counters, _STAGE1, key, n, lengths, _0, low[0], ns, subset_tables)
            deposit_bits(n, s, fixed[0], fixed[2])
        # Stage 2: east's cards among those of the opponents. West has the others.
        if seats & 10:
            fill_random_words(words, counters, _STAGE2, key)
            sample_first_seat(words, counters, _STAGE2, key, e, lengths, sizes, low[1], ew, subset_tables)
            deposit_bits(e, w, fixed[1], fixed[3])


class CardTables(NamedTuple):
    """What `deal_cards` needs to know about a predeal without lengths."""

    fixed: np.ndarray  # uint64 [4]: predealt cards of each seat
    pool: np.uint64  # free cards
    sizes: np.uint64  # number of free cards of each suit, four bits each, clubs lowest
    low: np.ndarray  # uint64 [2]: sizes of the first parts of the sides' cards in stages 1 and 2
    sides: SplitTable
    ns: SplitTable
    ew: SplitTable
    subset_tables: tuple[np.ndarray, ...]


def split_side(n_cards: int) -> tuple[int, int]:
    """Return the sizes of the two parts of a side's cards: the first 13, and the others."""
    return min(n_cards, 13), max(n_cards - 13, 0)


@lru_cache(maxsize=64)
def build_card_tables(predeal: Predeal) -> CardTables:
    """Return the tables for a predeal without lengths."""
    predeal.check()
    need, free = predeal.needs, predeal.free[::-1]
    ns, ew = split_side(need[0] + need[2]), split_side(need[1] + need[3])
    return CardTables(
        np.array(predeal.masks, dtype=np.uint64),
        np.uint64(FULL_DECK ^ sum(predeal.masks)),
        np.uint64(pack_nibbles(free)),
        np.array([ns[0], ew[0]], dtype=np.uint64),
        build_split_table(free, need[0] + need[2], 12),
        build_split_table(ns, need[0], 10),
        build_split_table(ew, need[1], 10),
        SUBSET_TABLES,
    )
