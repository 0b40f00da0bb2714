"""Texts of other people's scripts control no terminal, and no spreadsheet executes their cells."""

from __future__ import annotations

import os
import sys

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
    assert b"\\x1b[31m" in shown and b"\x1b" not in shown


def test_formulas_are_quoted_on_demand(command):
    script = 'action csvrpt("=1+1", "@x", "-2", -2, "text", north)'
    plain = dk.run(script, produce=1, seed=1, statistics=False).text
    quoted = dk.run_script(
        script, dk.RunOptions(produce=1, seed=1, statistics=False, quote_formulas=True)
    ).text
    assert plain.startswith("=1+1,@x,-2,-2,text,") and quoted.startswith("'=1+1,'@x,-2,-2,text,")
    done = command("run", "-s", "1", "-p", "1", "-v", "--quote-formulas", "-", text=script)
    assert done.stdout == quoted
