"""Optimal points (OPC) of two hands in a strain, in hundredths.

A pair is worth what its honours, long suits and fits are worth together, less what is wasted
opposite short suits, plus distribution where there are trumps.

References
----------
P. Darricades, Optimal Point Count; the details as computed by JGM's program DOP 21.3.
"""

from __future__ import annotations

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.evaluators.opc.losers import promised_tricks, quick_losers
from dealerkit.evaluators.opc.pairs import VARIANTS, Pair, pair_of

__all__ = ["VARIANTS", "Pair", "opc", "opc_best", "pair_of", "promised_tricks", "quick_losers"]

ROWS = 4096  # pairs at once; their components stay in the cache


def opc(
    first: np.ndarray,
    second: np.ndarray,
    strain: int | None = None,
    opener: int = 1,
    variant: str = "intended",
) -> np.ndarray:
    """Optimal points of a side.

    HL is what honours, length, honours together and adjustments are worth in both hands; HF and FN
    add for honours in a fit and for each fit of eight cards. Misfits, mirrored lengths and honours
    wasted opposite a void or singleton are taken off. A suit adds distribution (DFIT) and what is
    not wasted, notrump takes off for short suits.

    Parameters
    ----------
    first, second : ndarray of uint64 [shape=(n,)]
        Cards of north and south, or of east and west.
    strain : int, optional
        S H D C N = 0..4; by default the side's longest suit, of equal ones (the two highest) that with
        more points.
    opener : {0, 1}
        Which hand opened, the first or the second. It alone loses a point for having no ace,
        counts length without limit and all of its distribution, and declares notrump.
    variant : {"intended", "coded"}
        ``coded`` is what DOP and DealerV2 compute. ``intended`` mends four of its faults: a bare ace
        opposite a singleton gains a point (no change is meant), five trumps opposite five count
        half points (all else is truncated), notrump looks at the shortest suit of a hand only (at
        all), and a hand below 0 lowers the side's HL (a hand counts at least 0).

    Returns
    -------
    ndarray of int32 [shape=(n,)], >= 0
        Hundredths of a point.

    Raises
    ------
    ArgumentError
        A strain, opener or variant that there is not, or hands of another type or shape.

    Examples
    --------
    >>> from dealerkit.cards.deals import Deals
    >>> deals = Deals.from_pbn(["N:AKJT32.Q98.J98.9 76.J743.A2.KQ765 Q54.2.K6543.J432 98.AKT65.QT7.AT8"])
    >>> north, south = deals.hand("north"), deals.hand("south")
    >>> opc(north, south, strain=0, opener=0) / 100, opc(north, south, strain=4, opener=0) / 100
    (array([30.5]), array([23.5]))
    >>> opc(north, south) / 100
    array([29.5])
    """
    if strain is not None and strain not in range(5):
        raise ArgumentError(
            f"strain is {strain!r}; it is 0 to 4 for spades, hearts, diamonds, clubs, notrump"
        )
    pair = pair_of(first, second, opener, variant)
    out = np.empty(len(first), np.int32)
    for start in range(0, len(first), ROWS):
        part = Pair(pair.holding[..., start : start + ROWS], pair.opener, variant)
        out[start : start + ROWS] = part.longest_points() if strain is None else part.points(int(strain))
    return out


def opc_best(
    first: np.ndarray, second: np.ndarray, opener: int = 1, variant: str = "intended"
) -> tuple[np.ndarray, np.ndarray]:
    """The suit in which a side has most optimal points.

    Parameters
    ----------
    first, second, opener, variant
        As for `opc`. The report of DOP never looks at spades (``coded``) and takes the lower of
        two equal suits; the higher is meant (``intended``).

    Returns
    -------
    suit : ndarray of int8 [shape=(n,)]
        S H D C = 0..3.
    points : ndarray of int32 [shape=(n,)]
        Hundredths of a point.

    Raises
    ------
    ArgumentError
        As `opc`.
    """
    values = np.stack([opc(first, second, suit, opener, variant) for suit in range(4)])
    if variant == "coded":
        suit = 3 - values[:0:-1].argmax(axis=0)
    else:
        suit = values.argmax(axis=0)
    return suit.astype(np.int8), np.take_along_axis(values, suit[None], axis=0)[0]
