"""Certain mistakes in a condition: clauses that are proved to be useless.

A proof uses the ranges of values, the predeal or an exact count; pilot deals cannot prove anything. A run
warns about the mistakes that can be found without dealing, and about those in its text
(`dealerkit.compiler.text_mistakes`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from dealerkit.appearance.wording import join_words, limit_repr, shorten
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import Operation, Range
from dealerkit.compiler.text_mistakes import Mistake
from dealerkit.dealing.predeal import Predeal
from dealerkit.language import nodes
from dealerkit.language.printer import to_text
from dealerkit.language.trees import MIRRORED
from dealerkit.planning.proofs import compare_ranges, prove_value

_UNBOUNDED = 1 << 64  # larger than every integer of the language


@limit_repr
@dataclass(frozen=True)
class ScriptClause:
    """A clause of a condition.

    Attributes
    ----------
    node : Expression
        The clause in the syntax tree.
    text : str
        The clause in the dealer language.
    slot : int
        Its index in the operation graph.
    """

    node: nodes.Expression
    text: str
    slot: int

    @property
    def quoted(self) -> str:
        """The shortened text in backquotes."""
        return f"`{shorten(self.text)}`"


def find_certain_mistakes(
    clauses: Sequence[ScriptClause],
    graph: OperationGraph,
    predeal: Predeal | None = None,
    unsatisfiable_slots: Collection[int] = (),
) -> tuple[list[Mistake], set[int]]:
    """Find the certain mistakes in a condition.

    Parameters
    ----------
    clauses : sequence of ScriptClause
        The clauses in the order of evaluation.
    graph : OperationGraph
        The graph that has their slots.
    predeal : Predeal or None
        Known cards.
    unsatisfiable_slots : collection of int
        Slots of clauses that, as has been proved, no deal meets together.

    Returns
    -------
    mistakes : list of Mistake
    positions : set of int
        Positions of the clauses that these mistakes explain.
    """
    # Clauses on their own: repeated ones, and those proved to be always or never true
    mistakes = list(_find_excluding_bounds(clauses, graph))
    positions: set[int] = set()
    slots: set[int] = set()
    false: set[int] = set()
    for position, clause in enumerate(clauses):
        proof = prove_value(graph, clause.slot, predeal)
        if clause.slot in slots:
            message = f"{clause.quoted} repeats a clause before it"
            mistakes.append(Mistake("repeat", message, clause.node.place))
        elif proof is not None:
            value, reason = proof
            false |= set() if value else {clause.slot}
            frequency = "always" if value else "never"
            kind = "predeal" if reason.startswith("the predeal") else frequency
            message = f"{clause.quoted} is {frequency} true: {reason}"
            mistakes.append(Mistake(kind, message, clause.node.place))
        if clause.slot in slots or proof is not None or clause.slot in unsatisfiable_slots:
            positions.add(position)
        slots.add(clause.slot)
    # Clauses together, unless one of them is never true and so explains the contradiction
    unsatisfiable = [clause for clause in clauses if clause.slot in unsatisfiable_slots]
    if unsatisfiable and not false.intersection(unsatisfiable_slots):
        texts = list(dict.fromkeys(clause.quoted for clause in unsatisfiable))
        kind, end = ("never", "") if len(texts) == 1 else ("contradiction", " together")
        message = f"no deal can meet {join_words(texts)}{end}"
        mistakes.append(Mistake(kind, message, unsatisfiable[-1].node.place))
    return mistakes, positions


def find_constant_clauses(clauses: Sequence[int], graph: OperationGraph) -> Iterator[Mistake]:
    """Yield comparisons with a number that are always or never true because of the range of the value.

    `clauses` are slots. Comparisons with a variable are not reported, because its value may be meant to vary.
    """
    for slot in dict.fromkeys(clauses):
        operation = graph.operations[slot]
        node = operation.node
        if operation.kind != "compare" or not isinstance(node, nodes.Chain):
            continue
        proof = prove_value(graph, slot, None)
        if proof is not None and any(isinstance(part, nodes.Number) for part in node.operands):
            kind = "always" if proof[0] else "never"
            message = f"`{shorten(to_text(node))}` is {kind} true: {proof[1]}"
            yield Mistake(kind, message, node.place)


def _find_excluding_bounds(clauses: Sequence[ScriptClause], graph: OperationGraph) -> Iterator[Mistake]:
    """Yield the first clause whose bound excludes all values that the clauses before it allow.

    For example, in ``hcp(north) > 15 and hcp(north) < 10`` it is the second clause.
    """
    allowed: dict[int, Range] = {}
    for clause in clauses:
        bound = _parse_bound(graph.operations[clause.slot], graph)
        if bound is None:
            continue
        value, bounds = bound
        whole = graph.operations[value].range
        before = allowed.get(value, whole)
        assert before.low is not None and before.high is not None
        assert bounds.low is not None and bounds.high is not None
        if compare_ranges("==", whole, bounds) is False:
            continue  # this is reported as a clause that is never true
        low, high = max(before.low, bounds.low), min(before.high, bounds.high)
        if low > high and value in allowed:
            message = f"{clause.quoted} can never be true together with the clauses before it"
            yield Mistake("contradiction", message, clause.node.place)
            return
        allowed[value] = Range(low, high)


def _parse_bound(operation: Operation, graph: OperationGraph) -> tuple[int, Range] | None:
    """Return the slot of an integer compared with a constant and the values that pass, or None."""
    if operation.kind != "compare" or operation.detail[0] == "!=":
        return None
    relation, (left, right) = operation.detail[0], operation.inputs
    if graph.operations[left].kind == "constant":
        left, right = right, left
        relation = MIRRORED.get(relation, relation)
    limit = graph.operations[right]
    if limit.kind != "constant" or limit.range.real or graph.operations[left].range.real:
        return None
    low = limit.detail + (relation == ">") if relation in (">", ">=", "==") else -_UNBOUNDED
    high = limit.detail - (relation == "<") if relation in ("<", "<=", "==") else _UNBOUNDED
    return left, Range(low, high)
