"""Cards, hands and deals: as arrays, as text and as columns of pandas.

Only the names and numbers of seats, suits and cards are imported here; they do not need numpy.
"""

from __future__ import annotations

from dealerkit.cards.names import (
    FULL_DECK,
    LANE_MASK,
    LANE_SHIFTS,
    MISSING,
    RANKS,
    SEATS,
    SIDES,
    STRAINS,
    SUITS,
    VULNERABILITIES,
    card_bit,
    seat_number,
    strain_number,
    suit_number,
    vulnerability_number,
)

__all__ = [
    "FULL_DECK", "LANE_MASK", "LANE_SHIFTS", "MISSING", "RANKS", "SEATS", "SIDES", "STRAINS", "SUITS",
    "VULNERABILITIES", "card_bit", "seat_number", "strain_number", "suit_number", "vulnerability_number",
]  # fmt: skip
