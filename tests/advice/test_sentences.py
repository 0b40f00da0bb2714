"""Conditions in plain words."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import registry
from dealerkit.advice.sentences import MAX_DEPTH, MAX_WIDTH, ConditionDescriber, ConditionPart
from dealerkit.compiler.graph import OperationGraph
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import DIALECTS
from dealerkit.language.parser import parse_script


def part_of(text: str, rules: str = "modern") -> ConditionPart:
    program = check_script(parse_script(text, DIALECTS[rules]))
    graph = OperationGraph(program.script.rules, program)
    assert program.condition is not None
    return ConditionDescriber(graph, program.definitions).describe(program.condition)


def lines(part: ConditionPart, depth: int = 0) -> list[str]:
    below = [line for inner in part.parts for line in lines(inner, depth + 1)]
    return ["  " * depth + part.text, *below]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hcp(north) >= 15", "north holds at least 15 points"),
        ("hcp(north) > 14", "north holds at least 15 points"),
        ("15 <= hcp(north)", "north holds at least 15 points"),
        ("hcp(north) < 1", "north holds no points"),
        ("hcp(north)", "north holds some points"),
        ("hcp(north, spades) == 4", "north holds exactly 4 points in spades"),
        ("spades(west) == 1", "west holds exactly 1 spade"),
        ("spades(west) != 5", "west does not hold exactly 5 spades"),
        ("aces(east) <= 1", "east holds at most 1 ace"),
        ("top3(east, hearts) >= 2", "east holds at least 2 honours (AKQ) in hearts"),
        ("top2(east, spades) == 1", "east holds exactly 1 honour (AK) in spades"),
        ("top5(west) == 0", "west holds no honours (AKQJT)"),
        ("losers(south) <= 7", "south has at most 7 losers"),
        ("ltc(south) < 5.5", "south has less than 5.5 losers (ltc)"),
        ("cccc(north) >= 12.45", "north holds at least 12.45 points (cccc)"),
        ("hascard(south, AS)", "south holds the ace of spades"),
        ("not hascard(south, 2C)", "south does not hold the 2 of clubs"),
        ("not (hcp(south) >= 10)", "south holds at most 9 points"),
        ("not (hcp(south) == 3)", "south does not hold exactly 3 points"),
        ("shape(east, any 4333 + any 4432 + any 5332)", "east's shape is 4333, 4432 or 5332 in any order"),
        ("shape(west, 3451)", "west's shape is 3451 (spades, hearts, diamonds, clubs)"),
        ("not shape(west, any 4333)", "west's shape is not 4333 in any order"),
        ("shape(west, 5xx2)", "west holds exactly 5 spades and 2 clubs"),
        (
            "shape(west, any xxxx - any 4333)",
            "west's shape is anything in any order, but not 4333 in any order",
        ),
        ("spades(north) + spades(south) >= 8", "north and south together hold at least 8 spades"),
        ("hcp(east) + hcp(west) == 20", "east and west together hold exactly 20 points"),
        (
            "hcp(north) + hcp(east) + hcp(west) != 20",
            "north, east and west together do not hold exactly 20 points",
        ),
        ("losers(north) + losers(south) <= 14", "north and south together have at most 14 losers"),
        ("aces(north) + aces(south) == 0", "north and south together hold no aces"),
        ("hcp(north) + hcp(south) - hcp(east) > 9", "hcp(north) + hcp(south) - hcp(east) is at least 10"),
        (
            "hcp(north) + hcp(south) > hcp(east) + hcp(west)",
            "points of north and south together are more than points of east and west together",
        ),
        (
            "spades(north) + spades(south) > hearts(north) + hearts(south)",
            "north and south together hold more spades than hearts",
        ),
        ("spades(north) + hearts(north) >= 8", "spades(north) + hearts(north) is at least 8"),
        ("spades(north) + spades(north) >= 8", "spades(north) + spades(north) is at least 8"),
        ("spades(north) > hearts(north)", "north holds more spades than hearts"),
        ("spades(north) == hearts(north)", "north holds as many spades as hearts"),
        ("hcp(north) > hcp(south)", "points of north are more than points of south"),
        ("fit(NS, hearts) >= 8", "fit(NS, hearts) is at least 8"),
        ("1", "always true"),
        ("0", "never true"),
        ("d = hcp(east) + hcp(west) d > 20", "east and west together hold at least 21 points (d)"),
        ("p = hcp(east) p > 20", "east holds at least 21 points (p)"),
        ("w = 2 * hcp(east) w > 20", "w is at least 21, with w = 2 * hcp(east)"),
        ("k = 3 hcp(east) >= k", "east holds at least 3 points"),
        ("pointcount 3 2 1 hcp(east) >= 4", "east holds at least 4 points as the script counts them"),
    ],
)
def test_sentences(text, sentence):
    assert lines(part_of(text)) == [sentence]


def test_hundredths_are_described_in_natural_units():
    assert lines(part_of("condition ltc(north) <= 550", "v2")) == ["north has at most 5.5 losers (ltc)"]
    assert lines(part_of("condition cccc(north) >= 1245", "v1")) == [
        "north holds at least 12.45 points (cccc)"
    ]


def test_two_bounds_of_a_value_are_one_sentence():
    part = part_of("hcp(north) >= 15 and spades(north) == 5 and 17 >= hcp(north)")
    assert lines(part) == ["all of these", "  north holds 15 to 17 points", "  north holds exactly 5 spades"]
    assert len(part.parts[0].expressions) == 2
    assert part.parts[0].required == "15 to 17"


def test_bounds_that_exclude_each_other_are_two_sentences():
    part = part_of("hcp(north) >= 18 and hcp(north) <= 15")
    assert lines(part)[1:] == ["  north holds at least 18 points", "  north holds at most 15 points"]


def test_variables_are_described_once():
    text = "weak = hcp(west) < 6 long = spades(west) > 5 weak_two = weak and long weak_two and (weak or long)"
    assert lines(part_of(text)) == [
        "all of these",
        "  weak_two: all of these",
        "    weak: west holds at most 5 points",
        "    long: west holds at least 6 spades",
        "  at least one of these",
        "    weak, as above",
        "    long, as above",
    ]


def test_headings_of_alternatives():
    text = "not (hcp(east) > 4 or hcp(west) > 4)"
    text += " and (spades(north) == 4 ? hearts(north) == 4 : clubs(north) == 4)"
    assert lines(part_of(text)) == [
        "all of these",
        "  not this",
        "    at least one of these",
        "      east holds at least 5 points",
        "      west holds at least 5 points",
        "  one or the other",
        "    if north holds exactly 4 spades",
        "    then north holds exactly 4 hearts",
        "    else north holds exactly 4 clubs",
    ]


def test_very_wide_and_deep_conditions_are_cut():
    wide = part_of(" or ".join(f"hcp(north) == {k}" for k in range(500)))
    assert len(wide.parts) == MAX_WIDTH + 1
    assert wide.parts[-1].text == f"and {500 - MAX_WIDTH} more parts"
    deep = part_of("not (" * 100 + "hcp(north) + 1" + ")" * 100)
    assert max(len(line) - len(line.lstrip()) for line in lines(deep)) == 2 * (MAX_DEPTH + 1)


def test_shared_variables_are_not_repeated():
    text = "y0 = hcp(north) > 3 or hcp(south) > 3\n"
    text += "".join(f"y{k} = y{k - 1} or not y{k - 1}\n" for k in range(1, 50))
    assert len(lines(part_of(text + "condition y49"))) < 1000


def test_a_function_of_a_card_is_described_as_holding_it_only_if_it_is_hascard():
    @dk.function(args=["seat", "card"], unit="truth", low=0, high=1)
    def leads_card(deals, seat, card):
        return np.ones(len(deals), int)

    try:
        text = dk.explain("condition hascard(north, AS) and leads_card(north, AS)").text
        assert "north holds the ace of spades" in text
        assert text.count("holds the ace of spades") == 1
    finally:
        registry.unregister("leads_card")
