"""The file of the store: how it is opened, its blocks, each verified by a checksum, and its deals.

Blocks of a damaged file are read from its pages, since SQLite gives up at the first page that it cannot
follow. But each block has its length and a CRC-32, so intact blocks can be recognized page by page, whatever
else is damaged.

References
----------
SQLite, Database File Format, https://www.sqlite.org/fileformat2.html, sections 1.3, 1.5, 1.6, 2.1 and 4.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS
from dealerkit.doubledummy.store.records import RECORD, decode_deals, hash_deals, unpack_bounds
from dealerkit.errors import FileError

APPLICATION, VERSION = 0x6B697464, 1  # header fields that mark a store and its format
TABLE = "CREATE TABLE blocks (block INTEGER PRIMARY KEY, entries BLOB NOT NULL, checksum INTEGER NOT NULL)"
PRESENT_TABLE = "CREATE TABLE present (id INTEGER PRIMARY KEY, bits BLOB NOT NULL, checksum INTEGER NOT NULL)"
BUCKET_BITS = 16
RECORDS_PER_BATCH = 200_000
BUCKETS_PER_READ = 1024  # 20 MB of a full store
BUSY_SECONDS = 20.0  # seconds to wait for another process that writes
LOG_BYTES = 4_000_000  # largest size of the log after it has been written back
PAGE_BYTES = 4096  # SQLite's default since 2016
_MAGIC = b"SQLite format 3\0"
_PLACES = {"version": slice(60, 64), "application": slice(68, 72)}  # places in the first page
_LAST_VERSION = 99  # version of a future format; a larger number is damage
_DAMAGE = {
    sqlite3.SQLITE_ERROR,  # a statement of this module does not fit the table
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_FORMAT,
}
_LEAF = 0x0D  # page of rows
_HEAD_BYTES = 100  # bytes before the first page's own header
_LOG_HEAD_BYTES, _FRAME_HEAD_BYTES = 32, 24
_INTEGER_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}  # by type of a value in a row
_Pages = Callable[[int], bytes]


class DamagedError(Exception):
    """The file is a store, but its content has changed on disk."""


class RefusedError(Exception):
    """The file belongs to another program or to a newer version; it must not be changed."""


FILE_ERRORS = (sqlite3.Error, OSError, DamagedError, RefusedError, UnicodeDecodeError)


def is_damage(reason: BaseException) -> bool:
    """Return whether an error is due to a damaged file."""
    code = getattr(reason, "sqlite_errorcode", 0) & 0xFF
    # SQLite quotes text of a damaged file in its message
    return isinstance(reason, DamagedError | UnicodeDecodeError) or code in _DAMAGE


def open_file(path: Path) -> tuple[sqlite3.Connection, bool]:
    """Open a store, or create one in an empty or absent file.

    Returns
    -------
    connection : sqlite3.Connection
        Each statement is a transaction unless the caller begins one.
    is_read_only : bool
        Whether the file, its folder or the medium cannot be written.

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
    """Open an existing store without changing the file or its log."""
    try:
        return _connect(path, "?mode=ro")
    except sqlite3.OperationalError as reason:
        if is_damage(reason):
            raise
        # SQLite needs a second file for a store with a log; nobody else writes to a read-only medium
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
        connection.text_factory = bytes  # a damaged text is not an error
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
    # Turn an empty file into a store.
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
    """Raise an error for a file of another program, before SQLite changes anything in it."""
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
    """Turn on the write-ahead log; in this statement, SQLite does not wait for other processes."""
    for attempt in range(100):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as reason:
            if is_damage(reason) or attempt == 99:
                raise
            time.sleep(BUSY_SECONDS / 100)


def list_buckets(key: np.ndarray) -> np.ndarray:
    """Return the bucket of each hash, int64."""
    return (key >> np.uint64(64 - BUCKET_BITS)).astype(np.int64)


def split_buckets(buckets: np.ndarray) -> Iterator[tuple[slice, list[int]]]:
    """Split sorted bucket numbers into slices of at most `BUCKETS_PER_READ` different ones."""
    first = np.flatnonzero(np.diff(buckets, prepend=-1))
    ends = np.append(first, len(buckets)).tolist()
    numbers = buckets[first].tolist()
    for i in range(0, len(numbers), BUCKETS_PER_READ):
        part = numbers[i : i + BUCKETS_PER_READ]
        yield slice(ends[i], ends[i + len(part)]), part


