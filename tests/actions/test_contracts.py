"""evalcontract: DealerV2's text of one deal from the language reference, figures compared with a direct count."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.scoring import imps, score


@pytest.fixture(scope="module")
def deals() -> dk.Deals:
    tables = np.random.default_rng(7).integers(6, 14, (400, 5, 4))
    return dk.deal(400, seed=7).replace(tables=tables)


def test_text_of_dealer_v2(deals):
    """Section 5.2 of the language reference: 3NT by a vulnerable side that takes ten tricks."""
    ten = deals[:5].replace(tables=np.full((5, 5, 4), 10))
    result = dk.run("action evalcontract(NS, x3N, vul)", source=ten, dialect="v2", statistics=False)
    assert result.text == (
        "\nContract  3N  V by NS Avg Result =  630.00, Made pct= 100.00, Fail pct=   0.00\n"
        "Missed Game_pct=   0.00, Missed Slam_pct=   0.00, Missed Game Imps/board=   0.00,"
        " Missed Slam Imps/board=   0.00\n"
    )


@pytest.mark.parametrize(("side", "seat"), [("NS", 2), ("EW", 3)])
@pytest.mark.parametrize(
    ("bid", "strain", "game"), [("2S", 0, "4S"), ("4Sx", 0, "4S"), ("1N", 4, "3N"), ("4D", 2, "5D")]
)
def test_figures_equal_a_direct_count(deals, side, seat, bid, strain, game):
    [report] = dk.run(f"action evalcontract({side}, x{bid}, nv)", source=deals).reports
    tricks = deals.tables[:, strain, seat].astype(int)
    points = score(bid, tricks)
    assert report.score.value == pytest.approx(points.mean())
    assert report.score.se == pytest.approx(points.std(ddof=1) / 20)
    level = int(bid[0])
    assert report.made.value == pytest.approx(np.mean(tricks >= level + 6))
    missed = (tricks >= int(game[0]) + 6) & (level < int(game[0]))
    assert report.missed_game.value == pytest.approx(missed.mean())
    gain = imps(score(game, tricks) - score(bid.rstrip("x"), tricks))
    assert report.game_imps.value == pytest.approx(np.where(missed, gain, 0).mean())
    slam = np.where(tricks == 13, score(f"7{bid[1]}", tricks), score(f"6{bid[1]}", tricks))
    cost = np.where(tricks >= 12, imps(slam - score(bid.rstrip("x"), tricks)), 0)
    assert report.slam_imps.value == pytest.approx(cost.mean())
    assert report.frame.loc["made", "n"] == 400


def test_text_html_and_plot(deals):
    result = dk.run("action evalcontract(NS, x4H, vul)", source=deals)
    [report] = result.reports
    assert "4H by NS, vulnerable" in result.text and "makes" in result.text
    assert "4H by NS, vulnerable" in report._repr_html_()
    axes = report.plot()
    assert sum(bar.get_height() for bar in axes.patches) == pytest.approx(100)


def test_missing_arguments_are_an_error():
    with pytest.raises(dk.ScriptError, match="evalcontract"):
        dk.run("action evalcontract", dialect="v1")
