"""`.ber`, the format of Bernasconi's dealing machine: 52 digits for each board, with nothing between boards.

A digit is the seat of a card, from 1 for north to 4 for west. The cards are the spades from the ace down,
then hearts, diamonds and clubs.
"""

from __future__ import annotations

import os

import numpy as np

from dealerkit.errors import FileError
from dealerkit.formats.content import DealSupply, Records
from dealerkit.formats.format import Format
from dealerkit.formats.machine import (
    are_deals,
    collect_deals,
    find_owners,
    gather_boards,
    join_owners,
    number_from,
)
from dealerkit.formats.text_files import read_bytes
from dealerkit.runtime.files import write_atomically

RECORD_BYTES = 52
_NORTH = ord("1")


def read_ber(path: str | os.PathLike, first_board: int = 1) -> Records:
    """Return the boards of a file, numbered from `first_board`.

    Raises
    ------
    FileError
        The file cannot be read, or does not consist of whole boards.
    """
    data = b"".join(read_bytes(path).split())  # an editor may have added line ends
    if not data or len(data) % RECORD_BYTES or data.strip(b"1234"):
        raise FileError(f"{path}: this is not a .ber file, which has 52 digits from 1 to 4 for each board")
    hands = _decode(data)
    return collect_deals(path, hands, number_from(first_board, len(hands)))


def _decode(data: bytes) -> np.ndarray:
    return join_owners(np.frombuffer(data, np.uint8).reshape(-1, RECORD_BYTES) - _NORTH)


def write_ber(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write the cards of deals; readers number the boards from 1.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A deal is missing.
    """
    hands, _ = gather_boards(deals, "a .ber file", keeps_numbers=False)
    with write_atomically(path) as temporary, open(temporary, "wb") as file:
        file.write((find_owners(hands) + _NORTH).astype(np.uint8).tobytes())


def recognise_ber(head: bytes) -> bool:
    """Return whether a file begins with 52 digits 1 to 4, 13 of each.

    >>> recognise_ber(b"1234" * 13), recognise_ber(b"1233" * 13)
    (True, False)
    """
    data = b"".join(head.split())[:RECORD_BYTES]
    return len(data) == RECORD_BYTES and not data.strip(b"1234") and bool(are_deals(_decode(data))[0])


FORMAT = Format("ber", (".ber",), recognise_ber, read_ber, write_ber, read_options=("first_board",))
