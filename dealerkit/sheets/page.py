"""A practice sheet as one HTML file, for paper, screens and telephones."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from typing import Any

from dealerkit.appearance.html import minify, read_colors
from dealerkit.appearance.numbers import format_count
from dealerkit.arguments import check_integer, check_truth
from dealerkit.cards.deals import Deals
from dealerkit.cards.pages import Page
from dealerkit.errors import ArgumentError
from dealerkit.sheets.boards import Board, list_boards
from dealerkit.sheets.layout import Layout, render_phone, render_sheets

MAX_LINES = 12  # for the auction
# Not in notebooks, where it would change the whole page.
_FILE_STYLE = (
    ":root { color-scheme: light dark; } body { margin: 0; padding: 20px 24px; } "
    "@media (max-width: 480px) { body { padding: 14px 12px; } } "
    "@media print { :root { color-scheme: light; } body { padding: 0; } } "
    "@page { size: A4 portrait; margin: 12mm; }"
)


@functools.cache
def _read_style() -> str:
    own = files("dealerkit.sheets").joinpath("sheet.css").read_text(encoding="utf-8")
    return read_colors("dk-sheets") + minify(own)


def render_file(boards: Sequence[Board], layout: Layout) -> str:
    """Return the file: sheets of hands and answers, and for narrow screens one board at a time."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(layout.title)}</title><style>{_FILE_STYLE}\n{_read_style()}</style></head>\n"
        f'<body><div class="dk-sheets"><main class="paper">{render_sheets(boards, layout)}</main>'
        f'<main class="phone">{render_phone(boards, layout)}</main></div></body></html>\n'
    )


def render_preview(boards: Sequence[Board], layout: Layout) -> str:
    """Return the first sheet for a notebook, with a line that says how many boards it leaves out."""
    shown = boards[: layout.boards_on_page]
    n_more = len(boards) - len(shown)
    more = f"and {format_count(n_more, 'more board')}; " if n_more else ""
    answers = ", and the answers" if layout.answers and any(board.answer for board in boards) else ""
    caption = f'{more}.write("sheet.html") writes all boards{answers}.'
    sheet = render_sheets(shown, replace(layout, answers=layout.answers and not layout.has_separate_answers))
    return (
        f'<div><style>{_read_style()}</style><pre class="dk-sheets-plain">{escape(caption)}</pre>'
        f'<div class="dk-sheets" hidden><div class="paper part">{sheet}</div>'
        f'<p class="caption">{escape(caption)}</p></div></div>'
    )


def make_page(
    deals: Any,
    *,
    hands: str,
    columns: int | None,
    title: str,
    note: str,
    points: bool | None,
    auction: int | None,
    answers: bool,
    solve: bool,
    first_board: int,
) -> Page:
    """Return the practice sheet of Deals or a Library; see `dealerkit.cards.pages.DealPages.page`."""
    seats = _parse_seats(hands)
    lines = check_integer("auction", (0 if len(seats) == 4 else 3) if auction is None else auction, 0)
    if lines > MAX_LINES:
        raise ArgumentError(f"auction is {lines}; a sheet has room for 0 to {MAX_LINES} lines")
    if not isinstance(title, str) or not isinstance(note, str):
        raise ArgumentError(f"title and note are texts, not {title!r:.40} and {note!r:.40}")
    points = None if points is None else check_truth("points", points)
    layout = Layout(
        seats, _count_columns(columns, seats), title, note, points, lines, check_truth("answers", answers)
    )
    chosen = deals if isinstance(deals, Deals) else deals.deals
    boards = list_boards(chosen, first_board, check_truth("solve", solve))
    return Page(len(boards), render_file(boards, layout), render_preview(boards, layout))


def _parse_seats(hands: str) -> tuple[int, ...]:
    """Return the seats of letters such as NS."""
    letters = hands.upper() if isinstance(hands, str) else ""
    seats = tuple("NESW".find(letter) for letter in letters)
    if len(seats) not in (1, 2, 4) or -1 in seats or len(set(seats)) < len(seats):
        raise ArgumentError(
            f"hands is {hands!r:.40}; give the letters of one seat, of two from left to right, or of all "
            "four: S, NS, NESW"
        )
    return tuple(range(4)) if len(seats) == 4 else seats


def _count_columns(columns: int | None, seats: tuple[int, ...]) -> int:
    """Return the checked number of columns."""
    possible = {1: (1, 2, 3, 4), 2: (2, 4), 4: (1, 2)}[len(seats)]
    if columns is None:
        return 2
    if check_integer("columns", columns, 1) not in possible:
        raise ArgumentError(
            f"columns is {columns}; with hands of {len(seats)} seat{'s' * (len(seats) > 1)} it may be "
            f"{', '.join(map(str, possible))}"
        )
    return columns
