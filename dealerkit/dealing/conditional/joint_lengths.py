"""The suit lengths that the conditional sampler samples jointly: of the first seat and of those after it.

A `HandTable` counts the first seat's hands of each shape. The number of ways to give the next seat certain
lengths of the remaining cards is a product of binomial coefficients; it does not depend on which cards the
first seat has. So there is a class for each shape of the first seat (with three joint seats, for each
combination with the lengths of the second), and its weight is its exact number of deals. The last joint seat
adds no classes: a rank below the number of ways determines both its lengths and its cards (`LengthOptions`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dealerkit.dealing.card_splits import BINOMIALS, bound_ranks
from dealerkit.dealing.conditional.hand_sets import SHAPES, HandSet, pack_lengths, unpack_lengths
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.dealing.conditional.lookup_tables import build_guide

MAX_CLASSES = 1 << 17  # pairs of shapes of two seats; with more pairs, one seat fewer is sampled jointly
MAX_SHAPE_FRACTION = 0.8  # a seat is not a joint seat if more than this part of all hands have its shapes
RANK_BITS = 62
_BINOMIALS = BINOMIALS.reshape(14, 14).astype(np.int64)  # comb(n, k), 0 for k > n
_PAIRS = np.kron(_BINOMIALS, _BINOMIALS)  # of two suits: 14 * n + n' cards, 14 * k + k' of them
_1, _32, _LOW = (np.uint64(i) for i in (1, 32, 0xFFFFFFFF))


class LengthOptions(NamedTuple):
    """The lengths that a joint seat may get, for `sample_with_lengths`.

    They depend on the state, which is the number of free cards of each suit that remain when the seat is
    dealt. Lengths of four suits have four bits each, clubs lowest.
    """

    state: np.ndarray  # int64 [classes]: state of each class
    remaining: np.ndarray  # uint16 [states]: free cards of each suit
    totals: np.ndarray  # uint64 [states]: number of ways to choose the seat's cards
    thresholds: np.ndarray  # uint64 [states]: 2^64 modulo the totals
    nodes: np.ndarray  # uint64 [states]: see `lookup_tables.build_guide`
    guide: np.ndarray  # uint32 [slots]: options
    begin: np.ndarray  # uint64 [options]: the first of the ranks of these lengths
    end: np.ndarray  # uint64 [options]
    taken: np.ndarray  # uint16 [options]: free cards of each suit that the seat gets


class LengthClasses(NamedTuple):
    """Classes of the lengths of the joint seats."""

    shape: np.ndarray  # int64 [classes]: index of the first seat's (or the side's) shape
    ways: np.ndarray  # int64 [classes]: hands of that shape
    options: list[LengthOptions]  # of the joint seats after the first
    weights: tuple[np.ndarray, np.ndarray]  # numbers of deals: upper and lower 64 bits, uint64 [classes]

    @classmethod
    def weigh(cls, shape: np.ndarray, ways: np.ndarray, options: list[LengthOptions]) -> LengthClasses:
        """Return the classes that at least one deal belongs to, with their weights."""
        counts = [ways.astype(np.uint64), *(option.totals[option.state] for option in options)]
        possible = np.flatnonzero(np.all(counts, axis=0))
        options = [option._replace(state=option.state[possible]) for option in options]
        weights = multiply_counts([count[possible] for count in counts])
        return cls(shape[possible], ways[possible], options, weights)

    @property
    def total(self) -> int:
        """Number of ways to give these seats their cards."""
        upper, lower = self.weights
        return (
            (int(upper.sum()) << 64) + (int((lower >> _32).sum()) << 32) + int((lower & _LOW).sum())
        )  # fmt: skip


class ClassTable(NamedTuple):
    """Classes with weights of any size, for picking one by a rank of `RANK_BITS` bits.

    Class c has ceil(weight / 2^spare) units of the rank. Its last unit is accepted with probability
    `partial[c]` / 2^spare; otherwise another rank is generated.
    """

    total: np.uint64  # units
    threshold: np.uint64  # 2^64 mod total
    shift: np.uint64
    spare: np.uint64
    cumulative: np.ndarray  # uint64 [classes + 1]: units
    partial: np.ndarray  # uint64 [classes]
    guide: np.ndarray  # uint32: class of the rank (index << shift)


def build_length_classes(
    table: HandTable, others: list[HandSet], fixed: np.ndarray, free: np.ndarray, max_seats: int
) -> LengthClasses:
    """Return the classes of lengths of the first seat and of the other joint seats.

    Parameters
    ----------
    table : HandTable
        Table of the first seat.
    others : list of HandSet
        Sets of the other seats that have one, in the order of dealing.
    fixed : ndarray of int64 [4, 4]
        Number of predealt cards of each seat, in that order, by suit.
    free : ndarray of int64 [4]
        Cards of each suit that are not predealt.
    max_seats : int
        Maximum number of joint seats, 1 to 3. With 3 joint seats of 4, only lengths that leave the fourth
        an allowed shape are kept.
    """
    shape = np.flatnonzero(table.counts_by_shape)
    remaining = pack_lengths(free - (SHAPES[shape] - fixed[0]))
    options: list[LengthOptions] = []
    n_after = min(n_joint_seats([table.hand_set, *others]), max_seats - 1)
    if n_after == 2:
        lengths = SHAPES[others[0].shapes] - fixed[1]
        row, choice, ways = match_lengths(unpack_lengths(remaining), lengths)
        before, taken = remaining[row], pack_lengths(lengths)[choice]
        options.append(list_single_options(before, taken, ways))
        shape, remaining = shape[row], before - taken  # no suit borrows from the next: taken <= before
    if n_after:
        last = (others[2], fixed[3]) if n_after == 2 and len(others) == 3 else None
        options.append(list_length_options(remaining, others[n_after - 1], fixed[n_after], last))
    return LengthClasses.weigh(shape, table.counts_by_shape[shape], options)


def n_joint_seats(hand_sets: list[HandSet]) -> int:
    """Return how many seats after the first have their lengths sampled jointly with it: 0, 1 or 2."""
    first, *others = hand_sets
    is_joint = [hand_set.shape_fraction <= MAX_SHAPE_FRACTION for hand_set in others[:2]]
    count = [*is_joint, False].index(False)
    return 1 if count == 2 and len(first.shapes) * len(others[0].shapes) > MAX_CLASSES else count


def list_length_options(
    remaining: np.ndarray, hand_set: HandSet, fixed: np.ndarray, last: tuple[HandSet, np.ndarray] | None
) -> LengthOptions:
    """Return the lengths that a seat may get from the remaining cards.

    Parameters
    ----------
    remaining : ndarray of uint16 [classes]
        Free cards of each suit, packed.
    hand_set : HandSet
    fixed : ndarray of int64 [4]
        Number of the seat's predealt cards by suit.
    last : (HandSet, ndarray of int64 [4]) or None
        Set and predealt cards of the seat that gets all other free cards.
    """
    # The distinct remaining lengths are states; for each, the lengths that the seat may take of them.
    lengths = SHAPES[hand_set.shapes] - fixed
    state_of = np.zeros(1 << 16, dtype=np.int64)
    state_of[remaining] = 1
    states = np.flatnonzero(state_of).astype(np.uint16)
    state_of[states] = np.arange(len(states))
    row, choice, ways = match_lengths(unpack_lengths(states), lengths)
    taken = pack_lengths(lengths)[choice]
    # What is left must be a shape that the last seat may have.
    if last is not None:
        is_allowed = np.zeros(1 << 16, dtype=bool)
        is_allowed[pack_lengths(SHAPES[last[0].shapes])] = True
        possible = np.flatnonzero(is_allowed[states[row] - taken + pack_lengths(last[1])])
        row, taken, ways = row[possible], taken[possible], ways[possible]
    # The options of a state are adjacent; each begins at the sum of the ways of those before it.
    count = np.bincount(row, minlength=len(states))
    sums = np.append(0, np.cumsum(ways))
    ends = np.append(0, np.cumsum(count))
    totals = np.diff(sums[ends])
    begin = sums[:-1] - np.repeat(sums[ends[:-1]], count)
    nodes, guide = build_guide(count, totals, begin, begin + ways)
    begin, end = begin.astype(np.uint64), (begin + ways).astype(np.uint64)
    return LengthOptions(
        state_of[remaining], states, *bound_ranks(totals), nodes, guide, begin, end, taken
    )  # fmt: skip


def list_single_options(remaining: np.ndarray, taken: np.ndarray, ways: np.ndarray) -> LengthOptions:
    """Return options with a single choice for each class: `taken` of `remaining` cards, in `ways` ways."""
    number = np.arange(len(ways), dtype=np.uint32)
    nodes = number.astype(np.uint64) << np.uint64(6) | np.uint64(63)
    begin, (totals, thresholds) = np.zeros(len(ways), np.uint64), bound_ranks(ways)
    return LengthOptions(
        np.arange(len(ways)), remaining, totals, thresholds, nodes, number, begin, totals, taken
    )  # fmt: skip


def multiply_counts(counts: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the products of the counts of each class (uint64), as upper and lower 64 bits.

    The first count is below 2^49, the product of the others below C(39, 13) C(26, 13) < 2^57.
    """
    first, rest = counts[0], np.ones_like(counts[0])
    for count in counts[1:]:
        rest *= count
    first_high, first_low, high, low = first >> _32, first & _LOW, rest >> _32, rest & _LOW
    middle = (first_low * low >> _32) + (first_low * high & _LOW) + (first_high * low & _LOW)
    upper = first_high * high + (first_low * high >> _32) + (first_high * low >> _32) + (middle >> _32)
    return upper, first * rest


