"""Values of one suit as tables over the 8192 holdings.

A holding is the set of cards in a suit as an integer of 13 bits, in which bit 12 is the ace and bit 0 the
deuce. Each function computes a read-only array [8192] at its first call. Values with fractions are integers
in hundredths.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import cache

import numpy as np

from dealerkit.cards.names import RANKS
from dealerkit.errors import ArgumentError

# Default weights of the point tables that scripts can redefine, from the ace down; missing ranks count 0.
_DEFAULT_WEIGHTS = {
    "hcp": (4, 3, 2, 1),
    "tens": (0, 0, 0, 0, 1),
    "jacks": (0, 0, 0, 1),
    "queens": (0, 0, 1),
    "kings": (0, 1),
    "aces": (1,),
    "top2": (1, 1),
    "top3": (1, 1, 1),
    "top4": (1, 1, 1, 1),
    "top5": (1, 1, 1, 1, 1),
    "c13": (6, 4, 2, 1),
    "controls": (2, 1),
}


def default_weights(name: str) -> tuple[int, ...]:
    """Return the default points of the 13 ranks, from the ace down, in a table that scripts can redefine.

    Parameters
    ----------
    name : str
        ``hcp``, ``controls``, ``tens`` ... ``top5`` or ``c13``.

    Returns
    -------
    tuple of int [13]

    Raises
    ------
    ArgumentError
        There is no table of this name.

    Examples
    --------
    >>> default_weights("hcp")[:5]
    (4, 3, 2, 1, 0)
    """
    try:
        return pad_weights(_DEFAULT_WEIGHTS[name])
    except KeyError:
        raise ArgumentError(f"no table of points {name!r}; known: {', '.join(_DEFAULT_WEIGHTS)}") from None


def pad_weights(weights: Sequence[int]) -> tuple[int, ...]:
    """Return weights of the 13 ranks from the ace down, with zeros for ranks that `weights` does not have.

    Raises
    ------
    ArgumentError
        There are more than 13 weights, or one is not an integer.
    """
    if len(weights) > 13:
        raise ArgumentError(f"{len(weights)} weights for 13 ranks; give at most 13, the ace first")
    try:
        values = tuple(operator.index(weight) for weight in weights)
    except TypeError:
        raise ArgumentError("weights of ranks are integers; scale fractions to hundredths") from None
    return values + (0,) * (13 - len(values))


def freeze(table: np.ndarray) -> np.ndarray:
    """Return the table as a read-only int16 array."""
    table = table.astype(np.int16)
    table.flags.writeable = False
    return table


def restrict_to_suit(table: np.ndarray, suit: int | None) -> np.ndarray:
    """Return a table [4, 8192] that has a table of holdings for one suit and zeros for the others.

    If the suit is None, the table of holdings is returned unchanged.

    >>> restrict_to_suit(length(), 1)[:, 0b1110000000000].tolist()
    [0, 3, 0, 0]
    """
    if suit is None:
        return table
    tables = np.zeros((4, 8192), table.dtype)
    tables[suit] = table
    return tables


@cache
def has_rank(rank: str) -> np.ndarray:
    """Return 1 for holdings with a card of this rank, otherwise 0: int16 [8192]."""
    return freeze(np.arange(8192, dtype=np.int16) >> RANKS.index(rank) & 1)


def has_honours() -> tuple[np.ndarray, ...]:
    """Return the tables of `has_rank` for the ace, king, queen, jack and ten."""
    return tuple(has_rank(rank) for rank in "AKQJT")


@cache
def length() -> np.ndarray:
    """Return the number of cards, 0 to 13: int16 [8192].

    >>> int(length()[0b1110000000000])
    3
    """
    return freeze(np.bitwise_count(np.arange(8192, dtype=np.uint16)))


@cache
def sum_weights(weights: tuple[int, ...]) -> np.ndarray:
    """Return `points` for all 13 weights."""
    # Choose a type that can hold sums over a hand, which has at most all points in each of four suits.
    bound = 4 * max(sum(w for w in weights if w > 0), -sum(w for w in weights if w < 0))
    dtype = next((t for t in (np.int16, np.int32, np.int64) if bound <= np.iinfo(t).max), None)
    if dtype is None:
        raise ArgumentError("the points of a hand would not fit 64 bits")
    table: np.ndarray = np.zeros(8192, dtype)
    for weight, rank in zip(weights, reversed(RANKS), strict=True):
        if weight:
            table = table + has_rank(rank) * dtype(weight)
    table.flags.writeable = False
    return table


def points(weights: Sequence[int]) -> np.ndarray:
    """Return the sum of the weights of the cards held.

    Parameters
    ----------
    weights : sequence of up to 13 int
        From the ace down; missing ranks count 0. Give fractions as hundredths.

    Returns
    -------
    ndarray of int16, int32 or int64 [shape=(8192,)]
        The smallest type that also holds the sum over any hand.

    Raises
    ------
    ArgumentError
        There are more than 13 weights, one is not an integer, or the sums exceed 64 bits.

    Examples
    --------
    >>> int(points((4, 3, 2, 1))[0b1011000000000])  # AQJ
    7
    >>> points((32767,)).dtype
    dtype('int32')
    """
    return sum_weights(pad_weights(weights))


def _count_missing(ace: int, king: int, queen: int) -> np.ndarray:
    """Return the values of missing honours; a king counts from two cards on, a queen from three."""
    values = zip((ace, king, queen), has_honours(), strict=False)
    return freeze(sum(value * (length() > n) * (1 - held) for n, (value, held) in enumerate(values)))


@cache
def losers() -> np.ndarray:
    """Return the losing tricks: a missing ace, from two cards on a missing king, from three a missing queen.

    Returns
    -------
    ndarray of int16 [shape=(8192,)], 0 to 3

    References
    ----------
    F. D. Courtenay and G. G. Walshe, *The Losing Trick Count*, 1935.

    Examples
    --------
    >>> [int(losers()[h]) for h in (0, 0b0100000000000, 0b0010000000001, 0b0110000000001)]  # -, K, Q2, KQ2
    [0, 1, 2, 1]
    """
    return _count_missing(1, 1, 1)


@cache
def ltc() -> np.ndarray:
    """Return losing tricks with halves, in hundredths: int16 [8192], 0 to 300.

    These are `losers` with corrections. A singleton king, the doubleton AQ, and three or more cards headed
    by AKJ, AQJ, AJT or KJT count half a loser less. Three or more cards headed by a queen without the jack
    count half a loser more.

    References
    ----------
    JGM, DealerV2 4.3; after R. Klinger, *The Modern Losing Trick Count*, 1986.

    Examples
    --------
    >>> [int(ltc()[h]) for h in (0b0100000000000, 0b1101000000000, 0b1001100000000, 0b0010000000011)]
    [50, 50, 150, 250]
    """
    # Half a loser less for a singleton king, the doubleton AQ, and AKJ, AQJ, AJT, KJT in three cards or more.
    ace, king, queen, jack, ten = (card == 1 for card in has_honours())
    cards = length()
    short = (cards == 1) & king | (cards == 2) & ace & queen
    two_tops = ace & (king ^ queen) & jack
    one_top = (ace ^ king) & ~queen & jack & ten
    better = short | (cards >= 3) & (two_tops | one_top)

    # Half a loser more for Qxx and QTx.
    lone_queen = queen & ~(ace | king | jack)
    return freeze(100 * losers() - 50 * better + 50 * ((cards >= 3) & lone_queen))


@cache
def new_losers() -> np.ndarray:
    """Return losers of the New Losing Trick Count in hundredths: a missing ace 1.5, king 1, queen 0.5.

    As in `losers`, the king counts from two cards on and the queen from three.

    Returns
    -------
    ndarray of int16 [shape=(8192,)], 0 to 300

    References
    ----------
    J. Koelman, A New Losing Trick Count, *The Bridge World*, May 2003.

    Examples
    --------
    >>> [int(new_losers()[holding]) for holding in (0b0100000000000, 0b1000000000011, 0b0011000000001)]
    [150, 150, 250]
    """
    return _count_missing(150, 100, 50)


def coupled_losers(controls: Sequence[int], top3: Sequence[int]) -> np.ndarray:
    """Return the losers that dealer computes from two tables of points that a script can redefine.

    A singleton has (1, 1, 0)[c] losers and a doubleton (2, 1, 1, 0)[c], where c is its number of points in
    the table of controls. Three or more cards have 3 losers minus their points in the table `top3`.

    Parameters
    ----------
    controls, top3 : sequence of up to 13 int
        The two tables from the ace down; by default (2, 1) and (1, 1, 1).

    Returns
    -------
    ndarray of int16 [shape=(8192,)], 0 to 3

    Raises
    ------
    ArgumentError
        The points of a holding exceed these lists, so that dealer reads memory outside its tables or aborts.

    Examples
    --------
    >>> bool((coupled_losers((2, 1), (1, 1, 1)) == losers()).all())
    True
    """
    # Refuse points that are not indices of the lists below.
    cards, control_points, top3_points = length(), points(controls), points(top3)
    for table, rows, limit, name in (
        (control_points, cards == 1, 2, "controls"),
        (control_points, cards == 2, 3, "controls"),
        (top3_points, cards >= 3, 3, "top3"),
    ):
        wrong = np.flatnonzero(rows & ((table < 0) | (table > limit)))
        if wrong.size:
            raise ArgumentError(
                f"losers has no value: {_write_holding(int(wrong[0]))} counts {table[wrong[0]]} in the "
                f"redefined table of {name}, where only 0 to {limit} is possible; "
                "do not redefine that table, or do not use losers"
            )

    # Look up the losers by the number of cards.
    singleton = np.array([1, 1, 0])[np.where(cards == 1, control_points, 0)]
    doubleton = np.array([2, 1, 1, 0])[np.where(cards == 2, control_points, 0)]
    return freeze(np.select([cards == 0, cards == 1, cards == 2], [0, singleton, doubleton], 3 - top3_points))


def _write_holding(holding: int) -> str:
    """Return the ranks of a holding as text, such as ``AKQ``."""
    return "".join(rank for rank in reversed(RANKS) if holding >> RANKS.index(rank) & 1)
