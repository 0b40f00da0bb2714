"""The evaluation of operations, column by column, on the rows of a batch of deals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.column_cache import ColumnCache
from dealerkit.compiler.function_bodies import call_with_deals, convert_literal, select_hands
from dealerkit.compiler.operations import Operation, Value, calculate_array, compare_values, to_truth
from dealerkit.compiler.trick_thresholds import MAX_THRESHOLDS, N_TRICK_COUNTS, find_thresholds
from dealerkit.dealing.random_words import keyed_integers
from dealerkit.errors import ArgumentError, DivisionByZeroError, EvaluationError
from dealerkit.language.printer import to_text
from dealerkit.language.shapes import pattern_table
from dealerkit.registry import Function

T = TypeVar("T")


class BatchColumns(ColumnCache):
    """The columns of a batch of deals, computed when they are needed; see `ColumnCache`."""

    def evaluate(self, operation: Operation) -> Value:
        """Return the value of an operation whose inputs have values."""
        inputs = (self._find_value(slot) for slot in operation.inputs)
        return _EVALUATORS[operation.kind](self, operation, *inputs)

    def call_function(
        self,
        function: Function,
        literals: tuple[Any, ...],
        options: dict[str, Any],
        divisor: int | None,
        inputs: Sequence[Value] = (),
    ) -> Value:
        """Return the value of a function for these rows.

        Its arguments are `literals`, in which each None is replaced by the next of `inputs`. `options`
        are the keywords of its body. The values are divided by `divisor` if there is one.
        """
        assert function.body is not None
        values = iter(inputs)
        arguments: list[Any] = []
        for literal in literals:
            if literal is None:
                arguments.append(_to_number(next(values)))
            elif (hands := select_hands(function, literal, self.hand)) is not None:
                arguments += hands[0]
                options = {**options, **hands[1]}
            else:
                arguments.append(convert_literal(literal))
        if function.kind == "deal":
            result = call_with_deals(function, self.deals, arguments, options)
        else:
            result = function.body(*arguments, **options)
        if divisor is not None:
            return result / divisor
        if self.graph.rules.bits == 32 and np.asarray(result).dtype == np.int64:
            # With 32-bit rules all integers wrap, also scores of huge numbers of tricks.
            return np.asarray(result).astype(np.int32)[()]
        return result

    def _pattern(self, operation: Operation) -> Value:
        from dealerkit.evaluators.kernels import pattern_code

        return pattern_code(self.hand(operation.detail))

    def _board(self, operation: Operation) -> Value:
        if self.boards is None:
            raise ArgumentError("board(), the number of the produced deal, can be used in actions only")
        return self.boards

    def _arithmetic(self, operation: Operation, left: Value, right: Value) -> Value:
        operator, ranges = operation.detail
        if operator in "/%" and not np.all(right):
            if self._length:
                first = int(np.flatnonzero(np.broadcast_to(np.equal(right, 0), self._length))[0])
                row = first if self.rows is None else int(self.rows[first])
                raise DivisionByZeroError(describe_division(operation), row)
            right = 1
        return calculate_array(operator, left, right, ranges, self.graph.rules.bits)

    def _compare(self, operation: Operation, left: Value, right: Value) -> Value:
        operator, real = operation.detail
        return compare_values(operator, left, right, real)

    def _junction(self, operation: Operation, *eager: Value) -> Value:
        """Return "and" or "or"; guarded operands are evaluated only for rows not decided before."""
        decisive = operation.kind == "or"  # the truth of one operand that decides the result
        combine = np.logical_or if decisive else np.logical_and
        result = np.array(self.truth(operation.detail[0]))
        for slot in operation.detail[1:]:
            if slot in operation.guarded:
                undecided = np.flatnonzero(result != decisive)
                result[undecided] = self.take(undecided).truth(slot)
            else:
                combine(result, to_truth(self.value(slot)), out=result)
        return result

    def _choice(self, operation: Operation, *eager: Value) -> Value:
        """Return ``?:``; each value is evaluated only for the rows that it is chosen for."""
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


def _to_number(value: Value) -> Value:
    """Return an argument of a function as a numpy number or array.

    Truth values become 0 and 1, because numpy cannot negate or subtract them.
    """
    number = np.asarray(value)
    return number.astype(np.int8)[()] if number.dtype == bool else number[()]


def _evaluate_tricks(columns: ColumnCache, operation: Operation) -> np.ndarray:
    """Return the number of tricks, int8 [n]; in a grouped strain, those of all declarers are looked up."""
    # Imported late, since importing the solver takes time and most scripts do not need it.
    from dealerkit.doubledummy.lookup import Query, look_up, look_up_tricks

    seat, strain = operation.detail
    grouped = columns.graph.grouped_tricks.get(strain, ())
    if len(grouped) < 2:
        tricks = look_up_tricks(columns.deals, strain, seat)
        columns.attach_tricks(strain, [seat], tricks[:, None])
        return tricks
    row = np.stack(look_up(columns.deals, [Query(strain, declarer) for declarer in range(4)]), axis=1)
    columns.attach_tricks(strain, [0, 1, 2, 3], row)
    for slot in grouped:
        columns.set_value(slot, row[:, columns.graph.operations[slot].detail[0]])
    return row[:, seat]


def _evaluate_reaches(columns: ColumnCache, operation: Operation) -> np.ndarray:
    """Return the truth of a comparison of tricks, bool [n], by testing its thresholds."""
    from dealerkit.doubledummy.lookup import Query, look_up

    (comparison,), tricks = operation.guarded, operation.detail
    seat, strain = columns.graph.operations[tricks].detail
    truth_at_zero, thresholds = _find_thresholds(columns, tricks, comparison)
    if len(thresholds) > MAX_THRESHOLDS or columns.has_value(tricks):
        return columns.truth(comparison)
    reached = look_up(columns.deals, [Query(strain, seat, number) for number in thresholds])
    # Each threshold that declarer reaches changes the truth.
    return np.logical_xor.reduce([np.full(len(columns), truth_at_zero), *reached])


def _find_thresholds(columns: ColumnCache, tricks: int, comparison: int) -> tuple[bool, list[int]]:
    """Return the thresholds of a comparison, from its value at every number of tricks."""
    memo = columns.graph.thresholds
    if comparison not in memo:
        deals = Deals(np.zeros((N_TRICK_COUNTS, 4), np.uint64), check=False)
        all_counts = type(columns)(columns.graph, deals)
        all_counts.set_value(tricks, np.arange(N_TRICK_COUNTS, dtype=np.int8))
        memo[comparison] = find_thresholds(all_counts.truth(comparison))
    return memo[comparison]


# Each function takes the columns, an operation, and the values of its inputs.
_EVALUATORS: dict[str, Callable[..., Value]] = {
    "constant": lambda columns, operation: operation.detail,
    "call": lambda columns, operation, *inputs: columns.call_function(*operation.detail, inputs),
    "output": lambda columns, operation, values: values[operation.detail],
    "pattern": BatchColumns._pattern,
    "member": lambda columns, operation, patterns: pattern_table(operation.detail)[patterns],
    "tricks": _evaluate_tricks,
    "reaches": _evaluate_reaches,
    "random": lambda columns, operation, limit: keyed_integers(
        columns.seed, columns.numbers, operation.detail, limit
    ),
    "board": BatchColumns._board,
    "arithmetic": BatchColumns._arithmetic,
    "compare": BatchColumns._compare,
    "not": lambda columns, operation, operand: np.logical_not(to_truth(operand)),
    "and": BatchColumns._junction,
    "or": BatchColumns._junction,
    "choice": BatchColumns._choice,
}


def describe_division(operation: Operation) -> str:
    """Return the message for a division by zero."""
    return f"division by zero in '{to_text(operation.node)}'"


def apply_clauses(columns: BatchColumns, clauses: Sequence[int]) -> BatchColumns:
    """Return the rows that meet every clause; each is evaluated only for rows that met those before."""
    for slot in clauses:
        mask = columns.truth(slot)
        if not mask.all():
            columns = columns.take(np.flatnonzero(mask))
            if not len(columns):
                break
    return columns


def evaluate_until_error(evaluate: Callable[[int], T], count: int) -> tuple[T, EvaluationError | None]:
    """Return ``evaluate(count)``; if a deal fails, return the value for the deals before the first failure.

    Parameters
    ----------
    evaluate : callable
        ``evaluate(n)`` evaluates the first n deals of a batch.
    count : int
        Number of deals.

    Returns
    -------
    value
        The value that `evaluate` returned.
    error : EvaluationError or None
        The error of the first deal that fails.
    """
    error = None
    while True:
        try:
            return evaluate(count), error
        except EvaluationError as failure:
            # This is the first failing row of one column; an earlier deal may fail in another column.
            count, error = failure.row, failure
