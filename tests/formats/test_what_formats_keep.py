"""Every format written and read, and converted to every other: the table of docs/reference/formats/files.md is true."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.formats import pavlicek_deals
from dealerkit.formats.content import Records
from dealerkit.formats.format import find_formats

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "formats" / "files.md"
FIRST = 70  # number in Pavlicek's library, as a .zdd file has no other deals
N_DEALS = 8
pytestmark = [
    pytest.mark.filterwarnings("ignore::dealerkit.errors.TermsWarning"),
    pytest.mark.filterwarnings("ignore::dealerkit.errors.SkippedWarning"),
    pytest.mark.filterwarnings("ignore::dealerkit.errors.LossWarning"),
]


COLUMNS = {
    "deal": ["hands"],
    "board": ["board"],
    "dealer, vulnerable": ["dealer", "vulnerable"],
    "double-dummy tricks": ["tables"],
    "weight, cluster": ["weight", "cluster"],
    "players' names": ["north", "east", "south", "west"],
    "auction, explanations of calls": ["auction", "auction_notes"],
    "contract, declarer": ["contract", "declarer"],
    "result": ["result"],
    "play, lead": ["play", "lead"],
    "comment": ["comment"],
    "room": ["Room"],
    "other tags": ["Event"],
    "other text columns": ["colour"],
}


def read_page() -> dict[str, dict[str, str]]:
    """Return the table of the page: for each format the cells by the names of the rows."""
    text = PAGE.read_text(encoding="utf-8").partition("## What each format keeps")[2].partition("\n## ")[0]
    # A column for each format with texts; then, for formats of cards, a row each.
    wide, rest = text.partition("\n| format")[::2]
    rows = split_rows(wide)
    names = [name.strip("`") for name in rows[0][1:]]
    table = {name: {row[0]: row[place] for row in rows[2:]} for place, name in enumerate(names, 1)}
    rows = split_rows("| format" + rest)
    for row in rows[2:]:
        cells = dict(zip(rows[0][1:], row[1:], strict=True))
        table[row[0].strip("`")] = dict.fromkeys(COLUMNS, "") | cells
    return table


def split_rows(text: str) -> list[list[str]]:
    """Return the cells of the first table of a text."""
    lines = itertools.dropwhile(lambda line: not line.startswith("|"), text.splitlines())
    lines = itertools.takewhile(lambda line: line.startswith("|"), lines)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert all(len(row) == len(rows[0]) for row in rows)
    return rows


TABLE = read_page()
WRITTEN = [name for name in TABLE if TABLE[name]["read, written"] == "both"]


def make_library() -> dk.Library:
    """Return boards with all that a format may keep; dealers and sides are not those of the numbers."""
    deals = pavlicek_deals(FIRST, N_DEALS)
    tables = np.random.default_rng(1).integers(0, 14, (N_DEALS, 5, 4)).astype(np.int8)
    tables[:, :, 2], tables[:, :, 3] = tables[:, :, 0], 13 - tables[:, :, 0]
    tables[:, :, 1] = tables[:, :, 3]
    numbers = np.arange(N_DEALS)
    dealers = (numbers + 2) % 4
    deals = deals.replace(
        tables=tables, board=numbers + 5, dealer=dealers, vulnerable=3 - numbers % 4,
        weight=1 + numbers / 7, cluster=numbers // 2,
    )  # fmt: skip
    plays = []
    for hands, dealer in zip(deals.to_pbn(), dealers, strict=True):
        suits = hands[2:].split()[(dealer + 1) % 4].split(".")
        plays.append(next(f"{suit}{cards[0]}" for suit, cards in zip("SHDC", suits, strict=True) if cards))
    texts: dict[str, list] = {
        "north": [f"Zoë {n}" for n in numbers],
        "east": ["Ann"] * N_DEALS,
        "south": ["Bob"] * N_DEALS,
        "west": [f"West {n}" for n in numbers],
        "auction": ["1NT=1= Pass 3NT Pass Pass Pass"] * N_DEALS,
        "auction_notes": ["1:15 to 17"] * N_DEALS,
        "contract": ["3NT"] * N_DEALS,
        "declarer": ["NESW"[dealer] for dealer in dealers],
        "result": [str(n + 4) for n in numbers],
        "lead": plays,
        "play": plays,
        "comment": [f"board {n}, first line" for n in numbers],
        "colour": ["red"] * N_DEALS,
        "tags": [[["Event", "Club"], ["Room", "Closed"]]] * N_DEALS,
    }
    return dk.Library(Records(deals, texts))


def convert(library: dk.Library, name: str, folder: Path, label: str) -> dk.Library:
    """Return a library written in a format and read back."""
    path = folder / f"{label}.{name}"
    options = {"first": FIRST} if name == "zdd" else {}
    library.write(path, format=name, **options)
    checked = {"check": False} if name in ("zrd", "zdd", "gib") else {}
    return dk.read(path, format=name, **options, **checked)


def describe(library: dk.Library) -> dict[str, list]:
    """Return the values of all columns that a library has."""
    deals = library.deals
    values: dict[str, list] = {"hands": deals.hands.tolist()}
    values |= {name: column.tolist() for name, column in deals.attached.items()}
    texts = library.texts
    tags = texts.get("tags", [[]] * len(deals))
    known = [{tag[0]: tag[1] for tag in row} for row in tags]
    for name in ("Room", "Event"):
        values[name] = [row.get(name, "") for row in known]
    values["colour"] = texts.get("colour") or [row.get("colour", "") for row in known]
    values |= {name: list(column) for name, column in texts.items() if name not in ("tags", "colour")}
    return {name: column for name, column in values.items() if any(value not in ("", -1) for value in column)}


def list_kept(name: str) -> set[str]:
    """Return the columns that the page says a format keeps."""
    return {
        column for row, columns in COLUMNS.items() if TABLE[name][row].startswith("yes") for column in columns
    }


def test_the_page_has_all_formats():
    formats = find_formats()
    assert set(TABLE) == set(formats)
    for name, entry in formats.items():
        cells = TABLE[name]
        assert cells["read, written"] == ("both" if entry.write else "read")
        assert re.findall(r"`([^`]*)`", cells["end of the name"]) == list(entry.suffixes) or not entry.write
        assert set(cells) == {"end of the name", "read, written", *COLUMNS}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_format_keeps_what_the_page_says(name: str, tmp_path: Path):
    library = make_library()
    expected, found = describe(library), describe(convert(library, name, tmp_path, "deals"))
    kept = {column for column in expected if found.get(column) == expected[column]}
    assert kept == list_kept(name)


@pytest.mark.parametrize("name", WRITTEN)
def test_a_format_to_every_other_and_back(name: str, tmp_path: Path):
    first, expected = convert(make_library(), name, tmp_path, "first"), describe(make_library())
    for other in WRITTEN:
        both = list_kept(name) & list_kept(other)
        library = first
        for target in (other, name):
            if target in ("zdd", "gib") and "tables" not in describe(library):
                with pytest.raises(dk.ArgumentError, match="no complete table"):
                    convert(library, target, tmp_path, "other")
                break
            library = convert(library, target, tmp_path, "other")
            found = describe(library)
            assert {column for column in both if found.get(column) != expected[column]} == set(), other
