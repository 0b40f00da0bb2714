"""The evaluation of expressions on many deals in batches: here, or by the workers of `use_executor`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns, evaluate_until_error
from dealerkit.compiler.graph import OperationGraph
from dealerkit.system.executors import TASK_SECONDS, Workers

BATCH_DEALS = 65_536
READ_NS = 300.0  # to decode a deal of a file
MIN_NS = 1e9  # of the whole evaluation; a shorter one is done here
T = TypeVar("T")


@dataclass(frozen=True)
class Scan:
    """Expressions that are evaluated on deals.

    Attributes
    ----------
    sources : dict of str to (OperationGraph, int)
        Graph and slot of each column.
    deals : Deals, callable or None
        The deals, or a function that returns those of a slice, in another process too. Tasks carry those of
        deals in memory that they need.
    """

    sources: dict[str, tuple[OperationGraph, int]]
    deals: Deals | Callable[[slice], Deals] | None

    @property
    def cost_ns(self) -> float:
        """Nanoseconds a deal."""
        cost = sum(graph.operations[slot].cost_ns for graph, slot in self.sources.values())
        return cost + (0.0 if isinstance(self.deals, Deals) else READ_NS)

    def evaluate_batch(self, first: int, start: int = 0) -> dict[str, np.ndarray]:
        """Return the columns of the batch with this first deal; `start` is the number of the first deal."""
        rows = slice(first, first + BATCH_DEALS)
        assert self.deals is not None
        batch = self.deals[rows] if isinstance(self.deals, Deals) else self.deals(rows)

        def evaluate(count: int) -> dict[str, np.ndarray]:
            part, numbers = batch[:count], start + first + np.arange(count)
            graphs = {id(graph): graph for graph, _ in self.sources.values()}
            columns = {key: BatchColumns(graph, part, numbers=numbers) for key, graph in graphs.items()}
            return {name: columns[id(graph)].array(slot) for name, (graph, slot) in self.sources.items()}

        return name_failed_deal(evaluate, len(batch), start + first)

    def evaluate_task(self, first: int, count: int, deals: Deals | None) -> dict[str, np.ndarray]:
        """Return the columns of some batches in another process; `deals` are those of the task, if given."""
        import dealerkit.language.functions  # noqa: F401  (it fills the registry of this process)

        if deals is None:
            parts = [self.evaluate_batch(i) for i in range(first, first + count, BATCH_DEALS)]
        else:
            own = replace(self, deals=deals)
            parts = [own.evaluate_batch(i, first) for i in range(0, count, BATCH_DEALS)]
        return {name: np.concatenate([part[name] for part in parts]) for name in self.sources}

    def run_on_workers(self, workers: Workers, n_deals: int) -> Iterator[tuple[int, dict[str, np.ndarray]]]:
        """Yield number of the first deal and columns of each task."""
        deals = self.deals if isinstance(self.deals, Deals) else None
        n_batches = max(1, round(TASK_SECONDS * 1e9 / (self.cost_ns * BATCH_DEALS + 1)))
        size = min(n_batches, -(-n_deals // (2 * workers.n_tasks * BATCH_DEALS))) * BATCH_DEALS
        calls = (
            (first, min(size, n_deals - first), None if deals is None else deals[first : first + size])
            for first in range(0, n_deals, size)
        )
        shared = workers.share(self if deals is None else replace(self, deals=None))
        with closing(workers.map(shared, Scan.evaluate_task, calls)) as tasks:
            for (first, *_), columns in tasks:
                yield first, columns


def name_failed_deal(evaluate: Callable[[int], T], count: int, first: int) -> T:
    """Return ``evaluate(count)``; an error has the index of the first deal without a value.

    `first` is the index of the first deal of the batch.
    """
    values, error = evaluate_until_error(evaluate, count)
    if error is not None:
        raise type(error)(f"{error.message} (deal {first + error.row:,})", first + error.row)
    return values
