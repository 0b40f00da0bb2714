"""The own double-dummy solver beside DDS: CPU time of typical questions, positions visited, memory.

    python tests/benchmarks/solvers.py [--quick]
    python tests/benchmarks/solvers.py --jobs

Both solve the same deals one after another, in turn, each question from nothing: between two questions DDS solves
another deal, since it keeps what it knows of the last one. "ratio" is the own solver's time divided by that of DDS, in
total and for the median deal. Positions have the same number of cards in each hand and none on the table. Thresholds are those of north as declarer, at the number of tricks that he takes and
one above, where they are hardest. DDS counts positions in another way, and none for tables. `--jobs` measures only
the last table: whole studies on all threads, with each solver in turn, the least of three runs.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]
import numpy as np  # noqa: E402
from common import Row, main  # noqa: E402

import dealerkit as dk  # noqa: E402
from dealerkit.doubledummy.library_calls import call_boards, call_rows  # noqa: E402
from dealerkit.doubledummy.solver.boards import measure_searches  # noqa: E402
from dealerkit.doubledummy.solvers import use_solver  # noqa: E402
from tests.doubledummy.solver.comparison import draw_freak  # noqa: E402
from tests.support.endings import draw_ending  # noqa: E402

COLUMNS = (
    "deals", "question", "questions", "own ms", "DDS ms", "ratio", "median ratio", "own positions",
    "DDS positions", "different",
)  # fmt: skip
TABLES = {
    "solvers": COLUMNS, "threads": ("threads", "solver", "CPU s", "elapsed s"), "memory": ("own MB",),
    "jobs": ("job", "own, elapsed s", "DDS, elapsed s", "own / DDS"),
}  # fmt: skip
SUITS = np.array([[0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFF]], np.uint64)
KNOWN = {"north": "AQ74.KJ5.Q82.K63", "south": "KJ82.AQ3.K94.Q75"}
# Random deals, freaks, deals with two known hands, positions of each size
SIZES = {True: (12, 4, 10, 5), False: (300, 100, 200, 30)}
STRAINS = {"spades": 0, "notrump": 4}
Solve = Callable[[np.ndarray], tuple[object, int]]  # the result and DDS's count of positions


def solve_table(strains: range | list[int]) -> Solve:
    return lambda hands: ([call_rows(hands, strain, 1).tolist() for strain in strains], 0)


def solve_cards(strain: int, target: int, solutions: int) -> Solve:
    """Return a function that solves the leads of east, or with one solution whether they reach a target."""

    def solve(hands: np.ndarray) -> tuple[object, int]:
        found = call_boards(hands, strain, 1, target, solutions, threads=1)[0]
        if solutions == 1:
            return bool(found["score"][0] >= target), int(found["nodes"])
        cards = zip(found["suit"], found["rank"], found["score"], strict=True)
        return sorted(tuple(map(int, card)) for card in list(cards)[: found["cards"]]), int(found["nodes"])

    return solve


def list_questions(strain: int, tricks: int) -> Iterator[tuple[str, Solve]]:
    """Yield the questions about a deal in which north takes `tricks` tricks: name, function."""
    yield "four declarers of a strain", solve_table([strain])
    for name, needed in (("makes: just", tricks), ("makes: one too high", tricks + 1)):
        if 1 <= needed <= 13:
            yield name, solve_cards(strain, 14 - needed, 1)
            yield f"13 leads, beaten or not, {name.partition(': ')[2]}", solve_cards(strain, 14 - needed, 2)


def compare(kind: str, deals: np.ndarray, questions: Callable) -> Iterator[Row]:
    """Yield a row for each question about some deals."""
    times: dict[str, list[tuple[float, float, int, int, bool]]] = {}
    for hands in deals[:, None]:
        for name, solve in questions(hands):
            seconds, counts, results = [], [], []
            for solver in ("own", "dds"):
                with use_solver(solver):
                    call_boards(SUITS, 4, 0, threads=1)  # both forget the deal
                    nodes, start = measure_searches()[0], time.process_time()
                    result, n = solve(hands)
                    seconds.append(time.process_time() - start)
                    counts.append(measure_searches()[0] - nodes if solver == "own" else n)
                    results.append(result)
            times.setdefault(name, []).append((*seconds, *counts, results[0] != results[1]))
    for name, rows in times.items():
        own, dds, own_nodes, dds_nodes, different = np.array(rows, float).T
        yield (
            "solvers",
            (
                kind, name, len(rows), 1e3 * own.mean(), 1e3 * dds.mean(), own.sum() / dds.sum(),
                float(np.median(own / dds)), own_nodes.mean(), dds_nodes.mean(), int(different.sum()),
            ),
        )  # fmt: skip


def list_position_questions(hands: np.ndarray, strain: int) -> Iterator[tuple[str, Solve]]:
    """Yield the questions about a position: all cards, and whether east's side takes its tricks or one more."""
    with use_solver("dds"):
        tricks = int(call_boards(hands, strain, 1, threads=1)["score"][0, 0])
    yield "tricks of each card", solve_cards(strain, -1, 3)
    for name, target in (("just", tricks), ("one too high", tricks + 1)):
        if 1 <= target <= int(hands[0, 0]).bit_count():
            yield f"a number of tricks: {name}", solve_cards(strain, target, 1)
            yield f"all cards that reach it: {name}", solve_cards(strain, target, 2)


