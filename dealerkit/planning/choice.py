"""Plain, staged or conditional dealing: which of them a run takes.

Conditional dealing draws what clauses demand, instead of dealing until it comes (`sampling`).
Staged dealing deals one side, asks the clauses about it, and deals the other side for the
survivors; the deals are those of plain dealing.

The choice rests on the script, the predeal and the limits alone: acceptance rates
come from a pilot with a seed of its own, costs from a table (`sampling`), never from a clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dealerkit.compiler.graph import OperationGraph
from dealerkit.dealing.predeal import Predeal
from dealerkit.planning.plan import Limits, Plan
from dealerkit.planning.rates import Rates, ask
from dealerkit.planning.sampling import DEALT, PILOT, PLANNING, best_sampling, rate_of

PLANS = ("auto", "plain", "staged", "conditional")
_SIDES = (0b0101, 0b1010)


def choose(plan: Plan, wish: str, limits: Limits, predeal: Predeal) -> Plan:
    """The plan of a run on the uniform stream: as it is, staged, or with a `Sampling`.

    Parameters
    ----------
    plan : Plan
        The plain one.
    wish : {"auto", "plain", "staged", "conditional"}
        Conditional stays plain where no clause can be sampled.
    limits : Limits
    predeal : Predeal
        All that is predealt, the script's and the caller's.

    Returns
    -------
    Plan
    """
    movable = _movable(plan.graph, plan.clauses[: len(plan.clauses) - plan.dear])
    if wish == "plain" or not movable or limits.produce == 0 or limits.generate == 0:
        return plan
    if wish == "staged":
        return _staged(plan)
    if wish == "auto" and limits.generate is not None and limits.generate * DEALT < PLANNING:
        return plan
    rates = ask(plan.graph, movable, PILOT, predeal or None)
    cost = _plain_cost(rates, limits)
    if wish == "auto":
        plan = _ordered(plan, movable, rates)
        if cost < PLANNING:
            return plan
    sampling = best_sampling(plan, movable, rates, predeal, cost, wish)
    if sampling is None or (wish == "auto" and sampling.work > DEALT):
        return _staged(plan) if wish == "auto" else plan
    asked = (*sampling.filters, *plan.clauses[len(movable) :])
    return replace(
        plan,
        name="conditional",
        clauses=asked,
        asked_seats=plan.graph.find_seats(asked),
        sampling=sampling,
    )


def _movable(graph: OperationGraph, clauses: Sequence[int]) -> tuple[int, ...]:
    """The leading clauses that may be asked in any order: those that have a value for every deal."""
    count = 0
    for slot in clauses:
        if not graph.operations[slot].total or graph.has_kind([slot], "random"):
            break
        count += 1
    return tuple(clauses[:count])


def _plain_cost(rates: Rates, limits: Limits) -> float:
    """Nanoseconds of plain dealing, about; a condition that the pilot never saw met is a rare one."""
    share = rates.probability
    deals = float("inf")
    if limits.produce is not None and share is not None and share.value > 0:
        deals = limits.produce / share.value
    if limits.generate is not None:
        deals = min(deals, limits.generate)
    return deals * DEALT


def _ordered(plan: Plan, movable: tuple[int, ...], rates: Rates) -> Plan:
    """The clauses by cost for each deal that they refuse."""

    def price(slot: int) -> float:
        refused = 1 - rate_of(rates.alone[movable.index(slot)])
        return plan.graph.operations[slot].cost_ns / max(refused, 1e-9)

    return replace(plan, clauses=(*sorted(movable, key=price), *plan.clauses[len(movable) :]))


def _staged(plan: Plan) -> Plan:
    """The same plan, one side dealt and asked before the other, where some clauses look at one side only."""
    cheap = plan.clauses[: len(plan.clauses) - plan.dear]
    seats = plan.graph.find_seats(cheap)
    movable = _movable(plan.graph, cheap)
    best: tuple[int, ...] = ()
    for side in _SIDES:
        if seats & side and seats & ~side:
            own = tuple(slot for slot in movable if not plan.graph.find_seats((slot,)) & ~side)
            best = max(best, own, key=len)
    if not best:
        return plan
    rest = tuple(slot for slot in plan.clauses if slot not in best)
    return replace(plan, name="staged", clauses=(*best, *rest), first=len(best))
