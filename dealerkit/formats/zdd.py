"""Files of tables without deals, with 10 bytes for each table: the tricks of Richard Pavlicek's library.

The deals are computed from their numbers, so the number of the first one must be known. Only the complete
file shows it, by its size.
"""

from __future__ import annotations

import os

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError, Parameter
from dealerkit.formats.checking import check_pairing
from dealerkit.formats.content import DealSupply, RecordFile, split_deals
from dealerkit.formats.format import Format, is_text
from dealerkit.formats.pavlicek import CREDIT, N_DEALS, TERMS, compute_hands
from dealerkit.formats.zrd import TABLE_BYTES, decode_tables, describe_tricks, encode_tables
from dealerkit.runtime.files import write_atomically

FIRST_TABLE = bytes.fromhex("494949492b2a39396767")
_MIN_HEAD = 100  # bytes; fewer could be valid tables by chance


class TableFile(RecordFile):
    """A .zdd file, whose deals are computed.

    Parameters
    ----------
    path : str or os.PathLike
    first : int or None
        Number of the deal of the first table; None means 0, and is possible only for a complete file.
    check : bool
        Whether to check that tables belong to their deals.

    Raises
    ------
    FileError
        The file is damaged, or its tables belong to other deals.
    ArgumentError
        The number of the first deal is unknown, or too large.
    """

    terms, credit = TERMS, CREDIT
    deals_all_seats = True

    def __init__(self, path: str | os.PathLike, first: int | None = None, check: bool = True) -> None:
        super().__init__(path, TABLE_BYTES)
        # Only the size of the complete file shows which deals these are.
        if first is None:
            if self.n_records != N_DEALS:
                raise ArgumentError(
                    f"{path}: the file has {self.n_records:,} of the {N_DEALS:,} tables of Pavlicek's "
                    "library and does not show which; give the number of the first as ",
                    Parameter("first="),
                )
            first = 0
        self._first, self._check = check_integer("first", first), check
        if first + self.n_records > N_DEALS:
            raise ArgumentError(
                f"{path}: first is {first:,} and the file has {self.n_records:,} tables, but Pavlicek's "
                f"library has only {N_DEALS:,} deals"
            )
        # Check the first table; the statistics of `check_pairing` find other tables that are shifted.
        if first == 0 and self.read_records(np.zeros(1, np.int64)).tobytes() != FIRST_TABLE:
            self.raise_fault(0, 0, "this is not the table of the first deal of Pavlicek's library")
        self.is_solved = True
        deals = self.decode(self.sample_rows())
        if check:
            self.unchecked = check_pairing(deals, str(path))

    def _arguments(self) -> tuple:
        return self.path, self._first, self._check

    def decode(self, rows: np.ndarray, seats: int = 15, tables: bool = True) -> Deals:
        rows = np.asarray(rows, np.int64)
        hands = compute_hands(self._first + rows) if seats else np.zeros((4, len(rows)), np.uint64).T
        if not tables:
            return Deals(hands, check=False)
        records = self.read_records(rows)
        decoded, fault = decode_tables(records, np.arange(len(rows)), 0)
        if fault >= 0:
            self.raise_fault(int(rows[fault]), *describe_tricks(records[fault].tobytes()))
        return Deals(hands, tables=decoded, check=False)


def recognise_zdd(head: bytes) -> bool:
    """Return whether a file begins with numbers of tricks, for at least ten tables.

    >>> recognise_zdd(bytes.fromhex("d0d0d0d00d0d0d0d7676") * 10)
    True
    >>> recognise_zdd(b'[Event "Club evening"]' * 10)
    False
    """
    if len(head) < _MIN_HEAD or (head.isascii() and is_text(head)):
        return False
    tables = np.frombuffer(head, np.uint8, len(head) // TABLE_BYTES * TABLE_BYTES).reshape(-1, TABLE_BYTES)
    if not tables.any(axis=1).all():
        return False  # a table of zeros, in which neither side takes a trick in any strain
    return decode_tables(tables, np.arange(len(tables)), 0)[1] < 0


def write_zdd(deals: DealSupply, path: str | os.PathLike, first: int = 0) -> None:
    """Write the tables of consecutive deals of Pavlicek's library as a .zdd file.

    Parameters
    ----------
    deals : Deals or Library
        Deals with complete tables.
    path : str or os.PathLike
        The file appears when it is complete.
    first : int
        Number of the first deal in the library.

    Raises
    ------
    ArgumentError
        A deal is not that of its number in the library, or has no complete table.
    FileError
        The file cannot be written.
    """
    first = check_integer("first", first)
    with write_atomically(path) as temporary, open(temporary, "wb") as file:
        for rows, part in split_deals(deals):
            number = first + rows.start
            if number + len(part) > N_DEALS:
                raise ArgumentError(
                    f"a .zdd file can only contain the {N_DEALS:,} deals of Pavlicek's library; write a .zrd "
                    "file"
                )
            # The file does not contain the deals, so they must be those of their numbers.
            wrong = (part.hands != compute_hands(number + np.arange(len(part)))).any(axis=1)
            if wrong.any():
                raise ArgumentError(
                    f"deal {rows.start + int(np.argmax(wrong)):,} is not deal "
                    f"{number + int(np.argmax(wrong)):,} of Pavlicek's library, and a .zdd file can contain "
                    "no other deals; write a .zrd file"
                )
            if part.tables is None or (part.tables < 0).any():
                raise ArgumentError(
                    "some deals have no complete table, which is all that a .zdd file contains; solve them "
                    "first"
                )
            file.write(encode_tables(part.tables, len(part)).tobytes())


FORMAT = Format(
    "zdd",
    (".zdd",),
    recognise_zdd,
    TableFile,
    write_zdd,
    read_options=("first", "check"),
    write_options=("first",),
    is_text=False,
)
