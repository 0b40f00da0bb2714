"""Checks of arguments: numbers, names, arrays of integers, and shapes of arrays."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from numbers import Real
from typing import Any, Protocol, TypeGuard, overload, runtime_checkable

import numpy as np

from dealerkit.errors import ArgumentError, AuctionWarning, Parameter, quote, suggest_name, warn_caller

Params = Sequence[Any] | Mapping[Any, Any]  # values of script variables: ``$0``, ``$1`` ... or by name


@runtime_checkable
class HasCondition(Protocol):
    """An object that implies a condition on the hands, such as an auction."""

    def find_condition(self, predeal: Mapping[str, Any] | None = None) -> tuple[str, list[str]]:
        """Return the condition for some predealt cards, and remarks about it as texts."""


@runtime_checkable
class HasCall(Protocol):
    """An object that is written in a call as an expression, such as the call that returns it again."""

    def format_call(self) -> str:
        """Return the call that returns the object again, or its name."""


Given = str | os.PathLike[str] | HasCondition  # a condition of the dealer language, its file, or an auction


@overload
def read_given(given: None, predeal: Any = None) -> None: ...
@overload
def read_given(given: Given, predeal: Any = None) -> str | os.PathLike[str]: ...
def read_given(given: Any, predeal: Any = None) -> Any:
    """Return a condition as text, from a text, the path of its file, or an auction.

    If a predealt hand contradicts its calls, what the auction says about that hand is left out, with a
    warning.

    >>> read_given("hcp(north) > 15")
    'hcp(north) > 15'
    """
    if not isinstance(given, HasCondition):
        return given
    condition, remarks = given.find_condition(predeal if isinstance(predeal, Mapping) else None)
    for remark in remarks:
        warn_caller(remark, AuctionWarning)
    return condition


def check_integer(name: str, value: Any, minimum: int | None = 0, maximum: int | None = None) -> int:
    """Return an argument as an int; raise ArgumentError with its name if it is not an int or out of range.

    >>> check_integer("threads", 2, 1)
    2
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise ArgumentError(Parameter(name), f" is {quote(value)}; it must be a whole number") from None
    if minimum is not None and number < minimum:
        raise ArgumentError(Parameter(name), f" is {number}; it must be {minimum:,} or more")
    if maximum is not None and number > maximum:
        raise ArgumentError(Parameter(name), f" is {number}; it must be {maximum:,} or less")
    return number


def check_optional_integer(name: str, value: Any, minimum: int | None = 0) -> int | None:
    """Return an argument as an int, or None if it is None; see `check_integer`."""
    return None if value is None else check_integer(name, value, minimum)


def check_truth(name: str, value: Any) -> bool:
    """Return an argument as a bool; raise ArgumentError if it has no truth value, as an array has none.

    >>> check_truth("solve", True)
    True
    """
    try:
        return bool(value)
    except (TypeError, ValueError):
        raise ArgumentError(Parameter(name), f" is {quote(value)}; it must be True or False") from None


def is_listing(values: Any) -> TypeGuard[Iterable[Any]]:
    """Return whether a value is iterable in fact; an array without dimensions only claims to be Iterable.

    >>> is_listing([1]), is_listing(1), is_listing(np.array(1))
    (True, False, False)
    """
    return isinstance(values, Iterable) and getattr(values, "ndim", 1) != 0


def is_empty(values: Any) -> bool:
    """Return whether an argument is None or has no elements.

    >>> is_empty(()), is_empty(np.zeros(0)), is_empty(0)
    (True, True, False)
    """
    return values is None or (
        hasattr(values, "__len__") and getattr(values, "ndim", 1) != 0 and len(values) == 0
    )


def refuse_masked(name: str, values: Any) -> None:
    """Raise ArgumentError for masked elements, whose hidden numbers numpy would use, and for complex numbers.

    >>> refuse_masked("ours", np.ma.array([1, 2]))
    """
    if isinstance(values, np.ndarray) and np.any(getattr(values, "mask", False)):
        raise ArgumentError(f"{name} has masked elements; leave these out: {name}.compressed()")
    if getattr(getattr(values, "dtype", None), "kind", "") == "c":
        raise ArgumentError(f"{name} has complex numbers; give real ones")


def check_positive(name: str, value: Any, example: float) -> None:
    """Raise ArgumentError, with an example, if an argument is not a finite number above 0.

    >>> check_positive("precision", 0.02, 0.1)
    """
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < math.inf:
        raise ArgumentError(Parameter(name), f" is {quote(value)}; give a number above 0, such as {example}")


def check_name(kind: str, value: Any, names: Collection[str]) -> str:
    """Return an argument as one of some names, ignoring case; raise ArgumentError with the nearest name.

    >>> check_name("scoring", "IMPs", ("imps", "total"))
    'imps'
    """
    for name in (value, value.strip().lower()) if isinstance(value, str) else ():
        if name in names:
            return str(name)
    close = suggest_name(str(value), names)
    raise ArgumentError(f"unknown {kind} {quote(value)}{close}; known: {', '.join(names)}")


def check_integers(name: str, values: Any) -> np.ndarray:
    """Return integers, or floats with integer values, as int64 in the same shape.

    The ArgumentError shows the first value that is missing or not an integer.
    """
    refuse_masked(name, values)
    array = np.asarray(values)
    if array.dtype.kind in "iub":
        return array.astype(np.int64)
    if array.dtype.kind == "f":
        wrong = ~(np.abs(array) < 1 << 53) | (array != np.floor(array))
        if not wrong.any():
            return array.astype(np.int64)
        array = array[wrong]
    raise ArgumentError(f"{name} has the value {array.reshape(-1)[:1].tolist()}; whole numbers are needed")


def map_values(number: Callable[[Any], int], values: Any) -> np.ndarray:
    """Return the number of each value as int64 in the same shape; `number` is called once for equal values.

    An ArgumentError raised by `number` is given the row of the first such value.

    >>> map_values("NESW".index, ["S", "N"])
    array([2, 0])
    """
    is_listed = isinstance(values, list | tuple)  # numpy would turn their numbers and bools into texts
    array = np.asarray(values, object) if is_listed else np.asarray(values)
    if array.dtype == object:  # values cannot be sorted if None is among them
        distinct, rows = array.ravel(), np.arange(array.size)
        index = rows
    else:
        distinct, rows, index = np.unique(array, return_index=True, return_inverse=True)
    numbers = np.empty(len(distinct), np.int64)
    for k, value in enumerate(distinct.tolist()):
        try:
            numbers[k] = number(value)
        except ArgumentError as reason:
            raise ArgumentError(f"row {rows[k]}: {reason}" if array.ndim else str(reason)) from None
    return numbers[index].reshape(array.shape)


def check_shapes(**arrays: Any) -> None:
    """Raise ArgumentError if the arrays do not broadcast."""
    try:
        np.broadcast_shapes(*map(np.shape, arrays.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {np.shape(array)}" for name, array in arrays.items())
        raise ArgumentError(f"shapes do not match: {shapes}") from None
