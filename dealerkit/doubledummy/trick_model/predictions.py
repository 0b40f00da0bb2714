"""Expected tricks and chances to make a contract, from the network and its calibration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.cards.text import find_fault
from dealerkit.doubledummy.arguments import to_hands, to_numbers, to_seat_numbers, to_strain_numbers
from dealerkit.doubledummy.trick_model.network import Weights, compute_logits, load_weights
from dealerkit.errors import DealError
from dealerkit.system.compiled import kernel


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


def predict(deals: Any, strain: Any, declarer: Any, weights: Weights | None = None) -> Prediction:
    """Return the model's estimates for deals, without solving.

    Parameters
    ----------
    deals : Deals, Deal, str or sequence of str (PBN), or ndarray of uint64 [n, 4]
    strain : int or str, or a sequence of n
        S H D C N = 0..4, or names and letters.
    declarer : int or str, or a sequence of n
        N E S W = 0..3, or names and letters.
    weights : dict, optional
        Of `load_weights` or `prepare_weights`; by default those of the package in float32.

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
    at_least = compute_logits(hands, strain, declarer, load_weights() if weights is None else weights)
    _add_chances(at_least)
    return Prediction(at_least[:, 1:].sum(axis=1), at_least)


@kernel
def _add_chances(logits):
    """Replace logits [n, 14] by the chances of k tricks or more, in place."""
    for row in range(len(logits)):
        values = logits[row]
        most, total = values.max(), values.dtype.type(0)
        for k in range(13, -1, -1):
            total += np.exp(values[k] - most)
            values[k] = total
        for k in range(1, 14):
            values[k] /= total
        values[0] = 1
