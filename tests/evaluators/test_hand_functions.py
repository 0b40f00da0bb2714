"""Functions of hands and sides through `evaluate` and through their bodies."""

from __future__ import annotations

import subprocess
import sys
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealerkit import ArgumentError, NotYetError, UnknownNameError, evaluate, registry
from dealerkit.evaluators import four_cs, holdings
from dealerkit.evaluators.kernels import pattern_code, sum_suits
from dealerkit.language.nodes import ContractLiteral, Vulnerability

HAND_FUNCTIONS = ["hcp", "tens", "jacks", "queens", "kings", "aces", "top2", "top3", "top4", "top5", "c13"]
HAND_FUNCTIONS += ["controls", "losers", "ltc", "cccc"]


def body(name):
    return registry.get_function(name).body


@pytest.fixture(scope="module")
def examples(hand_of):
    """The three worked examples of the Four C's and of losing tricks."""
    return SimpleNamespace(hands=hand_of("AKJT32.Q98.J98.9", "Q54.2.K6543.J432", "98.AKT65.QT7.AT8")[:, None])


def test_worked_examples(examples):
    for name, expected in {"losers": [7, 8, 7], "ltc": [7, 8.5, 7.5], "controls": [3, 1, 5]}.items():
        assert evaluate(examples, name, seat=0).tolist() == expected
    assert evaluate(examples, "cccc", seat=0).tolist() == [13.85, 6.25, 15.2]
    assert evaluate(examples, "cccc", seat=0, variant="coded").tolist() == [14.85, 7.25, 15.2]
    assert evaluate(examples, "cccc", seat=0, variant="v1").tolist() == [13.85, 6.25, 15.2]
    assert evaluate(examples, "ltc", seat=0, suit="S").tolist() == [0.5, 2.5, 2.0]


def test_four_cs_of_long_suits_and_flat_hands(hand_of):
    hands = hand_of("AKQJT98765.K.Q.J", "-.AT76543.AT73.54", "5432.432.432.432")
    assert body("cccc")(hands, variant="v1").tolist() == [2210, 1430, -50]
    assert body("cccc")(hands, variant="coded").tolist() == [2360, 1465, 0]
    assert body("cccc")(hands).tolist() == [2260, 1465, -50]


