"""Double-dummy operations on columns: the number of tricks, and whether declarer takes so many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.trick_thresholds import MOST_QUESTIONS, TRICKS, thresholds
from dealerkit.doubledummy.ledger import current_ledger

if TYPE_CHECKING:
    from dealerkit.compiler.evaluation import Columns
    from dealerkit.compiler.operations import Operation


def tricks(columns: Columns, operation: Operation) -> np.ndarray:
    """The number of tricks, int8 [n]; of several declarers at once where the formulas want them together."""
    from dealerkit.doubledummy import lookup as answers  # with its store: only who solves pays for it

    seat, strain = operation.detail
    together = columns.formulas.together.get(strain, ())
    if len(together) < 2:
        found = answers.tricks(columns.deals, strain, seat, current_ledger())
        columns.learn(strain, [seat], found[:, None])
        return found
    row = answers.rows(columns.deals, strain, current_ledger())
    columns.learn(strain, [0, 1, 2, 3], row)
    for slot in together:
        columns.keep(slot, row[:, columns.formulas.operations[slot].detail[0]])
    return row[:, seat]


def reaches(columns: Columns, operation: Operation) -> np.ndarray:
    """The truth of a comparison of tricks, bool [n], from questions about single numbers of tricks."""
    from dealerkit.doubledummy import lookup as answers

    (comparison,), asked = operation.guarded, operation.detail
    seat, strain = columns.formulas.operations[asked].detail
    first, numbers = _thresholds(columns, asked, comparison)
    if len(numbers) > MOST_QUESTIONS or columns.known(asked):
        return columns.truth(comparison)
    found = answers.many(columns.deals, [(strain, seat, number) for number in numbers], current_ledger())
    return np.logical_xor.reduce([np.full(len(columns), first), *found])  # each number turns the truth over


def _thresholds(columns: Columns, asked: int, comparison: int) -> tuple[bool, list[int]]:
    memo = columns.formulas.thresholds
    if comparison not in memo:
        every = type(columns)(columns.formulas, Deals(np.zeros((TRICKS, 4), np.uint64), check=False))
        every.keep(asked, np.arange(TRICKS, dtype=np.int8))
        memo[comparison] = thresholds(every.truth(comparison))
    return memo[comparison]
