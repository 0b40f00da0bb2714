"""The choice between plain, staged and conditional dealing.

Conditional dealing samples hands that the clauses allow (`sampling`). Staged dealing deals one side,
evaluates the clauses about it, and deals the other side only if they are true; it produces the same deals as
plain dealing. The choice depends only on the script, the predeal and the limits: acceptance rates come from
pilot deals with a seed of their own, and costs are constants (`plan`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from dealerkit.compiler.graph import OperationGraph
from dealerkit.dealing.predeal import Predeal
from dealerkit.planning.plan import DEAL_NS, PLANNING_NS, Limits, Plan
from dealerkit.planning.rates import N_PLANNING_DEALS, Rates, estimate_rates
from dealerkit.planning.sampling import find_sampling

PLANS = ("auto", "plain", "staged", "conditional")
MAX_CONSIDERED = 200  # number of clauses, those that reject most; each takes about 1 ms and 0.5 MB
_SIDES = (0b0101, 0b1010)


def choose_plan(plan: Plan, kind: str, limits: Limits, predeal: Predeal) -> Plan:
    """Return the plan of a run that deals, derived from its plain plan.

    `kind` is one of `PLANS`. A "conditional" plan stays plain if no clause can be sampled, and a "staged"
    plan if no clause is about one side. `predeal` has the cards of both the script and the caller.
    """
    # Keep the plain plan if no clause can be moved, or if the run is too short for planning to pay off.
    movable = _find_movable(plan.graph, plan.cheap_clauses)
    if kind == "plain" or not movable or limits.produce == 0 or limits.generate == 0:
        return plan
    if kind == "staged":
        return _stage(plan, movable)
    if kind == "auto" and limits.generate is not None and limits.generate * DEAL_NS < PLANNING_NS:
        return plan
    # Estimate acceptance rates from pilot deals, and order the clauses by them.
    rates = estimate_rates(plan.graph, movable, N_PLANNING_DEALS, predeal)
    plain_cost_ns = _estimate_plain_cost(rates, limits)
    if kind == "auto":
        plan = _sort_clauses(plan, movable, rates)
        if plain_cost_ns < PLANNING_NS:
            return plan
    # Sample hands that the clauses allow if that costs less than plain or staged dealing.
    considered = movable
    if len(movable) > MAX_CONSIDERED:
        considered = plan.clauses[:MAX_CONSIDERED]
        tallies = dict(zip(movable, rates.alone, strict=True))
        rates = replace(rates, alone=tuple(tallies[slot] for slot in considered))
    sampling = find_sampling(plan, considered, rates, predeal, plain_cost_ns, kind)
    if sampling is None or (kind == "auto" and sampling.cost_ns > DEAL_NS):
        return _stage(plan, plan.clauses[: len(movable)]) if kind == "auto" else plan
    clauses = (*sampling.filters, *plan.clauses[len(considered) :])
    return replace(plan, name="conditional", clauses=clauses, sampling=sampling)


def _find_movable(graph: OperationGraph, clauses: Sequence[int]) -> tuple[int, ...]:
    """Return the clauses that can be evaluated in any order.

    These are the ones before the first that is random or may have no value.
    """

    def is_movable(slot: int) -> bool:
        return graph.operations[slot].total and not graph.has_kind([slot], "random")

    return tuple(takewhile(is_movable, clauses))


def _estimate_plain_cost(rates: Rates, limits: Limits) -> float:
    """Return the cost of plain dealing in nanoseconds; inf without an accepted pilot deal and a limit."""
    rate = rates.probability
    n_deals = float("inf")
    if limits.produce is not None and rate is not None and rate.value > 0:
        n_deals = limits.produce / rate.value
    if limits.generate is not None:
        n_deals = min(n_deals, limits.generate)
    return n_deals * DEAL_NS


def _sort_clauses(plan: Plan, movable: tuple[int, ...], rates: Rates) -> Plan:
    """Return the plan with its clauses sorted by their cost per rejected deal."""

    def cost_per_rejection(slot: int) -> float:
        rejected = 1 - rates.alone[movable.index(slot)].share
        return plan.graph.operations[slot].cost_ns / max(rejected, 1e-9)

    return replace(plan, clauses=(*sorted(movable, key=cost_per_rejection), *plan.clauses[len(movable) :]))


def _stage(plan: Plan, movable: Sequence[int]) -> Plan:
    """Return the staged plan, or the plan unchanged if no clause is about one side only."""
    seats = plan.graph.find_seats(plan.cheap_clauses)
    staged: tuple[int, ...] = ()
    for side in _SIDES:
        if seats & side and seats & ~side:
            own = tuple(slot for slot in movable if not plan.graph.find_seats((slot,)) & ~side)
            staged = max(staged, own, key=len)
    if not staged:
        return plan
    others = tuple(slot for slot in plan.clauses if slot not in staged)
    return replace(plan, name="staged", clauses=(*staged, *others), n_staged=len(staged))
