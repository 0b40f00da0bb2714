"""Texts of other people's scripts control no terminal, and no spreadsheet executes their cells."""

from __future__ import annotations

import os
import re
import sys
import zipfile

import pytest

import dealerkit as dk
from tests.support.platforms import needs_terminal

RED = "\x1b[31m"


def test_messages_escape_control_characters(capsys, tmp_path):
    with pytest.raises(dk.ScriptError) as caught:
        dk.run(f'action average "{RED}" hpc(north)', produce=1)
    assert RED not in str(caught.value)
    with pytest.raises(dk.FileError) as missing:
        dk.read(tmp_path / f"{RED}.pbn")
    assert RED not in str(missing.value) and "\\x1b[31m" in str(missing.value)


def test_a_file_gets_the_text_unchanged(command):
    done = command("run", "-s", "1", "-", text=f'action average "{RED}" hcp(north)')
    assert RED in done.stdout


@pytest.mark.slow
@needs_terminal
def test_a_terminal_gets_escaped_text(tmp_path):
    file = tmp_path / "a.dealer"
    file.write_text(f'produce 1 action average "{RED}" hcp(north)')
    child, terminal = os.forkpty()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-m", "dealerkit", "run", "-s", "1", str(file)])
    shown = b""
    try:
        while piece := os.read(terminal, 4096):
            shown += piece
    except OSError:  # on Linux at the end
        pass
    os.waitpid(child, 0)
    own = re.sub(rb"\x1b\[[012]m", b"", shown)  # bold, faint and their end are the style of the command
    assert b"\\x1b[31m" in own and b"\x1b" not in own


def test_formulas_are_quoted_on_demand(command):
    script = 'action csvrpt("=1+1", "@x", "-2", -2, "text", north)'
    plain = dk.run(script, produce=1, seed=1, statistics=False).text
    quoted = dk.run_script(
        script, dk.RunOptions(produce=1, seed=1, statistics=False, quote_formulas=True)
    ).text
    assert plain.startswith("=1+1,@x,-2,-2,text,") and quoted.startswith("'=1+1,'@x,-2,-2,text,")
    done = command("run", "-s", "1", "-p", "1", "-v", "--quote-formulas", "-", text=script)
    assert done.stdout == quoted


def test_tables_have_no_formulas_of_foreign_files(command, tmp_path):
    board = (
        '[Event "=cmd|\' /C calc\'!A0;@1"]\n[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n'
        '[Deal "N:AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765"]\n'
        '[Contract "2S"]\n[Declarer "N"]\n[Result "8"]\n\n'
    )
    (tmp_path / "evening.pbn").write_text(2 * board, encoding="utf-8")
    command("results", tmp_path / "evening.pbn", "--csv", tmp_path / "evening.csv")
    table = (tmp_path / "evening.csv").read_text(encoding="utf-8")
    assert table.count(",'=cmd|' /C calc'!A0;'@1,") == 2 and ",=" not in table


def test_tables_of_a_saved_result_have_no_formulas(tmp_path):
    dk.run('action frequency "=1+1" (hcp(north), 0, 5)', produce=20, seed=1).save(tmp_path / "a.zip")
    dk.run('action average "=1+1" hcp(north), average "b" hcp(south)', produce=20, seed=1).save(
        tmp_path / "b.zip"
    )
    for name in ("a.zip", "b.zip"):
        with zipfile.ZipFile(tmp_path / name) as file:
            lines = [line for table in file.namelist() if table.startswith("reports/")
                     for line in file.read(table).decode().splitlines()]  # fmt: skip
        assert lines and not any(line.startswith("=") or ",=" in line for line in lines)
        assert dk.load(tmp_path / name).reports
