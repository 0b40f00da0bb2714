"""HTML of the parts of practice sheets: hands, diagrams, tables of tricks, room for the auction."""

from __future__ import annotations

from collections.abc import Sequence

from dealerkit.cards.names import SEATS
from dealerkit.cards.text import SUIT_SYMBOLS
from dealerkit.sheets.boards import Answer, Board

SEAT_LETTERS = "NESW"
VULNERABLE = ("None vul.", "N-S vul.", "E-W vul.", "All vul.")
_TEXT_FORM = "\ufe0e"  # after a suit symbol: telephones would draw a coloured picture of it
_SUITS = tuple(
    f'<i class="{letter}">{symbol}{_TEXT_FORM}</i>'
    for letter, symbol in zip("shdc", SUIT_SYMBOLS, strict=True)
)
_STRAINS = (*_SUITS, "NT")
_IN_BIDDING_ORDER = (3, 2, 1, 0, 4)


def name_seat(seat: int) -> str:
    """Return the name of a seat with a capital.

    >>> name_seat(2)
    'South'
    """
    return SEATS[seat].capitalize()


def count_points(points: int) -> str:
    """Return a number of points in words.

    >>> count_points(1), count_points(13)
    ('1 point', '13 points')
    """
    return f"{points} point{'' if points == 1 else 's'}"


_N_USUAL = 8  # cards of a suit that fit in a line; longer ones are printed smaller


def render_hand(board: Board, seat: int, points: bool = False, heading: bool = False) -> str:
    """Return one hand, a line for each suit; `heading` adds the letter of the seat above it."""
    label = name_seat(seat) + (f", {count_points(board.points[seat])}" if points else "")
    above = ""
    if heading:
        number = f"&ensp;{board.points[seat]}" if points else ""
        above = f'<div class="seat"><b>{SEAT_LETTERS[seat]}</b>{number}</div>'
    rows = "".join(
        f"<div{' class=long' if len(holding) > _N_USUAL else ''}>{symbol}<span>{holding or '–'}</span></div>"
        for symbol, holding in zip(_SUITS, board.hands[seat], strict=True)
    )
    return f'<div class="hand {SEATS[seat]}" role="group" aria-label="{label}">{above}{rows}</div>'


def render_auction(lines: int) -> str:
    """Return an empty table of this many lines for the auction, west first."""
    if not lines:
        return ""
    head = "".join(f'<th scope="col">{letter}</th>' for letter in "WNES")
    rows = f"<tr>{'<td></td>' * 4}</tr>" * lines
    return (
        f'<table class="bid" aria-label="Auction"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    )


def render_compass(board: Board) -> str:
    """Return the drawing of the board: red seats are vulnerable, the dealer is underlined."""
    seats = []
    for seat, letter in enumerate(SEAT_LETTERS):
        vul = " vul" if board.vulnerable >> (seat & 1) & 1 else ""
        name = f'<span class="dealer">{letter}</span>' if seat == board.dealer else f"<span>{letter}</span>"
        seats.append(f'<span class="b{letter.lower()}{vul}">{name}</span>')
    return (
        f'<div class="board" aria-hidden="true">{"".join(seats)}<span class="bm">{board.number}</span></div>'
    )


def render_tricks(answer: Answer, declarers: Sequence[int]) -> str:
    """Return the table of tricks by strain, a row for each declarer."""
    head = "".join(f'<th scope="col">{_STRAINS[strain]}</th>' for strain in _IN_BIDDING_ORDER)
    rows = "".join(
        f'<tr><th scope="row">{SEAT_LETTERS[seat]}</th>'
        + "".join(f"<td>{answer.tricks[strain][seat]}</td>" for strain in _IN_BIDDING_ORDER)
        + "</tr>"
        for seat in declarers
    )
    return f'<table class="ddt"><thead><tr><td></td>{head}</tr></thead><tbody>{rows}</tbody></table>'


def render_par(answer: Answer) -> str:
    """Return the par contracts and the score, in two lines."""
    if not answer.contracts:
        return "Par: passed out<br>N-S 0"
    by_declarers: dict[str, list[str]] = {}
    for contract in answer.contracts:
        text = f"{contract.level}{_STRAINS[contract.strain]}{'x' if contract.doubled else ''}"
        by_declarers.setdefault(contract.declarers, []).append(text)
    contracts = "; ".join(f"{', '.join(texts)} {seats}" for seats, texts in by_declarers.items())
    sign = "+" if answer.score > 0 else "−" if answer.score < 0 else ""
    return f"Par {contracts}<br>N-S {sign}{abs(answer.score):,}"


def render_diagram(board: Board, points: bool, declarers: Sequence[int] = (), corner: str = "") -> str:
    """Return the four hands around the board; the corner has other HTML, or par and the table of tricks.

    The table is there if `declarers` are given. Par is opposite the heading where all four declare, since
    the corner has no room for both.
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
