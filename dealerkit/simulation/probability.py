"""Probabilities of conditions and values: exact fractions if deals can be counted, otherwise estimates."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from dealerkit.arguments import Given, HasCondition, check_integer, check_optional_integer, read_given
from dealerkit.cards.deals import Deals
from dealerkit.compiler.compilation import CompiledScript, compile_condition
from dealerkit.compiler.evaluation import BatchColumns, apply_clauses
from dealerkit.counting.exact import count_deals, count_share, find_countable
from dealerkit.counting.features import NotAdditive, classify_clauses, map_features
from dealerkit.counting.suit_splits import SumClassifier, TooManyStates
from dealerkit.counting.suit_sums import SuitSums
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.errors import ArgumentError, EvaluationError
from dealerkit.language import nodes
from dealerkit.language.script_variables import Params
from dealerkit.planning.choice import choose_plan
from dealerkit.planning.plan import Limits, Plan, Sampling, needs_solver, order_clauses
from dealerkit.planning.rates import MAX_CLAUSE_NS, MIN_DEALS, N_PILOT_DEALS
from dealerkit.runtime.process import cached_property
from dealerkit.runtime.progress import long_work
from dealerkit.simulation.calls import drop_empty, format_call, read_text
from dealerkit.simulation.value_shares import ValueShares
from dealerkit.statistics import Estimate, Probability, proportion
from dealerkit.statistics.estimates import scale_estimate
from dealerkit.statistics.intervals import check_confidence, share_interval

if TYPE_CHECKING:
    from dealerkit.simulation.distributions import Distribution

N_DEALS = 1_000_000  # number of deals of an estimate, which all satisfy the given condition
MAX_DEALT = 20_000_000  # number of deals dealt to find them
MAX_VALUES = 20_000  # largest number of values of an expression whose distribution is counted
SEED = int.from_bytes(b"dealerkit chance", "big")  # a run chooses one of 32 bits
GIVEN_SEED = int.from_bytes(b"given", "big") << 64  # makes another seed, whose deals are independent
NO_ESTIMATE = (
    "satisfies the given condition, so there is no estimate; give a weaker condition, or predeal the cards"
)
IMPOSSIBLE_GIVEN = "no deal satisfies the given condition, so there is no probability under it"
MAX_SHARE = Fraction(1, 20)  # share of deals that are candidates, up to which a condition counts as rare
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class ConditionDeals:
    """The deals that meet some clauses, by number: plain deals, or candidates of a sampler.

    Attributes
    ----------
    compiled : CompiledScript
    slots : tuple of int
        The clauses, in the order in which they are evaluated.
    used : tuple of int
        Slots that are evaluated on the deals, including the clauses.
    seed : int
    sampling : Sampling or None
        None: plain deals.
    """

    compiled: CompiledScript
    slots: tuple[int, ...]
    used: tuple[int, ...]
    seed: int
    sampling: Sampling | None = None

    @classmethod
    def choose(
        cls, compiled: CompiledScript, slots: Sequence[int], used: Sequence[int], seed: int, n_deals: int
    ) -> ConditionDeals:
        """Return the deals that meet clauses: candidates if at most a twentieth of all deals are candidates.

        `n_deals` must be found. The choice depends only on the condition and this number.
        """
        plain = cls(compiled, tuple(slots), (*slots, *used), seed)
        if not slots:
            return plain
        graph = compiled.graph
        parts = (graph.operations[slot].node for slot in slots)
        condition = nodes.And(tuple(node for node in parts if node is not None))
        clauses = order_clauses(graph, slots)
        n_solver = len(list(takewhile(lambda slot: needs_solver(graph, slot), reversed(clauses))))
        # samplers' tables are kept by condition, and this condition may come from two texts
        program = replace(compiled.program, condition=condition)
        plan = Plan(program, graph, clauses, (), n_solver)
        plan = choose_plan(plan, "auto", Limits(None, n_deals), program.predeal)
        if plan.sampling is None or plan.sampling.share > MAX_SHARE:
            return plain
        return replace(plain, slots=plan.clauses, sampling=plan.sampling)

    @property
    def share(self) -> Fraction:
        """The probability that a deal is a candidate."""
        return Fraction(1) if self.sampling is None else self.sampling.share

    @property
    def accepts_all(self) -> bool:
        """Whether every candidate meets all clauses."""
        is_sampled = self.sampling is None or self.sampling.sampler.accepts_all
        return is_sampled and not self.slots

    def limit(self, n_deals: int) -> int:
        """Return the number of deals to evaluate: fewer than `n_deals` if a clause is expensive."""
        cost = max((self.compiled.graph.operations[slot].cost_ns for slot in self.used), default=0.0)
        return min(n_deals, max(MIN_DEALS, int(MAX_CLAUSE_NS / max(cost, 1e-3))))

    def columns(self, first: int, size: int, seats: int = 0) -> BatchColumns:
        """Return the columns of the deals, among `size` candidates, that meet the clauses.

        `seats` is a bit set of seats to deal in addition to those that the slots depend on.

        Raises
        ------
        EvaluationError
            A clause has no value for a deal; the message gives the deal.
        """
        hands, numbers = self._deal(first, size, self.compiled.graph.find_seats(self.used) | seats or 1)
        deals = Deals(hands, check=False)
        columns = BatchColumns(self.compiled.graph, deals, self.seed & 0xFFFFFFFF, numbers)
        return apply_clauses(columns, self.slots)

    def locate_error(self, error: EvaluationError, first: int, size: int) -> EvaluationError:
        """Return an error about these candidates, or about values on their columns, with the deal."""
        hands, _ = self._deal(first, size, 0b1111)
        (deal,) = Deals(hands[error.row : error.row + 1], check=False).to_pbn()
        return type(error)(f"{error.message}, as in the deal {deal}", error.row)

    def _deal(self, first: int, size: int, seats: int) -> tuple[np.ndarray, np.ndarray]:
        """Return hands [n, 4] and their numbers [n] of `size` candidates, without those it rejects itself."""
        if self.sampling is None:
            predeal = self.compiled.program.predeal
            return deal_range(self.seed, first, size, seats, predeal), first + np.arange(size)
        from dealerkit.dealing.conditional.sampler import sample_range  # the import takes 0.1 s

        return sample_range(self.sampling.sampler, self.seed, first, size, seats)

    def batches(self, n_candidates: int) -> Iterator[tuple[int, int]]:
        """Yield the first candidate and the number of candidates of each batch."""
        for first in range(0, n_candidates, N_PILOT_DEALS):
            yield first, min(N_PILOT_DEALS, n_candidates - first)

    def estimate_rate(self, n_deals: int, confidence: float) -> Estimate:
        """Return the probability that a deal meets the clauses, from at most `n_deals` candidates.

        It is exact if all candidates meet the clauses, or there are no candidates.
        """
        share = self.share
        if not share or self.accepts_all:
            return Estimate.exactly(share, confidence=confidence)
        n_accepted, n_candidates = 0, self.limit(n_deals)
        for first, size in self.batches(n_candidates):
            try:
                n_accepted += len(self.columns(first, size))
            except EvaluationError as error:
                raise self.locate_error(error, first, size) from None
        return scale_estimate(proportion(n_accepted, n_candidates, confidence), share)


def divide(part: Estimate, whole: Estimate) -> Estimate:
    """Return the quotient of independent estimates, a share; the variances of their logarithms add up.

    `whole` is above 0. If the part has no deal, the interval ends at the quotient of its upper end and the
    lower end of the whole.
    """
    if whole.fraction is not None:
        return scale_estimate(part, 1 / whole.fraction)
    value = part.value / whole.value
    if not value > 0:
        return replace(part, value=value, se=math.nan, lo=0.0, hi=min(part.hi / whole.lo, 1.0), exact=False)
    down = math.hypot(math.log(part.value / part.lo), math.log(whole.hi / whole.value))
    up = math.hypot(math.log(part.hi / part.value), math.log(whole.value / whole.lo))
    return Estimate(
        min(value, 1.0),
        value * math.hypot(part.se / part.value, whole.se / whole.value),
        value * math.exp(-down),
        min(value * math.exp(up), 1.0),
        min(part.n, whole.n) or max(part.n, whole.n),
        part.confidence,
    )


@dataclass(frozen=True, eq=False)
class Shares:
    """Values of an expression and how often each occurs.

    Attributes
    ----------
    values : ndarray [n]
        Integers, truth values or reals, rising.
    counts : list of int
        Number of deals with the value: among all deals if `exact`, otherwise among those dealt.
    exact : bool
    """

    values: np.ndarray
    counts: list[int]
    exact: bool

    @cached_property
    def total(self) -> int:
        """The number of all deals counted."""
        return sum(self.counts)


@long_work
def probability(
    condition: str | os.PathLike | HasCondition,
    given: Given | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Params = (),
    *,
    deals: int = N_DEALS,
    confidence: float = 0.95,
    seed: int | None = None,
    include: Sequence[str | os.PathLike] = (),
) -> Probability:
    """Return the probability that a deal satisfies a condition.

    The probability is exact if both conditions depend only on sums over suits (points, controls, losers,
    lengths, shapes, single cards; of one hand, or of several hands in any combination) and the number of
    partial deals to distinguish is not too large. Otherwise it is the share among dealt deals. Their seed is
    fixed unless one is given, so equal calls return equal estimates. If at most one deal in twenty is a
    candidate of conditional dealing, candidates are dealt: the estimate is the share of accepted candidates
    times the exact probability of a candidate, divided by the probability of the given condition. A
    probability is also exactly 0 if some clauses that can be counted exclude each other.

    Parameters
    ----------
    condition : str, os.PathLike or Auction
        An expression of the dealer language, or its file; definitions may come before it.
    given : str, os.PathLike or Auction, optional
        A condition: the result is the probability among the deals that satisfy it.
    predeal : mapping, optional
        Cards or suit lengths of seats, as for `dealerkit.deal`.
    params : mapping or sequence
        Values of the script variables of both texts, as for `run`.
    deals : int >= 1
        Maximum number of deals, or candidates, of an estimate.
    confidence : float in (0, 1)
        Confidence level of the interval (Wilson; for a quotient, the logarithmic errors are combined).
    seed : int >= 0 or None
        Seed of an estimate; equal seeds return equal estimates.
    include : sequence of str or os.PathLike
        Folders to search for included files, as for `parse`.

    Returns
    -------
    Probability
        An `Estimate` that is shown in per cent and as odds, with `fraction` if it is exact.

    Raises
    ------
    ArgumentError
        No deal satisfies the given condition.
    EvaluationError
        An expression has no value for a deal, as in a division by zero; the message gives the deal.
    PredealError, ScriptError

    Examples
    --------
    >>> probability("spades(north) == 13").fraction
    Fraction(1, 635013559600)
    >>> rare = probability("hcp(north) >= 24 and spades(south) >= 6 and cccc(south) >= 12", seed=1)
    >>> f"{rare:.1e}"
    '4.7e-06 ± 2.9e-08'
    >>> probability("fit(NS, spades) >= 8", given="spades(north) == 5")
    0.543727 (exact)
    """
    deals, seed = check_integer("deals", deals, 1), check_optional_integer("seed", seed)
    check_confidence(confidence)  # even if the result is exact and does not need it
    condition, given = read_given(condition, predeal), read_given(given, predeal)
    compiled = compile_condition(condition, given, predeal, params, include)
    clauses = compiled.clauses
    try:
        sums = SuitSums(compiled.graph)
        all_conditions = classify_clauses(sums, [*compiled.given, *clauses])
        n_given = compiled.program.predeal.n_deals
        if compiled.given:
            n_given = count_deals(classify_clauses(sums, compiled.given), compiled.program.predeal).get(1, 0)
        if not n_given:
            raise ArgumentError(IMPOSSIBLE_GIVEN)
        n_accepted = count_deals(all_conditions, compiled.program.predeal).get(1, 0)
        exact = Estimate.exactly(Fraction(n_accepted, n_given), confidence=confidence)
        return Probability.of(exact)
    except (NotAdditive, TooManyStates):
        seed = SEED if seed is None else seed
        estimate = _estimate_probability(compiled, deals, seed, confidence)
        return Probability.of(replace(estimate, samples=frozenset({f"seed {seed}"})))


def _estimate_probability(compiled: CompiledScript, n_deals: int, seed: int, confidence: float) -> Estimate:
    """Return the share among deals that satisfy the given condition or, if it is rare, a quotient.

    The quotient is the probability of both conditions, from the candidates of a sampler, divided by that of
    the given condition.
    """
    clauses, given = compiled.clauses, compiled.given
    # Clauses that exclude each other, as a count proves
    if _is_excluded(compiled, (*given, *clauses)):
        if _is_excluded(compiled, given):
            raise ArgumentError(IMPOSSIBLE_GIVEN)
        if given and not _find_given_rate(compiled, n_deals, seed, confidence).value:
            raise ArgumentError(f"none of {n_deals:,} deals {NO_ESTIMATE}")
        return Estimate.exactly(Fraction(0), confidence=confidence)
    # A condition that is not rare: its share among the deals that meet the given condition
    both = ConditionDeals.choose(compiled, (*given, *clauses), (), seed, n_deals)
    if both.sampling is None:
        n_given = n_accepted = 0
        samples = _sample_given(
            compiled, clauses, n_deals, seed, lambda columns: apply_clauses(columns, clauses)
        )
        for n_sampled, columns in samples:
            n_given += n_sampled
            n_accepted += len(columns)
        return proportion(n_accepted, n_given, confidence)
    # A rare condition: the probability of both, divided by that of the given condition
    rate = both.estimate_rate(n_deals, confidence)
    if not given:
        return rate
    given_rate = _find_given_rate(compiled, n_deals, seed, confidence)
    if not given_rate.value:
        raise ArgumentError(f"none of {given_rate.n:,} deals {NO_ESTIMATE}")
    return divide(rate, given_rate)


def _is_excluded(compiled: CompiledScript, slots: Sequence[int]) -> bool:
    """Return whether a count of the clauses that can be counted proves that no deal meets all clauses."""
    countable = find_countable(compiled.graph, dict.fromkeys(slots))[0]
    try:
        return bool(countable) and not count_share(compiled.graph, countable, compiled.program.predeal)
    except TooManyStates:
        return False


def _find_given_rate(compiled: CompiledScript, n_deals: int, seed: int, confidence: float) -> Estimate:
    """Return the probability of the given condition, counted or estimated from other deals."""
    predeal = compiled.program.predeal
    try:
        n_given = count_deals(classify_clauses(SuitSums(compiled.graph), compiled.given), predeal).get(1, 0)
    except (NotAdditive, TooManyStates):
        other_deals = ConditionDeals.choose(compiled, compiled.given, (), seed ^ GIVEN_SEED, n_deals)
        return other_deals.estimate_rate(n_deals, confidence)
    return Estimate.exactly(Fraction(n_given, predeal.n_deals), confidence=confidence)


def count_values(
    expression: str | os.PathLike | HasCondition,
    given: Given | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Params = (),
    *,
    deals: int = N_DEALS,
    seed: int | None = None,
    include: Sequence[str | os.PathLike] = (),
) -> Shares:
    """Return the values of an expression and how often each occurs; arguments and errors of `probability`.

    Examples
    --------
    >>> hcp = count_values("hcp(north)", given="shape(north, any 4333) and hcp(north) > 35")
    >>> hcp.values.tolist(), hcp.exact
    ([36, 37], True)
    """
    expression, given = read_given(expression, predeal), read_given(given, predeal)
    compiled = compile_condition(expression, given, predeal, params, include)
    slot = compiled.expression
    try:
        return count_exact_values(compiled, slot)
    except (NotAdditive, TooManyStates):
        key = SEED if seed is None else seed
        samples = _sample_given(compiled, [slot], deals, key, lambda columns: columns.array(slot))
        sampled = [values for _, values in samples]
        values, position = _find_distinct(np.concatenate(sampled))
        return Shares(values, np.bincount(position, minlength=len(values)).tolist(), False)


def count_exact_values(compiled: CompiledScript, slot: int) -> Shares:
    """Return the values of a slot, and the number of deals under the given condition with each value.

    Raises
    ------
    NotAdditive, TooManyStates
        They cannot be counted, or not within the limits of `dealerkit.counting.exact`.
    ArgumentError
        No deal satisfies the given condition.
    """
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
    if not counts:
        raise ArgumentError("no deal satisfies the given condition, so the expression has no values")
    return Shares(values[[number - 1 for number in counts]], list(counts.values()), True)


def _find_distinct(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct values and the index of each value; reals to nine decimals, as they compare."""
    return np.unique(np.round(values, 9) if values.dtype.kind == "f" else values, return_inverse=True)


