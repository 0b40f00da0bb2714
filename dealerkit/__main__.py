"""The command: ``dealerkit``, ``python -m dealerkit``."""

from __future__ import annotations

import _signal as signal  # type: ignore[import-not-found]  # without the classes of signal: milliseconds
import gc
import os
import sys

TYPE_CHECKING = False  # importing typing would take milliseconds
if TYPE_CHECKING:
    from typing import Any, NoReturn

TERMINATED = 143  # exit status after SIGTERM, as shells show it


def _end(*_: Any) -> NoReturn:
    """End the process at once, since a module that is being imported could swallow an exception."""
    os.write(2, b"dealerkit: stopped before the first result\n")
    os._exit(130)


def main() -> int:
    """Run the command with the arguments of the process; return the exit status."""
    gc.set_threshold(200_000, 20, 100)  # few of the objects made by imports become garbage
    # Until everything is imported there is nothing to keep, so an interrupt ends the process.
    handles = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not in a shell background
    if handles:
        signal.signal(signal.SIGINT, _end)
    from dealerkit.cli import INTERRUPTED
    from dealerkit.cli import main as run_command
    from dealerkit.runtime import process

    try:
        with process.interrupt_at_termination():
            if handles:
                signal.signal(signal.SIGINT, process.interrupt)
            try:
                status = run_command()
            finally:
                if handles:  # a second interrupt while Python ends would change the exit status
                    signal.signal(signal.SIGINT, signal.SIG_IGN)
    except (KeyboardInterrupt, Exception):
        if not process.received:
            raise
        status = INTERRUPTED  # also if an import has turned the interrupt into another error
    if status == INTERRUPTED:
        exec("")  # otherwise Python would end with SIGINT if the interrupt came while it executed a text
    return TERMINATED if status == INTERRUPTED and signal.SIGTERM in process.received else status


if __name__ == "__main__":
    sys.exit(main())
