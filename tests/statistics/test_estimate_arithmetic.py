"""Order, differences, rounding, formats and JSON of estimates."""

from __future__ import annotations

import json
import math
import operator
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import ArgumentError, Estimate, proportion
from dealerkit.statistics import Moments, normal_quantile, wilson_interval

HALF = Estimate(0.5, 0.1, 0.3, 0.7, 20)


def mean_of(values: np.ndarray, confidence: float = 0.95) -> Estimate:
    moments = Moments()
    moments.update(values)
    return moments.mean(confidence)


def test_order_is_that_of_the_values():
    estimates = [
        Estimate.exactly(2),
        HALF,
        proportion(1, 3),
        Estimate.exactly(Fraction(1, 4)),
        mean_of(np.arange(3)),
    ]
    assert [e.value for e in sorted(estimates)] == [0.25, 1 / 3, 0.5, 1, 2]
    assert max(estimates) is estimates[0]
    assert (
        0.4 < HALF < 0.6
        and 0 <= HALF <= 1
        and Fraction(1, 2) >= HALF
        and np.float64(0.4) < HALF
        and np.int8(0) < HALF
    )
    assert (np.array([0.4, 0.6]) < HALF).tolist() == [True, False]
    with pytest.raises(TypeError):
        _ = HALF < "1"


def test_an_unknown_value_has_its_interval_in_texts():
    unknown = proportion(0, 0)
    assert repr(unknown) == "nan [0, 1] (n = 0)" and f"{unknown:.2f}" == "nan [0.00, 1.00]"


@pytest.mark.parametrize(
    "wrong",
    [
        {"value": "x"},
        {"n": "5"},
        {"n": None},
        {"lo": "low"},
        {"fraction": "1/0"},
        {"fraction": "half"},
        {"confidence": 7},
        {"confidence": "x"},
    ],
)
def test_values_that_are_none_of_an_estimate_are_refused(wrong):
    with pytest.raises(ArgumentError):
        Estimate.from_dict({**HALF.to_dict(), **wrong})


def test_equality_and_hash_follow_the_order():
    same = Estimate(0.5, 0.2, 0.1, 0.9, 5)
    assert same == HALF and HALF == 0.5 and HALF <= same <= HALF
    assert hash(HALF) == hash(same) == hash(0.5)
    third = Estimate.exactly(Fraction(1, 3))
    assert third == Fraction(1, 3) and hash(third) == hash(Fraction(1, 3))
    assert third != 1 / 3 and third > 1 / 3 and not third <= 1 / 3  # the float nearest to 1/3 is below it
    assert HALF != "0.5" and HALF is not None
    unknown = proportion(0, 0)
    assert unknown != unknown and not unknown < 1 and not unknown >= 1
    assert len({HALF, same, third}) == 2


def wilson(successes: int, n: int, confidence: float = 0.95) -> Estimate:
    """Return a share with Wilson's own interval, as in the published differences."""
    lo, hi = wilson_interval(successes / n, n, normal_quantile(confidence))
    return replace(proportion(successes, n, confidence), lo=float(lo), hi=float(hi))


# Newcombe (1998), table II, method 10; each line: successes and size of both samples, the interval.
@pytest.mark.parametrize(
    ("a", "m", "b", "n", "lo", "hi"),
    [
        (56, 70, 48, 80, 0.0524, 0.3339),
        (9, 10, 3, 10, 0.1705, 0.8090),
        (6, 7, 2, 7, 0.0582, 0.8062),
        (5, 56, 0, 29, -0.0381, 0.1926),
        (0, 10, 0, 20, -0.1611, 0.2775),
        (0, 10, 0, 10, -0.2775, 0.2775),
        (10, 10, 0, 20, 0.6791, 1.0),
        (10, 10, 0, 10, 0.6075, 1.0),
    ],
)
def test_differences_of_shares_are_those_published(a, m, b, n, lo, hi):
    difference = wilson(a, m) - wilson(b, n)
    assert (round(difference.lo, 4), round(difference.hi, 4)) == (lo, hi)
    assert difference.value == pytest.approx(a / m - b / n) and difference.n == m + n
    turned = wilson(b, n) - wilson(a, m)
    assert (turned.lo, turned.hi) == pytest.approx((-difference.hi, -difference.lo))


def test_differences_of_shares_against_statsmodels():
    confint = pytest.importorskip("statsmodels.stats.proportion").confint_proportions_2indep
    for a, m, b, n in ((3, 50, 7, 31), (400, 1000, 380, 900)):
        difference = wilson(a, m, 0.9) - wilson(b, n, 0.9)
        assert (difference.lo, difference.hi) == pytest.approx(
            confint(a, m, b, n, method="newcomb", compare="diff", alpha=0.1), rel=1e-9
        )
        assert difference.confidence == 0.9


