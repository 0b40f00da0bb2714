"""The program of a script: instructions that evaluate its condition and draw the numbers of its actions.

On a classic stream `rnd` takes the next number of the generator that deals the cards. So operands are evaluated
from left to right, and only where their values are needed, as in the programs that have these streams. The
instructions are made from the operations of the script; a kernel executes them deal by deal. Of the actions
they compute only what draws depend on: everything else is evaluated for many deals at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.compiler import program_codes as codes
from dealerkit.compiler.operation_list import OperationList
from dealerkit.compiler.operations import Operation, Range
from dealerkit.compiler.suit_tables import find_hand_tables, find_length_table
from dealerkit.language.functions import greatest, least
from dealerkit.language.shapes import pattern_table

MAX_DEPTH = 40  # of operations inside operations; deeper ones are subroutines
_INTEGER = {
    "+": codes.ADD, "-": codes.SUBTRACT, "*": codes.MULTIPLY, "/": codes.DIVIDE, "%": codes.REMAINDER,
    "==": codes.EQUAL, "!=": codes.UNEQUAL, "<": codes.LESS, "<=": codes.AT_MOST,
    "min": codes.LEAST, "max": codes.GREATEST,
}  # fmt: skip
_REAL = {
    "+": codes.ADD_REAL, "-": codes.SUBTRACT_REAL, "*": codes.MULTIPLY_REAL, "/": codes.DIVIDE_REAL,
    "%": codes.REMAINDER_REAL, "==": codes.EQUAL_REAL, "!=": codes.UNEQUAL_REAL, "<": codes.LESS_REAL,
    "<=": codes.AT_MOST_REAL, "min": codes.LEAST_REAL, "max": codes.GREATEST_REAL,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class DealProgram:
    """The instructions for one deal, with the tables that they use.

    Attributes
    ----------
    code : ndarray of int32 [n, 4]
    integers, reals : ndarray of int64 and float64 [r]
        The registers before the first deal, which hold the constants.
    tables : ndarray of int32 [t]
    masks : ndarray of uint64 [m]
    n_subroutines : int
    slots : tuple of int
        The slot of each register, -1 for others.
    registers : dict of int to int
        The register of each slot.
    draws : tuple of int
        Slots of the random numbers of the actions.
    draw_registers : ndarray of int64
    externals : frozenset of int
        Slots whose values the caller of the kernel computes.
    """

    code: np.ndarray
    integers: np.ndarray
    reals: np.ndarray
    tables: np.ndarray
    masks: np.ndarray
    n_subroutines: int
    slots: tuple[int, ...]
    registers: dict[int, int]
    draws: tuple[int, ...]
    draw_registers: np.ndarray
    externals: frozenset[int]


def build_program(
    graph: OperationList, condition: int | None, action_slots: Iterable[int], sorts: bool = False
) -> DealProgram:
    """Return the program of a condition (None: every deal is accepted) and of the actions' expressions.

    `sorts` is true for the stream of DealerV2 without predealt cards, where an accepted deal is sorted.
    """
    builder = _Builder(graph, sorts)
    roots = [*action_slots]
    builder.count_uses(roots if condition is None else [condition, *roots])
    rejected: list[int] = []
    if condition is not None:
        builder.jump(condition, False, rejected)
    if sorts:
        builder.emit(codes.SORT)
    builder.emit(codes.ACCEPT)
    builder.known.clear()
    for slot in roots:
        builder.draw(slot)
    builder.emit(codes.FINISH)
    builder.place(rejected)
    builder.emit(codes.REJECT)
    builder.emit_subroutines()
    draws = tuple(slot for slot in sorted(graph.find_reachable(roots)) if graph.operations[slot].kind == "random")
    return builder.assemble(draws)


class _Builder:
    """Instructions, registers and tables while they are made."""

    def __init__(self, graph: OperationList, sorts: bool) -> None:
        self.graph, self.sorts = graph, sorts
        self.code: list[list[int]] = []
        self.slots: list[int] = []  # of the registers
        self.constants: dict[int, int | float] = {}  # by register
        self.registers: dict[int, int] = {}  # by slot
        self.known: dict[int, None] = {}  # slots that have a value here, in the order in which they obtained it
        self.uses: Counter[int] = Counter()
        self.random: set[int] = set()  # slots whose value depends on a random number
        self.calls: dict[int, list[int]] = {}  # by slot: the instructions that call its subroutine
        self.starts: dict[int, int] = {}  # by slot: the first instruction of its subroutine
        self.depth = 0
        self.tables: list[np.ndarray] = []
        self.offsets: dict[bytes, int] = {}
        self.masks: dict[int, int] = {}
        self.externals: set[int] = set()

    def count_uses(self, roots: Sequence[int]) -> None:
        """Count the operations that use each slot, and find those that depend on random numbers."""
        self.uses.update(roots)
        for slot in sorted(self.graph.find_reachable(roots)):
            operation = self.graph.operations[slot]
            operands = operation.inputs + operation.guarded
            self.uses.update(operation.detail if operation.kind in ("and", "or") else operands)
            if operation.kind == "random" or not self.random.isdisjoint(operands):
                self.random.add(slot)

    # ------------------------------------------------------------ instructions
    def emit(self, code: int, result: int = 0, first: int = 0, second: int = 0) -> int:
        """Add an instruction and return its number."""
        self.code.append([code, result, first, second])
        return len(self.code) - 1

    def place(self, label: list[int]) -> None:
        """Let these jumps continue at the next instruction."""
        for number in label:
            self.code[number][2] = len(self.code)

    def forget(self, n_known: int) -> None:
        """Forget the slots that obtained a value in instructions which may have been skipped."""
        while len(self.known) > n_known:
            self.known.popitem()

    def new_register(self, slot: int = -1) -> int:
        """Return the number of a new register."""
        self.slots.append(slot)
        return len(self.slots) - 1

    def register(self, slot: int) -> int:
        """Return the register of a slot."""
        if slot not in self.registers:
            self.registers[slot] = register = self.new_register(slot)
            operation = self.graph.operations[slot]
            if operation.kind == "constant":
                self.constants[register] = operation.detail
        return self.registers[slot]

    def constant(self, value: int) -> int:
        """Return a register with a number."""
        register = self.new_register()
        self.constants[register] = value
        return register

    # ------------------------------------------------------------ values
    def value(self, slot: int) -> int:
        """Return the register of a slot, after instructions that give it its value."""
        operation = self.graph.operations[slot]
        register = self.register(slot)
        if operation.kind == "constant" or slot in self.known:
            return register
        is_shared = self.uses[slot] > 1 and not self._is_cheap(operation)
        if is_shared or self.depth > MAX_DEPTH or slot in self.calls:
            self.calls.setdefault(slot, []).append(self.emit(codes.CALL, register))
        else:
            self.compute(slot)
        self.known[slot] = None
        return register

    def compute(self, slot: int) -> None:
        """Add the instructions that compute a slot."""
        self.depth += 1
        operation = self.graph.operations[slot]
        _COMPUTERS[operation.kind](self, slot, operation)
        self.depth -= 1

    def emit_subroutines(self) -> None:
        """Add the subroutines that are called, those that they call included."""
        placed = 0
        while placed < len(self.calls):
            slot = list(self.calls)[placed]
            self.known.clear()
            self.depth, start = 0, len(self.code)
            self.compute(slot)
            self.emit(codes.RETURN, self.register(slot))
            self.starts[slot] = start
            placed += 1
        for slot, calls in self.calls.items():
            for number in calls:
                self.code[number][2] = self.starts[slot]

    def _is_cheap(self, operation: Operation) -> bool:
        """Return whether computing the operation again is as fast as a call."""
        return operation.kind in ("pattern", "board")

    def _is_real(self, slot: int) -> bool:
        return self.graph.operations[slot].range.real

    def real(self, slot: int) -> int:
        """Return the register of a slot with its value as a real."""
        register = self.value(slot)
        if not self._is_real(slot) and self.graph.operations[slot].kind != "constant":
            self.emit(codes.TO_REAL, register, register)
        return register

    def truth(self, slot: int) -> int:
        """Return a register whose integer is not zero where a slot is true."""
        register = self.value(slot)
        if not self._is_real(slot):
            return register
        result = self.new_register()
        self.emit(codes.UNEQUAL_REAL, result, register, self.constant(0))
        return result

    def jump(self, slot: int, truth: bool, label: list[int]) -> None:
        """Add instructions that jump where a slot has this truth, and add their jumps to the label."""
        operation = self.graph.operations[slot]
        if slot in self.known or self.uses[slot] > 1 or self.depth > MAX_DEPTH:
            kind = ""
        else:
            kind = operation.kind
        self.depth += 1
        if kind == "not":
            self.jump(operation.inputs[0], not truth, label)
        elif kind == "reaches":
            self.jump(operation.guarded[0], truth, label)
        elif kind in ("and", "or"):
            self._jump_operands(operation, truth, label)
        else:
            register = self.truth(slot)
            label.append(self.emit(codes.JUMP_TRUE if truth else codes.JUMP_FALSE, 0, 0, register))
        self.depth -= 1

    def _jump_operands(self, operation: Operation, truth: bool, label: list[int]) -> None:
        """Add instructions that jump where an "and" or "or" has this truth."""
        decisive = operation.kind == "or"  # the truth of an operand that decides the result
        skip: list[int] = []
        n_known = None
        for operand in operation.detail[:-1]:
            self.jump(operand, decisive, label if truth == decisive else skip)
            n_known = len(self.known) if n_known is None else n_known
        self.jump(operation.detail[-1], truth, label)
        self.place(skip)
        if n_known is not None:
            self.forget(n_known)

    # ------------------------------------------------------------ random numbers
    def draw(self, slot: int) -> None:
        """Add the instructions that draw the random numbers of a slot, without its value where that is possible."""
        todo = [slot]
        while todo:
            slot = todo.pop()
            operation = self.graph.operations[slot]
            if slot not in self.random or slot in self.known:
                continue
            if operation.kind == "random" or self.uses[slot] > 1 or self.depth > MAX_DEPTH:
                self.value(slot)
            elif operation.kind in ("and", "or"):
                self._draw_operands(operation)
            elif operation.kind == "choice":
                self._draw_choice(operation)
            else:
                todo.extend(reversed(operation.inputs or operation.guarded))

    def _draw_operands(self, operation: Operation) -> None:
        """Draw the random numbers of "and" or "or", as far as the operands before them do not decide."""
        self.depth += 1
        last = max(place for place, slot in enumerate(operation.detail) if slot in self.random)
        skip: list[int] = []
        n_known = None
        for slot in operation.detail[:last]:
            self.jump(slot, operation.kind == "or", skip)
            n_known = len(self.known) if n_known is None else n_known
        self.draw(operation.detail[last])
        self.place(skip)
        if n_known is not None:
            self.forget(n_known)
        self.depth -= 1

    def _draw_choice(self, operation: Operation) -> None:
        """Draw the random numbers of ``?:``, those of the chosen value only."""
        self.depth += 1
        conditions, values = operation.detail
        end: list[int] = []
        n_known = None
        for condition, value in zip(conditions, values[:-1], strict=True):
            miss: list[int] = []
            self.jump(condition, False, miss)
            n_known = len(self.known) if n_known is None else n_known
            before = len(self.known)
            self.draw(value)
            self.forget(before)
            end.append(self.emit(codes.JUMP))
            self.place(miss)
        self.draw(values[-1])
        self.place(end)
        assert n_known is not None
        self.forget(n_known)
        self.depth -= 1

    # ------------------------------------------------------------ operations
    def compute_arithmetic(self, slot: int, operation: Operation) -> None:
        operator, _ = operation.detail
        self._combine(operator, slot, operation.inputs, operation.range.real)
        if self.graph.rules.bits == 32 and operation.range == Range.of_bits(32):
            self.emit(codes.WRAP, self.register(slot), self.register(slot))

    def compute_comparison(self, slot: int, operation: Operation) -> None:
        operator, is_real = operation.detail
        self._combine(operator, slot, operation.inputs, is_real)

    def _combine(self, operator: str, slot: int, inputs: Sequence[int], is_real: bool) -> None:
        """Combine two operands by arithmetic, a comparison, min or max."""
        left, right = (self.real(part) if is_real else self.value(part) for part in inputs)
        if operator in (">", ">="):
            operator, left, right = operator.replace(">", "<"), right, left
        self.emit((_REAL if is_real else _INTEGER)[operator], self.register(slot), left, right)

    def compute_not(self, slot: int, operation: Operation) -> None:
        self.emit(codes.NOT, self.register(slot), self.truth(operation.inputs[0]))

    def compute_junction(self, slot: int, operation: Operation) -> None:
        register = self.register(slot)
        is_false: list[int] = []
        self._jump_operands(operation, False, is_false)
        self.emit(codes.SET, register, 1)
        end = [self.emit(codes.JUMP)]
        self.place(is_false)
        self.emit(codes.SET, register, 0)
        self.place(end)

    def compute_choice(self, slot: int, operation: Operation) -> None:
        conditions, values = operation.detail
        is_real = operation.range.real
        end: list[int] = []
        first_known = None
        for condition, value in zip((*conditions, None), values, strict=True):
            miss: list[int] = []
            if condition is not None:
                self.jump(condition, False, miss)
                first_known = len(self.known) if first_known is None else first_known
            n_known = len(self.known)
            source = self.real(value) if is_real else self.value(value)
            self.emit(codes.MOVE_REAL if is_real else codes.MOVE, self.register(slot), source)
            self.forget(n_known)
            end.append(self.emit(codes.JUMP))
            self.place(miss)
        self.place(end)
        assert first_known is not None
        self.forget(first_known)

    def compute_member(self, slot: int, operation: Operation) -> None:
        pattern = self.value(operation.inputs[0])
        table = np.asarray(pattern_table(operation.detail))
        self.emit(codes.LOOK_UP, self.register(slot), self._offset(table), pattern)

    def compute_pattern(self, slot: int, operation: Operation) -> None:
        self.emit(codes.PATTERN, self.register(slot), 0, operation.detail)

    def compute_random(self, slot: int, operation: Operation) -> None:
        limit = self.value(operation.inputs[0])
        self.emit(codes.RANDOM, self.register(slot), limit)

    def compute_board(self, slot: int, operation: Operation) -> None:
        self.emit(codes.NUMBER, self.register(slot))

    def compute_reaches(self, slot: int, operation: Operation) -> None:
        comparison = self.value(operation.guarded[0])
        self.emit(codes.MOVE, self.register(slot), comparison)

    def compute_call(self, slot: int, operation: Operation) -> None:
        function = operation.detail[0]
        tables = find_hand_tables(operation, self.graph.rules.bits)
        lengths = find_length_table(operation)
        if function.body in _EXTREMES:
            self._compute_extreme(slot, operation, _EXTREMES[function.body])
        elif tables is not None and 8 * int(np.abs(tables.tables).max()) < 1 << 31:
            terms = [term for seat in tables.seats for term in self._list_terms(seat, tables.tables)]
            self._add_terms(self.register(slot), terms)
            self._divide(slot, tables.divisor)
        elif lengths is not None:
            self._add_terms(self.register(slot), [(codes.PATTERN, 0, seat) for seat in lengths.seats])
            divisor = operation.detail[3] or 1
            table = np.rint(lengths.values * divisor)
            self.emit(codes.LOOK_UP, self.register(slot), self._offset(table), self.register(slot))
            self._divide(slot, divisor)
        else:
            self.compute_external(slot, operation)

    def _compute_extreme(self, slot: int, operation: Operation, operator: str) -> None:
        """Compute the smallest or largest of several values; all are evaluated first, in their order."""
        is_real, register = operation.range.real, self.register(slot)
        values = [self.real(part) if is_real else self.value(part) for part in operation.inputs]
        self.emit(codes.MOVE_REAL if is_real else codes.MOVE, register, values[0])
        for value in values[1:]:
            self.emit((_REAL if is_real else _INTEGER)[operator], register, register, value)

    def _add_terms(self, register: int, terms: Sequence[tuple[int, int, int]]) -> None:
        """Compute the sum of instructions, which are given without their result."""
        for place, (code, first, second) in enumerate(terms):
            target = self.new_register() if place else register
            self.emit(code, target, first, second)
            if place:
                self.emit(codes.ADD, register, register, target)

    def _divide(self, slot: int, divisor: int) -> None:
        """Divide the integer of a slot whose value is a real."""
        register = self.register(slot)
        if self._is_real(slot):
            self.emit(codes.TO_REAL, register, register)
            self.emit(codes.DIVIDE_REAL, register, register, self.constant(divisor))

    def _list_terms(self, seat: int, tables: np.ndarray) -> list[tuple[int, int, int]]:
        """Return instructions, without their result, whose values add to a sum over the suits of a seat."""
        ranks = [sum(1 << rank for rank in range(13) if table[1 << rank] == 1) for table in tables]
        counts = np.bitwise_count(np.arange(8192) & np.array(ranks)[:, None])
        if (counts == tables).all():
            mask = sum(rank << shift for rank, shift in zip(ranks, LANE_SHIFTS, strict=True))
            return [(codes.COUNT, self.masks.setdefault(mask, len(self.masks)), seat)]
        if (tables == tables[0]).all():
            return [(codes.SUM_SUITS, self._offset(tables[0]), seat)]
        return [
            (codes.HOLDING, self._offset(table), 4 * seat + suit) for suit, table in enumerate(tables) if table.any()
        ]

    def _offset(self, table: np.ndarray) -> int:
        """Return the place of a table among all tables."""
        table = np.asarray(table).astype(np.int32)
        key = table.tobytes()
        if key not in self.offsets:
            self.offsets[key] = sum(map(len, self.tables))
            self.tables.append(table)
        return self.offsets[key]

    def compute_external(self, slot: int, operation: Operation) -> None:
        call = self.graph.operations[operation.inputs[0]] if operation.kind == "output" else operation
        for part in call.inputs:
            self.value(part)
        if self.sorts and call.kind == "call" and getattr(call.detail[0], "sorts_hands", False):
            self.emit(codes.SORT)
        self.emit(codes.EXTERNAL, self.register(slot))
        self.externals.add(slot)

    # ------------------------------------------------------------ program
    def assemble(self, draws: tuple[int, ...]) -> DealProgram:
        """Return the program, once all instructions are made."""
        draw_registers = np.array([self.register(slot) for slot in draws], np.int64)
        integers, reals = np.zeros(len(self.slots), np.int64), np.zeros(len(self.slots))
        for register, value in self.constants.items():
            reals[register] = value
            if isinstance(value, int):
                integers[register] = value
        return DealProgram(
            code=np.array(self.code, np.int32).reshape(-1, 4),
            integers=integers,
            reals=reals,
            tables=np.concatenate([np.zeros(1, np.int32), *self.tables][bool(self.tables) :]),
            masks=np.array([*self.masks] or [0], np.uint64),
            n_subroutines=len(self.calls),
            slots=tuple(self.slots),
            registers=self.registers,
            draws=draws,
            draw_registers=draw_registers,
            externals=frozenset(self.externals),
        )


_EXTREMES: dict[Any, str] = {least: "min", greatest: "max"}
_COMPUTERS: dict[str, Callable[[_Builder, int, Operation], None]] = {
    "call": _Builder.compute_call,
    "output": _Builder.compute_external,
    "pattern": _Builder.compute_pattern,
    "member": _Builder.compute_member,
    "tricks": _Builder.compute_external,
    "reaches": _Builder.compute_reaches,
    "random": _Builder.compute_random,
    "board": _Builder.compute_board,
    "arithmetic": _Builder.compute_arithmetic,
    "compare": _Builder.compute_comparison,
    "not": _Builder.compute_not,
    "and": _Builder.compute_junction,
    "or": _Builder.compute_junction,
    "choice": _Builder.compute_choice,
}
