"""The values of expressions for a Deals: as an array, a selection of the deals, or a DataFrame."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit import registry
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, SIDES, STRAINS
from dealerkit.compiler.compilation import compile_expression, compile_script
from dealerkit.compiler.long_frames import check_columns, group_columns, is_long, stack_seats
from dealerkit.compiler.operations import to_truth
from dealerkit.compiler.scans import BATCH_DEALS, MIN_NS, Scan
from dealerkit.errors import ArgumentError, UnknownNameError, suggest_name
from dealerkit.language import nodes
from dealerkit.language.dialects import MODERN, find_rules
from dealerkit.language.script import Script
from dealerkit.language.script_variables import Params, ScriptVariables
from dealerkit.language.shapes import PATTERNS
from dealerkit.system.executors import current_workers
from dealerkit.system.machine import n_processors

if TYPE_CHECKING:
    import pandas as pd


def evaluate_text(
    deals: Deals, text: str | os.PathLike[str], dialect: str = "modern", **settings: Any
) -> np.ndarray:
    """Return the values of an expression, ndarray [n]: int, bool, or float64 for reals.

    An error contains the index of the first deal without a value. `settings` are those of
    `compile_expression`: params, opener, vulnerable.
    """
    compiled = compile_expression(text, find_rules(dialect), **settings)
    scan, workers = Scan({"": (compiled.graph, compiled.expression)}, deals), current_workers()
    if workers is not None and len(deals) * scan.cost_ns > MIN_NS:
        return np.concatenate([columns[""] for _, columns in scan.run_on_workers(workers, len(deals))])
    starts = range(0, max(len(deals), 1), BATCH_DEALS)
    return np.concatenate([scan.evaluate_batch(first)[""] for first in starts])


def select_deals(deals: Deals, text: str | os.PathLike[str], **options: Any) -> Deals:
    """Return the deals for which an expression is true, with their attached columns; see `evaluate_text`."""
    mask: np.ndarray = to_truth(evaluate_text(deals, text, **options))
    return deals[mask]


@cache
def pattern_names() -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the position in `PATTERNS` of every pattern code, int16 [4096], and the patterns' names."""
    positions = np.full(4096, -1, np.int16)
    names = []
    for position, lengths in enumerate(PATTERNS):
        s, h, d, c = (int(length) for length in lengths)
        positions[s << 8 | h << 4 | d] = position
        names.append(("" if max(s, h, d, c) < 10 else "-").join(map(str, (s, h, d, c))))
    return positions, tuple(names)


def evaluate_frame(
    deals: Deals,
    names: Iterable[str],
    expressions: Mapping[str, str],
    dialect: str = "modern",
    params: Params = (),
    **settings: Any,
) -> pd.DataFrame:
    """Return functions and expressions as columns beside the deals.

    Parameters
    ----------
    deals : Deals
    names : iterable of str
        Functions of one hand (``hcp``: columns hcp_north .. hcp_west) or of a side (``fit``:
        fit_ns, fit_ew); ``shape`` gives the pattern; ``hcp_north``, ``fit_ns_hearts``,
        ``tricks_south_spades`` a single column.
    expressions : mapping of str to str
        Column name to expression.
    dialect, params
        Of the expressions; see `Deals.eval`.
    **settings
        opener and vulnerable, for functions and expressions.

    Returns
    -------
    DataFrame
        Column `deal` first; integers in the smallest type that holds them, hundredths as float32.

    Raises
    ------
    UnknownNameError, ArgumentError, ScriptError, EvaluationError
        An error of an expression; a name of a column that is given twice.
    """
    from dealerkit.cards.array import DealArray

    frame = evaluate_columns(deals, len(deals), names, expressions, dialect, params, **settings)
    frame.insert(0, "deal", DealArray(deals))
    return frame


def evaluate_columns(
    read_batch: Deals | Callable[[slice], Deals],
    n_deals: int,
    names: Iterable[str],
    expressions: Mapping[str, str],
    dialect: str = "modern",
    params: Params = (),
    **settings: Any,
) -> pd.DataFrame:
    """Return the columns of `evaluate_frame` without the deals, which a function may read in batches."""
    import pandas as pd

    graph = compile_script(Script((), MODERN), MODERN, **settings).graph
    slots: dict[str, int] = {}
    for name in names:
        slots |= {column: graph.add_expression(node) for column, node in expand_name(name)}
    graph.group_tricks(slots.values())
    patterns = {column for column, slot in slots.items() if graph.operations[slot].kind == "pattern"}
    sources = {column: (graph, slot) for column, slot in slots.items()}
    rules, variables = find_rules(dialect), ScriptVariables.collect(params)
    for column, text in expressions.items():
        if column == "deal" or column in sources:
            raise ArgumentError(f"two columns have the name {column!r}; give the expression another name")
        compiled = compile_expression(text, rules, variables, **settings)
        sources[column] = (compiled.graph, compiled.expression)
    variables.check_used()
    data: dict[str, Any] = {}
    for column, (source, slot) in sources.items():
        operation = source.operations[slot]
        hundredths = operation.kind == "call" and operation.detail[0].hundredths
        data[column] = np.empty(
            n_deals, np.int16 if column in patterns else operation.range.smallest_dtype(hundredths)
        )
    positions, labels = pattern_names()

    def fill(first: int, found: dict[str, np.ndarray]) -> None:
        for column, values in found.items():
            data[column][first : first + len(values)] = positions[values] if column in patterns else values

    scan, workers = Scan(sources, read_batch), current_workers()
    if workers is not None and n_deals * scan.cost_ns > MIN_NS:
        for first, found in scan.run_on_workers(workers, n_deals):
            fill(first, found)
    else:
        with ThreadPoolExecutor(n_processors()) as pool:
            starts = range(0, n_deals, BATCH_DEALS)
            list(pool.map(lambda first: fill(first, scan.evaluate_batch(first)), starts))
    for column in patterns:
        data[column] = pd.Categorical.from_codes(data[column], categories=list(labels))
    return pd.DataFrame(data, index=pd.RangeIndex(n_deals), copy=False)


