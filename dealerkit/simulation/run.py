"""`run`: a script in; deals, tables and reports out."""

from __future__ import annotations

import contextlib
import os
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from numbers import Real
from typing import Any

from dealerkit.actions.text import Setting, Totals, text_of
from dealerkit.arguments import check_integer, check_optional_integer
from dealerkit.cards.deals import Deals
from dealerkit.compiler.compilation import compile_script
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.uniform.source import UniformSource
from dealerkit.dealing.uniform.stream import STREAM_VERSION
from dealerkit.errors import (
    ArgumentError,
    CompatibilityWarning,
    NothingProducedWarning,
    UnsatisfiableWarning,
)
from dealerkit.language.dialects import find_rules
from dealerkit.language.nodes import Condition
from dealerkit.language.parser import parse_script
from dealerkit.language.script import Script
from dealerkit.machine import n_processors
from dealerkit.planning import Limits, make_plan, resolve_limits
from dealerkit.planning.acceptance import AcceptanceForecast
from dealerkit.planning.choice import PLANS, choose
from dealerkit.simulation.acceptance import is_impossible, nothing_met, of_all_deals
from dealerkit.simulation.batches import chunks
from dealerkit.simulation.collector import Harvest
from dealerkit.simulation.curves import add_curves
from dealerkit.simulation.deal_by_deal import is_sequential, sequential_chunks
from dealerkit.simulation.job import check_helpers, choose_seed, kept
from dealerkit.simulation.output import FrameFile
from dealerkit.simulation.progress import DELAY, Progress
from dealerkit.simulation.result import Result
from dealerkit.simulation.sources import make_source
from dealerkit.statistics.estimates import check_level


