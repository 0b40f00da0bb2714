"""Values of predictors by least squares, scaled to points, with intervals clustered by deal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.statistics import Estimate
from dealerkit.statistics.accumulation import add_by_cluster
from dealerkit.statistics.intervals import student_quantile
from dealerkit.statistics.least_squares import (
    Order,
    add_products,
    add_squared_errors,
    cluster_covariance,
    cross_validate,
    fit_products,
)
from dealerkit.studies.comparison.resampling import resample_sums

if TYPE_CHECKING:
    from dealerkit.studies.comparison.side_data import SideData

_SIGNS = np.array([[-1.0], [1.0]])


@dataclass(frozen=True, eq=False)
class Scale:
    """The scale of points: `share` @ points = `total`; without a total a point is one of the target.

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
        result: np.ndarray = jacobian @ covariance @ jacobian.T
        return result

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
        The target at no points.
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
        Of the samples of deals.

    Returns
    -------
    PointFit
        The intervals are by the cluster-robust covariance and the delta method. Where a restriction changes
        a value, or is within an interval, they are quantiles of samples of deals with replacement.
    """
    centre, level = np.average(x, axis=0, weights=data.weight), np.average(data.target, weights=data.weight)
    z, y = x - centre, data.target - level
    parts = add_products(z, y, data.weight, data.fold)
    products = parts.sum(axis=0)
    free, fitted = fit_products(products), fit_products(products, order)
    design = np.column_stack([np.ones(len(z)), z])
    covariance = cluster_covariance(design, y - design @ free, data.deal, data.weight)[1:, 1:]
    critical = student_quantile(confidence, data.deals - 1)
    effects, slope = fitted[1:], float(scale.find_slope(fitted[1:]))
    points = effects / slope
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
    is_exact = se <= 1e-10 * np.abs(points)  # a value that defines the scale, but for rounding
    se, ends = np.where(is_exact, 0, se), np.where(is_exact, points, ends)
    low, high = map(float, slope_ends)
    n = products[0, 0]
    squares = float(add_squared_errors(products, fitted))
    return PointFit(
        points=_join_estimates(points, se, ends, len(x), confidence),
        effects=_join_estimates(effects, effect_se, effect_ends, len(x), confidence),
        per_point=Estimate(slope, float(slope_se), low, high, len(x), confidence, exact=not scale.total),
        base=float(fitted[0] + level - effects @ centre),
        r2=float(1 - squares / (products[-1, -1] - products[0, -1] ** 2 / n)),
        r2_cv=cross_validate(parts, order),
        sd=float(np.sqrt(squares / n * len(x) / (len(x) - len(fitted)))),
        method="bootstrap" if bootstraps else "cluster",
    )


def _join_estimates(
    values: np.ndarray, se: np.ndarray, ends: np.ndarray, n: int, confidence: float
) -> tuple[Estimate, ...]:
    """Return an estimate for each value; one without error defines the scale, so that it is exact."""
    rows = zip(values.tolist(), se.tolist(), *ends.tolist(), strict=True)
    return tuple(Estimate(value, error, lo, hi, n, confidence, not error) for value, error, lo, hi in rows)


def _find_deviations(covariance: np.ndarray) -> np.ndarray:
    """Return the standard errors of a covariance matrix."""
    return np.sqrt(np.maximum(np.diag(covariance), 0))


def _resample_products(
    z: np.ndarray, y: np.ndarray, data: SideData, replicates: int, seed: int
) -> np.ndarray:
    """Return the products of 1, predictors and target for samples of deals: [replicates, p + 2, p + 2]."""
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
