"""The two classic streams: the same deals for the same seed as dealer v1 and DealerV2.

They exist only for compatibility. The shuffle of v1 is not uniform for a single deal; the bias vanishes only
because each shuffle starts from the pack of the last one. Studies should use the uniform stream.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import card_bit
from dealerkit.dealing.classic.kernels import (
    INCREMENT,
    MASK,
    MULTIPLIER,
    N_STATE,
    deal_rows,
    refill,
    sort_hands,
)
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.source import NumberedDeals, Source, n_deals_per_shuffle
from dealerkit.errors import ArgumentError

_LENGTH = N_STATE + 3 * 1000  # random numbers of v1 generated at a time, after those of the state
# The seats that are exchanged in the previous deal, for the second and later deals of a shuffle.
_EXCHANGES = {0: [], 2: [(1, 3)], 3: [(1, 3), (2, 3), (1, 2), (1, 3), (2, 3)]}


def make_empty_hands(count: int) -> np.ndarray:
    """Return an array for `count` deals, uint64 [n, 4] with each seat contiguous.

    It has two rows at least: an array of one row is contiguous in both orders, and numba would compile the
    kernels again for it.
    """
    return np.empty((4, max(count, 2)), np.uint64).T


class StreamArrays(NamedTuple):
    """The arrays that the kernels of a stream read and change."""

    version: int  # 1: dealer, 2: DealerV2, 0: no stream (for deals that exist already)
    state: np.ndarray  # int64 [2]: position in `raw`, or 48 bits of drand48(); next deal of the shuffle
    pack: np.ndarray  # uint64 [52]
    small: np.ndarray  # uint64: the cards that DealerV2 shuffles; may be `pack` itself
    free: np.ndarray  # uint8: the places that are not predealt
    exchanges: np.ndarray  # int64 [n, 2]: the seats exchanged for the later deals of a shuffle
    raw: np.ndarray  # uint32: the random numbers of dealer
    places: np.ndarray  # uint8: the places in the pack that these numbers select


class Stream:
    """The common part of both streams: the pack, with predealt cards in their seats' places, and swapping.

    `fresh` contains the cards of a new pack in their order. Without arguments, the object is no stream: it
    only supplies arrays of the types that the kernels expect.
    """

    version = 0
    needs_feedback = False

    def __init__(
        self, predeal: Predeal | None = None, swap: int = 0, fresh: Sequence[int] = range(1, 53)
    ) -> None:
        n_deals_per_shuffle(swap)
        if predeal:
            predeal.check()
            if predeal.small:
                raise ArgumentError(
                    "the classic streams cannot predeal small cards (x); name the cards or use the uniform "
                    "stream"
                )
        self.swap = swap
        # The pack: predealt cards in the places of their seats, all others in the order of a fresh pack.
        self._pack = np.zeros(52, dtype=np.uint64)
        next_places = [0, 13, 26, 39]
        for seat, suit, rank in predeal.cards if predeal else ():
            self._pack[next_places[seat]] = card_bit(suit, rank)
            next_places[seat] += 1
        self._free = np.flatnonzero(self._pack == 0).astype(np.uint8)
        predealt = set(self._pack.tolist())
        self._pack[self._free] = [card for card in fresh if card not in predealt]
        self._exchanges = np.array(_EXCHANGES[swap], dtype=np.int64).reshape(-1, 2)
        self._small = self._pack
        self._raw, self._places = np.empty(0, np.uint32), np.empty(0, np.uint8)
        self._state = np.zeros(2, np.int64)

    @property
    def arrays(self) -> StreamArrays:
        """The arrays, for kernels that deal and evaluate."""
        return StreamArrays(
            self.version, self._state, self._pack, self._small, self._free, self._exchanges,
            self._raw, self._places,
        )  # fmt: skip


class ClassicV1(Stream):
    """Deals in the order of Debian's `dealer`: glibc's random(), each place exchanged with any place.

    Parameters
    ----------
    seed : int
        Of any size. As in the C library, it is taken modulo 2^32, and 0 is the same as 1.
    predeal : Predeal or None
        The order of its cards matters. Lengths are ignored, as by dealer.
    swap : {0, 2, 3}
        Swapping mode, as in `deal_range` of the uniform stream.

    Raises
    ------
    ArgumentError
        For predealt small cards, which dealer does not have, and for an unknown swapping mode.
    PredealError
        If no deal complies with the predeal.

    Examples
    --------
    >>> ClassicV1(1).deal(2).shape
    (2, 4)
    """

    version = 1

    def __init__(self, seed: int, predeal: Predeal | None = None, swap: int = 0) -> None:
        fresh = [1 << (16 * lane + rank) for lane in range(4) for rank in range(13)]
        super().__init__(replace(predeal, lengths=()) if predeal else None, swap, fresh)
        self._raw = np.zeros(_LENGTH, dtype=np.uint32)
        self._places = np.empty(_LENGTH, dtype=np.uint8)
        self._raw[-N_STATE:] = _seed_state(seed)
        self._state[0] = _LENGTH

    def deal(self, count: int, all_accepted: bool = False) -> np.ndarray:
        """Return the next deals.

        Parameters
        ----------
        count : int >= 0
        all_accepted : bool
            Without effect, as this stream does not depend on acceptance.

        Returns
        -------
        ndarray of uint64 [count, 4]
            Hands N E S W, each seat contiguous.
        """
        out = make_empty_hands(count)
        deal_rows(out, 0, count, False, *self.arrays)
        return out[:count]

    def rnd(self, n: int) -> int:
        """Return ``rnd(n)`` of a script: ``int(n * random() / 2^31)`` from the same generator."""
        if self._state[0] == _LENGTH:
            refill(self._raw, self._places, self._free)
            self._state[0] = N_STATE
        value = int(self._raw[self._state[0]]) >> 1
        self._state[0] += 1
        return int(n * value / 2**31)


def _seed_state(seed: int) -> np.ndarray:
    """Return the 31 numbers of the generator's state after srandom(seed), which discards 310 outputs."""
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
    return np.array([number % 2**32 for number in state[-N_STATE:]], dtype=np.uint32)


