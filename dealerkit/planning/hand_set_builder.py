"""Demands on one hand, or on the 26 cards of a side, gathered into a `HandSet`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from dealerkit.counting.features import Abstraction, Feature, abstract, packed
from dealerkit.counting.suit_sums import Forms
from dealerkit.dealing.conditional.hand_set_shapes import list_shapes
from dealerkit.dealing.conditional.hand_sets import MAX_CODES, HandSet

MOST_POINTS = 1 << 19  # (shape, sums) at which one clause is evaluated: about 10 ms
Alternatives = tuple[tuple[int, ...], ...]  # slots: any of them all


class Gathered:
    """Demands on one hand, or on the cards of one side, that a set can hold.

    Parameters
    ----------
    forms : Forms
    cards : {13, 26}
    """

    def __init__(self, forms: Forms, cards: int) -> None:
        self.forms = forms
        self.shapes = list_shapes(cards)
        self.digits: list[Feature] = []  # whose steps make up the code, the first lowest
        self.demands: list[_Demand] = []

    def add(self, alternatives: Alternatives) -> str:
        """Take a demand in; else say why not."""
        told = abstract(self.forms, {slot for slots in alternatives for slot in slots})
        demand = _Demand(alternatives, told, tuple(map(_of_one_hand, told.features)))
        if demand.suit is None:
            sums = [feature for feature in demand.features if not feature.by_length]
            new = list(self.digits)
            new += [feature for feature in sums if _digit(self.digits, feature) is None]
            size, points = _size(new), _size(sums)
            if len(sums) < len(demand.features):
                points *= len(self.shapes)
            if size > MAX_CODES:
                return f"the sums asked for together have {size:,} values, more than {MAX_CODES:,}"
            if points > MOST_POINTS:
                return f"it looks at {points:,} shapes and sums, more than {MOST_POINTS:,}"
            self.digits = new
        self.demands.append(demand)
        return ""

    def handset(self, holdings: np.ndarray) -> HandSet:
        """The set of all hands with these holdings (bool [4, 8192]) that meet the demands."""
        holdings = holdings.copy()
        allowed = np.ones((len(self.shapes), *(digit.radix for digit in self.digits[::-1])), bool)
        for demand in self.demands:
            if demand.suit is None:
                allowed &= self._grid(demand)
            else:
                steps = [_table(feature, demand.suit) for feature in demand.features]
                holdings[demand.suit] &= demand.truth(steps, 8192)
        codes = np.zeros((4, 8192), np.int32)
        for (_, suit), table in packed(self.digits).items():
            codes[suit] = table
        flat = allowed.reshape(len(self.shapes), -1)
        used = np.flatnonzero(flat.any(axis=0))
        return HandSet(holdings, codes, flat[:, : 1 + int(used.max(initial=0))])

    def _grid(self, demand: _Demand) -> np.ndarray:
        """A demand's truth by shape and digits, in a form that broadcasts."""
        axes = 1 + len(self.digits)
        shape, steps = [1] * axes, []
        for feature in demand.features:
            axis = 0
            if feature.by_length:
                lowest = (1 << self.shapes.astype(np.int64)) - 1
                numbers = sum(_table(feature, suit)[lowest[:, suit]] for suit in range(4))
            else:
                digit = _digit(self.digits, feature)
                assert digit is not None
                axis, numbers = axes - 1 - digit, np.arange(feature.radix)
            steps.append(np.asarray(numbers).reshape([-1 if own == axis else 1 for own in range(axes)]))
            shape[axis] = steps[-1].size
        flat = [np.broadcast_to(numbers, shape).ravel() for numbers in steps]
        return demand.truth(flat, len(flat[0])).reshape(shape)


@dataclass(frozen=True, eq=False)
class _Demand:
    """A demand, and what it looks at, as features of one hand."""

    alternatives: Alternatives
    told: Abstraction
    features: tuple[Feature, ...]

    @property
    def suit(self) -> int | None:
        """The only suit that it looks at."""
        suits = {suit for _, suit in self.told.places}
        return suits.pop() if len(suits) == 1 else None

    def truth(self, steps: Sequence[np.ndarray], count: int) -> np.ndarray:
        """Where one of the alternatives holds throughout, bool [count]."""
        slots = {slot for part in self.alternatives for slot in part}
        truths = {slot: self.told.evaluate(steps, count, slot) != 0 for slot in slots}
        every = [reduce(np.logical_and, (truths[slot] for slot in part)) for part in self.alternatives]
        return np.asarray(reduce(np.logical_or, every), bool)


def _of_one_hand(feature: Feature) -> Feature:
    """The feature with its tables under seat 0; the seats of a side have equal ones."""
    tables = {(0, suit): table for (_, suit), table in feature.tables.items()}
    return replace(feature, tables=tables)


def _table(feature: Feature, suit: int) -> np.ndarray:
    """Steps by holding in a suit, of a feature of one hand."""
    return feature.tables.get((0, suit), np.zeros(8192, np.int64))


def _size(features: Iterable[Feature]) -> int:
    return math.prod(feature.radix for feature in features)


def _digit(digits: Sequence[Feature], feature: Feature) -> int | None:
    """Which of the digits takes the same steps as this feature."""
    for number, digit in enumerate(digits):
        if digit.tables.keys() == feature.tables.keys() and all(
            np.array_equal(table, feature.tables[place]) for place, table in digit.tables.items()
        ):
            return number
    return None
