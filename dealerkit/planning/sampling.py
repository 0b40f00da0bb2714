"""Find the sampler of a conditional plan, which needs the fewest candidates for each accepted deal.

A sampler produces hands that clauses about one seat allow, or cards that clauses about a side allow
(`dealing.conditional.preparation`), whichever are rarer. The other clauses are evaluated on its candidates.
If an ``or`` is not about one hand but each of its branches has clauses about one, a mixture samples the
branches. Several ``or`` clauses are multiplied out, so a branch has one operand of each. A candidate is kept
if the branch it was sampled for is the first whose clauses it meets; `dealing.conditional.mixture` explains
the mathematics.
"""

from __future__ import annotations

import contextlib
import math
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import permutations, product
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.cards.deals import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.dealing.conditional import MAX_BRANCHES
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.errors import MemoryLimitError
from dealerkit.planning.plan import (
    CANDIDATE_NS,
    DEAL_NS,
    MAX_MIXTURE_RATIO,
    PLANNING_NS,
    Branch,
    Constraints,
    Plan,
    Sampling,
)
from dealerkit.planning.rates import N_PLANNING_DEALS, SEED, Rates, Tally, estimate_rates
from dealerkit.registry import Function
from dealerkit.runtime.process import ForkSafeLock

if TYPE_CHECKING:
    from dealerkit.counting.suit_sums import SuitSums
    from dealerkit.dealing.conditional.hand_sets import HandSet
    from dealerkit.dealing.conditional.mixture import Mixture
    from dealerkit.dealing.conditional.sampler import PreparedSampler


MIN_COST_RATIO = 3  # a mixture is tried for runs that cost this many times the planning of its branches
N_PILOT_HANDS = 2048  # number of pilot hands to estimate the share of hands in a set,
MIN_PILOT_MATCHES = 20  # which is counted instead if fewer of them are in the set
MAX_RATE = 0.8  # clauses that a larger share of deals meets are not sampled
MAX_CACHED = 32  # number of conditions whose tables are kept

_lock = ForkSafeLock()  # for the cache, which runs in several threads share
cached_samplings: OrderedDict[object, Sampling | None] = OrderedDict()


def find_sampling(
    plan: Plan, movable: tuple[int, ...], rates: Rates, predeal: Predeal, plain_cost_ns: float, kind: str
) -> Sampling | None:
    """Return the sampling with the least expected cost; None if no clause can be sampled.

    Parameters
    ----------
    plan : Plan
        The plain plan.
    movable : tuple of int
        Slots of the clauses that can be evaluated in any order.
    rates : Rates
        The rates of these clauses.
    predeal : Predeal
        The cards dealt in advance.
    plain_cost_ns : float
        Cost of the run with the plain plan in nanoseconds; inf if no pilot deal was accepted.
    kind : {"auto", "conditional"}
        With "auto", a mixture that costs more to plan than it can save is not used.
    """
    from dealerkit.counting.suit_sums import SuitSums  # short runs do not need to import these
    from dealerkit.planning.constraints import find_constraints

    # Sample sets of hands first. The cache has samplings from earlier runs with the same condition.
    program, graph = plan.program, plan.graph
    sums = SuitSums(graph)
    tallies = dict(zip(movable, rates.alone, strict=True))  # a repeated clause has one tally
    constrain = cache(lambda clauses: find_constraints(graph, clauses, predeal, sums))
    key = (
        program.script.rules.name, tuple(program.definitions.items()), tuple(program.points.items()),
        program.condition, program.opener, predeal, movable, _find_functions(graph, movable),
    )  # fmt: skip
    accepted = rates.probability is not None and rates.probability.value > 0
    sample_hands = _sample_sets if accepted else partial(_sample_possible, sums)
    best = _cached(key, lambda: sample_hands(constrain(movable), tallies, predeal))
    # Add one ``or`` after the other, the rarest first, if the mixture has fewer candidates. With "auto", plan
    # a mixture only for a run that costs much more than this planning.
    choices = {
        slot: _find_operands(graph, slot)
        for slot in (movable if best is None else best.filters)
        if tallies[slot].share < MAX_RATE
    }
    chosen: tuple[int, ...] = ()
    for slot in sorted(choices, key=lambda slot: tallies[slot].share):
        slots = (*chosen, slot)
        n_branches = math.prod(len(choices[disjunction]) for disjunction in slots)
        share = Fraction(1) if best is None else best.share
        cost_ns = plain_cost_ns * min(1, float(share) * CANDIDATE_NS / DEAL_NS)
        if (
            not 2 <= n_branches <= MAX_BRANCHES
            or not share
            or (kind == "auto" and cost_ns < MIN_COST_RATIO * PLANNING_NS * n_branches)
        ):
            continue
        max_share = share if best is None else share * MAX_MIXTURE_RATIO
        sample = partial(_sample_mixture, graph, movable, slots, constrain, tallies, predeal, max_share)
        mixture = _cached((key, slots), sample)
        if mixture is not None:
            best, chosen = mixture, slots
    return best


