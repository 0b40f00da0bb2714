"""Expected tricks without solving: the public function of the trick model."""

from __future__ import annotations

from typing import Any

import numpy as np

from dealerkit.doubledummy.arguments import to_hands
from dealerkit.doubledummy.trick_model.predictions import predict


def expected_tricks(deals: Any, strain: Any = "all", declarer: Any = "all") -> np.ndarray:
    """Return an estimate of double-dummy tricks, without solving: a prediction, never a result.

    Parameters
    ----------
    deals : Deals, Deal, str or sequence of str (PBN), ndarray of uint64 [n, 4], or a column of deals
        A column is a DealArray, a Series, or a DataFrame that has one.
    strain : int or str, or a sequence of n
        S H D C N = 0..4, or names and letters; "all" for all five.
    declarer : int or str, or a sequence of n
        N E S W = 0..3, or names and letters; "all" for all four.

    Returns
    -------
    ndarray of float32 [n], [n, 5], [n, 4] or [n, 5, 4]
        Tricks, 0 to 13, by deal, then strain, then declarer if these are "all".

    Raises
    ------
    DealError
        With the index of the first deal that does not have 52 cards, 13 in each hand.
    ArgumentError
        Unknown strains or declarers, or an object without deals.

    Examples
    --------
    >>> from dealerkit import solved_sample
    >>> deals = solved_sample()[:1000]
    >>> errors = expected_tricks(deals, "spades", "north") - deals.tables[:, 0, 0]
    >>> bool(abs(errors.mean()) < 0.05 and errors.std() < 0.5)
    True
    """
    hands = to_hands(deals)
    all_strains, all_declarers = (isinstance(a, str) and a.lower() == "all" for a in (strain, declarer))
    strains = range(5) if all_strains else [strain]
    declarers = range(4) if all_declarers else [declarer]
    table = np.empty((len(hands), len(strains), len(declarers)), np.float32)
    for i, trumps in enumerate(strains):
        for j, seat in enumerate(declarers):
            table[:, i, j] = predict(hands, trumps, seat).expected
    kept = (slice(None), slice(None) if all_strains else 0, slice(None) if all_declarers else 0)
    return table[kept]