def run(
    script: str | os.PathLike | Script,
    produce: int | None = None,
    generate: int | None = None,
    seed: int | None = None,
    params: Sequence[str | None] = (),
    dialect: str = "modern",
    stream: str = "uniform",
    source: Any = None,
    plan: str = "auto",
    keep: str | int = "auto",
    statistics: bool = True,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
    *,
    predeal: Mapping[str, Any] | None = None,
    swap: int = 0,
    level: float = 0.95,
    write: Callable[[str], Any] | None = None,
    frame: str | os.PathLike | None = None,
    quiet_pbn: bool = False,
    files: Mapping[str, str | os.PathLike] | None = None,
    title: str | None = None,
    opener: int | str | None = None,
    give_up: float | None = None,
    par_vulnerable: str = "none",
) -> Result:
    """Run a script of the dealer language.

    Parameters
    ----------
    script : str, os.PathLike or Script
        Text, file, or what `parse` returned.
    produce, generate : int or None
        Stop after so many deals have been accepted, or dealt. With neither: 40 deals if an action
        prints or none is given, else 10,000,000 deals dealt. With `produce` alone no limit of deals
        dealt in modern, 10,000,000 in v1 and v2.
    seed : int or None
        None: the script's, else a new one; the result carries it.
    params : sequence of str
        Values of the script variables ``$0`` to ``$9``.
    dialect : {"modern", "v1", "v2"}
    stream : {"uniform", "classic"}
        Classic deals what the old programs deal from the same seed.
    source : Deals, DataFrame with a deal column, or library, optional
        Ask existing deals instead of dealing; not together with `stream` classic, `predeal` or `swap`.
    plan : {"auto", "plain", "staged", "conditional"}
        How to deal. Conditional dealing draws the hands that the condition demands; staged dealing
        deals one side before the other; auto takes what costs least, from a table of costs. All give
        the same distribution, plain and staged the same deals. v1 and v2 deal plainly.
    keep : "auto", "all" or int
        How many of the produced deals the result keeps; auto is 100,000.
    statistics : bool
        The text ends with the numbers of deals and the seed.
    threads : int or None
        None: one for each processor.
    executor : concurrent.futures.Executor, optional
        Runs the blocks in place of threads of our own, in other processes too: what they need
        goes there by value, the user's own functions included.
    progress : bool or None
        None: on a terminal or in a notebook, after a second.
    predeal : mapping, optional
        Cards or suit lengths of seats besides the script's, as for `deal`.
    swap : {0, 2, 3}
        Deal each shuffle twice or six times with hands exchanged; intervals take it into account.
    level : float in (0, 1)
        Confidence level of all intervals.
    write : callable, optional
        Takes the text as it comes; `Result.text` is then empty.
    frame : str or os.PathLike, optional
        Write all produced deals to this .csv or .parquet file, as `Result.to_frame` shows them.
    quiet_pbn : bool
        printpbn prints nothing.
    files : mapping, optional
        File for the text of the actions ``"csvrpt"`` and ``"export"``, which then is not in the
        text of the result: ``FILE`` to append to, ``w:FILE`` to write anew. A run that fails leaves it alone.
    title : str, optional
    opener : seat, optional
        In place of the script's.
    give_up : float, optional
        Stop after so many seconds if nothing has been produced by then.
    par_vulnerable : {"none", "ns", "ew", "both"}
        Vulnerability of par and parcontract where the script does not say.

    Returns
    -------
    Result

    Raises
    ------
    ScriptError
        A mistake in the script, with line, column and a remedy; nothing is dealt.
    ArgumentError, PredealError, FileError, MemoryLimitError, NotYetError, EvaluationError

    Warns
    -----
    NothingProducedWarning, CompatibilityWarning

    Examples
    --------
    >>> script = 'condition hcp(north) >= 20 action average "controls" controls(north)'
    >>> result = run(script, produce=1000, seed=1)
    >>> result.produced
    1000
    >>> 6 < result["controls"].mean.value < 8
    True
    """
    started = time.perf_counter()
    produce, generate = (
        check_optional_integer(name, limit) for name, limit in (("produce", produce), ("generate", generate))
    )
    seed, threads = check_optional_integer("seed", seed, None), check_optional_integer("threads", threads, 1)
    check_level(level)
    check_helpers(executor, write, title)
    compiled = compile_script(
        script, find_rules(dialect), params=params, title=title, opener=opener, par_vulnerable=par_vulnerable
    )
    program = compiled.program
    if give_up is not None and not (isinstance(give_up, Real) and give_up >= 0):
        raise ArgumentError(f"give_up is {give_up!r}; it takes seconds, 0 or more")
    rules = program.script.rules
    if not isinstance(plan, str) or plan not in PLANS:
        raise ArgumentError(f"unknown plan {plan!r}; the plans are {', '.join(PLANS)}")
    the_plan = plain = make_plan(compiled)
    seed = choose_seed(seed if seed is not None else program.seed, rules)
    supply, remarks = make_source(the_plan, seed, stream, source, predeal, swap)
    limits = resolve_limits(the_plan, produce, generate, supply.n_deals)
    whole_limits, predealt = limits, None
    forecast: AcceptanceForecast | None = None
    if isinstance(supply, UniformSource) and not swap and not rules.is_classic:
        predealt = supply.predeal or Predeal()
        the_plan = choose(plain, plan, limits, predealt)
        forecast = AcceptanceForecast(plain, the_plan, predealt) if plain.clauses else None
        if the_plan.sampling is not None:
            sampling = the_plan.sampling
            from dealerkit.dealing.conditional.source import ConditionalSource  # its import takes 0.1 s

            supply = ConditionalSource(seed, sampling.plan)
            if sampling.impossible:
                limits = Limits(0, limits.produce)
            elif limits.generate is not None:
                from dealerkit.dealing.conditional.binomial import candidates_within

                limits = Limits(candidates_within(limits.generate, sampling.share, seed), limits.produce)
    keeping = kept(keep, limits)
    for message in (*program.warnings, *remarks):
        warnings.warn(message, CompatibilityWarning, stacklevel=2)
    setting = Setting(
        program.script.file, seed, program.dealer, program.vulnerable, program.title, program.start_board
    )
    text = text_of(rules, setting)
    pieces: list[str] = []
    out = write or pieces.append
    sequential = is_sequential(the_plan, supply)
    harvest = Harvest(the_plan, supply, text, out, keeping, quiet_pbn, sequential)
    acceptance = harvest.acceptance
    if sequential:
        flow = sequential_chunks(the_plan, supply, seed, limits)
    else:
        whole = keeping if frame is None else sys.maxsize  # so many first deals with all four hands
        flow = chunks(
            the_plan, supply, seed, limits, threads=threads or n_processors(), keep=whole, executor=executor
        )
    interrupted = False
    never: tuple[str, ...] = ()
    doubtful = forecast is not None  # nobody knows yet whether any deal can be produced
    with contextlib.ExitStack() as stack:
        share = 1.0 if the_plan.sampling is None else float(the_plan.sampling.share)
        bar = stack.enter_context(
            Progress(limits, progress, forecast and partial(getattr, forecast, "rate"), share)
        )
        harvest.open(
            stack, {} if files is None else files, None if frame is None else FrameFile(frame, the_plan)
        )
        try:
            for chunk in flow:
                harvest.take(chunk)
                bar.update(acceptance.generated, acceptance.produced)
                late = time.perf_counter() - started > DELAY
                if doubtful and late and forecast is not None and not acceptance.produced:
                    doubtful, never = False, forecast.unsatisfiable_clauses
                    if never:
                        break
                patience = give_up is None or time.perf_counter() - started < give_up
                if not (patience or acceptance.produced):
                    break
        except KeyboardInterrupt:
            interrupted = True
        finally:
            flow.close()  # type: ignore[attr-defined]  # it is a generator: its threads end now
    reports = harvest.reports(level)
    if predealt is not None:
        add_curves(reports, plain, predealt, acceptance.generated)
    for report in reports:
        out(text.report(report))
    elapsed = time.perf_counter() - started
    produced, proposed = acceptance.produced, acceptance.generated
    probability = acceptance.share(level)
    generated: int | None = proposed
    if the_plan.sampling is not None:
        probability = of_all_deals(probability, the_plan)
        ended = proposed == limits.generate and not interrupted
        generated = 0 if is_impossible(the_plan) else whole_limits.generate if ended else None
    # v1's printpbn turns the statistics on and off with each deal it prints.
    toggles = (
        rules.name == "v1"
        and not quiet_pbn
        and produced * sum(a.name == "printpbn" for a in harvest.printing) % 2
    )
    if statistics != bool(toggles):
        out(text.ending(Totals(generated, produced, seed, elapsed, probability, supply.description)))
    if not produced and not interrupted and (message := nothing_met(the_plan, generated, never)):
        kind = UnsatisfiableWarning if never or is_impossible(the_plan) else NothingProducedWarning
        warnings.warn(message, kind, stacklevel=2)
    return Result(
        produced=produced,
        generated=generated,
        seed=seed,
        elapsed=elapsed,
        deals=harvest.deals,
        numbers=harvest.numbers,
        reports=reports,
        text="".join(pieces),
        plan=the_plan,
        probability=probability,
        stream="given" if source is not None else stream,
        stream_version=STREAM_VERSION,
        interrupted=interrupted,
        warnings=program.warnings,
        solver=harvest.ledger,
        proposed=proposed,
    )


