"""Files of the older programs: library.dat of GIB and the deals of 52 bytes of DealerV2.

Expected values: the program `dealer` itself reading the files, records put together here bit by bit, and the layouts
of both formats.
"""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.formats.format import find_format

SHIM = Path(__file__).parents[1] / "data" / "gib_record.c"
DEAL = "N:J873.J42.Q65.KT2 AT652.A976.AJ82. Q4.85.KT9.A87643 K9.KQT3.743.QJ95"


@pytest.fixture(scope="module")
def deals() -> dk.Deals:
    return dk.solved_sample()[:1500]


@pytest.fixture
def library(deals: dk.Deals, tmp_path: Path) -> Path:
    deals.write(tmp_path / "library.dat")
    return tmp_path / "library.dat"


def make_record(deal: dk.Deals) -> bytes:
    """Return the record of a deal in library.dat, card by card."""
    hands, table = [int(hand) for hand in deal.hands[0]], deal.tables[0]
    record = b""
    for suit in range(4):  # clubs, diamonds, hearts, spades
        word = 0
        for place, rank in enumerate(reversed(range(13))):
            owner = next(seat for seat in range(4) if hands[seat] >> (16 * suit + rank) & 1)
            word |= owner << 2 * place
        record += word.to_bytes(4, "big")
    for strain in "NCDHS":
        word = 0
        for declarer, seat in enumerate("NESW"):
            leader = "NESW".index({"N": "E", "E": "S", "S": "W", "W": "N"}[seat])
            tricks = int(table["SHDCN".index(strain), declarer])
            word |= (13 - tricks if seat in "NS" else tricks) << 4 * leader
        record += word.to_bytes(2, "big")
    return record


# ------------------------------------------------------------ library.dat
def test_records_are_those_of_the_layout(deals: dk.Deals, library: Path):
    assert library.read_bytes()[: 26 * 50] == b"".join(make_record(deals[k : k + 1]) for k in range(50))


def test_solved_deals_are_read_back(deals: dk.Deals, library: Path):
    read = dk.read(library)
    assert find_format(library).name == "gib" and read.is_solved and not read.unchecked
    assert read.deals.equals(deals) and read[700:710].deals.equals(deals[700:710])
    assert (read.tables == deals.tables).all()
    assert pickle.loads(pickle.dumps(read)).deals.equals(deals)
    shutil.copy(library, library.with_name("other.bin"))  # by content, whatever the name
    assert dk.read(library.with_name("other.bin")).deals.equals(deals)


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that puts the fields of a record where a 64-bit `dealer` looks for them."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    path = tmp_path_factory.mktemp("shim") / "gib_record.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", path, SHIM], check=True, timeout=60)
    return path


def run_dealer(program: str, shim: Path, library: Path, first: int, count: int, script: str) -> str:
    """Return what `dealer` prints about deals of a library.dat."""
    done = subprocess.run(
        [program, "-v", "-l", str(first), "-p", str(count)], input=script, cwd=library.parent, encoding="utf-8",
        capture_output=True, check=True, timeout=30, env={**os.environ, "LD_PRELOAD": str(shim)},
    )  # fmt: skip
    return done.stdout


def test_the_live_program_reads_what_is_written(
    deals: dk.Deals, library: Path, shim: Path, dealer_program: str
):
    seats, strains = ("north", "east", "south", "west"), ("spades", "hearts", "diamonds", "clubs", "notrump")
    items = ", ' ', ".join(f"tricks({seat}, {strain})" for strain in strains for seat in seats)
    script = f"action printes({items}, \\n), printoneline".replace("'", '"')
    lines = run_dealer(dealer_program, shim, library, 200, 1300, script).splitlines()
    tricks = np.array([[int(number) for number in line.split()] for line in lines[::2]])
    assert (tricks.reshape(-1, 5, 4) == deals.tables[200:]).all()
    assert [line.strip() for line in lines[1::2]] == [line.strip() for line in deals[200:].to_lines()]


def test_a_run_prints_what_the_live_program_prints(library: Path, shim: Path, dealer_program: str):
    script = """condition hcp(north) >= 12 and tricks(south, notrump) >= 7
    action printall, printoneline, average "n" tricks(east, spades), frequency (tricks(west, clubs), 0, 13)"""
    expected = run_dealer(dealer_program, shim, library, 31, 40, script)
    result = dk.run(script, dialect="v1", source=dk.read(library)[31:], produce=40, statistics=False)
    assert result.text == expected and result.solver.solved == 0


def test_the_upper_bits_of_a_suit_mean_nothing(deals: dk.Deals, library: Path):
    content = np.fromfile(library, np.uint8).reshape(-1, 26)
    content[:, [0, 4, 8, 12]] |= 0xFC
    content.tofile(library)
    assert dk.read(library).deals.equals(deals)


