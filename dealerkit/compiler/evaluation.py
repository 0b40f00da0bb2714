"""Values of operations over the deals of a block, as columns.

`BatchColumns` keeps what it has computed. `take` makes the columns of some of its
rows, which inherit what is known; so the clauses of a condition are asked of the
survivors of those before, and guarded operands of the rows that need them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler import trick_columns as solving
from dealerkit.compiler.calls import call_on_deals, cards_of
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import Operation, Value, arithmetic, compare, truth
from dealerkit.compiler.randomness import keyed_integers
from dealerkit.errors import ArgumentError, DivisionByZeroError, EvaluationError
from dealerkit.language import nodes
from dealerkit.language.printer import to_text
from dealerkit.language.shapes import pattern_table
from dealerkit.registry import Function

T = TypeVar("T")
# Slots of what is no formula: the hands N E S W at -1 .. -4, numbers of deals and of boards.
_HANDS, _NUMBERS, _BOARDS = -1, -5, -6


class BatchColumns:
    """Values over some rows of a block of deals.

    Parameters
    ----------
    graph : OperationGraph
    deals : Deals
        The block. Seats that no formula looks at need not be dealt.
    seed : int
        Of the run, for `rnd`.
    numbers : ndarray of int64 [shape=(n,)], optional
        Numbers of the deals in the run, for `rnd`; by default 0, 1, 2 ...
    boards : ndarray of int64 [shape=(n,)], optional
        Numbers of the produced deals from 1, for `board`; None while the condition is asked.
    """

    def __init__(
        self,
        graph: OperationGraph,
        deals: Deals,
        seed: int = 0,
        numbers: np.ndarray | None = None,
        boards: np.ndarray | None = None,
    ) -> None:
        self.graph, self.seed = graph, seed
        self.rows: np.ndarray | None = None  # rows of the block, None: all
        self._deals: Deals | None = deals
        self._length = len(deals)
        self._parent: BatchColumns | None = None
        self._index: np.ndarray | None = None  # rows of the parent
        self._cache: dict[int, Value] = {}
        if numbers is not None:
            self._cache[_NUMBERS] = numbers
        if boards is not None:
            self._cache[_BOARDS] = boards

    def __len__(self) -> int:
        return self._length

    def take(self, index: np.ndarray) -> BatchColumns:
        """The columns of some rows (ascending positions), with all that is known of them."""
        child = BatchColumns.__new__(BatchColumns)
        child.graph, child.seed = self.graph, self.seed
        child.rows = index if self.rows is None else self.rows[index]
        child._deals = None
        child._length = len(index)
        child._parent, child._index = self, index
        child._cache = {}
        return child

    def hand(self, seat: int) -> np.ndarray:
        """The cards of a seat, uint64 [n]."""
        if self._find(_HANDS - seat) is None:
            root = self._root()
            root._cache[_HANDS - seat] = root.deals.hand(seat)
        return np.asarray(self._find(_HANDS - seat))

    @property
    def deals(self) -> Deals:
        """The deals of these rows, with their companions."""
        path, columns = [], self
        while columns._deals is None:
            assert columns._parent is not None
            path.append(columns)
            columns = columns._parent
        deals = columns._deals
        for columns in reversed(path):
            assert columns._index is not None
            deals = columns._deals = deals[columns._index]
        return deals

    def set_deals(self, deals: Deals) -> None:
        """Give these rows all four hands, where only some seats had been dealt."""
        self._deals = deals
        for seat in range(4):
            self._cache[_HANDS - seat] = deals.hand(seat)

    def store_tricks(self, strain: int, seats: list[int], tricks: np.ndarray) -> None:
        """Keep double-dummy results, int8 [n, seats], with the deals: nothing is solved twice."""
        deals = self.deals
        known = np.full((len(deals), 5, 4), -1, np.int8) if deals.tables is None else deals.tables.copy()
        known[:, strain, seats] = tricks
        self._deals = deals.replace(tables=known)

    @property
    def numbers(self) -> np.ndarray:
        """Numbers of the deals in the run, int64 [n]."""
        if self._find(_NUMBERS) is None:
            root = self._root()
            root._cache[_NUMBERS] = np.arange(len(root))
        return np.asarray(self._find(_NUMBERS))

    @property
    def boards(self) -> np.ndarray | None:
        """Numbers of the produced deals from 1, or None while the condition is asked."""
        return self._find(_BOARDS)

    def number_boards(self, boards: np.ndarray) -> None:
        """Number the produced deals."""
        self._cache[_BOARDS] = boards

    def _root(self) -> BatchColumns:
        columns = self
        while columns._parent is not None:
            columns = columns._parent
        return columns

    # ------------------------------------------------------------ values
    def has_value(self, slot: int) -> bool:
        """Is the value of a slot known for all rows already?"""
        return self._find(slot) is not None

    def store_value(self, slot: int, value: Value) -> None:
        """Note the value of a slot that was found beside another's."""
        self._cache[slot] = value

    def value(self, slot: int) -> Value:
        """The value of a slot: an array [n], or a number where it is the same for all rows."""
        cached = self._find(slot)
        if cached is None:
            for part in self.graph.find_required(slot):
                if self._find(part) is None:
                    operation = self.graph.operations[part]
                    self._cache[part] = _RULES[operation.kind](self, operation)
            cached = self._cache[slot]
        return cached

    def array(self, slot: int) -> np.ndarray:
        """The value of a slot as an array [n]."""
        value = self.value(slot)
        return value if isinstance(value, np.ndarray) and value.ndim else np.broadcast_to(value, self._length)

    def truth(self, slot: int) -> np.ndarray:
        """The value of a slot as booleans [n]."""
        return np.broadcast_to(truth(self.value(slot)), self._length)

    def _find(self, slot: int) -> Value | None:
        """What is already known of a slot, here or for the rows these were taken from."""
        found = self._cache.get(slot)
        if found is not None or self._parent is None:
            return found
        path, columns = [self], self._parent
        while (found := columns._cache.get(slot)) is None:
            path.append(columns)
            if columns._parent is None:
                return None
            columns = columns._parent
        for columns in reversed(path):
            if isinstance(found, np.ndarray) and found.ndim:
                found = found[columns._index]
            elif isinstance(found, dict):  # several outputs of one call
                found = {name: values[columns._index] for name, values in found.items()}
            columns._cache[slot] = found
        return found

    def _inputs(self, operation: Operation) -> list[Value]:
        return [self._cache[slot] if slot in self._cache else self._find(slot) for slot in operation.inputs]

    def _constant(self, operation: Operation) -> Value:
        return operation.detail

    def _call(self, operation: Operation) -> Value:
        function, literals, options, divisor = operation.detail
        return self.call_function(function, literals, options, divisor, self._inputs(operation))

    def call_function(
        self, function: Function, literals: tuple, options: dict, divisor: int | None, inputs: Sequence = ()
    ) -> Value:
        """What a function gives for these rows.

        Its arguments are `literals`, those that are None the next of the inputs; `options` are the
        keywords of its body, whose values are divided by `divisor`.
        """
        assert function.body is not None
        values = iter(inputs)
        arguments: list[Any] = []
        for literal in literals:
            if literal is None:
                arguments.append(next(values))
            elif (found := cards_of(function, literal, self.hand)) is not None:
                arguments += found[0]
                options = {**options, **found[1]}
            elif isinstance(literal, nodes.Seat | nodes.Side | nodes.Suit | nodes.Strain):
                arguments.append(literal.index)
            else:
                arguments.append(literal.value if isinstance(literal, nodes.Number) else literal)
        if function.kind == "deal":
            result = call_on_deals(function, self.deals, arguments, options)
        else:
            result = function.body(*arguments, **options)
        if divisor is not None:
            return result / divisor
        if self.graph.rules.bits == 32 and np.asarray(result).dtype == np.int64:
            # Scores of absurd numbers of tricks wrap, as all integers there.
            return np.asarray(result).astype(np.int32)[()]
        return result

    def _output(self, operation: Operation) -> Value:
        return self._inputs(operation)[0][operation.detail]

    def _pattern(self, operation: Operation) -> Value:
        from dealerkit.evaluators.kernels import pattern_code

        return pattern_code(self.hand(operation.detail))

    def _member(self, operation: Operation) -> Value:
        return pattern_table(operation.detail)[self._inputs(operation)[0]]

    def _random(self, operation: Operation) -> Value:
        return keyed_integers(self.seed, self.numbers, operation.detail, self._inputs(operation)[0])

    def _board(self, operation: Operation) -> Value:
        if self.boards is None:
            raise ArgumentError("board(), the number of the produced deal, has a value in actions only")
        return self.boards

    def _arithmetic(self, operation: Operation) -> Value:
        operator, ranges = operation.detail
        left, right = self._inputs(operation)
        if operator in "/%" and not np.all(right):
            first = (
                int(np.flatnonzero(np.broadcast_to(np.equal(right, 0), self._length))[0])
                if self._length
                else 0
            )
            if self._length:
                row = first if self.rows is None else int(self.rows[first])
                raise DivisionByZeroError(f"division by zero in '{to_text(operation.node)}'", row)
            right = 1
        return arithmetic(operator, left, right, ranges, self.graph.rules.bits)

    def _compare(self, operation: Operation) -> Value:
        operator, real = operation.detail
        left, right = self._inputs(operation)
        return compare(operator, left, right, real)

    def _not(self, operation: Operation) -> Value:
        return np.logical_not(truth(self._inputs(operation)[0]))

    def _and(self, operation: Operation) -> Value:
        return self._both(operation, settled=False)

    def _or(self, operation: Operation) -> Value:
        return self._both(operation, settled=True)

    def _both(self, operation: Operation, settled: bool) -> Value:
        """`and` (settled by a false operand) and `or` (by a true one), guarded operands on open rows only."""
        combine = np.logical_or if settled else np.logical_and
        result = np.array(self.truth(operation.detail[0]))
        for slot in operation.detail[1:]:
            if slot in operation.guarded:
                open_rows = np.flatnonzero(result != settled)
                result[open_rows] = self.take(open_rows).truth(slot)
            else:
                combine(result, truth(self.value(slot)), out=result)
        return result

    def _choice(self, operation: Operation) -> Value:
        conditions, values = operation.detail
        result = np.empty(self._length, operation.range.dtype())
        columns, rows = self, np.arange(self._length)
        for condition, value in zip(conditions, values[:-1], strict=True):
            chosen = columns.truth(condition)
            hit, miss = np.flatnonzero(chosen), np.flatnonzero(~chosen)
            result[rows[hit]] = columns.take(hit).value(value)
            columns, rows = columns.take(miss), rows[miss]
        result[rows] = columns.value(values[-1])
        return result


