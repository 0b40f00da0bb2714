"""Loops over batches: the deals of a run in order, evaluated here, in threads or on an executor.

Results are used in the order of the deals, so the number of threads changes nothing: `produce` stops at the
same deal, an error counts only if its deal is not after that one, and an interrupt keeps all deals before the
first unfinished batch.
"""

from __future__ import annotations

import contextlib
import math
import sys
import time
from collections import deque
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.actions import Action, ProducedDeals
from dealerkit.appearance.numbers import format_count
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.doubledummy.ledger import Ledger, open_ledger
from dealerkit.errors import EvaluationError
from dealerkit.planning import Limits
from dealerkit.runtime.executors import Workers, current_workers, open_workers
from dealerkit.runtime.threads import cancel, limit_threads, open_pool
from dealerkit.simulation.batches import (
    Batch,
    BatchResult,
    cut_result,
    evaluate_batch,
    evaluate_parts,
    filter_columns,
    find_batch,
    find_first_seats,
    split_batches,
    update_actions,
)
from dealerkit.simulation.job import Job
from dealerkit.simulation.output_files import DEAL_FILES
from dealerkit.statistics import Counts

if TYPE_CHECKING:
    from concurrent.futures import Future

    from dealerkit.simulation.frames import PartFolder
    from dealerkit.simulation.tasks import TaskResult

THREADS_SECONDS = 0.05  # a run that is expected to take longer uses threads
MAX_FEEDBACK_DEALS = 8_192  # deals dealt ahead on a stream that depends on the accepted deals


@dataclass(frozen=True, eq=False, repr=False)
class ProducedBatch:
    """The next produced deals of a run, in order.

    Attributes
    ----------
    generated : int
        Number of deals dealt so far, including those of this batch.
    produced : ProducedDeals
        The deals and the values of expressions; for a task only the first deals, as many as the run needs.
    numbers : ndarray of int64 [n]
        Numbers of these deals in the run.
    actions : list of list of (Action or None)
        For each action of the plan, a copy updated with the produced deals, or None if it needs them in
        order; the lists are merged one after another.
    ledger : Ledger or None
    n_produced : int
        How many were produced.
    counts : list of Counts, or None
        Counts of accepted deals of a task; None: `numbers` contains all of them.
    random_values : mapping of int to ndarray of int64 [n]
        Values of `rnd` in the actions, from the random generator of the deals, by slot.
    frame : list of (str or bytes), or None
        Rows of the frame, in the form that `FrameFolder.add_items` takes; None: `produced` has all of them.
    limit : str
        The limit that ended the task.
    """

    generated: int
    produced: ProducedDeals
    numbers: np.ndarray
    actions: list[list[Action | None]]
    ledger: Ledger | None
    n_produced: int
    counts: list[Counts | None] | None = None
    random_values: Mapping[int, np.ndarray] = field(default_factory=dict)
    frame: list[str | bytes] | None = None
    limit: str = ""


def run_batches(
    job: Job,
    n_used: int = sys.maxsize,
    start: int = 0,
    n_produced: int = 0,
    part_folder: PartFolder | None = None,
) -> Generator[ProducedBatch]:
    """Yield the produced deals of a job in order, batch by batch.

    Parameters
    ----------
    job : Job
    n_used : int
        Number of produced deals, from the first, that the caller uses; tasks return no others.
    start, n_produced : int
        Continue with this deal, before which this many deals were produced; a batch of the same job must have
        ended there.
    part_folder : PartFolder or None
        Folder to which workers write the produced deals as parts of a frame.

    Raises
    ------
    EvaluationError
        An expression has no value for a deal that the run needs.
    ExecutorError
        The executor cannot run the script.
    """
    loop = Loop(job, n_used, start, n_produced)
    if job.limits.produce == n_produced or job.limits.generate == start:
        return
    if job.source.needs_feedback:
        yield from loop.run_with_feedback()
        return
    with contextlib.ExitStack() as stack:
        workers, executor = current_workers(), job.options.executor
        if executor is not None:
            workers = stack.enter_context(open_workers(executor))
        if workers is not None:
            yield from loop.run_on_workers(workers, part_folder)
        elif loop.is_solving:
            yield from loop.run_solver_batches()
        else:
            yield from loop.run_parallel()


def locate_error(error: EvaluationError, first: int) -> EvaluationError:
    """Return an error with the number of its deal in the run."""
    return type(error)(f"{error.message} (deal {format_count(first + error.row + 1)} of the run)", error.row)


