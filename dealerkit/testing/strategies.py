"""Strategies for hypothesis: hands and deals for tests of evaluators and scripts.

They need hypothesis, which the extra ``test`` installs.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
from hypothesis import strategies as st

from dealerkit.cards.deal import Deal
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import RANKS, card_bit

_BITS = [card_bit(suit, rank) for suit in range(4) for rank in range(len(RANKS) - 1, -1, -1)]
DEALS = comb(52, 13) * comb(39, 13) * comb(26, 13)  # 53,644,737,765,488,792,839,237,440,000


def unrank_deal(number: int) -> tuple[int, int, int, int]:
    """Return the four hands, uint64, of the deal with a number from 0 to DEALS - 1.

    This is the rank of a permutation of a multiset: deals are ordered by the holder (N E S W) of the ace of
    spades, then of the king, and so on to the deuce of clubs. It is not the numbering of any book.

    >>> Deal(unrank_deal(0)).hand("north")
    'AKQJT98765432...'
    """
    free, n_deals = [13, 13, 13, 13], DEALS
    hands = [0, 0, 0, 0]
    for n_cards, bit in zip(range(52, 0, -1), _BITS, strict=True):
        for seat in range(4):
            n_with_seat = n_deals * free[seat] // n_cards  # deals in which the seat holds this card
            if number < n_with_seat:
                break
            number -= n_with_seat
        hands[seat] |= bit
        free[seat] -= 1
        n_deals = n_with_seat
    return hands[0], hands[1], hands[2], hands[3]


def _all_hands() -> st.SearchStrategy[tuple[int, int, int, int]]:
    return st.integers(0, DEALS - 1).map(unrank_deal)


def hands() -> st.SearchStrategy[int]:
    """Return a strategy for hands of 13 cards, ints of 64 bits; it shrinks to thirteen spades."""
    return _all_hands().map(lambda four: four[0])


def single_deals() -> st.SearchStrategy[Deal]:
    """Return a strategy for a `Deal`, with or without vulnerability, dealer and board."""
    return st.builds(
        Deal,
        _all_hands(),
        vulnerable=st.none() | st.integers(0, 3),
        dealer=st.none() | st.integers(0, 3),
        board=st.none() | st.integers(1, 9999),
    )


@st.composite
def deals(draw: st.DrawFn, min_size: int = 0, max_size: int = 8, attached: bool = False) -> Deals:
    """Return a strategy for `Deals` with `min_size` to `max_size` deals.

    With `attached` they have any of the columns tables, vulnerable, dealer, board, weight and cluster.
    """
    rows = draw(st.lists(_all_hands(), min_size=min_size, max_size=max_size))
    n = len(rows)
    columns: dict[str, Any] = {}
    if attached:
        ranges = {
            "tables": (np.int8, -1, 13, (n, 5, 4)),
            "vulnerable": (np.int8, -1, 3, (n,)),
            "dealer": (np.int8, -1, 3, (n,)),
            "board": (np.int32, 1, 9999, (n,)),
            "weight": (np.float64, 0, 100, (n,)),
            "cluster": (np.int64, 0, 99, (n,)),
        }
        for name in draw(st.sets(st.sampled_from(sorted(ranges)))):
            dtype, low, high, shape = ranges[name]
            generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
            columns[name] = generator.integers(low, high, shape, endpoint=True).astype(dtype)
    return Deals(np.array(rows, dtype=np.uint64).reshape(-1, 4), **columns)
