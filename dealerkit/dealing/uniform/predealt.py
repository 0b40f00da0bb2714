"""Uniform deals with predealt suit lengths and small cards.

**Suit lengths.** The lengths of north-south in the four suits are sampled with the exact number of deals
that each of them leaves (`card_splits.list_side_lengths`). Given those, a predealt length
of one seat determines how many cards of the suit its partner has: the suit is fixed. The
cards of all other suits of the side, the open suits, are split as one set. So three random
ranks make a deal and none is ever rejected. The stages are those of `shuffle`, except:

0. two words, high and low, make a number of 128 bits, which is generated again while it is
   not below total * 2^k, where k is as large as 128 bits allow. Dividing it by 2^k gives the
   rank that picks the class. The next word picks the holdings;
1., 2. a side with a predealt length takes one rank below the number of ways in its class. For
   each fixed suit, clubs first, it is divided by the number of holdings, and the remainder picks
   the holding; the last quotient is the rank of the first seat's cards from the open suits.

**Small cards (x)**, stage 3. Any exchange of the spot cards of a suit (the cards below the ten that no seat
has by name) turns deals that comply with a predeal into deals that comply. So a shuffle is dealt to the
predeal's representative, in which the small cards are certain spot cards, and then the spot cards
are exchanged. Every choice of small cards is equally likely, and every deal that complies
comes in equally many ways.

One rank, below the product of the numbers of places of all exchanges, is generated from the
words of the stage. Suit by suit, spades first, with n spot cards of which the
representative uses the lowest m, spot card i = m - 1, ..., 0 is exchanged with spot card i + r,
where r is the rank's remainder by n - i; the next exchange uses the quotient. So each of the
n! / (n - m)! ordered choices of a suit's m small cards occurs for one value of its digits.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from functools import lru_cache
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np

from dealerkit.cards.names import FULL_DECK, LANE_SHIFTS
from dealerkit.dealing.card_splits import (
    SUBSET_TABLES,
    Lengths,
    SplitTable,
    SubsetTables,
    bound_ranks,
    build_split_table,
    count_side_splits,
    first_seat_lengths,
    generate_rank,
    list_side_lengths,
    pack_nibbles,
    unrank_subset,
    unrank_suits,
    unrank_two_parts,
)
from dealerkit.dealing.predeal import TEN, Predeal
from dealerkit.dealing.random_words import fill_random_words, random_word
from dealerkit.dealing.uniform.shuffle import CHUNK, deposit_bits, fill_lanes, sample_first_seat, split_side
from dealerkit.runtime.compiled import kernel

_0, _1, _2, _4, _15, _16, _20 = (np.uint64(i) for i in (0, 1, 2, 4, 15, 16, 20))
_53 = np.uint64(53)
_STAGE1, _STAGE2, _STAGE3 = (np.uint64(stage << 18) for stage in (1, 2, 3))


class SideClasses(NamedTuple):
    """The classes of stage 0, which are the possible lengths of north-south."""

    high: np.ndarray  # uint64 [classes + 1]: cumulative weights times 2^k, upper and lower halves
    low: np.ndarray
    guide: np.ndarray  # uint16 [2048]: class by the top 11 bits
    lengths: np.ndarray  # uint16 [classes]: four bits each, clubs lowest
    total: np.ndarray  # uint64 [classes]: holdings of north-south in the class
    threshold: np.ndarray  # uint64 [classes]: 2^64 mod total


class SideSplits(NamedTuple):
    """Tables for splitting the cards of a side between its seats, by class."""

    has_lengths: bool  # whether a length of one of its seats is predealt
    total: np.ndarray  # uint64 [classes]: ways to split
    threshold: np.ndarray  # uint64 [classes]: 2^64 mod total
    held: np.ndarray  # uint16 [classes]: the side's lengths
    taken: np.ndarray  # uint16 [classes]: the first seat's lengths in the fixed suits
    fixed_suits: np.ndarray  # uint8 [classes]: bit 0 clubs ... bit 3 spades
    open_start: np.ndarray  # int64 [classes]: the first of the class's places in the two open_ arrays
    first_part: np.ndarray  # uint64 [classes]: size of the first part of the open suits' cards
    open_ranks: np.ndarray  # uint64: lower bounds of the classes of the open cards, then their total
    open_lengths: np.ndarray  # uint16: cards from the first and the second part of the open cards
    plain_split: SplitTable  # the split without predealt lengths
    plain_first_part: np.uint64


@kernel
def _sample_sides(
    words: np.ndarray, counters: np.ndarray, key: np.ndarray, south: np.ndarray, lengths: np.ndarray,
    classes: np.ndarray, sizes: np.uint64, sides: SideClasses, subset_tables: SubsetTables,
) -> None:  # fmt: skip
    """Run stage 0 of a chunk: set `south` to north-south's cards, `lengths`, and the `classes`."""
    high, low, guide, class_lengths, totals, thresholds = sides
    last = high.size - 1
    for i in range(words.size):
        counter = counters[i] + _1
        upper, lower = words[i], random_word(counter, key)
        # A random number of 128 bits, generated again while it is not below total * 2^k.
        while upper > high[last] or (upper == high[last] and lower >= low[last]):
            upper, lower = random_word(counter + _1, key), random_word(counter + _1 + _1, key)
            counter += _1 + _1
        # Find its class, beginning with the class that the guide has for its leading bits.
        c = np.uint64(guide[upper >> _53])
        while upper > high[c + _1] or (upper == high[c + _1] and lower >= low[c + _1]):
            c += _1
        classes[i] = c
        lengths[i] = class_lengths[c]
        counter += _1
        # The cards of north and south with the lengths of the class.
        rank, _ = generate_rank(random_word(counter, key), counter, key, totals[c], thresholds[c])
        south[i] = unrank_suits(rank, np.uint64(class_lengths[c]), sizes, subset_tables)


