"""Tasks of a run: ranges of deals that another process deals, evaluates and accumulates.

A task returns what its deals add to the run: accumulators and, of the produced deals, only the first ones, as
many as the run keeps or prints. The results of adjacent ranges are merged in order. They contain neither the
plan nor the deals of the source, so they are small; when pickled, they are the saved state of a range.

Batches, and the parts in which the deals of a batch are solved, do not depend on the tasks. Sums are exact,
and sums with weights, which are rounded, are kept separately by batch. So a run gives the same result
whatever its tasks are.

A task takes about two seconds, according to the cost measured on earlier tasks. If the run has a number of
deals to produce, tasks are submitted until the pending ones are expected to produce enough. The result of a
task that produces too many is cut after the last deal needed, or the task is repeated up to it.
"""

from __future__ import annotations

import math
import platform
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.actions import Action
from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.dealing.source import Source
from dealerkit.doubledummy.ledger import Ledger, collect_bounds
from dealerkit.doubledummy.store.database import current_store
from dealerkit.errors import EvaluationError
from dealerkit.planning import Limits, Plan
from dealerkit.runtime.executors import TASK_SECONDS, Pending, Workers
from dealerkit.simulation.acceptance import AcceptanceCounter
from dealerkit.simulation.batches import (
    Batch,
    BatchResult,
    count_parts,
    cut_result,
    evaluate_batch,
    evaluate_parts,
    find_batch,
    find_first_seats,
    split_batches,
    update_actions,
)
from dealerkit.simulation.run_limits import RunLimits, Watch
from dealerkit.statistics import Counts

if TYPE_CHECKING:
    from dealerkit.simulation.frames import PartFolder, TaskParts

LEAST_SHARE = 0.2  # share of the usual size, for tasks at the end of a run
MANY_TASKS = 100  # number of tasks at once, above which tasks take longer
GROWTH = 4  # largest ratio of a task to the largest one measured before
FIRST_SHARE = 0.05  # assumed share of deals that meet the clauses before the solver's


@dataclass(frozen=True, eq=False)
class RunContext:
    """What all tasks of a run share; each process receives it once."""

    plan: Plan
    source: Source
    seed: int
    is_solving: bool  # whether batches are solved in parts
    returns_values: bool = True  # whether values of expressions are returned with the deals
    store: tuple[str, str] | None = None  # computer and file of the store that receives what is solved
    part_folder: PartFolder | None = None  # folder to which parts of a frame are written
    limits: RunLimits | None = None  # limits on time and memory, for each task

    @property
    def merges(self) -> bool:
        """Whether accumulators of batches may be merged in any grouping: sums of weights are rounded."""
        return self.source.weights(0, 0) is None


@dataclass(frozen=True)
class Task:
    """A range of the deals of a run.

    Attributes
    ----------
    first, count : int
        Number of the first deal, at which a batch begins, and number of deals: whole batches.
    piece, n_pieces : int
        For a batch that is solved in parts: which share of its parts.
    n_needed : int or None
        Largest number of deals to produce.
    n_returned : int
        Number of produced deals, from the first, to return.
    start : int
        Parts of a solved batch that end before this deal are left out.
    batches : tuple of Batch, or None
        The batches, for a source that is read in order; None: the process deals them.
    """

    first: int
    count: int
    piece: int = 0
    n_pieces: int = 1
    n_needed: int | None = None
    n_returned: int = 0
    start: int = 0
    batches: tuple[Batch, ...] | None = field(default=None, repr=False)


@dataclass(eq=False)
class Accumulated:
    """What the actions (`states`, None for ordered ones) and the counter of accepted deals accumulate."""

    states: list[dict[str, Any] | None]
    counts: Counts | None

    def restore(self, actions: Sequence[Action]) -> list[Action | None]:
        """Return copies of the actions of a plan with what they have accumulated."""
        restored: list[Action | None] = []
        for action, state in zip(actions, self.states, strict=True):
            own = None if state is None else action.copy_empty()
            for name, value in (state or {}).items():
                setattr(own, name, value)
            restored.append(own)
        return restored