def hand_of_first(cards):
    """Return the first 13 of 52 cards as an array with one hand."""
    return np.array([sum(1 << 16 * (3 - card // 13) + card % 13 for card in cards[:13])], np.uint64)


@given(st.permutations(range(52)), st.permutations(range(4)))
def test_suits_have_equal_values(cards, order):
    hand, moved = (
        hand_of_first(cards),
        hand_of_first([13 * order[card // 13] + card % 13 for card in cards[:13]]),
    )
    for name in HAND_FUNCTIONS:
        assert body(name)(hand) == body(name)(moved)
    for name in [*HAND_FUNCTIONS[:-1], "quality"]:
        for suit in range(4):
            assert body(name)(hand, suit) == body(name)(moved, order[suit])


@given(st.permutations(range(52)))
def test_suits_add_up(cards):
    hand = hand_of_first(cards)
    for name in HAND_FUNCTIONS[:-1]:
        assert body(name)(hand) == sum(body(name)(hand, suit) for suit in range(4))
    assert sum(body(name)(hand)[0] for name in ("spades", "hearts", "diamonds", "clubs")) == 13


def test_points_are_sums_over_cards(random_hands):
    hand = random_hands[:, 1]
    has_card = (
        (hand[:, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)).astype(np.int64).reshape(-1, 4, 16)
    )
    has_card = has_card[:, ::-1, 12::-1]  # suit S H D C, rank A ... 2
    for weights in [
        (4, 3, 2, 1),
        (450, 300, 150, 75, 25),
        tuple(range(13, 0, -1)),
        (32767, -32768),
        (3_000_000,) * 13,
    ]:
        expected = has_card @ np.array([*weights, *[0] * (13 - len(weights))])
        np.testing.assert_array_equal(body("hcp")(hand, weights=weights), expected.sum(axis=1))
        for suit in range(4):
            np.testing.assert_array_equal(body("hcp")(hand, suit, weights=weights), expected[:, suit])


def test_a_table_of_points_may_be_replaced(random_hands):
    hand = random_hands[:, 2]
    np.testing.assert_array_equal(body("pt3")(hand, weights=(4, 3, 2, 1)), body("hcp")(hand))
    np.testing.assert_array_equal(body("controls")(hand, weights=(1, 1, 1)), body("top3")(hand))
    table = holdings.coupled_losers((1,) * 5, (1, 1, 1))
    expected = sum(
        table[(hand >> np.uint64(shift) & np.uint64(8191)).astype(int)] for shift in (48, 32, 16, 0)
    )
    np.testing.assert_array_equal(body("losers")(hand, table=table), expected)


def test_patterns_of_all_shapes():
    """One hand of each of the 560 patterns, weighted by its number of deals, has the known shape frequencies."""
    lengths = [(a, b, c, 13 - a - b - c) for a in range(14) for b in range(14 - a) for c in range(14 - a - b)]
    low_cards = [[(1 << cards) - 1 for cards in pattern] for pattern in lengths]
    hands = np.array([s << 48 | h << 32 | d << 16 | c for s, h, d, c in low_cards], np.uint64)
    codes = pattern_code(hands)
    assert codes.dtype == np.int16
    assert codes.tolist() == [s << 8 | h << 4 | d for s, h, d, _ in lengths]
    for suit, name in enumerate(("spades", "hearts", "diamonds", "clubs")):
        assert body(name)(hands).tolist() == [pattern[suit] for pattern in lengths]
    chances = np.array([np.prod([comb(13, cards) for cards in pattern], dtype=object) for pattern in lengths])
    longest = np.array([sorted(pattern) for pattern in lengths])
    for shape, percent in {(2, 3, 4, 4): 21.5512, (2, 3, 3, 5): 15.5168, (1, 4, 4, 4): 2.9932}.items():
        share = chances[(longest == shape).all(axis=1)].sum() / comb(52, 13)
        assert 100 * share == pytest.approx(percent, abs=5e-5)


def test_best_fit_of_two_random_hands():
    """Compute the frequencies over all lengths of 26 cards, weighted by their number of deals."""
    lengths = [
        (a, b, c, 26 - a - b - c)
        for a in range(14)
        for b in range(14)
        for c in range(14)
        if 0 <= 26 - a - b - c <= 13
    ]
    high = [[(1 << cards) - 1 for cards in pattern] for pattern in lengths]
    first = np.array([s << 48 | c for s, _, _, c in high], np.uint64)
    second = np.array([h << 32 | d << 16 for _, h, d, _ in high], np.uint64)
    fits = body("fit")(first, second)
    weights = [int(np.prod([comb(13, cards) for cards in pattern], dtype=object)) for pattern in lengths]
    total = comb(52, 26)
    assert sum(weights) == total
    percent = {7: 15.7363, 8: 45.7447, 9: 28.0999, 10: 8.6729, 11: 1.5816, 12: 0.1582, 13: 0.0066}
    for length, expected in percent.items():
        share = sum(weight for weight, fit in zip(weights, fits, strict=True) if fit == length) / total
        assert 100 * share == pytest.approx(expected, abs=5e-5)
    for suit in range(4):
        assert body("fit")(first, second, suit).tolist() == [pattern[suit] for pattern in lengths]


def test_hascard(hand_of):
    hands = hand_of("A2.K.-.-", "K.A2.9.-")
    assert body("hascard")(hands, (0, 12)).tolist() == [1, 0]
    assert body("hascard")(hands, SimpleNamespace(suit=1, rank=0)).tolist() == [0, 1]
    with pytest.raises(ArgumentError, match="no card"):
        body("hascard")(hands, (4, 0))


def test_min_and_max():
    low, high = np.array([1, 5, 3]), np.array([2.5, 4, 3])
    assert body("min")(low, high, 4).tolist() == [1, 4, 3]
    assert body("max")(low, high, 2).tolist() == [2.5, 5, 3]


def test_score_and_imps_take_the_arguments_of_the_language():
    """Values of dealer and DealerV2 (language reference 3.5 and 3.6)."""
    score, three_notrump = body("score"), ContractLiteral(3, 4)
    assert score(Vulnerability("nv"), three_notrump, np.array([9, 8])).tolist() == [400, -50]
    redoubled = ContractLiteral(4, 1, 2)
    assert score(Vulnerability("vul"), redoubled, np.array([8])).tolist() == [-1000]
    with pytest.raises(ArgumentError, match="nv or vul"):
        score(Vulnerability("both"), three_notrump, np.array([9]))
    difference = np.array([420, -620])
    assert body("imps")(difference).tolist() == [9, -12]
    assert body("imps")(difference, table="v1").tolist() == [10, -12]
    assert body("imps")(difference, table="v2").tolist() == [10, -13]


def extreme_sums(table, combine):
    """Return the sums over the suits of 13 cards for each shape, of the `combine` of a table for each length."""
    lengths = holdings.length()
    best = [combine(table[lengths == cards].tolist()) for cards in range(14)]
    shapes = ((a, b, c, 13 - a - b - c) for a in range(14) for b in range(14 - a) for c in range(14 - a - b))
    return [sum(best[cards] for cards in shape) for shape in shapes]


@pytest.mark.parametrize("name", [*HAND_FUNCTIONS, "quality"])
def test_ranges_are_exact(name):
    function = registry.get_function(name)
    if name == "cccc":
        sums = {v: extreme_sums(four_cs.packed_four_cs(v), max) for v in four_cs.VARIANTS}
        high = max(four_cs.four_cs_of_sum(v)[sums[v]].max() for v in sums)
        sums = {v: extreme_sums(four_cs.packed_four_cs(v), min) for v in four_cs.VARIANTS}
        low = min(four_cs.four_cs_of_sum(v)[sums[v]].min() for v in sums)
    elif name == "quality":
        low, high = four_cs.quality().min(), four_cs.quality().max()
    else:
        tables = {"losers": holdings.losers, "ltc": holdings.ltc}
        table = tables[name]() if name in tables else holdings.points(holdings.default_weights(name))
        low, high = min(extreme_sums(table, min)), max(extreme_sums(table, max))
    scale = 100 if function.hundredths else 1
    assert (round(function.low * scale, 6), round(function.high * scale, 6)) == (low, high)


def test_strided_and_read_only_hands(random_hands):
    plain = np.ascontiguousarray(random_hands[:, 3])
    frozen = plain.copy()
    frozen.flags.writeable = False
    for name in [*HAND_FUNCTIONS, "spades"]:
        expected = body(name)(plain)
        assert expected.dtype == np.int16
        np.testing.assert_array_equal(body(name)(random_hands[:, 3]), expected)
        np.testing.assert_array_equal(body(name)(frozen), expected)
        assert body(name)(plain[:0]).shape == (0,)


def test_kernels_check_their_arguments(random_hands):
    with pytest.raises(ArgumentError, match="uint64"):
        pattern_code(random_hands[:, 0].astype(np.int64))
    with pytest.raises(ArgumentError, match="uint64"):
        sum_suits(random_hands, holdings.length())
    with pytest.raises(ArgumentError, match="8192"):
        sum_suits(random_hands[:, 0], holdings.length()[:100])


def test_errors_of_evaluate(examples):
    wrong = [
        (dict(name="hcp"), ArgumentError, "measures one hand"),
        (dict(name="hcp", side="NS"), ArgumentError, "measures one hand"),
        (dict(name="fit", seat="north"), ArgumentError, "measures a side"),
        (dict(name="fit", side="N"), ArgumentError, "unknown side 'N'"),
        (dict(name="hcp", seat="nrth"), ArgumentError, "did you mean 'north'"),
        (dict(name="hcp", seat=4), ArgumentError, "a seat is north, east, south or west, or 0 to 3"),
        (dict(name="hcp", seat=0, suit=4), ArgumentError, "unknown suit 4"),
        (dict(name="hcp", seat=0, suit="spads"), ArgumentError, "did you mean 'spades'"),
        (dict(name="hcpp", seat=0), UnknownNameError, "did you mean 'hcp'"),
        (dict(name="quality", seat=0), ArgumentError, "measures one suit"),
        (dict(name="cccc", seat=0, suit="S"), ArgumentError, "no values for single suits"),
        (dict(name="cccc", seat=0, variant="v3"), ArgumentError, "known: intended, coded, v1"),
        (dict(name="hcp", seat=0, variant="v1"), ArgumentError, "one definition only"),
        (dict(name="hascard", seat=0), ArgumentError, "deals.eval"),
        (dict(name="score"), ArgumentError, "deals.eval"),
        (dict(name="shape", seat=0), ArgumentError, "deals.eval"),
    ]
    for arguments, kind, message in wrong:
        with pytest.raises(kind, match=message):
            evaluate(examples, **arguments)


def test_functions_without_a_body(examples):
    registry.register(registry.Function("unfinished", ("seat",)))
    try:
        with pytest.raises(NotYetError, match="not computed yet"):
            evaluate(examples, "unfinished", seat=0)
    finally:
        registry.unregister("unfinished")


def test_names_of_seats_suits_and_functions(random_hands):
    deals = SimpleNamespace(hands=random_hands)
    expected = evaluate(deals, "kings", seat=2, suit=1)
    for seat, suit, name in (("south", "hearts", "king"), ("S", "heart", "pt3"), ("South", "H", "kings")):
        np.testing.assert_array_equal(evaluate(deals, name, seat=seat, suit=suit), expected)
    np.testing.assert_array_equal(evaluate(deals, "fit", side="ew"), evaluate(deals, "fit", side=1))
    both = random_hands[:, 1] | random_hands[:, 3]
    np.testing.assert_array_equal(
        evaluate(deals, "fit", side="EW", suit="clubs"), np.bitwise_count(both & np.uint64(8191))
    )


def test_all_functions_have_descriptions():
    functions = list(registry.functions())
    assert {"hcp", "cccc", "shape", "score", "imps", "rnd", "board", "par", "opc", "trix"} <= {
        f.name for f in functions
    }
    for function in functions:
        assert function.summary and function.source and function.cost > 0, function.name


def test_import_computes_no_table():
    code = (
        "import sys, dealerkit.evaluators as e; from dealerkit.evaluators import four_cs, holdings as h;"
        "assert 'numba' not in sys.modules; assert not any(f.cache_info().currsize for f in"
        " (h.length, h.losers, h.ltc, four_cs.quality, four_cs.packed_four_cs, h.sum_weights))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
