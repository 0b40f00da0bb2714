"""Double dummy: the cost outside the solver, and the savings of thresholds and stored results.

    python tests/benchmarks/doubledummy.py [--only outside threads ...] [--pairs 5] [--big 1000000]

Prints a table of Markdown. Times are CPU seconds of the process, all its threads together, so that other
work on the machine disturbs them little; only the row "two threads" compares elapsed times. The store is
off except for its own rows, which use a temporary file. Deals are random with fixed seeds, or from the
solved sample.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import dealerkit as dk
from dealerkit.doubledummy import batches, library
from dealerkit.doubledummy.lookup import BATCH, look_up_tables
from dealerkit.doubledummy.store.database import current_store

SCRIPT = 'action average "4S" dds(south, spades) >= 10'
Row = tuple[str, str, str]


class LibraryClock:
    """A context that measures the CPU seconds spent in calls of the library."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._call = library.call

    def __enter__(self) -> LibraryClock:
        library.call = self._timed
        return self

    def __exit__(self, *_: Any) -> None:
        library.call = self._call

    def _timed(self, *arguments: Any, **options: Any) -> None:
        begin = time.process_time()
        try:
            self._call(*arguments, **options)
        finally:
            self.seconds += time.process_time() - begin


def cpu(work: Callable[[], Any], times: int = 1) -> tuple[float, Any]:
    """Return the least CPU seconds of several runs, and the result of the last one."""
    least, value = float("inf"), None
    for _ in range(times):
        begin = time.process_time()
        value = work()
        least = min(least, time.process_time() - begin)
    return least, value


def outside(_: argparse.Namespace) -> Iterator[Row]:
    """Measure the share of time outside the library's calls, from deals to results."""
    deals = dk.deal(200, seed=11)
    dk.dd_tricks(deals[:2], "spades", "south")  # loads the library, compiles kernels
    calls = {
        "tables, 40 deals": lambda: dk.dd_table(deals[:40]),
        "rows (one strain), 100 deals": lambda: dk.dd_table(deals[:100], "S"),
        "single boards, tricks, 200 deals": lambda: dk.dd_tricks(deals, "notrump", "south"),
        "single boards, 10 tricks or not, 200 deals": lambda: dk.dd_makes(deals, "4S", "south"),
    }
    for name, call in calls.items():
        with LibraryClock() as clock:
            total, _ = cpu(call)
        share = 100 * (total - clock.seconds) / total
        yield f"outside the library: {name}", f"{share:.1f} % of {total:.2f} s", "at most 5 %"


def threads(options: argparse.Namespace) -> Iterator[Row]:
    """Measure two threads against one."""
    deals = dk.deal(400, seed=12).hands
    ratios, busy = [], []
    for _ in range(options.pairs):
        clock = {}
        for number in (1, 2):
            begin, work = time.perf_counter(), time.process_time()
            batches.solve_boards(deals, 4, 2, threads=number)
            clock[number] = time.perf_counter() - begin
        busy.append((time.process_time() - work) / clock[2])
        ratios.append(clock[1] / clock[2])
    title = f"two threads against one, 400 boards, median of {options.pairs} pairs"
    value = f"{statistics.median(ratios):.2f} times ({statistics.median(busy):.2f} processors used)"
    yield title, value, "at least 1.85"


def threshold(options: argparse.Namespace) -> Iterator[Row]:
    """Measure the threshold test of a script against the number of tricks through endplay."""
    from endplay.dds import solve_all_boards
    from endplay.dds.solve import SolveMode
    from endplay.types import Deal, Denom, Player

    n = 200
    ours, result = cpu(lambda: dk.run(SCRIPT, produce=n, seed=options.seed), 3)
    texts = dk.deal(n, seed=options.seed).to_pbn()

    def numbers() -> list[int]:
        deals = [Deal(text, first=Player.west, trump=Denom.spades) for text in texts]
        solved = [
            s for k in range(0, n, 100) for s in solve_all_boards(deals[k : k + 100], SolveMode.OptimalOne)
        ]
        return [13 - next(iter(board))[1] for board in solved]

    theirs, tricks = cpu(numbers, 3)
    share = sum(t >= 10 for t in tricks) / n
    if result["4S"].mean.value != share:
        raise SystemExit(f"different shares: {result['4S'].mean()} and {share} over {n} deals")
    value = f"{n / ours:.0f} deals/s against {n / theirs:.0f}: {theirs / ours:.1f} times"
    yield f"`{SCRIPT[7:]}`, {n} deals, against tricks from endplay", value, "at least 6"


