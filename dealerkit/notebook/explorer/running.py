"""One run of the explorer in a thread: a quick answer from stored deals or the trick model, then the run.

Deals are kept in memory, so that moving a slider only evaluates the condition again. If tricks have to be
solved, the trick model estimates them first: its network gives the probabilities of 0 to 13 tricks for each
deal, strain and declarer. Random tricks with these probabilities are taken `DRAWS` times for each deal, at
evenly spaced quantiles, and the actions of the script are evaluated as if these tricks had been solved. So
every expression has an estimate, be it about tricks, chances or scores.
"""

from __future__ import annotations

import os
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dealerkit.actions.frequency import Frequency, FrequencyReport
from dealerkit.cards.deals import Deals
from dealerkit.compiler.trick_thresholds import SOLVER_COST_NS
from dealerkit.dealing.source import ALL_SEATS, DealsSource, NumberedDeals, Source
from dealerkit.dealing.uniform.stream import UniformSource
from dealerkit.doubledummy.trick_model.predictions import predict
from dealerkit.errors import DealerkitError
from dealerkit.language.dialects import MODERN
from dealerkit.language.parser import read_script
from dealerkit.planning import Limits, Plan
from dealerkit.simulation.execute import Execution, execute
from dealerkit.simulation.job import Job, RunOptions
from dealerkit.simulation.loops import run_batches
from dealerkit.simulation.prepare import prepare
from dealerkit.simulation.result import Result
from dealerkit.simulation.run import assemble

REDRAW_SECONDS = 0.25  # least time between two partial results
PAUSE_SECONDS = 0.3  # time after the last result until exact shares are counted
_WARNINGS = threading.Lock()  # because the process has one list of filters for warnings


