"""Arithmetic on arrays compared with Python integers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerkit.compiler.operations import (
    Range,
    calculate_array,
    calculate_number,
    combine_ranges,
    compare_values,
    to_truth,
    wrap,
)

NUMBERS = st.integers(-(1 << 31), (1 << 31) - 1)
SMALL = st.integers(-200, 200)


def truncated(left: int, right: int) -> int:
    return int(math.trunc(left / right)) if abs(left) < 1 << 50 else left // right


@given(st.sampled_from("+-*/%"), st.lists(st.tuples(SMALL, SMALL.filter(bool)), min_size=1, max_size=20))
def test_small_integers_are_exact(operator: str, pairs: list[tuple[int, int]]) -> None:
    left, right = (np.array(column, np.int16) for column in zip(*pairs, strict=True))
    ranges = Range(-200, 200), Range(-200, 200)
    bounds = combine_ranges(operator, *ranges)
    got = calculate_array(operator, left, right, (*ranges, bounds), 64)
    for value, (a, b) in zip(got.tolist(), pairs, strict=True):
        expected = {"+": a + b, "-": a - b, "*": a * b, "/": truncated(a, b), "%": int(math.fmod(a, b))}[
            operator
        ]
        assert value == expected == calculate_number(operator, a, b)
        assert bounds.low <= value <= bounds.high


@given(st.sampled_from("+-*"), NUMBERS, NUMBERS)
def test_32_bits_wrap_as_in_c(operator: str, a: int, b: int) -> None:
    whole = Range(-(1 << 31), (1 << 31) - 1)
    got = calculate_array(
        operator, np.array([a], np.int32), np.array([b], np.int32), (whole, whole, whole), 32
    )
    exact = {"+": a + b, "-": a - b, "*": a * b}[operator]
    assert int(got[0]) == wrap(exact, 32)
    assert (int(got[0]) - exact) % (1 << 32) == 0


@pytest.mark.parametrize(
    ("operator", "expected"),
    [(">=", True), (">", False), ("==", True), ("<=", True), ("<", False), ("!=", False)],
)
def test_sums_of_hundredths_compare_as_written(operator: str, expected: bool) -> None:
    # 12.45 + 12.65 is 25.099999999999998 in floating point.
    assert bool(compare_values(operator, np.array([12.45]) + 12.65, 25.1, True)[0]) is expected


def test_a_real_that_differs_from_zero_by_rounding_only_is_not_true() -> None:
    rest = np.array([(100 * (0.02 + 4.0) + 0.5) % 2 - 0.5, 0.0, 0.005])
    assert rest[0] != 0 and to_truth(rest).tolist() == [False, False, True]
    assert to_truth(np.array([0, 2])).tolist() == [False, True] and not to_truth(0.1 + 0.2 - 0.3)
