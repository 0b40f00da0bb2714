"""`run`: a script in; deals, tables and reports out."""

from __future__ import annotations

import contextlib
import os
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dealerkit.actions.base import Action
from dealerkit.actions.text import Setting, Totals, text_of
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import seat_number
from dealerkit.dealing.classic import ClassicV1, ClassicV2
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.uniform import STREAM_VERSION
from dealerkit.errors import (
    ArgumentError,
    CompatibilityWarning,
    FileError,
    MemoryLimitError,
    NothingProducedWarning,
)
from dealerkit.language.checks import Program, check
from dealerkit.language.dialects import Rules, rules_of
from dealerkit.language.nodes import Script
from dealerkit.language.parser import parse
from dealerkit.planning import Limits, Plan, make_plan, resolve_limits
from dealerkit.simulation.loop import chunks, ordered, tallied
from dealerkit.simulation.output import FrameFile, frame_of
from dealerkit.simulation.progress import Progress
from dealerkit.simulation.result import Result
from dealerkit.simulation.sequential import is_sequential, sequential_chunks
from dealerkit.simulation.sources import ClassicSource, DealsSource, Source, UniformSource, as_deals
from dealerkit.simulation.textfile import TextFile
from dealerkit.statistics import proportion

KEPT = 100_000  # produced deals kept by keep="auto"
MOST_BYTES = 262_144  # of a script
IN_FILES = ("csvrpt", "export")  # actions whose text may go to a file


def read_script(
    script: str | os.PathLike | Script, rules: Rules, params: Sequence[str] = (), max_bytes: int = MOST_BYTES
) -> Script:
    """Parse a script: a str is its text, an os.PathLike its file.

    Raises
    ------
    FileError
        A file that cannot be read, or is larger than `max_bytes`.
    ScriptError
        A mistake in the script, with its place.
    """
    if isinstance(script, Script):
        return script
    if not isinstance(script, os.PathLike):
        return parse(script, rules, params=params, max_bytes=max_bytes)
    path = Path(script)
    try:
        with path.open("rb") as stream:
            data = stream.read(max_bytes + 1)
    except OSError as reason:
        raise FileError(f"{path}: {reason.strerror or reason}") from reason
    if len(data) > max_bytes:
        raise FileError(f"{path}: the script is larger than {max_bytes:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")  # what old scripts are written in; every byte has a meaning
    return parse(text, rules, file=str(path), params=params, max_bytes=max_bytes)


