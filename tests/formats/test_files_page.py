"""The pages docs/reference/formats/files.md and machines.md run as they are printed."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
from pathlib import Path

import dealerkit as dk
from dealerkit.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "formats" / "files.md"


def test_the_commands_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("study.dealer").write_text("produce 2 action printpbn, average hcp(north)", encoding="utf-8")
    (block,) = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for line in block.splitlines():
        words, _, file = line.partition(" > ")
        with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO(), "utf-8")) as output:
            assert main(shlex.split(words)[1:]) == 0
            output.flush()
            if file:
                Path(file).write_bytes(output.buffer.getvalue())
        assert len(dk.read("club.pbn")) == (2 if file else 24)
    assert len(dk.read("club.lin")) == 24 and 0 < len(dk.read("strong.pbn")) < 24
    assert "24 boards written to club.pbn, seed 1" in capsys.readouterr().err


def test_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    flags = doctest.NORMALIZE_WHITESPACE
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8", optionflags=flags)
    assert tried > 9 and failed == 0


def test_the_page_of_dealing_machines_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    flags = doctest.NORMALIZE_WHITESPACE
    page = PAGE.with_name("machines.md")
    failed, tried = doctest.testfile(str(page), module_relative=False, encoding="utf-8", optionflags=flags)
    assert tried > 5 and failed == 0
    (block,) = re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    for line in block.splitlines():
        assert main(shlex.split(line)[1:]) == 0
    assert dk.read("evening.pbn").deals.equals(dk.read("evening.dup").deals)
