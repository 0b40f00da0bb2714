"""Lines of a suit by name: published values, the grammar, comparisons, mistakes."""

from __future__ import annotations

from itertools import pairwise
from math import comb

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.cli import main


@pytest.mark.parametrize(
    ("level", "line", "percent"),
    [  # measured by a program of another author
        (4, "cash the ace", 82.78), (4, "low to the queen", 76.57), (4, "low to the ten", 76.57),
        (5, "cash the ace", 6.22), (5, "low to the queen", 26.57), (5, "low to the ten", 24.00),
    ],
)  # fmt: skip
def test_a_name_fixes_the_first_plays_and_the_rest_is_best(level, line, percent):
    compared = dk.suit("AQT96", "8754", level).compare(line, "A")
    assert 100 * compared.chances[0][level] == pytest.approx(percent, abs=0.005)


def test_finesse_against_drop_with_nine_cards():
    # AKJ32 opposite 7654 lacks Q T 9 8: the drop wins against Qx at East, the finesse against Qxx at West.
    lines = dk.suit("AKJ32", "7654").compare(
        "cash the ace; then finesse the jack", "cash the ace; cash the king"
    )
    frame = lines.frame
    assert set(frame.west[frame["first"] > frame["second"]]) == {"Qxx"}
    assert set(frame.east[frame["first"] < frame["second"]]) == {"Qx"}
    # Three of the four layouts with three cards at West, and three of the six with two, have the queen so.
    assert lines.wins == pytest.approx(3 / 4 * 0.248695, abs=2e-6)
    assert lines.losses == pytest.approx(3 / 6 * 0.406957, abs=2e-6)


def test_conditions_choose_the_next_play():
    play = dk.suit("AQT98", "5432", 4)
    best = play.compare(
        "low to the ace; if it wins: low to the queen; if East plays the jack: low to the queen", "A"
    )
    assert best.wins == 0 and best.chances[0][4] == pytest.approx(play.chances[4])
    # East's jack: the conditions that hold for it are equal, those that do not change the line
    texts = [
        f"cash the ace; if {condition}: low to the queen; otherwise: low to the ten"
        for condition in ("east plays low", "no honour falls", "the trick is won")
    ]
    results = [play.compare(text, "A").outcomes[0] for text in texts]
    assert any((first != second).any() for first, second in pairwise(results))


def test_a_line_never_beats_the_best(capsys):
    play = dk.suit("KJ98", "A432")
    for line in (
        "drop",
        "low to the jack",
        "run the jack",
        "cash the king; then low to the jack",
        "play low",
    ):
        compared = play.compare(line, "A")
        assert all(compared.chances[0][level] <= play.chances[level] + 1e-9 for level in play.chances)
        assert compared.means[0] <= play.mean + 1e-9
        double = play.solution.search.find_double_dummy(play.problem.state)
        assert (compared.outcomes[0] <= double).all()


def test_the_ace_first_gains_against_a_singleton_king():
    play = dk.suit("AQ2", "543")
    compared = play.compare("low to the queen", "cash the ace; then low to the queen")
    assert compared.frame.east.tolist() == ["K"] and compared.wins == 0
    # East has one of seven cards, the king: a seventh of all 6-1 layouts with six at west
    assert compared.losses == pytest.approx(comb(19, 7) / comb(26, 13))
    same = play.compare(play.best(), "A")
    assert same.frame.empty and same.wins == same.losses == 0


def test_shares_of_the_differences_are_those_of_the_layouts():
    compared = dk.suit("AQT96", "8754").compare("low to the queen", "low to the ten")
    frame = compared.frame
    gains = frame.probability[frame["first"] > frame["second"]].sum()
    assert (gains, frame.probability.sum() - gains) == pytest.approx((compared.wins, compared.losses))
    # The margin of the ten over the queen at matchpoints, published for AQT98: 3.6522
    assert 100 * (compared.losses - compared.wins) == pytest.approx(3.6522, abs=0.00005)
    assert np.isclose(np.diff(compared.means)[0], compared.outcomes[1] @ compared.shares - compared.means[0])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("pray", "'pray' in the line 'pray' is not understood; a line is made of"),
        ("", "the line is empty"),
        ("cash the emperor", "'emperor' in the line"),
        ("cash the king", "neither hand has the king"),
        ("cash the queen", "the queen does not beat all missing cards"),
        ("if it wins: drop", "begins with a condition"),
        ("drop; if mars rises: drop", "the condition 'mars rises'"),
    ],
)
def test_mistakes_list_the_grammar(line, message):
    with pytest.raises(dk.ArgumentError, match=message):
        dk.suit("AQT98", "5432").compare(line, "A")


def test_the_command_compares(capsys):
    command = ["suit", "AQT96", "8754", "-t", "4"]
    assert main([*command, "--line", "low to the queen"]) == 0
    assert "19.8 %" in capsys.readouterr().out
    assert main([*command, "--line", "B", "--line", "low to the ten"]) == 0
    assert "23.4 %" in capsys.readouterr().out
    assert main([*command, "--line", "A", "--line", "B", "--line", "C"]) == 2
    assert "two lines" in capsys.readouterr().err


def test_plot_of_two_lines_has_the_layouts_on_both_sides():
    lines = dk.suit("AKJ32", "7654").compare(
        "cash the ace; then finesse the jack", "cash the ace; cash the king"
    )
    ax = lines.plot()
    dots = {round(float(line.get_xdata()[-1]), 6) for line in ax.lines} - {0.0}
    # West has the queen with two of three small cards; East has it with one of them, and West the other two
    places = comb(26, 13)
    expected = {3 * comb(22, 10) / places, -3 * comb(22, 11) / places}
    assert dots == {round(100 * share, 6) for share in expected}
    # No picture if the lines are equally good in all layouts
    same = dk.suit("AKQ", "432").compare("cash the ace", "cash the king")
    with pytest.raises(dk.ArgumentError, match="nothing to plot"):
        same.plot()
