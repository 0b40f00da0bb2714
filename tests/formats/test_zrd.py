"""Files of solved deals with 23 bytes a deal.

Expected values: the 20 published records of Pavlicek's library (deals as text, tricks as recomputed with DDS),
the digests of the published sample files, and the layout of DealerV2's title records.
"""

from __future__ import annotations

import csv
import hashlib
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from tests.support.platforms import needs_posix_files

DATA = Path(__file__).parents[1] / "data"
RECORD_0 = bytes.fromhex("72527a0ae17ae4f952e041fc7c494949492b2a39396767")
DEALERV2_SAMPLE = bytes.fromhex("55ea0fa8573ff0ab42d5af0250a3a3a2a2939393938585")
FIRST_TEN = "e1452df7b16eb0f5f95020f348622ad0d2b004b7616cd6c48b24113783d5d068"
LAST_TEN = "bf745f7b52c5fe3786921f449470f4553a1d89f134341bfed598ef61c8b69548"


@pytest.fixture(scope="module")
def twenty() -> dk.Deals:
    """The 20 published deals with their tables."""
    with open(DATA / "pavlicek-20.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    tables = [
        [[int(row[f"{seat}_{'NT' if strain == 'N' else strain}"]) for seat in "NESW"] for strain in "SHDCN"]
        for row in rows
    ]
    return dk.Deals.from_pbn([row["pbn"] for row in rows]).replace(tables=tables)


@pytest.fixture(scope="module")
def solved() -> dk.Deals:
    """2,000 solved deals, and ten that were not solved among them."""
    deals = dk.solved_sample()[:2000]
    tables = deals.tables.copy()
    tables[500:510] = -1
    return deals.replace(tables=tables)


def write_bytes(folder: Path, content: bytes) -> Path:
    path = folder / "deals.zrd"
    path.write_bytes(content)
    return path


def title_record(number: int, text: bytes) -> bytes:
    return bytes([0, 0, 0, number << 4]) + text.ljust(19, b"\0")


def test_the_twenty_records(twenty: dk.Deals, tmp_path: Path):
    path = tmp_path / "twenty.zrd"
    twenty.write(path)
    content = path.read_bytes()
    assert content[:23] == RECORD_0
    assert [hashlib.sha256(part).hexdigest() for part in (content[:230], content[230:])] == [
        FIRST_TEN,
        LAST_TEN,
    ]
    library = dk.read(path)
    assert library.deals.equals(twenty)
    assert library.is_solved and len(library) == 20
    assert "20 are solved" in library.unchecked[0]


def test_record_0_and_the_sample_of_dealerv2(tmp_path: Path):
    deals = dk.read(write_bytes(tmp_path, RECORD_0 + DEALERV2_SAMPLE)).deals
    assert deals.to_pbn()[0] == "N:J873.J42.Q65.KT2 AT652.A976.AJ82. Q4.85.KT9.A87643 K9.KQT3.743.QJ95"
    hearts, clubs = deals.tables[0, 1].tolist(), deals.tables[0, 3].tolist()
    assert (hearts, clubs) == ([2, 10, 2, 11], [6, 7, 6, 7])  # N E S W
    # 0xa3 in notrump: west 3, north 10; 0x85 in clubs: east 5, south 8
    assert deals.tables[1, 4].tolist() == [10, 3, 10, 3] and deals.tables[1, 3].tolist() == [8, 5, 8, 5]


def test_the_solver_agrees_with_the_tables(twenty: dk.Deals, tmp_path: Path):
    twenty.write(tmp_path / "twenty.zrd")
    deals = dk.read(tmp_path / "twenty.zrd").deals
    assert (dk.dd_table(deals.replace(tables=None)[:4]) == deals.tables[:4]).all()


def test_any_deals_are_read_back(solved: dk.Deals, tmp_path: Path):
    solved.write(tmp_path / "solved.zrd")
    library = dk.read(tmp_path / "solved.zrd")
    assert library.deals.equals(solved)
    assert not library.is_solved and not library.unchecked
    assert library[1990].hands == solved[1990].hands and library[-1] == solved[-1]
    assert (library.tables == solved.tables).all()
    assert library[100:110].deals.equals(solved[100:110])
    assert library[::-7].deals.equals(solved[::-7])
    assert library[::-7][3:9][::2].deals.equals(solved[::-7][3:9][::2])
    mask = np.arange(2000) % 3 == 0
    assert library[mask].deals.equals(solved[mask])
    assert dk.Deals.concatenate(library.batches(300)).equals(solved)


