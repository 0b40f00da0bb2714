"""The page docs/howto/frames.md runs as it is printed."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "frames.md"


def test_the_page_runs(tmp_path, monkeypatch):
    for library in ("duckdb", "polars", "pyarrow"):
        pytest.importorskip(library, reason=f"{library} is not installed (extra test)")
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert tried > 30 and failed == 0
