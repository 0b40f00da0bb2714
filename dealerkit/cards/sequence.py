"""Rows of deals: one array of hands and what is known about each beside it, chosen and joined together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Self, overload

import numpy as np

from dealerkit.cards import text
from dealerkit.cards.attached_columns import ATTACHED_COLUMNS, check_attached_columns, default_column
from dealerkit.cards.deal import Deal
from dealerkit.cards.names import MISSING
from dealerkit.errors import ArgumentError, DealError

STEP = 8192  # deals turned into Python objects at once


def _column(name: str, values: Any, kind: Any) -> np.ndarray:
    """An array of this type, in which every number is the one that was given."""
    if isinstance(values, np.ndarray) and values.dtype == kind:
        return values
    try:
        with np.errstate(invalid="ignore"):
            array = np.asarray(values, dtype=kind)
        given = np.asarray(values)
    except (TypeError, ValueError, OverflowError) as reason:
        raise ArgumentError(f"{name} takes numbers of the type {np.dtype(kind)}: {reason}") from None
    if given.dtype.kind == "f" and array.dtype.kind != "f" and (array != given).any():
        raise ArgumentError(f"{name} has the value {given[array != given][0]}; whole numbers are needed")
    return array


class DealSequence:
    """A frozen sequence of deals, as arrays: the half of `Deals` that knows nothing of bridge.

    Parameters, attributes and errors are those of `dealerkit.cards.deals.Deals`.
    """

    __slots__ = ("hands", *ATTACHED_COLUMNS)
    hands: np.ndarray
    tables: np.ndarray | None
    vulnerable: np.ndarray | None
    dealer: np.ndarray | None
    board: np.ndarray | None
    weight: np.ndarray | None
    cluster: np.ndarray | None

    def __init__(
        self,
        hands: Any,
        *,
        tables: Any = None,
        vulnerable: Any = None,
        dealer: Any = None,
        board: Any = None,
        weight: Any = None,
        cluster: Any = None,
        check: bool = True,
    ) -> None:
        words = _column("hands", hands, np.uint64)
        if words.size == 0 and words.ndim == 1:
            words = words.reshape(0, 4)
        if words.ndim != 2 or words.shape[1] != 4:
            raise ArgumentError(f"hands has shape {words.shape}, not (n, 4): north east south west")
        object.__setattr__(self, "hands", words)
        given = (tables, vulnerable, dealer, board, weight, cluster)
        for (name, column), values in zip(ATTACHED_COLUMNS.items(), given, strict=True):
            array: np.ndarray | None = None if values is None else _column(name, values, column.dtype)
            wanted = (len(words), *column.shape)
            if array is not None and array.shape != wanted:
                raise ArgumentError(f"{name} has shape {array.shape}, not {wanted} for {len(words)} deals")
            object.__setattr__(self, name, array)
        if check:
            self.check()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Deals are frozen: {name} cannot be replaced; see Deals.replace")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __reduce__(self) -> tuple:
        return _rebuild, (type(self), self.hands, self.attached)

    # ------------------------------------------------------------ as a sequence
    @property
    def attached(self) -> dict[str, np.ndarray]:
        """The attached columns that are there, by name."""
        return {name: values for name in ATTACHED_COLUMNS if (values := getattr(self, name)) is not None}

    def __len__(self) -> int:
        return len(self.hands)

    @overload
    def __getitem__(self, key: int) -> Deal: ...
    @overload
    def __getitem__(self, key: slice | Sequence | np.ndarray) -> Self: ...
    def __getitem__(self, key: Any) -> Deal | Self:
        if isinstance(key, int | np.integer) and not isinstance(key, bool):
            if not -len(self) <= key < len(self):
                raise IndexError(f"deal {key} of {len(self)}")
            row = int(key) % len(self)
            return next(self._objects(row, row + 1))
        if not isinstance(key, slice):
            key = np.asarray(key)
            if key.size == 0 and key.dtype != bool:
                key = key.astype(np.intp)
            if key.ndim != 1 or key.dtype.kind not in "biu":
                raise IndexError("deals are chosen by an int, a slice, a mask or an array of ints")
            if key.dtype == bool and len(key) != len(self):
                raise IndexError(f"a mask of {len(key)} for {len(self)} deals")
        return type(self)(
            _rows(self.hands, key),
            check=False,
            **{name: values[key] for name, values in self.attached.items()},
        )

    def __iter__(self) -> Iterator[Deal]:
        for start in range(0, len(self), STEP):
            yield from self._objects(start, min(start + STEP, len(self)))

    def _objects(self, start: int, stop: int) -> Iterator[Deal]:
        known = []
        for name in ("vulnerable", "dealer", "board"):
            values = getattr(self, name)
            if values is None:
                known.append([None] * (stop - start))
            else:
                known.append([None if value < 0 else value for value in values[start:stop].tolist()])
        rows = zip(self.hands[start:stop].tolist(), *known, strict=True)
        for row, (hands, vulnerable, dealer, board) in enumerate(rows, start):
            if hands[0] == MISSING:
                raise DealError(f"deal {row} is missing")
            yield Deal._of(hands, vulnerable, dealer, board)

    def equals(self, other: object) -> bool:
        """Are these the same cards in the same order, with the same attached columns?

        An attached column that is absent differs from one that is there.
        """
        if not isinstance(other, DealSequence) or self.attached.keys() != other.attached.keys():
            return False
        return np.array_equal(self.hands, other.hands) and all(
            np.array_equal(values, getattr(other, name)) for name, values in self.attached.items()
        )

    def check(self) -> None:
        """Look at every deal and attached column.

        Raises
        ------
        DealError
            With the index of the first deal that has not 52 cards, 13 in each hand, and
            which cards are missing or held twice.
        ArgumentError
            With the first value of an attached column that is out of range.
        """
        if found := text.find_fault(self.hands):
            raise DealError(f"deal {found[0]}: {found[1]}")
        check_attached_columns(self.attached)

    # ------------------------------------------------------------ putting together
    def replace(self, **columns: Any) -> Self:
        """The same deals with other attached columns; None takes one away.

        Parameters
        ----------
        **columns
            Any of tables, vulnerable, dealer, board, weight, cluster, as in the constructor.

        Examples
        --------
        >>> deal = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
        >>> from dealerkit.cards.deals import Deals
        >>> Deals.from_pbn(deal).replace(board=[7])[0].board
        7
        """
        if unknown := columns.keys() - ATTACHED_COLUMNS.keys():
            known = ", ".join(ATTACHED_COLUMNS)
            raise ArgumentError(f"unknown column {sorted(unknown)[0]!r}; there are {known}")
        changed = type(self)(self.hands, check=False, **{**self.attached, **columns})
        check_attached_columns(changed.attached)
        return changed

    @classmethod
    def concatenate(cls, parts: Iterable[Self]) -> Self:
        """Deals one after another.

        An attached column that only some parts have is filled with its neutral value in the
        others: unknown (-1), weight 1, for clusters a new number for each deal. Numbers of
        clusters are kept: equal numbers in two parts mean the same shuffle.
        """
        parts = list(parts)
        if not parts:
            return cls(np.empty((0, 4), dtype=np.uint64))
        if len(parts) == 1:
            return parts[0]
        joined: dict[str, np.ndarray] = {}
        for name in ATTACHED_COLUMNS:
            arrays = [getattr(part, name) for part in parts]
            if all(array is None for array in arrays):
                continue
            free = 1 + max((int(a.max()) for a in arrays if a is not None and a.size), default=-1)
            for i, part in enumerate(parts):
                if arrays[i] is None:
                    arrays[i] = default_column(name, len(part), free)
                    free += len(part)
            joined[name] = np.concatenate(arrays)
        return cls(np.concatenate([part.hands for part in parts]), check=False, **joined)

    @classmethod
    def from_deals(cls, deals: Iterable[Deal]) -> Self:
        """Deals from single `Deal` objects, with what is known around any of them."""
        rows = list(deals)
        known: dict[str, np.ndarray] = {}
        for name in ("vulnerable", "dealer", "board"):
            values = [getattr(deal, name) for deal in rows]
            if any(value is not None for value in values):
                known[name] = np.array(
                    [-1 if v is None else v for v in values], dtype=ATTACHED_COLUMNS[name].dtype
                )
        hands = np.array([deal.hands for deal in rows], dtype=np.uint64).reshape(-1, 4)
        return cls(hands, check=False, **known)


def _rows(hands: np.ndarray, key: Any) -> np.ndarray:
    """Rows of hands in the order in memory that the hands have."""
    if isinstance(key, slice) or hands.strides[0] > hands.strides[1]:
        return hands[key]
    return np.take(hands.T, np.flatnonzero(key) if key.dtype == bool else key, axis=1).T


def _rebuild(kind: type[DealSequence], hands: np.ndarray, columns: dict[str, np.ndarray]) -> DealSequence:
    return kind(hands, check=False, **columns)
