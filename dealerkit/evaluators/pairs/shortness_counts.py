"""Point counts of a side that value short suits, with or without a fit: Goren, Pavlicek, Sheinwold, Roth.

Each count is a function of a `TrumpPair`. With a fit of eight cards or more, dummy counts its short suits
again with other values, and declarer counts long trumps. The corrections for short honours are in
`honour_tables.SHORT_HONOURS`. Details follow JGM's DealerV2 4.3.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from dealerkit.evaluators import holdings, honour_tables
from dealerkit.evaluators.pairs.metric import Metric, Values
from dealerkit.evaluators.pairs.pair import Hands, TrumpPair


# ------------------------------------------------------------ Goren
def _correct_for_aces(hands: Hands, points: np.ndarray) -> np.ndarray:
    """Return 1 for all four aces, and -1 for a hand of more than 10 points without an ace."""
    return (hands.aces == 4).astype(np.int16) - ((hands.aces == 0) & (points > 10))


def goren_opening(hands: Hands) -> np.ndarray:
    """Return Goren's points of each hand: honours, aces, and shortness 3 2 1."""
    points = hands.adjusted_points("goren")
    return np.maximum(points + _correct_for_aces(hands, points) + hands.shortness, 0)


def goren(pair: TrumpPair) -> Values:
    """Return Goren's points for honours and shortness with the corrections for a fit."""
    # Honours and aces; DealerV2 forgets the deduction for no ace. Notrump deducts a point for 4333.
    points = pair.adjusted_points("goren")
    aces = _correct_for_aces(pair, points)
    if not pair.intended:
        aces = np.maximum(aces, 0)
    notrump = np.maximum(points + aces - pair.is_4333, 0)

    # Shortness 3 2 1 counts unless there is no fit and a suit is short opposite four cards or more.
    shortness = pair.shortness * (pair.has_fit | ~pair.has_misfit(4))

    # Dummy: with three trumps a point for a void; with four or more 2 for each void and 1 for each singleton.
    # One to three points in trumps are worth one more, and here 4333 is deducted too.
    dummy = pair.is_fit_dummy
    ruffs = np.where(pair.trumps == 3, np.minimum(pair.voids, 1), 2 * pair.voids + pair.singletons)
    ruffs = ruffs * (dummy & (pair.trumps >= 3))
    trump_points = pair.take_trumps(holdings.points((4, 3, 2, 1)))
    helpful = ((trump_points >= 1) & (trump_points <= 3) & dummy).astype(np.int16)
    flat = pair.is_4333 * dummy

    # Declarer: 1 for the fifth trump, 2 for each further one.
    length = pair.long_trumps * pair.is_fit_declarer
    parts = {
        "adjustment": points - pair.hcp, "aces": aces, "shortness": pair.shortness,
        "df": ruffs, "fn": length, "hf": helpful, "square": -pair.is_4333 * ~pair.is_fit_declarer,
    }  # fmt: skip
    return Values(notrump, np.maximum(points + aces + shortness + ruffs + length + helpful - flat, 0), parts)


# ------------------------------------------------------------ Pavlicek
def _side_suit_points(pair: TrumpPair) -> np.ndarray:
    """Return points for declarer's side suits: [2, n].

    Each card over three counts a point. With four trumps each side suit counts one point less.
    """
    over_three = np.maximum(pair.lengths - 3, 0) * ~pair.is_trump
    total = over_three.sum(axis=1, dtype=np.int16)
    if pair.intended:
        less = np.maximum(over_three - 1, 0).sum(axis=1, dtype=np.int16)
    else:  # the program subtracts one from its running total at every suit, clubs first, and once more
        less = np.zeros_like(total)
        for suit in (3, 2, 1, 0):
            less = np.maximum(less + over_three[:, suit] - 1, 0)
        less = np.maximum(less - 1, 0)
    return np.where(pair.trumps == 4, less, total)


def _count_aces_and_tens(hands: Hands) -> np.ndarray:
    """Return a point for four or more aces and tens together, two points for eight."""
    return hands.sum_table(holdings.points((1, 0, 0, 0, 1))) // 4


def pavlicek_opening(hands: Hands) -> np.ndarray:
    """Return Pavlicek's points of each hand: honours, aces with tens, and shortness 3 2 1.

    In a short suit with an honour that may be wasted, points or shortness count, whichever are more: the
    correction of its honours is the smaller of both.
    """
    start = np.maximum(hands.adjusted_points("pavlicek") + _count_aces_and_tens(hands), 0)
    return start + hands.shortness


