"""What has been solved before: one SQLite file that all processes of a user share.

Entries (see `entries`) lie in blocks, a row of the database for each value of the highest 16 bits of
the deal's hash: a million deals are looked up by reading long rows, not a million short ones. Within
a block the entry learned last stands last, and a full block drops its first ones; that bounds the
file, and nothing is ever tidied up.
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

from dealerkit.doubledummy.store.file import (
    BLOCK_BITS,
    LOG_BYTES,
    DamagedError,
    StoreFile,
    StoreWarning,
    uninterrupted,
)
from dealerkit.doubledummy.store.records import (
    ENTRY,
    UNKNOWN,
    are_deals,
    deal_hash,
    join,
    match,
    narrow,
    pack_bounds,
    planes,
    unpack_bounds,
)
from dealerkit.errors import ArgumentError

__all__ = ["Store", "StoreWarning", "current_store"]

NAME = "solved-1.sqlite"
DEFAULT_SIZE = 2000.0  # MB
SMALLEST_SIZE = 10.0  # MB; a block then holds one deal
FILL = 0.4  # part of the file that entries may take: pages of a growing table are half full
TOGETHER = 1024  # blocks read at once: 20 MB of a full store


def _blocks(key: np.ndarray) -> np.ndarray:
    return (key >> np.uint64(64 - BLOCK_BITS)).astype(np.int64)


def _stretches(block: np.ndarray) -> Iterator[tuple[slice, list[int]]]:
    """Sorted numbers of blocks in stretches of at most `TOGETHER` different ones."""
    first = np.flatnonzero(np.diff(block, prepend=-1))
    ends = np.append(first, len(block)).tolist()
    numbers = block[first].tolist()
    for i in range(0, len(numbers), TOGETHER):
        some = numbers[i : i + TOGETHER]
        yield slice(ends[i], ends[i + len(some)]), some


class Store:
    """Bounds of the tricks of deals, on disk.

    Trouble with the file never reaches the caller as an error: deals are unknown then, or not kept,
    and a `StoreWarning` says so once. Several threads may use one object and several processes one
    file. A process that is killed loses what it had not yet given to `update`, and harms nothing.

    Parameters
    ----------
    path : str, os.PathLike or None
        The file; its folder is made if need be. None keeps nothing.
    size : float
        Largest size of the file with its log, in MB (10^6 bytes), at least 10. What was learned
        first goes first.

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
        room = int(size * 1e6) - LOG_BYTES
        self._full = int(room * FILL / ENTRY.itemsize) >> BLOCK_BITS  # entries of a full block
        self._file = StoreFile(self.path, room, self._full * ENTRY.itemsize)

    # ------------------------------------------------------------ asking and telling
    def look_up(self, hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What is known of some deals.

        Parameters
        ----------
        hands : ndarray of uint64 [n, 4]
            In any order, repeated or not; rows that are no deal of 52 cards are unknown.

        Returns
        -------
        low, high : ndarray of int8 [n, 5, 4]
            Bounds of the tricks by strain (S H D C N) and declarer (N E S W); unknown: 0 and 13.
        """
        bounds = np.full((len(hands), 20), UNKNOWN, np.uint8)
        if len(hands) and self._file.reads:
            odd, late = planes(hands)
            key = deal_hash(odd, late)
            rows = np.argsort(key)
            rows = rows[are_deals(hands, odd, late)[rows]]
            self._file.careful(lambda: self._fill(bounds, rows, key[rows], odd[rows], late[rows]))
        low, high = unpack_bounds(bounds)
        return low.reshape(-1, 5, 4), high.reshape(-1, 5, 4)

    def update(self, hands: np.ndarray, low: np.ndarray, high: np.ndarray) -> None:
        """Keep bounds, together with those that are known already.

        Of two lower bounds the higher stays, of two upper bounds the lower; where old and new
        contradict each other, the new ones. When the call returns all of it is on disk.

        Parameters
        ----------
        hands : ndarray of uint64 [n, 4]
            Deals of 52 cards.
        low, high : ndarray of int8 [n, 5, 4]
            Between 0 and 13, `low` at most `high`.

        Raises
        ------
        ArgumentError
            Bounds of the wrong shape or out of range, hands that are no deal; with the index.
        """
        wanted = (len(hands), 5, 4)
        low, high = np.asarray(low, np.int8), np.asarray(high, np.int8)
        if low.shape != wanted or high.shape != wanted:
            raise ArgumentError(f"bounds have shapes {low.shape} and {high.shape}, not {wanted}")
        odd, late = planes(hands)
        wrong = ((low < 0) | (high > 13) | (low > high)).any(axis=(1, 2))
        wrong |= ~are_deals(hands, odd, late)
        if wrong.any():
            row = int(wrong.argmax())
            raise ArgumentError(
                f"deal {row}: not 52 cards, or bounds that are not 0 <= low <= high <= 13; nothing was kept"
            )
        if len(hands) and self._file.writes:
            new = np.empty(len(hands), ENTRY)
            new["odd"], new["late"] = odd, late
            new["bounds"] = pack_bounds(low, high).reshape(-1, 20)
            with uninterrupted():
                self._file.careful(lambda: self._merge(*join(new)), writing=True)

    def __len__(self) -> int:
        """Number of deals of which something is known; every block is looked at."""
        query = "SELECT coalesce(sum(length(entries)), 0) FROM blocks"
        total = (
            self._file.careful(lambda: self._file.connection().execute(query).fetchone()[0])
            if self._file.reads
            else 0
        )
        return (total or 0) // ENTRY.itemsize

    @property
    def size(self) -> int:
        """Bytes on disk, with the log that SQLite keeps beside the file."""
        return self._file.size

    def __repr__(self) -> str:
        if self.path is None:
            return "<Store: off>"
        return f"<Store: {self.path}: {len(self):,} deals, {self.size / 1e6:,.1f} of {self.limit:,.0f} MB>"

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        self._file.close()

    # ------------------------------------------------------------ blocks
    def _fill(
        self, bounds: np.ndarray, rows: np.ndarray, key: np.ndarray, odd: np.ndarray, late: np.ndarray
    ) -> None:
        for part, numbers in _stretches(_blocks(key)):
            entries = self._entries(numbers)
            found, at = match(entries, key[part], odd[part], late[part])
            bounds[rows[part][found]] = entries["bounds"][at[found]]

    def _entries(self, numbers: list[int]) -> np.ndarray:
        """All entries of some blocks (sorted numbers): block by block, oldest first."""
        if numbers[-1] - numbers[0] < 2 * len(numbers):
            where = f"BETWEEN {numbers[0]} AND {numbers[-1]}"
        else:
            where = f"IN ({','.join(map(str, numbers))})"
        blobs = []
        for blob, checksum in self._file.connection().execute(
            f"SELECT entries, checksum FROM blocks WHERE block {where} ORDER BY block"
        ):
            if not isinstance(blob, bytes) or zlib.crc32(blob) != checksum:
                raise DamagedError("a block has changed on disk")
            blobs.append(blob)
        return np.frombuffer(b"".join(blobs), ENTRY)

    def _merge(self, key: np.ndarray, new: np.ndarray) -> None:
        """Join new entries (sorted by their key) to the old ones, some blocks in each transaction."""
        connection = self._file.connection()
        for part, numbers in _stretches(_blocks(key)):
            connection.execute("BEGIN IMMEDIATE")  # from here on, what is read is what will be replaced
            try:
                self._replace(connection, self._entries(numbers), key[part], new[part])
                connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    def _replace(
        self, connection: sqlite3.Connection, old: np.ndarray, key: np.ndarray, new: np.ndarray
    ) -> None:
        """Write the blocks of some new entries (sorted by their key) anew, where something changes."""
        found, at = match(old, key, new["odd"], new["late"])
        before = old["bounds"][at[found]]
        new["bounds"][found] = narrow(before, new["bounds"][found])
        changed = ~found
        changed[found] = (new["bounds"][found] != before).any(axis=1)
        stays = np.ones(len(old), bool)
        stays[at[found & changed]] = False
        every = np.concatenate([old[stays], new[changed]])
        block = _blocks(deal_hash(every["odd"], every["late"]))
        order = np.argsort(block, kind="stable")
        every, block = every[order], block[order]
        touched = np.unique(_blocks(key[changed]))
        stop = np.searchsorted(block, touched, "right")
        start = np.maximum(np.searchsorted(block, touched), stop - self._full)
        bytes_of = every.tobytes()
        size = ENTRY.itemsize
        blobs = (bytes_of[size * a : size * b] for a, b in zip(start.tolist(), stop.tolist(), strict=True))
        connection.executemany(
            "INSERT OR REPLACE INTO blocks VALUES (?, ?, ?)",
            [(n, blob, zlib.crc32(blob)) for n, blob in zip(touched.tolist(), blobs, strict=True)],
        )


# ---------------------------------------------------------------- which store
def current_store() -> Store:
    """The store that this process uses, as the environment says now.

    ``DEALERKIT_STORE`` is ``off`` or the path of the file; without it the file is `NAME` in the
    platform's folder for caches. ``DEALERKIT_STORE_SIZE`` is its largest size in MB, 2000 if unset.

    Raises
    ------
    ArgumentError
        A size that is no number of 10 or more.
    """
    text = os.environ.get("DEALERKIT_STORE_SIZE", "").strip()
    try:
        size = float(text or DEFAULT_SIZE)
    except ValueError:
        raise ArgumentError(f"DEALERKIT_STORE_SIZE is {text!r}; give a number of MB") from None
    return _store(os.environ.get("DEALERKIT_STORE", "").strip(), size)


@functools.cache
def _store(setting: str, size: float) -> Store:
    if setting.lower() == "off":
        return Store(None, size)
    if setting:
        return Store(Path(setting).expanduser().absolute(), size)
    import platformdirs

    return Store(platformdirs.user_cache_path("dealerkit", appauthor=False) / NAME, size)
