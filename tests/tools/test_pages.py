"""Pages of the manual with commands run as they are printed."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from dealerkit.language.dialects import DIALECTS
from dealerkit.language.trees import operator_levels
from dealerkit.language.vocabulary import list_keyword_tokens

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(
    path
    for path in DOCS.rglob("*.md")
    if path.stem.startswith("from-")
    or re.search(
        "```console\n" if path.parent.name != "explanation" else "```pycon\n", path.read_text("utf-8")
    )
)
SLOW = {
    "command",
    "club-evening",
    "lesson",
    "lead",
    "contract",
    "from-endplay",
    "from-bbo",
    "auction-questions",
}  # they solve deals


def load_tool(name: str):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def pages():
    return load_tool("pages")


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path.stem in SLOW else [])
        for path in PAGES
    ],
)
def test_the_page_prints_what_its_examples_print(page, pages):
    text = page.read_text(encoding="utf-8")
    assert pages.run_page(text) == text


def test_a_page_has_neither_path_nor_content_of_the_store(pages, tmp_path, monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", str(tmp_path / "own.sqlite"))
    deal = "N:KJ852.A4.KQT3.T7 73.QT98.A2.KQJ62 AQ94.K765.85.A93 T6.J32.J9764.854"
    solve = f"```pbn\n# one.txt\n{deal}\n```\n```console\n$ dealerkit solve one.txt --strains N\n```\n"
    for _ in range(2):
        written = pages.run_page(solve)
        assert "4 solved, 0 known before" in written
        assert f"\n{pages.STORE}: 1 deal, " in written


def test_the_page_about_the_command_has_its_verbs_and_switches():
    page = (DOCS / "reference" / "command.md").read_text(encoding="utf-8")
    assert load_tool("command_page").build_page(page) == page


def test_examples_show_every_word_and_operator_of_the_language():
    pages = [path.read_text(encoding="utf-8") for path in (DOCS / "reference" / "language").glob("*.md")]
    code = [part for page in pages for part in re.findall(r"`[^`]+`|```.*?```", page, re.DOTALL)]
    shown = set(re.findall(r"\w+|[^\w\s]+", " ".join(code)))
    for rules in DIALECTS.values():
        assert not {*list_keyword_tokens(rules), *operator_levels(rules)} - shown
