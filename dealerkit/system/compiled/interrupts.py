"""Interrupts while numba compiles: none is lost."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

from numba.core import event

# LLVM calls these functions of llvmlite; an exception that they raise is printed and forgotten.
_CALLBACKS = ("_raw_object_cache_notify", "_raw_object_cache_getbuffer")


class _Guard(event.Listener):
    """Delays an interrupt that arrives in a callback to the end of the compilation.

    A pending interrupt is often handled there: LLVM works for long, and the callback is the first Python code
    after it. At other places an interrupt takes effect at once.
    """

    def __init__(self) -> None:
        self._depth = 0  # compilations inside others
        self._handler: Any = None
        self._delayed: tuple[int, FrameType | None] | None = None

    def on_start(self, event: event.Event) -> None:
        if threading.current_thread() is not threading.main_thread():
            return  # only the main thread receives interrupts
        self._depth += 1
        handler = signal.getsignal(signal.SIGINT)
        if self._depth == 1 and callable(handler):
            self._handler = handler
            signal.signal(signal.SIGINT, self._handle)

    def on_end(self, event: event.Event) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        self._depth -= 1
        if self._depth or self._handler is None:
            return
        handler, delayed, self._handler, self._delayed = self._handler, self._delayed, None, None
        signal.signal(signal.SIGINT, handler)
        if delayed is not None:
            handler(*delayed)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        caller = frame
        while caller is not None:
            if caller.f_code.co_name in _CALLBACKS:
                self._delayed = number, frame
                return
            caller = caller.f_back
        self._handler(number, frame)


def guard_interrupts() -> None:
    """Delay interrupts that would be lost, from now on."""
    event.register("numba:compiler_lock", _Guard())
