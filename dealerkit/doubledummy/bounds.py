"""What is known and what is open about some deals, and the cheapest way to the rest.

`answers` is the door; here are the plan and the solving. Costs, relative to a full table (DDS 2.9,
random deals): tricks of one declarer 1/8, the row of a strain 1/4.4, "at least k" about 1/52.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.text import fault
from dealerkit.doubledummy import batches as solver
from dealerkit.doubledummy.ledger import Ledger
from dealerkit.doubledummy.store.database import Store
from dealerkit.doubledummy.store.file import uninterrupted
from dealerkit.doubledummy.store.records import deal_hash, planes
from dealerkit.errors import DealError

EVERY = 2.0  # seconds between two writes to the store: what a killed process loses
_NONE = np.empty(0, np.int64)


class Search:
    """Questions about some deals: known, bounded, or put to the solver.

    A *cell* is a deal with a strain and a declarer: a place of the flat array [m, 5, 4] over the m
    deals that differ.

    Parameters
    ----------
    deals : Deals
    rows : ndarray of int64 [r]
        Which of the deals.
    store : Store
        Is asked at once, and told what the solver finds.
    ledger : Ledger
        In which `ask` and `solve` count.

    Raises
    ------
    DealError
        One of the deals has not 52 cards, 13 in each hand; with its index.
    """

    def __init__(self, deals: Deals, rows: np.ndarray, store: Store, ledger: Ledger) -> None:
        hands = np.ascontiguousarray(deals.hands[rows])
        if found := fault(hands):
            raise DealError(f"deal {rows[found[0]]}: {found[1]}; only whole deals can be solved")
        first, self._deal = _different(hands)
        self._hands, self._store, self._ledger = hands[first], store, ledger
        low, high = store.look_up(self._hands)
        if deals.tables is not None:
            beside = deals.tables[rows[first]]
            low, high = np.where(beside < 0, low, beside), np.where(beside < 0, high, beside)
        self._low, self._high = low.reshape(-1), high.reshape(-1)
        # Only what the solver says goes to the store: tables beside the deals are somebody else's.
        self._new_low, self._new_high = np.zeros_like(self._low), np.full_like(self._high, 13)
        self._asked: list[tuple[np.ndarray, np.ndarray | None]] = []
        self._changed = np.zeros(len(self._hands), bool)
        self._due = 0.0

    def ask(
        self,
        which: np.ndarray,
        strain: int | np.ndarray,
        declarer: int | np.ndarray,
        k: int | np.ndarray | None,
    ) -> None:
        """Note a question about some of the rows, and count what is known of it.

        Parameters
        ----------
        which : ndarray of bool [r]
        strain, declarer : int or ndarray of int [which.sum()]
        k : int, ndarray of int [which.sum()] or None
            At least so many tricks; None: how many?
        """
        cell = (self._deal[which] * 5 + strain) * 4 + declarer
        target = None if k is None else np.broadcast_to(np.clip(k, 0, 14).astype(np.int8), cell.shape)
        self._asked.append((cell, target))
        low, high = self._low[cell], self._high[cell]
        exact = low == high
        self._ledger.store += int(exact.sum())
        self._ledger.bounded += int((~_is_open(low, high, target) & ~exact).sum())

    def solve(self, threads: int | None = None, progress: solver.Progress | None = None) -> None:
        """Ask the solver whatever is open. What it has found is kept, also when it is interrupted."""
        codes = [16 * c + (15 if k is None else k) for c, k in self._open()]
        if not sum(map(len, codes)):
            return
        self._ledger.solved += len(np.unique(np.concatenate(codes)))
        begin = time.perf_counter()
        self._due = begin + EVERY
        exact = np.unique(np.concatenate([c for c, k in self._open() if k is None] or [_NONE]))
        wide = exact[self._high[exact] - self._low[exact] > 1]
        strains, declarers = np.unique(wide // 4, return_counts=True)
        full = strains[declarers > 1]  # two declarers cost more than the row of four
        single = wide[~np.isin(wide // 4, full)]
        meter = _Meter(len(full) + len(single) + len(self._queries()), progress)
        options = {"threads": threads}
        try:
            self._put(solver.solve_rows, full[:, None] * 4 + np.arange(4), None, meter, options)
            self._put(solver.solve_boards, single, None, meter, options)
            while len(queries := self._queries()):
                cell, begins, count = np.unique(queries // 16, return_index=True, return_counts=True)
                # Of several numbers of one cell the middle one tells most about the others.
                self._put(solver.solve_boards, cell, queries[begins + count // 2] % 16, meter, options)
            meter.end()
        finally:
            self._keep()
            self._ledger.seconds += time.perf_counter() - begin

    def _open(self) -> list[tuple[np.ndarray, np.ndarray | None]]:
        """The questions with those of their cells whose answer is not known."""
        left = []
        for cell, k in self._asked:
            mask = _is_open(self._low[cell], self._high[cell], k)
            left.append((cell[mask], None if k is None else k[mask]))
        return left

    def _queries(self) -> np.ndarray:
        """What single queries can settle, as sorted ``16 * cell + k``."""
        codes = [_NONE]
        for cell, k in self._open():
            if k is None:  # known to within one trick: the query decides
                cell = cell[self._high[cell] - self._low[cell] == 1]
                k = self._high[cell]
            codes.append(16 * cell + k)
        return np.unique(np.concatenate(codes))

    def _put(
        self,
        solve: Callable[..., np.ndarray],
        cells: np.ndarray,
        target: np.ndarray | None,
        meter: _Meter,
        options: dict[str, int | None],
    ) -> None:
        """Let one function of the solver answer, learning while it proceeds."""
        if not len(cells):
            return
        out = np.full(cells.shape, -1, np.int8)
        learned = np.zeros(len(cells), bool)

        def learn() -> None:
            with uninterrupted():
                new = ~learned & (out.reshape(len(out), -1) >= 0).all(axis=1)
                learned[new] = True
                self._learn(cells[new], out[new], None if target is None else target[new])

        def tick(done: int, total: int) -> None:
            meter.tick(done)
            if time.perf_counter() >= self._due:
                learn()
                self._keep()
                self._due = time.perf_counter() + EVERY

        first = cells if cells.ndim == 1 else cells[:, 0]
        hands, strain = self._hands[first // 20], first // 4 % 5
        question = (strain,) if cells.ndim == 2 else (strain, first % 4, target)
        try:
            solve(hands, *question, out=out, progress=tick, **options)
        finally:
            learn()
        meter.next(len(cells))

    def _learn(self, cell: np.ndarray, answer: np.ndarray, target: np.ndarray | None) -> None:
        cell, answer = cell.reshape(-1), answer.reshape(-1)
        if target is None:
            low = high = answer
        else:
            low = np.where(answer == 1, target, 0)
            high = np.where(answer == 1, 13, target - 1)
        for array, value in ((self._low, low), (self._new_low, low)):
            array[cell] = value if target is None else np.maximum(array[cell], value)
        for array, value in ((self._high, high), (self._new_high, high)):
            array[cell] = value if target is None else np.minimum(array[cell], value)
        self._changed[cell // 20] = True

    def _keep(self) -> None:
        rows = np.flatnonzero(self._changed)
        if len(rows):
            low, high = (a.reshape(-1, 5, 4)[rows] for a in (self._new_low, self._new_high))
            self._store.update(self._hands[rows], low, high)
            self._changed[rows] = False

    def answers(self) -> list[np.ndarray]:
        """For each question int8 tricks, or bool; after `solve`."""
        return [self._low[c] if k is None else k <= self._low[c] for c, k in self._asked]


def _is_open(low: np.ndarray, high: np.ndarray, k: np.ndarray | None) -> np.ndarray:
    return low < high if k is None else (low < k) & (k <= high)


def _different(hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First rows of the deals that differ, and for each row which of these it is."""
    odd, late = planes(hands)
    _, first, which = np.unique(deal_hash(odd, late), return_index=True, return_inverse=True)
    if (odd[first][which] != odd).any() or (late[first][which] != late).any():  # two deals share a hash
        return np.arange(len(hands)), np.arange(len(hands))
    return first, which


class _Meter:
    """Progress over several calls of the solver."""

    def __init__(self, total: int, progress: solver.Progress | None) -> None:
        self._total, self._done, self._progress = total, 0, progress

    def tick(self, done: int) -> None:
        if self._progress is not None:
            self._progress(min(self._done + done, self._total), self._total)

    def next(self, done: int) -> None:
        self._done += done

    def end(self) -> None:
        self.tick(self._total)
