"""Statistics of compared measures with intervals: each by itself, differences, pairs, the best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.statistics.intervals import student_quantile
from dealerkit.statistics.simultaneous import PairIntervals, simultaneous_intervals
from dealerkit.studies.comparison.regression import Regression
from dealerkit.studies.comparison.side_data import SideData
from dealerkit.studies.limits import MIN_DEALS

if TYPE_CHECKING:
    import pandas as pd

MIN_VARIED = 5  # deals in which a measure has not its most frequent value


@dataclass(frozen=True, eq=False)
class Analysis:
    """Tables of a comparison, as the fields of `Trial` of the same names."""

    frame: pd.DataFrame
    differences: pd.DataFrame
    pairs: pd.DataFrame
    best: pd.DataFrame
    coefficients: pd.DataFrame


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
        Fewer than 30 deals; a constant measure or target; measures with equal statistics.
    """
    import pandas as pd

    check_data(data, labels, group)
    names, regression = list(data.measures), Regression(data)
    r, sd = regression.score(regression.total)
    for name, value in zip(names, r, strict=True):
        if value * value > 1 - 1e-12:
            raise ArgumentError(f"{name} predicts the target without error{group}; remove it")
    left_r, left_sd = regression.leave_out_deals()
    critical = student_quantile(confidence, data.deals - 1)
    lo, hi = _r2_interval(r, left_r, critical)
    sd_lo, sd_hi = np.exp(_jackknife_interval(np.log(sd), np.log(left_sd), critical))
    cv_r2, cv_sd = regression.cross_validate()
    effects, sd_effects = ((data.deals - 1) * (each.mean(axis=0) - each) for each in (left_r**2, left_sd))
    every, first, sd_first = (
        simultaneous_intervals(values, None, pairs, confidence=confidence, influence=influence)
        for values, influence, pairs in (
            (r**2, effects, "all"), (r**2, effects, "first"), (sd, sd_effects, "first"),
        )
    )  # fmt: skip
    _check_pairs(names, every, group)
    index = pd.Index(names, name="evaluator")
    frame = pd.DataFrame(
        {
            "R": r, "R2": r**2, "lo": lo, "hi": hi, "cv_R2": cv_r2,
            "sd": sd, "sd_lo": sd_lo, "sd_hi": sd_hi, "cv_sd": cv_sd,
        },
        index=index,
    )  # fmt: skip
    coefficients = _tabulate_coefficients(regression, labels, critical)
    if all(len(parts) == 1 for parts in labels.values()):
        frame["slope"] = coefficients.coefficient.to_numpy()[1::2]
        frame["bias"] = [
            np.average(values, weights=data.weight) - np.average(data.target, weights=data.weight)
            for values in data.measures.values()
        ]
    differences = pd.DataFrame(
        {
            "R2": first.difference, "lo": first.lo, "hi": first.hi,
            "sd": sd_first.difference, "sd_lo": sd_first.lo, "sd_hi": sd_first.hi,
        },
        index=index[1:],
    )  # fmt: skip
    pairs = pd.DataFrame(
        {
            "first": np.array(names, object)[every.first], "second": np.array(names, object)[every.second],
            "difference": every.difference, "lo": every.lo, "hi": every.hi,
        }
    )  # fmt: skip
    return Analysis(frame, differences, pairs, _compare_with_best(names, every), coefficients)


def check_data(data: SideData, labels: dict[str, list[str]], group: str = "") -> None:
    """Raise ArgumentError for fewer than 30 deals, and for a measure or target with (nearly) one value."""
    if data.deals < MIN_DEALS:
        raise ArgumentError(f"{data.deals} deals{group}: a trial needs {MIN_DEALS} at least; give more deals")
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
                f"{name} is {values[0]:g} for every side{group}; a constant predicts nothing"
                if name != "the target"
                else f"the target is {values[0]:g} for every side{group}; nothing varies to be predicted"
            )
        varied = len(np.unique(data.deal[values != np.median(values)]))
        if varied < MIN_VARIED:
            raise ArgumentError(
                f"{name} has one value for nearly all sides{group}, another in {varied} deals only; a trial "
                f"needs {MIN_VARIED}: give more deals"
            )


def _check_pairs(names: list[str], pairs: PairIntervals, group: str) -> None:
    """Raise ArgumentError for two measures with equal statistics."""
    for k in np.flatnonzero(pairs.lo == pairs.hi):
        first, second = names[pairs.first[k]], names[pairs.second[k]]
        raise ArgumentError(
            f"{second} is {first} in another unit{group}: their statistics are equal; remove one of them"
        )


def _jackknife_interval(values: np.ndarray, left: np.ndarray, critical: float) -> np.ndarray:
    """Return both ends [2, k] for values [k] and those without each deal [deals, k]."""
    deals = len(left)
    half = critical * np.sqrt((deals - 1) / deals * np.square(left - left.mean(axis=0)).sum(axis=0))
    return np.stack([values - half, values + half])


def _r2_interval(r: np.ndarray, left: np.ndarray, critical: float) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends of the intervals of R2, symmetric on Fisher's scale of correlations."""
    ends = np.tanh(_jackknife_interval(np.arctanh(r), np.arctanh(left), critical))
    squares = np.square(ends)
    low = np.where(ends[0] * ends[1] > 0, squares.min(axis=0), 0)
    return low, squares.max(axis=0)


def _compare_with_best(names: list[str], pairs: PairIntervals) -> pd.DataFrame:
    """Return each R2 less the best of the others, with the interval that all pairs imply (Hsu 1996, 4.2)."""
    import pandas as pd

    count = len(names)
    sizes = np.full((3, count, count), np.inf)
    sizes[:, pairs.first, pairs.second] = pairs.difference, pairs.lo, pairs.hi
    sizes[:, pairs.second, pairs.first] = -pairs.difference, -pairs.hi, -pairs.lo
    columns = dict(zip(("difference", "lo", "hi"), sizes.min(axis=2), strict=True)) if count > 1 else {}
    columns["possible"] = pairs.find_best() if count > 1 else np.ones(1, bool)
    return pd.DataFrame(columns, index=pd.Index(names, name="evaluator"))


def _tabulate_coefficients(
    regression: Regression, labels: dict[str, list[str]], critical: float
) -> pd.DataFrame:
    """Return a row for each coefficient of each measure, with its interval."""
    import pandas as pd

    parts = []
    for (name, texts), found in zip(labels.items(), regression.find_coefficients(), strict=True):
        half = critical * found.se
        keys = pd.MultiIndex.from_product([[name], ["constant", *texts]], names=["evaluator", "predictor"])
        columns = {
            "coefficient": found.values, "se": found.se,
            "lo": found.values - half, "hi": found.values + half,
        }  # fmt: skip
        parts.append(pd.DataFrame(columns, index=keys))
    return pd.concat(parts)