def _find_functions(graph: OperationGraph, slots: Sequence[int]) -> tuple[Function, ...]:
    """Return the functions that clauses call; users can replace a function under the same name."""
    operations = (graph.operations[slot] for slot in sorted(graph.find_reachable(slots)))
    return tuple(operation.detail[0] for operation in operations if operation.kind == "call")


def _cached(key: object, find: Callable[[], Sampling | None]) -> Sampling | None:
    """Return the sampling for a key from the cache; if it is missing, find it and store it there."""
    with _lock:
        if key in cached_samplings:
            cached_samplings.move_to_end(key)
            return cached_samplings[key]
    sampling = find()
    with _lock:
        cached_samplings[key] = sampling
        while len(cached_samplings) > MAX_CACHED:
            cached_samplings.popitem(last=False)
    return sampling


def _sample_possible(
    sums: SuitSums, constraints: Constraints, tallies: Mapping[int, Tally], predeal: Predeal
) -> Sampling | None:
    """Return the sampling of sets of hands, which has no candidates if the clauses exclude each other."""
    from dealerkit.counting.totals import exclude_each_other

    if not exclude_each_other(sums, [clause.slot for clause in constraints.placements], predeal):
        return _sample_sets(constraints, tallies, predeal)
    # Remove clauses that are not part of the contradiction, because the others still exclude each other.
    excluding = tuple(clause.slot for clause in constraints.placements)
    for clause in constraints.placements:
        others = tuple(slot for slot in excluding if slot != clause.slot)
        if exclude_each_other(sums, others, predeal):
            excluding = others
    filters = tuple(clause.slot for clause in constraints.placements if clause.slot not in excluding)
    return Sampling(_build_mixture(sums.graph, ()), filters, constraints.placements)


def _sample_mixture(
    graph: OperationGraph,
    movable: tuple[int, ...],
    slots: tuple[int, ...],
    constrain: Callable[[tuple[int, ...]], Constraints],
    tallies: Mapping[int, Tally],
    predeal: Predeal,
    max_share: Fraction,
) -> Sampling | None:
    """Return the sampling of the branches of some ``or`` clauses, each together with the other clauses.

    It is None if a branch cannot be sampled, or if the shares add up to more than `max_share`.
    """
    common = tuple(other for other in movable if other not in slots)
    choices = [_find_operands(graph, slot) for slot in slots]
    parts = {part for operands in choices for conjuncts in operands.values() for part in conjuncts}
    new_slots = sorted(parts - set(movable))
    rates = estimate_rates(graph, new_slots, N_PLANNING_DEALS, predeal)
    tallies = {**tallies, **dict(zip(new_slots, rates.alone, strict=True))}

    def sample(clauses: tuple[int, ...]) -> Sampling | None:
        return _sample_sets(constrain(clauses), tallies, predeal)

    branches = _build_branches(common, choices, sample, max_share)
    if branches is None:
        return None
    possible = tuple(branch for branch in branches if branch.sampling.share)
    filters = [set(branch.sampling.filters) for branch in possible or branches]
    # Without candidates, a clause that one of the branches samples is part of the contradiction.
    remaining = set.union(*filters) if possible else set.intersection(*filters)
    return Sampling(
        _build_mixture(graph, possible),
        tuple(slot for slot in common if slot in remaining),
        constrain(movable).placements,
        slots,
        possible,
    )


