"""HTML of hands and deals, and the style sheet of all HTML that the package shows in notebooks."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

from dealerkit.cards import text
from dealerkit.cards.names import SEATS

_SUITS = tuple(
    f'<span class="dk-{letter}">{symbol}</span>'
    for letter, symbol in zip("shdc", text.SUIT_SYMBOLS, strict=True)
)


@functools.cache
def read_style() -> str:
    """Return the style sheet; the file is read once.

    All classes begin with ``dk-``. Colours follow JupyterLab's theme if its variables exist, otherwise the
    light or dark preference of the page or the system.
    """
    return files("dealerkit.cards").joinpath("style.css").read_text(encoding="utf-8")


_appearance = {"suits": "four", "style": ""}  # of the reader, not of a result


def set_appearance(suits: str = "four", theme: str = "page") -> None:
    """Set how all HTML looks from now on.

    Parameters
    ----------
    suits : {"four", "two"}
        Number of their colours.
    theme : {"page", "light", "dark"}
        Colours of the page's theme, or fixed ones for a page whose theme is not recognized.
    """
    block = {"light": r"\A[^{]*?\.dk \{", "dark": r"body\.vscode-dark \.dk \{"}.get(theme)
    found = re.search(block + r"([^}]*)\}", read_style()) if block else None
    declared = re.sub(r"/\*.*?\*/|\s+", " ", found[1]) if found else ""
    fixed = re.sub(r"var\(--jp-(?:content-font-color|layout|border)[\w-]*, ([^()]*)\)", r"\1", declared)
    _appearance.update(suits=suits, style=fixed.strip())


def open_fragment() -> str:
    """Return the tag that begins a part of a page, with the reader's settings."""
    suits = ' data-suits="two"' if _appearance["suits"] == "two" else ""
    style = f' style="{escape(_appearance["style"])}"' if _appearance["style"] else ""
    return f'<div class="dk"{suits}{style} hidden>'


def render_fragment(body: str, plain: str) -> str:
    """Return HTML with the style sheet, for ``_repr_html_``.

    Parameters
    ----------
    body : str
        HTML, in which text of users is escaped (`html.escape`).
    plain : str
        The same as plain text, which is shown where styles are removed (in untrusted notebooks, some mail
        programs). This function escapes it.

    Examples
    --------
    >>> print(render_fragment("<b>1</b>", "1 < 2").partition("</style>")[2])
    <pre class="dk-plain">1 &lt; 2</pre><div class="dk" hidden><b>1</b></div></div>
    """
    return (
        f'<div><style>{read_style()}</style><pre class="dk-plain">{escape(plain)}</pre>'
        f"{open_fragment()}{body}</div></div>"
    )


def render_page(title: str, body: str, plain: str) -> str:
    """Return a complete HTML page with a body; `title` and `plain` are not escaped yet.

    >>> render_page("Q & A", "<p>1</p>", "1").splitlines()[1].endswith("<title>Q &amp; A</title></head>")
    True
    """
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title></head>\n<body>{render_fragment(body, plain)}</body></html>\n"
    )


def render_hand(cards: int, label: str = "") -> str:
    """Return the HTML of a hand, a line for each suit; `label`, usually the seat, is for screen readers."""
    rows = "".join(
        f"<div>{symbol}<span>{holding or '–'}</span></div>"
        for symbol, holding in zip(_SUITS, text.format_hand(cards).split("."), strict=True)
    )
    name = f' aria-label="{escape(label)}"' if label else ""
    return f'<div class="dk-hand dk-{escape(label) or "any"}"{name}>{rows}</div>'


def render_deal(
    hands: Sequence[int], vulnerable: int | None = None, dealer: int | None = None, board: int | None = None
) -> str:
    """Return the HTML of the diagram of four hands, without the style sheet.

    Vulnerability, dealer and board are shown unless None: vulnerable seats are red in the compass, the dealer
    is underlined.
    """
    notes = "".join(f"<div>{escape(line)}</div>" for line in text.format_heading(vulnerable, dealer, board))
    letters = []
    for seat, name in enumerate(SEATS):
        classes = [f"dk-at-{name}"]
        if vulnerable is not None:
            classes.append("dk-vulnerable" if vulnerable >> (seat & 1) & 1 else "dk-safe")
        if seat == dealer:
            classes.append("dk-dealer")
        letters.append(f'<span class="{" ".join(classes)}">{name[0].upper()}</span>')
    seats = "".join(render_hand(cards, name) for cards, name in zip(hands, SEATS, strict=True))
    return (
        f'<div class="dk-deal"><div class="dk-notes">{notes}</div>{seats}'
        f'<div class="dk-compass" aria-hidden="true">{"".join(letters)}</div></div>'
    )


def render_row(parts: Iterable[str], caption: str = "") -> str:
    """Return pieces of HTML side by side, wrapped at the end of the line, above a caption (escaped here)."""
    below = f'<div class="dk-caption">{escape(caption)}</div>' if caption else ""
    return f'<div class="dk-row">{"".join(parts)}</div>{below}'
