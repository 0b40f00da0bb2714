"""Hands and deals as LIN writes them: south, west, north, east, whoever deals."""

from __future__ import annotations

import re

from dealerkit.cards.names import RANKS, SUIT_LETTERS, card_bit
from dealerkit.cards.text import LIN_SEATS
from dealerkit.errors import DealError
from dealerkit.formats.text_files import PLAYERS, complete_deal

_HAND = re.compile(r"([SHDC])([^SHDC]*)")


def parse_deal(value: str) -> tuple[int, list[int]]:
    """Return dealer, -1 if unknown, and hands of a value of `md`.

    Raises
    ------
    DealError
        It is no whole deal.
    """
    text = value.strip()
    dealer = LIN_SEATS[int(text[0]) - 1] if text[:1] in ("1", "2", "3", "4") else -1
    parts = text.lstrip("0123456789").lstrip(" ,").split(",") if text else []
    if len(parts) > 4 and any(part.strip() for part in parts[4:]):
        raise DealError(f"{len(parts)} hands, not 4")
    hands = [0, 0, 0, 0]
    for seat, part in zip(LIN_SEATS, parts, strict=False):
        hands[seat] = _parse_hand(part, PLAYERS[seat])
    return dealer, complete_deal(hands)


def _parse_hand(text: str, name: str) -> int:
    """Return the hand of a text such as ``SAKQH2DT98C``, with suits and ranks in any order."""
    text = "".join(text.split()).upper().replace("10", "T").replace("-", "").replace(".", "")
    if text and text[0] not in SUIT_LETTERS:
        raise DealError(f"the hand of {name} does not begin with a suit: {text!r:.40}")
    hand = 0
    for suit, ranks in _HAND.findall(text):
        for rank in ranks:
            if rank not in RANKS:
                raise DealError(f"unknown card {suit}{rank} in the hand of {name}")
            bit = card_bit(SUIT_LETTERS.index(suit), RANKS.index(rank))
            if hand & bit:
                raise DealError(f"{suit}{rank} is twice in the hand of {name}")
            hand |= bit
    return hand
