"""Optimal points of one suit: tables over the 8192 holdings, in hundredths of a point.

A holding is the 13-bit lane of a suit, bit 12 the ace and bit 0 the deuce. Each
function returns a read-only int16 array [8192], built when it is first asked for.

References
----------
P. Darricades, Optimal Point Count; the details as computed by
JGM's program DOP 21.3.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators import holdings

VOID, SINGLETON, DOUBLETON = 400, 200, 50  # points of distribution


def _frozen(table: np.ndarray) -> np.ndarray:
    table = table.astype(np.int16)
    table.flags.writeable = False
    return table


def _cards() -> tuple[np.ndarray, ...]:
    """Truth of holding the A, K, Q, J, T and 9, bool [6][8192]."""
    lanes = np.arange(8192)
    return tuple((lanes >> bit & 1).astype(bool) for bit in range(12, 6, -1))


@cache
def honours() -> np.ndarray:
    """Honour points H of a holding, 0 to 1300.

    Three cards and more: A 4.5; K 3; Q 2 with A, K or J, else 1.5; J 1 with A, K, Q or T, else
    0.5; T 1 with J or Q, else 0.5 with K; J, T and 9 together with a higher honour 1 more.
    Doubletons and singletons have values of their own.

    Returns
    -------
    ndarray of int16 [shape=(8192,)]

    Examples
    --------
    >>> AKJT32, Q9, stiff_ace = 0b1101100000011, 0b0010010000000, 0b1000000000000
    >>> honours()[[AKJT32, Q9, stiff_ace]].tolist()
    [950, 100, 350]
    """
    a, k, q, j, t, nine = _cards()
    long = 450 * a + 300 * k + q * np.where(a | k | j, 200, 150) + j * np.where(a | k | q | t, 100, 50)
    long += t * np.where(j | q, 100, np.where(k, 50, 0)) + 100 * (j & t & nine & (a | k | q))
    pairs = {"AK": 650, "AQ": 550, "AJ": 500, "A": 450, "KQ": 450, "KJ": 400, "KT": 350, "K": 300}
    pairs |= {"QJ": 200, "QT": 150, "Q": 100, "JT": 50}
    doubleton = _of_honours("AKQJT", pairs)
    # The ten beside an ace and a lone jack or ten are worth what a small card is.
    doubleton = np.where(a & t, pairs["A"], doubleton)
    singleton = _of_honours("AKQ", {"A": 350, "K": 200, "Q": 50})
    length = holdings.length()
    return _frozen(np.select([length > 2, length == 2], [long, doubleton], singleton))


def _of_honours(ranks: str, values: dict[str, int]) -> np.ndarray:
    """A value for each set of the ranks held exactly, 0 for sets that are not listed."""
    held = dict(zip("AKQJT", _cards(), strict=False))
    table = np.zeros(8192, np.int64)
    for exactly, value in values.items():
        table[np.logical_and.reduce([held[rank] == (rank in exactly) for rank in ranks])] = value
    return table


@cache
def length_points() -> np.ndarray:
    """Points of length L, 0 to 1600: int16 [8192].

    Five cards 1 where H is at least 3; six cards 2 where H is at least 3, else 1; each card
    beyond six 2 more. The hand that did not open counts at most 2 in all.

    >>> length_points()[[0b1000000001111, 0b0000000011111, 0b0000000111111]].tolist()
    [100, 0, 100]
    """
    length = holdings.length().astype(np.int64)
    strong = 100 * (honours() >= 300)
    six = 100 + strong + 200 * np.maximum(length - 6, 0)
    return _frozen(np.select([length >= 6, length == 5], [six, strong], 0))


@cache
def synergy() -> np.ndarray:
    """Points Sy for honours that work together in a long suit, 0 to 300: int16 [8192].

    Four cards: 1 for exactly KQJT or AQJT. Five: 1 for three of A, K, Q, J, 2 with the ten as well
    or for all four. Six and more: 2, and 3.

    >>> synergy()[[0b0111100000000, 0b1111000000000, 0b1101100000011]].tolist()
    [100, 0, 300]
    """
    a, k, q, j, t, _ = _cards()
    top = holdings.points((1, 1, 1, 1)).astype(np.int64)
    length = holdings.length()
    level = np.where((top == 4) | (top == 3) & t, 2, np.where(top == 3, 1, 0))
    exactly = (length == 4) & q & j & t & (a ^ k)
    return _frozen(100 * np.select([length >= 6, length == 5], [level + (level > 0), level], exactly))


@cache
def distribution() -> np.ndarray:
    """Points D of shortness: void 400, singleton 200, doubleton 50: int16 [8192]."""
    values = np.zeros(14, np.int64)
    values[:3] = VOID, SINGLETON, DOUBLETON
    return _frozen(values[holdings.length()])


@cache
def top_honours() -> np.ndarray:
    """Aces, kings and queens as fields of four bits, A | K << 4 | Q << 8: int16 [8192].

    Sums over a hand stay within their fields.

    >>> hex(top_honours()[0b1100000000000])
    '0x11'
    """
    a, k, q, *_ = _cards()
    return _frozen(a.astype(np.int64) | k.astype(np.int64) << 4 | q.astype(np.int64) << 8)


@cache
def helps_a_fit() -> np.ndarray:
    """Honours that gain by a fit (HF): 100 or 0, int16 [8192].

    Three cards and more with H above 0 and below 4; doubletons so, or with the jack.

    >>> helps_a_fit()[[0b0100000000011, 0b0001000000001, 0b1100000000001]].tolist()
    [100, 100, 0]
    """
    h, length, jack = honours(), holdings.length(), _cards()[3]
    return _frozen(100 * ((length >= 2) & (h > 0) & (h < 400) | (length == 2) & jack))


@cache
def waste(opposite: int, variant: str) -> np.ndarray:
    """What a holding gains or loses opposite a void or a singleton: int16 [8192], -300 to 300.

    Parameters
    ----------
    opposite : {0, 1}
        Partner's length.
    variant : {"intended", "coded"}
        DOP gives the bare ace opposite a singleton a point (``coded``), since H - 4.5 is negative
        there; it loses nothing and gains nothing (``intended``).

    Examples
    --------
    >>> small, bare_ace, king = 0b111, 0b1000000000000, 0b0100000000111
    >>> waste(1, "intended")[[small, bare_ace, king]].tolist(), int(waste(1, "coded")[bare_ace])
    ([200, 0, -200], 100)
    """
    h, length, ace = honours().astype(np.int64), holdings.length(), _cards()[0]
    most = 300 if opposite == 0 else 200
    beside = h - 450 if variant == "coded" else np.maximum(h - 450, 0)
    with_ace = np.where((h == 450) & (length > 1), 100, -np.minimum(most, beside))
    if opposite == 0:
        with_ace = np.full(8192, -most)
    plain = np.where((h == 0) & (length > 2), most, -np.minimum(most, h))
    return _frozen(np.where(ace, with_ace, plain))
