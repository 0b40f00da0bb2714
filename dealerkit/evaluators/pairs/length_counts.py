"""Point counts of a side that value long suits: Bergen, Bissell, Kleinman, Kaplan, Karpin and Larsson.

Each count is a function of a `TrumpPair`. Short suits count only with a fit of eight cards or more. The
corrections for short honours are in `honour_tables.SHORT_HONOURS`. Details follow JGM's DealerV2 4.3.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators import holdings, honour_tables, patterns
from dealerkit.evaluators.pairs.metric import Metric, Values
from dealerkit.evaluators.pairs.pair import Hands, TrumpPair

# ------------------------------------------------------------ Bergen
# Points by aces and tens minus queens and jacks, from -8 to 8: 1 from a difference of three, 2 from six.
_ADJUST_3 = np.array([-2] * 3 + [-1] * 3 + [0] * 5 + [1] * 3 + [2] * 3, np.int16)


@cache
def _quality_suits() -> np.ndarray:
    """Return 1 for a suit of four cards or more with three of A K Q J T, else 0: int16 [8192]."""
    return holdings.freeze((holdings.length() >= 4) & (holdings.points((1, 1, 1, 1, 1)) >= 3))


@cache
def _one_to_three_points() -> np.ndarray:
    """Return 1 for a suit with one to three points, else 0: int16 [8192]."""
    points = holdings.points((4, 3, 2, 1))
    return holdings.freeze((points >= 1) & (points <= 3))


def _add_bergen_parts(hands: Hands) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return the starting points of each hand, and the components of them that DealerV2 shows."""
    # Honours, a point for each suit of quality and for each card over four, Adjust-3, and one less for 4333.
    points = hands.adjusted_points("bergen")
    quality = hands.sum_table(_quality_suits())
    adjust3 = _ADJUST_3.take(hands.sum_table(holdings.points((1, 0, -1, -1, 1))) + 8)
    start = np.maximum(points + quality + hands.long_cards + adjust3 - hands.is_4333, 0)
    return start, {"length": hands.long_cards, "adjust3": adjust3, "quality": quality}


def bergen_opening(hands: Hands) -> np.ndarray:
    """Return Bergen's starting points of each hand."""
    return _add_bergen_parts(hands)[0]


def bergen(pair: TrumpPair) -> Values:
    """Return Bergen's starting points with the points for a fit."""
    # In notrump length counts nothing if a suit is short opposite four cards or more.
    start, alone = _add_bergen_parts(pair)
    notrump = np.where(pair.has_misfit(4), np.maximum(start - pair.long_cards, 0), start)

    # Honours in partner's suits (Hf): 1 for each suit with one to three points in a fit of eight, or of seven
    # with five of them in partner's hand; at most 2 for a hand.
    partner = pair.lengths[::-1]
    fitting = (pair.combined >= 8) | (partner >= 5) & (pair.combined >= 7)
    helpful = pair.take_suits(_one_to_three_points()) & fitting
    honours = np.minimum(helpful.sum(axis=1, dtype=np.int16), 2)

    # Dummy's short suits (Df), with three trumps or more: a void counts the number of trumps, a singleton 2
    # with three trumps and 3 with more, a doubleton 1.
    trumps = pair.trumps
    ruffs = pair.voids * trumps + pair.singletons * np.where(trumps == 3, np.int16(2), np.int16(3))
    dummy = (ruffs + pair.doubletons) * ((trumps > 2) & pair.counts_shortness)

    # Declarer (Fn): 1 for the fifth trump and 2 for each further one, a void 3, a singleton 2, and 1 for two
    # doubletons.
    short_suits = 3 * pair.voids + 2 * pair.singletons + (pair.doubletons >= 2)
    declarer = (pair.long_trumps + short_suits) * pair.counts_length
    parts = alone | {"df": dummy, "fn": declarer, "hf": honours, "square": -pair.is_4333}
    return Values(notrump, start + honours + dummy + declarer, parts)


