"""Mistakes that users made, and what they are told; each was a traceback, a wrong number or a full memory."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.cli import FAILED, main
from dealerkit.files import write_atomically


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"level": "x"}, "level is 'x'"),
        ({"give_up": "x"}, "give_up is 'x'"),
        ({"give_up": float("nan")}, "give_up is nan"),
        ({"give_up": -1}, "give_up is -1"),
        ({"frame": 5}, "frame is 5"),
        ({"files": "x"}, "files is 'x'"),
        ({"predeal": "x"}, "predeal is 'x'"),
        ({"predeal": {"north": 5}}, "predeal of north: 5"),
        ({"predeal": {"north": [5]}}, "predeal of north: 5"),
        ({"predeal": {"north": {"spades": 5.0}}}, "whole number, not 5.0"),
        ({"predeal": dk.deal(1, seed=1)[0]}, "it is a mapping"),
    ],
)
def test_an_argument_of_a_wrong_type_is_told_by_name(arguments: dict, told: str) -> None:
    with pytest.raises(dk.DealerkitError, match=told):
        dk.run("condition hcp(north) > 9", generate=10, **arguments)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: dk.probability(5),  # type: ignore[arg-type]
        lambda: dk.distribution("hcp(north)", given=5),  # type: ignore[arg-type]
        lambda: dk.deal(2, seed=1).eval(5),  # type: ignore[arg-type]
        lambda: dk.deal(2, given=5),  # type: ignore[arg-type]
        lambda: dk.parse(5),  # type: ignore[arg-type]
    ],
)
def test_a_number_is_no_text_of_the_language(ask) -> None:
    with pytest.raises(dk.ArgumentError, match="5"):
        ask()


def test_what_holds_no_deals_is_told_by_its_type() -> None:
    with pytest.raises(dk.ArgumentError, match="str"):
        dk.evaluate("N:", "hcp", "north")  # type: ignore[arg-type]
    with pytest.raises(dk.ArgumentError, match="str"):
        dk.compare(["hcp"], "N:")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "place"),
    [("hcp(north", "script:1:4"), ("", "given is ''"), ("x = hcp(north)", "condition such as")],
)
def test_a_mistake_in_given_is_told_at_its_place(given: str, place: str) -> None:
    with pytest.raises(dk.DealerkitError) as caught:
        dk.deal(1, given=given)
    assert place in str(caught.value) and "action" not in str(caught.value)


def test_given_may_hold_variables_and_a_comment() -> None:
    deals = dk.deal(20, seed=1, given="points = hcp(north) points >= 17 # strong")
    assert (deals.eval("hcp(north)") >= 17).all() and len(deals) == 20


def test_tricks_that_are_not_known_have_no_score() -> None:
    with pytest.raises(dk.ArgumentError, match="tricks is -1 in row 2"):
        dk.score("3NT", np.array([9, 10, -1]))
    # in the language tricks may be any expression: six down is 300 without vulnerability
    deals = dk.deal(1, seed=1)
    assert deals.eval("score(nv, 4S, 10 - 6)").tolist() == [-300]
    assert deals.eval("score(nv, 4S, 2 - 3)").tolist() == [-550]


def test_an_unknown_kind_of_argument_is_told_with_the_kinds() -> None:
    with pytest.raises(dk.ArgumentError, match="did you mean 'seat'"):
        dk.function("seated", args=["seats"])(lambda deals, seat: deals.hands[:, 0])


def test_thousands_of_threads_are_not_started() -> None:
    seen: list[int] = []

    def write(_: str) -> None:
        seen.append(threading.active_count())

    before = threading.active_count()
    few = dk.run("condition hcp(north) > 20 action printoneline", generate=600_000, produce=900, seed=1)
    many = dk.run(
        "condition hcp(north) > 20 action printoneline",
        generate=600_000, produce=900, seed=1, threads=1_000_000, plan="plain", write=write,
    )  # fmt: skip
    assert max(seen) <= before + max(16, 2 * (os.cpu_count() or 1))
    assert many.produced == few.produced == 900


def test_a_closed_pipe_is_not_the_fault_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(BrokenPipeError), write_atomically(tmp_path / "a.csv"):
        raise BrokenPipeError
    assert not list(tmp_path.iterdir())
    command = [sys.executable, "-m", "dealerkit", "run", "-p", "20000", "-s", "1", "--frame", "a.csv"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b"action printoneline")
        process.stdin.close()
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b"" and process.wait() == 0


@pytest.mark.parametrize("switch", ["--html", "--plot"])
def test_a_place_that_cannot_be_written_is_told_before_the_run(
    switch: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script, file = tmp_path / "a.dl", tmp_path / "file"
    script.write_text("action printoneline")
    file.touch()
    assert main(["run", str(script), "-p", "1", switch, str(file / "a.html")]) == FAILED
    told = capsys.readouterr()
    assert told.out == "" and str(file) in told.err


def test_an_empty_shape_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shapes", ""]) == FAILED
    assert "a shape is missing" in capsys.readouterr().err
