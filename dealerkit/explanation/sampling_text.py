"""The hands that a conditional run samples, in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dealerkit.appearance.numbers import format_significant
from dealerkit.appearance.wording import join_words, shorten
from dealerkit.cards.names import SEATS
from dealerkit.compiler.graph import OperationGraph
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.explanation.phrases import join_numbered
from dealerkit.language.printer import to_text
from dealerkit.planning.plan import Sampling

_BRANCH = "the branch"

ListNumbers = Callable[[Sequence[int]], list[str]]


def describe_sampling(sampling: Sampling, graph: OperationGraph, list_numbers: ListNumbers) -> Iterator[str]:
    """Yield sentences about the sampled hands, their sets, and the share of deals with such hands.

    The sampling has candidates; `list_numbers` returns the numbers of the clauses with given slots.
    """
    share = format_significant(float(1 / sampling.share), 4)
    if not sampling.disjunctions:
        yield from _describe_hands(sampling, list_numbers)
        yield f"Exactly 1 deal in {share} is a candidate; no other deals are dealt."
        return
    numbers = list_numbers(sampling.disjunctions)
    disjunctions = join_numbered("clause", numbers) if numbers else "the condition"
    yield f"Each candidate is sampled for one branch of {disjunctions}, and kept if it meets no earlier one."
    for branch in sampling.branches:
        branch_share = branch.sampling.share
        hands = " ".join(_describe_hands(branch.sampling, list_numbers))
        percentage = format_significant(100 * float(branch_share / sampling.share), 3)
        chance = f"{percentage} % of them, 1 deal in {format_significant(float(1 / branch_share), 4)}"
        operands = " with ".join(_quote(graph, branch.slots))
        filters = list(_quote(graph, branch.filters))
        rest = f" Evaluated on the candidates: {join_words(filters)}." if filters else ""
        yield f"For {operands} ({chance}): {hands[0].lower()}{hands[1:]}{rest}"
    yield f"The shares of the branches add up to exactly 1 deal in {share}; no other deals are dealt."


def _quote(graph: OperationGraph, slots: Sequence[int]) -> Iterator[str]:
    return (f"`{shorten(to_text(graph.operations[slot].node))}`" for slot in slots)


def _describe_hands(sampling: Sampling, list_numbers: ListNumbers) -> Iterator[str]:
    """Yield a sentence about each hand that one sampler samples, in their order."""
    from dealerkit.dealing.conditional.sampler import HandSetSampler

    sampler = sampling.sampler
    assert isinstance(sampler, HandSetSampler)
    slots_by_seats: dict[int, list[int]] = {}
    for placement in sampling.placements:
        if placement.slot not in sampling.filters:
            slots_by_seats.setdefault(placement.seats, []).append(placement.slot)

    def list_names(seats: int) -> list[str]:
        """Return the clauses that are sampled for these seats, the branch for parts of clauses."""
        slots = slots_by_seats.get(seats, [])
        numbers = list_numbers(slots)
        clauses = [join_numbered("clause", numbers)] if numbers else []
        return [_BRANCH] * any(not list_numbers([slot]) for slot in slots) + clauses

    if sampler.side is None:
        (first, hand_set), *later = sampler.seats
        cards = f"{SEATS[first]}'s hand is sampled"
        hands, names = f"the {HandTable(hand_set).total:,} hands", list_names(1 << first)
    else:
        later = list(sampler.seats)
        pair = join_words(SEATS[seat] for seat in (sampler.side, sampler.side + 2))
        cards, hands = f"the 26 cards of {pair} together are sampled", "those"
        names = list_names(0b0101 << sampler.side)
    is_singular = len(names) == 1 and not names[0].startswith("clauses")
    allowed = f"that {' and '.join(names)} allow{'s' * is_singular}" if names else "that are possible"
    yield f"First {cards} exactly, from {hands} {allowed}."
    tested = {step.seat for step in sampler.steps if step.test is not None}
    for position, (seat, _) in enumerate(later, 1):
        # If the lengths of three hands are sampled, those of the fourth follow.
        has_lengths = position < sampler.n_exact_seats or position == sampler.n_exact_seats == 3
        lengths = (
            "its suit lengths are sampled with the first hand, "
            if sampler.side is None and has_lengths
            else ""
        )
        names = list_names(1 << seat)
        test = f" and tested{' by ' + ' and '.join(names) if names else ''}" if seat in tested else ""
        yield f"Then {SEATS[seat]}'s hand: {lengths}its cards are dealt{test} before any others."