def _sample_given(
    compiled: CompiledScript,
    slots: Sequence[int],
    deals: int,
    seed: int,
    evaluate: Callable[[BatchColumns], T],
) -> Iterator[tuple[int, T]]:
    """Yield the number of deals that satisfy the given condition, batch by batch, and their evaluation.

    Parameters
    ----------
    slots : sequence of int
        Slots that `evaluate` uses.
    deals : int
        Largest number of deals.
    seed : int
    evaluate : callable
        ``evaluate(columns)`` is called with the columns of the deals of a batch.

    Raises
    ------
    EvaluationError
        A deal has no value; the message gives the deal.
    """
    given = ConditionDeals.choose(compiled, compiled.given, slots, seed, deals)
    if not given.share or _is_excluded(compiled, compiled.given):
        raise ArgumentError(IMPOSSIBLE_GIVEN)
    n_needed, n_sampled = given.limit(deals), 0
    for first, size in given.batches(min(n_needed, MAX_DEALT) if given.accepts_all else MAX_DEALT):
        try:
            columns = given.columns(first, size)
            if n_sampled + len(columns) > n_needed:
                columns = columns.take(np.arange(n_needed - n_sampled))
            evaluated = evaluate(columns)
        except EvaluationError as error:
            raise given.locate_error(error, first, size) from None
        n_sampled += len(columns)
        yield len(columns), evaluated
        if n_sampled >= n_needed:
            return
    if not n_sampled:
        raise ArgumentError(f"none of {MAX_DEALT:,} deals {NO_ESTIMATE}")


