"""Point counts of sides: examples worked by hand, the intended variants, and invariances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dealerkit import ArgumentError, evaluate, registry
from dealerkit.evaluators.pairs import METRICS, TrumpPair

NAMES = {metric.name: metric for metric in METRICS.values()}
SIDES = {  # first hand, second hand
    "E1": ("AKJT32.Q98.J98.9", "Q54.2.K6543.J432"),  # a 6-3 spade fit
    "E2": ("76.J743.A2.KQ765", "98.AKT65.QT7.AT8"),  # a 4-5 heart fit
    "E3": ("AJ73.2.KQ93.QJ42", "KQ84.3.AJ84.K983"),  # three 4-4 fits
    "E4": ("AQT94.KJ832.73.6", "J3.Q7.AKQ64.8742"),  # no fit
}
NT = 4

# Name: (side, hand or None for the sum, in notrump, in the best fit); None without a worked value.
WORKED = {
    "bergen": [
        ("E1", 0, 12, 20), ("E1", 1, 6, 11), ("E1", None, 18, 31), ("E3", None, 25, 33),
        ("E4", 0, 11, 13), ("E4", 1, 11, 14), ("E4", None, 22, 27),
    ],
    "bissell": [
        ("E1", 0, 17, 17), ("E1", 1, 7, 7), ("E2", 0, 11, 11), ("E2", 1, 14, 14), ("E3", 0, 12, 12),
    ],
    "dkp": [("E1", 0, 13, 13), ("E1", 1, 6, 8), ("E3", 0, 13, 16), ("E4", 1, 12, 12)],
    "goren": [
        ("E1", 0, 11, 16), ("E1", 1, 6, 9), ("E3", 0, 13, 15), ("E3", 1, 13, 16),
        ("E4", 0, None, 10), ("E4", 1, None, 10),
    ],
    "kaplan": [
        ("E1", 0, 13, 15), ("E1", 1, 7, 9), ("E2", 0, 11, 13), ("E2", 1, 14, 15), ("E4", 1, 13, 13),
    ],
    "karpin": [
        ("E1", 0, 13, 15), ("E1", 1, 7, 8), ("E2", 0, 11, 13), ("E2", 1, 14, 14), ("E4", 1, 11, 11),
    ],
    "karpb": [("E1", 0, 13, 15), ("E1", 1, 6, 7), ("E4", 1, 11, 11)],
    "knr": [
        ("E1", 0, 1485, 1585), ("E1", 1, 725, 925), ("E2", 0, 1070, 1170), ("E2", 1, 1520, 1520),
        ("E3", 0, 1465, 1515), ("E3", 1, 1565, 1665),
    ],
    "larsson": [("E1", 0, 13, 13), ("E1", 1, 6, 8), ("E3", 0, 14, 14), ("E4", 0, 11, 11)],
    "larb": [("E1", 0, 12, 12), ("E1", 1, 5, 7), ("E4", 0, 12, 12)],
    "pavlicek": [
        ("E1", 0, 11, 16), ("E1", 1, 7, 8), ("E2", 0, 11, 12), ("E2", 1, 14, 16), ("E4", 0, None, 11),
    ],
    "sheinwold": [
        ("E1", 0, 14, 16), ("E1", 1, 7, 9), ("E3", 0, 13, 15), ("E3", 1, 13, 16),
        ("E4", 0, 10, 13), ("E4", 1, 10, 12),
    ],
    "zarbasic": [
        ("E1", 0, 28, 28), ("E1", 1, 20, 20), ("E2", 0, 25, 25), ("E2", 1, 29, 29),
        ("E3", 0, 27, 27), ("E3", 1, 28, 28),
    ],
    "zar": [
        ("E1", 0, 28, 31), ("E1", 1, 20, 22), ("E2", 0, 25, 27), ("E2", 1, 29, 32),
        ("E3", 0, 27, 31), ("E3", 1, 28, 33),
    ],
    "roth": [
        ("E1", 0, 13, 15), ("E1", 1, 6, 8), ("E2", 0, 11, 13), ("E2", 1, 14, 15),
        ("E4", 0, 11, 10), ("E4", 1, 13, 10),
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def side_of(hand_of):
    return lambda first, second: tuple(hand_of(first, second)[:, None])


def test_all_metrics_have_examples():
    assert set(WORKED) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_worked_examples(name, side_of):
    for side, part, notrump, suit in WORKED[name]:
        for strain, expected in ((NT, notrump), (None, suit)):
            if expected is not None:
                values = NAMES[name](*side_of(*SIDES[side]), strain, part=part, variant="coded")
                assert values.tolist() == [expected], (side, part, strain)


# Values where DealerV2 differs from the authors: first, second hand; strain, part; coded, intended.
INTENDED = {
    # No ace in a hand of more than ten points.
    "goren": ("KQJ2.KQJ2.QJ2.32", "A43.A43.A43.A654", NT, 0, 15, 14),
    # Opposite four trumps to four a side suit of five counts one, not none.
    "pavlicek": ("AK32.AK432.432.2", "QJ54.65.65.76543", 0, 0, 16, 17),
    # One ten and one nine; the other nine is in partner's hand.
    "larsson": ("A932.K32.K32.432", "KT94.A43.A54.765", NT, 1, 12, 11),
    # KQT9xx is a reliable suit, so two doubletons count without a fit.
    "roth": ("KQT932.AK.543.32", "5.Q543.AJ32.J765", None, 0, 13, 15),
    # With eight trumps dummy's own void counts, not declarer's shortest suit.
    "zar": ("AKQ32.K32.A32.32", "654.Q654.K87654.-", 0, 1, 24, 27),
}


@pytest.mark.parametrize("name", INTENDED)
def test_intended_and_coded(name, side_of):
    first, second, strain, part, coded, intended = INTENDED[name]
    hands = side_of(first, second)
    assert NAMES[name](*hands, strain, part=part, variant="coded").tolist() == [coded]
    assert NAMES[name](*hands, strain, part=part, variant="intended").tolist() == [intended]


def test_five_two_fit_loses_only_shortness_opposite_length(side_of):
    """The Four C's count nothing for a singleton opposite five cards, and keep other shortness."""
    hands = side_of("AK432.2.5432.A32", "65.KQJ43.876.K54")
    pair = TrumpPair(*hands)
    assert (int(pair.trump[0]), int(pair.fit[0])) == (3, 7)
    rule = NAMES["knr"].rule
    coded, intended = (rule(TrumpPair(*hands, variant=variant)).parts for variant in ("coded", "intended"))
    assert coded["short"].T.tolist() == intended["short"].T.tolist() == [[200, 0]]
    assert intended["misfit"].T.tolist() == [[-200, 0]]
    more = side_of("AK432.2.J76543.2", "65.KQJ43.2.A6543")
    assert rule(TrumpPair(*more, variant="coded")).parts["misfit"].T.tolist() == [[-400, -300]]
    # Hearts and clubs are short opposite five cards, diamonds opposite six; a doubleton keeps its point.
    assert rule(TrumpPair(*more)).parts["misfit"].T.tolist() == [[-400, -200]]


