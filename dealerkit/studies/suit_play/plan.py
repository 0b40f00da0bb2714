"""`plan`: chances in several suits, taken one after the other, exactly."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.card import Card
from dealerkit.appearance.content import Note, format_note
from dealerkit.appearance.table import Column, Quantity, Table
from dealerkit.appearance.wording import join_words, limit_repr
from dealerkit.arguments import check_integer, check_positive
from dealerkit.errors import ArgumentError
from dealerkit.runtime.progress import long_work
from dealerkit.singledummy import check_vacant, weigh_layouts
from dealerkit.studies.provenance import RepeatableResult, repeatable
from dealerkit.studies.suit_play.chances import GRAMMAR, Chance, PlayedChance, play_chance

if TYPE_CHECKING:
    import pandas as pd

MOST_CHANCES = 4  # a chance takes a suit
MOST_LOSERS = 12
SECONDS = 30.0

# Ends of a chance for each number of tricks that may be lost, and west's length.
_Kind = tuple[tuple[int, ...], int]


@limit_repr
@dataclass(frozen=True, eq=False, repr=False)
class PlayPlan(RepeatableResult):
    """Chances in several suits one after the other, as `plan` returns them.

    Attributes
    ----------
    chances : tuple of Chance
        In the order in which they are tried.
    played : tuple of tuples of PlayedChance
        For each chance and each number of tricks that may be lost, from 0, what it comes to in each layout;
        one of each chance if any number may be lost.
    need : int
        How many of the chances must succeed.
    losers : int or None
        Tricks that may be lost; None: any number.
    vacant : (int, int)
        Vacant places of west and of east, the suits of the plan included.
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
    vacant: tuple[int, int] = (13, 13)

    @property
    def chance(self) -> float:
        """The probability that the plan succeeds against best defence, 0 to 1."""
        return float(self.fraction)

    @cached_property
    def fraction(self) -> Fraction:
        """The probability that the plan succeeds as an exact fraction."""
        return self._count(tuple(range(len(self.chances))), self.need)

    @cached_property
    def alone(self) -> tuple[float, ...]:
        """The probability of each chance if it is tried by itself, as the first."""
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

    @cached_property
    def _kinds(self) -> tuple[dict[_Kind, int], ...]:
        """For each chance how many layouts have the same ends and length of west."""
        return tuple(_sort_layouts(played) for played in self.played)

    def _count(self, order: tuple[int, ...], need: int) -> Fraction:
        """Return the share of all layouts of the suits in which the chances of an order succeed."""
        kinds = [self._kinds[place] for place in order]
        # The other suits only count with the lengths that their layouts have
        kinds += [
            _join_ends(own) for place, own in enumerate(self._kinds) if place not in order
        ]  # fmt: skip
        west, east = self.vacant
        n_missing = sum(len(chance.combination.missing) for chance in self.chances)
        ways = [
            math.comb(west + east - n_missing, west - length) if length <= west else 0
            for length in range(n_missing + 1)
        ]
        total = good = 0
        for parts in product(*(own.items() for own in kinds)):
            count = math.prod(number for _, number in parts)
            count *= ways[sum(length for (_, length), _ in parts)]
            total += count
            ends = [own for (own, _), _ in parts[: len(order)]]
            if count and _succeeds(ends, need, self.losers):
                good += count
        if not total:
            raise ArgumentError("no layout agrees with the vacant places and all that is known of the suits")
        return Fraction(good, total)

    @property
    def frame(self) -> pd.DataFrame:
        """A row for each chance, in the order in which they are tried.

        - number (index): from 1
        - suit: its name, if it has one, and its cards; tricks: needed of it; line: what declarer plays
        - alone: the probability of the chance by itself, 0 to 1
        - so_far: that the plan succeeds by this chance and those before it
        """
        return self._tabulate().to_frame().set_index("number")

    def to_frame(self) -> pd.DataFrame:
        """Return `frame` with the number as a column."""
        return self.frame.reset_index()

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
        about = []
        if self.vacant != (13, 13):
            about.append(f"Vacant places: west {self.vacant[0]}, east {self.vacant[1]}.")
        for chance in self.chances:
            about += list(_describe_facts(chance))
        return Card(
            self.title, self._summarize(), about=about, tables=tables, notes=list(self._list_notes()),
            provenance=self._list_facts(),
        )  # fmt: skip

    def _list_notes(self) -> Iterator[Note]:
        yield (
            "A chance is tried until it has its tricks, or until no layout that agrees with the cards seen "
            "lets the line make them; then comes the next one."
        )
        yield (
            "Exact against best defence: the defenders see all cards and know the plan. The suits depend on "
            "each other through the number of cards that each defender has."
        )

    def _summarize(self) -> Note:
        """Return the probability of the plan."""
        titles = [f"{chance.title} ({chance.tricks})" for chance in self.chances]
        return (
            "The plan succeeds in ",
            Quantity(self.chance, "share", decimals=2),
            f": {'; then '.join(titles)}.",
        )

    def __repr__(self) -> str:
        return f"<PlayPlan: {self.title}; {format_note(self._summarize())}>"


