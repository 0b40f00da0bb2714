"""The operations that expressions are compiled to, as a list without duplicates.

An operation is referred to by its *slot*, its position in the list. Its inputs have smaller slots. Equal
operations share a slot, whichever variable they come from, so common sub-expressions are computed once.
Operands of "and", "or" and ``?:`` that are expensive or may fail (such as a division) are *guarded*: they are
evaluated only for the rows whose value depends on them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any, NoReturn

from dealerkit.compiler.operations import REAL, TRUTH, Operation, Range
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.dialects import Rules
from dealerkit.language.script import Script
from dealerkit.language.source import ScriptSource

GUARD_COST_NS = 1000.0  # operands that cost as many nanoseconds per deal, or more, are guarded
MAX_OPERATIONS = 20_000
MAX_GUARD_DEPTH = 60  # of guarded operands inside guarded operands, which are evaluated recursively


class OperationList:
    """Operations, each listed once, with the rules and the script that they are compiled from.

    Parameters
    ----------
    rules : Rules
    program : Program, optional
        The checked script, with its variables, its tables of points and its settings for opc and par; its
        text is used in error messages. By default an empty script.

    Attributes
    ----------
    operations : list of Operation
        The operations by slot.
    n_random_calls : int
        Number of calls of `rnd` compiled so far; each generates numbers of its own.
    compiles_actions : bool
        Whether the expressions compiled next are those of actions, which are evaluated only on produced
        deals.
    grouped_tricks : dict of int to list of int
        Strain to the slots of numbers of tricks that are looked up together.
    thresholds : dict of int to tuple
        Slot of a comparison of tricks to its `trick_thresholds.find_thresholds`, once it is evaluated.
    """

    def __init__(self, rules: Rules, program: Program | None = None) -> None:
        self.rules, self.program = rules, program or Program(Script((), rules))
        self.operations: list[Operation] = []
        self.n_random_calls = 0
        self.compiles_actions = False
        self.grouped_tricks: dict[int, list[int]] = {}
        self.thresholds: dict[int, tuple[bool, list[int]]] = {}
        self._slots: dict[tuple[Any, ...], int] = {}
        self._required: dict[int, tuple[int, ...]] = {}

    def add_expression(self, node: nodes.Expression) -> int:
        """Return the slot of an expression; the class that compiles expressions defines it."""
        raise NotImplementedError

    def add_operation(self, operation: Operation, key: Any = None) -> int:
        """Return the slot of an operation; operations with the same kind, operands and `key` share a slot."""
        identity = (operation.kind, operation.inputs, operation.guarded, key)
        if identity in self._slots:
            return self._slots[identity]
        slots = operation.inputs + operation.guarded
        # From the operands follow whether it has a value on every deal, its cost, its depth and its seats.
        operands = [self.operations[slot] for slot in slots]
        guarded_depths = [self.operations[slot].depth + 1 for slot in operation.guarded]
        operation = replace(
            operation,
            total=operation.total and all(operand.total for operand in operands),
            cost_ns=max([operation.cost_ns, *(operand.cost_ns for operand in operands)]),
            depth=max([0, *(operand.depth for operand in operands), *guarded_depths]),
            seats=operation.seats | self.find_seats(slots),
        )
        if operation.depth > MAX_GUARD_DEPTH or len(self.operations) >= MAX_OPERATIONS:
            self.raise_error(
                operation.node,
                "the script has too many operations, or too many conditions inside conditions, to evaluate; "
                "split it, or use fewer variables with random numbers",
            )
        self.operations.append(operation)
        self._slots[identity] = len(self.operations) - 1
        return len(self.operations) - 1

    def add_constant(self, value: int | float, node: nodes.Expression | None = None) -> int:
        """Return the slot of a number."""
        bounds = REAL if isinstance(value, float) else Range(value, value)
        operation = Operation("constant", detail=value, range=bounds, cost_ns=0.0, node=node)
        return self.add_operation(operation, repr(value))

    def add_junction(self, kind: str, slots: list[int], node: nodes.Expression) -> int:
        """Return the slot of "and" or "or" of several slots."""
        operation = Operation(kind, *self.split_guarded(slots), detail=tuple(slots), range=TRUTH, node=node)
        return self.add_operation(operation, tuple(slots))

    def split_guarded(self, slots: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the operands to evaluate on all rows, which include the first, and those to guard."""
        guarded = tuple(slot for slot in slots[1:] if self._needs_guard(slot))
        return (slots[0], *(slot for slot in slots[1:] if not self._needs_guard(slot))), guarded

    def _needs_guard(self, slot: int) -> bool:
        """Return whether an operand may fail or is expensive."""
        return not self.operations[slot].total or self.operations[slot].cost_ns >= GUARD_COST_NS

    def constant_value(self, slot: int) -> int | float | None:
        """Return the value of a constant, or None for any other operation."""
        operation = self.operations[slot]
        return operation.detail if operation.kind == "constant" else None

    def find_required(self, slot: int) -> tuple[int, ...]:
        """Return the slots that a slot needs on all of its rows, including itself, in order."""
        if slot not in self._required:
            self._required[slot] = tuple(sorted(self._collect_slots([slot], lambda part: part.inputs)))
        return self._required[slot]

    def find_reachable(self, slots: Iterable[int]) -> set[int]:
        """Return these slots and all that they may need on some rows, including guarded ones."""
        return self._collect_slots(slots, lambda part: part.inputs + part.guarded)

    def _collect_slots(
        self, slots: Iterable[int], operands: Callable[[Operation], tuple[int, ...]]
    ) -> set[int]:
        """Return these slots, the slots of their operands, those of the operands' operands, and so on."""
        todo = list(slots)
        collected = set(todo)
        while todo:
            new = set(operands(self.operations[todo.pop()])) - collected
            collected |= new
            todo.extend(new)
        return collected

    def has_kind(self, slots: Iterable[int], kind: str) -> bool:
        """Return whether any of these slots, or anything they may need, has this kind."""
        return any(self.operations[slot].kind == kind for slot in self.find_reachable(slots))

    def split_operands(self, slot: int, kind: str) -> Iterator[int]:
        """Yield the operands of nested "and" (or "or") operations in order; for any other kind, the slot."""
        todo = [slot]
        while todo:
            part = todo.pop()
            operation = self.operations[part]
            if operation.kind == kind:
                todo.extend(reversed(operation.detail))
            else:
                yield part

    def find_seats(self, slots: Iterable[int]) -> int:
        """Return the bit set of the seats whose cards these slots depend on."""
        return reduce(or_, (self.operations[slot].seats for slot in slots), 0)

    def group_tricks(self, slots: Iterable[int]) -> None:
        """Look up the tricks of several declarers in one strain together if these slots need them all.

        A solver needs less time for four declarers together than for two of them separately.
        """
        required = {part for slot in slots for part in self.find_required(slot)}
        for slot in sorted(required):
            operation = self.operations[slot]
            if operation.kind == "tricks" and slot not in self.grouped_tricks.get(operation.detail[1], ()):
                self.grouped_tricks.setdefault(operation.detail[1], []).append(slot)

    def raise_error(self, node: Any, message: str) -> NoReturn:
        """Raise a ScriptError with the place of a node."""
        script = self.program.script
        source = ScriptSource(script.text, self.rules, script.file)
        raise source.error_at(message, getattr(node, "place", None))
