"""Suit problems from random deals: their gain, their answers, the sheet, the command, mistakes."""

from __future__ import annotations

import re

import pytest

import dealerkit as dk
from dealerkit.cli import main


@pytest.fixture(scope="module")
def quiz() -> dk.SuitQuiz:
    return dk.suit_quiz(3, gain=0.08, seed=2)


def test_each_problem_gains_what_is_stated(quiz):
    assert len(quiz.questions) == 3 and quiz.n_tried >= 3
    for row in quiz.frame.itertuples():
        # Each number again, from the cards of the problem alone
        play = dk.suit(row.north, row.south, row.tricks)
        assert row.chance == pytest.approx(play.chances[row.tricks])
        lines = play.compare(row.natural, "A")
        assert row.natural_chance == pytest.approx(lines.chances[0].get(row.tricks, 0))
        assert row.chance - row.natural_chance >= 0.08
        # No other number of tricks gains more
        gains = [play.chances[level] - lines.chances[0].get(level, 0) for level in play.chances]
        assert max(gains) >= row.chance - row.natural_chance - 1e-9


def test_a_seed_repeats_its_problems_and_begins_longer_quizzes(quiz):
    again = dk.suit_quiz(2, gain=0.08, seed=2)
    assert again.frame.equals(quiz.frame.iloc[:2])
    assert not dk.suit_quiz(2, gain=0.08, seed=3).frame.equals(again.frame)


def test_the_sheet_has_questions_and_then_answers(quiz):
    page = quiz.page(title="Lesson <4>")
    questions, answers = page.html.split("<b>Answers</b>")
    assert page.n_boards == 3 and "Lesson &lt;4&gt;" in questions and "<4>" not in page.html
    for row in quiz.frame.itertuples():
        assert f">{row.north}<br>{row.south}<" in questions and row.line not in questions.lower()
        assert f"{row.north} opposite {row.south}, {row.tricks} trick" in answers
        assert row.line in answers.lower() and f"{100 * row.chance:.1f}\xa0%" in answers
    assert questions.count("How do you play?") == 3
    assert "<b>Answers</b>" not in quiz.page(answers=False).html
    # The layouts that decide, with their shares
    assert re.search(r"Only the best line makes it with west – east: .+ – .+ \(\d+\.\d\s%\)", answers)


def test_an_interrupted_quiz_has_the_problems_found_so_far(quiz):
    def stop(done, total):
        if done == 2:
            raise KeyboardInterrupt

    part = dk.suit_quiz(3, gain=0.08, seed=2, progress=stop)
    assert part.frame.equals(quiz.frame.iloc[:2]) and "interrupted" in part.text


@pytest.mark.parametrize(
    ("north", "south", "line"),
    [
        ("AQ2", "543", "low to the queen"), ("AKJ32", "7654", "low to the jack"), ("QJT9", "A432", "run the queen"),
        ("AKQ2", "543", "drop"), ("KJ98", "A432", "low to the jack"), ("QJ2", "543", "low to the queen"),
    ],
)  # fmt: skip
def test_the_natural_line(north, south, line):
    from dealerkit.singledummy import Combination
    from dealerkit.studies.suit_play.quiz import find_natural_line

    assert find_natural_line(Combination(north, south)) == line


def test_the_command(capsys, tmp_path):
    file = tmp_path / "problems.html"
    assert main(["suit", "--quiz", "1", "--sheet", str(file), "--seed", "2", "--title", "Lesson"]) == 0
    assert "1 suit problem written" in capsys.readouterr().err
    assert "<b>Lesson</b>" in file.read_text("utf-8")
    assert main(["suit", "--quiz", "1", "--seed", "2", "--gain", "8"]) == 0
    assert "natural line" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--quiz", "2", "AQ2", "543"], "leave out the cards"),
        (["AQ2"], "give the cards of both hands"),
        (["AQ2", "543", "--sheet", "a.html"], "--sheet needs the problems of --quiz"),
        (["--quiz", "2", "--sheet", "a.pdf"], "a sheet is an HTML page"),
        (["--quiz", "2", "--sheet", "no/folder/a.html"], "no folder"),
        (["--quiz", "2", "--gain", "0"], "gain is 0.0"),
        (["--quiz", "2", "--seed", "-1"], "seed"),
    ],
)
def test_mistakes(words, message, capsys):
    assert main(["suit", *words]) == 2
    assert message in capsys.readouterr().err
