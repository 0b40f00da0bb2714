"""Side by side with Debian's dealer, in one run: CPU and wall seconds, and their ratios.

    python tests/benchmarks/peers.py [--runs 5] [--only a b frame memory start]

Each pair of runs is made in turn, so a change of the machine's speed hits both.
dealer is measured as a whole process; dealerkit's `dk.run` inside a process that
has run the script once before, and as a whole process under "start".
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import dealerkit as dk

A = 'action average "points" hcp(north)\n'
B = (
    "condition shape(north, any 4333 + any 4432 + any 5332) and hcp(north) >= 20 and hcp(north) <= 22\n"
    'action average "points" hcp(north)\n'
)
FRAME = """
import dealerkit as dk, resource, time
dk.deal(1000, seed=1).to_frame("hcp", "controls", "ltc", "shape")
start = time.perf_counter()
frame = dk.deal(10_000_000, seed=1, threads=2).to_frame("hcp", "controls", "ltc", "shape")
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, len(frame), frame.shape[1])
"""
MEMORY = """
import dealerkit as dk, resource
result = dk.run("action average hcp(north)", generate=100_000_000, seed=1)
print(result.elapsed, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, result.reports[0].mean)
"""


def dealer(script: str, *switches: str) -> tuple[float, float, int]:
    """CPU seconds, wall seconds and produced deals of one run of Debian's dealer."""
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


def ours(script: str, threads: int, **limits: int) -> tuple[float, float, int]:
    """The same of one `dk.run` in this process."""
    cpu, start = time.process_time(), time.perf_counter()
    result = dk.run(script, seed=1, threads=threads, keep=0, **limits)
    return time.process_time() - cpu, time.perf_counter() - start, result.produced


def pair(name: str, script: str, switches: list[str], limits: dict[str, int], runs: int) -> None:
    """Print one line of the table: the best of `runs`, and the ratios."""
    ours(script, 1, **limits)
    rows = [
        (dealer(script, *switches), ours(script, 1, **limits), ours(script, 2, **limits)) for _ in range(runs)
    ]
    assert len({row[k][2] for row in rows for k in range(3)}) == 1, (
        "the programs produced different numbers of deals"
    )
    them, one, two = (tuple(min(row[k][m] for row in rows) for m in (0, 1)) for k in range(3))
    print(
        f"{name}: dealer {them[0]:.3f} s CPU, {them[1]:.3f} s wall; dealerkit 1 thread {one[0]:.3f} s CPU, "
        f"2 threads {two[1]:.3f} s wall; {them[0] / one[0]:.1f} times (CPU), {them[1] / two[1]:.1f} times (wall, 2 threads)"
    )


def child(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()


def whole(arguments: list[str], runs: int, environment: dict[str, str] | None = None) -> float:
    """Least wall seconds of a whole process."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(arguments, capture_output=True, check=True, env={**os.environ, **(environment or {})})
        best = min(best, time.perf_counter() - start)
    return best


def start_up(runs: int) -> None:
    """Start of the command and of the package."""
    python = sys.executable
    bare = whole([python, "-c", "pass"], runs)
    imported = whole([python, "-c", "import dealerkit"], runs)
    script = str(Path(__file__).parents[2] / "data" / "scripts" / "stayman.dealer")
    small = [python, "-m", "dealerkit", "run", script, "-p", "100", "-s", "1"]
    with tempfile.TemporaryDirectory() as folder:
        cold = whole(small, 1, {"NUMBA_CACHE_DIR": folder})
    print(
        json.dumps(
            {
                "--version": round(whole([python, "-m", "dealerkit", "--version"], runs), 3),
                "import adds": round(imported - bare, 3),
                "first run, kernels cold": round(cold, 2),
                "small script, warm": round(whole(small, runs), 2),
            }
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=["a", "b", "frame", "memory", "start"])
    options = parser.parse_args()
    if "a" in options.only:
        pair(
            "a, 10 M deals, no condition, average",
            A,
            ["-g", "10000000"],
            {"generate": 10_000_000},
            options.runs,
        )
    if "b" in options.only:
        limits = {"produce": 10_000, "generate": 10_000_000}
        pair("b, produce 10,000 balanced 20-22", B, ["-p", "10000"], limits, options.runs)
    if "frame" in options.only:
        seconds, megabytes, rows, columns = child(FRAME).split()
        print(
            f"frame of {int(rows):,} deals, {columns} columns: {float(seconds):.2f} s on two threads, {float(megabytes):.0f} MB at the peak"
        )
    if "memory" in options.only:
        seconds, megabytes, *rest = child(MEMORY).split(maxsplit=2)
        print(
            f"average over 10^8 deals: {float(seconds):.2f} s, {float(megabytes):.0f} MB at the peak; {rest[0]}"
        )
    if "start" in options.only:
        start_up(options.runs)


if __name__ == "__main__":
    main()
