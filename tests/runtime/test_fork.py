"""A process that is forked beside a thread that runs: the child runs too, whatever that thread was doing."""

from __future__ import annotations

import subprocess
import sys

from tests.support.platforms import needs_fork

pytestmark = needs_fork

# The thread is inside a property of another object of the same class, for ever.
WAITING = """
import os, signal, sys, threading
from dealerkit.runtime.process import cached_property

entered, never = threading.Event(), threading.Event()

class Study:
    def __init__(self, waits):
        self.waits = waits

    @cached_property
    def value(self):
        if self.waits:
            entered.set()
            never.wait()
        return 7

threading.Thread(target=lambda: Study(True).value, daemon=True).start()
entered.wait()
child = os.fork()
if not child:
    signal.alarm(60)
    os._exit(Study(False).value)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
sys.stdout.flush()
os._exit(0)
"""

RUNNING = """
import os, signal, sys, threading
import dealerkit as dk

script = "condition hcp(north) >= 20 and spades(north) >= 5 action average hcp(south), frequency(hcp(east), 0, 20)"
expected = dk.run(script, produce=50, seed=1, statistics=False).text
done = threading.Event()

def work():
    while not done.is_set():
        dk.run(script, produce=50, seed=2).to_html()

threading.Thread(target=work).start()
found = []
for number in range(15):
    child = os.fork()
    if not child:
        signal.alarm(120)
        status = 1
        try:
            status = int(dk.run(script, produce=50, seed=1, statistics=False).text != expected)
        finally:
            os._exit(status)
    found.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
done.set()
print(found)
"""


def _print(program: str) -> str:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout


def test_properties_have_no_lock_that_a_child_waits_for() -> None:
    assert _print(WAITING).strip() == "7"


def test_children_run_beside_a_thread_that_runs() -> None:
    assert _print(RUNNING).strip() == str([0] * 15)
