"""Locks that a child process made by fork can use.

A fork copies the memory of a process but only one of its threads. A lock that another thread held would
stay locked in the child for ever.
"""

from __future__ import annotations

import os
import threading
import weakref

__all__ = ["ForkSafeLock"]


class ForkSafeLock:
    """A reentrant lock that is free in a child process, whichever thread of the parent held it.

    Parameters
    ----------
    is_awaited : bool
        A fork waits until the lock is free. Necessary if it protects memory that the child will use and
        that is not consistent before the lock is released, such as that of a library.

    Examples
    --------
    >>> lock = ForkSafeLock()
    >>> with lock, lock:
    ...     pass
    """

    def __init__(self, is_awaited: bool = False) -> None:
        self.is_awaited = is_awaited
        self._lock = threading.RLock()
        _all.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def renew(self) -> None:
        """Replace the lock by a free one, in a new process."""
        self._lock = threading.RLock()


_all: weakref.WeakSet[ForkSafeLock] = weakref.WeakSet()
_held: list[ForkSafeLock] = []  # by the thread that forks


def _before_fork() -> None:
    for lock in list(_all):
        if lock.is_awaited:
            lock.__enter__()
            _held.append(lock)


def _after_in_parent() -> None:
    while _held:
        _held.pop().__exit__()


def _after_in_child() -> None:
    _held.clear()
    for lock in list(_all):
        lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_in_parent, after_in_child=_after_in_child)
