"""The pages about studies of evaluators and about standard tables run as they are printed."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs" / "howto"


@pytest.mark.slow
@pytest.mark.parametrize("page", ["comparison", "decisions", "predictions", "standard-tables"])
def test_the_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    failed, tried = doctest.testfile(
        str(DOCS / f"{page}.md"), module_relative=False, encoding="utf-8", optionflags=options
    )
    assert failed == 0 and tried >= 4
