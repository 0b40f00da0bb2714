"""Seats, suits, ranks and their names; the layout of a hand in one uint64.

A hand is four 16-bit lanes, spades highest, clubs lowest; in a lane bit 12 is
the ace and bit 0 the deuce. A lane is a *holding*, an index 0..8191 into tables.
"""

from __future__ import annotations

from dealerkit.errors import ArgumentError, nearest

SEATS = ("north", "east", "south", "west")
SUITS = ("spades", "hearts", "diamonds", "clubs")
STRAINS = (*SUITS, "notrump")
SIDES = ("NS", "EW")
SEAT_LETTERS, SUIT_LETTERS, STRAIN_LETTERS = "NESW", "SHDC", "SHDCN"
RANKS = "23456789TJQKA"  # position = bit in a lane
VULNERABILITIES = ("none", "ns", "ew", "both")  # bit 0: north-south, bit 1: east-west

LANE_SHIFTS = (48, 32, 16, 0)  # of spades, hearts, diamonds, clubs
LANE = 0x1FFF
PACK = 0x1FFF1FFF1FFF1FFF
MISSING = 0xFFFFFFFFFFFFFFFF


def card_bit(suit: int, rank: int) -> int:
    """The bit of one card: suit S H D C = 0..3, rank 0 (deuce) to 12 (ace).

    >>> hex(card_bit(0, 12))
    '0x1000000000000000'
    """
    return 1 << (LANE_SHIFTS[suit] + rank)


def seat_number(seat: int | str) -> int:
    """A seat as its number, from the number, the word or the letter, in any case.

    Parameters
    ----------
    seat : {0, 1, 2, 3} or {"north", "east", "south", "west"} or {"N", "E", "S", "W"}

    Returns
    -------
    int, 0 to 3

    Raises
    ------
    ArgumentError
        For anything else.

    Examples
    --------
    >>> seat_number("south"), seat_number("W"), seat_number(0)
    (2, 3, 0)
    """
    if isinstance(seat, str):
        word = seat.strip().lower()
        for number, name in enumerate(SEATS):
            if word in (name, name[0]):
                return number
        raise ArgumentError(f"unknown seat {seat!r}{nearest(word, SEATS)}")
    if seat in (0, 1, 2, 3):
        return int(seat)
    raise ArgumentError(f"a seat is 0 to 3 (north, east, south, west), not {seat!r}")
