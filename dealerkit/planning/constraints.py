"""Express the clauses of a condition as sets of hands of one seat or of one side.

Many clauses are functions of a few sums over suits (`counting.features`). If these sums belong to one seat,
the clause narrows the seat's `HandSet`; if they belong to the 26 cards of a side together, it narrows the
side's. It is then true on every deal sampled from these sets. All other clauses are filters. A
`_HandSetBuilder` combines the clauses about one hand, or about the cards of a side, into a `HandSet`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.cards.names import SEATS, SIDES, SUITS
from dealerkit.compiler.graph import OperationGraph
from dealerkit.counting.features import Feature, FeatureMap, NotAdditive, map_features
from dealerkit.counting.suit_sums import SuitSums
from dealerkit.dealing.conditional.hand_sets import (
    HOLDING_LENGTHS,
    MAX_CODES,
    HandSet,
    list_shapes,
    predealt_holdings,
)
from dealerkit.dealing.predeal import Predeal
from dealerkit.planning.plan import ClausePlacement, Constraints
from dealerkit.runtime.process import cached_property

MAX_POINTS = 1 << 19  # most combinations of shape and sums that a clause is evaluated on; about 10 ms
BranchSlots = tuple[tuple[int, ...], ...]  # slots of each branch of an ``or``; all those of one must be true


def find_constraints(
    graph: OperationGraph,
    clauses: Iterable[int],
    predeal: Predeal | None = None,
    sums: SuitSums | None = None,
) -> Constraints:
    """Return the sets of hands that a predeal and clauses allow together; `clauses` has their slots.

    `sums` are the suit sums of the graph, by default new ones.

    >>> from dealerkit.compiler.compilation import compile_condition
    >>> compiled = compile_condition("hcp(north) >= 20 and fit(NS) > 7 and cccc(north) > 21")
    >>> constraints = find_constraints(compiled.graph, compiled.clauses)
    >>> [placement.target for placement in constraints.placements]
    ['seat', 'side', 'filter']
    >>> constraints.placements[2].reason
    'cccc is not a sum over suits'
    """
    predeal = predeal or Predeal()
    sums = sums or SuitSums(graph)
    seats = [_HandSetBuilder(sums, 13) for _ in range(4)]
    sides = [_HandSetBuilder(sums, 26) for _ in range(2)]
    return Constraints(
        tuple(_place_clause(sums, slot, seats, sides) for slot in dict.fromkeys(clauses)),
        tuple(_build_seat_set(builder, seat, predeal) for seat, builder in enumerate(seats)),
        tuple(_build_side_set(builder, side, predeal) for side, builder in enumerate(sides)),
    )


def remaining_clauses(
    placements: Iterable[ClausePlacement], seats: int = 0, side: int | None = None
) -> tuple[int, ...]:
    """Return the slots of the clauses that must still be evaluated on deals sampled from hand sets.

    The sets are those of some seats (a bit set), and of one side (0 or 1) if it is not None.
    """
    sampled = {("seat", 1 << seat) for seat in range(4) if seats >> seat & 1}
    if side is not None:
        sampled.add(("side", 0b0101 << side))
    return tuple(clause.slot for clause in placements if (clause.target, clause.seats) not in sampled)


def _place_clause(
    sums: SuitSums, slot: int, seats: Sequence[_HandSetBuilder], sides: Sequence[_HandSetBuilder]
) -> ClausePlacement:
    """Narrow the set of hands that can express a clause, and return the clause's placement."""
    # A clause that is not about sums over suits is evaluated on the candidates.
    try:
        features = map_features(sums, [slot])
    except NotAdditive as error:
        mask = sums.graph.operations[slot].seats
        return _narrow_seats(sums, ClausePlacement(slot, "filter", mask, str(error)), seats)
    mask = features.seats
    if not features.features:
        return ClausePlacement(slot, "filter", 0, "it is the same for all deals")
    # A clause about one seat narrows its set, if that can express it.
    if mask.bit_count() == 1:
        seat = mask.bit_length() - 1
        refusal = seats[seat].add(((slot,),))
        if refusal:
            return ClausePlacement(slot, "filter", mask, refusal)
        return ClausePlacement(slot, "seat", mask, f"{_describe(features)} of {SEATS[seat]}'s hand")
    # A clause about one side narrows the set of its 26 cards.
    target, reason = "filter", "it depends on several hands"
    side = mask >> 1 & 1
    if mask == 0b0101 << side and all(_is_of_side(feature, side) for feature in features.features):
        refusal = sides[side].add(((slot,),))
        if not refusal:
            return ClausePlacement(slot, "side", mask, f"{_describe(features)} of {SIDES[side]} together")
        reason = refusal
    # Among clauses about several hands, those about lengths alone are another target.
    if all(feature.by_length for feature in features.features):
        target, reason = "lengths", "suit lengths of several hands"
    return _narrow_seats(sums, ClausePlacement(slot, target, mask, reason), seats)


