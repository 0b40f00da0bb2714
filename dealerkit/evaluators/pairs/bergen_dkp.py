"""Bergen, Bissell and Little Jack Points (Kleinman): point counts of a side."""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators import holdings, honour_tables, patterns
from dealerkit.evaluators.pairs.metric import Metric, Values
from dealerkit.evaluators.pairs.trump_pair import TrumpPair

_ADJUST_3 = np.array([-2] * 3 + [-1] * 3 + [0] * 5 + [1] * 3 + [2] * 3, np.int16)  # from -8 to 8


@cache
def _quality_suits() -> np.ndarray:
    """Return 1 for a suit of four cards or more with three of A K Q J T, else 0: int16 [8192]."""
    return holdings.freeze((holdings.length() >= 4) & (holdings.points((1, 1, 1, 1, 1)) >= 3))


@cache
def _one_to_three_points() -> np.ndarray:
    """Return 1 for a suit with one to three points, else 0: int16 [8192]."""
    points = holdings.points((4, 3, 2, 1))
    return holdings.freeze((points >= 1) & (points <= 3))


def bergen(pair: TrumpPair) -> Values:
    """Return Bergen's Adjust-3 with the points for a fit."""
    points = pair.adjusted_points("bergen")
    quality = pair.sum_table(_quality_suits())
    adjust3 = _ADJUST_3.take(pair.sum_table(holdings.points((1, 0, -1, -1, 1))) + 8)
    start = np.maximum(points + quality + pair.long_cards + adjust3 - pair.is_4333, 0)
    notrump = np.where(pair.has_misfit(4), np.maximum(start - pair.long_cards, 0), start)

    # Honours in partner's suits.
    partner = pair.lengths[::-1]
    fitting = (pair.combined >= 8) | (partner >= 5) & (pair.combined >= 7)
    helpful = pair.take_suits(_one_to_three_points()) & fitting
    honours = np.minimum(helpful.sum(axis=1, dtype=np.int16), 2)

    trumps = pair.trumps
    ruffs = pair.voids * trumps + pair.singletons * np.where(trumps == 3, np.int16(2), np.int16(3))
    dummy = (ruffs + pair.doubletons) * ((trumps > 2) & pair.counts_shortness)
    short_suits = 3 * pair.voids + 2 * pair.singletons + (pair.doubletons >= 2)
    declarer = (pair.long_trumps + short_suits) * pair.counts_length
    parts = {
        "length": pair.long_cards, "adjust3": adjust3, "quality": quality,
        "df": dummy, "fn": declarer, "hf": honours, "square": -pair.is_4333,
    }  # fmt: skip
    return Values(notrump, start + honours + dummy + declarer, parts)


@cache
def _bissell_suit() -> np.ndarray:
    """Return suit points: an honour counts 3, less 1 for each missing higher honour; int16 [8192]."""
    score, missing = np.zeros(8192, np.int16), np.zeros(8192, np.int16)
    for rank in "AKQJT":
        score += holdings.has_rank(rank) * np.maximum(3 - missing, 0)
        missing += 1 - holdings.has_rank(rank)
    cards = holdings.length()
    score += np.maximum(honour_tables.short_honours("bissell") // 100, -score)
    score += np.where(cards == 4, 1, 3 * np.maximum(cards - 4, 0))
    return holdings.freeze(np.minimum(score, 3 * cards))


def _bissell_flat(lengths: patterns.Lengths) -> int:
    """Return 1 for the shapes 4333, 4432 and 4441, else 0."""
    return int(lengths in ((4, 3, 3, 3), (4, 4, 3, 2), (4, 4, 4, 1)))


def bissell(pair: TrumpPair) -> Values:
    """Return Bissell's points of the suits, which do not depend on trumps and fits."""
    suits = pair.take_suits(_bissell_suit())
    flat = pair.apply_rule(_bissell_flat)
    value = suits.sum(axis=1, dtype=np.int16) - flat
    parts = dict(zip("SHDC", suits.transpose(1, 0, 2), strict=True)) | {"shape": -flat}
    return Values(value, value, parts)


@cache
def _jack_adjustment() -> np.ndarray:
    """Return -1 (third of a point) for bare honours, for Qx, and for a jack alone in up to three cards."""
    cards, top4 = holdings.length(), holdings.points((1, 1, 1, 1))
    ace, king, queen, jack, _ = holdings.has_honours()
    bare = (cards > 0) & (cards == top4)
    queen_doubleton = (cards == 2) & (queen == 1) & (top4 == 1)
    lone_jack = (jack == 1) & (top4 == 1) & (cards <= 3)
    return holdings.freeze(-(bare | queen_doubleton | lone_jack).astype(np.int16))


@cache
def _jack_synergy() -> np.ndarray:
    """Return thirds of a point for honours supported by others: int16 [8192]."""
    cards, top4 = holdings.length(), holdings.points((1, 1, 1, 1))
    ace, king, queen, jack, ten = holdings.has_honours()
    nine = holdings.has_rank("9")
    supported = (king & ace) + (queen & (ace | king)) + (jack & (ace | king))
    strong_ten = (top4 >= 2) | (top4 == 1) & (nine == 1)
    weak_ten = (top4 == 1) | (nine == 1) & (cards > 2)
    return holdings.freeze(supported + ten * np.where(strong_ten, 2, 1 * weak_ten))


@cache
def _jack_points() -> np.ndarray:
    """Return thirds of a point, A 13, K 9, Q 5, J 2, with adjustment and synergy: int16 [8192]."""
    return holdings.freeze(holdings.points((13, 9, 5, 2)) + _jack_adjustment() + _jack_synergy())


def _length_points(lengths: patterns.Lengths) -> int:
    """Return the cards over four in a suit, at most 3 for each suit."""
    return sum(min(3, max(0, cards - 4)) for cards in lengths)


def dkp(pair: TrumpPair) -> Values:
    """Return Kleinman's Little Jack Points."""
    thirds = pair.sum_table(_jack_points()) - 2 * pair.is_4333
    length = pair.apply_rule(_length_points)
    points = np.maximum((2 * thirds + 3) // 6 + length, 0)
    dummy = pair.ruffing_points * pair.counts_shortness
    parts = {
        "adjustment": pair.sum_table(_jack_adjustment()), "length": length,
        "synergy": pair.sum_table(_jack_synergy()), "square": -2 * pair.is_4333, "df": dummy,
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
        summary="Bissell's count by suits: honours less missing higher honours, and length",
        source="H. Bissell, 1936",
    ),
    Metric(
        "dkp", 2, dkp, high=70,
        groups=(("adjustment", "length", "synergy", "square", "df", ""),),
        summary="Little Jack Points: 13 9 5 2 thirds for A K Q J, synergy, length, and dummy's shortness",
        source="D. Kleinman, The Notrump Zone",
    ),
)  # fmt: skip
