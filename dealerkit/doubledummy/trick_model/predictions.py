"""Expected tricks and chances to make a contract, from the network and its calibration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.cards.text import find_fault
from dealerkit.doubledummy.arguments import to_hands, to_numbers, to_seat_numbers, to_strain_numbers
from dealerkit.doubledummy.trick_model.network import compute_logits
from dealerkit.errors import DealError


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the model expects of n deals, each with a strain and a declarer.

    Parameters
    ----------
    expected : ndarray [n]
        Expected double-dummy tricks of declarer, 0 to 13: the sum of `at_least` from 1 on.
    at_least : ndarray [n, 14]
        The chance of k tricks or more, 0 to 1, decreasing with k; 1 for k = 0.
    """

    expected: np.ndarray
    at_least: np.ndarray


def predict(deals: Any, strain: Any, declarer: Any, dtype: Any = np.float32) -> Prediction:
    """Return the model's estimates for deals, without solving.

    Parameters
    ----------
    deals : Deals, Deal, str or sequence of str (PBN), or ndarray of uint64 [n, 4]
    strain : int or str, or a sequence of n
        S H D C N = 0..4, or names and letters.
    declarer : int or str, or a sequence of n
        N E S W = 0..3, or names and letters.
    dtype : floating type
        Of the computation and of its result.

    Returns
    -------
    Prediction

    Raises
    ------
    DealError
        With the index of the first deal that does not have 52 cards, 13 in each hand.
    ArgumentError
        Unknown strains or declarers.
    """
    hands = to_hands(deals)
    if (fault := find_fault(hands)) is not None:
        raise DealError(f"deal {fault[0]}: {fault[1]}; the trick model needs all 52 cards")
    strain = to_numbers("strain", to_strain_numbers(strain), len(hands), 4)
    declarer = to_numbers("declarer", to_seat_numbers(declarer), len(hands), 3)
    chances = compute_logits(hands, strain, declarer, dtype)
    chances -= chances.max(axis=1, keepdims=True)
    np.exp(chances, out=chances)
    chances /= chances.sum(axis=1, keepdims=True)
    at_least = np.minimum(np.cumsum(chances[:, ::-1], axis=1)[:, ::-1], 1)
    at_least[:, 0] = 1
    return Prediction(at_least[:, 1:].sum(axis=1), at_least)
