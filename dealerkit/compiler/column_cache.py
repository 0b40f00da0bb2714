"""A cache of the values of operations for the rows of a batch of deals.

`take` returns a cache of some of the rows, which inherits their values. So each clause of a condition is
evaluated only for the deals that meet the clauses before it, and guarded operands only for the rows that need
them.
"""

from __future__ import annotations

from typing import Self

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.operation_list import OperationList
from dealerkit.compiler.operations import Operation, Value, to_truth

# Keys of values that are not of operations: the hands N E S W (-1 .. -4), the numbers of deals and of boards.
_HANDS, _NUMBERS, _BOARDS = -1, -5, -6


class ColumnCache:
    """Rows of a batch of deals with the values of operations computed for them.

    Parameters
    ----------
    graph : OperationList
        The operations.
    deals : Deals [n]
        The batch. Seats that no operation depends on need not be dealt.
    seed : int
        Seed of the run, for `rnd`.
    numbers : ndarray of int64 [n], optional
        Numbers of the deals in the run, for `rnd`; by default 0, 1, 2 ...
    boards : ndarray of int64 [n], optional
        Numbers of the produced deals from 1, for `board`; None while the condition is evaluated.

    Attributes
    ----------
    rows : ndarray of int64 [n] or None
        Rows of the batch; None means all.
    """

    def __init__(
        self,
        graph: OperationList,
        deals: Deals,
        seed: int = 0,
        numbers: np.ndarray | None = None,
        boards: np.ndarray | None = None,
    ) -> None:
        self.graph, self.seed = graph, seed
        self.rows: np.ndarray | None = None
        self._deals: Deals | None = deals
        self._length = len(deals)
        self._parent: Self | None = None
        self._index: np.ndarray | None = None  # rows of the parent
        self._cache: dict[int, Value] = {_NUMBERS: np.arange(len(deals)) if numbers is None else numbers}
        if boards is not None:
            self._cache[_BOARDS] = boards

    def __len__(self) -> int:
        return self._length

    def take(self, index: np.ndarray) -> Self:
        """Return some of the rows, given by ascending positions, with the values cached for them."""
        child = type(self).__new__(type(self))
        child.graph, child.seed = self.graph, self.seed
        child.rows = index if self.rows is None else self.rows[index]
        child._deals = None
        child._length = len(index)
        child._parent, child._index = self, index
        child._cache = {}
        return child

    # ------------------------------------------------------------ deals
    def hand(self, seat: int) -> np.ndarray:
        """Return the cards of a seat, uint64 [n]."""
        if self._find_value(_HANDS - seat) is None:
            whole_batch = self
            while whole_batch._parent is not None:
                whole_batch = whole_batch._parent
            whole_batch._cache[_HANDS - seat] = whole_batch.deals.hand(seat)
        return np.asarray(self._find_value(_HANDS - seat))

    @property
    def deals(self) -> Deals:
        """The deals of these rows, with their attached columns."""
        path, columns = [], self
        while columns._deals is None:
            assert columns._parent is not None
            path.append(columns)
            columns = columns._parent
        deals = columns._deals
        for columns in reversed(path):
            assert columns._index is not None
            deals = columns._deals = deals[columns._index]
        return deals

    def set_deals(self, deals: Deals) -> None:
        """Set the deals of these rows once all four seats are dealt."""
        self._deals = deals
        for seat in range(4):
            self._cache[_HANDS - seat] = deals.hand(seat)

    def attach_tricks(self, strain: int, seats: list[int], tricks: np.ndarray) -> None:
        """Attach numbers of tricks, int8 [n, seats], to the deals, so that no deal is solved twice."""
        deals = self.deals
        tables = np.full((len(deals), 5, 4), -1, np.int8) if deals.tables is None else deals.tables.copy()
        tables[:, strain, seats] = tricks
        self._deals = deals.replace(tables=tables)

    @property
    def numbers(self) -> np.ndarray:
        """Numbers of the deals in the run, int64 [n]."""
        return np.asarray(self._find_value(_NUMBERS))

    @property
    def boards(self) -> np.ndarray | None:
        """Numbers of the produced deals from 1, or None while the condition is evaluated."""
        return self._find_value(_BOARDS)

    def number_boards(self, boards: np.ndarray) -> None:
        """Set the numbers of the produced deals."""
        self._cache[_BOARDS] = boards

    # ------------------------------------------------------------ values
    def value(self, slot: int) -> Value:
        """Return the value of a slot: an array [n], or a number if it is the same for all rows."""
        value = self._find_value(slot)
        if value is None:
            for part in self.graph.find_required(slot):
                if self._find_value(part) is None:
                    self._cache[part] = self.evaluate(self.graph.operations[part])
            value = self._cache[slot]
        return value

    def evaluate(self, operation: Operation) -> Value:
        """Return the value of an operation whose inputs have values; `BatchColumns` computes it."""
        raise NotImplementedError

    def array(self, slot: int) -> np.ndarray:
        """Return the value of a slot as an array [n]."""
        value = self.value(slot)
        return value if isinstance(value, np.ndarray) and value.ndim else np.broadcast_to(value, self._length)

    def truth(self, slot: int) -> np.ndarray:
        """Return the value of a slot as truth values [n]."""
        return np.broadcast_to(to_truth(self.value(slot)), self._length)

    def has_value(self, slot: int) -> bool:
        """Return whether the value of a slot is cached for all rows."""
        return self._find_value(slot) is not None

    def set_value(self, slot: int, value: Value) -> None:
        """Set the value of a slot, computed elsewhere."""
        self._cache[slot] = value

    def _find_value(self, slot: int) -> Value | None:
        """Return the value cached for a slot, here or in the rows that these were taken from, or None."""
        value = self._cache.get(slot)
        if value is not None or self._parent is None:
            return value
        # Search the caches of the rows that these were taken from.
        path: list[ColumnCache] = [self]
        columns: ColumnCache = self._parent
        while (value := columns._cache.get(slot)) is None:
            path.append(columns)
            if columns._parent is None:
                return None
            columns = columns._parent
        if not (isinstance(value, dict) or (isinstance(value, np.ndarray) and value.ndim)):
            self._cache[slot] = value  # a number, which is the same for all rows
            return value
        # Take the values of these rows, and cache them at each step.
        for columns in reversed(path):
            if isinstance(value, np.ndarray) and value.ndim:
                value = value[columns._index]
            elif isinstance(value, dict):  # several outputs of one call
                value = {name: values[columns._index] for name, values in value.items()}
            columns._cache[slot] = value
        return value
