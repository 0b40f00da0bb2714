"""How many hands a set has, exactly, and in how many ways they are made up suit by suit.

Within one suit only the length and the measure of a holding matter, so the holdings fall into few
classes, and the hands of a shape are counted suit by suit from the last one (a
convolution with a condition on the total): the number of ways to complete suits k to 3
depends on their lengths and on what the suits before them add up to, on nothing else.
Suits with the same classes may change places, so of shapes that differ in nothing else one is
counted. All numbers are integers below C(52, 26) < 2^49.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dealerkit.dealing.conditional.hand_set_shapes import HOLDING_LENGTHS, list_shapes, packed
from dealerkit.dealing.conditional.hand_sets import HandSet
from dealerkit.errors import MemoryLimitError

MAX_STATES = 8_000_000  # ways (shape, sum so far, class) that a table may have to look at


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
    """The states before suit k of the order: what of the shape is still to come, and the sum so far."""

    keys: np.ndarray  # int64 [keys]: a kind of shape that stands for the key
    key_of: np.ndarray  # int64 [kinds]: key of each kind of shape
    sums: np.ndarray  # int64 [columns]: sums so far, rising
    column: np.ndarray  # int64 [T + 1]: column of a sum; the last column of `ways` (0) for any other
    ways: np.ndarray  # int64 [keys, columns + 1]: ways to complete suits k to 3
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]]  # keys, classes, weights [keys, columns, classes]


class HandTable:
    """How many hands a set has: in all and by shape.

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

    >>> from dealerkit.dealing.conditional.hand_set_shapes import SHAPES
    >>> points = sum((np.arange(8192) >> 12 - i & 1) * (4 - i) for i in range(4))
    >>> balanced = [sorted(shape) in ([3, 3, 3, 4], [2, 3, 4, 4], [2, 3, 3, 5]) for shape in SHAPES.tolist()]
    >>> wanted = np.outer(balanced, np.isin(np.arange(38), [20, 21, 22]))
    >>> table = HandTable(HandSet(np.ones((4, 8192), bool), np.tile(points, (4, 1)), wanted))
    >>> table.total, round(table.total / 635013559600, 7)
    (4123616232, 0.0064937)
    """

    def __init__(self, handset: HandSet) -> None:
        self.handset = handset
        self.shapes = list_shapes(handset.cards)
        allowed = handset.allowed
        live = np.flatnonzero(allowed.any(axis=1))
        used = np.bincount(self.shapes[live].ravel(), minlength=14) > 0
        self.classes = _all_classes(handset, used)
        for suit, classes in enumerate(self.classes):
            held = np.bincount(classes.length, minlength=14) > 0
            live = live[held[self.shapes[live, suit]]]
        self.live = live  # shapes that may have hands
        alike = [next(i for i in range(4) if self.classes[i] is own) for own in self.classes]
        self.ordered = [self.classes[suit] for suit in sorted(alike)]
        # int64 [live, 4]: suits of each shape in their order, the longest of those that are alike first
        lengths = self.shapes[live].astype(np.int64)
        self.order = np.argsort(16 * np.array(alike) + 13 - lengths, axis=1, kind="stable")
        self.kind, self.levels = self._levels()
        first = self.levels[0]
        self.counts_by_shape = np.zeros(len(self.shapes), dtype=np.int64)
        self.counts_by_shape[live] = first.ways[first.key_of, 0][self.kind]

    @property
    def total(self) -> int:
        """Number of hands in the set."""
        return int(self.counts_by_shape.sum())

    def _levels(self) -> tuple[np.ndarray, list[Level]]:
        """The kind of each live shape, and the levels; `levels[k]` belongs to suit k of the order."""
        allowed, live = self.handset.allowed, self.live
        size = allowed.shape[1]
        lengths = np.take_along_axis(self.shapes[live].astype(np.int64), self.order, axis=1)
        row = _numbered(allowed[live])
        _, stand, kind = np.unique(row << 16 | packed(lengths), return_index=True, return_inverse=True)
        lengths, row = lengths[stand], row[stand]
        sums = [np.zeros(1, dtype=np.int64)]  # sums that suits before k can make
        for classes in self.ordered[:3]:
            mark = np.zeros(size, dtype=bool)
            more = sums[-1][:, None] + np.unique(classes.code)
            mark[more[more < size]] = True
            sums.append(np.flatnonzero(mark))
        # the level after the last suit: a row of `allowed` for each key
        _, keys, key_of = np.unique(row, return_index=True, return_inverse=True)
        ways = np.zeros((len(keys), size + 1), dtype=np.int64)
        ways[:, :size] = allowed[live[stand[keys]]]
        column = np.arange(size + 1)
        levels: list[Level] = []
        states = 0
        for suit in reversed(range(4)):
            _, keys, inverse = np.unique(
                key_of * 14 + lengths[:, suit], return_index=True, return_inverse=True
            )
            here = np.zeros((len(keys), len(sums[suit]) + 1), dtype=np.int64)
            classes = self.ordered[suit]
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
        return kind, levels[::-1]


def _all_classes(handset: HandSet, used: np.ndarray) -> list[Classes]:
    """Of the four suits; suits with the same allowed holdings and codes share them."""
    found: list[Classes] = []
    for suit in range(4):
        for other in range(suit):
            if np.array_equal(handset.holdings[suit], handset.holdings[other]) and np.array_equal(
                handset.codes[suit], handset.codes[other]
            ):
                found.append(found[other])
                break
        else:
            found.append(_classes(handset, suit, used))
    return found


def _classes(handset: HandSet, suit: int, used: np.ndarray) -> Classes:
    """Of one suit, lengths that are not `used` (bool [14]) left out."""
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


def _numbered(rows: np.ndarray) -> np.ndarray:
    """Numbers from 0 for the rows of a table of bool [n, T], equal ones for equal rows: int64 [n]."""
    bits = np.packbits(rows, axis=1)
    words = np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8))).view(np.uint64)  # 64 columns at a time
    number = np.zeros(len(rows), dtype=np.int64)
    for word in words.T:
        values, own = np.unique(word, return_inverse=True)
        _, number = np.unique(number * len(values) + own, return_inverse=True)
    return number
