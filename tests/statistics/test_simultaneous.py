"""Intervals against the best, from samples whose true means are known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from dealerkit.statistics.simultaneous import compare_with_best

N_SAMPLES = 1000


@pytest.mark.parametrize(
    "means",
    [[0.0] * 2, [0.0] * 3, [0.0] * 12, [0.3, 0.2, 0.0, 0.0], [0.5, 0.5, 0.0], np.linspace(0, 1, 6)],
    ids=str,
)
def test_intervals_against_the_best_hold_whichever_the_sample_chooses(means):
    means, n = np.array(means), 60
    count, random = len(means), np.random.default_rng(11)
    true = np.array([means[k] - np.delete(means, k).max() for k in range(count)])
    # Tukey's range quantile divided by the root of 2 is that of the largest t of all pairs.
    critical = stats.studentized_range.ppf(0.95, count, (n - 1) * (count - 1)) / np.sqrt(2)
    n_held = n_false = 0
    for _ in range(N_SAMPLES):
        values = random.standard_normal((n, count)) + random.standard_normal((n, 1)) + means
        gains = np.subtract.outer(values.mean(axis=0), values.mean(axis=0))
        residuals = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
        error = np.sqrt(2 * (residuals**2).sum() / (n - 1) / (count - 1) / n)
        found = compare_with_best(gains, np.full((count, count), error), critical)
        n_held += bool(((found.lo <= true) & (true <= found.hi)).all())
        n_false += not found.possible[means == means.max()].all()
        np.testing.assert_array_equal(found.possible, found.hi >= 0)
        assert (found.lo <= found.difference).all() and (found.difference <= found.hi).all()
        np.testing.assert_allclose(found.difference, gains[np.arange(count), found.other])
    assert n_held >= stats.binom.ppf(0.001, N_SAMPLES, 0.95)
    assert n_false <= stats.binom.ppf(0.999, N_SAMPLES, 0.05)


def test_two_alternatives_have_the_interval_of_their_difference():
    found = compare_with_best(np.array([[0, 0.5], [-0.5, 0]]), np.full((2, 2), 0.2), 1.96)
    np.testing.assert_allclose(found.difference, [0.5, -0.5])
    np.testing.assert_allclose(found.lo, [0.108, -0.892])
    np.testing.assert_allclose(found.hi, [0.892, -0.108])
    assert found.possible.tolist() == [True, False]


def test_gains_in_a_circle_rule_nothing_out():
    found = compare_with_best(np.array([[0, 3, -1], [-3, 0, 2], [1, -2, 0]]), np.full((3, 3), 0.01), 2.0)
    assert found.possible.all()
    assert (found.lo <= found.difference).all() and (found.difference <= found.hi).all()
