"""Sets of hands that are told suit by suit, and the exact number of hands in them.

A hand belongs to a `HandSet` when the holding of every suit is allowed, and its shape
together with the sum over the suits of a measure of each holding is allowed. Within one
suit only the length and the measure of a holding matter, so the holdings fall into few
classes, and the hands of a shape are counted suit by suit from the last one (a
convolution with a condition on the total): the number of ways to complete suits k to 3
depends on their lengths and on what the suits before them add up to, on nothing else.
All numbers are integers below C(52, 26) < 2^49.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.dealing.handset_shapes import (
    HOLDING_LENGTHS,
    SHAPE_OF,
    SHAPES,
    hands_by_shape,
    shape_index,
    shapes_of,
)
from dealerkit.dealing.predeal import TEN, Predeal
from dealerkit.errors import ArgumentError, MemoryLimitError

__all__ = [
    "HOLDING_LENGTHS", "MAX_CODES", "MAX_STATES", "SHAPES", "SHAPE_OF", "HandSet", "HandTable",
    "predealt_holdings", "shapes_of",
]  # fmt: skip

MAX_CODES = 4096  # sums of codes are below it
MAX_STATES = 8_000_000  # ways (shape, sum so far, class) that a table may have to look at


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
        Whether a shape (index into `shapes_of`) may have this sum of codes. With 1834 rows it is a
        set of the 26 cards of a side. Sums of T or more are not allowed.

    Raises
    ------
    ArgumentError
        For arrays of another shape or type, and for negative codes of allowed holdings.

    Examples
    --------
    >>> every = HandSet.every()
    >>> HandTable(every).total
    635013559600
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
    def every(cls, cards: int = 13) -> HandSet:
        """The set of all hands (of 13 cards), or of all sides (of 26)."""
        return cls(
            np.ones((4, 8192), dtype=bool),
            np.zeros((4, 8192), dtype=np.int32),
            np.ones((len(shapes_of(cards)), 1), dtype=bool),
        )

    @property
    def cards(self) -> int:
        """13, or 26 for a side."""
        return 13 if len(self.allowed) == 560 else 26

    @cached_property
    def shapes(self) -> np.ndarray:
        """Indices of the shapes that hands of the set may have, lengths and sums judged apart."""
        shapes = shapes_of(self.cards)
        possible = self.allowed.any(axis=1)
        for suit in range(4):
            lengths = np.bincount(HOLDING_LENGTHS, self.holdings[suit], minlength=14) > 0
            possible &= lengths[shapes[:, suit]]
        return np.flatnonzero(possible)

    @property
    def openness(self) -> float:
        """The share of all hands (or sides) that have one of these shapes."""
        numbers = hands_by_shape(self.cards)
        return float(numbers[self.shapes].sum() / numbers.sum())

    def within(self, holdings: np.ndarray) -> HandSet:
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


class Classes(NamedTuple):
    """The allowed holdings of a suit by length and code."""

    length: np.ndarray  # int64 [classes], rising
    code: np.ndarray  # int64 [classes], rising within a length
    start: np.ndarray  # int64 [classes + 1]: the class's place in `members`
    members: np.ndarray  # uint16: holdings, class by class

    @property
    def sizes(self) -> np.ndarray:
        return np.diff(self.start)


class Level(NamedTuple):
    """The states before suit k: what of the shape is still to come, and the sum so far."""

    keys: np.ndarray  # int64 [keys]: the place, among the live shapes, of one that stands for the key
    key_of: np.ndarray  # int64 [live shapes]: key of each live shape
    sums: np.ndarray  # int64 [columns]: sums so far, rising
    column: np.ndarray  # int64 [T + 1]: column of a sum; the last column of `ways` (0) for any other
    ways: np.ndarray  # int64 [keys, columns + 1]: ways to complete suits k to 3
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]]  # keys, classes, weights [keys, columns, classes]


class HandTable:
    """How many hands a set has: in all, by shape, by shape and sum of codes.

    Parameters
    ----------
    handset : HandSet

    Raises
    ------
    MemoryLimitError
        Where more than `MAX_STATES` states (shape, sum so far, class of the next suit) would have
        to be looked at: at 10 to 20 ns each that is a tenth of a second. High-card points alone make
        no more than 0.1 million, points with controls half a million.

    Examples
    --------
    A balanced hand of 20 to 22 points:

    >>> points = sum((np.arange(8192) >> 12 - i & 1) * (4 - i) for i in range(4))
    >>> balanced = [sorted(shape) in ([3, 3, 3, 4], [2, 3, 4, 4], [2, 3, 3, 5]) for shape in SHAPES.tolist()]
    >>> wanted = np.outer(balanced, np.isin(np.arange(38), [20, 21, 22]))
    >>> table = HandTable(HandSet(np.ones((4, 8192), bool), np.tile(points, (4, 1)), wanted))
    >>> table.total, round(table.total / 635013559600, 7)
    (4123616232, 0.0064937)
    """

    def __init__(self, handset: HandSet) -> None:
        self.handset = handset
        self.shapes = shapes_of(handset.cards)
        allowed = handset.allowed
        live = np.flatnonzero(allowed.any(axis=1))
        used = np.array([np.bincount(self.shapes[live, suit], minlength=14) > 0 for suit in range(4)])
        self.classes = _all_classes(handset, used)
        for suit, classes in enumerate(self.classes):
            held = np.bincount(classes.length, minlength=14) > 0
            live = live[held[self.shapes[live, suit]]]
        self.live = live  # shapes that may have hands
        self.levels = self._levels()
        self.by_shape = np.zeros(len(self.shapes), dtype=np.int64)
        first = self.levels[0]
        self.by_shape[live] = first.ways[first.key_of, 0]

    @property
    def total(self) -> int:
        """Number of hands in the set."""
        return int(self.by_shape.sum())

    def by_code(self, shape: int) -> np.ndarray:
        """Number of hands of one shape (an index) with each sum of codes: int64 [T]."""
        return self.counts()[shape]

    def counts(self) -> np.ndarray:
        """Number of hands with each shape and sum of codes.

        Returns
        -------
        ndarray of int64 [560 or 1834, T], read-only
            0 where a shape may not have the sum. Made at the first call: a millisecond for
            high-card points; time grows with T times the number of sums of two suits.
        """
        return self._counts

    @cached_property
    def _counts(self) -> np.ndarray:
        size = self.handset.allowed.shape[1]
        single = np.zeros((4, 14, size), dtype=np.int64)
        for suit, (length, code, start, _) in enumerate(self.classes):
            single[suit, length, code] = np.diff(start)
        lengths = self.shapes[self.live].astype(np.int64)
        pairs, place = [], []
        for suit in (0, 2):
            kinds, inverse = np.unique(lengths[:, suit] * 14 + lengths[:, suit + 1], return_inverse=True)
            first, second = single[suit, kinds // 14], single[suit + 1, kinds % 14]
            pairs.append(_convolved(first, second))
            place.append(inverse)
        found = np.zeros((len(self.shapes), size), dtype=np.int64)
        if len(self.live):
            both = _convolved(pairs[0][place[0]], pairs[1][place[1]])
            found[self.live] = both * self.handset.allowed[self.live]
        found.flags.writeable = False
        return found

    def _levels(self) -> list[Level]:
        """From the last suit to the first; `levels[k]` belongs to suit k."""
        allowed, live = self.handset.allowed, self.live
        size = allowed.shape[1]
        lengths = self.shapes[live].astype(np.int64)
        rows: dict[bytes, int] = {}
        row = np.array(
            [rows.setdefault(key.tobytes(), len(rows)) for key in np.packbits(allowed[live], axis=1)],
            dtype=np.int64,
        )
        sums = [np.zeros(1, dtype=np.int64)]  # sums that suits before k can make
        for classes in self.classes[:3]:
            mark = np.zeros(size, dtype=bool)
            more = sums[-1][:, None] + np.unique(classes.code)
            mark[more[more < size]] = True
            sums.append(np.flatnonzero(mark))
        # the level after the last suit: a row of `allowed` for each key
        key_of, keys = row, np.zeros(len(rows), dtype=np.int64)
        keys[row[::-1]] = np.arange(len(live))[::-1]
        ways = np.zeros((len(keys), size + 1), dtype=np.int64)
        ways[:, :size] = allowed[live[keys]]
        column = np.arange(size + 1)
        levels: list[Level] = []
        states = 0
        for suit in reversed(range(4)):
            _, keys, inverse = np.unique(
                key_of * 14 + lengths[:, suit], return_index=True, return_inverse=True
            )
            here = np.zeros((len(keys), len(sums[suit]) + 1), dtype=np.int64)
            classes = self.classes[suit]
            parts = []
            for length in np.unique(lengths[keys, suit]):
                mine = np.flatnonzero(lengths[keys, suit] == length)
                low, high = np.searchsorted(classes.length, [length, length + 1])
                states += mine.size * len(sums[suit]) * int(high - low)
                if states > MAX_STATES:
                    raise MemoryLimitError(
                        f"a set of hands has more than {MAX_STATES:,} states; leave a measure to a filter"
                    )
                then = column[np.minimum(sums[suit][:, None] + classes.code[low:high], size)]
                weights = ways[key_of[keys[mine]]][:, then] * classes.sizes[low:high]
                here[mine, :-1] = weights.sum(axis=2)
                parts.append((mine, np.arange(low, high), weights))
            column = np.full(size + 1, len(sums[suit]))
            column[sums[suit]] = np.arange(len(sums[suit]))
            key_of, ways = inverse, here
            levels.append(Level(keys, key_of, sums[suit], column, ways, parts))
        return levels[::-1]


def _all_classes(handset: HandSet, used: np.ndarray) -> list[Classes]:
    """Of the four suits; suits with the same allowed holdings and codes share them."""
    found: list[Classes] = []
    for suit in range(4):
        for other in range(suit):
            if (
                np.array_equal(used[suit], used[other])
                and np.array_equal(handset.holdings[suit], handset.holdings[other])
                and np.array_equal(handset.codes[suit], handset.codes[other])
            ):
                found.append(found[other])
                break
        else:
            found.append(_classes(handset, suit, used[suit]))
    return found


def _classes(handset: HandSet, suit: int, used: np.ndarray) -> Classes:
    size = handset.allowed.shape[1]
    codes = handset.codes[suit]
    holdings = np.flatnonzero(handset.holdings[suit] & used[HOLDING_LENGTHS] & (codes < size))
    # below 14 * 4096, so 16 bits suffice, which numpy sorts by radix
    key = (HOLDING_LENGTHS[holdings] * np.uint16(size) + codes[holdings]).astype(np.uint16)
    order = np.argsort(key, kind="stable")
    rising = key[order].astype(np.int64)
    start = np.flatnonzero(np.diff(rising, prepend=-1))
    length, code = np.divmod(rising[start], size)
    return Classes(length, code, np.append(start, len(rising)), holdings[order].astype(np.uint16))


def _convolved(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Row by row: out[i, a + b] += first[i, a] * second[i, b], sums beyond the last column dropped."""
    out = np.zeros_like(first)
    size = first.shape[1]
    for code in np.flatnonzero(first.any(axis=0)):
        out[:, code:] += first[:, code, None] * second[:, : size - code]
    return out


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
    every = np.arange(8192)
    found = np.ones((4, 8192), dtype=bool)
    for owner, suit, rank in predeal.cards:
        found[suit] &= (every >> rank & 1) == (owner == seat)
    for owner, suit, length in predeal.lengths:
        if owner == seat:
            found[suit] &= length == HOLDING_LENGTHS
    for owner, suit, count in predeal.small:
        if owner == seat:
            own = sum(1 << rank for who, of, rank in predeal.cards if (who, of) == (seat, suit))
            spots = every & ~own & ((1 << TEN) - 1)
            found[suit] &= every == (own | spots)
            found[suit] &= HOLDING_LENGTHS[spots] == count
    return found
