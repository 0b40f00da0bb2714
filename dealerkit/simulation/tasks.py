"""Tasks of a run: ranges of deals that another process deals, evaluates and accumulates.

A task returns what its deals add to the run: accumulators, and of the produced deals only the first ones, as
many as the run keeps or prints. The results of adjacent ranges are merged in their order. They have neither
the plan nor the deals of the source, so they are small; pickled, they are the saved state of a range.

Batches, and the parts in which the deals of a batch are solved, do not depend on the tasks. Sums are exact,
and those with weights, which are rounded, stay apart by batch. So a run gives the same result whatever its
tasks are.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
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
from dealerkit.simulation.acceptance import AcceptanceCounter
from dealerkit.simulation.batches import (
    Batch,
    BatchResult,
    cut_result,
    evaluate_batch,
    evaluate_parts,
    find_first_seats,
    split_batches,
    update_actions,
)
from dealerkit.simulation.run_limits import RunLimits, Watch
from dealerkit.statistics import Counts

if TYPE_CHECKING:
    from dealerkit.simulation.parquet_rows import PartFolder, TaskParts


@dataclass(frozen=True, eq=False)
class RunContext:
    """What all tasks of a run share; each process gets it once."""

    plan: Plan
    source: Source
    seed: int
    is_solving: bool  # batches are solved in parts
    returns_values: bool = True  # of expressions, with the deals
    store: tuple[str, str] | None = None  # computer and file of the store that gets what is solved
    part_folder: PartFolder | None = None  # of the frame to which the produced deals are written
    limits: RunLimits | None = None  # of time and memory, for each task

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
        Number of the first deal, at which a batch begins, and how many there are: whole batches.
    piece, n_pieces : int
        Of a batch that is solved: which share of its parts.
    n_needed : int or None
        Maximum number of deals to produce.
    n_returned : int
        How many of the first produced deals to return.
    start : int
        Parts of a solved batch that end before this deal are left out.
    batches : tuple of Batch, or None
        The batches, of a source that is read in order; None: the process deals them.
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
        Number of the first deal, and of the first one after the last that was dealt.
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
        One, or where they are not merged one for each batch or part.
    ledger : Ledger
    error : EvaluationError or None
        The first error, with the row counted from `first`; the range ends there.
    seconds : float
        Time of the processes.
    bounds : list of tuple of ndarray
        What the solver found, as `Store.update` takes it, if the run has a store that the process has not.
    is_full : bool
        It ends with the last deal that was needed.
    frame : list of (str or bytes)
        The rows of the frame, as `TaskParts.items`.
    limit : str
        Which limit ended the task before its range; empty: none.
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
        """Return the returned deals with their values."""
        deals, numbers = Deals.concatenate(self.deals), np.concatenate([np.empty(0, np.int64), *self.numbers])
        columns = BatchColumns(plan.graph, deals, seed, numbers)
        for slot in set.intersection(*map(set, self.values)) if self.values else ():
            columns.set_value(slot, np.concatenate([values[slot] for values in self.values]))
        return columns


def name_store() -> tuple[str, str] | None:
    """Return computer and file of the store of this process; None if nothing can be added to it."""
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
            from dealerkit.simulation.parquet_rows import TaskParts  # few runs need it

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
        end = part.first + part.count
        counter.generated = start = part.first if part.start is None else part.start
        if not (result.accumulated or merged):
            result.first = start
        needed = None if task.n_needed is None else task.n_needed - result.n_produced
        if needed is not None and len(part.columns) >= needed:
            part = cut_result(plan, part, needed)
            end, result.is_full = int(part.columns.numbers[-1]) + 1, True
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
    """Return a result that ends with the last deal needed; None if that takes its task again.

    It takes all produced deals, which tasks of a run that solves return, and sums that may be merged.
    """
    if sum(map(len, result.deals)) < result.n_produced or not context.merges or result.frame:
        return None
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
    numbers = np.concatenate(cut.numbers)
    counter = AcceptanceCounter(context.source)
    counter.generated, cut.last = result.first, int(numbers[-1])
    cut.stop, cut.seconds = cut.last + 1, result.seconds
    counter.update(numbers, cut.stop)
    cut.accumulated = [_accumulate(merged or (), counter.counts)]
    return cut
