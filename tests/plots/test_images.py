"""A dozen figures compared with their pictures, which were looked at.

``DEALERKIT_WRITE_IMAGES=1`` writes the pictures anew; look at them before they are committed.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.style
import pytest
from matplotlib.testing.compare import compare_images

import dealerkit as dk

mpl.use("Agg")
FOLDER = Path(__file__).parent / "images"
TOLERANCE = 4.0  # root mean square of 256 levels: other versions of FreeType differ by about 1
DEAL = "N:K4.KQ982.AQJ8.T3 AJ9875.4.T653.A9 63.AJT65.942.K65 QT2.73.K7.QJ8742"


@functools.cache
def find_deals() -> dk.Deals:
    return dk.solved_sample()[:3000]


@functools.cache
def compare() -> Any:
    return dk.compare(
        ["hcp", "losers", "controls"], sample=find_deals(), replicates=200, seed=1, events="game"
    )


def plot_script(script: str) -> Any:
    return dk.run(script, source=find_deals()).plot()


FIGURES: dict[str, Callable[[], Any]] = {
    "averages": lambda: plot_script(
        "action average hcp(north), average losers(south), average hcp(east) > 9"
    ),
    "frequency": lambda: plot_script("action frequency (hcp(north) + hcp(south), 0, 37)"),
    "two-way": lambda: plot_script('action frequency "points" (hcp(north), 6, 16, hcp(south), 6, 16)'),
    "contract": lambda: plot_script("action evalcontract(NS, z4S, vul)"),
    "deal": lambda: dk.Deal(DEAL, vulnerable=1, dealer=1, board=2).plot(),
    "law": lambda: dk.law_of_total_tricks(find_deals()).plot(),
    "tricks": lambda: dk.tricks_by(find_deals()).plot(),
    "par": lambda: dk.par_statistics(find_deals()).plot(),
    "trial": lambda: compare().plot(),
    "pairs": lambda: compare().plot(show="pairs"),
    "best": lambda: compare().plot(show="best"),
    "calibration": lambda: compare().plot(show="calibration"),
}


def save(ax: Any, path: Path) -> None:
    figure = ax.figure if hasattr(ax, "figure") else ax[0].figure
    figure.savefig(path, dpi=60, facecolor="white", metadata={"Software": None})


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_its_picture(name: str, tmp_path: Path) -> None:
    path = FOLDER / f"{name}.png"
    with mpl.style.context("default"):
        ax = FIGURES[name]()
        if os.environ.get("DEALERKIT_WRITE_IMAGES"):
            save(ax, path)
        save(ax, tmp_path / "now.png")
    assert compare_images(str(path), str(tmp_path / "now.png"), TOLERANCE) is None


def test_another_title_is_noticed(tmp_path: Path) -> None:
    ax = FIGURES["frequency"]()
    ax.set_title("another title of this plot")
    save(ax, tmp_path / "now.png")
    assert compare_images(str(FOLDER / "frequency.png"), str(tmp_path / "now.png"), TOLERANCE) is not None