def _describe(features: FeatureMap) -> str:
    """Return a phrase for the properties of a hand that features depend on."""
    suits = {suit for _, suit in features.seat_suits}
    by_length = [feature.by_length for feature in features.features]
    if all(by_length):
        return f"the length of the {SUITS[suits.pop()]}" if len(suits) == 1 else "the shape"
    if len(suits) == 1:
        return f"the {SUITS[suits.pop()]}"
    return "shape and sums over the suits" if any(by_length) else "sums over the suits"


def _narrow_seats(
    sums: SuitSums, clause: ClausePlacement, seats: Sequence[_HandSetBuilder]
) -> ClausePlacement:
    """Narrow the sets of seats that every branch of an ``or`` constrains; return the new placement."""
    branches = list(sums.graph.split_operands(clause.slot, "or"))
    if len(branches) < 2:
        return clause
    # Find the conjuncts of each branch that are about a single seat.
    parts_by_seat: list[dict[int, list[int]]] = []
    for branch in branches:
        by_seat: dict[int, list[int]] = {}
        for part in sums.graph.split_operands(branch, "and"):
            try:
                mask = map_features(sums, [part]).seats
            except NotAdditive:
                continue
            if mask.bit_count() == 1:
                by_seat.setdefault(mask.bit_length() - 1, []).append(part)
        parts_by_seat.append(by_seat)
    # A seat that every branch constrains must have a hand that one of the branches allows.
    narrowed = [
        seat
        for seat in range(4)
        if all(seat in by_seat for by_seat in parts_by_seat)
        and not seats[seat].add(tuple(tuple(by_seat[seat]) for by_seat in parts_by_seat))
    ]
    if not narrowed:
        return clause
    reason = f"{clause.reason}; each branch constrains {' and '.join(SEATS[seat] for seat in narrowed)}"
    return replace(clause, reason=reason, narrowed_seats=sum(1 << seat for seat in narrowed))


def _is_of_side(feature: Feature, side: int) -> bool:
    """Return whether a feature does not depend on how a side's cards are divided between the partners."""
    holdings = np.arange(8192)
    for suit in range(4):
        first, second = (feature.tables.get((seat, suit)) for seat in (side, side + 2))
        if first is None and second is None:
            continue
        if first is None or second is None or not np.array_equal(first, second):
            return False
        if not np.array_equal(first, sum((holdings >> rank & 1) * first[1 << rank] for rank in range(13))):
            return False
    return True


def _build_seat_set(builder: _HandSetBuilder, seat: int, predeal: Predeal) -> HandSet | None:
    """Return a seat's set, or None if nothing constrains it."""
    predealt = any(entry[0] == seat for entry in (*predeal.cards, *predeal.lengths, *predeal.small))
    return builder.build(predealt_holdings(predeal, seat)) if builder.constraints or predealt else None


def _build_side_set(builder: _HandSetBuilder, side: int, predeal: Predeal) -> HandSet | None:
    """Return a side's set, or None if no clause constrains it."""
    if not builder.constraints:
        return None
    all_holdings = np.arange(8192)
    holdings = np.ones((4, 8192), bool)
    for owner, suit, rank in predeal.cards:
        holdings[suit] &= (all_holdings >> rank & 1) == (owner % 2 == side)
    for suit in range(4):
        lengths = [length for seat, of, length in set(predeal.lengths) if of == suit and seat % 2 == side]
        if len(lengths) == 2:
            holdings[suit] &= sum(lengths) == HOLDING_LENGTHS
        elif lengths:
            holdings[suit] &= lengths[0] <= HOLDING_LENGTHS
    return builder.build(holdings)


