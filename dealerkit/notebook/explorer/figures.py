"""Times of the explorer as text."""

from __future__ import annotations

import math

from dealerkit.appearance.numbers import NBSP


def format_seconds(seconds: float) -> str:
    """Return a time that is left: ``9 s``, ``4 min``, ``2 h``.

    >>> [format_seconds(seconds).split() for seconds in (8.6, 250, 7900)]
    [['9', 's'], ['4', 'min'], ['2', 'h']]
    """
    for limit, size, unit in ((90, 1, "s"), (5400, 60, "min"), (math.inf, 3600, "h")):
        if seconds < limit:
            return f"{max(1, math.floor(seconds / size + 0.5))}{NBSP}{unit}"
    raise AssertionError(seconds)
