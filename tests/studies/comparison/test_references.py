"""Figures of `dk.compare` against scipy, statsmodels and scikit-learn on the same sides of the same deals."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.studies.comparison.side_data import assign_folds

DEALS = 2000
MEASURES = {"hcp": "hcp", "zar": "zar", "controls": "controls", "points and fit": ["hcp", "fit"]}


@pytest.fixture(scope="module")
def deals():
    return dk.solved_sample()[:DEALS]


@pytest.fixture(scope="module")
def sides(deals):
    """The sides as a table; its index is the number of the deal."""
    table = deals.sides("hcp", "zar", "controls", strain="best major", declarer="better", tricks=True)
    return table.drop(columns="deal").assign(constant=1.0, game=table.tricks >= 10)


@pytest.fixture(scope="module")
def trial(deals):
    return dk.compare(MEASURES, sample=deals, strain="best major", events=["game"])


def find_columns(name):
    return ["hcp", "fit"] if name == "points and fit" else [name]


def test_correlation_by_scipy(trial, sides):
    stats = pytest.importorskip("scipy.stats")
    for name in ("hcp", "zar", "controls"):
        expected = stats.pearsonr(sides[name], sides.tricks).statistic
        assert trial.frame.R[name] == pytest.approx(expected, rel=1e-12)


def check_regression(trial, sides, model, options):
    """Check R2, the residuals, and coefficients with their errors clustered by deal."""
    for name in MEASURES:
        columns = find_columns(name)
        fit = model(sides.tricks.astype(float), sides[["constant", *columns]].astype(float), **options).fit(
            cov_type="cluster", cov_kwds={"groups": sides.index.to_numpy()}
        )
        row, found = trial.frame.loc[name], trial.coefficients.loc[name]
        assert pytest.approx(fit.rsquared, rel=1e-10) == row.R2
        assert found.coefficient.to_numpy() == pytest.approx(fit.params.to_numpy(), rel=1e-9)
        assert found.se.to_numpy() == pytest.approx(fit.bse.to_numpy(), rel=1e-9)
        yield row, fit


def test_least_squares_by_statsmodels(trial, sides):
    api = pytest.importorskip("statsmodels.api")
    for row, fit in check_regression(trial, sides, api.OLS, {}):
        assert row.sd == pytest.approx(np.sqrt(fit.mse_resid), rel=1e-10)


def test_weighted_least_squares_by_statsmodels(deals, sides):
    api = pytest.importorskip("statsmodels.api")
    weight = np.random.default_rng(4).uniform(0.2, 3, len(deals))
    trial = dk.compare(MEASURES, sample=deals.replace(weight=weight), strain="best major")
    assert len(list(check_regression(trial, sides, api.WLS, {"weights": weight.repeat(2)}))) == len(MEASURES)


def test_cross_validation_by_scikit_learn(trial, sides):
    linear = pytest.importorskip("sklearn.linear_model")
    selection = pytest.importorskip("sklearn.model_selection")
    metrics = pytest.importorskip("sklearn.metrics")
    folds = selection.PredefinedSplit(assign_folds(DEALS, 10, seed=1).repeat(2))
    for name in MEASURES:
        x = sides[find_columns(name)].to_numpy(float)
        predicted = selection.cross_val_predict(linear.LinearRegression(), x, sides.tricks, cv=folds)
        assert trial.frame.cv_R2[name] == pytest.approx(metrics.r2_score(sides.tricks, predicted), rel=1e-9)
        root = np.sqrt(metrics.mean_squared_error(sides.tricks, predicted))
        assert trial.frame.cv_sd[name] == pytest.approx(root, rel=1e-9)


def test_intervals_by_bootstrap(trial, sides):
    """Whole deals drawn with replacement, and R2 of each sample by numpy."""
    random, names = np.random.default_rng(8), ["hcp", "zar", "controls"]
    rows = sides[[*names, "tricks"]].to_numpy(float).reshape(DEALS, 2, 4)
    samples = np.array([
        np.corrcoef(rows[random.integers(DEALS, size=DEALS)].reshape(-1, 4).T)[3, :3] ** 2 for _ in range(400)
    ])  # fmt: skip
    spread = samples.std(axis=0)
    # An end of an interval from 400 samples has a standard error of 0.13 standard deviations.
    for k, name in enumerate(names):
        ends = np.quantile(samples[:, k], [0.025, 0.975])
        row = trial.frame.loc[name]
        assert (row.lo, row.hi) == pytest.approx(ends, abs=4 * 0.13 * spread[k])
    pairs = trial.pairs[trial.pairs["first"].isin(names) & trial.pairs["second"].isin(names)]
    assert len(pairs) == 3
    halves = (pairs.hi - pairs.lo) / 2
    errors = [
        (samples[:, names.index(p.first)] - samples[:, names.index(p.second)]).std()
        for p in pairs.itertuples()
    ]
    # One multiple of the standard error for all pairs, that of the largest of six t: 2 to 3.
    ratio = halves / errors
    assert (ratio / ratio.mean()).to_numpy() == pytest.approx(1, abs=0.15)
    assert 2 < ratio.mean() < 3


def test_probabilities_by_scikit_learn(trial, sides):
    isotonic = pytest.importorskip("sklearn.isotonic")
    metrics = pytest.importorskip("sklearn.metrics")
    fold, found = assign_folds(DEALS, 10, seed=1).repeat(2), trial.predictions.frame.loc["game"]
    for name in ("hcp", "zar", "controls"):
        x, probability = sides[name].to_numpy(float), np.empty(len(sides))
        for k in range(10):
            rows = fold == k
            model = isotonic.IsotonicRegression(out_of_bounds="clip").fit(x[~rows], sides.game[~rows])
            probability[rows] = model.predict(x[rows])
        assert found.brier[name] == pytest.approx(metrics.brier_score_loss(sides.game, probability), rel=1e-9)
        assert found.AUC[name] == pytest.approx(metrics.roc_auc_score(sides.game, x), rel=1e-12)
