"""Rules about the pattern of a hand, which is the lengths of its four suits, and tables of these rules.

Tables are read-only int16 [4096], indexed by `dealerkit.evaluators.kernels.pattern_code`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from dealerkit.evaluators.holdings import freeze

Lengths = tuple[int, ...]  # the four suit lengths of a hand, longest first
Rule = Callable[[Lengths], int]


@cache
def tabulate(rule: Rule) -> np.ndarray:
    """Return a rule about suit lengths as a table over `dealerkit.evaluators.kernels.pattern_code`.

    Parameters
    ----------
    rule : callable
        A function of the tuple of the four lengths of a hand, longest first.

    Returns
    -------
    ndarray of int16 [shape=(4096,)]
        The value for each code; 0 for codes that no hand of 13 cards has.

    Examples
    --------
    >>> int(tabulate(is_4333)[0x433]), int(tabulate(long_cards)[0x607])
    (1, 5)
    """
    table = np.zeros(4096)
    for code in range(4096):
        s, h, d = code >> 8, code >> 4 & 15, code & 15
        if s + h + d <= 13:
            table[code] = rule(tuple(sorted((s, h, d, 13 - s - h - d), reverse=True)))
    return freeze(table)


def is_4333(lengths: Lengths) -> int:
    """Return 1 for four cards in one suit and three in the others."""
    return int(lengths == (4, 3, 3, 3))


def is_balanced(lengths: Lengths) -> int:
    """Return 1 for a hand without a void, a singleton or a second doubleton: 4-3-3-3, 4-4-3-2 or 5-3-3-2."""
    return int(lengths in ((4, 3, 3, 3), (4, 4, 3, 2), (5, 3, 3, 2)))


def is_semibalanced(lengths: Lengths) -> int:
    """Return 1 for a balanced hand, and for 5-4-2-2 and 6-3-2-2.

    >>> is_semibalanced((5, 3, 3, 2)), is_semibalanced((6, 3, 2, 2)), is_semibalanced((7, 2, 2, 2))
    (1, 1, 0)
    """
    return int(is_balanced(lengths) or lengths in ((5, 4, 2, 2), (6, 3, 2, 2)))


def has_length(lengths: Lengths, n_cards: int) -> int:
    """Return 1 if a suit has at least `n_cards` cards."""
    return int(lengths[0] >= n_cards)


def long_cards(lengths: Lengths) -> int:
    """Return the number of cards over four in each suit, summed over the suits."""
    return sum(max(0, cards - 4) for cards in lengths)


def short_points(lengths: Lengths) -> int:
    """Return 3 for each void, 2 for each singleton and 1 for each doubleton."""
    return sum(max(0, 3 - cards) for cards in lengths)


def shortest(lengths: Lengths) -> int:
    """Return the length of the shortest suit."""
    return lengths[3]


def voids(lengths: Lengths) -> int:
    """Return the number of voids."""
    return lengths.count(0)


def singletons(lengths: Lengths) -> int:
    """Return the number of singletons."""
    return lengths.count(1)


def doubletons(lengths: Lengths) -> int:
    """Return the number of doubletons."""
    return lengths.count(2)


def two_longest(lengths: Lengths) -> int:
    """Return the number of cards in the two longest suits."""
    return lengths[0] + lengths[1]


def spread(lengths: Lengths) -> int:
    """Return Zar's distribution: the cards of the two longest suits, plus the longest minus the shortest."""
    return 2 * lengths[0] + lengths[1] - lengths[3]


def freakness(lengths: Lengths) -> int:
    """Return the cards over four and below three in each suit, plus 2 with a void or else 1 with a singleton.

    >>> freakness((4, 3, 3, 3)), freakness((5, 4, 3, 1)), freakness((7, 6, 0, 0))
    (0, 4, 13)
    """
    return long_cards(lengths) + short_points(lengths) + max(2 - lengths[3], 0)
