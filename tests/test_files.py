"""Atomic writing of files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from dealerkit.files import write_atomically


def test_a_closed_pipe_is_not_an_error_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(BrokenPipeError), write_atomically(tmp_path / "a.csv"):
        raise BrokenPipeError
    assert not list(tmp_path.iterdir())
    command = [sys.executable, "-m", "dealerkit", "run", "-p", "20000", "-s", "1", "--frame", "a.csv"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdin.write(b"action printoneline")
        process.stdin.close()
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b"" and process.wait() == 0
