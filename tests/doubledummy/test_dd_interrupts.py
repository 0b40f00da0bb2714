"""Ctrl-C at a terminal while something is solved: the bar was shown, what was done is kept."""

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
from dealerkit.doubledummy import batches as solver
from dealerkit.doubledummy.store.database import Store

termios = pytest.importorskip("termios", reason="a terminal is opened as on Unix")
pytestmark = pytest.mark.slow

PATIENCE = 60  # seconds


def at_terminal(arguments: list[str], store: Path, enough: re.Pattern[str]) -> tuple[int, str]:
    """Run the command at a terminal and press Ctrl-C as soon as it has shown `enough`."""
    command = [sys.executable, "-m", "dealerkit", *arguments]
    environment = {**os.environ, "DEALERKIT_STORE": str(store), "TERM": "dumb"}
    child, terminal = os.forkpty()
    if child == 0:
        os.execve(command[0], command, environment)
    termios.tcsetwinsize(terminal, (24, 100))  # a bar on a terminal without columns is empty
    shown, pressed, end = "", False, time.monotonic() + PATIENCE
    try:
        while time.monotonic() < end:
            if not select.select([terminal], [], [], 1)[0]:
                continue
            try:
                some = os.read(terminal, 4096)
            except OSError:  # Linux says so when nobody has the terminal open any more
                break
            if not some:
                break
            shown += some.decode(errors="replace")
            if not pressed and enough.search(shown):
                os.write(terminal, b"\x03")
                pressed = True
        else:
            os.kill(child, 9)
    finally:
        os.close(terminal)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert pressed, f"no progress was seen: {shown!r}"
    return status, shown


def test_a_run_reports_what_it_did_and_the_store_keeps_it(tmp_path):
    script, store = tmp_path / "tricks.dealer", tmp_path / "solved.sqlite"
    script.write_text('action average "tricks" dds(south, spades)\n')
    arguments = ["run", "-s", "1", "-p", "100000", str(script)]
    status, shown = at_terminal(arguments, store, re.compile(r"[1-9]\d* of \d[\d,]* dealt"))
    assert status == 130
    assert "tricks" in shown and "Traceback" not in shown
    done = max(int(n.replace(",", "")) for n in re.findall(r"(\d[\d,]*) of [\d,]+ dealt", shown))
    assert len(Store(store)) >= done > 0
    # The kept tricks are those of the first deals of this seed.
    deals = dk.deal(2, seed=1).hands
    low, high = Store(store).look_up(deals)
    tricks = solver.solve_boards(deals, 0, 2)
    assert np.array_equal(low[:, 0, 2], tricks) and np.array_equal(high[:, 0, 2], tricks)


def test_solving_a_file_goes_on_where_it_was_stopped(tmp_path):
    file, store = tmp_path / "deals.txt", tmp_path / "solved.sqlite"
    file.write_text("\n".join(dk.deal(500, seed=2).to_pbn()) + "\n")
    bar = re.compile(r"[1-9]\d*/\d+ \[")
    status, shown = at_terminal(["solve", str(file), "--strains", "S"], store, bar)
    assert status == 130 and "Traceback" not in shown
    first = len(Store(store))
    assert 0 < first < 500, shown
    status, shown = at_terminal(["solve", str(file), "--strains", "S"], store, bar)
    totals = {int(n) for n in re.findall(r"\d+/(\d+) \[", shown)}
    assert status == 130 and max(totals) == 500 - first  # questions left
    assert len(Store(store)) > first
