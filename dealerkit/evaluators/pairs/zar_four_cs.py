"""Zar points without and with the fit, and the Four C's with the fit: point counts of a side.

Each count is a function of a `TrumpPair`. Points for a fit follow JGM's DealerV2 4.3.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators import four_cs, holdings, honour_tables, patterns
from dealerkit.evaluators.pairs.metric import Metric, Values
from dealerkit.evaluators.pairs.pair import TrumpPair

HALVES = ("half_suit", "half_notrump")


@cache
def _has_honour() -> np.ndarray:
    """Return 1 for a suit with one of A K Q J: int16 [8192]."""
    return holdings.freeze(holdings.points((1, 1, 1, 1)) > 0)


def _zar_components(pair: TrumpPair) -> dict[str, np.ndarray]:
    """Return the components of basic Zar points besides points 4 3 2 1."""
    # Petkov's count: controls, the two longest suits, and the longest minus the shortest.
    adjustment = pair.short_honours("zar")
    controls = pair.sum_table(holdings.points((2, 1)))
    spread = pair.apply_rule(patterns.spread)

    # A point for strength in few suits: 11 to 14 points in at most two, or 14 and more in at most three.
    suits = pair.sum_table(_has_honour())
    hcp = pair.hcp
    concentrated = (hcp >= 11) & (hcp <= 14) & (suits <= 2) | (hcp >= 14) & (suits <= 3)

    # A hand of 25 with four spades counts a point more, so that it reaches the 26 for an opening.
    value = hcp + adjustment + controls + spread + concentrated
    has_spades = (value == 25) & (pair.lengths[:, 0] >= 4)
    return {
        "adjustment": adjustment,
        "controls": controls,
        "distribution": spread,
        "synergy": concentrated.astype(np.int16) + has_spades,
        "body": pair.body,
    }


def _halve(pair: TrumpPair, value: np.ndarray) -> np.ndarray:
    """Return half the Zar points, as points of the usual scale, rounded by the body."""
    return honour_tables.round_by_body(50 * value, pair.body)


def zarbasic(pair: TrumpPair) -> Values:
    """Return the Zar points of each hand without a fit."""
    parts = _zar_components(pair)
    value = pair.hcp + sum(parts[name] for name in ("adjustment", "controls", "distribution", "synergy"))
    half = _halve(pair, value)
    return Values(value, value, parts | {"half_suit": half, "half_notrump": half})


def _helpful_honours(pair: TrumpPair) -> np.ndarray:
    """Return points for honours in partner's four-card suits, the best two suits of each hand: [2, n]."""
    top5 = pair.take_suits(holdings.points((1, 1, 1, 1, 1)))
    correction = pair.take_suits(honour_tables.short_honours("zar")) // -100
    points = pair.suit_hcp

    # The hand with fewer cards receives points; of equal ones that with fewer honours, then fewer points.
    # Both counts are below 16. The other hand has at least four cards, and both together are meant to have
    # seven.
    key = pair.lengths << 8 | top5 << 4 | points
    first = key[0] <= key[1]
    receives = np.stack((first, ~first)) & (pair.lengths.max(axis=0) >= 4)
    if pair.intended:
        receives &= pair.combined >= 7

    # One for each honour, at most two, and what the correction of short honours took away.
    value = (np.minimum(top5, 2) + correction) * receives

    # The sum of the two largest of four values.
    high, low = np.maximum(value[:, :2], value[:, 2:]), np.minimum(value[:, :2], value[:, 2:])
    best = np.maximum(high[:, 0], high[:, 1])
    second = np.maximum(np.minimum(high[:, 0], high[:, 1]), np.maximum(low[:, 0], low[:, 1]))
    return best + second


