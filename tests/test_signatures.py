"""Signatures of the public functions: which arguments are given by position, and options that exclude others."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.errors import ArgumentError


@pytest.mark.parametrize(
    ("function", "positional"),
    [
        (dk.run, ["script"]),
        (dk.deal, ["n"]),
        (dk.explain, ["script"]),
        (dk.why, ["script", "deal"]),
        (dk.compare, ["measures"]),
        (dk.leads, ["deals", "contract", "declarer"]),
        (dk.score, ["contract", "tricks"]),
    ],
)
def test_options_are_given_by_name(function, positional):
    parameters = inspect.signature(function).parameters.values()
    assert [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD] == positional
    assert all(p.kind is p.KEYWORD_ONLY for p in parameters if p.name not in positional)


def test_no_public_function_calls_the_confidence_level_otherwise():
    named = 0
    for name in dk.__all__:
        value = getattr(dk, name)
        if inspect.isroutine(value):
            parameters = inspect.signature(value).parameters
            assert "level" not in parameters and "par_vulnerable" not in parameters, name
            named += "confidence" in parameters
    assert named == 6  # run, probability, distribution, compare, difference, proportion


@pytest.mark.parametrize("plan", ["conditional", "staged"])
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"swap": 2}, "swap=2"),
        ({"stream": "classic"}, "classic"),
        ({"source": "deals"}, "source="),
        ({"dialect": "v2"}, "v2.*plainly"),
    ],
)
def test_a_plan_that_other_options_exclude_is_refused(plan, options, reason):
    if "source" in options:
        options = {"source": dk.deal(10, seed=1)}
    script = "condition hcp(north) > 15 and hcp(south) > 5 and hcp(east) > 5"
    with pytest.raises(ArgumentError, match=f'plan="{plan}".*{reason}'):
        dk.run(script, produce=1, seed=1, plan=plan, **options)
    assert dk.run(script, generate=10, seed=1, plan="plain", **options).plan.name == "plain"


def test_deal_takes_the_values_of_script_variables_and_a_plan():
    given = dk.deal(5, seed=1, given="hcp(north) >= $0", params=["20"], plan="plain")
    all_deals = dk.deal(3000, seed=1)
    assert np.array_equal(given.hands, all_deals.where("hcp(north) >= 20").hands[:5])
    sampled = dk.deal(5, seed=1, given="hcp(north) >= 20", plan="conditional")
    assert (sampled.eval("hcp(north)") >= 20).all() and not np.array_equal(sampled.hands, given.hands)
