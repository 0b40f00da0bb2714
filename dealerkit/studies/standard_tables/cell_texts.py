"""Texts of standard tables: their rules in words, and cells with intervals."""

from __future__ import annotations

import math
import re
from typing import Any

from dealerkit.studies.results import count_decimals, format_interval

_SIGNED_ZERO = re.compile(r"^[-+](?=0(?:\.0*)?(?![.\d]))")

TIES = {
    "higher": "of equal lengths the higher suit",
    "lower": "of equal lengths the lower suit",
    "better": "of equal lengths the suit with more tricks",
    "mean": "of equal lengths the mean of these suits",
}


def format_cell(
    row: Any, sign: str = "", scale: float = 1.0, unit: str = "", decimals: int | None = None
) -> str:
    """Return a value with its interval, from a row with value, lo and hi; without one, the value alone.

    >>> from types import SimpleNamespace
    >>> format_cell(SimpleNamespace(value=0.5813, lo=0.5689, hi=0.5937), scale=100, unit=" %")
    '58.1 ± 1.2 %'
    >>> format_cell(SimpleNamespace(value=-0.4, lo=-5.4, hi=4.6), "+")
    '0 ± 5'
    >>> format_cell(SimpleNamespace(value=-0.057, lo=-0.063, hi=-0.051), "+")
    '-0.057 ± 0.006'
    """
    value, lo, hi = scale * row.value, scale * row.lo, scale * row.hi
    if math.isnan(lo):
        return f"{value:{sign}.{1 if decimals is None else decimals}f}{unit}, no interval"
    return _SIGNED_ZERO.sub("", format_interval(value, lo, hi, sign, unit, decimals))


def format_shares(rows: Any, decimals: int | None = None) -> list[str]:
    """Return shares in per cent, all with the decimals of the widest interval if none are given.

    `rows` is a frame with value, lo and hi. Of a share of 0 the upper end of its interval is shown.
    """
    half = 50 * (rows.hi - rows.lo).max()
    if decimals is None:
        decimals = count_decimals(float(half)) if half > 0 else 1
    cells = []
    for row in rows.itertuples():
        if row.value == 0 and not math.isnan(row.hi):
            cells.append(f"0 (below {100 * row.hi:.2g} %)")
        else:
            cells.append(format_cell(row, scale=100, unit=" %", decimals=decimals))
    return cells
