"""Expressions as functions of a few integers, the features of a deal.

An expression whose leaves are sums over suits (`suit_sums`) depends only on these sums. The evaluator for
columns of deals computes its values from the sums, without deals. So ``or``, ``not``, ``?:``, products and
comparisons need no special treatment.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import Operation, compare_values, to_truth
from dealerkit.counting.suit_splits import SumClassifier, TooManyStates
from dealerkit.counting.suit_sums import SeatSuit, SuitSum, SuitSums, depends_on_length
from dealerkit.runtime.process import cached_property

MAX_CLAUSES = 500  # that are counted together; each may need half a megabyte of tables
BATCH_SIZE = 65_536  # combinations of feature values evaluated at once


class NotAdditive(Exception):
    """An expression is not a function of sums over suits; the message gives the reason."""


@dataclass(frozen=True, eq=False)
class Feature:
    """A sum over suits on which an expression depends, counted in steps from 0 up.

    Parameters
    ----------
    slot : int
        The slot whose value the feature determines; if a slot has two features, their values are added.
    tables : mapping of (seat, suit) to ndarray of int64 [8192], >= 0
        Number of steps that each holding adds.
    base, step, divisor : int
        The value is ``(base + step * steps) / divisor``, or `lookup` at the index ``base + step * steps``.
    lookup : ndarray, optional
        Values of a function of suit lengths, by ``spades << 8 | hearts << 4 | diamonds``.
    operator : str
        For a slot that compares two sums: the feature is their difference, and this operator compares it
        with 0. Otherwise empty.
    """

    slot: int
    tables: Mapping[SeatSuit, np.ndarray]
    base: int
    step: int
    divisor: int
    lookup: np.ndarray | None = None
    operator: str = ""

    @classmethod
    def from_sum(
        cls, slot: int, suit_sum: SuitSum, lookup: np.ndarray | None = None, operator: str = ""
    ) -> Feature:
        """Return the feature of a sum; its tables have 0 as their least value and no common factor."""
        base, step, tables = suit_sum.step_tables
        return cls(slot, tables, base, step, suit_sum.divisor, lookup, operator)

    @cached_property
    def radix(self) -> int:
        """One more than the largest number of steps that the cards of all suits can add."""
        return 1 + sum(int(table.max()) for table in self.tables.values())

    @cached_property
    def by_length(self) -> bool:
        """Whether every table depends only on the length of the holding."""
        return all(depends_on_length(table) for table in self.tables.values())

    def value(self, steps: np.ndarray, operation: Operation) -> np.ndarray:
        """Return the slot's values, of the type that the evaluator expects."""
        number = self.base + self.step * steps
        if self.operator:
            return np.asarray(compare_values(self.operator, number, 0, False))
        if self.lookup is not None:
            return self.lookup[np.clip(number, 0, len(self.lookup) - 1)]
        if operation.range.real:
            return number / self.divisor
        return (number // self.divisor).astype(operation.range.dtype())


@dataclass(frozen=True, eq=False)
class FeatureMap:
    """Some slots as functions of features.

    The code of a deal is the number whose digits, in mixed radix, are the steps of all features, the first
    feature lowest.
    """

    graph: OperationGraph
    features: tuple[Feature, ...]
    unused_slots: tuple[int, ...]  # slots that only features depend on, which therefore need no value

    @property
    def seats(self) -> int:
        """Bit set of the seats on whose cards the features depend."""
        return sum({1 << seat for seat, _ in self.seat_suits})

    @cached_property
    def seat_suits(self) -> frozenset[SeatSuit]:
        """The seats and suits on whose holdings the features depend."""
        return frozenset(key for feature in self.features for key in feature.tables)

    def codes(self) -> dict[SeatSuit, np.ndarray]:
        """Return the number that each holding adds to the code, int64 [8192] by (seat, suit).

        Raises
        ------
        TooManyStates
            Codes would not fit 62 bits.
        """
        if math.prod(feature.radix for feature in self.features) >= 1 << 62:
            raise TooManyStates(f"a clause depends on {len(self.features)} sums together")
        codes: dict[SeatSuit, np.ndarray] = {}
        weight = 1
        for feature in self.features:
            for key, table in feature.tables.items():
                codes[key] = codes.get(key, 0) + table * weight
            weight *= feature.radix
        return codes

    def values(self, codes: np.ndarray, slot: int) -> np.ndarray:
        """Return the slot's values for codes, int64 [n]; for codes that no deal has, they mean nothing."""
        steps = []
        size = len(codes)
        for feature in self.features:
            steps.append(codes % feature.radix)
            codes = codes // feature.radix
        return self.evaluate(steps, size, slot)

    def evaluate(self, steps: Sequence[np.ndarray], count: int, slot: int) -> np.ndarray:
        """Return the slot's values for the steps of each feature (an array of `count` numbers each)."""
        return self.evaluate_slots(steps, count, (slot,))[0]

    def evaluate_slots(
        self, steps: Sequence[np.ndarray], count: int, slots: Sequence[int]
    ) -> list[np.ndarray]:
        """Return the values of several slots; see `evaluate`."""
        parts: list[list[np.ndarray]] = [[] for _ in slots]
        operations = self.graph.operations
        for first in range(0, count, BATCH_SIZE):
            size = min(BATCH_SIZE, count - first)
            columns = BatchColumns(self.graph, Deals(np.zeros((size, 4), np.uint64), check=False))
            for unused_slot in self.unused_slots:
                columns.set_value(unused_slot, 0)
            values: dict[int, np.ndarray] = {}
            for feature, numbers in zip(self.features, steps, strict=True):
                value = feature.value(numbers[first : first + size], operations[feature.slot])
                values[feature.slot] = values[feature.slot] + value if feature.slot in values else value
            for feature_slot, value in values.items():
                columns.set_value(feature_slot, value)
            for part, slot in zip(parts, slots, strict=True):
                part.append(columns.array(slot))
        return [np.concatenate(part) if part else np.empty(0, bool) for part in parts]


def map_features(sums: SuitSums, slots: Iterable[int]) -> FeatureMap:
    """Return slots as functions of features; raise NotAdditive if one is not a function of suit sums."""
    key = tuple(sorted(set(slots)))
    if key not in sums.feature_maps:
        sums.feature_maps[key] = _map_features(sums, key)
    return sums.feature_maps[key]


def _map_features(sums: SuitSums, slots: Iterable[int]) -> FeatureMap:
    """Return the features of slots; `map_features` caches the result."""
    mapping = _find_features(sums, slots)
    folded = _fold_holdings(mapping, slots)
    return _find_features(sums, slots, folded) if folded else mapping


def _find_features(
    sums: SuitSums, slots: Iterable[int], folded: Mapping[int, Feature] | None = None
) -> FeatureMap:
    """Return the features of slots; the slots in `folded` are features themselves."""
    graph = sums.graph
    features: dict[int, tuple[Feature, ...]] = {}
    todo, visited, required = list(slots), set[int](), set[int]()
    while todo:
        slot = todo.pop()
        if slot in visited:
            continue
        visited.add(slot)
        operation = graph.operations[slot]
        # Search from the roots downwards: the largest expressions that are sums over suits are features.
        if folded and slot in folded:
            features[slot] = (folded[slot],)
            required.update(graph.find_required(slot))
            continue
        suit_sum = sums.find_sum(slot)
        lengths = sums.find_length_table(slot) if suit_sum is None else None
        difference = sums.find_difference(slot)
        pair = sums.find_pair(slot)
        if suit_sum is not None and suit_sum.tables:
            features[slot] = (Feature.from_sum(slot, suit_sum),)
        elif lengths is not None:
            features[slot] = (Feature.from_sum(slot, *lengths),)
        elif difference is not None and difference.tables:
            features[slot] = (Feature.from_sum(slot, difference, operator=operation.detail[0]),)
        elif pair is not None:
            features[slot] = (Feature.from_sum(slot, *pair[0]), Feature.from_sum(slot, pair[1]))
        elif suit_sum is None:
            obstacle = _find_obstacle(operation)
            if obstacle:
                raise NotAdditive(obstacle)
            todo += operation.inputs + operation.guarded
            continue
        required.update(graph.find_required(slot))
    # Slots that only features depend on are not evaluated (`FeatureMap.evaluate`).
    ordered = tuple(feature for slot in sorted(features) for feature in features[slot])
    return FeatureMap(graph, ordered, tuple(required - visited))


def _fold_holdings(mapping: FeatureMap, slots: Iterable[int]) -> dict[int, Feature]:
    """Return a feature for each truth value that depends on the honours of one holding.

    ``top3(north, spades) >= 2 or top5(north, spades) >= 3`` is true or false for each holding of spades, so
    one feature with two values replaces two features with 4 and 6 values. Only the part of an expression
    about honours is folded: lengths are features of every hand anyway, and clauses with equal parts share
    features.
    """
    # Find the features that each slot depends on; the inputs of an operation have smaller slots.
    graph = mapping.graph
    leaves: dict[int, list[Feature]] = {}
    for feature in mapping.features:
        leaves.setdefault(feature.slot, []).append(feature)
    below: dict[int, dict[Feature, None]] = {}
    for slot in sorted(graph.find_reachable(slots)):
        parts = [*graph.operations[slot].inputs, *graph.operations[slot].guarded]
        inherited = [feature for part in parts for feature in below[part]]
        below[slot] = dict.fromkeys(leaves.get(slot, inherited))

    def has_honours(slot: int) -> bool:
        return not all(feature.by_length for feature in below[slot])

    # Search from the roots downwards for the smallest truth value that has all honours of a holding.
    folded: dict[int, Feature] = {}
    todo, visited = list(slots), set[int]()
    while todo:
        slot = todo.pop()
        if slot in visited or (slot in leaves and not _is_truth(graph.operations[slot])):
            continue
        visited.add(slot)
        if not has_honours(slot):
            continue
        operation = graph.operations[slot]
        holdings = {key for feature in below[slot] for key in feature.tables}
        parts = [] if slot in leaves else [*operation.inputs, *operation.guarded]
        honours = [part for part in parts if has_honours(part)]
        if len(holdings) > 1 or (len(honours) == 1 and _is_truth(graph.operations[honours[0]])):
            todo += honours
        elif _is_truth(operation):
            folded[slot] = _tabulate(mapping, slot, list(below[slot]), holdings.pop())
    return folded


def _is_truth(operation: Operation) -> bool:
    return operation.kind in ("compare", "not", "and", "or")


def _tabulate(mapping: FeatureMap, slot: int, features: Sequence[Feature], holding: SeatSuit) -> Feature:
    """Return the feature of a slot that is true or false for each holding of a seat in a suit."""
    steps = [
        feature.tables[holding] if feature in features else np.zeros(8192, np.int64)
        for feature in mapping.features
    ]
    truth = to_truth(mapping.evaluate(steps, 8192, slot))
    return Feature(slot, {holding: truth.astype(np.int64)}, 0, 1, 1, np.array([False, True]))


def _find_obstacle(operation: Operation) -> str:
    """Return why an operation is not a function of its inputs alone, or an empty text if it is."""
    if operation.kind in ("constant", "compare", "not", "and", "or", "choice", "member"):
        return ""
    if operation.kind == "arithmetic":
        may_fail = operation.detail[0] in "/%" and not operation.total
        return "a divisor may be zero" if may_fail else ""
    if operation.kind == "call":
        function = operation.detail[0]
        if function.kind == "value" and function.pure and function.total:
            return ""
        return f"{function.name} is not a sum over suits"
    reasons = {"random": "rnd() generates random numbers", "board": "board() is the number of the deal"}
    return reasons.get(operation.kind, "tricks are not a sum over suits")


def check_number(clauses: Iterable[int], limit: float = MAX_CLAUSES) -> None:
    """Raise TooManyStates if there are more distinct clauses than `limit`."""
    number = len(set(clauses))
    if number > limit:
        raise TooManyStates(f"{number:,} clauses are too many to count deals")


def classify_clauses(sums: SuitSums, clauses: Sequence[int]) -> list[SumClassifier]:
    """Return classifiers that count the deals on which all clauses are true.

    Clauses that depend on the same features share a classifier.

    Raises
    ------
    NotAdditive
        A clause is not a function of sums over suits.
    TooManyStates
        There are more than `MAX_CLAUSES` clauses, or one depends on too many sums.
    """
    check_number(clauses)
    groups: dict[frozenset[int], list[int]] = {}
    used = {
        slot: frozenset(feature.slot for feature in map_features(sums, [slot]).features) for slot in clauses
    }
    for slot in sorted(dict.fromkeys(clauses), key=lambda slot: -len(used[slot])):
        group = next((features for features in groups if features >= used[slot]), used[slot])
        groups.setdefault(group, []).append(slot)
    return [_classify_group(sums, slots) for slots in groups.values()]


def _classify_group(sums: SuitSums, slots: Sequence[int]) -> SumClassifier:
    """Return the classifier with class 1 for the deals on which all of these clauses are true."""
    mapping = map_features(sums, slots)

    def are_true(codes: np.ndarray) -> np.ndarray:
        return np.logical_and.reduce([to_truth(mapping.values(codes, slot)) for slot in slots])

    return SumClassifier(mapping.codes(), are_true)
