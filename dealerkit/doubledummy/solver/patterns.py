"""Patterns: what is known of all positions that agree in the owners of the highest cards of each suit.

References
----------
M. Ginsberg, Partition search, AAAI 1996: sets of positions with one value in the transposition table.
"""

from __future__ import annotations

from dealerkit.doubledummy.solver.memory import (
    ENTRIES,
    ENTRY,
    IS_FULL,
    LEFT,
    N_KEYS,
    REST,
    SEAT,
    USED,
)
from dealerkit.runtime.compiled import count_bits, kernel

_ALL_OWNERS = (1 << 26) - 1
_FIRST_SIZE = 2  # logarithm of the patterns for which a list has room at first
_MULTIPLIER = 0x1E3779B97F4A7C15


@kernel
def find_slot(keys, key):
    """Return the place of a key in the hash table, or the empty place where it belongs."""
    last = len(keys) - 1
    slot = ((key * _MULTIPLIER) >> 40) & last
    while keys[slot] != key and keys[slot] != 0:
        slot = (slot + 1) & last
    return slot


@kernel
def make_key(lengths, rest, left, seat):
    """Return the key of a position at the start of a trick: lengths of three suits, tricks, leader."""
    return (
        lengths[rest & 8191]
        | lengths[8192 + (rest >> 16 & 8191)] << 16
        | lengths[16384 + (rest >> 32 & 8191)] << 32
        | left << 48
        | seat << 52
    )


@kernel
def find_pattern(lengths, owners, keys, lists, patterns, tops, row, need, stack):
    """Return whether a stored pattern decides a position, the value, and the cards that prove it."""
    rest = stack[row + REST]
    key = make_key(lengths, rest, stack[row + LEFT], stack[row + SEAT])
    slot = find_slot(keys, key)
    if keys[slot] == 0:
        return False, 0, 0
    clubs, diamonds = rest & 8191, rest >> 16 & 8191
    hearts, spades = rest >> 32 & 8191, rest >> 48
    first = owners[clubs] | owners[8192 + diamonds] << 26
    second = owners[16384 + hearts] | owners[24576 + spades] << 26
    place = lists[slot] >> 32
    size = 1 << (lists[slot] >> 24 & 255)
    last = (lists[slot] & 0xFFFFFF) - 1
    others, bounds = place + 2 * size, place + 4 * size
    for k in range(last, -1, -1):
        if (first & patterns[place + 2 * k + 1]) != patterns[place + 2 * k]:
            continue
        if (second & patterns[others + 2 * k + 1]) != patterns[others + 2 * k]:
            continue
        found = patterns[bounds + k]
        low, high = found & 15, found >> 4 & 15
        if need <= low or need > high:
            if k != last:
                # Positions that follow are often similar: it becomes the first to be tried.
                for i in range(2):
                    swap(patterns, place + 2 * k + i, place + 2 * last + i)
                    swap(patterns, others + 2 * k + i, others + 2 * last + i)
                swap(patterns, bounds + k, bounds + last)
            proof = (
                tops[clubs << 4 | (found >> 8 & 15)]
                | tops[diamonds << 4 | (found >> 12 & 15)] << 16
                | tops[hearts << 4 | (found >> 16 & 15)] << 32
                | tops[spades << 4 | (found >> 20 & 15)] << 48
            )
            return True, 1 if need <= low else 0, proof
    return False, 0, 0


@kernel
def swap(array, i, k):
    """Exchange two numbers of an array."""
    value = array[i]
    array[i] = array[k]
    array[k] = value


@kernel
def count_top_cards(owners, cards, proof):
    """Return how many of the highest cards of a suit a pattern must name, so that `proof` is among them.

    Cards of one hand that touch count as one, since only one of them was tried. If they reach the bottom of
    the suit they are not named: the lengths tell who has them.
    """
    if proof == 0:
        return 0
    n = count_bits(cards)
    k = count_bits(cards & ~((proof & -proof) - 1))
    owner = owners >> (26 - 2 * k) & 3
    while k < n and owners >> (24 - 2 * k) & 3 == owner:
        k += 1
    if k == n:
        while k > 0 and owners >> (26 - 2 * k) & 3 == owner:
            k -= 1
    return k


