"""Deals of which the 26 cards of a side belong to a set, exactly: points or fits of partners together.

The side's cards are drawn first, by their number among all that the set allows, then
cut between the partners; the other side's cards are the rest. Any cut of the side is
as good as any other, unless a partner has a set of his own: then his lengths are drawn
with the side's, and his cards tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np

from dealerkit.cards.names import FULL_DECK, seat_number
from dealerkit.dealing.conditional.hand_set_shapes import packed
from dealerkit.dealing.conditional.hand_sets import HandSet, predealt_holdings
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.dealing.conditional.joint_lengths import OPEN, Joint, Options, options_of
from dealerkit.dealing.conditional.lookup_tables import heap_of, membership_of
from dealerkit.dealing.conditional.sampler import HandSetSampler, PreparedSampler, Step, first_of
from dealerkit.dealing.predeal import Predeal
from dealerkit.errors import ArgumentError


def build_side_sampler(
    side: int,
    handset: HandSet,
    seats: Sequence[tuple[int, HandSet]] = (),
    predeal: Predeal | None = None,
) -> HandSetSampler:
    """Prepare the tables of a sampler that draws a side's cards first.

    Parameters
    ----------
    side : {0, 1}
        NS or EW.
    handset : HandSet
        Of the side's 26 cards.
    seats : sequence of up to 4 (seat, HandSet)
        Seats N E S W = 0..3 whose hands are tested, each once, the most telling first. Lengths of
        one partner of each side are drawn with the side's, unless he may have nearly any shape.
    predeal : Predeal or None
        Folded into the sets; a seat with demands on its lengths or small cards that is not among
        `seats` is added to them.

    Returns
    -------
    HandSetSampler
        For `sample_range` and `sample_numbered`, with candidates of its own (`random.SIDES`).

    Raises
    ------
    ArgumentError
        For another side, a seat named twice, a side's set of 13 cards or a seat's set of 26.
    MemoryLimitError
        Where the side's table would be too large (`HandTable`).

    Examples
    --------
    Sides with a fit of nine spades or more:

    >>> from dealerkit.dealing.conditional.hand_set_shapes import list_shapes
    >>> all_hands = HandSet.all_hands(26)
    >>> fit = HandSet(all_hands.holdings, all_hands.codes, list_shapes(26)[:, :1] >= 9)
    >>> plan = build_side_sampler(0, fit)
    >>> plan.total, round(float(plan.share), 6), plan.certain
    (49430726431362, 0.099675, True)
    """
    return prepare_side_sampler(side, handset, seats, predeal).build()


def prepare_side_sampler(
    side: int,
    handset: HandSet,
    seats: Sequence[tuple[int, HandSet]] = (),
    predeal: Predeal | None = None,
) -> PreparedSampler:
    """As `build_side_sampler`, to be finished if it is taken."""
    predeal = predeal or Predeal()
    predeal.check()
    if side not in (0, 1):
        raise ArgumentError(f"a side is 0 (north-south) or 1 (east-west), not {side!r}")
    wanted = {seat_number(seat): own for seat, own in seats}
    if len(wanted) != len(seats):
        raise ArgumentError("a seat has one hand set in a side's plan; a seat is named twice")
    if handset.cards != 26 or any(own.cards != 13 for own in wanted.values()):
        raise ArgumentError("a side's hand set is of 26 cards, a seat's of 13")
    for seat, *_ in predeal.lengths + predeal.small:
        wanted.setdefault(seat, HandSet.all_hands())
    if predeal:
        handset = handset.restrict(_predealt(predeal, side))
        wanted = {seat: own.restrict(predealt_holdings(predeal, seat)) for seat, own in wanted.items()}
    order = _order(side, {seat: own.shape_fraction for seat, own in wanted.items()})
    table = HandTable(handset)
    joint, exact = _joint(table, side, order, wanted, predeal)
    needs, total = predeal.needs, joint.total
    share = Fraction(total, predeal.n_deals)
    for one, mate in (order[:2], order[2:]):
        if one not in exact:
            share *= comb(needs[one] + needs[mate], needs[one])
    asked = tuple((seat, wanted[seat]) for seat in order if seat in wanted)

    def build() -> HandSetSampler:
        if not total:
            return HandSetSampler(asked, 0, 0, share, side=side)
        steps = []
        for number, seat in enumerate(order):
            pool, last = int(seat % 2 != side), number % 2 == 1
            lengths = parts = heap = None
            if seat in exact:
                lengths = joint.options[exact.index(seat)]
            elif not last:
                parts, heap = heap_of(needs[seat] + needs[order[number + 1]], needs[seat])
            known = seat in exact or (last and order[number - 1] in exact)
            test = membership_of(wanted[seat], known) if seat in wanted else None
            steps.append(Step(seat, np.uint64(predeal.masks[seat]), pool, last, lengths, parts, heap, test))
        free = np.uint64(FULL_DECK ^ sum(predeal.masks))
        pools = (np.uint64(0), free), (np.uint64(FULL_DECK), free)
        first = first_of(joint, table)
        return HandSetSampler(asked, len(exact), total, share, pools, tuple(steps), first, side)

    return PreparedSampler(share, build)


def _predealt(predeal: Predeal, side: int) -> np.ndarray:
    """The holdings, bool [4, 8192], with the side's predealt cards and without the other side's."""
    all_hands = np.arange(8192)
    holdings = np.ones((4, 8192), dtype=bool)
    for seat, suit, rank in predeal.cards:
        holdings[suit] &= (all_hands >> rank & 1) == (seat % 2 == side)
    return holdings


def _order(side: int, shape_fraction: dict[int, float]) -> list[int]:
    """The seats in the order of dealing: side by side, of each the seat with the rarest shapes first."""
    halves = list(dict.fromkeys(seat % 2 for seat in (*shape_fraction, side, 1 - side)))
    return [
        seat
        for half in halves
        for seat in sorted((half, half + 2), key=lambda seat: (shape_fraction.get(seat, 2.0), seat))
    ]


def _joint(
    table: HandTable, side: int, order: list[int], wanted: dict[int, HandSet], predeal: Predeal
) -> tuple[Joint, list[int]]:
    """Classes of the lengths of the side and of the first seat of each side, and of which seats they are.

    Seats that may have nearly any shape are left out.
    """
    fixed = np.zeros((4, 4), dtype=np.int64)
    for seat, suit, _ in predeal.cards:
        fixed[seat, suit] += 1
    shape = np.flatnonzero(table.counts_by_shape)
    own = table.shapes[shape] - fixed[side] - fixed[side + 2]
    pools = {side: own, 1 - side: np.array(predeal.free) - own}
    options: list[Options] = []
    exact: list[int] = []
    for seat, mate in (order[:2], order[2:]):
        if seat in wanted and wanted[seat].shape_fraction <= OPEN:
            other = (wanted[mate], fixed[mate]) if mate in wanted else None
            options.append(options_of(packed(pools[seat % 2]), wanted[seat], fixed[seat], other))
            exact.append(seat)
    return Joint.of(shape, table.counts_by_shape[shape], options), exact
