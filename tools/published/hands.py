"""H1 and further: point counts of single hands, as published by calculators, authors and writers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial

import dealerkit as dk
from dealerkit import Estimate
from published.figures import Item

INTRODUCTION = """\
These are single hands with the values that calculators show or that authors print, beside those of our
functions. An x is a card below the eight; here it is the lowest one that no other card of the hand uses."""


def fill_small_cards(hand: str) -> str:
    """Return a hand with each x replaced by the lowest card of its suit that is free.

    >>> fill_small_cards("AJTxxx.KT9x.xx.x")
    'AJT432.KT92.32.2'
    """
    suits = []
    for suit in hand.replace("-", "").split("."):
        free = [rank for rank in "234567" if rank not in suit][: suit.count("x")]
        suits.append(suit.replace("x", "") + "".join(reversed(free)))
    return ".".join(suits)


def evaluate_hands(evaluator: str, item: Item) -> dict[str, Estimate]:
    """Return the values of an evaluator for the hands that the figures of an item name first."""
    values = {}
    for name in item.published:
        deals = dk.deal(1, seed=1, predeal={"north": fill_small_cards(name.split()[0])})
        value = float(dk.evaluate(deals, evaluator, "north")[0])
        values[name] = Estimate.exactly(Fraction(round(100 * value), 100))
    return values


EVALUATORS = {
    "H1": "cccc", "H2": "cccc", "H3": "cccc", "H4": "zaropening", "H5": "zarbasic", "H6": "pavlicekopening",
    "H7": "gorenopening", "H8": "karpinopening", "H9": "bergenopening", "H10": "rule20",
}  # fmt: skip
COMPUTE: Mapping[str, Callable[[Item], Mapping[str, Estimate]]] = {
    identifier: partial(evaluate_hands, evaluator) for identifier, evaluator in EVALUATORS.items()
}
