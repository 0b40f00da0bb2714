"""Conditional deals against all deals of small problems, and against plain dealing."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import chi2

from dealerkit import ArgumentError
from dealerkit.cards import FULL_DECK, LANE_SHIFTS, RANKS, card_bit
from dealerkit.dealing import Predeal
from dealerkit.dealing.conditional import joint_lengths
from dealerkit.dealing.conditional.hand_sets import HOLDING_LENGTHS, SHAPES, HandSet, predealt_holdings
from dealerkit.dealing.conditional.hand_tables import HandTable
from dealerkit.dealing.conditional.preparation import prepare_seat_sampler
from dealerkit.dealing.conditional.sampler import sample_numbered, sample_range
from dealerkit.dealing.uniform import deal_range

ONE = np.ones((4, 8192), dtype=bool)
POINTS = np.tile(sum((np.arange(8192) >> 12 - i & 1) * (4 - i) for i in range(4)), (4, 1))
SORTED = np.sort(SHAPES, axis=1)
BALANCED = (SORTED[:, 0] >= 2) & (SORTED[:, 3] <= 5) & (SORTED[:, 1] >= 3) | (SORTED == [2, 3, 4, 4]).all(1)
ANY = np.ones(560, dtype=bool)
NORTH, EAST, SOUTH, WEST = range(4)


def hand(shapes, low, high):
    """Hands of these shapes with these numbers of points."""
    return HandSet(ONE, POINTS, np.outer(shapes, (np.arange(38) >= low) & (np.arange(38) <= high)))


def complies(seats, hands):
    good = np.ones(len(hands), dtype=bool)
    for seat, hand_set in seats:
        good[good] = hand_set.contains(hands[good, seat])
    return good


# ---------------------------------------------------------------- small problems, all deals of them
def small_problem(rng, cards=8):
    """A predeal that leaves `cards` cards free, and all its deals."""
    free = rng.choice(52, cards, replace=False)
    owners = rng.permutation(np.repeat(np.arange(4), 13))
    given, needs = {}, [0] * 4
    bits = [card_bit(card // 13, card % 13) for card in range(52)]
    for card, owner in enumerate(owners):
        if card in free:
            needs[owner] += 1
        else:
            given.setdefault(("north", "east", "south", "west")[owner], []).append(
                "SHDC"[card // 13] + RANKS[card % 13]
            )
    predeal = Predeal.from_mapping(given)
    deals = []

    def give(seat, remaining, hands):
        if seat == 4:
            deals.append(hands)
            return
        for chosen in itertools.combinations(remaining, needs[seat]):
            cards = sum(bits[card] for card in chosen) | predeal.masks[seat]
            give(seat + 1, [card for card in remaining if card not in chosen], [*hands, cards])

    give(0, sorted(free.tolist()), [])
    return predeal, np.array(deals, dtype=np.uint64)


def uniform_p(deals, hands):
    """p-value of equally likely deals; deals that are not in the list fail."""
    key = {tuple(deal): i for i, deal in enumerate(deals.tolist())}
    counts = np.bincount([key[tuple(deal)] for deal in hands.tolist()], minlength=len(deals))
    expected = len(hands) / len(deals)
    assert expected > 8
    return chi2.sf(((counts - expected) ** 2 / expected).sum(), max(1, len(deals) - 1))


@pytest.mark.parametrize("bits", [62, 5], ids=["whole units", "partial units"])
@pytest.mark.parametrize("seed", range(6))
def test_all_deals_of_a_small_problem_are_equally_likely(seed, bits, monkeypatch):
    """With few bits for the ranks, most classes have a partial unit, as weights above 64 bits have."""
    monkeypatch.setattr(joint_lengths, "RANK_BITS", bits)
    rng = np.random.default_rng(seed)
    predeal, deals = small_problem(rng)
    for exact, count in ((1, 1), (3, 1), (1, 2), (2, 2), (2, 3), (3, 3), (3, 4), (1, 4)):
        seats = []
        for seat in rng.permutation(4)[:count].tolist():
            codes = rng.integers(0, 9, (4, 8192))
            allowed = rng.random((560, 33)) < 0.8
            seats.append((seat, HandSet(rng.random((4, 8192)) < 0.97, codes, allowed)))
        good = deals[complies(seats, deals)]
        if not len(good):
            continue
        sampler = prepare_seat_sampler(seats, predeal, exact).build()
        assert sampler.n_exact_seats == min(exact, count, 3)
        if bits == 5 and sampler.total >= 32:
            assert sampler.first[0].spare > 0
        hands, _ = sample_range(
            sampler, 3, 0, int(30 * len(good) * sampler.share * len(deals) / len(good)) + 200
        )
        assert uniform_p(good, hands) > 1e-5
        if count == 1:
            assert sampler.share == Fraction(len(good), len(deals))


@pytest.mark.parametrize("most", [10, 1 << 17])
def test_too_many_pairs_of_lengths_leave_out_one_seat(most, monkeypatch):
    """Then the second seat's lengths are sampled and the third's are not; the deals are still equally likely."""
    monkeypatch.setattr(joint_lengths, "MAX_CLASSES", most)
    predeal, deals = small_problem(np.random.default_rng(8))
    some = np.zeros((560, 1), dtype=bool)
    some[np.flatnonzero((SHAPES.max(axis=1) < 6) & (SHAPES[:, 0] % 2 == 1))] = True
    other = np.zeros((560, 1), dtype=bool)
    other[np.flatnonzero((SHAPES.max(axis=1) < 7) & (SHAPES[:, 1] != 3))] = True
    codes = np.zeros((4, 8192), dtype=np.int32)
    seats = [(NORTH, HandSet(ONE, codes, some)), (EAST, HandSet(ONE, codes, other))]
    seats.append((SOUTH, HandSet(ONE, codes, other)))
    good = deals[complies(seats, deals)]
    sampler = prepare_seat_sampler(seats, predeal).build()
    assert sampler.n_exact_seats == (2 if most == 10 else 3) and len(good) > 20
    hands, _ = sample_range(sampler, 3, 0, 6000)
    assert uniform_p(good, hands) > 1e-5


@pytest.mark.parametrize("seed", range(4))
def test_the_share_is_the_number_of_deals_with_these_lengths(seed):
    rng = np.random.default_rng(100 + seed)
    predeal, deals = small_problem(rng, 8)
    everything = HandSet.all_hands()
    lengths = [HandSet(ONE, everything.codes, (rng.random(560) < 0.7)[:, None]) for _ in range(4)]
    seats = [(seat, lengths[seat]) for seat in rng.permutation(4).tolist()]
    for count in (1, 2, 3, 4):
        sampler = prepare_seat_sampler(seats[:count], predeal).build()
        assert sampler.share == Fraction(int(complies(seats[:count], deals).sum()), len(deals))


def test_the_share_with_predealt_lengths_is_that_of_the_complying_deals():
    given = Predeal.from_mapping({"north": {"spades": 5}, "south": {"hearts": 4}})
    seats = [(NORTH, hand(ANY, 12, 14))]
    sampler = prepare_seat_sampler(seats, given).build()
    assert sampler.n_exact_seats == 2 and [seat for seat, _ in sampler.seats] == [NORTH, SOUTH]
    plain = complies(seats, deal_range(1, 0, 200_000, 5, given)).mean()
    assert float(sampler.share) == pytest.approx(plain, abs=5 * np.sqrt(plain / 200_000))
    alone = prepare_seat_sampler(seats, Predeal.from_mapping({"north": {"spades": 5}})).build()
    by_points = HandTable(hand(SHAPES[:, 0] == 5, 12, 14)).total
    assert alone.share == Fraction(by_points, comb(13, 5) * comb(39, 8))


# ---------------------------------------------------------------- against plain dealing
def summary(hands):
    """Tables of counts: owner of each card, lengths and points of each seat, points of seats jointly."""
    tables = []
    for shift in range(64):
        if FULL_DECK >> shift & 1:
            tables.append(((hands >> np.uint64(shift)) & np.uint64(1)).sum(axis=0).astype(np.int64))
    points = np.zeros(hands.shape, dtype=np.int64)
    for suit in range(4):
        lanes = (hands >> np.uint64(48 - 16 * suit)).astype(np.int64) & 8191
        points += POINTS[suit, lanes]
        lengths = HOLDING_LENGTHS[lanes].astype(np.int64)
        for seat in range(4):
            tables.append(np.bincount(lengths[:, seat], minlength=14))
        tables.append(np.bincount(lengths[:, 0] * 14 + lengths[:, 1], minlength=196))
        tables.append(np.bincount(lengths[:, 2] * 14 + lengths[:, 3], minlength=196))
    tables += [np.bincount(points[:, seat], minlength=38) for seat in range(4)]
    tables += [
        np.bincount(points[:, a] * 38 + points[:, b], minlength=38**2) for a, b in ((0, 2), (1, 3), (0, 1))
    ]
    return tables


def least_p(first, second):
    """Least p-value of two-sample chi-square tests, tables with few counts lumped."""
    ps = []
    for observed, reference in zip(summary(first), summary(second), strict=True):
        rare = observed + reference < 40
        observed, reference = (np.append(table[~rare], table[rare].sum()) for table in (observed, reference))
        seen = observed + reference > 0
        observed, reference = observed[seen], reference[seen]
        if len(observed) < 2:
            continue
        a, b = observed.sum(), reference.sum()
        expected = (observed + reference) / (a + b)
        x = (
            (observed - a * expected) ** 2 / (a * expected) + (reference - b * expected) ** 2 / (b * expected)
        ).sum()
        ps.append(chi2.sf(x, len(observed) - 1))
    return min(ps)


FIVE_SPADES, FOUR_HEARTS, LONG = SHAPES[:, 0] >= 5, SHAPES[:, 1] >= 4, SORTED[:, 3] >= 6
SPADE_HONOUR = ONE & ((np.arange(8192) >> 10 > 0) | (np.arange(4) > 0)[:, None])
GIVEN = Predeal.from_mapping({"north": ["SAK", {"hearts": 4}], "east": "HA,D2", "west": "SQxx"})
CASES = {
    "one hand": ([(NORTH, hand(BALANCED, 15, 17))], None),
    "another seat": ([(WEST, hand(LONG, 5, 10))], None),
    "two hands": ([(SOUTH, hand(FIVE_SPADES, 8, 15)), (NORTH, hand(FOUR_HEARTS, 6, 37))], None),
    "two with all shapes": ([(EAST, hand(ANY, 13, 37)), (WEST, hand(ANY, 9, 37))], None),
    "three hands": (
        [(NORTH, hand(BALANCED, 12, 17)), (SOUTH, hand(FOUR_HEARTS, 6, 37)), (EAST, hand(ANY, 5, 37))],
        None,
    ),
    "four hands": (
        [
            (NORTH, hand(BALANCED, 11, 17)), (EAST, hand(FIVE_SPADES, 0, 12)),
            (SOUTH, hand(ANY, 6, 37)), (WEST, hand(SHAPES[:, 3] >= 3, 0, 37)),
        ],
        None,
    ),
    "holdings": ([(NORTH, hand(ANY, 10, 14).restrict(SPADE_HONOUR)), (SOUTH, HandSet.all_hands().restrict(SPADE_HONOUR))], None),
    "predeal": ([(NORTH, hand(ANY, 12, 20)), (SOUTH, hand(SHAPES[:, 2] >= 4, 0, 9))], GIVEN),
}  # fmt: skip


def sample_accepted(seats, predeal, count, exact=3, seed=5):
    sampler = prepare_seat_sampler(seats, predeal, exact).build()
    parts, first = [], 0
    while sum(map(len, parts)) < count:
        parts.append(sample_range(sampler, seed, first, 1 << 17)[0])
        first += 1 << 17
    return sampler, np.concatenate(parts)[:count]


@functools.lru_cache(maxsize=1)
def deal_plainly(predeal):
    return np.concatenate([deal_range(9, b << 18, 1 << 18, 15, predeal) for b in range(5)])


@functools.lru_cache(maxsize=2)
def select_plain_deals(case):
    seats, predeal = CASES[case]
    plain = deal_plainly(predeal)
    return plain[complies(seats, plain)]


@pytest.mark.parametrize("exact", [1, 3])
@pytest.mark.parametrize("case", CASES)
def test_deals_are_those_of_plain_dealing(case, exact):
    seats, predeal = CASES[case]
    plain = select_plain_deals(case)
    sampler, hands = sample_accepted(seats, predeal, 100_000, exact)
    assert (np.bitwise_or.reduce(hands, axis=1) == FULL_DECK).all() and (np.bitwise_count(hands) == 13).all()
    assert complies(seats, hands).all()
    if predeal:
        for seat in range(4):
            possible = HandSet.all_hands().restrict(predealt_holdings(predeal, seat))
            assert possible.contains(hands[:, seat]).all()
    assert len(plain) > 15_000
    assert least_p(hands, plain) > 1e-5


@pytest.mark.parametrize("barred", ["", "HJ", "S2 HJ", "HJ DJ", "SJ HQ", "SJ HQ DK"])
def test_suits_with_the_same_table_are_interchangeable(barred):
    """Hands of honours and deuces alone, some cards barred: each of them is equally likely."""
    deck = [suit + rank for suit in "SHDC" for rank in "AKQJ2" if suit + rank not in barred.split()]
    bit = {card: card_bit("SHDC".index(card[0]), RANKS.index(card[1])) for card in deck}
    hands_of_honours = [
        sum(map(bit.get, chosen))
        for chosen in itertools.combinations(deck, 13)
        if sum(" JQKA".find(card[1]) for card in chosen if card[1] in "AKQJ") >= 30
    ]
    pack = sum(bit.values())
    lanes = [pack >> shift & 8191 for shift in LANE_SHIFTS]
    holdings = np.array([np.arange(8192) & ~lane == 0 for lane in lanes])
    hand_set = HandSet(holdings, POINTS, np.outer(ANY, np.arange(38) >= 30))
    sampler = prepare_seat_sampler([(EAST, hand_set)]).build()
    assert sampler.total == len(hands_of_honours) > 20
    hands, _ = sample_range(sampler, 3, 0, 50 * len(hands_of_honours), 1 << EAST)
    counts = Counter(hands[:, EAST].tolist())
    assert counts.keys() == set(hands_of_honours)
    off = sum((number - 50) ** 2 / 50 for number in counts.values())
    assert 1e-4 < chi2.sf(off, len(hands_of_honours) - 1) < 1 - 1e-4


def test_a_wrong_weight_is_detected():
    """The tests above can fail: with half of the lengths a fifth too heavy they do."""
    seats, _ = CASES["two hands"]
    _, fair = sample_accepted(seats, None, 100_000, seed=6)
    sampler, _ = sample_accepted(seats, None, 1)
    table, *rest = sampler.first
    weights = np.diff(table.cumulative).astype(object)
    half = np.searchsorted(table.cumulative, table.total // np.uint64(2))
    weights[:half] = weights[:half] * 6 // 5
    wrong = np.array([0, *itertools.accumulate(weights)], dtype=np.uint64)
    total, shift = int(wrong[-1]), int(table.shift)
    starts = np.arange((total >> shift) + 1, dtype=np.uint64) << np.uint64(shift)
    guide = np.minimum(np.searchsorted(wrong, starts, side="right") - 1, len(weights) - 1).astype(np.uint32)
    table = table._replace(
        total=np.uint64(total), threshold=np.uint64((1 << 64) % total), cumulative=wrong, guide=guide
    )
    object.__setattr__(sampler, "first", (table, *rest))
    hands, _ = sample_range(sampler, 5, 0, 400_000)
    assert least_p(hands[:100_000], fair) < 1e-9


def test_weights_above_64_bits():
    small = [
        (NORTH, hand(BALANCED, 12, 17)),
        (SOUTH, hand(BALANCED & FOUR_HEARTS, 6, 37)),
        (EAST, hand(FIVE_SPADES, 5, 37)),
    ]
    sampler, hands = sample_accepted(small, None, 40_000)
    assert sampler.n_exact_seats == 3 and sampler.total > 1 << 64 and sampler.first[0].spare > 0
    _, others = sample_accepted(small, None, 40_000, exact=1, seed=8)
    assert least_p(hands, others) > 1e-5


# ---------------------------------------------------------------- numbering
PLAN = prepare_seat_sampler(CASES["four hands"][0]).build()


def test_any_partition_gives_the_same_candidates():
    hands, numbers = sample_range(PLAN, 4, 60_000, 12_000)
    assert 0 < len(numbers) < 12_000 and (np.diff(numbers) > 0).all()
    for cuts in ([60_000, 72_000], [60_000, 60_001, 65_535, 65_536, 65_537, 70_000, 72_000]):
        parts = [sample_range(PLAN, 4, a, b - a) for a, b in itertools.pairwise(cuts)]
        assert (np.concatenate([part[0] for part in parts]) == hands).all()
        assert (np.concatenate([part[1] for part in parts]) == numbers).all()


@pytest.mark.parametrize("case", ["one hand", "two hands", "predeal"])
def test_hands_do_not_depend_on_the_needed_seats(case):
    sampler = prepare_seat_sampler(*CASES[case]).build()
    hands, numbers = sample_range(sampler, 4, 0, 5_000)
    for seats in range(16):
        some, same = sample_range(sampler, 4, 0, 5_000, seats)
        assert (same == numbers).all()
        for seat in range(4):
            if seats >> seat & 1:
                assert (some[:, seat] == hands[:, seat]).all()


def test_candidates_by_number():
    hands, numbers = sample_range(PLAN, 4, 60_000, 12_000)
    order = np.random.default_rng(1).permutation(len(numbers))
    assert (sample_numbered(PLAN, 4, numbers[order]) == hands[order]).all()
    assert sample_numbered(PLAN, 4, np.zeros(0, dtype=np.int64)).shape == (0, 4)


def test_another_seed_and_the_uniform_stream_give_other_deals():
    sampler = prepare_seat_sampler([(0, HandSet.all_hands())]).build()
    first = sample_range(sampler, 1, 0, 1000)[0]
    assert (first != sample_range(sampler, 2, 0, 1000)[0]).any(axis=1).mean() > 0.99
    assert (first != deal_range(1, 0, 1000)).any(axis=1).mean() > 0.99


# ---------------------------------------------------------------- bad input
def test_nothing_complies():
    nothing = HandSet(ONE, POINTS, np.zeros((560, 38), dtype=bool))
    for seats in ([(0, nothing)], [(0, HandSet.all_hands()), (2, nothing)]):
        sampler = prepare_seat_sampler(seats).build()
        hands, numbers = sample_range(sampler, 1, 0, 1000)
        assert hands.shape == (0, 4) and numbers.shape == (0,)
    assert prepare_seat_sampler([(0, nothing)]).build().share == 0
    seven = HandSet(ONE, POINTS, np.outer(SHAPES[:, 0] >= 7, np.ones(38, dtype=bool)))
    assert prepare_seat_sampler([(0, seven), (1, seven)]).build().share == 0


def test_invalid_arguments_raise_errors():
    hand_set = HandSet.all_hands()
    for seats in ([], [(0, hand_set), ("north", hand_set)], [(0, HandSet.all_hands(26))], [(4, hand_set)]):
        with pytest.raises(ArgumentError):
            prepare_seat_sampler(seats).build()
    with pytest.raises(ArgumentError, match="first is -1 and count is 5; both must be 0 or more"):
        sample_range(PLAN, 1, -1, 5)
    with pytest.raises(ArgumentError, match="the number of a candidate is -1"):
        sample_numbered(PLAN, 1, np.array([3, -1]))
