"""The page of a result: an HTML file to share, which needs neither JavaScript nor a network."""

from __future__ import annotations

import base64
import functools
import hashlib
from html import escape

from dealerkit.appearance.html import minify, open_fragment, read_sheet, read_style

MAKER = "dealerkit"  # named in the footer


@functools.cache
def read_script() -> str:
    """Return the script of a page, which sorts tables and adds a button that copies the call."""
    return "".join(map(read_sheet, ("sorting.js", "copying.js", "page.js"))).strip()


@functools.cache
def _name_policy() -> str:
    """Return the content security policy of a page, which loads nothing and only runs its own script."""
    digest = base64.b64encode(hashlib.sha256(read_script().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )


def render_page(title: str, body: str) -> str:
    """Return a complete HTML page; `body` is HTML, `title` a text that is escaped here.

    >>> page = render_page("Q & A", "<p>1</p>")
    >>> "<title>Q &amp; A</title>" in page, "default-src 'none'" in page
    (True, True)
    """
    from dealerkit import __version__

    style = read_style() + minify(read_sheet("page.css"))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_name_policy()}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<meta name="generator" content="{MAKER} {__version__}">'
        f"<title>{escape(title)}</title><style>{style}</style></head>\n"
        f'<body class="dk-body">{open_fragment().replace(" hidden>", ">")}<main>'
        f'<h1 class="dk-hidden">{escape(title)}</h1><h2 class="dk-hidden">Result</h2>{body}</main>'
        f'<footer class="dk-caption">{MAKER} {__version__}</footer></div>'
        f"<script>{read_script()}</script></body></html>\n"
    )
