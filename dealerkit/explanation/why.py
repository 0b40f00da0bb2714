"""`why`: which clauses of a condition one deal passes or fails, with the values found in it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import NamedTuple

import numpy as np

from dealerkit.cards.deal import Deal
from dealerkit.cards.deals import Deals
from dealerkit.cards.html import render_deal, render_fragment
from dealerkit.cards.names import SEATS, SUITS
from dealerkit.compiler.compilation import read_program
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operation_list import GUARD_COST_NS
from dealerkit.errors import EvaluationError, NotYetError
from dealerkit.explanation.explain import clauses_asked, compiled
from dealerkit.explanation.sentences import Part, Words, numbers
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.dialects import find_rules
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.wording import join_words

_MARKS = {True: "yes", False: "no", None: "-"}
_NOT_ASKED = "not asked"


class Verdict(NamedTuple):
    """One clause and whether the deal passes it; None where it was not asked or has no value."""

    number: int
    text: str
    passed: bool | None


@dataclass(frozen=True)
class Answer:
    """A part of the condition, whether it holds, and the values found."""

    part: Part
    passed: bool | None
    found: str = ""
    parts: tuple[Answer, ...] = ()


@dataclass(frozen=True, repr=False)
class Reasons:
    """Why a deal passes a condition or fails it.

    Attributes
    ----------
    deal : Deal
    passed : bool or None
        None where it cannot be told: a function that is not computed yet, a division by zero.
    clauses : list of Verdict
        In the order of asking.
    condition : Answer or None
        The tree; None without a condition.
    notes : tuple of str
    """

    deal: Deal
    passed: bool | None
    clauses: list[Verdict] = field(default_factory=list)
    condition: Answer | None = None
    notes: tuple[str, ...] = ()
    labels: Mapping[int, int] = field(default_factory=dict)  # numbers of clauses by the id of their node

    @property
    def failed(self) -> list[int]:
        """Numbers of the clauses that the deal fails."""
        return [clause.number for clause in self.clauses if clause.passed is False]

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        if self.condition is None:
            return "There is no condition: every deal is produced"
        if self.passed:
            return "The deal passes"
        if self.passed is None:
            return "It cannot be told whether the deal passes"
        if len(self.clauses) == 1:
            return "The deal fails the only clause"
        failed = self.failed
        what = f"clause{'s' if len(failed) > 1 else ''} {join_words(map(str, failed))} of {len(self.clauses)}"
        return f"The deal fails {what}"

    @property
    def text(self) -> str:
        """The answer for a terminal."""
        lines = [self.headline]
        if self.condition is not None:
            lines += self._lines(self.condition)
        return "\n".join([*lines, *self.notes]) + "\n"

    def _lines(self, answer: Answer, depth: int = 0) -> Iterator[str]:
        colon = ":" if answer.parts else ""
        found = f": {answer.found}" if answer.found else ""
        label = numbers(answer.part, self.labels)
        yield f"  {_MARKS[answer.passed]:<4}{label:>5}  {'  ' * depth}{answer.part.words}{colon}{found}"
        for below in answer.parts:
            yield from self._lines(below, depth + 1)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Reasons: {self.headline[0].lower()}{self.headline[1:]}>"

    def _repr_html_(self) -> str:
        tree = f"<ul>{_html(self.condition, self.labels)}</ul>" if self.condition else ""
        notes = "".join(f"<div>{escape(note)}</div>" for note in self.notes)
        told = f'<div class="dk-report"><h4>{escape(self.headline)}</h4>{tree}{notes}</div>'
        shown = render_deal(self.deal.hands, self.deal.vulnerable, self.deal.dealer, self.deal.board)
        return render_fragment(f'<div class="dk-row"><div>{shown}</div>{told}</div>', self.text)


def why(
    script: str | os.PathLike | Script,
    deal: Deal | str,
    dialect: str = "modern",
    params: Sequence[str | None] = (),
) -> Reasons:
    """Ask one deal the condition of a script, part by part.

    Every clause is asked, also after one that fails; but what may have no value (a division) or
    is dear is asked only where `and`, `or` and ``?:`` reach it.

    Parameters
    ----------
    script : str, os.PathLike or Script
        Text, file, or what `parse` returned.
    deal : Deal or str
        A deal, or its text in PBN (``N:...``).
    dialect : {"modern", "v1", "v2"}
    params : sequence of str
        Values of the script variables ``$0`` to ``$9``.

    Returns
    -------
    Reasons

    Raises
    ------
    ScriptError
        A mistake in the script; `explain` says more about it.
    DealError
        A text that is no deal.
    FileError, ArgumentError

    See Also
    --------
    explain : the condition in plain words and how often deals pass it.

    Examples
    --------
    >>> deal = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
    >>> script = "condition hcp(north) >= 12 and hcp(north) <= 14 and spades(north) > hearts(north)"
    >>> reasons = why(script, deal)
    >>> print(reasons.text, end="")
    The deal fails clause 1 of 3
      no          all of these:
      no   1, 2    north holds 12 to 14 points: hcp(north) = 10, wanted 12 to 14
      yes     3    north holds more spades than hearts: spades(north) = 4, hearts(north) = 3
    >>> reasons.passed, reasons.failed
    (False, [1])
    """
    program = read_program(script, find_rules(dialect), params=params)
    plan, graph, missing = compiled(program)
    one = deal if isinstance(deal, Deal) else Deal(deal)
    asker = _Asker(program, graph, one, clauses_asked(program, plan))
    if program.condition is None:
        return Reasons(one, True, notes=tuple(asker.notes()))
    answer = asker.answer(Words(graph, program.definitions).part(program.condition))
    clauses = asker.clauses()
    labels = {id(node): number for number, node in enumerate(asker.nodes, 1)}
    passed = _all(clause.passed for clause in clauses)
    return Reasons(one, passed, clauses, answer, (*missing, *asker.notes()), labels)


class _Asker:
    """One deal and the clauses evaluated for it."""

    def __init__(
        self, program: Program, graph: OperationGraph, deal: Deal, clauses: list[nodes.Expression]
    ) -> None:
        self.program, self.graph, self.deal = program, graph, deal
        hands = np.array([deal.hands], np.uint64)
        self.nodes = clauses
        # No deal has been produced before this one.
        self.columns = BatchColumns(graph, Deals(hands, check=False), boards=np.zeros(1, np.int64))

    def clauses(self) -> list[Verdict]:
        """Each clause by itself; a guarded one only while none before it has failed."""
        verdicts: list[Verdict] = []
        open_yet = True
        for number, node in enumerate(self.nodes, 1):
            passed = self._truth(node)[0] if open_yet or not self._guarded((node,)) else None
            open_yet = open_yet and passed is True
            verdicts.append(Verdict(number, to_text(node, self.graph.rules), passed))
        return verdicts

    def answer(self, part: Part) -> Answer:
        """The answer to a part and to all below it."""
        if not part.parts:
            return self._leaf(part)
        if part.kind == "not":
            below = self.answer(part.parts[0])
            return Answer(part, None if below.passed is None else not below.passed, "", (below,))
        if part.kind == "if":
            return self._choice(part)
        combine, settled = (_all, False) if part.kind == "all" else (_any, True)
        answers: list[Answer] = []
        for one in part.parts:
            decided = any(before.passed is settled for before in answers)
            answers.append(_unasked(one) if decided and self._guarded(one.asked) else self.answer(one))
        return Answer(part, combine(one.passed for one in answers), "", tuple(answers))

    def _choice(self, part: Part) -> Answer:
        """Of ``?:`` only what is reached: conditions up to the first that holds, and its value."""
        answers: list[Answer] = []
        passed: bool | None = None
        taken = False
        for position, one in enumerate(part.parts):
            last = position == len(part.parts) - 1
            is_condition = position % 2 == 0 and not last
            reached = not taken and (is_condition or last or answers[-1].passed is True)
            answers.append(self.answer(one) if reached else _unasked(one))
            if reached and not is_condition:
                passed, taken = answers[-1].passed, True
            elif reached and answers[-1].passed is None:
                taken = True  # nobody knows which way it goes
        return Answer(part, passed, "", tuple(answers))

    def _leaf(self, part: Part) -> Answer:
        results = [self._truth(node) for node in part.asked]
        passed = (_any if part.kind == "any" else _all)(result for result, _ in results)
        trouble = next((reason for _, reason in results if reason), "")
        if trouble:
            return Answer(part, passed, trouble)
        found = ", ".join(filter(None, map(self._value, part.values)))
        wanted = f", wanted {part.wanted}" if found and part.wanted and passed is False else ""
        return Answer(part, passed, found + wanted)

    def _truth(self, node: nodes.Expression) -> tuple[bool | None, str]:
        """Does it hold? Or None, and why that cannot be told."""
        try:
            return bool(self.columns.truth(self.graph.add_expression(node))[0]), ""
        except NotYetError as reason:
            return None, str(reason)
        except EvaluationError as reason:
            return None, f"no value: {reason.message}"

    def _value(self, node: nodes.Expression) -> str:
        if isinstance(node, nodes.Call) and node.function == "pattern":
            seat = node.arguments[0]
            assert isinstance(seat, nodes.Seat)
            return f"found {self._pattern(seat.index)}"
        try:
            value = self.columns.array(self.graph.add_expression(node))[0]
        except (NotYetError, EvaluationError):
            return ""
        number = f"{float(value):g}" if isinstance(value, np.floating) else str(int(value))
        return f"{to_text(node, self.graph.rules)} = {number}"

    def _pattern(self, seat: int) -> str:
        lengths = [len(holding) for holding in self.deal.hand(seat).split(".")]
        return ("" if max(lengths) < 10 else "-").join(map(str, lengths))

    def _guarded(self, asked: Sequence[nodes.Expression]) -> bool:
        """May it have no value, or is it dear?"""
        try:
            operations = [self.graph.operations[self.graph.add_expression(node)] for node in asked]
        except NotYetError:
            return True
        return any(not operation.total or operation.cost_ns >= GUARD_COST_NS for operation in operations)

    def notes(self) -> Iterator[str]:
        """What the answer does not say."""
        predeal = self.program.predeal
        lacking = [SEATS[seat] for seat, mask in enumerate(predeal.masks) if mask & ~self.deal.hands[seat]]
        lacking += [
            f"{SEATS[seat]} in {SUITS[suit]}"
            for seat, suit, number in predeal.lengths
            if len(self.deal.hand(seat).split(".")[suit]) != number
        ]
        if lacking:
            yield f"A run would not deal it: the predeal asks for other cards of {join_words(lacking)}"
        if self.program.condition is not None:
            try:
                slot = self.graph.add_expression(self.program.condition)
            except NotYetError:
                return
            if self.graph.has_kind([slot], "random"):
                yield "The condition draws random numbers: a run may answer otherwise"


def _unasked(part: Part) -> Answer:
    return Answer(replace(part, parts=()), None, _NOT_ASKED)


def _all(results: Iterator[bool | None]) -> bool | None:
    """`and` where None is unknown."""
    known = list(results)
    return False if False in known else None if None in known else True


def _any(results: Iterator[bool | None]) -> bool | None:
    """`or` where None is unknown."""
    known = list(results)
    return True if True in known else None if None in known else False


def _html(answer: Answer, labels: Mapping[int, int]) -> str:
    mark = escape(_MARKS[answer.passed])
    shown = f'<b class="dk-alarm">{mark}</b>' if answer.passed is False else f"<b>{mark}</b>"
    found = f": <code>{escape(answer.found)}</code>" if answer.found else ""
    below = "".join(_html(one, labels) for one in answer.parts)
    below = f"<ul>{below}</ul>" if below else ""
    label = numbers(answer.part, labels)
    shown += f" <small>{label}:</small>" if label else ""
    return f"<li>{shown} {escape(answer.part.words)}{':' if below else ''}{found}{below}</li>"
