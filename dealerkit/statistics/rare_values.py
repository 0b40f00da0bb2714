"""Intervals of means of samples in which few values differ from the others.

Student's interval assumes that the sample shows how much the values vary. If nearly all values are equal,
such as the gains of a contract over another one with the same score on most deals, the mean depends on the
few values that are different. The interval is then much too narrow, and of width zero if all values are
equal. Intervals of shares avoid this by adding values on each side: Agresti and Coull's interval adds z² / 2
successes and as many failures. The same is done here for values of any size:

- The *usual* values are those in the range of width `similar` that contains most values. If their share is
  0.6 or less, the interval is Student's. If it is 0.8 or more, z² / 2 values are added on each side of the
  usual values; in between, this number increases linearly.
- The distance of the added values from the usual ones is the root mean square distance of the m other values,
  times 1 + 1 / m, but they do not exceed the range of possible values. Without other values, they are at the
  ends of this range.
- The interval is Student's for all values including the added ones. It always contains the mean of the sample
  and never exceeds the range.

`docs/explanation/coverage.md` shows in which share of samples the intervals contain the mean.

References
----------
A. Agresti, B. A. Coull, Approximate is better than "exact" for interval estimation of binomial proportions,
The American Statistician 52 (1998), 119-126.
A. Agresti, Y. Min, Simple improved confidence intervals for comparing matched proportions, Statistics in
Medicine 24 (2005), 729-740.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dealerkit.statistics.accumulation import find_exponent
from dealerkit.statistics.estimates import Estimate
from dealerkit.statistics.intervals import normal_quantile, student_quantile

MAX_DISTINCT = 256  # largest number of distinct values that are counted
MAX_OTHERS = 1000  # with more values besides the most frequent one, added values do not change an interval
LEAST_USUAL, MOST_USUAL = 0.6, 0.8  # shares of usual values from which some, and all, values are added
_FIRST = 2048  # values of a batch that are counted first, because most quantities have many distinct values


class ValueRange(NamedTuple):
    """The values that a quantity can have.

    Attributes
    ----------
    low, high : float
        Smallest and largest value; infinite if it is not known.
    similar : float
        The largest difference between values that count as nearly equal, such as the scores of a contract
        that makes with different numbers of overtricks.
    """

    low: float = -math.inf
    high: float = math.inf
    similar: float = 0.0

    def intersect(self, limits: tuple[float, float] | None) -> ValueRange:
        """Return the part of the range that is between other limits; without limits, the whole range."""
        if limits is None:
            return self
        return self._replace(low=max(self.low, limits[0]), high=min(self.high, limits[1]))


SIMILAR_IMPS = 6.0
SIMILAR_POINTS = 120.0  # the difference made by four overtricks in a major
ANY_VALUE = ValueRange()
IMPS_RANGE = ValueRange(-24.0, 24.0, SIMILAR_IMPS)
SHARE_RANGE = ValueRange(0.0, 1.0)
POINTS_RANGE = ValueRange(-10580.0, 10580.0, SIMILAR_POINTS)  # differences between scores


class RareValues:
    """The counts of distinct values, as long as few values differ from the most frequent one.

    With more than 256 distinct values, or more than 1,000 that differ from the most frequent one, `counts` is
    None. The order of the values does not matter.

    >>> gains = RareValues()
    >>> gains.update(np.array([0, 0, 6, 0, -5]))
    >>> gains.counts
    {-5.0: 1, 0.0: 3, 6.0: 1}
    """

    def __init__(self) -> None:
        self.counts: dict[float, int] | None = {}

    def update(self, values: np.ndarray) -> None:
        """Add a batch of numbers."""
        for part in (values[:_FIRST], values[_FIRST:]):
            if self.counts is None or not part.size:
                return
            usual = max(self.counts, key=self.counts.__getitem__) if self.counts else None
            self._add(_count_values(part, usual))

    def merge(self, other: RareValues) -> None:
        """Add the values of another `RareValues`."""
        if other.counts is None:
            self.counts = None
        elif self.counts is not None:
            self._add(other.counts)

    def _add(self, found: dict[float, int]) -> None:
        assert self.counts is not None
        for value, number in found.items():
            self.counts[value] = self.counts.get(value, 0) + number
        others = sum(self.counts.values()) - max(self.counts.values(), default=0)
        if len(self.counts) > MAX_DISTINCT or others > MAX_OTHERS:
            self.counts = None


def count_distinct(values: np.ndarray) -> dict[float, int] | None:
    """Return how often each value of a sample occurs, or None if there are too many for `RareValues`.

    >>> count_distinct(np.array([0.5, 0.5, 1.0]))
    {0.5: 2, 1.0: 1}
    """
    rare = RareValues()
    rare.update(values)
    return rare.counts


def _count_values(values: np.ndarray, usual: float | None) -> dict[float, int]:
    """Return how often each distinct value occurs; this is fast if most values are equal to `usual`."""
    if values.dtype.kind in "iu" and values.dtype.itemsize == 1:
        counts = np.bincount(values.view(np.uint8), minlength=256)
        numbers = np.arange(256, dtype=np.uint8).view(values.dtype)
        used = np.flatnonzero(counts)
        numbers, counts = numbers[used], counts[used]
    else:
        others = values if usual is None else values[values != usual]  # only these are sorted
        numbers, counts = np.unique(others, return_counts=True)
        if usual is not None and (n_usual := len(values) - len(others)):
            numbers, counts = np.append(numbers, usual), np.append(counts, n_usual)
    if len(numbers) > MAX_DISTINCT:
        numbers, counts = numbers[: MAX_DISTINCT + 1], counts[: MAX_DISTINCT + 1]
    return dict(zip(numbers.astype(float).tolist(), counts.tolist(), strict=True))


def _multiply(number: float, exponent: int) -> float:
    """Return a number times a power of two, infinite if it is larger than every float."""
    with np.errstate(over="ignore", under="ignore"):
        return float(np.ldexp(number, exponent))


class MeanParts(NamedTuple):
    """The numbers from which the interval of a mean is computed.

    Attributes
    ----------
    value : float
        The mean.
    centre, se : float
        The middle of the interval, and the standard error that determines its width.
    freedom : float
        Degrees of freedom of Student's quantile.
    """

    value: float
    centre: float
    se: float
    freedom: float


def add_unusual_values(
    parts: MeanParts, size: float, counts: dict[float, int] | None, values: ValueRange, confidence: float
) -> MeanParts:
    """Return the parts of a mean's interval after values have been added on both sides of the usual ones.

    Parameters
    ----------
    parts : MeanParts
        The parts of Student's interval.
    size : float > 0
        Number of values; with weights or clusters, the effective number.
    counts : dict of float to int, or None
        How often each value occurs in the sample; None if many values differ, so that none is added.
    values : ValueRange
        The values that are possible.
    confidence : float in (0, 1)
        Confidence level of the interval.

    Returns
    -------
    MeanParts
        `se` is infinite if a value has to be added and the range is not known.

    Examples
    --------
    >>> parts = add_unusual_values(MeanParts(6.0, 6.0, 0.0, 4), 5, {6.0: 5}, IMPS_RANGE, 0.95)
    >>> round(parts.centre, 2), round(parts.se, 2)
    (3.39, 5.41)
    """
    if not counts or (not values.similar and max(counts.values()) <= LEAST_USUAL * sum(counts.values())):
        return parts

    # Very large and very small values are divided by a power of two, so that their squares are floats.
    numbers = np.array(list(counts))
    if exponent := find_exponent(float(numbers.min()), float(numbers.max())):
        value, centre, se = (_multiply(number, -exponent) for number in parts[:3])
        scaled = {_multiply(number, -exponent): n for number, n in counts.items()}
        bounds = ValueRange(*(_multiply(number, -exponent) for number in values))
        small = MeanParts(value, centre, se, parts.freedom)
        value, centre, se, freedom = add_unusual_values(small, size, scaled, bounds, confidence)
        return MeanParts(parts.value, _multiply(centre, exponent), _multiply(se, exponent), freedom)

    # The usual values: the range of width `similar` with most values
    order = np.argsort(numbers)
    numbers, weights = numbers[order], np.array(list(counts.values()), float)[order]
    cumulative = np.concatenate(([0.0], np.cumsum(weights)))
    ends = np.searchsorted(numbers, numbers + values.similar, side="right")
    inside = cumulative[ends] - cumulative[:-1]
    first = int(inside.argmax())
    share = inside[first] / cumulative[-1]

    # The number of values added on each side: z² / 2 (Agresti and Coull), or fewer if there are many others
    added = normal_quantile(confidence) ** 2 / 2
    added *= min(max((share - LEAST_USUAL) / (MOST_USUAL - LEAST_USUAL), 0.0), 1.0)
    if not added:
        return parts

    # Their distance from the mean of the usual values: the root mean square of the others, within the range
    usual = slice(first, int(ends[first]))
    middle = float(numbers[usual] @ weights[usual] / inside[first])
    n_others = cumulative[-1] - inside[first]
    distance = math.inf
    if n_others:
        squares = weights * (numbers - middle) ** 2
        distance = math.sqrt((squares.sum() - squares[usual].sum()) / n_others) * (1 + 1 / n_others)
    low, high = max(middle - distance, values.low), min(middle + distance, values.high)
    if not (math.isfinite(low) and math.isfinite(high)):
        return parts._replace(se=math.inf)

    # Mean and standard error of all values, including the added ones
    total = size + 2 * added
    centre = (size * parts.value + added * (low + high)) / total
    squares_of_sum = (
        (size * parts.se) ** 2
        + added * ((low - centre) ** 2 + (high - centre) ** 2)
        + size * (parts.value - centre) ** 2
    )
    return MeanParts(parts.value, centre, math.sqrt(squares_of_sum) / total, parts.freedom + 2 * added)


def build_mean(
    parts: MeanParts, se: float, n: int, confidence: float, values: ValueRange, is_constant: bool
) -> Estimate:
    """Return the estimate of a mean with Student's interval, limited to the range of possible values.

    The interval always contains the mean. The estimate is exact if only one value is possible.
    """
    if is_constant and values.low == values.high:
        return Estimate.exactly(parts.value, n, confidence)
    half = math.inf
    if math.isfinite(parts.se):
        half = student_quantile(confidence, min(max(parts.freedom, 1.0), 1e6)) * parts.se
    if not math.isfinite(half) or (is_constant and not half):
        return Estimate(parts.value, math.nan, -math.inf, math.inf, n, confidence, constant=is_constant)
    lo, hi = parts.centre - half, parts.centre + half
    lo, hi = min(max(lo, values.low), parts.value), max(min(hi, values.high), parts.value)
    return Estimate(parts.value, parts.se if is_constant else se, lo, hi, n, confidence, constant=is_constant)
