"""Names and numbers of seats, suits, strains, sides, vulnerabilities and ranks, and the layout of a hand.

A hand is one uint64 of four 16-bit lanes, spades highest, clubs lowest. In a lane, bit 12 is the ace and bit
0 the deuce. The value of a lane is a *holding*, 0 to 8191, which is an index into tables.
"""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, TypeVar

from dealerkit.errors import ArgumentError, suggest_name

if TYPE_CHECKING:
    import numpy as np

SEATS = ("north", "east", "south", "west")
SUITS = ("spades", "hearts", "diamonds", "clubs")
STRAINS = (*SUITS, "notrump")
SIDES = ("NS", "EW")
SEAT_LETTERS, SUIT_LETTERS, STRAIN_LETTERS = "NESW", "SHDC", "SHDCN"
RANKS = "23456789TJQKA"  # the position is the bit in a lane
VULNERABILITIES = ("none", "ns", "ew", "both")  # bit 0: north-south, bit 1: east-west

LANE_SHIFTS = (48, 32, 16, 0)  # of spades, hearts, diamonds, clubs
LANE_MASK = 0x1FFF
FULL_DECK = 0x1FFF1FFF1FFF1FFF
MISSING = 0xFFFFFFFFFFFFFFFF  # the value of each hand of a missing deal

Numbers = TypeVar("Numbers", int, "np.ndarray")


def card_bit(suit: int, rank: int) -> int:
    """Return the bit of one card: suit S H D C = 0..3, rank 0 (deuce) to 12 (ace).

    >>> hex(card_bit(0, 12))
    '0x1000000000000000'
    """
    return 1 << (LANE_SHIFTS[suit] + rank)


def _list_spellings(names: tuple[str, ...], *endings: str) -> dict[str, int]:
    """Return the position of each name by the name, its first letter, and the name without its ending."""
    return {
        spelling: number
        for number, name in enumerate(names)
        for spelling in (name, name[0], *(name.removesuffix(ending) for ending in endings))
    }


_SEAT_NUMBERS = _list_spellings(SEATS)
_SUIT_NUMBERS = _list_spellings(SUITS, "s")
_STRAIN_NUMBERS = _SUIT_NUMBERS | dict.fromkeys(("notrump", "notrumps", "no trump", "nt", "n"), 4)
_SIDE_NUMBERS = {name.lower(): number for number, name in enumerate(SIDES)}
_VULNERABILITY_NUMBERS = {name: number for number, name in enumerate(VULNERABILITIES)} | {"all": 3}


def _find_number(kind: str, value: int | str, spellings: dict[str, int], names: tuple[str, ...]) -> int:
    """Return the number of a seat, suit ... from a number or a spelling, or raise ArgumentError."""
    close = ""
    if isinstance(value, str):
        spelling = value.strip().lower()
        if spelling in spellings:
            return spellings[spelling]
        close = suggest_name(value.strip(), names)
    elif isinstance(value, Real) and value in range(len(names)):
        return int(value)
    allowed = f"; a {kind} is {', '.join(names[:-1])} or {names[-1]}, or 0 to {len(names) - 1}"
    raise ArgumentError(f"unknown {kind} {value!r}{close or allowed}")


def seat_number(seat: int | str) -> int:
    """Return the number of a seat, from its number, name or letter, in any case.

    Parameters
    ----------
    seat : {0, 1, 2, 3} or {"north", "east", "south", "west"} or {"N", "E", "S", "W"}

    Returns
    -------
    int, 0 to 3

    Raises
    ------
    ArgumentError
        `seat` is none of these; the message suggests the most similar name.

    Examples
    --------
    >>> seat_number("south"), seat_number("W"), seat_number(0)
    (2, 3, 0)
    """
    return _find_number("seat", seat, _SEAT_NUMBERS, SEATS)


def suit_number(suit: int | str) -> int:
    """Return the number of a suit, 0 to 3 (S H D C), from ``spades``, ``spade``, ``S``; see `seat_number`.

    >>> suit_number("Hearts"), suit_number("club"), suit_number("d")
    (1, 3, 2)
    """
    return _find_number("suit", suit, _SUIT_NUMBERS, SUITS)


def strain_number(strain: int | str) -> int:
    """Return the number of a strain, 0 to 4, from a suit, ``notrump``, ``NT`` or ``N``; see `seat_number`.

    >>> strain_number("spades"), strain_number("nt"), strain_number(2)
    (0, 4, 2)
    """
    return _find_number("strain", strain, _STRAIN_NUMBERS, STRAINS)


def side_number(side: int | str) -> int:
    """Return the number of a side, 0 or 1, from ``NS`` or ``EW``; see `seat_number`.

    >>> side_number("NS"), side_number("ew")
    (0, 1)
    """
    return _find_number("side", side, _SIDE_NUMBERS, SIDES)


def vulnerability_number(vulnerable: int | str) -> int:
    """Return the number of a vulnerability, 0 to 3, from ``none NS EW both all``; see `seat_number`.

    False is none and True is both, so a bool gives the vulnerability of declarer, whoever that is.

    >>> vulnerability_number("NS"), vulnerability_number("all"), vulnerability_number(True)
    (1, 3, 3)
    """
    if str(getattr(vulnerable, "dtype", "")) == "bool" and getattr(vulnerable, "shape", None) == ():
        vulnerable = bool(vulnerable)  # also a truth value of numpy
    if isinstance(vulnerable, bool):
        return 3 if vulnerable else 0
    return _find_number("vulnerability", vulnerable, _VULNERABILITY_NUMBERS, VULNERABILITIES)


def board_dealer(board: Numbers) -> Numbers:
    """Return the dealer of a board, or of each of several, by its number, 1 or more.

    >>> [board_dealer(board) for board in (1, 2, 16)]
    [0, 1, 3]
    """
    return (board - 1) % 4


def board_vulnerability(board: Numbers) -> Numbers:
    """Return the vulnerability of a board, or of each of several, by its number, 1 or more.

    >>> [board_vulnerability(board) for board in range(1, 17)]
    [0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2]
    """
    return (board - 1 + (board - 1) // 4) % 4
