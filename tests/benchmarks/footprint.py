"""Time and memory of frames and long runs, and the time to start.

    python tests/benchmarks/footprint.py [--runs 5]

Times of processes are elapsed seconds, the least of `runs`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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


def run_python(code: str) -> str:
    """Return the output of a Python process that runs the code."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def time_process(arguments: list[str], runs: int, environment: dict[str, str] | None = None) -> float:
    """Return the least elapsed seconds of a process."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(arguments, capture_output=True, check=True, env={**os.environ, **(environment or {})})
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    seconds, megabytes, rows, columns = run_python(FRAME).split()
    print(
        f"frame of {int(rows):,} deals, {columns} columns: {float(seconds):.2f} s, {float(megabytes):.0f} MB at the peak"
    )
    seconds, megabytes, mean = run_python(MEMORY).split(maxsplit=2)
    print(f"average over 10^8 deals: {float(seconds):.2f} s, {float(megabytes):.0f} MB at the peak; {mean}")
    python, script = sys.executable, str(Path(__file__).parents[2] / "data" / "scripts" / "stayman.dealer")
    small = [python, "-m", "dealerkit", "run", script, "-p", "100", "-s", "1"]
    with tempfile.TemporaryDirectory() as folder:
        print(f"first run, kernels compiled: {time_process(small, 1, {'NUMBA_CACHE_DIR': folder}):.2f} s")
    print(f"the same, kernels read from disk: {time_process(small, runs):.2f} s")
    print(f"--version: {time_process([python, '-m', 'dealerkit', '--version'], runs):.3f} s")
    added = time_process([python, "-c", "import dealerkit"], runs) - time_process(
        [python, "-c", "pass"], runs
    )
    print(f"import dealerkit adds {added:.3f} s")


if __name__ == "__main__":
    main()
