"""The manual without building it: links of all pages, names of Python, the code of the first page and of the gallery."""

from __future__ import annotations

import contextlib
import io
import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [page for page in DOCS.rglob("*.md") if "_build" not in page.parts]


def find_missing(page: Path, text: str) -> list[str]:
    """Return the links of a text to files that do not exist."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    links = re.findall(r"\]\(([\w./-]+\.(?:md|png|svg|ipynb))(?:#[\w-]*)?\)", text)
    folders = (
        [page.parent, ROOT / "notebooks"] if page.parent.name == "tutorial" else [page.parent]
    )  # copied there
    return [f"{page.name}: {link}" for link in links if not any((f / link).exists() for f in folders)]


def test_links_between_pages() -> None:
    missing = [link for page in PAGES for link in find_missing(page, page.read_text(encoding="utf-8"))]
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        missing += find_missing(notebook, "".join("".join(cell["source"]) for cell in cells))
    assert not missing


def test_paths_of_pages_in_other_files() -> None:
    names = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    files = [ROOT / name for name in names] + list((ROOT / "dealerkit").rglob("*.py"))
    paths = {path for file in files for path in re.findall(r"\bdocs/[\w./-]+\.md", file.read_text("utf-8"))}
    assert paths and not [path for path in paths if not (ROOT / path).exists()]


def test_each_page_is_in_the_contents() -> None:
    listed = {DOCS / "index.md"}
    for page in PAGES:
        for block in re.findall(
            r"^```{toctree}\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
        ):
            listed |= {page.parent / f"{line}.md" for line in block.split() if not line.startswith(":")}
    assert sorted(set(PAGES) - listed) == []


def test_modules_on_the_page_on_coverage_exist() -> None:
    text = (DOCS / "contributing" / "coverage.md").read_text("utf-8")
    modules = re.findall(r"^\| `(.+?)` \| \d+ % \| \w", text, re.MULTILINE)
    assert len(modules) == text.count("\n| `") and all((ROOT / name).is_file() for name in modules)


def test_the_reference_has_all_names_of_python() -> None:
    public = re.findall(r" as (\w+)$", (ROOT / "dealerkit" / "__init__.pyi").read_text("utf-8"), re.MULTILINE)
    page = (DOCS / "reference" / "python" / "index.md").read_text("utf-8")
    assert sorted(re.findall(r"^   (\w+)$", page, re.MULTILINE)) == sorted(set(public) - {"pd"})


def test_search_words_lead_to_pages() -> None:
    words = tomllib.loads((DOCS / "search.toml").read_text("utf-8"))["words"]
    assert [page for page in words if not (DOCS / f"{page}.md").is_file()] == []
    typed = [word.lower() for page in words.values() for word in page]
    assert len(typed) == len(set(typed)) and all(typed)


def test_each_howto_page_is_in_the_index_by_who_asks() -> None:
    text = (DOCS / "howto" / "index.md").read_text("utf-8")
    assert [page.stem for page in (DOCS / "howto").glob("*.md") if f"]({page.stem}.md)" not in text] == [
        "index"
    ]


def run_cells(page: Path) -> None:
    """Run the cells of a page as a notebook does; each that plots leaves a figure."""
    plt = pytest.importorskip("matplotlib.pyplot")
    text = page.read_text("utf-8").replace("%load_ext dealerkit\n", "")
    names: dict[str, object] = {}
    cells = re.findall(r"^```{code-cell}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert cells
    for cell in cells:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(re.sub(r"^:tags: .*\n", "", cell), names)
        # A slider has a printed line for each of its plots, see slider.js.
        n_plots = printed.getvalue().count("\n") if "[slider]" in cell else "plot" in cell
        assert len(plt.get_fignums()) == n_plots, cell
        plt.close("all")


@pytest.mark.filterwarnings("ignore::dealerkit.DoubleDummyBias")
def test_the_code_of_the_first_page() -> None:
    run_cells(DOCS / "index.md")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::dealerkit.DoubleDummyBias")
@pytest.mark.parametrize("page", sorted((DOCS / "gallery").glob("[!i]*.md")), ids=lambda page: page.stem)
def test_the_code_of_the_gallery(page: Path) -> None:
    run_cells(page)
