"""Ratios of means, and quantiles of values, from a sample in two phases.

The error of a ratio R of the means of u and v is the error of the mean of (u - R v) / (mean of v), its linear
part (W. G. Cochran, Sampling Techniques, 3rd ed. 1977, 6.4). For the interval of a quantile, the share of
values up to it has an interval, and the quantiles at the ends of this interval are the ends (R. S. Woodruff,
Confidence intervals for medians and other position measures, J. Am. Stat. Assoc. 47 (1952), 635-646).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from dealerkit.appearance.numbers import format_count, format_number, format_significant
from dealerkit.errors import ArgumentError, Parameter
from dealerkit.statistics.estimates import Estimate
from dealerkit.statistics.intervals import normal_quantile
from dealerkit.statistics.known_sample import KnownSample, combine_means
from dealerkit.statistics.quantiles import find_end_shares
from dealerkit.statistics.rare_values import (
    ANY_VALUE,
    MeanParts,
    ValueRange,
    add_unusual_values,
    build_mean,
    count_distinct,
)
from dealerkit.statistics.two_phase import TwoPhaseMeans, build_share, estimate_means

MIN_EACH_SIDE = 5  # with fewer values on a side of a quantile, the error of its share is uncertain
MAX_UNCLEAR = 1000  # number of deals from which a divisor that may be 0 is an error
LEAST_PART = 0.2  # the interval of a quantile's share is narrowed to this part at most in one step
LEAST_OF_TIE = 10_000  # number of values from which two neighbouring quantiles are reported as a tie
SPARSE = "the values next to the quantile are too far apart for the precision"
TIE = "it is almost a tie whether the quantile is {} or {}, and many more deals would be needed to decide"


class TwoPhaseSample(NamedTuple):
    """A sample in two phases, with the values that are possible and a known sample.

    Attributes
    ----------
    strata, predictions, rows, values, spans
        The arguments of `two_phase.estimate_means`. Without deals of its own, the sample is the known sample
        alone.
    ranges : tuple of ValueRange or None
        The values that are possible in each column; None if they are not known.
    known : KnownSample or None
        A sample with known values that is combined with this one.
    """

    strata: np.ndarray
    predictions: np.ndarray
    rows: np.ndarray
    values: np.ndarray
    spans: np.ndarray | None = None
    ranges: tuple[ValueRange, ...] | None = None
    known: KnownSample | None = None

    def estimate(self) -> TwoPhaseMeans:
        """Return the means of all columns."""
        if self.known is None:
            return estimate_means(*self[:5])
        known = self.known.estimate(self.spans)
        if not len(self.strata):
            return known
        return combine_means(known, estimate_means(*self[:5]), self.known.weight)

    @property
    def all_values(self) -> np.ndarray:
        """The values of the known sample, followed by those of this sample."""
        return self.values if self.known is None else np.concatenate((self.known.values, self.values))

    @property
    def n_deals(self) -> int:
        """Number of deals; a cluster counts as one deal."""
        return len(self.strata) + (0 if self.known is None else self.known.n_clusters)

    def replace_values(self, convert: Callable[[np.ndarray], np.ndarray]) -> TwoPhaseSample:
        """Return the sample with other columns, which `convert` computes from its values."""
        known = self.known and self.known._replace(values=convert(self.known.values))
        return self._replace(values=convert(self.values), known=known)

    def join_clusters(self, weights: np.ndarray) -> np.ndarray:
        """Return the weights of independent deals, in which a cluster has the sum of its weights."""
        if self.known is None:
            return weights
        n = len(self.known.values)
        return np.concatenate((np.bincount(self.known.clusters, weights[:n]), weights[n:]))

    def find_range(self, column: int) -> ValueRange:
        """Return the values that are possible in a column."""
        return ANY_VALUE if self.ranges is None else self.ranges[column]


class Summary(NamedTuple):
    """Estimates of a sample.

    Attributes
    ----------
    means : TwoPhaseMeans
        The means of the columns whose variances decide how large the sample must be.
    estimates : tuple of Estimate
        The estimates.
    half_widths : tuple of float
        Half-widths of the intervals, to compare with the precision.
    fault : tuple of str and Parameter
        Why there is no estimate yet, as the parts of a message; more deals may give one.
    limit : str
        Why more deals cannot reach the precision.
    """

    means: TwoPhaseMeans
    estimates: tuple[Estimate, ...]
    half_widths: tuple[float, ...]
    fault: tuple[str | Parameter, ...] = ()
    limit: str = ""


class Statistic(Protocol):
    """A statistic that is estimated from the columns of a sample."""

    def summarize(self, sample: TwoPhaseSample, confidence: float) -> Summary:
        """Return the estimates with intervals of this confidence level."""


@dataclass(frozen=True)
class Means:
    """The mean of each column; `is_share` says for each whether its values are between 0 and 1."""

    is_share: tuple[bool, ...]

    def summarize(self, sample: TwoPhaseSample, confidence: float) -> Summary:
        """Return the estimate of each mean."""
        means = sample.estimate()
        estimates = tuple(
            estimate_share(sample, means, column, confidence)
            if is_share
            else estimate_mean(sample, means, column, confidence)
            for column, is_share in enumerate(self.is_share)
        )
        return Summary(means, estimates, tuple((item.hi - item.lo) / 2 for item in estimates))


@dataclass(frozen=True)
class Ratio:
    """The mean of the first column divided by the mean of the second."""

    def summarize(self, sample: TwoPhaseSample, confidence: float) -> Summary:
        """Return the estimate of the ratio.

        Raises
        ------
        ArgumentError
            After a thousand deals, the second mean is not clearly different from 0.
        """
        # The divisor must be more than three standard errors away from 0.
        whole = sample.estimate()
        divisor = float(whole.means[1])
        least = 3 * float(whole.covariance[1, 1]) ** 0.5
        fault: tuple[str | Parameter, ...] = ()
        if is_unclear := abs(divisor) <= least:
            fault = (
                f"the mean of the divisor, {format_significant(divisor, 3, trim=True, ascii=True)} in "
                f"{format_count(count_known(sample), 'deal')}, "
                "may be 0; give another expression as ",
                Parameter("per="),
                ", or more deals",
            )
            if count_known(sample) >= MAX_UNCLEAR:
                raise ArgumentError(*fault)
            divisor = math.copysign(least, divisor)

        # The sample of errors (u - R v) / (mean of v), whose mean is about 0 (Cochran 6.4)
        ratio = float(whole.means[0]) / divisor

        def find_errors(columns: np.ndarray) -> np.ndarray:
            return (columns[:, :1] - ratio * columns[:, 1:2]) / divisor

        spans = sample.spans
        if spans is None:
            spans = np.maximum(np.abs(sample.all_values).max(axis=0), 1.0)
        # The span of an error, which is needed if the ratio is the same in all deals
        span = np.array([(spans[0] + abs(ratio) * spans[1]) / abs(divisor)])
        limits = _bound_errors(sample, ratio, divisor)
        errors = sample.replace_values(find_errors)
        errors = errors._replace(predictions=find_errors(sample.predictions), spans=span, ranges=(limits,))
        means = errors.estimate()

        # If the ratio is a share of the deals that meet a condition, it has the interval of a share;
        # otherwise, it has the interval of a mean.
        if _is_share_of_part(sample):
            value, variance = ratio + float(means.means[0]), float(means.covariance[0, 0])
            n, freedom = int(sample.all_values[:, 1].sum()), float(means.freedom[0])
            share = build_share(value, variance, freedom, n, confidence)
            estimate = replace(share, n=count_known(sample))
        else:
            error = estimate_mean(errors, means, 0, confidence)
            ends = {name: ratio + getattr(error, name) for name in ("value", "lo", "hi")}
            estimate = replace(error, **ends, constant=False)
        half = math.inf if is_unclear else (estimate.hi - estimate.lo) / 2
        return Summary(means, (estimate,), (half,), fault)


@dataclass(frozen=True)
class Quantile:
    """The smallest value whose cumulative share is at least `q`.

    Both ends of its interval are half-way to the next value outside, so that its width is never zero.

    Attributes
    ----------
    q : float in (0, 1)
        The cumulative share.
    precision : float
        The half-width of the interval that decides how large the sample must be.
    """

    q: float
    precision: float = math.inf

    def summarize(self, sample: TwoPhaseSample, confidence: float) -> Summary:
        """Return the estimate of the quantile."""
        # Values in order, with their cumulative shares
        order = _OrderedValues(sample.all_values[:, 0], sample.estimate().weights, sample.find_range(0))
        value = order.find(self.q)

        # The share of values up to the quantile, and its standard error
        below = sample.replace_values(lambda columns: (columns <= value).astype(np.float64))
        below = below._replace(predictions=np.zeros((len(sample.strata), 1)), spans=np.ones(1))
        means = below.estimate()
        se = max(float(means.covariance[0, 0]), self.q * (1 - self.q) / sample.n_deals) ** 0.5

        # Woodruff's interval: the quantiles at the ends of the interval of this share, moved outwards
        shares = find_end_shares(self.q, _find_size(sample, means, se), confidence)
        (low, high), (lo, hi) = order.find_ends(*shares)

        # The error of the quantile is the distance of these quantiles, divided by twice the normal quantile.
        z = normal_quantile(confidence)
        error = (high - low) / (2 * z) if math.isfinite(high - low) else math.nan
        estimate = Estimate(value, error, lo, hi, count_known(sample), confidence)
        half = (hi - lo) / 2 * (1 - 1e-9)  # a rounding error must not make it larger than the precision
        if half <= self.precision:
            return Summary(means, (estimate,), (half,))
        if low == high:
            return Summary(means, (estimate,), (half,), limit=SPARSE)

        # Two neighbouring values: the quantile may be so close to the boundary of their shares that even many
        # more deals would not decide between them.
        part, size = self._find_part(order, shares, half), _find_size(sample, means, se)
        if order.are_adjacent(low, high):
            if size >= LEAST_OF_TIE:
                texts = (format_number(value, ascii=True) for value in (low, high))
                return Summary(means, (estimate,), (half,), limit=TIE.format(*texts))
            part = max(part, (size / LEAST_OF_TIE / 1.2) ** 0.5)
        # Variances in units of the quantile, which decide how large the sample must be: with the interval of
        # the share narrowed to `part`, the interval of the quantile has the precision.
        scale = (self.precision / (part * z)) ** 2 / means.covariance[0, 0]
        scaled = replace(
            means,
            covariance=means.covariance * scale,
            variance=means.variance * scale,
            residuals=means.residuals * scale,
        )
        return Summary(scaled, (estimate,), (half,))

    def _find_part(self, order: _OrderedValues, shares: tuple[float, float], half: float) -> float:
        """Return the part to which the interval of the share must narrow for its quantiles to be precise.

        With few distinct values this part is uncertain. It is at least `LEAST_PART`, so that the next sample
        is not too large. If the values themselves are too far apart for the precision, more deals may have
        values between them.
        """

        def is_precise(part: float) -> bool:
            _, (lo, hi) = order.find_ends(*(self.q + part * (share - self.q) for share in shares))
            return (hi - lo) / 2 * (1 - 1e-9) <= self.precision

        if not is_precise(0.0):
            return self.precision / half if math.isfinite(half) else LEAST_PART
        inside, outside = 0.0, 1.0
        for _ in range(20):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if is_precise(middle) else (inside, middle)
        return max(inside, LEAST_PART)


class _OrderedValues:
    """The values of a sample in order, with their cumulative shares and the range of possible values."""

    def __init__(self, values: np.ndarray, weights: np.ndarray, limits: ValueRange) -> None:
        order = np.argsort(values, kind="stable")
        self._values, cumulative = values[order], np.cumsum(weights[order])
        self._cumulative, self._limits = cumulative / cumulative[-1], limits
        self._distinct = np.unique(self._values)

    def find(self, share: float) -> float:
        """Return the smallest value whose cumulative share is at least `share`."""
        index = int(np.searchsorted(self._cumulative, share - 1e-12))
        return float(self._values[min(max(index, 0), len(self._values) - 1)])

    def find_ends(self, lower: float, upper: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the quantiles at two shares, and both moved half-way to the next value outside."""
        low, high, limits = self.find(lower), self.find(upper), self._limits
        lo = limits.low if lower <= 0 else max(self._move_out(low, -1), limits.low)
        hi = limits.high if upper > 1 else min(self._move_out(high, 1), limits.high)
        return (low if lower > 0 else lo, high if upper <= 1 else hi), (lo, hi)

    def are_adjacent(self, low: float, high: float) -> bool:
        """Return whether no value of the sample is between two of its values."""
        first, last = np.searchsorted(self._distinct, (low, high))
        return bool(last == first + 1)

    def _move_out(self, value: float, step: int) -> float:
        """Return the middle between a value and the next one in the direction of `step`.

        If there is no such value, return the value plus half of `step`.
        """
        distinct = self._distinct
        index = int(np.searchsorted(distinct, value)) + step
        is_inside = 0 <= index < len(distinct)
        return (value + float(distinct[index])) / 2 if is_inside else value + step / 2