# ------------------------------------------------------------ Bissell
@cache
def _bissell_suit() -> np.ndarray:
    """Return Bissell's points of a suit: int16 [8192]."""
    # An honour counts 3, and 1 less for each higher honour that is missing.
    score, missing = np.zeros(8192, np.int16), np.zeros(8192, np.int16)
    for rank in "AKQJT":
        score += holdings.has_rank(rank) * np.maximum(3 - missing, 0)
        missing += 1 - holdings.has_rank(rank)

    # Short honours cannot lose more than they count. Four cards count 1, each card over four 3; a suit counts
    # at most 3 for each of its cards.
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


# ------------------------------------------------------------ Kleinman's Little Jack Points
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
    # 1 each for the king with the ace, and for the queen and the jack with ace or king.
    supported = (king & ace) + (queen & (ace | king)) + (jack & (ace | king))
    # A ten counts 2 with two of A K Q J, or with one and the nine; 1 with one, or with the nine in three
    # cards.
    strong_ten = (top4 >= 2) | (top4 == 1) & (nine == 1)
    weak_ten = (top4 == 1) | (nine == 1) & (cards > 2)
    return holdings.freeze(supported + ten * np.where(strong_ten, 2, 1 * weak_ten))


@cache
def _jack_points() -> np.ndarray:
    """Return thirds of a point, A 13, K 9, Q 5, J 2, with adjustment and synergy: int16 [8192]."""
    return holdings.freeze(holdings.points((13, 9, 5, 2)) + _jack_adjustment() + _jack_synergy())


def _count_over_four(lengths: patterns.Lengths) -> int:
    """Return the cards over four in a suit, at most 3 for each suit."""
    return sum(min(3, max(0, cards - 4)) for cards in lengths)


