"""The block loop: deal a stretch, ask, tally; take the results in order.

Stretches are worked on by threads and consumed in the order of the deals, so the
number of threads changes nothing: `produce` stops at the same deal, an error
counts only if its deal comes no later than that one, and an interrupt keeps all
that was done up to the first stretch that was not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from dealerkit.actions import Action, Produced
from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns, apply_clauses, evaluate_until_error
from dealerkit.dealing.source import ALL_SEATS, NumberedDeals, Source
from dealerkit.doubledummy.ledger import Ledger, open_ledger
from dealerkit.errors import EvaluationError
from dealerkit.machine import n_processors
from dealerkit.planning import Limits, Plan
from dealerkit.simulation.workers import Packed, submit

STRETCH = 65_536  # deals worked on at once: their hands fit the second cache of a processor
MOST_THREADS = 16  # or two for each processor
BATCH_SECONDS = 1.0  # so long a solver may work before progress is shown, roughly
FIRST_STRETCH = 2_048  # a run that wants few deals should not deal many; stretches double


@dataclass
class Outcome:
    """What became of one stretch of deals.

    `columns` holds the survivors, no more than were wanted; `tallies` has seen them.
    `error` is the first that occurred, in a deal after all of these survivors. `ledger`
    says where double-dummy answers came from, if any were asked.
    """

    first: int
    count: int
    columns: BatchColumns
    tallies: list[Action]
    error: EvaluationError | None = None
    ledger: Ledger | None = None


@dataclass(frozen=True)
class Chunk:
    """Consumed deals: the next produced ones, and how many deals have been dealt so far."""

    generated: int
    produced: Produced
    numbers: np.ndarray
    tallies: list[Action]
    ledger: Ledger | None = None


def tallied(plan: Plan) -> list[Action]:
    """Actions that do not look at the numbers of the produced deals: workers may run them."""
    return [action for action in plan.actions if not _ordered(plan, action)]


def ordered(plan: Plan) -> list[Action]:
    """The other actions, which see the produced deals in order."""
    return [action for action in plan.actions if _ordered(plan, action)]


def _ordered(plan: Plan, action: Action) -> bool:
    return action.prints or action.name == "print" or plan.graph.has_kind(action.slots, "board")


def _up_to(columns: BatchColumns, count: int) -> BatchColumns:
    """The rows among the first `count` deals of the stretch."""
    rows = np.arange(len(columns)) if columns.rows is None else columns.rows
    return columns if count > rows.max(initial=-1) else columns.take(np.flatnonzero(rows < count))


def _ask(
    columns: BatchColumns, clauses: Sequence[int], count: int
) -> tuple[BatchColumns, EvaluationError | None]:
    """The rows that meet the clauses, up to the first deal of the stretch for which one has no value."""
    return evaluate_until_error(lambda count: apply_clauses(_up_to(columns, count), list(clauses)), count)


def _tally(
    plan: Plan, columns: BatchColumns, count: int
) -> tuple[BatchColumns, list[Action], EvaluationError | None]:
    """Show the survivors among the first `count` deals of the stretch to fresh copies of the actions."""

    def tally(count: int) -> tuple[BatchColumns, list[Action]]:
        some = _up_to(columns, count)
        tallies = [action.fresh() for action in tallied(plan)]
        for action in tallies:
            action.update(Produced(some.deals, np.empty(len(some), np.int64), some.array))
        return some, tallies

    (some, tallies), error = evaluate_until_error(tally, count)
    return some, tallies, error


@dataclass(frozen=True)
class Stretch:
    """Deals worked on together: `count` of the run's from `first` on, and whose hands are dealt at first."""

    deal: Callable[[], Deals | NumberedDeals]
    first: int
    count: int
    seats: int

    def columns(self, plan: Plan, seed: int) -> BatchColumns:
        """Deal them."""
        dealt = self.deal()
        if isinstance(dealt, NumberedDeals):
            return BatchColumns(plan.graph, dealt.deals, seed, dealt.numbers)
        return BatchColumns(plan.graph, dealt, seed, self.first + np.arange(self.count))

    def placed(self, columns: BatchColumns, error: EvaluationError | None) -> EvaluationError | None:
        """The error, with the place of its deal in the stretch instead of its row among the dealt ones."""
        if error is not None:
            error.row = int(columns.numbers[error.row]) - self.first
        return error


