"""From an executed job to its `Result`: reports, text, counts and the probability of acceptance."""

from __future__ import annotations

import time

from dealerkit.actions import RunTotals
from dealerkit.dealing.uniform.stream import STREAM_VERSION
from dealerkit.errors import DealerkitWarning, IncompleteWarning, TruncatedRun, warn_caller
from dealerkit.simulation.acceptance import (
    find_determined_clause,
    find_warning,
    list_impossible_clauses,
    list_unmet_clauses,
)
from dealerkit.simulation.execute import Execution
from dealerkit.simulation.levelled_reports import attach_weights
from dealerkit.simulation.record import record_run
from dealerkit.simulation.result import Result


def assemble(execution: Execution) -> Result:
    """Return the result of an executed job; warn if nothing was produced.

    Warns
    -----
    UnsatisfiableWarning, NothingProducedWarning, IncompleteWarning, TruncatedRun
    """
    job, collector = execution.job, execution.collector
    options, plan, text = job.options, job.plan, job.text
    record = record_run(execution, _prints_statistics(execution))
    reports = record.make_reports()
    n_dealt, produced = collector.acceptance.generated, collector.acceptance.produced
    deals = collector.deals
    if record.types is not None:
        deals = attach_weights(deals, record.types, reports)
    for report in reports:
        collector.write_rest(text.format_report(report))
    elapsed = time.perf_counter() - job.started
    probability = record.estimate_probability(plan, produced)
    generated: int | None = n_dealt
    if plan.sampling is not None:
        reached_limit = n_dealt == job.limits.generate and not execution.interrupted
        generated = 0 if plan.is_impossible else job.requested.generate if reached_limit else None
    if record.levelling is not None:
        generated = None
    if record.statistics:
        equivalent = record.estimate_equivalent(plan, produced, probability)
        requested, source = job.requested, job.source
        is_next_to_last = (produced, n_dealt + 1) == (requested.produce, requested.generate)
        read = source.count_read(n_dealt)
        totals = RunTotals(
            generated, produced, job.seed, elapsed, probability, source.description, is_next_to_last, read,
            equivalent,
        )  # fmt: skip
        collector.write_rest(text.format_ending(totals))
    unsatisfiable = (
        execution.unsatisfiable
        or list_impossible_clauses(plan)
        or list_unmet_clauses(plan, collector.acceptance)
    )
    is_empty = not produced and not execution.interrupted
    warning: DealerkitWarning | None = None
    if is_empty:
        is_read = options.source is not None and job.source.n_deals == n_dealt
        reason = find_determined_clause(plan, job.predeal) if unsatisfiable else ""
        warning = find_warning(generated, unsatisfiable, collector.acceptance.coverage, is_read, reason)
    if warning is None and collector.coverage == "part" and (reports or plan.clauses):
        warning = _describe_part(n_dealt)
    if warning is not None:
        warn_caller(warning)
    limit = execution.limit or collector.watch.reason  # the text of the reports counts, too
    if limit:
        message = f"the run ended at its limit of {limit}; it has the deals before it"
        warn_caller(message, TruncatedRun)
    return Result(
        produced=produced,
        generated=generated,
        seed=job.seed,
        elapsed=elapsed,
        deals=deals,
        numbers=collector.numbers,
        reports=reports,
        text="".join(collector.pieces),
        plan=plan,
        probability=probability,
        stream="given" if options.source is not None else options.stream,
        stream_version=STREAM_VERSION,
        interrupted=execution.interrupted,
        warnings=job.program.warnings,
        solver=collector.ledger,
        proposed=n_dealt,
        params=job.program.script.params,
        random_values=collector.random_values,
        unsatisfiable=unsatisfiable,
        record=record,
        limit=limit,
    )


def _describe_part(n_dealt: int) -> IncompleteWarning:
    """Return the warning of a run on a part of all deals."""
    return IncompleteWarning(
        f"{n_dealt:,} deals are a part of all layouts, in their order and not at random: means and shares "
        "are those of these deals, without an interval. Run on all layouts, without a limit (a script that "
        "prints or has no action ends after 40 deals), or on a random sample: all_deals(...).sample(n)"
    )


def _prints_statistics(execution: Execution) -> bool:
    """Return whether the text ends with counts; v1's printpbn turns them on and off with each deal."""
    job, collector = execution.job, execution.collector
    statistics = job.options.statistics
    if job.program.script.rules.name != "v1" or job.options.quiet_pbn:
        return statistics
    n_switches = collector.acceptance.produced * sum(
        action.name == "printpbn" for action in collector.printing
    )
    return statistics != bool(n_switches % 2)
