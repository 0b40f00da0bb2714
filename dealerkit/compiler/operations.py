"""Arithmetic of the language on arrays: integers of known range, reals, truth values.

Every integer has a `Range`, its least and greatest possible value; a real has no bounds. Before any deal is
evaluated, the range determines the smallest integer type that cannot overflow, such as 16 bits for sums of
points, and whether 64 bits are enough.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dealerkit.appearance.wording import limit_repr
from dealerkit.language import nodes

# Reals that are closer than this are equal, so that 24.1 + 0.05 is not below 24.15. Values of the language
# are multiples of a hundredth, which is far coarser.
TOLERANCE = 1e-9

Value = Any  # ndarray [n], or a Python number that is the same for all rows


class Range(NamedTuple):
    """Bounds of an integer value; for a real, both are None."""

    low: int | None
    high: int | None

    @classmethod
    def of_bits(cls, bits: int) -> Range:
        """Return the range of a signed integer of `bits` bits."""
        return cls(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)

    @classmethod
    def spanning(
        cls, ranges: Sequence[Range], low: Callable[..., Any] = min, high: Callable[..., Any] = max
    ) -> Range:
        """Return the range whose bounds are the `low` of the lows and the `high` of the highs."""
        if any(bounds.real for bounds in ranges):
            return REAL
        return cls(low(bounds.low for bounds in ranges), high(bounds.high for bounds in ranges))

    @property
    def real(self) -> bool:
        """Whether the value is a real number, which has no bounds."""
        return self.low is None

    def fits(self, bits: int) -> bool:
        """Return whether all values fit a signed integer of `bits` bits."""
        assert self.low is not None and self.high is not None
        least, greatest = self.of_bits(bits)
        return least <= self.low and self.high <= greatest  # type: ignore[operator]

    def dtype(self) -> np.dtype:
        """Return the smallest of int16, int32, int64 and float64 that holds all values."""
        if self.real:
            return np.dtype(np.float64)
        for bits in (16, 32):
            if self.fits(bits):
                return np.dtype(f"int{bits}")
        return np.dtype(np.int64)

    def smallest_dtype(self, hundredths: bool = False) -> np.dtype:
        """Return the smallest type for a column of a frame; reals in `hundredths` become float32."""
        if self.real:
            return np.dtype(np.float32 if hundredths else np.float64)
        return np.dtype(np.int8) if self.fits(8) else self.dtype()


REAL = Range(None, None)
TRUTH = Range(0, 1)


@limit_repr
@dataclass(frozen=True, slots=True)
class Operation:
    """One step of the evaluation: its kind, the slots of its operands, and in `detail` all else about it."""

    kind: str
    inputs: tuple[int, ...] = ()
    guarded: tuple[int, ...] = ()  # slots evaluated only on some rows
    detail: Any = None
    range: Range = REAL
    total: bool = True  # whether it has a value for every deal
    cost_ns: float = 1.0  # nanoseconds per deal of the most expensive operation that it needs
    seats: int = 0  # bit set of the seats whose cards it depends on
    depth: int = 0  # of guarded operands inside guarded operands
    node: nodes.Expression | None = None


def combine_ranges(operator: str, left: Range, right: Range) -> Range:
    """Return the range of ``left operator right`` for + - * / %."""
    if left.real or right.real:
        return REAL
    a, b, c, d = left.low, left.high, right.low, right.high
    assert a is not None and b is not None and c is not None and d is not None
    if operator == "+":
        return Range(a + c, b + d)
    if operator == "-":
        return Range(a - d, b - c)
    if operator == "*":
        corners = (a * c, a * d, b * c, b * d)
        return Range(min(corners), max(corners))
    if operator == "/":  # the divisor is an integer other than 0, so the quotient is not farther from 0
        size = max(abs(a), abs(b))
        return Range(0 if a >= 0 and c >= 0 else -size, size)
    size = max(abs(c), abs(d), 1) - 1  # a remainder has the sign of the dividend
    return Range(max(-size, a) if a < 0 else 0, min(size, b) if b > 0 else 0)


def wrap(value: int, bits: int) -> int:
    """Return the integer that the lowest `bits` bits of an integer represent in two's complement."""
    half = 1 << (bits - 1)
    return (value + half) % (2 * half) - half


