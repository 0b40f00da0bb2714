"""Find numbers in hundredths that are compared with values in natural units, and the reverse.

The dialects v1 and v2 count some values in hundredths; modern scripts only use natural units.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dealerkit import registry
from dealerkit.appearance.wording import shorten
from dealerkit.language import nodes
from dealerkit.language.dialects import Rules
from dealerkit.language.printer import to_text
from dealerkit.language.trees import COMPARISONS, walk

MAX_TERMS = 200  # number of terms of the longest sum whose unit is determined
SMALL = 40  # a smaller number compared with hundredths is probably in whole units; ltc has steps of 50

UnitMistake = tuple[str, nodes.Place | None, str]
Definitions = Mapping[str, nodes.Expression]


def find_hundredths(
    value: nodes.Expression, others: Iterable[nodes.Argument], definitions: Definitions
) -> Iterator[tuple[str, nodes.Number]]:
    """Yield a message about each number of 100 or more that is compared with a value counted in units."""
    for number in others:
        if not isinstance(number, nodes.Number) or isinstance(number.value, float) or abs(number.value) < 100:
            continue
        for term in _list_terms(value, definitions):
            if isinstance(term, nodes.Call) and (function := registry.get_function(term.function)).hundredths:
                unit = function.unit or "points"
                yield f"{function.name} is in {unit} here, not in hundredths", number
                break


def find_mixed_units(
    root: Any, rules: Rules, definitions: Definitions, points: Mapping[str, tuple[Any, ...]]
) -> Iterator[UnitMistake]:
    """Yield message, place and replacement for each sum or comparison below a node that mixes units.

    Parameters
    ----------
    root : node
        The part of a script to check.
    rules : Rules
        The rules of its dialect; nothing is yielded unless it counts in hundredths.
    definitions : mapping of str to Expression
        The script's variables.
    points : mapping of str to tuple
        The tables of points that the script redefines, whose units are not known.
    """
    if not rules.hundredths:
        return
    for node in walk(root):
        if not isinstance(node, nodes.Chain) or set(node.operators) & {"*", "/", "%"}:
            continue
        operands = [(operand, _find_scale(operand, definitions, points)) for operand in node.operands]
        for left, operator, right in zip(operands, node.operators, operands[1:], strict=False):
            mistake = _find_mistake(left, right, operator, rules) or _find_mistake(
                right, left, operator, rules
            )
            if mistake:
                yield mistake


def _find_mistake(
    in_hundredths: tuple[nodes.Expression, int | None],
    in_units: tuple[nodes.Expression, int | None],
    operator: str,
    rules: Rules,
) -> UnitMistake | None:
    """Return the mistake if the first operand is in hundredths and the second is not."""
    (value, scale), (other, other_scale) = in_hundredths, in_units
    if scale != 100:
        return None
    value_text, other_text = (shorten(to_text(node, rules)) for node in (value, other))
    # A small number is compared with a value in hundredths.
    if isinstance(other, nodes.Number) and not other.decimal:
        if operator not in COMPARISONS or not 0 < abs(other.value) < SMALL:
            return None
        replacement = f"{other.value}.0" if rules.decimals else f"{100 * other.value}"
        return (
            f"`{value_text}` counts hundredths here, so {other_text} means {other.value / 100:g}",
            other.place,
            replacement,
        )
    # A number or value in hundredths is added to, or compared with, a value in whole units.
    if other_scale != 1:
        return None
    if isinstance(value, nodes.Number):
        message = f"`{other_text}` counts whole units here, so {value_text} means {value.value} of them"
        return message, value.place, f"{value.value // 100}" if value.value % 100 == 0 else ""
    product = nodes.Chain((nodes.Number(100), other), ("*",))
    return (
        f"`{value_text}` counts hundredths here and `{other_text}` whole units",
        value.place,
        shorten(to_text(product, rules)),
    )


def _find_scale(
    node: nodes.Expression, definitions: Definitions, points: Mapping[str, tuple[Any, ...]]
) -> int | None:
    """Return 100 for a value in hundredths, 1 for a value in whole units, None if it is not certain."""
    scales: set[int] = set()
    terms = _list_terms(node, definitions)
    for term in itertools.islice(terms, MAX_TERMS):
        if isinstance(term, nodes.Call):
            function = registry.get_function(term.function)
            if function.table in points or not function.unit or function.unit == "truth":
                return None
            scales.add(100 if function.hundredths else 1)
        elif isinstance(term, nodes.Number):
            scales |= {100} if term.decimal else set()
        else:
            return None
    return scales.pop() if len(scales) == 1 and next(terms, None) is None else None


def _list_terms(value: nodes.Expression, definitions: Definitions) -> Iterator[nodes.Expression]:
    """Yield the terms of a sum; each variable is replaced by its definition, once only."""
    names: set[str] = set()
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, nodes.Name) and node.name in definitions:
            if node.name not in names:
                names.add(node.name)
                pending.append(definitions[node.name])
        elif isinstance(node, nodes.Chain) and set(node.operators) <= {"+", "-"}:
            pending.extend(node.operands)
        elif isinstance(node, nodes.Negate):
            pending.append(node.operand)
        else:
            yield node
