"""Files that hold no deals: the message says what they are; a warning says what was skipped."""

from __future__ import annotations

import gzip
import io
import json
import os
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit.formats.format import describe_content, find_format, find_formats
from tests.support.platforms import needs_named_pipes

DEAL = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"


def make_zip(name: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "text")
    return file.getvalue()


def make_arrays() -> bytes:
    file = io.BytesIO()
    np.savez(file, hands=np.zeros(3))
    return file.getvalue()


FILES = {
    "a picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 8,
    "a PDF document": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj [Event \"x\"]",
    "gzip; unpack it": gzip.compress(f'[Deal "{DEAL}"]'.encode()),
    "zip archive; unpack it": make_zip("club.pbn"),
    "Excel workbook; save the table as CSV": make_zip("xl/workbook.xml"),
    "arrays of numpy": make_arrays(),
    "a notebook": json.dumps({"cells": [], "nbformat": 4}, indent=1).encode(),
    "JSON; make a table": json.dumps({"deals": [DEAL]}).encode(),
    "JSON": json.dumps([DEAL]).encode(),
    "this web page": b"<!DOCTYPE html>\n<html><body>results</body></html>",
    "XML": b'<?xml version="1.0"?>\n<boards></boards>',
    "script of the dealer language; run it": b"# strong\npredeal north SA\ncondition hcp(north) > 20\n",
    "binary data": bytes(np.random.default_rng(1).integers(0, 256, 5000, np.uint8)),
    "the formats are parquet": b"Dear Ann,\nthe boards will come on Monday.\n",
    "empty": b"",
}  # fmt: skip


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("name", ["some.bin", "some.pbn", "some.zrd", "some.csv"])
def test_foreign_files_are_refused_with_their_kind(kind: str, name: str, tmp_path: Path):
    path = tmp_path / name
    path.write_bytes(FILES[kind])
    with pytest.raises(dk.FileError) as caught:
        dk.read(path)
    text = str(caught.value)
    assert name in text and len(text) < 500
    is_binary = not FILES[kind].isascii()
    if (
        name == "some.bin"
        or (is_binary and not name.endswith("zrd"))
        or name == "some.pbn"
        and kind not in ("the formats are parquet",)
    ):
        assert kind in text


@pytest.mark.parametrize("entry", list(find_formats()))
@pytest.mark.parametrize("kind", ["a picture", "gzip; unpack it", "zip archive; unpack it", "a PDF document"])
def test_a_format_that_is_given_does_not_hide_the_kind(kind: str, entry: str, tmp_path: Path):
    (tmp_path / "some.bin").write_bytes(FILES[kind])
    with pytest.raises(dk.FileError, match=f"not a file of the format {entry}; this is .*{kind}"):
        dk.read(tmp_path / "some.bin", format=entry)


def test_no_random_bytes_are_recognised(rng: np.random.Generator, tmp_path: Path):
    formats = find_formats().values()
    for _ in range(300):
        head = rng.bytes(int(rng.integers(1, 4001)))
        assert not [entry.name for entry in formats if entry.recognise(head)]
    letters = np.frombuffer(bytes(range(32, 127)) + b"\n\r\t", np.uint8)
    for _ in range(300):
        head = rng.choice(letters, int(rng.integers(1, 4001))).tobytes()
        assert not {entry.name for entry in formats if entry.recognise(head)} - {"pbn"}


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        "2" * 200,
        "ABC 123\n" * 40,
        '["N:AK"]',
        "def f(x):\n    return x\n" * 20,
        "%PDF-1.4\n" * 20,
    ],
)
def test_text_is_not_taken_for_records(text: str):
    assert not [entry.name for entry in find_formats().values() if entry.recognise(text.encode())]


def test_long_text_is_described_quickly():
    for text in ("n ", "\n", " \n", "<", "[" * 10, "condition", "% \n", "{" + '"a",'):
        describe_content((text * 4000).encode()[:4000])


def test_boards_are_not_taken_for_foreign_files(tmp_path: Path):
    dk.deal(3, seed=1).write(tmp_path / "a.pbn")
    text = (tmp_path / "a.pbn").read_text("utf-8")
    for content in (text.encode("utf-16"), text.encode("utf-16-be"), b"\xef\xbb\xbf" + text.encode()):
        (tmp_path / "b.dat").write_bytes(content)
        assert find_format(tmp_path / "b.dat").name == "pbn"


def test_one_warning_says_what_was_skipped(tmp_path: Path):
    boards = [f'[Board "{n}"]\n[Deal "{DEAL if n % 2 else ""}"]\n' for n in range(1, 13)]
    (tmp_path / "club.pbn").write_text("\n".join(boards))
    with pytest.warns(dk.SkippedWarning) as caught:
        library = dk.read(tmp_path / "club.pbn")
    assert [str(warning.message) for warning in caught] == [
        "club.pbn: 6 of 12 boards were skipped: line 5: board 2: no deal; line 11: board 4: no deal; "
        "line 17: board 6: no deal; 3 more. `library.skipped` lists them"
    ]
    assert caught[0].filename == __file__
    assert library.skipped.columns.tolist() == ["file", "line", "reason"]
    assert library.skipped.values.tolist()[0] == ["club.pbn", 5, "board 2: no deal"]
    assert issubclass(dk.SkippedWarning, dk.DealerkitWarning)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (tmp_path / "club.pbn").write_text("\n".join(boards[::2]))
        assert dk.read(tmp_path / "club.pbn").skipped.empty


