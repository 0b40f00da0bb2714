"""Counts of one hand before the auction: the rules of the books hand by hand, and whatever partner holds."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk

POINTS = dict(zip("AKQJ", (4, 3, 2, 1), strict=True))
FLAWED = {"KQ", "KJ", "QJ", "QT", "JT"} | {honour + low for honour in "QJ" for low in "98765432"}


def count_points(suits: list[str]) -> int:
    return sum(POINTS.get(card, 0) for suit in suits for card in suit)


def count_shortness(suits: list[str]) -> int:
    return sum(max(0, 3 - len(suit)) for suit in suits)


def pavlicek(suits: list[str]) -> int:
    """Pavlicek: of a flawed suit the points or the shortness; any four aces and tens are a point."""
    total = sum(card in "AT" for suit in suits for card in suit) // 4
    for suit in suits:
        high, short = count_points([suit]), max(0, 3 - len(suit))
        is_flawed = suit in FLAWED or suit in ("K", "Q", "J")
        total += max(high, short) if is_flawed else high + short
    return total


def karpin(suits: list[str]) -> int:
    """Points, a point for each card over four, one less for each short suit with a wasted honour."""
    wasted = sum(suit in FLAWED or suit in ("K", "Q", "J") for suit in suits)
    return count_points(suits) - wasted + sum(max(0, len(suit) - 4) for suit in suits)


def goren(suits: list[str]) -> int:
    """Points and shortness; four aces 1 more, no ace in more than 10 points 1 less; K or Q alone 2 less."""
    less = {"K": 2, "Q": 2, "J": 1} | dict.fromkeys(FLAWED - {"KQ", "KJ"}, 1)
    honours = count_points(suits) - sum(less.get(suit, 0) for suit in suits)
    aces = sum("A" in suit for suit in suits)
    return honours + (aces == 4) - (aces == 0 and honours > 10) + count_shortness(suits)


def bergen(suits: list[str]) -> int:
    """Starting points: quality, length, Adjust-3, 4333; short honours as DealerV2, half a point for some."""
    half = dict.fromkeys(("A", "AJ", "KQ", "KJ"), 0.5)
    less = half | dict.fromkeys({"K", "Q", "J"} | FLAWED - {"KQ", "KJ"}, 1)
    honours = int(count_points(suits) - sum(less.get(suit, 0) for suit in suits) + 0.5)
    quality = sum(len(suit) >= 4 and len(set(suit) & set("AKQJT")) >= 3 for suit in suits)
    length = sum(max(0, len(suit) - 4) for suit in suits)
    cards = "".join(suits)
    difference = sum(cards.count(rank) for rank in "AT") - sum(cards.count(rank) for rank in "QJ")
    adjust = (1 if abs(difference) < 6 else 2) * (abs(difference) >= 3) * (1 if difference > 0 else -1)
    return max(0, honours + quality + length + adjust - (sorted(map(len, suits)) == [3, 3, 3, 4]))


@pytest.mark.parametrize("rule", [bergen, goren, karpin, pavlicek], ids=lambda rule: rule.__name__)
def test_values_of_random_hands(rule) -> None:
    deals = dk.deal(3000, seed=12)
    hands = [text[2:].split()[0].split(".") for text in deals.to_pbn()]
    assert dk.evaluate(deals, f"{rule.__name__}opening", "north").tolist() == [rule(hand) for hand in hands]


@pytest.mark.parametrize("name", ["bergen", "goren", "karpin", "pavlicek", "zar"])
def test_partner_changes_nothing(name) -> None:
    north = dk.deal(1, seed=1, predeal={"north": "AKJT32.Q98.J98.9"})
    others = dk.deal(500, seed=2, predeal={"north": "AKJT32.Q98.J98.9"})
    (value,) = dk.evaluate(north, f"{name}opening", "north")
    assert (dk.evaluate(others, f"{name}opening", "north") == value).all()


def test_shares_of_a_side_in_notrump_are_never_more() -> None:
    """Bergen's share loses the points for length if a suit is short opposite four cards; Karpin's loses none."""
    deals = dk.deal(4000, seed=4)
    share, alone = (
        dk.evaluate(deals, name, **options)
        for name, options in (
            ("bergen", {"seat": "north", "suit": "notrump"}),
            ("bergenopening", {"seat": "north"}),
        )
    )
    assert (share <= alone).all() and 0.25 < np.mean(share < alone) < 0.35
    share = dk.evaluate(deals, "karpin", seat="north", suit="notrump")
    assert (share == dk.evaluate(deals, "karpinopening", seat="north")).all()
