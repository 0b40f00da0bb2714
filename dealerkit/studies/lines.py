"""`line`: the double-dummy play of one deal, and what other cards would have cost."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Note, Picture
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.arguments import is_empty, is_listing
from dealerkit.cards.deal import Deal
from dealerkit.cards.deals import Deals
from dealerkit.cards.html import render_deal
from dealerkit.cards.names import (
    LANE_MASK,
    LANE_SHIFTS,
    RANKS,
    SEAT_LETTERS,
    SEATS,
    SUIT_LETTERS,
    SUITS,
    card_bit,
)
from dealerkit.cards.text import find_fault, replace_symbols
from dealerkit.doubledummy.arguments import to_hands
from dealerkit.doubledummy.library_calls import call_boards
from dealerkit.errors import ArgumentError, DealError, quote
from dealerkit.formats.auctions import Play, find_owner, find_winner, name_card, parse_card
from dealerkit.runtime.progress import long_work
from dealerkit.scoring import Contract, parse_declared
from dealerkit.studies.provenance import RepeatableResult, repeatable

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card of a line of play.

    Attributes
    ----------
    number : int, 1 to 52
    trick : int, 1 to 13
    seat : int
        The seat that plays it, N E S W = 0..3.
    card : str
        As ``"SQ"``.
    costs : dict of str to int
        For each legal card, the tricks that it costs the player's side, in the order of suit and rank; 0 for
        the best ones.
    given : bool
        Whether the card was given, not chosen.
    tricks : int
        Declarer's tricks in the whole play, double dummy after this card.
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
    """Play a deal to its end, double dummy, after the given cards.

    Each position is solved, and one of the cards that cost nothing is played: from the suit in which the
    player has most cards left (the higher-ranking of equal ones), the lowest of those cards.

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
        The 52 cards of the play.

    Raises
    ------
    DealError
        A given card is not held by the player whose turn it is, or is a revoke.
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
        self.trick: list[int] = []
        self.n_tricks = self.won = 0

    @property
    def player(self) -> int:
        """The seat whose turn it is."""
        return (self.leader + len(self.trick)) % 4

    def solve(self) -> dict[str, int]:
        """Return, for each legal card, the tricks of the player's side, including the current trick."""
        table = np.zeros((2, 1, 3), np.int64)
        for column, card in enumerate(self.trick):
            table[:, 0, column] = card // 13, card % 13 + 2
        hands = np.array([self.hands], np.uint64)
        solved = call_boards(hands, self.strain, self.leader, -1, 3, 1, (table[0], table[1]))[0]
        scores = {}
        for entry in range(int(solved["cards"])):
            suit, rank = int(solved["suit"][entry]), int(solved["rank"][entry])
            bits = int(solved["equals"][entry]) | 1 << rank
            for other in range(14, 1, -1):
                if bits >> other & 1:
                    scores[13 * suit + other - 2] = int(solved["score"][entry])
        order = sorted(scores, key=lambda card: (card // 13, -card))
        return {name_card(card): scores[card] for card in order}

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
        number = parse_card(card)
        self.hands[self.player] &= ~card_bit(*divmod(number, 13))
        self.trick.append(number)
        if len(self.trick) == 4:
            self.leader = (self.leader + find_winner(self.trick, self.strain)) % 4
            self.won += (self.leader - self.declarer) % 2 == 0
            self.n_tricks, self.trick = self.n_tricks + 1, []

    def describe_fault(self, card: str) -> str:
        """Return why a card cannot be played."""
        if (number := parse_card(card)) < 0:
            return f"{card!r} is not a card; write a card as SA or H10"
        player, holder = SEATS[self.player], find_owner(self.hands, number)
        if holder < 0:
            return f"{card} was played before"
        if holder != self.player:
            return f"{card} is held by {SEATS[holder]}, and it is {player}'s turn"
        led = SUITS[self.trick[0] // 13]
        return f"{player} plays {card} and still has a card of the suit led, {led}"


def split_tricks(line: Sequence[PlayedCard]) -> Iterator[tuple[PlayedCard, ...]]:
    """Yield the cards of each trick, the card led first."""
    for first in range(0, len(line), 4):
        yield tuple(line[first : first + 4])


_TRICK_COLUMNS = (
    Column("trick", kind="label"),
    Column("leader", "led by", "text"),
    *(Column(seat, seat.capitalize(), "cards") for seat in SEATS),
    Column("winner", "won by", "text"),
    Column("tricks", "declarer's", "count"),
)
_COST_COLUMNS = Column("trick", kind="label"), Column("cards", kind="cards")


@dataclass(frozen=True, eq=False, repr=False)
class LineOfPlay(RepeatableResult):
    """A line of play, as `line` returns it.

    Attributes
    ----------
    deal : Deal
    contract : Contract
    declarer : int
        N E S W = 0..3.
    cards : tuple of PlayedCard
        The 52 cards in the order of play, each with its seat, its cost and the costs of the other legal
        cards.
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> suits = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    >>> played = dk.line(suits, "7S by north", lead="H2")
    >>> played.tricks, played.to_frame().card[:4].tolist()
    (13, ['H2', 'D2', 'C2', 'S2'])
    """

    deal: Deal
    contract: Contract
    declarer: int
    cards: tuple[PlayedCard, ...]

    @property
    def double_dummy(self) -> int:
        """Declarer's tricks with best play by both sides from the start."""
        first = self.cards[0]
        return first.tricks - first.cost

    @property
    def tricks(self) -> int:
        """Declarer's tricks in this line."""
        return self.cards[-1].tricks

    @property
    def costs_by_side(self) -> tuple[int, int]:
        """The tricks that all cards together cost declarer's side, and the defence."""
        costs = [0, 0]
        for card in self.cards:
            costs[(card.seat - self.declarer) % 2] += card.cost
        return costs[0], costs[1]

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each card in the order of play.

        - number (index), trick; seat: ``"west"``; card: ``"SQ"``
        - given: whether it was given, not chosen
        - cost: the tricks it costs the side of its player
        - tricks: declarer's tricks in the whole play, double dummy after this card
        - costs: costs of the other legal cards, ``"S4 0, H3 1"``
        """
        import pandas as pd

        columns = {
            "trick": [card.trick for card in self.cards],
            "seat": [SEATS[card.seat] for card in self.cards],
            "card": [card.card for card in self.cards],
            "given": [card.given for card in self.cards],
            "cost": [card.cost for card in self.cards],
            "tricks": [card.tricks for card in self.cards],
            "costs": [", ".join(f"{name} {cost}" for name, cost in _others(card)) for card in self.cards],
        }
        return pd.DataFrame(columns, pd.RangeIndex(1, 53, name="number"))

    @property
    def title(self) -> str:
        """The contract, its double-dummy tricks, and the tricks in this line."""
        contract = f"{self.contract} by {SEATS[self.declarer]}"
        if self.tricks == self.double_dummy:
            return f"{contract}: {self.tricks} tricks, double dummy"
        return f"{contract}: {self.tricks} tricks; {self.double_dummy} double dummy"

    def card(self) -> Card:
        """The card: the deal, its tricks, and the cards that would have cost tricks."""
        deal = self.deal
        details = deal.vulnerable, deal.dealer, deal.board
        tables = [Table(_TRICK_COLUMNS, list(self._list_tricks()))]
        if rows := list(self._list_costs()):
            heading = "Other cards, and the tricks they would have cost"
            tables.append(Table(_COST_COLUMNS, rows, heading, is_detail=True))
        notes: list[Note] = []
        if any(self.costs_by_side):
            declaring, defending = (Quantity(cost, "count") for cost in self.costs_by_side)
            notes.append((
                "In brackets: the tricks that a card cost the side of its player, double dummy; in all ",
                declaring, " of declarer's side and ", defending, " of the defence.",
            ))  # fmt: skip
        picture = Picture(f"{deal.diagram(symbols=False)}\n", render_deal(deal.hands, *details))
        return Card(self.title, pictures=[picture], tables=tables, notes=notes, provenance=self._list_facts())

    def _list_tricks(self) -> Iterator[list[Any]]:
        """Yield a row for each trick."""
        won = 0
        for trick in split_tricks(self.cards):
            cells = {card.seat: _mark_cost(card) for card in trick}
            numbers = [parse_card(card.card) for card in trick]
            winner = trick[find_winner(numbers, self.contract.strain)].seat
            won += (winner - self.declarer) % 2 == 0
            leader = SEATS[trick[0].seat]
            yield [trick[0].trick, leader, *(cells[seat] for seat in range(4)), SEATS[winner], won]

    def _list_costs(self) -> Iterator[list[Any]]:
        """Yield a row for each trick in which another card would have cost tricks."""
        for trick in split_tricks(self.cards):
            parts = [f"{SEAT_LETTERS[card.seat]}: {costs}" for card in trick if (costs := _join_costs(card))]
            if parts:
                yield [trick[0].trick, "; ".join(parts)]

    def __repr__(self) -> str:
        return f"<LineOfPlay of {self.title}, lead {self.cards[0].card}>"


def _others(card: PlayedCard) -> list[tuple[str, int]]:
    """Return the other legal cards with their costs, the cheapest first."""
    others = [(name, cost) for name, cost in card.costs.items() if name != card.card]
    return sorted(others, key=lambda item: item[1])


def _join_costs(card: PlayedCard) -> str:
    """Return the other cards that cost tricks, by cost and suit: ``SK93 1, C95 3``."""
    costly = [(name, cost) for name, cost in _others(card) if cost]
    groups = itertools.groupby(costly, key=lambda item: (item[1], item[0][0]))
    parts = [(cost, suit + "".join(name[1] for name, _ in cards)) for (cost, suit), cards in groups]
    joined = itertools.groupby(parts, key=lambda part: part[0])
    return ", ".join(f"{' '.join(cards for _, cards in same)} {cost}" for cost, same in joined)


def _mark_cost(card: PlayedCard) -> str:
    return f"{card.card} ({card.cost})" if card.cost else card.card


@long_work
@repeatable
def line(
    deal: Any,
    contract: Any,
    declarer: Any = None,
    *,
    lead: str | None = None,
    cards: str | Sequence[str] = (),
) -> LineOfPlay:
    """Return one line of play, double dummy, and the tricks that each other card would have cost.

    Each position of the line is solved. Of the cards that cost nothing, the line takes the lowest one of the
    suit in which the player has most cards left (the higher-ranking of equal ones).

    Parameters
    ----------
    deal : Deal, str (PBN), or Deals with one deal
    contract : str or Contract
        ``"3NT by south"``, or ``"3NT"`` with `declarer`.
    declarer : seat, optional
    lead : str, optional
        The opening lead, ``"SQ"``.
    cards : str or sequence of str, optional
        A play whose cards get their costs: ``"SQ S3 S5 SA H2"`` in the order of play, as in the column
        ``play`` of `dealerkit.read`; LIN (``pc|SQ|pc|S3|``); or the lines of PBN's Play section, one per
        trick. It may end early, at a claim or at an unknown card (``-``); the rest is then played double
        dummy.

    Returns
    -------
    LineOfPlay
        Frozen, with `frame`, `text` and HTML.

    Raises
    ------
    DealError
        The deal is not whole; a card is not held by its player or may not be played.
    ArgumentError
        The contract cannot be read, has no declarer, there are several deals, or both `lead` and `cards` are
        given.
    FileError
        The solver library is missing.

    Examples
    --------
    >>> suits = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    >>> played = line(suits, "7S by north", lead="H2")
    >>> played
    <LineOfPlay of 7S by north: 13 tricks, double dummy, lead H2>
    >>> played.cards[0].costs["HA"], played.tricks
    (0, 13)
    """
    # One whole deal
    hands = to_hands(deal)
    if len(hands) != 1:
        raise ArgumentError(f"a line of play needs one deal, not {len(hands)}; give deals[0]")
    if fault := find_fault(hands):
        raise DealError(f"the deal is not whole: {fault[1]}")
    if isinstance(deal, Deals):
        deal = deal[0]
    elif not isinstance(deal, Deal):
        deal = Deal([int(word) for word in hands[0]])
    # The contract, and the cards played
    declared = parse_declared(contract, declarer)
    if declared.contract is None or declared.declarer is None:
        raise ArgumentError("a deal that is passed out has no play; give a contract such as '3NT by south'")
    if lead is not None and not is_empty(cards):
        raise ArgumentError("give the lead as the first of the cards, without lead=")
    strain = declared.contract.strain
    play = (() if cards is None else cards) if lead is None else [lead]
    given = _read_cards(play, deal.hands, strain, declared.declarer)
    played = play_line(deal.hands, strain, declared.declarer, given)
    return LineOfPlay(deal, declared.contract, declared.declarer, tuple(played))


def _read_cards(cards: Any, hands: Sequence[int], strain: int, declarer: int) -> list[str]:
    """Return the given cards in the order of play, as far as they are known."""
    if not (isinstance(cards, str) or is_listing(cards)):
        raise ArgumentError(f"cards are {quote(cards)}; give the play as text, such as 'SQ S3 S5 SA'")
    # Cards one after another, until a claim
    is_table = isinstance(cards, str) and "\n" in cards.strip()
    if isinstance(cards, str):
        cards = re.sub(r"\bpc\b|[|,]", " ", cards, flags=re.IGNORECASE).split()
    numbers = []
    for place, text in enumerate(cards, 1):
        name = replace_symbols(str(text))
        if name.lower() in ("-", "--", "?", "*", "+", "mc", "claim"):
            break
        if (number := parse_card(name)) < 0:
            raise DealError(f"card {place} of the play is {text!r}; write a card as SA or H10")
        numbers.append(number)
    if len(numbers) > 52:
        raise DealError(f"the play has {len(numbers)} cards; a deal has 52")
    # In a table, each row has the cards by seat
    if is_table:
        play = Play(hands, (declarer + 1) % 4, strain, numbers, by_seats=True)
        numbers = [*play.cards, *numbers[len(play.cards) :]]
    return [name_card(number) for number in numbers]
