"""The check that the search of the manual finds every public name."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "rank_searches.py"


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("rank_searches", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write_index(folder: Path, names: list[str], page: str) -> Path:
    """Write an index as Sphinx does, in which each name leads to the same page."""
    objects = {"dealerkit": [[0, 1, 1, "", name] for name in names]}
    index = json.dumps({"docnames": [page], "objects": objects})
    (folder / "searchindex.js").write_text(f"Search.setIndex({index})", encoding="utf-8")
    return folder


def test_a_missing_name_is_reported(tool, tmp_path: Path) -> None:
    names = tool.list_names()
    assert len(names) > 100
    assert tool.find_missing_names(write_index(tmp_path, names, "reference/python/index")) == []
    assert tool.find_missing_names(write_index(tmp_path, names[1:], "reference/python/index")) == names[:1]
    assert tool.find_missing_names(write_index(tmp_path, names, "contributing/adding")) == names


def test_each_search_names_a_page(tool) -> None:
    docs = TOOL.parents[1] / "docs"
    assert len(tool.SEARCHES) == 60
    assert [page for page in tool.SEARCHES.values() if not (docs / f"{page}.md").is_file()] == []
