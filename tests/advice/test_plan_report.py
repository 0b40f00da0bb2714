"""The plan of a run in explanations, compared with runs and with counts."""

from __future__ import annotations

import math
import warnings
from math import comb

import pytest

import dealerkit as dk
from dealerkit import ArgumentError, explain
from dealerkit.planning.rates import N_PILOT_CANDIDATES

HANDS = comb(52, 13)
SIGMAS = 4.5
SCRIPTS = [
    "condition hcp(north) >= 20 action",
    "condition hcp(north) > 9 action",
    "produce 5 condition hcp(north) >= 20",
    "produce 100000 condition shape(east, any 5440) and cccc(west) > 12 action",
    "generate 30000000 condition hcp(north) + hcp(south) > 27 and hearts(west) > 4 action",
    "predeal north SAK condition hcp(north) > 16 and spades(south) > 3 action",
    "condition spades(north) > 6 and 10 / spades(north) == 1 and hcp(east) > 9 action",
    "condition rnd(2) == 0 and hcp(north) > 20 action",
    "action",
]


@pytest.mark.parametrize("wish", ["auto", "plain", "staged", "conditional"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_the_plan_is_that_of_a_run(script, wish):
    """The runs end after their first deal, but they have chosen a plan for the whole run."""
    explanation = explain(script, deals=1000, plan=wish, produce=1, generate=20_000_000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = dk.run(script, produce=1, generate=20_000_000, plan=wish, seed=1, keep=0)
    assert (explanation.plan.name, explanation.plan.clauses) == (run.plan.name, run.plan.clauses)


@pytest.mark.parametrize(
    ("condition", "hands"),
    [
        ("hearts(north) == 10", comb(13, 10) * comb(39, 3)),
        ("spades(west) >= 12", 13 * 39 + 1),
        ("shape(east, 4432)", comb(13, 4) ** 2 * comb(13, 3) * comb(13, 2)),
        ("aces(south) == 4", comb(48, 9)),
        ("top5(north, clubs) == 5 and clubs(north) == 6", 8 * comb(39, 7)),
    ],
)
def test_hands_and_candidates_against_counts(condition, hands):
    explanation = explain(f"condition {condition} action", plan="conditional")
    text = " ".join(explanation.dealing)
    assert f"from the {hands:,} hands that clause" in text
    assert explanation.plan.sampling.share == explanation.probability.fraction == pytest.approx(hands / HANDS)
    assert explanation.candidates.value == 1


@pytest.mark.parametrize(
    "condition",
    [
        "hcp(north) >= 18 and cccc(south) > 9",
        "shape(north, any 4333 + any 4432) and hcp(north) > 15 and hcp(south) > 9 and hcp(east) > hcp(west)",
        "spades(north) > 5 and spades(south) > 3 and (hcp(west) > 14 or hcp(east) > 14)",
        "hcp(north) > 17 and rnd(3) == 0",
    ],
)
def test_the_rate_from_candidates_against_plain_dealing(condition):
    explanation = explain(f"condition {condition} action", plan="conditional")
    plain = dk.run(f"condition {condition} action", generate=1_000_000, plan="plain", seed=5, keep=0)
    scaled = explanation.candidates.value * float(explanation.plan.sampling.share)
    error = math.hypot(
        plain.probability.se, explanation.candidates.se * float(explanation.plan.sampling.share)
    )
    assert 0 < abs(scaled - plain.probability.value) < SIGMAS * error
    assert explanation.candidates.n == N_PILOT_CANDIDATES
    if not explanation.probability.exact:
        assert explanation.probability.value == pytest.approx(scaled)
        assert explanation.probability.lo < scaled < explanation.probability.hi


@pytest.mark.parametrize(
    ("condition", "clauses"),
    [
        ("hcp(east) > 2 and hcp(north) >= 35 and spades(north) == 10", ["hcp(north) >= 35", "spades(north) == 10"]),
        ("hcp(north) + hcp(south) >= 41 and hcp(east) > 3", ["hcp(north) + hcp(south) >= 41"]),
        ("hcp(north) + hcp(south) >= 41 and cccc(east) > 3", ["hcp(north) + hcp(south) >= 41"]),
        ("aces(north) == 3 and aces(west) == 2", ["aces(north) == 3", "aces(west) == 2"]),
        ("hascard(north, AS) and hcp(east) > 9 and hascard(east, AS)", ["hascard(north, AS)", "hascard(east, AS)"]),
    ],
)  # fmt: skip
def test_clauses_that_no_deal_meets_are_named(condition, clauses):
    explanation = explain(f"condition {condition} action")
    texts = [f"`{text}`" for text in clauses]
    end = " together" if len(texts) > 1 else ""
    assert f"no deal can meet {' and '.join(texts)}{end}" in [
        mistake.message for mistake in explanation.mistakes
    ]
    assert explanation.probability.value == 0
    assert explanation.probability.exact
    assert "No deal is produced" in explanation.text
    assert not any(
        "pilot deals" in mistake.message for mistake in explanation.mistakes if mistake.place.column == 11
    )


def test_the_last_of_contradictory_clauses_has_the_mistake():
    mistake = next(iter(explain("condition aces(north) == 3 and aces(west) == 2 action").mistakes))
    assert (mistake.kind, mistake.place.line, mistake.place.column) == ("contradiction", 1, 32)


def test_the_reason_why_a_clause_is_evaluated_on_candidates():
    script = "condition hcp(north) > 19 and cccc(south) > 9 and rnd(2) == 0 and hcp(west) < 9 action"
    explanation = explain(script)
    lines = list(explanation.dealing)
    assert "conditionally" in lines[0]
    assert "that clause 1 allows" in lines[1]
    assert "Evaluated on the candidates: clause 2, because cccc is not a sum over suits." in lines
    assert (
        "Evaluated on the candidates: clause 3, because the order of a clause with random numbers is fixed."
        in lines
    )
    assert any(
        line.startswith("Evaluated on the candidates: clause 4, because it follows a clause whose order")
        for line in lines
    )
    assert "The acceptance rate is an estimate: rnd() generates random numbers." in lines or (
        "The acceptance rate is an estimate: cccc is not a sum over suits." in lines
    )


@pytest.mark.parametrize(
    ("script", "arguments", "reason"),
    [
        ("condition hcp(north) > 20", {}, "ends before the condition would be analysed"),
        ("condition hcp(north) > 9 action", {}, "too many to save time"),
        ("condition cccc(north) > 15 action", {}, "No clause determines a set of hands to sample"),
        ("condition hcp(north) > 20 action", {"plan": "plain"}, "As requested"),
        ("condition hcp(north) > 20 action", {"plan": "staged"}, "No clause depends on one side only"),
        ("condition hcp(north) > 20 action", {"dialect": "v1"}, "as those programs deal"),
    ],
)
def test_the_reason_why_a_run_deals_plainly(script, arguments, reason):
    explanation = explain(script, deals=5000, **arguments)
    assert explanation.dealing[0].startswith("A run deals plainly")
    assert reason in explanation.dealing[1]


def test_stages_and_the_order_of_evaluation():
    explanation = explain("condition cccc(north) > 3 and spades(west) > 5 and cccc(south) > 17 action")
    explanation = explain("condition cccc(north) > 3 and cccc(south) > 17 and cccc(west) > 9 action")
    assert explanation.dealing[0].startswith("A run deals in stages")
    assert explanation.dealing[1].startswith(
        "First north and south get cards and clauses 2 and 1 are evaluated, then east and west get cards"
    )
    assert (
        "Evaluated in the order 2, 1 and 3" in explanation.dealing[2]
        or "Evaluated in the order 2, 3 and 1" in explanation.dealing[2]
    )


def test_a_count_over_the_budget_is_reported():
    explanation = explain("condition hcp(north) > hcp(east) and hcp(east) > hcp(south) action")
    assert "The acceptance rate is an estimate: an exact count would take too long." in explanation.dealing
    assert not explanation.probability.exact


def test_double_dummy_is_evaluated_last():
    script = "condition tricks(north, spades) >= 10 and hcp(north) > 17 and spades(north) > 5 action"
    explanation = explain(script, deals=20_000)
    assert [clause.text for clause in explanation.clauses][:2] == ["hcp(north) > 17", "spades(north) > 5"]
    assert "double dummy last" in explanation.text
    assert any(line.startswith("Evaluated last: 3; double dummy") for line in explanation.dealing)
    deal = "N:AKQJT98.AK.32.32 .QJT.JT98.JT9876 765.765.AKQ4.AKQ 432.98432.765.54"
    assert [clause.text for clause in dk.why(script, deal).clauses] == [
        clause.text for clause in explanation.clauses
    ]


def test_costs_and_limits_in_candidates():
    explanation = explain("condition aces(north) == 4 and cccc(south) > 9 action", produce=1000)
    n_candidates = 1000 / explanation.candidates.value
    sentence = next(
        line
        for line in explanation.limits
        if line.startswith("A run stops at 1,000 deals produced, as requested")
    )
    number = float(sentence.partition("after about ")[2].partition(" candidates")[0].replace(",", ""))
    assert number == pytest.approx(n_candidates, rel=0.06)
    assert any("plain dealing would need" in line for line in explanation.dealing)


def test_arguments_of_the_explained_run():
    with pytest.raises(ArgumentError, match="unknown plan"):
        explain("condition 1", plan="quick")
    with pytest.raises(ArgumentError, match="produce is -1"):
        explain("condition 1", produce=-1)
    explanation = explain("condition spades(west) > 5", predeal={"west": {"spades": 7}})
    assert [mistake.kind for mistake in explanation.mistakes] == ["predeal"]


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("average hcp(north)", "average: the mean of the points of north"),
        ("average hcp(north) + hcp(south)", "the mean of the points of north and south together"),
        ("average hcp(north) * 2", "the mean of hcp(north) * 2"),
        ("average hascard(north, AS)", "the share of deals in which north holds the ace of spades"),
        ("average hcp(north) > 9 or aces(south) > 0", "the share of deals in which hcp(north) > 9 or aces(south) > 0"),
        ('frequency "f" (spades(west), 0, 13)', 'frequency "f": how often each value of the spades of west occurs'),
        (
            "bktfreq (hcp(west), 0, 40, 5, controls(east), 0, 12, 2)",
            "how often each bucket of the points of west against the controls of east occurs",
        ),
    ],
)  # fmt: skip
def test_sentences_about_actions(action, sentence):
    assert sentence in explain(f"condition 1 action {action}", deals=100).text
