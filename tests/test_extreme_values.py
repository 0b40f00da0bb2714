"""Very large and very small numbers, infinite ones, and none: the right value or an error of dealerkit.

Every warning of numpy is an error here.
"""

from __future__ import annotations

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.statistics import Moments

pytestmark = pytest.mark.filterwarnings("error")
BIG = "1" + "0" * 300 + ".0"
INFINITE = f"{BIG} * {BIG}"
DEALS = dk.deal(300, seed=5)
POINTS = DEALS.eval("hcp(north)").astype(np.int64)


def decimal_moments(values: np.ndarray, weights: np.ndarray) -> tuple[Decimal, Decimal, Decimal]:
    """Return mean, standard deviation and standard error, computed with sixty digits."""
    with localcontext() as context:
        context.prec = 60
        x, w = ([Decimal(float(number)) for number in column] for column in (values, weights))
        total, n = sum(w), len(x)
        mean = sum(a * b for a, b in zip(x, w, strict=True)) / total
        squares = [(a - mean) ** 2 for a in x]
        variance = sum(a * b for a, b in zip(squares, w, strict=True)) / (
            total - sum(a * a for a in w) / total
        )
        se = sum(a * b * b for a, b in zip(squares, w, strict=True)) * n / (n - 1) / total**2
        return mean, variance.sqrt(), se.sqrt()


@pytest.mark.parametrize("size", [1e300, 4e306, 1e155, 1e-39, 1e-160, 1e-300])
@pytest.mark.parametrize("weight", [None, 1.0, 1e100, 1e-90])
def test_moments_of_numbers_of_every_size(rng, size, weight):
    values = rng.integers(1, 40, 300) * size
    weights = None if weight is None else (1 - rng.random(300)) * weight
    whole, part = Moments(), Moments()
    for moments, rows in ((whole, slice(0, 100)), (part, slice(100, 300))):
        moments.update(values[rows], None if weights is None else weights[rows])
    whole.merge(part)
    mean = whole.mean()
    expected = decimal_moments(values, np.ones(300) if weights is None else weights)
    for number, right in zip((mean.value, whole.sd, mean.se), expected, strict=True):
        assert abs(Decimal(number) / right - 1) < Decimal("1e-13")
    assert mean.lo < mean.value < mean.hi


def test_clusters_of_very_large_numbers():
    values, clusters = POINTS * 1e300, np.arange(300) // 6
    large, small = Moments(), Moments()
    large.update(values, None, clusters)
    small.update(POINTS.astype(float), None, clusters)
    assert large.mean().se == pytest.approx(small.mean().se * 1e300, rel=1e-12)


@pytest.mark.parametrize("weight", [math.inf, math.nan, -1.0, 1e200])
def test_weights_that_have_no_sum_of_squares(weight):
    with pytest.raises(dk.ArgumentError, match="weights are .* give numbers from 0 to 1e100"):
        Moments().update(np.array([1.0, 2.0]), np.array([1.0, weight]))


def test_the_average_of_very_large_reals():
    result = dk.run(f'action average "x" hcp(north) * {BIG}', source=DEALS)
    expected = decimal_moments(POINTS * 1e300, np.ones(300))
    row = result["x"].frame.iloc[0]
    assert row["mean"] == pytest.approx(float(expected[0])) and row["sd"] == pytest.approx(float(expected[1]))
    assert str(result) and result._repr_html_()


def test_interval_where_few_very_large_values_differ():
    large, small = (
        dk.run(f'action average "x" (hascard(north, AS) && hascard(north, AH) && hascard(north, AD)) * {size}',
               source=DEALS)["x"].frame.iloc[0]
        for size in (BIG, "1.0")
    )  # fmt: skip
    for name in ("mean", "se", "lo", "hi"):
        assert large[name] == pytest.approx(small[name] * 1e300)


@pytest.mark.parametrize(
    ("expression", "message"),
    [(INFINITE, "beyond the largest real"), (f"{INFINITE} - {INFINITE}", "not a number")],
)
def test_no_average_of_what_is_no_number(expression, message):
    first = DEALS[:1].to_pbn()[0]
    for action in ("average", 'average "x"'):
        with pytest.raises(dk.EvaluationError, match=message) as error:
            dk.run(f"action {action} {expression}", source=DEALS)
        assert first in str(error.value) and "(deal 1 of the run)" in str(error.value)


@pytest.mark.parametrize(
    "action", ["average {}", "frequency ({}, 0, 9)", "printes({}, 1)", "bktfreq ({}, 0, 9, 1)"]
)
@pytest.mark.parametrize("stream", ["uniform", "classic"])
def test_an_error_has_the_number_of_its_deal(action, stream):
    common = {"seed": 1, "stream": stream, "threads": 1}
    kept = dk.run("condition hcp(north) > 11", produce=9, **common).numbers
    for expression, number in (("1 / (board() - 5)", kept[4]), ("1 / (hcp(north) / 12 - 1)", None)):
        with pytest.raises(dk.DivisionByZeroError) as error:
            dk.run(f"condition hcp(north) > 11 action {action.format(expression)}", produce=9, **common)
        if number is not None:
            assert f"(deal {number + 1} of the run)" in str(error.value)
    if action.startswith("average"):
        with pytest.raises(dk.EvaluationError, match=rf"\(deal {kept[4] + 1} of the run\)"):
            dk.run(
                f"condition hcp(north) > 11 action average board() == 5 ? {INFINITE} : 1.0",
                produce=9,
                **common,
            )


