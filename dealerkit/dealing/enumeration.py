"""All deals in which two hands are not known, each computed from its number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb, prod

import numpy as np

from dealerkit.appearance.numbers import format_count, format_number
from dealerkit.appearance.wording import join_words
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, card_bit
from dealerkit.dealing.predeal import TEN, Predeal
from dealerkit.dealing.source import Source
from dealerkit.errors import PredealError
from dealerkit.runtime.compiled import kernel

_WIDTH = 27  # of the table: for 0 to 26 cards of two hands
# comb(n, k) at [_WIDTH * n + k], 0 for k > n
_BINOMIALS = np.array([comb(n, k) for n in range(_WIDTH) for k in range(_WIDTH)], np.int64)
_BINOMIALS.flags.writeable = False


@dataclass(frozen=True)
class CardGroup:
    """Cards that either open hand may hold, of which the first open hand holds `count`."""

    cards: tuple[int, ...]  # each as the bit of a hand, from spades to clubs, ace to deuce
    count: int

    @property
    def n_choices(self) -> int:
        """Number of ways to choose the cards of the first hand."""
        return comb(len(self.cards), self.count)


@dataclass(frozen=True)
class Enumeration:
    """The deals that comply with a predeal of two hands or more, in a fixed order.

    Each suit whose length is known is a group of cards, in the order S H D C; the cards of the other suits
    are the last group. The deals are in the order of ``itertools.product`` of the ``itertools.combinations``
    of the groups: the first open hand begins with the highest cards, and the last group changes fastest.

    Attributes
    ----------
    known : tuple of int
        The cards that each seat holds in every deal.
    seats : tuple of int
        The seats of the open hands in the order N E S W, at most two.
    groups : tuple of CardGroup
        The groups with more than one choice.
    """

    known: tuple[int, int, int, int]
    seats: tuple[int, ...]
    groups: tuple[CardGroup, ...]

    @property
    def n_deals(self) -> int:
        """Exact number of deals."""
        return prod(group.n_choices for group in self.groups)

    @property
    def name(self) -> str:
        """Which deals they are: all layouts of the open hands."""
        seats = [SEATS[seat] for seat in self.seats]
        return f"all layouts of {join_words(seats)}" if seats else "the only layout"

    def compute_hands(self, numbers: np.ndarray) -> np.ndarray:
        """Return the hands of deals by their numbers.

        Parameters
        ----------
        numbers : ndarray of int64 [n]
            From 0 to ``n_deals - 1``, in any order.

        Returns
        -------
        ndarray of uint64 [n, 4]
        """
        hands = np.empty((4, len(numbers)), np.uint64)
        for seat, hand in enumerate(self.known):
            hands[seat] = hand
        if self.groups:
            first, second = (hands[seat] for seat in self.seats)
            cards = np.array([card for group in self.groups for card in group.cards], np.uint64)
            sizes = [(len(group.cards), group.count, group.n_choices) for group in self.groups]
            _unrank(
                np.ascontiguousarray(numbers, np.int64), cards, np.array(sizes), _BINOMIALS, first, second
            )
        return hands.T


class EnumerationSource(Source):
    """All deals that comply with a predeal, in order, as a source of a run with exact results."""

    deals_anywhere = True
    coverage = "all"

    def __init__(self, enumeration: Enumeration) -> None:
        self.enumeration, self.n_deals = enumeration, enumeration.n_deals
        self.description = f"{format_count(self.n_deals, 'deal')} of {enumeration.name}, "

    def batch(self, first: int, count: int, seats: int) -> Callable[[], Deals]:
        return lambda: Deals(self.enumeration.compute_hands(np.arange(first, first + count)), check=False)

    def count_read(self, n_dealt: int) -> tuple[int, int, int]:
        return n_dealt, 0, 0


@kernel
def _unrank(
    numbers: np.ndarray, cards: np.ndarray, sizes: np.ndarray, binomials: np.ndarray, first: np.ndarray,
    second: np.ndarray,
) -> None:  # fmt: skip
    """Add the cards of all groups to two hands; `sizes` has the size, count and choices of each group."""
    for i in range(numbers.size):
        number, end = numbers[i], cards.size
        first_cards = second_cards = np.uint64(0)
        # The rank of a choice within each group is a digit of the number, in mixed radix.
        for group in range(len(sizes) - 1, -1, -1):
            n, count, n_choices = sizes[group]
            rank = number % n_choices
            number //= n_choices
            # Choices with a card are numbered before those without it (combinatorial number system).
            for card in range(end - n, end):
                n -= 1
                n_with = binomials[n * _WIDTH + count - 1] if count else 0  # choices with this card
                if rank < n_with:
                    first_cards |= cards[card]
                    count -= 1
                else:
                    second_cards |= cards[card]
                    rank -= n_with
            end -= sizes[group, 0]
        first[i] |= first_cards
        second[i] |= second_cards


def enumerate_deals(predeal: Predeal) -> Enumeration:
    """Return all deals that comply with a predeal.

    Parameters
    ----------
    predeal : Predeal
        It determines two hands or more, and may have cards, small cards and suit lengths of the open hands.

    Returns
    -------
    Enumeration

    Raises
    ------
    PredealError
        No deal complies, or more than two hands are open.

    Examples
    --------
    >>> known = {"north": "AKQJT98765432...", "south": ".AKQJT98765432.."}
    >>> enumerate_deals(Predeal.from_mapping(known)).n_deals
    10400600
    """
    # At most two hands may be open; the second gets the cards that the first does not.
    predeal.check()
    seats = tuple(seat for seat, n_missing in enumerate(predeal.needs) if n_missing)
    if len(seats) > 2:
        raise PredealError(_describe_open_hands(seats, predeal.n_deals))
    known, groups, pool = list(predeal.masks), [], []
    first, second = (*seats, *(seat for seat in range(4) if seat not in seats))[:2]
    n_first = predeal.needs[first]
    small = {(seat, suit) for seat, suit, _ in predeal.small}
    # Suits of known length are groups of their own; all other free cards are one group.
    for suit in range(4):
        cards, n_held = _split_suit(predeal, suit, (first, second), small, known)
        if n_held is None:
            pool += cards
        else:
            groups.append(CardGroup(tuple(cards), n_held))
    n_chosen = known[first].bit_count() - predeal.masks[first].bit_count()
    n_chosen += sum(group.count for group in groups)
    groups.append(CardGroup(tuple(pool), n_first - n_chosen))
    # Groups with a single choice are known cards.
    for group in groups:
        if group.n_choices == 1:  # no cards, or all of them for one hand
            known[first if group.count else second] |= sum(group.cards)
    open_groups = tuple(group for group in groups if group.n_choices > 1)
    return Enumeration(tuple(known), seats, open_groups)  # type: ignore[arg-type]


def _split_suit(
    predeal: Predeal, suit: int, seats: tuple[int, int], small: set[tuple[int, int]], known: list[int]
) -> tuple[list[int], int | None]:
    """Return the cards of a suit that either open hand may hold, and how many the first holds, or None.

    Cards that one of the hands must hold, because the other has only small cards in the suit, are added to
    `known`.
    """
    first, second = seats
    # A hand with small cards gets no other card of the suit from the ten up, so the other open hand has them.
    dealt = known[0] | known[1] | known[2] | known[3]
    cards = [(rank, card_bit(suit, rank)) for rank in range(12, -1, -1) if not card_bit(suit, rank) & dealt]
    for seat, other in (seats, seats[::-1]):
        if (seat, suit) in small:
            for rank, card in cards:
                if rank >= TEN:
                    known[other] |= card
            cards = [(rank, card) for rank, card in cards if rank < TEN]
    # The predealt length of either hand determines how many of the open cards the first one holds.
    all_cards = sum(card_bit(suit, rank) for rank in range(13))
    held = {seat: (known[seat] & all_cards).bit_count() for seat in seats}
    lengths = {seat: length for seat, of_suit, length in predeal.lengths if of_suit == suit}
    n_held = None
    if first in lengths:
        n_held = lengths[first] - held[first]
    elif second in lengths:
        n_held = len(cards) - (lengths[second] - held[second])
    return [card for _, card in cards], n_held


def _describe_open_hands(seats: tuple[int, ...], n_deals: int) -> str:
    """Return the message about a predeal that leaves more than two hands open."""
    number = format_count(n_deals) if n_deals < 10**15 else format_number(n_deals, ascii=True)
    return (
        f"the predeal leaves {len(seats)} hands open, {join_words([SEATS[seat] for seat in seats])}, in "
        f"{number} deals; predeal all 13 cards of two seats by name (two open hands have at most 10,400,600 "
        "layouts), or deal at random"
    )
