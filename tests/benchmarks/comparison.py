"""Seconds of a comparison of 20 evaluators on 50,000 solved deals, with all that it can compute.

    python tests/benchmarks/comparison.py [--runs 3] [--deals 50000] [--profile]

The comparison has a decision between game and part score, the probabilities of game and slam, cross-validated figures
and simultaneous intervals for all pairs. Required: 10 seconds on two processors.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import time
import warnings

import dealerkit as dk

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


def main() -> None:
    """Print wall and CPU seconds of each run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--deals", type=int, default=50_000)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    deals = dk.solved_sample()[: options.deals]
    compare(deals[:2000])  # compiles kernels
    for _ in range(options.runs):
        begin, cpu = time.perf_counter(), time.process_time()
        compare(deals)
        wall, cpu = time.perf_counter() - begin, time.process_time() - cpu
        print(f"{len(EVALUATORS)} evaluators, {len(deals):,} deals: {wall:.1f} s, {cpu:.1f} s of CPU, "
              f"{os.cpu_count()} processors", flush=True)  # fmt: skip
    if options.profile:
        with cProfile.Profile(time.process_time) as profile:
            compare(deals)
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    main()
