"""The problems of docs/howto/play-problems.md: their numbers by plain enumeration, by lines played out, and with mixed lines."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest

import dealerkit as dk
from tests.singledummy.mixing import Program
from tests.singledummy.two_sides import play_out


def list_layouts(cards, vacant=(13, 13)):
    """West's cards in each layout of a suit, with its probability."""
    west, east = vacant
    total = comb(west + east, west)
    for n in range(len(cards) + 1):
        for held in combinations(cards, n):
            if n <= west and len(cards) - n <= east:
                yield set(held), comb(west + east - len(cards), west - n) / total


def share(cards, is_so, vacant=(13, 13)):
    """The probability of a condition on west's cards."""
    return sum(weight for held, weight in list_layouts(cards, vacant) if is_so(held))


def test_the_queen_falls_or_the_king_is_onside():
    # Spades QT987: the queen falls in two rounds, or East shows out on the first; hearts: the king with west
    spades, hearts = "QT987", "KJT987654"

    def falls(held):
        return len(held) == 5 or len(held if "Q" in held else set(spades) - held) <= 2

    makes = 0.0
    for held, _ in list_layouts(spades):
        for onside in (True, False):
            # West has the king of hearts or not, and any of the other eight
            ways = sum(
                comb(8, n) * comb(26 - 14, 13 - len(held) - n - onside)
                for n in range(9)
                if len(held) + n + onside <= 13
            )
            makes += ways / comb(26, 13) * (falls(held) or onside)
    plan = dk.plan(
        ["spades AJ654 opposite K32, 3 tricks: cash the king; cash the ace",
         "hearts AQx opposite 8, 2 tricks: low to the queen"], losers=0,
    )  # fmt: skip
    assert len(hearts) == 9 and plan.chance == pytest.approx(makes)
    assert plan.chance == pytest.approx(0.65, abs=0.03)  # "a bit more than 65 %"
    assert dk.breaks("QT987").honours.falls_2["Q"] == pytest.approx(0.33, abs=0.005)


def test_shares_of_single_suits():
    seven = share("QT98762", lambda held: len(held if "Q" in held else set("QT98762") - held) <= 3)
    assert dk.breaks("Qxxxxxx").honours.falls_3["Q"] == pytest.approx(seven)
    assert seven == pytest.approx(0.37, abs=0.01) and seven + (1 - seven) / 2 == pytest.approx(
        0.682, abs=0.0005
    )
    onside = share("QT9864", lambda held: "Q" not in held and 2 <= 6 - len(held) <= 4)
    assert dk.breaks("Qxxxxx").chance(east="Q 2-4") == pytest.approx(onside)
    assert onside == pytest.approx(0.42, abs=0.005)
    assert share("Q752", lambda held: held == {"5", "2"}) == pytest.approx(0.0678, abs=5e-5)
    assert share("Q752", lambda held: held == {"7", "5", "2"}) == pytest.approx(0.0622, abs=5e-5)
    diamond = share("KJT9543", lambda held: "K" in held, (7, 5))
    assert (
        dk.breaks("KJT9543", vacant=(7, 5)).chance(west="K")
        == pytest.approx(diamond)
        == pytest.approx(7 / 12)
    )


def test_nine_trumps_without_the_queen():
    # From the top: 2-2, the queen alone, or all four cards with the hand that shows it in time
    drop = share("Q643", lambda held: len(held) == 2 or held in ({"Q"}, {"6", "4", "3"}, set()))
    play = dk.suit("A982", "KJT75", 5)
    assert play.chances[5] == pytest.approx(drop) and play.best(5).words.startswith("cash the ace")
    # After a preempt: all queens with west, and one alone with east
    finesse = share("Q643", lambda held: "Q" in held or held == {"6", "4", "3"}, (13, 5))
    play = dk.suit("A982", "KJT75", 5, vacant=(13, 5))
    assert play.chances[5] == pytest.approx(finesse)
    assert play.best(5).words == "cash the king; then low to the nine"


slow = pytest.mark.slow


@pytest.mark.parametrize(
    ("north", "south", "tricks", "words"),
    [
        ("AJ65", "K943", 3, "cash the ace; then low to the nine"), ("KQT983", "4", 5, "low to the ten"),
        pytest.param("AJ65", "K943", 4, "low to the jack", marks=slow),
        pytest.param("A9", "KQT63", 5, "cash the ace; then lead the nine to the king; then cash the queen", marks=slow),
        pytest.param("J54", "AK962", 5, "cash the ace; then cash the king", marks=slow),
        pytest.param("AQJ65", "842", 4, "cash the ace; then low to the queen", marks=slow),
    ],
)  # fmt: skip
def test_the_best_lines_from_two_sides(north, south, tricks, words):
    play = dk.suit(north, south, tricks)
    assert play.best(tricks).words.startswith(words)
    # No mixture of lines is better, and the line makes it against every defence
    mixed = Program(north, south).solve(lambda made: made >= tricks)
    assert play.chances[tricks] == pytest.approx(mixed, abs=1e-7)
    if len(north + south) >= 8:
        made = play_out(play, lambda made: made >= tricks, play.best(tricks))
        assert made == pytest.approx(mixed, abs=1e-7)


def test_two_sources_differ():
    play = dk.suit("AJ65", "K943", 4)
    lines = play.compare("cash the king; then low to the jack", "low to the jack")
    single = share("QT872", lambda held: held == {"Q"})
    assert lines.chances[1][4] - lines.chances[0][4] == pytest.approx(single)
