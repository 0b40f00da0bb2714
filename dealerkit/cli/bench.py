"""`dealerkit bench`: measures the speed of this machine; with --selftest, tests that deals are uniform."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from dealerkit.cli.arguments import FAILED, Verb, add_shared, describe_exit_status
from dealerkit.cli.results import print_result

if TYPE_CHECKING:
    from dealerkit.appearance.card import Card
    from dealerkit.simulation.uniformity import UniformityTest

LEAST_P = 1e-6  # for all tests together


def _add_bench_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("--selftest", action="store_true", help="test the deals instead of the speed")
    parser.add_argument("--deals", type=int, default=1_000_000, metavar="N", help="1,000,000 by default")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="1 by default")
    add_shared(parser, "--json")


def _run_bench(options: argparse.Namespace) -> int:
    """Print the table; return the exit status."""
    from dealerkit.arguments import check_integer

    n, seed = check_integer("deals", options.deals, 10_000), check_integer("seed", options.seed, 0)
    if not options.selftest:
        print_result(measure(n, seed), options)
        return 0
    tests = run_tests(n, seed)
    share = find_share(tests)
    print_result(tabulate_tests(tests, share), options)
    if share < LEAST_P:
        sys.stderr.write("The deals are not uniform. Please report this table.\n")
        return FAILED
    return 0


def measure(n: int, seed: int) -> Card:
    """Return the speed of three kinds of dealing as a card; the time of compilation is not counted."""
    from dealerkit.appearance.card import Card
    from dealerkit.appearance.table import Column, Table
    from dealerkit.simulation.run import deal, run

    script = "condition hcp(north) >= 15 and hcp(north) <= 17 action average hcp(south)"
    options: dict[str, Any] = {"seed": seed, "keep": 0, "progress": False}
    timed: dict[str, tuple[int, Callable[[], object]]] = {
        "deal all four hands": (n, lambda: deal(n, seed=seed, progress=False)),
        "select 15 to 17 points, deal by deal": (
            n, lambda: run(script, generate=n, plan="plain", **options),
        ),
        "deal 15 to 17 points": (n // 10, lambda: run(script, produce=n // 10, **options)),
    }  # fmt: skip
    rows = []
    for name, (count, function) in timed.items():
        function()  # compiles
        started = time.perf_counter()
        function()
        seconds = time.perf_counter() - started
        rows.append([name, count, seconds, count / seconds])
    columns = [
        Column("work", "", kind="name"),
        Column("deals", kind="count"),
        Column("seconds", digits=2),
        Column("rate", "deals a second", digits=3),
    ]
    return Card("Speed of dealing", tables=[Table(columns, rows)], is_part=True)


def run_tests(n: int, seed: int) -> list[UniformityTest]:
    """Test n deals, fewer with a condition, and deals of several seeds, with a progress bar."""
    from dealerkit.runtime.progress import track_items
    from dealerkit.simulation import uniformity

    tests: list[UniformityTest] = []
    families = (
        uniformity.compare_plain(n, seed),
        uniformity.compare_conditional(max(n // 10, 1000), seed),
        uniformity.compare_seeds(max(n // 500, 100), seed),
    )
    for family in track_items(families, len(families), "groups of tests"):
        tests += family
    return tests


def find_share(tests: Sequence[UniformityTest]) -> float:
    """Return the probability of a smallest p this small or smaller if all deals are equally likely."""
    return 1 - (1 - min(test.p for test in tests)) ** len(tests)


def tabulate_tests(tests: Sequence[UniformityTest], share: float) -> Card:
    """Return a card of the tests, with a table for each family."""
    from dealerkit.appearance.card import Card
    from dealerkit.appearance.table import Column, Quantity, Table

    columns = [
        Column("test", kind="name"),
        Column("deals", kind="count"),
        Column("chi_square", "chi-square", decimals=1),
        Column("freedom", kind="count"),
        Column("p", decimals=4),
    ]
    families = dict.fromkeys(test.family for test in tests)
    tables = [
        Table(columns, [test[1:] for test in tests if test.family == family], family) for family in families
    ]
    least = Quantity(min(test.p for test in tests), digits=2)
    verdict = (
        f"{len(tests)} tests; the smallest p is ", least, ". So small a value or a smaller one occurs in ",
        Quantity(share, digits=2), " of all such tables.",
    )  # fmt: skip
    return Card("Chi-square tests of uniform deals", tables=tables, notes=[verdict])


BENCH = Verb(
    "bench",
    "measure the speed of dealing, or test that all deals are equally likely",
    "Measure how many deals a second this machine deals and selects. With --selftest, deal a million deals "
    "and "
    "compare them with exact probabilities: chi-square tests of cards, lengths, points, consecutive deals, "
    "seeds, and deals with a condition. This takes seconds. The manual shows the same tests of a hundred "
    "million deals.",
    _add_bench_arguments,
    _run_bench,
    describe_exit_status(first="if a test fails"),
    examples=(
        "dealerkit bench",
        "dealerkit bench --selftest --deals 2000000",
    ),
)
