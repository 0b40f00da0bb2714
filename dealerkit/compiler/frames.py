"""The values of expressions for a Deals: as an array, a selection of the deals, or a DataFrame.

A long frame, with a row for each deal and seat, is made from one with a row for each deal. Many deals are
evaluated in batches, in this process or by the workers of `use_executor`.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from dealerkit import registry
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEATS, SIDES, STRAINS
from dealerkit.compiler.compilation import compile_expression, compile_script
from dealerkit.compiler.evaluation import BatchColumns, evaluate_until_error
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import to_truth
from dealerkit.compiler.text_mistakes import warn_of_text_mistakes
from dealerkit.errors import ArgumentError, UnknownNameError, quote, suggest_name
from dealerkit.language import nodes
from dealerkit.language.dialects import MODERN, find_rules
from dealerkit.language.script import Script
from dealerkit.language.script_variables import Params, ScriptVariables
from dealerkit.language.shapes import PATTERNS
from dealerkit.runtime.executors import TASK_SECONDS, Workers, current_workers
from dealerkit.runtime.threads import limit_threads, open_pool

if TYPE_CHECKING:
    import pandas as pd

LAYOUTS = ("wide", "long")
ATTACHED = ("board", "weight", "cluster")  # the attached columns that statistics about rows need
# The name of a function, "_" or "(", the seat, and the further arguments.
_SEAT = re.compile(rf"(\w+?)([_(])({'|'.join(SEATS)})((?:_\w+)?|(?:, [^()]*)?\))")
BATCH_DEALS = 65_536
READ_NS = 300.0  # nanoseconds to decode a deal of a file
THREADS_NS = 5e7  # an evaluation shorter than this uses no threads
MIN_NS = 1e9  # an evaluation shorter than this uses no workers
T = TypeVar("T")


@dataclass(frozen=True)
class Scan:
    """Expressions that are evaluated on deals.

    Attributes
    ----------
    sources : dict of str to (OperationGraph, int)
        Graph and slot of each column.
    deals : Deals, callable or None
        The deals, or a function that returns the deals of a slice, also in another process. With None, each
        task brings the deals that it needs.
    """

    sources: dict[str, tuple[OperationGraph, int]]
    deals: Deals | Callable[[slice], Deals] | None

    @property
    def cost_ns(self) -> float:
        """Estimated cost in nanoseconds per deal."""
        cost = sum(graph.operations[slot].cost_ns for graph, slot in self.sources.values())
        return cost + (0.0 if isinstance(self.deals, Deals) else READ_NS)

    def evaluate_batch(self, first: int, start: int = 0) -> dict[str, np.ndarray]:
        """Return the columns of the batch that begins at deal `first`; `start` is the number of deal 0."""
        rows = slice(first, first + BATCH_DEALS)
        assert self.deals is not None
        batch = self.deals[rows] if isinstance(self.deals, Deals) else self.deals(rows)

        def evaluate(count: int) -> dict[str, np.ndarray]:
            part, numbers = batch[:count], start + first + np.arange(count)
            graphs = {id(graph): graph for graph, _ in self.sources.values()}
            columns = {key: BatchColumns(graph, part, numbers=numbers) for key, graph in graphs.items()}
            return {name: columns[id(graph)].array(slot) for name, (graph, slot) in self.sources.items()}

        return name_failed_deal(evaluate, len(batch), start + first)

    def evaluate_task(self, first: int, count: int, deals: Deals | None) -> dict[str, np.ndarray]:
        """Return the columns of some batches in another process; `deals` are those of the task, if given."""
        import dealerkit.language.functions  # noqa: F401  (it fills the registry in this process)

        if deals is None:
            parts = [self.evaluate_batch(i) for i in range(first, first + count, BATCH_DEALS)]
        else:
            own = replace(self, deals=deals)
            parts = [own.evaluate_batch(i, first) for i in range(0, count, BATCH_DEALS)]
        return {name: np.concatenate([part[name] for part in parts]) for name in self.sources}

    def run_on_workers(self, workers: Workers, n_deals: int) -> Iterator[tuple[int, dict[str, np.ndarray]]]:
        """Yield the number of the first deal and the columns of each task."""
        deals = self.deals if isinstance(self.deals, Deals) else None
        n_batches = max(1, round(TASK_SECONDS * 1e9 / (self.cost_ns * BATCH_DEALS + 1)))
        size = min(n_batches, -(-n_deals // (2 * workers.n_tasks * BATCH_DEALS))) * BATCH_DEALS
        calls = (
            (first, min(size, n_deals - first), None if deals is None else deals[first : first + size])
            for first in range(0, n_deals, size)
        )
        shared = workers.share(self if deals is None else replace(self, deals=None))
        with closing(workers.map(shared, Scan.evaluate_task, calls)) as tasks:
            for (first, *_), columns in tasks:
                yield first, columns


def name_failed_deal(evaluate: Callable[[int], T], count: int, first: int) -> T:
    """Return ``evaluate(count)``; an error gives the index of the first deal without a value.

    `first` is the index of the first deal of the batch.
    """
    values, error = evaluate_until_error(evaluate, count)
    if error is not None:
        raise type(error)(f"{error.message} (deal {first + error.row:,})", first + error.row)
    return values


def evaluate_text(
    deals: Deals,
    text: str | os.PathLike[str],
    dialect: str = "modern",
    *,
    warns: bool = True,
    **settings: Any,
) -> np.ndarray:
    """Return the values of an expression, ndarray [n]: int, bool, or float64 for reals.

    An EvaluationError gives the index of the first deal without a value. Mistakes in the text are warned of
    if `warns`; who evaluates a text many times does that once. `settings` are those of `compile_expression`:
    params, include, opener and vulnerable.
    """
    compiled = compile_expression(text, find_rules(dialect), **settings)
    if warns:
        warn_of_text_mistakes(compiled.program)
    scan, workers = Scan({"": (compiled.graph, compiled.expression)}, deals), current_workers()
    if workers is not None and len(deals) * scan.cost_ns > MIN_NS:
        return np.concatenate([columns[""] for _, columns in scan.run_on_workers(workers, len(deals))])
    starts = range(0, max(len(deals), 1), BATCH_DEALS)
    return np.concatenate([scan.evaluate_batch(first)[""] for first in starts])


def select_deals(deals: Deals, text: str | os.PathLike[str], **options: Any) -> Deals:
    """Return the deals for which an expression is true, with their attached columns; see `evaluate_text`."""
    mask: np.ndarray = to_truth(evaluate_text(deals, text, **options))
    return deals[mask]


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
        Functions of one hand (``hcp`` makes the columns hcp_north .. hcp_west) or of a side (``fit``
        makes fit_ns and fit_ew); ``shape`` is the pattern. A name with a seat or side, such as
        ``hcp_north``, ``fit_ns_hearts`` or ``tricks_south_spades``, makes one column.
    expressions : mapping of str to str
        Column name to expression.
    dialect, params
        Dialect and variables of the expressions; see `Deals.eval`.
    **settings
        opener and vulnerable, for functions and expressions.

    Returns
    -------
    DataFrame
        Column `deal` first. Integers have the smallest type that holds them, hundredths are float32.

    Raises
    ------
    UnknownNameError
        A name is that of no function.
    ArgumentError
        A function does not take the seat, side or suit of a name, or two columns have the same name.
    ScriptError
        An expression has a mistake.
    EvaluationError
        An expression has no value for a deal.
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

    # All functions share a graph, so that equal parts are evaluated once; each expression has its own graph.
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
        warn_of_text_mistakes(compiled.program)
        sources[column] = (compiled.graph, compiled.expression)
    variables.check_used()
    # Every column has its final type from the start, so it needs memory only once.
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

    # Long evaluations are distributed to workers, if there are any, others to threads of this process.
    scan, workers = Scan(sources, read_batch), current_workers()
    if workers is not None and n_deals * scan.cost_ns > MIN_NS:
        for first, found in scan.run_on_workers(workers, n_deals):
            fill(first, found)
    else:
        starts, threads = range(0, n_deals, BATCH_DEALS), limit_threads()
        is_short = len(starts) == 1 or threads == 1 or n_deals * scan.cost_ns < THREADS_NS
        spread = map if is_short else open_pool(threads).map
        deque(spread(lambda first: fill(first, scan.evaluate_batch(first)), starts), 0)
    for column in patterns:
        data[column] = pd.Categorical.from_codes(data[column], categories=list(labels))
    return pd.DataFrame(data, index=pd.RangeIndex(n_deals), copy=False)


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


def expand_name(name: str) -> list[tuple[str, nodes.Call]]:
    """Return names and calls of the columns for ``hcp``, ``hcp_north`` or ``tricks_south_spades``.

    Raises
    ------
    UnknownNameError
        The name does not begin with a function.
    ArgumentError
        The name is not a text, or the function does not take its seat, side or suit.
    """
    if not isinstance(name, str):
        several = isinstance(name, list | tuple)
        remedy = "names one by one: 'hcp', 'spades'" if several else "a text such as 'hcp' or 'hcp_north'"
        raise ArgumentError(f"{quote(name)} is not the name of a column; give {remedy}")
    parts = name.split("_")
    heads = ("_".join(parts[:k]) for k in range(len(parts), 0, -1))  # a user's name may have underscores
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
            f"{name!r} is not the name of a column of {signature}; write a seat or side and, if the function "
            "has one, a suit or strain, as in hcp_north or tricks_south_spades, or give an expression, "
            f"x='{signature}'"
        )
    output = entry.outputs[0] if entry.outputs else None  # the same as in a call that names no output
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


def is_long(layout: object) -> bool:
    """Return whether `layout` is long; raise ArgumentError if it is neither wide nor long."""
    if not isinstance(layout, str) or layout not in LAYOUTS:
        raise ArgumentError(
            f"layout is {quote(layout)}; it must be 'wide' (a row for each deal) or 'long' (for each deal "
            "and seat)"
        )
    return layout == "long"


def build_frame(
    deals: Deals, names: Sequence[str], expressions: Mapping[str, str], layout: str = "wide", **options: Any
) -> pd.DataFrame:
    """Return the frame of `evaluate_frame` or of `evaluate_long_frame`, depending on `layout`."""
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
        A function of a hand becomes one column, with the value of the row's seat. So does a function of a
        side, with the value of the seat's side. A name with a seat or side, such as ``hcp_north``, is a
        measure of the deal, which is repeated in its four rows like an expression. But if the names of all
        four seats are given, they become one column (`group_columns`).
    expressions : mapping of str to str
        Column name to expression.
    **options
        Further arguments of `evaluate_frame`.

    Returns
    -------
    DataFrame
        As returned by `stack_seats`.

    Raises
    ------
    UnknownNameError, ArgumentError, ScriptError, EvaluationError
        For the same reasons as `evaluate_frame`.
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


def check_columns(names: Iterable[str], deals: Deals) -> None:
    """Raise ArgumentError if the long layout of the deals already has a column with one of these names."""
    taken = {"number", "seat", "deal", *(name for name in ATTACHED if name in deals.attached)}
    if repeated := sorted(taken & set(names)):
        raise ArgumentError(
            f"the long layout already has a column {repeated[0]!r}; give this one another name"
        )


def group_columns(columns: Iterable[str]) -> dict[str, list[str]]:
    """Return the columns of a wide frame that make each column of the long layout, by its name.

    Four columns whose names differ only by the seat, such as ``hcp(north)`` or ``hcp_north``, become one. Its
    name is that of the function, with its further arguments, such as ``dds(spades)``.

    >>> group_columns(["hcp(north)", "x", "hcp(east)", "hcp(south)", "hcp(west)"])
    {'hcp': ['hcp(north)', 'hcp(east)', 'hcp(south)', 'hcp(west)'], 'x': ['x']}
    """
    columns = list(columns)
    groups: dict[str, list[str]] = {}
    for column in columns:
        name, four = _vary_seat(column)
        is_free = name not in columns and groups.get(name, four) == four
        if is_free and all(other in columns for other in four):
            groups[name] = four
        else:
            groups[column] = [column]
    return groups


def _vary_seat(column: str) -> tuple[str, list[str]]:
    """Return the name of a column without its seat, and its names with each seat."""
    match = _SEAT.fullmatch(column)
    if match is None:
        return column, [column]
    head, mark, rest = match[1], match[2], match[4]
    if mark == "_":  # hcp_north, dds_north_spades
        name = head + rest
    elif rest == ")":  # hcp(north)
        name = head
    else:  # dds(north, spades)
        name = head + rest.replace(", ", "(", 1)
    return name, [f"{head}{mark}{seat}{rest}" for seat in SEATS]


def stack_seats(wide: pd.DataFrame, groups: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    """Return a frame with a row for each deal and seat.

    Parameters
    ----------
    wide : DataFrame
        A row for each deal, with a column `deal`.
    groups : mapping of str to sequence of str
        Name of a column of the result to its columns in `wide`: four, by seat, or one, which is repeated.

    Returns
    -------
    DataFrame
        4n rows, the seats of a deal in the order N E S W. The columns are `number`, of the deal from 0;
        `seat`, a category; `deal`; `board`, `weight` and `cluster` if the deals have them; and one for each
        group.

    Raises
    ------
    ArgumentError
        A group has the name of one of the other columns.
    """
    import pandas as pd

    from dealerkit.cards.array import DealArray

    deals, n = wide["deal"].array.deals, len(wide)
    check_columns(groups, deals)
    # Columns of deals are repeated for the seats.
    number = np.repeat(np.arange(n), 4)
    data: dict[str, Any] = {
        "number": number,
        "seat": pd.Categorical.from_codes(np.tile(np.arange(4, dtype=np.int8), n), list(SEATS)),
        "deal": DealArray(deals[number], copy=False),
    }
    data |= {name: values[number] for name in ATTACHED if (values := getattr(deals, name)) is not None}
    # The four columns of a group are put one below another, then sorted by deal.
    order = np.arange(4 * n).reshape(4, n).T.ravel()  # from seat by seat to deal by deal
    for name, columns in groups.items():
        if len(columns) == 1:
            data[name] = wide[columns[0]].array[number]
        else:
            data[name] = pd.concat([wide[column] for column in columns], ignore_index=True).array[order]
    return pd.DataFrame(data, copy=False)
