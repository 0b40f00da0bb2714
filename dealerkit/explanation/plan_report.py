"""How a run will deal, with its numbers and in words: plainly, in stages, or conditionally."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dealerkit.counting.budget import exact_share
from dealerkit.counting.features import NotAdditive, abstract
from dealerkit.counting.suit_splits import TooManyStates
from dealerkit.counting.suit_sums import Forms
from dealerkit.dealing.predeal import Predeal
from dealerkit.explanation.sampling_text import drawing
from dealerkit.language.printer import to_text
from dealerkit.planning import rates as pilot
from dealerkit.planning.choice import choose
from dealerkit.planning.plan import Limits, Plan
from dealerkit.planning.sampling import CANDIDATE, DEALT, Sampling
from dealerkit.statistics import Estimate
from dealerkit.wording import about, duration, listed

MOST_TRIED = 40  # clauses among which those that exclude each other are looked for
TITLES = {
    "plain": "A run deals plainly: every deal is dealt and asked",
    "staged": "A run deals in stages: one side first, the other for the deals that are left",
    "conditional": "A run deals conditionally: it draws hands that the condition demands",
}


@dataclass(frozen=True, eq=False)
class Course:
    """The plan of a run and what is known of its chances.

    Parameters
    ----------
    plan : Plan
        The chosen one.
    asked : tuple of int
        Slots of all clauses, those that take long last.
    predeal : Predeal
    counted : Fraction or None
        The exact probability of acceptance; None where it cannot be counted in a moment.
    uncounted : str
        Why not.
    accepted : Estimate or None
        Share of a conditional sampler's candidates that are accepted.
    because : str
        Why a run that deals plainly does so.
    """

    plan: Plan
    asked: tuple[int, ...]
    predeal: Predeal
    counted: Fraction | None
    uncounted: str
    accepted: Estimate | None
    because: str

    @property
    def probability(self) -> Estimate | None:
        """Of acceptance: counted, or estimated from candidates; None where only plain deals can tell."""
        if self.counted is not None:
            return Estimate.exactly(self.counted)
        sampling = self.plan.sampling
        if sampling is not None and sampling.impossible:
            return Estimate.exactly(Fraction(0))
        if sampling is None or self.accepted is None:
            return None
        if sampling.plan.certain and not self.plan.clauses:
            return Estimate.exactly(sampling.share)
        factor, part = float(sampling.share), self.accepted
        return replace(
            part, value=part.value * factor, se=part.se * factor, lo=part.lo * factor, hi=part.hi * factor
        )

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
            return listed(str(number) for slot in dict.fromkeys(slots) for number in numbers.get(slot, ()))

        if self.plan.sampling is not None:
            yield from self._conditional(self.plan.sampling, numbers, said)
        elif self.plan.name == "staged":
            yield from self._staged(said)
        elif self.because:
            yield self.because
        asked = self.plan.clauses
        order = [number for slot in dict.fromkeys(asked) for number in numbers.get(slot, ())]
        cheap = asked[: len(asked) - self.plan.dear]
        if len(cheap) > 1 and order != sorted(order):
            yield f"Asked in the order {said(cheap)}: first what refuses most deals for its cost."
        yield from self._dear(said)
        if asked or self.plan.sampling is not None:
            yield from self._cost(rate)
        if self.counted is None and self.uncounted and (rate is None or not rate.exact):
            yield f"The chance is an estimate: {self.uncounted}."

    def _conditional(
        self, sampling: Sampling, numbers: Mapping[int, Sequence[int]], said: Callable[[Sequence[int]], str]
    ) -> Iterator[str]:
        if sampling.impossible:
            yield "No hands meet what it demands, so nothing is dealt."
            return
        yield from drawing(
            sampling,
            self.plan.formulas,
            lambda slots: [str(n) for slot in dict.fromkeys(slots) for n in numbers.get(slot, ())],
        )
        reasons: dict[str, list[int]] = {}
        for clause in sampling.analysis.clauses:
            if clause.slot in sampling.filters:
                reasons.setdefault(_reason(clause.where, clause.why), []).append(clause.slot)
        for slot in self._unmoved(sampling):
            reasons.setdefault(self._kept(slot), []).append(slot)
        for why, slots in reasons.items():
            yield f"Asked of the candidates: {said(slots)}, because {why}."

    def _unmoved(self, sampling: Sampling) -> Iterator[int]:
        """The clauses that are asked in their place and of which the sampler knows nothing."""
        plan = self.plan
        for slot in plan.clauses[: len(plan.clauses) - plan.dear]:
            if slot not in sampling.filters:
                yield slot

    def _kept(self, slot: int) -> str:
        """Why a clause keeps its place."""
        if self.plan.formulas.uses([slot], "random"):
            return "a clause that draws random numbers keeps its place"
        if not self.plan.formulas.operations[slot].total:
            return "a clause that may have no value keeps its place"
        return "what stands behind a clause that keeps its place stays there"

    def _staged(self, said: Callable[[Sequence[int]], str]) -> Iterator[str]:
        early = self.plan.clauses[: self.plan.first]
        first, second = ("north and south", "east and west")[
            :: 1 if self.plan.formulas.seats(early) & 0b0101 else -1
        ]
        yield (
            f"First {first} get cards and are asked {said(early)}, then {second} where they pass. "
            "The deals are those of plain dealing."
        )

    def _dear(self, said: Callable[[Sequence[int]], str]) -> Iterator[str]:
        if self.plan.dear:
            late = self.plan.clauses[len(self.plan.clauses) - self.plan.dear :]
            cost = sum(
                self.plan.formulas.operations[slot].cost
                for slot in self.plan.formulas.reached(late)
                if not self.plan.formulas.operations[slot].inputs
            )
            yield f"Asked last: {said(late)}; double dummy takes about {duration(cost)} a deal."

    def _cost(self, rate: Estimate | None) -> Iterator[str]:
        if rate is None or not rate.value > 0 or self.plan.dear:
            return
        deals = 1 / rate.value
        number = f"{about(deals)} plain deals" if deals >= 1.05 else "1 plain deal"
        plain = f"{number}, {duration(deals * DEALT)}"
        sampling = self.plan.sampling
        if sampling is None:
            yield f"A produced deal costs about {plain} of one processor."
            return
        proposed = float(sampling.share) * deals
        candidates = f"{about(proposed)} candidates, {duration(proposed * CANDIDATE)}"
        yield f"A produced deal costs about {candidates} of one processor, in place of {plain}."


def _reason(where: str, why: str) -> str:
    """Why a clause that could be taken apart is asked all the same."""
    if where == "seat":
        return "most hands meet it"
    if where in ("side", "lengths"):
        return "it binds several hands"
    return why


def course_of(plan: Plan, wish: str, limits: Limits, predeal: Predeal) -> Course:
    """How a run would deal, and what it would cost.

    Parameters
    ----------
    plan : Plan
        The plain one.
    wish : {"auto", "plain", "staged", "conditional"}
    limits : Limits
    predeal : Predeal

    Returns
    -------
    Course
    """
    classic = plan.program.script.rules.hundredths
    chosen = plan if classic else choose(plan, wish, limits, predeal)
    plainly = chosen.name == "plain" and plan.clauses
    return _course(plan, chosen, predeal, _because(plan, wish, limits, predeal) if plainly else "")


def _course(plan: Plan, chosen: Plan, predeal: Predeal, because: str = "") -> Course:
    classic = plan.program.script.rules.hundredths
    counted, uncounted = (None, "") if classic else _counted(plan, predeal)
    sampling, accepted = chosen.sampling, None
    if sampling is not None and not sampling.impossible:
        accepted = pilot.ask_candidates(plan.formulas, chosen.clauses, sampling.plan)
    return Course(chosen, plan.clauses, predeal, counted, uncounted, accepted, because)


def _counted(plan: Plan, predeal: Predeal) -> tuple[Fraction | None, str]:
    """The exact probability of acceptance, or why it is not known."""
    forms = Forms(plan.formulas)
    plain, why = [], ""
    for slot in plan.clauses:
        try:
            abstract(forms, [slot])
            plain.append(slot)
        except NotAdditive as reason:
            why = why or str(reason)
    if not plain:
        return None, why
    try:
        share = exact_share(plan.formulas, plain, predeal)
    except TooManyStates as reason:
        return None, str(reason)
    return (share, "") if not why or not share else (None, why)


def _because(plan: Plan, wish: str, limits: Limits, predeal: Predeal) -> str:
    """Why a run is dealt plainly."""
    if plan.program.script.rules.hundredths:
        return "Scripts of the old programs are dealt as those programs did."
    if wish == "plain":
        return "As asked for."
    if wish == "staged":
        return "No clause looks at one side only while another looks at the other side."
    other = choose(plan, "conditional", limits, predeal).sampling
    if other is None:
        return "No clause tells which hands to draw, or their table would be too large."
    share = f"1 deal in {about(float(1 / other.share), 3)}" if other.share else "no deal"
    if other.share * CANDIDATE > DEALT:
        return f"Conditional dealing would keep {share} as a candidate: too many to save anything."
    return (
        f"A run of this size is over before the condition is taken apart; a longer one deals conditionally, "
        f"{share} being a candidate."
    )


def excluding(course: Course) -> tuple[int, ...]:
    """The clauses, as few as possible, that no deal meets together; none where some deal may meet them all.

    Parameters
    ----------
    course : Course

    Returns
    -------
    tuple of int
        Slots.
    """
    sampling = course.plan.sampling
    if course.counted == 0:
        left, never = tuple(dict.fromkeys(course.asked)), _never_counted
    elif sampling is not None and sampling.impossible:
        every = [clause.slot for clause in sampling.analysis.clauses]
        left = tuple(slot for slot in every if slot not in sampling.filters)
        never = _never_sampled
    else:
        return ()
    for slot in reversed(left[:MOST_TRIED]):
        rest = tuple(one for one in left if one != slot)
        if rest and never(course, rest):
            left = rest
    return left


def _never_counted(course: Course, slots: tuple[int, ...]) -> bool:
    try:
        return exact_share(course.plan.formulas, slots, course.predeal) == 0
    except (NotAdditive, TooManyStates):
        return False


def _never_sampled(course: Course, slots: tuple[int, ...]) -> bool:
    plain = replace(course.plan, clauses=slots, sampling=None, dear=0, name="plain")
    sampling = choose(plain, "conditional", Limits(None, None), course.predeal).sampling
    return sampling is not None and sampling.impossible


def expected_rate(plan: Plan, chosen: Plan, predeal: Predeal) -> Estimate | None:
    """The probability of acceptance before a run, from a count or pilot deals, in about half a second.

    Parameters
    ----------
    plan, chosen : Plan
        The plain plan, and what `choose` made of it.
    predeal : Predeal

    Returns
    -------
    Estimate or None
    """
    if plan.dear or plan.board:
        return None
    known = _course(plan, chosen, predeal).probability
    if known is None or not (known.exact or known.value):
        known = pilot.ask(plan.formulas, plan.clauses, pilot.ROWS, predeal or None).probability or known
    return known


def never_met(plan: Plan, chosen: Plan, predeal: Predeal) -> tuple[str, ...]:
    """The clauses, as text, that provably no deal meets together, in about half a second; else none."""
    slots = excluding(_course(plan, chosen, predeal))
    return tuple(to_text(plan.formulas.operations[slot].node) for slot in slots)
