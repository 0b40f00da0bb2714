"""Deals as HTML, and the one style sheet of everything the package shows in a notebook."""

from __future__ import annotations

import functools
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
    """The style sheet, read once.

    All classes begin with ``dk-``. Colours follow JupyterLab's theme where its variables
    exist, and else what the page or the system says about light and dark.
    """
    return files("dealerkit.cards").joinpath("style.css").read_text(encoding="utf-8")


def render_fragment(body: str, plain: str) -> str:
    """A piece of HTML with its style, ready for ``_repr_html_``.

    Parameters
    ----------
    body : str
        HTML; what comes from users is escaped already (`html.escape`).
    plain : str
        The same as plain text, shown where styles are taken away (a notebook that is
        not trusted, some mail programs). Escaped here.

    Examples
    --------
    >>> print(render_fragment("<b>1</b>", "1 < 2").partition("</style>")[2])
    <pre class="dk-plain">1 &lt; 2</pre><div class="dk" hidden><b>1</b></div></div>
    """
    return (
        f'<div><style>{read_style()}</style><pre class="dk-plain">{escape(plain)}</pre>'
        f'<div class="dk" hidden>{body}</div></div>'
    )


def hand(word: int, label: str = "") -> str:
    """One hand, a line for each suit.

    Parameters
    ----------
    word : int
        The hand, uint64.
    label : str
        What a reader of the page aloud is told, the seat as a rule.
    """
    rows = "".join(
        f"<div>{symbol}<span>{holding or '–'}</span></div>"
        for symbol, holding in zip(_SUITS, text.format_hand(word).split("."), strict=True)
    )
    name = f' aria-label="{escape(label)}"' if label else ""
    return f'<div class="dk-hand dk-{escape(label) or "any"}"{name}>{rows}</div>'


def deal(
    hands: Sequence[int], vulnerable: int | None = None, dealer: int | None = None, board: int | None = None
) -> str:
    """One deal as a diagram, without the style sheet.

    Parameters
    ----------
    hands : four ints
        North, east, south, west.
    vulnerable, dealer, board : int or None
        Shown where known: vulnerable seats are red in the compass, the dealer is underlined.
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
    seats = "".join(hand(word, name) for word, name in zip(hands, SEATS, strict=True))
    return (
        f'<div class="dk-deal"><div class="dk-notes">{notes}</div>{seats}'
        f'<div class="dk-compass" aria-hidden="true">{"".join(letters)}</div></div>'
    )


def render_row(parts: Iterable[str], caption: str = "") -> str:
    """Pieces of HTML beside each other, wrapped where the page ends, with a caption (escaped) below."""
    below = f'<div class="dk-caption">{escape(caption)}</div>' if caption else ""
    return f'<div class="dk-row">{"".join(parts)}</div>{below}'
