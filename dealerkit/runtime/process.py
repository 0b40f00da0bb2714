"""The process: its forks, its interrupts, and the processors and the memory that it may use.

A fork copies the memory of a process but only one of its threads. A lock that another thread held would
stay locked in the child for ever, so `ForkSafeLock` is renewed there, and `cached_property` has no lock.

Ctrl-C and the signal SIGTERM interrupt work in the same way, and both can be delayed. Python calls handlers
of signals only in the main thread, so in other threads these functions do nothing.
"""

from __future__ import annotations

import _thread
import contextlib
import functools
import os
import signal
import sys
import threading
import weakref
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, TypeVar

if sys.platform == "win32":
    from dealerkit.runtime import windows

IMPORT_SECONDS = 0.02  # time between two checks whether an import has ended
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
received: list[int] = []  # signals that `interrupt` has handled


class ForkSafeLock:
    """A reentrant lock that is free in a child process, whichever thread of the parent held it.

    Parameters
    ----------
    is_awaited : bool
        A fork waits until the lock is free. This is necessary if the child uses the memory that the lock
        protects, such as that of a library, because this memory may be inconsistent while the lock is held.

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
        """Replace the lock by a free one; called in a new process."""
        self._lock = threading.RLock()


Value = TypeVar("Value")


class _UnlockedProperty(functools.cached_property[Value]):
    """A `functools.cached_property` without the lock that all objects of a class share in Python 3.11.

    Threads that need a value at the same time may compute it twice, as in Python 3.12 and later.
    """

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        name, values = self.attrname, instance.__dict__
        if name not in values:
            values[name] = self.func(instance)
        return values[name]


if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property as cached_property
else:
    cached_property = _UnlockedProperty


_all: weakref.WeakSet[ForkSafeLock] = weakref.WeakSet()
_held: list[ForkSafeLock] = []  # locks that the thread that forks has acquired for the fork


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


def n_processors() -> int:
    """Return the number of processors that this process may use.

    >>> n_processors() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory_bytes() -> int:
    """Return the size of the memory in bytes; if the system does not say, eight gigabytes are assumed.

    >>> memory_bytes() > 1 << 20
    True
    """
    size = 0
    if sys.platform == "win32":
        size = windows.memory_bytes()
    elif "SC_PHYS_PAGES" in os.sysconf_names:
        size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return size or (sys.maxsize if sys.maxsize < 1 << 33 else 8 << 30)


def resident_bytes() -> int:
    """Return the memory that this process uses, in bytes; if that is unknown, the most that it has used.

    >>> resident_bytes() > 1 << 20
    True
    """
    if sys.platform == "win32":
        return windows.resident_bytes()
    with contextlib.suppress(OSError, ValueError), open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, and record the signal, as an interrupted import may raise another error."""
    received.append(number)
    raise KeyboardInterrupt


@contextlib.contextmanager
def interrupt_at_termination() -> Iterator[None]:
    """Raise KeyboardInterrupt at SIGTERM while the block runs, unless the program handles the signal."""
    if not _is_main_thread() or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGTERM) is interrupt:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay interrupts to the end of the block, so that its work is neither lost nor repeated."""
    handlers = {number: signal.getsignal(number) for number in _SIGNALS} if _is_main_thread() else {}
    handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
    delayed: list[tuple[int, FrameType | None]] = []
    for number in handlers:
        signal.signal(number, lambda number, frame: delayed.append((number, frame)))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if delayed:
        first, frame = delayed[0]
        handler = handlers[signal.Signals(first)]
        assert callable(handler)
        handler(first, frame)


@contextlib.contextmanager
def delay_interrupts_of_imports(begin: CodeType) -> Iterator[None]:
    """Delay interrupts that arrive while the block imports a module, until the import is complete.

    A partly imported module would stay so for the rest of the session, and later calls would fail. `begin` is
    the code of the function that contains the block; imports from which that function itself is called do not
    delay interrupts.
    """
    handler = signal.getsignal(signal.SIGINT) if _is_main_thread() else None
    if not callable(handler) or hasattr(handler, "delays_imports"):
        yield
        return

    def handle(number: int, frame: FrameType | None) -> None:
        inner = frame
        while inner is not None and inner.f_code is not begin:
            if inner.f_code.co_filename.startswith("<frozen importlib"):
                threading.Timer(IMPORT_SECONDS, _interrupt_main_thread).start()
                return
            inner = inner.f_back
        handler(number, frame)

    handle.delays_imports = True  # type: ignore[attr-defined]
    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is handle:
            signal.signal(signal.SIGINT, handler)


def _interrupt_main_thread() -> None:
    """Interrupt the main thread as Ctrl-C does, even if it waits for another thread."""
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
