"""`.rzd` and the cards of `.cds`: 13 bytes for each board, one for each rank from the ace down.

A byte has the seats of four cards, two bits each: the spade in the highest bits, then the heart, the diamond
and the club; N E S W are 0 to 3. A `.rzd` file begins with 13 bytes: the number of boards in two bytes, the
lower first, and eleven blanks.
"""

from __future__ import annotations

import os

import numpy as np

from dealerkit.errors import ArgumentError, FileError
from dealerkit.formats.content import DealSupply, Records
from dealerkit.formats.format import Format
from dealerkit.formats.machine import (
    are_deals,
    collect_deals,
    find_owners,
    gather_boards,
    join_owners,
    number_from,
    read_records,
)
from dealerkit.formats.text_files import read_bytes
from dealerkit.runtime.files import write_atomically

RECORD_BYTES, MAX_BOARDS = 13, 65_535
_BLANKS = b" " * 11
_SHIFTS = np.array([6, 4, 2, 0], np.uint8)


def read_rzd(path: str | os.PathLike, first_board: int = 1) -> Records:
    """Return the boards of a file, numbered from `first_board`.

    Raises
    ------
    FileError
        The file cannot be read, or does not consist of whole boards.
    """
    header = read_bytes(path)[:RECORD_BYTES]
    if header[2:] != _BLANKS:
        raise FileError(f"{path}: this is not a .rzd file, which begins with two bytes and eleven blanks")
    records = read_records(path, RECORD_BYTES, offset=RECORD_BYTES)
    n_boards = int.from_bytes(header[:2], "little")
    remarks = [(1, f"the file says that it has {n_boards} boards, but it has {len(records)}")]
    hands, numbers = decode_ranks(records), number_from(first_board, len(records))
    return collect_deals(path, hands, numbers, remarks=remarks if n_boards != len(records) else ())


def decode_ranks(records: np.ndarray, turn: int = 0) -> np.ndarray:
    """Return hands, uint64 [n, 4], of records, uint8 [n, 13], in which north has the number `turn`."""
    owners = (records[:, None, :] >> _SHIFTS[:, None]) & 3
    return join_owners((owners.reshape(-1, 52) - turn) & 3)


def encode_ranks(hands: np.ndarray, turn: int = 0) -> np.ndarray:
    """Return records, uint8 [n, 13], of hands, uint64 [n, 4]; the inverse of `decode_ranks`."""
    owners = ((find_owners(hands) + turn) & 3).reshape(-1, 4, 13)
    return (owners << _SHIFTS[:, None]).sum(axis=1, dtype=np.uint8)


def write_rzd(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write the cards of at most 65,535 deals; readers number the boards from 1.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A deal is missing, or there are too many.
    """
    if len(deals) > MAX_BOARDS:
        raise ArgumentError(
            f"there are {len(deals):,} deals, but a .rzd file has at most {MAX_BOARDS:,}; write several files"
        )
    hands, _ = gather_boards(deals, "a .rzd file", keeps_numbers=False)
    with write_atomically(path) as temporary, open(temporary, "wb") as file:
        file.write(len(hands).to_bytes(2, "little") + _BLANKS + encode_ranks(hands).tobytes())


def recognise_rzd(head: bytes) -> bool:
    r"""Return whether a file begins with the header and a deal.

    >>> recognise_rzd(b"\1\0" + b" " * 11 + bytes.fromhex("393939394e4e4e939393e4e4e4"))
    True
    """
    record = head[RECORD_BYTES : 2 * RECORD_BYTES]
    if head[2:RECORD_BYTES] != _BLANKS or len(record) < RECORD_BYTES:
        return False
    return bool(are_deals(decode_ranks(np.frombuffer(record, np.uint8)[None]))[0])


FORMAT = Format(
    "rzd", (".rzd",), recognise_rzd, read_rzd, write_rzd, read_options=("first_board",), is_text=False
)