def pavlicek(pair: TrumpPair) -> Values:
    """Return Pavlicek's points for honours, tens and shortness with the corrections for a fit."""
    # Honours, aces and tens.
    adjusted, body = pair.adjusted_points("pavlicek"), _count_aces_and_tens(pair)
    start = np.maximum(adjusted + body, 0)

    # Length, in notrump only: the weaker hand counts a point if it has a suit of five cards or more.
    first_is_weaker = pair.hcp[0] <= pair.hcp[1]
    weaker = np.stack((first_is_weaker, ~first_is_weaker))
    length = (weaker & (pair.long_cards > 0)).astype(np.int16)

    # Shortness 3 2 1; without a fit, a void or singleton opposite four cards or more counts nothing.
    short = pair.short_opposite(4) & ~pair.has_fit
    points = np.maximum(3 - pair.lengths, 0) * (short & (pair.lengths < 2))
    shortness = np.maximum(pair.shortness - points.sum(axis=1, dtype=np.int16), 0)

    # Dummy: with four trumps 2 for each void and 1 for each singleton; with fewer, 4333 without an ace
    # deducts a point.
    dummy = pair.is_fit_dummy
    ruffs = (2 * pair.voids + pair.singletons) * (dummy & (pair.trumps >= 4))
    flat = pair.is_4333 * (dummy & (pair.aces == 0) & (pair.trumps < 4))

    # Declarer: 2 for each trump over five, 1 for a fit of nine, and long side suits.
    length_points = 2 * np.maximum(pair.trumps - 5, 0) + (pair.fit >= 9) + _side_suit_points(pair)
    declarer = length_points * pair.is_fit_declarer
    parts = {
        "adjustment": adjusted - pair.hcp, "body": body, "length": length, "fn": declarer,
        "shortness": pair.shortness, "df": ruffs, "square": -flat,
    }  # fmt: skip
    return Values(start + length, start + shortness + ruffs - flat + declarer, parts)


# ------------------------------------------------------------ Sheinwold
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
    # Honours 4 3 2 1, less for short honours, and half a point less for a queen or jack alone in a suit of
    # three cards or more, unless the side has eight cards of the suit.
    adjustment = (pair.take_suits(_unsupported()) * (pair.combined < 8)).sum(axis=1, dtype=np.int16)
    adjustment += pair.sum_table(honour_tables.short_honours("sheinwold"))
    points = 100 * pair.hcp + adjustment

    # Aces: three or four count a point more; a hand worth 11 or more without an ace counts a point less.
    aces = (pair.aces >= 3).astype(np.int16) - ((pair.aces == 0) & (points >= 1100))
    start = np.maximum(honour_tables.round_half_away(points) + aces, 0)

    # Dummy's short suits (Df) replace shortness 3 2 1: a void, singleton and doubleton count 5 3 1 with four
    # trumps, each of them a point less with three, and nothing with fewer. Trumps are then never short.
    dummy, first_declares = pair.is_fit_dummy, pair.declares[0]
    shorts = pair.voids + pair.singletons + pair.doubletons
    ruffs = 5 * pair.voids + 3 * pair.singletons + pair.doubletons - shorts * (pair.trumps == 3)
    ruffs = ruffs * (dummy & (pair.trumps >= 3))

    # Honours in the fit (Hf), all counted by dummy: 1 for each hand whose trumps have at most three points
    # with the queen or jack, and 1 for dummy's queen without ace and king in a side suit of two cards or
    # more, opposite four or more of declarer's.
    is_side_suit = ~pair.is_trump
    declarer_length = np.where(first_declares, *pair.lengths)
    dummy_length = np.where(first_declares, *pair.lengths[::-1])
    queens = np.where(first_declares, *pair.take_suits(_backing_queen())[::-1])
    backing = queens * ((declarer_length >= 4) & is_side_suit)
    soft = pair.take_trumps(_soft_trumps()).sum(axis=0, dtype=np.int16)
    helpful = (soft + backing.sum(axis=0, dtype=np.int16)) * dummy

    # Declarer's length (Fn): 1 for the fifth trump and 2 for each further one; 1 for a side suit of five
    # cards headed by AKQJ; and for a side suit of five opposite three or more, 1 + 2 (length - 5).
    solid = np.where(first_declares, *pair.take_suits(_solid_five())) * is_side_suit
    supported = (declarer_length >= 5) & (dummy_length >= 3) & is_side_suit
    tricks = ((2 * declarer_length - 9) * supported).sum(axis=0, dtype=np.int16)
    length = (pair.long_trumps + solid.sum(axis=0, dtype=np.int16) + tricks) * pair.is_fit_declarer
    parts = {
        "adjustment": honour_tables.round_half_away(adjustment), "aces": aces, "hf": helpful, "fn": length,
        "shortness": pair.shortness, "df": ruffs, "quicktricks": pair.sum_table(honour_tables.quick_tricks()),
    }  # fmt: skip

    # Hf and Fn count in notrump too, shortness only with trumps.
    suit = start + np.where(dummy, ruffs, pair.shortness) + helpful + length
    return Values(start + helpful + length, suit, parts)


