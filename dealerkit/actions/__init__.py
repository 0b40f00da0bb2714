"""Actions: what is done with each produced deal and reported at the end.

`create_action` makes the actions of a script. Each accumulates, merges and
reports. Texts, HTML and plots of a report are separate functions, registered by
the class of the report in `text_v1`, `text_v2`, `text_modern`, `html` and `plots.reports`.
"""

from __future__ import annotations

from dealerkit.actions import html  # noqa: F401  (import registers the HTML of the reports)
from dealerkit.actions.base import Action, ProducedDeals, Report
from dealerkit.actions.contracts import ContractReport, EvalContract
from dealerkit.actions.printing import (
    CsvReport,
    Export,
    HandsReport,
    PrintAll,
    PrintCompact,
    PrintEastWest,
    PrintHands,
    PrintNorthSouth,
    PrintOneLine,
    PrintPbn,
    PrintReport,
    PrintSide,
    PrintValues,
)
from dealerkit.actions.tables import (
    Average,
    AverageReport,
    BucketFrequency,
    CrossReport,
    Frequency,
    FrequencyReport,
)
from dealerkit.compiler.graph import OperationGraph
from dealerkit.language import nodes

__all__ = [
    "Action",
    "AverageReport",
    "ContractReport",
    "CrossReport",
    "FrequencyReport",
    "HandsReport",
    "ProducedDeals",
    "Report",
    "create_action",
]

_CLASSES: tuple[type[Action], ...] = (
    Average, BucketFrequency, CsvReport, EvalContract, Export, Frequency, PrintAll, PrintCompact,
    PrintEastWest, PrintHands, PrintNorthSouth, PrintOneLine, PrintPbn, PrintReport, PrintSide, PrintValues,
)  # fmt: skip
ACTION_CLASSES: dict[str, type[Action]] = {action_class.name: action_class for action_class in _CLASSES}


def create_action(node: nodes.Action, graph: OperationGraph) -> Action:
    """Return the action of a node.

    Raises
    ------
    NotYetError, ScriptError
        A function without an implementation; an expression that cannot be computed, with its place.
    """
    return ACTION_CLASSES[node.name](node, graph)
