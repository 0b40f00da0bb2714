"""A line of play, double dummy: card after card, with what each legal card costs in tricks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, RANKS, SEATS, SUIT_LETTERS, SUITS
from dealerkit.doubledummy.library_calls import call_boards
from dealerkit.errors import DealError


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card of a line of play.

    Attributes
    ----------
    number : int, 1 to 52
    trick : int, 1 to 13
    seat : int
        Who plays it, N E S W = 0..3.
    card : str
        As ``"SQ"``.
    costs : dict of str to int
        For each legal card the tricks that it costs the player's side, in order of suit and rank; 0 for the
        best ones.
    given : bool
        It was given, not chosen.
    tricks : int
        Of declarer in the whole play, double dummy after this card.
    """

    number: int
    trick: int
    seat: int
    card: str
    costs: dict[str, int]
    given: bool
    tricks: int

    @property
    def cost(self) -> int:
        """The tricks that the card costs the side of its player."""
        return self.costs[self.card]


def play_line(
    hands: Sequence[int], strain: int, declarer: int, given: Sequence[str] = ()
) -> list[PlayedCard]:
    """Play a deal to its end, double dummy, from the cards that are given.

    Each position is solved, and of the cards that cost nothing one is played: of the suit of which the player
    has most cards left, among equals the higher-ranking; of this suit the lowest.

    Parameters
    ----------
    hands : sequence of four ints
        A whole deal.
    strain : int, S H D C N = 0..4
    declarer : int, N E S W = 0..3
    given : sequence of str
        Cards such as ``"SQ"``, from the opening lead on, in the order of play.

    Returns
    -------
    list of PlayedCard
        52.

    Raises
    ------
    DealError
        A given card is not held by the player whose turn it is, or does not follow suit.
    FileError
        The solver library is missing.

    Examples
    --------
    >>> suits = [0x1FFF << 48, 0x1FFF << 32, 0x1FFF << 16, 0x1FFF]
    >>> line = play_line(suits, 1, 2, ["C5"])
    >>> [card.card for card in line[:4]], line[0].tricks
    (['C5', 'S2', 'H2', 'D2'], 0)
    """
    state = _Position(list(hands), strain, declarer, (declarer + 1) % 4)
    line = []
    for number in range(52):
        scores = state.solve()
        best = max(scores.values())
        card = given[number] if number < len(given) else state.choose(scores, best)
        if card not in scores:
            raise DealError(f"card {number + 1}: {state.describe_fault(card)}")
        costs = {name: best - score for name, score in scores.items()}
        seat, trick = state.player, number // 4 + 1
        tricks = state.count_total(scores[card])
        state.play(card)
        line.append(PlayedCard(number + 1, trick, seat, card, costs, number < len(given), tricks))
    return line


class _Position:
    """The hands, the cards of the current trick, and the tricks that declarer has won."""

    def __init__(self, hands: list[int], strain: int, declarer: int, leader: int) -> None:
        self.hands, self.strain, self.declarer, self.leader = hands, strain, declarer, leader
        self.trick: list[tuple[int, int]] = []
        self.n_tricks = self.won = 0

    @property
    def player(self) -> int:
        """The seat whose turn it is."""
        return (self.leader + len(self.trick)) % 4

    def solve(self) -> dict[str, int]:
        """Return for each legal card the tricks of the player's side, this one included."""
        table = np.zeros((2, 1, 3), np.int64)
        for column, (suit, rank) in enumerate(self.trick):
            table[:, 0, column] = suit, rank + 2
        hands = np.array([self.hands], np.uint64)
        solved = call_boards(hands, self.strain, self.leader, -1, 3, 1, (table[0], table[1]))[0]
        scores = {}
        for entry in range(int(solved["cards"])):
            suit, rank = int(solved["suit"][entry]), int(solved["rank"][entry])
            bits = int(solved["equals"][entry]) | 1 << rank
            for other in range(14, 1, -1):
                if bits >> other & 1:
                    scores[SUIT_LETTERS[suit] + RANKS[other - 2]] = int(solved["score"][entry])
        order = sorted(scores, key=lambda card: (SUIT_LETTERS.index(card[0]), -RANKS.index(card[1])))
        return {card: scores[card] for card in order}

    def choose(self, scores: dict[str, int], best: int) -> str:
        """Return one of the best cards by the rule of `play_line`."""
        hand = self.hands[self.player]
        length = {
            letter: (hand >> shift & LANE_MASK).bit_count()
            for letter, shift in zip(SUIT_LETTERS, LANE_SHIFTS, strict=True)
        }
        candidates = [card for card, score in scores.items() if score == best]
        suit = max((card[0] for card in candidates), key=lambda s: (length[s], -SUIT_LETTERS.index(s)))
        return min((card for card in candidates if card[0] == suit), key=lambda card: RANKS.index(card[1]))

    def count_total(self, score: int) -> int:
        """Return declarer's tricks in the whole play if the player's side takes `score` from here."""
        is_declaring = (self.player - self.declarer) % 2 == 0
        return self.won + (score if is_declaring else 13 - self.n_tricks - score)

    def play(self, card: str) -> None:
        """Play a legal card; after the fourth the winner of the trick leads."""
        suit, rank = SUIT_LETTERS.index(card[0]), RANKS.index(card[1])
        self.hands[self.player] &= ~(1 << LANE_SHIFTS[suit] + rank)
        self.trick.append((suit, rank))
        if len(self.trick) == 4:
            self.leader = (self.leader + find_winner(self.trick, self.strain)) % 4
            self.won += (self.leader - self.declarer) % 2 == 0
            self.n_tricks, self.trick = self.n_tricks + 1, []

    def describe_fault(self, card: str) -> str:
        """Return why a card cannot be played."""
        player = SEATS[self.player]
        holder = next((SEATS[seat] for seat, hand in enumerate(self.hands) if _holds(hand, card)), None)
        if holder is None:
            return f"{card} was played before" if _is_card(card) else f"{card!r} is not a card, as SA or H10"
        if holder != player:
            return f"{card} is held by {holder}, and it is {player}'s turn"
        led = SUITS[self.trick[0][0]]
        return f"{player} plays {card} and still has a card of the suit led, {led}"


def find_winner(trick: Sequence[tuple[int, int]], strain: int) -> int:
    """Return the place of the winning card of a trick, 0 for the card led.

    >>> find_winner([(1, 10), (1, 12), (0, 0), (2, 12)], 0), find_winner([(1, 10), (2, 12)], 4)
    (2, 0)
    """
    led = trick[0][0]
    ranked = [(suit == strain, suit == led, rank) for suit, rank in trick]
    return max(range(len(trick)), key=ranked.__getitem__)


def _is_card(card: str) -> bool:
    return len(card) == 2 and card[0] in SUIT_LETTERS and card[1] in RANKS


def _holds(hand: int, card: str) -> bool:
    return _is_card(card) and bool(
        hand >> LANE_SHIFTS[SUIT_LETTERS.index(card[0])] + RANKS.index(card[1]) & 1
    )


def split_tricks(line: Sequence[PlayedCard]) -> Iterator[tuple[PlayedCard, ...]]:
    """Yield the cards of each trick, the one led first."""
    for first in range(0, len(line), 4):
        yield tuple(line[first : first + 4])
