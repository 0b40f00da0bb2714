"""Expressions of the language over deals at hand: arrays, selections, DataFrames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit import registry
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, SIDES, STRAINS
from dealerkit.compiler.compilation import compile_expression
from dealerkit.compiler.evaluation import BatchColumns, evaluate_until_error
from dealerkit.compiler.graph import OperationGraph
from dealerkit.errors import ArgumentError, UnknownNameError, suggest_name
from dealerkit.language import nodes
from dealerkit.language.dialects import find_rules
from dealerkit.language.shapes import PATTERNS
from dealerkit.machine import n_processors

if TYPE_CHECKING:
    import pandas as pd

ROWS = 65_536  # evaluated at once


def evaluate_text(deals: Deals, text: str, dialect: str = "modern", opener: str | None = None) -> np.ndarray:
    """Values of an expression, ndarray [n]: int, bool, or float64 for reals.

    An error names the index of the first deal that has no value.

    `opener` names the seat that opens, for `opc`.
    """
    compiled = compile_expression(text, find_rules(dialect), opener)
    graph, slot = compiled.graph, compiled.expression
    parts = []
    for first in range(0, max(len(deals), 1), ROWS):
        block = deals[first : first + ROWS]

        def evaluate(count: int, first: int = first, block: Deals = block) -> np.ndarray:
            return BatchColumns(graph, block[:count], numbers=first + np.arange(count)).array(slot)

        values, error = evaluate_until_error(evaluate, len(block))
        if error is not None:
            raise type(error)(f"{error.message} (deal {first + error.row:,})", first + error.row)
        parts.append(values)
    return np.concatenate(parts)


def select_deals(deals: Deals, text: str, dialect: str = "modern") -> Deals:
    """The deals for which an expression is true, with their companions."""
    return deals[evaluate_text(deals, text, dialect) != 0]


@cache
def pattern_names() -> tuple[np.ndarray, tuple[str, ...]]:
    """Position in `PATTERNS` by pattern code, int16 [4096], and the patterns' names."""
    positions = np.full(4096, -1, np.int16)
    names = []
    for position, lengths in enumerate(PATTERNS):
        s, h, d, c = (int(length) for length in lengths)
        positions[s << 8 | h << 4 | d] = position
        names.append(("" if max(s, h, d, c) < 10 else "-").join(map(str, (s, h, d, c))))
    return positions, tuple(names)


def evaluate_frame(deals: Deals, names: Iterable[str], expressions: Mapping[str, str]) -> pd.DataFrame:
    """Functions and expressions as columns beside the deals.

    Parameters
    ----------
    deals : Deals
    names : iterable of str
        Functions of one hand (``hcp``: columns hcp_north .. hcp_west) or of a side (``fit``:
        fit_ns, fit_ew); ``shape`` gives the pattern; ``hcp_north``, ``fit_ns_hearts``,
        ``tricks_south_spades`` a single column.
    expressions : mapping of str to str
        Column name to expression.

    Returns
    -------
    DataFrame
        Column `deal` first; integers in the smallest type that holds them, hundredths as float32.

    Raises
    ------
    UnknownNameError, ArgumentError, ScriptError
    """
    import pandas as pd

    from dealerkit.cards.array import DealArray

    graph = OperationGraph(find_rules("modern"))
    slots: dict[str, int] = {}
    for name in names:
        slots |= {column: graph.add_expression(node) for column, node in _calls(name)}
    graph.group_tricks(slots.values())
    patterns = {column for column, slot in slots.items() if graph.operations[slot].kind == "pattern"}
    sources = {column: (graph, slot) for column, slot in slots.items()}
    for column, text in expressions.items():
        compiled = compile_expression(text)
        sources[column] = (compiled.graph, compiled.expression)
    data: dict[str, Any] = {}
    for column, (source, slot) in sources.items():
        operation = source.operations[slot]
        coarse = operation.kind == "call" and operation.detail[0].hundredths
        data[column] = np.empty(
            len(deals), np.int16 if column in patterns else operation.range.smallest_dtype(coarse)
        )
    positions, labels = pattern_names()

    def fill(first: int) -> None:
        rows = slice(first, first + ROWS)
        part, numbers = deals[rows], np.arange(first, min(first + ROWS, len(deals)))
        columns = {source: BatchColumns(source, part, numbers=numbers) for source, _ in sources.values()}
        for column, (source, slot) in sources.items():
            values = columns[source].array(slot)
            data[column][rows] = positions[values] if column in patterns else values

    with ThreadPoolExecutor(n_processors()) as pool:
        list(pool.map(fill, range(0, len(deals), ROWS)))
    for column in patterns:
        data[column] = pd.Categorical.from_codes(data[column], categories=list(labels))
    return pd.DataFrame({"deal": DealArray(deals), **data}, copy=False)