def test_dealer_and_vulnerability_of_a_frame_are_words(tmp_path: Path):
    deals = dk.deal(5, seed=1).replace(dealer=[0, 1, 2, 3, -1], vulnerable=[0, 1, 2, 3, -1], board=[-1] * 5)
    deals.write(tmp_path / "deals.csv")
    frame = dk.read(tmp_path / "deals.csv").frame
    assert frame["dealer"].tolist()[:4] == ["north", "east", "south", "west"] and frame["dealer"].isna()[4]
    assert frame.vulnerable.tolist()[:4] == ["none", "ns", "ew", "both"] and frame.vulnerable.isna()[4]


@pytest.mark.parametrize("name", ["deals.zrd", "library.dat", "deals.dl52", "deals.csv"])
def test_a_file_that_is_being_read_is_replaced(name: str, tmp_path: Path):
    deals = dk.solved_sample()[:30]
    deals.write(tmp_path / name)
    library, same = dk.read(tmp_path / name), dk.read(tmp_path / name)
    library.write(tmp_path / name)
    assert (dk.read(tmp_path / name).deals.hands == deals.hands).all()
    library[:7].write(tmp_path / name)
    assert len(dk.read(tmp_path / name)) == 7
    assert (library.deals.hands == deals.hands).all() and (same.deals.hands == deals.hands).all()


# ---------------------------------------------------------------- places that are no files
@needs_named_pipes
def test_pipes_and_devices_are_refused(tmp_path: Path):
    os.mkfifo(tmp_path / "club.pbn")
    for path, kind in ((tmp_path / "club.pbn", "a pipe"), ("/dev/zero", "a device")):
        for form in (None, "pbn", "csv", "zrd"):
            with pytest.raises(dk.FileError, match=f"this is {kind}, not a file"):
                dk.read(path, format=form)


def test_names_that_are_none_are_refused(tmp_path: Path):
    with pytest.raises(dk.FileError, match="null (byte|character)"):
        dk.read("club\0.pbn")
    for path in (None, 5):
        with pytest.raises(dk.ArgumentError, match="it must be the name of a file"):
            dk.deal(1, seed=1).write(path)
        with pytest.raises(dk.ArgumentError, match="it must be the name of a file"):
            dk.deal(1, seed=1).write(path, format="pbn")


@pytest.mark.parametrize("name", ["huge.pbn", "huge.lin", "huge.zrd", "huge.dat", "huge.bin"])
def test_a_sparse_file_is_refused_at_once(name: str, tmp_path: Path):
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(3_000_000_000)
    with pytest.raises(dk.FileError, match="binary data|record 0|not whole records of (23|26):"):
        dk.read(path)


def test_a_text_larger_than_the_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("dealerkit.formats.text_files.memory_bytes", lambda: 4_000)
    for name in ("club.pbn", "club.lin", "club.csv", "club.txt"):
        dk.deal(20, seed=1).write(tmp_path / name)
        with pytest.raises(dk.MemoryLimitError, match=rf"{name}: a text of .* split the file"):
            dk.read(tmp_path / name)


# ---------------------------------------------------------------- unusual files
@pytest.mark.parametrize("name", ["club.pbn", "club.lin", "club.csv", "club.txt"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r", b"\r\r\n"])
def test_ends_of_lines(name: str, end: bytes, tmp_path: Path):
    path = tmp_path / name
    deals = dk.solved_sample()[:3].number_boards(5)
    deals.write(path)
    before = dk.read(path)
    path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", end))
    after = dk.read(path)
    assert after.deals.equals(before.deals) and after.texts == before.texts and len(after.skipped) == 0


def test_unknown_dealers_and_vulnerabilities_are_remarked(tmp_path: Path):
    rows = [
        "deal,dealer,vulnerable",
        f"{DEAL},north,both",
        f"{DEAL},,",
        f"{DEAL},up,north-south",
        f"{DEAL},S,all",
    ]
    path = tmp_path / "club.csv"
    path.write_text("\n".join(rows))
    library = dk.read(path)
    assert library.content.remarks == [(4, "unknown dealer 'up'"), (4, "unknown vulnerability 'north-south'")]
    assert library.deals.dealer.tolist() == [0, -1, -1, 2]
    board = "qx|o1|md|1SAKQJHAKQJDAKQJCA,HT98765432DT987,ST98765432CT987,|sv|"
    lines = [f"{board}{text}|" for text in ("x", "B", "0")]
    path = tmp_path / "club.lin"
    path.write_text("\n".join(lines))
    library = dk.read(path)
    assert library.content.remarks == [(1, "unknown vulnerability 'x'")]
    assert library.deals.vulnerable.tolist() == [-1, 3, 0]


def test_skipped_deals_of_parquet_have_rows(tmp_path: Path):
    pd.DataFrame({"deal": [DEAL, "N:A", DEAL]}).to_parquet(tmp_path / "some.parquet")
    with pytest.warns(dk.SkippedWarning, match="1 of 3 boards was skipped: row 2: "):
        dk.read(tmp_path / "some.parquet")