def is_intact(content: object, checksum: object) -> bool:
    """Return whether the content of a block matches its checksum."""
    if not isinstance(content, bytes) or not content or len(content) % RECORD.itemsize:
        return False
    return zlib.crc32(content) == checksum


def decode_blocks(blocks: list[tuple[int, bytes]]) -> np.ndarray:
    """Return the records of intact blocks.

    Raises
    ------
    DamagedError
        The first record of a block belongs to another block.
    """
    records = np.frombuffer(b"".join(content for _, content in blocks), RECORD)
    lengths = np.array([len(content) for _, content in blocks], np.int64) // RECORD.itemsize
    first = records[np.cumsum(lengths) - lengths]
    buckets = list_buckets(hash_deals(first["east_west"], first["south_west"]))
    wrong = buckets != np.array([number for number, _ in blocks], np.int64)
    if wrong.any():
        raise DamagedError(f"block {int(buckets[wrong.argmax()])} has the number of another block")
    return records


def read_buckets(connection: sqlite3.Connection, numbers: list[int]) -> tuple[np.ndarray, list[str]]:
    """Return the records of some buckets (sorted numbers), oldest first in each, and the damage found."""
    if numbers[-1] - numbers[0] < 2 * len(numbers):
        condition = f"BETWEEN {numbers[0]} AND {numbers[-1]}"
    else:
        condition = f"IN ({','.join(map(str, numbers))})"
    missing = np.zeros(1 << BUCKET_BITS, bool)
    missing[numbers] = True
    missing &= read_present(connection)  # before the blocks: another process may add some
    blocks: list[tuple[int, bytes]] = []
    faults = []
    # Blocks that are found are not missing, but may be damaged
    for number, content, checksum in connection.execute(
        f"SELECT block, entries, checksum FROM blocks WHERE block {condition} ORDER BY block"
    ):
        missing[number] = False
        if is_intact(content, checksum):
            blocks.append((number, content))
        else:
            faults.append(f"block {number} has changed on disk")
    if missing.any():
        faults.append(f"block {int(missing.argmax())} is not found")
    return decode_blocks(blocks), faults


def list_faults(path: Path) -> list[str]:
    """Read a whole file; return what is damaged in its structure and which blocks are not intact.

    Raises
    ------
    FileError
        The file cannot be read, or is not a store of this version.
    """
    if not path.is_file():
        raise FileError(f"{path}: there is no such file; a store is created when something is solved")
    try:
        with contextlib.closing(open_for_reading(path)) as connection:
            # SQLite checks the structure, and the checksums verify the content
            rows = [row[0] for row in connection.execute("PRAGMA integrity_check(3)")]
            texts = [row.decode(errors="replace") if isinstance(row, bytes) else str(row) for row in rows]
            faults = [] if texts == ["ok"] else [" ".join(text.split()) for text in texts]
            missing = read_present(connection)
            for number, content, checksum in connection.execute(
                "SELECT block, entries, checksum FROM blocks"
            ):
                missing[number : number + 1] = False
                if not is_intact(content, checksum):
                    faults.append(f"block {number} has changed on disk")
                else:
                    decode_blocks([(number, content)])
            if missing.any():
                faults.append(f"{format_count(int(missing.sum()))} blocks are not found")
            return faults
    except RefusedError as reason:
        raise FileError(f"{path}: {reason}") from None
    except FILE_ERRORS as reason:
        if not is_damage(reason):
            raise FileError(f"{path}: {reason}") from reason
        return [str(reason)]


def iterate_records(path: Path, faults: list[str]) -> Iterator[np.ndarray]:
    """Yield the intact records of a file in batches, given its faults (`list_faults`)."""
    if faults:
        yield from salvage_records(path)
        return
    with contextlib.closing(open_for_reading(path)) as connection:
        rows = connection.execute("SELECT entries FROM blocks")
        yield from _join_blocks(np.frombuffer(content, RECORD) for (content,) in rows)


