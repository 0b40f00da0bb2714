"""Plans, which say which deals a run samples and in which order it evaluates the clauses on them.

`make_plan` makes the plain plan of a script, from which `choice` derives better ones. A plan depends only on
the script, its parameters, the predeal and the limits. Costs are constants of this module, and no clock is
read, so equal seeds give equal deals everywhere.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING

from dealerkit import actions
from dealerkit.actions import Action
from dealerkit.appearance.numbers import format_count, format_significant
from dealerkit.compiler.compilation import CompiledScript
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.trick_thresholds import SOLVER_COST_NS
from dealerkit.errors import ArgumentError, NotYetError, Parameter
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.runtime.process import cached_property

if TYPE_CHECKING:
    from dealerkit.dealing.conditional.hand_sets import HandSet
    from dealerkit.dealing.conditional.sampler import Sampler

PLAN_VERSION = 7

# Costs in nanoseconds on one thread of a 2020s processor; see docs/explanation/performance.md.
DEAL_NS = 50.0  # to deal a plain deal and evaluate the clauses on it
CANDIDATE_NS = 200.0  # to sample a candidate and evaluate the remaining clauses on it
PLANNING_NS = 1e7  # to analyse a condition and build the tables of its sampler
# A mixture is used if its share is at most this part of a single sampler's, because its candidates cost more.
MAX_MIXTURE_RATIO = Fraction(4, 5)
DEFAULT_GENERATE = 10_000_000  # number of deals dealt in a run without limits
DEFAULT_PRODUCE = 40  # number of deals produced in a run without limits that prints each of them
MAX_CELLS = 4_000_000  # number of cells in all tables of a script; about 100 MB, and three seconds to print


@dataclass(frozen=True)
class Limits:
    """The limits of a run: the numbers of deals dealt and of deals produced; None means no limit."""

    generate: int | None
    produce: int | None


@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """How a run deals, and in which order it evaluates its clauses.

    Attributes
    ----------
    program : Program
        The content of the script.
    graph : OperationGraph
        The compiled expressions.
    clauses : tuple of int
        Slots of the condition's clauses in the order of evaluation.
    actions : tuple of Action
        Templates of the actions, of which a run makes copies.
    n_solver_clauses : int
        Number of clauses at the end that need the double-dummy solver.
    n_staged : int
        Number of clauses at the beginning that a staged plan evaluates when only one side is dealt.
    sampling : Sampling or None
        The sampler of a conditional plan.
    name : {"plain", "staged", "conditional", "levelled"}
        The kind of plan.
    version : int
        Version of the planning. Equal seeds, stream versions and plan versions give equal deals.
    """

    program: Program
    graph: OperationGraph
    clauses: tuple[int, ...]
    actions: tuple[Action, ...]
    n_solver_clauses: int = 0
    n_staged: int = 0
    sampling: Sampling | None = None
    name: str = "plain"
    version: int = PLAN_VERSION

    def __repr__(self) -> str:
        sampling = "" if self.sampling is None else f", sampling={self.sampling!r}"
        return (
            f"Plan({self.name!r}, n_clauses={len(self.clauses)}, n_staged={self.n_staged}, "
            f"n_solver_clauses={self.n_solver_clauses}, n_actions={len(self.actions)}{sampling})"
        )

    @property
    def clause_seats(self) -> int:
        """Bit set of the seats whose cards the clauses depend on."""
        return self.graph.find_seats(self.clauses)

    @property
    def action_slots(self) -> tuple[int, ...]:
        """Slots of the expressions in the actions."""
        return tuple(slot for action in self.actions for slot in action.slots)

    @property
    def action_seats(self) -> int:
        """Bit set of the seats whose cards the actions depend on."""
        needs_cards = any(action.needs_cards for action in self.actions)
        return 0b1111 if needs_cards else self.graph.find_seats(self.action_slots)

    @property
    def has_random(self) -> bool:
        """Whether a clause or an action contains `rnd`."""
        return self.graph.has_kind([*self.clauses, *self.action_slots], "random")

    @property
    def has_board(self) -> bool:
        """Whether a clause contains `board`, the number of the produced deal."""
        return self.graph.has_kind(self.clauses, "board")

    @cached_property
    def variable_slots(self) -> dict[str, int]:
        """Slots of the script's variables by name; those with `rnd` have random numbers of their own."""
        slots = {}
        for name in self.program.definitions:
            with contextlib.suppress(NotYetError):
                slots[name] = self.graph.add_expression(nodes.Name(name))
        return slots

    @property
    def cheap_clauses(self) -> tuple[int, ...]:
        """Slots of the clauses that do not need the solver."""
        return self.clauses[: len(self.clauses) - self.n_solver_clauses]

    @property
    def solver_clauses(self) -> tuple[int, ...]:
        """Slots of the clauses that need the solver."""
        return self.clauses[len(self.clauses) - self.n_solver_clauses :]

    @property
    def is_impossible(self) -> bool:
        """Whether the sampler proves that no deal meets the condition."""
        return self.sampling is not None and not self.sampling.share

    @property
    def solver_ns(self) -> float:
        """Approximate solving time in nanoseconds for a deal on which all expressions are evaluated."""
        slots = self.graph.find_reachable([*self.clauses, *self.action_slots])
        operations = [self.graph.operations[slot] for slot in slots]
        # The cost of an operation includes that of its inputs, so count only the leaves.
        leaves = [operation for operation in operations if not operation.inputs + operation.guarded]
        solved = sum(operation.cost_ns for operation in leaves if operation.cost_ns >= SOLVER_COST_NS)
        return solved + sum(action.cost_ns for action in self.actions)


