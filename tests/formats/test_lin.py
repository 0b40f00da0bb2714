"""LIN: what files of Bridge Base Online and others hold, and what is written.

Expected values: the example of the description of LIN, the same boards in the notation of PBN, endplay.
"""

from __future__ import annotations

import codecs
import time
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit import Library
from dealerkit.formats.content import Records
from dealerkit.formats.lin import parse_deal, parse_lin, recognise_lin

# Board 2, dealer east, with west's hand A87.. rotated: the same deal as text of PBN and as line of LIN.
PBN = "E:A.KJT.9654.AQ876 9743.74.QJ32.J95 J865.AQ92.KT8.T4 KQT2.8653.A7.K32"
LINE = (
    "qx|o2|pn|South,West,North,East|st||md|4S3479H47D23JQC59J,S568JH29QAD8TKC4T,S2TQKH3568D7AC23K,|rh||"
    "ah|Board 2|sv|n|pg||"
)
SOUTH, WEST, NORTH, EAST = "S3479H47D23JQC59J", "S568JH29QAD8TKC4T", "S2TQKH3568D7AC23K", "SAHTJKD4569C678QA"
OTHER = "md|1SAKQJHAKQJDAKQJCA,ST987HT987DT98CT9,S6543H6543D765C87,|"


def read(tmp_path: Path, text: str | bytes, name: str = "boards.lin") -> Library:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return dk.read(path)


def deal_of(text: str) -> list[int]:
    return dk.Deals.from_pbn([text]).hands[0].tolist()


def test_the_example(tmp_path: Path):
    library = read(tmp_path, LINE)
    assert library.deals.to_pbn() == dk.Deals.from_pbn([PBN]).to_pbn()
    row = library.frame.iloc[0]
    assert (row["board"], row["dealer"], row["vulnerable"]) == (2, "east", "ns")
    assert [row[seat] for seat in ("north", "east", "south", "west")] == ["North", "East", "South", "West"]
    assert not len(library.skipped)


@pytest.mark.parametrize(
    "hands",
    [
        f"{SOUTH},{WEST},{NORTH},",  # as BBO writes
        f"{SOUTH},{WEST},{NORTH}",
        f"{SOUTH},{WEST},{NORTH},{EAST}",
        f"{SOUTH},{WEST},,{EAST}",  # another hand is left out
        f"{SOUTH.lower()}, {WEST.lower()} ,{NORTH},",
        "S9743H74DQJ32CJ95,SJ865HAQ92DKT8CT4,SKQT2H8653DA7CK32,",  # ranks fall
        "D2QJ3C95JS4379H74,S568JH29QAD8TKC4T,S2TQKH3568D7AC23K,",  # any order
        "S3479H47D23JQC59J,S568JH29QAD810KC410,S210QKH3568D7AC23K,",  # 10
    ],
)
@pytest.mark.parametrize("digit", "1234")
def test_spellings_of_a_deal(hands: str, digit: str):
    dealer, four = parse_deal(digit + hands)
    assert four == deal_of(PBN)
    assert "SWNE"[int(digit) - 1] == "NESW"[dealer]


def test_voids():
    pbn = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    ranks = "23456789TJQKA"
    for hands in (f"D{ranks},C{ranks},S{ranks},H{ranks}", f"SHD{ranks}C,SHDC{ranks},S{ranks}HDC,"):
        assert parse_deal("3" + hands) == (0, deal_of(pbn))


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("0", "no deal"),
        ("", "no deal"),
        ("3", "no deal"),
        (f"3{SOUTH},{WEST},,", "the hands of north and east are unknown"),
        (f"3{SOUTH},{SOUTH},{NORTH},", "S9 is held by south and west"),
        (f"3{SOUTH}K,{WEST},{NORTH},{EAST}", "CK is held by north and south"),
        ("3S33,,,", "S3 is twice in the hand of south"),
        ("3S3x,,,", "unknown card SX in the hand of south"),
        ("3A.KJT.9654.AQ876,,,", "does not begin with a suit"),
        (f"3{SOUTH},{WEST},{NORTH},{EAST},{EAST}", "5 hands"),
        (f"3{SOUTH[:-1]},{WEST},{NORTH},", "south has 12"),
    ],
)
def test_bad_deals_become_rows(value: str, reason: str, tmp_path: Path):
    library = read(tmp_path, f"qx|o1|md|{value}|sv|o|\nqx|o2|{OTHER}\n")
    assert library.frame.board.tolist() == [2]
    assert library.skipped.line.tolist() == [1]
    assert reason in library.skipped.reason[0]


