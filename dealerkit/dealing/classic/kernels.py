"""Kernels of the classic streams: their random generators and shuffles.

A pack is uint64 [52], a bit for each card; seat s has the places 13 s to 13 s + 12.
"""

from __future__ import annotations

import numpy as np

from dealerkit.runtime.compiled import inlined, kernel

N_STATE = 31  # numbers in the state of glibc's random()
MULTIPLIER, INCREMENT, MASK = 0x5DEECE66D, 0xB, (1 << 48) - 1  # of drand48()
_A, _C, _M = np.uint64(MULTIPLIER), np.uint64(INCREMENT), np.uint64(MASK)
_INVALID = np.uint8(255)
_0, _1 = np.uint64(0), np.uint64(1)


@kernel
def refill(raw: np.ndarray, places: np.ndarray, free: np.ndarray) -> None:
    """Fill `raw` (uint32) with the next numbers of glibc's random(), and `places` with what they select."""
    for i in range(31):
        raw[i] = raw[raw.size - 31 + i]
    a, b, c = raw[28], raw[29], raw[30]
    # Number n is number n - 31 plus number n - 3, so there are three chains that do not wait for each other.
    for i in range((raw.size - 31) // 3):
        a += raw[3 * i]
        b += raw[3 * i + 1]
        c += raw[3 * i + 2]
        raw[3 * i + 31] = a
        raw[3 * i + 32] = b
        raw[3 * i + 33] = c
    # The place is the remainder of 16 bits of the number; numbers from the largest multiple on are invalid.
    count = np.uint64(free.size)
    if count == _0:
        return
    limit = np.uint64(65536) // count * count
    if limit == np.uint64(65536) and free[-1] != 51:
        limit -= count  # measured: dealer does so if the last place of the pack is predealt
    divide = np.uint64(1 << 22) // count + _1  # entry * divide >> 22 is entry // count below 65,536
    for i in range(raw.size):
        entry = np.uint64(raw[i] >> np.uint32(1)) & np.uint64(0xFFFF)
        remainder = entry - ((entry * divide) >> np.uint64(22)) * count
        places[i] = remainder if entry < limit else _INVALID
    if count < np.uint64(52):
        for i in range(raw.size):
            if places[i] != _INVALID:
                places[i] = free[places[i]]


@kernel
def sort_hands(pack: np.ndarray, out: np.ndarray, row: int) -> None:
    """Sort the cards of each seat's places, spade ace first."""
    for seat in range(4):
        hand = out[row, seat]
        for i in range(12, -1, -1):
            card = hand & (~hand + _1)
            pack[13 * seat + i] = card
            hand ^= card


@inlined
def _shuffle_v1(
    pack: np.ndarray, raw: np.ndarray, places: np.ndarray, free: np.ndarray, position: np.uint64
) -> np.uint64:
    """Shuffle the pack as dealer does; return the new position in `raw`."""
    # In most deals, all 52 places are valid: each card is exchanged with the one at its random place.
    size = np.uint64(raw.size)
    invalid = _INVALID
    if position + np.uint64(52) <= size and free.size == 52:
        invalid = np.uint8(0)
        for i in range(52):
            invalid |= places[position + np.uint64(i)]
    if invalid <= np.uint8(63):
        for i in range(52):
            place = places[position + np.uint64(i)]
            card = pack[i]
            pack[i] = pack[place]
            pack[place] = card
        return position + np.uint64(52)
    # Otherwise, invalid places are skipped, and predealt cards stay where they are.
    for i in free:
        place = _INVALID
        while place == _INVALID:
            if position == size:
                refill(raw, places, free)
                position = np.uint64(31)
            place = places[position]
            position += _1
        card = pack[i]
        pack[i] = pack[place]
        pack[place] = card
    return position


@inlined
def _shuffle_v2(pack: np.ndarray, small: np.ndarray, free: np.ndarray, x: np.uint64) -> np.uint64:
    """Shuffle the cards that are not predealt as DealerV2 does; return the random state."""
    for i in range(small.size - 1, 0, -1):
        x = x * _A + _C
        # This is drand48() * (i + 1), in floating point as in DealerV2.
        j = int(float(x & _M) * (1.0 / 281474976710656.0) * float(i + 1))
        card = small[i]
        small[i] = small[j]
        small[j] = card
    if small.size < 52:
        for i in range(free.size):
            pack[free[i]] = small[i]
    return x


@kernel
def deal_rows(
    out: np.ndarray, start: int, stop: int, sort_all: bool, version: int, state: np.ndarray,
    pack: np.ndarray, small: np.ndarray, free: np.ndarray, exchanges: np.ndarray, raw: np.ndarray,
    places: np.ndarray,
) -> None:  # fmt: skip
    """Set the rows `start` to ``stop - 1`` of `out` to the next deals; the last arguments are `StreamArrays`.

    With `sort_all`, the pack is sorted hand by hand after each deal, as DealerV2 sorts accepted deals.
    """
    generator, variant = np.uint64(state[0]), state[1]
    for row in range(start, stop):
        # The next deal is the last one with two hands exchanged, or a new shuffle.
        if variant:
            first, second = exchanges[variant - 1, 0], exchanges[variant - 1, 1]
            for i in range(13):
                card = pack[13 * first + i]
                pack[13 * first + i] = pack[13 * second + i]
                pack[13 * second + i] = card
        elif version == 1:
            generator = _shuffle_v1(pack, raw, places, free, generator)
        else:
            generator = _shuffle_v2(pack, small, free, generator)
        variant = variant + 1 if variant < exchanges.shape[0] else 0
        # The hands are quarters of the pack.
        for seat in range(4):
            hand = _0
            for i in range(13):
                hand |= pack[13 * seat + i]
            out[row, seat] = hand
        if sort_all:
            sort_hands(pack, out, row)
    state[0], state[1] = generator & _M, variant
