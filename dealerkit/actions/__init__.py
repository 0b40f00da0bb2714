"""Actions: what is done with each produced deal and reported at the end.

`create_action` makes the actions of a script. Each accumulates, merges and reports; how
a report reads under each set of rules is the business of the text modules.
"""

from __future__ import annotations

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

ACTION_CLASSES: dict[str, type[Action]] = {
    kind.name: kind
    for kind in (
        Average, BucketFrequency, CsvReport, EvalContract, Export, Frequency, PrintAll, PrintCompact,
        PrintEastWest, PrintHands, PrintNorthSouth, PrintOneLine, PrintPbn, PrintReport, PrintSide,
        PrintValues,
    )
}  # fmt: skip


def create_action(node: nodes.Action, graph: OperationGraph) -> Action:
    """The action of a node.

    Raises
    ------
    NotYetError, ScriptError
        An expression that nothing computes yet; one that cannot be computed, with its place.
    """
    return ACTION_CLASSES[node.name](node, graph)