def test_infinite_values_are_counted_beside_the_table():
    frame = dk.run(f"action bktfreq((hcp(north) - 10) * {INFINITE} * 3.5, 0.0, 10.0, 0.5)", source=DEALS[
        POINTS != 10
    ]).reports[0].frame  # fmt: skip
    assert (frame.loc["low", "count"], frame.loc["high", "count"]) == (
        (POINTS < 10).sum(),
        (POINTS > 10).sum(),
    )
    with pytest.raises(dk.EvaluationError, match="not a number"):
        dk.run(f"action bktfreq({INFINITE} - {INFINITE}, 0.0, 10.0, 0.5)", source=DEALS)


@pytest.mark.parametrize("size", [BIG, "92233720368547758.07", "922337203685477.58"])
def test_tables_of_large_numbers(size):
    report = dk.run(
        f"action bktfreq(spades(north) * {size}, 0.0, {size.replace('.', '0.')}, {size})", source=DEALS
    ).reports[0]
    lengths = DEALS.eval("spades(north)")
    assert report.frame["count"].sum() == 300 and report.frame["count"].iloc[0] == (lengths == 0).sum()


COMPARISONS = {
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater,
    ">=": np.greater_equal,
}  # fmt: skip


@pytest.mark.parametrize("operator", COMPARISONS)
def test_infinite_numbers_compare_as_ieee_754_says(operator):
    # Values -inf, 0 or inf, without 0 times infinity.
    sign = "(hcp({0}) < 8 ? 0 - {1} : hcp({0}) < 12 ? 0.0 : {1})"
    left, right = (sign.format(seat, INFINITE) for seat in ("north", "south"))
    points = [DEALS.eval(f"hcp({seat})") for seat in ("north", "south")]
    numbers = [np.where(p < 8, -np.inf, np.where(p < 12, 0.0, np.inf)) for p in points]
    expected = COMPARISONS[operator](*numbers)
    assert (DEALS.eval(f"{left} {operator} {right}").astype(bool) == expected).all()
    # The same on the stream deal by deal, which a kernel evaluates.
    script = f"condition {left} {operator} {right}"
    for stream in ("uniform", "classic"):
        kept = dk.run(
            script, produce=200, generate=200, seed=3, stream=stream, plan="plain", keep="all"
        ).deals
        every = dk.run("action printoneline", produce=200, seed=3, stream=stream, keep="all").deals
        assert kept.to_pbn() == every.where(f"{left} {operator} {right}").to_pbn()


def test_comparisons_of_what_is_no_number():
    nothing = f"({INFINITE} - {INFINITE} * hcp(north))"
    few = DEALS[POINTS > 0]
    assert few.eval(f"{nothing} != 1").all() and not few.eval(f"{nothing} == {nothing}").any()


@pytest.mark.parametrize("factor", ["92233720368547758.07", "71000000000000000.13", BIG])
def test_probabilities_with_very_large_factors(factor):
    exact = dk.probability("spades(north) > 3")
    value = dk.probability(f"spades(north) * {factor} > {factor} * 3.5", deals=20_000, seed=1)
    assert value.lo - 0.01 <= exact.value <= value.hi + 0.01


@pytest.mark.parametrize(
    "tricks", ["9223372036854775807", "-9223372036854775807", f"hcp(north) * {BIG}", INFINITE]
)
def test_the_score_of_very_many_tricks(tricks):
    with pytest.raises(dk.ArgumentError, match="1,000,000,000,000 tricks"):
        DEALS.eval(f"score(vul, 3N, {tricks})")
    with pytest.raises(dk.ArgumentError):
        dk.score("3NT", 10**30)


def test_imps_of_the_least_integers():
    assert dk.imps(-(2**63)) == dk.imps(-(2**31)) == -24
    assert DEALS[:2].eval("imps(-9223372036854775808) + imps(9223372036854775807) * 100").tolist() == [
        2376,
        2376,
    ]
    # dealer computes with 32 bits, which hold no opposite of their least integer.
    assert DEALS[:1].eval("imps(-2147483648)", dialect="v1").tolist() == [0]
    assert DEALS[:1].eval("imps(-2147483647)", dialect="v1").tolist() == [-24]
    with pytest.raises(dk.ArgumentError, match="not a number"):
        DEALS.eval(f"imps({INFINITE} - {INFINITE})")


def test_numbers_of_deals_beyond_64_bits():
    result = dk.run("hcp(north) > 9", produce=5, generate=10**30, seed=10**40)
    assert len(result.deals) == 5
