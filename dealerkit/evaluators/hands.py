"""Functions of one hand in the dealer language: points, controls, losers, lengths, the Four C's.

The bodies of the functions take the hands of a seat, uint64 [n], and some also a suit (S H D C = 0..3). They
return integers [n], in hundredths of the unit for functions that are registered with `hundredths`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, RANKS, SUITS, card_bit
from dealerkit.errors import ArgumentError
from dealerkit.evaluators import four_cs, holdings
from dealerkit.registry import Function, Settings, register

_LOSER_TABLES = ("controls", "top3")  # the tables that dealer derives losers from


def sum_table(hand: np.ndarray, table: np.ndarray, suit: int | None = None) -> np.ndarray:
    """Return the sum of a table over the suits of each hand, or its value for one suit."""
    if suit is None:
        from dealerkit.evaluators.kernels import sum_suits

        return sum_suits(hand, table)
    holding = hand >> np.uint64(LANE_SHIFTS[suit]) & np.uint64(LANE_MASK)
    return table.take(holding.view(np.int64))


def define_by_table(tabulate: Callable[..., np.ndarray]) -> dict[str, Any]:
    """Return the body and the holding table of a function that is the sum of a table over the suits.

    `tabulate` returns the table and takes the keywords of the body, such as a variant. Both functions can be
    pickled, because results contain the functions of their scripts and are sent between processes.
    """
    return {
        "body": partial(_sum_tabulated, tabulate),
        "holding_table": partial(_restrict_tabulated, tabulate),
    }


def _sum_tabulated(
    tabulate: Callable[..., np.ndarray], hand: np.ndarray, suit: int | None = None, **options: Any
) -> np.ndarray:
    return sum_table(hand, tabulate(**options), suit)


def _restrict_tabulated(
    tabulate: Callable[..., np.ndarray], suit: int | None = None, **options: Any
) -> np.ndarray:
    return holdings.restrict_to_suit(tabulate(**options), suit)


def _count_cards(hand: np.ndarray, mask: int) -> np.ndarray:
    """Return the number of cards of each hand that are in the mask."""
    return np.bitwise_count(hand & np.uint64(mask)).astype(np.int16)


def points(
    hand: np.ndarray, suit: int | None = None, *, weights: Sequence[int] | None = None, name: str
) -> np.ndarray:
    """Return the points by the table `name`, or by `weights` if the script redefines it."""
    values = _find_weights(name, weights)
    if set(values) <= {0, 1}:
        ranks = sum(1 << (12 - position) for position, value in enumerate(values) if value)
        shifts = LANE_SHIFTS if suit is None else LANE_SHIFTS[suit : suit + 1]
        return _count_cards(hand, sum(ranks << shift for shift in shifts))
    return sum_table(hand, holdings.points(values), suit)


def _find_weights(name: str, weights: Sequence[int] | None) -> tuple[int, ...]:
    """Return the points of the 13 ranks in the table `name`, or `weights` if the script redefines it."""
    return holdings.default_weights(name) if weights is None else holdings.pad_weights(weights)


def tabulate_points(
    suit: int | None = None, *, weights: Sequence[int] | None = None, name: str
) -> np.ndarray:
    """Return the table over holdings whose sum over the suits is `points`."""
    return holdings.restrict_to_suit(holdings.points(_find_weights(name, weights)), suit)


def find_losers(*, table: np.ndarray | None = None) -> np.ndarray:
    """Return the table of losers that was passed, or that of `holdings.losers`."""
    return holdings.losers() if table is None else table


def build_shared_losers(points: Mapping[str, tuple[Any, ...]], *redefined: str) -> np.ndarray:
    """Return the table of losers that dealer derives from tables of points, of which it redefines some.

    Raises
    ------
    ArgumentError
        With these tables, dealer would read beyond its own tables or abort.
    """
    tables = {name: holdings.default_weights(name) for name in _LOSER_TABLES}
    tables |= {name: points[name] for name in redefined if name in points}
    return holdings.coupled_losers(*tables.values())


def _choose_losers(settings: Settings) -> dict[str, Any]:
    """Return the table of losers as an option if a v1 script redefines a table that it derives from."""
    if settings.rules.shared_tables and settings.points.keys() & set(_LOSER_TABLES):
        return {"table": build_shared_losers(settings.points, *_LOSER_TABLES)}
    return {}


def cccc(hand: np.ndarray, *, variant: str = "intended") -> np.ndarray:
    """Return the Four C's, in hundredths."""
    packed = sum_table(hand, four_cs.packed_four_cs(variant))
    return four_cs.four_cs_of_sum(variant).take(packed)


def suit_length(hand: np.ndarray, *, suit: int) -> np.ndarray:
    """Return the number of cards in a suit."""
    return _count_cards(hand, LANE_MASK << LANE_SHIFTS[suit])


def tabulate_length(*, suit: int) -> np.ndarray:
    """Return the number of cards in a suit by holding, [4, 8192]."""
    return holdings.restrict_to_suit(holdings.length(), suit)


def has_card(hand: np.ndarray, card: Any) -> np.ndarray:
    """Return 1 for hands with the card, otherwise 0.

    A card is a tuple (suit, rank), or an object with these attributes.
    """
    return _count_cards(hand, card_bit(*_check_card(card)))


def tabulate_card(card: Any) -> np.ndarray:
    """Return 1 for holdings with a card, [4, 8192]."""
    suit, rank = _check_card(card)
    return holdings.restrict_to_suit(holdings.has_rank(RANKS[rank]), suit)