@pytest.mark.parametrize(
    ("text", "number"),
    [("o", 0), ("0", 0), ("O", 0), ("N", 1), ("n", 1), ("e", 2), ("B", 3), ("", -1), ("?", -1)],
)
def test_vulnerability(text: str, number: int, tmp_path: Path):
    library = read(tmp_path, f"{OTHER}sv|{text}|qx|o2|{OTHER}sv|b|")
    assert library.deals.vulnerable.tolist() == [number, 3]


def test_boards_in_one_line_and_over_many(tmp_path: Path):
    board = "st||md|{digit}" + f"{SOUTH},{WEST},{NORTH},|sv|o|ah|Board {{number}}|mb|p|mb|p|mb|p|mb|p|pg||"
    lines = [board.format(digit=1 + number % 4, number=number + 1) for number in range(5)]
    for text in (
        "".join(lines),
        "\n".join(lines),
        "\r\n".join(lines),
        "\n".join(lines).replace("|md", "|\nMD"),
    ):
        library = read(tmp_path, text)
        assert library.frame.board.tolist() == [1, 2, 3, 4, 5]
        assert library.deals.dealer.tolist() == [2, 3, 0, 1, 2]
        assert set(library.frame.contract) == {"Pass"} and library.frame.declarer.isna().all()
    named = "".join(f"pn|a{n},b{n},c{n},d{n}|{line}" for n, line in enumerate(lines))
    assert read(tmp_path, named).frame.south.tolist() == ["a0", "a1", "a2", "a3", "a4"]


def test_players_of_both_rooms_and_the_heading(tmp_path: Path):
    text = (
        "% written by a program\n"
        "vg|Final,Segment 2,I,5,6,Reds,10,Blues,7|\nrs|4SN+1,4SN=,PASS,3NWx-2|\n"
        "pn|s1,w1,n1,e1,s2,w2,n2,e2|pg||\n"
        f"qx|o5|{OTHER}sv|n|pg||\nqx|c5|{OTHER}sv|n|pg||\n"
        f"qx|o6,text|{OTHER}sv|e|pg||\nqx|c6|{OTHER}sv|e|pg||\n"
    )
    frame = read(tmp_path, text).frame
    assert frame.board.tolist() == [5, 5, 6, 6]
    assert frame.south.tolist() == ["s1", "s2"] * 2 and frame.east.tolist() == ["e1", "e2"] * 2
    assert frame.contract.tolist() == ["4S", "4S", "Pass", "3NTX"]
    assert frame.declarer.tolist() == ["N", "N", pd.NA, "W"] and frame.result.tolist() == [11, 10, pd.NA, 7]
    assert frame.result_text.tolist() == ["11", "10", "", "7"]
    heading = [
        ["Event", "Final"], ["Stage", "Segment 2"], ["Scoring", "IMP"], ["HomeTeam", "Reds"],
        ["VisitTeam", "Blues"],
    ]  # fmt: skip
    assert frame.tags.tolist() == [heading, [["Room", "Closed"], *heading]] * 2


def test_the_closed_room_without_its_deal(tmp_path: Path):
    library = read(tmp_path, f"qx|o5|{OTHER}sv|n|pg||\nqx|c5|mb|p|mb|p|mb|p|mb|p|pg||\nqx|o6|nt|no cards|\n")
    assert library.frame.board.tolist() == [5, 5]
    assert library.deals[0] == library.deals[1]
    assert library.skipped.values.tolist() == [["boards.lin", 3, "no deal"]]


