"""From a script and the options of a run to a `Job`: compiled once, planned once, with its source."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from dealerkit.actions import TextSettings, create_writer
from dealerkit.advice.certain_mistakes import find_constant_clauses
from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import format_duration
from dealerkit.arguments import check_truth
from dealerkit.cards.deals import Deals
from dealerkit.compiler.compilation import compile_expression, compile_script
from dealerkit.compiler.text_mistakes import (
    Mistake,
    find_certain_text_mistakes,
    merge_mistakes,
    warn_of_mistakes,
)
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.source import ChainedSource, DealsSource, Source
from dealerkit.dealing.uniform.stream import UniformSource
from dealerkit.errors import (
    ArgumentError,
    CompatibilityWarning,
    CostWarning,
    Parameter,
    quote,
    warn_caller,
)
from dealerkit.language.dialects import Rules, find_rules
from dealerkit.language.nodes import ActionList
from dealerkit.language.parser import read_text
from dealerkit.language.script import Script
from dealerkit.language.script_variables import Params, ScriptVariables
from dealerkit.planning import Limits, Plan, make_plan, resolve_limits
from dealerkit.planning.choice import choose_plan
from dealerkit.simulation.job import Job, RunOptions, count_kept
from dealerkit.simulation.loops import run_batches

MAX_SOLVING_NS = 6e10  # cost of solving above which a run on all deals warns


def prepare(script: str | os.PathLike | Script, options: RunOptions) -> Job:
    """Read, check and compile a script, and choose its plan and its source.

    Parameters
    ----------
    script : str, os.PathLike or Script
    options : RunOptions

    Returns
    -------
    Job

    Raises
    ------
    ScriptError, ArgumentError, PredealError, FileError, MemoryLimitError, NotYetError

    Warns
    -----
    CompatibilityWarning, CostWarning, MistakeWarning
    """
    # Check the options; compile the script
    started = time.perf_counter()
    options = options.checked()
    compiled = compile_script(
        script,
        find_rules(options.dialect),
        params=options.params,
        include=None if options.untrusted else options.include,
        title=options.title,
        opener=options.opener,
        vulnerable=options.vulnerable,
    )
    # Choose the plan, the source and what is kept
    program, plain = compiled.program, make_plan(compiled)
    seed = _choose_seed(options.seed if options.seed is not None else program.seed, program.script.rules)
    dealing = _choose_dealing(plain, seed, options)
    n_kept = count_kept(options.keep, dealing.limits)
    # Warn of what old programs do differently, and of certain mistakes
    for warning in (*program.warnings, *map(CompatibilityWarning, dealing.remarks)):
        warn_caller(warning)
    if not program.script.rules.is_classic:
        warn_of_mistakes(_find_mistakes(plain))
    settings = TextSettings(
        program.script.file, seed, program.dealer, program.vulnerable, program.title, program.start_board,
        check_truth("quote_formulas", options.quote_formulas), options.screen,
    )  # fmt: skip
    return Job(
        options=options,
        plain=plain,
        plan=dealing.plan,
        source=dealing.source,
        seed=seed,
        limits=dealing.limits,
        requested=dealing.requested,
        n_kept=n_kept,
        text=create_writer(program.script.rules, settings),
        predeal=dealing.predeal,
        started=started,
    )


def _find_mistakes(plan: Plan) -> list[Mistake]:
    """Return the certain mistakes of a script."""
    program = plan.program
    mistakes = find_certain_text_mistakes(program)
    if not program.script.params:  # with values for script variables, a bound may be vacuous on purpose
        mistakes += find_constant_clauses(plan.clauses, plan.graph)
    return merge_mistakes(mistakes)


def _warn_of_solving(source: Source, plan: Plan, limits: Limits) -> None:
    """Warn if a run on all deals may solve for more than a minute; given deals are meant to be solved."""
    n_deals = (source.n_deals if limits.generate is None else limits.generate) or 0
    if not plan.clauses and limits.produce is not None:
        n_deals = min(n_deals, limits.produce)
    nanoseconds = plan.solver_ns * n_deals
    if source.coverage == "sample" or source.is_solved or nanoseconds < MAX_SOLVING_NS:
        return
    warn_caller(
        f"up to {format_count(n_deals)} deals must be solved double dummy, about "
        f"{format_duration(nanoseconds)} of one "
        "processor; add clauses that fewer deals meet, or use a random sample: all_deals(...).sample(n)",
        CostWarning,
    )


def _choose_seed(seed: int | None, rules: Rules) -> int:
    """Return the seed of a run: a new one if none is given or, in v2, if it is 0.

    Raises
    ------
    ArgumentError
        The old programs would reject the seed.
    """
    if seed is not None and rules.is_classic and not -(2**63) < seed < 2**63 - 1:
        raise ArgumentError(f"seed is {seed}; in {rules.name} it is between {1 - 2**63} and {2**63 - 2}")
    if seed is None or (seed == 0 and rules.random_zero == "produced"):
        return int.from_bytes(os.urandom(4), "little")
    return seed


class _Dealing(NamedTuple):
    """How a run deals: `requested` are its limits in deals, `limits` those in what its source yields."""

    source: Source
    plan: Plan
    requested: Limits
    limits: Limits
    predeal: Predeal | None = None  # set if a plan was chosen; needed for the forecast of the run
    remarks: Sequence[str] = ()


def _choose_dealing(plain: Plan, seed: int, options: RunOptions) -> _Dealing:
    """Return the plan and its source; only deals of the uniform stream may be dealt conditionally."""
    predeal = plain.program.predeal
    if options.predeal is not None:
        predeal += Predeal.from_mapping(options.predeal)
        predeal.check()
    # Prescribed deals: solved and given ones, levelled ones, those of an old program, swapped ones
    if options.solved is not None:
        chain = _chain_solved(options, predeal, plain, seed)
        requested = _resolve_limits(plain, options, None)
        return _Dealing(chain, plain, requested, requested)
    if options.source is not None and plain.program.level is None:
        given, remarks = make_given_source(options, predeal, plain, seed)
        requested = _resolve_limits(plain, options, given.n_deals)
        _warn_of_solving(given, plain, requested)
        return _Dealing(given, plain, requested, requested, remarks=remarks)
    requested = _resolve_limits(plain, options, None)
    if plain.program.level is not None:
        return _level_deals(plain, seed, options, requested, predeal)
    if options.stream == "classic":
        classic, remarks = make_classic_source(plain, seed, predeal, options.swap)
        return _Dealing(classic, plain, requested, requested, remarks=remarks)
    if seed < 0:
        raise ArgumentError(f"seed is {seed}; on the uniform stream it is 0 or more")
    if options.swap or plain.program.script.rules.is_classic:
        return _Dealing(UniformSource(seed, predeal, options.swap), plain, requested, requested)
    # Deals of the uniform stream, by the cheapest plan
    plan = choose_plan(plain, options.plan, requested, predeal)
    if plan.sampling is None:
        return _Dealing(UniformSource(seed, predeal), plan, requested, requested, predeal)
    from dealerkit.dealing.conditional.sampler import ConditionalSource  # the import takes 0.1 s

    # The number of candidates within the limit of deals is binomial
    limits = requested
    if plan.is_impossible:
        limits = Limits(0, requested.produce)
    elif requested.generate is not None:
        from dealerkit.dealing.conditional.binomial import sample_candidate_count  # few runs need it

        n_candidates = sample_candidate_count(requested.generate, plan.sampling.share, seed)
        limits = Limits(n_candidates, requested.produce)
    return _Dealing(ConditionalSource(seed, plan.sampling.sampler), plan, requested, limits, predeal)


def _chain_solved(options: RunOptions, predeal: Predeal, plan: Plan, seed: int) -> Source:
    """Return the solved deals of `RunOptions.solved` as a source, followed by new deals.

    Raises
    ------
    ArgumentError
        There is a predeal or levelling; deals are not solved.
    FileError
        A library of the configuration cannot be read.
    """
    from dealerkit.formats.solved_libraries import list_solved  # few runs need it

    if predeal or plan.program.level is not None:
        statement = "predealt cards" if predeal else "level"
        remedy = "write the cards into the condition" if predeal else "leave out solved="
        raise ArgumentError(Parameter("solved="), f" uses random deals first, without {statement}; {remedy}")
    solved = list_solved(options.solved)
    sources = [DealsSource(deals) if isinstance(deals, Deals) else deals for _, deals in solved]
    chain = ChainedSource([*sources, UniformSource(seed)])
    n_solved = sum(len(deals) for _, deals in solved)
    chain.description = f"{format_count(n_solved, 'solved deal')} first, seed {seed}, "
    return chain


def _resolve_limits(plain: Plan, options: RunOptions, length: int | None) -> Limits:
    """Return the limits of the run, including `options.limits`."""
    limits = resolve_limits(plain, options.produce, options.generate, length)
    most = None if options.limits is None else options.limits.deals
    if most is None or (limits.generate is not None and limits.generate <= most):
        return limits
    return Limits(most, limits.produce)


def _level_deals(
    plain: Plan, seed: int, options: RunOptions, requested: Limits, predeal: Predeal
) -> _Dealing:
    """Return the plan of a script with `level`, whose source yields only produced deals."""
    from dealerkit.simulation.levelling import DEFAULT_PRODUCE, prepare_levelling  # few runs need it

    produce = DEFAULT_PRODUCE if requested.produce is None else requested.produce
    generate = plain.program.generate if options.generate is None else options.generate
    if options.limits is not None and options.limits.deals is not None:
        generate = requested.generate
    source = prepare_levelling(plain.program, options, produce, generate, seed, predeal)
    plan = replace(plain, name="levelled", clauses=(), n_solver_clauses=0)
    return _Dealing(source, plan, Limits(generate, produce), Limits(produce, produce))


def as_deals(source: Any) -> Deals:
    """Return the deals in a Deals, a DataFrame or Series with a deal column, or a library.

    Raises
    ------
    ArgumentError
        The object contains no deals.
    """
    if isinstance(source, Deals):
        return source
    accessor = getattr(source, "dealer", None)  # of a DataFrame or Series
    deals = getattr(source if accessor is None else accessor, "deals", None)
    if not isinstance(deals, Deals):
        remedy = "give Deals, a DataFrame with a deal column, or a library"
        if isinstance(source, str | os.PathLike):
            remedy = f"if it is a file, give dk.read({quote(os.fspath(source), 100)})"
        raise ArgumentError(f"a {type(source).__name__} contains no deals; {remedy}")
    return deals


def make_given_source(
    options: RunOptions, predeal: Predeal, plan: Plan, seed: int
) -> tuple[Source, list[str]]:
    """Return the source of the deals that the caller gives, and remarks on what is ignored.

    The source "all" has all deals that agree with the predeal. Under the rules of v2, a library begins with
    the block whose number is the seed, and wraps around.

    Raises
    ------
    ArgumentError
        Given deals are combined with a predeal, swapping or a classic stream.
    """
    source, remarks = options.source, []
    # All deals that agree with the predeal
    if isinstance(source, str) and source == "all":
        from dealerkit.dealing.enumeration import EnumerationSource, enumerate_deals  # with a kernel

        source, predeal = EnumerationSource(enumerate_deals(predeal)), Predeal()
    # A library under the rules of v2: the seed is the number of its first block
    is_source = isinstance(source, Source)
    if is_source and source.has_blocks and plan.program.script.rules.name == "v2":
        if options.swap or predeal:
            remarks.append("as in DealerV2, deals of a library are neither predealt nor swapped")
        if options.seed or plan.program.seed:  # 0 and None are random, hardly ever the number of a block
            source, exists = source.from_block(seed)
            if not exists:
                remarks.append(
                    f"seed {seed} is beyond the blocks of the library; it begins with its first deal"
                )
        return source, remarks
    # Other deals are used as they are
    if options.swap or predeal:
        is_enumerated = is_source and source.coverage != "sample"
        hint: tuple[str | Parameter, ...] = ()
        if is_enumerated and predeal:
            hint = ("; ", Parameter("source=", "all"), " allows the predeal of the script")
        raise ArgumentError("deals that exist already cannot be predealt or swapped", *hint)
    if options.stream == "classic":
        source_name, stream_name = Parameter("source="), Parameter("stream=")
        raise ArgumentError(
            source_name, " and ", Parameter("stream=", "classic"), " are both sources of deals; leave out ",
            stream_name, " to use the deals of ", source_name, ", or ", source_name, " to deal",
        )  # fmt: skip
    return source if is_source else DealsSource(as_deals(source)), remarks


def make_classic_source(plan: Plan, seed: int, predeal: Predeal, swap: int) -> tuple[Source, list[str]]:
    """Return the stream of an old program, and remarks on its differences from that program."""
    from dealerkit.dealing.classic.streams import ClassicSource, ClassicV1, ClassicV2  # few runs need them

    accepts_all = not plan.clauses
    if plan.program.script.rules.name != "v2":
        return ClassicSource(ClassicV1(seed, predeal, swap), seed, swap, accepts_all), []
    if predeal.lengths:
        remark = "DealerV2's way of dealing given suit lengths is not reproduced; these are dealt uniformly"
        return UniformSource(abs(seed), predeal, 0), [remark]
    remarks = []
    if swap and predeal.cards:
        swap, remarks = 0, ["as in DealerV2, predealt cards turn swapping off"]
    return ClassicSource(ClassicV2(seed, predeal, swap), seed, swap, accepts_all), remarks


def select_numbers(
    source: Source, text: str | os.PathLike, dialect: str = "modern", params: Params = (), **settings: Any
) -> np.ndarray:
    """Return the numbers of the deals for which an expression is true, int64 [n], rising.

    Parameters
    ----------
    source : Source
        It must have an end.
    text : str or os.PathLike
    dialect, params
        Dialect and script variables of the expression.
    **settings
        opener and vulnerable.

    Raises
    ------
    ArgumentError, ScriptError, EvaluationError
    """
    rules, variables = find_rules(dialect), ScriptVariables.collect(params)
    compile_expression(text, rules, variables, **settings)  # this rejects other statements
    variables.check_used()
    script = read_text(text, rules, variables) + Script((ActionList(()),), rules)  # without a report
    options = RunOptions(source=source, generate=source.n_deals, keep=0, dialect=dialect, **settings)
    job = prepare(script, options)
    return np.concatenate([np.empty(0, np.int64), *(batch.numbers for batch in run_batches(job))])
