"""The clauses of a script's condition, as `explain` and `why` number them."""

from __future__ import annotations

from dataclasses import dataclass

from dealerkit.compiler.compilation import compile_program
from dealerkit.compiler.graph import OperationGraph
from dealerkit.errors import NotYetError
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.trees import split_clauses
from dealerkit.planning.plain_plan import make_plan
from dealerkit.planning.plan import Plan


@dataclass(frozen=True, eq=False)
class CompiledClauses:
    """A script with its operations, its plain plan, and the clauses of its condition."""

    program: Program
    graph: OperationGraph
    plan: Plan | None  # None if a part of the script cannot be computed yet
    nodes: tuple[nodes.Expression, ...]  # in the order of the plan: that of the text, double dummy last
    obstacle: str = ""  # the reason why there is no plan

    @property
    def numbers(self) -> dict[int, int]:
        """The numbers of the clauses, from 1, by the id of their node."""
        return {id(node): number for number, node in enumerate(self.nodes, 1)}


def compile_clauses(program: Program) -> CompiledClauses:
    """Return a checked script with the clauses of its condition.

    Raises
    ------
    ScriptError, ArgumentError
        A run would refuse the script.
    """
    clauses = tuple(split_clauses(program.condition, program.definitions))
    try:
        plan = make_plan(compile_program(program))
    except NotYetError as reason:
        return CompiledClauses(program, compile_program(program).graph, None, clauses, str(reason))
    if plan.n_solver_clauses:
        slots = [plan.graph.add_expression(node) for node in clauses]
        new = iter([slot for slot in plan.clauses if slot not in slots])  # `rnd` gets a new slot each time
        slots = [slot if slot in plan.clauses else next(new) for slot in slots]
        order = sorted(range(len(slots)), key=lambda position: plan.clauses.index(slots[position]))
        clauses = tuple(clauses[position] for position in order)
    return CompiledClauses(program, plan.graph, plan, clauses)
