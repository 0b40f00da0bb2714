"""Which solved deals train the trick model, calibrate its chances, or are held out to test it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dealerkit.doubledummy.arguments import to_hands
from dealerkit.doubledummy.store.records import encode_deals, hash_deals

HELD_OUT, CALIBRATION, TRAINING = 0, 1, 2
SAMPLE_SEEDS = (20261122, 20261123)  # of the uniform stream: its first deals are in the sample


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
    `dealerkit.solved_sample` for which this is true therefore never count as solved deals of an estimate that
    uses the model. Deals dealt anew are not in the sample, whatever the value.

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