class ClassicV2(Stream):
    """Deals in the order of DealerV2: drand48(), a Fisher-Yates shuffle, accepted hands sorted.

    Later deals depend on which deals were accepted. So after each batch the caller passes the row of its
    first accepted deal to `accept`, and the next batch begins after that deal. If `accept` is not called, no
    deal of the batch was accepted.

    Parameters
    ----------
    seed : int
        Of any size; taken modulo 2^32. With 0, the system supplies a random seed, which the attribute `seed`
        keeps.
    predeal : Predeal or None
        Cards only; later deals then do not depend on acceptance.
    swap : {0, 2, 3}
        Swapping mode, as in `deal_range` of the uniform stream; ignored if cards are predealt, as by
        DealerV2.

    Raises
    ------
    ArgumentError
        For predealt lengths, whose algorithm is not reproduced, for small cards, and for an unknown swapping
        mode.
    PredealError
        If no deal complies with the predeal.

    Examples
    --------
    >>> stream = ClassicV2(1)
    >>> batch = stream.deal(100)
    >>> stream.accept(3)  # deals 0, 1 and 2 were not accepted; 4 to 99 are discarded
    >>> later = stream.deal(100)
    """

    version = 2

    def __init__(self, seed: int, predeal: Predeal | None = None, swap: int = 0) -> None:
        if predeal and predeal.lengths:
            raise ArgumentError("DealerV2's way to predeal lengths is not reproduced; use the uniform stream")
        fresh = [1 << (16 * lane + rank) for lane in (3, 2, 1, 0) for rank in range(12, -1, -1)]
        super().__init__(predeal, 0 if predeal else swap, fresh)
        self.needs_feedback = not predeal
        if not seed:
            import secrets  # here, because most runs do not need it

            seed = 1 + secrets.randbelow(2**32 - 1)
        self.seed = seed
        self._small = self._pack[self._free] if predeal else self._pack
        self._state[0] = (self.seed % 2**32) << 16 | 0x330E
        self._batch: np.ndarray | None = None
        self._n_dealt = 0
        self._before = self._after = self._state.tolist()

    def deal(self, count: int, all_accepted: bool = False) -> np.ndarray:
        """Return the next deals, from the state after the last accepted one.

        Parameters
        ----------
        count : int >= 0
        all_accepted : bool
            All deals will be accepted (a script without a condition), so `accept` need not be called.

        Returns
        -------
        ndarray of uint64 [count, 4]
            Hands N E S W, each seat contiguous.
        """
        out = make_empty_hands(count)
        self._before = self._state.tolist()
        deal_rows(out, 0, count, all_accepted and self.needs_feedback, *self.arrays)
        self._after = self._state.tolist()
        self._batch, self._n_dealt = None if all_accepted else out, count
        return out[:count]

    def accept(self, row: int | None) -> None:
        """Continue after the first accepted deal of the last batch.

        Parameters
        ----------
        row : int or None
            Its row in the batch, or None if no deal was accepted.

        Raises
        ------
        ArgumentError
            For a row that the last batch does not have, for a second call after the same batch, and for a row
            before the last if `rnd` was evaluated (with `rnd` in a condition, deal one deal at a time).
        """
        batch, self._batch = self._batch, None
        if row is None or not self.needs_feedback:
            return
        if batch is None or not 0 <= row < self._n_dealt:
            raise ArgumentError(f"the last batch has no row {row} that could be accepted")
        if row < self._n_dealt - 1:
            if self._state.tolist() != self._after:
                raise ArgumentError("rnd was evaluated after this batch; with rnd, deal batches of one deal")
            x, variant = self._before
            group = len(self._exchanges) + 1
            shuffles = sum(1 for _ in range(-variant % group, row + 1, group))
            self._state[:] = _jump(x, shuffles * (len(self._small) - 1)), (variant + row + 1) % group
        sort_hands(self._pack, batch, row)

    def rnd(self, n: int) -> int:
        """Return ``rnd(n)`` of a script: ``(int) (drand48() * n)`` of C, from the same generator."""
        x = (int(self._state[0]) * MULTIPLIER + INCREMENT) & MASK
        self._state[0] = x
        return int(x / 2**48 * n)


