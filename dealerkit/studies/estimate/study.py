"""`estimate`: a mean, share, quantile or ratio over a population of deals, as precisely as requested."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from numbers import Real
from typing import Any, Literal

import numpy as np

from dealerkit.appearance.numbers import format_count, format_number
from dealerkit.appearance.wording import describe_object
from dealerkit.arguments import Given, check_name, check_optional_integer, check_positive, read_given
from dealerkit.cards.deals import Deals
from dealerkit.compiler.compilation import CompiledScript, compile_conditions
from dealerkit.compiler.frames import select_deals
from dealerkit.counting.features import NotAdditive
from dealerkit.counting.suit_splits import TooManyStates
from dealerkit.doubledummy.journal import Journal
from dealerkit.errors import ArgumentError, Parameter, quote
from dealerkit.formats.library import Library
from dealerkit.formats.solved_libraries import check_plain
from dealerkit.language import nodes
from dealerkit.language.script_variables import Params
from dealerkit.planning.plan import needs_solver
from dealerkit.runtime.executors import use_executor
from dealerkit.runtime.progress import Progress, long_work, show_progress
from dealerkit.simulation.calls import drop_empty, read_text
from dealerkit.simulation.probability import Shares, count_exact_values
from dealerkit.statistics import Estimate
from dealerkit.statistics.derived import Quantile, Ratio, Statistic
from dealerkit.statistics.intervals import check_confidence
from dealerkit.studies.estimate.population import (
    ConditionPopulation,
    GivenDeals,
    Population,
    drop_training_deals,
)
from dealerkit.studies.estimate.question import Part, Question
from dealerkit.studies.estimate.real_play import SOURCE, find_correction, shift_tricks, warn_of_bias
from dealerkit.studies.estimate.result import EstimateResult
from dealerkit.studies.estimate.two_phase import Measures, SampledMeans, sample_means
from dealerkit.studies.limits import StudyLimits, check_end
from dealerkit.studies.provenance import DEFAULT_SEEDS, Provenance, list_samples, set_samples
from dealerkit.studies.solved_stratum import depends_on_model, name_argument, open_stratum

METHODS = ("model", "plain")
PRECISION = 0.01
LEAST_OF_WHOLE = 0.5  # half-width of the interval of a quantile that contains a single whole number
SEED = DEFAULT_SEEDS["estimate"]  # so that equal calls return equal estimates
SAME_DEALS = "all studies share the same solved deals, so studies that use them are not independent"
DOUBLE_DUMMY = "tricks are double dummy: all cards are known"


@long_work
def estimate(
    question: str | os.PathLike[str],
    given: Given | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Params = (),
    *,
    include: Sequence[str | os.PathLike[str]] = (),
    deals: Deals | None = None,
    solved: Library | Deals | Literal["auto"] | None = "auto",
    against: str | os.PathLike[str] | None = None,
    per: str | os.PathLike[str] | None = None,
    quantile: float | None = None,
    real_play: str | int | None = None,
    precision: float | None = None,
    produce: int | None = None,
    confidence: float = 0.95,
    method: str = "model",
    seed: int | None = None,
    max_seconds: float | None = None,
    max_solves: int | None = None,
    progress: bool | Progress | None = None,
    executor: Any = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> EstimateResult:
    """Return the mean of an expression over all deals that meet a condition, as precisely as requested.

    Deals are dealt, and solved if the expression needs double-dummy tricks, until the interval is narrow
    enough. The trick model predicts the value of many deals. Only a few of them are solved, mostly those
    whose value is uncertain, and the mean of the predictions is corrected by the errors found (double
    sampling with regression). Poor predictions cost time, but the estimate remains unbiased. Deals that are
    already solved and meet the condition are used first; if they reach the precision, no hands are dealt. An
    expression without tricks is counted exactly if the deals can be counted.

    Parameters
    ----------
    question : str or os.PathLike
        An expression of the dealer language, or its file. The mean of a condition is the share of deals that
        meet it.
    given : str, os.PathLike or Auction, optional
        The condition that all deals meet.
    predeal, params
        As for `dealerkit.probability`.
    include : sequence of str or os.PathLike
        Folders to search for included files, as for `dealerkit.parse`.
    deals : Deals, optional
        A random sample of the population, used instead of dealing; attached tables are used. Deals that
        trained the trick model are left out, unless the method is "plain" or all deals have tables, which are
        then used without predictions.
    solved : "auto", Library, Deals or None
        Solved deals that an estimate of tricks uses first: those of the shipped sample and of
        `dealerkit.use_solved`, those of a library, or none. All studies use the same solved deals, so such
        studies are not independent.
    against : str or os.PathLike, optional
        Another expression, which is subtracted: the result is the difference on the same deals.
    per : str or os.PathLike, optional
        Another expression: the result is the ratio of the two means. The ratio of ``A and B`` per ``A`` is
        the share of B among the deals that meet A.
    quantile : float in (0, 1), optional
        The quantile to estimate instead of the mean, 0.5 for the median. The ends of its interval are halfway
        to the next value outside.
    real_play : str or int, optional
        A contract or its level. The mean is corrected for the difference between tricks at the table and
        double dummy in such contracts: in a share of the deals equal to the mean difference, declarer takes
        one trick more, or one fewer.
    precision : float > 0, optional
        Half-width of the interval, in the unit of the question. The default 0.01 is one per cent of the
        deals, or a hundredth of a trick. For a quantile of whole numbers it is at least 0.5, and 1 by
        default.
    produce : int, optional
        Number of deals, all of them solved and without `solved`; cannot be combined with `precision`. An
        expression that can be counted is counted all the same.
    confidence : float in (0, 1)
    method : {"model", "plain"}
        "plain" solves every deal, without predictions.
    seed : int >= 0, optional
        Seed of the deals and of the choice of deals to solve; None: the same for each call.
    max_seconds, max_solves : float, int, optional
        End the study at this limit, with the interval reached by then. An interrupt does the same.
    progress : bool, callable or None
        Whether to show a progress bar; by default it appears after a second on a terminal or in a notebook.
        Or a function, called as ``progress(done, total)`` with numbers of deals.
    executor : distributed.Client, concurrent.futures.Executor or str, optional
        Solve in other processes, as for `dealerkit.run`.
    checkpoint : str or os.PathLike, optional
        A file that receives what is computed, every 10 seconds, at an interrupt and at the end. If it exists,
        the same call continues from it, and the time spent before counts for `max_seconds`; a file of another
        call is refused.

    Returns
    -------
    EstimateResult

    Raises
    ------
    ArgumentError
        An argument is out of range, no deal meets the condition, or the precision would take more than a day.
    EvaluationError, PredealError, ScriptError

    Warns
    -----
    DoubleDummyBias
        The expression uses double-dummy tricks without the correction.
    SmallSample
        There are fewer than 30 deals.
    TruncatedRun
        The interval is wider than the precision.
    CostWarning
        The study will take more than a minute.

    References
    ----------
    W. G. Cochran, Sampling Techniques, 3rd ed. (Wiley 1977), chapters 5, 5A and 12.

    Examples
    --------
    >>> estimate("hcp(north) >= 12 and spades(north) >= 5").estimate
    0.061201 (exact)
    >>> estimate("cccc(north)", given="hcp(north) == 12", precision=0.1, seed=1).estimate
    13.06 ± 0.05 (n = 5,000)
    """
    # The arguments, and one tree for the question, even for a difference or a ratio
    given = read_given(given, predeal)
    seed = check_optional_integer("seed", seed)
    method = check_name("method", method, METHODS)
    _check_options(precision, produce, confidence, quantile, against, per, real_play)
    if produce is not None:
        precision, method, solved = 0.0, "plain", None
    quantile = None if quantile is None else float(quantile)
    limits = StudyLimits(max_seconds, max_solves)
    second = against if against is not None else per
    compiled, trees = compile_conditions(
        (question,) if second is None else (question, second), given, predeal, params, include=include
    )
    if against is not None:
        trees = [nodes.Chain((trees[0], trees[1]), ("-",), place=trees[0].place)]
    # The name of the result, and what a checkpoint must match
    name = _describe(question, against, per, quantile)
    parts = _list_parts(compiled, trees, real_play)
    is_whole = quantile is not None and not compiled.graph.operations[parts[0].slot].range.real
    if precision is None:
        precision = 2 * LEAST_OF_WHOLE if is_whole else PRECISION
    condition = None if given is None else read_text(given)
    key = SEED if seed is None else seed
    arguments = {
        "question": read_text(question), "given": condition, "predeal": predeal, "params": params,
        "include": include, "deals": deals, "against": None if against is None else read_text(against),
        "per": None if per is None else read_text(per), "quantile": quantile, "real_play": real_play,
        "precision": precision or None, "produce": produce, "confidence": confidence, "method": method,
        "seed": key, "max_seconds": max_seconds, "max_solves": max_solves,
    }  # fmt: skip
    stratum = None
    if deals is None:
        slots = [part.slot for part in parts]
        stratum = open_stratum(solved, compiled, slots, lambda part: measured.value_of_solved(part))
    of_checkpoint = {"variables": compiled.program.definitions, "solved": stratum and stratum.list_sources()}
    journal = Journal(checkpoint, "estimate", arguments | of_checkpoint)
    text = f"{name} given {condition}" if condition else name
    given_arguments = drop_empty(arguments) | name_argument(solved)
    source = Provenance(text, None if deals is not None else key, given_arguments, function="estimate")
    # Counted, if that is possible without dealing
    measured = Question(compiled, parts, key, journal=journal)
    if not measured.needs_solver and deals is None:
        exact = _count(compiled, parts, quantile, confidence)
        if exact is not None:
            return EstimateResult(name, condition or "", exact, precision, "exact", source)
    _check_whole(precision, is_whole)
    # The deals, and whether a model predicts their values
    use_model = (
        method == "model"
        and measured.is_predictable
        and not any(needs_solver(compiled.graph, slot) for slot in compiled.given)
    )
    population, n_left_out = _choose_population(
        compiled, parts, given, predeal, deals, produce, key, use_model, params=params, include=include
    )
    is_plain = isinstance(population, GivenDeals) and population.is_plain
    use_model = use_model and not is_plain
    if measured.needs_solver and real_play is None:
        warn_of_bias(Parameter("real_play="), " with a contract corrects the mean")
    # Deal and solve until the interval is narrow enough
    statistic: Statistic | None = Ratio() if per is not None else None
    statistic = statistic if quantile is None else Quantile(quantile, float(precision))
    measures = Measures(
        (float(precision),), measured.is_share, measured.ranges, measured.value_ns, confidence, statistic
    )
    with use_executor(executor), show_progress(progress) as report, journal:
        sampled = sample_means(
            population, measured.value, measures, measured.predict if use_model else None,
            stratum=stratum, limits=limits, seed=key, progress=report, journal=journal,
        )  # fmt: skip
    # The result with its notes
    cost = sampled.cost
    samples = list_samples(key, deals, stratum.list_names() if stratum else ())
    source = replace(source, cost=cost, solved=stratum.describe() if stratum and cost.from_solved else "")
    used = "solved" if cost.from_solved == cost.deals else "model" if use_model else "plain"
    return EstimateResult(
        name, condition or "", set_samples(sampled.estimates[0], samples), precision, used, source,
        _count_plain_solves(sampled, measured),
        _list_notes(measured, sampled, method, use_model or is_plain, real_play, n_left_out),
        sampled.reason, sampled.values[:, 0], sampled.means.weights,
    )  # fmt: skip


def _list_parts(compiled: CompiledScript, trees: Sequence[Any], real_play: str | int | None) -> list[Part]:
    """Return the expressions as parts of a `Question`, each with its version for the tricks of real play."""
    graph = compiled.graph
    slots = [graph.add_expression(tree) for tree in trees]
    if real_play is None:
        return [Part(slot) for slot in slots]
    if not graph.has_kind(slots, "tricks"):
        raise ArgumentError(
            Parameter("real_play"), " corrects double-dummy tricks, which the question does not use; leave "
            "out ",
            Parameter("real_play="),
        )  # fmt: skip
    correction = find_correction(real_play)
    step = 1 if correction > 0 else -1
    shifted = [shift_tricks(tree, step, compiled.program.definitions) for tree in trees]
    return [
        Part(slot, graph.add_expression(tree), abs(correction))
        for slot, tree in zip(slots, shifted, strict=True)
    ]


def _check_options(
    precision: Any, produce: Any, confidence: Any, quantile: Any, against: Any, per: Any, real_play: Any
) -> None:
    """Raise ArgumentError for an argument out of range, or arguments that exclude each other."""
    if precision is not None:
        check_positive("precision", precision, PRECISION)
    check_end(precision, produce)
    if produce is not None and quantile is not None:
        raise ArgumentError(
            Parameter("produce="), " is for means and shares; give ", Parameter("precision="), " instead"
        )
    check_confidence(confidence)
    is_number = isinstance(quantile, Real) and not isinstance(quantile, bool)
    if quantile is not None and not (is_number and 0 < quantile < 1):
        raise ArgumentError(
            Parameter("quantile"), f" is {quote(quantile)}; it must be between 0 and 1, 0.5 for the median"
        )
    if per is not None and (against is not None or quantile is not None):
        other = Parameter("against=" if against is not None else "quantile=")
        raise ArgumentError(Parameter("per="), " and ", other, " exclude each other; leave out one of them")
    if real_play is not None:
        find_correction(real_play)
    if real_play is not None and quantile is not None:
        raise ArgumentError(
            Parameter("real_play"), " corrects means, not quantiles; leave out ", Parameter("quantile="),
            " or ", Parameter("real_play="),
        )  # fmt: skip


def _check_whole(precision: float, is_whole: bool) -> None:
    """Raise ArgumentError for a precision that the interval of a quantile of whole numbers cannot have."""
    if is_whole and precision < LEAST_OF_WHOLE:
        raise ArgumentError(
            Parameter("precision"),
            f" is {quote(precision)}; the interval of a quantile of whole numbers ends halfway to the next "
            f"number, so give {LEAST_OF_WHOLE} or more",
        )


def _describe(question: Any, against: Any, per: Any, quantile: float | None) -> str:
    """Return one line that says what is estimated."""
    name = " ".join(read_text(question).split())
    if against is not None:
        name = f"({name}) - ({' '.join(read_text(against).split())})"
    if per is not None:
        name = f"{name} per {' '.join(read_text(per).split())}"
    return name if quantile is None else f"{format_number(quantile)} quantile of {name}"


def _count(
    compiled: CompiledScript, parts: list[Part], quantile: float | None, confidence: float
) -> Estimate | None:
    """Return the exact value, or None if deals cannot be counted."""
    try:
        counted = [count_exact_values(compiled, part.slot) for part in parts]
    except (NotAdditive, TooManyStates):
        return None
    if quantile is not None:
        return Estimate.exactly(_find_quantile(counted[0], quantile), confidence=confidence)
    means = [_find_mean(shares) for shares in counted]
    if len(means) == 1:
        return Estimate.exactly(means[0], confidence=confidence)
    if not means[1]:
        raise ArgumentError(
            "the mean in the denominator is 0; give another expression as ", Parameter("per=")
        )
    return Estimate.exactly(means[0] / means[1], confidence=confidence)


def _find_mean(shares: Shares) -> Fraction:
    """Return the exact mean of counted values."""
    values = [Fraction(repr(float(value))) for value in shares.values]
    total = sum((value * count for value, count in zip(values, shares.counts, strict=True)), Fraction(0))
    return total / shares.total


def _find_quantile(shares: Shares, quantile: float) -> Fraction:
    """Return the smallest value whose cumulative share is at least `quantile`."""
    limit = Fraction(repr(float(quantile))) * shares.total
    n_below = sum(total < limit for total in accumulate(shares.counts))
    return Fraction(repr(float(shares.values[n_below])))


def _choose_population(
    compiled: CompiledScript,
    parts: Sequence[Part],
    given: Any,
    predeal: Any,
    deals: Any,
    produce: int | None,
    seed: int,
    use_model: bool,
    **options: Any,
) -> tuple[Population, int]:
    """Return the deals of the study and the number of given deals that are left out."""
    if deals is None and produce is not None:
        return GivenDeals(ConditionPopulation(compiled, seed).draw(produce), True), 0
    if deals is None:
        return ConditionPopulation(compiled, seed), 0
    if not isinstance(deals, Deals):
        raise ArgumentError(
            f"deals is {describe_object(deals)}; give Deals, as dk.deal or dk.read returns them"
        )
    if predeal is not None:
        raise ArgumentError(
            Parameter("predeal="), " only applies to dealing; leave it out if ", Parameter("deals="),
            " is given",
        )  # fmt: skip
    check_plain(deals)
    chosen = deals if given is None else select_deals(deals, given, warns=False, **options)
    if not len(chosen):
        raise ArgumentError(f"none of the {len(deals):,} deals meets the given condition; give a weaker one")
    kept = drop_training_deals(chosen) if use_model else chosen
    # If all deals have tables, no predictions are needed, so those that trained the model may be used
    has_tables = chosen.tables is not None and bool((chosen.tables >= 0).all())
    is_plain = (
        len(kept) < len(chosen)
        and has_tables
        and not depends_on_model(compiled, [part.slot for part in parts])
    )
    kept = chosen if is_plain else kept
    if not len(kept):
        raise ArgumentError(
            f"the trick model was trained on all {len(chosen):,} deals; give other deals, or ",
            Parameter("method=", "plain"),
        )
    order = np.random.default_rng(seed & (1 << 64) - 1).permutation(len(kept))
    kept_deals = kept[order[:produce]]
    return GivenDeals(kept_deals, is_plain or produce is not None), len(chosen) - len(kept)


def _count_plain_solves(sampled: SampledMeans, question: Question) -> int:
    """Return the number of solves that plain sampling would have needed for the precision."""
    cost = sampled.cost
    n_new = cost.solved_deals - cost.from_solved
    per_deal = (cost.solves + cost.looked_up) / n_new if n_new else len(question.tricks)
    return round(sampled.plain_solved * per_deal)


def _list_notes(
    question: Question, sampled: SampledMeans, method: str, use_model: bool, real_play: Any, n_left_out: int
) -> tuple[str, ...]:
    """Return the remarks about an estimate as sentences."""
    notes = []
    if n_left_out:
        notes.append(
            f"{format_count(n_left_out, 'given deal')} trained the trick model and were left out; "
            f"the method plain uses all of them"
        )
    if sampled.reason:
        notes.append(f"ended early: {sampled.reason}")
    cost = sampled.cost
    if cost.from_solved:
        notes.append(SAME_DEALS)
    if question.needs_solver and method == "model" and not use_model and cost.from_solved < cost.deals:
        notes.append("the trick model cannot predict this question, so every deal was solved")
    if real_play is not None:
        tricks = format_number(find_correction(real_play), 2, sign=True, ascii=True)
        notes.append(f"corrected for real play by {tricks} tricks ({real_play}; {SOURCE})")
    elif question.needs_solver:
        notes.append(DOUBLE_DUMMY)
    return tuple(notes)
