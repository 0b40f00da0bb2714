"""Where results of studies are from: each is repeated from the call in its provenance."""

from __future__ import annotations

import json
import warnings
from html import unescape
from inspect import isfunction

import numpy as np
import pytest

import dealerkit as dk

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
    "best contracts": lambda deals: dk.best_contracts(
        deals, classes={"long": "fit >= 9", "notrump": ("notrump", "hcp >= 20")}, min_deals=40, vulnerable=True
    ),
    "Law": lambda deals: dk.law_of_total_tricks(deals, ties="mean", where="hcp(north) >= 10"),
    "par statistics": lambda deals: dk.par_statistics(deals, vulnerable=["none", "both"], dealer="east"),
    "par": lambda deals: dk.tabulate_par(deals, "both", 2),
    "break-even": lambda deals: dk.break_even("4S", "3S", vulnerable=True, tricks={9: 30, 10: 50}),
    "break-even table": lambda deals: dk.break_even_table(),
    "layouts": lambda deals: dk.layouts(deals[0], "north", 5, strain="notrump"),
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


NOT_STUDIES = {"difference", "opc_breakdown", "strategy"}  # of numbers, of one deal, and an argument


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
