"""Reports as HTML: what their drawings show, and what they say."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.actions.two_way import join_tails
from dealerkit.appearance import drawings, svg
from dealerkit.appearance.html_card import render_table
from dealerkit.appearance.table import Column, Table

DEALS = dk.deal(4000, seed=3)


def read_svg(text: str) -> dict[str, list[dict[str, str]]]:
    """Return the attributes of the marks of a drawing by their class."""
    marks: dict[str, list[dict[str, str]]] = {}
    for tag in re.findall(r"<(?:line|rect|circle|path)[^>]*>", text):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        marks.setdefault(attributes["class"], []).append(attributes)
    return marks


def test_a_mean_is_drawn_among_the_values() -> None:
    marks = read_svg(svg.draw_spread(10, 30, 15, 2.5, (14, 16), ("10", "30"), "x"))
    assert marks["dot"][0]["cx"] == "25.00%"
    assert (marks["band"][0]["x"], marks["band"][0]["width"]) == ("12.50%", "25.00%")
    assert (marks["whisk"][0]["x1"], marks["whisk"][0]["x2"]) == ("20.00%", "30.00%")


def test_a_mean_without_interval_and_equal_values_are_drawn() -> None:
    marks = read_svg(svg.draw_spread(7, 7, 7, 0, (-np.inf, np.inf), ("7", "7"), "x"))
    assert "whisk" not in marks and marks["dot"][0]["cx"] == "0.00%"


def test_the_mean_of_a_single_deal_has_no_band() -> None:
    marks = read_svg(svg.draw_spread(7, 7, 7, np.nan, (-np.inf, np.inf), ("7", "7"), "x"))
    assert [band["width"] for band in marks["band"]] == ["0.00%"]


def test_shares_have_one_axis_from_zero() -> None:
    report = dk.run("action frequency (hcp(north), 0, 37)", source=DEALS).reports[0]
    html = report._repr_html_()
    widths = [float(width) for width in re.findall(r'class="bar" x="0"[^>]* width="([\d.]+)%"', html)]
    shares = report.shares.share[report.shown_rows()]
    assert np.array(widths) == pytest.approx(100 * shares / (1.1 * report.shares.hi.max()), abs=0.006)


def test_labels_say_what_drawings_show() -> None:
    report = dk.run('action average "p<q" hcp(north), frequency "f" (hcp(north), 0, 37)', source=DEALS)
    html = report._repr_html_()
    values = DEALS.eval("hcp(north)")
    assert f"p&lt;q: mean {values.mean():.1f}" in html
    assert f"all values between {values.min()} and {values.max()}" in html
    assert len(re.findall(r"<title>10: share [\d.]+\u00a0%, interval [\d.]+ – [\d.]+\u00a0%", html)) == 1


def test_tails_of_large_tables_are_joined() -> None:
    result = dk.run("action frequency (hcp(north), 0, 37, hcp(south), 0, 37)", source=DEALS)
    html = result._repr_html_()
    heads = re.findall(
        r'<th scope="col">([^<]*)</th>', html.partition('class="heat"')[2].partition("</thead>")[0]
    )
    points = DEALS.eval("hcp(south)")
    high = int(heads[-2].removeprefix("≥ "))
    assert (points >= high).mean() < 0.01 <= (points >= high - 1).mean()
    assert heads[-1] == "all" and "<summary>Counts</summary>" in html
    counts = np.random.default_rng(1).integers(0, 9, (30, 4)).astype(float)
    joined, names, _ = join_tails(counts, [str(value) for value in range(30)])
    assert joined.sum() == counts.sum() and len(joined) == len(names)


def test_columns_are_at_the_side_that_fits() -> None:
    columns = [
        Column("contract", kind="contract"),
        Column("deals", kind="count"),
        Column("IMPs", strong=True),
    ]
    html = render_table(Table(columns, [["4♠", 1000, -0.5], ["3NT", 12, 0.04]]))
    assert re.findall(r'<td class="(\w*)">|<td>', html) == ["", "n", "", "n"]  # counts are no result
    assert '<th scope="col" class="l">contract</th>' in html


def test_reaches_are_round() -> None:
    assert [drawings.choose_reach([value]) for value in (0.3, 0.69, 1.0, 4, 68)] == [0.5, 1, 1, 5, 100]


def test_an_interrupted_run_says_so() -> None:
    result = dk.run("action average hcp(north)", produce=10, seed=1)
    shown = replace(result, interrupted=True)._repr_html_()
    assert '<span class="dk-warn">stopped</span>' in shown
    assert "stopped" not in result._repr_html_().partition("</style>")[2]


def test_margin_of_a_two_way_table_has_the_confidence_of_the_run() -> None:
    """By the normal approximation for the largest share; a run with all deals of a file has no margin."""
    script = "action frequency (hcp(north), 9, 12, spades(north), 2, 4)"
    result = dk.run(script, generate=5000, seed=1, confidence=0.8)
    share = result.reports[0].counts.max() / 5000
    margin = 128.155 * (share * (1 - share) / 5000) ** 0.5
    text = re.search(r"80\xa0% intervals are ± ([\d.]+) or narrower", result._repr_html_())
    assert text and abs(float(text[1]) - margin) <= 0.051
