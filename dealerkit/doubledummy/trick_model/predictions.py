"""Expected tricks and chances to make a contract, from the network and its calibration.

`find_part` says which solved deals train the model, calibrate its chances, or are held out to test it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.cards.text import find_fault
from dealerkit.doubledummy.arguments import to_hands, to_numbers, to_seat_numbers, to_strain_numbers
from dealerkit.doubledummy.store.records import encode_deals, hash_deals
from dealerkit.doubledummy.trick_model.network import Weights, compute_logits, load_weights
from dealerkit.errors import DealError
from dealerkit.runtime.progress import long_work

HELD_OUT, CALIBRATION, TRAINING = 0, 1, 2
SAMPLE_SEEDS = (20261122, 20261123, 20261124)  # of the uniform stream: its first deals are in the sample


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


def _add_chances(logits: np.ndarray) -> None:
    """Replace logits [n, 14] by the chances of k tricks or more, in place."""
    logits -= logits.max(axis=1, keepdims=True)
    np.exp(logits, out=logits)
    from_most = logits[:, ::-1]
    np.cumsum(from_most, axis=1, out=from_most)
    logits[:, 1:] /= logits[:, :1]
    logits[:, 0] = 1


@long_work
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


def find_part(deals: Any) -> np.ndarray:
    """Return the part of the sample that each deal belongs to, decided by its cards alone.

    With h the hash of the owners of the 52 cards (`dealerkit.doubledummy.store.records.hash_deals`), a deal
    is held out if h is divisible by 10, and used for calibration if h leaves 1 when divided by 20. All others
    train.

    Returns
    -------
    ndarray of int8 [n]
        `HELD_OUT`, `CALIBRATION` or `TRAINING`.
    """
    hashes = hash_deals(*encode_deals(to_hands(deals)))
    part = np.full(len(hashes), TRAINING, np.int8)
    part[hashes % np.uint64(20) == 1] = CALIBRATION
    part[hashes % np.uint64(10) == 0] = HELD_OUT
    return part


def is_training_deal(deals: Any) -> np.ndarray:
    """Return whether each deal, if it is in the sample, was used to train or to calibrate the model.

    The errors of the model are smaller than elsewhere on the deals that trained it. Deals of
    `dealerkit.solved_sample` for which this is true therefore never correct the predictions of an estimate;
    their tricks are used as they are. Deals dealt anew are not in the sample, whatever the value.

    Parameters
    ----------
    deals : Deals, Deal, str or sequence of str (PBN), or ndarray of uint64 [n, 4]

    Returns
    -------
    ndarray of bool [n]
        False for the tenth of all deals that is held out.

    Examples
    --------
    >>> from dealerkit.formats.sample import solved_sample
    >>> float(is_training_deal(solved_sample()[:50_000]).mean().round(2))
    0.9
    """
    return find_part(deals) != HELD_OUT
