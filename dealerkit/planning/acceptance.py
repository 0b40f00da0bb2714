"""The acceptance rate of a script before its run, counted or estimated from candidates or pilot deals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from dealerkit.dealing.predeal import Predeal
from dealerkit.language.printer import to_text
from dealerkit.planning import rates
from dealerkit.planning.choice import choose_plan
from dealerkit.planning.plan import Limits, Plan
from dealerkit.planning.proofs import find_false_clause
from dealerkit.runtime.process import cached_property
from dealerkit.statistics import Estimate
from dealerkit.statistics.estimates import scale_estimate

MAX_TRIALS = 40  # number of clauses that are left out in turn to find the fewest that exclude all deals


@dataclass(frozen=True, eq=False)
class AcceptanceForecast:
    """The acceptance rate of a condition, and the clauses that make it 0, each computed at first use.

    `plan` is the plain plan, and `chosen_plan` the one that `choose_plan` has derived from it. Each property
    takes at most about half a second.
    """

    plan: Plan
    chosen_plan: Plan
    predeal: Predeal

    @cached_property
    def rate(self) -> Estimate | None:
        """The probability that a deal is accepted, estimated from pilot deals if there is no better way.

        It is None for a condition with a clause that needs the solver or the number of produced deals.
        """
        if self.plan.n_solver_clauses or self.plan.has_board:
            return None
        rate = self.derived_rate
        if rate is None or not (rate.exact or rate.value):
            plan = self.plan
            pilot = rates.estimate_rates(plan.graph, plan.clauses, rates.N_PILOT_DEALS, self.predeal)
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
        """The reason why `exact_rate` is None; empty if it is not, and for the old dialects."""
        return self._count[1]

    @cached_property
    def candidate_rate(self) -> Estimate | None:
        """The share of a conditional plan's candidates that are accepted; None for other plans."""
        plan = self.chosen_plan
        if plan.sampling is None or plan.is_impossible:
            return None
        return rates.estimate_candidate_rate(plan.graph, plan.clauses, plan.sampling.sampler)

    @cached_property
    def unsatisfiable_slots(self) -> tuple[int, ...]:
        """Slots of clauses that no deal meets together; empty without a proof that there are any.

        Clauses that are not needed for the proof are left out, if they are among the first `MAX_TRIALS`.
        """
        if false := find_false_clause(self.plan.clauses, self.plan.graph):
            return false
        is_unsatisfiable: Callable[[tuple[int, ...]], bool]
        if self.exact_rate == 0:
            slots, is_unsatisfiable = self._countable[0], self._has_count_zero
        elif self.chosen_plan.is_impossible and self.chosen_plan.sampling is not None:
            slots, is_unsatisfiable = self.chosen_plan.sampling.sampled_clauses, self._has_no_candidates
        else:
            return ()
        for slot in reversed(slots[:MAX_TRIALS]):
            others = tuple(other for other in slots if other != slot)
            if others and is_unsatisfiable(others):
                slots = others
        return slots

    @property
    def unsatisfiable_clauses(self) -> tuple[str, ...]:
        """The clauses of `unsatisfiable_slots` as text."""
        operations = self.plan.graph.operations
        return tuple(to_text(operations[slot].node) for slot in self.unsatisfiable_slots)

    @cached_property
    def _countable(self) -> tuple[tuple[int, ...], str]:
        """The clauses that can be counted, and the reason why the first other clause cannot."""
        from dealerkit.counting.exact import find_countable  # short runs do not need to import the counts

        return find_countable(self.plan.graph, dict.fromkeys(self.plan.clauses))

    @cached_property
    def _count(self) -> tuple[Fraction | None, str]:
        """The values of `exact_rate` and `count_obstacle`.

        A rate of 0 is exact even if some clauses cannot be counted, because the others exclude all deals.
        """
        if self.plan.program.script.rules.is_classic:
            return None, ""
        countable, obstacle = self._countable
        if not countable:
            return None, obstacle
        share, reason = self._count_share(countable)
        return (None, obstacle) if obstacle and share else (share, reason)

    def _count_share(self, slots: tuple[int, ...]) -> tuple[Fraction | None, str]:
        """Return the exact probability that a deal meets clauses, or None and the reason why."""
        from dealerkit.counting.exact import count_share
        from dealerkit.counting.suit_splits import TooManyStates

        try:
            return count_share(self.plan.graph, slots, self.predeal), ""
        except TooManyStates as reason:
            return None, str(reason)

    def _has_count_zero(self, slots: tuple[int, ...]) -> bool:
        """Return whether a count proves that no deal meets all of these clauses."""
        return self._count_share(slots)[0] == 0

    def _has_no_candidates(self, slots: tuple[int, ...]) -> bool:
        """Return whether a sampler proves that no deal meets all of these clauses."""
        plain = replace(self.plan, clauses=slots, n_solver_clauses=0)
        return choose_plan(plain, "conditional", Limits(None, None), self.predeal).is_impossible


def scale_to_deals(candidate_rate: Estimate, plan: Plan) -> Estimate:
    """Return the acceptance rate of deals, given the share of a plan's candidates that are accepted."""
    assert plan.sampling is not None
    share = plan.sampling.share
    if not share or (plan.sampling.sampler.accepts_all and not plan.clauses):  # all candidates are accepted
        return Estimate.exactly(share, candidate_rate.n, candidate_rate.confidence)
    return scale_estimate(candidate_rate, share)
