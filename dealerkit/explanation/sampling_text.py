"""What a conditional run draws, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dealerkit.cards.names import SEATS
from dealerkit.compiler.graph import OperationGraph
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.language.printer import to_text
from dealerkit.planning.plan import Sampling
from dealerkit.wording import format_number, join_words, shorten


def drawing(
    sampling: Sampling, graph: OperationGraph, numbers: Callable[[Sequence[int]], list[str]]
) -> Iterator[str]:
    """Which hands are drawn, from which sets, and how many deals have such.

    Parameters
    ----------
    sampling : Sampling
        With at least one candidate.
    graph : OperationGraph
    numbers : callable
        The numbers of the clauses with these slots, none for a part of a branch.
    """
    share = format_number(float(1 / sampling.share), 4)
    if not sampling.disjunctions:
        yield from _hands(sampling, numbers)
        yield f"Exactly 1 deal in {share} is such a candidate; no other is dealt."
        return
    which = numbers(sampling.disjunctions)
    label = f"clause{'s' * (len(which) > 1)} {join_words(which)}" if which else "the condition"
    yield f"Each candidate is drawn for one branch of {label}, and kept if that is the first branch it meets."
    for branch in sampling.branches:
        own = branch.sampling.share
        lines = " ".join(_hands(branch.sampling, numbers))
        texts = (shorten(to_text(graph.operations[slot].node)) for slot in branch.slots)
        part = format_number(100 * float(own / sampling.share), 3)
        chance = f"{part} % of them, 1 deal in {format_number(float(1 / own), 4)}"
        asked = ", ".join(f"`{shorten(to_text(graph.operations[one].node))}`" for one in branch.filters)
        rest = f" It is asked {asked}." if asked else ""
        named = " with ".join(f"`{text}`" for text in texts)
        yield f"For {named} ({chance}): {lines[0].lower()}{lines[1:]}{rest}"
    yield f"The chances of the branches add up to exactly 1 deal in {share}; no others are dealt."


def _hands(sampling: Sampling, numbers: Callable[[Sequence[int]], list[str]]) -> Iterator[str]:
    """The hands that one plan draws, in their order."""
    from dealerkit.dealing.conditional.sampler import HandSetSampler

    made = sampling.sampler
    assert isinstance(made, HandSetSampler)
    drawn: dict[int, list[int]] = {}
    for clause in sampling.placements:
        if clause.slot not in sampling.filters:
            drawn.setdefault(clause.seats, []).append(clause.slot)

    def told(mask: int) -> list[str]:
        slots = drawn.get(mask, ())
        unnumbered = any(not numbers([slot]) for slot in slots)
        return ["it"] * unnumbered + numbers(slots)

    if made.side is None:
        (first, handset), *later = made.seats
        hands = f"the {HandTable(handset).total:,} hands that {_allowed(told(1 << first))}"
        yield f"First {SEATS[first]}'s hand is drawn, exactly, from {hands}."
    else:
        later = list(made.seats)
        pair = join_words(SEATS[seat] for seat in (made.side, made.side + 2))
        yield (
            f"First the 26 cards of {pair} together are drawn, exactly, from those that "
            f"{_allowed(told(0b0101 << made.side))}."
        )
    tests = {step.seat: step.test is not None for step in made.steps}
    for place, (seat, _) in enumerate(later, 1):
        known = (
            place < made.n_exact_seats or place == made.n_exact_seats == 3
        )  # those of three leave a fourth its own
        lengths = "lengths are drawn with it, its " if made.side is None and known else ""
        by = told(1 << seat)
        tested = (" and tested" + (f" by {join_words(by)}" if by else "")) if tests[seat] else ""
        yield f"Then {SEATS[seat]}'s: its {lengths}cards are dealt{tested} before any others."


def _allowed(names: list[str]) -> str:
    """What the branch ("it") and clauses with these numbers do."""
    own, clauses = names[:1] == ["it"], [name for name in names if name != "it"]
    if not names:
        return "are left to it"
    said = f"clause{'s' * (len(clauses) > 1)} {join_words(clauses)}" if clauses else ""
    return f"{' and '.join(['it'] * own + [said] * bool(said))} allow{'s' * (len(names) == 1)}"
