"""How many points for game: gains by the value of an expression, and the value at which they cross zero."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dealerkit.appearance.content import format_note
from dealerkit.appearance.table import Quantity
from dealerkit.errors import ArgumentError

REPLICATES = 2000
MAX_VALUES = 200  # of the expression, of which each is a row


@dataclass(frozen=True, slots=True)
class BreakEven:
    """The value of an expression at which one contract begins to gain over another.

    Attributes
    ----------
    value : float or None
        None if the gain has one sign at all values.
    lo, hi : float
        The interval; infinite where it does not end within the values that occur.
    lowest, highest : float
        The values that occur.
    first_ahead : bool
        Whether the gain is above zero at all values; of use where `value` is None.
    confidence : float
    replicates : int
        Number of samples with replacement.
    """

    value: float | None
    lo: float
    hi: float
    lowest: float
    highest: float
    first_ahead: bool
    confidence: float
    replicates: int

    def describe(self) -> list[str | Quantity]:
        """Return the value with its interval, as the parts of a sentence."""
        lowest, highest = Quantity(self.lowest), Quantity(self.highest)
        if self.value is None and self.first_ahead:
            return ["ahead at all values from ", lowest]
        if self.value is None:
            return ["behind at all values up to ", highest]
        low = ["below ", lowest] if math.isinf(self.lo) else [Quantity(self.lo, decimals=1)]
        high = ["above ", highest] if math.isinf(self.hi) else [Quantity(self.hi, decimals=1)]
        return [Quantity(self.value, decimals=1), ", ", *low, " to ", *high]

    def __str__(self) -> str:
        return format_note(self.describe())


def find_break_even(
    values: np.ndarray, gains: np.ndarray, confidence: float = 0.95, seed: int = 0
) -> BreakEven:
    """Return the value of an expression at which the mean gain crosses zero.

    The mean gains at each value are made monotone by isotonic regression (the pool-adjacent-violators
    algorithm), rising or falling as the gains do on the whole, and joined by straight lines. The interval is
    the percentile interval of samples of deals with replacement.

    Parameters
    ----------
    values : ndarray of float [n]
        The expression on each deal.
    gains : ndarray of float [n]
    confidence : float in (0, 1)
    seed : int
        Of the samples.

    References
    ----------
    R. E. Barlow, D. J. Bartholomew, J. M. Bremner, H. D. Brunk, Statistical Inference under Order
    Restrictions (Wiley 1972), chapter 1.
    B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap (Chapman & Hall 1993), 13.3.

    Examples
    --------
    >>> points = np.repeat([22, 23, 24, 25], 50)
    >>> gains = np.tile([-6, -6, 10, 10, -6], 40) + 8 * (points - 23)
    >>> print(find_break_even(points, gains))
    23.0, 22.7 to 23.2
    """
    levels, at = np.unique(values, return_inverse=True)
    if len(levels) > MAX_VALUES:
        raise ArgumentError(
            f"by= has {len(levels):,} different values; give an expression with at most {MAX_VALUES}, such "
            "as a number of points without fractions"
        )
    counts = np.bincount(at).astype(float)
    sums = np.bincount(at, gains)
    is_rising = len(levels) < 2 or np.cov(values, gains)[0, 1] >= 0
    crossing = _find_crossing(levels, counts, sums, is_rising)
    random = np.random.default_rng(seed)
    # Deals with the same value and gain are alike: a sample of deals is a multinomial number of each kind.
    kinds, kind_of = np.unique(np.stack((at, gains)), axis=1, return_counts=True)
    level_of, gain_of = kinds[0].astype(int), kinds[1]
    resampled = random.multinomial(len(values), kind_of / len(values), REPLICATES)
    crossings = np.empty(REPLICATES)
    for k, numbers in enumerate(resampled):
        sampled = np.bincount(level_of, numbers, len(levels))
        total = np.bincount(level_of, numbers * gain_of, len(levels))
        is_held = sampled > 0
        crossings[k] = _find_crossing(levels[is_held], sampled[is_held], total[is_held], is_rising)
    ends = (1 - confidence) / 2
    # An infinite quantile is an end outside of the values; interpolating between infinities has no value.
    lo, hi = np.quantile(crossings, [ends, 1 - ends], method="inverted_cdf").tolist()
    value = None if math.isinf(crossing) else crossing
    ahead = math.isinf(crossing) and (crossing < 0) == is_rising
    return BreakEven(value, lo, hi, float(levels[0]), float(levels[-1]), ahead, confidence, REPLICATES)


def _find_crossing(levels: np.ndarray, counts: np.ndarray, sums: np.ndarray, is_rising: bool) -> float:
    """Return where the monotone gain crosses zero: -inf before the first level, inf after the last."""
    from scipy.optimize import isotonic_regression

    fitted = isotonic_regression(sums / counts, weights=counts, increasing=is_rising).x
    signed = fitted if is_rising else -fitted
    above = int(np.searchsorted(signed > 0, True))  # the first level with a gain, or with a loss if falling
    if above == 0:
        return -math.inf
    if above == len(levels):
        return math.inf
    below, over = signed[above - 1], signed[above]
    share = -below / (over - below)
    return float(levels[above - 1] + share * (levels[above] - levels[above - 1]))
