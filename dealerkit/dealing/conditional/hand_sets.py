"""Sets of hands that are defined by one table per suit.

A hand belongs to a `HandSet` if the holding of every suit is allowed, and if its shape is
allowed together with the sum over the suits of a measure of each holding.

The shapes of hands and of sides have a fixed order; suit lengths are packed into 16 bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.dealing.predeal import TEN, Predeal
from dealerkit.errors import ArgumentError
from dealerkit.runtime.process import cached_property

if TYPE_CHECKING:
    from numpy.typing import NDArray


MAX_CODES = 4096  # sums of codes are smaller
HOLDING_LENGTHS = np.bitwise_count(np.arange(8192, dtype=np.uint16))
HOLDING_LENGTHS.flags.writeable = False


@dataclass(frozen=True, eq=False)
class HandSet:
    """The hands with allowed holdings and an allowed pair of shape and sum of codes.

    Parameters
    ----------
    holdings : ndarray of bool [4, 8192]
        Allowed holdings of each suit, S H D C.
    codes : ndarray of integers [4, 8192], >= 0 where allowed
        A measure of each holding. Several measures are combined into one code in mixed radix, with digits
        large enough for their sums over four suits.
    allowed : ndarray of bool [560, T] or [1834, T], T from 1 to 4096
        Whether a shape (index into `list_shapes`) may have this sum of codes. With 1834 rows, the set is one
        of the 26 cards of a side. Sums of T or more are not allowed.

    Raises
    ------
    ArgumentError
        An array has another shape or dtype, or an allowed holding has a negative code.

    Examples
    --------
    >>> hands = HandSet.all_hands()
    >>> hands.shapes.size, hands.contains(np.array([8191], np.uint64)).tolist()
    (560, [True])
    """

    holdings: np.ndarray
    codes: np.ndarray
    allowed: np.ndarray

    def __post_init__(self) -> None:
        if self.holdings.shape != (4, 8192) or self.holdings.dtype != bool:
            raise ArgumentError("holdings of a hand set must be an array of bool [4, 8192]")
        if self.codes.shape != (4, 8192) or self.codes.dtype.kind not in "iu":
            raise ArgumentError("codes of a hand set must be an array of integers [4, 8192]")
        if self.allowed.ndim != 2 or self.allowed.dtype != bool or len(self.allowed) not in (560, 1834):
            raise ArgumentError("allowed sums of a hand set must be an array of bool [560, T] or [1834, T]")
        if not 1 <= self.allowed.shape[1] <= MAX_CODES:
            raise ArgumentError(
                f"sums of codes must be from 0 to {MAX_CODES - 1}, not up to {self.allowed.shape[1] - 1}; "
                "test one of the measures with a clause instead"
            )
        if self.codes.dtype.kind == "i" and (self.codes[self.holdings] < 0).any():
            raise ArgumentError("codes of allowed holdings must be 0 or more; add a constant to each")

    @classmethod
    def all_hands(cls, n_cards: int = 13) -> HandSet:
        """Return the set of all hands (13 cards), or of all sides (26)."""
        return cls(
            np.ones((4, 8192), dtype=bool),
            np.zeros((4, 8192), dtype=np.int32),
            np.ones((len(list_shapes(n_cards)), 1), dtype=bool),
        )

    @property
    def n_cards(self) -> int:
        """Number of cards: 13, or 26 for a side."""
        return 13 if len(self.allowed) == 560 else 26

    @cached_property
    def shapes(self) -> np.ndarray:
        """Indices of the shapes with allowed lengths of each suit and any allowed sum."""
        shapes = list_shapes(self.n_cards)
        possible = self.allowed.any(axis=1)
        for suit in range(4):
            lengths = np.bincount(HOLDING_LENGTHS, self.holdings[suit], minlength=14) > 0
            possible &= lengths[shapes[:, suit]]
        return np.flatnonzero(possible)

    @property
    def shape_fraction(self) -> float:
        """The fraction of all hands (or sides) that have one of `shapes`."""
        numbers = count_hands_by_shape(self.n_cards)
        return float(numbers[self.shapes].sum() / numbers.sum())

    def restrict(self, holdings: np.ndarray) -> HandSet:
        """Return the set with only those of its holdings that are in `holdings`, bool [4, 8192]."""
        return HandSet(self.holdings & holdings, self.codes, self.allowed)

    def contains(self, hands: np.ndarray) -> np.ndarray:
        """Return which hands belong to the set.

        Parameters
        ----------
        hands : ndarray of uint64 [n]
            Each of `n_cards` cards.

        Returns
        -------
        ndarray of bool [n]
        """
        lanes = (hands[:, None] >> np.array(LANE_SHIFTS, dtype=np.uint64)).astype(np.int64) & 8191
        suits = np.arange(4)
        total = self.codes[suits, lanes].sum(axis=1, dtype=np.int64)
        shape = shape_index(self.n_cards)[pack_lengths(HOLDING_LENGTHS[lanes]) >> 4]
        contained: np.ndarray = (
            self.holdings[suits, lanes].all(axis=1) & (total >= 0) & (total < self.allowed.shape[1])
        )
        contained[contained] = self.allowed[shape[contained], total[contained]]
        return contained


def predealt_holdings(predeal: Predeal, *seats: int) -> np.ndarray:
    """Return the holdings that a seat, or the seats of a side together, may have in each suit.

    Parameters
    ----------
    predeal : Predeal
    *seats : int, 0..3
        A seat, or two partners.

    Returns
    -------
    ndarray of bool [4, 8192]
        Holdings with the predealt cards of these seats and without those of the others. For a single seat,
        they also have the predealt length; if small cards are predealt, they have these and no other cards.

    Examples
    --------
    >>> holdings = predealt_holdings(Predeal.from_mapping({"north": "SAKxx", "east": "S2"}), 0)
    >>> holdings.sum(axis=1).tolist()  # two of the seven spades from the three to the nine
    [21, 8192, 8192, 8192]
    """
    holdings = np.arange(8192)
    allowed = np.ones((4, 8192), dtype=bool)
    for owner, suit, rank in predeal.cards:
        allowed[suit] &= (holdings >> rank & 1) == (owner in seats)
    for owner, suit, length in predeal.lengths:
        if (owner,) == seats:
            allowed[suit] &= length == HOLDING_LENGTHS
    for owner, suit, count in predeal.small:
        if (owner,) == seats:
            own = sum(1 << rank for *place, rank in predeal.cards if place == [owner, suit])
            spots = holdings & ~own & ((1 << TEN) - 1)
            allowed[suit] &= holdings == (own | spots)
            allowed[suit] &= HOLDING_LENGTHS[spots] == count
    return allowed


@lru_cache(maxsize=2)
def list_shapes(n_cards: int) -> np.ndarray:
    """Return the shapes of `n_cards` cards, as lengths of the suits S H D C in lexicographic order.

    Parameters
    ----------
    n_cards : {13, 26}
        A hand, or the two hands of a side.

    Returns
    -------
    ndarray of uint8 [560, 4] or [1834, 4], read-only

    Examples
    --------
    >>> list_shapes(13)[:3].tolist(), len(list_shapes(26))
    ([[0, 0, 0, 13], [0, 0, 1, 12], [0, 0, 2, 11]], 1834)
    """
    grid = np.indices((14, 14, 14)).reshape(3, -1).T
    last = n_cards - grid.sum(1)
    possible = (last >= 0) & (last <= 13)
    shapes: np.ndarray = np.column_stack([grid, last])[possible].astype(np.uint8)
    shapes.flags.writeable = False
    return shapes


@lru_cache(maxsize=2)
def shape_index(n_cards: int) -> np.ndarray:
    """Return the index into `list_shapes` by the lengths of three suits: int16 [4096], -1 without a shape.

    >>> int(shape_index(13)[4 << 8 | 4 << 4 | 3]) == list_shapes(13).tolist().index([4, 4, 3, 2])
    True
    """
    shapes = list_shapes(n_cards)
    index = np.full(1 << 12, -1, dtype=np.int16)
    index[pack_lengths(shapes) >> 4] = np.arange(len(shapes))
    index.flags.writeable = False
    return index


@lru_cache(maxsize=2)
def count_hands_by_shape(n_cards: int) -> np.ndarray:
    """Return the number of hands, or of sides, of each of `list_shapes`: int64 [560] or [1834], read-only.

    >>> int(count_hands_by_shape(13).sum())
    635013559600
    """
    numbers: np.ndarray = np.array([comb(13, length) for length in range(14)])[list_shapes(n_cards)].prod(
        axis=1
    )
    numbers.flags.writeable = False
    return numbers


def pack_lengths(lengths: np.ndarray) -> NDArray[np.uint16]:
    """Return the lengths S H D C in the last axis packed into uint16, four bits each, clubs lowest."""
    s, h, d, c = np.moveaxis(lengths.astype(np.uint16), -1, 0)
    return s << 12 | h << 8 | d << 4 | c


def unpack_lengths(lengths: np.ndarray) -> NDArray[np.int64]:
    """Return the lengths S H D C, int64 [n, 4], of packed lengths, uint16 [n]."""
    return lengths[:, None].astype(np.int64) >> np.array([12, 8, 4, 0]) & 15


SHAPES = list_shapes(13)  # uint8 [560, 4], in the order of the language's bit sets of shapes
SHAPE_INDEX = shape_index(13)  # int16 [4096]: spades << 8 | hearts << 4 | diamonds; -1: no shape
