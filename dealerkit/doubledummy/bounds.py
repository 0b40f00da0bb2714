"""Known bounds of tricks, and the cheapest solver calls that decide queries about them.

`dealerkit.doubledummy.lookup` is the entry point. Costs relative to a full table (DDS 2.9, random deals):
tricks of one declarer 1/8, the row of a strain 1/4.4, a threshold test about 1/52.

The checkpoint of a call that solves deals (`save_bounds`) contains the bounds that the solver has found.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.cards.deals import Deals
from dealerkit.cards.text import find_fault
from dealerkit.distinct import list_distinct
from dealerkit.doubledummy import batches
from dealerkit.doubledummy.ledger import Ledger, current_bounds
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
from dealerkit.errors import DealError
from dealerkit.runtime.checkpoints import CheckpointFile
from dealerkit.runtime.process import uninterrupted

WRITE_SECONDS = 2.0  # seconds between two writes to the store, which a killed process can lose
ROW_COST, BOARD_COST = (
    12.0,
    6.5,
)  # of a row of four declarers and of a number of tricks, in threshold tests
_NO_CELLS = np.empty(0, np.int64)


class TrickBounds:
    """Lower and upper bounds of the tricks of some deals, narrowed until all queries are decided.

    A cell is one result: a deal, a strain and a declarer, as an index into the flattened array [m, 5, 4] of
    the m distinct deals.

    Parameters
    ----------
    deals : Deals
    rows : ndarray of int64 [r]
        Indices of the deals.
    store : Store or SavedBounds
        Supplies the first bounds and receives those that the solver finds.
    ledger : Ledger
        Counts the results of `add_query` and `solve`.

    Raises
    ------
    DealError
        A deal does not have 52 cards, 13 in each hand; the message gives its index.
    """

    def __init__(self, deals: Deals, rows: np.ndarray, store: Store | SavedBounds, ledger: Ledger) -> None:
        hands = np.ascontiguousarray(deals.hands[rows])
        if fault := find_fault(hands):
            raise DealError(f"deal {rows[fault[0]]}: {fault[1]}; only whole deals can be solved")
        first, self._deal_of_row = _find_distinct_deals(hands)
        self._hands, self._store, self._ledger = hands[first], store, ledger
        low, high = store.look_up(self._hands)
        if deals.tables is not None:
            attached = deals.tables[rows[first]]
            low, high = np.where(attached < 0, low, attached), np.where(attached < 0, high, attached)
        self._low, self._high = low.reshape(-1), high.reshape(-1)
        # Only the solver's results go to the store, because the user may have attached any table.
        self._new_low, self._new_high = np.zeros_like(self._low), np.full_like(self._high, 13)
        self._queries: list[tuple[np.ndarray, np.ndarray | None]] = []
        self._changed = np.zeros(len(self._hands), bool)
        self._next_write = 0.0

    def add_query(
        self,
        chosen: np.ndarray,
        strain: int | np.ndarray,
        declarer: int | np.ndarray,
        threshold: int | np.ndarray | None,
    ) -> None:
        """Add a query about some of the rows, and count the results that are already known.

        Parameters
        ----------
        chosen : ndarray of bool [r]
        strain, declarer, threshold
            The fields of `lookup.Query` for the chosen rows.
        """
        cells = (self._deal_of_row[chosen] * 5 + strain) * 4 + declarer
        targets = None
        if threshold is not None:
            targets = np.broadcast_to(np.clip(threshold, 0, 14).astype(np.int8), cells.shape)
        self._queries.append((cells, targets))
        low, high = self._low[cells], self._high[cells]
        exact = low == high
        self._ledger.stored += int(exact.sum())
        self._ledger.bounded += int((~_is_open(low, high, targets) & ~exact).sum())

    def solve(self, threads: int | None = None, progress: batches.Progress | None = None) -> None:
        """Solve the queries that the bounds do not decide; an interrupt keeps the results so far."""
        n_open = self._count_open()
        if not n_open:
            return
        begin = time.perf_counter()
        self._next_write = begin + WRITE_SECONDS
        # Choose the cheapest calls for the numbers of tricks; thresholds only need tests.
        numbers = [cells for cells, targets in self._open_queries() if targets is None]
        cells = list_distinct(np.concatenate([_NO_CELLS, *numbers]))
        cells = cells[self._high[cells] - self._low[cells] > 1]
        rows, n_declarers = np.unique(cells // 4, return_counts=True)
        rows = rows[n_declarers > 1]  # two declarers cost more than the row of four
        boards = cells[~np.isin(cells // 4, rows)]
        n_tests = len(self._threshold_tests())
        # Progress is the estimated cost of what has been done.
        self._done = self._reported = 0
        self._total = len(rows) + len(boards) + n_tests
        self._cost_done, self._cost = 0.0, ROW_COST * len(rows) + BOARD_COST * len(boards) + n_tests
        self._progress = progress
        try:
            self._solve_cells(batches.solve_rows, rows[:, None] * 4 + np.arange(4), None, threads, ROW_COST)
            self._solve_cells(batches.solve_boards, boards, None, threads, BOARD_COST)
            while len(tests := self._threshold_tests()):
                cells, begins, count = np.unique(tests // 16, return_index=True, return_counts=True)
                # Of several thresholds of a cell, the middle one decides most of the others.
                targets = tests[begins + count // 2] % 16
                self._solve_cells(batches.solve_boards, cells, targets, threads, 1.0)
            self._report(self._total, self._cost)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(self._describe_interrupt()) from None
        finally:
            self._write()
            self._ledger.solved += n_open - self._count_open()
            self._ledger.seconds += time.perf_counter() - begin

    def results(self) -> list[np.ndarray]:
        """Return int8 tricks or bool for each query; call `solve` first."""
        return [
            self._low[cells] if targets is None else targets <= self._low[cells]
            for cells, targets in self._queries
        ]

    def _count_open(self) -> int:
        """Return the number of distinct results that the bounds do not decide."""
        codes = [16 * cells + (15 if targets is None else targets) for cells, targets in self._open_queries()]
        return len(list_distinct(np.concatenate([_NO_CELLS, *codes])))

    def _open_queries(self) -> list[tuple[np.ndarray, np.ndarray | None]]:
        """Return the queries with the cells that their bounds do not decide."""
        remaining = []
        for cells, targets in self._queries:
            mask = _is_open(self._low[cells], self._high[cells], targets)
            remaining.append((cells[mask], None if targets is None else targets[mask]))
        return remaining

    def _threshold_tests(self) -> np.ndarray:
        """Return the threshold tests that can decide open queries, as sorted ``16 * cell + threshold``."""
        codes = [_NO_CELLS]
        for cells, targets in self._open_queries():
            if targets is None:  # the number is known to within one trick
                cells = cells[self._high[cells] - self._low[cells] == 1]
                targets = self._high[cells]
            codes.append(16 * cells + targets)
        return list_distinct(np.concatenate(codes))

    def _solve_cells(
        self,
        solve: Callable[..., np.ndarray],
        cells: np.ndarray,
        targets: np.ndarray | None,
        threads: int | None,
        cost: float,
    ) -> None:
        """Solve cells with a function of `batches`, and narrow their bounds as it proceeds.

        `cost` is the cost of one call result, in threshold tests.
        """
        if not len(cells):
            return
        out = np.full(cells.shape, -1, np.int8)
        is_used = np.zeros(len(cells), bool)

        def use_results() -> None:
            with uninterrupted():
                new = ~is_used & (out.reshape(len(out), -1) >= 0).all(axis=1)
                is_used[new] = True
                self._narrow(cells[new], out[new], None if targets is None else targets[new])

        def after_call(done: int, total: int) -> None:
            self._report(self._done + done, self._cost_done + done * cost)
            if time.perf_counter() >= self._next_write:
                use_results()
                self._write()
                self._next_write = time.perf_counter() + WRITE_SECONDS

        # The index of a cell is 20 times the deal, plus 4 times the strain, plus the declarer.
        first = cells if cells.ndim == 1 else cells[:, 0]
        hands, strain = self._hands[first // 20], first // 4 % 5
        arguments = (strain,) if cells.ndim == 2 else (strain, first % 4, targets)
        try:
            solve(hands, *arguments, threads=threads, out=out, progress=after_call)
        finally:
            use_results()
        self._done += len(cells)
        self._cost_done += len(cells) * cost

    def _report(self, done: int, cost: float) -> None:
        """Report progress: the share of the cost that is done, expressed as a number of calculations."""
        self._reported = min(done, self._total)
        if self._progress is not None:
            part = min(cost / self._cost, 1.0)
            self._progress(int(part * self._total), self._total)

    def _describe_interrupt(self) -> str:
        """Return the message of an interrupt: how much was calculated, and where the results are kept."""
        count = (
            f"interrupted after {format_count(self._reported)} of {format_count(self._total)} calculations"
        )
        if isinstance(self._store, SavedBounds):
            return f"{count}; the checkpoint keeps their results, so the same call continues from there"
        if self._store.file.is_writable:
            return f"{count}; the store keeps their results, so the same call continues from there"
        return f"{count}; nothing is kept, because the store (DEALERKIT_STORE) is off or cannot be written"

    def _narrow(self, cells: np.ndarray, values: np.ndarray, targets: np.ndarray | None) -> None:
        """Set the bounds to solved tricks, or narrow them with solved threshold tests (1: reached)."""
        cells, values = cells.reshape(-1), values.reshape(-1)
        if targets is None:
            low = high = values
        else:
            low = np.where(values == 1, targets, 0)
            high = np.where(values == 1, 13, targets - 1)
        for array, value in ((self._low, low), (self._new_low, low)):
            array[cells] = value if targets is None else np.maximum(array[cells], value)
        for array, value in ((self._high, high), (self._new_high, high)):
            array[cells] = value if targets is None else np.minimum(array[cells], value)
        self._changed[cells // 20] = True

    def _write(self) -> None:
        """Write the new bounds to the store."""
        rows = np.flatnonzero(self._changed)
        if len(rows):
            low, high = (bounds.reshape(-1, 5, 4)[rows] for bounds in (self._new_low, self._new_high))
            self._store.update(self._hands[rows], low, high)
            if (found := current_bounds()) is not None:
                found.add(self._hands[rows], low, high)
            self._changed[rows] = False


def _is_open(low: np.ndarray, high: np.ndarray, targets: np.ndarray | None) -> np.ndarray:
    """Return whether bounds leave open the number of tricks, or whether it reaches the targets."""
    return low < high if targets is None else (low < targets) & (targets <= high)


def _find_distinct_deals(hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first row of each distinct deal, and for each row the index of its deal among them."""
    _, first, index = np.unique(hash_deals(*encode_deals(hands)), return_index=True, return_inverse=True)
    if (hands[first][index] != hands).any():  # two different deals have the same hash
        return np.arange(len(hands)), np.arange(len(hands))
    return first, index


