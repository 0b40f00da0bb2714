"""Optimal points: the book's examples, a second computation pair by pair, invariances, errors."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from dealerkit import ArgumentError
from dealerkit.evaluators.opc import opc, opc_best, promised_tricks, quick_losers
from dealerkit.evaluators.opc.optimal_points import OptimalPoints, find_short_suits, fit_points

E1 = "AKJT32.Q98.J98.9", "Q54.2.K6543.J432"
E3 = "AJ73.2.KQ93.QJ42", "KQ84.3.AJ84.K983"
E4 = "AQT94.KJ832.73.6", "J3.Q7.AKQ64.8742"


@pytest.mark.parametrize("variant", ["coded", "intended"])
@pytest.mark.parametrize(
    ("hands", "opener", "strain", "points"),
    [
        (E1, 0, 0, 30.5), (E1, 0, None, 30.5), (E1, 0, 4, 23.5), (E1, 1, 0, 29.5),
        (E3, 0, None, 33.0), (E3, 0, 4, 27.0),
        (E4, 0, 0, 31.0), (E4, 0, 4, 25.0), (E4, 1, 0, 29.0),
    ],
)  # fmt: skip
def test_examples_of_the_reference(hand_of, hands, opener, strain, points, variant):
    first, second = (hand_of(text) for text in hands)
    assert opc(first, second, strain, opener, variant).tolist() == [round(100 * points)]


def test_components_of_the_reference(hand_of):
    pair = OptimalPoints(*(hand_of(text) for text in E1), opener=0)
    assert pair.hand_hl[:, 0].tolist() == [1650, 600]
    assert pair.hand_hld[0, 0] == 1850
    assert (pair.hl[0], pair.fit_honours.sum(), pair.fit_lengths.sum(), pair.lost[0], pair.net_hlf[0]) == (
        2250,
        300,
        300,
        -200,
        2650,
    )
    assert pair.waste[:, :, 0].tolist() == [[0, -150, 0, 0], [0, 0, 0, -50]]
    assert OptimalPoints(*(hand_of(text) for text in E3), opener=0).hand_hl[:, 0].tolist() == [1350, 1350]
    semi = OptimalPoints(*(hand_of(text) for text in E4), opener=0)
    assert (semi.hl[0], semi.fit_honours.sum(), semi.misfit.sum(), semi.gained[0]) == (2600, 200, -100, 200)
    first, second = (hand_of(text) for text in E1)
    assert (quick_losers(first, second)[0], quick_losers(first, second, notrump=True)[0]) == (3, 5)


# ---------------------------------------------------------------- a second computation


def dfit_of_pair(lengths, trump, opener, truncate_all):
    """Return DFIT of one pair in points by section 8.8 of the reference, with dicts of suits instead of arrays."""
    table = {0: 4.0, 1: 2.0, 2: 0.5}
    points = [{suit: table.get(cards, 0.0) for suit, cards in enumerate(hand)} for hand in lengths]
    trumps = [hand[trump] for hand in lengths]
    order = [sorted(range(4), key=lambda suit, hand=hand: (hand[suit], -suit)) for hand in lengths]
    whole = lambda counted: float(int(sum(counted.values())))
    if sorted(trumps) == [2, 5]:
        counted = (
            [points[0], dict.fromkeys(range(4), 0.0)]
            if opener == 0
            else [dict.fromkeys(range(4), 0.0), points[1]]
        )
        two = trumps.index(2)
        short = order[two][0]
        if lengths[two][short] < 2:
            counted[two][short] = 2.0 - lengths[two][short]
            counted[1 - two][short] = 0.0
        for hand in counted:
            hand[trump] = 0.0
        return [whole(hand) for hand in counted]
    if min(trumps) >= 5:
        west = {suit: points[1][suit] if points[1][suit] >= points[0][suit] else 0.0 for suit in range(4)}
        east = {suit: points[0][suit] if points[0][suit] > points[1][suit] else 0.0 for suit in range(4)}
        return [whole(east), whole(west)] if truncate_all else [sum(east.values()), sum(west.values())]
    counted = points
    if trumps[1 - opener] < 5:
        counted[1 - opener] = dict.fromkeys(range(4), 0.0)
    for hand in counted:
        hand[trump] = 0.0
    if sum(trumps) < 8:
        return [whole(hand) for hand in counted]
    short = [order[hand][0] for hand in (0, 1)]
    size = [lengths[hand][short[hand]] for hand in (0, 1)]
    ruffs = [trumps[hand] < 5 and size[hand] < 3 and size[hand] < trumps[hand] for hand in (0, 1)]
    if all(ruffs) and short[0] == short[1]:
        second = [order[hand][1] for hand in (0, 1)]
        more = [lengths[hand][second[hand]] for hand in (0, 1)]
        if min(more) <= 2:
            taker = 1 if more[1] <= more[0] else 0
            partner = 1 - taker
            counted[taker][second[taker]] = trumps[taker] - more[taker]
            counted[taker][short[0]] = 0.0
            counted[partner][short[0]] = trumps[partner] - size[partner]
            counted[partner][second[taker]] = 0.0
        else:
            taker = 1 if size[1] < size[0] else 0
            counted[taker][short[0]] = trumps[taker] - size[taker]
            counted[1 - taker][short[0]] = 0.0
    else:
        for hand in (0, 1):
            if ruffs[hand]:
                counted[hand][short[hand]] = trumps[hand] - size[hand]
                counted[1 - hand][short[hand]] = 0.0
    return [whole(hand) for hand in counted]


@pytest.fixture(scope="module")
def wild_lengths():
    """Lengths of both hands of 3,000 pairs; short suits and fits are frequent."""
    rng = np.random.default_rng(8)
    found: list = []
    while len(found) < 3000:
        first = rng.multinomial(13, rng.dirichlet([0.8] * 4))
        second = rng.multinomial(13, rng.dirichlet([0.8] * 4))
        if first.max() <= 13 and (first + second).max() <= 13:
            found.append((first, second))
    fours = [([4, a, b, 9 - a - b], [4, c, d, 9 - c - d]) for a in range(6) for b in range(5) for c in range(6) for d in range(5) if a + b <= 9 and c + d <= 9]  # fmt: skip
    found += [pair for pair in fours if np.add(*pair).max() <= 13]
    return np.array(found, np.int16).transpose(1, 2, 0)


@pytest.mark.parametrize("variant", ["coded", "intended"])
@pytest.mark.parametrize("opener", [0, 1])
def test_distribution_with_trumps_pair_by_pair(wild_lengths, opener, variant):
    short = find_short_suits(wild_lengths)
    plain = wild_lengths.transpose(2, 0, 1).tolist()
    for trump in range(4):
        got = fit_points(wild_lengths, trump, opener, short, variant)
        expected = [dfit_of_pair(pair, trump, opener, variant == "intended") for pair in plain]
        np.testing.assert_array_equal(got.T / 100, expected)


def test_longest_suit_is_one_of_the_two_highest_with_more_distribution(random_hands):
    first, second = random_hands[:3000, 0], random_hands[:3000, 2]
    pair = OptimalPoints(first, second)
    values = np.stack([opc(first, second, suit) for suit in range(4)]).T
    for length, value, suit, total in zip(
        pair.combined.T, values, pair.longest, opc(first, second), strict=True
    ):
        ties = [strain for strain in range(4) if length[strain] == length.max()][:2]
        assert suit == max(ties, key=lambda strain: (value[strain], -strain))
        assert total == value[suit]


# ---------------------------------------------------------------- properties


def test_spot_cards_below_the_nine_do_not_matter(random_hands):
    """Exchange eights for deuces of the same hand."""
    lanes = np.uint64(0x0001_0001_0001_0001)
    first, second = random_hands[:2000, 0].copy(), random_hands[:2000, 2]
    eight, deuce = lanes << np.uint64(6), lanes
    movable = first & eight & ~((first & deuce) << np.uint64(6))
    moved = first & ~movable | movable >> np.uint64(6)
    assert (moved != first).mean() > 0.5
    for strain in (None, 0, 4):
        np.testing.assert_array_equal(opc(moved, second, strain), opc(first, second, strain))


def test_notrump_does_not_depend_on_suit_names(random_hands):
    """Exchanging spades and clubs does not change notrump and quick losers."""
    low, high, middle = np.uint64(0x1FFF), np.uint64(0x1FFF << 48), np.uint64(0x1FFF_1FFF_0000)
    swap = lambda hand: (hand & low) << np.uint64(48) | (hand & high) >> np.uint64(48) | hand & middle
    first, second = random_hands[:2000, 0], random_hands[:2000, 2]
    for variant in ("coded", "intended"):
        np.testing.assert_array_equal(
            opc(first, second, 4, 0, variant), opc(swap(first), swap(second), 4, 0, variant)
        )
    np.testing.assert_array_equal(quick_losers(first, second), quick_losers(swap(first), swap(second)))


def test_batches_are_joined(random_hands):
    first, second = random_hands[:, 0], random_hands[:, 2]
    whole = opc(first, second, 0)
    parts = [opc(first[a:b], second[a:b], 0) for a, b in pairwise([0, 1, 5000, 5000, len(first)])]
    np.testing.assert_array_equal(whole, np.concatenate(parts))
    assert whole.dtype == np.int32


def test_intended_differs_from_coded(hand_of):
    # A bare ace opposite a singleton: neither wasted nor a gain.
    ace, small = hand_of("A.KQ42.J832.T942"), hand_of("2.A853.KQ74.K863")
    assert [int(OptimalPoints(ace, small, 0, variant=v).waste[0, 0, 0]) for v in ("coded", "intended")] == [
        100,
        0,
    ]
    # Two short suits in notrump.
    long, flat = hand_of("AKQJ85.KQJ97.2.4"), hand_of("T32.T83.AK85.AK9")
    coded, intended = (opc(long, flat, 4, 0, v)[0] for v in ("coded", "intended"))
    assert coded - intended == 200
    # Five opposite five trumps with one doubleton.
    first, second = hand_of("AK832.K42.Q73.A2"), hand_of("QJT94.A83.A82.K7")
    assert [
        int(OptimalPoints(first, second, 1, variant=v).fit_distribution(0).sum())
        for v in ("coded", "intended")
    ] == [50, 0]
    # A hand below 0 does not reduce the value of the other.
    bare, strong = hand_of("85432.762.952.84"), hand_of("AKQ6.AK53.A43.A7")
    difference = [int(OptimalPoints(bare, strong, 1, variant=v).hl[0]) for v in ("coded", "intended")]
    assert difference[1] - difference[0] == 200
    # The best suit may be spades.
    assert opc_best(*(hand_of(text) for text in E1), opener=0)[0][0] == 0
    assert opc_best(*(hand_of(text) for text in E1), opener=0, variant="coded")[0][0] != 0


def test_tricks_by_points():
    whole = np.arange(1800, 4300, 100)
    suit = dict(zip((whole // 100).tolist(), promised_tricks(whole, 1).tolist(), strict=True))
    notrump = dict(zip((whole // 100).tolist(), promised_tricks(whole, 4).tolist(), strict=True))
    for low, tricks in ((20, 8), (23, 9), (26, 10), (29, 11), (32, 12)):
        assert {suit[low], suit[low + 1], suit[low + 2]} == {tricks}
    assert suit[19] == 1 and suit[35] == suit[42] == 13
    for low, tricks in ((22, 8), (25, 9), (28, 10), (31, 11)):
        assert {notrump[low], notrump[low + 1], notrump[low + 2]} == {tricks}
    assert [notrump[points] for points in (20, 21, 34, 35, 36, 42)] == [1, 7, 12, 12, 13, 13]
    assert promised_tricks(np.array([3350]), 4).tolist() == [12]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"strain": 5}, "strain is 5"),
        ({"opener": 2}, "opener is 2"),
        ({"variant": "modern"}, "unknown variant 'modern' of opc; known: intended, coded"),
    ],
)
def test_rejected_arguments(hand_of, arguments, message):
    first, second = (hand_of(text) for text in E1)
    with pytest.raises(ArgumentError, match=message):
        opc(first, second, **arguments)


def test_hands_of_other_types_and_lengths(hand_of):
    first, second = hand_of(*E1), hand_of(E1[0])
    with pytest.raises(ArgumentError, match="two hands as arrays of uint64"):
        opc(first, second)
    with pytest.raises(ArgumentError, match="two hands as arrays of uint64"):
        opc(first.astype(np.int64), first.astype(np.int64))


def test_no_deals(hand_of):
    nothing = hand_of()
    assert opc(nothing, nothing).shape == opc(nothing, nothing, 4).shape == (0,)