def leads(options: argparse.Namespace) -> Iterator[Row]:
    """Measure which leads beat a contract against the score of every lead."""
    deals = dk.deal(200, seed=options.seed + 1)
    all_scores, tricks = cpu(lambda: dk.leads(deals, "3NT", "south"))
    beating, beats = cpu(lambda: dk.leads(deals, "3NT", "south", measure="beats"))
    if not (tricks.beats == beats.beats).all():
        raise SystemExit("different cards beat the contract")
    yield (
        "leads that beat 3NT, 200 deals, against every score",
        f"{all_scores / beating:.1f} times",
        "at least 3.5",
    )


def store(options: argparse.Namespace) -> Iterator[Row]:
    """Measure a second run over the same deals, and look-ups."""
    sample = dk.solved_sample()
    deals = dk.Deals(sample.hands[:2000])
    first, _tables = cpu(lambda: look_up_tables(deals[:100]))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DEALERKIT_STORE"] = str(Path(folder) / "small.sqlite")
        current_store().update(deals.hands, sample.tables[:2000], sample.tables[:2000])
        second, tables = cpu(lambda: look_up_tables(deals), 3)
        if not np.array_equal(tables, sample.tables[:2000]):
            raise SystemExit("the store gives other tables than the sample")
        value = f"{second:.3f} s against {20 * first:.0f} s: {20 * first / second:,.0f} times"
        # Solving 2,000 tables takes minutes, so a twentieth is solved.
        yield "second run over 2,000 tables (first: 20 times 100 tables)", value, "at least 200"
        os.environ["DEALERKIT_STORE"] = str(Path(folder) / "large.sqlite")
        hands = dk.deal(options.big, seed=5).hands
        tables = np.random.default_rng(5).integers(0, 14, (options.big, 5, 4)).astype(np.int8)
        for k in range(0, options.big, BATCH):
            part = slice(k, k + BATCH)
            current_store().update(hands[part], tables[part], tables[part])
        steps = range(0, options.big, BATCH)
        seconds, lows = cpu(lambda: [current_store().look_up(hands[k : k + BATCH])[0] for k in steps], 3)
        if not np.array_equal(np.concatenate(lows), tables):
            raise SystemExit("the store gives other tables than were written")
        current_store().close()
    os.environ["DEALERKIT_STORE"] = "off"
    yield f"{options.big:,} look-ups in a store of as many deals", f"{seconds:.2f} s", "under 2.5 s"


def attached(options: argparse.Namespace) -> Iterator[Row]:
    """Measure a comparison that reads attached tables."""
    tables = np.random.default_rng(6).integers(0, 14, (options.big, 5, 4)).astype(np.int8)
    deals = dk.deal(options.big, seed=6).replace(tables=tables)
    seconds, makes = cpu(lambda: deals.eval("dds(south, notrump) >= 9"), 5)
    if not np.array_equal(makes, tables[:, 4, 2] >= 9):
        raise SystemExit("a comparison of attached tables is wrong")
    yield (
        "attached tables, `dds(south, notrump) >= 9`",
        f"{options.big / seconds / 1e6:.0f} M deals/s",
        "at least 5",
    )


PARTS = {f.__name__: f for f in (outside, threads, threshold, leads, store, attached)}


def main() -> None:
    """Measure, and print each row as soon as it is measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--big", type=int, default=1_000_000, help="deals looked up")
    parser.add_argument("--seed", type=int, default=13)
    options = parser.parse_args()
    os.environ["DEALERKIT_STORE"] = "off"
    print("| what | measured | target |\n|---|---|---|", flush=True)
    for name in options.only:
        for row in PARTS[name](options):
            print("|", " | ".join(row), "|", flush=True)


if __name__ == "__main__":
    main()
