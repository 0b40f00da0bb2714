"""Fitted points: against statsmodels, scipy, values that are known, and loops over samples of deals."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import ArgumentError, UnknownNameError
from dealerkit.statistics.least_squares import (
    add_products,
    cluster_covariance,
    cross_validate,
    fit_products,
    restrict_coefficients,
)
from dealerkit.studies.comparison.side_data import SideData, assign_folds
from dealerkit.studies.fit_points.study import Scale, fit_values
from tests.studies.same_numbers import check_same_numbers

CARDS = {"A": "aces", "K": "kings", "Q": "queens", "J": "jacks", "T": "tens"}
FLAT = "shape(north, any 4333 + any 4432) and shape(south, any 4333 + any 4432)"


@pytest.fixture(scope="module")
def sample():
    return dk.solved_sample()[:3000]


def count_cards(sample):
    """Aces to tens of each side and its tricks in notrump, from the cards row by row: [n, 2, 6]."""
    rows = []
    for deal, table in zip(sample.hands.tolist(), sample.tables.tolist(), strict=True):
        for first, second in ((0, 2), (1, 3)):
            lanes = [
                word >> shift & 0x1FFF for word in (deal[first], deal[second]) for shift in (48, 32, 16, 0)
            ]
            cards = [sum(lane >> place & 1 for lane in lanes) for place in (12, 11, 10, 9, 8)]
            rows.append([*cards, max(table[4][first], table[4][second])])
    return np.array(rows, float).reshape(-1, 2, 6)


def test_values_and_intervals_by_statsmodels(sample):
    api = pytest.importorskip("statsmodels.api")
    fitted = dk.fit_points(CARDS, sample=sample, total=40)
    rows = count_cards(sample).reshape(-1, 6)
    x, tricks = api.add_constant(rows[:, :5]), rows[:, 5]
    groups = np.repeat(np.arange(len(sample)), 2)
    model = api.OLS(tricks, x).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    assert fitted.frame.effect.to_numpy() == pytest.approx(model.params[1:], rel=1e-9)
    assert fitted.frame[["effect_lo", "effect_hi"]].to_numpy() == pytest.approx(
        model.conf_int()[1:], rel=1e-6
    )
    assert pytest.approx(model.rsquared, rel=1e-9) == fitted.R2
    assert fitted.sd == pytest.approx(np.sqrt(model.mse_resid), rel=1e-9)
    assert fitted.base == pytest.approx(model.params[0], rel=1e-9)
    # 4 cards of each rank are in the pack. The derivative of the points is found by small steps.
    values = model.params[1:]
    assert fitted.frame.points.to_numpy() == pytest.approx(values * 10 / values.sum(), rel=1e-9)
    steps = 1e-6 * np.eye(5)
    change = np.array([
        ((values + step) * 10 / (values + step).sum() - (values - step) * 10 / (values - step).sum()) / 2e-6
        for step in steps
    ])  # fmt: skip
    covariance = np.asarray(model.cov_params())[1:, 1:]
    assert fitted.frame.se.to_numpy() == pytest.approx(
        np.sqrt(np.diag(change.T @ covariance @ change)), rel=1e-5
    )
    assert fitted.per_point.value == pytest.approx(values.sum() / 10)
    assert fitted.per_point.se == pytest.approx(np.sqrt(covariance.sum()) / 10, rel=1e-9)
    assert fitted.method == "cluster"


def test_weights_and_covariance_by_statsmodels():
    api = pytest.importorskip("statsmodels.api")
    random = np.random.default_rng(1)
    x, weight, deal = random.normal(size=(300, 3)), random.uniform(0.2, 3, 300), np.arange(300) // 3
    y = x @ [1.0, -0.5, 0.2] + np.repeat(random.normal(size=100), 3) + random.normal(size=300)
    design = api.add_constant(x)
    model = api.WLS(y, design, weights=weight).fit(cov_type="cluster", cov_kwds={"groups": deal})
    fitted = fit_products(add_products(x, y, weight))
    assert fitted == pytest.approx(model.params, rel=1e-9)
    covariance = cluster_covariance(design, y - design @ fitted, deal, weight)
    assert covariance == pytest.approx(np.asarray(model.cov_params()), rel=1e-9)


@pytest.mark.parametrize(
    ("non_negative", "descending"),
    [([], [0, 1, 2, 3]), ([0, 1, 2, 3], []), ([2, 3], [1, 2, 3]), ([3], [0, 2])],
)
def test_restricted_values_by_another_method(non_negative, descending):
    optimize = pytest.importorskip("scipy.optimize")
    random = np.random.default_rng(5)
    x = random.normal(size=(200, 4)) @ (np.eye(4) + 0.4)
    y = x @ [0.1, 0.8, -0.6, 0.3] + random.normal(size=200)
    order = restrict_coefficients(4, non_negative, descending)
    got = fit_products(add_products(x, y), order)
    limits = [{"type": "ineq", "fun": lambda b, k=k: b[k + 1]} for k in non_negative]
    pairs = zip(descending, descending[1:], strict=False)
    limits += [{"type": "ineq", "fun": lambda b, i=i, j=j: b[i + 1] - b[j + 1]} for i, j in pairs]
    design = np.column_stack([np.ones(200), x])
    best = optimize.minimize(
        lambda b: ((y - design @ b) ** 2).sum(), np.zeros(5), method="SLSQP", constraints=limits,
        options={"ftol": 1e-14, "maxiter": 500},
    )  # fmt: skip
    assert got == pytest.approx(best.x, abs=1e-4)
    assert ((y - design @ got) ** 2).sum() <= best.fun + 1e-6
    assert order.is_satisfied(got[1:] + 1e-12 * np.array([4, 3, 2, 1]))


def test_cross_validation_row_by_row():
    random = np.random.default_rng(2)
    x, fold = random.normal(size=(120, 2)), np.arange(120) // 2 % 5
    y = x @ [1.0, 0.5] + random.normal(size=120)
    design = np.column_stack([np.ones(120), x])
    errors = np.empty(120)
    for k in range(5):
        b, *_ = np.linalg.lstsq(design[fold != k], y[fold != k], rcond=None)
        errors[fold == k] = (y - design @ b)[fold == k]
    expected = 1 - (errors**2).sum() / ((y - y.mean()) ** 2).sum()
    assert cross_validate(add_products(x, y, None, fold)) == pytest.approx(expected, rel=1e-9)


def test_intervals_where_a_restriction_binds(sample):
    """The ten may not be worth less than the jack, so both are equal; samples of deals in a loop."""
    fitted = dk.fit_points(
        CARDS, sample=sample[:400], unit={"A": 4}, descending=["T", "J"], replicates=400, seed=3
    )
    assert fitted.method == "bootstrap"
    assert fitted.points["T"] == pytest.approx(fitted.points["J"])
    assert tuple(fitted.frame.loc["A", ["points", "lo", "hi", "se"]]) == (4, 4, 4, 0)
    rows = count_cards(sample[:400])
    rows = np.concatenate([rows[..., :3], rows[..., 3:5].sum(axis=2, keepdims=True), rows[..., 5:]], axis=2)
    random, values = np.random.default_rng(4), []
    for _ in range(400):
        drawn = rows[random.integers(0, 400, 400)].reshape(-1, 5)
        design = np.column_stack([np.ones(len(drawn)), drawn[:, :4]])
        b, *_ = np.linalg.lstsq(design, drawn[:, 4], rcond=None)
        values.append(4 * b[1:] / b[1])
    lo, hi = np.quantile(values, [0.025, 0.975], axis=0)
    # The quantiles of 400 samples vary by about a tenth of the interval.
    for place, name in enumerate("AKQJ"):
        row = fitted.frame.loc[name]
        assert row.lo == pytest.approx(lo[place], abs=0.12 * (hi - lo)[place] + 1e-9)
        assert row.hi == pytest.approx(hi[place], abs=0.12 * (hi - lo)[place] + 1e-9)


def test_only_what_defines_the_scale_is_exact(sample):
    """Losers cost tricks, so a value of 0 or more is 0 in each sample of deals: an estimate, not a definition."""
    sides = {"hcp": "hcp", "losers": "losers(north) + losers(south)"}
    fitted = dk.fit_points(
        sides, sample=sample[:500], strain="spades", non_negative=True, unit={"hcp": 1}, replicates=100
    )
    losers = fitted.values["losers"].points
    assert (losers.value, losers.lo, losers.hi) == (0, 0, 0)
    assert not losers.exact
    assert fitted.values["hcp"].points.exact
    assert not any(value.effect.exact for value in fitted.values.values())


def test_known_values_are_found(sample):
    """The target is a point count, so the fit is exact."""
    fitted = dk.fit_points(
        {**CARDS, "fit": "fit"}, sample=sample[:500], target="2 * bumrap + fit", strain="spades"
    )
    assert list(fitted.points.values()) == pytest.approx([9, 6, 3, 1.5, 0.5, 1])
    assert pytest.approx(1) == fitted.R2


def test_flat_hands_in_notrump():
    """Andrews' fifths, 4 2.8 1.8 1 .4, are his fit for three notrump; ours for flat hands is near it."""
    fitted = dk.fit_points(CARDS, where=FLAT, total=40)
    for name, published in zip(CARDS, (4, 2.8, 1.8, 1, 0.4), strict=True):
        assert fitted.points[name] == pytest.approx(published, abs=0.08)
    assert 0.49 < fitted.per_point.lo < fitted.per_point.hi < 0.51


