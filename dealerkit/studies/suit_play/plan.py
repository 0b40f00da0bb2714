"""`plan`: chances in several suits, tried one after the other, exactly."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations, product
from typing import TYPE_CHECKING

import numpy as np

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Note, format_note, show_condition
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import join_words, limit_repr
from dealerkit.arguments import Given, check_integer, check_positive, read_given
from dealerkit.cards.names import suit_number
from dealerkit.errors import ArgumentError, quote
from dealerkit.runtime.progress import long_work
from dealerkit.simulation.calls import read_text
from dealerkit.singledummy import check_vacant, weigh_layouts
from dealerkit.studies.provenance import RepeatableResult, repeatable
from dealerkit.studies.suit_play.chances import GRAMMAR, Chance, PlayedChance, play_chance
from dealerkit.studies.suit_play.hidden_hands import SeenHands, count_layouts, number_holdings

if TYPE_CHECKING:
    import pandas as pd

MOST_CHANCES = 4  # each chance takes a suit
MOST_LOSERS = 12
SECONDS = 30.0

Ends = tuple[int, ...]  # ends of a chance, for each number of tricks that may be lost


@limit_repr
@dataclass(frozen=True, eq=False, repr=False)
class PlayPlan(RepeatableResult):
    """Chances in several suits, tried one after the other, as `plan` returns them.

    Attributes
    ----------
    chances : tuple of Chance
        In the order in which they are tried.
    played : tuple of tuples of PlayedChance
        For each chance and each number of tricks that may be lost, from 0, its result in each layout; a
        single one for each chance if any number may be lost.
    need : int
        How many of the chances must succeed.
    losers : int or None
        Tricks that may be lost; None: any number.
    cells : dict of tuple of Ends to int
        Number of deals, or of layouts weighted by the ways to fill the other places, in which the chances
        have these ends.
    facts : tuple of str
        The assumptions, in words.
    provenance : Provenance or None
        The call that repeats the study, with the versions.

    Examples
    --------
    >>> import dealerkit as dk
    >>> clubs, spades = "AKQ2 opposite 543, 4 tricks", "AQ2 opposite 543, 2 tricks: low to the queen"
    >>> round(dk.plan([clubs, spades], losers=1).chance, 4)
    0.6776
    """

    chances: tuple[Chance, ...]
    played: tuple[tuple[PlayedChance, ...], ...]
    need: int
    losers: int | None
    cells: dict[tuple[Ends, ...], int]
    facts: tuple[str, ...] = ()

    @property
    def chance(self) -> float:
        """The probability that the plan succeeds against best defence, 0 to 1.

        It is that of the lines that are played, which are the best ones if `exact` is true.
        """
        return float(self.fraction)

    @property
    def exact(self) -> bool:
        """Whether all lines that the words allow were compared; otherwise a chance may have a better line."""
        return all(each.is_best for played in self.played for each in played)

    @cached_property
    def fraction(self) -> Fraction:
        """The probability that the plan succeeds as an exact fraction."""
        return self._count(tuple(range(len(self.chances))), self.need)

    @cached_property
    def alone(self) -> tuple[float, ...]:
        """The probability of each chance if it is tried alone, as the first."""
        return tuple(float(self._count((place,), 1)) for place in range(len(self.chances)))

    @cached_property
    def so_far(self) -> tuple[float, ...]:
        """The probability that the plan succeeds by the first chance, by the first two of them, and so on."""
        places = range(1, len(self.chances) + 1)
        return tuple(float(self._count(tuple(range(place)), self.need)) for place in places)

    @cached_property
    def orders(self) -> dict[tuple[int, ...], float]:
        """The probability for each order of the chances, as their numbers from 1; the best order first."""
        orders = {
            tuple(place + 1 for place in order): float(self._count(order, self.need))
            for order in permutations(range(len(self.chances)))
        }
        return dict(sorted(orders.items(), key=lambda item: -round(item[1], 12)))

    def _count(self, order: tuple[int, ...], need: int) -> Fraction:
        """Return the share of all layouts of the suits in which the chances of an order succeed."""
        total = good = 0
        for ends, count in self.cells.items():
            total += count
            if _succeeds([ends[place] for place in order], need, self.losers):
                good += count
        return Fraction(good, total)

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each chance, in the order in which they are tried.

        - number (index): from 1
        - suit: its name, if it has one, and its cards; tricks: number needed; line: what declarer plays
        - alone: the probability of the chance alone, 0 to 1
        - so_far: the probability that the plan succeeds with this chance and those before it
        """
        return self._tabulate().to_frame().set_index("number")

    def _tabulate(self) -> Table:
        columns = [
            Column("number", "", "name"),
            Column("suit", "chance", "cards"),
            Column("tricks", kind="count"),
            Column("line", kind="sentence"),
            Column("alone", kind="share", decimals=2),
            Column("so_far", "plan so far", "share", decimals=2),
        ]
        rows = [
            [str(number), chance.title, chance.tricks, played[-1].words, alone, so_far]
            for number, (chance, played, alone, so_far) in enumerate(
                zip(self.chances, self.played, self.alone, self.so_far, strict=True), 1
            )
        ]
        return Table(columns, rows)

    @property
    def title(self) -> str:
        """How many of the chances must succeed, and how many tricks may be lost."""
        n_chances = len(self.chances)
        if n_chances == 1:
            text = "One chance"
        elif self.need == n_chances:
            text = f"All of {n_chances} chances"
        else:
            text = f"{'Any' if self.need == 1 else self.need} of {n_chances} chances"
        if self.losers is None:
            return text
        return f"{text}, {self.losers} {'trick' if self.losers == 1 else 'tricks'} may be lost"

    def card(self) -> Card:
        """The card: the chances in their order, then other orders if they matter."""
        tables = [self._tabulate()]
        if len({round(chance, 12) for chance in self.orders.values()}) > 1:
            columns = [Column("order", kind="name"), Column("probability", kind="share", decimals=2)]
            rows = [["-".join(map(str, order)), chance] for order, chance in self.orders.items()]
            tables.append(Table(columns, rows, "Orders of the chances"))
        return Card(
            self.title, self._summarize(), about=self.facts, tables=tables, notes=list(self._list_notes()),
            provenance=self._list_facts(),
        )  # fmt: skip

    def _list_notes(self) -> Iterator[Note]:
        yield (
            "A chance is tried until it has its tricks, or until no layout that agrees with the cards seen "
            "lets the line make them; then the next chance is tried."
        )
        for chance, played in zip(self.chances, self.played, strict=True):
            if not all(each.is_best for each in played):
                yield (
                    f"{chance.title} has too many lines to compare all of them; the best line found is "
                    "played, "
                    "so the plan succeeds at least this often."
                )
        yield (
            "Exact against best defence: the defenders see all cards and know the plan. The suits depend on "
            "each other through the number of cards that each defender has."
        )

    def _summarize(self) -> Note:
        """Return the probability of the plan."""
        titles = [f"{chance.title} ({chance.tricks})" for chance in self.chances]
        return (
            "The plan succeeds in " if self.exact else "The plan succeeds in at least ",
            Quantity(self.chance, "share", decimals=2),
            f": {'; then '.join(titles)}.",
        )

    def __repr__(self) -> str:
        return f"<PlayPlan: {self.title}; {format_note(self._summarize())}>"


