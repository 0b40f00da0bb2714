"""Texts of cells with intervals."""

from __future__ import annotations

import math
from typing import Any

from dealerkit.appearance.numbers import (
    choose_share_decimals,
    format_share_with_interval,
)


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
