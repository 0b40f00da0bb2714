"""Colours of plots: those of the style sheet, for the ground of the figure; settings stay as they were."""

from __future__ import annotations

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import to_hex

from dealerkit.appearance.html import read_tokens
from dealerkit.charts.style import find_theme, get_color, list_series, use_style

mpl.use("Agg")


@pytest.mark.parametrize("style, theme", [("default", "light"), ("dark_background", "dark")])
def test_colours_are_those_of_the_sheet_for_the_ground(style, theme):
    with plt.style.context(style):
        ax = plt.figure().add_subplot()
        before = dict(mpl.rcParams)
        with use_style(ax):
            assert mpl.rcParams["text.color"] == get_color("text") == read_tokens(theme)["--dk-text"]
            assert list_series()[1] == (read_tokens(theme)["--dk-exact"], "D")
            line = ax.plot([0, 1])[0]
        assert dict(mpl.rcParams) == before
    assert get_color("text") == read_tokens("light")["--dk-text"]
    assert line.get_linestyle() == "-"


def test_ground_of_the_figure_decides():
    dark, clear = plt.figure(facecolor="#111111").add_subplot(), plt.figure(facecolor="none").add_subplot()
    assert find_theme(dark) == "dark"
    assert find_theme(clear) == "light" == find_theme()
    with plt.rc_context({"text.color": "white"}):  # of a page that is dark
        assert find_theme(clear) == "dark"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_are_colours(theme):
    ground = "#ffffff" if theme == "light" else "#111111"
    with use_style(plt.figure(facecolor=ground).add_subplot()):
        for name in ("text", "quiet", "line", "rule", "data", "exact", "cat3", "cat4", "rest", "ground"):
            assert to_hex(get_color(name)) == read_tokens(theme)[f"--dk-{name}"]
