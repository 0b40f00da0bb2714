"""The ways to share out one suit among the hands that a condition looks at."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dealerkit.counting.suit_sums import Place
from dealerkit.dealing.conditional.hand_set_shapes import HOLDING_LENGTHS
from dealerkit.dealing.conditional.hand_sets import predealt_holdings
from dealerkit.dealing.predeal import Predeal

MOST_WAYS = 1 << 22  # to share out one suit
FIELD = 6  # bits of a seat's number of cards
_CARDS = (1 << FIELD) - 1


class TooManyStates(Exception):
    """A count that would take more than the bounds of these modules allow; the message says why."""


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked of a deal by way of a sum of integers over seats and suits.

    Parameters
    ----------
    tables : mapping of (seat, suit) to ndarray of int64 [8192], >= 0
        What a holding adds to the sum.
    outcome : callable
        Sums, int64 [n], to integers >= 0 [n]; deals with outcome 0 are not counted.
    """

    tables: Mapping[Place, np.ndarray]
    outcome: Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Layer:
    """Ways to share out some suits.

    Parameters
    ----------
    margin : ndarray of int64 [n]
        Cards of each seat and of the heap, `FIELD` bits each.
    sums : list of ndarray of int64 [n]
        For each question.
    ways : ndarray of int64 [n]
        How many ways; below 4^26 = 2^52 for two suits, so that sums of them in float64 are exact.
    """

    margin: np.ndarray
    sums: list[np.ndarray]
    ways: np.ndarray

    @property
    def columns(self) -> list[np.ndarray]:
        return [self.margin, *self.sums]

    def rows(self, index: np.ndarray | slice) -> Layer:
        return Layer(self.margin[index], [column[index] for column in self.sums], self.ways[index])

    def merged(self) -> Layer:
        """Equal ways together."""
        key, room = np.zeros(len(self.ways), np.int64), 1
        for column in self.columns:
            values, position = np.unique(column, return_inverse=True)
            room *= max(len(values), 1)
            if room >= 1 << 62:
                raise TooManyStates("the values asked for together do not fit 62 bits")
            key = key * len(values) + position
        _, first, same = np.unique(key, return_index=True, return_inverse=True)
        return replace(self.rows(first), ways=np.bincount(same, self.ways, len(first)).astype(np.int64))


@dataclass(frozen=True)
class Seats:
    """The seats whose holdings are listed, and in which suits.

    The cards that are listed for nobody are a heap; how many ways there are to share it out
    depends on numbers of cards only, and is put in at last (`ways`).

    Parameters
    ----------
    seats : tuple of up to three seats
        Those that matter in every suit come first.
    whole : int
        How many of them these are.
    suits : frozenset of int
        In which the others matter.
    rest : int or None
        The fourth seat, if it matters too: where all others are listed it has what they leave.
    predeal : Predeal
    """

    seats: tuple[int, ...]
    whole: int
    suits: frozenset[int]
    rest: int | None
    predeal: Predeal

    @classmethod
    def of(cls, questions: Sequence[Question], predeal: Predeal) -> Seats:
        """The seats and suits that questions and a predeal look at."""
        where: dict[int, set[int]] = {}
        for seat, suit in itertools.chain.from_iterable(question.tables for question in questions):
            where.setdefault(seat, set()).add(suit)
        for seat, suit, _ in (*predeal.lengths, *predeal.small):
            where.setdefault(seat, set()).add(suit)
        every = frozenset(range(4))

        def saved(suits: frozenset[int]) -> int:
            return len(every - suits) * sum(own <= suits for own in where.values())

        # More than two suits would stand in both halves of a deal, with too many pairs of lengths.
        few = [frozenset(suits) for suits in where.values() if len(suits) <= 2]
        suits = max(few, key=saved, default=every)
        seats = sorted(where, key=lambda seat: (where[seat] <= suits, seat))
        whole = len(seats) if suits == every else sum(not own <= suits for own in where.values())
        return cls(tuple(seats[:3]), min(whole, 3), suits, seats[3] if len(seats) == 4 else None, predeal)

    @property
    def order(self) -> list[int]:
        """The suits, those in which most seats matter first."""
        return sorted(range(4), key=lambda suit: (suit not in self.suits, suit))

    def listed(self, suit: int) -> tuple[int, ...]:
        """The seats whose holdings in a suit are listed."""
        return self.seats if suit in self.suits else self.seats[: self.whole]

    def ways(self, margin: int) -> int:
        """Ways to deal the heap when the listed holdings have these numbers of cards."""
        counts = [margin >> FIELD * place & _CARDS for place in range(len(self.seats) + 1)]
        if any(count != 13 for count in counts[: self.whole]):
            return 0
        heap = counts[-1]
        needs = []
        for seat, count in zip(self.seats[self.whole :], counts[self.whole : -1], strict=True):
            unlisted = sum(of == seat and suit not in self.suits for of, suit, _ in self.predeal.cards)
            needs.append(13 - count - unlisted)
        needs.append(heap - sum(needs))
        return 0 if min(needs) < 0 else math.factorial(heap) // math.prod(map(math.factorial, needs))

    @property
    def others(self) -> int:
        """Ways to share out all cards of the seats that do not matter among them."""
        if self.rest is not None:
            return 1
        needs = [self.predeal.needs[seat] for seat in range(4) if seat not in self.seats]
        return math.factorial(sum(needs)) // math.prod(map(math.factorial, needs))


