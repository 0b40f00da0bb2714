"""Elapsed time and memory of frames and long runs, and of first and later processes.

    python tests/benchmarks/footprint.py [--quick]

Each row is the least of several processes.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import Row, main, run_process  # noqa: E402

TABLES = {"footprint": ("what", "elapsed, s", "memory at the peak, MB")}
SCRIPT = Path(__file__).parents[2] / "data" / "scripts" / "stayman.dealer"
FRAME = """
import dealerkit as dk, resource, time
dk.deal(1000, seed=1).to_frame("hcp", "controls", "ltc", "shape")
start = time.perf_counter()
frame = dk.deal(10_000_000, seed=1, threads=2).to_frame("hcp", "controls", "ltc", "shape")
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
MEMORY = """
import dealerkit as dk, resource
result = dk.run("action average hcp(north)", generate=100_000_000, seed=1)
print(result.elapsed, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def measure(quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    python = sys.executable
    for name, code in (
        (
            "10,000,000 deals with hcp, controls, ltc and shape of all seats as a DataFrame, two threads",
            FRAME,
        ),
        ("average over 100,000,000 deals, all threads", MEMORY),
    ):
        outputs = [run_process([python, "-c", code])[2].split() for _ in range(1 if quick else 3)]
        seconds, megabytes = (min(map(float, column)) for column in zip(*outputs, strict=True))
        yield "footprint", (name, seconds, round(megabytes))
    small = [python, "-m", "dealerkit", "run", SCRIPT, "-p", "100", "-s", "1"]

    def time_process(*arguments: str | Path, **environment: str) -> float:
        return min(run_process(arguments, **environment)[1] for _ in range(2 if quick else 5))

    with tempfile.TemporaryDirectory() as folder:
        settings = {"NUMBA_CACHE_DIR": folder, "DEALERKIT_KERNELS": "numba"}
        seconds = run_process(small, **settings)[1]
        yield "footprint", ("`dealerkit run`, 100 boards, numba compiles its kernels", seconds, "")
    yield "footprint", ("the same, kernels read from disk", time_process(*small), "")
    yield "footprint", ("`dealerkit --version`", time_process(python, "-m", "dealerkit", "--version"), "")
    added = time_process(python, "-c", "import dealerkit") - time_process(python, "-c", "pass")
    yield "footprint", ("`import dealerkit`, without the start of Python", added, "")


if __name__ == "__main__":
    main(TABLES, measure, __doc__)
