"""Files of tables without deals, 10 bytes a table; the deals are computed.

The tables of the 20 published records are true; others are made up.
"""

from __future__ import annotations

import csv
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.formats import pavlicek_deals
from dealerkit.formats.pavlicek import N_DEALS
from tests.support.files import ZDD_TABLES

DATA = Path(__file__).parents[1] / "data"
FIRST_TABLE = bytes.fromhex("494949492b2a39396767")
pytestmark = pytest.mark.filterwarnings("ignore::dealerkit.errors.TermsWarning")


@pytest.fixture(scope="module")
def twenty() -> tuple[list[str], np.ndarray]:
    """Texts and tables of the first ten and the last ten deals."""
    with open(DATA / "pavlicek-20.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    tables = [
        [[int(row[f"{seat}_{'NT' if strain == 'N' else strain}"]) for seat in "NESW"] for strain in "SHDCN"]
        for row in rows
    ]
    return [row["pbn"] for row in rows], np.array(tables, np.int8)


def test_the_twenty_records(twenty, tmp_path: Path):
    texts, tables = twenty
    for rows, first in ((slice(10), 0), (slice(10, 20), N_DEALS - 10)):
        path = tmp_path / f"part{first}.zdd"
        dk.Deals.from_pbn(texts[rows]).replace(tables=tables[rows]).write(path, first=first)
        assert path.stat().st_size == 100
        library = dk.read(path, first=first)
        assert library.deals.to_pbn() == texts[rows]
        assert (library.tables == tables[rows]).all() and library.is_solved
    assert (tmp_path / "part0.zdd").read_bytes() == ZDD_TABLES  # of which random files are made
    assert (tmp_path / "part0.zdd").read_bytes()[:10] == FIRST_TABLE


def test_a_part_across_groups_is_read_back(make_library_deals: Callable, tmp_path: Path):
    deals = make_library_deals(16_000, 1000)
    deals.tables.flags.writeable = False
    deals.write(tmp_path / "part.zdd", first=16_000)
    library = dk.read(tmp_path / "part.zdd", first=16_000)
    assert library.deals.equals(deals) and not library.unchecked
    assert library[-3:].deals.equals(deals[-3:])
    assert pickle.loads(pickle.dumps(library)).deals.equals(deals)
    assert "non-commercial" in repr(library)


@pytest.mark.parametrize(
    "script",
    [
        "condition hcp(north) > 12 and dds(south, notrump) >= 9 action average hcp(east), average dds(west, clubs)",
        "condition rnd(2) == 1 action average hcp(west)",
        "action average dds(north, spades)",
        "condition par(NS, none) > 400 action printoneline",
    ],
)
def test_a_run_uses_deals_and_tables(script: str, make_library_deals: Callable, tmp_path: Path):
    deals = make_library_deals(16_000, 3000)
    deals.write(tmp_path / "part.zdd", first=16_000)
    library = dk.read(tmp_path / "part.zdd", first=16_000)
    result, expected = (
        dk.run(script, source=source, seed=1, statistics=False) for source in (library, deals)
    )
    assert result.text == expected.text and result.deals.equals(expected.deals)
    assert result.solver.solved == 0


def test_the_first_deal_must_be_known(make_library_deals: Callable, tmp_path: Path):
    make_library_deals(16_000, 200).write(tmp_path / "part.zdd", first=16_000)
    with pytest.raises(dk.ArgumentError, match=r"200 of the 10,485,760 tables .*first="):
        dk.read(tmp_path / "part.zdd")
    for first in (N_DEALS - 199, N_DEALS):
        with pytest.raises(dk.ArgumentError, match="has only 10,485,760 deals"):
            dk.read(tmp_path / "part.zdd", first=first)
    for first in (-1, 1.5, "0"):
        with pytest.raises(dk.ArgumentError, match="first"):
            dk.read(tmp_path / "part.zdd", first=first)


@pytest.mark.parametrize("first", [15_999, 16_001, 0])
def test_a_wrong_first_deal_is_refused(first: int, make_library_deals: Callable, tmp_path: Path):
    make_library_deals(16_000, 400).write(tmp_path / "part.zdd", first=16_000)
    with pytest.raises(
        dk.FileError, match="not the table of the first deal" if first == 0 else "other deals"
    ):
        dk.read(tmp_path / "part.zdd", first=first)


def test_the_full_size_begins_with_deal_0(make_library_deals: Callable, tmp_path: Path):
    deals = make_library_deals(0, 400)
    path = tmp_path / "rpdd.zdd"
    deals.write(path, first=0)
    content = FIRST_TABLE + path.read_bytes()[10:]
    path.write_bytes(content)
    with open(path, "r+b") as file:
        file.truncate(10 * N_DEALS)
    library = dk.read(path, check=False)
    assert len(library) == N_DEALS
    assert library[:400].deals[1:].equals(deals[1:])
    assert library[N_DEALS - 1].hands == pavlicek_deals(N_DEALS - 1, 1)[0].hands
    del library  # Windows overwrites no file that is mapped
    path.write_bytes(b"\x77" + content[1:])
    with open(path, "r+b") as file:
        file.truncate(10 * N_DEALS)
    with pytest.raises(dk.FileError, match=r"record 0 \(byte 0\): this is not the table of the first deal"):
        dk.read(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x66" * 99, "99 bytes are not whole records of 10"),
        (b"", "empty"),
        (
            b"\x66" * 100 + b"\x66\x66\xe6" + b"\x66" * 7,
            r"record 10 \(byte 102\): 14 tricks for north in spades",
        ),
        (b"\x66" * 100 + b"\x66\x6f" + b"\x66" * 8, r"record 10 \(byte 101\): 15 tricks for east in notrump"),
    ],
)
def test_damaged_files_are_refused(content: bytes, message: str, tmp_path: Path):
    (tmp_path / "part.zdd").write_bytes(content)
    with pytest.raises(dk.FileError, match=message):
        dk.read(tmp_path / "part.zdd", format="zdd", first=100)


def test_deals_of_the_library_are_not_taken_for_tables(make_library_deals: Callable, tmp_path: Path):
    """241,172,480 bytes are whole records of both sizes; the content tells the formats apart."""
    deals = make_library_deals(0, 400)
    deals.write(tmp_path / "named.zdd", format="zrd")
    assert dk.read(tmp_path / "named.zdd").deals.equals(deals)


def test_other_deals_are_not_written(make_library_deals: Callable, tmp_path: Path):
    deals = make_library_deals(16_000, 300)
    with pytest.raises(dk.ArgumentError, match="deal 0 is not deal 16,001 of Pavlicek"):
        deals.write(tmp_path / "part.zdd", first=16_001)
    with pytest.raises(dk.ArgumentError, match="deal 7 is not deal 16,007 of Pavlicek"):
        deals[np.r_[0:7, 8:300]].write(tmp_path / "part.zdd", first=16_000)
    with pytest.raises(dk.ArgumentError, match="no complete table"):
        deals.replace(tables=None).write(tmp_path / "part.zdd", first=16_000)
    with pytest.raises(dk.ArgumentError, match="can only contain"):
        deals.write(tmp_path / "part.zdd", first=N_DEALS - 100)
    assert not list(tmp_path.iterdir())