@kernel
def _sample_first_seat(
    words: np.ndarray, counters: np.ndarray, stage: np.uint64, key: np.ndarray, chosen: np.ndarray,
    classes: np.ndarray, splits: SideSplits, subset_tables: SubsetTables,
) -> None:  # fmt: skip
    """Run stage 1 or 2 of a chunk for a side with a predealt length: set `chosen` (`SideSplits`)."""
    _, totals, thresholds, held, taken, fixed_suits, open_start, low, open_ranks, open_lengths, _, _ = splits
    for i in range(words.size):
        c = np.uint64(classes[i])
        rank, _ = generate_rank(words[i], counters[i] | stage, key, totals[c], thresholds[c])
        # The cards in suits in which the length of the seat is predealt.
        fixed, fixed_cards, lengths = fixed_suits[c], _0, _0
        for suit in range(4):
            shift = _4 * np.uint64(suit)
            size = (np.uint64(held[c]) >> shift) & _15
            if (fixed >> suit) & 1:
                part, rank = unrank_subset(rank, size, (np.uint64(taken[c]) >> shift) & _15, subset_tables)
                fixed_cards |= part << (_16 * np.uint64(suit))
            else:
                lengths |= size << shift
        # The seat's other cards are any of those in the open suits.
        at = np.uint64(open_start[c])
        while rank >= open_ranks[at + _1]:
            at += _1
        cards = unrank_two_parts(rank - open_ranks[at], np.uint64(open_lengths[at]), low[c], subset_tables)
        lanes = fill_lanes(cards, lengths)
        for suit in range(4):  # a fixed suit has no open cards
            if (fixed >> suit) & 1:
                lanes &= ~(np.uint64(0x1FFF) << (_16 * np.uint64(suit)))
        chosen[i] = fixed_cards | lanes


