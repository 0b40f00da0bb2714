"""How missing cards divide: published percentages, the counter of deals, plain enumeration, mistakes."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

import dealerkit as dk
from dealerkit.cli import main


@pytest.mark.parametrize(
    ("missing", "percents"),
    [  # the tables of every textbook, as in the Official Encyclopedia of Bridge
        (4, [40.70, 49.74, 9.57]), (5, [67.83, 28.26, 3.91]), (6, [35.53, 48.45, 14.53, 1.49]),
        (7, [62.17, 30.52, 6.78, 0.52]), (8, [32.72, 47.12, 17.14, 2.86, 0.16]),
    ],
)  # fmt: skip
def test_published_divisions(missing, percents):
    divisions = dk.breaks(missing).divisions
    assert [100 * share for share in divisions.values()] == pytest.approx(percents, abs=0.00501)
    assert sum(divisions.values()) == pytest.approx(1)


def test_the_counter_of_deals_agrees():
    found = dk.breaks("KJxxx", vacant=(13, 13))
    cards = {
        "given": "spades(north) == 4 and spades(south) == 4",
        "predeal": {"north": "SAQT9", "south": "S8765"},
    }
    for length in range(6):
        counted = dk.probability(f"spades(west) == {length}", **cards)
        assert found.lengths[length] == pytest.approx(float(counted.fraction))
    falls = dk.probability(
        "hascard(west, KS) and spades(west) <= 2 or hascard(east, KS) and spades(east) <= 2", **cards
    )
    assert found.honours.loc["K", "falls_2"] == pytest.approx(float(falls.fraction))


def test_vacant_places_after_a_count():
    # West has 7 hearts of 8 that were missing: 6 vacant places against 12. The queen is with East 2 : 1.
    found = dk.breaks("Qxxx", vacant=(6, 12))
    assert found.honours.loc["Q", "east"] == pytest.approx(12 / 18)
    assert found.lengths[2] == pytest.approx(comb(4, 2) * comb(14, 4) / comb(18, 6))


def test_restricted_choice_by_enumeration():
    # East follows to the first round with the jack: every layout, with every order of cards that a defender may choose.
    cards = "QJ32"
    weights = {"west": Fraction(0), "east": Fraction(0)}
    for n in range(5):
        for held in combinations(cards, n):
            other = [card for card in cards if card not in held]
            ways = comb(22, 13 - n)
            small = [card for card in held if card in "32"]
            if len(small) < 2:
                continue  # West has followed low twice
            choices = [card for card in other if card in "32"] or other
            if "J" in choices:
                weights["west" if "Q" in held else "east"] += Fraction(ways, len(choices))
    expected = weights["west"] / sum(weights.values())
    found = dk.breaks("QJxx", west_played="xx", east_played="J")
    assert found.chance(west="Q") == pytest.approx(float(expected))
    assert float(expected) == pytest.approx(0.647, abs=0.0005)  # "nearly two to one"
    # Named small cards change nothing, and where the honours are not equal the jack is no choice
    assert dk.breaks("QJ32", west_played="32", east_played="J").chance(west="Q") == pytest.approx(
        float(expected)
    )
    unequal = dk.breaks("KJ32", west_played="xx", east_played="J").chance(west="K")
    assert unequal == pytest.approx(comb(22, 10) / (comb(22, 10) + comb(22, 11)))


def test_a_small_card_is_no_honour():
    # West has seven spades and has followed low, East two spades and has followed low twice: the queen is with East
    # 9 to 5 (Bowyer, English Bridge, December 2016), for it has nine vacant places and West five.
    for missing in ("Qxxx", "Q752"):
        found = dk.breaks(missing, vacant=(6, 11), west_played="x", east_played="xx")
        assert found.chance(east="Q") == pytest.approx(9 / 14)
    # Of nine cards known by their number alone all are small, the ten too
    assert dk.breaks(9, west_played="x").chance(west="T 1") > 0


def test_facts_and_their_text(capsys):
    found = dk.breaks("Kxxxx", west="2-4", vacant=(12, 10))
    assert found.lengths[5] == 0 and sum(found.lengths.values()) == pytest.approx(1)
    assert "Vacant places: west 12, east 10." in found.text and "West has 2-4." in found.text
    assert found.frame.probability.sum() == pytest.approx(1)
    assert main(["breaks", "QJxx", "--west-played", "xx", "--east-played", "J"]) == 0
    assert "64.71 %" in capsys.readouterr().out
    assert main(["breaks", "6"]) == 0
    assert "35.53 %" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (["KKxx"], {}, "twice"),
        (["xxxxxxxxxx"], {}, "10 cards are missing"),
        ([""], {}, "0 cards are missing"),
        ([0], {}, "missing"),
        (["K1x"], {}, "not a card"),
        (["Kxx"], {"east_played": "Q"}, "not one of the missing cards"),
        (["Kxx"], {"vacant": (1, 1)}, "but 3 cards are missing"),
        (["Kxx"], {"vacant": (1, 1, 1)}, "vacant places of west and east"),
        (["Kxx"], {"west": "K", "east": "K"}, "no layout"),
        (["Kxx"], {"west_played": "K", "east_played": "K"}, "no layout"),
    ],
)
def test_mistakes(arguments, options, message):
    with pytest.raises(dk.DealerkitError, match=message):
        dk.breaks(*arguments, **options)
