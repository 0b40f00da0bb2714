"""Lessons: PBN files with unknown hands and cards, read, completed and written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.cards.text import format_hand
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
    # Board 6 has no Dealer: it is north, who begins the auction, and not the dealer of the number.
    assert [board.dealer for board in boards] == [2, 1, 3, 0] and boards[1].vulnerable == 1
    assert boards.comments == ["North holds four good spades. Plan the play.", "", "", ""]
    assert boards.skipped.reason.tolist() == ["board 3: no deal", "board 5: SA is held by north and east"]
    assert repr(boards[1:]) == "<PartialDeals: 3 boards of lesson.pbn>" and len(boards) == 4
    # Without partial, only the board whose fourth hand follows from the others is read.
    assert dk.read(lesson).deals.board.tolist() == [4]


def test_a_lesson_is_completed(lesson: Path):
    boards = dk.read(lesson, partial=True)
    deals = boards.complete(5, seed=7, given="hcp(west) >= 5")
    assert deals.board.tolist() == [1] * 5 + [2] * 5 + [4] + [6] * 5
    assert deals.dealer.tolist() == [2] * 5 + [1] * 5 + [3] + [0] * 5
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
    with pytest.raises(dk.ArgumentError, match="written as PBN, LIN or CSV"):
        boards.write("again.dup")


def test_a_deal_may_end_after_the_known_hands(tmp_path: Path):
    path = tmp_path / "short.pbn"
    deals = [
        "S:AK32.Q32.J32.432",
        "W:AK32.Q32.J32.432 QJT.AKJ.AKQ.AKQJ",
        "AK32.Q32.J32.432",
        "N:AK32.Q32.J32 - -",
    ]
    path.write_text(
        "".join(f'[Board "{n}"]\n[Deal "{deal}"]\n\n' for n, deal in enumerate(deals, 1)), "utf-8"
    )
    with pytest.warns(
        dk.SkippedWarning, match="2 of 4 boards skipped: line 8: board 3: bad deal: .* is not four hands"
    ):
        boards = dk.read(path, partial=True)
    assert [board.pbn for board in boards] == [
        "N:- - AK32.Q32.J32.432 -", "N:QJT.AKJ.AKQ.AKQJ - - AK32.Q32.J32.432",
    ]  # fmt: skip


def test_lin_has_unknown_hands(lesson: Path, tmp_path: Path):
    boards = dk.read(lesson, partial=True)
    # A small card without a name has no place in LIN.
    with pytest.raises(dk.ArgumentError, match="board 1 has small cards without a name"):
        boards.write("again.lin")
    assert not Path("again.lin").exists()
    boards[1:].write("again.lin")
    lines = Path("again.lin").read_text(encoding="utf-8").splitlines()
    # Of south, west, north and east east is dealer 4, north 3; the hands are in this order, unknown ones empty.
    assert lines[0].partition("|rh|")[0] == "qx|o2|pn|,,,|st||md|4S5QKH6JAD78TKC29Q,,,"
    assert lines[2].partition("|rh|")[0].endswith("md|3,,SKAHQDC,")
    again = dk.read("again.lin", partial=True)
    assert list(again) == list(boards[1:]) and again.comments == boards.comments[1:]


def test_an_address_of_the_viewer_with_two_hands_is_read(tmp_path: Path):
    path = tmp_path / "problem.txt"
    deal = "3SAKQJHT98D5432C32,,S765HAK32D76C7654,"
    path.write_text(
        f"https://www.bridgebase.com/tools/handviewer.html?lin=ah%7CBoard+9%7Cmd%7C{deal}%7Csv%7Cn%7C"
    )
    (board,) = dk.read(path, "lin", partial=True)
    assert board.pbn == "N:765.AK32.76.7654 - AKQJ.T98.5432.32 -"
    assert (board.board, board.dealer, board.vulnerable) == (9, 0, 1)


def test_faults_of_partial_lin_are_named(tmp_path: Path):
    path = tmp_path / "a.lin"
    path.write_text(
        "ah|Board 1|md|1,,,|\nah|Board 2|md|1SAA,,,|\nah|Board 3|md|1SA,SA,,|\nah|Board 4|md|1SA,,,|\n"
    )
    with pytest.warns(dk.SkippedWarning, match="a.lin: 3 of 4 boards skipped: line 1: board 1: no deal"):
        boards = dk.read(path, partial=True)
    assert [board.pbn for board in boards] == ["N:- - A... -"]
    assert boards.skipped.line.tolist() == [1, 2, 3]
    assert boards.skipped.reason.tolist()[1:] == [
        "board 2: SA is twice in the hand of south", "board 3: SA is held by south and west",
    ]  # fmt: skip


def test_only_pbn_and_lin_have_partial_deals(tmp_path: Path):
    dk.deal(1, seed=1).write(tmp_path / "a.dup")
    with pytest.raises(
        dk.ArgumentError,
        match="partial=True can read files of the formats pbn, lin, csv and handviewer, but this is dup",
    ):
        dk.read(tmp_path / "a.dup", partial=True)
    with pytest.raises(dk.ArgumentError, match="leave distinct out"):
        dk.read(tmp_path / "a.dup", partial=True, distinct=True)


# A problem of play with auction, contract, lead from an unknown hand, explained call and comment; one of bidding.
PROBLEMS = """\
[Board "1"]
[Dealer "S"]
[Vulnerable "All"]
[Deal "N:AKQJ.T98.5432.32 - 7654.A32.KQ.8765 -"]
[Contract "4S"]
[Declarer "N"]
{North holds four good spades.
Plan the play.}
[Auction "S"]
Pass Pass 1S =1= Pass
2S Pass 4S AP
[Note "1:11 to 15, five spades"]
[Play "E"]
HK - - -
*

