"""Comparisons of double-dummy tricks reduced to thresholds: does declarer take at least k tricks?

A solver needs six times as long for the number of tricks as to test whether declarer takes k of them.
A comparison that depends only on one number of tricks, such as ``score(vul, x4S, tricks) > 0``, changes
its truth at one or two numbers. It becomes an operation `reaches`, for which only these are tested.
"""

from __future__ import annotations

import numpy as np

from dealerkit.compiler.operation_list import OperationList
from dealerkit.compiler.operations import TRUTH, Operation
from dealerkit.language.trees import MIRRORED

SOLVER_COST_NS = 1e6  # operations that cost as many nanoseconds per deal, or more, need a solver
N_TRICK_COUNTS = 14  # 0 to 13
MAX_THRESHOLDS = 2  # testing more of them costs as much as the number of tricks
_PURE_KINDS = {"constant", "arithmetic", "compare", "not"}
# max(a, b) > k is (a > k or b > k), max(a, b) < k is (a < k and b < k); for min, it is the other way round.
_JUNCTIONS = {
    ("greatest", ">"): "or", ("greatest", "<"): "and", ("least", ">"): "and", ("least", "<"): "or",
}  # fmt: skip


def reduce_comparison(graph: OperationList, slot: int) -> int:
    """Return the slot of a `reaches` that equals a comparison of tricks, or the comparison's own slot."""
    comparison = graph.operations[slot]
    if comparison.cost_ns < SOLVER_COST_NS:  # it compares no tricks, so its operands need not be searched
        return slot
    tricks = None
    # A comparison can be reduced if one number of tricks is all that varies in it.
    for part in graph.find_required(slot):
        operation = graph.operations[part]
        if operation.kind == "tricks":
            if tricks is not None:
                return slot
            tricks = part
        elif operation.guarded or not _depends_on_inputs_only(operation):
            return slot
    if tricks is None or not comparison.total:
        return slot
    operation = Operation(
        "reaches", guarded=(slot,), detail=tricks, range=TRUTH, seats=0b1111, node=comparison.node
    )
    return graph.add_operation(operation)


def _depends_on_inputs_only(operation: Operation) -> bool:
    """Return whether an operation is arithmetic, or a call that takes only numbers, such as score or imps."""
    if operation.kind == "call":
        return bool(operation.detail[0].kind == "value" and operation.detail[0].pure)
    return operation.kind in _PURE_KINDS


def find_thresholds(truths: np.ndarray) -> tuple[bool, list[int]]:
    """Return the truth at 0 tricks, and the numbers of tricks at which the truth changes.

    >>> find_thresholds(np.arange(14) >= 9), find_thresholds(np.arange(14) == 9)
    ((False, [9]), (False, [9, 10]))
    """
    return bool(truths[0]), (np.flatnonzero(truths[1:] != truths[:-1]) + 1).tolist()


def split_extreme(
    graph: OperationList, operator: str, left: int, right: int
) -> tuple[str, list[tuple[str, int, int]]] | None:
    """Split a comparison of the largest or smallest of several numbers of tricks with a constant.

    Parameters
    ----------
    graph : OperationList
    operator : str
    left, right : int
        Slots of the operands.

    Returns
    -------
    tuple of (kind, comparisons), or None if splitting saves nothing
        `kind` is "and" or "or". Each of `comparisons` is (operator, left, right); joined by `kind`, they are
        equal to the comparison.
    """
    if graph.constant_value(right) is not None:
        extreme, operator_before_constant = left, operator
    elif graph.constant_value(left) is not None:
        extreme, operator_before_constant = right, MIRRORED.get(operator, operator)
    else:
        return None
    match = _match_extreme(graph, extreme)
    if match is None or operator_before_constant not in MIRRORED:
        return None
    pick, parts = match
    if not any(graph.operations[part].kind in ("tricks", "choice", "call") for part in parts):
        return None
    comparisons = [(operator, part, right) if extreme == left else (operator, left, part) for part in parts]
    return _JUNCTIONS[pick, operator_before_constant[0]], comparisons


def _match_extreme(graph: OperationList, slot: int) -> tuple[str, tuple[int, ...]] | None:
    """Return "least" or "greatest" and its operands for a call or ``a > b ? a : b`` of tricks, or None."""
    operation = graph.operations[slot]
    if operation.cost_ns < SOLVER_COST_NS or not operation.total or not graph.has_kind([slot], "tricks"):
        return None
    if operation.kind == "call" and operation.detail[0].operation in ("least", "greatest"):
        return operation.detail[0].operation, operation.inputs
    if operation.kind != "choice" or len(operation.detail[0]) != 1:
        return None
    (condition,), values = operation.detail
    test = graph.operations[condition]
    if test.kind != "compare" or test.detail[0] not in MIRRORED or set(test.inputs) != set(values):
        return None
    first_if_greater = (test.detail[0][0] == ">") == (test.inputs == values)
    return ("greatest" if first_if_greater else "least"), values
