"""Ratios of times that depend little on the machine, and whether they are as before.

    python tests/benchmarks/guard.py [--quick] [--factor 1.35] [--only WORD ...]

Each ratio is the CPU time of dealerkit divided by that of something that dealerkit cannot slow down, or by that of its
own plain dealing; a smaller ratio is better. Both are measured in turn, short calls several times, of which the least
counts. The median over the pairs is compared with the committed one of `measured.json`: it is slower if it is larger by
more than the factor, and its interval does not contain the committed one. Then the status is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from scipy.stats import binom

os.environ["DEALERKIT_STORE"] = "off"
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
sys.path.insert(0, str(Path(__file__).parent))
from classic import LEVELLING, run_classic  # noqa: E402
from common import Row, alternate, main, run_process, show  # noqa: E402
from libraries import BLOCK, HONOURS, QUERY, write_library  # noqa: E402
from peers import A, B, C, D, all_cpu, run_dealer, run_dealerkit  # noqa: E402

import dealerkit as dk  # noqa: E402
from dealerkit.statistics import Counts, Moments  # noqa: E402

FACTOR = 1.35
MEASURED = Path(__file__).with_name("measured.json")
TABLES = {"ratios": ("dealerkit / something else", "median", "interval from", "to")}
Call = Callable[[], object]
Pair = tuple[str, Call, Call]


def list_runs() -> Iterator[Pair]:
    """Yield runs, beside those of dealer or by plain dealing."""
    for name, script, limits, switches in (
        ("a", A, {"generate": 10**6}, ("-g", "1000000")),
        ("b", B, {"produce": 10**6}, ("-g", "1000000000", "-p", "5000")),
        ("c", C, {"generate": 10**9}, ("-g", "1000000")),
        ("d", D, {"produce": 10**4}, ("-g", "1000000000", "-p", "300")),
    ):
        work = ", ".join(f"{key} {value:,}" for key, value in limits.items())
        dealer = f"dealer {' '.join(switches).replace('-g 1000000000 ', '')}"
        yield f"script {name}, {work} / {dealer}", partial(run_dealerkit, script, **limits), partial(run_dealer, script, *switches)  # fmt: skip
    classic = partial(run_classic, LEVELLING, 500_000, "v1")
    yield "levelling by `rnd`, 500,000 deals of stream v1 / dealer", classic, partial(run_dealer, LEVELLING, "-g", "500000")  # fmt: skip
    plain = partial(run_dealerkit, B, 1, "plain", produce=10_000)
    yield "script b, produce 200,000 / plain dealing, produce 10,000", partial(run_dealerkit, B, produce=200_000), plain  # fmt: skip
    command = [sys.executable, "-m", "dealerkit", "run", "-p", "100", "-s", "1"]
    script = Path(__file__).parents[2] / "data" / "scripts" / "stayman.dealer"
    numpy = partial(run_process, [sys.executable, "-c", "import numpy"])
    yield (
        "`dealerkit run`, 100 boards / `import numpy`, processes",
        partial(run_process, [*command, script]),
        numpy,
    )


def list_files(folder: Path) -> Iterator[Pair]:
    """Yield readers of files, beside numpy and plain loops over the same bytes."""
    records, boards = folder / "made-up.zrd", folder / "deals.pbn"
    write_library(records, 4 * BLOCK)
    dk.deal(20_000, seed=1).write(boards)
    library = dk.read(records)

    def read_bytes() -> object:
        return np.fromfile(records, np.uint8).reshape(-1, 23).sum(axis=0)

    def read_lines() -> object:
        with open(boards, encoding="utf-8") as lines:
            return [line[9:-3].split() for line in lines if line.startswith("[Deal ")]

    yield "query of a `.zrd` file / numpy's sums of its bytes", lambda: dk.run(QUERY, source=library, threads=1), read_bytes  # fmt: skip
    yield "PBN, deals read / Python's loop over its lines", partial(dk.read, boards), read_lines


def list_values() -> Iterator[Pair]:
    """Yield solver, evaluators and accumulators, beside direct calls of endplay and of numpy."""
    from endplay.dds import calc_all_tables
    from endplay.types import Deal

    few, many = dk.deal(4, seed=11), dk.deal(200_000, seed=1)
    direct = [Deal(text) for text in few.to_pbn()]
    north = many.hand("north")
    values = north.astype(np.uint8) % np.uint8(38)

    def count_honours() -> object:
        return sum(value * np.bitwise_count(north & cards) for cards, value in HONOURS)

    def add_up() -> object:
        return values.astype(np.float64).sum(), (values.astype(np.float64) ** 2).sum(), np.bincount(values)

    def accumulate() -> None:
        Moments().update(values)
        Counts((0, 37)).update(values)

    yield "tables of 4 deals, double dummy / endplay called directly", lambda: dk.dd_table(few), lambda: calc_all_tables(direct)  # fmt: skip
    yield "`hcp` of 200,000 hands / four `bitwise_count`", lambda: many.eval("hcp(north)"), count_honours
    yield "`cccc` and `losers` / four `bitwise_count`", lambda: many.eval("cccc(north) + losers(north)"), count_honours  # fmt: skip
    yield "sums and counts of 200,000 values / numpy's", accumulate, add_up


def find_least(body: Call) -> float:
    """Return the least CPU seconds of five calls, or of those that begin within 0.2 seconds."""
    seconds: list[float] = []
    while len(seconds) < 5 and sum(seconds) < 0.2:
        seconds += alternate([body], 1, all_cpu)[0]
    return min(seconds)


def measure(quick: bool, only: list[str] | None = None) -> Iterator[Row]:
    """Yield the median of each ratio with its 95 % interval, from order statistics."""
    warnings.simplefilter("ignore")  # of terms of use
    n_pairs = 7 if quick else 15
    rank = max(int(binom.ppf(0.025, n_pairs, 0.5)), 1)
    with tempfile.TemporaryDirectory() as folder:
        for pairs in (list_runs(), list_files(Path(folder)), list_values()):
            for name, ours, other in pairs:
                if only and not any(word in name for word in only):
                    continue
                alternate([ours, other], 1)  # compiles kernels and fills caches
                ratios = sorted(find_least(ours) / find_least(other) for _ in range(n_pairs))
                yield "ratios", (name, float(np.median(ratios)), ratios[rank - 1], ratios[-rank])


def judge(row: Row, committed: dict[str, list[float]], factor: float) -> tuple[str, bool]:
    """Return what has become of a ratio, and whether it is worse than allowed."""
    name, median, low, high = row[1]
    if name not in committed:
        return "not committed", False
    before = committed[name][0]
    if median <= before * factor and before <= median * factor:
        return "as before", False
    if low <= before <= high:
        return f"{show(median / before)} times the committed {show(before)}, but within the spread", False
    if median < before:
        return f"faster: {show(median / before)} times the committed {show(before)}", False
    return f"SLOWER: {show(median / before)} times the committed {show(before)}", True


def guard() -> int:
    """Print each ratio and what has become of it; return the status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer pairs")
    parser.add_argument("--factor", type=float, default=FACTOR)
    parser.add_argument("--only", nargs="+", help="only ratios whose names have one of these words")
    options = parser.parse_args()
    rows = json.loads(MEASURED.read_text("utf-8"))["tables"]["ratios"]
    committed, worse = {name: numbers for name, *numbers in rows}, 0
    for row in measure(options.quick, options.only):
        name, *numbers = row[1]
        verdict, is_worse = judge(row, committed, options.factor)
        worse += is_worse
        median, low, high = map(show, numbers)
        print(f"{name:<60} {median:>7} ({low} to {high})  {verdict}", flush=True)
    print(f"{worse} slower than before by more than {options.factor:g}")
    return int(worse > 0)


if __name__ == "__main__":
    if "--json" in sys.argv:  # for run.py
        main(TABLES, measure, __doc__)
    else:
        sys.exit(guard())