def compare_positions(n: int) -> Iterator[Row]:
    """Yield the rows of positions with 3 to 12 cards in each hand."""
    rng = np.random.default_rng(40)
    for size in range(3, 13):
        positions = np.array([draw_ending(rng, size).hands for _ in range(n)], np.uint64)
        for name, strain in STRAINS.items():
            questions = partial(list_position_questions, strain=strain)
            yield from compare(f"{size} cards, {name}", positions, questions)


def measure(quick: bool) -> Iterator[Row]:
    """Yield the rows: random deals, freaks, two known hands; positions; threads; memory."""
    n, n_freaks, n_fixed, n_positions = SIZES[quick]
    rng = np.random.default_rng(39)
    kinds = {
        "random": dk.deal(n, seed=39).hands,
        "freaks": np.array([draw_freak(rng) for _ in range(n_freaks)], np.uint64),
        "two hands known": dk.deal(n_fixed, predeal=KNOWN, seed=39).hands,
    }
    for kind, deals in kinds.items():
        if kind != "two hands known":
            yield from compare(kind, deals, lambda hands: [("table of 20", solve_table(range(5)))])
        for name, strain in STRAINS.items():

            def questions(hands: np.ndarray, strain: int = strain) -> Iterator[tuple[str, Solve]]:
                with use_solver("dds"):
                    tricks = int(call_rows(hands, strain, 1)[0, 0])
                return list_questions(strain, tricks)

            yield from compare(f"{kind}, {name}", deals, questions)
    yield from compare_positions(n_positions)
    for threads in (1, 2):
        for solver in ("own", "dds"):
            with use_solver(solver):
                start, begin = time.process_time(), time.perf_counter()
                call_rows(kinds["random"][: min(n, 40)], 0, threads)
                yield (
                    "threads",
                    (threads, solver, time.process_time() - start, time.perf_counter() - begin),
                )
    yield "memory", (measure_searches()[1] / 1e6,)
    yield from measure_jobs(quick)


def measure_jobs(quick: bool = False) -> Iterator[Row]:
    """Yield the elapsed seconds of a study, a lead and tables with each solver; nothing is looked up."""
    quiet, n = {"seed": 4, "progress": False}, 4 if quick else 1
    fit = "spades(south) >= 5 and spades(north) >= 3 and hcp(north) + hcp(south) >= 22"
    notrump = (
        "balanced(south) and hcp(south) >= 15 and hcp(south) <= 17 and hcp(north) >= 9 and balanced(north)"
    )
    deals = dk.deal(100 // n, seed=4)
    jobs: dict[str, Callable[[], object]] = {
        "4S makes, to 1.5 %": lambda: dk.estimate(
            "dds(south, spades) >= 10", fit, solved=None, precision=0.015 * n, **quiet
        ),
        "a lead against 3NT, 300 deals": lambda: dk.lead(
            "QJ83.K92.T64.A75", "3NT by south", given=notrump, produce=300 // n, **quiet
        ),
        "tables of 100 deals": lambda: dk.dd_table(deals, progress=False),
    }
    for name, job in jobs.items():
        seconds: dict[str, list[float]] = {"own": [], "dds": []}
        for _ in range(3):
            for solver, times in seconds.items():
                with use_solver(solver):
                    start = time.perf_counter()
                    job()
                    times.append(time.perf_counter() - start)
        own, dds = min(seconds["own"]), min(seconds["dds"])
        yield "jobs", (name, own, dds, own / dds)


if __name__ == "__main__":
    os.environ["DEALERKIT_STORE"] = "off"
    only_jobs = "--jobs" in sys.argv
    if only_jobs:
        sys.argv.remove("--jobs")
    main({"jobs": TABLES["jobs"]} if only_jobs else TABLES, measure_jobs if only_jobs else measure, __doc__)
