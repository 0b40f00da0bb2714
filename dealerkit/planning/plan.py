"""The plain plan: deal, ask the clauses in the order of the text, act on the survivors.

A plan is a function of the script, its parameters and its limits alone; it never
looks at a clock. Only seats that the condition looks at are dealt at first; the
others follow for the survivors, and are the same cards as if dealt at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dealerkit.actions import Action, create_action
from dealerkit.compiler.compilation import CompiledScript
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.trick_thresholds import SOLVER_COST_NS
from dealerkit.errors import ArgumentError
from dealerkit.language.checks import Program

if TYPE_CHECKING:
    from dealerkit.planning.sampling import Sampling

PLAN_VERSION = 5
MOST_DEALS = 10_000_000  # generate limit of a run that says neither how many to deal nor to produce
PRINTED = 40  # produce limit of a run that prints each deal and does not say how many


@dataclass(frozen=True)
class Limits:
    """When a run ends: deals dealt, deals produced; None is no limit."""

    generate: int | None
    produce: int | None


@dataclass(frozen=True)
class Plan:
    """What a run does.

    Attributes
    ----------
    name, version : str, int
        Kind of plan; equal seeds and equal versions give equal deals.
    clauses : tuple of int
        Slots of the condition's clauses in the order of asking.
    asked_seats : int
        Bit set of the seats that the clauses look at.
    actions : tuple of Action
        Templates; a run works on fresh copies.
    wanted_seats : int
        Bit set of the seats that the actions look at.
    random, board : bool
        The run draws numbers of its own; a clause asks for the number of produced deals.
    dear : int
        How many of the clauses, the last ones, ask a solver.
    first : int
        How many of the clauses, under a staged plan, are asked when one side is dealt.
    sampling : Sampling or None
        What a conditional plan draws from.
    """

    program: Program
    graph: OperationGraph = field(repr=False)
    clauses: tuple[int, ...]
    asked_seats: int
    actions: tuple[Action, ...]
    wanted_seats: int
    random: bool
    board: bool
    dear: int = 0
    first: int = 0
    sampling: Sampling | None = None
    name: str = "plain"
    version: int = PLAN_VERSION

    @property
    def solving(self) -> float:
        """Nanoseconds that a solver needs for a deal that is asked everything, roughly."""
        slots = [*self.clauses, *(slot for action in self.actions for slot in action.slots)]
        operations = [self.graph.operations[slot] for slot in self.graph.find_reachable(slots)]
        own = sum(
            one.cost_ns
            for one in operations
            if one.cost_ns >= SOLVER_COST_NS and not one.inputs + one.guarded
        )
        return own + sum(action.cost_ns for action in self.actions)

    @property
    def prints(self) -> bool:
        """Does an action print a text for each deal?"""
        return any(action.prints for action in self.actions)


def make_plan(compiled: CompiledScript) -> Plan:
    """The plain plan of a compiled script; `choosing.choose` may find a better one.

    Raises
    ------
    NotYetError
        The script asks for something that nothing computes yet.
    ScriptError
        An expression that cannot be computed, with its place.
    """
    program, graph = compiled.program, compiled.graph
    clauses = _dear_last(graph, compiled.clauses)
    actions = tuple(create_action(node, graph) for node in program.actions)
    slots = [slot for action in actions for slot in action.slots]
    graph.group_tricks(slots)
    dear = 0
    while dear < len(clauses) and _asks_solver(graph, clauses[-1 - dear]):
        dear += 1
    board = graph.has_kind(clauses, "board")
    if board and program.script.rules.random_zero == "error":
        graph.raise_error(
            program.condition, "board(), the number of the produced deal, has a value in actions only"
        )
    return Plan(
        program=program,
        graph=graph,
        clauses=clauses,
        asked_seats=graph.find_seats(clauses),
        actions=actions,
        wanted_seats=0b1111 if any(action.cards for action in actions) else graph.find_seats(slots),
        random=graph.has_kind([*clauses, *slots], "random"),
        board=board,
        dear=dear,
    )


def _asks_solver(graph: OperationGraph, slot: int) -> bool:
    return any(graph.operations[part].cost_ns >= SOLVER_COST_NS for part in graph.find_reachable([slot]))


def _dear_last(graph: OperationGraph, clauses: Sequence[int]) -> tuple[int, ...]:
    """The clauses with those that ask a solver behind the others, as far as guards allow.

    A clause that may fail, such as a division, stays behind all that stood before it.
    """
    ordered: list[int] = []
    waiting: list[int] = []
    for slot in clauses:
        if not graph.operations[slot].total:
            ordered += [*waiting, slot]
            waiting = []
        else:
            (waiting if _asks_solver(graph, slot) else ordered).append(slot)
    return (*ordered, *waiting)


def resolve_limits(plan: Plan, produce: int | None, generate: int | None, length: int | None) -> Limits:
    """The limits of a run: what the caller says, else the script, else the defaults of its rules.

    Parameters
    ----------
    produce, generate : int >= 0 or None
        The caller's.
    length : int or None
        Number of deals that the source holds; None: no end.

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
        generate = MOST_DEALS if generate is None and length is None else generate
        produce = PRINTED if program.prints else None
    elif generate is None:
        generate = rules.generate
    if length is not None:
        generate = length if generate is None else min(generate, length)
    return Limits(generate, produce)
