"""The content of a file of deals: in memory, or decoded when it is needed."""

from __future__ import annotations

import contextlib
import copy
import mmap
import os
import sys
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.sequence import DealSequence
from dealerkit.errors import FileError, describe_system_error
from dealerkit.system.files import before_replacing
from dealerkit.system.progress import track

BATCH = 65_536  # deals decoded or written together


class BatchedDeals(Protocol):
    """Deals in batches, as a `Library` has them."""

    def __len__(self) -> int: ...
    def batches(self, size: int = BATCH) -> Iterator[DealSequence]:
        """Yield the deals in order, `size` at a time."""


DealSupply = DealSequence | BatchedDeals


def split_deals(deals: DealSupply) -> Iterator[tuple[slice, DealSequence]]:
    """Yield the deals of Deals or of a Library in batches, each with its rows, with a progress bar."""
    if isinstance(deals, DealSequence):
        batches: Iterator[DealSequence] = (deals[i : i + BATCH] for i in range(0, len(deals), BATCH))
    else:
        batches = deals.batches()
    first = 0
    for batch in track(batches, len(deals)):
        yield slice(first, first + len(batch)), batch
        first += len(batch)


class Content:
    """What a `Library` reads its deals from.

    Attributes
    ----------
    name : str
        Of the file, without its folder.
    n_deals : int
    is_solved : bool
        Every deal has a complete table.
    decodes_tables : bool
        `decode` returns tables only if they are requested.
    deals_all_seats : bool
        If a seat is requested, `decode` returns all four hands.
    is_enumeration : bool
        The deals are all that there are, in a fixed order.
    texts : mapping of str to sequence of str
        Text columns, with one text for each deal.
    skipped : sequence of (int, str)
        Line of each board that could not be read, and the reason.
    place : str
        What these numbers count: ``line`` or ``row``.
    terms : str or None
        Terms of use of the data.
    credit : str
        Whose work the data are; shown with results.
    unchecked : sequence of str
        Which checks of the file were not possible.
    remarks : sequence of (int, str)
        Line, and what is unusual there although the board was read.
    n_repeated : int
        Boards left out because the same deal with the same dealer and vulnerability was before.
    """

    name = ""
    n_deals = 0
    is_solved = False
    decodes_tables = deals_all_seats = is_enumeration = False
    texts: Mapping[str, Sequence[str]] = {}
    skipped: Sequence[tuple[int, str]] = ()
    place = "line"
    terms: str | None = None
    credit = ""
    unchecked: Sequence[str] = ()
    remarks: Sequence[tuple[int, str]] = ()
    n_repeated = 0

    def decode(self, rows: np.ndarray, seats: int = 15, tables: bool = True) -> Deals:
        """Return deals by their numbers.

        Parameters
        ----------
        rows : ndarray of int64 [n]
            Numbers of deals of the file, in any order.
        seats : int, 0..15
            Seats whose hands are needed, bit 0 north ... bit 3 west; other hands may be 0.
        tables : bool
            Tables are needed.
        """
        raise NotImplementedError

    def find_block(self, block: int, n_in_block: int) -> int:
        """Return the number of the first deal of a block of records."""
        return block * n_in_block

    @property
    def n_records(self) -> int:
        """Number of records, those included that hold no deal."""
        return self.n_deals


