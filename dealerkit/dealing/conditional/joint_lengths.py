"""The lengths that the conditional sampler draws: of the first seat's suits, and of those dealt after it.

Given the lengths of the first seat's suits there are as many hands as its `HandTable` says; given the
cards that are left in each suit, the next seat gets certain lengths in a product of binomial
coefficients of ways, whatever the first one's cards are. So the shape of the first seat, and with three
seats the lengths of the second, make classes, each with the exact number of its deals as weight. The seat
dealt last of these needs no class of its own: a number below the ways that are left to it says its
lengths and its cards at once (`Options`).
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from dealerkit.dealing.card_splits import BINOMIALS
from dealerkit.dealing.conditional.hand_set_shapes import SHAPES, packed, unpacked
from dealerkit.dealing.conditional.hand_sets import HandSet
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.dealing.conditional.lookup_tables import bounded, guide_of

MAX_CLASSES = 1 << 17  # pairs of shapes of two seats; with more, one seat's lengths less are drawn exactly
OPEN = 0.8  # a seat of which so many hands have a possible shape: its lengths are left to chance
_BITS = 62  # of a rank
_CHOOSE = BINOMIALS.reshape(14, 14).astype(np.int64)  # comb(n, k), 0 where k > n
_PAIRS = np.kron(_CHOOSE, _CHOOSE)  # of two suits: 14 * n + n' cards, 14 * k + k' of them
_1, _32, _LOW = (np.uint64(i) for i in (1, 32, 0xFFFFFFFF))


class Options(NamedTuple):
    """The lengths that a seat may get, by what is left when it is dealt: arguments of `draw_within`.

    Lengths of the four suits are packed, four bits each, clubs lowest.
    """

    state: np.ndarray  # int64 [classes]: what is left
    left: np.ndarray  # uint16 [states]: free cards of each suit
    totals: np.ndarray  # uint64 [states]: ways to choose the seat's cards
    thresholds: np.ndarray  # uint64 [states]: 2^64 modulo these
    nodes: np.ndarray  # uint64 [states]: see `conditional_tables.guide_of`
    guide: np.ndarray  # uint32: options
    begin: np.ndarray  # uint64 [options]: the first of the numbers that stand for these lengths
    end: np.ndarray  # uint64 [options]
    taken: np.ndarray  # uint16 [options]: free cards of each suit that the seat gets


class Joint(NamedTuple):
    """Classes of lengths of the seats whose lengths are drawn together."""

    shape: np.ndarray  # int64 [classes]: index of the first seat's shape
    ways: np.ndarray  # int64 [classes]: hands of that shape
    options: list[Options]  # of the seats dealt after the first
    weights: tuple[np.ndarray, np.ndarray]  # numbers of deals: upper and lower 64 bits, uint64 [classes]

    @classmethod
    def of(cls, shape: np.ndarray, ways: np.ndarray, options: list[Options]) -> Joint:
        """The classes that some deal has, with their weights."""
        numbers = [ways.astype(np.uint64), *(each.totals[each.state] for each in options)]
        some = np.logical_and.reduce([number > 0 for number in numbers])
        if not some.all():
            shape, ways = shape[some], ways[some]
            options = [each._replace(state=each.state[some]) for each in options]
            numbers = [number[some] for number in numbers]
        return cls(shape, ways, options, _weights(numbers))

    @property
    def total(self) -> int:
        """Number of ways to give these seats their cards."""
        upper, lower = self.weights
        return (
            (int(upper.sum()) << 64) + (int((lower >> _32).sum()) << 32) + int((lower & _LOW).sum())
        )  # fmt: skip


class Draw(NamedTuple):
    """A bounded draw that picks a class by a weight of any size.

    Class c has ``units[c] = ceil(weight / 2^spare)`` units of the rank; its last unit counts for
    `partial[c]` of 2^spare, otherwise the draw is made again.
    """

    total: np.uint64  # units
    threshold: np.uint64  # 2^64 mod total
    shift: np.uint64
    spare: np.uint64
    cumulative: np.ndarray  # uint64 [classes + 1]: units
    partial: np.ndarray  # uint64 [classes]
    guide: np.ndarray  # uint32: class of the rank (index << shift)


def joint_lengths(
    table: HandTable, others: list[HandSet], fixed: np.ndarray, free: np.ndarray, seats: int
) -> Joint:
    """The classes of lengths of the first seat and of as many of the others as the limits allow.

    Parameters
    ----------
    table : HandTable
        Of the first seat.
    others : list of HandSet
        Of the other seats with a condition, in the order in which they are dealt.
    fixed : ndarray of int64 [4, 4]
        Predealt cards of each seat, in that order, by suit.
    free : ndarray of int64 [4]
        Cards of each suit that are not predealt.
    seats : int
        At most so many seats, 1 to 3. With 3 of 4, the lengths that are left to the fourth are looked at too.

    Returns
    -------
    Joint
    """
    shape = np.flatnonzero(table.counts_by_shape)
    rest = packed(free - (SHAPES[shape] - fixed[0]))
    options: list[Options] = []
    drawn = min(n_joint_seats([table.handset, *others]), seats - 1)
    if drawn == 2:
        wanted = SHAPES[others[0].shapes] - fixed[1]
        old, new, number = choices(unpacked(rest), wanted)
        left, taken = rest[old], packed(wanted)[new]
        options.append(single_options(left, taken, number))
        shape, rest = shape[old], left - taken  # suit by suit: no more is taken than there is
    if drawn:
        mate = (others[2], fixed[3]) if drawn == 2 and len(others) == 3 else None
        options.append(options_of(rest, others[drawn - 1], fixed[drawn], mate))
    return Joint.of(shape, table.counts_by_shape[shape], options)


def n_joint_seats(handsets: list[HandSet]) -> int:
    """Of how many seats after the first the lengths are drawn with it: 0, 1 or 2."""
    first, *others = handsets
    count = next(
        (place for place, handset in enumerate(others[:2]) if handset.shape_fraction > OPEN), len(others[:2])
    )
    many = count == 2 and len(first.shapes) * len(others[0].shapes) > MAX_CLASSES
    return 1 if many else count


def options_of(
    rest: np.ndarray, handset: HandSet, fixed: np.ndarray, mate: tuple[HandSet, np.ndarray] | None
) -> Options:
    """The lengths that a seat may get of what is left.

    Parameters
    ----------
    rest : ndarray of uint16 [classes]
        Free cards of each suit, packed.
    handset : HandSet
    fixed : ndarray of int64 [4]
        The seat's predealt cards by suit.
    mate : (HandSet, ndarray of int64 [4]) or None
        The seat that gets all other free cards, and its predealt ones.
    """
    wanted = SHAPES[handset.shapes] - fixed
    place = np.zeros(1 << 16, dtype=np.int64)
    place[rest] = 1
    left = np.flatnonzero(place).astype(np.uint16)
    place[left] = np.arange(len(left))
    state = place[rest]
    old, new, ways = choices(unpacked(left), wanted)
    taken = packed(wanted)[new]
    if mate is not None:
        possible = np.zeros(1 << 16, dtype=bool)
        possible[packed(SHAPES[mate[0].shapes])] = True
        good = np.flatnonzero(possible[left[old] - taken + packed(mate[1])])
        old, taken, ways = old[good], taken[good], ways[good]
    count = np.bincount(old, minlength=len(left))
    sums = np.append(0, np.cumsum(ways))
    ends = np.append(0, np.cumsum(count))
    totals = np.diff(sums[ends])
    begin = sums[:-1] - np.repeat(sums[ends[:-1]], count)
    nodes, guide = guide_of(count, totals, begin, begin + ways)
    begin, end = begin.astype(np.uint64), (begin + ways).astype(np.uint64)
    return Options(state, left, *bounded(totals), nodes, guide, begin, end, taken)


def single_options(left: np.ndarray, taken: np.ndarray, ways: np.ndarray) -> Options:
    """One choice of lengths for each class: packed, of these cards, in so many ways."""
    number = np.arange(len(ways), dtype=np.uint32)
    nodes = number.astype(np.uint64) << np.uint64(6) | np.uint64(63)
    begin, (totals, thresholds) = np.zeros(len(ways), np.uint64), bounded(ways)
    return Options(np.arange(len(ways)), left, totals, thresholds, nodes, number, begin, totals, taken)


def _weights(numbers: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Products of the numbers of each class (uint64), upper and lower 64 bits.

    The first number is below 2^49, the product of the others below C(39, 13) C(26, 13) < 2^57.
    """
    one, other = numbers[0], np.ones_like(numbers[0])
    for number in numbers[1:]:
        other *= number
    one_high, one_low, high, low = one >> _32, one & _LOW, other >> _32, other & _LOW
    middle = (one_low * low >> _32) + (one_low * high & _LOW) + (one_high * low & _LOW)
    upper = one_high * high + (one_low * high >> _32) + (one_high * low >> _32) + (middle >> _32)
    return upper, one * other


