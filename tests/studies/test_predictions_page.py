"""The page docs/predictions.md runs as it is printed."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "predictions.md"


@pytest.mark.slow
def test_the_page_runs() -> None:
    options = doctest.NORMALIZE_WHITESPACE
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8", optionflags=options)
    assert failed == 0 and tried > 15
