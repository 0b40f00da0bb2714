"""Values of honours as tables over the 8192 holdings, and the rounding of their sums.

Most point counts are sums of a few of these: points for honours, corrections for short honours, quick tricks,
points for short suits, and the body of tens, nines and eights. Tables are read-only int16 [8192]. Values with
fractions are integers in hundredths.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations

import numpy as np

from dealerkit.arguments import check_name
from dealerkit.cards.names import RANKS
from dealerkit.evaluators.holdings import freeze, length, points

_ONE_LESS = {"K": -1, "Q": -1, "J": -1}
_SOFT_PAIRS = {"QJ": -1, "QT": -1, "Qx": -1, "JT": -1, "Jx": -1}

# Corrections in points for the honours of singletons and doubletons; x is a card below the ten. Other
# holdings have no correction.
SHORT_HONOURS: dict[str, Mapping[str, float]] = {
    "bergen": {"A": -0.5, **_ONE_LESS, "AJ": -0.5, "KQ": -0.5, "KJ": -0.5, **_SOFT_PAIRS},
    "bissell": {"K": -1, "Q": -1, "QJ": -1, "QT": -1, "Qx": -1},
    "goren": {"K": -2, "Q": -2, "J": -1, **_SOFT_PAIRS},
    "kaplan": {"Q": -2, "J": -1, "QJ": -1},
    "karpin": {**_ONE_LESS, "KQ": -1, "KJ": -1, **_SOFT_PAIRS},
    "karpb": {
        "K": -1, "Q": -1, "J": -0.75, "T": -0.25, "AK": -1, "AQ": -1, "AJ": -0.5, "KQ": -1,
        **_SOFT_PAIRS, "Jx": -0.75, "Tx": -0.25,
    },
    "larsson": {**_ONE_LESS, "KQ": -1, "QJ": -1},
    "larb": {
        "K": -1, "Q": -1, "J": -0.75, "T": -0.25, "AQ": -0.5, "AJ": -0.25, "QJ": -0.25, "QT": -0.25,
        "Qx": -0.5, "JT": -0.5, "Jx": -0.75, "Tx": -0.25,
    },
    "pavlicek": {"K": -2, "Q": -2, "J": -1, "KQ": -1, "KJ": -1, **_SOFT_PAIRS},
    "roth": {**_ONE_LESS, "KQ": -1, "KJ": -1, **_SOFT_PAIRS},
    "sheinwold": {**_ONE_LESS, **_SOFT_PAIRS},
    "zar": {"A": -1, **_ONE_LESS, "AJ": -1, "KQ": -1, "KJ": -1, **_SOFT_PAIRS},
}  # fmt: skip


def list_holdings(text: str) -> list[int]:
    """Return the holdings that consist of these cards, in which x is any card below the ten.

    >>> [bin(holding) for holding in list_holdings("QT")], len(list_holdings("Kx"))
    (['0b10100000000'], 8)
    """
    honours = sum(1 << RANKS.index(rank) for rank in text if rank != "x")
    return [honours | sum(1 << bit for bit in low) for low in combinations(range(8), text.count("x"))]


@cache
def short_honours(name: str) -> np.ndarray:
    """Return the correction of a point count for honours of singletons and doubletons, in hundredths.

    Parameters
    ----------
    name : str
        Name of the point count, a key of `SHORT_HONOURS`, such as ``bergen`` or ``goren``.

    Returns
    -------
    ndarray of int16 [shape=(8192,)], -200 to 0

    Raises
    ------
    ArgumentError
        `SHORT_HONOURS` does not contain this name.

    References
    ----------
    The authors' books, named with each count; as computed by JGM, DealerV2 4.3.

    Examples
    --------
    >>> table = short_honours("goren")
    >>> [int(table[list_holdings(text)[0]]) for text in ("K", "QJ", "KQ", "Kx")]
    [-200, -100, 0, 0]
    """
    name = check_name("list of short honours", name, SHORT_HONOURS)
    table = np.zeros(8192)
    for text, value in SHORT_HONOURS[name].items():
        table[list_holdings(text)] = 100 * value
    return freeze(table)


@cache
def adjusted_points(name: str) -> np.ndarray:
    """Return points 4 3 2 1 plus `short_honours` of a point count, in hundredths: int16 [8192].

    >>> int(adjusted_points("bergen")[list_holdings("A")[0]])
    350
    """
    return freeze(points((400, 300, 200, 100)) + short_honours(name))


@cache
def body_points() -> np.ndarray:
    """Return the body of a holding, ten 3, nine 2, eight 1: int16 [8192].

    References
    ----------
    R. Pavlicek, *Pavlicek Point Count*.

    Examples
    --------
    >>> int(body_points()[0b0000111000000])  # T98: six
    6
    """
    return points((0, 0, 0, 0, 3, 2, 1))


@cache
def name_tops(n_cards: int) -> np.ndarray:
    """Return the `n_cards` highest cards of each holding as text, such as ``AKx``: str [8192].

    A card below the ten is x. Shorter holdings have shorter names.
    """
    ranks = ["x" if rank < "A" else rank for rank in RANKS]
    cards = ([ranks[bit] for bit in range(12, -1, -1) if holding >> bit & 1] for holding in range(8192))
    return np.array(["".join(held[:n_cards]) for held in cards])


def _value_tops(values: Mapping[str, float], n_cards: int) -> np.ndarray:
    """Return 100 times the value of the `n_cards` highest cards of each holding, 0 if they have none."""
    return np.array([100 * values.get(name, 0) for name in name_tops(n_cards)])


@cache
def quick_tricks() -> np.ndarray:
    """Return quick tricks in hundredths: AK 2, AQ 1 1/2, A 1, KQ 1, guarded K 1/2.

    Returns
    -------
    ndarray of int16 [shape=(8192,)], 0 to 200

    References
    ----------
    E. Culbertson, *Contract Bridge Blue Book*, 1930.

    Examples
    --------
    >>> [int(quick_tricks()[list_holdings(text)[0]]) for text in ("AKx", "AQ", "K", "Kx")]
    [200, 150, 0, 50]
    """
    values = {"A": 1.0, "AK": 2.0, "AQ": 1.5, "AJ": 1.0, "AT": 1.0, "Ax": 1.0}
    values |= {"KQ": 1.0, "KJ": 0.5, "KT": 0.5, "Kx": 0.5}
    return freeze(_value_tops(values, 2))


@cache
def playing_tricks() -> np.ndarray:
    """Return playing tricks in hundredths: those of the three highest cards plus one for each further card.

    Returns
    -------
    ndarray of int16 [shape=(8192,)], 0 to 1300

    References
    ----------
    R. Pavlicek; as tabulated by JGM, DealerV2 4.3.

    Examples
    --------
    >>> [int(playing_tricks()[list_holdings(text)[0]]) for text in ("AKQxx", "K", "KJx")]
    [500, 50, 100]
    """
    groups = {
        3.0: "AKQ",
        2.5: "AKJ AQJ",
        2.0: "AKT AKx AQT KQJ AK",
        1.5: "AQx AJT AJx KQT KJT AQ AJ",
        1.0: "ATx Axx KQx KJx QJT QJx AT Ax KQ A",
        0.5: "KTx Kxx QTx Qxx JTx KJ KT Kx QJ QT Qx K",
    }
    values = {text: value for value, texts in groups.items() for text in texts.split()}
    return freeze(_value_tops(values, 3) + 100 * np.maximum(length() - 3, 0))


@cache
def shortness(void: int, singleton: int, doubleton: int) -> np.ndarray:
    """Return points for a void, singleton or doubleton: int16 [8192].

    >>> [int(shortness(5, 3, 1)[holding]) for holding in (0, 1, 3, 7)]
    [5, 3, 1, 0]
    """
    return freeze(np.array([void, singleton, doubleton] + [0] * 11)[length()])


def round_half_away(hundredths: np.ndarray) -> np.ndarray:
    """Return hundredths rounded to the nearest integer, halves away from zero.

    >>> round_half_away(np.array([1050, -50, 149], np.int16)).tolist()
    [11, -1, 1]
    """
    return np.where(hundredths >= 0, (hundredths + 50) // 100, -((50 - hundredths) // 100))


def round_by_body(hundredths: np.ndarray, body: np.ndarray) -> np.ndarray:
    """Round hundredths to points: up above .55, or from .45 on with a body of 12 or more, otherwise down.

    Parameters
    ----------
    hundredths, body : ndarray of int16, of the same shape
        Points in hundredths, of which negative ones are truncated towards zero; and the body of the hands.

    Returns
    -------
    ndarray of int16
        Whole points, of the same shape.

    References
    ----------
    R. Pavlicek, *Pavlicek Point Count*; as coded by JGM, DealerV2 4.3.

    Examples
    --------
    >>> round_by_body(np.array([1150, 1150, 1156, -75], np.int16), np.array([11, 12, 0, 20])).tolist()
    [11, 12, 12, 0]
    """
    whole = np.where(hundredths >= 0, hundredths // 100, -(-hundredths // 100))
    rest = hundredths - 100 * whole
    return whole + ((rest > 55) | (rest >= 45) & (body >= 12))
