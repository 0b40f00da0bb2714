"""Statistics of compared measures with intervals: single measures, differences, pairs, and the best.

The target is predicted by least squares. The two sides of a deal depend on each other, so a deal is left out
with all its rows. All statistics follow from sums over the rows of a deal (of w, w y, w y², and w x, w x x',
w x y for the predictors x of a measure, with weight w). Leaving out a deal or a fold subtracts its sums,
without reading the rows again.

References
----------
B. Efron and C. Stein, The jackknife estimate of variance, Ann. Statist. 9 (1981), 586-596.
A. C. Cameron and D. L. Miller, A practitioner's guide to cluster-robust inference, J. Human Resources 50
(2015), 317-372.
M. Stone, Cross-validatory choice and assessment of statistical predictions, J. Roy. Statist. Soc. B 36
(1974), 111-147.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.runtime.process import cached_property
from dealerkit.statistics import Estimate
from dealerkit.statistics.accumulation import add_by_cluster
from dealerkit.statistics.estimates import build_estimates, list_columns
from dealerkit.statistics.intervals import student_quantile
from dealerkit.statistics.least_squares import cluster_covariance
from dealerkit.statistics.simultaneous import compare_with_best, simultaneous_intervals
from dealerkit.studies.comparison.side_data import SideData
from dealerkit.studies.frames import tabulate
from dealerkit.studies.limits import MIN_DEALS

if TYPE_CHECKING:
    import pandas as pd


MIN_VARIED = 5  # least number of deals in which a measure differs from its most frequent value


@dataclass(frozen=True, eq=False)
class Coefficients:
    """Coefficients of one measure, the constant first: arrays [1 + p].

    Parameters
    ----------
    values, se : ndarray of float64
        Least-squares estimates, and their standard errors clustered by deal, with the usual correction for
        few clusters.
    """

    values: np.ndarray
    se: np.ndarray


class Regression:
    """Predictions of the target from each measure of a comparison.

    Parameters
    ----------
    data : SideData

    Raises
    ------
    ArgumentError
        A predictor is a linear function of the other predictors of its measure.
    """

    def __init__(self, data: SideData) -> None:
        self.data = data
        self._weight = np.ones(len(data)) if data.weight is None else data.weight / data.weight.mean()
        mean = np.average(data.target, weights=self._weight)
        y, w = data.target - mean, self._weight
        self._scales: list[np.ndarray] = []
        columns = [np.ones_like(y), w, w * y, w * y * y]
        for name, values in data.measures.items():
            x, scale = _orthogonalize(name, values.reshape(len(y), -1), w)
            self._scales.append(scale)
            products = [x[:, i] * x[:, j] for i, j in zip(*np.triu_indices(x.shape[1]), strict=True)]
            columns += [w * column for column in (*x.T, *products, *(x.T * y))]
        self.table = add_by_cluster(np.stack(columns, axis=1), data.deal)
        self.total = self.table.sum(axis=0)

    def _split(self, sums: np.ndarray) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Return x [..., p], x x' [..., p, p] and x y [..., p] of each measure from sums [..., m]."""
        parts, start = [], 4
        for p in map(len, self._scales):
            rows, columns = np.triu_indices(p)
            stop = start + p + len(rows)
            square = np.empty((*sums.shape[:-1], p, p))
            square[..., rows, columns] = square[..., columns, rows] = sums[..., start + p : stop]
            parts.append((sums[..., start : start + p], square, sums[..., stop : stop + p]))
            start = stop + p
        return parts

    def score(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return R and sd of all measures, each [..., k], for sums [..., m].

        R is the correlation of prediction and target, with the sign of the slope if there is only one
        predictor; sd is the standard deviation of the residuals, with divisor n - p - 1.
        """
        n, w, y, yy = (sums[..., k] for k in range(4))
        variance = yy - y * y / w
        r, sd = [], []
        for (x, xx, xy), scale in zip(self._split(sums), self._scales, strict=True):
            p = len(scale)
            covariance = xy - x * (y / w)[..., None]
            slopes = _solve(xx - x[..., None] * x[..., None, :] / w[..., None, None], covariance)
            explained = (slopes * covariance).sum(axis=-1)
            sign = np.sign(covariance[..., 0] * scale[0, 0]) if p == 1 else 1
            r.append(np.sqrt(np.maximum(explained / variance, 0)) * sign)
            sd.append(np.sqrt(np.maximum(variance - explained, 0) / w * n / (n - p - 1)))
        return np.stack(r, axis=-1), np.stack(sd, axis=-1)

    def leave_out_deals(self) -> tuple[np.ndarray, np.ndarray]:
        """Return R and sd without each deal: arrays [deals, k]."""
        return self.score(self.total - self.table)

    def cross_validate(self) -> tuple[np.ndarray, np.ndarray]:
        """Return R2 and root mean squared error of predictions for the deals left out: [k] each.

        Each fold is predicted from the others. R2 is one minus the quotient of the squared errors and those
        of the mean of all rows.
        """
        # Sums of each fold, and of the others
        fold = self.data.fold[np.flatnonzero(np.diff(self.data.deal, prepend=-1))]
        held = np.stack([self.table[fold == number].sum(axis=0) for number in np.unique(fold)])
        training = self.total - held
        w, y = training[:, 1], training[:, 2]
        squares = []
        for (x, xx, xy), (fx, fxx, fxy) in zip(self._split(training), self._split(held), strict=True):
            # Least squares on the others, and the squared errors of the fold, expanded into sums
            slopes = _solve(xx - x[..., None] * x[..., None, :] / w[:, None, None], xy - x * (y / w)[:, None])
            constant = (y - (slopes * x).sum(axis=1)) / w
            fitted = (slopes * fx).sum(axis=1)
            squares.append(
                (
                    held[:, 3] - 2 * (constant * held[:, 2] + (slopes * fxy).sum(axis=1))
                    + constant**2 * held[:, 1] + 2 * constant * fitted
                    + np.einsum("fi,fij,fj->f", slopes, fxx, slopes)
                ).sum()
            )  # fmt: skip
        errors, total = np.array(squares), self.total
        return 1 - errors / (total[3] - total[2] ** 2 / total[1]), np.sqrt(errors / total[1])

    def find_coefficients(self) -> list[Coefficients]:
        """Return the coefficients of each measure, in its own units."""
        data, weight, found = self.data, self._weight, []
        rows, total = len(data), self._weight.sum()
        mean = np.average(data.target, weights=weight)
        for values, scale in zip(data.measures.values(), self._scales, strict=True):
            x = values.reshape(rows, -1)
            centre = np.average(x, axis=0, weights=weight)
            design = np.column_stack([np.ones(rows), (x - centre) @ scale])  # uncorrelated, of variance 1
            fitted = design.T @ (weight * (data.target - mean)) / total
            residual = data.target - mean - design @ fitted
            covariance = cluster_covariance(design, residual, data.deal, weight)
            back = np.eye(len(scale) + 1)
            back[1:, 1:], back[0, 1:] = scale, -(centre @ scale)
            fitted[0] += mean
            found.append(Coefficients(back @ fitted, np.sqrt(np.diag(back @ covariance @ back.T))))
        return found


def _orthogonalize(name: str, x: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return uncorrelated predictors of variance 1 [rows, p], and the matrix that produces them.

    With these, sums lose no digits by cancellation. Raises ArgumentError if one predictor depends on the
    others.
    """
    centred = x - np.average(x, axis=0, weights=weight)
    root = np.linalg.qr(centred * np.sqrt(weight)[:, None], mode="r")
    sizes = np.sqrt((centred**2 * weight[:, None]).sum(axis=0))
    for k in np.flatnonzero(np.abs(np.diag(root)) <= 1e-9 * sizes):
        raise ArgumentError(
            f"predictor {k + 1} of {name} is a linear function of the others; remove it"
            if x.shape[1] > 1
            else f"{name} is {x[0, 0]:g} for every side; a constant cannot predict"
        )
    scale = np.linalg.inv(root) * np.sqrt(weight.sum())
    return centred @ scale, scale


def _solve(square: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return solutions of symmetric systems [..., p, p] and [..., p]; 0 for a predictor without variance."""
    if right.shape[-1] == 1:
        divisor = square[..., 0]
        usable = divisor > 1e-9
        return np.where(usable, right / np.where(usable, divisor, 1), 0)
    return (np.linalg.pinv(square, rcond=1e-12, hermitian=True) @ right[..., None])[..., 0]


@dataclass(frozen=True)
class MeasureFit:
    """How well one measure predicts the target, by least squares.

    Attributes
    ----------
    correlation : float
        Correlation of prediction and target, with the sign of the slope if there is one predictor.
    square, sd : Estimate
        The square of the correlation, and the standard deviation of the residuals.
    cv_square, cv_sd : float
        The same for deals that were left out of the fit.
    coefficients : mapping of str to Estimate
        The constant, then the coefficients of the predictors; errors are clustered by deal.
    bias : float
        Mean of the measure minus the mean of the target; nan for several predictors.
    """

    correlation: float
    square: Estimate
    sd: Estimate
    cv_square: float
    cv_sd: float
    coefficients: Mapping[str, Estimate]
    bias: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Analysis:
    """The statistics of compared measures as estimates; `Trial` describes their frames.

    Attributes
    ----------
    fits : mapping of str to MeasureFit
    pair_gains, sd_pair_gains : mapping of (str, str) to Estimate
        R2 and sd of the first of a pair minus those of the second, with simultaneous intervals for all pairs.
    unselected : Analysis or None
        The same for all sides, if the selection uses a compared measure.
    """

    fits: Mapping[str, MeasureFit]
    pair_gains: Mapping[tuple[str, str], Estimate]
    sd_pair_gains: Mapping[tuple[str, str], Estimate]
    unselected: Analysis | None = None

    @property
    def has_single_predictors(self) -> bool:
        """Whether each measure is a single predictor, so that all have a slope and a bias."""
        return all(len(fit.coefficients) == 2 for fit in self.fits.values())

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row for each measure, with its correlation and residuals."""
        rows = {}
        for name, fit in self.fits.items():
            square, sd = fit.square, fit.sd
            rows[name] = {
                "R": fit.correlation, "R2": square.value, "lo": square.lo, "hi": square.hi,
                "cv_R2": fit.cv_square, "sd": sd.value, "sd_lo": sd.lo, "sd_hi": sd.hi, "cv_sd": fit.cv_sd,
            }  # fmt: skip
            if self.has_single_predictors:
                rows[name] |= {"slope": list(fit.coefficients.values())[1].value, "bias": fit.bias}
            if self.unselected is not None:
                whole = self.unselected.fits[name]
                rows[name] |= {
                    "R_all": whole.correlation,
                    "R2_all": whole.square.value,
                    "sd_all": whole.sd.value,
                }
        return tabulate(rows, "evaluator")

    @cached_property
    def square_gains(self) -> dict[str, Estimate]:
        """R2 of each measure except the first, minus that of the first, as in `pair_gains`."""
        return self._compare_with_first(self.pair_gains)

    @cached_property
    def sd_gains(self) -> dict[str, Estimate]:
        """The standard deviation of each measure except the first, minus that of the first."""
        return self._compare_with_first(self.sd_pair_gains)

    def _compare_with_first(self, gains: Mapping[tuple[str, str], Estimate]) -> dict[str, Estimate]:
        first = next(iter(self.fits))
        return {name: 0 - gain for (other, name), gain in gains.items() if other == first}

    @cached_property
    def differences(self) -> pd.DataFrame:
        """A row for each measure except the first: R2 and sd minus those of the first."""
        rows: dict[str, dict[str, Any]] = {
            name: {"R2": gain.value, "lo": gain.lo, "hi": gain.hi} | list_columns("sd", self.sd_gains[name])
            for name, gain in self.square_gains.items()
        }
        return tabulate(rows, "evaluator", ["R2", "lo", "hi", "sd", "sd_lo", "sd_hi"]).astype(float)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """A row for each pair: R2 of the first minus that of the second."""
        import pandas as pd

        rows = [(*pair, gain.value, gain.lo, gain.hi) for pair, gain in self.pair_gains.items()]
        return pd.DataFrame(rows, columns=["first", "second", "difference", "lo", "hi"]).astype(
            dict.fromkeys(("difference", "lo", "hi"), float)
        )

    @cached_property
    def best(self) -> pd.DataFrame:
        """A row for each measure: R2 minus the best of the others, and whether it may be the best."""
        import pandas as pd

        names = list(self.fits)
        if len(names) == 1:
            return tabulate({names[0]: {"possible": True}}, "evaluator")
        number = {name: k for k, name in enumerate(names)}
        gains, half = np.zeros((2, len(names), len(names)))
        for pair, gain in self.pair_gains.items():
            i, j = (number[name] for name in pair)
            gains[i, j], gains[j, i], half[i, j] = gain.value, -gain.value, gain.hi - gain.value
            half[j, i] = half[i, j]
        found = compare_with_best(gains, half, 1.0)
        columns = {
            "difference": found.difference, "lo": found.lo, "hi": found.hi, "possible": found.possible,
        }  # fmt: skip
        return pd.DataFrame(columns, pd.Index(names, name="evaluator"))

    @cached_property
    def coefficients(self) -> pd.DataFrame:
        """A row for each coefficient of each measure."""
        rows = {
            (name, predictor): {"coefficient": found.value, "se": found.se, "lo": found.lo, "hi": found.hi}
            for name, fit in self.fits.items()
            for predictor, found in fit.coefficients.items()
        }
        return tabulate(rows, ["evaluator", "predictor"])


def analyze(data: SideData, labels: dict[str, list[str]], confidence: float, group: str = "") -> Analysis:
    """Return the statistics of the measures of a comparison.

    Parameters
    ----------
    data : SideData
    labels : dict of str to list of str
        Names of the predictors of each measure.
    confidence : float in (0, 1)
    group : str
        Which sides these are, for messages, such as `` with fit >= 8``.

    Raises
    ------
    ArgumentError
        There are fewer than 30 deals, a measure or the target is constant, or measures have equal statistics.
    """
    check_data(data, labels, group)
    # The fits on all deals, and those without each deal
    names, regression = list(data.measures), Regression(data)
    r, sd = regression.score(regression.total)
    for name, value in zip(names, r, strict=True):
        if value * value > 1 - 1e-12:
            raise ArgumentError(f"{name} predicts the target without error{group}; remove it")
    left_r, left_sd = regression.leave_out_deals()
    # Separate intervals of each measure: R2 on Fisher's scale, sd on a logarithmic scale
    critical = student_quantile(confidence, data.deals - 1)
    lo, hi = _r2_interval(r, left_r, critical)
    sd_lo, sd_hi = np.exp(_jackknife_interval(np.log(sd), np.log(left_sd), critical))
    squares = build_estimates(r**2, find_jackknife_errors(left_r**2), lo, hi, data.deals, confidence)
    sds = build_estimates(sd, find_jackknife_errors(left_sd), sd_lo, sd_hi, data.deals, confidence)
    coefficients = _estimate_coefficients(regression, labels, critical, confidence)
    cv_squares, cv_sds = (each.tolist() for each in regression.cross_validate())
    fits = {
        name: MeasureFit(
            float(r[k]), squares[k], sds[k], cv_squares[k], cv_sds[k], coefficients[k], _find_bias(data, name)
        )
        for k, name in enumerate(names)
    }
    # Simultaneous intervals of differences, from the influence of each deal
    effects, sd_effects = ((data.deals - 1) * (each.mean(axis=0) - each) for each in (left_r**2, left_sd))
    gains, sd_gains = (
        dict(zip(combinations(names, 2), found.list_estimates(data.deals, confidence), strict=True))
        for found in (
            simultaneous_intervals(values, confidence=confidence, influence=influence)
            for values, influence in ((r**2, effects), (sd, sd_effects))
        )
    )
    _check_pairs(gains, group)
    return Analysis(fits=fits, pair_gains=gains, sd_pair_gains=sd_gains)


def check_data(data: SideData, labels: dict[str, list[str]], group: str = "") -> None:
    """Raise ArgumentError for fewer than 30 deals, or a measure or target with (nearly) one value."""
    if data.deals < MIN_DEALS:
        raise ArgumentError(f"{data.deals} deals{group}: a trial needs at least {MIN_DEALS}; give more deals")
    # Each predictor and the target must vary, and in more than a few deals
    columns = {"the target": data.target}
    for name, values in data.measures.items():
        parts = values.reshape(len(data), -1).T
        columns |= {
            part if len(parts) == 1 else f"{part} of {name}": x
            for part, x in zip(labels[name], parts, strict=True)
        }
    for name, values in columns.items():
        if np.ptp(values) == 0:
            raise ArgumentError(
                f"{name} is {values[0]:g} for every side{group}; a constant cannot predict"
                if name != "the target"
                else f"the target is {values[0]:g} for every side{group}; there is no variation to predict"
            )
        varied = len(np.unique(data.deal[values != np.median(values)]))
        if varied < MIN_VARIED:
            raise ArgumentError(
                f"{name} has one value for nearly all sides{group} and others in {varied} deals only; a "
                "trial "
                f"needs {MIN_VARIED}: give more deals"
            )


def _check_pairs(gains: Mapping[tuple[str, str], Estimate], group: str) -> None:
    """Raise ArgumentError for two measures whose statistics are equal, with and without any deal."""
    for (first, second), gain in gains.items():
        if not gain.se:
            raise ArgumentError(
                f"{second} is {first} in another unit{group}: their statistics are equal; remove one of them"
            )


def _find_bias(data: SideData, name: str) -> float:
    """Return the mean of a measure minus the mean of the target; nan for several predictors."""
    values = data.measures[name]
    if values.size > len(data):
        return math.nan
    difference = np.average(values, weights=data.weight) - np.average(data.target, weights=data.weight)
    return float(np.squeeze(difference))


def find_jackknife_errors(left: np.ndarray) -> np.ndarray:
    """Return standard errors [k], from statistics without each deal [deals, k] (Efron and Stein 1981)."""
    deals = len(left)
    return np.sqrt((deals - 1) / deals * np.square(left - left.mean(axis=0)).sum(axis=0))


def _jackknife_interval(values: np.ndarray, left: np.ndarray, critical: float) -> np.ndarray:
    """Return both ends [2, k] of the intervals, from values [k] and those without each deal [deals, k]."""
    half = critical * find_jackknife_errors(left)
    return np.stack([values - half, values + half])


def _r2_interval(r: np.ndarray, left: np.ndarray, critical: float) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends of the intervals of R2, symmetric on Fisher's scale of correlations."""
    ends = np.tanh(_jackknife_interval(np.arctanh(r), np.arctanh(left), critical))
    squares = np.square(ends)
    low = np.where(ends[0] * ends[1] > 0, squares.min(axis=0), 0)
    return low, squares.max(axis=0)


def _estimate_coefficients(
    regression: Regression, labels: dict[str, list[str]], critical: float, confidence: float
) -> list[dict[str, Estimate]]:
    """Return the constant and the coefficients of each measure, with separate intervals."""
    estimates = []
    for texts, found in zip(labels.values(), regression.find_coefficients(), strict=True):
        lo, hi = found.values - critical * found.se, found.values + critical * found.se
        rows = build_estimates(found.values, found.se, lo, hi, regression.data.deals, confidence)
        estimates.append(dict(zip(["constant", *texts], rows, strict=True)))
    return estimates
