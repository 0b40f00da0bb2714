"""Batches: deals that are dealt, evaluated and accumulated together, in a thread or in another process.

Which deals form a batch depends only on their numbers, and which of them are solved together depends on the
script. So rounded sums are the same whoever computes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dealerkit.actions import Action, ProducedDeals
from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns, apply_clauses, evaluate_until_error
from dealerkit.dealing.source import TABLES, NumberedDeals, Source
from dealerkit.doubledummy.ledger import Ledger, open_ledger
from dealerkit.errors import EvaluationError
from dealerkit.planning import Limits, Plan

BATCH_DEALS = 65_536  # their hands fit the second-level cache of a processor
FIRST_BATCH_DEALS = 2_048  # a run that needs few deals should not deal many; the size doubles from here
PART_SECONDS = 1.0  # longest time of solving before progress is shown, roughly


@dataclass(eq=False, repr=False)
class BatchResult:
    """The results of one batch.

    Attributes
    ----------
    first, count : int
        Number of the batch's first deal in the run, and the number of its deals.
    columns : BatchColumns
        The deals that passed all clauses, at most as many as the run still needs.
    actions : list of (Action or None)
        For each action of the plan, a copy updated with these deals; None for ordered actions.
    error : EvaluationError or None
        The first error; its deal comes after all deals of `columns`.
    ledger : Ledger or None
        Counts of the double-dummy results that were looked up or solved.
    start : int or None
        Number of the first deal of this part, if the batch is solved in parts; None: `first`.
    """

    first: int
    count: int
    columns: BatchColumns
    actions: list[Action | None]
    error: EvaluationError | None = None
    ledger: Ledger | None = None
    start: int | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Batch:
    """Deals `first` to `first + count - 1` of a run; `seats` is the bit set of seats that are dealt first."""

    deal: Callable[[], Deals | NumberedDeals]
    first: int
    count: int
    seats: int

    def columns(self, plan: Plan, seed: int) -> BatchColumns:
        """Deal the batch and return its deals; for a conditional source, the candidates."""
        deals = self.deal()
        if isinstance(deals, NumberedDeals):
            return BatchColumns(plan.graph, deals.deals, seed, deals.numbers)
        return BatchColumns(plan.graph, deals, seed, self.first + np.arange(self.count))

    def locate(self, columns: BatchColumns, error: EvaluationError | None) -> EvaluationError | None:
        """Return the error with its row counted in the batch instead of in the dealt columns."""
        if error is not None:
            error.row = int(columns.numbers[error.row]) - self.first
        return error


def split_batches(limits: Limits, first: int = 0) -> Iterator[tuple[int, int]]:
    """Yield the first deal and the number of deals of each batch, from the batch that begins at `first`.

    The sizes double.

    >>> list(split_batches(Limits(10_000, None)))
    [(0, 2048), (2048, 4096), (6144, 3856)]
    """
    while limits.generate is None or first < limits.generate:
        count = min(FIRST_BATCH_DEALS + first, BATCH_DEALS)
        count = count if limits.generate is None else min(count, limits.generate - first)
        yield first, count
        first += count


def find_batch(number: int) -> int:
    """Return the number of the first deal in the batch that contains a deal.

    >>> [find_batch(number) for number in (0, 2047, 2048, 6145, 300_000)]
    [0, 0, 2048, 6144, 260096]
    """
    first = 0
    for first, count in split_batches(Limits(None, None)):
        if number < first + count or count == BATCH_DEALS:
            break
    return number - (number - first) % count if count == BATCH_DEALS else first  # all later ones are as large


def is_ordered(plan: Plan, action: Action) -> bool:
    """Return whether an action needs the produced deals in order; others can be updated by copies."""
    return action.prints or action.name == "print" or plan.graph.has_kind(action.slots, "board")


def _up_to(columns: BatchColumns, count: int) -> BatchColumns:
    """Return the rows among the first `count` deals of the batch."""
    rows = np.arange(len(columns)) if columns.rows is None else columns.rows
    return columns if count > rows.max(initial=-1) else columns.take(np.flatnonzero(rows < count))


def filter_columns(
    columns: BatchColumns, clauses: Sequence[int], count: int
) -> tuple[BatchColumns, EvaluationError | None]:
    """Return the rows that satisfy the clauses, up to the first deal for which a clause has no value."""
    return evaluate_until_error(lambda count: apply_clauses(_up_to(columns, count), list(clauses)), count)


def update_actions(
    plan: Plan, columns: BatchColumns, count: int
) -> tuple[BatchColumns, list[Action | None], EvaluationError | None]:
    """Return the rows among the first `count` deals of the batch, and actions updated with them.

    Rows and copies end before the first deal for which an action has no value; the error is then returned
    too.
    """

    def update(count: int) -> tuple[BatchColumns, list[Action | None]]:
        rows = _up_to(columns, count)
        actions = [None if is_ordered(plan, action) else action.copy_empty() for action in plan.actions]
        for action, updated in zip(plan.actions, actions, strict=True):
            if updated is not None:
                updated.update(
                    ProducedDeals(rows.deals, np.empty(len(rows), np.int64), rows.array, rows.rows)
                )
                continue
            for slot in action.slots:  # evaluated here, so that an error is one of this batch
                if rows.boards is not None or not plan.graph.has_kind([slot], "board"):
                    rows.array(slot)
        return rows, actions

    (rows, actions), error = evaluate_until_error(update, count)
    return rows, actions, error


def evaluate_batch(
    plan: Plan, source: Source, seed: int, batch: Batch, n_needed: int | None, keep: bool
) -> BatchResult:
    """Deal a batch, evaluate the clauses, and update copies of the actions.

    Parameters
    ----------
    plan : Plan
    source : Source
        Source that deals the remaining hands of the deals that passed.
    seed : int
        Seed for `rnd`.
    batch : Batch
    n_needed : int or None
        Largest number of deals to produce; None: no limit.
    keep : bool
        Whether produced deals need all four hands, not only those that the actions use.
    """
    with open_ledger() as ledger:
        # Clauses about the seats that are dealt first and that always have a value, then the cheap ones
        dealt = columns = batch.columns(plan, seed)
        seats = batch.seats
        if plan.n_staged:
            columns = apply_clauses(columns, list(plan.clauses[: plan.n_staged]))
            seats = _complete(columns, source, seats, plan.clause_seats)
        columns, error = filter_columns(columns, plan.cheap_clauses[plan.n_staged :], len(dealt))
        # Clauses that need the solver
        if plan.n_solver_clauses:
            seats = _complete(columns, source, seats, plan.clause_seats | TABLES)
            columns, solver_error = filter_columns(columns, plan.solver_clauses, len(dealt))
            error = solver_error or error
        # The deals that are needed, with the seats that the actions use
        if n_needed is not None and len(columns) > n_needed:
            columns, error = columns.take(np.arange(n_needed)), None
        _complete(columns, source, seats, source.everything if keep else find_action_seats(plan, source))
        columns, actions, action_error = update_actions(plan, columns, len(dealt))
    error = batch.locate(dealt, action_error or error)
    return BatchResult(batch.first, batch.count, columns, actions, error, ledger)


def count_part_deals(plan: Plan) -> int:
    """Return the number of deals to solve together: few enough that progress is shown."""
    return max(8, int(PART_SECONDS * 1e9 / plan.solver_ns))


def count_parts(plan: Plan, seed: int, batch: Batch) -> int:
    """Return the number of parts in which the deals of a batch are solved."""
    dealt = batch.columns(plan, seed)
    columns, _ = filter_columns(dealt, plan.cheap_clauses, len(dealt))
    return max(1, -(-len(columns) // count_part_deals(plan)))


def evaluate_parts(
    plan: Plan,
    seed: int,
    batch: Batch,
    piece: int = 0,
    n_pieces: int = 1,
    find_n_needed: Callable[[], int | None] = lambda: None,
    start: int = 0,
) -> Iterator[BatchResult]:
    """Deal a batch and solve its deals in parts; `piece` of `n_pieces` selects a share of the parts.

    `find_n_needed` returns how many deals are still to be produced; no more are solved if all of them will be
    produced. Parts that end before the deal `start` of the run are left out.
    """
    # The deals to solve, in parts of equal size
    dealt = batch.columns(plan, seed)
    columns, error = filter_columns(dealt, plan.cheap_clauses, len(dealt))
    numbers, size = columns.numbers, count_part_deals(plan)
    n_parts = max(1, -(-len(columns) // size))
    for part in range(piece * n_parts // n_pieces, (piece + 1) * n_parts // n_pieces):
        # The rows of the part, without those that a checkpoint has and those beyond the last needed
        row, is_last, n_needed = part * size, part == n_parts - 1, find_n_needed()
        stop = min(row + size, len(columns))
        if stop < len(columns) and int(numbers[stop - 1]) < start:
            continue
        if n_needed is not None and not plan.n_solver_clauses and n_needed < stop - row:
            stop, is_last = row + n_needed, False
        chosen = columns.take(np.arange(row, stop))
        with open_ledger() as ledger:
            accepted, solver_error = filter_columns(chosen, plan.solver_clauses, len(dealt))
            accepted, actions, action_error = update_actions(plan, accepted, len(dealt))
        # It ends where the next part begins, so that the deals between them are counted once
        end = batch.count if is_last else int(numbers[stop - 1]) + 1 - batch.first
        part_start = int(numbers[row - 1]) + 1 if row else batch.first
        failure = batch.locate(dealt, action_error or solver_error or (error if is_last else None))
        yield BatchResult(batch.first, end, accepted, actions, failure, ledger, part_start)


def cut_result(plan: Plan, result: BatchResult, n_needed: int) -> BatchResult:
    """Return the result cut after the last deal needed."""
    columns = result.columns
    if len(columns) == n_needed:
        return result
    columns, actions, _ = update_actions(plan, columns.take(np.arange(n_needed)), result.count)
    return replace(result, columns=columns, actions=actions)


def find_first_seats(plan: Plan, source: Source, keep: bool) -> int:
    """Return the bit set of the seats (and `TABLES`) that are dealt before any clause is evaluated."""
    if plan.n_staged:
        return plan.graph.find_seats(plan.clauses[: plan.n_staged])
    has_tables = source.everything & TABLES
    if has_tables and plan.cheap_clauses:
        return plan.graph.find_seats(plan.cheap_clauses)
    if plan.clauses:
        return plan.clause_seats | has_tables
    return source.everything if keep else find_action_seats(plan, source)


def find_action_seats(plan: Plan, source: Source) -> int:
    """Return the bit set of the seats that actions depend on, and `TABLES` if they use tricks."""
    return plan.action_seats | (source.everything & TABLES if plan.solver_ns else 0)


def _complete(columns: BatchColumns, source: Source, seats: int, needed: int) -> int:
    """Add what is needed to deals that have `seats`; return the bit set of what they have afterwards."""
    if needed & source.everything & ~seats and len(columns):
        seats = (seats | needed) & source.everything
        columns.set_deals(source.complete(columns.deals, columns.numbers, seats))
    return seats
