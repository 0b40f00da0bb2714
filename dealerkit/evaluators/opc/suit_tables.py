"""Optimal points of one suit: tables over the 8192 holdings, in hundredths of a point.

Each function returns a read-only int16 array [8192] and computes it at its first call.

References
----------
P. Darricades, Optimal Point Count; the details as computed by JGM's program DOP 21.3.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators import holdings

SHORTNESS = np.array([400, 200, 50, *[0] * 11], np.int16)  # distribution points by length of the suit


def _has_ranks() -> tuple[np.ndarray, ...]:
    """Return truth tables of the A, K, Q, J, T and 9: bool [8192] each."""
    return tuple(holdings.has_rank(rank) == 1 for rank in "AKQJT9")


@cache
def honours() -> np.ndarray:
    """Return honour points H, 0 to 1300.

    In three cards or more, A counts 4.5, K 3, Q 2 with A, K or J and otherwise 1.5, J 1 with A, K, Q or T and
    otherwise 0.5, T 1 with J or Q and otherwise 0.5 with K; J, T and 9 together with a higher honour count 1
    more. Doubletons and singletons have other values.

    Returns
    -------
    ndarray of int16 [shape=(8192,)]

    Examples
    --------
    >>> AKJT32, Q9, bare_ace = 0b1101100000011, 0b0010010000000, 0b1000000000000
    >>> honours()[[AKJT32, Q9, bare_ace]].tolist()
    [950, 100, 350]
    """
    # In three cards or more, each honour counts by those that support it; then the combination of J, T and 9.
    a, k, q, j, t, nine = _has_ranks()
    long = 450 * a + 300 * k + q * np.where(a | k | j, 200, 150) + j * np.where(a | k | q | t, 100, 50)
    long += t * np.where(j | q, 100, np.where(k, 50, 0)) + 100 * (j & t & nine & (a | k | q))

    # Doubletons count by both cards. A ten with the ace, and a jack or ten without another honour, are small
    # cards.
    pairs = {"AK": 650, "AQ": 550, "AJ": 500, "A": 450, "KQ": 450, "KJ": 400, "KT": 350, "K": 300}
    pairs |= {"QJ": 200, "QT": 150, "Q": 100, "JT": 50}
    doubleton = _value_honours("AKQJT", pairs)
    doubleton = np.where(a & t, pairs["A"], doubleton)

    # Singletons count A 3.5, K 2, Q 0.5.
    singleton = _value_honours("AKQ", {"A": 350, "K": 200, "Q": 50})
    length = holdings.length()
    return holdings.freeze(np.select([length > 2, length == 2], [long, doubleton], singleton))


def _value_honours(ranks: str, values: dict[str, int]) -> np.ndarray:
    """Return the value of the set of honours of these ranks in each holding, 0 for sets without a value."""
    held = dict(zip("AKQJT", _has_ranks(), strict=False))
    table = np.zeros(8192, np.int64)
    for honours_held, value in values.items():
        table[np.logical_and.reduce([held[rank] == (rank in honours_held) for rank in ranks])] = value
    return table


@cache
def length_points() -> np.ndarray:
    """Return length points L, 0 to 1600: int16 [8192].

    Five cards count 1 if H is at least 3. Six cards count 2 if H is at least 3, otherwise 1; each further
    card counts 2 more. The limit of 2 for the hand that did not open is not applied here.

    >>> length_points()[[0b1000000001111, 0b0000000011111, 0b0000000111111]].tolist()
    [100, 0, 100]
    """
    length = holdings.length()
    strong = 100 * (honours() >= 300)
    six = 100 + strong + 200 * np.maximum(length - 6, 0)
    return holdings.freeze(np.select([length >= 6, length == 5], [six, strong], 0))


@cache
def synergy() -> np.ndarray:
    """Return synergy points Sy for honours together in a long suit, 0 to 300: int16 [8192].

    Four cards count 1 for exactly KQJT or AQJT. Five cards count 1 for three of A, K, Q, J, and 2 for three
    with the ten or for all four; six and more cards count 2 and 3.

    >>> synergy()[[0b0111100000000, 0b1111000000000, 0b1101100000011]].tolist()
    [100, 0, 300]
    """
    # Five cards count 2 for all four top honours or for three with the ten, 1 for three; longer suits 1 more.
    a, k, q, j, t, _ = _has_ranks()
    top = holdings.points((1, 1, 1, 1))
    length = holdings.length()
    level = np.where((top == 4) | (top == 3) & t, 2, np.where(top == 3, 1, 0))

    # Four cards count Q, J and T with the ace or the king, not both.
    four = (length == 4) & q & j & t & (a ^ k)
    return holdings.freeze(100 * np.select([length >= 6, length == 5], [level + (level > 0), level], four))


@cache
def distribution_points() -> np.ndarray:
    """Return distribution points D, void 400, singleton 200, doubleton 50: int16 [8192]."""
    return holdings.freeze(SHORTNESS[holdings.length()])


@cache
def gains_by_fit() -> np.ndarray:
    """Return 100 for holdings whose honours gain points with a fit (HF), otherwise 0: int16 [8192].

    These are holdings of two or more cards with H above 0 and below 4, and doubletons with the jack.

    >>> gains_by_fit()[[0b0100000000011, 0b0001000000001, 0b1100000000001]].tolist()
    [100, 100, 0]
    """
    h, length, jack = honours(), holdings.length(), _has_ranks()[3]
    return holdings.freeze(100 * ((length >= 2) & (h > 0) & (h < 400) | (length == 2) & jack))


@cache
def waste(opposite: int, variant: str) -> np.ndarray:
    """Return the gain or loss of a holding opposite a void or a singleton: int16 [8192], -300 to 300.

    Parameters
    ----------
    opposite : {0, 1}
        Length of the suit in the other hand.
    variant : {"intended", "coded"}
        ``coded`` adds a point for the bare ace opposite a singleton, as DOP does because H - 4.5 is negative;
        ``intended`` has neither gain nor loss, as the author means.

    Examples
    --------
    >>> small, bare_ace, king = 0b111, 0b1000000000000, 0b0100000000111
    >>> waste(1, "intended")[[small, bare_ace, king]].tolist(), int(waste(1, "coded")[bare_ace])
    ([200, 0, -200], 100)
    """
    # With the ace: opposite a singleton, an ace as the only honour in two cards or more gains 1; otherwise
    # the points of the other honours are lost, at most 2. Opposite a void, 3 are lost.
    h, length, ace = honours(), holdings.length(), _has_ranks()[0]
    most = 300 if opposite == 0 else 200
    beside = h - 450 if variant == "coded" else np.maximum(h - 450, 0)
    with_ace = np.where((h == 450) & (length > 1), 100, -np.minimum(most, beside))
    if opposite == 0:
        with_ace = np.full(8192, -most)

    # Without the ace: three small cards or more gain 3 opposite a void and 2 opposite a singleton; otherwise
    # the points of honours are lost, at most 3 or 2.
    plain = np.where((h == 0) & (length > 2), most, -np.minimum(most, h))
    return holdings.freeze(np.where(ace, with_ace, plain))
