"""The tasks of a run on the workers of an executor: their sizes, how many are under way, their order.

A task takes about two seconds, by the cost measured on the tasks before it. Results are used in the order of
the deals, so a run ends at the same deal as on one machine. With a number of deals to produce, tasks are
submitted as long as those under way are expected to produce too few; the result of one that produces too many
is cut after the last deal needed, or the task is repeated up to it.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

from dealerkit.errors import EvaluationError
from dealerkit.planning import Limits
from dealerkit.simulation.batches import count_parts, find_batch, split_batches
from dealerkit.simulation.tasks import RunContext, Task, TaskResult, cut_task_result, deal_batches, run_task
from dealerkit.system.executors import TASK_SECONDS, Pending, Workers

LEAST_SHARE = 0.2  # of the usual size, of the tasks at the end of a run
MANY_TASKS = 100  # at once; with more, tasks take longer
GROWTH = 4  # of a task to the largest one measured before it
FIRST_SHARE = 0.05  # assumed share of the deals that meet the clauses before the solver's


def choose_seconds(n_tasks: int) -> float:
    """Return how long a task takes where so many run at once: one process sends and receives them all.

    >>> choose_seconds(2), choose_seconds(1000)
    (2.0, 20.0)
    """
    return TASK_SECONDS * max(1.0, n_tasks / MANY_TASKS)


class TaskSizes:
    """The size of the next task, from the cost of those before.

    Parameters
    ----------
    deal_seconds : float
        First guess of the cost of a deal.
    task_seconds : float
        Of a task.
    """

    def __init__(self, deal_seconds: float, task_seconds: float = TASK_SECONDS) -> None:
        self.deal_seconds, self.task_seconds, self._largest = deal_seconds, task_seconds, 0

    def add(self, n_deals: int, seconds: float) -> None:
        """Add a measured task; its cost counts more, the longer it took."""
        if n_deals:
            weight = min(seconds / self.task_seconds, 0.5) if self._largest else 1.0
            weight = max(weight, 0.1)
            self.deal_seconds += weight * (seconds / n_deals - self.deal_seconds)
            self._largest = max(self._largest, n_deals)

    def choose(self, missing: float = math.inf) -> float:
        """Return the number of deals of the next task.

        `missing` is the number of deals that are missing for each task at once. Tasks become smaller at the
        end, so that all workers end at about the same time.
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
        The first deal, where a batch begins or a part of a batch that is solved.
    """

    def __init__(self, workers: Workers, context: RunContext, limits: Limits, start: int = 0) -> None:
        self._workers, self._context, self._limits, self._start = workers, context, limits, start
        plan = context.plan
        self._shared = workers.share(context)
        share = FIRST_SHARE if plan.cheap_clauses else 1.0
        self._sizes = TaskSizes(share * plan.solver_ns * 1e-9 if context.is_solving else 1e-7)
        self._n_dealt = self._n_produced = 0
        self._pending: deque[tuple[Task, Pending]] = deque()
        self._under_way = 0.0  # deals of the pending tasks
        self._n_tasks = workers.n_tasks

    def run(
        self, find_n_needed: Callable[[], int | None], find_n_returned: Callable[[], int]
    ) -> Generator[TaskResult]:
        """Yield the results in order; all are used before the next, so that the numbers needed are known."""
        tasks = self._plan_tasks(find_n_needed, find_n_returned)
        try:
            while True:
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
        except EvaluationError:  # of the frame; perhaps after the last deal needed
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
        """Yield the tasks; each is planned when the next one is to be submitted."""
        first, limits = find_batch(self._start), self._limits
        while limits.generate is None or first < limits.generate:
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
