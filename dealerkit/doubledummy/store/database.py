"""The store of solved deals: one SQLite file that all processes of a user share.

The records (see `dealerkit.doubledummy.store.records`) are kept in 65,536 buckets, one for each value of
the highest 16 bits of the deal's hash. A bucket is one row of the database, so that a million deals are
looked up by reading long rows, not a million short ones. Records are appended to a bucket, and a full
bucket drops its first ones; that bounds the size of the file without any further upkeep.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.distinct import list_distinct
from dealerkit.doubledummy.store.file import (
    BUCKET_BITS,
    LOG_BYTES,
    DamagedError,
    StoreFile,
    StoreWarning,
    uninterrupted,
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
from dealerkit.errors import ArgumentError

__all__ = ["Store", "StoreWarning", "current_store"]

NAME = "solved-1.sqlite"
DEFAULT_SIZE = 2000.0  # MB
SMALLEST_SIZE = 10.0  # MB; a bucket then holds one deal
FILL_SHARE = 0.4  # share of the file for records: pages of a growing table are half full
BUCKETS_PER_READ = 1024  # 20 MB of a full store


def _buckets(key: np.ndarray) -> np.ndarray:
    return (key >> np.uint64(64 - BUCKET_BITS)).astype(np.int64)


def _split_buckets(buckets: np.ndarray) -> Iterator[tuple[slice, list[int]]]:
    """Split sorted bucket numbers into slices of at most `BUCKETS_PER_READ` different ones."""
    first = np.flatnonzero(np.diff(buckets, prepend=-1))
    ends = np.append(first, len(buckets)).tolist()
    numbers = buckets[first].tolist()
    for i in range(0, len(numbers), BUCKETS_PER_READ):
        part = numbers[i : i + BUCKETS_PER_READ]
        yield slice(ends[i], ends[i + len(part)]), part


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
        Largest size of the file with its log, in MB (10^6 bytes), at least 10. The oldest records are
        dropped first.

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
        self.limit = float(size)
        max_bytes = int(size * 1e6) - LOG_BYTES
        self._bucket_records = int(max_bytes * FILL_SHARE / RECORD.itemsize) >> BUCKET_BITS  # of a full one
        self.file = StoreFile(self.path, max_bytes, self._bucket_records * RECORD.itemsize)

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
        wrong = ((low < 0) | (high > 13) | (low > high)).any(axis=(1, 2))
        wrong |= ~are_deals(hands, *words)
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
        total = None
        if self.file.is_readable:
            total = self.file.attempt(lambda: self.file.connection().execute(query).fetchone()[0])
        return (total or 0) // RECORD.itemsize

    @property
    def size(self) -> int:
        """Bytes on disk, with the log that SQLite keeps beside the file."""
        return self.file.size

    def __repr__(self) -> str:
        if self.path is None:
            return "<Store: off>"
        size = f"{self.size / 1e6:,.1f} of {self.limit:,.0f} MB"
        return f"<Store: {self.path}: {format_count(len(self), 'deal')}, {size}>"

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self.file.close()

    def _read_bounds(self, bounds: np.ndarray, rows: np.ndarray, deals: tuple[np.ndarray, ...]) -> None:
        """Fill rows of packed bounds, given the hashes (sorted) and the two words of their deals."""
        for part, numbers in _split_buckets(_buckets(deals[0])):
            records = self._read_records(numbers)
            is_recorded, index = find_records(records, *(values[part] for values in deals))
            bounds[rows[part][is_recorded]] = records["bounds"][index[is_recorded]]

    def _read_records(self, numbers: list[int]) -> np.ndarray:
        """Return all records of some buckets (sorted numbers): bucket by bucket, oldest first."""
        if numbers[-1] - numbers[0] < 2 * len(numbers):
            condition = f"BETWEEN {numbers[0]} AND {numbers[-1]}"
        else:
            condition = f"IN ({','.join(map(str, numbers))})"
        blobs = []
        for blob, checksum in self.file.connection().execute(
            f"SELECT entries, checksum FROM blocks WHERE block {condition} ORDER BY block"
        ):
            if not isinstance(blob, bytes) or zlib.crc32(blob) != checksum:
                raise DamagedError("a bucket has changed on disk")
            blobs.append(blob)
        return np.frombuffer(b"".join(blobs), RECORD)

    def _write_records(self, key: np.ndarray, new: np.ndarray) -> None:
        """Merge new records (sorted by their key) into their buckets, some buckets in each transaction."""
        connection = self.file.connection()
        for part, numbers in _split_buckets(_buckets(key)):
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
        is_old, index = find_records(old, key, new["east_west"], new["south_west"])
        before = old["bounds"][index[is_old]]
        new["bounds"][is_old] = intersect_bounds(before, new["bounds"][is_old])
        changed = ~is_old
        changed[is_old] = (new["bounds"][is_old] != before).any(axis=1)
        stays = np.ones(len(old), bool)
        stays[index[is_old & changed]] = False
        records = np.concatenate([old[stays], new[changed]])
        buckets = _buckets(hash_deals(records["east_west"], records["south_west"]))
        order = np.argsort(buckets, kind="stable")
        records, buckets = records[order], buckets[order]
        touched = list_distinct(_buckets(key[changed]))
        stop = np.searchsorted(buckets, touched, "right")
        start = np.maximum(np.searchsorted(buckets, touched), stop - self._bucket_records)
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
        return Store(Path(setting).expanduser().absolute(), size)
    import platformdirs

    return Store(platformdirs.user_cache_path("dealerkit", appauthor=False) / NAME, size)
