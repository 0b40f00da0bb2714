"""Deals sampled from a side's set: against all deals of small problems, plain dealing and enumerations."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import chi2

import dealerkit as dk
from dealerkit import ArgumentError, UnsatisfiableWarning
from dealerkit.cards import FULL_DECK, RANKS, card_bit
from dealerkit.dealing import Predeal
from dealerkit.dealing.conditional import joint_lengths
from dealerkit.dealing.conditional.hand_sets import SHAPES, HandSet, list_shapes
from dealerkit.dealing.conditional.preparation import prepare_seat_sampler, prepare_side_sampler
from dealerkit.dealing.conditional.sampler import (
    HandSetSampler,
    sample_numbered,
    sample_range,
)
from dealerkit.dealing.uniform import deal_range

ONE = np.ones((4, 8192), dtype=bool)
POINTS = np.tile(sum((np.arange(8192) >> 12 - i & 1) * (4 - i) for i in range(4)), (4, 1))
SIDES = list_shapes(26)
ANY, ALL = np.ones(560, dtype=bool), np.ones(1834, dtype=bool)
SORTED = np.sort(SHAPES, axis=1)
BALANCED = (SORTED[:, 0] >= 2) & (SORTED[:, 3] <= 5) & (SORTED[:, 1] >= 3) | (SORTED == [2, 3, 4, 4]).all(1)
SIDES_OF_52 = comb(52, 26)
NORTH, EAST, SOUTH, WEST = range(4)
Seats = Sequence[tuple[int, HandSet]]


def hand(shapes: np.ndarray, low: int, high: int) -> HandSet:
    return HandSet(ONE, POINTS, np.outer(shapes, (np.arange(38) >= low) & (np.arange(38) <= high)))


def of_shape(shapes: np.ndarray) -> HandSet:
    return HandSet(ONE, 0 * POINTS, shapes[:, None])


def pair(shapes: np.ndarray, low: int, high: int = 40) -> HandSet:
    """Sides of these shapes with these numbers of points."""
    return HandSet(ONE, POINTS, np.outer(shapes, (np.arange(41) >= low) & (np.arange(41) <= high)))


def complies(side: int, cards: HandSet, seats: Seats, hands: np.ndarray) -> np.ndarray:
    good = cards.contains(hands[:, side] | hands[:, side + 2])
    for seat, hand_set in seats:
        good[good] = hand_set.contains(hands[good, seat])
    return good


def deal_out(sampler: HandSetSampler, count: int, seed: int = 5) -> np.ndarray:
    parts: list[np.ndarray] = []
    first = 0
    while sum(len(part) for part in parts) < count:
        parts.append(sample_range(sampler, seed, first, 1 << 16)[0])
        first += 1 << 16
    return np.concatenate(parts)[:count]


# ---------------------------------------------------------------- small problems, all deals of them
def small_problem(rng: np.random.Generator, cards: int = 8) -> tuple[Predeal, np.ndarray]:
    """A predeal that leaves `cards` cards free, and all its deals."""
    owners = rng.permutation(np.repeat(np.arange(4), 13))
    free = sorted(rng.choice(52, cards, replace=False).tolist())
    masks, needs = [0] * 4, np.bincount(owners[free], minlength=4)
    given: dict[str, list[str]] = {}
    for card in set(range(52)) - set(free):
        masks[owners[card]] |= card_bit(card // 13, card % 13)
        given.setdefault("NESW"[owners[card]], []).append("SHDC"[card // 13] + RANKS[card % 13])
    orders = {
        tuple(order) for order in itertools.permutations(np.repeat(np.arange(4), needs).tolist(), cards)
    }
    deals = []
    for order in sorted(orders):
        hands = list(masks)
        for card, seat in zip(free, order, strict=True):
            hands[seat] |= card_bit(card // 13, card % 13)
        deals.append(hands)
    return Predeal.from_mapping(given), np.array(deals, dtype=np.uint64)


def uniform_p(deals: np.ndarray, hands: np.ndarray) -> float:
    """p-value of equally likely deals; a deal that is not in the list is an error."""
    key = {tuple(deal): i for i, deal in enumerate(deals.tolist())}
    counts = np.bincount([key[tuple(deal)] for deal in hands.tolist()], minlength=len(deals))
    expected = len(hands) / len(deals)
    assert expected > 8
    return float(chi2.sf(((counts - expected) ** 2 / expected).sum(), max(1, len(deals) - 1)))


@pytest.mark.parametrize("bits", [62, 5], ids=["whole units", "partial units"])
@pytest.mark.parametrize("seed", range(4))
def test_all_deals_of_a_small_problem_are_equally_likely(
    seed: int, bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joint_lengths, "RANK_BITS", bits)
    rng = np.random.default_rng(seed)
    predeal, deals = small_problem(rng)
    for side, count in itertools.product((0, 1), range(5)):
        cards = HandSet(ONE, rng.integers(0, 9, (4, 8192)), rng.random((1834, 33)) < 0.7)
        seats = [
            (seat, HandSet(ONE, rng.integers(0, 9, (4, 8192)), rng.random((560, 33)) < 0.8))
            for seat in rng.permutation(4)[:count].tolist()
        ]
        good = deals[complies(side, cards, seats, deals)]
        sampler = prepare_side_sampler(side, cards, seats, predeal).build()
        if count == 0:
            assert sampler.share == Fraction(len(good), len(deals)) and sampler.accepts_all
        if not len(good):
            assert not len(sample_range(sampler, 3, 0, 1000)[0])
            continue
        assert sampler.n_exact_seats == len({seat % 2 for seat, _ in seats})
        if bits == 5 and sampler.total >= 32:
            assert sampler.first[0].spare > 0
        n_candidates = int(30 * len(good) * sampler.share * len(deals) / len(good)) + 200
        hands, _ = sample_range(sampler, 3, 0, n_candidates)
        assert uniform_p(good, hands) > 1e-5


@pytest.mark.parametrize("seed", range(3))
def test_the_share_is_the_number_of_deals_with_these_cards_and_lengths(seed: int) -> None:
    rng = np.random.default_rng(50 + seed)
    predeal, deals = small_problem(rng)
    none = np.zeros((4, 8192), dtype=np.int64)
    cards = HandSet(ONE, rng.integers(0, 9, (4, 8192)), rng.random((1834, 33)) < 0.8)
    lengths = [HandSet(ONE, none, (rng.random(560) < 0.8)[:, None]) for _ in range(4)]
    for named in ([NORTH], [EAST, NORTH], [SOUTH, NORTH], [WEST, SOUTH, EAST], [NORTH, EAST, SOUTH, WEST]):
        seats = [(seat, lengths[seat]) for seat in named]
        sampler = prepare_side_sampler(0, cards, seats, predeal).build()
        assert sampler.share == Fraction(int(complies(0, cards, seats, deals).sum()), len(deals))


# ---------------------------------------------------------------- enumerations
@pytest.mark.parametrize(("points", "share"), [(20, 0.082222), (25, 0.048919), (26, 0.038834)])
def test_points_of_a_pair(points: int, share: float) -> None:
    """From the 5^4 ways to hold given numbers of aces, kings, queens and jacks."""
    held = itertools.product(range(5), repeat=4)
    ways = sum(
        comb(4, a) * comb(4, k) * comb(4, q) * comb(4, j) * comb(36, 26 - a - k - q - j)
        for a, k, q, j in held
        if 4 * a + 3 * k + 2 * q + j == points
    )
    sampler = prepare_side_sampler(1, pair(ALL, points, points)).build()
    assert sampler.total == ways and sampler.share == Fraction(ways, SIDES_OF_52)
    assert float(sampler.share) == pytest.approx(share, abs=5e-7)


def test_the_best_fit_of_a_pair() -> None:
    percent = {7: 15.7363, 8: 45.7447, 9: 28.0999, 10: 8.6729, 11: 1.5816, 12: 0.1582, 13: 0.0066}
    for fit, share in percent.items():
        shapes = SIDES[SIDES.max(axis=1) == fit].tolist()
        ways = sum(comb(13, s) * comb(13, h) * comb(13, d) * comb(13, c) for s, h, d, c in shapes)
        sampler = prepare_side_sampler(
            0, HandSet(ONE, 0 * POINTS, (SIDES.max(axis=1) == fit)[:, None])
        ).build()
        assert sampler.total == ways
        assert 100 * float(sampler.share) == pytest.approx(share, abs=5e-5)


@pytest.mark.parametrize(
    ("condition", "cards", "predeal"),
    [
        ("hcp(north) + hcp(south) >= 33", pair(ALL, 33), None),
        ("fit(NS, spades) >= 10 and hcp(north) + hcp(south) <= 20", pair(SIDES[:, 0] >= 10, 0, 20), None),
        (
            "hcp(north) + hcp(south) >= 30 and fit(NS, hearts) >= 8", pair(SIDES[:, 1] >= 8, 30),
            {"north": "SAK,HQ", "west": "DAQJ"},
        ),
    ],
)  # fmt: skip
def test_the_share_is_the_probability(condition: str, cards: HandSet, predeal: dict | None) -> None:
    given = Predeal.from_mapping(predeal or {})
    probability = dk.probability(condition, predeal=predeal)
    assert (
        probability.exact
        and probability.fraction == prepare_side_sampler(0, cards, predeal=given).build().share
    )


# ---------------------------------------------------------------- against plain dealing
def summary(hands: np.ndarray) -> list[np.ndarray]:
    """Tables of counts: owner of each card, lengths and points of each seat, and of seats jointly."""
    tables = []
    points = np.zeros(hands.shape, dtype=np.int64)
    for suit in range(4):
        lanes = (hands >> np.uint64(48 - 16 * suit)).astype(np.int64) & 8191
        tables += [(lanes >> rank & 1).sum(axis=0) for rank in range(13)]
        points += POINTS[suit, lanes]
        lengths = np.bitwise_count(lanes).astype(np.int64)
        for a, b in itertools.combinations(range(4), 2):
            tables.append(np.bincount(lengths[:, a] * 14 + lengths[:, b], minlength=196))
    for a, b in itertools.combinations(range(4), 2):
        tables.append(np.bincount(points[:, a] * 38 + points[:, b], minlength=38**2))
    return tables


def least_p(first: np.ndarray, second: np.ndarray) -> float:
    """Least p-value of two-sample chi-square tests, cells with few counts lumped."""
    ps = []
    for observed, reference in zip(summary(first), summary(second), strict=True):
        rare = observed + reference < 40
        observed, reference = (np.append(table[~rare], table[rare].sum()) for table in (observed, reference))
        seen = observed + reference > 0
        observed, reference = observed[seen], reference[seen]
        if len(observed) > 1:
            share = (observed + reference) / (observed.sum() + reference.sum())
            a, b = observed.sum() * share, reference.sum() * share
            ps.append(chi2.sf(((observed - a) ** 2 / a + (reference - b) ** 2 / b).sum(), len(observed) - 1))
    return min(ps)


GIVEN = {"north": ["SAK", {"hearts": 4}], "east": "HA,D2", "west": "SQxx"}
CASES: dict[str, tuple[int, HandSet, Seats, dict]] = {
    "points": (0, pair(ALL, 28), [], {}),
    "points and fit": (1, pair(SIDES[:, 1] >= 8, 24, 26), [], {}),
    "a partner's lengths": (0, pair(ALL, 24), [(SOUTH, hand(BALANCED, 12, 37))], {}),
    "both partners": (
        0, pair(SIDES[:, 0] >= 8, 22), [(NORTH, hand(ANY, 12, 37)), (SOUTH, hand(SHAPES[:, 0] >= 3, 6, 37))], {},
    ),
    "an opponent": (0, pair(ALL, 24), [(EAST, hand(SHAPES[:, 0] >= 5, 0, 37))], {}),
    "lengths only": (
        0, pair(SIDES[:, 0] >= 8, 16, 30),
        [(NORTH, of_shape(SHAPES[:, 0] >= 5)), (SOUTH, of_shape(SHAPES[:, 2] >= 2)), (EAST, of_shape(BALANCED))], {},
    ),
    "four hands": (
        1, pair(SIDES.max(axis=1) >= 9, 16, 24),
        [(WEST, hand(ANY, 6, 37)), (NORTH, hand(BALANCED, 10, 37)), (SOUTH, hand(ANY, 5, 37)), (EAST, hand(ANY, 3, 37))],
        {},
    ),
    "predeal": (0, pair(ALL, 22, 27), [(EAST, hand(SHAPES[:, 1] >= 3, 0, 37))], GIVEN),
}  # fmt: skip


@functools.lru_cache(maxsize=1)
def deal_plainly(predeal: Predeal) -> np.ndarray:
    return np.concatenate([deal_range(9, block << 18, 1 << 18, 15, predeal) for block in range(4)])


@pytest.mark.parametrize("case", CASES)
def test_deals_are_those_of_plain_dealing(case: str) -> None:
    side, cards, seats, given = CASES[case]
    predeal = Predeal.from_mapping(given)
    plain = deal_plainly(predeal)
    plain = plain[complies(side, cards, seats, plain)]
    hands = deal_out(prepare_side_sampler(side, cards, seats, predeal).build(), 60_000)
    assert (np.bitwise_or.reduce(hands, axis=1) == FULL_DECK).all() and (np.bitwise_count(hands) == 13).all()
    assert complies(side, cards, seats, hands).all()
    assert len(plain) > 10_000
    assert least_p(hands, plain) > 1e-5


def test_sets_defined_by_lengths_are_not_tested() -> None:
    side, cards, seats, _ = CASES["lengths only"]
    sampler = prepare_side_sampler(side, cards, seats[:2]).build()
    assert sampler.n_exact_seats == 1 and sampler.accepts_all
    low = ONE.copy()
    low[0] = np.arange(8192) < 4096  # without the ace of spades
    for tested in (of_shape(BALANCED).restrict(low), hand(BALANCED, 0, 37)):
        assert not prepare_side_sampler(side, cards, [(NORTH, tested)]).build().accepts_all
        assert (
            not prepare_seat_sampler([(SOUTH, hand(BALANCED, 12, 14)), (NORTH, tested)]).build().accepts_all
        )
    long = HandSet.all_hands().restrict(np.bitwise_count(np.arange(8192)) >= [[5], [0], [0], [0]])
    assert prepare_seat_sampler([(SOUTH, hand(BALANCED, 12, 14)), (NORTH, long)]).build().accepts_all
    assert (
        not prepare_seat_sampler([(SOUTH, hand(BALANCED, 12, 14)), (NORTH, long)], max_exact_seats=1)
        .build()
        .accepts_all
    )


def test_a_wrong_number_is_detected() -> None:
    """The test above can fail: with half of the side's lengths a fifth too heavy it does."""
    _, cards, seats, _ = CASES["points"]
    fair, sampler = (
        deal_out(prepare_side_sampler(0, cards, seats).build(), 60_000, seed=6),
        prepare_side_sampler(0, cards, seats).build(),
    )
    table, *rest = sampler.first
    weights = np.diff(table.cumulative)
    weights[: len(weights) // 2] += weights[: len(weights) // 2] // np.uint64(5)
    wrong = np.append(np.uint64(0), np.cumsum(weights))
    total, shift = int(wrong[-1]), int(table.shift)
    starts = np.arange((total >> shift) + 1, dtype=np.uint64) << np.uint64(shift)
    guide = np.minimum(np.searchsorted(wrong, starts, side="right") - 1, len(weights) - 1).astype(np.uint32)
    table = table._replace(
        total=np.uint64(total), threshold=np.uint64((1 << 64) % total), cumulative=wrong, guide=guide
    )
    object.__setattr__(sampler, "first", (table, *rest))
    assert least_p(deal_out(sampler, 60_000), fair) < 1e-9


# ---------------------------------------------------------------- numbering
@pytest.mark.parametrize("case", ["points", "four hands", "predeal"])
def test_partition_seats_and_order_change_nothing(case: str) -> None:
    side, cards, seats, given = CASES[case]
    sampler = prepare_side_sampler(side, cards, seats, Predeal.from_mapping(given)).build()
    hands, numbers = sample_range(sampler, 4, 62_000, 6_000)
    assert 0 < len(numbers) <= 6_000 and (np.diff(numbers) > 0).all()
    assert (len(numbers) == 6_000) == sampler.accepts_all == (case == "points")
    cuts = [62_000, 62_001, 65_535, 65_536, 65_537, 66_000, 68_000]
    parts = [sample_range(sampler, 4, a, b - a) for a, b in itertools.pairwise(cuts)]
    assert (np.concatenate([part[0] for part in parts]) == hands).all()
    assert (np.concatenate([part[1] for part in parts]) == numbers).all()
    for needed in range(16):
        some, same = sample_range(sampler, 4, 62_000, 6_000, needed)
        assert (same == numbers).all()
        for seat in range(4):
            if needed >> seat & 1:
                assert (some[:, seat] == hands[:, seat]).all()
    order = np.random.default_rng(1).permutation(len(numbers))
    assert (sample_numbered(sampler, 4, numbers[order]) == hands[order]).all()


def test_candidates_of_a_side_are_not_those_of_a_seat() -> None:
    sides = prepare_side_sampler(0, HandSet.all_hands(26)).build()
    first = sample_range(sides, 1, 0, 1000)[0]
    for other in (
        sample_range(sides, 2, 0, 1000)[0],
        sample_range(prepare_seat_sampler([(0, HandSet.all_hands())]).build(), 1, 0, 1000)[0],
        deal_range(1, 0, 1000),
    ):
        assert (first != other).any(axis=1).mean() > 0.99
    assert sides.total == SIDES_OF_52 and sides.share == 1


# ---------------------------------------------------------------- runs
def run(condition: str, plan: str, produce: int, **more: object) -> dk.Result:
    return dk.run(f"condition {condition} action", produce=produce, plan=plan, keep="all", threads=1, **more)


@pytest.mark.parametrize(
    "condition",
    [
        "hcp(north) + hcp(south) >= 33",
        "hcp(north) + hcp(south) >= 29 and hcp(east) > hcp(west) and spades(south) >= 4",
    ],
)
def test_runs_produce_the_same_deals_under_either_plan(condition: str) -> None:
    sampled = run(condition, "conditional", 40_000, seed=1)
    assert sampled.plan.sampling is not None and sampled.plan.sampling.sampler.side == 0
    assert len(sampled.deals.where(condition)) == 40_000
    plain = run(condition, "plain", 40_000, generate=3_000_000, seed=2)
    assert plain.produced > 8_000
    assert least_p(sampled.deals.hands, plain.deals.hands) > 1e-5
    auto = run(condition, "auto", 40_000, seed=1)
    assert auto.plan.name == "conditional" and (auto.deals.hands == sampled.deals.hands).all()


def test_the_probability_of_a_run_is_exact_where_all_candidates_are_accepted() -> None:
    exact = dk.probability("hcp(north) + hcp(south) >= 33").fraction
    sure = run("hcp(north) + hcp(south) >= 33", "conditional", 100, seed=1)
    assert sure.probability.exact and sure.probability.value == float(exact)
    tested = run("hcp(north) + hcp(south) >= 33 and hcp(north) > hcp(south)", "conditional", 2000, seed=1)
    assert not tested.probability.exact
    assert tested.probability.lo < float(exact) / 2 and tested.probability.hi > 0.8 * float(exact) / 2


def test_the_rarer_of_seat_and_side_is_sampled_first() -> None:
    seat = run("hcp(north) >= 22 and hcp(north) + hcp(south) >= 25", "conditional", 10, seed=1)
    side = run("hcp(north) >= 13 and hcp(north) + hcp(south) >= 33", "conditional", 10, seed=1)
    assert seat.plan.sampling is not None and side.plan.sampling is not None
    assert (seat.plan.sampling.sampler.side, side.plan.sampling.sampler.side) == (None, 0)
    assert len(seat.plan.clauses) == 1 and not side.plan.clauses


def test_a_sum_that_no_side_has() -> None:
    with pytest.warns(UnsatisfiableWarning, match=r"hcp\(north\) \+ hcp\(south\) >= 41"):
        result = run("hcp(north) + hcp(south) >= 41", "conditional", 10, seed=1)
    assert result.produced == 0 and result.probability.exact and result.probability.value == 0


# ---------------------------------------------------------------- bad input
def test_invalid_arguments_raise_errors() -> None:
    all_hands, both = HandSet.all_hands(), HandSet.all_hands(26)
    with pytest.raises(ArgumentError, match="0 .north-south. or 1"):
        prepare_side_sampler(2, both).build()
    with pytest.raises(ArgumentError, match="must have 26 cards"):
        prepare_side_sampler(0, all_hands).build()
    with pytest.raises(ArgumentError, match="must have 26 cards"):
        prepare_side_sampler(0, both, [(0, both)]).build()
    with pytest.raises(ArgumentError, match="named twice"):
        prepare_side_sampler(0, both, [(0, all_hands), (0, all_hands)]).build()
