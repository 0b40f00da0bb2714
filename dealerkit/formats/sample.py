"""The sample of solved deals that is part of the package."""

from __future__ import annotations

import io
from functools import cache
from importlib.resources import files

import numpy as np

from dealerkit.cards.deals import Deals


@cache
def solved_sample() -> Deals:
    """Return 52,480 random deals with their double-dummy tables.

    Deals are uniform: random permutations of 52 cards by numpy's generators, in three runs (5,120 deals;
    15,360 with seed 20261120; 32,000 with seed 20261121), in this order, without selection. Each deal was
    solved for five strains and four declarers by DDS 2.9 (B. Haglund and S. Hein) in endplay 0.5.12, November
    2026. The file is ``dealerkit/data/solved.npz`` with `hands` uint64 [n, 4], `tables` int8 [n, 5, 4] and
    `origin`, the run of each deal.

    Returns
    -------
    Deals
        With complete `tables`, tricks 0 to 13. The arrays are read-only; all calls return the same object.

    Examples
    --------
    >>> deals = solved_sample()
    >>> len(deals), deals.tables.shape, int(deals.tables.max())
    (52480, (52480, 5, 4), 13)
    """
    with np.load(io.BytesIO(files("dealerkit").joinpath("data/solved.npz").read_bytes())) as stored:
        hands, tables = stored["hands"], stored["tables"]
    for array in (hands, tables):
        array.flags.writeable = False
    return Deals(hands, tables=tables, check=False)
