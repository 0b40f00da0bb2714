"""Columns that may be attached to the hands of deals: their types, default values and ranges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from dealerkit.errors import ArgumentError


class ColumnType(NamedTuple):
    """The type of an attached column.

    `shape` is the shape of one deal's value. `default` is the value of deals without the column: -1 means
    unknown; None means that each deal has a number of its own. `low` and `high` are the smallest and the
    largest value allowed; None means any.
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
    """Return the values of an attached column for deals that have none, with one row for each deal.

    The values are -1 (unknown), weight 1, or cluster numbers from `first_cluster` upwards.
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
    """Raise ArgumentError with the index and the value if an attached column has a value out of range."""
    for name, values in columns.items():
        low, high = ATTACHED_COLUMNS[name].low, ATTACHED_COLUMNS[name].high
        wrong = np.zeros(values.shape, dtype=bool) if low is None else ~(values >= low)
        if high is not None:
            wrong |= values > high
        if wrong.any():
            place = tuple(np.argwhere(wrong)[0])
            limits = f"{low} or more" if high is None else f"{low} to {high}"
            raise ArgumentError(f"deal {place[0]}: {name} is {values[place]}, not {limits}")
