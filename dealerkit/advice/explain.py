"""`explain`: a script in plain words, with its acceptance rates, the plan of a run and likely mistakes.

First, the clauses of the condition are compiled (`compile_clauses`, which `why` also uses); then the rate of
each clause is estimated from pilot deals.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from dealerkit.advice.certain_mistakes import ScriptClause, find_certain_mistakes
from dealerkit.advice.likely_mistakes import find_pilot_mistakes, find_text_mistakes
from dealerkit.advice.plan_report import PlanReport, report_plan
from dealerkit.advice.report import ClauseSummary, ScriptExplanation
from dealerkit.advice.sentences import ConditionDescriber
from dealerkit.appearance.numbers import format_count, format_significant
from dealerkit.appearance.wording import join_words
from dealerkit.arguments import check_integer, check_optional_integer
from dealerkit.cards.names import SEATS
from dealerkit.compiler.compilation import compile_program, read_program
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.text_mistakes import CAUSES, Mistake, merge_mistakes
from dealerkit.errors import ArgumentError, DealerkitError, NotYetError, ScriptError
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.dialects import find_rules
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.language.script_variables import Params
from dealerkit.language.signatures import ACTIONS
from dealerkit.language.trees import split_clauses, walk
from dealerkit.planning.choice import PLANS
from dealerkit.planning.plan import Limits, Plan, make_plan, resolve_limits
from dealerkit.planning.rates import Rates, Tally, estimate_rates, invert_rate
from dealerkit.runtime.progress import long_work
from dealerkit.statistics import Estimate

PILOT_DEALS = 65_536  # default number of deals from which rates are estimated


@long_work
def explain(
    script: str | os.PathLike | Script,
    *,
    dialect: str = "modern",
    params: Params = (),
    deals: int = PILOT_DEALS,
    plan: str = "auto",
    produce: int | None = None,
    generate: int | None = None,
    predeal: Mapping[str, Any] | None = None,
    include: Sequence[str | os.PathLike] = (),
) -> ScriptExplanation:
    """Explain a script in plain words, with acceptance rates, the plan of a run and likely mistakes.

    Parameters
    ----------
    script : str, os.PathLike or Script
        The text, the path of a file, or what `parse` returned. If a script cannot be run, the explanation
        contains its error.
    dialect : {"modern", "v1", "v2"}
        The dialect of the script.
    params : mapping or sequence
        Values of the script variables, as for `run`; the explanation shows them.
    deals : int >= 1
        Number of pilot deals from which rates are estimated. They have a seed of their own, so the rates of
        a script are always the same and are independent of the deals of any run.
    plan : {"auto", "plain", "staged", "conditional"}
        The plan of the run to explain, as for `run`.
    produce, generate : int or None
        The limits of the run, as for `run`.
    predeal : mapping, optional
        Known cards, as for `run`.
    include : sequence of str or os.PathLike
        Folders to search for included files, as for `parse`.

    Returns
    -------
    ScriptExplanation
        Its rates are shares in [0, 1] with 95 % intervals: Wilson's [1]_, which are wider for up to 15
        successes or failures. The acceptance rate is exact if it can be counted within half a second.

    Raises
    ------
    FileError
        The file cannot be read.
    ArgumentError
        An argument is not valid, for example the plan is unknown or a limit is negative.

    See Also
    --------
    why : the clauses that one deal passes and fails.

    References
    ----------
    .. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of
       the American Statistical Association 22 (1927), 209-212.

    Examples
    --------
    >>> explanation = explain("condition 15 <= hcp(north) and hcp(north) <= 17 and hascard(south, AS)")
    >>> print(explanation.text)  # doctest: +ELLIPSIS
    Explanation of the script
    Exactly 1 deal in 55.967 is produced, counted without dealing.
    <BLANKLINE>
    A deal is produced if all of these hold
      1, 2  north holds 15 to 17 points
         3  south holds the ace of spades
    ...
    >>> explanation.probability.exact, explanation.clauses[0].alone.exact
    (True, False)
    >>> explain("condition not hcp(north) == 3").mistakes[0].instead
    'not (hcp(north) == 3)'
    """
    # The arguments
    deals = check_integer("deals", deals, 1)
    produce = check_optional_integer("produce", produce)
    generate = check_optional_integer("generate", generate)
    if not isinstance(plan, str) or plan not in PLANS:
        raise ArgumentError(f"unknown plan {plan!r}; the plans are {', '.join(PLANS)}")
    # The script; its error is an explanation, too
    try:
        program = read_program(script, find_rules(dialect), params=params, predeal=predeal, include=include)
    except ScriptError as error:
        return ScriptExplanation(error=error)
    try:
        compiled = compile_clauses(program)
    except DealerkitError as error:
        return ScriptExplanation(error=error)
    # The run
    any_plan = compiled.plan or make_plan(compile_program(replace(program, condition=None, actions=())))
    limits = resolve_limits(any_plan, produce, generate, None)
    plan_report = report_plan(compiled.plan, plan, limits, program.predeal) if compiled.plan else None
    return _Explainer(compiled, plan_report, deals).explain(limits, (produce, generate))


@dataclass(frozen=True, eq=False)
class CompiledClauses:
    """A checked script with its operations and the clauses of its condition.

    Attributes
    ----------
    program : Program
        The checked script.
    graph : OperationGraph
        The operations of its expressions.
    plan : Plan or None
        The plan of plain dealing; None if a part of the script cannot be computed yet.
    nodes : tuple of Expression
        The clauses in the order of the plan, which is that of the text with double dummy last.
    obstacle : str
        The reason why there is no plan; empty if there is one.
    """

    program: Program
    graph: OperationGraph
    plan: Plan | None
    nodes: tuple[nodes.Expression, ...]
    obstacle: str = ""

    @property
    def numbers(self) -> dict[int, int]:
        """The numbers of the clauses, from 1, by the ``id`` of their nodes."""
        return {id(node): number for number, node in enumerate(self.nodes, 1)}


def compile_clauses(program: Program) -> CompiledClauses:
    """Compile a checked script, and order the clauses of its condition as they are evaluated.

    Raises
    ------
    ScriptError, ArgumentError
        A run would refuse the script.
    """
    clauses = tuple(split_clauses(program.condition, program.definitions))
    try:
        plan = make_plan(compile_program(program))
    except NotYetError as reason:
        return CompiledClauses(program, compile_program(program).graph, None, clauses, str(reason))
    if plan.n_solver_clauses:
        slots = [plan.graph.add_expression(node) for node in clauses]
        new = iter([slot for slot in plan.clauses if slot not in slots])  # `rnd` gets a new slot each time
        slots = [slot if slot in plan.clauses else next(new) for slot in slots]
        order = sorted(range(len(slots)), key=lambda position: plan.clauses.index(slots[position]))
        clauses = tuple(clauses[position] for position in order)
    return CompiledClauses(program, plan.graph, plan, clauses)


class _Explainer:
    """The explanation of one script, part by part."""

    def __init__(self, compiled: CompiledClauses, plan_report: PlanReport | None, n_deals: int) -> None:
        self.program, self.graph, self.clauses = compiled.program, compiled.graph, compiled.nodes
        self.compiled, self.plan_report, self.n_deals = compiled, plan_report, n_deals
        self.describer = ConditionDescriber(compiled.graph, compiled.program.definitions)

    def explain(self, limits: Limits, requested: tuple[int | None, int | None]) -> ScriptExplanation:
        """Return the explanation; `requested` are the limits of the caller, produce and generate."""
        # Sentences: first the condition, then the actions, because a variable is described where it is first
        # used
        program, report = self.program, self.plan_report
        forecast = None if report is None else report.forecast
        condition = None if program.condition is None else self.describer.describe(program.condition)
        reports = tuple(self._describe_actions())
        # Rates: pilot deals for the clauses that can be evaluated on them; for all clauses together, the
        # forecast of the plan if there is one, because it is exact or more precise
        slots = [self._find_slot(node) for node in self.clauses]
        evaluated = [k for k, slot in enumerate(slots) if isinstance(slot, int)]
        order = [slot for slot in slots if isinstance(slot, int)]
        rates = estimate_rates(self.graph, order, self.n_deals, program.predeal)
        pilot = rates.probability if len(evaluated) == len(slots) else None
        probability = (None if forecast is None else forecast.derived_rate) or pilot
        per_produced = None if probability is None else invert_rate(probability)
        tallies = dict(zip(evaluated, zip(rates.alone, rates.given, strict=True), strict=True))
        # Mistakes: first those in the text, because they explain why a clause is always or never true
        mistakes = find_text_mistakes(program, self.graph)
        places = {mistake.place for mistake in mistakes if mistake.kind in CAUSES and mistake.place}
        mistakes += self._find_clause_mistakes(evaluated, order, rates, places)
        # Notes, without warnings about the place of a mistake and obstacles that are notes of clauses
        repeated = {(mistake.place, mistake.place.origin) for mistake in mistakes if mistake.place}
        notes = [
            str(warning)
            for warning in program.warnings
            if warning.place is None or (warning.place, warning.place.origin) not in repeated
        ]
        notes += filter(None, [self.compiled.obstacle])
        return ScriptExplanation(
            condition=condition,
            clauses=[self._summarize(k, slot, tallies.get(k)) for k, slot in enumerate(slots)],
            probability=probability,
            pilot=pilot,
            candidates=None if forecast is None else forecast.candidate_rate,
            deals_per_produced=per_produced,
            pilot_deals=self.n_deals,
            mistakes=merge_mistakes(mistakes),
            limits=tuple(self._describe_limits(limits, requested, per_produced)),
            notes=tuple(note for note in notes if note not in slots),
            reports=reports,
            plan=None if report is None else report.plan,
            dealing=(report.title, *report.list_lines(probability)) if report and slots else (),
            seats=self._describe_seats(order),
            clause_numbers=self.compiled.numbers,
            params=program.script.params,
        )

    # ------------------------------------------------------------ clauses
    def _find_slot(self, node: nodes.Expression) -> int | str:
        """Return the slot of a clause, or the reason why it cannot be evaluated on pilot deals."""
        try:
            slot = self.graph.add_expression(node)
        except NotYetError as reason:
            return str(reason)
        if self.graph.has_kind([slot], "board"):
            return "it depends on the number of deals that were produced before"
        return slot

    def _find_clause_mistakes(
        self, evaluated: Sequence[int], slots: Sequence[int], rates: Rates, causes: Set[nodes.Place]
    ) -> list[Mistake]:
        """Return the certain mistakes in the clauses, and the likely ones that their rates show.

        `causes` are the places of mistakes that can make a clause always or never true.
        """
        predeal = self.program.predeal
        rules = self.program.script.rules
        clauses = [
            ScriptClause(self.clauses[k], to_text(self.clauses[k], rules), slot)
            for k, slot in zip(evaluated, slots, strict=True)
        ]
        unsatisfiable = () if self.plan_report is None else self.plan_report.forecast.unsatisfiable_slots
        mistakes, explained = find_certain_mistakes(clauses, self.graph, predeal, unsatisfiable)
        if causes:
            is_caused = (any(part.place in causes for part in walk(clause.node)) for clause in clauses)
            explained |= {position for position, caused in enumerate(is_caused) if caused}
        return [*mistakes, *find_pilot_mistakes(clauses, rates, self.graph, predeal, explained)]

    def _summarize(
        self, position: int, slot: int | str, tallies: tuple[Tally, Tally] | None
    ) -> ClauseSummary:
        """Summarize a clause; `tallies` are its counts alone, and given the clauses before it."""
        node, notes = self.clauses[position], []
        alone = given = None
        if tallies is None or isinstance(slot, str):
            notes.append(str(slot))
        else:
            alone, given = (tally.rate for tally in tallies)
            if tallies[0].error:
                excluded = "" if tallies[1].error else ", which the clauses before it exclude"
                notes.append(f"alone it has no value for some deals{excluded}: {tallies[0].error}")
            if 0 < tallies[0].n_deals < self.n_deals:
                notes.append(
                    f"it is expensive, so it was evaluated on {format_count(tallies[0].n_deals, 'deal')} only"
                )
            if self.graph.has_kind([slot], "random"):
                notes.append("it contains random numbers, so another run gives other results")
        line, column = (node.place.line, node.place.column) if node.place else (None, None)
        text = to_text(node, self.program.script.rules)
        return ClauseSummary(position + 1, text, alone, given, line, column, "; ".join(notes))

    # ------------------------------------------------------------ the run
    def _describe_limits(
        self, limits: Limits, requested: tuple[int | None, int | None], per_produced: Estimate | None
    ) -> Iterator[str]:
        """Yield a sentence about each limit of a run, with the counts expected when it is reached."""
        # Number of deals dealt for each produced one, and the share of these that are candidates
        produce, generate = limits.produce, limits.generate
        plan = None if self.plan_report is None else self.plan_report.plan
        if plan is not None and plan.is_impossible:
            return  # nothing is dealt
        sampling = None if plan is None else plan.sampling
        rate = math.nan if per_produced is None else per_produced.value
        n_dealt = 1.0 if self.program.condition is None else rate  # for each produced deal
        share, unit = (1.0, "dealt") if sampling is None else (float(sampling.share), "candidates")
        # The origin of each limit, then a sentence for each
        sources = [
            "as requested" if value is not None else "by default" if own is None else "as set in the script"
            for value, own in zip(requested, (self.program.produce, self.program.generate), strict=True)
        ]
        if produce is not None:
            total, is_known = produce * n_dealt, 0 < n_dealt < math.inf
            expected = (
                f", after about {format_significant(total * share)} {unit}" if is_known and produce else ""
            )
            if is_known and generate is not None and total > generate:
                expected = f"; that would need about {format_significant(total)} dealt"
            yield f"A run stops at {format_count(produce, 'deal')} produced, {sources[0]}{expected}."
        if generate is not None:
            beginning = "A run stops" if produce is None else "It stops at the latest"
            expected = ""
            if 0 < share < 1:
                expected = f", of which about {format_significant(generate * share)} are candidates"
            if produce is None and 1 < n_dealt < math.inf:
                expected += f", with about {format_significant(generate / n_dealt)} produced"
            yield f"{beginning} at {format_count(generate, 'deal')} dealt, {sources[1]}{expected}."

    def _describe_seats(self, slots: Sequence[int]) -> str:
        """Return a sentence about the hands on which the condition depends."""
        mask = self.graph.find_seats(tuple(slots))
        seats = [name for seat, name in enumerate(SEATS) if mask >> seat & 1]
        if not seats:
            return "The condition depends on no hand."
        if mask & 0b0101 and mask & 0b1010:
            return f"The condition depends on {join_words(seats) if len(seats) < 4 else 'all four hands'}."
        others = "east and west" if mask & 0b0101 else "north and south"
        dealt = f"the hands of {others} are dealt for produced deals only"
        return f"The condition depends on {join_words(seats)}; {dealt}."

    def _describe_actions(self) -> Iterator[str]:
        if self.program.level is not None:
            rules = self.program.script.rules
            for node in self.program.level.types:
                share = "1" if node.share is None else to_text(node.share, rules)
                yield f'level "{node.label}": share {share}, {to_text(node.value, rules)}'
        for action in self.program.actions:
            label = f' "{action.label}"' if action.label else ""
            is_statistic = action.name in ("average", "frequency", "bktfreq")
            text = self.describer.describe_action(action) if is_statistic else ACTIONS[action.name].summary
            yield f"{action.name}{label}: {text}"
