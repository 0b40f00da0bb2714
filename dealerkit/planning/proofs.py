"""Prove that clauses are true or false on every deal, by the ranges of values and by predealt cards."""

from __future__ import annotations

from collections.abc import Sequence

from dealerkit.appearance.wording import shorten
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import Operation, Range, compare_values
from dealerkit.dealing.predeal import Predeal
from dealerkit.language.printer import to_text


def find_false_clause(clauses: Sequence[int], graph: OperationGraph) -> tuple[int, ...]:
    """Return the slot of the first clause that ranges of values prove false, or an empty tuple."""
    for slot in clauses:
        proof = prove_value(graph, slot, None)
        if proof is not None and not proof[0]:
            return (slot,)
    return ()


def prove_value(graph: OperationGraph, slot: int, predeal: Predeal | None) -> tuple[bool, str] | None:
    """Return the truth value that a clause has on every deal, and the reason; None without a proof."""
    operation = graph.operations[slot]
    value = None
    # Try a proof by the ranges of values, and then by the ranges that the predeal allows.
    if operation.kind == "constant":
        return bool(operation.detail), "it is a number"
    if operation.kind == "compare":
        left, right = (graph.operations[slot] for slot in operation.inputs)
        value = compare_ranges(operation.detail[0], left.range, right.range)
        if value is not None:
            return value, _describe_ranges(left, right)
        if predeal:
            ranges = (_find_range(side, predeal, graph.rules.bits) for side in (left, right))
            value = compare_ranges(operation.detail[0], *ranges)
    elif predeal and operation.kind == "call":
        bounds = _find_range(operation, predeal, graph.rules.bits)
        value = compare_ranges("!=", bounds, Range(0, 0))
    if value is None:
        return None
    seats = graph.find_seats((slot,))
    is_closed = predeal is not None and any(1 << seat & seats for seat, *_ in predeal.small)
    hint = ", in which an x says that a hand has no other card of the suit" if is_closed else ""
    return value, f"the predeal determines it{hint}"


def _describe_ranges(left: Operation, right: Operation) -> str:
    """Return a phrase with the ranges of both sides of a comparison."""
    sides = [
        f"{shorten(to_text(side.node))} is {side.range.low} to {side.range.high}"
        for side in (left, right)
        if side.kind != "constant" and side.node is not None
    ]
    return " and ".join(sides) or "it compares two numbers"


def _find_range(operation: Operation, predeal: Predeal, bits: int) -> Range:
    """Return the range of a value; for a sum over suits, the range that the predeal allows."""
    # Runs without predealt cards do not need to import these.
    from dealerkit.compiler.suit_tables import find_hand_tables
    from dealerkit.dealing.conditional.hand_sets import predealt_holdings

    declared = find_hand_tables(operation, bits)
    if declared is None or operation.range.real:
        return operation.range
    low, high = operation.range
    assert low is not None and high is not None
    least = greatest = 0
    for seat in declared.seats:
        for table, allowed in zip(declared.tables, predealt_holdings(predeal, seat), strict=True):
            least += int(table[allowed].min(initial=high))
            greatest += int(table[allowed].max(initial=low))
    return Range(max(low, least), min(high, greatest))


def compare_ranges(relation: str, left: Range, right: Range) -> bool | None:
    """Return the result of a comparison for all numbers in two ranges; None if it varies."""
    if left.real or right.real:
        return None
    assert left.low is not None and left.high is not None and right.low is not None and right.high is not None
    if relation in ("==", "!="):
        if left.high < right.low or right.high < left.low:
            return relation == "!="
        is_equal = left.low == left.high == right.low == right.high
        return (relation == "==") if is_equal else None
    ends = ((left.low, right.high), (left.high, right.low))
    values = {bool(compare_values(relation, *pair, real=False)) for pair in ends}
    return values.pop() if len(values) == 1 else None
