"""Actions: what is done with each produced deal and reported at the end.

`create_action` makes the actions of a script. Each accumulates, merges and
reports. Texts, HTML and plots of a report are separate functions, registered by
the class of the report in `text_v1`, `text_v2`, `text_modern`, `html` and `plots.reports`.
"""

from __future__ import annotations

from dealerkit.actions import html  # noqa: F401  (import registers the actions and the HTML of the reports)
from dealerkit.actions.base import Action, ProducedDeals, Report
from dealerkit.actions.contracts import ContractReport
from dealerkit.actions.printing import HandsReport
from dealerkit.actions.tables import AverageReport, CrossReport, FrequencyReport
from dealerkit.compiler.graph import OperationGraph
from dealerkit.language import nodes

__all__ = [
    "Action", "AverageReport", "ContractReport", "CrossReport", "FrequencyReport", "HandsReport",
    "ProducedDeals", "Report", "create_action",
]  # fmt: skip


def create_action(node: nodes.Action, graph: OperationGraph) -> Action:
    """Return the action of a node.

    Raises
    ------
    NotYetError, ScriptError
        A function without an implementation; an expression that cannot be computed, with its place.
    """
    return Action.classes[node.name](node, graph)
