"""What an action is: it is started, sees blocks of produced deals, merges, reports.

Actions never see a deal that the condition refused. Copies made by `fresh` work
on different blocks at the same time and are merged in the order of the blocks.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, TypeGuard

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.graph import OperationGraph
from dealerkit.language import nodes
from dealerkit.language.arguments import EXPRESSIONS
from dealerkit.language.printer import to_text
from dealerkit.registry import get_function


@dataclass(frozen=True)
class ProducedDeals:
    """Produced deals of one block, in order.

    Parameters
    ----------
    deals : Deals
        With all four hands where an action looks at them.
    boards : ndarray of int64 [shape=(n,)]
        Their numbers through the run, from 1 or the script's `startboard`.
    values : callable
        ``values(slot)`` gives the values of an expression, ndarray [n].
    """

    deals: Deals
    boards: np.ndarray
    values: Callable[[int], np.ndarray]

    def __len__(self) -> int:
        return len(self.boards)

    def values_text(self, slot: int) -> list[str]:
        """Values of an expression as text: integers as they are, reals with six significant digits."""
        values = self.values(slot)
        if values.dtype == bool:
            values = values.astype(np.int8)
        if values.dtype.kind == "f":
            return [f"{value:g}" for value in values.tolist()]
        return [str(value) for value in values.tolist()]


class Report:
    """What an action has to say at the end: `frame`, `text`, `plot`. Actions derive their own."""

    label: str | None

    @property
    def title(self) -> str:
        raise NotImplementedError

    @property
    def n(self) -> int:
        """Number of deals it has seen."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.title!r}: {self.n:,} deals>"

    def plot(self, ax=None):  # noqa: ANN001, ANN201 - matplotlib is imported when used
        """Draw the report; returns matplotlib Axes."""
        from dealerkit.plots.reports import plot_report

        return plot_report(self, ax)

    def _repr_html_(self) -> str:
        from dealerkit.actions.html import report_html

        return report_html(self)


def _is_expression(part: nodes.Argument) -> TypeGuard[nodes.Expression]:
    """Has it a value for each deal? trix and parcontract are items of a report only."""
    item = isinstance(part, nodes.Call) and get_function(part.function).kind == "item"
    return isinstance(part, EXPRESSIONS) and not item


class Action:
    """One action of a script.

    Parameters
    ----------
    node : Action node
    graph : OperationGraph
        Compiles the action's expressions; their slots are `slots`.
    """

    name: ClassVar[str]
    prints: ClassVar[bool] = False  # gives a text for each produced deal
    cards: ClassVar[bool] = False  # looks at the cards of all seats

    def __init__(self, node: nodes.Action, graph: OperationGraph) -> None:
        self.node, self.label, self.graph = node, node.label, graph
        self.expressions = tuple(part for part in self.operands() if _is_expression(part))
        self.slots = tuple(graph.add_expression(part) for part in self.expressions)
        self.start()

    @property
    def cost_ns(self) -> float:
        """Nanoseconds a deal that it spends with a solver, beside its expressions."""
        return 0.0

    def operands(self) -> tuple[nodes.Argument, ...]:
        """The arguments to evaluate, where they are expressions."""
        return self.node.arguments

    def start(self) -> None:
        """Forget everything seen."""

    def fresh(self) -> Action:
        """The same action, having seen nothing."""
        other = copy.copy(self)
        other.start()
        return other

    def update(self, produced: ProducedDeals) -> None:
        """See some produced deals."""

    def merge(self, other: Action) -> None:
        """Take in what a fresh copy has seen of later deals."""

    def report(self, level: float) -> Report | None:
        """The report at the end, or None for an action that only prints."""
        return None

    @property
    def columns(self) -> dict[str, int]:
        """Names and slots of the action's expressions, as columns of a frame."""
        if len(self.slots) == 1 and self.label:
            return {self.label: self.slots[0]}
        return {to_text(node): slot for node, slot in zip(self.expressions, self.slots, strict=True)}