def _count_cells(
    chances: Sequence[Chance], ends: Sequence[Sequence[Ends]], vacant: tuple[int, int]
) -> dict[tuple[Ends, ...], int]:
    """Return the layouts of all suits by their ends, each with the ways to fill the other vacant places.

    `ends` contains the ends in each layout, for each chance.
    """
    # The layouts of a suit are counted by their ends and west's length
    kinds: list[Counter[tuple[Ends, int]]] = [
        Counter(
            (own, layout.bit_count())
            for layout, (own, is_allowed) in enumerate(zip(suit_ends, chance.allowed, strict=True))
            if is_allowed
        )
        for chance, suit_ends in zip(chances, ends, strict=True)
    ]
    west, east = vacant
    n_missing = sum(len(chance.combination.missing) for chance in chances)
    ways = [
        math.comb(west + east - n_missing, west - length) if length <= west else 0
        for length in range(n_missing + 1)
    ]
    cells: Counter[tuple[Ends, ...]] = Counter()
    for parts in product(*(own.items() for own in kinds)):
        count = math.prod(number for _, number in parts) * ways[sum(length for (_, length), _ in parts)]
        if count:
            cells[tuple(own for (own, _), _ in parts)] += count
    return dict(cells)


def _count_deals(
    chances: Sequence[Chance], ends: Sequence[Sequence[Ends]], hands: SeenHands, given: Given
) -> dict[tuple[Ends, ...], int]:
    """Return the deals under a condition by the ends of their layouts; arguments as of `_count_cells`."""
    # A digit for the ends of each suit, 0 for layouts that are not allowed; the digits together form one
    # number
    tables, distinct, radix = {}, [], 1
    for chance, suit_ends in zip(chances, ends, strict=True):
        known = {own: number for number, own in enumerate(dict.fromkeys(suit_ends), 1)}
        numbers = np.array([known[own] for own in suit_ends]) * chance.allowed
        tables[suit_number(chance.suit)] = radix * number_holdings(chance.combination, numbers)
        distinct.append((radix, list(known)))
        radix *= len(known) + 1
    cells = {}
    for number, count in hands.count_deals(given, tables).items():
        places = [number // step % (len(known) + 1) for step, known in distinct]
        if all(places):
            cells[tuple(known[place - 1] for place, (_, known) in zip(places, distinct, strict=True))] = count
    return cells


def _succeeds(ends: Sequence[tuple[int, ...]], need: int, losers: int | None) -> bool:
    """Return whether enough chances succeed, whichever ends the defenders choose.

    >>> _succeeds([(2,), (1,)], 1, 0), _succeeds([(8, 8), (1, 1)], 1, 0)
    (True, False)
    """
    if need <= 0:
        return True
    if need > len(ends):
        return False
    bits, place = ends[0][0 if losers is None else losers], 0
    while bits >> place:
        if bits >> place & 1:
            lost, is_missed = divmod(place, 2)
            left = None if losers is None else losers - lost
            if left is not None and left < 0:
                return False
            if not _succeeds(ends[1:], need - (not is_missed), left):
                return False
        place += 1
    return True


def _describe_facts(chance: Chance) -> Iterator[str]:
    """Yield the assumptions of a chance about its suit, in words."""
    known = [
        f"{seat} has {text}"
        for seat, text in (("west", chance.west), ("east", chance.east))
        if text
    ]  # fmt: skip
    if chance.entries is not None:
        known += [
            f"{hand} has {number or 'no'} {'entry' if number == 1 else 'entries'} outside the suit"
            for hand, number in zip(("north", "south"), chance.entries, strict=True)
            if number >= 0
        ]
    if known:
        yield f"{chance.title}: {join_words(known)}."


@long_work
@repeatable
def plan(
    chances: str | Sequence[str],
    *,
    need: int | str = "any",
    losers: int | None = None,
    vacant: Sequence[int] = (13, 13),
    north: str | None = None,
    south: str | None = None,
    given: Given | None = None,
    seconds: float | None = SECONDS,
) -> PlayPlan:
    """Return the probability of a plan that tries chances in several suits one after the other, exactly.

    Each chance is a suit, the number of tricks it must make, and a line of play. It is tried until it has
    these tricks, or until no layout that agrees with the cards seen lets the line make them: testing whether
    a suit breaks loses nothing, but a failing finesse loses a trick. The plan ends when enough chances have
    succeeded, when too few are left, or when too many tricks are lost.

    Parameters
    ----------
    chances : str or sequence of str
        The chances in the order in which they are tried, each written as ``"clubs AKQ2 opposite 543, 4
        tricks: cash the ace; cash the king"``. After the number of tricks you can add what is known about the
        suit, ``west K 2+``, and entries outside it, ``1 entry to south``. The line is written as for
        `SuitPlay.compare`. What it leaves open (everything, if there is no line) is played to give the tricks
        the best probability.
    need : {"any", "all"} or int
        How many of the chances must succeed.
    losers : int, optional
        Number of tricks that may be lost in all these suits together; None: any number, and the order does
        not matter.
    vacant : (int, int)
        Vacant places of west and east: 13 minus the cards known to be in other suits.
    north, south : str, optional
        Whole hands, ``"AQ2.K32.A43.AKQ2"``; the chances then name only their suits: ``"clubs, 4 tricks"``.
    given : str or Auction, optional
        A condition of the language on the hands of west and east, such as an auction, that all deals meet. It
        needs whole hands, and must be one that can be counted.
    seconds : float, optional
        Processor time. If a suit has thousands of lines that are not dominated, or its lines take longer, it
        is played by the best of some lines, and the result says so. None: no limit.

    Returns
    -------
    PlayPlan
        Frozen, with `chance`, `fraction`, `exact`, `alone`, `so_far`, `orders`, `frame`, `text` and HTML.

    Raises
    ------
    DealError
        Cards cannot be read, a card occurs twice, or ten or more cards of a suit are missing.
    ArgumentError
        A chance or a line is not understood, tricks cannot be made, facts contradict each other, or the
        condition cannot be counted.

    Examples
    --------
    A ninth trick from a 3-3 break in clubs or a finesse in spades, if no trick may be lost before it:

    >>> import dealerkit as dk
    >>> clubs = "clubs AKQ2 opposite 543, 4 tricks"
    >>> spades = "spades AQ2 opposite 543, 2 tricks: low to the queen"
    >>> [round(dk.plan(order, losers=0).chance, 4) for order in ([clubs, spades], [spades, clubs])]
    [0.6776, 0.5]
    """
    # The chances, and how many of them must succeed
    hands = _read_hands(north, south, given)
    parsed = _read_chances(chances, hands)
    needed = {"any": 1, "all": len(parsed)}.get(str(need).lower()) if isinstance(need, str) else need
    if needed is None:
        raise ArgumentError(f"need is {quote(need, 40)}; give 'any', 'all', or how many of the chances")
    needed = check_integer("need", needed, 1, len(parsed))
    limits: list[int | None] = [None]
    if losers is not None:
        limits = list(range(check_integer("losers", losers, 0, MOST_LOSERS) + 1))
    if seconds is not None:
        check_positive("seconds", seconds, 10)
    # The probability of each layout of each suit
    places = _check_places(parsed, vacant, given)
    facts = [] if places == (13, 13) else [f"Vacant places: west {places[0]}, east {places[1]}."]
    if given is not None and hands is not None:
        given = read_text(read_given(given, hands.predeal))
        weights = [
            count_layouts(chance.combination, hands, suit_number(chance.suit), given) for chance in parsed
        ]
        facts.append(f"Given {show_condition(given)}.")
    else:
        weights = [weigh_layouts(chance.combination, places) for chance in parsed]
    for chance in parsed:
        facts += _describe_facts(chance)
    # The result of each chance in each of its layouts, for each number of tricks that may be lost
    deadline = None if seconds is None else time.thread_time() + seconds
    played = tuple(
        tuple(play_chance(chance, own * chance.allowed, limit, deadline) for limit in limits)
        for chance, own in zip(parsed, weights, strict=True)
    )
    ends = [list(zip(*(each.ends.tolist() for each in own), strict=True)) for own in played]
    if given is not None and hands is not None:
        cells = _count_deals(parsed, ends, hands, given)
    else:
        cells = _count_cells(parsed, ends, places)
    if not cells:
        raise ArgumentError("no layout agrees with all that is known about the suits and the hands")
    return PlayPlan(parsed, played, needed, losers, cells, tuple(facts))


def _read_hands(north: str | None, south: str | None, given: Given | None) -> SeenHands | None:
    """Return the whole hands, if they are given: both, or none if there is no condition."""
    if north is not None and south is not None:
        return SeenHands.read(north, south)
    if north is not None or south is not None:
        raise ArgumentError("give both hands, north= and south=, or neither")
    if given is not None:
        raise ArgumentError(
            "given= is a condition on the hidden hands and needs the whole hands north= and south=; the "
            "chances then name only their suits, as 'clubs, 4 tricks'"
        )
    return None


def _check_places(chances: Sequence[Chance], vacant: Sequence[int], given: Given | None) -> tuple[int, int]:
    """Return the vacant places; raise ArgumentError if they contradict the rest."""
    places = check_vacant(vacant)
    if given is not None and places != (13, 13):
        raise ArgumentError("give vacant= or given=, not both: the condition decides the vacant places")
    n_missing = sum(len(chance.combination.missing) for chance in chances)
    if sum(places) < n_missing:
        raise ArgumentError(
            f"west and east have {places[0]} and {places[1]} vacant places, but {n_missing} cards are missing"
        )
    return places


def _read_chances(chances: str | Sequence[str], hands: SeenHands | None) -> tuple[Chance, ...]:
    """Return the chances of a plan; raise ArgumentError for none, too many, or a repeated suit."""
    texts = [chances] if isinstance(chances, str) else list(chances)
    if not 1 <= len(texts) <= MOST_CHANCES:
        raise ArgumentError(f"a plan has 1 to {MOST_CHANCES} chances, not {len(texts)}; {GRAMMAR}")
    parsed = tuple(Chance.parse(text, hands) for text in texts)
    names = [chance.suit for chance in parsed if chance.suit]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ArgumentError(f"the plan has {twice} twice; write all plays in a suit as one chance")
    return parsed
