"""The page docs/standard-tables.md runs as it is printed."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "standard-tables.md"


def test_the_page_runs() -> None:
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8", optionflags=options)
    assert failed == 0 and tried >= 4
