"""Numbers of hands in sets, against combinatorics and enumeration."""

from __future__ import annotations

import itertools
from collections import Counter
from math import comb

import numpy as np
import pytest

from dealerkit import ArgumentError, MemoryLimitError
from dealerkit.dealing import Predeal
from dealerkit.dealing.conditional.hand_sets import (
    HOLDING_LENGTHS,
    MAX_CODES,
    SHAPE_INDEX,
    SHAPES,
    HandSet,
    list_shapes,
    predealt_holdings,
)
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.dealing.uniform import deal_range
from dealerkit.language.shapes import PATTERNS

HANDS, SIDES = comb(52, 13), comb(52, 26)
ONE = np.ones((4, 8192), dtype=bool)
POINTS = np.tile(sum((np.arange(8192) >> 12 - i & 1) * (4 - i) for i in range(4)), (4, 1))
KINDS = ["".join(map(str, sorted(shape, reverse=True))) for shape in SHAPES.tolist()]
BALANCED = np.isin(KINDS, ["4333", "4432", "5332"])


def count_hands(table: HandTable) -> np.ndarray:
    """Number of hands with each shape and sum of codes, int64 [shapes, T]: the suits joined in two pairs."""
    size = table.hand_set.allowed.shape[1]
    single = np.zeros((4, 14, size), dtype=np.int64)
    for suit, (length, code, start, _) in enumerate(table.classes):
        single[suit, length, code] = np.diff(start)
    first, second, third, fourth = (single[suit, table.shapes[:, suit]] for suit in range(4))
    return convolved(convolved(first, second), convolved(third, fourth)) * table.hand_set.allowed


