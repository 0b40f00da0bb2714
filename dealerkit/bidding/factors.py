"""What calls show about one hand: clauses, without those that change nothing, with exact shares.

The factor of a hand is a conjunction of clauses: the conditions of the lines of its calls, and the negations
of the earlier lines, which were not chosen. A negation that the other clauses imply is dropped. This is
exact, since all hands are counted by kind (`hand_kinds`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from dealerkit.bidding.choices import Choices
from dealerkit.bidding.conditions import BIDDER
from dealerkit.bidding.hand_kinds import N_HANDS, HandKinds
from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.compiler.operations import to_truth
from dealerkit.counting.features import NotAdditive
from dealerkit.counting.suit_splits import TooManyStates
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.language import nodes
from dealerkit.language.dialects import MODERN

N_SAMPLED = 200_000  # number of hands, if kinds of hands cannot be counted
_SEED = int.from_bytes(b"factor", "big")


@dataclass(frozen=True)
class Clause:
    """A condition about north's hand that a call implies.

    Attributes
    ----------
    condition : Expression
    number : int
        Number of the call in the auction, from 0.
    is_negation : bool
        Whether it says that an earlier line was not chosen.
    """

    condition: nodes.Expression = field(repr=False)
    number: int
    is_negation: bool = False


def list_clauses(choices: Choices, call: str, number: int, with_negations: bool = True) -> list[Clause]:
    """Return the clauses of a call that is one of the choices.

    Lines of the same call are alternatives; each has the negations of the lines of other calls before it.
    """
    meanings = choices.meanings
    positions = [k for k, meaning in enumerate(meanings) if meaning.call == call]
    negated = {
        position: [
            meaning.condition
            for meaning in meanings[:position]
            if meaning.call != call and meaning.condition is not None
        ]
        for position in positions
    }
    # The negations before the first line are clauses of all alternatives.
    common = negated[positions[0]] if with_negations else []
    clauses: list[Clause] = []
    alternatives: list[nodes.Expression | None] = []
    for position in positions:
        parts = list(_split(meanings[position].condition))
        if with_negations:
            parts += [nodes.Not(condition) for condition in negated[position][len(common) :]]
        alternatives.append(_join(parts))
    if all(alternative is not None for alternative in alternatives):
        listed = [alternative for alternative in alternatives if alternative is not None]
        if len(listed) == 1:
            # A single line has all negations in common.
            clauses += [Clause(part, number) for part in _split(meanings[positions[0]].condition)]
        else:
            clauses.append(Clause(nodes.Or(tuple(listed)), number))
    return clauses + [Clause(nodes.Not(condition), number, True) for condition in common]


def _split(condition: nodes.Expression | None) -> Iterable[nodes.Expression]:
    """Yield the operands of nested `and`."""
    pending = [] if condition is None else [condition]
    while pending:
        node = pending.pop()
        if isinstance(node, nodes.And):
            pending.extend(reversed(node.operands))
        else:
            yield node


def _join(parts: Sequence[nodes.Expression]) -> nodes.Expression | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return nodes.And(tuple(parts))


@dataclass(frozen=True)
class HandFigures:
    """What the calls of one player show about the hand: shares, points and lengths.

    Attributes
    ----------
    share : float
        Share of all hands.
    share_without_negations : float
        Share with only the meanings of the calls.
    points : (float, int, int)
        Mean, smallest and largest number of high-card points.
    lengths : tuple of (float, int, int)
        Mean, smallest and largest length of each suit, S H D C.
    is_exact : bool
        Whether they are counted; otherwise they come from sampled hands.
    """

    share: float
    share_without_negations: float
    points: tuple[float, int, int]
    lengths: tuple[tuple[float, int, int], ...]
    is_exact: bool


@dataclass(frozen=True)
class Factor:
    """What the calls of one player show about the hand.

    Attributes
    ----------
    clauses : tuple of Clause
        Clauses that are all true.
    figures : HandFigures or None
        None if no hand meets the clauses.
    """

    clauses: tuple[Clause, ...]
    figures: HandFigures | None

    def contains(self, hand: int) -> bool:
        """Return whether a hand meets all clauses."""
        graph = OperationGraph(MODERN)
        slots = [graph.add_expression(clause.condition) for clause in self.clauses]
        columns = BatchColumns(graph, Deals(np.array([[hand, 0, 0, 0]], np.uint64), check=False))
        return all(bool(np.all(columns.truth(slot))) for slot in slots)


def build_factor(clauses: Sequence[Clause]) -> Factor:
    """Return the factor of a hand, without negations that the other clauses imply."""
    graph = OperationGraph(MODERN)
    slots = [graph.add_expression(clause.condition) for clause in clauses]
    points = graph.add_expression(nodes.Call("hcp", (nodes.Seat(BIDDER),)))
    try:
        kinds = HandKinds.count(graph, [*slots, points])
    except (NotAdditive, TooManyStates):
        return _sample_factor(graph, clauses, slots, points)
    truth = kinds.find_truth(slots)
    kept = _drop_implied(clauses, truth)
    figures = _measure(
        clauses, truth, kinds.counts, np.asarray(kinds.evaluate([points])[0]), kinds.lengths, N_HANDS, True
    )
    return Factor(tuple(clauses[k] for k in kept), figures)


def _drop_implied(clauses: Sequence[Clause], truth: Sequence[np.ndarray]) -> list[int]:
    """Return the indices of clauses without negations that the others imply, testing the last first."""
    if not clauses:
        return []
    failures = np.zeros(len(truth[0]), np.int32)  # number of clauses that are false for each kind
    for mask in truth:
        failures += ~mask
    kept = []
    for position in reversed(range(len(clauses))):
        mask = truth[position]
        if clauses[position].is_negation and not ((failures == 1) & ~mask).any():
            failures -= ~mask
        else:
            kept.append(position)
    return kept[::-1]


def _measure(
    clauses: Sequence[Clause], truth: Sequence[np.ndarray], weights: np.ndarray, points: np.ndarray,
    lengths: np.ndarray, total: int, is_exact: bool,
) -> HandFigures | None:  # fmt: skip
    """Return the figures of the hands that meet all clauses."""
    everything = np.ones(len(weights), bool)
    meant = everything.copy()
    chosen = everything.copy()
    for clause, mask in zip(clauses, truth, strict=True):
        chosen &= mask
        if not clause.is_negation:
            meant &= mask
    n = int(weights[chosen].sum())
    if not n:
        return None

    def describe(values: np.ndarray) -> tuple[float, int, int]:
        selected = values[chosen].astype(np.int64)
        # Sums of exact integers: numbers of hands times values stay below 2**63.
        mean = int((weights[chosen] * selected).sum()) / n
        return mean, int(selected.min()), int(selected.max())

    return HandFigures(
        n / total, int(weights[meant].sum()) / total, describe(points),
        tuple(describe(lengths[:, suit]) for suit in range(4)), is_exact,
    )  # fmt: skip


def _sample_factor(
    graph: OperationGraph, clauses: Sequence[Clause], slots: Sequence[int], points: int
) -> Factor:
    """Return the factor with all its clauses, measured on sampled hands."""
    hands = deal_range(_SEED, 0, N_SAMPLED, 1)
    columns = BatchColumns(graph, Deals(hands, check=False))
    truth = [np.broadcast_to(to_truth(columns.array(slot)), N_SAMPLED) for slot in slots]
    lengths = np.stack(
        [np.bitwise_count(hands[:, 0] >> np.uint64(shift) & np.uint64(8191)) for shift in (48, 32, 16, 0)],
        axis=1,
    )
    weights = np.ones(N_SAMPLED, np.int64)
    figures = _measure(clauses, truth, weights, np.asarray(columns.array(points)), lengths, N_SAMPLED, False)
    # If no sampled hand meets the clauses, such hands may be rare, so the clauses are kept as they are.
    figures = figures or HandFigures(0.0, 0.0, (float("nan"), 0, 37), ((float("nan"), 0, 13),) * 4, False)
    return Factor(tuple(clauses), figures)
