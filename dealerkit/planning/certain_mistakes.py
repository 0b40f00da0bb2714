"""Certain mistakes: clauses that are proved to be vacuous, contradictory or redundant.

A proof uses the ranges of values, the predeal, or an exact count; pilot deals prove nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from dealerkit.appearance.wording import join_words, limit_repr, shorten
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import Operation, Range, compare_values
from dealerkit.dealing.predeal import Predeal
from dealerkit.language import nodes
from dealerkit.language.operators import MIRRORED
from dealerkit.language.printer import to_text

_UNBOUNDED = 1 << 64


@limit_repr
@dataclass(frozen=True)
class Mistake:
    """A part of a script that its author probably did not intend.

    Parameters
    ----------
    kind : str
        From the text: ``replaced unused repeat chained not truth or precedence division units ladder
        spelling``; from proofs and from pilot deals: ``never always predeal contradiction repeat empty``.
    message : str
        The meaning or effect of the part.
    place : Place or None
        Line and column in the script.
    instead : str
        The expression that was probably meant, in the language; empty if it is not known.
    """

    kind: str
    message: str
    place: nodes.Place | None = None
    instead: str = ""

    def __str__(self) -> str:
        return f"{self.location}{self.message}{f'; probably meant: {self.instead}' if self.instead else ''}"

    @property
    def location(self) -> str:
        """The place as the beginning of a line; empty without a place."""
        return f"line {self.place.line}, column {self.place.column}: " if self.place else ""

    @property
    def position(self) -> tuple[int, int]:
        """Line and column, for sorting; zeros without a place."""
        return (self.place.line, self.place.column) if self.place else (0, 0)


@limit_repr
@dataclass(frozen=True)
class ScriptClause:
    """A clause of a condition: its node, its text, and its slot in the operation graph."""

    node: nodes.Expression
    text: str
    slot: int

    @property
    def quoted(self) -> str:
        """The text between backquotes, shortened."""
        return f"`{shorten(self.text)}`"


def find_certain_mistakes(
    clauses: Sequence[ScriptClause],
    graph: OperationGraph,
    predeal: Predeal | None = None,
    unsatisfiable_slots: Collection[int] = (),
) -> tuple[list[Mistake], set[int]]:
    """Return the certain mistakes in a condition, and the positions of the clauses that they explain.

    The clauses are in the order of evaluation; of those in `unsatisfiable_slots` it is proved that no deal
    meets them together.
    """
    mistakes = list(_find_excluding_bounds(clauses, graph))
    positions: set[int] = set()
    slots: set[int] = set()
    false: set[int] = set()
    for position, clause in enumerate(clauses):
        proof = _prove_value(graph, clause.slot, predeal)
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
    unsatisfiable = [clause for clause in clauses if clause.slot in unsatisfiable_slots]
    if unsatisfiable and not false.intersection(unsatisfiable_slots):
        texts = list(dict.fromkeys(clause.quoted for clause in unsatisfiable))
        kind, end = ("never", "") if len(texts) == 1 else ("contradiction", " together")
        message = f"no deal can meet {join_words(texts)}{end}"
        mistakes.append(Mistake(kind, message, unsatisfiable[-1].node.place))
    return mistakes, positions


def find_constant_clauses(clauses: Sequence[int], graph: OperationGraph) -> Iterator[Mistake]:
    """Yield the clauses with a literal number that are always or never true, by the ranges of their values.

    `clauses` are slots. A comparison with a variable is none: its value may be meant to vary.
    """
    for slot in dict.fromkeys(clauses):
        operation = graph.operations[slot]
        node = operation.node
        if operation.kind != "compare" or not isinstance(node, nodes.Chain):
            continue
        proof = _prove_value(graph, slot, None)
        if proof is not None and any(isinstance(part, nodes.Number) for part in node.operands):
            kind = "always" if proof[0] else "never"
            message = f"`{shorten(to_text(node))}` is {kind} true: {proof[1]}"
            yield Mistake(kind, message, node.place)


def find_false_clause(clauses: Sequence[int], graph: OperationGraph) -> tuple[int, ...]:
    """Return the slot of the first clause that the ranges of its values prove false, or nothing."""
    for slot in clauses:
        proof = _prove_value(graph, slot, None)
        if proof is not None and not proof[0]:
            return (slot,)
    return ()


def _find_excluding_bounds(clauses: Sequence[ScriptClause], graph: OperationGraph) -> Iterator[Mistake]:
    """Yield the first clause whose bound excludes all values that clauses before it allow.

    An example is ``hcp(north) > 15 and hcp(north) < 10``.
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
        if _compare_ranges("==", whole, bounds) is False:
            continue  # it is a mistake of its own
        low, high = max(before.low, bounds.low), min(before.high, bounds.high)
        if low > high and value in allowed:
            message = f"{clause.quoted} can never be true together with the clauses before it"
            yield Mistake("contradiction", message, clause.node.place)
            return
        allowed[value] = Range(low, high)


