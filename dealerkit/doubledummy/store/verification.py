"""Whole files of the store: verified, or read as deals."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS
from dealerkit.doubledummy.store.contents import iterate_records, list_faults
from dealerkit.doubledummy.store.records import decode_deals, unpack_bounds


@dataclass(frozen=True)
class Verification:
    """What a file of the store contains, and what is wrong with it.

    Attributes
    ----------
    path : Path
    n_deals, n_results : int
        Deals in intact blocks, and their exactly known results, of twenty for each deal.
    faults : tuple of str
        Empty for an intact file.
    """

    path: Path
    n_deals: int
    n_results: int
    faults: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"{self.path}: {self.n_deals:,} deals, {self.n_results:,} results known exactly"]
        lines += self.faults or ["no fault was found"]
        return "\n".join(lines)


def verify_file(path: Path) -> Verification:
    """Read a whole file, and check its structure, each checksum and each record.

    Raises
    ------
    FileError
        The file cannot be read, or is no store of this version.
    """
    faults = list_faults(path)
    n_deals = n_results = 0
    for records in iterate_records(path, list(faults)):
        hands = decode_deals(records["east_west"], records["south_west"])
        lanes = np.stack([hands >> np.uint64(shift) & np.uint64(LANE_MASK) for shift in LANE_SHIFTS])
        counts = np.bitwise_count(lanes).sum(axis=0)
        low, high = unpack_bounds(records["bounds"])
        wrong = (counts != 13).any(axis=1) | (low > high).any(axis=1) | (high > 13).any(axis=1)
        if wrong.any():
            faults.append(f"{int(wrong.sum()):,} records are no deal, or have contradictory bounds")
        n_deals += len(records)
        n_results += int((low == high).sum())
    return Verification(path, n_deals, n_results, tuple(faults))


def read_solved(path: Path) -> Deals:
    """Return the deals of a file whose twenty results are known, with their tables.

    Raises
    ------
    FileError
        The file cannot be read, or is no store of this version.
    """
    hands, tables = [np.empty((0, 4), np.uint64)], [np.empty((0, 5, 4), np.int8)]
    for records in iterate_records(path, list_faults(path)):
        low, high = unpack_bounds(records["bounds"])
        known = (low == high).all(axis=1)
        hands.append(decode_deals(records["east_west"][known], records["south_west"][known]))
        tables.append(low[known].reshape(-1, 5, 4))
    return Deals(np.concatenate(hands), tables=np.concatenate(tables), check=False)
