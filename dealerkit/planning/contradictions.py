"""Clauses that no deal meets together, as few of them as possible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dealerkit.counting.budget import count_share, find_countable
from dealerkit.counting.suit_splits import TooManyStates
from dealerkit.dealing.predeal import Predeal
from dealerkit.planning.choice import choose_plan
from dealerkit.planning.plan import Limits, Plan

MAX_TRIALS = 40  # clauses that are left out in turn; each trial repeats the count


def minimal_unsatisfiable_clauses(
    plan: Plan, chosen_plan: Plan, predeal: Predeal, exact_rate: Fraction | None
) -> tuple[int, ...]:
    """Return clauses that no deal meets together; without any one of them, some deal may meet the others.

    Parameters
    ----------
    plan : Plan
        The plain plan.
    chosen_plan : Plan
        The plan that `choose_plan` made of it.
    predeal : Predeal
        Cards and lengths that every deal has.
    exact_rate : Fraction or None
        The acceptance rate in [0, 1] if it was counted.

    Returns
    -------
    tuple of int
        Slots of the clauses; empty if it is not proved that no deal meets all clauses.
    """
    is_unsatisfiable: Callable[[Plan, tuple[int, ...], Predeal], bool]
    if exact_rate == 0:
        slots, is_unsatisfiable = find_countable(plan.graph, dict.fromkeys(plan.clauses))[0], _has_count_zero
    elif chosen_plan.is_impossible and chosen_plan.sampling is not None:
        slots, is_unsatisfiable = chosen_plan.sampling.sampled_clauses, _has_no_candidates
    else:
        return ()
    for slot in reversed(slots[:MAX_TRIALS]):
        others = tuple(other for other in slots if other != slot)
        if others and is_unsatisfiable(plan, others, predeal):
            slots = others
    return slots


def _has_count_zero(plan: Plan, slots: tuple[int, ...], predeal: Predeal) -> bool:
    try:
        return count_share(plan.graph, slots, predeal) == 0
    except TooManyStates:
        return False


def _has_no_candidates(plan: Plan, slots: tuple[int, ...], predeal: Predeal) -> bool:
    plain = replace(plan, clauses=slots, n_solver_clauses=0)
    return choose_plan(plain, "conditional", Limits(None, None), predeal).is_impossible