def test_each_result_has_its_place(rng: np.random.Generator, tmp_path: Path):
    deals = dk.deal(3000, seed=2).replace(tables=rng.integers(0, 14, (3000, 5, 4)))
    deals.write(tmp_path / "random.zrd")
    assert dk.read(tmp_path / "random.zrd", check=False).deals.equals(deals)
    content = np.fromfile(tmp_path / "random.zrd", np.uint8).reshape(-1, 23)[:, 13:]
    nibbles = np.stack([content & 15, content >> 4], axis=2).reshape(-1, 5, 4)  # NT S H D C, W N E S
    for strain, letter in enumerate("NSHDC"):
        for seat, name in enumerate("WNES"):
            assert (
                nibbles[:, strain, seat] == deals.tables[:, "SHDCN".index(letter), "NESW".index(name)]
            ).all()


def test_deals_without_tables_are_written_as_not_solved(tmp_path: Path):
    deals = dk.deal(50, seed=3)
    deals.write(tmp_path / "unsolved.zrd")
    library = dk.read(tmp_path / "unsolved.zrd")
    assert (library.tables == -1).all() and (library.deals.hands == deals.hands).all()


def test_seats_are_decoded_on_request(solved: dk.Deals, tmp_path: Path):
    solved.write(tmp_path / "solved.zrd")
    library = dk.read(tmp_path / "solved.zrd")
    deals = library.batch(10, 5, 0b0101)()
    assert deals.tables is None
    assert (deals.hands == solved.hands[10:15] * np.array([1, 0, 1, 0], np.uint64)).all()


def test_title_records_anywhere(twenty: dk.Deals, tmp_path: Path):
    twenty.write(tmp_path / "twenty.zrd")
    records = (tmp_path / "twenty.zrd").read_bytes()
    text = b"thirty test deals, a title longer than nineteen"
    head = b"".join(title_record(k + 1, text[19 * k : 19 * k + 19]) for k in range(3))
    content = head + records[:69] + title_record(1, b"; more") + records[69:] + title_record(1, b"; end")
    library = dk.read(write_bytes(tmp_path, content))
    assert library.content.title == text.decode() + "; more; end"
    assert len(library) == 20 and library.is_solved
    assert library.deals.equals(twenty)
    assert [library[k] == twenty[k] for k in (0, 2, 3, 19)] == [True] * 4
    assert library[3:5].deals.equals(twenty[3:5])


def test_a_written_title_is_that_of_dealerv2(twenty: dk.Deals, tmp_path: Path):
    twenty.write(tmp_path / "titled.zrd", title="thirty test deals, a title longer than nineteen")
    content = (tmp_path / "titled.zrd").read_bytes()
    assert len(content) == 23 * 23
    assert [content[23 * k : 23 * k + 4].hex() for k in range(3)] == ["00000010", "00000020", "00000030"]
    library = dk.read(tmp_path / "titled.zrd")
    assert library.content.title == "thirty test deals, a title longer than nineteen"
    assert library.deals.equals(twenty)
    twenty.write(tmp_path / "longest.zrd", title="x" * 284)
    assert dk.read(tmp_path / "longest.zrd").content.title == "x" * 284
    for title in ("x" * 285, "♠", 7):
        with pytest.raises(dk.ArgumentError, match="title"):
            twenty.write(tmp_path / "titled.zrd", title=title)


def test_recognised_by_content(twenty: dk.Deals, tmp_path: Path):
    twenty.write(tmp_path / "twenty.dat", format="zrd")
    assert dk.read(tmp_path / "twenty.dat").deals.equals(twenty)


