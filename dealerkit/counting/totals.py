"""Clauses that exclude each other because the cards of all hands have a fixed total.

The four hands share 40 points, thirteen hearts, four aces. A clause that compares such a count of
one or several hands with a number bounds their part of the total: ``hcp(north) >= 12`` leaves 28
points to the others. The bounds of disjoint hands add up, and those of the other hands follow from
the total. Four hands of twelve points are refused at once, where a count of the deals would take too long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.compiler.operations import Operation
from dealerkit.counting.suit_sums import SuitSum, SuitSums
from dealerkit.dealing.predeal import Predeal

ALL_SEATS = 0b1111
_RANKS = 1 << np.arange(13)
_HOLDINGS = np.arange(1, 8192)
_LOWEST = _HOLDINGS & -_HOLDINGS  # the lowest card of each holding
# The parts of each set of seats, smaller sets first
_PARTS = [(seats, part) for seats in range(16) for part in range(1, seats) if part & seats == part]
_OPPOSITE = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}

Weights = tuple[int, ...]  # of the 52 cards, by suit and rank


class _Bound(NamedTuple):
    """Limits of the weights of the cards that some seats hold together; None: without a limit."""

    weights: Weights
    seats: int  # bit set
    low: int | None
    high: int | None


def exclude_each_other(sums: SuitSums, clauses: Sequence[int], predeal: Predeal | None = None) -> bool:
    """Return whether the totals of the cards prove that no deal meets all of these clauses, given as slots.

    >>> from dealerkit.compiler.compilation import compile_condition
    >>> seats = ("north", "east", "south", "west")
    >>> compiled = compile_condition(" and ".join(f"hcp({seat}) >= 11" for seat in seats))
    >>> exclude_each_other(SuitSums(compiled.graph), compiled.clauses)  # 44 of 40 points
    True
    >>> exclude_each_other(SuitSums(compiled.graph), compiled.clauses[1:])
    False
    """
    by_weights: dict[Weights, list[_Bound]] = {}
    for slot in clauses:
        for part in sums.graph.split_operands(slot, "and"):
            for bound in _find_bound(sums, part):
                by_weights.setdefault(bound.weights, []).append(bound)
    return any(_is_contradiction(bounds, predeal or Predeal()) for bounds in by_weights.values())


def _find_bound(sums: SuitSums, slot: int) -> Iterator[_Bound]:
    """Yield the bound that a comparison sets to a count of cards, if it sets one."""
    operation = sums.graph.operations[slot]
    if operation.kind != "compare" or operation.detail[0] not in _OPPOSITE:
        return
    sides = [sums.graph.operations[part] for part in operation.inputs]
    left, right = (sums.find_sum(part) for part in operation.inputs)
    if left is None or right is None or not all(map(_is_exact, sides, (left, right))):
        return
    difference = left.add(right, -1)
    counted = None if difference is None else _weigh_cards(difference)
    if counted is None:
        return
    seats, weights, constant = counted
    # constant + weights is compared with 0; the first weight that is not 0 shall be positive
    relation = operation.detail[0]
    if next(weight for weight in weights if weight) < 0:
        weights, constant, relation = tuple(-weight for weight in weights), -constant, _OPPOSITE[relation]
    step = int(np.gcd.reduce(weights))
    weights = tuple(weight // step for weight in weights)
    low = high = None
    if relation in (">", ">=", "=="):
        low = -(constant // step) if relation != ">" else -constant // step + 1
    if relation in ("<", "<=", "=="):
        high = -constant // step if relation != "<" else -(constant // step) - 1
    yield _Bound(weights, seats, low, high)


def _is_exact(operation: Operation, suit_sum: SuitSum) -> bool:
    """Return whether the value is the sum itself, not its quotient without remainder."""
    return suit_sum.divisor == 1 or operation.range.real


def _weigh_cards(suit_sum: SuitSum) -> tuple[int, Weights, int] | None:
    """Return seats, the weights of the cards in each of their hands, and what is added.

    None if the hands have different weights, or the cards of a holding do not add up, as those of losers.
    """
    seats = sorted({seat for seat, _ in suit_sum.tables})
    constant = suit_sum.constant
    by_seat: set[Weights] = set()
    for seat in seats:
        weights: list[int] = []
        for suit in range(4):
            table = suit_sum.tables.get((seat, suit), np.zeros(8192, np.int64))
            if not np.array_equal(table[1:], table[_HOLDINGS ^ _LOWEST] + table[_LOWEST] - table[0]):
                return None
            constant += int(table[0])
            weights += (table[_RANKS] - table[0]).tolist()
        by_seat.add(tuple(weights))
    if len(by_seat) != 1 or not any(min(by_seat)):
        return None
    return sum(1 << seat for seat in seats), by_seat.pop(), constant


def _is_contradiction(bounds: Sequence[_Bound], predeal: Predeal) -> bool:
    """Return whether no deal meets all of these bounds, which are about the same weights."""
    weights = bounds[0].weights
    total = sum(weights)
    # The least and the most of each set of seats: of its cards, and of the bounds about exactly these seats.
    low, high = _limit_hands(weights, predeal)
    for bound in bounds:
        if bound.low is not None:
            low[bound.seats] = max(low[bound.seats], bound.low)
        if bound.high is not None:
            high[bound.seats] = min(high[bound.seats], bound.high)
    # Disjoint sets add up, and the other seats have the rest; twice, since each changes the other.
    for _ in range(2):
        for seats, part in _PARTS:
            low[seats] = max(low[seats], low[part] + low[seats ^ part])
            high[seats] = min(high[seats], high[part] + high[seats ^ part])
        for seats in range(ALL_SEATS + 1):
            low[seats] = max(low[seats], total - high[ALL_SEATS ^ seats])
            high[seats] = min(high[seats], total - low[ALL_SEATS ^ seats])
    return any(least > most for least, most in zip(low, high, strict=True))


def _limit_hands(weights: Weights, predeal: Predeal) -> tuple[list[int], list[int]]:
    """Return the least and the most weight of the cards of each set of seats, given the predeal."""
    weight_of = {
        LANE_SHIFTS[suit] + rank: weights[13 * suit + rank] for suit in range(4) for rank in range(13)
    }
    own = [sum(weight for bit, weight in weight_of.items() if hand >> bit & 1) for hand in predeal.masks]
    predealt = sum(predeal.masks)
    free = sorted(weight for bit, weight in weight_of.items() if not predealt >> bit & 1)
    needs = predeal.needs
    low, high = [], []
    for seats in range(ALL_SEATS + 1):
        members = [seat for seat in range(4) if seats >> seat & 1]
        held, n_free = sum(own[seat] for seat in members), sum(needs[seat] for seat in members)
        low.append(held + sum(free[:n_free]))
        high.append(held + sum(free[len(free) - n_free :]))
    return low, high
