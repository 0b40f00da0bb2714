"""Loops over batches: the deals of a run in order, whoever computes the batches.

Threads or processes evaluate batches, and their results are consumed in the order of the deals. So
the number of threads changes nothing: `produce` stops at the same deal, an error counts only if its
deal comes no later than that one, and an interrupt keeps all deals before the first unfinished batch.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from dealerkit.actions import Action, ProducedDeals
from dealerkit.dealing.source import ALL_SEATS, Source
from dealerkit.doubledummy.ledger import Ledger, open_ledger
from dealerkit.machine import n_processors
from dealerkit.planning import Limits, Plan
from dealerkit.simulation.batches import (
    Batch,
    BatchResult,
    evaluate_batch,
    filter_columns,
    update_actions,
)
from dealerkit.simulation.remote import RemoteResult, submit

BATCH_DEALS = 65_536  # their hands fit the second-level cache of a processor
FIRST_BATCH_DEALS = 2_048  # a run that needs few deals should not deal many; the size doubles
MAX_THREADS = 16  # or two for each processor
SOLVER_BATCH_SECONDS = 1.0  # about how long a solver may work before progress is shown
MAX_REPLY_DEALS = 8_192  # dealt ahead on a stream that depends on the accepted deals


@dataclass(frozen=True)
class ProducedBatch:
    """The next produced deals of a run, in order.

    Attributes
    ----------
    generated : int
        Deals dealt so far, those of this batch included.
    produced : Produced
        The deals and the values of expressions.
    numbers : ndarray of int64 [n]
        Numbers of the produced deals in the run.
    actions : list of Action
        Updated copies of `unordered_actions`.
    ledger : Ledger or None
    """

    generated: int
    produced: ProducedDeals
    numbers: np.ndarray
    actions: list[Action]
    ledger: Ledger | None = None


def run_batches(
    plan: Plan,
    source: Source,
    seed: int,
    limits: Limits,
    *,
    threads: int,
    keep: int,
    executor: Executor | None = None,
) -> Generator[ProducedBatch]:
    """Yield the produced deals in order, batch by batch.

    Parameters
    ----------
    plan : Plan
    source : Source
    seed : int
        For `rnd`.
    limits : Limits
    threads : int >= 1
        More than are useful are not started.
    keep : int
        So many of the first produced deals need all four hands.
    executor : Executor, optional
        Used in place of threads of our own.

    Raises
    ------
    EvaluationError
        An expression has no value for a deal that the run needs.
    """
    if limits.produce == 0 or limits.generate == 0:
        return
    consumer = _Consumer(plan, limits, keep)
    if source.needs_feedback:
        yield from _run_with_replies(plan, source, seed, consumer)
    elif plan.solver_ns and not source.is_solved:
        yield from _run_solver_batches(plan, source, seed, consumer, _batch_ranges(limits))
    else:
        ranges = _batch_ranges(limits)
        yield from _run_parallel(plan, source, seed, consumer, ranges, threads, executor)


def _batch_ranges(limits: Limits) -> Iterator[tuple[int, int]]:
    """Yield first deal and number of deals of each batch; the sizes double."""
    first, count = 0, min(FIRST_BATCH_DEALS, BATCH_DEALS)
    while limits.generate is None or first < limits.generate:
        count = count if limits.generate is None else min(count, limits.generate - first)
        yield first, count
        first, count = first + count, min(2 * count, BATCH_DEALS)


class _Consumer:
    """Takes in the results of batches in order, and knows what has been produced."""

    def __init__(self, plan: Plan, limits: Limits, keep: int) -> None:
        self.plan, self.limits, self.keep = plan, limits, keep
        self.produced, self.generated, self.done = 0, 0, False

    @property
    def n_needed(self) -> int | None:
        """How many deals are still to be produced; None without a limit."""
        return None if self.limits.produce is None else self.limits.produce - self.produced

    def consume(self, result: BatchResult) -> ProducedBatch:
        """Take in the next result; raise its error where the run needs the deal that has it."""
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
        boards = self.produced + self.plan.program.start_board + np.arange(len(columns))
        columns.number_boards(boards)
        self.produced, self.generated = self.produced + len(columns), generated
        produced = ProducedDeals(columns.deals, boards, columns.array)
        return ProducedBatch(generated, produced, columns.numbers, actions, result.ledger)


def _run_parallel(
    plan: Plan,
    source: Source,
    seed: int,
    consumer: _Consumer,
    ranges: Iterator[tuple[int, int]],
    threads: int,
    executor: Executor | None,
) -> Generator[ProducedBatch]:
    """Evaluate batches in threads or on an executor, or here where one thread is enough."""
    if executor is None:  # each thread has two batches in memory, so thousands of threads would fill it
        threads = min(threads, max(MAX_THREADS, 2 * n_processors()))
    own_pool = ThreadPoolExecutor(threads) if executor is None and threads > 1 else None
    pool = executor or own_pool
    pending: deque[BatchResult | Future | RemoteResult] = deque()
    try:
        while True:
            while len(pending) < 2 * threads:
                batch_range = next(ranges, None)
                if batch_range is None:
                    break
                keep = consumer.produced < consumer.keep
                seats = _first_seats(plan, keep)
                batch = Batch(source.batch(*batch_range, seats), *batch_range, seats)
                arguments = (plan, source, seed, batch, consumer.n_needed, keep)
                if pool is None:
                    pending.append(evaluate_batch(*arguments))
                    break
                pending.append(submit(pool, evaluate_batch, arguments))
            if not pending:
                return
            head = pending.popleft()
            yield consumer.consume(head if isinstance(head, BatchResult) else head.result())
            if consumer.done:
                return
    finally:
        for result in pending:
            if not isinstance(result, BatchResult):
                result.cancel()
        if own_pool is not None:
            own_pool.shutdown(wait=True)


def _first_seats(plan: Plan, keep: bool) -> int:
    """Return the bit set of the seats that are dealt before any clause is evaluated."""
    if plan.n_staged:
        return plan.graph.find_seats(plan.clauses[: plan.n_staged])
    if plan.clauses:
        return plan.clause_seats
    return ALL_SEATS if keep else plan.action_seats


def _run_with_replies(plan: Plan, source: Source, seed: int, consumer: _Consumer) -> Generator[ProducedBatch]:
    """Run on a stream that depends on each accepted deal: deal ahead, and use the first accepted deal."""
    first, limit = 0, consumer.limits.generate
    n_cheap = len(plan.clauses) - plan.n_solver_clauses
    while not consumer.done and (limit is None or first < limit):
        count = min(max(32, 2 * (first + 1) // (consumer.produced + 1)), MAX_REPLY_DEALS)
        count = count if limit is None else min(count, limit - first)
        batch = Batch(source.batch(first, count, ALL_SEATS), first, count, ALL_SEATS)
        with open_ledger() as ledger:
            dealt = batch.columns(plan, seed)
            columns, error = filter_columns(dealt, plan.clauses[:n_cheap], count)
            if plan.n_solver_clauses:  # deal by deal, because only the first accepted deal counts
                for row in range(len(columns)):
                    accepted, solver_error = filter_columns(
                        columns.take(np.array([row])), plan.clauses[n_cheap:], count
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
        source.mark_accepted(accepted_row)
        n_dealt = count if accepted_row is None else accepted_row + 1
        error = batch.locate(dealt, action_error or error)
        produced = consumer.consume(BatchResult(first, n_dealt, columns, actions, error, ledger))
        first = produced.generated
        yield produced


def _run_solver_batches(
    plan: Plan, source: Source, seed: int, consumer: _Consumer, ranges: Iterator[tuple[int, int]]
) -> Generator[ProducedBatch]:
    """Run a script that needs the solver: small batches, and none beyond those that are needed.

    The solver keeps all processors busy by itself.
    """
    n_cheap = len(plan.clauses) - plan.n_solver_clauses
    max_solved = max(8, int(SOLVER_BATCH_SECONDS * 1e9 / plan.solver_ns))
    for first, count in ranges:
        batch = Batch(source.batch(first, count, ALL_SEATS), first, count, ALL_SEATS)
        dealt = batch.columns(plan, seed)
        columns, error = filter_columns(dealt, plan.clauses[:n_cheap], len(dealt))
        row, is_last = 0, False
        while not is_last and not consumer.done:
            n_needed = consumer.n_needed
            size = max_solved if plan.n_solver_clauses or n_needed is None else min(max_solved, n_needed)
            part = columns.take(np.arange(row, min(row + size, len(columns))))
            row += len(part)
            is_last = row == len(columns)
            with open_ledger() as ledger:
                accepted, solver_error = filter_columns(part, plan.clauses[n_cheap:], len(dealt))
                accepted, actions, action_error = update_actions(plan, accepted, len(dealt))
            end = count if is_last else int(part.numbers[-1]) + 1 - first
            first_error = batch.locate(dealt, action_error or solver_error or (error if is_last else None))
            yield consumer.consume(BatchResult(first, end, accepted, actions, first_error, ledger))
        if consumer.done:
            return