def calculate_number(operator: str, left: int | float, right: int | float) -> int | float:
    """Return ``left operator right`` for two numbers; integers divide as in C.

    >>> [calculate_number("/", -7, divisor) for divisor in (2, 2.0)], calculate_number("%", -7, 4)
    ([-3, -3.5], -3)
    """
    if operator in "+-*":
        return left + right if operator == "+" else left - right if operator == "-" else left * right
    if isinstance(left, float) or isinstance(right, float):
        if operator == "/":
            return left / right
        return math.fmod(left, right) if math.isfinite(left) else math.nan
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
    return quotient if operator == "/" else left - quotient * right


_ARITHMETIC: dict[str, Callable[..., Any]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "%": np.fmod,
}  # fmt: skip
_COMPARISONS: dict[str, Callable[..., Any]] = {
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal,
    ">": np.greater, ">=": np.greater_equal,
}  # fmt: skip


def calculate_array(
    operator: str, left: Value, right: Value, ranges: tuple[Range, Range, Range], bits: int
) -> Value:
    """Return ``left operator right`` on arrays; `ranges` are those of left, right and result.

    A result that may leave `bits` wraps, which only the 32-bit dialects allow.
    """
    left_range, right_range, result_range = ranges
    if result_range.real:
        a, b = np.asarray(left, np.float64), np.asarray(right, np.float64)
        with np.errstate(all="ignore"):  # results beyond the largest real are infinite
            return _ARITHMETIC[operator](a, b)
    dtype = np.dtype(f"int{bits}")
    if result_range != Range.of_bits(bits) and result_range.fits(bits):  # the result cannot wrap
        dtypes = (part.dtype() for part in (left_range, right_range, result_range))
        dtype = max(dtypes, key=lambda dtype: dtype.itemsize)
    a, b = np.asarray(left).astype(dtype, copy=False), np.asarray(right).astype(dtype, copy=False)
    with np.errstate(over="ignore"):
        if operator == "/":
            return np.floor_divide(a - np.fmod(a, b), b)  # without a remainder, floor is truncation
        return _ARITHMETIC[operator](a, b)


def compare_values(operator: str, left: Value, right: Value, real: bool) -> Value:
    """Return ``left operator right`` as truth values; reals within `TOLERANCE` of each other are equal."""
    if not real:
        return _COMPARISONS[operator](left, right)
    # Reals are compared by their difference.
    try:
        with np.errstate(invalid="raise", over="ignore"):
            difference = np.subtract(left, right, dtype=np.float64)
    except FloatingPointError:  # numpy does not subtract equal infinite values; their difference counts as 0
        left, right = np.broadcast_arrays(np.asarray(left, np.float64), np.asarray(right, np.float64))
        differs = np.flatnonzero(left != right) if left.ndim else ...
        difference = np.zeros(left.shape)
        with np.errstate(all="ignore"):
            difference[differs] = left[differs] - right[differs]
    if operator == "==":
        return np.abs(difference) < TOLERANCE
    if operator == "!=":
        return ~(np.abs(difference) < TOLERANCE)
    if operator in ("<", "<="):
        return difference < (TOLERANCE if operator == "<=" else -TOLERANCE)
    return difference > (-TOLERANCE if operator == ">=" else TOLERANCE)


def to_truth(value: Value) -> Value:
    """Return a value as a truth value: everything but 0, and reals within `TOLERANCE` of 0, is true."""
    kind = np.asarray(value).dtype.kind
    return value if kind == "b" else compare_values("!=", value, 0, kind == "f")
