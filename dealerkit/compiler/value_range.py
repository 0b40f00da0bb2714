"""Which values an expression can have, for intervals of its mean."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dealerkit.compiler.operations import Operation
from dealerkit.scoring import parse_contracts, score_contracts
from dealerkit.statistics.rare_values import ANY_VALUE, SIMILAR_IMPS, SIMILAR_POINTS, ValueRange

_SIMILAR = {"imps": SIMILAR_IMPS, "score": SIMILAR_POINTS}  # by function


def find_value_range(operations: Sequence[Operation], slot: int) -> ValueRange:
    """Return the values that are possible for an operation; infinite ends where nothing is known.

    The range of an integer is that of the compiler. Here a score has those of its contract, and sums,
    products and choices of numbers with known ranges have one, also if they are reals.
    """
    ranges: list[ValueRange] = []
    for operation in operations[: slot + 1]:  # operands come before the operations that use them
        ranges.append(_find_range(operation, ranges))
    return ranges[slot]


def _find_range(operation: Operation, ranges: Sequence[ValueRange]) -> ValueRange:
    """Return the range of an operation from those of the operations before it."""
    low, high = operation.range
    known = ANY_VALUE if low is None or high is None else ValueRange(float(low), float(high))
    parts = [ranges[part] for part in (*operation.inputs, *operation.guarded)]
    if operation.kind == "constant":
        return ValueRange(float(operation.detail), float(operation.detail))
    if operation.kind == "call":
        name = operation.detail[0].name
        similar = _SIMILAR.get(name, 0.0)
        if name == "score":
            known = _bound_score(operation, parts[-1]) or known
        elif operation.detail[0].operation in ("least", "greatest"):
            similar = max((part.similar for part in parts), default=0.0)
        return known._replace(similar=similar)
    if operation.kind == "choice":
        parts = [ranges[part] for part in operation.detail[1]]
        known = ValueRange(min(part.low for part in parts), max(part.high for part in parts))
    elif operation.kind == "arithmetic":
        known = _combine(operation.detail[0], parts[0], parts[1], known)
    else:
        return known
    return known._replace(similar=max(part.similar for part in parts))


def _bound_score(operation: Operation, tricks: ValueRange) -> ValueRange | None:
    """Return the scores of a contract for all numbers of tricks between bounds; None if it is not known."""
    literals = [literal for literal in operation.detail[1] if literal is not None]
    if tricks.high - tricks.low > 100 or len(literals) != 2:
        return None
    numbers = np.arange(int(tricks.low), int(tricks.high) + 1)
    scores = score_contracts(*parse_contracts(literals[1]), numbers, literals[0].word == "vul")
    return ValueRange(float(scores.min()), float(scores.max()))


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
