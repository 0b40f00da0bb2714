"""Measures of one suit as tables over the 8192 holdings.

A holding is the 13-bit lane of a suit, bit 12 the ace and bit 0 the deuce. Each
function returns a read-only array [8192], built when it is first asked for. Values
with halves or quarters are integers of a hundredth.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import cache

import numpy as np

from dealerkit.cards.names import RANKS
from dealerkit.errors import ArgumentError

# The tables of points that scripts may redefine, from the ace down; what is not written is 0.
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
    """Points of the 13 ranks, from the ace down, in a table that no script has redefined.

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
        For a table that does not exist.

    Examples
    --------
    >>> default_weights("hcp")[:5]
    (4, 3, 2, 1, 0)
    """
    try:
        return full_weights(_DEFAULT_WEIGHTS[name])
    except KeyError:
        raise ArgumentError(f"no table of points {name!r}; known: {', '.join(_DEFAULT_WEIGHTS)}") from None


def full_weights(weights: Sequence[int]) -> tuple[int, ...]:
    """Points of the 13 ranks from the ace down: 13 integers, zeros where `weights` ends.

    Raises
    ------
    ArgumentError
        More than 13 weights, or one that is not an integer.
    """
    if len(weights) > 13:
        raise ArgumentError(f"{len(weights)} weights for 13 ranks; give at most 13, the ace first")
    try:
        values = tuple(operator.index(weight) for weight in weights)
    except TypeError:
        raise ArgumentError("weights of ranks are integers; scale fractions to hundredths") from None
    return values + (0,) * (13 - len(values))


def frozen(table: np.ndarray) -> np.ndarray:
    table = table.astype(np.int16)
    table.flags.writeable = False
    return table


@cache
def has(rank: str) -> np.ndarray:
    """1 where the holding has the card, else 0."""
    return frozen(np.arange(8192, dtype=np.int16) >> RANKS.index(rank) & 1)


def honours() -> tuple[np.ndarray, ...]:
    return tuple(has(rank) for rank in "AKQJT")


@cache
def length() -> np.ndarray:
    """Number of cards, 0 to 13: int16 [8192].

    >>> int(length()[0b1110000000000])
    3
    """
    return frozen(np.bitwise_count(np.arange(8192, dtype=np.uint16)))


@cache
def _weighted(weights: tuple[int, ...]) -> np.ndarray:
    # Sums over a hand must fit the table's own type: four suits of at most all points each.
    bound = 4 * max(sum(w for w in weights if w > 0), -sum(w for w in weights if w < 0))
    dtype = next((t for t in (np.int16, np.int32, np.int64) if bound <= np.iinfo(t).max), None)
    if dtype is None:
        raise ArgumentError("the points of a hand would not fit 64 bits")
    table: np.ndarray = np.zeros(8192, dtype)
    for weight, rank in zip(weights, reversed(RANKS), strict=True):
        if weight:
            table = table + has(rank) * dtype(weight)
    table.flags.writeable = False
    return table


def points(weights: Sequence[int]) -> np.ndarray:
    """Sum of the weights of the cards held.

    Parameters
    ----------
    weights : sequence of up to 13 int
        From the ace down; ranks left out count 0. Fractions are given as hundredths.

    Returns
    -------
    ndarray of int16, int32 or int64 [shape=(8192,)]
        The smallest type that also holds the sum over any hand.

    Raises
    ------
    ArgumentError
        More than 13 weights, one that is not an integer, or sums beyond 64 bits.

    Examples
    --------
    >>> int(points((4, 3, 2, 1))[0b1011000000000])  # AQJ
    7
    >>> points((32767,)).dtype
    dtype('int32')
    """
    return _weighted(full_weights(weights))


@cache
def losers() -> np.ndarray:
    """Losing tricks: the ace, king and queen that the length has room for and that are missing.

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
    ace, king, queen, _, _ = honours()
    cards = length()
    return frozen((cards >= 1) * (1 - ace) + (cards >= 2) * (1 - king) + (cards >= 3) * (1 - queen))


@cache
def ltc() -> np.ndarray:
    """Losing tricks with halves, in hundredths: int16 [8192], 0 to 300.

    The count of `losers`, half a loser less for a singleton king, for AQ alone, and in three
    or more cards headed by AKJ, AQJ, AJT or KJT; half a loser more for three or more cards
    headed by a queen without the jack.

    References
    ----------
    JGM, DealerV2 4.3; after R. Klinger, *The Modern Losing Trick Count*, 1986.

    Examples
    --------
    >>> [int(ltc()[h]) for h in (0b0100000000000, 0b1101000000000, 0b1001100000000, 0b0010000000011)]
    [50, 50, 150, 250]
    """
    ace, king, queen, jack, ten = (card == 1 for card in honours())
    cards = length()
    short = (cards == 1) & king | (cards == 2) & ace & queen
    two_tops = ace & (king ^ queen) & jack
    one_top = (ace ^ king) & ~queen & jack & ten
    lone_queen = queen & ~(ace | king | jack)
    better = short | (cards >= 3) & (two_tops | one_top)
    return frozen(100 * losers() - 50 * better + 50 * ((cards >= 3) & lone_queen))


def coupled_losers(controls: Sequence[int], top3: Sequence[int]) -> np.ndarray:
    """Losers as dealer v1 derives them from two tables that a script may redefine.

    One card: (1, 1, 0)[c], two cards: (2, 1, 1, 0)[c], with c the points of the table of
    controls; three or more: 3 less the points of the table `top3`.

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
        Some holding's points lie outside these lists, where dealer v1 reads foreign memory or aborts.

    Examples
    --------
    >>> bool((coupled_losers((2, 1), (1, 1, 1)) == losers()).all())
    True
    """
    cards, few, many = length(), points(controls), points(top3)
    for table, chosen, limit, name in (
        (few, cards == 1, 2, "controls"),
        (few, cards == 2, 3, "controls"),
        (many, cards >= 3, 3, "top3"),
    ):
        wrong = np.flatnonzero(chosen & ((table < 0) | (table > limit)))
        if wrong.size:
            raise ArgumentError(
                f"losers has no value: {_text(int(wrong[0]))} counts {table[wrong[0]]} in the redefined "
                f"table of {name}, where 0 to {limit} is possible; "
                "leave that table as it is or do not ask for losers"
            )
    one = np.array([1, 1, 0])[np.where(cards == 1, few, 0)]
    two = np.array([2, 1, 1, 0])[np.where(cards == 2, few, 0)]
    return frozen(np.select([cards == 0, cards == 1, cards == 2], [0, one, two], 3 - many))


def _text(holding: int) -> str:
    return "".join(rank for rank in reversed(RANKS) if holding >> RANKS.index(rank) & 1)
