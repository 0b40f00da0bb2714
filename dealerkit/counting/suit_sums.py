"""Values that are sums over suits.

A `SuitSum` is a constant plus the values of tables over the 8192 holdings of seats in suits: points, losers,
controls, a length, a card, and sums and differences of these over any seats. The registry declares the tables
of functions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

import numpy as np

from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import Operation
from dealerkit.compiler.suit_tables import find_hand_tables, find_length_table, find_table_pair
from dealerkit.dealing.conditional.hand_sets import HOLDING_LENGTHS
from dealerkit.registry import Function
from dealerkit.runtime.process import cached_property

SeatSuit = tuple[int, int]  # seat N E S W, suit S H D C

MAX_CACHED_CALLS = 32  # a quarter to half a megabyte each
MAX_DIVISOR = 10_000  # of a sum, so 0.0001 is the finest constant in a countable expression
MAX_SUM = 2**62  # of the integers of a table, so that differences of two sums fit 64 bits
_LENGTHS = HOLDING_LENGTHS.astype(np.int64)


@dataclass(frozen=True, eq=False)
class SuitSum:
    """The sum ``(constant + sum of tables[seat, suit][holding]) / divisor``."""

    tables: Mapping[SeatSuit, np.ndarray]  # int64 [8192]; missing tables count as 0
    constant: int = 0
    divisor: int = 1  # at least 1

    @cached_property
    def peak(self) -> int:
        """An upper bound of the absolute value of the sum times the divisor."""
        return abs(self.constant) + sum(int(np.abs(table).max()) for table in self.tables.values())

    def add(self, other: SuitSum, sign: int = 1) -> SuitSum | None:
        """Return the sum of two, or the difference if the sign is -1; None if it may not fit 64 bits."""
        divisor = math.lcm(self.divisor, other.divisor)
        factor, other_factor = divisor // self.divisor, sign * (divisor // other.divisor)
        if self.peak * factor + other.peak * abs(other_factor) > MAX_SUM:
            return None
        tables = {key: table * factor if factor > 1 else table for key, table in self.tables.items()}
        for key, table in other.tables.items():
            term = table * other_factor
            tables[key] = tables[key] + term if key in tables else term
        if other.tables:
            tables = {key: table for key, table in tables.items() if table.any()}
        return SuitSum(tables, self.constant * factor + other.constant * other_factor, divisor)

    def multiply(self, factor: Fraction) -> SuitSum | None:
        """Return the product with a number; None if it may not fit 64 bits."""
        numerator, divisor = factor.numerator, self.divisor * factor.denominator
        if self.peak * abs(numerator) > MAX_SUM:
            return None
        tables = {key: table * numerator for key, table in self.tables.items() if numerator}
        return SuitSum(tables, self.constant * numerator, divisor)

    @cached_property
    def step_tables(self) -> tuple[int, int, Mapping[SeatSuit, np.ndarray]]:
        """The sum times the divisor, written as ``base + step * sum of tables``: base, step and tables.

        The tables have 0 as their least value and no common factor; tables of zeros are omitted.
        """
        lows = {key: int(table.min()) for key, table in self.tables.items()}
        tables = {key: table - lows[key] for key, table in self.tables.items()}
        step = math.gcd(*(int(np.gcd.reduce(table)) for table in tables.values())) or 1
        tables = {key: table // step for key, table in tables.items() if table.any()}
        return self.constant + sum(lows.values()), step, tables

    def move_to(self, seat: int) -> SuitSum:
        """Return the same sum for other seats: `seat` instead of north, and its partner instead of south."""
        if not seat:
            return self
        base, step, tables = self.step_tables
        moved = SuitSum(_move_tables(self.tables, seat), self.constant, self.divisor)
        # Fill the cached property, so that it is not computed again for each seat.
        vars(moved)["step_tables"] = base, step, _move_tables(tables, seat)
        return moved

    def values(self, hands: np.ndarray) -> np.ndarray:
        """Return the values on deals (hands, uint64 [n, 4]) times the divisor, int64 [n]."""
        total = np.full(len(hands), self.constant, np.int64)
        for (seat, suit), table in self.tables.items():
            total += table[(hands[:, seat] >> np.uint64(LANE_SHIFTS[suit])).astype(np.int64) & 8191]
        return total


def _move_tables(tables: Mapping[SeatSuit, np.ndarray], offset: int) -> dict[SeatSuit, np.ndarray]:
    """Return the tables of north, or of north and south, for the seats that follow them."""
    return {(seat + offset, suit): table for (seat, suit), table in tables.items()}


def depends_on_length(table: np.ndarray) -> bool:
    """Return whether a table over the holdings depends only on their lengths."""
    by_length = table[(1 << np.arange(14)) - 1]  # values of the lowest cards of each length
    return bool((table == by_length[_LENGTHS]).all())


class SuitSums:
    """The suit sums of the slots of a graph, each computed once."""

    def __init__(self, graph: OperationGraph) -> None:
        self.graph = graph
        self._sums: dict[int, SuitSum | None] = {}
        self.feature_maps: dict[tuple[int, ...], Any] = {}  # the cache of `features.map_features`, by slots

    def find_sum(self, slot: int) -> SuitSum | None:
        """Return a slot's value as a sum over suits, or None if it is not one."""
        todo = [slot]  # a list, because arithmetic may be nested too deeply for recursion
        while todo:
            operation = self.graph.operations[todo[-1]]
            operands = operation.inputs if operation.kind == "arithmetic" else ()
            missing = [part for part in operands if part not in self._sums]
            if missing:
                todo += missing
            elif (part := todo.pop()) not in self._sums:
                self._sums[part] = self._compute_sum(part)
        return self._sums[slot]

    def _compute_sum(self, slot: int) -> SuitSum | None:
        """Return the sum of a slot, given those of its inputs."""
        operation = self.graph.operations[slot]
        if operation.kind == "constant":
            if isinstance(operation.detail, float) and not math.isfinite(operation.detail):
                return None
            value = Fraction(repr(operation.detail))
            is_exact = value.denominator <= MAX_DIVISOR and abs(value.numerator) <= MAX_SUM
            return SuitSum({}, value.numerator, value.denominator) if is_exact else None
        if operation.kind == "pattern":
            return _length_sum((operation.detail,))
        if operation.kind == "call":
            call = _Call.from_operation(operation, self.graph.rules.bits)
            suit_sum = None if call is None else _sum_of_call(call)
            return None if suit_sum is None else suit_sum.move_to(operation.detail[1][0].index)
        if operation.kind != "arithmetic" or self._may_wrap(operation):
            return None
        # In arithmetic, only sums and differences of sums and multiples of a sum are sums over suits.
        left, right = (self._sums[part] for part in operation.inputs)
        if left is None or right is None:
            return None
        operator = operation.detail[0]
        if operator in "+-":
            result = left.add(right, 1 if operator == "+" else -1)
        elif operator == "*" and not (left.tables and right.tables):
            variable, constant = (left, right) if left.tables else (right, left)
            result = variable.multiply(Fraction(constant.constant, constant.divisor))
        else:
            return None
        return result if result is not None and result.divisor <= MAX_DIVISOR else None

    def _may_wrap(self, operation: Operation) -> bool:
        """Return whether the result may exceed the integers of the dialect and wrap around."""
        bits = self.graph.rules.bits
        return not operation.range.real and operation.range.low == -(1 << (bits - 1))

    def find_difference(self, slot: int) -> SuitSum | None:
        """Return left minus right of a comparison of two sums over suits, or None for other slots."""
        operation = self.graph.operations[slot]
        if operation.kind != "compare":
            return None
        left, right = (self.find_sum(part) for part in operation.inputs)
        if left is None or right is None or not (left.tables and right.tables):
            return None
        return left.add(right, -1)

    def find_length_table(self, slot: int) -> tuple[SuitSum, np.ndarray] | None:
        """Return the sum that encodes suit lengths, and the values of a slot's call by that code.

        Return None if the slot is not a call that is declared to depend only on the suit lengths of its
        seats.
        """
        declared = find_length_table(self.graph.operations[slot])
        return None if declared is None else (_length_sum(declared.seats), declared.values)

    def find_pair(self, slot: int) -> tuple[tuple[SuitSum, np.ndarray], SuitSum] | None:
        """Return the pair of `find_length_table`, and the sum over suits that is added to its value.

        Return None if the slot is not a call that is declared to be such a sum.
        """
        pair = find_table_pair(self.graph.operations[slot], self.graph.rules.bits)
        if pair is None:
            return None
        lengths, hand_tables = pair
        tables = {
            (seat, suit): table
            for seat in hand_tables.seats
            for suit, table in enumerate(hand_tables.tables.astype(np.int64))
        }
        return (_length_sum(lengths.seats), lengths.values), SuitSum(tables, 0, hand_tables.divisor)


