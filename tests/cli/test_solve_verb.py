"""`dealerkit solve`: results are stored and shown; files with mistakes are refused."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import dealerkit as dk

# Cases d03 and d02 of the language cases: tables that DealerV2 printed.
HONOURS = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT98.JT9.T9 765.765.8765.876 432.432.432.5432"
SUITS = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"


@pytest.fixture
def solve(command: Callable, monkeypatch: pytest.MonkeyPatch) -> Callable:
    """The verb `solve` of the command, with a store of its own."""

    def run_solve(*arguments: object, store: object, text: str = "") -> subprocess.CompletedProcess[str]:
        monkeypatch.setenv("DEALERKIT_STORE", str(store))
        return command("solve", *arguments, text=text)

    return run_solve


def test_each_deal_is_solved_once_and_the_store_is_shown(solve: Callable, tmp_path: Path) -> None:
    store = tmp_path / "solved.sqlite"
    file = tmp_path / "deals.pbn"
    file.write_text(f'[Event "x"]\n[Deal "{HONOURS}"]\n\n[Deal "{SUITS}"]\n')
    first = solve(file, "--tables", store=store)
    assert first.returncode == 0, first.stderr
    lines = [line.split() for line in first.stdout.splitlines()]
    assert lines[1] == lines[8] == ["north", "east", "south", "west"] and lines[7] == SUITS.split()
    assert [" ".join(line) for line in lines[2:7]] == [
        "S 12 1 12 1", "H 12 1 12 1", "D 13 0 13 0", "C 13 0 13 0", "N 13 0 13 0",
    ]  # fmt: skip
    assert [" ".join(line) for line in lines[9:14]] == [
        "S 13 0 13 0", "H 0 13 0 13", "D 13 0 13 0", "C 0 13 0 13", "N 0 0 0 0",
    ]  # fmt: skip
    assert "40 solved, 0 known before" in first.stdout and "2 deals" in first.stdout
    again = solve("-", store=store, text=file.read_text("utf-8"))
    assert "0 solved, 40 known before" in again.stdout
    lines = solve("-", store=store, text=f"{HONOURS}\n{SUITS}\n")
    assert "0 solved, 40 known before" in lines.stdout
    dk.Deals.from_pbn([SUITS]).write(tmp_path / "deals.lin")
    assert "0 solved, 20 known before" in solve(tmp_path / "deals.lin", store=store).stdout
    assert "2 deals" in solve(store=store).stdout
    assert solve(store="off").stdout == "the store is off\n"
    asked = solve(file, "--tables", "--strains", "N", "--declarers", "NS", store=store).stdout.splitlines()
    assert asked[2].split() == ["N", "13", "-", "13", "-"] and asked[3] == SUITS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "standard input: the file is empty"),
        (f"{SUITS}\nN:AKQ.. x y z\n", "standard input:2: "),
        ("n AKQ.AKQ.AKQ.AKQJ e AT98.JT98.JT9.T9 s 765.765.8765.876 w 432.432.432.5432\n", "standard input:1: "),
    ],
)  # fmt: skip
def test_errors_name_the_line_of_a_mistake(solve: Callable, text: str, message: str) -> None:
    done = solve("-", store="off", text=text)
    assert done.returncode == 2 and message in done.stderr and "Traceback" not in done.stderr


def test_no_such_file(solve: Callable) -> None:
    done = solve("none/such", store="off")
    assert (done.returncode, done.stdout) == (2, "") and "none/such: No such file" in done.stderr
