"""Batches in other processes: what is sent there and what comes back.

Threads share everything. An executor of processes, or of other machines, gets the plan, its
operations and the user's own functions by value (cloudpickle), so that a function written in a
notebook works there too.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.compiler.evaluation import BatchColumns


@dataclass(eq=False, repr=False)
class RemoteResult:
    """A result that comes back as bytes."""

    future: Future

    def result(self) -> Any:
        """Wait for the result and return it."""
        import cloudpickle

        return cloudpickle.loads(self.future.result())

    def cancel(self) -> None:
        """Cancel the task if no process has begun with it."""
        self.future.cancel()


def submit(pool: Executor, work: Callable, arguments: tuple) -> Future | RemoteResult:
    """Submit a batch to an executor."""
    if isinstance(pool, ThreadPoolExecutor):
        return pool.submit(work, *arguments)
    import cloudpickle

    return RemoteResult(pool.submit(_run_task, cloudpickle.dumps((work, arguments))))


def _run_task(task: bytes) -> bytes:
    """Evaluate a batch in the other process; return the produced deals and the updated actions."""
    import cloudpickle

    import dealerkit.language.functions  # noqa: F401  (it fills the registry)

    work, arguments = cloudpickle.loads(task)
    result = work(*arguments)
    columns = result.columns
    # Only the produced deals are sent back, not the whole batch; `rows` are their positions in it.
    produced = BatchColumns(columns.graph, columns.deals, columns.seed, columns.numbers)
    produced.rows = np.arange(len(columns)) if columns.rows is None else columns.rows
    result.columns = produced
    return cloudpickle.dumps(result)
