"""What a condition demands of each hand, of each side, and what only a look at the deal can tell.

Each clause is a function of a few sums over suits, or it is not (`forms`). A clause about one
hand becomes part of that hand's `HandSet`, one about the cards of a side together part of the
side's; then no deal need be made to test it. All others are filters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dealerkit.cards.names import SEATS, SIDES, SUITS
from dealerkit.compiler.graph import OperationGraph
from dealerkit.counting.features import Abstraction, Feature, NotAdditive, abstract, conjuncts_of
from dealerkit.counting.suit_sums import Forms
from dealerkit.dealing.conditional.hand_set_shapes import HOLDING_LENGTHS
from dealerkit.dealing.conditional.hand_sets import HandSet, predealt_holdings
from dealerkit.dealing.predeal import Predeal
from dealerkit.planning.hand_set_builder import Gathered


@dataclass(frozen=True)
class Clause:
    """Where a clause of the condition went.

    Parameters
    ----------
    slot : int
    where : {"seat", "side", "lengths", "filter"}
        ``seat``: the set of one hand tells it; ``side``: the set of a side's 26 cards; ``lengths``:
        it depends on suit lengths of several seats; ``filter``: it is asked of dealt cards.
    seats : int
        Bit set of the seats on which it depends.
    why : str
        In words, for `explain`.
    helps : int
        Bit set of the seats whose sets a necessary part of the clause narrows.
    """

    slot: int
    where: str
    seats: int
    why: str
    helps: int = 0


@dataclass(frozen=True, eq=False)
class Analysis:
    """A condition taken apart.

    Attributes
    ----------
    clauses : tuple of Clause
        In the order given.
    seats : tuple of (HandSet or None), N E S W
        The hands that the clauses about a seat alone and the predeal allow; None: any that the
        other seats' predealt cards leave.
    sides : tuple of (HandSet or None), NS EW
        The 26 cards that the clauses about a side together and the predeal allow.
    lengths : tuple of (slot, Abstraction)
        Clauses on the suit lengths of several seats, as functions of these.
    even : tuple of bool, N E S W
        Does every hand that the predeal leaves to the seat leave as many deals? Not so where
        other seats have lengths or small cards demanded.
    """

    clauses: tuple[Clause, ...]
    seats: tuple[HandSet | None, ...]
    sides: tuple[HandSet | None, ...]
    lengths: tuple[tuple[int, Abstraction], ...] = field(default=(), repr=False)
    even: tuple[bool, ...] = (True, True, True, True)

    def filters(self, seats: int = 0, side: int | None = None) -> tuple[int, ...]:
        """The slots that are still to be asked when these sets are kept.

        Parameters
        ----------
        seats : int
            Bit set of the seats whose hands are taken from their sets.
        side : {0, 1} or None
            The side whose cards are taken from its set.
        """
        kept = {("seat", 1 << seat) for seat in range(4) if seats >> seat & 1}
        if side is not None:
            kept.add(("side", 0b0101 << side))
        return tuple(clause.slot for clause in self.clauses if (clause.where, clause.seats) not in kept)


def analyse(
    graph: OperationGraph, clauses: Iterable[int], predeal: Predeal | None = None, forms: Forms | None = None
) -> Analysis:
    """Take a condition apart.

    Parameters
    ----------
    graph : OperationGraph
    clauses : iterable of int
        Slots, all of which are to be true.
    predeal : Predeal, optional
    forms : Forms, optional
        What is known of these clauses already.

    Returns
    -------
    Analysis

    Examples
    --------
    >>> from dealerkit.language.dialects import MODERN
    >>> from dealerkit.language.parser import parse_script
    >>> from dealerkit.language.checks import check_script
    >>> text = "condition hcp(north) >= 20 and fit(NS) > 7 and cccc(north) > 21"
    >>> program = check_script(parse_script(text, MODERN))
    >>> graph = OperationGraph(program.script.rules)
    >>> found = analyse(graph, graph.split_clauses(program.condition))
    >>> [clause.where for clause in found.clauses]
    ['seat', 'side', 'filter']
    >>> found.clauses[2].why
    'cccc is no sum over suits'
    """
    given = predeal or Predeal()
    forms = forms or Forms(graph)
    seats = [Gathered(forms, 13) for _ in range(4)]
    sides = [Gathered(forms, 26) for _ in range(2)]
    found: list[Clause] = []
    lengths: list[tuple[int, Abstraction]] = []
    for slot in dict.fromkeys(clauses):
        clause, told = _placed(forms, slot, seats, sides)
        found.append(clause)
        if clause.where == "lengths" and told is not None:
            lengths.append((slot, told))
    return Analysis(
        tuple(found),
        tuple(_seat_set(gathered, seat, given) for seat, gathered in enumerate(seats)),
        tuple(_side_set(gathered, side, given) for side, gathered in enumerate(sides)),
        tuple(lengths),
        tuple(all(demand[0] == seat for demand in (*given.lengths, *given.small)) for seat in range(4)),
    )


def _placed(
    forms: Forms, slot: int, seats: Sequence[Gathered], sides: Sequence[Gathered]
) -> tuple[Clause, Abstraction | None]:
    """Where a clause belongs; the set that it narrows is told."""
    looked_at = forms.graph.operations[slot].seats
    try:
        told = abstract(forms, [slot])
    except NotAdditive as reason:
        return _helped(forms, Clause(slot, "filter", looked_at, str(reason)), seats), None
    mask = told.seats
    if not told.features:
        return Clause(slot, "filter", 0, "it is the same for all deals"), told
    if mask.bit_count() == 1:
        seat = mask.bit_length() - 1
        refused = seats[seat].add(((slot,),))
        if refused:
            return Clause(slot, "filter", mask, refused), told
        return Clause(slot, "seat", mask, f"{_matter(told)} of {SEATS[seat]}'s hand"), told
    refused = "it looks at several hands"
    if mask in (0b0101, 0b1010):
        side = mask >> 1 & 1
        if all(_together(feature, side) for feature in told.features):
            refused = sides[side].add(((slot,),))
            if not refused:
                return Clause(slot, "side", mask, f"{_matter(told)} of {SIDES[side]} together"), told
    if all(feature.by_length for feature in told.features):
        return _helped(forms, Clause(slot, "lengths", mask, "suit lengths of several hands"), seats), told
    return _helped(forms, Clause(slot, "filter", mask, refused), seats), told


def _matter(told: Abstraction) -> str:
    """What a clause looks at, in words."""
    suits = {suit for _, suit in told.places}
    if all(feature.by_length for feature in told.features):
        return f"the length of the {SUITS[suits.pop()]}" if len(suits) == 1 else "the shape"
    if len(suits) == 1:
        return f"the {SUITS[suits.pop()]}"
    by_length = any(feature.by_length for feature in told.features)
    return "shape and sums over the suits" if by_length else "sums over the suits"


def _helped(forms: Forms, clause: Clause, seats: Sequence[Gathered]) -> Clause:
    """Of an ``or`` in which every branch demands something of a seat, what it demands of that seat."""
    branches = list(conjuncts_of(forms.graph, clause.slot, "or"))
    if len(branches) < 2:
        return clause
    alone: list[dict[int, list[int]]] = []
    for branch in branches:
        by_seat: dict[int, list[int]] = {}
        for part in conjuncts_of(forms.graph, branch):
            try:
                mask = abstract(forms, [part]).seats
            except NotAdditive:
                continue
            if mask.bit_count() == 1:
                by_seat.setdefault(mask.bit_length() - 1, []).append(part)
        alone.append(by_seat)
    helps = 0
    for seat in range(4):
        if all(seat in by_seat for by_seat in alone):
            if not seats[seat].add(tuple(tuple(by_seat[seat]) for by_seat in alone)):
                helps |= 1 << seat
    if not helps:
        return clause
    names = " and ".join(SEATS[seat] for seat in range(4) if helps >> seat & 1)
    return replace(clause, why=f"{clause.why}; each branch demands something of {names}", helps=helps)


def _together(feature: Feature, side: int) -> bool:
    """Does a feature depend on the side's cards taken together, whoever of the two holds them?"""
    for suit in range(4):
        first, second = (feature.tables.get((seat, suit)) for seat in (side, side + 2))
        if first is None and second is None:
            continue
        if first is None or second is None or not np.array_equal(first, second):
            return False
        cards = first[1 << np.arange(13)]
        every = np.arange(8192)
        if not np.array_equal(first, sum((every >> rank & 1) * cards[rank] for rank in range(13))):
            return False
    return True


def _seat_set(gathered: Gathered, seat: int, predeal: Predeal) -> HandSet | None:
    """A seat's set, or None where nothing is demanded of it."""
    own = any(demand[0] == seat for demand in (*predeal.cards, *predeal.lengths, *predeal.small))
    return gathered.handset(predealt_holdings(predeal, seat)) if gathered.demands or own else None


def _side_set(gathered: Gathered, side: int, predeal: Predeal) -> HandSet | None:
    """A side's set, or None where nothing is demanded of it but by the predeal."""
    if not gathered.demands:
        return None
    every = np.arange(8192)
    holdings = np.ones((4, 8192), bool)
    for owner, suit, rank in predeal.cards:
        holdings[suit] &= (every >> rank & 1) == (owner % 2 == side)
    for suit in range(4):
        demanded = [length for seat, of, length in set(predeal.lengths) if of == suit and seat % 2 == side]
        if len(demanded) == 2:
            holdings[suit] &= sum(demanded) == HOLDING_LENGTHS
        elif demanded:
            holdings[suit] &= demanded[0] <= HOLDING_LENGTHS
    return gathered.handset(holdings)
