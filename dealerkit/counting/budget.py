"""Exact shares of deals, where counting them costs no more than a budget.

`probability` may count for seconds; `explain` and the reports of a run use a share only if it is
counted fast. The cost of a count is estimated from its size and no clock is read, so that the
result for a script is always the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

import numpy as np

from dealerkit.compiler.graph import OperationGraph
from dealerkit.counting.exact import count_deals
from dealerkit.counting.features import NotAdditive, check_number, classify_clauses, map_features
from dealerkit.counting.suit_splits import SumClassifier, TooManyStates
from dealerkit.counting.suit_sums import SuitSums
from dealerkit.dealing.predeal import Predeal

BUDGET_NS = 5e8
MAX_CLAUSES = 200  # whose sums are tabulated within this budget


def count_share(
    graph: OperationGraph,
    clauses: Sequence[int],
    predeal: Predeal | None = None,
    budget_ns: float = BUDGET_NS,
) -> Fraction:
    """Return the exact probability that a deal meets all of these clauses, given as slots.

    NotAdditive is raised if a clause is no function of sums over suits, TooManyStates if the
    estimated cost exceeds the budget or the count a bound of `exact`.

    >>> from dealerkit.compiler.compilation import compile_condition
    >>> compiled = compile_condition("hascard(north, AS) and hascard(north, AH)")
    >>> count_share(compiled.graph, compiled.clauses)
    Fraction(1, 17)
    """
    predeal = predeal or Predeal()
    check_number(clauses, MAX_CLAUSES)
    n_deals = count_deals(classify_clauses(SuitSums(graph), clauses), predeal, budget_ns).get(1, 0)
    return Fraction(n_deals, predeal.n_deals)


def find_countable(graph: OperationGraph, clauses: Iterable[int]) -> tuple[tuple[int, ...], str]:
    """Return the clauses that are functions of sums over suits, and why the first other clause is not."""
    sums, countable, obstacle = SuitSums(graph), [], ""
    slots = tuple(clauses)
    try:
        check_number(slots, MAX_CLAUSES)
    except TooManyStates as reason:
        return (), str(reason)
    for slot in slots:
        try:
            map_features(sums, [slot])
            countable.append(slot)
        except NotAdditive as error:
            obstacle = obstacle or str(error)
    return tuple(countable), obstacle


def count_cell_shares(
    graph: OperationGraph,
    slot: int,
    find_cells: Callable[[np.ndarray], np.ndarray],
    n_cells: int,
    clauses: Sequence[int] = (),
    predeal: Predeal | None = None,
    budget_ns: float = BUDGET_NS,
) -> np.ndarray:
    """Return the exact distribution of an expression over the cells of a table, float64 [n_cells].

    `find_cells` maps values [n] to numbers of cells [n], 0 to `n_cells` - 1. Only deals that meet all
    `clauses` (slots) are counted. Each share is rounded once from its fraction; all are 0 if no deal
    meets the clauses. The errors are those of `count_share`.
    """
    check_number(clauses, MAX_CLAUSES)
    sums = SuitSums(graph)
    mapping = map_features(sums, [slot])

    def classify(codes: np.ndarray) -> np.ndarray:
        return 1 + np.asarray(find_cells(mapping.values(codes, slot)), np.int64)

    classifiers = [*classify_clauses(sums, clauses), SumClassifier(mapping.codes(), classify)]
    numbers = count_deals(classifiers, predeal, budget_ns)
    total = sum(numbers.values()) or 1
    return np.array([float(Fraction(numbers.get(1 + cell, 0), total)) for cell in range(n_cells)])
