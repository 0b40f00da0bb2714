"""The network of the trick model: from four hands, strain and declarer to a number for each number of tricks.

Each suit is encoded by itself, with the same weights: its 52 card bits, lengths and points, seen from the
declarer. The side suits then meet as a sum, so that their order cannot matter; the trump suit has weights
of its own, and notrump is a trump suit that is always the same.
"""

from __future__ import annotations

import io
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from dealerkit.compiled import kernel

FEATURES = 60  # of a suit: 4 x 13 cards, 4 lengths, 4 points
BLOCK = 512  # deals computed together: their intermediate values stay in the processor's cache
NOTRUMP = 4


@cache
def load_weights(dtype: Any = np.float32) -> dict[str, np.ndarray]:
    """Return the arrays of the model's file in the floating type of the computation; do not change them."""
    with np.load(io.BytesIO(files("dealerkit").joinpath("data/trick_model.npz").read_bytes())) as stored:
        return {name: stored[name].astype(dtype) for name in stored.files}


def compute_logits(hands: np.ndarray, strain: Any, declarer: Any, dtype: Any = np.float32) -> np.ndarray:
    """Return the logarithms, up to a constant, of the chances of 0 to 13 tricks.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Complete deals; they are not checked.
    strain, declarer : int or ndarray of int [n]
    dtype : floating type
        float32 is twice as fast; its last digits depend on the processor and on how many deals are computed
        together.

    Returns
    -------
    ndarray [n, 14]
    """
    weights = load_weights(dtype)
    n = len(hands)
    strain, declarer = (np.broadcast_to(np.asarray(a, np.int64), n) for a in (strain, declarer))
    logits = np.empty((n, 14), dtype)
    for rows in (np.flatnonzero(strain != NOTRUMP), np.flatnonzero(strain == NOTRUMP)):
        for start in range(0, len(rows), BLOCK):
            part = rows[start : start + BLOCK]
            features = np.empty((4, len(part), FEATURES), dtype)
            _encode_suits(hands[part], strain[part], declarer[part], features)
            logits[part] = _compute_block(weights, features, bool(strain[part[0]] == NOTRUMP))
    return logits


def _compute_block(weights: dict[str, np.ndarray], features: np.ndarray, is_notrump: bool) -> np.ndarray:
    """Return the logits [n, 14] of some deals, all in notrump or none."""
    w, n = weights, features.shape[1]
    encoded = _relu(features.reshape(4 * n, FEATURES) @ w["We"], w["be"])
    if is_notrump:
        trump, sides = np.broadcast_to(w["nt"], (n, len(w["nt"]))), encoded
    else:
        trump, sides = _relu(encoded[:n] @ w["Wt"], w["bt"]), encoded[n:]
    sides = _relu(sides @ w["Ws"], w["bs"])
    mean = sides.reshape(-1, n, sides.shape[1]).sum(axis=0) * (weights["bs"].dtype.type(1) / 3)
    context = trump @ w["Ct"] + mean @ w["Cs"]
    context += w["bc"]
    met = (sides @ w["Sj"]).reshape(-1, n, len(w["bc"]))
    met += context
    np.maximum(met, 0, out=met)
    pooled = met.sum(axis=0) * (weights["bs"].dtype.type(1) / 3)
    hidden = _relu(np.concatenate([trump, mean, pooled], axis=1) @ w["H1"], w["h1"])
    hidden = _relu(hidden @ w["H2"], w["h2"])
    logits = hidden @ w["O"]
    logits += w["o"]
    return logits


def _relu(values: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Add the bias to the values, in place, and replace negative ones by 0."""
    values += bias
    return np.maximum(values, 0, out=values)


@kernel
def _encode_suits(hands, strain, declarer, features):
    """Write the features [4, n, 60] of the four suits, trumps first, seats in turn from declarer."""
    for row in range(len(hands)):
        for place in range(4):
            suit = place
            if strain[row] < 4:
                suit = strain[row] if place == 0 else place - 1 if place <= strain[row] else place
            out = features[place, row]
            for turn in range(4):
                holding = hands[row, (declarer[row] + turn) % 4] >> np.uint64(16 * (3 - suit))
                length = points = 0
                for rank in range(13):
                    bit = (holding >> np.uint64(rank)) & np.uint64(1)
                    out[13 * turn + rank] = bit
                    length += bit
                    if rank > 8:
                        points += bit * np.uint64(rank - 8)
                out[52 + turn] = length / 4
                out[56 + turn] = points / 5
