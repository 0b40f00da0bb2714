"""A deal after some cards were played: whose turn it is, and what the cards show about the hidden hands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.arguments import is_listing
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, RANKS, SEATS, SUIT_LETTERS, SUITS, card_bit
from dealerkit.cards.text import SUIT_SYMBOLS, format_hand, replace_symbols
from dealerkit.doubledummy.library_calls import call_boards
from dealerkit.errors import ArgumentError, DealError, quote
from dealerkit.formats.auctions import find_winner, name_card, parse_card

CALL = 200  # positions in one call of the solver


@dataclass(frozen=True, slots=True)
class CardChoice:
    """A card that can be played, together with the cards that touch it and so are equivalent.

    Attributes
    ----------
    suit : int, S H D C = 0..3
    all_ranks : tuple of int
        The highest first; 0 (deuce) to 12.

    Examples
    --------
    >>> choice = CardChoice(0, (12, 10))
    >>> choice.card, choice.ranks, choice.includes("SQ")
    ('SA', 'A-Q', True)
    """

    suit: int
    all_ranks: tuple[int, ...]

    @property
    def rank(self) -> int:
        """The highest rank."""
        return self.all_ranks[0]

    @property
    def card(self) -> str:
        """The highest card, ``SA``."""
        return SUIT_LETTERS[self.suit] + RANKS[self.rank]

    @property
    def ranks(self) -> str:
        """All cards, ``A-Q``."""
        return "-".join(RANKS[rank] for rank in self.all_ranks)

    @property
    def text(self) -> str:
        """The cards with the symbol of the suit, ``♠A-Q``."""
        return SUIT_SYMBOLS[self.suit] + self.ranks

    def includes(self, card: str) -> bool:
        """Return whether a card such as ``SQ`` belongs to the choice."""
        return card[:1] == SUIT_LETTERS[self.suit] and card[1:] in self.ranks.split("-")


@dataclass(frozen=True)
class PlayedCards:
    """The cards played to a contract so far.

    Attributes
    ----------
    strain : int, S H D C N = 0..4
    declarer : int, N E S W = 0..3
    cards : tuple of int
        In the order of play, suit * 13 + rank.
    seats : tuple of int
        The seat that played each card.
    leader : int
        The seat that leads, or led, to the current trick.
    won : tuple of (int, int)
        Tricks of declarer's side and of the defence.

    Examples
    --------
    >>> played = PlayedCards.read("S5 S3 SK S2 S9", 4, 2)
    >>> SEATS[played.player], played.won, [name_card(card) for card in played.trick]
    ('south', (0, 1), ['S9'])
    """

    strain: int
    declarer: int
    cards: tuple[int, ...]
    seats: tuple[int, ...]
    leader: int
    won: tuple[int, int]

    @classmethod
    def read(cls, played: Any, strain: int, declarer: int) -> PlayedCards:
        """Return the cards of a text such as ``"S5 S3 SK S2"``, or of a sequence of cards.

        Raises
        ------
        DealError
            Something is not a card, a card occurs twice, or there are more than 51 cards.
        """
        if not (isinstance(played, str) or is_listing(played)):
            raise ArgumentError(
                f"played is {quote(played)}; give the cards in the order of play, 'S5 S3 SK S2'"
            )
        if isinstance(played, str):
            played = re.sub(r"\bpc\b|[|,;\-]", " ", played, flags=re.IGNORECASE).split()
        cards: list[int] = []
        seats: list[int] = []
        leader, won = (declarer + 1) % 4, [0, 0]
        for place, text in enumerate(played, 1):
            card = parse_card(replace_symbols(str(text)))
            if card < 0:
                raise DealError(f"card {place} of the play is {quote(text, 20)}; write a card as SA or H10")
            if card in cards:
                raise DealError(f"card {place} of the play, {name_card(card)}, was played before")
            cards.append(card)
            seats.append((leader + (place - 1) % 4) % 4)
            if place % 4 == 0:
                leader = (leader + find_winner(cards[-4:], strain)) % 4
                won[(leader - declarer) % 2] += 1
        if len(cards) > 51:
            raise DealError("all 52 cards have been played; there is no card to choose")
        return cls(strain, declarer, tuple(cards), tuple(seats), leader, (won[0], won[1]))

    @property
    def trick(self) -> tuple[int, ...]:
        """The cards of the current trick."""
        return self.cards[len(self.cards) // 4 * 4 :]

    @property
    def player(self) -> int:
        """Whose turn it is, N E S W = 0..3."""
        return (self.leader + len(self.trick)) % 4

    @property
    def dummy(self) -> int:
        """The seat of dummy."""
        return (self.declarer + 2) % 4

    @property
    def viewer(self) -> int:
        """The seat that chooses the card: the player, or declarer if dummy is to play."""
        return self.declarer if self.player == self.dummy else self.player

    @property
    def hidden(self) -> tuple[int, int]:
        """The seats whose hands the viewer cannot see."""
        first, second = (seat for seat in range(4) if seat not in (self.viewer, self.dummy))
        return first, second

    def list_played(self, seat: int) -> list[int]:
        """Return the cards that a seat has played."""
        return [card for card, owner in zip(self.cards, self.seats, strict=True) if owner == seat]

    def find_voids(self, seat: int) -> dict[int, int]:
        """Return the suits in which a seat has shown out, each with the number of its cards in it.

        Raises
        ------
        DealError
            The seat played a card of the suit later: a revoke.
        """
        voids: dict[int, int] = {}
        for number, (card, owner) in enumerate(zip(self.cards, self.seats, strict=True)):
            if owner != seat:
                continue
            led = self.cards[number // 4 * 4] // 13
            if card // 13 in voids:
                raise DealError(
                    f"card {number + 1} of the play: {SEATS[seat]} plays {name_card(card)} and has not "
                    f"followed to {SUITS[card // 13]} before: a revoke"
                )
            if card // 13 != led:
                voids[led] = sum(other // 13 == led for other in self.list_played(seat))
        return voids

    def check_hand(self, seat: int, hand: int) -> None:
        """Raise DealError unless a seat could have played its cards from a hand, following suit."""
        left = hand
        for number, (card, owner) in enumerate(zip(self.cards, self.seats, strict=True)):
            bit = card_bit(*divmod(card, 13))
            place = f"card {number + 1} of the play, {name_card(card)},"
            if owner != seat:
                if hand & bit:
                    raise DealError(f"{place} is played by {SEATS[owner]}, and {SEATS[seat]} has it")
                continue
            if not left & bit:
                raise DealError(
                    f"{place} is played by {SEATS[seat]}, who does not have it: {format_hand(hand)}"
                )
            led = self.cards[number // 4 * 4] // 13
            if card // 13 != led and left >> LANE_SHIFTS[led] & LANE_MASK:
                raise DealError(f"{place} is a revoke: {SEATS[seat]} has {SUITS[led]}")
            left &= ~bit

    def predeal(self, seat: int) -> list[Any]:
        """Return what the play shows of a hidden hand: its cards, and lengths of suits it does not have."""
        texts: list[Any] = [name_card(card) for card in self.list_played(seat)]
        if voids := self.find_voids(seat):
            texts.append({SUITS[suit]: length for suit, length in voids.items()})
        return texts

    def list_choices(self, hand: int) -> tuple[CardChoice, ...]:
        """Return the legal cards of the player, whose whole hand is given; touching cards are one choice.

        Cards touch if all cards between them were played to earlier tricks.
        """
        gone = set(self.cards[: len(self.cards) // 4 * 4])
        own = set(self.list_played(self.player))
        held = [card for card in range(52) if hand & card_bit(*divmod(card, 13)) and card not in own]
        if self.trick and (following := [card for card in held if card // 13 == self.trick[0] // 13]):
            held = following
        choices: list[CardChoice] = []
        for suit in range(4):
            ranks = [card % 13 for card in held if card // 13 == suit]
            while ranks:
                touching = [ranks.pop()]
                while ranks and all(13 * suit + rank in gone for rank in range(ranks[-1] + 1, touching[-1])):
                    touching.append(ranks.pop())
                choices.append(CardChoice(suit, tuple(touching)))
        return tuple(choices)

    def solve(
        self, hands: np.ndarray, choices: Sequence[CardChoice], threads: int | None = None
    ) -> np.ndarray:
        """Return the tricks of the player's side in the whole play after each choice, double dummy.

        Parameters
        ----------
        hands : ndarray of uint64 [n, 4]
            Whole deals that agree with the play.
        choices : sequence of CardChoice

        Returns
        -------
        ndarray of int8 [n, choices]
        """
        gone = np.zeros(4, np.uint64)
        for card, seat in zip(self.cards, self.seats, strict=True):
            gone[seat] |= np.uint64(card_bit(*divmod(card, 13)))
        trick = np.zeros((2, len(hands), 3), np.int64)
        for place, card in enumerate(self.trick):
            trick[:, :, place] = np.array([[card // 13], [card % 13 + 2]])
        ours = self.won[(self.player - self.declarer) % 2]
        tricks = np.zeros((len(hands), len(choices)), np.int8)
        for start in range(0, len(hands), CALL):
            rows = slice(start, start + CALL)
            solved = call_boards(
                hands[rows] & ~gone,
                self.strain,
                self.leader,
                -1,
                3,
                1,
                (trick[0, rows], trick[1, rows]),
                threads,
            )
            is_card = np.arange(13) < solved["cards"][:, None]
            bits = np.where(
                is_card, solved["equals"] | np.left_shift(1, np.where(is_card, solved["rank"], 0)), 0
            )
            for number, choice in enumerate(choices):
                found = (solved["suit"] == choice.suit) & (bits >> (choice.rank + 2) & 1 == 1)
                tricks[rows, number] = ours + np.where(found, solved["score"], 0).max(axis=1)
        return tricks

    def describe(self) -> str:
        """Return the play in words: ``trick 2: south leads; west to play``."""
        number = len(self.cards) // 4 + 1
        table = " ".join(name_card(card) for card in self.trick)
        start = (
            f"trick {number}, {SEATS[self.player]} leads"
            if not table
            else (f"trick {number}, {SEATS[self.player]} plays to {table}")
        )
        return f"{start}; tricks so far: declarer {self.won[0]}, defence {self.won[1]}"


def name_hand(hand: int) -> str:
    """Return a hand as predealt cards.

    >>> name_hand(0x1E0001C0000F0003)
    'SAKQJ,HT98,D5432,C32'
    """
    parts = []
    for letter, shift in zip(SUIT_LETTERS, LANE_SHIFTS, strict=True):
        lane = hand >> shift & LANE_MASK
        cards = "".join(RANKS[rank] for rank in range(12, -1, -1) if lane >> rank & 1)
        parts += [letter + cards] if cards else []
    return ",".join(parts)
