"""The state of accumulators as values that JSON has, with arrays stored separately."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from dealerkit.errors import quote
from dealerkit.statistics.counts import Counts
from dealerkit.statistics.moments import Moments
from dealerkit.statistics.quantiles import Quantiles

Store = Callable[[np.ndarray], str]  # stores an array and returns its name
Fetch = Callable[[str], np.ndarray]  # returns the array with a name


def encode_accumulator(accumulator: Moments | Counts | Quantiles, store: Store) -> dict[str, Any]:
    """Return the state of an accumulator, which `restore_accumulator` reads.

    >>> points = Moments()
    >>> points.update(np.array([10, 12, 7]))
    >>> other = Moments()
    >>> restore_accumulator(other, encode_accumulator(points, str), str)
    >>> other.mean() == points.mean(), other.total
    (True, 29)
    """
    if isinstance(accumulator, Quantiles):
        return {"unit": accumulator.unit, "counts": encode_accumulator(accumulator.counts, store)}
    # The numbers of a mean are exact, so they are stored as text.
    if isinstance(accumulator, Moments):
        counts = accumulator._rare.counts
        return {
            "n": accumulator.n,
            "minimum": accumulator.minimum,
            "maximum": accumulator.maximum,
            "sums": [_encode_number(number) for number in accumulator._sums],
            "incomplete": [
                [number, _encode_number(weight), _encode_number(total)]
                for number, (weight, total) in accumulator._incomplete.items()
            ],
            "values": None if counts is None else [[value, count] for value, count in counts.items()],
        }

    # Tables of counts are arrays, which are stored separately.
    weighted = accumulator._weighted
    return {
        "n": accumulator.n,
        "spans": [list(span) for span in accumulator._spans],
        "table": store(accumulator.table),
        "weighted": None if weighted is None else store(weighted),
        "clusters": accumulator._n_clusters,
        "squares": float(accumulator._squares),
        "incomplete": [
            [number, [[list(key), weight] for key, weight in cells.items()]]
            for number, cells in accumulator._incomplete.items()
        ],
    }


def restore_accumulator(
    accumulator: Moments | Counts | Quantiles, state: dict[str, Any], fetch: Fetch
) -> None:
    """Put the state of another accumulator into an empty one.

    Raises
    ------
    KeyError, TypeError, ValueError
        The state is incomplete, impossible, or that of another kind of accumulator.
    """
    if isinstance(accumulator, Quantiles):
        if state["unit"] != accumulator.unit:
            raise ValueError("the unit of quantiles is not that of their action")
        restore_accumulator(accumulator.counts, state["counts"], fetch)
        return

    if isinstance(accumulator, Moments):
        accumulator.n, accumulator.minimum = _read_integer(state["n"]), _read_limit(state["minimum"])
        accumulator.maximum = _read_limit(state["maximum"])
        accumulator._sums = [_decode_number(text) for text in state["sums"]]
        accumulator._incomplete = {
            _read_integer(number): (_decode_number(weight), _decode_number(total))
            for number, weight, total in state["incomplete"]
        }
        values = state["values"]
        accumulator._rare.counts = (
            None if values is None else {float(value): _read_integer(count) for value, count in values}
        )
        _check_moments(accumulator)
        return

    # The table of counts must have the range of the action.
    spans = [(_read_integer(low), _read_integer(high)) for low, high in state["spans"]]
    for span, limits in zip(spans, accumulator._ranges, strict=True):
        if limits is not None and span != limits:
            raise ValueError("the range of a table is not that of its action")
    accumulator._spans = spans
    accumulator.table = _read_table(fetch(state["table"]), np.int64, accumulator._shape(spans))
    if state["weighted"] is not None:
        shape = (3, *accumulator.table.shape)
        accumulator._weighted = _read_table(fetch(state["weighted"]), np.float64, shape)
    accumulator.n, accumulator._n_clusters = _read_integer(state["n"]), _read_integer(state["clusters"])
    accumulator._squares = float(state["squares"])
    is_possible = accumulator.n >= 0 and accumulator._n_clusters >= 0 and 0 <= accumulator._squares < math.inf
    if not is_possible or (accumulator.table < 0).any() or accumulator.table.sum() != accumulator.n:
        raise ValueError("the cells of a table are impossible")
    weighted = accumulator._weighted
    if weighted is not None and not (np.isfinite(weighted).all() and (weighted[[0, 2]] >= 0).all()):
        raise ValueError("a sum of squares is less than 0")
    accumulator._incomplete = {
        _read_integer(number): {tuple(map(_read_integer, key)): float(weight) for key, weight in cells}
        for number, cells in state["incomplete"]
    }


def _check_moments(moments: Moments) -> None:
    """Raise ValueError if these cannot be sums over values, for example if a variance would be negative."""
    if len(moments._sums) != 8:
        raise ValueError("the sums of a mean are missing")
    sums: list[Any] = moments._sums
    w, wx, wxx, ww, n_clusters, cluster_ww, cluster_wx, cluster_xx = sums
    for weight, total in moments._incomplete.values():
        n_clusters, cluster_ww = n_clusters + 1, cluster_ww + weight * weight
        cluster_wx, cluster_xx = cluster_wx + weight * total, cluster_xx + total * total
    # In each pair, the first number is at most the second, by the inequality of Cauchy and Schwarz or because
    # weights are not negative.
    pairs = (
        (wx * wx, w * wxx), (ww, w * w), (w * w, moments.n * ww),
        (cluster_wx * cluster_wx, cluster_ww * cluster_xx),
    )  # fmt: skip
    is_possible = min(moments.n, w, wxx, ww, n_clusters, cluster_ww, cluster_xx) >= 0
    if not is_possible or (moments.n > 0) != (n_clusters > 0) or any(_exceeds(*pair) for pair in pairs):
        raise ValueError("the sums of a mean are impossible")
    low, high = moments.minimum, moments.maximum
    if (low is None) != (high is None) or (low is not None and high is not None and not low <= high):
        raise ValueError("the smallest value of a mean is larger than the largest")
    if any(count < 0 for count in (moments._rare.counts or {}).values()):
        raise ValueError("a count is less than 0")


def _exceeds(first: Any, second: Any) -> bool:
    """Return whether a number is larger than another; floats by more than a rounding error."""
    slack = 0 if isinstance(first, int) and isinstance(second, int) else Fraction(abs(second), 10**9)
    return first > second + slack


def _encode_number(number: Any) -> str:
    """Return an integer as text, or a fraction as a quotient, even if its denominator is 1."""
    return f"{number.numerator}/{number.denominator}" if isinstance(number, Fraction) else str(int(number))


def _decode_number(text: str) -> int | Fraction:
    numerator, *denominator = text.split("/")
    return Fraction(int(numerator), int(*denominator)) if denominator else int(numerator)


def _read_integer(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"{quote(value, 40)} is not an integer")
    return value


def _read_limit(value: Any) -> float | None:
    if value is not None and not isinstance(value, int | float):
        raise TypeError(f"{quote(value, 40)} is not a number")
    return value


def _read_table(array: np.ndarray, dtype: type, shape: tuple[int, ...]) -> np.ndarray:
    if array.dtype != dtype or array.shape != shape:
        raise ValueError("the shape of a table is not that of its action")
    return array
