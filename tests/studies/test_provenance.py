"""Where results of runs and studies are from: each is repeated from its call."""

from __future__ import annotations

import json
import warnings
from dataclasses import fields
from html import unescape
from inspect import isfunction, signature
from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.simulation.calls import OF_RUN_SCRIPT, WITHOUT_EFFECT

HAND = "KJ74.Q93.T85.J62"
STRATEGY = [("hcp(north) + hcp(south) >= 25", "3NT by north"), (True, "2NT by north")]
DRAWN = np.random.default_rng(5).normal(size=(2000, 2))  # values of an evaluator
SOUTH = {"south": "SAKQ,HAK"}


@pytest.fixture(scope="module")
def deals() -> dk.Deals:
    return dk.solved_sample()[:2000]


def prefer(hand: str, strain: str) -> list[str]:
    """The first card."""
    return ["S" + hand.split(".")[0][0]]


STUDIES = {
    "counted": lambda deals: dk.estimate("hcp(north)", predeal=SOUTH),
    "dealt": lambda deals: dk.estimate(
        "cccc(north)", "hcp(south) >= $0", {"south": "SAKQ"}, [15], against="cccc(east)", precision=0.3, seed=4
    ),
    "a ratio": lambda deals: dk.estimate(
        "dds(south, spades) >= 10 and hcp(south) > 12", per="hcp(south) > 12", deals=deals, precision=0.1
    ),
    "a median": lambda deals: dk.estimate("dds(south, spades)", deals=deals, quantile=0.5, method="plain", seed=2),
    "real play": lambda deals: dk.estimate("dds(south, spades)", deals=deals, real_play="4S", precision=0.3),
    "comparison": lambda deals: dk.compare(
        {"hcp": "hcp", "both": ["hcp", "controls"], "drawn": DRAWN},
        sample=deals, by="fit", where="hcp >= 15", events=["game"], decision=("4M", "3M"), replicates=100, seed=3,
    ),
    "fitted points": lambda deals: dk.fit_points(
        iter(["aces", "kings"]), sample=deals, total=20, where="hcp >= 12", replicates=100
    ),
    "tricks": lambda deals: dk.tricks_by(deals, points="controls", fit=None, strain="notrump", where="hcp >= 15"),
    "sweep": lambda deals: dk.sweep("spades(north) >= $n", "hcp(north) == 20", n=range(4, 6)),
    "best contracts": lambda deals: dk.best_contracts(
        deals, classes={"long": "fit >= 9", "notrump": ("notrump", "hcp >= 20")}, min_deals=40, vulnerable=True
    ),
    "Law": lambda deals: dk.law_of_total_tricks(deals, ties="mean", where="hcp(north) >= 10"),
    "par statistics": lambda deals: dk.par_statistics(deals, vulnerable=["none", "both"], dealer="east"),
    "par": lambda deals: dk.tabulate_par(deals, "both", 2),
    "break-even": lambda deals: dk.break_even("4S", "3S", vulnerable=True, tricks={9: 30, 10: 50}),
    "break-even table": lambda deals: dk.break_even_table(),
    "two systems": lambda deals: dk.compare_systems(
        "sayc", dk.system("acol", {"notrump": 13}), 40, max_unfinished=1, given=dk.auction("1NT-3NT", dealer="north")
    ),
    "layouts": lambda deals: dk.layouts(deals[0], "north", 5, strain="notrump"),
    "a card": lambda deals: dk.card(
        "K54.AQ3.K52.AQ63", "AQ2.K52.A873.T42", "3NT by south", "HJ H2 H7", produce=2, seed=1
    ),
    "a suit": lambda deals: dk.suit("AQT98", "432", tricks=4, vacant=[12, 10]),
    "suit quiz": lambda deals: dk.suit_quiz(1, gain=0.1, seed=1),
    "breaks": lambda deals: dk.breaks("QJxx", vacant=(9, 12), west_played="x", east_played="J"),
    "plan": lambda deals: dk.plan(["AKQ2 opposite 543, 4 tricks", "AQ2 opposite 543, 2 tricks"], losers=0),
    "line": lambda deals: dk.line(deals[1], "3NT by south"),
    "contracts of given deals": lambda deals: dk.contracts(
        deals, {"invite": STRATEGY, "3NT": "3NT by north"}, vulnerable="NS", scoring="matchpoints"
    ),
    "contracts dealt": lambda deals: dk.contracts(
        "hcp(north) >= 8", ["2NT", "3NT"], declarer="north", predeal=SOUTH, produce=6, against="pass", seed=3
    ),
    "leads": lambda deals: dk.lead(
        HAND, "3NT by south", given="hcp(south) >= 15", predeal={"north": "SAQ"}, vulnerable="both", produce=4,
        seed=1, lead_rule=prefer,
    ),
}  # fmt: skip


NOT_STUDIES = {"difference", "opc_breakdown", "strategy"}  # of given numbers, of given deals, and an argument


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_is_repeated_from_its_provenance(deals: dk.Deals, name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = STUDIES[name](deals)
        call = json.loads(json.dumps(first.to_dict()))["provenance"]["call"]
        again = eval(call, {"dk": dk, "deals": deals, "prefer": prefer, "drawn": DRAWN})
    assert call in unescape(first._repr_html_())
    assert again.provenance.call == call == first.provenance.call
    frames = [each.to_frame().drop(columns="seconds", errors="ignore") for each in (first, again)]
    assert frames[0].equals(frames[1])
    assert first.card().to_dict()["tables"] == again.card().to_dict()["tables"]


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in dk.__all__
        if isfunction(getattr(dk, name)) and getattr(dk, name).__module__.startswith("dealerkit.studies")
    ],
)
def test_every_public_study_is_repeated(name: str) -> None:
    called = {word for study in STUDIES.values() for word in study.__code__.co_names}
    assert (name in called) != (name in NOT_STUDIES)


