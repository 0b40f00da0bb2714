"""Double dummy: the cost outside the solver, and the savings of thresholds and stored results.

    python tests/benchmarks/doubledummy.py [--quick]

Times are CPU seconds of the process, all its threads together, so that other work on the machine disturbs them
little; only the row "two threads" compares elapsed times. The store is off except for its own rows, which use a
temporary file. Deals are random with fixed seeds, or from the solved sample.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

os.environ["DEALERKIT_STORE"] = "off"
sys.path.insert(0, str(Path(__file__).parent))
from common import Row, main  # noqa: E402

import dealerkit as dk  # noqa: E402
from dealerkit.doubledummy import batches, library  # noqa: E402
from dealerkit.doubledummy.lookup import BATCH, look_up_tables  # noqa: E402
from dealerkit.doubledummy.store.database import current_store  # noqa: E402

TABLES = {"double dummy": ("what", "measured")}
SEED = 13
Cells = tuple[str, str]
SCRIPT = 'action average "4S" dds(south, spades) >= 10'


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


def outside(quick: bool) -> Iterator[Cells]:
    """Measure the share of time outside the library's calls, from deals to results."""
    n = 40 if quick else 200
    deals = dk.deal(n, seed=11)
    dk.dd_tricks(deals[:2], "spades", "south")  # loads the library, compiles kernels
    calls = {
        f"tables, {n // 5} deals": lambda: dk.dd_table(deals[: n // 5]),
        f"rows (one strain), {n // 2} deals": lambda: dk.dd_table(deals[: n // 2], "S"),
        f"single boards, tricks, {n} deals": lambda: dk.dd_tricks(deals, "notrump", "south"),
        f"single boards, 10 tricks or not, {n} deals": lambda: dk.dd_makes(deals, "4S", "south"),
    }
    for name, call in calls.items():
        with LibraryClock() as clock:
            total, _ = cpu(call)
        share = 100 * (total - clock.seconds) / total
        yield f"outside the library: {name}", f"{share:.1f} % of {total:.2f} s"


def threads(quick: bool) -> Iterator[Cells]:
    """Measure two threads against one."""
    n, pairs = (100, 1) if quick else (400, 5)
    deals = dk.deal(n, seed=12).hands
    ratios, busy = [], []
    for _ in range(pairs):
        clock = {}
        for number in (1, 2):
            begin, work = time.perf_counter(), time.process_time()
            batches.solve_boards(deals, 4, 2, threads=number)
            clock[number] = time.perf_counter() - begin
        busy.append((time.process_time() - work) / clock[2])
        ratios.append(clock[1] / clock[2])
    title = f"two threads against one, {n} boards, elapsed time, median of {pairs} pairs"
    value = f"{statistics.median(ratios):.2f} times ({statistics.median(busy):.2f} processors used)"
    yield title, value


def threshold(quick: bool) -> Iterator[Cells]:
    """Measure the threshold test of a script against the number of tricks through endplay."""
    from endplay.dds import solve_all_boards
    from endplay.dds.solve import SolveMode
    from endplay.types import Deal, Denom, Player

    n, times = (50, 2) if quick else (200, 3)
    ours, result = cpu(lambda: dk.run(SCRIPT, produce=n, seed=SEED), times)
    texts = dk.deal(n, seed=SEED).to_pbn()

    def numbers() -> list[int]:
        deals = [Deal(text, first=Player.west, trump=Denom.spades) for text in texts]
        solved = [
            s for k in range(0, n, 100) for s in solve_all_boards(deals[k : k + 100], SolveMode.OptimalOne)
        ]
        return [13 - next(iter(board))[1] for board in solved]

    theirs, tricks = cpu(numbers, times)
    share = sum(t >= 10 for t in tricks) / n
    if result["4S"].mean.value != share:
        raise SystemExit(f"different shares: {result['4S'].mean()} and {share} over {n} deals")
    value = f"{n / ours:.0f} deals/s against {n / theirs:.0f}: {theirs / ours:.1f} times"
    yield f"`{SCRIPT[7:]}`, {n} deals, against tricks from endplay", value


def leads(quick: bool) -> Iterator[Cells]:
    """Measure which leads beat a contract against the score of every lead."""
    n = 50 if quick else 200
    deals = dk.deal(n, seed=SEED + 1)
    all_scores, tricks = cpu(lambda: dk.leads(deals, "3NT", "south"))
    beating, beats = cpu(lambda: dk.leads(deals, "3NT", "south", measure="beats"))
    if not (tricks.beats == beats.beats).all():
        raise SystemExit("different cards beat the contract")
    yield f"leads that beat 3NT, {n} deals, against every score", f"{all_scores / beating:.1f} times"


def store(quick: bool) -> Iterator[Cells]:
    """Measure a second run over the same deals, and look-ups."""
    n_deals, parts = (100_000, 100) if quick else (1_000_000, 20)
    sample = dk.solved_sample()
    deals = dk.Deals(sample.hands[:2000])
    first, _tables = cpu(lambda: look_up_tables(deals[: 2000 // parts]))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DEALERKIT_STORE"] = str(Path(folder) / "small.sqlite")
        current_store().update(deals.hands, sample.tables[:2000], sample.tables[:2000])
        second, tables = cpu(lambda: look_up_tables(deals), 3)
        if not np.array_equal(tables, sample.tables[:2000]):
            raise SystemExit("the store gives other tables than the sample")
        value = f"{second:.3f} s against {parts * first:.0f} s: {parts * first / second:,.0f} times"
        # Solving 2,000 tables takes minutes, so a part is solved.
        yield f"second run over 2,000 tables (first: {parts} times {2000 // parts} tables)", value
        os.environ["DEALERKIT_STORE"] = str(Path(folder) / "large.sqlite")
        hands = dk.deal(n_deals, seed=5).hands
        tables = np.random.default_rng(5).integers(0, 14, (n_deals, 5, 4)).astype(np.int8)
        for k in range(0, n_deals, BATCH):
            part = slice(k, k + BATCH)
            current_store().update(hands[part], tables[part], tables[part])
        steps = range(0, n_deals, BATCH)
        seconds, lows = cpu(lambda: [current_store().look_up(hands[k : k + BATCH])[0] for k in steps], 3)
        if not np.array_equal(np.concatenate(lows), tables):
            raise SystemExit("the store gives other tables than were written")
        current_store().close()
    os.environ["DEALERKIT_STORE"] = "off"
    yield f"{n_deals:,} look-ups in a store of as many deals", f"{seconds:.2f} s"


def attached(quick: bool) -> Iterator[Cells]:
    """Measure a comparison that reads attached tables."""
    n_deals = 100_000 if quick else 1_000_000
    tables = np.random.default_rng(6).integers(0, 14, (n_deals, 5, 4)).astype(np.int8)
    deals = dk.deal(n_deals, seed=6).replace(tables=tables)
    seconds, makes = cpu(lambda: deals.eval("dds(south, notrump) >= 9"), 5)
    if not np.array_equal(makes, tables[:, 4, 2] >= 9):
        raise SystemExit("a comparison of attached tables is wrong")
    yield (
        "attached tables, `dds(south, notrump) >= 9`",
        f"{n_deals / seconds / 1e6:.0f} million deals a second",
    )


def measure(quick: bool) -> Iterator[Row]:
    """Yield the rows of the table."""
    for part in (threshold, attached, store, leads, outside, threads):
        for cells in part(quick):
            yield "double dummy", cells


if __name__ == "__main__":
    main(TABLES, measure, __doc__)
