"""Quick losers of the two hands of a side, and the tricks that optimal points promise.

References
----------
P. Darricades, Optimal Point Count; the details as computed by JGM's program DOP 21.3.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators.holdings import freeze, has_honours
from dealerkit.evaluators.pairs.pair import NOTRUMP, Pair

MOST_POINTS = 38
LEAST_POINTS = 20

# Tricks for 20 points and more; fewer points promise one. Points are truncated, with one exception each: more
# than 19 points with trumps promise 8 tricks, and more than 33 in notrump promise 12.
_HALF_POINTS = {False: (1900, 8), True: (3300, 12)}
_SUIT_TRICKS = (8, 8, 8, 9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 12, 13, 13, 13, 13)
_NOTRUMP_TRICKS = (1, 7, 8, 8, 8, 9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 13, 13, 13)


@cache
def _honour_fields() -> np.ndarray:
    """Return bits 0 to 3 that are set for A, for K, for Q, and for A with Q: int16 [8192]."""
    ace, king, queen, _, _ = has_honours()
    return freeze(ace | king << 1 | queen << 2 | (ace & queen) << 3)


def _count_losers(pair: Pair) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return losers of the first and second round and quick losers, ignoring short suits: [4, n] each."""
    # Combine the honours of both hands; ace and queen together count only if one hand has both.
    fields = pair.take_suits(_honour_fields())
    either = fields[0] | fields[1]
    ace, king, queen, ace_queen = (either >> bit & 1 == 1 for bit in range(4))

    # A suit without the ace has a loser in the first round. In the second round, a suit with the ace has a
    # loser without the king, or half a loser with AQ in one hand; a suit without the ace has none with KQ,
    # half a loser with the king, otherwise one.
    first = 100 * ~ace
    with_ace = np.where(king, 0, np.where(ace_queen, 50, 100))
    without = np.where(king, np.where(queen, 0, 50), 100)
    second = np.where(ace, with_ace, without)

    # A suit has two quick losers without ace and king, one with the king but not the ace.
    quick = np.where(ace, 0, np.where(king, 1, 2))
    return first.astype(np.int16), second.astype(np.int16), quick.astype(np.int16)


def round_losers(pair: Pair, notrump: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Return the losers of the first and of the second round of each suit, in hundredths.

    A missing ace is a loser of the first round. With the ace, a missing king is a loser of the second round,
    or half a loser if one hand has ace and queen. Without the ace, the second round has half a loser with the
    king, none with king and queen, and otherwise one.

    Parameters
    ----------
    pair : Pair
        The two hands.
    notrump : bool
        With trumps, a void in either hand saves both losers, and a singleton that of the second round; in
        notrump they do not.

    Returns
    -------
    first, second : ndarray of int16 [shape=(4, n)]
        Suit S H D C, deal.
    """
    first, second, _ = _count_losers(pair)
    if notrump:
        return first, second
    fewest = pair.lengths.min(axis=0)
    return first * (fewest > 0), second * (fewest > 1)


def suit_quick_losers(pair: Pair, notrump: bool = False) -> np.ndarray:
    """Return the quick losers of each suit, 0 to 2: int16 [4, n]; see `quick_losers`."""
    *_, quick = _count_losers(pair)
    if notrump:
        return quick
    return np.minimum(quick, np.minimum(pair.lengths.min(axis=0), 2))


def quick_losers(first: np.ndarray, second: np.ndarray, notrump: bool = False) -> np.ndarray:
    """Return the tricks that the opponents can take before the side wins a trick.

    A suit without ace and king has 2, a suit with the king only 1. With trumps a suit has 0 if either hand is
    void, and at most 1 if either hand has a singleton.

    Parameters
    ----------
    first, second : ndarray of uint64 [shape=(n,)]
        Hands of north and south, or of east and west.
    notrump : bool
        Whether the strain is notrump.

    Returns
    -------
    ndarray of int16 [shape=(n,)], 0 to 8
        Number of quick losers in all suits.

    Raises
    ------
    ArgumentError
        The hands are not arrays of uint64 of equal lengths.

    Examples
    --------
    >>> from dealerkit.cards.deals import Deals
    >>> deals = Deals.from_pbn(["N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"])
    >>> north, south = deals.hand("north"), deals.hand("south")
    >>> quick_losers(north, south), quick_losers(north, south, notrump=True)
    (array([3], dtype=int16), array([5], dtype=int16))
    """
    return suit_quick_losers(Pair(first, second), notrump).sum(axis=0, dtype=np.int16)


def promised_tricks(points: np.ndarray, strain: int, losers: np.ndarray | None = None) -> np.ndarray:
    """Return the tricks that optimal points promise.

    With trumps, 19 1/2 to 22 points promise 8 tricks, and every three points more promise another trick. In
    notrump, 21 points promise 7 tricks, 22 to 24 promise 8, and every three points more promise another
    trick, except that 33 1/2 promise 12 and 36 promise 13. Fewer points promise 1 trick.

    Parameters
    ----------
    points : ndarray of int [shape=(n,)]
        Hundredths as from `opc`; fractions of a point and points above 38 do not count.
    strain : int
        S H D C N = 0..4.
    losers : ndarray of int [shape=(n,)], optional
        Quick losers in this strain. If 12 tricks or more are promised, one loser costs a trick, and two or
        more reduce the tricks to 11.

    Returns
    -------
    ndarray of int8 [shape=(n,)]

    Examples
    --------
    >>> promised_tricks(np.array([3050, 2250, 1900, 3600]), 0).tolist()
    [11, 8, 1, 13]
    >>> promised_tricks(np.array([3600, 3600]), 0, np.array([1, 2])).tolist()
    [12, 11]
    """
    # Look up the tricks by whole points.
    notrump = strain == NOTRUMP
    table = np.array(_NOTRUMP_TRICKS if notrump else _SUIT_TRICKS, np.int8)
    points = np.asarray(points)
    whole = np.minimum(points // 100, MOST_POINTS)
    tricks = np.where(whole < LEAST_POINTS, np.int8(1), table[np.maximum(whole - LEAST_POINTS, 0)])

    # Correct the one range that begins with a fraction of a point.
    above, promised = _HALF_POINTS[notrump]
    tricks = np.where((points > above) & (points < above + 100), np.int8(promised), tricks)

    # Reduce the tricks of a slam by quick losers.
    if losers is not None:
        fewer = np.where(losers == 1, tricks - 1, 11)
        tricks = np.where((tricks >= 12) & (np.asarray(losers) > 0), fewer, tricks)
    return tricks.astype(np.int8)
