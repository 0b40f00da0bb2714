"""Scripts whose random numbers, or whose acceptance, change the deals of a classic stream.

    python tests/benchmarks/classic.py [--quick]

CPU seconds for a million deals, the least of five runs; the programs alternate. dealer is measured as a whole
process, dealerkit in this process. The first script levels hand types by `rnd` in its condition.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import Row, alternate, main  # noqa: E402
from peers import all_cpu, run_dealer  # noqa: E402

import dealerkit as dk  # noqa: E402

TABLES = {"classic": ("script", "dealer, s", "dealerkit v1, s", "dealerkit v2, s")}
LEVELLING = """roll = (rnd(1000) % 1000 + 1000) % 1000
condition (hcp(north) + hcp(south) >= 20 and roll < 500) or (hcp(north) + hcp(south) < 20 and roll < 100)
action average "points" hcp(north), average "rnd" rnd(10)
"""
AVERAGE = 'action average "points" hcp(north)'
CONDITIONS = {
    "levelling by `rnd` in the condition": LEVELLING,
    "every deal accepted": f"condition 1 {AVERAGE}",
    "four deals of nine accepted": f"condition hcp(north) > 10 {AVERAGE}",
    "one deal of ten thousand accepted": f"condition hcp(north) >= 24 and hcp(south) >= 9 {AVERAGE}",
}


def run_classic(script: str, n_deals: int, dialect: str) -> int:
    """Return the number of deals produced on the classic stream of a dialect."""
    limits = {"generate": n_deals, "produce": 10**9}
    return dk.run(script, **limits, seed=1, dialect=dialect, stream="classic", keep=0).produced


def measure(quick: bool) -> Iterator[Row]:
    """Yield a row for each script."""
    n_deals = 1_000_000
    for name, script in CONDITIONS.items():
        calls = [
            lambda: run_dealer(script, "-g", str(n_deals)),  # noqa: B023
            lambda: run_classic(script, n_deals, "v1"),  # noqa: B023
            lambda: run_classic(script, n_deals, "v2"),  # noqa: B023
        ]
        dealer, v1, _ = (call() for call in calls)
        assert dealer == v1, f"dealer produced {dealer}, dealerkit {v1}"
        yield "classic", (name, *map(min, alternate(calls, 1 if quick else 5, all_cpu)))


if __name__ == "__main__":
    main(TABLES, measure, __doc__)
