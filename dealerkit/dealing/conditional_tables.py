"""What the conditional sampler draws from: joint lengths of the seats, and hands by number.

**Lengths.** Given the lengths of the first seat's suits there are as many hands as its
`HandTable` says; given the cards that are left in each suit, the next seat gets certain
lengths in a product of binomial coefficients of ways, whatever the first one's cards
are. So the lengths of up to three seats are drawn together, each class of them with the
exact number of its deals as weight.

**Hands.** The hands of a shape are numbered: the ways of a `HandTable` make a graph with
an entry for each class of the first suit drawn, from which one goes on to the entries of the
next. A number below the number of hands is led through it, suit by suit.
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.dealing.handset_shapes import HOLDING_LENGTHS, SHAPES
from dealerkit.dealing.handsets import MAX_CODES, HandSet
from dealerkit.dealing.handtables import HandTable
from dealerkit.dealing.splits import CHOOSE, Table
from dealerkit.dealing.splits import table as split_table

MAX_CLASSES = 1 << 16  # joint lengths of the seats; with more, fewer seats' lengths are drawn exactly
OPEN = 0.8  # a seat of which so many hands have a possible shape: its lengths are left to chance
_MAX_LOOKS = 1 << 20  # pairs of shapes that are tried
_BITS = 62  # of a rank
_CHOOSE = CHOOSE.reshape(14, 14).astype(np.int64)  # comb(n, k), 0 where k > n
_1, _32, _LOW = (np.uint64(i) for i in (1, 32, 0xFFFFFFFF))


class Joint(NamedTuple):
    """Classes of lengths of the seats whose lengths are drawn together.

    Lengths of the four suits are packed, four bits each, clubs lowest.
    """

    shape: np.ndarray  # int64 [classes]: index of the first seat's shape
    taken: list[np.ndarray]  # by seat, uint16 [classes]: free cards of each suit that the seat gets
    left: list[np.ndarray]  # by seat, uint16 [classes]: free cards of each suit when it is dealt
    ways: list[np.ndarray]  # by seat, int64 [classes]: ways to choose its cards
    weights: tuple[np.ndarray, np.ndarray]  # products of the ways: upper and lower 64 bits, uint64 [classes]

    @classmethod
    def of(
        cls, shape: np.ndarray, taken: list[np.ndarray], left: list[np.ndarray], ways: list[np.ndarray]
    ) -> Joint:
        """These classes with their weights."""
        return cls(shape, taken, left, ways, _weights(ways))

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
    guide: np.ndarray  # uint16: class of the rank (index << shift)


class Graph(NamedTuple):
    """The hands of a `HandTable` by number.

    A node is ``place << 6 | shift``: the search for a number among the entries of the node begins
    at ``guide[place + (number >> shift)]``.
    """

    entries: np.ndarray  # uint64 [n, 4]: end and beginning of its numbers, place << 16 | count, next node
    guide: np.ndarray  # uint32: entries
    members: np.ndarray  # uint16: holdings by class
    roots: np.ndarray  # uint64 [560 or 1834]: node of each shape
    lanes: np.ndarray  # uint32 [560 or 1834]: shifts of the suits of each shape in their order, 8 bits each


def told_by_lengths(handset: HandSet) -> bool:
    """Do the lengths of its suits alone tell whether a hand of 13 cards belongs to the set?

    >>> told_by_lengths(HandSet.every())
    True
    """
    held = np.array([np.bincount(HOLDING_LENGTHS[suit], minlength=14) for suit in handset.holdings])
    whole = ((held == 0) | (held == _CHOOSE[13])).all()
    return bool(whole) and handset.allowed.shape[1] == 1 and not handset.codes.any()


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
    shape = np.flatnonzero(table.by_shape)
    wanted = SHAPES[shape] - fixed[0]
    rest = free - wanted
    taken, left = [packed(wanted)], [np.full(len(shape), packed(free), dtype=np.uint16)]
    ways = [table.by_shape[shape]]
    for place, handset in enumerate(others[: seats - 1], 1):
        if handset.openness > OPEN:
            break
        wanted = SHAPES[handset.shapes] - fixed[place]
        if len(rest) * len(wanted) > _MAX_LOOKS:
            break
        old, new, number = choices(rest, wanted)
        chosen, pool = packed(wanted)[new], packed(rest)[old]
        if place == 2 and len(others) == 3:
            possible = np.zeros(1 << 16, dtype=bool)
            possible[packed(SHAPES[others[2].shapes])] = True
            good = np.flatnonzero(possible[pool - chosen + packed(fixed[3])])
            old, new, chosen, pool, number = (each[good] for each in (old, new, chosen, pool, number))
        if len(old) > MAX_CLASSES:
            break
        shape = shape[old]
        taken, left = [*(each[old] for each in taken), chosen], [*(each[old] for each in left), pool]
        ways = [*(each[old] for each in ways), number]
        rest = rest[old] - wanted[new]
    return Joint.of(shape, taken, left, ways)


def packed(lengths: np.ndarray) -> np.ndarray:
    """Lengths S H D C of the last axis in 16 bits, clubs lowest."""
    s, h, d, c = np.moveaxis(lengths.astype(np.uint16), -1, 0)
    return s << 12 | h << 8 | d << 4 | c


def _weights(ways: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Products of the numbers of each class, upper and lower 64 bits.

    The first number is below 2^49, the product of the others below C(39, 13) C(26, 13) < 2^57.
    """
    one = ways[0].astype(np.uint64)
    other = np.ones_like(one)
    for number in ways[1:]:
        other *= number.astype(np.uint64)
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
    ways = np.ones((len(rest), len(wanted)), dtype=np.int64)
    for suit in range(4):
        ways *= _CHOOSE[rest[:, suit]][:, wanted[:, suit]]
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
    guide = np.repeat(np.arange(len(units), dtype=np.uint16), slots.astype(np.int64))
    return Draw(
        np.uint64(total), np.uint64((1 << 64) % total), np.uint64(shift), np.uint64(spare),
        cumulative, partial, guide,
    )  # fmt: skip


