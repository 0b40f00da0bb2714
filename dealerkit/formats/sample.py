"""The sample of solved deals that is part of the package."""

from __future__ import annotations

import io
from functools import cache
from importlib.resources import files

import numpy as np

from dealerkit.cards.deals import Deals


@cache
def solved_sample() -> Deals:
    """Return more than 100,000 random deals with their double-dummy tables.

    Deals are uniform and not selected. The first 52,480 are random permutations of 52 cards by numpy's
    generators, in three runs (5,120 deals; 15,360 with seed 20261120; 32,000 with seed 20261121). The others
    are the first deals of ``dk.deal(60_000, seed=20261122)`` and then of seed 20261123, uniform stream,
    version 1. Each deal was solved for five strains and four declarers by DDS 2.9 (B. Haglund and S. Hein) in
    endplay 0.5.12, November 2026.

    A later version may have more deals, after these: take a slice for numbers that must not change. The file
    is ``dealerkit/data/solved.npz`` with `hands` uint64 [n, 4], `tables` int8 [n, 5, 4] and `origin` int32
    [n], the seed, or 0 for the first 52,480; ``data/solve_sample.py`` of the source makes it.

    Returns
    -------
    Deals
        With complete `tables`, tricks 0 to 13. The arrays are read-only; all calls return the same object.

    Examples
    --------
    >>> deals = solved_sample()[:50_000]
    >>> len(deals), deals.tables.shape, int(deals.tables.max())
    (50000, (50000, 5, 4), 13)
    """
    with np.load(io.BytesIO(files("dealerkit").joinpath("data/solved.npz").read_bytes())) as stored:
        hands, tables = stored["hands"], stored["tables"]
    for array in (hands, tables):
        array.flags.writeable = False
    return Deals(hands, tables=tables, check=False)


def find_training_deals(deals: Deals) -> np.ndarray:
    """Return which deals are of the sample and trained or calibrated the trick model, bool [n].

    >>> float(find_training_deals(solved_sample()[:50_000]).mean().round(2))
    0.9
    """
    from dealerkit.doubledummy.store.records import encode_deals, hash_deals
    from dealerkit.doubledummy.trick_model.predictions import is_training_deal

    given, sample = (hash_deals(*encode_deals(part.hands)) for part in (deals, solved_sample()))
    return is_training_deal(deals) & np.isin(given, sample)
