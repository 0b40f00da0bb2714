"""What the command writes is UTF-8 with the line ends of texts, whatever the system prefers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = 'condition hcp(north) >= 10 produce 20 action average "♠ points" hcp(north), frequency "♥" (hearts(north), 0, 13)\n'
PREFERENCES = {  # of a system whose texts are no UTF-8
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
    "LC_ALL": "C",
    "LANG": "C",
    "PYTHONIOENCODING": "",
}


def run_command(*words: str, text: str = "", **environment: str) -> subprocess.CompletedProcess:
    """Run the command in a process of its own; return it with the bytes that it has written."""
    variables = os.environ | PREFERENCES | environment
    command = [sys.executable, "-m", "dealerkit", *words]
    return subprocess.run(command, input=text.encode(), capture_output=True, env=variables, check=False)


def test_pipes_are_utf_8():
    done = run_command("run", "-", "-s", "1", text=SCRIPT)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode("utf-8").split("\n")
    assert lines[0].startswith("Average of ♠ points: ")
    assert any(line.endswith("▇") for line in lines)
    assert not any(line.endswith("\r") for line in lines)


def test_messages_are_utf_8():
    done = run_command("run", "-", text="condition hcp(north) ♠ 3")
    assert done.returncode == 2
    assert "♠" in done.stderr.decode("utf-8")
    assert b"\r" not in done.stderr


def test_a_demanded_encoding_is_used():
    done = run_command("run", "-", "-s", "1", text=SCRIPT, PYTHONIOENCODING="cp1252")
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode("cp1252")
    assert text.startswith("Average of S points: ") and "##" in text and "?" not in text


@pytest.mark.parametrize(
    ("words", "file"),
    [
        (["run", "s.dealer", "--html", "a.html"], "a.html"),
        (["run", "s.dealer", "--sheet", "a.html"], "a.html"),
        (["run", "s.dealer", "--frame", "a.csv"], "a.csv"),
        (["translate", "s.dealer", "--to", "v2"], ""),
        (["par", "s.pbn", "--html", "a.html"], "a.html"),
        (["par", "s.pbn", "--csv", "a.csv"], "a.csv"),
        (["par", "s.pbn", "--latex", "a.tex"], "a.tex"),
        (["convert", "s.pbn", "a.lin"], "a.lin"),
        (["convert", "s.pbn", "a.csv"], "a.csv"),
        (["convert", "s.pbn", "a.txt"], "a.txt"),
    ],
)
def test_files_are_utf_8(tmp_path: Path, words: list[str], file: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("s.dealer").write_bytes(SCRIPT.encode())
    deal = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    Path("s.pbn").write_bytes(f'[Event "Größe ♠"]\r\n[Dealer "N"]\r\n[Deal "{deal}"]\r\n'.encode())
    done = run_command(*words)
    assert done.returncode == 0, done.stderr
    content = Path(file).read_bytes() if file else done.stdout
    assert content.decode("utf-8")
    assert b"\r" not in content
