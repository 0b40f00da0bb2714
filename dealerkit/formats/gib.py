"""`library.dat`, the solved deals of Matthew Ginsberg's program GIB: 26 bytes for each deal.

All numbers have their highest byte first. Four numbers of 32 bits have the owners of the cards in clubs,
diamonds, hearts and spades: two bits for each card, the ace lowest, N E S W = 0..3; the upper six bits are
unused. Five numbers of 16 bits have the tricks in notrump, clubs, diamonds, hearts and spades: four bits for
each leader N E S W, north lowest. The tricks are those of east and west, whoever declares. This is the layout
that the program `dealer` reads with its option -l; no file of Ginsberg's was available.
"""

from __future__ import annotations

import os

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_SHIFTS, SEATS, STRAINS
from dealerkit.errors import ArgumentError
from dealerkit.formats.checking import check_pairing
from dealerkit.formats.content import DealSupply, RecordFile, split_deals
from dealerkit.formats.format import Format
from dealerkit.runtime.files import write_atomically

RECORD_BYTES = 26
_CARD_BYTES = 16
_SUIT_SHIFTS = np.array(sorted(LANE_SHIFTS), np.uint64)  # C D H S
_RANKS = np.arange(12, -1, -1, dtype=np.uint64)
_CARDS = np.uint64(1) << (_SUIT_SHIFTS[:, None] + _RANKS)  # [4, 13], ace to deuce
_PLACES = 2 * np.arange(13, dtype=np.uint32)
_STRAINS = [4, 3, 2, 1, 0]  # the strains of the record, NT C D H S, as numbers S H D C N
_LEADERS = 4 * np.array([1, 2, 3, 0], np.uint16)  # the place of the tricks, by declarer N E S W


class GibFile(RecordFile):
    """A file `library.dat`.

    Parameters
    ----------
    path : str or os.PathLike
    check : bool
        Whether to check that tables belong to their deals.

    Raises
    ------
    FileError
        The file is damaged: its size is wrong, or a deal or table among about 400 that are checked, or the
        tables belong to other deals.
    """

    is_solved = True

    def __init__(self, path: str | os.PathLike, check: bool = True) -> None:
        super().__init__(path, RECORD_BYTES)
        self._check = check
        deals = self.decode(self.sample_rows())
        if check:
            self.unchecked = check_pairing(deals, str(path))

    def _arguments(self) -> tuple:
        return self.path, self._check

    def decode(self, rows: np.ndarray, seats: int = 15, tables: bool = True) -> Deals:
        rows = np.asarray(rows, np.int64)
        records = self.read_records(rows)
        # If a hand does not have 13 cards, the owners in the record are damaged.
        hands = _decode_hands(records)
        counts = np.bitwise_count(hands)
        if (wrong := (counts != 13).any(axis=1)).any():
            row = int(np.argmax(wrong))
            seat = int(np.argmax(counts[row] != 13))
            plural = "" if counts[row, seat] == 1 else "s"
            self.raise_fault(int(rows[row]), 0, f"{SEATS[seat]} has {counts[row, seat]} card{plural}")
        if not tables:
            return Deals(hands, check=False)
        # Four bits can be up to 15, but tricks only up to 13.
        stored = _split_tricks(records)
        if (stored > 13).any():
            row, place, declarer = (int(k) for k in np.argwhere(stored > 13)[0])
            reason = f"{stored[row, place, declarer]} tricks of east and west in {STRAINS[_STRAINS[place]]}"
            self.raise_fault(int(rows[row]), _CARD_BYTES + 2 * place, reason)
        return Deals(hands, tables=_convert_tricks(stored)[:, np.argsort(_STRAINS)], check=False)


def _decode_hands(records: np.ndarray) -> np.ndarray:
    """Return hands, uint64 [n, 4], of records, uint8 [n, 26]."""
    # Each suit has a number of 32 bits, with two bits for each card, the ace lowest.
    words = np.ascontiguousarray(records[:, :_CARD_BYTES]).view(">u4").astype(np.uint32)
    owners = (words[:, :, None] >> _PLACES) & np.uint32(3)
    hands = np.empty((4, len(records)), np.uint64)
    for seat in range(4):
        hands[seat] = ((owners == seat) * _CARDS).sum(axis=(1, 2))
    return hands.T


def _split_tricks(records: np.ndarray) -> np.ndarray:
    """Return the tricks of east and west, int8 [n, 5, 4], by strain in the order of the file and declarer."""
    words = np.ascontiguousarray(records[:, _CARD_BYTES:]).view(">u2").astype(np.uint16)
    return ((words[:, :, None] >> _LEADERS) & np.uint16(15)).astype(np.int8)


def _convert_tricks(tricks: np.ndarray) -> np.ndarray:
    """Return the tricks of each declarer from those of east and west, or the reverse.

    The last axis is the declarer, N E S W. For north and south, the two numbers add up to 13.
    """
    tricks = tricks.copy()
    tricks[..., ::2] = 13 - tricks[..., ::2]
    return tricks


def recognise_gib(head: bytes) -> bool:
    """Return whether a file begins with deals and numbers of tricks.

    >>> recognise_gib(b'[Event "Club evening"]' * 10)
    False
    """
    n_records = len(head) // RECORD_BYTES
    if not n_records:
        return False
    records = np.frombuffer(head, np.uint8, n_records * RECORD_BYTES).reshape(-1, RECORD_BYTES)
    hands = _decode_hands(records)
    return bool((np.bitwise_count(hands) == 13).all() and (_split_tricks(records) <= 13).all())


def write_gib(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write deals as a file `library.dat`.

    Parameters
    ----------
    deals : Deals or Library
        Deals with complete tables; this format cannot express that a deal was not solved.
    path : str or os.PathLike
        The file appears when it is complete.

    Raises
    ------
    ArgumentError
        A deal has no complete table.
    FileError
        The file cannot be written.
    """
    with write_atomically(path) as temporary, open(temporary, "wb") as file:
        for rows, part in split_deals(deals):
            tables = np.full((len(part), 1), -1) if part.tables is None else part.tables.reshape(-1, 20)
            is_open = (tables < 0).any(axis=1)
            if is_open.any():
                raise ArgumentError(
                    f"deal {rows.start + int(np.argmax(is_open)):,} has no complete table, but library.dat "
                    "can only contain solved deals; write a .zrd file"
                )
            file.write(_encode(part.hands, part.tables))


def _encode(hands: np.ndarray, tables: np.ndarray | None) -> bytes:
    """Return the records of deals with complete tables."""
    assert tables is not None
    # Encode the cards, as the inverse of `_decode_hands`; north's code 0 needs no bits.
    owners = np.zeros((len(hands), 4, 13), np.uint32)
    for seat in (1, 2, 3):
        owners += np.uint32(seat) * (hands[:, seat, None, None] & _CARDS != 0)
    words = (owners << _PLACES).sum(axis=2, dtype=np.uint32)
    # Encode the tricks of east and west, four bits for each leader.
    stored = _convert_tricks(tables[:, _STRAINS]).astype(np.uint16)
    tricks = (stored << _LEADERS).sum(axis=2, dtype=np.uint16)
    records = [words.astype(">u4").view(np.uint8), tricks.astype(">u2").view(np.uint8)]
    return np.concatenate(records, axis=1).tobytes()


FORMAT = Format("gib", (".dat",), recognise_gib, GibFile, write_gib, read_options=("check",), is_text=False)
