"""The page docs/studies.md runs as it is printed."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "studies.md"


@pytest.mark.filterwarnings("ignore::dealerkit.DoubleDummyBias")
def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert failed == 0 and tried > 10