@long_work
def distribution(
    expression: str | os.PathLike,
    given: Given | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Params = (),
    *,
    deals: int = N_DEALS,
    confidence: float = 0.95,
    seed: int | None = None,
    include: Sequence[str | os.PathLike] = (),
) -> Distribution:
    """Return the values of an expression and the probability of each.

    Parameters
    ----------
    expression : str or os.PathLike
        Expression of the dealer language; the values of a condition are False and True.
    given, predeal, params, deals, confidence, seed, include
        As for `dealerkit.probability`; the result is exact in the same cases.

    Returns
    -------
    Distribution
        A DataFrame that is shown as a card with a chart. It has a row for each value that occurs, in rising
        order, with index ``value``. Columns: ``count``, the number of deals with the value, as Python
        integers; ``share`` of all deals; ``cumulative``; ``fraction``, the share as a `Fraction`, None in an
        estimate; ``lo`` and ``hi``, the ends of the interval. ``frame.attrs`` has ``exact``, ``n`` (the
        number of all deals counted), ``mean``, ``sd``, ``expression``, ``given``, ``confidence``, and
        ``call``, the call that computes the table again.

    Raises
    ------
    ArgumentError, PredealError, ScriptError

    Examples
    --------
    >>> frame = distribution("controls(north)")
    >>> print(f"{frame.share[3]:.6f}", frame.fraction.sum(), frame.attrs["exact"], frame.attrs["mean"])
    0.208869 1 True 3.0
    """
    from dealerkit.simulation.distributions import Distribution  # pandas takes long to import

    found = describe_values(
        expression, given, predeal, params, deals=deals, confidence=confidence, seed=seed, include=include
    )
    return Distribution.of(found)


