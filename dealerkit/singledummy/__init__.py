"""Single-dummy play of one suit: all lines of play that are not dominated, against best defence."""

from __future__ import annotations

from dealerkit.singledummy.combination import Blocks, Combination, split_blocks
from dealerkit.singledummy.priors import (
    check_vacant,
    find_boundaries,
    find_worlds,
    is_symmetric,
    restrict_layouts,
    sum_worlds,
    weigh_layouts,
)
from dealerkit.singledummy.search import ALL, Search
from dealerkit.singledummy.solution import Solution, solve
from dealerkit.singledummy.states import State, list_leads, list_worlds
from dealerkit.singledummy.strategies import EIGHT, TEN, Position, build_state, list_outcomes, order_blocks

__all__ = [
    "ALL", "EIGHT", "TEN", "Blocks", "Combination", "Position", "Search", "Solution", "State", "build_state",
    "check_vacant", "find_boundaries", "find_worlds", "is_symmetric", "list_leads", "list_outcomes",
    "list_worlds", "order_blocks", "restrict_layouts", "solve", "split_blocks", "sum_worlds",
    "weigh_layouts",
]  # fmt: skip
