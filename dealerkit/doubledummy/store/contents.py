"""The blocks of a file of the store, each verified by its checksum, also of a damaged file."""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dealerkit.doubledummy.store.opening import (
    FILE_ERRORS,
    DamagedError,
    RefusedError,
    is_damage,
    open_for_reading,
)
from dealerkit.doubledummy.store.records import RECORD, hash_deals
from dealerkit.doubledummy.store.salvage import salvage_blocks
from dealerkit.errors import FileError

BUCKET_BITS = 16
RECORDS_PER_BATCH = 200_000
BUCKETS_PER_READ = 1024  # 20 MB of a full store
PRESENT_TABLE = "CREATE TABLE present (id INTEGER PRIMARY KEY, bits BLOB NOT NULL, checksum INTEGER NOT NULL)"


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
    """Return whether the content of a block has its checksum."""
    if not isinstance(content, bytes) or not content or len(content) % RECORD.itemsize:
        return False
    return zlib.crc32(content) == checksum


def decode_blocks(blocks: list[tuple[int, bytes]]) -> np.ndarray:
    """Return the records of intact blocks.

    Raises
    ------
    DamagedError
        The first record of a block belongs to another one.
    """
    records = np.frombuffer(b"".join(content for _, content in blocks), RECORD)
    lengths = np.array([len(content) for _, content in blocks], np.int64) // RECORD.itemsize
    first = records[np.cumsum(lengths) - lengths]
    buckets = list_buckets(hash_deals(first["east_west"], first["south_west"]))
    wrong = buckets != np.array([number for number, _ in blocks], np.int64)
    if wrong.any():
        raise DamagedError(f"block {int(buckets[wrong.argmax()])} has the number of another one")
    return records


def read_buckets(connection: sqlite3.Connection, numbers: list[int]) -> tuple[np.ndarray, list[str]]:
    """Return the records of some buckets (sorted numbers), oldest first in each, and what is damaged."""
    if numbers[-1] - numbers[0] < 2 * len(numbers):
        condition = f"BETWEEN {numbers[0]} AND {numbers[-1]}"
    else:
        condition = f"IN ({','.join(map(str, numbers))})"
    missing = np.zeros(1 << BUCKET_BITS, bool)
    missing[numbers] = True
    missing &= read_present(connection)  # before the blocks: another process may add some
    blocks: list[tuple[int, bytes]] = []
    faults = []
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
        The file cannot be read, or is no store of this version.
    """
    if not path.is_file():
        raise FileError(f"{path}: there is no such file; a store is created when something is solved")
    try:
        with contextlib.closing(open_for_reading(path)) as connection:
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
                faults.append(f"{int(missing.sum()):,} blocks are not found")
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
    """Return which blocks the file has, as bool [65,536]; none if the file does not state it.

    SQLite does not notice that it misses a row because of a changed byte in its tree.

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
    """Write which blocks the file has, in a transaction that the caller has begun."""
    bits = np.packbits(present).tobytes()
    connection.execute("INSERT OR REPLACE INTO present VALUES (0, ?, ?)", (bits, zlib.crc32(bits)))


def list_present(connection: sqlite3.Connection) -> None:
    """Add the list of blocks to a file without one, as earlier versions wrote it."""
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