def test_auction_with_alerts(tmp_path: Path):
    text = f"{OTHER}mb|1c!|an|strong, any|mb|P|mb|!1D|mb|d|mb|R|mb|1N|mb|p|mb|3n|an|to play|mb|ppp|"
    row = read(tmp_path, text).frame.iloc[0]
    assert row.auction == "1C=1= Pass 1D=2= X XX 1NT Pass 3NT=3= Pass Pass Pass"
    assert row.auction_notes.split("\n") == ["1:Alert: strong, any", "2:Alert", "3:to play"]
    assert (row.contract, row.declarer) == ("3NT", "W")  # south deals; west bids notrump first


@pytest.mark.parametrize(
    ("calls", "contract", "declarer"),
    [
        ("1S p 2S p p p", "2S", "S"),
        ("p 1S p 2S d r p p p", "2SXX", "W"),
        ("1H p 1S p 4S d p p p", "4SX", "N"),
        ("1S", "", ""),  # the auction goes on
        ("1S ? p p p", "", ""),
        ("p p p", "", ""),
        ("p p p p", "Pass", ""),
        ("1S ap", "1S", "S"),
    ],
)
def test_contracts(calls: str, contract: str, declarer: str, tmp_path: Path):
    row = read(tmp_path, f"{OTHER}mb|" + "|mb|".join(calls.split()) + "|").frame.iloc[0]
    assert row.get("contract", "") == contract
    assert "declarer" not in row or (pd.isna(row.declarer) if not declarer else row.declarer == declarer)


def test_claims_and_play(tmp_path: Path):
    start = f"{OTHER}mb|7N|mb|p|mb|p|mb|p|"
    frame = read(tmp_path, f"qx|o1|{start}pc|h7|pc|H3|pc|h2|pc|HA|pg||mc|13|qx|o2|{start}pc|H7|").frame
    assert frame.play.tolist() == ["H7 H3 H2 HA", "H7"]
    assert frame.lead.tolist() == ["H7", "H7"]
    assert frame.result.tolist() == [13, pd.NA]
    assert frame.declarer.tolist() == ["S", "S"]


def test_a_whole_play_is_counted(tmp_path: Path):
    """North ruffs the first lead and plays the rest of the trumps."""
    hands = dk.Deals.from_pbn(["N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"])
    ranks = "AKQJT98765432"
    text = "md|3DAKQJT98765432,CAKQJT98765432,SAKQJT98765432,|mb|7S|mb|p|mb|p|mb|p|pc|HA|pc|DA|pc|CA|pc|SA|"
    for n in range(1, 13):
        text += f"pc|S{ranks[n]}|pc|H{ranks[n]}|pc|D{ranks[n]}|pc|C{ranks[n]}|"
    library = read(tmp_path, text)
    row = library.frame.iloc[0]
    assert library.deals.equals(hands.replace(dealer=[0]))
    assert (row.contract, row.declarer, row.result) == ("7S", "N", 13)
    notrump = text.replace("7S", "7N")
    row = read(tmp_path, notrump).frame.iloc[0]
    assert pd.isna(row.result)  # north did not win that trick: not a play of notrump


def test_comments_and_bars_in_text(tmp_path: Path):
    row = read(tmp_path, f"{OTHER}nt|a bad | bar|mb|1S|nt|@S is trump|mb|p|mb|p|mb|p|").frame.iloc[0]
    assert row.comment == "a bad\n@S is trump"
    assert row.contract == "1S"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le"])
def test_characters(encoding: str, tmp_path: Path):
    text = f"pn|Fjällström,Müller,,Ægir|{OTHER}"
    frame = read(tmp_path, text.encode(encoding), "names.txt").frame
    assert frame.south[0] == "Fjällström" and frame.east[0] == "Ægir"
    assert recognise_lin(codecs.BOM_UTF8 + text.encode())


def test_addresses_of_the_viewer(tmp_path: Path):
    address = "https://www.bridgebase.com/tools/handviewer.html?bbo=y&lin="
    text = "\n".join(address + quote(LINE.replace("o2", f"o{n}")) + "&x=1" for n in (1, 2))
    library = read(tmp_path, text, "links.txt")
    assert len(library) == 2 and library.deals.to_pbn() == dk.Deals.from_pbn([PBN] * 2).to_pbn()
    assert len(read(tmp_path, quote(LINE), "quoted.lin")) == 1


