"""The program of a script: instructions that evaluate its condition and generate its actions' random numbers.

On a classic stream `rnd` takes the next number of the generator that deals the cards. So operands must be
evaluated from left to right, and only when their values are needed, as in the programs that have these
streams. The instructions are made from the operations of the script, and a kernel executes them deal by deal.
From the actions, they compute only what random numbers depend on; everything else is evaluated for many deals
at once.

The instructions of an operation come after those of its operands, in the order of the text. Each function
in `COMPUTERS` takes a builder, a slot and its operation; the instructions that it adds set the register of
the slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dealerkit.compiler import program_codes as codes
from dealerkit.compiler.operation_list import OperationList
from dealerkit.compiler.operations import Operation, Range
from dealerkit.compiler.program_builder import Computer, ProgramBuilder
from dealerkit.compiler.suit_tables import find_hand_tables, find_length_table
from dealerkit.language.shapes import pattern_table

MAX_REPEATED = 16  # random numbers in a limit of `rnd` that is evaluated twice; nested limits double them
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
_EXTREMES = {"least": "min", "greatest": "max"}


@dataclass(frozen=True, eq=False)
class DealProgram:
    """The instructions for one deal, with the tables that they use.

    Attributes
    ----------
    code : ndarray of int32 [n, 4]
        The code of each instruction, the register of its result, and two operands; see `program_codes`.
    integers, reals : ndarray of int64 and float64 [r]
        The registers before the first deal, which contain the constants.
    tables : ndarray of int32 [t]
        All tables, one after another.
    masks : ndarray of uint64 [m]
        Sets of cards that are counted.
    n_subroutines : int
        Maximum depth of nested calls.
    slots : tuple of int
        The slot of each register; -1 for registers without one.
    registers : dict of int to int
        The register of each slot.
    draws : tuple of int
        Slots of the random numbers of the actions.
    draw_registers : ndarray of int64 [d]
        Registers of these random numbers.
    externals : frozenset of int
        Slots whose values the caller of the kernel computes.
    condition : int or None
        Slot of the condition if the caller must evaluate it on the deals that the kernel accepts.
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
    condition: int | None = None


def build_program(
    graph: OperationList,
    condition: int | None,
    action_slots: Iterable[int],
    sorts: bool = False,
    repeats_limits: bool = False,
) -> DealProgram:
    """Return the program of a condition and of the random numbers in the actions' expressions.

    Parameters
    ----------
    graph : OperationList
        The operations of the script.
    condition : int or None
        Slot of the condition; None if every deal is accepted.
    action_slots : iterable of int
        Slots of the actions' expressions, in the order of the text.
    sorts : bool
        True for the stream of DealerV2 without predealt cards, which sorts the hands of an accepted deal, and
        those of a deal for which a function such as `opc` is evaluated. If no random number depends on
        acceptance, the kernel accepts a deal when it reaches such a function, and `DealProgram.condition` is
        evaluated later, for many deals at once.
    repeats_limits : bool
        True for the stream of DealerV2, also with predealt cards, which evaluates a limit of `rnd` twice.

    Returns
    -------
    DealProgram
    """
    # The condition: its instructions jump to the end of the program if it is false.
    builder = ProgramBuilder(graph, COMPUTERS, sorts, repeats_limits)
    roots = [*action_slots]
    builder.count_uses(roots if condition is None else [condition, *roots])
    rejected: list[int] = []
    if condition is not None:
        is_free = not builder.random and not graph.has_kind([condition], "board")
        builder.defers = sorts and is_free
        builder.jump(condition, False, rejected)
    # For an accepted deal, generate the random numbers of its actions.
    if sorts:
        builder.emit(codes.SORT)
    first_accepting = len(builder.code)
    builder.emit(codes.ACCEPT)
    builder.known.clear()
    for slot in roots:
        builder.draw(slot)
    builder.emit(codes.FINISH)
    # Then come the end for rejected deals, and the subroutines, which are called in both parts.
    builder.place(rejected)
    builder.emit(codes.REJECT)
    builder.emit_subroutines()
    # If the condition is decided later, its instructions jump to the acceptance.
    for number in builder.deferred:
        builder.code[number][2] = first_accepting
    draws = tuple(
        slot for slot in sorted(graph.find_reachable(roots)) if graph.operations[slot].kind == "random"
    )
    return _assemble(builder, draws, condition if builder.deferred else None)


