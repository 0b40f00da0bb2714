"""The trial: which evaluator predicts tricks, by how much, and how sure one may be."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError
from dealerkit.formats.sample import solved_sample
from dealerkit.statistics.estimates import check_level
from dealerkit.studies.calibration import sums_of
from dealerkit.studies.expressions import both_sides, evaluators_in, texts_of, written_out
from dealerkit.studies.sides import known_rule, played_strains, side_tricks
from dealerkit.studies.trial import Trial, TrialWarning

FEWEST = 30  # deals
REPLICATES = 1000


def compare(
    evaluators: Iterable[str] | Mapping[str, Any],
    sample: Deals | None = None,
    strain: str = "best major",
    where: str | None = None,
    *,
    level: float = 0.95,
    seed: int = 1,
    replicates: int = REPLICATES,
    declarer: str = "better",
) -> Trial:
    """Put evaluators on trial: how well does each predict double-dummy tricks?

    Every side of every deal counts once. Tricks are predicted from each evaluator by a straight
    line (least squares), so units do not matter. The two sides of a deal depend on each other;
    intervals come from drawing whole deals with replacement, the same for all evaluators, and
    leave out (1 - level) / 2 of the samples at either end.

    Parameters
    ----------
    evaluators : list of str, or mapping of str to str or ndarray
        Names of the registry (``hcp``, ``ltc``, ``fit``: two hands are combined as the evaluator
        says); or names of one's own with expressions of the language for north-south, in which
        evaluators may stand without arguments, or with values: an ndarray [n, 2], NS and EW.
        The others are compared with the first. Names that take a strain, such as ``zar``, are asked for
        the side in its own best fit, whatever `strain` says; for the strain played give an expression,
        as in ``compare({"zar": "zar(NS, spades)"}, strain="spades")``.
    sample : Deals, optional
        With `tables`; by default `dealerkit.formats.sample.solved_sample`. Deals with `cluster` are
        drawn by cluster.
    strain : str
        ``best major`` (the longer, spades if equal), ``longest fit``, ``best suit`` (with the most
        tricks), ``notrump`` or a suit: see `dealerkit.studies.sides.played_strains`.
    where : str, optional
        Only sides for which this expression for north-south is true, such as ``"fit >= 8"``;
        ``fit`` alone is the fit in the strain played.
    level : float in (0, 1)
        Of the intervals.
    seed : int >= 0
        Of the samples drawn.
    replicates : int >= 100
        Number of samples drawn.
    declarer : {"better", "mean"}
        The hand that takes more tricks declares, or the mean of both counts.

    Returns
    -------
    Trial

    Raises
    ------
    ArgumentError
        A sample that is not solved, or weighted; fewer than 30 deals; an evaluator with one value for all
        or nearly all sides, or that equals the first but for scale; values that do not fit the sample.
    UnknownNameError, ScriptError
        A name or expression that is not understood.

    Warns
    -----
    TrialWarning
        `where` uses an evaluator that is on trial. Selecting by one makes it look worse and the
        others better or worse than they are; the figures without selection then stand beside.

    Examples
    --------
    >>> trial = compare(["hcp", "controls"], strain="notrump", replicates=100)
    >>> trial.frame.R.round(2).tolist(), trial.sides
    ([0.88, 0.83], 104960)
    """
    deals = solved_sample() if sample is None else sample
    if not isinstance(deals, Deals):
        raise ArgumentError(f"the sample is a {type(deals).__name__}; give Deals with their tables, or None")
    check_level(level)
    if deals.weight is not None:
        raise ArgumentError("the sample is weighted, which a trial does not know yet; leave the weights out")
    seed, replicates = check_integer("seed", seed), check_integer("replicates", replicates)
    if replicates < 100:
        raise ArgumentError(f"replicates is {replicates}; intervals need 100 samples at least")
    rule = known_rule(strain)
    texts = texts_of(evaluators, rule)
    tricks = side_tricks(deals, played_strains(deals, rule), declarer)
    values = both_sides(deals)
    columns = {name: _column(name, what, values, len(deals)) for name, what in texts.items()}
    groups = np.arange(len(deals)) if deals.cluster is None else deals.cluster
    settings: dict[str, Any] = {
        "strain": rule, "declarer": declarer, "level": level, "replicates": replicates, "seed": seed
    }  # fmt: skip
    everything = np.ones(tricks.shape, bool)
    if where is None:
        return _trial(columns, tricks, groups, everything, where=None, **settings)
    chosen = values(written_out(where, rule)) != 0
    unselected = None
    used = evaluators_in(where)
    if circular := [
        name for name, text in texts.items() if isinstance(text, str) and used & evaluators_in(text)
    ]:
        unselected = _trial(columns, tricks, groups, everything, where=None, **settings)
        warnings.warn(
            f"where={where!r} selects by what is on trial here ({', '.join(circular)}): figures of selected "
            "sides favour or disfavour the others; those of all sides stand beside",
            TrialWarning,
            stacklevel=2,
        )
    return _trial(columns, tricks, groups, chosen, where=where, unselected=unselected, **settings)


def _column(name: str, what: str | np.ndarray, values: Any, deals: int) -> np.ndarray:
    column = values(what) if isinstance(what, str) else what
    if column.shape != (deals, 2) or column.dtype.kind not in "biuf":
        raise ArgumentError(
            f"{name} has shape {column.shape} and type {column.dtype}; values are numbers [{deals}, 2], "
            "for NS and EW"
        )
    if not np.isfinite(column).all():
        raise ArgumentError(f"{name} has values that are not finite; leave out these deals")
    return column.astype(float)


def _trial(
    columns: Mapping[str, np.ndarray],
    tricks: np.ndarray,
    groups: np.ndarray,
    chosen: np.ndarray,
    *,
    unselected: Trial | None = None,
    **settings: Any,
) -> Trial:
    """The figures of the chosen sides, bool [n, 2]."""
    import pandas as pd

    order = np.argsort(groups, kind="stable")
    picked = chosen[order].ravel()
    names = list(columns)
    measures = np.stack([columns[name][order].ravel()[picked] for name in names], axis=1)
    y, deal = tricks[order].ravel()[picked], np.repeat(groups[order], 2)[picked]
    count = len(np.unique(deal))
    if count < FEWEST:
        where = f" with {settings['where']}" if settings["where"] else ""
        raise ArgumentError(f"{count} deals{where}: a trial needs {FEWEST} at least")
    _refuse_constants(names, measures, y)
    sums = sums_of(measures, y, deal)
    figures, drawn = sums.figures, sums.replicates(settings["replicates"], settings["seed"])
    _refuse_nearly_constant(names, drawn.r)
    interval = _interval(drawn.r2, settings["level"])
    columns_of_frame = {
        "R": figures.r, "R2": figures.r2, "lo": interval[0], "hi": interval[1],
        "sd": figures.sd, "slope": figures.slope, "bias": figures.bias,
    }  # fmt: skip
    frame = pd.DataFrame(columns_of_frame, index=pd.Index(names, name="evaluator"))
    if unselected is not None:
        for name in ("R", "R2", "sd"):
            frame[f"{name}_all"] = unselected.frame[name]
    r2_interval = _interval(drawn.r2[:, 1:] - drawn.r2[:, :1], settings["level"])
    sd_interval = _interval(drawn.sd[:, 1:] - drawn.sd[:, :1], settings["level"])
    differences = pd.DataFrame(
        {
            "R2": figures.r2[1:] - figures.r2[0], "lo": r2_interval[0], "hi": r2_interval[1],
            "sd": figures.sd[1:] - figures.sd[0], "sd_lo": sd_interval[0], "sd_hi": sd_interval[1],
        },
        index=frame.index[1:],
    )  # fmt: skip
    return Trial(frame, differences, count, len(y), unselected=unselected, **settings)


def _interval(drawn: np.ndarray, level: float) -> np.ndarray:
    if not drawn.shape[1]:
        return np.empty((2, 0))
    ends = (1 - level) / 2
    return np.nanquantile(drawn, [ends, 1 - ends], axis=0)


def _refuse_constants(names: list[str], measures: np.ndarray, tricks: np.ndarray) -> None:
    for name, column in zip([*names, "the number of tricks"], [*measures.T, tricks], strict=True):
        if np.ptp(column) == 0:
            raise ArgumentError(f"{name} is {column[0]:g} for every side; a constant predicts nothing")
    first = measures[:, 0]
    for name, column in zip(names[1:], measures.T[1:], strict=True):
        if abs(np.corrcoef(first, column)[0, 1]) > 1 - 1e-12:
            raise ArgumentError(
                f"{name} is {names[0]} in another unit: their figures are equal; leave one of them out"
            )


def _refuse_nearly_constant(names: list[str], drawn: np.ndarray) -> None:
    share = np.isnan(drawn).mean(axis=0)
    for name, missing in zip(names, share, strict=True):
        if missing > 0.01:
            raise ArgumentError(
                f"{name} has one value for nearly all sides, and for all in {100 * missing:.0f} % of the "
                "samples; it needs more deals"
            )
