"""Batches: deals that are dealt, evaluated and accumulated together, in a thread or another process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from dealerkit.actions import Action, ProducedDeals
from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns, apply_clauses, evaluate_until_error
from dealerkit.dealing.source import TABLES, NumberedDeals, Source
from dealerkit.doubledummy.ledger import Ledger, open_ledger
from dealerkit.errors import EvaluationError
from dealerkit.planning import Plan


@dataclass(eq=False, repr=False)
class BatchResult:
    """What was computed of one batch.

    Attributes
    ----------
    first, count : int
        Number of the first deal in the run, and how many deals the batch has.
    columns : BatchColumns
        The deals that passed all clauses, at most as many as the run still needs.
    actions : list of (Action or None)
        For each action of the plan a copy updated with these deals; None for ordered actions.
    error : EvaluationError or None
        The first error; its deal comes after all deals of `columns`.
    ledger : Ledger or None
        Counts of the double-dummy results that were looked up or solved.
    """

    first: int
    count: int
    columns: BatchColumns
    actions: list[Action | None]
    error: EvaluationError | None = None
    ledger: Ledger | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Batch:
    """The deals `first` to `first + count - 1` of a run; `seats` is the bit set of seats dealt at first."""

    deal: Callable[[], Deals | NumberedDeals]
    first: int
    count: int
    seats: int

    def columns(self, plan: Plan, seed: int) -> BatchColumns:
        """Deal the batch; return its deals, or of a conditional source the candidates."""
        deals = self.deal()
        if isinstance(deals, NumberedDeals):
            return BatchColumns(plan.graph, deals.deals, seed, deals.numbers)
        return BatchColumns(plan.graph, deals, seed, self.first + np.arange(self.count))

    def locate(self, columns: BatchColumns, error: EvaluationError | None) -> EvaluationError | None:
        """Return the error with its row counted in the batch instead of in the dealt columns."""
        if error is not None:
            error.row = int(columns.numbers[error.row]) - self.first
        return error


def _is_ordered(plan: Plan, action: Action) -> bool:
    """Return whether an action needs the produced deals in order; batches update copies of the others."""
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

    Rows and copies end before the first deal for which an action has no value; then the error is returned.
    """

    def update(count: int) -> tuple[BatchColumns, list[Action | None]]:
        rows = _up_to(columns, count)
        actions = [None if _is_ordered(plan, action) else action.copy_empty() for action in plan.actions]
        for action, updated in zip(plan.actions, actions, strict=True):
            if updated is not None:
                updated.update(ProducedDeals(rows.deals, np.empty(len(rows), np.int64), rows.array))
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
        Deals the remaining hands of the deals that passed.
    seed : int
        For `rnd`.
    batch : Batch
    n_needed : int or None
        Maximum number of deals to produce; None is no limit.
    keep : bool
        Produced deals need all four hands, not only those that the actions use.
    """
    with open_ledger() as ledger:
        dealt = columns = batch.columns(plan, seed)
        seats = batch.seats
        if plan.n_staged:  # these clauses always have a value
            columns = apply_clauses(columns, list(plan.clauses[: plan.n_staged]))
            seats = _complete(columns, source, seats, plan.clause_seats)
        columns, error = filter_columns(columns, plan.cheap_clauses[plan.n_staged :], len(dealt))
        if plan.n_solver_clauses:
            seats = _complete(columns, source, seats, plan.clause_seats | TABLES)
            columns, solver_error = filter_columns(columns, plan.solver_clauses, len(dealt))
            error = solver_error or error
        if n_needed is not None and len(columns) > n_needed:
            columns, error = columns.take(np.arange(n_needed)), None
        _complete(columns, source, seats, source.everything if keep else find_action_seats(plan, source))
        columns, actions, action_error = update_actions(plan, columns, len(dealt))
    error = batch.locate(dealt, action_error or error)
    return BatchResult(batch.first, batch.count, columns, actions, error, ledger)


def find_action_seats(plan: Plan, source: Source) -> int:
    """Return the bit set of the seats that actions depend on, and `TABLES` where they use tricks."""
    return plan.action_seats | (source.everything & TABLES if plan.solver_ns else 0)


def _complete(columns: BatchColumns, source: Source, seats: int, needed: int) -> int:
    """Add what is needed to deals that have `seats`; return the bit set of what they have then."""
    if needed & source.everything & ~seats and len(columns):
        seats = (seats | needed) & source.everything
        columns.set_deals(source.complete(columns.deals, columns.numbers, seats))
    return seats
