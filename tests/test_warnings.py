"""Warnings point to the line of the caller's program."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

import dealerkit as dk

PACKAGE = Path(dk.__file__).parent
# The command prints its warnings without a line. The terms of a library are shown once, so at a line of ours.
OTHERS = {"errors.py": 1, "cli/run.py": 1, "formats/library.py": 1}


def test_every_warning_is_of_the_callers_line():
    calls = {}
    for path in PACKAGE.rglob("*.py"):
        if n := len(re.findall(r"\bwarnings\.warn\(", path.read_text(encoding="utf-8"))):
            calls[path.relative_to(PACKAGE).as_posix()] = n
    assert calls == OTHERS, "use errors.warn_caller"


def read_with_a_fault(folder: Path) -> None:
    file = folder / "club.pbn"
    file.write_text(
        '[Deal "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"]\n\n[Deal "N:A"]\n'
    )
    dk.read(file)


@pytest.mark.parametrize(
    "warn",
    [
        lambda _: dk.run("condition hcp(north) >= 0 action average hcp(south)", produce=2, seed=1),
        lambda _: dk.run("condition hcp(north) > 37", generate=5, seed=1),
        lambda _: dk.deal(2, given="hcp(north) >= 0", seed=1),
        read_with_a_fault,
    ],
)
def test_the_file_of_a_warning_is_the_users(warn, tmp_path):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn(tmp_path)
    assert caught and {item.filename for item in caught} == {__file__}, [str(item.message) for item in caught]