@dataclass(eq=False)
class TaskResult:
    """What the deals of adjacent ranges add to a run.

    Attributes
    ----------
    first, stop : int
        Number of the first deal, and of the deal after the last one that was dealt.
    n_produced : int
    last : int
        Number of the last produced deal; -1: none.
    deals : list of Deals
        The first produced deals, as many as the task returns.
    numbers : list of ndarray of int64
        Their numbers.
    values : list of dict of int to ndarray
        Their values of expressions by slot.
    accumulated : list of Accumulated
        One for all, or one for each batch or part if they are not merged.
    ledger : Ledger
    error : EvaluationError or None
        The first error, with the row counted from `first`; the range ends there.
    seconds : float
        Time of the processes, in seconds.
    bounds : list of tuple of ndarray
        What the solver found, in the form for `Store.update`, if the run has a store that the process does
        not have.
    is_full : bool
        Whether it ends with the last deal that was needed.
    frame : list of (str or bytes)
        The rows of the frame, as `TaskParts.items`.
    limit : str
        The limit that ended the task before its range; empty: none.
    """

    first: int
    stop: int
    n_produced: int = 0
    last: int = -1
    deals: list[Deals] = field(default_factory=list)
    numbers: list[np.ndarray] = field(default_factory=list)
    values: list[dict[int, np.ndarray]] = field(default_factory=list)
    accumulated: list[Accumulated] = field(default_factory=list)
    ledger: Ledger = field(default_factory=Ledger)
    error: EvaluationError | None = None
    seconds: float = 0.0
    bounds: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = field(default_factory=list)
    is_full: bool = False
    frame: list[str | bytes] = field(default_factory=list)
    limit: str = ""

    def columns(self, plan: Plan, seed: int) -> BatchColumns:
        """Return the returned deals with their values, as columns."""
        deals, numbers = Deals.concatenate(self.deals), np.concatenate([np.empty(0, np.int64), *self.numbers])
        columns = BatchColumns(plan.graph, deals, seed, numbers)
        for slot in set.intersection(*map(set, self.values)) if self.values else ():
            columns.set_value(slot, np.concatenate([values[slot] for values in self.values]))
        return columns


def name_store() -> tuple[str, str] | None:
    """Return computer and file of this process's store; None if it cannot be written."""
    store = current_store()
    return (platform.node(), str(store.path)) if store.file.is_writable else None


def run_task(context: RunContext, task: Task) -> TaskResult:
    """Deal, evaluate and accumulate the deals of a task, up to the deals needed or the first error."""
    import dealerkit.language.functions  # noqa: F401  (it fills the registry of this process)

    began = time.perf_counter()
    watch = Watch(context.limits)
    with collect_bounds() as found, watch.measure(began, interrupts=False):
        if context.part_folder is None:
            result = _run(context, task, watch)
        else:
            from dealerkit.simulation.frames import TaskParts  # few runs need it

            with TaskParts(context.part_folder, context.plan) as parts:
                result = _run(context, task, watch, parts)
            result.frame = parts.items
    if context.store is not None and found.parts and context.store != name_store():
        result.bounds = found.parts
    result.seconds = time.perf_counter() - began
    return result


def _run(context: RunContext, task: Task, watch: Watch, parts: TaskParts | None = None) -> TaskResult:
    """Return the result of a task without its cost; add the produced deals to `parts`."""
    plan = context.plan
    result = TaskResult(task.first, task.first)
    counter = AcceptanceCounter(context.source)
    merged: list[Action | None] | None = None
    for part in _evaluate(context, task, result):
        # The part begins and ends here; it ends with the last deal needed
        end = part.first + part.count
        counter.generated = start = part.first if part.start is None else part.start
        if not (result.accumulated or merged):
            result.first = start
        needed = None if task.n_needed is None else task.n_needed - result.n_produced
        if needed is not None and len(part.columns) >= needed:
            part = cut_result(plan, part, needed)
            end, result.is_full = int(part.columns.numbers[-1]) + 1, True
        # What it adds: counts, deals, rows of the frame, accumulators
        numbers = part.columns.numbers
        counter.update(numbers, end)
        _keep_deals(context, result, part, task.n_returned - result.n_produced)
        if parts is not None:
            parts.add(part.columns.deals, part.columns.array)
        result.n_produced += len(numbers)
        result.last = int(numbers[-1]) if len(numbers) else result.last
        result.stop = end
        if part.ledger is not None:
            result.ledger += part.ledger
        if context.merges:
            merged = _merge(merged, part.actions)
        else:
            result.accumulated.append(_accumulate(part.actions, counter.counts))
            counter = AcceptanceCounter(context.source)
        # Whether the task ends here
        if part.error is not None and not result.is_full:
            result.error = part.error
            result.error.row += part.first - result.first
            break
        result.limit = "" if result.is_full else watch.reason
        if result.is_full or result.limit:
            break
    if merged is not None:
        result.accumulated.append(_accumulate(merged, counter.counts))
    return result


def _evaluate(context: RunContext, task: Task, result: TaskResult) -> Iterator[BatchResult]:
    """Yield the results of the batches of a task, or of the parts of a batch that is solved."""
    plan, source = context.plan, context.source
    for batch in task.batches or deal_batches(context, task):
        if context.is_solving:
            yield from evaluate_parts(plan, context.seed, batch, task.piece, task.n_pieces, start=task.start)
            continue
        needed = None if task.n_needed is None else task.n_needed - result.n_produced
        keep = result.n_produced < task.n_returned or context.part_folder is not None
        yield evaluate_batch(plan, source, context.seed, batch, needed, keep)


