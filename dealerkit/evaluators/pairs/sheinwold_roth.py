"""Sheinwold and Roth: point counts of a side."""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators import holdings, honour_tables
from dealerkit.evaluators.pairs.metric import Metric, Values
from dealerkit.evaluators.pairs.trump_pair import TrumpPair

NONE, WEAK_MAJOR, GOOD, RELIABLE, SOLID = range(5)  # Roth's types of a long suit


@cache
def _unsupported() -> np.ndarray:
    """Return -50 (hundredths) for three cards or more whose only honour of A K Q J is a queen or jack."""
    _, _, queen, jack, _ = holdings.has_honours()
    alone = (holdings.points((1, 1, 1, 1)) == 1) & (queen | jack == 1) & (holdings.length() >= 3)
    return holdings.freeze(-50 * alone.astype(np.int16))


@cache
def _soft_trumps() -> np.ndarray:
    """Return 1 for a holding of up to three points with the queen or the jack: int16 [8192]."""
    _, _, queen, jack, _ = holdings.has_honours()
    return holdings.freeze((holdings.points((4, 3, 2, 1)) <= 3) & ((queen | jack) == 1))


@cache
def _backing_queen() -> np.ndarray:
    """Return 1 for two cards or more with the queen and neither ace nor king: int16 [8192]."""
    ace, king, queen, _, _ = holdings.has_honours()
    return holdings.freeze((holdings.length() >= 2) & (queen == 1) & ((ace | king) == 0))


@cache
def _solid_five() -> np.ndarray:
    """Return 1 for five cards or more headed by A K Q J: int16 [8192]."""
    return holdings.freeze((holdings.length() >= 5) & (holdings.points((1, 1, 1, 1)) == 4))


def sheinwold(pair: TrumpPair) -> Values:
    """Return Sheinwold's points for honours and shortness with the corrections for a fit."""
    adjustment = (pair.take_suits(_unsupported()) * (pair.combined < 8)).sum(axis=1, dtype=np.int16)
    adjustment += pair.sum_table(honour_tables.short_honours("sheinwold"))
    points = 100 * pair.hcp + adjustment
    aces = (pair.aces >= 3).astype(np.int16) - ((pair.aces == 0) & (points >= 1100))
    start = np.maximum(honour_tables.round_half_away(points) + aces, 0)

    dummy, first_declares = pair.is_fit_dummy, pair.declares[0]
    shorts = pair.voids + pair.singletons + pair.doubletons
    ruffs = 5 * pair.voids + 3 * pair.singletons + pair.doubletons - shorts * (pair.trumps == 3)
    ruffs = ruffs * (dummy & (pair.trumps >= 3))

    is_side_suit = ~pair.is_trump
    declarer_length = np.where(first_declares, *pair.lengths)
    dummy_length = np.where(first_declares, *pair.lengths[::-1])
    queens = np.where(first_declares, *pair.take_suits(_backing_queen())[::-1])
    backing = queens * ((declarer_length >= 4) & is_side_suit)
    soft = pair.take_trumps(_soft_trumps()).sum(axis=0, dtype=np.int16)
    helpful = (soft + backing.sum(axis=0, dtype=np.int16)) * dummy

    solid = np.where(first_declares, *pair.take_suits(_solid_five())) * is_side_suit
    supported = (declarer_length >= 5) & (dummy_length >= 3) & is_side_suit
    tricks = ((2 * declarer_length - 9) * supported).sum(axis=0, dtype=np.int16)
    length = (pair.long_trumps + solid.sum(axis=0, dtype=np.int16) + tricks) * pair.is_fit_declarer
    parts = {
        "adjustment": honour_tables.round_half_away(adjustment), "aces": aces, "hf": helpful, "fn": length,
        "shortness": pair.shortness, "df": ruffs, "quicktricks": pair.sum_table(honour_tables.quick_tricks()),
    }  # fmt: skip
    suit = start + np.where(dummy, ruffs, pair.shortness) + helpful + length
    return Values(start + helpful + length, suit, parts)


