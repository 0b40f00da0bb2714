"""How long an interrupt takes until it is answered: a process gets Ctrl-C while it works."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.slow

MAX_SECONDS = 1.0
WORK = {
    "run": "dk.run('condition hcp(north) >= 20', generate=10**10, produce=10**9, seed=1)",
    "conditional run": "dk.run('condition hcp(north) >= 27 && spades(north) >= 6', produce=10**9, seed=1)",
    "double-dummy run": "dk.run('action average tricks(north, notrump)', produce=10**6, seed=1)",
    "dd_table": "dk.dd_table(dk.deal(5000, seed=1))",
    "dd_tricks": "dk.dd_tricks(dk.deal(5000, seed=1), 'N', 'S')",
    "leads": "dk.leads(dk.deal(5000, seed=1), '3NT', 'S')",
    "estimate": "dk.estimate('tricks(north, spades)', 'hcp(north) >= 15', precision=0.002, seed=1, max_seconds=300)",
}


@pytest.mark.parametrize("name", WORK)
def test_an_interrupt_is_answered_within_a_second(name):
    code = (
        "import time, dealerkit as dk\nprint('begun', flush=True)\n"
        f"try: {WORK[name]}\nexcept KeyboardInterrupt: pass\nprint('answered', time.perf_counter())\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(8)
    assert process.poll() is None, "the work ended before the interrupt"
    begin = time.perf_counter()
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    answered = re.search(r"answered ([\d.]+)", output)
    assert answered and not errors, errors
    assert float(answered[1]) - begin < MAX_SECONDS
