"""A process may be forked at any time: its child solves, reads and writes the store, as its parent does."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.platforms import needs_fork

pytestmark = needs_fork

# While a thread of the parent solves and writes to the store, children solve other deals.
PROGRAM = """
import os, sys, threading, time, traceback, warnings
import numpy as np
import dealerkit as dk
from dealerkit.dealing.uniform.stream import deal_range

warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of forks beside threads
n_forks, n_deals = int(sys.argv[1]), int(sys.argv[2])
deals = dk.Deals(deal_range(1, 0, n_deals))
few = dk.Deals(deal_range(2, 0, 2))
expected = dk.dd_tricks(few, "N", "S")
begun = threading.Event()

def solve():
    begun.set()
    dk.dd_table(deals)

thread = threading.Thread(target=solve)
thread.start()
begun.wait()
for number in range(n_forks):
    time.sleep(0.02 + 0.005 * number)
    child = os.fork()
    if not child:
        status = 1
        try:
            other = dk.Deals(deal_range(100 + number, 0, 1))
            status = int(not np.array_equal(dk.dd_tricks(few, "N", "S"), expected))
            dk.dd_tricks(other, "N", "S")
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            break
        time.sleep(0.01)
    else:
        os.kill(child, 9)
        sys.exit(f"child {number} does not end")
    assert status == 0, status
print("children ended while the parent solved:", thread.is_alive())
thread.join()
assert (dk.dd_table(deals)[:, 4] >= 0).all()
"""


def run_program(tmp_path, *arguments):
    environment = {**os.environ, "DEALERKIT_STORE": str(tmp_path / "solved.sqlite")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        env=environment,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "damaged" not in done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_child_forked_while_the_parent_solves(tmp_path):
    assert "True" in run_program(tmp_path, 3, 40)


@pytest.mark.slow
def test_twenty_children(tmp_path):
    run_program(tmp_path, 20, 30)
