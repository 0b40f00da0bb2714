"""E1 to E13: probabilities of cards and shapes, which dealerkit counts exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import dealerkit as dk
from dealerkit import Estimate
from published.figures import Item

INTRODUCTION = """\
`dk.probability` and `dk.distribution` count all deals, so our figures are exact fractions. A published
figure agrees if ours rounds to what is printed."""


def _share_values(expression: str) -> Callable[[Item], dict[str, Estimate]]:
    """Return a function for the shares of values of an expression, its mean and standard deviation."""

    def compute(item: Item) -> dict[str, Estimate]:
        frame = dk.distribution(expression)
        return {
            name: Estimate.exactly(frame.attrs[name] if name in frame.attrs else frame.fraction[int(name)])
            for name in item.published
        }

    return compute


def _find_probabilities(condition: str) -> Callable[[Item], dict[str, Estimate]]:
    """Return a function for the probabilities of a condition with the words of each figure filled in."""

    def compute(item: Item) -> dict[str, Estimate]:
        return {name: dk.probability(condition.format(*name.split())) for name in item.published}

    return compute


def _break_suit(item: Item) -> dict[str, Estimate]:
    """Return the probability of each break of the cards of a suit that one side lacks."""
    figures = {}
    for name in item.published:
        parts = {int(part) for part in name.split("-")}
        missing = sum(int(part) for part in name.split("-"))
        frame = dk.distribution("spades(west)", given=f"spades(north) + spades(south) == {13 - missing}")
        figures[name] = Estimate.exactly(sum((frame.fraction[part] for part in parts), Fraction(0)))
    return figures


def _find_yarborough(item: Item) -> dict[str, Estimate]:
    fraction = dk.probability("top5(north) == 0").fraction
    assert fraction is not None
    return {"1 in": Estimate.exactly(1 / fraction), "odds against": Estimate.exactly(1 / fraction - 1)}


def _count_deals(item: Item) -> dict[str, Estimate]:
    return {"deals": Estimate.exactly(Fraction(dk.distribution("spades(north)").attrs["n"]))}


COMPUTE: Mapping[str, Callable[[Item], Mapping[str, Estimate]]] = {
    "E1": _share_values("hcp(north)"),
    "E2": _share_values("hcp(north)"),
    "E3": _find_probabilities("hcp(north) >= {0} and hcp(north) <= {2}"),
    "E4": _share_values("hcp(north) + hcp(south)"),
    "E5": _find_probabilities("shape(north, any {})"),
    "E6": _find_probabilities("shape(north, any 4333 + any 4432 + any 5332)"),
    "E7": _break_suit,
    "E8": _share_values("controls(north)"),
    "E9": _share_values("losers(north)"),
    "E10": _share_values("fit(NS)"),
    "E10a": _share_values("fit(NS)"),
    "E11": _share_values("fit(NS) + fit(EW)"),
    "E12": _find_yarborough,
    "E13": _count_deals,
}
