"""Optimal points of the two hands of a side, and their components.

Arrays have the axes hand, suit (S H D C) and deal, or those of them that a component has. Points are int16 in
hundredths.

References
----------
P. Darricades, Optimal Point Count; the details as computed by JGM's program DOP 21.3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.evaluators import holdings
from dealerkit.evaluators.opc import suit_tables
from dealerkit.evaluators.pairs.pair import NOTRUMP, Pair, check_variant
from dealerkit.runtime.process import cached_property


@dataclass(frozen=True, eq=False)
class OptimalPoints(Pair):
    """A `Pair` with its optimal points, each component computed at first use.

    Parameters
    ----------
    first, second : ndarray of uint64 [shape=(n,)]
        Hands of north and south, or of east and west. In ties DOP prefers the second hand.
    opener : {0, 1}
        Index of the hand that opened. Only this hand loses a point for having no ace, and counts length
        without limit and distribution without a fit.
    variant : {"intended", "coded"}
        `dealerkit.evaluators.opc.evaluator.opc` describes the differences.

    Raises
    ------
    ArgumentError
        The hands are not arrays of uint64 with equal lengths, the opener is neither hand, or the variant is
        unknown.
    """

    opener: int = 1

    def __post_init__(self) -> None:
        check_variant(self.variant, "opc")
        if self.opener not in (0, 1):
            raise ArgumentError(
                f"opener is {self.opener!r}; it must be 0 for the first hand of the side or 1 for the second"
            )
        super().__post_init__()

    # ------------------------------------------------------------ a suit of a hand, [2, 4, n]
    @cached_property
    def honour_points(self) -> np.ndarray:
        """Honour points H."""
        return self.take_suits(suit_tables.honours())

    @cached_property
    def length_points(self) -> np.ndarray:
        """Length points L, before the limit for the hand that did not open."""
        return self.take_suits(suit_tables.length_points())

    @cached_property
    def synergy(self) -> np.ndarray:
        """Synergy points Sy."""
        return self.take_suits(suit_tables.synergy())

    @cached_property
    def distribution(self) -> np.ndarray:
        """Distribution points D of a hand without regard to partner."""
        return self.take_suits(suit_tables.distribution_points())

    @cached_property
    def fit_honours(self) -> np.ndarray:
        """Points HF for honours in a fit of eight cards, or in two cards opposite five."""
        five_two = (self.combined == 7) & (self.lengths == 2)
        return self.take_suits(suit_tables.gains_by_fit()) * ((self.combined >= 8) | five_two)

    @cached_property
    def misfit(self) -> np.ndarray:
        """Points for shortness opposite partner's long suit, 0 to -300."""
        # A void loses 3 opposite five cards or more, a singleton 2 opposite five or six.
        short, partner = self.lengths, self.lengths[::-1]
        void = (short == 0) & (partner >= 5)
        singleton = (short == 1) & ((partner == 5) | (partner == 6))
        # A doubleton loses 1 opposite exactly five, unless it has points or the jack.
        doubleton = (short == 2) & (partner == 5)
        doubleton &= (self.take_suits(suit_tables.gains_by_fit()) == 0) & (self.honour_points == 0)
        return (-300 * void - 200 * singleton - 100 * doubleton).astype(np.int16)

    @cached_property
    def waste(self) -> np.ndarray:
        """Points opposite shortness: negative for wasted honours, positive for a suit without waste."""
        partner = self.lengths[::-1]
        facing_void = self.take_suits(suit_tables.waste(0, self.variant))
        facing_singleton = self.take_suits(suit_tables.waste(1, self.variant))
        return facing_void * (partner == 0) + facing_singleton * (partner == 1)

    # ------------------------------------------------------------ a hand, [2, n]
    @cached_property
    def kings(self) -> np.ndarray:
        """Number of kings."""
        return self.sum_table(holdings.points((0, 1)))

    @cached_property
    def queens(self) -> np.ndarray:
        """Number of queens."""
        return self.sum_table(holdings.points((0, 0, 1)))

    @cached_property
    def adjustment(self) -> np.ndarray:
        """Adjustment ADJ.

        A hand loses a point each for 4333, for no king, for no queen and, as opener, for no ace, but at most
        two points in all. It gains one point for three kings, two for four, and one for four queens.
        """
        # The missing ace counts last: a hand that has lost two points loses none for it.
        less = self.is_4333 + (self.kings == 0) + (self.queens == 0)
        less[self.opener] += (less[self.opener] < 2) & (self.aces[self.opener] == 0)
        more = np.maximum(self.kings - 2, 0) + (self.queens == 4)
        return (100 * (more - np.minimum(less, 2))).astype(np.int16)

    @cached_property
    def hand_honour_points(self) -> np.ndarray:
        """Honour points of the hand."""
        return self.sum_table(suit_tables.honours())

    @cached_property
    def hand_length_points(self) -> np.ndarray:
        """Length points; at most 200 for the hand that did not open."""
        total = self.sum_table(suit_tables.length_points())
        total[1 - self.opener] = np.minimum(total[1 - self.opener], 200)
        return total

    @cached_property
    def hand_synergy(self) -> np.ndarray:
        """Synergy points of the hand."""
        return self.sum_table(suit_tables.synergy())

    @cached_property
    def hand_distribution(self) -> np.ndarray:
        """Distribution points without fractions: one doubleton counts nothing, two or three count a point."""
        return truncate_points(self.sum_table(suit_tables.distribution_points()))

    @cached_property
    def unclipped_hl(self) -> np.ndarray:
        """H + L + Sy + ADJ, which may be negative."""
        return self.hand_honour_points + self.hand_length_points + self.hand_synergy + self.adjustment

    @cached_property
    def hand_hl(self) -> np.ndarray:
        """HL of a hand without regard to partner, at least 0."""
        return np.maximum(self.unclipped_hl, 0)

    @cached_property
    def hand_hld(self) -> np.ndarray:
        """HLD of a hand without regard to partner."""
        return self.hand_hl + self.hand_distribution

    @cached_property
    def notrump_shortness(self) -> np.ndarray:
        """Points for shortness in notrump.

        A void counts -300 and a singleton -200 in the opener's hand, and -200 and -100 in the other hand.
        ``coded`` counts only the shortest suit, ``intended`` every short suit.
        """
        voids, singletons = self.voids, self.singletons
        if not self.intended:
            voids, singletons = self.shortest == 0, self.shortest == 1
        declarer = (np.arange(2) == self.opener)[:, None]
        loss = voids * np.where(declarer, 300, 200) + singletons * np.where(declarer, 200, 100)
        return (-loss).astype(np.int16)

    # ------------------------------------------------------------ a side, [n] or [4, n]
    @cached_property
    def fit_lengths(self) -> np.ndarray:
        """Points FN for the cards in each suit [4, n]: 100 for eight cards, 200 for nine, 300 for more."""
        return (100 * np.clip(self.combined - 7, 0, 3)).astype(np.int16)

    @cached_property
    def mirror(self) -> np.ndarray:
        """Points for suits of equal length in both hands [n]: -200 for four suits, -100 for two or three."""
        equal = (self.lengths[0] == self.lengths[1]).sum(axis=0, dtype=np.int16)
        return -100 * ((equal > 1).astype(np.int16) + (equal == 4))

    @cached_property
    def lost(self) -> np.ndarray:
        """Sum of the negative points of `waste` [n]."""
        return np.minimum(self.waste, 0).sum(axis=(0, 1), dtype=np.int16)

    @cached_property
    def gained(self) -> np.ndarray:
        """Sum of the positive points of `waste` [n]."""
        return np.maximum(self.waste, 0).sum(axis=(0, 1), dtype=np.int16)

    @cached_property
    def hl(self) -> np.ndarray:
        """HL of the side [n], at least 0; hands below 0 count as 0 (``intended``)."""
        return np.maximum((self.hand_hl if self.intended else self.unclipped_hl).sum(axis=0), 0)

    @cached_property
    def hlf(self) -> np.ndarray:
        """HL with fits [n]: HL + HF + FN."""
        honours = self.fit_honours.sum(axis=(0, 1), dtype=np.int16)
        return self.hl + honours + self.fit_lengths.sum(axis=0, dtype=np.int16)

    @cached_property
    def net_hlf(self) -> np.ndarray:
        """HLF less misfits, mirrored lengths and waste, without points of a strain [n]; at least 0."""
        misfit = self.misfit.sum(axis=(0, 1), dtype=np.int16)
        return np.maximum(self.hlf + misfit + self.mirror + self.lost, 0)

    @cached_property
    def _short_suits(self) -> ShortSuits:
        """Shortest suits of each hand."""
        return find_short_suits(self.lengths)

    def fit_distribution(self, suit: int) -> np.ndarray:
        """Return the distribution points DFIT of each hand with these trumps: [2, n]."""
        return fit_points(self.lengths, suit, self.opener, self._short_suits, self.variant)

    def points(self, strain: int) -> np.ndarray:
        """Return the optimal points of the side in a strain, S H D C N = 0..4: [n]."""
        result: np.ndarray
        if strain == NOTRUMP:
            result = np.maximum(self.net_hlf + self.notrump_shortness.sum(axis=0, dtype=np.int16), 0)
        else:
            result = self.net_hlf + self.gained + self.fit_distribution(strain).sum(axis=0, dtype=np.int16)
        return result

    @cached_property
    def longest(self) -> np.ndarray:
        """Longest suit of the side [n], S H D C = 0..3.

        Of the two highest suits of equal length it is the one with more DFIT.
        """
        return self._longest[0]

    def longest_points(self) -> np.ndarray:
        """Return the optimal points of the side in its longest suit: [n]."""
        return self.net_hlf + self.gained + self._longest[1]

    @cached_property
    def _longest(self) -> tuple[np.ndarray, np.ndarray]:
        """Longest suit and its DFIT, [n] each."""
        # Sort the suits by length and then by rank. The last is the longest; only the one before it can tie.
        keys = np.sort(4 * self.combined + np.array([3, 2, 1, 0], np.int16)[:, None], axis=0)
        suit, second = 3 - (keys[3] & 3), 3 - (keys[2] & 3)
        tied = keys[3] >> 2 == keys[2] >> 2

        # Compute DFIT of both suits, with each trump suit for the deals that need it.
        value = np.zeros((2, len(suit)), np.int16)
        for trump in range(4):
            rows = np.flatnonzero((suit == trump) | tied & (second == trump))
            lengths = self.lengths[..., rows]
            dfit = fit_points(lengths, trump, self.opener, find_short_suits(lengths), self.variant)
            value[(suit[rows] != trump).view(np.int8), rows] = dfit.sum(axis=0)
        better = tied & (value[1] > value[0])
        return np.where(better, second, suit), np.where(better, value[1], value[0])


