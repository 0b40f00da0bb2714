"""Compiled loops over hands: a table summed over the four suits, and the pattern.

The first call of each function compiles it or loads it from disk.
"""

from __future__ import annotations

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.runtime.compiled import kernel, popcount


@kernel
def _sum_suits(hand: np.ndarray, table: np.ndarray, out: np.ndarray) -> None:
    """Write `sum_suits` to `out`."""
    mask = np.uint64(0x1FFF)
    for i in range(hand.size):
        cards = hand[i]
        out[i] = (
            table[cards >> np.uint64(48) & mask]
            + table[cards >> np.uint64(32) & mask]
            + table[cards >> np.uint64(16) & mask]
            + table[cards & mask]
        )


@kernel
def _pattern_code(hand: np.ndarray, out: np.ndarray) -> None:
    """Write `pattern_code` to `out`."""
    mask = np.uint64(0x1FFF)
    for i in range(hand.size):
        cards = hand[i]
        out[i] = (
            popcount(cards >> np.uint64(48) & mask) << np.uint64(8)
            | popcount(cards >> np.uint64(32) & mask) << np.uint64(4)
            | popcount(cards >> np.uint64(16) & mask)
        )


def _view_read_only(array: np.ndarray) -> np.ndarray:
    """Return a contiguous read-only view, so that each kernel compiles for one array type only."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def _check_hands(hand: np.ndarray) -> np.ndarray:
    """Return the hands as the kernels take them, or raise ArgumentError."""
    if not isinstance(hand, np.ndarray) or hand.dtype != np.uint64 or hand.ndim != 1:
        raise ArgumentError("hands are an array of uint64 with one dimension, such as deals.hands[:, 0]")
    return _view_read_only(hand)


def sum_suits(hand: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Return the sum of a table over the four suits of each hand.

    Parameters
    ----------
    hand : ndarray of uint64 [shape=(n,)]
    table : ndarray of int16, int32 or int64 [shape=(8192,)]
        A value for each holding. Its type must hold the sum over four suits: see `holdings.points`.

    Returns
    -------
    ndarray [shape=(n,)]
        Of the table's type.

    Raises
    ------
    ArgumentError
        An array has another type or shape.

    Examples
    --------
    >>> from dealerkit.evaluators.holdings import length
    >>> sum_suits(np.array([0x1FFF, 0x0001_0003_0007_000F], np.uint64), length())
    array([13, 10], dtype=int16)
    """
    if table.shape != (8192,) or table.dtype.kind != "i":
        raise ArgumentError("a table of holdings is an array of 8192 integers")
    cards = _check_hands(hand)
    out = np.empty(len(cards), table.dtype)
    _sum_suits(cards, _view_read_only(table), out)
    return out


def pattern_code(hand: np.ndarray) -> np.ndarray:
    """Return the lengths of spades, hearts and diamonds in one number: s << 8 | h << 4 | d.

    Parameters
    ----------
    hand : ndarray of uint64 [shape=(n,)]

    Returns
    -------
    ndarray of int16 [shape=(n,)], 0 to 0xD00

    Raises
    ------
    ArgumentError
        The array has another type or shape.

    Examples
    --------
    >>> hex(pattern_code(np.array([0x000F_0007_0007_0007], np.uint64))[0])
    '0x433'
    """
    cards = _check_hands(hand)
    out = np.empty(len(cards), np.int16)
    _pattern_code(cards, out)
    return out
