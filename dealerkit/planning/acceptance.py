"""The acceptance rate of a script before it runs: counted, or estimated from candidates or pilot deals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from dealerkit.dealing.predeal import Predeal
from dealerkit.language.printer import to_text
from dealerkit.planning import rates
from dealerkit.planning.plan import Plan
from dealerkit.statistics import Estimate


@dataclass(frozen=True, eq=False)
class AcceptanceForecast:
    """The acceptance rate of a plan and the clauses that make it 0, each computed at first use and kept.

    Each property takes about half a second at most.

    Parameters
    ----------
    plan : Plan
        The plain plan, with all clauses of the condition.
    chosen_plan : Plan
        The plan that `choose_plan` made of it.
    predeal : Predeal
        Cards and lengths that every deal has.
    """

    plan: Plan
    chosen_plan: Plan
    predeal: Predeal

    @cached_property
    def rate(self) -> Estimate | None:
        """The probability that a deal is accepted, if need be from pilot deals.

        None for a condition with a clause that needs the solver or the number of produced deals.
        """
        if self.plan.n_solver_clauses or self.plan.has_board:
            return None
        rate = self.derived_rate
        if rate is None or not (rate.exact or rate.value):
            pilot = rates.estimate_rates(
                self.plan.graph, self.plan.clauses, rates.N_PILOT_DEALS, self.predeal or None
            )
            rate = pilot.probability or rate
        return rate

    @cached_property
    def derived_rate(self) -> Estimate | None:
        """The probability that a deal is accepted, from a count or from candidates; None without either."""
        if self.exact_rate is not None:
            return Estimate.exactly(self.exact_rate)
        if self.chosen_plan.is_impossible:
            return Estimate.exactly(Fraction(0))
        rate = self.candidate_rate
        return None if rate is None else scale_to_deals(rate, self.chosen_plan)

    @property
    def exact_rate(self) -> Fraction | None:
        """The exact probability that a deal is accepted; None if it cannot be counted within the budget."""
        return self._count[0]

    @property
    def count_obstacle(self) -> str:
        """The reason why `exact_rate` is None; empty otherwise, and for dialects that are never counted."""
        return self._count[1]

    @cached_property
    def candidate_rate(self) -> Estimate | None:
        """The share of a conditional plan's candidates that are accepted; None for another plan."""
        plan = self.chosen_plan
        if plan.sampling is None or plan.is_impossible:
            return None
        return rates.estimate_candidate_rate(plan.graph, plan.clauses, plan.sampling.sampler)

    @cached_property
    def unsatisfiable_slots(self) -> tuple[int, ...]:
        """Slots of the clauses that provably no deal meets together, as few as possible; usually empty."""
        # counting and sampling are imported by the few runs that need them
        from dealerkit.planning.contradictions import minimal_unsatisfiable_clauses

        return minimal_unsatisfiable_clauses(self.plan, self.chosen_plan, self.predeal, self.exact_rate)

    @property
    def unsatisfiable_clauses(self) -> tuple[str, ...]:
        """The clauses of `unsatisfiable_slots` as text."""
        operations = self.plan.graph.operations
        return tuple(to_text(operations[slot].node) for slot in self.unsatisfiable_slots)

    @cached_property
    def _count(self) -> tuple[Fraction | None, str]:
        """`exact_rate` and `count_obstacle`.

        A rate of 0 is exact also if some clauses cannot be counted: the others suffice to exclude all deals.
        """
        from dealerkit.counting.budget import count_share, find_countable
        from dealerkit.counting.suit_splits import TooManyStates

        if self.plan.program.script.rules.is_classic:
            return None, ""
        countable, obstacle = find_countable(self.plan.graph, self.plan.clauses)
        if not countable:
            return None, obstacle
        try:
            share = count_share(self.plan.graph, countable, self.predeal)
        except TooManyStates as reason:
            return None, str(reason)
        return (share, "") if not obstacle or not share else (None, obstacle)


def scale_to_deals(candidate_rate: Estimate, plan: Plan) -> Estimate:
    """Return the acceptance rate of deals, given the share of a plan's candidates that are accepted."""
    assert plan.sampling is not None
    share = plan.sampling.share
    if not share or (plan.sampling.sampler.accepts_all and not plan.clauses):  # all candidates are accepted
        return Estimate.exactly(share, candidate_rate.n, candidate_rate.level)
    scaled = {name: getattr(candidate_rate, name) * float(share) for name in ("value", "se", "lo", "hi")}
    return replace(candidate_rate, **scaled)