def test_equal_minors_are_ranked(side_of):
    hands = side_of("A2.K43.5432.5432", "3.AQ52.9876.9876")
    assert TrumpPair(*hands, variant="coded").trump.tolist() == [0]
    assert TrumpPair(*hands, variant="intended").trump.tolist() == [1]


def slow_fit(first: list[int], second: list[int], points: list[int]) -> tuple[int, int]:
    """Return the suit (C D H S = 0..3, or -1) and length of the best fit of one deal by the written rule."""
    combined = [a + b for a, b in zip(first, second, strict=True)]
    longest = max(combined)
    suits = [suit for suit in range(4) if combined[suit] == longest]  # S H D C
    if longest >= 8:
        ranking = [(suit > 1, abs(first[suit] - second[suit]), points[suit], suit) for suit in suits]
        return 3 - min(ranking)[-1], longest
    suits = [suit for suit in suits if abs(first[suit] - second[suit]) == 3]
    if not suits:
        return -1, longest
    return 3 - min((suit > 1, points[suit], suit) for suit in suits)[-1], longest


def test_best_fit_by_its_rule(random_hands):
    pair = TrumpPair(random_hands[:4000, 0], random_hands[:4000, 2])
    points = pair.suit_hcp.sum(axis=0)
    for row in range(4000):
        first, second = (pair.lengths[hand, :, row].tolist() for hand in (0, 1))
        expected = slow_fit(first, second, points[:, row].tolist())
        assert (pair.trump[row], pair.fit[row]) == expected, row
    assert {-1, 0, 1, 2, 3} == set(pair.trump.tolist())


