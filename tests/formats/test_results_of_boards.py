"""Contract, declarer and result as files write them, and as the frame has them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import dealerkit as dk

DEAL = '[Deal "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765"]\n'


def make_board(number: int, contract: str, declarer: str, result: str) -> str:
    tags = {"Board": number, "Declarer": declarer, "Contract": contract, "Result": result}
    return "".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + DEAL + "\n"


RESULTS = [  # contract, declarer, result; tricks counted by hand
    ("4S", "N", "10", 10),
    ("4S", "N", "=", 10),
    ("3NT", "E", "+2", 11),
    ("3NTX", "S", "-3", 6),
    ("2H", "W", "NS 6", 7),
    ("2H", "W", "EW 7", 7),
    ("2H", "N", "EW 4 NS 9", 9),
    ("2H", "^S", "^9", 9),
    ("7NT", "N", "+1", None),  # 14 tricks
    ("2H", "", "NS 6", None),
    ("2H", "N", "NS 14", None),
    ("2H", "N", "EW 4 NS 8", None),  # 12 tricks
    ("4S", "N", "made", None),
    ("Pass", "", "", None),
    ("4S", "W", "", None),
]


def test_tricks_of_declarer(read):
    library = read("".join(make_board(n, *row[:3]) for n, row in enumerate(RESULTS, 1)))
    frame = library.frame
    assert frame.result.dtype == "Int8" and frame.declarer.dtype == "string"
    assert [None if pd.isna(tricks) else tricks for tricks in frame.result] == [row[3] for row in RESULTS]
    assert frame.result_text.tolist() == [row[2] for row in RESULTS]
    assert [None if pd.isna(seat) else seat for seat in frame.declarer] == [
        row[1].lstrip("^") or None for row in RESULTS
    ]
    assert library.texts["declarer"] == [row[1] for row in RESULTS]  # a file written again keeps the mark
    # Each result that is written and not understood is a remark.
    remarks = [reason for _, reason in library.content.remarks]
    unknown = [row[2] for row in RESULTS if row[2] and row[3] is None]
    assert remarks == [f"unknown result {text!r}" for text in unknown]


@pytest.mark.parametrize("name", ["pbn", "csv", "lin", "rbn", "rbx"])
def test_formats_keep_the_tricks(read, name: str, tmp_path: Path):
    rows = [row for row in RESULTS if row[3] is not None and row[1].isalpha()]
    library = read("".join(make_board(n, *row[:3]) for n, row in enumerate(rows, 1)))
    library.write(tmp_path / f"some.{name}")
    assert dk.read(tmp_path / f"some.{name}").frame.result.tolist() == [row[3] for row in rows]


@pytest.mark.parametrize(
    ("auction", "calls"),
    [
        ("1C Kontra Rekontra pas", "1C X XX Pass"),
        ("1C contre surcontre passe", "1C X XX Pass"),
        ("1C contro surcontro passo", "1C X XX Pass"),
        ("1C doblo redoblo paso", "1C X XX Pass"),
        ("1C ktr rktr pas", "1C X XX Pass"),
        ("1C doublet redoublet pas", "1C X XX Pass"),
        ("1C K RK pas", "1C X XX Pass"),
        ("1C dobla redobla paso", "1C X XX Pass"),
        ("1C dubbelt redubbelt pass", "1C X XX Pass"),
        ("1C dobro redobro passo", "1C X XX Pass"),
    ],
)
def test_words_of_other_languages(read, auction: str, calls: str):
    library = read(f'[Board "1"]\n[Dealer "N"]\n{DEAL}[Auction "N"]\n{auction}\n')
    assert library.texts["auction"] == [calls]
    ((line, reason),) = library.content.remarks
    assert line == 4 and reason.startswith("calls in another language than English: ")


@pytest.mark.parametrize("auction", ["1C D R P", "1c dbl rdbl pass", "1C X XX -", "1C! Double! Redouble P"])
def test_english_calls_are_no_remark(read, auction: str):
    library = read(f'[Board "1"]\n[Dealer "N"]\n{DEAL}[Auction "N"]\n{auction}\n')
    assert not library.content.remarks and "X" in library.texts["auction"][0]


def test_a_table_that_repeats_the_one_before(read):
    header = '[ScoreTable "PairId_NS;Score_NS"]\n1 420\n2 -50\n'
    library = read(f'[Board "1"]\n{DEAL}{header}\n[Board "2"]\n{DEAL}[ScoreTable "#"]\n')
    assert library.texts["tags"] == [[["ScoreTable", "PairId_NS;Score_NS", "1 420\n2 -50"]]] * 2


TABLES = r"""[ScoreTable "PairId_NS\2R;PairId_EW\2R;Contract\5L;Declarer\1R;Result\2R;Score_NS\6R;MP_NS\5R;Names\20L"]
 3 12 2SX   N 10    470   5.0 "Bob & Dan"
 4 13 2S    N  8    110   3.0 "Ann; Cleo"
 5 14 -     -  -      -   4.5 -
[TotalScoreTable "Rank;PairId;TotalScoreMP"]
1 3 145.2
2 12A 130
[InstantScoreTable "Contract;Score;Score"]
2SX 470
"""


def test_tables_of_scores_are_frames(read, tmp_path):
    library = read(
        f'[Board "1"]\n{DEAL}{TABLES}\n[Board "?"]\n{DEAL}[ScoreTable "PairId_NS;Lead"]\n7 HA\n8\n'
    )
    with pytest.warns(
        dk.SkippedWarning, match="ScoreTable: 1 row with more or fewer values than columns skipped"
    ):
        frame = library.score_table()
    assert frame.index.tolist() == [0, 0, 0, 1] and frame.index.name == "number"
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == {
        "board": "Int64", "PairId_NS": "Int64", "PairId_EW": "Int64", "Contract": "string", "Declarer": "string",
        "Result": "Int64", "Score_NS": "Int64", "MP_NS": "Float64", "Names": "string", "Lead": "string",
    }  # fmt: skip
    assert frame.PairId_NS.tolist() == [3, 4, 5, 7] and frame.Score_NS.dropna().tolist() == [470, 110]
    assert frame.Contract.fillna("").tolist() == ["2SX", "2S", "", ""] and frame.board.fillna(0).tolist() == [
        1,
        1,
        1,
        0,
    ]
    assert frame.Names[0].tolist()[:2] == ["Bob & Dan", "Ann; Cleo"]
    assert frame.MP_NS[0].tolist() == [5.0, 3.0, 4.5]
    totals = library.score_table("totalscoretable")
    assert totals.PairId.tolist() == ["3", "12A"] and totals.TotalScoreMP.tolist() == [145.2, 130.0]
    assert library.score_table("OptimumResultTable").empty
    # The table is written and read again.
    library.write(tmp_path / "again.pbn")
    with pytest.warns(dk.SkippedWarning):
        assert dk.read(tmp_path / "again.pbn").score_table().equals(frame)
    with pytest.raises(dk.ArgumentError, match="name is 5"):
        library.score_table(5)


def test_pair_numbers_are_kept(read, tmp_path: Path):
    library = read(f'[Board "1"]\n{DEAL}[PairNS "3"]\n[PairEW "12"]\n[Table "2"]\n')
    tags = [["PairNS", "3"], ["PairEW", "12"], ["Table", "2"]]
    assert library.texts["tags"] == [tags]
    for name in ("pbn", "csv", "parquet"):
        library.write(tmp_path / f"again.{name}")
        found = dk.read(tmp_path / f"again.{name}").texts["tags"][0]
        assert [list(tag) for tag in found] == tags
