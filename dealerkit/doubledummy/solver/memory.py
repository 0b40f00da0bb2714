"""The memory of a search: tables of a deal, patterns, hints and the stack, all in arrays.

Cards are bits of an int64 in the layout of a hand (`dealerkit.cards.names`). A lane is the number of a suit
from the lowest bits: clubs, diamonds, hearts, spades = 0..3. Bit 63 belongs to no card, so signed arithmetic
is safe.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dealerkit.runtime.compiled import count_bits, kernel, lowest_bit

HOLDINGS = 8192
DECK = 0x1FFF1FFF1FFF1FFF
NO_TRUMPS = 4  # the trump lane at notrump

# Rows of the stack, one for each card that is played, and what is in them.
ROWS, WIDTH = 56, 16
REST, SEAT, PLACE, NEED, LEFT, START, LED, BEST, BEST_SEAT, MOVES, CARD, PROOF, HINT, WON = range(14)
# What `Memory.state` has.
DEPTH, PHASE, VALUE, RESULT_PROOF, NODES, USED, N_KEYS, TRUMP, IS_FULL, ENTRIES = range(10)

ENTRY = 5  # numbers of a pattern
HINTS = 65536


class Memory(NamedTuple):
    """The arrays of one search.

    Attributes
    ----------
    hands : ndarray of int64 [4]
    owners : ndarray of int32 [4 * 8192]
        For each lane and each set of its cards their owners, 2 bits a card, the highest card in bits 24, 25.
    lengths : ndarray of int32 [4 * 8192]
        For each lane and set of its cards the number of cards of each seat, 4 bits a seat.
    tops : ndarray of int16 [8192 * 16]
        The k highest cards of each set: the same for all deals.
    keys : ndarray of int64 [power of 2]
        Hash table of lengths, number of tricks and leader; 0 for none.
    lists : ndarray of int64
        For each key the place of its list of patterns, the logarithm of its size, and the number of patterns.
    patterns : ndarray of int64
        Lists of patterns: owners and masks of two suits, those of the others, bounds and numbers of cards.
    hints : ndarray of int8 [65536]
        Numbers of cards that ended the search of similar positions.
    leads : ndarray of int64 [16]
        For each seat and lane how often lately, of 256 times, a lead of this suit was enough.
    stack : ndarray of int64 [56 * 16]
    state : ndarray of int64 [16]
    """

    hands: np.ndarray
    owners: np.ndarray
    lengths: np.ndarray
    tops: np.ndarray
    keys: np.ndarray
    lists: np.ndarray
    patterns: np.ndarray
    hints: np.ndarray
    leads: np.ndarray
    stack: np.ndarray
    state: np.ndarray


def list_tops() -> np.ndarray:
    """Return the k highest cards of each of the 8,192 sets of a suit, int16 [8192 * 16]."""
    holdings = np.arange(HOLDINGS)
    tops = np.zeros((HOLDINGS, 16), np.int16)
    rest = holdings.copy()
    for k in range(1, 16):
        highest = np.where(rest > 0, 1 << np.maximum(np.frexp(rest)[1] - 1, 0), 0)
        tops[:, k] = tops[:, k - 1] | highest
        rest ^= highest
    return tops.reshape(-1)


@kernel
def prepare_deal(hands, owners, lengths):
    """Fill the tables of a deal, each set from the one without its lowest card."""
    for lane in range(4):
        first = lane * 8192
        owners[first] = 0
        lengths[first] = 0
        for cards in range(1, 8192):
            rank = lowest_bit(cards)
            seat = 0
            for k in range(1, 4):
                if hands[k] >> (16 * lane + rank) & 1:
                    seat = k
            rest = first + (cards & (cards - 1))
            owners[first + cards] = owners[rest] | seat << (26 - 2 * count_bits(cards))
            lengths[first + cards] = lengths[rest] + (1 << 4 * seat)