def _parse_bound(operation: Operation, graph: OperationGraph) -> tuple[int, Range] | None:
    """Return the slot of an integer that is compared with a constant, and the values that pass; or None."""
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


def _prove_value(graph: OperationGraph, slot: int, predeal: Predeal | None) -> tuple[bool, str] | None:
    """Return the truth value that a clause has on every deal, and the reason; None without a proof."""
    operation = graph.operations[slot]
    value = None
    if operation.kind == "constant":
        return bool(operation.detail), "it is a number"
    if operation.kind == "compare":
        left, right = (graph.operations[slot] for slot in operation.inputs)
        value = _compare_ranges(operation.detail[0], left.range, right.range)
        if value is not None:
            return value, _describe_ranges(left, right)
        if predeal:
            ranges = (_find_range(side, predeal, graph.rules.bits) for side in (left, right))
            value = _compare_ranges(operation.detail[0], *ranges)
    elif predeal and operation.kind == "call":
        bounds = _find_range(operation, predeal, graph.rules.bits)
        value = _compare_ranges("!=", bounds, Range(0, 0))
    return None if value is None else (value, "the predeal determines it")


def _describe_ranges(left: Operation, right: Operation) -> str:
    """Return the ranges of the sides of a comparison in words."""
    sides = [
        f"{shorten(to_text(side.node))} is {side.range.low} to {side.range.high}"
        for side in (left, right)
        if side.kind != "constant" and side.node is not None
    ]
    return " and ".join(sides) or "it compares two numbers"


def _find_range(operation: Operation, predeal: Predeal, bits: int) -> Range:
    """Return the range of a value; of a declared sum over suits, that of the holdings the predeal allows."""
    # A run without predealt cards does not import these.
    from dealerkit.compiler.suit_tables import find_hand_tables
    from dealerkit.dealing.conditional.hand_sets import predealt_holdings

    declared = find_hand_tables(operation, bits)
    if declared is None or operation.range.real:
        return operation.range
    low, high = operation.range
    assert low is not None and high is not None
    least = greatest = 0
    for seat in declared.seats:
        for table, allowed in zip(declared.tables, predealt_holdings(predeal, seat), strict=True):
            least += int(table[allowed].min(initial=high))
            greatest += int(table[allowed].max(initial=low))
    return Range(max(low, least), min(high, greatest))


def _compare_ranges(relation: str, left: Range, right: Range) -> bool | None:
    """Return the value that a comparison has for all numbers in two ranges; None if it varies."""
    if left.real or right.real:
        return None
    assert left.low is not None and left.high is not None and right.low is not None and right.high is not None
    if relation in ("==", "!="):
        if left.high < right.low or right.high < left.low:
            return relation == "!="
        is_equal = left.low == left.high == right.low == right.high
        return (relation == "==") if is_equal else None
    ends = ((left.low, right.high), (left.high, right.low))
    values = {bool(compare_values(relation, *pair, real=False)) for pair in ends}
    return values.pop() if len(values) == 1 else None
