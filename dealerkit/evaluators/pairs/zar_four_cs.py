"""Zar points, basic and with the fit, and the Four C's with the fit: counts of a partnership."""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators import factors, four_cs, holdings
from dealerkit.evaluators.pairs.metrics import Metric, Values
from dealerkit.evaluators.pairs.pair import Pair


def _spread(lengths: tuple[int, ...]) -> int:
    """The two longest suits and the longest less the shortest."""
    return 2 * lengths[0] + lengths[1] - lengths[3]


@cache
def _has_honour() -> np.ndarray:
    """1 for a suit with one of A K Q J."""
    return holdings.frozen(holdings.points((1, 1, 1, 1)) > 0)


def zar_parts(pair: Pair) -> dict[str, np.ndarray]:
    """The components of basic Zar points; their sum with the points is the hand's value."""
    adjustment = pair.total(factors.short_honours("zar")) // 100
    controls = pair.total(holdings.points((2, 1)))
    spread = pair.shape(factors.of_lengths(_spread))
    suits = pair.total(_has_honour())
    hcp = pair.hcp
    together = (hcp >= 11) & (hcp <= 14) & (suits <= 2) | (hcp >= 14) & (suits <= 3)
    value = hcp + adjustment + controls + spread + together
    spades = (value == 25) & (pair.lengths[:, 0] >= 4)
    return {
        "adjustment": adjustment,
        "controls": controls,
        "distribution": spread,
        "synergy": together.astype(np.int16) + spades,
        "body": pair.body,
    }


def _halves(pair: Pair, value: np.ndarray) -> np.ndarray:
    """Zar points as points of the usual scale, rounded by the body."""
    return factors.round_by_body(50 * value, pair.body)


def zarbasic(pair: Pair) -> Values:
    """Zar points of each hand alone."""
    parts = zar_parts(pair)
    value = pair.hcp + sum(parts[name] for name in ("adjustment", "controls", "distribution", "synergy"))
    half = _halves(pair, value)
    return Values(value, value, parts | {"half_suit": half, "half_notrump": half})


def _helpful_honours(pair: Pair) -> np.ndarray:
    """Honours in partner's four-card suits, the best two suits of each hand: [2, n]."""
    top5 = pair.each(holdings.points((1, 1, 1, 1, 1)))
    refund = pair.each(factors.short_honours("zar")) // -100
    points = pair.suit_hcp
    # The receiver is the shorter hand, then the one with fewer honours, then with fewer points.
    key = pair.lengths << 8 | top5 << 4 | points
    first = key[0] <= key[1]
    receives = np.stack((first, ~first)) & (pair.lengths.max(axis=0) >= 4)
    if pair.intended:
        receives &= pair.combined >= 7
    value = (np.minimum(top5, 2) + refund) * receives
    high, low = np.maximum(value[:, :2], value[:, 2:]), np.minimum(value[:, :2], value[:, 2:])
    best = np.maximum(high[:, 0], high[:, 1])
    second = np.maximum(np.minimum(high[:, 0], high[:, 1]), np.maximum(low[:, 0], low[:, 1]))
    return best + second


def zar(pair: Pair) -> Values:
    """Zar points with what the second suit, honours and short suits add."""
    basic = zarbasic(pair)
    value = basic.notrump
    second = np.where(pair.is_trump, np.int16(0), pair.combined).max(axis=0)
    second_fit = (second >= 8).astype(np.int16) + (second >= 9)
    second_fit = np.stack((np.zeros_like(second_fit), second_fit))  # the second hand has it, by decree

    honours = _helpful_honours(pair)
    shortest = 3 - pair.shortest
    trumps, dummy = pair.trumps, pair.is_dummy
    long_fit = np.maximum(trumps - np.where(dummy, np.int16(3), np.int16(5)), 0) * shortest
    eight = np.maximum(trumps - (pair.shortest if pair.intended else pair.shortest[::-1]), 0)
    eight = eight * (dummy & (trumps >= 3) & (eight >= 2))
    ruffs = np.where(pair.fit >= 9, long_fit, eight * (pair.fit == 8))
    suit = value + second_fit + honours + ruffs
    parts = {
        "half_suit": _halves(pair, suit), "half_notrump": basic.parts["half_notrump"],
        "fn": second_fit, "hf": honours, "df": ruffs,
    }  # fmt: skip
    return Values(value, suit, parts)


