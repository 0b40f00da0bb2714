"""Solving in other processes: boards and rows are divided into tasks for the workers of `use_executor`.

Each process has its own solver. Deals with their results go through the store of this process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import numpy as np

from dealerkit.system.executors import TASK_SECONDS, Workers

FIRST_TASK = 16  # boards of the first tasks
LEAST_TASK = 4
# Seconds of a board in a task, by what is solved.
_seconds: dict[Any, float] = {}


def solve_in_tasks(
    workers: Workers,
    solve: Callable[..., np.ndarray],
    key: Any,
    arrays: tuple[np.ndarray, ...],
    arguments: tuple = (),
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[tuple[slice, np.ndarray]]:
    """Solve rows of arrays in tasks, and yield the results in order.

    Parameters
    ----------
    workers : Workers
    solve : callable
        A function of a module: ``solve(*rows of the arrays, *arguments)`` returns an array with a result for
        each row.
    key : hashable
        Rows of equal keys cost about the same.
    arrays : tuple of ndarray [n, ...]
    arguments : tuple
    progress : callable, optional
        ``progress(done, total)`` after each task.

    Yields
    ------
    rows : slice
    results : ndarray
    """
    n, n_tasks = len(arrays[0]), workers.n_tasks

    def divide() -> Iterator[tuple[slice, list[np.ndarray], tuple]]:
        first = 0
        while first < n:
            size = int(TASK_SECONDS / _seconds[key]) if key in _seconds else FIRST_TASK
            size = max(LEAST_TASK, min(size, -(-(n - first) // (2 * n_tasks))))
            rows = slice(first, min(first + size, n))
            yield rows, [array[rows] for array in arrays], arguments
            first = rows.stop

    with closing(workers.map(workers.share(solve, "the solver"), _solve_task, divide())) as tasks:
        for (rows, *_), (results, seconds) in tasks:
            cost = seconds / (rows.stop - rows.start)
            _seconds[key] = cost if key not in _seconds else 0.7 * _seconds[key] + 0.3 * cost
            yield rows, results
            if progress is not None:
                progress(rows.stop, n)


def _solve_task(
    solve: Callable[..., np.ndarray], rows: slice, arrays: list[np.ndarray], arguments: tuple
) -> tuple[np.ndarray, float]:
    """Solve the rows of a task; return the results, and the seconds that it took."""
    began = time.perf_counter()
    return solve(*arrays, *arguments), time.perf_counter() - began
