"""`.bhg`, the format of Borel's hand generator: an empty line, then a line of 52 letters for each board.

The letters A to Z and a to z are the cards: the spades from the ace down, then hearts, diamonds and clubs.
Four groups of 13 letters are the hands from the dealer on. The line after the first, empty one is board 1; a
missing board is an empty line.
"""

from __future__ import annotations

import os
import re
import string

import numpy as np

from dealerkit.cards.names import board_dealer
from dealerkit.errors import ArgumentError, FileError
from dealerkit.formats.content import DealSupply, Records
from dealerkit.formats.format import Format
from dealerkit.formats.machine import collect_deals, find_owners, gather_boards, join_owners, number_from
from dealerkit.formats.text_files import read_head, read_text
from dealerkit.runtime.files import write_atomically

LETTERS = string.ascii_uppercase + string.ascii_lowercase
MAX_BOARD = 9999  # each number below it is a line
_LINE = re.compile(r"[A-Za-z]{52}")
_PLACES = {letter: place for place, letter in enumerate(LETTERS)}


def read_bhg(path: str | os.PathLike, first_board: int = 1) -> Records:
    """Return the boards of a file; the line after the first, empty one is the board `first_board`.

    Raises
    ------
    FileError
        The file cannot be read, or has no line of 52 letters.
    """
    lines = read_text(path).rstrip("\n").split("\n")
    if not lines[0].strip():
        del lines[0]
    numbers = number_from(first_board, len(lines))
    rows: list[int] = []
    owners: list[list[int]] = []
    faults: dict[int, str] = {}
    for row, line in enumerate(lines):
        text = line.strip()
        if not text:
            continue
        if not _LINE.fullmatch(text) or len(set(text)) < 52:
            faults[len(rows)] = f"{text[:60]!r} is not 52 different letters"
            owners.append([4] * 52)
        else:
            owners.append(_find_seats(text, board_dealer(int(numbers[row]))))
        rows.append(row)
    if len(faults) == len(rows):
        raise FileError(f"{path}: this is not a .bhg file, because it has no line of 52 different letters")
    return collect_deals(path, join_owners(np.array(owners)), numbers[rows], faults)


def _find_seats(letters: str, dealer: int) -> list[int]:
    """Return the seats of the 52 cards from the letters of the hands, which begin with the dealer's."""
    seats = [0] * 52
    for place, letter in enumerate(letters):
        seats[_PLACES[letter]] = (dealer + place // 13) % 4
    return seats


def write_bhg(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write boards, each on the line of its number.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A deal is missing, or the numbers do not rise.
    """
    hands, numbers = gather_boards(deals, "a .bhg file", highest=MAX_BOARD)
    if (np.diff(numbers) < 1).any():
        raise ArgumentError(
            "the numbers of the boards do not rise; in a .bhg file each board has the line of its number. "
            "Sort them, or number them again with deals.number_boards()"
        )
    lines = [""] * (1 + int(numbers.max(initial=0)))
    for number, owners in zip(numbers.tolist(), find_owners(hands), strict=True):
        # Sort the cards by the distance of their seat from the dealer, and keep the order of the letters.
        order = np.argsort((owners - board_dealer(number)) & 3, kind="stable")
        lines[number] = "".join(LETTERS[card] for card in order.tolist())
    with write_atomically(path) as temporary, open(temporary, "w", encoding="ascii", newline="\r\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def recognise_bhg(head: bytes) -> bool:
    r"""Return whether the first line with text has 52 different letters.

    >>> recognise_bhg(b"\r\n" + LETTERS.encode() + b"\r\n"), recognise_bhg(LETTERS[1:].encode())
    (True, False)
    """
    line = read_head(head).lstrip().partition("\n")[0].strip()
    return _LINE.fullmatch(line) is not None and len(set(line)) == 52


FORMAT = Format("bhg", (".bhg",), recognise_bhg, read_bhg, write_bhg, read_options=("first_board",))
