"""The page docs/howto/explain.md shows the current outputs. Run this file to write them again."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "explain.md"
PAIR = re.compile(r"```(dealer|python)( v1| v2)?\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


def output(kind: str, rules: str | None, source: str, names: dict) -> str:
    """Return the output of a block: a script is explained, Python is run after the blocks before it."""
    from dealerkit import explain

    if kind == "dealer":
        names["script"] = source
        return explain(source, dialect=(rules or "modern").strip()).text
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(source, names)
    return printed.getvalue()


def pairs(text: str) -> list[re.Match]:
    return list(PAIR.finditer(text))


def test_the_page_shows_the_current_outputs():
    text = PAGE.read_text(encoding="utf-8")
    matches = pairs(text)
    assert len(matches) >= 9
    assert len(matches) == text.count("```text")
    names: dict = {}
    for match in matches:
        kind, rules, source, shown = match.groups()
        assert output(kind, rules, source, names) == shown, (
            "python tests/advice/test_explain_page.py rewrites it"
        )


def test_the_sessions_of_the_page():
    failed, attempted = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert failed == 0 and attempted >= 2


def rewrite() -> None:
    names: dict = {}

    def again(match: re.Match) -> str:
        kind, rules, source, _ = match.groups()
        return f"```{kind}{rules or ''}\n{source}```\n\n```text\n{output(kind, rules, source, names)}```"

    PAGE.write_text(PAIR.sub(again, PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
