"""The two hands of a side, with or without a trump suit, and the values that evaluators of sides share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from typing import Self

import numpy as np

from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS
from dealerkit.errors import ArgumentError
from dealerkit.evaluators import holdings, honour_tables, patterns
from dealerkit.runtime.process import cached_property

BATCH = 4096  # number of deals whose columns fit the processor's cache
VARIANTS = ("intended", "coded")
NOTRUMP = 4
_SHIFTS = np.array(LANE_SHIFTS, np.uint64)[:, None]
# By trump suit, C D H S and none: bits 13 to 15 are not cards.
_SHIFT_OF_TRUMP = np.array([*reversed(LANE_SHIFTS), 13], np.uint64)
_MAJOR = np.array([1, 1, 0, 0], np.int16)[:, None]  # of S H D C
_RANK = np.array([3, 2, 1, 0], np.int16)[:, None]  # of S H D C, as DealerV2 numbers suits


def check_variant(variant: str, name: str) -> None:
    """Raise ArgumentError if a variant is unknown; `name` is that of the evaluator, for the message."""
    if variant not in VARIANTS:
        raise ArgumentError(f"unknown variant {variant!r} of {name}; known: {', '.join(VARIANTS)}")


class Hands:
    """Values of m hands in each of n deals, which are computed at first use.

    Arrays have the hands on their first axis, the suits S H D C on the second if they have suits, and the
    deals on the last.
    """

    @cached_property
    def hands(self) -> np.ndarray:
        """The hands: uint64 [m, n]."""
        raise NotImplementedError

    # ------------------------------------------------------------ values of tables
    def sum_table(self, table: np.ndarray) -> np.ndarray:
        """Return the sum of a table over the suits of each hand: [m, n]."""
        from dealerkit.evaluators.kernels import sum_suits

        return sum_suits(self.hands.reshape(-1), table).reshape(self.hands.shape)

    def take_suits(self, table: np.ndarray) -> np.ndarray:
        """Return the value of a table for each hand and suit: [m, 4, n]."""
        return table.take(self.holdings)

    def apply_rule(self, rule: patterns.Rule) -> np.ndarray:
        """Return the value of a rule about the four suit lengths for each hand: int16 [m, n]."""
        return patterns.tabulate(rule).take(self.pattern_codes)

    def adjusted_points(self, name: str) -> np.ndarray:
        """Return points 4 3 2 1 with the `short_honours` of a point count, rounded: int16 [m, n]."""
        return honour_tables.round_half_away(self.sum_table(honour_tables.adjusted_points(name)))

    def short_honours(self, name: str) -> np.ndarray:
        """Return the corrections of a point count for short honours, in whole points: int16 [m, n]."""
        return self.sum_table(honour_tables.short_honours(name)) // 100

    # ------------------------------------------------------------ each hand
    @cached_property
    def holdings(self) -> np.ndarray:
        """Holdings of each hand as indices of tables: int64 [m, 4, n]."""
        return (self.hands[:, None, :] >> _SHIFTS & np.uint64(LANE_MASK)).view(np.int64)

    @cached_property
    def lengths(self) -> np.ndarray:
        """Cards in each suit: int16 [m, 4, n]."""
        return self.take_suits(holdings.length())

    @cached_property
    def pattern_codes(self) -> np.ndarray:
        """Codes of the suit lengths as indices of tables: int64 [m, n]."""
        from dealerkit.evaluators.kernels import pattern_code

        return pattern_code(self.hands.reshape(-1)).astype(np.int64).reshape(self.hands.shape)

    @cached_property
    def hcp(self) -> np.ndarray:
        """Points 4 3 2 1: int16 [m, n]."""
        return self.sum_table(holdings.points((4, 3, 2, 1)))

    @cached_property
    def suit_hcp(self) -> np.ndarray:
        """Points 4 3 2 1 in each suit: int16 [m, 4, n]."""
        return self.take_suits(holdings.points((4, 3, 2, 1)))

    @cached_property
    def aces(self) -> np.ndarray:
        """Number of aces: int16 [m, n]."""
        return self.sum_table(holdings.points((1,)))

    @cached_property
    def body(self) -> np.ndarray:
        """Body of tens, nines and eights: int16 [m, n]."""
        return self.sum_table(honour_tables.body_points())

    @cached_property
    def is_4333(self) -> np.ndarray:
        """1 for the shape 4333: int16 [m, n]."""
        return self.apply_rule(patterns.is_4333)

    @cached_property
    def voids(self) -> np.ndarray:
        """Number of voids: int16 [m, n]."""
        return self.apply_rule(patterns.voids)

    @cached_property
    def singletons(self) -> np.ndarray:
        """Number of singletons: int16 [m, n]."""
        return self.apply_rule(patterns.singletons)

    @cached_property
    def doubletons(self) -> np.ndarray:
        """Number of doubletons: int16 [m, n]."""
        return self.apply_rule(patterns.doubletons)

    @cached_property
    def shortest(self) -> np.ndarray:
        """Length of the shortest suit: int16 [m, n]."""
        return self.apply_rule(patterns.shortest)

    @cached_property
    def shortness(self) -> np.ndarray:
        """3 for each void, 2 for each singleton, 1 for each doubleton: int16 [m, n]."""
        return self.apply_rule(patterns.short_points)

    @cached_property
    def long_cards(self) -> np.ndarray:
        """Cards over four in each suit, summed over the suits: int16 [m, n]."""
        return self.apply_rule(patterns.long_cards)


@dataclass(frozen=True, eq=False)
class SingleHand(Hands):
    """One hand in n deals, for counts that do not depend on partner.

    Parameters
    ----------
    hand : ndarray of uint64 [shape=(n,)]
        The hand of a seat in each deal.
    """

    hand: np.ndarray

    @cached_property
    def hands(self) -> np.ndarray:
        """The hand: uint64 [1, n]."""
        return self.hand[None]


@dataclass(frozen=True, eq=False)
class Pair(Hands):
    """The two hands of a side in n deals, with values that are computed at first use.

    Arrays have the two hands on their first axis (north or east first), the suits S H D C on the second
    if they have suits, and the deals on the last.

    Parameters
    ----------
    first, second : ndarray of uint64 [shape=(n,)]
        Hands of north and south, or of east and west.
    variant : {"intended", "coded"}
        ``coded`` computes as DealerV2 4.3, ``intended`` as its author or the author of the rule means it.

    Raises
    ------
    ArgumentError
        The hands are not arrays of uint64 with one dimension and equal lengths.

    Examples
    --------
    >>> from dealerkit.cards.deals import Deals
    >>> deals = Deals.from_pbn(["N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"])
    >>> pair = Pair(deals.hand("north"), deals.hand("south"))
    >>> pair.combined[:, 0].tolist(), pair.hcp[:, 0].tolist()
    ([9, 4, 8, 5], [11, 6])
    """

    first: np.ndarray
    second: np.ndarray
    _: KW_ONLY
    variant: str = "intended"

    def __post_init__(self) -> None:
        shape = getattr(self.first, "shape", ())
        for hand in (self.first, self.second):
            is_hands = isinstance(hand, np.ndarray) and hand.dtype == np.uint64
            if not is_hands or len(shape) != 1 or hand.shape != shape:
                raise ArgumentError(
                    "a side has two hands as arrays of uint64 with one dimension and equal lengths"
                )

    def select(self, rows: slice) -> Self:
        """Return the pair in some of the deals."""
        return replace(self, first=self.first[rows], second=self.second[rows])

    def batches(self) -> Iterator[tuple[slice, Self]]:
        """Yield the rows and the pair of each batch."""
        for start in range(0, len(self.first), BATCH):
            rows = slice(start, start + BATCH)
            yield rows, self.select(rows)

    @cached_property
    def hands(self) -> np.ndarray:
        """Both hands: uint64 [2, n]."""
        return np.stack((self.first, self.second))

    @property
    def intended(self) -> bool:
        """True for the variant ``intended``."""
        return self.variant == "intended"

    # ------------------------------------------------------------ both hands
    @cached_property
    def combined(self) -> np.ndarray:
        """Cards of both hands in each suit: int16 [4, n]."""
        return self.lengths[0] + self.lengths[1]

    @cached_property
    def _longer_and_shorter(self) -> tuple[np.ndarray, np.ndarray]:
        """Larger and smaller number of cards of the two hands in each suit: int16 [4, n] each."""
        return np.maximum(*self.lengths), np.minimum(*self.lengths)

    def short_opposite(self, length: int) -> np.ndarray:
        """Return whether one hand has at most one card and the other `length` or more: bool [4, n]."""
        longer, shorter = self._longer_and_shorter
        return (shorter < 2) & (longer >= length)

    def has_misfit(self, length: int) -> np.ndarray:
        """Return whether `short_opposite` is true for some suit: bool [n]."""
        return np.asarray(self.short_opposite(length).any(axis=0))


@dataclass(frozen=True, eq=False)
class TrumpPair(Pair):
    """A `Pair` with a trump suit.

    Parameters
    ----------
    first, second, variant
        As for `Pair`.
    suit : {0, 1, 2, 3}, optional
        Trumps, S H D C; by default those of `find_best_fit`.

    Examples
    --------
    >>> from dealerkit.cards.deals import Deals
    >>> deals = Deals.from_pbn(["N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"])
    >>> hands = deals.hands
    >>> ns, ew = TrumpPair(hands[:, 0], hands[:, 2]), TrumpPair(hands[:, 1], hands[:, 3])
    >>> ns.trump.tolist(), ns.fit.tolist(), ns.trumps.tolist(), ew.declares.tolist()
    ([3], [9], [[6], [3]], [[False], [True]])
    """

    suit: int | None = None

    @cached_property
    def trump(self) -> np.ndarray:
        """Trump suit, C D H S = 0..3, or -1 without trumps: int16 [n]."""
        if self.suit is not None:
            return np.full(len(self.first), 3 - self.suit, np.int16)
        return find_best_fit(self)

    @cached_property
    def fit(self) -> np.ndarray:
        """Cards of both hands in the trump suit, or in the longest suit if there are no trumps: int16 [n]."""
        return self.combined.max(axis=0) if self.suit is None else self.combined[self.suit]

    @cached_property
    def has_fit(self) -> np.ndarray:
        """True for eight trumps or more: bool [n]."""
        return self.fit >= 8

    @cached_property
    def is_trump(self) -> np.ndarray:
        """True for the trump suit: bool [4, n]."""
        return self.trump == _RANK

    @cached_property
    def trump_holdings(self) -> np.ndarray:
        """Holdings in trumps as indices of tables, voids if there are no trumps: int64 [2, n]."""
        shift = _SHIFT_OF_TRUMP.take(self.trump)
        mask = np.where(self.trump >= 0, np.uint64(LANE_MASK), np.uint64(0))
        return (self.hands >> shift & mask).view(np.int64)

    def take_trumps(self, table: np.ndarray) -> np.ndarray:
        """Return the value of a table for the trumps of each hand, of a void if there are none: [2, n]."""
        return table.take(self.trump_holdings)

    @cached_property
    def trumps(self) -> np.ndarray:
        """Number of trumps: int16 [2, n]."""
        return self.take_trumps(holdings.length())

    @cached_property
    def declares(self) -> np.ndarray:
        """True for the hand that declares: bool [2, n].

        The hand with more trumps declares. With equal numbers, or without trumps, it is the hand with more
        points, or the first if these are equal, too.
        """
        first = (self.trumps[0] > self.trumps[1]) | self.equal_trumps & (self.hcp[0] >= self.hcp[1])
        return np.stack((first, ~first))

    @property
    def is_dummy(self) -> np.ndarray:
        """True for dummy: bool [2, n]."""
        return self.declares[::-1]

    @cached_property
    def is_fit_declarer(self) -> np.ndarray:
        """True for the hand that declares with eight trumps or more: bool [2, n]."""
        return self.declares & self.has_fit

    @cached_property
    def is_fit_dummy(self) -> np.ndarray:
        """True for dummy with eight trumps or more: bool [2, n]."""
        return self.is_dummy & self.has_fit

    @cached_property
    def equal_trumps(self) -> np.ndarray:
        """True for the same number of trumps in both hands: bool [n]."""
        return self.trumps[0] == self.trumps[1]

    @cached_property
    def counts_shortness(self) -> np.ndarray:
        """True for hands that count points for shortness in a fit: bool [2, n].

        With eight trumps or more, dummy counts them, or both hands if they have the same number of trumps.
        """
        return self.has_fit & (self.equal_trumps | self.is_dummy)

    @cached_property
    def counts_length(self) -> np.ndarray:
        """True for hands that count points for length in a fit: bool [2, n].

        With eight trumps or more, it is the hand that has more of them.
        """
        return self.has_fit & ~self.equal_trumps & self.declares

    @cached_property
    def long_trumps(self) -> np.ndarray:
        """1 for a fifth trump and 2 for each further one: int16 [2, n]."""
        return np.maximum(self.trumps - 4, 0) + np.maximum(self.trumps - 5, 0)

    @cached_property
    def ruffing_points(self) -> np.ndarray:
        """Points for the shortest suit: 3 2 1 for 0, 1, 2 cards with three trumps, 5 3 1 with more."""
        few, many = 3 - self.shortest, np.array([5, 3, 1, 0], np.int16).take(self.shortest)
        return np.where(self.trumps == 3, few, many) * (self.trumps >= 3)


def find_best_fit(pair: Pair) -> np.ndarray:
    """Return the best trump suit of a side, C D H S = 0..3, or -1 if there is none.

    It is the longest combined suit. Of equally long suits of eight cards or more, majors are preferred, then
    the more even split, then fewer points, then the higher-ranking suit. Without a suit of eight cards it is
    a suit of seven cards that is split 5-2, with the same preferences; otherwise there is none.

    Parameters
    ----------
    pair : Pair
        The two hands.

    Returns
    -------
    ndarray of int16 [shape=(n,)]
        The suit of each deal.

    Notes
    -----
    In the variant ``coded``, clubs are preferred to diamonds if both are longest and equal in split and
    points, unless spades and hearts are equally long; this is how DealerV2 4.3 computes.

    References
    ----------
    JGM, DealerV2 4.3.
    """
    # Make one number for each suit with the criteria in order of weight: length from bit 11 on, major suit in
    # bit 10, even split in bits 6 to 9, few points in bits 2 to 5, rank in bits 0 and 1.
    combined = pair.combined
    split = np.abs(pair.lengths[0] - pair.lengths[1])
    points = pair.suit_hcp[0] + pair.suit_hcp[1]
    key = combined << 11 | _MAJOR << 10 | (15 - split) << 6 | (15 - points) << 2 | _RANK

    # Fewer than eight cards are not a fit, except for seven that are split 5-2.
    key[(combined < 7) | (combined == 7) & (split != 3)] = -1
    best = key.max(axis=0)
    trump = np.where(best >= 0, best & 3, np.int16(-1))

    # DealerV2 takes clubs if everything except the rank is equal in diamonds.
    if not pair.intended:
        tied = (trump == 1) & (best >= 8 << 11) & (key[2] >> 2 == key[3] >> 2) & (combined[0] != combined[1])
        trump[tied] = 0
    return trump