class Loop:
    """The loop over the batches of one job, which counts what has been produced."""

    def __init__(self, job: Job, n_used: int = sys.maxsize, start: int = 0, n_produced: int = 0) -> None:
        self.job, self.plan, self.source, self.n_used = job, job.plan, job.source, n_used
        self.start, self.n_produced, self.done = start, n_produced, False
        self.first = find_batch(start)
        self.is_solving = bool(job.plan.solver_ns) and not job.source.is_solved

    @property
    def n_needed(self) -> int | None:
        """Number of deals still to be produced; None without a limit."""
        limit = self.job.limits.produce
        return None if limit is None else limit - self.n_produced

    def deal(self, first: int, count: int, seats: int | None = None) -> Batch:
        """Return the batch of these deals of the source; `seats` is as for `Source.batch`, None for all."""
        seats = self.source.everything if seats is None else seats
        return Batch(self.source.batch(first, count, seats), first, count, seats)

    def _skip_deals(self) -> None:
        """Skip the batches before the first one in a source that can only be read in order."""
        if not self.source.deals_anywhere:
            for first, count in split_batches(Limits(self.first, None)):
                self.deal(first, count, 0)

    def consume(self, result: BatchResult) -> ProducedBatch:
        """Return the produced deals of the next result; raise its error if the run needs that deal."""
        n_needed, generated = self.n_needed, result.first + result.count
        if n_needed is not None and len(result.columns) >= n_needed:
            result = cut_result(self.plan, result, n_needed)
            generated, self.done = int(result.columns.numbers[-1]) + 1, True
        elif result.error is not None:
            raise locate_error(result.error, result.first)
        columns = result.columns
        produced = self.number_deals(columns)
        self.n_produced += len(columns)
        return ProducedBatch(
            generated, produced, columns.numbers, [result.actions], result.ledger, len(columns)
        )

    def number_deals(self, columns: BatchColumns) -> ProducedDeals:
        """Return the next produced deals with their numbers as board numbers."""
        boards = self.n_produced + self.plan.program.start_board + np.arange(len(columns))
        columns.number_boards(boards)
        return ProducedDeals(columns.deals, boards, columns.array, columns.rows)

    def consume_task(self, result: TaskResult) -> ProducedBatch:
        """Return the batch of a task's result; raise its error."""
        if result.error is not None:
            raise locate_error(result.error, result.first)
        self.done = result.is_full
        # Double-dummy results go to the store of this process
        if result.bounds:
            from dealerkit.doubledummy.store.database import current_store

            for bounds in result.bounds:
                current_store().update(*bounds)
        columns = result.columns(self.plan, self.job.seed)
        produced = self.number_deals(columns)
        self.n_produced += result.n_produced
        return ProducedBatch(
            result.stop,
            produced,
            columns.numbers,
            [part.restore(self.plan.actions) for part in result.accumulated],
            result.ledger,
            result.n_produced,
            [part.counts for part in result.accumulated],
            limit=result.limit,
        )

    def run_on_workers(
        self, workers: Workers, part_folder: PartFolder | None = None
    ) -> Generator[ProducedBatch]:
        """Run in other processes, each with its solver."""
        from dealerkit.simulation.tasks import (
            RunContext,
            TaskQueue,  # few runs need it
            name_store,
        )

        store = name_store() if self.is_solving else None
        uses_all = self.n_used == sys.maxsize  # to print or write them
        # Results that have their deals are cut where the run ends; otherwise, a task is solved again.
        is_cut = self.is_solving and self.job.limits.produce is not None and part_folder is None
        context = RunContext(
            self.plan, self.source, self.job.seed, self.is_solving,
            returns_values=uses_all or is_cut, store=store,
            part_folder=part_folder, limits=self.job.options.limits,
        )  # fmt: skip
        self._skip_deals()
        queue = TaskQueue(workers, context, self.job.limits, self.start)

        def count_returned() -> int:
            n_cut = (self.n_needed or 0) if is_cut else 0
            return max(self.n_used - self.n_produced, n_cut)

        results = queue.run(lambda: self.n_needed, count_returned)
        with contextlib.closing(results):
            for result in results:
                batch = self.consume_task(result)
                yield batch if part_folder is None else replace(batch, frame=result.frame)
                if self.done or result.limit:
                    return

    def run_parallel(self) -> Generator[ProducedBatch]:
        """Evaluate batches here, and in threads once the rest of the run is expected to take long."""
        options = self.job.options
        # All four hands are dealt if files contain all deals, otherwise only for deals that are kept
        writes_deals = options.frame is not None or DEAL_FILES.keys() & (options.files or {}).keys()
        n_complete = sys.maxsize if writes_deals else self.job.n_kept
        threads, pool = limit_threads(options.threads), options.executor  # the caller's, or none
        self._skip_deals()
        # Submit two batches for each thread; use their results in the order of the deals
        ranges = split_batches(self.job.limits, self.first)
        pending: deque[BatchResult | Future] = deque()
        try:
            while True:
                begin = time.perf_counter()
                while len(pending) < 2 * threads:
                    batch_range = next(ranges, None)
                    if batch_range is None:
                        break
                    keep = self.n_produced < n_complete
                    batch = self.deal(*batch_range, find_first_seats(self.plan, self.source, keep))
                    arguments = (self.plan, self.source, self.job.seed, batch, self.n_needed, keep)
                    if pool is None:
                        pending.append(evaluate_batch(*arguments))
                        break
                    pending.append(pool.submit(evaluate_batch, *arguments))
                if not pending:
                    return
                head = pending[0]
                result = head if isinstance(head, BatchResult) else head.result()
                pending.popleft()
                seconds = time.perf_counter() - begin
                yield self.consume(result)
                if self.done:
                    return
                # The time of the first batch is not typical, since it loads kernels
                if pool is None and threads > 1 and result.first > self.first:
                    if seconds * self._count_left(result) > THREADS_SECONDS * result.count:
                        pool = open_pool(threads)
        finally:
            cancel(result for result in pending if not isinstance(result, BatchResult))

    def _count_left(self, result: BatchResult) -> float:
        """Return how many deals are probably still to be dealt, by the share of a batch that is produced."""
        n_left, limits = math.inf, self.job.limits
        if limits.generate is not None:
            n_left = limits.generate - result.first - result.count
        if self.n_needed is not None and len(result.columns):
            n_left = min(n_left, self.n_needed * result.count / len(result.columns))
        return n_left

    def run_with_feedback(self) -> Generator[ProducedBatch]:
        """Run on a stream that depends on each accepted deal: deal ahead, and use the first accepted deal."""
        plan, first, limit = self.plan, 0, self.job.limits.generate
        while not self.done and (limit is None or first < limit):
            count = min(max(32, 2 * (first + 1) // (self.n_produced + 1)), MAX_FEEDBACK_DEALS)
            # Deal about twice as many as a produced deal has needed so far
            batch = self.deal(first, count if limit is None else min(count, limit - first))
            count = batch.count
            # Find the first accepted deal
            with open_ledger() as ledger:
                dealt = batch.columns(plan, self.job.seed)
                columns, error = filter_columns(dealt, plan.cheap_clauses, count)
                if plan.n_solver_clauses:  # deal by deal, because only the first accepted deal counts
                    for row in range(len(columns)):
                        accepted, solver_error = filter_columns(
                            columns.take(np.array([row])), plan.solver_clauses, count
                        )
                        if len(accepted) or solver_error is not None:
                            columns, error = accepted, solver_error or error
                            break
                    else:
                        columns = columns.take(np.arange(0))
                if len(columns):
                    columns, error = columns.take(np.arange(1)), None
                columns, actions, action_error = update_actions(plan, columns, count)
            # The stream continues after it
            accepted_row = int(columns.numbers[0]) - first if len(columns) else None
            self.source.mark_accepted(accepted_row)
            n_dealt = count if accepted_row is None else accepted_row + 1
            error = batch.locate(dealt, action_error or error)
            produced = self.consume(BatchResult(first, n_dealt, columns, actions, error, ledger))
            first = produced.generated
            yield produced

    def run_solver_batches(self) -> Generator[ProducedBatch]:
        """Run a script that needs the solver: small batches, and none beyond those that are needed.

        The solver itself keeps all processors busy.
        """
        self._skip_deals()
        for first, count in split_batches(self.job.limits, self.first):
            batch = self.deal(first, count)
            parts = evaluate_parts(
                self.plan, self.job.seed, batch, find_n_needed=lambda: self.n_needed, start=self.start
            )
            for part in parts:
                yield self.consume(part)
                if self.done:
                    return
