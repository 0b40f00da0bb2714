"""Levelled runs: hand types in given shares, each dealt by a run of its own, and their natural shares."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from dealerkit.actions import TextSettings, create_writer
from dealerkit.appearance.wording import format_duration
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.source import Source
from dealerkit.dealing.uniform.stream import UniformSource
from dealerkit.errors import ArgumentError, CostWarning, warn_caller
from dealerkit.language.checks import Program
from dealerkit.planning import Limits, Plan
from dealerkit.planning.acceptance import scale_to_deals
from dealerkit.planning.choice import choose_plan
from dealerkit.planning.hand_types import (
    HandTypePlan,
    build_rarity_error,
    plan_hand_types,
    plan_other_deals,
)
from dealerkit.simulation.job import Job, RunOptions
from dealerkit.simulation.levelled_source import LevelledSource, Levelling, assign_types
from dealerkit.simulation.loops import run_batches
from dealerkit.statistics import Estimate, proportion

DEFAULT_PRODUCE = 10_000  # levelled deals, where the script prints none and sets no limit
PILOT_DEALS, MIN_DEALS, MAX_DEALS = 4_096, 32_768, 1 << 24  # candidates dealt to measure a rate
MAX_SOLVED = 1_024  # of them, where a clause needs the solver
N_MATCHES = 2_000  # deals of a type that a measurement aims at


def prepare_levelling(
    program: Program, options: RunOptions, n_deals: int, generate: int | None, seed: int, predeal: Predeal
) -> LevelledSource:
    """Return the source of the deals of a levelled run, with the rates of its hand types.

    Raises
    ------
    ScriptError
        Hand types overlap, or one is empty or too rare; each with its place in the script.
    ArgumentError
        Options of a run that is not levelled.

    Warns
    -----
    CostWarning
        Hand types need the double-dummy solver.
    """
    _refuse_options(options)
    types = plan_hand_types(program, predeal)
    weights = [
        Fraction(1) if item.node.share is None else Fraction(str(item.node.share.value)) for item in types
    ]
    shares = tuple(weight / sum(weights) for weight in weights)
    order = assign_types(shares, n_deals, seed)
    counts = np.bincount(order, minlength=len(types)).tolist()
    other_plan, other_rate = plan_other_deals(program, predeal)
    _warn_of_solving([item.plan for item in types] + [other_plan] * (other_rate is None), n_deals)
    rates, runs = [], []
    for number, (item, count) in enumerate(zip(types, counts, strict=True)):
        plan = choose_plan(item.plan, options.plan, Limits(None, max(count, 1)), predeal)
        rates.append(_measure_type(program, item, number, options, seed, predeal))
        type_seed = _derive_seed(seed, "deals", number)
        runs.append(run_batches(_make_job(plan, Limits(generate, count), options, type_seed, predeal)))
    other_seed = _derive_seed(seed, "rate", -1)
    outside = measure_rate(other_plan, other_rate, options, other_seed, predeal, MIN_DEALS)
    levelling = Levelling(tuple(item.node.label for item in types), shares, tuple(rates), outside)
    return LevelledSource(levelling, order, runs, seed)


def measure_types(program: Program, options: RunOptions, seed: int, n_matches: int) -> list[Estimate]:
    """Return the natural rate of each hand type of a script: its share of all deals.

    Rates that cannot be counted are measured on about `n_matches` deals of the type. Errors as for
    `prepare_levelling`.
    """
    types = plan_hand_types(program, program.predeal)
    _warn_of_solving([item.plan for item in types], 0)
    rates = []
    for number, item in enumerate(types):
        rates.append(_measure_type(program, item, number, options, seed, program.predeal, n_matches))
    return rates


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
    rate = measure_rate(item.plan, item.exact_rate, options, rate_seed, predeal, n_matches=n_matches)
    if not rate.value:
        raise build_rarity_error(program, item.node, None if rate.exact else rate.hi)
    return rate


def measure_rate(
    plan: Plan,
    exact_rate: Fraction | None,
    options: RunOptions,
    seed: int,
    predeal: Predeal,
    max_deals: int = MAX_DEALS,
    n_matches: int = N_MATCHES,
) -> Estimate:
    """Return the share of all deals that meet a plain plan's clauses: exact, or measured on candidates.

    As many candidates are dealt as it takes for about `n_matches` deals to meet the clauses, from 32,768 up
    to `max_deals`; the number follows from pilot candidates, which are not counted.
    """
    if exact_rate is not None:
        return Estimate.exactly(exact_rate)
    # of the candidates of a conditional plan more meet the clauses, and their own share is exact
    kind = "conditional" if options.plan == "auto" else options.plan
    plan = choose_plan(plan, kind, Limits(None, n_matches), predeal)
    if plan.is_impossible:
        return Estimate.exactly(Fraction(0))
    if plan.sampling is not None and plan.sampling.sampler.accepts_all and not plan.clauses:
        return Estimate.exactly(plan.sampling.share)
    n_dealt, is_pilot, n_runs = PILOT_DEALS, True, 0
    if plan.n_solver_clauses:
        n_dealt, is_pilot = MAX_SOLVED, False
    while True:
        job = _make_job(plan, Limits(n_dealt, None), options, seed + n_runs, predeal, n_kept=0)
        matches = sum(len(batch.numbers) for batch in run_batches(job))
        if not is_pilot:
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


def _warn_of_solving(plans: Iterable[Plan], n_deals: int) -> None:
    """Warn of what it costs to measure natural shares, and to deal, where hand types need the solver."""
    costs = [plan.solver_ns for plan in plans if plan.n_solver_clauses]
    if not costs:
        return
    n_solved = MAX_SOLVED * len(costs)
    dealing = f", and at least {n_deals:,} more for the deals" if n_deals else ""
    message = (
        "hand types need double-dummy results, so their natural shares take long to measure: up to "
        f"{n_solved:,} deals are to be solved double dummy, about {format_duration(MAX_SOLVED * sum(costs))} "
        f"of one processor{dealing}; hand types of points and lengths alone are much faster"
    )
    warn_caller(message, CostWarning)


def _derive_seed(seed: int, use: str, number: int) -> int:
    """Return a seed for one of the runs inside a levelled run."""
    return (
        int.from_bytes(hashlib.blake2b(f"level {use} {number} {seed}".encode(), digest_size=8).digest()) >> 2
    )


def _make_job(
    plan: Plan, limits: Limits, options: RunOptions, seed: int, predeal: Predeal, n_kept: int = sys.maxsize
) -> Job:
    """Return the job that deals by a plan; under a conditional plan the generate limit is in deals."""
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
    """Raise ArgumentError for options that do not go with `level`."""
    for reason, applies in (
        ("source= takes deals that exist already, whose shares are as they are", options.source is not None),
        (f"swap={options.swap} exchanges hands of a deal, which changes its type", options.swap),
        ('stream="classic" deals what the old programs deal', options.stream == "classic"),
    ):
        if applies:
            raise ArgumentError(f"`level` is not possible: {reason}; leave out one of the two")
