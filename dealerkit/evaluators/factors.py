"""What the point counts are made of: tables of holdings, tables of patterns, ways of rounding.

Most counts add a few of these: points of honours, less where an honour is short; quick tricks;
points for length and shortness; the body of tens, nines and eights. Tables of holdings are read-only
int16 [8192], index the 13-bit lane of a suit (bit 12 the ace); tables of patterns are read-only
int16 [4096], index `dealerkit.evaluators.kernels.pattern_code`. Values with fractions count hundredths.
What two hands have in common (fits, misfits, declarer and dummy) is in `dealerkit.evaluators.pairs.pair`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations

import numpy as np

from dealerkit.cards.names import RANKS
from dealerkit.errors import ArgumentError, suggest_name
from dealerkit.evaluators.holdings import frozen, length, points

_ONE_LESS = {"K": -1, "Q": -1, "J": -1}
_SOFT_PAIRS = {"QJ": -1, "QT": -1, "Qx": -1, "JT": -1, "Jx": -1}

# What is added for a short honour, in points: (singletons and doubletons by their two cards, x below
# the ten). Holdings that do not stand here are worth their honours.
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


def holdings_like(text: str) -> list[int]:
    """Lanes of a holding written by its cards, where x is any card below the ten.

    >>> [bin(lane) for lane in holdings_like("QT")], len(holdings_like("Kx"))
    (['0b10100000000'], 8)
    """
    honours = sum(1 << RANKS.index(rank) for rank in text if rank != "x")
    return [honours | sum(1 << bit for bit in low) for low in combinations(range(8), text.count("x"))]


@cache
def short_honours(count: str) -> np.ndarray:
    """What a count adds for the honours of a singleton or doubleton, in hundredths.

    Parameters
    ----------
    count : str
        A key of `SHORT_HONOURS`: ``bergen``, ``goren`` ...

    Returns
    -------
    ndarray of int16 [shape=(8192,)], -200 to 0

    Raises
    ------
    ArgumentError
        For a count that is not in the list.

    References
    ----------
    The authors' books, named with each count; as computed by JGM, DealerV2 4.3.

    Examples
    --------
    >>> table = short_honours("goren")
    >>> [int(table[holdings_like(text)[0]]) for text in ("K", "QJ", "KQ", "Kx")]
    [-200, -100, 0, 0]
    """
    if count not in SHORT_HONOURS:
        known = ", ".join(SHORT_HONOURS)
        raise ArgumentError(
            f"no short honours of {count!r}{suggest_name(count, SHORT_HONOURS)}; known: {known}"
        )
    table = np.zeros(8192)
    for text, value in SHORT_HONOURS[count].items():
        table[holdings_like(text)] = 100 * value
    return frozen(table)


@cache
def adjusted_points(count: str) -> np.ndarray:
    """Points 4 3 2 1 of a holding, less what `short_honours` takes off: hundredths, int16 [8192].

    >>> int(adjusted_points("bergen")[holdings_like("A")[0]])
    350
    """
    return frozen(points((400, 300, 200, 100)) + short_honours(count))


@cache
def body() -> np.ndarray:
    """Body of a holding: ten 3, nine 2, eight 1; int16 [8192].

    References
    ----------
    R. Pavlicek, *Pavlicek Point Count*.

    Examples
    --------
    >>> int(body()[0b0000111000000])  # T98: six
    6
    """
    return points((0, 0, 0, 0, 3, 2, 1))


def _by_tops(values: Mapping[str, float], longest: int, default: float = 0) -> np.ndarray:
    """Values of holdings by their first `longest` cards; x is any card below the ten."""
    table = np.full(8192, 100 * default)
    for lane in range(8192):
        ranks = [RANKS[bit] for bit in range(12, -1, -1) if lane >> bit & 1][:longest]
        text = "".join(rank if rank in "AKQJT" else "x" for rank in ranks)
        table[lane] = 100 * values.get(text, default)
    return table


@cache
def quick_tricks() -> np.ndarray:
    """Quick tricks, in hundredths: AK 2, AQ 1 1/2, A 1, KQ 1, guarded K 1/2.

    Returns
    -------
    ndarray of int16 [shape=(8192,)], 0 to 200

    References
    ----------
    E. Culbertson, *Contract Bridge Blue Book*, 1930.

    Examples
    --------
    >>> [int(quick_tricks()[holdings_like(text)[0]]) for text in ("AKx", "AQ", "K", "Kx")]
    [200, 150, 0, 50]
    """
    values = {"A": 1.0, "AK": 2.0, "AQ": 1.5, "AJ": 1.0, "AT": 1.0, "Ax": 1.0}
    values |= {"KQ": 1.0, "KJ": 0.5, "KT": 0.5, "Kx": 0.5}
    return frozen(_by_tops(values, 2))


@cache
def playing_tricks() -> np.ndarray:
    """Playing tricks of a suit, in hundredths: its three highest cards, and one for each card over three.

    Returns
    -------
    ndarray of int16 [shape=(8192,)], 0 to 1300

    References
    ----------
    R. Pavlicek; as tabulated by JGM, DealerV2 4.3.

    Examples
    --------
    >>> [int(playing_tricks()[holdings_like(text)[0]]) for text in ("AKQxx", "K", "KJx")]
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
    return frozen(_by_tops(values, 3) + 100 * np.maximum(length() - 3, 0))


