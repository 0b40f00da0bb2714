"""Actions: they accumulate or print the produced deals, and make a report at the end of a run.

`create_action` returns an action of a script. Functions that return a report's text, HTML and plot are
registered by the class of the report in `text_v1`, `html` and `plots.reports`.
"""

from __future__ import annotations

from dealerkit.actions import items  # noqa: F401  (import registers its actions)
from dealerkit.actions.base import Action, PlainReport, ProducedDeals, Report
from dealerkit.actions.contract_differences import ContractDifferenceReport, create_contract_differences
from dealerkit.actions.contracts import ContractReport
from dealerkit.actions.levels import TypeReport, create_type_counters
from dealerkit.actions.printing import HandsReport
from dealerkit.actions.tables import AverageReport, CrossReport, FrequencyReport
from dealerkit.compiler.graph import OperationGraph
from dealerkit.language import nodes

__all__ = [
    "Action", "AverageReport", "ContractDifferenceReport", "ContractReport", "CrossReport",
    "FrequencyReport", "HandsReport",
    "ProducedDeals", "Report", "PlainReport", "TypeReport", "create_action",
    "create_contract_differences", "create_type_counters",
]  # fmt: skip


def create_action(node: nodes.Action, graph: OperationGraph) -> Action:
    """Return the action of a node.

    Raises
    ------
    NotYetError, ScriptError
        A function without an implementation; an expression that cannot be computed, with its place.
    """
    return Action.classes[node.name](node, graph)
