from __future__ import annotations

import numpy as np
import pytest

RANKS = "23456789TJQKA"


def _hand(text: str) -> int:
    """Return ``AKJ.T9.-.432`` (spades first) as an integer, independently of the package."""
    cards = 0
    for shift, suit in zip((48, 32, 16, 0), text.split("."), strict=True):
        for rank in suit.strip("-"):
            cards |= 1 << (shift + RANKS.index(rank))
    return cards


@pytest.fixture(scope="session")
def hand_of():
    """A function that converts texts of hands to an array of uint64."""
    return lambda *texts: np.array([_hand(text) for text in texts], np.uint64)


@pytest.fixture(scope="session")
def random_hands():
    """20,000 random deals, uint64 [n, 4]."""
    order = np.argsort(np.random.default_rng(20260101).random((20_000, 52)), axis=1)
    shifts = np.array([48, 32, 16, 0], np.uint64)[order // 13] + (order % 13).astype(np.uint64)
    return np.bitwise_or.reduce((np.uint64(1) << shifts).reshape(-1, 4, 13), axis=2)
