"""Points of honours on other scales: DealerV2's eight, and those of books and articles.

Tables over holdings in hundredths of a point, int16 [8192].
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from dealerkit.errors import ArgumentError, suggest_name
from dealerkit.evaluators.factors import holdings_like
from dealerkit.evaluators.holdings import frozen, has, honours, length, points

_DOUBLETONS = ("AK", "AQ", "AJ", "AT", "Ax", "KQ", "KJ", "KT", "Kx", "QJ", "QT", "Qx", "JT")

# Name: A K Q J T with three cards or more; the same as singletons; the doubletons; all in hundredths.
# The names are JGM's; the tags of DealerV2 are 20 to 27 in this order.
SCALES: dict[str, tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = {
    "t050": ((400, 300, 200, 100, 50), (400, 200, 100),
             (700, 600, 500, 450, 400, 400, 325, 300, 300, 200, 150, 100, 0)),
    "a425": ((425, 300, 200, 100, 0), (425, 200, 100),
             (725, 625, 525, 425, 425, 400, 325, 300, 300, 200, 100, 100, 0)),
    "at475": ((425, 300, 200, 100, 50), (425, 200, 100),
              (725, 625, 525, 475, 425, 400, 325, 300, 300, 200, 150, 100, 0)),
    "bumwrap": ((450, 300, 150, 75, 25), (450, 200, 50),
                (750, 600, 525, 475, 450, 350, 300, 300, 300, 125, 100, 75, 0)),
    "woolsey": ((450, 300, 175, 75, 0), (450, 200, 75),
                (750, 625, 525, 450, 450, 375, 300, 300, 300, 150, 100, 75, 0)),
    "andrews": ((400, 280, 180, 100, 40), (400, 180, 80),
                (680, 580, 500, 440, 400, 360, 320, 280, 280, 180, 120, 80, 0)),
    "bwjgm": ((425, 300, 175, 75, 25), (425, 200, 75),
              (725, 600, 500, 450, 425, 375, 325, 300, 300, 150, 100, 75, 0)),
    "opcjgm": ((425, 300, 150, 50, 0), (425, 200, 50),
               (625, 525, 475, 425, 425, 450, 325, 300, 300, 200, 150, 100, 50)),
}  # fmt: skip

# What opcjgm adds for the three highest cards of a suit, and then for a further ten and nine.
_SYNERGY = {
    "AKQ": 50, "AKJ": 50, "AKT": 25, "AQJ": 100, "KQJ": 100, "AQT": 125, "KQT": 125, "AQx": 50, "KQx": 50,
    "AJT": 150, "KJT": 150, "AJx": 50, "KJx": 50, "KTx": 25, "QJT": 200, "QJx": 100, "QTx": 75, "JTx": 150,
}  # fmt: skip


@cache
def scale(name: str, variant: str = "intended") -> np.ndarray:
    """Points of a suit on one of JGM's eight scales, which take short honours into account.

    Parameters
    ----------
    name : str
        A key of `SCALES`.
    variant : {"intended", "coded"}
        ``coded``: as DealerV2 4.3, where the ten of AQJT and KQJT is forgotten, and a singleton ace counts
        4.5 on the scale at475.

    Returns
    -------
    ndarray of int16 [shape=(8192,)]
        Hundredths of a point.

    Raises
    ------
    ArgumentError
        An unknown scale.

    References
    ----------
    JGM, DealerV2 4.3, tags 20 to 27.

    Examples
    --------
    >>> [int(scale("bumwrap")[holdings_like(text)[0]]) for text in ("K", "QJ", "KQx", "AQJT")]
    [200, 125, 450, 700]
    """
    if name not in SCALES:
        raise ArgumentError(f"no scale {name!r}{suggest_name(name, SCALES)}; known: {', '.join(SCALES)}")
    weights, singles, doubles = SCALES[name]
    cards = length()
    table = (_top_three(weights) if name == "opcjgm" else points(weights)).astype(np.int16)
    table[cards <= 2] = 0
    for rank, value in zip("AKQ", singles, strict=True):
        table[holdings_like(rank)] = value
    for text, value in zip(_DOUBLETONS, doubles, strict=True):
        table[holdings_like(text)] = value
    if variant == "coded":
        ace, king, queen, jack, ten = (card == 1 for card in honours())
        if name != "opcjgm":
            table[(ace ^ king) & queen & jack & ten] -= weights[4]
        if name == "at475":
            table[holdings_like("A")] = 450
    return frozen(table)


def _top_three(weights: tuple[int, ...]) -> np.ndarray:
    """The three highest cards of a suit, and what they add to each other."""
    table = np.zeros(8192, np.int16)
    ranks = dict(zip("AKQJTx", (*weights[:4], 0, 0), strict=True))
    jack, ten, nine = (has(rank) == 1 for rank in "JT9")
    names = _top_three_names()
    for text, synergy in (dict.fromkeys(set(names) - {""}, 0) | _SYNERGY).items():
        table[names == text] = sum(ranks[rank] for rank in text) + synergy
    top = {text: names == text for text in _SYNERGY}
    table += 50 * (top["AKQ"] & jack) + 100 * (top["AKQ"] & jack & ten) + 75 * (top["AKQ"] & ~jack & ten)
    sequence = top["AKJ"] | top["AQJ"] | top["KQJ"]
    table += 100 * (sequence & ten) + 50 * (sequence & ten & nine)
    table += 50 * ((top["AJT"] | top["KJT"] | top["QJT"]) & nine)
    return table


def _top_three_names() -> np.ndarray:
    """The three highest cards of each holding of three cards or more, x below the ten, else ""."""
    names = np.full(8192, "", "U3")
    for lane in range(8192):
        ranks = [bit for bit in range(12, -1, -1) if lane >> bit & 1][:3]
        if len(ranks) == 3:
            names[lane] = "".join("x" if bit < 8 else "TJQKA"[bit - 8] for bit in ranks)
    return names


# Points of A K Q J T in hundredths, whatever the length of the suit.
PLAIN: Mapping[str, tuple[int, ...]] = {
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
def plain(name: str) -> np.ndarray:
    """Points of a suit on one of the plain scales of `PLAIN`, in hundredths: int16 [8192].

    >>> int(plain("fifths")[holdings_like("KT")[0]])
    320
    """
    return points(PLAIN[name])


@cache
def new_losers() -> np.ndarray:
    """New losing tricks in hundredths: a missing ace 1.5, king 1, queen 0.5, as far as there is room.

    Returns
    -------
    ndarray of int16 [shape=(8192,)], 0 to 300

    References
    ----------
    J. Koelman, A New Losing Trick Count, *The Bridge World*, May 2003.

    Examples
    --------
    >>> [int(new_losers()[holdings_like(text)[0]]) for text in ("K", "Kx", "Axx", "QJx")]
    [150, 150, 150, 250]
    """
    ace, king, queen, _, _ = honours()
    cards = length()
    return frozen(
        150 * ((cards >= 1) & (ace == 0))
        + 100 * ((cards >= 2) & (king == 0))
        + 50 * ((cards >= 3) & (queen == 0))
    )
