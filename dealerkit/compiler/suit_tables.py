"""The declared tables of compiled calls: sums over suits, and values that depend only on suit lengths.

An entry of the registry declares them (`Function.holding_table`, `Function.length_table`). A call without a
declaration has no tables, even if its values are such sums.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS
from dealerkit.compiler.function_bodies import call_with_deals, convert_literal
from dealerkit.compiler.operations import Operation
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.errors import ArgumentError
from dealerkit.language import nodes
from dealerkit.registry import Function

SUITS_TOGETHER = (4, 8192)
N_CHECKED_DEALS = 2048
_SEED = int.from_bytes(b"dealerkit tables", "big")


class HandTables(NamedTuple):
    """A call whose value is, on every deal, the sum of ``tables[suit, holding]`` over suits and seats.

    Parameters
    ----------
    seats : tuple of int
        The seat of the call, or both seats of its side.
    tables : ndarray of integers [4, 8192]
        The value that each holding adds, by suit S H D C; the same for all `seats`.
    divisor : int
        The value is the sum divided by this number: 100 if the tables are in hundredths of the language's
        unit.
    """

    seats: tuple[int, ...]
    tables: np.ndarray
    divisor: int


class LengthTable(NamedTuple):
    """A call with the value ``values[spades << 8 | hearts << 4 | diamonds]``.

    Lengths are those of its seats together.
    """

    seats: tuple[int, ...]
    values: np.ndarray  # [4096]


def find_hand_tables(operation: Operation, bits: int) -> HandTables | None:
    """Return the tables of a call that is a declared sum over suits, or None for any other operation.

    Integers have `bits` bits; a sum that may be too large for them wraps around, and therefore has no tables.
    """
    if operation.kind != "call":
        return None
    function, literals, _, divisor = operation.detail
    tables = _find_tables(operation, bits)
    if tables is None or _find_lengths(operation) is not None:
        return None
    return HandTables(_list_seats(literals[0]), np.broadcast_to(tables, SUITS_TOGETHER), divisor or 1)


def find_length_table(operation: Operation) -> LengthTable | None:
    """Return the values of a call by suit lengths if it is declared to depend only on them, or None."""
    if operation.kind != "call":
        return None
    lengths = _find_lengths(operation)
    if lengths is None or _call_declaration(operation.detail[0].holding_table, operation) is not None:
        return None
    return lengths


def find_table_pair(operation: Operation, bits: int) -> tuple[LengthTable, HandTables] | None:
    """Return both tables of a call that is declared to be their sum, such as points plus length, or None."""
    if operation.kind != "call":
        return None
    divisor = operation.detail[3]
    lengths, tables = _find_lengths(operation), _find_tables(operation, bits)
    if lengths is None or tables is None:
        return None
    return lengths, HandTables(lengths.seats, np.broadcast_to(tables, SUITS_TOGETHER), divisor or 1)


def _find_tables(operation: Operation, bits: int) -> np.ndarray | None:
    """Return the declared sum over suits of a call, or None."""
    if not (operation.range.real or operation.range.fits(bits)):
        return None
    return _call_declaration(operation.detail[0].holding_table, operation)


def _find_lengths(operation: Operation) -> LengthTable | None:
    """Return the declared values of a call by suit lengths, or None."""
    function, literals, _, divisor = operation.detail
    values = _call_declaration(function.length_table, operation)
    if values is None:
        return None
    return LengthTable(_list_seats(literals[0]), values if divisor is None else values / divisor)


def _call_declaration(
    declaration: Callable[..., np.ndarray | None] | None, operation: Operation
) -> np.ndarray | None:
    """Return the table that an entry declares for the arguments and keywords of a call, or None."""
    if declaration is None or operation.inputs or operation.guarded:
        return None
    function, literals, options, _ = operation.detail
    if not literals or not isinstance(literals[0], nodes.Seat | nodes.Side):
        return None
    arguments: list[Any] = [convert_literal(literal) for literal in literals[1:]]
    table = declaration(*arguments, **options)
    if function.kind == "deal" and table is not None:
        _check_users_table(function, len(_list_seats(literals[0])), tuple(arguments))
    return table


@lru_cache(maxsize=32)
def _check_users_table(function: Function, n_seats: int, arguments: tuple[Any, ...]) -> None:
    """Raise an ArgumentError if a user's function differs from the sum of its table on some random deals.

    The tables of dealerkit's functions are verified by the tests.
    """
    assert function.holding_table is not None
    deals = Deals(deal_range(_SEED, 0, N_CHECKED_DEALS), check=False)
    table = np.broadcast_to(np.asarray(function.holding_table(*arguments)), SUITS_TOGETHER)
    for owner in range(4 // n_seats):
        total = np.zeros(len(deals), np.int64)
        for seat in range(owner, 4, 2)[:n_seats]:
            for suit, shift in enumerate(LANE_SHIFTS):
                total += table[suit][(deals.hands[:, seat] >> np.uint64(shift)).astype(np.int64) & LANE_MASK]
        values = call_with_deals(function, deals, [owner, *arguments], {})
        differs = np.flatnonzero(values != total)
        if differs.size:
            row = int(differs[0])
            raise ArgumentError(
                f"{function.name} is not the sum of its holding_table: it is {values[row]:g} and the sum is "
                f"{total[row]} for {deals[row]}"
            )


def _list_seats(owner: nodes.Seat | nodes.Side) -> tuple[int, ...]:
    """Return the seat, or the two seats of the side."""
    return (owner.index,) if isinstance(owner, nodes.Seat) else (owner.index, owner.index + 2)
