"""The functions of a side in the registry: its fit and its point counts, such as ``bergen(NS)``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from itertools import chain

import numpy as np

from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS, SEATS, SUITS
from dealerkit.evaluators import hands, holdings
from dealerkit.evaluators.pairs import length_counts, shortness_counts, zar_four_cs
from dealerkit.evaluators.pairs.metric import Metric
from dealerkit.evaluators.pairs.pair import BATCH, NOTRUMP, VARIANTS, Hands, SingleHand
from dealerkit.registry import Function, register

_MODULES = (length_counts, shortness_counts, zar_four_cs)

# The point counts by their tags in DealerV2, in this order.
METRICS: dict[int, Metric] = {
    metric.tag: metric
    for metric in sorted(chain(*(module.METRICS for module in _MODULES)), key=lambda metric: metric.tag)
}
LETTERS = "BbDGEKJkLMPSzZR"  # the codes of these letters also select the tags 0 to 14


def fit(first: np.ndarray, second: np.ndarray, suit: int | None = None) -> np.ndarray:
    """Return the combined length of a suit, or of the longest suit, in both hands: int16 [n]."""
    both = first | second
    if suit is not None:
        length: np.ndarray = np.bitwise_count(both & np.uint64(LANE_MASK << LANE_SHIFTS[suit]))
        return length.astype(np.int16)
    spades, hearts, diamonds, clubs = (
        np.bitwise_count(both & np.uint64(LANE_MASK << shift)) for shift in LANE_SHIFTS
    )
    longest: np.ndarray = np.maximum(np.maximum(spades, hearts), np.maximum(diamonds, clubs))
    return longest.astype(np.int16)


def tabulate_fit(suit: int | None = None) -> np.ndarray | None:
    """Return the length of a suit by holding, [4, 8192]; None for the longest suit, which is no such sum."""
    return None if suit is None else hands.tabulate_length(suit=suit)


@cache
def tabulate_longest_fit(suit: int | None = None) -> np.ndarray | None:
    """Return the length of the longest suit by the combined lengths of two hands, int16 [4096].

    For a given suit it is None.
    """
    if suit is not None:
        return None
    spades, hearts, diamonds = np.indices((16, 16, 16), np.int16).reshape(3, -1)
    clubs = 26 - spades - hearts - diamonds
    longest = np.max([spades, hearts, diamonds, clubs], axis=0)
    is_possible = (longest <= 13) & (clubs >= 0)
    return holdings.freeze(np.where(is_possible, longest, 0))


def define_fit(side: int, suit: int | None = None) -> str:
    """Return the fit of a side as an expression of suit lengths.

    >>> define_fit(1, 0)
    'spades(east) + spades(west)'
    """
    if suit is None:
        return f"max({', '.join(define_fit(side, suit) for suit in range(4))})"
    return " + ".join(f"{SUITS[suit]}({SEATS[seat]})" for seat in (side, side + 2))


def evaluate_metric(
    first: np.ndarray,
    second: np.ndarray,
    strain: int | None = None,
    *,
    metric: Metric,
    part: int | None = None,
    variant: str = "intended",
) -> np.ndarray:
    """Return a point count of a side, or the share of one of its hands; see `Metric`."""
    if metric.alone_by_default and part is not None and strain is None:
        strain = NOTRUMP
    return metric(first, second, strain, part=part, variant=variant)


def evaluate_opening(hand: np.ndarray, *, rule: Callable[[Hands], np.ndarray]) -> np.ndarray:
    """Return the points that a player counts before the auction: int16 [n], at least 0."""
    result = np.empty(len(hand), np.int16)
    for start in range(0, len(hand), BATCH):
        rows = slice(start, start + BATCH)
        result[rows] = rule(SingleHand(hand[rows]))[0]
    return np.maximum(result, 0, out=result)


# The counts of one hand before the auction: name, rule, lowest and highest value, summary.
_OPENINGS = (
    ("bergenopening", length_counts.bergen_opening, 0, 38,
     "Bergen's starting points of a hand: honours by Adjust-3, quality of suits, length"),
    ("gorenopening", shortness_counts.goren_opening, 0, 38,
     "Goren's count of a hand: points, all the aces or none, shortness 3 2 1"),
    ("karpinopening", length_counts.karpin_opening, 0, 37,
     "Karpin's count of a hand: points and cards over four"),
    ("pavlicekopening", shortness_counts.pavlicek_opening, 0, 38,
     "Pavlicek's count of a hand: points, aces with tens, shortness 3 2 1"),
)  # fmt: skip

for _metric in METRICS.values():
    register(
        Function(
            _metric.name,
            ("side|seat", "strain?"),
            partial(evaluate_metric, metric=_metric),
            kind="pair",
            unit=_metric.unit,
            hundredths=_metric.hundredths,
            cost=250.0,
            variants=VARIANTS,
            low=_metric.low,
            high=_metric.high,
            summary=_metric.summary + "; for a seat, its share",
            source=_metric.source,
            tags=(_metric.tag, ord(LETTERS[_metric.tag])),
        )
    )
_SOURCES = {metric.name: metric.source for metric in METRICS.values()}
for _name, _rule, _low, _high, _summary in _OPENINGS:
    register(
        Function(
            _name, ("seat",), partial(evaluate_opening, rule=_rule), unit="points", low=_low, high=_high,
            cost=60.0, combine="sum", summary=_summary, source=_SOURCES[_name.removesuffix("opening")],
        )
    )  # fmt: skip
register(
    Function(
        "fit",
        ("side", "suit?"),
        fit,
        kind="side",
        unit="cards",
        low=0,
        high=13,
        holding_table=tabulate_fit,
        length_table=tabulate_longest_fit,
        definition=define_fit,
        cost=2.7,
        summary="combined length of a suit in both hands of a side, or of its longest suit",
        source="J.-R. Vernes, The Law of Total Tricks, The Bridge World, June 1969",
    )
)
