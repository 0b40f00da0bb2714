"""Levelled runs: hand types in given shares, each dealt by its own run; natural shares and weights."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np

from dealerkit.actions import Action, AverageReport, Report, TextSettings, TypeReport, create_writer
from dealerkit.actions.hand_types import TypeCounter
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import format_duration, join_words
from dealerkit.cards.deals import Deals
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.random_words import LEVELS, block_key, fill_random_words
from dealerkit.dealing.source import NumberedDeals, Source
from dealerkit.dealing.uniform.stream import UniformSource
from dealerkit.errors import ArgumentError, CostWarning, IncompleteWarning, Parameter, warn_caller
from dealerkit.language.checks import Program, check_script
from dealerkit.language.script import Script
from dealerkit.planning import Limits, Plan
from dealerkit.planning.acceptance import scale_to_deals
from dealerkit.planning.choice import choose_plan
from dealerkit.planning.hand_types import HandTypePlan, build_rarity_error, plan_hand_types, plan_other_deals
from dealerkit.simulation.job import Job, RunOptions
from dealerkit.simulation.loops import ProducedBatch, run_batches
from dealerkit.statistics import Estimate, proportion
from dealerkit.statistics.estimates import scale_estimate
from dealerkit.statistics.intervals import share_interval
from dealerkit.statistics.strata import stratified_mean

PART = 1 << 20  # number of deals sorted between two checks for an interrupt
DEFAULT_PRODUCE = 10_000  # levelled deals if the script prints none and sets no limit
PILOT_DEALS, MIN_DEALS, MAX_DEALS = 4_096, 32_768, 1 << 24  # candidates dealt to measure a rate
MAX_SOLVED = 1_024  # of them, if a clause needs the solver
PILOT_SOLVED = 16  # the first of these, if only the existence of a type is checked
UNKNOWN = Estimate(math.nan, math.nan, -math.inf, math.inf, 0)
N_MATCHES = 2_000  # number of deals of a type at which a measurement aims


def assign_types(shares: Sequence[Fraction], n_deals: int, seed: int) -> np.ndarray:
    """Return the hand type of each deal: as many of each type as its share demands, in random order.

    If a share is not a whole number of deals, the number is rounded down or up at random, so that its mean is
    the share.

    Parameters
    ----------
    shares : sequence of Fraction
        They add up to 1.
    n_deals : int >= 0
    seed : int >= 0

    Returns
    -------
    ndarray of int8 [n_deals]

    Examples
    --------
    >>> types = assign_types([Fraction(1, 4), Fraction(3, 4)], 12, seed=1)
    >>> np.bincount(types).tolist(), bool((types[:-1] <= types[1:]).all())
    ([3, 9], False)
    """
    words = np.empty(n_deals + 1, np.uint64)
    key = block_key(seed, 0, LEVELS)
    for first in range(0, n_deals + 1, PART):
        numbers = np.arange(first, min(first + PART, n_deals + 1), dtype=np.uint64)
        fill_random_words(words[first : first + PART], numbers << np.uint64(20), np.uint64(0), key)
    start = Fraction(int(words[-1]), 1 << 64)
    ends = [int(total * n_deals + start) for total in accumulate(shares)]
    counts = np.diff([0, *ends])
    types = np.repeat(np.arange(len(shares), dtype=np.int8), counts)
    assigned, end = np.empty_like(types), 0
    for order in sort_in_parts(words[:n_deals]):
        assigned[end : end + len(order)] = types[order]
        end += len(order)
    return assigned


def sort_in_parts(words: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the parts of the stable order of random words, the smallest first.

    An interrupt must wait until a call ends, and sorting 10^8 numbers in one call takes ten seconds.
    """
    n_groups = max(len(words) // PART, 1)  # words between the same two bounds
    groups = []
    for first in range(0, len(words), PART):
        # the upper half of the product of a word's upper half and the number of groups is the group
        group = (words[first : first + PART] >> np.uint64(32)) * np.uint64(n_groups) >> np.uint64(32)
        order = np.argsort(group.astype(np.uint16), kind="stable") + first
        groups.append(
            np.split(order, np.cumsum(np.bincount(group.astype(np.int64), minlength=n_groups))[:-1])
        )
    for parts in zip(*groups, strict=True):
        rows = np.concatenate(parts)
        yield rows[np.argsort(words[rows], kind="stable")]


@dataclass(frozen=True, eq=False)
class Levelling:
    """The hand types of a levelled run.

    Attributes
    ----------
    names : tuple of str
    shares : tuple of Fraction
        Share of each type among the produced deals; they add up to 1.
    rates : tuple of Estimate
        The natural rate of each type: the share, among all deals, of those that meet the condition and belong
        to the type. Exact if it is counted; nan if it was not measured.
    outside : Estimate
        The same for deals that meet the condition and belong to no type.
    """

    names: tuple[str, ...]
    shares: tuple[Fraction, ...]
    rates: tuple[Estimate, ...]
    outside: Estimate

    @property
    def is_measured(self) -> bool:
        """Whether the rates are known."""
        return not any(math.isnan(rate.value) for rate in (*self.rates, self.outside))

    @property
    def kept_share(self) -> Estimate:
        """Share of all deals that are kept if deals are dealt plainly and frequent types are thinned out."""
        ratios = [rate.value / float(share) for rate, share in zip(self.rates, self.shares, strict=True)]
        rarest = int(np.argmin(ratios))
        return scale_estimate(self.rates[rarest], 1 / self.shares[rarest])


class LevelledSource(Source):
    """A source whose deal number i is the next deal of the run for type ``types[i]``.

    It is read in order. If the run for a type ends early, because it reaches its generate limit, the source
    ends before the first missing deal of that type.

    Parameters
    ----------
    levelling : Levelling
    types : ndarray of int8 [n_deals]
    runs : sequence of generator of ProducedBatch
        One for each type; a run begins to deal when its first deal is needed.
    seed : int
    """

    def __init__(
        self, levelling: Levelling, types: np.ndarray, runs: Sequence[Generator[ProducedBatch]], seed: int
    ) -> None:
        self.levelling, self.types, self.names = levelling, types, levelling.names
        self.n_deals = len(types)
        self.description = f"{len(self.names)} hand types, seed {seed}, "
        self._runs = tuple(runs)
        self._waiting = [Deals(np.empty((0, 4), np.uint64)) for _ in self.names]
        self._is_complete = True

    def __getstate__(self) -> dict[str, Any]:
        # Batches contain their deals, so another process can evaluate them.
        return {**self.__dict__, "_runs": (), "_waiting": []}

    def batch(self, first: int, count: int, seats: int) -> Callable[[], NumberedDeals]:
        types = self.types[first : first + count] if self._is_complete else self.types[:0]
        parts = [self._take(number, int((types == number).sum())) for number in range(len(self.names))]
        places = [np.flatnonzero(types == number)[: len(part)] for number, part in enumerate(parts)]
        n_taken = len(types)
        for number, (part, name) in enumerate(zip(parts, self.names, strict=True)):
            rows = np.flatnonzero(types == number)
            if len(part) < len(rows):
                n_taken = min(n_taken, int(rows[len(part)]))
                self._is_complete = False
                message = f'the generate limit was reached for the hand type "{name}", so the run ends early'
                warn_caller(IncompleteWarning(message))
        order = np.argsort(np.concatenate(places), kind="stable")[:n_taken]
        deals = Deals.concatenate(parts)[order]
        return partial(NumberedDeals, deals, first + np.arange(n_taken))

    def _take(self, number: int, count: int) -> Deals:
        """Return the next deals of a type, or fewer if its run ends."""
        parts = [self._waiting[number]]
        while sum(map(len, parts)) < count:
            batch = next(self._runs[number], None)
            if batch is None:
                break
            parts.append(Deals(batch.produced.deals.hands, check=False))
        deals = Deals.concatenate(parts)
        self._waiting[number] = deals[count:]
        return deals[:count]


def prepare_levelling(
    program: Program, options: RunOptions, n_deals: int, generate: int | None, seed: int, predeal: Predeal
) -> LevelledSource:
    """Return the source of the deals of a levelled run, and the rates of its hand types.

    Raises
    ------
    ScriptError
        Hand types overlap, or one is empty or too rare; the error gives its place in the script.
    ArgumentError
        Options are not possible for a levelled run.

    Warns
    -----
    CostWarning
        Hand types need the double-dummy solver.
    """
    _refuse_options(options)
    # The type of each deal
    types = plan_hand_types(program, predeal)
    weights = [
        Fraction(1) if item.node.share is None else Fraction(str(item.node.share.value)) for item in types
    ]
    shares = tuple(weight / sum(weights) for weight in weights)
    order = assign_types(shares, n_deals, seed)
    counts = np.bincount(order, minlength=len(types)).tolist()
    # A run and a natural rate for each type, and the rate of deals that belong to none
    other_plan, other_rate = plan_other_deals(program, predeal)
    _warn_of_solving(types, n_deals, options, other_plan if other_rate is None else None)
    rates, runs = [], []
    for number, (item, count) in enumerate(zip(types, counts, strict=True)):
        plan = choose_plan(item.plan, options.plan, Limits(None, max(count, 1)), predeal)
        rates.append(_measure_type(program, item, number, options, seed, predeal))
        type_seed = _derive_seed(seed, "deals", number)
        runs.append(run_batches(_make_job(plan, Limits(generate, count), options, type_seed, predeal)))
    other_seed = _derive_seed(seed, "rate", -1)
    outside = UNKNOWN if other_rate is None else Estimate.exactly(other_rate)
    if options.natural_shares:
        outside = measure_rate(other_plan, other_rate, options, other_seed, predeal, MIN_DEALS)
    levelling = Levelling(tuple(item.node.label for item in types), shares, tuple(rates), outside)
    return LevelledSource(levelling, order, runs, seed)


def measure_types(script: Script, seed: int, n_matches: int) -> list[Estimate]:
    """Return the natural rate of each hand type of a script with `level`: its share of all deals.

    Rates that cannot be counted are measured on about `n_matches` deals of the type. Errors are those of
    `prepare_levelling`.
    """
    program = check_script(script)
    types = plan_hand_types(program, program.predeal)
    _warn_of_solving(types, 0, RunOptions())
    return [
        _measure_type(program, item, number, RunOptions(), seed, program.predeal, n_matches)
        for number, item in enumerate(types)
    ]


def _measure_type(
    program: Program,
    item: HandTypePlan,
    number: int,
    options: RunOptions,
    seed: int,
    predeal: Predeal,
    n_matches: int = N_MATCHES,
) -> Estimate:
    """Return the natural rate of a hand type; raise ScriptError if no deal of it is dealt."""
    rate_seed = _derive_seed(seed, "rate", number)
    n_matches = n_matches if options.natural_shares else 0
    rate = measure_rate(item.plan, item.exact_rate, options, rate_seed, predeal, n_matches=n_matches)
    if not rate.value:
        raise build_rarity_error(program, item.node, None if rate.exact else rate.hi)
    return rate if options.natural_shares or rate.exact else UNKNOWN


def measure_rate(
    plan: Plan,
    exact_rate: Fraction | None,
    options: RunOptions,
    seed: int,
    predeal: Predeal,
    max_deals: int = MAX_DEALS,
    n_matches: int = N_MATCHES,
) -> Estimate:
    """Return the share of all deals that meet the clauses of a plain plan: exact, or measured on candidates.

    Enough candidates are dealt for about `n_matches` deals to meet the clauses, from 32,768 to `max_deals`;
    the number follows from pilot candidates, which are not counted. If `n_matches` is 0, only the pilot
    candidates are dealt, until some meet the clauses.
    """
    if exact_rate is not None:
        return Estimate.exactly(exact_rate)
    # more of a conditional plan's candidates meet the clauses, and the candidates' share is exact
    kind = "conditional" if options.plan == "auto" else options.plan
    plan = choose_plan(plan, kind, Limits(None, n_matches or N_MATCHES), predeal)
    if plan.is_impossible:
        return Estimate.exactly(Fraction(0))
    if plan.sampling is not None and plan.sampling.sampler.accepts_all and not plan.clauses:
        return Estimate.exactly(plan.sampling.share)
    # Pilot runs until some deals meet the clauses, then one run whose size follows from their rate
    n_dealt, is_pilot, n_runs = PILOT_DEALS, True, 0
    if plan.n_solver_clauses:
        n_dealt, is_pilot, max_deals = (MAX_SOLVED if n_matches else PILOT_SOLVED), not n_matches, MAX_SOLVED
    while True:
        job = _make_job(plan, Limits(n_dealt, None), options, seed + n_runs, predeal, n_kept=0)
        matches = sum(len(batch.numbers) for batch in run_batches(job))
        if not is_pilot or (matches and not n_matches):
            break
        n_runs += 1
        if matches:
            is_pilot = False
            n_dealt = max(MIN_DEALS, min(max_deals, int(1.2 * n_matches * n_dealt / matches)))
        else:
            n_dealt = min(max_deals, 16 * n_dealt)
            is_pilot = n_dealt < max_deals
    rate = proportion(matches, n_dealt)
    return rate if plan.sampling is None else scale_to_deals(rate, plan)


def _warn_of_solving(
    types: Sequence[HandTypePlan], n_deals: int, options: RunOptions, others: Plan | None = None
) -> None:
    """Warn of the cost of natural shares, those of `others` too, and of dealing, if types need the solver."""
    plans = [item.plan for item in types if item.exact_rate is None]
    costs = [plan.solver_ns for plan in (*plans, others) if plan is not None and plan.n_solver_clauses]
    if not costs or not options.natural_shares:
        return
    dealing = f", and at least {format_count(n_deals)} more for the deals" if n_deals else ""
    message = (
        f"hand types need double-dummy results: to measure their natural shares up to "
        f"{format_count(MAX_SOLVED * len(costs))} deals are solved double dummy, which takes at most "
        f"{format_duration(MAX_SOLVED * sum(costs))} of one processor{dealing}; hand types of points and "
        "lengths alone are much faster"
    )
    warn_caller(message, CostWarning)


def _derive_seed(seed: int, use: str, number: int) -> int:
    """Return a seed for one of the runs inside a levelled run."""
    import hashlib  # other runs start without it

    return (
        int.from_bytes(hashlib.blake2b(f"level {use} {number} {seed}".encode(), digest_size=8).digest()) >> 2
    )


def _make_job(
    plan: Plan, limits: Limits, options: RunOptions, seed: int, predeal: Predeal, n_kept: int = sys.maxsize
) -> Job:
    """Return the job that deals with a plan; under a conditional plan, the generate limit is in deals."""
    source: Source = UniformSource(seed, predeal)
    if plan.sampling is not None:
        from dealerkit.dealing.conditional.sampler import ConditionalSource  # the import takes 0.1 s

        source = ConditionalSource(seed, plan.sampling.sampler)
        if limits.generate is not None and limits.produce is not None:
            from dealerkit.dealing.conditional.binomial import sample_candidate_count

            n_candidates = sample_candidate_count(limits.generate, plan.sampling.share, seed)
            limits = Limits(n_candidates, limits.produce)
    inner = replace(options, frame=None, files=None, write=None, progress=False)
    writer = create_writer(plan.program.script.rules, TextSettings())
    return Job(inner, plan, plan, source, seed, limits, limits, n_kept, writer)


def _refuse_options(options: RunOptions) -> None:
    """Raise ArgumentError for options that cannot be combined with `level`."""
    for option, reason, applies in (
        (
            Parameter("source="),
            "uses existing deals, whose shares cannot be changed",
            options.source is not None,
        ),
        (Parameter("swap=", options.swap), "exchanges hands of a deal, which changes its type", options.swap),
        (
            Parameter("stream=", "classic"),
            "deals the same deals as the old programs",
            options.stream == "classic",
        ),
    ):
        if applies:
            raise ArgumentError("`level` is not possible: ", option, f" {reason}; leave out one of the two")


def complete_reports(
    levelling: Levelling,
    reports: Sequence[Report],
    actions: Sequence[Action],
    confidence: float,
    find_range: Callable[[int, int], tuple[float, float] | None],
) -> None:
    """Add the natural shares of types, and the means at natural frequencies, to the reports of a run.

    The mean over the levelled deals becomes a mean over strata too, since the number of deals of each type is
    fixed. ``find_range(slot, number)`` returns the smallest and largest value of an expression on the deals
    of a type, or None.

    Warns
    -----
    IncompleteWarning
        A type has no deals, so means at natural frequencies are unknown.
    """
    # Shares of the types: among all deals that meet the condition, and among those that belong to a type
    report = next(report for report in reports if isinstance(report, TypeReport))
    counter = next(action for action in actions if isinstance(action, TypeCounter) and action.is_levelled)
    if levelling.is_measured:
        report.natural = normalise_rates(levelling.rates, confidence)
        report.outside = normalise_rates((*levelling.rates, levelling.outside), confidence)[-1]
    # Means over strata: with the numbers of deals dealt as weights, and with natural frequencies
    averages = [item for item in reports if isinstance(item, AverageReport)]
    sizes = [Estimate.exactly(Fraction(int(count))) for count in report.counts]
    for average, moments in zip(averages, counter.moments, strict=True):
        ranges = [average.values] * len(moments)
        for number, values in enumerate(moments):
            if not average.truth and values.is_mostly_equal:
                ranges[number] = average.values.intersect(find_range(average.slot, number))
        average.mean = stratified_mean(moments, sizes, confidence, ranges, average.truth)
        if levelling.is_measured:
            average.natural = stratified_mean(moments, levelling.rates, confidence, ranges, average.truth)
    if levelling.is_measured and report.n and not report.counts.all():
        message = _describe_missing_types(report, levelling.shares)
        warn_caller(message, IncompleteWarning)


def _describe_missing_types(report: TypeReport, shares: Sequence[Fraction]) -> str:
    """Return the message about types without deals, and how many deals would give each type at least one."""
    names = [f'"{name}"' for name, count in zip(report.names, report.counts, strict=True) if not count]
    n_needed = math.ceil(1 / min(shares))
    remedy = (
        f"produce at least {format_count(n_needed)} deals"
        if report.n < n_needed
        else "raise the generate limit"
    )
    return (
        f"no deal of the hand type{'s' if len(names) > 1 else ''} {join_words(names)} is among the "
        f"{format_count(report.n)} produced, so means at natural frequencies are unknown; {remedy}"
    )


def attach_weights(deals: Deals, types: np.ndarray, reports: Sequence[Report]) -> Deals:
    """Return levelled deals with weights: the natural share of their type divided by its levelled share.

    If the natural shares are not known, the deals are returned unchanged.

    Parameters
    ----------
    deals : Deals
    types : ndarray of int8 [n]
        The hand type of each deal.
    reports : sequence of Report
        One of them is the report on the types, with their natural shares.
    """
    report = next(report for report in reports if isinstance(report, TypeReport))
    return deals if report.weights is None else deals.replace(weight=report.weights[types])


def normalise_rates(rates: Sequence[Estimate], confidence: float) -> tuple[Estimate, ...]:
    """Return independent rates as shares of their sum; exact if all rates are exact."""
    total = sum(rate.value for rate in rates)
    if all(rate.fraction is not None for rate in rates):
        whole = sum((rate.fraction or Fraction(0) for rate in rates), Fraction(0))
        return tuple(
            Estimate.exactly((rate.fraction or Fraction(0)) / whole, confidence=confidence) for rate in rates
        )
    # The delta method: the variance of r / (r + others), whose two parts are independent
    variance = sum(rate.se**2 for rate in rates)
    shares = []
    for rate in rates:
        share = rate.value / total
        se = math.sqrt((1 - 2 * share) * rate.se**2 + share**2 * variance) / total
        n = sum(other.n for other in rates)
        if se > 0 and 0 < share < 1:
            lo, hi = (float(end) for end in share_interval(share, share * (1 - share) / se**2, confidence))
        else:  # a type that was never seen, or the only type
            others = sum(other.hi for other in rates) - rate.hi
            lo, hi = min(rate.lo / ((rate.lo + others) or 1.0), share), max(min(rate.hi / total, 1.0), share)
        shares.append(Estimate(share, se, lo, hi, n, confidence))
    return tuple(shares)
