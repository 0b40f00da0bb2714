"""Predictions for deals left out of the fit: against scikit-learn, statsmodels and loops over the rows."""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import ArgumentError, SmallSample
from dealerkit.studies.comparison.measures import collect_events
from dealerkit.studies.comparison.prediction_statistics import assign_bins, find_area, score_rows
from dealerkit.studies.comparison.predictions import Predictions
from dealerkit.studies.comparison.side_data import SideData

sys.path.insert(0, str(Path(__file__).parent))
from notrump_sides import make_data


@pytest.fixture(scope="module")
def data():
    return make_data(dk.solved_sample()[:1500])


@pytest.fixture(scope="module")
def predictions(data):
    return Predictions(data, {"game": data.tricks >= 9, "slam": data.tricks >= 12})


def predict_by_scikit_learn(x, y, fold, weight=None):
    isotonic = pytest.importorskip("sklearn.isotonic")
    expected = np.empty(len(y))
    for k in range(fold.max() + 1):
        others = fold != k
        model = isotonic.IsotonicRegression(increasing="auto", out_of_bounds="clip")
        model.fit(x[others], y[others], sample_weight=None if weight is None else weight[others])
        expected[~others] = model.predict(x[~others])
    return expected


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["points", "fewer"])
def test_isotonic_predictions_by_scikit_learn(data, name, weighted):
    weight = np.random.default_rng(1).uniform(0.1, 2, len(data)) if weighted else None
    scores = score_rows(data.measures[name], data.target, data.fold, weight)
    for target in (data.target, (data.target >= 9).astype(float)):
        values, index = scores.predict(target)
        expected = predict_by_scikit_learn(data.measures[name], target, data.fold, weight)
        assert values[index] == pytest.approx(expected, abs=1e-9)


def test_straight_lines_row_by_row(data):
    weight = np.random.default_rng(1).uniform(0.1, 2, len(data))
    for name, measure in data.measures.items():
        got = score_rows(measure, data.target, data.fold, weight).linear
        design = np.column_stack([np.ones(len(data)), measure])
        for k in range(5):
            rows = data.fold != k
            root = np.sqrt(weight[rows])
            line, *_ = np.linalg.lstsq(design[rows] * root[:, None], data.target[rows] * root, rcond=None)
            assert got[~rows] == pytest.approx(design[~rows] @ line, rel=1e-9), name


def test_events_of_several_predictors(data):
    """The score of a fold is the line of the others, on which the event is regressed again."""
    event = (data.target >= 9).astype(float)
    values, index = score_rows(data.measures["two"], data.target, data.fold).predict(event)
    design = np.column_stack([np.ones(len(data)), data.measures["two"]])
    for k in range(2):
        rows = data.fold != k
        line, *_ = np.linalg.lstsq(design[rows], data.target[rows], rcond=None)
        # Scores are rounded, since equal sums of two predictors may differ in the last digit.
        score = (design @ line).round(9)
        expected = predict_by_scikit_learn(score, event, (~rows).astype(int))[~rows]
        assert values[index][~rows] == pytest.approx(expected, abs=1e-6)


def test_figures_of_events_by_scikit_learn(data, predictions):
    metrics = pytest.importorskip("sklearn.metrics")
    frame, game = predictions.frame, data.tricks >= 9
    for name, sign in (("points", 1), ("fewer", -1)):
        row = frame.loc["game", name]
        assert metrics.roc_auc_score(game, sign * data.measures[name]) == pytest.approx(row.AUC, rel=1e-12)
        probability = predict_by_scikit_learn(data.measures[name], game.astype(float), data.fold)
        assert metrics.brier_score_loss(game, probability) == pytest.approx(row.brier, rel=1e-9)
        assert row.sides == game.sum()
        assert row.reliability - row.resolution + row.uncertainty == pytest.approx(row.brier)
        assert row.AUC_lo < row.AUC < row.AUC_hi
        assert row.brier_lo < row.brier < row.brier_hi
    assert frame.loc["game", "two"].AUC > frame.loc["game", "points"].AUC
    assert not frame.isna().any(axis=None)


def test_differences_by_samples_of_deals(data, predictions):
    """Standard errors of differences from samples of deals, without fitting again."""
    game, sides = data.tricks >= 9, np.arange(len(data)).reshape(-1, 2)
    measures = [data.measures["points"], -data.measures["fewer"]]
    ranks = [np.unique(x, return_inverse=True)[1] for x in measures]
    probabilities = [predict_by_scikit_learn(x, game.astype(float), data.fold) for x in measures]
    random, values = np.random.default_rng(1), []
    for _ in range(150):
        drawn = sides[random.integers(0, len(sides), len(sides))].ravel()
        areas = [find_area(rank[drawn], game[drawn]).value for rank in ranks]
        losses = [((p - game) ** 2)[drawn].mean() for p in probabilities]
        values.append([areas[1] - areas[0], losses[1] - losses[0]])
    errors = np.std(values, axis=0)
    row = predictions.differences.loc["game", "fewer"]
    for label, error in zip(("AUC", "brier"), errors, strict=True):
        half = (row[f"{label}_hi"] - row[f"{label}_lo"]) / 2
        assert half == pytest.approx(1.97 * error, rel=0.2)  # 150 samples vary by 6 %
    assert (
        pytest.approx(predictions.frame.AUC["game", "fewer"] - predictions.frame.AUC["game", "points"])
        == row.AUC
    )


