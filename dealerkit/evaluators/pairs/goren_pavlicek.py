"""Goren, Kaplan and Pavlicek: counts of a partnership."""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators import factors, holdings
from dealerkit.evaluators.pairs.metrics import Metric, Values
from dealerkit.evaluators.pairs.pair import Pair


def long_trumps(pair: Pair) -> np.ndarray:
    """1 for a fifth trump and 2 for each further one: [2, n]."""
    return np.maximum(pair.trumps - 4, 0) + np.maximum(pair.trumps - 5, 0)


def goren(pair: Pair) -> Values:
    """Goren's points for honours and shortness, and what the fit changes."""
    points = factors.round_half_away(pair.total(factors.adjusted_points("goren")))
    aces = (pair.aces == 4).astype(np.int16)
    if pair.intended:
        aces -= (pair.aces == 0) & (points > 10)
    notrump = np.maximum(points + aces - pair.square, 0)

    shortness = pair.shortness * (pair.has_fit | ~pair.misfit(4))
    dummy, declares = pair.is_dummy & pair.has_fit, pair.declares & pair.has_fit
    ruffs = np.where(pair.trumps == 3, np.minimum(pair.voids, 1), 2 * pair.voids + pair.singletons)
    ruffs = ruffs * (dummy & (pair.trumps >= 3))
    length = long_trumps(pair) * declares
    trump_points = pair.trump_value(holdings.points((4, 3, 2, 1)))
    helpful = ((trump_points >= 1) & (trump_points <= 3) & dummy).astype(np.int16)
    flat = pair.square * dummy
    parts = {
        "adjustment": points - pair.hcp, "aces": aces, "shortness": pair.shortness,
        "df": ruffs, "fn": length, "hf": helpful, "square": -pair.square * ~declares,
    }  # fmt: skip
    return Values(notrump, np.maximum(points + aces + shortness + ruffs + length + helpful - flat, 0), parts)


@cache
def _stiff_soft() -> np.ndarray:
    """2 for a singleton queen, 1 for a singleton jack."""
    table = np.zeros(8192)
    table[[1 << 10, 1 << 9]] = 2, 1
    return holdings.frozen(table)


def kaplan(pair: Pair) -> Values:
    """Kaplan's points for honours and length, and shortness opposite a fit."""
    adjustment = pair.total(factors.short_honours("kaplan")) // 100
    helpful = (pair.each(_stiff_soft()) * (pair.lengths[::-1] >= 4)).sum(axis=1, dtype=np.int16)
    notrump = pair.hcp + adjustment + pair.long_cards + helpful
    dummy = pair.shortness * (pair.has_fit & (pair.trumps >= 3))
    parts = {"adjustment": adjustment, "length": pair.long_cards, "hf": helpful, "df": dummy}
    return Values(notrump, notrump + dummy, parts)


def _side_suits(pair: Pair) -> np.ndarray:
    """Points for declarer's side suits: [2, n]."""
    over_three = np.maximum(pair.lengths - 3, 0) * ~pair.is_trump
    total = over_three.sum(axis=1, dtype=np.int16)
    four = pair.trumps == 4
    if pair.intended:  # with four trumps each side suit counts one less
        less = np.maximum(over_three - 1, 0).sum(axis=1, dtype=np.int16)
    else:  # the program takes one off its running total at every suit, clubs first, and once more
        less = np.zeros_like(total)
        for suit in (3, 2, 1, 0):
            less = np.maximum(less + over_three[:, suit] - 1, 0)
        less = np.maximum(less - 1, 0)
    return np.where(four, less, total)


def pavlicek(pair: Pair) -> Values:
    """Pavlicek's points for honours, tens and shortness, and what the fit changes."""
    adjusted = factors.round_half_away(pair.total(factors.adjusted_points("pavlicek")))
    body = (pair.aces + pair.total(holdings.has("T"))) // 4
    start = np.maximum(adjusted + body, 0)

    fewer = pair.hcp[0] <= pair.hcp[1]
    weaker = np.stack((fewer, ~fewer))
    length = (weaker & (pair.long_cards > 0)).astype(np.int16)

    # Opposite length, shortness is worth nothing unless there is a fit.
    short = pair.short_opposite(4) & ~pair.has_fit
    points = np.maximum(3 - pair.lengths, 0) * (short & (pair.lengths < 2))
    shortness = np.maximum(pair.shortness - points.sum(axis=1, dtype=np.int16), 0)

    dummy, declares = pair.is_dummy & pair.has_fit, pair.declares & pair.has_fit
    ruffs = (2 * pair.voids + pair.singletons) * (dummy & (pair.trumps >= 4))
    flat = pair.square * (dummy & (pair.aces == 0) & (pair.trumps < 4))
    long_suits = 2 * np.maximum(pair.trumps - 5, 0) + (pair.fit >= 9) + _side_suits(pair)
    declarer = long_suits * declares
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
