"""BigDeal's CSV: 16 columns with the suits of the four hands, then number, dealer and vulnerability.

The hands are those of north, east, south and west.
There is no heading. The last column has the dealer and the vulnerable sides, such as ``N/-``, ``E/NS``,
``S/EW`` or ``W/All``.
"""

from __future__ import annotations

import csv
import io
import os
import re

from dealerkit.cards.names import SEAT_LETTERS
from dealerkit.cards.text import format_hand, parse_hand
from dealerkit.errors import ArgumentError, DealError, FileError, quote
from dealerkit.formats.content import DealSupply, Records
from dealerkit.formats.format import Format
from dealerkit.formats.text_files import (
    Board,
    check_deal,
    collect_boards,
    read_head,
    read_text,
    split_boards,
)
from dealerkit.runtime.files import write_atomically

_SIDES = ("-", "NS", "EW", "All")
_SET = re.compile(r"\s*([NESW])\s*/\s*(-|NS|EW|All)\s*", re.IGNORECASE)
_SUIT = re.compile(r"\s*(?:10|[AKQJT2-9])*\s*", re.IGNORECASE)


def read_bigdeal(path: str | os.PathLike) -> Records:
    """Return the boards of a file; a line that is not a board is skipped.

    Raises
    ------
    FileError
        The file cannot be read, or has no line of 18 columns.
    """
    boards: list[Board] = []
    skipped: list[tuple[int, str]] = []
    lines = read_text(path).split("\n")
    for line, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            boards.append(_read_board(_split(text)))
        except DealError as reason:
            skipped.append((line, str(reason)))
    if not boards and not any(len(_split(text)) == 18 for text in lines):
        raise FileError(
            f"{path}: this is not BigDeal's CSV, because no line has 16 columns of cards, a number and a "
            "dealer"
        )
    return collect_boards(boards, skipped, path)


def _split(line: str) -> list[str]:
    """Return the values of a line; an empty list if the line is not CSV."""
    try:
        return next(csv.reader(io.StringIO(line, newline="")), [])
    except csv.Error:
        return []


def _read_board(values: list[str]) -> Board:
    if len(values) != 18:
        raise DealError(f"{len(values)} columns, not 18")
    hands = [parse_hand(".".join(values[start : start + 4])) for start in range(0, 16, 4)]
    check_deal(hands)
    found = _SET.fullmatch(values[17])
    if not found or not re.fullmatch(r"\s*\d{1,9}\s*", values[16], re.ASCII):
        raise DealError(
            f"{quote(values[16], 20)} and {quote(values[17], 20)} are not the number and dealer of a board"
        )
    sides = [side.lower() for side in _SIDES].index(found[2].lower())
    return Board(hands, int(values[16]), SEAT_LETTERS.index(found[1].upper()), sides)


def write_bigdeal(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write cards, numbers, dealers and vulnerabilities.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A deal is missing, or a number, dealer or vulnerability is unknown.
    """
    with write_atomically(path) as temporary, open(temporary, "w", encoding="ascii", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
        for row, board in enumerate(split_boards(deals)):
            try:
                check_deal(board.hands)
            except DealError as reason:
                raise ArgumentError(f"deal {row:,}: {reason}; bigdeal has whole deals only") from None
            if min(board.board, board.dealer, board.vulnerable) < 0:
                raise ArgumentError(
                    f"deal {row:,}: the board number, dealer or vulnerability is unknown, which the format "
                    "bigdeal cannot express; deals.number_boards() sets all three"
                )
            suits = [suit for hand in board.hands for suit in format_hand(hand).split(".")]
            sides = _SIDES[board.vulnerable]
            writer.writerow([*suits, str(board.board), f"{SEAT_LETTERS[board.dealer]}/{sides}"])


def recognise_bigdeal(head: bytes) -> bool:
    """Return whether the first line has 16 holdings, a number, and a dealer with a vulnerability."""
    values = _split(read_head(head).lstrip().partition("\n")[0])
    return len(values) == 18 and bool(_SET.fullmatch(values[17])) and all(map(_SUIT.fullmatch, values[:16]))


FORMAT = Format("bigdeal", (".csv",), recognise_bigdeal, read_bigdeal, write_bigdeal)
