"""The sessions of docs/howto/scenarios.md print what the page says, and its commands run."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from dealerkit.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "scenarios.md"


def test_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    failed, attempted = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert failed == 0, capsys.readouterr().out
    assert attempted == len(re.findall("^>>> ", text, re.MULTILINE)) > 8
    (block,) = re.findall("```sh\n(.*?)```", text, re.DOTALL)
    for line in block.splitlines():
        assert main([*shlex.split(line)[1:], "-s", "1"]) == 0
    for end, name in (("pbn", "Strong openers"), ("lin", "Lesson 4"), ("html", "Strong openers")):
        assert name in (tmp_path / f"strong.{end}").read_text(encoding="utf-8")
