"""A world in which tricks are a known function of the cards, so that exact means can be counted.

Declarer takes a third of the points of his side, and of three more if he has the deuce of clubs, at most 13, in every strain: the
trick model, which knows nothing of this, predicts some of it. Solved deals have tables of the same function.
"""

from __future__ import annotations

from contextlib import contextmanager
from unittest import mock

import numpy as np

import dealerkit as dk
from dealerkit import Deals
from dealerkit.doubledummy import lookup
from dealerkit.doubledummy.ledger import current_ledger

SUM = "hcp(north) + hcp(south) + 3 * hascard(south, 2C)"
DEUCE_OF_CLUBS = np.uint64(1)
HONOURS = [(np.uint64(0x1000_1000_1000_1000 >> k), 4 - k) for k in range(4)]


def find_tricks(hands: np.ndarray) -> np.ndarray:
    """Return the tricks of the four declarers, int8 [n, 4]."""
    points = sum(value * np.bitwise_count(hands & cards).astype(int) for cards, value in HONOURS)
    sides = points + np.roll(points, 2, axis=1)
    return np.minimum((sides + 3 * ((hands & DEUCE_OF_CLUBS) > 0)) // 3, 13).astype(np.int8)


def solve(deals: Deals) -> Deals:
    """Return the deals with tables."""
    tables = np.repeat(find_tricks(deals.hands)[:, None, :], 5, axis=1)
    return Deals(deals.hands, tables=tables, check=False)


def count_tricks(given: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of tricks of south under a condition, and the exact share of each."""
    frame = dk.distribution(SUM, given)
    assert frame.attrs["exact"]
    return np.minimum(frame.index.to_numpy() // 3, 13), frame["share"].to_numpy()


def look_up(deals: Deals, queries, **options) -> list[np.ndarray]:
    """Answer queries in this world; what tables do not have counts as solved."""
    tricks = find_tricks(deals.hands) if deals.tables is None else deals.tables[:, 4]
    if deals.tables is None and (ledger := current_ledger()) is not None:
        ledger.requested += len(deals) * len(queries)
        ledger.solved += len(deals) * len(queries)
    answers = []
    for _, declarer, *threshold in queries:
        found = tricks[:, declarer]
        needed = threshold[0] if threshold else None
        answers.append(found if needed is None else found >= needed)
    return answers


@contextmanager
def artificial_tricks():
    """Let tricks be those of this world."""
    with mock.patch.object(lookup, "look_up", look_up):
        yield
