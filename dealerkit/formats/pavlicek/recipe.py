"""The recipe of the deals of Richard Pavlicek's library: from a number to a rank in dictionary order.

The library has 10,485,760 deals, dealt in groups of 16,384. The number of the group seeds a generator of
random words, G. Marsaglia's "Mother of All" (multiply with carry), and each deal takes three words, which
make its rank among all deals. So any deal is computed without those of other groups.

References
----------
Deals and tricks are those of Richard Pavlicek, rpbridge.net, (c) 2007. His documents do not describe the
generator; its constants were published, without copyright, in ``bridge-craftwork/rpdd-reader``. The group
digests there, computed from the original file, are those of the deals computed here.
"""

from __future__ import annotations

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError
from dealerkit.formats.pavlicek.unranking import unrank_deals
from dealerkit.system.compiled import kernel

N_DEALS = 10_485_760
GROUP = 16_384  # deals of one seed
BATCH = 65_536  # deals computed together: their words fit a cache
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


def pavlicek_deals(first: int, count: int, *, wrap: bool = False) -> Deals:
    """Return deals of Richard Pavlicek's library by their numbers, computed and without tricks.

    Parameters
    ----------
    first : int >= 0
        Number of the first deal, below 10,485,760.
    count : int >= 0
        How many, at most 10,485,760.
    wrap : bool
        Continue with deal 0 after the last one, and take `first` modulo 10,485,760. Without it, deals past
        the end are refused: the recipe would yield deals that belong to no library.

    Returns
    -------
    Deals
        The tricks of the library are in files of its author: read one with `dealerkit.read`.

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
            f"deals {first:,} to {first + count - 1:,} of {N_DEALS:,}: the deals of Pavlicek's library have "
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
    """
    numbers = np.asarray(numbers, np.int64)
    if numbers.size and not (numbers.min() >= 0 and numbers.max() < N_DEALS):
        raise ArgumentError(f"the numbers of Pavlicek's deals are 0 to {N_DEALS - 1:,}")
    hands = np.zeros((4, numbers.size), np.uint64)
    for first in range(0, numbers.size, BATCH):
        unrank_deals(*_draw_ranks(numbers[first : first + BATCH]), hands, first)
    return hands.T


def _draw_ranks(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower 64 and the upper 32 bits of the ranks of deals by their numbers."""
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
    u, v, w = words.T
    low = v << _32 | u
    high = (
        w * np.where(low < np.uint64(_SMALLEST_HIGH_TOP), np.uint64(0xAD55E316), np.uint64(0xAD55E315)) >> _32
    )
    return low, high


def _generate_group(group: int, first: int, count: int) -> np.ndarray:
    """Return the words of deals of a group by their positions, uint64 [count, 3]."""
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
