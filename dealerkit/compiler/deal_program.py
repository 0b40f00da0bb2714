"""The program of a script: instructions that evaluate its condition and draw the numbers of its actions.

On a classic stream `rnd` takes the next number of the generator that deals the cards. So operands are
evaluated from left to right, and only where their values are needed, as in the programs that have these
streams. The instructions are made from the operations of the script; a kernel executes them deal by deal. Of
the actions they compute only what draws depend on: everything else is evaluated for many deals at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from dealerkit.compiler import program_codes as codes
from dealerkit.compiler.operation_list import OperationList
from dealerkit.compiler.program_builder import ProgramBuilder
from dealerkit.compiler.program_operations import COMPUTERS


@dataclass(frozen=True, eq=False)
class DealProgram:
    """The instructions for one deal, with the tables that they use.

    Attributes
    ----------
    code : ndarray of int32 [n, 4]
        For each instruction its code, the register of the result, and two operands; see `program_codes`.
    integers, reals : ndarray of int64 and float64 [r]
        The registers before the first deal, which hold the constants.
    tables : ndarray of int32 [t]
        All tables, one after another.
    masks : ndarray of uint64 [m]
        Sets of cards that are counted.
    n_subroutines : int
        Nested calls are not deeper than this.
    slots : tuple of int
        The slot of each register, -1 for others.
    registers : dict of int to int
        The register of each slot.
    draws : tuple of int
        Slots of the random numbers of the actions.
    draw_registers : ndarray of int64 [d]
        Their registers.
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
        Slot of the condition; None: every deal is accepted.
    action_slots : iterable of int
        Slots of the actions' expressions, in the order of the text.
    sorts : bool
        For the stream of DealerV2 without predealt cards: the hands of an accepted deal are sorted, and those
        of a deal for which a function such as `opc` is evaluated. If no random number depends on acceptance,
        the kernel accepts a deal when it reaches such a function, and `DealProgram.condition` is evaluated
        later, for many deals at once.
    repeats_limits : bool
        For that stream, also with predealt cards: a limit of `rnd` is evaluated twice.
    """
    builder = ProgramBuilder(graph, COMPUTERS, sorts, repeats_limits)
    roots = [*action_slots]
    builder.count_uses(roots if condition is None else [condition, *roots])
    rejected: list[int] = []
    if condition is not None:
        is_free = not builder.random and not graph.has_kind([condition], "board")
        builder.defers = sorts and is_free
        builder.jump(condition, False, rejected)
    if sorts:
        builder.emit(codes.SORT)
    first_accepting = len(builder.code)
    builder.emit(codes.ACCEPT)
    builder.known.clear()
    for slot in roots:
        builder.draw(slot)
    builder.emit(codes.FINISH)
    builder.place(rejected)
    builder.emit(codes.REJECT)
    builder.emit_subroutines()
    for number in builder.deferred:
        builder.code[number][2] = first_accepting
    draws = tuple(
        slot for slot in sorted(graph.find_reachable(roots)) if graph.operations[slot].kind == "random"
    )
    return _assemble(builder, draws, condition if builder.deferred else None)


def _assemble(builder: ProgramBuilder, draws: tuple[int, ...], condition: int | None) -> DealProgram:
    """Return the program, once all instructions are made."""
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
