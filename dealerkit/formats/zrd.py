"""Files of solved deals with 23 bytes a deal: Richard Pavlicek's library, and files that DealerV2 writes.

DealerV2's option ``-Z`` may put title records anywhere: 28 zero bits, the number of the segment (1 to 15),
and 19 bytes of text. A deal whose table is all zero was not solved.
"""

from __future__ import annotations

import os
from functools import cached_property

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError, FileError
from dealerkit.formats.content import DealSupply, RecordFile, split_deals
from dealerkit.formats.format import Format
from dealerkit.formats.pairing import check_pairing
from dealerkit.formats.pavlicek import CREDIT, N_DEALS, TERMS, compute_hands
from dealerkit.formats.trick_records import (
    CARD_BYTES,
    TABLE_BYTES,
    decode_hands,
    decode_tables,
    describe_cards,
    describe_tricks,
    encode_hands,
    encode_tables,
)
from dealerkit.system.files import write_atomically

RECORD_BYTES = CARD_BYTES + TABLE_BYTES
BLOCK = 65_536  # deals of the smallest part of his library that Pavlicek's program writes
_MAX_SEGMENTS, _SEGMENT = 15, 19  # title records of a title, and characters of each
_TITLE_BITS = 0x0FFF_FFFF


class SolvedFile(RecordFile):
    """A .zrd file, mapped into memory.

    Parameters
    ----------
    path : str or os.PathLike
    check : bool
        Check that tables belong to their deals.

    Attributes
    ----------
    title : str
        The text of DealerV2's title records.

    Raises
    ------
    FileError
        The file is damaged: its size, a deal or table among some 400 that are looked at, or tables that
        belong to other deals.
    """

    def __init__(self, path: str | os.PathLike, check: bool = True) -> None:
        super().__init__(path, RECORD_BYTES)
        self._check = check
        first = self._find_in_library()
        is_library = first is not None
        if self.n_records == N_DEALS and first != 0:
            raise FileError(
                f"{path}: the file has the size of Pavlicek's library, but does not begin with its first "
                "deal; it is damaged, or its records are shifted"
            )
        self._titles = np.empty(0, np.int64)
        self.title, self.is_solved = "", is_library
        if is_library:
            self.terms, self.credit = TERMS, CREDIT
        else:
            self._find_titles()
        sample = self.sample_rows()
        deals = self.decode(sample)
        if first is not None and (wrong := (deals.hands != compute_hands(first + sample)).any(axis=1)).any():
            self.raise_fault(
                int(sample[np.argmax(wrong)]), 0, "this is not the deal of this number of Pavlicek's library"
            )
        if check:
            self.unchecked = check_pairing(deals, str(path))

    def _arguments(self) -> tuple:
        return self.path, self._check

    def _find_in_library(self) -> int | None:
        """Return the number of the first deal in Pavlicek's library; None for other files than its blocks."""
        if self.n_records % BLOCK or self.n_records > N_DEALS:
            return None
        hands, fault = decode_hands(self.records, np.zeros(1, np.int64))
        starts = np.arange(0, N_DEALS - self.n_records + 1, BLOCK)
        found = np.flatnonzero((compute_hands(starts) == hands).all(axis=1))
        return int(starts[found[0]]) if fault < 0 and len(found) else None

    def _find_titles(self) -> None:
        """Find the title records, and whether there are deals without a table."""
        heads = self.records[:, :4].copy().view("<u4")[:, 0]
        self._titles = np.flatnonzero(heads & _TITLE_BITS == 0)
        self.n_deals = self.n_records - len(self._titles)
        if not self.n_deals:
            raise FileError(f"{self.path}: the file holds {self.n_records} title records and no deals")
        numbers = heads[self._titles] >> 28
        if not numbers.all():
            record = int(self._titles[np.argmin(numbers)])
            self.raise_fault(record, 0, describe_cards(self.records[record].tobytes()))
        texts = (self.records[record, 4:].tobytes() for record in self._titles)
        self.title = "".join(text.rstrip(b"\0").decode("latin-1") for text in texts)
        low = self.records[:, CARD_BYTES : CARD_BYTES + 8].copy().view("<u8")[:, 0]
        empty = np.flatnonzero(low == 0)
        empty = empty[~self.records[empty, CARD_BYTES + 8 :].any(axis=1)]
        self.is_solved = not len(np.setdiff1d(empty, self._titles))

    @cached_property
    def _n_deals_before(self) -> np.ndarray:
        """Number of deals before each title record."""
        return self._titles - np.arange(len(self._titles))

    def _find_records(self, rows: np.ndarray) -> np.ndarray:
        """Return the numbers of the records of deals."""
        if not len(self._titles):
            return rows
        return rows + np.searchsorted(self._n_deals_before, rows, side="right")

    def find_block(self, block: int, n_in_block: int) -> int:
        record = block * n_in_block
        return min(record - int((self._titles < record).sum()), self.n_deals - 1)

    def decode(self, rows: np.ndarray, seats: int = 15, tables: bool = True) -> Deals:
        self.check_size()
        places = self._find_records(np.asarray(rows, np.int64))
        hands, fault = decode_hands(self.records, places, seats)
        if fault >= 0:
            record = int(places[fault])
            self.raise_fault(record, 0, describe_cards(self.records[record].tobytes()))
        if not tables:
            return Deals(hands, check=False)
        decoded, fault = decode_tables(self.records, places, CARD_BYTES)
        if fault >= 0:
            record = int(places[fault])
            byte, reason = describe_tricks(self.records[record, CARD_BYTES:].tobytes())
            self.raise_fault(record, CARD_BYTES + byte, reason)
        return Deals(hands, tables=decoded, check=False)


