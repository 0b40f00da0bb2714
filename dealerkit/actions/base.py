"""The base classes of actions and of their reports.

An action accumulates batches of produced deals and makes a report at the end. Copies that `copy_empty` makes
can accumulate different batches at the same time; they are then merged in the order of the batches.
"""

from __future__ import annotations

import copy
import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeGuard

import numpy as np

from dealerkit.appearance.card import Card, Shown
from dealerkit.appearance.content import Chart, Code, Note
from dealerkit.appearance.numbers import format_count, format_level
from dealerkit.appearance.table import Column, Table
from dealerkit.appearance.wording import shorten
from dealerkit.cards.deals import Deals
from dealerkit.compiler.graph import OperationGraph
from dealerkit.errors import ArgumentError, EvaluationError
from dealerkit.language import nodes
from dealerkit.language.arguments import EXPRESSIONS
from dealerkit.language.printer import to_text
from dealerkit.language.signatures import ActionSignature, register_action
from dealerkit.registry import get_function
from dealerkit.statistics import Counts, Coverage, Estimate, Moments, Quantiles

if TYPE_CHECKING:
    import pandas as pd


AVERAGES = "averages"  # the group of reports that comes first in a result


@dataclass(frozen=True, eq=False)
class ProducedDeals:
    """The produced deals of one batch, in order.

    Parameters
    ----------
    deals : Deals
        The n deals; with all four hands if an action needs the cards.
    boards : ndarray of int64 [shape=(n,)]
        Their numbers in the run, from 1 or the script's `startboard` on.
    values : callable
        ``values(slot)`` returns the values of an expression, an ndarray [n].
    rows : ndarray of int64 [shape=(n,)] or None
        Their indices in the batch, which errors refer to; None if all deals of the batch were produced.
    """

    deals: Deals
    boards: np.ndarray
    values: Callable[[int], np.ndarray]
    rows: np.ndarray | None = None

    def split(self, n: int) -> Iterator[ProducedDeals]:
        """Yield these deals in parts of `n`."""
        for first in range(0, len(self), n):
            part = slice(first, first + n)
            rows = np.arange(len(self))[part] if self.rows is None else self.rows[part]
            yield ProducedDeals(self.deals[part], self.boards[part], partial(self._slice_values, part), rows)

    def _slice_values(self, part: slice, slot: int) -> np.ndarray:
        return self.values(slot)[part]

    def find_batch_row(self, row: int) -> int:
        """Return the index in the batch of a produced deal."""
        return row if self.rows is None else int(self.rows[row])

    def find_row(self, batch_row: int) -> int:
        """Return the index among the produced deals of an index in the batch."""
        return batch_row if self.rows is None else int(np.searchsorted(self.rows, batch_row))

    def __len__(self) -> int:
        return len(self.boards)

    def check_numbers(self, slot: int, expression: nodes.Expression, finite: bool = True) -> np.ndarray:
        """Return the values of an expression after checking that they are numbers.

        Raises
        ------
        EvaluationError
            A value is not a number or, with `finite`, is infinite; the message shows the deal.
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
        """Return the values of an expression as texts, real numbers with six significant digits."""
        values = self.values(slot)
        if values.dtype == bool:
            values = values.astype(np.int8)
        if values.dtype.kind == "f":
            return [f"{value:g}" for value in values.tolist()]
        return [str(value) for value in values.tolist()]


class Report(Shown):
    """The result of an action, with a frame, and a card for its text, HTML, LaTeX and plot."""

    label: str | None
    expression: str
    n: int  # number of produced deals
    samples: frozenset[str] = frozenset()  # that the deals are from

    if TYPE_CHECKING:
        # Each kind of report has attributes of its own, such as the mean of an average. A type checker cannot
        # know the kind of a report that is looked up by its label.
        def __getattr__(self, name: str) -> Any: ...

    def set_samples(self, samples: frozenset[str]) -> None:
        """Set the samples of the report and of its estimates."""
        self.samples = samples
        for name, value in vars(self).items():
            if isinstance(value, Estimate):
                setattr(self, name, replace(value, samples=samples))

    @property
    @abstractmethod
    def frame(self) -> pd.DataFrame:
        """The report as a table."""

    def to_frame(self) -> pd.DataFrame:
        """Return `frame`."""
        return self.frame

    @property
    def title(self) -> str:
        """The label of the action, or the expression."""
        return self.label or Code(self.expression)

    @property
    def group(self) -> str:
        """The name of the group of reports that share one card; empty for a report with its own card."""
        return ""

    @property
    def charts(self) -> Sequence[Chart]:
        """The plots of the report; `plot` draws the first."""
        return ()

    @classmethod
    def join_cards(cls, reports: Sequence[Report]) -> Card:
        """Return the card of the reports of one group."""
        (report,) = reports
        return report.card()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {shorten(self.title, 100)!r}: {format_count(self.n, 'deal')}>"

    def _list_charts(self) -> Sequence[Chart]:
        if self.charts and not self.n:
            raise ArgumentError("there is nothing to plot, because no deal was produced")
        return self.charts


def group_reports(reports: Sequence[Report]) -> list[list[Report]]:
    """Return reports in groups that share a card, the averages first and the others in their order."""
    groups: dict[Any, list[Report]] = {}
    for number, report in enumerate(reports):
        groups.setdefault(report.group or number, []).append(report)
    return sorted(groups.values(), key=lambda group: group[0].group != AVERAGES)


def join_cards(reports: Sequence[Report]) -> list[Card]:
    """Return the cards of reports, one card for each group."""
    return [type(group[0]).join_cards(group) for group in group_reports(reports)]


class PlainReport(Report):
    """A table of numbers: the report of an action that needs no class of its own.

    Parameters
    ----------
    action : Action
        The action, which has an expression; the report takes its label.
    n : int
        Number of produced deals.
    columns : dict of str or Column to sequence
        The cells of each column: numbers, estimates or texts.
    draw : callable, optional
        ``draw(ax)`` plots the report into matplotlib Axes, or into a new figure for None, and returns the
        Axes.
    """

    def __init__(
        self,
        action: Action,
        n: int,
        columns: Mapping[Any, Sequence[Any]],
        draw: Callable[[Any], Any] | None = None,
    ) -> None:
        self.label, self.expression = action.label, to_text(action.expressions[0])
        self.n, self.action, self._draw = n, action.name, draw
        columns = {key if isinstance(key, Column) else Column(key): cells for key, cells in columns.items()}
        self.table = Table(list(columns), list(zip(*columns.values(), strict=True)))

    @property
    def heading(self) -> Note:
        """The name of the action with the title, such as ``Extremes of hcp(north)``."""
        return f"{self.action.capitalize()} of ", self.title

    @property
    def frame(self) -> pd.DataFrame:
        """The table as a frame; a column of estimates is followed by the ends of their intervals."""
        return self.table.to_frame()

    @property
    def charts(self) -> list[Chart]:
        """The plot, if the report has one."""
        return [] if self._draw is None else [Chart(self.action, self._draw)]

    def card(self) -> Card:
        if not self.n:
            return Card.empty(self.heading)
        deals = [format_count(self.n, "deal")]
        return Card(self.heading, population=deals, tables=[self.table], charts=self.charts, is_part=True)


def describe_interval(estimate: Estimate) -> str:
    """Return what kind of interval an estimate has: ``95 % interval``, ``exact`` or ``no interval``."""
    if estimate.exact:
        return "exact"
    remark = ", all values equal" if estimate.constant else ""
    if not math.isfinite(estimate.hi - estimate.lo):
        return f"no interval{remark}"
    return f"{format_level(estimate.confidence)} interval{remark}"


def _is_expression(part: nodes.Argument) -> TypeGuard[nodes.Expression]:
    """Return whether an argument is an expression; trix and parcontract have no value."""
    is_item = isinstance(part, nodes.Call) and get_function(part.function).kind == "item"
    return isinstance(part, EXPRESSIONS) and not is_item


def _list_accumulators(value: Any) -> Iterator[Any]:
    """Yield the accumulators in a value, which may be a list or dict of them."""
    if isinstance(value, Moments | Counts | Quantiles):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _list_accumulators(part)


class Action:
    """An action of a script.

    Parameters
    ----------
    node : Action node
        The action in the script.
    graph : OperationGraph
        The graph that the action's expressions are added to; `slots` has their slots.
    """

    classes: ClassVar[dict[str, type[Action]]] = {}  # the class of each action by its name
    name: ClassVar[str]
    signature: ClassVar[ActionSignature]  # the syntax of an action that `language.signatures` does not list
    prints: ClassVar[bool] = False  # whether it prints a text for each produced deal
    prints_boards: ClassVar[bool] = False  # whether its text is that of a file of deals
    needs_cards: ClassVar[bool] = False  # whether it needs the cards of all seats
    least_text: ClassVar[int] = 0  # smallest number of characters in its report for each produced deal
    accumulated: ClassVar[tuple[str, ...]] = ()  # names of the attributes that accumulate

    def __init_subclass__(cls) -> None:
        Action.classes[cls.name] = cls
        if "signature" in vars(cls):
            register_action(cls.signature)

    def __init__(self, node: nodes.Action, graph: OperationGraph) -> None:
        self.node, self.label, self.graph = node, node.label, graph
        self.expressions = tuple(part for part in self.operands() if _is_expression(part))
        self.slots = tuple(graph.add_expression(part) for part in self.expressions)
        self.reset()

    @property
    def cost_ns(self) -> float:
        """Nanoseconds per deal that a solver needs for the action, without its expressions."""
        return 0.0

    @property
    def n_cells(self) -> int:
        """Number of cells of the action's table."""
        return 0

    def operands(self) -> tuple[nodes.Argument, ...]:
        """Return the arguments whose expressions are evaluated on the produced deals."""
        return self.node.arguments

    def reset(self) -> None:
        """Remove everything that the action has accumulated."""

    def copy_empty(self) -> Action:
        """Return a copy that has accumulated nothing."""
        other = copy.copy(self)
        other.reset()
        return other

    def copy(self) -> Action:
        """Return a copy with everything that the action has accumulated."""
        other = self.copy_empty()
        other.merge(self)
        return other

    def check_restored(self) -> None:
        """Raise ValueError if what was restored from a file cannot come from deals; by default, never."""

    def complete_clusters(self) -> None:
        """Complete all clusters, so that deals merged later form new ones even with the same numbers."""
        for name in self.accumulated:
            for accumulator in _list_accumulators(getattr(self, name)):
                accumulator.complete_clusters()

    def update(self, produced: ProducedDeals) -> None:
        """Accumulate some produced deals."""

    def merge(self, other: Action) -> None:
        """Add what a copy of the action has accumulated from later deals."""
        for name in self.accumulated:
            own, more = _list_accumulators(getattr(self, name)), _list_accumulators(getattr(other, name))
            for accumulator, later in zip(own, more, strict=True):
                accumulator.merge(later)

    def report(self, confidence: float, coverage: Coverage = "sample") -> Report | None:
        """Return the report at the end of the run; None for an action that only prints.

        `coverage` says whether the produced deals are a random sample, all possible deals, or a part of them
        that is not random; estimates are then exact, or have no interval.
        """
        return None

    @property
    def columns(self) -> list[tuple[str, int]]:
        """The names and slots of the action's expressions, which are columns of a frame of the deals."""
        if len(self.slots) == 1 and self.label:
            return [(self.label, self.slots[0])]
        return [(to_text(node), slot) for node, slot in zip(self.expressions, self.slots, strict=True)]
