"""Produced deals as a folder of Parquet files."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import Future
from pathlib import Path

import pandas as pd
import pytest

import dealerkit as dk
from dealerkit.cli import main
from dealerkit.simulation import frames

pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra parquet)")
import pyarrow.dataset as pds

SCRIPT = 'points = hcp(east) * 0.5 condition hcp(north) > 12 action average "x" hcp(south), average points'
SETTINGS = {"generate": 60_000, "seed": 5, "statistics": False}


class InlineExecutor:
    """An executor that runs each task at once, here."""

    _max_workers = 1

    def submit(self, work, *arguments):
        future: Future = Future()
        future.set_result(work(*arguments))
        return future


@pytest.fixture(scope="module")
def single(tmp_path_factory) -> pd.DataFrame:
    """Return the frame that the same run writes into one file."""
    path = tmp_path_factory.mktemp("single") / "deals.parquet"
    dk.run(SCRIPT, **SETTINGS, frame=path)
    return pd.read_parquet(path)


@pytest.fixture
def small_parts(monkeypatch) -> None:
    monkeypatch.setattr(frames, "PART_ROWS", 5_000)
    monkeypatch.setattr(frames, "GROUP_ROWS", 2_000)


def assert_same(folder: Path, single: pd.DataFrame) -> None:
    """Assert that a folder has the rows of a file, in their order, with their types."""
    names = sorted(os.listdir(folder))
    assert names == [f"part-{i:08}.parquet" for i in range(len(names))]
    there = pd.read_parquet(folder)
    assert list(there.columns) == list(single.columns) and there.dtypes.equals(single.dtypes)
    assert there.equals(single)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_folder_has_the_rows_of_a_file(threads: int, tmp_path, single, small_parts) -> None:
    dk.run(SCRIPT, **SETTINGS, threads=threads, frame=f"{tmp_path}/deals/")
    assert_same(tmp_path / "deals", single)
    assert len(os.listdir(tmp_path / "deals")) == 2 and os.listdir(tmp_path) == ["deals"]
    assert pds.dataset(tmp_path / "deals").count_rows() == len(single)


@pytest.mark.slow
def test_other_programs_read_a_folder_as_one(tmp_path, single, small_parts) -> None:
    dk.run(SCRIPT, **SETTINGS, frame=tmp_path / "deals")
    expected = {name: single[name].tolist() for name in ("points", "x")}
    readers = {
        "polars": lambda polars: polars.read_parquet(tmp_path / "deals").to_pandas(),
        "duckdb": lambda duckdb: duckdb.sql(f"SELECT * FROM '{tmp_path}/deals/*.parquet'").df(),
        "dask.dataframe": lambda dask: dask.read_parquet(tmp_path / "deals").compute(),
    }
    for module, read in readers.items():
        frame = read(pytest.importorskip(module))
        assert list(frame.columns) == list(single.columns)
        assert {name: frame[name].tolist() for name in expected} == expected


def test_no_deals_are_one_empty_part(tmp_path) -> None:
    with pytest.warns(dk.NothingProducedWarning):
        dk.run("condition hcp(north) > 36 action average 1", generate=100, seed=1, frame=tmp_path / "a")
    assert len(pd.read_parquet(tmp_path / "a")) == 0 and len(os.listdir(tmp_path / "a")) == 1


def test_only_own_folders_are_replaced(tmp_path, single) -> None:
    own = tmp_path / "own"
    own.mkdir(0o750)
    for seed in (1, 5):
        dk.run(SCRIPT, **SETTINGS | {"seed": seed}, frame=own)
    assert_same(own, single)
    if os.name == "posix":
        assert own.stat().st_mode & 0o777 == 0o750
    others = tmp_path / "others"
    others.mkdir()
    for name in ("notes.txt", "part-00000000.parquet"):
        for file in others.iterdir():
            file.unlink()
        (others / name).write_text("mine")
        with pytest.raises(dk.FileError, match=f"files that no run has written, such as {name}"):
            dk.run(SCRIPT, **SETTINGS, frame=others)
        assert (others / name).read_text("utf-8") == "mine"
    for name, message in (
        ("a.csv/", "write a frame to"),
        ("a.txt", "write a frame to"),
        ("b/c/", "No such file"),
    ):
        with pytest.raises((dk.ArgumentError, dk.FileError), match=message):
            dk.run(SCRIPT, **SETTINGS, frame=f"{tmp_path}/{name}")
    (tmp_path / "file").write_text("")
    with pytest.raises(dk.FileError, match="this is a file"):
        dk.run(SCRIPT, **SETTINGS, frame=tmp_path / "file")
    assert sorted(os.listdir(tmp_path)) == ["file", "others", "own"]


def test_a_run_that_fails_leaves_the_folder_as_it_was(tmp_path, single, small_parts) -> None:
    dk.run(SCRIPT, **SETTINGS, frame=tmp_path / "deals")
    with pytest.raises(dk.DivisionByZeroError):
        dk.run("condition 10 / (hcp(north) - 25) < 5", produce=200_000, seed=1, frame=tmp_path / "deals")
    assert_same(tmp_path / "deals", single)
    assert os.listdir(tmp_path) == ["deals"]


def test_the_command_writes_a_folder(tmp_path, single, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.dealer").write_text(SCRIPT, encoding="utf-8")
    assert main(["run", "-v", "-s", "5", "-g", "60000", "--frame", "deals/", "a.dealer"]) == 0
    assert_same(tmp_path / "deals", single)


@pytest.mark.parametrize("options", [{}, {"executor": InlineExecutor()}])
def test_a_run_with_a_checkpoint_continues_its_folder(options, tmp_path, single, monkeypatch) -> None:
    from dealerkit.runtime import checkpoints as file

    options = {**SETTINGS, **options, "frame": tmp_path / "deals", "checkpoint": tmp_path / "a.checkpoint"}
    monkeypatch.setattr(frames, "SENT_ROWS", 900)
    monkeypatch.setattr(file, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(file, "SAVE_SHARE", float("inf"))
    save, saved = file.CheckpointFile.save, []

    def save_and_stop(self, describe) -> None:
        save(self, describe)
        saved.append(0)
        if len(saved) in (2, 3):
            raise SystemExit

    for _ in range(2):
        with monkeypatch.context() as patch, pytest.raises(SystemExit):
            patch.setattr(file.CheckpointFile, "save", save_and_stop)
            dk.run(SCRIPT, **options)
        assert not (tmp_path / "deals").exists()
        (folder,) = tmp_path.glob(".deals.*")
        (folder / "new" / "part-00000099.parquet").write_bytes(b"not complete")
    for _ in range(2):  # the second run is complete when it starts
        dk.run(SCRIPT, **options)
        assert_same(tmp_path / "deals", single)
        assert sorted(os.listdir(tmp_path)) == ["a.checkpoint", "deals"]
    dk.run(SCRIPT, **SETTINGS | {"seed": 1}, frame=tmp_path / "deals")  # the parts of another run
    with pytest.raises(dk.FileError, match="part-00000000.parquet that the checkpoint needs is missing"):
        dk.run(SCRIPT, **options)
    with pytest.raises(dk.ArgumentError, match="write the frame to a folder"):
        dk.run(SCRIPT, **options | {"frame": tmp_path / "a.csv"})


@pytest.mark.slow
def test_a_killed_run_leaves_nothing_for_long(tmp_path, single) -> None:
    code = "import dealerkit as dk; dk.run('action average 1', generate=10**9, seed=1, frame='deals/')"
    process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path)
    while not list(tmp_path.glob(".deals.*/new/*.parquet")):
        time.sleep(0.05)
    process.kill()
    process.wait()
    assert not (tmp_path / "deals").exists() and len(os.listdir(tmp_path)) == 1
    dk.run(SCRIPT, **SETTINGS, frame=tmp_path / "deals")
    assert_same(tmp_path / "deals", single)
    assert os.listdir(tmp_path) == ["deals"]
