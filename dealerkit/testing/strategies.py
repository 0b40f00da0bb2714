"""Strategies for hypothesis: hands and deals for tests of one's own evaluators and scripts.

They need hypothesis, which comes with the extra ``test``.
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
    """The four hands of a deal by its number.

    Cards go from the ace of spades down to the deuce of clubs; at each card the number
    says whose it is, by how many deals each choice leaves. This is the plain counting of
    arrangements of a multiset, not the numbering of any book.

    Parameters
    ----------
    number : int, 0 to DEALS - 1

    Returns
    -------
    tuple of four ints
        Hands as uint64, north east south west.

    Examples
    --------
    >>> Deal(unrank_deal(0)).hand("north")
    'AKQJT98765432...'
    """
    free, left, ways = [13, 13, 13, 13], 52, DEALS
    hands = [0, 0, 0, 0]
    for bit in _BITS:
        for seat in range(4):
            here = ways * free[seat] // left  # deals of what is left that give this card to the seat
            if number < here:
                break
            number -= here
        hands[seat] |= bit
        free[seat] -= 1
        left -= 1
        ways = here
    return hands[0], hands[1], hands[2], hands[3]


def _all_hands() -> st.SearchStrategy[tuple[int, int, int, int]]:
    return st.integers(0, DEALS - 1).map(unrank_deal)


def hands() -> st.SearchStrategy[int]:
    """A hand of 13 cards as uint64; shrinks to thirteen spades."""
    return _all_hands().map(lambda four: four[0])


def single_deals() -> st.SearchStrategy[Deal]:
    """One `Deal`, with or without vulnerability, dealer and board."""
    return st.builds(
        Deal,
        _all_hands(),
        vulnerable=st.none() | st.integers(0, 3),
        dealer=st.none() | st.integers(0, 3),
        board=st.none() | st.integers(1, 9999),
    )


@st.composite
def deals(draw: st.DrawFn, min_size: int = 0, max_size: int = 8, attached: bool = False) -> Deals:
    """`Deals` of some size.

    Parameters
    ----------
    min_size, max_size : int >= 0
        Limits of the number of deals.
    attached : bool
        Attach some columns too, each there or absent.
    """
    rows = draw(st.lists(_all_hands(), min_size=min_size, max_size=max_size))
    n = len(rows)
    beside: dict[str, Any] = {}
    if attached:
        numbers = {
            "tables": (np.int8, -1, 13, (n, 5, 4)),
            "vulnerable": (np.int8, -1, 3, (n,)),
            "dealer": (np.int8, -1, 3, (n,)),
            "board": (np.int32, 1, 9999, (n,)),
            "weight": (np.float64, 0, 100, (n,)),
            "cluster": (np.int64, 0, 99, (n,)),
        }
        for name in draw(st.sets(st.sampled_from(sorted(numbers)))):
            kind, low, high, shape = numbers[name]
            source = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
            beside[name] = source.integers(low, high, shape, endpoint=True).astype(kind)
    return Deals(np.array(rows, dtype=np.uint64).reshape(-1, 4), **beside)
