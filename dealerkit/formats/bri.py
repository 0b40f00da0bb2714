"""`.bri`, the oldest format of the Duplimate dealing machine: 128 bytes for each board.

A board has 39 numbers of two digits, which are the 13 cards of north, of east and of south: 01 is the ace of
spades, 52 the deuce of clubs. West has the other cards. 32 blanks and 18 zero bytes follow. Files with a line
of 78 digits for each board are read as well.
"""

from __future__ import annotations

import os

import numpy as np

from dealerkit.errors import FileError
from dealerkit.formats.content import DealSupply, Records
from dealerkit.formats.format import Format
from dealerkit.formats.machine import (
    CARDS,
    are_deals,
    collect_deals,
    find_owners,
    number_from,
    read_records,
    write_records,
)
from dealerkit.formats.text_files import read_bytes

RECORD_BYTES, CARD_BYTES = 128, 78
_FILLER = b" " * 32 + bytes(18)
_FULL = np.bitwise_or.reduce(CARDS)


def read_bri(path: str | os.PathLike, first_board: int = 1) -> Records:
    """Return the boards of a file, numbered from `first_board`.

    Raises
    ------
    FileError
        The file cannot be read, or does not consist of whole boards.
    """
    lines = read_bytes(path).split()
    if lines and all(len(line) == CARD_BYTES for line in lines):
        records = np.frombuffer(b"".join(lines), np.uint8).reshape(-1, CARD_BYTES)
    else:
        records = read_records(path, RECORD_BYTES)
    if not (hands := decode_bri(records[:, :CARD_BYTES])).any():
        raise FileError(f"{path}: this is not a .bri file, whose boards begin with 39 numbers of two digits")
    return collect_deals(path, hands, number_from(first_board, len(records)))


def decode_bri(records: np.ndarray) -> np.ndarray:
    """Return hands, uint64 [n, 4], of digits, uint8 [n, 78]; numbers that are not a card are left out."""
    digits = records.astype(np.int16) - ord("0")
    numbers = 10 * digits[:, ::2] + digits[:, 1::2] - 1
    is_card = (numbers >= 0) & (numbers < 52) & ((digits >= 0) & (digits < 10)).reshape(-1, 39, 2).all(axis=2)
    bits = CARDS[np.where(is_card, numbers, 0)] * is_card
    hands = np.zeros((len(records), 4), np.uint64)
    hands[:, :3] = np.bitwise_or.reduce(bits.reshape(-1, 3, 13), axis=2)
    # If the 39 cards are different, west has the rest; if not, it is not known which are wrong.
    union = np.bitwise_or.reduce(hands, axis=1)
    hands[:, 3] = np.where(np.bitwise_count(union) == 39, _FULL & ~union, 0)
    return hands


def encode_bri(hands: np.ndarray) -> np.ndarray:
    """Return the digits of hands, uint8 [n, 78]: those of north, east and south, with rising numbers."""
    cards = np.argsort(find_owners(hands), axis=1, kind="stable")[:, :39] + 1
    digits = np.stack([cards // 10, cards % 10], axis=2) + ord("0")
    return digits.reshape(-1, CARD_BYTES).astype(np.uint8)


def write_bri(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write the cards of deals; readers number the boards from 1.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A deal is missing.
    """
    write_records(deals, path, "a .bri file", encode_bri, _FILLER)


def recognise_bri(head: bytes) -> bool:
    r"""Return whether a file begins with 39 different cards by number, in a record or on a line.

    >>> cards = b"".join(b"%02d" % (n + 1) for n in range(39))
    >>> recognise_bri(cards + bytes(50)), recognise_bri(cards + b"\r\n"), recognise_bri(cards[:77])
    (True, True, False)
    """
    start = head[:CARD_BYTES]
    if len(start) < CARD_BYTES or not start.isdigit():
        return False
    follows = head[CARD_BYTES : CARD_BYTES + 1]
    is_record = len(head) >= RECORD_BYTES and not head[CARD_BYTES:RECORD_BYTES].strip(b" \0\r\n\x1a")
    return (is_record or follows in (b"", b"\r", b"\n")) and bool(
        are_deals(decode_bri(np.frombuffer(start, np.uint8)[None]))[0]
    )


FORMAT = Format(
    "bri", (".bri",), recognise_bri, read_bri, write_bri, read_options=("first_board",), is_text=False
)
