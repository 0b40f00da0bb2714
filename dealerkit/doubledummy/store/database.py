"""The store of solved deals: one SQLite file that all processes of a user share.

The records (see `dealerkit.doubledummy.store.records`) are kept in 65,536 buckets, one for each value of the
highest 16 bits of the deal's hash. A bucket is one row of the database, so a million deals are looked up by
reading long rows instead of a million short ones. Records are appended to a bucket, and a full bucket drops
its oldest ones, which limits the size of the file without further work.

The file has one table, ``blocks``, with a row for each bucket: its number, the bytes of its records, and
their CRC-32. SQLite uses a write-ahead log, so a process may be killed at any time, and others can read
meanwhile.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import sqlite3
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from dealerkit.appearance.numbers import format_count, format_number
from dealerkit.cards.deals import Deals
from dealerkit.distinct import list_distinct
from dealerkit.doubledummy.store.contents import (
    BUCKET_BITS,
    FILE_ERRORS,
    LOG_BYTES,
    DamagedError,
    RefusedError,
    Verification,
    is_damage,
    iterate_records,
    list_buckets,
    list_faults,
    list_present,
    open_file,
    read_buckets,
    read_present,
    read_solved,
    salvage_records,
    split_buckets,
    verify_file,
    write_present,
)
from dealerkit.doubledummy.store.records import (
    RECORD,
    UNKNOWN_BOUNDS,
    are_deals,
    encode_deals,
    find_records,
    hash_deals,
    intersect_bounds,
    merge_records,
    pack_bounds,
    unpack_bounds,
)
from dealerkit.errors import ArgumentError, DealerkitWarning, FileError, warn_caller
from dealerkit.runtime.files import write_atomically
from dealerkit.runtime.process import ForkSafeLock, uninterrupted

_inherited: list[sqlite3.Connection] = []  # connections of the process from which this one was forked


class StoreWarning(DealerkitWarning):
    """Results cannot be kept, or a damaged file of results was replaced."""


class StoreFile:
    """A connection to the file, opened when needed, separately in each process.

    Parameters
    ----------
    path : Path or None
        None: there is nothing to read or write.
    max_bytes : int
        Largest size of the file, without the log.
    bucket_bytes : int
        Largest size of the records of a bucket.
    restore : callable
        Writes the intact blocks of a damaged file, whose path it is given, and returns the number of their
        deals.

    Attributes
    ----------
    is_readable, is_writable : bool
        False if there is no path, and after a lasting error.
    is_read_only : bool
        Whether the open file cannot be written, as on a read-only medium.
    """

    def __init__(
        self, path: Path | None, max_bytes: int, bucket_bytes: int, restore: Callable[[Path], int]
    ) -> None:
        self.path, self._max_bytes, self._bucket_bytes, self._restore = path, max_bytes, bucket_bytes, restore
        self.is_readable = self.is_writable = path is not None
        self.is_read_only = False
        self._lock = ForkSafeLock(is_awaited=True)  # SQLite has locks too
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._identity: tuple[int, int] | None = None  # device and inode of the opened file

    @property
    def size(self) -> int:
        """Size on disk in bytes, including SQLite's log beside the file."""
        files = () if self.path is None else (self.path, Path(f"{self.path}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            elif self._connection is not None:
                _inherited.append(self._connection)
            self._connection = None

    def leave_log(self) -> None:
        """Write the log back and do without one, so that the file is complete by itself."""
        with self._lock:
            self.connection().execute("PRAGMA journal_mode = DELETE")

    def attempt(self, work: Callable[[], Any], writing: bool = False) -> Any:
        """Call a function that uses the file; restore a damaged file and retry, or give up with a warning.

        Parameters
        ----------
        work : callable
            Called without arguments, and again after a damaged file was restored.
        writing : bool
            Whether it writes. If it fails, the file can still be read.

        Returns
        -------
        The value of `work`; None after giving up.
        """
        with self._lock:
            try:
                try:
                    return work()
                except FILE_ERRORS as reason:
                    if self.is_read_only or not is_damage(reason):
                        raise
                    with uninterrupted():
                        self._replace_damaged(reason)
                    return work()
            except FILE_ERRORS as reason:
                self.close()
                self._give_up(reason, writing)
                return None

    def _give_up(self, reason: BaseException, writing: bool) -> None:
        """Warn once that results are no longer kept, or neither read nor kept."""
        if self.is_writable:
            effect = "read, but not kept" if writing else "neither read nor kept"
            advice = "set DEALERKIT_STORE to another file or to off"
            if not isinstance(reason, RefusedError) and not self.is_read_only:
                advice = f"free disk space, or {advice}"
            warn_caller(
                f"{self.path}: {reason}; from now on results are {effect} in this process. "
                f"{advice[0].upper()}{advice[1:]}",
                StoreWarning,
            )
        self.is_writable = False
        self.is_readable = self.is_readable and writing

    def connection(self) -> sqlite3.Connection:
        """Return the open connection; each statement is a transaction unless the caller begins one."""
        if self._connection is not None and self._process == os.getpid():
            return self._connection
        assert self.path is not None
        # A connection must not be used after a fork: this process opens its own.
        if self._connection is not None:
            _inherited.append(self._connection)  # closing it would write to the file of the parent
        # Remember which file this is, before and after it is opened: another may take its place.
        self._identity = None
        with contextlib.suppress(OSError):
            status = os.stat(self.path)
            self._identity = status.st_dev, status.st_ino
        connection, self.is_read_only = open_file(self.path)
        try:
            status = os.stat(self.path)
            self._identity = status.st_dev, status.st_ino
            if not self.is_read_only:
                list_present(connection)
                self._shrink(connection)
        except BaseException:
            connection.close()
            raise
        self._connection, self._process = connection, os.getpid()
        return connection

    def _shrink(self, connection: sqlite3.Connection) -> None:
        """Shrink a file that exceeds the limit, because the limit is smaller than before."""
        n_pages, page_bytes = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
        )
        # Keep the newest entries of each bucket, and give the space back.
        if n_pages * page_bytes > self._max_bytes:
            size = self._bucket_bytes
            query = "SELECT substr(entries, ?) FROM blocks WHERE block = ? AND length(entries) > ?"
            change = "UPDATE blocks SET entries = ?, checksum = ? WHERE block = ?"
            connection.execute("BEGIN IMMEDIATE")
            for number in range(1 << BUCKET_BITS):
                if row := connection.execute(query, (-size, number, size)).fetchone():
                    connection.execute(change, (row[0], zlib.crc32(row[0]), number))
            connection.execute("COMMIT")
            with contextlib.suppress(sqlite3.OperationalError):  # if another process reads it
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute(f"PRAGMA max_page_count = {self._max_bytes // page_bytes}")

    def _replace_damaged(self, reason: BaseException) -> None:
        """Rename the damaged file, and copy its intact blocks to a new one, with a warning."""
        self.close()
        path = self.path
        assert path is not None
        status = path.stat()
        if (status.st_dev, status.st_ino) != self._identity:  # another process has replaced it
            return
        new_path = path.with_name(f"{path.stem}.damaged-{time.strftime('%Y%m%d-%H%M%S')}{path.suffix}")
        # The log first: SQLite would take it for the log of the new file.
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{path}-wal", f"{new_path}-wal")
        with contextlib.suppress(FileNotFoundError):
            os.remove(f"{path}-shm")
        os.replace(path, new_path)
        n_deals = self._restore(new_path)
        warn_caller(
            f"{path} was damaged ({reason}). The intact results of {format_count(n_deals)} deals "
            "were copied to a new "
            f"store of this name; the damaged file is {new_path.name}, which you may delete",
            StoreWarning,
        )


__all__ = ["Store", "StoreWarning", "current_store"]

NAME = "solved-1.sqlite"
DEFAULT_SIZE = 2000.0  # MB
SMALLEST_SIZE = 10.0  # MB; a bucket then holds one deal
LARGEST_SIZE = 1e7  # MB, of a file of SQLite about twice that; a bucket then is 60 MB
FILL_SHARE = 0.4  # share of the file for records: pages of a growing table are half full


class Store:
    """Bounds of the tricks of deals, on disk: `look_up` reads them, `update` adds to them.

    Errors of the file are not raised: `look_up` then returns no bounds or `update` keeps none, and one
    `StoreWarning` is shown. Several threads may use one object, and several processes one file. A killed
    process loses only the bounds that it had not yet passed to `update`.

    Parameters
    ----------
    path : str, os.PathLike or None
        The file; its folder is made if necessary. None keeps nothing.
    size : float
        Largest size of the file with its log, in MB (10^6 bytes), at least 10; above 10 TB it counts
        as 10 TB. The oldest records are dropped first.

    Raises
    ------
    ArgumentError
        A size below 10 MB.

    Examples
    --------
    >>> import tempfile
    >>> from dealerkit.cards.deals import Deals
    >>> hands = Deals.from_pbn("N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654").hands
    >>> low, high = np.zeros((1, 5, 4), np.int8), np.full((1, 5, 4), 13, np.int8)
    >>> low[0, 4, 2] = 9  # south makes 3NT, at least
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(f"{folder}/solved.sqlite")
    ...     store.update(hands, low, high)
    ...     low, high = store.look_up(hands)
    ...     store.close()
    >>> int(low[0, 4, 2]), int(high[0, 4, 2])
    (9, 13)
    """

    def __init__(self, path: str | os.PathLike | None, size: float = DEFAULT_SIZE) -> None:
        if not size >= SMALLEST_SIZE:
            raise ArgumentError(f"a store of {size} MB is too small; it needs {SMALLEST_SIZE:.0f} MB or more")
        self.path = None if path is None else Path(path)
        self.limit = min(float(size), LARGEST_SIZE)
        max_bytes = int(self.limit * 1e6) - LOG_BYTES
        self._bucket_records = int(max_bytes * FILL_SHARE / RECORD.itemsize) >> BUCKET_BITS  # of a full one
        bucket_bytes = self._bucket_records * RECORD.itemsize
        self.file = StoreFile(self.path, max_bytes, bucket_bytes, self._restore)

    def look_up(self, hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the known bounds of some deals.

        Parameters
        ----------
        hands : ndarray of uint64 [n, 4]
            In any order, repeated or not; rows that are not a deal of 52 cards are unknown.

        Returns
        -------
        low, high : ndarray of int8 [n, 5, 4]
            Bounds of the tricks by strain (S H D C N) and declarer (N E S W); 0 and 13 if unknown.
        """
        bounds = np.full((len(hands), 20), UNKNOWN_BOUNDS, np.uint8)
        if len(hands) and self.file.is_readable:
            words = encode_deals(hands)
            key = hash_deals(*words)
            rows = np.argsort(key)
            rows = rows[are_deals(hands, *words)[rows]]
            sorted_deals = key[rows], words[0][rows], words[1][rows]
            self.file.attempt(lambda: self._read_bounds(bounds, rows, sorted_deals))
        low, high = unpack_bounds(bounds)
        return low.reshape(-1, 5, 4), high.reshape(-1, 5, 4)

    def update(self, hands: np.ndarray, low: np.ndarray, high: np.ndarray) -> None:
        """Intersect the known bounds of some deals with new ones, and write them to disk.

        Of two lower bounds the higher is kept, of two upper bounds the lower; if old and new bounds
        contradict each other, the new ones. All of it is on disk when the call returns.

        Parameters
        ----------
        hands : ndarray of uint64 [n, 4]
            Deals of 52 cards.
        low, high : ndarray of int8 [n, 5, 4]
            Between 0 and 13, `low` at most `high`.

        Raises
        ------
        ArgumentError
            Bounds of the wrong shape or out of range, or hands that are not a deal; with the index.
        """
        expected = (len(hands), 5, 4)
        low, high = np.asarray(low, np.int8), np.asarray(high, np.int8)
        if low.shape != expected or high.shape != expected:
            raise ArgumentError(f"bounds have shapes {low.shape} and {high.shape}, not {expected}")
        words = encode_deals(hands)
        wrong = ((low < 0) | (high > 13) | (low > high)).any(axis=(1, 2)) | ~are_deals(hands, *words)
        if wrong.any():
            row = int(wrong.argmax())
            raise ArgumentError(
                f"deal {row}: not 52 cards, or bounds that are not 0 <= low <= high <= 13; nothing was kept"
            )
        if len(hands) and self.file.is_writable:
            new = np.empty(len(hands), RECORD)
            new["east_west"], new["south_west"] = words
            new["bounds"] = pack_bounds(low, high).reshape(-1, 20)
            with uninterrupted():
                self.file.attempt(lambda: self._write_records(*merge_records(new)), writing=True)

    def __len__(self) -> int:
        """Number of deals with known bounds; reads the size of every bucket."""
        query = "SELECT coalesce(sum(length(entries)), 0) FROM blocks"
        if not self.file.is_readable:
            return 0
        total = self.file.attempt(lambda: self.file.connection().execute(query).fetchone()[0])
        return (total or 0) // RECORD.itemsize

    @property
    def size(self) -> int:
        """Bytes on disk, with the log that SQLite keeps beside the file."""
        return self.file.size

    def __repr__(self) -> str:
        if self.path is None:
            return "<Store: off>"
        size = f"{format_number(self.size / 1e6, 1)} of {format_number(self.limit, 0)} MB"
        return f"<Store: {self.path}: {format_count(len(self), 'deal')}, {size}>"

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self.file.close()

    def merge(self, *paths: str | os.PathLike) -> int:
        """Add the bounds of other files, of damaged ones those that are intact.

        Returns
        -------
        int
            Number of deals in the other files, which are not changed.

        Raises
        ------
        FileError
            A file cannot be read, is not a store of this version, or this store cannot be written.
        """
        n_deals = 0
        for path in map(Path, paths):
            self._refuse_itself(path)
            for records in iterate_records(path, list_faults(path)):
                self._add_records(records)
                n_deals += len(records)
        return n_deals

    def verify(self) -> Verification:
        """Read the whole file, and check its structure, checksums and records (`verify_file`)."""
        return verify_file(self.require_path())

    def export(self, path: str | os.PathLike) -> int:
        """Write a copy without a log, as for a read-only medium; return the number of deals."""
        self._refuse_itself(Path(path))
        with write_atomically(path) as temporary:
            temporary.unlink()
            copy = Store(temporary, self.limit)
            with contextlib.closing(copy):
                copy.merge(self.require_path())
                copy.file.leave_log()
                return len(copy)

    def deals(self) -> Deals:
        """Return the deals whose twenty results are known, with their tables (`read_solved`)."""
        return read_solved(self.require_path())

    def require_path(self) -> Path:
        """Return the path; raise a FileError for a store that is off."""
        if self.path is None:
            raise FileError("the store is off; set DEALERKIT_STORE to the path of a file")
        return self.path

    def _refuse_itself(self, path: Path) -> None:
        """Raise a FileError if a file is that of this store."""
        own = self.require_path()
        if own.exists() and path.exists() and path.samefile(own):
            raise FileError(f"{path}: this is the store itself; give another file")

    def _add_records(self, records: np.ndarray) -> None:
        """Write records in any order, with repeated deals; raise a FileError if they cannot be kept."""
        key, records = merge_records(records)
        if self.file.is_writable:
            with uninterrupted():
                self.file.attempt(lambda: self._write_records(key, records), writing=True)
        if not self.file.is_writable:
            raise FileError(f"{self.require_path()}: this store cannot be written; its records are not kept")

    def _read_bounds(self, bounds: np.ndarray, rows: np.ndarray, deals: tuple[np.ndarray, ...]) -> None:
        """Fill rows of packed bounds, given the hashes (sorted) and the two words of their deals."""
        for part, numbers in split_buckets(list_buckets(deals[0])):
            records = self._read_records(numbers)
            is_recorded, index = find_records(records, *(values[part] for values in deals))
            bounds[rows[part][is_recorded]] = records["bounds"][index[is_recorded]]

    def _read_records(self, numbers: list[int]) -> np.ndarray:
        """Return all records of some buckets (sorted numbers): bucket by bucket, oldest first."""
        records, faults = read_buckets(self.file.connection(), numbers)
        if faults and not self.file.is_read_only:
            raise DamagedError(faults[0])  # so that the file is replaced
        for fault in faults:
            warn_caller(f"{self.path}: {fault}; its results are not read", StoreWarning)
        return records

    def _restore(self, path: Path) -> int:
        """Write the intact records of a damaged file to this one; return the number of deals."""
        for records in salvage_records(path):
            self._write_records(*merge_records(records))
        return len(self)

    def _write_records(self, key: np.ndarray, new: np.ndarray) -> None:
        """Merge new records (sorted by their key) into their buckets, some buckets in each transaction."""
        connection = self.file.connection()
        for part, numbers in split_buckets(list_buckets(key)):
            connection.execute("BEGIN IMMEDIATE")  # no other process may write between reading and writing
            try:
                self._replace_buckets(connection, self._read_records(numbers), key[part], new[part])
                connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    def _replace_buckets(
        self, connection: sqlite3.Connection, old: np.ndarray, key: np.ndarray, new: np.ndarray
    ) -> None:
        """Write the buckets in which new records (sorted by their key) change something."""
        # New records narrow the bounds of old ones, and replace them where that changes any.
        is_old, index = find_records(old, key, new["east_west"], new["south_west"])
        before = old["bounds"][index[is_old]]
        new["bounds"][is_old] = intersect_bounds(before, new["bounds"][is_old])
        changed = ~is_old
        changed[is_old] = (new["bounds"][is_old] != before).any(axis=1)
        stays = np.ones(len(old), bool)
        stays[index[is_old & changed]] = False
        records = np.concatenate([old[stays], new[changed]])
        # Each bucket that changes keeps its last records, which are the newest.
        buckets = list_buckets(hash_deals(records["east_west"], records["south_west"]))
        order = np.argsort(buckets, kind="stable")
        records, buckets = records[order], buckets[order]
        touched = list_distinct(list_buckets(key[changed]))
        stop = np.searchsorted(buckets, touched, "right")
        start = np.maximum(np.searchsorted(buckets, touched), stop - self._bucket_records)
        # Write these buckets, each with its checksum.
        present = read_present(connection)
        if not present[touched].all():
            present[touched] = True
            write_present(connection, present)
        content, size = records.tobytes(), RECORD.itemsize
        blobs = (content[size * a : size * b] for a, b in zip(start.tolist(), stop.tolist(), strict=True))
        connection.executemany(
            "INSERT OR REPLACE INTO blocks VALUES (?, ?, ?)",
            [(n, blob, zlib.crc32(blob)) for n, blob in zip(touched.tolist(), blobs, strict=True)],
        )


def current_store() -> Store:
    """Return the store that the environment variables name now.

    ``DEALERKIT_STORE`` is ``off`` or the path of the file; by default the file is `NAME` in the platform's
    folder for caches. ``DEALERKIT_STORE_SIZE`` is its largest size in MB, 2000 by default.

    Raises
    ------
    ArgumentError
        The size is not a number of 10 or more.
    """
    text = os.environ.get("DEALERKIT_STORE_SIZE", "").strip()
    try:
        size = float(text or DEFAULT_SIZE)
    except ValueError:
        raise ArgumentError(f"DEALERKIT_STORE_SIZE is {text!r}; give a number of MB") from None
    return open_store(os.environ.get("DEALERKIT_STORE", "").strip(), size)


@functools.cache
def open_store(setting: str, size: float) -> Store:
    """Return the store of a path, of ``off``, or of the default path; one object for each."""
    if setting.lower() == "off":
        return Store(None, size)
    if setting:
        path = Path(setting).expanduser().absolute()
    else:
        import platformdirs

        path = platformdirs.user_cache_path("dealerkit", appauthor=False) / NAME
    store = Store(path, size)
    atexit.register(store.close)  # the last process writes the log back, so that the file is complete
    return store
