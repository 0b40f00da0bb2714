"""Optimal points of two hands and their components.

Arrays have the axes hand, suit (S H D C) and deal, as far as a component has them. Points are int16 in
hundredths.

References
----------
P. Darricades, Optimal Point Count; the details as computed by JGM's program DOP 21.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.evaluators import holdings
from dealerkit.evaluators.opc import suit_tables
from dealerkit.evaluators.opc.fit import ShortSuits, find_short_suits, fit_points, truncate_points
from dealerkit.evaluators.pairs.pair import NOTRUMP, Pair, check_variant


@dataclass(frozen=True, eq=False)
class OptimalPoints(Pair):
    """A `Pair` with its optimal points, each component computed at first use.

    Parameters
    ----------
    first, second : ndarray of uint64 [shape=(n,)]
        Hands of north and south, or of east and west. In ties DOP prefers the second hand.
    opener : {0, 1}
        Position of the hand that opened. Only this hand loses a point for having no ace and counts length
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
                f"opener is {self.opener!r}; it is 0 for the first hand of the side or 1 for the second"
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
        result: np.ndarray = self.take_suits(suit_tables.gains_by_fit()) * ((self.combined >= 8) | five_two)
        return result

    @cached_property
    def misfit(self) -> np.ndarray:
        """Points for shortness opposite partner's long suit, 0 to -300."""
        short, partner = self.lengths, self.lengths[::-1]
        void = (short == 0) & (partner >= 5)
        singleton = (short == 1) & ((partner == 5) | (partner == 6))
        doubleton = (short == 2) & (partner == 5)
        doubleton &= (self.take_suits(suit_tables.gains_by_fit()) == 0) & (self.honour_points == 0)
        result: np.ndarray = (-300 * void - 200 * singleton - 100 * doubleton).astype(np.int16)
        return result

    @cached_property
    def waste(self) -> np.ndarray:
        """Points opposite shortness: negative for wasted honours, positive for a suit without waste."""
        partner = self.lengths[::-1]
        facing_void = self.take_suits(suit_tables.waste(0, self.variant))
        facing_singleton = self.take_suits(suit_tables.waste(1, self.variant))
        result: np.ndarray = facing_void * (partner == 0) + facing_singleton * (partner == 1)
        return result

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

        A point less for 4333, for no king, for no queen and for an opener without an ace, at most two points
        together. One point more for three kings, two for four, and one for four queens.
        """
        less = self.is_4333 + (self.kings == 0) + (self.queens == 0)
        less[self.opener] += (less[self.opener] < 2) & (self.aces[self.opener] == 0)
        more = np.maximum(self.kings - 2, 0) + (self.queens == 4)
        result: np.ndarray = (100 * (more - np.minimum(less, 2))).astype(np.int16)
        return result

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
        result: np.ndarray = (
            self.hand_honour_points + self.hand_length_points + self.hand_synergy + self.adjustment
        )
        return result

    @cached_property
    def hand_hl(self) -> np.ndarray:
        """HL of a hand without regard to partner, at least 0."""
        result: np.ndarray = np.maximum(self.unclipped_hl, 0)
        return result

    @cached_property
    def hand_hld(self) -> np.ndarray:
        """HLD of a hand without regard to partner."""
        result: np.ndarray = self.hand_hl + self.hand_distribution
        return result

    @cached_property
    def notrump_shortness(self) -> np.ndarray:
        """Points for shortness in notrump.

        A void counts -300 and a singleton -200 in the opener's hand, -200 and -100 in the other hand; for the
        shortest suit only (``coded``), or for every short suit (``intended``).
        """
        voids, singletons = self.voids, self.singletons
        if not self.intended:
            voids, singletons = self.shortest == 0, self.shortest == 1
        declarer = (np.arange(2) == self.opener)[:, None]
        loss = voids * np.where(declarer, 300, 200) + singletons * np.where(declarer, 200, 100)
        result: np.ndarray = (-loss).astype(np.int16)
        return result

    # ------------------------------------------------------------ a side, [n] or [4, n]
    @cached_property
    def fit_lengths(self) -> np.ndarray:
        """Points FN for the cards in each suit [4, n]: 100 for eight cards, 200 for nine, 300 for more."""
        result: np.ndarray = (100 * np.clip(self.combined - 7, 0, 3)).astype(np.int16)
        return result

    @cached_property
    def mirror(self) -> np.ndarray:
        """Points for suits of equal length in both hands [n]: -200 for four suits, -100 for two or three."""
        equal = (self.lengths[0] == self.lengths[1]).sum(axis=0, dtype=np.int16)
        result: np.ndarray = -100 * ((equal > 1).astype(np.int16) + (equal == 4))
        return result

    @cached_property
    def lost(self) -> np.ndarray:
        """Sum of the negative points of `waste` [n]."""
        result: np.ndarray = np.minimum(self.waste, 0).sum(axis=(0, 1), dtype=np.int16)
        return result

    @cached_property
    def gained(self) -> np.ndarray:
        """Sum of the positive points of `waste` [n]."""
        result: np.ndarray = np.maximum(self.waste, 0).sum(axis=(0, 1), dtype=np.int16)
        return result

    @cached_property
    def hl(self) -> np.ndarray:
        """HL of the side [n], at least 0; hands below 0 count as 0 (``intended``)."""
        result: np.ndarray = np.maximum((self.hand_hl if self.intended else self.unclipped_hl).sum(axis=0), 0)
        return result

    @cached_property
    def hlf(self) -> np.ndarray:
        """HL with fits [n]: HL + HF + FN."""
        honours = self.fit_honours.sum(axis=(0, 1), dtype=np.int16)
        result: np.ndarray = self.hl + honours + self.fit_lengths.sum(axis=0, dtype=np.int16)
        return result

    @cached_property
    def net_hlf(self) -> np.ndarray:
        """HLF less misfits, mirrored lengths and waste, without points of a strain [n]; at least 0."""
        misfit = self.misfit.sum(axis=(0, 1), dtype=np.int16)
        result: np.ndarray = np.maximum(self.hlf + misfit + self.mirror + self.lost, 0)
        return result

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
        result: np.ndarray = self.net_hlf + self.gained + self._longest[1]
        return result

    @cached_property
    def _longest(self) -> tuple[np.ndarray, np.ndarray]:
        """Longest suit and its DFIT, [n] each."""
        keys = np.sort(4 * self.combined + np.array([3, 2, 1, 0], np.int16)[:, None], axis=0)
        suit, second = 3 - (keys[3] & 3), 3 - (keys[2] & 3)
        tied = keys[3] >> 2 == keys[2] >> 2
        value = np.zeros((2, len(suit)), np.int16)
        for trump in range(4):
            rows = np.flatnonzero((suit == trump) | tied & (second == trump))
            lengths = self.lengths[..., rows]
            dfit = fit_points(lengths, trump, self.opener, find_short_suits(lengths), self.variant)
            value[(suit[rows] != trump).view(np.int8), rows] = dfit.sum(axis=0)
        better = tied & (value[1] > value[0])
        return np.where(better, second, suit), np.where(better, value[1], value[0])
