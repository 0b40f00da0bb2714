"""Samplers of deals in which the 26 cards of a side belong to a set, such as sides with a fit in spades.

The side's cards are sampled first, as one of the numbered sides of the set, then split between the partners;
the other side gets the rest. All splits are equally likely, unless a partner has a set of his own: then his
lengths are sampled with the side's, and his cards are tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np

from dealerkit.cards.names import FULL_DECK, seat_number
from dealerkit.dealing.conditional.hand_sets import HandSet, pack_lengths, predealt_holdings
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.dealing.conditional.joint_lengths import (
    MAX_SHAPE_FRACTION,
    LengthClasses,
    LengthOptions,
    list_length_options,
)
from dealerkit.dealing.conditional.lookup_tables import build_membership_test, build_open_split
from dealerkit.dealing.conditional.sampler import (
    HandSetSampler,
    PreparedSampler,
    SeatStep,
    build_first_tables,
)
from dealerkit.dealing.predeal import Predeal
from dealerkit.errors import ArgumentError


def prepare_side_sampler(
    side: int,
    hand_set: HandSet,
    seats: Sequence[tuple[int, HandSet]] = (),
    predeal: Predeal | None = None,
) -> PreparedSampler:
    """Return a sampler of a side's cards and of the hands of some seats, its tables not built yet.

    Parameters
    ----------
    side : {0, 1}
        NS or EW.
    hand_set : HandSet
        Of the side's 26 cards.
    seats : sequence of up to 4 (seat, HandSet)
        Seats N E S W = 0..3 whose hands are tested, each once, the most selective first. Lengths of
        one partner of each side are sampled with the side's, unless he may have nearly any shape.
    predeal : Predeal or None
        Its cards are included in the sets; a seat with predealt lengths or small cards that is not
        among `seats` is added to them.

    Returns
    -------
    PreparedSampler
        Its candidates have random words of their own (`random_words.SIDES`).

    Raises
    ------
    ArgumentError
        For another side, a repeated seat, a side's set of 13 cards or a seat's set of 26.
    MemoryLimitError
        If the side's table is too large (`HandTable`).

    Examples
    --------
    Sides with a fit of nine spades or more:

    >>> from dealerkit.dealing.conditional.hand_sets import list_shapes
    >>> sides = HandSet.all_hands(26)
    >>> fit = HandSet(sides.holdings, sides.codes, list_shapes(26)[:, :1] >= 9)
    >>> sampler = prepare_side_sampler(0, fit).build()
    >>> sampler.total, round(float(sampler.share), 6), sampler.accepts_all
    (49430726431362, 0.099675, True)
    """
    # Check the sets, and give every seat with lengths or small cards of the predeal a set.
    predeal = predeal or Predeal()
    predeal.check()
    if side not in (0, 1):
        raise ArgumentError(f"a side is 0 (north-south) or 1 (east-west), not {side!r}")
    sets = {seat_number(seat): own for seat, own in seats}
    if len(sets) != len(seats):
        raise ArgumentError("a seat has one hand set in a side's sampler; a seat is named twice")
    if hand_set.n_cards != 26 or any(own.n_cards != 13 for own in sets.values()):
        raise ArgumentError("a side's hand set is of 26 cards, a seat's of 13")
    for seat, *_ in predeal.lengths + predeal.small:
        sets.setdefault(seat, HandSet.all_hands())
    # Keep the holdings that contain the predealt cards.
    if predeal:
        hand_set = hand_set.restrict(predealt_holdings(predeal, side, side + 2))
        sets = {seat: own.restrict(predealt_holdings(predeal, seat)) for seat, own in sets.items()}
    # Count the accepted lengths exactly. A partner whose lengths are not sampled exactly gets any of his
    # side's free cards, in a binomial number of ways.
    order = _order_seats(side, {seat: own.shape_fraction for seat, own in sets.items()})
    table = HandTable(hand_set)
    classes, exact_seats = _build_classes(table, side, order, sets, predeal)
    needs, total = predeal.needs, classes.total
    share = Fraction(total, predeal.n_deals)
    for seat, partner in (order[:2], order[2:]):
        if seat not in exact_seats:
            share *= comb(needs[seat] + needs[partner], needs[seat])
    tested = tuple((seat, sets[seat]) for seat in order if seat in sets)

    # Tables are built only for a sampler that the plan uses.
    def build() -> HandSetSampler:
        if not total:
            return HandSetSampler(tested, 0, 0, share, side=side)
        steps = []
        for number, seat in enumerate(order):
            pool, is_last = int(seat % 2 != side), number % 2 == 1
            options = open_split = None
            if seat in exact_seats:
                options = classes.options[exact_seats.index(seat)]
            elif not is_last:
                open_split = build_open_split(needs[seat] + needs[order[number + 1]], needs[seat])
            has_allowed_shape = seat in exact_seats or (is_last and order[number - 1] in exact_seats)
            test = build_membership_test(sets[seat], has_allowed_shape) if seat in sets else None
            mask = np.uint64(predeal.masks[seat])
            steps.append(SeatStep(seat, mask, pool, is_last, options, open_split, test))
        # The cards of the side are sampled first; its opponents get all others.
        free = np.uint64(FULL_DECK ^ sum(predeal.masks))
        pools = (np.uint64(0), free), (np.uint64(FULL_DECK), free)
        first = build_first_tables(classes, table)
        return HandSetSampler(tested, len(exact_seats), total, share, pools, tuple(steps), first, side)

    return PreparedSampler(share, build)


def _order_seats(side: int, shape_fractions: dict[int, float]) -> list[int]:
    """Return the seats in the order of dealing: side by side, the seat with the rarer shapes first."""
    halves = list(dict.fromkeys(seat % 2 for seat in (*shape_fractions, side, 1 - side)))
    return [
        seat
        for half in halves
        for seat in sorted((half, half + 2), key=lambda seat: (shape_fractions.get(seat, 2.0), seat))
    ]


def _build_classes(
    table: HandTable, side: int, order: list[int], sets: dict[int, HandSet], predeal: Predeal
) -> tuple[LengthClasses, list[int]]:
    """Return the classes of the lengths of the side and of the first seat of each side, and these seats.

    A seat that may have nearly any shape is not among them.
    """
    fixed = np.array(predeal.counts, dtype=np.int64)
    shape = np.flatnonzero(table.counts_by_shape)
    own = table.shapes[shape] - fixed[side] - fixed[side + 2]
    free = {side: own, 1 - side: np.array(predeal.free) - own}
    options: list[LengthOptions] = []
    exact_seats: list[int] = []
    for seat, partner in (order[:2], order[2:]):
        if seat in sets and sets[seat].shape_fraction <= MAX_SHAPE_FRACTION:
            last = (sets[partner], fixed[partner]) if partner in sets else None
            options.append(list_length_options(pack_lengths(free[seat % 2]), sets[seat], fixed[seat], last))
            exact_seats.append(seat)
    return LengthClasses.weigh(shape, table.counts_by_shape[shape], options), exact_seats
