"""Estimates with confidence intervals, and the quantiles for intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from dealerkit.errors import ArgumentError


@dataclass(frozen=True, slots=True, repr=False)
class Estimate:
    """An estimate from a sample, or an exact number, with its confidence interval.

    Parameters
    ----------
    value, se : float
        The estimate and its standard error; `se` is 0 when exact, nan when unknown.
    lo, hi : float
        Ends of the interval.
    n : int
        Number of values in the sample.
    level : float in (0, 1)
        Confidence level of the interval.
    exact : bool
        The value is counted exactly, not estimated.
    fraction : Fraction or None
        The exact value as a quotient of integers, if it is known.

    Examples
    --------
    >>> proportion(3559, 6123)
    0.5813 ± 0.0124 (n = 6,123)
    >>> Estimate.exactly(Fraction(1, 4))
    0.25 (exact)
    """

    value: float
    se: float
    lo: float
    hi: float
    n: int
    level: float = 0.95
    exact: bool = False
    fraction: Fraction | None = None

    @classmethod
    def exactly(cls, value: float | Fraction, n: int = 0, confidence: float = 0.95) -> Estimate:
        """Return an estimate without error; a `Fraction` is stored as `fraction` and as a float."""
        number = float(value)
        fraction = value if isinstance(value, Fraction) else None
        return cls(number, 0.0, number, number, n, confidence, True, fraction)

    def __float__(self) -> float:
        return float(self.value)

    def rounded(self) -> str:
        """Return the number and the half-width of its interval, with the digits that are significant.

        >>> proportion(3559, 6123).rounded()
        '0.5813 ± 0.0124'
        """
        return self._text()[0]

    def _text(self) -> tuple[str, str]:
        """Return the number with its interval, and the remark that follows it."""
        if self.exact:
            return f"{self.value:.6g}", "exact"
        remark = f"n = {self.n:,}" + ("" if self.level == 0.95 else f", {100 * self.level:g} %")
        half = (self.hi - self.lo) / 2
        if not math.isfinite(half):
            return f"{self.value:.6g}", remark + ", no interval"
        digits = 6 if half <= 0 else min(12, max(0, 2 - math.floor(math.log10(half))))
        number = f"{self.value:.{digits}f}"
        # Wilson's interval is asymmetric near 0 and 1; ± would suggest shares below 0.
        if abs(self.hi + self.lo - 2 * self.value) > 0.2 * half:
            return f"{number} [{self.lo:.{digits}f}, {self.hi:.{digits}f}]", remark
        return f"{number} ± {half:.{digits}f}", remark

    def __repr__(self) -> str:
        number, remark = self._text()
        return f"{number} ({remark})"

    def _repr_html_(self) -> str:
        number, remark = self._text()
        interval = f"{100 * self.level:g} % interval {self.lo:.6g} to {self.hi:.6g}"
        title = "" if self.exact else f' title="{interval}, standard error {self.se:.4g}"'
        return f'<span class="dk-estimate"{title}>{number} <small>({remark})</small></span>'


def check_confidence(confidence: float) -> None:
    """Raise ArgumentError if a confidence level is not between 0 and 1."""
    if not isinstance(confidence, Real) or not 0 < confidence < 1:
        raise ArgumentError(f"confidence is {confidence!r}; it must be between 0 and 1, for example 0.95")


def normal_quantile(confidence: float) -> float:
    """Return the two-sided quantile of the normal distribution."""
    from statistics import NormalDist  # importing scipy takes a tenth of a second

    check_confidence(confidence)
    return NormalDist().inv_cdf((1 + confidence) / 2)


def student_quantile(confidence: float, freedom: int) -> float:
    """Return the two-sided quantile of Student's t with `freedom` >= 1 degrees of freedom.

    From 50 degrees on it is computed by the expansion of Abramowitz and Stegun, *Handbook of Mathematical
    Functions* (1964), 26.7.5, which then has eight correct digits; otherwise by scipy.
    """
    check_confidence(confidence)
    if freedom < 50 or confidence > 0.99:
        from scipy.special import stdtrit

        return float(stdtrit(freedom, (1 + confidence) / 2))
    z = normal_quantile(confidence)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, 1))


def wilson_interval(share: Any, n: Any, z: float) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends of Wilson's interval; arrays broadcast, `n` may be an effective sample size."""
    share, ratio = np.asarray(share, float), z * z / np.asarray(n, float)
    centre = (share + ratio / 2) / (1 + ratio)
    half = np.sqrt(ratio * (share * (1 - share) + ratio / 4)) / (1 + ratio)
    lo, hi = np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
    return np.where(share <= 0, 0.0, lo), np.where(share >= 1, 1.0, hi)


def proportion(successes: float, n: float, confidence: float = 0.95) -> Estimate:
    """Return a share with Wilson's score interval.

    Parameters
    ----------
    successes : float >= 0
        Number of values that meet the condition.
    n : float >= successes
        Number of values; if it is 0, the share is nan and the interval 0 to 1.
    confidence : float in (0, 1)

    Returns
    -------
    Estimate
        `se` is sqrt(p (1 - p) / n).

    Raises
    ------
    ArgumentError
        If `successes` is not between 0 and `n`, or `confidence` not between 0 and 1.

    References
    ----------
    E. B. Wilson, Probable inference, the law of succession, and statistical
    inference, J. Am. Stat. Assoc. 22 (1927), 209-212.

    Examples
    --------
    >>> proportion(8, 10)
    0.800 [0.490, 0.943] (n = 10)
    """
    if not (isinstance(successes, Real) and isinstance(n, Real)) or not 0 <= successes <= n < math.inf:
        raise ArgumentError(f"{successes!r:.60} successes of {n!r:.60}; give a number from 0 to n")
    z = normal_quantile(confidence)
    if n == 0:
        return Estimate(math.nan, math.nan, 0.0, 1.0, 0, confidence)
    share = successes / n
    lo, hi = wilson_interval(share, n, z)
    return Estimate(share, math.sqrt(share * (1 - share) / n), float(lo), float(hi), round(n), confidence)
