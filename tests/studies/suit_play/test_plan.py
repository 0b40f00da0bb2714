"""Plans with chances in several suits: plain enumeration of all layouts, single suits, orders, mistakes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from math import comb

import pytest

import dealerkit as dk
from dealerkit.cli import main

CLUBS = "clubs AKQ2 opposite 543, 4 tricks: cash the ace; cash the king; cash the queen"
DUCK = "diamonds AK432 opposite 65, 4 tricks: cash the ace; cash the king; play low"
SPADES = "spades AQ2 opposite 543, 2 tricks: low to the queen"
HEARTS = "hearts AJT opposite 432, 2 tricks: low to the jack; then low to the ten"

# For each chance the missing cards, the tricks that it loses where it succeeds, and from west's cards whether it succeeds
# and how many tricks are lost.
Rule = Callable[[frozenset[str]], tuple[bool, int]]
RULES: dict[str, tuple[str, int, Rule]] = {
    CLUBS: ("JT9876", 0, lambda west: (len(west) == 3, 0)),
    # A trick is given up after two rounds, unless a defender has shown out in them
    DUCK: ("QJT987", 1, lambda west: (len(west) == 3, 1 if 2 <= len(west) <= 4 else 0)),
    SPADES: ("KJT9876", 0, lambda west: ("K" in west, 0 if "K" in west else 1)),
}


def enumerate_plan(
    chances: list[str], need: int, losers: int | None, vacant: tuple[int, int] = (13, 13)
) -> float:
    """Return the share of all layouts in which a plan succeeds by rules of thumb, layout by layout."""
    suits = []
    for text in chances:
        cards, cost, rule = RULES[text]
        kinds: dict[tuple[int, int, bool, int], int] = {}
        for n in range(len(cards) + 1):
            for west in combinations(cards, n):
                key = (n, cost, *rule(frozenset(west)))
                kinds[key] = kinds.get(key, 0) + 1
        suits.append(kinds)
    n_missing = sum(len(RULES[text][0]) for text in chances)
    good = total = 0
    for layout in product(*(kinds.items() for kinds in suits)):
        length = sum(key[0] for key, _ in layout)
        if length > vacant[0]:
            continue
        ways = comb(sum(vacant) - n_missing, vacant[0] - length)
        made, left = 0, 99 if losers is None else losers
        for (_, cost, is_made, n_lost), count in layout:
            ways *= count
            if made < need and left >= cost:  # a chance that needs more tricks than may be lost is not tried
                left -= n_lost
                made += is_made
        total += ways
        good += ways * (made >= need)
    return good / total


@pytest.mark.parametrize(
    ("chances", "need"),
    [
        ([CLUBS, SPADES], 1),
        ([SPADES, CLUBS], 1),
        ([SPADES, CLUBS], 2),
        ([DUCK, SPADES], 2),
        ([SPADES, DUCK, CLUBS], 2),
    ],
)
@pytest.mark.parametrize("losers", [None, 0, 1])
@pytest.mark.parametrize("vacant", [(13, 13), (9, 12)])
def test_a_plan_is_the_sum_over_all_layouts(chances, need, losers, vacant):
    found = dk.plan(chances, need=need, losers=losers, vacant=vacant)
    assert found.chance == pytest.approx(enumerate_plan(chances, need, losers, vacant), abs=1e-12)


def test_a_double_finesse_loses_a_trick_on_the_way():
    # AJT makes two tricks unless East has both honours: the first finesse may lose to one of them.
    both = comb(24, 11) / comb(26, 13)
    assert dk.plan([HEARTS], losers=1).chance == pytest.approx(1 - both)
    assert dk.plan([HEARTS], losers=0).chance < both


def test_published_combined_chances():
    # A finesse or a 3-3 break, 67.8 %; either of two finesses 75 %, multiplied as if they did not depend on each other
    assert dk.plan([CLUBS, SPADES]).chance == pytest.approx(1 - 0.5 * (1 - 0.355280), abs=1e-6)
    either = dk.plan([SPADES, SPADES.replace("spades", "hearts")])
    assert either.chance == pytest.approx(enumerate_plan([SPADES, SPADES], 1, None))
    assert either.chance == pytest.approx(0.75, abs=0.025) and either.chance > 0.75


@pytest.mark.parametrize(
    ("north", "south", "tricks", "line", "losers"),
    [
        ("AQT98", "5432", 4, "", None), ("AQT98", "5432", 4, "", 1), ("AQT98", "5432", 5, "low to the queen", None),
        ("KJ98", "A432", 3, "", None), ("KJ98", "A432", 3, "cash the king; then run the jack", None),
        ("AKJ32", "7654", 5, "cash the ace; then finesse the jack", 0), ("AJ9", "432", 2, "", 1),
        ("AQT96", "8754", 4, "cash the ace; if the king falls: low to the queen; otherwise: low to the ten", None),
    ],
)  # fmt: skip
def test_one_chance_is_the_play_of_its_suit(north, south, tricks, line, losers):
    play = dk.suit(north, south, tricks, losers=losers)
    expected = play.compare(line, "A").chances[0][tricks] if line else play.chances[tricks]
    found = dk.plan(f"{north} opposite {south}, {tricks} tricks: {line}", losers=losers)
    assert found.chance == pytest.approx(expected, abs=1e-9)


def test_known_cards_and_entries():
    text = "spades AQ2 opposite 543, 2 tricks, {}: low to the queen"
    assert dk.plan(text.format("west K")).chance == 1
    assert dk.plan(text.format("east K 2+")).chance == 0
    few, many = "AQJT2 opposite 43, 5 tricks, 1 entry to south", "AQJT2 opposite 43, 5 tricks"
    assert dk.plan(few).chance == pytest.approx(0.0807, abs=5e-5)  # measured by a program of another author
    assert dk.plan(many).chance == pytest.approx(0.2584, abs=5e-5)


def test_orders_and_parts():
    found = dk.plan([SPADES, CLUBS], losers=0)
    assert list(found.orders) == [(2, 1), (1, 2)]
    assert found.orders[1, 2] == found.chance == found.so_far[-1]
    assert found.alone == pytest.approx((0.5, 0.355280), abs=1e-6)
    assert found.frame.tricks.tolist() == [2, 4]
    assert "Orders of the chances" in found.text and "Orders" not in dk.plan([SPADES, CLUBS]).text


def test_the_command(capsys):
    assert main(["plan", CLUBS, SPADES, "--losers", "0"]) == 0
    assert "67.76 %" in capsys.readouterr().out
    assert main(["plan", CLUBS, SPADES, "--need", "all", "--vacant", "9,12"]) == 0
    assert "Vacant places: west 9, east 12." in capsys.readouterr().out
    assert main(["plan", "clubs AKQ2"]) == 2
    assert "a chance is written as" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("chances", "options", "message"),
    [
        ([], {}, "1 to 4 chances, not 0"),
        ([CLUBS] * 5, {}, "1 to 4 chances, not 5"),
        ([CLUBS, CLUBS], {}, "clubs twice"),
        ("hope", {}, "a chance is written as"),
        ("swords AQ2 opposite 543, 2 tricks", {}, "'swords' in the chance"),
        ("AQ2 opposite 543", {}, "does not say how many tricks"),
        ("AQ2 opposite 543, 2 tricks, luck", {}, "'luck' in the chance"),
        ("AQ2 opposite 543, 4 tricks", {}, "4 tricks cannot be made"),
        ("AQ2 opposite A43, 2 tricks", {}, "both have the A"),
        ("AQ2 opposite 543, 2 tricks: pray", {}, "a line is made of"),
        ("AQ2 opposite 543, 2 tricks, west K, east K", {}, "no layout of AQ2 opposite 543"),
        (CLUBS, {"need": "some"}, "need is 'some'"),
        (CLUBS, {"need": 2}, "need"),
        (CLUBS, {"losers": -1}, "losers"),
        ([CLUBS, SPADES], {"vacant": (5, 5)}, "no room for 13 missing cards"),
        (CLUBS, {"vacant": (13,)}, "vacant"),
        ("J6 opposite KT84, 2 tricks", {}, "J6 opposite KT84: the search takes too long"),
    ],
)
def test_mistakes(chances, options, message):
    with pytest.raises(dk.DealerkitError, match=message):
        dk.plan(chances, **options)
