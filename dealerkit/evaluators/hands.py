"""Functions of one hand: points, controls, losers, lengths, the Four C's.

Bodies take the cards of a seat, uint64 [n], and where the language allows it a suit
(S H D C = 0..3), and return integers [n]; those of `hundredths` functions count
hundredths of the unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, SUITS, card_bit
from dealerkit.errors import ArgumentError
from dealerkit.evaluators import four_cs, holdings
from dealerkit.registry import Function, register


def sum_over(hand: np.ndarray, table: np.ndarray, suit: int | None) -> np.ndarray:
    """A table of holdings over the hand, or over one of its suits."""
    if suit is None:
        from dealerkit.evaluators.kernels import sum_lanes  # loads numba

        return sum_lanes(hand, table)
    lane = hand >> np.uint64(LANE_SHIFTS[suit]) & np.uint64(LANE_MASK)
    return table.take(lane.view(np.int64))


def _count(hand: np.ndarray, mask: int) -> np.ndarray:
    """Number of the mask's cards that the hand holds."""
    return np.bitwise_count(hand & np.uint64(mask)).astype(np.int16)


def points(
    hand: np.ndarray, suit: int | None = None, *, weights: Sequence[int] | None = None, name: str
) -> np.ndarray:
    """Points of the table `name`, or of `weights` in its place."""
    values = holdings.default_weights(name) if weights is None else holdings.full_weights(weights)
    if set(values) <= {0, 1}:
        ranks = sum(1 << (12 - place) for place, value in enumerate(values) if value)
        lanes = LANE_SHIFTS if suit is None else LANE_SHIFTS[suit : suit + 1]
        return _count(hand, sum(ranks << shift for shift in lanes))
    return sum_over(hand, holdings.points(values), suit)


def losers(hand: np.ndarray, suit: int | None = None, *, table: np.ndarray | None = None) -> np.ndarray:
    """Losing tricks, by `holdings.losers` or the table given in its place."""
    return sum_over(hand, holdings.losers() if table is None else table, suit)


def ltc(hand: np.ndarray, suit: int | None = None) -> np.ndarray:
    """Losing tricks with halves, in hundredths."""
    return sum_over(hand, holdings.ltc(), suit)


def cccc(hand: np.ndarray, *, variant: str = "intended") -> np.ndarray:
    """Four C's, in hundredths."""
    packed = sum_over(hand, four_cs.packed_four_cs(variant), None)
    return four_cs.four_cs_of_sum(variant).take(packed)


def quality(hand: np.ndarray, suit: int, *, variant: str = "intended") -> np.ndarray:
    """Quality of a suit in the Four C's, in hundredths."""
    return sum_over(hand, four_cs.quality(variant), suit)


def suit_length(hand: np.ndarray, *, suit: int) -> np.ndarray:
    """Number of cards in a suit."""
    return _count(hand, LANE_MASK << LANE_SHIFTS[suit])


def has_card(hand: np.ndarray, card: Any) -> np.ndarray:
    """1 where the hand holds the card, a pair (suit, rank) or an object with these attributes."""
    suit, rank = card if isinstance(card, tuple) else (card.suit, card.rank)
    if not (0 <= suit < 4 and 0 <= rank < 13):
        raise ArgumentError(
            f"no card has suit {suit} and rank {rank}; suits are S H D C = 0..3, ranks 0 (deuce) to 12 (ace)"
        )
    return _count(hand, card_bit(suit, rank))


_VAN_STAVEREN = "H. van Staveren, dealer"
_FOUR_CS = "E. Kaplan and J. Rubens, The Four C's, The Bridge World, October 1982"


def _register_points(
    name: str, aliases: tuple[str, ...], unit: str, high: int, cost: float, summary: str, source: str
) -> None:
    register(
        Function(
            name,
            ("seat", "suit?"),
            partial(points, name=name),
            unit=unit,
            table=name,
            low=0,
            high=high,
            cost=cost,
            combine="sum",
            summary=summary,
            source=source,
            aliases=aliases,
        )
    )


