"""A club evening: boards are dealt, written for other programs and read by endplay's parsers."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

import dealerkit as dk

pytest.importorskip("endplay")
from endplay.parsers import lin, pbn

GIVEN = "hcp(north) + hcp(south) >= 20 and fit(NS) >= 8"


def deal_command(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "dealerkit", *map(str, words)],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done


def list_boards(boards: list) -> list[tuple[int, str, str, str]]:
    """Number, dealer, vulnerability and deal of endplay's boards."""
    return [
        (int(board.board_num), board.dealer.name, board.vul.name, board.deal.to_pbn()) for board in boards
    ]


def test_a_club_evening(tmp_path: Path, command, monkeypatch: pytest.MonkeyPatch):
    words = ["deal", 24, "--given", GIVEN, "--first-board", 17, "-s", 1, "--event", "Club evening"]
    deal_command(tmp_path, *words, "-o", "club.pbn")  # a process of its own; the next steps in this one
    monkeypatch.chdir(tmp_path)
    assert command("convert", "club.pbn", "club.lin").stderr == "24 boards written to club.lin\n"
    done = command("filter", "club.pbn", "--given", "hcp(north) >= 13", "-o", "strong.pbn")
    kept = dk.read("club.pbn").where("hcp(north) >= 13")
    assert f"{len(kept)} of 24 deals" in done.stderr and 0 < len(kept) < 24

    deals = dk.deal(24, seed=1, given=GIVEN).number_boards(17)
    dealers, sides = ("north", "east", "south", "west"), ("none", "ns", "ew", "both")
    expected = [
        (17 + row, dealers[(16 + row) % 4], sides[(16 + row + (16 + row) // 4) % 4], text)
        for row, text in enumerate(deals.to_pbn())
    ]
    with open("club.pbn", encoding="utf-8") as file:
        assert list_boards(pbn.load(file)) == expected
    with open("club.lin", encoding="utf-8") as file:
        assert list_boards(lin.load(file)) == expected
    with open("strong.pbn", encoding="utf-8") as file:
        assert list_boards(pbn.load(file)) == [row for row in expected if row[3] in set(kept.deals.to_pbn())]


@pytest.mark.parametrize(("action", "parser"), [("printpbn", pbn), ("printlin", lin)])
def test_printed_boards_are_read_by_other_programs(command, action: str, parser):
    script = f"produce 4 startboard 9 condition {GIVEN} action {action}, average hcp(north)"
    printed = command("run", "-s", 1, text=script).stdout
    boards = list_boards(parser.load(io.StringIO(printed)))
    assert [board[:3] for board in boards] == [
        (9, "north", "ew"), (10, "east", "both"), (11, "south", "none"), (12, "west", "ns")
    ]  # fmt: skip
    assert [board[3] for board in boards] == dk.run(script, seed=1).deals.to_pbn()


def test_tricks_for_the_sheet_beside_a_file_without_them(
    tmp_path: Path, command, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    done = command(
        "deal", 2, "-s", 1, "-o", "club.dup", "--solve", "--sheet", "club.html", "--sheet-hands", "NESW"
    )
    assert done.returncode == 0 and done.stderr.endswith(
        "2 boards written to club.dup and club.html, seed 1\n"
    )
    assert Path("club.html").read_text(encoding="utf-8").count('class="ddt"') >= 2
    assert dk.read("club.dup").deals.hands.tolist() == dk.deal(2, seed=1).hands.tolist()
    done = command("deal", 2, "-s", 1, "-o", "other.dup", "--solve")
    assert done.returncode == 2 and "--solve: dup cannot store tables" in done.stderr


def test_an_event_is_the_heading_of_the_sheet_beside_a_file_without_it(
    tmp_path: Path, command, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    words = ("deal", 2, "-s", 1, "--event", "Thursday club", "--sheet", "club.html")
    for written in (("-o", "club.dup"), ("-o", "club.lin"), ("-o", "other.dup", "--format", "dup")):
        done = command(*words, *written)
        assert done.returncode == 0, done.stderr
        assert "Thursday club" in Path("club.html").read_text(encoding="utf-8")
        assert dk.read(written[1]).deals.hands.tolist() == dk.deal(2, seed=1).hands.tolist()
    assert command(*words, "-o", "club.pbn").returncode == 0
    assert '[Event "Thursday club"]' in Path("club.pbn").read_text(encoding="utf-8")
    # The file would lose the event if there were no sheet.
    done = command("deal", 2, "--event", "Thursday club", "-o", "lost.dup")
    assert done.returncode == 2 and "the format dup has no option 'event'" in done.stderr
    assert not Path("lost.dup").exists()
