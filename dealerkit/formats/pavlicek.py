"""The deals of Richard Pavlicek's library of solved deals, computed from their numbers.

The tricks are in files that users get from him: see `dealerkit.formats.zrd` and `zdd`.

From number to rank. The library has 10,485,760 deals, dealt in groups of 16,384. The number of the group
seeds a generator of random words, G. Marsaglia's "Mother of All" (multiply with carry), and each deal takes
three words, which make its rank among all deals. So any deal is computed without those of other groups.

From rank to hands. A deal is a word of 52 letters, which are the owners of the cards from the ace of spades
to the deuce of clubs, and the letters are ordered W N E S. The rank of a deal is its position among all 52! /
13!^4 words, a number of 96 bits in two parts: the upper 32 bits and the lower 64. A *state* is the number of
cards that each seat still needs; its number is 2744 W + 196 N + 14 E + S. For each state, a table has the
number of words in which the next card belongs to a seat before N, before E, and before S. The owner's letter
is the number of these thresholds that do not exceed the rank, and the last of them is subtracted from the
rank.

References
----------
Deals and tricks are those of Richard Pavlicek, rpbridge.net, (c) 2007. His documents do not describe the
generator; its constants were published, without copyright, in ``bridge-craftwork/rpdd-reader``. The digests
of groups there, computed from the original file, equal those of the deals computed here.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.errors import ArgumentError
from dealerkit.runtime.compiled import kernel

N_DEALS = 10_485_760
GROUP = 16_384  # deals with one seed
BATCH = 65_536  # deals computed together, so that their words fit a cache
CREDIT = "Richard Pavlicek, rpbridge.net"
TERMS = (
    "the solved deals are the work of Richard Pavlicek (rpbridge.net, (c) 2007): for non-commercial use, "
    "passed on only unmodified, freely and with credit to him"
)
_MASK = 0xFFFF_FFFF
_MULTIPLIER = 29_943_829  # of the generator of seeds
_N_DISCARDED = 12  # words of each group
_SMALLEST_HIGH_TOP = 0x634D_DA65_8BF4_9200  # lower half of the number of deals
_F1, _F2, _F3, _F4 = (np.uint64(factor) for factor in (5115, 1776, 1492, 2_111_111_111))
_WORD, _32 = np.uint64(_MASK), np.uint64(32)
CHUNK = 256  # deals processed together, so that their next table entries are fetched at the same time
N_LONG = 17  # cards after which all ranks are below 2^63
_N_STATES = 14**4
_STEPS = np.array([2744, 196, 14, 1])  # W N E S
_START = 13 * 2744 + 13 * 196 + 13 * 14 + 13
# The bit of each card in the order of the words.
_CARDS = np.array([1 << (shift + rank) for shift in LANE_SHIFTS for rank in range(12, -1, -1)], np.uint64)


def pavlicek_deals(first: int, count: int, *, wrap: bool = False) -> Deals:
    """Return deals of Richard Pavlicek's library by their numbers, without tricks.

    Parameters
    ----------
    first : int >= 0
        Number of the first deal, below 10,485,760.
    count : int >= 0
        Number of deals, at most 10,485,760.
    wrap : bool
        Whether to continue with deal 0 after the last one, and to take `first` modulo 10,485,760. By default,
        deals past the end are refused, because they would not belong to the library.

    Returns
    -------
    Deals
        The deals, which are computed. The tricks are in files of the library's author, which `dealerkit.read`
        reads.

    Raises
    ------
    ArgumentError
        The library has no such deals.

    Examples
    --------
    >>> pavlicek_deals(0, 1).to_pbn()
    ['N:J873.J42.Q65.KT2 AT652.A976.AJ82. Q4.85.KT9.A87643 K9.KQT3.743.QJ95']
    >>> pavlicek_deals(10_485_759, 2, wrap=True)[1] == pavlicek_deals(0, 1)[0]
    True
    """
    first, count = check_integer("first", first), check_integer("count", count)
    if wrap:
        first %= N_DEALS
    if count > N_DEALS or (not wrap and first + count > N_DEALS):
        raise ArgumentError(
            f"there are no deals {first:,} to {first + count - 1:,}: the deals of Pavlicek's library have "
            f"the numbers 0 to {N_DEALS - 1:,}"
            + ("" if wrap or count > N_DEALS else "; wrap=True continues with deal 0")
        )
    return Deals(compute_hands((first + np.arange(count)) % N_DEALS), check=False)


def compute_hands(numbers: np.ndarray) -> np.ndarray:
    """Return the hands of deals by their numbers, in any order.

    Parameters
    ----------
    numbers : ndarray of int64 [n]
        0 to 10,485,759.

    Returns
    -------
    ndarray of uint64 [n, 4]
        Hands N E S W, each seat contiguous.

    Raises
    ------
    ArgumentError
        A number is out of range.
    """
    numbers = np.asarray(numbers, np.int64)
    if numbers.size and not (numbers.min() >= 0 and numbers.max() < N_DEALS):
        wrong = numbers.min() if numbers.min() < 0 else numbers.max()
        raise ArgumentError(f"there is no deal {wrong:,}: Pavlicek's deals are 0 to {N_DEALS - 1:,}")
    hands = np.zeros((4, numbers.size), np.uint64)
    for first in range(0, numbers.size, BATCH):
        unrank_deals(*_draw_ranks(numbers[first : first + BATCH]), hands, first)
    return hands.T


# ---------------------------------------------------------------- from the number of a deal to its rank
def _draw_ranks(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower 64 and the upper 32 bits of the ranks of deals by their numbers."""
    # Generate the words of each group once, and only as far as its deals need them.
    words = np.empty((numbers.size, 3), np.uint64)
    groups, positions = np.divmod(numbers, GROUP)
    is_rising = bool((groups[1:] >= groups[:-1]).all())
    order = None if is_rising else np.argsort(groups, kind="stable")
    present, begins = np.unique(groups if order is None else groups[order], return_index=True)
    ends = np.append(begins, numbers.size)
    for group, begin, end in zip(present.tolist(), begins.tolist(), ends[1:].tolist(), strict=True):
        rows = slice(begin, end) if order is None else order[begin:end]
        places = positions[rows]
        lowest = int(places.min())
        group_words = _generate_group(group, lowest, int(places.max()) + 1 - lowest)
        words[rows] = group_words[places - lowest]
    # Two words are the lower 64 bits. The third is scaled to the upper 32 bits. The upper bits of 52! / 13!^4
    # are 0xAD55E315, which a rank can have only if its lower bits are below those of 52! / 13!^4.
    u, v, w = words.T
    low = v << _32 | u
    high = (
        w * np.where(low < np.uint64(_SMALLEST_HIGH_TOP), np.uint64(0xAD55E316), np.uint64(0xAD55E315)) >> _32
    )
    return low, high