def test_all_pairs_are_wider_than_single_ones(predictions):
    pairs, single = predictions.pairs, predictions.differences
    assert list(pairs.loc["game"].index) == [("fewer", "points"), ("two", "points"), ("two", "fewer")]
    for label in ("AUC", "brier"):
        width = pairs[f"{label}_hi"] - pairs[f"{label}_lo"]
        alone = single[f"{label}_hi"] - single[f"{label}_lo"]
        assert 1.1 < width["game", "fewer", "points"] / alone["game", "fewer"] < 1.3


def test_calibration_of_probabilities_by_scikit_learn(data, predictions):
    calibration = pytest.importorskip("sklearn.calibration")
    frame = predictions.calibrate("points", "game")
    game = data.tricks >= 9
    probability = predict_by_scikit_learn(data.measures["points"], game.astype(float), data.fold)
    observed, predicted = calibration.calibration_curve(game, probability, n_bins=10)
    whole = np.isclose(frame.to - frame["from"], 0.1)
    assert whole.sum() >= 5
    assert set(frame.observed[whole].round(9)) <= set(observed.round(9))
    assert set(frame.predicted[whole].round(9)) <= set(predicted.round(9))
    assert frame.sides.sum() == len(data)
    assert (frame.deals >= 20).all()


def test_calibration_of_tricks_by_statsmodels(data, predictions):
    api = pytest.importorskip("statsmodels.api")
    frame = predictions.calibrate("points")
    line = score_rows(data.measures["points"], data.target, data.fold).linear
    row = frame[frame["from"] == 6.5].iloc[0]
    rows = np.rint(line) == 7
    groups = data.deal[rows]
    model = api.OLS(data.target[rows], np.ones(rows.sum())).fit(
        cov_type="cluster", cov_kwds={"groups": groups}, use_t=True
    )
    assert row.sides == rows.sum()
    assert row.deals == len(np.unique(groups))
    assert row.observed == pytest.approx(model.params[0])
    assert (row.lo, row.hi) == pytest.approx(tuple(model.conf_int()[0]), rel=1e-9)
    assert (predictions.calibrate("points", kind="isotonic").predicted.diff().dropna() > 0).all()


def test_residuals_by_samples_of_deals(data, predictions):
    line = score_rows(data.measures["points"], data.target, data.fold).linear
    row = predictions.residuals.loc["points"].set_index("from").loc[5.5]
    rows = np.rint(line) == 6
    residual, deal = (line - data.target)[rows], data.deal[rows]
    assert row.sd == pytest.approx(residual.std())
    assert row.bias == pytest.approx(residual.mean())
    sums = np.stack([np.bincount(deal, residual**k) for k in range(3)])[:, np.unique(deal)]
    random, values = np.random.default_rng(2), []
    for _ in range(400):
        n, s, q = sums[:, random.integers(0, sums.shape[1], sums.shape[1])].sum(axis=1)
        values.append(np.sqrt(q / n - (s / n) ** 2))
    assert np.log(row.hi / row.lo) == pytest.approx(2 * 1.97 * np.std(np.log(values)), rel=0.2)


def test_gain_of_isotonic_regression(data, predictions):
    row = predictions.accuracy.loc["points"]
    fitted = predict_by_scikit_learn(data.measures["points"], data.target, data.fold)
    squares = ((data.target - data.target.mean()) ** 2).sum()
    assert row.R2_isotonic == pytest.approx(1 - ((data.target - fitted) ** 2).sum() / squares)
    assert row.gain == pytest.approx(row.R2_isotonic - row.R2_line)
    assert row.lo < row.gain < row.hi


def test_weights_of_two_are_rows_twice():
    deals = dk.solved_sample()[:300]
    base = make_data(deals)
    weight = np.repeat([1.0, 2.0], 300)
    once = Predictions(make_data(deals, weight=weight), {"game": base.tricks >= 9})
    order = np.repeat(np.arange(600), weight.astype(int))
    repeated = SideData(
        {name: values[order] for name, values in base.measures.items()}, base.target[order],
        base.tricks[order], base.strain[order], base.tables[order], base.deal[order], base.fold[order],
    )  # fmt: skip
    twice = Predictions(repeated, {"game": repeated.tricks >= 9})
    columns = [name for name in once.frame if name not in ("sides",)]
    assert once.frame[columns].to_numpy() == pytest.approx(twice.frame[columns].to_numpy(), rel=1e-9)
    for name in ("residuals", "accuracy", "differences"):
        got, expected = (getattr(p, name).drop(columns="sides", errors="ignore") for p in (once, twice))
        assert got.to_numpy() == pytest.approx(expected.to_numpy(), rel=1e-6)


