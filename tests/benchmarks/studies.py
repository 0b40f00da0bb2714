"""Solves of studies as a share of those of plain sampling, with the coverage of their intervals.

    python tests/benchmarks/studies.py [--quick]

For each question repeated estimates on held-out solved deals, drawn with replacement, with the rule of stopping. The
share is the number of solved deals divided by the variance of the values over that of a plain sample with the same
interval.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "studies"))
from common import Row, main  # noqa: E402
from solved_rows import SolvedPopulation, notrump_game, notrump_tricks, spade_game, spade_tricks  # noqa: E402

import dealerkit as dk  # noqa: E402

TABLES = {
    "studies": (
        "question",
        "precision",
        "solves, of plain sampling's",
        "deals for each solve",
        "intervals that cover",
    )
}
QUESTIONS = (
    ("mean tricks, spades, 8-card fit, 21-26 points", spade_tricks, 0.02),
    ("4S makes, 8-card fit, 21-26 points", spade_game, 0.01),
    ("mean tricks, notrump, 23-27 points", notrump_tricks, 0.02),
    ("3NT makes, 23-27 points", notrump_game, 0.01),
)


def repeat(population: SolvedPopulation, precision: float, repeats: int) -> list[str]:
    """Return the last three columns of a row."""
    random = np.random.default_rng(20261122)
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
    return [
        f"{np.mean(shares):.1%} ± {spread:.1%}",
        f"{np.mean(deals):.0f}",
        f"{n_covered} of {repeats} ({covered.lo:.1%} to {covered.hi:.1%})",
    ]


def measure(quick: bool) -> Iterator[Row]:
    """Yield a row for each question."""
    for name, make, precision in QUESTIONS:
        yield "studies", (name, f"±{precision:g}", *repeat(make(), precision, 5 if quick else 60))


if __name__ == "__main__":
    main(TABLES, measure, __doc__)
