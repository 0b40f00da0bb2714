"""The sessions of docs/howto/checking.md print what the page says, and its table has every kind of finding."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from dealerkit import Finding

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "checking.md"


def test_the_sessions_of_the_page() -> None:
    failed, attempted = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert failed == 0 and attempted == 3


def test_the_page_has_every_kind() -> None:
    documented = re.findall("^\\| `([a-z]+)` \\|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert f"kind : {{{', '.join(repr(kind) for kind in documented)}}}".replace("'", '"') in (
        Finding.__doc__ or ""
    )
