"""Uniform deals with suit lengths settled before the deal.

The lengths of north-south in the four suits are drawn with the exact number of deals
that each of them leaves (`splits.side_classes`); given those, a demand on one seat
settles how many cards of the suit its partner has, and all other cards of the side are
one heap. So three draws make a deal, none is ever thrown away, and the stages are
those of `stages`, with these differences:

0. two words, high and low, make a number of 128 bits that is drawn again while it is
   not below total * 2^k, k as large as 128 bits allow; dividing it by 2^k gives the
   rank that picks the class. The next word picks the holdings;
1., 2. a side on which there is a demand draws one rank below the number of ways in
   its class: remainder and quotient by the number of holdings for every suit that is
   settled, clubs first; the last quotient is the rank of the first seat's cards from the heap.
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from math import comb, prod
from typing import NamedTuple

import numpy as np

from dealerkit.cards.names import FULL_DECK
from dealerkit.compiled import kernel
from dealerkit.dealing.card_splits import NUMBERS, Table, packed, side_classes, side_lengths, table
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.random_words import fill_random_words, random_word
from dealerkit.dealing.uniform.shuffle import CHUNK, parts_of, place, sample_half, spread, unrank_parts
from dealerkit.dealing.unranking import generate_rank, unrank_subset, unrank_suits

_0, _1, _4, _14, _15, _16, _20 = (np.uint64(i) for i in (0, 1, 4, 14, 15, 16, 20))
_53, _PACK = np.uint64(53), np.uint64(FULL_DECK)
_STAGE1, _STAGE2 = np.uint64(1 << 18), np.uint64(2 << 18)


class Sides(NamedTuple):
    """The classes of stage 0."""

    high: np.ndarray  # uint64 [classes + 1]: cumulative weights times 2^k, upper and lower halves
    low: np.ndarray
    guide: np.ndarray  # uint16 [2048]: class by the top 11 bits
    lengths: np.ndarray  # uint16 [classes]
    total: np.ndarray  # uint64 [classes]: holdings of north-south in the class
    threshold: np.ndarray


class Half(NamedTuple):
    """How a side's cards are split in each class."""

    demands: bool
    total: np.ndarray  # uint64 [classes]
    threshold: np.ndarray
    held: np.ndarray  # uint16 [classes]: the side's lengths
    taken: np.ndarray  # uint16 [classes]: lengths of the first seat in the suits that are settled
    settled: np.ndarray  # uint8 [classes]: bit 0 clubs ... bit 3 spades
    heap: np.ndarray  # int64 [classes]: where the classes of the heap begin in `ranks` and `kinds`
    first_part: np.ndarray  # uint64 [classes]: first part of the heap
    ranks: np.ndarray  # uint64: lower bounds of the heap's classes, each list closed by its total
    kinds: np.ndarray  # uint16: cards from the first and the second part of the heap
    plain: Table  # the split where there is no demand
    plain_low: np.uint64


@kernel
def _draw_sides(words, counters, key, south, lengths, classes, sizes, sides, numbers):
    high, low, guide, kinds, totals, thresholds = sides
    last = high.size - 1
    for i in range(words.size):
        counter = counters[i] + _1
        upper, lower = words[i], random_word(counter, key)
        while upper > high[last] or (upper == high[last] and lower >= low[last]):
            upper, lower = random_word(counter + _1, key), random_word(counter + _1 + _1, key)
            counter += _1 + _1
        c = np.uint64(guide[upper >> _53])
        while upper > high[c + _1] or (upper == high[c + _1] and lower >= low[c + _1]):
            c += _1
        classes[i] = c
        lengths[i] = kinds[c]
        counter += _1
        rank, _ = generate_rank(random_word(counter, key), counter, key, totals[c], thresholds[c])
        south[i] = unrank_suits(rank, np.uint64(kinds[c]), sizes, numbers)


@kernel
def _draw_half(words, counters, stage, key, chosen, classes, half, numbers):
    _, totals, thresholds, helds, takens, settleds, heaps, first_parts, ranks, kinds, _, _ = half
    for i in range(words.size):
        c = np.uint64(classes[i])
        rank, _ = generate_rank(words[i], counters[i] | stage, key, totals[c], thresholds[c])
        settled, cards, heap_lengths = settleds[c], _0, _0
        for suit in range(4):
            shift = _4 * np.uint64(suit)
            held = (np.uint64(helds[c]) >> shift) & _15
            if (settled >> suit) & 1:
                part, rank = unrank_subset(rank, held, (np.uint64(takens[c]) >> shift) & _15, numbers)
                cards |= part << (_16 * np.uint64(suit))
            else:
                heap_lengths |= held << shift
        at_kind = np.uint64(heaps[c])
        while rank >= ranks[at_kind + _1]:
            at_kind += _1
        heap = unrank_parts(rank - ranks[at_kind], np.uint64(kinds[at_kind]), first_parts[c], numbers)
        lanes = spread(heap, heap_lengths)
        for suit in range(4):  # a settled suit takes nothing from the heap
            if (settled >> suit) & 1:
                lanes &= ~(np.uint64(0x1FFF) << (_16 * np.uint64(suit)))
        chosen[i] = cards | lanes