# ------------------------------------------------------------ distribution with a trump suit (DFIT)
# It depends on the suit lengths of both hands and on the opener, not on cards.
FIRST, SECOND = 0, 1  # hands of a side


@dataclass(frozen=True, eq=False, repr=False)
class ShortSuits:
    """The shortest suit of each hand and the next one; of equally long suits the lower-ranking comes first.

    Parameters
    ----------
    suit, length : ndarray of int16 [shape=(2, n)]
        The shortest suit, S H D C = 0..3, and its length, by hand and deal.
    next_suit, next_length : ndarray of int16 [shape=(2, n)]
        The same for the next suit.
    """

    suit: np.ndarray
    length: np.ndarray
    next_suit: np.ndarray
    next_length: np.ndarray


def find_short_suits(lengths: np.ndarray) -> ShortSuits:
    """Return the two shortest suits of each hand.

    Parameters
    ----------
    lengths : ndarray of int16 [shape=(2, 4, n)]
        Hand, suit, deal.

    Examples
    --------
    >>> short = find_short_suits(np.array([[[6], [3], [3], [1]], [[3], [1], [5], [4]]], np.int16))
    >>> short.suit[:, 0].tolist(), short.next_suit[:, 0].tolist()
    ([3, 1], [2, 0])
    """
    # Make a key for each suit from its length and rank, and find the two smallest of the four keys.
    keys = lengths * 4 + np.array([3, 2, 1, 0], np.int16)[:, None]
    low, high = np.minimum(keys[:, :2], keys[:, 2:]), np.maximum(keys[:, :2], keys[:, 2:])
    first = np.minimum(low[:, 0], low[:, 1])
    second = np.minimum(np.maximum(low[:, 0], low[:, 1]), np.minimum(high[:, 0], high[:, 1]))
    return ShortSuits(3 - (first & 3), first >> 2, 3 - (second & 3), second >> 2)


