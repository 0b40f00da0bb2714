"""Goren, Kaplan and Pavlicek: point counts of a side."""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators import holdings
from dealerkit.evaluators.pairs.metric import Metric, Values
from dealerkit.evaluators.pairs.trump_pair import TrumpPair


def goren(pair: TrumpPair) -> Values:
    """Return Goren's points for honours and shortness with the corrections for a fit."""
    points = pair.adjusted_points("goren")
    aces = (pair.aces == 4).astype(np.int16)
    if pair.intended:
        aces -= (pair.aces == 0) & (points > 10)
    notrump = np.maximum(points + aces - pair.is_4333, 0)

    shortness = pair.shortness * (pair.has_fit | ~pair.has_misfit(4))
    dummy = pair.is_fit_dummy
    ruffs = np.where(pair.trumps == 3, np.minimum(pair.voids, 1), 2 * pair.voids + pair.singletons)
    ruffs = ruffs * (dummy & (pair.trumps >= 3))
    length = pair.long_trumps * pair.is_fit_declarer
    trump_points = pair.take_trumps(holdings.points((4, 3, 2, 1)))
    helpful = ((trump_points >= 1) & (trump_points <= 3) & dummy).astype(np.int16)
    flat = pair.is_4333 * dummy
    parts = {
        "adjustment": points - pair.hcp, "aces": aces, "shortness": pair.shortness,
        "df": ruffs, "fn": length, "hf": helpful, "square": -pair.is_4333 * ~pair.is_fit_declarer,
    }  # fmt: skip
    return Values(notrump, np.maximum(points + aces + shortness + ruffs + length + helpful - flat, 0), parts)


@cache
def _bare_soft_honours() -> np.ndarray:
    """Return 2 for a singleton queen and 1 for a singleton jack: int16 [8192]."""
    table = np.zeros(8192)
    table[[1 << 10, 1 << 9]] = 2, 1
    return holdings.freeze(table)


def kaplan(pair: TrumpPair) -> Values:
    """Return Kaplan's points for honours and length, and for shortness with a fit."""
    adjustment = pair.short_honours("kaplan")
    helpful = (pair.take_suits(_bare_soft_honours()) * (pair.lengths[::-1] >= 4)).sum(axis=1, dtype=np.int16)
    notrump = pair.hcp + adjustment + pair.long_cards + helpful
    dummy = pair.shortness * (pair.has_fit & (pair.trumps >= 3))
    parts = {"adjustment": adjustment, "length": pair.long_cards, "hf": helpful, "df": dummy}
    return Values(notrump, notrump + dummy, parts)


def _side_suit_points(pair: TrumpPair) -> np.ndarray:
    """Return points for declarer's side suits: [2, n]."""
    over_three = np.maximum(pair.lengths - 3, 0) * ~pair.is_trump
    total = over_three.sum(axis=1, dtype=np.int16)
    if pair.intended:  # with four trumps each side suit counts one point less
        less = np.maximum(over_three - 1, 0).sum(axis=1, dtype=np.int16)
    else:  # the program subtracts one from its running total at every suit, clubs first, and once more
        less = np.zeros_like(total)
        for suit in (3, 2, 1, 0):
            less = np.maximum(less + over_three[:, suit] - 1, 0)
        less = np.maximum(less - 1, 0)
    result: np.ndarray = np.where(pair.trumps == 4, less, total)
    return result


def pavlicek(pair: TrumpPair) -> Values:
    """Return Pavlicek's points for honours, tens and shortness with the corrections for a fit."""
    adjusted = pair.adjusted_points("pavlicek")
    body = (pair.aces + pair.sum_table(holdings.has_rank("T"))) // 4
    start = np.maximum(adjusted + body, 0)

    first_is_weaker = pair.hcp[0] <= pair.hcp[1]
    weaker = np.stack((first_is_weaker, ~first_is_weaker))
    length = (weaker & (pair.long_cards > 0)).astype(np.int16)

    # Without a fit, shortness opposite length counts nothing.
    short = pair.short_opposite(4) & ~pair.has_fit
    points = np.maximum(3 - pair.lengths, 0) * (short & (pair.lengths < 2))
    shortness = np.maximum(pair.shortness - points.sum(axis=1, dtype=np.int16), 0)

    dummy = pair.is_fit_dummy
    ruffs = (2 * pair.voids + pair.singletons) * (dummy & (pair.trumps >= 4))
    flat = pair.is_4333 * (dummy & (pair.aces == 0) & (pair.trumps < 4))
    length_points = 2 * np.maximum(pair.trumps - 5, 0) + (pair.fit >= 9) + _side_suit_points(pair)
    declarer = length_points * pair.is_fit_declarer
    parts = {
        "adjustment": adjusted - pair.hcp, "body": body, "length": length, "fn": declarer,
        "shortness": pair.shortness, "df": ruffs, "square": -flat,
    }  # fmt: skip
    return Values(start + length, start + shortness + ruffs - flat + declarer, parts)


METRICS = (
    Metric(
        "goren", 3, goren, high=80,
        groups=(("adjustment", "aces", "shortness", "df", "fn", "hf", "square"),),
        summary="Goren's count: points, all the aces, shortness, and the fit",
        source="C. H. Goren, Point Count Bidding in Contract Bridge, 1949",
    ),
    Metric(
        "kaplan", 4, kaplan, high=70,
        groups=(("adjustment", "length", "hf", "df"),),
        summary="Kaplan's count: points and cards over four, shortness of a hand with three trumps",
        source="E. Kaplan, Winning Contract Bridge Complete, 1964",
    ),
    Metric(
        "pavlicek", 10, pavlicek, high=80,
        groups=(("adjustment", "body", "length", "fn", "shortness", "df", "square"),),
        summary="Pavlicek's point count: points, aces and tens, shortness, and the fit",
        source="R. Pavlicek, Pavlicek Point Count",
    ),
)  # fmt: skip