@dataclass(frozen=True, eq=False, repr=False)
class Sampling:
    """The sampler of a conditional plan, and the clauses that remain to be evaluated on its candidates."""

    sampler: Sampler  # a HandSetSampler or a Mixture
    filters: tuple[int, ...]  # slots of the remaining clauses
    placements: tuple[ClausePlacement, ...]  # those of all clauses that can be evaluated in any order
    disjunctions: tuple[int, ...] = ()  # slots of the ``or`` clauses whose branches a mixture samples
    branches: tuple[Branch, ...] = ()  # the branches of a mixture, one for each of its samplers

    def __repr__(self) -> str:
        kind = type(self.sampler).__name__
        share = format_significant(float(self.share), 4, ascii=True)
        return f"Sampling({kind}, share={share}, n_filters={len(self.filters)})"

    @property
    def sampled_clauses(self) -> tuple[int, ...]:
        """Slots of the clauses that every candidate meets."""
        return tuple(clause.slot for clause in self.placements if clause.slot not in self.filters)

    @property
    def share(self) -> Fraction:
        """The probability that a deal is a candidate."""
        return self.sampler.share

    @property
    def cost_ns(self) -> float:
        """Cost in nanoseconds of the candidates that replace one plain deal."""
        return float(self.share) * CANDIDATE_NS / (float(MAX_MIXTURE_RATIO) if self.branches else 1)


@dataclass(frozen=True, eq=False)
class Branch:
    """One operand of each ``or`` that a mixture samples, with the sampler for them."""

    slots: tuple[int, ...]  # slots of the operands
    filters: tuple[int, ...]  # slots of the operands' conjuncts that the sampler does not guarantee
    sampling: Sampling = field(repr=False)  # for the operands together with all other clauses


@dataclass(frozen=True)
class ClausePlacement:
    """The part of the deal that a clause constrains.

    Parameters
    ----------
    slot : int
        Slot of the clause.
    target : {"seat", "side", "lengths", "filter"}
        ``seat`` if the hand set of one seat expresses the clause; ``side`` if the set of a side's 26 cards
        does; ``lengths`` if it depends on suit lengths of several seats; ``filter`` for other clauses. The
        last two must be evaluated.
    seats : int
        Bit set of the seats that it depends on.
    reason : str
        Why it has this target, for messages.
    narrowed_seats : int
        Bit set of the seats whose hand sets are narrowed by a necessary condition of the clause.
    """

    slot: int
    target: str
    seats: int
    reason: str
    narrowed_seats: int = 0


@dataclass(frozen=True, eq=False)
class Constraints:
    """The clauses of a condition, expressed as sets of hands as far as possible.

    Attributes
    ----------
    placements : tuple of ClausePlacement
        The placements in the order of the clauses.
    seat_sets : tuple of (HandSet or None), N E S W
        The hands that the clauses about each seat and the predeal allow; None for all hands of cards that are
        not predealt to others.
    side_sets : tuple of (HandSet or None), NS EW
        The 26 cards that the clauses about each side and the predeal allow; None without such a clause.
    """

    placements: tuple[ClausePlacement, ...]
    seat_sets: tuple[HandSet | None, ...]
    side_sets: tuple[HandSet | None, ...]


def make_plan(compiled: CompiledScript, counts_types: bool = True) -> Plan:
    """Return the plain plan of a compiled script: clauses in the order of the text, solver clauses last.

    `counts_types` says whether to count the produced deals of each hand type, if the script has hand types.

    Raises
    ------
    NotYetError
        A function is not implemented.
    ScriptError
        An expression cannot be computed.
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
        message = "board(), the number of the produced deal, can be used in actions only"
        graph.raise_error(program.condition, message)
    return plan


def _create_actions(parsed: Sequence[nodes.Action], graph: OperationGraph) -> tuple[Action, ...]:
    """Return the actions; raise ScriptError at the one whose table has too many cells."""
    created: list[Action] = []
    total = 0
    for node in parsed:
        created.append(actions.create_action(node, graph))
        total += created[-1].n_cells
        if total > MAX_CELLS:
            graph.raise_error(
                node,
                f"the tables of the script up to this one have {format_count(total, 'cell')}, and at most "
                f"{format_count(MAX_CELLS)} are possible; use smaller ranges, or bktfreq with larger buckets",
            )
    return tuple(created)


def needs_solver(graph: OperationGraph, slot: int) -> bool:
    """Return whether an expression, or another one that it may need, costs as much as solving."""
    return any(graph.operations[part].cost_ns >= SOLVER_COST_NS for part in graph.find_reachable([slot]))


def order_clauses(graph: OperationGraph, clauses: Sequence[int]) -> tuple[int, ...]:
    """Return the clauses with those that need the solver last, as far as possible.

    A clause that may have no value, such as a division, stays after all clauses that precede it.
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
    """Return the limits of a run: those of the caller, or else of the script, or else of its dialect.

    `length` is the number of deals in the source, None if it has no end.

    Raises
    ------
    ArgumentError
        A limit of the caller is negative.
    """
    program, rules = plan.program, plan.program.script.rules
    for name, number in (("produce", produce), ("generate", generate)):
        if number is not None and number < 0:
            raise ArgumentError(
                Parameter(name), f" is {number}; it is a number of deals and must be 0 or more"
            )
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
