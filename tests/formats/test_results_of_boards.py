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
    assert frame.declarer.isna().tolist() == [not row[1] for row in RESULTS]
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
    ],
)
def test_words_of_other_languages(read, auction: str, calls: str):
    library = read(f'[Board "1"]\n[Dealer "N"]\n{DEAL}[Auction "N"]\n{auction}\n')
    assert library.texts["auction"] == [calls]
    ((line, reason),) = library.content.remarks
    assert line == 4 and reason.startswith("calls of another language than English: ")


@pytest.mark.parametrize("auction", ["1C D R P", "1c dbl rdbl pass", "1C X XX -", "1C! Double! Redouble P"])
def test_english_calls_are_no_remark(read, auction: str):
    library = read(f'[Board "1"]\n[Dealer "N"]\n{DEAL}[Auction "N"]\n{auction}\n')
    assert not library.content.remarks and "X" in library.texts["auction"][0]


def test_a_table_that_repeats_the_one_before(read):
    header = '[ScoreTable "PairId_NS;Score_NS"]\n1 420\n2 -50\n'
    library = read(f'[Board "1"]\n{DEAL}{header}\n[Board "2"]\n{DEAL}[ScoreTable "#"]\n')
    assert library.texts["tags"] == [[["ScoreTable", "PairId_NS;Score_NS", "1 420\n2 -50"]]] * 2
