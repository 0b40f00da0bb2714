"""Deals that the explorer holds, so that a moved slider needs to evaluate the condition only."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.dealing.source import ALL_SEATS, NumberedDeals, Source

HELD_DEALS = 1_000_000  # 32 bytes each


class HeldSource(Source):
    """The same deals as another source of plain deals, of which the first million stay in memory.

    A run evaluates the same batches each time, so they are kept by batch.
    """

    def __init__(self, source: Source) -> None:
        self.source, self.description = source, source.description
        self._held: dict[tuple[int, int], Deals] = {}
        self._lock = threading.Lock()

    @property
    def n_held(self) -> int:
        """Number of deals in memory."""
        with self._lock:
            return sum(map(len, self._held.values()))

    def batch(self, first: int, count: int, seats: int) -> Callable[[], Deals | NumberedDeals]:
        if first + count > HELD_DEALS:
            return self.source.batch(first, count, ALL_SEATS)

        def take() -> Deals:
            with self._lock:
                held = self._held.get((first, count))
            if held is not None:
                return held
            dealt = self.source.batch(first, count, ALL_SEATS)()
            assert isinstance(dealt, Deals)  # a plain source deals no candidates
            with self._lock:
                self._held[first, count] = dealt
            return dealt

        return take

    def complete(self, deals: Deals, numbers: np.ndarray, seats: int) -> Deals:
        return deals
