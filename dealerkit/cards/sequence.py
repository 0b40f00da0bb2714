"""Arrays of deals with attached columns: types of columns, construction, selection of rows, concatenation."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self, TypeVar, overload

import numpy as np

from dealerkit.arguments import check_truth, refuse_masked
from dealerkit.cards import text
from dealerkit.cards.deal import Deal
from dealerkit.cards.names import MISSING, seat_number
from dealerkit.errors import ArgumentError, DealError, quote
from dealerkit.runtime.progress import long_work

T = TypeVar("T")
BATCH = 8192  # deals that are converted to Python objects at once


class ColumnType(NamedTuple):
    """The type of an attached column.

    `shape` is the shape of the value of one deal. `default` is the value for deals without the column: -1
    means unknown, None means that each deal gets its own number. `low` and `high` are the smallest and the
    largest value allowed; None means no limit.
    """

    dtype: type
    shape: tuple[int, ...] = ()
    default: float | None = -1
    low: int | None = -1
    high: int | None = None


ATTACHED_COLUMNS = {
    "tables": ColumnType(np.int8, shape=(5, 4), high=13),
    "vulnerable": ColumnType(np.int8, high=3),
    "dealer": ColumnType(np.int8, high=3),
    "board": ColumnType(np.int32, low=None),
    "weight": ColumnType(np.float64, default=1.0, low=0),
    "cluster": ColumnType(np.int64, default=None, low=None),
}


def default_column(name: str, n_deals: int, first_cluster: int = 0) -> np.ndarray:
    """Return the default values of an attached column, with one row for each deal.

    The values are -1 (unknown), the weight 1, or cluster numbers from `first_cluster` upwards.
    """
    column = ATTACHED_COLUMNS[name]
    if column.default is None:
        return np.arange(first_cluster, first_cluster + n_deals, dtype=column.dtype)
    return np.full((n_deals, *column.shape), column.default, dtype=column.dtype)


def next_cluster(clusters: Iterable[np.ndarray | None]) -> int:
    """Return the smallest number above all cluster numbers, 0 or more."""
    return 1 + max(
        (int(numbers.max()) for numbers in clusters if numbers is not None and numbers.size), default=-1
    )


def check_attached_columns(columns: Mapping[str, np.ndarray]) -> None:
    """Raise ArgumentError with index and value if a value of an attached column is out of range."""
    for name, values in columns.items():
        low, high = ATTACHED_COLUMNS[name].low, ATTACHED_COLUMNS[name].high
        wrong = np.zeros(values.shape, dtype=bool) if low is None else ~(values >= low)
        if high is not None:
            wrong |= values > high
        if wrong.any():
            place = tuple(np.argwhere(wrong)[0])
            limits = f"{low} or more" if high is None else f"{low} to {high}"
            raise ArgumentError(f"deal {place[0]}: {name} is {values[place]}, not {limits}")


def _convert_column(name: str, values: Any, dtype: Any) -> np.ndarray:
    """Return an array of the dtype; raise ArgumentError if the conversion would change a number."""
    refuse_masked(name, values)
    if isinstance(values, np.ndarray) and values.dtype == dtype:
        return values
    try:
        with np.errstate(invalid="ignore"):
            array = np.asarray(values, dtype=dtype)
        given = np.asarray(values)
    except (TypeError, ValueError, OverflowError) as reason:
        raise ArgumentError(f"{name} takes numbers of the type {np.dtype(dtype)}: {reason}") from None
    if given.dtype.kind == "f" and array.dtype.kind != "f" and (array != given).any():
        raise ArgumentError(f"{name} has the value {given[array != given][0]}; whole numbers are needed")
    return array


def _list_objects(name: str, values: Iterable[T], kind: type) -> list[T]:
    """Return the elements of an iterable, which must all be of one class; otherwise raise ArgumentError."""
    listed = list(values) if isinstance(values, Iterable) and getattr(values, "shape", True) else None
    if listed is None or not all(isinstance(element, kind) for element in listed):
        raise ArgumentError(f"{name} is {quote(values)}; it must be a list of {kind.__name__} objects")
    return listed


class DealSequence:
    """A frozen sequence of deals as arrays: the base class of `Deals`.

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
        words = _convert_column("hands", hands, np.uint64)
        if words.size == 0 and words.ndim == 1:
            words = words.reshape(0, 4)
        if words.ndim != 2 or words.shape[1] != 4:
            raise ArgumentError(f"hands has shape {words.shape}, not (n, 4): north east south west")
        object.__setattr__(self, "hands", words)
        given = (tables, vulnerable, dealer, board, weight, cluster)
        for (name, column), values in zip(ATTACHED_COLUMNS.items(), given, strict=True):
            array: np.ndarray | None = None if values is None else _convert_column(name, values, column.dtype)
            shape = (len(words), *column.shape)
            if array is not None and array.shape != shape:
                raise ArgumentError(f"{name} has shape {array.shape}, not {shape} for {len(words)} deals")
            object.__setattr__(self, name, array)
        if check_truth("check", check):
            self.check()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Deals are frozen: {name} cannot be replaced; see Deals.replace")

    def __delattr__(self, name: str) -> None:
        self.__setattr__(name, None)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.hands, self.attached)

    @property
    def attached(self) -> dict[str, np.ndarray]:
        """The attached columns that are not None, by name."""
        return {name: values for name in ATTACHED_COLUMNS if (values := getattr(self, name)) is not None}

    def __len__(self) -> int:
        return len(self.hands)

    @overload
    def __getitem__(self, key: int) -> Deal: ...
    @overload
    def __getitem__(self, key: slice | Sequence[int] | Sequence[bool] | np.ndarray) -> Self: ...
    def __getitem__(self, key: Any) -> Deal | Self:
        if isinstance(key, int | np.integer) and not isinstance(key, bool):
            if not -len(self) <= key < len(self):
                raise IndexError(f"deal {key} of {len(self)}")
            row = int(key) % len(self)
            return next(self._iterate_deals(row, row + 1))
        if not isinstance(key, slice):
            key = np.asarray(key)
            if key.size == 0 and key.dtype != bool:
                key = key.astype(np.intp)
            if key.ndim != 1 or key.dtype.kind not in "biu":
                raise IndexError("deals are chosen by an int, a slice, a mask or an array of ints")
            if key.dtype == bool and len(key) != len(self):
                raise IndexError(f"a mask of {len(key)} for {len(self)} deals")
        return type(self)(
            _select_rows(self.hands, key),
            check=False,
            **{name: values[key] for name, values in self.attached.items()},
        )

    def __iter__(self) -> Iterator[Deal]:
        for start in range(0, len(self), BATCH):
            yield from self._iterate_deals(start, min(start + BATCH, len(self)))

    def _iterate_deals(self, start: int, stop: int) -> Iterator[Deal]:
        """Yield the deals of a range of rows."""
        details = []
        for name in ("vulnerable", "dealer", "board"):
            values = getattr(self, name)
            if values is None:
                details.append([None] * (stop - start))
            else:
                details.append([None if value < 0 else value for value in values[start:stop].tolist()])
        rows = zip(self.hands[start:stop].tolist(), *details, strict=True)
        for row, (hands, vulnerable, dealer, board) in enumerate(rows, start):
            if hands[0] == MISSING:
                raise DealError(f"deal {row} is missing")
            yield Deal._unchecked(hands, vulnerable, dealer, board)

    def equals(self, other: object) -> bool:
        """Return whether other deals have the same hands in the same order and equal attached columns.

        A column that is None is not equal to a column of default values.
        """
        if not isinstance(other, DealSequence) or self.attached.keys() != other.attached.keys():
            return False
        return np.array_equal(self.hands, other.hands) and all(
            np.array_equal(values, getattr(other, name)) for name, values in self.attached.items()
        )

    def hand(self, seat: int | str) -> np.ndarray:
        """Return the hands of one seat as a contiguous array.

        Parameters
        ----------
        seat : {0, 1, 2, 3} or str
            Number, name or letter of the seat.

        Returns
        -------
        ndarray of uint64 [n]
            A view if `hands` is in column order, otherwise a copy.

        Raises
        ------
        ArgumentError
            `seat` is not a seat.
        """
        return np.ascontiguousarray(self.hands[:, seat_number(seat)])

    def check(self) -> None:
        """Raise an error if a deal or a value of an attached column is invalid.

        Raises
        ------
        DealError
            A deal does not have 52 different cards, 13 in each hand. The message gives the index of the first
            such deal and the cards that are missing or held twice.
        ArgumentError
            A value of an attached column is out of range; the message gives the first such value.
        """
        if fault := text.find_fault(self.hands):
            raise DealError(f"deal {fault[0]}: {fault[1]}")
        check_attached_columns(self.attached)

    def replace(self, **columns: Any) -> Self:
        """Return the same deals with other attached columns; None removes a column.

        Parameters
        ----------
        **columns : array or None
            Any of tables, vulnerable, dealer, board, weight and cluster, as in the constructor.

        Returns
        -------
        Deals
            They share the memory of the hands and of the other columns.

        Raises
        ------
        ArgumentError
            A name is not that of an attached column, or an array has a wrong shape or value.

        Examples
        --------
        >>> deal = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
        >>> from dealerkit.cards.deals import Deals
        >>> Deals.from_pbn(deal).replace(board=[7])[0].board
        7
        """
        if unknown := columns.keys() - ATTACHED_COLUMNS.keys():
            names = ", ".join(ATTACHED_COLUMNS)
            raise ArgumentError(f"unknown column {sorted(unknown)[0]!r}; the columns are {names}")
        changed = type(self)(self.hands, check=False, **{**self.attached, **columns})
        check_attached_columns(changed.attached)
        return changed

    @long_work
    def write(self, path: str | os.PathLike[str], format: str | None = None, **options: Any) -> None:
        """Write the deals to a file, which appears under its name only when it is complete.

        Parameters
        ----------
        path : str or os.PathLike
        format : str or None
            Name of the format; None: by the suffix of the file name.
        **options
            Options of the format: ``event=`` for .pbn files, ``title=`` for .zrd files, ``first=`` for .zdd
            files.

        Raises
        ------
        FileError
            The file cannot be written.
        ArgumentError
            The format is unknown, cannot store these deals, or has no such option.
        """
        from dealerkit.formats.format import write

        write(self, path, format, **options)

    @classmethod
    def concatenate(cls, parts: Iterable[Self]) -> Self:
        """Return the deals of several `Deals` one after another.

        If only some parts have an attached column, the others get default values: -1 (unknown), weight 1, and
        for `cluster` a new number for each deal. Other cluster numbers do not change: equal numbers in two
        parts mean the same shuffle.

        Parameters
        ----------
        parts : iterable of Deals

        Returns
        -------
        Deals
            The part itself, if there is only one.
        """
        parts = _list_objects("parts", parts, DealSequence)
        if not parts:
            return cls(np.empty((0, 4), dtype=np.uint64))
        if len(parts) == 1:
            return parts[0]
        joined: dict[str, np.ndarray] = {}
        for name in ATTACHED_COLUMNS:
            arrays = [getattr(part, name) for part in parts]
            if all(array is None for array in arrays):
                continue
            cluster = next_cluster(arrays) if name == "cluster" else 0
            for i, part in enumerate(parts):
                if arrays[i] is None:
                    arrays[i] = default_column(name, len(part), cluster)
                    cluster += len(part)
            joined[name] = np.concatenate(arrays)
        return cls(np.concatenate([part.hands for part in parts]), check=False, **joined)

    @classmethod
    def from_deals(cls, deals: Iterable[Deal]) -> Self:
        """Return `Deals` with the hands of `Deal` objects and every column that any of them has."""
        rows = _list_objects("deals", deals, Deal)
        columns: dict[str, np.ndarray] = {}
        for name in ("vulnerable", "dealer", "board"):
            values = [getattr(deal, name) for deal in rows]
            if any(value is not None for value in values):
                columns[name] = np.array(
                    [-1 if v is None else v for v in values], dtype=ATTACHED_COLUMNS[name].dtype
                )
        hands = np.array([deal.hands for deal in rows], dtype=np.uint64).reshape(-1, 4)
        return cls(hands, check=False, **columns)


def _select_rows(hands: np.ndarray, key: Any) -> np.ndarray:
    """Return rows of hands in the same memory order."""
    if isinstance(key, slice) or hands.strides[0] > hands.strides[1]:
        return hands[key]
    return np.take(hands.T, np.flatnonzero(key) if key.dtype == bool else key, axis=1).T


def _rebuild(kind: type[DealSequence], hands: np.ndarray, columns: dict[str, np.ndarray]) -> DealSequence:
    return kind(hands, check=False, **columns)
