"""The placement of each clause, and that the sets of hands are those that the clauses allow."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.counting.features import NotAdditive, map_features
from dealerkit.counting.suit_sums import SuitSums
from dealerkit.dealing.conditional.hand_sets import HandSet
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.uniform.stream import deal_range
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
    graph = OperationGraph(rules, program.definitions, program.points, program.script)
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
        ("cccc(north) >= 12", "filter", "cccc is no sum over suits"),
        ("rnd(100) < 5", "filter", "it generates random numbers"),
        ("100 / hcp(north) > 5", "filter", "it may divide by zero"),
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
    graph, slots, found = constrain(condition)
    assert not remaining_clauses(found.placements, 0b0001)
    assert set(remaining_clauses(found.placements, 0b1110)) == set(slots)
    assert found.seat_sets[1:] == (None, None, None) == (*found.side_sets, None)
    chosen = found.seat_sets[0]
    assert chosen is not None
    hands = deal_range(7, 0, 200_000)
    columns = BatchColumns(graph, Deals(hands, check=False))
    expected = np.logical_and.reduce([columns.truth(slot) for slot in slots])
    assert np.array_equal(chosen.contains(hands[:, 0]), expected)
    share = HandTable(chosen).total / HANDS
    assert abs(expected.mean() - share) < 4.5 * math.sqrt(share / 200_000)


def test_number_of_balanced_hands_with_20_to_22_points():
    chosen = constrain(SEAT_CONDITIONS[1])[2].seat_sets[0]
    assert chosen is not None
    points = np.zeros(38, np.int64)
    for aces in range(5):
        for kings in range(5):
            for queens in range(5):
                for jacks in range(5):
                    count = aces + kings + queens + jacks
                    if count <= 13:
                        ways = math.prod(math.comb(4, n) for n in (aces, kings, queens, jacks))
                        points[4 * aces + 3 * kings + 2 * queens + jacks] += ways * math.comb(36, 13 - count)
    all_shapes = constrain("hcp(north) >= 20 and hcp(north) <= 22")[2].seat_sets[0]
    assert all_shapes is not None
    assert HandTable(all_shapes).total == points[20:23].sum()
    assert round(HandTable(chosen).total / HANDS, 7) == 0.0064937


@pytest.mark.parametrize(
    "condition",
    ["hcp(north) + hcp(south) >= 25 and fit(NS, spades) > 8", "hcp(north) + hcp(south) + fit(NS) * 3 > 50"],
)
def test_a_side_set_is_what_the_clauses_allow(condition):
    graph, slots, found = constrain(condition)
    assert not remaining_clauses(found.placements, side=0)
    assert remaining_clauses(found.placements, 0b1111) == tuple(slots)
    chosen = found.side_sets[0]
    assert chosen is not None and chosen.n_cards == 26 and found.side_sets[1] is None
    hands = deal_range(8, 0, 100_000)
    columns = BatchColumns(graph, Deals(hands, check=False))
    expected = np.logical_and.reduce([columns.truth(slot) for slot in slots])
    assert np.array_equal(chosen.contains(hands[:, 0] | hands[:, 2]), expected)


def test_branches_narrow_the_set_of_a_seat():
    condition = (
        "(hcp(north) >= 20 and shape(north, any 4333) and spades(south) > 3) "
        "or (hcp(north) >= 10 and spades(north) >= 7 and hcp(east) > 3)"
    )
    graph, slots, found = constrain(condition)
    clause = found.placements[0]
    assert clause.target == "filter" and clause.narrowed_seats == 0b0001 and "each branch" in clause.reason
    assert remaining_clauses(found.placements, 0b1111) == tuple(slots)  # it must still be evaluated
    chosen = found.seat_sets[0]
    assert chosen is not None and found.seat_sets[1] is None
    hands = deal_range(9, 0, 200_000)
    columns = BatchColumns(graph, Deals(hands, check=False))
    met = columns.truth(slots[0])
    assert met.any() and chosen.contains(hands[met, 0]).all()
    branches = "(hcp(north) >= 20 and shape(north, any 4333)) or (hcp(north) >= 10 and spades(north) >= 7)"
    alone = constrain(branches)[2].seat_sets[0]
    assert alone is not None and HandTable(alone).total == HandTable(chosen).total


def test_predeal_narrows_the_sets():
    predeal = Predeal.from_mapping({"north": "SAKxx,H5", "east": ["S2", {"hearts": 4}]})
    _, _, found = constrain("hcp(north) >= 15", predeal)
    north, east, south, _ = found.seat_sets
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
        chosen = constrain(condition)[2].seat_sets[0]
        assert isinstance(chosen, HandSet) and HandTable(chosen).total == 0


def test_hundredths_of_the_old_language():
    _, _, found = constrain("losers(north) < 6 and control(north) > 2", rules=V1)
    assert [clause.target for clause in found.placements] == ["seat", "seat"]
    new = constrain("losers(north) < 6 and controls(north) > 2")[2]
    assert found.seat_sets[0] is not None and new.seat_sets[0] is not None
    assert HandTable(found.seat_sets[0]).total == HandTable(new.seat_sets[0]).total


def test_suit_sums_equal_the_values_on_deals():
    texts = (
        "hcp(north) + 2 * losers(south) - spades(east)",
        "0.5 * hcp(west) - ltc(north)",
        "hcp(east, hearts) * 3 + hascard(south, TD)",
        "quality(north, spades) + quality(north, hearts)",
        "7 - fit(EW, clubs)",
    )
    hands = deal_range(5, 0, 5000)
    for text in texts:
        program = check_script(parse_script(text, MODERN))
        graph = OperationGraph(MODERN)
        assert program.condition is not None
        slot = graph.add_expression(program.condition)
        suit_sum = SuitSums(graph).find_sum(slot)
        assert suit_sum is not None
        expected = BatchColumns(graph, Deals(hands, check=False)).array(slot)
        assert np.allclose(suit_sum.values(hands) / suit_sum.divisor, expected, rtol=0, atol=1e-9)


def test_a_function_that_is_no_sum_is_not_countable():
    graph = OperationGraph(MODERN)
    program = check_script(parse_script("cccc(north) > 10", MODERN))
    assert program.condition is not None
    slot = graph.add_expression(program.condition)
    with pytest.raises(NotAdditive, match="cccc is no sum over suits"):
        map_features(SuitSums(graph), [slot])
