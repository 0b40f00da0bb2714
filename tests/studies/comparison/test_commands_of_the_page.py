"""The commands of the page docs/howto/comparison.md run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import dealerkit as dk
from dealerkit.cli import main

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "comparison.md"


def test_the_commands_run(tmp_path, monkeypatch, capsys) -> None:
    few = dk.solved_sample()[:300]
    monkeypatch.setattr("dealerkit.studies.comparison.side_data.solved_sample", lambda: few)
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for line in block.splitlines():
        assert main(shlex.split(line)[1:]) == 0
        assert "95 % intervals" in capsys.readouterr().out
        for name in re.findall(r"--(?:plot|csv|latex) (\S+)", line):
            assert Path(name).stat().st_size > 100
