"""docs/contributing/architecture.md: each module and package that it names exists, and none is missing."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "dealerkit"
PAGE = (ROOT / "docs" / "contributing" / "architecture.md").read_text(encoding="utf-8")


def test_modules_and_folders_of_the_page_exist():
    names = {name.partition(":")[0] for name in re.findall(r"`([\w/]+(?:\.py(?:: \w+)?|/))`", PAGE)}
    files = {path.relative_to(PACKAGE).as_posix() + "/" * path.is_dir() for path in PACKAGE.rglob("*")}
    missing = {name for name in names if not any(f"/{file}".endswith(f"/{name}") for file in files)}
    others = {"tests/test_structure.py", "tools/measure_structure.py", "tools/build_kernels.py"}
    assert len(names) > 40 and missing <= others


def test_the_page_has_a_row_for_each_package():
    parts = {
        path.stem for path in PACKAGE.iterdir()
        if path.suffix == ".py" and path.stem.strip("_") == path.stem or (path / "__init__.py").exists()
    }  # fmt: skip
    rows = re.findall(r"^\| \d+ \| ([^|]+) \|", PAGE, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", " ".join(rows))) == parts