# `low` and `high` hold for the default table; a script that redefines it knows its own bounds.
_register_points(
    "hcp",
    ("hcps",),
    "points",
    37,
    1.1,
    "high-card points: A 4, K 3, Q 2, J 1",
    "B. McCampbell, Auction Tactics, 1915",
)
for _name, _aliases, _high, _cards in (
    ("tens", ("ten", "pt0"), 4, "tens"),
    ("jacks", ("jack", "pt1"), 4, "jacks"),
    ("queens", ("queen", "pt2"), 4, "queens"),
    ("kings", ("king", "pt3"), 4, "kings"),
    ("aces", ("ace", "pt4"), 4, "aces"),
    ("top2", ("pt5",), 8, "aces and kings"),
    ("top3", ("pt6",), 12, "aces, kings and queens"),
    ("top4", ("pt7",), 13, "aces, kings, queens and jacks"),
    ("top5", ("pt8",), 13, "aces, kings, queens, jacks and tens"),
):
    _register_points(_name, _aliases, "cards", _high, 0.7, f"number of {_cards}", _VAN_STAVEREN)
_register_points(
    "c13",
    ("pt9",),
    "points",
    49,
    1.1,
    "points A 6, K 4, Q 2, J 1, thirteen in a suit",
    "D. Burnstine, M. Gottlieb, O. Jacoby and H. Schenken, The Four Aces System, 1935, doubled",
)
_register_points(
    "controls",
    ("control",),
    "controls",
    12,
    1.1,
    "controls: A 2, K 1",
    "B. Garozzo and L. Yallouze, The Blue Club, 1969",
)

register(
    Function(
        "losers",
        ("seat", "suit?"),
        losers,
        unit="losers",
        low=0,
        high=12,
        cost=1.1,
        combine="24 - sum",
        direction=-1,
        summary="losing tricks: missing A, K and Q of each suit, as far as its length has room for them",
        source="F. D. Courtenay and G. G. Walshe, The Losing Trick Count, 1935",
        aliases=("loser",),
    )
)
register(
    Function(
        "ltc",
        ("seat", "suit?"),
        ltc,
        unit="losers",
        hundredths=True,
        low=0,
        high=12,
        cost=1.1,
        combine="24 - sum",
        direction=-1,
        summary="losing tricks with halves for unsupported queens, lone kings and backed honours",
        source="JGM, DealerV2 4.3, after R. Klinger, The Modern Losing Trick Count, 1986",
    )
)
register(
    Function(
        "cccc",
        ("seat",),
        cccc,
        unit="points",
        hundredths=True,
        variants=four_cs.FOUR_CS_VARIANTS,
        low=-0.5,  # only v1 goes below 0
        high=35.7,
        cost=2.0,
        combine="sum",
        summary="Four C's of Kaplan and Rubens: honours, suit quality and shape",
        source=_FOUR_CS,
    )
)
register(
    Function(
        "quality",
        ("seat", "suit"),
        quality,
        unit="points",
        hundredths=True,
        variants=four_cs.FOUR_CS_VARIANTS,
        low=0,
        high=13.65,
        cost=1.1,
        summary="quality of a suit in the Four C's: a tenth of its length times its honours",
        source=_FOUR_CS,
    )
)
for _suit, _name in enumerate(SUITS):
    register(
        Function(
            _name,
            ("seat",),
            partial(suit_length, suit=_suit),
            unit="cards",
            low=0,
            high=13,
            cost=0.7,
            summary=f"number of {_name}",
            source=_VAN_STAVEREN,
            aliases=(_name.removesuffix("s"),),
        )
    )
register(
    Function(
        "hascard",
        ("seat", "card"),
        has_card,
        unit="truth",
        low=0,
        high=1,
        cost=0.7,
        summary="1 if the hand holds the card, else 0",
        source=_VAN_STAVEREN,
    )
)
