"""Plots of predictions and of fitted points: texts, and what is drawn."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
import pytest

import dealerkit as dk
from dealerkit import ArgumentError
from dealerkit.charts.style import get_color
from dealerkit.studies.comparison.predictions import Predictions

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "studies" / "comparison"))
from figure_texts import check_texts
from notrump_sides import make_data

mpl.use("Agg")


@pytest.fixture(scope="module")
def predictions():
    data = make_data(dk.solved_sample()[:1500])
    return Predictions(
        data, {"game": data.tricks >= 9, "slam or thirteen tricks in any case": data.tricks >= 12}
    )


@pytest.mark.parametrize(
    ("name", "event"),
    [("points", "game"), ("fewer", "slam or thirteen tricks in any case"), ("points", None)],
)
def test_calibration(predictions, name, event):
    ax = predictions.plot(names=name, event=event)
    texts = check_texts(ax.figure)
    assert any("3,000 sides that did not train the prediction" in text for text in texts)
    panel, bars = ax, ax.child_axes[0]
    scale = 1 if event is None else 100
    table = predictions.calibrate(name, event)
    dots = next(line for line in panel.lines if line.get_marker() == "o")
    assert dots.get_xdata() == pytest.approx(scale * table.predicted)
    assert dots.get_ydata() == pytest.approx(scale * table.observed)
    assert len(bars.patches) == len(table)
    areas = [bar.get_width() / 0.96 * bar.get_height() for bar in bars.patches]
    assert areas == pytest.approx(table.sides)


def test_residuals(predictions):
    ax = predictions.plot(show="residuals", names=["points", "fewer", "two"])
    texts = check_texts(ax.figure)
    assert {"points", "fewer", "two"} <= set(texts)
    panel = ax
    assert panel.lines[1].get_ydata() == pytest.approx(predictions.residuals.loc["fewer"].sd)
    assert panel.get_ylim()[0] == 0
    with pytest.raises(ArgumentError, match="unknown evaluator 'none'"):
        predictions.plot(show="residuals", names="none")
    with pytest.raises(ArgumentError, match="0 evaluators"):
        predictions.plot(show="residuals", names=[])
    with pytest.raises(ArgumentError, match="takes one"):
        predictions.plot(names=["points", "fewer"])
    with pytest.raises(ArgumentError, match="unknown show 'residual'; did you mean 'residuals'"):
        predictions.plot(show="residual")


@pytest.mark.parametrize("scale", [{"total": 40}, {"unit": {"A": 4}}, {}])
def test_fitted_points(scale):
    cards = {"A": "aces", "K": "kings", "the queens of all suits, in both hands": "queens", "less": "-tens"}
    fitted = dk.fit_points(cards, sample=dk.solved_sample()[:500], **scale)
    ax = fitted.plot()
    texts = check_texts(ax.figure)
    assert any(text.startswith("Points for tricks in notrump") for text in texts)
    assert sum("\u2212" in text for text in texts) >= 1  # the tens
    panel = ax
    dots = [line for line in panel.lines if line.get_marker() == "o"]
    assert [float(dot.get_xdata()[0]) for dot in dots] == pytest.approx(list(fitted.points.values()))
    assert [dot.get_color() == get_color("rule") for dot in dots] == ["unit" in scale, False, False, False]
