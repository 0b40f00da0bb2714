"""From the rank of a deal in dictionary order to the four hands.

A deal is a word of 52 letters, the owners of the cards from the ace of spades to the deuce of clubs, and the
letters are ordered W N E S. The rank of a deal is its position among all 52! / 13!^4 words, a number of 96
bits in two parts: the upper 32 bits and the lower 64.

How many cards each seat still needs is a *state*, numbered 2744 W + 196 N + 14 E + S. For each state a table
has the number of words in which the next card belongs to a seat before N, before E, before S: the owner's
letter is the number of these thresholds that do not exceed the rank, and the last of them is subtracted
from it.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.system.compiled import kernel

CHUNK = 256  # deals processed together: their next table entries are fetched at the same time
N_LONG = 17  # cards after which all numbers are below 2^63
_N_STATES = 14**4
_STEPS = np.array([2744, 196, 14, 1])  # W N E S
_START = 13 * 2744 + 13 * 196 + 13 * 14 + 13
# The bit of each card in the order of the words.
_CARDS = np.array([1 << (shift + rank) for shift in LANE_SHIFTS for rank in range(12, -1, -1)], np.uint64)


@kernel
def _fill_thresholds(low, high, total_low, total_high, steps):
    """Fill the tables of thresholds: the numbers of words, added up over the owners of the next card."""
    for state in range(1, low.shape[0]):
        sum_low, sum_high = np.uint64(0), np.uint64(0)
        for letter in range(4):
            low[state, letter], high[state, letter] = sum_low, sum_high
            if state // steps[letter] % 14:
                rest = state - steps[letter]
                sum_low += total_low[rest]
                sum_high += total_high[rest] + np.uint64(sum_low < total_low[rest])
        total_low[state], total_high[state] = sum_low, sum_high


@cache
def build_thresholds() -> tuple[np.ndarray, np.ndarray]:
    """Return the thresholds of all states by letter: the lower 64 and the upper 32 bits, [38416, 4].

    >>> low, high = build_thresholds()
    >>> hex(int(high[-1, 1]) << 64 | int(low[-1, 1]))  # words that begin with W: a quarter of them
    '0x2b5578c558d3769962fd2480'
    """
    low, high = np.zeros((_N_STATES, 4), np.uint64), np.zeros((_N_STATES, 4), np.uint32)
    total_low, total_high = np.zeros((2, _N_STATES), np.uint64)  # words that complete a state
    total_low[0] = 1
    _fill_thresholds(low, high, total_low, total_high, _STEPS)
    low.flags.writeable = high.flags.writeable = False
    return low, high


@kernel
def _unrank(
    low_ranks, high_ranks, low_table, high_table, steps, cards, start, scratch, states, hands, column
):
    """Add cards to `hands`, uint64 [4, any], from `column` on; `scratch` is uint64 [2, CHUNK]."""
    ranks, uppers = scratch[0], scratch[1]
    for first in range(0, low_ranks.size, CHUNK):
        count = min(CHUNK, low_ranks.size - first)
        for i in range(count):
            ranks[i], uppers[i], states[i] = low_ranks[first + i], high_ranks[first + i], start
        for j in range(N_LONG):
            for i in range(count):
                state, rank, upper = states[i], ranks[i], uppers[i]
                letter = 0
                for k in range(1, 4):
                    above = np.uint64(high_table[state, k])
                    letter += int(upper > above) | (int(upper == above) & int(rank >= low_table[state, k]))
                below = low_table[state, letter]
                ranks[i] = rank - below
                uppers[i] = upper - np.uint64(high_table[state, letter]) - np.uint64(rank < below)
                states[i] = state - steps[letter]
                hands[(letter + 3) & 3, column + first + i] |= cards[j]
        for j in range(N_LONG, 52):
            for i in range(count):
                state, rank = states[i], ranks[i]
                letter = (
                    int(rank >= low_table[state, 1])
                    + int(rank >= low_table[state, 2])
                    + int(rank >= low_table[state, 3])
                )
                ranks[i] = rank - low_table[state, letter]
                states[i] = state - steps[letter]
                hands[(letter + 3) & 3, column + first + i] |= cards[j]


def unrank_deals(low_ranks: np.ndarray, high_ranks: np.ndarray, hands: np.ndarray, column: int = 0) -> None:
    """Set the hands of deals by their ranks.

    Parameters
    ----------
    low_ranks, high_ranks : ndarray of uint64 [n]
        The lower 64 and the upper 32 bits of ranks below 52! / 13!^4.
    hands : ndarray of uint64 [4, column + n or more]
        By seat N E S W; zeros from `column` on, where the hands are added.
    column : int

    Examples
    --------
    >>> from dealerkit.cards.text import format_pbn
    >>> hands = np.zeros((4, 1), np.uint64)
    >>> unrank_deals(np.zeros(1, np.uint64), np.zeros(1, np.uint64), hands)
    >>> format_pbn(hands.T)
    ['N:.AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432 AKQJT98765432...']
    """
    scratch, states = np.empty((2, CHUNK), np.uint64), np.empty(CHUNK, np.int64)
    tables = build_thresholds()
    _unrank(low_ranks, high_ranks, *tables, _STEPS, _CARDS, _START, scratch, states, hands, column)
