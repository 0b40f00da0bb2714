"""Likely mistakes in a script that can be run: what it means, and what was probably meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from dealerkit.appearance.wording import shorten
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import Range
from dealerkit.errors import DealerkitError, NotYetError, ScriptError
from dealerkit.explanation.biased_ladder import find_biased_ladder
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.dialects import C_LEVELS, V2_LEVELS
from dealerkit.language.levels import find_type_variables
from dealerkit.language.operators import COMPARISONS, MIRRORED
from dealerkit.language.parser import parse_script
from dealerkit.language.printer import to_text
from dealerkit.language.script import Script
from dealerkit.language.trees import children, is_comparison, resolve_variable, walk
from dealerkit.language.units import find_mixed_units
from dealerkit.planning.certain_mistakes import Mistake
from dealerkit.planning.text_mistakes import CertainMistakeReader, find_spelling_mistakes

MAX_COMPARED = 60_000  # characters of a script that is also parsed as another program does
MAX_UNUSED = 3  # unused variables that are reported separately; more are reported together


def find_text_mistakes(program: Program, graph: OperationGraph) -> list[Mistake]:
    """Return the likely mistakes that the text of a script shows without a deal, in the order of the text.

    `graph` contains the operations of the program.
    """
    reader = _ExpressionReader(program, graph)
    mistakes = [*_find_replaced(program), *_find_unused(program), *_compare_dialects(program.script)]
    mistakes += [*find_biased_ladder(program), *find_spelling_mistakes(program)]
    for root in (*program.definitions.values(), program.condition, program.level, *program.actions):
        for node in walk(root):
            mistakes += reader.find_mistakes(node)
        mixed = find_mixed_units(root, program.script.rules, program.definitions, program.points)
        mistakes += [Mistake("units", *mistake) for mistake in mixed]
    return sorted(mistakes, key=lambda mistake: mistake.position)


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
    used = find_type_variables(program.definitions) if program.script.rules.modern_syntax else set()
    pending: list = [program.condition, program.level, *program.actions]
    pending += [program.definitions[name] for name in used]
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


class _ExpressionReader(CertainMistakeReader):
    """The likely mistakes of the expressions of one script."""

    def __init__(self, program: Program, graph: OperationGraph) -> None:
        super().__init__(program)
        self.graph = graph

    def find_mistakes(self, node: nodes.Argument) -> Iterator[Mistake]:
        """Yield the mistakes of one node, not of those below it."""
        yield from super().find_mistakes(node)
        if isinstance(node, nodes.And | nodes.Or):
            yield from self._find_repeated(node)
        elif isinstance(node, nodes.Action) and node.name == "average":
            yield from self._find_average_of_quotient(node)
        elif isinstance(node, nodes.Chain) and is_comparison(node) and self._is_simple(node):
            yield from self._find_compared_quotient(node)

    def _find_repeated(self, node: nodes.And | nodes.Or) -> Iterator[Mistake]:
        operator = "and" if isinstance(node, nodes.And) else "or"
        earlier: set = set()
        for operand in node.operands:
            if operand in earlier and not isinstance(operand, nodes.Number):
                message = f"`{self.print(operand)}` occurs twice in this `{operator}`"
                yield Mistake("repeat", message, operand.place)
            earlier.add(operand)

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
                meant = self.print(nodes.Chain(pair, (operator,)))
            message = f"`{self.print(quotient)}` is a division of integers, which drops the remainder"
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
                f"the mean is of `{self.print(quotient)}`, a division of integers, which drops the remainder"
            )
            yield Mistake("division", message, quotient.place)


def _compare_dialects(script: Script) -> Iterator[Mistake]:
    """Yield expressions that programs group differently: DealerV2 has a level for each operator."""
    if len(script.text) > MAX_COMPARED:  # it would be parsed twice more
        return
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
