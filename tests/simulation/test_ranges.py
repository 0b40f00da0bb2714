"""Intervals of means of few deals keep to the values that the condition allows."""

from __future__ import annotations

from fractions import Fraction

import pytest

import dealerkit as dk
from dealerkit import Estimate
from dealerkit.compiler.compilation import compile_condition
from dealerkit.counting.exact import find_exact_range


def mean_of(script: str, n: int) -> Estimate:
    return dk.run(script, produce=n, seed=1).reports[0].mean


@pytest.mark.parametrize("n", [1, 5])
def test_a_value_that_the_condition_fixes_is_known(n):
    for script in (
        "condition hcp(north) >= 37 action average hcp(north)",
        "condition hcp(north) == 20 and cccc(north) > 10 action average hcp(north) - 3",  # cccc is not counted
        "condition spades(north) == 5 and hcp(south) > 9 action average 2 * spades(north)",
        "predeal north SAKQ,HAKQ,DAKQ,CAKQJ action average hcp(north)",
    ):
        mean = mean_of(script, n)
        assert mean.exact and mean.lo == mean.hi == mean.value


def test_the_range_is_that_of_the_condition():
    mean = mean_of("condition hcp(north) >= 36 action average hcp(north)", 5)
    assert mean.value == 36 and 36 <= mean.lo <= mean.hi <= 37 and not mean.exact


def test_nothing_is_counted_where_the_least_and_the_greatest_possible_value_were_seen(monkeypatch):
    def fail(*_):
        raise AssertionError("the range was counted")

    monkeypatch.setattr("dealerkit.counting.exact.find_exact_range", fail)
    mean_of("condition hcp(north) > 9 action average 100 * (spades(north) > 3)", 100)
    with pytest.raises(AssertionError, match="counted"):
        mean_of("condition hcp(north) >= 36 action average hcp(north)", 5)


def test_a_value_that_the_hand_types_fix_is_known():
    script = """
        condition spades(south) == 4
        level "8" hcp(south) == 8, "10" hcp(south) == 10 share 3
        action average hcp(south), average hcp(north) + hcp(south), average cccc(south)"""
    fixed, sides, cccc = dk.run(script, produce=40, seed=1).reports[:3]
    assert fixed.mean.exact and fixed.mean.fraction == Fraction(8 + 3 * 10, 4)
    assert not sides.mean.exact and not cccc.mean.exact
    # At natural frequencies: weighted by the exact numbers of deals of both types
    eight, ten = (
        dk.probability(f"spades(south) == 4 and hcp(south) == {points}").fraction for points in (8, 10)
    )
    assert fixed.natural.exact and fixed.natural.fraction == (8 * eight + 10 * ten) / (eight + ten)


def test_one_deal_of_each_hand_type_shows_the_only_value():
    script = 'level "5" spades(north) == 5 and cccc(north) > 9, "6" spades(north) == 6 action average spades(north)'
    mean = dk.run(script, produce=2, seed=1).reports[0]
    assert (mean.mean.lo, mean.mean.value, mean.mean.hi) == (5.5, 5.5, 5.5)
    assert 5 < mean.natural.lo < mean.natural.hi < 6  # the rate of the first type is estimated


@pytest.mark.parametrize(
    ("expression", "given", "ends"),
    [
        ("hcp(north)", "hcp(north) > 35", (36, 37)),
        ("hcp(south)", "hcp(north) >= 30", (0, 10)),
        ("spades(north) + hearts(north)", "shape(north, any 4333)", (6, 7)),
        ("losers(north)", "hcp(north) == 37", (0, 0)),  # AKQJ AKQ AKQ AKQ
        ("controls(north)", "hcp(north) == 37", (12, 12)),
        ("tricks(north, spades)", "hcp(north) == 37", None),
        ("cccc(north)", "hcp(north) == 37", None),
    ],
)
def test_ranges_of_expressions(expression, given, ends):
    compiled = compile_condition(expression, given)
    assert find_exact_range(compiled.graph, compiled.expression, compiled.given) == ends


def test_predealt_lengths_leave_the_values_that_all_deals_allow():
    script = "predeal diamonds(north) == 7 action average controls(west, diamonds) * (spades(east) > 9)"
    mean = dk.run(script, produce=60, seed=1).reports[0].mean
    assert (mean.value, mean.lo) == (0, 0)
    assert mean.hi < 3 * 0.08  # of ace and king, not of all twelve controls: below 5 of 60 deals


def test_probabilities_below_one_are_not_shown_as_one():
    assert repr(dk.probability("hcp(north) <= 33")) == "0.9999999919 (exact)"
    assert repr(dk.probability("hcp(north) <= 37")) == "1 (exact)"
    assert repr(Estimate.exactly(1 - Fraction(1, 10**20))) == "1 - 1e-20 (exact)"
    never = dk.probability("cccc(north) > 37 and losers(south) < 2")
    assert repr(never).startswith("0 [0, ")


def test_a_study_does_not_print_its_default_seed():
    own, default = (
        dk.estimate("cccc(north)", given="hcp(north) == 12", precision=0.3, seed=seed) for seed in (7, None)
    )
    assert "seed 7;" in str(own) and "default seed;" in str(default)