def _check_card(card: Any) -> tuple[int, int]:
    """Return the suit and rank of a card; raise ArgumentError if it does not exist."""
    suit, rank = card if isinstance(card, tuple) else (card.suit, card.rank)
    if not (0 <= suit < 4 and 0 <= rank < 13):
        raise ArgumentError(
            f"no card has suit {suit} and rank {rank}; suits are S H D C = 0..3, ranks 0 (deuce) to 12 (ace)"
        )
    return suit, rank


_VAN_STAVEREN = "H. van Staveren, dealer"
_FOUR_CS = "E. Kaplan and J. Rubens, The Four C's, The Bridge World, October 1982"

# Name, aliases, unit, highest value with the default table, cost, summary and source.
_POINT_TABLES = (
    ("hcp", ("hcps",), "points", 37, 1.1, "high-card points: A 4, K 3, Q 2, J 1",
     "B. McCampbell, Auction Tactics, 1915"),
    ("tens", ("ten", "pt0"), "cards", 4, 0.7, "number of tens", _VAN_STAVEREN),
    ("jacks", ("jack", "pt1"), "cards", 4, 0.7, "number of jacks", _VAN_STAVEREN),
    ("queens", ("queen", "pt2"), "cards", 4, 0.7, "number of queens", _VAN_STAVEREN),
    ("kings", ("king", "pt3"), "cards", 4, 0.7, "number of kings", _VAN_STAVEREN),
    ("aces", ("ace", "pt4"), "cards", 4, 0.7, "number of aces", _VAN_STAVEREN),
    ("top2", ("pt5",), "cards", 8, 0.7, "number of aces and kings", _VAN_STAVEREN),
    ("top3", ("pt6",), "cards", 12, 0.7, "number of aces, kings and queens", _VAN_STAVEREN),
    ("top4", ("pt7",), "cards", 13, 0.7, "number of aces, kings, queens and jacks", _VAN_STAVEREN),
    ("top5", ("pt8",), "cards", 13, 0.7, "number of aces, kings, queens, jacks and tens", _VAN_STAVEREN),
    ("c13", ("pt9",), "points", 49, 1.1, "points A 6, K 4, Q 2, J 1, thirteen in each suit",
     "D. Burnstine, M. Gottlieb, O. Jacoby and H. Schenken, The Four Aces System, 1935, doubled"),
    ("controls", ("control",), "controls", 12, 1.1, "controls: A 2, K 1",
     "B. Garozzo and L. Yallouze, The Blue Club, 1969"),
)  # fmt: skip

_NOUNS = {
    "hcp": "points", "controls": "controls", "top2": "honours (AK)", "top3": "honours (AKQ)",
    "top4": "honours (AKQJ)", "top5": "honours (AKQJT)",
}  # fmt: skip

for _function in (
    *(
        Function(
            name, ("seat", "suit?"), partial(points, name=name), unit=unit, table=name, low=0, high=high,
            cost=cost, combine="sum", summary=summary, source=source, aliases=aliases,
            noun=_NOUNS.get(name, ""), dealer=(name, *aliases),
            holding_table=partial(tabulate_points, name=name),
        )
        for name, aliases, unit, high, cost, summary, source in _POINT_TABLES
    ),
    Function(
        "losers", ("seat", "suit?"), **define_by_table(find_losers), unit="losers", low=0, high=12,
        cost=1.1, combine="24 - sum", direction=-1, aliases=("loser",), noun="losers",
        dealer=("losers", "loser"), options=_choose_losers, shared_tables=_LOSER_TABLES,
        summary="losing tricks: in each suit a missing A, K of two or more cards, "
        "Q of three or more",
        source="F. D. Courtenay and G. G. Walshe, The Losing Trick Count, 1935",
    ),
    Function(
        "ltc", ("seat", "suit?"), **define_by_table(holdings.ltc), unit="losers", hundredths=True,
        low=0, high=12, cost=1.1, combine="24 - sum", direction=-1,
        summary="losing tricks with half tricks for unsupported queens, singleton kings, supported honours",
        source="JGM, DealerV2 4.3, after R. Klinger, The Modern Losing Trick Count, 1986",
        dealerv2=("ltc",),
    ),
    Function(
        "cccc", ("seat",), cccc, unit="points", hundredths=True, variants=four_cs.VARIANTS,
        low=-0.5, high=35.7, cost=2.0, combine="sum", dealer=("cccc",),
        summary="Four C's of Kaplan and Rubens: honours, suit quality and shape",
        source=f"{_FOUR_CS}; as R. Pavlicek's and J. Goldsmith's calculators count",
    ),
    Function(
        "quality", ("seat", "suit"), **define_by_table(four_cs.quality), unit="points", hundredths=True,
        variants=four_cs.VARIANTS, low=0, high=13.65, cost=1.1, dealer=("quality",),
        summary="quality of a suit in the Four C's: a tenth of its length times its honours", source=_FOUR_CS,
    ),
    *(
        Function(
            name, ("seat",), partial(suit_length, suit=suit), unit="cards", low=0, high=13, cost=0.7,
            summary=f"number of {name}", source=_VAN_STAVEREN, aliases=(name.removesuffix("s"),),
            holding_table=partial(tabulate_length, suit=suit),
        )
        for suit, name in enumerate(SUITS)
    ),
    Function(
        "hascard", ("seat", "card"), has_card, unit="truth", low=0, high=1, cost=0.7,
        holding_table=tabulate_card, dealer=("hascard",), noun="card",
        summary="1 if the hand holds the card, else 0", source=_VAN_STAVEREN,
    ),
):  # fmt: skip
    register(_function)
