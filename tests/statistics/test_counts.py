"""Counts and quantiles against numpy, statsmodels and simulated coverage."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from scipy.stats import beta

from dealerkit import ArgumentError
from dealerkit.statistics import Counts, Moments


def counts(ranges, *block):
    result = Counts(*ranges)
    result.update(*block)
    return result


def test_values_out_of_range_are_counted_as_low_and_high():
    result = counts([(2, 4)], np.array([-7, 1, 2, 2, 4, 5, 5, 900]))
    assert result.values().tolist() == [2, 3, 4]
    assert result.table.tolist() == [2, 2, 0, 1, 3]
    assert result.n == 8


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64", "uint64"])
@pytest.mark.parametrize(
    "limits", [(0, 37), (3, 8), (-5, 4), (-300, -200), (200, 300), (0, 255), (-128, 127)]
)
def test_ranges_wider_than_the_dtype(rng, dtype, limits):
    values = rng.integers(0, 120, 500).astype(dtype)
    result = counts([limits], values).table
    wide = values.astype(object)
    lo, hi = limits
    inside = [int((wide == v).sum()) for v in range(lo, hi + 1)]
    assert result.tolist() == [int((wide < lo).sum()), *inside, int((wide > hi).sum())]


def test_booleans_and_all_integers(rng):
    assert counts([], np.array([True, False, True])).table.tolist() == [0, 1, 2, 0]
    values = rng.integers(-60, 90, 1000)
    parts = [counts([], v) for v in np.array_split(values, 11)]
    whole = Counts()
    for part in parts:
        whole.merge(part)
    expected, number = np.unique(values, return_counts=True)
    table = whole.table[1:-1]
    assert whole.values()[table > 0].tolist() == expected.tolist()
    assert table[table > 0].tolist() == number.tolist()
    assert whole.table[[0, -1]].tolist() == [0, 0]


@pytest.mark.parametrize("open_ended", [False, True])
def test_pairs_of_values(rng, open_ended):
    down, across = rng.integers(-3, 12, 700), rng.integers(0, 6, 700).astype(np.int8)
    result = Counts(None, None) if open_ended else Counts((-3, 11), (0, 5))
    for part in np.array_split(np.arange(700), 4):
        result.update((down[part], across[part]))
    expected, _, _ = np.histogram2d(down, across, bins=(np.arange(-3, 13), np.arange(7)))
    np.testing.assert_array_equal(result.table[1:-1, 1:-1], expected)
    assert result.table.sum() == 700
    clipped = counts([(0, 4), (2, 3)], (down, across)).table
    assert clipped[0, 0] == ((down < 0) & (across < 2)).sum()
    assert clipped[-1, 2] == ((down > 4) & (across == 3)).sum()
    assert result.share(4, 2).value == pytest.approx(((down == 4) & (across == 2)).mean())


@pytest.mark.parametrize("level", [0.9, 0.99])
def test_shares_against_statsmodels(rng, level):
    proportion_confint = pytest.importorskip("statsmodels.stats.proportion").proportion_confint
    result = counts([(0, 9)], rng.integers(-1, 8, 321))
    shares = result.shares(level)
    for cell, number in enumerate(result.table):
        lo, hi = proportion_confint(number, 321, 1 - level, method="wilson")
        if 0 < number <= 15:
            lo = min(lo, beta.ppf(0.7 * (1 - level), number, 322 - number))
        assert (shares.lo[cell], shares.hi[cell]) == pytest.approx((lo, hi), abs=1e-9)
    assert shares.share.sum() == pytest.approx(1)
    assert result.share(9).value == 0
    assert result.share(9).lo == 0


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ranges", [[(0, 5)], [], [(0, 5), (1, 2)], [None, None]])
def test_standard_errors_are_those_of_means_of_zeros_and_ones(rng, ranges, weighted):
    """Moments give the same sandwich estimate, with other batches merged in another order."""
    n = 900
    values, other = rng.integers(0, 6, n), rng.integers(0, 4, n)
    values[::2] = values[1::2]  # neighbours are equal
    clusters = np.arange(n) // 6
    weights = rng.exponential(size=n) if weighted else None
    pair = len(ranges) == 2
    whole, cuts = Counts(*ranges), np.sort(rng.choice(np.arange(1, n), 8, replace=False))
    parts = []
    for block in np.split(np.arange(n), cuts):
        part = Counts(*ranges)
        column = (values[block], other[block]) if pair else values[block]
        part.update(column, None if weights is None else weights[block], clusters[block])
        parts.append(pickle.loads(pickle.dumps(part)))
    for k in rng.permutation(len(parts)):
        whole.merge(parts[k])
    for v in range(6):
        single = Moments()
        single.update((values == v) & (other == 2) if pair else values == v, weights, clusters)
        expected = single.mean()
        result = whole.share(v, 2) if pair else whole.share(v)
        assert result.value == pytest.approx(expected.value, rel=1e-12)
        assert result.se == pytest.approx(expected.se, rel=1e-10)


def test_batches_with_and_without_weights_can_be_mixed(rng):
    values, weights = rng.integers(0, 4, 300), rng.exponential(size=300)
    filled = np.concatenate((np.ones(100), weights[100:]))
    expected = counts([(0, 3)], values, filled).shares()
    direct, merged = counts([(0, 3)], values[:100]), counts([(0, 3)], values[100:], weights[100:])
    direct.update(values[100:], weights[100:])
    merged.merge(counts([(0, 3)], values[:100]))
    for result in (direct, merged):
        for column, other in zip(result.shares(), expected, strict=True):
            np.testing.assert_allclose(column, other, rtol=1e-12)


def test_copies_in_a_cluster_do_not_reduce_the_interval(rng):
    values = rng.integers(0, 4, 400)
    once = counts([(0, 3)], values)
    copied = counts([(0, 3)], np.repeat(values, 6), None, np.repeat(np.arange(400), 6))
    for v in range(4):
        a, b = once.share(v), copied.share(v)
        assert a.value == b.value
        assert b.hi - b.lo == pytest.approx(a.hi - a.lo, rel=0.01)  # up to n / (n - 1) and t for normal


def test_no_values_and_a_single_cluster():
    assert math.isnan(Counts((0, 3)).share(1).value)
    share = counts([(0, 3)], np.array([1, 1, 2]), None, np.array([5, 5, 5])).share(1)
    assert (share.lo, share.hi) == (0, 1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Counts((4, 3)), "empty"),
        (lambda: Counts((0, 1), (0, 1), (0, 1)), "one or two"),
        (lambda: Counts((0, 10**9)), "too many"),
        (lambda: counts([], np.array([0, 10**12])), "too many"),
        (lambda: counts([(0, 3)], np.array([1.5])), "round them"),
        (lambda: counts([(0, 3), (0, 3)], (np.array([1]),)), "2 dimensions"),
        (lambda: Counts((0, 3)).merge(Counts((0, 4))), "different ranges"),
        (lambda: counts([(0, 3)], np.array([1])).share(4), "0 to 3"),
        (lambda: Counts((0, 3)).shares(95), "between 0 and 1"),
    ],
)
def test_wrong_values_are_refused(make, message):
    with pytest.raises(ArgumentError, match=message):
        make()


@pytest.mark.parametrize("design", ["plain", "clustered", "weighted"])
@pytest.mark.slow
def test_coverage_of_wilson_intervals(rng, design):
    """Wilson's interval covers the true value with its confidence level, within five binomial standard errors."""
    runs, n, p, level, covered = 2000, 600, 0.3, 0.9, 0
    for _ in range(runs):
        weights = clusters = None
        if design == "clustered":  # half of each cluster of four copies its first value
            values, clusters = rng.random(n) < p, np.arange(n) // 4
            values[1::4] = values[0::4]
        elif design == "weighted":  # sampled with 0.5, weighted to p
            values = rng.random(n) < 0.5
            weights = np.where(values, p, 1 - p)
        else:
            values = rng.random(n) < p
        share = counts([(0, 1)], values, weights, clusters).share(1, confidence=level)
        covered += share.lo <= p <= share.hi
    # The share of 600 values is a lattice: exact coverage of a plain 90 % interval differs by up to 0.015.
    assert abs(covered / runs - level) < 5 * math.sqrt(level * (1 - level) / runs) + 0.015
