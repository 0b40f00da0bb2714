"""`dk.fit_points`: points for cards and shape, fitted to the tricks of solved deals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.appearance.numbers import format_number
from dealerkit.appearance.wording import join_words
from dealerkit.arguments import check_integer, check_name, check_positive, is_listing
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError, quote, suggest_name
from dealerkit.runtime.progress import long_work
from dealerkit.statistics import Estimate
from dealerkit.statistics.accumulation import add_by_cluster
from dealerkit.statistics.intervals import check_confidence, student_quantile
from dealerkit.statistics.least_squares import (
    Order,
    add_products,
    add_squared_errors,
    cluster_covariance,
    cross_validate,
    fit_products,
    restrict_coefficients,
)
from dealerkit.studies.comparison.measure_statistics import check_data
from dealerkit.studies.comparison.measures import Sides, collect_measures
from dealerkit.studies.comparison.side_data import SideData, SideRows, check_folds, resample_sums, take_sample
from dealerkit.studies.fit_points.result import FittedPoints, FittedValue
from dealerkit.studies.provenance import repeatable
from dealerkit.studies.sides import DECLARER_TEXTS, STRAIN_TEXTS, TRICKS_DECLARERS, parse_strain_rule

_SIGNS = np.array([[-1.0], [1.0]])
MIN_CASES = 20  # deals in which a predictor differs from its usual value
REPLICATES = 1000


@long_work
@repeatable
def fit_points(
    predictors: Iterable[str] | Mapping[str, Any],
    *,
    sample: Deals | None = None,
    strain: str = "notrump",
    target: str | np.ndarray = "tricks",
    where: str | None = None,
    total: float | None = None,
    unit: Mapping[str, float] | None = None,
    non_negative: bool | Iterable[str] = False,
    descending: bool | Iterable[str] = False,
    declarer: str = "better",
    confidence: float = 0.95,
    seed: int = 1,
    replicates: int = REPLICATES,
    folds: int = 10,
) -> FittedPoints:
    """Fit points for cards and shape to the tricks of solved deals.

    The points of a side are the sum over its predictors of count times value. The values are those that
    predict the target best by least squares with an intercept; they are then scaled.

    Parameters
    ----------
    predictors : list of str, or mapping of str to str or ndarray
        As for `compare`: names of evaluators such as ``aces``, or new names with expressions for north and
        south, or with values [n, 2] for NS and EW. For example
        ``{"A": "aces", "K": "kings", "ninth trump": "fit >= 9"}``.
    sample : Deals, optional
        Deals with `tables`; by default `solved_sample`. Deals with the same `cluster` depend on each other.
    strain : str
        ``notrump``, a suit, ``best major``, ``longest fit`` or ``best suit``, as for `compare`.
    target : str or ndarray
        What the points predict: an expression in which `tricks` is the number of tricks in the strain
        played, or values [n, 2].
    where : str, optional
        Use only sides for which this expression for north and south is true.
    total : float, optional
        The number of points of the whole pack, such as 40. It is shared among the predictors whose number in
        the four hands is always the same.
    unit : mapping of str to float, optional
        A predictor and its points, such as ``{"A": 4}``. Without `total` and `unit`, a point is a trick.
    non_negative : bool or iterable of str
        Values that must be 0 or more; True for all.
    descending : bool or iterable of str
        Values none of which may be larger than the one before it; True for all, in their order.
    declarer : {"better", "mean"}
        The tricks of the hand that takes more tricks, or the mean of both hands.
    confidence : float in (0, 1)
        Confidence level of the intervals.
    seed, replicates : int
        Seed and number of the resamples of deals for the intervals, if a restriction may change a value.
    folds : int >= 2
        Number of folds, groups of deals, for cross-validation.

    Returns
    -------
    FittedPoints

    Raises
    ------
    ArgumentError
        A predictor is constant, rare, or follows from the others; there are fewer than 30 deals; the sample
        does not determine the scale; a name is not that of a predictor.

    Notes
    -----
    Both sides of a deal are rows. The covariance of the values is the sandwich estimate over deals; that of
    scaled values follows by the delta method. These do not allow for restrictions. Therefore, if a
    restriction changes a value or is within an interval, all intervals are quantiles of resamples of whole
    deals.

    Examples
    --------
    >>> import dealerkit as dk
    >>> cards = {"A": "aces", "K": "kings", "Q": "queens", "J": "jacks", "T": "tens"}
    >>> fitted = fit_points(cards, sample=dk.solved_sample()[:20_000], total=40)
    >>> {name: round(value, 1) for name, value in fitted.points.items()}
    {'A': 4.4, 'K': 2.8, 'Q': 1.6, 'J': 0.8, 'T': 0.4}
    """
    # The arguments
    check_confidence(confidence)
    seed, replicates = check_integer("seed", seed), check_integer("replicates", replicates, 100)
    folds, declarer = check_folds(folds), check_name("declarer", declarer, TRICKS_DECLARERS)
    rule, measures = parse_strain_rule(strain), collect_measures(predictors)
    if several := [measure.name for measure in measures if len(measure.predictors) > 1]:
        raise ArgumentError(f"{several[0]} has several predictors; give each a name of its own")
    # The values of all predictors; the pack is counted before sides are selected
    sides = Sides(take_sample(sample), rule, declarer)
    rows = SideRows(sides, measures, target, seed, folds)
    data, names = rows.data, list(rows.data.measures)
    pack = np.array([_count_in_pack(values) for values in data.measures.values()])
    if where is not None:
        data = data.select(rows.order(sides.select(where)))
    check_data(data, {name: [name] for name in names}, f" with {where}" if where else "")
    # The fit, scaled
    order, restrictions = _order_values(names, non_negative, descending)
    scale = _choose_scale(names, pack, total, unit)
    x = np.stack(list(data.measures.values()), axis=1)
    _check_predictors(names, x, data)
    fit = fit_values(x, data, order, scale, confidence, replicates, seed)
    if scale.total and not fit.per_point.lo * np.sign(scale.total) > 0:
        raise ArgumentError(
            f"the scale is not determined: with {scale.text} a point would be worth "
            f"{fit.per_point.lo:.3g} to {fit.per_point.hi:.3g} of the target, which may be 0; "
            "scale by a predictor that is worth more, or give more deals"
        )
    # The result, with the expressions that make the points
    means = np.average(x, axis=0, weights=data.weight)
    texts = [measure.predictors[0] for measure in measures]
    given = [text if isinstance(text, str) else None for text in texts]
    expressions, aim = dict(zip(names, given, strict=True)), target if isinstance(target, str) else "values"
    subject = f"{aim} in {STRAIN_TEXTS.get(rule, rule)}"
    values = map(FittedValue, fit.points, fit.effects, means.tolist())
    return FittedPoints(
        dict(zip(names, values, strict=True)), fit.per_point, fit.base, fit.r2, fit.r2_cv, fit.sd, data.deals,
        len(data), expressions, target=aim, where=where, subject=subject, scale=scale.text,
        declarer=DECLARER_TEXTS[declarer], restrictions=restrictions, method=fit.method,
        confidence=confidence, replicates=replicates, seed=seed,
    )  # fmt: skip


def _count_in_pack(values: np.ndarray) -> float:
    """Return the number of a predictor in the four hands, if it is the same in every deal; otherwise nan.

    >>> _count_in_pack(np.array([4.0, 0, 1, 3])), _count_in_pack(np.array([1.0, 0, 1, 3]))
    (4.0, nan)
    """
    sums = values.reshape(-1, 2).sum(axis=1)
    return float(sums[0]) if np.ptp(sums) == 0 else np.nan


def _order_values(
    names: list[str], non_negative: Any, descending: Any
) -> tuple[Order | None, tuple[str, ...]]:
    """Return signs and order of the values, None if there are none, and both in words."""
    signs = _choose_names(names, non_negative, "non_negative")
    falling = _choose_names(names, descending, "descending")
    if not signs and not falling:
        return None, ()
    texts = [f"{join_words(names[k] for k in signs)} 0 or more"] if signs else []
    texts += [f"{' >= '.join(names[k] for k in falling)}"] if falling else []
    return restrict_coefficients(len(names), signs, falling), tuple(texts)


def _choose_names(names: list[str], given: Any, option: str) -> list[int]:
    """Return the indices of predictors that an option names; True means all."""
    if isinstance(given, bool):
        return list(range(len(names))) if given else []
    if isinstance(given, str) or not is_listing(given):
        raise ArgumentError(f"{option} is {quote(given)}; give True, or a list such as {names[:2]}")
    listed = list(given)
    for name in listed:
        _check_name(name, names, option)
    if len(set(listed)) < len(listed):
        raise ArgumentError(f"{option} names a predictor twice: {', '.join(listed)}")
    return [names.index(name) for name in listed]


def _check_name(name: object, names: list[str], option: str) -> None:
    """Raise ArgumentError if a name is not that of a predictor."""
    if not isinstance(name, str) or name not in names:
        close = suggest_name(str(name), names)
        raise ArgumentError(f"{option} names {quote(name)}{close}; the predictors are {', '.join(names)}")


def _choose_scale(
    names: list[str], pack: np.ndarray, total: float | None, unit: Mapping[str, float] | None
) -> Scale:
    """Return the scale of the points; `pack` [p] has the number of each predictor in four hands, or nan."""
    if total is not None and unit is not None:
        raise ArgumentError("give total= or unit=, not both; either one determines the scale")
    # By one predictor
    if unit is not None:
        if not isinstance(unit, Mapping) or len(unit) != 1:
            raise ArgumentError(f"unit is {quote(unit)}; give one predictor and its points, as in {{'A': 4}}")
        ((name, points),) = unit.items()
        _check_name(name, names, "unit")
        check_positive("unit", points, 4)
        return Scale(
            np.array([float(other == name) for other in names]),
            float(points),
            f"{name} is {format_number(points, ascii=True)}",
        )
    if total is None:
        return Scale(np.zeros(len(names)), 0.0, "a point is one of the target")
    # By all cards of the pack
    check_positive("total", total, 40)
    is_card = ~np.isnan(pack)
    if not is_card.any():
        raise ArgumentError(
            f"total={total} needs cards whose number in the pack is fixed, such as aces; none of the "
            f"predictors is ({', '.join(names)}); give unit={{{names[0]!r}: 4}}"
        )
    cards = join_words(name for name, fixed in zip(names, is_card, strict=True) if fixed)
    return Scale(
        np.where(is_card, pack, 0),
        float(total),
        f"the pack holds {format_number(total, ascii=True)} points ({cards})",
    )


def _check_predictors(names: list[str], x: np.ndarray, data: SideData) -> None:
    """Raise ArgumentError for a predictor that is rare, or that follows from those before it."""
    for name, column in zip(names, x.T, strict=True):
        values, counts = np.unique(column, return_counts=True)
        usual = values[counts.argmax()]
        deals = len(np.unique(data.deal[column != usual]))
        if deals < MIN_CASES:
            raise ArgumentError(
                f"{name} is {usual:g} except in {deals} deals; a value needs {MIN_CASES}: give more deals, "
                "or join it with another predictor"
            )
    unit = (x - x.mean(axis=0)) / x.std(axis=0)
    root = np.abs(np.diag(np.linalg.qr(unit, mode="r"))) / np.sqrt(len(x))
    for name, rest in zip(names, root, strict=True):
        if rest < 1e-6:
            raise ArgumentError(
                f"{name} follows from the predictors before it ({', '.join(names[: names.index(name)])}), so "
                "that its value is not determined; remove one of these"
            )


@dataclass(frozen=True, eq=False)
class Scale:
    """The scale of points: `share` @ points = `total`; without a total, a point is one unit of the target.

    Parameters
    ----------
    share : ndarray of float64 [shape=(p,)]
        Number of each predictor in what has the total.
    total : float
        0 for no scale.
    text : str
        The scale in words.
    """

    share: np.ndarray
    total: float
    text: str

    @property
    def fixes(self) -> np.ndarray:
        """Whether the scale alone defines the points of a predictor, as in "an ace is 4": bool [p]."""
        return (self.share != 0) & bool(self.total and np.count_nonzero(self.share) == 1)

    def find_slope(self, coefficients: np.ndarray) -> np.ndarray:
        """Return the effect of a point [...] for the effects of predictors [..., p]."""
        return coefficients @ self.share / self.total if self.total else np.ones(coefficients.shape[:-1])

    def find_points_covariance(self, coefficients: np.ndarray, covariance: np.ndarray) -> np.ndarray:
        """Return the covariance of the points from that of the coefficients, by the delta method."""
        if not self.total:
            return covariance
        # The points are b / slope, so their derivative is (1 - b share' / (share' b)) / slope.
        part = np.outer(coefficients, self.share) / (self.share @ coefficients)
        jacobian = (np.eye(len(coefficients)) - part) / self.find_slope(coefficients)
        return jacobian @ covariance @ jacobian.T

    def find_slope_variance(self, covariance: np.ndarray) -> float:
        """Return the variance of the effect of a point from the covariance of the coefficients."""
        return float(self.share @ covariance @ self.share) / self.total**2 if self.total else 0.0


@dataclass(frozen=True, eq=False)
class PointFit:
    """Effects and points of p predictors with their intervals, and the accuracy of the prediction.

    Parameters
    ----------
    points, effects : tuple of Estimate [p]
        Points of each predictor, and the effect of one more of it on the target.
    per_point : Estimate
        Effect of a point.
    base : float
        The target at zero points.
    r2, r2_cv, sd : float
        R2, cross-validated R2, standard deviation of the residuals.
    method : {"cluster", "bootstrap"}
    """

    points: tuple[Estimate, ...]
    effects: tuple[Estimate, ...]
    per_point: Estimate
    base: float
    r2: float
    r2_cv: float
    sd: float
    method: str


def fit_values(
    x: np.ndarray,
    data: SideData,
    order: Order | None,
    scale: Scale,
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 1,
) -> PointFit:
    """Fit the values of predictors to the target of the sides of deals.

    Parameters
    ----------
    x : ndarray of float64 [shape=(rows, p)]
        Predictors, none of which follows from the others.
    data : SideData
    order : Order or None
        Signs and order of the values.
    scale : Scale
    confidence : float in (0, 1)
    replicates, seed : int
        Number and seed of the resamples.

    Returns
    -------
    PointFit
        The intervals are from the cluster-robust covariance and the delta method. If a restriction changes a
        value, or is within an interval, they are quantiles of resamples of deals.
    """
    # Least squares with and without the restrictions, from sums of products of centred values
    centre, level = np.average(x, axis=0, weights=data.weight), np.average(data.target, weights=data.weight)
    z, y = x - centre, data.target - level
    parts = add_products(z, y, data.weight, data.fold)
    products = parts.sum(axis=0)
    free, fitted = fit_products(products), fit_products(products, order)
    design = np.column_stack([np.ones(len(z)), z])
    covariance = cluster_covariance(design, y - design @ free, data.deal, data.weight)[1:, 1:]
    critical = student_quantile(confidence, data.deals - 1)
    # Points are the values divided by the effect of one point
    effects, slope = fitted[1:], float(scale.find_slope(fitted[1:]))
    points = effects / slope
    # Errors: from resamples of deals if a restriction may bind, otherwise by the delta method
    bootstraps = order is not None and order.may_bind(free[1:], covariance, critical)
    if bootstraps:
        samples = fit_products(_resample_products(z, y, data, replicates, seed), order)[:, 1:]
        slopes = scale.find_slope(samples)
        tails = [(1 - confidence) / 2, (1 + confidence) / 2]
        each = samples / slopes[:, None]
        se, slope_se = each.std(axis=0, ddof=1), float(slopes.std(ddof=1))
        effect_se = samples.std(axis=0, ddof=1)
        effect_ends, ends = np.quantile(samples, tails, axis=0), np.quantile(each, tails, axis=0)
        slope_ends = np.quantile(slopes, tails)
    else:
        se = _find_deviations(scale.find_points_covariance(effects, covariance))
        slope_se = np.sqrt(scale.find_slope_variance(covariance))
        effect_se = _find_deviations(covariance)
        effect_ends = effects + critical * _SIGNS * effect_se
        ends = points + critical * _SIGNS * se
        slope_ends = slope + critical * _SIGNS[:, 0] * slope_se
    # Points that the scale defines have no error, except for rounding
    is_exact = scale.fixes
    se, ends = np.where(is_exact, 0, se), np.where(is_exact, points, ends)
    # How well the points predict
    low, high = map(float, slope_ends)
    n = products[0, 0]
    squares = float(add_squared_errors(products, fitted))
    return PointFit(
        points=_join_estimates(points, se, ends, len(x), confidence, is_exact),
        effects=_join_estimates(effects, effect_se, effect_ends, len(x), confidence, np.zeros(len(se), bool)),
        per_point=Estimate(slope, float(slope_se), low, high, len(x), confidence, exact=not scale.total),
        base=float(fitted[0] + level - effects @ centre),
        r2=float(1 - squares / (products[-1, -1] - products[0, -1] ** 2 / n)),
        r2_cv=cross_validate(parts, order),
        sd=float(np.sqrt(squares / n * len(x) / (len(x) - len(fitted)))),
        method="bootstrap" if bootstraps else "cluster",
    )


def _join_estimates(
    values: np.ndarray, se: np.ndarray, ends: np.ndarray, n: int, confidence: float, is_exact: np.ndarray
) -> tuple[Estimate, ...]:
    """Return an estimate for each value, with its error and the ends of its interval."""
    rows = zip(values.tolist(), se.tolist(), *ends.tolist(), is_exact.tolist(), strict=True)
    return tuple(Estimate(value, error, lo, hi, n, confidence, exact) for value, error, lo, hi, exact in rows)


def _find_deviations(covariance: np.ndarray) -> np.ndarray:
    """Return the standard errors of a covariance matrix."""
    return np.sqrt(np.maximum(np.diag(covariance), 0))


def _resample_products(
    z: np.ndarray, y: np.ndarray, data: SideData, replicates: int, seed: int
) -> np.ndarray:
    """Return the products of 1, predictors and target for resamples of deals: [replicates, p + 2, p + 2]."""
    columns = np.column_stack([np.ones(len(y)), z, y])
    weighted = columns if data.weight is None else columns * data.weight[:, None]
    row, column = np.triu_indices(columns.shape[1])
    parts = [
        add_by_cluster(weighted[:, i] * columns[:, j], data.deal) for i, j in zip(row, column, strict=True)
    ]
    totals = resample_sums(np.stack(parts, axis=1), replicates, seed)
    products = np.empty((replicates, columns.shape[1], columns.shape[1]))
    products[:, row, column] = products[:, column, row] = totals
    return products
