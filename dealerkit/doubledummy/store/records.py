"""Records of solved deals: the cards of each seat and bounds of the twenty results, in 36 bytes.

Two 64-bit words have two bits for each card, the number of its owner. Twenty bytes have a lower bound in the
low nibble and an upper bound in the high nibble, by strain (S H D C N) and declarer (N E S W). All functions
take and return arrays; `dealerkit.doubledummy.store.database` keeps the records on disk.
"""

from __future__ import annotations

import numpy as np

from dealerkit.cards.names import FULL_DECK

RECORD = np.dtype([("east_west", "<u8"), ("south_west", "<u8"), ("bounds", "u1", (20,))])
UNKNOWN_BOUNDS = 13 << 4  # from 0 to 13 tricks


def encode_deals(hands: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Encode each deal in two words: the cards of east and west, and the cards of south and west.

    Parameters
    ----------
    hands : ndarray of uint64 [n, 4]
        Deals of 52 cards.

    Returns
    -------
    east_west, south_west : ndarray of uint64 [n]
        For each card, the low and the high bit of its owner's number, N E S W = 0..3.

    Examples
    --------
    >>> east_west, south_west = encode_deals(np.array([[8, 4, 2, 1]], np.uint64))
    >>> int(east_west[0]), int(south_west[0])
    (5, 3)
    """
    return hands[:, 1] | hands[:, 3], hands[:, 2] | hands[:, 3]


def decode_deals(east_west: np.ndarray, south_west: np.ndarray) -> np.ndarray:
    """Return the hands, uint64 [n, 4], of the two words of each deal.

    >>> decode_deals(*encode_deals(np.array([[8, 4, 2, 1]], np.uint64)))[:, 1:]
    array([[4, 2, 1]], dtype=uint64)
    """
    west = east_west & south_west
    north = (east_west | south_west) ^ np.uint64(FULL_DECK)
    return np.stack([north, east_west ^ west, south_west ^ west, west], axis=-1)


def are_deals(hands: np.ndarray, east_west: np.ndarray, south_west: np.ndarray) -> np.ndarray:
    """Return whether each row is a deal of 52 cards with hands that follow from the two words: bool [n]."""
    both = east_west & south_west
    equal = hands[:, 3] == both
    equal &= hands[:, 1] == east_west ^ both
    equal &= hands[:, 2] == south_west ^ both
    equal &= hands[:, 0] == (east_west | south_west) ^ np.uint64(FULL_DECK)
    return equal


def hash_deals(east_west: np.ndarray, south_west: np.ndarray) -> np.ndarray:
    """Return a hash of each deal, from the two words of `encode_deals`.

    It is the finalizer of MurmurHash3 (A. Appleby, 2011, public domain) of one word, then of both. It is part
    of the file format: another hash needs another version of the store.

    Returns
    -------
    ndarray of uint64 [n]
    """
    return mix_bits(mix_bits(east_west) ^ south_west)


def mix_bits(word: np.ndarray) -> np.ndarray:
    """Return the finalizer of MurmurHash3 for each word."""
    word = word ^ (word >> np.uint64(33))
    word *= np.uint64(0xFF51AFD7ED558CCD)
    word ^= word >> np.uint64(33)
    word *= np.uint64(0xC4CEB9FE1A85EC53)
    word ^= word >> np.uint64(33)
    return word


def pack_bounds(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Pack bounds 0 to 13 into bytes: ``low | high << 4``.

    >>> pack_bounds(np.array([9], np.int8), np.array([13], np.int8))
    array([217], dtype=uint8)
    """
    packed = high.astype(np.uint8)
    packed <<= 4
    packed |= low.view(np.uint8)
    return packed


def unpack_bounds(packed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return lower and upper bounds, int8, from the bytes of `pack_bounds`."""
    return (packed & 15).view(np.int8), (packed >> 4).view(np.int8)


def intersect_bounds(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Return the intersection of packed bounds, uint8; the new bounds if the intersection is empty.

    >>> hex(intersect_bounds(np.array([0xD8], np.uint8), np.array([0xA0], np.uint8))[0])  # 8..13 and 0..10
    '0xa8'
    """
    low = np.maximum(old & 15, new & 15)
    high = np.minimum(old >> 4, new >> 4)
    return np.where(low <= high, low | high << 4, new)


def merge_records(records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sort records by their hash, and merge the records of equal deals.

    Returns
    -------
    key : ndarray of uint64 [m]
    records : ndarray of RECORD [m]
    """
    key = hash_deals(records["east_west"], records["south_west"])
    order = np.argsort(key, kind="stable")
    key, records = key[order], records[order]
    repeated = np.flatnonzero(key[1:] == key[:-1]) + 1
    if not len(repeated):
        return key, records
    for i in repeated.tolist():  # only a few, since `bounds` updates each deal once
        records["bounds"][i] = intersect_bounds(records["bounds"][i - 1], records["bounds"][i])
    last = np.append(key[1:] != key[:-1], True)
    return key[last], records[last]


def find_records(
    records: np.ndarray, key: np.ndarray, east_west: np.ndarray, south_west: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Find the records of some deals.

    Parameters
    ----------
    records : ndarray of RECORD [m]
        In any order, each deal once.
    key, east_west, south_west : ndarray of uint64 [n]
        Hash and words of the deals, in order of the hash.

    Returns
    -------
    is_recorded : ndarray of bool [n]
        Whether there is a record of the same deal, not only of the same hash.
    index : ndarray of int64 [n]
        Index of the record; arbitrary if there is none.
    """
    if not len(records):
        return np.zeros(len(key), bool), np.zeros(len(key), np.int64)
    words = np.ascontiguousarray(records["east_west"]), np.ascontiguousarray(records["south_west"])
    hashes = hash_deals(*words)
    order = np.argsort(hashes)
    index = order[np.minimum(np.searchsorted(hashes[order], key), len(records) - 1)]
    return (words[0][index] == east_west) & (words[1][index] == south_west), index
