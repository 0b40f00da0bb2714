"""Files with 52 bytes for each deal, which DealerV2 writes with its option -l.

Each hand has 13 bytes, in the order N E S W. A byte is 16 times the suit (clubs 0 ... spades 3) plus the rank
(deuce 0 ... ace 12). DealerV2 sorts a hand from the ace of spades down to the deuce of clubs; any order is
read.
"""

from __future__ import annotations

import os

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS
from dealerkit.formats.content import DealSupply, RecordFile, split_deals
from dealerkit.formats.format import Format
from dealerkit.runtime.files import write_atomically

RECORD_BYTES = 52
_ALL = np.uint64(0x1FFF_1FFF_1FFF_1FFF)
_SUITS, _RANKS = np.arange(3, -1, -1, dtype=np.uint64), np.arange(12, -1, -1, dtype=np.uint64)
_CARDS = (np.uint64(16) * _SUITS[:, None] + _RANKS).ravel()  # bytes of a sorted hand


class Dl52File(RecordFile):
    """A file of DealerV2's option -l.

    Raises
    ------
    FileError
        The file is damaged: its size is wrong, or a deal among about 400 that are checked.
    """

    decodes_tables = False

    def __init__(self, path: str | os.PathLike) -> None:
        super().__init__(path, RECORD_BYTES)
        self.decode(self.sample_rows())

    def decode(self, rows: np.ndarray, seats: int = 15, tables: bool = True) -> Deals:
        rows = np.asarray(rows, np.int64)
        records = self.read_records(rows)
        hands, is_legal = _decode(records)
        if not is_legal.all():
            place = int(np.argmin(is_legal))
            self.raise_fault(int(rows[place]), *_describe(records[place]))
        return Deals(hands, check=False)


def _decode(records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return hands, uint64 [n, 4], and which of them are whole deals, bool [n]."""
    # A byte is the number of the card's bit: 16 times the suit plus the rank, as in `LANE_SHIFTS`.
    numbers = records.astype(np.uint64) & np.uint64(63)  # the numbers of the bits of a hand
    hands = np.bitwise_or.reduce((np.uint64(1) << numbers).reshape(-1, 4, 13), axis=2)
    is_legal = (np.bitwise_or.reduce(hands, axis=1) == _ALL) & (records < 64).all(axis=1)
    return hands, is_legal


def _describe(record: np.ndarray) -> tuple[int, str]:
    """Return the place of the first byte that is not a card or repeats one, and a description."""
    seen: dict[int, int] = {}
    for place, card in enumerate(record.tolist()):
        if card > 63 or card & 15 > 12:
            return place, f"the byte {card} of {SEATS[place // 13]} is not a card"
        if card in seen:
            name = "CDHS"[card >> 4] + "23456789TJQKA"[card & 15]
            return place, f"{name} is twice in the deal, with {SEATS[seen[card]]} and {SEATS[place // 13]}"
        seen[card] = place // 13
    raise AssertionError("the record is a deal")


def recognise_dl52(head: bytes) -> bool:
    """Return whether a file begins with the 52 cards.

    >>> recognise_dl52(bytes(16 * suit + rank for suit in range(4) for rank in range(13)))
    True
    """
    return len(head) >= RECORD_BYTES and bool(
        _decode(np.frombuffer(head, np.uint8, RECORD_BYTES)[None])[1][0]
    )


def encode_dl52(hands: np.ndarray) -> bytes:
    """Return the records of hands, uint64 [n, 4]."""
    held = (hands[:, :, None] >> _CARDS) & np.uint64(1) != 0
    return np.broadcast_to(_CARDS.astype(np.uint8), held.shape)[held].tobytes()


def write_dl52(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write deals with 52 bytes for each.

    Parameters
    ----------
    deals : Deals or Library
    path : str or os.PathLike
        The file appears when it is complete.

    Raises
    ------
    FileError
        The file cannot be written.
    """
    with write_atomically(path) as temporary, open(temporary, "wb") as file:
        for _, part in split_deals(deals):
            file.write(encode_dl52(part.hands))


FORMAT = Format("dl52", (".dl52",), recognise_dl52, Dl52File, write_dl52, is_text=False)
