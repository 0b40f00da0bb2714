"""The compiled half of the classic streams: the two generators, the two shuffles."""

from __future__ import annotations

import numpy as np

from dealerkit.compiled import kernel

KEPT = 31  # numbers that glibc's random() looks back on
MULTIPLIER, INCREMENT, MASK = 0x5DEECE66D, 0xB, (1 << 48) - 1  # of drand48()
_A, _C, _M = np.uint64(MULTIPLIER), np.uint64(INCREMENT), np.uint64(MASK)
_INVALID = np.uint8(255)
_0, _1 = np.uint64(0), np.uint64(1)


@kernel
def refill(raw: np.ndarray, places: np.ndarray, free: np.ndarray) -> None:
    """The next numbers of glibc's random(), and the place of the pack that each stands for."""
    for i in range(31):
        raw[i] = raw[raw.size - 31 + i]
    a, b, c = raw[28], raw[29], raw[30]
    for i in range((raw.size - 31) // 3):  # number n is number n - 31 plus number n - 3: three chains
        a += raw[3 * i]
        b += raw[3 * i + 1]
        c += raw[3 * i + 2]
        raw[3 * i + 31] = a
        raw[3 * i + 32] = b
        raw[3 * i + 33] = c
    count = np.uint64(free.size)
    if count == _0:
        return
    limit = np.uint64(65536) // count * count
    if limit == np.uint64(65536) and free[-1] != 51:
        limit -= count  # as measured: a table that comes out even, its last place filled, loses a round
    divide = np.uint64(1 << 22) // count + _1  # entry * divide >> 22 is entry // count below 65,536
    for i in range(raw.size):
        entry = np.uint64(raw[i] >> np.uint32(1)) & np.uint64(0xFFFF)
        found = entry - ((entry * divide) >> np.uint64(22)) * count
        places[i] = found if entry < limit else _INVALID
    if count < np.uint64(52):
        for i in range(raw.size):
            if places[i] != _INVALID:
                places[i] = free[places[i]]


@kernel
def _gather(pack: np.ndarray, out: np.ndarray, row: int) -> None:
    for seat in range(4):
        hand = _0
        for i in range(13):
            hand |= pack[13 * seat + i]
        out[row, seat] = hand


@kernel
def _any_invalid(places: np.ndarray, position: np.uint64) -> np.bool_:
    found = np.uint8(0)
    for i in range(52):
        found |= places[position + np.uint64(i)]
    return found > np.uint8(63)


@kernel
def _exchange(pack: np.ndarray, first: int, second: int) -> None:
    for i in range(13):
        card = pack[13 * first + i]
        pack[13 * first + i] = pack[13 * second + i]
        pack[13 * second + i] = card


@kernel
def deal_v1(out, pack, raw, places, free, exchanges, position, variant):
    """Deal ``out.shape[0]`` deals; returns the new position in `raw` and the next variant."""
    size = np.uint64(raw.size)
    for row in range(out.shape[0]):
        if variant:
            _exchange(pack, exchanges[variant - 1, 0], exchanges[variant - 1, 1])
        elif position + np.uint64(52) <= size and free.size == 52 and not _any_invalid(places, position):
            for i in range(52):  # no case apart: the usual deal
                found = places[position + np.uint64(i)]
                card = pack[i]
                pack[i] = pack[found]
                pack[found] = card
            position += np.uint64(52)
        else:
            for i in free:
                found = _INVALID
                while found == _INVALID:
                    if position == size:
                        refill(raw, places, free)
                        position = np.uint64(31)
                    found = places[position]
                    position += _1
                card = pack[i]
                pack[i] = pack[found]
                pack[found] = card
        variant = variant + 1 if variant < exchanges.shape[0] else 0
        _gather(pack, out, row)
    return position, variant


@kernel
def sort_hands(pack: np.ndarray, out: np.ndarray, row: int) -> None:
    """Put each hand's cards in order in its places, spade ace first."""
    for seat in range(4):
        hand = out[row, seat]
        for i in range(12, -1, -1):
            card = hand & (~hand + _1)
            pack[13 * seat + i] = card
            hand ^= card


@kernel
def deal_v2(out, pack, small, free, exchanges, x, variant, every):
    """Deal ``out.shape[0]`` deals; returns the new random state and the next variant."""
    for row in range(out.shape[0]):
        if variant:
            _exchange(pack, exchanges[variant - 1, 0], exchanges[variant - 1, 1])
        else:
            for i in range(small.size - 1, 0, -1):
                x = x * _A + _C
                # in floating point, as drand48() * (i + 1) is
                j = int(float(x & _M) * (1.0 / 281474976710656.0) * float(i + 1))
                card = small[i]
                small[i] = small[j]
                small[j] = card
            if small.size < 52:
                for i in range(free.size):
                    pack[free[i]] = small[i]
        variant = variant + 1 if variant < exchanges.shape[0] else 0
        _gather(pack, out, row)
        if every:
            sort_hands(pack, out, row)
    return x, variant