@pytest.mark.parametrize(
    ("place", "change", "message"),
    [
        (26 * 3 + 15, 3, r"record 3 \(byte 78\): \w+ has \d+ cards; the file is damaged"),
        (26 * 3 + 19, 15, r"record 3 \(byte 96\): 1[45] tricks of east and west in clubs"),
    ],
)
def test_damaged_records_are_refused(place: int, change: int, message: str, library: Path):
    content = bytearray(library.read_bytes())
    content[place] ^= change if change == 3 else 0
    content[place] |= change if change == 15 else 0
    library.write_bytes(content)
    with pytest.raises(dk.FileError, match=message):
        dk.read(library)


def test_truncated_and_shifted_files_are_refused(deals: dk.Deals, library: Path):
    content = library.read_bytes()
    library.write_bytes(content[:-1])
    with pytest.raises(dk.FileError, match="38,999 bytes are not whole records of 26"):
        dk.read(library)
    wrong = np.roll(deals.tables, 1, axis=0)
    deals.replace(tables=wrong).write(library)
    with pytest.raises(dk.FileError, match="belong to other deals"):
        dk.read(library)
    assert (dk.read(library, check=False).tables == wrong).all()


def test_deals_without_tables_are_not_written(deals: dk.Deals, tmp_path: Path):
    with pytest.raises(dk.ArgumentError, match=r"deal 0 has no complete table.*\.zrd"):
        deals.replace(tables=None).write(tmp_path / "library.dat")
    tables = deals.tables.copy()
    tables[77, 2, 1] = -1
    with pytest.raises(dk.ArgumentError, match="deal 77 has no complete table"):
        deals.replace(tables=tables).write(tmp_path / "library.dat")
    assert not any(tmp_path.iterdir())


# ------------------------------------------------------------ 52 bytes a deal
def test_a_deal_of_52_bytes(tmp_path: Path):
    dk.Deals.from_pbn([DEAL]).write(tmp_path / "deal.dl52")
    ranks = "23456789TJQKA"
    expected = bytes(
        16 * suit + ranks.index(rank)
        for hand in DEAL[2:].split()
        for suit, cards in zip((3, 2, 1, 0), hand.split("."), strict=True)
        for rank in cards
    )
    assert (tmp_path / "deal.dl52").read_bytes() == expected
    assert dk.read(tmp_path / "deal.dl52").deals.to_pbn() == [DEAL]


def test_deals_of_52_bytes_are_read_back(deals: dk.Deals, rng: np.random.Generator, tmp_path: Path):
    path = tmp_path / "deals.dl52"
    deals.write(path)
    read = dk.read(path)
    assert (read.deals.hands == deals.hands).all() and read.tables is None and not read.is_solved
    content = np.fromfile(path, np.uint8).reshape(-1, 13)
    rng.permuted(content, axis=1).tofile(tmp_path / "unsorted")
    assert find_format(tmp_path / "unsorted").name == "dl52"
    assert (dk.read(tmp_path / "unsorted").deals.hands == deals.hands).all()


@pytest.mark.parametrize(
    ("card", "message"),
    [
        (0x3D, r"record 1 \(byte 54\): the byte 61 of north is not a card"),
        (0xFF, r"record 1 \(byte 54\): the byte 255 of north is not a card"),
        (None, r"record 1 \(byte 55\): \w\w is twice in the deal, with north and north"),
    ],
)
def test_damaged_deals_are_refused(card: int | None, message: str, deals: dk.Deals, tmp_path: Path):
    path = tmp_path / "deals.dl52"
    deals[:3].write(path)
    content = bytearray(path.read_bytes())
    content[54] = content[55] if card is None else card
    path.write_bytes(content)
    with pytest.raises(dk.FileError, match=message):
        dk.read(path)


# ------------------------------------------------------------ both
@pytest.mark.parametrize("n_files", [100, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["library.dat", "deals.dl52"])
def test_mutated_files(name: str, n_files: int, deals: dk.Deals, rng: np.random.Generator, tmp_path: Path):
    path = tmp_path / name
    deals[:120].write(path)
    content, n_read = path.read_bytes(), 0
    entry = find_format(path).name
    for _ in range(n_files):
        changed = bytearray(content)
        for _ in range(int(rng.integers(1, 4))):
            place = int(rng.integers(len(changed)))
            match rng.integers(5):
                case 0:
                    changed[place] = rng.integers(256)
                case 1:
                    del changed[place : place + int(rng.integers(1, 60))]
                case 2:
                    changed[place:place] = rng.bytes(int(rng.integers(1, 60)))
                case 3:
                    changed[place:] = changed[place:] + changed[:place]
                case 4:
                    changed[place - 1], changed[place] = changed[place], changed[place - 1]
        path.write_bytes(changed)
        try:
            read = dk.read(path, format=entry)
            read.deals.check()
        except dk.DealerkitError:
            continue
        n_read += 1
        assert read.tables is None or ((read.tables >= 0) & (read.tables <= 13)).all()
        del read  # Windows overwrites no file that is mapped
    assert 0 < n_read < n_files
