"""Programs that a test interrupts as Ctrl-C does, on every system.

Windows sends Ctrl-C to all processes of a console, so there this module, run as a program, has a console of its own, in which
it starts the program. It sends Ctrl-C when it reads a line, and ends with the exit status of the program.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from typing import Any

_INTERRUPTED = -1073741510  # exit status of Windows, STATUS_CONTROL_C_EXIT


class Interruptible(subprocess.Popen):
    """A process that `interrupt` interrupts; its standard input is that of `text`."""

    def __init__(self, command: list[str], text: str = "", **options: Any) -> None:
        options = {"stdin": subprocess.PIPE, "encoding": "utf-8"} | options
        if sys.platform == "win32":
            command = [sys.executable, __file__, *command]
            options["creationflags"] = subprocess.CREATE_NO_WINDOW
        super().__init__(command, **options)
        assert self.stdin
        if sys.platform == "win32":
            self.stdin.write(f"{len(text)}\n{text}")
            self.stdin.flush()
        else:
            self.stdin.write(text)
            self.stdin.close()
            self.stdin = None

    def interrupt(self) -> None:
        """Send Ctrl-C."""
        if sys.platform == "win32":
            assert self.stdin
            self.stdin.write("interrupt\n")
            self.stdin.flush()
        else:
            self.send_signal(signal.SIGINT)


def _start(command: list[str]) -> int:
    """Start a program, interrupt it at the next line of standard input, and return its exit status."""
    import ctypes

    text = sys.stdin.read(int(sys.stdin.readline()))
    process = subprocess.Popen(command, stdin=subprocess.PIPE, encoding="utf-8")
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]
    kernel.SetConsoleCtrlHandler(None, True)  # this process ignores Ctrl-C; the program was started before

    def send() -> None:
        if sys.stdin.readline():
            kernel.GenerateConsoleCtrlEvent(0, 0)

    threading.Thread(target=send, daemon=True).start()
    assert process.stdin
    process.stdin.write(text)
    process.stdin.close()
    return process.wait()


if __name__ == "__main__":
    sys.exit(_start(sys.argv[1:]))