def share_out(suit: int, who: Seats, questions: Sequence[Question]) -> Layer:
    """All ways to share out a suit among the listed seats and the others.

    Raises
    ------
    TooManyStates
    """
    seats = who.listed(suit)
    asked = (*seats, who.rest) if suit in who.suits and who.rest is not None else seats
    allowed = {seat: predealt_holdings(who.predeal, seat)[suit] for seat in asked}
    tables = [(seat, [one.tables.get((seat, suit)) for one in questions]) for seat in asked]
    owners = {rank: seat for seat, of, rank in who.predeal.cards if of == suit}
    free = [rank for rank in range(13) if rank not in owners]
    told = [table for _, column in tables for table in column if table is not None]
    heaps = _heaps(free, [*told, *allowed.values()])
    parts = len(seats) + 1
    if math.prod(math.comb(len(heap) + parts - 1, parts - 1) for heap in heaps) > MOST_WAYS:
        raise TooManyStates(f"{parts - 1} hands are asked about too many single cards")
    held = np.zeros((parts, 1), np.int64)
    for rank, owner in owners.items():
        held[seats.index(owner) if owner in seats else -1] |= 1 << rank
    ways = np.ones(1, np.int64)
    for heap in heaps:
        more, number = _shared(heap, parts)
        held = (held[:, :, None] | more[:, None, :]).reshape(parts, -1)
        ways = (ways[:, None] * number).ravel()
    good = np.ones(len(ways), bool)
    sums = [np.zeros(len(ways), np.int64) for _ in questions]
    for (seat, column), cards in zip(tables, held, strict=False):  # the rest, where it is asked, is the last
        good &= allowed[seat][cards]
        for total, table in zip(sums, column, strict=True):
            if table is not None:
                total += table[cards]
    margin = np.zeros(len(ways), np.int64)
    for place in range(len(seats)):
        margin += HOLDING_LENGTHS[held[place]].astype(np.int64) << FIELD * place
    if suit not in who.suits:
        left = held[-1] & sum(1 << rank for rank in free)
        margin += HOLDING_LENGTHS[left].astype(np.int64) << FIELD * len(who.seats)
    return Layer(margin, sums, ways).rows(good).merged()


def _heaps(ranks: Sequence[int], tables: Sequence[np.ndarray]) -> list[list[int]]:
    """Ranks that no table tells apart, together."""
    heaps: list[list[int]] = []
    every = np.arange(8192)
    for rank in ranks:
        for heap in heaps:
            differ = (every >> rank ^ every >> heap[0]) & 1
            swapped = every ^ (differ << rank | differ << heap[0])
            if all(np.array_equal(table, table[swapped]) for table in tables):
                heap.append(rank)
                break
        else:
            heaps.append([rank])
    return heaps


def _shared(heap: Sequence[int], parts: int) -> tuple[np.ndarray, np.ndarray]:
    """Holdings of each part, [parts, n], and number of ways, for all numbers of cards from a heap."""
    held, ways = [], []
    size = len(heap)
    for bars in itertools.combinations(range(size + parts - 1), parts - 1):
        ends = [bar - i for i, bar in enumerate(bars)] + [size]
        starts = [0, *ends[:-1]]
        pieces = [heap[start:end] for start, end in zip(starts, ends, strict=True)]
        held.append([sum(1 << rank for rank in piece) for piece in pieces])
        ways.append(math.factorial(size) // math.prod(math.factorial(len(piece)) for piece in pieces))
    return np.array(held, np.int64).T, np.array(ways, np.int64)
