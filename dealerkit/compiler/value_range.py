"""Finding the values that an expression can have, for intervals of its mean."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from dealerkit.compiler.function_bodies import convert_literal
from dealerkit.compiler.operation_list import OperationList
from dealerkit.compiler.operations import Operation
from dealerkit.registry import Function
from dealerkit.statistics.rare_values import ANY_VALUE, ValueRange

_found: WeakKeyDictionary[OperationList, dict[int, ValueRange]] = WeakKeyDictionary()  # by slot
MAX_TRIED = 100  # integers for which a function is computed to find its range


def find_value_range(graph: OperationList, slot: int) -> ValueRange:
    """Return the range of values that an operation can have; an unknown end is infinite.

    An integer has at least the range that the compiler found. In addition, the range of a score is that of
    its contract, and sums, products and choices of numbers with known ranges have a range even if they are
    reals.
    """
    ranges = _found.setdefault(graph, {})
    # Find the ranges of operands first; other actions may have found some of them.
    waiting = [slot]
    while waiting:
        operation = graph.operations[waiting[-1]]
        missing = [part for part in (*operation.inputs, *operation.guarded) if part not in ranges]
        if missing:
            waiting += missing
            continue
        last = waiting.pop()
        if last not in ranges:
            ranges[last] = _find_range(operation, ranges)
    return ranges[slot]


def _find_range(operation: Operation, ranges: Mapping[int, ValueRange]) -> ValueRange:
    """Return the range of an operation from those of its operands."""
    low, high = operation.range
    known = ANY_VALUE if low is None or high is None else ValueRange(float(low), float(high))
    parts = [ranges[part] for part in (*operation.inputs, *operation.guarded)]
    # Leaves: constants and calls of functions.
    if operation.kind == "constant":
        return ValueRange(float(operation.detail), float(operation.detail))
    if operation.kind == "call":
        function, literals, options, divisor = operation.detail
        similar = function.similar
        if function.operation in ("least", "greatest"):
            similar = max((part.similar for part in parts), default=0.0)
        elif function.bounds is not None and len(parts) == 1 and divisor is None:
            known = _try_all(function, literals, options, parts[0]) or known
        return known._replace(similar=similar)
    if operation.kind == "choice":
        parts = [ranges[part] for part in operation.detail[1]]
        known = ValueRange(min(part.low for part in parts), max(part.high for part in parts))
    elif operation.kind == "arithmetic":
        known = _combine(operation.detail[0], parts[0], parts[1], known)
    else:
        return known
    return known._replace(similar=max(part.similar for part in parts))


def _try_all(
    function: Function, literals: tuple[Any, ...], options: dict[str, Any], argument: ValueRange
) -> ValueRange | None:
    """Return the range of a function of one integer from all its values; None if there are too many."""
    if not argument.high - argument.low <= MAX_TRIED:
        return None
    numbers = np.arange(int(argument.low), int(argument.high) + 1)
    arguments = [numbers if literal is None else convert_literal(literal) for literal in literals]
    assert function.body is not None
    values = np.asarray(function.body(*arguments, **options))
    return ValueRange(float(values.min()), float(values.max()))


def _combine(operator: str, left: ValueRange, right: ValueRange, known: ValueRange) -> ValueRange:
    """Return the range of a sum, a difference, a product or a quotient by a number."""
    if operator == "+":
        low, high = left.low + right.low, left.high + right.high
    elif operator == "-":
        low, high = left.low - right.high, left.high - right.low
    elif operator in ("*", "/") and all(math.isfinite(end) for end in (*left[:2], *right[:2])):
        if operator == "/" and (right.low != right.high or not right.low):
            return known
        divide = operator == "/"
        corners = [a / b if divide else a * b for a in left[:2] for b in right[:2]]
        low, high = min(corners), max(corners)
    else:
        return known
    if math.isnan(low) or math.isnan(high):
        return known
    return ValueRange(max(low, known.low), min(high, known.high))