def match_lengths(remaining: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return which lengths can be taken of which remaining cards, and in how many ways.

    Parameters
    ----------
    remaining : ndarray of int64 [n, 4]
        Cards of each suit, 0 to 13.
    lengths : ndarray of int64 [m, 4]
        0 to 13.

    Returns
    -------
    row, choice : ndarray of int64 [k]
        Rows of `remaining` and of `lengths` that are possible together.
    ways : ndarray of int64 [k], > 0

    Examples
    --------
    >>> matches = match_lengths(np.array([[7, 7, 6, 6]]), np.array([[8, 5, 0, 0], [4, 3, 3, 3]]))
    >>> [array.tolist() for array in matches]
    [[0], [1], [490000]]
    """
    majors, minors = (
        _PAIRS[14 * remaining[:, i] + remaining[:, i + 1]][:, 14 * lengths[:, i] + lengths[:, i + 1]]
        for i in (0, 2)
    )
    ways = majors * minors
    row, choice = np.nonzero(ways)
    return row, choice, ways[row, choice]


def build_class_table(classes: LengthClasses) -> ClassTable:
    """Return the table for picking one of the classes by its weight."""
    upper, lower = classes.weights
    spare = max(0, classes.total.bit_length() - RANK_BITS)
    units, partial = lower, np.ones_like(lower)
    if spare:
        whole = np.uint64(1 << spare)
        partial = ((lower - _1) & (whole - _1)) + _1
        units = (upper << np.uint64(64 - spare)) + (lower >> np.uint64(spare)) + (partial < whole)
    cumulative = np.zeros(len(units) + 1, dtype=np.uint64)
    np.cumsum(units, out=cumulative[1:])
    total = int(cumulative[-1])
    shift = max(0, total.bit_length() - len(units).bit_length() - 1)
    # The slots of a class are the multiples of 2^shift among its units.
    slots = np.diff((cumulative + np.uint64((1 << shift) - 1)) >> np.uint64(shift))
    guide = np.repeat(np.arange(len(units), dtype=np.uint32), slots.astype(np.int64))
    return ClassTable(
        np.uint64(total), np.uint64((1 << 64) % total), np.uint64(shift), np.uint64(spare),
        cumulative, partial, guide,
    )  # fmt: skip
