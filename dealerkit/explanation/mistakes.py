"""Likely mistakes in a script that reads and runs: what it says, and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import compare
from dealerkit.errors import DealerkitError, NotYetError, ScriptError
from dealerkit.explanation.sentences import is_comparison, is_truth, looked_through
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.dialects import C_LEVELS, V2_LEVELS
from dealerkit.language.operators import COMPARISONS, MIRRORED
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.language.trees import children, walk
from dealerkit.language.units import find_mixed_units
from dealerkit.wording import shorten

FEW = 3  # unused variables that are named one by one


@dataclass(frozen=True)
class Mistake:
    """Something in a script that its writer hardly meant.

    Parameters
    ----------
    kind : str
        From the text: ``replaced unused repeat chained not truth or precedence division units``; from
        the pilot deals: ``never always predeal contradiction empty``; and ``error``.
    message : str
        What the script says.
    place : Place or None
        Line and column in the script.
    instead : str
        What was probably meant, as the language writes it; empty where nobody can tell.
    """

    kind: str
    message: str
    place: nodes.Place | None = None
    instead: str = ""

    def __str__(self) -> str:
        where = f"line {self.place.line}, column {self.place.column}: " if self.place else ""
        return f"{where}{self.message}{f'; probably meant: {self.instead}' if self.instead else ''}"


def find_mistakes(
    program: Program, graph: OperationGraph, params: Sequence[str | None] = ()
) -> list[Mistake]:
    """The likely mistakes that a script's text shows, without a deal, in the order of the text.

    Parameters
    ----------
    program : Program
    graph : OperationGraph
        Of the program.
    params : sequence of str
        The script variables it was read with.

    Returns
    -------
    list of Mistake
    """
    reader = _Reader(program, graph)
    found = [*reader.replaced(), *reader.unused(), *_precedence(program.script, params)]
    for root in (*program.definitions.values(), program.condition, *program.actions):
        for node in walk(root):
            found += reader.node(node)
        mixed = find_mixed_units(root, program.script.rules, program.definitions, program.points)
        found += [Mistake("units", *finding) for finding in mixed]
    return sorted(found, key=_position)


def _position(mistake: Mistake) -> tuple[int, int]:
    return (mistake.place.line, mistake.place.column) if mistake.place else (0, 0)


class _Reader:
    def __init__(self, program: Program, graph: OperationGraph) -> None:
        self.program, self.graph = program, graph
        self.rules, self.text = program.script.rules, program.script.text
        self.definitions = program.definitions
        self.lines = [0, *(match.end() for match in re.finditer("\n", self.text))]

    def said(self, node: nodes.Argument) -> str:
        return shorten(to_text(node, self.rules))

    # ------------------------------------------------------------ statements
    def replaced(self) -> Iterator[Mistake]:
        """Conditions and action lists that a later one replaces."""
        if not self.rules.last_condition_wins:
            return
        for kind, what, remedy in (
            (nodes.Condition, "condition", "join both with `and`"),
            (nodes.ActionList, "action list", "join both with a comma"),
        ):
            several = [one for one in self.program.script.statements if isinstance(one, kind)]
            for one, after in zip(several, several[1:], strict=False):
                line = f" in line {one.place.line}" if one.place else ""
                yield Mistake(
                    "replaced",
                    f"this {what} replaces the one{line}, which is not asked; {remedy}",
                    after.place,
                )

    def unused(self) -> Iterator[Mistake]:
        """Variables that neither the condition nor an action rests on."""
        program = self.program
        listed = any(isinstance(one, nodes.ActionList) for one in program.script.statements)
        if program.condition is None and not listed:
            return  # definitions for other scripts
        used: set[str] = set()
        pending: list = [program.condition, *program.actions]
        while pending:
            for node in walk(pending.pop()):
                if isinstance(node, nodes.Name) and node.name not in used:
                    used.add(node.name)
                    pending.append(self.definitions[node.name])
        spare = [
            one
            for one in program.script.statements
            if isinstance(one, nodes.Definition) and one.name not in used
        ]
        if len(spare) > FEW:
            names = ", ".join(one.name for one in spare)
            message = f"{len(spare)} variables are used by no condition and no action: {shorten(names)}"
            yield Mistake("unused", message, spare[0].place)
            return
        for one in spare:
            message = f"the variable '{one.name}' is used by no condition and no action"
            yield Mistake("unused", message, one.place)

    # ------------------------------------------------------------ expressions
    def node(self, node: nodes.Argument) -> Iterator[Mistake]:
        """What is doubtful about one node."""
        if isinstance(node, nodes.And | nodes.Or):
            yield from self._twice(node)
        if isinstance(node, nodes.Or):
            yield from self._bare_or(node)
        if isinstance(node, nodes.Action) and node.name == "average":
            yield from self._average(node)
        if isinstance(node, nodes.Chain) and is_comparison(node):
            if len(node.operators) > 1:
                yield self._chained(node)
            elif (negated := self._leading_not(node)) is not None:
                yield negated
            else:
                yield from self._truth(node)
                yield from self._division(node)

    def _twice(self, node: nodes.And | nodes.Or) -> Iterator[Mistake]:
        word = "and" if isinstance(node, nodes.And) else "or"
        seen: set = set()
        for operand in node.operands:
            if operand in seen and not isinstance(operand, nodes.Number):
                yield Mistake(
                    "repeat", f"`{self.said(operand)}` stands twice in this `{word}`", operand.place
                )
            seen.add(operand)

    def _chained(self, node: nodes.Chain) -> Mistake:
        first = nodes.Chain(node.operands[:2], node.operators[:1])
        rest = self.said(node.operands[2])
        pairs = zip(node.operands, node.operators, node.operands[1:], strict=False)
        parts = tuple(nodes.Chain((left, right), (operator,)) for left, operator, right in pairs)
        message = f"`{self.said(node)}` compares the answer of `{self.said(first)}`, 0 or 1, with {rest}"
        return Mistake("chained", message, node.place, self.said(nodes.And(parts)))

    def _leading_not(self, node: nodes.Chain) -> Mistake | None:
        """``not hcp(north) == 3``, which negates the points before it compares."""
        path: list[nodes.Chain] = [node]
        while isinstance(first := path[-1].operands[0], nodes.Chain):
            path.append(first)
        if not isinstance(first, nodes.Not) or is_truth(first.operand, self.definitions):
            return None
        meant: nodes.Expression = first.operand
        for chain in reversed(path):
            meant = replace(chain, operands=(meant, *chain.operands[1:]))
        message = f"`not` binds tighter than `{node.operators[0]}`: `{self.said(first)}` is 0 or 1 here"
        return Mistake("not", message, first.place, f"not ({self.said(meant)})")

    def _truth(self, node: nodes.Chain) -> Iterator[Mistake]:
        (left, right), (operator,) = node.operands, node.operators
        for value, other in ((left, right), (right, left)):
            number = looked_through(other, self.definitions)
            if not isinstance(number, nodes.Number) or not is_truth(value, self.definitions):
                continue
            pairs = [(k, number.value) if value is left else (number.value, k) for k in (0, 1)]
            answers = {bool(compare(operator, a, b, isinstance(number.value, float))) for a, b in pairs}
            if len(answers) == 1:
                always = "always" if answers.pop() else "never"
                message = f"`{self.said(value)}` is 0 or 1, so `{self.said(node)}` is {always} true"
                yield Mistake("truth", message, value.place, self.said(value))

    def _bare_or(self, node: nodes.Or) -> Iterator[Mistake]:
        """``a and b or c``: without parentheses, and with alternatives of unequal weight."""
        groups = [k for k, operand in enumerate(node.operands) if isinstance(operand, nodes.And)]
        bare = [k for k in groups if not self._in_parentheses(node.operands, k)]
        if not bare or len(groups) == len(node.operands):
            return
        ands = node.operands[bare[0]]
        assert isinstance(ands, nodes.And)
        meant = ""
        if bare == groups == [0]:
            block = nodes.Or((ands.operands[-1], *node.operands[1:]))
            meant = self.said(nodes.And((*ands.operands[:-1], block)))
        elif bare == groups == [len(node.operands) - 1]:
            block = nodes.Or((*node.operands[:-1], ands.operands[0]))
            meant = self.said(nodes.And((block, *ands.operands[1:])))
        message = f"`and` binds tighter than `or`: `{self.said(ands)}` is one alternative by itself"
        message += "" if meant else "; write parentheses"
        yield Mistake("or", message, node.place, meant)

    def _in_parentheses(self, operands: tuple[nodes.Expression, ...], index: int) -> bool:
        """Does an operand with several parts stand in parentheses of its own?"""
        here = self._offset(operands[index].place)
        last = max(self._offset(part.place) for part in children(operands[index]))
        further = index + 1 < len(operands)
        after = self._offset(operands[index + 1].place) if further else len(self.text) + 1
        before = self._offset(operands[index - 1].place) if index else -1
        position = here - 1
        while position > before and (self.text[position].isspace() or self.text[position] == "("):
            if self.text[position] == "(" and last < self._closing(position) < after:
                return True
            position -= 1
        return False

    def _offset(self, place: nodes.Place | None) -> int:
        if place is None:
            return 0
        start = self.lines[min(place.line, len(self.lines)) - 1]
        return min(start + place.column - 1, max(len(self.text) - 1, 0))

    def _closing(self, opening: int) -> int:
        """Offset of the parenthesis that closes another; texts in quotes and comments are passed over."""
        depth = 0
        for match in re.compile(r'"[^"]*"|#[^\n]*|//[^\n]*|/\*.*?\*/|[()]', re.DOTALL).finditer(
            self.text, opening
        ):
            depth += {"(": 1, ")": -1}.get(match.group(), 0)
            if depth == 0:
                return match.start()
        return len(self.text)

    # ------------------------------------------------------------ division
    def _whole_quotient(self, node: nodes.Expression) -> nodes.Chain | None:
        """A division of integers in an expression, or None."""
        for part in walk(looked_through(node, self.definitions)):
            if isinstance(part, nodes.Chain) and "/" in part.operators:
                try:
                    if not self.graph.operations[self.graph.add_expression(part)].range.real:
                        return part
                except (NotYetError, ScriptError):
                    continue
        return None

    def _division(self, node: nodes.Chain) -> Iterator[Mistake]:
        (left, right), (operator,) = node.operands, node.operators
        mirrored = MIRRORED.get(operator, operator)
        for side, other, seen in ((left, right, operator), (right, left, mirrored)):
            quotient = self._whole_quotient(side)
            if quotient is None or (seen in (">=", "<") and self._keeps(side, quotient, other)):
                continue
            meant = ""
            if looked_through(side, self.definitions) is quotient and quotient.operators == ("/",):
                above, below = quotient.operands
                product: nodes.Expression = nodes.Chain((below, other), ("*",))
                if isinstance(below, nodes.Number) and isinstance(other, nodes.Number):
                    product = replace(other, value=below.value * other.value)
                pair = (above, product) if side is left else (product, above)
                meant = self.said(nodes.Chain(pair, (operator,)))
            message = f"`{self.said(quotient)}` is a division of integers, which drops the remainder"
            yield Mistake("division", message, quotient.place, meant)

    def _keeps(self, side: nodes.Expression, quotient: nodes.Chain, other: nodes.Expression) -> bool:
        """Natural numbers divided and compared with an integer: >= and < do not mind the remainder."""
        if looked_through(side, self.definitions) is not quotient or quotient.operators != ("/",):
            return False
        try:
            above, below, limit = (
                self.graph.operations[self.graph.add_expression(one)].range
                for one in (*quotient.operands, other)
            )
        except (NotYetError, ScriptError):
            return False
        if above.low is None or below.low is None or limit.real:
            return False
        return above.low >= 0 and below.low > 0

    def _average(self, node: nodes.Action) -> Iterator[Mistake]:
        value = node.arguments[0]
        quotient = self._whole_quotient(value)  # type: ignore[arg-type]
        if quotient is None or set(_operators(value, self.definitions)) & set(COMPARISONS):
            return
        message = f"the mean is of `{self.said(quotient)}`, a division of integers, which drops the remainder"
        yield Mistake("division", message, quotient.place)


def _operators(node: nodes.Argument, definitions: dict[str, nodes.Expression]) -> Iterator[str]:
    for part in walk(looked_through(node, definitions)):  # type: ignore[arg-type]
        if isinstance(part, nodes.Chain):
            yield from part.operators


def _precedence(script: Script, params: Sequence[str | None]) -> Iterator[Mistake]:
    """Operators without parentheses that programs read differently: DealerV2 ranks each by itself."""
    own = script.rules
    foreign = replace(own, levels=C_LEVELS if own.levels == V2_LEVELS else V2_LEVELS)
    try:
        again, other = (parse_script(script.text, rules, params=params) for rules in (own, foreign))
    except DealerkitError:  # the nodes did not come from this text alone
        return
    if again != script:
        return
    here, there = "here", "by DealerV2"
    if own.levels == V2_LEVELS:
        here, there = "by DealerV2", "by dealer v1 and in modern scripts"
    pending = list(zip(script.statements, other.statements, strict=False))
    while pending:
        ours, theirs = pending.pop()
        if ours == theirs:
            continue
        (mine, ours_below), (yours, theirs_below) = _left_to_right(ours), _left_to_right(theirs)
        if type(ours) is type(theirs) and mine == yours and len(ours_below) == len(theirs_below):
            pending.extend(zip(ours_below, theirs_below, strict=True))
            continue
        written, here_text, there_text = (
            shorten(to_text(node, rules)) for node, rules in ((ours, own), (ours, foreign), (theirs, own))
        )
        message = (
            f"`{written}` is read as `{here_text}` {here} and as `{there_text}` {there}; write parentheses"
        )
        yield Mistake("precedence", message, ours.place)


def _left_to_right(node: Any) -> tuple[tuple[str, ...], tuple]:
    """Operators and what stands below a node, with ``(a * b) / c`` as ``a * b / c``, which is the same."""
    operators, below = getattr(node, "operators", ()), children(node)
    while operators and isinstance(below[0], nodes.Chain):
        together = {*operators, *below[0].operators}
        if not any(together <= set(level) for level in C_LEVELS):
            break
        operators, below = (*below[0].operators, *operators), (*below[0].operands, *below[1:])
    return operators, below
