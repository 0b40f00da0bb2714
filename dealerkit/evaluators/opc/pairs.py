"""Optimal points of two hands, component by component.

Arrays have the axes hand (0 first, 1 second of the side), suit (S H D C) and deal, as far as
a component has them, and count hundredths of a point in int16.

References
----------
P. Darricades, Optimal Point Count; the details as computed by JGM's program DOP 21.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dealerkit.cards.names import LANE_MASK, LANE_SHIFTS
from dealerkit.errors import ArgumentError
from dealerkit.evaluators import holdings
from dealerkit.evaluators.opc import holdings as tables
from dealerkit.evaluators.opc.fit import Short, fit_points, shortest

VARIANTS = ("intended", "coded")
NOTRUMP = 4


def _whole(points: np.ndarray) -> np.ndarray:
    return points - points % 100  # never below 0


@dataclass(frozen=True)
class Pair:
    """Two hands of n deals and all their optimal points, each computed when first asked for.

    Parameters
    ----------
    holding : ndarray of int64 [shape=(2, 4, n)]
        Holdings 0 to 8191; `pair_of` makes them of hands.
    opener : {0, 1}
        The hand that opened: it alone loses a point for having no ace, counts length without
        limit and distribution without a fit.
    variant : {"intended", "coded"}
        `dealerkit.evaluators.opc.evaluator.opc` says where they differ.
    """

    holding: np.ndarray
    opener: int
    variant: str

    # ------------------------------------------------------------ a suit of a hand, [2, 4, n]
    @cached_property
    def length(self) -> np.ndarray:
        """Number of cards."""
        return holdings.length().take(self.holding)

    @cached_property
    def h(self) -> np.ndarray:
        """Honour points H."""
        return tables.honours().take(self.holding)

    @cached_property
    def l_suit(self) -> np.ndarray:
        """Points of length L, before the limit on the hand that did not open."""
        return tables.length_points().take(self.holding)

    @cached_property
    def sy(self) -> np.ndarray:
        """Points Sy of honours that work together."""
        return tables.synergy().take(self.holding)

    @cached_property
    def d(self) -> np.ndarray:
        """Points D of shortness, for a hand by itself."""
        return tables.distribution().take(self.holding)

    @cached_property
    def hf(self) -> np.ndarray:
        """Honours in a fit, HF: in eight cards together, or in two opposite five."""
        helps = tables.helps_a_fit().take(self.holding)
        semi = (self.combined == 7) & (self.length == 2)
        return helps * ((self.combined >= 8) | semi)

    @cached_property
    def misfit(self) -> np.ndarray:
        """Shortness opposite partner's long suit, 0 to -300."""
        short, partner = self.length, self.length[::-1]
        void = (short == 0) & (partner >= 5)
        singleton = (short == 1) & ((partner == 5) | (partner == 6))
        doubleton = (short == 2) & (partner == 5)
        doubleton &= tables.helps_a_fit().take(self.holding) == 0
        doubleton &= self.h == 0
        return (-300 * void - 200 * singleton - 100 * doubleton).astype(np.int16)

    @cached_property
    def waste(self) -> np.ndarray:
        """Honours opposite shortness: lost below 0; above 0 for what is not wasted."""
        partner = self.length[::-1]
        facing_void = tables.waste(0, self.variant).take(self.holding)
        facing_singleton = tables.waste(1, self.variant).take(self.holding)
        return facing_void * (partner == 0) + facing_singleton * (partner == 1)

    # ------------------------------------------------------------ a hand, [2, n]
    @cached_property
    def _top(self) -> np.ndarray:
        return tables.top_honours().take(self.holding).sum(axis=1, dtype=np.int16)

    @cached_property
    def aces(self) -> np.ndarray:
        """Number of aces."""
        return self._top & 15

    @cached_property
    def kings(self) -> np.ndarray:
        """Number of kings."""
        return self._top >> 4 & 15

    @cached_property
    def queens(self) -> np.ndarray:
        """Number of queens."""
        return self._top >> 8

    @cached_property
    def square(self) -> np.ndarray:
        """Truth of being 4333."""
        return self.length.min(axis=1) == 3

    @cached_property
    def adjustment(self) -> np.ndarray:
        """ADJ: a point less for 4333, for no king, for no queen, for an opener without an ace, at most
        two in all; one more for three kings, two for four, one for four queens.
        """  # fmt: skip
        less = self.square.astype(np.int16) + (self.kings == 0) + (self.queens == 0)
        less[self.opener] += (less[self.opener] < 2) & (self.aces[self.opener] == 0)
        more = np.maximum(self.kings - 2, 0) + (self.queens == 4)
        return (100 * (more - np.minimum(less, 2))).astype(np.int16)

    @cached_property
    def h_hand(self) -> np.ndarray:
        """Honour points of the hand."""
        return self.h.sum(axis=1, dtype=np.int16)

    @cached_property
    def l_hand(self) -> np.ndarray:
        """Points of length; of the hand that did not open at most 200."""
        total = self.l_suit.sum(axis=1, dtype=np.int16)
        total[1 - self.opener] = np.minimum(total[1 - self.opener], 200)
        return total

    @cached_property
    def sy_hand(self) -> np.ndarray:
        """Points Sy of the hand."""
        return self.sy.sum(axis=1, dtype=np.int16)

    @cached_property
    def d_hand(self) -> np.ndarray:
        """Points of shortness, whole ones: a doubleton alone counts nothing, two or three count one."""
        return _whole(self.d.sum(axis=1, dtype=np.int16))

    @cached_property
    def hl_sum(self) -> np.ndarray:
        """H + L + Sy + ADJ, which may fall below 0."""
        return self.h_hand + self.l_hand + self.sy_hand + self.adjustment

    @cached_property
    def hl_hand(self) -> np.ndarray:
        """HL of a hand by itself, at least 0."""
        return np.maximum(self.hl_sum, 0)

    @cached_property
    def hld_hand(self) -> np.ndarray:
        """HLD of a hand by itself."""
        return self.hl_hand + self.d_hand

    @cached_property
    def notrump(self) -> np.ndarray:
        """Shortness in notrump: void -300 and singleton -200 for the opener, -200 and -100 for the
        other hand; once (``coded``), or for every short suit (``intended``).
        """  # fmt: skip
        if self.variant == "coded":
            fewest = self.length.min(axis=1)
            voids, singletons = fewest == 0, fewest == 1
        else:
            voids, singletons = (self.length == 0).sum(axis=1), (self.length == 1).sum(axis=1)
        declarer = (np.arange(2) == self.opener)[:, None]
        loss = voids * np.where(declarer, 300, 200) + singletons * np.where(declarer, 200, 100)
        return (-loss).astype(np.int16)

    # ------------------------------------------------------------ a side, [n] or [4, n]
    @cached_property
    def combined(self) -> np.ndarray:
        """Cards of both hands in each suit [4, n]."""
        return self.length[0] + self.length[1]

    @cached_property
    def fn(self) -> np.ndarray:
        """Fits FN [4, n]: 100 for eight cards, 200 for nine, 300 for more, in every suit."""
        return (100 * np.clip(self.combined - 7, 0, 3)).astype(np.int16)

    @cached_property
    def mirror(self) -> np.ndarray:
        """Equal lengths [n]: -200 where all four suits are, -100 where two or three."""
        equal = (self.length[0] == self.length[1]).sum(axis=0, dtype=np.int16)
        return -100 * ((equal > 1).astype(np.int16) + (equal == 4))

    @cached_property
    def lost(self) -> np.ndarray:
        """Waste [n], the part below 0."""
        return np.minimum(self.waste, 0).sum(axis=(0, 1), dtype=np.int16)

    @cached_property
    def gained(self) -> np.ndarray:
        """Absence of waste [n], the part above 0."""
        return np.maximum(self.waste, 0).sum(axis=(0, 1), dtype=np.int16)

    @cached_property
    def hl(self) -> np.ndarray:
        """HL of the side [n]: of `hl_sum` (``coded``) or of hands of at least 0 each (``intended``)."""
        return np.maximum((self.hl_sum if self.variant == "coded" else self.hl_hand).sum(axis=0), 0)

    @cached_property
    def hlf(self) -> np.ndarray:
        """HL with the fits [n]: HL + HF + FN."""
        return self.hl + self.hf.sum(axis=(0, 1), dtype=np.int16) + self.fn.sum(axis=0, dtype=np.int16)

    @cached_property
    def hlf_nt(self) -> np.ndarray:
        """HLF less misfits, mirrors and waste [n], before what a strain adds; at least 0."""
        return np.maximum(
            self.hlf + self.misfit.sum(axis=(0, 1), dtype=np.int16) + self.mirror + self.lost, 0
        )

    @cached_property
    def _short(self) -> Short:
        return shortest(self.length)

    def dfit(self, suit: int) -> np.ndarray:
        """Points of distribution with these trumps, by hand [2, n]."""
        return fit_points(self.length, suit, self.opener, self._short, self.variant)

    def points(self, strain: int) -> np.ndarray:
        """Optimal points of the side [n] in a strain, S H D C N = 0..4."""
        if strain == NOTRUMP:
            return np.maximum(self.hlf_nt + self.notrump.sum(axis=0, dtype=np.int16), 0)
        return self.hlf_nt + self.gained + self.dfit(strain).sum(axis=0, dtype=np.int16)

    @cached_property
    def longest(self) -> np.ndarray:
        """The longest suit of the side [n], S H D C = 0..3.

        Of equal ones the two of highest rank are compared, and the one with more DFIT is taken.
        """
        return self._longest[0]

    def longest_points(self) -> np.ndarray:
        """Optimal points of the side [n] in its longest suit."""
        return self.hlf_nt + self.gained + self._longest[1]

    @cached_property
    def _longest(self) -> tuple[np.ndarray, np.ndarray]:
        """The longest suit and its DFIT, [n] each."""
        keys = np.sort(4 * self.combined + np.array([3, 2, 1, 0], np.int16)[:, None], axis=0)
        suit, second = 3 - (keys[3] & 3), 3 - (keys[2] & 3)
        tied = keys[3] >> 2 == keys[2] >> 2
        value = np.zeros((2, len(suit)), np.int16)
        for trump in range(4):
            rows = np.flatnonzero((suit == trump) | tied & (second == trump))
            lengths = self.length[..., rows]
            dfit = fit_points(lengths, trump, self.opener, shortest(lengths), self.variant)
            value[(suit[rows] != trump).view(np.int8), rows] = dfit.sum(axis=0)
        better = tied & (value[1] > value[0])
        return np.where(better, second, suit), np.where(better, value[1], value[0])


