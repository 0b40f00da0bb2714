"""Tables of the conditional sampler: the numbered hands of a set, and tests of hands.

The hands of a shape are numbered. The ways of a `HandTable` form a graph with a node for each state before a
suit: an entry of the node is a class of holdings in that suit, and refers to a node of the next suit. The
number of a hand selects one entry in each suit, and a holding of its class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.dealing.card_splits import BINOMIALS, SplitTable, build_split_table
from dealerkit.dealing.conditional.hand_sets import HOLDING_LENGTHS, MAX_CODES, HandSet
from dealerkit.dealing.conditional.hand_tables import HandTable, find_equal_suits

_N_HOLDINGS = BINOMIALS.reshape(14, 14)[13].astype(np.int64)  # of each length


class HandIndex(NamedTuple):
    """The hands of a `HandTable` by number.

    The columns of `entries` are: the end and the beginning of an entry's numbers within its node; the first
    holding of its class in `members` << 16 | the number of its holdings; and the node of the next suit. Nodes
    are encoded as by `build_guide`.
    """

    entries: np.ndarray  # uint64 [n, 4]
    guide: np.ndarray  # uint32 [slots]: entries
    members: np.ndarray  # uint16: holdings by class
    roots: np.ndarray  # uint64 [560 or 1834]: node of each shape
    lanes: np.ndarray  # uint32 [560 or 1834]: shifts of each shape's suits in their order, 8 bits each


def is_defined_by_lengths(hand_set: HandSet) -> bool:
    """Return whether the suit lengths of a hand of 13 cards are enough to know if it belongs to the set.

    >>> is_defined_by_lengths(HandSet.all_hands())
    True
    """
    counts = np.array([np.bincount(HOLDING_LENGTHS[suit], minlength=14) for suit in hand_set.holdings])
    all_or_none = ((counts == 0) | (counts == _N_HOLDINGS)).all()
    return bool(all_or_none) and hand_set.allowed.shape[1] == 1 and not hand_set.codes.any()


def build_hand_index(table: HandTable) -> HandIndex:
    """Return the hands of a table by number.

    A number below ``table.counts_by_shape[shape]`` starts at the shape's root. The entry that contains it is
    the class of the first suit (`HandTable.order`). Then the number minus the entry's beginning is divided by
    the size of the class: the remainder selects the holding, and the quotient is the number in the next node.
    """
    # The members of the classes of each suit; suits that share their classes share these.
    starts, offsets = [], {}
    members: list[np.ndarray] = []
    for classes in table.ordered:
        if id(classes) not in offsets:
            offsets[id(classes)] = sum(map(len, members))
            members.append(classes.members)
        starts.append(classes.start + offsets[id(classes)])
    # Nodes and entries from the last suit to the first: an entry contains the node of the next suit.
    nodes: list[np.ndarray] = [np.zeros((0, 0), dtype=np.int64)] * 4
    entries: list[np.ndarray] = []
    guides: list[np.ndarray] = []
    n_entries = n_slots = 0
    for suit in reversed(range(4)):
        level, classes = table.levels[suit], table.ordered[suit]
        n_columns = len(level.sums)
        nodes[suit] = np.zeros((len(level.keys), n_columns + 1), dtype=np.int64)
        parts = []  # ways above 0 of all parts, with their key, column and class
        for rows, class_numbers, weights in level.parts:
            flat = np.flatnonzero(weights)
            cell, place = np.divmod(flat, len(class_numbers))
            row, column = np.divmod(cell, n_columns)
            parts.append((rows[row], column, class_numbers[place], weights.ravel()[flat]))
        key, column, which, ways = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        # The entries of a node are adjacent. The running sum may overflow, but its differences in a node do
        # not.
        first = np.flatnonzero(np.diff(key * n_columns + column, prepend=-1))
        count, total = np.diff(first, append=len(key)), np.add.reduceat(ways, first)
        end = np.cumsum(ways)
        end -= np.repeat(end[first] - ways[first], count)
        begin = end - ways
        entry = np.zeros((len(which), 4), dtype=np.uint64)
        entry[:, 0], entry[:, 1] = end, begin
        entry[:, 2] = (starts[suit][:-1] << 16 | classes.sizes)[which]
        if suit < 3:
            following = table.levels[suit + 1]
            next_column = following.column[level.sums[column] + classes.code[which]]
            entry[:, 3] = nodes[suit + 1][following.key_of[level.keys[key]], next_column]
        own_nodes, guide = build_guide(count, total, begin, end, n_slots, n_entries)
        nodes[suit][key[first], column[first]] = own_nodes
        guides.append(guide)
        entries.append(entry)
        n_entries += len(entry)
        n_slots += len(guide)
    # The root of each shape, and the shifts of the suits in the order of the shape.
    roots = np.zeros(len(table.counts_by_shape), dtype=np.uint64)
    roots[table.possible] = nodes[0][table.levels[0].key_of, 0][table.kind]
    lanes = np.zeros(len(table.counts_by_shape), dtype=np.uint32)
    lanes[table.possible] = np.array(LANE_SHIFTS)[table.order] @ (1 << np.array([0, 8, 16, 24]))
    return HandIndex(np.concatenate(entries), np.concatenate(guides), np.concatenate(members), roots, lanes)


def build_open_split(n_cards: int, need: int) -> tuple[np.ndarray, SplitTable]:
    """Return the table for `need` of up to 39 cards, cut into three parts.

    Returns
    -------
    sizes : ndarray of uint64 [2]
        Sizes of the first two parts, of up to 13 cards each.
    split : SplitTable
    """
    sizes = (min(13, n_cards), min(13, max(0, n_cards - 13)), max(0, n_cards - 26))
    return np.array(sizes[:2], dtype=np.uint64), build_split_table(sizes, need, 10)


def build_membership_test(hand_set: HandSet, has_allowed_shape: bool) -> tuple[np.ndarray, ...] | None:
    """Return the arguments of `find_members` for a set, or None if its hands need no test.

    They need none if the set is defined by lengths and every hand dealt has an allowed shape. The arguments
    are the codes, int16 [4, 8192], -1 for holdings that are not allowed; the first suit with the same codes
    as each suit, int64 [4]; and the allowed pairs of shape and sum, bool [560, T].
    """
    if has_allowed_shape and is_defined_by_lengths(hand_set):
        return None
    codes = np.where(hand_set.holdings, np.minimum(hand_set.codes, MAX_CODES), -1).astype(np.int16)
    same_as = np.array(find_equal_suits(codes), dtype=np.int64)
    return codes, same_as, np.ascontiguousarray(hand_set.allowed)


def build_guide(
    count: np.ndarray,
    total: np.ndarray,
    begin: np.ndarray,
    end: np.ndarray,
    n_slots: int = 0,
    n_entries: int = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return tables that say where to begin the search for a number among the entries of its node.

    Parameters
    ----------
    count, total : ndarray of int64 [nodes]
        Number of entries of each node, which are adjacent, and the end of the last entry.
    begin, end : ndarray of int64 [entries]
        The first number of each entry, and the first after its numbers.
    n_slots, n_entries : int
        Number of slots and of entries that other tables have before these.

    Returns
    -------
    nodes : ndarray of uint64 [nodes]
        ``slot << 6 | shift``: the search for a number begins at ``guide[slot + (number >> shift)]``.
    guide : ndarray of uint32 [slots]
        Entries, each in about four slots.
    """
    # The exponents of the numbers as doubles are their numbers of bits.
    shift = np.maximum(np.frexp(total)[1] - np.frexp(count)[1] - 1, 0).astype(np.int64)
    size = -(-total >> shift)
    nodes = (n_slots + np.cumsum(size) - size) << 6 | shift
    own = np.repeat(shift, count)
    entries = np.arange(n_entries, n_entries + len(begin), dtype=np.uint32)
    return nodes.astype(np.uint64), np.repeat(entries, -(-end >> own) - -(-begin >> own))
