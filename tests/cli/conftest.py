"""The command within the process of the tests; starting Python for each test would take most of their time."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import warnings
from collections.abc import Callable

import pytest

from dealerkit.cli import main

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> Command:
    """A function that runs `dealerkit` with arguments and with text as standard input.

    It returns the exit status and both outputs, as `subprocess.run` does for a process.
    """

    def run_command(*arguments: object, text: str | bytes = "") -> subprocess.CompletedProcess[str]:
        words = [str(argument) for argument in arguments]
        source = text.encode() if isinstance(text, str) else text
        output, errors = io.TextIOWrapper(io.BytesIO(), "utf-8", newline=""), io.StringIO()
        with (
            monkeypatch.context() as patch,
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(errors),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("default")
            patch.delenv("COLUMNS", raising=False)  # of the program that runs the tests
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(source), "utf-8"))
            try:
                status = main(words)
            except SystemExit as stopped:
                assert isinstance(stopped.code, int)
                status = stopped.code
        output.flush()
        shown = output.buffer.getvalue().decode()  # type: ignore[attr-defined]
        return subprocess.CompletedProcess(words, status, shown, errors.getvalue())

    return run_command
