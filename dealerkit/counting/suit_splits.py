"""The ways to split one suit among the seats on which a condition depends."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dealerkit.counting.suit_sums import SeatSuit
from dealerkit.dealing.conditional.hand_sets import HOLDING_LENGTHS, predealt_holdings
from dealerkit.dealing.predeal import Predeal

MAX_SPLITS = 1 << 22  # splits of one suit
FIELD = 6  # bits of a seat's number of cards
_CARDS = (1 << FIELD) - 1


class TooManyStates(Exception):
    """A count exceeds a bound of this package or a budget; the message gives the reason."""


class SumClassifier(NamedTuple):
    """A classification of deals by a sum of integers over seats and suits.

    Parameters
    ----------
    tables : mapping of (seat, suit) to ndarray of int64 [8192], >= 0
        The number that each holding adds to the sum.
    classify : callable
        Maps sums, int64 [n], to classes, integers >= 0 [n]; deals of class 0 are not counted.
    """

    tables: Mapping[SeatSuit, np.ndarray]
    classify: Callable[[np.ndarray], np.ndarray]


class SuitSplits(NamedTuple):
    """Splits of some suits among the seats, one in each row.

    Parameters
    ----------
    cards : ndarray of int64 [n]
        Number of cards of each seat and of the pool, `FIELD` bits each.
    sums : list of ndarray of int64 [n]
        Sums of each classifier.
    ways : ndarray of int64 [n]
        Number of ways; below 4^26 = 2^52 for two suits, so that their sums are exact in float64.
    """

    cards: np.ndarray
    sums: list[np.ndarray]
    ways: np.ndarray

    @property
    def columns(self) -> list[np.ndarray]:
        """The columns that distinguish rows, which are all but the ways."""
        return [self.cards, *self.sums]

    def rows(self, index: np.ndarray | slice) -> SuitSplits:
        """Return some rows."""
        return SuitSplits(self.cards[index], [column[index] for column in self.sums], self.ways[index])

    def merge_equal(self) -> SuitSplits:
        """Return the table with rows of equal cards and sums merged, and their ways added."""
        key, n_keys = np.zeros(len(self.ways), np.int64), 1
        for column in self.columns:
            values, position = np.unique(column, return_inverse=True)
            n_keys *= max(len(values), 1)
            if n_keys >= 1 << 62:
                raise TooManyStates("the sums in the clauses together do not fit 62 bits")
            key = key * len(values) + position
        _, first, group = np.unique(key, return_index=True, return_inverse=True)
        return self.rows(first)._replace(ways=np.bincount(group, self.ways, len(first)).astype(np.int64))


@dataclass(frozen=True)
class SplitScheme:
    """The seats whose holdings are enumerated, and the suits in which they are.

    The cards of the other seats are the pool. The number of ways to deal the pool depends only on
    numbers of cards, and is multiplied at the end (`deal_pool`).

    Parameters
    ----------
    seats : tuple of up to three seats
        The seats that are enumerated in every suit come first.
    n_full : int
        Number of seats that are enumerated in every suit.
    suits : frozenset of int
        The suits in which the others of `seats` are enumerated.
    last_seat : int or None
        The fourth seat, if the condition depends on it too: in suits where all others are enumerated, it
        gets the remaining cards.
    predeal : Predeal
    """

    seats: tuple[int, ...]
    n_full: int
    suits: frozenset[int]
    last_seat: int | None
    predeal: Predeal

    @classmethod
    def for_classifiers(cls, classifiers: Sequence[SumClassifier], predeal: Predeal) -> SplitScheme:
        """Return the scheme with the fewest splits for classifiers and a predeal."""
        suits_of: dict[int, set[int]] = {}
        for seat, suit in itertools.chain.from_iterable(classifier.tables for classifier in classifiers):
            suits_of.setdefault(seat, set()).add(suit)
        for seat, suit, _ in (*predeal.lengths, *predeal.small):
            suits_of.setdefault(seat, set()).add(suit)
        all_suits = frozenset(range(4))

        def n_saved(suits: frozenset[int]) -> int:
            return len(all_suits - suits) * sum(own <= suits for own in suits_of.values())

        # With more than two suits, seats would be enumerated in both halves, with too many pairs of lengths.
        candidates = [frozenset(suits) for suits in suits_of.values() if len(suits) <= 2]
        suits = max(candidates, key=n_saved, default=all_suits)
        seats = sorted(suits_of, key=lambda seat: (suits_of[seat] <= suits, seat))
        n_full = len(seats) if suits == all_suits else sum(not own <= suits for own in suits_of.values())
        return cls(tuple(seats[:3]), min(n_full, 3), suits, seats[3] if len(seats) == 4 else None, predeal)

    @property
    def suit_order(self) -> list[int]:
        """The suits in order; those in which more seats are enumerated come first."""
        return sorted(range(4), key=lambda suit: (suit not in self.suits, suit))

    def enumerated_seats(self, suit: int) -> tuple[int, ...]:
        """Return the seats whose holdings in a suit are enumerated."""
        return self.seats if suit in self.suits else self.seats[: self.n_full]

    def deal_pool(self, cards: int) -> int:
        """Return the number of ways to deal the pool, given the numbers of cards of a `SuitSplits`."""
        counts = [cards >> FIELD * index & _CARDS for index in range(len(self.seats) + 1)]
        if any(count != 13 for count in counts[: self.n_full]):
            return 0
        needs = []
        for seat, count in zip(self.seats[self.n_full :], counts[self.n_full : -1], strict=True):
            cards_of_seat = (suit for owner, suit, _ in self.predeal.cards if owner == seat)
            predealt = sum(suit not in self.suits for suit in cards_of_seat)
            needs.append(13 - count - predealt)
        needs.append(counts[-1] - sum(needs))
        return _count_divisions(needs) if min(needs) >= 0 else 0

    @property
    def n_other_deals(self) -> int:
        """The number of ways to deal the remaining cards to the seats that are not enumerated."""
        if self.last_seat is not None:
            return 1
        return _count_divisions([self.predeal.needs[seat] for seat in range(4) if seat not in self.seats])


def _count_divisions(sizes: Sequence[int]) -> int:
    """Return the number of ways to divide cards into parts of these sizes."""
    return math.factorial(sum(sizes)) // math.prod(map(math.factorial, sizes))


def enumerate_splits(suit: int, scheme: SplitScheme, classifiers: Sequence[SumClassifier]) -> SuitSplits:
    """Return all ways to split a suit among the enumerated seats and the others.

    Raises
    ------
    TooManyStates
        There are more than `MAX_SPLITS` ways.
    """
    # Cards that neither a clause nor the predeal distinguishes form a group, in which only their number
    # matters.
    seats = scheme.enumerated_seats(suit)
    last = scheme.last_seat if suit in scheme.suits else None
    table_seats = seats if last is None else (*seats, last)
    allowed = {seat: predealt_holdings(scheme.predeal, seat)[suit] for seat in table_seats}
    tables = [[classifier.tables.get((seat, suit)) for classifier in classifiers] for seat in table_seats]
    owners = {rank: seat for seat, card_suit, rank in scheme.predeal.cards if card_suit == suit}
    free = [rank for rank in range(13) if rank not in owners]
    used_tables = [table for seat_tables in tables for table in seat_tables if table is not None]
    groups = _group_ranks(free, [*used_tables, *allowed.values()])
    n_parts = len(seats) + 1
    if math.prod(math.comb(len(group) + n_parts - 1, n_parts - 1) for group in groups) > MAX_SPLITS:
        raise TooManyStates(f"clauses depend on too many single cards of {n_parts - 1} hands")
    # Combine the divisions of all groups, and multiply their ways.
    held = np.zeros((n_parts, 1), np.int64)
    for rank, owner in owners.items():
        held[seats.index(owner) if owner in seats else -1] |= 1 << rank
    ways = np.ones(1, np.int64)
    for group in groups:
        added, n_ways = divide_group(group, n_parts)
        held = (held[:, :, None] | added[:, None, :]).reshape(n_parts, -1)
        ways = (ways[:, None] * n_ways).ravel()
    # Compute the sums of each split, and whether its holdings are allowed.
    is_allowed = np.ones(len(ways), bool)
    sums = [np.zeros(len(ways), np.int64) for _ in classifiers]
    # Without a last seat, the last part of `held` is the pool, which has no tables.
    for seat, seat_tables, holdings in zip(table_seats, tables, held, strict=False):
        is_allowed &= allowed[seat][holdings]
        for total, table in zip(sums, seat_tables, strict=True):
            if table is not None:
                total += table[holdings]
    # Pack the number of cards of each seat and of the pool.
    cards = np.zeros(len(ways), np.int64)
    for index in range(len(seats)):
        cards += HOLDING_LENGTHS[held[index]].astype(np.int64) << FIELD * index
    if suit not in scheme.suits:
        rest = held[-1] & sum(1 << rank for rank in free)
        cards += HOLDING_LENGTHS[rest].astype(np.int64) << FIELD * len(scheme.seats)
    return SuitSplits(cards, sums, ways).rows(is_allowed).merge_equal()


def _group_ranks(ranks: Sequence[int], tables: Sequence[np.ndarray]) -> list[list[int]]:
    """Return groups of ranks that can be exchanged without changing the value of any table."""
    groups: list[list[int]] = []
    holdings = np.arange(8192)
    for rank in ranks:
        for group in groups:
            differ = (holdings >> rank ^ holdings >> group[0]) & 1
            swapped = holdings ^ (differ << rank | differ << group[0])
            if all(np.array_equal(table, table[swapped]) for table in tables):
                group.append(rank)
                break
        else:
            groups.append([rank])
    return groups


def divide_group(group: Sequence[int], n_parts: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the divisions of a group of equivalent cards into parts, by the sizes of the parts.

    Returns
    -------
    held : ndarray of int64 [n_parts, n]
        An example of the holdings of all parts for each combination of sizes.
    ways : ndarray of int64 [n]
        Number of divisions with these sizes.
    """
    held, ways = [], []
    size = len(group)
    for bars in itertools.combinations(range(size + n_parts - 1), n_parts - 1):
        ends = [bar - i for i, bar in enumerate(bars)] + [size]
        starts = [0, *ends[:-1]]
        parts = [group[start:end] for start, end in zip(starts, ends, strict=True)]
        held.append([sum(1 << rank for rank in part) for part in parts])
        ways.append(_count_divisions([len(part) for part in parts]))
    return np.array(held, np.int64).T, np.array(ways, np.int64)
