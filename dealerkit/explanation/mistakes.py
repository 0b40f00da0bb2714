"""Likely mistakes in a script that can be run: what it means, and what was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import Range, compare_values
from dealerkit.errors import DealerkitError, NotYetError, ScriptError
from dealerkit.explanation.biased_ladder import find_biased_ladder
from dealerkit.explanation.phrases import has_truth_value, is_comparison, resolve_variable
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.dialects import C_LEVELS, V2_LEVELS
from dealerkit.language.operators import COMPARISONS, MIRRORED
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.language.trees import children, walk
from dealerkit.language.units import find_mixed_units
from dealerkit.planning.certain_mistakes import Mistake
from dealerkit.wording import shorten

_TOKENS = re.compile(r'"[^"]*"|#[^\n]*|//[^\n]*|/\*.*?\*/|[()]', re.DOTALL)  # texts, comments, parentheses
MAX_UNUSED = 3  # unused variables that are reported separately; more are reported together


def find_text_mistakes(program: Program, graph: OperationGraph) -> list[Mistake]:
    """Return the likely mistakes that the text of a script shows without a deal, in the order of the text.

    `graph` contains the operations of the program.
    """
    reader = _ExpressionReader(program, graph)
    mistakes = [*_find_replaced(program), *_find_unused(program), *_compare_dialects(program.script)]
    mistakes += find_biased_ladder(program)
    for root in (*program.definitions.values(), program.condition, program.level, *program.actions):
        for node in walk(root):
            mistakes += reader.find_mistakes(node)
        mixed = find_mixed_units(root, program.script.rules, program.definitions, program.points)
        mistakes += [Mistake("units", *mistake) for mistake in mixed]
    return sorted(mistakes, key=lambda mistake: mistake.position)


def merge_mistakes(mistakes: Sequence[Mistake]) -> list[Mistake]:
    """Return mistakes in the order of the text; of those of one kind at one place, only the first."""
    kept: list[Mistake] = []
    for mistake in sorted(mistakes, key=lambda mistake: mistake.position):
        kinds = {other.kind for other in kept if other.place == mistake.place and mistake.place is not None}
        is_consequence = mistake.kind in ("never", "always") and kinds & {"truth", "chained", "not", "units"}
        if mistake.kind not in kinds and not is_consequence:
            kept.append(mistake)
    return kept


def _find_replaced(program: Program) -> Iterator[Mistake]:
    """Yield conditions and action lists that replace an earlier one."""
    if not program.script.rules.last_condition_wins:
        return
    for kind, name, remedy in (
        (nodes.Condition, "condition", "join both with `and`"),
        (nodes.ActionList, "action list", "join both with a comma"),
    ):
        statements = [statement for statement in program.script.statements if isinstance(statement, kind)]
        for earlier, later in zip(statements, statements[1:], strict=False):
            line = f" in line {earlier.place.line}" if earlier.place else ""
            message = f"this {name} replaces the one{line}, which has no effect; {remedy}"
            yield Mistake("replaced", message, later.place)


def _find_unused(program: Program) -> Iterator[Mistake]:
    """Yield variables that neither the condition nor an action uses, directly or through others."""
    statements = program.script.statements
    if program.condition is None and not any(isinstance(node, nodes.ActionList) for node in statements):
        return  # the script contains definitions for other scripts
    used: set[str] = set()
    pending: list = [program.condition, program.level, *program.actions]
    while pending:
        for node in walk(pending.pop()):
            if isinstance(node, nodes.Name) and node.name not in used:
                used.add(node.name)
                pending.append(program.definitions[node.name])
    unused = [node for node in statements if isinstance(node, nodes.Definition) and node.name not in used]
    if len(unused) > MAX_UNUSED:
        names = shorten(", ".join(definition.name for definition in unused))
        message = f"{len(unused)} variables are used by no condition and no action: {names}"
        yield Mistake("unused", message, unused[0].place)
        return
    for definition in unused:
        message = f"the variable '{definition.name}' is used by no condition and no action"
        yield Mistake("unused", message, definition.place)


class _ExpressionReader:
    """The likely mistakes of the expressions of one script."""

    def __init__(self, program: Program, graph: OperationGraph) -> None:
        self.rules, self.definitions, self.graph = program.script.rules, program.definitions, graph
        self.text, self.line_starts = "", [0]
        self._choose_text(nodes.Place(1, 1, nodes.Origin(None, program.script.text)))

    def find_mistakes(self, node: nodes.Argument) -> Iterator[Mistake]:
        """Yield the mistakes of one node, not of those below it."""
        if isinstance(node, nodes.And | nodes.Or):
            yield from self._find_repeated(node)
        if isinstance(node, nodes.Or):
            yield from self._find_bare_and(node)
        elif isinstance(node, nodes.Action) and node.name == "average":
            yield from self._find_average_of_quotient(node)
        elif isinstance(node, nodes.Chain) and is_comparison(node):
            if len(node.operators) > 1:
                yield self._report_chain(node)
            elif (negation := self._find_leading_not(node)) is not None:
                yield negation
            else:
                yield from self._find_compared_truth(node)
                yield from self._find_compared_quotient(node)

    def _print(self, node: nodes.Argument) -> str:
        return shorten(to_text(node, self.rules))

    def _find_repeated(self, node: nodes.And | nodes.Or) -> Iterator[Mistake]:
        operator = "and" if isinstance(node, nodes.And) else "or"
        earlier: set = set()
        for operand in node.operands:
            if operand in earlier and not isinstance(operand, nodes.Number):
                message = f"`{self._print(operand)}` occurs twice in this `{operator}`"
                yield Mistake("repeat", message, operand.place)
            earlier.add(operand)

    def _find_compared_truth(self, node: nodes.Chain) -> Iterator[Mistake]:
        """Yield a comparison of a truth value with a number that makes it the same for 0 and 1."""
        (left, right), (operator,) = node.operands, node.operators
        for value, other in ((left, right), (right, left)):
            number = resolve_variable(other, self.definitions)
            if not isinstance(number, nodes.Number) or not has_truth_value(value, self.definitions):
                continue
            pairs = [(k, number.value) if value is left else (number.value, k) for k in (0, 1)]
            results = {
                bool(compare_values(operator, a, b, isinstance(number.value, float))) for a, b in pairs
            }
            if len(results) == 1:
                frequency = "always" if results.pop() else "never"
                message = f"`{self._print(value)}` is 0 or 1, so `{self._print(node)}` is {frequency} true"
                yield Mistake("truth", message, value.place, self._print(value))

    # ------------------------------------------------------------ precedence of operators
    def _report_chain(self, node: nodes.Chain) -> Mistake:
        """Return the mistake of ``1 < x < 5``, which compares a truth value with a number."""
        first = nodes.Chain(node.operands[:2], node.operators[:1])
        rest = self._print(node.operands[2])
        pairs = zip(node.operands, node.operators, node.operands[1:], strict=False)
        parts = tuple(nodes.Chain((left, right), (operator,)) for left, operator, right in pairs)
        message = f"`{self._print(node)}` compares the value of `{self._print(first)}`, 0 or 1, with {rest}"
        return Mistake("chained", message, node.place, self._print(nodes.And(parts)))

    def _find_leading_not(self, node: nodes.Chain) -> Mistake | None:
        """Return the mistake of ``not hcp(north) == 3``, which negates the points before it compares."""
        path: list[nodes.Chain] = [node]
        while isinstance(first := path[-1].operands[0], nodes.Chain):
            path.append(first)
        if not isinstance(first, nodes.Not) or has_truth_value(first.operand, self.definitions):
            return None
        meant: nodes.Expression = first.operand
        for chain in reversed(path):
            meant = replace(chain, operands=(meant, *chain.operands[1:]))
        message = f"`not` binds tighter than `{node.operators[0]}`: `{self._print(first)}` is 0 or 1 here"
        return Mistake("not", message, first.place, f"not ({self._print(meant)})")

    def _find_bare_and(self, node: nodes.Or) -> Iterator[Mistake]:
        """Yield the mistake of ``a and b or c`` without parentheses, unless all operands contain `and`."""
        ands = [k for k, operand in enumerate(node.operands) if isinstance(operand, nodes.And)]
        bare = [k for k in ands if not self._is_in_parentheses(node.operands, k)]
        if not bare or len(ands) == len(node.operands):
            return
        group = node.operands[bare[0]]
        assert isinstance(group, nodes.And)
        meant = ""
        if bare == ands == [0]:
            last = nodes.Or((group.operands[-1], *node.operands[1:]))
            meant = self._print(nodes.And((*group.operands[:-1], last)))
        elif bare == ands == [len(node.operands) - 1]:
            first = nodes.Or((*node.operands[:-1], group.operands[0]))
            meant = self._print(nodes.And((first, *group.operands[1:])))
        message = f"`and` binds tighter than `or`: `{self._print(group)}` is one alternative by itself"
        yield Mistake("or", message if meant else f"{message}; write parentheses", node.place, meant)

    def _is_in_parentheses(self, operands: tuple[nodes.Expression, ...], index: int) -> bool:
        """Return whether parentheses enclose one operand with several parts and nothing else."""
        self._choose_text(operands[index].place)
        text, start = self.text, self._offset(operands[index].place)
        last = max(self._offset(part.place) for part in children(operands[index]))
        end = self._offset(operands[index + 1].place) if index + 1 < len(operands) else len(text) + 1
        before = self._offset(operands[index - 1].place) if index else -1
        position = start - 1
        while position > before and (text[position].isspace() or text[position] == "("):
            if text[position] == "(" and last < self._find_closing(position) < end:
                return True
            position -= 1
        return False

    def _choose_text(self, place: nodes.Place | None) -> None:
        """Read from now on the text of a place, which may be that of an included file."""
        if place and place.origin and place.origin.text != self.text:
            self.text = place.origin.text
            self.line_starts = [0, *(match.end() for match in re.finditer("\n", self.text))]

    def _offset(self, place: nodes.Place | None) -> int:
        """Return the position of a place in the text."""
        if place is None:
            return 0
        start = self.line_starts[min(place.line, len(self.line_starts)) - 1]
        return min(start + place.column - 1, max(len(self.text) - 1, 0))

    def _find_closing(self, opening: int) -> int:
        """Return the position of the parenthesis that closes another; texts and comments are skipped."""
        depth = 0
        for match in _TOKENS.finditer(self.text, opening):
            depth += {"(": 1, ")": -1}.get(match.group(), 0)
            if depth == 0:
                return match.start()
        return len(self.text)

    # ------------------------------------------------------------ divisions of integers
    def _find_range(self, node: nodes.Expression) -> Range | None:
        """Return the range of an expression; None if it cannot be computed."""
        try:
            return self.graph.operations[self.graph.add_expression(node)].range
        except (NotYetError, ScriptError):
            return None

    def _find_quotient(self, node: nodes.Expression) -> nodes.Chain | None:
        """Return a division of integers in an expression, or None."""
        for part in walk(resolve_variable(node, self.definitions)):
            if isinstance(part, nodes.Chain) and "/" in part.operators:
                bounds = self._find_range(part)
                if bounds is not None and not bounds.real:
                    return part
        return None

    def _find_compared_quotient(self, node: nodes.Chain) -> Iterator[Mistake]:
        """Yield a comparison whose result the dropped remainder of a division changes."""
        (left, right), (operator,) = node.operands, node.operators
        mirrored = MIRRORED.get(operator, operator)
        for side, other, relation in ((left, right, operator), (right, left, mirrored)):
            quotient = self._find_quotient(side)
            if quotient is None or (relation in (">=", "<") and self._is_harmless(side, quotient, other)):
                continue
            meant = ""
            if resolve_variable(side, self.definitions) is quotient and quotient.operators == ("/",):
                dividend, divisor = quotient.operands
                product: nodes.Expression = nodes.Chain((divisor, other), ("*",))
                if isinstance(divisor, nodes.Number) and isinstance(other, nodes.Number):
                    product = replace(other, value=divisor.value * other.value)
                pair = (dividend, product) if side is left else (product, dividend)
                meant = self._print(nodes.Chain(pair, (operator,)))
            message = f"`{self._print(quotient)}` is a division of integers, which drops the remainder"
            yield Mistake("division", message, quotient.place, meant)

    def _is_harmless(self, side: nodes.Expression, quotient: nodes.Chain, other: nodes.Expression) -> bool:
        """Return whether the remainder changes no result of >= and <: natural numbers, integer limit."""
        if resolve_variable(side, self.definitions) is not quotient or quotient.operators != ("/",):
            return False
        dividend, divisor, limit = map(self._find_range, (*quotient.operands, other))
        if dividend is None or divisor is None or limit is None:
            return False
        if dividend.low is None or divisor.low is None or limit.real:
            return False
        return dividend.low >= 0 and divisor.low > 0

    def _find_average_of_quotient(self, node: nodes.Action) -> Iterator[Mistake]:
        """Yield an average of a division of integers, unless the expression is a comparison of it."""
        value: nodes.Expression = node.arguments[0]  # type: ignore[assignment]
        quotient = self._find_quotient(value)
        if quotient is None:
            return
        chains = (
            part for part in walk(resolve_variable(value, self.definitions)) if isinstance(part, nodes.Chain)
        )
        if not any(operator in COMPARISONS for chain in chains for operator in chain.operators):
            message = (
                f"the mean is of `{self._print(quotient)}`, a division of integers, which drops the remainder"
            )
            yield Mistake("division", message, quotient.place)


def _compare_dialects(script: Script) -> Iterator[Mistake]:
    """Yield expressions that programs group differently: DealerV2 has a level for each operator."""
    rules = script.rules
    is_v2 = rules.levels == V2_LEVELS
    foreign = replace(rules, levels=C_LEVELS if is_v2 else V2_LEVELS)
    try:
        same, other = (
            parse_script(script.text, levels, script.file, script.params) for levels in (rules, foreign)
        )
    except DealerkitError:  # the nodes do not come from this text alone
        return
    if same != script:
        return
    here, there = ("by DealerV2", "by dealer v1 and in modern scripts") if is_v2 else ("here", "by DealerV2")
    pending = list(zip(script.statements, other.statements, strict=False))
    while pending:
        ours, theirs = pending.pop()
        if ours == theirs:
            continue
        (our_operators, our_parts), (their_operators, their_parts) = _flatten(ours), _flatten(theirs)
        if (type(ours), our_operators, len(our_parts)) == (type(theirs), their_operators, len(their_parts)):
            pending.extend(zip(our_parts, their_parts, strict=True))
            continue
        printed = ((ours, rules), (ours, foreign), (theirs, rules))
        text, text_here, text_there = (shorten(to_text(node, levels)) for node, levels in printed)
        message = (
            f"`{text}` is parsed as `{text_here}` {here} and as `{text_there}` {there}; write parentheses"
        )
        yield Mistake("precedence", message, ours.place)


def _flatten(node: Any) -> tuple[tuple[str, ...], tuple]:
    """Return the operators and parts of a node, ``(a * b) / c`` like the equivalent ``a * b / c``."""
    operators, parts = getattr(node, "operators", ()), children(node)
    while operators and isinstance(parts[0], nodes.Chain):
        together = {*operators, *parts[0].operators}
        if not any(together <= set(level) for level in C_LEVELS):
            break
        operators, parts = (*parts[0].operators, *operators), (*parts[0].operands, *parts[1:])
    return operators, parts
