"""The records of Pavlicek's formats: 13 bytes of cards, 10 bytes of tricks.

Bits are numbered from the lowest bit of the first byte. Owners of cards are W N E S = 0..3, two bits each, in
the order spades, hearts, diamonds, clubs, ace to deuce. Tricks have four bits each, in the order NT S H D C,
and within a strain by declarer W N E S. Ten zero bytes are the table of a deal that was not solved.

Records are read from one array of bytes by their numbers, so a file in memory is decoded where it is needed.
"""

from __future__ import annotations

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS, SEATS, STRAINS
from dealerkit.system.compiled import kernel, popcount

CARD_BYTES, TABLE_BYTES = 13, 10
BATCH = 65_536  # records encoded together

_MASK, _LANE = np.uint64((1 << 52) - 1), np.uint64(0x1FFF)
_0, _1, _2, _3, _4, _13, _15, _26, _39 = (np.uint64(i) for i in (0, 1, 2, 3, 4, 13, 15, 26, 39))
_16, _32, _48 = (np.uint64(i) for i in (16, 32, 48))
_CARDS = np.array([1 << (shift + rank) for shift in LANE_SHIFTS for rank in range(12, -1, -1)], np.uint64)


def _split_owners() -> np.ndarray:
    """Return for each byte the lower bits of its owners, first card highest, then the upper bits."""
    owners = np.arange(256)[:, None] >> np.array([0, 2, 4, 6]) & 3
    places = np.array([8, 4, 2, 1])
    return ((owners & 1) @ places + 16 * ((owners >> 1) @ places)).astype(np.uint8)


_OWNERS = _split_owners()


@kernel
def _decode_hands(records, rows, owners, seats, hands):
    """Set `hands` [4, n] of the requested seats; return the position of the first illegal deal, or -1."""
    for i in range(rows.size):
        row = rows[i]
        lower, upper = _0, _0
        for k in range(13):
            bits = np.uint64(owners[records[row, k]])
            lower = lower << _4 | bits & _15
            upper = upper << _4 | bits >> _4
        north, east, south = lower & ~upper, upper & ~lower, upper & lower
        if popcount(north) != _13 or popcount(east) != _13 or popcount(south) != _13:
            return i
        for seat in range(4):
            if seats >> seat & 1:
                cards = (north, east, south, _MASK & ~(lower | upper))[seat]
                hands[seat, i] = (
                    cards >> _39 << _48
                    | (cards >> _26 & _LANE) << _32
                    | (cards >> _13 & _LANE) << _16
                    | cards & _LANE
                )
    return -1


@kernel
def _decode_tables(records, rows, start, tables):
    """Set `tables` [n, 5, 4]; return the position of the first table with a number above 13, or -1."""
    for i in range(rows.size):
        row = rows[i]
        any_bit = 0
        for k in range(start, start + 10):
            any_bit |= records[row, k]
        if any_bit == 0:
            tables[i] = -1
            continue
        for k in range(5):
            west_north, east_south = records[row, start + 2 * k], records[row, start + 2 * k + 1]
            strain = (k + 4) % 5
            tables[i, strain, 0] = west_north >> 4
            tables[i, strain, 1] = east_south & 15
            tables[i, strain, 2] = east_south >> 4
            tables[i, strain, 3] = west_north & 15
            for seat in range(4):
                if tables[i, strain, seat] > 13:
                    return i
    return -1


def decode_hands(records: np.ndarray, rows: np.ndarray, seats: int = 15) -> tuple[np.ndarray, int]:
    """Return the hands of some records.

    Parameters
    ----------
    records : ndarray of uint8 [any, 13 or more]
        The cards are the first bytes.
    rows : ndarray of int64 [n]
        Numbers of records.
    seats : int, 0..15
        Seats whose hands are needed, bit 0 north ... bit 3 west; the others are 0.

    Returns
    -------
    hands : ndarray of uint64 [n, 4]
        Each seat contiguous.
    fault : int
        Position in `rows` of the first record without 13 cards for each seat; -1 if there is none. Hands
        from there on are not set.
    """
    hands = (np.empty if seats == 15 else np.zeros)((4, len(rows)), np.uint64)
    return hands.T, _decode_hands(records, rows, _OWNERS, seats, hands)


