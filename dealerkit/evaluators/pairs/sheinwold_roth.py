"""Sheinwold and Roth: counts of a partnership."""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators import factors, holdings
from dealerkit.evaluators.pairs.goren_pavlicek import long_trumps
from dealerkit.evaluators.pairs.metrics import Metric, Values
from dealerkit.evaluators.pairs.pair import Pair

NONE, WEAK_MAJOR, GOOD, RELIABLE, SOLID = range(5)  # types of a long suit, as Roth tells them apart


@cache
def _unsupported() -> np.ndarray:
    """-50 for three cards or more with a queen or jack alone among A K Q J: hundredths."""
    _, _, queen, jack, _ = holdings.honours()
    alone = (holdings.points((1, 1, 1, 1)) == 1) & (queen | jack == 1) & (holdings.length() >= 3)
    return holdings.frozen(-50 * alone.astype(np.int16))


@cache
def _soft_trumps() -> np.ndarray:
    """1 for a holding of up to three points with the queen or the jack."""
    _, _, queen, jack, _ = holdings.honours()
    return holdings.frozen((holdings.points((4, 3, 2, 1)) <= 3) & ((queen | jack) == 1))


@cache
def _backing_queen() -> np.ndarray:
    """1 for two cards or more with the queen and neither ace nor king."""
    ace, king, queen, _, _ = holdings.honours()
    return holdings.frozen((holdings.length() >= 2) & (queen == 1) & ((ace | king) == 0))


@cache
def _solid_five() -> np.ndarray:
    """1 for five cards or more headed by A K Q J."""
    return holdings.frozen((holdings.length() >= 5) & (holdings.points((1, 1, 1, 1)) == 4))


def sheinwold(pair: Pair) -> Values:
    """Sheinwold's points for honours and shortness, and what the fit changes."""
    no_fit = pair.combined < 8
    loose = (pair.each(_unsupported()) * no_fit).sum(axis=1, dtype=np.int16)
    adjustment = pair.total(factors.short_honours("sheinwold")) + loose
    points = 100 * pair.hcp + adjustment
    aces = (pair.aces >= 3).astype(np.int16) - ((pair.aces == 0) & (points >= 1100))
    start = np.maximum(factors.round_half_away(points) + aces, 0)

    dummy, declares = pair.is_dummy & pair.has_fit, pair.declares & pair.has_fit
    shorts = pair.voids + pair.singletons + pair.doubletons
    ruffs = 5 * pair.voids + 3 * pair.singletons + pair.doubletons - shorts * (pair.trumps == 3)
    ruffs = ruffs * (dummy & (pair.trumps >= 3))

    side = ~pair.is_trump
    declarer_length = np.where(pair.declares[0], pair.lengths[0], pair.lengths[1])
    dummy_length = np.where(pair.declares[0], pair.lengths[1], pair.lengths[0])
    queens = pair.each(_backing_queen())
    backing = np.where(pair.declares[0], queens[1], queens[0]) * ((declarer_length >= 4) & side)
    soft = pair.trump_value(_soft_trumps()).sum(axis=0, dtype=np.int16)
    helpful = (soft + backing.sum(axis=0, dtype=np.int16)) * dummy

    solid = pair.each(_solid_five())
    solid = (np.where(pair.declares[0], solid[0], solid[1]) * side).sum(axis=0, dtype=np.int16)
    supported = (declarer_length >= 5) & (dummy_length >= 3) & side
    tricks = ((2 * declarer_length - 9) * supported).sum(axis=0, dtype=np.int16)
    length = (long_trumps(pair) + solid + tricks) * declares
    parts = {
        "adjustment": factors.round_half_away(adjustment), "aces": aces, "hf": helpful, "fn": length,
        "shortness": pair.shortness, "df": ruffs, "quicktricks": pair.total(factors.quick_tricks()),
    }  # fmt: skip
    suit = start + np.where(dummy, ruffs, pair.shortness) + helpful + length
    return Values(start + helpful + length, suit, parts)


