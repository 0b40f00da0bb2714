"""Calls of public functions as data, which the explorer makes, runs in a thread and writes as Python."""

from __future__ import annotations

import ctypes
import importlib
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dealerkit.errors import DealerkitError, DealerkitWarning
from dealerkit.runtime.confined import MEMORY, SECONDS, Confinement
from dealerkit.runtime.progress import ProgressBar
from dealerkit.simulation.calls import describe_value

LEAST_PART = 25  # least number of deals in the first of several results
GROWTH = 4  # ratio of the deals of a result to those of the one before; the early ones add a third
WITH_PROGRESS = ("contracts", "estimate", "lead")  # functions that accept a function as progress=


@dataclass(frozen=True)
class Call:
    """A call of a public function.

    Attributes
    ----------
    name : str
        The name of a function of dealerkit.
    arguments : mapping of str to object
        Texts, numbers, lists and mappings, as in JSON, or other calls.
    size : str
        The name of the argument that is the number of deals; empty if there is none.

    Examples
    --------
    >>> call = Call("probability", {"condition": "hcp(north) >= 15", "deals": 1000}, "deals")
    >>> print(call.python)
    import dealerkit as dk
    <BLANKLINE>
    result = dk.probability(condition='hcp(north) >= 15', deals=1000)
    result
    <BLANKLINE>
    >>> call.run()
    0.141826 (exact)
    """

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    size: str = ""

    @property
    def text(self) -> str:
        """The call as a Python expression; strings of several lines are in triple quotation marks."""
        shown = {name: _write(value) for name, value in self.arguments.items()}
        parts = [f"{name}={value}" for name, value in shown.items()]
        line = ", ".join(parts)
        if "\n" in line or len(line) > 90:
            line = "\n" + "".join(f"    {part},\n" for part in parts)
        return f"dk.{self.name}({line})"

    @property
    def python(self) -> str:
        """The code of a cell that makes the call and shows its result."""
        return f"import dealerkit as dk\n\nresult = {self.text}\nresult\n"

    def run(self, **options: Any) -> Any:
        """Call the function and return its result; `options` are arguments that change no number."""
        function = getattr(importlib.import_module("dealerkit"), self.name)
        given = {
            name: value.run() if isinstance(value, Call) else value for name, value in self.arguments.items()
        }
        return function(**given, **options)

    def split(self) -> list[Call]:
        """Return calls with fewer deals, so that there is an early result, and at last this call."""
        sizes, size = [], self.arguments.get(self.size, 0) // GROWTH if self.size else 0
        while size >= LEAST_PART:
            sizes.append(size)
            size //= GROWTH
        return [*(replace(self, arguments={**self.arguments, self.size: n}) for n in reversed(sizes)), self]


def _write(value: Any) -> str:
    if isinstance(value, Call):
        return value.text
    if isinstance(value, str) and "\n" in value and not ('"""' in value or "\\" in value or value[-1] == '"'):
        return f'"""\n{value}\n"""'
    return repr(describe_value(value))


def run_call(call: Call) -> Any:
    """Return the result of a visitor's call, in the process that it has of its own."""
    return call.run(**{"progress": False} if call.name in (*WITH_PROGRESS, "run") else {})


@dataclass(frozen=True, eq=False)
class CallProgress:
    """How far a call is, and its result so far.

    Attributes
    ----------
    stage : {"running", "done", "stopped", "failed"}
    result : object
        The result of a call with fewer deals, then that of the call; None if there is none yet.
    done, total : int
        Deals that are done, and all deals; 0 if the function does not report its progress.
    elapsed : float
        Seconds since the call started.
    error : Exception or None
        Why the call failed.
    messages : tuple of str
        The texts of its warnings.
    """

    stage: str
    result: Any = None
    done: int = 0
    total: int = 0
    elapsed: float = 0.0
    error: Exception | None = None
    messages: tuple[str, ...] = ()

    @property
    def is_running(self) -> bool:
        """Whether more is to come."""
        return self.stage == "running"


class CallRunner:
    """One call in a thread.

    Parameters
    ----------
    call : Call
        The call to make.
    publish : callable
        ``publish(runner, progress)`` receives each `CallProgress`, in this thread.
    confined : bool
        Whether the call runs in a process of its own with limits of time and memory, as `dealerkit.run`
        does with ``untrusted=True``.
    """

    def __init__(
        self, call: Call, publish: Callable[[CallRunner, CallProgress], None], confined: bool = False
    ) -> None:
        self.call, self._publish, self._is_confined = call, publish, confined
        self._began = self._shown = time.perf_counter()
        self._progress = CallProgress("running")
        self._stopped, self._lock, self._is_calling = threading.Event(), threading.Lock(), False
        self._process: Confinement | None = None
        self.thread = threading.Thread(target=self._work, name="dealerkit call", daemon=True)

    def start(self) -> None:
        """Start the thread and return at once."""
        self.thread.start()

    def stop(self) -> None:
        """Interrupt the call; studies and runs then return a result about the deals so far."""
        with self._lock:
            self._stopped.set()
            if self._process is not None:
                self._process.close()
            elif self._is_calling and self.thread.ident is not None:
                # Ctrl-C does the same in the main thread, and every long function handles it.
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self.thread.ident), ctypes.py_object(KeyboardInterrupt)
                )

    def _show(self, **changes: Any) -> None:
        self._shown = time.perf_counter()
        self._progress = replace(self._progress, elapsed=self._shown - self._began, **changes)
        self._publish(self, self._progress)

    def _work(self) -> None:
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", DealerkitWarning)
                calls = self.call.split()
                for number, call in enumerate(calls):
                    result = self._make(call)
                    if self._stopped.is_set():
                        break
                    is_last = number == len(calls) - 1
                    found = (each.message for each in caught if issubclass(each.category, DealerkitWarning))
                    messages = tuple(dict.fromkeys(map(str, found)))
                    stage = "done" if is_last else "running"
                    self._show(stage=stage, result=result, done=0, total=0, messages=messages)
            if self._stopped.is_set():
                kept = self._progress.result if result is None else result
                self._show(stage="stopped", result=kept)
        except (
            KeyboardInterrupt,
            DealerkitError,
            ArithmeticError,
            ValueError,
            OSError,
            MemoryError,
        ) as error:
            if self._stopped.is_set():
                self._show(stage="stopped")
            else:
                self._show(stage="failed", error=error if isinstance(error, Exception) else None)
        except Exception as error:  # after a fault of the program, the controls must not wait for ever
            traceback.print_exc()
            self._show(stage="stopped" if self._stopped.is_set() else "failed", error=error)

    def _make(self, call: Call) -> Any:
        """Return the result of a call, or None if it was stopped before it had one."""
        if self._is_confined:
            with Confinement(__name__, SECONDS, MEMORY) as process:
                self._process = process
                return process.call("run_call", call)
        options = {"progress": self._count} if call.name in WITH_PROGRESS else {}
        with ProgressBar(False):  # the explorer shows the progress itself
            with self._lock:
                if self._stopped.is_set():
                    return None
                self._is_calling = True
            try:
                return call.run(**options)
            except KeyboardInterrupt:  # or its subclass `Interrupted`
                return None
            finally:
                with self._lock:
                    self._is_calling = False

    def _count(self, done: int, total: int) -> None:
        if time.perf_counter() - self._shown > 0.2:
            self._show(done=done, total=total)
