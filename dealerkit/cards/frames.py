"""Deals in tables of pandas: one line each, and in HTML a diagram under the pointer."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from dealerkit.appearance.html import open_fragment, read_style
from dealerkit.cards.deal import Deal
from dealerkit.cards.html import render_deal
from dealerkit.cards.names import SEATS
from dealerkit.cards.text import format_hand

_writer: ContextVar[Callable[[Deal], str] | None] = ContextVar("writer", default=None)  # for render_frame


def format_cell(deal: Any) -> str:
    """Return the text of a deal, or of a missing value, in a table of pandas."""
    if not isinstance(deal, Deal):
        return str(deal)
    return (_writer.get() or format_line)(deal)


def format_line(deal: Deal) -> str:
    r"""Return a deal as pandas shows it: its text if there is room, else whole hands, north and south first.

    The room is the option ``display.max_colwidth`` of pandas, 50 characters by default. Blanks do not break.

    >>> format_line(Deal("N:K4.KQ982.AQJ8.T3 AJ9875.4.T653.A9 63.AJT65.942.K65 QT2.73.K7.QJ8742"))
    'N\xa0K4.KQ982.AQJ8.T3\xa0\xa0S\xa063.AJT65.942.K65\xa0…'
    """
    import pandas as pd

    room = pd.get_option("display.max_colwidth")
    if room is None or len(deal.pbn) <= room:
        return deal.pbn
    hands = [f"{SEATS[seat][0].upper()} {format_hand(deal.hands[seat])}" for seat in (0, 2, 1)]
    while len(hands) > 1 and len("  ".join(hands)) + 2 > room:
        hands.pop()
    return f"{'  '.join(hands)} …".replace(" ", "\xa0")


def render_frame(frame: Any) -> str | None:
    """Return the HTML of a frame as pandas writes it, with diagrams that need no script or kernel."""
    table: str | None = frame._repr_html_()
    if table is None or "deal" not in (getattr(dtype, "name", "") for dtype in frame.dtypes):
        return table
    deals: list[Deal] = []
    mark = next(chr(code) for code in range(0xE000, 0xF8FF) if chr(code) not in table)  # for private use

    def number_deal(deal: Deal) -> str:
        deals.append(deal)
        return f"{mark}{len(deals) - 1}{mark}"

    former = _writer.set(number_deal)
    try:
        table = frame._repr_html_()
    finally:
        _writer.reset(former)

    def render(match: re.Match[str]) -> str:
        deal = deals[int(match[1])]
        diagram = render_deal(deal.hands, deal.vulnerable, deal.dealer, deal.board, has_link=False)
        return (
            f'<div class="dk-cell">{format_line(deal)}'
            f'<div class="dk-hover" hidden>{open_fragment()}{diagram}</div></div></div>'
        )

    return f"<style>{read_style()}</style>{re.sub(f'{mark}([0-9]+){mark}', render, table or '')}"