def _assemble(builder: ProgramBuilder, draws: tuple[int, ...], condition: int | None) -> DealProgram:
    """Return the program from its instructions, once all are made."""
    draw_registers = np.array([builder.register(slot) for slot in draws], np.int64)
    integers, reals = np.zeros(len(builder.slots), np.int64), np.zeros(len(builder.slots))
    for register, value in builder.constants.items():
        reals[register] = value
        if isinstance(value, int):
            integers[register] = value
    return DealProgram(
        code=np.array(builder.code, np.int32).reshape(-1, 4),
        integers=integers,
        reals=reals,
        tables=np.concatenate([np.zeros(1, np.int32), *builder.tables][bool(builder.tables) :]),
        masks=np.array([*builder.masks] or [0], np.uint64),
        n_subroutines=len(builder.calls),
        slots=tuple(builder.slots),
        registers=builder.registers,
        draws=draws,
        draw_registers=draw_registers,
        externals=frozenset(builder.externals),
        condition=condition,
    )


def compute_arithmetic(builder: ProgramBuilder, slot: int, operation: Operation) -> None:
    operator, _ = operation.detail
    _combine(builder, operator, slot, operation.inputs, operation.range.real)
    if builder.graph.rules.bits == 32 and operation.range == Range.of_bits(32):
        builder.emit(codes.WRAP, builder.register(slot), builder.register(slot))


def compute_comparison(builder: ProgramBuilder, slot: int, operation: Operation) -> None:
    operator, is_real = operation.detail
    _combine(builder, operator, slot, operation.inputs, is_real)


def _combine(builder: ProgramBuilder, operator: str, slot: int, inputs: Sequence[int], is_real: bool) -> None:
    """Combine two operands by arithmetic, a comparison, min or max."""
    left, right = (builder.real(part) if is_real else builder.value(part) for part in inputs)
    if operator in (">", ">="):
        operator, left, right = operator.replace(">", "<"), right, left
    builder.emit((_REAL if is_real else _INTEGER)[operator], builder.register(slot), left, right)


def compute_not(builder: ProgramBuilder, slot: int, operation: Operation) -> None:
    builder.emit(codes.NOT, builder.register(slot), builder.truth(operation.inputs[0]))


def compute_junction(builder: ProgramBuilder, slot: int, operation: Operation) -> None:
    """Compute "and" or "or"; operands after one that decides the result are not evaluated."""
    register = builder.register(slot)
    is_false: list[int] = []
    builder.jump_operands(operation, False, is_false)
    builder.emit(codes.SET, register, 1)
    end = [builder.emit(codes.JUMP)]
    builder.place(is_false)
    builder.emit(codes.SET, register, 0)
    builder.place(end)


def compute_choice(builder: ProgramBuilder, slot: int, operation: Operation) -> None:
    """Compute ``?:``; only the chosen value is evaluated."""
    conditions, values = operation.detail
    is_real = operation.range.real
    end: list[int] = []
    first_known = None
    # Jump over each value whose condition is false; after a value, jump to the end.
    for condition, value in zip((*conditions, None), values, strict=True):
        miss: list[int] = []
        if condition is not None:
            builder.jump(condition, False, miss)
            first_known = len(builder.known) if first_known is None else first_known
        n_known = len(builder.known)
        source = builder.real(value) if is_real else builder.value(value)
        builder.emit(codes.MOVE_REAL if is_real else codes.MOVE, builder.register(slot), source)
        builder.forget(n_known)
        end.append(builder.emit(codes.JUMP))
        builder.place(miss)
    # Values that only one branch computes are not known afterwards.
    builder.place(end)
    assert first_known is not None
    builder.forget(first_known)


def compute_member(builder: ProgramBuilder, slot: int, operation: Operation) -> None:
    """Compute whether a pattern is in a list of shapes."""
    pattern = builder.value(operation.inputs[0])
    table = np.asarray(pattern_table(operation.detail))
    builder.emit(codes.LOOK_UP, builder.register(slot), builder.table_offset(table), pattern)


def compute_pattern(builder: ProgramBuilder, slot: int, operation: Operation) -> None:
    """Compute the number of the pattern of a hand, ``spades << 8 | hearts << 4 | diamonds``."""
    builder.emit(codes.PATTERN, builder.register(slot), 0, operation.detail)


