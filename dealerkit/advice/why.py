"""`why`: the clauses of a condition that a deal passes or fails, with the values of the deal."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from dealerkit.advice.explain import CompiledClauses, compile_clauses
from dealerkit.advice.sentences import ConditionDescriber, ConditionPart, join_numbered
from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Picture
from dealerkit.appearance.numbers import format_number
from dealerkit.appearance.table import Column, Indented, Table
from dealerkit.appearance.wording import join_words, limit_repr
from dealerkit.cards.deal import Deal
from dealerkit.cards.deals import Deals
from dealerkit.cards.html import render_deal
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.compiler.compilation import read_program
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.operation_list import GUARD_COST_NS
from dealerkit.errors import EvaluationError, NotYetError
from dealerkit.language import nodes
from dealerkit.language.dialects import find_rules
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.language.script_variables import Params
from dealerkit.runtime.progress import long_work


@limit_repr
class ClauseResult(NamedTuple):
    """The result of one clause.

    Attributes
    ----------
    number : int
        Position in the order of evaluation, from 1.
    text : str
        The clause in the dealer language.
    passed : bool or None
        Whether the deal passes; None if the clause was not evaluated or has no value.
    """

    number: int
    text: str
    passed: bool | None


@limit_repr
@dataclass(frozen=True)
class PartResult:
    """The result of a part of the condition.

    Attributes
    ----------
    part : ConditionPart
        The part in words.
    passed : bool or None
        Whether it is true; None if it was not evaluated or has no value.
    values : str
        The values of the deal, or the reason why there are none.
    parts : tuple of PartResult
        The results of the parts below it.
    """

    part: ConditionPart
    passed: bool | None
    values: str = ""
    parts: tuple[PartResult, ...] = ()


@limit_repr
@dataclass(frozen=True, eq=False, repr=False)
class DealExplanation(Shown):
    """The reasons why a deal passes or fails a condition.

    Attributes
    ----------
    deal : Deal
        The deal.
    passed : bool or None
        Whether it passes; None if this is not known, because a function cannot be computed yet or a divisor
        is zero.
    clauses : list of ClauseResult
        The clauses in the order of evaluation.
    condition : PartResult or None
        The condition as a tree of parts; None without a condition.
    notes : tuple of str
        Reasons why a run may have another result.
    clause_numbers : mapping of int to int
        The numbers of the clauses, by the ``id`` of their nodes.
    """

    deal: Deal
    passed: bool | None
    clauses: list[ClauseResult] = field(default_factory=list)
    condition: PartResult | None = None
    notes: tuple[str, ...] = ()
    clause_numbers: Mapping[int, int] = field(default_factory=dict)

    @property
    def failed(self) -> list[int]:
        """The numbers of the clauses that the deal fails."""
        return [clause.number for clause in self.clauses if clause.passed is False]

    @property
    def headline(self) -> str:
        """The result in a sentence."""
        if self.condition is None:
            return "There is no condition: every deal is produced"
        if self.passed:
            return "The deal passes"
        if self.passed is None:
            return "It is not known whether the deal passes"
        if len(self.clauses) == 1:
            return "The deal fails the only clause"
        return f"The deal fails {join_numbered('clause', list(map(str, self.failed)))} of {len(self.clauses)}"

    def card(self) -> Card:
        """Return the explanation as a card: the deal, and the parts of the condition with its values."""
        diagram = render_deal(self.deal.hands, self.deal.vulnerable, self.deal.dealer, self.deal.board)
        columns = [
            Column("passed", "holds", kind="text", missing="-"),
            Column("clauses", "clause", kind="label"),
            Column("part", "part of the condition", kind="sentence"),
            Column("values", "values of the deal", kind="sentence"),
        ]
        rows = [] if self.condition is None else list(self._list_tree(self.condition))
        return Card(
            self.headline,
            pictures=[Picture("", diagram)],
            tables=[Table(columns, rows)] if rows else [],
            notes=self.notes,
        )

    def _list_tree(self, result: PartResult, depth: int = 0) -> Iterator[tuple[Any, ...]]:
        """Yield the rows for a part and for the parts below it."""
        sentence = Indented(f"{result.part.text}{':' if result.parts else ''}", depth)
        yield result.passed, result.part.format_numbers(self.clause_numbers), sentence, result.values
        for below in result.parts:
            yield from self._list_tree(below, depth + 1)

    def __repr__(self) -> str:
        return f"<DealExplanation: {self.headline[0].lower()}{self.headline[1:]}>"


@long_work
def why(
    script: str | os.PathLike | Script,
    deal: Deal | str,
    *,
    dialect: str = "modern",
    params: Params = (),
    include: Sequence[str | os.PathLike] = (),
) -> DealExplanation:
    """Evaluate the condition of a script on one deal, part by part.

    Clauses after one that fails are also evaluated. Only a part that is expensive or may have no value, such
    as a division, is skipped if the result of `and`, `or` or ``?:`` does not depend on it.

    Parameters
    ----------
    script : str, os.PathLike or Script
        The text, the path of a file, or what `parse` returned.
    deal : Deal or str
        A deal, or its text in PBN notation (``N:...``).
    dialect : {"modern", "v1", "v2"}
        The dialect of the script.
    params : mapping or sequence
        Values of the script variables, as for `run`.
    include : sequence of str or os.PathLike
        Folders to search for included files, as for `parse`.

    Returns
    -------
    DealExplanation
        With the result of each clause, and a tree of parts with the values of the deal.

    Raises
    ------
    ScriptError
        The script has a mistake; `explain` describes it.
    DealError
        The text is not a deal.
    FileError
        The file of the script cannot be read.
    ArgumentError
        The dialect or a script variable is unknown.

    See Also
    --------
    explain : the condition in plain words and its acceptance rate.

    Examples
    --------
    >>> deal = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
    >>> script = "condition hcp(north) >= 12 and hcp(north) <= 14 and spades(north) > hearts(north)"
    >>> explanation = why(script, deal)
    >>> print(explanation.text, end="")
    The deal fails clause 1 of 3
    <BLANKLINE>
      holds  clause  part of the condition                  values of the deal
      no             all of these:
      no       1, 2    north holds 12 to 14 points          hcp(north) = 10, required 12 to 14
      yes         3    north holds more spades than hearts  spades(north) = 4, hearts(north) = 3
    >>> explanation.passed, explanation.failed
    (False, [1])
    """
    compiled = compile_clauses(read_program(script, find_rules(dialect), params=params, include=include))
    deal = deal if isinstance(deal, Deal) else Deal(deal)
    evaluator = _DealEvaluator(compiled, deal)
    condition = compiled.program.condition
    if condition is None:
        return DealExplanation(deal, True, notes=tuple(evaluator.list_notes()))
    part = ConditionDescriber(compiled.graph, compiled.program.definitions).describe(condition)
    result, clauses = evaluator.evaluate(part), evaluator.evaluate_clauses()
    notes = (*filter(None, [compiled.obstacle]), *evaluator.list_notes())
    passed = _combine((clause.passed for clause in clauses), False)
    return DealExplanation(deal, passed, clauses, result, notes, compiled.numbers)


class _DealEvaluator:
    """The evaluation of expressions on one deal."""

    def __init__(self, compiled: CompiledClauses, deal: Deal) -> None:
        self.program, self.graph, self.nodes = compiled.program, compiled.graph, compiled.nodes
        self.deal = deal
        hands = np.array([deal.hands], np.uint64)
        # No deal has been produced before this one.
        self.columns = BatchColumns(self.graph, Deals(hands, check=False), boards=np.zeros(1, np.int64))

    def evaluate_clauses(self) -> list[ClauseResult]:
        """Return the result of each clause; guarded clauses are evaluated only if those before them pass."""
        results: list[ClauseResult] = []
        passes = True
        for number, node in enumerate(self.nodes, 1):
            passed = self._evaluate_truth(node)[0] if passes or not self._is_guarded((node,)) else None
            passes = passes and passed is True
            results.append(ClauseResult(number, to_text(node, self.graph.rules), passed))
        return results

    def evaluate(self, part: ConditionPart) -> PartResult:
        """Return the result of a part and of the parts below it."""
        if not part.parts:
            return self._evaluate_leaf(part)
        if part.kind == "not":
            inner = self.evaluate(part.parts[0])
            return PartResult(part, None if inner.passed is None else not inner.passed, "", (inner,))
        if part.kind == "if":
            return self._evaluate_choice(part)
        decisive = part.kind != "all"
        results: list[PartResult] = []
        for below in part.parts:
            is_decided = any(result.passed is decisive for result in results)
            is_reached = not (is_decided and self._is_guarded(below.expressions))
            results.append(self.evaluate(below) if is_reached else _skip(below))
        return PartResult(part, _combine((result.passed for result in results), decisive), "", tuple(results))

    def _evaluate_choice(self, part: ConditionPart) -> PartResult:
        """Return the result of ``?:``: its conditions up to the first true one, and the chosen value."""
        results: list[PartResult] = []
        passed: bool | None = None
        is_decided = False
        for position, below in enumerate(part.parts):
            is_last = position == len(part.parts) - 1
            is_condition = position % 2 == 0 and not is_last
            is_reached = not is_decided and (is_condition or is_last or results[-1].passed is True)
            results.append(self.evaluate(below) if is_reached else _skip(below))
            if is_reached and not is_condition:
                passed, is_decided = results[-1].passed, True
            elif is_reached and results[-1].passed is None:
                is_decided = True  # the condition has no value, so no branch is chosen
        return PartResult(part, passed, "", tuple(results))

    def _evaluate_leaf(self, part: ConditionPart) -> PartResult:
        results = [self._evaluate_truth(node) for node in part.expressions]
        passed = _combine((result for result, _ in results), part.kind == "any")
        obstacle = next((reason for _, reason in results if reason), "")
        if obstacle:
            return PartResult(part, passed, obstacle)
        values = ", ".join(filter(None, map(self._format_value, part.values)))
        required = f", required {part.required}" if values and part.required and passed is False else ""
        return PartResult(part, passed, values + required)

    def _evaluate_truth(self, node: nodes.Expression) -> tuple[bool | None, str]:
        """Return whether an expression is true, or None and the reason why it has no value."""
        try:
            return bool(self.columns.truth(self.graph.add_expression(node))[0]), ""
        except NotYetError as reason:
            return None, str(reason)
        except EvaluationError as reason:
            return None, f"no value: {reason.message}"

    def _format_value(self, node: nodes.Expression) -> str:
        """Return an expression with its value; empty if it has no value."""
        try:
            operation = self.graph.operations[slot := self.graph.add_expression(node)]
            if operation.kind == "pattern":
                lengths = [len(holding) for holding in self.deal.hand(operation.detail).split(".")]
                return f"the shape is {('' if max(lengths) < 10 else '-').join(map(str, lengths))}"
            value = self.columns.array(slot)[0]
        except (NotYetError, EvaluationError):
            return ""
        number = (
            format_number(float(value), ascii=True) if isinstance(value, np.floating) else str(int(value))
        )
        return f"{to_text(node, self.graph.rules)} = {number}"

    def _is_guarded(self, expressions: Sequence[nodes.Expression]) -> bool:
        """Return whether one of the expressions is expensive or may have no value."""
        try:
            operations = [self.graph.operations[self.graph.add_expression(node)] for node in expressions]
        except NotYetError:
            return True
        return any(not operation.total or operation.cost_ns >= GUARD_COST_NS for operation in operations)

    def list_notes(self) -> Iterator[str]:
        """Yield the reasons why a run can have another result."""
        predeal = self.program.predeal
        seats = [SEATS[seat] for seat, mask in enumerate(predeal.masks) if mask & ~self.deal.hands[seat]]
        seats += [
            f"{SEATS[seat]} in {SUITS[suit]}"
            for seat, suit, length in predeal.lengths
            if len(self.deal.hand(seat).split(".")[suit]) != length
        ]
        if seats:
            yield f"A run would not deal this deal: the predeal gives other cards to {join_words(seats)}"
        if self.program.condition is not None:
            try:
                slot = self.graph.add_expression(self.program.condition)
            except NotYetError:
                return
            if self.graph.has_kind([slot], "random"):
                yield "The condition contains random numbers: a run may give another result"


def _skip(part: ConditionPart) -> PartResult:
    """Return the result of a part that is not reached."""
    return PartResult(replace(part, parts=()), None, "not evaluated")


def _combine(results: Iterable[bool | None], decisive: bool) -> bool | None:
    """Combine results by `and` (if `decisive` is False) or `or` (if it is True).

    Return None if the result depends on an unknown one.
    """
    values = set(results)
    return decisive if decisive in values else None if None in values else not decisive