def choices(rest: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which lengths can be taken of which cards, and in how many ways.

    Parameters
    ----------
    rest : ndarray of int64 [n, 4]
        Cards of each suit, 0 to 13.
    wanted : ndarray of int64 [m, 4]
        Lengths, 0 to 13.

    Returns
    -------
    old, new : ndarray of int64 [k]
        Rows of `rest` and of `wanted` that go together.
    ways : ndarray of int64 [k], > 0

    Examples
    --------
    >>> found = choices(np.array([[7, 7, 6, 6]]), np.array([[8, 5, 0, 0], [4, 3, 3, 3]]))
    >>> [each.tolist() for each in found]
    [[0], [1], [490000]]
    """
    majors, minors = (
        _PAIRS[14 * rest[:, i] + rest[:, i + 1]][:, 14 * wanted[:, i] + wanted[:, i + 1]] for i in (0, 2)
    )
    ways = majors * minors
    old, new = np.nonzero(ways)
    return old, new, ways[old, new]


def make_draw(joint: Joint) -> Draw:
    """The draw of a class of `joint`."""
    upper, lower = joint.weights
    spare = max(0, joint.total.bit_length() - _BITS)
    units, partial = lower, np.ones_like(lower)
    if spare:
        whole = np.uint64(1 << spare)
        partial = ((lower - _1) & (whole - _1)) + _1
        units = (upper << np.uint64(64 - spare)) + (lower >> np.uint64(spare)) + (partial < whole)
    cumulative = np.zeros(len(units) + 1, dtype=np.uint64)
    np.cumsum(units, out=cumulative[1:])
    total = int(cumulative[-1])
    shift = max(0, total.bit_length() - len(units).bit_length() - 1)
    # a class has the multiples of 2^shift from its first unit on as its slots
    slots = np.diff((cumulative + np.uint64((1 << shift) - 1)) >> np.uint64(shift))
    guide = np.repeat(np.arange(len(units), dtype=np.uint32), slots.astype(np.int64))
    return Draw(
        np.uint64(total), np.uint64((1 << 64) % total), np.uint64(shift), np.uint64(spare),
        cumulative, partial, guide,
    )  # fmt: skip


def counts_of(free: int, needs: list[int]) -> int:
    """Ways to give seats so many of the free cards each, one after the other.

    >>> counts_of(52, [13, 13]) == comb(52, 13) * comb(39, 13)
    True
    """
    ways = 1
    for need in needs:
        ways *= comb(free, need)
        free -= need
    return ways
