"""Plots of decisions and of the best contract: texts inside the figure, and what is drawn."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

import dealerkit as dk
from dealerkit import ArgumentError
from dealerkit.studies.comparison.decide import DecisionQuestion, decide

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "studies" / "comparison"))
from figure_texts import check_texts
from notrump_sides import make_data

mpl.use("Agg")


@pytest.fixture(scope="module")
def decision():
    data = make_data(dk.solved_sample()[:800])
    data = replace(data, tables=np.repeat(data.tricks[:, None], 5, axis=1))
    return decide(data, DecisionQuestion.parse(("3NT", "1NT"), True), replicates=100)


@pytest.mark.parametrize("names", [["points"], ["points", "fewer"]])
def test_curves(decision, names):
    ax = decision.plot(names=names)
    texts = check_texts(ax.figure)
    assert "3NT or 1NT, vulnerable" in texts and "perfect foresight" in texts
    panel = ax
    curve = decision.curve("points")
    assert panel.lines[0].get_ydata() == pytest.approx(curve.gain)
    assert panel.lines[0].get_xdata() == pytest.approx(
        curve.threshold if len(names) == 1 else 100 * curve.bid
    )
    assert panel.lines[1].get_ydata() == pytest.approx([curve.gain.max()])


def test_names_of_curves(decision):
    with pytest.raises(ArgumentError, match="0 evaluators"):
        decision.plot(names=[])
    with pytest.raises(ArgumentError, match="unknown evaluator 'pionts'; did you mean 'points'"):
        decision.plot(names="pionts")


@pytest.mark.parametrize("classes", [None, {"eight trumps": "fit == 8", "notrump": ("notrump", "fit <= 7")}])
def test_best_contracts(classes):
    table = dk.best_contracts(dk.solved_sample()[:3000], where="hcp >= 20", classes=classes)
    texts = check_texts(table.plot().figure)
    assert "Best contract by hcp, not vulnerable" in texts
    if classes is None:
        assert texts.count("best") == len(table.frame)
    else:
        assert sum(texts.count(name) for name in table.candidates) == len(table.frame)