def describe_values(
    expression: str | os.PathLike,
    given: Given | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Params = (),
    *,
    deals: int = N_DEALS,
    confidence: float = 0.95,
    seed: int | None = None,
    include: Sequence[str | os.PathLike] = (),
) -> ValueShares:
    """Return the values of an expression and the probability of each, without a DataFrame.

    Parameters and errors are those of `distribution`.
    """
    params = list(params) if isinstance(params, Iterator) else params
    include = list(include) if isinstance(include, Iterator) else include
    deals, seed = check_integer("deals", deals, 1), check_optional_integer("seed", seed)
    check_confidence(confidence)  # even if the result is exact and does not need it
    given = read_given(given, predeal)
    result = count_values(expression, given, predeal, params, deals=deals, seed=seed, include=include)
    # Shares with their intervals, and the moments
    if result.exact:
        fractions = [Fraction(count, result.total) for count in result.counts]
        lo = hi = share = np.array([float(fraction) for fraction in fractions])
        mean, variance = _compute_moments(result.values, fractions)
    else:
        share = np.asarray(result.counts) / result.total
        lo, hi = share_interval(share, result.total, confidence)
        values = result.values.astype(float)
        mean = float(values @ share)
        variance = float((values - mean) ** 2 @ share)
    # The call that computes them again
    expression = read_text(expression)
    condition = None if given is None else read_text(given)
    arguments = {
        "expression": expression, "given": condition, "predeal": predeal,
        "params": params, "deals": deals, "confidence": confidence, "seed": seed, "include": include,
    }  # fmt: skip
    return ValueShares(
        result.values, result.counts, share, np.cumsum(share), lo, hi,
        exact=result.exact, n=result.total, mean=mean, sd=variance**0.5,
        expression=" ".join(expression.split()), given=condition,
        confidence=confidence, call=format_call("distribution", drop_empty(arguments)),
    )  # fmt: skip


def _compute_moments(values: np.ndarray, fractions: Sequence[Fraction]) -> tuple[float, float]:
    """Return mean and variance, computed from exact fractions."""
    exact = [Fraction(repr(float(value))) for value in values]
    mean = sum((value * part for value, part in zip(exact, fractions, strict=True)), Fraction(0))
    square = sum((value**2 * part for value, part in zip(exact, fractions, strict=True)), Fraction(0))
    return float(mean), float(square - mean**2)
