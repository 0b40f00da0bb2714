"""Limits on what a run may use, for scripts of other people."""

from __future__ import annotations

import _thread
import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from dealerkit.appearance.numbers import format_count, format_number
from dealerkit.appearance.wording import format_duration
from dealerkit.arguments import check_optional_integer, check_positive
from dealerkit.runtime.process import resident_bytes

POLL_SECONDS = 0.05  # between two measurements of time and memory


@dataclass(frozen=True)
class RunLimits:
    """Limits of a run. At the first limit it ends with the results so far and the warning `TruncatedRun`.

    Parameters
    ----------
    seconds : float, optional
        Time since the run began. In the main thread the run ends within a tenth of a second, except during a
        call of compiled code; in other threads it ends after the current batch of deals.
    memory : float, optional
        Bytes of memory by which the process may grow during the run, on Linux and macOS. On an executor, also
        the bytes by which a worker may grow during a task.
    deals : int, optional
        Number of deals dealt, even if the script sets a larger number.
    output : int, optional
        Characters of text, counting the text of the result and the files of csvrpt and export together.

    Raises
    ------
    ArgumentError
        A limit is not a number above 0.

    Examples
    --------
    >>> from dealerkit.simulation.run import run
    >>> limits = RunLimits(seconds=60, deals=10**6)
    >>> run("condition hcp(north) > 20", produce=5, limits=limits).produced
    5
    """

    seconds: float | None = None
    memory: float | None = None
    deals: int | None = None
    output: int | None = None

    def __post_init__(self) -> None:
        for name in ("deals", "output"):
            object.__setattr__(self, name, check_optional_integer(name, getattr(self, name), 1))
        for name in ("seconds", "memory"):
            if (value := getattr(self, name)) is not None:
                check_positive(name, value, 60 if name == "seconds" else 1e9)


class Watch:
    """The limits of a run in progress.

    Attributes
    ----------
    reason : str
        The limit that was reached; empty before that.
    """

    def __init__(self, limits: RunLimits | None) -> None:
        self.limits = RunLimits() if limits is None else limits
        self.reason = ""
        self._n_characters = 0
        self.is_full = False  # whether the limit of text was reached
        self._started = self._before = 0.0
        self._end = float("inf") if self.limits.seconds is None else self.limits.seconds
        self._most = float("inf") if self.limits.memory is None else self.limits.memory
        self._done = threading.Event()

    def count(self, text: str) -> str:
        """Count text of the output; return it, or only its beginning if it exceeds the limit."""
        limit = self.limits.output
        if limit is None:
            return text
        text = text[: max(0, limit - self._n_characters + 1)]
        self._n_characters += len(text)
        if self._n_characters > limit:
            self.reason, self.is_full = self.reason or self._describe_output(), True
            text = text[:-1]
            self._n_characters -= 1
        return text

    def expect(self, n_characters: int) -> None:
        """Note that this much text will follow after the run; the run ends if that exceeds the limit."""
        if self.limits.output is not None and self._n_characters + n_characters > self.limits.output:
            self.reason = self.reason or self._describe_output()

    def _describe_output(self) -> str:
        assert self.limits.output is not None
        return f"{format_count(self.limits.output)} characters of text"

    @contextlib.contextmanager
    def measure(self, started: float, interrupts: bool = True) -> Iterator[None]:
        """Measure time and memory while the block runs.

        Parameters
        ----------
        started : float
            The `time.perf_counter()` at which the run began.
        interrupts : bool
            Whether to raise KeyboardInterrupt at a limit, in the main thread.
        """
        if self._end == self._most == float("inf"):
            yield
            return
        self._started, self._before = started, resident_bytes()
        is_main = interrupts and threading.current_thread() is threading.main_thread()
        watcher = threading.Thread(target=self._poll, args=(is_main,), name="dealerkit limits", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            with contextlib.suppress(KeyboardInterrupt):  # an interrupt that comes when the block has ended
                self._done.set()
                watcher.join()
                if self.reason and is_main:
                    time.sleep(0.001)  # a pending interrupt is raised here

    def _poll(self, is_main: bool) -> None:
        while not self._done.wait(POLL_SECONDS):
            self._measure(1.0)
            if self.reason:
                if is_main and not self._done.is_set():
                    _thread.interrupt_main()
                return

    def is_spent(self) -> bool:
        """Return whether no more text is to be made after the run; a twentieth more is left for it."""
        if self.is_full:
            return True
        return (self._end < float("inf") or self._most < float("inf")) and self._measure(1.05)

    def _measure(self, share: float) -> bool:
        """Return whether this share of the time or the memory is used, and record which."""
        if time.perf_counter() - self._started >= share * self._end:
            self.reason = self.reason or f"{format_duration(1e9 * self._end)} of time"
        elif resident_bytes() - self._before >= share * self._most:
            self.reason = self.reason or f"{format_number(self._most / 1e6, 0)} MB of memory"
        else:
            return False
        return True
