"""Plots of reports: the numbers that they show, on light and on dark, and texts that do not overlap."""

from __future__ import annotations

import io

import matplotlib as mpl
import matplotlib.style
import numpy as np
import pytest

import dealerkit as dk
from dealerkit.appearance.html import read_tokens
from tests.plots.figure_texts import check_texts, find_texts

mpl.use("Agg")
DEALS = dk.deal(3000, seed=5)
LONG = "points of both hands, in a name that is much longer than a figure of six inches is wide, twice over"
SCRIPTS = {
    "averages": f'action average "{LONG}" hcp(north), average hcp(south) > 9, average "x" 5',
    "frequency": "action frequency (hcp(north) + hcp(south), 0, 37)",
    "negative": "action frequency (hcp(north) - hcp(south), -37, 37)",
    "buckets": "action bktfreq (cccc(north), 0, 30, 0.5)",
    "cross": "action frequency (hcp(north), 0, 37, hcp(south), 0, 37)",
    "small cross": f'action frequency "{LONG}" (spades(north), 2, 4, spades(south), 2, 4)',
}


@pytest.fixture(params=["default", "dark_background"])
def style(request: pytest.FixtureRequest):
    with mpl.style.context(request.param):
        yield "light" if request.param == "default" else "dark"


@pytest.mark.parametrize("name", SCRIPTS)
def test_texts_are_inside_and_apart_in_both_themes(name: str, style: str) -> None:
    ax = dk.run(SCRIPTS[name], source=DEALS).plot()
    texts = check_texts(ax.figure)
    assert any(ax.figure.texts or ax.texts) and len(texts) > 3
    assert ax.title.get_color() == read_tokens(style)["--dk-text"]


def test_whiskers_and_bars_differ_from_the_ground(style: str) -> None:
    ax = dk.run(SCRIPTS["frequency"], source=DEALS).plot()
    panel = ax
    tokens = read_tokens(style)
    assert mpl.colors.to_hex(panel.collections[0].get_colors()[0]) == tokens["--dk-text"]
    assert panel.patches[0].get_alpha() == float(tokens["--dk-bar"])


def test_a_mean_stands_among_the_values_of_the_deals() -> None:
    report = dk.run("action average hcp(north)", source=DEALS).reports[0]
    panel = report.plot()
    values = DEALS.eval("hcp(north)")
    place = (values.mean() - values.min()) / np.ptp(values)
    (x,), _ = panel.lines[-1].get_data()
    assert x == pytest.approx(place) and panel.get_xlim() == (0, 1)


def test_values_that_are_cut_are_named() -> None:
    ax = dk.run(SCRIPTS["frequency"], source=DEALS).plot()
    panel = ax
    shares = np.bincount(DEALS.eval("hcp(north) + hcp(south)"), minlength=38) / 3000
    assert len(panel.patches) < 38 and sum(bar.get_height() for bar in panel.patches) > 99
    caption = " ".join(ax.texts[-1].get_text().split())
    assert "values with a share below 0.05 % are left out: 0" in caption and shares[0] < 0.0005


def test_several_reports_take_a_figure_or_as_many_axes() -> None:
    import matplotlib.pyplot as plt

    result = dk.run("action average hcp(north), frequency (hcp(south), 0, 37)", source=DEALS)
    figure = plt.figure(figsize=(6.4, 7))
    assert [ax.figure for ax in result.plot(figure)] == [figure] * 2
    _, places = plt.subplots(2, figsize=(7, 8))
    assert list(result.plot(places)) == list(places)
    with pytest.raises(dk.ArgumentError, match="2 plots do not fit into 1 Axes; give as many Axes, a figure"):
        result.plot(plt.subplots()[1])


def test_settings_of_matplotlib_stay() -> None:
    before = dict(mpl.rcParams)
    dk.run(SCRIPTS["frequency"], source=DEALS).plot()
    assert dict(mpl.rcParams) == before


def test_dollars_in_labels_are_dollars() -> None:
    script = 'action average "$_$" hcp(north), frequency "from $low to $high^" (spades(north), 0, 3)'
    result = dk.run(script, produce=20, seed=1)
    axes = result.plot()[0]
    axes.figure.savefig(io.BytesIO(), format="svg")
    texts = [text for axes in result.plot() for text in find_texts(axes) if "$" in text.get_text()]
    assert texts and not any(text.get_parse_math() for text in texts)
