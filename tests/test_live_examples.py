"""Every example script that comes with Debian's dealer: the same seed, the same output, line for line."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from dealerkit.cli import main

EXAMPLES = Path("/usr/share/doc/dealer/examples")
LONG = {"Descr.hm1dr2d", "Descr.test_dealer"}  # dealer deals ten million deals for them
SCRIPTS = sorted(EXAMPLES.glob("Descr.*"))
VOLATILE = re.compile(r'^(Time needed .*|\[Date ".*"\]|\[Event ".*"\])$', re.MULTILINE)


@pytest.mark.skipif(not SCRIPTS, reason="Debian's dealer is not installed")
def test_all_examples_are_there() -> None:
    assert len(SCRIPTS) == 17


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(path, id=path.name, marks=pytest.mark.slow if path.name in LONG else [])
        for path in SCRIPTS
    ],
)
def test_example(script: Path, dealer_program: str, capsys: pytest.CaptureFixture[str]) -> None:
    expected = subprocess.run(
        [dealer_program, "-s", "1", script], capture_output=True, encoding="utf-8", check=True
    ).stdout
    assert main(["run", "--dialect", "v1", "--stream", "classic", "-s", "1", str(script)]) == 0
    output = capsys.readouterr().out
    assert VOLATILE.sub("", output).splitlines() == VOLATILE.sub("", expected).splitlines()
