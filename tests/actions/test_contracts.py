"""evalcontract: DealerV2's text of one deal from the language reference, figures compared with a direct count."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import imps, score
from dealerkit.language.dialects import find_rules
from dealerkit.translate.scripts import translate


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
    assert "4H by south, vulnerable" in result.text and "makes" in result.text
    assert "4H by south, vulnerable" in report._repr_html_()
    panel = report.plot()
    assert sum(bar.get_height() for bar in panel.patches) == pytest.approx(100)


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_a_seat_is_the_declarer_and_is_named(deals, seat):
    name = ("north", "east", "south", "west")[seat]
    result = dk.run(f"action evalcontract({name}, 3NT, vul)", source=deals)
    [report] = result.reports
    points = score("3NT", deals.tables[:, 4, seat].astype(int), vulnerable=True)
    assert report.score.value == pytest.approx(points.mean())
    assert (report.declarer, report.side) == (seat, seat % 2)
    assert f"3NT by {name}, vulnerable" in result.text


@pytest.mark.parametrize("dialect", ["v1", "v2"])
def test_old_dialects_take_a_side_only(dialect):
    with pytest.raises(dk.ScriptError, match="takes a side"):
        dk.run("action evalcontract(north, x3N, vul)", dialect=dialect)


def test_a_seat_translates_to_the_side_whose_declarer_it_is():
    script = dk.parse("action evalcontract(west, 3NT, vul)")
    assert "evalcontract(EW, x3N, vul)" in translate(script, find_rules("v2"))[0]
    with pytest.raises(dk.DealerkitError, match="north or east"):
        translate(dk.parse("action evalcontract(north, 3NT, vul)"), find_rules("v2"))


def test_missing_arguments_are_an_error():
    with pytest.raises(dk.ScriptError, match="evalcontract"):
        dk.run("action evalcontract", dialect="v1")


def test_two_contracts_of_a_side_are_compared_deal_by_deal() -> None:
    sample = dk.solved_sample()[:400]
    script = "action evalcontract(NS, z4S, vul), evalcontract(NS, z3N, vul), evalcontract(EW, z2H, vul)"
    result = dk.run(script, source=sample)
    report = result.reports[-1]
    assert report.title == "4S minus 3NT, deal by deal" and len(result.reports) == 4
    tricks = [sample.eval(f"dds(south, {strain})") for strain in ("spades", "notrump")]
    scores = [dk.score(name, made, vulnerable=True) for name, made in zip(("4S", "3NT"), tricks, strict=True)]
    assert report.points.value == pytest.approx(np.mean(scores[0] - scores[1]))
    assert report.imps.value == pytest.approx(np.mean(dk.imps(scores[0] - scores[1])))
    assert report.points.se == pytest.approx(np.std(scores[0] - scores[1], ddof=1) / 20)
    text = report._repr_html_()
    assert text.count('class="dot"') == 2 and "minus 3NT" in text and report.describe_verdict() in text
    assert report.title in result.text
    page = result._repr_html_()
    assert page.count("Contracts of north-south, vulnerable") == 1 and page.count("makes, 0 to 100") == 2
    places = [page.index(start) for start in ("<h3>Contracts of north", "minus 3NT", "<h3>Contract 2")]
    assert places == sorted(places)  # the difference is below its own pair
    assert [each.break_even for each in result.reports[:3]] == [3 / 8, 3 / 8, None]  # of games, vulnerable
    first, second = sample[:200], sample[200:]
    both = dk.run(script, source=first) + dk.run(script, source=second)
    assert both.reports[-1].imps.value == pytest.approx(report.imps.value)


def test_old_dialects_and_single_contracts_have_no_difference() -> None:
    sample = dk.solved_sample()[:10]
    for script, options in (
        ("action evalcontract(NS, x4S, vul), evalcontract(NS, x3N, vul)", {"dialect": "v2"}),
        ("action evalcontract(NS, z4S, vul), evalcontract(EW, z3N, vul)", {}),
        ("action evalcontract(NS, z4S, vul), evalcontract(NS, z4S, vul)", {}),
    ):
        assert len(dk.run(script, source=sample, **options).reports) == 2
