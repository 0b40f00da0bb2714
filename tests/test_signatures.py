"""Signatures of the public functions: which arguments are given by position, and options that exclude others."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import dealerkit as dk
from dealerkit import ArgumentError


@pytest.mark.parametrize(
    ("function", "positional"),
    [
        (dk.run, ["script"]),
        (dk.deal, ["n"]),
        (dk.explain, ["script"]),
        (dk.why, ["script", "deal"]),
        (dk.compare, ["measures"]),
        (dk.card, ["hand", "dummy", "contract", "played"]),
        (dk.suit, ["north", "south", "tricks"]),
        (dk.suit_quiz, ["n"]),
        (dk.breaks, ["missing"]),
        (dk.plan, ["chances"]),
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
            if name != "tricks_by":  # its level is that of contracts
                assert "level" not in parameters and "par_vulnerable" not in parameters, name
            named += "confidence" in parameters
    # run, probability, distribution, compare, difference, proportion, estimate, contracts, lead, card; fit_points,
    # layouts, law_of_total_tricks, par_statistics, tricks_by, best_contracts, sweep
    assert named == 18


@pytest.mark.parametrize("plan", ["conditional", "staged"])
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"swap": 2}, "swap=2"),
        ({"stream": "classic"}, "classic"),
        ({"source": "deals"}, "source="),
    ],
)
def test_a_plan_that_other_options_exclude_is_refused(plan, options, reason):
    if "source" in options:
        options = {"source": dk.deal(10, seed=1)}
    script = "condition hcp(north) > 15 and hcp(south) > 5 and hcp(east) > 5"
    with pytest.raises(ArgumentError, match=f"plan='{plan}'.*{reason}"):
        dk.run_script(script, dk.RunOptions(produce=1, seed=1, plan=plan, **options))
    plain = dk.RunOptions(generate=10, seed=1, plan="plain", **options)
    assert dk.run_script(script, plain).plan.name == "plain"


def test_deal_takes_the_values_of_script_variables_and_a_plan():
    given = dk.deal(5, seed=1, given="hcp(north) >= $0", params=["20"], plan="plain")
    all_deals = dk.deal(3000, seed=1)
    assert np.array_equal(given.hands, all_deals.where("hcp(north) >= 20").hands[:5])
    sampled = dk.deal(5, seed=1, given="hcp(north) >= 20", plan="conditional")
    assert (sampled.eval("hcp(north)") >= 20).all() and not np.array_equal(sampled.hands, given.hands)


@pytest.fixture(scope="module")
def first_deal():
    """The first deal of the classic stream, with its table: it is solved once."""
    deals = dk.run("action average rnd(2)", stream="classic", produce=1, seed=1).deals
    return deals.replace(tables=dk.dd_table(deals))


@pytest.mark.parametrize("vulnerable", [None, "ns", "ew", True])
def test_expressions_on_deals_take_the_same_options(vulnerable, first_deal):
    """The par of 3NT with two overtricks by north is 460, vulnerable 660; see tests/simulation/test_solving.py."""
    deals = first_deal
    frame = deals.to_frame()
    par = 660 if vulnerable in ("ns", True) else 460
    options = {"vulnerable": vulnerable, "params": ["NS"], "opener": "north", "dialect": "v2"}
    assert deals.eval("par($0)", **options).tolist() == [par]
    assert frame.dealer.eval("par($0)", **options).tolist() == [par]
    assert len(deals.where(f"par($0) == {par}", **options)) == 1
    assert len(frame.dealer.where(f"par($0) == {par}", **options)) == 1
    for source in (deals, frame.dealer):
        table = source.to_frame("par_ns", x="par($0)", **options)
        assert table[["par_ns", "x"]].iloc[0].tolist() == [par, par]


def test_the_opener_holds_for_functions_and_expressions_of_a_frame():
    deals = dk.deal(300, seed=1)
    frames = [deals.to_frame("opc", x="opc(NS)", opener=opener) for opener in ("north", "south")]
    for opener, frame in zip(("north", "south"), frames, strict=True):
        assert np.array_equal(frame.opc_ns, frame.x)
        assert np.allclose(frame.x, deals.eval("opc(NS)", opener=opener))
    assert not np.array_equal(frames[0].opc_ns, frames[1].opc_ns)