@dataclass(frozen=True, eq=False)
class Progress:
    """How far a run is, and its results so far.

    Attributes
    ----------
    stage : {"dealing", "model", "running", "done", "stopped", "failed"}
        After "failed", `error` is set and there is no new result.
    produce : int
        Number of deals to produce.
    elapsed : float
        Seconds since the run began.
    result : Result or None
        The result of the deals so far.
    model : Result or None
        Estimates of the trick model, until all deals are solved.
    uses_solver : bool
        Whether deals have to be solved.
    error : Exception or None
        Why the run failed.
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
    """The deals that an explorer keeps in memory, for one seed and one predeal at a time."""

    key: Any = None
    source: HeldSource | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def find(self, job: Job) -> HeldSource | None:
        """Return the deals in memory for a job, or None if its deals are not plain random deals."""
        if not isinstance(job.source, UniformSource) or job.source.swap or job.predeal is None:
            return None
        key = (job.seed, repr(job.predeal))
        with self.lock:
            if self.key != key or self.source is None:
                self.key, self.source = key, HeldSource(job.source)
            return self.source


class Runner:
    """One run in a thread.

    Parameters
    ----------
    text : str
        The script.
    include : sequence of str or os.PathLike
        Folders to search for included files.
    options : RunOptions
        With `produce`.
    held : HeldDeals
        Deals that earlier runs have kept in memory.
    turn : threading.Lock
        Held while deals are solved, so that runs do it one after another.
    publish : callable
        ``publish(runner, progress)``, called in the thread of the run.
    """

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
        self._least = 0  # deals in the result that is shown; a result of fewer deals does not replace it
        self.thread = threading.Thread(target=self._work, name="dealerkit explorer", daemon=True)

    def start(self) -> None:
        """Start the thread and return at once."""
        self.thread.start()

    def stop(self) -> None:
        """Stop the run after its current batch; further calls have no effect."""
        self._stopped.set()

    def _show(self, stage: str, result: Result | None = None, error: Exception | None = None) -> None:
        self._shown = time.perf_counter()
        model = self._model if stage != "done" else None
        elapsed = self._shown - self._began
        progress = Progress(stage, self.produce, elapsed, result, model, self._uses_solver, error)
        self._publish(self, progress)

    def _work(self) -> None:
        """Run the script, and publish an error as the last progress."""
        try:
            self._run()
        except (DealerkitError, ArithmeticError, ValueError, OSError, MemoryError) as error:
            self._show("failed", error=error)
        except Exception as error:  # after a fault of the program, the controls must not wait for ever
            traceback.print_exc()
            self._show("failed", error=error)

    def _run(self) -> None:
        """Show a quick answer, then run until enough deals are produced."""
        # Deals that are in memory, if nothing has to be solved
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
        # The trick model, if deals have to be solved
        job = _quietly(self._prepare)
        if self._uses_solver:
            self._show("model")
            self._model = _quietly(lambda: estimate_with_model(job, self._stopped.is_set), locked=False)
            self._show("running")
        # The run itself
        with self._turn:  # a stopped run may still be solving its last batch
            full = execute(job, self._watch)
        if held is not None and self._stopped.is_set() and full.collector.acceptance.produced < self._least:
            full = execution
        self._finish(full)

    def _prepare(self, **changes: Any) -> Job:
        """Prepare the script with changed options."""
        script = read_script(self.text, MODERN, self.options.params, self.include)
        return prepare(script, replace(self.options, params=(), **changes))

    def _finish(self, execution: Execution) -> None:
        """Show the last result, and again with exact shares, which can take half a second to count."""
        is_stopped = self._stopped.is_set()
        stage = "stopped" if is_stopped else "done"
        self._show(stage, snapshot(replace(execution, interrupted=is_stopped), is_last=False))
        if is_stopped or not any(isinstance(action, Frequency) for action in execution.collector.actions):
            return
        if not self._stopped.wait(PAUSE_SECONDS):  # while a slider moves, exact shares are not needed
            result = snapshot(execution)
            for report in result.reports:
                if isinstance(report, FrequencyReport) and not self._stopped.is_set():
                    _ = report.exact
            if not self._stopped.is_set():
                self._show(stage, result)

    def _watch(self, execution: Execution) -> bool:
        """Show the result so far from time to time; return whether the run has to stop."""
        if self._stopped.is_set():
            return True
        acceptance = execution.collector.acceptance
        if time.perf_counter() - self._shown >= REDRAW_SECONDS and acceptance.produced > self._least:
            self._show("running", snapshot(execution, is_last=False))
        return False


def snapshot(execution: Execution, is_last: bool = True) -> Result:
    """Return the current result of an execution, without exact shares unless it is the last one."""
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
    """Call a function without showing its warnings; the explorer shows likely mistakes itself."""
    if not locked:
        return function()
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function()


HELD_DEALS = 1_000_000  # deals kept in memory, of 32 bytes each


class HeldSource(Source):
    """The deals of another source of plain deals, of which the first `HELD_DEALS` are kept in memory.

    They are kept batch by batch, because each run evaluates the same batches.
    """

    def __init__(self, source: Source) -> None:
        self.source, self.description = source, source.description
        self._held: dict[tuple[int, int], Deals] = {}
        self._lock = threading.Lock()

    @property
    def n_held(self) -> int:
        """Number of deals in memory."""
        with self._lock:
            return sum(map(len, self._held.values()))

    def batch(self, first: int, count: int, seats: int) -> Callable[[], Deals | NumberedDeals]:
        if first + count > HELD_DEALS:
            return self.source.batch(first, count, ALL_SEATS)

        def take() -> Deals:
            with self._lock:
                held = self._held.get((first, count))
            if held is not None:
                return held
            dealt = self.source.batch(first, count, ALL_SEATS)()
            assert isinstance(dealt, Deals)  # a plain source deals no candidates
            with self._lock:
                self._held[first, count] = dealt
            return dealt

        return take

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        return deals


MODEL_DEALS = 1_000  # deals for the trick model, which takes 30 ms for each strain and declarer
ALL_TABLES_DEALS = 200  # deals if all 20 strains and declarers are needed, as for par
DRAWS = 4  # random numbers of tricks for each deal


def estimate_with_model(job: Job, is_stopped: Callable[[], bool] = lambda: False) -> Result | None:
    """Return the result of a run with tricks from the trick model, or None if no deal is found.

    Parameters
    ----------
    job : Job
        A job whose deals have to be solved.
    is_stopped : callable
        Called after each batch; True stops the estimate.
    """
    # Deals with random tricks from the model
    plan = job.plan
    cells = list_cells(plan)
    n_deals = ALL_TABLES_DEALS if len(cells) == 20 else MODEL_DEALS
    deals = _deal_candidates(job, n_deals, is_stopped)
    if not len(deals):
        return None
    solved = draw_tricks(deals, cells, job.seed)
    # The clauses and actions that need tricks, on these deals
    clauses = plan.solver_clauses
    plan = replace(
        plan, clauses=clauses, n_solver_clauses=len(clauses), n_staged=0, sampling=None, name="plain"
    )
    limits = Limits(len(solved), None)
    options = replace(job.options, progress=False, frame=None, files=None, write=None)
    drawn = replace(
        job, options=options, plan=plan, source=DealsSource(solved), limits=limits, requested=limits,
        predeal=None,
    )  # fmt: skip
    return assemble(execute(drawn, watch=lambda _: is_stopped()))


def list_cells(plan: Plan) -> list[tuple[int, int]]:
    """Return the pairs of strain (S H D C N = 0..4) and declarer (N E S W = 0..3) that a plan needs."""
    graph = plan.graph
    slots = graph.find_reachable([*plan.clauses, *plan.action_slots])
    operations = [graph.operations[slot] for slot in slots]
    needs_all = any(
        operation.cost_ns >= SOLVER_COST_NS and not (operation.inputs + operation.guarded)
        for operation in operations
        if operation.kind != "tricks"
    )
    if needs_all or any(action.cost_ns for action in plan.actions):
        return [(strain, seat) for strain in range(5) for seat in range(4)]
    cells = set()
    for operation in operations:
        if operation.kind == "tricks":
            seat, strain = operation.detail
            is_grouped = len(graph.grouped_tricks.get(strain, ())) > 1
            cells |= {(strain, declarer) for declarer in (range(4) if is_grouped else [seat])}
    return sorted(cells)


def draw_tricks(deals: Deals, cells: list[tuple[int, int]], seed: int) -> Deals:
    """Return each deal `DRAWS` times with random tricks from the trick model.

    Parameters
    ----------
    deals : Deals
        n deals.
    cells : list of (int, int)
        Strains and declarers; all other cells of the tables are -1.
    seed : int
        Random seed of the tricks.

    Returns
    -------
    Deals
        ``DRAWS * n`` deals with tables of tricks.

    Notes
    -----
    All strains of north and south have the same quantile q in a deal, and those of east and west have
    1 - q, because one side takes more tricks where the other takes fewer.
    """
    n = len(deals)
    generator = np.random.default_rng(abs(seed))
    quantiles = (np.arange(DRAWS) + generator.random((n, DRAWS))) / DRAWS
    tables = np.full((n, DRAWS, 5, 4), -1, np.int8)
    for strain, seat in cells:
        at_least = predict(deals, strain, seat).at_least[:, 1:]
        where = quantiles if seat % 2 == 0 else 1 - quantiles
        tables[:, :, strain, seat] = (at_least[:, None, :] > where[:, :, None]).sum(axis=2)
    rows = np.repeat(np.arange(n), DRAWS)
    return deals[rows].replace(tables=tables.reshape(-1, 5, 4))


def _deal_candidates(job: Job, n_deals: int, is_stopped: Callable[[], bool]) -> Deals:
    """Deal until `n_deals` deals meet the clauses that need no solver, and return them."""
    clauses = job.plan.cheap_clauses
    plan = replace(job.plan, clauses=clauses, n_solver_clauses=0, actions=())
    options = replace(job.options, frame=None, files=None)
    job = replace(job, options=options, plan=plan, limits=Limits(job.limits.generate, n_deals))
    parts = []
    for batch in run_batches(job):
        parts.append(batch.produced.deals)
        if is_stopped():
            break
    return Deals.concatenate(parts)
