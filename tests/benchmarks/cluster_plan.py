"""Plans of large runs on clusters: a simulated scheduler with measured costs.

    python tests/benchmarks/cluster_plan.py

For 10^12 deals, and for 10^7 deals that are solved, prints tasks, hours, share of the time that the workers are
busy, bytes moved, and seconds in which this process merges results. Tasks are those of `TaskQueue`: their sizes
follow from their costs, a bounded number is under way, and results are used in order. One process sends and
receives, one after another.
"""

from __future__ import annotations

import argparse
import heapq
from dataclasses import dataclass

import numpy as np

from dealerkit.runtime.executors.workers import TASKS_AHEAD
from dealerkit.simulation.tasks import TaskSizes, choose_seconds

# Measured by executors.py on one processor of 2020s
SEND_SECONDS = 4.3e-3  # of this process and the scheduler, for a task and its result
WORKER_SECONDS = 2.8e-3  # of a worker, besides the work of a task
MERGE_SECONDS = 5e-5  # of an average and two frequencies
RESULT_BYTES, TASK_BYTES, PLAN_BYTES = 1_300, 700, 710_000
SPREAD = 0.2  # standard deviation of the logarithm of a task's cost
PRICE = 0.04  # of an hour of one processor, dollars


@dataclass(frozen=True)
class Study:
    """A run: number of deals, and seconds for each."""

    name: str
    n_deals: float
    deal_seconds: float


STUDIES = (
    Study("10^12 deals dealt, condition on two hands", 1e12, 2.7e-8),
    Study("10^7 deals solved, one strain and declarer", 1e7, 1.8e-2),
)


def simulate(study: Study, n_workers: int, seed: int = 1) -> str:
    """Return a line of the table for a number of workers of one thread."""
    rng = np.random.default_rng(seed)
    sizes = TaskSizes(study.deal_seconds * 3, choose_seconds(n_workers))  # a guess that is wrong
    idle = [0.0] * n_workers  # when each worker has done what it was sent
    heapq.heapify(idle)
    under_way: list[tuple[float, float, float]] = []  # in order: end, deals, seconds
    clock, dealt, n_tasks, busy, head = 0.0, 0.0, 0, 0.0, 0
    while dealt < study.n_deals or head < len(under_way):
        while dealt < study.n_deals and len(under_way) - head < TASKS_AHEAD * n_workers:
            missing = study.n_deals - dealt
            n_deals = min(sizes.choose(missing / n_workers), missing)
            clock += SEND_SECONDS / 2
            cost = n_deals * study.deal_seconds * float(rng.lognormal(0.0, SPREAD))
            end = max(heapq.heappop(idle), clock) + cost + WORKER_SECONDS
            heapq.heappush(idle, end)
            under_way.append((end, n_deals, cost))
            dealt, n_tasks, busy = dealt + n_deals, n_tasks + 1, busy + cost
        end, n_deals, cost = under_way[head]
        head += 1
        clock = max(clock, end) + SEND_SECONDS / 2 + MERGE_SECONDS
        sizes.add(int(n_deals), cost)
    moved = n_tasks * (RESULT_BYTES + TASK_BYTES) + n_workers * PLAN_BYTES
    return (
        f"| {n_workers:,} | {n_tasks:,} | {busy / n_tasks:.1f} s | {clock / 3600:.2f} h | "
        f"{100 * busy / (clock * n_workers):.0f} % | {moved / 1e6:,.0f} MB | {n_tasks * MERGE_SECONDS:.1f} s | "
        f"${clock * n_workers / 3600 * PRICE:,.2f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 10, 100, 500])
    for study in STUDIES:
        print(f"\n{study.name}\n")
        print(
            "| workers | tasks | each | time | busy | moved | merging | cost |\n|--:|--:|--:|--:|--:|--:|--:|--:|"
        )
        for n_workers in parser.parse_args().workers:
            print(simulate(study, n_workers), flush=True)


if __name__ == "__main__":
    main()
