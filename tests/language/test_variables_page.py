"""The sessions of docs/howto/variables.md print what the page says."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "variables.md"


def test_the_sessions_of_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    failed, attempted = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert failed == 0 and attempted == text.count("\n>>> ") > 8
