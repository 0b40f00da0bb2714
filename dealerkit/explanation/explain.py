"""`explain`: a script in plain words, with the acceptance rate of each clause and its likely mistakes."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dealerkit.arguments import check_integer, check_optional_integer
from dealerkit.cards.names import SEATS
from dealerkit.compiler.compilation import compile_program, read_program
from dealerkit.compiler.graph import OperationGraph
from dealerkit.errors import ArgumentError, DealerkitError, NotYetError, ScriptError
from dealerkit.explanation.mistakes import Mistake, find_mistakes
from dealerkit.explanation.plan_report import PlanReport, report_plan
from dealerkit.explanation.report import Clause, Explanation
from dealerkit.explanation.sentences import Words
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.dialects import find_rules
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.language.signatures import ACTIONS
from dealerkit.planning import rates as pilot
from dealerkit.planning.certain_mistakes import Asked, settled
from dealerkit.planning.choice import PLANS
from dealerkit.planning.plain_plan import make_plan, resolve_limits
from dealerkit.planning.plan import Limits, Plan
from dealerkit.statistics import Estimate
from dealerkit.wording import format_number, join_words, shorten

PILOT_DEALS = 65_536


def explain(
    script: str | os.PathLike | Script,
    dialect: str = "modern",
    params: Sequence[str | None] = (),
    deals: int = PILOT_DEALS,
    *,
    plan: str = "auto",
    produce: int | None = None,
    generate: int | None = None,
    predeal: Mapping[str, Any] | None = None,
) -> Explanation:
    """Explain a script: in plain words, how often its clauses pass, how it deals, what may be wrong.

    Parameters
    ----------
    script : str, os.PathLike or Script
        Text, file, or what `parse` returned. A script with a mistake is explained by its error.
    dialect : {"modern", "v1", "v2"}
    params : sequence of str
        Values of the script variables ``$0`` to ``$9``.
    deals : int >= 1
        Pilot deals to ask. They come from a seed of their own, so the same script is always told
        the same rates, and their error is independent of any run's.
    plan : {"auto", "plain", "staged", "conditional"}
    produce, generate : int or None
    predeal : mapping, optional
        Of the run that is explained: as for `run`.

    Returns
    -------
    Explanation
        Its rates are shares 0 to 1 with Wilson's interval; exact where they can be counted in a moment.

    Raises
    ------
    FileError
        A file that cannot be read.
    ArgumentError
        Also for an unknown plan and a negative limit.

    See Also
    --------
    why : which clauses one deal passes or fails.

    Examples
    --------
    >>> told = explain("condition 15 <= hcp(north) and hcp(north) <= 17 and hascard(south, AS)")
    >>> print(told.text)  # doctest: +ELLIPSIS
    A deal is produced if all of these hold
       1, 2  north holds 15 to 17 points
          3  south holds the ace of spades
    ...
    >>> told.probability.exact, told.clauses[0].alone.exact
    (True, False)
    >>> explain("condition not hcp(north) == 3").mistakes[0].instead
    'not (hcp(north) == 3)'
    """
    deals = check_integer("deals", deals, 1)
    produce, generate = (
        check_optional_integer("produce", produce),
        check_optional_integer("generate", generate),
    )
    if not isinstance(plan, str) or plan not in PLANS:
        raise ArgumentError(f"unknown plan {plan!r}; the plans are {', '.join(PLANS)}")
    try:
        program = read_program(script, find_rules(dialect), params=params, predeal=predeal)
    except ScriptError as error:
        return Explanation(error=error)
    try:
        plain, graph, missing = compiled(program)
    except DealerkitError as error:
        return Explanation(error=error)
    some = plain or make_plan(compile_program(replace(program, condition=None, actions=())))
    limits = resolve_limits(some, produce, generate, None)
    given = (produce is not None, generate is not None)
    explainer = _Explainer(program, graph, plain, deals, limits, given)
    plan_report = None if plain is None else report_plan(plain, plan, limits, program.predeal)
    return explainer.explanation(
        plan_report, find_mistakes(program, graph, params), [*program.warnings, *missing]
    )


def compiled(program: Program) -> tuple[Plan | None, OperationGraph, list[str]]:
    """The plain plan of a script and its operations; or no plan, and what of it nothing computes yet.

    Raises
    ------
    ScriptError, ArgumentError
        What a run would refuse.
    """
    try:
        plan = make_plan(compile_program(program))
        return plan, plan.graph, []
    except NotYetError as reason:
        return None, compile_program(program).graph, [str(reason)]


def clauses_asked(program: Program, plan: Plan | None) -> list[nodes.Expression]:
    """The clauses of a condition in the order of the plain plan: of the text, but those that solve last."""
    found = list(clauses_of(program.condition, program.definitions))
    if plan is None or not plan.n_solver_clauses:
        return found
    slots = [plan.graph.add_expression(node) for node in found]
    new = iter([slot for slot in plan.clauses if slot not in slots])  # `rnd` gets a new slot each time
    slots = [slot if slot in plan.clauses else next(new) for slot in slots]
    return [
        node for _, node in sorted(zip(slots, found, strict=True), key=lambda one: plan.clauses.index(one[0]))
    ]


def clauses_of(
    condition: nodes.Expression | None, definitions: Mapping[str, nodes.Expression]
) -> Iterator[nodes.Expression]:
    """The clauses of a condition in the order of the text, as a run asks them; variables are looked into."""
    met: set[str] = set()
    todo = [] if condition is None else [condition]
    while todo:
        node = todo.pop()
        if isinstance(node, nodes.And):
            todo.extend(reversed(node.operands))
        elif isinstance(node, nodes.Name) and isinstance(definitions.get(node.name), nodes.And):
            if node.name not in met:
                met.add(node.name)
                todo.append(definitions[node.name])
        else:
            yield node


class _Explainer:
    def __init__(
        self,
        program: Program,
        graph: OperationGraph,
        plan: Plan | None,
        deals: int,
        limits: Limits,
        given: tuple[bool, bool],
    ) -> None:
        self.program, self.graph, self.deals, self.limits = program, graph, deals, limits
        self.given = given  # the limits that the caller gave: produce, generate
        self.rules = program.script.rules
        self.asked = clauses_asked(program, plan)
        self.words = Words(graph, program.definitions)

    def explanation(
        self, plan_report: PlanReport | None, mistakes: Sequence[Mistake], notes: Sequence[str]
    ) -> Explanation:
        program = self.program
        forecast = None if plan_report is None else plan_report.forecast
        known = Explanation(
            condition=None if program.condition is None else self.words.part(program.condition),
            labels={id(node): number for number, node in enumerate(self.asked, 1)},
            reports=tuple(self._reports()),
            pilot_deals=self.deals,
        )
        predeal = program.predeal or None
        slots = [self._slot(node) for node in self.asked]
        computed = [k for k, slot in enumerate(slots) if isinstance(slot, int)]
        order = [slot for slot in slots if isinstance(slot, int)]
        rates = pilot.estimate_rates(self.graph, order, self.deals, predeal)
        tallies = dict(zip(computed, zip(rates.alone, rates.given, strict=True), strict=True))
        found = [
            Asked(self.asked[k], to_text(self.asked[k], self.rules), slot, *tallies[k])
            for k, slot in zip(computed, order, strict=True)
        ]
        piloted = rates.probability if len(computed) == len(slots) else None
        probability = (None if forecast is None else forecast.derived_rate) or piloted
        per = None if probability is None else pilot.invert_rate(probability)
        never = () if forecast is None else forecast.unsatisfiable_slots
        doubts = [
            *mistakes, *settled(found, self.graph, self.deals, predeal, never),
            *_impossible([one for one in found if one.slot in never]),
        ]  # fmt: skip
        doubts.sort(key=lambda one: (one.place.line, one.place.column) if one.place else (0, 0))
        placed = {f"line {one.place.line}, column {one.place.column}:" for one in doubts if one.place}
        numbers: dict[int, list[int]] = {}
        for number, slot in enumerate(() if forecast is None else forecast.plan.clauses, 1):
            numbers.setdefault(slot, []).append(number)
        return replace(
            known,
            clauses=[self._clause(k, slots[k], tallies.get(k)) for k in range(len(slots))],
            probability=probability,
            pilot=piloted,
            candidates=None if forecast is None else forecast.candidate_rate,
            deals_per_produced=per,
            mistakes=_once(doubts),
            limits=tuple(self._limits(per, plan_report)),
            seats=self._seats(order),
            plan=None if plan_report is None else plan_report.plan,
            dealing=()
            if plan_report is None or not slots
            else (plan_report.title, *plan_report.lines(numbers, probability)),
            notes=tuple(note for note in notes if not note.startswith(tuple(placed)) and note not in slots),
        )

    # ------------------------------------------------------------ clauses
    def _slot(self, node: nodes.Expression) -> int | str:
        """The slot of a clause, or why the pilot cannot ask it."""
        try:
            slot = self.graph.add_expression(node)
        except NotYetError as reason:
            return str(reason)
        if self.graph.has_kind([slot], "board"):
            return "it asks for the number of deals produced before"
        return slot

    def _clause(
        self, position: int, slot: int | str, tallies: tuple[pilot.Tally, pilot.Tally] | None
    ) -> Clause:
        node, notes = self.asked[position], []
        alone = given = None
        if tallies is None:
            notes.append(str(slot))
        else:
            alone, given = (tally.rate for tally in tallies)
            if tallies[0].error:
                guarded = "" if tallies[1].error else ", from which the clauses before it keep it"
                notes.append(f"alone it has no value for some deals{guarded}: {tallies[0].error}")
            if 0 < tallies[0].n_deals < self.deals:
                notes.append(f"it takes long, so it was asked of {tallies[0].n_deals:,} deals only")
            assert isinstance(slot, int)
            if self.graph.has_kind([slot], "random"):
                notes.append("it draws random numbers: another run, another answer")
        line, column = (node.place.line, node.place.column) if node.place else (None, None)
        text = to_text(node, self.rules)
        return Clause(position + 1, text, alone, given, line, column, "; ".join(notes))

    # ------------------------------------------------------------ the run
    def _limits(self, per: Estimate | None, plan_report: PlanReport | None) -> Iterator[str]:
        """When a run ends; of two limits, the one that is expected first stands first."""
        produce, generate = self.limits.produce, self.limits.generate
        sampling = None if plan_report is None else plan_report.plan.sampling
        if plan_report is not None and plan_report.plan.is_impossible:
            return  # nothing is dealt
        dealt = 1.0 if self.program.condition is None else math.nan if per is None else per.value
        share, unit = (1.0, "dealt") if sampling is None else (float(sampling.share), "candidates")
        said = [
            "as asked for" if given else "by default" if one is None else "as the script says"
            for given, one in zip(self.given, (self.program.produce, self.program.generate), strict=True)
        ]
        if produce is not None:
            wait, known = produce * dealt, 0 < dealt < math.inf
            expected = f", after about {format_number(wait * share)} {unit}" if known and produce else ""
            if known and generate is not None and wait > generate:
                expected = f"; that would take about {format_number(wait)} dealt"
            yield f"A run stops at {produce:,} deals produced, {said[0]}{expected}."
        if generate is not None:
            word = "A run stops" if produce is None else "It stops at the latest"
            expected = ""
            if 0 < share < 1:
                expected = f", of which about {format_number(generate * share)} are candidates"
            if produce is None and 1 < dealt < math.inf:
                expected += f", with about {format_number(generate / dealt)} produced"
            yield f"{word} at {generate:,} deals dealt, {said[1]}{expected}."

    def _seats(self, slots: Sequence[int]) -> str:
        mask = self.graph.find_seats(tuple(slots))
        seats = [name for seat, name in enumerate(SEATS) if mask >> seat & 1]
        if not seats:
            return "The condition looks at no hand."
        if mask & 0b0101 and mask & 0b1010:
            return f"The condition looks at {join_words(seats) if len(seats) < 4 else 'all four hands'}."
        other = "east and west" if mask & 0b0101 else "north and south"
        condition = f"The condition looks at {join_words(seats)}"
        return f"{condition}; the hands of {other} are dealt for produced deals only."

    def _reports(self) -> Iterator[str]:
        for action in self.program.actions:
            label = f' "{action.label}"' if action.label else ""
            told = ACTIONS[action.name].summary
            if action.name in ("average", "frequency", "bktfreq"):
                told = self.words.told(action)
            yield f"{action.name}{label}: {told}"


def _impossible(clauses: Sequence[Asked]) -> Iterator[Mistake]:
    """Clauses that no deal meets together, as a mistake in the last of them."""
    texts = list(dict.fromkeys(f"`{shorten(clause.text)}`" for clause in clauses))
    if len(texts) == 1:
        yield Mistake("never", f"no deal can meet {texts[0]}", clauses[-1].node.place)
    elif texts:
        together = f"no deal can meet {join_words(texts)} together"
        yield Mistake("contradiction", together, clauses[-1].node.place)


def _once(mistakes: Sequence[Mistake]) -> list[Mistake]:
    """Without what the text and the pilot both found at one place."""
    kept: list[Mistake] = []
    for mistake in mistakes:
        same = [one for one in kept if one.place == mistake.place and mistake.place is not None]
        repeats = any(one.kind == mistake.kind for one in same)
        known = any(one.kind in ("truth", "chained", "not", "units") for one in same)
        if not repeats and not (known and mistake.kind in ("never", "always")):
            kept.append(mistake)
    return kept
