"""Clauses that exclude each other because the four hands share the same cards.

The four hands share 40 points, thirteen hearts, and four aces. A clause that compares such a count of one or
several hands with a number bounds their part of the total: ``hcp(north) >= 12`` leaves at most 28 points to
the others. The bounds of different hands can be added, and the total bounds the remaining hands. So four
hands with twelve points each are refused at once, although counting the deals would take too long.

Quick tricks have no fixed total: ace and king are two in one hand, but one and a half in two hands. For such
values, the least and the most that three or four hands can have together are found from all ways to divide
each suit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.compiler.operations import Operation
from dealerkit.counting.suit_sums import SuitSum, SuitSums
from dealerkit.dealing.predeal import Predeal

ALL_SEATS = 0b1111
_RANKS = 1 << np.arange(13)
_ZEROS = np.zeros(8192, np.int64)
_CARDS = np.arange(128)[:, None] >> np.arange(7) & 1  # which cards are in each holding of seven ranks
# The parts of each set of seats; smaller sets come first.
_PARTS = [(seats, part) for seats in range(16) for part in range(1, seats) if part & seats == part]
_OPPOSITE = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}

Weights = tuple[int, ...]  # of the 52 cards, by suit and rank


class _Bound(NamedTuple):
    """Limits of the value of the cards that some seats hold; None means no limit."""

    seats: int  # bit set
    low: int | None
    high: int | None


def exclude_each_other(sums: SuitSums, clauses: Sequence[int], predeal: Predeal | None = None) -> bool:
    """Return whether the totals of the cards prove that no deal meets all of these clauses.

    Parameters
    ----------
    sums : SuitSums
    clauses : sequence of int
        Slots of the clauses.
    predeal : Predeal, optional

    Returns
    -------
    bool
        False if there is no such proof; there may still be no deal that meets the clauses.

    Examples
    --------
    >>> from dealerkit.compiler.compilation import compile_condition
    >>> seats = ("north", "east", "south", "west")
    >>> compiled = compile_condition(" and ".join(f"hcp({seat}) >= 11" for seat in seats))
    >>> exclude_each_other(SuitSums(compiled.graph), compiled.clauses)  # 44 of 40 points
    True
    >>> exclude_each_other(SuitSums(compiled.graph), compiled.clauses[1:])
    False
    """
    # Collect the bounds by the weights of cards that they are about; values without weights are other sums.
    counts: dict[Weights, list[_Bound]] = {}
    others: list[tuple[SuitSum, str]] = []
    weighed: dict[int, tuple[np.ndarray, list[int] | None]] = {}
    for slot in clauses:
        for part in sums.graph.split_operands(slot, "and"):
            difference, relation = _find_difference(sums, part)
            if difference is None:
                continue
            counted = _weigh_cards(difference, weighed)
            if counted is None:
                others.append((difference, relation))
                continue
            seats, weights, constant = counted
            step = _find_step(weights)
            bound = _limit_value(seats, relation, -constant, step)
            counts.setdefault(tuple(weight // step for weight in weights), []).append(bound)
    if any(_exclude_in_total(weights, bounds, predeal or Predeal()) for weights, bounds in counts.items()):
        return True
    return _exclude_by_division(others)


def _find_step(values: Sequence[int]) -> int:
    """Return the greatest common divisor of values, with the sign of the first that is not 0."""
    step = math.gcd(*values)
    return -step if next(filter(None, values)) < 0 else step


def _find_difference(sums: SuitSums, slot: int) -> tuple[SuitSum | None, str]:
    """Return left minus right of a comparison, and the operator that compares it with 0."""
    operation = sums.graph.operations[slot]
    if operation.kind != "compare" or operation.detail[0] not in _OPPOSITE:
        return None, ""
    sides = [sums.graph.operations[part] for part in operation.inputs]
    left, right = (sums.find_sum(part) for part in operation.inputs)
    if left is None or right is None or not all(map(_is_exact, sides, (left, right))):
        return None, ""
    return left.add(right, -1), operation.detail[0]


def _limit_value(seats: int, relation: str, number: int, step: int) -> _Bound:
    """Return the bounds of a whole number x if ``step * x`` has a relation such as ``<`` to a number."""
    if step < 0:
        relation, number, step = _OPPOSITE[relation], -number, -step
    low = high = None
    if relation in (">", ">=", "=="):
        low = -(-number // step) if relation != ">" else number // step + 1
    if relation in ("<", "<=", "=="):
        high = number // step if relation != "<" else -(-number // step) - 1
    return _Bound(seats, low, high)


def _is_exact(operation: Operation, suit_sum: SuitSum) -> bool:
    """Return whether the value is the sum itself, not an integer quotient of it."""
    return suit_sum.divisor == 1 or operation.range.real


def _weigh_cards(
    suit_sum: SuitSum, weighed: dict[int, tuple[np.ndarray, list[int] | None]]
) -> tuple[int, list[int], int] | None:
    """Return the seats of a sum, the weights of cards in each of their hands, and the constant of the sum.

    Return None if the hands have different weights, or if the value of a holding is not the sum of its cards,
    as for losers. `weighed` is a cache of tables and their weights by identity, because seats and suits often
    share a table.
    """
    seats = sorted({seat for seat, _ in suit_sum.tables})
    constant = suit_sum.constant
    by_seat: list[list[int]] = []
    for seat in seats:
        weights: list[int] = []
        for suit in range(4):
            table = suit_sum.tables.get((seat, suit), _ZEROS)
            if id(table) not in weighed:
                weighed[id(table)] = table, _weigh_suit(table)
            cards = weighed[id(table)][1]
            if cards is None:
                return None
            constant += int(table[0])
            weights += cards
        by_seat.append(weights)
    if not by_seat or any(weights != by_seat[0] for weights in by_seat) or not any(by_seat[0]):
        return None
    return sum(1 << seat for seat in seats), by_seat[0], constant


def _weigh_suit(table: np.ndarray) -> list[int] | None:
    """Return the weight of each card of a suit, the 2 first; None if holdings are not sums of cards."""
    cards = table[_RANKS] - table[0]
    low, high = _CARDS @ cards[:7], _CARDS[:64, :6] @ cards[7:]
    return (
        cards.tolist() if np.array_equal(table.reshape(64, 128), high[:, None] + (low + table[0])) else None
    )


def _exclude_in_total(weights: Weights, bounds: Sequence[_Bound], predeal: Predeal) -> bool:
    """Return whether no deal meets all of these bounds on counts of cards with the same weights."""
    total = sum(weights)
    low, high = _limit_hands(weights, predeal)
    _apply_bounds(bounds, low, high)
    # The other seats have the rest of the total. Do this twice, because bounds of sets and of their parts
    # change each other; bounds on a single set of seats do not.
    for _ in range(2 if len({bound.seats for bound in bounds}) > 1 else 0):
        _add_parts(low, high)
        for seats in range(ALL_SEATS + 1):
            low[seats] = max(low[seats], total - high[ALL_SEATS ^ seats])
            high[seats] = min(high[seats], total - low[ALL_SEATS ^ seats])
    return any(least > most for least, most in zip(low, high, strict=True))


def _exclude_by_division(comparisons: Sequence[tuple[SuitSum, str]]) -> bool:
    """Return whether no deal meets all of these comparisons with 0, if they are about three hands or more."""
    if len({seat for suit_sum, _ in comparisons for seat, _ in suit_sum.tables}) < 3:
        return False  # deals for two hands can be counted
    by_tables: dict[bytes, list[_Bound]] = {}
    for suit_sum, relation in comparisons:
        shared = _share_tables(suit_sum)
        if shared is not None:
            seats, tables, constant = shared
            step = _find_step(tables.ravel().tolist())
            bound = _limit_value(seats, relation, -constant, step)
            by_tables.setdefault((tables // step).tobytes(), []).append(bound)
    return any(_exclude_values(tables, bounds) for tables, bounds in by_tables.items())


def _share_tables(suit_sum: SuitSum) -> tuple[int, np.ndarray, int] | None:
    """Return the seats of a sum, the values of holdings (int64 [4, 8192], 0 for voids), and the constant.

    Return None if the hands have different values, or if all holdings have the same value.
    """
    seats = sorted({seat for seat, _ in suit_sum.tables})
    zeros = np.zeros(8192, np.int64)
    first, *further = (
        np.array([suit_sum.tables.get((seat, suit), zeros) for suit in range(4)]) for seat in seats
    )
    if any(not np.array_equal(first, tables) for tables in further):
        return None
    constant = suit_sum.constant + len(seats) * int(first[:, 0].sum())
    first -= first[:, :1]
    return (sum(1 << seat for seat in seats), first, constant) if first.any() else None


def _exclude_values(tables: bytes, bounds: Sequence[_Bound]) -> bool:
    """Return whether no deal meets all of these bounds on the same values."""
    # Lower bounds can only contradict the most that some seats can have, upper bounds only the least.
    suits = [table.tobytes() for table in np.frombuffer(tables, np.int64).reshape(4, 8192)]
    low, high = [-(2**62)] * (ALL_SEATS + 1), [2**62] * (ALL_SEATS + 1)
    for seats in range(1, ALL_SEATS + 1):
        if any(bound.high is not None for bound in bounds):
            low[seats] = sum(_limit_divisions(suit, np.minimum)[seats.bit_count()] for suit in suits)
        if any(bound.low is not None for bound in bounds):
            high[seats] = sum(_limit_divisions(suit, np.maximum)[seats.bit_count()] for suit in suits)
    _apply_bounds(bounds, low, high)
    _add_parts(low, high)
    return any(least > most for least, most in zip(low, high, strict=True))


def _apply_bounds(bounds: Sequence[_Bound], low: list[int], high: list[int]) -> None:
    """Narrow the least and the most of each set of seats by the bounds on exactly this set."""
    for bound in bounds:
        if bound.low is not None:
            low[bound.seats] = max(low[bound.seats], bound.low)
        if bound.high is not None:
            high[bound.seats] = min(high[bound.seats], bound.high)


def _add_parts(low: list[int], high: list[int]) -> None:
    """Narrow the least and the most of each set of seats by those of two sets that it consists of."""
    for seats, part in _PARTS:
        low[seats] = max(low[seats], low[part] + low[seats ^ part])
        high[seats] = min(high[seats], high[part] + high[seats ^ part])


@cache
def _limit_divisions(suit: bytes, best: np.ufunc) -> list[int]:
    """Return the least or the greatest value of a suit in 0 to 4 hands together, for any lengths."""
    table = np.frombuffer(suit, np.int64)
    two = _divide(table, table, best)
    three = _divide(table, two, best)
    return [0, *(int(best.reduce(each)) for each in (table, two, three)), int(_divide(two, two, best)[-1])]


def _divide(first: np.ndarray, second: np.ndarray, best: np.ufunc) -> np.ndarray:
    """Return the best sum of two tables over the ways to divide each holding in two, int64 [8192]."""
    # Each card is in neither part, in the first part or in the second part, which makes 3 ** 13 cases.
    part, other = _list_divisions()
    sums = (first[part] + second[other]).reshape((3,) * 13)
    for axis in range(13):
        neither, one, two = np.moveaxis(sums, axis, 0)
        sums = np.stack([neither, best(one, two)], axis)
    return sums.ravel()


@cache
def _list_divisions() -> tuple[np.ndarray, np.ndarray]:
    """Return all pairs of disjoint holdings, two arrays int16 [3 ** 13]."""
    first = second = np.zeros(1, np.int16)
    for card in _RANKS.astype(np.int16):
        first = np.concatenate([first, first | card, first])
        second = np.concatenate([second, second, second | card])
    return first, second


def _limit_hands(weights: Weights, predeal: Predeal) -> tuple[list[int], list[int]]:
    """Return the least and the greatest weight of the cards of each set of seats, given the predeal."""
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