def _sample_sets(constraints: Constraints, tallies: Mapping[int, Tally], predeal: Predeal) -> Sampling | None:
    """Return the sampling of seats or of a side that has the fewest candidates for each accepted deal."""
    # Short runs do not need to import these.
    from dealerkit.dealing.conditional.preparation import prepare_side_sampler
    from dealerkit.planning.constraints import remaining_clauses

    # Find the share of deals that pass the clauses about each seat and side, because sampling from a set that
    # most hands belong to saves nothing.
    seat_rates, side_rates = [1.0] * 4, [1.0] * 2
    narrowed = 0
    for clause in constraints.placements:
        rate = tallies[clause.slot].share
        if clause.target == "seat":
            seat_rates[clause.seats.bit_length() - 1] *= rate
        elif clause.target == "side":
            side_rates[clause.seats >> 1 & 1] *= rate
        narrowed |= clause.narrowed_seats
    seats: list[tuple[int, HandSet]] = []
    for seat in sorted(range(4), key=lambda seat: (seat_rates[seat], seat)):
        hand_set = constraints.seat_sets[seat]
        if hand_set is not None and (seat_rates[seat] < MAX_RATE or narrowed >> seat & 1):
            seats.append((seat, hand_set))
    # Prepare a sampler of the seats and one of each side, but leave out those whose tables are too large.
    prepared: list[tuple[int | None, PreparedSampler]] = []
    with contextlib.suppress(MemoryLimitError):
        if seats:
            prepared.append((None, _prepare_seats(seats, predeal)))
    for side, cards in enumerate(constraints.side_sets):
        with contextlib.suppress(MemoryLimitError):
            if cards is not None and side_rates[side] < MAX_RATE:
                prepared.append((side, prepare_side_sampler(side, cards, seats, predeal)))
    if not prepared:
        return None
    sampled_side, best = min(prepared, key=lambda sampler: sampler[1].share)
    if best.share > 1:
        return None
    # The clauses that the sampler does not guarantee are evaluated on its candidates.
    sampled_seats = sum(1 << seat for seat, _ in seats)
    filters = remaining_clauses(constraints.placements, sampled_seats, sampled_side)
    return Sampling(best.build(), filters, constraints.placements)


def _prepare_seats(seats: Sequence[tuple[int, HandSet]], predeal: Predeal) -> PreparedSampler:
    """Return the sampler for these seats in the order that needs approximately the fewest candidates.

    The suit lengths of the later seats are sampled together with the first hand. So the first seat should not
    be the one with the rarest hand, but one whose hand is rare among those with the same lengths.
    """
    from dealerkit.dealing.conditional.joint_lengths import n_joint_seats
    from dealerkit.dealing.conditional.preparation import prepare_seat_sampler

    shape_fractions = {seat: hand_set.shape_fraction for seat, hand_set in seats}
    shares = _estimate_shares(seats, predeal) if len(seats) > 1 else {}

    def estimate_candidates(order: Sequence[tuple[int, HandSet]]) -> tuple[float, list[float]]:
        first, *others = (seat for seat, _ in order)
        n_joint = n_joint_seats([hand_set for _, hand_set in order])
        rest = [shares[seat] / max(shape_fractions[seat], 1e-9) for seat in others]
        return shares.get(first, 1) * math.prod(shape_fractions[seat] for seat in others[:n_joint]), rest

    # Find the best order for each first seat, and try the next one if its table is too large.
    best_orders: dict[int, tuple[tuple[int, HandSet], ...]] = {}  # by first seat
    for order in sorted(permutations(seats), key=estimate_candidates):
        best_orders.setdefault(order[0][0], order)
    for order in best_orders.values():
        with contextlib.suppress(MemoryLimitError):  # raised if the first seat's table is too large
            return prepare_seat_sampler(order, predeal)
    raise MemoryLimitError("none of these seats can be sampled first")


def _estimate_shares(seats: Sequence[tuple[int, HandSet]], predeal: Predeal) -> dict[int, float]:
    """Return the share of each seat's hands in its set, counted if too few pilot hands are in the set."""
    from dealerkit.dealing.conditional.hand_tables import HandTable

    mask = sum(1 << seat for seat, _ in seats)
    hands = deal_range(SEED, 0, N_PILOT_HANDS, mask, predeal)
    shares: dict[int, float] = {}
    for seat, hand_set in seats:
        matches = int(hand_set.contains(hands[:, seat]).sum())
        shares[seat] = matches / N_PILOT_HANDS
        if matches < MIN_PILOT_MATCHES:
            with contextlib.suppress(MemoryLimitError):
                n_hands = math.comb(sum(predeal.free), predeal.needs[seat])
                shares[seat] = HandTable(hand_set).total / n_hands
    return shares


