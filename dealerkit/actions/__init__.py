"""Actions, which print or accumulate the produced deals and make a report at the end of a run.

A module has what an action accumulates and its report, with frame, card and plot. `create_action` returns the
action for a node of a script, and `create_writer` the writer of a dialect's text.
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

CONTRACT_ACTION = "evalcontract"  # its module and scoring are imported only for scripts that have it


def create_writer(rules: Rules, settings: TextSettings) -> Writer:
    """Return the writer of a dialect's text, that of modern text for rules that are no dialect's."""
    if rules.name == "v1":
        from dealerkit.actions.text_v1 import V1Writer  # imported only for scripts in this dialect

        return V1Writer(settings)
    if rules.name == "v2":
        from dealerkit.actions.text_v2 import V2Writer

        return V2Writer(settings)
    return ModernWriter(settings)


def create_action(node: nodes.Action, graph: OperationGraph) -> Action:
    """Return the action for a node of a script, and add its expressions to the graph.

    Raises
    ------
    NotYetError
        The action uses a function that is not implemented.
    ScriptError
        An expression cannot be computed; the error has its place.
    """
    if node.name == CONTRACT_ACTION:
        import dealerkit.actions.contracts  # noqa: F401  (it adds the class)
    return Action.classes[node.name](node, graph)


def create_contract_differences(actions: Sequence[Action], graph: OperationGraph) -> tuple[Action, ...]:
    """Return actions that compare the first contract of each side with its other ones; none in v1 and v2."""
    if not graph.rules.modern_syntax or all(action.name != CONTRACT_ACTION for action in actions):
        return ()
    from dealerkit.actions.contracts import compare_contracts

    return compare_contracts(actions, graph)
