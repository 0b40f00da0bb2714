"""Shapes of hands: the 560 ways to divide thirteen cards among four suits, and sets of them.

A set of shapes is a Python int, in which bit i is set if ``PATTERNS[i]`` is in the set.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable
from typing import TYPE_CHECKING

from dealerkit.errors import ArgumentError

if TYPE_CHECKING:
    import numpy as np

PATTERNS: tuple[tuple[int, int, int, int], ...] = tuple(
    (spades, hearts, diamonds, 13 - spades - hearts - diamonds)
    for spades in range(14)
    for hearts in range(14 - spades)
    for diamonds in range(14 - spades - hearts)
)
EVERY_SHAPE = (1 << len(PATTERNS)) - 1
ANY_LENGTH = (1 << 14) - 1  # a set of lengths, in which bit n means n cards

_BY_LENGTH = tuple(
    tuple(
        sum(1 << index for index, pattern in enumerate(PATTERNS) if pattern[suit] == length)
        for length in range(14)
    )
    for suit in range(4)
)


@functools.lru_cache(maxsize=4096)
def select_patterns(suit: int, lengths: int) -> int:
    """Return the shapes in which a suit (S H D C = 0..3) has one of these lengths (as bits).

    >>> select_patterns(0, 1 << 13).bit_count(), select_patterns(2, ANY_LENGTH) == EVERY_SHAPE
    (1, True)
    """
    return sum(shapes for length, shapes in enumerate(_BY_LENGTH[suit]) if lengths >> length & 1)


def place_lengths(suits: Iterable[int], lengths: Iterable[int]) -> int:
    """Return the shapes in which each suit has one of its lengths; `lengths` has their bits for each suit.

    >>> place_lengths((0, 1), (1 << 5, 1 << 5)).bit_count()
    4
    """
    return functools.reduce(int.__and__, map(select_patterns, suits, lengths), EVERY_SHAPE)


@functools.lru_cache(maxsize=4096)
def parse_pattern(pattern: str, any_order: bool = False) -> int:
    """Return the shapes that a pattern such as ``5332`` or ``54xx`` describes.

    Parameters
    ----------
    pattern : str
        Four characters, spades first: a digit, or ``x`` for any length from 0 to 13.
    any_order : bool
        Whether the lengths may be those of the suits in any order.

    Returns
    -------
    int
        Bit set over `PATTERNS`.

    Raises
    ------
    ArgumentError
        The pattern is not four digits or x, or its lengths cannot add up to 13 cards.

    Examples
    --------
    >>> parse_pattern("4432").bit_count(), parse_pattern("54xx", any_order=True).bit_count()
    (1, 48)
    """
    if len(pattern) != 4 or not set(pattern) <= set("0123456789x"):
        raise ArgumentError(f"shape {pattern!r} is not four digits or x")
    n_cards = sum(int(character) for character in pattern if character != "x")
    if "x" not in pattern and n_cards != 13:
        raise ArgumentError(f"shape {pattern} has {n_cards} cards, not 13")
    if n_cards > 13:
        raise ArgumentError(f"shape {pattern} has {n_cards} cards, more than 13")
    lengths = tuple(ANY_LENGTH if character == "x" else 1 << int(character) for character in pattern)
    orders = set(itertools.permutations(lengths)) if any_order else {lengths}
    return functools.reduce(int.__or__, (place_lengths(range(4), order) for order in orders))


def combine_shapes(terms: Iterable[tuple[str, int]]) -> int:
    """Return the set that results when sets of shapes are added (+) or removed (-) one after the other.

    Examples
    --------
    >>> combine_shapes([("+", parse_pattern("4333", True)), ("-", parse_pattern("4333"))]).bit_count()
    3
    """
    combined = 0
    for sign, shapes in terms:
        combined = combined | shapes if sign == "+" else combined & ~shapes
    return combined


def list_patterns(shapes: int) -> list[tuple[int, int, int, int]]:
    """Return the shapes of a set as tuples of lengths, spades first.

    >>> list_patterns(parse_pattern("x000"))
    [(13, 0, 0, 0)]
    """
    return [pattern for index, pattern in enumerate(PATTERNS) if shapes >> index & 1]


@functools.lru_cache(maxsize=256)
def pattern_table(shapes: int) -> np.ndarray:
    """Return a set of shapes as a table that is indexed by the lengths of a hand.

    Parameters
    ----------
    shapes : int
        Bit set over `PATTERNS`.

    Returns
    -------
    ndarray of bool [shape=(4096,)]
        True for the shapes of the set; indexed by ``spades << 8 | hearts << 4 | diamonds``, read-only.

    Examples
    --------
    >>> int(pattern_table(parse_pattern("4432"))[4 << 8 | 4 << 4 | 3])
    1
    """
    import numpy as np

    table = np.zeros(4096, bool)
    for spades, hearts, diamonds, _ in list_patterns(shapes):
        table[spades << 8 | hearts << 4 | diamonds] = True
    table.flags.writeable = False
    return table
