"""Intervals from samples of whole deals: their coverage, and the independence of the samples."""

from __future__ import annotations

import numpy as np
import pytest

from dealerkit.studies.comparison.regression import sum_by_deal
from dealerkit.studies.comparison.resampling import count_resamples

DEALS, TRIALS, REPLICATES = 200, 600, 200


def correlated_sides(rng, deals):
    """Two measures and tricks of two sides of each deal, correlated -0.5 within the deal throughout."""
    pair = np.linalg.cholesky([[1.0, -0.5], [-0.5, 1.0]])
    strength, first, second, luck = rng.standard_normal((4, deals, 2)) @ pair.T
    measures = np.stack([strength + 0.7 * first, strength + 0.9 * second], axis=2)
    return measures.reshape(-1, 2), (strength + 0.6 * luck).ravel(), np.repeat(np.arange(deals), 2)


TRUE_R2 = 1 / np.array([1.49 * 1.36, 1.81 * 1.36])  # cov² / (var of measure x var of tricks)
TRUE_SD = np.sqrt(1.36 * (1 - TRUE_R2))


def test_coverage():
    rng = np.random.default_rng(20261123)
    covered = np.zeros(3)
    for trial in range(TRIALS):
        replicates = sum_by_deal(*correlated_sides(rng, DEALS)).replicates(REPLICATES, trial)
        for index, (values, truth) in enumerate(
            (
                (replicates.r2[:, 0], TRUE_R2[0]),
                (replicates.r2[:, 1] - replicates.r2[:, 0], TRUE_R2[1] - TRUE_R2[0]),
                (replicates.sd[:, 1] - replicates.sd[:, 0], TRUE_SD[1] - TRUE_SD[0]),
            )
        ):
            low, high = np.quantile(values, [0.025, 0.975])
            covered[index] += low < truth < high
    share = covered / TRIALS
    assert (share > 0.93).all() and (share < 0.97).all(), share


def test_statistics_of_the_population():
    rng = np.random.default_rng(3)
    calibration = sum_by_deal(*correlated_sides(rng, 200_000)).calibration
    np.testing.assert_allclose(calibration.r2, TRUE_R2, atol=0.004)
    np.testing.assert_allclose(calibration.sd, TRUE_SD, atol=0.004)
    np.testing.assert_allclose(calibration.slope, [1 / 1.49, 1 / 1.81], atol=0.004)


def test_repeated_rows_do_not_narrow_intervals():
    """If rows were resampled instead of deals, each row twice would make intervals narrower."""
    rng = np.random.default_rng(4)
    measures, tricks, _ = correlated_sides(rng, 300)
    single = sum_by_deal(measures, tricks, np.arange(600)).replicates(100, 1)
    double = sum_by_deal(measures.repeat(2, axis=0), tricks.repeat(2), np.arange(600).repeat(2)).replicates(
        100, 1
    )
    np.testing.assert_allclose(double.r2, single.r2)


def test_all_deals_are_equally_likely():
    deals, replicates = 40, 3000
    counts = count_resamples(deals, range(replicates), seed=5)
    assert (counts.sum(axis=1) == deals).all()
    chi = ((counts.sum(axis=0) - replicates) ** 2 / replicates).sum()
    assert chi < 75  # 39 degrees of freedom: one in 2,000
    # Binomial of 40 trials: variance 1 - 1/40; sampling error of a variance over 120,000 counts is 0.6 %.
    assert counts.var() == pytest.approx(1 - 1 / deals, rel=0.03)
    np.testing.assert_array_equal(count_resamples(deals, range(7, 9), seed=5), counts[7:9])
    assert (count_resamples(deals, range(1), seed=6) != counts[0]).any()
    # Neighbouring replicates are uncorrelated.
    together = np.corrcoef(counts[:-1].ravel(), counts[1:].ravel())[0, 1]
    assert abs(together) < 0.015
