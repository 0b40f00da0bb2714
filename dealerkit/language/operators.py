"""Operators: their precedence, and trees from flat lists of operands."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from dealerkit.language import nodes
from dealerkit.language.dialects import Rules

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}  # a < b is b > a; == and != are their own mirrors

CHOICE, OR, AND = -1, 0, 1
UNARY, ATOM = 100, 101


@functools.cache
def operator_levels(rules: Rules) -> dict[str, int]:
    """Return the level of each binary operator; the higher, the tighter it binds.

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
    """Return the tree of ``operands[0] operators[0] operands[1] ...``, without recursion.

    Operators of one level are one node. An operand that is a node of the same level, in
    parentheses that change nothing, is merged into it.
    """
    levels = operator_levels(rules)
    open_levels: list[tuple[int, list[nodes.Expression], list[str]]] = []
    current = operands[0]
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
