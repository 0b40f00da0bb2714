"""Opening of the file of the store: whether it is one, of this version, and whether it may be written."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from pathlib import Path
from urllib.parse import quote

APPLICATION, VERSION = 0x6B697464, 1  # header fields that mark a store and its format
TABLE = "CREATE TABLE blocks (block INTEGER PRIMARY KEY, entries BLOB NOT NULL, checksum INTEGER NOT NULL)"
BUSY_SECONDS = 20.0  # wait for another process that writes
LOG_BYTES = 4_000_000  # largest size of the log after it has been written back

_MAGIC = b"SQLite format 3\0"
_PLACES = {"version": slice(60, 64), "application": slice(68, 72)}  # of the first page
_LAST_VERSION = 99  # of a future format; a larger number is damage
_DAMAGE = {
    sqlite3.SQLITE_ERROR,  # a statement of ours does not fit the table
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_FORMAT,
}


class DamagedError(Exception):
    """The file is a store, but its content has changed on disk."""


class RefusedError(Exception):
    """The file belongs to another program or to a newer version; it must not be changed."""


FILE_ERRORS = (sqlite3.Error, OSError, DamagedError, RefusedError, UnicodeDecodeError)


def is_damage(reason: BaseException) -> bool:
    """Return whether an error is due to a damaged file."""
    code = getattr(reason, "sqlite_errorcode", 0) & 0xFF
    # SQLite quotes the text of a damaged file in its message.
    return isinstance(reason, DamagedError | UnicodeDecodeError) or code in _DAMAGE


def open_file(path: Path) -> tuple[sqlite3.Connection, bool]:
    """Open a store, or make one of an empty or absent file.

    Returns
    -------
    connection : sqlite3.Connection
        Each statement is a transaction unless the caller begins one.
    is_read_only : bool
        The file, its folder or the medium cannot be written.

    Raises
    ------
    sqlite3.Error, OSError, DamagedError, RefusedError, UnicodeDecodeError
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or os.access(path, os.W_OK):
        try:
            return _connect(path, ""), False
        except sqlite3.OperationalError as reason:
            code = getattr(reason, "sqlite_errorcode", 0) & 0xFF
            if code not in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN) or not path.exists():
                raise
    return open_for_reading(path), True


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Open an existing store, and change neither the file nor its log."""
    try:
        return _connect(path, "?mode=ro")
    except sqlite3.OperationalError as reason:
        if is_damage(reason):
            raise
        # SQLite needs a file beside a store with a log; on a read-only medium nobody else writes.
        return _connect(path, "?mode=ro&immutable=1")


def _connect(path: Path, options: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"file:{quote(os.fsencode(path))}{options}",
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        uri=True,
    )
    try:
        connection.text_factory = bytes  # a damaged text is no error
        _prepare(connection, path, bool(options))
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path, is_read_only: bool) -> None:
    """Raise an error unless a file is a store; turn an empty file into one."""
    _check_header(path)
    try:
        connection.execute("BEGIN")  # one consistent read, even if another process is creating the store
        is_store = _is_store(connection)
        connection.execute("COMMIT")
    except (sqlite3.Error, UnicodeDecodeError) as reason:
        if is_damage(reason) and not _shows_store(path):
            raise RefusedError("it is not a store of dealerkit") from reason
        raise
    if not is_store and is_read_only:
        raise RefusedError("it is empty")
    if not is_store:
        _use_log(connection)
        connection.execute("BEGIN IMMEDIATE")
        if not _is_store(connection):  # no other process has created it meanwhile
            connection.execute(TABLE)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    if not is_read_only:
        connection.execute("PRAGMA synchronous = NORMAL")  # a power cut may cost the last batches
        connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}")


def _check_header(path: Path) -> None:
    """Raise an error for a file of another program, before SQLite does anything with it."""
    with path.open("rb") as file:
        head = file.read(100)
    application = int.from_bytes(head[_PLACES["application"]])
    is_foreign = head and (head[:16] != _MAGIC or application not in (0, APPLICATION))
    if is_foreign and not _shows_store(path):
        raise RefusedError("it is not a store of dealerkit")


def _shows_store(path: Path) -> bool:
    """Return whether a file that cannot be read shows that it was a store."""
    start = b""
    for file in (path, Path(f"{path}-wal")):
        with contextlib.suppress(OSError), file.open("rb") as stream:
            start += stream.read(1 << 16)
    return start[_PLACES["application"]] == APPLICATION.to_bytes(4) or TABLE.encode() in start


def _is_store(connection: sqlite3.Connection) -> bool:
    """Return True for a store, False for an empty file; raise an error for any other file."""
    queries = "PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master"
    application, version, n_objects = (connection.execute(query).fetchone()[0] for query in queries)
    if (application, version) == (APPLICATION, VERSION):
        return True
    if application == APPLICATION and VERSION < version <= _LAST_VERSION:
        raise RefusedError(
            f"it was written by a newer version of dealerkit: its format is {version}, and {VERSION} is the "
            "newest that this version reads"
        )
    query = "SELECT count(*) FROM sqlite_master WHERE CAST(sql AS TEXT) = ?"
    if application == APPLICATION or connection.execute(query, (TABLE,)).fetchone()[0]:
        raise DamagedError("its header has changed on disk")
    if application or version or n_objects:
        raise RefusedError("it is not a store of dealerkit")
    return False


def _use_log(connection: sqlite3.Connection) -> None:
    """Turn on the write-ahead log; SQLite does not wait for other processes in this statement."""
    for attempt in range(100):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as reason:
            if is_damage(reason) or attempt == 99:
                raise
            time.sleep(BUSY_SECONDS / 100)
