"""The algorithm of the conditional sampler, version 2: from random words to hands.

The number of a word is ``candidate << 20 | step << 16 | j``, where j counts the words of the step. Step 0
samples the class of lengths, and step 1 the hand of the first seat, or the side's cards, by its number. Step
2 + k samples the cards of the k-th seat (from 0) dealt after that from the remaining cards: a subset with
given lengths if these are sampled jointly, otherwise any subset. Ranks are exactly uniform (`card_splits`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dealerkit.dealing.card_splits import find_class, generate_rank, unrank_last, unrank_subset, unrank_suits
from dealerkit.dealing.random_words import fill_random_words, random_word
from dealerkit.dealing.uniform.shuffle import deposit_bits, fill_lanes
from dealerkit.runtime.compiled import kernel, multiply_high, popcount

if TYPE_CHECKING:
    from dealerkit.dealing.card_splits import SplitTable, SubsetTables
    from dealerkit.dealing.conditional.joint_lengths import ClassTable, LengthOptions

_0, _1, _4, _6, _8, _15 = (np.uint64(i) for i in (0, 1, 4, 6, 8, 15))
_16, _32, _48, _63, _64 = (np.uint64(i) for i in (16, 32, 48, 63, 64))
_LANE, _COUNT, _STEP1 = np.uint64(0x1FFF), np.uint64(0xFFFF), np.uint64(1 << 16)


@kernel
def sample_first_hand(
    counters: np.ndarray, key: np.ndarray, words: np.ndarray, classes: np.ndarray, hand: np.ndarray,
    class_table: ClassTable, ranks: tuple[np.ndarray, ...], index: tuple[np.ndarray, ...],
    reciprocals: np.ndarray,
) -> None:  # fmt: skip
    """Run steps 0 and 1: set `classes` and `hand`, the first seat's or the side's cards, of each candidate.

    `ranks` has, for each class, the number of hands, 2^64 modulo it, and the node and the lanes of its shape;
    `index` has the first three arrays of a `HandIndex`.
    """
    # Step 0: a class, with a probability proportional to its number of deals.
    total, threshold, shift, spare, cumulative, partial, guide = class_table
    totals, thresholds, roots, lanes_of = ranks
    entries, entry_guide, members = index
    fill_random_words(words, counters, _0, key)
    for i in range(words.size):
        w, counter = words[i], counters[i]
        while True:
            rank, counter = generate_rank(w, counter, key, total, threshold)
            c = find_class(rank, cumulative, guide, shift)
            if spare == _0 or rank + _1 != cumulative[c + _1]:
                break
            counter += _1  # the last unit counts with probability partial / 2^spare
            if random_word(counter, key) >> (_64 - spare) < partial[c]:
                break
            counter += _1
            w = random_word(counter, key)
        classes[i] = c
    # Step 1: the hand with a random rank in its class. Each of the first three suits takes a digit of the
    # rank; what remains selects the holding of the last suit.
    fill_random_words(words, counters, _STEP1, key)
    for i in range(words.size):
        c = classes[i]
        rank, _ = generate_rank(words[i], counters[i] | _STEP1, key, totals[c], thresholds[c])
        node, lanes = roots[c], np.uint64(lanes_of[c])
        cards = _0
        for _ in range(3):
            e = np.uint64(entry_guide[(node >> _6) + (rank >> (node & _63))])
            while rank >= entries[e, 0]:
                e += _1
            rank -= entries[e, 1]
            count = entries[e, 2] & _COUNT
            quotient = multiply_high(rank << _1, reciprocals[count])
            cards |= np.uint64(members[(entries[e, 2] >> _16) + rank - quotient * count]) << (lanes & _63)
            rank, node, lanes = quotient, entries[e, 3], lanes >> _8
        e = np.uint64(entry_guide[(node >> _6) + (rank >> (node & _63))])
        while rank >= entries[e, 0]:
            e += _1
        hand[i] = cards | np.uint64(members[(entries[e, 2] >> _16) + rank - entries[e, 1]]) << lanes


@kernel
def sample_with_lengths(
    counters: np.ndarray, key: np.ndarray, words: np.ndarray, step: np.uint64, classes: np.ndarray,
    hand: np.ndarray, pool: np.ndarray, fixed: np.uint64, options: LengthOptions,
    subset_tables: SubsetTables,
) -> None:  # fmt: skip
    """Move cards from `pool` to `hand`, with the lengths of a `LengthOptions`."""
    states, remaining, totals, thresholds, nodes, guide, begin, end, taken = options
    fill_random_words(words, counters, step, key)
    for i in range(words.size):
        c = states[classes[i]]
        rank, _ = generate_rank(words[i], counters[i] | step, key, totals[c], thresholds[c])
        e = np.uint64(guide[(nodes[c] >> _6) + (rank >> (nodes[c] & _63))])
        while rank >= end[e]:
            e += _1
        hand[i] = unrank_suits(rank - begin[e], np.uint64(taken[e]), np.uint64(remaining[c]), subset_tables)
    deposit_bits(hand, pool, fixed, _0)


@kernel
def sample_any_cards(
    counters: np.ndarray, key: np.ndarray, words: np.ndarray, step: np.uint64, hand: np.ndarray,
    pool: np.ndarray, fixed: np.uint64, parts: np.ndarray, split: SplitTable, subset_tables: SubsetTables,
) -> None:  # fmt: skip
    """Move any cards from `pool` to `hand`; `parts` and `split` are from `build_open_split`."""
    total, threshold, shift, cumulative, guide, classes = split
    low, middle = parts[0], parts[1]
    fill_random_words(words, counters, step, key)
    for i in range(words.size):
        rank, _ = generate_rank(words[i], counters[i] | step, key, total, threshold)
        c = find_class(rank, cumulative, guide, shift)
        taken = np.uint64(classes[c])
        # Choose among the cards of the pool, in three parts; then cut the row of bits into suits.
        cards, rank = unrank_subset(rank - cumulative[c], low, taken & _15, subset_tables)
        part, rank = unrank_subset(rank, middle, (taken >> _4) & _15, subset_tables)
        cards |= part << low | unrank_last(rank, taken >> _8, subset_tables) << (low + middle)
        lengths = popcount(pool[i] & _LANE)
        lengths |= popcount((pool[i] >> _16) & _LANE) << _4
        lengths |= popcount((pool[i] >> _32) & _LANE) << _8
        hand[i] = fill_lanes(cards, lengths)
    deposit_bits(hand, pool, fixed, _0)


@kernel
def find_members(
    hand: np.ndarray, codes: np.ndarray, same_as: np.ndarray, allowed: np.ndarray,
    shape_index: np.ndarray, members: np.ndarray,
) -> int:  # fmt: skip
    """Write the places of the hands that belong to a set to `members`, and return their number.

    `codes`, `same_as` and `allowed` are from `build_membership_test`; `shape_index` is `SHAPE_INDEX`.
    """
    number = 0
    size = allowed.shape[1]
    for i in range(hand.size):
        cards = hand[i]
        s, h = cards >> _48, (cards >> _32) & _LANE
        d, c = (cards >> _16) & _LANE, cards & _LANE
        spades, hearts = codes[same_as[0], s], codes[same_as[1], h]
        diamonds, clubs = codes[same_as[2], d], codes[same_as[3], c]
        total = np.int64(spades) + hearts + diamonds + clubs
        if (spades | hearts | diamonds | clubs) >= 0 and total < size:
            shape = shape_index[popcount(s) << _8 | popcount(h) << _4 | popcount(d)]
            members[number] = i
            number += allowed[shape, total]
    return number
