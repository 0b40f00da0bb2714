"""Intervals of means in which few values differ: the cases of the textbook, merging, coverage by enumeration."""

from __future__ import annotations

import math
import pickle
from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

import dealerkit as dk
from dealerkit import Estimate
from dealerkit.compiler.compilation import compile_expression
from dealerkit.compiler.value_range import find_value_range
from dealerkit.statistics import (
    ANY_VALUE,
    IMPS_RANGE,
    SHARE_RANGE,
    Moments,
    RareValues,
    ValueRange,
    share_interval,
    stratified_mean,
)
from dealerkit.statistics.quantiles import find_end_shares


def moments(values) -> Moments:
    result = Moments()
    result.update(np.asarray(values))
    return result


def test_a_constant_sample_is_that_of_agresti_and_coull():
    """Of zeros only, the interval of values from 0 to 1 is theirs, with Student's quantile."""
    from scipy.stats import t

    z = 1.959963984540054
    size, share = 12 + z * z, z * z / 2 / (12 + z * z)
    half = t.ppf(0.975, 11 + z * z) * math.sqrt(share * (1 - share) / size)
    mean = moments(np.zeros(12)).mean(0.95, SHARE_RANGE)
    assert (mean.lo, mean.hi) == pytest.approx((0, share + half))


@pytest.mark.parametrize("n", [5, 200])
def test_no_interval_of_a_constant_sample_has_width_zero(n):
    for measure in ("imps", "matchpoints", "points"):
        estimate = dk.difference([420] * n, [170] * n, measure)
        assert estimate.constant and estimate.hi - estimate.lo > 0
        assert "all equal" in repr(estimate)
    unknown = moments(np.full(n, 7.5)).mean()
    assert (unknown.lo, unknown.hi, unknown.constant) == (-math.inf, math.inf, True)
    assert repr(unknown).endswith("all equal, no interval)")
    assert Estimate.from_dict(unknown.to_dict()).constant


def test_ordinary_samples_keep_students_interval(rng):
    from scipy.stats import ttest_1samp

    values = rng.normal(10, 4, 40).round()
    mean, expected = moments(values).mean(), ttest_1samp(values, 0).confidence_interval(0.95)
    assert (mean.lo, mean.hi) == pytest.approx((expected.low, expected.high), rel=1e-12)


def test_counts_do_not_depend_on_the_order(rng):
    for values in (rng.choice([0, 6, -5], 5000, p=[0.9, 0.06, 0.04]), rng.integers(0, 300, 500)):
        whole, parts = RareValues(), [RareValues() for _ in range(5)]
        whole.update(values)
        for part, own in zip(parts, np.array_split(values, 5), strict=True):
            part.update(own)
        merged = pickle.loads(pickle.dumps(parts[3]))
        for k in (1, 4, 0, 2):
            merged.merge(parts[k])
        assert merged.counts == whole.counts


@pytest.mark.parametrize("n", [5, 10, 30])
def test_gains_that_are_rare_are_covered(n):
    """All samples of gains of 0, 6 and -5 IMPs, each with its probability."""
    counts = [(a, b) for a, b in product(range(n + 1), repeat=2) if a + b <= min(n, 12)]
    ends = {}
    for a, b in counts:
        mean = moments(np.repeat([6, -5, 0], [a, b, n - a - b])).mean(0.95, IMPS_RANGE)
        ends[a, b] = mean.lo, mean.hi
    for p, q in ((0.03, 0.01), (0.1, 0.05), (0.0, 0.05)):
        true, covered = 6 * p - 5 * q, 0.0
        for (a, b), (lo, hi) in ends.items():
            chance = binom.pmf(a, n, p) * binom.pmf(b, n - a, q / (1 - p))
            covered += chance * (lo <= true <= hi)
        assert covered >= 0.93


@pytest.mark.parametrize("n", [5, 10, 30, 200])
def test_shares_of_every_size_are_covered(n):
    successes = np.arange(n + 1)
    lo, hi = share_interval(successes / n, n, 0.95)
    shares = np.unique(np.concatenate((np.linspace(0.001, 0.999, 999), np.geomspace(1e-6, 0.1, 200))))
    chances = binom.pmf(successes, n, shares[:, None])
    covered = (chances * ((lo <= shares[:, None]) & (shares[:, None] <= hi))).sum(axis=1)
    assert covered.min() >= 0.93


def test_ends_of_quantiles_are_covered():
    for n, q in product((5, 10, 30, 200), (0.1, 0.5, 0.9)):
        lower, upper = (round(n * share) for share in find_end_shares(q, n, 0.95))
        below = np.arange(n + 1)
        assert binom.pmf(below[(below >= lower) & (below < upper)], n, q).sum() >= 0.93


def test_strata_with_equal_values_have_an_interval():
    sizes = [Estimate.exactly(0.5)] * 2
    constant = stratified_mean([moments([3, 3, 3]), moments([3, 3])], sizes, 0.95, ValueRange(0, 10))
    assert constant.constant and constant.lo < 2 and constant.hi > 4
    assert math.isinf(stratified_mean([moments([3, 3]), moments([4, 4])], sizes).hi)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hcp(north)", (0, 37, 0)),
        ("hcp(north) * 0.5 - 1", (-1, 17.5, 0)),
        ("score(nv, 3NT, tricks(north, notrump))", (-450, 520, 120)),
        ("imps(score(nv, 3NT, 9) - 150)", (-24, 24, 6)),
        ("score(vul, 4S, tricks(north, spades)) - score(vul, 3S, tricks(north, spades))", (-2000, 1700, 120)),
        ("hcp(north) > 12 ? 1.5 : 0.5", (0.5, 1.5, 0)),
    ],
)
def test_ranges_of_expressions(text, expected):
    compiled = compile_expression(text)
    found = find_value_range(compiled.graph, compiled.expression)
    assert found.similar == expected[2]
    if "3S" not in text:
        assert found[:2] == expected[:2]
    else:
        assert found.low >= -3000 and found.high <= 3000


def test_an_average_of_equal_values_says_so():
    result = dk.run("action average max(hcp(north), 30), average 5", produce=5, seed=1)
    first, second = (report.mean for report in result.reports)
    assert first.constant and first.lo == 30 and first.hi > 32
    assert second.exact
    assert "all values equal" in result.text


def test_the_range_of_unknown_values_is_infinite():
    assert ANY_VALUE.low == -math.inf and ANY_VALUE.high == math.inf
