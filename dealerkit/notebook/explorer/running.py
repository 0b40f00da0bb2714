"""One run of the explorer, in a thread: first held deals or the trick model, then the run itself."""

from __future__ import annotations

import threading
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from dealerkit.dealing.uniform.stream import UniformSource
from dealerkit.errors import DealerkitError
from dealerkit.notebook.explorer.held import HELD_DEALS, HeldSource
from dealerkit.notebook.explorer.model import estimate_with_model
from dealerkit.simulation.assemble import assemble
from dealerkit.simulation.execute import Execution, execute
from dealerkit.simulation.job import Job, RunOptions
from dealerkit.simulation.prepare import prepare
from dealerkit.simulation.result import Result

REDRAW_SECONDS = 0.25  # between two partial results
_WARNINGS = threading.Lock()  # the filters of warnings belong to the process


@dataclass(frozen=True, eq=False)
class Progress:
    """What a run has so far.

    Attributes
    ----------
    stage : {"dealing", "model", "running", "done", "stopped", "failed"}
        Failed: `error` is set, and there is no new result.
    result : Result or None
        Of the deals so far.
    model : Result or None
        Estimates of the trick model, while not all deals are solved.
    produce : int
        Deals to produce.
    elapsed : float
        Seconds since the run began.
    """

    stage: str
    produce: int
    elapsed: float
    result: Result | None = None
    model: Result | None = None
    uses_solver: bool = False
    error: Exception | None = None

    @property
    def is_running(self) -> bool:
        """Whether more is to come."""
        return self.stage in ("dealing", "model", "running")


@dataclass(eq=False)
class HeldDeals:
    """The held deals of an explorer, for one seed and one predeal at a time."""

    key: Any = None
    source: HeldSource | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def find(self, job: Job) -> HeldSource | None:
        """Return the held deals for a job; None where its deals are not plainly dealt at random."""
        if not isinstance(job.source, UniformSource) or job.source.swap or job.predeal is None:
            return None
        key = (job.seed, repr(job.predeal))
        with self.lock:
            if self.key != key or self.source is None:
                self.key, self.source = key, HeldSource(job.source)
            return self.source


class Runner:
    """One run: `start` returns at once, `publish` receives each `Progress` in the thread of the run."""

    def __init__(
        self,
        script: str,
        options: RunOptions,
        held: HeldDeals,
        turn: threading.Lock,
        publish: Callable[[Runner, Progress], None],
    ) -> None:
        assert options.produce is not None
        self.script, self.options, self.produce = script, options, options.produce
        self._held, self._turn, self._publish = held, turn, publish
        self._stopped = threading.Event()
        self._began = self._shown = time.perf_counter()
        self._uses_solver = False
        self._model: Result | None = None
        self._least = 0  # deals of the result that is shown; fewer are not shown in its place
        self.thread = threading.Thread(target=self._work, name="dealerkit explorer", daemon=True)

    def start(self) -> None:
        """Begin."""
        self.thread.start()

    def stop(self) -> None:
        """End the run after its present batch; a second call changes nothing."""
        self._stopped.set()

    def _show(self, stage: str, result: Result | None = None, error: Exception | None = None) -> None:
        self._shown = time.perf_counter()
        model = self._model if stage != "done" else None
        elapsed = self._shown - self._began
        progress = Progress(stage, self.produce, elapsed, result, model, self._uses_solver, error)
        self._publish(self, progress)

    def _work(self) -> None:
        """Run, and publish an error as the last progress."""
        try:
            job = _quietly(lambda: prepare(self.script, self.options))
            self._uses_solver = job.plan.solver_ns > 0 and not job.source.is_solved
            held = None
            if self._uses_solver:
                self._show("model")
                self._model = _quietly(lambda: estimate_with_model(job, self._stopped.is_set), locked=False)
            else:
                held = self._run_held()
                if held is None or held.produced >= self.produce or self._stopped.is_set():
                    if held is not None:
                        self._show("stopped" if self._stopped.is_set() else "done", held)
                        return
                else:
                    self._least = held.produced
            self._show("running", held)
            with self._turn:  # a run that was stopped may still solve its last batch
                execution = execute(job, self._watch)
            if self._stopped.is_set() and execution.collector.acceptance.produced < self._least:
                assert held is not None
                self._show("stopped", replace(held, interrupted=True))
                return
            result = snapshot(execution)
            self._show("stopped" if execution.interrupted else "done", result)
        except (DealerkitError, ArithmeticError, ValueError, OSError, MemoryError) as error:
            self._show("failed", error=error)
        except Exception as error:  # a fault of the program must not leave the controls waiting for ever
            traceback.print_exc()
            self._show("failed", error=error)

    def _run_held(self) -> Result | None:
        """Return the result over the held deals, as a plain run of a million deals has it."""
        options = replace(self.options, plan="plain", generate=self.options.generate or HELD_DEALS)
        if options.generate is not None and options.generate > HELD_DEALS:
            options = replace(options, generate=HELD_DEALS)
        try:
            job = _quietly(lambda: prepare(self.script, options))
        except DealerkitError:
            return None
        source = self._held.find(job)
        if source is None:
            return None
        execution = execute(replace(job, source=source), self._watch)
        return snapshot(execution)

    def _watch(self, execution: Execution) -> bool:
        """Show the result so far from time to time; return whether the run is to end."""
        if self._stopped.is_set():
            return True
        acceptance = execution.collector.acceptance
        if time.perf_counter() - self._shown >= REDRAW_SECONDS and acceptance.produced > self._least:
            self._show("running", snapshot(execution))
        return False


def snapshot(execution: Execution) -> Result:
    """Return the result of an execution as it is now; it may continue."""
    pieces = execution.collector.pieces
    n_pieces = len(pieces)
    try:
        return _quietly(lambda: assemble(execution))
    finally:
        del pieces[n_pieces:]


def _quietly(function: Callable[[], Any], locked: bool = True) -> Any:
    """Return the value of a function without its warnings; the explorer shows likely mistakes itself."""
    if not locked:
        return function()
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function()
