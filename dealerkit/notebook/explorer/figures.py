"""Numbers of the explorer as text: their digits follow the interval."""

from __future__ import annotations

import math

NBSP = "\u00a0"


def count_decimals(half_width: float) -> int:
    """Return the decimals of a number with this half-width, which has one digit, two if the first is 1 or 2.

    >>> [count_decimals(width) for width in (0.0110, 0.0767, 36.0)]
    [3, 2, 0]
    """
    if not half_width > 0 or not math.isfinite(half_width):
        return 0
    exponent = math.floor(math.log10(half_width))
    first = int(half_width / 10.0**exponent + 1e-9)
    return max(0, (1 if first <= 2 else 0) - exponent)


def format_fixed(value: float, decimals: int) -> str:
    """Return a number with these decimals, thousands and a true minus sign; half rounds up.

    >>> format_fixed(6.55, 1), format_fixed(-1234.5, 0)
    ('6.6', '−1,234')
    """
    scaled = math.floor(abs(value) * 10**decimals + 0.5 + 1e-9) / 10**decimals
    sign = "\u2212" if value < 0 and scaled else ""
    if value < 0 and abs(value) * 10**decimals % 1 == 0.5:  # half of a negative number rounds up, to 0
        scaled = math.floor(abs(value) * 10**decimals) / 10**decimals
    return f"{sign}{scaled:,.{decimals}f}"


def format_seconds(seconds: float) -> str:
    """Return a time that is left: ``9 s``, ``4 min``, ``2 h``.

    >>> [format_seconds(seconds).split() for seconds in (8.6, 250, 7900)]
    [['9', 's'], ['4', 'min'], ['2', 'h']]
    """
    for limit, size, unit in ((90, 1, "s"), (5400, 60, "min"), (math.inf, 3600, "h")):
        if seconds < limit:
            return f"{max(1, math.floor(seconds / size + 0.5))}{NBSP}{unit}"
    raise AssertionError(seconds)
