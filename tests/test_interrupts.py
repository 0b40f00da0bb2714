"""How long an interrupt takes until it is answered: a process gets Ctrl-C while it works."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

pytestmark = pytest.mark.slow

MAX_SECONDS = 1.0
_CARDS = "dict(A='aces', K='kings', Q='queens', J='jacks', T='tens')"
# What is prepared, and the work; short work is repeated until the interrupt.
WORK = {
    "run": ("", "dk.run('condition hcp(north) >= 20', generate=10**10, produce=10**9, seed=1)"),
    "conditional run": (
        "",
        "dk.run('condition hcp(north) >= 27 && spades(north) >= 6', produce=10**9, seed=1)",
    ),
    "double-dummy run": ("", "dk.run('action average tricks(north, notrump)', produce=10**6, seed=1)"),
    "dd_table": ("", "dk.dd_table(dk.deal(5000, seed=1))"),
    "dd_tricks": ("", "dk.dd_tricks(dk.deal(5000, seed=1), 'N', 'S')"),
    "par": ("", "dk.par(dk.deal(5000, seed=1))"),
    "leads": ("", "dk.leads(dk.deal(5000, seed=1), '3NT', 'S')"),
    "lead": (
        "",
        "dk.lead('QJ752.K83.94.T62', '3NT by south', given='hcp(south) >= 15', produce=10**6, seed=5)",
    ),
    "estimate": (
        "",
        "dk.estimate('tricks(north, spades)', 'hcp(north) >= 15', precision=0.002, seed=1, max_seconds=300, solved=None)",
    ),
    "level": (
        "",
        "dk.level('condition hcp(north) >= 12 && tricks(north, spades) > 7', {'weak': 'hcp(north) < 14', 'strong': 'hcp(north) > 13'}, produce=10**7, seed=1)",
    ),
    "level with 10^8 deals": (
        "",
        "dk.level('hcp(north) >= 12', {'weak': 'hcp(north) < 14', 'strong': 'hcp(north) > 13'}, produce=10**8, seed=1)",
    ),
    "compare": (
        "",
        "dk.compare(['hcp', 'controls', 'ltc', 'zar'], by='fit', decision=('4M', '3M'), replicates=2000)",
    ),
    "fit_points": ("", f"dk.fit_points({_CARDS}, non_negative=True, descending=True, replicates=5000)"),
    "read PBN": (
        "dk.deal(10**5, seed=1).write('boards.pbn'); text = open('boards.pbn').read();"
        " open('boards.pbn', 'w').write(text.replace('[Deal ', '[Room \"Open\"] [Deal '))",
        "dk.read('boards.pbn')",
    ),
    "read PBN with deals only": ("dk.deal(10**5, seed=1).write('boards.pbn')", "dk.read('boards.pbn')"),
    "read LIN": ("dk.deal(10**4, seed=1).write('boards.lin')", "dk.read('boards.lin')"),
    "read CSV": ("dk.deal(10**5, seed=1).write('boards.csv')", "dk.read('boards.csv')"),
    "select from .zrd": (
        "sample = dk.solved_sample(); import numpy as np;"
        " dk.Deals(np.tile(sample.hands, (20, 1)), tables=np.tile(sample.tables, (20, 1, 1))).write('all.zrd')",
        "dk.read('all.zrd').where('hcp(north) >= 20 && losers(north) < 4')",
    ),
    "convert": ("deals = dk.deal(10**5, seed=1)", "deals.write('boards.lin')"),
}
RETURNS = (
    "run",
    "conditional run",
    "double-dummy run",
    "lead",
    "estimate",
    "level",
    "level with 10^8 deals",
)  # what is done


def measure_interrupt(name: str, folder: str, seconds: float) -> tuple[float, str]:
    """Return the seconds until an interrupt is answered after some seconds of work, and standard error."""
    prepare, work = WORK[name]
    code = (
        f"import time, dealerkit as dk\n{prepare}\nprint('begun', flush=True)\n"
        f"try:\n    {'if' if name in RETURNS else 'while'} True:\n        {work}\n"
        "except KeyboardInterrupt: pass\nprint('answered', time.perf_counter())\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        cwd=folder,
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(seconds)
    assert process.poll() is None, "the work ended before the interrupt"
    begin = time.perf_counter()
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    answered = re.search(r"answered ([\d.]+)", output)
    assert answered, errors
    return float(answered[1]) - begin, errors


@pytest.mark.parametrize("name", WORK)
def test_an_interrupt_is_answered_within_a_second(name, tmp_path):
    seconds, errors = measure_interrupt(name, str(tmp_path), 8)
    assert not errors and seconds < MAX_SECONDS


@pytest.mark.parametrize("pause", [0.0, 0.02, 0.04, 0.2])
def test_a_run_that_is_interrupted_twice_ends_without_a_traceback(pause, tmp_path):
    script = tmp_path / "deals.dealer"
    script.write_text(
        "condition hcp(north) >= 20\nproduce 1000000000\ngenerate 10000000000\naction average hcp(north)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-m", "dealerkit", "run", str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    time.sleep(5)
    process.send_signal(signal.SIGINT)
    time.sleep(pause)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=10)
    assert process.returncode == 130 and "Traceback" not in errors and "Exception" not in errors


COMPILE = """
import signal, sys
from numba.core import codegen
compiled = codegen.CPUCodeLibrary._object_compiled_hook
def notify(*arguments):
    signal.raise_signal(signal.SIGINT)
    return compiled(*arguments)
