"""What a script can make large is refused, or estimated, before it takes time; the limits are sizes."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import ScriptError
from dealerkit.compiler.compilation import compile_script
from dealerkit.counting import SuitSums, TooManyStates, classify_clauses, exact
from dealerkit.counting.features import MAX_CLAUSES
from dealerkit.planning import make_plan
from dealerkit.simulation.batches import Limits, find_batch, split_batches
from dealerkit.simulation.probability import compile_condition


def test_the_batch_of_a_deal_is_found_at_once_however_far_it_is() -> None:
    batches = list(islice(split_batches(Limits(None, None)), 40))
    for first, count in batches:
        assert {find_batch(number) for number in (first, first + count // 2, first + count - 1)} == {first}
    (first, count), number = batches[-1], 10**15
    assert find_batch(number) <= number < find_batch(number) + count
    assert (find_batch(number) - first) % count == 0


def test_a_million_values_are_one_table() -> None:
    frame = dk.distribution("rnd(1000000000)", deals=200_000)
    assert len(frame) > 199_000 and not frame.attrs["exact"]
    assert frame["count"].sum() == 200_000
    assert frame.attrs["mean"] == pytest.approx(5e8, rel=0.01)
    assert frame.attrs["sd"] == pytest.approx(1e9 / 12**0.5, rel=0.01)
    assert (frame.lo < frame.share).all() and (frame.share < frame.hi).all()


def test_many_classes_are_estimated() -> None:
    frame = dk.distribution("hcp(north)*10000+spades(south)*100+hearts(east)", deals=100_000)
    assert not frame.attrs["exact"] and frame.attrs["n"] == 100_000
    assert frame.attrs["mean"] == pytest.approx(100_000 + 325 + 3.25, rel=0.02)


def test_products_of_rows_and_matrices_are_exact() -> None:
    generator = np.random.default_rng(1)
    row = generator.integers(1 << 51, 1 << 52, exact.MAX_ROWS)
    matrix = generator.integers(1 << 51, 1 << 52, (exact.MAX_ROWS, 3))
    matrix[:, 0] = (1 << 52) - 1
    expected = [sum(map(int.__mul__, row.tolist(), column)) for column in matrix.T.tolist()]
    assert exact.multiply_exactly(row, matrix).tolist() == expected


def test_the_cells_of_all_tables_are_limited_together() -> None:
    table = "frequency (hcp(north), 0, 1400, hcp(south), 0, 1400)"  # 1,403 by 1,403 cells
    make_plan(compile_script(f"action {table}"))  # printing it would take seconds
    with pytest.raises(ScriptError, match="5,905,227 cells, and at most 4,000,000 are possible"):
        dk.run(f"action {table}, {table}, {table}", produce=1)
    with pytest.raises(ScriptError, match="1,000,000,001 rows are too many for a table"):
        dk.run("action frequency (hcp(north), 0, 1000000000)", produce=1)


def test_many_clauses_are_not_counted() -> None:
    text = " and ".join(f"hcp(north) != {number}" for number in range(100, 101 + MAX_CLAUSES))
    compiled = compile_condition(text)
    with pytest.raises(TooManyStates, match="501 clauses are too many"):
        classify_clauses(SuitSums(compiled.graph), range(MAX_CLAUSES + 1))
    slots = range(exact.MAX_CLAUSES + 1)
    assert exact.find_countable(compiled.graph, slots) == ((), "201 clauses are too many to count deals")


def test_a_long_chain_of_choices_has_the_value_of_the_first_that_is_true() -> None:
    deals = dk.deal(500, seed=1)
    chain = "".join(f"hcp(south) == {i % 30} ? {i} : " for i in range(400)) + "-1"
    points = deals.eval("hcp(south)")
    assert (deals.eval(chain) == np.where(points < 30, points, -1)).all()