@cache
def shortness(void: int, singleton: int, doubleton: int) -> np.ndarray:
    """Points for a short suit: int16 [8192].

    >>> [int(shortness(5, 3, 1)[lane]) for lane in (0, 1, 3, 7)]
    [5, 3, 1, 0]
    """
    return frozen(np.array([void, singleton, doubleton] + [0] * 11)[length()])


@cache
def of_lengths(rule: Callable[[tuple[int, ...]], int]) -> np.ndarray:
    """A table of patterns: the rule applied to the four lengths, longest first.

    Parameters
    ----------
    rule : callable
        Takes the lengths of a hand, longest first.

    Returns
    -------
    ndarray of int16 [shape=(4096,)]
        0 where no hand of 13 cards has the code.

    Examples
    --------
    >>> int(of_lengths(square)[0x433]), int(of_lengths(long_cards)[0x607])
    (1, 5)
    """
    table = np.zeros(4096)
    for code in range(4096):
        s, h, d = code >> 8, code >> 4 & 15, code & 15
        if s + h + d <= 13:
            table[code] = rule(tuple(sorted((s, h, d, 13 - s - h - d), reverse=True)))
    return frozen(table)


def square(lengths: tuple[int, ...]) -> int:
    """1 for the shape 4333, the suits in any order."""
    return int(lengths == (4, 3, 3, 3))


def long_cards(lengths: tuple[int, ...]) -> int:
    """Cards over four, all suits together."""
    return sum(max(0, cards - 4) for cards in lengths)


def short_points(lengths: tuple[int, ...]) -> int:
    """3 for a void, 2 for a singleton, 1 for a doubleton."""
    return sum(max(0, 3 - cards) for cards in lengths)


def shortest(lengths: tuple[int, ...]) -> int:
    """Length of the shortest suit."""
    return lengths[3]


def balanced(lengths: tuple[int, ...]) -> int:
    """1 for a hand without a void, singleton or six-card suit and with at most one doubleton."""
    return int(lengths[0] <= 5 and lengths[3] >= 2 and lengths.count(2) <= 1)


def voids(lengths: tuple[int, ...]) -> int:
    """Number of voids."""
    return lengths.count(0)


def singletons(lengths: tuple[int, ...]) -> int:
    """Number of singletons."""
    return lengths.count(1)


def doubletons(lengths: tuple[int, ...]) -> int:
    """Number of doubletons."""
    return lengths.count(2)


def round_half_away(hundredths: np.ndarray) -> np.ndarray:
    """The nearest integer of hundredths, halves away from zero.

    >>> round_half_away(np.array([1050, -50, 149], np.int16)).tolist()
    [11, -1, 1]
    """
    return np.where(hundredths >= 0, (hundredths + 50) // 100, -((50 - hundredths) // 100))


def round_by_body(hundredths: np.ndarray, body: np.ndarray) -> np.ndarray:
    """The integer part of hundredths, one more above .55, or from .45 with a body of 12 or more.

    Parameters
    ----------
    hundredths, body : ndarray of int16, the same shape
        Negative values lose their fraction.

    Returns
    -------
    ndarray of int16

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


def round_four_cs(hundredths: np.ndarray, body: np.ndarray) -> np.ndarray:
    """The integer part of hundredths, one more from .60, or from .45 with a body of 12 or more.

    The same as `round_by_body` for values of the Four C's, which are multiples of 0.05.

    >>> round_four_cs(np.array([1455, 1455, 1460], np.int16), np.array([11, 12, 0])).tolist()
    [14, 15, 15]
    """
    whole = hundredths // 100
    rest = hundredths - 100 * whole
    return whole + ((rest >= 60) | (rest >= 45) & (body >= 12))
