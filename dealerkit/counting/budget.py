"""What can be counted in a moment: exact shares, where the count is small enough to be made in passing.

`probability` counts for seconds when it is asked to; `explain` and the reports of a run want to
know at once or not at all. How long a count takes is foretold from its size, never by a clock,
so that a script is always told the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from dealerkit.compiler.graph import OperationGraph
from dealerkit.counting.exact import count
from dealerkit.counting.features import abstract, questions
from dealerkit.counting.suit_splits import Question, Seats, TooManyStates, share_out
from dealerkit.counting.suit_sums import Forms
from dealerkit.dealing.predeal import Predeal

MOMENT = 5e8  # nanoseconds
# Nanoseconds of processor time, measured on conditions about one to four hands
_BASE = (8e6, 9e6, 4e7, 3e8, 3e8)  # by the number of seats
_PAIR = 18.0  # of partial deals that are joined
_NOT_NOW = "counting takes longer than a moment"


def counted(
    asked: Sequence[Question], predeal: Predeal | None = None, patience: float = MOMENT
) -> dict[int, int]:
    """As `exact.count`, where it takes no longer than about so many nanoseconds.

    Raises
    ------
    TooManyStates
        It takes longer.
    """
    who = Seats.of(asked, predeal or Predeal())
    cost = _BASE[len(who.seats) + (who.rest is not None)]
    if cost <= patience:
        first, second, third, fourth = (len(share_out(suit, who, asked).ways) for suit in who.order)
        cost += _PAIR * (first * second + third * fourth)
    if cost > patience:
        raise TooManyStates(_NOT_NOW)
    return count(asked, predeal)


def exact_share(
    graph: OperationGraph, clauses: Sequence[int], predeal: Predeal | None = None, patience: float = MOMENT
) -> Fraction:
    """The probability that a deal meets all of these clauses.

    Parameters
    ----------
    graph : OperationGraph
    clauses : sequence of int
        Slots.
    predeal : Predeal, optional
    patience : float
        Nanoseconds.

    Raises
    ------
    NotAdditive
        A clause is no function of sums over suits.
    TooManyStates
        The count takes longer.

    Examples
    --------
    >>> from dealerkit.compiler.compilation import compile_condition
    >>> compiled = compile_condition("hascard(north, AS) and hascard(north, AH)")
    >>> exact_share(compiled.graph, compiled.clauses)
    Fraction(1, 17)
    """
    predeal = predeal or Predeal()
    ways = counted(questions(Forms(graph), clauses), predeal, patience).get(1, 0)
    return Fraction(ways, predeal.deals)


def exact_cells(
    graph: OperationGraph,
    slot: int,
    cell: Callable[[np.ndarray], np.ndarray],
    cells: int,
    clauses: Sequence[int] = (),
    predeal: Predeal | None = None,
    patience: float = MOMENT,
) -> np.ndarray:
    """How the values of an expression are distributed over the cells of a table.

    Parameters
    ----------
    graph : OperationGraph
    slot : int
        Of the expression.
    cell : callable
        Values [n] to numbers of cells [n], 0 to `cells` - 1.
    cells : int
    clauses : sequence of int
        Slots that are true of all deals that count.
    predeal : Predeal, optional
    patience : float
        Nanoseconds.

    Returns
    -------
    ndarray of float64 [cells]
        Shares, each rounded once from its fraction; zeros where no deal meets the clauses.

    Raises
    ------
    NotAdditive, TooManyStates
        As `exact_share`.
    """
    forms = Forms(graph)
    told = abstract(forms, [slot])

    def outcome(codes: np.ndarray) -> np.ndarray:
        return 1 + np.asarray(cell(told.values(codes, slot)), np.int64)

    ways = counted([*questions(forms, clauses), Question(told.codes(), outcome)], predeal, patience)
    every = sum(ways.values()) or 1
    return np.array([float(Fraction(ways.get(1 + number, 0), every)) for number in range(cells)])
