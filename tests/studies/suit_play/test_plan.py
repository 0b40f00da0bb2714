"""Plans with chances in several suits: plain enumeration of all layouts, single suits, orders, mistakes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.arguments import read_given
from dealerkit.cli import main

CLUBS = "clubs AKQ2 opposite 543, 4 tricks: cash the ace; cash the king; cash the queen"
HIDDEN = "SK SJ ST S9 S8 S7 S6 HQ HJ HT H9 H8 H7 H6 DQ DJ DT D9 D8 D7 D6 CJ CT C9 C7 C6".split()
DUCK = "diamonds AK432 opposite 65, 4 tricks: cash the ace; cash the king; play low"
NORTH, SOUTH = "AQ2.K52.A43.AKQ2", "543.A43.K52.8543"  # clubs and spades as in CLUBS and SPADES
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


@cache
def list_wests():
    """West's hand in all deals of NORTH and SOUTH, as bit sets of HIDDEN."""
    halves = np.arange(1 << 13)
    counts = np.bitwise_count(halves)
    return np.concatenate([
        (halves[counts == n][:, None] | halves[counts == 13 - n] << 13).ravel() for n in range(14)
    ])  # fmt: skip


def count(cards):
    """How many of these cards west has in each deal."""
    chosen = sum(1 << place for place, card in enumerate(HIDDEN) if card in cards.split())
    return np.bitwise_count(list_wests() & chosen).astype(int)


CONDITIONS = {
    "hcp(west) >= 8": lambda: (
        3 * count("SK") + 2 * count("HQ DQ") + count("SJ HJ DJ CJ") >= 8
    ),
    "hcp(east) >= 6 and hearts(east) >= 5": lambda: (
        (3 * count("SK") + 2 * count("HQ DQ") + count("SJ HJ DJ CJ") <= 5)
        & (count("HQ HJ HT H9 H8 H7 H6") <= 2)
    ),
    "hascard(west, KS) or clubs(west) == 3": lambda: (count("SK") == 1) | (count("CJ CT C9 C7 C6") == 3),
}  # fmt: skip


@pytest.mark.parametrize("given", CONDITIONS)
def test_a_condition_on_the_hidden_hands_is_counted_deal_by_deal(given):
    texts = ["clubs, 4 tricks", "spades, 2 tricks: low to the queen"]
    is_met, breaks, onside = CONDITIONS[given](), abs(2 * count("CJ CT C9 C7 C6") - 5) == 1, count("SK") == 1
    for need, succeeds in (("any", breaks | onside), ("all", breaks & onside)):
        found = dk.plan(texts, north=NORTH, south=SOUTH, need=need, given=given)
        assert found.fraction == Fraction(int((succeeds & is_met).sum()), int(is_met.sum()))
    # One finesse that fails loses a trick
    early = dk.plan(texts[::-1], north=NORTH, south=SOUTH, losers=0, given=given)
    assert early.fraction == Fraction(int((onside & is_met).sum()), int(is_met.sum()))


@pytest.mark.filterwarnings("ignore::dealerkit.AuctionWarning")
def test_an_auction_is_a_condition():
    auction = dk.auction("(1S) P (P) X", dealer="west")
    found = dk.plan(["clubs, 4 tricks", "hearts, 2 tricks"], north=NORTH, south=SOUTH, given=auction)
    written = read_given(auction, {"north": NORTH, "south": SOUTH})
    assert found.fraction == dk.plan(
        ["clubs, 4 tricks", "hearts, 2 tricks"], north=NORTH, south=SOUTH, given=written
    ).fraction  # fmt: skip


def test_a_suit_with_too_many_lines_is_played_by_the_best_of_some():
    found = dk.plan("J6 opposite KT84, 2 tricks")
    assert not found.exact and "at least" in found.text
    layouts = dk.suit("J6", "KT84", seconds=0.01).layouts
    assert 0.5 < found.chance <= layouts.probability[layouts.double_dummy >= 2].sum()


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
        ([CLUBS, SPADES], {"vacant": (5, 5)}, "but 13 cards are missing"),
        (CLUBS, {"vacant": (13,)}, "vacant"),
        (CLUBS, {"given": "hcp(west) >= 5"}, "needs the whole hands"),
        (CLUBS, {"north": NORTH}, "give both hands"),
        (CLUBS, {"north": NORTH, "south": SOUTH}, "names cards, which the whole hands have"),
        ("4 tricks", {"north": NORTH, "south": SOUTH}, "is not understood"),
        ("cups, 4 tricks", {"north": NORTH, "south": SOUTH}, "'cups' in the chance"),
        ("clubs, 4 tricks", {"north": NORTH, "south": NORTH}, "both have the spade A"),
        ("clubs, 4 tricks", {"north": NORTH, "south": SOUTH, "given": "hcp(west) >= 30"}, "no deal"),
        (
            "clubs, 4 tricks",
            {"north": NORTH, "south": SOUTH, "given": "tricks(west, notrump) > 3"},
            "cannot",
        ),
        (
            "clubs, 4 tricks",
            {"north": NORTH, "south": SOUTH, "given": "hcp(west) > 3", "vacant": (9, 9)},
            "not both",
        ),
        (
            "spades, 2 tricks, west K",
            {"north": NORTH, "south": SOUTH, "given": "hascard(east, KS)"},
            "no layout agrees",
        ),
    ],
)
def test_mistakes(chances, options, message):
    with pytest.raises(dk.DealerkitError, match=message):
        dk.plan(chances, **options)