def pair_of(first: np.ndarray, second: np.ndarray, opener: int = 1, variant: str = "intended") -> Pair:
    """The pair of two hands.

    Parameters
    ----------
    first, second : ndarray of uint64 [shape=(n,)]
        Cards of north and south, or of east and west: DOP settles ties in favour of the second.
    opener : {0, 1}
        Which of them opened.
    variant : {"intended", "coded"}

    Raises
    ------
    ArgumentError
        Arrays of another kind or of two lengths, an opener that is neither hand, an unknown variant.
    """
    if variant not in VARIANTS:
        raise ArgumentError(f"unknown variant {variant!r} of opc; known: {', '.join(VARIANTS)}")
    if opener not in (0, 1):
        raise ArgumentError(
            f"opener is {opener!r}; it is 0 for the first hand of the side or 1 for the second"
        )
    shape = getattr(first, "shape", None)
    for hand in (first, second):
        if (
            not isinstance(hand, np.ndarray)
            or hand.dtype != np.uint64
            or hand.ndim != 1
            or hand.shape != shape
        ):
            raise ArgumentError(
                "opc takes two hands as arrays of uint64 with one dimension and equal lengths"
            )
    shifts = np.array(LANE_SHIFTS, np.uint64)[:, None]
    lanes = np.stack([hand >> shifts & np.uint64(LANE_MASK) for hand in (first, second)])
    return Pair(lanes.view(np.int64), int(opener), variant)
