"""Values of suit combinations: published ones, a linear program with mixing, lines played out."""

from __future__ import annotations

import csv
from functools import cache
from itertools import chain
from math import comb
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from tests.singledummy.mixing import Program
from tests.singledummy.random_combinations import find_broken_laws, list_cases
from tests.singledummy.two_sides import PAGE, compute, play_out, read_values

with (Path(__file__).parent.parent / "data" / "suit-values.csv").open(encoding="utf-8") as _file:
    PUBLISHED = list(csv.DictReader(_file))
play = cache(dk.suit)


@pytest.mark.parametrize(
    "case",
    [case for case in PUBLISHED if case["tricks"] != "mp"],
    ids=lambda case: f"{case['north']}-{case['south']}-{case['tricks']}-{case['percent']}",
)
def test_published_values_are_reproduced(case):
    result = play(case["north"], case["south"])
    goal = case["tricks"]
    value = result.mean if goal == "mean" else 100 * result.chances[int(goal)]
    published = float(case["percent"])
    decimals = len(case["percent"].partition(".")[2])
    if case["reproduced"] == "yes":
        assert value == pytest.approx(published, abs=0.5001 * 10**-decimals)
    elif case["reproduced"] == "close":  # the source multiplies halves, or says "about"
        assert value == pytest.approx(published, abs=3)
    else:  # the source leaves a card out, or adds rounded numbers; measured by a program of another author
        assert value == pytest.approx(float(case["comment"].split()[1].rstrip(".")), abs=0.005)
    assert result.exact


def test_matchpoints_of_the_line_to_the_ten_and_to_the_queen():
    # The help of SuitPlay: the ten beats the queen by 3.6522 points, it wins in 23.43 % and loses in 19.78 %.
    result = play("AQT98", "5432")
    ten, queen = (
        next(line for line in result.lines if line.words.startswith(f"low to the {card}"))
        for card in ("ten", "queen")
    )
    shares = result.problem.shares
    wins, losses = ((ten.outcomes > queen.outcomes) @ shares, (ten.outcomes < queen.outcomes) @ shares)
    assert (100 * wins, 100 * losses) == (pytest.approx(23.43, abs=0.005), pytest.approx(19.78, abs=0.005))
    assert "best" in result.card().tables[0].rows[2]


def test_there_may_be_no_best_line_at_matchpoints():
    result = play("AJ98", "K32")
    assert len(result.lines) == 40  # as SuitPlay's help says: each is beaten by another
    assert "no line is best" in result.text


