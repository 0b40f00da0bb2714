"""Optimal points for distribution with a trump suit (DFIT): lengths in, hundredths out.

They rest on the lengths of both hands and on who opened, on no card. The two hands of a side
are called as the reference calls them: E is the first (north or east), W the second.

References
----------
P. Darricades, Optimal Point Count; the details as computed by JGM's program DOP 21.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

E, W = 0, 1
_POINTS = np.array([400, 200, 50, *[0] * 11], np.int16)  # D by length


@dataclass(frozen=True)
class Short:
    """The shortest suit of each hand and the next one, of equal ones the lower in rank.

    Parameters
    ----------
    suit, length : ndarray of int16 [shape=(2, n)]
        Hand, deal; suits S H D C = 0..3.
    next_suit, next_length : ndarray of int16 [shape=(2, n)]
    """

    suit: np.ndarray
    length: np.ndarray
    next_suit: np.ndarray
    next_length: np.ndarray


def shortest(lengths: np.ndarray) -> Short:
    """The two shortest suits of every hand.

    Parameters
    ----------
    lengths : ndarray of int16 [shape=(2, 4, n)]
        Hand, suit, deal.

    Examples
    --------
    >>> short = shortest(np.array([[[6], [3], [3], [1]], [[3], [1], [5], [4]]], np.int16))
    >>> short.suit[:, 0].tolist(), short.next_suit[:, 0].tolist()
    ([3, 1], [2, 0])
    """
    keys = lengths * 4 + np.array([3, 2, 1, 0], np.int16)[:, None]
    low, high = np.minimum(keys[:, :2], keys[:, 2:]), np.maximum(keys[:, :2], keys[:, 2:])
    first = np.minimum(low[:, 0], low[:, 1])
    second = np.minimum(np.maximum(low[:, 0], low[:, 1]), np.minimum(high[:, 0], high[:, 1]))
    return Short(3 - (first & 3), first >> 2, 3 - (second & 3), second >> 2)


def fit_points(lengths: np.ndarray, trump: int, opener: int, short: Short, variant: str) -> np.ndarray:
    """DFIT of both hands in one trump suit.

    With a fit of eight the opener counts shortness, and a hand with fewer than five trumps
    counts instead the trumps with which it ruffs, once for a suit that both could ruff.

    Parameters
    ----------
    lengths : ndarray of int16 [shape=(2, 4, n)]
        Hand, suit, deal.
    trump : int
        S H D C = 0..3.
    opener : {0, 1}
        The hand that opened.
    short : Short
        Of the same lengths.
    variant : {"intended", "coded"}
        Five trumps opposite five: DOP keeps the half point of a doubleton (``coded``), which all
        other fits lose (``intended``).

    Returns
    -------
    ndarray of int16 [shape=(2, n)]
        Hundredths of a point, for each hand.

    Examples
    --------
    >>> lengths = np.array([[[6], [3], [3], [1]], [[3], [1], [5], [4]]], np.int16)
    >>> fit_points(lengths, 0, 0, shortest(lengths), "intended")[:, 0].tolist()
    [200, 200]
    """
    trumps = lengths[:, trump]
    combined = trumps[0] + trumps[1]
    points = _POINTS.take(lengths)
    points[:, trump] = 0
    both_long = (trumps[0] >= 5) & (trumps[1] >= 5)
    usual = _usual(points, trumps, opener, short)
    total = _whole(usual.sum(axis=1, dtype=np.int16))
    if np.any(both_long):
        rows = np.flatnonzero(both_long)
        once = _larger_of_both(points[..., rows]).sum(axis=1, dtype=np.int16)
        total[:, rows] = once if variant == "coded" else _whole(once)
    semi = (combined == 7) & ((trumps[0] == 5) | (trumps[0] == 2))
    if np.any(semi):
        rows = np.flatnonzero(semi)
        part = _five_two(
            points[..., rows], trumps[:, rows], opener, short.suit[:, rows], short.length[:, rows]
        )
        total[:, rows] = _whole(part.sum(axis=1, dtype=np.int16))
    return total


def _whole(points: np.ndarray) -> np.ndarray:
    return points - points % 100  # never below 0


def _at(suit: np.ndarray) -> np.ndarray:
    """Truth of being that suit, bool [4, n], for suits [n]."""
    return suit == np.arange(4, dtype=np.int16)[:, None]


def _larger_of_both(points: np.ndarray) -> np.ndarray:
    west = points[W] >= points[E]
    return np.stack([np.where(west, 0, points[E]), np.where(west, points[W], 0)])


def _five_two(
    points: np.ndarray, trumps: np.ndarray, opener: int, suit: np.ndarray, length: np.ndarray
) -> np.ndarray:
    """The opener's shortness, and 2 less its length for the ruffs of the hand with two trumps."""
    kept = points.copy()
    kept[1 - opener] = 0
    for hand in (E, W):
        ruffs = (trumps[hand] == 2) & (length[hand] < 2)
        place = _at(suit[hand]) & ruffs
        kept[hand] = np.where(place, 100 * (2 - length[hand]), kept[hand])
        kept[1 - hand] = np.where(place, 0, kept[1 - hand])
    return kept


def _usual(points: np.ndarray, trumps: np.ndarray, opener: int, short: Short) -> np.ndarray:
    """All fits but 5-2 and two hands of five: points by hand and suit."""
    kept = points.copy()
    other = 1 - opener
    kept[other] *= trumps[other] >= 5
    ruffing = (trumps < 5) & (short.length < 3) & (short.length < trumps) & (trumps.sum(axis=0) >= 8)
    common = ruffing[0] & ruffing[1] & (short.suit[0] == short.suit[1])
    suit, length, takes = short.suit, short.length, ruffing
    if np.any(common):
        suit, length, takes = _share_out(short, ruffing, common)
    place = [_at(suit[hand]) for hand in (E, W)]
    own = np.stack([place[hand] & takes[hand] for hand in (E, W)])
    # Of the common suit the hand that ruffs another, or nothing, keeps no shortness either.
    shared = _at(short.suit[0]) & common
    for hand in (E, W):
        kept[hand] = np.where(own[1 - hand] | shared, 0, kept[hand])
        kept[hand] = np.where(own[hand], 100 * (trumps[hand] - length[hand]), kept[hand])
    return kept


def _share_out(
    short: Short, ruffing: np.ndarray, common: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Suit, its length and whether it is ruffed, by hand [2, n], where both have the same shortest suit."""
    able = short.next_length <= 2
    west_next = able[W] & (~able[E] | (short.next_length[W] <= short.next_length[E]))
    east_next = able[E] & ~west_next
    seconds = np.stack([east_next, west_next])
    east_common = ~able[E] & ~able[W] & (short.length[E] <= short.length[W])
    west_common = ~able[E] & ~able[W] & ~east_common
    idle = np.stack([west_common, east_common])
    suit = np.where(common & seconds, short.next_suit, short.suit)
    length = np.where(common & seconds, short.next_length, short.length)
    return suit, length, ruffing & ~(common & idle)
