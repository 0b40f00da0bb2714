"""Karpin and Larsson, each as published and in JGM's variation: point counts of a side."""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators import holdings, honour_tables, patterns
from dealerkit.evaluators.pairs.metric import Metric, Values
from dealerkit.evaluators.pairs.trump_pair import TrumpPair

JGM_POINTS = (425, 300, 175, 75, 25)  # A K Q J T in hundredths


def _short_suit_points(pair: TrumpPair) -> tuple[np.ndarray, np.ndarray]:
    """Return points of dummy and of declarer for short suits: [2, n] each.

    A void, singleton and doubleton count 2 1 0 with three trumps (declarer: five), and 3 2 1 with more.
    """
    fewer = 2 * pair.voids + pair.singletons
    dummy, declarer = (
        np.where(pair.trumps == trumps, fewer, pair.shortness) * (pair.trumps >= trumps) for trumps in (3, 5)
    )
    return dummy * pair.counts_shortness, declarer * pair.counts_length


def karpin(pair: TrumpPair) -> Values:
    """Return Karpin's points for honours and length, and for shortness with a fit."""
    adjustment = pair.short_honours("karpin")
    notrump = pair.hcp + adjustment + pair.long_cards
    dummy, declarer = _short_suit_points(pair)
    parts = {"adjustment": adjustment, "length": pair.long_cards, "df": dummy, "fn": declarer}
    return Values(notrump, notrump + dummy + declarer, parts)


@cache
def _jgm_honours(name: str) -> np.ndarray:
    """Return JGM's points for honours with the corrections of a point count: hundredths, int16 [8192]."""
    return holdings.freeze(holdings.points(JGM_POINTS) + honour_tables.short_honours(name))


def karpb(pair: TrumpPair) -> Values:
    """Return Karpin's count with quarter points for honours."""
    honours = pair.sum_table(_jgm_honours("karpb"))
    notrump = honour_tables.round_by_body(honours, pair.body) + pair.long_cards
    dummy, declarer = _short_suit_points(pair)
    raw = honours + 100 * pair.long_cards
    parts = {
        "raw_suit": raw + 100 * (dummy + declarer), "raw_notrump": raw,
        "adjustment": honour_tables.round_half_away(pair.sum_table(honour_tables.short_honours("karpb"))),
        "length": pair.long_cards, "df": dummy, "fn": declarer,
    }  # fmt: skip
    return Values(notrump, notrump + dummy + declarer, parts)


def _length_points(lengths: patterns.Lengths) -> int:
    """Return the cards over five in a suit, at most 3 for each suit."""
    return sum(min(3, max(0, cards - 5)) for cards in lengths)


@cache
def _synergy_suits() -> np.ndarray:
    """Return 1 for three cards or more with the ace or king and another of A K Q J: int16 [8192]."""
    two_honours = (holdings.points((1, 1, 1, 1)) >= 2) & (holdings.points((1, 1)) >= 1)
    return holdings.freeze((holdings.length() >= 3) & two_honours)


def _larsson_parts(pair: TrumpPair) -> dict[str, np.ndarray]:
    """Return the components that both counts of Larsson share."""
    tens, nines = pair.sum_table(holdings.has_rank("T")), pair.sum_table(holdings.has_rank("9"))
    if not pair.intended:  # the program adds the nines of the first hand to those of the second
        nines = np.stack((nines[0], nines[0] + nines[1]))
    suits = pair.sum_table(_synergy_suits())
    return {
        "length": pair.apply_rule(_length_points),
        "body": ((tens >= 2) | (tens == 1) & (nines >= 2)).astype(np.int16),
        "synergy": np.array([0, 0, 1, 2, 2], np.int16).take(suits),
        "df": pair.ruffing_points * (pair.counts_shortness & (pair.fit >= 9)),
    }


def larsson(pair: TrumpPair) -> Values:
    """Return Larsson's points for honours, intermediates, honour combinations, and length over five."""
    adjustment = pair.short_honours("larsson")
    parts = {"adjustment": adjustment, **_larsson_parts(pair)}
    notrump = pair.hcp + adjustment + parts["length"] + parts["body"] + parts["synergy"]
    return Values(notrump, notrump + parts["df"], parts)


@cache
def _larb_honours() -> np.ndarray:
    """Return JGM's points for honours, more for supported ones in three cards: hundredths, int16 [8192]."""
    ace, king, queen, jack, ten = holdings.has_honours()
    nine = holdings.has_rank("9")
    backed = 50 * (queen & (ace | king)) + 25 * (jack & (queen | ten)) + 25 * (ten & (jack | nine))
    return holdings.freeze(_jgm_honours("larb") + backed * (holdings.length() >= 3))


def larb(pair: TrumpPair) -> Values:
    """Return Larsson's count with quarter points for honours."""
    honours = pair.sum_table(_larb_honours())
    parts = _larsson_parts(pair)
    extra = parts["synergy"] + parts["length"]
    notrump = honour_tables.round_by_body(honours, pair.body) + extra
    raw = honours + 100 * extra
    short = pair.sum_table(honour_tables.short_honours("larb"))
    parts |= {
        "raw_suit": raw + 100 * parts["df"], "raw_notrump": raw,
        "adjustment": honour_tables.round_by_body(short, pair.body),
    }  # fmt: skip
    return Values(notrump, notrump + parts["df"], parts)


_RAW = ("raw_suit", "raw_notrump")
METRICS = (
    Metric(
        "karpin", 5, karpin, high=70,
        groups=(("adjustment", "length", "df", "fn"),),
        summary="Karpin's count: points and cards over four, shortness with a fit",
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
        summary="Larsson's count: points, tens and nines, honour combinations, length over five",
        source="J. E. Larsson, Good, Better, Best",
    ),
    Metric(
        "larb", 9, larb, high=70, triples=_RAW,
        groups=(("adjustment", "length", "body", "synergy", "df"),),
        summary="Larsson's count with quarter points for honours",
        source="JGM, DealerV2 4.3, after J. E. Larsson",
    ),
)  # fmt: skip
