"""Plans as values: their parts, their representation, and the forecast of their acceptance rate."""

from __future__ import annotations

import warnings

import pytest

import dealerkit as dk
from dealerkit.compiler.compilation import compile_script
from dealerkit.dealing import Predeal
from dealerkit.planning import Limits, make_plan
from dealerkit.planning.acceptance import AcceptanceForecast
from dealerkit.planning.choice import choose_plan

SCRIPTS = {
    "plain": "condition hcp(north) > 9 action average hcp(south)",
    "staged": "condition cccc(north) > 14 and cccc(south) > 14 and cccc(west) > 9 action",
    "conditional": "condition hcp(north) > 21 and cccc(south) > 9 action",
}


def forecast(condition: str, kind: str = "conditional") -> AcceptanceForecast:
    plan = make_plan(compile_script(f"condition {condition} action"))
    return AcceptanceForecast(plan, choose_plan(plan, kind, Limits(None, 40), Predeal()), Predeal())


@pytest.mark.parametrize("kind", SCRIPTS)
def test_repr_is_short(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plan = dk.run(SCRIPTS[kind], produce=1, generate=1000, seed=1, plan=kind).plan
    assert repr(plan).startswith(f"Plan({kind!r}, n_clauses=")
    assert len(repr(plan)) <= 200


def test_repr_of_many_clauses_is_short():
    clauses = " and ".join(f"hcp(north) != {k}" for k in range(30)) + " and tricks(north, spades) > 9"
    plan = make_plan(compile_script(f"condition {clauses} action"))
    assert len(repr(plan)) <= 200
    assert plan.n_solver_clauses == 1 and plan.cheap_clauses + plan.solver_clauses == plan.clauses


def test_a_forecast_without_a_count_scales_the_rate_of_candidates():
    rare = forecast("hcp(north) > 19 and cccc(south) > 9")
    sampling = rare.chosen_plan.sampling
    assert rare.exact_rate is None and rare.count_obstacle == "cccc is not a sum over suits"
    assert rare.rate.value == pytest.approx(rare.candidate_rate.value * float(sampling.share))
    assert rare.unsatisfiable_clauses == () and not rare.chosen_plan.is_impossible


def test_a_forecast_is_computed_once():
    exact = forecast("hcp(north) > 19 and hcp(east) > 9", "plain")
    assert exact.rate is exact.rate and exact.rate.fraction == exact.exact_rate
    assert exact.candidate_rate is None


@pytest.mark.parametrize(
    ("condition", "clauses"),
    [
        (
            "spades(north) > 2 and aces(north) == 3 and aces(west) == 2",
            ("aces(north) == 3", "aces(west) == 2"),
        ),
        ("hcp(north) > 37 and cccc(south) > 5", ("hcp(north) > 37",)),
        ("cccc(east) > 3 and hcp(north) > 37 and cccc(south) > 3 and spades(east) > 1", ("hcp(north) > 37",)),
    ],
)
@pytest.mark.parametrize("kind", ["plain", "conditional"])
def test_unsatisfiable_clauses_are_minimal(condition, clauses, kind):
    impossible = forecast(condition, kind)
    assert impossible.unsatisfiable_clauses == clauses
    assert impossible.rate.exact and not impossible.rate.value


def test_a_forecast_needs_no_solver():
    assert forecast("hcp(north) > 19 and tricks(north, spades) > 9").rate is None
