"""Plots of a comparison of evaluators: what is drawn, and that all texts can be read."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.appearance.numbers import format_estimate
from dealerkit.studies.comparison.plot import draw_pairs

sys.path.insert(0, str(Path(__file__).parent))
from figure_texts import check_texts


@pytest.fixture(scope="module")
def trial():
    measures = {
        "hcp": "hcp",
        "with fit": "hcp + 2 * fit",
        "losers": "losers",
        "a longer name, too": "controls",
    }
    deals = dk.solved_sample()[:300]
    return dk.compare(measures, sample=deals, events="game", decision=("4M", "3M"), replicates=100)


def read_points(panel) -> list[float]:
    return [line.get_xdata()[0] for line in panel.lines if line.get_marker() == "o"]


def test_values_and_differences_lie_inside_the_figure(trial) -> None:
    ax = trial.plot()
    values, gains = ax, *ax.child_axes
    table = trial.frame.R2.sort_values(ascending=False)
    assert read_points(values) == pytest.approx(table.tolist())
    assert read_points(gains) == pytest.approx((table - table["hcp"]).tolist())
    texts = check_texts(ax.figure)
    for name, row in trial.differences.iterrows():
        assert name in texts and format_estimate(row.R2, row.lo, row.hi, sign=True).value in texts


def test_in_axes_of_the_user(trial) -> None:
    import matplotlib.pyplot as plt

    before = dict(plt.rcParams)
    figure, axes = plt.subplots(1, 2, figsize=(13, 4), layout="constrained")
    for ax in axes:
        assert trial.plot(ax=ax) is ax
    check_texts(figure)
    assert dict(plt.rcParams) == before


def test_the_style_leaves_interactive_mode_as_it_is() -> None:
    """The first figure of a notebook turns it on."""
    import matplotlib as mpl

    from dealerkit.charts.style import use_style

    before = dict(mpl.rcParams)
    with use_style():
        mpl.rcParams["interactive"] = not before["interactive"]
    assert {name for name in before if mpl.rcParams[name] != before[name]} == {"interactive"}
    mpl.rcParams["interactive"] = before["interactive"]


def test_many_evaluators_and_all_sides(trial) -> None:
    rng = np.random.default_rng(1)
    names = {f"measure number {k}": f"hcp + {share:.3f} * controls" for k, share in enumerate(rng.random(25))}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dk.TrialWarning)
        many = dk.compare(names, sample=dk.solved_sample()[:200], where="hcp > 19")
    ax = many.plot()
    assert len(ax.get_yticks()) == 25
    check_texts(ax.figure)


def test_cells_of_many_pairs_have_thousandths() -> None:
    k = 12
    differences = np.linspace(0.2, 0, k)[:, None] - np.linspace(0.2, 0, k)
    names = [f"number {number}" for number in range(k)]
    ax = draw_pairs(None, names, differences, differences > 0.03, ("Title", "R²", "Caption."), "?")
    texts = check_texts(ax.figure)
    assert texts.count("36") == k - 2 and texts.count("200") == 1


def test_pairs_have_their_number_where_they_are_decided(trial) -> None:
    ax = trial.plot(show="pairs")
    texts = check_texts(ax.figure)
    decided = trial.pairs[(trial.pairs.lo > 0) | (trial.pairs.hi < 0)]
    assert len(decided) > 0
    assert texts.count("too close to call") == len(trial.pairs) - len(decided)
    for row in decided.itertuples():
        assert f"{abs(row.difference):+.3f}" in texts


def test_numbers_of_the_best_do_not_touch_the_line_at_zero() -> None:
    trial = dk.compare(["hcp", "controls"], sample=dk.solved_sample()[:300], strain="notrump")
    assert 0 < trial.best.lo.max() < 0.1
    panel = trial.plot(show="best")
    panel.figure.canvas.draw()
    zero = panel.transData.transform((0, 0))[0]
    ends = [
        (box.x0, box.x1)
        for box in (text.get_window_extent() for text in panel.texts if "0." in text.get_text())
    ]
    assert len(ends) == 2 and not any(x0 <= zero <= x1 for x0, x1 in ends)


def test_those_that_may_be_the_best_are_dark(trial) -> None:
    panel = trial.plot(show="best")
    check_texts(panel.figure)
    labels = panel.get_yticklabels()
    dark = {label.get_text() for label in labels if label.get_color() == labels[0].get_color()}
    assert dark == set(trial.best.index[trial.best.possible])
    best = trial.best.sort_values("difference", ascending=False)
    assert read_points(panel) == pytest.approx(best.difference.tolist())


def test_classes(trial) -> None:
    with pytest.raises(dk.ArgumentError, match="no classes to plot"):
        trial.plot(show="classes")
    deals, by = dk.solved_sample()[:200], {"short fits": "fit <= 8", "long fits": "fit >= 9"}
    classed = dk.compare(["hcp", "zar"], sample=deals, by=by)
    ax = classed.plot(show="classes")
    assert {"short fits", "long fits", "hcp", "zar"} <= set(check_texts(ax.figure))
    heights = [line.get_ydata()[0] for line in ax.lines if line.get_marker() == "o"][:2]
    assert heights == pytest.approx([part.frame.R2["hcp"] for part in classed.classes.values()])
    with pytest.raises(dk.ArgumentError, match="unknown evaluator 'zr'; did you mean 'zar'"):
        classed.plot(show="classes", names=["zr"])


def test_gains_of_a_decision(trial) -> None:
    ax = trial.plot(show="gains")
    gains = trial.decision.frame.sort_values("gain", ascending=False)
    assert read_points(ax) == pytest.approx(gains.gain.tolist())
    first = gains.iloc[0]
    assert format_estimate(first.gain, first.lo, first.hi).value in check_texts(ax.figure)


def test_other_plots_and_mistakes(trial) -> None:
    for show, options in (("calibration", {"event": "game"}), ("residuals", {}), ("decision", {})):
        check_texts(trial.plot(show=show, **options).figure)
    with pytest.raises(dk.ArgumentError, match="did you mean 'pairs'"):
        trial.plot(show="pair")
    with pytest.raises(dk.ArgumentError, match="event= is not an argument of a plot of pairs"):
        trial.plot(show="pairs", event="game")
    alone = dk.compare(["hcp"], sample=dk.solved_sample()[:60])
    check_texts(alone.plot().figure)
    with pytest.raises(dk.ArgumentError, match="no decision to plot"):
        alone.plot(show="gains")
    with pytest.raises(dk.ArgumentError, match="single evaluator has no pairs"):
        alone.plot(show="best")