def test_line_ends_after_a_tag(tmp_path: Path):
    library = read(tmp_path, f"qx|o1|{OTHER}sv|o|pg|\nqx|o2|{OTHER}sv|n|pg|\n")
    assert library.frame.board.tolist() == [1, 2]


def test_files_that_are_not_lin(tmp_path: Path):
    with pytest.raises(dk.DealerkitError, match="not LIN"):
        read(tmp_path, "nothing of the kind")
    with pytest.raises(dk.DealerkitError, match="empty"):
        read(tmp_path, "")


def make_boards(rng: np.random.Generator, n_boards: int = 40) -> Library:
    """Return random deals with names, auctions, claims and comments."""
    deals = dk.deal(n_boards, seed=int(rng.integers(1 << 30)))
    auctions = [
        ("1NT=1= Pass 3NT Pass Pass Pass", "1:15-17"),
        ("Pass Pass Pass Pass", ""),
        ("1C=1= X XX 2H=2= X=3= Pass Pass Pass", "1:Alert\n2:weak\n3:Alert: takeout"),
        ("", ""),
    ]
    texts: dict[str, list] = {
        name: [] for name in ("north", "south", "auction", "auction_notes", "result", "comment")
    }
    for number in range(n_boards):
        auction, notes = auctions[number % 4]
        texts["north"].append(f"Nörd {number}")
        texts["south"].append("")
        texts["auction"].append(auction)
        texts["result"].append(str(number % 14) if number % 2 == 0 else "")
        texts["comment"].append("first line\nsecond line" if number % 4 == 3 else "")
        texts["auction_notes"].append(notes)
    columns = {"board": np.arange(n_boards) + 5, "dealer": np.arange(n_boards) % 4}
    columns["vulnerable"] = rng.integers(-1, 4, n_boards)
    return Library(Records(deals.replace(**columns), texts))


def test_written_and_read_back(rng, tmp_path: Path):
    library = make_boards(rng)
    library.write(tmp_path / "out.lin")
    again = dk.read(tmp_path / "out.lin")
    assert again.deals.equals(library.deals)
    for name, texts in library.texts.items():
        assert again.texts[name] == texts, name
    again.write(tmp_path / "again.lin")
    assert (tmp_path / "again.lin").read_bytes() == (tmp_path / "out.lin").read_bytes()


def test_the_example_is_written(tmp_path: Path):
    read(tmp_path, LINE).write(tmp_path / "out.lin")
    assert (tmp_path / "out.lin").read_text("utf-8") == LINE + "\n"


def test_endplay_reads_what_is_written(rng, tmp_path: Path):
    lin = pytest.importorskip("endplay.parsers.lin")
    library = make_boards(rng)
    library.content.texts.pop("comment")  # endplay takes it for the explanation of a call
    library.write(tmp_path / "out.lin")
    with open(tmp_path / "out.lin", encoding="utf-8") as file:
        boards = lin.load(file)
    assert len(boards) == len(library)
    for number, (board, row) in enumerate(zip(boards, library.frame.itertuples(), strict=True)):
        assert deal_of(board.deal.to_pbn()) == library.deals.hands[number].tolist()
        assert board.board_num == row.board
        assert board.dealer.abbr == row.dealer[0].upper()
        if (vulnerable := library.deals.vulnerable[number]) >= 0:
            assert board.vul.to_lin() == "oneb"[vulnerable]
        assert board.info.north == row.north
        calls = [word.partition("=")[0] for word in row.auction.split()]
        assert len(board.auction) == len(calls)
        if calls and calls[0] != "Pass":
            assert board.contract.declarer.abbr == "NESW"[find_declarer(calls, library.deals.dealer[number])]
            assert board.auction[0].announcement in ("15-17", None)
            if row.result:
                assert board.contract.level + 6 + board.contract.result == int(row.result)


def find_declarer(calls: list[str], dealer: int) -> int:
    """Return declarer of the auctions above: the opener of 1NT, or the bidder of 2H."""
    return dealer if calls[0] == "1NT" else (dealer + 3) % 4


