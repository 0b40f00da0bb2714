"""Solves of studies as a share of those of plain sampling, with the coverage of their intervals.

``python tests/benchmarks/studies.py`` prints the table of docs/explanation/performance.md: for each question repeated
estimates on held-out solved deals, drawn with replacement, with the rule of stopping. The share is the number of
solved deals divided by the variance of the values over that of a plain sample with the same interval.
``--dealt`` also deals and solves one estimate with an empty store, and prints its seconds.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np

os.environ.setdefault("DEALERKIT_STORE", "off")
sys.path.insert(0, str(Path(__file__).parents[1] / "studies"))

from solved_rows import FIT, notrump_game, notrump_tricks, spade_game, spade_tricks

import dealerkit as dk

QUESTIONS = (
    ("mean tricks, spades, 8-card fit, 21-26 points", spade_tricks, 0.02),
    ("4S makes, 8-card fit, 21-26 points", spade_game, 0.01),
    ("mean tricks, notrump, 23-27 points", notrump_tricks, 0.02),
    ("3NT makes, 23-27 points", notrump_game, 0.01),
)


def measure(name: str, make, precision: float, repeats: int) -> str:
    """Return a row of the table."""
    population, random = make(), np.random.default_rng(20261122)
    shares, deals, n_covered = [], [], 0
    for _ in range(repeats):
        sampled = population.estimate(precision, random)
        (estimate,) = sampled.estimates
        half = (estimate.hi - estimate.lo) / 2
        plain = population.values.var() * (1.96 / half) ** 2
        shares.append(sampled.cost.solved_deals / plain)
        deals.append(sampled.cost.deals / sampled.cost.solved_deals)
        n_covered += estimate.lo <= population.mean <= estimate.hi
    spread = 1.96 * np.std(shares, ddof=1) / repeats**0.5
    covered = dk.proportion(n_covered, repeats)
    return (
        f"| {name} | ±{precision:g} | {np.mean(shares):.1%} ± {spread:.1%} | {np.mean(deals):.0f} "
        f"| {n_covered} of {repeats} ({covered.lo:.1%} to {covered.hi:.1%}) |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--dealt", action="store_true", help="also deal and solve 4S to 1 per cent")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(
        "| question | precision | solves, of plain sampling's | deals for each solve | intervals that cover |"
    )
    print("|---|---|---|---|---|")
    for question in QUESTIONS:
        print(measure(*question, options.repeats), flush=True)
    if options.dealt:
        begin = time.perf_counter()
        result = dk.estimate("dds(south, spades) >= 10", given=FIT, precision=0.01, seed=1)
        print(
            f"\n{result}\n{time.perf_counter() - begin:.1f} seconds with an empty store, {os.cpu_count()} processors"
        )


if __name__ == "__main__":
    main()
