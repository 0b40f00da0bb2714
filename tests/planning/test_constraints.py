"""The placement of each clause, and that the sets of hands are those that the clauses allow."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from dealerkit import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.dealing import Predeal
from dealerkit.dealing.conditional.hand_sets import HandSet
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.dealing.uniform import deal_range
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import MODERN, V1, Rules
from dealerkit.language.parser import parse_script
from dealerkit.planning.constraints import find_constraints, remaining_clauses
from dealerkit.planning.plan import Constraints

HANDS = math.comb(52, 13)
BALANCED = "any 4333 + any 4432 + any 5332"


def constrain(
    condition: str, predeal: Predeal | None = None, rules: Rules = MODERN, before: str = ""
) -> tuple[OperationGraph, list[int], Constraints]:
    program = check_script(parse_script(f"{before}\ncondition {condition}", rules))
    graph = OperationGraph(rules, program)
    assert program.condition is not None
    slots = graph.split_clauses(program.condition)
    return graph, slots, find_constraints(graph, slots, predeal)


@pytest.mark.parametrize(
    ("condition", "target", "reason"),
    [
        ("hcp(north) >= 15", "seat", "sums over the suits of north's hand"),
        (f"shape(east, {BALANCED})", "seat", "the shape of east's hand"),
        ("spades(south) >= 5", "seat", "the length of the spades of south's hand"),
        ("quality(west, hearts) >= 5", "seat", "the hearts of west's hand"),
        ("hascard(north, AS) or hcp(north, spades) > 5", "seat", "the spades of north's hand"),
        (
            "spades(north) >= 5 ? hcp(north) >= 10 : hcp(north) >= 13",
            "seat",
            "shape and sums over the suits of north's hand",
        ),
        ("ltc(north) < 6.5", "seat", "sums over the suits of north's hand"),
        ("hcp(north) * hcp(north) + losers(north) / 2 > 200", "seat", "sums over the suits of north's hand"),
        ("hcp(north) + hcp(south) >= 25", "side", "sums over the suits of NS together"),
        ("hcp(east) > 24 - hcp(west)", "side", "sums over the suits of EW together"),
        ("fit(NS) >= 8 and fit(NS, hearts) < 8", "side", "the shape of NS together"),
        ("fit(EW, hearts) >= 8", "side", "the length of the hearts of EW together"),
        ("losers(north) + losers(south) <= 14", "filter", "it depends on several hands"),
        ("hcp(north) > hcp(south)", "filter", "it depends on several hands"),
        ("hcp(north) + hcp(east) > 20", "filter", "it depends on several hands"),
        ("spades(north) > hearts(east)", "lengths", "suit lengths of several hands"),
        ("fit(NS) + fit(EW) >= 18", "lengths", "suit lengths of several hands"),
        ("cccc(north) >= 12", "filter", "cccc is not a sum over suits"),
        ("rnd(100) < 5", "filter", "rnd() generates random numbers"),
        ("100 / hcp(north) > 5", "filter", "a divisor may be zero"),
        ("3 > 2", "filter", "it is the same for all deals"),
        (
            "controls(north) + hcp(north) * 0 > 3 and c13(north) > 15 and losers(north) < 7",
            "seat",
            "sums over the suits of north's hand",
        ),
        (
            "hcp(north) * losers(north) * controls(north) > 90",
            "filter",
            "the sums in the clauses have 6,929 values together, more than 4,096",
        ),
    ],
)
def test_clauses_are_placed_at_what_they_constrain(condition, target, reason):
    _, slots, constraints = constrain(condition)
    clause = constraints.placements[0]
    assert (clause.slot, clause.target, clause.reason) == (slots[0], target, reason)


SEAT_CONDITIONS = (
    "hcp(north) >= 15 and hcp(north) <= 17",
    f"shape(north, {BALANCED}) and hcp(north) >= 20 and hcp(north) <= 22",
    "spades(north) >= 5 ? hcp(north) >= 10 : hcp(north) >= 13",
    "not (hcp(north) > 7 or hascard(north, AS)) and quality(north, hearts) < 3",
    "max(spades(north), hearts(north)) * 2 + hcp(north) >= 25",
    "ltc(north) < 6.5 and hcp(north, spades) > 3",
    "controls(north) >= 4 and hcp(north) < 14 and spades(north) > hearts(north)",
    "hcp(north) - 2 * losers(north) > 0 or top3(north, clubs) == 3",
    "hcp(north) / 4 == 3 and hcp(north) % 3 == 1",
)


@pytest.mark.parametrize("condition", SEAT_CONDITIONS)
def test_a_hand_set_is_what_the_clauses_allow(condition):
    graph, slots, constraints = constrain(condition)
    assert not remaining_clauses(constraints.placements, 0b0001)
    assert set(remaining_clauses(constraints.placements, 0b1110)) == set(slots)
    assert constraints.seat_sets[1:] == (None, None, None) == (*constraints.side_sets, None)
    hand_set = constraints.seat_sets[0]
    assert hand_set is not None
    hands = deal_range(7, 0, 200_000)
    columns = BatchColumns(graph, Deals(hands, check=False))
    expected = np.logical_and.reduce([columns.truth(slot) for slot in slots])
    assert np.array_equal(hand_set.contains(hands[:, 0]), expected)
    share = HandTable(hand_set).total / HANDS
    assert abs(expected.mean() - share) < 4.5 * math.sqrt(share / 200_000)


def test_number_of_balanced_hands_with_20_to_22_points():
    hand_set = constrain(SEAT_CONDITIONS[1])[2].seat_sets[0]
    assert hand_set is not None
    points = np.zeros(38, np.int64)
    for honours in product(range(5), repeat=4):  # numbers of aces, kings, queens, jacks
        if sum(honours) <= 13:
            ways = math.prod(math.comb(4, n) for n in honours) * math.comb(36, 13 - sum(honours))
            points[np.dot(honours, (4, 3, 2, 1))] += ways
    all_shapes = constrain("hcp(north) >= 20 and hcp(north) <= 22")[2].seat_sets[0]
    assert all_shapes is not None
    assert HandTable(all_shapes).total == points[20:23].sum()
    assert round(HandTable(hand_set).total / HANDS, 7) == 0.0064937


@pytest.mark.parametrize(
    "condition",
    ["hcp(north) + hcp(south) >= 25 and fit(NS, spades) > 8", "hcp(north) + hcp(south) + fit(NS) * 3 > 50"],
)
def test_a_side_set_is_what_the_clauses_allow(condition):
    graph, slots, constraints = constrain(condition)
    assert not remaining_clauses(constraints.placements, side=0)
    assert remaining_clauses(constraints.placements, 0b1111) == tuple(slots)
    hand_set = constraints.side_sets[0]
    assert hand_set is not None and hand_set.n_cards == 26 and constraints.side_sets[1] is None
    hands = deal_range(8, 0, 100_000)
    columns = BatchColumns(graph, Deals(hands, check=False))
    expected = np.logical_and.reduce([columns.truth(slot) for slot in slots])
    assert np.array_equal(hand_set.contains(hands[:, 0] | hands[:, 2]), expected)


def test_branches_narrow_the_set_of_a_seat():
    condition = (
        "(hcp(north) >= 20 and shape(north, any 4333) and spades(south) > 3) "
        "or (hcp(north) >= 10 and spades(north) >= 7 and hcp(east) > 3)"
    )
    graph, slots, constraints = constrain(condition)
    clause = constraints.placements[0]
    assert clause.target == "filter" and clause.narrowed_seats == 0b0001 and "each branch" in clause.reason
    assert remaining_clauses(constraints.placements, 0b1111) == tuple(slots)  # it must still be evaluated
    hand_set = constraints.seat_sets[0]
    assert hand_set is not None and constraints.seat_sets[1] is None
    hands = deal_range(9, 0, 200_000)
    columns = BatchColumns(graph, Deals(hands, check=False))
    met = columns.truth(slots[0])
    assert met.any() and hand_set.contains(hands[met, 0]).all()
    branches = "(hcp(north) >= 20 and shape(north, any 4333)) or (hcp(north) >= 10 and spades(north) >= 7)"
    alone = constrain(branches)[2].seat_sets[0]
    assert alone is not None and HandTable(alone).total == HandTable(hand_set).total


def test_predeal_narrows_the_sets():
    predeal = Predeal.from_mapping({"north": "SAKxx,H5", "east": ["S2", {"hearts": 4}]})
    _, _, constraints = constrain("hcp(north) >= 15", predeal)
    north, east, south, _ = constraints.seat_sets
    assert south is None
    assert north is not None and east is not None
    hands = deal_range(3, 0, 50_000, 15, predeal)
    points = sum((hands[:, 0, None] >> np.uint64(16 * lane + 12 - rank) & np.uint64(1)).astype(int) * (4 - rank)
                 for lane in range(4) for rank in range(4))  # fmt: skip
    assert np.array_equal(north.contains(hands[:, 0]), points[:, 0] >= 15)
    assert east.contains(hands[:, 1]).all()
    plain = deal_range(3, 0, 50_000)
    one_card = Predeal.from_mapping({"north": "H5"})
    _, _, cards = constrain("hcp(north) >= 0", one_card)
    assert cards.seat_sets[0] is not None
    assert np.array_equal(
        cards.seat_sets[0].contains(plain[:, 0]), (plain[:, 0] >> np.uint64(32 + 3) & np.uint64(1)) == 1
    )


def test_a_condition_that_no_hand_meets():
    for condition in (
        "hcp(north) > 37",
        "spades(north) > 7 and hearts(north) > 7",
        "hcp(north, spades) > 10",
    ):
        hand_set = constrain(condition)[2].seat_sets[0]
        assert isinstance(hand_set, HandSet) and HandTable(hand_set).total == 0


def test_hundredths_of_the_old_language():
    _, _, constraints = constrain("losers(north) < 6 and control(north) > 2", rules=V1)
    assert [clause.target for clause in constraints.placements] == ["seat", "seat"]
    new = constrain("losers(north) < 6 and controls(north) > 2")[2]
    assert constraints.seat_sets[0] is not None and new.seat_sets[0] is not None
    assert HandTable(constraints.seat_sets[0]).total == HandTable(new.seat_sets[0]).total
