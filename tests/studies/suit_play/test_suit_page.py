"""The page docs/howto/suit.md runs as it is printed."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "suit.md"


def test_the_page_runs():
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert tried > 8 and failed == 0
