"""Probabilities of conditions and values: exact fractions where deals can be counted, else estimates."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

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
from dealerkit.errors import ArgumentError, EvaluationError
from dealerkit.language.script_variables import Params
from dealerkit.planning.rates import MAX_CLAUSE_NS, MIN_DEALS, N_PILOT_DEALS
from dealerkit.statistics import Estimate, proportion
from dealerkit.statistics.intervals import check_confidence

N_DEALS = 1_000_000  # of an estimate; all of them satisfy the given condition
MAX_DEALT = 20_000_000  # to find them
MAX_VALUES = 20_000  # of an expression whose distribution is counted
SEED = int.from_bytes(b"dealerkit chance", "big")  # a run chooses one of 32 bits
T = TypeVar("T")


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
    reason : str
        Why it is not exact.
    """

    values: np.ndarray
    counts: list[int]
    exact: bool
    reason: str = ""

    @cached_property
    def total(self) -> int:
        """The number of all deals counted."""
        return sum(self.counts)


def probability(
    condition: str | os.PathLike,
    given: str | os.PathLike | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Params = (),
    *,
    deals: int = N_DEALS,
    confidence: float = 0.95,
) -> Estimate:
    """Return the probability that a deal satisfies a condition.

    The probability is exact if both conditions depend on sums over suits only
    (points, controls, losers, lengths, shapes, single cards, of one hand or of several hands in any
    combination) and the number of partial deals to be distinguished stays within the bounds of
    `dealerkit.counting.exact`. Otherwise it is the share among deals from a seed of its own, so that
    equal calls return equal estimates.

    Parameters
    ----------
    condition : str or os.PathLike
        An expression of the dealer language, or its file; definitions may precede it.
    given : str or os.PathLike, optional
        A condition that all deals satisfy among which the probability is taken.
    predeal : mapping, optional
        Cards or suit lengths of seats, as for `dealerkit.deal`.
    params : mapping or sequence
        Values of the script variables of both texts, as for `run`.
    deals : int >= 1
        Maximum number of deals of an estimate.
    confidence : float in (0, 1)
        Confidence level of its interval (Wilson).

    Returns
    -------
    Estimate
        With `fraction` if it is exact.

    Raises
    ------
    ArgumentError
        No deal satisfies the given condition.
    EvaluationError
        An expression has no value for a deal, as in a division by zero; the message has the deal.
    PredealError, ScriptError

    Examples
    --------
    >>> probability("spades(north) == 13").fraction
    Fraction(1, 635013559600)
    >>> probability("fit(NS, spades) >= 8", given="spades(north) == 5")
    0.543727 (exact)
    """
    deals = check_integer("deals", deals, 1)
    check_confidence(confidence)  # also if the result is exact and does not need it
    compiled = compile_condition(condition, given, predeal, params)
    clauses = compiled.clauses
    try:
        sums = SuitSums(compiled.graph)
        all_conditions = classify_clauses(sums, [*compiled.given, *clauses])
        n_given = compiled.program.predeal.n_deals
        if compiled.given:
            n_given = count_deals(classify_clauses(sums, compiled.given), compiled.program.predeal).get(1, 0)
        if not n_given:
            raise ArgumentError("no deal satisfies the given condition, so there is no probability under it")
        n_accepted = count_deals(all_conditions, compiled.program.predeal).get(1, 0)
        return Estimate.exactly(Fraction(n_accepted, n_given), confidence=confidence)
    except (NotAdditive, TooManyStates):
        n_given = n_accepted = 0
        for n_sampled, columns in _sample_given(
            compiled, clauses, deals, lambda columns: apply_clauses(columns, clauses)
        ):
            n_given += n_sampled
            n_accepted += len(columns)
        return proportion(n_accepted, n_given, confidence)


def count_values(
    expression: str | os.PathLike,
    given: str | os.PathLike | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Params = (),
    *,
    deals: int = N_DEALS,
) -> Shares:
    """Return the values of an expression and how often each occurs; arguments and errors of `probability`.

    Examples
    --------
    >>> hcp = count_values("hcp(north)", given="shape(north, any 4333) and hcp(north) > 35")
    >>> hcp.values.tolist(), hcp.exact
    ([36, 37], True)
    """
    compiled = compile_condition(expression, given, predeal, params)
    slot = compiled.expression
    try:
        sums = SuitSums(compiled.graph)
        features = map_features(sums, [slot])
        values = np.empty(0)

        def number_values(codes: np.ndarray) -> np.ndarray:
            nonlocal values
            values, position = _find_distinct(features.values(codes, slot))
            if len(values) > MAX_VALUES:
                raise TooManyStates(f"the expression has {len(values):,} values, more than {MAX_VALUES:,}")
            return position + 1

        classifier = SumClassifier(features.codes(), number_values)
        counts = count_deals([*classify_clauses(sums, compiled.given), classifier], compiled.program.predeal)
        result = Shares(values[[number - 1 for number in counts]], list(counts.values()), True)
    except (NotAdditive, TooManyStates) as reason:
        samples = _sample_given(compiled, [slot], deals, lambda columns: columns.array(slot))
        sampled = [values for _, values in samples]
        values, position = _find_distinct(np.concatenate(sampled))
        return Shares(values, np.bincount(position, minlength=len(values)).tolist(), False, str(reason))
    if not result.counts:
        raise ArgumentError("no deal satisfies the given condition, so the expression has no values")
    return result


def _find_distinct(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct values and the index of each value; reals to nine decimals, as they compare."""
    return np.unique(np.round(values, 9) if values.dtype.kind == "f" else values, return_inverse=True)


def _sample_given(
    compiled: CompiledScript, slots: Sequence[int], deals: int, evaluate: Callable[[BatchColumns], T]
) -> Iterator[tuple[int, T]]:
    """Yield how many plain deals satisfy the given condition, batch by batch, and their evaluation.

    Parameters
    ----------
    slots : sequence of int
        What `evaluate` evaluates.
    deals : int
        Maximum number of deals.
    evaluate : callable
        ``evaluate(columns)`` on the columns of the deals of a batch.

    Raises
    ------
    EvaluationError
        A deal has no value; the message has the deal.
    """
    used, graph = [*compiled.given, *slots], compiled.graph
    cost = max(graph.operations[slot].cost_ns for slot in used)
    n_needed = min(deals, max(MIN_DEALS, int(MAX_CLAUSE_NS / max(cost, 1e-3))))
    seats = graph.find_seats(used) or 1
    n_sampled = 0
    for first in range(0, MAX_DEALT, N_PILOT_DEALS):
        size = min(N_PILOT_DEALS, n_needed) if not compiled.given else N_PILOT_DEALS
        hands = deal_range(SEED, first, size, seats, compiled.program.predeal)
        columns = BatchColumns(graph, Deals(hands, check=False), SEED & 0xFFFFFFFF, first + np.arange(size))
        try:
            columns = apply_clauses(columns, compiled.given)
            if n_sampled + len(columns) > n_needed:
                columns = columns.take(np.arange(n_needed - n_sampled))
            evaluated = evaluate(columns)
        except EvaluationError as error:
            hands = deal_range(SEED, first + error.row, 1, predeal=compiled.program.predeal)
            (deal,) = Deals(hands).to_pbn()
            raise type(error)(f"{error.message}, as in the deal {deal}", error.row) from None
        n_sampled += len(columns)
        yield len(columns), evaluated
        if n_sampled >= n_needed:
            return
    if not n_sampled:
        raise ArgumentError(
            f"none of {MAX_DEALT:,} deals satisfies the given condition, so there is no estimate; "
            "give a weaker condition, or predeal the cards"
        )
