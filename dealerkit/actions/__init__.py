"""Actions: they accumulate or print the produced deals, and make a report at the end of a run.

An action is one module: what it counts, its report with frame, card and plot. `create_action` returns an
action of a script, `create_writer` the writer of a dialect's text.
"""

from __future__ import annotations

from dealerkit.actions.average import AverageReport
from dealerkit.actions.base import Action, PlainReport, ProducedDeals, Report, join_cards
from dealerkit.actions.contracts import ContractDifferenceReport, ContractReport, create_contract_differences
from dealerkit.actions.frequency import FrequencyReport
from dealerkit.actions.hand_types import TypeReport, create_type_counters
from dealerkit.actions.printing import HandsReport
from dealerkit.actions.text_modern import ModernWriter
from dealerkit.actions.text_v1 import V1Writer
from dealerkit.actions.text_v2 import V2Writer
from dealerkit.actions.two_way import CrossReport
from dealerkit.actions.writer import RunTotals, TextSettings, Writer
from dealerkit.compiler.graph import OperationGraph
from dealerkit.language import nodes
from dealerkit.language.dialects import Rules

__all__ = [
    "Action", "AverageReport", "ContractDifferenceReport", "ContractReport", "CrossReport",
    "FrequencyReport", "HandsReport", "PlainReport", "ProducedDeals", "Report", "RunTotals", "TextSettings",
    "TypeReport", "Writer", "create_action", "create_contract_differences", "create_type_counters",
    "create_writer", "join_cards",
]  # fmt: skip

_WRITERS: dict[str, type[Writer]] = {"v1": V1Writer, "v2": V2Writer, "modern": ModernWriter}


def create_writer(rules: Rules, settings: TextSettings) -> Writer:
    """Return the writer of texts under some rules; of the modern text under rules of the caller's own."""
    return _WRITERS.get(rules.name, ModernWriter)(settings)


def create_action(node: nodes.Action, graph: OperationGraph) -> Action:
    """Return the action of a node.

    Raises
    ------
    NotYetError, ScriptError
        A function without an implementation; an expression that cannot be computed, with its place.
    """
    return Action.classes[node.name](node, graph)