@dataclass(frozen=True)
class _Call:
    """A call without its seat or side, as the key of tables that are computed once for all seats."""

    function: Function
    literals: tuple[Any, ...]  # after the seat or side
    option_key: tuple[tuple[str, Any], ...]  # the options, arrays as bytes
    owner: type  # nodes.Seat or nodes.Side
    divisor: int | None
    bits: int
    operation: Operation = field(compare=False)

    @classmethod
    def from_operation(cls, operation: Operation, bits: int) -> _Call | None:
        """Return the call, or None for any other operation."""
        if operation.kind != "call" or operation.inputs or not operation.detail[1]:
            return None
        function, (owner, *literals), options, divisor = operation.detail
        option_key = sorted(
            (name, option.tobytes() if isinstance(option, np.ndarray) else option)
            for name, option in options.items()
        )
        return cls(function, tuple(literals), tuple(option_key), type(owner), divisor, bits, operation)


@lru_cache(maxsize=MAX_CACHED_CALLS)
def _sum_of_call(call: _Call) -> SuitSum | None:
    """Return a call as a sum, with north instead of its first seat; None if no table is declared."""
    declared = find_hand_tables(call.operation, call.bits)
    if declared is None:
        return None
    tables = {
        (seat - declared.seats[0], suit): table
        for seat in declared.seats
        for suit, table in enumerate(declared.tables.astype(np.int64))
        if table.any()
    }
    return SuitSum(tables, 0, declared.divisor)


@cache
def _length_sum(seats: tuple[int, ...]) -> SuitSum:
    """Return the code ``spades << 8 | hearts << 4 | diamonds`` of the cards that the seats hold together."""
    return SuitSum({(seat, suit): _LENGTHS << (8 - 4 * suit) for seat in seats for suit in range(3)})