def _sort_layouts(played: Sequence[PlayedChance]) -> dict[_Kind, int]:
    """Return the numbers of layouts by their ends, for each number of tricks that may be lost, and length."""
    numbers: Counter[_Kind] = Counter()
    first = played[0]
    for world, count in enumerate(first.layouts.tolist()):
        if count:
            ends = tuple(int(each.ends[world]) for each in played)
            numbers[ends, int(first.lengths[world])] += count
    return dict(numbers)


def _join_ends(kinds: dict[_Kind, int]) -> dict[_Kind, int]:
    """Return the numbers of layouts by length alone."""
    numbers: Counter[_Kind] = Counter()
    for (_, length), count in kinds.items():
        numbers[(), length] += count
    return dict(numbers)


def _succeeds(ends: Sequence[tuple[int, ...]], need: int, losers: int | None) -> bool:
    """Return whether enough chances succeed, whatever ends of each the defenders choose.

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
    """Yield what a chance assumes about its suit, in words."""
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
    seconds: float | None = SECONDS,
) -> PlayPlan:
    """Return how likely a plan is that tries chances in several suits one after the other, exactly.

    Each chance is a suit with the number of tricks that it must make and a line of play. It is tried until it
    has these tricks, or until no layout that agrees with the cards seen lets the line make them: a test
    whether a suit breaks loses nothing, a finesse that fails loses a trick. The plan ends when enough chances
    have succeeded, when too few are left, or when more tricks are lost than may be.

    Parameters
    ----------
    chances : str or sequence of str
        In the order in which they are tried, each as
        ``"clubs AKQ2 opposite 543, 4 tricks: cash the ace; cash the king"``. After the tricks may come what
        is known of the suit, ``west K 2+``, and entries outside it, ``1 entry to south``. The line is written
        as for `SuitPlay.compare`; what it leaves open, all if it is left out, is played for the best chance
        of the tricks.
    need : {"any", "all"} or int
        How many of the chances must succeed.
    losers : int, optional
        Tricks that may be lost in these suits altogether; None: any number, and the order does not matter.
    vacant : (int, int)
        Vacant places of west and of east: 13 less the cards that are known to be of other suits.
    seconds : float, optional
        Processor time after which the search gives up, as it does at once where a suit has thousands of lines
        that are not dominated; None: no limit.

    Returns
    -------
    PlayPlan
        Frozen, with `chance`, `fraction`, `alone`, `so_far`, `orders`, `frame`, `text` and HTML.

    Raises
    ------
    DealError
        Cards that cannot be read, the same card twice, ten or more missing cards of a suit.
    ArgumentError
        A chance or a line that is not understood, tricks that cannot be made, facts that contradict each
        other, a search that takes too long.

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
    parsed = _read_chances(chances)
    needed = {"any": 1, "all": len(parsed)}.get(str(need).lower()) if isinstance(need, str) else need
    if needed is None:
        raise ArgumentError(f"need is {need!r:.40}; give 'any', 'all', or how many of the chances")
    needed = check_integer("need", needed, 1, len(parsed))
    limits: list[int | None] = [None]
    if losers is not None:
        limits = list(range(check_integer("losers", losers, 0, MOST_LOSERS) + 1))
    places = check_vacant(vacant)
    n_missing = sum(len(chance.combination.missing) for chance in parsed)
    if sum(places) < n_missing:
        raise ArgumentError(
            f"vacant places {places[0]} and {places[1]} have no room for {n_missing} missing cards"
        )
    deadline = None
    if seconds is not None:
        check_positive("seconds", seconds, 10)
        deadline = time.thread_time() + seconds
    # What each comes to in each of its layouts
    played = tuple(
        tuple(play_chance(chance, _weigh(chance, places), limit, deadline) for limit in limits)
        for chance in parsed
    )
    result = PlayPlan(parsed, played, needed, losers, places)
    _ = result.fraction  # what contradicts itself is refused now
    return result


def _weigh(chance: Chance, vacant: tuple[int, int]) -> Any:
    """Return the weights of the layouts of one suit."""
    return weigh_layouts(chance.combination, vacant) * chance.allowed


def _read_chances(chances: str | Sequence[str]) -> tuple[Chance, ...]:
    """Return the chances of a plan; raise ArgumentError for none, too many, or a suit twice."""
    texts = [chances] if isinstance(chances, str) else list(chances)
    if not 1 <= len(texts) <= MOST_CHANCES:
        raise ArgumentError(f"a plan has 1 to {MOST_CHANCES} chances, not {len(texts)}; {GRAMMAR}")
    parsed = tuple(Chance.parse(text) for text in texts)
    names = [chance.suit for chance in parsed if chance.suit]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ArgumentError(f"the plan has {twice} twice; all that it does in a suit is one chance")
    return parsed
