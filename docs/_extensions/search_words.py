"""Words that people type into the search, by page: ``search.toml`` has them."""

from __future__ import annotations

import tomllib
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

FILE = Path(__file__).parents[1] / "search.toml"


def read_words() -> dict[str, list[str]]:
    """Return the words of each page."""
    with FILE.open("rb") as file:
        return tomllib.load(file)["words"]


def add_entries(app: Sphinx, doctree: nodes.document) -> None:
    """Add the words of a page as entries of the index, which the search ranks above words in the text."""
    words = read_words().get(app.env.docname, [])
    if words:
        entries = [("single", word, "", "main", None) for word in words]
        doctree.append(addnodes.index(entries=entries))


def list_pages(app: Sphinx, environment: BuildEnvironment) -> list[str]:
    """Return the pages with words, to be written by each build: a later one would lose the words."""
    return [page for page in read_words() if page in environment.found_docs]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", add_entries)
    app.connect("env-updated", list_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
