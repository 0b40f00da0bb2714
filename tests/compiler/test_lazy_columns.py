"""Lazy columns: operands are evaluated from left to right, and only when they are needed."""

from __future__ import annotations

import pytest

import dealerkit as dk
from dealerkit.compiler.compilation import compile_expression
from dealerkit.compiler.lazy_columns import LazyColumns


@pytest.mark.parametrize(
    ("text", "value", "limits"),
    [
        ("rnd(5) - 10 * rnd(7)", -56, [5, 7]),
        ("rnd(5) < 4 and rnd(7) > 0", 0, [5]),
        ("rnd(5) == 4 and rnd(7) == 6", 1, [5, 7]),
        ("rnd(5) == 4 or rnd(7) == 6", 1, [5]),
        ("rnd(5) > 4 ? rnd(6) : rnd(7) > 4 ? rnd(8) : rnd(9)", 7, [5, 7, 8]),
        ("a = rnd(5) a + a", 8, [5, 5]),
        ("0 * rnd(3) + (1 > 0 or rnd(9))", 1, [3]),
    ],
)
def test_random_numbers_are_generated_in_the_order_of_the_text(text, value, limits) -> None:
    compiled = compile_expression(text)
    generated = []

    def generate(limit: int) -> int:
        generated.append(limit)
        return limit - 1

    columns = LazyColumns(compiled.graph, dk.deal(1, seed=1), generate, board=0)
    assert columns.number(compiled.expression) == value
    assert generated == limits


def test_an_operand_that_is_not_needed_may_fail() -> None:
    compiled = compile_expression("hcp(north) >= 0 or 1 / (hcp(north) - hcp(north)) > 0")
    columns = LazyColumns(compiled.graph, dk.deal(1, seed=1), lambda limit: 0, board=0)
    assert columns.number(compiled.expression) == 1
