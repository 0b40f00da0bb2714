"""The page docs/howto/studies.md runs as it is printed, and its table of real play is that of the package."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from dealerkit.cli import main
from dealerkit.studies.estimate.real_play import BY_LEVEL, IN_NOTRUMP

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "studies.md"


@pytest.mark.filterwarnings("ignore::dealerkit.DoubleDummyBias")
def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert failed == 0 and tried > 12


def test_the_table_of_real_play() -> None:
    (row,) = re.findall(r"\| tricks more than double dummy \|(.*)\|", PAGE.read_text(encoding="utf-8"))
    figures = [float(cell) for cell in row.split("|")]
    levels = [BY_LEVEL[1], IN_NOTRUMP[1], BY_LEVEL[2], IN_NOTRUMP[2], *(BY_LEVEL[k] for k in (3, 4, 5, 6))]
    assert figures == levels and BY_LEVEL[6] == BY_LEVEL[7]


@pytest.mark.filterwarnings("ignore::dealerkit.DoubleDummyBias")
def test_the_commands_run(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        for line in re.findall("dealerkit estimate .*", block):
            assert main(shlex.split(line)[1:]) == 0
            assert "95 % interval" in capsys.readouterr().out
    assert all(Path(name).stat().st_size > 100 for name in ("cccc.png", "cccc.html", "cccc.csv"))
