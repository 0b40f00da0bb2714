"""Each rule of the solver, made wrong, gives a wrong number of tricks in an ending that minimax solves."""

from __future__ import annotations

import pytest

from dealerkit.doubledummy.solver.workspace import Workspace
from tests.doubledummy.solver.mutations import MUTATIONS, count_tricks, read_traps
from tests.support.endings import count_by_minimax

TRAPS = read_traps()


def test_traps_have_the_tricks_of_minimax():
    workspace = Workspace()
    for name, ending in TRAPS.items():
        workspace.set_deal(ending.dealt, ending.strain)
        guess = ending.n_tricks // 2
        assert workspace.count_tricks(ending.table, ending.leader, guess) == count_by_minimax(ending), name


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(TRAPS))
def test_a_wrong_rule_gives_wrong_tricks(name):
    ending = TRAPS[name]
    assert count_tricks([ending], MUTATIONS[name]) != [count_by_minimax(ending)]


def test_no_trap_belongs_to_a_rule_that_does_not_exist():
    assert set(TRAPS) <= set(MUTATIONS) and len(TRAPS) >= 25
