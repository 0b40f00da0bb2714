"""`.dge`, a format of the Duplimate dealing machine: 128 bytes for each board.

A board has four hands N E S W of 17 bytes each. For each suit, a hand has the symbol in the character set of
DOS (spades 6, hearts 3, diamonds 4, clubs 5), and then the ranks. 60 zero bytes follow.
"""

from __future__ import annotations

import os

import numpy as np

from dealerkit.errors import FileError
from dealerkit.formats.content import DealSupply, Records
from dealerkit.formats.format import Format
from dealerkit.formats.machine import (
    CARDS,
    RANKS,
    are_deals,
    collect_deals,
    find_owners,
    number_from,
    read_records,
    write_records,
)

RECORD_BYTES, CARD_BYTES, _HAND_BYTES = 128, 68, 17
_SIGNS = (6, 3, 4, 5)  # spades, hearts, diamonds, clubs
_FILLER = bytes(RECORD_BYTES - CARD_BYTES)
_SUIT_OF = np.full(256, -1, np.int64)
_SUIT_OF[list(_SIGNS)] = range(4)
_RANK_OF = np.full(256, -1, np.int64)
_RANK_OF[list(RANKS)] = range(13)


def read_dge(path: str | os.PathLike, first_board: int = 1) -> Records:
    """Return the boards of a file, numbered from `first_board`.

    Raises
    ------
    FileError
        The file cannot be read, or does not consist of whole boards.
    """
    records = read_records(path, RECORD_BYTES)
    if not (hands := decode_dge(records[:, :CARD_BYTES])).any():
        raise FileError(f"{path}: this is not a .dge file, whose boards begin with the symbol of spades")
    return collect_deals(path, hands, number_from(first_board, len(records)))


def decode_dge(records: np.ndarray) -> np.ndarray:
    """Return hands, uint64 [n, 4], of records, uint8 [n, 68]; bytes that are not cards are left out."""
    fields = records.reshape(-1, 4, _HAND_BYTES)
    # The suit of each place is that of the last symbol before it.
    suits, ranks = _SUIT_OF[fields], _RANK_OF[fields]
    places = np.where(suits >= 0, np.arange(_HAND_BYTES), -1)
    last = np.maximum.accumulate(places, axis=2)
    suit_here = np.take_along_axis(suits, np.maximum(last, 0), axis=2)
    is_card = (ranks >= 0) & (last >= 0)
    bits = CARDS[np.where(is_card, 13 * suit_here + ranks, 0)] * is_card
    return np.bitwise_or.reduce(bits, axis=2)


def encode_dge(hands: np.ndarray) -> np.ndarray:
    """Return the symbols and ranks of hands, uint8 [n, 68], with the highest cards first."""
    # From 4 symbols and 52 cards in this order, each hand takes the symbols and its 13 cards.
    codes = np.array([[sign, *RANKS] for sign in _SIGNS], np.uint8).ravel()
    owners = find_owners(hands).reshape(-1, 4, 13)
    held = np.ones((len(hands), 4, 4, 14), bool)
    for seat in range(4):
        held[:, seat, :, 1:] = owners == seat
    return np.broadcast_to(codes, (len(hands), 4, 56))[held.reshape(-1, 4, 56)].reshape(-1, CARD_BYTES)


def write_dge(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write the cards of deals; readers number the boards from 1.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A deal is missing.
    """
    write_records(deals, path, "a .dge file", encode_dge, _FILLER)


def recognise_dge(head: bytes) -> bool:
    r"""Return whether a file begins with four hands with symbols of suits.

    >>> suit = b"AKQJT98765432"
    >>> hands = [bytes((6, 3, 4, 5)[: n + 1]) + suit + bytes((6, 3, 4, 5)[n + 1 :]) for n in range(4)]
    >>> recognise_dge(b"".join(hands)), recognise_dge(hands[0])
    (True, False)
    """
    if len(head) < CARD_BYTES or head[0] != _SIGNS[0]:
        return False
    return bool(are_deals(decode_dge(np.frombuffer(head[:CARD_BYTES], np.uint8)[None]))[0])


FORMAT = Format(
    "dge", (".dge",), recognise_dge, read_dge, write_dge, read_options=("first_board",), is_text=False
)