@cache
def _suit_type(major: bool, variant: str) -> np.ndarray:
    """Return the type of a long suit, NONE to SOLID: int16 [8192].

    Notes
    -----
    Variant ``coded``: the conditions for KQT9xx, AJT9xx and AJTxxxx are never true in DealerV2.
    """
    cards = holdings.length()
    top3, top4, top5 = (holdings.points((1,) * count) for count in (3, 4, 5))
    ace, king, queen, jack, ten = (card == 1 for card in holdings.has_honours())
    weak = WEAK_MAJOR if major else NONE
    five = np.where(top3 >= 2, GOOD, NONE)
    six = np.select([top5 >= 4, top4 >= 3, top3 >= 2], [SOLID, RELIABLE, GOOD], weak)
    seven = np.select([(top4 >= 3) | ace & king & ten, top3 >= 2], [SOLID, RELIABLE], weak)
    if variant == "intended":
        tops = (king & queen) | (ace & (king | queen | jack))
        intermediates = ten & (holdings.has_rank("9") == 1)
        six = np.where(tops & intermediates, np.maximum(six, RELIABLE), six)
        seven = np.where(ace & jack & ten, np.maximum(seven, RELIABLE), seven)
    return holdings.freeze(np.select([cards >= 7, cards == 6, cards == 5], [seven, six, five], NONE))


@cache
def _roth_suit(major: bool, variant: str) -> np.ndarray:
    """Return the type of a suit in bits 0 to 2, its length points in 3 and 4, those in notrump in 5 and 6."""
    suit_type, cards = _suit_type(major, variant), holdings.length()
    points = np.where(cards >= 7, 2, 1 * (cards == 6))
    return holdings.freeze(
        suit_type | points * (suit_type >= WEAK_MAJOR) << 3 | points * (suit_type >= GOOD) << 5
    )


def roth(pair: TrumpPair) -> Values:
    """Return Roth's points for honours, for long suits by type, and for shortness with a fit."""
    majors, minors = (_roth_suit(major, pair.variant) for major in (True, False))
    suits = np.concatenate((majors.take(pair.holdings[:, :2]), minors.take(pair.holdings[:, 2:])), axis=1)
    types = suits & 7
    best_type, length = types.max(axis=1), (suits & 24).max(axis=1) >> 3
    length_notrump = suits.max(axis=1) >> 5
    adjustment = pair.short_honours("roth")
    aces = (pair.aces == 4).astype(np.int16)

    good_five = (types == GOOD) & (pair.lengths == 5) & (pair.lengths[::-1] >= 2)
    five = ((length_notrump == 0) & (best_type >= GOOD) & good_five.any(axis=1)).astype(np.int16)
    solid = best_type == SOLID
    notrump = pair.hcp + aces + length_notrump + np.where(solid, length_notrump, five)

    declares = pair.declares
    if pair.intended:  # the hand with the solid suit declares
        partner_solid = solid[::-1] & ~solid
        declares = declares & ~partner_solid | partner_solid[::-1]
    dummy = declares[::-1]
    trumps = pair.trumps
    shorts = pair.voids + pair.singletons
    ruffing = np.where(trumps == 4, shorts, 2 * shorts) * ((trumps == 4) | (trumps == 5) | pair.intended)
    extra = (ruffing + (pair.doubletons > 0)) * (trumps >= 4)
    ruffs = (pair.shortness + extra) * ((trumps >= 3) & pair.has_fit)
    trump_type = (types * pair.is_trump).sum(axis=1, dtype=np.int16)
    long_trump = np.maximum(trumps - 4, 0) * (pair.has_fit & (trump_type >= WEAK_MAJOR) & declares)
    with_shortness = pair.has_fit | (best_type == RELIABLE)
    declarer = length + np.where(solid, length + pair.shortness, pair.shortness * with_shortness + long_trump)
    suit = pair.hcp + adjustment + aces + np.where(dummy, ruffs, declarer)
    parts = {
        "type": best_type, "adjustment": adjustment, "shortness": pair.shortness, "length": length,
        "length_notrump": length_notrump, "fn": long_trump, "five_notrump": five,
        "df": np.where(dummy, ruffs, pair.shortness * pair.has_fit),
    }  # fmt: skip
    return Values(notrump, suit, parts)


METRICS = (
    Metric(
        "sheinwold", 11, sheinwold, high=80,
        groups=(("adjustment", "aces", "hf", "fn", "shortness", "df", "quicktricks"),),
        summary="Sheinwold's count: points, aces, shortness, honours and length with a fit",
        source="A. Sheinwold, 5 Weeks to Winning Bridge, 1959",
    ),
    Metric(
        "roth", 14, roth, high=70,
        groups=(("type", "adjustment", "shortness", "length", "length_notrump", "fn", "five_notrump", "df"),),
        summary="Roth's count: points, long suits by their quality, shortness with a fit",
        source="A. Roth and J. Rubens, Modern Bridge Bidding Complete, 1968",
    ),
)  # fmt: skip