def work(plan: Plan, source: Source, seed: int, stretch: Stretch, wanted: int | None, keep: bool) -> Outcome:
    """Deal a stretch, find the survivors (at most `wanted`), tally them."""
    with open_ledger() as ledger:
        outcome = _work(plan, source, seed, stretch, wanted, keep)
    outcome.ledger = ledger
    return outcome


def _work(plan: Plan, source: Source, seed: int, stretch: Stretch, wanted: int | None, keep: bool) -> Outcome:
    dealt = columns = stretch.columns(plan, seed)
    seats = stretch.seats
    if plan.first:  # these clauses always have a value
        columns = apply_clauses(columns, list(plan.clauses[: plan.first]))
        if len(columns):
            seats |= plan.asked_seats
            columns.set_deals(source.complete(columns.deals, columns.numbers, seats))
    columns, error = _ask(columns, plan.clauses[plan.first :], len(dealt))
    if wanted is not None and len(columns) > wanted:
        columns, error = columns.take(np.arange(wanted)), None
    needed = ALL_SEATS if keep else plan.wanted_seats | seats
    if needed & ~seats and len(columns):
        columns.set_deals(source.complete(columns.deals, columns.numbers, needed))
    columns, tallies, later = _tally(plan, columns, len(dealt))
    return Outcome(stretch.first, stretch.count, columns, tallies, stretch.placed(dealt, later or error))


def _stretches(limits: Limits, size: int) -> Iterator[tuple[int, int]]:
    first, count = 0, min(FIRST_STRETCH, size)
    while limits.generate is None or first < limits.generate:
        count = count if limits.generate is None else min(count, limits.generate - first)
        yield first, count
        first, count = first + count, min(2 * count, size)


def chunks(
    plan: Plan,
    source: Source,
    seed: int,
    limits: Limits,
    *,
    threads: int,
    keep: int,
    executor: Executor | None = None,
    stretch: int = STRETCH,
) -> Iterator[Chunk]:
    """Run the plan; the produced deals come in order, stretch by stretch.

    Parameters
    ----------
    seed : int
        For `rnd`.
    threads : int >= 1
        More than can be of use are not started.
    keep : int
        So many of the first produced deals are wanted with all four hands.
    executor : Executor, optional
        Used in place of threads of our own.

    Raises
    ------
    EvaluationError
        An expression without a value, in a deal that the run needs.
    """
    if limits.produce == 0 or limits.generate == 0:
        return
    asked = plan.asked_seats if plan.clauses else 0
    state = _State(plan, limits, keep)
    if source.needs_feedback:
        yield from _replied(plan, source, seed, state)
        return
    if plan.solving and not source.is_solved:
        yield from _solved(plan, source, seed, state, _stretches(limits, stretch))
        return
    if executor is None:  # each thread has two stretches in hand: thousands of threads would fill the memory
        threads = min(threads, max(MOST_THREADS, 2 * n_processors()))
    own = ThreadPoolExecutor(threads) if executor is None and threads > 1 else None
    pool = executor or own
    waiting: deque[Outcome | Future | Packed] = deque()
    todo = _stretches(limits, stretch)
    try:
        while True:
            while len(waiting) < 2 * threads:
                place = next(todo, None)
                if place is None:
                    break
                keeping = state.produced < keep
                if plan.first:
                    seats = plan.graph.find_seats(plan.clauses[: plan.first])
                else:
                    seats = asked if plan.clauses else (ALL_SEATS if keeping else plan.wanted_seats)
                one = Stretch(source.batch(*place, seats), *place, seats)
                arguments = (plan, source, seed, one, state.wanted, keeping)
                waiting.append(submit(pool, work, arguments) if pool else work(*arguments))
                if pool is None:
                    break
            if not waiting:
                return
            head = waiting.popleft()
            yield state.consume(head if isinstance(head, Outcome) else head.result())
            if state.done:
                return
    finally:
        for left in waiting:
            if not isinstance(left, Outcome):
                left.cancel()
        if own is not None:
            own.shutdown(wait=True)


