"""Intervals cover the mean as often as they say, with the rule of stopping; solves saved; useless predictions."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from solved_rows import (
    SolvedPopulation,
    notrump_game,
    notrump_tricks,
    spade_game,
    spade_tricks,
)

CASES = {
    "4S makes": (spade_game, 0.03),
    "3NT makes": (notrump_game, 0.03),
    "tricks in spades": (spade_tricks, 0.08),
    "tricks in notrump": (notrump_tricks, 0.1),
}


def count_covered(
    population: SolvedPopulation, precision: float, repeats: int, **options
) -> tuple[float, float]:
    """Return the share of intervals that cover the mean, and the mean of solves as a share of plain ones."""
    random, n_covered, shares = np.random.default_rng(11), 0, []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(repeats):
            sampled = population.estimate(precision, random, **options)
            (estimate,) = sampled.estimates
            assert 0 < (estimate.hi - estimate.lo) / 2 <= precision
            n_covered += estimate.lo <= population.mean <= estimate.hi
            shares.append(sampled.cost.solved_deals / sampled.plain_solved)
    return n_covered / repeats, float(np.mean(shares))


def test_a_few_repeats_cover_and_save():
    covered, share = count_covered(spade_game(), 0.05, 40)
    assert 0.8 <= covered <= 1 and share < 0.6


def test_useless_predictions_cost_no_more_than_plain_sampling():
    population = spade_game().with_noise(np.random.default_rng(4))
    covered, share = count_covered(population, 0.04, 40)
    assert 0.8 <= covered <= 1 and 0.9 < share < 1.15


def test_plain_sampling_needs_the_number_of_the_textbook():
    population = spade_game()
    sampled = population.estimate(0.04, np.random.default_rng(1), plain=True)
    needed = population.values.var() * (1.96 / 0.04) ** 2
    assert sampled.cost.deals == sampled.cost.solved_deals == pytest.approx(needed, rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_thousand_repeats_cover(name):
    make, precision = CASES[name]
    covered, _ = count_covered(make(), precision, 1000)
    assert 0.93 <= covered <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_a_thousand_repeats_cover_with_useless_predictions(name):
    make, precision = CASES[name]
    covered, _ = count_covered(make().with_noise(np.random.default_rng(4)), 1.5 * precision, 1000)
    assert 0.93 <= covered <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.5, 0.05, 0.01])
def test_plain_shares_cover(share):
    random = np.random.default_rng(3)
    values = (np.arange(20_000) < share * 20_000).astype(float)
    population = SolvedPopulation(values, values, values, True, 2e6)
    n_covered = 0
    for _ in range(1000):
        (estimate,) = population.estimate(0.02, random, plain=True).estimates
        n_covered += estimate.lo <= share <= estimate.hi
    assert 0.93 <= n_covered / 1000 <= 0.985
