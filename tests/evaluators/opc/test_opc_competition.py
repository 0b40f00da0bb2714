"""Optimal points in competition, compared with the rules of the reference card by card."""

from __future__ import annotations

import numpy as np
import pytest

from dealerkit import ArgumentError
from dealerkit.evaluators.opc.optimal_points import OptimalPoints
from tests.evaluators.opc.competition import MINIMA, evaluate_contested

RANKS = "23456789TJQKA"


def by_hand(hand, left, right, action):
    honours = length = 0.0
    allowed = True
    for suit, shift in enumerate((48, 32, 16, 0)):
        cards = {rank for bit, rank in enumerate(RANKS) if hand >> shift >> bit & 1}
        theirs = suit in (left, right)
        if "K" in cards and not cards & set("AQJT") and (theirs or len(cards) in (3, 4)):
            honours -= 1
        if "J" in cards and not cards & set("AKQT") and len(cards) >= 3:
            honours -= 0.5
        if theirs and cards & set("AKQJ") == set("KQ"):
            honours += (suit == right) - (suit == left)
        if theirs and action == "suit":
            length += {0: 1, 1: 1, 3: -1, 4: -2, 5: -3}.get(len(cards), 0)
        elif theirs:
            length += {4: -1, 5: -2}.get(len(cards), 0)
            allowed &= len(cards) >= 3
    return honours, length, allowed


@pytest.mark.parametrize("action", ["suit", "notrump"])
@pytest.mark.parametrize(("left", "right"), [(None, None), (None, 0), (2, None), (1, 3), (0, 0)])
def test_card_by_card(random_hands, left, right, action):
    hands = random_hands[:1500, 0]
    got = evaluate_contested(hands, left, right, action)
    expected = [by_hand(hand, left, right, action) for hand in hands.tolist()]
    np.testing.assert_array_equal(
        np.stack([got.honour_change / 100, got.length_change / 100, got.allowed], axis=1), expected
    )


def test_adjusted_hld(hand_of):
    hand, other = hand_of("AKJT32.Q98.J98.9"), hand_of("Q54.2.K6543.J432")
    assert OptimalPoints(hand, other, opener=0).hand_hld[0, 0] == 1850  # of the reference
    assert evaluate_contested(hand).hld[0] == 1850 - 50  # for the lone jack of diamonds
    assert evaluate_contested(hand, right=3).hld[0] == 1850 - 50 + 100  # and a singleton in their suit
    # A void in their suit: a point more.
    assert evaluate_contested(hand_of("AKJT32.Q98.J982."), right=3).length_change.tolist() == [100]
    assert MINIMA["suit"] == (1300, 1500, 1800) and MINIMA["notrump"] == (1500, 1800, 2100)


@pytest.mark.parametrize("arguments", [{"left": 4}, {"right": "S"}, {"action": "double"}])
def test_rejected_arguments(hand_of, arguments):
    with pytest.raises(ArgumentError, match=next(iter(arguments))):
        evaluate_contested(hand_of("AKJT32.Q98.J98.9"), **arguments)
    with pytest.raises(ArgumentError, match="array of uint64"):
        evaluate_contested(np.zeros(3))