def fit_points(lengths: np.ndarray, trump: int, opener: int, short: ShortSuits, variant: str) -> np.ndarray:
    """Return DFIT of both hands in one trump suit.

    The opener counts shortness. With a fit of eight cards or more, a hand with fewer than five trumps counts
    the trumps that it can ruff with instead; if both hands can ruff the same suit, only one of them counts
    this.

    Parameters
    ----------
    lengths : ndarray of int16 [shape=(2, 4, n)]
        Hand, suit, deal.
    trump : int
        S H D C = 0..3.
    opener : {0, 1}
        Index of the hand that opened.
    short : ShortSuits
        The short suits of the same hands.
    variant : {"intended", "coded"}
        With five trumps opposite five, ``coded`` counts half points as DOP does; ``intended`` truncates them
        as in all other fits.

    Returns
    -------
    ndarray of int16 [shape=(2, n)]
        Hundredths of a point, for each hand.

    Examples
    --------
    >>> lengths = np.array([[[6], [3], [3], [1]], [[3], [1], [5], [4]]], np.int16)
    >>> fit_points(lengths, 0, 0, find_short_suits(lengths), "intended")[:, 0].tolist()
    [200, 200]
    """
    # Most fits, and seven cards or fewer, count D of the side suits, or ruffs instead.
    trumps = lengths[:, trump]
    combined = trumps[0] + trumps[1]
    points = suit_tables.SHORTNESS.take(lengths)
    points[:, trump] = 0
    total = truncate_points(_value_fit(points, trumps, opener, short).sum(axis=1, dtype=np.int16))

    # With five trumps opposite five, the larger D of the two hands counts once in each suit.
    both_long = (trumps[0] >= 5) & (trumps[1] >= 5)
    if np.any(both_long):
        rows = np.flatnonzero(both_long)
        larger = _take_larger(points[..., rows]).sum(axis=1, dtype=np.int16)
        total[:, rows] = larger if variant == "coded" else truncate_points(larger)

    # Five trumps opposite two have a rule of their own.
    five_two = (combined == 7) & ((trumps[0] == 5) | (trumps[0] == 2))
    if np.any(five_two):
        rows = np.flatnonzero(five_two)
        part = _value_five_two(
            points[..., rows], trumps[:, rows], opener, short.suit[:, rows], short.length[:, rows]
        )
        total[:, rows] = truncate_points(part.sum(axis=1, dtype=np.int16))
    return total