@kernel
def make_room(keys, lists, patterns, key, state):
    """Return the place of the key after making room for one more pattern in its list; -1 if there is none."""
    slot = find_slot(keys, key)
    if keys[slot] == 0:
        if 4 * state[N_KEYS] > 3 * len(keys) or state[USED] + (ENTRY << _FIRST_SIZE) > len(patterns):
            state[IS_FULL] = 1
            return -1
        keys[slot] = key
        lists[slot] = state[USED] << 32 | _FIRST_SIZE << 24
        state[USED] += ENTRY << _FIRST_SIZE
        state[N_KEYS] += 1
        return slot
    place, size, n = lists[slot] >> 32, lists[slot] >> 24 & 255, lists[slot] & 0xFFFFFF
    if n < 1 << size:
        return slot
    # A list of twice the size; the place of the old one is not used again.
    if state[USED] + (ENTRY << size + 1) > len(patterns):
        state[IS_FULL] = 1
        return -1
    new = state[USED]
    state[USED] += ENTRY << size + 1
    for k in range(2 * n):
        patterns[new + k] = patterns[place + k]
        patterns[new + 4 * n + k] = patterns[place + 2 * n + k]
    for k in range(n):
        patterns[new + 8 * n + k] = patterns[place + 4 * n + k]
    lists[slot] = new << 32 | size + 1 << 24 | n
    return slot


@kernel
def store_pattern(lengths, owners, keys, lists, patterns, tops, row, need, stack, state, value, proof):
    """Store the value of a position, and return the cards of the pattern."""
    rest = stack[row + REST]
    left = stack[row + LEFT]
    clubs, diamonds = rest & 8191, rest >> 16 & 8191
    hearts, spades = rest >> 32 & 8191, rest >> 48
    in_clubs, in_diamonds = owners[clubs] + 0, owners[8192 + diamonds] + 0
    in_hearts, in_spades = owners[16384 + hearts] + 0, owners[24576 + spades] + 0
    k0 = count_top_cards(in_clubs, clubs, proof & 8191)
    k1 = count_top_cards(in_diamonds, diamonds, proof >> 16 & 8191)
    k2 = count_top_cards(in_hearts, hearts, proof >> 32 & 8191)
    k3 = count_top_cards(in_spades, spades, proof >> 48)
    slot = make_room(keys, lists, patterns, make_key(lengths, rest, left, stack[row + SEAT]), state)
    if slot >= 0:
        mask0 = (_ALL_OWNERS >> (2 * k0)) ^ _ALL_OWNERS
        mask1 = (_ALL_OWNERS >> (2 * k1)) ^ _ALL_OWNERS
        mask2 = (_ALL_OWNERS >> (2 * k2)) ^ _ALL_OWNERS
        mask3 = (_ALL_OWNERS >> (2 * k3)) ^ _ALL_OWNERS
        place, size = lists[slot] >> 32, 1 << (lists[slot] >> 24 & 255)
        n = lists[slot] & 0xFFFFFF
        lists[slot] += 1
        state[ENTRIES] += 1
        mask = mask0 | mask1 << 26
        patterns[place + 2 * n] = (in_clubs | in_diamonds << 26) & mask
        patterns[place + 2 * n + 1] = mask
        mask = mask2 | mask3 << 26
        patterns[place + 2 * size + 2 * n] = (in_hearts | in_spades << 26) & mask
        patterns[place + 2 * size + 2 * n + 1] = mask
        low, high = (need, left) if value else (0, need - 1)
        patterns[place + 4 * size + n] = low | high << 4 | k0 << 8 | k1 << 12 | k2 << 16 | k3 << 20
    return (
        tops[clubs << 4 | k0]
        | tops[diamonds << 4 | k1] << 16
        | tops[hearts << 4 | k2] << 32
        | tops[spades << 4 | k3] << 48
    )
