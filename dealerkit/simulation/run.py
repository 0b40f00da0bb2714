"""`run` and `run_script`: prepare, execute, and return a `Result`; `deal`, which returns only deals."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dealerkit.actions import RunTotals
from dealerkit.appearance.numbers import format_count
from dealerkit.arguments import Given, check_integer, read_given
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import RANKS, SEATS, SUIT_LETTERS
from dealerkit.dealing.uniform.stream import STREAM_VERSION
from dealerkit.errors import (
    ArgumentError,
    DealerkitWarning,
    IncompleteWarning,
    Parameter,
    TruncatedRun,
    quote,
    warn_caller,
)
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import find_rules
from dealerkit.language.nodes import ActionList, Condition, PredealCards
from dealerkit.language.parser import read_script, read_text
from dealerkit.language.script import Script
from dealerkit.language.script_variables import Params, ScriptVariables
from dealerkit.planning import DEFAULT_PRODUCE
from dealerkit.runtime.progress import long_work
from dealerkit.simulation.acceptance import (
    find_determined_clause,
    find_warning,
    list_impossible_clauses,
    list_unmet_clauses,
)
from dealerkit.simulation.execute import Execution, execute
from dealerkit.simulation.job import RunOptions
from dealerkit.simulation.prepare import prepare
from dealerkit.simulation.record import record_run
from dealerkit.simulation.result import Result
from dealerkit.simulation.run_limits import RunLimits


@long_work
def run(
    script: str | os.PathLike | Script,
    *,
    produce: int | None = None,
    generate: int | None = None,
    seed: int | None = None,
    given: Given | None = None,
    params: Params = (),
    dialect: str = "modern",
    stream: str = "uniform",
    source: Any = None,
    plan: str = "auto",
    keep: str | int = "auto",
    statistics: bool = True,
    threads: int | None = None,
    executor: Any = None,
    progress: bool | None = None,
    confidence: float = 0.95,
    frame: str | os.PathLike | None = None,
    include: Sequence[str | os.PathLike] = (),
    checkpoint: str | os.PathLike | None = None,
    limits: RunLimits | None = None,
    untrusted: bool = False,
    solved: Any = None,
) -> Result:
    """Run a script of the dealer language.

    `RunOptions` has further options, such as `predeal`, `swap`, and files for the texts of actions.

    Parameters
    ----------
    script : str, os.PathLike or Script
        Text, file, or result of `parse`.
    produce, generate : int or None
        End the run after this number of deals accepted, or dealt. Without either, a run ends after 40 deals
        if an action prints deals or there is no action, otherwise after 10,000,000 deals dealt. With only
        `produce`, deals dealt are not limited in modern, and limited to 10,000,000 in v1 and v2.
    seed : int or None
        Random seed. By default that of the script, otherwise a new one, which the result contains.
    given : str, os.PathLike or Auction, optional
        A further condition that all deals meet (dialect modern only): text, its file, or an auction.
    params : mapping or sequence
        Values of the script variables: by name, as in ``{"low": 15}`` for ``$low``, or in the order of ``$0``
        to ``$9``. Each is a number, or a text that replaces the variable, such as an expression or a list of
        shapes; a truth value becomes 1 or 0.
    dialect : {"modern", "v1", "v2"}
    stream : {"uniform", "classic"}
        "classic" deals the same deals as the old programs from the same seed.
    source : Deals, DataFrame with a deal column, library or "all", optional
        Use existing deals instead of dealing; cannot be combined with a predeal or `stream` classic. With
        "all", the run evaluates every deal that agrees with the predeal exactly once; the predeal must fix
        two hands, and results are exact. See `dealerkit.all_deals`.
    solved : "auto" or library, optional
        Use solved deals first, then deal new ones. "auto" means the shipped sample and the libraries of
        `use_solved`. These are random deals, so averages and shares are right, but every run uses the same
        ones. Cannot be combined with a predeal, `source`, swapping or a classic stream.
    plan : {"auto", "plain", "staged", "conditional"}
        How to deal. Conditional dealing samples hands that satisfy the condition; staged dealing deals one
        side before the other; auto chooses the cheapest plan, from a table of costs. All plans have the same
        distribution, and plain and staged dealing give the same deals. v1 and v2 always deal plainly; staged
        and conditional dealing cannot be combined with `source`, `solved`, swapping or a classic stream.
    keep : "auto", "all" or int
        Number of produced deals that the result keeps; auto is 100,000.
    statistics : bool
        Whether the text ends with the numbers of deals and the seed.
    threads : int or None
        Number of threads; None: one for each processor. On an executor, its workers have their own.
    executor : distributed.Client, concurrent.futures.Executor or str, optional
        Deal, evaluate and solve in other processes, also on other machines, with the same result: a dask
        Client, the address of a dask scheduler, ``"local"`` (dask on this machine), or an executor of
        processes. The user's own functions are sent there. Scripts that must be evaluated deal by deal (a
        classic stream with a condition in v2, or `board` in the condition) run here.
    progress : bool or None
        Whether to show a progress bar; None: on a terminal or in a notebook, after a second.
    confidence : float in (0, 1)
        Confidence level of all intervals.
    frame : str or os.PathLike, optional
        Write all produced deals to this .csv or .parquet file, in the form of `Result.to_frame`. A folder
        (``"deals/"``, or any name without a suffix) gets Parquet files that other programs read as one data
        set; on an executor, its workers write them, to a disk that all of them share.
    include : sequence of str or os.PathLike
        Folders to search for files that the script includes, as for `parse`.
    checkpoint : str or os.PathLike, optional
        A file that receives what the run has accumulated, every 10 seconds, at an interrupt and at the end.
        If it exists, the run continues from it, and its result is that of an unbroken run; a file of another
        run is refused.
    limits : RunLimits, optional
        Limits on time, memory, deals and text, for scripts of other people. The first limit that is reached
        ends the run with the results so far and a warning.
    untrusted : bool
        Treat the script as untrusted: run it in its own process, without included files, and with limits of
        10 seconds, 1 GB and a million characters unless `limits` sets others. Cannot be combined with
        `source`, `executor`, `frame`, `include` and `checkpoint`.

    Returns
    -------
    Result

    Raises
    ------
    ScriptError
        The script has a mistake; the message gives line, column and a correction. Nothing is dealt.
    ArgumentError, PredealError, FileError, MemoryLimitError, NotYetError, EvaluationError
    TimeLimitError
        An untrusted script took a tenth more than its time and still had no result.

    Warns
    -----
    NothingProducedWarning, CompatibilityWarning
    MistakeWarning
        In modern: an expression cannot mean what it seems to, such as ``12 <= hcp(north) <= 14``.
    IncompleteWarning, CostWarning, TruncatedRun
        A run on all deals ends before the last one, or solves for more than a minute.

    Examples
    --------
    >>> script = 'condition hcp(north) >= 20 action average "controls" controls(north)'
    >>> result = run(script, produce=1000, seed=1)
    >>> result.produced
    1000
    >>> 6 < result["controls"].mean.value < 8
    True
    """
    if given is not None:
        script, params = add_condition(script, given, dialect, params, include, untrusted), ()
        include = ()
    options = RunOptions(
        produce=produce, generate=generate, seed=seed, params=params, dialect=dialect, stream=stream,
        source=source, plan=plan, keep=keep, statistics=statistics, threads=threads, executor=executor,
        progress=progress, confidence=confidence, frame=frame, include=include,
        checkpoint=checkpoint, limits=limits, untrusted=untrusted, solved=solved,
    )  # fmt: skip
    return run_script(script, options)


def add_condition(
    script: Any,
    given: Given,
    dialect: str,
    params: Params,
    include: Sequence[str | os.PathLike],
    untrusted: bool,
    predeal: Mapping[str, str] | None = None,
) -> Script:
    """Return a script with a further condition; values of script variables apply to both.

    `predeal` contains cards that are known in addition to those of the script, by names of seats.
    """
    if untrusted or dialect != "modern":
        other = "`untrusted`" if untrusted else f"the dialect {dialect}"
        raise ArgumentError(
            Parameter("given"), f" cannot be combined with {other}; write the condition into the script"
        )
    rules = find_rules(dialect)
    variables = ScriptVariables.collect(params)
    is_read = isinstance(script, Script)
    read = script if is_read else read_script(script, rules, variables, include)
    known = _list_predealt(read) | dict(predeal or {})
    condition = read_text(read_given(given, known), rules, variables, include=include)
    check_script(condition)  # errors are about the text of `given` only
    variables.check_used()
    return condition + read


def _list_predealt(script: Script) -> dict[str, str]:
    """Return the cards that a script predeals, as text by names of seats."""
    cards: dict[str, list[str]] = {}
    for statement in script.statements:
        if isinstance(statement, PredealCards):
            own = cards.setdefault(SEATS[statement.seat], [])
            own += [f"{SUIT_LETTERS[suit]}{RANKS[rank]}" for suit, rank in statement.cards]
    return {seat: ",".join(own) for seat, own in cards.items()}


@long_work
def run_script(script: str | os.PathLike | Script, options: RunOptions) -> Result:
    """Run a script with options as one object: those of `run`, and further ones.

    Parameters
    ----------
    script : str, os.PathLike or Script
        As for `run`.
    options : RunOptions

    Returns
    -------
    Result
        As for `run`, with the same errors and warnings.

    Examples
    --------
    >>> from dealerkit import RunOptions
    >>> lines = []
    >>> options = RunOptions(produce=2, seed=1, statistics=False, write=lines.append)
    >>> run_script("action printoneline", options).text, len("".join(lines).splitlines())
    ('', 2)
    """
    if not isinstance(options, RunOptions):
        raise ArgumentError(f"options is {quote(options)}; give RunOptions(produce=10, ...)")
    if options.untrusted:
        from dealerkit.simulation.untrusted import run_untrusted  # few runs need it

        return run_untrusted(script, options)
    return run_here(script, options)


def run_here(script: str | os.PathLike | Script, options: RunOptions) -> Result:
    """Run a script in this process; see `run_script`."""
    if options.checkpoint is not None and options.seed is None:
        from dealerkit.runtime.checkpoints import read_seed  # few runs have one

        options = replace(options, seed=read_seed(options.checkpoint))
    return assemble(execute(prepare(script, options)))


def prepare_calls() -> None:
    """Run a small script to compile or load the kernels that most scripts need; see `confined.serve`."""
    script = "condition hcp(north) + losers(south) > 16 and shape(east, any 4432) action average hcp(west)"
    run_here(script, RunOptions(produce=1, seed=1, threads=1, progress=False, statistics=False))


def run_and_record(
    script: str | os.PathLike, options: RunOptions, writes: bool, writes_rest: bool
) -> tuple[Result, list[tuple[bool, str]], list[tuple[str, type[Warning]]]]:
    """Run an untrusted script in the process that was started for it; see `untrusted`.

    Returns
    -------
    result : Result
    pieces : list
        The texts for the caller's `write_rest` (True) and `write` (False), if there are such functions.
    messages : list
        Text and category of the warnings of dealerkit.
    """
    from dealerkit.runtime.confined import leave_folder

    if not isinstance(script, os.PathLike):
        leave_folder()
    pieces: list[tuple[bool, str]] = []
    options = replace(
        options,
        write=(lambda text: pieces.append((False, text))) if writes else None,
        write_rest=(lambda text: pieces.append((True, text))) if writes_rest else None,
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = run_here(script, options)
    found = [(str(warning.message), warning.category) for warning in caught]
    return result, pieces, [(text, kind) for text, kind in found if issubclass(kind, DealerkitWarning)]


@long_work
def deal(
    n: int,
    *,
    seed: int | None = None,
    predeal: Mapping[str, Any] | None = None,
    given: Given | None = None,
    params: Params = (),
    plan: str = "auto",
    generate: int | None = None,
    swap: int = 0,
    threads: int | None = None,
    progress: bool | None = None,
    include: Sequence[str | os.PathLike] = (),
) -> Deals:
    """Deal uniformly distributed deals.

    Parameters
    ----------
    n : int >= 0
        Number of deals.
    seed : int or None
        Seed; None: a new one.
    predeal : mapping, optional
        For seats, cards (``"SAKQ,H5"``, ``"QTxx.J8x.9x.Q9xx"``; x is any card below the ten) or suit lengths
        (``{"spades": 5}``).
    given : str, os.PathLike or Auction, optional
        A condition of the dealer language that every deal satisfies, its file, or an auction.
    params : mapping or sequence
        Values of the script variables of `given`, as for `run`.
    plan : {"auto", "plain", "staged", "conditional"}
        How to deal; see `run`.
    generate : int or None
        End after this number of deals dealt, with the deals found so far.
    swap : {0, 2, 3}
    threads, progress
        As for `run`.
    include : sequence of str or os.PathLike
        Folders to search for files that `given` includes, as for `parse`.

    Returns
    -------
    Deals

    Raises
    ------
    ArgumentError, PredealError, ScriptError, MemoryLimitError, NotYetError, EvaluationError

    Warns
    -----
    NothingProducedWarning

    Examples
    --------
    >>> strong = deal(3, seed=1, given="hcp(north) >= 20")
    >>> len(strong), bool((strong.eval("hcp(north)") >= 20).all())
    (3, True)
    """
    n = check_integer("n", n)  # None would mean no limit
    script = Script((ActionList(()),), find_rules("modern"))  # without a report
    variables = ScriptVariables.collect(params)
    given = read_given(given, predeal)
    if given is not None:
        condition = read_text(given, find_rules("modern"), variables, include=include)
        if not any(isinstance(statement, Condition) for statement in condition.statements):
            raise ArgumentError(f"given is {quote(given)}; it must be a condition, such as 'hcp(north) > 15'")
        check_script(condition)  # errors are about the text of `given` only
        script = condition + script
    variables.check_used()
    options = RunOptions(
        produce=n, generate=generate, seed=seed, predeal=predeal, plan=plan, swap=swap, keep="all",
        statistics=False, threads=threads, progress=progress,
    )  # fmt: skip
    return run_script(script, options).deals


def assemble(execution: Execution) -> Result:
    """Return the result of an executed job, with a warning if nothing was produced.

    Warns
    -----
    UnsatisfiableWarning, NothingProducedWarning, IncompleteWarning, TruncatedRun
    """
    job, collector = execution.job, execution.collector
    options, plan, acceptance = job.options, job.plan, collector.acceptance
    # Reports; those of a levelled run use the weights of its deals
    record = record_run(execution, _prints_statistics(execution))
    reports, deals = record.make_reports(), collector.deals
    if record.types is not None:
        from dealerkit.simulation.levelling import attach_weights  # few runs have hand types

        deals = attach_weights(deals, record.types, reports)
    for report in reports:
        for piece in job.text.stream_report(report):
            collector.write_rest(piece)
            if collector.watch.is_spent():
                break
    # Counts and the acceptance rate
    elapsed = time.perf_counter() - job.started
    probability = record.estimate_probability(plan, acceptance.produced)
    generated = _count_dealt(execution)
    if record.statistics:
        requested = job.requested
        totals = RunTotals(
            generated, acceptance.produced, job.seed, elapsed, probability, job.source.description,
            (acceptance.produced, acceptance.generated + 1) == (requested.produce, requested.generate),
            job.source.count_read(acceptance.generated),
            record.estimate_equivalent(plan, acceptance.produced, probability),
        )  # fmt: skip
        collector.write_rest(job.text.format_ending(totals))
    result = Result(
        produced=acceptance.produced,
        generated=generated,
        seed=job.seed,
        elapsed=elapsed,
        deals=deals,
        numbers=collector.numbers,
        reports=reports,
        text="".join(collector.pieces),
        plan=plan,
        probability=probability,
        stream=options.stream if options.source is None and options.solved is None else "given",
        stream_version=STREAM_VERSION,
        interrupted=execution.interrupted,
        warnings=tuple(map(str, job.program.warnings)),
        solver=collector.ledger,
        proposed=acceptance.generated,
        params=job.program.script.params,
        random_values=collector.random_values,
        unsatisfiable=execution.unsatisfiable
        or list_impossible_clauses(plan)
        or list_unmet_clauses(plan, acceptance),
        record=record,
        limit=execution.limit or collector.watch.reason,  # the text of the reports counts too
    )
    _warn(execution, result)
    return result


def _count_dealt(execution: Execution) -> int | None:
    """Return the number of deals dealt; None if candidates or levelled deals are dealt instead."""
    job, n_dealt = execution.job, execution.collector.acceptance.generated
    if job.plan.name == "levelled":
        return None
    if job.plan.sampling is None:
        return n_dealt
    if job.plan.is_impossible:
        return 0
    # The limit in candidates is random and follows from that in deals: see `sample_candidate_count`
    is_at_limit = n_dealt == job.limits.generate and not execution.interrupted
    return job.requested.generate if is_at_limit else None


def _warn(execution: Execution, result: Result) -> None:
    """Warn of a run that produced nothing, dealt a part of all layouts, or ended at one of `RunLimits`."""
    job, collector = execution.job, execution.collector
    acceptance, unsatisfiable = collector.acceptance, result.unsatisfiable
    warning: DealerkitWarning | None = None
    if not acceptance.produced and not execution.interrupted:
        is_read = job.options.source is not None and job.source.n_deals == acceptance.generated
        reason = find_determined_clause(job.plan, job.predeal) if unsatisfiable else ""
        warning = find_warning(result.generated, unsatisfiable, acceptance.coverage, is_read, reason)
    if warning is None and collector.coverage == "part" and (result.reports or job.plan.clauses):
        warning = _describe_part(acceptance.generated)
    if warning is not None:
        warn_caller(warning)
    if result.limit:
        message = f"the run ended at its limit of {result.limit}; the result covers the deals before it"
        warn_caller(message, TruncatedRun)


def _describe_part(n_dealt: int) -> IncompleteWarning:
    """Return the warning about a run on a part of all deals."""
    return IncompleteWarning(
        f"{format_count(n_dealt)} deals are only a part of all layouts, in their order and not at "
        "random: means and shares "
        "are those of these deals, without an interval. Run on all layouts, without a limit (a script that "
        f"prints or has no action ends after {DEFAULT_PRODUCE} deals), or on a random sample: "
        "all_deals(...).sample(n)"
    )


def _prints_statistics(execution: Execution) -> bool:
    """Return whether the text ends with counts; v1's printpbn toggles them with each deal."""
    job, collector = execution.job, execution.collector
    statistics = job.options.statistics
    if job.program.script.rules.name != "v1" or job.options.quiet_pbn:
        return statistics
    n_switches = collector.acceptance.produced * sum(
        action.name == "printpbn" for action in collector.printing
    )
    return statistics != bool(n_switches % 2)
