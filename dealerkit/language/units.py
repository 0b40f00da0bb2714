"""Hundredths beside whole units, in the languages whose values are integers throughout."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dealerkit import registry
from dealerkit.language import nodes
from dealerkit.language.checks import Program
from dealerkit.language.operators import COMPARISONS
from dealerkit.language.printer import to_text
from dealerkit.language.trees import walk
from dealerkit.wording import shorten

MOST_PARTS = 200  # of an expression that are looked at
SMALL = 40  # a smaller number beside hundredths was meant in whole units; ltc has steps of 50

Finding = tuple[str, nodes.Place | None, str]


def unit_mistakes(root: Any, program: Program) -> Iterator[Finding]:
    """Message, place and remedy for each sum and comparison that mixes units below a node."""
    if not program.script.rules.hundredths:
        return
    for node in walk(root):
        if not isinstance(node, nodes.Chain) or set(node.operators) & {"*", "/", "%"}:
            continue
        for left, operator, right in zip(node.operands, node.operators, node.operands[1:], strict=False):
            found = _mixed(left, right, operator, program) or _mixed(right, left, operator, program)
            if found:
                yield found


def _mixed(
    value: nodes.Expression, other: nodes.Expression, operator: str, program: Program
) -> Finding | None:
    """Is `value` in hundredths and what stands beside it not?"""
    rules = program.script.rules
    if _scale(value, program) != 100:
        return None
    said, beside = (shorten(to_text(node, rules)) for node in (value, other))
    if isinstance(other, nodes.Number) and not other.decimal:
        if operator not in COMPARISONS or not 0 < abs(other.value) < SMALL:
            return None
        meant = f"{other.value}.0" if rules.decimals else f"{100 * other.value}"
        return (
            f"`{said}` counts hundredths here, so {beside} stands for {other.value / 100:g}",
            other.place,
            meant,
        )
    if _scale(other, program) != 1:
        return None
    if isinstance(value, nodes.Number):
        message = f"`{beside}` counts whole units here, and {said} stands for {value.value} of them"
        return message, value.place, f"{value.value // 100}" if value.value % 100 == 0 else ""
    product = nodes.Chain((nodes.Number(100), other), ("*",))
    return (
        f"`{said}` counts hundredths here and `{beside}` whole units",
        value.place,
        shorten(to_text(product, rules)),
    )


def _scale(node: nodes.Expression, program: Program) -> int | None:
    """100 for a value in hundredths, 1 for one in whole units, None where it cannot be told."""
    seen: set[str] = set()
    pending: list[nodes.Expression] = [node]
    found: set[int] = set()
    for _ in range(MOST_PARTS):
        if not pending:
            return found.pop() if len(found) == 1 else None
        part = pending.pop()
        if isinstance(part, nodes.Call):
            function = registry.get_function(part.function)
            if function.table in program.points or not function.unit or function.unit == "truth":
                return None
            found.add(100 if function.hundredths else 1)
        elif isinstance(part, nodes.Number):
            found |= {100} if part.decimal else set()
        elif isinstance(part, nodes.Name):
            if part.name not in seen:
                seen.add(part.name)
                pending.append(program.definitions[part.name])
        elif isinstance(part, nodes.Chain) and set(part.operators) <= {"+", "-"}:
            pending.extend(part.operands)
        elif isinstance(part, nodes.Negate):
            pending.append(part.operand)
        else:
            return None
    return None
