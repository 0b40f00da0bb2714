"""Frequencies in buckets, frames and limits."""

from __future__ import annotations

import math

import numpy as np
import pytest

import dealerkit as dk

DEALS = dk.deal(20_000, seed=3)


def test_buckets_of_reals() -> None:
    report = dk.run("action bktfreq (ltc(north), 5, 9, 0.5)", source=DEALS).reports[0]
    values = DEALS.eval("ltc(north)")
    frame = report.frame
    for start in np.arange(5, 9.5, 0.5):
        assert frame.loc[start, "count"] == ((values >= start) & (values < start + 0.5)).sum()
    assert frame.loc["low", "count"] == (values < 5).sum()
    assert frame.loc["high", "count"] == (values >= 9.5).sum()
    assert frame["share"].sum() == pytest.approx(1) and frame["cumulative"].iloc[-1] == pytest.approx(1)


def test_buckets_in_two_dimensions() -> None:
    report = dk.run("action bktfreq (hcp(north), 0, 20, 5, controls(north), 0, 6, 2)", source=DEALS).reports[
        0
    ]
    points, controls = DEALS.eval("hcp(north)"), DEALS.eval("controls(north)")
    frame = report.frame
    assert frame.loc[10, 2] == ((points >= 10) & (points < 15) & (controls >= 2) & (controls < 4)).sum()
    assert frame.to_numpy().sum() == len(DEALS)


def test_frame_of_an_average() -> None:
    frame = dk.run('action average "x" hcp(north)', source=DEALS).reports[0].frame
    values = DEALS.eval("hcp(north)")
    assert list(frame.columns) == ["label", "n", "mean", "sd", "se", "lo", "hi"]
    row = frame.iloc[0]
    assert (row["label"], row["n"]) == ("x", 20_000)
    assert row["mean"] == pytest.approx(values.mean()) and row["sd"] == pytest.approx(values.std(ddof=1))
    assert row["se"] == pytest.approx(values.std(ddof=1) / math.sqrt(20_000))
    assert row["hi"] - row["mean"] == pytest.approx(1.96008 * row["se"], rel=1e-4)


def test_cross_frame() -> None:
    frame = dk.run("action frequency (hcp(north), 8, 12, spades(north), 2, 5)", source=DEALS).reports[0].frame
    points, spades = DEALS.eval("hcp(north)"), DEALS.eval("spades(north)")
    assert frame.loc[10, 4] == ((points == 10) & (spades == 4)).sum()
    assert frame.loc["low", "high"] == ((points < 8) & (spades > 5)).sum()


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("bktfreq (cccc(north), 0, 10, 0.00000001)", "rows"),
        ("bktfreq (hcp(north), 0, 10, 0)", "more than 0"),
        ("frequency (ltc(north), 0, 10)", "bktfreq"),
        ("frequency (hcp(north), 10, 0)", "10"),
        ("frequency (hcp(north), 0, 100000000)", "rows"),
    ],
)
def test_impossible_tables_are_script_errors(action: str, message: str) -> None:
    with pytest.raises(dk.ScriptError, match=message):
        dk.run(f"action {action}", generate=10)


def test_plots_show_the_numbers_of_the_frames() -> None:
    result = dk.run(
        'action average "a" hcp(north), average "b" hcp(south), frequency (spades(north), 0, 13), '
        "frequency (hcp(north), 5, 15, spades(north), 2, 5)",
        source=DEALS,
    )
    axes = result.plot()
    assert len(axes) == 3
    frame = result.reports[2].frame
    means, table, cross = axes
    heights = [bar.get_height() for bar in table.patches]
    kept = frame["share"][frame["share"] >= 0.0005]
    assert heights == pytest.approx((100 * kept).tolist())
    counts = result.reports[3].counts
    tints = cross.collections[0].get_facecolors()[:, 3]
    assert max(tints) == pytest.approx(0.5) and np.prod(result.reports[3].join_table()[0].shape) == len(tints)
    assert result.reports[3].join_table()[0].sum() == counts.sum()
    assert [text.get_text() for text in means.get_yticklabels()] == ["a", "b"]
    with pytest.raises(dk.ArgumentError, match="nothing to plot"):
        dk.run("action printoneline", produce=1).plot()
