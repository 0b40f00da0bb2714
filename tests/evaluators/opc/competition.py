"""Optimal points of one hand after opponents have bid: honours and lengths in their suits.

References
----------
P. Darricades, Optimal Point Count; the details as described for the option ``-A`` of JGM's
program DOP 21.3. There are no values of the program to compare with.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from dealerkit import ArgumentError
from dealerkit.cards import SUITS
from dealerkit.evaluators import holdings
from dealerkit.evaluators.opc.optimal_points import OptimalPoints

# Adjusted HLD for an overcall or double, and for notrump, at the levels of one, two and three.
MINIMA = {"suit": (1300, 1500, 1800), "notrump": (1500, 1800, 2100)}

_BY_LENGTH = {
    "suit": (100, 100, 0, -100, -200, -300, *[0] * 8),
    "notrump": (0, 0, 0, 0, -100, -200, *[0] * 8),
}


@dataclass(frozen=True)
class ContestedPoints:
    """Points of one hand of n deals in competition, in hundredths.

    Parameters
    ----------
    honour_change : ndarray of int16 [shape=(n,)]
        Change of honour points.
    length_change : ndarray of int16 [shape=(n,)]
        Change for length or shortness in suits of the opponents.
    hld : ndarray of int16 [shape=(n,)]
        HLD of the hand with both changes, to compare with `MINIMA`.
    allowed : ndarray of bool [shape=(n,)]
        False if notrump is impossible: fewer than three cards in a suit of the opponents.
    """

    honour_change: np.ndarray
    length_change: np.ndarray
    hld: np.ndarray
    allowed: np.ndarray


@cache
def change_honours(over: bool, under: bool) -> np.ndarray:
    """Return the gain or loss of the honours of a suit: int16 [8192], in hundredths.

    Parameters
    ----------
    over : bool
        The opponent on the right bid the suit, so that this hand plays after him.
    under : bool
        The opponent on the left bid it. If both did, king and queen gain and lose nothing.

    Examples
    --------
    >>> Kxx, Kxxxx, KQx = 0b0100000000011, 0b0100000001111, 0b0110000000001
    >>> change_honours(False, False)[[Kxx, Kxxxx, KQx]].tolist()
    [-100, 0, 0]
    >>> change_honours(True, False)[[Kxx, Kxxxx, KQx]].tolist()
    [-100, -100, 100]
    """
    ace, king, queen, jack, ten = (held == 1 for held in holdings.has_honours())
    length = holdings.length()
    lone_king = king & ~(ace | queen | jack | ten)
    lone_jack = jack & ~(ace | king | queen | ten) & (length >= 3)
    king_queen = king & queen & ~(ace | jack)
    loses_king = lone_king & (over | under | (length == 3) | (length == 4))
    return holdings.freeze(-100 * loses_king - 50 * lone_jack + 100 * (int(over) - int(under)) * king_queen)


def evaluate_contested(
    hand: np.ndarray, left: int | None = None, right: int | None = None, action: str = "suit"
) -> ContestedPoints:
    """Return the optimal points of a hand after opponents have bid.

    Parameters
    ----------
    hand : ndarray of uint64 [shape=(n,)]
    left, right : int, optional
        Suit bid by the opponent on that side of this hand, S H D C = 0..3. For partner exchange the two.
    action : {"suit", "notrump"}
        The intended call: a suit or a double, or notrump.

    Returns
    -------
    Contested

    Raises
    ------
    ArgumentError
        The suit or action is unknown, or the hands have another type or shape.

    Examples
    --------
    >>> from dealerkit.cards.deals import Deals
    >>> deals = Deals.from_pbn(["N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"])
    >>> east = evaluate_contested(deals.hand("east"), right=0)
    >>> int(east.honour_change[0]), int(east.length_change[0])
    (-50, 0)
    >>> int(evaluate_contested(deals.hand("east"), right=3).honour_change[0])
    50
    """
    if action not in MINIMA:
        raise ArgumentError(f"action is {action!r}; it is one of {', '.join(MINIMA)}")
    for name, suit in (("left", left), ("right", right)):
        if suit is not None and suit not in range(4):
            suits = ", ".join(f"{number} {word}" for number, word in enumerate(SUITS))
            raise ArgumentError(f"{name} is {suit!r}; a suit is {suits}")
    if not isinstance(hand, np.ndarray) or hand.dtype != np.uint64 or hand.ndim != 1:
        raise ArgumentError("hands are an array of uint64 with one dimension, such as deals.hands[:, 0]")
    # The second hand is empty, so that the opener's points are those without regard to partner.
    alone = OptimalPoints(hand, np.zeros_like(hand), opener=0)
    honours = np.zeros(len(hand), np.int16)
    length = np.zeros(len(hand), np.int16)
    allowed = np.ones(len(hand), bool)
    by_length = np.array(_BY_LENGTH[action], np.int16)
    for suit in range(4):
        honours += change_honours(suit == right, suit == left).take(alone.holdings[0, suit])
        if suit in (left, right):
            cards = alone.lengths[0, suit]
            length += by_length.take(cards)
            allowed &= (action == "suit") | (cards >= 3)
    hld = np.maximum(alone.unclipped_hl[0] + honours + length, 0) + alone.hand_distribution[0]
    return ContestedPoints(honours, length, hld.astype(np.int16), allowed)