class SavedBounds:
    """A store that adds the bounds of a checkpoint and stores what the solver finds; used as a `Store`.

    Parameters
    ----------
    store : Store
        Receives the bounds too, and supplies those that the checkpoint lacks.
    file : CheckpointFile

    Raises
    ------
    FileError
        The file belongs to another call, is damaged, or is not a checkpoint.
    """

    def __init__(self, store: Store, file: CheckpointFile) -> None:
        self._store, self._file = store, file
        self._parts, self._is_saved = [np.empty(0, RECORD)], False
        with file.open() as saved:
            if saved is not None:
                state, fetch = saved
                self._parts, self._is_saved = [_read_records(fetch(state["records"]))], True

    def look_up(self, hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return bounds, as `Store.look_up` does."""
        low, high = self._store.look_up(hands)
        words = encode_deals(hands)
        is_saved, index = find_records(self._merge(), hash_deals(*words), *words)
        bounds = self._merge()["bounds"][index[is_saved]]
        bounds = intersect_bounds(pack_bounds(low, high)[is_saved].reshape(-1, 20), bounds)
        low[is_saved], high[is_saved] = (part.reshape(-1, 5, 4) for part in unpack_bounds(bounds))
        return low, high

    def update(self, hands: np.ndarray, low: np.ndarray, high: np.ndarray) -> None:
        """Add bounds, as `Store.update` does, and write the file if the last one is old enough."""
        self._store.update(hands, low, high)
        records = np.empty(len(hands), RECORD)
        records["east_west"], records["south_west"] = encode_deals(hands)
        records["bounds"] = pack_bounds(low, high).reshape(-1, 20)
        self._parts.append(records)
        self._is_saved = False
        self._is_saved = self._file.save_sometimes(self._describe)

    def save(self) -> None:
        """Write the file, unless it is complete."""
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
    """Yield the store of a call with a checkpoint, which is also written at the end and at an interrupt.

    None: there is no checkpoint. Arguments and errors are those of `CheckpointFile`.
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
