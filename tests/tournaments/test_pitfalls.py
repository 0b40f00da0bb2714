"""What goes wrong in real files: each has a remark, and none a silent guess."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from tests.support import events

HEAD = "board,ns,ew,contract,declarer,tricks,score,lead\n"


def write(folder: Path, name: str, text: str, encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def read(folder: Path, text: str, head: str = HEAD) -> dk.TournamentResults:
    return dk.results(write(folder, "event.csv", head + text), "matchpoints")


def list_texts(read: dk.TournamentResults) -> str:
    return " | ".join(read.remarks.text)


def test_equal_numbers_in_two_sessions(tmp_path: Path) -> None:
    text = "1,1,2,420,Morning\n1,3,4,400,Morning\n1,1,3,-50,Evening\n1,2,4,50,Evening\n"
    both = read(tmp_path, text, "board,ns,ew,score,session\n")
    assert both.results.field.tolist() == [0, 0, 1, 1] and both.results.session_id.tolist() == [0, 0, 1, 1]
    assert both.results.mp_ns.tolist() == [2, 0, 0, 2]
    with pytest.raises(dk.ArgumentError, match="session="):
        both.recap("1")
    assert both.recap("1", session=1).frame.score.tolist() == [-50]
    # Two files of the same name are two evenings, unless they say that they are one.
    for folder, score in (("a", 420), ("b", -50)):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, "monday.csv", f"board,ns,ew,score\n1,1,2,{score}\n1,3,4,400\n")
    two = dk.results([tmp_path / "a", tmp_path / "b"], "matchpoints")
    assert two.results.field.tolist() == [0, 0, 1, 1] and len(two.pairs) == 8


def test_one_number_with_two_deals(tmp_path: Path) -> None:
    text = f"1,1,2,420,{events.DEAL_1}\n1,3,4,400,{events.DEAL_1}\n1,5,6,620,{events.DEAL_2}\n"
    event = read(tmp_path, text, "board,ns,ew,score,deal\n")
    assert event.results.deal_id.tolist() == [0, 0, 1] and event.results.field.tolist() == [0, 0, 1]
    assert "2 deals have this number" in list_texts(event)
    assert event.traveller(1).text.count("deal ") == 2


def test_rotated_boards_are_not_compared(tmp_path: Path) -> None:
    text = f"1,1,2,420,{events.DEAL_1}\n2,3,4,400,{events.DEAL_1_TURNED}\n"
    event = read(tmp_path, text, "board,ns,ew,score,deal\n")
    assert event.results.deal_id.tolist() == [0, 1]
    assert "the cards of board 1 in other seats" in list_texts(event)


def test_vulnerability_against_the_number(tmp_path: Path) -> None:
    event = read(
        tmp_path, "1,1,2,4H,N,10,NS\n1,3,4,4H,N,9,NS\n", "board,ns,ew,contract,declarer,tricks,vulnerable\n"
    )
    assert event.results.score_ns.tolist() == [620, -100]
    assert "the vulnerability is not that of the number" in list_texts(event)


def test_passed_out_counts_as_zero_and_tricks_of_a_pass_are_missing(tmp_path: Path) -> None:
    event = read(tmp_path, "1,1,2,PASS,,0,,\n1,3,4,4H,N,9,,\n1,5,6,4H,N,10,,\n")
    assert event.results.score_ns.tolist() == [0, -50, 420] and event.results.mp_ns.tolist() == [2, 0, 4]
    assert event.results.tricks.isna().tolist() == [True, False, False]
    assert event.results.kind.tolist() == ["passed", "played", "played"]


def test_one_result_has_no_matchpoints(tmp_path: Path) -> None:
    event = read(tmp_path, "1,1,2,4H,N,10,,\n2,1,2,4H,N,9,-100,\n")
    assert event.results.mp_ns.isna().all() and event.pairs["rank"].isna().all()
    assert list_texts(event).count("one result only; it has no matchpoints") == 2
    assert "2 results" in event.text


def test_all_rows_artificial(tmp_path: Path) -> None:
    event = read(tmp_path, "1,1,2,,,,A+,\n1,3,4,,,,A-,\n1,5,6,,,,A,\n")
    assert event.results.kind.tolist() == ["artificial"] * 3
    assert event.results.mp_ns.tolist() == [pytest.approx(value) for value in (2.4, 1.6, 2.0)]
    assert event.results.score_ns.isna().all()


def test_average_plus_beside_a_session_of_65_percent(tmp_path: Path) -> None:
    rows = "1,1,2,,,,A+-,\n1,3,4,,,,420,\n1,5,6,,,,400,\n"
    for board, own in ((2, 430), (3, 400), (4, 420)):
        rows += f"{board},1,4,,,,{own},\n{board},3,6,,,,410,\n{board},5,2,,,,390,\n"
    event = read(tmp_path, rows)
    others = event.results[(event.results.ns == "1") & (event.results.board > 1)].share_ns
    assert others.tolist() == [1, 0.5, 1]
    assert event.results.share_ns[0] == pytest.approx(others.mean())


def test_duplicate_uploads(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, "event.pbn", events.make_pbn())
    twice = dk.results([tmp_path / "a", tmp_path / "b"])
    assert len(twice.results) == 14 and list_texts(twice).count("it counts once") == 14
    assert not len(twice.compare_official().frame)
    # A corrected result counts in place of the former one.
    event = read(tmp_path, "1,1,2,4H,N,10,,\n1,3,4,4H,N,9,,\n1,1,2,4H,N,11,,\n")
    assert event.results.score_ns.tolist() == [-50, 450]
    assert "the later one counts" in list_texts(event)
    assert event.remarks.line.tolist()[-1] == 4


def test_robots_are_not_one_player(tmp_path: Path) -> None:
    head = "board,north,east,south,west,contract,declarer,tricks,table\n"
    text = "1,ann,GiB,bob,GiB,4H,N,10,1\n1,cyd,GiB,dan,GiB,4H,N,9,2\n"
    event = read(tmp_path, text, head)
    assert event.results.east.isna().all() and event.results.ew.isna().all()
    assert event.results.ns.tolist() == ["1", "2"]
    assert "'gib' sits in several seats" in list_texts(event)
    # Placeholders of seats are no pairs either.
    seats = read(tmp_path, "1,N1,E1,S1,W1,4H,N,10,1\n1,N1,E1,S1,W1,4H,N,9,2\n", head)
    assert seats.results[["ns", "ew"]].isna().all().all() and not len(seats.pairs)
    assert seats.results.mp_ns.tolist() == [2, 0]


def make_games(scoring: str, rows: list[tuple[int, str, str, str, str, int]]) -> str:
    """Return a game of PBN for each row: board, names of both pairs in both seats, contract, declarer, tricks."""
    return "\n".join(
        f'[Event "Invented"]\n[Board "{board}"]\n[West "{ew}"]\n[North "{ns}"]\n[East "{ew}"]\n[South "{ns}"]\n'
        f'[Dealer "N"]\n[Vulnerable "None"]\n[Deal "{events.DEAL_1 if board == 1 else events.DEAL_2}"]\n'
        f'[Scoring "{scoring}"]\n[Declarer "{declarer}"]\n[Contract "{contract}"]\n[Result "{tricks}"]\n'
        for board, ns, ew, contract, declarer, tricks in rows
    )


BAROMETER = [
    (1, "Pair-1", "Pair-2", "4H", "N", 10), (1, "Pair-3", "Pair-4", "4H", "N", 9), (1, "Pair-5", "Pair-6", "3N", "S", 9),
    (2, "Pair-2", "Pair-3", "4S", "E", 10), (2, "Pair-4", "Pair-5", "4S", "W", 9), (2, "Pair-6", "Pair-1", "2S", "E", 9),
]  # fmt: skip


def test_the_name_of_a_pair_in_both_seats(tmp_path: Path) -> None:
    path = write(tmp_path, "barometer.pbn", make_games("MP", BAROMETER))
    event = dk.results(path)
    assert event.pairs.id.tolist() == [f"Pair-{number}" for number in range(1, 7)] and event.winners == 1
    # By hand: board 1 is 420, -50, 400; board 2 is -420, +50, -140.
    assert event.results.mp_ns.tolist() == [4, 0, 2, 0, 4, 2]
    assert event.pairs.set_index("id").total.to_dict() == {
        "Pair-1": 6, "Pair-2": 0, "Pair-3": 4, "Pair-4": 8, "Pair-5": 2, "Pair-6": 4,
    }  # fmt: skip
    assert event.recap(4).title == "Pair Pair-4" and "sits in several seats" not in list_texts(event)
    # The same file twice counts once, as with numbers.
    (tmp_path / "again").mkdir()
    again = write(tmp_path / "again", "barometer.pbn", make_games("MP", BAROMETER))
    assert dk.results([path, again]).results.mp_ns.tolist() == [4, 0, 2, 0, 4, 2]


def test_imps_without_rooms_are_those_of_a_field(tmp_path: Path) -> None:
    event = dk.results(write(tmp_path, "butler.pbn", make_games("IMP", BAROMETER)))
    # By hand: the datum of board 1 is (420 - 50 + 400) / 3 = 256.7, so 260; of board 2 -170.
    assert event.scoring is not None and event.scoring.method == "butler"
    assert event.results.datum.tolist() == [260] * 3 + [-170] * 3
    assert event.results.imp_ns.tolist() == [4, -7, 4, -6, 6, 1]
    assert "each result is compared with the mean of its board, as in Butler scoring" in list_texts(event)


def test_a_pair_changes_a_player(tmp_path: Path) -> None:
    head = "board,ns,ew,north,south,contract,declarer,tricks\n"
    event = read(tmp_path, "1,1,2,Ann,Bob,4H,N,10\n1,3,4,Cyd,Dan,4H,N,9\n2,1,4,Ann,Eve,PASS,,\n", head)
    assert "pair 1 has another player than before" in list_texts(event)
    assert event.results.south.tolist() == ["P2", "P4", "P5"] and event.pairs.name_2[0] == "Bob"


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("latin-1", "Hélène Müller"),
        ("cp1252", "Œuvre Žák"),
        ("utf-8", "Łucja Wójcik"),
        ("iso8859-2", "Łucja Wójcik"),
    ],
)
def test_names_in_several_encodings(encoding: str, name: str, tmp_path: Path) -> None:
    text = events.make_pbn(totals=events.TOTALS.replace("Ann Alfa", name))
    text = text.replace("♠5", "S5")
    if encoding == "iso8859-2":  # no byte of it says so, but PBN has a line for it
        text = text.replace("% PBN 2.1", "% PBN 2.1\n%Content-type: text/x-pbn; charset=ISO-8859-2")
    event = dk.results(write(tmp_path, "event.pbn", text, encoding))
    assert event.pairs.name_1[0] == name


def test_names_in_swapped_order_are_one_player(tmp_path: Path) -> None:
    head = "board,north,east,south,west,contract,declarer,tricks,table\n"
    text = (
        "session,"
        + head
        + 'a,1,"Alfa, Ann",c,Bob Bravo,d,4H,N,10,1\nb,1,ann  ALFA,c,"BRAVO, Bob",e,4H,N,9,1\n'
    )
    event = read(tmp_path, text, "")
    assert event.results.north.tolist() == ["P1", "P1"] and event.results.south.nunique() == 1


def test_leads(tmp_path: Path) -> None:
    head = "board,ns,ew,contract,declarer,tricks,lead,deal\n"
    text = "".join(
        f"1,{2 * k + 1},{2 * k + 2},4H,N,10,{lead},{events.DEAL_1}\n"
        for k, lead in enumerate(("HT", "10H", "H10", "SA", "??", "x9"))
    )
    event = read(tmp_path, text, head)
    assert (
        event.results.lead.tolist()[:3] == ["HT"] * 3 and event.results.lead.isna().tolist()[3:] == [True] * 3
    )
    texts = list_texts(event)
    assert "the lead SA is not in the hand of E but in that of W" in texts
    assert "the lead '??' is not a card" in texts and "the lead 'x9' is not a card" in texts


@pytest.mark.parametrize(
    ("contract", "expected"),
    [("4HX", (4, "H", 1)), ("4H*", (4, "H", 1)), ("4Hx", (4, "H", 1)), ("4h**", (4, "H", 2)), ("3N", (3, "N", 0)),
     ("3NT", (3, "N", 0)), ("3SA", (3, "N", 0)), ("2♠", (2, "S", 0)), ("4 H x", (4, "H", 1))],
)  # fmt: skip
def test_contracts(contract: str, expected: tuple[int, str, int], tmp_path: Path) -> None:
    event = read(tmp_path, f"1,1,2,{contract},N,8,,\n")
    assert event.results[["level", "strain", "doubled"]].values.tolist() == [list(expected)]


def test_score_of_the_other_side(tmp_path: Path) -> None:
    head = "board,ns,ew,contract,declarer,tricks,score_ns,score_ew\n"
    event = read(tmp_path, "1,1,2,4H,N,10,,420\n1,3,4,4H,N,9,-50,\n", head)
    assert event.results.score_ns.tolist() == [420, -50] and event.results.score_ew.tolist() == [-420, 50]
    assert "the score -420 is that of the other side" in list_texts(event)


def test_impossible_scores_are_named_and_kept(tmp_path: Path) -> None:
    event = read(tmp_path, "1,1,2,4H,N,10,430,\n1,3,4,,,,425,\n1,5,6,4H,N,10,420,\n")
    assert event.results.score_ns.tolist() == [430, 425, 420] and event.results.mp_ns.tolist() == [4, 2, 0]
    texts = list_texts(event)
    assert "the score +430 is kept, although 4H by N, 10 tricks, is +420" in texts
    assert "no contract has the score +425" in texts
    assert event.remarks.line.tolist() == [2, 3] and event.remarks.board.tolist() == [1, 1]


def test_totals_over_several_sessions(tmp_path: Path) -> None:
    totals = events.TOTALS.replace("23.8", "223.8").replace("18.3", "118.3").replace("16.3", "116.3")
    event = dk.results(write(tmp_path, "event.pbn", events.make_pbn(totals=totals)))
    assert "official_total" not in set(event.compare_official().frame.column)
    one = events.TOTALS.replace("23.8", "23.7")
    event = dk.results(write(tmp_path, "event.pbn", events.make_pbn(totals=one)))
    found = event.compare_official().frame
    assert found[["pair", "column", "official"]].values.tolist() == [["1", "official_total", 23.7]]


def test_phantom_pairs_and_byes(tmp_path: Path) -> None:
    event = read(tmp_path, "1,1,2,4H,N,10,,\n1,3,0,,,,,\n1,5,6,4H,N,9,,\n1,7,,,,,Bye,\n1,8,9,NP,,,,\n")
    assert event.results.kind.tolist() == ["played", "bye", "played", "bye", "not played"]
    assert event.results.ew.isna().tolist() == [False, True, False, True, False]
    assert event.results.mp_ns.notna().tolist() == [True, False, True, False, False]
    assert "0" not in set(event.pairs.id)
    average = event.score("matchpoints", bye="average")
    assert np.isnan(average.results.mp_ns[1])  # pair 3 played no board that has an average


def test_open_room_swap(tmp_path: Path) -> None:
    # The home team is north-south in both rooms of board 2.

    games = []
    for board, rows in ((1, (("Open", "Foxes", "Owls", 11), ("Closed", "Owls", "Foxes", 10))),
                        (2, (("Open", "a", "b", 10), ("Closed", "a", "d", 9)))):  # fmt: skip
        for room, north, east, tricks in rows:
            games.append(
                f'[Event "Final"]\n[Board "{board}"]\n[Room "{room}"]\n[North "{north}1"]\n[South "{north}2"]\n'
                f'[East "{east}1"]\n[West "{east}2"]\n[Deal "{events.DEAL_1}"]\n[Scoring "IMP"]\n'
                f'[Declarer "N"]\n[Contract "4H"]\n[Result "{tricks}"]\n'
            )
    match = dk.results(write(tmp_path, "final.pbn", "\n".join(games)))
    assert (
        match.results.imp_ns.tolist()[:2] == [1, -1]
        and match.results.imp_ns.isna().tolist()[2:] == [True] * 2
    )
    assert "north-south at both tables" in list_texts(match)


def test_truncated_tables(tmp_path: Path) -> None:
    text = events.make_pbn()
    cut = text[: text.rindex('"420"')]
    event = dk.results(write(tmp_path, "cut.pbn", cut))
    assert len(event.results) == 12
    assert "values for 15 columns; it is left out" in list_texts(event)
    xml = events.make_usebio()
    event = dk.results(write(tmp_path, "cut.xml", xml[: xml.rindex("<CONTRACT>")]))
    assert len(event.results) == 14 and "damaged or truncated" in list_texts(event)
    assert event.results.kind.tolist()[-1] == "unknown"


def test_rows_without_sense(tmp_path: Path) -> None:
    event = read(
        tmp_path, "1,1,2,4Q,N,10,,\n1,3,4,4H,K,10,420,\n1,5,6,4H,N,99,420,\nx,7,8,4H,N,9,,\n1,9,10,4H,,,,\n"
    )
    texts = list_texts(event)
    for text in ("'4Q' cannot be read", "'K' is not a seat", "'99' is not a number of tricks", "'x' is not the number of a board",
                 "4H without a score: the tricks unknown"):  # fmt: skip
        assert text in texts
    assert len(event.results) == 4


def test_names_without_quotes_that_exceed_their_width(tmp_path: Path) -> None:
    table = (
        r'[ScoreTable "PairId_NS\1R;PairId_EW\1R;Contract\3L;Declarer\1;Result\2R;Names_NS\12L;Names_EW"]'
        "\n1 2 4H  N 10 Al A - Bo B  Cy C - Di D\n3 4 4H  N  9 Ann Alfa - Bob Bravo x y z\n"
    )
    text = f'[Board "1"]\n[Deal "{events.DEAL_1}"]\n{table}'
    event = dk.results(write(tmp_path, "a.pbn", text), "matchpoints")
    assert event.pairs[["name_1", "name_2"]].values.tolist()[:2] == [["Al A", "Bo B"], ["Cy C", "Di D"]]
    assert "values for 7 columns" in list_texts(event)


def test_pairs_of_sections_and_directions_with_equal_numbers(tmp_path: Path) -> None:
    head = "board,section,ns,ew,score\n"
    event = read(tmp_path, "1,A,1,1,420\n1,A,2,2,400\n1,B,1,1,50\n1,B,2,2,-50\n", head)
    assert event.results.ns.tolist() == ["A1NS", "A2NS", "B1NS", "B2NS"]
    assert event.results.mp_ns.tolist() == [6, 4, 2, 0] and event.winners == 2 and len(event.pairs) == 8
    sections = event.score("matchpoints")
    assert sections.results.field.nunique() == 1
    path = tmp_path / "event.csv"
    assert dk.results(path, "matchpoints", by_section=True).results.mp_ns.tolist() == [2, 0, 2, 0]


def test_a_named_scoring_and_none(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "board,ns,ew,score\n1,1,2,420\n1,3,4,400\n")
    guessed = dk.results(path)
    assert (
        "the file does not name the scoring; matchpoints, usual for such results, is assumed"
        in list_texts(guessed)
    )
    assert not len(dk.results(path, "butler").remarks)
