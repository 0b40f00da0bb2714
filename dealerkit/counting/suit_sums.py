"""Values that are sums over suits.

A `SuitSum` is a constant plus, for seats and suits, a table over the 8192 holdings: points,
losers, controls, a length, a card, and sums and differences of these over any seats. The
tables are obtained by evaluating hands of one suit. Whether the function is the sum of its tables
is checked on `N_CHECKED_DEALS` deals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_SHIFTS
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import Operation
from dealerkit.dealing.conditional.hand_set_shapes import HOLDING_LENGTHS, list_shapes
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.language import nodes
from dealerkit.language.dialects import Rules
from dealerkit.registry import Function

SeatSuit = tuple[int, int]  # seat N E S W, suit S H D C

N_CHECKED_DEALS = 2048
MAX_CACHED_CALLS = 32  # a quarter to half a megabyte each
MAX_DIVISOR = 10_000  # of a sum: 0.0001 is the finest constant in a countable expression
_SEED = int.from_bytes(b"dealerkit forms", "big")
_LENGTHS = HOLDING_LENGTHS.astype(np.int64)


@dataclass(frozen=True, eq=False)
class SuitSum:
    """``(constant + sum of tables[seat, suit][holding]) / divisor``."""

    tables: Mapping[SeatSuit, np.ndarray]  # int64 [8192]; missing ones are 0
    constant: int = 0
    divisor: int = 1  # at least 1

    def add(self, other: SuitSum, sign: int = 1) -> SuitSum:
        """Return the sum of two, or with sign -1 the difference."""
        divisor = math.lcm(self.divisor, other.divisor)
        factor, other_factor = divisor // self.divisor, sign * (divisor // other.divisor)
        tables = {key: table * factor for key, table in self.tables.items()}
        for key, table in other.tables.items():
            term = table * other_factor
            tables[key] = tables[key] + term if key in tables else term
        tables = {key: table for key, table in tables.items() if table.any()}
        return SuitSum(tables, self.constant * factor + other.constant * other_factor, divisor)

    def multiply(self, factor: Fraction) -> SuitSum:
        """Return the product with a number."""
        numerator, divisor = factor.numerator, self.divisor * factor.denominator
        tables = {key: table * numerator for key, table in self.tables.items() if numerator}
        return SuitSum(tables, self.constant * numerator, divisor)

    @cached_property
    def step_tables(self) -> tuple[int, int, Mapping[SeatSuit, np.ndarray]]:
        """``base, step, tables`` of the sum times the divisor, as ``base + step * sum of tables``.

        The tables have 0 as their least value and no common factor; tables of zeros are omitted.
        """
        lows = {key: int(table.min()) for key, table in self.tables.items()}
        tables = {key: table - lows[key] for key, table in self.tables.items()}
        step = math.gcd(*(int(np.gcd.reduce(table)) for table in tables.values())) or 1
        tables = {key: table // step for key, table in tables.items() if table.any()}
        return self.constant + sum(lows.values()), step, tables

    def move_to(self, seat: int) -> SuitSum:
        """Return the same sum of other seats: `seat` in place of north, and its partner in place of south."""
        if not seat:
            return self
        base, step, tables = self.step_tables
        moved = SuitSum(_move_tables(self.tables, seat), self.constant, self.divisor)
        vars(moved)["step_tables"] = (
            base,
            step,
            _move_tables(tables, seat),
        )  # not computed again for each seat
        return moved

    def values(self, hands: np.ndarray) -> np.ndarray:
        """Return the values on deals (uint64 [n, 4]) times the divisor, int64 [n]."""
        total = np.full(len(hands), self.constant, np.int64)
        for (seat, suit), table in self.tables.items():
            total += table[(hands[:, seat] >> np.uint64(LANE_SHIFTS[suit])).astype(np.int64) & 8191]
        return total


def _move_tables(tables: Mapping[SeatSuit, np.ndarray], offset: int) -> dict[SeatSuit, np.ndarray]:
    """Return the tables of north, or of north and south, for the seats that follow them."""
    return {(seat + offset, suit): table for (seat, suit), table in tables.items()}


def depends_on_length(table: np.ndarray) -> bool:
    """Return whether a table over the holdings depends on their lengths only."""
    by_length = table[(1 << np.arange(14)) - 1]  # of the lowest cards of each length
    return bool((table == by_length[_LENGTHS]).all())


class SuitSums:
    """The suit sums of the slots of a graph, each computed once."""

    def __init__(self, graph: OperationGraph) -> None:
        self.graph = graph
        self._sums: dict[int, SuitSum | None] = {}
        self.feature_maps: dict[tuple[int, ...], Any] = {}  # the cache of `features.map_features`, by slots

    def find_sum(self, slot: int) -> SuitSum | None:
        """Return a slot's value as a sum over suits, or None if it is not one."""
        for part in self.graph.find_required(slot):  # in order, so that no recursion is deep
            if part not in self._sums:
                self._sums[part] = self._compute_sum(part)
        return self._sums[slot]

    def _compute_sum(self, slot: int) -> SuitSum | None:
        """Return the sum of a slot, given those of its inputs."""
        operation = self.graph.operations[slot]
        if operation.kind == "constant":
            value = Fraction(repr(operation.detail))
            is_exact = value.denominator <= MAX_DIVISOR
            return SuitSum({}, value.numerator, value.denominator) if is_exact else None
        if operation.kind == "pattern":
            return _length_sum((operation.detail,))
        if operation.kind == "call":
            call = _Call.from_operation(operation, self.graph.rules)
            suit_sum = None if call is None else _sum_of_call(call)
            return None if suit_sum is None else suit_sum.move_to(_seats(operation.seats)[0])
        if operation.kind != "arithmetic" or self._may_wrap(operation):
            return None
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
        return result if result.divisor <= MAX_DIVISOR else None

    def _may_wrap(self, operation: Operation) -> bool:
        """Return whether the result may exceed the integers of the dialect, which then wrap around."""
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

        None if the slot is not a call that depends on the suit lengths of its seat or side only.
        """
        operation = self.graph.operations[slot]
        call = _Call.from_operation(operation, self.graph.rules)
        table = None if call is None else _tabulate_lengths(call)
        return None if table is None else (_length_sum(_seats(operation.seats)), table)


@dataclass(frozen=True)
class _Call:
    """A call that depends on the cards of one seat or one side, moved to north or to north and south.

    The tables of a moved call are computed once for all seats; those of `MAX_CACHED_CALLS` calls are kept.
    """

    function: Function
    literals: tuple[Any, ...]
    option_key: tuple[tuple[str, Any], ...]  # the options, arrays as bytes
    divisor: int | None
    rules: Rules
    options: dict[str, Any] = field(compare=False)

    @classmethod
    def from_operation(cls, operation: Operation, rules: Rules) -> _Call | None:
        """Return the call, or None for any other operation."""
        if operation.kind != "call" or operation.inputs or operation.guarded:
            return None
        function, literals, options, divisor = operation.detail
        is_stable = function.pure and function.total and not function.outputs
        if function.kind not in ("hand", "side") or not is_stable:
            return None
        moved = tuple(
            replace(literal, index=0) if isinstance(literal, nodes.Seat | nodes.Side) else literal
            for literal in literals
        )
        option_key = sorted(
            (name, option.tobytes() if isinstance(option, np.ndarray) else option)
            for name, option in options.items()
        )
        return cls(function, moved, tuple(option_key), divisor, rules, options)

    @property
    def seats(self) -> tuple[int, ...]:
        """North, or north and south."""
        return (0,) if self.function.kind == "hand" else (0, 2)

    def values(self, hands: np.ndarray) -> np.ndarray:
        """Return the values on deals (uint64 [n, 4])."""
        columns = BatchColumns(OperationGraph(self.rules), Deals(hands, check=False))
        values = columns.call_function(self.function, self.literals, self.options, self.divisor)
        return np.broadcast_to(values, len(hands))

    def scaled(self, hands: np.ndarray) -> np.ndarray | None:
        """Return the values times the divisor, int64 [n]; None if they are no integers."""
        values = self.values(hands)
        if values.dtype.kind != "f":
            return values.astype(np.int64)
        scaled = np.rint(values * (self.divisor or 1))
        is_near = np.abs(scaled - values * (self.divisor or 1)) < 1e-6
        return scaled.astype(np.int64) if is_near.all() else None


@lru_cache(maxsize=MAX_CACHED_CALLS)
def _sum_of_call(call: _Call) -> SuitSum | None:
    """Return a call as a sum, or None if the sum differs from it on a deal."""
    values = call.scaled(_single_suit_hands(call.seats))
    if values is None:
        return None
    constant = int(values[-1])
    parts = values[:-1].reshape(len(call.seats), 4, 8192) - constant
    tables = {(seat, suit): parts[i, suit] for i, seat in enumerate(call.seats) for suit in range(4)}
    tables = {key: table for key, table in tables.items() if table.any()}
    suit_sum = SuitSum(tables, constant, call.divisor or 1)
    expected = call.scaled(_test_deals())
    agrees = expected is not None and np.array_equal(expected, suit_sum.values(_test_deals()))
    return suit_sum if agrees else None


@lru_cache(maxsize=MAX_CACHED_CALLS)
def _tabulate_lengths(call: _Call) -> np.ndarray | None:
    """Return a call's values by `_length_sum`, or None if it does not depend on suit lengths only."""
    lengths, hands, deals = _length_sum(call.seats), _lowest_cards(call.seats), _test_deals()
    values = call.values(hands)
    table = np.zeros(4096, values.dtype)
    table[lengths.values(hands)] = values
    return table if np.array_equal(call.values(deals), table[lengths.values(deals)]) else None


