"""CPU nanoseconds per deal on one thread: dealing by itself, and how the cost of a run grows.

    python tests/benchmarks/dealing.py [--quick]

Dealing is the least of several blocks of 65,536 deals, with the array that holds them; runs are by plain dealing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from common import Row, least, main  # noqa: E402
from peers import run_dealerkit  # noqa: E402

from dealerkit.dealing import Predeal
from dealerkit.dealing.classic import ClassicV1, ClassicV2
from dealerkit.dealing.uniform import deal_numbered, deal_range

N_DEALS = 65_536
TABLES = {"dealing": ("what", "ns per deal"), "growth": ("run, plain dealing", "deals", "ns per deal")}
AVERAGE = "action average hcp(south)"
RUNS = {
    "average, no condition": (AVERAGE, (100_000, 1_000_000, 10_000_000)),
    "one clause on one hand": (f"condition hcp(north) >= 16 {AVERAGE}", (10_000_000,)),
    "three clauses on the same hand": (
        f"condition hcp(north) >= 16 and spades(north) >= 4 and controls(north) >= 5 {AVERAGE}",
        (10_000_000,),
    ),
    "clauses on both hands of a side": (
        f"condition hcp(north) >= 16 and hcp(south) >= 8 {AVERAGE}",
        (10_000_000,),
    ),
    "clauses on three hands": (
        f"condition hcp(north) >= 16 and hcp(south) >= 8 and spades(east) >= 4 {AVERAGE}",
        (10_000_000,),
    ),
}


def list_blocks() -> Iterator[tuple[str, int, Callable[[], object]]]:
    """Yield names, numbers of deals and calls that deal them."""
    card, whole = (Predeal.from_mapping({"north": cards}) for cards in ("SA", "SAKQJT98765432"))
    length = Predeal.from_mapping({"north": {"spades": 5}})
    yield "uniform, four hands", N_DEALS, lambda: deal_range(1, 0, N_DEALS)
    yield "uniform, one side's two hands", N_DEALS, lambda: deal_range(1, 0, N_DEALS, 5)
    yield "one card predealt", N_DEALS, lambda: deal_range(1, 0, N_DEALS, predeal=card)
    yield "a whole hand predealt", N_DEALS, lambda: deal_range(1, 0, N_DEALS, predeal=whole)
    yield "one suit length predealt, four hands", N_DEALS, lambda: deal_range(1, 0, N_DEALS, predeal=length)
    yield "one suit length predealt, its side", N_DEALS, lambda: deal_range(1, 0, N_DEALS, 5, predeal=length)
    yield "swapping, mode 2", N_DEALS, lambda: deal_range(1, 0, N_DEALS, swap=2)
    yield "swapping, mode 3", N_DEALS, lambda: deal_range(1, 0, N_DEALS, swap=3)
    numbers = np.sort(np.random.default_rng(1).choice(N_DEALS, 2000, replace=False))
    yield "2,000 deals of a block, chosen by number", 2000, lambda: deal_numbered(1, numbers)
    for name, stream in (
        ("classic stream v1", ClassicV1(1)),
        ("classic stream v1, swapping mode 3", ClassicV1(1, swap=3)),
        ("classic stream v2, no deal accepted", ClassicV2(1)),
    ):
        yield name, N_DEALS, lambda stream=stream: stream.deal(N_DEALS)


def measure(quick: bool) -> Iterator[Row]:
    """Yield the rows of both tables."""
    for name, count, deal in list_blocks():
        yield "dealing", (name, 1e9 * least(deal, 5 if quick else 25) / count)
    for name, (script, counts) in RUNS.items():
        for count in counts:
            seconds = least(lambda: run_dealerkit(script, 1, "plain", generate=count), 1 if quick else 5)  # noqa: B023
            yield "growth", (name, count, 1e9 * seconds / count)


if __name__ == "__main__":
    main(TABLES, measure, __doc__)