_VARIANT = "coded"  # of the Four C's: honours and quality as DealerV2 has them


def _short_suits(lengths: tuple[int, ...]) -> int:
    """300, 200, 100 for void, singleton, doubleton; a doubleton less where that is all there is."""
    points = 100 * factors.short_points(lengths)
    return points - 100 * (lengths[3] == 2)


def knr(pair: Pair) -> Values:
    """The Four C's with shortness raised by the fit."""
    honours = pair.total(four_cs.honour_strength(_VARIANT))
    quality = pair.total(four_cs.quality(_VARIANT))
    short = pair.shape(factors.of_lengths(_short_suits))
    total = np.maximum(honours + quality + short - 50 * pair.square, 0)
    # A quarter of the shortness, so many times: dummy and declarer with 8, 9, 10 or more trumps.
    place = np.clip(pair.fit - 7, 0, 3)
    for_dummy = np.array([0, 2, 4, 4], np.int16).take(place) * pair.is_dummy
    for_declarer = np.array([0, 1, 2, 4], np.int16).take(place) * pair.declares
    dummy, declarer = short // 4 * for_dummy, short // 4 * for_declarer
    lost = short * (pair.misfit(5) & ~pair.has_fit)
    if pair.intended:
        # With a 5-2 fit only the void or singleton opposite the long suit is worth nothing.
        opposite = pair.short_opposite(5) & (pair.lengths < 2)
        part = (100 * (3 - pair.lengths) * opposite).sum(axis=1, dtype=np.int16)
        lost = np.where((pair.trump >= 0) & ~pair.has_fit, np.minimum(part, short), lost)
    final = np.maximum(total + dummy + declarer - lost, 0)
    parts = {
        "raw_suit": final, "raw_notrump": total, "honours": honours, "short": short, "quality": quality,
        "total": total, "df": dummy, "fn": declarer, "misfit": -lost, "body": pair.body,
    }  # fmt: skip
    notrump, suit = (factors.round_four_cs(value, pair.body) for value in (total, final))
    return Values(notrump, suit, parts)


_PETKOV = "Z. Petkov, Zar Points: Aggressive Bidding Hand Evaluation, 2003"
METRICS = (
    Metric(
        "knr", 7, knr, high=90, triples=("raw_suit", "raw_notrump"), hundredths=True, has_trump=False,
        groups=(("honours", "short", "quality", "total", "df", "fn", "misfit", "body"),),
        summary="Four C's of both hands, shortness raised by the fit",
        source="E. Kaplan and J. Rubens, The Bridge World, October 1982; the fit by JGM, DealerV2 4.3",
    ),
    Metric(
        "zarbasic", 12, zarbasic, high=110, triples=("half_suit", "half_notrump"), unit="Zar points",
        groups=(("adjustment", "controls", "distribution", "synergy", "body"),),
        summary="Zar points of the hands alone: points, controls, two longest suits, longest less shortest",
        source=f"{_PETKOV}; short honours by JGM, DealerV2 4.3",
    ),
    Metric(
        "zar", 13, zar, high=130, triples=("half_suit", "half_notrump"), unit="Zar points",
        groups=(("fn", "hf", "df"),),
        summary="Zar points with the fit: basic points, second suit, honours in partner's suits, shortness",
        source=f"{_PETKOV}; as computed by JGM, DealerV2 4.3",
    ),
)  # fmt: skip
