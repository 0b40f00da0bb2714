"""The cards of one suit: those in the two declaring hands, and the missing ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from dealerkit.appearance.numbers import format_count
from dealerkit.cards.names import RANKS
from dealerkit.errors import ArgumentError, DealError, quote

MOST_MISSING = 9
HANDS = ("north", "south")
SYMBOLS = "♠♥♦♣♤♡♢♧\ufe0f"  # symbols of a suit, which may precede its cards


class Combination:
    """The cards of one suit in two hands.

    Parameters
    ----------
    north, south : str
        The cards in any order, such as ``"AQT98"`` or ``"♠AQT98"``. 10 or T is the ten. An x is the lowest
        card that neither hand has by name; north's come first. ``""`` or ``"-"`` is a void.

    Attributes
    ----------
    north, south, missing : tuple of int
        Ranks, 0 (deuce) to 12 (ace), the highest first.

    Raises
    ------
    DealError
        A letter is not a card, a card occurs twice, there are more than 13 cards, or more than `MOST_MISSING`
        cards are missing.

    Examples
    --------
    >>> combination = Combination("AQ10xx", "Jx")
    >>> str(combination), combination.format_ranks(combination.missing)
    ('AQT32 opposite J4', 'K98765')
    """

    def __init__(self, north: str, south: str) -> None:
        held, n_small = [], []
        for hand, text in zip(HANDS, (north, south), strict=True):
            ranks, small = read_holding(hand, text)
            held.append(ranks)
            n_small.append(small)
        if both := sorted(set(held[0]) & set(held[1]), reverse=True):
            raise DealError(f"north and south both have the {RANKS[both[0]]}; a card can be in one hand only")
        n_cards = sum(map(len, held)) + sum(n_small)
        if n_cards > 13:
            raise DealError(f"north and south have {n_cards} cards of the suit; a suit has 13")
        if 13 - n_cards > MOST_MISSING:
            raise DealError(
                f"{13 - n_cards} cards of the suit are missing, and at most {MOST_MISSING} may be; give at "
                f"least {13 - MOST_MISSING} cards in the two hands"
            )
        free = [rank for rank in range(13) if rank not in held[0] and rank not in held[1]]
        for ranks, small in zip(held, n_small, strict=True):
            ranks.extend(free[:small])
            del free[:small]
        self.north, self.south = (tuple(sorted(ranks, reverse=True)) for ranks in held)
        self.missing = tuple(reversed(free))

    @cached_property
    def hands(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The cards of north and of south."""
        return self.north, self.south

    def check_tricks(self, tricks: int) -> None:
        """Raise ArgumentError for more tricks than the longer hand has cards.

        >>> Combination("AQT98", "5432").check_tricks(5)
        """
        longest = max(map(len, self.hands))
        if tricks > longest:
            raise ArgumentError(
                f"{tricks} tricks cannot be made, since the longer hand has "
                f"{format_count(longest, 'card')}; give at most {longest}"
            )

    @staticmethod
    def format_ranks(ranks: Sequence[int]) -> str:
        """Return cards as text, the highest first, such as ``"KT7"``; ``"-"`` if there are none."""
        return "".join(RANKS[rank] for rank in sorted(ranks, reverse=True)) or "-"

    def __str__(self) -> str:
        return f"{self.format_ranks(self.north)} opposite {self.format_ranks(self.south)}"


def read_holding(hand: str, text: object) -> tuple[list[int], int]:
    """Return the ranks of a holding, and the number of small cards (x) in it.

    >>> read_holding("north", "A10x"), read_holding("south", "♠ KQ")
    (([12, 8], 1), ([11, 10], 0))
    """
    if not isinstance(text, str):
        raise DealError(f"{hand} is {quote(text)}; give the cards of the suit as text, such as 'AQT98'")
    ranks: list[int] = []
    small = 0
    letters = text.strip().lstrip(SYMBOLS).upper().replace("10", "T").replace(" ", "")
    for letter in "" if letters in ("-", "—") else letters:
        rank = RANKS.find(letter)
        if letter == "X":
            small += 1
        elif rank < 0:
            raise DealError(
                f"{letter!r} in {hand}'s {text!r} is not a card; the cards are {RANKS[::-1]} and x"
            )
        elif rank in ranks:
            raise DealError(f"{hand}'s {text!r} has the {letter} twice")
        else:
            ranks.append(rank)
    return ranks, small


class Blocks(NamedTuple):
    """A suit from its highest card down, as run, group, run, group, ..., run.

    Attributes
    ----------
    runs : tuple of tuples of (int, int)
        The declaring side's cards between two groups, the highest first, as (hand, rank), where north is 0
        and south is 1. There is one run more than there are groups, and runs may be empty.
    groups : tuple of tuples of int
        Ranks of missing cards that are next to each other, the highest first.
    """

    runs: tuple[tuple[tuple[int, int], ...], ...]
    groups: tuple[tuple[int, ...], ...]


def split_blocks(combination: Combination, boundaries: Sequence[int] = ()) -> Blocks:
    """Return the runs and groups of a suit.

    Parameters
    ----------
    combination : Combination
    boundaries : sequence of int
        Ranks of missing cards with which a new group begins although no card of the declaring side separates
        them from the next higher missing card (`priors.find_boundaries`).

    Returns
    -------
    Blocks

    Examples
    --------
    >>> blocks = split_blocks(Combination("AQT98", "5432"))
    >>> blocks.groups
    ((11,), (9,), (5, 4))
    """
    runs: list[list[tuple[int, int]]] = [[]]
    groups: list[list[int]] = []
    is_open = False
    for rank in range(12, -1, -1):
        if rank in combination.missing:
            if not is_open or rank in boundaries:
                groups.append([])
                runs.append([])
            groups[-1].append(rank)
            is_open = True
        else:
            runs[-1].append((0 if rank in combination.north else 1, rank))
            is_open = False
    return Blocks(tuple(map(tuple, runs)), tuple(map(tuple, groups)))
