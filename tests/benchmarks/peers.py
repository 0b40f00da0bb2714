"""Speed of dealerkit compared with Debian's dealer.

    python tests/benchmarks/peers.py [--quick]

Scripts a to d are those below. Times are CPU seconds on one thread unless stated, the least of three runs; the programs
alternate. dealer is measured as a whole process, with `-g 1000000000`, since otherwise it stops at ten million deals.
Where it would take minutes, it does a part of the work and its time is multiplied, which the row states. dealerkit is
measured inside a process that has run the script before; the tables of the condition are built again each time.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import BALANCED, DEALER, Row, alternate, least, main, run_process  # noqa: E402

import dealerkit as dk  # noqa: E402
from dealerkit.planning import sampling  # noqa: E402

TABLES = {
    "peers": ("script", "work", "produced", "dealer, s", "dealerkit, s", "times faster"),
    "first deal": ("script", "conditional, ms", "plain, ms"),
}
A = 'action average "points" hcp(north)\n'
B = f'condition shape(north, {BALANCED}) and hcp(north) >= 20 and hcp(north) <= 22\naction average "points" hcp(north)\n'
C = f"""east_notrump = shape(east, {BALANCED}) and hcp(east) >= 15 and hcp(east) <= 17
west_stayman = shape(west, 3451 + 4351) and hcp(west) <= 7
east_2d = shape(east, xxxx - 4xxx - x4xx - 5xxx - x5xx)
east_2h = shape(east, x4xx)
east_2s = shape(east, 4xxx - x4xx)
east_2n = shape(east, 5xxx + x5xx)
d = diamonds(east) + diamonds(west)
h = hearts(east) + hearts(west)
s = spades(east) + spades(west)
found_d_fit = east_2d and d >= 8
found_h_fit = east_2h and h >= 8
found_s_fit = east_2s and s >= 8
found_M_fit = east_2n and (h >= 9 or s >= 9)
condition east_notrump and west_stayman
action average "fit" found_d_fit or found_h_fit or found_s_fit or found_M_fit
"""
D = f"""condition hcp(north) >= 15 && hcp(north) <= 17 && shape(north, {BALANCED})
  && hcp(south) >= 8 && hearts(south) == 5 && shape(south, any 5332 + any 5431) && spades(east) >= 5 && hcp(east) >= 8
action average "hcp" hcp(north)
"""


@dataclass(frozen=True)
class Task:
    """Work of a row: dealer does one of `parts` equal parts of it, dealerkit all of it with `limits` and `plan`."""

    name: str
    work: str
    script: str
    switches: Sequence[str]
    parts: int
    limits: dict[str, int]
    plan: str = "auto"

    def run_dealer(self) -> int:
        """Return the number of deals that dealer produces in its part."""
        return run_dealer(self.script, *self.switches)

    def run_dealerkit(self, threads: int = 1) -> int:
        """Return the number of deals that dealerkit produces."""
        return run_dealerkit(self.script, threads, self.plan, **self.limits)


UNLIMITED = ("-g", "1000000000")
TASKS = (
    Task("a", "10,000,000 deals", A, ("-g", "10000000"), 1, {"generate": 10**7}),
    Task("b", "10,000 produced, plain dealing", B, (*UNLIMITED, "-p", "10000"), 1, {"produce": 10**4}, "plain"),
    Task("b", "10,000 produced", B, (*UNLIMITED, "-p", "10000"), 1, {"produce": 10**4}),
    Task("b", "1,000,000 produced", B, (*UNLIMITED, "-p", "10000"), 100, {"produce": 10**6}),
    Task("c", "1,000,000,000 deals", C, ("-g", "1000000"), 1000, {"generate": 10**9}),
    Task("d", "1,000 produced", D, (*UNLIMITED, "-p", "1000"), 1, {"produce": 10**3}),
    Task("d", "10,000 produced", D, (*UNLIMITED, "-p", "1000"), 10, {"produce": 10**4}),
)  # fmt: skip


def run_dealer(script: str, *switches: str) -> int:
    """Return the number of deals that Debian's dealer produces."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".dealer") as file:
        file.write(script)
        file.flush()
        _, _, output = run_process([DEALER, "-s", "1", *switches, file.name])
    return int(next(line for line in output.splitlines() if line.startswith("Produced")).split()[1])


def run_dealerkit(script: str, threads: int = 1, plan: str = "auto", **limits: int) -> int:
    """Return the number of deals that `dk.run` produces; it builds the tables of the condition again."""
    sampling.cached_samplings.clear()
    return dk.run(script, seed=1, threads=threads, keep=0, plan=plan, **limits).produced


def all_cpu() -> float:
    """Return the CPU seconds of this process and of those that it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def check_work(task: Task) -> int:
    """Return the number of deals that dealerkit produces, after checking that both programs did the same work."""
    n_dealer, n_dealerkit = task.run_dealer(), task.run_dealerkit()
    if "produce" in task.limits or task.name == "a":
        same = n_dealer * task.parts == n_dealerkit
    else:  # random numbers with the same mean; multiplying the part of dealer multiplies its deviation
        deviations = task.parts * n_dealer**0.5 + n_dealerkit**0.5
        same = abs(n_dealer * task.parts - n_dealerkit) < 5 * deviations
    assert same, f"{task.name}: dealer produced {n_dealer:,} in a part, dealerkit {n_dealerkit:,}"
    return n_dealerkit


def compare(task: Task, runs: int) -> Iterator[Row]:
    """Yield the rows of a task."""
    produced = check_work(task)
    old, new = map(min, alternate([task.run_dealer, task.run_dealerkit], runs, all_cpu))
    work = task.work + (f"; dealer a {task.parts:,}th, multiplied" if task.parts > 1 else "")
    yield "peers", (task.name, work, produced, task.parts * old, new, task.parts * old / new)
    if task.name == "a":
        old, new = map(
            min, alternate([task.run_dealer, lambda: task.run_dealerkit(2)], runs, time.perf_counter)
        )
        yield "peers", ("a", "the same, elapsed time, two threads", produced, old, new, old / new)


def compare_processes(runs: int) -> Iterator[Row]:
    """Yield whole processes of both programs for b with 10,000 produced."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "b.dealer"
        path.write_text(B)
        dealerkit = [sys.executable, "-m", "dealerkit", "run", path, "-p", "10000", "-s", "1"]
        dealer = [DEALER, *UNLIMITED, "-p", "10000", "-s", "1", path]
        run_process(dealerkit)
        times = [[run_process(program)[:2] for program in (dealer, dealerkit)] for _ in range(2 * runs)]
    for clock, name in enumerate(("", ", elapsed time")):
        old, new = (min(pair[k][clock] for pair in times) for k in range(2))
        yield "peers", ("b", f"10,000 produced, whole processes{name}", 10_000, old, new, old / new)


def measure(quick: bool) -> Iterator[Row]:
    """Yield the rows of the tables."""
    runs = 1 if quick else 3
    for task in TASKS:
        yield from compare(task, runs)
    yield from compare_processes(runs)
    for name, script in (("b", B), ("c", C), ("d", D)):
        times = [
            least(partial(run_dealerkit, script, 1, plan, produce=1), 3 * runs)
            for plan in ("conditional", "plain")
        ]
        yield "first deal", (name, *(1000 * seconds for seconds in times))


if __name__ == "__main__":
    main(TABLES, measure, __doc__)