def test_results_without_an_auction_are_in_the_heading(tmp_path: Path):
    texts = {
        "contract": ["4S", "3NTX", "Pass", "1C", "6D", "2H"],
        "declarer": ["N", "W", "", "E", "S", "S"],
        "result": ["11", "7", "", "7", "", "8"],
        "auction": [""] * 5 + ["2H Pass Pass Pass"],
        "tags": [[["Room", "Closed"]] if n == 1 else [] for n in range(6)],
    }
    deals = dk.deal(6, seed=2).replace(board=[5, 5, 7, 8, 9, 10], dealer=[2] * 6, vulnerable=[0] * 6)
    Library(Records(deals, texts)).write(tmp_path / "out.lin")
    text = (tmp_path / "out.lin").read_text("utf-8")
    results = "4SN+1,3NWx-2,,,PASS,,1CE=,,,,2HS=,"
    assert text.startswith(f"vg|,,,5,10,,,,|rs|{results}|qx|o5|") and text.count("vg|") == 1
    again = dk.read(tmp_path / "out.lin")
    assert again.deals.equals(deals)
    expected = {name: texts[name][:4] + [""] + texts[name][5:] for name in ("contract", "declarer", "result")}
    assert {name: again.texts[name] for name in expected} == expected  # a contract alone has no place
    again.write(tmp_path / "again.lin")
    assert (tmp_path / "again.lin").read_text("utf-8") == text
    Library(Records(deals.replace(board=[5] * 6), texts)).write(tmp_path / "out.lin")
    assert "vg|" not in (tmp_path / "out.lin").read_text("utf-8")  # results could not be distinguished
    lin = pytest.importorskip("endplay.parsers.lin")
    assert [deal_of(board.deal.to_pbn()) for board in lin.loads(text)] == deals.hands.tolist()


def test_endplay_reads_a_whole_play(tmp_path: Path):
    lin = pytest.importorskip("endplay.parsers.lin")
    endplay_config = pytest.importorskip("endplay.config")
    ranks = "AKQJT98765432"
    play = " ".join(f"S{rank} H{rank} D{rank} C{rank}" for rank in ranks).split()
    play[:4] = ["HA", "DA", "CA", "SA"]
    deals = dk.Deals.from_pbn(["N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"])
    texts = {"auction": ["7S Pass Pass Pass"], "play": [" ".join(play)], "result": ["13"]}
    Library(Records(deals.replace(dealer=[0], board=[1]), texts)).write(tmp_path / "out.lin")
    text = (tmp_path / "out.lin").read_text("utf-8")
    assert "mc|" not in text  # the cards say it
    (board,) = lin.loads(text)
    with endplay_config.suppress_unicode():
        assert [str(card) for card in board.play] == play
    assert (board.contract.declarer.abbr, board.contract.level) == ("N", 7)  # its count of tricks is wrong
    assert dk.read(tmp_path / "out.lin").frame.play[0].split() == play


def test_deals_without_numbers_are_numbered(tmp_path: Path):
    dk.deal(20, seed=1).write(tmp_path / "out.lin")
    deals = dk.read(tmp_path / "out.lin").deals
    assert deals.board.tolist() == list(range(1, 21))
    assert deals.dealer.tolist() == [0, 1, 2, 3] * 5
    assert deals.vulnerable[:16].tolist() == [0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2]


def test_text_cannot_break_a_line(tmp_path: Path):
    texts = {
        "north": ["a|b,c\nd"],
        "comment": ["x|mb|7N|\u2028y\ud800"],
        "auction": ["1C =1= hm"],
        "auction_notes": ["1:a|b!"],
        "play": ["nonsense"],
        "result": ["99"],
    }
    Library(Records(dk.deal(1, seed=1), texts)).write(tmp_path / "out.lin")
    library = dk.read(tmp_path / "out.lin")
    assert (tmp_path / "out.lin").read_text("utf-8").count("\n") == 1
    row = library.frame.iloc[0]
    assert row.north == "a b c d" and row.auction == "1C=1=" and row.auction_notes == "1:a b!"


def test_a_missing_deal_is_refused(tmp_path: Path):
    with pytest.raises(dk.DealerkitError, match="deal 0"):
        dk.Deals(np.full((1, 4), 2**64 - 1, np.uint64), check=False).write(tmp_path / "out.lin")
    assert not (tmp_path / "out.lin").exists()


