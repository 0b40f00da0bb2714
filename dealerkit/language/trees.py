"""Build and traverse trees of nodes of any depth, without recursion; the precedence of operators."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from dealerkit import registry
from dealerkit.language import nodes
from dealerkit.language.dialects import Rules

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}  # a < b is b > a; == and != are their own mirrors

CHOICE, OR, AND = -1, 0, 1
UNARY, ATOM = 100, 101


@functools.cache
def operator_levels(rules: Rules) -> dict[str, int]:
    """Return the precedence level of each binary operator; a higher one binds tighter.

    >>> from dealerkit.language.dialects import MODERN
    >>> levels = operator_levels(MODERN)
    >>> levels["or"] < levels["and"] < levels["=="] < levels["+"] < levels["*"]
    True
    """
    levels = {"or": OR, "and": AND}
    for level, operators in enumerate(rules.levels, start=AND + 1):
        levels |= dict.fromkeys(operators, level)
    return levels


def build_tree(
    operands: Sequence[nodes.Expression], operators: Sequence[str], rules: Rules
) -> nodes.Expression:
    """Return the tree of ``operands[0] operators[0] operands[1] ...``.

    The operators of one level become one node. An operand that is a node of the same level, in parentheses
    that change nothing, is merged into it.
    """
    levels = operator_levels(rules)
    open_levels: list[tuple[int, list[nodes.Expression], list[str]]] = []
    current = operands[0]
    # An operator completes the levels that bind tighter, and continues or begins its own level.
    for operator, operand in zip(operators, operands[1:], strict=True):
        level = levels[operator]
        while open_levels and open_levels[-1][0] > level:
            current = _close_level(open_levels.pop(), current, levels)
        if open_levels and open_levels[-1][0] == level:
            open_levels[-1][1].append(current)
            open_levels[-1][2].append(operator)
        else:
            open_levels.append((level, [current], [operator]))
        current = operand
    while open_levels:
        current = _close_level(open_levels.pop(), current, levels)
    return current


def _close_level(
    open_level: tuple[int, list[nodes.Expression], list[str]], last: nodes.Expression, levels: dict[str, int]
) -> nodes.Expression:
    level, operands, operators = open_level
    operands.append(last)
    place = operands[0].place
    if level == OR:
        return nodes.Or(_merge(operands, nodes.Or), place=place)
    if level == AND:
        return nodes.And(_merge(operands, nodes.And), place=place)
    first = operands[0]
    if isinstance(first, nodes.Chain) and all(levels[operator] == level for operator in first.operators):
        operands[:1] = first.operands
        operators[:0] = first.operators
    return nodes.Chain(tuple(operands), tuple(operators), place=place)


def _merge(operands: list[nodes.Expression], kind: type) -> tuple[nodes.Expression, ...]:
    if not any(type(operand) is kind for operand in operands):
        return tuple(operands)
    merged: list[nodes.Expression] = []
    for operand in operands:
        merged.extend(operand.operands if type(operand) is kind else (operand,))  # type: ignore[union-attr]
    return tuple(merged)


def children(node: Any) -> tuple[Any, ...]:
    """Return the nodes directly below a node, in the order of the text."""
    kind = type(node)
    below: tuple[Any, ...] = ()
    if kind is nodes.Call or kind is nodes.Action:
        below = node.arguments
    elif kind is nodes.Chain or kind is nodes.And or kind is nodes.Or:
        below = node.operands
    elif kind is nodes.Not or kind is nodes.Negate:
        below = (node.operand,)
    elif kind is nodes.Choice:
        pairs = [part for pair in zip(node.conditions, node.values, strict=True) for part in pair]
        below = (*pairs, node.otherwise)
    elif kind is nodes.Level:
        below = node.types
    elif kind is nodes.Definition or kind is nodes.Condition or kind is nodes.LevelType:
        below = (node.value,)
    elif kind is nodes.ActionList:
        below = node.actions
    return below


def walk(node: Any) -> Iterator[Any]:
    """Yield a node and all nodes below it in the order of the text, each before its children."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        below = children(current)
        if below:
            pending.extend(reversed(below))


def split_clauses(
    condition: nodes.Expression | None,
    definitions: Mapping[str, nodes.Expression],
    is_repeated: Callable[[str], bool] = lambda name: False,
) -> Iterator[nodes.Expression]:
    """Yield the operands of `and` in a condition, in the order of the text, with variables expanded.

    The clauses of a variable are yielded at its first use only, or at every use if `is_repeated` is true for
    its name.
    """
    expanded: set[str] = set()
    pending = [] if condition is None else [condition]
    while pending:
        node = pending.pop()
        if isinstance(node, nodes.And):
            pending.extend(reversed(node.operands))
        elif isinstance(node, nodes.Name) and isinstance(definitions.get(node.name), nodes.And):
            if node.name not in expanded or is_repeated(node.name):
                expanded.add(node.name)
                pending.append(definitions[node.name])
        else:
            yield node


def find_deeper_node(roots: Iterable[Any], limit: int) -> Any | None:
    """Return the first node more than `limit` levels below the roots, or None."""
    level = list(roots)
    for _ in range(limit + 1):
        level = [child for parent in level for child in children(parent)]
        if not level:
            return None
    return level[0]


def is_comparison(node: nodes.Argument) -> bool:
    """Return whether a node is a comparison or a chain of comparisons."""
    return isinstance(node, nodes.Chain) and node.operators[-1] in COMPARISONS


def resolve_variable(node: nodes.Expression, definitions: Mapping[str, nodes.Expression]) -> nodes.Expression:
    """Return the expression that a variable means, also through other variables; other nodes unchanged."""
    while isinstance(node, nodes.Name) and node.name in definitions:
        node = definitions[node.name]
    return node


def has_truth_value(node: nodes.Expression, definitions: Mapping[str, nodes.Expression]) -> bool:
    """Return whether an expression is true or false, rather than a number."""
    node = resolve_variable(node, definitions)
    if isinstance(node, nodes.Call):
        return registry.get_function(node.function).unit == "truth"
    return isinstance(node, nodes.Not | nodes.And | nodes.Or) or is_comparison(node)
