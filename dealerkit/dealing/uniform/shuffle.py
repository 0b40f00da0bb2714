"""The algorithm of the uniform stream, version 1: from random words to a deal.

A shuffle is made in three stages, each from the random words of its own stage
(`random.random_word`), so a side that nobody asks about can be left out:

0. the free cards are split between the sides: a random rank among the subsets of
   the right size gives the lengths of north-south in the four suits (a class of
   `splits.table`: the classes with most subsets first, equal ones in the order of
   their lengths, clubs first), and what is left of the rank gives the holdings:
   remainder and quotient by the number of holdings, clubs first, each an index into
   the subsets of that size of the suit's free cards, as numbers in rising order;
1. north-south's cards, taken from the lowest club up, are split between north and
   south: a rank among the ways to choose north's; the class says how many come from
   the first 13 of them and how many from the others, the rest of the rank which;
2. east's cards are chosen from east-west's in the same way.

A rank below n is the upper half of word * n, drawn again while the lower half lies
below 2^64 mod n (Lemire, "Fast random integer generation in an interval", ACM TOMACS
29, 2019), so ranks are exactly uniform. Cards are put in their places by the
"expand" of Warren, *Hacker's Delight*, section 7-5, on the four suits at once.
No step uses an instruction beyond plain 64-bit integer arithmetic.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from dealerkit.cards.names import FULL_DECK
from dealerkit.compiled import kernel
from dealerkit.dealing.card_splits import NUMBERS, Table, packed, table
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.random_words import fill_random_words
from dealerkit.dealing.unranking import find_class, generate_rank, unrank_subset, unrank_suits

CHUNK = 512  # deals worked on at a time: their buffers stay in the first-level cache

_0, _1, _2, _4, _8, _12, _14, _15 = (np.uint64(i) for i in (0, 1, 2, 4, 8, 12, 14, 15))
_16, _20, _32, _48, _LANE, _PACK = (np.uint64(i) for i in (16, 20, 32, 48, 0x1FFF, FULL_DECK))
# bits of a lane that a shift by 1, 2, 4 or 8 within the lane can reach
_A1, _A2, _A4, _A8 = (np.uint64(0x0001000100010001 * lane) for lane in (0xFFFE, 0xFFFC, 0xFFF0, 0xFF00))
_STAGE1, _STAGE2 = np.uint64(1 << 18), np.uint64(2 << 18)


@kernel
def spread(cards: np.uint64, lengths: np.uint64) -> np.uint64:
    """Cut a row of bits into the four lanes, `lengths` of them (four bits each, clubs lowest) to a lane."""
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
def place(chosen: np.ndarray, cards: np.ndarray, fixed_chosen: np.uint64, fixed_others: np.uint64) -> None:
    """Move bit k of each lane of `chosen` to the k-th card of that lane in `cards`, which keeps the rest."""
    for i in range(chosen.size):
        mask = cards[i]
        m = mask
        zeros = (~m << _1) & _A1  # then, in four rounds: bits whose number of zeros below is odd
        p = zeros ^ ((zeros << _1) & _A1)
        p ^= (p << _2) & _A2
        p ^= (p << _4) & _A4
        p ^= (p << _8) & _A8
        move1 = p & m
        m = (m ^ move1) | (move1 >> _1)
        zeros &= ~p
        p = zeros ^ ((zeros << _1) & _A1)
        p ^= (p << _2) & _A2
        p ^= (p << _4) & _A4
        p ^= (p << _8) & _A8
        move2 = p & m
        m = (m ^ move2) | (move2 >> _2)
        zeros &= ~p
        p = zeros ^ ((zeros << _1) & _A1)
        p ^= (p << _2) & _A2
        p ^= (p << _4) & _A4
        p ^= (p << _8) & _A8
        move4 = p & m
        m = (m ^ move4) | (move4 >> _4)
        zeros &= ~p
        p = zeros ^ ((zeros << _1) & _A1)
        p ^= (p << _2) & _A2
        p ^= (p << _4) & _A4
        p ^= (p << _8) & _A8
        move8 = p & m
        x = chosen[i]
        x = (x & ~move8) | ((x << _8) & move8)
        x = (x & ~move4) | ((x << _4) & move4)
        x = (x & ~move2) | ((x << _2) & move2)
        x = ((x & ~move1) | ((x << _1) & move1)) & mask
        chosen[i] = x | fixed_chosen
        cards[i] = (mask ^ x) | fixed_others


@kernel
def sample_sides(words, counters, key, south, lengths, sizes, sides, subset_tables):
    """Stage 0 of a chunk: north-south's free cards as the lanes' lowest places, and their lengths."""
    total, threshold, shift, cumulative, guide, classes = sides
    for i in range(words.size):
        rank, _ = generate_rank(words[i], counters[i], key, total, threshold)
        c = find_class(rank, cumulative, guide, shift)
        held = np.uint64(classes[c])
        lengths[i] = held
        south[i] = unrank_suits(rank - cumulative[c], held, sizes, subset_tables)


@kernel
def unrank_parts(rank, lengths, low, subset_tables):
    """A subset of a row of cards: lengths & 15 of its first `low`, the others of the cards after these."""
    first, rank = unrank_subset(rank, low, lengths & _15, subset_tables)
    return first | np.uint64(subset_tables[0][subset_tables[1][lengths >> _4] + rank]) << low


@kernel
def sample_half(words, counters, stage, key, chosen, lengths, whole, low, side, subset_tables):
    """Stage 1 or 2 of a chunk: which of its side's cards the first seat gets, lane by lane.

    The side's lengths are `lengths`, or `whole` less those; `low` of its cards are the first part.
    """
    total, threshold, shift, cumulative, guide, classes = side
    for i in range(words.size):
        rank, _ = generate_rank(words[i], counters[i] | stage, key, total, threshold)
        c = find_class(rank, cumulative, guide, shift)
        cards = unrank_parts(rank - cumulative[c], np.uint64(classes[c]), low, subset_tables)
        held = np.uint64(lengths[i])
        chosen[i] = spread(cards, whole - held if whole else held)


@kernel
def deal_cards(
    north,
    east,
    south,
    west,
    seats,
    first,
    rows,
    key,
    scratch,
    fixed,
    pool,
    sizes,
    low,
    sides,
    ns,
    ew,
    numbers,
):
    """Deal the shuffles of a block from `first` on, or those of `rows`; `seats` as in `deal_range`."""
    lengths = scratch[2]
    for begin in range(0, north.size, CHUNK):
        end = min(begin + CHUNK, north.size)
        counters, words = scratch[0, : end - begin], scratch[1, : end - begin]
        n, e, s, w = north[begin:end], east[begin:end], south[begin:end], west[begin:end]
        for i in range(counters.size):
            counters[i] = (np.uint64(rows[begin + i]) if rows.size else first + np.uint64(begin + i)) << _20
        fill_random_words(words, counters, _0, key)
        sample_sides(words, counters, key, s, lengths, sizes, sides, numbers)
        whole_pack = pool == _PACK
        for i in range(w.size):
            w[i] = pool ^ s[i] if whole_pack else pool
        if not whole_pack:
            place(s, w, _0, _0)
        if seats & 5:
            fill_random_words(words, counters, _STAGE1, key)
            sample_half(words, counters, _STAGE1, key, n, lengths, _0, low[0], ns, numbers)
            place(n, s, fixed[0], fixed[2])
        if seats & 10:
            fill_random_words(words, counters, _STAGE2, key)
            sample_half(words, counters, _STAGE2, key, e, lengths, sizes, low[1], ew, numbers)
            place(e, w, fixed[1], fixed[3])


class CardsPlan(NamedTuple):
    """What the kernel needs to know of a predeal."""

    fixed: np.ndarray  # uint64 [4]
    pool: np.uint64  # free cards
    sizes: np.uint64  # how many of each suit are free, clubs lowest
    low: np.ndarray  # uint64 [2]: first parts of the sides' cards in stages 1 and 2
    sides: Table
    ns: Table
    ew: Table
    numbers: tuple[np.ndarray, ...]


def parts_of(cards: int) -> tuple[int, int]:
    """The first 13 cards of a side, and the others."""
    return min(cards, 13), max(cards - 13, 0)


@lru_cache(maxsize=64)
def cards_plan(predeal: Predeal) -> CardsPlan:
    predeal.check()
    need, free = predeal.needs, predeal.free[::-1]
    ns, ew = parts_of(need[0] + need[2]), parts_of(need[1] + need[3])
    return CardsPlan(
        np.array(predeal.masks, dtype=np.uint64),
        np.uint64(FULL_DECK ^ sum(predeal.masks)),
        np.uint64(packed(free)),
        np.array([ns[0], ew[0]], dtype=np.uint64),
        table(free, need[0] + need[2], 12),
        table(ns, need[0], 10),
        table(ew, need[1], 10),
        NUMBERS,
    )
