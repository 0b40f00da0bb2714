"""The plain plan of a script, from which `choice` derives better ones, and the limits of its run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import takewhile

from dealerkit import actions
from dealerkit.compiler.compilation import CompiledScript
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.trick_thresholds import SOLVER_COST_NS
from dealerkit.errors import ArgumentError
from dealerkit.language.nodes import Action
from dealerkit.planning.plan import Limits, Plan

DEFAULT_GENERATE = 10_000_000  # deals dealt, of a run without limits
DEFAULT_PRODUCE = 40  # deals produced, of a run without limits that prints each of them
MAX_CELLS = 4_000_000  # of all tables of a script: about 100 MB, and three seconds to print them


def make_plan(compiled: CompiledScript, counts_types: bool = True) -> Plan:
    """Return the plain plan of a compiled script: its clauses in the order of the text, solver clauses last.

    `counts_types`: the produced deals of each hand type are counted, where the script has hand types.
    A function that is not implemented raises NotYetError; an expression that cannot be computed, ScriptError.
    """
    program, graph = compiled.program, compiled.graph
    clauses = order_clauses(graph, compiled.clauses)
    graph.compiles_actions = True
    created = _create_actions(program.actions, graph)
    created += actions.create_contract_differences(created, graph)
    if counts_types:
        created += actions.create_type_counters(program, graph, created)
    n_solver_clauses = len(list(takewhile(partial(needs_solver, graph), reversed(clauses))))
    plan = Plan(program, graph, clauses, created, n_solver_clauses)
    graph.group_tricks(plan.action_slots)
    if plan.has_board and program.script.rules.random_zero == "error":
        message = "board(), the number of the produced deal, has a value in actions only"
        graph.raise_error(program.condition, message)
    return plan


def _create_actions(nodes: Sequence[Action], graph: OperationGraph) -> tuple[actions.Action, ...]:
    """Return the actions; raise ScriptError at the one whose table has too many cells."""
    created: list[actions.Action] = []
    total = 0
    for node in nodes:
        created.append(actions.create_action(node, graph))
        total += created[-1].n_cells
        if total > MAX_CELLS:
            graph.raise_error(
                node,
                f"up to here the tables of the script have {total:,} cells, and {MAX_CELLS:,} are the most; "
                "give smaller ranges, or bktfreq with larger buckets",
            )
    return tuple(created)


def needs_solver(graph: OperationGraph, slot: int) -> bool:
    """Return whether a value, or an expression that it may need, costs as much as solving."""
    return any(graph.operations[part].cost_ns >= SOLVER_COST_NS for part in graph.find_reachable([slot]))


def order_clauses(graph: OperationGraph, clauses: Sequence[int]) -> tuple[int, ...]:
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
            (waiting if needs_solver(graph, slot) else ordered).append(slot)
    return (*ordered, *waiting)


def resolve_limits(plan: Plan, produce: int | None, generate: int | None, length: int | None) -> Limits:
    """Return the limits of a run: the caller's, else the script's, else the defaults of its rules.

    `length` is the number of deals in the source, None if it has no end. A negative limit raises
    ArgumentError.
    """
    program, rules = plan.program, plan.program.script.rules
    for name, number in (("produce", produce), ("generate", generate)):
        if number is not None and number < 0:
            raise ArgumentError(f"{name} is {number}; it counts deals, so it is 0 or more")
    if rules.is_classic:  # in the old programs, 0 means that no limit is given
        produce, generate = produce or None, generate or None
    produce = program.produce if produce is None else produce
    generate = program.generate if generate is None else generate
    if produce is None:
        generate = DEFAULT_GENERATE if generate is None and length is None else generate
        produce = DEFAULT_PRODUCE if program.prints else None
    elif generate is None:
        generate = rules.generate
    if length is not None:
        generate = length if generate is None else min(generate, length)
    return Limits(generate, produce)