def dkp(pair: TrumpPair) -> Values:
    """Return Kleinman's Little Jack Points."""
    # 4333 costs two thirds of a point. The sum is rounded to whole points; a third is never halfway.
    thirds = pair.sum_table(_jack_points()) - 2 * pair.is_4333
    length = pair.apply_rule(_count_over_four)
    points = np.maximum((2 * thirds + 3) // 6 + length, 0)

    # With a fit dummy counts its shortest suit, both hands if their trumps are equal.
    dummy = pair.ruffing_points * pair.counts_shortness
    parts = {
        "adjustment": pair.sum_table(_jack_adjustment()), "length": length,
        "synergy": pair.sum_table(_jack_synergy()), "square": -2 * pair.is_4333, "df": dummy,
    }  # fmt: skip
    return Values(points, points + dummy, parts)


# ------------------------------------------------------------ Kaplan
@cache
def _bare_soft_honours() -> np.ndarray:
    """Return 2 for a singleton queen and 1 for a singleton jack: int16 [8192]."""
    table = np.zeros(8192)
    table[[1 << 10, 1 << 9]] = 2, 1
    return holdings.freeze(table)


def kaplan(pair: TrumpPair) -> Values:
    """Return Kaplan's points for honours and length, and for shortness with a fit."""
    # A singleton queen or jack regains its points opposite four cards or more of the suit, in notrump too.
    adjustment = pair.short_honours("kaplan")
    helpful = (pair.take_suits(_bare_soft_honours()) * (pair.lengths[::-1] >= 4)).sum(axis=1, dtype=np.int16)
    notrump = pair.hcp + adjustment + pair.long_cards + helpful

    # With a fit, each hand of three trumps or more counts its short suits 3 2 1.
    dummy = pair.shortness * (pair.has_fit & (pair.trumps >= 3))
    parts = {"adjustment": adjustment, "length": pair.long_cards, "hf": helpful, "df": dummy}
    return Values(notrump, notrump + dummy, parts)


# ------------------------------------------------------------ Karpin, and JGM's variation of it
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


def karpin_opening(hands: Hands) -> np.ndarray:
    """Return Karpin's points of each hand for honours and for each card over four."""
    return hands.hcp + hands.short_honours("karpin") + hands.long_cards


def karpin(pair: TrumpPair) -> Values:
    """Return Karpin's points for honours and length, and for shortness with a fit."""
    notrump = karpin_opening(pair)
    dummy, declarer = _short_suit_points(pair)
    parts = {
        "adjustment": pair.short_honours("karpin"), "length": pair.long_cards, "df": dummy, "fn": declarer,
    }  # fmt: skip
    return Values(notrump, notrump + dummy + declarer, parts)


@cache
def _jgm_honours(name: str) -> np.ndarray:
    """Return JGM's points for honours with the corrections of a point count: hundredths, int16 [8192]."""
    return holdings.freeze(holdings.points(JGM_POINTS) + honour_tables.short_honours(name))


def karpb(pair: TrumpPair) -> Values:
    """Return Karpin's count with quarter points for honours."""
    # The points of honours are rounded by the body, before whole points for length and shortness are added.
    honours = pair.sum_table(_jgm_honours("karpb"))
    notrump = honour_tables.round_by_body(honours, pair.body) + pair.long_cards
    dummy, declarer = _short_suit_points(pair)

    # The same in hundredths, not rounded.
    raw = honours + 100 * pair.long_cards
    parts = {
        "raw_suit": raw + 100 * (dummy + declarer), "raw_notrump": raw,
        "adjustment": honour_tables.round_half_away(pair.sum_table(honour_tables.short_honours("karpb"))),
        "length": pair.long_cards, "df": dummy, "fn": declarer,
    }  # fmt: skip
    return Values(notrump, notrump + dummy + declarer, parts)


# ------------------------------------------------------------ Larsson, and JGM's variation of it
def _count_over_five(lengths: patterns.Lengths) -> int:
    """Return the cards over five in a suit, at most 3 for each suit."""
    return sum(min(3, max(0, cards - 5)) for cards in lengths)


@cache
def _synergy_suits() -> np.ndarray:
    """Return 1 for three cards or more with the ace or king and another of A K Q J: int16 [8192]."""
    two_honours = (holdings.points((1, 1, 1, 1)) >= 2) & (holdings.points((1, 1)) >= 1)
    return holdings.freeze((holdings.length() >= 3) & two_honours)


def _larsson_parts(pair: TrumpPair) -> dict[str, np.ndarray]:
    """Return the components that both counts of Larsson share.

    The body counts 1 for two tens, or for one ten and two nines. Suits with an honour combination count 1 if
    there are two of them and 2 if there are more. Dummy counts its shortest suit with a fit of nine cards.
    """
    tens, nines = pair.sum_table(holdings.has_rank("T")), pair.sum_table(holdings.has_rank("9"))
    if not pair.intended:  # the program adds the nines of the first hand to those of the second
        nines = np.stack((nines[0], nines[0] + nines[1]))
    suits = pair.sum_table(_synergy_suits())
    return {
        "length": pair.apply_rule(_count_over_five),
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
    # The queen with ace or king 0.5, the jack with queen or ten 0.25, the ten with jack or nine 0.25.
    backed = 50 * (queen & (ace | king)) + 25 * (jack & (queen | ten)) + 25 * (ten & (jack | nine))
    return holdings.freeze(_jgm_honours("larb") + backed * (holdings.length() >= 3))


def larb(pair: TrumpPair) -> Values:
    """Return Larsson's count with quarter points for honours."""
    # Honours are rounded by the body, whose point Larsson's count adds; JGM leaves it out.
    honours = pair.sum_table(_larb_honours())
    parts = _larsson_parts(pair)
    extra = parts["synergy"] + parts["length"]
    notrump = honour_tables.round_by_body(honours, pair.body) + extra

    # The same in hundredths, not rounded.
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
        "bergen", 0, bergen, high=90,
        groups=(("", "length", "adjust3", "quality", "", "df", "fn", "hf", "square"),),
        summary="Bergen's Adjust-3: honours, quality, length, and the fit",
        source="M. Bergen, Slam Bidding Made Easier, 2008; as computed by JGM, DealerV2 4.3",
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
    Metric(
        "kaplan", 4, kaplan, high=70,
        groups=(("adjustment", "length", "hf", "df"),),
        summary="Kaplan's count: points and cards over four, shortness of a hand with three trumps",
        source="E. Kaplan, Winning Contract Bridge Complete, 1964",
    ),
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
