"""Values of DealerV2 4.3 for both sides of 40 deals: all slots of all metrics."""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from dealerkit import evaluate
from dealerkit.evaluators import patterns, usereval
from dealerkit.evaluators.kernels import pattern_code

VECTORS = Path(__file__).parents[2] / "data" / "metric-vectors-sides.csv.gz"


class Hands:
    """The attribute of deals that `evaluate` reads."""

    def __init__(self, hands):
        self.hands = hands


@pytest.fixture(scope="module")
def vectors(hand_of):
    """Values by (metric, slot, seat or side, suit) as arrays over the deals, and the hands of the deals."""
    with gzip.open(VECTORS, "rt") as file:
        rows = list(csv.DictReader(file))
    deals = list(dict.fromkeys(row["deal"] for row in rows))
    hands = np.array([hand_of(*(hand or "-" for hand in deal[2:].split())) for deal in deals])
    values = defaultdict(dict)
    for row in rows:
        key = (row["metric"], row["variant_slot"].partition(":")[0], row["seat_or_side"], row["suit"])
        values[key][row["deal"]] = float(row["value"])
    assert all(list(column) == deals for column in values.values())
    return {key: np.array(list(column.values())) for key, column in values.items()}, hands


def test_every_slot_of_every_tag(vectors):
    values, hands = vectors
    compared = defaultdict(set)
    for (metric, slot, side, _), expected in values.items():
        if not slot.startswith("tag"):
            continue
        tag, number = (int(part) for part in slot.removeprefix("tag").rstrip("]").split("["))
        first = ("NS", "EW").index(side)
        if not compared[tag, side]:
            compared[tag, side] = {0}
            compared[tag, "values"] = usereval.tag_values(
                hands[:, first], hands[:, first + 2], tag, slots=range(128)
            )
        column = compared[tag, "values"][number]
        np.testing.assert_array_equal(column, expected, err_msg=f"{metric} {slot} {side}")
        compared[tag, side].add(number)
    tags = {tag for tag, _ in compared}
    assert tags == set(usereval.TAGS) - {99}
    for tag in tags:
        # All filled slots have been compared; the scales also have the body in the last two.
        extra = {126, 127} if 20 <= tag <= 27 else set()
        assert usereval.filled_slots(tag) - extra <= compared[tag, "NS"] & compared[tag, "EW"]


def test_letters_are_tags(vectors):
    _, hands = vectors
    for letter, tag in {"B": 0, "J": 6, "Z": 13, "R": 14}.items():
        by_letter = usereval.tag_values(hands[:, 0], hands[:, 2], ord(letter))
        for slot, column in usereval.tag_values(hands[:, 0], hands[:, 2], tag).items():
            np.testing.assert_array_equal(by_letter[slot], column)


def test_slots_that_a_tag_does_not_fill_are_zero(vectors):
    _, hands = vectors
    assert not usereval.usereval(hands, 7, 126, side=0).any()
    assert not usereval.usereval(hands, 13, 18, side=1).any()
    assert not usereval.usereval(hands, 0, 3, seat=2, suit=1).any()


def is_balanced(lengths: patterns.Lengths) -> int:
    """Return 1 for a hand without a void, singleton or six-card suit and with at most one doubleton."""
    return int(lengths[0] <= 5 and lengths[3] >= 2 and lengths.count(2) <= 1)


@pytest.mark.parametrize("seat", range(4))
def test_evaluators_of_a_hand(vectors, seat):
    values, hands = vectors
    letter = "NESW"[seat]
    names = {"quick_tricks": "quicktricks", "pav_playing_tricks": "playingtricks", "pav_body": "bodypoints"}
    compared = 0
    for (metric, slot, row_seat, suit), expected in values.items():
        if slot == "v2_internal" and row_seat == letter and metric in names:
            evaluated = evaluate(Hands(hands), names[metric], seat=seat, suit=suit or None)
            np.testing.assert_array_equal(evaluated, expected, err_msg=f"{metric} {suit}")
            compared += 1
    assert compared >= 3
    balanced = patterns.tabulate(is_balanced).take(pattern_code(hands[:, seat]))
    np.testing.assert_array_equal(balanced, values["is_balanced", "v2_internal", letter, ""])
