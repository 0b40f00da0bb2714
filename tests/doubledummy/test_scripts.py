"""Scripts with double-dummy clauses: these are evaluated last, wherever the script has them."""

from __future__ import annotations

import numpy as np
import pytest

import dealerkit as dk

HANDS = (
    "shape(north, any 4333 + any 4432 + any 5332) and hcp(north) >= 15 and hcp(north) <= 18 "
    "and hcp(south) <= 12"
)
STRAINS = "spades", "hearts", "diamonds", "clubs", "notrump"
NTRIX = f"max({', '.join(f'tricks(north, {strain})' for strain in STRAINS)}) > 6"
ACTION = "action average hcp(north)"


@pytest.fixture(autouse=True)
def no_store(monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", "off")


def test_a_double_dummy_clause_costs_the_same_first_or_last():
    first = dk.run(f"condition {NTRIX} and {HANDS}\n{ACTION}", produce=4, seed=1, plan="plain")
    last = dk.run(f"condition {HANDS} and {NTRIX}\n{ACTION}", produce=4, seed=1, plan="plain")
    assert np.array_equal(first.numbers, last.numbers)
    counts = [(r.solver.requested, r.solver.solved) for r in (first, last)]
    assert counts[0] == counts[1]
    # All deals of the run solved: the right ones were produced, and few others were solved.
    survivors = dk.deal(first.generated, seed=1).where(HANDS)
    makes = np.max([dk.dd_tricks(survivors, strain, "north") for strain in "SHDCN"], axis=0) > 6
    assert survivors[makes].equals(dk.Deals(first.deals.hands))
    assert makes.sum() <= first.solver.requested <= 5 * len(survivors) < first.generated


def test_deals_on_which_alternatives_agree_are_not_solved():
    # With at most six spades together the value is 0; with more it depends on the tricks.
    script = "fit = spades(north) + spades(south)\naction average fit <= 6 ? 0 : dds(south, spades) >= 10"
    result = dk.run(script, produce=30, seed=3)
    fit = dk.deal(30, seed=3).eval("spades(north) + spades(south)")
    assert 0 < (fit > 6).sum() < 30
    assert result.solver.requested == result.solver.solved == (fit > 6).sum()