def build_frame(
    deals: Deals, names: Sequence[str], expressions: Mapping[str, str], layout: str = "wide", **options: Any
) -> pd.DataFrame:
    """Return the frame of `evaluate_frame` or `evaluate_long_frame`, as `layout` says."""
    evaluate = evaluate_long_frame if is_long(layout) else evaluate_frame
    return evaluate(deals, names, expressions, **options)


def evaluate_long_frame(
    deals: Deals, names: Sequence[str], expressions: Mapping[str, str], **options: Any
) -> pd.DataFrame:
    """Return the measures of `evaluate_frame` with a row for each deal and seat.

    Parameters
    ----------
    deals : Deals
    names : sequence of str
        A function of a hand becomes one column, with the value of the row's seat; a function of a side too,
        with the value of the seat's side. A name that contains the seat or side, such as ``hcp_north``, is a
        measure of the deal and repeated, like an expression, unless the names of all four seats are given:
        these become one column (`group_columns`).
    expressions : mapping of str to str
        Column name to expression.
    **options
        Of `evaluate_frame`.

    Returns
    -------
    DataFrame
        As `stack_seats`.

    Raises
    ------
    UnknownNameError, ArgumentError, ScriptError
        As `evaluate_frame`, and if two columns have the same name.
    """
    groups = {}
    for name in names:
        columns = [column for column, _ in expand_name(name)]
        groups[name] = columns * 2 if len(columns) == 2 else columns
    groups = {name: groups.get(name, columns) for name, columns in group_columns(groups).items()}
    if repeated := groups.keys() & expressions.keys():
        raise ArgumentError(f"two columns have the name {min(repeated)!r}; give the expression another name")
    groups |= {name: [name] for name in expressions}
    check_columns(groups, deals)
    return stack_seats(evaluate_frame(deals, names, expressions, **options), groups)


def expand_name(name: str) -> list[tuple[str, nodes.Call]]:
    """Return names and calls of the columns for ``hcp``, ``hcp_north`` or ``tricks_south_spades``."""
    if not isinstance(name, str):
        raise ArgumentError(f"{name!r:.60} names no column; give a text such as 'hcp' or 'hcp_north'")
    parts = name.split("_")
    heads = ("_".join(parts[:k]) for k in range(len(parts), 0, -1))  # a user's name may hold underscores
    head = next((head for head in heads if registry.find_function(head)), None)
    if head is None:
        raise UnknownNameError(f"unknown function {name!r}{suggest_name(name, registry.spellings())}")
    rest = name.removeprefix(head).split("_")[1:]
    entry = registry.get_function(head)
    # The column of `shape` is the pattern, without a list of shapes.
    kinds = [kind for kind in entry.arguments if kind != "shapes"]
    signature = f"{entry.name}({', '.join(kinds)})"
    owners = _match_owners(kinds[:1], rest[:1])
    suits = _match_suits(kinds[1:], rest[1:])
    if not owners or suits is None:
        raise ArgumentError(
            f"{name!r} names no column; {signature} takes a seat or side, and a suit or strain where it has "
            "one, as in hcp_north or tricks_south_spades; or give an expression, "
            f"x='{signature}'"
        )
    output = entry.outputs[0] if entry.outputs else None  # as of a call without the name of a value
    return [
        ("_".join((head, owner, *rest[1:])), nodes.Call(entry.name, (node, *suits), output))
        for owner, node in owners
    ]


def _match_owners(kinds: list[str], rest: list[str]) -> list[tuple[str, nodes.Argument]]:
    """Return the seat or side that a column's name contains; if it has none, both sides or all seats."""
    allowed = kinds[0].split("|") if kinds else []
    owners: list[list[tuple[str, nodes.Argument]]] = []
    if "side" in allowed:
        owners.append([(side.lower(), nodes.Side(k)) for k, side in enumerate(SIDES)])
    if "seat" in allowed:
        owners.append([(seat, nodes.Seat(k)) for k, seat in enumerate(SEATS)])
    if not rest:
        return owners[0] if owners else []
    return [owner for group in owners for owner in group if owner[0] == rest[0]]


def _match_suits(kinds: list[str], rest: list[str]) -> tuple[nodes.Argument, ...] | None:
    """Return the suit or strain that a column's name ends with; None if the function does not take it."""
    if not rest:
        return () if all(kind.endswith("?") for kind in kinds) else None
    if len(rest) > 1 or not kinds or rest[0] not in STRAINS:
        return None
    strain, kind = STRAINS.index(rest[0]), kinds[0].rstrip("?")
    if kind == "strain" and strain == 4:
        return (nodes.Strain(4),)
    return (nodes.Suit(strain),) if kind in ("suit", "strain") and strain < 4 else None


def functions_table() -> pd.DataFrame:
    """Return the registry as a DataFrame, a row for each function.

    Returns
    -------
    DataFrame
        Index `name`; columns signature, unit, low, high, summary, source, aliases, outputs, computed.
    """
    import pandas as pd

    attributes = ("name", "signature", "unit", "low", "high", "summary", "source")
    rows = [
        {
            **{name: getattr(function, name) for name in attributes},
            "aliases": ", ".join(function.aliases),
            "outputs": ", ".join(function.outputs),
            "computed": function.body is not None or function.kind in ("special", "item"),
        }
        for function in registry.functions()
    ]
    return pd.DataFrame(rows).set_index("name")
