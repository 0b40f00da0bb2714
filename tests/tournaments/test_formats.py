"""The same invented event in each format, with points worked out by hand (`events.py`)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from tests.support import events

FORMATS = {
    "event.pbn": events.make_pbn,
    "event.csv": events.make_csv,
    "event.xml": events.make_usebio,
}


def write(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.fixture(params=FORMATS)
def event(request: pytest.FixtureRequest, tmp_path: Path) -> dk.TournamentResults:
    return dk.results(write(tmp_path, request.param, FORMATS[request.param]()))


def test_points_are_those_worked_out_by_hand(event: dk.TournamentResults) -> None:
    rows = events.split_rows()
    frame = event.results
    assert len(frame) == 14 and len(event.boards) == 2 and len(event.pairs) == 14
    assert frame.mp_ns.tolist() == [float(row["mp_ns"]) for row in rows]
    assert frame.mp_ew.tolist() == [float(row["mp_ew"]) for row in rows]
    assert not len(event.compare_official().frame)


def test_columns_of_results(event: dk.TournamentResults) -> None:
    frame = event.results
    assert frame.score_ns[:7].tolist()[:6] == [450, 420, 420, 400, -50, -100]
    assert np.isnan(frame.score_ns[6]) and (frame.score_ew[:6] == -frame.score_ns[:6]).all()
    assert (
        frame.kind.tolist() == ["played"] * 6 + ["artificial"] + ["played"] * 3 + ["passed"] + ["played"] * 3
    )
    assert frame.award_ns[6] == np.float32(0.6) and frame.award_ew[6] == np.float32(0.4)
    assert frame.lead.dropna().tolist() == ["C6", "S5", "DT"]
    passed = frame.iloc[10]
    assert (passed.level, passed.score_ns) == (0, 0) and passed[["declarer", "tricks"]].isna().all()
    doubled = frame.iloc[5]
    assert (doubled.level, doubled.strain, doubled.doubled, doubled.declarer, doubled.tricks) == (
        4,
        "H",
        1,
        "N",
        9,
    )
    assert str(event.boards.deal.iloc[0]) == events.DEAL_1
    assert event.boards.vulnerable.tolist() == ["none", "ns"]
    assert not len(event.remarks)


def test_two_winners(event: dk.TournamentResults) -> None:
    pairs = event.pairs.set_index("id")
    assert event.winners == 2
    assert pairs.loc["1", ["total", "rank"]].tolist() == [pytest.approx(23.8), 1]
    assert pairs.loc["13", ["total", "rank"]].tolist() == [pytest.approx(20.8), 1]
    assert pairs.loc["1", "percent"] == pytest.approx(100 * 23.8 / 24)


def test_dtypes(event: dk.TournamentResults) -> None:
    dtypes = event.results.dtypes.astype(str)
    assert dtypes[["board", "deal_id", "field", "session_id"]].tolist() == ["int32"] * 4
    assert dtypes[["round", "level", "doubled", "tricks"]].tolist() == ["Int16", "Int8", "Int8", "Int8"]
    assert dtypes[["score_ns", "award_ns"]].tolist() == ["float32"] * 2
    assert dtypes[["mp_ns", "imp_ew", "share_ns", "official_mp_ns"]].tolist() == ["float64"] * 4
    assert set(dtypes[["ns", "ew", "north", "lead", "table"]]) == {"string"}
    assert set(dtypes[["event", "section", "room", "strain", "declarer", "kind"]]) == {"category"}


def test_reports(event: dk.TournamentResults) -> None:
    traveller = event.traveller(1)
    assert traveller.frame.ns.tolist() == ["1", "2", "3", "4", "5", "6", "7"]
    assert "4HxN-1" in traveller.text and "60/40 %" in traveller.text
    recap = event.recap(8)
    assert recap.frame[["board", "side", "opponents", "mp"]].values.tolist() == [
        [1, "EW", "1", 0.2],
        [2, "EW", "7", 12.0],
    ]
    assert event.frequencies(2).frame.n.tolist() == [1, 1, 1, 1, 2, 1]
    assert event.swings().frame.imps.tolist() == [17, 11]  # 1550 and 550 points
    assert event.ranking().frame["rank"].tolist() == [1, 2, 3, 4, 5, 6, 7] * 2


def test_what_a_result_would_have_scored(event: dk.TournamentResults) -> None:
    # 480 beats all six: with 7 results of 7 expected 12 of 12. In the place of pair 1 it beats five of five,
    # (10 + 1) * 7 / 6 - 1 = 11.83.
    found = event.score_in_field(1, "4H+2").frame
    assert found[["score_ns", "mp_ns", "share_ns"]].values.tolist() == [[480, 12, 1]]
    found = event.score_in_field(1, "4H+2", pair="1").frame
    assert found.mp_ns[0] == pytest.approx(11 * 7 / 6 - 1)
    assert event.score_in_field(1, "EW 50").frame.score_ns[0] == -50
    assert event.score_in_field(2, "4S+2", "east").frame.score_ns[0] == -480
    with pytest.raises(dk.ArgumentError, match="give declarer's seat"):
        event.score_in_field(1, "4S=")


def test_a_match(tmp_path: Path) -> None:
    match = dk.results(write(tmp_path, "match.lin", events.MATCH))
    assert match.scoring == dk.EventScoring("team imps")
    assert match.results.room.tolist() == ["open", "closed", "open", "closed"]
    assert match.results.imp_ns.tolist() == [1, -1, -10, 10]
    frame = match.matches().frame
    assert frame[["team", "opponents", "boards", "won", "lost", "carry", "margin"]].values.tolist() == [
        ["Foxes", "Owls", 2, 1, 10, 5, -9]
    ]
    assert frame.vp[0] == dk.victory_points(-9, 2)
    bam = match.score("board-a-match", per_win=1)
    assert bam.results.mp_ns.tolist() == [1, 0, 0, 1]


def test_a_game_for_each_table(tmp_path: Path) -> None:
    # Handles of players and no numbers; a score of east-west; a claim and a play.
    games = []
    for table, (names, contract, result, score) in enumerate(
        [
            (("a", "b", "c", "d"), "4H", "11", "NS 450"),
            (("e", "f", "g", "h"), "4HX", "9", "EW 100"),
            (("i", "j", "k", "l"), "3NT", "9", "400"),
        ]
    ):
        seats = zip(("North", "East", "South", "West"), names, strict=True)
        players = "".join(f'[{seat} "{name}"]\n' for seat, name in seats)
        games.append(
            f'[Event "Online"]\n[Board "1"]\n{players}[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{events.DEAL_1}"]\n'
            f'[Scoring "MP"]\n[Table "{table}"]\n[Declarer "N"]\n[Contract "{contract}"]\n[Result "{result}"]\n'
            f'[Score "{score}"]\n[Play "E"]\nC6 CK C8 CQ\n*\n'
        )
    read = dk.results(write(tmp_path, "online.pbn", "\n".join(games)))
    assert read.results.mp_ns.tolist() == [4, 0, 2]
    assert read.results.play.tolist() == ["C6 CK C8 CQ"] * 3
    assert read.results.lead.tolist() == ["C6"] * 3
    assert read.pairs.id.tolist() == ["1", "2", "3", "4", "5", "6"]
    assert read.recap("e").frame.mp.tolist() == [0]
    assert "numbered by the names" in read.remarks.text[0]


def test_salliere(tmp_path: Path) -> None:
    text = "1,1,2,4H,N,11\n1,3,4,4H,N,10\n1,5,6,PASS,,\n"
    read = dk.results(write(tmp_path, "boards.csv", text), "matchpoints")
    assert read.results.score_ns.tolist() == [450, 420, 0]
    names = write(tmp_path, "names.csv", "pair,name1,name2\n1,Ann,Bob\n2,Cyd,Dan\n")
    read = dk.results([tmp_path / "boards.csv", names], "matchpoints")
    assert read.pairs.name_1.fillna("").tolist() == ["Ann", "Cyd", "", "", "", ""]


def test_bridgemates_table_of_results(tmp_path: Path) -> None:
    text = (
        '"ID","Section","Table","Round","Board","PairNS","PairEW","Declarer","NS/EW","Contract","Result","LeadCard"\n'
        '1,1,1,1,1,1,2,1,"N","4 H","+1","C6"\n2,1,2,1,1,3,4,3,"S","3 NT x","-1","S5"\n'
    )
    read = dk.results(write(tmp_path, "received.csv", text), "matchpoints")
    assert read.results.score_ns.tolist() == [450, -100]
    assert read.results.lead.tolist() == ["C6", "S5"]


def test_cards_from_another_file(tmp_path: Path) -> None:
    path = write(
        tmp_path, "boards.csv", "board,ns,ew,contract,declarer,tricks\n1,1,2,4H,N,11\n1,3,4,4H,N,10\n"
    )
    deals = dk.Deals.from_pbn([events.DEAL_1]).replace(board=[1], dealer=[0], vulnerable=[0])
    read = dk.results(path, "matchpoints", deals=deals)
    assert str(read.boards.deal.iloc[0]) == events.DEAL_1
    deals.write(tmp_path / "deals.pbn")
    again = dk.results(path, "matchpoints", deals=tmp_path / "deals.pbn")
    assert str(again.boards.deal.iloc[0]) == events.DEAL_1


def test_bridgemates_file_is_refused_with_a_remedy(tmp_path: Path) -> None:
    path = tmp_path / "evening.bws"
    path.write_bytes(b"\x00\x01\x00\x00Standard Jet DB\x00" + bytes(4000))
    with pytest.raises(dk.FileError, match="mdb-export FILE.bws ReceivedData"):
        dk.results(path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"", "empty"),
        ("a.csv", b"x,y\n1,2\n", "there are no results"),
        ("a.pbn", f'[Board "1"]\n[Deal "{events.DEAL_1}"]\n'.encode(), "no results of tables"),
        ("a.xml", b"<?xml version='1.0'?><a></a>", "has no element EVENT"),
        ("a.html", b"<html><body>results</body></html>", "web page"),
        ("a.csv", b"PK\x03\x04" + bytes(100), "zip"),
        ("a.csv", bytes(range(256)) * 4, "binary"),
    ],
)
def test_other_files_are_refused(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(dk.FileError, match=message):
        dk.results(tmp_path / name)


@pytest.mark.parametrize("source", [3, [], [3], b"a.pbn"])
def test_wrong_sources(source: object) -> None:
    with pytest.raises(dk.ArgumentError):
        dk.results(source)  # type: ignore[call-overload]


def test_entities_in_xml_are_refused(tmp_path: Path) -> None:
    text = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "xxxxxxxxxx">]><USEBIO><EVENT>&x;</EVENT></USEBIO>'
    with pytest.raises(dk.FileError, match="entities"):
        dk.results(write(tmp_path, "a.xml", text))


def test_deep_and_long_xml(tmp_path: Path) -> None:
    deep = "<?xml version='1.0'?><USEBIO>" + "<A>" * 100_000
    with pytest.raises(dk.FileError, match=r"a.xml, line 1: more than 100 elements are nested"):
        dk.results(write(tmp_path, "a.xml", deep))
    with pytest.raises(dk.FileError, match="has no element EVENT"):
        dk.results(
            write(tmp_path, "b.xml", "<?xml version='1.0'?><USEBIO><A>" + "a\n" * 500_000 + "</A></USEBIO>")
        )


@pytest.mark.parametrize("text", ["40000", "9" * 5000, "\u00b2", "-1"])
def test_rounds_that_are_no_numbers(tmp_path: Path, text: str) -> None:
    table = f"board,ns,ew,contract,declarer,result,round\n1,1,2,4S,N,10,{text}\n1,3,4,4S,N,9,2\n"
    rounds = dk.results(write(tmp_path, "a.csv", table)).results["round"]
    assert rounds.isna().tolist() == [True, False] and rounds[1] == 2


def test_names_of_columns_as_people_write_them(tmp_path: Path) -> None:
    rows = "1;1;2;4S;N;10;420\n1;3;4;4S;N;9;-50\n"
    plain = dk.results(write(tmp_path, "a.csv", f"board;ns;ew;contract;declarer;result;score_ns\n{rows}"))
    for names in (
        "Board;Pair NS;Pair EW;Contract;By;Tricks;Score NS",
        "Bd;N/S;E/W;Contract;Decl;Result;NS Score",
        "Board;NS;EW;Contract;Dir;Tricks;Score",
    ):
        read = dk.results(write(tmp_path, "a.csv", f"{names}\n{rows}"))
        assert read.results.declarer.tolist() == plain.results.declarer.tolist() == ["N", "N"]
        assert read.pairs.id.tolist() == plain.pairs.id.tolist() == ["1", "2", "3", "4"]
        assert read.results.mp_ns.tolist() == plain.results.mp_ns.tolist() == [2, 0]


def test_empty_lines_before_the_names_of_columns(tmp_path: Path) -> None:
    table = "\n\n;;\nboard;ns;ew;contract;declarer;result\n\n1;1;2;4S;N;10\n"
    read = dk.results(write(tmp_path, "a.csv", table))
    assert read.results.line.tolist() == [6] and read.results.tricks.tolist() == [10]
    with pytest.raises(dk.FileError, match="the file is empty"):
        dk.results(write(tmp_path, "b.csv", "\n,,\n\n"))


@pytest.mark.parametrize("names", ["Pair NS,Pair EW", "pair-ns,PAIR  EW", "NS_pair,EW pair", "ns,ew"])
def test_blanks_and_hyphens_in_names_of_columns(tmp_path: Path, names: str) -> None:
    table = f"Board,{names},Contract,By,Result,Score NS\n1,4,7,4S,N,10,420\n1,5,8,4S,N,9,-50\n"
    read = dk.results(write(tmp_path, "a.csv", table), "matchpoints")
    assert read.results[["ns", "ew", "score_ns"]].values.tolist() == [["4", "7", 420], ["5", "8", -50]]
    assert len(read.remarks) == 0


def test_a_direction_beside_the_declarer_is_another_column(tmp_path: Path) -> None:
    table = "Board,NS,EW,Contract,Decl,Dir,Result\n1,4,7,4S,E,N,10\n"
    assert dk.results(write(tmp_path, "a.csv", table)).results.declarer.tolist() == ["E"]


def test_a_column_with_the_exact_name_is_the_one_that_counts(tmp_path: Path) -> None:
    table = "board,ns,ew,pair ns,contract,declarer,result\n1,4,7,Ann and Bob,4S,N,10\n"
    assert dk.results(write(tmp_path, "a.csv", table)).results.ns.tolist() == ["4"]


def test_a_table_without_pairs_says_which_columns_it_has(tmp_path: Path) -> None:
    rows = "1,4,7,4S,N,10\n1,5,8,4S,N,9\n"
    read = dk.results(write(tmp_path, "a.csv", f"board,paar a,paar b,contract,by,result\n{rows}"))
    (remark,) = [text for text in read.remarks.text if "no column has pairs" in text]
    assert "such as ns and ew, so there is no ranking" in remark
    assert remark.endswith("the columns are board, paar a, paar b, contract, by and result")
    with pytest.raises(
        dk.FileError, match="needs the columns board and contract.*has board, paar a, .*vertrag"
    ):
        dk.results(write(tmp_path, "b.csv", f"board,paar a,paar b,vertrag,by,result\n{rows}"))
