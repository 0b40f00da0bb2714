"""Time and memory of a library of 10,485,760 deals: opening it, a query of all deals, and computing the deals.

    python tests/benchmarks/libraries.py [--folder DIR] [--runs 5]

The files are made for the purpose, 241 MB and 105 MB: the deals have the numbers of Pavlicek's library, the tables
are made up from points and lengths with random errors (nothing is solved), so that they pass the checks of the
reader. They are kept in `folder` for the next time, otherwise deleted.

Times are the least of `runs`, of elapsed seconds and of seconds of the processors; the latter do not depend on what
else the machine does.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.formats import pavlicek_deals
from dealerkit.formats.pavlicek import N_DEALS
from dealerkit.formats.zdd import FIRST_TABLE

BLOCK = 65_536
HONOURS = [(np.uint64(0x1000_1000_1000_1000 >> k), 4 - k) for k in range(4)]
QUERY = """
condition hcp(north) + hcp(south) >= 25 and dds(south, notrump) >= 9
action average "points" hcp(north) + hcp(south), frequency "tricks" (dds(south, notrump), 9, 13)
"""
OPEN = """
import time, warnings
warnings.simplefilter("ignore")
import dealerkit as dk
dk.deal(1, seed=1), dk.read, dk.run
elapsed, used = time.perf_counter(), time.process_time()
library = dk.read({path!r})
print(time.perf_counter() - elapsed, time.process_time() - used, len(library))
"""
RUN = """
import resource, time, warnings
warnings.simplefilter("ignore")
import dealerkit as dk
library = dk.read({path!r})
for threads in (1, 2):
    best = [9e9, 9e9]
    for _ in range({runs}):
        elapsed, used = time.perf_counter(), time.process_time()
        result = dk.run({script!r}, source=library, threads=threads)
        best = [min(best[0], time.perf_counter() - elapsed), min(best[1], time.process_time() - used)]
    print(*best, result.produced, result.solver.solved)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def make_deals() -> Iterator[Deals]:
    """Yield the deals of Pavlicek's library with made-up tables, block by block."""
    random = np.random.default_rng(7)
    for first in range(0, N_DEALS, BLOCK):
        deals = pavlicek_deals(first, BLOCK)
        hands = deals.hands[:, [0, 2]]
        points = sum(value * np.bitwise_count(hands & cards).sum(axis=1) for cards, value in HONOURS)
        base = 6.5 + 0.42 * (points - 20.0) + random.normal(0, 1, BLOCK)
        tricks = np.empty((BLOCK, 5), np.int8)
        for strain in range(5):
            value = base + random.normal(0, 0.4, BLOCK)
            if strain < 4:
                suit = hands >> np.uint64(48 - 16 * strain) & np.uint64(0x1FFF)
                value += 0.8 * (np.bitwise_count(suit).sum(axis=1) - 6.5)
            tricks[:, strain] = np.clip(np.rint(value), 0, 13)
        yield deals.replace(tables=np.stack([tricks, 13 - tricks, tricks, 13 - tricks], axis=2))


class AllDeals:
    """The deals of both files."""

    def __len__(self) -> int:
        return N_DEALS

    def batches(self, size: int = BLOCK) -> Iterator[Deals]:
        return make_deals()


def write_files(folder: Path) -> None:
    """Write both files unless they exist."""
    from dealerkit.formats.format import write

    for path in (folder / "made-up.zrd", folder / "made-up.zdd"):
        if not path.exists():
            start = time.perf_counter()
            write(AllDeals(), path)
            print(f"{path.name} written in {time.perf_counter() - start:.0f} s")
            if path.suffix == ".zdd":  # the table of the first deal is known
                with open(path, "r+b") as file:
                    file.write(FIRST_TABLE)


def run_python(code: str) -> list[str]:
    """Return the lines that a Python process prints; modules are compiled once, as in an installed package."""
    command = [sys.executable, "-c", code]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    return done.stdout.split("\n")[:-1]


def time_call(function: Callable, runs: int) -> tuple[float, float]:
    """Return the least elapsed seconds and the least seconds of the processors of a call."""
    best = [float("inf")] * 2
    for _ in range(runs):
        elapsed, used = time.perf_counter(), time.process_time()
        function()
        times = time.perf_counter() - elapsed, time.process_time() - used
        best = [min(pair) for pair in zip(best, times, strict=True)]
    return best[0], best[1]


def measure(folder: Path, runs: int) -> None:
    """Print all measurements."""
    for path in (folder / "made-up.zrd", folder / "made-up.zdd"):
        opened = np.array([run_python(OPEN.format(path=str(path)))[0].split() for _ in range(runs)], float)
        elapsed, used, n_deals = opened.min(axis=0)
        print(
            f"{path.name}, {n_deals:,.0f} deals: opened in {1000 * elapsed:.0f} ms ({1000 * used:.0f} ms of processor)"
        )
        *lines, memory = run_python(RUN.format(path=str(path), runs=runs, script=QUERY))
        for threads, line in enumerate(lines, 1):
            elapsed, used, produced, solved = (float(number) for number in line.split())
            print(
                f"  query, threads={threads}: {elapsed:.2f} s ({used:.2f} s of processor), "
                f"{produced:,.0f} deals produced, {solved:.0f} results solved"
            )
        print(f"  memory at the peak, the pages of the file included: {float(memory):.0f} MB")
    for count in (BLOCK, 16 * BLOCK):
        elapsed, used = time_call(lambda count=count: pavlicek_deals(4_000_000, count), runs)
        print(
            f"pavlicek_deals, {count:,} on one thread: {count / used / 1e6:.1f} million deals/s of processor"
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        write_files(folder)
        measure(folder, arguments.runs)


if __name__ == "__main__":
    main()