@kernel
def deal_with_lengths(
    north: np.ndarray, east: np.ndarray, south: np.ndarray, west: np.ndarray, seats: int,
    first: np.uint64, rows: np.ndarray, key: np.ndarray, scratch: np.ndarray, fixed: np.ndarray,
    pool: np.uint64, sizes: np.uint64, sides: SideClasses, ns: SideSplits, ew: SideSplits,
    subset_tables: SubsetTables,
) -> None:  # fmt: skip
    """Deal as `shuffle.deal_cards` does, but for a predeal with lengths."""
    lengths, classes = scratch[2], scratch[3]
    for begin in range(0, north.size, CHUNK):
        end = min(begin + CHUNK, north.size)
        counters, words = scratch[0, : end - begin], scratch[1, : end - begin]
        n, e, s, w = north[begin:end], east[begin:end], south[begin:end], west[begin:end]
        for i in range(counters.size):
            counters[i] = (np.uint64(rows[begin + i]) if rows.size else first + np.uint64(begin + i)) << _20
            w[i] = pool
        # Stage 0: north and south's cards; the others are east and west's.
        fill_random_words(words, counters, _0, key)
        _sample_sides(words, counters, key, s, lengths, classes, sizes, sides, subset_tables)
        deposit_bits(s, w, _0, _0)
        # Stages 1 and 2: the hands of each side. A side without predealt lengths is split as in `deal_cards`.
        for stage, splits, chosen, cards, seat in ((_STAGE1, ns, n, s, 0), (_STAGE2, ew, e, w, 1)):
            if seats & (5 << seat):
                fill_random_words(words, counters, stage, key)
                if splits.has_lengths:
                    _sample_first_seat(words, counters, stage, key, chosen, classes, splits, subset_tables)
                else:
                    whole = sizes if seat else _0
                    low, split = splits.plain_first_part, splits.plain_split
                    sample_first_seat(
                        words, counters, stage, key, chosen, lengths, whole, low, split, subset_tables
                    )
                deposit_bits(chosen, cards, fixed[seat], fixed[seat + 2])


def _build_side_classes(classes: list[tuple[int, Lengths]], free: tuple[int, ...]) -> SideClasses:
    """Return the tables of stage 0 for the classes of `list_side_lengths`."""
    bounds = [0, *itertools.accumulate(weight for weight, _ in classes)]
    shift = 128 - bounds[-1].bit_length()
    scaled = [bound << shift for bound in bounds]
    # The guide has the class of the smallest number with each combination of the top 11 bits.
    guide = [bisect_right(scaled, top << 117, hi=len(classes)) - 1 for top in range(1 << 11)]
    totals = [prod(comb(a, b) for a, b in zip(free, lengths, strict=True)) for _, lengths in classes]
    return SideClasses(
        np.array([bound >> 64 for bound in scaled], dtype=np.uint64),
        np.array([bound & (1 << 64) - 1 for bound in scaled], dtype=np.uint64),
        np.array(guide, dtype=np.uint16),
        np.array([pack_nibbles(lengths[::-1]) for _, lengths in classes], dtype=np.uint16),
        *bound_ranks(np.array(totals)),
    )


def _build_side_splits(
    side_lengths: list[Lengths],
    need: tuple[int, int],
    first: tuple[int | None, ...],
    second: tuple[int | None, ...],
) -> SideSplits:
    """Return the tables for splitting a side with these lengths S H D C, whose seats lack `need` cards."""
    # Classes with equal numbers of open cards share the ranks of their splits.
    rows = []
    open_ranks: list[int] = []
    open_lengths: list[int] = []
    starts: dict[tuple[int, int], int] = {}
    for held in side_lengths:
        lengths = first_seat_lengths(held, first, second)
        assert lengths is not None  # classes that contradict a predealt length have weight 0
        n_open = sum(cards for cards, own in zip(held, lengths, strict=True) if own is None)
        rest = need[0] - sum(own for own in lengths if own is not None)
        if (n_open, rest) not in starts:
            starts[n_open, rest] = len(open_ranks)
            split = build_split_table(split_side(n_open), rest, 10)
            open_ranks += split.cumulative.tolist()
            open_lengths += [*split.lengths.tolist(), 0]
        rows.append((
            count_side_splits(held, need[0], first, second), pack_nibbles(held[::-1]),
            pack_nibbles(tuple(own or 0 for own in lengths[::-1])),
            sum(1 << i for i, own in enumerate(lengths[::-1]) if own is not None),
            starts[n_open, rest], split_side(n_open)[0],
        ))  # fmt: skip
    # The columns as arrays of the types that the kernels read.
    types = (np.uint64, np.uint16, np.uint16, np.uint8, np.int64, np.uint64)
    totals, *columns = (
        np.array(column, dtype) for column, dtype in zip(zip(*rows, strict=True), types, strict=True)
    )
    parts = split_side(sum(need))
    return SideSplits(  # type: ignore[call-arg]
        any(length is not None for length in first + second), *bound_ranks(totals), *columns,  # type: ignore[arg-type]
        np.array(open_ranks, dtype=np.uint64), np.array(open_lengths, dtype=np.uint16),
        build_split_table(parts, need[0], 10), np.uint64(parts[0]),
    )  # fmt: skip


