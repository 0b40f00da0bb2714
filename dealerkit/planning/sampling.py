"""What conditional dealing draws: the sampler with the fewest candidates, for clauses or for branches.

Drawn are the hands that clauses about one seat demand (`dealing.conditional_seats`), or the cards that
clauses about a side demand of partners together (`dealing.conditional_sides`), whichever are rarer; the
other clauses are asked of what was drawn. Where an ``or`` leaves too little certain, each of its
branches is drawn in its turn (`branches`).
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING

from dealerkit.compiler.graph import OperationGraph
from dealerkit.dealing.conditional.protocol import MAX_BRANCHES, Sampler
from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.uniform.stream import deal_range
from dealerkit.errors import MemoryLimitError
from dealerkit.planning.disjunction import Branch, alternatives, make_branches, mixture_of
from dealerkit.planning.plan import Plan
from dealerkit.planning.rates import SEED, Rates, Tally, ask
from dealerkit.registry import Function

if TYPE_CHECKING:
    from dealerkit.counting.suit_sums import Forms
    from dealerkit.dealing.conditional.hand_sets import HandSet
    from dealerkit.dealing.conditional.sampler import PreparedSampler
    from dealerkit.planning.constraints import Analysis

# Nanoseconds on one thread of a 2020s processor: docs/performance.md
DEALT = 50.0  # a plain deal, dealt and asked
CANDIDATE = 200.0  # a candidate, drawn, dealt and asked
PLANNING = 1e7  # taking a condition apart and making its tables
WORTH = 3  # times what planning its branches takes: a run of so long looks for a mixture
PILOT = 8_192  # deals of the pilot
MARGIN = Fraction(4, 5)  # the share of a mixture by that of one plan, at most, for its further work
HANDS = 2048  # pilot hands that tell how rare a hand is, unless so few have met its demands:
FEW = 20
COMMON = 0.8  # a seat's clauses that so many hands meet are not worth a set
_KEPT = 32  # conditions whose tables are kept

_lock = threading.Lock()  # runs in several threads share what follows
_known: OrderedDict[object, Sampling | None] = OrderedDict()  # by condition; a mixture's by branches too


@dataclass(frozen=True, eq=False)
class Sampling:
    """What conditional dealing draws, and what is left to ask.

    Parameters
    ----------
    plan : HandSetSampler or Mixture
    filters : tuple of int
        Slots of the clauses that are asked of the deals.
    analysis : Analysis
        Of all clauses that may be asked in any order.
    alternatives : tuple of int
        Slots of the clauses whose branches are drawn, of a mixture.
    branches : tuple of Branch
        Of a mixture, one for each of its plans.
    """

    plan: Sampler
    filters: tuple[int, ...]
    analysis: Analysis = field(repr=False)
    alternatives: tuple[int, ...] = ()
    branches: tuple[Branch, ...] = field(default=(), repr=False)

    @property
    def share(self) -> Fraction:
        """Probability that a random deal is a candidate."""
        return self.plan.share

    @property
    def work(self) -> float:
        """Nanoseconds in place of those of a plain deal."""
        return float(self.share) * CANDIDATE / (float(MARGIN) if self.branches else 1)

    @property
    def impossible(self) -> bool:
        """Does no deal meet the clauses that are sampled?"""
        return not self.plan.share


def _functions(graph: OperationGraph, slots: Sequence[int]) -> tuple[Function, ...]:
    """The functions that clauses call: a user's own may be another one under the same name."""
    operations = (graph.operations[slot] for slot in sorted(graph.find_reachable(slots)))
    return tuple(one.detail[0] for one in operations if one.kind == "call")


def best_sampling(
    plan: Plan, movable: tuple[int, ...], rates: Rates, predeal: Predeal, plain: float, wish: str
) -> Sampling | None:
    """The best that can be drawn from; None where there is nothing. `plain` dealing costs so much."""
    from dealerkit.counting.suit_sums import Forms  # a short run does without its import

    program, forms = plan.program, Forms(plan.graph)
    tallies = dict(zip(movable, rates.alone, strict=True))  # a clause that stands twice is one
    key = (
        program.script.rules.name, tuple(program.definitions.items()), tuple(program.points.items()),
        program.condition, program.opener, predeal, movable, _functions(plan.graph, movable),
    )  # fmt: skip
    best = _remembered(key, lambda: _sets(forms, movable, tallies, predeal))
    asked = movable if best is None else best.filters
    choices = {slot: alternatives(plan.graph, slot) for slot in asked if rate_of(tallies[slot]) < COMMON}
    taken: tuple[int, ...] = ()
    for slot in sorted(choices, key=lambda slot: rate_of(tallies[slot])):
        slots = (*taken, slot)
        count = math.prod(len(choices[each]) for each in slots)
        share = Fraction(1) if best is None else best.share
        cost = min(plain, plain * float(share) * CANDIDATE / DEALT)
        if (
            not 2 <= count <= MAX_BRANCHES
            or not share
            or (wish == "auto" and cost < WORTH * PLANNING * count)
        ):
            continue
        most = share if best is None else share * MARGIN
        several = _remembered((key, slots), partial(_mixture, forms, movable, slots, tallies, predeal, most))
        if several is not None:
            best, taken = several, slots
    return best


def _remembered(key: object, make: Callable[[], Sampling | None]) -> Sampling | None:
    """What was made for this key, or is now."""
    with _lock:
        if key in _known:
            _known.move_to_end(key)
            return _known[key]
    found = make()
    with _lock:
        _known[key] = found
        while len(_known) > _KEPT:
            _known.popitem(last=False)
    return found


