"""Actions: what is done with each produced deal and reported at the end.

`create` makes the actions of a script. Each accumulates, merges and reports; how
a report reads under each set of rules is the business of the text modules.
"""

from __future__ import annotations

from dealerkit.actions.base import Action, Produced, Report
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
from dealerkit.errors import NotYetError
from dealerkit.language import nodes
from dealerkit.language.formulas import Formulas

__all__ = [
    "Action",
    "AverageReport",
    "CrossReport",
    "FrequencyReport",
    "HandsReport",
    "Produced",
    "Report",
    "create",
]

KINDS: dict[str, type[Action]] = {
    kind.name: kind
    for kind in (
        Average, BucketFrequency, CsvReport, Export, Frequency, PrintAll, PrintCompact, PrintEastWest,
        PrintHands, PrintNorthSouth, PrintOneLine, PrintPbn, PrintReport, PrintSide, PrintValues,
    )
}  # fmt: skip


def create(node: nodes.Action, formulas: Formulas) -> Action:
    """The action of a node.

    Raises
    ------
    NotYetError
        An action that parses but is not carried out yet.
    """
    try:
        kind = KINDS[node.name]
    except KeyError:
        raise NotYetError(
            f"the action {node.name} is part of the language but is not carried out yet"
        ) from None
    return kind(node, formulas)
