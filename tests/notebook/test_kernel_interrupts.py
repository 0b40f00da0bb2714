"""Interrupts of calls in a kernel of Jupyter: each leaves a result, or one sentence in place of a traceback."""

from __future__ import annotations

import time
from collections.abc import Iterator
from queue import Empty
from typing import Any

import pytest

pytestmark = pytest.mark.slow

SENTENCES = ("stopped before the first result", "interrupted after ")
CALLS = {
    "run": "dk.run('condition hcp(north) >= 20', generate=10**10, produce=10**9, seed=1)",
    "estimate": "dk.estimate('tricks(north, spades)', 'hcp(north) >= 15', precision=0.0005, seed=1)",
    "contracts": "dk.contracts('hcp(north) + hcp(south) == 25', ['2NT', '3NT'], declarer='north', precision=0.005)",
    "lead": "dk.lead('QJ752.K83.94.T62', '3NT by south', given='hcp(south) >= 15', precision=0.005, seed=5)",
    "compare": "dk.compare(['hcp', 'controls', 'ltc', 'zar'], by='fit', decision=('4M', '3M'), replicates=20000)",
    "probability": "dk.probability('losers(north) + losers(south) <= 13 and controls(north) > controls(east)"
    " and spades(north) > hearts(south)', given='hcp(east) >= 12 and cccc(west) > 10', deals=10**9)",
    "solve": "dk.dd_table(dk.deal(20000, seed=1))",
    "layouts": "dk.layouts(dk.deal(400, seed=1), n=40)",
    "tricks_by": "dk.tricks_by(many)",
    "suit": "dk.suit('J6', 'KT84')",
    "plan": "dk.plan(['KT95 opposite J632, 3 tricks'] * 3, need=2, seconds=100)",
    "suit_quiz": "dk.suit_quiz(40)",
}


@pytest.fixture(scope="module")
def kernel() -> Iterator[Any]:
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(kernel_name="python3")
    execute(
        client,
        "import os; os.environ['DEALERKIT_STORE'] = 'off'; import dealerkit as dk, numpy as np\n%load_ext dealerkit\n"
        "sample = dk.solved_sample()\n"
        "many = dk.Deals(np.tile(sample.hands, (40, 1)), tables=np.tile(sample.tables, (40, 1, 1)))",
    )
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def execute(client: Any, code: str, interrupt: Any = None, seconds: float = 0.0) -> list[dict]:
    """Run a cell, interrupt it after some seconds, and return the messages until it has ended."""
    number = client.execute(code, stop_on_error=False)
    messages: list[dict] = []
    begin, is_interrupted = time.monotonic(), interrupt is None
    while time.monotonic() - begin < 180:
        if not is_interrupted and time.monotonic() - begin >= seconds:
            is_interrupted = True
            interrupt()
        try:
            message = client.get_iopub_msg(timeout=0.05)
        except Empty:
            continue
        if message["parent_header"].get("msg_id") != number:
            continue
        messages.append(message)
        if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
            return messages
    raise AssertionError(f"{code}: no end after {seconds} s and an interrupt")


@pytest.mark.parametrize("seconds", [0.2, 1, 3, 10])
@pytest.mark.parametrize("name", CALLS)
def test_an_interrupt_leaves_a_result_or_one_sentence(kernel, name, seconds):
    manager, client = kernel
    messages = execute(
        client, f"found = {CALLS[name]}\nprint('has a result')", manager.interrupt_kernel, seconds
    )
    errors = [message["content"] for message in messages if message["msg_type"] == "error"]
    printed = "".join(
        message["content"].get("text", "") for message in messages if message["msg_type"] == "stream"
    )
    if not errors:  # the second is what IPython prints where no code of ours was running yet
        assert "has a result" in printed or printed.strip() == "KeyboardInterrupt"
        return
    (error,) = errors
    assert error["evalue"].startswith(SENTENCES), error
    assert len(error["traceback"]) == 1 and error["traceback"][0] == error["evalue"]