@pytest.mark.parametrize("cards", ["AKJT9-5432", "QT2-543"])
def test_mixing_lines_gains_nothing(cards):
    north, south = cards.split("-")
    result = play(north, south)
    assert result.mean == pytest.approx(Program(north, south).solve(lambda tricks: tricks), abs=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("cards", ["AQT98-5432", "KJ9-432", "AJT-432", "AKJ2-543", "AJ9-432", "AQ9-432"])
def test_mixing_lines_gains_nothing_for_any_number_of_tricks(cards):
    north, south = cards.split("-")
    for level, chance in play(north, south).chances.items():
        mixed = Program(north, south).solve(lambda tricks, level=level: tricks >= level)
        assert chance == pytest.approx(mixed, abs=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("cards", ["AKJT9-8765", "AQJT98-765", "AQT98-5432", "KJT98-7654", "QJ9876-5432"])
def test_values_are_those_with_all_missing_cards_distinct(cards):
    north, south = cards.split("-")
    mixed = Program(north, south, distinct=True).solve(lambda tricks: tricks)
    assert play(north, south).mean == pytest.approx(mixed, abs=1e-7)


@pytest.mark.parametrize("cards", ["AQT98-5432", "AKT987-532", "AQJ8765-432", "KJT98-7654", "AK9832-J4"])
def test_lines_played_out_make_what_they_promise(cards):
    result = play(*cards.split("-"))
    for line in {result.best(), *(result.best(level) for level in result.chances)}:
        assert play_out(result, float, line) == pytest.approx(line.mean, abs=1e-9)


def check_both_sides(row):
    assert row["below"] == pytest.approx(row["ours"], abs=1e-7)
    for name in ("above", "distinct"):
        if row[name] is not None and (row["north"], row["goal"]) != ("AK98xx", "mean"):
            assert row[name] == pytest.approx(row["ours"], abs=1e-7), name
        elif row[name] is not None:  # the one where a mixture of lines gains
            assert row["ours"] < row[name] < row["ours"] + 0.02


@pytest.mark.parametrize(
    ("north", "south", "goal"), [("AQT98", "5432", "4"), ("AT9xx", "Q8xx", "5"), ("AKxxx", "J9x", "mean")]
)
def test_published_values_from_two_sides(north, south, goal):
    row = compute(north, south, goal)
    check_both_sides(row)
    # The page has the same
    page = PAGE.read_text(encoding="utf-8")
    shown = f"{row['ours']:.4f}" if goal == "mean" else f"{100 * row['ours']:.2f}"
    rows = [line for line in page.splitlines() if line.startswith(f"| {north}–{south} ")]
    assert any(line.split(" | ")[3:6] == [shown] * 3 for line in rows)


@pytest.mark.slow
@pytest.mark.parametrize("value", read_values(), ids=lambda value: "-".join([*value.values()][:3]))
def test_all_published_values_from_two_sides(value):
    check_both_sides(compute(value["north"], value["south"], value["tricks"]))


@pytest.mark.parametrize("cards", list_cases(seed=1, n_cases=20), ids="-".join)
def test_laws_hold_for_random_combinations(cards):
    broken, is_exact, _ = find_broken_laws(*cards, seconds=None)
    assert not broken and is_exact


@pytest.mark.slow
def test_laws_hold_for_many_random_combinations():
    stopped = []
    for cards in list_cases(seed=2, n_cases=2000):
        broken, is_exact, _ = find_broken_laws(*cards, seconds=10)
        assert not broken, cards
        stopped += [] if is_exact else [cards]
    assert len(stopped) <= 20


def test_vacant_places_and_defenders_are_exchanged_with_the_hands():
    first = dk.suit("AJ92", "K843", vacant=(7, 11))
    second = dk.suit("K843", "AJ92", vacant=(11, 7))
    assert first.chances == pytest.approx(second.chances)
    assert first.mean != pytest.approx(play("AJ92", "K843").mean, abs=1e-3)


def test_vacant_places_change_the_value():
    # Measured by a program of another author: 70.3 % and 3.89
    result = dk.suit("AQT98", "5432", vacant=(7, 11))
    assert result.chances[4] == pytest.approx(0.703, abs=0.0005)
    assert result.mean == pytest.approx(3.89, abs=0.005)


def test_entries_limit_the_leads():
    # Measured by a program of another author: 25.84 % and 8.07 %
    free = dk.suit("AQJT2", "43", entries={"north": 9, "south": 9})
    assert free.chances == pytest.approx(play("AQJT2", "43").chances)
    assert free.chances[5] == pytest.approx(0.2584, abs=0.00005)
    assert dk.suit("AQJT2", "43", entries={"south": 1}).chances[5] == pytest.approx(0.0807, abs=0.00005)
    # From north alone no finesse is possible, and without an entry nothing is
    assert dk.suit("AQ432", "765", entries={"south": 0}).chances[2] < play("AQ432", "765").chances[2]
    assert dk.suit("AKQ", "432", entries={"north": 0, "south": 0}).mean == 0


def test_tricks_after_too_many_losers_do_not_count():
    # With A32 opposite 654 and no loser allowed only the ace counts; KQJ opposite 432 makes nothing.
    assert dk.suit("A32", "654", losers=0).mean == pytest.approx(1)
    assert dk.suit("KQJ", "432", losers=0).mean == 0
    assert dk.suit("KQJ", "432", losers=1).mean == pytest.approx(play("KQJ", "432").mean)


def test_a_defender_may_have_the_ten():
    assert dk.suit("AQ98", "K432", west="10").chances == dk.suit("AQ98", "K432", west="T").chances


def test_known_cards_decide_a_finesse():
    assert dk.suit("AQ432", "765", west="K").chances[2] == 1
    # With the king at east a second trick comes by length, unless east has all five
    all_five = comb(21, 13) / comb(26, 13)
    assert dk.suit("AQ432", "765", east="K").chances[2] == pytest.approx(1 - all_five / 0.5)


def test_cards_known_apart_are_not_equal():
    # With the king at west the finesse works; with the queen at west it is as good as before.
    both = dk.suit("AJT", "432", west="K")
    assert both.problem.blocks.groups[0] == (11,)
    assert both.mean > play("AJT", "432").mean
    # The weighted mean of all holdings of both honours is at least the value without the knowledge
    held = [("KQ", None), ("K", "Q"), ("Q", "K"), (None, "KQ")]
    results = [dk.suit("AJT", "432", west=west, east=east) for west, east in held]
    shares = [comb(26 - 2, 13 - k) / comb(26, 13) for k in (2, 1, 1, 0)]
    assert sum(shares) == pytest.approx(1)
    informed = sum(share * result.mean for share, result in zip(shares, results, strict=True))
    assert informed >= play("AJT", "432").mean - 1e-9


def test_a_condition_on_whole_hands_is_counted():
    north, south = "AQT98.AK2.AK2.32", "5432.QJ4.QJ4.AKQ"
    plain = dk.suit(north, south, suit="spades", given="hcp(west) >= 0")
    assert plain.chances == pytest.approx(play("AQT98", "5432").chances)
    # Five points are missing: with all of them west has the king and the jack
    strong = dk.suit(north, south, 4, suit="spades", given="hcp(west) >= 5")
    assert set(strong.layouts.west) <= {"KJ", "KJx", "KJxx"}
    assert strong.chances[4] == pytest.approx(1)
    assert np.isclose(strong.layouts.probability.sum(), 1)
    # West has three of the jack of clubs' owner's 24 other cards: C(22, 13 - 3 - n) ways for n small spades
    ways = [comb(2, n) * comb(21, 10 - n) for n in range(3)]
    xx = strong.layouts.set_index("west").probability
    assert xx["KJxx"] == pytest.approx(ways[2] / sum(ways))


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("AK", "2"), {}, "10 cards of the suit are missing"),
        (("AKQ", "A32"), {}, "both have the A"),
        (("AKQA", "32"), {}, "has the A twice"),
        (("AKZ", "432"), {}, "'Z' in north's 'AKZ' is not a card"),
        (("AKQJT98", "7654321"), {}, "'1' in south's"),
        (("AKQJT98x", "xxxxxx"), {}, "have 14 cards"),
        (("AQT98", "5432", 6), {}, "the longer hand has 5"),
        (("AQT98", "5432", 0), {}, "tricks"),
        (("AQT98", "5432"), {"west": "K", "east": "K"}, "no layout of the 4 missing cards KJ76"),
        (("AQT98", "5432"), {"west": "Q"}, "west cannot have the Q"),
        (("AQT98", "5432"), {"west": "long"}, "give cards and a length"),
        (("AQT98", "5432"), {"vacant": (1, 1)}, "but 4 cards are missing"),
        (("AQT98", "5432"), {"given": "hcp(west) > 3"}, "needs the whole hands"),
        (("AQT98", "5432"), {"suit": "spades"}, "whole hands"),
        (("AQT98.AK2.AK2.32", "5432.QJ4.QJ4.AKQ"), {}, "give the suit"),
        (("AQT98.AK2.AK2.32", "5432.QJ4.QJ4.AK"), {"suit": "spades"}, "south has 12 cards"),
        (("AQT98.AK2.AK2.32", "A543.QJ4.QJ4.AKQ"), {"suit": "spades"}, "both have the spade A"),
        (("AQT98", "5432"), {"entries": {"east": 1}}, "north and south"),
        (("AQT98", "5432"), {"seconds": 0}, "seconds"),
    ],
)
def test_mistakes_are_refused(arguments, options, message):
    with pytest.raises((dk.ArgumentError, dk.DealError), match=message):
        dk.suit(*arguments, **options)