def test_differences_of_means_are_about_welchs(rng):
    from scipy.stats import ttest_ind

    for m, n, slack in ((1000, 600, 1.001), (40, 25, 1.02), (8, 5, 1.2)):
        x, y = rng.normal(0, 1, m), rng.normal(1, 3, n)
        difference = mean_of(x) - mean_of(y)
        welch = ttest_ind(x, y, equal_var=False).confidence_interval(0.95)
        assert difference.value == pytest.approx(x.mean() - y.mean())
        assert difference.se == pytest.approx(math.sqrt(x.var(ddof=1) / m + y.var(ddof=1) / n))
        assert 1 <= (difference.hi - difference.lo) / (welch.high - welch.low) < slack


def exact_coverage(p: float, m: int, q: float, n: int) -> float:
    """Return the probability that the interval of the difference of two shares contains it, by enumeration."""
    from scipy.stats import binom

    first, second = ([proportion(k, size) for k in range(size + 1)] for size in (m, n))
    covered = 0.0
    for x, px in zip(first, binom.pmf(range(m + 1), m, p), strict=True):
        for y, py in zip(second, binom.pmf(range(n + 1), n, q), strict=True):
            difference = x - y
            covered += px * py * (difference.lo <= p - q <= difference.hi)
    return covered


def test_coverage_of_differences_of_shares():
    coverages = [
        exact_coverage(*case)
        for case in ((0.5, 30, 0.3, 40), (0.1, 40, 0.05, 30), (0.9, 20, 0.2, 50), (0.02, 60, 0.3, 25))
    ]
    assert all(0.93 < coverage < 0.99 for coverage in coverages)
    assert abs(np.mean(coverages) - 0.95) < 0.015


@pytest.mark.parametrize(
    ("sizes", "spreads"), [((5, 5), (1, 1)), ((6, 30), (1, 4)), ((10, 200), (5, 1)), ((50, 80), (1, 2))]
)
@pytest.mark.slow
def test_coverage_of_differences_of_means(rng, sizes, spreads):
    n_samples = 4000  # standard error of the coverage: 0.0034
    samples = [
        rng.normal(mean, sd, (n_samples, n)) for mean, sd, n in zip((3, 1), spreads, sizes, strict=True)
    ]
    covered = 0
    for x, y in zip(*samples, strict=True):
        difference = mean_of(x) - mean_of(y)
        covered += difference.lo <= 2 <= difference.hi
    assert 0.94 < covered / n_samples < 0.98


def test_coverage_on_deals():
    """The truth is counted: the mean of hcp is 10, the shares of 4 spades and of 12 points are fractions."""
    size, n_samples = 100, 500  # standard error of the coverage: 0.01
    deals = dk.deal(2 * size * n_samples, seed=4).to_frame(
        points="hcp(north)", four="spades(north) >= 4", twelve="hcp(south) >= 12"
    )
    truth = dk.probability("spades(north) >= 4") - dk.probability("hcp(south) >= 12")
    assert truth.exact and isinstance(truth.fraction, Fraction)
    half = size * n_samples
    points = deals["points"].to_numpy().reshape(2, n_samples, size)
    four, twelve = (
        deals["four"][:half].to_numpy().reshape(-1, size),
        deals["twelve"][half:].to_numpy().reshape(-1, size),
    )
    of_shares = of_means = 0
    for i in range(n_samples):
        share = proportion(int(four[i].sum()), size) - proportion(int(twelve[i].sum()), size)
        of_shares += share.lo <= truth.value <= share.hi
        mean = mean_of(points[0, i]) - mean_of(points[1, i])
        of_means += mean.lo <= 0 <= mean.hi
    assert 0.92 < of_shares / n_samples < 0.98 and 0.92 < of_means / n_samples < 0.98


def test_differences_from_exact_numbers():
    quarter = Estimate.exactly(Fraction(1, 4), n=8)
    assert (
        (quarter - Fraction(1, 6)).fraction
        == Fraction(1, 12)
        == (quarter - Estimate.exactly(Fraction(1, 6))).fraction
    )
    assert (1 - quarter).fraction == Fraction(3, 4) and (1 - quarter).exact
    assert (quarter - 0.125).value == 0.125 and (quarter - 0.125).exact and (quarter - 0.125).fraction is None
    shifted = HALF - quarter
    assert (shifted.value, shifted.lo, shifted.hi, shifted.se, shifted.exact) == pytest.approx(
        (0.25, 0.05, 0.45, 0.1, False)
    )
    turned = 1 - Estimate(0.5, 0.1, 0.2, 0.6, 20, 0.9)
    assert (turned.value, turned.lo, turned.hi, turned.confidence) == pytest.approx((0.5, 0.4, 0.8, 0.9))
    assert (np.float64(0.75) - HALF).value == 0.25
    with pytest.raises(TypeError):
        _ = HALF - "1"


