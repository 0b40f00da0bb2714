"""Seats, suits, ranks and their names; the layout of a hand in one uint64.

A hand is four 16-bit lanes, spades highest, clubs lowest; in a lane bit 12 is
the ace and bit 0 the deuce. A lane is a *holding*, an index 0..8191 into tables.
"""

from __future__ import annotations

from numbers import Real

from dealerkit.errors import ArgumentError, suggest_name

SEATS = ("north", "east", "south", "west")
SUITS = ("spades", "hearts", "diamonds", "clubs")
STRAINS = (*SUITS, "notrump")
SIDES = ("NS", "EW")
SEAT_LETTERS, SUIT_LETTERS, STRAIN_LETTERS = "NESW", "SHDC", "SHDCN"
RANKS = "23456789TJQKA"  # position = bit in a lane
VULNERABILITIES = ("none", "ns", "ew", "both")  # bit 0: north-south, bit 1: east-west

LANE_SHIFTS = (48, 32, 16, 0)  # of spades, hearts, diamonds, clubs
LANE_MASK = 0x1FFF
FULL_DECK = 0x1FFF1FFF1FFF1FFF
MISSING = 0xFFFFFFFFFFFFFFFF


def card_bit(suit: int, rank: int) -> int:
    """The bit of one card: suit S H D C = 0..3, rank 0 (deuce) to 12 (ace).

    >>> hex(card_bit(0, 12))
    '0x1000000000000000'
    """
    return 1 << (LANE_SHIFTS[suit] + rank)


def _by_spelling(names: tuple[str, ...], *endings: str) -> dict[str, int]:
    """Position by the word, the letter and the word without an ending, all in lower case."""
    return {
        spelling: number
        for number, name in enumerate(names)
        for spelling in (name, name[0], *(name.removesuffix(ending) for ending in endings))
    }


_SEAT_NUMBERS = _by_spelling(SEATS)
_SUIT_NUMBERS = _by_spelling(SUITS, "s")
_STRAIN_NUMBERS = _SUIT_NUMBERS | dict.fromkeys(("notrump", "notrumps", "no trump", "nt", "n"), 4)
_SIDE_NUMBERS = {name.lower(): number for number, name in enumerate(SIDES)}
_VULNERABILITY_NUMBERS = {name: number for number, name in enumerate(VULNERABILITIES)} | {"all": 3}


def _number(what: str, value: int | str, spellings: dict[str, int], names: tuple[str, ...]) -> int:
    close = ""
    if isinstance(value, str):
        word = value.strip().lower()
        if word in spellings:
            return spellings[word]
        close = suggest_name(value.strip(), names)
    elif isinstance(value, Real) and value in range(len(names)):
        return int(value)
    known = f"; a {what} is 0 to {len(names) - 1} ({', '.join(names)})"
    raise ArgumentError(f"unknown {what} {value!r}{close or known}")


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
        For anything else; with the nearest word.

    Examples
    --------
    >>> seat_number("south"), seat_number("W"), seat_number(0)
    (2, 3, 0)
    """
    return _number("seat", seat, _SEAT_NUMBERS, SEATS)


def suit_number(suit: int | str) -> int:
    """A suit as its number 0 to 3 (S H D C); read and refused as `seat_number` does.

    Parameters
    ----------
    suit : {0, 1, 2, 3} or str
        ``spades``, ``spade``, ``S`` ...

    Examples
    --------
    >>> suit_number("Hearts"), suit_number("club"), suit_number("d")
    (1, 3, 2)
    """
    return _number("suit", suit, _SUIT_NUMBERS, SUITS)


def strain_number(strain: int | str) -> int:
    """A strain as its number 0 to 4 (S H D C N); read and refused as `seat_number` does.

    Parameters
    ----------
    strain : {0, 1, 2, 3, 4} or str
        As `suit_number`, or ``notrump``, ``NT``, ``N``.

    Examples
    --------
    >>> strain_number("spades"), strain_number("nt"), strain_number(2)
    (0, 4, 2)
    """
    return _number("strain", strain, _STRAIN_NUMBERS, STRAINS)


def side_number(side: int | str) -> int:
    """A side as its number, 0 north-south or 1 east-west; read and refused as `seat_number` does.

    Parameters
    ----------
    side : {0, 1} or {"NS", "EW"}
        A letter alone is a seat, not a side.

    Examples
    --------
    >>> side_number("NS"), side_number("ew")
    (0, 1)
    """
    return _number("side", side, _SIDE_NUMBERS, SIDES)


def vulnerability_number(vulnerable: int | str) -> int:
    """Who is vulnerable as a number 0 to 3, of `VULNERABILITIES`; read and refused as `seat_number` does.

    Parameters
    ----------
    vulnerable : {0, 1, 2, 3} or {"none", "NS", "EW", "both", "all"}
        ``all``, the word of PBN, is ``both``.

    Examples
    --------
    >>> vulnerability_number("NS"), vulnerability_number("all")
    (1, 3)
    """
    return _number("vulnerability", vulnerable, _VULNERABILITY_NUMBERS, VULNERABILITIES)