def read_present(connection: sqlite3.Connection) -> np.ndarray:
    """Return the blocks that the file contains, as bool [65,536]; none if the file does not state them.

    SQLite does not notice if it misses a row because of a changed byte in its tree.

    Raises
    ------
    DamagedError
        The checksum is wrong.
    """
    try:
        row = connection.execute("SELECT bits, checksum FROM present").fetchone()
    except sqlite3.OperationalError as reason:
        if "no such table" not in str(reason):
            raise
        row = None  # a read-only file of an earlier version
    if row is None:
        return np.zeros(1 << BUCKET_BITS, bool)
    bits, checksum = row
    if not isinstance(bits, bytes) or zlib.crc32(bits) != checksum or len(bits) * 8 != 1 << BUCKET_BITS:
        raise DamagedError("the list of blocks has changed on disk")
    return np.unpackbits(np.frombuffer(bits, np.uint8)).view(bool)


def write_present(connection: sqlite3.Connection, present: np.ndarray) -> None:
    """Write the list of blocks in the file, in a transaction that the caller has begun."""
    bits = np.packbits(present).tobytes()
    connection.execute("INSERT OR REPLACE INTO present VALUES (0, ?, ?)", (bits, zlib.crc32(bits)))


def list_present(connection: sqlite3.Connection) -> None:
    """Add the list of blocks to a file without one, from an earlier version."""
    query = "SELECT count(*) FROM sqlite_master WHERE name = 'present'"
    if connection.execute(query).fetchone()[0]:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not connection.execute(query).fetchone()[0]:
            connection.execute(PRESENT_TABLE)
            present = np.zeros(1 << BUCKET_BITS, bool)
            numbers = [row[0] for row in connection.execute("SELECT block FROM blocks")]
            if not all(0 <= number < len(present) for number in numbers):
                raise DamagedError("a block has no valid number")
            present[numbers] = True
            write_present(connection, present)
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def salvage_records(path: Path) -> Iterator[np.ndarray]:
    """Yield the intact records of a damaged file in batches, some of them in several states."""
    return _join_blocks(
        np.frombuffer(content, RECORD)
        for content in salvage_blocks(path)
        if len(content) % RECORD.itemsize == 0
    )


def _join_blocks(blocks: Iterator[np.ndarray]) -> Iterator[np.ndarray]:
    batch: list[np.ndarray] = []
    size = 0
    for records in blocks:
        batch.append(records)
        size += len(records)
        if size >= RECORDS_PER_BATCH:
            yield np.concatenate(batch)
            batch, size = [], 0
    if batch:
        yield np.concatenate(batch)


