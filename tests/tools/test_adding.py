"""docs/contributing/adding.md: each recipe has fewer than 30 lines, and works in a copy of the source."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "contributing" / "adding.md"
BLOCK = re.compile(
    r"```\{code-block\} python\n:caption: ([^\n]*)\n\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL
)
PLACE = re.compile(r"(\S+) \((a new file|at the end|after `(.*)`)\)")


@dataclass(frozen=True)
class Recipe:
    """A section of the page: what to add (file, place, lines), scripts with their outputs, and commands."""

    title: str
    additions: list[tuple[str, str, str]]
    scripts: list[tuple[str, str]]
    commands: list[str]


def read_recipe(section: str) -> Recipe:
    """Return the recipe of a section."""
    blocks = BLOCK.findall(section)
    additions = [
        (*PLACE.fullmatch(caption.strip('"').replace("\\_", "_")).groups()[:2], code)  # captions are Markdown
        for caption, code, _ in blocks
        if caption != "a script"
    ]
    scripts = [(code, printed) for caption, code, printed in blocks if caption == "a script"]
    commands = re.search(r"```sh\n(.*?)```", section, re.DOTALL)[1].splitlines()
    return Recipe(section.partition("\n")[0], additions, scripts, commands)


SECTIONS = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
RECIPES = [read_recipe(section) for section in SECTIONS if "{code-block}" in section]
NAMES = [recipe.title for recipe in RECIPES]


def insert(source: str, place: str, code: str) -> str:
    """Return a file with lines added at a place."""
    if place == "a new file":
        return code
    if place == "at the end":
        return f"{source}\n\n{code}"
    before = f"{place.removeprefix('after `').removesuffix('`')}\n"
    assert source.count(before) == 1, f"{before!r} is not one line of the file"
    return source.replace(before, before + code)


@pytest.mark.parametrize("recipe", RECIPES, ids=NAMES)
def test_a_recipe_has_fewer_than_30_lines_and_its_places_exist(recipe):
    assert sum(len(code.splitlines()) for _, _, code in recipe.additions) < 30
    assert recipe.scripts and all(printed for _, printed in recipe.scripts)
    assert any(command.startswith("pytest") for command in recipe.commands)
    for file, place, code in recipe.additions:
        path = ROOT / file
        assert path.exists() == (place != "a new file")
        compile(insert(path.read_text(encoding="utf-8") if path.exists() else "", place, code), file, "exec")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return a copy of the source with the additions of all recipes."""
    folder = tmp_path_factory.mktemp("source")
    for name in ("dealerkit", "docs", "tests", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("_build", "*.nb[ci]"))
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / name, folder)
    for recipe in RECIPES:
        for file, place, code in recipe.additions:
            path = folder / file
            source = path.read_text(encoding="utf-8") if path.exists() else ""
            path.write_text(insert(source, place, code), encoding="utf-8")
    return folder


def run(folder: Path, *words: str) -> str:
    """Return what Python prints in the copy."""
    settings = os.environ | {"PYTHONPATH": str(folder), "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=settings, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECIPES, ids=NAMES)
def test_a_recipe_works(copy, recipe):
    for script, printed in recipe.scripts:
        assert run(copy, "-c", script) == printed
    for command in recipe.commands:
        first, *words = command.split()
        run(copy, *(["-m", "pytest", "-p", "no:xdist", "-o", "addopts=--import-mode=importlib", "-m", "not slow"]
                    if first == "pytest" else []), *words)  # fmt: skip


@pytest.mark.slow
def test_the_additions_have_the_style_of_the_source(copy):
    if shutil.which("ruff", path=str(Path(sys.executable).parent)) is None:
        pytest.skip("ruff is not installed")
    files = sorted({file for recipe in RECIPES for file, _, _ in recipe.additions})
    run(copy, "-m", "ruff", "format", "--check", *files)
    run(copy, "-m", "ruff", "check", *files)
