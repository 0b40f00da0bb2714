"""Practice sheets as HTML: hands and answers for paper, and one board at a time for telephones.

The first functions render the parts of a page: hands, diagrams, tables of tricks, and room for the auction.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files
from typing import Any, TypeVar

from dealerkit.appearance.html import minify, read_colors
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import join_words
from dealerkit.arguments import check_integer, check_truth
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS
from dealerkit.cards.pages import Page
from dealerkit.cards.text import SUIT_SYMBOLS
from dealerkit.errors import ArgumentError, Parameter, quote
from dealerkit.formats.partial import PartialDeals
from dealerkit.sheets.boards import Answer, Board, list_boards, list_problems
from dealerkit.sheets.card_problems import pose_problems

T = TypeVar("T")

SEAT_LETTERS = "NESW"
VULNERABLE = ("None vul.", "N-S vul.", "E-W vul.", "All vul.")
_TEXT_FORM = "\ufe0e"  # follows a suit symbol, because telephones would show a coloured picture without it
_SUITS = tuple(
    f'<i class="{letter}">{symbol}{_TEXT_FORM}</i>'
    for letter, symbol in zip("shdc", SUIT_SYMBOLS, strict=True)
)
_STRAINS = (*_SUITS, "NT")
_IN_BIDDING_ORDER = (3, 2, 1, 0, 4)


def name_seat(seat: int) -> str:
    """Return the capitalized name of a seat.

    >>> name_seat(2)
    'South'
    """
    return SEATS[seat].capitalize()


def count_points(points: int | None) -> str:
    """Return a number of points with its noun; empty if it is unknown.

    >>> count_points(1), count_points(13), count_points(None)
    ('1 point', '13 points', '')
    """
    return "" if points is None else f"{points} point{'' if points == 1 else 's'}"


_N_USUAL = 8  # longer suits are printed smaller, so that they fit in a line


def render_hand(board: Board, seat: int, points: bool = False, heading: bool = False) -> str:
    """Return a hand with a line for each suit; `heading` adds the letter of the seat above it."""
    points = points and board.points[seat] is not None
    label = name_seat(seat) + (f", {count_points(board.points[seat])}" if points else "")
    above = ""
    if heading:
        number = f"&ensp;{board.points[seat]}" if points else ""
        above = f'<div class="seat"><b>{SEAT_LETTERS[seat]}</b>{number}</div>'
    rows = "".join(
        f"<div{' class=long' if len(holding) > _N_USUAL else ''}>{symbol}<span>{holding or '–'}</span></div>"
        for symbol, holding in zip(_SUITS, board.hands[seat], strict=False)  # an unknown hand has no suits
    )
    return f'<div class="hand {SEATS[seat]}" role="group" aria-label="{label}">{above}{rows}</div>'


def render_auction(lines: int) -> str:
    """Return an empty table with `lines` lines for the auction, west first."""
    if not lines:
        return ""
    head = "".join(f'<th scope="col">{letter}</th>' for letter in "WNES")
    rows = f"<tr>{'<td></td>' * 4}</tr>" * lines
    return (
        f'<table class="bid" aria-label="Auction"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    )


def render_calls(board: Board) -> str:
    """Return the auction of a board as a table, west first, with the meanings of calls; empty without one."""
    if not board.calls:
        return ""
    texts = [_render_call(call) for call, _ in board.calls]
    cells = [""] * ((board.dealer + 1) % 4) + texts  # west is in the first column
    cells += [""] * (-len(cells) % 4)
    rows = "".join(
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells[first : first + 4])}</tr>"
        for first in range(0, len(cells), 4)
    )
    head = "".join(f'<th scope="col">{letter}</th>' for letter in "WNES")
    explained = dict.fromkeys(
        f"<li><b>{text}</b> {escape(note)}</li>"
        for text, (_, note) in zip(texts, board.calls, strict=True)
        if note
    )
    notes = f"<ul>{''.join(explained)}</ul>" if explained else ""
    return (
        f'<div class="calls"><table aria-label="Auction"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table>{notes}</div>"
    )


def render_notes(board: Board) -> str:
    """Return the auction of a board and its remarks."""
    remarks = "".join(f"<p>{escape(line)}</p>" for line in board.remarks)
    for symbol, marked in zip(SUIT_SYMBOLS, _SUITS, strict=True):
        remarks = remarks.replace(symbol, marked)
    return render_calls(board) + (f'<div class="remarks">{remarks}</div>' if remarks else "")


def _render_call(call: str) -> str:
    """Return a call with the symbol of its suit.

    >>> _render_call("1NT"), _render_call("Pass")
    ('1NT', 'Pass')
    """
    suit = "SHDC".find(call[1:]) if len(call) == 2 and call[0].isdigit() else -1
    return call if suit < 0 else f"{call[0]}{_SUITS[suit]}"


def render_compass(board: Board) -> str:
    """Return a drawing of the board, with vulnerable seats in red and the dealer underlined."""
    seats = []
    for seat, letter in enumerate(SEAT_LETTERS):
        vul = " vul" if board.vulnerable >> (seat & 1) & 1 else ""
        name = f'<span class="dealer">{letter}</span>' if seat == board.dealer else f"<span>{letter}</span>"
        seats.append(f'<span class="b{letter.lower()}{vul}">{name}</span>')
    return (
        f'<div class="board" aria-hidden="true">{"".join(seats)}<span class="bm">{board.number}</span></div>'
    )


def render_tricks(answer: Answer, declarers: Sequence[int]) -> str:
    """Return a table of tricks with a column for each strain and a row for each declarer."""
    head = "".join(f'<th scope="col">{_STRAINS[strain]}</th>' for strain in _IN_BIDDING_ORDER)
    rows = "".join(
        f'<tr><th scope="row">{SEAT_LETTERS[seat]}</th>'
        + "".join(f"<td>{answer.tricks[strain][seat]}</td>" for strain in _IN_BIDDING_ORDER)
        + "</tr>"
        for seat in declarers
    )
    return f'<table class="ddt"><thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table>'


def render_par(answer: Answer) -> str:
    """Return the par contracts and the par score in two lines."""
    if not answer.contracts:
        return "Par: passed out<br>N-S 0"
    by_declarers: dict[str, list[str]] = {}
    for contract in answer.contracts:
        text = f"{contract.level}{_STRAINS[contract.strain]}{'x' if contract.doubled else ''}"
        by_declarers.setdefault(contract.declarers, []).append(text)
    contracts = "; ".join(f"{', '.join(texts)} {seats}" for seats, texts in by_declarers.items())
    sign = "+" if answer.score > 0 else "−" if answer.score < 0 else ""
    return f"Par {contracts}<br>N-S {sign}{format_count(abs(answer.score))}"


def render_diagram(board: Board, points: bool, declarers: Sequence[int] = (), corner: str = "") -> str:
    """Return the four hands around the board.

    Parameters
    ----------
    board : Board
        The board.
    points : bool
        Whether to show points.
    declarers : sequence of int
        The rows of the table of tricks; without declarers, there is no table.
    corner : str
        HTML for the corner, if it should not show par and the table. If all four seats declare, par is
        opposite the heading, because the corner has no room for both.
    """
    heading = f"Board {board.number}<br>Dealer {SEAT_LETTERS[board.dealer]}<br>{VULNERABLE[board.vulnerable]}"
    parts = [f'<div class="heading">{heading}</div>', render_compass(board)]
    if board.answer is not None and len(declarers) == 4:
        parts.append(f'<div class="par above">{render_par(board.answer)}</div>')
        corner = render_tricks(board.answer, declarers)
    elif board.answer is not None and not corner:
        corner = render_par(board.answer) + (render_tricks(board.answer, declarers) if declarers else "")
    if corner:
        parts.append(f'<div class="par">{corner}</div>')
    parts += [render_hand(board, seat, points, heading=True) for seat in range(4)]
    return f'<article class="deal" aria-label="Board {board.number}">{"".join(parts)}</article>'


# Heights in millimetres, which must agree with sheet.css
_PAGE = 273  # A4 between margins of 12 mm
_HEADING_AND_FOOT = 26
_CARD = 16.5  # a board without its hand and auction
_HAND = 23.5
_AUCTION_HEADING, _AUCTION_LINE = 5, 6
_DIAGRAM = 82
_KNOWN_HANDS = 76  # a diagram without answers
_NOTE_LINE, _NOTE_MARGIN = 4.5, 3  # auctions and remarks
_WIDTH, _MARGIN, _CHARACTER = (
    186,
    8,
    1.9,
)  # widths of a page, of the space of a column, of a letter of remarks
_WITH_CALLS = 4  # number of diagrams on a page if auctions are below them


@dataclass(frozen=True)
class Layout:
    """Settings of a sheet; see `dealerkit.sheets.page.make_page`.

    Attributes
    ----------
    seats : tuple of int
        The seats whose hands are shown, from left to right: one, two or all four.
    columns : int
        Number of hands, or diagrams, across the page.
    title, note : str
        The heading and the foot of each page.
    points : bool or None
        Whether points are shown; None if they are shown everywhere except with the hands on paper.
    auction : int
        Number of lines for the auction.
    answers : bool
        Whether answers are shown for boards that have them.
    are_problems : bool
        Whether only some cards are known, so that auctions and remarks belong to a problem, not to an answer.
    """

    seats: tuple[int, ...]
    columns: int
    title: str
    note: str
    points: bool | None
    auction: int
    answers: bool
    are_problems: bool = False

    @property
    def declarers(self) -> tuple[int, ...]:
        """The seats whose tricks an answer shows: those of one side, or all four."""
        sides = {seat % 2 for seat in self.seats}
        return (0, 1, 2, 3) if len(sides) == 2 else tuple(seat for seat in range(4) if seat % 2 in sides)

    @property
    def shows_points(self) -> bool:
        """Whether diagrams and telephones show points."""
        return self.points is not False

    @property
    def shows_notes(self) -> bool:
        """Whether auctions and remarks are with the hands, unless each partner gets half of the page."""
        return self.are_problems and len(self.seats) != 2

    @property
    def has_separate_answers(self) -> bool:
        """Whether answers have pages of their own; if all hands are shown, answers are in the diagrams."""
        return self.answers and not self.shows_notes and (len(self.seats) < 4 or self.auction > 0)

    @property
    def boards_on_page(self) -> int:
        """Number of boards that fit on a sheet of A4 paper."""
        auction = _AUCTION_HEADING + _AUCTION_LINE * self.auction if self.auction else 0
        if len(self.seats) == 4:
            return int((_PAGE - _HEADING_AND_FOOT) // (_DIAGRAM + max(0, auction - _HAND))) * self.columns
        body = _HAND + 2 + auction if self.columns > 2 and auction else max(_HAND, auction)
        rows = max(1, int((_PAGE - _HEADING_AND_FOOT) // (_CARD + body)))
        return rows * self.columns // len(self.seats)


def render_sheets(boards: Sequence[Board], layout: Layout) -> str:
    """Return all pages for paper: first the hands, then the answers."""
    has_calls = layout.answers and any(board.calls for board in boards)
    size = layout.boards_on_page
    if has_calls and not layout.has_separate_answers:
        size = min(size, _WITH_CALLS)
    groups = split_problems(boards, layout) if layout.shows_notes else split_pages(boards, size)
    pages = []
    for group in groups:
        pages.append(_render_page(group, layout))
        # A problem's solution is overleaf if you print on both sides.
        if solutions := [board.solution for board in group if board.solution is not None and layout.answers]:
            pages.append(_render_answers(solutions, layout, "Solutions"))
    if not boards:
        pages = [_render_page((), layout)]
    if layout.has_separate_answers and any(board.has_answer for board in boards):
        size = _WITH_CALLS if has_calls or layout.are_problems else 6
        heading = "The hands together" if layout.are_problems else "Answers"
        pages += [_render_answers(group, layout, heading) for group in split_pages(boards, size)]
    return "".join(pages)


def split_pages(items: Sequence[T], size: int) -> Iterable[tuple[T, ...]]:
    """Divide items into pages of `size` items."""
    return (tuple(items[first : first + size]) for first in range(0, len(items), size))


def split_problems(boards: Sequence[Board], layout: Layout) -> list[tuple[Board, ...]]:
    """Divide boards into pages, given the room that their auctions and remarks need."""
    pages: list[list[Board]] = []
    used = 0.0
    for row in split_pages(boards, layout.columns):
        height = max(_measure_problem(board, layout) for board in row)
        if not pages or used + height > _PAGE - _HEADING_AND_FOOT:
            pages.append([])
            used = 0.0
        pages[-1] += row
        used += height
    return [tuple(page) for page in pages]


def _measure_problem(board: Board, layout: Layout) -> float:
    """Return the height in millimetres of a problem with its auction and remarks."""
    height = _KNOWN_HANDS if len(layout.seats) == 4 else _CARD + _HAND
    if layout.auction and not board.calls:
        height += max(0, _AUCTION_HEADING + _AUCTION_LINE * layout.auction - _HAND)
    n_lines = -(-(len(board.calls) + 3) // 4) + 1 if board.calls else 0
    n_explained = sum(bool(note) for _, note in board.calls)
    n_characters = int((_WIDTH / layout.columns - _MARGIN) / _CHARACTER)
    n_lines = max(n_lines, n_explained) + sum(-(-len(line) // n_characters) for line in board.remarks)
    return height + (_NOTE_LINE * n_lines + _NOTE_MARGIN if n_lines else 0)


def _render_page(boards: Sequence[Board], layout: Layout) -> str:
    """Return one page of hands, with its heading and foot."""
    # Heading and foot
    title, note = f"<b>{escape(layout.title)}</b>", escape(layout.note)
    heads = [f"{title}<br><span>{name_seat(seat)}’s hands</span>" for seat in layout.seats]
    feet, kind = [note] if note else [], ""
    if len(layout.seats) == 2:
        kind, others = " two", [name_seat(seat) for seat in range(4) if seat not in layout.seats]
        has_calls = layout.are_problems and any(board.calls for board in boards)
        passing = "" if has_calls else f" {others[0]} and {others[1]} pass."
        feet = [f"Fold along the dashed line.{passing}", note]
    elif len(layout.seats) == 4:
        heads = [title]
    # The hands
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
    """Return the hands of a page row by row; with two seats, each has half of the row."""
    if len(layout.seats) == 1:
        return "".join(_render_card(board, layout.seats[0], layout) for board in boards)
    half = layout.columns // 2
    cards = []
    for row in split_pages(boards, half):
        for seat in layout.seats:
            cards += [_render_card(board, seat, layout) for board in row]
            cards += ['<section class="card"></section>'] * (half - len(row))
    return "".join(cards)


def _render_card(board: Board, seat: int, layout: Layout) -> str:
    facts = [f"dealer {SEAT_LETTERS[board.dealer]}", VULNERABLE[board.vulnerable]]
    if layout.points and board.points[seat] is not None:
        facts.insert(0, count_points(board.points[seat]))
    if layout.columns <= 2:  # more columns have no room for the seat, which is in the heading of the page
        facts.insert(0, name_seat(seat))
    heading = " &middot; ".join(facts)
    hand = render_hand(board, seat, bool(layout.points))
    if not board.hands[seat]:
        hand = '<div class="hand">unknown</div>'
    notes = render_notes(board) if layout.shows_notes else ""
    auction = "" if notes and board.calls else render_auction(layout.auction)
    return (
        f'<section class="card"><div class="top"><b>{board.number}</b><span>{heading}</span></div>'
        f'<div class="body">{hand}{auction}</div>{notes}</section>'
    )


def _render_diagrams(boards: Sequence[Board], layout: Layout) -> str:
    """Return diagrams of all hands, each with room for the auction or with its answer in the corner."""
    declarers = layout.declarers if layout.answers else ()
    auction = render_auction(layout.auction)
    if (not layout.answers or layout.auction) and not layout.shows_notes:
        boards = [replace(board, answer=None, calls=()) for board in boards]
    return "".join(
        f'<div class="cell">{render_diagram(board, layout.shows_points, declarers, auction)}'
        f"{render_notes(board)}</div>"
        for board in boards
    )


def describe_answers(layout: Layout) -> str:
    """Return a phrase that explains the tables of the answers."""
    names = [name_seat(seat) for seat in layout.declarers]
    declaring = f"{names[0]} and {names[1]} declaring" if len(names) == 2 else "by declarer"
    return f"tricks double dummy, {declaring}"


def _render_answers(boards: Sequence[Board], layout: Layout, heading: str) -> str:
    """Return one page of answers."""
    is_solved = any(board.answer is not None for board in boards)
    meaning = f"{describe_answers(layout)}; par at the vulnerability of the board" if is_solved else ""
    cells = "".join(
        f'<div class="cell">{render_diagram(board, layout.shows_points, layout.declarers)}'
        f"{render_notes(board)}</div>"
        for board in boards
    )
    return (
        f'<section class="sheet"><header class="head"><div><b>{heading}</b><br>'
        f"<span>{meaning}</span></div></header>"
        f'<div class="answers c2">{cells}</div></section>'
    )


# ---------------------------------------------------------------- telephone
def render_phone(boards: Sequence[Board], layout: Layout) -> str:
    """Return boards to show one at a time: the last seat's hand, and on request the others and the answer.

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
        f"Board {board.number} &middot; dealer {SEAT_LETTERS[board.dealer]} &middot; "
        f"{VULNERABLE[board.vulnerable]}"
    )
    pieces = []
    if len(layout.seats) == 4:
        pieces.append(render_diagram(replace(board, answer=None), layout.shows_points))
    else:
        points = count_points(board.points[own]) if layout.shows_points else ""
        facts += f" You are {name_seat(own)}{', ' if points else ''}{points}."
        pieces.append(f'<div class="own">{render_hand(board, own, layout.shows_points)}</div>')
        for seat in others:
            whose = "partner" if (seat - own) % 4 == 2 else name_seat(seat)
            hand = render_hand(board, seat, layout.shows_points, heading=True)
            pieces.append(f"<details><summary>Show {whose}’s hand</summary><div>{hand}</div></details>")
    if layout.shows_notes:
        pieces.append(render_notes(board))
        if layout.answers and board.solution is not None:
            pieces.append(_render_phone_answer(board.solution, layout, "Show the solution"))
    elif layout.answers and (board.has_answer or len(layout.seats) < 4):
        summary = "Show the answer" if board.has_answer else "Show all four hands"
        if layout.are_problems:
            summary = "Show the hands together"
        pieces.append(_render_phone_answer(board, layout, summary))
    note = f'<p class="note">{escape(layout.note)}</p>' if layout.note else ""
    return (
        f'<section class="one" id="board-{place}"><header class="phead"><b>{escape(layout.title)}</b>'
        f"<span>{format_count(place)} of {format_count(n_boards)}</span></header>"
        f'<p class="facts">{facts}</p>{"".join(pieces)}'
        f"<nav>{_render_link('Back', place - 1, n_boards)}"
        f"{_render_link('Next deal', place + 1, n_boards, 'main')}</nav>{note}</section>"
    )


