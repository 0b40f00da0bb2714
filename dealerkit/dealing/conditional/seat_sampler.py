"""Deals of which some seats' hands belong to sets, exactly: the tables of the sampler.

The lengths of the first seats and the first seat's hand are drawn exactly (`conditional_lengths`,
`conditional_tables`); the cards of every further seat are uniform among those left, and are tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dealerkit.cards.names import FULL_DECK, seat_number
from dealerkit.dealing.conditional.hand_sets import HandSet, predealt_holdings
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.dealing.conditional.joint_lengths import counts_of, joint_lengths
from dealerkit.dealing.conditional.lookup_tables import heap_of, membership_of
from dealerkit.dealing.conditional.sampler import HandSetSampler, PreparedSampler, Step, first_of
from dealerkit.dealing.predeal import Predeal
from dealerkit.errors import ArgumentError, PredealError


def build_seat_sampler(
    seats: Sequence[tuple[int, HandSet]],
    predeal: Predeal | None = None,
    exact: int = 3,
) -> HandSetSampler:
    """Prepare the tables of a conditional sampler.

    Parameters
    ----------
    seats : sequence of 1 to 4 (seat, HandSet)
        Seats N E S W = 0..3, each once. The first is drawn exactly, lengths and cards; the order of
        the others is the order of dealing and testing.
    predeal : Predeal or None
        Folded into the sets; a seat with demands on its lengths or small cards that is not among
        `seats` is added to them.
    exact : int, 1 to 3
        Lengths of at most so many seats are drawn exactly: all of them up to the first that may have
        nearly any shape (`conditional_lengths.n_joint_seats`). With 3, those of a fourth are exact too.

    Returns
    -------
    HandSetSampler

    Raises
    ------
    ArgumentError
        For no seats, a seat named twice, and sets of 26 cards.
    MemoryLimitError
        Where the first seat's table would be too large (`HandTable`).

    Examples
    --------
    A hand with nothing above the nine, by the rule of Lord Yarborough:

    >>> low = np.tile(np.arange(8192) < 256, (4, 1))
    >>> plan = build_seat_sampler([(0, HandSet.all_hands().restrict(low))])
    >>> round(float(1 / plan.share), 2)
    1828.04
    """
    return prepare_seat_sampler(seats, predeal, exact).build()


def prepare_seat_sampler(
    seats: Sequence[tuple[int, HandSet]], predeal: Predeal | None = None, exact: int = 3
) -> PreparedSampler:
    """As `build_seat_sampler`, to be finished if it is taken."""
    predeal = predeal or Predeal()
    predeal.check()
    wanted = [(seat_number(seat), handset) for seat, handset in seats]
    named = [seat for seat, _ in wanted]
    if not wanted or len(set(named)) != len(named):
        raise ArgumentError("a conditional plan is for one to four seats, each named once")
    if any(handset.cards != 13 for _, handset in wanted):
        raise ArgumentError("a conditional plan deals hands of 13 cards; a side has no hand set of its own")
    for seat in range(4):
        if seat not in named and any(demand[0] == seat for demand in predeal.lengths + predeal.small):
            wanted.append((seat, HandSet.all_hands()))
    complying = predeal.n_deals
    predeal = _with_certain_cards(predeal, wanted[1:])
    if predeal:
        wanted = [(seat, handset.restrict(predealt_holdings(predeal, seat))) for seat, handset in wanted]
    if not all(handset.shapes.size for _, handset in wanted):
        return _nothing(wanted)
    order = [seat for seat, _ in wanted]
    order += [seat for seat in range(4) if seat not in order]
    fixed = np.zeros((4, 4), dtype=np.int64)
    for seat, suit, _ in predeal.cards:
        fixed[order.index(seat), suit] += 1
    free = np.array(predeal.free, dtype=np.int64)
    needs = [predeal.needs[seat] for seat in order]

    hands = HandTable(wanted[0][1])
    joint = joint_lengths(hands, [handset for _, handset in wanted[1:]], fixed, free, exact)
    drawn = 1 + len(joint.options)
    total, rest = joint.total, needs[drawn:]
    share = Fraction(total * counts_of(sum(rest), rest), complying)
    if not total:
        return _nothing(wanted)

    def build() -> HandSetSampler:
        steps = []
        for place in range(1, 4):
            seat = order[place]
            lengths = parts = heap = test = None
            if place < drawn:
                lengths = joint.options[place - 1]
            elif place < 3:
                parts, heap = heap_of(sum(needs[place:]), needs[place])
            if place < len(wanted):
                test = membership_of(wanted[place][1], place < drawn or place == drawn == 3)
            mask = np.uint64(predeal.masks[seat])
            steps.append(Step(seat, mask, 0, place == 3, lengths, parts, heap, test))
        pool = np.uint64(FULL_DECK), np.uint64(FULL_DECK ^ sum(predeal.masks[seat] for seat in order[1:]))
        first = first_of(joint, hands)
        return HandSetSampler(tuple(wanted), drawn, total, share, (pool,), tuple(steps), first)

    return PreparedSampler(share, build)


def _nothing(wanted: Sequence[tuple[int, HandSet]]) -> PreparedSampler:
    """No hand of a set is possible: there is nothing to wait for."""
    return PreparedSampler(Fraction(0), lambda: HandSetSampler(tuple(wanted), 0, 0, Fraction(0)))


def _with_certain_cards(predeal: Predeal, seats: list[tuple[int, HandSet]]) -> Predeal:
    """The same and the cards that every hand of a set holds: as good as predealt, and never missed."""
    if predeal.small:  # which of the cards below the ten are small depends on the predeal
        return predeal
    owners = {card[1:]: card[0] for card in predeal.cards}
    cards = dict(owners)
    for seat, handset in seats:
        for suit in range(4):
            held = np.flatnonzero(handset.holdings[suit])
            common = int(np.bitwise_and.reduce(held)) if held.size else 0
            cards |= {
                (suit, rank): seat for rank in range(13) if common >> rank & 1 and (suit, rank) not in cards
            }
    more = tuple((seat, *card) for card, seat in cards.items() if card not in owners)
    wider = predeal + Predeal(more)
    try:
        wider.check()
    except PredealError:  # more cards than a hand holds: no deal complies, as the sets tell
        wider = predeal
    return wider
