"""The two classic streams: the same deals for the same seed as dealer v1 and DealerV2.

They exist for compatibility alone. The shuffle of v1 is not uniform for one deal,
only the pack carried over from deal to deal washes the bias out; for studies take the
uniform stream.
"""

from __future__ import annotations

import copy
import math
import secrets
from dataclasses import replace
from typing import Any

import numpy as np

from dealerkit.compiled import kernel
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.uniform import group_of
from dealerkit.errors import ArgumentError

_LENGTH = 31 + 3 * 1000  # random numbers of v1 made ahead at a time, after those it looks back on
_KEPT = 31  # numbers that the generator looks back on
_INVALID = np.uint8(255)
_MULTIPLIER, _INCREMENT, _48_BITS = 0x5DEECE66D, 0xB, (1 << 48) - 1
_LCG_A, _LCG_C, _LCG_MASK = np.uint64(_MULTIPLIER), np.uint64(_INCREMENT), np.uint64(_48_BITS)
_0, _1 = np.uint64(0), np.uint64(1)
# seats exchanged in the deal just before, for variants 1.. of a shuffle
_EXCHANGES = {0: [], 2: [(1, 3)], 3: [(1, 3), (2, 3), (1, 2), (1, 3), (2, 3)]}


def _places(predeal: Predeal | None, fresh: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """The pack with predealt cards in their places, and the places that are free, in order."""
    pack = np.zeros(52, dtype=np.uint64)
    taken = [13 * seat for seat in range(4)]
    for seat, suit, rank in predeal.cards if predeal else ():
        pack[taken[seat]] = 1 << (48 - 16 * suit + rank)
        taken[seat] += 1
    free = np.flatnonzero(pack == 0)
    left = set(fresh) - set(pack.tolist())
    pack[free] = [card for card in fresh if card in left]
    return pack, free


@kernel
def _refill(raw: np.ndarray, places: np.ndarray, free: np.ndarray) -> None:
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
def _deal_v1(out, pack, raw, places, free, exchanges, position, variant):
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
                        _refill(raw, places, free)
                        position = np.uint64(31)
                    found = places[position]
                    position += _1
                card = pack[i]
                pack[i] = pack[found]
                pack[found] = card
        variant = variant + 1 if variant < exchanges.shape[0] else 0
        _gather(pack, out, row)
    return position, variant


class _Stream:
    """What both streams share: the pack, swapping and going back."""

    needs_reply = False

    def __init__(self, predeal: Predeal | None, swap: int, fresh: list[int]) -> None:
        group_of(swap)
        if predeal:
            predeal.check()
            if predeal.small:
                raise ArgumentError(
                    "the classic streams deal no small cards (x); name the cards or take the uniform stream"
                )
        self.swap = swap
        self._pack, free = _places(predeal, fresh)
        self._free = free.astype(np.uint8)
        self._exchanges = np.array(_EXCHANGES[swap], dtype=np.int64).reshape(-1, 2)
        self._variant = 0

    def copy(self) -> Any:
        """An independent stream in the same state, to go back to.

        Returns
        -------
        ClassicV1 or ClassicV2
        """
        return copy.deepcopy(self)


class ClassicV1(_Stream):
    """Deals in the order of Debian's `dealer`: glibc's random(), each place exchanged with any place.

    Parameters
    ----------
    seed : int
        Of any size; the C library takes it modulo 2^32, and 0 as 1.
    predeal : Predeal or None
        The order of its cards matters. Lengths are ignored, as dealer does.
    swap : {0, 2, 3}

    Raises
    ------
    ArgumentError
        For small cards, which dealer does not know.

    Examples
    --------
    >>> ClassicV1(1).deal(2).shape
    (2, 4)
    """

    def __init__(self, seed: int, predeal: Predeal | None = None, swap: int = 0) -> None:
        fresh = [1 << (16 * lane + rank) for lane in range(4) for rank in range(13)]
        super().__init__(replace(predeal, lengths=()) if predeal else None, swap, fresh)
        self._raw = np.zeros(_LENGTH, dtype=np.uint32)
        self._places = np.empty(_LENGTH, dtype=np.uint8)
        self._raw[-_KEPT:] = _warmed_up(seed)
        self._position = _LENGTH

    def deal(self, count: int) -> np.ndarray:
        """The next deals.

        Parameters
        ----------
        count : int >= 0

        Returns
        -------
        ndarray of uint64 [count, 4]
            Hands N E S W, each seat contiguous.
        """
        out = np.empty((4, count), dtype=np.uint64).T
        position, self._variant = _deal_v1(
            out, self._pack, self._raw, self._places, self._free, self._exchanges,
            np.uint64(self._position), self._variant,
        )  # fmt: skip
        self._position = int(position)
        return out

    def rnd(self, n: int) -> int:
        """The word ``rnd(n)`` of a script: ``int(n * random() / 2^31)`` from the same source."""
        if self._position == _LENGTH:
            _refill(self._raw, self._places, self._free)
            self._position = _KEPT
        value = int(self._raw[self._position]) >> 1
        self._position += 1
        return int(n * value / 2**31)


def _warmed_up(seed: int) -> np.ndarray:
    """The 31 numbers of the generator's state after srandom(seed), its first 310 outputs thrown away."""
    value = seed % 2**32 or 1
    value -= 2**32 if value >= 2**31 else 0
    state = [value]
    for _ in range(30):
        value = int(math.fmod(16807 * value, 2147483647))  # the remainder of C, with the sign of the dividend
        value += 2147483647 if value < 0 else 0
        state.append(value)
    state += state[:3]
    for i in range(34, 34 + 310):
        state.append((state[i - 3] + state[i - 31]) % 2**32)
    return np.array([number % 2**32 for number in state[-_KEPT:]], dtype=np.uint32)


@kernel
def _sort_hands(pack: np.ndarray, out: np.ndarray, row: int) -> None:
    """Put each hand's cards in order in its places, spade ace first."""
    for seat in range(4):
        hand = out[row, seat]
        for i in range(12, -1, -1):
            card = hand & (~hand + _1)
            pack[13 * seat + i] = card
            hand ^= card


@kernel
def _deal_v2(out, pack, small, free, exchanges, x, variant, every):
    """Deal ``out.shape[0]`` deals; returns the new random state and the next variant."""
    for row in range(out.shape[0]):
        if variant:
            _exchange(pack, exchanges[variant - 1, 0], exchanges[variant - 1, 1])
        else:
            for i in range(small.size - 1, 0, -1):
                x = x * _LCG_A + _LCG_C
                # in floating point, as drand48() * (i + 1) is
                j = int(float(x & _LCG_MASK) * (1.0 / 281474976710656.0) * float(i + 1))
                card = small[i]
                small[i] = small[j]
                small[j] = card
            if small.size < 52:
                for i in range(free.size):
                    pack[free[i]] = small[i]
        variant = variant + 1 if variant < exchanges.shape[0] else 0
        _gather(pack, out, row)
        if every:
            _sort_hands(pack, out, row)
    return x, variant


class ClassicV2(_Stream):
    """Deals in the order of DealerV2: drand48(), a Fisher-Yates shuffle, accepted hands sorted.

    Which deals come later depends on which were accepted. So deals are dealt ahead, and
    `accept` tells which one of the last chunk was the first to be accepted; the next
    chunk begins after it. Without a reply none of them was.

    Parameters
    ----------
    seed : int
        Of any size; taken modulo 2^32. 0 means: one from the system, kept in `seed`.
    predeal : Predeal or None
        Cards only; accepted deals then need no reply.
    swap : {0, 2, 3}
        Discarded where something is predealt, as DealerV2 does.

    Raises
    ------
    ArgumentError
        For predealt lengths, whose algorithm is not reproduced, and for small cards.

    Examples
    --------
    >>> stream = ClassicV2(1)
    >>> chunk = stream.deal(100)
    >>> stream.accept(3)  # deals 0, 1 and 2 were not accepted; 4 to 99 are forgotten
    >>> later = stream.deal(100)
    """

    def __init__(self, seed: int, predeal: Predeal | None = None, swap: int = 0) -> None:
        if predeal and predeal.lengths:
            raise ArgumentError(
                "DealerV2's way to predeal lengths is not reproduced; take the uniform stream"
            )
        fresh = [1 << (16 * lane + rank) for lane in (3, 2, 1, 0) for rank in range(12, -1, -1)]
        super().__init__(predeal, 0 if predeal else swap, fresh)
        if predeal:
            self.swap = 0
        self.needs_reply = not predeal
        self.seed = seed or 1 + secrets.randbelow(2**32 - 1)
        self._small = self._pack[self._free] if predeal else self._pack
        self._x = (self.seed % 2**32) << 16 | 0x330E
        self._chunk: np.ndarray | None = None
        self._before = (self._x, 0)
        self._after = self._x

    def deal(self, count: int, every: bool = False) -> np.ndarray:
        """The next deals, dealt ahead from the state after the last accepted one.

        Parameters
        ----------
        count : int >= 0
        every : bool
            All of them will be accepted (a script without a condition): no reply is needed.

        Returns
        -------
        ndarray of uint64 [count, 4]
            Hands N E S W, each seat contiguous.
        """
        out = np.empty((4, count), dtype=np.uint64).T
        self._before = (self._x, self._variant)
        x, self._variant = _deal_v2(
            out, self._pack, self._small, self._free, self._exchanges, np.uint64(self._x), self._variant,
            every and self.needs_reply,
        )  # fmt: skip
        self._x = self._after = int(x) & _48_BITS
        self._chunk = None if every else out
        return out

    def accept(self, row: int | None) -> None:
        """The reply to the last `deal`: the row of the first accepted deal, or None for none.

        Parameters
        ----------
        row : int or None

        Raises
        ------
        ArgumentError
            For a row that the last chunk does not have, a second reply, or a row before
            the last after `rnd` was drawn (a condition with `rnd` is dealt one by one).
        """
        chunk, self._chunk = self._chunk, None
        if row is None or not self.needs_reply:
            return
        if chunk is None or not 0 <= row < len(chunk):
            raise ArgumentError(f"the last chunk has no row {row} that could be accepted")
        if row < len(chunk) - 1:
            if self._x != self._after:
                raise ArgumentError(
                    "rnd was drawn after this chunk; where a condition draws rnd, deal one by one"
                )
            x, variant = self._before
            group = len(self._exchanges) + 1
            shuffles = sum(1 for _ in range(-variant % group, row + 1, group))
            self._x = _ahead(x, shuffles * (len(self._small) - 1))
            self._variant = (variant + row + 1) % group
        _sort_hands(self._pack, chunk, row)

    def rnd(self, n: int) -> int:
        """The word ``rnd(n)`` of a script: ``floor(drand48() * n)`` from the same source."""
        self._x = (self._x * _MULTIPLIER + _INCREMENT) & _48_BITS
        return math.floor(self._x / 2**48 * n)

    def copy(self) -> ClassicV2:
        """An independent stream in the same state, to go back to."""
        twin: ClassicV2 = copy.deepcopy(self)
        return twin


def _ahead(x: int, steps: int) -> int:
    """The 48-bit generator's state after so many steps, by repeated squaring of the step."""
    a, c, factor, term = _MULTIPLIER, _INCREMENT, 1, 0
    while steps:
        if steps & 1:
            factor, term = factor * a & _48_BITS, (term * a + c) & _48_BITS
        a, c, steps = a * a & _48_BITS, (a + 1) * c & _48_BITS, steps >> 1
    return (factor * x + term) & _48_BITS
