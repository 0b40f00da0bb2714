"""The plot of numbers of the user's own: what is drawn, and texts on light and dark."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit import plot_series
from dealerkit.appearance.content import Chart, Place
from tests.plots.figure_texts import check_themes

APART = {"rising": pd.Series([0.1, 0.4, 0.9], [1, 2, 3]), "falling": {3: 0.2, 1: 0.7}}
CLOSE = {
    "before the auction": {1: 0.1, 2: 0.2},
    "after it": {1: 0.3, 2: 0.2},
    "after the lead": {1: 0, 2: 0.21},
}


def test_names_are_beside_the_lines_or_above_them_if_these_end_together() -> None:
    for series in (APART, CLOSE):
        texts = check_themes(lambda series=series: plot_series(series, "Title", x="place", percent=True))
        assert {"Title", "place", *series} <= set(texts)


def test_shares_are_drawn_in_order_as_per_cent() -> None:
    panel = plot_series(APART, "Title", x="place", percent=True)
    assert panel.lines[0].get_ydata() == pytest.approx([10, 40, 90])
    assert panel.lines[1].get_xydata() == pytest.approx(np.array([[1, 70], [3, 20]]))


def test_intervals_are_whiskers_and_not_joined() -> None:
    table = pd.DataFrame({"value": [1.0, 2.0], "lo": [0.5, 1.0], "hi": [1.5, 4.0]}, [3, 4])
    panel = plot_series({"own": table}, "Title", x="place", reference=1.5)
    ends = [segment[:, 1].tolist() for segment in panel.collections[0].get_segments()]
    assert ends == [[0.5, 1.5], [1.0, 4.0]] and panel.lines[0].get_linestyle() == "None"
    assert panel.lines[1].get_ydata() == [1.5, 1.5]


@pytest.mark.parametrize(
    ("series", "message"),
    [({}, "0 series"), (dict.fromkeys("abcde", {1: 1}), "5 series"), ({"x": {}}, "'x' has no number")],
)
def test_mistakes(series: dict[str, dict[int, float]], message: str) -> None:
    with pytest.raises(dk.ArgumentError, match=message):
        plot_series(series, "Title", x="place")


def test_a_chart_of_a_report_passes_its_place() -> None:
    chart = Chart("shares", lambda place: plot_series(APART, "Title", x="place", ax=place))
    panel = chart.draw(Place(None, (5.0, 3.0), "Another title"))
    assert panel.get_title() == "Another title"
    assert panel.figure.get_size_inches().tolist() == [5.0, 3.0]


@pytest.mark.parametrize("width", [0.01, 0.1])
def test_the_highest_interval_ends_below_the_top_of_the_axes(width: float) -> None:
    """Also where the values are far above 0 and close to each other."""
    table = pd.DataFrame(
        {"value": [0.36, 0.37], "lo": [0.36 - width, 0.37 - width], "hi": [0.36, 0.37 + width]}
    )
    ax = plot_series({"own": table}, "Title", x="place", percent=True)
    low, high = ax.get_ylim()
    assert low == 0 and high >= 37.0 + 100 * width + 0.04 * high
