"""Figures of comparisons against scipy, statsmodels and scikit-learn on the same sides of the same deals."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk

DEALS = 2000


@pytest.fixture(scope="module")
def deals():
    return dk.solved_sample()[:DEALS]


@pytest.fixture(scope="module")
def sides(deals):
    """The sides as a table: the number of the deal is the index."""
    return deals.sides("hcp", "controls", strain="best major", declarer="better", tricks=True)


@pytest.fixture(scope="module")
def trial(deals):
    return dk.compare(["hcp", "controls"], sample=deals, strain="best major", replicates=500)


def test_correlation(trial, sides):
    stats = pytest.importorskip("scipy.stats")
    for name in ("hcp", "controls"):
        assert trial.frame.R[name] == pytest.approx(
            stats.pearsonr(sides[name], sides.tricks).statistic, rel=1e-12
        )


def test_least_squares(trial, sides):
    api = pytest.importorskip("statsmodels.api")
    for name in ("hcp", "controls"):
        model = api.OLS(sides.tricks, api.add_constant(sides[name].astype(float))).fit()
        row = trial.frame.loc[name]
        assert (row.R2, row.slope) == pytest.approx((model.rsquared, model.params[name]), rel=1e-12)
        assert row.sd == pytest.approx(np.sqrt(model.mse_resid), rel=1e-12)


def test_bootstrap(trial, sides):
    """Whole deals drawn with replacement from another generator, R2 by numpy for each sample."""
    random = np.random.default_rng(8)
    x, y = (
        sides[["hcp", "controls"]].to_numpy(float).reshape(-1, 2, 2),
        sides.tricks.to_numpy(float).reshape(-1, 2),
    )
    samples = np.empty((500, 2))
    for k in range(len(samples)):
        drawn = random.integers(len(y), size=len(y))
        samples[k] = np.corrcoef(x[drawn].reshape(-1, 2).T, y[drawn].ravel())[2, :2] ** 2
    # An end of an interval from 500 samples has a standard error of 0.12 standard deviations.
    tolerance = 4 * 0.12 * 2**0.5
    ends = np.quantile(samples, [0.025, 0.975], axis=0)
    for name, low, high, sd in zip(("hcp", "controls"), *ends, samples.std(axis=0), strict=True):
        row = trial.frame.loc[name]
        assert (row.lo, row.hi) == pytest.approx((low, high), abs=tolerance * sd)
