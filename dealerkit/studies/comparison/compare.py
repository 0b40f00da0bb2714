"""Comparison of evaluators: how well each predicts double-dummy tricks, with intervals."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError
from dealerkit.formats.sample import solved_sample
from dealerkit.statistics.intervals import check_confidence
from dealerkit.studies.comparison.regression import sum_by_deal
from dealerkit.studies.comparison.trial import Trial, TrialWarning
from dealerkit.studies.expressions import collect_measures, expand_names, find_evaluators, side_evaluator
from dealerkit.studies.sides import choose_strains, find_side_tricks, parse_strain_rule

MIN_DEALS = 30
REPLICATES = 1000


def compare(
    measures: Iterable[str] | Mapping[str, Any],
    *,
    sample: Deals | None = None,
    strain: str = "best major",
    where: str | None = None,
    confidence: float = 0.95,
    seed: int = 1,
    replicates: int = REPLICATES,
    declarer: str = "better",
) -> Trial:
    """Compare how well evaluators predict double-dummy tricks.

    Both sides of every deal are rows. Tricks are predicted from each evaluator by a straight line (least
    squares), so units do not matter. The two sides of a deal depend on each other, so intervals come from
    samples of whole deals with replacement, the same for all evaluators; they exclude (1 - confidence) / 2 of
    the samples at either end.

    Parameters
    ----------
    measures : list of str, or mapping of str to str or ndarray
        Names of the registry such as ``hcp``, ``ltc``, ``fit``, with two hands combined by the rule of
        the evaluator. Or new names with expressions of the language for north-south, in which
        evaluators may be written without arguments, or with values: an ndarray [n, 2], NS and EW.
        The others are compared with the first. Evaluators that take a strain, such as ``zar``, are
        evaluated in the side's own best fit, not in `strain`; for the strain played give an expression,
        as in ``compare({"zar": "zar(NS, spades)"}, strain="spades")``.
    sample : Deals, optional
        With `tables`; by default `dealerkit.formats.sample.solved_sample`. Deals with `cluster` are
        resampled by cluster.
    strain : str
        ``best major`` (the longer, spades if equal), ``longest fit``, ``best suit`` (with the most
        tricks), ``notrump`` or a suit: see `dealerkit.studies.sides.choose_strains`.
    where : str, optional
        Only sides for which this expression for north-south is true, such as ``"fit >= 8"``;
        ``fit`` alone is the fit in the strain played.
    confidence : float in (0, 1)
        Of the intervals.
    seed : int >= 0
        Of the samples.
    replicates : int >= 100
        Number of samples.
    declarer : {"better", "mean"}
        The tricks of the hand that takes more tricks, or the mean of both hands.

    Returns
    -------
    Trial

    Raises
    ------
    ArgumentError
        A sample that is not solved, or weighted; fewer than 30 deals; an evaluator with one value for all
        or nearly all sides, or a linear function of the first; values of the wrong shape.
    UnknownNameError, ScriptError
        An unknown name or invalid expression.

    Warns
    -----
    TrialWarning
        `where` uses one of the compared evaluators. Selecting by it lowers its own correlation and biases
        the others; the result then also has the statistics without selection.

    Examples
    --------
    >>> deals = solved_sample()[:50_000]
    >>> trial = compare(["hcp", "controls"], sample=deals, strain="notrump", replicates=100)
    >>> trial.frame.R.round(2).tolist(), trial.sides
    ([0.88, 0.83], 100000)
    """
    deals = solved_sample() if sample is None else sample
    if not isinstance(deals, Deals):
        raise ArgumentError(f"the sample is a {type(deals).__name__}; give Deals with their tables, or None")
    check_confidence(confidence)
    if deals.weight is not None:
        raise ArgumentError("the sample is weighted, which compare does not support yet; remove the weights")
    seed, replicates = check_integer("seed", seed), check_integer("replicates", replicates)
    if replicates < 100:
        raise ArgumentError(f"replicates is {replicates}; intervals need 100 samples at least")
    rule = parse_strain_rule(strain)
    expressions = collect_measures(measures, rule)
    tricks = find_side_tricks(deals, choose_strains(deals, rule), declarer)
    values = side_evaluator(deals)
    columns = {name: _evaluate_column(name, given, values, len(deals)) for name, given in expressions.items()}
    groups = np.arange(len(deals)) if deals.cluster is None else deals.cluster
    settings: dict[str, Any] = {
        "strain": rule, "declarer": declarer, "confidence": confidence, "replicates": replicates, "seed": seed
    }  # fmt: skip
    data = columns, tricks, groups
    all_sides = np.ones(tricks.shape, bool)
    if where is None:
        return _build_trial(*data, all_sides, where=None, **settings)
    chosen = values(expand_names(where, rule)) != 0
    unselected = None
    used = find_evaluators(where)
    if circular := [
        name for name, text in expressions.items() if isinstance(text, str) and used & find_evaluators(text)
    ]:
        unselected = _build_trial(*data, all_sides, where=None, **settings)
        warnings.warn(
            f"where={where!r} selects by compared evaluators ({', '.join(circular)}): the statistics of "
            "selected sides are biased; those of all sides are shown beside them",
            TrialWarning,
            stacklevel=2,
        )
    return _build_trial(*data, chosen, where=where, unselected=unselected, **settings)


def _evaluate_column(name: str, measure: str | np.ndarray, values: Any, deals: int) -> np.ndarray:
    """Return a measure of both sides, float64 [deals, 2], or raise ArgumentError."""
    column = values(measure) if isinstance(measure, str) else measure
    if column.shape != (deals, 2) or column.dtype.kind not in "biuf":
        raise ArgumentError(
            f"{name} has shape {column.shape} and type {column.dtype}; values are numbers [{deals}, 2], "
            "for NS and EW"
        )
    if not np.isfinite(column).all():
        raise ArgumentError(f"{name} has values that are not finite; remove these deals")
    return column.astype(float)


def _build_trial(
    columns: Mapping[str, np.ndarray],
    tricks: np.ndarray,
    groups: np.ndarray,
    chosen: np.ndarray,
    *,
    unselected: Trial | None = None,
    **settings: Any,
) -> Trial:
    """Return the trial of the chosen sides, bool [n, 2]."""
    import pandas as pd

    order = np.argsort(groups, kind="stable")
    selected = chosen[order]
    names = list(columns)
    measures = np.stack([column[order][selected] for column in columns.values()], axis=1)
    y, deal = tricks[order][selected], np.repeat(groups[order], 2)[selected.ravel()]
    count = len(np.unique(deal))
    if count < MIN_DEALS:
        where = f" with {settings['where']}" if settings["where"] else ""
        raise ArgumentError(f"{count} deals{where}: a trial needs {MIN_DEALS} at least")
    _check_constants(names, measures, y)
    sums = sum_by_deal(measures, y, deal)
    calibration = sums.calibration
    replicates = sums.replicates(settings["replicates"], settings["seed"])
    _check_nearly_constant(names, replicates.r)
    interval = _interval(replicates.r2, settings["confidence"])
    statistics = {
        "R": calibration.r, "R2": calibration.r2, "lo": interval[0], "hi": interval[1],
        "sd": calibration.sd, "slope": calibration.slope, "bias": calibration.bias,
    }  # fmt: skip
    frame = pd.DataFrame(statistics, index=pd.Index(names, name="evaluator"))
    if unselected is not None:
        for name in ("R", "R2", "sd"):
            frame[f"{name}_all"] = unselected.frame[name]
    r2_interval = _interval(replicates.r2[:, 1:] - replicates.r2[:, :1], settings["confidence"])
    sd_interval = _interval(replicates.sd[:, 1:] - replicates.sd[:, :1], settings["confidence"])
    differences = pd.DataFrame(
        {
            "R2": calibration.r2[1:] - calibration.r2[0], "lo": r2_interval[0], "hi": r2_interval[1],
            "sd": calibration.sd[1:] - calibration.sd[0], "sd_lo": sd_interval[0], "sd_hi": sd_interval[1],
        },
        index=frame.index[1:],
    )  # fmt: skip
    return Trial(frame, differences, count, len(y), unselected=unselected, **settings)


def _interval(values: np.ndarray, confidence: float) -> np.ndarray:
    """Return both ends of the interval of each column."""
    if not values.shape[1]:
        return np.empty((2, 0))
    ends = (1 - confidence) / 2
    return np.nanquantile(values, [ends, 1 - ends], axis=0)


def _check_constants(names: list[str], measures: np.ndarray, tricks: np.ndarray) -> None:
    """Raise ArgumentError for a constant column, or a linear function of the first measure."""
    for name, column in zip([*names, "the number of tricks"], [*measures.T, tricks], strict=True):
        if np.ptp(column) == 0:
            raise ArgumentError(f"{name} is {column[0]:g} for every side; a constant predicts nothing")
    first = measures[:, 0]
    for name, column in zip(names[1:], measures.T[1:], strict=True):
        if abs(np.corrcoef(first, column)[0, 1]) > 1 - 1e-12:
            raise ArgumentError(
                f"{name} is {names[0]} in another unit: their statistics are equal; remove one of them"
            )


def _check_nearly_constant(names: list[str], r: np.ndarray) -> None:
    """Raise ArgumentError for a measure that is constant in more than 1 % of the samples."""
    for name, missing in zip(names, np.isnan(r).mean(axis=0), strict=True):
        if missing > 0.01:
            raise ArgumentError(
                f"{name} has one value for nearly all sides, and for all in {100 * missing:.0f} % of the "
                "samples; it needs more deals"
            )
