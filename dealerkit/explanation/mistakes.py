"""Likely mistakes in a script that can be run: what it means, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import Range, compare
from dealerkit.errors import NotYetError, ScriptError
from dealerkit.explanation.phrases import has_truth_value, is_comparison, resolve_variable
from dealerkit.explanation.precedence_mistakes import PrecedenceReader, compare_dialects
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.operators import COMPARISONS, MIRRORED
from dealerkit.language.printer import to_text
from dealerkit.language.trees import walk
from dealerkit.language.units import find_mixed_units
from dealerkit.planning.certain_mistakes import Mistake
from dealerkit.wording import shorten

MAX_UNUSED = 3  # unused variables that are reported one by one


def find_text_mistakes(
    program: Program, graph: OperationGraph, params: Sequence[str | None] = ()
) -> list[Mistake]:
    """Return the likely mistakes that the text of a script shows without a deal, in the order of the text.

    Parameters
    ----------
    program : Program
    graph : OperationGraph
        Of the program.
    params : sequence of str
        The values of its script variables.

    Returns
    -------
    list of Mistake
    """
    reader = _ExpressionReader(program, graph)
    mistakes = [*_find_replaced(program), *_find_unused(program), *compare_dialects(program.script, params)]
    for root in (*program.definitions.values(), program.condition, *program.actions):
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
    pending: list = [program.condition, *program.actions]
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
        self.precedence = PrecedenceReader(program.script, program.definitions)

    def find_mistakes(self, node: nodes.Argument) -> Iterator[Mistake]:
        """Yield the mistakes of one node, not of those below it."""
        if isinstance(node, nodes.And | nodes.Or):
            yield from self._find_repeated(node)
        if isinstance(node, nodes.Action) and node.name == "average":
            yield from self._find_average_of_quotient(node)
        precedence = list(self.precedence.find_mistakes(node))
        yield from precedence
        if isinstance(node, nodes.Chain) and is_comparison(node) and not precedence:
            yield from self._find_compared_truth(node)
            yield from self._find_compared_quotient(node)

    def _print(self, node: nodes.Argument) -> str:
        return shorten(to_text(node, self.rules))

    def _find_repeated(self, node: nodes.And | nodes.Or) -> Iterator[Mistake]:
        word = "and" if isinstance(node, nodes.And) else "or"
        earlier: set = set()
        for operand in node.operands:
            if operand in earlier and not isinstance(operand, nodes.Number):
                message = f"`{self._print(operand)}` occurs twice in this `{word}`"
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
            results = {bool(compare(operator, *pair, isinstance(number.value, float))) for pair in pairs}
            if len(results) == 1:
                word = "always" if results.pop() else "never"
                message = f"`{self._print(value)}` is 0 or 1, so `{self._print(node)}` is {word} true"
                yield Mistake("truth", message, value.place, self._print(value))

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
