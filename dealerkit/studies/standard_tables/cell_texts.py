"""Texts of cells with intervals."""

from __future__ import annotations

import math
from typing import Any

from dealerkit.appearance.numbers import (
    NO_INTERVAL,
    choose_share_decimals,
    format_number,
    format_share_with_interval,
    format_with_interval,
)


def format_cell(row: Any, sign: bool = False) -> str:
    """Return a value with its interval, from a row with value, lo and hi; without one, the value alone.

    >>> from types import SimpleNamespace
    >>> format_cell(SimpleNamespace(value=-0.4, lo=-5.4, hi=4.6), sign=True)
    '0 ± 5'
    >>> format_cell(SimpleNamespace(value=-0.057, lo=-0.063, hi=-0.051), sign=True)
    '-0.057 ± 0.006'
    """
    if math.isnan(row.lo):
        return f"{format_number(row.value, 1, sign=sign, ascii=True)}, {NO_INTERVAL}"
    return format_with_interval(row.value, row.lo, row.hi, sign=sign, ascii=True)


def format_shares(rows: Any, decimals: int | None = None) -> list[str]:
    """Return shares in per cent, all with the decimals of the widest interval if none are given.

    `rows` is a frame with value, lo and hi. Of a share of 0 the upper end of its interval is shown; nan is
    a dash.
    """
    if decimals is None:
        decimals = choose_share_decimals(rows.lo, rows.hi)
    return [
        "–"
        if math.isnan(row.value)
        else format_share_with_interval(row.value, row.lo, row.hi, decimals, ascii=True)
        for row in rows.itertuples()
    ]
