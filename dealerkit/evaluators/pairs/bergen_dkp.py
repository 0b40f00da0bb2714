"""Bergen, Bissell and Little Jack Points (Kleinman): counts of a partnership."""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators import factors, holdings
from dealerkit.evaluators.pairs.metrics import Metric, Values
from dealerkit.evaluators.pairs.pair import Pair

_ADJUST_3 = np.array([-2] * 3 + [-1] * 3 + [0] * 5 + [1] * 3 + [2] * 3, np.int16)  # from -8 to 8


@cache
def _quality_suits() -> np.ndarray:
    """1 for a suit of four cards or more with three of A K Q J T."""
    return holdings.frozen((holdings.length() >= 4) & (holdings.points((1, 1, 1, 1, 1)) >= 3))


@cache
def _one_to_three_points() -> np.ndarray:
    points = holdings.points((4, 3, 2, 1))
    return holdings.frozen((points >= 1) & (points <= 3))


def bergen(pair: Pair) -> Values:
    """Bergen's Adjust-3 and what the fit adds."""
    points = factors.round_half_away(pair.total(factors.adjusted_points("bergen")))
    quality = pair.total(_quality_suits())
    adjust3 = _ADJUST_3.take(pair.total(holdings.points((1, 0, -1, -1, 1))) + 8)
    start = np.maximum(points + quality + pair.long_cards + adjust3 - pair.square, 0)
    notrump = np.where(pair.misfit(4), np.maximum(start - pair.long_cards, 0), start)

    # Honours in partner's suits.
    partner = pair.lengths[::-1]
    fitting = (pair.combined >= 8) | (partner >= 5) & (pair.combined >= 7)
    helpful = pair.each(_one_to_three_points()) & fitting
    honours = np.minimum(helpful.sum(axis=1, dtype=np.int16), 2)

    trumps = pair.trumps
    ruffs = pair.voids * trumps + pair.singletons * np.where(trumps == 3, np.int16(2), np.int16(3))
    dummy = (ruffs + pair.doubletons) * ((trumps > 2) & pair.counts_shortness)
    length = np.maximum(trumps - 4, 0) + np.maximum(trumps - 5, 0)
    side = 3 * pair.voids + 2 * pair.singletons + (pair.doubletons >= 2)
    declarer = (length + side) * pair.counts_length
    parts = {
        "length": pair.long_cards, "adjust3": adjust3, "quality": quality,
        "df": dummy, "fn": declarer, "hf": honours, "square": -pair.square,
    }  # fmt: skip
    return Values(notrump, start + honours + dummy + declarer, parts)


@cache
def _bissell_suit() -> np.ndarray:
    """Points of a suit: an honour counts 3 less the higher honours that are missing."""
    score, missing = np.zeros(8192, np.int16), np.zeros(8192, np.int16)
    for rank in "AKQJT":
        score += holdings.has(rank) * np.maximum(3 - missing, 0)
        missing += 1 - holdings.has(rank)
    cards = holdings.length()
    score += np.maximum(factors.short_honours("bissell") // 100, -score)
    score += np.where(cards == 4, 1, 3 * np.maximum(cards - 4, 0))
    return holdings.frozen(np.minimum(score, 3 * cards))


def _bissell_flat(lengths: tuple[int, ...]) -> int:
    """1 for 4333, 4432 and 4441."""
    return int(lengths in ((4, 3, 3, 3), (4, 4, 3, 2), (4, 4, 4, 1)))


def bissell(pair: Pair) -> Values:
    """Bissell's points of suits; trumps and fits do not matter."""
    suits = pair.each(_bissell_suit())
    flat = pair.shape(factors.of_lengths(_bissell_flat))
    value = suits.sum(axis=1, dtype=np.int16) - flat
    parts = dict(zip("SHDC", suits.transpose(1, 0, 2), strict=True)) | {"shape": -flat}
    return Values(value, value, parts)


@cache
def _jack_adjustment() -> np.ndarray:
    """Thirds of a point: -1 for a suit of bare honours, for Qx, and for a lone jack in up to three cards."""
    cards, top4 = holdings.length(), holdings.points((1, 1, 1, 1))
    ace, king, queen, jack, _ = holdings.honours()
    bare = (cards > 0) & (cards == top4)
    queen_doubleton = (cards == 2) & (queen == 1) & (top4 == 1)
    lone_jack = (jack == 1) & (top4 == 1) & (cards <= 3)
    return holdings.frozen(-(bare | queen_doubleton | lone_jack).astype(np.int16))


@cache
def _jack_synergy() -> np.ndarray:
    """Thirds of a point for honours that stand together."""
    cards, top4 = holdings.length(), holdings.points((1, 1, 1, 1))
    ace, king, queen, jack, ten = holdings.honours()
    nine = holdings.has("9")
    pairs = (king & ace) + (queen & (ace | king)) + (jack & (ace | king))
    two = (top4 >= 2) | (top4 == 1) & (nine == 1)
    one = (top4 == 1) | (nine == 1) & (cards > 2)
    return holdings.frozen(pairs + ten * np.where(two, 2, 1 * one))


@cache
def _jack_points() -> np.ndarray:
    """Thirds of a point: A 13, K 9, Q 5, J 2, adjusted, with synergy."""
    return holdings.frozen(holdings.points((13, 9, 5, 2)) + _jack_adjustment() + _jack_synergy())


def _length_to_three(lengths: tuple[int, ...]) -> int:
    return sum(min(3, max(0, cards - 4)) for cards in lengths)


def single_shortness(pair: Pair) -> np.ndarray:
    """Points of the shortest suit: with three trumps 3 2 1 for 0, 1, 2 cards, with more 5 3 1."""
    few, many = 3 - pair.shortest, np.array([5, 3, 1, 0], np.int16).take(pair.shortest)
    return np.where(pair.trumps == 3, few, many) * (pair.trumps >= 3)


def dkp(pair: Pair) -> Values:
    """Kleinman's Little Jack Points."""
    thirds = pair.total(_jack_points()) - 2 * pair.square
    length = pair.shape(factors.of_lengths(_length_to_three))
    points = np.maximum((2 * thirds + 3) // 6 + length, 0)
    dummy = single_shortness(pair) * pair.counts_shortness
    parts = {
        "adjustment": pair.total(_jack_adjustment()), "length": length,
        "synergy": pair.total(_jack_synergy()), "square": -2 * pair.square, "df": dummy,
    }  # fmt: skip
    return Values(points, points + dummy, parts)


METRICS = (
    Metric(
        "bergen", 0, bergen, high=90,
        groups=(("", "length", "adjust3", "quality", "", "df", "fn", "hf", "square"),),
        summary="Bergen's Adjust-3: honours, quality, length, and the fit",
        source="M. Bergen, Points Schmoints!",
    ),
    Metric(
        "bissell", 1, bissell, high=85,
        groups=(("C", "D", "H", "S"), ("shape",)),
        summary="Bissell's count by suits: what each honour is worth under those above it, and length",
        source="H. Bissell, 1936",
    ),
    Metric(
        "dkp", 2, dkp, high=70,
        groups=(("adjustment", "length", "synergy", "square", "df", ""),),
        summary="Little Jack Points: 13 9 5 2 thirds for A K Q J, synergy, length, and dummy's shortness",
        source="D. Kleinman, The Notrump Zone",
    ),
)  # fmt: skip
