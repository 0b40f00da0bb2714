"""D5: an evaluator like Binky points, fitted on one half of the sample and tested on the other.

T. Andrews' evaluator adds a value for the pattern of a hand and one for each of its four holdings: length and
honours, here down to the nine. Its tables are not part of dealerkit, so values of the same form are fitted by
least squares.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import lsqr

import dealerkit as dk
from published.samples import sample, tricks

LONGEST, HONOURS = 9, 64  # longer suits have the value of a suit of nine cards; A K Q J T 9
DAMPING = 3.0  # draws the values of rare holdings and patterns towards 0


def build_features(deals: dk.Deals) -> csr_matrix:
    """Return how often each holding and each pattern occurs in both hands of a side: [2 n, features]."""
    lanes = deals.hands[..., None] >> np.array([48, 32, 16, 0], np.uint64) & np.uint64(0x1FFF)
    lengths = np.bitwise_count(lanes).astype(int)
    holdings = np.minimum(lengths, LONGEST) * HONOURS + (lanes >> np.uint64(7)).astype(int)
    ranked = -np.sort(-lengths, axis=2)
    patterns = (LONGEST + 1) * HONOURS + (ranked[..., 0] * 14 + ranked[..., 1]) * 14 + ranked[..., 2]
    columns = np.concatenate([holdings, patterns[..., None]], axis=2)  # [n, 4 seats, 5]
    columns = np.concatenate([columns[:, :2], columns[:, 2:]], axis=2).reshape(2 * len(deals), 10)
    rows = np.repeat(np.arange(len(columns)), 10)
    shape = (len(columns), (LONGEST + 1) * HONOURS + 14**3)
    return csr_matrix((np.ones(columns.size), (rows, columns.ravel())), shape)


@cache
def fit(strain: str) -> np.ndarray:
    """Return the values of holdings and patterns in tricks, from the deals with even numbers."""
    even = np.arange(2 * len(sample())) // 2 % 2 == 0
    return lsqr(build_features(sample())[even], tricks(strain).ravel()[even], damp=DAMPING)[0]


def find_errors(strain: str) -> np.ndarray:
    """Return tricks minus their prediction for both sides of the deals with odd numbers, [n, 2]."""
    errors = tricks(strain).ravel() - build_features(sample()) @ fit(strain)
    return errors.reshape(-1, 2)[1::2]
