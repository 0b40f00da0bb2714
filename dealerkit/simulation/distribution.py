"""`distribution`: the values of an expression and their probabilities, as a table."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.arguments import check_integer, check_optional_integer
from dealerkit.language.script_variables import Params
from dealerkit.simulation.probability import N_DEALS, Shares, count_values
from dealerkit.statistics.intervals import check_confidence, share_interval

if TYPE_CHECKING:
    import pandas as pd


def distribution(
    expression: str | os.PathLike,
    given: str | os.PathLike | None = None,
    predeal: Mapping[str, Any] | None = None,
    params: Params = (),
    *,
    deals: int = N_DEALS,
    confidence: float = 0.95,
    seed: int | None = None,
    include: Sequence[str | os.PathLike] = (),
) -> pd.DataFrame:
    """Return the values of an expression and the probability of each.

    Parameters
    ----------
    expression : str or os.PathLike
        Of the dealer language; the values of a condition are False and True.
    given, predeal, params, deals, confidence, seed, include
        As for `dealerkit.probability`; exact in the same cases.

    Returns
    -------
    DataFrame
        A row for each value that occurs, in rising order; index ``value``. Columns: ``count``, the
        number of deals with the value, as Python integers; ``share`` of all deals; ``cumulative``;
        ``fraction``, the share as a `Fraction`, None in an estimate; ``lo`` and ``hi``, the ends of the
        interval.
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

    deals, seed = check_integer("deals", deals, 1), check_optional_integer("seed", seed)
    check_confidence(confidence)  # also if the result is exact and does not need it
    result = count_values(expression, given, predeal, params, deals=deals, seed=seed, include=include)
    if not result.exact:
        return _build_estimates(result, confidence)
    fractions = [Fraction(count, result.total) for count in result.counts]
    share = np.array([float(fraction) for fraction in fractions])
    frame = pd.DataFrame(
        {
            "count": pd.Series(result.counts, dtype=object),
            "share": share,
            "cumulative": np.cumsum(share),
            "fraction": pd.Series(fractions, dtype=object),
            "lo": share,
            "hi": share,
        }
    )
    frame.index = pd.Index(result.values, name="value")
    mean, variance = _compute_moments(result.values, fractions)
    frame.attrs = {"exact": True, "n": result.total, "mean": mean, "sd": variance**0.5}
    return frame


def _build_estimates(result: Shares, confidence: float) -> pd.DataFrame:
    """Return the table of values of a sample, which may have a million of them: with intervals."""
    import pandas as pd

    counts = np.asarray(result.counts)
    share = counts / result.total
    lo, hi = share_interval(share, result.total, confidence)
    columns = {
        "count": counts.astype(object), "share": share, "cumulative": np.cumsum(share),
        "fraction": np.full(len(share), None), "lo": lo, "hi": hi,
    }  # fmt: skip
    frame = pd.DataFrame(columns, pd.Index(result.values, name="value"))
    values = result.values.astype(float)
    mean = float(values @ share)
    frame.attrs = {
        "exact": False,
        "n": result.total,
        "mean": mean,
        "sd": float((values - mean) ** 2 @ share) ** 0.5,
    }
    return frame


def _compute_moments(values: np.ndarray, fractions: Sequence[Fraction]) -> tuple[float, float]:
    """Return mean and variance, computed from exact fractions."""
    exact = [Fraction(repr(float(value))) for value in values]
    mean = sum((value * part for value, part in zip(exact, fractions, strict=True)), Fraction(0))
    square = sum((value**2 * part for value, part in zip(exact, fractions, strict=True)), Fraction(0))
    return float(mean), float(square - mean**2)