def test_extreme_holdings():
    assert dk.suit("AKQJT98765432", "").chances[13] == 1
    assert dk.suit("AKQJT9876543", "").mean == 12
    assert dk.suit("KJT9", "-").chances[2] == pytest.approx(1)  # the reference: two sure, three in 0.12 %
    assert dk.suit("KJT9", "").chances[3] == pytest.approx(0.0012, abs=0.00005)
    assert dk.suit("7654", "32").chances[4] == 0


def test_bounds_enclose_the_value_when_time_ends():
    exact, stopped = dk.suit("AQ97", "J854"), dk.suit("AQ97", "J854", seconds=0.02)
    assert not stopped.exact and "There was not enough time" in stopped.text
    for level, (low, high) in stopped.solution.chances.items():
        assert low - 1e-9 <= exact.chances[level] <= high + 1e-9
    low, high = stopped.bounds["mean"]
    assert low - 1e-9 <= exact.mean <= high + 1e-9
    assert set(chain(stopped.bounds)) == {1, 2, 3, 4, "mean"}
    # What is said of a line is what it makes
    four = dk.suit("AQ97", "J854", 4, seconds=0.02)
    share = f"{100 * four.best(4).chances[4]:.1f}"
    assert f"4 tricks: at least {share} %" in four.text
