"""The SQLite file of the store: its connection in each process, its size, and recovery from damage.

The file has one table, ``blocks``, a row for each bucket: its number, the bytes of its records, their
CRC-32. SQLite uses a write-ahead log, so that a process may be killed at any time and others may read
meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dealerkit.doubledummy.store.contents import (
    BUCKET_BITS,
    FILE_ERRORS,
    RefusedError,
    is_damage,
    list_present,
    open_file,
)
from dealerkit.errors import DealerkitWarning, warn_caller
from dealerkit.system.process import ForkSafeLock, uninterrupted

_inherited: list[sqlite3.Connection] = []  # of the process from which this one was forked


class StoreWarning(DealerkitWarning):
    """Results cannot be kept, or a damaged file of results was replaced."""


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
    restore : callable
        Writes the intact blocks of a damaged file, whose path it is given, and returns their number of deals.

    Attributes
    ----------
    is_readable, is_writable : bool
        False for no path, and after an error that remains.
    is_read_only : bool
        The open file cannot be written, as on a read-only medium.
    """

    def __init__(
        self, path: Path | None, max_bytes: int, bucket_bytes: int, restore: Callable[[Path], int]
    ) -> None:
        self.path, self._max_bytes, self._bucket_bytes, self._restore = path, max_bytes, bucket_bytes, restore
        self.is_readable = self.is_writable = path is not None
        self.is_read_only = False
        self._lock = ForkSafeLock(is_awaited=True)  # SQLite has locks, too
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
            elif self._connection is not None:
                _inherited.append(self._connection)
            self._connection = None

    def leave_log(self) -> None:
        """Write the log back and do without one, so that the file is complete in itself."""
        with self._lock:
            self.connection().execute("PRAGMA journal_mode = DELETE")

    def attempt(self, work: Callable[[], Any], writing: bool = False) -> Any:
        """Call a function that uses the file; restore a damaged file and retry, or give up with a warning.

        Parameters
        ----------
        work : callable
            Called without arguments, and again after a damaged file was restored.
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
            f"{path} was damaged ({reason}). The intact results of {n_deals:,} deals were copied to a new "
            f"store of this name; the damaged file is {new_path.name}, which you may delete",
            StoreWarning,
        )
