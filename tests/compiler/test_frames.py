"""Expressions on existing deals as columns of a frame: errors name the deal, no column is lost."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.compiler import frames

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