@lru_cache(maxsize=64)
def build_length_tables(predeal: Predeal) -> tuple[Any, ...]:
    """Return the last arguments of `deal_with_lengths` for a predeal with lengths."""
    predeal.check()
    need, free, fixed = predeal.needs, predeal.free, predeal.fixed
    classes = list_side_lengths(free, need, fixed)
    ns = [lengths for _, lengths in classes]
    ew = [(free[0] - s, free[1] - h, free[2] - d, free[3] - c) for s, h, d, c in ns]
    return (
        np.array(predeal.masks, dtype=np.uint64),
        np.uint64(FULL_DECK ^ sum(predeal.masks)),
        np.uint64(pack_nibbles(free[::-1])),
        _build_side_classes(classes, free),
        _build_side_splits(ns, (need[0], need[2]), fixed[0], fixed[2]),
        _build_side_splits(ew, (need[1], need[3]), fixed[1], fixed[3]),
        SUBSET_TABLES,
    )


class SpotTables(NamedTuple):
    """What stage 3 needs to know about a predeal with small cards."""

    representative: Predeal  # the predeal of stages 0 to 2
    total: np.uint64  # ranks are below it
    threshold: np.uint64  # 2^64 mod total
    exchanges: np.ndarray  # uint64 [n, 10]: number of places, the spot card's own bit, the bits of all places


@kernel
def _exchange_bits(hand: np.uint64, a: np.uint64, b: np.uint64) -> np.uint64:
    """Return the hand with bits a and b exchanged."""
    differ = ((hand >> a) ^ (hand >> b)) & _1
    return hand ^ (differ << a) ^ (differ << b)


@kernel
def exchange_spot_cards(
    north: np.ndarray, east: np.ndarray, south: np.ndarray, west: np.ndarray, first: np.uint64,
    rows: np.ndarray, key: np.ndarray, total: np.uint64, threshold: np.uint64, exchanges: np.ndarray,
) -> None:  # fmt: skip
    """Run stage 3 of the shuffles of a block from `first` on, or of those in `rows`."""
    for i in range(north.size):
        counter = ((np.uint64(rows[i]) if rows.size else first + np.uint64(i)) << _20) | _STAGE3
        rank, _ = generate_rank(random_word(counter, key), counter, key, total, threshold)
        for exchange in range(exchanges.shape[0]):
            n_places = exchanges[exchange, 0]
            quotient = rank // n_places
            a, b = exchanges[exchange, 1], exchanges[exchange, _2 + (rank - quotient * n_places)]
            rank = quotient
            north[i], east[i] = _exchange_bits(north[i], a, b), _exchange_bits(east[i], a, b)
            south[i], west[i] = _exchange_bits(south[i], a, b), _exchange_bits(west[i], a, b)


@lru_cache(maxsize=64)
def build_spot_tables(predeal: Predeal) -> SpotTables:
    """Return the tables for a predeal with small cards."""
    predeal.check()
    representative = predeal.representative
    needs = representative.needs
    # The cards of a complete hand determine its lengths, and dealing without lengths is faster.
    lengths = tuple(length for length in representative.lengths if needs[length[0]])
    total, exchanges = 1, []
    for suit, ranks in enumerate(predeal.spot_ranks):
        bits = [LANE_SHIFTS[suit] + rank for rank in ranks]
        n_small = sum(count for _, own, count in predeal.small if own == suit)
        for i in reversed(range(n_small)):
            total *= len(bits) - i
            exchanges.append([len(bits) - i, bits[i], *bits[i:], *[0] * (TEN - len(bits) + i)])
    return SpotTables(
        Predeal(representative.cards, lengths), np.uint64(total), np.uint64((1 << 64) % total),
        np.array(exchanges, dtype=np.uint64).reshape(-1, 2 + TEN),
    )  # fmt: skip
