"""Estimates from two phases against textbook formulas and repeated samples; sizes and allocation."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dealerkit import ArgumentError
from dealerkit.statistics.allocation import (
    allocate,
    choose_next_size,
    fill,
    find_boundaries,
    find_sizes,
)
from dealerkit.statistics.derived import Quantile, Ratio, TwoPhaseSample
from dealerkit.statistics.two_phase import EXACT, build_share, estimate_means


def test_a_small_sample_by_hand():
    # 6 deals in stratum 0, 4 in stratum 1; of each two have values. With so few the coefficient is 1.
    strata = np.repeat([0, 1], [6, 4])
    predictions = np.array([1, 2, 3, 4, 5, 6, 10, 11, 12, 13], float)[:, None]
    rows, values = np.array([0, 8, 5, 7]), np.array([2, 15, 8, 10], float)[:, None]
    result = estimate_means(strata, predictions, rows, values)
    means = np.array([(2 + 8) / 2 - ((1 + 6) / 2 - 3.5), (15 + 10) / 2 - ((12 + 11) / 2 - 11.5)])
    assert result.means[0] == pytest.approx(0.6 * means[0] + 0.4 * means[1])
    residuals = np.array([((2 - 1) - (8 - 6)) ** 2 / 2, ((15 - 12) - (10 - 11)) ** 2 / 2])
    within = 0.6**2 * residuals[0] * (1 / 2 - 1 / 6) + 0.4**2 * residuals[1] * (1 / 2 - 1 / 4)
    variances, mean = np.array([18.0, 12.5]), 0.6 * means[0] + 0.4 * means[1]
    whole = 0.6 * (variances[0] + (means[0] - mean) ** 2) + 0.4 * (variances[1] + (means[1] - mean) ** 2)
    assert result.covariance[0, 0] == pytest.approx(within + whole / 10)
    assert result.weights.tolist() == pytest.approx([0.3, 0.2, 0.3, 0.2])


def test_a_plain_sample_has_the_mean_and_variance_of_the_textbook():
    values = np.array([3, 5, 8, 8, 1, 2, 7], float)[:, None]
    result = estimate_means(np.zeros(7, int), np.zeros((7, 1)), np.arange(7), values)
    assert result.means[0] == pytest.approx(values.mean())
    assert result.covariance[0, 0] == pytest.approx(values.var(ddof=1) / 7)


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_estimates_are_right_on_average_and_so_are_their_variances(noise):
    random = np.random.default_rng(5)
    estimates, variances, plain = [], [], []
    for _ in range(400):
        chance = random.random(2000)
        happens = (random.random(2000) < chance).astype(float)
        shown = random.permutation(chance) if noise else chance
        strata = np.minimum((5 * shown).astype(int), 4)
        rows = random.permutation(2000)[:200]
        result = estimate_means(strata, shown[:, None], rows, happens[rows, None])
        estimates.append(result.means[0])
        variances.append(result.covariance[0, 0])
        plain.append(result.variance[0] / 200)
    se = np.std(estimates) / 20
    assert abs(np.mean(estimates) - 0.5) < 4 * se
    assert np.mean(variances) == pytest.approx(np.var(estimates), rel=0.2)
    assert np.mean(variances) / np.mean(plain) == pytest.approx(1.0 if noise else 0.7, abs=0.06)


def test_exact_deals_count_as_they_are():
    random = np.random.default_rng(2)
    values = random.normal(0, 1, 1000)
    known = np.arange(1000) < 600
    values[known] = 0.0
    result = estimate_means(
        np.where(known, EXACT, 0), np.zeros((1000, 1)), np.arange(600, 1000), values[600:, None]
    )
    assert result.means[0] == pytest.approx(values.mean())
    assert result.covariance[0, 0] == pytest.approx(values.var(ddof=1) / 1000, rel=5e-3)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_equal_values_have_a_variance(value):
    rows = np.arange(40)
    result = estimate_means(
        np.zeros(100, int), np.full((100, 1), value), rows, np.full((40, 1), value), np.ones(1)
    )
    estimate = build_share(result.means[0], result.covariance[0, 0], result.freedom[0], 40)
    assert estimate.value == value
    missing = 0.05 ** (1 / 40)  # a share that shows 40 equal values with a chance of 5 %
    assert 0.5 * (1 - missing) < estimate.hi - estimate.lo < 4 * (1 - missing)


def test_a_stratum_without_a_value_joins_its_neighbour():
    strata = np.repeat([0, 1, 2], [50, 1, 49])
    rows = np.r_[0:20, 60:80]
    values = np.arange(40, dtype=float)[:, None]
    result = estimate_means(strata, np.zeros((100, 1)), rows, values)
    assert len(result.shares) == 2 and np.isfinite(result.means[0])
    assert result.weights.sum() == pytest.approx(1)


def test_neymans_allocation_is_the_best_of_a_grid():
    shares, deviations = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.5, 0.3])
    parts = allocate(shares, deviations)
    assert parts.sum() == pytest.approx(1)

    def variance(parts):
        return float((shares**2 * deviations**2 / np.asarray(parts)).sum())

    grid = np.linspace(0.05, 0.9, 18)
    best = min(variance((a, b, 1 - a - b)) for a, b in itertools.product(grid, grid) if a + b < 0.96)
    assert variance(parts) < 1.1 * best


def test_sizes_reach_the_variance_at_the_lowest_cost():
    variance, shares, residuals = np.array([0.25]), np.array([0.5, 0.5]), np.array([[0.04], [0.06]])
    parts, targets, ratio = np.array([0.45, 0.55]), np.array([1e-4]), 50.0
    sizes = find_sizes(variance, shares, residuals, parts, targets, ratio)
    second = float((shares**2 / parts * residuals[:, 0]).sum())

    def reach(predicted, solved):
        return (0.25 - 0.05) / predicted + second / solved

    assert reach(*sizes) <= 1.001e-4
    cost = sizes.predicted + ratio * sizes.solved
    for factor in (0.7, 1.5):
        predicted = factor * sizes.predicted
        solved = second / (1e-4 - 0.2 / predicted)
        assert predicted + ratio * solved > cost


def test_sizes_of_a_small_population():
    sizes = find_sizes(
        np.array([1.0]), np.array([1.0]), np.array([[0.2]]), np.array([1.0]), np.array([1e-9]), 50.0, 500
    )
    assert sizes == (500, 500)


def test_full_strata_leave_their_solves_to_the_others():
    sizes = fill(np.array([0.5, 0.3, 0.2]), np.array([10, 1000, 20]), 200)
    assert sizes.tolist() == [10, 170, 20]


def test_boundaries_of_equal_scores():
    assert len(find_boundaries(np.full(50, 0.3), np.ones(50), 12)) == 0


def test_a_ratio_has_the_variance_of_repeated_samples():
    random = np.random.default_rng(8)
    ratios, variances = [], []
    for _ in range(300):
        below = random.random(300) < 0.6
        above = below & (random.random(300) < 0.5)
        sample = TwoPhaseSample(
            np.zeros(300, int),
            np.zeros((300, 2)),
            np.arange(300),
            np.stack([above, below], axis=1).astype(float),
        )
        (estimate,) = Ratio().summarize(sample, 0.95).estimates
        ratios.append(estimate.value)
        variances.append(estimate.se**2)
    assert np.mean(ratios) == pytest.approx(0.5, abs=0.01)
    assert np.mean(variances) == pytest.approx(np.var(ratios), rel=0.25)


def test_a_ratio_with_a_divisor_that_may_be_zero():
    values = np.stack([np.ones(50), np.tile([1.0, -1.0], 25)], axis=1)
    sample = TwoPhaseSample(np.zeros(50, int), np.zeros((50, 2)), np.arange(50), values)
    summary = Ratio().summarize(sample, 0.95)
    assert summary.half_widths == (np.inf,) and "may be 0; give another expression" in summary.fault[0]
    many = TwoPhaseSample(np.zeros(1000, int), np.zeros((1000, 2)), np.arange(1000), np.tile(values, (20, 1)))
    with pytest.raises(ArgumentError, match="may be 0; give another expression"):
        Ratio().summarize(many, 0.95)


def test_quantiles_cover_and_have_a_width():
    random = np.random.default_rng(3)
    n_covered = 0
    for _ in range(300):
        values = random.normal(0, 1, 200)
        sample = TwoPhaseSample(np.zeros(200, int), np.zeros((200, 1)), np.arange(200), values[:, None])
        (estimate,) = Quantile(0.5).summarize(sample, 0.95).estimates
        n_covered += estimate.lo <= 0 <= estimate.hi
    assert 0.91 < n_covered / 300 < 0.99
    sample = sample._replace(values=np.full((200, 1), 9.0))
    (estimate,) = Quantile(0.5).summarize(sample, 0.95).estimates
    assert (estimate.lo, estimate.value, estimate.hi) == (8.5, 9, 9.5)


def test_the_next_size():
    assert choose_next_size(100, 90) > 100
    assert choose_next_size(60, 100_000) == 300
    assert choose_next_size(1000, 1200) == 1201


@pytest.mark.parametrize("happens", [False, True])
def test_a_ratio_that_is_the_same_on_all_deals_has_an_honest_interval(happens):
    # 5 of 500 deals count, and all or none of them meet the numerator: one of five more might not.
    values = np.zeros((500, 2))
    values[:5] = happens, 1
    for spans in (None, np.ones(2)):
        sample = TwoPhaseSample(np.zeros(500, int), np.zeros((500, 2)), np.arange(500), values, spans)
        summary = Ratio().summarize(sample, 0.95)
        assert summary.estimates[0].value == happens and summary.estimates[0].se > 0.1 or summary.fault
    values[:20] = happens, 1
    sample = TwoPhaseSample(np.zeros(500, int), np.zeros((500, 2)), np.arange(500), values, np.ones(2))
    (estimate,) = Ratio().summarize(sample, 0.95).estimates
    assert 0.05 < estimate.hi - estimate.value < 0.4  # 20 of 20: Clopper and Pearson's is 0.17
