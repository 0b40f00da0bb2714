"""`distribution`: the values of an expression and how likely each is, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.simulation.probability import DEALS, shares
from dealerkit.statistics import proportion
from dealerkit.statistics.estimates import check_level

if TYPE_CHECKING:
    import pandas as pd


def distribution(
    expression: str,
    given: str | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Sequence[str | None] = (),
    *,
    deals: int = DEALS,
    level: float = 0.95,
) -> pd.DataFrame:
    """The values of an expression and how likely each is.

    Parameters
    ----------
    expression : str
        Of the dealer language; a truth value counts as False and True.
    given, predeal, params, deals, level
        As for `dealerkit.probability`; exact in the same cases.

    Returns
    -------
    DataFrame
        A row for each value that occurs, rising; index ``value``. Columns: ``count``, the deals
        that have it, as Python integers; ``share`` of all, ``cumulative``, and ``fraction``, the
        share as a `Fraction`, None in an estimate; ``lo`` and ``hi``, the ends of the interval.
        ``frame.attrs`` has ``exact``, ``n`` (number of all deals counted), ``mean`` and ``sd``.

    Raises
    ------
    ArgumentError, PredealError, ScriptError

    Examples
    --------
    >>> frame = distribution("controls(north)")
    >>> print(f"{frame.share[3]:.6f}", frame.fraction.sum(), frame.attrs["exact"], frame.attrs["mean"])
    0.208869 1 True 3.0
    """
    import pandas as pd

    deals = check_integer("deals", deals, 1)
    check_level(level)  # also where the answer is exact and has no use for them
    found = shares(expression, given, predeal, params, deals=deals)
    fractions = [Fraction(count, found.total) for count in found.counts]
    share = np.array([float(one) for one in fractions])
    if found.exact:
        lo, hi = share, share
    else:
        intervals = [proportion(count, found.total, level) for count in found.counts]
        lo, hi = np.array([one.lo for one in intervals]), np.array([one.hi for one in intervals])
    frame = pd.DataFrame(
        {
            "count": pd.Series(found.counts, dtype=object),
            "share": share,
            "cumulative": np.cumsum(share),
            "fraction": pd.Series(fractions if found.exact else [None] * len(fractions), dtype=object),
            "lo": lo,
            "hi": hi,
        }
    )
    frame.index = pd.Index(found.values, name="value")
    mean, variance = _moments(found.values, fractions)
    frame.attrs = {"exact": found.exact, "n": found.total, "mean": mean, "sd": variance**0.5}
    return frame


def _moments(values: np.ndarray, fractions: Sequence[Fraction]) -> tuple[float, float]:
    """Mean and variance, computed without rounding from the values as they are."""
    exact = [Fraction(repr(float(value))) for value in values]
    mean = sum((value * part for value, part in zip(exact, fractions, strict=True)), Fraction(0))
    square = sum((value**2 * part for value, part in zip(exact, fractions, strict=True)), Fraction(0))
    return float(mean), float(square - mean**2)
