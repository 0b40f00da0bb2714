"""The Four C's of Kaplan and Rubens as tables over holdings, in hundredths of a point.

Three definitions are in use: ``v1`` is that of the dealer program; ``coded`` and ``intended`` are
DealerV2's, which are one.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.evaluators.holdings import frozen, has, honours, length

FOUR_CS_VARIANTS = ("intended", "coded", "v1")


@cache
def quality(variant: str = "intended") -> np.ndarray:
    """Suit quality of the Four C's, in hundredths: a tenth of length times honours.

    Parameters
    ----------
    variant : {"intended", "coded", "v1"}
        ``intended`` and ``coded`` are DealerV2's; ``v1`` gives no credit to a ten in seven or more cards.

    Returns
    -------
    ndarray of int16 [shape=(8192,)]

    References
    ----------
    E. Kaplan and J. Rubens, "The Four C's", *The Bridge World*, October 1982; read as coded by D. Suits
    (dealer v1) and JGM (DealerV2 4.3).

    Examples
    --------
    >>> int(quality()[0b1101100000011])  # AKJT32
    540
    """
    _check(variant)
    ace, king, queen, jack, ten = honours()
    cards = length()
    tops = ace + king + queen + jack
    plain = cards <= 6
    tens = ten if variant != "v1" else ten * plain
    total = 400 * ace + 300 * king + 200 * queen + 100 * jack + 50 * tens
    # A long suit drops the honours it misses: some of the queen and the jack count as held.
    no_queen, no_jack = queen == 0, jack == 0
    total = total + np.select(
        [cards == 7, cards == 8, cards >= 9],
        [
            100 * (no_queen | no_jack),
            np.where(no_queen, 200, 100 * no_jack),
            200 * no_queen + 100 * no_jack,
        ],
        0,
    )
    backed_ten = (ten == 1) & ((jack == 1) | (tops >= 2))
    backed_nine = (has("9") == 1) & ((tops == 2) | (has("8") == 1) | (ten == 1))
    total = total + plain * 50 * (backed_ten + 1 * backed_nine)
    return frozen(total * cards // 10)


@cache
def honour_strength(variant: str = "intended") -> np.ndarray:
    """Honours of one suit in the Four C's, in hundredths, without the suit's quality.

    Parameters
    ----------
    variant : {"intended", "coded", "v1"}
        ``v1`` counts a doubleton queen 25 more.

    Returns
    -------
    ndarray of int16 [shape=(8192,)]

    References
    ----------
    As for `quality`.

    Examples
    --------
    >>> int(honour_strength()[0b1101100000011])  # AKJT32
    550
    """
    _check(variant)
    ace, king, queen, jack, ten = honours()
    cards = length()
    tops = ace + king
    kings = np.where(cards == 1, 50, 200) * king
    doubleton = np.where(tops > 0, 50, 25) + 25 * (variant == "v1")
    queens = np.select([cards == 1, cards == 2], [0, doubleton], np.where(tops > 0, 100, 75)) * queen
    jacks = np.array([0, 25, 50, 0])[tops + queen] * jack
    higher = tops + queen + jack
    tens = 25 * ten * ((higher == 2) | (higher == 1) & (has("9") == 1))
    return frozen(300 * ace + kings + queens + jacks + tens)


def _check(variant: str) -> None:
    if variant not in FOUR_CS_VARIANTS:
        raise ArgumentError(f"unknown variant {variant!r}; known: {', '.join(FOUR_CS_VARIANTS)}")


# The points of the Four C's are multiples of 0.05, so a hand's sum in that unit takes ten bits and the
# whole word fits an int16: one pass over the lanes and one look-up make the value of the hand.
@cache
def packed_four_cs(variant: str = "intended") -> np.ndarray:
    """Four C's of one suit and what the hand's corrections need, for `four_cs_of_sum`.

    Returns
    -------
    ndarray of int16 [shape=(8192,)]
        Bits 0 to 9: points in units of 0.05; bits 10 and 11: 1 for a doubleton; from bit
        12: 1 for a singleton or void. The sum over a hand of 13 cards stays below 16384.
    """
    cards = length()
    shortness = np.array([300, 200, 100])[np.minimum(cards, 2)] * (cards <= 2)
    value = honour_strength(variant) + quality(variant) + shortness
    return frozen(value // 5 + ((cards == 2) << 10) + ((cards < 2) << 12))


@cache
def four_cs_of_sum(variant: str = "intended") -> np.ndarray:
    """Four C's of a hand, in hundredths, for the sum of `packed_four_cs` over its suits.

    DealerV2 takes 1.00 off once where there is a doubleton, 0.50 off a 4333, and gives
    nothing below 0; dealer v1 takes 1.00 off any hand but a 4333.

    Returns
    -------
    ndarray of int16 [shape=(20480,)]
        Above 16383 stands what hands with fewer than 13 cards may sum to.
    """
    _check(variant)
    packed = np.arange(20480)
    value = 5 * (packed & 1023)
    flat = packed < 1024
    if variant == "v1":
        return frozen(value - np.where(flat, 50, 100))
    doubletons = packed >> 10 & 3
    return frozen(np.maximum(value - 50 * flat - 100 * (doubletons > 0), 0))
