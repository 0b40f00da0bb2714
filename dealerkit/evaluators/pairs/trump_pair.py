"""The two hands of a side with a trump suit: the fit, declarer and dummy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS
from dealerkit.evaluators import holdings
from dealerkit.evaluators.pairs.pair import Pair

_SHIFT_OF_TRUMP = np.array([*reversed(LANE_SHIFTS), 13], np.uint64)  # bits 13 to 15 are not cards
_MAJOR = np.array([1, 1, 0, 0], np.int16)[:, None]
_RANK = np.array([3, 2, 1, 0], np.int16)[:, None]


@dataclass(frozen=True, eq=False)
class TrumpPair(Pair):
    """A `Pair` with a trump suit.

    Parameters
    ----------
    first, second, variant
        As for `Pair`.
    suit : {0, 1, 2, 3}, optional
        Trumps, S H D C; by default those of `find_best_fit`.

    Examples
    --------
    >>> from dealerkit.cards.deals import Deals
    >>> deals = Deals.from_pbn(["N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"])
    >>> hands = deals.hands
    >>> ns, ew = TrumpPair(hands[:, 0], hands[:, 2]), TrumpPair(hands[:, 1], hands[:, 3])
    >>> ns.trump.tolist(), ns.fit.tolist(), ns.trumps.tolist(), ew.declares.tolist()
    ([3], [9], [[6], [3]], [[False], [True]])
    """

    suit: int | None = None

    @cached_property
    def trump(self) -> np.ndarray:
        """Trump suit, C D H S = 0..3, or -1 without trumps: int16 [n]."""
        if self.suit is not None:
            return np.full(len(self.first), 3 - self.suit, np.int16)
        return find_best_fit(self)

    @cached_property
    def fit(self) -> np.ndarray:
        """Cards of both hands in the trump suit, without trumps in the longest suit: int16 [n]."""
        result: np.ndarray = self.combined.max(axis=0) if self.suit is None else self.combined[self.suit]
        return result

    @cached_property
    def has_fit(self) -> np.ndarray:
        """True for eight trumps or more: bool [n]."""
        return self.fit >= 8

    @cached_property
    def is_trump(self) -> np.ndarray:
        """True for the trump suit: bool [4, n]."""
        result: np.ndarray = self.trump == _RANK
        return result

    @cached_property
    def trump_holdings(self) -> np.ndarray:
        """Holdings in trumps as indices of tables, voids without trumps: int64 [2, n]."""
        shift = _SHIFT_OF_TRUMP.take(self.trump)
        mask = np.where(self.trump >= 0, np.uint64(LANE_MASK), np.uint64(0))
        return (self.hands >> shift & mask).view(np.int64)

    def take_trumps(self, table: np.ndarray) -> np.ndarray:
        """Return the value of a table for the trumps of each hand, without trumps of a void: [2, n]."""
        return table.take(self.trump_holdings)

    @cached_property
    def trumps(self) -> np.ndarray:
        """Number of trumps: int16 [2, n]."""
        return self.take_trumps(holdings.length())

    @cached_property
    def declares(self) -> np.ndarray:
        """True for the hand that declares: bool [2, n].

        The hand with more trumps declares, of equal ones that with more points, then the first. Without
        trumps it is the hand with more points.
        """
        first = (self.trumps[0] > self.trumps[1]) | self.equal_trumps & (self.hcp[0] >= self.hcp[1])
        return np.stack((first, ~first))

    @property
    def is_dummy(self) -> np.ndarray:
        """True for dummy: bool [2, n]."""
        return self.declares[::-1]

    @cached_property
    def is_fit_declarer(self) -> np.ndarray:
        """True for the hand that declares with eight trumps or more: bool [2, n]."""
        result: np.ndarray = self.declares & self.has_fit
        return result

    @cached_property
    def is_fit_dummy(self) -> np.ndarray:
        """True for dummy with eight trumps or more: bool [2, n]."""
        result: np.ndarray = self.is_dummy & self.has_fit
        return result

    @cached_property
    def equal_trumps(self) -> np.ndarray:
        """True for the same number of trumps in both hands: bool [n]."""
        result: np.ndarray = self.trumps[0] == self.trumps[1]
        return result

    @cached_property
    def counts_shortness(self) -> np.ndarray:
        """True for hands that count points for shortness in a fit: bool [2, n].

        With eight trumps or more dummy counts them; both hands if they have the same number of trumps.
        """
        result: np.ndarray = self.has_fit & (self.equal_trumps | self.is_dummy)
        return result

    @cached_property
    def counts_length(self) -> np.ndarray:
        """True for hands that count points for length in a fit: bool [2, n].

        With eight trumps or more it is the hand that has more of them.
        """
        result: np.ndarray = self.has_fit & ~self.equal_trumps & self.declares
        return result

    @cached_property
    def long_trumps(self) -> np.ndarray:
        """1 for a fifth trump and 2 for each further one: int16 [2, n]."""
        result: np.ndarray = np.maximum(self.trumps - 4, 0) + np.maximum(self.trumps - 5, 0)
        return result

    @cached_property
    def ruffing_points(self) -> np.ndarray:
        """Points of the shortest suit: with three trumps 3 2 1 for 0, 1, 2 cards, with more 5 3 1: [2, n]."""
        few, many = 3 - self.shortest, np.array([5, 3, 1, 0], np.int16).take(self.shortest)
        return np.where(self.trumps == 3, few, many) * (self.trumps >= 3)


def find_best_fit(pair: Pair) -> np.ndarray:
    """Return the best trump suit of a side, C D H S = 0..3, or -1.

    It is the longest combined suit. Of suits with equal length of eight or more, a major comes first, then
    the more even split, then fewer points, then the higher suit. Without a suit of eight cards it is a suit
    of seven that is split 5-2: a major first, then fewer points, then the higher suit; else there is none.

    Parameters
    ----------
    pair : Pair

    Returns
    -------
    ndarray of int16 [shape=(n,)]

    Notes
    -----
    Variant ``coded``: DealerV2 4.3 prefers clubs to diamonds where both are longest and equal in
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
