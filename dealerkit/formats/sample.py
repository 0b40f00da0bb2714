"""The shipped sample of solved deals."""

from __future__ import annotations

import io
from functools import cache
from importlib.resources import files

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import FULL_DECK


@cache
def solved_sample() -> Deals:
    """Return 200,000 random deals with their double-dummy tables.

    Deals are uniformly random, without selection. The first 52,480 are random permutations from numpy's
    generators, in three runs (5,120 deals; 15,360 with seed 20261120; 32,000 with seed 20261121). The others
    are the first deals of ``dk.deal(60_000, seed=20261122)``, then of seeds 20261123 and 20261124, uniform
    stream, version 1. Each deal was solved for five strains and four declarers by DDS 2.9 (B. Haglund and
    S. Hein) in endplay 0.5.12, November 2026.

    A later version may add deals after these; take a slice for numbers that must not change. The file
    ``dealerkit/data/solved.npz`` has `hands` uint64 [n, 3] of north, east and south, `tables` int8
    [n, 5, 4] and `origin` int32 [n], the seed, or 0 for the first 52,480; ``data/solve_sample.py`` in the
    source makes it.

    Returns
    -------
    Deals
        Deals with complete `tables`, tricks 0 to 13. The arrays are read-only; all calls return the same
        object.

    Examples
    --------
    >>> deals = solved_sample()[:50_000]
    >>> len(deals), deals.tables.shape, int(deals.tables.max())
    (50000, (50000, 5, 4), 13)
    """
    with np.load(io.BytesIO(files("dealerkit").joinpath("data/solved.npz").read_bytes())) as stored:
        hands, tables = add_west(stored["hands"]), stored["tables"]
    for array in (hands, tables):
        array.flags.writeable = False
    return Deals(hands, tables=tables, check=False)


def add_west(hands: np.ndarray) -> np.ndarray:
    """Return the four hands, uint64 [n, 4], from those of north, east and south, uint64 [n, 3].

    >>> deals = solved_sample()[:3]
    >>> bool((add_west(deals.hands[:, :3]) == deals.hands).all())
    True
    """
    west = np.uint64(FULL_DECK) & ~np.bitwise_or.reduce(hands, axis=1)
    return np.concatenate((hands, west[:, None]), axis=1)


def find_training_deals(deals: Deals) -> np.ndarray:
    """Return which deals belong to the sample and trained or calibrated the trick model, bool [n].

    >>> float(find_training_deals(solved_sample()[:50_000]).mean().round(2))
    0.9
    """
    from dealerkit.doubledummy.store.records import encode_deals, hash_deals
    from dealerkit.doubledummy.trick_model.predictions import is_training_deal

    given, sample = (hash_deals(*encode_deals(part.hands)) for part in (deals, solved_sample()))
    return is_training_deal(deals) & np.isin(given, sample)