def _seats(mask: int) -> tuple[int, ...]:
    """Return the seats of a bit set."""
    return tuple(seat for seat in range(4) if mask >> seat & 1)


@cache
def _test_deals() -> np.ndarray:
    """Return the deals on which sums are checked."""
    return deal_range(_SEED, 0, N_CHECKED_DEALS)


@cache
def _single_suit_hands(seats: tuple[int, ...]) -> np.ndarray:
    """Return deals in which one seat holds one suit only, every holding of it; the last deal has no cards."""
    hands = np.zeros((len(seats), 4, 8192, 4), np.uint64)
    for index, seat in enumerate(seats):
        for suit, shift in enumerate(LANE_SHIFTS):
            hands[index, suit, :, seat] = np.arange(8192, dtype=np.uint64) << np.uint64(shift)
    return np.concatenate([hands.reshape(-1, 4), np.zeros((1, 4), np.uint64)])


@cache
def _lowest_cards(seats: tuple[int, ...]) -> np.ndarray:
    """Return a deal for each shape of the seats together: its lowest cards, all held by the first seat."""
    lengths = list_shapes(13 * len(seats)).astype(np.uint64)
    hands = np.zeros((len(lengths), 4), np.uint64)
    for suit, shift in enumerate(LANE_SHIFTS):
        hands[:, seats[0]] |= ((np.uint64(1) << lengths[:, suit]) - np.uint64(1)) << np.uint64(shift)
    return hands


@cache
def _length_sum(seats: tuple[int, ...]) -> SuitSum:
    """Return the code ``spades << 8 | hearts << 4 | diamonds`` of the cards that the seats hold together."""
    return SuitSum({(seat, suit): _LENGTHS << (8 - 4 * suit) for seat in seats for suit in range(3)})