class _State:
    """What has been produced so far, and the order in which outcomes are taken in."""

    def __init__(self, plan: Plan, limits: Limits, keep: int) -> None:
        self.plan, self.limits, self.keep = plan, limits, keep
        self.produced, self.generated, self.done = 0, 0, False

    @property
    def wanted(self) -> int | None:
        return None if self.limits.produce is None else self.limits.produce - self.produced

    def consume(self, outcome: Outcome) -> Chunk:
        columns, tallies, wanted = outcome.columns, outcome.tallies, self.wanted
        generated = outcome.first + outcome.count
        if wanted is not None and len(columns) >= wanted:
            if len(columns) > wanted:
                columns, tallies, _ = _tally(self.plan, columns.take(np.arange(wanted)), outcome.count)
            last = int(columns.numbers[-1])
            generated, self.done = last + 1, True
        elif outcome.error is not None:
            number = outcome.first + outcome.error.row + 1
            raise type(outcome.error)(
                f"{outcome.error.message} (deal {number:,} of the run)", outcome.error.row
            )
        boards = self.produced + self.plan.program.start_board + np.arange(len(columns))
        columns.number_boards(boards)
        self.produced, self.generated = self.produced + len(columns), generated
        produced = Produced(columns.deals, boards, columns.array)
        return Chunk(generated, produced, columns.numbers, tallies, outcome.ledger)


def _replied(plan: Plan, source: Source, seed: int, state: _State) -> Iterator[Chunk]:
    """The loop for a stream that must be told of each accepted deal: dealt ahead, asked together."""
    first, limit = 0, state.limits.generate
    cut = len(plan.clauses) - plan.dear
    while not state.done and (limit is None or first < limit):
        ahead = min(max(32, 2 * (first + 1) // (state.produced + 1)), 8192)
        ahead = ahead if limit is None else min(ahead, limit - first)
        stretch = Stretch(source.batch(first, ahead, ALL_SEATS), first, ahead, ALL_SEATS)
        with open_ledger() as ledger:
            dealt = stretch.columns(plan, seed)
            columns, error = _ask(dealt, plan.clauses[:cut], ahead)
            if plan.dear:  # one by one: only the first that is accepted counts
                for row in range(len(columns)):
                    found, worse = _ask(columns.take(np.array([row])), plan.clauses[cut:], ahead)
                    if len(found) or worse is not None:
                        columns, error = found, worse or error
                        break
                else:
                    columns = columns.take(np.arange(0))
            if len(columns):
                columns, error = columns.take(np.arange(1)), None
            columns, tallies, later = _tally(plan, columns, ahead)
        accepted = int(columns.numbers[0]) - first if len(columns) else None
        source.mark_accepted(accepted)
        count = ahead if accepted is None else accepted + 1
        error = stretch.placed(dealt, later or error)
        chunk = state.consume(Outcome(first, count, columns, tallies, error, ledger))
        first = chunk.generated
        yield chunk


def _solved(
    plan: Plan, source: Source, seed: int, state: _State, stretches: Iterator[tuple[int, int]]
) -> Iterator[Chunk]:
    """The loop for scripts that ask a solver: few deals at a time, and none beyond those that are needed.

    The solver keeps all processors busy by itself.
    """
    cut = len(plan.clauses) - plan.dear
    most = max(8, int(BATCH_SECONDS * 1e9 / plan.solving))
    for first, count in stretches:
        stretch = Stretch(source.batch(first, count, ALL_SEATS), first, count, ALL_SEATS)
        dealt = stretch.columns(plan, seed)
        columns, error = _ask(dealt, plan.clauses[:cut], len(dealt))
        row, last = 0, False
        while not last and not state.done:
            size = most if plan.dear or state.wanted is None else min(most, state.wanted)
            batch = columns.take(np.arange(row, min(row + size, len(columns))))
            row += len(batch)
            last = row == len(columns)
            with open_ledger() as ledger:
                found, worse = _ask(batch, plan.clauses[cut:], len(dealt))
                found, tallies, later = _tally(plan, found, len(dealt))
            end = count if last else int(batch.numbers[-1]) + 1 - first
            wrong = stretch.placed(dealt, later or worse or (error if last else None))
            yield state.consume(Outcome(first, end, found, tallies, wrong, ledger))
        if state.done:
            return
