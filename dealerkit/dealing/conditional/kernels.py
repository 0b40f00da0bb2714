"""The algorithm of the conditional sampler, version 2: from random words to hands.

Words are numbered ``candidate << 20 | step << 16 | draw``. Step 0 draws the class of
lengths, step 1 the hand of the first seat, or the side's cards, by number; step 2 + k the cards
of the k-th (from 0) of the seats dealt after that, from the cards that are left: within lengths
where they are drawn, as any subset otherwise. Ranks are exact, as in `stages`.
"""

from __future__ import annotations

import numpy as np

from dealerkit.compiled import kernel, popcount
from dealerkit.dealing.random_words import fill_random_words, multiply_high, random_word
from dealerkit.dealing.uniform.shuffle import deposit_bits, fill_lanes
from dealerkit.dealing.unranking import find_class, generate_rank, unrank_subset, unrank_suits

_0, _1, _2, _3, _4, _6, _8, _12, _14, _15 = (np.uint64(i) for i in (0, 1, 2, 3, 4, 6, 8, 12, 14, 15))
_16, _32, _48, _63, _64 = (np.uint64(i) for i in (16, 32, 48, 63, 64))
_LANE, _COUNT, _STEP1 = np.uint64(0x1FFF), np.uint64(0xFFFF), np.uint64(1 << 16)


@kernel
def draw_first(counters, key, words, classes, hand, draw, first, graph, divide):
    """Steps 0 and 1: the class of lengths and the first seat's hand of each candidate."""
    total, threshold, shift, spare, cumulative, partial, guide = draw
    totals, thresholds, roots, lanes_of = first
    entries, guide_of_node, members = graph
    fill_random_words(words, counters, _0, key)
    for i in range(words.size):
        w, counter = words[i], counters[i]
        while True:
            rank, counter = generate_rank(w, counter, key, total, threshold)
            c = find_class(rank, cumulative, guide, shift)
            if spare == _0 or rank + _1 != cumulative[c + _1]:
                break
            counter += _1  # the last unit is a whole one only with probability partial / 2^spare
            if random_word(counter, key) >> (_64 - spare) < partial[c]:
                break
            counter += _1
            w = random_word(counter, key)
        classes[i] = c
    fill_random_words(words, counters, _STEP1, key)
    for i in range(words.size):
        c = classes[i]
        rank, _ = generate_rank(words[i], counters[i] | _STEP1, key, totals[c], thresholds[c])
        node, lanes = roots[c], np.uint64(lanes_of[c])
        cards = _0
        for _ in range(3):
            e = np.uint64(guide_of_node[(node >> _6) + (rank >> (node & _63))])
            while rank >= entries[e, 0]:
                e += _1
            rank -= entries[e, 1]
            count = entries[e, 2] & _COUNT
            rest = multiply_high(rank << _1, divide[count])
            cards |= np.uint64(members[(entries[e, 2] >> _16) + rank - rest * count]) << (lanes & _63)
            rank, node, lanes = rest, entries[e, 3], lanes >> _8
        e = np.uint64(guide_of_node[(node >> _6) + (rank >> (node & _63))])
        while rank >= entries[e, 0]:
            e += _1
        hand[i] = cards | np.uint64(members[(entries[e, 2] >> _16) + rank - entries[e, 1]]) << lanes


@kernel
def draw_within(counters, key, words, step, classes, hand, pool, fixed, lengths, numbers):
    """The cards of a seat, and with them its lengths where they are open; `pool` keeps the others."""
    states, left, totals, thresholds, nodes, guide, begin, end, taken = lengths
    fill_random_words(words, counters, step, key)
    for i in range(words.size):
        c = states[classes[i]]
        rank, _ = generate_rank(words[i], counters[i] | step, key, totals[c], thresholds[c])
        e = np.uint64(guide[(nodes[c] >> _6) + (rank >> (nodes[c] & _63))])
        while rank >= end[e]:
            e += _1
        hand[i] = unrank_suits(rank - begin[e], np.uint64(taken[e]), np.uint64(left[c]), numbers)
    deposit_bits(hand, pool, fixed, _0)


@kernel
def draw_any(counters, key, words, step, hand, pool, fixed, parts, heap, numbers):
    """Any cards of the pool, as many as `heap` says; `pool` keeps the others."""
    total, threshold, shift, cumulative, guide, kinds = heap
    low, middle = parts[0], parts[1]
    fill_random_words(words, counters, step, key)
    for i in range(words.size):
        rank, _ = generate_rank(words[i], counters[i] | step, key, total, threshold)
        c = find_class(rank, cumulative, guide, shift)
        kind = np.uint64(kinds[c])
        cards, rank = unrank_subset(rank - cumulative[c], low, kind & _15, numbers)
        part, rank = unrank_subset(rank, middle, (kind >> _4) & _15, numbers)
        cards |= part << low
        cards |= np.uint64(numbers[0][numbers[1][(kind >> _8) & _15] + rank]) << (low + middle)
        left = pool[i]
        lengths = popcount(left & _LANE)
        lengths |= popcount((left >> _16) & _LANE) << _4
        lengths |= popcount((left >> _32) & _LANE) << _8
        hand[i] = fill_lanes(cards, lengths)
    deposit_bits(hand, pool, fixed, _0)


@kernel
def find_members(hand, codes, rows, allowed, shape_of, found):
    """Write the places of the hands that belong to a set to `found`, and return how many they are.

    `codes` are -1 for holdings that are not allowed; suit k has the row ``rows[k]``.
    """
    number = 0
    last = allowed.shape[1]
    for i in range(hand.size):
        cards = hand[i]
        s, h = cards >> _48, (cards >> _32) & _LANE
        d, c = (cards >> _16) & _LANE, cards & _LANE
        spades, hearts = codes[rows[0], s], codes[rows[1], h]
        diamonds, clubs = codes[rows[2], d], codes[rows[3], c]
        total = np.int64(spades) + hearts + diamonds + clubs
        if (spades | hearts | diamonds | clubs) >= 0 and total < last:
            shape = shape_of[popcount(s) << _8 | popcount(h) << _4 | popcount(d)]
            found[number] = i
            number += allowed[shape, total]
    return number
