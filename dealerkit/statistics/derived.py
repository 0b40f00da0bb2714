"""Ratios of means and quantiles of values, from a sample in two phases.

The error of a ratio R of the means of u and v is that of its linear part, (u - R v) / mean of v (W. G.
Cochran, Sampling Techniques, 3rd ed. 1977, 6.4). The interval of a quantile has as its ends the quantiles at
both ends of the interval of the share of values up to it (R. S. Woodruff, Confidence intervals for medians
and other position measures, J. Am. Stat. Assoc. 47 (1952), 635-646).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.statistics.estimates import Estimate
from dealerkit.statistics.intervals import student_quantile
from dealerkit.statistics.stopping import build_estimate
from dealerkit.statistics.two_phase import TwoPhaseMeans, estimate_means

MAX_UNCLEAR = 1000  # deals after which a divisor that may be 0 is an error


class TwoPhaseSample(NamedTuple):
    """The arguments of `two_phase.estimate_means`."""

    strata: np.ndarray
    predictions: np.ndarray
    rows: np.ndarray
    values: np.ndarray
    spans: np.ndarray | None = None

    def estimate(self) -> TwoPhaseMeans:
        """Return the means of all columns."""
        return estimate_means(*self)


class Summary(NamedTuple):
    """Estimates of a sample.

    Attributes
    ----------
    means : TwoPhaseMeans
        Of the columns whose variances decide how large the sample must be.
    estimates : tuple of Estimate
    half_widths : tuple of float
        Of the intervals, to be compared with the precision.
    fault : str
        Why there is no estimate yet: more deals may give one.
    """

    means: TwoPhaseMeans
    estimates: tuple[Estimate, ...]
    half_widths: tuple[float, ...]
    fault: str = ""


class Statistic(Protocol):
    """What is estimated from the columns of a sample."""

    def summarize(self, sample: TwoPhaseSample, confidence: float) -> Summary:
        """Return the estimates."""


@dataclass(frozen=True)
class Means:
    """The mean of each column; `is_share`: its values are between 0 and 1."""

    is_share: tuple[bool, ...]

    def summarize(self, sample: TwoPhaseSample, confidence: float) -> Summary:
        """Return the estimates."""
        means, n = sample.estimate(), count_known(sample)
        parts = zip(means.means, np.diag(means.covariance), means.freedom, self.is_share, strict=True)
        estimates = tuple(
            build_estimate(float(mean), float(variance), float(freedom), n, confidence, is_share)
            for mean, variance, freedom, is_share in parts
        )
        return Summary(means, estimates, tuple((item.hi - item.lo) / 2 for item in estimates))


@dataclass(frozen=True)
class Ratio:
    """The mean of the first column divided by the mean of the second."""

    def summarize(self, sample: TwoPhaseSample, confidence: float) -> Summary:
        """Return the estimate.

        Raises
        ------
        ArgumentError
            The second mean is not clearly different from 0 on a thousand deals.
        """
        whole = sample.estimate()
        divisor = float(whole.means[1])
        least = 3 * float(whole.covariance[1, 1]) ** 0.5
        fault = ""
        if is_unclear := abs(divisor) <= least:
            fault = (
                f"the mean by which is divided, {divisor:.3g} in {count_known(sample):,} deals, may be 0; "
                "give another expression as per=, or more deals"
            )
            if count_known(sample) >= MAX_UNCLEAR:
                raise ArgumentError(fault)
            divisor = math.copysign(least, divisor)
        ratio = float(whole.means[0]) / divisor
        linear = [
            (columns[:, :1] - ratio * columns[:, 1:2]) / divisor
            for columns in (sample.predictions, sample.values)
        ]
        spans = sample.spans
        if spans is None:
            spans = np.maximum(np.abs(sample.values).max(axis=0), 1.0)
        span = np.array(
            [(spans[0] + abs(ratio) * spans[1]) / abs(divisor)]
        )  # if the ratio is one on all deals
        means = sample._replace(predictions=linear[0], values=linear[1], spans=span).estimate()
        value = ratio + float(means.means[0])
        variance, freedom = float(means.covariance[0, 0]), float(means.freedom[0])
        estimate = build_estimate(value, variance, freedom, count_known(sample), confidence)
        half = math.inf if is_unclear else (estimate.hi - estimate.lo) / 2
        return Summary(means, (estimate,), (half,), fault)


@dataclass(frozen=True)
class Quantile:
    """The smallest value whose cumulative share is at least `q`.

    Both ends of its interval lie half-way to the next value outside, so that its width is never zero.
    """

    q: float

    def summarize(self, sample: TwoPhaseSample, confidence: float) -> Summary:
        """Return the estimate."""
        weights, values = sample.estimate().weights, sample.values[:, 0]
        order = np.argsort(values, kind="stable")
        values, cumulative = values[order], np.cumsum(weights[order])
        cumulative = cumulative / cumulative[-1]

        def find(share: float) -> float:
            index = int(np.searchsorted(cumulative, share - 1e-12))
            return float(values[min(max(index, 0), len(values) - 1)])

        value = find(self.q)
        below = (sample.values <= value).astype(np.float64)
        means = sample._replace(
            predictions=np.zeros((len(sample.strata), 1)), values=below, spans=np.ones(1)
        ).estimate()
        se = max(float(means.covariance[0, 0]), self.q * (1 - self.q) / len(sample.strata)) ** 0.5
        margin = student_quantile(confidence, int(min(means.freedom[0], 10**6))) * se
        low, high = find(self.q - margin), find(self.q + margin)
        half = (high - low) / 2
        distinct = np.unique(values)
        estimate = Estimate(
            value, half / margin * se, _move_out(distinct, low, -1), _move_out(distinct, high, 1),
            count_known(sample), confidence,
        )  # fmt: skip
        scale = (half / margin) ** 2 * se**2 / float(means.covariance[0, 0])
        scaled = replace(
            means,
            covariance=means.covariance * scale,
            variance=means.variance * scale,
            residuals=means.residuals * scale,
        )
        return Summary(scaled if half else means, (estimate,), (half,))


def count_known(sample: TwoPhaseSample) -> int:
    """Return the number of deals whose values are known."""
    return len(sample.rows) + int(np.count_nonzero(sample.strata < 0))


def _move_out(distinct: np.ndarray, value: float, step: int) -> float:
    """Return the middle between a value and the next one outside; half a unit away where there is none."""
    index = int(np.searchsorted(distinct, value)) + step
    return (value + float(distinct[index])) / 2 if 0 <= index < len(distinct) else value + step / 2
