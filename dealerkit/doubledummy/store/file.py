"""The file of the store: opened, made, shrunk, set aside when it is damaged, given up when it must be.

One table, ``blocks``: the number of a block, the bytes of its entries, their CRC-32. SQLite writes
ahead to a log, so that a process may be killed at any instant and others may read meanwhile.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import threading
import time
import warnings
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from dealerkit.errors import DealerkitWarning

APPLICATION, VERSION = 0x6B697464, 1  # in the header of the file: it is ours, and laid out like this
BLOCK_BITS = 16
BUSY = 20.0  # seconds to wait for another process that writes
LOG_BYTES = 4_000_000  # to which the log shrinks when it has been written back


class StoreWarning(DealerkitWarning):
    """Results that cannot be kept, or a file of results that was set aside."""


class DamagedError(Exception):
    """The file is no store, or no longer one."""


_TROUBLE = (sqlite3.Error, OSError, DamagedError)


def _is_damage(reason: BaseException) -> bool:
    code = getattr(reason, "sqlite_errorcode", 0) & 0xFF
    return isinstance(reason, DamagedError) or code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class StoreFile:
    """A connection to the file that is opened when needed, in each process its own.

    Parameters
    ----------
    path : Path or None
        None: there is nothing to read or to write.
    room : int
        Largest size in bytes, without the log.
    block : int
        Largest number of bytes of a block.

    Attributes
    ----------
    reads, writes : bool
        Is it any use to try? False after trouble that does not pass.
    """

    def __init__(self, path: Path | None, room: int, block: int) -> None:
        self.path, self._room, self._block = path, room, block
        self.reads = self.writes = path is not None
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0
        self._known: tuple[int, int] | None = None  # device and inode, by which the file is known again

    @property
    def size(self) -> int:
        """Bytes on disk, with the log that SQLite keeps beside the file."""
        files = () if self.path is None else (self.path, Path(f"{self.path}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    def careful(self, work: Callable[[], Any], writing: bool = False) -> Any:
        """Do something with the file; set a damaged one aside and try again, or give up with a warning.

        Parameters
        ----------
        work : callable
            Is called without arguments, twice if the file must be set aside.
        writing : bool
            Is it work that writes? If that fails the file may still be read.

        Returns
        -------
        What `work` returns; None where it was given up.
        """
        with self._lock:
            try:
                try:
                    return work()
                except _TROUBLE as reason:
                    if not _is_damage(reason):
                        raise
                    self._set_aside(reason)
                    return work()
            except _TROUBLE as reason:
                self.close()
                if self.writes:
                    kept = "read, but nothing more is kept" if writing else "neither read nor kept"
                    warnings.warn(
                        f"{self.path}: {reason}; from now on results are {kept} in this process. "
                        "Make room, or set DEALERKIT_STORE to another file or to off",
                        StoreWarning,
                        stacklevel=4,
                    )
                self.writes = False
                self.reads = self.reads and writing
                return None

    def connection(self) -> sqlite3.Connection:
        """The open file; every statement is a transaction unless the caller begins one."""
        if self._connection is not None and self._process == os.getpid():
            return self._connection
        assert self.path is not None
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(self.path, timeout=BUSY, isolation_level=None, check_same_thread=False)
        try:
            known = os.stat(self.path)
            self._known = known.st_dev, known.st_ino
            _prepare(connection)
            self._shrink(connection)
        except BaseException:
            connection.close()
            raise
        self._connection, self._process = connection, os.getpid()
        return connection

    def _shrink(self, connection: sqlite3.Connection) -> None:
        """Bring a file under a limit that has become smaller."""
        pages, each = (
            connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
        )
        if pages * each > self._room:
            query = "SELECT substr(entries, ?) FROM blocks WHERE block = ? AND length(entries) > ?"
            change = "UPDATE blocks SET entries = ?, checksum = ? WHERE block = ?"
            connection.execute("BEGIN IMMEDIATE")
            for number in range(1 << BLOCK_BITS):
                if row := connection.execute(query, (-self._block, number, self._block)).fetchone():
                    connection.execute(change, (row[0], zlib.crc32(row[0]), number))
            connection.execute("COMMIT")
            with contextlib.suppress(sqlite3.OperationalError):  # another process reads: next time
                connection.execute("VACUUM")
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute(f"PRAGMA max_page_count = {self._room // each}")

    def _set_aside(self, reason: BaseException) -> None:
        self.close()
        path = self.path
        assert path is not None
        now = path.stat()
        if (now.st_dev, now.st_ino) != self._known:  # another process has done it
            return
        aside = path.with_name(f"{path.stem}.damaged-{time.strftime('%Y%m%d-%H%M%S')}{path.suffix}")
        # The log first: left beside a new file it would be taken for that file's log.
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{path}-wal", f"{aside}-wal")
        with contextlib.suppress(FileNotFoundError):
            os.remove(f"{path}-shm")
        os.replace(path, aside)
        warnings.warn(
            f"{path} is damaged or no store of dealerkit ({reason}); "
            f"it is now {aside.name}, and a new one is begun",
            StoreWarning,
            stacklevel=5,
        )


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C waits for the end of the block: what is half done would be lost, or be done twice.

    Only the main thread is ever interrupted, so in others nothing needs to be done.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    pressed: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: pressed.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        before(*pressed[0])


def _prepare(connection: sqlite3.Connection) -> None:
    """Check that a file is a store; make one of an empty file."""
    connection.execute("BEGIN")  # what is read belongs together, though another process may be making it
    ours = _is_ours(connection)
    connection.execute("COMMIT")
    if not ours:
        _with_log(connection)
        connection.execute("BEGIN IMMEDIATE")
        if not _is_ours(connection):  # no other process came first
            connection.execute(
                "CREATE TABLE blocks "
                "(block INTEGER PRIMARY KEY, entries BLOB NOT NULL, checksum INTEGER NOT NULL)"
            )
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    connection.execute("PRAGMA synchronous = NORMAL")  # a power cut may cost the last batches, not the file
    connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")


def _is_ours(connection: sqlite3.Connection) -> bool:
    """Is it a store (or else empty)?"""
    queries = "PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master"
    kind, version, objects = (connection.execute(query).fetchone()[0] for query in queries)
    if (kind, version) == (APPLICATION, VERSION):
        return True
    if kind or version or objects:
        raise DamagedError("it belongs to another program or version")
    return False


def _with_log(connection: sqlite3.Connection) -> None:
    """Turn on the write-ahead log; SQLite itself does not wait for others here."""
    for attempt in range(100):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as reason:
            if _is_damage(reason) or attempt == 99:
                raise
            time.sleep(BUSY / 100)
