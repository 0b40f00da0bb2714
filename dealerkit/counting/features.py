"""Clauses as functions of a few integers.

A formula whose leaves are sums over suits (`forms`) has a value that depends on those sums
only, and the evaluator itself, handed integers in place of deals, tells which: ``or``, ``not``,
``?:``, products and comparisons need no algebra.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import Operation, Value, compare, truth
from dealerkit.counting.suit_splits import Question, TooManyStates
from dealerkit.counting.suit_sums import Form, Forms, Place, depends_on_length

ROWS = 65_536  # points evaluated at once


class NotAdditive(Exception):
    """Why a formula is no function of sums over suits."""


@dataclass(frozen=True, eq=False)
class Feature:
    """What a formula looks at in place of the cards: a form, told in steps from 0 up.

    Parameters
    ----------
    slot : int
        Whose value it is.
    tables : mapping of (seat, suit) to ndarray of int64 [8192], >= 0
        Steps that a holding adds.
    base, step, divisor : int
        The value is ``(base + step * steps) / divisor``, or `lookup` at the index ``base + step * steps``.
    lookup : ndarray, optional
        Values of a function of suit lengths, by ``spades << 8 | hearts << 4 | diamonds``.
    operator : str
        Of a comparison of two forms: the slot is true where their difference compares so with 0.
    """

    slot: int
    tables: Mapping[Place, np.ndarray]
    base: int
    step: int
    divisor: int
    lookup: np.ndarray | None = None
    operator: str = ""

    @classmethod
    def of(cls, slot: int, form: Form, lookup: np.ndarray | None = None, operator: str = "") -> Feature:
        """The form with least values at 0 and without a common factor."""
        base, step, tables = form.steps
        return cls(slot, tables, base, step, form.divisor, lookup, operator)

    @cached_property
    def radix(self) -> int:
        """One more than the most steps that the cards of all suits can add."""
        return 1 + sum(int(table.max()) for table in self.tables.values())

    @property
    def by_length(self) -> bool:
        """Does every table depend on the length of the holding only?"""
        return all(depends_on_length(table) for table in self.tables.values())

    def value(self, steps: np.ndarray, operation: Operation) -> np.ndarray:
        """The slot's values, of the type that the evaluator expects."""
        number = self.base + self.step * steps
        if self.operator:
            return np.asarray(compare(self.operator, number, 0, False))
        if self.lookup is not None:
            return self.lookup[np.clip(number, 0, len(self.lookup) - 1)]
        if operation.range.real:
            return number / self.divisor
        return (number // self.divisor).astype(operation.range.dtype())


class _Points(BatchColumns):
    """Columns over values in place of deals."""

    def __init__(self, graph: OperationGraph, size: int, known: Mapping[int, Value]) -> None:
        super().__init__(graph, Deals(np.zeros((size, 4), np.uint64), check=False))
        self._cache.update(known)


@dataclass(frozen=True, eq=False)
class Abstraction:
    """Some slots as functions of features.

    Attributes
    ----------
    graph : OperationGraph
    features : tuple of Feature
    size : int
        Product of their radices: codes lie below it. A code holds the steps of all features in
        mixed radix, the first lowest.
    """

    graph: OperationGraph
    features: tuple[Feature, ...]
    unasked: tuple[int, ...]  # slots below the features

    @cached_property
    def size(self) -> int:
        return math.prod(feature.radix for feature in self.features)

    @property
    def seats(self) -> int:
        """Bit set of the seats whose cards matter."""
        return sum(1 << seat for seat in {seat for seat, _ in self.places})

    @cached_property
    def places(self) -> frozenset[Place]:
        """The seats and suits whose holdings matter."""
        return frozenset(place for feature in self.features for place in feature.tables)

    def codes(self) -> dict[Place, np.ndarray]:
        """What each holding adds to the code, int64 [8192] by (seat, suit).

        Raises
        ------
        TooManyStates
            Codes would not fit 62 bits.
        """
        if self.size >= 1 << 62:
            raise TooManyStates(f"one clause looks at {len(self.features)} values together")
        return packed(self.features)

    def values(self, codes: np.ndarray, slot: int) -> np.ndarray:
        """The slot's values where the features have these codes (int64 [n]).

        A code that no deal has gives a value too, without meaning.
        """
        steps = unpacked(self.features, codes)
        return self.evaluate(steps, len(codes), slot)

    def evaluate(self, steps: Sequence[np.ndarray], count: int, slot: int) -> np.ndarray:
        """As `values`, with the steps of each feature."""
        parts: list[np.ndarray] = []
        operations = self.graph.operations
        for first in range(0, count, ROWS):
            size = min(ROWS, count - first)
            known: dict[int, Value] = dict.fromkeys(self.unasked, 0)
            for feature, numbers in zip(self.features, steps, strict=True):
                known[feature.slot] = feature.value(numbers[first : first + size], operations[feature.slot])
            parts.append(_Points(self.graph, size, known).array(slot))
        return np.concatenate(parts) if parts else np.empty(0, bool)

    def truth(self, codes: np.ndarray, slot: int) -> np.ndarray:
        """Where the slot is true, bool [n]; see `values`."""
        return np.asarray(truth(self.values(codes, slot)), bool)


def packed(features: Iterable[Feature]) -> dict[Place, np.ndarray]:
    """Tables of features in mixed radix, the first lowest."""
    found: dict[Place, np.ndarray] = {}
    weight = 1
    for feature in features:
        for place, table in feature.tables.items():
            found[place] = found[place] + table * weight if place in found else table * weight
        weight *= feature.radix
    return found


def unpacked(features: Iterable[Feature], codes: np.ndarray) -> list[np.ndarray]:
    """The steps of each feature."""
    steps = []
    for feature in features:
        steps.append(codes % feature.radix)
        codes = codes // feature.radix
    return steps


def abstract(forms: Forms, slots: Iterable[int]) -> Abstraction:
    """The features on which slots depend.

    Raises
    ------
    NotAdditive
        Something in them is no function of sums over suits; the message says what.
    """
    key = tuple(sorted(set(slots)))
    if key not in forms.abstractions:
        forms.abstractions[key] = _abstracted(forms, key)
    return forms.abstractions[key]


def _abstracted(forms: Forms, slots: Iterable[int]) -> Abstraction:
    graph = forms.graph
    features: dict[int, Feature] = {}
    todo, seen, below = list(slots), set[int](), set[int]()
    while todo:
        slot = todo.pop()
        if slot in seen:
            continue
        seen.add(slot)
        operation = graph.operations[slot]
        form = forms.form(slot)
        looked_up = forms.lookup(slot) if form is None else None
        difference = forms.difference(slot)
        if form is not None and form.tables:
            features[slot] = Feature.of(slot, form)
        elif looked_up is not None:
            features[slot] = Feature.of(slot, *looked_up)
        elif difference is not None and difference.tables:
            features[slot] = Feature.of(slot, difference, operator=operation.detail[0])
        elif form is None:
            reason = _obstacle(operation)
            if reason:
                raise NotAdditive(reason)
            todo += operation.inputs + operation.guarded
            continue
        below.update(graph.find_required(slot))
    return Abstraction(graph, tuple(features[slot] for slot in sorted(features)), tuple(below - seen))


def _obstacle(operation: Operation) -> str:
    """Why an operation cannot be looked through, or nothing."""
    if operation.kind in ("constant", "compare", "not", "and", "or", "choice", "member"):
        return ""
    if operation.kind == "arithmetic":
        zero = operation.detail[0] in "/%" and not operation.total
        return "it may divide by zero" if zero else ""
    if operation.kind == "call":
        function = operation.detail[0]
        if function.kind == "value" and function.pure and function.total:
            return ""
        return f"{function.name} is no sum over suits"
    names = {"random": "it draws random numbers", "board": "it asks for the number of the deal"}
    return names.get(operation.kind, "it asks for tricks")


def conjuncts_of(graph: OperationGraph, slot: int, kind: str = "and") -> Iterator[int]:
    """The operands of nested `and` (or `or`) operations, in order; the slot itself if it is none."""
    todo = [slot]
    while todo:
        part = todo.pop()
        operation = graph.operations[part]
        if operation.kind == kind:
            todo.extend(reversed(operation.detail))
        else:
            yield part


def questions(forms: Forms, clauses: Sequence[int]) -> list[Question]:
    """Clauses as questions that can be counted, those that look at the same sums together.

    Raises
    ------
    NotAdditive
        A clause is no function of sums over suits.
    """
    groups: dict[frozenset[int], list[int]] = {}
    looked_at = {slot: frozenset(one.slot for one in abstract(forms, [slot]).features) for slot in clauses}
    for slot in sorted(dict.fromkeys(clauses), key=lambda slot: -len(looked_at[slot])):
        home = next((features for features in groups if features >= looked_at[slot]), looked_at[slot])
        groups.setdefault(home, []).append(slot)
    return [_question(forms, slots) for slots in groups.values()]


def _question(forms: Forms, slots: Sequence[int]) -> Question:
    told = abstract(forms, slots)

    def outcome(codes: np.ndarray) -> np.ndarray:
        return np.logical_and.reduce([told.truth(codes, slot) for slot in slots])

    return Question(told.codes(), outcome)
