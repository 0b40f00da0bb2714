"""Diagrams with north on top, west and east below at the sides, and south at the bottom.

`dealerkit deal`, Thomas Andrews's Deal and redeal (option -l) print them, and people type them. Each suit is
on a line with its symbol or letter; Deal prints a question mark if the terminal has no symbols. Lines at the
left of north's cards may say number, dealer and vulnerability.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from dealerkit.cards.names import SEATS, board_dealer, board_vulnerability
from dealerkit.cards.text import parse_hand
from dealerkit.errors import DealError, FileError
from dealerkit.formats.content import Records
from dealerkit.formats.format import Format
from dealerkit.formats.text_files import Board, check_deal, collect_boards, read_head, read_text

_TO_LETTERS = str.maketrans("♠♥♦♣♤♡♢♧", "SHDCSHDC", "\ufe0e\ufe0f")
_CELL = r"([SHDC?])(?:[ \t]*((?:10|[2-9TJQKA])(?:[ \t]?(?:10|[2-9TJQKA]))*|-+))?(?![^\s])"
_ONE = re.compile(rf"(.*?)(?<!\S){_CELL}[ \t]*")
_TWO = re.compile(rf"[ \t]*{_CELL}[ \t]+{_CELL}[ \t]*")
_BOARD = re.compile(r"board[ \t]+(\d{1,9})", re.IGNORECASE)
_DEALER = re.compile(r"(?:dealer|dlr)[ \t:]+([nesw])", re.IGNORECASE)
_VULNERABLE = re.compile(r"vul\w*[ \t:]+(none|ns|ew|both|all)\b", re.IGNORECASE)
_SIDES = {"none": 0, "ns": 1, "ew": 2, "both": 3, "all": 3}


def read_compass(path: str | os.PathLike) -> Records:
    """Return the deals of the diagrams in a file.

    Raises
    ------
    FileError
        The file cannot be read, or has no diagram.
    """
    boards, skipped = [], []
    for line, holdings, corner in find_compasses(read_text(path)):
        try:
            board = Board([parse_hand(".".join(hand)) for hand in holdings])
            check_deal(board.hands)
        except DealError as reason:
            skipped.append((line, str(reason)))
            continue
        _add_corner(board, corner)
        boards.append(board)
    if not boards and not skipped:
        raise FileError(f"{path}: there is no diagram with north on top, west and east, and south below")
    return collect_boards(boards, skipped, path)


def find_compasses(text: str) -> Iterator[tuple[int, list[list[str]], str]]:
    """Yield line, holdings [4][4] by seat and suit, and the text at the left of north for each diagram."""
    lines = text.translate(_TO_LETTERS).replace("\f", "\n").split("\n")
    # Lines with a suit of one hand or of two; blank lines may be between hands.
    rows: list[tuple[int, list[tuple[str, str]], str]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() and len(rows) % 4 == 0:
            continue
        rows.append((number, *_read_row(line, len(rows))))
        if not _fits(rows):
            # The line may be the first of a diagram.
            rows = [(number, *_read_row(line, 0))]
            if not _fits(rows):
                rows = []
        if len(rows) == 12:
            cells = [row[1] for row in rows]
            north, south = ([row[0][1] for row in cells[start : start + 4]] for start in (0, 8))
            west, east = ([row[side][1] for row in cells[4:8]] for side in (0, 1))
            yield rows[0][0], [north, east, south, west], "\n".join(row[2] for row in rows[:4])
            rows = []


def _read_row(line: str, place: int) -> tuple[list[tuple[str, str]], str]:
    """Return suits and cards of a line by its place in a diagram, and the text before them."""
    found = (_TWO if 4 <= place < 8 else _ONE).fullmatch(line)
    if not found:
        return [], ""
    groups = found.groups() if 4 <= place < 8 else found.groups()[1:]
    cells = list(zip(groups[::2], groups[1::2], strict=True))
    held = [(suit, re.sub(r"[-\s]", "", cards or "")) for suit, cards in cells]
    return held, "" if 4 <= place < 8 else found[1].strip()


def _fits(rows: list[tuple[int, list[tuple[str, str]], str]]) -> bool:
    """Return whether the last line is the suit that comes next in a diagram."""
    place = len(rows) - 1
    cells = rows[-1][1]
    return len(cells) == 1 + (4 <= place < 8) and all(suit in ("SHDC"[place % 4], "?") for suit, _ in cells)


def _add_corner(board: Board, text: str) -> None:
    """Set number, dealer and vulnerability from the corner; without them, by the number."""
    if found := _BOARD.search(text):
        board.board = int(found[1])
        if board.board > 0:
            board.dealer, board.vulnerable = board_dealer(board.board), board_vulnerability(board.board)
    if found := _DEALER.search(text):
        board.dealer = next(seat for seat, name in enumerate(SEATS) if name[0] == found[1].lower())
    if found := _VULNERABLE.search(text):
        board.vulnerable = _SIDES[found[1].lower()]


def recognise_compass(head: bytes) -> bool:
    """Return whether a file has such a diagram near its beginning."""
    return next(find_compasses(read_head(head)), None) is not None


FORMAT = Format("compass", (".txt",), recognise_compass, read_compass)
