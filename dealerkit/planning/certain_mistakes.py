"""Clauses that decide nothing: never or always true, contradicting or repeating what stands before."""

from __future__ import annotations

import operator as operators
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dealerkit.cards.names import SUITS, card_bit
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import Operation, Range
from dealerkit.dealing.predeal import Predeal
from dealerkit.explanation.mistakes import Mistake
from dealerkit.language import nodes
from dealerkit.language.operators import MIRRORED
from dealerkit.language.printer import to_text
from dealerkit.planning import rates as pilot
from dealerkit.wording import shorten

EXPECTED = 20.0  # deals that must have been expected before their absence means anything
_HOLDS = {
    "==": operators.eq, "!=": operators.ne, "<": operators.lt, "<=": operators.le,
    ">": operators.gt, ">=": operators.ge,
}  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """A clause with its text, its slot and what the pilot found of it."""

    node: nodes.Expression
    text: str
    slot: int
    alone: pilot.Tally
    given: pilot.Tally


def settled(
    clauses: Sequence[Asked],
    graph: OperationGraph,
    deals: int,
    predeal: Predeal | None,
    never: Sequence[int] = (),
) -> Iterator[Mistake]:
    """The clauses that hardly mean what they say.

    Only what the ranges of values or the predeal prove is called impossible or certain; the
    rest is said as what it is, a count of pilot deals.

    Parameters
    ----------
    clauses : sequence of Asked
    graph : OperationGraph
    deals : int
        Pilot deals.
    predeal : Predeal, optional
    never : sequence of int
        Slots of clauses that no deal meets together, which is said elsewhere.
    """
    yield from _apart(clauses, graph)
    free: pilot.Rates | None = None
    asked: set[int] = set()
    for number, clause in enumerate(clauses):
        text, place = f"`{shorten(clause.text)}`", clause.node.place
        if clause.given.error and not clause.given.error.startswith(pilot.EARLIER_CLAUSE):
            yield Mistake(
                "empty", f"{text} has no value: {clause.given.error}; a run would stop there", place
            )
        if clause.slot in asked:
            yield Mistake("repeat", f"{text} asks again what a clause before it asks", place)
            continue
        asked.add(clause.slot)
        proof = _proof(graph, clause.slot, predeal)
        if proof is not None:
            answer, reason = proof
            word = "always" if answer else "never"
            kind = "predeal" if reason.startswith("the predeal") else word
            yield Mistake(kind, f"{text} is {word} true: {reason}", place)
        elif clause.slot in never:
            continue
        elif clause.alone.n_deals and clause.alone.n_passed in (0, clause.alone.n_deals):
            if predeal and free is None:
                free = pilot.estimate_rates(graph, [one.slot for one in clauses], deals)
            yield _one_answer(text, clause, None if free is None else free.alone[number])
        else:
            yield from _after_others(text, clause)


def _one_answer(text: str, clause: Asked, free: pilot.Tally | None) -> Mistake:
    """A clause with the same answer for all pilot deals; `free` is what it was without the predeal."""
    always = clause.alone.n_passed > 0
    found = f"{'all' if always else 'none'} of {clause.alone.n_deals:,} pilot deals"
    if free is not None and free.rate is not None:
        other = free.n_deals - free.n_passed if always else free.n_passed
        if other >= EXPECTED:
            share = f"{100 * free.n_passed / free.n_deals:.3g} %"
            message = f"the predeal seems to decide {text}: true in {found}, without the predeal in {share}"
            return Mistake("predeal", message, clause.node.place)
    return Mistake("always" if always else "never", f"{text} is true in {found}", clause.node.place)


def _after_others(text: str, clause: Asked) -> Iterator[Mistake]:
    """A clause that is sometimes true, but never or always after those before it."""
    asked, passed = clause.given.n_deals, clause.given.n_passed
    if clause.given.error or clause.alone.error or not asked:
        return
    share = clause.alone.n_passed / clause.alone.n_deals
    passing = f"{asked:,} pilot deals that passed those"
    if passed == 0 and asked * share >= EXPECTED:
        message = f"{text} contradicts the clauses before it: true in none of the {passing}"
        yield Mistake("contradiction", message, clause.node.place)
    elif passed == asked and asked * (1 - share) >= EXPECTED:
        message = f"{text} adds nothing to the clauses before it: true in all {passing}"
        yield Mistake("repeat", message, clause.node.place)