def _is_share_of_part(sample: TwoPhaseSample) -> bool:
    """Return whether the ratio is the share of deals that meet a condition among those that meet another."""
    above, below = sample.all_values[:, 0], sample.all_values[:, 1]
    is_truth = sample.ranges is not None and all(part[:2] == (0, 1) for part in sample.ranges)
    return is_truth and bool((above <= below).all())


def _bound_errors(sample: TwoPhaseSample, ratio: float, divisor: float) -> ValueRange:
    """Return the range of (u - ratio v) / divisor, given the ranges of u and v."""
    above, below = sample.find_range(0), sample.find_range(1)
    if not all(math.isfinite(end) for end in (*above[:2], *below[:2])):
        return ValueRange(similar=above.similar / abs(divisor))
    corners = [(u - ratio * v) / divisor for u in above[:2] for v in below[:2]]
    return ValueRange(min(corners), max(corners), above.similar / abs(divisor))


def estimate_mean(sample: TwoPhaseSample, means: TwoPhaseMeans, column: int, confidence: float) -> Estimate:
    """Return the mean of a column with Student's interval, which is wider if few values are different.

    For this, unusual values are added to the computed ones, as in `statistics/rare_values.py`. Deals whose
    predictions are exact count as known.
    """
    # Student's interval, without rare values
    value, se = float(means.means[column]), math.sqrt(means.covariance[column, column])
    values, weights, limits = sample.all_values[:, column], means.weights, sample.find_range(column)
    parts = MeanParts(value, value, se, float(means.freedom[column]))
    counts = count_distinct(values)
    is_constant = counts is not None and len(counts) == 1

    # If few values are different, unusual values are added to the computed part, whose share is the sum of
    # its weights.
    if counts:
        share = float(weights.sum())
        mean = float(weights @ values) / share
        own = MeanParts(mean, mean, 0.0 if is_constant else se / share, parts.freedom)
        joined = sample.join_clusters(weights)
        size = share**2 / float(joined @ joined)
        own = add_unusual_values(own, size, counts, limits, confidence)
        if math.isfinite(own.se):
            parts = MeanParts(value, value + share * (own.centre - mean), share * own.se, own.freedom)

    known = sample.predictions[sample.strata < 0, column]
    is_constant = is_constant and bool((known == values[0]).all())
    return build_mean(parts, se, count_known(sample), confidence, limits, is_constant)


def estimate_share(sample: TwoPhaseSample, means: TwoPhaseMeans, column: int, confidence: float) -> Estimate:
    """Return the mean of a column of values between 0 and 1, with the interval of a share."""
    return build_share(
        float(means.means[column]), float(means.covariance[column, column]), float(means.freedom[column]),
        count_known(sample), confidence,
    )  # fmt: skip


def count_known(sample: TwoPhaseSample) -> int:
    """Return the number of deals whose values are known; a cluster counts as one deal."""
    n_clusters = 0 if sample.known is None else sample.known.n_clusters
    return n_clusters + len(sample.rows) + int(np.count_nonzero(sample.strata < 0))


def _find_size(sample: TwoPhaseSample, means: TwoPhaseMeans, se: float) -> float:
    """Return the size of a plain sample in which a share has this standard error.

    If nearly all values are on one side, the error says little, and the result is Kish's effective size.
    """
    weights, share = sample.join_clusters(means.weights), float(means.means[0])
    size = float(weights.sum() ** 2 / (weights @ weights))
    few = min(share, 1 - share) * len(weights)
    return size if few < MIN_EACH_SIDE else min(share * (1 - share) / se**2 + 1, size * few / MIN_EACH_SIDE)
