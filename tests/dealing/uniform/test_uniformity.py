"""Ten million deals of the uniform stream against exact distributions, enumerated here.

The enumerations themselves are held to published values (E1 to E11 of the reference list).
The seed is fixed, so each p-value is one number; the bound of one in ten thousand for the
smallest of about sixty is what a fair sampler passes 994 times in 1000.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import comb, prod

import numpy as np
import pytest
from scipy.stats import chi2

from dealerkit.cards import FULL_DECK
from dealerkit.dealing.uniform import deal_range

HANDS, PAIRS = comb(52, 13), comb(52, 26)
HOLDINGS = np.arange(8192)
LENGTH = np.bitwise_count(HOLDINGS.astype(np.uint16)).astype(np.int64)
POINTS = sum((HOLDINGS >> 12 - i & 1) * (4 - i) for i in range(4))
CONTROLS = (HOLDINGS >> 12 & 1) * 2 + (HOLDINGS >> 11 & 1)


# ---------------------------------------------------------------- exact distributions
def honour_points(values, cards):
    """Distribution of the sum over `cards` of 52 cards: four of each value, the others have value 0."""
    ways_by_value = Counter()
    for counts in product(range(5), repeat=len(values)):
        others = cards - sum(counts)
        if 0 <= others <= 52 - 4 * len(values):
            value = sum(v * c for v, c in zip(values, counts, strict=True))
            ways_by_value[value] += prod(comb(4, c) for c in counts) * comb(52 - 4 * len(values), others)
    total = comb(52, cards)
    return {value: ways / total for value, ways in sorted(ways_by_value.items())}


def lengths_of(cards):
    return [lengths for lengths in product(range(14), repeat=4) if sum(lengths) == cards]


def shapes():
    ways_by_value = Counter()
    for lengths in lengths_of(13):
        ways_by_value[lengths] += prod(comb(13, n) for n in lengths)
    return {lengths: ways / HANDS for lengths, ways in ways_by_value.items()}


def fits(trumps):
    """Longest suit of north-south, or with `trumps` that plus east-west's."""
    ways_by_value = Counter()
    for lengths in lengths_of(26):
        fit = max(lengths) + (13 - min(lengths) if trumps else 0)
        ways_by_value[fit] += prod(comb(13, n) for n in lengths)
    return {fit: ways / PAIRS for fit, ways in sorted(ways_by_value.items())}


def mean_and_sd(distribution):
    mean = sum(value * p for value, p in distribution.items())
    return mean, sum((value - mean) ** 2 * p for value, p in distribution.items()) ** 0.5


