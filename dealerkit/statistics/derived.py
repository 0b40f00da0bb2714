"""Ratios of means and quantiles of values, from a sample in two phases.

The error of a ratio R of the means of u and v is that of its linear part, (u - R v) / mean of v (W. G.
Cochran, Sampling Techniques, 3rd ed. 1977, 6.4). The interval of a quantile has as its ends the quantiles at
both ends of the interval of the share of values up to it (R. S. Woodruff, Confidence intervals for medians
and other position measures, J. Am. Stat. Assoc. 47 (1952), 635-646).
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

MIN_EACH_SIDE = 5  # values on each side of a quantile, with fewer the error of its share is unsure
MAX_UNCLEAR = 1000  # deals after which a divisor that may be 0 is an error
LEAST_PART = 0.2  # by which the interval of a quantile's share is to be narrower, as far as one plan goes
LEAST_OF_TIE = 10_000  # values after which two that are beside each other are taken as a tie
SPARSE = "the values next to the quantile are too far apart for the precision"
TIE = "it is almost a tie whether the quantile is {} or {}, and many more deals would be needed to decide"


class TwoPhaseSample(NamedTuple):
    """The arguments of `two_phase.estimate_means`, the values possible in each column, and a known sample.

    Without a deal of its own it is the known sample alone.
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
        """The values of the known sample, then those of this one."""
        return self.values if self.known is None else np.concatenate((self.known.values, self.values))

    @property
    def n_deals(self) -> int:
        """Number of deals, a cluster counted as one."""
        return len(self.strata) + (0 if self.known is None else self.known.n_clusters)

    def replace_values(self, convert: Callable[[np.ndarray], np.ndarray]) -> TwoPhaseSample:
        """Return the sample with other columns, computed from those of the values."""
        known = self.known and self.known._replace(values=convert(self.known.values))
        return self._replace(values=convert(self.values), known=known)

    def join_clusters(self, weights: np.ndarray) -> np.ndarray:
        """Return the weights of the deals as those of independent ones: the sum of each cluster."""
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
        Of the columns whose variances decide how large the sample must be.
    estimates : tuple of Estimate
    half_widths : tuple of float
        Of the intervals, to be compared with the precision.
    fault : tuple of str and Parameter
        Why there is no estimate yet, as parts of a message: more deals may give one.
    limit : str
        Why more deals do not give the precision.
    """

    means: TwoPhaseMeans
    estimates: tuple[Estimate, ...]
    half_widths: tuple[float, ...]
    fault: tuple[str | Parameter, ...] = ()
    limit: str = ""


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
        """Return the estimate.

        Raises
        ------
        ArgumentError
            The second mean is not clearly different from 0 on a thousand deals.
        """
        # The divisor must differ from 0 by three standard errors.
        whole = sample.estimate()
        divisor = float(whole.means[1])
        least = 3 * float(whole.covariance[1, 1]) ** 0.5
        fault: tuple[str | Parameter, ...] = ()
        if is_unclear := abs(divisor) <= least:
            fault = (
                f"the mean by which is divided, {format_significant(divisor, 3, trim=True, ascii=True)} in "
                f"{format_count(count_known(sample), 'deal')}, "
                "may be 0; give another expression as ",
                Parameter("per="),
                ", or more deals",
            )
            if count_known(sample) >= MAX_UNCLEAR:
                raise ArgumentError(*fault)
            divisor = math.copysign(least, divisor)

        # The sample of the errors (u - R v) / mean of v, whose mean is about 0 (Cochran 6.4).
        ratio = float(whole.means[0]) / divisor

        def find_errors(columns: np.ndarray) -> np.ndarray:
            return (columns[:, :1] - ratio * columns[:, 1:2]) / divisor

        spans = sample.spans
        if spans is None:
            spans = np.maximum(np.abs(sample.all_values).max(axis=0), 1.0)
        # The span of an error, where the ratio is one on all deals.
        span = np.array([(spans[0] + abs(ratio) * spans[1]) / abs(divisor)])
        limits = _bound_errors(sample, ratio, divisor)
        errors = sample.replace_values(find_errors)
        errors = errors._replace(predictions=find_errors(sample.predictions), spans=span, ranges=(limits,))
        means = errors.estimate()

        # A share of the deals that meet a condition has the interval of shares, another ratio that of a mean.
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

    Both ends of its interval lie half-way to the next value outside, so that its width is never zero.
    `precision` is the half-width from which the size of the sample is decided.
    """

    q: float
    precision: float = math.inf

    def summarize(self, sample: TwoPhaseSample, confidence: float) -> Summary:
        """Return the estimate."""
        # Values in order with their cumulative shares.
        order = _OrderedValues(sample.all_values[:, 0], sample.estimate().weights, sample.find_range(0))
        value = order.find(self.q)

        # The share of values up to the quantile, and its standard error.
        below = sample.replace_values(lambda columns: (columns <= value).astype(np.float64))
        below = below._replace(predictions=np.zeros((len(sample.strata), 1)), spans=np.ones(1))
        means = below.estimate()
        se = max(float(means.covariance[0, 0]), self.q * (1 - self.q) / sample.n_deals) ** 0.5

        # Woodruff's interval: quantiles at the ends of the interval of this share, moved to the next values.
        shares = find_end_shares(self.q, _find_size(sample, means, se), confidence)
        (low, high), (lo, hi) = order.find_ends(*shares)

        # The width between both quantiles per standard error of the share gives the error of the quantile.
        z = normal_quantile(confidence)
        error = (high - low) / (2 * z) if math.isfinite(high - low) else math.nan
        estimate = Estimate(value, error, lo, hi, count_known(sample), confidence)
        half = (hi - lo) / 2 * (1 - 1e-9)  # half of a sum of decimals is not above the decimal
        if half <= self.precision:
            return Summary(means, (estimate,), (half,))
        if low == high:
            return Summary(means, (estimate,), (half,), limit=SPARSE)

        # Two values beside each other: their shares may be so nearly a tie that no number of deals decides.
        part, size = self._find_part(order, shares, half), _find_size(sample, means, se)
        if order.are_adjacent(low, high):
            if size >= LEAST_OF_TIE:
                texts = (format_number(value, ascii=True) for value in (low, high))
                return Summary(means, (estimate,), (half,), limit=TIE.format(*texts))
            part = max(part, (size / LEAST_OF_TIE / 1.2) ** 0.5)
        # Variances in units of the quantile, by which the size of the sample is decided: with the interval
        # of the share so much narrower, that of the quantile has the precision.
        scale = (self.precision / (part * z)) ** 2 / means.covariance[0, 0]
        scaled = replace(
            means,
            covariance=means.covariance * scale,
            variance=means.variance * scale,
            residuals=means.residuals * scale,
        )
        return Summary(scaled, (estimate,), (half,))

    def _find_part(self, order: _OrderedValues, shares: tuple[float, float], half: float) -> float:
        """Return the part of the interval of the share whose quantiles are within the precision.

        With few distinct values the part is unsure, and only so much less than 1 that the next sample is
        several times as large. Where the values themselves are too far apart, more deals may have others.
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
    """Values of a sample in order with their cumulative shares, and the range of what is possible."""

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
        """Return the quantiles at two shares, and the same moved to the middle between values outside."""
        low, high, limits = self.find(lower), self.find(upper), self._limits
        lo = limits.low if lower <= 0 else max(self._move_out(low, -1), limits.low)
        hi = limits.high if upper > 1 else min(self._move_out(high, 1), limits.high)
        return (low if lower > 0 else lo, high if upper <= 1 else hi), (lo, hi)

    def are_adjacent(self, low: float, high: float) -> bool:
        """Return whether no value of the sample lies between two of its values."""
        first, last = np.searchsorted(self._distinct, (low, high))
        return bool(last == first + 1)

    def _move_out(self, value: float, step: int) -> float:
        """Return the middle between a value and the next one outside, or half a unit outside."""
        distinct = self._distinct
        index = int(np.searchsorted(distinct, value)) + step
        is_inside = 0 <= index < len(distinct)
        return (value + float(distinct[index])) / 2 if is_inside else value + step / 2


def _is_share_of_part(sample: TwoPhaseSample) -> bool:
    """Return whether the ratio is the share of a condition among the deals that meet another."""
    above, below = sample.all_values[:, 0], sample.all_values[:, 1]
    is_truth = sample.ranges is not None and all(part[:2] == (0, 1) for part in sample.ranges)
    return is_truth and bool((above <= below).all())


def _bound_errors(sample: TwoPhaseSample, ratio: float, divisor: float) -> ValueRange:
    """Return the range of (u - ratio v) / divisor."""
    above, below = sample.find_range(0), sample.find_range(1)
    if not all(math.isfinite(end) for end in (*above[:2], *below[:2])):
        return ValueRange(similar=above.similar / abs(divisor))
    corners = [(u - ratio * v) / divisor for u in above[:2] for v in below[:2]]
    return ValueRange(min(corners), max(corners), above.similar / abs(divisor))


def estimate_mean(sample: TwoPhaseSample, means: TwoPhaseMeans, column: int, confidence: float) -> Estimate:
    """Return the mean of a column: Student's t interval, wider where few values differ from the others.

    Values are added to those computed, as in `statistics/rare_values.py`; deals whose predictions are their
    values are known.
    """
    # Without rare values: Student's interval of the estimate.
    value, se = float(means.means[column]), math.sqrt(means.covariance[column, column])
    values, weights, limits = sample.all_values[:, column], means.weights, sample.find_range(column)
    parts = MeanParts(value, value, se, float(means.freedom[column]))
    counts = count_distinct(values)
    is_constant = counts is not None and len(counts) == 1

    # Few values differ: values are added to the part that was computed; its share is the sum of its weights.
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
    """Return the mean of a column of values between 0 and 1."""
    return build_share(
        float(means.means[column]), float(means.covariance[column, column]), float(means.freedom[column]),
        count_known(sample), confidence,
    )  # fmt: skip


def count_known(sample: TwoPhaseSample) -> int:
    """Return the number of deals whose values are known, a cluster counted as one."""
    n_clusters = 0 if sample.known is None else sample.known.n_clusters
    return n_clusters + len(sample.rows) + int(np.count_nonzero(sample.strata < 0))


def _find_size(sample: TwoPhaseSample, means: TwoPhaseMeans, se: float) -> float:
    """Return the size of a plain sample in which a share has this standard error.

    If nearly all values are on one side the error says little, and the size is that of the weights (Kish).
    """
    weights, share = sample.join_clusters(means.weights), float(means.means[0])
    size = float(weights.sum() ** 2 / (weights @ weights))
    few = min(share, 1 - share) * len(weights)
    return size if few < MIN_EACH_SIDE else min(share * (1 - share) / se**2 + 1, size * few / MIN_EACH_SIDE)
