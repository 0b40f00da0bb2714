"""Parts that all HTML shares: the style sheet, the output of a notebook, heads, captions and facts."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from html import escape
from importlib.resources import files

CALL = ' class="dk-call"'  # the class of the call, which a button of a page copies


class Markup(str):
    """Text that is HTML already, so that it is not escaped."""


_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_PAGE_COLOR = re.compile(r"var\(--jp-[\w-]+, (#\w+)\)")
_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_LETTERS = {symbol: letter.lower() for letter, symbol in _SUITS.items()}
_SYMBOL = re.compile("([♠♥♦♣])\ufe0e?")
_BID = re.compile(r"\b([1-7])([SHDC])(?=x{0,2}\b)")  # level and suit of a contract


def mark_suits(text: str) -> Markup:
    """Return a text as HTML with coloured suit symbols, also in contracts such as ``4S by north``.

    >>> mark_suits("4Sx & ♥A").replace("\ufe0e", "")
    '4<span class="dk-s">♠</span>x &amp; <span class="dk-h">♥</span>A'
    """
    if isinstance(text, Markup):
        return text
    symbols = _BID.sub(lambda bid: bid[1] + _SUITS[bid[2]], escape(text))
    # The selector \ufe0e asks for text; without it, telephones show a picture instead of the symbol.
    return Markup(
        _SYMBOL.sub(lambda suit: f'<span class="dk-{_LETTERS[suit[1]]}">{suit[1]}\ufe0e</span>', symbols)
    )


def escape_text(text: str) -> str:
    """Return a text as HTML; return `Markup` unchanged.

    >>> escape_text("<b>"), escape_text(Markup("<b>"))
    ('&lt;b&gt;', '<b>')
    """
    return text if isinstance(text, Markup) else escape(text)


@functools.cache
def read_style() -> str:
    """Return the minified style sheet: first colours and sizes, then the rules of all parts.

    All classes begin with ``dk-`` or are used inside an element of the class ``dk``. Colours follow
    JupyterLab's theme if its variables exist, and otherwise the light or dark preference of the page or the
    system. There is no background colour, so that the page's own is visible.
    """
    return minify(read_sheet("tokens.css") + read_sheet("style.css"))


def read_colors(css: str) -> str:
    """Return the colours and sizes for elements of another class, which the rules of parts do not change.

    >>> read_colors("dk-sheets").startswith(".dk-sheets{--dk-text:")
    True
    """
    return minify(re.sub(r"\.dk(?![\w-])", f".{css}", read_sheet("tokens.css")))


def read_sheet(name: str) -> str:
    """Return the text of a style sheet or script of this package."""
    return files("dealerkit.appearance").joinpath(name).read_text(encoding="utf-8")


def minify(sheet: str) -> str:
    r"""Return a style sheet without comments and needless spaces.

    >>> minify("/* Red. */\n.dk { color:  red; }\n\n.a { --x: 1 }")
    '.dk{color:red}.a{--x:1}'
    """
    text = re.sub(r"\s+", " ", _COMMENT.sub("", sheet))
    return re.sub(r"\s*([{};])\s*|(?<=[:,])\s+", r"\1", text).replace(";}", "}").strip()


@functools.cache
def read_tokens(theme: str) -> dict[str, str]:
    """Return colours and sizes by name, in the theme "light" or "dark", without those of the page.

    >>> read_tokens("light")["--dk-data"], read_tokens("dark")["--dk-text"]
    ('#2368b0', '#e6e8eb')
    """
    blocks = re.findall(r"([^{}]*)\{([^{}]*)\}", _COMMENT.sub("", read_sheet("tokens.css")))
    tokens: dict[str, str] = {}
    for selector, block in blocks:
        is_dark = theme == "dark" and selector.endswith("body.vscode-dark .dk ")  # not the rules for print
        if selector.strip() == ".dk" or is_dark:
            tokens |= re.findall(r"(--dk-[\w-]+):\s*([^;]+)", block)
    return {name: _PAGE_COLOR.sub(r"\1", value) for name, value in tokens.items()}


_appearance = {"suits": "four", "style": ""}  # the reader's settings, which hold for all results


def set_appearance(suits: str = "four", theme: str = "page") -> None:
    """Set the appearance of all HTML that is made from now on.

    Parameters
    ----------
    suits : {"four", "two"}
        Number of colours for suits.
    theme : {"page", "light", "dark"}
        Whether colours follow the theme of the page, or are fixed because its theme is not recognized.
    """
    tokens = {} if theme == "page" else read_tokens(theme)
    colors = {name: value for name, value in tokens.items() if "#" in value or name.endswith("-rgb")}
    colors |= {name: tokens[name] for name in ("--dk-shade", "--dk-heat-top", "--dk-bar") if name in tokens}
    _appearance.update(suits=suits, style="; ".join(f"{name}: {value}" for name, value in colors.items()))


def open_fragment() -> str:
    """Return the opening tag of a part of a page, with the reader's settings."""
    suits = ' data-suits="two"' if _appearance["suits"] == "two" else ""
    style = f' style="{escape(_appearance["style"])}"' if _appearance["style"] else ""
    return f'<div class="dk"{suits}{style} hidden>'


def render_fragment(body: str, plain: str) -> str:
    """Return HTML with the style sheet, for ``_repr_html_``.

    Parameters
    ----------
    body : str
        The content as HTML, in which text of users must be escaped (`html.escape`).
    plain : str
        The content as plain text, which is shown where styles are removed, as in untrusted notebooks and some
        mail programs. It must not be escaped.

    Examples
    --------
    >>> print(render_fragment("<b>1</b>", "1 < 2").partition("</style>")[2])
    <pre class="dk-plain">1 &lt; 2</pre><div class="dk" hidden><b>1</b></div></div>
    """
    return (
        f'<div><style>{read_style()}</style><pre class="dk-plain">{escape(plain)}</pre>'
        f"{open_fragment()}{body}</div></div>"
    )


def render_head(first: str, *parts: str) -> str:
    """Return the head line of a result, with a prominent first part; texts are escaped.

    >>> render_head("3 deals", "seed 7")
    '<div class="dk-head"><strong>3 deals</strong><span>seed 7</span></div>'
    """
    spans = "".join(f"<span>{escape_text(part)}</span>" for part in parts if part)
    return f'<div class="dk-head"><strong>{escape_text(first)}</strong>{spans}</div>'


def render_caption(text: str) -> str:
    """Return a caption below a table or a drawing; the text is escaped unless it is `Markup`.

    >>> render_caption("< 3 deals")
    '<p class="dk-caption">&lt; 3 deals</p>'
    """
    return f'<p class="dk-caption">{escape_text(text)}</p>'


def render_facts(summary: str, facts: Iterable[tuple[str, str]]) -> str:
    """Return a folded list of terms; all texts are escaped unless they are `Markup`.

    >>> render_facts("More", [("seed", "7")])
    '<details><summary>More</summary><dl class="facts"><dt>seed</dt><dd>7</dd></dl></details>'
    """
    rows = "".join(
        f"<dt>{escape(name)}</dt><dd{CALL if name == 'call' else ''}>{escape_text(value)}</dd>"
        for name, value in facts
    )
    return f'<details><summary>{escape(summary)}</summary><dl class="facts">{rows}</dl></details>'
