"""Speed of dealerkit compared with Debian's dealer: the tables of docs/explanation/performance.md.

    python tests/benchmarks/peers.py [--runs 3] [--only a b c d plain whole planning kinds profile]

Scripts a to d are those below. Times are CPU seconds, the least of `runs`. The programs alternate, so that a
change of the machine's speed affects both. dealer is measured as a whole process, with `-g 1000000000`, since
otherwise it stops at ten million deals. Where it would take minutes, it does a part of the work and its time
is multiplied, which the row states. dealerkit is measured inside a process that has run the script before; the
tables of the condition are built again each time (`planning` measures how long that takes). `whole` measures
both as processes.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import platform
import pstats
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import dealerkit as dk
from dealerkit.planning import sampling

sys.path.insert(0, str(Path(__file__).parent))
import kinds as other_kinds  # noqa: E402 - the module beside this file

BALANCED = "any 4333 + any 4432 + any 5332"
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
class Row:
    """A row of the table.

    dealer runs `script` with `switches`, which is one of `times` equal parts of the work; dealerkit runs it with
    `limits` and `plan`. `goal` is the required and the desired quotient of CPU times, `wall_goal` that of
    elapsed times with two threads.
    """

    name: str
    work: str
    script: str
    switches: Sequence[str]
    times: int
    limits: dict[str, int]
    goal: tuple[float, float]
    plan: str = "auto"
    wall_goal: tuple[float, float] | None = None


LARGEST_GENERATE = ("-g", "1000000000")
ROWS = (
    Row("a", "10,000,000 deals", A, ("-g", "10000000"), 1, {"generate": 10**7}, (8, 12), wall_goal=(14, 22)),
    Row("plain", "b, 10,000 produced, plain dealing", B, (*LARGEST_GENERATE, "-p", "10000"), 1, {"produce": 10**4}, (6, 8), "plain"),
    Row("b", "1,000,000 produced", B, (*LARGEST_GENERATE, "-p", "10000"), 100, {"produce": 10**6}, (300, 600)),
    Row("c", "1,000,000,000 deals", C, ("-g", "1000000"), 1000, {"generate": 10**9}, (150, 400)),
    Row("d", "10,000 produced", D, (*LARGEST_GENERATE, "-p", "1000"), 10, {"produce": 10**4}, (150, 600)),
)  # fmt: skip


def run_dealer(script: str, *switches: str) -> tuple[float, float, int]:
    """Return CPU seconds, elapsed seconds and produced deals of one run of Debian's dealer."""
    program = shutil.which("dealer") or "/usr/games/dealer"
    with tempfile.NamedTemporaryFile("w", suffix=".dealer") as file:
        file.write(script)
        file.flush()
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        output = subprocess.run(
            [program, "-s", "1", *switches, file.name], capture_output=True, text=True, check=True
        ).stdout
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    produced = int(next(line for line in output.splitlines() if line.startswith("Produced")).split()[1])
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, produced


def run_dealerkit(script: str, threads: int, plan: str = "auto", **limits: int) -> tuple[float, float, int]:
    """Return the same of one `dk.run` in this process, which builds the tables of the condition again."""
    sampling.cached_samplings.clear()
    cpu, start = time.process_time(), time.perf_counter()
    result = dk.run(script, seed=1, threads=threads, keep=0, plan=plan, **limits)
    return time.process_time() - cpu, time.perf_counter() - start, result.produced


def compare(row: Row, runs: int) -> str:
    """Return a row of the table as text, after checking that both programs did the same work."""
    run_dealerkit(row.script, 1, row.plan, **row.limits)
    dealer, one_thread, two_threads = [], [], []
    for _ in range(runs):
        dealer.append(run_dealer(row.script, *row.switches))
        one_thread.append(run_dealerkit(row.script, 1, row.plan, **row.limits))
        if row.wall_goal:
            two_threads.append(run_dealerkit(row.script, 2, row.plan, **row.limits))
    by_dealer, by_dealerkit = dealer[0][2] * row.times, one_thread[0][2]
    if "produce" in row.limits or row.name == "a":
        assert by_dealer == by_dealerkit, (
            f"{row.name}: dealer produced {by_dealer:,}, dealerkit {by_dealerkit:,}"
        )
    else:  # random numbers with the same mean; multiplying the part of dealer multiplies its deviation
        deviations = row.times * dealer[0][2] ** 0.5 + by_dealerkit**0.5
        assert abs(by_dealer - by_dealerkit) < 5 * deviations, (by_dealer, by_dealerkit)
    old, new = min(x[0] for x in dealer) * row.times, min(x[0] for x in one_thread)
    part = f" (a {row.times:,}th, multiplied)" if row.times > 1 else ""
    line = (
        f"| {row.name} | {row.work} | {by_dealerkit:,} | {old:.2f} s{part} | {new:.4f} s "
        f"| **{old / new:.0f}** | {row.goal[0]:g} / {row.goal[1]:g} |"
    )
    if row.wall_goal:
        old, new = min(x[1] for x in dealer), min(x[1] for x in two_threads)
        line += (
            f"\n| | two threads, wall time | | {old:.2f} s | {new:.4f} s "
            f"| **{old / new:.0f}** | {row.wall_goal[0]:g} / {row.wall_goal[1]:g} |"
        )
    return line


