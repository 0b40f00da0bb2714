"""The leader's hand, and the leads that are compared: groups of touching cards, or those of a rule."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dealerkit.appearance.wording import describe_object
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, RANKS, SUIT_LETTERS, SUITS
from dealerkit.cards.text import SUIT_SYMBOLS, format_hand, parse_hand, replace_symbols
from dealerkit.doubledummy.lead_rules import LeadRule, choose_cards
from dealerkit.doubledummy.leads import KINDS, find_distinct_leads
from dealerkit.errors import DealError

_NAMED = re.compile("S:?(.*?)[,.]?H:?(.*?)[,.]?D:?(.*?)[,.]?C:?(.*)")
_VOIDS = ("-", "--", "—", "–")
_FORM = "write the suits from spades to clubs with dots between them, as KJ74.Q93.T85.J62"


@dataclass(frozen=True, slots=True)
class Lead:
    """A lead: a card, with those that touch it in the leader's hand and so are the same lead.

    Attributes
    ----------
    suit : int, S H D C = 0..3
    rank : int
        Of the highest card, 0 (deuce) to 12.
    length : int
        Number of touching cards.
    kind : str
        As in `dealerkit.leads`.
    """

    suit: int
    rank: int
    length: int
    kind: str

    @property
    def card(self) -> str:
        """The highest card, ``SJ``."""
        return SUIT_LETTERS[self.suit] + RANKS[self.rank]

    @property
    def ranks(self) -> str:
        """All cards, ``J-T``."""
        return "-".join(RANKS[self.rank - k] for k in range(self.length))

    @property
    def text(self) -> str:
        """The cards with the symbol of the suit, ``♠J-T``."""
        return SUIT_SYMBOLS[self.suit] + self.ranks

    @property
    def is_single_honour(self) -> bool:
        """Whether it is a jack or better that touches no other card."""
        return self.kind == "honour" and self.rank >= RANKS.index("J")

    def includes(self, card: str) -> bool:
        """Return whether a card such as ``ST`` belongs to the lead."""
        return card[:1] == SUIT_LETTERS[self.suit] and card[1:] in self.ranks.split("-")


def read_leader(hand: Any) -> int:
    """Return the leader's hand, of 13 cards, written with dots, or as ``S KJ74 H Q93 D T85 C J62``.

    Raises
    ------
    DealError
        Not a hand, a card twice, another number of cards.

    Examples
    --------
    >>> read_leader("KJ74.Q93.T85.J62").bit_count()
    13
    """
    if not isinstance(hand, str):
        raise DealError(f"the leader's hand is {describe_object(hand)}; {_FORM}")
    try:
        word = parse_hand(_join_suits(hand))
    except DealError as error:
        hint = f"; {_FORM}" if "dots" in str(error) else ""
        raise DealError(f"the leader's hand: {error}{hint}") from None
    if (size := word.bit_count()) != 13:
        lengths = [(word >> shift & LANE_MASK).bit_count() for shift in LANE_SHIFTS]
        suits = ", ".join(f"{length} {suit}" for length, suit in zip(lengths, SUITS, strict=True))
        raise DealError(f"the leader's hand {format_hand(word)} has {size} cards ({suits}); a hand has 13")
    return word


def _join_suits(text: str) -> str:
    """Return a hand with dots between its suits, from one with suit letters, symbols, blanks or dashes.

    >>> _join_suits("S KJ7432 H Q9832 D - C J6"), _join_suits("KJ74 Q93 T85 J62")
    ('KJ7432.Q9832..J6', 'KJ74.Q93.T85.J62')
    """
    text = replace_symbols(text.strip().upper())
    if named := _NAMED.fullmatch("".join(text.split())):
        suits: Sequence[str] = named.groups()
    else:
        suits = text.split("." if "." in text else None)
    return ".".join("" if suit.strip() in _VOIDS else suit for suit in suits)


def list_leads(hand: int, strain: int, lead_rule: LeadRule | None = None) -> tuple[Lead, ...]:
    """Return the leads from a hand by suits and ranks; with a rule only its card of each suit.

    >>> [lead.text for lead in list_leads(read_leader("KJT4.Q93.T85.J62"), 4)][:3]
    ['♠K', '♠J-T', '♠4']
    >>> [lead.text for lead in list_leads(read_leader("KJT4.Q93.T85.J62"), 4, "fourth best")]
    ['♠J-T', '♥3', '♦T', '♣2']
    """
    _, suits, ranks, lengths, kinds = find_distinct_leads(np.array([hand], np.uint64))
    found = [
        Lead(int(suit), int(rank), int(length), KINDS[kind])
        for suit, rank, length, kind in zip(suits, ranks, lengths, kinds, strict=True)
    ]
    if lead_rule is None:
        return tuple(found)
    allowed = choose_cards(hand, strain, lead_rule)
    return tuple(lead for lead in found if any(lead.includes(card) for card in allowed))