def truncate_points(points: np.ndarray) -> np.ndarray:
    """Return hundredths, which are at least 0, without fractions of a point."""
    return points - points % 100


def _is_suit(suit: np.ndarray) -> np.ndarray:
    """Return whether each suit is the given one of the deal: bool [4, n] for suits [n]."""
    return suit == np.arange(4, dtype=np.int16)[:, None]


def _take_larger(points: np.ndarray) -> np.ndarray:
    """Return the points of the hand with more of them in each suit, and 0 for the other: [2, 4, n]."""
    is_second = points[SECOND] >= points[FIRST]
    return np.stack([np.where(is_second, 0, points[FIRST]), np.where(is_second, points[SECOND], 0)])


def _value_five_two(
    points: np.ndarray, trumps: np.ndarray, opener: int, suit: np.ndarray, length: np.ndarray
) -> np.ndarray:
    """Return points of a 5-2 fit by suit: opener's shortness, and the ruffs of the hand with two trumps."""
    # The opener counts D. The hand with two trumps instead counts 2 for a void and 1 for a singleton in its
    # shortest suit, in which its partner then counts nothing.
    values = points.copy()
    values[1 - opener] = 0
    for hand in (FIRST, SECOND):
        ruffs = (trumps[hand] == 2) & (length[hand] < 2)
        is_ruffed = _is_suit(suit[hand]) & ruffs
        values[hand] = np.where(is_ruffed, 100 * (2 - length[hand]), values[hand])
        values[1 - hand] = np.where(is_ruffed, 0, values[1 - hand])
    return values


