"""Drawings for telephones: the range of tints without numbers, few ticks, and unbroken names of columns."""

from __future__ import annotations

import warnings
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

import dealerkit as dk
from dealerkit.charts import figures
from dealerkit.charts.panels import open_frame
from dealerkit.studies.comparison.plot import draw_pairs
from tests.plots.cases import PLOTS
from tests.plots.figure_texts import check_texts, find_texts

mpl.use("Agg")


def list_drawings(ax: Any, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the texts of the wide and of the narrow drawing of a plot."""
    found = []
    monkeypatch.setattr(figures, "render_svg", lambda figure: found.append(check_texts(figure)) or "<svg/>")
    assert figures.render_figure(ax.figure)
    return found


def plot(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dk.DealerkitWarning)
        return PLOTS[name]()


def test_a_caption_has_the_range_of_tints_where_numbers_do_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    table = dk.tricks_by(dk.solved_sample()[:20_000])
    tricks, makes = table.pivot("tricks").to_numpy(), 100 * table.pivot("makes").to_numpy()
    largest = {
        part: max(value for value in numbers.flat if value == value)
        for part, numbers in zip("tm", (tricks, makes), strict=True)
    }
    least = min(value for value in tricks.flat if value == value)
    wide, narrow = list_drawings(table.plot(), monkeypatch)
    assert f"{largest['t']:.1f}" in wide and not any("Tints" in text for text in wide)
    (caption,) = (text for text in narrow if "Tints" in text)
    assert caption.endswith(
        f"Tints of mean tricks: {least:.1f} to {largest['t']:.1f}. Tints of make rates in %: 0 to {largest['m']:.0f}."
    )
    assert f"{largest['t']:.1f}" not in narrow


def test_tints_of_a_two_way_table_have_a_range(monkeypatch: pytest.MonkeyPatch) -> None:
    ax = plot("two-way of many values")
    numbers = {text.get_text() for text in ax.texts}
    wide, narrow = list_drawings(ax, monkeypatch)
    assert numbers & {*wide} and not any("Tints" in text for text in wide)
    (caption,) = (text for text in narrow if "Tints" in text)
    assert caption.rpartition(" Tints: 0 to ")[2].removesuffix(" %.") in numbers
    assert "Tints" not in "".join(check_texts(ax.figure))  # the figure is as before


def test_tints_of_differences_have_a_range(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{place} evaluator" for place in ("first", "second", "third", "fourth", "fifth", "last")]
    differences = np.triu(np.add.outer(-np.arange(6), np.arange(6)) * 0.02, 1)
    differences[0, 1] = 0.003  # not decided
    texts = "title", "R²", "caption."
    ax = draw_pairs(None, names, differences, differences > 0.01, texts, "close")
    wide, narrow = list_drawings(ax, monkeypatch)
    assert "+0.020" in wide and "+0.100" in wide and "caption." in wide
    assert "caption. Tints: +0.020 to +0.100." in narrow and "+0.100" not in narrow


def test_a_caption_of_the_user_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    ax = plot("two-way of many values")
    ax.figure.draw_without_rendering()
    (caption,) = (text for text in find_texts(ax) if "intervals are" in text.get_text())
    caption.set_text("mine")
    _, narrow = list_drawings(ax, monkeypatch)
    assert "mine" in narrow


@pytest.mark.parametrize(("width", "labels"), [(4.0, 9), (1.35, 3), (0.62, 1)])
def test_ticks_of_a_signed_scale_are_thinned(width: float, labels: int) -> None:
    with open_frame(None, height=2.0, width=width) as frame:
        (panel,) = frame.add_panels()
        frame.write("t")
        frame.scale(panel.xaxis, -0.31, 0.33, sign=True)
        panel.set_yticks([])
    shown = [text for text in check_texts(frame.ax.figure) if text != "t"]
    assert len(shown) == labels and "0" in shown


def test_names_of_columns_are_not_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    wide, narrow = list_drawings(plot("best contracts"), monkeypatch)
    assert "partscore" in wide and "partscore" in narrow


def test_names_of_rows_are_wrapped_before_their_numbers_are_hidden(monkeypatch):
    result = dk.run(
        'produce 200000 action average "points together" hcp(north) + hcp(south) + 0.001, '
        'average "eight-card major fit" fit(NS, spades) >= 8',
        seed=1,
    )
    wide, narrow = list_drawings(result.plot(), monkeypatch)
    (total,) = (text for text in wide if "±" in text and "%" not in text and "mean" not in text)
    assert total in narrow and "100 %" in narrow
