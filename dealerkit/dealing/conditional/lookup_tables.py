"""What the conditional sampler draws hands from: hands by number, and tests of hands.

The hands of a shape are numbered: the ways of a `HandTable` make a graph with an entry for each class
of the first suit drawn, from which one goes on to the entries of the next. A number below the number of
hands is led through it, suit by suit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.dealing.card_splits import BINOMIALS, SplitTable, build_split_table
from dealerkit.dealing.conditional.hand_set_shapes import HOLDING_LENGTHS
from dealerkit.dealing.conditional.hand_sets import MAX_CODES, HandSet
from dealerkit.dealing.conditional.hand_tables import HandTable

_CHOSEN = BINOMIALS.reshape(14, 14)[13].astype(np.int64)  # holdings of each length


class Graph(NamedTuple):
    """The hands of a `HandTable` by number.

    Nodes are those of `guide_of`.
    """

    entries: np.ndarray  # uint64 [n, 4]: end and beginning of its numbers, place << 16 | count, next node
    guide: np.ndarray  # uint32: entries
    members: np.ndarray  # uint16: holdings by class
    roots: np.ndarray  # uint64 [560 or 1834]: node of each shape
    lanes: np.ndarray  # uint32 [560 or 1834]: shifts of the suits of each shape in their order, 8 bits each


def told_by_lengths(handset: HandSet) -> bool:
    """Do the lengths of its suits alone tell whether a hand of 13 cards belongs to the set?

    >>> told_by_lengths(HandSet.all_hands())
    True
    """
    held = np.array([np.bincount(HOLDING_LENGTHS[suit], minlength=14) for suit in handset.holdings])
    whole = ((held == 0) | (held == _CHOSEN)).all()
    return bool(whole) and handset.allowed.shape[1] == 1 and not handset.codes.any()


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
        codes, guide = guide_of(count, total, begin, end, slots, size)
        nodes[suit][key[first], column[first]] = codes
        guides.append(guide)
        entries.append(entry)
        size += len(entry)
        slots += len(guide)
    roots = np.zeros(len(table.counts_by_shape), dtype=np.uint64)
    roots[table.live] = nodes[0][table.levels[0].key_of, 0][table.kind]
    lanes = np.zeros(len(table.counts_by_shape), dtype=np.uint32)
    lanes[table.live] = np.array(LANE_SHIFTS)[table.order] @ (1 << np.array([0, 8, 16, 24]))
    return Graph(np.concatenate(entries), np.concatenate(guides), np.concatenate(members), roots, lanes)


def heap_of(cards: int, need: int) -> tuple[np.ndarray, SplitTable]:
    """Arguments of `draw_any` for so many of up to 39 cards."""
    sizes = (min(13, cards), min(13, max(0, cards - 13)), max(0, cards - 26))
    return np.array(sizes[:2], dtype=np.uint64), build_split_table(sizes, need, 10)


def bounded(totals: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of ranks, and 2^64 modulo each (0 where nothing can be drawn)."""
    bounds = totals.astype(np.uint64)
    return bounds, (np.uint64(0) - bounds) % np.maximum(bounds, np.uint64(1))


def membership_of(handset: HandSet, known: bool) -> tuple[np.ndarray, ...] | None:
    """Arguments of `find_members`; None where the lengths tell, and are `known` to be right."""
    if known and told_by_lengths(handset):
        return None
    codes = np.where(handset.holdings, np.minimum(handset.codes, MAX_CODES), -1).astype(np.int16)
    same = [
        next(other for other in range(4) if np.array_equal(codes[suit], codes[other])) for suit in range(4)
    ]
    return codes, np.array(same, dtype=np.int64), np.ascontiguousarray(handset.allowed)


def guide_of(
    count: np.ndarray, total: np.ndarray, begin: np.ndarray, end: np.ndarray, slots: int = 0, first: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Where the search for a number among the entries of its node begins.

    Parameters
    ----------
    count, total : ndarray of int64 [nodes]
        Entries of each node, which stand together, and the end of the last.
    begin, end : ndarray of int64 [entries]
        The numbers of each entry.
    slots, first : int
        How many slots and entries there are before these.

    Returns
    -------
    nodes : ndarray of uint64 [nodes]
        ``place << 6 | shift``: the search for a number begins at ``guide[place + (number >> shift)]``.
    guide : ndarray of uint32
        Entries, about four slots for each.
    """
    # the exponents are those of the numbers, as doubles
    shift = np.maximum(np.frexp(total)[1] - np.frexp(count)[1] - 1, 0).astype(np.int64)
    number = -(-total >> shift)
    nodes = (slots + np.cumsum(number) - number) << 6 | shift
    own = np.repeat(shift, count)
    entries = np.arange(first, first + len(begin), dtype=np.uint32)
    return nodes.astype(np.uint64), np.repeat(entries, -(-end >> own) - -(-begin >> own))
