"""A solved deal in 36 bytes: which cards each seat has, and bounds of its twenty results.

Two words give every card two bits that name its owner; twenty bytes hold a lower bound in the low
and an upper bound in the high nibble, by strain (S H D C N) and declarer (N E S W). All functions
take and return arrays; `dealerkit.doubledummy.store.database` keeps such entries on disk.
"""

from __future__ import annotations

import numpy as np

from dealerkit.cards.names import FULL_DECK

ENTRY = np.dtype([("odd", "<u8"), ("late", "<u8"), ("bounds", "u1", (20,))])
UNKNOWN = 13 << 4  # from 0 to 13 tricks


def planes(hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A deal in two words: the cards of east and west, the cards of south and west.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Deals of 52 cards.

    Returns
    -------
    odd, late : ndarray of uint64 [n]
        For each card the low and the high bit of its owner's number, N E S W = 0..3.

    Examples
    --------
    >>> odd, late = planes(np.array([[8, 4, 2, 1]], np.uint64))
    >>> int(odd[0]), int(late[0])
    (5, 3)
    """
    return hands[:, 1] | hands[:, 3], hands[:, 2] | hands[:, 3]


def are_deals(hands: np.ndarray, odd: np.ndarray, late: np.ndarray) -> np.ndarray:
    """Do the planes give the hands back? They do not where cards are missing or held twice.

    Returns
    -------
    ndarray of bool [n]
    """
    both = odd & late
    same = hands[:, 3] == both
    same &= hands[:, 1] == odd ^ both
    same &= hands[:, 2] == late ^ both
    same &= hands[:, 0] == (odd | late) ^ np.uint64(FULL_DECK)
    return same


def deal_hash(odd: np.ndarray, late: np.ndarray) -> np.ndarray:
    """A number for each deal, from its `planes`.

    The finalizer of MurmurHash3 (A. Appleby, 2011, public domain) over one word, then over both. It
    is part of the file's format: another hash needs another version of the store.

    Returns
    -------
    ndarray of uint64 [n]
    """
    return _mixed(_mixed(odd) ^ late)


def _mixed(word: np.ndarray) -> np.ndarray:
    word = word ^ (word >> np.uint64(33))
    word *= np.uint64(0xFF51AFD7ED558CCD)
    word ^= word >> np.uint64(33)
    word *= np.uint64(0xC4CEB9FE1A85EC53)
    word ^= word >> np.uint64(33)
    return word


def pack_bounds(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Bounds 0 to 13 as bytes: ``low | high << 4``.

    >>> pack_bounds(np.array([9], np.int8), np.array([13], np.int8))
    array([217], dtype=uint8)
    """
    packed = high.astype(np.uint8)
    packed <<= 4
    packed |= low.view(np.uint8)
    return packed


def unpack_bounds(packed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The bounds that `pack_bounds` packed, as ndarrays of int8."""
    return (packed & 15).view(np.int8), (packed >> 4).view(np.int8)


def narrow(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """What two packed bounds say together; the new ones where they contradict each other.

    Parameters
    ----------
    old, new : ndarray of uint8

    Returns
    -------
    ndarray of uint8

    Examples
    --------
    >>> hex(narrow(np.array([0xD8], np.uint8), np.array([0xA0], np.uint8))[0])  # 8..13 and 0..10
    '0xa8'
    """
    low = np.maximum(old & 15, new & 15)
    high = np.minimum(old >> 4, new >> 4)
    return np.where(low <= high, low | high << 4, new)


def join(entries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Entries in order of their hash, those of one deal made one.

    Returns
    -------
    key : ndarray of uint64 [m]
    entries : ndarray of ENTRY [m]
    """
    key = deal_hash(entries["odd"], entries["late"])
    order = np.argsort(key, kind="stable")
    key, entries = key[order], entries[order]
    repeated = np.flatnonzero(key[1:] == key[:-1]) + 1
    if not len(repeated):
        return key, entries
    for i in repeated.tolist():  # few: `answers` asks about each deal once
        entries["bounds"][i] = narrow(entries["bounds"][i - 1], entries["bounds"][i])
    last = np.append(key[1:] != key[:-1], True)
    return key[last], entries[last]


def match(
    entries: np.ndarray, key: np.ndarray, odd: np.ndarray, late: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where among entries some deals are.

    Parameters
    ----------
    entries : ndarray of ENTRY [m]
        In any order, each deal once.
    key, odd, late : ndarray of uint64 [n]
        Hash and planes of the deals, in order of the hash.

    Returns
    -------
    found : ndarray of bool [n]
        The whole deal is the same, not only its hash.
    at : ndarray of int64 [n]
        Its place among the entries; any number where it was not found.
    """
    if not len(entries):
        return np.zeros(len(key), bool), np.zeros(len(key), np.int64)
    has = np.ascontiguousarray(entries["odd"]), np.ascontiguousarray(entries["late"])
    theirs = deal_hash(*has)
    order = np.argsort(theirs)
    at = order[np.minimum(np.searchsorted(theirs[order], key), len(entries) - 1)]
    return (has[0][at] == odd) & (has[1][at] == late), at