def test_naming_the_best_fit_changes_nothing(random_hands):
    first, second = random_hands[:, 1], random_hands[:, 3]
    trump = TrumpPair(first, second).trump
    for metric in NAMES.values():
        best = metric(first, second)
        for suit in range(4):
            rows = trump == 3 - suit
            np.testing.assert_array_equal(metric(first[rows], second[rows], suit), best[rows], metric.name)


def test_a_side_is_the_sum_of_its_hands(random_hands):
    first, second = random_hands[:, 0], random_hands[:, 2]
    for metric in NAMES.values():
        for strain in (None, 2, NT):
            total = sum(metric(first, second, strain, part=part) for part in (0, 1))
            np.testing.assert_array_equal(metric(first, second, strain), total, metric.name)
            pair = TrumpPair(first, second, None if strain == NT else strain)
            hands = metric.values(pair)[strain != NT]
            np.testing.assert_array_equal(np.maximum(hands, 0).sum(axis=0), total)


def test_order_of_the_hands(random_hands):
    """The order of the hands matters for ties only, and these metrics have none."""
    first, second = random_hands[:, 0], random_hands[:, 2]
    for name in ("bergen", "bissell", "dkp", "kaplan", "karpin", "karpb", "larsson", "larb", "zarbasic"):
        np.testing.assert_array_equal(NAMES[name](first, second), NAMES[name](second, first), name)


def test_where_the_variants_agree(random_hands):
    """The variants differ in six metrics, and in others only by the ranking of clubs and diamonds."""
    first, second = random_hands[:, 0], random_hands[:, 2]
    same = TrumpPair(first, second).trump == TrumpPair(first, second, variant="coded").trump
    assert 0.99 < same.mean() < 1
    for name, metric in NAMES.items():
        differs = (metric(first, second) != metric(first, second, variant="coded"))[same].any()
        assert differs == (name in ("goren", "pavlicek", "larsson", "knr", "zar", "roth")), name


def moved(hand: np.ndarray, order: tuple[int, ...]) -> np.ndarray:
    """Return the hand with its suits exchanged: suit k becomes order[k]."""
    suits = [(hand >> np.uint64(48 - 16 * suit) & np.uint64(0x1FFF)) for suit in range(4)]
    parts = [cards << np.uint64(48 - 16 * order[suit]) for suit, cards in enumerate(suits)]
    return np.bitwise_or.reduce(parts)


