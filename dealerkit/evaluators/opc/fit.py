"""Optimal points for distribution with a trump suit (DFIT), in hundredths.

They depend on the suit lengths of both hands and on the opener, not on cards. The first hand is north or
east, the second south or west.

References
----------
P. Darricades, Optimal Point Count; the details as computed by JGM's program DOP 21.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dealerkit.evaluators.opc.suit_tables import SHORTNESS

FIRST, SECOND = 0, 1  # hands of a side


@dataclass(frozen=True, eq=False, repr=False)
class ShortSuits:
    """The shortest suit of each hand and the next one; of equal lengths the lower in rank.

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


def find_short_suits(lengths: np.ndarray) -> ShortSuits:
    """Return the two shortest suits of each hand.

    Parameters
    ----------
    lengths : ndarray of int16 [shape=(2, 4, n)]
        Hand, suit, deal.

    Examples
    --------
    >>> short = find_short_suits(np.array([[[6], [3], [3], [1]], [[3], [1], [5], [4]]], np.int16))
    >>> short.suit[:, 0].tolist(), short.next_suit[:, 0].tolist()
    ([3, 1], [2, 0])
    """
    keys = lengths * 4 + np.array([3, 2, 1, 0], np.int16)[:, None]
    low, high = np.minimum(keys[:, :2], keys[:, 2:]), np.maximum(keys[:, :2], keys[:, 2:])
    first = np.minimum(low[:, 0], low[:, 1])
    second = np.minimum(np.maximum(low[:, 0], low[:, 1]), np.minimum(high[:, 0], high[:, 1]))
    return ShortSuits(3 - (first & 3), first >> 2, 3 - (second & 3), second >> 2)


def fit_points(lengths: np.ndarray, trump: int, opener: int, short: ShortSuits, variant: str) -> np.ndarray:
    """Return DFIT of both hands in one trump suit.

    With a fit of eight the opener counts shortness. A hand with fewer than five trumps counts the trumps with
    which it can ruff instead; of a suit that both hands can ruff only one hand counts them.

    Parameters
    ----------
    lengths : ndarray of int16 [shape=(2, 4, n)]
        Hand, suit, deal.
    trump : int
        S H D C = 0..3.
    opener : {0, 1}
        Position of the hand that opened.
    short : ShortSuits
        Of the same lengths.
    variant : {"intended", "coded"}
        With five trumps opposite five, ``coded`` counts half points as DOP does. ``intended`` truncates them
        as in all other fits.

    Returns
    -------
    ndarray of int16 [shape=(2, n)]
        Hundredths of a point, for each hand.

    Examples
    --------
    >>> lengths = np.array([[[6], [3], [3], [1]], [[3], [1], [5], [4]]], np.int16)
    >>> fit_points(lengths, 0, 0, find_short_suits(lengths), "intended")[:, 0].tolist()
    [200, 200]
    """
    trumps = lengths[:, trump]
    combined = trumps[0] + trumps[1]
    points = SHORTNESS.take(lengths)
    points[:, trump] = 0
    both_long = (trumps[0] >= 5) & (trumps[1] >= 5)
    total = truncate_points(_value_fit(points, trumps, opener, short).sum(axis=1, dtype=np.int16))
    if np.any(both_long):
        rows = np.flatnonzero(both_long)
        larger = _take_larger(points[..., rows]).sum(axis=1, dtype=np.int16)
        total[:, rows] = larger if variant == "coded" else truncate_points(larger)
    five_two = (combined == 7) & ((trumps[0] == 5) | (trumps[0] == 2))
    if np.any(five_two):
        rows = np.flatnonzero(five_two)
        part = _value_five_two(
            points[..., rows], trumps[:, rows], opener, short.suit[:, rows], short.length[:, rows]
        )
        total[:, rows] = truncate_points(part.sum(axis=1, dtype=np.int16))
    return total


def truncate_points(points: np.ndarray) -> np.ndarray:
    """Return hundredths of at least 0 without fractions of a point."""
    result: np.ndarray = points - points % 100
    return result


def _is_suit(suit: np.ndarray) -> np.ndarray:
    """Return for each suit whether it is that of the deal: bool [4, n] for suits [n]."""
    result: np.ndarray = suit == np.arange(4, dtype=np.int16)[:, None]
    return result


def _take_larger(points: np.ndarray) -> np.ndarray:
    """Return the points of the hand with more of them in each suit, and 0 for the other: [2, 4, n]."""
    is_second = points[SECOND] >= points[FIRST]
    return np.stack([np.where(is_second, 0, points[FIRST]), np.where(is_second, points[SECOND], 0)])


def _value_five_two(
    points: np.ndarray, trumps: np.ndarray, opener: int, suit: np.ndarray, length: np.ndarray
) -> np.ndarray:
    """Return points of a 5-2 fit by suit: opener's shortness, and the ruffs of the hand with two trumps."""
    values = points.copy()
    values[1 - opener] = 0
    for hand in (FIRST, SECOND):
        ruffs = (trumps[hand] == 2) & (length[hand] < 2)
        is_ruffed = _is_suit(suit[hand]) & ruffs
        values[hand] = np.where(is_ruffed, 100 * (2 - length[hand]), values[hand])
        values[1 - hand] = np.where(is_ruffed, 0, values[1 - hand])
    return values


def _value_fit(points: np.ndarray, trumps: np.ndarray, opener: int, short: ShortSuits) -> np.ndarray:
    """Return points by hand and suit of a fit other than 5-2 and five opposite five."""
    values = points.copy()
    values[1 - opener] *= trumps[1 - opener] >= 5
    ruffs = (trumps < 5) & (short.length < 3) & (short.length < trumps) & (trumps.sum(axis=0) >= 8)
    common = ruffs[0] & ruffs[1] & (short.suit[0] == short.suit[1])
    suit, length = short.suit, short.length
    if np.any(common):
        suit, length, ruffs = _assign_common_suit(short, ruffs, common)
    is_ruffed = np.stack([_is_suit(suit[hand]) & ruffs[hand] for hand in (FIRST, SECOND)])
    # A hand that does not ruff the common suit does not count its shortness either.
    is_common_suit = _is_suit(short.suit[0]) & common
    for hand in (FIRST, SECOND):
        values[hand] = np.where(is_ruffed[1 - hand] | is_common_suit, 0, values[hand])
        values[hand] = np.where(is_ruffed[hand], 100 * (trumps[hand] - length[hand]), values[hand])
    return values


def _assign_common_suit(
    short: ShortSuits, ruffs: np.ndarray, common: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the suit that each hand ruffs, its length, and whether it ruffs: [2, n] each.

    If both hands have the same shortest suit (`common`), one of them ruffs its next suit, or nothing if
    neither has another short suit.
    """
    has_next = short.next_length <= 2
    second_is_shorter = short.next_length[SECOND] <= short.next_length[FIRST]
    second_takes_next = has_next[SECOND] & (~has_next[FIRST] | second_is_shorter)
    first_takes_next = has_next[FIRST] & ~second_takes_next
    takes_next = np.stack([first_takes_next, second_takes_next]) & common
    none_has_next = ~has_next[FIRST] & ~has_next[SECOND] & common
    first_ruffs = short.length[FIRST] <= short.length[SECOND]
    without_ruff = np.stack([none_has_next & ~first_ruffs, none_has_next & first_ruffs])
    suit = np.where(takes_next, short.next_suit, short.suit)
    length = np.where(takes_next, short.next_length, short.length)
    return suit, length, ruffs & ~without_ruff
