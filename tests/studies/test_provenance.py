"""Where results of studies are from: each is repeated from the call in its provenance."""

from __future__ import annotations

import json
import warnings
from html import unescape

import pytest

import dealerkit as dk

HAND = "KJ74.Q93.T85.J62"
STRATEGY = [("hcp(north) + hcp(south) >= 25", "3NT by north"), (True, "2NT by north")]
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


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_is_repeated_from_its_provenance(deals: dk.Deals, name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = STUDIES[name](deals)
        source = json.loads(json.dumps(first.to_dict()))["provenance"]
        again = eval(source["call"], {"dk": dk, "deals": deals, "prefer": prefer})
    assert source["call"] in unescape(first._repr_html_())
    assert again.provenance.call == source["call"]
    assert (
        again.to_frame()
        .drop(columns="seconds", errors="ignore")
        .equals(first.to_frame().drop(columns="seconds", errors="ignore"))
    )


def test_the_footer_names_predealt_cards() -> None:
    result = dk.estimate("hcp(north)", predeal=SOUTH)
    assert "all deals, south has SAKQ,HAK; counted" in result.text
