"""Least squares against statsmodels and scikit-learn, and the jackknife against its definition."""

from __future__ import annotations

import numpy as np
import pytest

from dealerkit.studies.comparison.measure_statistics import Regression, analyze
from dealerkit.studies.comparison.side_data import SideData, assign_folds

PAIR = np.linalg.cholesky([[1.0, -0.5], [-0.5, 1.0]])  # of the two sides of a deal
TRUE_R2 = 1 / np.array([1.49 * 1.36, 1.81 * 1.36])  # cov² / (variances of measure and target)
LABELS = {"one": ["one"], "two": ["a", "b"]}


def make_sides(seed, deals, weighted=False):
    """Two measures, the second with two predictors, of two sides that are correlated -0.5."""
    rng = np.random.default_rng(seed)
    strength, first, second, luck = (rng.standard_normal((4, deals, 2)) @ PAIR.T).reshape(4, -1)
    fold = np.repeat(assign_folds(deals, 10, seed), 2)
    rows = 2 * deals
    target = 9 + strength + 0.6 * luck
    return SideData(
        {
            "one": 20 + 3 * (strength + 0.7 * first),
            "two": np.stack([strength + 0.9 * second, 50 + strength], axis=1),
        },
        target, target, np.zeros(rows, np.int8), np.zeros((rows, 5)), np.repeat(np.arange(deals), 2), fold,
        np.repeat(rng.uniform(0.2, 3, deals), 2) if weighted else None,
    )  # fmt: skip


@pytest.mark.parametrize("weighted", [False, True])
def test_statsmodels(weighted):
    api = pytest.importorskip("statsmodels.api")
    data = make_sides(1, 400, weighted)
    regression = Regression(data)
    r, sd = regression.score(regression.total)
    weight = np.ones(len(data)) if data.weight is None else data.weight / data.weight.mean()
    for k, (values, found) in enumerate(
        zip(data.measures.values(), regression.find_coefficients(), strict=True)
    ):
        model = api.WLS(data.target, api.add_constant(values), weights=weight)
        plain, clustered = model.fit(), model.fit(cov_type="cluster", cov_kwds={"groups": data.deal})
        assert r[k] ** 2 == pytest.approx(plain.rsquared, rel=1e-12)
        assert sd[k] == pytest.approx(np.sqrt(plain.mse_resid), rel=1e-12)
        np.testing.assert_allclose(found.values, plain.params, rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(found.se, clustered.bse, rtol=1e-11)


def test_cross_validation():
    linear, selection = (
        pytest.importorskip(f"sklearn.{name}") for name in ("linear_model", "model_selection")
    )
    metrics = pytest.importorskip("sklearn.metrics")
    data = make_sides(2, 200)
    r2, sd = Regression(data).cross_validate()
    for k, values in enumerate(data.measures.values()):
        predicted = selection.cross_val_predict(
            linear.LinearRegression(), values.reshape(len(data), -1), data.target,
            groups=data.fold, cv=selection.LeaveOneGroupOut(),
        )  # fmt: skip
        assert r2[k] == pytest.approx(metrics.r2_score(data.target, predicted), rel=1e-12)
        assert sd[k] == pytest.approx(np.sqrt(metrics.mean_squared_error(data.target, predicted)), rel=1e-12)


def test_jackknife_leaves_out_deals():
    data = make_sides(3, 40, weighted=True)
    r, sd = Regression(data).leave_out_deals()
    for deal in (0, 17, 39):
        rest = Regression(data.select(data.deal != deal))
        np.testing.assert_allclose([r[deal], sd[deal]], rest.score(rest.total), rtol=1e-9)


def test_errors_of_estimates_are_those_of_the_jackknife():
    """The squared error is (n - 1) / n times the sum of squares around the mean without each deal."""
    data = make_sides(3, 40)
    fits, left = analyze(data, LABELS, 0.95).fits, []
    for deal in range(40):
        rest = Regression(data.select(data.deal != deal))
        left.append(rest.score(rest.total))
    r, sd = np.array(left).transpose(1, 0, 2)
    for k, fit in enumerate(fits.values()):
        for estimate, values in ((fit.square, r[:, k] ** 2), (fit.sd, sd[:, k])):
            assert estimate.se == pytest.approx(np.sqrt(39 * values.var()), rel=1e-9)
            assert estimate.lo < estimate.value < estimate.hi and estimate.n == 40


def test_integer_weights_are_repeated_deals():
    data = make_sides(4, 60)
    times = np.arange(60) % 3 + 1
    weighted = SideData(**{**vars(data), "weight": np.repeat(times, 2).astype(float)})
    rows = np.repeat(np.arange(120), np.repeat(times, 2))
    copies = Regression(data.select(np.ones(120, bool)))
    repeated = SideData(
        {name: values[rows] for name, values in data.measures.items()},
        *(getattr(data, name)[rows] for name in ("target", "tricks", "strain", "tables", "deal", "fold")),
    )
    same = Regression(repeated).score(Regression(repeated).total)[0]
    np.testing.assert_allclose(Regression(weighted).score(Regression(weighted).total)[0], same, rtol=1e-12)
    assert (abs(copies.score(copies.total)[0] - same) > 1e-4).any()


@pytest.mark.slow
@pytest.mark.parametrize(("deals", "trials"), [(30, 600), (200, 600)])
def test_coverage(deals, trials):
    covered = np.zeros(2)
    for trial in range(trials):
        frame = analyze(make_sides(10_000 + trial, deals), LABELS, 0.95).frame
        sd = np.sqrt(1.36 * (1 - TRUE_R2[0]))
        covered += [
            frame.lo["one"] < TRUE_R2[0] < frame.hi["one"],
            frame.sd_lo["one"] < sd < frame.sd_hi["one"],
        ]
    share = covered / trials
    assert (share > 0.925).all() and (share < 0.98).all(), share
