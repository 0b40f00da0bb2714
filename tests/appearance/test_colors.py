"""Colours are written in tokens.css only."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import matplotlib.colors
import pytest

import dealerkit

PACKAGE = Path(dealerkit.__file__).parent
NUMBERS = r"(?<![&\w])#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(\s*[\d.]"
NAMES = "|".join(matplotlib.colors.CSS4_COLORS)
STYLED = rf"(?:colou?r|background|fill|stroke|border[\w-]*|outline|ground)\s*[:=]\s*[^;{{}}]*?(?<![\w-])(?:{NAMES})(?![\w-])"
COLOR = re.compile(f"{NUMBERS}|{STYLED}", re.IGNORECASE)


# The style of charts, and those charts that do not use it yet.
CHARTS = {PACKAGE / "plots" / name for name in ("style.py",)}


def find_colors(text: str) -> list[str]:
    return [match[0] for match in COLOR.finditer(text)]


def list_strings(source: str) -> list[str]:
    """Return the strings of a Python module but the docstrings."""
    tree = ast.parse(source)
    texts = {
        node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    constants = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return [text for text in constants if text not in texts]


@pytest.mark.parametrize(
    "text", ["a{color: #fff}", "rgb(1 2 3)", "border: 1px solid red", 'fill="white"', "hsl(10,1%,1%)"]
)
def test_colors_are_found(text):
    assert find_colors(text)


@pytest.mark.parametrize(
    "text", ["rgb(var(--dk-data-rgb) / .2)", "var(--dk-two-red)", "&#8201;", "color: transparent"]
)
def test_tokens_are_no_colors(text):
    assert not find_colors(text)


def test_colors_are_written_in_the_tokens_only():
    sheets = [file for file in PACKAGE.rglob("*.css") if file.name != "tokens.css"]
    assert len(sheets) >= 3
    found = {
        str(file): find_colors(re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.DOTALL))
        for file in sheets
    }
    for file in PACKAGE.rglob("*.py"):
        if file not in CHARTS and re.search(
            r"#|rgb|hsl|colou?r|fill|stroke|border|background", source := file.read_text(encoding="utf-8")
        ):
            found[str(file)] = [color for text in list_strings(source) for color in find_colors(text)]
    assert {file: colors for file, colors in found.items() if colors} == {}
