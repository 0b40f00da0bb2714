"""Results of `suit`: words, tables, layouts, forms; the verb of the command; an interrupt."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import dealerkit as dk
from dealerkit.cli import main


@pytest.fixture(scope="module")
def play():
    return dk.suit("AQT98", "5432", tricks=4)


@pytest.mark.parametrize(("north", "south", "tricks"), [("AKQJT98765432", "", 13), ("432", "765", 0)])
def test_a_suit_without_a_choice_says_so(north, south, tricks):
    play = dk.suit(north, south)
    assert play.best().words == "play the cards in any order"
    assert play.best().mean == tricks and "average: play the cards in any order." in str(play)


def test_a_line_in_words(play):
    tree = play.best(4).tree
    assert [branch.sentence for _, branch in tree.list_lines()] == [
        "low to the ace (the queen if West plays the jack)",
        "if it wins: low to the queen (low if West plays the king)",
        "if East plays the jack: low to the queen",
        "if only winners are left: cash them",
    ]
    # Where the play is the same after many cards of the defenders, it is one branch
    tree = dk.suit("AQJ65", "842", 4).best(4).tree
    assert [branch.sentence for _, branch in tree.list_lines()] == [
        "cash the ace",
        "then: low to the queen (low if West plays the king)",
        "if it wins: play low from both hands",
        "if only winners are left: cash them",
        "if only winners are left: cash them",
    ]
    assert dk.suit("AKJ2", "543", 4).best(4).words == "cash the ace; then low to the jack; then cash the king"
    assert dk.suit("AK9832", "J4", 6).best(6).words.startswith("run the jack")


@pytest.mark.parametrize("cards", ["AK9832-J4", "K854-QJ9", "KQT983-5", "AJ65-K943"])
def test_conditions_of_branches_differ(cards):
    for line in dk.suit(*cards.split("-")).lines[:4]:
        for _, branch in line.tree.list_lines():
            conditions = [below.condition for below in branch.branches]
            assert len({*conditions}) == len(conditions) and not {"then", "if it wins"} <= {*conditions}


def test_layouts_that_differ_in_small_cards_are_one_row():
    play = dk.suit("AJ65", "K943", 4)
    table = play.card().tables[2]
    holdings = [(row[0], row[1], *row[3:]) for row in table.rows]
    assert len(set(holdings)) == len(holdings) < len(play.layouts)
    assert sum(row[2] for row in table.rows) == pytest.approx(1)


def test_numbers_are_exact_if_the_lines_found_reach_the_bounds(play):
    solution = replace(play.solution, is_complete=False, reason="time")
    assert replace(play, solution=solution).exact
    assert "does not take more tricks" in replace(play, solution=solution).text
    chances = solution.chances | {5: (solution.chances[5][0], 0.5)}
    unknown = replace(play, solution=replace(solution, chances=chances))
    assert not unknown.exact and "at most 50.0 % for 5 tricks" in unknown.text


def test_percentages_of_branches_are_those_of_the_layouts(play):
    table = play.card().tables[1]
    assert table.rows[0][1:] == [pytest.approx(1), pytest.approx(play.chances[4])]
    # East can play the jack if he has it, alone or with the small cards or the king: of 26 vacant places one in two
    east_jack = table.rows[2]
    assert "East plays the jack" in east_jack[0].sentence
    frame = play.layouts
    assert east_jack[1] <= frame.probability[frame.east.str.contains("J")].sum()


def test_layouts_add_up_to_the_chances(play):
    frame = play.layouts
    assert frame.probability.sum() == pytest.approx(1)
    assert (frame.probability * (frame.A >= 4)).sum() == pytest.approx(play.chances[4])
    assert (frame.probability * frame.B).sum() == pytest.approx(play.mean)
    assert (frame.double_dummy >= frame[["A", "B", "C"]].max(axis=1)).all()
    assert list(play.frame.index) == [line.name for line in play.lines]


def test_no_line_dominates_another(play):
    for line in play.lines:
        for other in play.lines:
            assert line is other or (line.outcomes > other.outcomes).any()


def test_forms_have_the_same_numbers(play):
    card = play.to_dict()
    assert card["tables"][0]["rows"][0]["at_least_4"] == pytest.approx(play.chances[4])
    assert "82.8" in play.text and "82.8" in play.to_html() and "82.8" in play.to_latex()
    assert eval(play.provenance.call, {"dk": dk}).chances == play.chances
    assert "low to the ace" in str(play.best(4)) and "low to the ace" in repr(play)


def test_the_command_prints_the_result(play, capsys):
    assert main(["suit", "AQT98", "5432", "-t", "4"]) == 0
    assert capsys.readouterr().out == play.text
    assert main(["suit", "AQT98", "5432", "--vacant", "7,11", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["population"] == ["Vacant places: west 7, east 11."]
    assert main(["suit", "AQJT2", "43", "-t", "5", "--entries", "south=1"]) == 0
    assert "8.1 %" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["--vacant", "7"], ["--entries", "south"], ["--west", "Q"], ["-t", "9"]])
def test_mistakes_end_with_a_message(words, capsys):
    assert main(["suit", "AQT98", "5432", *words]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_an_interrupt_returns_bounds(monkeypatch):
    from dealerkit.singledummy import Search

    exact, find = dk.suit("AQ97", "J854"), Search.find_lead_front
    calls = []

    def interrupt_once(self, *arguments):
        calls.append(arguments)
        if len(calls) == 60:
            raise KeyboardInterrupt
        return find(self, *arguments)

    monkeypatch.setattr(Search, "find_lead_front", interrupt_once)
    stopped = dk.suit("AQ97", "J854", tricks=3)
    assert not stopped.exact and "The search was interrupted" in stopped.text
    for level, chance in exact.chances.items():
        low, high = stopped.bounds[level]
        assert low - 1e-9 <= chance <= high + 1e-9


def test_a_plot(play):
    texts = [
        text.get_text() for text in play.plot().figure.findobj(lambda artist: hasattr(artist, "get_text"))
    ]
    assert "82.8\N{NO-BREAK SPACE}%" in texts
