"""The builder of programs: registers, jumps, subroutines, and the decision where a value is computed.

A slot that is used once is computed where it is needed. One that is used several times is a subroutine, which
computes it once for each deal. `deal_program` has the instructions for each kind of operation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.compiler import program_codes as codes
from dealerkit.compiler.operation_list import OperationList
from dealerkit.compiler.operations import Operation

MAX_DEPTH = 40  # of operations inside operations; deeper ones are subroutines
Computer = Callable[[Any, int, Operation], None]  # takes the builder, a slot and its operation


class ProgramBuilder:
    """Instructions, registers and tables while they are made.

    A list of jumps holds the numbers of instructions whose target is not known yet; `place` sets it.

    Attributes
    ----------
    code : list of [int, int, int, int]
        Instructions; see `program_codes`.
    slots : list of int
        The slot of each register, -1 for others.
    constants : dict of int to int or float
        By register.
    registers : dict of int to int
        By slot.
    known : dict of int to None
        Slots that have a value at this instruction, in the order in which they obtained it.
    uses : Counter of int
        By slot: how many operations use it.
    random : dict of int to int
        By slot whose value depends on random numbers: on how many.
    calls : dict of int to list of int
        By slot: the instructions that call its subroutine.
    starts : dict of int to int
        By slot: the first instruction of its subroutine.
    defers : bool
        Whether the condition need not be evaluated beyond a function at which DealerV2 sorts the hands.
    deferred : list of int
        The jumps from there.
    depth : int
        Of the operation that is computed, inside others.
    tables : list of ndarray of int32
        Those of all instructions; `offsets` has the place of each by its bytes.
    masks : dict of int to int
        The place of each mask of cards.
    externals : set of int
        Slots whose values the caller of the kernel computes.
    """

    def __init__(
        self, graph: OperationList, computers: Mapping[str, Computer], sorts: bool, repeats_limits: bool
    ) -> None:
        self.graph, self.computers = graph, computers
        self.sorts, self.repeats_limits = sorts, repeats_limits
        self.code: list[list[int]] = []
        self.slots: list[int] = []
        self.constants: dict[int, int | float] = {}
        self.registers: dict[int, int] = {}
        self.known: dict[int, None] = {}
        self.uses: Counter[int] = Counter()
        self.random: dict[int, int] = {}
        self.calls: dict[int, list[int]] = {}
        self.starts: dict[int, int] = {}
        self.defers = False
        self.deferred: list[int] = []
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
            n_random = (operation.kind == "random") + sum(self.random.get(part, 0) for part in operands)
            if n_random:
                self.random[slot] = n_random

    # ------------------------------------------------------------ instructions
    def emit(self, code: int, result: int = 0, first: int = 0, second: int = 0) -> int:
        """Add an instruction and return its number."""
        self.code.append([code, result, first, second])
        return len(self.code) - 1

    def place(self, jumps: list[int]) -> None:
        """Let these jumps continue at the next instruction."""
        for number in jumps:
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
        self.computers[operation.kind](self, slot, operation)
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

    def is_real(self, slot: int) -> bool:
        """Return whether the values of a slot are reals."""
        return self.graph.operations[slot].range.real

    def real(self, slot: int) -> int:
        """Return the register of a slot with its value as a real."""
        register = self.value(slot)
        if not self.is_real(slot) and self.graph.operations[slot].kind != "constant":
            self.emit(codes.TO_REAL, register, register)
        return register

    def truth(self, slot: int) -> int:
        """Return a register whose integer is not zero where a slot is true."""
        register = self.value(slot)
        if not self.is_real(slot):
            return register
        result = self.new_register()
        self.emit(codes.UNEQUAL_REAL, result, register, self.constant(0))
        return result

    def jump(self, slot: int, truth: bool, jumps: list[int]) -> None:
        """Add instructions that jump where a slot has this truth, and add their numbers to `jumps`."""
        operation = self.graph.operations[slot]
        if slot in self.known or self.uses[slot] > 1 or self.depth > MAX_DEPTH:
            kind = ""
        else:
            kind = operation.kind
        self.depth += 1
        if kind == "not":
            self.jump(operation.inputs[0], not truth, jumps)
        elif kind == "reaches":
            self.jump(operation.guarded[0], truth, jumps)
        elif kind in ("and", "or"):
            self.jump_operands(operation, truth, jumps)
        else:
            register = self.truth(slot)
            jumps.append(self.emit(codes.JUMP_TRUE if truth else codes.JUMP_FALSE, 0, 0, register))
        self.depth -= 1

    def jump_operands(self, operation: Operation, truth: bool, jumps: list[int]) -> None:
        """Add instructions that jump where an "and" or "or" has this truth."""
        decisive = operation.kind == "or"  # the truth of an operand that decides the result
        skip: list[int] = []
        n_known = None
        for operand in operation.detail[:-1]:
            self.jump(operand, decisive, jumps if truth == decisive else skip)
            n_known = len(self.known) if n_known is None else n_known
        self.jump(operation.detail[-1], truth, jumps)
        self.place(skip)
        if n_known is not None:
            self.forget(n_known)

    # ------------------------------------------------------------ random numbers
    def draw(self, slot: int) -> None:
        """Add the instructions that draw the random numbers of a slot, and compute no more than they need."""
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
        # Jump over the draws of each value whose condition is false.
        for condition, value in zip(conditions, values[:-1], strict=True):
            miss: list[int] = []
            self.jump(condition, False, miss)
            n_known = len(self.known) if n_known is None else n_known
            before = len(self.known)
            self.draw(value)
            self.forget(before)
            end.append(self.emit(codes.JUMP))
            self.place(miss)
        # Otherwise the last value is drawn.
        self.draw(values[-1])
        self.place(end)
        assert n_known is not None
        self.forget(n_known)
        self.depth -= 1

    # ------------------------------------------------------------ tables
    def list_terms(self, seat: int, tables: np.ndarray) -> list[tuple[int, int, int]]:
        """Return instructions, without their result, whose values add to a sum over the suits of a seat."""
        ranks = [sum(1 << rank for rank in range(13) if table[1 << rank] == 1) for table in tables]
        counts = np.bitwise_count(np.arange(8192) & np.array(ranks)[:, None])
        if (counts == tables).all():
            mask = sum(rank << shift for rank, shift in zip(ranks, LANE_SHIFTS, strict=True))
            return [(codes.COUNT, self.masks.setdefault(mask, len(self.masks)), seat)]
        if (tables == tables[0]).all():
            return [(codes.SUM_SUITS, self.table_offset(tables[0]), seat)]
        return [
            (codes.HOLDING, self.table_offset(table), 4 * seat + suit)
            for suit, table in enumerate(tables)
            if table.any()
        ]

    def table_offset(self, table: np.ndarray) -> int:
        """Return the place of a table among all tables."""
        table = np.asarray(table).astype(np.int32)
        key = table.tobytes()
        if key not in self.offsets:
            self.offsets[key] = sum(map(len, self.tables))
            self.tables.append(table)
        return self.offsets[key]

    def add_terms(self, register: int, terms: Sequence[tuple[int, int, int]]) -> None:
        """Compute the sum of instructions, which are given without their result."""
        for place, (code, first, second) in enumerate(terms):
            target = self.new_register() if place else register
            self.emit(code, target, first, second)
            if place:
                self.emit(codes.ADD, register, register, target)