def test_differences_without_an_interval():
    for other in (Estimate(7.0, math.nan, -math.inf, math.inf, 1), proportion(0, 0)):
        for difference in (HALF - other, other - HALF):
            assert (difference.lo, difference.hi) == (-math.inf, math.inf) and math.isnan(difference.se)
    assert (HALF - Estimate(7.0, math.nan, -math.inf, math.inf, 1)).value == -6.5


def test_differences_need_one_confidence():
    with pytest.raises(ArgumentError, match="of 95 % and 99 %"):
        _ = HALF - proportion(1, 2, 0.99)
    assert (Estimate.exactly(0.5, confidence=0.9) - HALF).confidence == 0.95


def test_rounding():
    estimate = proportion(3559, 6123)
    rounded = round(estimate, 2)
    assert (rounded.value, rounded.lo, rounded.hi, rounded.n) == (0.58, 0.57, 0.59, 6123)
    assert repr(rounded) == "0.58 ± 0.01 (n = 6,123)"
    assert round(Estimate(25.31, 1, 23.3, 27.3, 12)) == 25 and isinstance(round(HALF), int)
    assert round(Estimate.exactly(Fraction(1, 3)), 2).fraction == Fraction(33, 100)
    assert round(Estimate(1234.5, 10, 1214.5, 1254.5, 9), -2).value == 1200
    assert math.isnan(round(proportion(0, 0), 1).value)


@pytest.mark.parametrize(
    ("estimate", "spec", "text"),
    [
        (proportion(3559, 6123), ".3f", "0.581 ± 0.012"),
        (proportion(3559, 6123), ".1%", "58.1% ± 1.2%"),
        (proportion(3559, 6123), "+.2e", "+5.81e-01 ± 1.24e-02"),
        (proportion(3559, 6123), "8.2f", "    0.58 ±     0.01"),
        (proportion(3559, 6123), "*>+8.2f", "***+0.58 ± ****0.01"),
        (proportion(8, 10), ".2f", "0.80 [0.47, 0.97]"),
        (Estimate(-1.5, 0.1, -1.7, -1.0, 9), "+.1f", "-1.5 [-1.7, -1.0]"),
        (Estimate(430.0, 70.0, 290.0, 570.0, 50), ",.0f", "430 ± 140"),
        (Estimate.exactly(Fraction(1, 3)), ".4f", "0.3333"),
        (Estimate(7.0, math.nan, -math.inf, math.inf, 1), ".1f", "7.0"),
        (proportion(3559, 6123), "", "0.581 ± 0.012 (n = 6,123)"),
    ],
)
def test_formats(estimate, spec, text):
    assert format(estimate, spec) == f"{estimate:{spec}}" == text


def test_formats_of_texts_are_refused():
    with pytest.raises(ValueError, match="format"):
        format(HALF, "10s")


@pytest.mark.parametrize(
    "estimate",
    [
        proportion(3559, 6123),
        proportion(0, 0),
        mean_of(np.array([7])),
        mean_of(np.array([], dtype=int)),
        mean_of(np.arange(5), 0.9),
        Estimate.exactly(Fraction(286, 805), n=3),
        Estimate.exactly(math.inf),
        Estimate(np.float64(0.5), np.float32(0.25), np.float64(0), np.float64(1), np.int64(4)),
    ],
)
def test_json_round_trip(estimate):
    text = json.dumps(estimate.to_dict(), allow_nan=False)
    back = Estimate.from_dict(json.loads(text))
    assert back.to_dict() == estimate.to_dict()
    for name in ("value", "se", "lo", "hi", "n", "confidence", "exact", "fraction"):
        before, after = getattr(estimate, name), getattr(back, name)
        assert after == before or math.isnan(after) and math.isnan(before)
    assert pickle.loads(pickle.dumps(estimate)).to_dict() == estimate.to_dict()


def test_dicts_that_are_no_estimate_are_refused():
    for values in ({}, {"value": 1, "n": 2, "levle": 0.9}, [1, 2]):
        with pytest.raises(ArgumentError, match="is not an estimate; give a dict with value, se"):
            Estimate.from_dict(values)
    assert Estimate.from_dict({"value": 0.5, "n": 3}).lo == -math.inf