def rate_of(tally: Tally) -> float:
    """The share of pilot deals that met a clause."""
    return tally.passed / max(tally.asked, 1)


def _mixture(
    forms: Forms,
    movable: tuple[int, ...],
    slots: tuple[int, ...],
    tallies: Mapping[int, Tally],
    predeal: Predeal,
    most: Fraction,
) -> Sampling | None:
    """The branches of these clauses, each with the other clauses; None where their shares exceed `most`."""
    from dealerkit.planning.constraints import analyse

    graph = forms.graph
    common = tuple(other for other in movable if other not in slots)
    choices = [alternatives(graph, slot) for slot in slots]
    parts = {part for branches in choices for branch in branches for part in branch.parts} - set(movable)
    rates = ask(graph, sorted(parts), PILOT, predeal or None)
    known = {**tallies, **dict(zip(sorted(parts), rates.alone, strict=True))}
    branches = make_branches(common, choices, lambda slots: _sets(forms, slots, known, predeal), most)
    if branches is None:
        return None
    analysis = analyse(graph, movable, predeal, forms)
    possible = tuple(branch for branch in branches if branch.sampling.share)
    left = [set(branch.sampling.filters) for branch in possible or branches]
    # where nothing can be drawn, a clause matters that one of the branches draws
    asked = set.union(*left) if possible else set.intersection(*left)
    filters = tuple(other for other in common if other in asked)
    return Sampling(mixture_of(graph, possible), filters, analysis, slots, possible)


def _sets(
    forms: Forms, clauses: tuple[int, ...], tallies: Mapping[int, Tally], predeal: Predeal
) -> Sampling | None:
    """The sampler of hands or of a side that has the fewest candidates for each deal that is accepted."""
    from dealerkit.dealing.conditional.side_sampler import (
        prepare_side_sampler,  # a short run does without its import
    )
    from dealerkit.planning.constraints import analyse

    analysis = analyse(forms.graph, clauses, predeal, forms)
    chance = dict.fromkeys(range(4), 1.0)
    together = [1.0, 1.0]
    helped = 0
    for clause in analysis.clauses:
        rate = rate_of(tallies[clause.slot])
        if clause.where == "seat":
            chance[clause.seats.bit_length() - 1] *= rate
        elif clause.where == "side":
            together[clause.seats >> 1 & 1] *= rate
        helped |= clause.helps
    seats: list[tuple[int, HandSet]] = []
    for seat in sorted(chance, key=lambda seat: (chance[seat], seat)):
        handset = analysis.seats[seat]
        if handset is not None and (chance[seat] < COMMON or helped >> seat & 1):
            seats.append((seat, handset))
    mask = sum(1 << seat for seat, _ in seats)
    makers: list[tuple[int | None, Callable[[], PreparedSampler]]] = []
    if seats:
        makers.append((None, lambda: _best_draft(seats, predeal)))
    for side, cards in enumerate(analysis.sides):
        if cards is not None and together[side] < COMMON:
            makers.append((side, partial(prepare_side_sampler, side, cards, seats, predeal or None)))
    found: list[tuple[int | None, PreparedSampler]] = []
    for drawn, make in makers:
        with contextlib.suppress(MemoryLimitError):
            found.append((drawn, make()))
    if not found:
        return None
    drawn, best = min(found, key=lambda each: each[1].share)
    return Sampling(best.build(), analysis.filters(mask, drawn), analysis) if best.share <= 1 else None


def _best_draft(seats: Sequence[tuple[int, HandSet]], predeal: Predeal) -> PreparedSampler:
    """The draft for these seats in the order of dealing that leaves the fewest candidates, about.

    The lengths of the seats after the first are drawn with it, so it is not the rarest hand that
    should come first, but the one that is rare among the hands of its lengths.
    """
    from dealerkit.dealing.conditional.joint_lengths import n_joint_seats
    from dealerkit.dealing.conditional.seat_sampler import prepare_seat_sampler

    opens = {seat: handset.shape_fraction for seat, handset in seats}
    part = _parts(seats, predeal) if len(seats) > 1 else {}

    def candidates(order: Sequence[tuple[int, HandSet]]) -> tuple[float, list[float]]:
        first, *others = (seat for seat, _ in order)
        drawn = n_joint_seats([handset for _, handset in order])
        left = [part[seat] / max(opens[seat], 1e-9) for seat in others]
        return part.get(first, 1) * math.prod(opens[seat] for seat in others[:drawn]), left

    by_first: dict[int, tuple[tuple[int, HandSet], ...]] = {}
    for order in sorted(permutations(seats), key=candidates):
        by_first.setdefault(order[0][0], order)
    for best in by_first.values():
        with contextlib.suppress(MemoryLimitError):  # of the first seat's table
            return prepare_seat_sampler(best, predeal or None)
    raise MemoryLimitError("none of these seats can be drawn first")


def _parts(seats: Sequence[tuple[int, HandSet]], predeal: Predeal) -> dict[int, float]:
    """Which part of each seat's hands belongs to its set: counted where pilot hands tell too little."""
    from dealerkit.dealing.conditional.hand_tables import HandTable

    hands = deal_range(SEED, 0, HANDS, sum(1 << seat for seat, _ in seats), predeal or None)
    part: dict[int, float] = {}
    for seat, handset in seats:
        met = int(handset.contains(hands[:, seat]).sum())
        part[seat] = met / HANDS
        if met < FEW:
            with contextlib.suppress(MemoryLimitError):
                part[seat] = HandTable(handset).total / math.comb(sum(predeal.free), predeal.needs[seat])
    return part