_RULES = {
    "constant": BatchColumns._constant,
    "call": BatchColumns._call,
    "output": BatchColumns._output,
    "pattern": BatchColumns._pattern,
    "member": BatchColumns._member,
    "tricks": solving.tricks,
    "reaches": solving.reaches,
    "random": BatchColumns._random,
    "board": BatchColumns._board,
    "arithmetic": BatchColumns._arithmetic,
    "compare": BatchColumns._compare,
    "not": BatchColumns._not,
    "and": BatchColumns._and,
    "or": BatchColumns._or,
    "choice": BatchColumns._choice,
}


def apply_clauses(columns: BatchColumns, clauses: Sequence[int]) -> BatchColumns:
    """The rows that meet every clause, each clause asked of the survivors of those before."""
    for slot in clauses:
        mask = columns.truth(slot)
        if not mask.all():
            columns = columns.take(np.flatnonzero(mask))
            if not len(columns):
                break
    return columns


def evaluate_until_error(evaluate: Callable[[int], T], count: int) -> tuple[T, EvaluationError | None]:
    """``evaluate(count)``, or, where that fails, of the deals before the first that has no value.

    Parameters
    ----------
    evaluate : callable
        Evaluates the first so many deals of a block.
    count : int
        How many there are.

    Returns
    -------
    what `evaluate` gave, and the error in the deal after those, if there was one
    """
    error = None
    while True:
        try:
            return evaluate(count), error
        except EvaluationError as found:
            # A column fails at its own first row; an earlier deal may fail in another column.
            count, error = found.row, found