def _generate_group(group: int, first: int, count: int) -> np.ndarray:
    """Return the words of deals of a group, uint64 [count, 3], from the position `first` on."""
    words = np.empty((count, 3), np.uint64)
    _draw_words(*(np.uint64(word) for word in seed_group(group)), _N_DISCARDED + 3 * first, words.reshape(-1))
    return words


def seed_group(group: int) -> list[int]:
    """Return the five words of a group's seed: the last four words, newest first, and the carry.

    >>> [f"{word:08X}" for word in seed_group(0)]
    ['F9FBB892', '64FA73F9', 'D52D2B6C', 'C46E6FDB', '7085A4F6']
    """
    number = group + 1
    a = _rotate_right(number ^ 0xFFFF)
    a = _rotate_right(a & 0xFFFF0000 | number & 0xFFFF)
    a |= 4 * number & 0xFFFF | 3
    words = []
    for _ in range(5):
        a = (_MULTIPLIER * a - 1) & _MASK
        words.append(a)
    return words


def _rotate_right(word: int) -> int:
    """Return a 32-bit word rotated by ten bits."""
    return (word >> 10 | word << 22) & _MASK


@kernel
def _draw_words(x1, x2, x3, x4, carry, n_skipped, words):
    """Set `words` to the words of the generator after the first `n_skipped`."""
    for i in range(-n_skipped, words.size):
        total = _F1 * x1 + _F2 * x2 + _F3 * x3 + _F4 * x4 + carry
        x1, x2, x3, x4 = total & _WORD, x1, x2, x3
        carry = total >> _32
        if i >= 0:
            words[i] = x1


# ---------------------------------------------------------------- from the rank to the hands
@cache
def build_thresholds() -> tuple[np.ndarray, np.ndarray]:
    """Return the thresholds of all states by letter, as the lower 64 and the upper 32 bits, [38416, 4].

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
def _fill_thresholds(low, high, total_low, total_high, steps):
    """Fill the tables of thresholds, which add up the numbers of words over the owners of the next card."""
    for state in range(1, low.shape[0]):
        sum_low, sum_high = np.uint64(0), np.uint64(0)
        for letter in range(4):
            low[state, letter], high[state, letter] = sum_low, sum_high
            if state // steps[letter] % 14:
                rest = state - steps[letter]
                sum_low += total_low[rest]
                sum_high += total_high[rest] + np.uint64(sum_low < total_low[rest])
        total_low[state], total_high[state] = sum_low, sum_high


def unrank_deals(low_ranks: np.ndarray, high_ranks: np.ndarray, hands: np.ndarray, column: int = 0) -> None:
    """Set the hands of deals by their ranks.

    Parameters
    ----------
    low_ranks, high_ranks : ndarray of uint64 [n]
        The lower 64 and the upper 32 bits of ranks below 52! / 13!^4.
    hands : ndarray of uint64 [4, column + n or more]
        Hands by seat N E S W; zeros from `column` on, where the hands are added.
    column : int
        Column of the first deal.

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
        # The owner of a card is the number of thresholds of its state that do not exceed the rank of 96 bits.
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
        # Do the same with ranks that fit 64 bits.
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
