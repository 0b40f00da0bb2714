"""Two hands of a side seen together: lengths, fits, misfits, who declares and who is dummy."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS
from dealerkit.evaluators import factors, holdings

_SHIFTS = np.array(LANE_SHIFTS, np.uint64)[:, None]
_SHIFT_OF_TRUMP = np.array([*reversed(LANE_SHIFTS), 13], np.uint64)  # bits 13 to 15 hold no card
_MAJOR = np.array([1, 1, 0, 0], np.int16)[:, None]
_RANK = np.array([3, 2, 1, 0], np.int16)[:, None]


class Pair:
    """The hands of a side, with everything the counts of partnerships look at, each computed once.

    Arrays have the two hands on their first axis (north or east first), the suits S H D C on the
    second where there are any, and the deals on the last.

    Parameters
    ----------
    first, second : ndarray of uint64 [shape=(n,)]
        Blocks of some thousand deals stay in the processor's cache.
    suit : {0, 1, 2, 3}, optional
        Trumps, S H D C; by default those of `best_fit`.
    variant : {"intended", "coded"}
        ``coded`` as DealerV2 4.3 computes, ``intended`` as its author means it.

    Examples
    --------
    >>> from dealerkit.cards.deals import Deals
    >>> deals = Deals.from_pbn(["N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"])
    >>> hands = deals.hands
    >>> ns, ew = Pair(hands[:, 0], hands[:, 2]), Pair(hands[:, 1], hands[:, 3])
    >>> ns.trump.tolist(), ns.fit.tolist(), ns.trumps.tolist(), ew.declares.tolist()
    ([3], [9], [[6], [3]], [[False], [True]])
    """

    def __init__(
        self, first: np.ndarray, second: np.ndarray, suit: int | None = None, variant: str = "intended"
    ) -> None:
        self.cards = np.stack((first, second))
        self.suit = suit
        self.variant = variant

    @property
    def intended(self) -> bool:
        """Is the variant ``intended``?"""
        return self.variant == "intended"

    # ------------------------------------------------------------ tables
    def total(self, table: np.ndarray) -> np.ndarray:
        """Sum of a table of holdings over each hand: [2, n]."""
        from dealerkit.evaluators.kernels import sum_lanes  # loads numba

        return sum_lanes(self.cards.reshape(-1), table).reshape(2, -1)

    def each(self, table: np.ndarray) -> np.ndarray:
        """A table of holdings for each hand and suit: [2, 4, n]."""
        return table.take(self.lanes)

    def shape(self, table: np.ndarray) -> np.ndarray:
        """A table of patterns for each hand: [2, n]."""
        return table.take(self.patterns)

    def trump_value(self, table: np.ndarray) -> np.ndarray:
        """A table of holdings for the trumps of each hand, [2, n]; without trumps that of a void."""
        return table.take(self.trump_lanes)

    # ------------------------------------------------------------ each hand
    @cached_property
    def lanes(self) -> np.ndarray:
        """The holdings as indices of tables: [2, 4, n]."""
        return (self.cards[:, None, :] >> _SHIFTS & np.uint64(LANE_MASK)).view(np.int64)

    @cached_property
    def lengths(self) -> np.ndarray:
        """Cards in each suit: int16 [2, 4, n]."""
        return self.each(holdings.length())

    @cached_property
    def patterns(self) -> np.ndarray:
        """Codes of the shapes, for `shape`: [2, n]."""
        from dealerkit.evaluators.kernels import pattern_code  # loads numba

        return pattern_code(self.cards.reshape(-1)).astype(np.int64).reshape(2, -1)

    @cached_property
    def hcp(self) -> np.ndarray:
        """Points 4 3 2 1: int16 [2, n]."""
        return self.total(holdings.points((4, 3, 2, 1)))

    @cached_property
    def suit_hcp(self) -> np.ndarray:
        """Points 4 3 2 1 in each suit: int16 [2, 4, n]."""
        return self.each(holdings.points((4, 3, 2, 1)))

    @cached_property
    def aces(self) -> np.ndarray:
        """Number of aces: int16 [2, n]."""
        return self.total(holdings.points((1,)))

    @cached_property
    def body(self) -> np.ndarray:
        """Body of tens, nines and eights: int16 [2, n]."""
        return self.total(factors.body())

    @cached_property
    def square(self) -> np.ndarray:
        """1 for the shape 4333: int16 [2, n]."""
        return self.shape(factors.of_lengths(factors.square))

    @cached_property
    def voids(self) -> np.ndarray:
        """Number of voids: int16 [2, n]."""
        return self.shape(factors.of_lengths(factors.voids))

    @cached_property
    def singletons(self) -> np.ndarray:
        """Number of singletons: int16 [2, n]."""
        return self.shape(factors.of_lengths(factors.singletons))

    @cached_property
    def doubletons(self) -> np.ndarray:
        """Number of doubletons: int16 [2, n]."""
        return self.shape(factors.of_lengths(factors.doubletons))

    @cached_property
    def shortest(self) -> np.ndarray:
        """Length of the shortest suit: int16 [2, n]."""
        return self.shape(factors.of_lengths(factors.shortest))

    @cached_property
    def shortness(self) -> np.ndarray:
        """3 for a void, 2 for a singleton, 1 for a doubleton, summed: int16 [2, n]."""
        return self.shape(factors.of_lengths(factors.short_points))

    @cached_property
    def long_cards(self) -> np.ndarray:
        """Cards over four in a suit, summed: int16 [2, n]."""
        return self.shape(factors.of_lengths(factors.long_cards))

    # ------------------------------------------------------------ the two together
    @cached_property
    def combined(self) -> np.ndarray:
        """Cards of both hands in each suit: int16 [4, n]."""
        return self.lengths[0] + self.lengths[1]

    @cached_property
    def _longer(self) -> np.ndarray:
        return np.maximum(self.lengths[0], self.lengths[1])

    @cached_property
    def _shorter(self) -> np.ndarray:
        return np.minimum(self.lengths[0], self.lengths[1])

    def short_opposite(self, length: int) -> np.ndarray:
        """Where one hand has at most one card and the other `length` (3 or more): bool [4, n]."""
        return (self._shorter < 2) & (self._longer >= length)

    def misfit(self, length: int) -> np.ndarray:
        """Where some suit is short in one hand and has `length` cards or more in the other: bool [n]."""
        return np.asarray(self.short_opposite(length).any(axis=0))

    @cached_property
    def trump(self) -> np.ndarray:
        """The trump suit, C D H S = 0..3, or -1 where there is none: int16 [n]."""
        if self.suit is not None:
            return np.full(self.cards.shape[1], 3 - self.suit, np.int16)
        return best_fit(self)

    @cached_property
    def fit(self) -> np.ndarray:
        """Cards of both hands in the trump suit, else in the longest: int16 [n]."""
        return self.combined.max(axis=0) if self.suit is None else self.combined[self.suit]

    @cached_property
    def has_fit(self) -> np.ndarray:
        """Where there are eight trumps or more: bool [n]."""
        return self.fit >= 8

    @cached_property
    def is_trump(self) -> np.ndarray:
        """Which suit is trumps: bool [4, n]."""
        return self.trump == _RANK

    @cached_property
    def trump_lanes(self) -> np.ndarray:
        """The holdings in trumps as indices of tables, voids without trumps: [2, n]."""
        shift = _SHIFT_OF_TRUMP.take(self.trump)
        lane = np.where(self.trump >= 0, np.uint64(LANE_MASK), np.uint64(0))
        return (self.cards >> shift & lane).view(np.int64)

    @cached_property
    def trumps(self) -> np.ndarray:
        """Trumps of each hand: int16 [2, n]."""
        return self.trump_value(holdings.length())

    @cached_property
    def declares(self) -> np.ndarray:
        """Which hand declares: bool [2, n].

        The one with more trumps, then with more points, then the first. Without trumps more points decide.
        """
        one, other = self.trumps
        first = (one > other) | (one == other) & (self.hcp[0] >= self.hcp[1])
        return np.stack((first, ~first))

    @property
    def is_dummy(self) -> np.ndarray:
        """Which hand is dummy: bool [2, n]."""
        return self.declares[::-1]

    @cached_property
    def equal_trumps(self) -> np.ndarray:
        """Where both hands have the same number of trumps: bool [n]."""
        return self.trumps[0] == self.trumps[1]

    @cached_property
    def counts_shortness(self) -> np.ndarray:
        """Which hand counts points of a dummy under the rule of fits: bool [2, n].

        With eight trumps or more: dummy; both hands where their trumps are equal in number.
        """
        return self.has_fit & (self.equal_trumps | self.is_dummy)

    @cached_property
    def counts_length(self) -> np.ndarray:
        """Which hand counts points of a declarer under the rule of fits: bool [2, n].

        With eight trumps or more: the hand that has more of them.
        """
        return self.has_fit & ~self.equal_trumps & self.declares


def best_fit(pair: Pair) -> np.ndarray:
    """The best trump suit of a side, C D H S = 0..3, or -1.

    The longest combined suit. Of equals with eight cards or more a major, then the more even
    split, then the fewer points, then the higher suit. With no suit of eight cards, one that is
    split 5-2: a major, then fewer points, then the higher suit; else none.

    Parameters
    ----------
    pair : Pair

    Returns
    -------
    ndarray of int16 [shape=(n,)]

    Notes
    -----
    Variant ``coded``: DealerV2 4.3 prefers clubs to diamonds where both are longest and alike in
    split and points, unless spades and hearts are equally long.

    References
    ----------
    JGM, DealerV2 4.3.
    """
    combined = pair.combined
    split = np.abs(pair.lengths[0] - pair.lengths[1])
    points = pair.suit_hcp[0] + pair.suit_hcp[1]
    key = combined << 11 | _MAJOR << 10 | (15 - split) << 6 | (15 - points) << 2 | _RANK
    key[(combined < 7) | (combined == 7) & (split != 3)] = -1
    best = key.max(axis=0)
    trump = np.where(best >= 0, best & 3, np.int16(-1))
    if not pair.intended:
        tied = (trump == 1) & (best >= 8 << 11) & (key[2] >> 2 == key[3] >> 2) & (combined[0] != combined[1])
        trump[tied] = 0
    return trump


def slam_controls(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """May a side think of a slam in notrump: an ace or king of every suit, and three aces?

    Parameters
    ----------
    first, second : ndarray of uint64 [n]

    Returns
    -------
    ndarray of bool [n]

    References
    ----------
    R. Pavlicek, Pavlicek Point Count, as in JGM's DealerV2 4.3, where no metric uses it.

    Examples
    --------
    >>> ace, king = 1 << 12, 1 << 11
    >>> strong = np.array([ace << 48 | ace << 32 | king << 16], dtype=np.uint64)
    >>> slam_controls(strong, np.array([ace], dtype=np.uint64)), slam_controls(strong, strong)
    (array([ True]), array([False]))
    """
    both = first | second
    suits = [both >> np.uint64(shift) & np.uint64(LANE_MASK) for shift in LANE_SHIFTS]
    aces = sum((suit >> np.uint64(12)).astype(np.int16) for suit in suits)
    return np.logical_and.reduce([suit >> np.uint64(11) > 0 for suit in suits]) & (aces >= 3)