def recognise_zrd(head: bytes) -> bool:
    """Return whether a file begins with a deal and a table, or with a title record and text.

    >>> recognise_zrd(bytes.fromhex("72527a0ae17ae4f952e041fc7c494949492b2a39396767"))
    True
    >>> recognise_zrd(b'[Event "Club evening"]')
    False
    """
    if len(head) < RECORD_BYTES:
        return False
    record = np.frombuffer(head[:RECORD_BYTES], np.uint8)[None]
    if int.from_bytes(head[:4], "little") & _TITLE_BITS == 0:
        return head[3] >> 4 == 1
    first = np.zeros(1, np.int64)
    return decode_hands(record, first, 0)[1] < 0 and decode_tables(record, first, CARD_BYTES)[1] < 0


def write_zrd(deals: DealSupply, path: str | os.PathLike, title: str = "") -> None:
    """Write deals as a .zrd file.

    Parameters
    ----------
    deals : Deals or Library
        Deals without a complete table are written as not solved.
    path : str or os.PathLike
        The file appears when it is complete.
    title : str
        Written to title records, which DealerV2 skips: at most 284 characters of Latin-1.

    Raises
    ------
    ArgumentError, FileError
    """
    titles = encode_title(title)
    with write_atomically(path) as temporary, open(temporary, "wb") as file:
        file.write(titles)
        for part in split_deals(deals):
            file.write(encode_records(part.hands, part.tables))


def encode_title(title: str) -> bytes:
    """Return the title records of a title.

    Raises
    ------
    ArgumentError
        The title is too long, or has characters that are not Latin.
    """
    try:
        text = title.encode("latin-1")
    except (UnicodeEncodeError, AttributeError):
        raise ArgumentError(f"title is {title!r:.60}; it takes a text of Latin letters") from None
    if len(text) >= _MAX_SEGMENTS * _SEGMENT or b"\0" in text:
        raise ArgumentError(
            f"title has {len(text)} characters; a file of this format holds 284, without zeros"
        )
    segments = [text[start : start + _SEGMENT] for start in range(0, len(text), _SEGMENT)]
    return b"".join(
        bytes([0, 0, 0, number << 4]) + segment.ljust(_SEGMENT, b"\0")
        for number, segment in enumerate(segments, 1)
    )


def encode_records(hands: np.ndarray, tables: np.ndarray | None) -> bytes:
    """Return the records of deals; a deal without a complete table is one that was not solved."""
    return np.concatenate([encode_hands(hands), encode_tables(tables, len(hands))], axis=1).tobytes()


FORMAT = Format(
    "zrd",
    (".zrd",),
    recognise_zrd,
    SolvedFile,
    write_zrd,
    read_options=("check",),
    write_options=("title",),
    is_text=False,
)
