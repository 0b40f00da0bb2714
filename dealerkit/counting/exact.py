"""How many deals there are: exact counts for conditions on sums over suits.

The suits of a deal are independent but for the thirteen cards of each hand. So the ways to
share out one suit are listed (cards that no question tells apart are one heap), two and two
suits are joined, and the halves are matched. After each step, ways that no continuation tells
apart are merged: of two sums that both are too high already only one is kept, and of the
points of partners only their total. All numbers are integers; none is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from dealerkit.counting.suit_splits import FIELD, Layer, Question, Seats, TooManyStates, share_out
from dealerkit.dealing.predeal import Predeal

MOST_POINTS = 1 << 23  # values of what a question looks at
MOST_PAIRS = 1 << 25  # of partial deals that are joined: some seconds
MOST_CELLS = 1 << 26  # of a table of partial deals against their continuations: a second
MOST_MATCHES = 1 << 28  # of halves: some three seconds
_CHUNK = 1 << 21
_CARDS = (1 << FIELD) - 1


def count(questions: Sequence[Question], predeal: Predeal | None = None) -> dict[int, int]:
    """The number of deals for each outcome of the last question, all others being answered by 1 or more.

    Parameters
    ----------
    questions : sequence of Question
    predeal : Predeal, optional

    Returns
    -------
    dict of int to int
        Outcomes that occur; without a question, the number of all deals under 1.

    Raises
    ------
    TooManyStates
        The count would take more than the bounds of this module and of `sharing` allow.

    Examples
    --------
    Deals in which north has all the spades:

    >>> length = np.bitwise_count(np.arange(8192)).astype(np.int64)
    >>> count([Question({(0, 0): length}, lambda spades: spades == 13)])
    {1: 84478098072866400}
    >>> math.comb(39, 13) * math.comb(26, 13)
    84478098072866400
    """
    asked = [*questions] or [Question({}, np.ones_like)]
    who = Seats.of(asked, predeal or Predeal())
    layers = [share_out(suit, who, asked) for suit in who.order]
    outcomes = [_Outcomes(question, [layer.sums[i] for layer in layers]) for i, question in enumerate(asked)]
    layers = _all_reduced(layers, outcomes)
    suits = (layers[:2], layers[2:])
    pairs = max(len(one.ways) * len(two.ways) for one, two in suits)
    if pairs > MOST_PAIRS:
        raise TooManyStates(f"{pairs:,} ways to share out two suits are more than {MOST_PAIRS:,}")
    halves = _all_reduced([_joined(one, two, len(who.seats)) for one, two in suits], outcomes)
    return _matched(halves[0], halves[1], outcomes, who)


# ------------------------------------------------------------ merging what nothing tells apart
class _Outcomes:
    """A question's outcomes for all sums that its suits can make."""

    def __init__(self, question: Question, parts: Sequence[np.ndarray]) -> None:
        sums = np.zeros(1, np.int64)
        for part in parts:
            sums = _all_sums(sums, np.unique(part))
        outcomes = np.asarray(question.outcome(sums)).astype(np.int32)
        most, last = int(outcomes.max(initial=0)), int(sums.max(initial=0))
        self.kinds = 1 + most
        self.sums = sums
        self.outcomes = outcomes.astype(np.uint8) if most < 256 else outcomes
        self._dense: np.ndarray | None = None
        if last < MOST_CELLS:
            self._dense = np.zeros(last + 1, self.outcomes.dtype)
            self._dense[sums] = self.outcomes

    def table(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Outcomes of ``left + right``, uint8 or int32 [left, right]."""
        found = np.empty((len(left), len(right)), self.outcomes.dtype)
        step = max(1, _CHUNK // max(1, len(right)))
        for start in range(0, len(left), step):
            both = left[start : start + step, None] + right
            if self._dense is not None:
                found[start : start + step] = self._dense[both]
            else:
                found[start : start + step] = self.outcomes[np.searchsorted(self.sums, both)]
        return found


def _all_sums(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The sums of two sets, rising."""
    last = int(left.max(initial=0) + right.max(initial=0))
    if len(left) * len(right) <= MOST_POINTS:
        found = np.unique(left[:, None] + right[None, :])
    elif len(left) * len(right) <= MOST_CELLS and last < MOST_CELLS:
        reached = np.zeros(last + 1, bool)
        many, few = (left, right) if len(left) > len(right) else (right, left)
        for number in few.tolist():
            reached[many + number] = True
        found = np.flatnonzero(reached)
    else:
        raise TooManyStates("one clause looks at too many values together")
    if len(found) > MOST_POINTS:
        raise TooManyStates("one clause looks at too many values together")
    return found


def _all_reduced(layers: Sequence[Layer], outcomes: Sequence[_Outcomes]) -> list[Layer]:
    """Each layer reduced; nothing is left of any where one has nothing."""
    found = list(layers)
    for which in range(len(found)):
        if all(len(layer.ways) for layer in found):
            found[which] = _reduced(found, which, outcomes)
    some = all(len(layer.ways) for layer in found)
    return found if some else [layer.rows(slice(0)) for layer in found]


def _reduced(layers: Sequence[Layer], which: int, outcomes: Sequence[_Outcomes]) -> Layer:
    """A layer with one sum for all that no continuation tells apart, and without what none completes."""
    layer = layers[which]
    good = np.ones(len(layer.ways), bool)
    sums = []
    for number, known in enumerate(outcomes):
        own, position = np.unique(layer.sums[number], return_inverse=True)
        others = np.zeros(1, np.int64)
        for place, other in enumerate(layers):
            if place != which:
                others = _all_sums(others, np.unique(other.sums[number]))
        if len(own) * len(others) > MOST_CELLS:
            if len(layers) == 2:
                raise TooManyStates("one clause looks at too many values together")
            sums.append(layer.sums[number])  # it is merged when two suits are joined
            continue
        table = known.table(own, others)
        good &= np.any(table, axis=1)[position]
        rows = np.packbits(table, axis=1) if known.kinds <= 2 else table
        rows = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
        _, first, same = np.unique(rows, return_index=True, return_inverse=True)
        sums.append(own[first[same]][position])
    return Layer(layer.margin, sums, layer.ways).rows(good).merged()


# ------------------------------------------------------------ two suits
def _joined(first: Layer, second: Layer, seats: int) -> Layer:
    """All pairs of ways in two layers in which no seat has more than thirteen cards, equal ones together."""
    columns = [_Sums.of(*pair) for pair in zip(first.columns, second.columns, strict=True)]
    fits = np.ones(columns[0].table.shape, bool)
    for seat in range(seats):
        fits &= (columns[0].values[columns[0].table] >> FIELD * seat & _CARDS) <= 13
    room = math.prod(len(column.values) for column in columns)
    if room >= 1 << 62:
        raise TooManyStates("the values asked for together do not fit 62 bits")
    dense = np.zeros(room if room <= MOST_POINTS else 0)
    keys, ways = np.zeros(0, np.int64), np.zeros(0, np.int64)
    step = max(1, _CHUNK // max(1, len(second.ways)))
    for start in range(0, len(first.ways), step):
        rows = slice(start, start + step)
        key = np.zeros((len(first.ways[rows]), len(second.ways)), np.int64)
        for column in columns:
            key *= len(column.values)
            key += column.table[column.left[rows][:, None], column.right]
        number = first.ways[rows][:, None] * second.ways
        number *= fits[columns[0].left[rows][:, None], columns[0].right]
        if len(dense):
            dense += np.bincount(key.ravel(), number.ravel(), room)
            continue
        new_keys, new_ways = _added(key.ravel(), number.ravel())
        keys, ways = _added(np.concatenate([keys, new_keys]), np.concatenate([ways, new_ways]))
    if len(dense):
        keys = np.flatnonzero(dense)
        ways = dense[keys].astype(np.int64)
    values: list[np.ndarray] = []
    for column in columns[::-1]:
        values.append(column.values[keys % len(column.values)])
        keys //= len(column.values)
    margin, *sums = values[::-1]
    return Layer(margin, sums, ways)


def _added(key: np.ndarray, ways: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct keys, rising, and the sum of the ways of each; keys without any are left out."""
    some = np.flatnonzero(ways)
    order = some[np.argsort(key[some])]
    if not len(order):
        return key[:0], ways[:0]
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    return key[order[starts]], np.add.reduceat(ways[order], starts)


class _Sums(NamedTuple):
    """Sums of the entries of two columns: ``values[table[left[i], right[j]]]``."""

    values: np.ndarray
    table: np.ndarray
    left: np.ndarray
    right: np.ndarray

    @classmethod
    def of(cls, first: np.ndarray, second: np.ndarray) -> _Sums:
        one, left = np.unique(first, return_inverse=True)
        two, right = np.unique(second, return_inverse=True)
        if len(one) * len(two) > MOST_POINTS:
            raise TooManyStates("one clause looks at too many values together")
        values, table = np.unique(one[:, None] + two, return_inverse=True)
        return cls(values, table.reshape(len(one), len(two)), left, right)


# ------------------------------------------------------------ both halves of the deal
def _matched(first: Layer, second: Layer, outcomes: Sequence[_Outcomes], who: Seats) -> dict[int, int]:
    """Deals by outcome of the last question: pairs of halves in which every seat has thirteen cards."""
    pairs = list(_pairs(first.margin, second.margin, who))
    if sum(len(rows) * len(others) for rows, others, _ in pairs) > MOST_MATCHES:
        raise TooManyStates("there are too many pairs of half deals")
    tables, places = [], []
    for number, known in enumerate(outcomes):
        left, at = np.unique(first.sums[number], return_inverse=True)
        right, of = np.unique(second.sums[number], return_inverse=True)
        tables.append(known.table(left, right))
        places.append((at, of))
    kinds = outcomes[-1].kinds
    total = np.zeros(kinds, object)
    for every, others, heap in pairs:
        step = max(1, _CHUNK // len(others))
        for start in range(0, len(every), step):
            rows = every[start : start + step]
            result = tables[-1][places[-1][0][rows][:, None], places[-1][1][others]].astype(np.int64)
            for table, (at, of) in zip(tables[:-1], places[:-1], strict=True):
                result *= table[at[rows][:, None], of[others]] > 0
            result += np.arange(len(rows))[:, None] * kinds
            weights = np.broadcast_to(second.ways[others], result.shape).ravel()
            by_kind = np.bincount(result.ravel(), weights, len(rows) * kinds).astype(np.int64)
            total += heap * (first.ways[rows].astype(object) @ by_kind.reshape(-1, kinds).astype(object))
    return {kind: int(ways) * who.others for kind, ways in enumerate(total) if kind and ways}


def _pairs(first: np.ndarray, second: np.ndarray, who: Seats) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """Rows of both halves that make deals together, and the ways to deal the heap then."""
    whole = (1 << FIELD * who.whole) - 1
    full = sum(13 << FIELD * place for place in range(who.whole))
    groups: dict[int, list[tuple[int, np.ndarray]]] = {}
    for margin, rows in _groups(second):
        groups.setdefault(margin & whole, []).append((margin, rows))
    for margin, rows in _groups(first):
        for other, others in groups.get(full - (margin & whole), ()):
            heap = who.ways(margin + other)
            if heap:
                yield rows, others, heap


def _groups(margin: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Rows by the number of cards."""
    order = np.argsort(margin, kind="stable")
    values, starts = np.unique(margin[order], return_index=True)
    return zip(values.tolist(), np.split(order, starts[1:])[: len(values)], strict=True)
