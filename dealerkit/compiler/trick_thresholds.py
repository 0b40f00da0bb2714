"""Comparisons of double-dummy tricks as the cheaper question "does declarer take so many?".

To find the number of tricks costs a solver six times as much as to find whether a
given number can be reached. A comparison whose value depends on one number of
tricks alone changes between two numbers of tricks once or twice, whatever stands
around the number: ``dds(south, spades) - 6 >= 4``, ``score(vul, x4S, tricks) > 0``.
It becomes an operation `reaches`, which asks for these numbers only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dealerkit.compiler.operations import TRUTH, Operation
from dealerkit.language.operators import MIRRORED

if TYPE_CHECKING:
    from dealerkit.compiler.graph import OperationGraph

SOLVER_COST_NS = 1e6  # nanoseconds a deal from which an operation is one that asks a solver
N_TRICK_COUNTS = 14  # 0 to 13
MAX_THRESHOLDS = 2  # so many still cost less than the number of tricks
_PURE_KINDS = {"constant", "arithmetic", "compare", "not"}
# max(a, b) > k is (a > k or b > k), max(a, b) < k is (a < k and b < k); min the other way round
_JOINED = {("max", ">"): "or", ("max", "<"): "and", ("min", ">"): "and", ("min", "<"): "or"}


def of_tricks(graph: OperationGraph, slot: int) -> int:
    """The slot of the cheaper question with the same answer as a comparison, or the comparison's own."""
    if graph.operations[slot].cost_ns < SOLVER_COST_NS:  # spares long chains without tricks the search
        return slot
    asked = None
    for part in graph.find_required(slot):
        operation = graph.operations[part]
        if operation.kind == "tricks":
            if asked is not None:
                return slot
            asked = part
        elif operation.guarded or not _plain(operation):
            return slot
    if asked is None or not graph.operations[slot].total:
        return slot
    operation = Operation(
        "reaches", guarded=(slot,), detail=asked, range=TRUTH, seats=0b1111,
        node=graph.operations[slot].node,
    )  # fmt: skip
    return graph.add_operation(operation)


def _plain(operation: Operation) -> bool:
    """Arithmetic, or a call that looks at its operands only: score, imps, min ..."""
    if operation.kind == "call":
        return operation.detail[0].kind == "value" and operation.detail[0].pure
    return operation.kind in _PURE_KINDS


def thresholds(truths: np.ndarray) -> tuple[bool, list[int]]:
    """The truth for no trick, and the numbers of tricks from which it is another.

    >>> thresholds(np.arange(14) >= 9), thresholds(np.arange(14) == 9)
    ((False, [9]), (False, [9, 10]))
    """
    return bool(truths[0]), (np.flatnonzero(truths[1:] != truths[:-1]) + 1).tolist()


def of_extreme(
    graph: OperationGraph, operator: str, left: int, right: int
) -> tuple[str, list[tuple[str, int, int]]] | None:
    """A comparison of the largest or smallest of several numbers of tricks with a number, taken apart.

    Parameters
    ----------
    operator : str
    left, right : int
        Slots.

    Returns
    -------
    kind : {"and", "or"}
    comparisons : list of (operator, left, right)
        To be joined by it; None altogether where nothing is gained.
    """
    if graph.constant_value(right) is not None:
        extreme, facing = left, operator
    elif graph.constant_value(left) is not None:
        extreme, facing = right, MIRRORED.get(operator, operator)
    else:
        return None
    found = _extreme(graph, extreme)
    if found is None or facing not in MIRRORED:
        return None
    pick, parts = found
    if not any(graph.operations[part].kind in ("tricks", "choice", "call") for part in parts):
        return None
    comparisons = [(operator, part, right) if extreme == left else (operator, left, part) for part in parts]
    return _JOINED[pick, facing[0]], comparisons


def _extreme(graph: OperationGraph, slot: int) -> tuple[str, tuple[int, ...]] | None:
    """Which extreme of which slots this is: min, max, or ``a > b ? a : b``; of tricks only."""
    operation = graph.operations[slot]
    if (
        operation.cost_ns < SOLVER_COST_NS
        or not operation.total
        or not any(graph.operations[part].kind == "tricks" for part in graph.find_reachable([slot]))
    ):
        return None
    if operation.kind == "call" and operation.detail[0].name in ("min", "max"):
        return operation.detail[0].name, operation.inputs
    if operation.kind != "choice" or len(operation.detail[0]) != 1:
        return None
    (condition,), values = operation.detail
    asked = graph.operations[condition]
    if asked.kind != "compare" or asked.detail[0] not in MIRRORED or set(asked.inputs) != set(values):
        return None
    first_if_greater = (asked.detail[0][0] == ">") == (asked.inputs == values)
    return ("max" if first_if_greater else "min"), values
