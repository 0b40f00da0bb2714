"""Style sheets have no classes that nothing has."""

from __future__ import annotations

import re
from itertools import chain, product
from pathlib import Path

import pytest

import dealerkit

PACKAGE = Path(dealerkit.__file__).parent
SOURCE = "\n".join(
    path.read_text(encoding="utf-8") for path in chain(PACKAGE.rglob("*.py"), PACKAGE.rglob("*.js"))
)
OF_OTHERS = re.compile(
    r"jupyter-|lm-|noUi-|vscode-|widget-|slider-container$"
)  # of JupyterLab, ipywidgets, VS Code
COMPOSED = {  # in f-strings, from suits, seats and kinds of columns
    *(f"dk-{part}" for part in ("s", "h", "d", "c", "north", "east", "south", "west", "name", "sentence")),
    *("".join(parts) for parts in product("b", "nesw")), *("".join(parts) for parts in product("cw", "1234")),
    "dk-error", "dk-warning",
}  # fmt: skip


@pytest.mark.parametrize("sheet", sorted(PACKAGE.rglob("*.css")), ids=lambda path: path.name)
def test_every_class_is_used(sheet: Path) -> None:
    rules = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    selectors = "".join(re.findall(r"([^{}]*)\{", rules))
    names = set(re.findall(r"\.(-?[A-Za-z_][\w-]*)", selectors)) - COMPOSED
    unused = [
        name for name in sorted(names)
        if not OF_OTHERS.match(name) and not re.search(rf"(?<![\w-]){name}(?![\w-])", SOURCE)
    ]  # fmt: skip
    assert not unused
