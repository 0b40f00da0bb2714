"""Exact numbers of hands in a set, by shape, and tables of the ways to compose them suit by suit.

Within one suit, only the length and the code of a holding matter, so its holdings form a few
classes. The hands of a shape are counted suit by suit from the last one (a convolution with
a condition on the sum): the number of ways to complete suits k to 3 depends only on their
lengths and on the sum of the codes of the suits before them. Suits with the same classes are
interchangeable, so among shapes that differ only by an exchange of such suits, one is counted.
All numbers are integers below C(52, 26) < 2^49.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dealerkit.dealing.conditional.hand_sets import HOLDING_LENGTHS, HandSet, list_shapes, pack_lengths
from dealerkit.distinct import list_distinct
from dealerkit.errors import MemoryLimitError

MAX_STATES = 8_000_000  # in a table; a state is a shape, a sum so far and a class of the next suit


class HoldingClasses(NamedTuple):
    """The allowed holdings of a suit by length and code."""

    length: np.ndarray  # int64 [classes], rising
    code: np.ndarray  # int64 [classes], rising within a length
    start: np.ndarray  # int64 [classes + 1]: the first of each class in `members`
    members: np.ndarray  # uint16 [holdings]: the holdings, class by class

    @property
    def sizes(self) -> np.ndarray:
        """Numbers of holdings, int64 [classes]."""
        return np.diff(self.start)


class SuitLevel(NamedTuple):
    """The states before suit k of the order: the rest of the shape (a key), and the sum of codes so far.

    `parts` has a tuple for each length of suit k: the rows of `ways` with this length, int64 [rows]; the
    classes of this length, int64 [c]; and the number of ways with each class, int64 [rows, columns, c].
    """

    keys: np.ndarray  # int64 [keys]: one of the kinds of shape that have this key
    key_of: np.ndarray  # int64 [kinds]: key of each kind of shape
    sums: np.ndarray  # int64 [columns]: possible sums so far, rising
    column: np.ndarray  # int64 [T + 1]: column of each sum; the last column of `ways` (0) if not possible
    ways: np.ndarray  # int64 [keys, columns + 1]: number of ways to complete suits k to 3
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]]


class HandTable:
    """The number of hands in a set, in all and by shape.

    Parameters
    ----------
    hand_set : HandSet

    Raises
    ------
    MemoryLimitError
        The table would have more than `MAX_STATES` states (shape, sum so far, class of the next suit). At 10
        to 20 ns each, that many take a tenth of a second. High-card points alone need at most 0.1 million
        states, points with controls half a million.

    Attributes
    ----------
    shapes : ndarray of uint8 [560, 4] or [1834, 4]
    counts_by_shape : ndarray of int64 [560] or [1834]
        Number of hands of each shape.
    possible : ndarray of int64 [possible]
        Indices of the shapes that may have hands.
    classes, ordered : list of 4 HoldingClasses
        By suit S H D C, and in the order of counting, where suits with the same classes are adjacent.
    order : ndarray of int64 [possible, 4]
        Suits of each shape in that order, the longest of those with the same classes first.
    kind : ndarray of int64 [possible]
        Kind of each shape: shapes with equal lengths in that order and equal rows of `allowed`.
    levels : list of 4 SuitLevel

    Examples
    --------
    A balanced hand of 20 to 22 points:

    >>> from dealerkit.dealing.conditional.hand_sets import SHAPES
    >>> points = sum((np.arange(8192) >> 12 - i & 1) * (4 - i) for i in range(4))
    >>> balanced = [sorted(shape) in ([3, 3, 3, 4], [2, 3, 4, 4], [2, 3, 3, 5]) for shape in SHAPES.tolist()]
    >>> allowed = np.outer(balanced, np.isin(np.arange(38), [20, 21, 22]))
    >>> table = HandTable(HandSet(np.ones((4, 8192), bool), np.tile(points, (4, 1)), allowed))
    >>> table.total, round(table.total / 635013559600, 7)
    (4123616232, 0.0064937)
    """

    def __init__(self, hand_set: HandSet) -> None:
        self.hand_set = hand_set
        self.shapes = list_shapes(hand_set.n_cards)
        # Classes of the holdings of each suit, one for suits with equal rules.
        allowed = hand_set.allowed
        possible = np.flatnonzero(allowed.any(axis=1))
        used = np.bincount(self.shapes[possible].ravel(), minlength=14) > 0
        same_as = find_equal_suits(hand_set.holdings, hand_set.codes)
        by_suit = {suit: _classify_suit(hand_set, suit, used) for suit in set(same_as)}
        self.classes = [by_suit[suit] for suit in same_as]
        # A shape is possible if every suit has holdings of its length.
        for suit, classes in enumerate(self.classes):
            has_length = np.bincount(classes.length, minlength=14) > 0
            possible = possible[has_length[self.shapes[possible, suit]]]
        self.possible = possible
        self.ordered = [by_suit[suit] for suit in sorted(same_as)]
        # Suits with equal rules are ordered by length, so shapes that differ only by their order share nodes.
        lengths = self.shapes[possible].astype(np.int64)
        self.order = np.argsort(16 * np.array(same_as) + 13 - lengths, axis=1, kind="stable")
        # The number of hands of a shape is that of the root of its tree.
        self.kind, self.levels = self._build_levels()
        first = self.levels[0]
        self.counts_by_shape = np.zeros(len(self.shapes), dtype=np.int64)
        self.counts_by_shape[possible] = first.ways[first.key_of, 0][self.kind]

    @property
    def total(self) -> int:
        """Number of hands in the set."""
        return int(self.counts_by_shape.sum())

    def _build_levels(self) -> tuple[np.ndarray, list[SuitLevel]]:
        """Return the kind of each possible shape, and the level of each suit of the order."""
        allowed, possible = self.hand_set.allowed, self.possible
        size = allowed.shape[1]
        # Shapes of the same kind have equal lengths in their order, and allow equal sums.
        lengths = np.take_along_axis(self.shapes[possible].astype(np.int64), self.order, axis=1)
        row = _number_rows(allowed[possible])
        _, first, kind = np.unique(row << 16 | pack_lengths(lengths), return_index=True, return_inverse=True)
        lengths, row = lengths[first], row[first]
        sums = [np.zeros(1, dtype=np.int64)]  # possible sums of the suits before k
        for classes in self.ordered[:3]:
            is_possible = np.zeros(size, dtype=bool)
            following = sums[-1][:, None] + list_distinct(classes.code)
            is_possible[following[following < size]] = True
            sums.append(np.flatnonzero(is_possible))
        # After the last suit, there is a row of `allowed` for each key.
        _, keys, key_of = np.unique(row, return_index=True, return_inverse=True)
        ways = np.zeros((len(keys), size + 1), dtype=np.int64)
        ways[:, :size] = allowed[possible[first[keys]]]
        column = np.arange(size + 1)
        levels: list[SuitLevel] = []
        n_states = 0
        # Go from the last suit to the first: the ways from a node are the holdings of each class, times the
        # ways from the node that follows.
        for suit in reversed(range(4)):
            _, keys, inverse = np.unique(
                key_of * 14 + lengths[:, suit], return_index=True, return_inverse=True
            )
            own_ways = np.zeros((len(keys), len(sums[suit]) + 1), dtype=np.int64)
            classes = self.ordered[suit]
            parts = []
            for length in list_distinct(lengths[keys, suit]):
                rows = np.flatnonzero(lengths[keys, suit] == length)
                low, high = np.searchsorted(classes.length, [length, length + 1])
                n_states += rows.size * len(sums[suit]) * int(high - low)
                if n_states > MAX_STATES:
                    raise MemoryLimitError(
                        f"a set of hands has more than {MAX_STATES:,} states; leave out one of its measures"
                    )
                columns = column[np.minimum(sums[suit][:, None] + classes.code[low:high], size)]
                weights = ways[key_of[keys[rows]]][:, columns] * classes.sizes[low:high]
                own_ways[rows, :-1] = weights.sum(axis=2)
                parts.append((rows, np.arange(low, high), weights))
            column = np.full(size + 1, len(sums[suit]))
            column[sums[suit]] = np.arange(len(sums[suit]))
            key_of, ways = inverse, own_ways
            levels.append(SuitLevel(keys, key_of, sums[suit], column, ways, parts))
        return kind, levels[::-1]


def find_equal_suits(*tables: np.ndarray) -> list[int]:
    """Return for each suit the first suit that has equal rows in all tables [4, ...]."""
    keys = [[table[suit].tobytes() for table in tables] for suit in range(4)]
    return [keys.index(key) for key in keys]


def _classify_suit(hand_set: HandSet, suit: int, used: np.ndarray) -> HoldingClasses:
    """Return the classes of one suit, only with the lengths that are `used` (bool [14])."""
    size = hand_set.allowed.shape[1]
    codes = hand_set.codes[suit]
    holdings = np.flatnonzero(hand_set.holdings[suit] & used[HOLDING_LENGTHS] & (codes < size))
    # Keys are below 14 * 4096, so 16 bits suffice, and numpy sorts these by radix.
    key = (HOLDING_LENGTHS[holdings] * np.uint16(size) + codes[holdings]).astype(np.uint16)
    order = np.argsort(key, kind="stable")
    rising = key[order].astype(np.int64)
    start = np.flatnonzero(np.diff(rising, prepend=-1))
    length, code = np.divmod(rising[start], size)
    return HoldingClasses(length, code, np.append(start, len(rising)), holdings[order].astype(np.uint16))


def _number_rows(rows: np.ndarray) -> np.ndarray:
    """Return a number from 0 for each row of a bool table [n, T], the same for equal rows: int64 [n]."""
    numbers: dict[bytes, int] = {}
    packed = np.packbits(rows, axis=1)
    return np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in packed], dtype=np.int64)
