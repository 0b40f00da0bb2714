"""The Four C's of Kaplan and Rubens as tables over holdings, in hundredths of a point.

The article leaves details open. The variant ``intended`` counts as the calculators that people check with: it
follows the steps that R. Pavlicek published, from which J. Goldsmith's calculator differs only for rare
suits. They read the "first doubleton" of the article as the first distribution point of any kind, so they
subtract 1 from all hands except 4333. ``coded`` is DealerV2, which subtracts 1 only for a doubleton; ``v1``
is dealer.

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
    """Return the suit quality of the Four C's in hundredths, which is a tenth of length times honours.

    Parameters
    ----------
    variant : {"intended", "coded", "v1"}
        ``v1`` counts no ten in seven or more cards; only ``intended`` counts a nine with three honours.

    Returns
    -------
    ndarray of int16 [shape=(8192,)]
        The quality by holding, 0 to 1365.

    Raises
    ------
    ArgumentError
        The variant is unknown.

    Examples
    --------
    >>> int(quality()[0b1101100000011])  # AKJT32
    540
    """
    _check_variant(variant)
    # Honours count A 4, K 3, Q 2, J 1, T 0.5.
    ace, king, queen, jack, ten = has_honours()
    cards = length()
    tops = ace + king + queen + jack
    up_to_six = cards <= 6
    tens = ten if variant != "v1" else ten * up_to_six
    total = 400 * ace + 300 * king + 200 * queen + 100 * jack + 50 * tens

    # In a long suit, a missing queen or jack will probably drop, so it counts in part or as if held. With
    # seven cards, 1 if either is missing; with eight, 2 for the queen or else 1 for the jack; with nine,
    # both.
    no_queen, no_jack = 1 * (queen == 0), 1 * (jack == 0)
    seven, eight = 100 * (no_queen | no_jack), np.where(no_queen, 200, 100 * no_jack)
    nine = 200 * no_queen + 100 * no_jack
    total = total + np.select([cards == 7, cards == 8, cards >= 9], [seven, eight, nine], 0)

    # With up to six cards, a ten counts 0.5 with the jack or two of A K Q J, and a nine counts 0.5 with two
    # of A K Q J, the ten or the eight. Three honours include two, which the programs forget.
    backed_ten = (ten == 1) & ((jack == 1) | (tops >= 2))
    two_honours = (tops == 2) | (tops == 3) & (variant == "intended")
    backed_nine = (has_rank("9") == 1) & (two_honours | (has_rank("8") == 1) | (ten == 1))
    total = total + up_to_six * 50 * (backed_ten + 1 * backed_nine)

    # The quality is a tenth of this times the length; the product is a multiple of ten.
    return freeze(total * cards // 10)


@cache
def honour_strength(variant: str = "intended") -> np.ndarray:
    """Return the points for honours in the Four C's in hundredths, without the suit quality.

    Parameters
    ----------
    variant : {"intended", "coded", "v1"}
        ``v1`` adds 25 for a doubleton queen.

    Returns
    -------
    ndarray of int16 [shape=(8192,)]
        The points by holding.

    Raises
    ------
    ArgumentError
        The variant is unknown.

    Examples
    --------
    >>> int(honour_strength()[0b1101100000011])  # AKJT32
    550
    """
    _check_variant(variant)
    # An ace counts 3, a king 2, a singleton king 0.5.
    ace, king, queen, jack, ten = has_honours()
    cards = length()
    tops = ace + king
    kings = np.where(cards == 1, 50, 200) * king

    # A queen counts 1 with ace or king, otherwise 0.75; in a doubleton 0.5 and 0.25; as a singleton nothing.
    doubleton = np.where(tops > 0, 50, 25) + 25 * (variant == "v1")
    queens = np.select([cards == 1, cards == 2], [0, doubleton], np.where(tops > 0, 100, 75)) * queen

    # A jack counts 0.5 with exactly two higher honours and 0.25 with one; a ten counts 0.25 with two, or with
    # one and the nine.
    jacks = np.array([0, 25, 50, 0])[tops + queen] * jack
    higher = tops + queen + jack
    tens = 25 * ten * ((higher == 2) | (higher == 1) & (has_rank("9") == 1))
    return freeze(300 * ace + kings + queens + jacks + tens)


def _check_variant(variant: str) -> None:
    """Raise ArgumentError if the variant is unknown."""
    if variant not in VARIANTS:
        raise ArgumentError(f"unknown variant {variant!r}; known: {', '.join(VARIANTS)}")


# The points of the Four C's are multiples of 0.05, so the sum of a hand in this unit takes ten bits, and all
# fields fit an int16. The value of a hand then takes one sum over the suits and one look-up in a table.
@cache
def packed_four_cs(variant: str = "intended") -> np.ndarray:
    """Return the points and the shortness of each holding in one number, for `four_cs_of_sum`.

    Returns
    -------
    ndarray of int16 [shape=(8192,)]
        Bits 0 to 9 have the points in units of 0.05, bits 10 and 11 the number 1 for a doubleton, and the
        bits from 12 on the number 1 for a singleton or void. The sum over a hand of 13 cards is below 16384.
    """
    # A void counts 3, a singleton 2, a doubleton 1.
    cards = length()
    shortness = np.array([300, 200, 100])[np.minimum(cards, 2)] * (cards <= 2)
    value = honour_strength(variant) + quality(variant) + shortness
    return freeze(value // 5 + ((cards == 2) << 10) + ((cards < 2) << 12))


@cache
def four_cs_of_sum(variant: str = "intended") -> np.ndarray:
    """Return the Four C's of a hand in hundredths, as a table over the sum of `packed_four_cs` of its suits.

    The calculators and dealer subtract 0.50 from a hand with the shape 4333, and 1.00, the first distribution
    point, from all other hands. DealerV2 subtracts 0.50 from 4333 and 1.00 from hands with doubletons, and
    replaces values below 0 by 0.

    Returns
    -------
    ndarray of int16 [shape=(20480,)]
        Indices above 16383 are sums of hands with fewer than 13 cards.
    """
    _check_variant(variant)
    packed = np.arange(20480)
    value = 5 * (packed & 1023)
    flat = packed < 1024  # no suit of fewer than three cards, so the shape is 4333
    if variant != "coded":
        return freeze(value - np.where(flat, 50, 100))
    doubletons = packed >> 10 & 3
    return freeze(np.maximum(value - 50 * flat - 100 * (doubletons > 0), 0))
