"""Work in other processes: what goes there and what comes back.

Threads share everything. An executor of processes, or of other machines, gets the
plan, its operations and the user's own functions by value (cloudpickle), so that a
function written in a notebook works there too.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.compiler.evaluation import BatchColumns


@dataclass
class Packed:
    """A result that comes back as bytes."""

    future: Future

    def result(self) -> Any:
        """Wait for it."""
        import cloudpickle

        return cloudpickle.loads(self.future.result())

    def cancel(self) -> None:
        """Give it up, if nobody has begun with it."""
        self.future.cancel()


def submit(pool: Executor, work: Callable, arguments: tuple) -> Future | Packed:
    """Have a stretch of deals worked on by an executor."""
    if isinstance(pool, ThreadPoolExecutor):
        return pool.submit(work, *arguments)
    import cloudpickle

    return Packed(pool.submit(_there, cloudpickle.dumps((work, arguments))))


def _there(task: bytes) -> bytes:
    """In the other process: do the work, send back the survivors and what was tallied of them."""
    import cloudpickle

    import dealerkit.language.functions  # noqa: F401  (it fills the registry)

    work, arguments = cloudpickle.loads(task)
    outcome = work(*arguments)
    columns = outcome.columns
    # Only the survivors travel, not the stretch that they came from; `rows` says where they stood in it.
    survivors = BatchColumns(columns.graph, columns.deals, columns.seed, columns.numbers)
    survivors.rows = np.arange(len(columns)) if columns.rows is None else columns.rows
    outcome.columns = survivors
    return cloudpickle.dumps(outcome)
