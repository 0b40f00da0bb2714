"""Karpin and Larsson, each in the author's and in JGM's form: counts of a partnership."""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators import factors, holdings
from dealerkit.evaluators.pairs.bergen_dkp import single_shortness
from dealerkit.evaluators.pairs.metrics import Metric, Values
from dealerkit.evaluators.pairs.pair import Pair

JGM_POINTS = (425, 300, 175, 75, 25)  # A K Q J T in hundredths


def _short_suits(pair: Pair, enough: int) -> np.ndarray:
    """2 1 0 for a void, singleton, doubleton with `enough` trumps, 3 2 1 with more."""
    shorter = 2 * pair.voids + pair.singletons
    return np.where(pair.trumps == enough, shorter, pair.shortness) * (pair.trumps >= enough)


def karpin(pair: Pair) -> Values:
    """Karpin's count of length, and shortness where there is a fit."""
    adjustment = pair.total(factors.short_honours("karpin")) // 100
    notrump = pair.hcp + adjustment + pair.long_cards
    dummy, declarer = (
        _short_suits(pair, 3) * pair.counts_shortness,
        _short_suits(pair, 5) * pair.counts_length,
    )
    parts = {"adjustment": adjustment, "length": pair.long_cards, "df": dummy, "fn": declarer}
    return Values(notrump, notrump + dummy + declarer, parts)


@cache
def _jgm_honours(count: str) -> np.ndarray:
    return holdings.frozen(holdings.points(JGM_POINTS) + factors.short_honours(count))


def karpb(pair: Pair) -> Values:
    """Karpin's count with quarter points for honours."""
    honours = pair.total(_jgm_honours("karpb"))
    notrump = factors.round_by_body(honours, pair.body) + pair.long_cards
    dummy, declarer = (
        _short_suits(pair, 3) * pair.counts_shortness,
        _short_suits(pair, 5) * pair.counts_length,
    )
    raw = honours + 100 * pair.long_cards
    parts = {
        "raw_suit": raw + 100 * (dummy + declarer), "raw_notrump": raw,
        "adjustment": factors.round_half_away(pair.total(factors.short_honours("karpb"))),
        "length": pair.long_cards, "df": dummy, "fn": declarer,
    }  # fmt: skip
    return Values(notrump, notrump + dummy + declarer, parts)


def _length_over_five(lengths: tuple[int, ...]) -> int:
    return sum(min(3, max(0, cards - 5)) for cards in lengths)


@cache
def _synergy_suits() -> np.ndarray:
    """1 for three cards or more with the ace or king and another of A K Q J."""
    two = (holdings.points((1, 1, 1, 1)) >= 2) & (holdings.points((1, 1)) >= 1)
    return holdings.frozen((holdings.length() >= 3) & two)


def _larsson_parts(pair: Pair) -> dict[str, np.ndarray]:
    """What both forms of the count share."""
    tens, nines = pair.total(holdings.has("T")), pair.total(holdings.has("9"))
    if not pair.intended:  # the program adds the nines of the first hand to those of the second
        nines = np.stack((nines[0], nines[0] + nines[1]))
    suits = pair.total(_synergy_suits())
    return {
        "length": pair.shape(factors.of_lengths(_length_over_five)),
        "body": ((tens >= 2) | (tens == 1) & (nines >= 2)).astype(np.int16),
        "synergy": np.array([0, 0, 1, 2, 2], np.int16).take(suits),
        "df": single_shortness(pair) * (pair.counts_shortness & (pair.fit >= 9)),
    }


def larsson(pair: Pair) -> Values:
    """Larsson's count: points, intermediates, honours together, and length over five."""
    adjustment = pair.total(factors.short_honours("larsson")) // 100
    parts = {"adjustment": adjustment, **_larsson_parts(pair)}
    notrump = pair.hcp + adjustment + parts["length"] + parts["body"] + parts["synergy"]
    return Values(notrump, notrump + parts["df"], parts)


@cache
def _larb_honours() -> np.ndarray:
    """Quarter points for honours, in three cards and more with what backs them, in hundredths."""
    ace, king, queen, jack, ten = holdings.honours()
    backed = (
        50 * (queen & (ace | king)) + 25 * (jack & (queen | ten)) + 25 * (ten & (jack | holdings.has("9")))
    )
    return holdings.frozen(_jgm_honours("larb") + backed * (holdings.length() >= 3))


def larb(pair: Pair) -> Values:
    """Larsson's count with quarter points for honours."""
    honours = pair.total(_larb_honours())
    parts = _larsson_parts(pair)
    extra = parts["synergy"] + parts["length"]
    notrump = factors.round_by_body(honours, pair.body) + extra
    raw = honours + 100 * extra
    parts |= {
        "raw_suit": raw + 100 * parts["df"], "raw_notrump": raw,
        "adjustment": factors.round_by_body(pair.total(factors.short_honours("larb")), pair.body),
    }  # fmt: skip
    return Values(notrump, notrump + parts["df"], parts)


_RAW = ("raw_suit", "raw_notrump")
METRICS = (
    Metric(
        "karpin", 5, karpin, high=70,
        groups=(("adjustment", "length", "df", "fn"),),
        summary="Karpin's count: points and cards over four, shortness where there is a fit",
        source="F. L. Karpin, the Karpin point count",
    ),
    Metric(
        "karpb", 6, karpb, high=70, triples=_RAW,
        groups=(("adjustment", "length", "df", "fn"),),
        summary="Karpin's count with quarter points for honours",
        source="JGM, DealerV2 4.3, after F. L. Karpin",
    ),
    Metric(
        "larsson", 8, larsson, high=70,
        groups=(("adjustment", "length", "body", "synergy", "df"),),
        summary="Larsson's count: points, tens and nines, honours together, length over five",
        source="J. E. Larsson, Good, Better, Best",
    ),
    Metric(
        "larb", 9, larb, high=70, triples=_RAW,
        groups=(("adjustment", "length", "body", "synergy", "df"),),
        summary="Larsson's count with quarter points for honours",
        source="JGM, DealerV2 4.3, after J. E. Larsson",
    ),
)  # fmt: skip
