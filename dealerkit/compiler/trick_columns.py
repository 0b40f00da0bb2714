"""Double-dummy operations on columns: the number of tricks, and whether declarer takes so many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.trick_thresholds import MAX_THRESHOLDS, N_TRICK_COUNTS, thresholds

if TYPE_CHECKING:
    from dealerkit.compiler.evaluation import BatchColumns
    from dealerkit.compiler.operations import Operation


def tricks(columns: BatchColumns, operation: Operation) -> np.ndarray:
    """The number of tricks, int8 [n]; of several declarers at once where the graph groups them."""
    # The store is imported with this module: only scripts that need it wait for it.
    from dealerkit.doubledummy.lookup import Query, look_up, look_up_tricks

    seat, strain = operation.detail
    together = columns.graph.grouped_tricks.get(strain, ())
    if len(together) < 2:
        found = look_up_tricks(columns.deals, strain, seat)
        columns.store_tricks(strain, [seat], found[:, None])
        return found
    row = np.stack(look_up(columns.deals, [Query(strain, declarer) for declarer in range(4)]), axis=1)
    columns.store_tricks(strain, [0, 1, 2, 3], row)
    for slot in together:
        columns.store_value(slot, row[:, columns.graph.operations[slot].detail[0]])
    return row[:, seat]


def reaches(columns: BatchColumns, operation: Operation) -> np.ndarray:
    """The truth of a comparison of tricks, bool [n], from questions about single numbers of tricks."""
    from dealerkit.doubledummy.lookup import Query, look_up

    (comparison,), asked = operation.guarded, operation.detail
    seat, strain = columns.graph.operations[asked].detail
    first, numbers = _thresholds(columns, asked, comparison)
    if len(numbers) > MAX_THRESHOLDS or columns.has_value(asked):
        return columns.truth(comparison)
    found = look_up(columns.deals, [Query(strain, seat, number) for number in numbers])
    return np.logical_xor.reduce([np.full(len(columns), first), *found])  # each number turns the truth over


def _thresholds(columns: BatchColumns, asked: int, comparison: int) -> tuple[bool, list[int]]:
    memo = columns.graph.thresholds
    if comparison not in memo:
        every = type(columns)(columns.graph, Deals(np.zeros((N_TRICK_COUNTS, 4), np.uint64), check=False))
        every.store_value(asked, np.arange(N_TRICK_COUNTS, dtype=np.int8))
        memo[comparison] = thresholds(every.truth(comparison))
    return memo[comparison]
