"""Quick losers of two hands, and what optimal points promise in tricks.

References
----------
P. Darricades, Optimal Point Count; the details as computed by JGM's program DOP 21.3.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators.opc.pairs import NOTRUMP, Pair, pair_of

MOST_POINTS = 38
LEAST_POINTS = 20

# Tricks from 20 points on; what lies below promises one. Half points count only where a table
# changes by comparing, not by truncating: 19 1/2 with trumps are above 19, 33 1/2 in notrump above 33.
_BETWEEN = {False: (1900, 8), True: (3300, 12)}
_SUIT_TRICKS = (8, 8, 8, 9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 12, 13, 13, 13, 13)
_NOTRUMP_TRICKS = (1, 7, 8, 8, 8, 9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 13, 13, 13)


@cache
def _honour_fields() -> np.ndarray:
    """A, K, Q of a holding, and A and Q together in it: bits 0 to 3, int8 [8192]."""
    lanes = np.arange(8192)
    a, k, q = (lanes >> bit & 1 for bit in (12, 11, 10))
    table = (a | k << 1 | q << 2 | (a & q) << 3).astype(np.int8)
    table.flags.writeable = False
    return table


def _round_losers(pair: Pair) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Losers of the first and second round, and quick losers, without regard to short suits: [4, n]."""
    fields = _honour_fields().take(pair.holding)
    either = fields[0] | fields[1]
    ace, king, queen, ace_queen = (either >> bit & 1 == 1 for bit in range(4))
    first = 100 * ~ace
    with_ace = np.where(king, 0, np.where(ace_queen, 50, 100))
    without = np.where(king, np.where(queen, 0, 50), 100)
    second = np.where(ace, with_ace, without)
    quick = np.where(ace, 0, np.where(king, 1, 2))
    return first.astype(np.int16), second.astype(np.int16), quick.astype(np.int16)


def round_losers(pair: Pair, notrump: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Losers of the first and of the second round of each suit, in hundredths.

    First round: the ace is missing. Second: with the ace 1 without the king, 1/2 with the queen
    in the ace's hand; without it 1 without the king, 1/2 with the king, 0 with the queen as well.

    Parameters
    ----------
    pair : Pair
    notrump : bool
        Shortness does not save a loser in notrump. With trumps a void in either hand saves both,
        a singleton that of the second round.

    Returns
    -------
    first, second : ndarray of int16 [shape=(4, n)]
        Suit S H D C, deal.
    """
    first, second, _ = _round_losers(pair)
    if notrump:
        return first, second
    fewest = pair.length.min(axis=0)
    return first * (fewest > 0), second * (fewest > 1)


def suit_quick_losers(pair: Pair, notrump: bool = False) -> np.ndarray:
    """Quick losers of each suit, int16 [4, n]: whole losers, 0 to 2; see `quick_losers`."""
    *_, quick = _round_losers(pair)
    if notrump:
        return quick
    return np.minimum(quick, np.minimum(pair.length.min(axis=0), 2))


def quick_losers(first: np.ndarray, second: np.ndarray, notrump: bool = False) -> np.ndarray:
    """Tricks that opponents can cash before the side gets in.

    In a suit without the ace: 2 without the king, 1 with it. With trumps 0 where either hand
    is void, at most 1 where either has a singleton.

    Parameters
    ----------
    first, second : ndarray of uint64 [shape=(n,)]
    notrump : bool

    Returns
    -------
    ndarray of int16 [shape=(n,)], 0 to 8

    Raises
    ------
    ArgumentError
        As `pair_of`.

    Examples
    --------
    >>> from dealerkit.cards.deals import Deals
    >>> deals = Deals.from_pbn(["N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"])
    >>> north, south = deals.hand("north"), deals.hand("south")
    >>> quick_losers(north, south), quick_losers(north, south, notrump=True)
    (array([3], dtype=int16), array([5], dtype=int16))
    """
    return suit_quick_losers(pair_of(first, second), notrump).sum(axis=0, dtype=np.int16)


def promised_tricks(points: np.ndarray, strain: int, losers: np.ndarray | None = None) -> np.ndarray:
    """Tricks that a side with so many optimal points may expect.

    With trumps 20 to 22 points (19 1/2 too) promise 8 tricks, and every three more one more. In
    notrump 21 promise 7, 22 to 24 promise 8, and every three more one more; 33 1/2 promise 12 and
    36 promise 13. Below: 1.

    Parameters
    ----------
    points : ndarray of int [shape=(n,)]
        Hundredths, as `opc` gives them; fractions are dropped and 38 is the most.
    strain : int
        S H D C N = 0..4.
    losers : ndarray of int [shape=(n,)], optional
        Quick losers in this strain: where 12 tricks or more are promised, one costs a trick, and
        two or more leave 11 tricks.

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
    notrump = strain == NOTRUMP
    table = np.array(_NOTRUMP_TRICKS if notrump else _SUIT_TRICKS, np.int8)
    points = np.asarray(points)
    whole = np.minimum(points // 100, MOST_POINTS)
    tricks = np.where(whole < LEAST_POINTS, np.int8(1), table[np.maximum(whole - LEAST_POINTS, 0)])
    above, more = _BETWEEN[notrump]
    tricks = np.where((points > above) & (points < above + 100), np.int8(more), tricks)
    if losers is not None:
        fewer = np.where(losers == 1, tricks - 1, 11)
        tricks = np.where((tricks >= 12) & (np.asarray(losers) > 0), fewer, tricks)
    return tricks.astype(np.int8)
