"""Parts of the optimal points: they add up, and equal those of the reference."""

from __future__ import annotations

import numpy as np
import pytest

from dealerkit import ArgumentError, Deals, opc_breakdown, solved_sample
from dealerkit.evaluators.opc import opc

E1 = "N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"


@pytest.mark.parametrize("variant", ["intended", "coded"])
@pytest.mark.parametrize(("side", "opener"), [("NS", 0), ("NS", 1), ("EW", 1)])
@pytest.mark.parametrize("strain", [None, "hearts", "notrump"])
def test_parts_add_up(side, opener, strain, variant):
    deals = solved_sample()[100:160]
    first, second = (deals.hands[:, seat] for seat in ((0, 2) if side == "NS" else (1, 3)))
    number = None if strain is None else {"hearts": 1, "notrump": 4}[strain]
    expected = opc(first, second, number, opener, variant) / 100
    assert (expected > 0).all()
    seat = {"NS": "NS", "EW": "EW"}[side][opener]
    frame = opc_breakdown(deals, side, seat, strain, variant)
    totals = frame[frame.part == "total"].points.to_numpy()
    parts = frame[frame.part != "total"].groupby("deal").points.sum().to_numpy()
    np.testing.assert_array_equal(totals, expected)
    np.testing.assert_array_equal(parts[expected > 5], expected[expected > 5])


def test_example_of_the_reference():
    frame = opc_breakdown(Deals.from_pbn(E1), "NS", opener="north")
    sums = frame.groupby("part").points.sum()
    assert sums["fit honours"] == 3 and sums["fit"] == 3 and sums["waste"] == -2 and sums["distribution"] == 4
    assert sums["total"] == 30.5
    waste = frame[frame.part == "waste"]
    assert waste[["cards", "points"]].to_numpy().tolist() == [["Q98", -1.5], ["J432", -0.5]]
    assert frame.why.iloc[-1] == "in spades: 11 tricks promised, 3 quick losers"
    assert opc_breakdown(Deals.from_pbn(E1)[0], "ns", opener="N").equals(frame)
    notrump = opc_breakdown(Deals.from_pbn(E1), "NS", "north", "notrump")
    assert notrump.points.iloc[-1] == 23.5 and "distribution" not in set(notrump.part)


def test_reasons_of_adjustments():
    deal = Deals.from_pbn("N:5432.432.432.432 AKQ.AKQ.AKQ.AKQJ JT98.JT98.JT9.T9 76.765.8765.8765")
    frame = opc_breakdown(deal, "NS")
    why = dict(frame[frame.part == "adjustment"][["seat", "why"]].to_numpy().tolist())
    assert why == {"north": "4333, no king, no queen", "south": "no king, no queen, no ace as opener"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"side": "north"}, "unknown side"),
        ({"opener": "east"}, "east is not on the side NS"),
        ({"strain": "spadse"}, "did you mean 'spades'"),
        ({"variant": "v1"}, "unknown variant"),
    ],
)
def test_invalid_arguments(arguments, message):
    with pytest.raises(ArgumentError, match=message):
        opc_breakdown(Deals.from_pbn(E1), **arguments)


def test_no_deals():
    assert opc_breakdown(Deals(np.empty((0, 4), np.uint64))).empty
