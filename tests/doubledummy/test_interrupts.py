"""Ctrl-C at a terminal during solving: progress was shown, and finished results are kept."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.doubledummy.batches import solve_boards
from dealerkit.doubledummy.store.database import Store

termios = pytest.importorskip("termios", reason="a terminal is opened as on Unix")
pytestmark = pytest.mark.slow

TIMEOUT_SECONDS = 60


def run_at_terminal(arguments: list[str], store: Path, interrupt_at: re.Pattern[str]) -> tuple[int, str]:
    """Run the command at a terminal, and press Ctrl-C when its output matches a pattern."""
    command = [sys.executable, "-m", "dealerkit", *arguments]
    environment = {**os.environ, "DEALERKIT_STORE": str(store), "TERM": "dumb"}
    child, terminal = os.forkpty()
    if child == 0:
        os.execve(command[0], command, environment)
    termios.tcsetwinsize(terminal, (24, 100))  # without columns the progress bar is empty
    shown, pressed, end = "", False, time.monotonic() + TIMEOUT_SECONDS
    try:
        while time.monotonic() < end:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                output = os.read(terminal, 4096)
            except OSError:  # on Linux, if no process has the terminal open any more
                break
            if not output:
                break
            shown += output.decode(errors="replace")
            if not pressed and interrupt_at.search(shown):
                os.write(terminal, b"\x03")
                pressed = True
        else:
            os.kill(child, 9)
    finally:
        os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert pressed, f"no progress was shown: {shown!r}"
    return status, shown


def test_an_interrupted_run_reports_and_the_store_keeps_its_results(tmp_path):
    script, store = tmp_path / "tricks.dealer", tmp_path / "solved.sqlite"
    script.write_text('action average "tricks" dds(south, spades)\n')
    arguments = ["run", "-s", "1", "-p", "100000", str(script)]
    status, shown = run_at_terminal(arguments, store, re.compile(r"[1-9]\d* of \d[\d,]* dealt"))
    assert status == 130
    assert "tricks" in shown and "Traceback" not in shown
    done = max(int(n.replace(",", "")) for n in re.findall(r"(\d[\d,]*) of [\d,]+ dealt", shown))
    assert len(Store(store)) >= done > 0
    # The stored tricks are those of the first deals of this seed.
    deals = dk.deal(2, seed=1).hands
    low, high = Store(store).look_up(deals)
    tricks = solve_boards(deals, 0, 2)
    assert np.array_equal(low[:, 0, 2], tricks) and np.array_equal(high[:, 0, 2], tricks)


def test_solving_a_file_continues_after_an_interrupt(tmp_path):
    file, store = tmp_path / "deals.txt", tmp_path / "solved.sqlite"
    file.write_text("\n".join(dk.deal(500, seed=2).to_pbn()) + "\n")
    bar = re.compile(r"[1-9]\d* of \d+ calc")
    status, shown = run_at_terminal(["solve", str(file), "--strains", "S"], store, bar)
    assert status == 130 and "Traceback" not in shown
    first = len(Store(store))
    assert 0 < first < 500, shown
    status, shown = run_at_terminal(["solve", str(file), "--strains", "S"], store, bar)
    totals = {int(n) for n in re.findall(r"\d+ of (\d+) calc", shown)}
    assert status == 130 and max(totals) == 500 - first  # results to solve
    assert len(Store(store)) > first
