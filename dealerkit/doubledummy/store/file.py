"""The SQLite file of the store: opening, creating, shrinking, and recovery from damage.

The file has one table, ``blocks``, a row for each bucket: its number, the bytes of its records, their
CRC-32. SQLite uses a write-ahead log, so that a process may be killed at any time and others may read
meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from dealerkit.errors import DealerkitWarning, warn_caller

APPLICATION, VERSION = 0x6B697464, 1  # header fields that mark a store and its format
BUCKET_BITS = 16
BUSY_SECONDS = 20.0  # wait for another process that writes
LOG_BYTES = 4_000_000  # largest size of the log after it has been written back


class StoreWarning(DealerkitWarning):
    """Results cannot be kept, or a damaged file of results was renamed."""


class DamagedError(Exception):
    """The file is not a store, or is damaged."""


_FILE_ERRORS = (sqlite3.Error, OSError, DamagedError)


def _is_damage(reason: BaseException) -> bool:
    """Return whether an error is due to a damaged file."""
    code = getattr(reason, "sqlite_errorcode", 0) & 0xFF
    return isinstance(reason, DamagedError) or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class StoreFile:
    """A connection to the file, opened when needed, in each process separately.

    Parameters
    ----------
    path : Path or None
        None: there is nothing to read or to write.
    max_bytes : int
        Largest size of the file, without the log.
    bucket_bytes : int
        Largest size of the records of a bucket.

    Attributes
    ----------
    is_readable, is_writable : bool
        False for no path, and after an error that remains.
    """

    def __init__(self, path: Path | None, max_bytes: int, bucket_bytes: int) -> None:
        self.path, self._max_bytes, self._bucket_bytes = path, max_bytes, bucket_bytes
        self.is_readable = self.is_writable = path is not None
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._identity: tuple[int, int] | None = None  # device and inode of the opened file

    @property
    def size(self) -> int:
        """Bytes on disk, with the log that SQLite keeps beside the file."""
        files = () if self.path is None else (self.path, Path(f"{self.path}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def attempt(self, work: Callable[[], Any], writing: bool = False) -> Any:
        """Call a function that uses the file; rename a damaged file and retry, or give up with a warning.

        Parameters
        ----------
        work : callable
            Called without arguments, and again after a damaged file was renamed.
        writing : bool
            Does it write? If it fails, the file may still be read.

        Returns
        -------
        The value of `work`; None after giving up.
        """
        with self._lock:
            try:
                try:
                    return work()
                except _FILE_ERRORS as reason:
                    if not _is_damage(reason):
                        raise
                    self._rename_damaged(reason)
                    return work()
            except _FILE_ERRORS as reason:
                self.close()
                if self.is_writable:
                    effect = "read, but no longer kept" if writing else "neither read nor kept"
                    warn_caller(
                        f"{self.path}: {reason}; from now on results are {effect} in this process. "
                        "Free disk space, or set DEALERKIT_STORE to another file or to off",
                        StoreWarning,
                    )
                self.is_writable = False
                self.is_readable = self.is_readable and writing
                return None

    def connection(self) -> sqlite3.Connection:
        """Return the open connection; each statement is a transaction unless the caller begins one."""
        if self._connection is not None and self._process == os.getpid():
            return self._connection
        assert self.path is not None
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            status = os.stat(self.path)
            self._identity = status.st_dev, status.st_ino
            _prepare(connection)
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

    def _rename_damaged(self, reason: BaseException) -> None:
        """Rename the damaged file with a warning, so that the next connection creates a new one."""
        self.close()
        path = self.path
        assert path is not None
        status = path.stat()
        if (status.st_dev, status.st_ino) != self._identity:  # another process has renamed it
            return
        new_path = path.with_name(f"{path.stem}.damaged-{time.strftime('%Y%m%d-%H%M%S')}{path.suffix}")
        # The log first: SQLite would take it for the log of the new file.
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{path}-wal", f"{new_path}-wal")
        with contextlib.suppress(FileNotFoundError):
            os.remove(f"{path}-shm")
        os.replace(path, new_path)
        warn_caller(
            f"{path} is damaged or no store of dealerkit ({reason}); "
            f"it was renamed to {new_path.name}, and a new store is created",
            StoreWarning,
        )


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay Ctrl-C to the end of the ``with`` statement, so that its work is neither lost nor repeated.

    Only the main thread receives interrupts; in other threads this does nothing.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    interrupts: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: interrupts.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if interrupts:
        handler(*interrupts[0])


def _prepare(connection: sqlite3.Connection) -> None:
    """Raise an error unless a file is a store; turn an empty file into one."""
    connection.execute("BEGIN")  # one consistent read, even if another process is creating the store
    is_store = _is_store(connection)
    connection.execute("COMMIT")
    if not is_store:
        _use_log(connection)
        connection.execute("BEGIN IMMEDIATE")
        if not _is_store(connection):  # no other process has created it meanwhile
            connection.execute(
                "CREATE TABLE blocks "
                "(block INTEGER PRIMARY KEY, entries BLOB NOT NULL, checksum INTEGER NOT NULL)"
            )
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    connection.execute("PRAGMA synchronous = NORMAL")  # a power cut may cost the last batches, not the file
    connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")


def _is_store(connection: sqlite3.Connection) -> bool:
    """Return True for a store, False for an empty file; raise an error for any other file."""
    queries = "PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master"
    application, version, n_objects = (connection.execute(query).fetchone()[0] for query in queries)
    if (application, version) == (APPLICATION, VERSION):
        return True
    if application or version or n_objects:
        raise DamagedError("it belongs to another program or version")
    return False


def _use_log(connection: sqlite3.Connection) -> None:
    """Turn on the write-ahead log; SQLite does not wait for other processes in this statement."""
    for attempt in range(100):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as reason:
            if _is_damage(reason) or attempt == 99:
                raise
            time.sleep(BUSY_SECONDS / 100)