def make_graph(table: HandTable) -> Graph:
    """The hands of a table by number.

    A number below ``table.by_shape[shape]`` begins at the shape's root. The entry it falls in says
    the class of the first suit (`HandTable.order`): the number less the entry's beginning has the holding
    as remainder by the size of the class, and as quotient the number in the next suit's node; and so on.
    """
    starts, places = [], {}
    members: list[np.ndarray] = []
    for kinds in table.ordered:
        if id(kinds) not in places:
            places[id(kinds)] = sum(map(len, members))
            members.append(kinds.members)
        starts.append(kinds.start + places[id(kinds)])
    nodes: list[np.ndarray] = [np.zeros((0, 0), dtype=np.int64)] * 4
    entries: list[np.ndarray] = []
    guides: list[np.ndarray] = []
    size = slots = 0
    for suit in reversed(range(4)):
        level, kinds = table.levels[suit], table.ordered[suit]
        columns = len(level.sums)
        nodes[suit] = np.zeros((len(level.keys), columns + 1), dtype=np.int64)
        found = []  # ways above 0 of all parts, with their key, column and class
        for mine, classes, weights in level.parts:
            flat = np.flatnonzero(weights)
            cell, place = np.divmod(flat, len(classes))
            row, column = np.divmod(cell, columns)
            found.append((mine[row], column, classes[place], weights.ravel()[flat]))
        key, column, which, ways = (np.concatenate(each) for each in zip(*found, strict=True))
        # entries of a node stand together; the running sum may wrap, its differences within a node do not
        first = np.flatnonzero(np.diff(key * columns + column, prepend=-1))
        count, total = np.diff(first, append=len(key)), np.add.reduceat(ways, first)
        end = np.cumsum(ways)
        end -= np.repeat(end[first] - ways[first], count)
        begin = end - ways
        entry = np.zeros((len(which), 4), dtype=np.uint64)
        entry[:, 0], entry[:, 1] = end, begin
        entry[:, 2] = (starts[suit][:-1] << 16 | kinds.sizes)[which]
        if suit < 3:
            following = table.levels[suit + 1]
            then = following.column[level.sums[column] + kinds.code[which]]
            entry[:, 3] = nodes[suit + 1][following.key_of[level.keys[key]], then]
        # about four slots of the guide for each entry: the exponents are those of the numbers, as doubles
        shift = np.maximum(np.frexp(total)[1] - np.frexp(count)[1] - 1, 0).astype(np.int64)
        number = -(-total >> shift)
        nodes[suit][key[first], column[first]] = (slots + np.cumsum(number) - number) << 6 | shift
        own = np.repeat(shift, count)
        numbers = np.arange(size, size + len(entry), dtype=np.uint32)
        guides.append(np.repeat(numbers, -(-end >> own) - -(-begin >> own)))
        entries.append(entry)
        size += len(entry)
        slots += int(number.sum())
    roots = np.zeros(len(table.by_shape), dtype=np.uint64)
    roots[table.live] = nodes[0][table.levels[0].key_of, 0][table.kind]
    lanes = np.zeros(len(table.by_shape), dtype=np.uint32)
    lanes[table.live] = np.array(LANE_SHIFTS)[table.order] @ (1 << np.array([0, 8, 16, 24]))
    return Graph(np.concatenate(entries), np.concatenate(guides), np.concatenate(members), roots, lanes)


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


def heap_of(cards: int, need: int) -> tuple[np.ndarray, Table]:
    """Arguments of `draw_any` for so many of up to 39 cards."""
    sizes = (min(13, cards), min(13, max(0, cards - 13)), max(0, cards - 26))
    return np.array(sizes[:2], dtype=np.uint64), split_table(sizes, need, 10)


def bounded(totals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of ranks, and 2^64 modulo each."""
    bounds = totals.astype(np.uint64)
    return bounds, (np.uint64(0) - bounds) % bounds


def membership_of(handset: HandSet, known: bool) -> tuple[np.ndarray, ...] | None:
    """Arguments of `find_members`; None where the lengths tell, and are `known` to be right."""
    if known and told_by_lengths(handset):
        return None
    codes = np.where(handset.holdings, np.minimum(handset.codes, MAX_CODES), -1).astype(np.int16)
    same = [
        next(other for other in range(4) if np.array_equal(codes[suit], codes[other])) for suit in range(4)
    ]
    return codes, np.array(same, dtype=np.int64), np.ascontiguousarray(handset.allowed)
