"""The plain plan of a script, from which `choice` derives better ones, and the limits of its run."""

from __future__ import annotations

from collections.abc import Sequence

from dealerkit.actions import create_action
from dealerkit.compiler.compilation import CompiledScript
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.trick_thresholds import SOLVER_COST_NS
from dealerkit.errors import ArgumentError
from dealerkit.planning.plan import Limits, Plan

DEFAULT_GENERATE = 10_000_000  # deals dealt, of a run without limits
DEFAULT_PRODUCE = 40  # deals produced, of a run without limits that prints each of them


def make_plan(compiled: CompiledScript) -> Plan:
    """Return the plain plan of a compiled script: its clauses in the order of the text, solver clauses last.

    Raises
    ------
    NotYetError
        The script contains a function that is not implemented.
    ScriptError
        An expression that cannot be computed, with its place.
    """
    program, graph = compiled.program, compiled.graph
    clauses = _order_clauses(graph, compiled.clauses)
    actions = tuple(create_action(node, graph) for node in program.actions)
    slots = [slot for action in actions for slot in action.slots]
    graph.group_tricks(slots)
    n_solver_clauses = 0
    while n_solver_clauses < len(clauses) and _needs_solver(graph, clauses[-1 - n_solver_clauses]):
        n_solver_clauses += 1
    has_board = graph.has_kind(clauses, "board")
    if has_board and program.script.rules.random_zero == "error":
        graph.raise_error(
            program.condition, "board(), the number of the produced deal, has a value in actions only"
        )
    return Plan(
        program=program,
        graph=graph,
        clauses=clauses,
        clause_seats=graph.find_seats(clauses),
        actions=actions,
        action_seats=0b1111 if any(action.needs_cards for action in actions) else graph.find_seats(slots),
        has_random=graph.has_kind([*clauses, *slots], "random"),
        has_board=has_board,
        n_solver_clauses=n_solver_clauses,
    )


def _needs_solver(graph: OperationGraph, slot: int) -> bool:
    return any(graph.operations[part].cost_ns >= SOLVER_COST_NS for part in graph.find_reachable([slot]))


def _order_clauses(graph: OperationGraph, clauses: Sequence[int]) -> tuple[int, ...]:
    """Return the clauses with those that need the solver last, as far as guards allow.

    A clause that may have no value, such as a division, stays behind all clauses before it.
    """
    ordered: list[int] = []
    waiting: list[int] = []
    for slot in clauses:
        if not graph.operations[slot].total:
            ordered += [*waiting, slot]
            waiting = []
        else:
            (waiting if _needs_solver(graph, slot) else ordered).append(slot)
    return (*ordered, *waiting)


def resolve_limits(plan: Plan, produce: int | None, generate: int | None, length: int | None) -> Limits:
    """Return the limits of a run: the caller's, else the script's, else the defaults of its rules.

    Parameters
    ----------
    plan : Plan
    produce, generate : int >= 0 or None
        The caller's.
    length : int or None
        Number of deals in the source; None: no end.

    Raises
    ------
    ArgumentError
        A negative limit.
    """
    program, rules = plan.program, plan.program.script.rules
    for name, number in (("produce", produce), ("generate", generate)):
        if number is not None and number < 0:
            raise ArgumentError(f"{name} is {number}; it counts deals, so it is 0 or more")
    produce = program.produce if produce is None else produce
    generate = program.generate if generate is None else generate
    if rules.is_classic:  # the old programs take 0 as not given
        produce, generate = produce or None, generate or None
    if produce is None:
        generate = DEFAULT_GENERATE if generate is None and length is None else generate
        produce = DEFAULT_PRODUCE if program.prints else None
    elif generate is None:
        generate = rules.generate
    if length is not None:
        generate = length if generate is None else min(generate, length)
    return Limits(generate, produce)
