"""Double-dummy operations on columns: numbers of tricks, and comparisons of them by thresholds."""

from __future__ import annotations

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.column_cache import ColumnCache
from dealerkit.compiler.operations import Operation
from dealerkit.compiler.trick_thresholds import MAX_THRESHOLDS, N_TRICK_COUNTS, find_thresholds


def evaluate_tricks(columns: ColumnCache, operation: Operation) -> np.ndarray:
    """Return the number of tricks, int8 [n]; all declarers of the strain at once where it is grouped."""
    # Imported late, since importing the solver takes time and most scripts do not need it.
    from dealerkit.doubledummy.lookup import Query, look_up, look_up_tricks

    seat, strain = operation.detail
    grouped = columns.graph.grouped_tricks.get(strain, ())
    if len(grouped) < 2:
        tricks = look_up_tricks(columns.deals, strain, seat)
        columns.attach_tricks(strain, [seat], tricks[:, None])
        return tricks
    row = np.stack(look_up(columns.deals, [Query(strain, declarer) for declarer in range(4)]), axis=1)
    columns.attach_tricks(strain, [0, 1, 2, 3], row)
    for slot in grouped:
        columns.set_value(slot, row[:, columns.graph.operations[slot].detail[0]])
    return row[:, seat]


def evaluate_reaches(columns: ColumnCache, operation: Operation) -> np.ndarray:
    """Return the truth of a comparison of tricks, bool [n], by testing its thresholds."""
    from dealerkit.doubledummy.lookup import Query, look_up

    (comparison,), tricks = operation.guarded, operation.detail
    seat, strain = columns.graph.operations[tricks].detail
    truth_at_zero, thresholds = _find_thresholds(columns, tricks, comparison)
    if len(thresholds) > MAX_THRESHOLDS or columns.has_value(tricks):
        return columns.truth(comparison)
    reached = look_up(columns.deals, [Query(strain, seat, number) for number in thresholds])
    # Each threshold that is reached changes the truth.
    values: np.ndarray = np.logical_xor.reduce([np.full(len(columns), truth_at_zero), *reached])
    return values


def _find_thresholds(columns: ColumnCache, tricks: int, comparison: int) -> tuple[bool, list[int]]:
    """Return the thresholds of a comparison, from its value for every number of tricks."""
    memo = columns.graph.thresholds
    if comparison not in memo:
        deals = Deals(np.zeros((N_TRICK_COUNTS, 4), np.uint64), check=False)
        all_counts = type(columns)(columns.graph, deals)
        all_counts.set_value(tricks, np.arange(N_TRICK_COUNTS, dtype=np.int8))
        memo[comparison] = find_thresholds(all_counts.truth(comparison))
    return memo[comparison]