def _render_phone_answer(board: Board, layout: Layout, summary: str) -> str:
    has_diagram = len(layout.seats) < 4 or layout.are_problems
    body = render_diagram(board, layout.shows_points) if has_diagram else ""
    body += render_notes(board)
    if board.answer is not None:
        caption = describe_answers(layout)
        body += "" if has_diagram else f'<p class="par">{render_par(board.answer)}</p>'
        body += render_tricks(board.answer, layout.declarers)
        body += f'<p class="caption">{caption[0].upper()}{caption[1:]}.</p>'
    return f"<details><summary>{summary}</summary><div>{body}</div></details>"


def _render_link(text: str, place: int, n_boards: int, kind: str = "") -> str:
    if not 1 <= place <= n_boards:
        return f'<a role="link" aria-disabled="true">{text}</a>'
    return f'<a{f" class={kind}" if kind else ""} href="#board-{place}">{text}</a>'


MAX_LINES = 12  # most lines for the auction
# Rules for files only; in notebooks, they would change the whole page.
_FILE_STYLE = (
    ":root { color-scheme: light dark; } body { margin: 0; padding: 20px 24px; } "
    "@media (max-width: 480px) { body { padding: 14px 12px; } } "
    "@media print { :root { color-scheme: light; } body { padding: 0; } } "
    "@page { size: A4 portrait; margin: 12mm; }"
)


