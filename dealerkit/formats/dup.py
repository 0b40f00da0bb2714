"""`.dup`, the usual format of the Duplimate dealing machine: 156 bytes for each board.

A board has the digits of `.bri`, the symbols and ranks of `.dge`, and ten bytes about the set: whether hands
were dealt at random (Y or N), whether boards are counted backwards (Y or N), the lowest number in three
places, the number of copies in two, and the highest number in three. Programs disagree on the last number, so
it is not read.
"""

from __future__ import annotations

import os
import re

import numpy as np

from dealerkit.errors import FileError
from dealerkit.formats.bri import CARD_BYTES as BRI_BYTES
from dealerkit.formats.bri import decode_bri, encode_bri
from dealerkit.formats.content import DealSupply, Records
from dealerkit.formats.dge import CARD_BYTES as DGE_BYTES
from dealerkit.formats.dge import decode_dge, encode_dge
from dealerkit.formats.format import Format
from dealerkit.formats.machine import (
    are_deals,
    check_consecutive,
    collect_deals,
    gather_boards,
    number_from,
    read_records,
)
from dealerkit.runtime.files import write_atomically

RECORD_BYTES, MAX_BOARDS = 156, 99
_TRAILER = BRI_BYTES + DGE_BYTES


def read_dup(path: str | os.PathLike, first_board: int | None = None) -> Records:
    """Return the boards of a file; their numbers begin with the lowest in the file, or with `first_board`.

    Raises
    ------
    FileError
        The file cannot be read, does not consist of whole boards, or is of another version.
    """
    try:
        records = read_records(path, RECORD_BYTES)
        hands = decode_bri(records[:, :BRI_BYTES])
    except FileError as reason:
        raise FileError(f"{reason}. {_EXPECTED}") from None
    if not are_deals(hands).any():
        raise FileError(f"{path}: this .dup file has no cards in the expected places. {_EXPECTED}")
    # Read the facts about the set, which may be only in the first record.
    trailer = records[0, _TRAILER:].tobytes().decode("latin-1")
    remarks = []
    if trailer[1] == "Y":
        remarks.append((1, "the boards are to be counted backwards; they are read in the order of the file"))
    if first_board is None:
        lowest = re.fullmatch(r"([1-9]\d{0,2})[ \0]*", trailer[2:5])
        first_board = int(lowest[1]) if lowest else 1
        if lowest is None:
            remarks.append((1, f"{trailer[2:5]!r} is not a lowest number; boards are numbered from 1"))
    # The second part repeats the cards, or is blank so that people cannot read them.
    numbers = number_from(first_board, len(records))
    repeated = decode_dge(records[:, BRI_BYTES:_TRAILER])
    differs = (repeated != hands).any(axis=1) & repeated.any(axis=1)
    remarks += [(int(numbers[row]), "the second part has other cards") for row in np.flatnonzero(differs)]
    return collect_deals(path, hands, numbers, remarks=remarks)


_EXPECTED = (
    "Only the version with 156 bytes for each board is read: 78 digits, the cards by suit, and the numbers "
    "of the set"
)


def write_dup(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write boards with consecutive numbers, at most 99.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A deal is missing, or the numbers are not consecutive or above 99.
    """
    hands, numbers = gather_boards(deals, "a .dup file", highest=MAX_BOARDS)
    check_consecutive(numbers, "a .dup file")
    lowest, highest = (int(numbers[0]), int(numbers[-1])) if len(numbers) else (1, 0)
    trailer = f"YN{lowest:<3}0 {highest:<3}".encode("ascii")
    parts = np.concatenate([encode_bri(hands), encode_dge(hands)], axis=1)
    with write_atomically(path) as temporary, open(temporary, "wb") as file:
        file.writelines(record.tobytes() + trailer for record in parts)


def recognise_dup(head: bytes) -> bool:
    """Return whether a file begins with a board: 78 digits for 39 cards, and Y or N twice after 146 bytes."""
    flags = head[_TRAILER : _TRAILER + 2]
    return (
        len(flags) == 2
        and set(flags) <= set(b"YN")
        and bool(are_deals(decode_bri(np.frombuffer(head[:BRI_BYTES], np.uint8)[None]))[0])
    )


FORMAT = Format(
    "dup", (".dup",), recognise_dup, read_dup, write_dup, read_options=("first_board",), is_text=False
)
