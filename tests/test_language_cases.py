"""The measured cases of dealer and DealerV2, through `dk.run` on the classic stream."""

from __future__ import annotations

import csv
import warnings
from pathlib import Path

import pytest

import dealerkit as dk

FILE = Path(__file__).parent / "reference" / "language-cases.csv"
# What section 9.1 of the language reference calls fixed, by case.
FIXED_V2 = {
    "c0039": "row 13: suits of ten and more cards in shape{}",
    "c0041": "row 13: suits of ten and more cards in shape{}",
    "c0649": "row 16: 123.45 is one number, not a condition and a new statement",
}


def _unescape(text: str) -> str:
    out, marks = [], {"n": "\n", "t": "\t", "f": "\f", "\\": "\\"}
    letters = iter(text)
    for letter in letters:
        out.append(marks[next(letters)] if letter == "\\" else letter)
    return "".join(out)


def cases(dialect: str) -> list:
    rows = []
    with FILE.open(newline="") as stream:
        for row in csv.DictReader(stream):
            if row["version"] in (dialect, "both"):
                rows.append(pytest.param(row, id=f"{row['id']}-{dialect}"))
    return rows


def check(row: dict[str, str], dialect: str) -> None:
    expected = _unescape(row["expected"])

    def run() -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", dk.DealerkitWarning)
            return dk.run(
                _unescape(row["script"]),
                produce=int(row["produce"]),
                generate=int(row["generate"]) if row["generate"] else None,
                seed=int(row["seed"]),
                dialect=dialect,
                stream="classic",
                statistics=False,
            ).text

    if expected.startswith("[stderr]"):
        with pytest.raises(dk.DealerkitError):
            run()
    else:
        assert run() == expected


@pytest.mark.parametrize("row", cases("v1"))
def test_v1(row: dict[str, str]) -> None:
    check(row, "v1")


@pytest.mark.parametrize("row", cases("v2"))
def test_v2(row: dict[str, str]) -> None:
    if row["id"] in FIXED_V2:
        with pytest.raises(AssertionError):
            check(row, "v2")
    else:
        check(row, "v2")
