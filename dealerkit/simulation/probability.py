"""Probabilities of conditions and values: exact fractions where deals can be counted, else estimates."""

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

N_DEALS = 1_000_000  # of an estimate; all of them satisfy the given condition
MAX_DEALT = 20_000_000  # to find them
MAX_VALUES = 20_000  # of an expression whose distribution is counted
SEED = int.from_bytes(b"dealerkit chance", "big")  # no run has it


@dataclass(frozen=True, eq=False)
class Shares:
    """Values of an expression and how often each occurs.

    Attributes
    ----------
    values : ndarray [n]
        Integers, truth values or reals, rising.
    counts : list of int
        Deals that have the value: among all deals if `exact`, else among those dealt.
    exact : bool
    why : str
        The reason why it is not exact.
    """

    values: np.ndarray
    counts: list[int]
    exact: bool
    why: str = ""

    @property
    def total(self) -> int:
        """The number of all deals counted."""
        return sum(self.counts)


def probability(
    condition: str,
    given: str | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Sequence[str | None] = (),
    *,
    deals: int = N_DEALS,
    level: float = 0.95,
) -> Estimate:
    """Return the probability that a deal satisfies a condition.

    The probability is exact if the condition and the given condition depend on sums over suits only
    (points, controls, losers, lengths, shapes, single cards, of one hand or of several hands in any
    combination) and the number of partial deals to be distinguished stays within the bounds of
    `dealerkit.counting.exact`. Otherwise it is the share among deals from a seed of its own, so that
    equal calls return equal estimates.

    Parameters
    ----------
    condition : str
        An expression of the dealer language; definitions may precede it.
    given : str, optional
        A condition that all deals satisfy among which the probability is taken.
    predeal : mapping, optional
        Cards or suit lengths of seats, as for `dealerkit.deal`.
    params : sequence of str
        Values of the script variables ``$0`` to ``$9``.
    deals : int >= 1
        Maximum number of deals of an estimate.
    level : float in (0, 1)
        Confidence level of its interval (Wilson).

    Returns
    -------
    Estimate
        With `fraction` if it is exact.

    Raises
    ------
    ArgumentError
        No deal satisfies the given condition.
    PredealError, ScriptError

    Examples
    --------
    >>> probability("spades(north) == 13").fraction
    Fraction(1, 635013559600)
    >>> probability("fit(NS, spades) >= 8", given="spades(north) == 5")
    0.543727 (exact)
    """
    deals = check_integer("deals", deals, 1)
    check_level(level)  # also if the result is exact and does not need it
    compiled = compile_condition(condition, given, predeal, params)
    clauses = compiled.clauses
    try:
        sums = SuitSums(compiled.graph)
        conditions = classify_clauses(sums, compiled.given)
        all_of_it = classify_clauses(sums, [*compiled.given, *clauses])
        cases = (
            count_deals(conditions, compiled.predeal).get(1, 0)
            if compiled.given
            else compiled.predeal.n_deals
        )
        if not cases:
            raise ArgumentError("no deal satisfies the given condition, so there is no probability under it")
        ways = count_deals(all_of_it, compiled.predeal).get(1, 0)
        return Estimate.exactly(Fraction(ways, cases), level=level)
    except (NotAdditive, TooManyStates):
        n_given = n_accepted = 0
        for columns in _sample_given(compiled, clauses, deals):
            n_given += len(columns)
            n_accepted += len(apply_clauses(columns, clauses))
        return proportion(n_accepted, n_given, level)


def shares(
    expression: str,
    given: str | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Sequence[str | None] = (),
    *,
    deals: int = N_DEALS,
) -> Shares:
    """Return the values of an expression and how often each occurs; arguments and errors of `probability`.

    Examples
    --------
    >>> hcp = shares("hcp(north)", given="shape(north, any 4333) and hcp(north) > 35")
    >>> hcp.values.tolist(), hcp.exact
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
            if len(found) > MAX_VALUES:
                raise TooManyStates(f"the expression has {len(found):,} values, more than {MAX_VALUES:,}")
            values[:] = [found]
            return position + 1

        ways = count_deals(
            [*classify_clauses(sums, compiled.given), SumClassifier(told.codes(), outcome)], compiled.predeal
        )
        result = Shares(values[0][[number - 1 for number in ways]], list(ways.values()), True)
    except (NotAdditive, TooManyStates) as reason:
        sampled = [columns.array(slot) for columns in _sample_given(compiled, [slot], deals)]
        found, position = _distinct(np.concatenate(sampled))
        counts = np.bincount(position, minlength=len(found)).tolist() if len(position) else []
        return Shares(found, counts, False, str(reason))
    if not result.counts:
        raise ArgumentError("no deal satisfies the given condition, so the expression has no values")
    return result


def _distinct(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct values and the index of each value; reals to nine decimals, as they compare."""
    return np.unique(np.round(values, 9) if values.dtype.kind == "f" else values, return_inverse=True)


def _sample_given(compiled: CompiledScript, slots: Sequence[int], deals: int) -> Any:
    """Yield columns of plain deals that satisfy the given condition, up to a number of deals."""
    used = [*compiled.given, *slots]
    graph = compiled.graph
    cost = max(graph.operations[slot].cost_ns for slot in used)
    n_needed = min(deals, max(MIN_DEALS, int(MAX_CLAUSE_NS / max(cost, 1e-3))))
    seats = graph.find_seats(used) or 1
    n_found = 0
    for first in range(0, MAX_DEALT, N_PILOT_DEALS):
        size = min(N_PILOT_DEALS, n_needed) if not compiled.given else N_PILOT_DEALS
        hands = deal_range(SEED, first, size, seats, compiled.predeal or None)
        columns = BatchColumns(graph, Deals(hands, check=False), SEED & 0xFFFFFFFF, first + np.arange(size))
        columns = apply_clauses(columns, compiled.given)
        if n_found + len(columns) > n_needed:
            columns = columns.take(np.arange(n_needed - n_found))
        n_found += len(columns)
        yield columns
        if n_found >= n_needed:
            return
    if not n_found:
        raise ArgumentError(
            f"none of {MAX_DEALT:,} deals satisfies the given condition, so there is no estimate; "
            "give a weaker condition, or predeal the cards"
        )
