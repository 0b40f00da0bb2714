"""Victory points of matches on the continuous scale of the World Bridge Federation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, overload

import numpy as np

from dealerkit.arguments import check_integer, check_integers
from dealerkit.errors import ArgumentError

_RATIO = (math.sqrt(5) - 1) / 2
_MAXIMUM = 20.0


@overload
def victory_points(margin: int, boards: int, *, table: Sequence[float] | None = None) -> float: ...
@overload
def victory_points(margin: Any, boards: int, *, table: Sequence[float] | None = None) -> Any: ...
def victory_points(margin: Any, boards: int, *, table: Sequence[float] | None = None) -> Any:
    """Return the victory points of a match on the continuous scale of the World Bridge Federation.

    With n boards, a margin of I IMPs, B = 15 sqrt(n) and r = (sqrt(5) - 1) / 2, the winner gets 10 + 10 (1 -
    r^(3 min(I, B) / B)) / (1 - r^3) victory points, rounded to 0.01; the loser gets the rest of 20.

    Parameters
    ----------
    margin : int or ndarray of int
        Our IMPs minus theirs.
    boards : int, 1 or more
    table : sequence of float, optional
        The winner's victory points for margins of 0, 1, 2 ... IMPs, instead of the formula, such as the
        printed scale of an event; the last value applies to all larger margins.

    Returns
    -------
    float or ndarray of float64, 0 to 20

    Raises
    ------
    ArgumentError
        The margin is not a whole number, `boards` is less than 1, or `table` does not rise from 10 to at most
        20.

    References
    ----------
    World Bridge Federation, The WBF IMP to VP scales, 2013. The printed scales differ from the formula by
    0.01 at some margins, because on them no IMP is worth more than the previous one.

    Examples
    --------
    >>> victory_points(10, 14), victory_points(-10, 14)
    (12.97, 7.03)
    >>> victory_points(np.array([0, 5, 100]), 16).tolist()
    [10.0, 11.48, 20.0]
    >>> victory_points(3, 16, table=[10, 10.5, 11, 12])
    12.0
    """
    n_boards = check_integer("boards", boards, 1)
    margins = check_integers("margin", margin)
    size = np.abs(np.clip(margins, -10_000, 10_000))
    if table is not None:
        scale = np.asarray(table, float)
        is_valid = scale.ndim == 1 and len(scale) and scale[0] == 10 and (np.diff(scale) >= 0).all()
        if not is_valid or scale[-1] > _MAXIMUM:
            raise ArgumentError(
                "table has the winner's victory points for 0, 1, 2 ... IMPs, from 10 up to 20"
            )
        points = scale[np.minimum(size, len(scale) - 1)]
    else:
        most = 15 * math.sqrt(n_boards)
        share = (1 - _RATIO ** (3 * np.minimum(size, most) / most)) / (1 - _RATIO**3)
        points = np.floor(100 * (10 + 10 * share) + 0.5 + 1e-9) / 100
    result = np.round(np.where(margins >= 0, points, _MAXIMUM - points), 2)
    return float(result) if result.ndim == 0 else result
