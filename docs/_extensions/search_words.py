"""Words that people type into the search, by page: ``search.toml`` has them."""

from __future__ import annotations

import tomllib
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

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


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", add_entries)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
