"""Evaluators of hands from books: worked examples, exact ranges and means, the printed tables."""

from __future__ import annotations

import itertools
from itertools import combinations

import numpy as np
import pytest

from dealerkit import ArgumentError, evaluate, registry
from dealerkit.evaluators import holdings, honour_tables, point_scales

RANKS = "23456789TJQKA"
SHAPES = [(a, b, c, 13 - a - b - c) for a in range(14) for b in range(14 - a) for c in range(14 - a - b)]
HANDS = {  # E1 N and S, E2 W, E4 N of the reference, and a flat hand
    "E1N": "AKJT32.Q98.J98.9",
    "E1S": "Q54.2.K6543.J432",
    "E2W": "98.AKT65.QT7.AT8",
    "E4N": "AQT94.KJ832.73.6",
    "flat": "AQ32.KJ2.T98.432",
}
WORKED = {
    "quicktricks": {"E1N": 2, "E1S": 0.5, "E2W": 3},
    "altt050": {"E1N": 11.5, "E1S": 6, "E2W": 14.5},
    "bumwrap": {"E1N": 10.75, "E1S": 5.25},
    "opcjgm": {"E1N": 11.25, "E1S": 5, "E4N": 11},
    "andrews": {"E1N": 11, "E1S": 5.6},
    "bodypoints": {"E1N": 11, "E2W": 13},
    "newltc": {"E1N": 7.5, "E1S": 9, "E2W": 7, "flat": 9},
    "fifths": {"E1N": 11.0, "E2W": 13.8, "flat": 10},
    "bumrap": {"E1N": 4.5 + 3 + 0.75 + 0.25 + 1.5 + 0.75, "E2W": 14.25, "flat": 10},
    "banzai": {"E1N": 5 + 4 + 2 + 1 + 3 + 2, "flat": 15},
    "fouraces": {"E1N": 3 + 2 + 0.5 + 1 + 0.5, "flat": 6.5},
    "bamberger": {"E1N": 7 + 5 + 1 + 3 + 1, "flat": 16},
    "robertson": {"E1N": 7 + 5 + 2 + 1 + 3 + 2, "flat": 18},
    "littlejack": {"E1N": 13 + 9 + 2 + 1 + 5 + 2},
    "c13jgm": {"E1N": 4.6 + 3 + 0.8 + 0.4 + 1.6 + 0.8},
    "zaropening": {"E1N": 11 + 3 + 9 + 5, "E1S": 6 + 1 + 9 + 4, "flat": 10 + 3 + 7 + 1},
    "rule20": {"E1N": 20, "E2W": 21, "flat": 17},
    "rule22": {"E1N": 22, "E2W": 24, "flat": 17 + 2},
    "rule15": {"E1N": 17, "E2W": 15, "flat": 14},
    "freakness": {"E1N": 5, "E2W": 2, "flat": 0, "E4N": 6},
    "longpoints": {"E1N": 2, "E4N": 2, "flat": 0},
    "short321": {"E1N": 2, "E4N": 3, "flat": 0},
    "short531": {"E1N": 3, "E4N": 4, "flat": 0},
    "bumrap531": {"E1N": 10.75 + 3, "flat": 10},
    "playingtricks": {"E1N": 5.5 + 0.5, "E1S": 0.5 + 2.5 + 1, "E2W": 4 + 0.5 + 1},
}


class Hands:
    def __init__(self, hands):
        self.hands = hands[:, None]


@pytest.mark.parametrize("name", WORKED)
def test_worked_examples(name, hand_of):
    for hand, expected in WORKED[name].items():
        assert evaluate(Hands(hand_of(HANDS[hand])), name, seat=0).tolist() == [pytest.approx(expected)], hand


def table_functions():
    """Yield functions that sum one table over all suits, with the table of each variant."""
    for function in registry.functions():
        if (
            function.holding_table is None
            or function.length_table is not None
            or not all(kind.endswith("?") for kind in function.arguments[1:])
        ):
            continue
        variants = [{"variant": variant} for variant in function.variants] or [{}]
        tables = [function.holding_table(**options) for options in variants]
        if function.kind == "hand" and tables[0].ndim == 1:
            yield pytest.param(function, tables, id=function.name)


def extremes(table, rule=lambda _shape: 0):
    """Return the least and largest sum of a table over the suits of 13 cards and a rule of the lengths."""
    lengths = holdings.length()
    ends = [(int(table[lengths == cards].min()), int(table[lengths == cards].max())) for cards in range(14)]
    sums = [[sum(ends[cards][end] for cards in shape) + rule(shape) for end in (0, 1)] for shape in SHAPES]
    return min(low for low, _ in sums), max(high for _, high in sums)


