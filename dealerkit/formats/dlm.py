"""`.dlm`, the format of newer programs of the Duplimate dealing machine: names and values, always 99 boards.

A board has 26 letters from a to p, each for two cards, with the spades from the ace down, then hearts,
diamonds and clubs. The number of a letter is four times the seat of the first card plus the seat of the
second, where N E S W are 0 to 3. Three digits follow, a checksum: the number of the board and the codes of
all letters joined by exclusive or. Boards outside the range in the header are filler.
"""

from __future__ import annotations

import os
import re
from functools import reduce
from operator import xor

import numpy as np

from dealerkit.errors import FileError
from dealerkit.formats.content import DealSupply, Records
from dealerkit.formats.format import Format
from dealerkit.formats.machine import (
    check_consecutive,
    collect_deals,
    find_owners,
    gather_boards,
    join_owners,
)
from dealerkit.formats.text_files import read_head, read_text
from dealerkit.runtime.files import write_atomically

MAX_BOARDS = 99
_BOARD = re.compile(r"board[ \t]+(\d{1,3})", re.IGNORECASE)
_VALUE = re.compile(r"([a-p]{26})(\d{3})")
_FILLER = "aaaaaabffffffkkkkkklpppppp"  # all spades north's, hearts east's, diamonds south's, clubs west's


def read_dlm(path: str | os.PathLike) -> Records:
    """Return the boards of a file from the first number of its header to the last.

    Raises
    ------
    FileError
        The file cannot be read, is not a .dlm file, or is encrypted.
    """
    values: dict[str, str] = {}
    boards: dict[int, str] = {}
    for line in read_text(path).split("\n"):
        key, equals, value = line.partition("=")
        name = " ".join(key.lower().split())
        if not equals:
            continue
        if board := _BOARD.fullmatch(name):
            boards.setdefault(int(board[1]), value.strip())
        else:
            values.setdefault(name, value.strip())
    if not boards:
        raise FileError(f"{path}: this is not a .dlm file, because it has no line such as 'Board 01=...'")
    if values.get("crypto key", "0") not in ("", "0"):
        raise FileError(f"{path}: the boards are encrypted (Crypto key); save the file without a key")
    # Read the boards of the range. A wrong checksum is a remark in the header, but a fault in a board.
    remarks = []
    first = _read_number(values, "from board", min(boards))
    last = _read_number(values, "to board", max(boards))
    status = values.get("status", "Show").lower()
    expected = _check_header(_read_number(values, "duplicates", 0), first, last, status == "show")
    if values.get("checksum", str(expected)) != str(expected):
        remarks.append((1, f"Checksum is {values['checksum'][:20]}, and should be {expected}"))
    chosen = [number for number in boards if first <= number <= last]
    owners, faults = [], {}
    for row, number in enumerate(chosen):
        seats, fault = _read_board(number, boards[number])
        owners.append(seats)
        if fault:
            faults[row] = fault
    if not chosen:
        raise FileError(
            f"{path}: the header says that the boards are {first} to {last} (From board, To board), but the "
            "file has none of them"
        )
    return collect_deals(path, join_owners(np.array(owners)), np.array(chosen), faults, remarks)


def _read_number(values: dict[str, str], name: str, default: int) -> int:
    text = values.get(name, "")
    return int(text) if re.fullmatch(r"\d{1,3}", text, re.ASCII) else default


def _read_board(number: int, value: str) -> tuple[list[int], str]:
    """Return the seats of the cards of a board, and what is wrong with it, or ""."""
    found = _VALUE.fullmatch(value.lower())
    if not found:
        return [4] * 52, f"{value[:40]!r} is not 26 letters a to p and three digits"
    codes = [ord(letter) - ord("a") for letter in found[1]]
    seats = [seat for code in codes for seat in divmod(code, 4)]
    expected = _check_board(number, found[1])
    if int(found[2]) != expected:
        return seats, f"the checksum is {found[2]}, and should be {expected:03}: the cards were changed"
    return seats, ""


def _check_board(number: int, letters: str) -> int:
    """Return the checksum of a board.

    >>> _check_board(17, "aafgkpppmafgkkkpmafffgkpma")
    7
    """
    return reduce(xor, letters.encode("ascii"), number)


def _check_header(duplicates: int, first: int, last: int, is_shown: bool) -> int:
    """Return the checksum of the header.

    >>> _check_header(0, 17, 32, True)
    48
    """
    return duplicates ^ first ^ last ^ is_shown


def write_dlm(deals: DealSupply, path: str | os.PathLike, event: str = "") -> None:
    """Write boards with consecutive numbers, at most 99.

    Parameters
    ----------
    deals : Deals or Library
    path : str or os.PathLike
    event : str
        The headline of the file.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A deal is missing, or the numbers are not consecutive or above 99.
    """
    hands, numbers = gather_boards(deals, "a .dlm file", highest=MAX_BOARDS)
    check_consecutive(numbers, "a .dlm file")
    first, last = (int(numbers[0]), int(numbers[-1])) if len(numbers) else (1, 1)
    pairs = find_owners(hands).reshape(-1, 26, 2) @ np.array([4, 1])
    texts = {
        number: "".join(chr(ord("a") + code) for code in row)
        for number, row in zip(numbers.tolist(), pairs.tolist(), strict=True)
    }
    headline = " ".join(str(event).encode("ascii", "replace").decode("ascii").split())
    lines = [
        "[Document]", f"Headline={headline}", "Status=Show", "Duplicates=0", f"From board={first}",
        f"To board={last}", "Next board to duplimate=0", "PrintOuts=0", "Crypto key=0",
        f"Checksum={_check_header(0, first, last, True)}",
    ]  # fmt: skip
    for number in range(1, MAX_BOARDS + 1):
        letters = texts.get(number, _FILLER)
        lines += [
            f"Duplicates {number:02}=0", f"Board {number:02}={letters}{_check_board(number, letters):03}"
        ]  # fmt: skip
    with write_atomically(path) as temporary, open(temporary, "w", encoding="ascii", newline="\r\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def recognise_dlm(head: bytes) -> bool:
    r"""Return whether a file begins with the section of a document, and has a board.

    >>> recognise_dlm(b"[Document]\r\nStatus=Show\r\nBoard 01=aaaaaabffffffkkkkkklpppppp015\r\n")
    True
    """
    text = read_head(head).lstrip()
    return (
        text[:10].lower() == "[document]"
        and re.search(r"(?mi)^[ \t]*board[ \t]+\d+[ \t]*=", text) is not None
    )


FORMAT = Format("dlm", (".dlm",), recognise_dlm, read_dlm, write_dlm, write_options=("event",))