def run(
    script: str | os.PathLike | Script,
    produce: int | None = None,
    generate: int | None = None,
    seed: int | None = None,
    params: Sequence[str] = (),
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
) -> Result:
    """Run a script of the dealer language.

    Parameters
    ----------
    script : str, os.PathLike or Script
        Text, file, or what `parse` returned.
    produce, generate : int or None
        Stop after so many deals have been accepted, or dealt. With neither: 40 deals if an action
        prints or none is given, else 10,000,000 deals dealt.
    seed : int or None
        None: the script's, else a new one; the result carries it.
    params : sequence of str
        Values of the script variables ``$0`` to ``$9``.
    dialect : {"modern", "v1", "v2"}
    stream : {"uniform", "classic"}
        Classic deals what the old programs deal from the same seed.
    source : Deals, DataFrame with a deal column, or library, optional
        Ask existing deals instead of dealing.
    plan : {"auto", "plain"}
    keep : "auto", "all" or int
        How many of the produced deals the result keeps; auto is 100,000.
    statistics : bool
        The text ends with the numbers of deals and the seed.
    threads : int or None
        None: one for each processor.
    executor : concurrent.futures.Executor, optional
        Runs the blocks in place of threads of our own; it must share this process's memory.
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
    >>> result = run('condition hcp(north) >= 20 action average "controls" controls(north)', produce=1000, seed=1)
    >>> result.produced
    1000
    >>> 6 < result["controls"].mean.value < 8
    True
    """
    started = time.perf_counter()
    program = check(read_script(script, rules_of(dialect), params))
    if title is not None:
        program = replace(program, title=title)
    if opener is not None:
        program = replace(program, opener=seat_number(opener))
    rules = program.script.rules
    the_plan = make_plan(program, plan)
    seed = _choose_seed(seed if seed is not None else program.seed, rules)
    supply = _source(program, the_plan, seed, stream, source, predeal, swap)
    limits = resolve_limits(the_plan, produce, generate, supply.length)
    kept = _kept(keep, limits)
    if threads is not None and threads < 1:
        raise ArgumentError(f"threads is {threads}; it takes 1 or more")
    for message in program.warnings:
        warnings.warn(message, CompatibilityWarning, stacklevel=2)
    setting = Setting(
        program.script.file, seed, program.dealer, program.vulnerable, program.title, program.start_board
    )
    text = text_of(rules, setting)
    pieces: list[str] = []
    out = write or pieces.append
    run_actions = [action.fresh() for action in the_plan.actions]
    workers = {id(action): k for k, action in enumerate(tallied(the_plan))}
    printing = [a for a in run_actions if a.prints and not (quiet_pbn and a.name == "printpbn")]
    in_order = {id(action) for action in ordered(the_plan)}
    sequential = is_sequential(the_plan, supply)
    produced = generated = 0
    deals, numbers = [], []
    interrupted = False
    if sequential:
        flow = sequential_chunks(the_plan, supply, seed, limits)
    else:
        flow = chunks(
            the_plan, supply, seed, limits, threads=threads or _processors(), keep=kept if frame is None else sys.maxsize, executor=executor
        )
    with contextlib.ExitStack() as stack:
        bar = stack.enter_context(Progress(limits, progress))
        file = None if frame is None else stack.enter_context(FrameFile(frame))
        outlets = _outlets(printing, files or {}, out, stack)
        try:
            for chunk in flow:
                for template, action in zip(the_plan.actions, run_actions, strict=True):
                    if sequential or id(template) in in_order:
                        if not action.prints:
                            action.update(chunk.produced)
                    else:
                        action.merge(chunk.tallies[workers[id(template)]])
                if printing and len(chunk.produced):
                    columns = {id(action): text.deals(action, chunk.produced) for action in printing}
                    for emit, actions in outlets:
                        rows = zip(*(columns[id(action)] for action in actions), strict=True)
                        emit("".join(piece for row in rows for piece in row))
                if file is not None:
                    file.add(frame_of(the_plan, chunk.produced.deals, chunk.produced.values))
                if produced < kept:
                    deals.append(chunk.produced.deals[: kept - produced])
                    numbers.append(chunk.numbers[: kept - produced])
                produced += len(chunk.produced)
                generated = chunk.generated
                bar.update(generated, produced)
                if give_up is not None and not produced and time.perf_counter() - started >= give_up:
                    break
        except KeyboardInterrupt:
            interrupted = True
        finally:
            flow.close()  # type: ignore[attr-defined]  # it is a generator: its threads end now
    reports = tuple(report for action in run_actions if (report := action.report(level)) is not None)
    for report in reports:
        out(text.report(report))
    elapsed = time.perf_counter() - started
    probability = proportion(produced, generated, level)
    # v1's printpbn turns the statistics on and off with each deal it prints.
    toggles = (
        rules.name == "v1" and not quiet_pbn and produced * sum(a.name == "printpbn" for a in printing) % 2
    )
    if statistics != bool(toggles):
        out(text.ending(Totals(generated, produced, seed, elapsed, probability, supply.text)))
    if not produced and not interrupted:
        warnings.warn(_nothing(generated, limits), NothingProducedWarning, stacklevel=2)
    return Result(
        produced=produced,
        generated=generated,
        seed=seed,
        elapsed=elapsed,
        deals=Deals.concatenate(deals) if deals else Deals(np.empty((0, 4), np.uint64), check=False),
        numbers=np.concatenate(numbers) if numbers else np.empty(0, np.int64),
        reports=reports,
        text="".join(pieces),
        plan=the_plan,
        probability=probability,
        stream="given" if source is not None else stream,
        stream_version=STREAM_VERSION,
        interrupted=interrupted,
        warnings=program.warnings,
    )