@pytest.mark.parametrize(("function", "tables"), list(table_functions()))
def test_ranges_of_tables_are_exact(function, tables):
    ends = [extremes(table) for table in tables]
    scale = 100 if function.hundredths else 1
    assert min(low for low, _ in ends) == round(function.low * scale)
    assert max(high for _, high in ends) == round(function.high * scale)


@pytest.mark.parametrize(
    ("name", "weights", "rule"),
    [
        (
            "freakness",
            (),
            lambda s: sum(abs(n - 3) - (n > 3) for n in s) + 2 * (0 in s) + (0 not in s and 1 in s),
        ),
        ("longpoints", (), lambda s: sum(n - 4 for n in s if n > 4)),
        ("rule20", (4, 3, 2, 1), lambda s: sum(sorted(s)[2:])),
        ("rule15", (4, 3, 2, 1), lambda s: s[0]),
        ("zaropening", (6, 4, 2, 1), lambda s: sum(sorted(s)[2:]) + max(s) - min(s)),
    ],
)
def test_ranges_with_shape_are_exact(name, weights, rule):
    function = registry.get_function(name)
    assert extremes(holdings.points(weights), rule) == (function.low, function.high)


def test_range_of_rule22_is_exact():
    function = registry.get_function("rule22")
    table = holdings.points((400, 300, 200, 100)) + honour_tables.quick_tricks()
    low, high = extremes(table, lambda shape: 100 * sum(sorted(shape)[2:]))
    assert (low, high) == (100 * function.low, 100 * function.high)


def extreme_hands():
    """Return hands of every shape with the highest cards of each suit, up to k of them, and the lowest."""
    hands = set()
    for shape, k in itertools.product(SHAPES, (0, 1, 2, 3, 4, 13)):
        parts = [min(cards, k) for cards in shape]
        suits = [
            (1 << 13) - (1 << 13 - top) | (1 << n - top) - 1 for n, top in zip(shape, parts, strict=True)
        ]
        hands.add(sum(suit << shift for suit, shift in zip(suits, (48, 32, 16, 0), strict=True)))
    return np.array(sorted(hands), np.uint64)


def test_values_of_extreme_hands_are_in_the_range():
    hands = extreme_hands()
    for function in registry.functions():
        if (
            function.kind == "hand"
            and function.body
            and all(kind == "suit?" for kind in function.arguments[1:])
        ):
            values = function.body(hands) / (100 if function.hundredths else 1)
            least, greatest = values.min(), values.max()
            assert function.low <= least and greatest <= function.high, (
                f"{function.name} has values from {least:g} to {greatest:g}, and low={function.low}, "
                f"high={function.high} in its entry"
            )


@pytest.mark.parametrize("name", ["milton", "bumrap", "fifths", "kissa425", "c13jgm"])
def test_means_of_plain_scales(name, random_hands):
    """A hand has a card with probability 1/4, so the mean is the sum of the weights of one suit."""
    values = np.stack([evaluate(Hands(random_hands[:, seat]), name, seat=0) for seat in range(4)])
    total = 4 * sum(point_scales.PLAIN_SCALES[name]) / 100
    np.testing.assert_allclose(values.sum(axis=0), total)


# The printed tables: singletons A K Q J T; doubletons AK AQ AJ KQ KJ QJ QT Qx JT Jx Tx.
PRINTED = {
    "bergen": "-.5 -1 -1 -1 0 | 0 0 -.5 -.5 -.5 -1 -1 -1 -1 -1 0",
    "bissell": "0 -1 -1 0 0 | 0 0 0 0 0 -1 -1 -1 0 0 0",
    "goren": "0 -2 -2 -1 0 | 0 0 0 0 0 -1 -1 -1 -1 -1 0",
    "pavlicek": "0 -2 -2 -1 0 | 0 0 0 -1 -1 -1 -1 -1 -1 -1 0",
    "kaplan": "0 0 -2 -1 0 | 0 0 0 0 0 -1 0 0 0 0 0",
    "karpin": "0 -1 -1 -1 0 | 0 0 0 -1 -1 -1 -1 -1 -1 -1 0",
    "larsson": "0 -1 -1 -1 0 | 0 0 0 -1 0 -1 0 0 0 0 0",
    "sheinwold": "0 -1 -1 -1 0 | 0 0 0 0 0 -1 -1 -1 -1 -1 0",
    "roth": "0 -1 -1 -1 0 | 0 0 0 -1 -1 -1 -1 -1 -1 -1 0",
    "karpb": "0 -1 -1 -.75 -.25 | -1 -1 -.5 -1 0 -1 -1 -1 -1 -.75 -.25",
    "larb": "0 -1 -1 -.75 -.25 | 0 -.5 -.25 0 0 -.25 -.25 -.5 -.5 -.75 -.25",
    "zar": "-1 -1 -1 -1 0 | 0 0 -1 -1 -1 -1 -1 -1 -1 -1 0",
}
PAIRS = "AK AQ AJ KQ KJ QJ QT Qx JT Jx Tx".split()


