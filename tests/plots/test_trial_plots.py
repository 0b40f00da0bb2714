"""Plots of a comparison of evaluators: what is drawn, and that all texts can be read."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import pytest

import dealerkit as dk

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
    return dk.compare(measures, sample=dk.solved_sample()[:300], replicates=100)


def read_points(panel) -> list[float]:
    return [line.get_xdata()[0] for line in panel.lines if line.get_marker() == "o"]


def test_values_and_differences_lie_inside_the_figure(trial) -> None:
    ax = trial.plot()
    values, gains = ax.child_axes
    table = trial.frame.R2.sort_values(ascending=False)
    assert read_points(values) == pytest.approx(table.tolist())
    assert read_points(gains) == pytest.approx((table - table["hcp"]).tolist())
    texts = check_texts(ax.figure)
    for name, row in trial.differences.iterrows():
        assert name in texts and f"{row.R2:+.3f}".replace("-", "−") in texts


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

    from dealerkit.plots.panels import use_style

    before = dict(mpl.rcParams)
    with use_style():
        mpl.rcParams["interactive"] = not before["interactive"]
    assert {name for name in before if mpl.rcParams[name] != before[name]} == {"interactive"}
    mpl.rcParams["interactive"] = before["interactive"]


def test_many_evaluators_and_all_sides(trial) -> None:
    names = {f"measure number {k}": f"hcp + {k} * controls" for k in range(25)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dk.studies.TrialWarning)
        many = dk.compare(names, sample=dk.solved_sample()[:300], replicates=100, where="hcp > 19")
    assert len(many.plot().child_axes[0].get_yticks()) == 25
    check_texts(many.plot().figure)
