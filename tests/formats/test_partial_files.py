"""Lessons: PBN files with unknown hands and cards, read, completed and written."""

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


def test_a_lesson_is_read(lesson: Path):
    with pytest.warns(
        dk.SkippedWarning, match="lesson.pbn: 2 of 6 boards skipped: line 12: board 3: no deal"
    ):
        boards = dk.read(lesson, partial=True)
    assert [board.pbn for board in boards] == [
        "N:AKQJ.T98.5432.32 - 765.AKxx.xx.xxxx -",
        "N:- - KQ5.AJ6.KT87.Q92 -",
        "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765",
        "N:AK.Q.. - - -",
    ]
    assert [board.dealer for board in boards] == [2, 1, 3, 1] and boards[1].vulnerable == 1
    assert boards.comments == ["North holds four good spades. Plan the play.", "", "", ""]
    assert boards.skipped.reason.tolist() == ["board 3: no deal", "board 5: SA is held by north and east"]
    assert repr(boards[1:]) == "<PartialDeals: 3 boards of lesson.pbn>" and len(boards) == 4
    # Without partial, only the board whose fourth hand follows from the others is read.
    assert dk.read(lesson).deals.board.tolist() == [4]


def test_a_lesson_is_completed(lesson: Path):
    boards = dk.read(lesson, partial=True)
    deals = boards.complete(5, seed=7, given="hcp(west) >= 5")
    assert deals.board.tolist() == [1] * 5 + [2] * 5 + [4] + [6] * 5
    assert deals.dealer.tolist() == [2] * 5 + [1] * 5 + [3] + [1] * 5
    for row, board in enumerate(deals.board.tolist()):
        known = next(partial for partial in boards if partial.board == board)
        assert all(hand & cards == cards for hand, cards in zip(deals[row].hands, known.hands, strict=True))
    unknown = [row for row, board in enumerate(deals.board.tolist()) if board != 4]
    assert (deals[unknown].eval("hcp(west)") >= 5).all()
    assert boards.complete(5, seed=7, given="hcp(west) >= 5").equals(deals)


def test_a_lesson_is_written_and_read_again(lesson: Path, tmp_path: Path):
    boards = dk.read(lesson, partial=True)
    boards.write("again.pbn")
    again = dk.read("again.pbn", partial=True)
    assert list(again) == list(boards) and again.comments == boards.comments and again.skipped.empty
    with pytest.raises(dk.ArgumentError, match="written as PBN"):
        boards.write("again.lin")


def test_only_pbn_has_partial_deals(tmp_path: Path):
    dk.deal(1, seed=1).write(tmp_path / "a.lin")
    with pytest.raises(dk.ArgumentError, match="partial is for all boards of PBN files; this is lin"):
        dk.read(tmp_path / "a.lin", partial=True)