# ------------------------------------------------------------ Roth
NONE, WEAK_MAJOR, GOOD, RELIABLE, SOLID = range(5)  # Roth's types of a long suit


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

    # Honours of A K Q, A K Q J and A K Q J T that a suit of five, six, and seven cards or more needs for
    # its type.
    weak = WEAK_MAJOR if major else NONE
    five = np.where(top3 >= 2, GOOD, NONE)
    six = np.select([top5 >= 4, top4 >= 3, top3 >= 2], [SOLID, RELIABLE, GOOD], weak)
    seven = np.select([(top4 >= 3) | ace & king & ten, top3 >= 2], [SOLID, RELIABLE], weak)

    # Six cards headed by KQT9 or AJT9 or better, and seven by AJT, are reliable too.
    if variant == "intended":
        tops = (king & queen) | (ace & (king | queen | jack))
        intermediates = ten & (holdings.has_rank("9") == 1)
        six = np.where(tops & intermediates, np.maximum(six, RELIABLE), six)
        seven = np.where(ace & jack & ten, np.maximum(seven, RELIABLE), seven)
    return holdings.freeze(np.select([cards >= 7, cards == 6, cards == 5], [seven, six, five], NONE))


@cache
def _roth_suit(major: bool, variant: str) -> np.ndarray:
    """Return the type of a suit in bits 0 to 2, its length points in 3 and 4, those in notrump in 5 and 6.

    Six cards count 1 and seven or more 2: with trumps from WEAK_MAJOR on, in notrump from GOOD on.
    """
    suit_type, cards = _suit_type(major, variant), holdings.length()
    points = np.where(cards >= 7, 2, 1 * (cards == 6))
    return holdings.freeze(
        suit_type | points * (suit_type >= WEAK_MAJOR) << 3 | points * (suit_type >= GOOD) << 5
    )


def roth(pair: TrumpPair) -> Values:
    """Return Roth's points for honours, for long suits by type, and for shortness with a fit."""
    # The best type of a hand's suits, and the length points of its best single suit. The points in notrump
    # have the highest bits, so that they need no mask.
    majors, minors = (_roth_suit(major, pair.variant) for major in (True, False))
    suits = np.concatenate((majors.take(pair.holdings[:, :2]), minors.take(pair.holdings[:, 2:])), axis=1)
    types = suits & 7
    best_type, length = types.max(axis=1), (suits & 24).max(axis=1) >> 3
    length_notrump = suits.max(axis=1) >> 5

    # Honours: four aces count a point more; only the count with trumps corrects short honours.
    adjustment = pair.short_honours("roth")
    aces = (pair.aces == 4).astype(np.int16)

    # Notrump: length counts twice with a solid suit; without length points, a good suit of five opposite two
    # cards or more counts 1.
    good_five = (types == GOOD) & (pair.lengths == 5) & (pair.lengths[::-1] >= 2)
    five = ((length_notrump == 0) & (best_type >= GOOD) & good_five.any(axis=1)).astype(np.int16)
    solid = best_type == SOLID
    notrump = pair.hcp + aces + length_notrump + np.where(solid, length_notrump, five)

    # The hand with the only solid suit declares; DealerV2 ignores this.
    declares = pair.declares
    if pair.intended:
        partner_solid = solid[::-1] & ~solid
        declares = declares & ~partner_solid | partner_solid[::-1]
    dummy = declares[::-1]

    # Dummy's shortness (Df): 3 2 1 with three trumps; with four 1 more for each void and singleton and 1 for
    # doubletons; with five 2 more for each void and singleton. DealerV2 forgets these for six trumps.
    trumps = pair.trumps
    shorts = pair.voids + pair.singletons
    ruffing = np.where(trumps == 4, shorts, 2 * shorts) * ((trumps == 4) | (trumps == 5) | pair.intended)
    extra = (ruffing + (pair.doubletons > 0)) * (trumps >= 4)
    ruffs = (pair.shortness + extra) * ((trumps >= 3) & pair.has_fit)

    # Declarer's trumps (Fn): 1 for each over four if the suit is at least a WEAK_MAJOR.
    trump_type = (types * pair.is_trump).sum(axis=1, dtype=np.int16)
    long_trump = np.maximum(trumps - 4, 0) * (pair.has_fit & (trump_type >= WEAK_MAJOR) & declares)

    # Declarer counts length twice and shortness with a solid suit; else length, Fn, and shortness if there
    # is a fit or a reliable suit.
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
        "goren", 3, goren, high=80,
        groups=(("adjustment", "aces", "shortness", "df", "fn", "hf", "square"),),
        summary="Goren's count: points, all the aces, shortness, and the fit",
        source="C. H. Goren, Point Count Bidding in Contract Bridge, 1949",
    ),
    Metric(
        "pavlicek", 10, pavlicek, high=80,
        groups=(("adjustment", "body", "length", "fn", "shortness", "df", "square"),),
        summary="Pavlicek's point count: points, aces and tens, shortness, and the fit",
        source="R. Pavlicek, Pavlicek Point Count",
    ),
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
