"""PBN files that dealerkit writes, read by itself and by endplay."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import Deals
from dealerkit.formats.content import Records

DEAL = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"


def make_library() -> dk.Library:
    """Boards with everything, some values unknown."""
    sample = dk.solved_sample()[:6]
    tables = sample.tables.copy()
    tables[1], tables[2, 4, 0] = -1, -1
    deals = sample.replace(
        tables=tables, board=[1, 2, 300, -1, 5, 6], dealer=[0, 3, 2, 1, 2, -1], vulnerable=[0, 3, 2, 1, -1, 1]
    )
    cards = [f"{suit}{rank}" for suit, held in zip("SHDC", deals.to_pbn()[0][2:].split()[0].split("."), strict=True)
             for rank in held]  # fmt: skip
    texts = {
        "north": ['Ann "Q" \\', "", "Zoë", "", "", ""],
        "contract": ["3NTX", "Pass", "", "", "", ""],
        "declarer": ["W", "", "", "", "", ""],
        "result": ["9", "", "", "", "", ""],
        "lead": [cards[0], "", "", "", "", ""],
        "play": [cards[0] + "=1=", "", "", "", "", ""],
        "play_notes": ["1:fourth best", "", "", "", "", ""],
        "auction": ["1NT!=1= X Pass 3NT Pass Pass *", "Pass Pass Pass Pass", "- - 1C Pass", "", "", ""],
        "auction_notes": ["1:15-17\n2:b", "", "", "", "", ""],
        "comment": ["two\nlines, [Board \"9\"]\n\nand more", "a", "", "", "", ""],
        "tags": [
            [["Event", "Club"], ["Zeta", "1"], ["Alpha", 'a "b" \\S'], ["Alpha2", ""],
             ["ScoreTable", "Place;Score", '1 "a [b]"\n2 c']],
            [], [["OptimumScore", "EW 10"]], [["Board", "3-2"]], [["BCFlags", "1f"]], [],
        ],
    }  # fmt: skip
    return dk.Library(Records(deals, texts, name="all.pbn"))


def without_par(library: dk.Library) -> list:
    """Return the tags without those that the writer computes from the tricks."""
    return [[tag for tag in tags if tag[0] != "OptimumScore"] for tags in library.texts["tags"]]


def test_texts_of_other_formats_are_written_as_pbn(tmp_path):
    deals = Deals.from_pbn(DEAL).replace(dealer=[3])
    texts = {
        "auction": ["1n p 3n p p p"],
        "declarer": ["west"],
        "contract": ["3n"],
        "tags": [{"Room": "Open"}],
    }
    texts |= {"play": ["H8 HQ H5 H2"], "score": ["400"]}
    dk.Library(Records(deals, texts, name="a.lin")).write(tmp_path / "a.pbn")
    back = dk.read(tmp_path / "a.pbn").texts
    assert back["auction"] == ["1NT Pass 3NT Pass Pass Pass"] and back["declarer"] == ["W"]
    assert back["contract"] == ["3NT"] and back["play"] == texts["play"]
    assert back["tags"] == [[["Room", "Open"], ["score", "400"]]]


def test_notes_without_a_section_are_kept(read, tmp_path):
    library = read(
        f'[Deal "{DEAL}"]\n[Note "1:a"]\n[Room "1"]\n[Auction "N"]\nsome words\n[Note "2:b"]\n[Play "N"]\n?'
    )
    library.write(tmp_path / "again.pbn")
    assert [tag[0] for tag in library.texts["tags"][0]] == ["Note", "Room", "Auction", "Note", "Play"]
    assert dk.read(tmp_path / "again.pbn").texts == library.texts


def test_parquet_keeps_what_a_pbn_file_says(tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra parquet)")
    library = make_library()
    library.write(tmp_path / "all.parquet")
    assert dk.read(tmp_path / "all.parquet").texts == library.texts


def test_what_is_written_is_read_back(tmp_path):
    library = make_library()
    library.write(tmp_path / "first.pbn")
    back = dk.read(tmp_path / "first.pbn")
    assert back.skipped.empty
    assert (back.deals.hands == library.deals.hands).all() and (back.tables == library.tables).all()
    assert back.deals.board.tolist() == library.deals.board.tolist()
    assert back.deals.dealer.tolist() == [0, 3, 2, 1, 2, 1]  # of board 6, as the file does not say
    assert back.deals.vulnerable.tolist() == [0, 3, 2, 1, 1, 1]
    for name, values in library.texts.items():
        if name != "tags":
            assert back.texts[name] == values, name
    assert without_par(back) == without_par(library)
    assert back.texts["tags"][2] == [["OptimumScore", "EW 10"]]
    back.write(tmp_path / "second.pbn")
    dk.read(tmp_path / "second.pbn").write(tmp_path / "third.pbn")
    assert (tmp_path / "second.pbn").read_bytes() == (tmp_path / "third.pbn").read_bytes()
    back[[4, 0]].write(tmp_path / "some.pbn")
    assert without_par(dk.read(tmp_path / "some.pbn")) == without_par(back[[4, 0]])


def test_the_export_format(tmp_path):
    deals = dk.solved_sample()[:40]
    deals.write(tmp_path / "deals.pbn", event="Club evening")
    data = (tmp_path / "deals.pbn").read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n") and data.isascii()
    lines = data.decode().split("\r\n")
    assert lines[:2] == ["% PBN 2.1", "% EXPORT"]
    order = (
        "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring Declarer Contract Result "
        "DoubleDummyTricks OptimumScore OptimumResultTable"
    ).split()
    names = [line[1:].split()[0] for line in lines if line.startswith("[")]
    assert names == order * 40
    assert '[Event "Club evening"]' in lines
    for dealer, deal in zip(
        (line[9] for line in lines if line.startswith("[Dealer")),
        (line[7] for line in lines if line.startswith("[Deal ")),
        strict=True,
    ):
        assert dealer == deal


@pytest.mark.parametrize("columns", [{}, {"board": np.arange(17, 57)}, {"dealer": np.full(40, 2)}])
def test_deals_only(tmp_path, columns):
    deals = dk.deal(40, seed=3).replace(**columns)
    deals.write(tmp_path / "deals.pbn")
    back = dk.read(tmp_path / "deals.pbn")
    first = 17 if "board" in columns else 1
    assert (back.deals.hands == deals.hands).all() and back.texts == {}
    assert back.deals.board.tolist() == list(range(first, first + 40))
    assert back.deals.dealer.tolist() == ([2] * 40 if "dealer" in columns else [0, 1, 2, 3] * 10)
    assert back.deals.vulnerable[:4].tolist() == [0, 1, 2, 3]


def test_plain_and_other_files_give_the_same(tmp_path):
    deals = dk.deal(50, seed=4)
    deals.write(tmp_path / "plain.pbn")
    text = (tmp_path / "plain.pbn").read_bytes().replace(b'[Scoring ""]', b'[Scoring ""] ; a')
    (tmp_path / "other.pbn").write_bytes(text)
    plain, other = dk.read(tmp_path / "plain.pbn"), dk.read(tmp_path / "other.pbn")
    assert "comment" in other.texts and other.deals.equals(plain.deals)


def test_endplay_reads_what_is_written(tmp_path):
    pbn = pytest.importorskip("endplay.parsers.pbn", reason="endplay is not installed (extra test)")
    from endplay.types import Player

    library = make_library()[:3]
    library.write(tmp_path / "all.pbn")
    deals = dk.solved_sample()[10:20]
    deals.write(tmp_path / "plain.pbn")
    with open(tmp_path / "plain.pbn", encoding="utf-8") as file:
        boards = pbn.load(file)
    assert [board.deal.to_pbn(Player.north) for board in boards] == deals.to_pbn()
    assert [board.board_num for board in boards] == list(range(1, 11))
    assert [int(board.dealer) for board in boards] == [0, 1, 2, 3, 0, 1, 2, 3, 0, 1]
    assert [board.vul.to_lin() for board in boards] == list("onebneboeb")
    with open(tmp_path / "all.pbn", encoding="utf-8") as file:
        boards = pbn.load(file)
    assert [board.deal.to_pbn(Player.north) for board in boards] == library.deals.to_pbn()
    assert str(boards[0].contract)[:3] == "3NT" and boards[0].info.north.startswith("Ann")


def test_a_play_with_something_else_than_cards_is_not_written(tmp_path):
    deals = dk.deal(1, seed=1)
    rows = f"deal,contract,declarer,play\n{deals.to_pbn()[0]},4S,N,H\n"
    (tmp_path / "deals.csv").write_text(rows)
    dk.read(tmp_path / "deals.csv").write(tmp_path / "copy.pbn")
    assert "[Play" not in (tmp_path / "copy.pbn").read_text("utf-8")
    assert dk.read(tmp_path / "copy.pbn").deals.equals(deals.number_boards())


@pytest.mark.parametrize("auction", ["1NT Pass 3N{ Pass", "1NT [Deal 3NT", "1NT ; 3NT", "1NT\n% 3NT }"])
def test_auctions_that_cannot_be_read_hide_no_board(auction: str, tmp_path):
    deals = dk.deal(3, seed=1).number_boards()
    texts = {"auction": [auction, "1NT Pass Pass Pass", ""], "auction_notes": ["1:{a note", "", ""]}
    dk.Library(Records(deals, texts)).write(tmp_path / "a.pbn")
    again = dk.read(tmp_path / "a.pbn")
    assert again.deals.hands.tolist() == deals.hands.tolist()
    assert again.texts["auction"][1:] == ["1NT Pass Pass Pass", ""]
