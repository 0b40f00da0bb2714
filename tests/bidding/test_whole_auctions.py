"""Whole auctions of the shipped systems are those of the plain interpreter, legal, and come to an end."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.bidding.calls import parse_auction
from tests.bidding.plain_system import PlainSystem, bid_plainly, list_legal_calls

FOLDER = Path(dk.__file__).parent / "bidding" / "systems"
SHIPPED = ("acol", "precision", "sayc", "two-over-one")


def read_plainly(name: str) -> PlainSystem:
    texts = {each: (FOLDER / f"{each}.system").read_text(encoding="utf-8") for each in (name, "sayc")}
    return PlainSystem.read(texts[name], "" if name == "sayc" else texts["sayc"])


def compare_auctions(names: tuple[str, str], deals: dk.Deals, silent: bool) -> None:
    """Assert that both bid all deals out alike, by legal calls, to the end."""
    bidden = dk.bid_out(deals, *names, silent="EW" if silent else None)
    systems = tuple(read_plainly(name) for name in names)
    for row, text in enumerate(bidden.auctions):
        dealer = int(deals.dealer[row])
        expected = bid_plainly(deals.hands[row].tolist(), dealer, systems, silent)
        calls = list(parse_auction(text, dealer)[0])
        assert calls == expected, (names, silent, deals[row].pbn)
        assert all(call in list_legal_calls(calls[:k]) for k, call in enumerate(calls))
        assert calls[-3:] == ["P"] * 3 and len(calls) >= 4


@pytest.mark.parametrize("names", [("acol", "precision"), ("two-over-one", "sayc")])
def test_auctions_are_those_of_the_plain_interpreter(names: tuple[str, str]) -> None:
    compare_auctions(names, dk.deal(120, seed=36).number_boards(), False)


@pytest.mark.slow
@pytest.mark.parametrize("silent", [True, False])
@pytest.mark.parametrize("name", SHIPPED)
def test_ten_thousand_auctions_are_those_of_the_plain_interpreter(name: str, silent: bool) -> None:
    """With silent opponents, and against each other system in turn."""
    deals = dk.deal(10_000, seed=37).number_boards()
    if silent:
        compare_auctions((name, name), deals, True)
        return
    opponents = [other for other in SHIPPED if other != name]
    for number, rows in enumerate(np.array_split(np.arange(len(deals)), len(opponents))):
        compare_auctions((name, opponents[number]), deals[rows], False)
