"""The pages of practice sheets: hands on paper, answers, and one board at a time on a telephone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape

from dealerkit.sheets import parts
from dealerkit.sheets.boards import Board

# Heights in millimetres; they agree with sheet.css.
_PAGE = 273  # of A4 between margins of 12
_HEADING_AND_FOOT = 26
_CARD = 16.5  # of one board, without the hand and the auction
_HAND = 23.5
_AUCTION_HEADING, _AUCTION_LINE = 5, 6
_DIAGRAM = 82


@dataclass(frozen=True)
class Layout:
    """Settings of a sheet; see `dealerkit.sheets.page.make_page`.

    Attributes
    ----------
    seats : tuple of int
        Whose hands are shown, from left to right: one, two or all four.
    columns : int
        Hands across the page, or diagrams.
    points : bool or None
        Show points: everywhere, or nowhere; None: not with the hands on paper.
    auction : int
        Lines for the auction.
    answers : bool
        Whether answers are shown, for boards that have them.
    """

    seats: tuple[int, ...]
    columns: int
    title: str
    note: str
    points: bool | None
    auction: int
    answers: bool

    @property
    def declarers(self) -> tuple[int, ...]:
        """The seats whose tricks an answer shows: those of the side, or all."""
        sides = {seat % 2 for seat in self.seats}
        return (0, 1, 2, 3) if len(sides) == 2 else tuple(seat for seat in range(4) if seat % 2 in sides)

    @property
    def shows_points(self) -> bool:
        """Whether diagrams and telephones show points."""
        return self.points is not False

    @property
    def has_separate_answers(self) -> bool:
        """Whether answers have pages of their own; where all hands are shown, they are in the diagrams."""
        return self.answers and (len(self.seats) < 4 or self.auction > 0)

    @property
    def boards_on_page(self) -> int:
        """How many boards fit on a sheet of A4."""
        auction = _AUCTION_HEADING + _AUCTION_LINE * self.auction if self.auction else 0
        if len(self.seats) == 4:
            return int((_PAGE - _HEADING_AND_FOOT) // (_DIAGRAM + max(0, auction - _HAND))) * self.columns
        body = _HAND + 2 + auction if self.columns > 2 and auction else max(_HAND, auction)
        rows = max(1, int((_PAGE - _HEADING_AND_FOOT) // (_CARD + body)))
        return rows * self.columns // len(self.seats)


def render_sheets(boards: Sequence[Board], layout: Layout) -> str:
    """Return all pages of paper: the hands, then the answers."""
    pages = [_render_page(group, layout) for group in _split(boards, layout.boards_on_page)]
    if not boards:
        pages = [_render_page((), layout)]
    if layout.has_separate_answers and any(board.answer is not None for board in boards):
        pages += [_render_answers(group, layout) for group in _split(boards, 6)]
    return "".join(pages)


def _split(boards: Sequence[Board], size: int) -> Iterable[tuple[Board, ...]]:
    return (tuple(boards[first : first + size]) for first in range(0, len(boards), size))


def _render_page(boards: Sequence[Board], layout: Layout) -> str:
    """Return one page of hands, with its heading and foot."""
    title, note = f"<b>{escape(layout.title)}</b>", escape(layout.note)
    heads = [f"{title}<br><span>{parts.name_seat(seat)}’s hands</span>" for seat in layout.seats]
    feet, kind = [note] if note else [], ""
    if len(layout.seats) == 2:
        kind, others = " two", [parts.name_seat(seat) for seat in range(4) if seat not in layout.seats]
        feet = [f"Fold along the dashed line. {others[0]} and {others[1]} pass.", note]
    elif len(layout.seats) == 4:
        heads = [title]
    if not boards:
        body = '<p class="none">No deals.</p>'
    elif len(layout.seats) == 4:
        body = f'<div class="answers c{layout.columns}">{_render_diagrams(boards, layout)}</div>'
    else:
        body = f'<div class="cards c{layout.columns}{kind}">{_render_cards(boards, layout)}</div>'
    head = f'<header class="head{kind}">{"".join(f"<div>{text}</div>" for text in heads)}</header>'
    foot = f'<footer class="foot{kind}">{"".join(f"<span>{text}</span>" for text in feet)}</footer>'
    return f'<section class="sheet">{head}{body}{foot if feet and boards else ""}</section>'


def _render_cards(boards: Sequence[Board], layout: Layout) -> str:
    """Return the hands of a page row by row; of two seats, each has one half of the row."""
    if len(layout.seats) == 1:
        return "".join(_render_card(board, layout.seats[0], layout) for board in boards)
    half = layout.columns // 2
    cards = []
    for row in _split(boards, half):
        for seat in layout.seats:
            cards += [_render_card(board, seat, layout) for board in row]
            cards += ['<section class="card"></section>'] * (half - len(row))
    return "".join(cards)


def _render_card(board: Board, seat: int, layout: Layout) -> str:
    facts = [f"dealer {parts.SEAT_LETTERS[board.dealer]}", parts.VULNERABLE[board.vulnerable]]
    if layout.points:
        facts.insert(0, parts.count_points(board.points[seat]))
    if layout.columns <= 2:  # three or four columns have no room for it; the heading of the page has the seat
        facts.insert(0, parts.name_seat(seat))
    heading = " &middot; ".join(facts)
    hand = parts.render_hand(board, seat, bool(layout.points))
    return (
        f'<section class="card"><div class="top"><b>{board.number}</b><span>{heading}</span></div>'
        f'<div class="body">{hand}{parts.render_auction(layout.auction)}</div></section>'
    )


def _render_diagrams(boards: Sequence[Board], layout: Layout) -> str:
    """Return full diagrams, each with room for the auction or with its answer in the corner."""
    declarers = layout.declarers if layout.answers else ()
    if not layout.answers or layout.auction:
        auction = parts.render_auction(layout.auction)
        boards = [replace(board, answer=None) for board in boards]
    else:
        auction = ""
    diagrams = (parts.render_diagram(board, layout.shows_points, declarers, auction) for board in boards)
    return "".join(f'<div class="cell">{diagram}</div>' for diagram in diagrams)


def describe_answers(layout: Layout) -> str:
    """Return what the tables and par of the answers mean."""
    names = [parts.name_seat(seat) for seat in layout.declarers]
    declaring = f"{names[0]} and {names[1]} declaring" if len(names) == 2 else "by declarer"
    return f"tricks double dummy, {declaring}"


def _render_answers(boards: Sequence[Board], layout: Layout) -> str:
    """Return one page of answers."""
    meaning = f"{describe_answers(layout)}; par at the vulnerability of the board"
    cells = "".join(
        f'<div class="cell">{parts.render_diagram(board, layout.shows_points, layout.declarers)}</div>'
        for board in boards
    )
    return (
        '<section class="sheet"><header class="head"><div><b>Answers</b><br>'
        f"<span>{meaning}</span></div></header>"
        f'<div class="answers c2">{cells}</div></section>'
    )


# ---------------------------------------------------------------- telephone
def render_phone(boards: Sequence[Board], layout: Layout) -> str:
    """Return the boards one at a time: the hand of the last seat, the others and the answer on request.

    The buttons are links to the boards, so that no script is needed.
    """
    if not boards:
        head = f'<header class="phead"><b>{escape(layout.title)}</b></header>'
        return f'<section class="one">{head}<p class="facts">No deals.</p></section>'
    return "".join(
        _render_phone_board(board, place, len(boards), layout) for place, board in enumerate(boards, 1)
    )


def _render_phone_board(board: Board, place: int, n_boards: int, layout: Layout) -> str:
    own, others = layout.seats[-1], layout.seats[:-1]
    facts = (
        f"Board {board.number} &middot; dealer {parts.SEAT_LETTERS[board.dealer]} &middot; "
        f"{parts.VULNERABLE[board.vulnerable]}"
    )
    pieces = []
    if len(layout.seats) == 4:
        pieces.append(parts.render_diagram(replace(board, answer=None), layout.shows_points))
    else:
        facts += f" You are {parts.name_seat(own)}"
        facts += f", {parts.count_points(board.points[own])}." if layout.shows_points else "."
        pieces.append(f'<div class="own">{parts.render_hand(board, own, layout.shows_points)}</div>')
        for seat in others:
            whose = "partner" if (seat - own) % 4 == 2 else parts.name_seat(seat)
            hand = parts.render_hand(board, seat, layout.shows_points, heading=True)
            pieces.append(f"<details><summary>Show {whose}’s hand</summary><div>{hand}</div></details>")
    if layout.answers and (board.answer is not None or len(layout.seats) < 4):
        pieces.append(_render_phone_answer(board, layout))
    note = f'<p class="note">{escape(layout.note)}</p>' if layout.note else ""
    return (
        f'<section class="one" id="board-{place}"><header class="phead"><b>{escape(layout.title)}</b>'
        f'<span>{place:,} of {n_boards:,}</span></header><p class="facts">{facts}</p>{"".join(pieces)}'
        f"<nav>{_render_link('Back', place - 1, n_boards)}"
        f"{_render_link('Next deal', place + 1, n_boards, 'main')}</nav>{note}</section>"
    )


def _render_phone_answer(board: Board, layout: Layout) -> str:
    summary = "Show the answer" if board.answer is not None else "Show all four hands"
    body = parts.render_diagram(board, layout.shows_points) if len(layout.seats) < 4 else ""
    if board.answer is not None:
        caption = describe_answers(layout)
        body += "" if body else f'<p class="par">{parts.render_par(board.answer)}</p>'
        body += parts.render_tricks(board.answer, layout.declarers)
        body += f'<p class="caption">{caption[0].upper()}{caption[1:]}.</p>'
    return f"<details><summary>{summary}</summary><div>{body}</div></details>"


def _render_link(text: str, place: int, n_boards: int, kind: str = "") -> str:
    if not 1 <= place <= n_boards:
        return f'<a role="link" aria-disabled="true">{text}</a>'
    return f'<a{f" class={kind}" if kind else ""} href="#board-{place}">{text}</a>'
