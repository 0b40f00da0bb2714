"""Every plot: texts that stand apart and inside, in small figures and grids, also after a user's changes."""

from __future__ import annotations

import ast
import inspect
import warnings
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

import dealerkit as dk
from dealerkit.charts import figures, panels
from tests.plots.cases import DRAWN_BY, PLOTS
from tests.plots.figure_texts import check_texts, find_texts

mpl.use("Agg")
pytestmark = [
    pytest.mark.filterwarnings("error::UserWarning:matplotlib"),
    pytest.mark.filterwarnings("error:Glyph:UserWarning"),
]
ROOT = Path(dk.__file__).parent


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Names of the functions that were running when a plot was completed."""
    close, found = panels.Frame.close, set()

    def note(frame: Any) -> None:
        for caller in inspect.stack(0)[:8]:
            path = Path(caller.filename)
            if path.is_relative_to(ROOT):
                found.add(name_function(path, caller.function))
        close(frame)

    monkeypatch.setattr(panels.Frame, "close", note)
    return found


def name_function(file: Path, function: str) -> str:
    return ".".join((*file.relative_to(ROOT).with_suffix("").parts, function))


def plot(name: str, **options: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dk.DealerkitWarning)
        return PLOTS[name](**options)


@pytest.mark.parametrize("name", PLOTS)
def test_a_new_figure_has_its_texts_apart_and_inside(name: str, drawn: set[str]) -> None:
    before = dict(mpl.rcParams)
    ax = plot(name)
    assert [function for function, names in DRAWN_BY.items() if name in names and function in drawn]
    assert dict(mpl.rcParams) == before
    assert len(check_texts(ax.figure)) > 3
    assert ax is ax.figure.axes[0] and (ax.get_title() or name in ("deal", "partial deal"))


@pytest.mark.parametrize("name", PLOTS)
def test_a_telephone_gets_a_drawing_with_larger_texts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    widths = []

    def check(figure: Any) -> str:
        check_texts(figure)
        widths.append(figure.get_size_inches()[0])
        return "<svg/>"

    monkeypatch.setattr(figures, "render_svg", check)
    figure = plot(name).figure
    width = figure.get_size_inches()[0]
    assert figures.render_figure(figure).count('<div class="dk-figure') == 2
    assert widths == [width, figures.NARROW] and figure.get_size_inches()[0] == width


@pytest.mark.parametrize("name", PLOTS)
def test_a_small_dark_figure_takes_another_title_and_label(name: str) -> None:
    with mpl.style.context("dark_background"):
        ax = plot(name, figsize=(2.5, 1.8), title="ours")
        assert ax.get_title() == "ours" and tuple(ax.figure.get_size_inches()) == (2.5, 1.8)
        check_texts(ax.figure)
        ax.set_title("mine, which is too long for one line")
        ax.set_xlabel("x")
        texts = check_texts(ax.figure)
    assert "mine, which is too long for one line" in texts and (
        "x" in texts or name in ("deal", "partial deal")
    )
    assert "ours" not in texts


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_stays_in_its_cell_of_a_grid(name: str) -> None:
    figure, axes = plt.subplots(1, 3, figsize=(9, 2.5))
    edges = [ax.get_position().get_points() * figure.bbox.size for ax in axes]
    assert plot(name, ax=axes[1]) is axes[1]
    for ax in (axes[0], axes[2]):
        ax.remove()
    check_texts(figure)
    left, right = ((edges[k][1][0] + edges[k + 1][0][0]) / 2 for k in (0, 1))
    for text in find_texts(axes[1]):
        if text.get_text().strip():
            box = text.get_window_extent()
            assert left - 1 < box.x0 and box.x1 < right + 1, text
    (_, low), (_, high) = axes[1].get_window_extent().get_points()
    assert high - low > 0.3 * figure.dpi


@pytest.mark.parametrize("name", PLOTS)
def test_a_layout_engine_places_a_plot_among_others(name: str) -> None:
    figure, axes = plt.subplots(1, 3, figsize=(9, 2.5), layout="constrained")
    # Given ticks: the engine measures twice, and matplotlib's own would have longer labels in a lower box.
    axes[0].set(title="neighbour", ylabel="values", yticks=[0, 1])
    axes[2].set(title="neighbour", ylabel="values", yticks=[0, 1])
    plot(name, ax=axes[1])
    check_texts(figure)
    assert axes[1].get_window_extent().width > 0.3 * figure.dpi


def test_every_function_that_draws_has_a_case() -> None:
    functions = set()
    for file in ROOT.rglob("*.py"):
        text = file.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "charts.panels import" in text else ():
            calls = [call.func for call in ast.walk(node) if isinstance(call, ast.Call)]
            is_drawing = any(isinstance(call, ast.Name) and call.id == "open_frame" for call in calls)
            if isinstance(node, ast.FunctionDef) and is_drawing:
                functions.add(name_function(file, node.name))
    assert len(functions) > 30 and functions == set(DRAWN_BY)
