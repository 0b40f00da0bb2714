"""The network of the trick model: from four hands, strain and declarer to a number for each number of tricks.

Each suit is encoded by itself, with the same weights: its 52 card bits, lengths and points, seen from the
declarer. Then each side suit is combined, twice, with the trump suit and with the mean of all side suits,
and the sum over the side suits goes into the last layers. So the order of side suits cannot matter. The trump
suit has weights of its own, and notrump is a trump suit that is always the same. Such layers are those of
M. Zaheer and others, Deep Sets, 2017, with the trump suit set apart.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from dealerkit.runtime.compiled import kernel

# Of a suit, by seats from declarer: 13 cards of each, from the deuce up; lengths / 4; points / 4.
FEATURES = 60
BLOCK = 96  # deals computed together: their intermediate values stay in the processor's cache
ROWS = 8  # of a matrix product: so small that BLAS does not divide it among threads, which only slows it
NOTRUMP = 4
POINTS = np.array([0] * 9 + [1, 2, 3, 4])
_FROM_TRUMP = ("Ct", "C2t", "H1t")  # matrices that multiply the trump suit, as one product
Weights = dict[str, np.ndarray]


@cache
def load_weights(dtype: Any = np.float32) -> Weights:
    """Return the weights of the package in the floating type of the computation; do not change them."""
    data = files("dealerkit").joinpath("data/trick_model.npz").read_bytes()
    with np.load(io.BytesIO(data)) as stored:
        return prepare_weights({name: stored[name] for name in stored.files}, dtype)


def prepare_weights(stored: Mapping[str, np.ndarray], dtype: Any = np.float32) -> Weights:
    """Return weights of a file with what is computed from them once.

    `layouts` are sums of the first layer (`_add_layouts`). `trump_matrix` and `trump_bias` are the matrices
    that multiply the trump suit, side by side, with their biases; `notrump` is their value for the trump suit
    that stands for notrump.
    """
    weights = {name: array.astype(dtype) for name, array in stored.items()}
    weights["layouts"] = _add_layouts(weights["We"], weights["be"])
    width = len(weights["nt"])
    weights["H1t"], weights["H1p"] = weights["H1"][:width], np.ascontiguousarray(weights["H1"][width:])
    weights["trump_matrix"] = np.concatenate([weights[name] for name in _FROM_TRUMP], axis=1)
    weights["trump_bias"] = np.concatenate([weights[name] for name in ("bc", "b2", "h1")])
    weights["notrump"] = weights["nt"] @ weights["trump_matrix"] + weights["trump_bias"]
    return weights


def _add_layouts(matrix: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Return the contributions of three adjacent cards to the first layer, by their owners: [5, 64, width].

    They add their part of their suit's lengths and points too; the bias is in the first three.
    """
    cards, lengths, points = (part.reshape(4, -1, len(bias)) for part in np.split(matrix, [52, 56]))
    cards = cards + lengths / 4 + points * POINTS.astype(bias.dtype)[:, None] / 4
    codes = np.arange(64)
    layouts = np.zeros((5, 64, len(bias)), bias.dtype)
    layouts[0] = bias
    for rank in range(13):
        owners = (codes >> rank % 3 & 1) + 2 * (codes >> (rank % 3 + 3) & 1)
        layouts[rank // 3] += cards[owners, rank]
    return layouts


def compute_logits(hands: np.ndarray, strain: Any, declarer: Any, weights: Weights) -> np.ndarray:
    """Return the logarithms, up to a constant, of the calibrated chances of 0 to 13 tricks.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Complete deals; they are not checked.
    strain, declarer : int or ndarray of int [n]
    weights : dict
        Their type is that of the computation. float32 is twice as fast as float64, but its last digits depend
        on the processor and on how many deals are computed together.

    Returns
    -------
    ndarray [n, 14]
    """
    n, dtype = len(hands), weights["o"].dtype
    strain, declarer = (np.broadcast_to(np.asarray(a, np.int64), n) for a in (strain, declarer))
    logits = np.empty((n, 14), dtype)
    for kind, rows in enumerate((np.flatnonzero(strain != NOTRUMP), np.flatnonzero(strain == NOTRUMP))):
        buffers: Weights = {}
        for start in range(0, len(rows), BLOCK):
            part = rows[start : start + BLOCK]
            if start == 0 or len(part) < BLOCK:
                buffers = _make_buffers(weights, -(-len(part) // ROWS) * ROWS)
            where = hands[part], strain[part], declarer[part]
            _encode_suits(*where, weights["layouts"], buffers["encoded"])
            values = _compute_block(weights, buffers, kind == 1)
            logits[part] = values[: len(part)] * weights["scale"][kind] + weights["shift"][kind]
    return logits


def _make_buffers(weights: Weights, n: int) -> Weights:
    """Return arrays for intermediate values of n deals; using memory again is faster than new memory."""
    width, context, dtype = len(weights["bs"]), len(weights["bc"]), weights["o"].dtype
    shapes = {
        "encoded": (4, n, len(weights["be"])),
        "trump": (n, width), "from_trump": (n, len(weights["notrump"])),
        "sides": (4, n, width), "mean": (n, width), "context": (n, context), "met": (4, n, context),
        "pooled": (n, context), "again": (4, n, context), "pooled_again": (n, context),
        "hidden": (n, len(weights["h1"])), "last": (n, len(weights["h2"])), "logits": (n, len(weights["o"])),
    }  # fmt: skip
    return {name: np.zeros(shape, dtype) for name, shape in shapes.items()}


def _multiply(left: np.ndarray, matrix: np.ndarray, out: np.ndarray) -> np.ndarray:
    """Write the product of rows [..., k] and a matrix [k, m], some rows at a time, and return it."""
    np.matmul(left.reshape(-1, ROWS, len(matrix)), matrix, out=out.reshape(-1, ROWS, matrix.shape[1]))
    return out


def _compute_block(w: Weights, buffers: Weights, is_notrump: bool) -> np.ndarray:
    """Return the logits [n, 14] of some deals, all in notrump or none, from their encoded suits."""
    b, first_side = buffers, 0 if is_notrump else 1
    encoded, sides, met, again = (b[name][first_side:] for name in ("encoded", "sides", "met", "again"))
    from_trump = b["from_trump"]
    # What the trump suit gives all others: a layer of its own, or constants in notrump.
    if is_notrump:
        from_trump[:] = w["notrump"]
    else:
        trump = _multiply(b["encoded"][0], w["Wt"], b["trump"])
        _add_relu(trump[None], w["bt"][None], trump)
        _multiply(trump, w["trump_matrix"], from_trump)
        from_trump += w["trump_bias"]
    # First layer: each side suit, and the mean of all.
    second, head = len(w["bc"]), len(w["bc"]) + len(w["b2"])
    _multiply(encoded, w["Ws"], sides)
    _add_relu(sides, w["bs"][None], b["mean"])
    # Second layer, twice: each side suit with the trump suit and with what all side suits have; their sum.
    _multiply(b["mean"], w["Cs"], b["context"])
    b["context"] += from_trump[:, :second]
    _multiply(sides, w["Sj"], met)  # each side suit, with what all suits have
    _add_relu(met, b["context"], b["pooled"])
    _multiply(b["pooled"], w["C2p"], b["context"])
    b["context"] += from_trump[:, second:head]
    _multiply(met, w["S2"], again)
    _add_relu(again, b["context"], b["pooled_again"])
    b["pooled"] += b["pooled_again"]
    # Head: two hidden layers, and a logit for each number of tricks.
    hidden = _multiply(b["pooled"], w["H1p"], b["hidden"])
    hidden += from_trump[:, head:]
    np.maximum(hidden, 0, out=hidden)
    last = _multiply(hidden, w["H2"], b["last"])
    last += w["h2"]
    np.maximum(last, 0, out=last)
    return _multiply(last, w["O"], b["logits"]) + w["o"]


@kernel
def _add_relu(values, bias, mean):
    """Add a bias to values [k, n, c], replace negative ones by 0, and write their sum over k, divided by 3.

    The bias is that of each row [n, c] or of all [1, c]. With one set of values the mean is the values.
    """
    third = values.dtype.type(1) / 3 if len(values) > 1 else values.dtype.type(1)
    for row in range(values.shape[1]):
        added, total = bias[min(row, len(bias) - 1)], mean[row]
        for k in range(len(values)):
            part = values[k, row]
            for c in range(len(part)):
                value = part[c] + added[c]
                value = value if value > 0 else values.dtype.type(0)
                part[c] = value
                total[c] = value if k == 0 else total[c] + value
        for c in range(len(total)):
            total[c] *= third


@kernel
def _encode_suits(hands, strain, declarer, layouts, encoded):
    """Write the first layer [4, n, width] of the four suits, trumps first.

    Three cards have 64 layouts: bits 0 to 2 are set for cards of the second and fourth hand from declarer,
    bits 3 to 5 for those of the third and fourth.
    """
    for row in range(len(hands)):
        left, dummy, right = (declarer[row] + 1) % 4, (declarer[row] + 2) % 4, (declarer[row] + 3) % 4
        low, high = hands[row, left] | hands[row, right], hands[row, dummy] | hands[row, right]
        for place in range(4):
            suit = place
            if strain[row] < 4:
                suit = strain[row] if place == 0 else place - 1 if place <= strain[row] else place
            out = encoded[place, row]
            for group in range(5):
                shift = np.uint64(16 * (3 - suit) + 3 * group)
                three = np.uint64(7) if group < 4 else np.uint64(1)
                code = (low >> shift) & three | ((high >> shift) & three) << np.uint64(3)
                added = layouts[group, code]
                for c in range(len(out)):
                    out[c] = added[c] if group == 0 else out[c] + added[c]
            for c in range(len(out)):
                out[c] = max(out[c], 0)
