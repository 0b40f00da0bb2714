"""The checkpoint of a call that solves deals: the bounds that the solver has found, in a file."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dealerkit.doubledummy.store.database import Store, current_store
from dealerkit.doubledummy.store.records import (
    RECORD,
    encode_deals,
    find_records,
    hash_deals,
    intersect_bounds,
    merge_records,
    pack_bounds,
    unpack_bounds,
)
from dealerkit.system.checkpoints import CheckpointFile


class SavedBounds:
    """A store with the bounds of a checkpoint, and with what the solver finds; used as a `Store`.

    Parameters
    ----------
    store : Store
        Gets the bounds too, and supplies those that the checkpoint does not have.
    file : CheckpointFile

    Raises
    ------
    FileError
        The file belongs to another call, is damaged, or no checkpoint.
    """

    def __init__(self, store: Store, file: CheckpointFile) -> None:
        self._store, self._file = store, file
        self._parts, self._is_saved = [np.empty(0, RECORD)], False
        with file.open() as saved:
            if saved is not None:
                state, fetch = saved
                self._parts, self._is_saved = [_read_records(fetch(state["records"]))], True

    def look_up(self, hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return bounds as `Store.look_up`."""
        low, high = self._store.look_up(hands)
        words = encode_deals(hands)
        is_saved, index = find_records(self._merge(), hash_deals(*words), *words)
        bounds = self._merge()["bounds"][index[is_saved]]
        bounds = intersect_bounds(pack_bounds(low, high)[is_saved].reshape(-1, 20), bounds)
        low[is_saved], high[is_saved] = (part.reshape(-1, 5, 4) for part in unpack_bounds(bounds))
        return low, high

    def update(self, hands: np.ndarray, low: np.ndarray, high: np.ndarray) -> None:
        """Add bounds as `Store.update`, and write the file if the last one is old enough."""
        self._store.update(hands, low, high)
        records = np.empty(len(hands), RECORD)
        records["east_west"], records["south_west"] = encode_deals(hands)
        records["bounds"] = pack_bounds(low, high).reshape(-1, 20)
        self._parts.append(records)
        self._is_saved = False
        self._is_saved = self._file.save_sometimes(self._describe)

    def save(self) -> None:
        """Write the file, unless it has everything."""
        if not self._is_saved:
            self._file.save(self._describe)

    def _merge(self) -> np.ndarray:
        """Return all records, each deal once."""
        if len(self._parts) > 1:
            self._parts = [merge_records(np.concatenate(self._parts))[1]]
        return self._parts[0]

    def _describe(self, store: Any) -> dict[str, Any]:
        return {"records": store(self._merge().view(np.uint8))}


@contextlib.contextmanager
def save_bounds(
    path: str | os.PathLike | None, purpose: str, arguments: Mapping[str, Any]
) -> Iterator[SavedBounds | None]:
    """Yield the store of a call with a checkpoint, which is written at the end and at an interrupt, too.

    None: there is no checkpoint. Arguments and errors as of `CheckpointFile`.
    """
    if path is None:
        yield None
        return
    bounds = SavedBounds(current_store(), CheckpointFile(path, purpose, arguments))
    try:
        yield bounds
    except KeyboardInterrupt:
        bounds.save()
        raise
    bounds.save()


def _read_records(content: np.ndarray) -> np.ndarray:
    """Return the records of saved bytes; ValueError for bounds that contradict each other."""
    records = content.view(RECORD)
    low, high = unpack_bounds(records["bounds"])
    if content.dtype != np.uint8 or ((low > high) | (high > 13)).any():
        raise ValueError("its bounds contradict each other")
    return records
