"""Loops over batches: the deals of a run in order, evaluated here, in threads or on an executor.

Results are consumed in the order of the deals. So the number of threads changes nothing: `produce`
stops at the same deal, an error counts only if its deal comes no later than that one, and an
interrupt keeps all deals before the first unfinished batch.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from dealerkit.actions import Action, ProducedDeals
from dealerkit.dealing.source import TABLES, Source
from dealerkit.doubledummy.ledger import Ledger, open_ledger
from dealerkit.machine import n_processors
from dealerkit.planning import Limits, Plan
from dealerkit.simulation.batches import (
    Batch,
    BatchResult,
    evaluate_batch,
    filter_columns,
    find_action_seats,
    update_actions,
)
from dealerkit.simulation.deal_files import DEAL_FILES
from dealerkit.simulation.job import Job
from dealerkit.simulation.remote import RemoteResult, submit

BATCH_DEALS = 65_536  # their hands fit the second-level cache of a processor
FIRST_BATCH_DEALS = 2_048  # a run that needs few deals should not deal many; the size doubles
MAX_THREADS = 16  # or two for each processor
SOLVER_BATCH_SECONDS = 1.0  # about how long a solver may work before progress is shown
MAX_FEEDBACK_DEALS = 8_192  # dealt ahead on a stream that depends on the accepted deals


@dataclass(frozen=True, eq=False, repr=False)
class ProducedBatch:
    """The next produced deals of a run, in order.

    Attributes
    ----------
    generated : int
        Deals dealt so far, those of this batch included.
    produced : ProducedDeals
        The deals and the values of expressions.
    numbers : ndarray of int64 [n]
        Numbers of the produced deals in the run.
    actions : list of (Action or None)
        For each action of the plan a copy updated with these deals, None where it needs them in order.
    ledger : Ledger or None
    random_values : mapping of int to ndarray of int64 [n]
        By slot: values of `rnd` in the actions that the generator of the deals gave.
    """

    generated: int
    produced: ProducedDeals
    numbers: np.ndarray
    actions: list[Action | None]
    ledger: Ledger | None = None
    random_values: Mapping[int, np.ndarray] = field(default_factory=dict)


def run_batches(job: Job) -> Generator[ProducedBatch]:
    """Yield the produced deals of a job in order, batch by batch.

    Raises
    ------
    EvaluationError
        An expression has no value for a deal that the run needs.
    """
    loop = Loop(job)
    if job.limits.produce == 0 or job.limits.generate == 0:
        return
    if job.source.needs_feedback:
        yield from loop.run_with_feedback()
    elif job.plan.solver_ns and not job.source.is_solved:
        yield from loop.run_solver_batches()
    else:
        yield from loop.run_parallel()


def _batch_ranges(limits: Limits) -> Iterator[tuple[int, int]]:
    """Yield first deal and number of deals of each batch; the sizes double."""
    first, count = 0, min(FIRST_BATCH_DEALS, BATCH_DEALS)
    while limits.generate is None or first < limits.generate:
        count = count if limits.generate is None else min(count, limits.generate - first)
        yield first, count
        first, count = first + count, min(2 * count, BATCH_DEALS)


class Loop:
    """The loop over the batches of one job; it counts what has been produced."""

    def __init__(self, job: Job) -> None:
        self.job, self.plan, self.source = job, job.plan, job.source
        self.n_produced, self.done = 0, False

    @property
    def n_needed(self) -> int | None:
        """How many deals are still to be produced; None without a limit."""
        limit = self.job.limits.produce
        return None if limit is None else limit - self.n_produced

    def deal(self, first: int, count: int, seats: int | None = None) -> Batch:
        """Return the batch of these deals of the source; `seats` as for `Source.batch`, None for all."""
        seats = self.source.everything if seats is None else seats
        return Batch(self.source.batch(first, count, seats), first, count, seats)

    def consume(self, result: BatchResult) -> ProducedBatch:
        """Return the produced deals of the next result; raise its error if the run needs that deal."""
        columns, actions, n_needed = result.columns, result.actions, self.n_needed
        generated = result.first + result.count
        if n_needed is not None and len(columns) >= n_needed:
            if len(columns) > n_needed:
                columns = columns.take(np.arange(n_needed))
                columns, actions, _ = update_actions(self.plan, columns, result.count)
            generated, self.done = int(columns.numbers[-1]) + 1, True
        elif result.error is not None:
            number = result.first + result.error.row + 1
            raise type(result.error)(f"{result.error.message} (deal {number:,} of the run)", result.error.row)
        boards = self.n_produced + self.plan.program.start_board + np.arange(len(columns))
        columns.number_boards(boards)
        self.n_produced += len(columns)
        produced = ProducedDeals(columns.deals, boards, columns.array)
        return ProducedBatch(generated, produced, columns.numbers, actions, result.ledger)

    def run_parallel(self) -> Generator[ProducedBatch]:
        """Evaluate batches in threads or on an executor, or here where one thread is enough."""
        options = self.job.options
        threads, pool = options.threads or n_processors(), options.executor
        writes_deals = options.frame is not None or DEAL_FILES.keys() & (options.files or {}).keys()
        n_complete = sys.maxsize if writes_deals else self.job.n_kept  # files show all four hands
        own_pool = None
        if pool is None:  # each thread has two batches in memory, so thousands of threads would fill it
            threads = min(threads, max(MAX_THREADS, 2 * n_processors()))
            pool = own_pool = ThreadPoolExecutor(threads) if threads > 1 else None
        ranges = _batch_ranges(self.job.limits)
        pending: deque[BatchResult | Future | RemoteResult] = deque()
        try:
            while True:
                while len(pending) < 2 * threads:
                    batch_range = next(ranges, None)
                    if batch_range is None:
                        break
                    keep = self.n_produced < n_complete
                    batch = self.deal(*batch_range, _first_seats(self.plan, self.source, keep))
                    arguments = (self.plan, self.source, self.job.seed, batch, self.n_needed, keep)
                    if pool is None:
                        pending.append(evaluate_batch(*arguments))
                        break
                    pending.append(submit(pool, evaluate_batch, arguments))
                if not pending:
                    return
                head = pending.popleft()
                yield self.consume(head if isinstance(head, BatchResult) else head.result())
                if self.done:
                    return
        finally:
            for result in pending:
                if not isinstance(result, BatchResult):
                    result.cancel()
            if own_pool is not None:
                own_pool.shutdown(wait=True)

    def run_with_feedback(self) -> Generator[ProducedBatch]:
        """Run on a stream that depends on each accepted deal: deal ahead, and use the first accepted deal."""
        plan, first, limit = self.plan, 0, self.job.limits.generate
        while not self.done and (limit is None or first < limit):
            count = min(max(32, 2 * (first + 1) // (self.n_produced + 1)), MAX_FEEDBACK_DEALS)
            batch = self.deal(first, count if limit is None else min(count, limit - first))
            count = batch.count
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
            accepted_row = int(columns.numbers[0]) - first if len(columns) else None
            self.source.mark_accepted(accepted_row)
            n_dealt = count if accepted_row is None else accepted_row + 1
            error = batch.locate(dealt, action_error or error)
            produced = self.consume(BatchResult(first, n_dealt, columns, actions, error, ledger))
            first = produced.generated
            yield produced

    def run_solver_batches(self) -> Generator[ProducedBatch]:
        """Run a script that needs the solver: small batches, and none beyond those that are needed.

        The solver keeps all processors busy by itself.
        """
        plan = self.plan
        max_solved = max(8, int(SOLVER_BATCH_SECONDS * 1e9 / plan.solver_ns))
        for first, count in _batch_ranges(self.job.limits):
            batch = self.deal(first, count)
            dealt = batch.columns(plan, self.job.seed)
            columns, error = filter_columns(dealt, plan.cheap_clauses, len(dealt))
            row, is_last = 0, False
            while not is_last and not self.done:
                n_needed = self.n_needed
                size = max_solved if plan.n_solver_clauses or n_needed is None else min(max_solved, n_needed)
                part = columns.take(np.arange(row, min(row + size, len(columns))))
                row += len(part)
                is_last = row == len(columns)
                with open_ledger() as ledger:
                    accepted, solver_error = filter_columns(part, plan.solver_clauses, len(dealt))
                    accepted, actions, action_error = update_actions(plan, accepted, len(dealt))
                end = count if is_last else int(part.numbers[-1]) + 1 - first
                first_error = batch.locate(
                    dealt, action_error or solver_error or (error if is_last else None)
                )
                yield self.consume(BatchResult(first, end, accepted, actions, first_error, ledger))
            if self.done:
                return


def _first_seats(plan: Plan, source: Source, keep: bool) -> int:
    """Return the bit set of the seats (and `TABLES`) that are dealt before any clause is evaluated."""
    if plan.n_staged:
        return plan.graph.find_seats(plan.clauses[: plan.n_staged])
    has_tables = source.everything & TABLES
    if has_tables and plan.cheap_clauses:
        return plan.graph.find_seats(plan.cheap_clauses)
    if plan.clauses:
        return plan.clause_seats | has_tables
    return source.everything if keep else find_action_seats(plan, source)