class Records(Content):
    """Deals in memory, as the readers of text formats return them.

    Parameters
    ----------
    deals : Deals
        With their attached columns.
    texts : mapping of str to sequence of str
        Text columns: players' names, auction, contract ...
    skipped : iterable of (int, str)
        Line and reason of each board that could not be read.
    name : str
        Of the file.
    remarks : iterable of (int, str)
        Line, and what is unusual there although the board was read.
    """

    def __init__(
        self,
        deals: Deals,
        texts: Mapping[str, Sequence[str]] | None = None,
        skipped: Iterable[tuple[int, str]] = (),
        name: str = "",
        remarks: Iterable[tuple[int, str]] = (),
    ) -> None:
        self.deals, self.texts, self.skipped, self.name = deals, dict(texts or {}), list(skipped), name
        self.remarks = list(remarks)
        self.n_deals = len(deals)
        self.is_solved = deals.tables is not None and bool((deals.tables >= 0).all())

    def decode(self, rows: np.ndarray, seats: int = 15, tables: bool = True) -> Deals:
        return self.deals[rows]

    def drop_repeated(self) -> Self:
        """Return the first board of each deal with the same dealer and vulnerability."""
        deals = self.deals
        columns = [deals.hands]
        for name in ("dealer", "vulnerable"):
            if (column := getattr(deals, name)) is not None:
                columns.append(column.astype(np.uint64)[:, None])
        _, rows = np.unique(np.hstack(columns), axis=0, return_index=True)
        rows.sort()
        kept = copy.copy(self)
        kept.deals, kept.n_deals, kept.n_repeated = deals[rows], len(rows), len(deals) - len(rows)
        kept.texts = {name: [values[row] for row in rows.tolist()] for name, values in self.texts.items()}
        return kept


class RecordFile(Content):
    """A file of records of equal size, mapped into memory.

    Parameters
    ----------
    path : str or os.PathLike
    n_bytes : int
        Bytes of a record.

    Raises
    ------
    FileError
        The file cannot be read, is empty, or is not made of whole records.
    """

    decodes_tables = True

    def __init__(self, path: str | os.PathLike, n_bytes: int) -> None:
        self.path, self.name = Path(path), Path(path).name
        try:
            with open(path, "rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size == 0:
                    raise FileError(f"{path}: the file is empty")
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as reason:
            if isinstance(reason, FileError):
                raise
            raise FileError(f"{path}: {describe_system_error(reason)}") from reason
        # A file of other than whole records is truncated or of another format.
        n_records, rest = divmod(size, n_bytes)
        if rest:
            raise FileError(
                f"{path}: {size:,} bytes are not whole records of {n_bytes}: {rest} remain after "
                f"{n_records:,} records. The file is truncated, or of another format"
            )
        self.records = np.frombuffer(self._map, np.uint8).reshape(n_records, n_bytes)
        self.n_deals = n_records
        if sys.platform == "win32":
            _mapped.add(self)

    def __reduce__(self) -> tuple:
        return type(self), self._arguments()

    def _arguments(self) -> tuple[Any, ...]:
        """Return the arguments with which another process opens the file."""
        return (self.path,)

    @property
    def n_records(self) -> int:
        return len(self.records)

    def copy_records(self) -> None:
        """Read all records into memory and close the file."""
        self.records = self.records.copy()
        with contextlib.suppress(BufferError):  # another thread decodes records at this moment
            self._map.close()

    def check_size(self) -> None:
        """Raise a FileError if the file has been truncated: its pages beyond the end cannot be read."""
        if not self._map.closed and self._map.size() < self.records.size:
            raise FileError(f"{self.path}: the file has been truncated since it was opened")

    def raise_fault(self, record: int, byte: int, reason: str) -> None:
        """Raise a FileError about a record; bytes are counted from the beginning of the record."""
        place = record * self.records.shape[1] + byte
        raise FileError(f"{self.path}: record {record:,} (byte {place:,}): {reason}; the file is damaged")

    def sample_rows(self) -> np.ndarray:
        """Return the numbers of some deals all over the file, those at both ends included."""
        if self.n_deals <= _N_SAMPLED:
            return np.arange(self.n_deals)
        starts = np.linspace(0, self.n_deals - _N_RUN, _N_SAMPLED // _N_RUN).astype(np.int64)
        return np.unique(starts[:, None] + np.arange(_N_RUN))


_mapped: weakref.WeakSet[RecordFile] = weakref.WeakSet()


def _copy_mapped(path: Path) -> None:
    """Copy the records of a file that is to be replaced, which Windows permits for no file that is mapped."""
    for file in list(_mapped):
        with contextlib.suppress(OSError):  # one of them is gone
            if os.path.samefile(file.path, path):
                file.copy_records()


if sys.platform == "win32":
    before_replacing.append(_copy_mapped)


_N_SAMPLED, _N_RUN = 400, 50  # deals checked on opening, and how many of them are neighbours
