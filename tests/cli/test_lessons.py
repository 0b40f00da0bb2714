"""The command deals around the boards of a lesson."""

from __future__ import annotations

from pathlib import Path

import pytest

import dealerkit as dk
from tests.support.lessons import LESSON


@pytest.fixture
def lesson(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "lesson.pbn"
    path.write_text(LESSON, encoding="utf-8")
    return path


def test_from_a_lesson_to_a_sheet(command, lesson: Path):
    done = command("deal", "--from", "lesson.pbn", "-p", 3, "-s", 1, "-o", "practice.pbn")
    assert done.returncode == 0 and done.stderr.endswith("10 boards written to practice.pbn, seed 1\n")
    practice = dk.read("practice.pbn")
    deals = practice.deals
    assert practice.texts["comment"] == ["North holds four good spades. Plan the play."] * 3 + [""] * 7
    assert practice.texts["auction"] == [""] * 7 + ["1S Pass"] * 3
    assert deals.board.tolist() == [*range(1, 11)]
    assert deals.dealer.tolist() == [2] * 3 + [1] * 3 + [3] + [0] * 3  # of the lesson
    assert deals.vulnerable.tolist() == [3] * 3 + [1] * 3 + [3] + [2] * 3
    assert (deals[:3].eval("hearts(south)") == 4).all() and (deals[:3].eval("hcp(north)") == 10).all()
    assert command("sheet", "practice.pbn", "-o", "practice.html").returncode == 0
    assert "Board 10" in Path("practice.html").read_text(encoding="utf-8")


def test_options_of_the_command(command, lesson: Path):
    done = command(
        "deal", "--from", "lesson.pbn", "-p", 2, "-s", 1, "--dealer", "N", "--first-board", 5, "-o", "a.pbn"
    )
    assert done.returncode == 0
    deals = dk.read("a.pbn").deals
    assert deals.board[0] == 5 and set(deals.dealer.tolist()) == {0} and deals.vulnerable[0] == 3
    assert command("deal", "--from", "lesson.pbn", "-s", 1).stdout.count("♠") == 16  # a deal of each board
    for words, message in [
        (("2", "-p", "3"), "COUNT and --produce are both numbers of deals"),
        (("--north", "SA"), "leave out --north"),
        (("--from", "missing.pbn"), "missing.pbn"),
    ]:
        done = command("deal", "--from", "lesson.pbn", *words)
        assert done.returncode == 2 and message in done.stderr


def test_a_sheet_of_a_lesson(command, lesson: Path):
    done = command("sheet", "lesson.pbn", "--partial", "-o", "lesson.html")
    assert done.returncode == 0 and done.stderr.endswith("4 boards written to lesson.html\n")
    assert "2 boards skipped:\n  lesson.pbn, line 12: board 3: no deal" in done.stderr
    # Two files: each board that is skipped has the name of its own.
    Path("more.pbn").write_text('[Board "1"]\n[Deal "N:AA... - - -"]\n', encoding="utf-8")
    done = command("sheet", "lesson.pbn", "more.pbn", "--partial", "-o", "both.html")
    assert (
        "3 boards skipped:" in done.stderr
        and "\n  more.pbn, line 2: board 1: 'AA...' has SA twice" in done.stderr
    )
    html = Path("lesson.html").read_text(encoding="utf-8")
    assert "<b>lesson</b>" in html and "North holds four good spades." in html
    done = command("sheet", "lesson.pbn", "--partial", "-o", "lesson.html", "--hands", "N")
    assert done.returncode == 0 and "North’s hands" in Path("lesson.html").read_text(encoding="utf-8")
    done = command("sheet", "lesson.pbn", "--partial", "-o", "lesson.html", "--solve")
    assert done.returncode == 2 and "are not all known" in done.stderr
    done = command("sheet", "lesson.pbn", "--partial", "--distinct", "-o", "lesson.html")
    assert done.returncode == 2 and "leave --distinct out" in done.stderr


def test_a_lesson_is_converted(command, lesson: Path):
    with pytest.warns(dk.SkippedWarning):
        boards = dk.read("lesson.pbn", partial=True)
    done = command("convert", "lesson.pbn", "again.pbn", "--partial")
    assert done.returncode == 0 and done.stderr.endswith("4 boards written to again.pbn\n")
    assert list(dk.read("again.pbn", partial=True)) == list(boards)
    assert (
        command("convert", "lesson.pbn", "-", "--partial").stdout == Path("again.pbn").read_bytes().decode()
    )
    for words, message in [
        (("lesson.lin",), "small cards without a name"),
        (("lesson.dup",), "dup cannot store unknown cards"),
        (("again.pbn", "--event", "Club"), "--event cannot be written with --partial"),
        (("lesson.pbn",), "another file of this command"),
    ]:
        done = command("convert", "lesson.pbn", *words, "--partial")
        assert done.returncode == 2 and message in done.stderr, done.stderr
    assert not Path("lesson.lin").exists() and not Path("lesson.dup").exists()


def test_what_to_do_about_unknown_cards(command, lesson: Path):
    Path("problem.pbn").write_text('[Board "1"]\n[Deal "N:AKQJ.T98.5432.32 - - -"]\n', encoding="utf-8")
    for verb in (
        ("par", "problem.pbn"),
        ("sheet", "problem.pbn", "-o", "a.html"),
        ("convert", "lesson.pbn", "a.lin"),
    ):
        done = command(*verb)
        assert "Some cards are unknown: `dealerkit deal --from FILE` deals them" in done.stderr
    with pytest.warns(dk.SkippedWarning, match="partial=True reads boards with unknown cards"):
        dk.read("problem.pbn")


def test_endings_and_impossible_cards_of_a_lesson(command, lesson: Path):
    ending = '[Board "1"]\n[Deal "N:AK... QJ... T9... 87..."]\n\n'
    Path("a.pbn").write_text(ending + '[Board "2"]\n[Deal "N:AKQJ.T98.5432.32 - - -"]\n', encoding="utf-8")
    done = command("deal", "--from", "a.pbn", "-p", 2, "-s", 1, "-o", "b.pbn")
    assert done.returncode == 0 and "1 ending was left out, because there are no cards to deal" in done.stderr
    assert len(dk.read("b.pbn")) == 2
    Path("a.pbn").write_text('[Board "7"]\n[Deal "N:98765432... - xx... -"]\n', encoding="utf-8")
    done = command("deal", "--from", "a.pbn", "-p", 2, "-o", "b.pbn")
    assert done.returncode == 2 and done.stderr.startswith("board 7: 2 small spades")
