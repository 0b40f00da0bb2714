"""Expressions on existing deals as columns of a frame: errors name the deal, no column is lost.

The long layout, a row for each deal and seat, is compared with the wide one and with single deals.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit import ArgumentError, UnknownNameError
from dealerkit.compiler import frames

SEATS = ["north", "east", "south", "west"]
DEALS = dk.deal(300, seed=5)
POINTS = DEALS.eval("hcp(north)")


@pytest.mark.parametrize("size", [7, 65_536])
def test_a_division_by_zero_names_the_deal(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(frames, "BATCH_DEALS", size)
    first = int(np.flatnonzero(POINTS == 10)[0])
    for call in (
        lambda: DEALS.to_frame(x="10 / (hcp(north) - 10)"),
        lambda: DEALS.to_frame("hcp", y="hcp(east)", x="10 % (hcp(north) - 10)"),
        lambda: DEALS.eval("10 / (hcp(north) - 10)"),
        lambda: DEALS.where("10 / (hcp(north) - 10)"),
    ):
        with pytest.raises(dk.DivisionByZeroError, match=rf"\(deal {first}\)") as caught:
            call()
        assert caught.value.row == first


def test_of_several_columns_the_first_deal_is_named() -> None:
    seven, ten = (int(np.flatnonzero(points == POINTS)[0]) for points in (7, 10))
    assert seven != ten
    with pytest.raises(dk.DivisionByZeroError, match=rf"\(deal {min(seven, ten)}\)"):
        DEALS.to_frame(x="1 / (hcp(north) - 10)", y="1 / (hcp(north) - 7)")
    with pytest.raises(dk.DivisionByZeroError, match=rf"\(deal {min(seven, ten)}\)"):
        DEALS.to_frame(y="1 / (hcp(north) - 7)", x="1 / (hcp(north) - 10)")


def test_two_columns_of_one_name_are_refused() -> None:
    for names, expressions in ((["hcp"], {"hcp_north": "7"}), ([], {"deal": "hcp(north)"})):
        with pytest.raises(dk.ArgumentError, match=f"two columns have the name '{[*expressions][0]}'"):
            DEALS.to_frame(*names, **expressions)
    same = DEALS.to_frame("hcp", "hcp_north")  # the same function twice
    assert (same["hcp_north"] == POINTS).all()


def test_the_dialect_and_the_opener_of_expressions() -> None:
    frame = DEALS.to_frame("ltc_north", x="ltc(north)", dialect="v2")
    assert (frame.x == 100 * frame.ltc_north).all()
    text = "opc(NS, spades)"
    by_north = DEALS.eval(text, opener="north")
    assert (by_north != DEALS.eval(text)).any()
    assert (DEALS.to_frame(x=text, opener="north").x == by_north.astype(np.float32)).all()
    chosen = DEALS.where(f"{text} > 20", opener="north")
    assert len(chosen) == (by_north > 20).sum()


@pytest.fixture(scope="module")
def deals() -> dk.Deals:
    return dk.deal(300, seed=5).replace(board=np.arange(300) + 1, weight=np.arange(300) / 7)


def check_seats(frame: pd.DataFrame, n: int) -> None:
    assert frame["number"].tolist() == [number for number in range(n) for _ in SEATS]
    assert frame["seat"].tolist() == SEATS * n and frame["seat"].cat.categories.tolist() == SEATS
    assert frame.index.equals(pd.RangeIndex(4 * n))


def test_values_are_those_of_the_hand_of_the_row(deals):
    frame = deals[:20].to_frame("hcp", "shape", "ltc", layout="long")
    assert frame.columns.tolist() == ["number", "seat", "deal", "board", "weight", "hcp", "shape", "ltc"]
    check_seats(frame, 20)
    for row in frame.itertuples():
        deal = deals[row.number]
        hand = deal.hand(row.seat)
        assert row.deal == deal and row.board == deal.board
        assert row.hcp == sum({"A": 4, "K": 3, "Q": 2, "J": 1}.get(card, 0) for card in hand)
        assert row.shape == "".join(str(len(suit)) for suit in hand.split(".")) or "-" in row.shape
        assert row.ltc == dk.evaluate(deals[row.number : row.number + 1], "ltc", seat=row.seat)[0]


def test_long_is_the_wide_layout_stacked(deals):
    names, expressions = (
        ("hcp", "shape", "fit", "ltc", "hearts_south"),
        {"sum": "hcp(north) + hcp(south)", "slam": "hcp(north) > 20"},
    )
    wide = deals.to_frame(*names, **expressions)
    long = deals.to_frame(*names, layout="long", **expressions)
    check_seats(long, len(deals))
    assert long.columns.tolist() == ["number", "seat", "deal", "board", "weight", *names, *expressions]
    for place, seat in enumerate(SEATS):
        rows = long[long["seat"] == seat].reset_index(drop=True)
        for name in ("hcp", "shape", "ltc"):
            pd.testing.assert_series_equal(rows[name], wide[f"{name}_{seat}"], check_names=False)
        pd.testing.assert_series_equal(
            rows["fit"], wide["fit_ns" if place % 2 == 0 else "fit_ew"], check_names=False
        )
        for name in ("deal", "hearts_south", *expressions):
            pd.testing.assert_series_equal(rows[name], wide[name])
        assert rows["weight"].equals(pd.Series(deals.weight)) and rows["board"].equals(pd.Series(deals.board))
    back = long.pivot(index="number", columns="seat", values="hcp")
    assert (back[SEATS].to_numpy() == wide[[f"hcp_{seat}" for seat in SEATS]].to_numpy()).all()


def test_deals_of_the_rows_have_their_attached_columns(deals):
    long = deals[:3].replace(vulnerable=[0, 1, 3]).to_frame(layout="long")
    assert long.dealer.deals.equals(deals[:3].replace(vulnerable=[0, 1, 3])[np.repeat(np.arange(3), 4)])
    assert (long.dealer.eval("hcp(north)") == np.repeat(deals[:3].eval("hcp(north)"), 4)).all()


def test_no_deals():
    frame = dk.deal(3, seed=1)[:0].to_frame("hcp", "shape", layout="long", x="hcp(north)")
    assert len(frame) == 0 and frame.columns.tolist() == ["number", "seat", "deal", "hcp", "shape", "x"]


def test_accessor_keeps_the_index(deals):
    rows = pd.DataFrame({"deal": dk.DealArray(deals[:3])}, index=["a", "b", "c"])
    wide, long = rows.dealer.to_frame("hcp"), rows["deal"].dealer.to_frame("hcp", layout="long")
    assert wide.index.tolist() == ["a", "b", "c"] and long.index.tolist() == [
        label for label in "abc" for _ in SEATS
    ]
    assert long["hcp"].to_numpy().reshape(3, 4).tolist() == wide.drop(columns="deal").to_numpy().tolist()
    assert rows[:0].dealer.to_frame("hcp", layout="long").empty


def test_results():
    script = (
        "points = hcp(north) action "
        + ", ".join(f"average hcp({seat})" for seat in SEATS)
        + ", average spades(west)"
    )
    result = dk.run(script, produce=50, seed=2, keep=8)
    wide, long = result.to_frame(), result.to_frame(layout="long")
    check_seats(long, 8)
    assert long.columns.tolist() == ["number", "seat", "deal", "points", "hcp", "spades(west)"]
    assert (
        long["hcp"].to_numpy().reshape(8, 4).tolist()
        == wide[[f"hcp({seat})" for seat in SEATS]].to_numpy().tolist()
    )
    for name in ("points", "spades(west)"):
        assert long[name].tolist() == wide[name].repeat(4).tolist()
    # Three seats are no measure of the seats, so they remain as they are.
    three = dk.run("action " + ", ".join(f"average hcp({seat})" for seat in SEATS[:3]), produce=5, seed=2)
    assert three.to_frame(layout="long").columns.tolist()[3:] == [f"hcp({seat})" for seat in SEATS[:3]]


def test_results_of_weighted_deals_have_weights(deals):
    result = dk.run("condition hcp(north) > 12 action average hcp(north)", source=deals, seed=1)
    long = result.to_frame(layout="long")
    assert long["weight"].tolist() == np.repeat(deals.where("hcp(north) > 12").weight, 4).tolist()
    norths = long[long["seat"] == "north"]
    assert np.average(norths["hcp(north)"], weights=norths["weight"]) == pytest.approx(
        result.reports[0].mean.value
    )


def test_names_of_all_four_seats_are_one_measure():
    sample = dk.solved_sample()[:5]
    names = [f"{head}_{seat}{rest}" for head, rest in (("tricks", "_spades"), ("zar", "")) for seat in SEATS]
    wide, long = sample.to_frame(*names), sample.to_frame(*names, "zar_ns", layout="long")
    assert long.columns.tolist() == ["number", "seat", "deal", "tricks_spades", "zar", "zar_ns"]
    for place, seat in enumerate(SEATS):
        rows = long[long["seat"] == seat]
        assert rows["tricks_spades"].tolist() == sample.tables[:, 0, place].tolist()
        assert rows["zar"].tolist() == wide[f"zar_{seat}"].tolist()


def test_columns_of_results_with_further_arguments():
    texts = [f"dds({seat}, spades)" for seat in SEATS]
    script = "action " + ", ".join(f"average {text}" for text in texts)
    result = dk.run(script, source=dk.solved_sample()[:5], seed=1)
    long = result.to_frame(layout="long")
    assert long.columns.tolist()[-1] == "dds(spades)"
    assert (
        long["dds(spades)"].to_numpy().reshape(5, 4).tolist() == result.to_frame()[texts].to_numpy().tolist()
    )


def test_names_that_would_coincide_remain():
    both = [*(f"hcp({seat})" for seat in SEATS), *(f"hcp_{seat}" for seat in SEATS)]
    groups = frames.group_columns(both)
    assert list(groups) == ["hcp", *both[4:]] and groups["hcp"] == both[:4]
    assert list(frames.group_columns(["hcp", *both[:4]])) == ["hcp", *both[:4]]
    assert list(frames.group_columns(["hcp(north) + hcp(south)", "north", "hcp(north)"])) == [
        "hcp(north) + hcp(south)",
        "north",
        "hcp(north)",
    ]


def test_columns_are_not_lost(deals):
    for name in ("number", "seat", "deal", "board", "weight"):
        with pytest.raises(ArgumentError, match=f"column '?{name}|name '{name}'"):
            deals.to_frame(layout="long", **{name: "hcp(north)"})
    with pytest.raises(ArgumentError, match="two columns have the name 'hcp'"):
        deals.to_frame("hcp", layout="long", hcp="hcp(north)")
    with pytest.raises(ArgumentError, match="layout is 'tall'; it must be 'wide'"):
        deals.to_frame("hcp", layout="tall")
    with pytest.raises(UnknownNameError, match="unknown function 'hpc'"):
        deals.to_frame("hpc", layout="long")
    with pytest.raises(ArgumentError, match="already has a column 'seat'"):
        dk.run("seat = hcp(north) action average seat", produce=2, seed=1).to_frame(layout="long")
