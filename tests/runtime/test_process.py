"""SIGTERM interrupts work as Ctrl-C does; both can be delayed; a handler of the program's own remains."""

from __future__ import annotations

import signal
import threading

import pytest

from dealerkit.runtime.process import interrupt_at_termination, uninterrupted

pytestmark = pytest.mark.skipif(not hasattr(signal, "raise_signal"), reason="signals of POSIX")


def test_termination_interrupts():
    with pytest.raises(KeyboardInterrupt), interrupt_at_termination():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_handler_of_the_program_remains():
    received = []
    before = signal.signal(signal.SIGTERM, lambda *arguments: received.append(arguments))
    try:
        with interrupt_at_termination():
            signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert len(received) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_is_delayed(number):
    done = []
    with pytest.raises(KeyboardInterrupt), interrupt_at_termination(), uninterrupted():
        signal.raise_signal(number)
        done.append(1)
    assert done == [1] and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_set_no_handlers():
    def work():
        with interrupt_at_termination(), uninterrupted():
            handlers.append(signal.getsignal(signal.SIGTERM))

    handlers = []
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert handlers == [signal.SIG_DFL]