# ------------------------------------------------------------ damaged files
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (RECORD_0[:-1], "22 bytes are not whole records of 23"),
        (RECORD_0 * 3 + b"\n", "70 bytes are not whole records of 23: 1 remain after 3 records"),
        (RECORD_0 + bytes([0x73]) + RECORD_0[1:], r"record 1 \(byte 23\): east has 12 cards"),
        (
            RECORD_0 + RECORD_0[:15] + b"\xf9" + RECORD_0[16:],
            r"record 1 \(byte 38\): 15 tricks for north in spades",
        ),
        (RECORD_0 + RECORD_0[:22] + b"\x6e", r"record 1 \(byte 45\): 14 tricks for east in clubs"),
        (RECORD_0 + bytes(23), r"record 1 \(byte 23\): north has 0 cards"),
        (RECORD_0[1:] + RECORD_0[:1], "record 0"),
        (title_record(1, b"a title") * 3, "3 title records and no deals"),
    ],
)
def test_damaged_files_are_refused(content: bytes, message: str, tmp_path: Path):
    with pytest.raises(dk.FileError, match=message):
        dk.read(write_bytes(tmp_path, content), format="zrd")


def test_foreign_files_are_refused(tmp_path: Path):
    for content in (b"Event, a club.\n" * 46, bytes(range(256)) * 23, b"\x89PNG\r\n" * 23):
        with pytest.raises(dk.FileError):
            dk.read(write_bytes(tmp_path, content))
    with pytest.raises(dk.FileError, match="No such file"):
        dk.read(tmp_path / "missing.zrd")
    with pytest.raises(dk.FileError, match="this is a folder"):
        dk.read(tmp_path)
    (tmp_path / "notes.doc").write_text("no deals")
    with pytest.raises(dk.FileError, match="format is not recognised"):
        dk.read(tmp_path / "notes.doc")


def test_a_fault_in_the_middle_is_an_error_of_the_run(tmp_path: Path):
    dk.solved_sample()[:20_000].write(tmp_path / "deals.zrd")
    content = bytearray((tmp_path / "deals.zrd").read_bytes())
    content[23 * 5003] ^= 3
    library = dk.read(write_bytes(tmp_path, bytes(content)))
    with pytest.raises(dk.FileError, match=r"record 5,003 \(byte 115,069\): .* has 1[24] cards"):
        dk.run("action average hcp(north)", source=library)
    assert dk.run("action average hcp(north)", source=library[:5003]).produced == 5003


@needs_posix_files
def test_a_file_that_is_truncated_while_open(tmp_path: Path):
    dk.solved_sample()[:2000].write(tmp_path / "deals.zrd")
    library = dk.read(tmp_path / "deals.zrd")
    with open(tmp_path / "deals.zrd", "r+b") as file:
        file.truncate(230)
    with pytest.raises(dk.FileError, match="truncated since"):
        library[1500]


SHRINKING = """
import os, sys
import dealerkit as dk
from dealerkit.formats.zrd import SolvedFile

path = sys.argv[1]
library = dk.read(path)
find = SolvedFile._find_records

def shrink_and_find(self, rows):  # between the beginning of a call and the reading of its records
    os.truncate(path, 230)
    return find(self, rows)

SolvedFile._find_records = shrink_and_find
try:
    library[15_000]
except dk.FileError as error:
    print(error)
"""


@needs_posix_files
def test_a_file_that_shrinks_while_it_is_read_does_not_end_the_process(tmp_path: Path):
    dk.solved_sample()[:20_000].write(tmp_path / "deals.zrd")
    command = [sys.executable, "-c", SHRINKING, str(tmp_path / "deals.zrd")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, f"{done.returncode} {done.stderr}"  # a bus error is -7
    assert "has been truncated since it was opened" in done.stdout


# ------------------------------------------------------------ tables that belong to other deals
def tables_of_neighbours(tables: np.ndarray) -> np.ndarray:
    return np.roll(tables, 1, axis=0)


def tables_of_next_seats(tables: np.ndarray) -> np.ndarray:
    return np.roll(tables, 1, axis=2)


def tables_of_reversed_strains(tables: np.ndarray) -> np.ndarray:
    return tables[:, [2, 1, 0, 4, 3]]  # NT S H D C taken for C D H S NT


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (tables_of_neighbours, r"belong to other deals.*points.* is -?0\.[01]\d in 400 deals"),
        (tables_of_next_seats, r"or to other seats.*points.* is -0\.[789]\d in 400 deals"),
        (tables_of_reversed_strains, r"strains .* in another order.*clubs.* is -0\.[67]\d in 400 deals"),
    ],
)
def test_wrong_pairings_are_refused(change, message, tmp_path: Path):
    deals = dk.solved_sample()[:1000]
    deals.replace(tables=change(deals.tables)).write(tmp_path / "wrong.zrd")
    with pytest.raises(dk.FileError, match=message):
        dk.read(tmp_path / "wrong.zrd")
    assert len(dk.read(tmp_path / "wrong.zrd", check=False)) == 1000


