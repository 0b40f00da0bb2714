"""HTML of hands and deals: diagrams, and pages of diagrams that need no script."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from typing import Any
from urllib.parse import urlencode

from dealerkit.appearance.html import mark_suits, render_caption
from dealerkit.appearance.numbers import format_count
from dealerkit.cards import text
from dealerkit.cards.names import LANE_SHIFTS, SEATS

DEALS_ON_PAGE, N_PAGES = 12, 4  # more would make notebooks large
MOST_LINES = 500  # deals on a page in a file
VIEWER = "https://www.bridgebase.com/tools/handviewer.html"
_SUITS = tuple(map(mark_suits, text.SUIT_SYMBOLS))
VULNERABLE = ("None vul.", "N-S vul.", "E-W vul.", "All vul.")
_POINTS = ((12, 4), (11, 3), (10, 2), (9, 1))  # bit of the rank in a holding, and its points


def count_points(hand: int) -> int:
    """Return the high-card points of a hand, 4-3-2-1.

    >>> count_points(0x1E00_01C0_000F_0003)
    10
    """
    return sum(points * (hand >> shift >> rank & 1) for shift in LANE_SHIFTS for rank, points in _POINTS)


def render_hand(cards: int, label: str = "") -> str:
    """Return the HTML of a hand, one line per suit, below `label`, a seat, and the points."""
    return _render_holdings(text.format_hand(cards).split("."), label, count_points(cards))


def _render_holdings(holdings: Sequence[str], label: str, points: int | None) -> str:
    """Return the HTML of four suits; an empty suit is a void."""
    rows = "".join(
        f"<div><span>{symbol}</span>"
        + (f'<span class="cards">{escape(holding)}</span>' if holding else '<span class="void">–</span>')
        + "</div>"
        for symbol, holding in zip(_SUITS, holdings, strict=True)
    )
    if not label:
        return f'<div class="dk-hand">{rows}</div>'
    name = escape(label)
    spoken, shown = ("", "") if points is None else (f", {points} points", f"&ensp;{points}")
    return (
        f'<div class="dk-hand dk-{name}" role="group" aria-label="{name}{spoken}">'
        f'<div class="seat"><b>{name[0].upper()}</b>{shown}</div>{rows}</div>'
    )


def render_deal(
    hands: Sequence[int],
    vulnerable: int | None = None,
    dealer: int | None = None,
    board: int | None = None,
    *,
    name: str = "",
    has_link: bool = True,
) -> str:
    """Return the HTML of the diagram of four hands, without the style sheet.

    Vulnerability, dealer and board are shown unless None: the seats of a vulnerable side are filled, the
    dealer is underlined. `name` replaces an unknown board number. The link opens a public hand viewer.
    """
    seats = "".join(render_hand(cards, seat_name) for cards, seat_name in zip(hands, SEATS, strict=True))
    address = escape(link_viewer(hands, vulnerable, dealer, board))
    link = f'<a href="{address}" target="_blank" rel="noopener">view</a>' if has_link else ""
    return _arrange_deal(seats, link, vulnerable, dealer, board, name)


def render_partial(deal: Any, name: str = "") -> str:
    """Return the HTML of the diagram of the known cards of a `PartialDeal`, without the style sheet.

    If a card has no name, there is no link to the viewer.
    """
    known = deal.list_holdings()
    seats = "".join(
        _render_holdings(["" if cards == "-" else cards for cards in holdings], seat_name, None)
        for holdings, seat_name in zip(known, SEATS, strict=True)
    )
    details = (deal.vulnerable, deal.dealer, deal.board)
    link = ""
    if not any(map(any, deal.small)):
        address = escape(link_viewer(deal.hands, *details))
        link = f'<a href="{address}" target="_blank" rel="noopener">view</a>'
    return _arrange_deal(seats, link, *details, name)


def render_partials(deals: Sequence[Any], comments: Sequence[str]) -> str:
    """Return the diagrams of partial deals with their comments, 48 at most, without the style sheet."""
    shown = deals[: DEALS_ON_PAGE * N_PAGES]
    diagrams = "".join(
        f"<div>{render_partial(deal, f'Board {number}')}{render_caption(comment) if comment else ''}</div>"
        for number, (deal, comment) in enumerate(zip(shown, comments, strict=False), 1)
    )
    more = ""
    if len(shown) < len(deals):
        more = render_caption(f"{len(shown)} of {format_count(len(deals), 'board')} are shown.")
    return f'<div class="dk-grid">{diagrams}</div>{more}'


def _arrange_deal(
    seats: str, link: str, vulnerable: int | None, dealer: int | None, board: int | None, name: str
) -> str:
    """Return the HTML of a diagram from the HTML of its hands and its link."""
    title = f"Board {board}" if board is not None else name
    notes = [
        title,
        "" if dealer is None else f"Dealer {SEATS[dealer][0].upper()}",
        "" if vulnerable is None else VULNERABLE[vulnerable],
    ]
    letters = []
    for seat, seat_name in enumerate(SEATS):
        vul = ' class="vul"' if vulnerable is not None and vulnerable >> (seat & 1) & 1 else ""
        letter = (
            f'<span class="dealer">{seat_name[0].upper()}</span>' if seat == dealer else seat_name[0].upper()
        )
        letters.append(f'<span class="b{seat_name[0]}"><span{vul}>{letter}</span></span>')
    middle = "" if board is None or board > 9999 else str(board)  # the notes say it in any case
    css = "bm small" if len(middle) > 3 else "bm"
    return (
        f'<article class="dk-deal" aria-label="{escape(title or "Deal")}">'
        f'<div class="dk-notes">{"<br>".join(escape(line) for line in notes if line)}</div>{seats}'
        f'<div class="dk-board" aria-hidden="true">{"".join(letters)}'
        f'<span class="{css}">{middle}</span></div>'
        f'<div class="dk-par">{link}</div></article>'
    )


def link_viewer(
    hands: Sequence[int], vulnerable: int | None = None, dealer: int | None = None, board: int | None = None
) -> str:
    """Return the address that shows a deal in the hand viewer of Bridge Base Online.

    Its parameters are described at https://www.bridgebase.com/tools/hvdoc.html: a hand for each seat, d the
    dealer, v the vulnerability (o, n, e or b), b the number of the board.
    """
    values = {
        name[0]: text.format_lin_hand(cards).lower()
        for name, cards in zip(SEATS, hands, strict=True)
        if cards
    }
    if dealer is not None:
        values["d"] = SEATS[dealer][0]
    if vulnerable is not None:
        values["v"] = "oneb"[vulnerable]
    if board is not None:
        values["b"] = str(board)
    return f"{VIEWER}?{urlencode(values)}"


def render_deals(
    deals: Any, n_all: int | None = None, source: str = "deals", buttons: str | None = None
) -> str:
    """Return diagrams as pages, without the style sheet; changing the page needs neither script nor kernel.

    Parameters
    ----------
    deals : Deals
        The first of them are shown, 48 at most.
    n_all : int, optional
        Number of all deals; None: that of `deals`.
    source : str
        What a caption calls the deals, such as ``result.deals``.
    buttons : str, optional
        Name of the buttons, which must be unique on the page; by default a random one.
    """
    shown = list(deals[: DEALS_ON_PAGE * N_PAGES])
    n_all = len(deals) if n_all is None else n_all
    pages = [shown[first : first + DEALS_ON_PAGE] for first in range(0, len(shown), DEALS_ON_PAGE)]
    grids = [render_grid(page, 1 + DEALS_ON_PAGE * number) for number, page in enumerate(pages)]
    caption = ""
    if n_all > len(shown):
        where = f"; {source}[{len(shown)}:{2 * len(shown)}] shows the next" if len(deals) > len(shown) else ""
        caption = render_caption(
            f"{format_count(len(shown))} of {format_count(n_all, 'deal')} are shown{where}."
        )
    if len(grids) < 2:
        return "".join(f"<div>{grid}</div>" for grid in grids) + caption
    name = buttons or f"dk{os.urandom(4).hex()}"  # two outputs of a notebook must not share their buttons
    inputs, labels = [], []
    for number, page in enumerate(pages):
        first = 1 + DEALS_ON_PAGE * number
        place, checked = f"{first}–{first + len(page) - 1}", " checked" if not number else ""
        inputs.append(
            f'<input type="radio" name="{name}" id="{name}-{number}" aria-label="Deals {place}"{checked}>'
        )
        labels.append(f'<label for="{name}-{number}">{place}</label>')
    return (
        f'<div class="dk-pager">{"".join(inputs)}<div class="dk-pages">'
        f"{''.join(f'<div>{grid}</div>' for grid in grids)}</div>"
        f'<div class="dk-tabs">{"".join(labels)}</div></div>{caption}'
    )


def render_all_deals(deals: Any, n_all: int) -> str:
    """Return deals for a page in a file: the first 48 as diagrams, the others as collapsed lines.

    Parameters
    ----------
    deals : Deals
    n_all : int
        Number of all deals, of which `deals` may be the first ones.
    """
    n_diagrams = DEALS_ON_PAGE * N_PAGES
    shown, rest = deals[:n_diagrams], deals[n_diagrams:MOST_LINES]
    parts = [render_deals(shown, buttons="dk-deals")]
    if len(rest):
        lines = "\n".join(f'[Deal "{deal.pbn}"]' for deal in rest)
        last = n_diagrams + len(rest)
        name = f"Deals {n_diagrams + 1} to {format_count(last)} as PBN"
        parts.append(f"<details><summary>{name}</summary><pre>{escape(lines)}</pre></details>")
    if n_all > MOST_LINES:
        parts.append(
            render_caption(f"This page has {format_count(MOST_LINES)} of {format_count(n_all, 'deal')}.")
        )
    return "".join(parts)


def render_grid(deals: Sequence[Any], first: int = 1) -> str:
    """Return diagrams side by side, numbered from `first`, and below them the deals as text to copy."""
    diagrams = "".join(
        render_deal(deal.hands, deal.vulnerable, deal.dealer, deal.board, name=f"Deal {number}")
        for number, deal in enumerate(deals, first)
    )
    return f'<div class="dk-grid">{diagrams}</div>{render_copies(deals)}'


def render_copies(deals: Sequence[Any]) -> str:
    """Return the deals as PBN and LIN text, collapsed, which a click selects for copying."""
    pbn = "\n".join(f'[Deal "{deal.pbn}"]' for deal in deals)
    lin = "\n".join(text.format_lin(deal.hands, deal.vulnerable, deal.dealer, deal.board) for deal in deals)
    return "".join(
        f'<details class="dk-copy"><summary>{name}</summary><pre>{escape(content)}</pre></details>'
        for name, content in (("PBN", pbn), ("LIN", lin))
    )
