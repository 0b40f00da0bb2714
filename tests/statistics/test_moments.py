"""Moments against numpy, statsmodels and simulated coverage."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from dealerkit import ArgumentError
from dealerkit.statistics import Moments


def moments(values, weights=None, clusters=None):
    result = Moments()
    result.update(values, weights, clusters)
    return result


def same(first, second):
    """Check that two accumulators are equal to the last bit."""
    return (
        first.mean() == second.mean()
        and first.variance == second.variance
        and (first.n, first.minimum, first.maximum) == (second.n, second.minimum, second.maximum)
    )


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int64", "uint64", "float32", "float64", "bool"])
def test_against_numpy(rng, dtype):
    values = rng.integers(0, 2 if dtype == "bool" else 38, 1000).astype(dtype)
    result, wide = moments(values), values.astype(float)
    assert result.n == 1000
    assert (result.minimum, result.maximum) == (wide.min(), wide.max())
    assert result.variance == pytest.approx(wide.var(ddof=1), rel=1e-13)
    assert result.sd == pytest.approx(wide.std(ddof=1), rel=1e-13)
    mean = result.mean(0.9)
    assert mean.value == pytest.approx(wide.mean(), rel=1e-14)
    lo, hi = stats.ttest_1samp(wide, 0).confidence_interval(0.9)
    assert (mean.lo, mean.hi) == pytest.approx((lo, hi), rel=1e-12)
    assert mean.se == pytest.approx(stats.sem(wide), rel=1e-12)


def test_integers_add_up_exactly():
    large = np.array([2**62, 2**62 - 1, -(2**62), 3, 2**40 + 1])
    result = moments(large)
    numbers = [int(x) for x in large]
    assert result.total == sum(numbers)
    mean = Fraction(sum(numbers), 5)
    assert result.variance == float(sum((x - mean) ** 2 for x in numbers) / 4)
    assert moments(np.array([2**64 - 1, 2**64 - 1], np.uint64)).total == 2**65 - 2


def test_sums_of_many_values_are_exact():
    whole, part = Moments(), moments(np.full(65_536, 37, np.int8))
    for _ in range(17):  # each step doubles: 65,536 * 2**17 values
        whole = pickle.loads(pickle.dumps(part))
        whole.merge(part)
        part = whole
    assert whole.n == 65_536 << 17
    assert whole.total == 37 * whole.n
    assert whole.variance == 0


def test_floats_far_from_zero(rng):
    noise = rng.normal(size=10_000)
    values = 1e9 + noise
    exact = [Fraction(float(x)) for x in values]
    mean = sum(exact) / len(exact)
    variance = sum((x - mean) ** 2 for x in exact) / (len(exact) - 1)
    result = Moments()
    for block in np.array_split(values, 7):
        result.update(block)
    assert result.variance == pytest.approx(float(variance), rel=1e-12)
    assert result.mean().value == float(mean)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("kind", ["int", "float"])
def test_the_order_of_merging_has_no_effect(rng, kind, clustered, weighted):
    n = 3000
    values = rng.integers(-50, 50, n) if kind == "int" else rng.normal(3, 2, n)
    clusters = np.arange(n) // 6 if clustered else None
    weights = rng.integers(0, 5, n) / 4 if weighted else None
    cuts = np.sort(rng.choice(np.arange(1, n), 9, replace=False))  # clusters are divided too
    parts = [
        moments(values[s], None if weights is None else weights[s], None if clusters is None else clusters[s])
        for s in (slice(a, b) for a, b in zip([0, *cuts], [*cuts, n], strict=True))
    ]
    forward, shuffled, tree = Moments(), Moments(), [pickle.loads(pickle.dumps(p)) for p in parts]
    for part in parts:
        forward.merge(part)
    for k in rng.permutation(len(parts)):
        shuffled.merge(parts[k])
    while len(tree) > 1:
        tree[0].merge(tree.pop())
    assert same(forward, shuffled)
    assert same(forward, tree[0])
    at_once = moments(values, weights, clusters)
    assert at_once.mean().value == pytest.approx(forward.mean().value, rel=1e-13)
    assert at_once.mean().se == pytest.approx(forward.mean().se, rel=1e-11)
    assert at_once.variance == pytest.approx(forward.variance, rel=1e-11)


@pytest.mark.parametrize("kind", ["int", "float"])
def test_clusters_against_statsmodels(rng, kind):
    api = pytest.importorskip("statsmodels.api")
    clusters = np.repeat(np.arange(80), rng.integers(1, 7, 80))
    common = rng.normal(size=80)[clusters]
    values = common + rng.normal(size=clusters.size)
    values = np.rint(10 * values).astype(int) if kind == "int" else values
    fit = api.OLS(values, np.ones(values.size)).fit(
        cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True
    )
    result = moments(values, None, clusters).mean()
    assert result.value == pytest.approx(fit.params[0], rel=1e-12)
    assert result.se == pytest.approx(fit.bse[0], rel=1e-12)
    sizes = np.bincount(clusters)
    half = stats.t.ppf(0.975, sizes.sum() ** 2 / (sizes**2).sum() - 1) * fit.bse[0]
    # The quantile of Student has eight correct digits, see student_quantile.
    assert (result.lo, result.hi) == pytest.approx((result.value - half, result.value + half), rel=1e-8)


@pytest.mark.parametrize("clustered", [False, True])
def test_weights_against_statsmodels(rng, clustered):
    api = pytest.importorskip("statsmodels.api")
    n = 400
    values, weights = rng.normal(size=n), rng.exponential(size=n)
    clusters = np.arange(n) // (4 if clustered else 1)
    fit = api.WLS(values, np.ones(n), weights=weights).fit(
        cov_type="cluster", cov_kwds={"groups": clusters}, use_t=True
    )
    result = moments(values, weights, clusters if clustered else None).mean(0.9)
    assert result.value == pytest.approx(fit.params[0], rel=1e-12)
    assert result.se == pytest.approx(fit.bse[0], rel=1e-11)
    sums = np.bincount(clusters, weights) if clustered else weights
    half = stats.t.ppf(0.95, sums.sum() ** 2 / (sums**2).sum() - 1) * fit.bse[0]
    assert (result.lo, result.hi) == pytest.approx((result.value - half, result.value + half), rel=1e-8)


def test_equal_weights_change_nothing(rng):
    values = rng.integers(0, 38, 500)
    plain, weighted = moments(values), moments(values, np.full(500, 0.25))
    mixed = moments(values[:200])
    mixed.merge(moments(values[200:], np.ones(300)))
    for other in (weighted, mixed):
        assert other.mean().value == pytest.approx(plain.mean().value, rel=1e-14)
        assert other.mean().se == pytest.approx(plain.mean().se, rel=1e-12)
        assert other.variance == pytest.approx(plain.variance, rel=1e-12)


def test_values_of_weight_zero_are_ignored():
    assert same(
        moments(np.array([1.0, 99.0, 4.0]), np.array([1, 0, 2])),
        moments(np.array([1.0, 4.0]), np.array([1, 2])),
    )


def test_clusters_out_of_order(rng):
    values, clusters = rng.integers(0, 9, 60), np.arange(60) // 3
    order = rng.permutation(60)
    assert same(moments(values, None, clusters), moments(values[order], None, clusters[order]))


def test_few_values():
    nothing = Moments().mean()
    assert math.isnan(nothing.value)
    assert nothing.n == 0
    single = moments(np.array([7]))
    assert single.mean().value == 7
    assert (single.mean().lo, single.mean().hi) == (-math.inf, math.inf)
    assert math.isnan(single.sd)
    in_one_cluster = moments(np.array([7, 9]), None, np.array([4, 4])).mean()
    assert in_one_cluster.hi == math.inf


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((np.array([1.0, np.nan]),), "finite"),
        ((np.array([1.0, 2.0]), np.array([1.0, -1.0])), "give numbers from 0"),
        ((np.array([1.0, 2.0]), np.array([1.0, np.nan])), "give numbers from 0"),
        ((np.array([1.0, 2.0]), np.array([1.0])), "weights have the shape"),
        ((np.array([1, 2]), None, np.array([1, 2, 3])), "clusters have the shape"),
        ((np.array(["a"]),), "no mean"),
    ],
)
def test_wrong_values_are_refused(arguments, message):
    with pytest.raises(ArgumentError, match=message):
        Moments().update(*arguments)


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("design", ["plain", "clustered", "weighted"])
@pytest.mark.slow
def test_coverage_of_the_interval_of_the_mean(rng, design, level):
    """The interval covers the true value with its confidence level, within five binomial standard errors."""
    runs, n = 2000, 240
    covered = 0
    for _ in range(runs):
        weights = clusters = None
        if design == "weighted":  # proposals from N(0, 1), target N(0.2, 1)
            values = rng.normal(size=n)
            weights, truth = np.exp(0.2 * values), 0.2
        elif design == "clustered":
            clusters = np.arange(n) // 4
            values, truth = rng.normal(size=n // 4)[clusters] + rng.normal(size=n), 0.0
        else:
            values, truth = rng.normal(size=n), 0.0
        estimate = moments(values, weights, clusters).mean(level)
        covered += estimate.lo <= truth <= estimate.hi
    assert abs(covered / runs - level) < 5 * math.sqrt(level * (1 - level) / runs)
