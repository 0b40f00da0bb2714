"""The same run in other processes."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import registry


@pytest.fixture(scope="module")
def pool():
    # Fresh interpreters: nothing comes to them but what is sent.
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


def test_own_functions_are_sent_to_the_processes(pool) -> None:
    @dk.function("evens", args=["seat"], low=0, high=4, replace=True)
    def evens(deals, seat):
        hand = deals.hand(seat)
        return np.sum([np.bitwise_count(hand >> 16 * suit & 0x1FFF) % 2 == 0 for suit in range(4)], axis=0)

    try:
        script = "condition evens(north) == 3 action average evens(south)"
        here = dk.run(script, generate=20_000, seed=1)
        there = dk.run(script, generate=20_000, seed=1, executor=pool, threads=2)
        assert there.reports[0].mean == here.reports[0].mean and there.produced == here.produced > 0
        with pytest.raises(dk.DivisionByZeroError, match="deal"):
            dk.run("condition 1 / (evens(north) - 3) > 5", generate=20_000, seed=1, executor=pool)
    finally:
        registry.unregister("evens")