@pytest.mark.parametrize("factor", [2, 0.5, -3, Fraction(1, 3), np.float64(100), np.int8(-4)])
def test_a_number_changes_the_unit_of_an_estimate(factor) -> None:
    values = np.random.default_rng(1).normal(8, 3, 200)
    mean = mean_of(values)
    for scaled in (mean * factor, factor * mean, mean / (1 / factor)):
        expected = mean_of(values * float(factor))
        for name in ("value", "se", "lo", "hi", "n", "confidence"):
            assert getattr(scaled, name) == pytest.approx(getattr(expected, name)), name
    assert (-mean).to_dict() == (mean * -1).to_dict() and not (mean * factor).exact


def test_exact_estimates_are_numbers_in_products() -> None:
    third, mean = Estimate.exactly(Fraction(1, 3)), mean_of(np.arange(50.0))
    assert (third * third).fraction == Fraction(1, 9) and (third / third).fraction == 1
    assert (3 * third).fraction == 1 and (-third).fraction == Fraction(-1, 3)
    assert (third * mean).to_dict() == (mean * third).to_dict() == (mean / 3).to_dict()
    assert (mean * 0).exact and (mean * 0).value == 0
    assert type(dk.probability("spades(north) == 5") * 100) is Estimate


def test_products_without_an_interval_are_refused() -> None:
    mean, half = mean_of(np.arange(50.0)), Estimate(7.0, math.nan, -math.inf, math.inf, 1)
    for compute in (lambda: mean * mean, lambda: mean / mean):
        with pytest.raises(dk.ArgumentError, match="both estimates have an interval.*per=..."):
            compute()
    with pytest.raises(dk.ArgumentError, match="multiplied by inf"):
        _ = mean * math.inf
    with pytest.raises(ZeroDivisionError):
        _ = mean / 0
    with pytest.raises(TypeError):
        _ = mean * "2"
    assert (half * -2).lo == -math.inf and (half * -2).hi == math.inf and (half * -2).value == -14


def of_sample(values: np.ndarray, *samples: str) -> Estimate:
    return replace(mean_of(values), samples=frozenset(samples))


@pytest.mark.parametrize("dependence", [-0.999, -0.6, 0.0, 0.9])
@pytest.mark.parametrize("join", [operator.sub, operator.add])
def test_estimates_of_one_sample_have_an_interval_for_any_dependence(rng, join, dependence: float) -> None:
    x, noise = rng.normal(3, 2, (2, 400))
    y = dependence * x + math.sqrt(1 - dependence**2) * noise
    with pytest.warns(dk.DependentEstimates, match=r"\(seed 1\).*average hcp\(north\) - hcp\(south\)"):
        joined = join(of_sample(x, "seed 1"), of_sample(y, "seed 1", "seed 2"))
    paired = mean_of(join(x, y))  # from the difference or sum in each deal
    assert joined.value == pytest.approx(paired.value) and joined.samples == {"seed 1", "seed 2"}
    assert joined.lo <= paired.lo and joined.hi >= paired.hi and joined.se >= paired.se
    if (join, dependence) == (operator.sub, -0.999):  # no interval for any dependence can be narrower
        assert joined.hi - joined.lo == pytest.approx(paired.hi - paired.lo, rel=0.01)


@pytest.mark.filterwarnings("error")
def test_only_estimates_of_one_sample_depend_on_each_other(rng) -> None:
    x, y = rng.normal(3, 2, (2, 400))
    first, other, third = of_sample(x, "seed 1"), of_sample(y, "seed 2"), Estimate.exactly(Fraction(1, 3))
    assert (first - other).se == pytest.approx(math.hypot(first.se, other.se))
    assert (first - mean_of(y)).to_dict() == (first - other).to_dict() | {"samples": ["seed 1"]}
    assert (first - replace(third, samples=first.samples)).se == first.se  # exact
    same = first - first
    assert same.exact and same.value == 0 and (first + first).to_dict() == (2 * first).to_dict()
    assert (first + 1).lo == pytest.approx(first.lo + 1) and (1 + third).fraction == Fraction(4, 3)
    assert sum([first, other]).to_dict() == (first + other).to_dict() == (first - -other).to_dict()
    assert (100 * round(-first, 2)).samples == {"seed 1"}
    assert Estimate.from_dict(json.loads(json.dumps(first.to_dict()))).samples == {"seed 1"}
    with pytest.raises(TypeError):
        _ = first + "1"
