"""How likely a condition is: an exact fraction where it can be counted, else an estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.compiler.compilation import CompiledScript, compile_condition
from dealerkit.compiler.evaluation import BatchColumns, apply_clauses
from dealerkit.counting.exact import count_deals
from dealerkit.counting.features import NotAdditive, classify_clauses, map_features
from dealerkit.counting.suit_splits import SumClassifier, TooManyStates
from dealerkit.counting.suit_sums import SuitSums
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.errors import ArgumentError
from dealerkit.planning.rates import MAX_CLAUSE_NS, MIN_DEALS, N_PILOT_DEALS
from dealerkit.statistics import Estimate, proportion
from dealerkit.statistics.estimates import check_level

DEALS = 1_000_000  # that meet what is given, for an estimate
MOST_DEALT = 20_000_000  # in the search for them
MOST_VALUES = 20_000  # of an expression whose distribution is counted
SEED = int.from_bytes(b"dealerkit chance", "big")  # nobody's run


@dataclass(frozen=True, eq=False)
class Shares:
    """Values of an expression and how often each occurs.

    Attributes
    ----------
    values : ndarray [n]
        Integers, truth values or reals, rising.
    counts : list of int
        Deals that have the value: of all that there are if `exact`, else of those dealt.
    exact : bool
    why : str
        Why it is not exact.
    """

    values: np.ndarray
    counts: list[int]
    exact: bool
    why: str = ""

    @property
    def total(self) -> int:
        return sum(self.counts)


def probability(
    condition: str,
    given: str | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Sequence[str | None] = (),
    *,
    deals: int = DEALS,
    level: float = 0.95,
) -> Estimate:
    """How likely a deal meets a condition.

    Exact where the condition, and what is given, look at sums over suits only: points,
    controls, losers, lengths, shapes, single cards, of one hand, of partners, of several hands,
    in whatever combination, while not too many partial deals have to be told apart (the
    bounds stand in `dealerkit.counting.exact`). Else the share among deals dealt from a seed of
    its own, so that the same question always has the same answer.

    Parameters
    ----------
    condition : str
        An expression of the dealer language, after definitions of its own if it likes.
    given : str, optional
        Only deals that meet this count.
    predeal : mapping, optional
        Cards or suit lengths of seats, as for `dealerkit.deal`.
    params : sequence of str
        Values of the script variables ``$0`` to ``$9``.
    deals : int >= 1
        How many deals an estimate rests on, at most.
    level : float in (0, 1)
        Confidence level of its interval (Wilson's).

    Returns
    -------
    Estimate
        With `fraction` where it is exact.

    Raises
    ------
    ArgumentError
        No deal meets what is given.
    PredealError, ScriptError

    Examples
    --------
    >>> probability("spades(north) == 13").fraction
    Fraction(1, 635013559600)
    >>> probability("fit(NS, spades) >= 8", given="spades(north) == 5")
    0.543727 (exact)
    """
    deals = check_integer("deals", deals, 1)
    check_level(level)  # also where the answer is exact and has no use for them
    compiled = compile_condition(condition, given, predeal, params)
    clauses = compiled.clauses
    try:
        sums = SuitSums(compiled.graph)
        conditions = classify_clauses(sums, compiled.given)
        all_of_it = classify_clauses(sums, [*compiled.given, *clauses])
        cases = (
            count_deals(conditions, compiled.predeal).get(1, 0) if compiled.given else compiled.predeal.deals
        )
        if not cases:
            raise ArgumentError("no deal meets what is given, so nothing is likely or unlikely then")
        ways = count_deals(all_of_it, compiled.predeal).get(1, 0)
        return Estimate.exactly(Fraction(ways, cases), level=level)
    except (NotAdditive, TooManyStates):
        met = passed = 0
        for columns in _sample(compiled, clauses, deals):
            met += len(columns)
            passed += len(apply_clauses(columns, clauses))
        return proportion(passed, met, level)


def shares(
    expression: str,
    given: str | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Sequence[str | None] = (),
    *,
    deals: int = DEALS,
) -> Shares:
    """The values of an expression and how often each occurs; arguments and errors as for `probability`.

    Examples
    --------
    >>> found = shares("hcp(north)", given="shape(north, any 4333) and hcp(north) > 35")
    >>> found.values.tolist(), found.exact
    ([36, 37], True)
    """
    compiled = compile_condition(expression, given, predeal, params)
    slot = compiled.expression
    try:
        sums = SuitSums(compiled.graph)
        told = map_features(sums, [slot])
        values: list[np.ndarray] = []

        def outcome(codes: np.ndarray) -> np.ndarray:
            found, position = _distinct(told.values(codes, slot))
            if len(found) > MOST_VALUES:
                raise TooManyStates(f"the expression has {len(found):,} values, more than {MOST_VALUES:,}")
            values[:] = [found]
            return position + 1

        ways = count_deals(
            [*classify_clauses(sums, compiled.given), SumClassifier(told.codes(), outcome)], compiled.predeal
        )
        result = Shares(values[0][[number - 1 for number in ways]], list(ways.values()), True)
    except (NotAdditive, TooManyStates) as reason:
        sampled = [columns.array(slot) for columns in _sample(compiled, [slot], deals)]
        found, position = _distinct(np.concatenate(sampled))
        counts = np.bincount(position, minlength=len(found)).tolist() if len(position) else []
        return Shares(found, counts, False, str(reason))
    if not result.counts:
        raise ArgumentError("no deal meets what is given, so the expression has no values")
    return result


def _distinct(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct values, and which of them each is; reals to nine digits behind the point, as they compare."""
    return np.unique(np.round(values, 9) if values.dtype.kind == "f" else values, return_inverse=True)


def _sample(compiled: CompiledScript, slots: Sequence[int], deals: int) -> Any:
    """Columns of plain deals that meet what is given, up to so many."""
    every = [*compiled.given, *slots]
    graph = compiled.graph
    cost = max(graph.operations[slot].cost_ns for slot in every)
    wanted = min(deals, max(MIN_DEALS, int(MAX_CLAUSE_NS / max(cost, 1e-3))))
    seats = graph.find_seats(every) or 1
    met = 0
    for first in range(0, MOST_DEALT, N_PILOT_DEALS):
        size = min(N_PILOT_DEALS, wanted) if not compiled.given else N_PILOT_DEALS
        hands = deal_range(SEED, first, size, seats, compiled.predeal or None)
        columns = BatchColumns(graph, Deals(hands, check=False), SEED & 0xFFFFFFFF, first + np.arange(size))
        columns = apply_clauses(columns, compiled.given)
        if met + len(columns) > wanted:
            columns = columns.take(np.arange(wanted - met))
        met += len(columns)
        yield columns
        if met >= wanted:
            return
    if not met:
        raise ArgumentError(
            f"none of {MOST_DEALT:,} deals meets what is given, so nothing can be said; "
            "give less, or predeal the cards"
        )