def deal(
    count: int,
    seed: int | None = None,
    predeal: Mapping[str, Any] | None = None,
    given: str | None = None,
    *,
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
    script = f"condition {given}\naction" if given is not None else "action"
    return run(
        script, produce=count, seed=seed, predeal=predeal, swap=swap, keep="all", statistics=False,
        threads=threads, progress=progress,
    ).deals  # fmt: skip


def _outlets(
    printing: Sequence[Action],
    files: Mapping[str, str | os.PathLike],
    out: Callable[[str], Any],
    stack: contextlib.ExitStack,
) -> list[tuple[Callable[[str], Any], list[Action]]]:
    """Where the text of each deal goes: for each place a callable and the actions that write there."""
    if unknown := sorted(files.keys() - set(IN_FILES)):
        raise ArgumentError(f"{unknown[0]!r} has no file; actions with files are {', '.join(IN_FILES)}")
    places: dict[str | os.PathLike, list[Action]] = {place: [] for place in files.values()}
    for action in printing:
        places.setdefault(files.get(action.name, ""), []).append(action)
    return [
        (stack.enter_context(TextFile(place)).write if place else out, actions)
        for place, actions in places.items()
    ]


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _choose_seed(seed: int | None, rules: Rules) -> int:
    if seed is None or (seed == 0 and rules.random_zero == "produced"):
        return int.from_bytes(os.urandom(4), "little")
    return seed


def _source(
    program: Program,
    plan: Plan,
    seed: int,
    stream: str,
    source: Any,
    predeal: Mapping[str, Any] | None,
    swap: int,
) -> Source:
    if stream not in ("uniform", "classic"):
        raise ArgumentError(f"unknown stream {stream!r}; the streams are 'uniform' and 'classic'")
    if swap not in (0, 2, 3):
        raise ArgumentError(f"swap is {swap}; it takes 0, 2 or 3")
    rules = program.script.rules
    lengths = program.predeal_lengths if rules.predeal_lengths else ()
    fixed = Predeal(program.predeal_cards, lengths)
    if predeal:
        fixed += Predeal.from_mapping(predeal)
    fixed.check()
    if source is not None:
        if swap or fixed:
            raise ArgumentError("deals that exist already cannot be predealt or swapped")
        return DealsSource(as_deals(source))
    known = fixed or None
    if stream == "uniform":
        if seed < 0:
            raise ArgumentError(f"seed is {seed}; on the uniform stream it is 0 or more")
        return UniformSource(seed, known, swap)
    if rules.name == "v2":
        if fixed.lengths:
            warnings.warn(
                "DealerV2's way of dealing given suit lengths is not reproduced; these deals are drawn uniformly",
                CompatibilityWarning,
                stacklevel=3,
            )
            return UniformSource(abs(seed), known, 0)
        if swap and fixed.cards:
            warnings.warn(
                "as in DealerV2, predealt cards turn swapping off", CompatibilityWarning, stacklevel=3
            )
            swap = 0
        return ClassicSource(ClassicV2(seed, known, swap), seed, swap, not plan.clauses)
    return ClassicSource(ClassicV1(seed, known, swap), seed, swap, not plan.clauses)


def _kept(keep: str | int, limits: Limits) -> int:
    if keep == "auto":
        return KEPT
    if keep != "all":
        if not isinstance(keep, int) or keep < 0:
            raise ArgumentError(f"keep is {keep!r}; it takes 'auto', 'all' or a number of deals")
        return keep
    most = min(limit for limit in (limits.produce, limits.generate) if limit is not None)
    size, memory = 32 * most, _memory()
    if size > memory // 4:
        raise MemoryLimitError(
            f"keeping {most:,} deals may take {size:,} bytes, more than a quarter of the memory ({memory:,})"
        )
    return most


def _memory() -> int:
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return sys.maxsize if sys.maxsize < 1 << 33 else 8 << 30  # unknown: assume eight gigabytes


def _nothing(generated: int, limits: Limits) -> str:
    return (
        f"no deal of {generated:,} met the condition; it may be impossible or very rare. "
        "Ask its clauses one by one, or raise the generate limit"
    )