def _calls(name: str) -> list[tuple[str, nodes.Call]]:
    """Columns that a name stands for, with their calls: ``hcp``, ``hcp_north``, ``tricks_south_spades``."""
    if not isinstance(name, str):
        raise ArgumentError(f"{name!r:.60} names no column; give a text such as 'hcp' or 'hcp_north'")
    parts = name.split("_")
    heads = ("_".join(parts[:k]) for k in range(len(parts), 0, -1))  # a user's word may hold underscores
    word = next((head for head in heads if head == "shape" or registry.find_function(head)), None)
    if word is None:
        raise UnknownNameError(f"unknown function {name!r}{suggest_name(name, registry.spellings())}")
    place = name.removeprefix(word).split("_")[1:]
    if word == "shape":
        function, signature, kinds = "pattern", "shape(seat)", ["seat"]
    else:
        found = registry.get_function(word)
        function, signature, kinds = found.name, found.signature, list(found.arguments)
    owners = _owners(kinds[:1], place[:1])
    suits = _suits(kinds[1:], place[1:])
    if not owners or suits is None:
        raise ArgumentError(
            f"{name!r} names no column; {signature} may stand with a seat or side, and a suit or strain "
            "where it takes one, as in hcp_north or tricks_south_spades; or give an expression, "
            f"x='{signature}'"
        )
    return [
        ("_".join((word, owner, *place[1:])), nodes.Call(function, (node, *suits))) for owner, node in owners
    ]


def _owners(kinds: list[str], place: list[str]) -> list[tuple[str, nodes.Argument]]:
    """Whose cards a column is about: who is named; else both sides, or for measures of a hand all seats."""
    allowed = kinds[0].split("|") if kinds else []
    seats: list[tuple[str, nodes.Argument]] = [(seat, nodes.Seat(k)) for k, seat in enumerate(SEATS)]
    sides: list[tuple[str, nodes.Argument]] = [(side.lower(), nodes.Side(k)) for k, side in enumerate(SIDES)]
    known = [(kind, own) for kind, own in (("side", sides), ("seat", seats)) if kind in allowed]
    if not place:
        return known[0][1] if known else []
    return [one for _, own in known for one in own if one[0] == place[0]]


def _suits(kinds: list[str], place: list[str]) -> tuple[nodes.Argument, ...] | None:
    """The suit or strain that a column's name ends with, if any; None where that does not fit."""
    if not place:
        return () if all(kind.endswith("?") for kind in kinds) else None
    if len(place) > 1 or not kinds or place[0] not in STRAINS:
        return None
    strain, kind = STRAINS.index(place[0]), kinds[0].rstrip("?")
    if kind == "strain" and strain == 4:
        return (nodes.Strain(4),)
    return (nodes.Suit(strain),) if kind in ("suit", "strain") and strain < 4 else None


def functions_table() -> pd.DataFrame:
    """The registry as a DataFrame, a row for each function.

    Returns
    -------
    DataFrame
        Index `name`; columns signature, unit, low, high, summary, source, aliases, outputs, computed.
    """
    import pandas as pd

    rows = [
        {
            "name": one.name,
            "signature": one.signature,
            "unit": one.unit,
            "low": one.low,
            "high": one.high,
            "summary": one.summary,
            "source": one.source,
            "aliases": ", ".join(one.aliases),
            "outputs": ", ".join(one.outputs),
            "computed": one.body is not None or one.kind in ("special", "item"),
        }
        for one in registry.functions()
    ]
    return pd.DataFrame(rows).set_index("name")