def whole(runs: int) -> str:
    """Measure whole processes of both programs for b with 10,000 produced; their files are in memory."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "b.dealer"
        path.write_text(B)
        command = Path(sys.executable).with_name("dealerkit")
        dealerkit = [str(command), "run", str(path), "-p", "10000", "-s", "1"]
        program = shutil.which("dealer") or "/usr/games/dealer"
        dealer = [program, *LARGEST_GENERATE, "-p", "10000", "-s", "1", str(path)]
        times = []
        for arguments in [dealerkit, *[dealer, dealerkit] * runs]:
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            subprocess.run(arguments, capture_output=True, check=True)
            wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append((wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    lines = []
    for index, clock in enumerate(("wall time", "CPU")):
        old, new = min(x[index] for x in times[1::2]), min(x[index] for x in times[2::2])
        lines.append(
            f"| whole | b, 10,000 produced, whole processes, {clock} | 10,000 | {old:.2f} s | {new:.2f} s | **{old / new:.2f}** | 0.8 / 1 |"
        )
    return "\n".join(lines)


def planning(runs: int) -> str:
    """Measure the milliseconds from a script to its first deal, by conditional and by plain dealing."""
    lines = ["| script | milliseconds for a first deal, conditional | plain |", "|---|---|---|"]
    for name, script in (("b", B), ("c", C), ("d", D)):
        conditional, plain = (
            min(run_dealerkit(script, 1, plan, produce=1)[0] for _ in range(3 * runs))
            for plan in ("conditional", "plain")
        )
        lines.append(f"| {name} | {1000 * conditional:.1f} | {1000 * plain:.1f} |")
    return "\n".join(lines)


def kinds(runs: int) -> str:
    """Measure nanoseconds per produced deal for other conditions, by plain dealing and by the chosen plan."""
    lines = [
        "| condition | acceptance rate | plain | auto | plan | times faster |",
        "|---|---|---|---|---|---|",
    ]
    for name, condition in other_kinds.KINDS.items():
        script = f"condition {condition}\naction average hcp(north)"
        rate = dk.run(
            script, generate=200_000, seed=2, plan="conditional", keep=0, threads=1
        ).probability.value
        n_plain = max(50, int(rate * 1_500_000))
        produce = {"plain": n_plain, "auto": 20 * n_plain}
        cost_ns = {
            plan: min(run_dealerkit(script, 1, plan, produce=count)[0] for _ in range(runs)) / count * 1e9
            for plan, count in produce.items()
        }
        chosen = dk.run(script, produce=produce["auto"], seed=1, keep=0, threads=1).plan.name
        times = cost_ns["plain"] / cost_ns["auto"]
        lines.append(
            f"| {name} | {rate:.2e} | {cost_ns['plain']:.0f} | {cost_ns['auto']:.0f} | {chosen} | {times:.0f} |"
        )
    return "\n".join(lines)


def profile() -> str:
    """Return the most expensive functions of b and d, by the time spent in each without its calls."""
    lines = []
    for name, script, produce in (("b", B, 1_000_000), ("d", D, 100_000)):
        run_dealerkit(script, 1, produce=produce)
        profiler = cProfile.Profile()
        profiler.runcall(run_dealerkit, script, 1, produce=produce)
        stats = pstats.Stats(profiler)
        total = stats.total_tt  # type: ignore[attr-defined]
        lines.append(f"{name}, {produce:,} produced: {total:.2f} s under the profiler")
        own = sorted(stats.stats.items(), key=lambda item: -item[1][2])[:9]  # type: ignore[attr-defined]
        lines += [
            f"  {100 * row[2] / total:3.0f} %  {Path(file).stem}.{function}"
            for (file, _, function), row in own
        ]
    return "\n".join(lines)


def machine() -> str:
    """Return the processor, its load, and the versions of Python and dealerkit."""
    path = Path("/proc/cpuinfo")
    cpu = path.read_text().splitlines() if path.exists() else []
    model = next(
        (line.split(":")[1].strip() for line in cpu if line.startswith("model name")),
        platform.processor(),
    )
    load = ", ".join(f"{average:.1f}" for average in os.getloadavg())
    return (
        f"{model}, {os.cpu_count()} processors, load {load}; Python {platform.python_version()}, "
        f"dealerkit {dk.__version__}"
    )


def main() -> None:
    """Measure, and print each row as soon as it is measured."""
    parts = [row.name for row in ROWS] + ["whole", "planning", "kinds", "profile"]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", nargs="*", choices=parts, default=parts)
    options = parser.parse_args()
    print(machine(), end="\n\n")
    print("| script | work | produced | dealer, CPU | dealerkit, CPU | times faster | at least / aim |")
    print("|---|---|---|---|---|---|---|")
    for row in ROWS:
        if row.name in options.only:
            print(compare(row, options.runs), flush=True)
    if "whole" in options.only:
        print(whole(options.runs), flush=True)
    for name, part in (("planning", planning), ("kinds", kinds)):
        if name in options.only:
            print(f"\n{part(options.runs)}", flush=True)
    if "profile" in options.only:
        print(f"\n{profile()}")


if __name__ == "__main__":
    main()
