"""Values of DOP 21.3 and DealerV2 4.3 for 40 deals, both sides, either hand opening."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from dealerkit.evaluators.opc import opc, opc_best, promised_tricks, quick_losers, round_losers
from dealerkit.evaluators.opc.optimal_points import OptimalPoints

VECTORS = Path(__file__).parents[2] / "data" / "metric-vectors-opc.csv.gz"
SUITS = "SHDC"

OF_SUIT = {
    "H": "honour_points", "L": "length_points", "D": "distribution", "Sy": "synergy", "HF": "fit_honours",
    "MISFIT": "misfit", "WASTE": "waste",
}  # fmt: skip
OF_HAND = {
    "H": "hand_honour_points", "L": "hand_length_points", "D": "hand_distribution", "Sy": "hand_synergy",
    "ADJ_TOT": "adjustment", "HL": "hand_hl", "HLD": "hand_hld",
}  # fmt: skip
OF_SIDE = {
    "HL": "hl",
    "MIRROR": "mirror",
    "WASTE": "lost",
    "noWASTE": "gained",
    "HLF": "hlf",
    "HLF_NT": "net_hlf",
}
SUM_OF_HANDS = {slot: OF_HAND[slot] for slot in ("H", "L", "Sy", "ADJ_TOT")}
SUM_OF_SUITS = {slot: OF_SUIT[slot] for slot in ("HF", "MISFIT")}


@pytest.fixture(scope="module")
def rows():
    with gzip.open(VECTORS, "rt") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def cards(rows, hand_of):
    """The row of each deal, and for each opener the two hands of the side."""
    deals = list(dict.fromkeys(row["deal"] for row in rows))
    hands = np.stack([hand_of(*deal[2:].split()) for deal in deals])
    sides = {seat: (hands[:, side], hands[:, side + 2]) for side in (0, 1) for seat in ("NESW"[side::2])}
    return {deal: row for row, deal in enumerate(deals)}, sides


@pytest.fixture(scope="module")
def pairs(cards):
    return {
        seat: OptimalPoints(*hands, "NESW".index(seat) // 2, variant="coded")
        for seat, hands in cards[1].items()
    }


def slot_values(pair, first, second):
    """Return all slots of the vectors except those of opc_v2, by metric and slot, in natural units."""
    both = [quick_losers(first, second, notrump) for notrump in (False, True)]
    rounds = [round_losers(pair, notrump) for notrump in (False, True)]
    opener = pair.opener
    best, most = opc_best(first, second, opener, "coded")
    longest = pair.longest
    in_longest = pair.longest_points()
    values = {("opc_suit", slot): getattr(pair, name) / 100 for slot, name in OF_SUIT.items()}
    values["opc_suit", "DFIT"] = np.stack([pair.fit_distribution(suit) for suit in range(4)], axis=1) / 100
    values |= {("opc_hand", slot): getattr(pair, name) / 100 for slot, name in OF_HAND.items()}
    values |= {
        ("opc_hand", "Sq"): -pair.is_4333.astype(int),
        ("opc_hand", "No_A"): -(pair.aces == 0).astype(int),
        ("opc_hand", "No_K"): -(pair.kings == 0).astype(int),
        ("opc_hand", "No_Q"): -(pair.queens == 0).astype(int),
        ("opc_hand", "K_3_4"): np.maximum(pair.kings - 2, 0),
        ("opc_hand", "Q_4"): (pair.queens == 4).astype(int),
    }
    # NT_DED is written for either hand as if it declared.
    values["opc_hand", "NT_DED"] = np.stack(
        [OptimalPoints(first, second, hand, variant="coded").notrump_shortness[hand] / 100 for hand in (0, 1)]
    )
    values |= {("opc_detail", slot): getattr(pair, name) / 100 for slot, name in OF_SIDE.items()}
    values |= {("opc_detail", slot): getattr(pair, name).sum(0) / 100 for slot, name in SUM_OF_HANDS.items()}
    values |= {
        ("opc_detail", slot): getattr(pair, name).sum((0, 1)) / 100 for slot, name in SUM_OF_SUITS.items()
    }
    tricks = np.select(
        [longest == suit for suit in range(4)],
        [promised_tricks(in_longest, suit, both[0]) for suit in range(4)],
    )
    values |= {
        ("opc_detail", "FN"): pair.fit_lengths / 100,
        ("opc_detail", "FN_TOT"): pair.fit_lengths.sum(0) / 100,
        ("opc_detail", "DFIT"): values["opc_suit", "DFIT"].sum(0),
        ("opc_detail", "HLDFb"): most / 100,
        ("opc_detail", "LONG_STRAIN"): longest,
        ("opc_detail", "BEST_STRAIN"): best,
        ("opc_detail", "FRL"): rounds[0][0].sum(0) / 100,
        ("opc_detail", "SRL"): rounds[0][1].sum(0) / 100,
        ("opc_detail", "NT_FRL"): rounds[1][0].sum(0) / 100,
        ("opc_detail", "NT_SRL"): rounds[1][1].sum(0) / 100,
        ("opc_detail", "TRIX_LONG"): tricks,
        ("opc_detail", "TRIX_NT"): promised_tricks(pair.points(4), 4, both[1]),
        ("opc", "HLDF"): np.stack([opc(first, second, suit, opener, "coded") for suit in range(4)]) / 100,
        ("opc", "HLF_NT_net"): opc(first, second, 4, opener, "coded") / 100,
        ("opc", "HLDF_longest"): opc(first, second, None, opener, "coded") / 100,
        ("opc", "quick_losers_suit"): both[0],
        ("opc", "quick_losers_nt"): both[1],
    }
    return values


@pytest.mark.parametrize("opener", "NESW")
def test_all_values_of_dop(rows, cards, pairs, opener):
    deal_rows, sides = cards
    values_by_slot = slot_values(pairs[opener], *sides[opener])
    selected = [row for row in rows if row["variant_slot"].startswith(f"opener={opener}:")]
    assert {(row["metric"], row["variant_slot"][9:]) for row in selected} == set(values_by_slot)
    assert len(selected) == 5200
    wrong = []
    for row in selected:
        values = values_by_slot[row["metric"], row["variant_slot"][9:]]
        index: tuple = (deal_rows[row["deal"]],)
        if row["suit"] in SUITS and row["suit"]:
            index = (SUITS.index(row["suit"]), *index)
        if row["metric"] in ("opc_hand", "opc_suit"):
            index = ("NESW".index(row["seat_or_side"]) // 2, *index)
        value = row["value"]
        expected = SUITS.index(value) if value in SUITS else float(value)
        if values[index] != expected:
            wrong.append((row, values[index]))
    assert not wrong


def test_all_values_of_dealer_v2(rows, cards):
    deal_rows, sides = cards
    selected = [row for row in rows if row["metric"] == "opc_v2"]
    assert len(selected) == 960
    values: dict = {}
    for row in selected:
        _, slot, opener = row["variant_slot"].split(":")
        # V2's opener is the hand that corresponds to west or east, for both sides.
        hand = {"W": 1, "E": 0}[opener[-1]]
        first, second = sides["NE"["NSEW".index(row["seat_or_side"][0]) // 2]]
        strain = None if slot == "hldf_longest" else "SHDCN".index(row["suit"][0])
        key = row["seat_or_side"], strain, hand
        if key not in values:
            values[key] = opc(first, second, strain, hand, "coded")
        assert values[key][deal_rows[row["deal"]]] == int(row["value"]), row