@pytest.mark.parametrize("count", PRINTED)
def test_short_honours(count):
    singles, doubles = PRINTED[count].split("|")
    corrections = dict(zip("AKQJT", map(float, singles.split()), strict=True))
    corrections |= dict(zip(PAIRS, map(float, doubles.split()), strict=True))
    table = honour_tables.short_honours(count)
    assert not table[holdings.length() > 2].any() and table[0] == 0
    for size in (1, 2):
        for bits in combinations(range(12, -1, -1), size):
            text = "".join(RANKS[bit] if bit >= 8 else "x" for bit in bits)
            assert table[sum(1 << bit for bit in bits)] == 100 * corrections.get(text, 0), text


def test_scales_of_short_suits():
    """Columns 23 and 25 of the printed list of doubletons, and the scales of three cards or more."""
    for name, values in {
        "bumwrap": (7.5, 6, 5.25, 4.75, 4.5, 3.5, 3, 3, 3, 1.25, 1, 0.75, 0, 0),
        "andrews": (6.8, 5.8, 5, 4.4, 4, 3.6, 3.2, 2.8, 2.8, 1.8, 1.2, 0.8, 0, 0),
        "opcjgm": (6.25, 5.25, 4.75, 4.25, 4.25, 4.5, 3.25, 3, 3, 2, 1.5, 1, 0.5, 0),
    }.items():
        table = point_scales.adjusted_scale(name)
        for text, value in zip("AK AQ AJ AT Ax KQ KJ KT Kx QJ QT Qx JT Jx".split(), values, strict=True):
            assert {int(value) for value in table[honour_tables.list_holdings(text)]} == {
                round(100 * value)
            }, text


def test_where_coded_scales_differ():
    """Scales as coded differ for AQJT, KQJT and a singleton ace only."""
    for name in point_scales.SCALES:
        coded, intended = point_scales.adjusted_scale(name, "coded"), point_scales.adjusted_scale(name)
        differ = set(np.flatnonzero(coded != intended).tolist())
        ten = point_scales.SCALES[name].weights[4]
        sequences = (
            {holding for holding in range(8192) if holding >> 8 & 0b11111 in (0b10111, 0b01111)}
            if ten
            else set()
        )
        single = {1 << 12} if name == "at475" else set()
        assert differ == sequences | single, name
        assert all(intended[holding] - coded[holding] == ten for holding in sequences)


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("AKQJ", 9.75), ("AKQJT", 10.75), ("AKQT", 10.0), ("AKQx", 9.25), ("AKJ", 8.25), ("AKJT9", 9.75),
        ("AKT", 7.5), ("AQJT", 8.25), ("KQJ", 6.0), ("AQT", 7.0), ("KQx", 5.0), ("AJT9", 6.75), ("KJx", 4.0),
        ("KTx", 3.25), ("QJT", 4.0), ("QJT9", 4.5), ("QJx", 3.0), ("QTx", 2.25), ("JTx", 2.0), ("Axx", 4.25),
    ],
)  # fmt: skip
def test_synergy_of_opcjgm(text, points):
    low = "23" if text.endswith("x") or text == "AKQx" else ""
    cards = text.replace("x", "") + low[: text.count("x")]
    holding = sum(1 << RANKS.index(rank) for rank in cards)
    assert point_scales.adjusted_scale("opcjgm")[holding] == round(100 * points)


def test_roundings():
    hundredths = np.arange(-400, 4000, 5, dtype=np.int16)
    half = honour_tables.round_half_away(hundredths)
    assert half.dtype == np.int16
    for value, rounded in zip(hundredths.tolist(), half.tolist(), strict=True):
        sign = -1 if value < 0 else 1
        assert rounded == sign * ((2 * abs(value) + 100) // 200)
    for body in (11, 12):
        by_body = honour_tables.round_by_body(hundredths, np.full(len(hundredths), body, np.int16))
        for value, rounded in zip(hundredths.tolist(), by_body.tolist(), strict=True):
            whole = int(value / 100)
            rest = value - 100 * whole
            assert rounded == whole + (rest > 55 or (45 <= rest <= 55 and body >= 12))


def test_combination_of_losers():
    for name, combine in {
        "losers": "24 - sum",
        "ltc": "24 - sum",
        "newltc": "25 - sum",
        "hcp": "sum",
    }.items():
        function = registry.get_function(name)
        assert function.combine == combine
        assert function.direction == (1 if combine == "sum" else -1)


def test_unknown_names():
    with pytest.raises(ArgumentError, match="did you mean 'goren'"):
        honour_tables.short_honours("gorn")
    with pytest.raises(ArgumentError, match="did you mean 'woolsey'"):
        point_scales.adjusted_scale("wolsey")
