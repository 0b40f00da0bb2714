"""Work in other processes, on this machine or others, with one interface for every kind of executor.

`open_workers` takes a dask Client (or the address of its scheduler, or ``"local"``) or any executor of
`concurrent.futures`, and yields `Workers`, which run tasks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from dealerkit.errors import ArgumentError, Parameter, quote
from dealerkit.runtime.executors.workers import TASK_SECONDS, Pending, Shared, Workers, count_task_threads

__all__ = [
    "TASK_SECONDS",
    "Pending",
    "Shared",
    "Workers",
    "check_executor",
    "count_task_threads",
    "current_workers",
    "open_workers",
    "use_executor",
]

_current: ContextVar[Workers | None] = ContextVar("workers", default=None)


def current_workers() -> Workers | None:
    """Return the workers of the innermost `use_executor`, or None."""
    return _current.get()


@contextmanager
def use_executor(executor: Any) -> Iterator[Workers | None]:
    """Use an executor for all solving inside the ``with`` statement; None changes nothing.

    Parameters
    ----------
    executor : distributed.Client, concurrent.futures.Executor, str or None
        ``"local"`` starts dask workers on this machine, one for each processor; any other text is the address
        of a dask scheduler. At the end of the statement, the workers are stopped or the connection is closed.

    Yields
    ------
    Workers or None
        The workers that solve; None if this process does.

    Raises
    ------
    ExecutorError
        No scheduler answers, its workers lack this version of dealerkit, or dask is not installed.
    ArgumentError
        The argument is not an executor.

    Examples
    --------
    >>> with use_executor(None) as workers:
    ...     print(workers)
    None
    """
    if executor is None:
        yield _current.get()
        return
    with open_workers(executor) as workers:
        token = _current.set(workers)
        try:
            yield workers
        finally:
            _current.reset(token)


@contextmanager
def open_workers(executor: Any) -> Iterator[Workers | None]:
    """Open the workers of an executor, as for `use_executor`; yield None for an executor with threads."""
    from concurrent.futures import ThreadPoolExecutor  # imported here, as most runs have no executor

    if isinstance(executor, ThreadPoolExecutor):
        yield None
        return
    if isinstance(executor, Workers):
        yield executor
        return
    is_dask = type(executor).__module__.split(".")[0] == "distributed"
    if isinstance(executor, str) or is_dask:
        from dealerkit.runtime.executors.dask_workers import open_dask_workers  # here, as few runs need it

        with open_dask_workers(executor) as workers:
            yield workers
        return
    check_executor(executor)
    yield Workers(executor)


def check_executor(executor: Any) -> None:
    """Raise ArgumentError if an object is neither an executor nor the name of a scheduler."""
    from concurrent.futures import Executor

    is_named = isinstance(executor, str) and executor.strip()
    if not (is_named or isinstance(executor, Executor) or callable(getattr(executor, "submit", None))):
        raise ArgumentError(
            Parameter("executor"),
            f' is {quote(executor)}; give a dask Client, the address of a dask scheduler, "local" or '
            "a concurrent.futures.Executor, or ",
            Parameter("threads="),
            " for a number of threads",
        )
