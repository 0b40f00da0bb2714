"""How likely each layout of the missing cards is: a priori, with vacant places, lengths and known cards.

A *layout* says who has each missing card. The number of a layout has a bit for each card of West: bit i is
the missing card number i, counted from the highest. Weights are relative, so they need not add up to 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.cards.names import RANKS, SUITS
from dealerkit.errors import ArgumentError, quote
from dealerkit.singledummy.combination import Combination

_LENGTHS = re.compile(r"(\d{1,2})(?:-(\d{1,2})|(\+))?")


def check_vacant(vacant: Sequence[int]) -> tuple[int, int]:
    """Return the vacant places of west and east; raise ArgumentError unless they are two numbers 0 to 13."""
    if len(vacant) != 2:
        raise ArgumentError(
            f"vacant is {quote(vacant, 40)}; give the vacant places of west and east, such as (7, 11)"
        )
    west, east = (check_integer("vacant", number, 0, 13) for number in vacant)
    return west, east


def weigh_layouts(combination: Combination, vacant: tuple[int, int] = (13, 13)) -> np.ndarray:
    """Return the weight of each layout.

    Parameters
    ----------
    combination : Combination
    vacant : tuple of (int, int)
        Vacant places of west, VW, and of east, VE: the number of cards of each defender that are not known,
        including those of this suit.

    Returns
    -------
    ndarray of float [2 ** missing cards]
        If w of the n missing cards are with West, the number of ways to fill West's other places,
        C(VW + VE - n, VW - w).

    Raises
    ------
    ArgumentError
        There are fewer vacant places than missing cards.

    Examples
    --------
    >>> weights = weigh_layouts(Combination("AKQT98765432", ""))
    >>> (weights / weights.sum()).tolist()
    [0.5, 0.5]
    """
    west, east = vacant
    n_missing = len(combination.missing)
    if west + east < n_missing:
        raise ArgumentError(
            f"west and east have {west} and {east} vacant places, but {n_missing} cards are missing"
        )
    ways = [
        math.comb(west + east - n_missing, west - n) if n <= west and n_missing - n <= east else 0
        for n in range(n_missing + 1)
    ]
    return np.array(ways, float)[np.bitwise_count(np.arange(2**n_missing))]


def restrict_layouts(
    combination: Combination, west: str | None = None, east: str | None = None
) -> np.ndarray:
    """Return the layouts that agree with what is known of the defenders' holdings.

    Parameters
    ----------
    combination : Combination
    west, east : str, optional
        Cards that a defender has, a length, or both, such as ``"K"``, ``"2-4"``, ``"spades 3+"`` or
        ``"KJ 3"``. A single number from 0 to 9 is a length; ``"10"`` is the ten.

    Returns
    -------
    ndarray of bool [2 ** missing cards]

    Raises
    ------
    ArgumentError
        A text cannot be read, or a card is not missing.

    Examples
    --------
    >>> restrict_layouts(Combination("AQ9876543", "2"), west="K 2+").sum()
    np.int64(3)
    """
    allowed = np.ones(2 ** len(combination.missing), bool)
    for seat, text in (("west", west), ("east", east)):
        if text not in (None, ""):
            allowed &= _restrict_seat(combination, seat, str(text))
    return allowed


def _restrict_seat(combination: Combination, seat: str, text: str) -> np.ndarray:
    """Return the layouts that agree with what is known of one defender."""
    n_missing = len(combination.missing)
    layouts = np.arange(2**n_missing)
    held = layouts if seat == "west" else layouts[-1] - layouts
    counts = np.bitwise_count(held)
    allowed = np.ones(len(layouts), bool)
    for word in text.replace(",", " ").split():
        if word.lower() in SUITS or word.lower() + "s" in SUITS:
            continue
        letters = word.upper().replace("10", "T")
        if letters != "T" and (match := _LENGTHS.fullmatch(word)):  # at most 9 cards are missing
            low = int(match[1])
            high = 13 if match[3] else int(match[2] or low)
            allowed &= (low <= counts) & (counts <= high)
            continue
        for letter in letters:
            rank = RANKS.find(letter)
            if rank < 0:
                raise ArgumentError(
                    f"{seat} is {quote(text)}; give cards and a length, such as 'K', '2-4' or 'K 3+'"
                )
            if rank not in combination.missing:
                missing = combination.format_ranks(combination.missing)
                raise ArgumentError(f"{seat} cannot have the {letter}: the missing cards are {missing}")
            allowed &= held >> combination.missing.index(rank) & 1 == 1
    return allowed


def find_boundaries(combination: Combination, weights: np.ndarray) -> list[int]:
    """Return the ranks of missing cards that are not equivalent to the next higher missing card.

    Two such neighbours are equivalent if exchanging them changes the weight of no layout.

    >>> combination = Combination("AKT9876543", "")
    >>> weights = weigh_layouts(combination) * restrict_layouts(combination, "Q")
    >>> find_boundaries(combination, weights)
    [9]
    """
    boundaries = []
    layouts = np.arange(len(weights))
    for place in range(1, len(combination.missing)):
        differ = (layouts >> place ^ layouts >> place - 1) & 1
        exchanged = layouts ^ (differ << place | differ << place - 1)
        if not np.allclose(weights, weights[exchanged], rtol=1e-12, atol=0):
            boundaries.append(combination.missing[place])
    return boundaries


def is_symmetric(weights: np.ndarray) -> bool:
    """Return whether a layout's weight depends only on the number of cards of west.

    >>> combination = Combination("AKT9876543", "")
    >>> is_symmetric(weigh_layouts(combination, (7, 11)))
    True
    """
    counts = np.bitwise_count(np.arange(len(weights)))
    by_count = [weights[counts == count] for count in range(int(counts.max()) + 1)]
    return all(np.allclose(values, values[0], rtol=1e-12, atol=0) for values in by_count)


def sum_worlds(combination: Combination, groups: Sequence[Sequence[int]], weights: np.ndarray) -> np.ndarray:
    """Return the probability of each world, which is the share of its layouts in all weights.

    Parameters
    ----------
    combination : Combination
    groups : sequence of sequences of int
        Ranks of the cards of each group; the groups contain all missing cards.
    weights : ndarray of float [2 ** missing cards]

    Returns
    -------
    ndarray of float [worlds]

    Examples
    --------
    >>> combination = Combination("AQT98", "5432")
    >>> shares = sum_worlds(combination, [(11,), (9,), (5, 4)], weigh_layouts(combination))
    >>> shares[:3].round(4).tolist()
    [0.0478, 0.1243, 0.0678]
    """
    n_worlds = math.prod(len(group) + 1 for group in groups)
    sums: np.ndarray = np.bincount(find_worlds(combination, groups), weights, n_worlds)
    return sums / sums.sum()


def find_worlds(combination: Combination, groups: Sequence[Sequence[int]]) -> np.ndarray:
    """Return the number of the world of each layout, int64 [2 ** missing cards].

    >>> find_worlds(Combination("AQT9876", "5432"), [(11,), (9,)]).tolist()
    [0, 2, 1, 3]
    """
    layouts = np.arange(2 ** len(combination.missing))
    numbers = np.zeros(len(layouts), np.int64)
    for group in groups:
        held = sum(layouts >> combination.missing.index(rank) & 1 for rank in group)
        numbers = numbers * (len(group) + 1) + held
    return numbers
