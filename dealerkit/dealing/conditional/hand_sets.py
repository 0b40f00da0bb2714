"""Sets of hands that are told suit by suit.

A hand belongs to a `HandSet` when the holding of every suit is allowed, and its shape
together with the sum over the suits of a measure of each holding is allowed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.dealing.conditional.hand_set_shapes import (
    HOLDING_LENGTHS,
    count_hands_by_shape,
    list_shapes,
    shape_index,
)
from dealerkit.dealing.predeal import TEN, Predeal
from dealerkit.errors import ArgumentError

MAX_CODES = 4096  # sums of codes are below it


@dataclass(frozen=True, eq=False)
class HandSet:
    """The hands whose holdings are allowed, and whose shape and sum of codes are allowed together.

    Parameters
    ----------
    holdings : ndarray of bool [4, 8192]
        Allowed holdings of each suit, S H D C.
    codes : ndarray of integers [4, 8192], >= 0 where allowed
        A measure of each holding. Several measures make one code in mixed radix, each digit
        with room for its sum over four suits.
    allowed : ndarray of bool [560, T] or [1834, T], T from 1 to 4096
        Whether a shape (index into `list_shapes`) may have this sum of codes. With 1834 rows it is a
        set of the 26 cards of a side. Sums of T or more are not allowed.

    Raises
    ------
    ArgumentError
        For arrays of another shape or type, and for negative codes of allowed holdings.

    Examples
    --------
    >>> all_hands = HandSet.all_hands()
    >>> all_hands.shapes.size, all_hands.contains(np.array([8191], np.uint64)).tolist()
    (560, [True])
    """

    holdings: np.ndarray
    codes: np.ndarray
    allowed: np.ndarray

    def __post_init__(self) -> None:
        if self.holdings.shape != (4, 8192) or self.holdings.dtype != bool:
            raise ArgumentError("holdings of a hand set are an array of bool [4, 8192]")
        if self.codes.shape != (4, 8192) or self.codes.dtype.kind not in "iu":
            raise ArgumentError("codes of a hand set are an array of integers [4, 8192]")
        if self.allowed.ndim != 2 or self.allowed.dtype != bool or len(self.allowed) not in (560, 1834):
            raise ArgumentError("allowed sums of a hand set are an array of bool [560, T], or [1834, T]")
        if not 1 <= self.allowed.shape[1] <= MAX_CODES:
            raise ArgumentError(
                f"sums of codes go from 0 to {MAX_CODES - 1}, not to {self.allowed.shape[1] - 1}; "
                "leave a measure to a filter"
            )
        if self.codes.dtype.kind == "i" and (self.codes[self.holdings] < 0).any():
            raise ArgumentError("codes of allowed holdings are 0 or more; add a constant to each")

    @classmethod
    def all_hands(cls, cards: int = 13) -> HandSet:
        """The set of all hands (of 13 cards), or of all sides (of 26)."""
        return cls(
            np.ones((4, 8192), dtype=bool),
            np.zeros((4, 8192), dtype=np.int32),
            np.ones((len(list_shapes(cards)), 1), dtype=bool),
        )

    @property
    def cards(self) -> int:
        """13, or 26 for a side."""
        return 13 if len(self.allowed) == 560 else 26

    @cached_property
    def shapes(self) -> np.ndarray:
        """Indices of the shapes that hands of the set may have, lengths and sums judged apart."""
        shapes = list_shapes(self.cards)
        possible = self.allowed.any(axis=1)
        for suit in range(4):
            lengths = np.bincount(HOLDING_LENGTHS, self.holdings[suit], minlength=14) > 0
            possible &= lengths[shapes[:, suit]]
        return np.flatnonzero(possible)

    @property
    def shape_fraction(self) -> float:
        """The share of all hands (or sides) that have one of these shapes."""
        numbers = count_hands_by_shape(self.cards)
        return float(numbers[self.shapes].sum() / numbers.sum())

    def restrict(self, holdings: np.ndarray) -> HandSet:
        """The same with only those of its holdings (bool [4, 8192]) that are also in these."""
        return HandSet(self.holdings & holdings, self.codes, self.allowed)

    def contains(self, hands: np.ndarray) -> np.ndarray:
        """Which hands belong to the set.

        Parameters
        ----------
        hands : ndarray of uint64 [n]
            Of `cards` cards each.

        Returns
        -------
        ndarray of bool [n]
        """
        lanes = [(hands >> np.uint64(shift)).astype(np.int64) & 8191 for shift in LANE_SHIFTS]
        good = np.ones(len(hands), dtype=bool)
        total = np.zeros(len(hands), dtype=np.int64)
        for suit, lane in enumerate(lanes):
            good &= self.holdings[suit, lane]
            total += self.codes[suit, lane]
        index = shape_index(self.cards)
        lengths = [HOLDING_LENGTHS[lane].astype(np.int64) for lane in lanes[:3]]
        shape = index[lengths[0] << 8 | lengths[1] << 4 | lengths[2]]
        good &= (total >= 0) & (total < self.allowed.shape[1])
        good[good] = self.allowed[shape[good], total[good]]
        return good


def predealt_holdings(predeal: Predeal, seat: int) -> np.ndarray:
    """The holdings that a predeal leaves to a seat, judged suit by suit.

    Parameters
    ----------
    predeal : Predeal
    seat : int, 0..3

    Returns
    -------
    ndarray of bool [4, 8192]
        With the seat's own cards, without the other seats', of the length demanded, and with
        the small cards demanded and no other cards.

    Examples
    --------
    >>> holdings = predealt_holdings(Predeal.from_mapping({"north": "SAKxx", "east": "S2"}), 0)
    >>> holdings.sum(axis=1).tolist()  # two of the seven spades from the three to the nine
    [21, 8192, 8192, 8192]
    """
    all_hands = np.arange(8192)
    found = np.ones((4, 8192), dtype=bool)
    for owner, suit, rank in predeal.cards:
        found[suit] &= (all_hands >> rank & 1) == (owner == seat)
    for owner, suit, length in predeal.lengths:
        if owner == seat:
            found[suit] &= length == HOLDING_LENGTHS
    for owner, suit, count in predeal.small:
        if owner == seat:
            own = sum(1 << rank for who, of, rank in predeal.cards if (who, of) == (seat, suit))
            spots = all_hands & ~own & ((1 << TEN) - 1)
            found[suit] &= all_hands == (own | spots)
            found[suit] &= HOLDING_LENGTHS[spots] == count
    return found
