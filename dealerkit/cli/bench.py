"""`dealerkit bench`: the speed of this machine, and with --selftest whether its deals are uniform."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from dealerkit.cli.arguments import FAILED, describe_exit_status

if TYPE_CHECKING:
    from dealerkit.simulation.uniformity import UniformityTest

HELP = "measure the speed of dealing, or test that all deals are equally likely"
DESCRIPTION = (
    "Measure how many deals a second this machine deals and selects. With --selftest, deal a million and "
    "compare them with exact probabilities: chi-square tests of cards, lengths, points, consecutive deals, "
    "seeds, and deals with a condition. They take seconds. The manual has the same tests of a hundred "
    "million deals."
)
LEAST_P = 1e-6  # of all tests together
EPILOG = describe_exit_status(first="if a test fails")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("--selftest", action="store_true", help="test the deals, not the speed")
    parser.add_argument("--deals", type=int, default=1_000_000, metavar="N", help="1,000,000 by default")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="1 by default")


def run_verb(options: argparse.Namespace) -> int:
    """Print the table; return the exit status."""
    from dealerkit.arguments import check_integer

    n, seed = check_integer("deals", options.deals, 10_000), check_integer("seed", options.seed, 0)
    if options.selftest:
        return print_tests(n, seed)
    for name, seconds, count in measure(n, seed):
        sys.stdout.write(f"{name:44} {count / seconds:14,.0f} deals a second\n")
    return 0


def measure(n: int, seed: int) -> Iterator[tuple[str, float, int]]:
    """Yield what was timed, the seconds and the number of deals."""
    from dealerkit.simulation.run import deal, run

    script = "condition hcp(north) >= 15 and hcp(north) <= 17 action average hcp(south)"
    options: dict[str, Any] = {"seed": seed, "keep": 0, "progress": False}
    timed: dict[str, Callable[[], object]] = {
        "deal all four hands": lambda: deal(n, seed=seed, progress=False),
        "select 15 to 17 points, deal by deal": lambda: run(script, generate=n, plan="plain", **options),
        "deal 15 to 17 points": lambda: run(script, produce=n // 10, **options),
    }
    for name, function in timed.items():
        function()  # compiles
        started = time.perf_counter()
        function()
        yield name, time.perf_counter() - started, n // 10 if "deal 15" in name else n


def print_tests(n: int, seed: int) -> int:
    """Print the tests as they end; return the exit status."""
    from dealerkit.simulation import uniformity

    families: tuple[Iterator[UniformityTest], ...] = (
        uniformity.compare_plain(n, seed),
        uniformity.compare_conditional(max(n // 10, 1000), seed),
        uniformity.compare_seeds(max(n // 500, 100), seed),
    )
    sys.stdout.write(f"{'':44} {'deals':>11} {'chi-square':>11} {'freedom':>8} {'p':>8}\n")
    values, last = [], ""
    for family in families:
        for test in family:
            if test.family != last:
                sys.stdout.write(f"{test.family}\n")
                last = test.family
            numbers = f"{test.n:11,} {test.statistic:11,.1f} {test.freedom:8,.0f} {test.p:8.4f}"
            sys.stdout.write(f"  {test.name:42} {numbers}\n")
            values.append(test.p)
    least = min(values)
    smallest = 1 - (1 - least) ** len(values)
    sys.stdout.write(
        f"{len(values)} tests; the smallest p is {least:.2g}. So small a value or a smaller one occurs in "
        f"{smallest:.2g} of all such tables.\n"
    )
    if smallest < LEAST_P:
        sys.stderr.write("The deals are not uniform. Please report this table.\n")
        return FAILED
    return 0
