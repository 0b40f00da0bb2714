"""Counts within a budget: against enumerations, and against counts without one."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from dealerkit import probability
from dealerkit.compiler.compilation import compile_condition
from dealerkit.counting import BUDGET_NS, NotAdditive, TooManyStates, count_cell_shares, count_share


def share(condition: str, budget_ns: float = BUDGET_NS, **predeal) -> Fraction:
    compiled = compile_condition(condition, predeal=predeal or None)
    return count_share(compiled.graph, compiled.clauses, compiled.program.predeal, budget_ns)


def test_shares_are_exact():
    assert share("spades(north) == 5 and hcp(north, spades) == 0") == Fraction(
        comb(9, 5) * comb(39, 8), comb(52, 13)
    )
    assert share("hascard(north, AS)", south="SA") == 0
    for condition in ("hcp(north) + hcp(south) > 25", "fit(NS, hearts) > 8 and hcp(east) > 9"):
        assert share(condition) == probability(condition).fraction


def test_a_count_over_the_budget_is_refused():
    assert share("hcp(north) > 19", 2e7)
    with pytest.raises(TooManyStates, match="would take too long"):
        share("hcp(north) > 19 and hcp(south) > 3", 2e7)
    with pytest.raises(TooManyStates):
        share("hcp(north) > hcp(east) and hcp(east) > hcp(south)")
    with pytest.raises(NotAdditive, match="cccc"):
        share("cccc(north) > 3")


@pytest.mark.parametrize("given", [None, "hearts(north) == 2"])
def test_cells_are_exact(given):
    compiled = compile_condition("spades(north)", given)
    cells = count_cell_shares(
        compiled.graph, compiled.expression, lambda v: np.minimum(v, 8), 9, compiled.given
    )
    cards, free = (13, 52) if given is None else (11, 39)
    expected = [
        comb(13, k) * comb(free - 13, cards - k) / comb(free, cards) for k in range(min(13, cards) + 1)
    ]
    assert cells[:8].tolist() == pytest.approx(expected[:8], rel=1e-14)
    assert cells[8] == pytest.approx(sum(expected[8:]), rel=1e-12)


def test_cells_of_an_impossible_condition_are_zero():
    compiled = compile_condition("spades(north)", "hcp(north) > 37")
    assert not count_cell_shares(compiled.graph, compiled.expression, lambda v: v, 14, compiled.given).any()