def test_expression_compares_as_fitted(sample):
    fitted = dk.fit_points(
        {**CARDS, "ninth": "fit >= 9", "void": "(spades(north) == 0) - 1"}, sample=sample, unit={"A": 4},
        strain="hearts",
    )  # fmt: skip
    assert "* (fit >= 9)" in fitted.expression
    trial = dk.compare({"fitted": fitted.expression}, sample=sample, strain="hearts", replicates=100)
    assert trial.frame.R2["fitted"] == pytest.approx(fitted.R2, abs=1e-6)
    assert trial.frame.slope["fitted"] == pytest.approx(fitted.per_point.value, rel=1e-4)


def test_output(sample):
    fitted = dk.fit_points(
        CARDS, sample=sample, total=40, where="fit >= 8", strain="spades", non_negative=True
    )
    assert fitted.title == "Points for tricks in spades, where fit >= 8"
    assert "the pack holds 40 points (A, K, Q, J and T)" in fitted.text
    assert "A, K, Q, J and T 0 or more" in fitted._repr_html_()
    assert fitted.to_frame().attrs["per_point"]["value"] == fitted.per_point.value
    assert fitted.to_latex().count(r"\\") == 6
    check_same_numbers(fitted)
    assert len(repr(fitted)) < 200


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"total": 40, "unit": {"A": 4}}, "not both"),
        ({"unit": {"Ace": 4}}, "unit names 'Ace'; the predictors are A, K"),
        ({"unit": {"A": -4}}, "unit is -4"),
        ({"unit": 4}, "give one predictor and its points"),
        ({"descending": "A"}, "give True, or a list"),
        ({"descending": ["A", "A"]}, "twice"),
        ({"non_negative": ["A", "Z"]}, "non_negative names 'Z'"),
        ({"non_negative": ["A"], "descending": ["A", "K"]}, "a descending value must be 0 or more"),
        ({"predictors": {"fit": "fit"}, "total": 40}, "number in the pack is fixed"),
        ({"predictors": {"A": "aces", "two": "2 * aces + 1"}}, "two follows from the predictors before it"),
        ({"predictors": {"A": "aces", "one": "1"}}, "one is 1 for every side"),
        ({"predictors": {"A": "aces", "rare": "spades(north) >= 7 or hearts(north) >= 7"}}, "rare is 0 except in"),
        ({"predictors": {"club": "clubs(north) - clubs(west)", "A": "aces"}, "unit": {"club": 4},
          "target": "hcp"}, "the scale is not determined"),
        ({"where": "hcp >= 30"}, "deals with hcp >= 30.*needs at least 30"),
        ({"confidence": 2}, "confidence"),
        ({"folds": 1}, "folds"),
        ({"sample": "deals"}, "the sample is a str"),
        ({"predictors": {"A": ["aces", "kings"]}}, "A has several predictors"),
    ],
)  # fmt: skip
def test_bad_arguments(sample, options, message):
    options = {"predictors": CARDS, "sample": sample[:300], **options}
    with pytest.raises(ArgumentError, match=message):
        dk.fit_points(options.pop("predictors"), **options)