def _jump(x: int, steps: int) -> int:
    """Return the state of the 48-bit generator `steps` steps after `x`, by repeated squaring of the step."""
    a, c, factor, term = MULTIPLIER, INCREMENT, 1, 0
    while steps:
        if steps & 1:
            factor, term = factor * a & MASK, (term * a + c) & MASK
        a, c, steps = a * a & MASK, (a + 1) * c & MASK, steps >> 1
    return (factor * x + term) & MASK


class ClassicSource(Source):
    """The stream of Debian's dealer or of DealerV2, deal for deal.

    Parameters
    ----------
    stream : ClassicV1 or ClassicV2
    seed : int
    swap : {0, 2, 3}
    all_accepted : bool
        The run has no condition, so every deal will be accepted.
    """

    def __init__(self, stream: ClassicV1 | ClassicV2, seed: int, swap: int, all_accepted: bool) -> None:
        self.stream, self.seed, self.swap = stream, seed, swap
        self.needs_feedback = stream.needs_feedback and not all_accepted
        self._all_accepted = all_accepted
        self.description = f"seed {seed}, classic stream, "

    def batch(self, first: int, count: int, seats: int) -> Callable[[], Deals | NumberedDeals]:
        hands = self.stream.deal(count, self._all_accepted)
        return lambda: Deals(hands, cluster=self.clusters(first, count), check=False)

    def mark_accepted(self, row: int | None) -> None:
        assert isinstance(self.stream, ClassicV2)
        self.stream.accept(row)