def deal_batches(context: RunContext, task: Task) -> Iterator[Batch]:
    """Yield the batches of a range."""
    plan, source = context.plan, context.source
    seats = source.everything
    if not context.is_solving:
        seats = find_first_seats(plan, source, task.n_returned > 0 or context.part_folder is not None)
    for first, count in split_batches(Limits(task.first + task.count, None), task.first):
        yield Batch(source.batch(first, count, seats), first, count, seats)


def _keep_deals(context: RunContext, result: TaskResult, part: BatchResult, n_missing: int) -> None:
    """Add the first produced deals of a part, with the values that its actions have used."""
    n = min(n_missing, len(part.columns))
    if n <= 0:
        return
    columns = part.columns
    slots = set(context.plan.action_slots) if context.returns_values else set()
    slots = {slot for slot in slots if columns.has_value(slot)}
    result.deals.append(columns.deals[:n])
    result.numbers.append(columns.numbers[:n])
    result.values.append({slot: np.array(columns.array(slot)[:n]) for slot in slots})


def _merge(merged: list[Action | None] | None, actions: list[Action | None]) -> list[Action | None]:
    if merged is None:
        return actions
    for action, other in zip(merged, actions, strict=True):
        if action is not None and other is not None:
            action.merge(other)
    return merged


def _accumulate(actions: Sequence[Action | None], counts: Counts | None) -> Accumulated:
    return Accumulated(
        [
            None if action is None else {name: getattr(action, name) for name in action.accumulated}
            for action in actions
        ],
        counts,
    )


def cut_task_result(context: RunContext, result: TaskResult, n_needed: int) -> TaskResult | None:
    """Return a result cut after the last deal needed; None if the task must be repeated.

    This needs all produced deals, which tasks of a run that solves return, and sums that can be merged.
    """
    if sum(map(len, result.deals)) < result.n_produced or not context.merges or result.frame:
        return None
    # Update the actions again with the deals up to the last one needed, batch by batch
    cut = TaskResult(result.first, result.first, ledger=result.ledger, bounds=result.bounds, is_full=True)
    merged: list[Action | None] | None = None
    for deals, numbers, values in zip(result.deals, result.numbers, result.values, strict=True):
        n = min(len(deals), n_needed - cut.n_produced)
        if not n:
            break
        values = {slot: column[:n] for slot, column in values.items()}
        part = TaskResult(0, 0, deals=[deals[:n]], numbers=[numbers[:n]], values=[values])
        merged = _merge(merged, update_actions(context.plan, part.columns(context.plan, context.seed), n)[1])
        for name in ("deals", "numbers", "values"):
            getattr(cut, name).extend(getattr(part, name))
        cut.n_produced += n
    # Count the deals again
    numbers = np.concatenate(cut.numbers)
    counter = AcceptanceCounter(context.source)
    counter.generated, cut.last = result.first, int(numbers[-1])
    cut.stop, cut.seconds = cut.last + 1, result.seconds
    counter.update(numbers, cut.stop)
    cut.accumulated = [_accumulate(merged or (), counter.counts)]
    return cut


def choose_seconds(n_tasks: int) -> float:
    """Return the duration of a task when so many run at once, since one process sends and receives them all.

    >>> choose_seconds(2), choose_seconds(1000)
    (2.0, 20.0)
    """
    return TASK_SECONDS * max(1.0, n_tasks / MANY_TASKS)


class TaskSizes:
    """The size of the next task, from the cost of the tasks before it.

    Parameters
    ----------
    deal_seconds : float
        First guess of the cost of a deal, in seconds.
    task_seconds : float
        Duration of a task, in seconds.
    """

    def __init__(self, deal_seconds: float, task_seconds: float = TASK_SECONDS) -> None:
        self.deal_seconds, self.task_seconds, self._largest = deal_seconds, task_seconds, 0

    def add(self, n_deals: int, seconds: float) -> None:
        """Add a measured task; the longer it took, the more its cost counts."""
        if n_deals:
            weight = min(seconds / self.task_seconds, 0.5) if self._largest else 1.0
            weight = max(weight, 0.1)
            self.deal_seconds += weight * (seconds / n_deals - self.deal_seconds)
            self._largest = max(self._largest, n_deals)

    def choose(self, missing: float = math.inf) -> float:
        """Return the number of deals of the next task.

        `missing` is the number of deals still missing for each of the tasks that run at once. Tasks become
        smaller towards the end, so that all workers end at about the same time.
        """
        n_deals = self.task_seconds / max(self.deal_seconds, 1e-12)
        n_deals = min(n_deals, GROWTH * self._largest) if self._largest else 1.0
        return max(min(n_deals, max(missing / 2, n_deals * LEAST_SHARE)), 1.0)


