"""Areas under ROC curves and Brier scores: against scikit-learn, other formulas, and the bootstrap."""

from __future__ import annotations

import numpy as np
import pytest

from dealerkit.statistics.accumulation import add_influences, find_covariance
from dealerkit.statistics.intervals import logit_interval
from dealerkit.studies.comparison.prediction_statistics import find_area, score_probabilities


def make_sides(deals, seed=1, values=12):
    """Deals of two sides each that depend on each other: two scores, events, numbers of deals."""
    random = np.random.default_rng(seed)
    common = np.repeat(random.normal(size=deals), 2) * np.tile([1, -1], deals)
    tricks = common + random.normal(size=2 * deals)
    scores = [tricks + random.normal(scale=s, size=2 * deals) for s in (1.0, 1.6)]
    scores = [np.clip(np.rint(values / 2 + 1.5 * score), 0, values).astype(int) for score in scores]
    return scores, tricks > 1, np.repeat(np.arange(deals), 2)


def test_area_by_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    (score, _), event, _ = make_sides(300)
    weight = np.random.default_rng(2).uniform(0, 2, len(event))
    assert find_area(score, event).value == pytest.approx(metrics.roc_auc_score(event, score), rel=1e-12)
    expected = metrics.roc_auc_score(event, score, sample_weight=weight)
    assert find_area(score, event, weight).value == pytest.approx(expected, rel=1e-12)


def test_covariance_of_areas_by_the_formula_of_obuchowski():
    """S10, S01 and S11 of clustered data (Biometrics 53, 1997, 569-571), pair by pair."""
    scores, event, deal = make_sides(60)
    areas = [find_area(score, event) for score in scores]
    deals = deal[-1] + 1
    positive, negative = event.sum(), (~event).sum()
    x, y = [], []  # sums of placements less the area, by deal and score
    for score, area in zip(scores, areas, strict=True):
        above = np.sign(score[event][:, None] - score[~event]) / 2 + 0.5
        x.append(np.bincount(deal[event], above.mean(axis=1) - area.value, deals))
        y.append(np.bincount(deal[~event], above.mean(axis=0) - area.value, deals))
    x, y = np.array(x), np.array(y)
    i10, i01 = (len(np.unique(deal[rows])) for rows in (event, ~event))
    s10 = i10 / ((i10 - 1) * positive) * x @ x.T
    s01 = i01 / ((i01 - 1) * negative) * y @ y.T
    s11 = deals / (deals - 1) * x @ y.T
    expected = s10 / positive + s01 / negative + (s11 + s11.T) / (positive * negative)
    got = find_covariance(add_influences([area.influence for area in areas], deal))
    # The factors are 1 + 1 / the number of deals, with the event or without it.
    assert got == pytest.approx(expected, rel=0.05)


def test_covariance_by_samples_of_deals():
    scores, event, deal = make_sides(400)
    areas = [find_area(score, event) for score in scores]
    got = find_covariance(add_influences([area.influence for area in areas], deal))
    random, values = np.random.default_rng(5), []
    for _ in range(600):
        drawn = (2 * random.integers(0, 400, 400)[:, None] + [0, 1]).ravel()
        values.append([find_area(score[drawn], event[drawn]).value for score in scores])
    expected = np.cov(np.array(values), rowvar=False)
    errors = np.sqrt(np.diag(expected))
    # The standard error of a covariance of 600 samples is about 6 % of the product of both errors.
    assert (np.abs(got - expected) < 0.2 * np.outer(errors, errors)).all()


def test_brier_score_by_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    isotonic = pytest.importorskip("sklearn.isotonic")
    (score, _), event, _ = make_sides(300)
    weight = np.random.default_rng(2).uniform(0.1, 2, len(event))
    values = np.random.default_rng(3).permutation(np.linspace(0.05, 0.9, score.max() + 1).round(1))
    for weights in (None, weight):
        got = score_probabilities(values, score, event, weights)
        expected = metrics.brier_score_loss(event, values[score], sample_weight=weights)
        assert got.value == pytest.approx(expected, rel=1e-12)
        model = isotonic.IsotonicRegression().fit(values[score], event, sample_weight=weights)
        best = metrics.brier_score_loss(event, model.predict(values[score]), sample_weight=weights)
        share = np.average(event, weights=weights)
        assert got.reliability == pytest.approx(expected - best, rel=1e-9)
        assert got.resolution == pytest.approx(share * (1 - share) - best, rel=1e-9)
        assert got.reliability - got.resolution + got.uncertainty == pytest.approx(got.value, rel=1e-12)
        assert got.influence.sum() == pytest.approx(0, abs=1e-12)


def test_unused_probabilities_change_nothing():
    event = np.array([True, False, True])
    got = score_probabilities(np.array([0.5, 0.7, 0.5, 0.1]), np.array([0, 2, 2]), event)
    assert got.value == pytest.approx(0.25)


def test_interval_on_the_scale_of_logits():
    low, high = logit_interval(0.8, 0.05, 1.96, 50)
    assert np.log(high / (1 - high)) + np.log(low / (1 - low)) == pytest.approx(2 * np.log(4))
    assert logit_interval(1.0, 0.0, 1.959964, 10)[0] == pytest.approx(0.025**0.1, rel=1e-5)
    assert logit_interval(0.0, 0.0, 1.959964, 10) == pytest.approx((0, 1 - 0.025**0.1), rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("deals", [40, 100, 400])
def test_coverage(deals):
    """Of intervals of the area and of the Brier score, for deals of two sides that depend on each other."""
    from dealerkit.statistics import student_quantile

    (score, _), event, _ = make_sides(200_000, seed=11)
    truth = find_area(score, event).value
    values = np.bincount(score, event) / np.bincount(score)
    brier = score_probabilities(values, score, event).value
    hits = np.zeros(2)
    for seed in range(1500):
        (score, _), event, deal = make_sides(deals, seed=seed + 100)
        cases = min(len(np.unique(deal[rows])) for rows in (event, ~event))
        figures = [find_area(score, event), score_probabilities(values, score, event)]
        errors = np.sqrt(
            np.diag(find_covariance(add_influences([figure.influence for figure in figures], deal)))
        )
        critical = student_quantile(0.95, cases - 1)
        for k, true in enumerate((truth, brier)):
            low, high = logit_interval(figures[k].value, errors[k], critical, cases)
            hits[k] += low <= true <= high
    assert (hits / 1500 > 0.93).all()
    assert (hits / 1500 < 0.975).all()
