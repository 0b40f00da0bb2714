"""The sample of solved deals that is shipped with the package."""

from __future__ import annotations

import io
from functools import cache
from importlib.resources import files

import numpy as np

from dealerkit.cards.deals import Deals


@cache
def solved_sample() -> Deals:
    """52,480 random deals with their double-dummy tables.

    Each deal was solved for five strains and four declarers. Deals are uniform: random orders of
    52 cards by numpy's generators, in three runs (5,120 deals; 15,360 with seed 20261120; 32,000 with
    seed 20261121), in this order, none left out. Tricks are of DDS 2.9 (B. Haglund and S. Hein) as
    endplay 0.5.12 carries it, November 2026. The file is ``dealerkit/data/solved.npz``: `hands`
    uint64 [n, 4], `tables` int8 [n, 5, 4], and `origin`, the run of each deal.

    Returns
    -------
    Deals
        With `tables`, none unknown. The arrays cannot be written to; every call gives the same object.

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
