"""Values that are sums over suits.

A `Form` is a constant plus, for seats and suits, a table over the 8192 holdings: points,
losers, controls, a length, a card, and sums and differences of these over any seats. The
tables are had by asking the function itself of hands with one suit; whether it is the sum of
them is checked on deals.
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

Place = tuple[int, int]  # seat N E S W, suit S H D C

CHECKED = 2048  # deals on which a function must be the sum that its values on single suits make it
KEPT = 32  # calls whose tables are kept, a quarter to half a megabyte each
MOST_PARTS = 10_000  # in a unit: 0.0001 is the finest constant that is taken apart
_SEED = int.from_bytes(b"dealerkit forms", "big")
_LENGTHS = HOLDING_LENGTHS.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Form:
    """``(constant + sum of tables[seat, suit][holding]) / divisor``.

    Parameters
    ----------
    tables : mapping of (seat, suit) to ndarray of int64 [8192]
        Missing ones are 0.
    constant : int
    divisor : int >= 1
    """

    tables: Mapping[Place, np.ndarray]
    constant: int = 0
    divisor: int = 1

    def plus(self, other: Form, sign: int = 1) -> Form:
        """The sum, or with sign -1 the difference, of two forms."""
        divisor = math.lcm(self.divisor, other.divisor)
        mine, theirs = divisor // self.divisor, sign * (divisor // other.divisor)
        tables = {place: table * mine for place, table in self.tables.items()}
        for place, table in other.tables.items():
            tables[place] = tables[place] + table * theirs if place in tables else table * theirs
        tables = {place: table for place, table in tables.items() if table.any()}
        return Form(tables, self.constant * mine + other.constant * theirs, divisor)

    def times(self, factor: Fraction) -> Form:
        """The form multiplied by a number."""
        top, divisor = factor.numerator, self.divisor * factor.denominator
        tables = {place: table * top for place, table in self.tables.items() if top}
        return Form(tables, self.constant * top, divisor)

    @cached_property
    def steps(self) -> tuple[int, int, Mapping[Place, np.ndarray]]:
        """``base, step, tables`` of the same sum times the divisor, as ``base + step * sum of tables``.

        The tables have 0 as their least value and no common factor; those of zeros are left out.
        """
        lows = {place: int(table.min()) for place, table in self.tables.items()}
        tables = {place: table - lows[place] for place, table in self.tables.items()}
        step = math.gcd(*(int(np.gcd.reduce(table)) for table in tables.values())) or 1
        tables = {place: table // step for place, table in tables.items() if table.any()}
        return self.constant + sum(lows.values()), step, tables

    def at(self, seat: int) -> Form:
        """Of a form of north, or of north and south: the same of the seats that many places later."""
        if not seat:
            return self
        base, step, tables = self.steps
        moved = Form(_moved(self.tables, seat), self.constant, self.divisor)
        vars(moved)["steps"] = base, step, _moved(tables, seat)  # not found anew for each seat
        return moved

    def values(self, hands: np.ndarray) -> np.ndarray:
        """Values on deals (uint64 [n, 4]) times the divisor, int64 [n]."""
        total = np.full(len(hands), self.constant, np.int64)
        for (seat, suit), table in self.tables.items():
            total += table[(hands[:, seat] >> np.uint64(LANE_SHIFTS[suit])).astype(np.int64) & 8191]
        return total


def _moved(tables: Mapping[Place, np.ndarray], seat: int) -> dict[Place, np.ndarray]:
    return {(who + seat, suit): table for (who, suit), table in tables.items()}


def depends_on_length(table: np.ndarray) -> bool:
    """Is a table over the holdings a table over their lengths?"""
    first = table[(1 << np.arange(14)) - 1]  # the lowest cards of each length
    return bool((table == first[_LENGTHS]).all())


class Forms:
    """The forms of the slots of a graph, computed once each.

    Parameters
    ----------
    graph : OperationGraph
    """

    def __init__(self, graph: OperationGraph) -> None:
        self.graph = graph
        self._found: dict[int, Form | None] = {}
        self._lookups: dict[int, tuple[Form, np.ndarray] | None] = {}
        self.abstractions: dict[tuple[int, ...], Any] = {}  # by slots, kept for `abstraction.abstract`

    def form(self, slot: int) -> Form | None:
        """A slot's value as a sum over suits, or None where it is none."""
        for part in self.graph.find_required(slot):  # in order, so no recursion is deep
            if part not in self._found:
                self._found[part] = self._make(part)
        return self._found[slot]

    def _make(self, slot: int) -> Form | None:
        operation = self.graph.operations[slot]
        if operation.kind == "constant":
            number = Fraction(repr(operation.detail))
            return (
                Form({}, number.numerator, number.denominator) if number.denominator <= MOST_PARTS else None
            )
        if operation.kind == "pattern":
            return _lengths_form((operation.detail,))
        if operation.kind == "call":
            return self._leaf(operation)
        if operation.kind != "arithmetic" or self._wraps(operation):
            return None
        left, right = (self._found[part] for part in operation.inputs)
        if left is None or right is None:
            return None
        operator = operation.detail[0]
        if operator in "+-":
            found = left.plus(right, 1 if operator == "+" else -1)
        elif operator == "*" and not (left.tables and right.tables):
            many, one = (left, right) if left.tables else (right, left)
            found = many.times(Fraction(one.constant, one.divisor))
        else:
            return None
        return found if found.divisor <= MOST_PARTS else None

    def _wraps(self, operation: Operation) -> bool:
        """May the result leave the integers of its language?"""
        bits = self.graph.rules.bits
        return not operation.range.real and operation.range.low == -(1 << (bits - 1))

    def _leaf(self, operation: Operation) -> Form | None:
        """The form of a call about one seat or one side."""
        call = _Call.of(operation, self.graph.rules)
        if call is None:
            return None
        form = _form_of(call)
        return None if form is None else form.at(_seats(operation.seats)[0])

    def difference(self, slot: int) -> Form | None:
        """Left less right of a comparison of two sums over suits, else None."""
        operation = self.graph.operations[slot]
        if operation.kind != "compare":
            return None
        left, right = (self.form(part) for part in operation.inputs)
        if left is None or right is None or not (left.tables and right.tables):
            return None
        return left.plus(right, -1)

    def lookup(self, slot: int) -> tuple[Form, np.ndarray] | None:
        """A call that depends on the suit lengths of its seat or side: their form and a table of values."""
        if slot not in self._lookups:
            operation = self.graph.operations[slot]
            call = _Call.of(operation, self.graph.rules)
            table = None if call is None else _table_of(call)
            self._lookups[slot] = None if table is None else (_lengths_form(_seats(operation.seats)), table)
        return self._lookups[slot]