def convolved(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Row by row: out[i, a + b] += first[i, a] * second[i, b], sums beyond the last column dropped."""
    out = np.zeros_like(first)
    size = first.shape[1]
    for code in np.flatnonzero(first.any(axis=0)):
        out[:, code:] += first[:, code, None] * second[:, : size - code]
    return out


def test_shapes_are_in_the_order_of_the_language():
    assert [tuple(shape) for shape in SHAPES.tolist()] == list(PATTERNS)
    assert all(SHAPE_INDEX[s << 8 | h << 4 | d] == i for i, (s, h, d, _) in enumerate(PATTERNS))
    assert (SHAPE_INDEX >= 0).sum() == 560
    sides = list_shapes(26)
    assert len(sides) == sum(sum(x) == 26 for x in itertools.product(range(14), repeat=4))
    assert (sides.sum(axis=1) == 26).all()


def test_points_and_shapes_have_the_published_probabilities():
    table = HandTable(HandSet(ONE, POINTS, np.ones((560, 38), dtype=bool)))
    assert table.total == HANDS
    assert table.counts_by_shape.tolist() == [
        np.prod([comb(13, n) for n in shape], dtype=object) for shape in SHAPES.tolist()
    ]
    points = 100 * count_hands(table).sum(axis=0) / HANDS
    e2 = {0: 0.3639, 4: 3.8454, 8: 8.8922, 9: 9.3562, 10: 9.4051, 11: 8.9447, 12: 8.0269, 15: 4.4237, 20: 0.6435, 25: 0.0264, 26: 0.0117}  # fmt: skip # noqa: E501
    assert {h: round(points[h], 4) for h in e2} == e2
    e5 = {"4432": 21.5512, "5332": 15.5168, "5431": 12.9307, "5422": 10.5797, "4333": 10.5361, "6322": 5.6425, "6421": 4.7021, "6331": 3.4482, "5521": 3.1739, "4441": 2.9932, "7321": 1.8808, "6430": 1.3262, "5440": 1.2433}  # fmt: skip # noqa: E501
    for kind, percent in e5.items():
        mine = np.array([kind == other for other in KINDS])
        assert 100 * table.counts_by_shape[mine].sum() / HANDS == pytest.approx(percent, abs=5.1e-5)
    assert 100 * table.counts_by_shape[BALANCED].sum() / HANDS == pytest.approx(47.6042, abs=5.1e-5)  # E6


def test_balanced_hands_of_20_to_22_points():
    allowed = np.outer(BALANCED, np.isin(np.arange(38), [20, 21, 22]))
    table = HandTable(HandSet(ONE, POINTS, allowed))
    assert table.total / HANDS == pytest.approx(0.0064937, abs=5e-8)
    everything = count_hands(HandTable(HandSet(ONE, POINTS, np.ones((560, 38), dtype=bool))))
    assert (count_hands(table) == everything * allowed).all()
    assert table.counts_by_shape.tolist() == (everything * allowed).sum(axis=1).tolist()


def test_a_side_has_the_published_points():
    table = HandTable(HandSet(ONE, POINTS, np.ones((1834, 41), dtype=bool)))
    assert table.total == SIDES
    percent = 100 * count_hands(table).sum(axis=0) / SIDES
    assert [round(percent[h], 4) for h in (20, 25, 26)] == [8.2222, 4.8919, 3.8834]  # E4


def test_a_hand_with_nothing_above_the_nine():
    table = HandTable(HandSet.all_hands().restrict(np.tile(np.arange(8192) < 256, (4, 1))))
    assert table.total == comb(32, 13)


@pytest.mark.parametrize("seed", range(8))
def test_random_sets_against_enumeration(seed):
    """Other holdings, codes and allowed sums in every suit and shape."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 200))
    holdings = np.zeros((4, 8192), dtype=bool)
    for suit in range(4):
        holdings[suit, rng.choice(8192, 3, replace=False)] = True
        # lengths near 3, so that many combinations have 13 cards
        few = np.flatnonzero((HOLDING_LENGTHS >= 2) & (HOLDING_LENGTHS <= 5))
        holdings[suit, rng.choice(few, 10)] = True
    codes = rng.integers(0, size // 5 + 1, (4, 8192), dtype=np.int32)
    codes[~holdings] = -5
    hand_set = HandSet(holdings, codes, rng.random((560, size)) < rng.choice([0.2, 0.7, 1.0]))
    enumerated = Counter()
    members = []
    index = {shape: i for i, shape in enumerate(PATTERNS)}
    for hand in itertools.product(*map(np.flatnonzero, holdings)):
        shape = index.get(tuple(int(HOLDING_LENGTHS[h]) for h in hand))
        total = sum(int(codes[suit, h]) for suit, h in enumerate(hand))
        if shape is not None and total < size and hand_set.allowed[shape, total]:
            enumerated[shape, total] += 1
            members.append(sum(int(h) << 48 - 16 * suit for suit, h in enumerate(hand)))
    table = HandTable(hand_set)
    counts = count_hands(table)
    assert {place: counts[place] for place in zip(*np.nonzero(counts), strict=True)} == dict(enumerated)
    assert table.total == len(members) > 0
    assert (table.counts_by_shape == counts.sum(axis=1)).all()
    assert hand_set.contains(np.array(members, dtype=np.uint64)).all()


def test_contains_agrees_with_the_counts_on_dealt_hands():
    rng = np.random.default_rng(1)
    hand_set = HandSet(rng.random((4, 8192)) < 0.9, POINTS, rng.random((560, 30)) < 0.5)
    hands = deal_range(1, 0, 200_000, 15).T.ravel()
    p = HandTable(hand_set).total / HANDS
    expected, sd = p * len(hands), np.sqrt(p * len(hands))  # hands of a deal exclude each other a little
    assert abs(hand_set.contains(hands).sum() - expected) < 5 * sd
    side = HandSet(ONE, POINTS, np.outer(np.ones(1834, dtype=bool), np.arange(41) == 25))
    both = deal_range(2, 0, 200_000, 15)
    share = side.contains(both[:, 0] | both[:, 2]).mean()
    assert share == pytest.approx(0.048919, abs=5 * np.sqrt(0.0489 / 200_000))


def test_holdings_that_are_possible_with_a_predeal():
    given = Predeal.from_mapping({"north": ["SAK", {"hearts": 5}], "east": "DQxx", "south": "D2"})
    possible = predealt_holdings(given, 0)
    assert possible.sum(axis=1).tolist() == [2**11, comb(13, 5), 2**11, 2**13]
    assert possible[0, 0b1100000000001] and not possible[0, 0b0100000000001] and not possible[2, 1]
    # two of the seven diamonds from the three to the nine
    assert predealt_holdings(given, 1).sum(axis=1).tolist() == [2**11, 2**13, comb(7, 2), 2**13]


def test_an_empty_set_has_no_hands():
    nothing = HandSet(ONE & False, POINTS, np.ones((560, 1), dtype=bool))
    assert HandTable(nothing).total == 0 and not count_hands(HandTable(nothing)).any()
    assert HandTable(HandSet(ONE, POINTS + 1, np.ones((560, 4), dtype=bool))).total == 0


def test_invalid_arguments_raise_errors():
    good = np.ones((560, 3), dtype=bool)
    for arguments, words in [
        ((ONE[:3], POINTS, good), "holdings"),
        ((ONE, POINTS.astype(float), good), "integers"),
        ((ONE, POINTS, good[:500]), "560"),
        ((ONE, POINTS, np.ones((560, MAX_CODES + 1), dtype=bool)), "clause"),
        ((ONE, POINTS - 1, good), "constant"),
    ]:
        with pytest.raises(ArgumentError, match=words):
            HandSet(*arguments)
    every_holding_another = np.tile(np.arange(8192) % 1000, (4, 1))
    with pytest.raises(MemoryLimitError, match="measures"):
        HandTable(HandSet(ONE, every_holding_another, np.ones((560, 4000), dtype=bool)))
