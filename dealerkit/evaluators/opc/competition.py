"""Optimal points of one hand when opponents have bid: honours and lengths in their suits.

References
----------
P. Darricades, Optimal Point Count; the details as described for the option ``-A`` of JGM's
program DOP 21.3. No values of the program are at hand for comparison.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, SUITS
from dealerkit.errors import ArgumentError
from dealerkit.evaluators import holdings
from dealerkit.evaluators.opc.pairs import Pair

MINIMA = {"suit": (1300, 1500, 1800), "notrump": (1500, 1800, 2100)}
"""Adjusted HLD for an overcall or double, and for notrump, at the levels of one, two and three."""

_BY_LENGTH = {
    "suit": (100, 100, 0, -100, -200, -300, *[0] * 8),
    "notrump": (0, 0, 0, 0, -100, -200, *[0] * 8),
}


@dataclass(frozen=True)
class Contested:
    """One hand of n deals in competition; hundredths of a point.

    Parameters
    ----------
    h : ndarray of int16 [shape=(n,)]
        Change of honour points.
    l : ndarray of int16 [shape=(n,)]
        Change for length or shortness in their suits.
    hld : ndarray of int16 [shape=(n,)]
        HLD of the hand with both changes, to be compared with `MINIMA`.
    allowed : ndarray of bool [shape=(n,)]
        False where notrump is out of the question: fewer than three cards in a suit of theirs.
    """

    h: np.ndarray
    l: np.ndarray
    hld: np.ndarray
    allowed: np.ndarray


@cache
def _lone() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Truth of a lone king, of a lone jack in three cards or more, and of just king and queen: [8192]."""
    lanes = np.arange(8192)
    a, k, q, j, t = ((lanes >> bit & 1).astype(bool) for bit in (12, 11, 10, 9, 8))
    jack = j & ~(a | k | q | t) & (holdings.length() >= 3)
    return k & ~(a | q | j | t), jack, k & q & ~(a | j)


@cache
def change_of_honours(over: bool, under: bool) -> np.ndarray:
    """What the honours of a suit gain or lose: int16 [8192], in hundredths.

    Parameters
    ----------
    over : bool
        The opponent on the right bid the suit, so that we sit over him.
    under : bool
        The opponent on the left bid it. Where both did, king and queen gain nothing and lose nothing.

    Examples
    --------
    >>> Kxx, Kxxxx, KQx = 0b0100000000011, 0b0100000001111, 0b0110000000001
    >>> change_of_honours(False, False)[[Kxx, Kxxxx, KQx]].tolist()
    [-100, 0, 0]
    >>> change_of_honours(True, False)[[Kxx, Kxxxx, KQx]].tolist()
    [-100, -100, 100]
    """
    king, jack, king_queen = _lone()
    length = holdings.length()
    theirs = over or under
    changed = -100 * (king & (theirs | ((length == 3) | (length == 4)))) - 50 * jack
    changed = (changed + 100 * (int(over) - int(under)) * king_queen).astype(np.int16)
    changed.flags.writeable = False
    return changed


def contested(
    hand: np.ndarray, left: int | None = None, right: int | None = None, action: str = "suit"
) -> Contested:
    """Optimal points of a hand after opponents have bid.

    Parameters
    ----------
    hand : ndarray of uint64 [shape=(n,)]
    left, right : int, optional
        Suit bid by the opponent on that side of this hand, S H D C = 0..3. For partner they change sides.
    action : {"suit", "notrump"}
        What the hand is measured for: a suit or a double, or notrump.

    Returns
    -------
    Contested

    Raises
    ------
    ArgumentError
        An unknown suit or action, or hands of another type or shape.

    Examples
    --------
    >>> from dealerkit.cards.deals import Deals
    >>> deals = Deals.from_pbn(["N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"])
    >>> east = contested(deals.hand("east"), right=0)
    >>> int(east.h[0]), int(east.l[0]), int(contested(deals.hand("east"), right=3).h[0])
    (-50, 0, 50)
    """
    if action not in MINIMA:
        raise ArgumentError(f"action is {action!r}; it is one of {', '.join(MINIMA)}")
    for name, suit in (("left", left), ("right", right)):
        if suit is not None and suit not in range(4):
            known = ", ".join(f"{number} {word}" for number, word in enumerate(SUITS))
            raise ArgumentError(f"{name} is {suit!r}; a suit is {known}")
    if not isinstance(hand, np.ndarray) or hand.dtype != np.uint64 or hand.ndim != 1:
        raise ArgumentError("hands are an array of uint64 with one dimension, such as deals.hands[:, 0]")
    lanes = (hand >> np.array(LANE_SHIFTS, np.uint64)[:, None] & np.uint64(LANE_MASK)).view(np.int64)
    honours = np.zeros(len(hand), np.int16)
    length = np.zeros(len(hand), np.int16)
    allowed = np.ones(len(hand), bool)
    by_length = np.array(_BY_LENGTH[action], np.int16)
    for suit, lane in enumerate(lanes):
        honours += change_of_honours(suit == right, suit == left).take(lane)
        if suit in (left, right):
            cards = holdings.length().take(lane)
            length += by_length.take(cards)
            allowed &= (action == "suit") | (cards >= 3)
    # The hand speaks for itself: as if it opened, beside nothing.
    alone = Pair(np.stack([lanes, np.zeros_like(lanes)]), 0, "intended")
    own = np.maximum(alone.hl_sum[0] + honours + length, 0) + alone.d_hand[0]
    return Contested(honours, length, own.astype(np.int16), allowed)
