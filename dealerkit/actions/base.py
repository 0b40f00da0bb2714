"""The base classes of actions and of their reports.

An action accumulates batches of produced deals and makes a report at the end. Copies made by
`copy_empty` accumulate different batches at the same time and are merged in the order of the batches.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeGuard

import numpy as np

from dealerkit.appearance.numbers import format_count, format_number
from dealerkit.appearance.wording import shorten
from dealerkit.cards.deals import Deals
from dealerkit.compiler.graph import OperationGraph
from dealerkit.errors import EvaluationError
from dealerkit.language import nodes
from dealerkit.language.arguments import EXPRESSIONS
from dealerkit.language.printer import to_text
from dealerkit.registry import get_function
from dealerkit.statistics import Counts, Coverage, Moments

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class ProducedDeals:
    """Produced deals of one batch, in order.

    Parameters
    ----------
    deals : Deals
        With all four hands where an action needs the cards.
    boards : ndarray of int64 [shape=(n,)]
        Their numbers through the run, from 1 or the script's `startboard`.
    values : callable
        ``values(slot)`` returns the values of an expression, ndarray [n].
    rows : ndarray of int64 [n] or None
        Their places in the batch, from which errors count; None: all deals of the batch were produced.
    """

    deals: Deals
    boards: np.ndarray
    values: Callable[[int], np.ndarray]
    rows: np.ndarray | None = None

    def find_batch_row(self, row: int) -> int:
        """Return the place in the batch of a produced deal."""
        return row if self.rows is None else int(self.rows[row])

    def find_row(self, batch_row: int) -> int:
        """Return the index among the produced deals of a place in the batch."""
        return batch_row if self.rows is None else int(np.searchsorted(self.rows, batch_row))

    def __len__(self) -> int:
        return len(self.boards)

    def check_numbers(self, slot: int, expression: nodes.Expression, finite: bool = True) -> np.ndarray:
        """Return the values of an expression, if reals are numbers and, with `finite`, none is infinite.

        Raises
        ------
        EvaluationError
        """
        values = self.values(slot)
        if values.dtype.kind != "f" or not len(values):
            return values
        wrong = ~np.isfinite(values) if finite else np.isnan(values)
        if wrong.any():
            row = int(wrong.argmax())
            (deal,) = self.deals[row : row + 1].to_pbn()
            kind = "not a number" if np.isnan(values[row]) else "beyond the largest real, 1.8e308"
            message = f"'{shorten(to_text(expression))}' is {kind}, as in the deal {deal}"
            raise EvaluationError(message, self.find_batch_row(row))
        return values

    def format_values(self, slot: int) -> list[str]:
        """Return the values of an expression as text, reals with six significant digits."""
        values = self.values(slot)
        if values.dtype == bool:
            values = values.astype(np.int8)
        if values.dtype.kind == "f":
            return [f"{value:g}" for value in values.tolist()]
        return [str(value) for value in values.tolist()]


class Report:
    """The result of an action as a frame, a plot and HTML; the writer of each dialect makes its text."""

    label: str | None
    expression: str
    n: int  # number of produced deals

    if TYPE_CHECKING:

        @property
        def frame(self) -> pd.DataFrame:
            """The report as a table."""

        # Each kind of report has attributes of its own, such as the mean of an average; the label of a
        # report does not tell its kind to a type checker.
        def __getattr__(self, name: str) -> Any: ...

    @property
    def title(self) -> str:
        """The label of the action, or the expression."""
        return self.label or self.expression

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {shorten(self.title, 100)!r}: {format_count(self.n, 'deal')}>"

    def plot(self, ax: Any = None) -> Any:
        """Plot the report; returns matplotlib Axes."""
        from dealerkit.plots.reports import plot_report

        return plot_report(self, ax)

    def _repr_html_(self) -> str:
        from dealerkit.actions.html import render_report  # only notebooks and pages need it
        from dealerkit.appearance.html import render_fragment

        return render_fragment(f'<div class="dk-report">{render_report(self)}</div>', repr(self))


class PlainReport(Report):
    """A table of numbers: the report of an action that has no text, HTML or plot of its own.

    Parameters
    ----------
    action : Action
        With an expression; the report has its label.
    n : int
        Number of produced deals.
    columns : dict of str to sequence
        The columns by their names, all of one length.
    """

    def __init__(self, action: Action, n: int, columns: dict[str, Sequence[Any]]) -> None:
        self.label, self.expression = action.label, to_text(action.expressions[0])
        self.n, self.columns, self.action = n, columns, action.name

    @property
    def heading(self) -> str:
        """The name of the action and the title, as ``Extremes of hcp(north)``."""
        return f"{self.action.capitalize()} of {self.title}"

    @property
    def rows(self) -> list[list[str]]:
        """The table as text, after a row with the names of the columns."""
        cells = [[format_number(value, ascii=True) for value in column] for column in self.columns.values()]
        return [list(self.columns), *map(list, zip(*cells, strict=True))]

    @property
    def frame(self) -> pd.DataFrame:
        """The table."""
        import pandas as pd

        return pd.DataFrame(self.columns)


def _is_expression(part: nodes.Argument) -> TypeGuard[nodes.Expression]:
    """Return whether an argument is an expression; trix and parcontract have no value."""
    is_item = isinstance(part, nodes.Call) and get_function(part.function).kind == "item"
    return isinstance(part, EXPRESSIONS) and not is_item


def _list_accumulators(value: Any) -> Iterator[Moments | Counts]:
    """Yield the accumulators in a value, which may be lists or dicts of them."""
    if isinstance(value, Moments | Counts):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _list_accumulators(part)


class Action:
    """One action of a script.

    Parameters
    ----------
    node : Action node
    graph : OperationGraph
        Compiles the action's expressions; their slots are `slots`.
    """

    classes: ClassVar[dict[str, type[Action]]] = {}  # the class of each action by its name
    name: ClassVar[str]
    prints: ClassVar[bool] = False  # whether it has a text for each produced deal
    prints_boards: ClassVar[bool] = False  # whether its text is that of a file of deals
    needs_cards: ClassVar[bool] = False  # whether it needs the cards of all seats
    accumulated: ClassVar[tuple[str, ...]] = ()  # names of the attributes that accumulate

    def __init_subclass__(cls) -> None:
        Action.classes[cls.name] = cls

    def __init__(self, node: nodes.Action, graph: OperationGraph) -> None:
        self.node, self.label, self.graph = node, node.label, graph
        self.expressions = tuple(part for part in self.operands() if _is_expression(part))
        self.slots = tuple(graph.add_expression(part) for part in self.expressions)
        self.reset()

    @property
    def cost_ns(self) -> float:
        """Nanoseconds a deal that a solver needs for the action in addition to its expressions."""
        return 0.0

    @property
    def n_cells(self) -> int:
        """Number of cells of the action's table."""
        return 0

    def operands(self) -> tuple[nodes.Argument, ...]:
        """Return the arguments whose expressions are evaluated on the produced deals."""
        return self.node.arguments

    def reset(self) -> None:
        """Remove all that the action has accumulated."""

    def copy_empty(self) -> Action:
        """Return the same action without anything accumulated."""
        other = copy.copy(self)
        other.reset()
        return other

    def copy(self) -> Action:
        """Return a copy with all that the action has accumulated."""
        other = self.copy_empty()
        other.merge(self)
        return other

    def complete_clusters(self) -> None:
        """Complete all clusters: those of deals merged later are others, even with the same numbers."""
        for name in self.accumulated:
            for accumulator in _list_accumulators(getattr(self, name)):
                accumulator.complete_clusters()

    def update(self, produced: ProducedDeals) -> None:
        """Accumulate some produced deals."""

    def merge(self, other: Action) -> None:
        """Add what a copy of the action has accumulated from later deals: by default, its accumulators."""
        for name in self.accumulated:
            getattr(self, name).merge(getattr(other, name))

    def report(self, confidence: float, coverage: Coverage = "sample") -> Report | None:
        """Return the report at the end, or None for an action that only prints.

        Estimates are exact, or have no interval, where the produced deals are no random sample (`coverage`).
        """
        return None

    @property
    def columns(self) -> list[tuple[str, int]]:
        """Names and slots of the action's expressions, as columns of a frame."""
        if len(self.slots) == 1 and self.label:
            return [(self.label, self.slots[0])]
        return [(to_text(node), slot) for node, slot in zip(self.expressions, self.slots, strict=True)]