@settings(max_examples=12)
@given(st.permutations(range(4)), st.integers(0, 3))
def test_suits_have_equal_values(order, trump):
    order_of_deal = np.argsort(np.random.default_rng(3).random((500, 52)), axis=1)
    bit = np.uint64(1) << (16 * (order_of_deal // 13) + order_of_deal % 13).astype(np.uint64)
    first, second = (np.bitwise_or.reduce(bit[:, part], axis=1) for part in (slice(13), slice(13, 26)))
    for name in set(NAMES) - {"roth", "zar", "zarbasic"}:  # majors, or spades, matter to these
        for strain, other in ((trump, order[trump]), (NT, NT)):
            if strain == NT and name == "sheinwold":
                continue  # its notrump value depends on the best fit, where majors come first
            values = NAMES[name](moved(first, order), moved(second, order), other)
            np.testing.assert_array_equal(values, NAMES[name](first, second, strain), name)


def test_low_cards_do_not_matter(random_hands):
    """Exchange sevens and twos of both hands; only tens, nines and eights have a body."""
    hands = random_hands.copy()
    two, seven = np.uint64(1), np.uint64(1 << 5)
    for shift in (0, 16, 32, 48):
        for seat in (0, 2):
            low = hands[:, seat] >> np.uint64(shift)
            swapped = (low & two) << np.uint64(5) | (low & seven) >> np.uint64(5)
            mask = (two | seven) << np.uint64(shift)
            hands[:, seat] = hands[:, seat] & ~mask | swapped << np.uint64(shift)
    assert (hands != random_hands).any()
    for metric in NAMES.values():
        expected = metric(random_hands[:, 0], random_hands[:, 2])
        np.testing.assert_array_equal(metric(hands[:, 0], hands[:, 2]), expected, metric.name)


def test_values_stay_in_their_ranges(random_hands, side_of):
    for name, metric in NAMES.items():
        function = registry.get_function(name)
        scale = 100 if function.hundredths else 1
        for strain in (None, 3, NT):
            values = metric(random_hands[:, 0], random_hands[:, 2], strain)
            assert values.dtype == np.int16
            assert function.low * scale <= values.min() and values.max() <= function.high * scale
            for first, second in (  # thirteen trumps, all honours, two long suits
                ("AKQJT98765432.-.-.-", "-.AKQJT98765432.-.-"),
                ("AKQJT98.AKQJT9.-.-", "765432.8765432.-.-"),
                ("AKQ.AKQJ.AKQ.AKQ", "JT98.T98.JT98.J9"),
                ("5432.432.432.432", "876.8765.876.876"),
            ):
                value = metric(*side_of(first, second), strain)[0]
                assert function.low * scale <= value <= function.high * scale


def test_batches_are_joined(random_hands):
    first, second = random_hands[:, 0], random_hands[:, 2]
    for metric in (NAMES["zar"], NAMES["roth"]):
        whole = metric(first, second)
        np.testing.assert_array_equal(metric(first[4090:4110], second[4090:4110]), whole[4090:4110])
        assert metric(first[:0], second[:0]).shape == (0,)
        assert metric.rule(TrumpPair(first[:0], second[:0])).suit.shape == (2, 0)


class Hands:
    def __init__(self, hands):
        self.hands = hands


def test_metrics_through_evaluate(hand_of):
    deals = Hands(hand_of(*SIDES["E1"])[None, [0, 0, 1, 1]])
    assert evaluate(deals, "zar", side="NS").tolist() == [53]
    assert evaluate(deals, "zar", side="NS", suit="notrump").tolist() == [48]
    assert evaluate(deals, "zar", side="NS", suit="spades").tolist() == [53]
    assert evaluate(deals, "zar", seat="north").tolist() == [28]
    assert evaluate(deals, "zar", seat="north", suit="S").tolist() == [31]
    assert evaluate(deals, "knr", seat="south").tolist() == [9.25]
    wrong = [
        (dict(name="bergen"), "give side='NS' or seat='north'"),
        (dict(name="bergen", side="NS", seat="north"), "side or a seat's share"),
        (dict(name="bergen", side="NS", suit="trump"), "unknown strain 'trump'"),
        (dict(name="bergen", side="NS", variant="v1"), "known: intended, coded"),
    ]
    for arguments, message in wrong:
        with pytest.raises(ArgumentError, match=message):
            evaluate(deals, **arguments)


def test_unknown_strains_are_refused(random_hands):
    with pytest.raises(ArgumentError, match="strain 0 to 4"):
        NAMES["zar"](random_hands[:, 0], random_hands[:, 2], 5)
