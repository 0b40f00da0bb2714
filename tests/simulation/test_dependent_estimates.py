"""Estimates know the deals that they come from, so that a difference of two of the same run is noticed."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import dealerkit as dk

SCRIPT = 'condition hcp(north) >= 15 action average "N" hcp(north), average "S" hcp(south) >= 8'
DEALS = dk.solved_sample()[:4000]


def run(seed: int = 1, **options: object) -> dk.Result:
    return dk.run(SCRIPT, produce=100, seed=seed, **options)


def depend(first: dk.Estimate, other: dk.Estimate) -> bool:
    """Whether the difference warns."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _ = first - other
    return any(warning.category is dk.DependentEstimates for warning in caught)


def test_estimates_of_a_run_depend_on_each_other(tmp_path: Path) -> None:
    result = run()
    first, other = result["N"].mean, result["S"].mean
    assert depend(first, other) and depend(first, 2 * other) and depend(first, result.probability)
    assert not depend(first, run(2)["S"].mean)
    assert depend(first, dk.run("action average hcp(east)", produce=50, seed=1).reports[0].mean)
    result.save(tmp_path / "result.zip")
    loaded = dk.load(tmp_path / "result.zip")
    assert depend(first, loaded["S"].mean) and loaded["S"].mean.samples == {"seed 1"}


def test_combined_results_depend_on_each_of_their_runs() -> None:
    both = run(1) + run(2)
    assert both["N"].mean.samples == {"seed 1", "seed 2"}
    assert depend(both["N"].mean, run(2)["S"].mean) and not depend(both["N"].mean, run(3)["S"].mean)


def test_runs_on_the_same_given_deals_depend_on_each_other() -> None:
    def average(deals: dk.Deals) -> dk.Estimate:
        return dk.run('action average "x" hcp(north)', source=deals)["x"].mean

    assert depend(average(DEALS), average(DEALS[:]))
    assert not depend(average(DEALS[:2000]), average(DEALS[2000:]))
    solved = [dk.run(SCRIPT, produce=50, seed=seed, solved=DEALS)["N"].mean for seed in (1, 2)]
    assert depend(*solved)


def test_levelled_shares_depend_on_each_other() -> None:
    types = {"weak": "hcp(south) <= 7", "strong": "hcp(south) > 7 and cccc(south) > 8"}
    result = dk.level("hcp(north) >= 15", types, produce=30, seed=3)
    report = result.reports[0]
    assert depend(*report.natural) and not depend(*report.shares)  # the shares are set


def estimate(**options: object) -> dk.Estimate:
    return dk.estimate("cccc(north)", "hcp(north) >= 15", precision=0.5, **options).estimate


def contract(name: str) -> dk.Estimate:
    return dk.contracts(
        DEALS.where("hcp(north) > 15"), ["1NT", "2NT"], declarer="north", vulnerable="none"
    ).makes(name)


@pytest.mark.filterwarnings("ignore::dealerkit.DoubleDummyBias", "ignore::dealerkit.SmallSample")
@pytest.mark.parametrize(
    ("first", "other", "expected"),
    [
        (estimate, estimate, True),
        (estimate, lambda: estimate(seed=5), False),
        (lambda: estimate(deals=DEALS), lambda: estimate(deals=DEALS), True),
        (lambda: estimate(deals=DEALS[:2000]), lambda: estimate(deals=DEALS[2000:]), False),
        (lambda: contract("1NT"), lambda: contract("2NT"), True),
        (
            lambda: dk.probability("cccc(north) > 12", seed=3),
            lambda: dk.probability("cccc(south) > 13", seed=3), True,
        ),
    ],
)  # fmt: skip
def test_studies_with_the_same_deals_depend_on_each_other(
    first: Callable[[], dk.Estimate], other: Callable[[], dk.Estimate], expected: bool
) -> None:
    assert depend(first(), other()) == expected


@pytest.mark.filterwarnings("ignore::dealerkit.DoubleDummyBias", "ignore::dealerkit.SmallSample")
def test_values_of_by_have_no_common_deals() -> None:
    deals = DEALS.where("hcp(north) >= 15")
    study = dk.contracts(deals, ["1NT", "2NT"], declarer="north", vulnerable="none", by="hcp(north)")
    values = {(key[0], key[2]): found.makes for key, found in study.value_outcomes.items()}
    (name, low), (same, high) = list(values)[:2]
    assert name == same and low != high
    assert not depend(values[name, low], values[name, high])


@pytest.mark.filterwarnings("ignore::dealerkit.DoubleDummyBias", "ignore::dealerkit.SmallSample")
def test_leads_depend_on_each_other() -> None:
    study = dk.lead("KJ74.Q93.T85.J62", "3NT by south", given="hcp(south) >= 15", produce=4, seed=1)
    assert depend(study.beats("S4"), study.beats("H3")) and depend(study.mean_tricks("S4"), study.gain("H3"))


@pytest.mark.filterwarnings("ignore::dealerkit.DependentEstimates")
def test_deals_that_two_estimates_share_count_once() -> None:
    first, other = (run()[name].mean for name in "NS")
    assert (first + other).n == (first - other).n == 100
    assert (first + run(2)["S"].mean).n == 200
