"""One run of the explorer, in a thread: first held deals or the trick model, then the run itself."""

from __future__ import annotations

import os
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dealerkit.actions.frequency import Frequency, FrequencyReport
from dealerkit.dealing.uniform.stream import UniformSource
from dealerkit.errors import DealerkitError
from dealerkit.language.dialects import MODERN
from dealerkit.language.parser import read_script
from dealerkit.notebook.explorer.held import HELD_DEALS, HeldSource
from dealerkit.notebook.explorer.model import estimate_with_model
from dealerkit.simulation.assemble import assemble
from dealerkit.simulation.execute import Execution, execute
from dealerkit.simulation.job import Job, RunOptions
from dealerkit.simulation.prepare import prepare
from dealerkit.simulation.result import Result

REDRAW_SECONDS = 0.25  # between two partial results
PAUSE_SECONDS = 0.3  # after the last result, before exact shares are counted
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
        text: str,
        include: Sequence[str | os.PathLike],
        options: RunOptions,
        held: HeldDeals,
        turn: threading.Lock,
        publish: Callable[[Runner, Progress], None],
    ) -> None:
        assert options.produce is not None
        self.text, self.include, self.options, self.produce = text, include, options, options.produce
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
            self._run()
        except (DealerkitError, ArithmeticError, ValueError, OSError, MemoryError) as error:
            self._show("failed", error=error)
        except Exception as error:  # a fault of the program must not leave the controls waiting for ever
            traceback.print_exc()
            self._show("failed", error=error)

    def _run(self) -> None:
        """Show what is known at once, then run until enough deals are produced."""
        plain = _quietly(lambda: self._prepare(plan="plain", generate=HELD_DEALS))
        self._uses_solver = plain.plan.solver_ns > 0
        source = None if self._uses_solver else self._held.find(plain)
        held = None
        if source is not None:
            execution = execute(replace(plain, source=source), self._watch)
            held = execution.collector.acceptance.produced
            if held >= self.produce or self._stopped.is_set():
                self._finish(execution)
                return
            self._show("running", snapshot(execution, is_last=False))
            self._least = held
        job = _quietly(self._prepare)
        if self._uses_solver:
            self._show("model")
            self._model = _quietly(lambda: estimate_with_model(job, self._stopped.is_set), locked=False)
            self._show("running")
        with self._turn:  # a run that was stopped may still solve its last batch
            full = execute(job, self._watch)
        if held is not None and self._stopped.is_set() and full.collector.acceptance.produced < self._least:
            full = execution
        self._finish(full)

    def _prepare(self, **changes: Any) -> Job:
        """Return the job of the script with changed options."""
        script = read_script(self.text, MODERN, self.options.params, self.include)
        return prepare(script, replace(self.options, params=(), **changes))

    def _finish(self, execution: Execution) -> None:
        """Show the last result, then once more with exact shares, which may take half a second to count."""
        is_stopped = self._stopped.is_set()
        stage = "stopped" if is_stopped else "done"
        self._show(stage, snapshot(replace(execution, interrupted=is_stopped), is_last=False))
        if is_stopped or not any(isinstance(action, Frequency) for action in execution.collector.actions):
            return
        if not self._stopped.wait(PAUSE_SECONDS):  # a slider that moves on needs no exact shares
            result = snapshot(execution)
            for report in result.reports:
                if isinstance(report, FrequencyReport) and not self._stopped.is_set():
                    _ = report.exact
            if not self._stopped.is_set():
                self._show(stage, result)

    def _watch(self, execution: Execution) -> bool:
        """Show the result so far from time to time; return whether the run is to end."""
        if self._stopped.is_set():
            return True
        acceptance = execution.collector.acceptance
        if time.perf_counter() - self._shown >= REDRAW_SECONDS and acceptance.produced > self._least:
            self._show("running", snapshot(execution, is_last=False))
        return False


def snapshot(execution: Execution, is_last: bool = True) -> Result:
    """Return the result of an execution as it is now; without exact shares if it is not the last one."""
    pieces = execution.collector.pieces
    n_pieces = len(pieces)
    try:
        result = _quietly(lambda: assemble(execution))
    finally:
        del pieces[n_pieces:]
    for report in result.reports:
        if isinstance(report, FrequencyReport) and not is_last:
            report.exact_counter = None
    return result


def _quietly(function: Callable[[], Any], locked: bool = True) -> Any:
    """Return the value of a function without its warnings; the explorer shows likely mistakes itself."""
    if not locked:
        return function()
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function()