def deal(
    count: int,
    seed: int | None = None,
    predeal: Mapping[str, Any] | None = None,
    given: str | None = None,
    *,
    generate: int | None = None,
    swap: int = 0,
    threads: int | None = None,
    progress: bool | None = None,
) -> Deals:
    """Deal uniformly distributed deals.

    Parameters
    ----------
    count : int >= 0
        How many.
    seed : int or None
        None: a new one.
    predeal : mapping, optional
        Seat to cards (``"SAKQ,H5"``, ``"QTxx.J8x.9x.Q9xx"``; x is any card below the ten) or to suit
        lengths (``{"spades": 5}``).
    given : str, optional
        A condition of the dealer language that every deal meets.
    generate : int or None
        Stop after so many deals dealt, with as many as met the condition by then.
    swap : {0, 2, 3}

    Returns
    -------
    Deals

    Raises
    ------
    ArgumentError, PredealError, ScriptError, MemoryLimitError

    Examples
    --------
    >>> strong = deal(3, seed=1, given="hcp(north) >= 20")
    >>> len(strong), bool((strong.eval("hcp(north)") >= 20).all())
    (3, True)
    """
    count = check_integer("count", count)  # None would be no limit
    script = parse_script("action", find_rules("modern"))
    if given is not None:
        met = parse_script(given, find_rules("modern"))
        if not any(isinstance(one, Condition) for one in met.statements):
            raise ArgumentError(f"given is {given!r:.60}; it is a condition such as 'hcp(north) > 15'")
        script = met + script
    return run(
        script, produce=count, generate=generate, seed=seed, predeal=predeal, swap=swap, keep="all",
        statistics=False, threads=threads, progress=progress,
    ).deals  # fmt: skip
