"""`.cds`: 14 bytes for each board, its number and the cards as in `.rzd`, except that W N E S are 0 to 3."""

from __future__ import annotations

import os

import numpy as np

from dealerkit.formats.content import DealSupply, Records
from dealerkit.formats.format import Format
from dealerkit.formats.machine import are_deals, collect_deals, gather_boards, read_records
from dealerkit.formats.rzd import decode_ranks, encode_ranks
from dealerkit.runtime.files import write_atomically

RECORD_BYTES, MAX_BOARD, _TURN = 14, 255, 1


def read_cds(path: str | os.PathLike) -> Records:
    """Return the boards of a file.

    Raises
    ------
    FileError
        The file cannot be read, or does not consist of whole boards.
    """
    records = read_records(path, RECORD_BYTES)
    faults = {row: "the number of the board is 0" for row in np.flatnonzero(records[:, 0] == 0).tolist()}
    return collect_deals(path, decode_ranks(records[:, 1:], _TURN), records[:, 0], faults)


def write_cds(deals: DealSupply, path: str | os.PathLike) -> None:
    """Write boards with numbers up to 255.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        A deal is missing, or a number is above 255.
    """
    hands, numbers = gather_boards(deals, "a .cds file", highest=MAX_BOARD)
    records = np.concatenate([numbers.astype(np.uint8)[:, None], encode_ranks(hands, _TURN)], axis=1)
    with write_atomically(path) as temporary, open(temporary, "wb") as file:
        file.write(records.tobytes())


def recognise_cds(head: bytes) -> bool:
    """Return whether a file, of which `head` is the beginning, consists of boards with different numbers.

    >>> recognise_cds(bytes.fromhex("114e4e4e4e939393e4e4e4393939")), recognise_cds(bytes(14))
    (True, False)
    """
    if not head or len(head) % RECORD_BYTES:
        return False
    records = np.frombuffer(head, np.uint8).reshape(-1, RECORD_BYTES)
    numbers = records[:, 0].tolist()
    if 0 in numbers or len(set(numbers)) < len(numbers):
        return False
    return bool(are_deals(decode_ranks(records[:, 1:], _TURN)).all())


FORMAT = Format("cds", (".cds",), recognise_cds, read_cds, write_cds, is_text=False)