class _HandSetBuilder:
    """Constraints on the 13 cards of one seat, or on the 26 of one side."""

    def __init__(self, sums: SuitSums, cards: int) -> None:
        self.sums = sums
        self.shapes = list_shapes(cards)
        self.digits: list[_Digit] = []  # digits of the code of a hand, in mixed radix, lowest first
        self.constraints: list[_Constraint] = []

    def add(self, branches: BranchSlots) -> str:
        """Add a constraint and return "", or return the reason why a set of hands cannot express it."""
        mapping = map_features(self.sums, {slot for slots in branches for slot in slots})
        constraint = _Constraint(branches, mapping, tuple(map(_Digit, mapping.features)))
        if constraint.suit is None:
            summed = [digit for digit in constraint.digits if not digit.feature.by_length]
            digits = self.digits + [digit for digit in summed if digit not in self.digits]
            n_codes, n_points = (math.prod(digit.radix for digit in part) for part in (digits, summed))
            if len(summed) < len(constraint.digits):
                n_points *= len(self.shapes)
            if n_codes > MAX_CODES:
                values = format_count(n_codes, "value")
                return f"the sums in the clauses have {values} together, more than {format_count(MAX_CODES)}"
            if n_points > MAX_POINTS:
                points = format_count(n_points, "combination")
                return f"it depends on {points} of shape and sums, more than {format_count(MAX_POINTS)}"
            self.digits = digits
        self.constraints.append(constraint)
        return ""

    def build(self, holdings: np.ndarray) -> HandSet:
        """Return the set of hands that have these holdings (bool [4, 8192]) and meet the constraints."""
        holdings = holdings.copy()
        allowed = np.ones((len(self.shapes), *(digit.radix for digit in self.digits[::-1])), bool)
        for constraint in self.constraints:
            if constraint.suit is None:
                allowed &= self._evaluate_grid(constraint)
            else:
                steps = [digit.steps[constraint.suit] for digit in constraint.digits]
                holdings[constraint.suit] &= constraint.evaluate(steps, 8192)
        codes, weight = np.zeros((4, 8192), np.int32), 1
        for digit in self.digits:
            codes += (digit.steps * weight).astype(np.int32)
            weight *= digit.radix
        allowed = allowed.reshape(len(self.shapes), -1)
        highest_code = np.flatnonzero(allowed.any(axis=0)).max(initial=0)
        return HandSet(holdings, codes, allowed[:, : highest_code + 1])

    def _evaluate_grid(self, constraint: _Constraint) -> np.ndarray:
        """Return the truth of a constraint by shape and digits; axes without an effect have length 1."""
        n_axes = 1 + len(self.digits)
        steps = []
        for digit in constraint.digits:
            axis = 0
            if digit.feature.by_length:
                lowest_cards = (1 << self.shapes.astype(np.int64)) - 1
                numbers = sum(digit.steps[suit][lowest_cards[:, suit]] for suit in range(4))
            else:
                axis, numbers = n_axes - 1 - self.digits.index(digit), np.arange(digit.radix)
            steps.append(np.expand_dims(numbers, [other for other in range(n_axes) if other != axis]))
        grid = np.broadcast_arrays(*steps)
        return constraint.evaluate([part.ravel() for part in grid], grid[0].size).reshape(grid[0].shape)


@dataclass(frozen=True, eq=False)
class _Digit:
    """A feature of one hand as a digit of the hand's code.

    Digits are equal if every holding adds the same steps to both.
    """

    feature: Feature

    @cached_property
    def steps(self) -> np.ndarray:
        """The steps that each holding adds, int64 [4, 8192]; both seats of a side have the same."""
        steps = np.zeros((4, 8192), np.int64)
        for (_, suit), table in self.feature.tables.items():
            steps[suit] = table
        return steps

    @cached_property
    def radix(self) -> int:
        """One more than the largest number of steps of a hand."""
        return 1 + int(self.steps.max(axis=1).sum())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Digit) and np.array_equal(self.steps, other.steps)


@dataclass(frozen=True, eq=False)
class _Constraint:
    """A constraint, and the features of one hand that it depends on."""

    branches: BranchSlots
    mapping: FeatureMap
    digits: tuple[_Digit, ...]

    @property
    def suit(self) -> int | None:
        """The suit, if the constraint depends on one suit only, otherwise None."""
        suits = {suit for _, suit in self.mapping.seat_suits}
        return suits.pop() if len(suits) == 1 else None

    def evaluate(self, steps: Sequence[np.ndarray], count: int) -> np.ndarray:
        """Return where all slots of a branch are true, bool [count]."""
        branches = [
            np.logical_and.reduce([self.mapping.evaluate(steps, count, slot) != 0 for slot in branch])
            for branch in self.branches
        ]
        return np.logical_or.reduce(branches)
