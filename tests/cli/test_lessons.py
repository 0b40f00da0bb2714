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
    deals = dk.read("practice.pbn").deals
    assert deals.board.tolist() == [*range(1, 11)]
    assert deals.dealer.tolist() == [2] * 3 + [1] * 3 + [3] + [1] * 3  # of the lesson
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
        (("--north", "SA"), "--north cannot add to them"),
        (("--from", "missing.pbn"), "missing.pbn"),
    ]:
        done = command("deal", "--from", "lesson.pbn", *words)
        assert done.returncode == 2 and message in done.stderr