def test_a_perfect_order_has_an_interval(data):
    best = {"tricks": data.tricks, "points": data.measures["points"]}
    frame = Predictions(make_data(dk.solved_sample()[:1500], measures=best), {"game": data.tricks >= 9}).frame
    assert frame.AUC["game", "tricks"] == 1
    assert 0.98 < frame.AUC_lo["game", "tricks"] < 1 == frame.AUC_hi["game", "tricks"]


def test_the_same_order_has_no_interval_of_width_zero():
    part = make_data(dk.solved_sample()[:1500])
    points = part.measures["points"]
    alike = replace(part, measures={"points": points, "squares": points**2})
    *_, table = Predictions(alike, {"game": part.tricks >= 9}).list_tables()
    assert table.heading == "game, minus points"
    assert table.rows == [["squares", "the same order", "the same chances"]]


def test_equal_figures_of_different_orders_are_shown():
    """Two sides without the event may change places: the area is the same, the order is not."""
    part = make_data(dk.solved_sample()[:1500])
    points = part.measures["points"]
    lowest = np.flatnonzero(points == points.min())
    event = (part.tricks >= 9) & (points > points.min())
    changed = points.copy()
    changed[lowest[0]] -= 1
    assert lowest.size > 1
    compared = Predictions(replace(part, measures={"points": points, "changed": changed}), {"game": event})
    *_, table = compared.list_tables()
    ((name, area, _),) = table.rows
    assert name == "changed" and area.lo == area.hi == pytest.approx(0, abs=1e-12)


def test_events():
    tricks, strain = np.array([9.0, 10, 11, 12, 13]), np.array([4, 2, 3, 0, 1])
    found = collect_events(["game", "slam", "Grand Slam", "x"], tricks, strain, lambda text: tricks >= 10)
    assert [rows.tolist() for rows in found.values()] == [
        [True, False, True, True, True], [False, False, False, True, True], [False] * 4 + [True],
        [False] + [True] * 4,
    ]  # fmt: skip
    assert list(collect_events({"makes": "slam"}, tricks, strain, lambda text: tricks)) == ["makes"]


@pytest.mark.parametrize(
    ("events", "message"),
    [([], "no event"), (3, "give a list"), ([3], "3 is not an event"), (["gaem"], "did you mean 'game'")],
)
def test_bad_events(events, message):
    with pytest.raises(ArgumentError, match=message):
        collect_events(events, np.ones(3), np.zeros(3, int), lambda text: np.ones(3))


def test_rare_events(data):
    rare = np.zeros(len(data), bool)
    rare[:18] = True
    with pytest.raises(ArgumentError, match="slam occurs in 9 of 1,500 deals.*give more deals"):
        Predictions(data, {"slam": rare})
    with pytest.raises(ArgumentError, match="game fails to occur in 9 of 1,500 deals"):
        Predictions(data, {"game": ~rare})
    rare[18:30] = True
    with pytest.warns(SmallSample, match="occurs in 15 of 1,500 deals"):
        frame = Predictions(data, {"slam": rare}).frame
    assert not frame.isna().any(axis=None)


def test_unknown_names(predictions):
    for options, message in (
        ({"name": "point"}, "unknown evaluator 'point'; did you mean 'points'"),
        ({"event": "games"}, "did you mean 'game'"),
        ({"kind": "curve"}, "known: line, isotonic"),
    ):
        with pytest.raises(ArgumentError, match=message):
            predictions.calibrate(**options)
    with pytest.raises(ArgumentError, match="no event was given"):
        Predictions(predictions.data, {}).calibrate("points", "game")


def test_small_bins_are_joined():
    prediction = np.repeat([1.0, 2.0, 3.0, 9.0], [5, 30, 40, 3])
    place, edges = assign_bins(prediction, np.arange(0.5, 10), np.arange(78))
    assert edges.tolist() == [0.5, 2.5, 9.5]
    assert np.bincount(place).tolist() == [35, 43]


def test_one_measure_has_no_differences(data):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alone = Predictions(make_data(dk.solved_sample()[:1500], measures={"points": data.measures["points"]}),
                            {"game": data.tricks >= 9})  # fmt: skip
        assert len(alone.differences) == len(alone.pairs) == 0


@pytest.mark.slow
def test_isotonic_probabilities_are_as_good_as_logistic_ones():
    """The reason why there are no logistic ones: their Brier scores are higher for every evaluator here."""
    linear_model = pytest.importorskip("sklearn.linear_model")
    data = make_data(dk.solved_sample()[:20_000])
    for need in (9, 12):
        event = data.tricks >= need
        for name in ("points", "fewer"):
            x, logistic = data.measures[name][:, None], np.empty(len(data))
            for k in range(5):
                rows = data.fold != k
                model = linear_model.LogisticRegression(C=np.inf).fit(x[rows], event[rows])
                logistic[~rows] = model.predict_proba(x[~rows])[:, 1]
            values, index = score_rows(x[:, 0], data.target, data.fold).predict(event.astype(float))
            isotonic = ((values[index] - event) ** 2).mean()
            assert isotonic < ((logistic - event) ** 2).mean() + 1e-4