[Board "2"]
[Dealer "N"]
[Deal "N:- - KQ5.AJ6.KT87.Q92 -"]
[Auction "N"]
1H Pass
"""


@pytest.mark.parametrize("end", ["pbn", "lin", "csv"])
def test_what_a_file_says_about_a_problem_is_kept(tmp_path: Path, end: str):
    path = tmp_path / "problems.pbn"
    path.write_text(PROBLEMS, encoding="utf-8")
    boards = dk.read(path, partial=True)
    expected = {
        "auction": ["Pass Pass 1S=1= Pass 2S Pass 4S Pass Pass Pass", "1H Pass"],
        "auction_notes": ["1:11 to 15, five spades", ""],
        "contract": ["4S", ""],
        "declarer": ["N", ""],
        "comment": ["North holds four good spades.\nPlan the play.", ""],
        "lead": ["HK", ""],  # of a hand that is unknown
        "play": ["HK", ""],
    }
    assert boards.texts == expected
    boards.write(tmp_path / f"again.{end}")
    again = dk.read(tmp_path / f"again.{end}", partial=True)
    assert list(again) == list(boards) and {name: again.texts.get(name) for name in expected} == expected
    # Two files one after the other; the first board of both.
    both = dk.PartialDeals.concatenate([boards[:1], again[:1]])
    assert list(both) == [boards[0]] * 2 and both.comments == [expected["comment"][0]] * 2
    with pytest.raises(dk.ArgumentError, match=r"texts\['comment'\] has 2 values for 1 board"):
        dk.PartialDeals(boards[:1], {"comment": ["a", "b"]})


def test_addresses_with_a_parameter_for_each_hand_are_read(tmp_path: Path):
    path = tmp_path / "page.html"
    viewer = "https://www.bridgebase.com/tools/handviewer.html"
    path.write_text(
        f"<html><a href='{viewer}?n=sakqjht98d5432c32&amp;s=s765hak32d76c7654&amp;d=s&amp;v=b&amp;b=3&amp;a=1s?'>1</a>"
        f"<a href='{viewer}?n=sa&amp;s=sa'>2</a> <a href='{viewer}?myhand=12'>3</a></html>"
    )
    with pytest.warns(dk.SkippedWarning, match=r"page.html: 2 of 3 boards skipped: line 1: SA is held by"):
        boards = dk.read(path, partial=True)
    assert [board.pbn for board in boards] == ["N:AKQJ.T98.5432.32 - 765.AK32.76.7654 -"]
    assert (boards[0].dealer, boards[0].vulnerable, boards[0].board) == (2, 3, 3)
    assert boards.texts["auction"] == ["1S"] and "export it there as LIN" in boards.skipped.reason[1]
    # The address of the card of a notebook leads to the same hands, without the unknown ones.
    link = tmp_path / "link.txt"
    link.write_text(boards[0]._repr_html_())
    assert list(dk.read(link, "handviewer", partial=True)) == list(boards)


def make_random_deal(
    hands: list[int], number: int, rng: np.random.Generator, has_small: bool
) -> dk.PartialDeal:
    """Return a deal without some hands and some cards, perhaps with suits of which the small cards are x."""
    known = [hand if rng.integers(3) else 0 for hand in hands] if rng.integers(2) else list(hands)
    removed = int(rng.integers(0, 1 << 63)) if rng.integers(2) else 0
    known = [hand & ~removed for hand in known]
    if not any(known):
        known[0] = hands[0]
    details = (int(rng.integers(4)), int(rng.integers(4)), number)
    if not has_small:
        return dk.PartialDeal(known, *details)
    texts = [format_hand(hand) if hand else "-" for hand in known]
    seat = int(rng.integers(4))
    if len(texts[seat]) > 1:
        suits = texts[seat].split(".")
        suits[0] = suits[0].translate(str.maketrans("98765432", "xxxxxxxx"))
        texts[seat] = ".".join(suits)
    return dk.PartialDeal(f"N:{' '.join(texts)}", *details)


@pytest.mark.parametrize("end", ["pbn", "lin", "csv"])
def test_random_partial_deals_are_kept(end: str, rng: np.random.Generator, tmp_path: Path):
    deals = [
        make_random_deal(hands, number, rng, end != "lin")
        for number, hands in enumerate(dk.deal(1000, seed=6).hands.tolist(), 1)
    ]
    assert end == "lin" or sum(any(map(any, deal.small)) for deal in deals) > 200
    assert len({tuple(map(deal.count_known, range(4))) for deal in deals}) > 100
    boards = dk.PartialDeals(deals, {"comment": [f"Problem {deal.board}" for deal in deals]})
    boards.write(tmp_path / f"many.{end}")
    again = dk.read(tmp_path / f"many.{end}", partial=True)
    assert list(again) == deals and again.comments == boards.comments and again.skipped.empty


def test_a_table_with_the_hands_of_partners(tmp_path: Path):
    path = tmp_path / "pairs.csv"
    path.write_text(
        "Board;Dealer;North;South;comment\n"
        "1;south;AKQJ.T98.5432.32;765.AKxx.xx.xxxx;Bid the hands\n"
        ";;K Q 5 . A J 6 . K T 8 7 . Q 9 2;;\n"
        ";;;;\n"
        "3;;AA...;;\n",
        encoding="utf-8",
    )
    with pytest.warns(
        dk.SkippedWarning, match="pairs.csv: 1 of 3 boards skipped: line 5: board 3: 'AA...' has SA"
    ):
        boards = dk.read(path, partial=True)
    assert [board.pbn for board in boards] == [
        "N:AKQJ.T98.5432.32 - 765.AKxx.xx.xxxx -", "N:KQ5.AJ6.KT87.Q92 - - -",
    ]  # fmt: skip
    assert boards[0].board == 1 and boards[0].dealer == 2 and boards[1].dealer is None
    assert boards.comments == ["Bid the hands", ""]
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(dk.FileError, match="pairs.csv: there is neither a column 'deal' nor one of north"):
        dk.read(path, "csv", partial=True)


def test_endplay_reads_what_is_written(rng: np.random.Generator, tmp_path: Path):
    pbn = pytest.importorskip("endplay.parsers.pbn")
    deals = [
        make_random_deal(hands, number, rng, has_small=False)
        for number, hands in enumerate(dk.deal(100, seed=8).hands.tolist(), 1)
    ]
    dk.PartialDeals(deals).write(tmp_path / "lesson.pbn")
    with open(tmp_path / "lesson.pbn", encoding="utf-8") as file:
        boards = pbn.load(file)
    found = [
        (board.board_num, int(board.dealer), dk.PartialDeal(board.deal.to_pbn()).hands) for board in boards
    ]
    assert found == [(deal.board, deal.dealer, deal.hands) for deal in deals]
