"""A library of 10,485,760 deals: opening it, a query of all deals, and computing the deals.

    python tests/benchmarks/libraries.py [--quick]

The files are made for the purpose, 241 MB and 105 MB: the deals have the numbers of Pavlicek's library, the tables
are made up from points and lengths with random errors (nothing is solved), so that they pass the checks of the
reader. `--quick` makes a twentieth of the file of records and none of tables alone, which has a fixed size.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from common import Row, least, main, run_process  # noqa: E402

from dealerkit import Deals
from dealerkit.formats import pavlicek_deals  # noqa: E402
from dealerkit.formats.format import write  # noqa: E402
from dealerkit.formats.pavlicek import N_DEALS  # noqa: E402
from dealerkit.formats.zdd import FIRST_TABLE  # noqa: E402

TABLES = {"libraries": ("what", "elapsed, s", "CPU, s", "million deals a CPU second")}
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
print(time.perf_counter() - elapsed, time.process_time() - used)
"""
RUN = """
import resource, time, warnings
warnings.simplefilter("ignore")
import dealerkit as dk
library = dk.read({path!r})
for threads in (1, 2):
    dk.run({script!r}, source=library, threads=threads)
    best = [9e9, 9e9]
    for _ in range({runs}):
        elapsed, used = time.perf_counter(), time.process_time()
        result = dk.run({script!r}, source=library, threads=threads)
        best = [min(best[0], time.perf_counter() - elapsed), min(best[1], time.process_time() - used)]
    assert result.solver.solved == 0
    print(*best)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def make_deals(n_deals: int) -> Iterator[Deals]:
    """Yield the deals of Pavlicek's library with made-up tables, block by block."""
    random = np.random.default_rng(7)
    for first in range(0, n_deals, BLOCK):
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


@dataclass(frozen=True)
class MadeUpLibrary:
    """The first deals of Pavlicek's library with made-up tables."""

    n_deals: int

    def __len__(self) -> int:
        return self.n_deals

    def batches(self, size: int = BLOCK) -> Iterator[Deals]:
        return make_deals(self.n_deals)


def write_library(path: Path, n_deals: int) -> None:
    """Write a library; in a `.zdd` file the table of the first deal is the known one."""
    write(MadeUpLibrary(n_deals), path)
    if path.suffix == ".zdd":
        with open(path, "r+b") as file:
            file.write(FIRST_TABLE)


def run_python(code: str) -> list[list[float]]:
    """Return the numbers that a Python process prints."""
    return [
        [float(x) for x in line.split()] for line in run_process([sys.executable, "-c", code])[2].splitlines()
    ]


def measure(quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    runs, n_deals = (1, N_DEALS // 160 * 8) if quick else (5, N_DEALS)
    for suffix in (".zrd",) if quick else (".zrd", ".zdd"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"made-up{suffix}"
            write_library(path, n_deals)
            opened = [run_python(OPEN.format(path=str(path)))[0] for _ in range(runs + 1)][
                1:
            ]  # the first may compile
            elapsed, used = (min(column) for column in zip(*opened, strict=True))
            yield "libraries", (f"open `{suffix}`, the first time in a process", elapsed, used, "")
            *queries, (megabytes,) = run_python(RUN.format(path=str(path), runs=runs, script=QUERY))
            for threads, (elapsed, used) in enumerate(queries, 1):
                name = f"query `{suffix}`, {n_deals:,} deals, threads={threads}"
                yield "libraries", (name, elapsed, used, n_deals / used / 1e6)
            yield (
                "libraries",
                (f"memory of `{suffix}` at the peak, its pages included: {megabytes:.0f} MB", "", "", ""),
            )
    seconds = least(lambda: pavlicek_deals(4_000_000, 16 * BLOCK), runs)
    yield "libraries", ("`pavlicek_deals`, one thread", "", "", 16 * BLOCK / seconds / 1e6)


if __name__ == "__main__":
    main(TABLES, measure, __doc__)
