"""Estimates of a study of contracts from its tricks: rates, gains, rules, values of an expression."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.numbers import format_count, format_number
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SIDES
from dealerkit.errors import ArgumentError, MistakeWarning, Parameter, SmallSample, warn_caller
from dealerkit.scoring import SCORINGS
from dealerkit.statistics import Counts, Estimate, Moments
from dealerkit.statistics.intervals import normal_quantile
from dealerkit.statistics.rare_values import (
    SHARE_RANGE,
    SIMILAR_POINTS,
    MeanParts,
    ValueRange,
    add_unusual_values,
    build_mean,
)
from dealerkit.studies.contracts.outcomes import Comparison, ContractQuestion, list_gains, share_error
from dealerkit.studies.contracts.result import ContractStudy
from dealerkit.studies.contracts.tables import BreakEven, Outcome, TrickShares, ValueOutcome
from dealerkit.studies.estimate.two_phase import SampledMeans
from dealerkit.studies.frames import tabulate
from dealerkit.studies.limits import MIN_DEALS
from dealerkit.studies.provenance import Provenance, set_samples

if TYPE_CHECKING:
    import pandas as pd


REPLICATES = 2000
MAX_VALUES = 200  # largest number of values of the expression, each of which is a row


@dataclass(frozen=True, eq=False)
class DealCounts:
    """The number of deals that a study used.

    Attributes
    ----------
    n_deals, n_differing : int
        All deals, and those on which the strategies do not all choose the same contract.
    of_rules : tuple of ndarray of int
        Deals to which each rule of each strategy applies.
    rule_shares : tuple of ndarray of float
        Their shares, 0 to 1, which include the weights of deals.
    differing_share : float
        The share of deals on which the strategies differ, 0 to 1, with weights.
    effective : float
        The number of unweighted deals whose shares would have the same standard errors (L. Kish, Survey
        Sampling, Wiley 1965, 11.7).
    """

    n_deals: int
    n_differing: int
    of_rules: tuple[np.ndarray, ...]
    rule_shares: tuple[np.ndarray, ...]
    differing_share: float
    effective: float


@dataclass(frozen=True, eq=False)
class StudyData:
    """What a study knows about its deals.

    Attributes
    ----------
    question : ContractQuestion
    counts : DealCounts
    tricks : ndarray of int8 [cells, n]
        Tricks of the solved deals, as `ContractQuestion.solve` returns them.
    pilot : (Deals, ndarray of int8 [cells, m], ndarray of float [m])
        Deals with their numbers of tricks and weights, from which mean tricks and scores are estimated.
    values : (ndarray of float [n], ndarray of float) or None
        The expression `by` on the solved deals, and on the deals without a difference.
    is_predicted : bool
        Whether the trick model predicts the gains of deals that are not solved.
    """

    question: ContractQuestion
    counts: DealCounts
    tricks: np.ndarray
    pilot: tuple[Deals, np.ndarray, np.ndarray]
    values: tuple[np.ndarray, np.ndarray] | None
    is_predicted: bool


def build_study(
    data: StudyData, sampled: SampledMeans, confidence: float, settings: Mapping[str, Any], seconds: float
) -> ContractStudy:
    """Return the result of a study, with warnings about it."""
    # The outcomes by value of an expression
    question = data.question
    _, choices = question.choose(sampled.deals)
    _warn(data, choices.shape[1])
    samples = settings["samples"]
    values: dict[tuple[str, str, float], ValueOutcome] = {}
    break_even: dict[tuple[str, str], BreakEven] = {}
    if data.values is not None:
        values, break_even = _estimate_by_value(data, choices, confidence)
        for key, found in values.items():  # no deal has two values
            parts = frozenset(f"{name}, {settings['by']} {format_number(key[2])}" for name in samples)
            values[key] = set_samples(found, parts)
    # The provenance of the result
    names = ", ".join(each.name for each in question.strategies)
    script = names if settings["given"] is None else f"{names}; condition {settings['given']}"
    gains = sampled.estimates[: -len(question.strategies)]
    if data.is_predicted:
        gains = tuple(replace(gain, n=data.counts.n_deals) for gain in gains)
    n_new = len(sampled.values) - sampled.cost.from_solved  # solved deals that were dealt for this study
    cost = replace(sampled.cost, solved_deals=sampled.cost.from_solved + n_new, seconds=seconds)
    return ContractStudy(
        outcomes=set_samples(_estimate_outcomes(data, sampled, choices, confidence), samples),
        gains=set_samples(_name_gains(question, gains, confidence), samples),
        pairs=set_samples(_name_pairs(question, gains, confidence), samples),
        second_gains=set_samples(_estimate_second_gains(data, confidence), samples), value_outcomes=values,
        rules=_tabulate_rules(data), break_even=break_even, deals=data.counts.n_deals,
        differing=data.counts.n_differing, scoring=question.scoring, side=SIDES[question.side],
        given=settings["given"], by=settings["by"], field=question.field, confidence=confidence,
        provenance=Provenance(
            script, settings["seed"], settings["arguments"], cost, function="contracts",
            solved=settings["solved"],
        ), reason=settings["reason"],
        tricks=_count_tricks(data), is_predicted=data.is_predicted,
    )  # fmt: skip


def _warn(data: StudyData, n_solved: int) -> None:
    """Warn of few deals, and of rules that apply to no deal."""
    if n_solved < MIN_DEALS <= data.counts.n_deals:
        warn_caller(
            f"the strategies differ on {n_solved} solved deals only; with fewer than {MIN_DEALS} the "
            "intervals are approximate: give more deals",
            SmallSample,
        )
    for strategy, counts in zip(data.question.strategies, data.counts.of_rules, strict=True):
        if len(counts) < 2 or data.counts.n_deals < MIN_DEALS:
            continue
        for number in np.flatnonzero(counts == 0).tolist():
            rule = strategy.rules[number]
            why = "no deal meets its condition, or rules before it apply to those that do"
            if rule.is_default:
                why = "rules before it apply to all of them"
            warn_caller(
                f"rule {number + 1} of {strategy.name!r} applies to none of "
                f"{format_count(data.counts.n_deals, 'deal')}: {why}",
                MistakeWarning,
            )


def estimate_bounded_mean(
    values: np.ndarray, weights: np.ndarray | None, limits: ValueRange, confidence: float
) -> Estimate:
    """Return a mean as `Moments.mean` does; for one value or none, with an interval within the limits.

    Examples
    --------
    >>> estimate_bounded_mean(np.array([9, 9, 9, 9]), None, ValueRange(0, 13), 0.95)
    9 [4, 12] (n = 4, all equal)
    """
    moments = Moments()
    moments.update(values, weights)
    if moments.n > 1:
        return moments.mean(confidence, limits)
    value = float(values[0]) if moments.n else (limits.low + limits.high) / 2
    if not moments.n:
        return Estimate(value, math.nan, limits.low, limits.high, 0, confidence)
    single = MeanParts(value, value, 0.0, 0.0)
    parts = add_unusual_values(single, 1.0, {value: 1}, limits, confidence)
    return build_mean(parts, parts.se, 1, confidence, limits, is_constant=False)


def _estimate_share(values: np.ndarray, weights: np.ndarray | None, confidence: float) -> Estimate | None:
    """Return the share of deals on which a contract makes, or is beaten; None without deals.

    Its interval is that of a share; values that are probabilities instead of 0 and 1 have the interval of a
    mean.
    """
    if not len(values):
        return None
    if ((values == 0) | (values == 1)).all():
        counts = Counts((0, 1))
        counts.update(values.astype(int), weights)
        return counts.share(1, confidence=confidence)
    return estimate_bounded_mean(values, weights, SHARE_RANGE, confidence)


def _estimate_outcomes(
    data: StudyData, sampled: SampledMeans, choices: np.ndarray, confidence: float
) -> dict[tuple[str, str], Outcome]:
    """Return rates, tricks and score of each strategy at each vulnerability."""
    question, outcomes = data.question, {}
    successes = sampled.estimates[-len(question.strategies) :]
    deals, tricks, weights = data.pilot
    _, pilot_choices = question.choose(deals)
    for k, strategy in enumerate(question.strategies):
        # How often each contract makes or is beaten, on the deals on which the strategies differ
        bid, is_defended = question.needed[choices[k]] > 0, question.is_defended[choices[k]]
        values, weights_of = question.find_successes(choices[k], data.tricks), sampled.means.weights
        made, beaten = (
            _estimate_share(values[rows], weights_of[rows], confidence)
            if data.counts.n_differing < data.counts.n_deals or not rows.all()
            else _name_binomial_error(successes[k], values, weights_of, data.counts.n_deals)
            for rows in (bid & ~is_defended, is_defended)
        )
        # Tricks and scores, on the deals whose numbers of tricks are known
        is_bid = question.needed[pilot_choices[k]] > 0
        mean = None
        if is_bid.any():
            taken = question.find_our_tricks(pilot_choices[k], tricks)
            mean = estimate_bounded_mean(taken[is_bid], weights[is_bid], ValueRange(0, 13), confidence)
        points = question.find_points(pilot_choices[k], tricks)
        for state, (name, _) in enumerate(question.states):
            kinds = question.mean_points[np.unique(pilot_choices[k]), state]
            bounds = ValueRange(float(kinds.min()), float(kinds.max()), SIMILAR_POINTS)
            score = estimate_bounded_mean(points[state], weights, bounds, confidence)
            outcomes[strategy.name, name] = Outcome(made, beaten, mean, score, int(bid.sum()), len(deals))
    return outcomes


def _name_binomial_error(
    estimate: Estimate, values: np.ndarray, weights: np.ndarray, n_deals: int
) -> Estimate:
    """Return the share of a sample, with the standard error of the binomial if all deals count alike."""
    estimate = replace(estimate, n=len(values))
    counts_alike = bool((weights == weights[:1]).all())
    if len(values) < n_deals or not counts_alike or not ((values == 0) | (values == 1)).all():
        return estimate
    share = float(values.mean())
    return replace(estimate, se=math.sqrt(share * (1 - share) / len(values)))


def _name_gains(
    question: ContractQuestion, estimates: Sequence[Estimate], confidence: float
) -> dict[tuple[str, str], Estimate]:
    """Return gains by strategy and vulnerability, the best first, from those of comparisons and states."""
    n_states = len(question.states)
    found = [
        list_gains(question, estimates[state::n_states], confidence)
        for state in range(n_states if question.comparisons else 0)
    ]
    order = list(found[0]) if found else []
    if question.compares_pairs:
        order.sort(key=lambda k: -round(sum(gains[k].value for gains in found), 9))
    return {
        (question.strategies[k].name, name): gains[k]
        for k in order
        for (name, _), gains in zip(question.states, found, strict=True)
    }


def _name_pairs(
    question: ContractQuestion, estimates: Sequence[Estimate], confidence: float
) -> dict[tuple[str, str, str], Estimate]:
    """Return the gain of the first of each two strategies over the second, at each vulnerability."""
    keys = [
        (question.strategies[k].name, question.strategies[field[0][0]].name, name)
        for k, field in question.comparisons
        for name, _ in question.states
        if len(field) == 1
    ]
    return {
        key: replace(gain, confidence=confidence) for key, gain in zip(keys, estimates, strict=bool(keys))
    }


def _estimate_second_gains(data: StudyData, confidence: float) -> dict[tuple[str, str], Estimate]:
    """Return the gain of each strategy in points, or in IMPs if the scoring is points.

    It is the mean of the deals with known numbers of tricks on which the strategies differ, times the share
    of deals on which they differ; both are estimates.
    """
    if not data.question.comparisons:
        return {}
    # Gains on the deals with known numbers of tricks, and the share of deals with a difference
    scoring = "imps" if data.question.scoring == "points" else "points"
    question = replace(data.question, scoring=scoring)
    deals, tricks, weights = data.pilot
    all_gains = question.find_gains(question.choose(deals)[1], tricks)
    share = data.counts.differing_share
    share_se = math.sqrt(share * (1 - share) / data.counts.effective)
    level = share_error(question, confidence)
    quantile, estimates = normal_quantile(level), []
    for comparison, gains in zip(question.comparisons, all_gains, strict=True):
        limits = ValueRange(*question.bound_gains(comparison), SCORINGS[scoring].limits.similar)
        for values in gains:
            mean = estimate_bounded_mean(values, weights, limits, level)
            value, spread = share * mean.value, quantile * mean.value * share_se
            # The error of a product of two independent estimates, to first order
            estimates.append(Estimate(
                value,
                math.hypot(share * mean.se, mean.value * share_se),
                value - math.hypot(share * (mean.value - mean.lo), spread),
                value + math.hypot(share * (mean.hi - mean.value), spread),
                len(deals),
                level,
            ))  # fmt: skip
    return _name_gains(question, estimates, confidence)


def _count_tricks(data: StudyData) -> dict[str, TrickShares]:
    """Return how often our side takes each number of tricks, for strategies with a single contract."""
    question, shares = data.question, {}
    deals, tricks, weights = data.pilot
    for strategy, choice in zip(question.strategies, question.choose(deals)[1], strict=True):
        contract = strategy.choices[0].contract
        if len(set(strategy.choices)) > 1 or contract is None or not len(deals):
            continue
        index = question.contracts.index(strategy.choices[0])
        taken, counts = question.take_tricks(choice, tricks), np.zeros(14)
        for part, (numbers,) in question.mix_plays(index):
            counts += part * np.bincount(numbers[taken], weights, 14)
        is_defended, counts = bool(question.is_defended[index]), counts / counts.sum()
        tables = counts, question.points[index]
        ours = [table[..., ::-1] if is_defended else table for table in tables]
        shares[strategy.name] = TrickShares(contract, is_defended, *ours)
    return shares


def _tabulate_rules(data: StudyData) -> pd.DataFrame | None:
    """Return a row for each rule of the decision lists, with the deals to which it applies."""
    rows = {
        (strategy.name, number): {
            "condition": "else" if rule.is_default else rule.condition,
            "contract": str(rule.choice), "deals": int(count), "share": float(share),
        }
        for strategy, counts, shares in zip(
            data.question.strategies, data.counts.of_rules, data.counts.rule_shares, strict=True
        )
        if len(strategy.rules) > 1
        for number, (rule, count, share) in enumerate(zip(strategy.rules, counts, shares, strict=True), 1)
    }  # fmt: skip
    return tabulate(rows, ["strategy", "rule"]) if rows else None


def _estimate_by_value(
    data: StudyData, choices: np.ndarray, confidence: float
) -> tuple[dict[tuple[str, str, float], ValueOutcome], dict[tuple[str, str], BreakEven]]:
    """Return outcomes of each contract by vulnerability and value, and the break-even values."""
    assert data.values is not None
    question, (values, agreeing) = data.question, data.values
    all_values = np.append(values, agreeing)
    levels = np.unique(all_values).tolist()
    gains = np.concatenate(  # these are 0 where the strategies agree
        (question.find_gains(choices, data.tricks),
         np.zeros((len(question.comparisons), len(question.states), len(agreeing)))), axis=2
    )  # fmt: skip
    # The value at which each gain crosses zero
    break_even = {
        (_name_comparison(question, comparison), state): find_break_even(all_values, each, confidence)
        for comparison, of_states in zip(question.comparisons, gains, strict=True)
        for (state, _), each in zip(question.states, of_states, strict=True)
    }
    # The gains at each value
    level = share_error(question, confidence)
    at_values: dict[tuple[str, str, float], Estimate] = {}
    for value in levels if question.comparisons else ():
        at, estimates = all_values == value, []
        for comparison, of_states in zip(question.comparisons, gains, strict=True):
            limits = ValueRange(*question.bound_gains(comparison), SCORINGS[question.scoring].limits.similar)
            estimates += [estimate_bounded_mean(each[at], None, limits, level) for each in of_states]
        for (name, state), gain in _name_gains(question, estimates, confidence).items():
            at_values[name, state, value] = gain
    # How often each contract makes or is beaten; deals without a difference count too
    outcomes: dict[tuple[str, str, float], ValueOutcome] = {}
    for k, strategy in enumerate(question.strategies):
        is_bid, is_defended = question.needed[choices[k]] > 0, question.is_defended[choices[k]]
        successes = question.find_successes(choices[k], data.tricks)
        for state, _ in question.states if question.comparisons else question.states[:1]:
            for value in levels:
                key, at = (strategy.name, state, value), values == value
                if question.comparisons and key not in at_values and question.field != {strategy.name: 1}:
                    continue  # a member of a field that is not compared
                made, beaten = (
                    _estimate_share(successes[at & rows], None, confidence)
                    for rows in (is_bid & ~is_defended, is_defended)
                )
                n_deals = int(at.sum()) + int((agreeing == value).sum())
                outcomes[key] = ValueOutcome(n_deals, made, beaten, at_values.get(key))
    return outcomes, break_even


def _name_comparison(question: ContractQuestion, comparison: Comparison) -> str:
    """Return the name of a strategy; if all pairs are compared, with that of the other strategy."""
    name = question.strategies[comparison.strategy].name
    if not question.compares_pairs:
        return name
    return f"{name} over {question.strategies[comparison.field[0][0]].name}"


def find_break_even(
    values: np.ndarray, gains: np.ndarray, confidence: float = 0.95, seed: int = 0
) -> BreakEven:
    """Return the value of an expression at which the mean gain crosses zero.

    The mean gains at the values are made monotone by isotonic regression (the pool-adjacent-violators
    algorithm), rising or falling as the gains do on the whole, and are joined by straight lines. The interval
    is the percentile interval from resamples of the deals with replacement.

    Parameters
    ----------
    values : ndarray of float [n]
        The expression on each deal.
    gains : ndarray of float [n]
    confidence : float in (0, 1)
    seed : int
        Seed of the resamples.

    References
    ----------
    R. E. Barlow, D. J. Bartholomew, J. M. Bremner, H. D. Brunk, Statistical Inference under Order
    Restrictions (Wiley 1972), chapter 1.
    B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap (Chapman & Hall 1993), 13.3.

    Examples
    --------
    >>> points = np.repeat([22, 23, 24, 25], 50)
    >>> gains = np.tile([-6, -6, 10, 10, -6], 40) + 8 * (points - 23)
    >>> print(find_break_even(points, gains))
    23.0, 22.7 to 23.2
    """
    levels, at = np.unique(values, return_inverse=True)
    if len(levels) > MAX_VALUES:
        raise ArgumentError(
            Parameter("by"),
            f" has {len(levels):,} different values; give an expression with at most {MAX_VALUES}, such "
            "as a number of points without fractions",
        )
    # The crossing of the sample
    counts = np.bincount(at).astype(float)
    sums = np.bincount(at, gains)
    is_rising = len(levels) < 2 or np.cov(values, gains)[0, 1] >= 0
    crossing = float(find_crossings(levels, counts[None], sums[None], is_rising)[0])
    random = np.random.default_rng(seed)
    # Deals with the same value and gain are alike, so a resample of deals is a multinomial number of each
    # kind.
    kinds, kind_of = np.unique(np.stack((at, gains)), axis=1, return_counts=True)
    starts = np.searchsorted(kinds[0], np.arange(len(levels)))  # they are in the order of the levels
    resampled = random.multinomial(len(values), kind_of / len(values), REPLICATES)
    sampled, total = (np.add.reduceat(each, starts, axis=1) for each in (resampled, resampled * kinds[1]))
    crossings = find_crossings(levels, sampled, total, is_rising)
    # The interval from the quantiles of the crossings
    ends = (1 - confidence) / 2
    # An infinite quantile is an end outside of the values; interpolating between infinities is undefined.
    lo, hi = np.quantile(crossings, [ends, 1 - ends], method="inverted_cdf").tolist()
    value = None if math.isinf(crossing) else crossing
    ahead = math.isinf(crossing) and (crossing < 0) == is_rising
    return BreakEven(value, lo, hi, float(levels[0]), float(levels[-1]), ahead, confidence, REPLICATES)


def find_crossings(levels: np.ndarray, counts: np.ndarray, sums: np.ndarray, is_rising: bool) -> np.ndarray:
    """Return where the monotone gains of several samples cross zero, float [m].

    Parameters
    ----------
    levels : ndarray of float [n]
        The values, rising.
    counts, sums : ndarray [m, n]
        Number of deals of each sample at each level, possibly none, and the sum of their gains.
    is_rising : bool

    Returns
    -------
    ndarray of float [m]
        -inf before the first level, inf after the last.

    Notes
    -----
    Isotonic regression is above 0 from the level before which the sum of all gains is smallest. On either
    side of this level the regressions are independent. The regression at the first level of a part is the
    smallest mean of the levels from there on (Barlow and others 1972, 1.2).

    Examples
    --------
    >>> find_crossings(np.array([22.0, 23, 24]), np.array([[1, 1, 1]]), np.array([[-3.0, 1, 5]]), True)
    array([22.75])
    """
    signed = sums if is_rising else -sums
    n, before = len(levels), ((0, 0), (1, 0))
    deals, gains = (np.pad(np.cumsum(each, axis=1), before) for each in (counts, signed))
    above = n - np.argmin(gains[:, ::-1], axis=1)  # the first level with a gain, or a loss if falling
    rows = np.arange(len(above))
    more, gained = deals - deals[rows, above][:, None], gains - gains[rows, above][:, None]
    # Means of the levels from this one on, and of those up to the one before; undefined without deals
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(more != 0, gained / more, np.nan)
    over = np.where(more > 0, means, np.inf).min(axis=1)
    below = np.where(more < 0, means, -np.inf).max(axis=1)
    # The last lower level that has deals, and the straight line between the two levels
    number = np.where(counts > 0, np.arange(n), -1)
    last = np.where(np.arange(n) < above[:, None], number, -1).max(axis=1)
    crossings = np.where(above == n, np.inf, -np.inf)
    inside = (above < n) & (last >= 0)
    low, high = levels[last[inside]], levels[above[inside]]
    share = -below[inside] / (over[inside] - below[inside])
    crossings[inside] = low + share * (high - low)
    return crossings
