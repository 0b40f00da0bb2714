"""Samplers of deals in which the hands of one to four seats belong to sets; see `sampler`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dealerkit.cards.names import FULL_DECK, seat_number
from dealerkit.dealing.card_splits import count_divisions
from dealerkit.dealing.conditional.hand_sets import HandSet, predealt_holdings
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.dealing.conditional.joint_lengths import build_length_classes
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
    """Return a sampler of the hands of some seats, its tables not built yet.

    Parameters
    ----------
    seats : sequence of 1 to 4 (seat, HandSet)
        Seats N E S W = 0..3, each once, in the order of dealing: the first hand is sampled exactly,
        the others are tested.
    predeal : Predeal or None
        Its cards are included in the sets; a seat with predealt lengths or small cards that is not
        among `seats` is added to them.
    max_exact_seats : int, 1 to 3
        Maximum number of seats whose lengths are sampled exactly; those from the first on that may have
        nearly any shape are not (`joint_lengths.n_joint_seats`). With 3, those of a fourth are exact too.

    Returns
    -------
    PreparedSampler

    Raises
    ------
    ArgumentError
        For no seats, a repeated seat, and sets of 26 cards.
    MemoryLimitError
        If the first seat's table is too large (`HandTable`).

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
        raise ArgumentError("the hand set of a seat has hands of 13 cards; use a side's sampler for 26")
    for seat, *_ in sorted(predeal.lengths + predeal.small):
        sets.setdefault(seat, HandSet.all_hands())
    # Fix the cards that every hand of a set holds, and keep the holdings that contain the predealt ones.
    n_deals = predeal.n_deals
    predeal = _add_certain_cards(predeal, list(sets.items())[1:])
    if predeal:
        sets = {seat: own.restrict(predealt_holdings(predeal, seat)) for seat, own in sets.items()}
    if not all(hand_set.shapes.size for hand_set in sets.values()):
        return _prepare_empty(sets)
    # Count the accepted lengths exactly. The remaining free cards are divided among the other seats in any
    # way, so the number of candidates is the product of both, and their share that number among all deals.
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
    """Return the predeal and the cards that all hands of a set hold: predealt cards are never rejected."""
    if predeal.small:  # which of the cards below the ten are small depends on the predeal
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