@dataclass(frozen=True)
class _Call:
    """A call about the cards of one seat or one side alone, whichever it is: north or north-south here.

    Functions are asked once for all seats, and once in a process as far as `KEPT` goes.
    """

    function: Function
    literals: tuple[Any, ...]
    told: tuple[tuple[str, Any], ...]  # the options, arrays as bytes
    divisor: int | None
    rules: Rules
    options: dict[str, Any] = field(compare=False)

    @classmethod
    def of(cls, operation: Operation, rules: Rules) -> _Call | None:
        """The call; None for any other operation."""
        if operation.kind != "call" or operation.inputs or operation.guarded:
            return None
        function, literals, options, divisor = operation.detail
        if (
            function.kind not in ("hand", "side")
            or not function.pure
            or not function.total
            or function.outputs
        ):
            return None
        moved = tuple(
            replace(one, index=0) if isinstance(one, nodes.Seat | nodes.Side) else one for one in literals
        )
        told = sorted(
            (name, option.tobytes() if isinstance(option, np.ndarray) else option)
            for name, option in options.items()
        )
        return cls(function, moved, tuple(told), divisor, rules, options)

    @property
    def seats(self) -> tuple[int, ...]:
        return (0,) if self.function.kind == "hand" else (0, 2)

    def values(self, hands: np.ndarray) -> np.ndarray:
        """Of these deals (uint64 [n, 4])."""
        columns = BatchColumns(OperationGraph(self.rules), Deals(hands, check=False))
        found = columns.call_function(self.function, self.literals, self.options, self.divisor)
        return np.broadcast_to(found, len(hands))

    def scaled(self, hands: np.ndarray) -> np.ndarray | None:
        """The same times the divisor, as integers int64 [n]; None where they are none."""
        values = self.values(hands)
        if values.dtype.kind != "f":
            return values.astype(np.int64)
        scaled = np.rint(values * (self.divisor or 1))
        near = np.abs(scaled - values * (self.divisor or 1)) < 1e-6
        return scaled.astype(np.int64) if near.all() else None


@lru_cache(maxsize=KEPT)
def _form_of(call: _Call) -> Form | None:
    """The form of a call, checked on deals."""
    values = call.scaled(_probes(call.seats))
    if values is None:
        return None
    constant = int(values[-1])
    parts = values[:-1].reshape(len(call.seats), 4, 8192) - constant
    tables = {(seat, suit): parts[i, suit] for i, seat in enumerate(call.seats) for suit in range(4)}
    form = Form({place: table for place, table in tables.items() if table.any()}, constant, call.divisor or 1)
    checked = call.scaled(_some_deals())
    return form if checked is not None and np.array_equal(checked, form.values(_some_deals())) else None


@lru_cache(maxsize=KEPT)
def _table_of(call: _Call) -> np.ndarray | None:
    """Values by ``spades << 8 | hearts << 4 | diamonds`` of a call that depends on the suit lengths alone."""
    form, hands, deals = _lengths_form(call.seats), _lowest(call.seats), _some_deals()
    values = call.values(hands)
    table = np.zeros(4096, values.dtype)
    table[form.values(hands)] = values
    return table if np.array_equal(call.values(deals), table[form.values(deals)]) else None


def _seats(mask: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(4) if mask >> seat & 1)


@cache
def _some_deals() -> np.ndarray:
    return deal_range(_SEED, 0, CHECKED)


@cache
def _probes(seats: tuple[int, ...]) -> np.ndarray:
    """Deals in which one of the seats has one suit only: each holding of each suit; at last no cards."""
    hands = np.zeros((len(seats), 4, 8192, 4), np.uint64)
    for place, seat in enumerate(seats):
        for suit, shift in enumerate(LANE_SHIFTS):
            hands[place, suit, :, seat] = np.arange(8192, dtype=np.uint64) << np.uint64(shift)
    return np.concatenate([hands.reshape(-1, 4), np.zeros((1, 4), np.uint64)])


@cache
def _lowest(seats: tuple[int, ...]) -> np.ndarray:
    """A deal for each shape that the seats can have together: the lowest cards, all with the first seat."""
    lengths = list_shapes(13 * len(seats)).astype(np.uint64)
    hands = np.zeros((len(lengths), 4), np.uint64)
    for suit, shift in enumerate(LANE_SHIFTS):
        hands[:, seats[0]] |= ((np.uint64(1) << lengths[:, suit]) - np.uint64(1)) << np.uint64(shift)
    return hands


@cache
def _lengths_form(seats: tuple[int, ...]) -> Form:
    """``spades << 8 | hearts << 4 | diamonds`` of the cards that the seats hold together."""
    return Form({(seat, suit): _LENGTHS << (8 - 4 * suit) for seat in seats for suit in range(3)})
