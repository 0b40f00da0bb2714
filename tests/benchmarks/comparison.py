"""A comparison of 20 evaluators on 50,000 solved deals, with all that it can compute.

    python tests/benchmarks/comparison.py [--quick]

The comparison has a decision between game and part score, the probabilities of game and slam, cross-validated figures
and simultaneous intervals for all pairs.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from common import Row, least, main  # noqa: E402

import dealerkit as dk  # noqa: E402

TABLES = {"comparison": ("evaluators", "solved deals", "elapsed, s", "CPU, s")}
EVALUATORS = (
    "hcp controls losers ltc newltc cccc fifths bumrap bergen goren kaplan karpin knr larsson pavlicek roth "
    "sheinwold zarbasic zar opc"
).split()


def compare(deals: dk.Deals) -> None:
    """Compare the evaluators and compute every figure."""
    trial = dk.compare(
        EVALUATORS, sample=deals, strain="best major", decision=("4M", "3M"), vulnerable=True,
        events=("game", "slam"),
    )  # fmt: skip
    str(trial), trial.pairs, trial.decision.pairs, trial.predictions.frame, trial.predictions.pairs


def measure(quick: bool) -> Iterator[Row]:
    """Yield the row of the table."""
    deals = dk.solved_sample()[: 5_000 if quick else 50_000]
    clocks = (time.perf_counter, time.process_time)
    elapsed, used = (least(lambda: compare(deals), 1 if quick else 2, clock) for clock in clocks)
    yield "comparison", (len(EVALUATORS), len(deals), elapsed, used)


if __name__ == "__main__":
    main(TABLES, measure, __doc__)