def decode_tables(records: np.ndarray, rows: np.ndarray, start: int) -> tuple[np.ndarray, int]:
    """Return the tables of some records.

    Parameters
    ----------
    records : ndarray of uint8 [any, start + 10 or more]
    rows : ndarray of int64 [n]
    start : int
        Byte of the record with which the table begins.

    Returns
    -------
    tables : ndarray of int8 [n, 5, 4]
        By strain (S H D C N) and declarer (N E S W); -1 for deals that were not solved.
    fault : int
        Position in `rows` of the first table with a number above 13; -1 if there is none. Tables from there
        on are not set.
    """
    tables = np.empty((len(rows), 5, 4), np.int8)
    return tables, _decode_tables(records, rows, start, tables)


def describe_cards(record: bytes) -> str:
    """Return which seat has the wrong number of cards in a record.

    >>> describe_cards(bytes(13))
    'north has 0 cards'
    """
    owners = int.from_bytes(record[:CARD_BYTES], "little")
    counts = [0] * 4
    for card in range(52):
        counts[((owners >> 2 * card & 3) - 1) % 4] += 1
    seat = next(seat for seat in range(4) if counts[seat] != 13)
    return f"{SEATS[seat]} has {counts[seat]} card{'' if counts[seat] == 1 else 's'}"


def describe_tricks(table: bytes) -> tuple[int, str]:
    """Return the byte with the first number above 13, and a description of it.

    >>> describe_tricks(bytes([0x49, 0x4E] + [0] * 8))
    (1, '14 tricks for east in notrump')
    """
    byte = next(k for k in range(TABLE_BYTES) if table[k] & 15 > 13 or table[k] >> 4 > 13)
    low, high = table[byte] & 15, table[byte] >> 4
    tricks, seat = (low, ("west", "east")[byte % 2]) if low > 13 else (high, ("north", "south")[byte % 2])
    return byte, f"{tricks} tricks for {seat} in {STRAINS[(byte // 2 + 4) % 5]}"


def encode_hands(hands: np.ndarray) -> np.ndarray:
    """Return the bytes of cards, uint8 [n, 13], of hands, uint64 [n, 4].

    >>> cards = np.frombuffer(bytes.fromhex("72527a0ae17ae4f952e041fc7c"), np.uint8)
    >>> encode_hands(decode_hands(cards[None], np.array([0]))[0]).tobytes().hex()
    '72527a0ae17ae4f952e041fc7c'
    """
    owners = np.zeros((len(hands), 52), np.uint8)
    for seat, code in ((0, 1), (1, 2), (2, 3)):
        owners += np.uint8(code) * (hands[:, seat, None] & _CARDS != 0)
    return (owners.reshape(-1, CARD_BYTES, 4) << np.array([0, 2, 4, 6], np.uint8)).sum(axis=2, dtype=np.uint8)


def encode_tables(tables: np.ndarray | None, n_deals: int) -> np.ndarray:
    """Return the bytes of tables, uint8 [n, 10]; zeros for deals without a complete table.

    >>> encode_tables(np.full((1, 5, 4), 7), 1).tobytes().hex()
    '77777777777777777777'
    """
    if tables is None:
        return np.zeros((n_deals, TABLE_BYTES), np.uint8)
    is_complete = np.asarray((tables >= 0).all(axis=(1, 2)))
    by_code = tables.astype(np.uint8)[:, [4, 0, 1, 2, 3]][:, :, [3, 0, 1, 2]].reshape(-1, TABLE_BYTES, 2)
    return np.where(is_complete[:, None], by_code[:, :, 0] | by_code[:, :, 1] << 4, 0).astype(np.uint8)
