"""Actions: they accumulate or print the produced deals, and make a report at the end of a run.

An action is one module: what it counts, its report with frame, card and plot. `create_action` returns an
action of a script, `create_writer` the writer of a dialect's text.
"""

from __future__ import annotations

from collections.abc import Sequence

from dealerkit.actions.average import AverageReport
from dealerkit.actions.base import Action, PlainReport, ProducedDeals, Report, join_cards
from dealerkit.actions.frequency import FrequencyReport
from dealerkit.actions.hand_types import TypeReport, create_type_counters
from dealerkit.actions.printing import HandsReport
from dealerkit.actions.text_modern import ModernWriter
from dealerkit.actions.two_way import CrossReport
from dealerkit.actions.writer import RunTotals, TextSettings, Writer
from dealerkit.compiler.graph import OperationGraph
from dealerkit.language import nodes
from dealerkit.language.dialects import Rules

__all__ = [
    "Action", "AverageReport", "CrossReport", "FrequencyReport", "HandsReport", "PlainReport",
    "ProducedDeals", "Report", "RunTotals", "TextSettings", "TypeReport", "Writer", "create_action",
    "create_contract_differences", "create_type_counters", "create_writer", "join_cards",
]  # fmt: skip

CONTRACT_ACTION = "evalcontract"  # its module, and with it all scoring, is imported for scripts that have it


def create_writer(rules: Rules, settings: TextSettings) -> Writer:
    """Return the writer of texts under some rules; of the modern text under rules of the caller's own."""
    if rules.name == "v1":
        from dealerkit.actions.text_v1 import V1Writer  # imported where a script has its dialect

        return V1Writer(settings)
    if rules.name == "v2":
        from dealerkit.actions.text_v2 import V2Writer

        return V2Writer(settings)
    return ModernWriter(settings)


def create_action(node: nodes.Action, graph: OperationGraph) -> Action:
    """Return the action of a node.

    Raises
    ------
    NotYetError, ScriptError
        A function without an implementation; an expression that cannot be computed, with its place.
    """
    if node.name == CONTRACT_ACTION:
        import dealerkit.actions.contracts  # noqa: F401  (it adds the class)
    return Action.classes[node.name](node, graph)


def create_contract_differences(actions: Sequence[Action], graph: OperationGraph) -> tuple[Action, ...]:
    """Return the differences of the first contract of each side from its other ones; none in v1 and v2."""
    if not graph.rules.modern_syntax or all(action.name != CONTRACT_ACTION for action in actions):
        return ()
    from dealerkit.actions.contracts import compare_contracts

    return compare_contracts(actions, graph)
