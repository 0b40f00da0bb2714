"""The rate of a sample that ends with its last success: unbiased, with an interval that covers it."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import beta, nbinom

import dealerkit as dk
from dealerkit.statistics import estimate_stopped_rate


@pytest.mark.parametrize(("successes", "limit", "rate"), [(2, 6, Fraction(1, 3)), (4, 9, Fraction(3, 5))])
def test_the_estimate_is_unbiased_also_under_a_limit(successes: int, limit: int, rate: Fraction) -> None:
    """The mean over all samples, exactly: those that end with the last success, and those cut at a limit."""
    mean = Fraction(0)
    for n in range(successes, limit + 1):
        ways = comb(n - 1, successes - 1) * rate**successes * (1 - rate) ** (n - successes)
        value = estimate_stopped_rate(successes, n).value
        mean += ways * Fraction(value).limit_denominator(1000)
    for fewer in range(successes):
        mean += comb(limit, fewer) * rate**fewer * (1 - rate) ** (limit - fewer) * Fraction(fewer, limit)
    assert mean == rate


@pytest.mark.parametrize("successes", [1, 2, 3, 5, 10, 19, 20, 50])
def test_the_interval_covers_the_rate(successes: int) -> None:
    """Below 20 successes at least at its level, from there on within one and a half per cent of it."""
    floor = 0.95 if successes < 20 else 0.935
    for rate in (0.02, 0.1, 0.3, 0.6, 0.9):
        n = np.arange(successes, int(nbinom.ppf(0.9999, successes, rate)) + successes + 1)
        weight = nbinom.pmf(n - successes, successes, rate)
        chosen = np.random.default_rng(1).choice(n, 300, p=weight / weight.sum())
        likely, counts = np.unique(chosen, return_counts=True)
        intervals = [estimate_stopped_rate(successes, int(number)) for number in likely]
        covered = sum(count for e, count in zip(intervals, counts, strict=True) if e.lo <= rate <= e.hi)
        assert covered >= 300 * floor - 4 * (300 * 0.05 * 0.95) ** 0.5
        assert all(e.lo <= e.value <= e.hi for e in intervals)


@pytest.mark.parametrize(
    ("successes", "n"), [(1, 1), (1, 25), (2, 2), (3, 1000), (19, 2_000_000), (7, 10**12)]
)
def test_the_interval_of_few_successes_is_exact(successes: int, n: int) -> None:
    estimate = estimate_stopped_rate(successes, n, 0.9)
    assert estimate.lo == pytest.approx(beta.ppf(0.05, successes, n - successes + 1), rel=1e-9)
    hi = beta.ppf(0.95, successes, n - successes) if n > successes else 1
    assert estimate.hi == pytest.approx(hi, rel=1e-9)


def test_a_run_that_ends_with_the_last_deal_to_produce() -> None:
    """Over many short runs the mean of the estimates is the exact probability; produced / dealt is not."""
    exact = dk.probability("hcp(north) >= 13").value
    runs = [
        dk.run("condition hcp(north) >= 13 action", produce=3, seed=seed, keep=0, plan="plain", threads=1)
        for seed in range(200)
    ]
    values = np.array([run.probability.value for run in runs])
    error = values.std() / len(runs) ** 0.5
    assert abs(values.mean() - exact) < 4 * error
    naive = np.array([3 / run.proposed for run in runs])
    assert naive.mean() - exact > 4 * error
    assert all(run.equivalent == run.generated == run.proposed for run in runs)
    covered = sum(run.probability.lo <= exact <= run.probability.hi for run in runs)
    assert covered > 0.95 * 200 - 4 * (200 * 0.05 * 0.95) ** 0.5


def test_one_produced_deal_says_that_its_share_is_biased() -> None:
    script = "condition hcp(north) >= 13 action"
    first = dk.run(script, produce=1, seed=4, keep=0, plan="plain").probability
    assert first.biased and first.value == 1 / first.n and repr(first).endswith(", biased)")
    assert dk.run(script, generate=200, seed=4, keep=0).probability.biased is False
    assert type(first).from_dict(first.to_dict()).biased


def test_candidates_of_a_conditional_plan() -> None:
    script = "condition hcp(north) >= 20 and cccc(south) >= 8 action"
    run = dk.run(script, produce=50, seed=1, keep=0, plan="conditional")
    share = float(run.plan.sampling.share)
    assert run.probability.value == pytest.approx(share * 49 / (run.proposed - 1))
    assert run.equivalent == pytest.approx(run.proposed / share)
