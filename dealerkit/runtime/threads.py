"""Pools of threads that are kept, because starting threads for each run would take longer than many runs.

There is a pool for each number of threads. Work in a pool must not wait for other work in it, because all
threads could end up waiting; so it uses no pool itself.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

from dealerkit.runtime.process import ForkSafeLock, n_processors

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

MAX_THREADS = 16  # or two for each processor if that is more; each thread keeps its batches in memory
_lock = ForkSafeLock()
_pools: dict[int, ThreadPoolExecutor] = {}  # by number of threads
_state = threading.local()  # `is_worker`: this thread belongs to a pool


def limit_threads(threads: int | None = None) -> int:
    """Return the number of threads to use if the user allows `threads`, by default one for each processor."""
    if getattr(_state, "is_worker", False):
        return 1
    return min(threads or n_processors(), max(MAX_THREADS, 2 * n_processors()))


def open_pool(threads: int) -> ThreadPoolExecutor:
    """Return the pool with this number of threads, which the caller must not shut down.

    >>> open_pool(2).submit(limit_threads, 8).result()
    1
    """
    from concurrent.futures import ThreadPoolExecutor  # imported here, as short runs do not need it

    with _lock:
        if threads not in _pools:
            _pools[threads] = ThreadPoolExecutor(threads, "dealerkit", _enter_pool)
        return _pools[threads]


def cancel(futures: Iterable[Future]) -> None:
    """Cancel work that has not begun, and wait for the rest."""
    if running := [future for future in futures if not future.cancel()]:
        from concurrent.futures import wait

        wait(running)


def _enter_pool() -> None:
    _state.is_worker = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pools.clear)  # a child has none of the threads