def zar(pair: TrumpPair) -> Values:
    """Return Zar points with those for a second fit, honours in a fit, and short suits."""
    basic = zarbasic(pair)
    value = basic.notrump

    # Fn: a second suit of eight cards counts 1, of nine or more 2.
    second = np.where(pair.is_trump, np.int16(0), pair.combined).max(axis=0)
    second_fit = (second >= 8).astype(np.int16) + (second >= 9)
    second_fit = np.stack((np.zeros_like(second_fit), second_fit))  # DealerV2 counts it for the second hand

    # Df with nine trumps or more: dummy's trumps over three and declarer's over five, each times the cards
    # that the shortest suit of the hand lacks of three.
    honours = _helpful_honours(pair)
    shortest = 3 - pair.shortest
    trumps, dummy = pair.trumps, pair.is_dummy
    long_fit = np.maximum(trumps - np.where(dummy, np.int16(3), np.int16(5)), 0) * shortest

    # Df with eight trumps: dummy's trumps minus its shortest suit, if they are three or more and the
    # difference is at least two. DealerV2 takes declarer's shortest suit.
    eight = np.maximum(trumps - (pair.shortest if pair.intended else pair.shortest[::-1]), 0)
    eight = eight * (dummy & (trumps >= 3) & (eight >= 2))
    ruffs = np.where(pair.fit >= 9, long_fit, eight * (pair.fit == 8))
    suit = value + second_fit + honours + ruffs
    parts = {
        "half_suit": _halve(pair, suit), "half_notrump": basic.parts["half_notrump"],
        "fn": second_fit, "hf": honours, "df": ruffs,
    }  # fmt: skip
    return Values(value, suit, parts)


_VARIANT = "coded"  # of the Four C's: honours and quality as in DealerV2


def _shortness_points(lengths: patterns.Lengths) -> int:
    """Return 300, 200, 100 for a void, singleton, doubleton; 100 less without void and singleton."""
    points = 100 * patterns.short_points(lengths)
    return points - 100 * (lengths[3] == 2)


def knr(pair: TrumpPair) -> Values:
    """Return the Four C's with more points for shortness with a fit."""
    # The Four C's of each hand (Kaplan and Rubens, 1982).
    honours = pair.sum_table(four_cs.honour_strength(_VARIANT))
    quality = pair.sum_table(four_cs.quality(_VARIANT))
    short = pair.apply_rule(_shortness_points)
    total = np.maximum(honours + quality + short - 50 * pair.is_4333, 0)

    # Quarters of the points for shortness that dummy and declarer add with 8, 9, 10 or more trumps.
    over_seven = np.clip(pair.fit - 7, 0, 3)
    for_dummy = np.array([0, 2, 4, 4], np.int16).take(over_seven) * pair.is_dummy
    for_declarer = np.array([0, 1, 2, 4], np.int16).take(over_seven) * pair.declares
    dummy, declarer = short // 4 * for_dummy, short // 4 * for_declarer

    # Without a fit shortness counts nothing if a suit is short opposite five cards or more.
    misfit = short * (pair.has_misfit(5) & ~pair.has_fit)
    if pair.intended:
        # With a 5-2 fit only the void or singleton opposite the long suit counts nothing.
        opposite = pair.short_opposite(5) & (pair.lengths < 2)
        part = (100 * (3 - pair.lengths) * opposite).sum(axis=1, dtype=np.int16)
        misfit = np.where((pair.trump >= 0) & ~pair.has_fit, np.minimum(part, short), misfit)
    final = np.maximum(total + dummy + declarer - misfit, 0)
    parts = {
        "raw_suit": final, "raw_notrump": total, "honours": honours, "short": short, "quality": quality,
        "total": total, "df": dummy, "fn": declarer, "misfit": -misfit, "body": pair.body,
    }  # fmt: skip
    notrump, suit = (honour_tables.round_by_body(value, pair.body) for value in (total, final))
    return Values(notrump, suit, parts)


_PETKOV = "Z. Petkov, Zar Points: Aggressive Bidding Hand Evaluation, 2003"
METRICS = (
    Metric(
        "knr", 7, knr, high=90, triples=("raw_suit", "raw_notrump"), hundredths=True, has_trump=False,
        groups=(("honours", "short", "quality", "total", "df", "fn", "misfit", "body"),),
        summary="Four C's of both hands, more points for shortness with a fit",
        source="E. Kaplan and J. Rubens, The Bridge World, October 1982; the fit by JGM, DealerV2 4.3",
    ),
    Metric(
        "zarbasic", 12, zarbasic, high=110, triples=HALVES, unit="Zar points",
        groups=(("adjustment", "controls", "distribution", "synergy", "body"),),
        summary="Zar points of the hands alone: points, controls, two longest suits, longest minus shortest",
        source=f"{_PETKOV}; short honours by JGM, DealerV2 4.3",
    ),
    Metric(
        "zar", 13, zar, high=130, triples=HALVES, unit="Zar points",
        alone_by_default=True, groups=(("fn", "hf", "df"),),
        summary="Zar points with the fit: basic points, second suit, honours in partner's suits, shortness",
        source=f"{_PETKOV}; as computed by JGM, DealerV2 4.3",
    ),
)  # fmt: skip
