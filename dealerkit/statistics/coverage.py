"""Estimates from a random sample, exact numbers of a whole population, and numbers of a part of it."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Literal

import numpy as np

from dealerkit.statistics.counts import Counts, ShareTable
from dealerkit.statistics.estimates import Estimate, proportion
from dealerkit.statistics.inverse_sampling import estimate_stopped_rate
from dealerkit.statistics.moments import Moments
from dealerkit.statistics.rare_values import ANY_VALUE, ValueRange

# Which values of a population were accumulated: a random sample; all of them, so that nothing is estimated; a
# part that is not random, such as the first ones in an order, of which no interval for the others follows.
Coverage = Literal["sample", "all", "part"]


def estimate_mean(
    moments: Moments, confidence: float, coverage: Coverage, values: ValueRange = ANY_VALUE
) -> Estimate:
    """Return the mean of values: with the interval of `Moments.mean`, exact, or without an interval.

    >>> points = Moments()
    >>> points.update(np.array([10, 12, 7]))
    >>> estimate_mean(points, 0.95, "all").fraction, estimate_mean(points, 0.95, "part")
    (Fraction(29, 3), 9.66667 (n = 3, no interval))
    """
    mean, total = moments.mean(confidence, values), moments.total
    if coverage == "sample" or not moments.n:
        return mean
    if coverage == "part":
        return _remove_interval(mean)
    exact = Fraction(total, moments.n) if isinstance(total, int) else mean.value
    return Estimate.exactly(exact, moments.n, confidence)


def estimate_sd(moments: Moments, coverage: Coverage) -> float:
    """Return the standard deviation: of all values with divisor n, else that of a sample."""
    if coverage == "all" and moments.n:
        return moments.sd * math.sqrt((moments.n - 1) / moments.n) if moments.n > 1 else 0.0
    return moments.sd


def estimate_share(counts: Counts, value: int, confidence: float, coverage: Coverage) -> Estimate:
    """Return the share of a value: with its interval, exact, or without an interval."""
    share = counts.share(value, confidence=confidence)
    if coverage == "sample" or not counts.n:
        return share
    if coverage == "part":
        return _remove_interval(share)
    return Estimate.exactly(Fraction(round(share.value * counts.n), counts.n), counts.n, confidence)


def estimate_proportion(
    successes: int, n: int, confidence: float, coverage: Coverage, is_stopped: bool = False
) -> Estimate:
    """Return a share: with an interval, exact, or without an interval.

    `is_stopped` tells that the values end with the last of a fixed number of successes.
    """
    if is_stopped and successes and coverage == "sample":
        return estimate_stopped_rate(successes, n, confidence)
    share = proportion(successes, n, confidence)
    if coverage == "sample" or not n:
        return share
    if coverage == "part":
        return _remove_interval(share)
    return Estimate.exactly(Fraction(successes, n), n, confidence)


def tabulate_shares(counts: Counts, confidence: float, coverage: Coverage) -> ShareTable:
    """Return the shares of all cells: with intervals, exact, or with nan for interval and error."""
    table = counts.shares(confidence)
    if coverage == "sample" or not counts.n:
        return table
    if coverage == "all":
        return ShareTable(table.share, np.zeros(table.share.shape), table.share, table.share)
    unknown = np.full(table.share.shape, math.nan)
    return ShareTable(table.share, unknown, unknown, unknown)


def _remove_interval(estimate: Estimate) -> Estimate:
    return replace(estimate, se=math.nan, lo=-math.inf, hi=math.inf, constant=False)