def test_what_cannot_be_checked_is_said(tmp_path: Path):
    deals = dk.solved_sample()
    deals[:99].write(tmp_path / "few.zrd")
    assert dk.read(tmp_path / "few.zrd").unchecked == (
        "whether the tables belong to the deals: 99 are solved; the check needs 100",
    )
    strong = deals.where("hcp(north) + hcp(south) >= 26")
    strong.write(tmp_path / "strong.zrd")
    assert "the deals are selected" in dk.read(tmp_path / "strong.zrd").unchecked[0]
    deals[:100].write(tmp_path / "enough.zrd")
    assert dk.read(tmp_path / "enough.zrd").unchecked == ()


# ------------------------------------------------------------ the library itself, with made-up tables
@pytest.fixture(scope="module")
def block(make_library_deals: Callable[[int, int], dk.Deals]) -> dk.Deals:
    """The first 65,536 deals of Pavlicek's library, with made-up tables."""
    return make_library_deals(0, 65_536)


def test_a_prefix_of_the_library_shows_its_terms(block: dk.Deals, tmp_path: Path):
    block.write(tmp_path / "rpdd.zrd")
    with pytest.warns(dk.TermsWarning, match="Richard Pavlicek .*non-commercial") as shown:
        library = dk.read(tmp_path / "rpdd.zrd")
    assert len(shown) == 1
    assert "non-commercial" in repr(library) and len(repr(library)) <= 200
    assert "Pavlicek" in library.terms
    text = dk.run("action average hcp(north)", source=library[:100]).text
    assert "100 deals of rpdd.zrd (Richard Pavlicek, rpbridge.net), " in text
    assert library.deals[60_000:].equals(block[60_000:])


def test_a_block_of_the_library_is_recognised(make_library_deals: Callable, tmp_path: Path):
    deals = make_library_deals(2 * 65_536, 65_536)
    deals.write(tmp_path / "third.zrd")
    with pytest.warns(dk.TermsWarning):
        assert dk.read(tmp_path / "third.zrd").deals.equals(deals)
    dk.Deals.concatenate([deals[:500], deals[501:], deals[:1]]).write(tmp_path / "third.zrd")
    with pytest.raises(dk.FileError, match="not the deal of this number"):
        dk.read(tmp_path / "third.zrd")


def test_deals_missing_from_the_library_are_found(block: dk.Deals, tmp_path: Path):
    shifted = dk.Deals.concatenate([block[:30_000], block[30_001:], block[:1]])
    shifted.write(tmp_path / "rpdd.zrd")
    with pytest.raises(dk.FileError, match=r"record \d\d,\d{3} .*not the deal of this number"):
        dk.read(tmp_path / "rpdd.zrd")


def test_the_full_size_must_begin_with_the_first_deal(tmp_path: Path):
    with open(tmp_path / "rpdd.zrd", "wb") as file:
        file.write(DEALERV2_SAMPLE)
        file.truncate(241_172_480)
    with pytest.raises(dk.FileError, match="does not begin with its first deal"):
        dk.read(tmp_path / "rpdd.zrd")


def test_a_library_is_sent_to_other_processes(solved: dk.Deals, tmp_path: Path):
    solved.write(tmp_path / "solved.zrd")
    library = dk.read(tmp_path / "solved.zrd").sample(50, seed=1)
    copy = pickle.loads(pickle.dumps(library))
    assert copy.deals.equals(library.deals)
    assert len(pickle.dumps(dk.read(tmp_path / "solved.zrd"))) < 1000