def salvage_blocks(path: Path) -> Iterator[bytes]:
    """Yield the content of all blocks with a correct checksum, including older states of some.

    Parameters
    ----------
    path : Path
        The file; its log, if there is one, is read as well.
    """
    frames = _read_log(Path(f"{path}-wal"))
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
        # The size of pages: section 1.3.2 of the reference. A damaged header may contain a wrong size
        stated = int.from_bytes(head[16:18])
        sizes = {PAGE_BYTES, stated} if stated >= 512 and stated & stated - 1 == 0 else {PAGE_BYTES}
        file.seek(0, 2)
        n_bytes = file.tell()

        def read_page(number: int, size: int = PAGE_BYTES) -> bytes:
            file.seek((number - 1) * size)
            return file.read(size)

        # All pages of the file, then those of the log, which are newer
        for size in sizes:
            read = functools.partial(read_page, size=size)
            for number in range(1, n_bytes // size + 1):
                yield from _read_rows(read(number), number, read)
        for number, page in frames.items():
            yield from _read_rows(page, number, lambda number: frames.get(number) or read_page(number))


def _read_log(path: Path) -> dict[int, bytes]:
    """Return the last state of each page in the log."""
    frames: dict[int, bytes] = {}
    step = _FRAME_HEAD_BYTES + PAGE_BYTES
    with contextlib.suppress(OSError), path.open("rb") as file:
        salts = file.read(_LOG_HEAD_BYTES)[16:24]
        while len(frame := file.read(step)) == step:
            if frame[8:16] == salts:
                frames[int.from_bytes(frame[:4])] = frame[_FRAME_HEAD_BYTES:]
    return frames


def _read_rows(page: bytes, number: int, read_page: _Pages) -> Iterator[bytes]:
    """Yield the intact rows of a page."""
    begin = _HEAD_BYTES if number == 1 else 0
    if len(page) < 512:
        return
    place, stop = begin + 8, len(page)
    n_rows, content = int.from_bytes(page[begin + 3 : begin + 5]), int.from_bytes(page[begin + 5 : begin + 7])
    if page[begin] != _LEAF:
        if place + 2 * n_rows > content or content >= len(page):
            return  # an inner page, or the continuation of a block
        stop = place + 2 * n_rows
    while place < stop:  # the number of rows may be wrong: the places of rows end where the rows begin
        pointer = int.from_bytes(page[place : place + 2])
        place += 2
        if place <= pointer and (row := _read_row(page, pointer, read_page)):
            stop = min(stop, pointer)
            yield row


def _read_row(page: bytes, place: int, read_page: _Pages) -> bytes | None:
    """Return the content of the block that begins at a place of a page; None if it is damaged."""
    n_payload, place = _read_number(page, place)
    _, place = _read_number(page, place)  # the number of the block, which its records also contain
    if not 5 <= n_payload < 1 << 30:
        return None
    # The part of a long row in this page: section 1.6 of the reference
    usable = len(page)
    n_local = n_payload
    if n_payload > usable - 35:
        least = (usable - 12) * 32 // 255 - 23
        n_local = least + (n_payload - least) % (usable - 4)
        n_local = n_local if n_local <= usable - 35 else least
    payload = bytearray(page[place : place + n_local])
    following = int.from_bytes(page[place + n_local : place + n_local + 4])
    while len(payload) < n_payload and following:
        more = read_page(following)
        if len(more) < 5:
            return None
        payload += more[4 : 4 + n_payload - len(payload)]
        following = int.from_bytes(more[:4])
    # The types of the three columns, then the content and its checksum: section 2.1.
    n_head, place = _read_number(payload, 0)
    null, place = _read_number(payload, place)
    kind, place = _read_number(payload, place)
    checksum_kind, place = _read_number(payload, place)
    length, n_checksum = (kind - 12) // 2, _INTEGER_BYTES.get(checksum_kind)
    if null or kind < 12 or kind % 2 or n_checksum is None or n_head != place:
        return None
    content = bytes(payload[place : place + length])
    checksum = payload[place + length :]
    value = int.from_bytes(checksum) if n_checksum else checksum_kind - 8
    is_whole = place + length + n_checksum == len(payload) == n_payload
    return content if is_whole and zlib.crc32(content) == value else None


def _read_number(data: bytes | bytearray, place: int) -> tuple[int, int]:
    """Return an integer of variable length, and the place after it; -1 if it does not end."""
    value = 0
    for i, byte in enumerate(data[place : place + 8]):
        value = value << 7 | byte & 127
        if byte < 128:
            return value, place + i + 1
    return -1, place


@dataclass(frozen=True)
class Verification:
    """The contents of a store file, and its faults.

    Attributes
    ----------
    path : Path
    n_deals, n_results : int
        Number of deals in intact blocks, and of their exactly known results, of twenty per deal.
    faults : tuple of str
        Empty for an intact file.
    """

    path: Path
    n_deals: int
    n_results: int
    faults: tuple[str, ...]

    def __str__(self) -> str:
        lines = [
            f"{self.path}: {format_count(self.n_deals)} deals, {format_count(self.n_results)} "
            "results known exactly"
        ]
        lines += self.faults or ["no fault was found"]
        return "\n".join(lines)


def verify_file(path: Path) -> Verification:
    """Read a whole file, and check its structure, each checksum and each record.

    Raises
    ------
    FileError
        The file cannot be read, or is not a store of this version.
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
            faults.append(
                f"{format_count(int(wrong.sum()))} records are not a deal, or have contradictory bounds"
            )
        n_deals += len(records)
        n_results += int((low == high).sum())
    return Verification(path, n_deals, n_results, tuple(faults))


def read_solved(path: Path) -> Deals:
    """Return the deals in a file whose twenty results are known, with their tables.

    Raises
    ------
    FileError
        The file cannot be read, or is not a store of this version.
    """
    hands, tables = [np.empty((0, 4), np.uint64)], [np.empty((0, 5, 4), np.int8)]
    for records in iterate_records(path, list_faults(path)):
        low, high = unpack_bounds(records["bounds"])
        known = (low == high).all(axis=1)
        hands.append(decode_deals(records["east_west"][known], records["south_west"][known]))
        tables.append(low[known].reshape(-1, 5, 4))
    return Deals(np.concatenate(hands), tables=np.concatenate(tables), check=False)
