"""Building programs: registers, jumps, subroutines, and where each value is computed.

A slot that is used once is computed where it is needed. A slot that is used several times becomes a
subroutine, which computes it once for each deal. `deal_program` has the instructions for each kind of
operation.
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

MAX_DEPTH = 40  # of operations inside operations; deeper ones become subroutines
Computer = Callable[[Any, int, Operation], None]  # takes the builder, a slot and its operation


class ProgramBuilder:
    """Instructions, registers and tables while they are made.

    A list of jumps contains the numbers of instructions whose target is not known yet; `place` sets it.

    Attributes
    ----------
    code : list of [int, int, int, int]
        Instructions; see `program_codes`.
    slots : list of int
        The slot of each register; -1 for registers without one.
    constants : dict of int to int or float
        Register to its constant.
    registers : dict of int to int
        Slot to its register.
    known : dict of int to None
        Slots that have a value at this instruction, in the order in which they obtained it.
    uses : Counter of int
        Slot to the number of operations that use it.
    random : dict of int to int
        Slot to the number of random numbers that its value depends on, if any.
    calls : dict of int to list of int
        Slot to the instructions that call its subroutine.
    starts : dict of int to int
        Slot to the first instruction of its subroutine.
    defers : bool
        Whether evaluation of the condition can stop at a function at which DealerV2 sorts the hands.
    deferred : list of int
        The jumps from such functions.
    depth : int
        Number of operations that contain the one that is being computed.
    tables : list of ndarray of int32
        The tables of all instructions; `offsets` has the place of each by its bytes.
    masks : dict of int to int
        Mask of cards to its place.
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
        """Count the operations that use each slot, and find the slots that depend on random numbers."""
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
        """Make the next instruction the target of these jumps."""
        for number in jumps:
            self.code[number][2] = len(self.code)

    def forget(self, n_known: int) -> None:
        """Forget all but the first `n_known` slots: the instructions that set the others may be skipped."""
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
        """Return the register of a slot, after adding the instructions that compute its value."""
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
        """Add the subroutines that are called, also those that only other subroutines call."""
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
        """Return a register whose integer is not zero if the slot is true."""
        register = self.value(slot)
        if not self.is_real(slot):
            return register
        result = self.new_register()
        self.emit(codes.UNEQUAL_REAL, result, register, self.constant(0))
        return result

    def jump(self, slot: int, truth: bool, jumps: list[int]) -> None:
        """Add instructions that jump if a slot has this truth, and add their numbers to `jumps`."""
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
        """Add instructions that jump if an "and" or "or" has this truth."""
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
        """Add the instructions that generate the random numbers of a slot, and only what these need."""
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
        """Generate the random numbers of "and" or "or", unless operands before them decide the result."""
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
        """Generate the random numbers of ``?:``, but only those of the chosen value."""
        self.depth += 1
        conditions, values = operation.detail
        end: list[int] = []
        n_known = None
        # Jump over the random numbers of each value whose condition is false.
        for condition, value in zip(conditions, values[:-1], strict=True):
            miss: list[int] = []
            self.jump(condition, False, miss)
            n_known = len(self.known) if n_known is None else n_known
            before = len(self.known)
            self.draw(value)
            self.forget(before)
            end.append(self.emit(codes.JUMP))
            self.place(miss)
        # If all conditions are false, the last value is chosen.
        self.draw(values[-1])
        self.place(end)
        assert n_known is not None
        self.forget(n_known)
        self.depth -= 1

    # ------------------------------------------------------------ tables
    def list_terms(self, seat: int, tables: np.ndarray) -> list[tuple[int, int, int]]:
        """Return instructions, without their result, whose sum is that of the tables over a seat's suits."""
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
        """Add instructions that compute the sum of instructions given without their result."""
        for place, (code, first, second) in enumerate(terms):
            target = self.new_register() if place else register
            self.emit(code, target, first, second)
            if place:
                self.emit(codes.ADD, register, register, target)
