"""Optimal points (OPC) of the two hands of a side in a strain, in hundredths.

They are points for honours, long suits and fits of both hands and for distribution with trumps, minus points
for honours opposite short suits.

References
----------
P. Darricades, Optimal Point Count; the details as computed by JGM's program DOP 21.3.
"""

from __future__ import annotations

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.evaluators.pairs.pair import VARIANTS
from dealerkit.registry import Function, Settings, register


def opc(
    first: np.ndarray,
    second: np.ndarray,
    strain: int | None = None,
    opener: int = 1,
    variant: str = "intended",
) -> np.ndarray:
    """Return the optimal points of a side.

    HL are points for honours, length, synergy and adjustments in both hands. HF and FN add points for honours
    in a fit and for each fit of eight cards. Misfits, mirrored lengths and honours wasted opposite a void or
    singleton subtract points. A trump suit adds distribution (DFIT) and points for suits without waste;
    notrump subtracts points for short suits.

    Parameters
    ----------
    first, second : ndarray of uint64 [shape=(n,)]
        Hands of north and south, or of east and west.
    strain : int, optional
        S H D C N = 0..4; by default the side's longest suit. Of two or more longest suits it is the one of
        the two highest-ranking in which distribution counts more.
    opener : {0, 1}
        Whether the first (0) or the second hand (1) opened. Only the opener loses a point for having no ace,
        counts length without limit and all of its distribution, and declares notrump.
    variant : {"intended", "coded"}
        ``coded`` computes as DOP and DealerV2, which have four faults that ``intended`` does not have: a bare
        ace opposite a singleton gains a point, five trumps opposite five count half points, notrump subtracts
        points only for the shortest suit of a hand, and a hand below 0 reduces the side's HL.

    Returns
    -------
    ndarray of int32 [shape=(n,)], >= 0
        Hundredths of a point.

    Raises
    ------
    ArgumentError
        The strain, opener or variant is unknown, or the hands have another type or shape.

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
    from dealerkit.evaluators.opc.optimal_points import OptimalPoints  # few scripts need it

    if strain is not None and strain not in range(5):
        raise ArgumentError(
            f"strain is {strain!r}; it must be 0 to 4 for spades, hearts, diamonds, clubs, notrump"
        )
    pair = OptimalPoints(first, second, opener, variant=variant)
    out = np.empty(len(first), np.int32)
    for rows, batch in pair.batches():
        out[rows] = batch.longest_points() if strain is None else batch.points(int(strain))
    return out


def opc_best(
    first: np.ndarray, second: np.ndarray, opener: int = 1, variant: str = "intended"
) -> tuple[np.ndarray, np.ndarray]:
    """Return the suit in which a side has the most optimal points, and these points.

    Parameters
    ----------
    first, second, opener, variant
        As for `opc`. ``coded`` chooses as DOP's report, which ignores spades and prefers the lower-ranking of
        two equal suits; ``intended`` compares all suits and prefers the higher-ranking one.

    Returns
    -------
    suit : ndarray of int8 [shape=(n,)]
        S H D C = 0..3.
    points : ndarray of int32 [shape=(n,)]
        Hundredths of a point.

    Raises
    ------
    ArgumentError
        The arguments are wrong, as for `opc`.
    """
    values = np.stack([opc(first, second, suit, opener, variant) for suit in range(4)])
    if variant == "coded":
        suit = 3 - values[:0:-1].argmax(axis=0)
    else:
        suit = values.argmax(axis=0)
    return suit.astype(np.int8), np.take_along_axis(values, suit[None], axis=0)[0]


def _choose_opener(settings: Settings) -> dict[str, int]:
    """Return the option that says which hand of a side opens, as DealerV2 reads the setting `opener`."""
    return {} if settings.opener is None else {"opener": settings.opener // 2}


register(
    Function(
        "opc",
        ("side", "strain?"),
        opc,
        kind="side",
        unit="points",
        hundredths=True,
        variants=VARIANTS,
        options=_choose_opener,
        dealerv2=("opc",),
        sorts_hands=True,  # to pass them to another program
        low=0,
        high=150,
        cost=1000.0,
        summary="Optimal Point Count of a side in a strain, or in its longest suit",
        source="P. Darricades, Optimal Point Count; as computed by JGM's DOP 21.3",
    )
)