def compute_random(builder: ProgramBuilder, slot: int, operation: Operation) -> None:
    """Compute a random integer; DealerV2 evaluates the limit to compare it with 0 and again to use it."""
    limit, register = operation.inputs[0], builder.register(slot)
    n_random = builder.random.get(limit, 0)
    if not builder.repeats_limits or not 0 < n_random <= MAX_REPEATED:
        builder.emit(codes.RANDOM, register, builder.value(limit))
        return
    # Compare the limit with 0. A subroutine computes it, so that its instructions are not duplicated.
    builder.calls.setdefault(limit, [])
    is_zero = [builder.emit(codes.JUMP_FALSE, 0, 0, builder.value(limit))]
    # Compute the limit again, with new random numbers. If it is 0 now, the result is 0.
    for part in sorted(builder.graph.find_reachable([limit]) & builder.random.keys()):
        builder.emit(codes.FORGET, builder.register(part))
    del builder.known[limit]
    builder.emit(codes.RANDOM, register, builder.value(limit), 1)
    end = [builder.emit(codes.JUMP)]
    # If the limit was 0 before, the result is the number of the board.
    builder.place(is_zero)
    builder.emit(codes.NUMBER, register)
    builder.place(end)


def compute_board(builder: ProgramBuilder, slot: int, operation: Operation) -> None:
    builder.emit(codes.NUMBER, builder.register(slot))


def compute_reaches(builder: ProgramBuilder, slot: int, operation: Operation) -> None:
    """Compute whether tricks reach a number, by the comparison that the operation replaces."""
    comparison = builder.value(operation.guarded[0])
    builder.emit(codes.MOVE, builder.register(slot), comparison)


def compute_call(builder: ProgramBuilder, slot: int, operation: Operation) -> None:
    """Compute a call from its declared tables; the caller of the kernel computes calls without tables."""
    function = operation.detail[0]
    tables = find_hand_tables(operation, builder.graph.rules.bits)
    lengths = find_length_table(operation)
    if function.operation in _EXTREMES:
        _compute_extreme(builder, slot, operation, _EXTREMES[function.operation])
    # Tables of programs are int32, and sums over four suits of two hands must fit, too.
    elif tables is not None and 8 * int(np.abs(tables.tables).max()) < 1 << 31:
        terms = [term for seat in tables.seats for term in builder.list_terms(seat, tables.tables)]
        builder.add_terms(builder.register(slot), terms)
        _divide(builder, slot, tables.divisor)
    elif lengths is not None:
        register, divisor = builder.register(slot), operation.detail[3] or 1
        builder.add_terms(register, [(codes.PATTERN, 0, seat) for seat in lengths.seats])
        table = builder.table_offset(np.rint(lengths.values * divisor))
        builder.emit(codes.LOOK_UP, register, table, register)
        _divide(builder, slot, divisor)
    else:
        compute_external(builder, slot, operation)


def _compute_extreme(builder: ProgramBuilder, slot: int, operation: Operation, operator: str) -> None:
    """Compute the smallest or largest of several values; all are evaluated first, in their order."""
    is_real, register = operation.range.real, builder.register(slot)
    values = [builder.real(part) if is_real else builder.value(part) for part in operation.inputs]
    builder.emit(codes.MOVE_REAL if is_real else codes.MOVE, register, values[0])
    for value in values[1:]:
        builder.emit((_REAL if is_real else _INTEGER)[operator], register, register, value)


def _divide(builder: ProgramBuilder, slot: int, divisor: int) -> None:
    """Divide the integer of a slot whose value is a real."""
    register = builder.register(slot)
    if builder.is_real(slot):
        builder.emit(codes.TO_REAL, register, register)
        builder.emit(codes.DIVIDE_REAL, register, register, builder.constant(divisor))


def compute_external(builder: ProgramBuilder, slot: int, operation: Operation) -> None:
    """Let the caller of the kernel compute a slot, after the registers of its inputs have values."""
    call = builder.graph.operations[operation.inputs[0]] if operation.kind == "output" else operation
    for part in call.inputs:
        builder.value(part)
    if builder.sorts and call.kind == "call" and call.detail[0].sorts_hands:
        builder.emit(codes.SORT)
        if builder.defers:  # later deals depend on the sorted hands, but on no value
            builder.deferred.append(builder.emit(codes.JUMP))
            return
    builder.emit(codes.EXTERNAL, builder.register(slot))
    builder.externals.add(slot)


COMPUTERS: dict[str, Computer] = {
    "call": compute_call,
    "output": compute_external,
    "pattern": compute_pattern,
    "member": compute_member,
    "tricks": compute_external,
    "reaches": compute_reaches,
    "random": compute_random,
    "board": compute_board,
    "arithmetic": compute_arithmetic,
    "compare": compute_comparison,
    "not": compute_not,
    "and": compute_junction,
    "or": compute_junction,
    "choice": compute_choice,
}
