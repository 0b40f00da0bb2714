"""Evaluation in the order of the text, for `rnd` on a classic stream.

There `rnd` takes the next number of the generator that deals the cards. So operands are evaluated
from left to right, and only when their values are needed, as in the programs that have these streams.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import Operation, Value


class LazyColumns(BatchColumns):
    """The values of operations for a single deal; each is computed when it is needed, and once.

    Parameters
    ----------
    graph : OperationGraph
    deals : Deals
        Of length 1.
    generate : callable
        ``generate(limit)`` returns the next random integer for `rnd`.
    board : int
        The value of board(), and of rnd(0) in DealerV2.
    """

    def __init__(
        self, graph: OperationGraph, deals: Deals, generate: Callable[[int], int], board: int
    ) -> None:
        super().__init__(graph, deals, boards=np.array([board]))
        self._generate = generate

    def number(self, slot: int) -> int | float:
        """Return the value of a slot as a Python number; a truth value as 0 or 1."""
        value = self.array(slot)[0].item()
        return int(value) if isinstance(value, bool) else value

    def value(self, slot: int) -> Value:
        """Return the value of a slot: an array [1] or a number."""
        if not self.has_value(slot):
            self.set_value(slot, self.evaluate(self.graph.operations[slot]))
        return super().value(slot)

    def evaluate(self, operation: Operation) -> Value:
        """Return the value of an operation, after evaluating the operands that it needs in their order."""
        if operation.kind in ("and", "or"):
            decisive = operation.kind == "or"
            is_decided = any(bool(self.number(slot)) is decisive for slot in operation.detail)
            return np.array([decisive == is_decided])
        if operation.kind == "choice":
            conditions, values = operation.detail
            branches = zip(conditions, values[:-1], strict=True)
            chosen = next((value for condition, value in branches if self.number(condition)), values[-1])
            return self.array(chosen).astype(operation.range.dtype())
        for slot in operation.inputs:
            self.value(slot)
        if operation.kind == "random":
            limit = int(self.number(operation.inputs[0]))
            if limit == 0 and self.graph.rules.random_zero != "zero":
                return self.boards
            return np.array([self._generate(limit)])
        if operation.kind == "reaches":
            return self.truth(operation.guarded[0])
        return super().evaluate(operation)
