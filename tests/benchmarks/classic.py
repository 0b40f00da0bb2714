"""Speed of scripts whose random numbers, or whose acceptance, change the deals of a classic stream.

    python tests/benchmarks/classic.py [--runs 5]

Times are CPU seconds, the least of `runs`; the programs alternate. Two quotients are printed: of Debian's `dealer`
and dealerkit for a script that levels hand types by `rnd` in its condition, and of the streams v2 and v1 for
conditions that accept many or few deals. dealer is measured as a whole process, dealerkit in this process.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import dealerkit as dk

sys.path.insert(0, str(Path(__file__).parent))
from peers import machine, run_dealer  # noqa: E402 - the module beside this file

LEVELLING = """roll = (rnd(1000) % 1000 + 1000) % 1000
condition (hcp(north) + hcp(south) >= 20 and roll < 500) or (hcp(north) + hcp(south) < 20 and roll < 100)
action average "points" hcp(north), average "rnd" rnd(10)
"""
AVERAGE = 'action average "points" hcp(north)'
CONDITIONS = {
    "every deal": f"condition 1 {AVERAGE}",
    "four deals of nine": f"condition hcp(north) > 10 {AVERAGE}",
    "one deal of ten thousand": f"condition hcp(north) >= 24 and hcp(south) >= 9 {AVERAGE}",
}


def run_dealerkit(script: str, n_deals: int, dialect: str) -> tuple[float, int]:
    """Return CPU seconds and produced deals of a run on the classic stream of a dialect."""
    start = time.process_time()
    result = dk.run(
        script, generate=n_deals, produce=10**9, seed=1, dialect=dialect, stream="classic", keep=0
    )
    return time.process_time() - start, result.produced


def compare_levelling(n_deals: int, runs: int) -> str:
    """Return the CPU times of dealer and dealerkit for the levelling script, and their quotient."""
    run_dealerkit(LEVELLING, 100, "v1")
    seconds: list[tuple[float, float]] = []
    for _ in range(runs):
        theirs, _, expected = run_dealer(LEVELLING, "-g", str(n_deals))
        ours, produced = run_dealerkit(LEVELLING, n_deals, "v1")
        assert produced == expected, f"dealer produced {expected}, dealerkit {produced}"
        seconds.append((theirs, ours))
    dealer, dealerkit = (min(column) for column in zip(*seconds, strict=True))
    return (
        f"levelling, {n_deals:,} deals, {produced:,} produced: dealer {dealer:.2f} s, dealerkit {dealerkit:.2f} s, "
        f"{dealer / dealerkit:.1f} times faster (at least 0.5)"
    )


def compare_streams(name: str, n_deals: int, runs: int) -> str:
    """Return the CPU times of the two streams for a condition, and their quotient."""
    seconds = [
        tuple(run_dealerkit(CONDITIONS[name], n_deals, dialect)[0] for dialect in ("v1", "v2"))
        for _ in range(runs + 1)
    ]
    first, second = (min(column) for column in zip(*seconds[1:], strict=True))
    return (
        f"{name} accepted, {n_deals:,} deals: v1 {first:.3f} s, v2 {second:.3f} s, "
        f"quotient {second / first:.1f} (at most 3)"
    )


def main() -> None:
    """Measure, and print each quotient as soon as it is measured."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    print(machine(), end="\n\n")
    print(compare_levelling(1_000_000, runs), flush=True)
    for name in CONDITIONS:
        print(compare_streams(name, 1_000_000, runs), flush=True)


if __name__ == "__main__":
    main()
