"""The manual: ``python -m sphinx -W --keep-going -n docs docs/_build/html``, after installing ``.[docs]``."""

from __future__ import annotations

import sys
from pathlib import Path
from queue import Empty
from typing import Any

from docutils import nodes
from jupyter_client.channels import AsyncZMQSocketChannel
from sphinx.application import Sphinx

DOCS = Path(__file__).parent
ROOT = DOCS.parent
sys.path[:0] = [str(ROOT), str(DOCS / "_extensions")]

import dealerkit  # noqa: E402
from dealerkit.appearance.html import read_tokens  # noqa: E402
from dealerkit.appearance.screen import VALUE_BLANKS  # noqa: E402
from dealerkit.notebook.lexer import DealerLexer, SystemLexer  # noqa: E402

project = "dealerkit"
author = "dealerkit developers"
copyright = author
release = version = dealerkit.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "search_words",
    "thumbnails",
]
exclude_patterns = ["_build"]
templates_path = ["_templates"]

# Pages are Markdown. Their examples ">>>" are run by the tests. The first page, the gallery and the notebooks
# are executed here, and again only after their code has changed. So their plots follow the theme of the page,
# which the pictures stored in notebooks do not.
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "cache"
nb_execution_excludepatterns = ["tutorial/14-*"]  # needs dask: its stored outputs are shown
nb_execution_timeout = 600  # seconds for a cell, on a busy machine
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True
nb_ipywidgets_js = {}  # no script of another server: the manual is read offline, and a slider needs a kernel


async def wait_for_message(
    channel: AsyncZMQSocketChannel, timeout: float | None = None, wait=AsyncZMQSocketChannel.get_msg
) -> dict[str, Any]:
    """Return the next message from a kernel; look for it each second; raise Empty after so many seconds.

    nbclient answers a cell with a widget on the socket on which it awaits the reply, and ZeroMQ then may
    not signal that the reply has come: the cell would take until its time limit (issue 312 of nbclient).
    """
    left = float("inf") if timeout is None else timeout
    while left > 1:
        try:
            return await wait(channel, timeout=1)
        except Empty:
            left -= 1
    return await wait(channel, timeout=left)


AsyncZMQSocketChannel.get_msg = wait_for_message

# Names of Python. Types of parameters are prose, as numpydoc allows, and link to nothing.
autosummary_generate = True
default_role = "py:obj"  # a name in backticks is a link if it is documented
autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_custom_sections = [("Attributes", "params_style")]  # a list; each property has its own entry as well
python_maximum_signature_line_length = 88
python_display_short_literal_types = True
nitpick_ignore_regex = [
    ("py:.*", r"(?!dealerkit\.).*"),  # other libraries: their manuals are elsewhere
    ("py:class", r"dealerkit\.errors\._Message"),  # the base class of errors and warnings has no page
]

# Links to other sites are checked on demand, as CONTRIBUTING.md says.
linkcheck_ignore = [
    r"https?://(127\.0\.0\.1|localhost|example\.org)\b",
    r"https://github\.com/someone/",
]  # examples
linkcheck_anchors = False  # pages of other programs make their anchors with scripts
linkcheck_timeout = 20
linkcheck_retries = 2

html_theme = "furo"
html_title = f"dealerkit {release}"
html_static_path = ["_static", "../dealerkit/appearance/sorting.js"]
html_css_files = ["manual.css"]
html_js_files = [
    ("sorting.js", {"defer": "defer"}),  # a click on the head of a column sorts a long table
    ("slider.js", {"defer": "defer"}),  # cells with the tag "slider" show one of their plots at a time
]
html_search_scorer = str(DOCS / "_static" / "search_scores.js")
html_copy_source = False
html_show_sphinx = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"