class TaskQueue:
    """The tasks of a run, in the order of the deals.

    Parameters
    ----------
    workers : Workers
    context : RunContext
    limits : Limits
    start : int
        The first deal, where a batch begins, or a part of a batch that is solved.
    """

    def __init__(self, workers: Workers, context: RunContext, limits: Limits, start: int = 0) -> None:
        self._workers, self._context, self._limits, self._start = workers, context, limits, start
        plan = context.plan
        self._shared = workers.share(context)
        share = FIRST_SHARE if plan.cheap_clauses else 1.0
        self._sizes = TaskSizes(share * plan.solver_ns * 1e-9 if context.is_solving else 1e-7)
        self._n_dealt = self._n_produced = 0
        self._pending: deque[tuple[Task, Pending]] = deque()
        self._under_way = 0.0  # number of deals of the pending tasks
        self._n_tasks = workers.n_tasks

    def run(
        self, find_n_needed: Callable[[], int | None], find_n_returned: Callable[[], int]
    ) -> Generator[TaskResult]:
        """Yield the results in order; each is used before the next, so that the numbers needed are known."""
        tasks = self._plan_tasks(find_n_needed, find_n_returned)
        try:
            while True:
                # Keep the workers busy, then use the next result
                self._n_tasks = self._workers.n_tasks
                self._sizes.task_seconds = choose_seconds(self._n_tasks)
                while self._may_submit(find_n_needed()):
                    task = next(tasks, None)
                    if task is None:
                        break
                    self._submit(task)
                if not self._pending:
                    return
                task, pending = self._pending.popleft()
                result = self._wait(task, pending, find_n_needed())
                self._under_way -= task.count / task.n_pieces
                self._n_dealt += result.stop - result.first
                self._n_produced += result.n_produced
                yield result
        finally:
            for _, pending in self._pending:
                pending.cancel()

    def _wait(self, task: Task, pending: Pending, n_needed: int | None) -> TaskResult:
        """Return the result of a task, which ends with the last deal needed."""
        shorter = replace(task, n_needed=n_needed)
        try:
            result: TaskResult = pending.result()
        except EvaluationError:  # about the frame; perhaps after the last deal needed
            if task.n_needed == n_needed:
                raise
            return self._workers.submit(self._shared, run_task, shorter).result()
        self._sizes.add(result.stop - result.first, result.seconds)
        is_exact = result.is_full and task.n_needed == n_needed
        if n_needed is None or result.n_produced < n_needed or is_exact:
            return result
        if (cut := cut_task_result(self._context, result, n_needed)) is not None:
            return cut
        return self._workers.submit(self._shared, run_task, shorter).result()

    def _share(self) -> float:
        """Return the expected share of the deals that will be produced."""
        if not self._context.plan.clauses:
            return 1.0
        return (self._n_produced + 1) / (self._n_dealt + 1)

    def _may_submit(self, n_needed: int | None) -> bool:
        if len(self._pending) >= self._workers.n_ahead * self._n_tasks:
            return False
        return n_needed is None or not self._pending or self._under_way * self._share() < n_needed

    def _submit(self, task: Task) -> None:
        self._pending.append((task, self._workers.submit(self._shared, run_task, task)))
        self._under_way += task.count / task.n_pieces

    def _plan_tasks(
        self, find_n_needed: Callable[[], int | None], find_n_returned: Callable[[], int]
    ) -> Iterator[Task]:
        """Yield the tasks; each is planned when it can be submitted."""
        first, limits = find_batch(self._start), self._limits
        while limits.generate is None or first < limits.generate:
            # The deals of the next task: whole batches of about its size
            n_needed = find_n_needed()
            missing = math.inf if limits.generate is None else limits.generate - first
            if n_needed is not None:
                missing = min(missing, max(n_needed / self._share() - self._under_way, 1.0))
            size = self._sizes.choose(missing / self._n_tasks)
            count = 0
            for start, n_deals in split_batches(limits, first):
                if count and start + n_deals - first > size:
                    break
                count = start + n_deals - first
            task = Task(first, count, n_needed=n_needed, n_returned=find_n_returned(), start=self._start)
            if not self._context.source.deals_anywhere:
                task = replace(task, batches=tuple(deal_batches(self._context, task)))
            # A batch whose deals take long to solve is shared by several tasks
            n_pieces = 1
            if self._context.is_solving and count > 1.5 * size:  # of one batch
                (batch,) = task.batches or deal_batches(self._context, task)
                n_parts = count_parts(self._context.plan, self._context.seed, batch)
                n_pieces = max(1, min(round(count / size), n_parts))
            for piece in range(n_pieces):
                yield replace(
                    task, piece=piece, n_pieces=n_pieces, n_needed=find_n_needed(),
                    n_returned=find_n_returned(),
                )  # fmt: skip
            first += count
