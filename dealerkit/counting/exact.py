"""Exact numbers of deals, for conditions on sums over suits.

The suits of a deal are independent except that each hand has thirteen cards. So the ways to split each suit
among the seats are enumerated (`suit_splits`). The splits of two suits are joined to half deals, those of the
other two suits as well, and the half deals are matched in pairs. After each step, rows are merged if they
have the same class whatever the remaining suits add: for example all sums that are already too high, or
points of partners with the same total. All numbers are integers, and none is rounded.

`count_share` counts only if this costs no more than a budget: `probability` may count for seconds, while
`explain` and the reports of a run use a share only if it is counted quickly. The cost of a count is estimated
from its size. No clock is read, so the result for a script is always the same.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from dealerkit.compiler.graph import OperationGraph
from dealerkit.counting.features import NotAdditive, check_number, classify_clauses, map_features
from dealerkit.counting.suit_splits import (
    FIELD,
    SplitScheme,
    SuitSplits,
    SumClassifier,
    TooManyStates,
    enumerate_splits,
)
from dealerkit.counting.suit_sums import SuitSums
from dealerkit.counting.totals import exclude_each_other
from dealerkit.dealing.predeal import Predeal
from dealerkit.distinct import list_distinct
from dealerkit.runtime.process import ForkSafeLock

MAX_SUMS = 1 << 23  # values of one sum
MAX_PAIRS = 1 << 25  # pairs of splits of two suits, which take some seconds
MAX_CELLS = 1 << 26  # cells of a table of sums by sums of the remaining suits, which take a second
MAX_MATCHES = 1 << 28  # pairs of half deals, which take about three seconds
MAX_ROWS = 1 << 11  # rows of a half that are processed at once
_CLASS_PAIRS = 1  # number of pairs that take as long as to add up one class for a half
_CHUNK = 1 << 21  # cells computed at once
# Costs in nanoseconds of processor time, measured on conditions about one to four hands.
_BASE_NS = (8e6, 9e6, 4e7, 3e8, 3e8)  # of a count, by the number of seats
MIN_COUNT_NS = _BASE_NS[0]  # with a smaller budget, nothing is counted
_PAIR_NS = 18.0  # of joining a pair of splits
_SUM_NS = 30.0  # of adding a pair of values to list all sums of a clause
_CLASS_NS = 400.0  # of the class of a sum
_CELL_NS, _SEARCHED_NS = 3.0, 40.0  # of the class of two parts of a sum, read from a table or searched
BUDGET_NS = 5e8  # budget of the counts for `explain` and reports
MAX_KEPT = 256  # counts whose results are cached
MAX_CLAUSES = 200  # the sums of this many clauses can be tabulated within the budget
_OVER_BUDGET = "an exact count would take too long"
_CARDS = (1 << FIELD) - 1
_TOO_MANY_SUMS = "a clause depends on a sum with too many values"
_lock = ForkSafeLock()
cached_counts: OrderedDict[object, dict[int, int]] = OrderedDict()  # results by scheme and digest


def count_deals(
    classifiers: Sequence[SumClassifier], predeal: Predeal | None = None, budget_ns: float = math.inf
) -> dict[int, int]:
    """Return the number of deals in each class of the last classifier.

    Parameters
    ----------
    classifiers : sequence of SumClassifier
        Deals in class 0 of any classifier are not counted. Without classifiers, all deals are in class 1.
    predeal : Predeal, optional
    budget_ns : float
        Maximum cost in nanoseconds of processor time, which is estimated from the size of the count.

    Returns
    -------
    dict of int to int
        Class to its exact number of deals; classes without deals are omitted.

    Raises
    ------
    TooManyStates
        The cost exceeds the budget, or the count exceeds a bound of this module or of `suit_splits`. So no
        count takes more than some seconds.

    Examples
    --------
    Deals in which north has all the spades:

    >>> length = np.bitwise_count(np.arange(8192)).astype(np.int64)
    >>> count_deals([SumClassifier({(0, 0): length}, lambda spades: spades == 13)])
    {1: 84478098072866400}
    >>> math.comb(39, 13) * math.comb(26, 13)
    84478098072866400
    """
    # Estimate the cost from the numbers of seats, splits and sums, and refuse a count that exceeds the
    # budget.
    classifiers = [*classifiers] or [SumClassifier({}, np.ones_like)]
    scheme = SplitScheme.for_classifiers(classifiers, predeal or Predeal())
    cost = _Cost(budget_ns)
    cost.add(_BASE_NS[len(scheme.seats) + (scheme.last_seat is not None)])
    tables = [enumerate_splits(suit, scheme, classifiers) for suit in scheme.suit_order]
    n_rows = [len(table.ways) for table in tables]
    cost.add(_PAIR_NS * (n_rows[0] * n_rows[1] + n_rows[2] * n_rows[3]))
    sums = list(zip(*(table.sums for table in tables), strict=True))
    classes = [
        _SumClasses(classifier, parts, cost) for classifier, parts in zip(classifiers, sums, strict=True)
    ]
    # Splits and classes determine the result, which may be in the cache.
    key = scheme, _digest_all(tables, classes)
    with _lock:
        if key in cached_counts:
            cached_counts.move_to_end(key)
            return dict(cached_counts[key])
    counted = _count_classes(tables, classes, scheme)
    with _lock:
        cached_counts[key] = counted
        while len(cached_counts) > MAX_KEPT:
            cached_counts.popitem(last=False)
    return dict(counted)


def _digest_all(tables: Sequence[SuitSplits], classes: Sequence[_SumClasses]) -> bytes:
    """Return a digest of the splits of all suits and of the classes of their sums."""
    digest = blake2b(digest_size=16)
    arrays = [array for table in tables for array in (*table.columns, table.ways)]
    for array in (*arrays, *(part for entry in classes for part in (entry.sums, entry.classes))):
        digest.update(f"{array.dtype} {len(array)};".encode())
        digest.update(array.tobytes())
    return digest.digest()


def _count_classes(
    tables: list[SuitSplits], classes: Sequence[_SumClasses], scheme: SplitScheme
) -> dict[int, int]:
    """Return the number of deals in each class, from the splits of each suit."""
    # Merge equivalent splits of each suit, join two suits to half deals, merge these, and match the half
    # deals.
    tables = _reduce_all(tables, classes)
    halves = (tables[:2], tables[2:])
    n_pairs = max(len(first.ways) * len(second.ways) for first, second in halves)
    if n_pairs > MAX_PAIRS:
        raise TooManyStates(f"{n_pairs:,} ways to split two suits are more than {MAX_PAIRS:,}")
    joined = [_join(first, second, len(scheme.seats)) for first, second in halves]
    first_half, second_half = _reduce_all(joined, classes)
    return _match(first_half, second_half, classes, scheme)


class _Cost:
    """The estimated cost of a count, in nanoseconds, which may not exceed a budget."""

    def __init__(self, budget_ns: float = math.inf) -> None:
        self._left = budget_ns

    def add(self, cost_ns: float) -> None:
        """Add the cost of a step before it is done; raise TooManyStates if the budget is exceeded."""
        self._left -= cost_ns
        if self._left < 0:
            raise TooManyStates(_OVER_BUDGET)


# ------------------------------------------------------------ merging rows
class _SumClasses:
    """The classes of all sums that the suits can add up to."""

    def __init__(self, classifier: SumClassifier, parts: Iterable[np.ndarray], cost: _Cost) -> None:
        *first, last = map(list_distinct, parts)
        others = _add_all(first, cost)
        cost.add(_SUM_NS * len(others) * len(last))
        sums = _add_sets(others, last)
        # Each sum gets a class, and the sums of each suit are combined with those of the other three.
        is_dense = int(sums.max(initial=0)) < MAX_CELLS
        n_cells = len(others) * sum(map(len, (*first, last)))
        cost.add(_CLASS_NS * len(sums) + (_CELL_NS if is_dense else _SEARCHED_NS) * n_cells)
        classes = np.asarray(classifier.classify(sums)).astype(np.int32)
        self.n_classes = 1 + int(classes.max(initial=0))
        self.sums = sums
        self.classes = classes.astype(np.uint8) if self.n_classes <= 256 else classes
        self._dense: np.ndarray | None = None  # classes by sum
        if is_dense:
            self._dense = np.zeros(int(sums.max(initial=0)) + 1, self.classes.dtype)
            self._dense[sums] = self.classes

    def tabulate(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the classes of ``left + right``, uint8 or int32 [left, right]."""
        table = np.empty((len(left), len(right)), self.classes.dtype)
        step = max(1, _CHUNK // max(1, len(right)))
        for start in range(0, len(left), step):
            sums = left[start : start + step, None] + right
            if self._dense is not None:
                table[start : start + step] = self._dense[sums]
            else:
                table[start : start + step] = self.classes[np.searchsorted(self.sums, sums)]
        return table


def _add_all(parts: Iterable[np.ndarray], cost: _Cost | None = None) -> np.ndarray:
    """Return all sums of an element of each array, rising."""
    sums = np.zeros(1, np.int64)
    for part in map(list_distinct, parts):
        if cost is not None:
            cost.add(_SUM_NS * len(sums) * len(part))
        sums = _add_sets(sums, part)
    return sums


def _add_sets(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return all sums of an element of each set, rising."""
    n_pairs, highest = len(left) * len(right), int(left.max(initial=0) + right.max(initial=0))
    if n_pairs <= MAX_SUMS:
        return list_distinct(left[:, None] + right)
    if n_pairs > MAX_CELLS or highest >= MAX_CELLS:
        raise TooManyStates(_TOO_MANY_SUMS)
    is_sum = np.zeros(highest + 1, bool)
    shorter, longer = sorted((left, right), key=len)
    for number in shorter.tolist():
        is_sum[longer + number] = True
    sums = np.flatnonzero(is_sum)
    if len(sums) > MAX_SUMS:
        raise TooManyStates(_TOO_MANY_SUMS)
    return sums


def _reduce_all(tables: Sequence[SuitSplits], classes: Sequence[_SumClasses]) -> list[SuitSplits]:
    """Return each table reduced; if one is empty, all are."""
    reduced = list(tables)
    for index in range(len(reduced)):
        if not all(len(table.ways) for table in reduced):
            break
        reduced[index] = _reduce(reduced[index], reduced, classes)
    is_empty = any(not len(table.ways) for table in reduced)
    return [table.rows(slice(0)) for table in reduced] if is_empty else reduced


def _reduce(table: SuitSplits, tables: Sequence[SuitSplits], classes: Sequence[_SumClasses]) -> SuitSplits:
    """Return a table without the rows that other suits cannot complete, and with equivalent rows merged.

    Rows are equivalent if their sums have the same classes whatever the sums of the other suits are.
    """
    is_possible = np.ones(len(table.ways), bool)
    sums = []
    for index, sum_classes in enumerate(classes):
        own, position = np.unique(table.sums[index], return_inverse=True)
        others = _add_all(other.sums[index] for other in tables if other is not table)
        if len(own) * len(others) > MAX_CELLS:
            if len(tables) == 2:
                raise TooManyStates(_TOO_MANY_SUMS)
            sums.append(table.sums[index])  # too large now; merged when two suits are joined
            continue
        # Equal rows of the table of classes are equivalent; a row with only class 0 is impossible.
        cells = sum_classes.tabulate(own, others)
        is_possible &= np.any(cells, axis=1)[position]
        rows = np.packbits(cells, axis=1) if sum_classes.n_classes <= 2 else cells
        rows = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel()
        _, first, group = np.unique(rows, return_index=True, return_inverse=True)
        sums.append(own[first[group]][position])
    return SuitSplits(table.cards, sums, table.ways).rows(is_possible).merge_equal()


# ------------------------------------------------------------ two suits
def _join(first: SuitSplits, second: SuitSplits, n_seats: int) -> SuitSplits:
    """Return all pairs of rows in which no seat has more than thirteen cards; equal pairs are merged."""
    # For each column, number the distinct sums of its values. These numbers together are the key of a pair.
    columns = [_PairSums.from_columns(*pair) for pair in zip(first.columns, second.columns, strict=True)]
    fits = np.ones(columns[0].table.shape, bool)
    for seat in range(n_seats):
        fits &= (columns[0].values[columns[0].table] >> FIELD * seat & _CARDS) <= 13
    n_keys = math.prod(len(column.values) for column in columns)
    if n_keys >= 1 << 62:
        raise TooManyStates("the sums in the clauses together do not fit 62 bits")
    # Add up the ways by key: in an array of all keys if it is small, otherwise by sorting each part.
    dense = np.zeros(n_keys if n_keys <= MAX_SUMS else 0)
    keys, ways = np.zeros(0, np.int64), np.zeros(0, np.int64)
    step = max(1, _CHUNK // max(1, len(second.ways)))
    for start in range(0, len(first.ways), step):
        rows = slice(start, start + step)
        key = np.zeros((len(first.ways[rows]), len(second.ways)), np.int64)
        for column in columns:
            key *= len(column.values)
            key += column.table[column.left[rows][:, None], column.right]
        pair_ways = first.ways[rows][:, None] * second.ways
        pair_ways *= fits[columns[0].left[rows][:, None], columns[0].right]
        if len(dense):
            dense += np.bincount(key.ravel(), pair_ways.ravel(), n_keys)
            continue
        new_keys, new_ways = _sum_by_key(key.ravel(), pair_ways.ravel())
        keys, ways = _sum_by_key(np.concatenate([keys, new_keys]), np.concatenate([ways, new_ways]))
    if len(dense):
        keys = np.flatnonzero(dense)
        ways = dense[keys].astype(np.int64)
    # Decode the keys to cards and sums.
    digits = np.unravel_index(keys, [len(column.values) for column in columns])
    cards, *sums = (column.values[digit] for column, digit in zip(columns, digits, strict=True))
    return SuitSplits(cards, sums, ways)


def _sum_by_key(key: np.ndarray, ways: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct keys, rising, with the sums of their ways; keys without ways are omitted."""
    used = np.flatnonzero(ways)
    order = used[np.argsort(key[used])]
    if not len(order):
        return key[:0], ways[:0]
    starts = np.flatnonzero(np.diff(key[order], prepend=-1))
    return key[order[starts]], np.add.reduceat(ways[order], starts)


class _PairSums(NamedTuple):
    """Sums of the entries of two columns: that of entries i and j is ``values[table[left[i], right[j]]]``."""

    values: np.ndarray
    table: np.ndarray
    left: np.ndarray
    right: np.ndarray

    @classmethod
    def from_columns(cls, first: np.ndarray, second: np.ndarray) -> _PairSums:
        left_values, left = np.unique(first, return_inverse=True)
        right_values, right = np.unique(second, return_inverse=True)
        if len(left_values) * len(right_values) > MAX_SUMS:
            raise TooManyStates(_TOO_MANY_SUMS)
        values, table = np.unique(left_values[:, None] + right_values, return_inverse=True)
        return cls(values, table.reshape(len(left_values), len(right_values)), left, right)


# ------------------------------------------------------------ both halves of the deal
def _match(
    first: SuitSplits, second: SuitSplits, classes: Sequence[_SumClasses], scheme: SplitScheme
) -> dict[int, int]:
    """Return the number of deals in each class, from pairs of halves that give every seat thirteen cards."""
    # Compare only halves whose cards complete each other.
    groups = list(_pair_groups(first.cards, second.cards, scheme))
    n_classes = classes[-1].n_classes
    if sum(len(rows) * (len(others) + _CLASS_PAIRS * n_classes) for rows, others, _ in groups) > MAX_MATCHES:
        raise TooManyStates("there are too many pairs of half deals")
    # The class of each pair of distinct sums, for each classifier.
    tables, positions = [], []
    for sum_classes, left_sums, right_sums in zip(classes, first.sums, second.sums, strict=True):
        left, left_position = np.unique(left_sums, return_inverse=True)
        right, right_position = np.unique(right_sums, return_inverse=True)
        tables.append(sum_classes.tabulate(left, right))
        positions.append((left_position, right_position))
    # Add up the ways by class, in parts of limited size. A pair in class 0 of any classifier is in class 0.
    total = np.zeros(n_classes, object)
    for group, others, pool_ways in groups:
        step = max(1, min(MAX_ROWS, _CHUNK // max(len(others), n_classes)))
        for start in range(0, len(group), step):
            rows = group[start : start + step]
            left, right = positions[-1]
            pair_classes = tables[-1][left[rows][:, None], right[others]].astype(np.int64)
            for table, (left, right) in zip(tables[:-1], positions[:-1], strict=True):
                pair_classes *= table[left[rows][:, None], right[others]] > 0
            keys = pair_classes + np.arange(len(rows))[:, None] * n_classes
            weights = np.broadcast_to(second.ways[others], keys.shape).ravel()
            by_class = np.bincount(keys.ravel(), weights, len(rows) * n_classes).astype(np.int64)
            total += pool_ways * multiply_exactly(first.ways[rows], by_class.reshape(-1, n_classes))
    return {index: int(ways) * scheme.n_other_deals for index, ways in enumerate(total) if index and ways}


def multiply_exactly(row: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """Return the product of a row and a matrix of integers below 2^52 as Python integers, object [columns].

    Both are split into halves of 26 bits, so that sums of `MAX_ROWS` products of these fit 63 bits.
    """
    lowest = (1 << 26) - 1
    low, high = matrix & lowest, matrix >> 26
    total = (row & lowest) @ low + (((row >> 26) @ high).astype(object) << 52)
    return total + (((row & lowest) @ high).astype(object) << 26) + (((row >> 26) @ low).astype(object) << 26)


def _pair_groups(
    first: np.ndarray, second: np.ndarray, scheme: SplitScheme
) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """Yield rows of the first half, rows of the second half that complete them, and ways to deal the pool."""
    mask = (1 << FIELD * scheme.n_full) - 1
    full = sum(13 << FIELD * index for index in range(scheme.n_full))
    groups: dict[int, list[tuple[int, np.ndarray]]] = {}
    for cards, rows in _group_rows(second):
        groups.setdefault(cards & mask, []).append((cards, rows))
    for cards, rows in _group_rows(first):
        for other_cards, others in groups.get(full - (cards & mask), ()):
            pool_ways = scheme.deal_pool(cards + other_cards)
            if pool_ways:
                yield rows, others, pool_ways


def _group_rows(cards: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Return the distinct numbers of cards, each with its rows."""
    order = np.argsort(cards, kind="stable")
    values, starts = np.unique(cards[order], return_index=True)
    return zip(values.tolist(), np.split(order, starts[1:])[: len(values)], strict=True)


def count_share(
    graph: OperationGraph,
    clauses: Sequence[int],
    predeal: Predeal | None = None,
    budget_ns: float = BUDGET_NS,
) -> Fraction:
    """Return the exact probability that a deal meets all of these clauses.

    Parameters
    ----------
    graph : OperationGraph
    clauses : sequence of int
        Slots of the clauses.
    predeal : Predeal, optional
    budget_ns : float
        Maximum cost in nanoseconds; see `count_deals`.

    Returns
    -------
    Fraction

    Raises
    ------
    NotAdditive
        A clause is not a function of sums over suits.
    TooManyStates
        There are too many clauses, the estimated cost exceeds the budget, or the count exceeds a bound of
        this module.

    Examples
    --------
    >>> from dealerkit.compiler.compilation import compile_condition
    >>> compiled = compile_condition("hascard(north, AS) and hascard(north, AH)")
    >>> count_share(compiled.graph, compiled.clauses)
    Fraction(1, 17)
    """
    predeal, sums = predeal or Predeal(), SuitSums(graph)
    check_number(clauses, MAX_CLAUSES)
    if exclude_each_other(sums, clauses, predeal):
        return Fraction(0)
    n_deals = count_deals(classify_clauses(sums, clauses), predeal, budget_ns).get(1, 0)
    return Fraction(n_deals, predeal.n_deals)


def find_countable(graph: OperationGraph, clauses: Iterable[int]) -> tuple[tuple[int, ...], str]:
    """Return the clauses that are functions of sums over suits, and why the first of the others is not."""
    sums, countable, obstacle = SuitSums(graph), [], ""
    slots = tuple(clauses)
    try:
        check_number(slots, MAX_CLAUSES)
    except TooManyStates as reason:
        return (), str(reason)
    for slot in slots:
        try:
            map_features(sums, [slot])
            countable.append(slot)
        except NotAdditive as error:
            obstacle = obstacle or str(error)
    return tuple(countable), obstacle


def find_exact_range(
    graph: OperationGraph,
    slot: int,
    clauses: Sequence[int],
    predeal: Predeal | None = None,
    budget_ns: float = BUDGET_NS,
) -> tuple[float, float] | None:
    """Return the least and the greatest value of an expression on the deals that meet some clauses.

    Clauses that cannot be counted are left out. If the count exceeds the budget, clauses about other hands
    are left out too, and at last all clauses and the predealt cards. So the range may be too wide, but never
    too narrow.

    Parameters
    ----------
    graph : OperationGraph
    slot : int
        Slot of the expression.
    clauses : sequence of int
        Slots of the clauses.
    predeal : Predeal, optional
    budget_ns : float
        Maximum cost in nanoseconds; see `count_deals`.

    Returns
    -------
    tuple of float, or None
        None if the expression cannot be counted, or if no deal meets the clauses.

    Examples
    --------
    >>> from dealerkit.compiler.compilation import compile_condition
    >>> compiled = compile_condition("spades(north)", given="hcp(north) == 37")  # AKQJ AKQ AKQ AKQ
    >>> find_exact_range(compiled.graph, compiled.expression, compiled.given)
    (3.0, 4.0)
    """
    countable, _ = find_countable(graph, dict.fromkeys(clauses))
    seats = graph.find_seats((slot,))
    own = tuple(clause for clause in countable if not graph.find_seats((clause,)) & ~seats)
    sums = SuitSums(graph)
    values = np.empty(0)

    def number_values(codes: np.ndarray) -> np.ndarray:
        nonlocal values
        values, position = np.unique(mapping.values(codes, slot), return_inverse=True)
        return position + 1

    # Count with all clauses, then only with those about the hands of the expression, then without any.
    attempts = [(used, predeal) for used in dict.fromkeys((countable, own))]
    for used, cards in (*attempts, *([((), None)] if predeal else [])):
        try:
            mapping = map_features(sums, [slot])
            classifiers = [*classify_clauses(sums, used), SumClassifier(mapping.codes(), number_values)]
            numbers = count_deals(classifiers, cards, budget_ns)
        except NotAdditive:
            return None
        except TooManyStates:
            continue
        found = [float(values[number - 1]) for number in numbers]
        return (min(found), max(found)) if found else None
    return None


def count_cell_shares(
    graph: OperationGraph,
    slot: int,
    find_cells: Callable[[np.ndarray], np.ndarray],
    n_cells: int,
    clauses: Sequence[int] = (),
    predeal: Predeal | None = None,
    budget_ns: float = BUDGET_NS,
) -> np.ndarray:
    """Return the exact distribution of an expression over the cells of a table.

    Parameters
    ----------
    graph : OperationGraph
    slot : int
        Slot of the expression.
    find_cells : callable
        Maps values [n] to numbers of cells, integers [n] from 0 to `n_cells` - 1.
    n_cells : int
    clauses, predeal, budget_ns
        As for `count_share`; only deals that meet all clauses are counted.

    Returns
    -------
    ndarray of float64 [n_cells]
        The share of each cell, rounded once from its fraction. All are 0 if no deal meets the clauses.

    Raises
    ------
    NotAdditive, TooManyStates
        For the same reasons as `count_share`.
    """
    check_number(clauses, MAX_CLAUSES)
    sums = SuitSums(graph)
    mapping = map_features(sums, [slot])

    def classify(codes: np.ndarray) -> np.ndarray:
        return 1 + np.asarray(find_cells(mapping.values(codes, slot)), np.int64)

    classifiers = [*classify_clauses(sums, clauses), SumClassifier(mapping.codes(), classify)]
    numbers = count_deals(classifiers, predeal, budget_ns)
    total = sum(numbers.values()) or 1
    return np.array([float(Fraction(numbers.get(1 + cell, 0), total)) for cell in range(n_cells)])
