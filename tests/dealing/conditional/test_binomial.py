"""Binomial numbers against fractions and scipy."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb, factorial

import numpy as np
import pytest
from scipy.stats import binom, chi2, kstest

from dealerkit import ArgumentError
from dealerkit.dealing.conditional import binomial as module
from dealerkit.dealing.conditional.binomial import sample_binomial, sample_candidate_count


def generate(n, p, rng):
    return sample_binomial(n, p, iter(rng.integers(0, 2**64, 2, dtype=np.uint64).tolist()))


@pytest.mark.parametrize(
    ("n", "p"), [(1, Fraction(1, 3)), (6, Fraction(2, 7)), (9, Fraction(9, 10)), (12, Fraction(1, 50))]
)
def test_bounds_are_the_sums_of_the_exact_probabilities(n, p):
    """Outcomes in the order of the walk: the mode, above, below, above ..."""
    mode = min(n, int((n + 1) * p))
    order = [mode]
    for step in range(1, n + 1):
        order += [k for k in (mode + step, mode - step) if 0 <= k <= n]
    bound = Fraction(0)
    for k in order:
        first, bound = bound, bound + comb(n, k) * p**k * (1 - p) ** (n - k)
        for place in (int(first * 2**128) + 2, int(bound * 2**128) - 2):
            if first * 2**128 + 1 < place < bound * 2**128 - 1:
                assert sample_binomial(n, p, iter([place >> 64, place % 2**64])) == k
    assert bound == 1


def test_stirlings_series():
    with localcontext() as context:
        context.prec = 90
        for n in (1000, 3000):
            assert abs(module.log_factorial(n) / Decimal(factorial(n)).ln() - 1) < Decimal("1e-68")


@pytest.mark.parametrize(
    ("n", "p"),
    [
        (3000, Fraction(1, 2)),
        (10**6, Fraction(1, 1000)),
        (10**6, Fraction(1, 3)),
        (10**9, Fraction(65, 10**4)),
        (10**12, Fraction(1, 10**6)),
    ],
)
def test_probabilities_against_scipy(n, p):
    sd = (n * p * (1 - p)) ** 0.5
    for k in (int(n * p), int(n * p + 3 * sd), int(n * p - 2 * sd)):
        assert module.binomial_probability(n, k, p) / 2**192 == pytest.approx(
            binom.pmf(k, n, float(p)), rel=1e-6
        )


def test_numbers_have_the_distribution_of_scipy():
    rng = np.random.default_rng(7)
    n, p = 60, Fraction(3, 10)
    counts = np.bincount([generate(n, p, rng) for _ in range(5_000)], minlength=n + 1)
    expected = 5_000 * binom.pmf(np.arange(n + 1), n, 0.3)
    usual = expected > 5
    x = ((counts - expected)[usual] ** 2 / expected[usual]).sum()
    assert chi2.sf(x, usual.sum() - 1) > 1e-4 and counts[expected < 1e-6].sum() == 0


def test_large_numbers():
    rng = np.random.default_rng(8)
    n, p = 10**9, Fraction(64937, 10**7)
    numbers = np.array([generate(n, p, rng) for _ in range(200)])
    # a spread of half a unit: the distribution is discrete with a deviation of 2540
    assert kstest(numbers + rng.random(200) - 0.5, binom(n, float(p)).cdf).pvalue > 1e-4
    big = generate(10**12, Fraction(1, 2), rng)
    assert abs(big - 5 * 10**11) < 6 * 500_000


def test_the_ends():
    words = [5, 6]
    assert sample_binomial(0, Fraction(1, 3), iter(words)) == 0
    assert (
        sample_binomial(7, Fraction(0), iter(words)) == 0
        and sample_binomial(7, Fraction(1), iter(words)) == 7
    )
    top = [2**64 - 1, 2**64 - 1]
    assert 0 <= sample_binomial(7, Fraction(1, 3), iter(top)) <= 7


def test_candidates_are_a_function_of_the_seed():
    share = Fraction(1, 154)
    numbers = [sample_candidate_count(10**6, share, seed) for seed in range(200)]
    assert (
        numbers == [sample_candidate_count(10**6, share, seed) for seed in range(200)]
        and len(set(numbers)) > 100
    )
    mean, sd = 10**6 / 154, (10**6 / 154 * 153 / 154) ** 0.5
    assert abs(np.mean(numbers) - mean) < 4 * sd / 200**0.5
    assert np.std(numbers) == pytest.approx(sd, rel=0.25)


def test_invalid_arguments_raise_errors():
    for n, p in ((-1, Fraction(1, 2)), (10**14, Fraction(1, 2)), (5, Fraction(3, 2)), (5, Fraction(-1, 2))):
        with pytest.raises(ArgumentError):
            sample_binomial(n, p, iter([1, 2]))