def test_layouts_without_a_seed_are_repeated_by_the_seed_that_was_drawn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = dk.layouts("KJ74.Q93.T85.J62", n=4)
        again = eval(first.provenance.call)
    assert f"seed={first.seed})" in first.provenance.call
    assert (again.deals.hands == first.deals.hands).all()


def test_an_error_of_a_call_names_the_study() -> None:
    with pytest.raises(TypeError, match=r"^break_even\(\) missing"):
        dk.break_even("4S")


def test_the_footer_names_predealt_cards() -> None:
    result = dk.estimate("hcp(north)", predeal=SOUTH)
    assert "all deals, south has SAKQ,HAK; counted" in result.text


AVERAGE = "condition hcp(north) >= $low action average hcp(south), frequency (spades(north), 0, 13)"
TYPES = {"weak": "hcp(south) <= $high", "game": "hcp(south) > $high"}


def run_with(script: str = AVERAGE, **options: object) -> dk.Result:
    """A run with options that `dk.run` has not."""
    return dk.run_script(script, dk.RunOptions(params={"low": 12}, produce=50, **options))


RUNS = {
    "a new seed": lambda deals, folder: dk.run(AVERAGE, params={"low": 12}, produce=60, confidence=0.9),
    "the script's seed": lambda deals, folder: dk.run("seed 4 hcp(north) > 9 action average hcp(south)", produce=9),
    "given deals": lambda deals, folder: dk.run(AVERAGE, params={"low": "12"}, source=deals, plan="plain", threads=1),
    "all layouts": lambda deals, folder: dk.run(
        "predeal north SAKQJ,HAKQ,DAKQ,CAKQ predeal south ST98,HJT9,DJT98,CJT9 predeal east S765,H765,D765 action average hcp(east)",
        source="all", keep=10,
    ),
    "v1": lambda deals, folder: dk.run("produce 5 action printall", dialect="v1", stream="classic", seed=3),
    "limits": lambda deals, folder: dk.run(AVERAGE, params={"low": 12.0}, limits=dk.RunLimits(deals=500), seed=1),
    "a stranger's": lambda deals, folder: dk.run("hcp(north) > 9 action average hcp(south)", produce=9, untrusted=True),
    "levelled": lambda deals, folder: dk.level(AVERAGE, TYPES, {"game": 2}, produce=60, params={"low": 15, "high": 8}),
    "predeal and swap": lambda deals, folder: run_with(predeal={"north": "SAKQ", "south": {"hearts": 5}}, swap=3),
    "further options": lambda deals, folder: run_with(
        title="A title", opener="north", vulnerable="NS", write=lambda text: None
    ),
    "a parsed sum": lambda deals, folder: dk.run(
        dk.parse("strong = hcp(north) >= 16") + dk.parse("strong action average hcp(south)"), produce=20
    ),
    "a file": lambda deals, folder: dk.run(folder / "plain.dealer", produce=20),
    "included": lambda deals, folder: dk.run(folder / "includes.dealer", produce=20),
    "combined": lambda deals, folder: sum_runs(),
}  # fmt: skip


def sum_runs() -> dk.Result:
    return run_with() + run_with() + run_with(seed=5)


def check_repeated(first: dk.Result, call: str, deals: dk.Deals) -> None:
    """Assert that a call gives a result again."""
    again = eval(call, {"dk": dk, "deals": deals})
    assert again.call == call
    assert (again.produced, again.generated, again.seeds) == (first.produced, first.generated, first.seeds)
    assert again.deals.equals(first.deals)
    assert [report.to_dict() for report in again.reports] == [report.to_dict() for report in first.reports]


@pytest.mark.parametrize("name", RUNS)
def test_a_run_is_repeated_from_its_call(deals: dk.Deals, tmp_path: Path, name: str) -> None:
    (tmp_path / "plain.dealer").write_text("# a comment\nhcp(north) >= 16 action average hcp(south)\n")
    (tmp_path / "bids.dealer").write_text("strong = hcp(north) >= 16\n")
    (tmp_path / "includes.dealer").write_text('#include "bids.dealer"\nstrong action average hcp(south)\n')
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = RUNS[name](deals, tmp_path)
        call = json.loads(json.dumps(first.to_dict()))["provenance"]["call"]
        assert call == first.call and call in unescape(first._repr_html_())
        check_repeated(first, call, deals)
        first.save(tmp_path / "result.zip")
        assert dk.load(tmp_path / "result.zip").call == call


def test_the_call_of_a_run_has_the_options_that_run_takes() -> None:
    taken = signature(dk.run).parameters.keys() - {"script"}
    options = {option.name for option in fields(dk.RunOptions)}
    assert options - taken - set(WITHOUT_EFFECT) == set(OF_RUN_SCRIPT)


def test_a_distribution_is_repeated_from_its_call() -> None:
    first = dk.distribution(
        "cccc(north)", "hcp(north) >= $0", {"south": "SAK"}, iter([12]), deals=5000, seed=3
    )
    assert not first.attrs["exact"]
    again = eval(first.attrs["call"])
    assert again.equals(first) and again.attrs == first.attrs
