"""Preparing samplers for the sets that the hands of seats, or the 26 cards of a side, belong to.

For a side with a fit in spades, for example, the side's cards are sampled first, as one of the numbered sides
in its set, and then split between the partners; the other side gets the rest. All splits are equally likely,
unless a partner has a set too: then this seat's lengths are sampled with the side's, and its cards are
tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np

from dealerkit.cards.names import FULL_DECK, seat_number
from dealerkit.dealing.card_splits import count_divisions
from dealerkit.dealing.conditional.hand_sets import HandSet, pack_lengths, predealt_holdings
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.dealing.conditional.joint_lengths import (
    MAX_SHAPE_FRACTION,
    LengthClasses,
    LengthOptions,
    build_length_classes,
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
from dealerkit.errors import ArgumentError, PredealError


def prepare_seat_sampler(
    seats: Sequence[tuple[int, HandSet]], predeal: Predeal | None = None, max_exact_seats: int = 3
) -> PreparedSampler:
    """Return a sampler of the hands of some seats, without building its tables.

    Parameters
    ----------
    seats : sequence of 1 to 4 (seat, HandSet)
        Seats N E S W = 0..3, each once, in the order of dealing. The first hand is sampled exactly; the
        others are tested.
    predeal : Predeal or None
        Its cards are included in the sets; a seat with predealt lengths or small cards that is not
        among `seats` is added to them.
    max_exact_seats : int, 1 to 3
        Maximum number of seats whose lengths are sampled exactly. From the first seat that may have nearly
        any shape on, lengths are not sampled exactly (`joint_lengths.n_joint_seats`). With 3 such seats, the
        lengths of the fourth are exact too.

    Returns
    -------
    PreparedSampler

    Raises
    ------
    ArgumentError
        There is no seat, a seat is repeated, or a set is one of 26 cards.
    PredealError
        No deal complies with the predeal.
    MemoryLimitError
        The first seat's table is too large (`HandTable`).

    Examples
    --------
    A hand with nothing above the nine, by the rule of Lord Yarborough:

    >>> low = np.tile(np.arange(8192) < 256, (4, 1))
    >>> round(float(1 / prepare_seat_sampler([(0, HandSet.all_hands().restrict(low))]).share), 2)
    1828.04
    """
    # Check the sets, and give every seat with lengths or small cards of the predeal a set.
    predeal = predeal or Predeal()
    predeal.check()
    sets = {seat_number(seat): hand_set for seat, hand_set in seats}
    if not sets or len(sets) != len(seats):
        raise ArgumentError("a conditional sampler is for one to four seats, each named once")
    if any(hand_set.n_cards != 13 for hand_set in sets.values()):
        raise ArgumentError(
            "the hand set of a seat must have hands of 13 cards; for 26, use a side's sampler"
        )
    for seat, *_ in sorted(predeal.lengths + predeal.small):
        sets.setdefault(seat, HandSet.all_hands())
    # Predeal the cards that every hand of a set holds, and keep the holdings that contain the predealt ones.
    n_deals = predeal.n_deals
    predeal = _add_certain_cards(predeal, list(sets.items())[1:])
    if predeal:
        sets = {seat: own.restrict(predealt_holdings(predeal, seat)) for seat, own in sets.items()}
    if not all(hand_set.shapes.size for hand_set in sets.values()):
        return _prepare_empty(sets)
    # Count the ways to give cards with accepted lengths exactly. The remaining free cards are divided among
    # the other seats in any way, so the number of candidates is the product of both counts. The share is this
    # product divided by the number of all deals.
    order = list(dict.fromkeys([*sets, 0, 1, 2, 3]))
    fixed = np.array(predeal.counts, dtype=np.int64)[order]
    free = np.array(predeal.free, dtype=np.int64)
    needs = [predeal.needs[seat] for seat in order]

    first_set, *others = sets.values()
    table = HandTable(first_set)
    classes = build_length_classes(table, others, fixed, free, max_exact_seats)
    n_exact = 1 + len(classes.options)
    total, rest = classes.total, needs[n_exact:]
    share = Fraction(total * count_divisions(rest), n_deals)
    if not total:
        return _prepare_empty(sets)

    # Tables are built only for a sampler that the plan uses.
    def build() -> HandSetSampler:
        steps = []
        for place in range(1, 4):
            seat = order[place]
            options = open_split = test = None
            if place < n_exact:
                options = classes.options[place - 1]
            elif place < 3:
                open_split = build_open_split(sum(needs[place:]), needs[place])
            if seat in sets:
                test = build_membership_test(sets[seat], place < n_exact or place == n_exact == 3)
            mask = np.uint64(predeal.masks[seat])
            steps.append(SeatStep(seat, mask, 0, place == 3, options, open_split, test))
        pool = np.uint64(FULL_DECK), np.uint64(FULL_DECK ^ sum(predeal.masks[seat] for seat in order[1:]))
        first = build_first_tables(classes, table)
        return HandSetSampler(tuple(sets.items()), n_exact, total, share, (pool,), tuple(steps), first)

    return PreparedSampler(share, build)


def _prepare_empty(sets: dict[int, HandSet]) -> PreparedSampler:
    """Return a sampler without candidates, for sets that no deal complies with."""
    return PreparedSampler(Fraction(0), lambda: HandSetSampler(tuple(sets.items()), 0, 0, Fraction(0)))


def _add_certain_cards(predeal: Predeal, sets: list[tuple[int, HandSet]]) -> Predeal:
    """Return the predeal with the cards that all hands of a set hold; predealt cards are never rejected."""
    if predeal.small:  # naming more cards would change which cards below the ten count as small
        return predeal
    # A card is certain if it is in every allowed holding of its suit.
    owners = {(suit, rank): seat for seat, suit, rank in predeal.cards}
    for seat, hand_set in sets:
        for suit in range(4):
            holdings = np.flatnonzero(hand_set.holdings[suit])
            common = int(np.bitwise_and.reduce(holdings)) if holdings.size else 0
            for rank in range(13):
                if common >> rank & 1:
                    owners.setdefault((suit, rank), seat)
    extended = Predeal(tuple((seat, *card) for card, seat in owners.items()), predeal.lengths)
    try:
        extended.check()
    except PredealError:  # more cards than a hand holds: the sets have no common deal
        return predeal
    return extended


def prepare_side_sampler(
    side: int,
    hand_set: HandSet,
    seats: Sequence[tuple[int, HandSet]] = (),
    predeal: Predeal | None = None,
) -> PreparedSampler:
    """Return a sampler of a side's cards and of the hands of some seats, without building its tables.

    Parameters
    ----------
    side : {0, 1}
        NS or EW.
    hand_set : HandSet
        The set of the side's 26 cards.
    seats : sequence of up to 4 (seat, HandSet)
        Seats N E S W = 0..3 whose hands are tested, each once, the most selective first. The lengths of one
        partner of each side are sampled with the side's, unless this seat may have nearly any shape.
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
        The side is neither 0 nor 1, a seat is repeated, the side's set is one of 13 cards, or a seat's set is
        one of 26.
    PredealError
        No deal complies with the predeal.
    MemoryLimitError
        The side's table is too large (`HandTable`).

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
        raise ArgumentError("a seat is named twice; it can have one hand set in a side's sampler")
    if hand_set.n_cards != 26 or any(own.n_cards != 13 for own in sets.values()):
        raise ArgumentError("a side's hand set must have 26 cards, and a seat's 13")
    for seat, *_ in predeal.lengths + predeal.small:
        sets.setdefault(seat, HandSet.all_hands())
    # Keep the holdings that contain the predealt cards.
    if predeal:
        hand_set = hand_set.restrict(predealt_holdings(predeal, side, side + 2))
        sets = {seat: own.restrict(predealt_holdings(predeal, seat)) for seat, own in sets.items()}
    # Count the ways to give cards with accepted lengths exactly. A side without exact lengths of a partner is
    # split in any way; the number of ways is a binomial coefficient.
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
    """Return the seats in the order of dealing: side after side, and the seat with the rarer shapes first."""
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

    A first seat that may have nearly any shape is left out.
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
