"""Runs on dask workers of this machine, compared with one thread here.

    python tests/benchmarks/executors.py [--quick]

The first table has seconds, the speed compared with one thread, and CPU seconds of this process (with the scheduler)
and of the workers. The second has the costs of a task besides its work.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from common import Row, main  # noqa: E402

import dealerkit as dk  # noqa: E402
from dealerkit.dealing.uniform import UniformSource
from dealerkit.doubledummy.library import set_threads  # noqa: E402
from dealerkit.runtime.executors import open_workers  # noqa: E402
from dealerkit.simulation.tasks import RunContext, Task, TaskResult, run_task  # noqa: E402

TABLES = {
    "executors": ("work", "where", "elapsed, s", "speed", "CPU here, s", "CPU of workers, s"),
    "tasks": ("cost of a task besides its work", "milliseconds"),
}
DEALING = 'condition hcp(north) >= 15 and hcp(south) < 7 action average "points" hcp(east), frequency (hcp(west), 0, 37)'
SOLVING = 'condition hcp(north) + hcp(south) >= 25 action average "tricks" dds(north, notrumps)'


def take_number(value: int, number: int) -> int:
    """Do nothing."""
    return value + number


@contextlib.contextmanager
def start_workers(n_workers: int) -> Iterator[Any]:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        yield client


def measure_runs(work: str, script: str, small: dict[str, Any], large: dict[str, Any]) -> Iterator[Row]:
    """Yield the costs of a run here and on workers; `small` are the limits of a run that loads everything."""

    def measure_run(where: str, client: Any, one: float | None) -> Row:
        options = {"threads": 1} if client is None else {"executor": client}
        dk.run(script, seed=1, **small, **options)
        before = sum(client.run(time.process_time).values()) if client is not None else 0.0
        start, cpu = time.perf_counter(), time.process_time()
        dk.run(script, seed=2, **large, **options)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        used = sum(client.run(time.process_time).values()) - before if client is not None else ""
        return "executors", (work, where, seconds, (one or seconds) / seconds, cpu, used)

    here = measure_run("one thread here", None, None)
    yield here
    for n_workers, where in enumerate(("one worker", "two workers"), 1):
        with start_workers(n_workers) as client:
            yield measure_run(where, client, float(here[1][2]))


def measure_sending(count: int = 1_000) -> float:
    """Return the seconds for sending a task and its result, where enough tasks wait to hide the latency."""
    with start_workers(1) as client, open_workers(client) as workers:
        shared = workers.share(1)
        workers.n_ahead = 12
        for n in (100, count):
            start = time.perf_counter()
            results = [result for _, result in workers.map(shared, take_number, ((i,) for i in range(n)))]
            seconds = (time.perf_counter() - start) / n
        assert results[-1] == count
    return seconds


def measure_merging(count: int = 10_000) -> float:
    """Return the seconds to merge the results of tasks, as a run merges them."""
    script = DEALING + ', frequency "both" (hcp(east), 0, 37, hcp(south), 0, 37)'
    result = dk.run(script, generate=10_000, seed=1)
    plan = result.plan
    context = RunContext(plan, UniformSource(1), 1, is_solving=False)
    results: list[TaskResult] = [run_task(context, Task(0, 2_048)) for _ in range(100)] * (count // 100)
    start = time.perf_counter()
    actions = [action.copy_empty() for action in plan.actions]
    for merged in results:
        for part in merged.accumulated:
            for action, other in zip(actions, part.restore(plan.actions), strict=True):
                action.merge(other)
    seconds = time.perf_counter() - start
    n = sum(merged.n_produced for merged in results)
    assert actions[0].report(0.95).n == n
    return seconds / count


def measure(quick: bool) -> Iterator[Row]:
    """Yield the rows of both tables."""
    set_threads(1)
    n_dealt, n_solved = (40_000_000, 60) if quick else (600_000_000, 900)
    yield from measure_runs(f"{n_dealt:,} deals", DEALING, {"generate": 4_000_000}, {"generate": n_dealt})
    yield from measure_runs(f"{n_solved:,} deals solved", SOLVING, {"produce": 20}, {"produce": n_solved})
    yield "tasks", ("sending it and its result, all processes together", 1e3 * measure_sending())
    yield "tasks", ("merging its result, an average and two frequencies", 1e3 * measure_merging())


if __name__ == "__main__":
    main(TABLES, measure, __doc__)