def _apart(clauses: Sequence[Asked], graph: OperationGraph) -> Iterator[Mistake]:
    """Clauses that leave a value no room: ``hcp(north) > 15 and hcp(north) < 10``."""
    room: dict[int, Range] = {}
    for clause in clauses:
        operation = graph.operations[clause.slot]
        found = _bounded(operation, graph)
        if found is None:
            continue
        value, bounds = found
        before = room.get(value, graph.operations[value].range)
        assert before.low is not None and before.high is not None
        assert bounds.low is not None and bounds.high is not None
        after = Range(max(before.low, bounds.low), min(before.high, bounds.high))
        assert after.low is not None and after.high is not None
        if after.low > after.high and value in room:
            message = f"`{shorten(clause.text)}` can never be true together with the clauses before it"
            yield Mistake("contradiction", message, clause.node.place)
            return
        room[value] = after


def _bounded(operation: Operation, graph: OperationGraph) -> tuple[int, Range] | None:
    """The integer that a comparison with a constant is about, and the values that pass."""
    if operation.kind != "compare" or operation.detail[0] == "!=":
        return None
    relation, (left, right) = operation.detail[0], operation.inputs
    if graph.operations[left].kind == "constant":
        left, right = right, left
        relation = MIRRORED.get(relation, relation)
    limit, bounds = graph.operations[right], graph.operations[left].range
    if limit.kind != "constant" or limit.range.real or bounds.real:
        return None
    number, far = limit.detail, 1 << 64
    low = number + (relation == ">") if relation in (">", ">=", "==") else -far
    high = number - (relation == "<") if relation in ("<", "<=", "==") else far
    return left, Range(low, high)


def _proof(graph: OperationGraph, slot: int, predeal: Predeal | None) -> tuple[bool, str] | None:
    """The answer that is the same for every deal, and why; None where nothing proves one."""
    operation = graph.operations[slot]
    if operation.kind == "constant":
        return bool(operation.detail), "it is a number"
    if operation.kind == "compare":
        left, right = (graph.operations[one] for one in operation.inputs)
        answer = _decided(operation.detail[0], left.range, right.range)
        if answer is not None:
            return answer, _ranges(left, right)
        if predeal:
            answer = _decided(operation.detail[0], _length(left, predeal), _length(right, predeal))
    elif predeal and operation.kind == "call" and operation.detail[0].name == "hascard":
        seat, card = operation.detail[1]
        owners = [k for k, hand in enumerate(predeal.masks) if hand & card_bit(card.suit, card.rank)]
        answer = owners == [seat.index] if owners else None
    else:
        answer = None
    return None if answer is None else (answer, "the predeal decides it")


def _ranges(left: Operation, right: Operation) -> str:
    """Between which numbers the sides of a comparison lie."""
    sides = [
        f"{shorten(to_text(side.node))} is {side.range.low} to {side.range.high}"
        for side in (left, right)
        if side.kind != "constant" and side.node is not None
    ]
    return " and ".join(sides) or "so are its numbers"


def _length(operation: Operation, predeal: Predeal) -> Range:
    """The range of a value, narrowed where it is the length of a suit that is predealt."""
    if operation.kind == "call" and len(operation.detail[1]) == 1 and isinstance(operation.node, nodes.Call):
        for seat, suit, length in predeal.lengths:
            if operation.node == nodes.Call(SUITS[suit], (nodes.Seat(seat),)):
                return Range(length, length)
    return operation.range


def _decided(relation: str, left: Range, right: Range) -> bool | None:
    """The answer of a comparison that all values of these ranges share."""
    if left.real or right.real:
        return None
    assert left.low is not None and left.high is not None and right.low is not None and right.high is not None
    if relation in ("==", "!="):
        if left.high < right.low or right.high < left.low:
            return relation == "!="
        same = left.low == left.high == right.low == right.high
        return (relation == "==") if same else None
    answers = {_HOLDS[relation](left.low, right.high), _HOLDS[relation](left.high, right.low)}
    return answers.pop() if len(answers) == 1 else None