def test_the_enumerations_agree_with_published_values():
    points, pair = honour_points((4, 3, 2, 1), 13), honour_points((4, 3, 2, 1), 26)
    assert mean_and_sd(points) == pytest.approx((10, 4.13023), abs=5e-6)  # E1
    e2 = {0: 0.3639, 4: 3.8454, 8: 8.8922, 9: 9.3562, 10: 9.4051, 11: 8.9447, 12: 8.0269, 15: 4.4237, 20: 0.6435, 25: 0.0264, 26: 0.0117}  # fmt: skip # noqa: E501
    for value, percent in e2.items():
        assert 100 * points[value] == pytest.approx(percent, abs=5.1e-5)
    assert 100 * sum(points[h] for h in (12, 13, 14)) == pytest.approx(20.6345, abs=5.1e-5)  # E3
    assert 100 * sum(points[h] for h in (15, 16, 17)) == pytest.approx(10.0963, abs=5.1e-5)
    assert mean_and_sd(pair) == pytest.approx((20, 4.76918), abs=5e-6)  # E4
    assert [100 * pair[h] for h in (20, 25, 26)] == pytest.approx([8.2222, 4.8919, 3.8834], abs=5.1e-5)
    kinds = Counter()
    for lengths, p in shapes().items():
        kinds["".join(map(str, sorted(lengths, reverse=True)))] += 100 * p
    assert len(kinds) == 39
    e5 = {"4432": 21.5512, "5332": 15.5168, "5431": 12.9307, "5422": 10.5797, "4333": 10.5361, "6322": 5.6425, "6421": 4.7021, "6331": 3.4482, "5521": 3.1739, "4441": 2.9932, "7321": 1.8808, "6430": 1.3262, "5440": 1.2433}  # fmt: skip # noqa: E501
    for shape, percent in e5.items():
        assert kinds[shape] == pytest.approx(percent, abs=5.1e-5)
    assert kinds["4333"] + kinds["4432"] + kinds["5332"] == pytest.approx(47.6042, abs=5.1e-5)  # E6
    for missing, percents in {  # E7, split of a suit between two hands of 13
        2: (52.00, 48.00), 3: (78.00, 22.00), 4: (40.70, 49.74, 9.57), 5: (67.83, 28.26, 3.91),
        6: (35.53, 48.45, 14.53, 1.49), 7: (62.17, 30.52, 6.78, 0.52), 8: (32.72, 47.12, 17.14, 2.86, 0.16),
    }.items():  # fmt: skip
        for k, percent in enumerate(percents):
            longer = -(-missing // 2) + k
            one_way = comb(missing, longer) * comb(26 - missing, 13 - longer) / comb(26, 13)
            assert 100 * one_way * (2 if 2 * longer != missing else 1) == pytest.approx(percent, abs=5.1e-3)
    controls = honour_points((2, 1), 13)
    assert mean_and_sd(controls) == pytest.approx((3, 1.81497), abs=5e-6)  # E8
    assert [100 * controls[c] for c in (0, 3)] == pytest.approx([8.1755, 20.8869], abs=5.1e-5)
    fit, trumps = fits(False), fits(True)
    e10 = {7: 15.7363, 8: 45.7447, 9: 28.0999, 10: 8.6729, 11: 1.5816, 12: 0.1582, 13: 0.0066}
    assert {f: 100 * p for f, p in fit.items()} == pytest.approx(e10, abs=5.1e-5)
    assert mean_and_sd(fit)[0] == pytest.approx(8.35120, abs=5.1e-6)
    e11 = {
        14: 10.4908,
        15: 10.4908,
        16: 26.9237,
        17: 22.9487,
        18: 15.6335,
        19: 8.4642,
        20: 3.5551,
        21: 1.1452,
    }
    assert {t: 100 * trumps[t] for t in e11} == pytest.approx(e11, abs=5.1e-5)
    assert mean_and_sd(trumps)[0] == pytest.approx(16.70239, abs=5.1e-6)


# ---------------------------------------------------------------- counting and comparing
class Tally:
    """What blocks of deals show, added up."""

    def __init__(self):
        self.n = 0
        self.holdings = np.zeros((4, 4, 8192), dtype=np.int64)
        self.shapes = np.zeros((4, 16**3), dtype=np.int64)
        self.points = np.zeros((4, 64), dtype=np.int64)
        self.controls = np.zeros((4, 16), dtype=np.int64)
        self.pair = np.zeros(64, dtype=np.int64)
        self.fit = np.zeros(16, dtype=np.int64)
        self.trumps = np.zeros(32, dtype=np.int64)
        self.pairs = np.zeros((6, 4, 16 * 16), dtype=np.int64)  # lengths of two seats in a suit
        self.next = np.zeros((4, 16 * 16), dtype=np.int64)  # a seat's clubs in this deal and the next

    def add(self, hands):
        self.n += len(hands)
        lengths, points = np.empty((4, 4, len(hands)), np.int64), np.empty((4, len(hands)), np.int64)
        for seat in range(4):
            lanes = [
                (hands[:, seat] >> np.uint64(shift) & np.uint64(0x1FFF)).astype(np.int64)
                for shift in (48, 32, 16, 0)
            ]
            for suit, lane in enumerate(lanes):
                self.holdings[seat, suit] += np.bincount(lane, minlength=8192)
                lengths[seat, suit] = LENGTH[lane]
            points[seat] = sum(POINTS[lane] for lane in lanes)
            shape = lengths[seat, 0] * 256 + lengths[seat, 1] * 16 + lengths[seat, 2]
            self.shapes[seat] += np.bincount(shape, minlength=16**3)
            self.points[seat] += np.bincount(points[seat], minlength=64)
            self.controls[seat] += np.bincount(sum(CONTROLS[lane] for lane in lanes), minlength=16)
        self.pair += np.bincount(points[0] + points[2], minlength=64)
        for pair, (first, second) in enumerate(combinations(range(4), 2)):
            for suit in range(4):
                self.pairs[pair, suit] += np.bincount(
                    lengths[first, suit] * 16 + lengths[second, suit], minlength=256
                )
        for seat in range(4):
            clubs = lengths[seat, 3]
            self.next[seat] += np.bincount(clubs[:-1:2] * 16 + clubs[1::2], minlength=256)
        sides = lengths[0] + lengths[2]
        self.fit += np.bincount(sides.max(axis=0), minlength=16)
        self.trumps += np.bincount(sides.max(axis=0) + 13 - sides.min(axis=0), minlength=32)

    def p_values(self):
        """Chi-square of each statistic against its exact distribution; cells below 5 expected are joined."""
        exact_holding = np.array([comb(39, 13 - n) / HANDS for n in range(14)])[LENGTH]
        length = [comb(13, n) * comb(39, 13 - n) / HANDS for n in range(14)]
        two_lengths = {
            a * 16 + b: comb(13, a)
            * comb(39, 13 - a)
            * comb(13 - a, b)
            * comb(26 + a, 13 - b)
            / HANDS
            / comb(39, 13)
            for a in range(14)
            for b in range(14 - a)
        }
        exact_shapes = {a * 256 + b * 16 + c: p for (a, b, c, _), p in shapes().items()}
        p_values = {}
        cards = np.array(
            [
                [
                    (self.holdings[seat, suit] * (HOLDINGS >> rank & 1)).sum()
                    for suit in range(4)
                    for rank in range(13)
                ]
                for seat in range(4)
            ]
        )
        # rows and columns are fixed in every deal: 51 x 3 free cells, each with 52/51 of the variance
        statistic = ((cards - self.n / 4) ** 2).sum() / (self.n / 4) * 51 / 52
        p_values["card by seat"] = chi2.sf(statistic, 51 * 3)
        for seat, name in enumerate("NESW"):
            for suit, letter in enumerate("SHDC"):
                p_values[f"holdings {name} {letter}"] = chi_square(self.holdings[seat, suit], exact_holding)
            p_values[f"shapes {name}"] = chi_square(self.shapes[seat], exact_shapes)
            p_values[f"points {name}"] = chi_square(self.points[seat], honour_points((4, 3, 2, 1), 13))
            p_values[f"controls {name}"] = chi_square(self.controls[seat], honour_points((2, 1), 13))
            p_values[f"clubs {name}, next deal"] = chi_square(
                self.next[seat], {a * 16 + b: length[a] * length[b] for a in range(14) for b in range(14)}
            )
        for pair, names in enumerate(combinations("NESW", 2)):
            for suit, letter in enumerate("SHDC"):
                p_values[f"lengths {names} {letter}"] = chi_square(self.pairs[pair, suit], two_lengths)
        p_values["points NS"] = chi_square(self.pair, honour_points((4, 3, 2, 1), 26))
        p_values["fit"] = chi_square(self.fit, fits(False))
        p_values["trumps"] = chi_square(self.trumps, fits(True))
        return p_values


def chi_square(observed, exact):
    if isinstance(exact, dict):
        exact = np.array([exact.get(i, 0.0) for i in range(len(observed))])
    assert not observed[exact == 0].any()
    expected = exact * observed.sum()
    small = expected < 5
    cells = [(observed[~small], expected[~small])]
    if expected[small].sum() >= 5:
        cells.append((np.array([observed[small].sum()]), np.array([expected[small].sum()])))
    o, e = (np.concatenate([cell[i] for cell in cells]).astype(float) for i in (0, 1))
    return chi2.sf(((o - e) ** 2 / e).sum(), len(o) - 1)


@pytest.mark.parametrize("n_deals", [2_000_000, pytest.param(10_000_000, marks=pytest.mark.slow)])
def test_millions_of_deals_are_uniform(n_deals):
    tally = Tally()
    for first in range(0, n_deals, 100_000):
        tally.add(deal_range(20_211_121, first, 100_000))
    p_values = tally.p_values()
    assert tally.n == n_deals
    assert min(p_values.values()) > 1e-4, p_values
    assert max(p_values.values()) < 1 - 1e-4, p_values  # nor more even than chance


def wrong_sampler(rng, count):
    """Random subsets brought to size by moving the lowest card: looks fair, is not."""

    def split(cards, size):
        chosen = cards & rng.integers(0, 2**64, len(cards), dtype=np.uint64)
        for _ in range(40):
            surplus = np.bitwise_count(chosen).astype(int) - size
            others = cards ^ chosen
            down = np.where(surplus > 0, chosen & (~chosen + np.uint64(1)), np.uint64(0))
            up = np.where(surplus < 0, others & (~others + np.uint64(1)), np.uint64(0))
            chosen = chosen ^ down ^ up
        return chosen

    pack = np.full(count, FULL_DECK, dtype=np.uint64)
    ns = split(pack, 26)
    north, east = split(ns, 13), split(pack ^ ns, 13)
    return np.stack([north, east, ns ^ north, pack ^ ns ^ east], axis=1)


def test_a_wrong_sampler_fails(rng):
    tally, fair = Tally(), Tally()
    tally.add(wrong_sampler(rng, 50_000))
    fair.add(deal_range(1, 0, 50_000))
    wrong = tally.p_values()  # each card is still with each seat equally often: that alone would not show it
    assert (
        max(wrong["holdings N C"], wrong["shapes N"], wrong["points N"], wrong["fit"], wrong["trumps"])
        < 1e-30
    )
    assert min(fair.p_values().values()) > 1e-4
