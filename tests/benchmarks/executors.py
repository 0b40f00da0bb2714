"""Speed of runs on dask workers of this machine, compared with one thread here.

    python tests/benchmarks/executors.py [--deals 200000000] [--solved 600] [--parts dealing solving tasks merging memory]

Prints a table: seconds, speed compared with one thread, CPU seconds of this process and of the workers. Without
idle processors compare the CPU seconds. `memory` deals 10^9 deals, for some minutes.
"""

from __future__ import annotations

import argparse
import contextlib
import resource
import time
from collections.abc import Iterator
from typing import Any

import dealerkit as dk
from dealerkit.doubledummy.library import set_threads
from dealerkit.executors import open_workers
from dealerkit.simulation.tasks import RunContext, Task, TaskResult, run_task

DEALING = 'condition hcp(north) >= 15 and hcp(south) < 7 action average "points" hcp(east), frequency (hcp(west), 0, 37)'
SOLVING = 'condition hcp(north) + hcp(south) >= 25 action average "tricks" dds(north, notrumps)'


def take_number(value: int, number: int) -> int:
    """Do nothing."""
    return value + number


def peak_megabytes() -> float:
    """Return the most memory that a process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@contextlib.contextmanager
def start_workers(n_workers: int) -> Iterator[Any]:
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=n_workers, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        yield client


def measure_runs(name: str, script: str, small: dict[str, Any], large: dict[str, Any]) -> None:
    """Print the cost of a run here and on workers; `small` are the limits of a run that loads everything."""

    def measure(where: str, client: Any, one: float | None) -> float:
        options = {"threads": 1} if client is None else {"executor": client}
        dk.run(script, seed=1, **small, **options)
        before = sum(client.run(time.process_time).values()) if client is not None else 0.0
        start, cpu = time.perf_counter(), time.process_time()
        result = dk.run(script, seed=2, **large, **options)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        workers = sum(client.run(time.process_time).values()) - before if client is not None else 0.0
        speed = "" if one is None else f"{one / seconds:.2f}"
        print(
            f"{name:8} {where:10} {seconds:8.2f} s {speed:>6} {cpu:8.2f} s {workers:8.2f} s "
            f"{result.produced:>12,} produced",
            flush=True,
        )
        return seconds

    one = measure("1 thread", None, None)
    for n_workers in (1, 2):
        with start_workers(n_workers) as client:
            measure(f"{n_workers} worker{'s'[: n_workers - 1]}", client, one)


def measure_tasks(count: int = 1_000) -> None:
    """Print the seconds that a task costs besides its work, where enough tasks wait to hide the latency."""
    with start_workers(1) as client, open_workers(client) as workers:
        shared = workers.share(1)
        workers.n_ahead = 12
        for n in (100, count):
            start = time.perf_counter()
            results = [result for _, result in workers.map(shared, take_number, ((i,) for i in range(n)))]
            seconds = (time.perf_counter() - start) / n
        assert results[-1] == count
    print(f"tasks    {1e3 * seconds:.2f} ms for sending a task and its result")


def measure_merging(count: int = 10_000) -> None:
    """Print the seconds to merge the results of tasks, as a run merges them."""
    script = DEALING + ', frequency "both" (hcp(east), 0, 37, hcp(south), 0, 37)'
    result = dk.run(script, generate=10_000, seed=1)
    from dealerkit.dealing.uniform.stream import UniformSource

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
    print(f"merging  {seconds:.2f} s for {count:,} results with an average and two frequencies")


def measure_memory(deals: float = 1e9) -> None:
    """Print the most memory of this process and of a worker for a long run."""
    with start_workers(1) as client:
        result = dk.run(DEALING, generate=int(deals), seed=1, executor=client)
        workers = max(client.run(peak_megabytes).values())
    print(
        f"memory   {peak_megabytes():.0f} MB here, {workers:.0f} MB in the worker, at most, for {deals:.0e} deals "
        f"({result.elapsed:.0f} s)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--deals", type=float, default=2e8)
    parser.add_argument("--solved", type=int, default=600)
    parser.add_argument("--parts", nargs="+", default=["dealing", "solving", "tasks", "merging"])
    options = parser.parse_args()
    set_threads(1)
    print("                        time  speed     CPU here   CPU workers")
    if "dealing" in options.parts:
        measure_runs("dealing", DEALING, {"generate": 4_000_000}, {"generate": int(options.deals)})
    if "solving" in options.parts:
        measure_runs("solving", SOLVING, {"produce": 20}, {"produce": options.solved})
    if "tasks" in options.parts:
        measure_tasks()
    if "merging" in options.parts:
        measure_merging()
    if "memory" in options.parts:
        measure_memory()


if __name__ == "__main__":
    main()