# ---------------------------------------------------------------- branches of `or`
def _find_operands(graph: OperationGraph, slot: int) -> dict[int, tuple[int, ...]]:
    """Return the conjuncts of each operand of an ``or``, by the operand's slot.

    The result is empty for other clauses, for an ``or`` of more than `MAX_BRANCHES` operands, and if a
    conjunct may have no value or contains random numbers.

    >>> from dealerkit.compiler.compilation import compile_condition
    >>> text = "hcp(north) > 9 and (hcp(east) > 19 and aces(east) == 4 or hcp(west) > 19)"
    >>> compiled = compile_condition(text)
    >>> operands = [_find_operands(compiled.graph, slot) for slot in compiled.clauses]
    >>> [[len(conjuncts) for conjuncts in clause.values()] for clause in operands]
    [[], [2, 1]]
    """
    operands = {
        operand: tuple(dict.fromkeys(graph.split_operands(operand, "and")))
        for operand in graph.split_operands(slot, "or")
    }
    total = all(graph.operations[part].total for parts in operands.values() for part in parts)
    is_usable = 2 <= len(operands) <= MAX_BRANCHES and total and not graph.has_kind(operands, "random")
    return operands if is_usable else {}


def _build_branches(
    common: Sequence[int],
    choices: Sequence[Mapping[int, tuple[int, ...]]],
    sample: Callable[[tuple[int, ...]], Sampling | None],
    max_share: Fraction,
) -> tuple[Branch, ...] | None:
    """Return all branches with their samplers, including those that no deal meets, with a share of 0.

    The result is None if a branch cannot be sampled, or if the shares add up to more than `max_share`.

    Parameters
    ----------
    common : sequence of int
        Slots of the other clauses.
    choices : sequence of mapping
        The operands of each ``or`` with their conjuncts; a branch has one operand of each.
    sample : callable
        A function of clauses' slots that returns the best sampling for them.
    max_share : Fraction
        Largest sum of the branches' shares.
    """
    branches: list[Branch] = []
    remaining_share = max_share
    for operands in product(*choices):
        parts = dict.fromkeys(
            part for slot, conjuncts in zip(operands, choices, strict=True) for part in conjuncts[slot]
        )
        sampling = sample(tuple(dict.fromkeys((*common, *parts))))
        if sampling is None or sampling.share > remaining_share:
            return None
        remaining_share -= sampling.share
        filters = tuple(part for part in parts if part in sampling.filters and part not in common)
        branches.append(Branch(operands, filters, sampling))
    return tuple(branches)


@dataclass(frozen=True, eq=False)
class FirstBranch:
    """The test of a mixture whether the branch that a deal was sampled for is the first that it meets."""

    graph: OperationGraph
    filters: tuple[tuple[int, ...], ...]  # for each branch, the slots that its sampler does not guarantee
    earlier: tuple[tuple[int, ...], ...]  # for each branch, the operands before its own, all of them false

    def seats(self, branch: int) -> int:
        """Return a bit set of the seats whose cards the test of a branch needs."""
        return self.graph.find_seats((*self.earlier[branch], *self.filters[branch]))

    def __call__(self, branch: int, hands: np.ndarray) -> np.ndarray:
        """Return the result, bool [n], for deals (uint64 [n, 4]) that were sampled for one branch."""
        columns = BatchColumns(self.graph, Deals(hands, check=False))
        truths = [columns.truth(slot) for slot in self.filters[branch]]
        truths += [~columns.truth(slot) for slot in self.earlier[branch]]
        return np.logical_and.reduce(truths) if truths else np.ones(len(hands), dtype=bool)


def _build_mixture(graph: OperationGraph, branches: Sequence[Branch]) -> Mixture:
    """Return the sampler of these branches, each of which some deals meet."""
    from dealerkit.dealing.conditional.mixture import Mixture  # short runs do not need to import it

    slots = [branch.slots for branch in branches]
    # List the operands of each ``or`` that are in a branch; no deal meets the others.
    operands = [tuple(dict.fromkeys(column)) for column in zip(*slots, strict=True)]
    earlier = tuple(
        tuple(slot for own, column in zip(row, operands, strict=True) for slot in column[: column.index(own)])
        for row in slots
    )
    test = FirstBranch(graph, tuple(branch.filters for branch in branches), earlier)
    samplers = tuple(branch.sampling.sampler for branch in branches)
    return Mixture(samplers, test, tuple(test.seats(branch) for branch in range(len(branches))))