codegen.CPUCodeLibrary._object_compiled_hook = staticmethod(notify)
try:
    import dealerkit as dk
    dk.run("hcp(north) >= 10", produce=10)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupt_while_kernels_are_compiled_is_not_lost(tmp_path):
    cold = {**os.environ, "DEALERKIT_KERNELS": "numba", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", COMPILE], capture_output=True, encoding="utf-8", env=cold)
    assert done.stdout == "interrupted\n" and not done.stderr


REGISTER = """
import signal, sys
from numba.core import utils
stream = utils.stream_list
def interrupted(items):
    utils.stream_list = stream
    parts = stream(items)
    signal.raise_signal(signal.SIGINT)
    while True:
        yield next(parts)
utils.stream_list = interrupted
import dealerkit as dk
for _ in range(2):
    try:
        print(dk.run("hcp(north) >= 10", produce=10, seed=1).produced)
    except KeyboardInterrupt:
        print("interrupted")
"""


def test_work_after_an_interrupt_while_numba_begins_has_a_result(tmp_path):
    """Its tables of functions are filled at the first compilation; one half filled would fail all later ones."""
    cold = {**os.environ, "DEALERKIT_KERNELS": "numba", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", REGISTER], capture_output=True, encoding="utf-8", env=cold)
    assert done.stdout == "interrupted\n10\n" and not done.stderr


# ------------------------------------------------------------------ SIGTERM, and interrupts of the command
COMMAND = "import os, sys\nos.write(1, b'begun')\nfrom dealerkit.__main__ import main\nsys.exit(main())\n"
SCRIPT = "condition hcp(north) >= 20 action average hcp(south), frequency(hcp(north), 10, 30)"


def end_command(arguments: list[str], number: signal.Signals, seconds: float) -> tuple[int, str, str]:
    """Send a signal to the command some time after it has begun to import."""
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin and process.stdout
    assert process.stdout.read(5) == b"begun"
    process.stdin.write(SCRIPT.encode())
    process.stdin.close()
    process.stdin = None
    time.sleep(seconds)
    process.send_signal(number)
    output, errors = process.communicate(timeout=60)
    return process.returncode, output.decode(), errors.decode()


def test_the_command_shows_no_traceback_whenever_it_is_interrupted():
    ends = Counter()
    for i in range(60):
        number = (signal.SIGINT, signal.SIGTERM)[i % 2]
        status, _, errors = end_command(["run", "-p", "3000000", "-s", "1", "-"], number, 0.02 + 0.008 * i)
        assert "Traceback" not in errors and "Exception" not in errors, errors
        assert status in (-number, 128 + number)
        ends[status] += 1
    assert ends[130] > 5 and ends[143] > 5  # some while it ran, with a report


def test_a_terminated_command_reports_what_it_has():
    status, output, errors = end_command(["run", "-p", str(10**8), "-s", "1", "-"], signal.SIGTERM, 4)
    assert status == 143 and "Average of hcp(south)" in output and "Traceback" not in errors


def test_a_terminated_run_returns_its_result():
    code = (
        "import os, signal, threading, dealerkit as dk\n"
        "threading.Timer(3, os.kill, (os.getpid(), signal.SIGTERM)).start()\n"
        "result = dk.run('action average hcp(north)', generate=10**10, seed=1)\n"
        "print(result.interrupted, result.produced > 0, signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=60)
    assert done.stdout == "True True True\n" and not done.stderr