@functools.cache
def read_style() -> str:
    """Return the style sheet of practice sheets."""
    own = files("dealerkit.sheets").joinpath("sheet.css").read_text(encoding="utf-8")
    return read_colors("dk-sheets") + minify(own)


def render_file(boards: Sequence[Board], layout: Layout) -> str:
    """Return the file: sheets for paper and wide screens, and one board at a time for narrow screens."""
    return render_document(
        layout.title,
        f'<main class="paper">{render_sheets(boards, layout)}</main>'
        f'<main class="phone">{render_phone(boards, layout)}</main>',
    )


def render_document(title: str, body: str, style: str = "") -> str:
    """Return an HTML file with the style sheet of practice sheets and further rules."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_FILE_STYLE}\n{read_style()}{style}</style></head>\n"
        f'<body><div class="dk-sheets">{body}</div></body></html>\n'
    )


def render_preview(boards: Sequence[Board], layout: Layout) -> str:
    """Return the first sheet for a notebook, with a line that says how many boards are not shown."""
    shown = (
        split_problems(boards, layout)[0]
        if layout.shows_notes and boards
        else boards[: layout.boards_on_page]
    )
    n_more = len(boards) - len(shown)
    more = f"and {format_count(n_more, 'more board')}; " if n_more else ""
    answers = ", and the answers" if layout.answers and any(board.has_answer for board in boards) else ""
    caption = f'{more}.write("sheet.html") writes all boards{answers}.'
    in_diagrams = layout.answers and not layout.has_separate_answers and not layout.are_problems
    sheet = render_sheets(shown, replace(layout, answers=in_diagrams))
    return (
        f'<div><style>{read_style()}</style><pre class="dk-sheets-plain">{escape(caption)}</pre>'
        f'<div class="dk-sheets" hidden><div class="paper part">{sheet}</div>'
        f'<p class="caption">{escape(caption)}</p></div></div>'
    )


def make_page(
    deals: Any,
    *,
    hands: str | None,
    columns: int | None,
    title: str,
    note: str,
    points: bool | None,
    auction: int | None,
    answers: bool,
    solve: bool,
    first_board: int,
    problem: str | None,
    contract: Any,
    lead_rule: Any,
) -> Page:
    """Return the practice sheet of Deals, a Library or PartialDeals; see `DealPages.page`."""
    # The layout
    are_partial = isinstance(deals, PartialDeals)
    if problem is None and (contract is not None or lead_rule != "fourth best"):
        raise ArgumentError("contract and lead_rule are for problems; give ", Parameter("problem=", "play"))
    if problem is not None and (are_partial or hands is not None):
        raise ArgumentError(
            "boards with unknown cards are problems already; leave problem out"
            if are_partial
            else "the hands of a problem follow from its contract; leave out the choice of hands"
        )
    if hands is None:
        hands = _find_known_seats(deals) if are_partial else "NS" if problem is None else SEAT_LETTERS
    seats = _parse_seats(hands)
    lines = check_integer("auction", (0 if len(seats) == 4 else 3) if auction is None else auction, 0)
    if lines > MAX_LINES:
        raise ArgumentError(f"auction is {lines}; give 0 to {MAX_LINES} lines, for which a sheet has room")
    if not isinstance(title, str) or not isinstance(note, str):
        raise ArgumentError(f"title is {quote(title, 40)} and note is {quote(note, 40)}; give texts")
    points = None if points is None else check_truth("points", points)
    layout = Layout(
        seats,
        _count_columns(columns, seats),
        title,
        note,
        points,
        lines,
        check_truth("answers", answers),
        are_partial or problem is not None,
    )
    # The boards
    solve = check_truth("solve", solve)
    if not are_partial:
        chosen = deals if isinstance(deals, Deals) else deals.deals
        texts = getattr(deals, "texts", {})
        boards = list_boards(chosen, first_board, solve, texts)
        if problem is not None:
            boards = pose_problems(boards, chosen, texts, problem, contract, lead_rule, solve)
    elif solve:
        raise ArgumentError(
            "solve: the cards of these boards are not all known; deal the others with complete(), or leave "
            "solve out"
        )
    else:
        boards = list_problems(deals, first_board)
    return Page(len(boards), render_file(boards, layout), render_preview(boards, layout))


def _find_known_seats(deals: PartialDeals) -> str:
    """Return the letters of the one or two seats whose cards are known in all boards, or all four.

    >>> from dealerkit.cards.partial import PartialDeal
    >>> pair, single = PartialDeal("N:AK... - QJ... -"), PartialDeal("N:AK... - - -")
    >>> [_find_known_seats(PartialDeals(boards)) for boards in ([pair, pair], [pair, single], [single])]
    ['NS', 'NESW', 'N']
    """
    known = {
        "".join(letter for seat, letter in enumerate(SEAT_LETTERS) if deal.count_known(seat))
        for deal in deals
    }
    seats = known.pop() if len(known) == 1 else SEAT_LETTERS
    return seats if len(seats) < 3 else SEAT_LETTERS


def _parse_seats(hands: str) -> tuple[int, ...]:
    """Return the seats for letters such as NS."""
    letters = hands.upper() if isinstance(hands, str) else ""
    seats = tuple("NESW".find(letter) for letter in letters)
    if len(seats) not in (1, 2, 4) or -1 in seats or len(set(seats)) < len(seats):
        raise ArgumentError(
            f"hands is {quote(hands, 40)}; give the letters of one seat, of two from left to right, or of "
            "all "
            "four, such as S, NS or NESW"
        )
    return tuple(range(4)) if len(seats) == 4 else seats


def _count_columns(columns: int | None, seats: tuple[int, ...]) -> int:
    """Return the number of columns, or 2 by default; raise ArgumentError if it is not possible."""
    possible = {1: (1, 2, 3, 4), 2: (2, 4), 4: (1, 2)}[len(seats)]
    if columns is None:
        return 2
    if check_integer("columns", columns, 1) not in possible:
        raise ArgumentError(
            f"columns is {columns}; for the hands of {format_count(len(seats), 'seat')}, give "
            f"{join_words(map(str, possible), 'or')}"
        )
    return columns
