"""Arguments that callers give, checked: whole numbers, one or an array, and shapes."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from dealerkit.errors import ArgumentError


def check_integer(name: str, value: Any, least: int | None = 0) -> int:
    """An argument as an int.

    Raises
    ------
    ArgumentError
        It is no whole number, or below `least`.

    Examples
    --------
    >>> check_integer("threads", 2, 1)
    2
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise ArgumentError(f"{name} is {value!r:.60}; it takes a whole number") from None
    if least is not None and number < least:
        raise ArgumentError(f"{name} is {number}; it takes {least} or more")
    return number


def check_optional_integer(name: str, value: Any, least: int | None = 0) -> int | None:
    """The same, None allowed."""
    return None if value is None else check_integer(name, value, least)


def check_integers(name: str, values: Any) -> np.ndarray:
    """Numbers as int64, also those of a column of floats that are whole.

    Raises
    ------
    ArgumentError
        With the first value that is no whole number, or missing.
    """
    array = np.asarray(values)
    if array.dtype.kind in "iub":
        return array.astype(np.int64)
    if array.dtype.kind == "f":
        wrong = ~(np.abs(array) < 1 << 53) | (array != np.floor(array))
        if not wrong.any():
            return array.astype(np.int64)
        array = array[wrong]
    raise ArgumentError(f"{name} has the value {array.reshape(-1)[:1].tolist()}; whole numbers are needed")


def check_shapes(**arrays: Any) -> None:
    """Refuse arrays that do not broadcast."""
    try:
        np.broadcast_shapes(*map(np.shape, arrays.values()))
    except ValueError:
        told = ", ".join(f"{name} {np.shape(array)}" for name, array in arrays.items())
        raise ArgumentError(f"shapes do not go together: {told}") from None
