"""How a run will deal, with its numbers and in words: plainly, in stages, or conditionally."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dealerkit.dealing.predeal import Predeal
from dealerkit.explanation.sampling_text import drawing
from dealerkit.planning.acceptance import AcceptanceForecast
from dealerkit.planning.choice import choose_plan
from dealerkit.planning.plan import CANDIDATE_NS, DEAL_NS, Limits, Plan, Sampling
from dealerkit.statistics import Estimate
from dealerkit.wording import format_duration, format_number, join_words

TITLES = {
    "plain": "A run deals plainly: every deal is dealt and asked",
    "staged": "A run deals in stages: one side first, the other for the deals that are left",
    "conditional": "A run deals conditionally: it draws hands that the condition demands",
}


@dataclass(frozen=True, eq=False)
class PlanReport:
    """The plan of a run and its acceptance rate, in sentences.

    Parameters
    ----------
    forecast : AcceptanceForecast
        Of the plain plan and the chosen one.
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
        """The kind of dealing in a sentence."""
        return TITLES[self.plan.name]

    def lines(self, numbers: Mapping[int, Sequence[int]], rate: Estimate | None) -> Iterator[str]:
        """What there is to say.

        Parameters
        ----------
        numbers : mapping of int to sequence of int
            The numbers of the clauses by their slots.
        rate : Estimate or None
            Probability of acceptance, as far as it is known.
        """

        def said(slots: Sequence[int]) -> str:
            return join_words(
                str(number) for slot in dict.fromkeys(slots) for number in numbers.get(slot, ())
            )

        if self.plan.sampling is not None:
            yield from self._conditional(self.plan.sampling, numbers, said)
        elif self.plan.name == "staged":
            yield from self._staged(said)
        elif self.reason:
            yield self.reason
        asked = self.plan.clauses
        order = [number for slot in dict.fromkeys(asked) for number in numbers.get(slot, ())]
        cheap = self.plan.cheap_clauses
        if len(cheap) > 1 and order != sorted(order):
            yield f"Asked in the order {said(cheap)}: first what refuses most deals for its cost."
        yield from self._dear(said)
        if asked or self.plan.sampling is not None:
            yield from self._cost(rate)
        obstacle = self.forecast.count_obstacle
        if obstacle and (rate is None or not rate.exact):
            yield f"The chance is an estimate: {obstacle}."

    def _conditional(
        self, sampling: Sampling, numbers: Mapping[int, Sequence[int]], said: Callable[[Sequence[int]], str]
    ) -> Iterator[str]:
        if self.plan.is_impossible:
            yield "No hands meet what it demands, so nothing is dealt."
            return
        yield from drawing(
            sampling,
            self.plan.graph,
            lambda slots: [str(n) for slot in dict.fromkeys(slots) for n in numbers.get(slot, ())],
        )
        reasons: dict[str, list[int]] = {}
        for clause in sampling.placements:
            if clause.slot in sampling.filters:
                reasons.setdefault(_reason(clause.target, clause.reason), []).append(clause.slot)
        for slot in self._unmoved(sampling):
            reasons.setdefault(self._kept(slot), []).append(slot)
        for why, slots in reasons.items():
            yield f"Asked of the candidates: {said(slots)}, because {why}."

    def _unmoved(self, sampling: Sampling) -> Iterator[int]:
        """The clauses that are asked in their place and of which the sampler knows nothing."""
        plan = self.plan
        for slot in plan.cheap_clauses:
            if slot not in sampling.filters:
                yield slot

    def _kept(self, slot: int) -> str:
        """Why a clause keeps its place."""
        if self.plan.graph.has_kind([slot], "random"):
            return "a clause that draws random numbers keeps its place"
        if not self.plan.graph.operations[slot].total:
            return "a clause that may have no value keeps its place"
        return "what stands behind a clause that keeps its place stays there"

    def _staged(self, said: Callable[[Sequence[int]], str]) -> Iterator[str]:
        early = self.plan.clauses[: self.plan.n_staged]
        first, second = ("north and south", "east and west")[
            :: 1 if self.plan.graph.find_seats(early) & 0b0101 else -1
        ]
        yield (
            f"First {first} get cards and are asked {said(early)}, then {second} where they pass. "
            "The deals are those of plain dealing."
        )

    def _dear(self, said: Callable[[Sequence[int]], str]) -> Iterator[str]:
        if self.plan.n_solver_clauses:
            late = self.plan.solver_clauses
            cost = sum(
                self.plan.graph.operations[slot].cost_ns
                for slot in self.plan.graph.find_reachable(late)
                if not self.plan.graph.operations[slot].inputs
            )
            yield f"Asked last: {said(late)}; double dummy takes about {format_duration(cost)} a deal."

    def _cost(self, rate: Estimate | None) -> Iterator[str]:
        if rate is None or not rate.value > 0 or self.plan.n_solver_clauses:
            return
        deals = 1 / rate.value
        number = f"{format_number(deals)} plain deals" if deals >= 1.05 else "1 plain deal"
        plain = f"{number}, {format_duration(deals * DEAL_NS)}"
        sampling = self.plan.sampling
        if sampling is None:
            yield f"A produced deal costs about {plain} of one processor."
            return
        proposed = float(sampling.share) * deals
        candidates = f"{format_number(proposed)} candidates, {format_duration(proposed * CANDIDATE_NS)}"
        yield f"A produced deal costs about {candidates} of one processor, in place of {plain}."


def _reason(where: str, why: str) -> str:
    """Why a clause that could be taken apart is asked all the same."""
    if where == "seat":
        return "most hands meet it"
    if where in ("side", "lengths"):
        return "it binds several hands"
    return why


def report_plan(plan: Plan, wish: str, limits: Limits, predeal: Predeal) -> PlanReport:
    """Return a report on the plan that a run follows.

    Parameters
    ----------
    plan : Plan
        The plain one.
    wish : {"auto", "plain", "staged", "conditional"}
    limits : Limits
    predeal : Predeal

    Returns
    -------
    PlanReport
    """
    classic = plan.program.script.rules.is_classic
    chosen = plan if classic else choose_plan(plan, wish, limits, predeal)
    plainly = chosen.name == "plain" and plan.clauses
    reason = _because(plan, wish, limits, predeal) if plainly else ""
    return PlanReport(AcceptanceForecast(plan, chosen, predeal), reason)


def _because(plan: Plan, wish: str, limits: Limits, predeal: Predeal) -> str:
    """Why a run is dealt plainly."""
    if plan.program.script.rules.is_classic:
        return "Scripts of the old programs are dealt as those programs did."
    if wish == "plain":
        return "As asked for."
    if wish == "staged":
        return "No clause looks at one side only while another looks at the other side."
    other = choose_plan(plan, "conditional", limits, predeal).sampling
    if other is None:
        return "No clause tells which hands to draw, or their table would be too large."
    share = f"1 deal in {format_number(float(1 / other.share), 3)}" if other.share else "no deal"
    if other.share * CANDIDATE_NS > DEAL_NS:
        return f"Conditional dealing would keep {share} as a candidate: too many to save anything."
    return (
        f"A run of this size is over before the condition is taken apart; a longer one deals conditionally, "
        f"{share} being a candidate."
    )
