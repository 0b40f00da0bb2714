"""Intervals of estimates that begin with solved deals cover the exact mean as often as they say, without bias.

The tricks are artificial, so that the exact mean is counted. In each study the solved deals are a fresh random sample.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

import dealerkit as dk

sys.path.insert(0, str(Path(__file__).parent))
from artificial_tricks import artificial_tricks, count_tricks, solve
from solved_rows import SolvedPopulation

POINTS = "hcp(north) + hcp(south)"
CASES = (  # condition, question, precision, solved deals; the probability of the condition is from 6.8 % to 0.01 %
    (f"{POINTS} >= 26 and {POINTS} <= 27", "dds(south, notrump) >= 9", 0.03, 10_000),
    (f"{POINTS} == 26", "dds(south, notrump)", 0.03, 10_000),
    ("hcp(north) >= 17 and spades(north) >= 5", "dds(south, notrump) >= 8", 0.04, 20_000),
    ("hcp(north) >= 20 and hcp(south) >= 6", "dds(south, spades)", 0.06, 30_000),
    (f"{POINTS} >= 25 and spades(north) + spades(south) >= 10", "dds(south, spades) >= 10", 0.03, 30_000),
    ("spades(north) >= 7 and hcp(south) >= 14", "dds(south, spades) >= 9", 0.05, 40_000),
    ("spades(north) == 6 and hearts(north) == 5 and hcp(south) >= 10", "dds(south, hearts)", 0.12, 60_000),
    (
        "hcp(north) >= 22 and spades(south) >= 6 and clubs(south) >= 2",
        "dds(south, clubs) >= 9",
        0.06,
        100_000,
    ),
)


def find_truth(given: str, question: str) -> float:
    """Return the exact mean."""
    tricks, shares = count_tricks(given)
    _, _, needed = question.partition(" >= ")
    return float(shares @ (tricks >= int(needed) if needed else tricks))


def run_studies(case, n_studies: int, first: int = 1) -> list[tuple[float, bool, float, float]]:
    """Return for each study its error in standard errors, whether it covers, its error, and the part that is solved."""
    given, question, precision, n_solved = case
    truth, results = find_truth(given, question), []
    for seed in range(first, first + n_studies):
        # From a quarter of the solved deals to twice as many, so that more or fewer new deals are needed
        n = int(n_solved * 2.0 ** np.random.default_rng(seed).uniform(-2, 1))
        solved = solve(dk.deal(n, seed=10**6 + seed))
        study = dk.estimate(question, given, precision=precision, solved=solved, seed=seed)
        error = study.value - truth
        assert study.is_precise
        covered = study.lo <= truth <= study.hi
        results.append((error / study.standard_error, covered, error, study.from_solved / study.n))
    return results


def summarize(results) -> tuple[int, float, float]:
    """Return how many studies cover, the mean error in standard errors, and its own standard error."""
    errors = np.array([result[0] for result in results])
    return sum(result[1] for result in results), errors.mean(), errors.std(ddof=1) / len(errors) ** 0.5


class FreshStratum:
    """Rows of a population of known values, in clusters of one or two that are much alike, as solved deals."""

    def __init__(self, population: SolvedPopulation, n_clusters: int, random: np.random.Generator) -> None:
        first = random.integers(0, len(population.values), n_clusters)
        both = np.flatnonzero(random.random(n_clusters) < 0.5)
        rows = np.concatenate((first, first[both] ^ 1))
        self.clusters, self.is_read = np.concatenate((np.arange(n_clusters), both)), False
        self.values, self.counts = population.values[rows, None], np.ones(len(rows))

    def read(self) -> bool:
        self.is_read, is_first = True, not self.is_read
        return is_first


def make_population(is_share: bool, random: np.random.Generator) -> SolvedPopulation:
    """Return values that come in pairs of correlated ones, with predictions as good as those of the trick model."""
    chances = np.repeat(random.beta(0.35, 0.5, 50_000), 2)
    if is_share:
        common = np.repeat(random.random(50_000), 2)
        values = (np.where(random.random(100_000) < 0.9, common, random.random(100_000)) < chances).astype(
            float
        )
        return SolvedPopulation(values, chances, np.sqrt(chances * (1 - chances)), True, 2.5e6)
    expected = 6 + 5 * chances
    noise = np.repeat(random.normal(0, 0.4, 50_000), 2)
    values = np.rint(expected + noise + random.normal(0, 0.2, 100_000))
    return SolvedPopulation(values, expected, np.full(100_000, 0.53), False, 1.5e7)


RATES = (
    0.05,
    0.02,
    0.01,
    0.005,
    0.002,
    0.001,
    0.0003,
    0.0001,
)  # of conditions, among the deals that are solved
N_SOLVED = 200_000


def repeat_studies(n_studies: int) -> list[tuple[str, list[tuple[float, bool, float, float]]]]:
    """Return the results of studies of eight conditions: shares and means in turn, see `run_studies`."""
    random, found = np.random.default_rng(33), []
    for number, rate in enumerate(RATES):
        is_share = number % 2 == 0
        population, precision = make_population(is_share, random), 0.02 if is_share else 0.06
        results = []
        for _ in range(n_studies):
            stratum = FreshStratum(population, random.binomial(N_SOLVED, rate), random)
            sampled = population.estimate(precision, random, stratum=stratum)
            (estimate,) = sampled.estimates
            error = estimate.value - population.mean
            covered = estimate.lo <= population.mean <= estimate.hi
            part = sampled.cost.from_solved / sampled.cost.solved_deals
            results.append((error / estimate.se, covered, error, part))
        found.append((f"{'share' if is_share else 'mean'}, condition of {100 * rate:.2f} %", results))
    return found


def describe(name: str, results) -> str:
    """Return the coverage and the bias in one line."""
    covered, bias, error = summarize(results)
    part, alone = np.mean([each[3] for each in results]), np.mean([each[3] == 1 for each in results])
    return (
        f"{name}: {covered} of {len(results)} cover, bias {bias:+.2f} ± {1.96 * error:.2f} standard errors; "
        f"{100 * part:.0f} % of the known values are of solved deals, {100 * alone:.0f} % of the studies deal nothing"
    )


def check(results) -> None:
    """Assert a coverage around 95 % and a bias within its error, as all but one of a thousand such tests have."""
    covered, bias, error = summarize(results)
    assert binom.ppf(0.0005, len(results), 0.95) <= covered
    assert abs(bias) < 3.3 * error


@pytest.mark.slow
def test_a_thousand_studies_of_eight_conditions_cover(capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = repeat_studies(125)
    every = [result for _, results in found for result in results]
    with capsys.disabled():
        print("", *(describe(*each) for each in found), describe("all", every), sep="\n")
    check(every)


@pytest.mark.slow
def test_estimates_of_artificial_tricks_cover(capsys):
    every = []
    with artificial_tricks(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, case in enumerate(CASES):
            results = run_studies(case, 125, 1000 * number + 1)
            every += results
            with capsys.disabled():
                print(
                    "",
                    describe(f"{100 * float(dk.probability(case[0])):.3f} % {case[1]}", results),
                    sep="\n",
                    end="",
                )
    with capsys.disabled():
        print("", describe("all", every), sep="\n")
    check(every)


CONTRACT_GIVEN = "hcp(south) >= 14 and hcp(south) <= 17 and clubs(south) >= 3"  # which several seats may meet


def run_contract_studies(n_studies: int) -> list[tuple[float, bool, float, float]]:
    """Return as `run_studies` how often 3NT and how often 2NT makes; a solved deal counts once, in one rotation."""
    results = []
    for seed in range(1, n_studies + 1):
        n = int(2000 * 2.0 ** np.random.default_rng(seed).uniform(-3, 1))
        solved = solve(dk.deal(n, seed=2 * 10**6 + seed))
        study = dk.contracts(
            CONTRACT_GIVEN,
            ["2NT", "3NT"],
            declarer="south",
            vulnerable="none",
            precision=0.4,
            solved=solved,
            seed=seed,
        )
        contract, needed = ("3NT", 9) if seed % 2 else ("2NT", 8)
        made, truth = study.makes(contract), find_truth(CONTRACT_GIVEN, f"dds(south, notrump) >= {needed}")
        part = study.provenance.cost.from_solved / study.provenance.cost.solved_deals
        error = made.value - truth
        results.append((error / made.se, made.lo <= truth <= made.hi, error, part))
    return results


@pytest.mark.slow
def test_contracts_of_artificial_tricks_cover(capsys):
    with artificial_tricks(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = run_contract_studies(300)
    with capsys.disabled():
        print("", describe("contracts", results), sep="\n")
    check(results)


def test_a_few_studies_cover():
    with artificial_tricks(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = [result for case in CASES[:2] for result in run_studies(case, 8)]
    covered, bias, _ = summarize(results)
    assert covered >= binom.ppf(0.0005, len(results), 0.95) and abs(bias) < 1
    assert {result[3] == 1 for result in results} == {True, False}  # with and without new deals
