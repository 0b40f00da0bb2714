"""Quantiles for confidence intervals, and Wilson's interval."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from dealerkit.errors import ArgumentError


def check_confidence(confidence: float) -> None:
    """Raise ArgumentError if a confidence level is not between 0 and 1."""
    if not isinstance(confidence, Real) or not 0 < confidence < 1:
        raise ArgumentError(f"confidence is {confidence!r}; it must be between 0 and 1, for example 0.95")


def normal_quantile(confidence: float) -> float:
    """Return the two-sided quantile of the normal distribution: 1.96 for the confidence level 0.95.

    Raises ArgumentError if the level is not between 0 and 1.
    """
    from statistics import NormalDist  # importing scipy takes a tenth of a second

    check_confidence(confidence)
    return NormalDist().inv_cdf((1 + confidence) / 2)


def student_quantile(confidence: float, freedom: int) -> float:
    """Return the two-sided quantile of Student's t with `freedom` >= 1 degrees of freedom.

    From 50 degrees on it is computed by the expansion of Abramowitz and Stegun, *Handbook of Mathematical
    Functions* (1964), 26.7.5, which then has eight correct digits; otherwise, and for confidence levels above
    0.99, by scipy. Raises ArgumentError if the level is not between 0 and 1.
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
    """Return both ends of Wilson's score interval for shares.

    Parameters
    ----------
    share : float or ndarray of float, 0 to 1
    n : float or ndarray of float > 0
        Sample size, which may be an effective one. The arguments broadcast.
    z : float
        Quantile of the normal distribution, as of `normal_quantile`.

    Returns
    -------
    lo, hi : ndarray of float64
        In the broadcast shape; exactly 0 and 1 for these shares.
    """
    share, ratio = np.asarray(share, float), z * z / np.asarray(n, float)
    centre = (share + ratio / 2) / (1 + ratio)
    half = np.sqrt(ratio * (share * (1 - share) + ratio / 4)) / (1 + ratio)
    lo, hi = np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
    return np.where(share <= 0, 0.0, lo), np.where(share >= 1, 1.0, hi)
