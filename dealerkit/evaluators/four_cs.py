"""The Four C's of Kaplan and Rubens as tables over holdings, in hundredths of a point.

The article leaves details open. The variant ``intended`` is the count of the calculators by which people
check: the steps that R. Pavlicek published, which J. Goldsmith's calculator shares but for rare suits. They
subtract 1 from all hands but 4333, the "first doubleton" of the article being the first distribution point of
any kind. ``coded`` is DealerV2, which subtracts it for a doubleton only; ``v1`` is dealer.

References
----------
E. Kaplan and J. Rubens, "The Four C's", *The Bridge World*, October 1982; R. Pavlicek, rpbridge.net/8j19.htm;
as implemented by J. Goldsmith (knr.cgi), D. Suits (dealer v1) and JGM (DealerV2 4.3).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.errors import ArgumentError
from dealerkit.evaluators.holdings import freeze, has_honours, has_rank, length

VARIANTS = ("intended", "coded", "v1")


@cache
def quality(variant: str = "intended") -> np.ndarray:
    """Return the suit quality of the Four C's in hundredths: a tenth of length times honours.

    Parameters
    ----------
    variant : {"intended", "coded", "v1"}
        ``v1`` counts no ten in seven or more cards; ``intended`` alone counts a nine with three honours.

    Returns
    -------
    ndarray of int16 [shape=(8192,)]

    Examples
    --------
    >>> int(quality()[0b1101100000011])  # AKJT32
    540
    """
    _check_variant(variant)
    # Honours: A 4, K 3, Q 2, J 1, T 0.5.
    ace, king, queen, jack, ten = has_honours()
    cards = length()
    tops = ace + king + queen + jack
    up_to_six = cards <= 6
    tens = ten if variant != "v1" else ten * up_to_six
    total = 400 * ace + 300 * king + 200 * queen + 100 * jack + 50 * tens

    # A missing queen or jack of a long suit will probably fall, so that it counts in part or as if held.
    # Seven cards: 1 if either is missing. Eight: 2 for the queen, else 1 for the jack. Nine: both.
    no_queen, no_jack = 1 * (queen == 0), 1 * (jack == 0)
    seven, eight = 100 * (no_queen | no_jack), np.where(no_queen, 200, 100 * no_jack)
    nine = 200 * no_queen + 100 * no_jack
    total = total + np.select([cards == 7, cards == 8, cards >= 9], [seven, eight, nine], 0)

    # Up to six cards: 0.5 for a ten with the jack or two of A K Q J, and 0.5 for a nine with two of A K Q J,
    # the ten or the eight. Three honours are two and more, which the programs forget.
    backed_ten = (ten == 1) & ((jack == 1) | (tops >= 2))
    two_honours = (tops == 2) | (tops == 3) & (variant == "intended")
    backed_nine = (has_rank("9") == 1) & (two_honours | (has_rank("8") == 1) | (ten == 1))
    total = total + up_to_six * 50 * (backed_ten + 1 * backed_nine)

    # The quality is a tenth of this times the length; the product is a multiple of ten.
    return freeze(total * cards // 10)


@cache
def honour_strength(variant: str = "intended") -> np.ndarray:
    """Return the honours of a suit in the Four C's in hundredths, without the suit quality.

    Parameters
    ----------
    variant : {"intended", "coded", "v1"}
        ``v1`` adds 25 for a doubleton queen.

    Returns
    -------
    ndarray of int16 [shape=(8192,)]

    Examples
    --------
    >>> int(honour_strength()[0b1101100000011])  # AKJT32
    550
    """
    _check_variant(variant)
    # The ace 3, the king 2, a singleton king 0.5.
    ace, king, queen, jack, ten = has_honours()
    cards = length()
    tops = ace + king
    kings = np.where(cards == 1, 50, 200) * king

    # The queen 1 with ace or king, else 0.75; in a doubleton 0.5 and 0.25, alone nothing.
    doubleton = np.where(tops > 0, 50, 25) + 25 * (variant == "v1")
    queens = np.select([cards == 1, cards == 2], [0, doubleton], np.where(tops > 0, 100, 75)) * queen

    # The jack 0.5 with exactly two higher honours, 0.25 with one; the ten 0.25 with two, or with one and
    # the nine.
    jacks = np.array([0, 25, 50, 0])[tops + queen] * jack
    higher = tops + queen + jack
    tens = 25 * ten * ((higher == 2) | (higher == 1) & (has_rank("9") == 1))
    return freeze(300 * ace + kings + queens + jacks + tens)


def _check_variant(variant: str) -> None:
    """Raise ArgumentError if the Four C's do not have the variant."""
    if variant not in VARIANTS:
        raise ArgumentError(f"unknown variant {variant!r}; known: {', '.join(VARIANTS)}")


# The points of the Four C's are multiples of 0.05, so the sum of a hand in that unit takes ten bits and all
# fields fit an int16. One sum over the suits and one table access give the value of a hand.
@cache
def packed_four_cs(variant: str = "intended") -> np.ndarray:
    """Return points and short suits of a holding in one number, for `four_cs_of_sum`.

    Returns
    -------
    ndarray of int16 [shape=(8192,)]
        Bits 0 to 9: points in units of 0.05; bits 10 and 11: 1 for a doubleton; from bit
        12: 1 for a singleton or void. The sum over a hand of 13 cards stays below 16384.
    """
    # A void 3, a singleton 2, a doubleton 1.
    cards = length()
    shortness = np.array([300, 200, 100])[np.minimum(cards, 2)] * (cards <= 2)
    value = honour_strength(variant) + quality(variant) + shortness
    return freeze(value // 5 + ((cards == 2) << 10) + ((cards < 2) << 12))


@cache
def four_cs_of_sum(variant: str = "intended") -> np.ndarray:
    """Return the Four C's of a hand in hundredths, by the sum of `packed_four_cs` over its suits.

    The calculators and dealer v1 subtract 0.50 from a 4333 and 1.00, the first point of a short suit, from
    all other hands. DealerV2 subtracts 1.00 once from a hand with doubletons and 0.50 from a 4333, and no
    value is below 0.

    Returns
    -------
    ndarray of int16 [shape=(20480,)]
        Indices above 16383 are sums of hands with fewer than 13 cards.
    """
    _check_variant(variant)
    packed = np.arange(20480)
    value = 5 * (packed & 1023)
    flat = packed < 1024  # no suit of less than three cards: 4333
    if variant != "coded":
        return freeze(value - np.where(flat, 50, 100))
    doubletons = packed >> 10 & 3
    return freeze(np.maximum(value - 50 * flat - 100 * (doubletons > 0), 0))