@cache
def _suit_type(major: bool, variant: str) -> np.ndarray:
    """Type of a long suit, NONE to SOLID.

    Notes
    -----
    Variant ``coded``: the clauses for KQT9xx, AJT9xx and AJTxxxx never hold in DealerV2.
    """
    cards = holdings.length()
    top3, top4, top5 = (holdings.points((1,) * count) for count in (3, 4, 5))
    ace, king, queen, jack, ten = (card == 1 for card in holdings.honours())
    weak = WEAK_MAJOR if major else NONE
    five = np.where(top3 >= 2, GOOD, NONE)
    six = np.select([top5 >= 4, top4 >= 3, top3 >= 2], [SOLID, RELIABLE, GOOD], weak)
    seven = np.select([(top4 >= 3) | ace & king & ten, top3 >= 2], [SOLID, RELIABLE], weak)
    if variant == "intended":
        tops = (king & queen) | (ace & (king | queen | jack))
        intermediates = ten & (holdings.has("9") == 1)
        six = np.where(tops & intermediates, np.maximum(six, RELIABLE), six)
        seven = np.where(ace & jack & ten, np.maximum(seven, RELIABLE), seven)
    return holdings.frozen(np.select([cards >= 7, cards == 6, cards == 5], [seven, six, five], NONE))


@cache
def _roth_suit(major: bool, variant: str) -> np.ndarray:
    """Type of a suit in bits 0 to 2, points for its length in 3 and 4, those in notrump in 5 and 6."""
    kind, cards = _suit_type(major, variant), holdings.length()
    points = np.where(cards >= 7, 2, 1 * (cards == 6))
    return holdings.frozen(kind | points * (kind >= WEAK_MAJOR) << 3 | points * (kind >= GOOD) << 5)


def roth(pair: Pair) -> Values:
    """Roth's points for honours, for suits that bring tricks, and for shortness opposite a fit."""
    suits = np.concatenate(
        [
            _roth_suit(major, pair.variant).take(pair.lanes[:, part])
            for major, part in ((True, slice(2)), (False, slice(2, 4)))
        ],
        axis=1,
    )
    types = suits & 7
    kind, length, length_notrump = types.max(axis=1), (suits & 24).max(axis=1) >> 3, suits.max(axis=1) >> 5
    adjustment = pair.total(factors.short_honours("roth")) // 100
    aces = (pair.aces == 4).astype(np.int16)

    good_five = (types == GOOD) & (pair.lengths == 5) & (pair.lengths[::-1] >= 2)
    five = ((length_notrump == 0) & (kind >= GOOD) & good_five.any(axis=1)).astype(np.int16)
    solid = kind == SOLID
    notrump = pair.hcp + aces + length_notrump + np.where(solid, length_notrump, five)

    declares = pair.declares
    if pair.intended:  # the hand with the solid suit declares
        other = solid[::-1] & ~solid
        declares = declares & ~other | other[::-1]
    dummy = declares[::-1]
    trumps = pair.trumps
    shorts = pair.voids + pair.singletons
    each = np.where(trumps == 4, shorts, 2 * shorts) * ((trumps == 4) | (trumps == 5) | pair.intended)
    extra = (each + (pair.doubletons > 0)) * (trumps >= 4)
    ruffs = (pair.shortness + extra) * ((trumps >= 3) & pair.has_fit)
    trump_type = (types * pair.is_trump).sum(axis=1, dtype=np.int16)
    long_trump = np.maximum(trumps - 4, 0) * (pair.has_fit & (trump_type >= WEAK_MAJOR) & declares)
    with_shortness = pair.has_fit | (kind == RELIABLE)
    declarer = length + np.where(solid, length + pair.shortness, pair.shortness * with_shortness + long_trump)
    suit = pair.hcp + adjustment + aces + np.where(dummy, ruffs, declarer)
    parts = {
        "type": kind, "adjustment": adjustment, "shortness": pair.shortness, "length": length,
        "length_notrump": length_notrump, "fn": long_trump, "five_notrump": five,
        "df": np.where(dummy, ruffs, pair.shortness * pair.has_fit),
    }  # fmt: skip
    return Values(notrump, suit, parts)


METRICS = (
    Metric(
        "sheinwold", 11, sheinwold, high=80,
        groups=(("adjustment", "aces", "hf", "fn", "shortness", "df", "quicktricks"),),
        summary="Sheinwold's count: points, aces, shortness, honours and length where the hands fit",
        source="A. Sheinwold, 5 Weeks to Winning Bridge, 1959",
    ),
    Metric(
        "roth", 14, roth, high=70,
        groups=(("type", "adjustment", "shortness", "length", "length_notrump", "fn", "five_notrump", "df"),),
        summary="Roth's count: points, long suits by their quality, shortness opposite a fit",
        source="A. Roth and J. Rubens, Modern Bridge Bidding Complete, 1968",
    ),
)  # fmt: skip