def test_lines_of_skipped_boards():
    _, skipped = parse_lin(f"% a\n\n% b\nqx|o1|{OTHER}\nqx|o2|\nsv|o|md|\n|\nqx|o3|md|0|")
    assert [line for line, _ in skipped] == [6, 8]


def test_sets_one_after_another(tmp_path: Path):
    """Heading, results and players are those of the set of a board."""
    sets = [
        f"vg|{name},,P,1,1,,,,|rs|{result},|pn|{name}s,w,n,e|pg||\nqx|o1|{OTHER}sv|n|pg||\n"
        for name, result in (("first", "1NN="), ("second", "2HE-1"))
    ]
    frame = read(tmp_path, "".join(sets)).frame
    assert frame.south.tolist() == ["firsts", "seconds"]
    assert (frame.contract + frame.declarer + frame.result_text).tolist() == ["1NTN7", "2HE7"]
    assert frame.tags.tolist() == [[["Event", name], ["Scoring", "MP"]] for name in ("first", "second")]


def test_players_of_single_boards_are_their_own(tmp_path: Path):
    frame = read(tmp_path, f"pn|a,b,c,d|st||{OTHER}\nst||{OTHER}").frame
    assert frame.south.tolist() == ["a", ""]


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "text", ["mb|" + "p" * 300_000 + "|", "%\n" * 300_000, "mb|p|" * 100_000, "nt||" * 100_000]
)
def test_long_files_take_no_more_than_their_length(text: str, tmp_path: Path):
    start = time.process_time()
    (tmp_path / "long.lin").write_text(f"{text}{OTHER}")
    assert len(dk.read(tmp_path / "long.lin", format="lin")) == 1
    assert time.process_time() - start < 5


def test_players_after_the_deal_and_calls_of_a_quiz(tmp_path: Path):
    text = f"{OTHER}pn|a,b,c,d|sv|e|mb|1S|mb|-|mb|?|\npn|e,f,g,h|{OTHER}mb|p p p p|"
    frame = read(tmp_path, text).frame
    assert frame.south.tolist() == ["a", "e"] and frame.west.tolist() == ["b", "f"]
    assert frame.auction.tolist() == ["1S ?", "Pass Pass Pass Pass"]
    assert frame.contract.tolist() == ["", "Pass"]


def test_the_other_addresses_of_the_viewer_are_not_lin():
    address = (
        b"https://www.bridgebase.com/tools/handviewer.html?n=sakqj&d=n&v=b&a=1sppp&linurl=http://x/y.lin"
    )
    assert not recognise_lin(address)


def test_the_rooms_of_a_match_have_one_deal(tmp_path: Path):
    path = tmp_path / "match.lin"
    deal = "md|1SAKQJHAKQJDAKQJCA,HT98765432DT987,ST98765432CT987,|"
    rooms = [f"qx|{room}1|{deal}sv|o|mb|7NpppZ|".replace("Z", "") for room in "oc"]
    path.write_text("\n".join([*rooms, f"qx|o2|{deal}sv|o|", f"qx|o3|{deal}sv|b|"]))
    library = dk.read(path, distinct=True)
    assert len(dk.read(path)) == 4 and library.content.n_repeated == 2
    assert library.frame.board.tolist() == [1, 3] and library.frame.tags.tolist() == [[], []]
    assert library.texts["auction"] == ["7NT Pass Pass Pass", ""]


def test_an_auction_that_the_dealer_does_not_begin_is_not_shifted(tmp_path: Path):
    text = f'[Board "1"]\n[Dealer "W"]\n[Vulnerable "All"]\n[Deal "{PBN}"]\n[Auction "N"]\n1H Pass 4H AP\n'
    (tmp_path / "a.pbn").write_text(text)
    library = dk.read(tmp_path / "a.pbn")
    assert library.texts["auction"] == ["- 1H Pass 4H Pass Pass Pass"]
    library.write(tmp_path / "a.lin")
    back = dk.read(tmp_path / "a.lin")
    assert back.texts["auction"] == [""] and back.texts["declarer"] == [""]  # west did not bid hearts
    assert back.deals.equals(library.deals)
