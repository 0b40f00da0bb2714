"""The hands of west and east where those of north and south are seen: conditions that they meet, counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dealerkit.arguments import Given, read_given
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, RANKS, SUITS, suit_number
from dealerkit.cards.text import format_hand, read_hand
from dealerkit.errors import ArgumentError, DealError, quote

if TYPE_CHECKING:
    from dealerkit.singledummy import Combination

WEST = 3


class SeenHands(NamedTuple):
    """The whole hands of north and south, as 64-bit words.

    Examples
    --------
    >>> hands = SeenHands.read("AQT98.AK2.AK2.32", "5432.QJ4.QJ4.AKQ")
    >>> hands.find_holdings("clubs")
    ('32', 'AKQ')
    """

    north: int
    south: int

    @classmethod
    def read(cls, north: str, south: str) -> SeenHands:
        """Return two hands.

        Raises
        ------
        DealError
            A hand cannot be read or does not have 13 cards, or both have a card.
        """
        words = [read_hand(str(hand)) for hand in (north, south)]
        for seat, word in zip(("north", "south"), words, strict=True):
            if word.bit_count() != 13:
                raise DealError(f"{seat} has {word.bit_count()} cards; a whole hand has 13")
        if both := words[0] & words[1]:
            place = both.bit_length() - 1
            lane = next(number for number, lane in enumerate(LANE_SHIFTS) if place >= lane)
            raise DealError(
                f"north and south both have the {SUITS[lane][:-1]} {RANKS[place - LANE_SHIFTS[lane]]}"
            )
        return cls(*words)

    def find_holdings(self, suit: str | int) -> tuple[str, str]:
        """Return the cards of north and of south in a suit."""
        shift = LANE_SHIFTS[suit_number(suit)]
        north, south = (
            "".join(RANKS[rank] for rank in range(12, -1, -1) if word >> shift + rank & 1) for word in self
        )
        return north, south

    @property
    def predeal(self) -> dict[str, str]:
        """The hands as a predeal."""
        return {"north": format_hand(self.north), "south": format_hand(self.south)}

    def count_deals(self, given: Given, numbers: Mapping[int, np.ndarray]) -> dict[int, int]:
        """Return how many deals meet a condition, by the sum of numbers given to west's holdings.

        Parameters
        ----------
        given : str, os.PathLike or Auction
        numbers : mapping of int to ndarray of int64 [8192], >= 0
            By suit, a number for each holding of west.

        Raises
        ------
        ArgumentError
            The condition cannot be counted, or no deal meets it.

        Examples
        --------
        In how many deals does west have at least ten points, and in how many of them the king of hearts?

        >>> hands = SeenHands.read("AQT98.AQ2.AK2.32", "5432.J43.QJ4.A54")
        >>> has_king = np.arange(8192) >> 11 & 1
        >>> hands.count_deals("hcp(west) >= 10", {1: has_king})
        {0: 125970, 1: 1211250}
        """
        from dealerkit.compiler.compilation import compile_condition
        from dealerkit.counting.exact import count_deals
        from dealerkit.counting.features import NotAdditive, classify_clauses
        from dealerkit.counting.suit_splits import SumClassifier, TooManyStates
        from dealerkit.counting.suit_sums import SuitSums

        condition = read_given(given, self.predeal)
        compiled = compile_condition(condition, predeal=self.predeal)
        try:
            classifiers = classify_clauses(SuitSums(compiled.graph), compiled.clauses)
            tables = {(WEST, suit): table for suit, table in numbers.items()}
            classifiers.append(SumClassifier(tables, lambda sums: sums + 1))
            counts = count_deals(classifiers, compiled.program.predeal)
        except (NotAdditive, TooManyStates) as error:
            raise ArgumentError(
                f"the deals of the condition {quote(condition, 80)} cannot be counted: {error}; use "
                "conditions on "
                "cards, lengths and points of one hand or the sum of two"
            ) from None
        if not counts:
            raise ArgumentError(f"no deal with these hands meets the condition {quote(condition, 80)}")
        return {number - 1: count for number, count in sorted(counts.items())}


def number_holdings(combination: Combination, numbers: np.ndarray) -> np.ndarray:
    """Return a number for each holding of west, from the numbers of the layouts of the missing cards.

    Parameters
    ----------
    combination : Combination
    numbers : ndarray of int [2 ** missing cards]

    Returns
    -------
    ndarray of int64 [8192]
        0 for holdings that contain other cards.
    """
    table = np.zeros(LANE_MASK + 1, np.int64)
    layouts = np.arange(len(numbers))
    holdings = np.zeros(len(numbers), np.int64)
    for place, rank in enumerate(combination.missing):
        holdings |= (layouts >> place & 1) << rank
    table[holdings] = numbers
    return table


def count_layouts(combination: Combination, hands: SeenHands, suit: int, given: Given) -> np.ndarray:
    """Return the number of deals under a condition with each layout: float array [2 ** missing cards]."""
    weights = np.zeros(1 << len(combination.missing))
    numbers = number_holdings(combination, np.arange(len(weights)))
    for layout, count in hands.count_deals(given, {suit: numbers}).items():
        weights[layout] = count
    return weights
