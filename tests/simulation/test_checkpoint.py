"""Runs with a checkpoint: killed at any instant, the next start gives what an unbroken run gives."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import ArgumentError, FileError
from dealerkit.runtime import checkpoints
from tests.support.stopped_saves import stop_after

AVERAGES = """condition hcp(north) >= 12 and spades(south) >= 4
action average "points" hcp(south), average "real" hcp(south) / (1 + spades(north)),
  frequency "spades" (spades(north), 0, 13), frequency "two" (hcp(north), 12, 20, hcp(south), 0, 20)"""
SCRIPTS = {
    "plain": (AVERAGES, {"produce": 6_000, "plan": "plain"}),
    "conditional": (AVERAGES, {"produce": 30_000, "plan": "conditional", "keep": 5_000}),
    "swap": (AVERAGES, {"generate": 100_000, "swap": 3, "keep": 300}),
    "random": ("condition rnd(3) == 0 action average rnd(10)", {"generate": 100_000, "keep": 300}),
    "printed": (
        "hcp(north) >= 25 action printoneline, average hcp(south), print(north), csvrpt(hcp(north))",
        {"produce": 60},
    ),
    "classic": (
        "condition hcp(north) > 20 action average hcp(south)",
        {"generate": 9_000, "stream": "classic"},
    ),
    "solved": ("condition hcp(north) > 18 action average tricks(north, notrump)", {"produce": 24}),
}


def run(script: str, **options: Any) -> dk.Result:
    return dk.run_script(script, dk.RunOptions(**options))


def check_equal(result: dk.Result, expected: dk.Result) -> None:
    """Raise unless two results are the same bit for bit."""
    assert (result.produced, result.generated, result.seed) == (
        expected.produced, expected.generated, expected.seed,
    )  # fmt: skip
    assert np.array_equal(result.deals.hands, expected.deals.hands)
    assert np.array_equal(result.numbers, expected.numbers)
    assert result.text == expected.text
    assert result.probability == expected.probability
    for report, other in zip(result.reports, expected.reports, strict=True):
        assert report.frame.equals(other.frame)
    columns = result.to_frame().drop(columns="deal")
    assert columns.equals(expected.to_frame().drop(columns="deal"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_run_continues_where_it_was_killed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, options = SCRIPTS[name]
    options = {"seed": 5, "statistics": False, **options}
    unbroken = run(script, **options)
    file = tmp_path / "run.checkpoint"
    for n_batches in (2, 1):
        with monkeypatch.context() as patch, pytest.raises(SystemExit):
            stop_after(patch, n_batches, SystemExit)
            run(script, checkpoint=file, **options)
    again = run(script, checkpoint=file, **options)
    check_equal(again, unbroken)
    check_equal(run(script, checkpoint=file, **options), unbroken)  # of a complete run
    threads = run(script, threads=1, **options)
    check_equal(threads, unbroken)


def test_a_run_without_a_seed_keeps_that_of_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, script = tmp_path / "run.checkpoint", "hcp(north) > 15 action average hcp(south)"
    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        stop_after(patch, 2, SystemExit)
        dk.run(script, checkpoint=file, produce=20_000, statistics=False)
    seed = checkpoints.read_seed(file)
    result = dk.run(script, checkpoint=file, produce=20_000, statistics=False)
    assert result.seed == seed
    check_equal(result, dk.run(script, seed=seed, produce=20_000, statistics=False))


def test_texts_for_functions_of_the_caller_are_written_from_the_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, file = "hcp(north) >= 24 action printpbn, print(north)", tmp_path / "run.checkpoint"
    expected: dict[str, list[str]] = {"text": [], "rest": []}
    options = {"seed": 5, "produce": 40, "statistics": False}
    dk.run_script(
        script, dk.RunOptions(write=expected["text"].append, write_rest=expected["rest"].append, **options)
    )
    written: list[str] = []
    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        stop_after(patch, 3, SystemExit)
        dk.run_script(
            script, dk.RunOptions(write=written.append, write_rest=written.append, checkpoint=file, **options)
        )
    again: dict[str, list[str]] = {"text": [], "rest": []}
    dk.run_script(
        script,
        dk.RunOptions(
            write=again["text"].append, write_rest=again["rest"].append, checkpoint=file, **options
        ),
    )
    for name in expected:
        assert "".join(again[name]) == "".join(expected[name])


@pytest.mark.slow
def test_processes_continue_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"seed": 5, "generate": 3_000_000, "plan": "plain", "statistics": False, "keep": 100}
    unbroken, file = dk.run(AVERAGES, **options), tmp_path / "run.checkpoint"
    with ProcessPoolExecutor(2) as pool:
        with monkeypatch.context() as patch, pytest.raises(SystemExit):
            stop_after(patch, 2, SystemExit)
            dk.run(AVERAGES, checkpoint=file, executor=pool, **options)
        check_equal(dk.run(AVERAGES, checkpoint=file, executor=pool, **options), unbroken)


def test_files_of_other_runs_and_damaged_files_are_refused(tmp_path: Path) -> None:
    script, file = "hcp(north) > 15 action average hcp(south)", tmp_path / "run.checkpoint"
    dk.run(script, checkpoint=file, produce=100, seed=1)
    content = file.read_bytes()
    for script_2, options, reason in (
        (script, {"produce": 100, "seed": 2}, "seed=1 instead of 2"),
        (script, {"produce": 99, "seed": 1}, "produce=100 instead of 99"),
        (script.replace("15", "14"), {"produce": 100, "seed": 1}, "script="),
        (
            script,
            {"produce": 100, "seed": 1, "source": dk.deal(200, seed=3)},
            "(generate|plan|source)=",
        ),
    ):
        with pytest.raises(
            FileError,
            match=f"run.checkpoint: this checkpoint belongs to another call of dk.run, with {reason}",
        ):
            dk.run(script_2, checkpoint=file, **options)
        assert file.read_bytes() == content
    rng = random.Random(7)
    for _ in range(40):
        damaged = bytearray(content)
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        file.write_bytes(damaged)
        try:
            result = dk.run(script, checkpoint=file, produce=100, seed=1)
        except FileError as error:
            assert "run.checkpoint" in str(error)
        else:  # a byte that nothing depends on, such as a date
            assert result.produced == 100
    file.write_text("my own notes")
    with pytest.raises(FileError, match="this is not a checkpoint, or it is damaged"):
        dk.run(script, checkpoint=file, produce=100)
    assert file.read_text("utf-8") == "my own notes"


@pytest.mark.parametrize(
    "script, options, reason",
    [
        ("action csvrpt(hcp(north))", {"files": {"csvrpt": "out.csv"}}, "cannot be combined with files="),
        ("condition rnd(3) == 0", {"stream": "classic"}, "evaluated before the next one is dealt"),
        ("action average hcp(north)", {"checkpoint": 5}, "give the name of a file"),
    ],
)
def test_what_cannot_continue_is_refused(script: str, options: dict, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=reason):
        dk.run_script(
            script, dk.RunOptions(**{"produce": 3, "seed": 1, "checkpoint": tmp_path / "x", **options})
        )


@pytest.mark.parametrize("kind", ["compressed", "overlapping"])
def test_a_file_that_grows_when_it_is_read_is_refused(kind: str, tmp_path: Path) -> None:
    """Before anything of it is read: its content is no larger than the file."""
    file = tmp_path / "a.checkpoint"
    script = "action average hcp(north)"
    run(script, produce=10, seed=1, checkpoint=file)
    with zipfile.ZipFile(file) as archive:
        content = json.loads(archive.read("checkpoint.json"))
        members = {name: archive.read(name) for name in archive.namelist()}
    if kind == "compressed":
        content["state"]["texts"][""] = " " * 50_000_000
        members["checkpoint.json"] = json.dumps(content).encode()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members.items():
                archive.writestr(name, data)
        assert file.stat().st_size < 1_000_000
    else:
        with zipfile.ZipFile(file, "a") as archive:
            archive.filelist += archive.filelist[:1] * 50
            archive._didModify = True
    with pytest.raises(FileError, match="this is not a checkpoint, or it is damaged"):
        run(script, produce=10, seed=1, checkpoint=file)


def find_all(value: Any, name: str) -> list[Any]:
    """Return the values of a name anywhere in a value that JSON has."""
    if isinstance(value, dict):
        found = [value[name]] if name in value else []
        return found + [part for item in value.values() for part in find_all(item, name)]
    return [part for item in value for part in find_all(item, name)] if isinstance(value, list) else []


def test_sums_that_no_values_have_are_refused(tmp_path: Path) -> None:
    file, script = tmp_path / "a.checkpoint", "action average hcp(north), frequency(hcp(north), 0, 40)"
    run(script, produce=10, seed=1, checkpoint=file)
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    (sums,) = find_all(json.loads(members["checkpoint.json"]), "sums")
    w, wx, wxx = (int(number) for number in sums[:3])
    assert wx * wx <= w * wxx
    for place, value in ((0, -w), (2, wx * wx // w - 1), (2, -1), (3, 0), (4, 0), (5, -1), (6, wx * w)):
        content = json.loads(members["checkpoint.json"])
        (changed,) = find_all(content, "sums")
        changed[place] = str(value)
        with zipfile.ZipFile(file, "w") as archive:
            for name, data in {**members, "checkpoint.json": json.dumps(content).encode()}.items():
                archive.writestr(name, data)
        with pytest.raises(FileError, match="sums of a mean are impossible"):
            run(script, produce=10, seed=1, checkpoint=file)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("texts", {"": True}),
        ("produced", -1),
        ("produced", 10**6),
        ("generated", 10**30),
        ("table", None),
        ("ledger", {"requested": "many"}),
    ],
)
def test_other_values_that_no_run_has_are_refused(name: str, value: Any, tmp_path: Path) -> None:
    file, script = tmp_path / "a.checkpoint", "action frequency(hcp(north), 0, 40), printoneline"
    run(script, produce=10, seed=1, checkpoint=file)
    with zipfile.ZipFile(file) as archive:
        members = {item: archive.read(item) for item in archive.namelist()}
    content = json.loads(members["checkpoint.json"])
    if name == "table":  # a cell has one more than the deals
        (table,) = find_all(content, "table")
        members[table] = members[table][:-8] + (5).to_bytes(8, "little")
    else:
        content["state"][name] = value
    with zipfile.ZipFile(file, "w") as archive:
        for item, data in {**members, "checkpoint.json": json.dumps(content).encode()}.items():
            archive.writestr(item, data)
    with pytest.raises(FileError, match="this is not a checkpoint, or it is damaged"):
        run(script, produce=10, seed=1, checkpoint=file)


def test_a_checkpoint_has_no_code(tmp_path: Path) -> None:
    file = tmp_path / "run.checkpoint"
    dk.run(AVERAGES, checkpoint=file, produce=100, seed=1)
    with zipfile.ZipFile(file) as archive:
        assert {Path(name).suffix for name in archive.namelist()} == {".json", ".npy"}
        json.loads(archive.read("checkpoint.json"))


KILLED = """
import sys, dealerkit as dk
from dealerkit.runtime import checkpoints as file
file.SAVE_SECONDS, file.SAVE_SHARE = 0.0, 0.5
result = dk.run(sys.argv[2], checkpoint=sys.argv[1], seed=5, statistics=False, **eval(sys.argv[3]))
print(result.produced, result.generated, [report.frame.to_csv() for report in result.reports])
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["conditional", "solved"])
def test_twenty_kills_at_random_instants(name: str, tmp_path: Path) -> None:
    script, options = SCRIPTS[name]
    options = {**options, "produce": {"conditional": 60_000_000, "solved": 1_500}[name]}
    environment = {**os.environ, "DEALERKIT_STORE": "off"}

    def start(file: Path) -> subprocess.Popen:
        command = [sys.executable, "-c", KILLED, str(file), script, repr(options)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8", env=environment)

    began = time.perf_counter()
    unbroken = start(tmp_path / "unbroken").communicate()[0]
    seconds, rng, n_killed = time.perf_counter() - began, random.Random(3), 0
    file = tmp_path / "killed"
    while n_killed < 20:
        process = start(file)
        try:
            text = process.communicate(timeout=1.5 + rng.random() * seconds / 10)[0]
            assert text == unbroken
            file.unlink()  # it came to its end between kills; begin again
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            n_killed += 1
    assert start(file).communicate()[0] == unbroken != ""
