"""`dealerkit translate`: a script written in another dialect."""

from __future__ import annotations

import functools
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import dealerkit as dk
from dealerkit import parse

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def translate(command: Command) -> Command:
    """The verb `translate` of the command."""
    return functools.partial(command, "translate")


def test_text_on_standard_output_and_warnings_on_standard_error(translate: Command) -> None:
    done = translate(
        "--to", "v1", text="# mine\nseed 3\ncondition shape{north, 5M(xxx)} and cccc(north) > 12.5\n"
    )
    assert done.returncode == 0
    assert done.stdout == "# mine\ncondition shape(north, 5xxx + x5xx) and cccc(north) > 1250\n"
    lines = done.stderr.splitlines()
    assert len(lines) == 2 and all(line.startswith("dealerkit: line ") for line in lines)
    assert "`seed`" in lines[0] and "cccc" in lines[1]


def test_script_variables_and_the_other_dialects(translate: Command, tmp_path: Path) -> None:
    path = tmp_path / "x.dls"
    path.write_text("condition shape{$0, $9} and hcp($0) > 2*7%4\n")
    done = translate(str(path), "--from", "v2", "--to", "modern", "-0", "west", "-9", "5xxx - (5332)")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "condition shape{west, 5xxx - (5332)} and hcp(west) > 2 * (7 % 4)\n"
    assert parse(done.stdout) == parse("condition shape{west, 5xxx - (5332)} and hcp(west) > 2 * (7 % 4)")


def test_what_cannot_be_translated_gives_exit_status_2(translate: Command, tmp_path: Path) -> None:
    path = tmp_path / "x.dealer"
    path.write_text("condition hcp(north) > 9 and\n  ltc(north) < 6\naction printns\n")
    done = translate(str(path), "--to", "v1")
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert lines[0] == f"{path}:2:3: v1 cannot express ltc(), nor the action printns (line 3, column 8)"
    assert lines[1:] == ["    ltc(north) < 6", "    ^"]


def test_translation_with_a_script_that_defines_variables(translate: Command, tmp_path: Path) -> None:
    (tmp_path / "bids.dealer").write_text("strong = hcp(north) >= 16\n")
    done = translate("--to", "v1", "--with", str(tmp_path / "bids.dealer"), text="condition strong\n")
    assert done.stdout == "strong = hcp(north) >= 16\ncondition strong\n"
    again = translate("--to", "v1", "--with", str(tmp_path / "bids.dealer"), text="strong = 1\n")
    assert again.returncode == 2 and "bids.dealer, line 1, column 1" in again.stderr


@pytest.mark.parametrize("words", [(), ("--to", "v3")])
def test_a_missing_or_unknown_target_is_refused(translate: Command, words: tuple[str, ...]) -> None:
    done = translate(*words)
    assert done.returncode == 2 and "--to" in done.stderr


def test_run_with_a_script_that_defines_variables(command: Command, tmp_path: Path) -> None:
    (tmp_path / "study.dealer").write_text(
        'condition north_1nt and east_passes action average "s" hcp(south)\n'
    )
    bids = Path(__file__).parents[2] / "data" / "scripts" / "bids.dealer"
    done = command("run", "-p", "200", "-s", "1", "--with", bids, tmp_path / "study.dealer")
    assert done.returncode == 0
    assert done.stderr == "" and "Average of s" in done.stdout


def test_every_hand_has_one_opening_of_the_named_bids() -> None:
    """The openings of bids.dealer exclude each other, and a pass is what remains."""
    bids = (Path(__file__).parents[2] / "data" / "scripts" / "bids.dealer").read_text("utf-8")
    deals = dk.deal(50_000, seed=2)
    openings = "2c 2nt 1nt 1s 1h 1d 1c 2s 2h 2d 3s 3h 3d 3c 4s 4h passes".split()
    for seat in ("north", "east", "south", "west"):
        total = " + ".join(f"{seat}_{opening}" for opening in openings)
        assert (deals.eval(f"{bids}\n{total}") == 1).all()
        strong = deals.where(f"{bids}\n{seat}_passes").eval(f"hcp({seat})")
        assert strong.max() == 11  # a hand that passes
