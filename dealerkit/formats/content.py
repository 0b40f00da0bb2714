"""The content of a file of deals, in memory or decoded when it is needed."""

from __future__ import annotations

import contextlib
import copy
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
from dealerkit.runtime.files import before_replacing
from dealerkit.runtime.process import ForkSafeLock
from dealerkit.runtime.progress import track

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
    """The content from which a `Library` reads its deals.

    Attributes
    ----------
    name : str
        Name of the file, without its folder.
    n_deals : int
    is_solved : bool
        Whether every deal has a complete table.
    decodes_tables : bool
        Whether `decode` returns tables only on request.
    deals_all_seats : bool
        Whether `decode` returns all four hands if any seat is requested.
    is_enumeration : bool
        Whether these are all deals that exist, in a fixed order.
    texts : mapping of str to sequence of str
        Text columns, with one text for each deal.
    skipped : sequence of (int, str)
        Line of each board that could not be read, and the reason.
    place : str
        What these numbers count: ``line`` or ``row``.
    terms : str or None
        Terms of use of the data.
    credit : str
        Author of the data, shown with results.
    unchecked : sequence of str
        The checks of the file that were impossible.
    remarks : sequence of (int, str)
        Line, and what is unusual there, for boards that were read.
    n_repeated : int
        Number of boards left out because the same deal with the same dealer and vulnerability came before.
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
            Seats whose hands are needed, bit 0 north ... bit 3 west; the other hands may be 0.
        tables : bool
            Whether tables are needed.
        """
        raise NotImplementedError

    def find_block(self, block: int, n_in_block: int) -> int:
        """Return the number of the first deal of a block of records."""
        return block * n_in_block

    @property
    def n_records(self) -> int:
        """Number of records, including those without a deal."""
        return self.n_deals


class Records(Content):
    """Deals in memory, as returned by the readers of text formats.

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
    """A file of records of equal size, of which only the needed ones are read.

    It is not mapped into memory, because reading a mapped part that another program has cut off ends the
    process.

    Parameters
    ----------
    path : str or os.PathLike
    n_bytes : int
        Size of a record in bytes.

    Raises
    ------
    FileError
        The file cannot be read, is empty, or does not consist of whole records.
    """

    decodes_tables = True

    def __init__(self, path: str | os.PathLike, n_bytes: int) -> None:
        self.path, self.name, self.n_bytes = Path(path), Path(path).name, n_bytes
        try:
            self._descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
            self._close = weakref.finalize(self, os.close, self._descriptor)
            size = os.fstat(self._descriptor).st_size
        except (OSError, ValueError) as reason:
            raise FileError(f"{path}: {describe_system_error(reason)}") from reason
        if size == 0:
            raise FileError(f"{path}: the file is empty")
        # A file that does not consist of whole records is truncated or has another format.
        n_records, rest = divmod(size, n_bytes)
        if rest:
            raise FileError(
                f"{path}: the {size:,} bytes are not whole records of {n_bytes}: {rest} remain after "
                f"{n_records:,} records. The file is truncated, or of another format"
            )
        self._n_records = self.n_deals = n_records
        self._copy: np.ndarray | None = None  # of all records
        self._lock = ForkSafeLock()
        if sys.platform == "win32":
            _opened.add(self)

    def __reduce__(self) -> tuple:
        return type(self), self._arguments()

    def _arguments(self) -> tuple[Any, ...]:
        """Return the arguments with which another process opens the file."""
        return (self.path,)

    @property
    def n_records(self) -> int:
        return self._n_records

    def read_records(self, rows: np.ndarray) -> np.ndarray:
        """Return some records, uint8 [n, n_bytes], as a read-only array.

        Raises
        ------
        FileError
            The file cannot be read, or has been truncated since it was opened.
        """
        if self._copy is not None:
            records = self._copy[rows]
        elif not len(rows):
            records = np.empty((0, self.n_bytes), np.uint8)
        elif (span := int(rows.max()) - (first := int(rows.min())) + 1) <= _MOST_READ * len(rows):
            records = self._read(first, span)
            if span != len(rows) or (np.diff(rows) != 1).any():
                records = records[rows - first]
        else:
            numbers, places = np.unique(rows, return_inverse=True)
            starts = np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 2) != 1).tolist()
            runs = zip(starts, [*starts[1:], len(numbers)], strict=True)
            parts = [self._read(int(numbers[start]), end - start) for start, end in runs]
            records = np.concatenate(parts)[places]
        records.flags.writeable = False
        return records

    def iterate_records(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield all records in parts, each after the number of its first."""
        for first in range(0, self.n_records, BATCH):
            yield first, self.read_records(np.arange(first, min(first + BATCH, self.n_records)))

    def _read(self, first: int, count: int) -> np.ndarray:
        """Return consecutive records."""
        size, start, parts = count * self.n_bytes, first * self.n_bytes, []
        try:
            while size:
                if sys.platform == "win32":
                    with self._lock:
                        os.lseek(self._descriptor, start, os.SEEK_SET)
                        part = os.read(self._descriptor, size)
                else:
                    part = os.pread(self._descriptor, size, start)
                if not part:
                    raise FileError(f"{self.path}: the file has been truncated since it was opened")
                parts.append(part)
                size, start = size - len(part), start + len(part)
        except FileError:
            raise
        except OSError as reason:
            raise FileError(f"{self.path}: {describe_system_error(reason)}") from reason
        return np.frombuffer(b"".join(parts), np.uint8).reshape(count, self.n_bytes)

    def copy_records(self) -> None:
        """Read all records into memory and close the file."""
        if self._copy is None:
            self._copy = self._read(0, self.n_records)
            with self._lock:
                self._close()

    def raise_fault(self, record: int, byte: int, reason: str) -> None:
        """Raise FileError about a record; bytes are counted from the beginning of the record."""
        place = record * self.n_bytes + byte
        raise FileError(f"{self.path}: record {record:,} (byte {place:,}): {reason}; the file is damaged")

    def sample_rows(self) -> np.ndarray:
        """Return the numbers of some deals from all over the file, including those at both ends."""
        if self.n_deals <= _N_SAMPLED:
            return np.arange(self.n_deals)
        starts = np.linspace(0, self.n_deals - _N_RUN, _N_SAMPLED // _N_RUN).astype(np.int64)
        return np.unique(starts[:, None] + np.arange(_N_RUN))


_opened: weakref.WeakSet[RecordFile] = weakref.WeakSet()


def _copy_opened(path: Path) -> None:
    """Copy the records of a file that will be replaced, since Windows does not allow this for open files."""
    for file in list(_opened):
        with contextlib.suppress(OSError):  # one of them is gone
            if os.path.samefile(file.path, path):
                file.copy_records()


if sys.platform == "win32":
    before_replacing.append(_copy_opened)


_MOST_READ = 8  # records to read for each needed one, up to which they are not read one by one
_N_SAMPLED, _N_RUN = 400, 50  # number of deals checked on opening, and how many of them are neighbours
