"""Scales of points for honours, the eight of DealerV2 and those of books and articles.

They are tables over the 8192 holdings in hundredths of a point, int16.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from dealerkit.arguments import check_name
from dealerkit.evaluators.holdings import freeze, has_honours, has_rank, length, points
from dealerkit.evaluators.honour_tables import list_holdings, name_tops

# Doubletons in the order of `Scale.doubletons`; x is a card below the ten.
_DOUBLETONS = ("AK", "AQ", "AJ", "AT", "Ax", "KQ", "KJ", "KT", "Kx", "QJ", "QT", "Qx", "JT")
# Points that opcjgm adds for the combination of the three highest cards of a suit.
_SYNERGY = {
    "AKQ": 50, "AKJ": 50, "AKT": 25, "AQJ": 100, "KQJ": 100, "AQT": 125, "KQT": 125, "AQx": 50, "KQx": 50,
    "AJT": 150, "KJT": 150, "AJx": 50, "KJx": 50, "KTx": 25, "QJT": 200, "QJx": 100, "QTx": 75, "JTx": 150,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scale:
    """Points for honours that depend on the length of the suit, in hundredths.

    Parameters
    ----------
    weights : tuple of int
        Points for A K Q J T in suits of three cards or more.
    singletons, doubletons : tuple of int
        Points for the singletons A K Q, and for the doubletons AK AQ AJ AT Ax KQ KJ KT Kx QJ QT Qx JT.
    synergy : bool
        Whether combinations of honours in a suit of three cards or more add points.
    coded_ace : int, optional
        Points of a singleton ace in DealerV2, if they differ.
    """

    weights: tuple[int, ...]
    singletons: tuple[int, ...]
    doubletons: tuple[int, ...]
    synergy: bool = False
    coded_ace: int | None = None


# The scales by JGM's names, in the order of DealerV2's tags 20 to 27.
SCALES = {
    "t050": Scale((400, 300, 200, 100, 50), (400, 200, 100),
        (700, 600, 500, 450, 400, 400, 325, 300, 300, 200, 150, 100, 0)),
    "a425": Scale((425, 300, 200, 100, 0), (425, 200, 100),
        (725, 625, 525, 425, 425, 400, 325, 300, 300, 200, 100, 100, 0)),
    "at475": Scale((425, 300, 200, 100, 50), (425, 200, 100),
        (725, 625, 525, 475, 425, 400, 325, 300, 300, 200, 150, 100, 0), coded_ace=450),
    "bumwrap": Scale((450, 300, 150, 75, 25), (450, 200, 50),
        (750, 600, 525, 475, 450, 350, 300, 300, 300, 125, 100, 75, 0)),
    "woolsey": Scale((450, 300, 175, 75, 0), (450, 200, 75),
        (750, 625, 525, 450, 450, 375, 300, 300, 300, 150, 100, 75, 0)),
    "andrews": Scale((400, 280, 180, 100, 40), (400, 180, 80),
        (680, 580, 500, 440, 400, 360, 320, 280, 280, 180, 120, 80, 0)),
    "bwjgm": Scale((425, 300, 175, 75, 25), (425, 200, 75),
        (725, 600, 500, 450, 425, 375, 325, 300, 300, 150, 100, 75, 0)),
    "opcjgm": Scale((425, 300, 150, 50, 0), (425, 200, 50),
        (625, 525, 475, 425, 425, 450, 325, 300, 300, 200, 150, 100, 50), synergy=True),
}  # fmt: skip


@cache
def adjusted_scale(name: str, variant: str = "intended") -> np.ndarray:
    """Return the points of a suit on one of JGM's eight scales, which adjust short honours.

    Parameters
    ----------
    name : str
        A key of `SCALES`.
    variant : {"intended", "coded"}
        ``coded`` computes as DealerV2 4.3, which ignores the ten of AQJT and KQJT, and counts 4.5 for a
        singleton ace on the scale at475.

    Returns
    -------
    ndarray of int16 [shape=(8192,)]
        Hundredths of a point.

    Raises
    ------
    ArgumentError
        The scale is unknown.

    References
    ----------
    JGM, DealerV2 4.3, tags 20 to 27.

    Examples
    --------
    >>> [int(adjusted_scale("bumwrap")[list_holdings(text)[0]]) for text in ("K", "QJ", "KQx", "AQJT")]
    [200, 125, 450, 700]
    """
    name = check_name("scale", name, SCALES)

    # Suits of three cards and more count their honours, and with opcjgm combinations of them; singletons and
    # doubletons are in a list.
    scale = SCALES[name]
    table = (_sum_top_three(scale.weights) if scale.synergy else points(scale.weights)).astype(np.int16)
    table[length() <= 2] = 0
    short = zip((*"AKQ", *_DOUBLETONS), scale.singletons + scale.doubletons, strict=True)
    for text, value in short:
        table[list_holdings(text)] = value

    # Apply DealerV2's two faults.
    if variant == "coded":
        ace, king, queen, jack, ten = (card == 1 for card in has_honours())
        if not scale.synergy:
            table[(ace ^ king) & queen & jack & ten] -= scale.weights[4]
        if scale.coded_ace is not None:
            table[list_holdings("A")] = scale.coded_ace
    return freeze(table)


def _sum_top_three(weights: tuple[int, ...]) -> np.ndarray:
    """Return the points of the three highest cards of a suit, plus points for combinations of honours."""
    names = name_tops(3)
    values = dict(zip("AKQJTx", (*weights, 0), strict=True))
    table = np.array([sum(values[rank] for rank in name) + _SYNERGY.get(name, 0) for name in names])
    jack, ten, nine = (has_rank(rank) == 1 for rank in "JT9")

    # Add points for the fourth and fifth honour with AKQ, AKJ, AQJ and KQJ, and for the nine with AJT, KJT
    # and QJT.
    solid = names == "AKQ"
    table += 50 * (solid & jack) + 100 * (solid & jack & ten) + 75 * (solid & ~jack & ten)
    sequence = np.isin(names, ("AKJ", "AQJ", "KQJ"))
    table += 100 * (sequence & ten) + 50 * (sequence & ten & nine)
    table += 50 * (np.isin(names, ("AJT", "KJT", "QJT")) & nine)
    return table


# Points for A K Q J T in hundredths, in suits of any length.
PLAIN_SCALES: Mapping[str, tuple[int, ...]] = {
    "milton": (400, 300, 200, 100),
    "bumrap": (450, 300, 150, 75, 25),
    "fifths": (400, 280, 180, 100, 40),
    "banzai": (500, 400, 300, 200, 100),
    "fouraces": (300, 200, 100, 50),
    "bamberger": (700, 500, 300, 100),
    "robertson": (700, 500, 300, 200, 100),
    "kisst050": (400, 300, 200, 100, 50),
    "kissa425": (425, 300, 200, 100),
    "kissat475": (425, 300, 200, 100, 50),
    "kisswoolsey": (450, 300, 175, 75),
    "kissbwjgm": (425, 300, 175, 75, 25),
    "c13bw": (450, 300, 150, 75),
    "c13jgm": (460, 300, 160, 80, 40),
}


@cache
def plain_scale(name: str) -> np.ndarray:
    """Return the points of a suit on one of the `PLAIN_SCALES`, in hundredths: int16 [8192].

    >>> int(plain_scale("fifths")[list_holdings("KT")[0]])
    320
    """
    return points(PLAIN_SCALES[name])
