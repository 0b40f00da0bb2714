"""Ctrl-C and the signal SIGTERM: both interrupt work in the same way, and both can be delayed.

Python calls handlers of signals in the main thread only; in other threads these functions do nothing.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

__all__ = ["interrupt", "interrupt_at_termination", "received", "uninterrupted"]

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
received: list[int] = []  # signals that `interrupt` has handled


def interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, and record the signal: an interrupted import may raise another error."""
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


def _is_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