def theme_variables(theme: str) -> dict[str, str]:
    """Return the variables of furo whose values are design tokens."""
    token = read_tokens(theme)
    return {
        "color-brand-primary": token["--dk-data"],
        "color-brand-content": token["--dk-data"],
        "color-brand-visited": token["--dk-data"],
        "color-foreground-primary": token["--dk-text"],
        "color-foreground-secondary": token["--dk-quiet"],
        "color-foreground-muted": token["--dk-quiet"],
        "color-foreground-border": token["--dk-rule"],
        "color-background-primary": token["--dk-ground"],
        "color-background-border": token["--dk-line"],
        "color-problematic": token["--dk-alarm"],
        "color-api-name": token["--dk-text"],
        "color-api-pre-name": token["--dk-quiet"],
        "color-code-background": token["--dk-shade"],
        "font-stack": token["--dk-sans"].removeprefix("var(--jp-content-font-family, ").removesuffix(")"),
    }


html_theme_options = {
    "light_css_variables": theme_variables("light"),
    "dark_css_variables": theme_variables("dark"),
    "navigation_with_keys": True,
}


def copy_notebooks() -> None:
    """Copy the notebooks to the tutorial, with links to pages as they are from there."""
    folder = DOCS / "tutorial"
    names = {path.name for path in (ROOT / "notebooks").glob("*.ipynb")}
    for old in folder.glob("*.ipynb"):
        if old.name not in names:
            old.unlink()
    for name in names:
        text = (ROOT / "notebooks" / name).read_text(encoding="utf-8").replace("](../docs/", "](../")
        copy = folder / name
        if not copy.exists() or copy.read_text(encoding="utf-8") != text:
            copy.write_text(text, encoding="utf-8")


def mark_sentences(table: nodes.table) -> None:
    """Mark the columns of a table that have sentences; the style sheet keeps them from being too narrow."""
    for column in zip(*(row.findall(nodes.entry) for row in table.findall(nodes.row)), strict=False):
        if max(len(entry.astext()) for entry in column) > 24:
            for entry in column:
                entry["classes"].append("sentences")


def keep_values_together(doctree: nodes.document) -> None:
    """Keep a value and its interval on one line: blanks around the sign and before per cent do not break."""
    for text in list(doctree.findall(nodes.Text)):
        joined = VALUE_BLANKS.sub("\N{NO-BREAK SPACE}", text.astext())
        is_code = isinstance(text.parent, (nodes.literal, nodes.FixedTextElement))
        if joined != text.astext() and not is_code:
            text.parent.replace(text, nodes.Text(joined))


def add_dark_pictures(app: Sphinx, doctree: nodes.document) -> None:
    """Add NAME-dark.png for dark pages beside the picture NAME.png, if there is one (`tools/pictures.py`)."""
    folder = Path(doctree["source"]).parent
    for light in list(doctree.findall(nodes.image)):
        dark = light["uri"].removesuffix(".png") + "-dark.png"
        if (folder / dark).is_file():
            light["classes"].append("only-light")
            picture = nodes.image(uri=dark, alt=light.get("alt", ""), classes=["only-dark"])
            light.parent.insert(light.parent.index(light) + 1, picture)


def prepare_blocks(app: Sphinx, doctree: nodes.document) -> None:
    """Remove the empty line that doctest needs after a session of Python; colour cells as what they are."""
    keep_values_together(doctree)
    for table in doctree.findall(nodes.table):
        mark_sentences(table)
    for block in doctree.findall(nodes.literal_block):
        if block.astext().startswith("%%dealer"):
            block["language"] = "dealer"
        if block.get("language") == "console":
            block["force"] = True  # quotes around several lines are no error
        if all(isinstance(child, nodes.Text) for child in block.children):
            block.rawsource = block.astext().rstrip()  # Sphinx colours a block only if both are equal
            block.children = [nodes.Text(block.rawsource)]
    for literal in doctree.findall(nodes.literal):
        if len(literal.astext()) <= 30:  # a line would break after the hyphen of ``-v``
            literal["classes"].append("short")


def setup(app: Sphinx) -> None:
    """Add the lexers, also where dealerkit is on the path but not installed."""
    copy_notebooks()
    app.add_lexer("dealer", DealerLexer)
    app.add_lexer("bidding", SystemLexer)
    app.connect("doctree-read", add_dark_pictures, priority=400)  # before Sphinx collects the pictures
    app.connect("doctree-read", prepare_blocks)