def _value_fit(points: np.ndarray, trumps: np.ndarray, opener: int, short: ShortSuits) -> np.ndarray:
    """Return the points by hand and suit with a fit other than 5-2 and five opposite five."""
    # D counts for the opener, and for partner with five trumps or more.
    values = points.copy()
    values[1 - opener] *= trumps[1 - opener] >= 5

    # With a fit of eight or more, a hand of at most four trumps ruffs its shortest suit, if that has at most
    # two cards and fewer than its trumps. Both hands do not ruff the same suit.
    ruffs = (trumps < 5) & (short.length < 3) & (short.length < trumps) & (trumps.sum(axis=0) >= 8)
    common = ruffs[0] & ruffs[1] & (short.suit[0] == short.suit[1])
    suit, length = short.suit, short.length
    if np.any(common):
        suit, length, ruffs = _assign_common_suit(short, ruffs, common)
    is_ruffed = np.stack([_is_suit(suit[hand]) & ruffs[hand] for hand in (FIRST, SECOND)])

    # Ruffs count the trumps minus the cards of the suit. D does not count where partner ruffs, nor in the
    # common suit for the hand that does not ruff it.
    is_common_suit = _is_suit(short.suit[0]) & common
    for hand in (FIRST, SECOND):
        values[hand] = np.where(is_ruffed[1 - hand] | is_common_suit, 0, values[hand])
        values[hand] = np.where(is_ruffed[hand], 100 * (trumps[hand] - length[hand]), values[hand])
    return values


def _assign_common_suit(
    short: ShortSuits, ruffs: np.ndarray, common: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the suit that each hand ruffs, its length, and whether it ruffs: [2, n] each.

    If both hands have the same shortest suit (`common`), one of them ruffs its next suit, or nothing if
    neither has another short suit.
    """
    # A hand can ruff its next suit if that has at most two cards. Of two such hands, the one with the shorter
    # next suit does so, and the second hand in a tie.
    has_next = short.next_length <= 2
    second_is_shorter = short.next_length[SECOND] <= short.next_length[FIRST]
    second_takes_next = has_next[SECOND] & (~has_next[FIRST] | second_is_shorter)
    first_takes_next = has_next[FIRST] & ~second_takes_next
    takes_next = np.stack([first_takes_next, second_takes_next]) & common

    # If neither can, the hand that is shorter in the common suit ruffs it, the first in a tie.
    none_has_next = ~has_next[FIRST] & ~has_next[SECOND] & common
    first_ruffs = short.length[FIRST] <= short.length[SECOND]
    without_ruff = np.stack([none_has_next & ~first_ruffs, none_has_next & first_ruffs])
    suit = np.where(takes_next, short.next_suit, short.suit)
    length = np.where(takes_next, short.next_length, short.length)
    return suit, length, ruffs & ~without_ruff