def test_unknown_predictor(sample):
    with pytest.raises(UnknownNameError, match="kings"):
        dk.fit_points(["aces", "kingss"], sample=sample)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "non_negative", "descending"),
    [
        ([2.0, 1.4, 0.9, 0.5], [], []),
        ([2.0, 1.0, 1.0, 0.5], [], [0, 1, 2, 3]),
        ([2.0, 1.0, 0.5, 0.0], [3], []),
    ],
)
def test_coverage_of_intervals(values, non_negative, descending):
    """Also where true values are equal, or 0, so that a restriction binds in half of the samples."""
    order = restrict_coefficients(4, non_negative, descending) if non_negative or descending else None
    scale = Scale(np.full(4, 4.0), 40.0, "")
    true = np.array(values) * 10 / sum(values)
    deal, hits = np.repeat(np.arange(200), 2), np.zeros(4)
    fold = np.repeat(assign_folds(200, 10, seed=1), 2)
    for seed in range(200):
        random = np.random.default_rng(seed)
        x = random.integers(0, 5, (400, 4)).astype(float)
        common = np.repeat(random.normal(size=200), 2) * np.tile([1, -1], 200)
        y = x @ values + common + random.normal(size=400)
        data = SideData({}, y, y, np.zeros(400, np.int8), np.zeros((400, 5)), deal, fold)
        fit = fit_values(x, data, order, scale, replicates=200, seed=seed)
        hits += [value.lo <= number <= value.hi for value, number in zip(fit.points, true, strict=True)]
    # The share of 200 samples has a standard error of 1.5 %.
    assert (hits / 200 > 0.9).all()
    assert 0.92 < hits.mean() / 200 < 0.98
