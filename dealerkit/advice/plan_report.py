"""Sentences about the plan of a run: plain, staged or conditional dealing, the sampled hands, the cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dealerkit.advice.sentences import join_numbered
from dealerkit.appearance.numbers import format_count, format_significant
from dealerkit.appearance.wording import format_duration, join_words, shorten
from dealerkit.cards.names import SEATS
from dealerkit.compiler.graph import OperationGraph
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.dealing.predeal import Predeal
from dealerkit.language.printer import to_text
from dealerkit.planning.acceptance import AcceptanceForecast
from dealerkit.planning.choice import choose_plan
from dealerkit.planning.plan import CANDIDATE_NS, DEAL_NS, Limits, Plan, Sampling
from dealerkit.runtime.process import cached_property
from dealerkit.statistics import Estimate

TITLES = {
    "plain": "A run deals plainly: every deal is dealt and evaluated",
    "staged": "A run deals in stages: one side first, the other side only if the first side passes",
    "conditional": "A run deals conditionally: it samples hands that meet clauses of the condition",
}
_TARGET_REASONS = {
    "seat": "most hands meet it",
    "side": "it depends on several hands",
    "lengths": "it depends on several hands",
}


@dataclass(frozen=True, eq=False)
class PlanReport:
    """Sentences about the plan of a run.

    Attributes
    ----------
    forecast : AcceptanceForecast
        The plain plan and the chosen one, with the acceptance rate.
    reason : str
        Why a run deals plainly; empty for other plans.
    """

    forecast: AcceptanceForecast
    reason: str

    @property
    def plan(self) -> Plan:
        """The plan that the run follows."""
        return self.forecast.chosen_plan

    @property
    def title(self) -> str:
        """A sentence about the kind of plan."""
        return TITLES[self.plan.name]

    def list_lines(self, rate: Estimate | None) -> Iterator[str]:
        """Yield sentences about the order of evaluation and the cost.

        `rate` is the acceptance rate, if it is known.
        """
        plan = self.plan
        if plan.sampling is not None:
            yield from self._describe_conditional(plan.sampling)
        elif plan.name == "staged":
            yield from self._describe_staged()
        elif self.reason:
            yield self.reason
        order = [int(number) for number in self.list_numbers(plan.clauses)]
        if len(plan.cheap_clauses) > 1 and order != sorted(order):
            numbers = join_words(self.list_numbers(plan.cheap_clauses))
            yield f"Evaluated in the order {numbers}: first what rejects most deals for its cost."
        yield from self._describe_solver()
        if plan.clauses or plan.sampling is not None:
            yield from self._describe_cost(rate)
        obstacle = self.forecast.count_obstacle
        if obstacle and (rate is None or not rate.exact):
            yield f"The acceptance rate is an estimate: {obstacle}."

    @cached_property
    def _numbers(self) -> dict[int, list[str]]:
        """The numbers of the clauses, by slot."""
        numbers: dict[int, list[str]] = {}
        for number, slot in enumerate(self.forecast.plan.clauses, 1):
            numbers.setdefault(slot, []).append(str(number))
        return numbers

    def list_numbers(self, slots: Sequence[int]) -> list[str]:
        """Return the numbers of the clauses with these slots; parts of clauses have no number."""
        return [number for slot in dict.fromkeys(slots) for number in self._numbers.get(slot, ())]

    def _describe_conditional(self, sampling: Sampling) -> Iterator[str]:
        if self.plan.is_impossible:
            yield "No hands meet these clauses, so nothing is dealt."
            return
        yield from describe_sampling(sampling, self.plan.graph, self.list_numbers)
        slots_by_reason: dict[str, list[int]] = {}
        for placement in sampling.placements:
            if placement.slot in sampling.filters:
                reason = _TARGET_REASONS.get(placement.target, placement.reason)
                slots_by_reason.setdefault(reason, []).append(placement.slot)
        for slot in self.plan.cheap_clauses:
            if slot not in sampling.filters:
                slots_by_reason.setdefault(self._explain_fixed_order(slot), []).append(slot)
        for reason, slots in slots_by_reason.items():
            clauses = join_numbered("clause", self.list_numbers(slots))
            yield f"Evaluated on the candidates: {clauses}, because {reason}."

    def _explain_fixed_order(self, slot: int) -> str:
        """Return the reason why a clause cannot be evaluated before those that precede it."""
        if self.plan.graph.has_kind([slot], "random"):
            return "the order of a clause with random numbers is fixed"
        if not self.plan.graph.operations[slot].total:
            return "the order of a clause that may have no value is fixed"
        return "it follows a clause whose order is fixed"

    def _describe_staged(self) -> Iterator[str]:
        early = self.plan.clauses[: self.plan.n_staged]
        is_ns_first = self.plan.graph.find_seats(early) & 0b0101
        first, second = ("north and south", "east and west")[:: 1 if is_ns_first else -1]
        numbers = self.list_numbers(early)
        verb = "is" if len(numbers) == 1 else "are"
        clauses = f"{join_numbered('clause', numbers)} {verb} evaluated"
        yield (
            f"First {first} get cards and {clauses}, then {second} get cards if the deal passes. "
            "The deals are those of plain dealing."
        )

    def _describe_solver(self) -> Iterator[str]:
        graph, clauses = self.plan.graph, self.plan.solver_clauses
        if clauses:
            operations = [graph.operations[slot] for slot in graph.find_reachable(clauses)]
            cost_ns = sum(operation.cost_ns for operation in operations if not operation.inputs)
            cost = f"double dummy takes about {format_duration(cost_ns)} a deal"
            yield f"Evaluated last: {join_words(self.list_numbers(clauses))}; {cost}."

    def _describe_cost(self, rate: Estimate | None) -> Iterator[str]:
        if rate is None or not rate.value > 0 or self.plan.n_solver_clauses:
            return
        n_deals = 1 / rate.value
        duration = format_duration(n_deals * DEAL_NS)
        sampling = self.plan.sampling
        if sampling is None:
            yield f"Finding a deal takes about {_count_tries(n_deals)} ({duration} of processor time)."
            return
        n_candidates = float(sampling.share) * n_deals
        sampled = format_duration(n_candidates * CANDIDATE_NS)
        yield (
            f"Finding a deal takes about {_count_tries(n_candidates)} ({sampled} of processor time); "
            f"plain dealing would need {format_significant(n_deals)} ({duration})."
        )


def _count_tries(n: float) -> str:
    """Return a number of tries in words."""
    return f"{format_significant(n)} tries" if n >= 1.05 else "1 try"


def report_plan(plan: Plan, wish: str, limits: Limits, predeal: Predeal) -> PlanReport:
    """Report the plan that a run follows.

    Parameters
    ----------
    plan : Plan
        The plan of plain dealing.
    wish : str
        The plan that the caller requests, or "auto".
    limits : Limits
        When the run stops.
    predeal : Predeal
        Known cards.
    """
    is_classic = plan.program.script.rules.is_classic
    chosen = plan if is_classic else choose_plan(plan, wish, limits, predeal)
    is_plain = chosen.name == "plain" and plan.clauses
    reason = _explain_plain(plan, wish, limits, predeal) if is_plain else ""
    return PlanReport(AcceptanceForecast(plan, chosen, predeal), reason)


def _explain_plain(plan: Plan, wish: str, limits: Limits, predeal: Predeal) -> str:
    """Return the reason why a run deals plainly."""
    if plan.program.script.rules.is_classic:
        return "Scripts of the classic programs are dealt as those programs deal."
    if wish == "plain":
        return "As requested."
    if wish == "staged":
        return "No clause depends on one side only while another depends on the other side."
    sampling = choose_plan(plan, "conditional", limits, predeal).sampling
    if sampling is None:
        return "No clause determines a set of hands to sample, or the table of the set would be too large."
    share = f"1 deal in {format_significant(float(1 / sampling.share), 3)}" if sampling.share else "no deal"
    if sampling.share * CANDIDATE_NS > DEAL_NS:
        return f"Under conditional dealing {share} would be a candidate: too many to save time."
    return (
        "A run of this size ends before the condition would be analysed; a longer one deals conditionally, "
        f"and {share} is a candidate."
    )


_BRANCH = "the branch"

ListNumbers = Callable[[Sequence[int]], list[str]]


def describe_sampling(sampling: Sampling, graph: OperationGraph, list_numbers: ListNumbers) -> Iterator[str]:
    """Yield sentences about the sampled hands, the sets they are from, and the share of such deals.

    Parameters
    ----------
    sampling : Sampling
        A sampling that has candidates.
    graph : OperationGraph
        The operations of the condition.
    list_numbers : callable
        Returns the numbers of the clauses with given slots.
    """
    # One set of hands
    share = format_significant(float(1 / sampling.share), 4)
    if not sampling.disjunctions:
        yield from _describe_hands(sampling, list_numbers)
        yield f"Exactly 1 deal in {share} is a candidate; no other deals are dealt."
        return
    # A set of hands for each branch of the disjunctions
    numbers = list_numbers(sampling.disjunctions)
    disjunctions = join_numbered("clause", numbers) if numbers else "the condition"
    yield f"Each candidate is sampled for one branch of {disjunctions}, and kept if it meets no earlier one."
    for branch in sampling.branches:
        branch_share = branch.sampling.share
        hands = " ".join(_describe_hands(branch.sampling, list_numbers))
        percentage = format_significant(100 * float(branch_share / sampling.share), 3)
        chance = f"{percentage} % of them, 1 deal in {format_significant(float(1 / branch_share), 4)}"
        operands = " with ".join(_quote(graph, branch.slots))
        filters = list(_quote(graph, branch.filters))
        rest = f" Evaluated on the candidates: {join_words(filters)}." if filters else ""
        yield f"For {operands} ({chance}): {hands[0].lower()}{hands[1:]}{rest}"
    yield f"The shares of the branches add up to exactly 1 deal in {share}; no other deals are dealt."


def _quote(graph: OperationGraph, slots: Sequence[int]) -> Iterator[str]:
    return (f"`{shorten(to_text(graph.operations[slot].node))}`" for slot in slots)


def _describe_hands(sampling: Sampling, list_numbers: ListNumbers) -> Iterator[str]:
    """Yield a sentence about each hand that a sampler samples, in their order."""
    from dealerkit.dealing.conditional.sampler import HandSetSampler

    sampler = sampling.sampler
    assert isinstance(sampler, HandSetSampler)
    # The clauses that the sampler guarantees, by their seats
    slots_by_seats: dict[int, list[int]] = {}
    for placement in sampling.placements:
        if placement.slot not in sampling.filters:
            slots_by_seats.setdefault(placement.seats, []).append(placement.slot)

    def list_names(seats: int) -> list[str]:
        """Return the clauses that the hands of these seats are sampled for; parts of clauses are a branch."""
        slots = slots_by_seats.get(seats, [])
        numbers = list_numbers(slots)
        clauses = [join_numbered("clause", numbers)] if numbers else []
        return [_BRANCH] * any(not list_numbers([slot]) for slot in slots) + clauses

    # The first cards: a hand, or the 26 cards of a side
    if sampler.side is None:
        (first, hand_set), *later = sampler.seats
        cards = f"{SEATS[first]}'s hand is sampled"
        hands, names = f"the {format_count(HandTable(hand_set).total)} hands", list_names(1 << first)
    else:
        later = list(sampler.seats)
        pair = join_words(SEATS[seat] for seat in (sampler.side, sampler.side + 2))
        cards, hands = f"the 26 cards of {pair} together are sampled", "those"
        names = list_names(0b0101 << sampler.side)
    is_singular = len(names) == 1 and not names[0].startswith("clauses")
    allowed = f"that {' and '.join(names)} allow{'s' * is_singular}" if names else "that are possible"
    yield f"First {cards} exactly, from {hands} {allowed}."
    # The other hands, in the order of dealing
    tested = {step.seat for step in sampler.steps if step.test is not None}
    for position, (seat, _) in enumerate(later, 1):
        # The lengths of three hands determine those of the fourth.
        has_lengths = position < sampler.n_exact_seats or position == sampler.n_exact_seats == 3
        lengths = (
            "its suit lengths are sampled with the first hand, "
            if sampler.side is None and has_lengths
            else ""
        )
        names = list_names(1 << seat)
        test = f" and tested{' by ' + ' and '.join(names) if names else ''}" if seat in tested else ""
        yield f"Then {SEATS[seat]}'s hand: {lengths}its cards are dealt{test} before any others."