@kernel
def deal_lengths(
    north, east, south, west, seats, first, rows, key, scratch, fixed, pool, sizes, sides, ns, ew, numbers
):
    """The same as `stages.deal_cards`, for a predeal with lengths."""
    lengths, classes = scratch[2], scratch[3]
    for begin in range(0, north.size, CHUNK):
        end = min(begin + CHUNK, north.size)
        counters, words = scratch[0, : end - begin], scratch[1, : end - begin]
        n, e, s, w = north[begin:end], east[begin:end], south[begin:end], west[begin:end]
        for i in range(counters.size):
            counters[i] = (np.uint64(rows[begin + i]) if rows.size else first + np.uint64(begin + i)) << _20
            w[i] = pool
        fill_random_words(words, counters, _0, key)
        _draw_sides(words, counters, key, s, lengths, classes, sizes, sides, numbers)
        place(s, w, _0, _0)
        for stage, half, chosen, cards, seat in ((_STAGE1, ns, n, s, 0), (_STAGE2, ew, e, w, 1)):
            if seats & (5 << seat):
                fill_random_words(words, counters, stage, key)
                if half.demands:
                    _draw_half(words, counters, stage, key, chosen, classes, half, numbers)
                else:
                    whole = sizes if seat else _0
                    low, table_ = half.plain_low, half.plain
                    sample_half(words, counters, stage, key, chosen, lengths, whole, low, table_, numbers)
                place(chosen, cards, fixed[seat], fixed[seat + 2])


def _sides(classes: list, free: tuple[int, ...]) -> Sides:
    bounds = [0, *itertools.accumulate(weight for weight, _ in classes)]
    shift = 128 - bounds[-1].bit_length()
    scaled = [bound << shift for bound in bounds]
    cumulative = np.array([bound >> 64 for bound in scaled], dtype=np.uint64)
    # class of the smallest number with these top 11 bits
    starts, c = [], 0
    for top in range(1 << 11):
        while c < len(classes) - 1 and top << 117 >= scaled[c + 1]:
            c += 1
        starts.append(c)
    totals = [prod(comb(a, b) for a, b in zip(free, lengths, strict=True)) for _, lengths in classes]
    return Sides(
        cumulative,
        np.array([bound & (1 << 64) - 1 for bound in scaled], dtype=np.uint64),
        np.array(starts, dtype=np.uint16),
        np.array([packed(lengths[::-1]) for _, lengths in classes], dtype=np.uint16),
        np.array(totals, dtype=np.uint64),
        np.array([(1 << 64) % total for total in totals], dtype=np.uint64),
    )


def _half(helds: list, need: tuple[int, int], first: tuple, second: tuple) -> Half:
    """`helds`: the side's lengths S H D C in each class; `need`: cards that its seats lack."""
    totals, takens, settleds, heaps, lows = [], [], [], [], []
    ranks: list[int] = []
    kinds: list[int] = []
    begins: dict[tuple[int, int], int] = {}
    for held in helds:
        taken = side_lengths(held, first, second)
        assert taken is not None  # classes that contradict a demand have weight 0
        heap = sum(cards for cards, own in zip(held, taken, strict=True) if own is None)
        rest = need[0] - sum(own for own in taken if own is not None)
        if (heap, rest) not in begins:
            begins[heap, rest] = len(ranks)
            split = table(parts_of(heap), rest, 10)
            ranks += split.cumulative.tolist()
            kinds += [*split.lengths.tolist(), 0]
        ways = prod(comb(cards, own) for cards, own in zip(held, taken, strict=True) if own is not None)
        totals.append(ways * comb(heap, rest))
        takens.append(packed(tuple(own or 0 for own in taken[::-1])))
        settleds.append(sum(1 << i for i, own in enumerate(taken[::-1]) if own is not None))
        heaps.append(begins[heap, rest])
        lows.append(parts_of(heap)[0])
    parts = parts_of(sum(need))
    return Half(
        any(demand is not None for demand in first + second),
        np.array(totals, dtype=np.uint64), np.array([(1 << 64) % total for total in totals], dtype=np.uint64),
        np.array([packed(held[::-1]) for held in helds], dtype=np.uint16), np.array(takens, dtype=np.uint16),
        np.array(settleds, dtype=np.uint8), np.array(heaps, dtype=np.int64), np.array(lows, dtype=np.uint64),
        np.array(ranks, dtype=np.uint64), np.array(kinds, dtype=np.uint16),
        table(parts, need[0], 10), np.uint64(parts[0]),
    )  # fmt: skip


@lru_cache(maxsize=64)
def lengths_plan(predeal: Predeal) -> tuple:
    """The last arguments of `deal_lengths` for a predeal, made once."""
    predeal.check()
    need, free, fixed = predeal.needs, predeal.free, predeal.fixed
    classes = side_classes(free, need, fixed)
    ns = [lengths for _, lengths in classes]
    ew = [tuple(a - b for a, b in zip(free, lengths, strict=True)) for lengths in ns]
    return (
        np.array(predeal.masks, dtype=np.uint64),
        np.uint64(FULL_DECK ^ sum(predeal.masks)),
        np.uint64(packed(free[::-1])),
        _sides(classes, free),
        _half(ns, (need[0], need[2]), fixed[0], fixed[2]),
        _half(ew, (need[1], need[3]), fixed[1], fixed[3]),
        NUMBERS,
    )
